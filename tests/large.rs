//! Retained sizes of heaps that do not fit in the memory that they may take.

use crate::harness::{Scratch, grown_sample, stream_sample};

/// Files with little more than the least limits of sums, of figures by object, and of ways: all phases go through files.
const FILES: &[(&str, [&str; 3])] = &[
    ("data/v8/leak-3.heapsnapshot.zst", ["1290K", "1630K", "1050K"]),
    ("data/java/shop.hprof.zst", ["180K", "340K", "280K"]),
    ("data/ruby/cache-2.json.gz", ["90K", "200K", "165K"]),
    ("large.heapsnapshot", ["303K", "526K", "420K"]),
    ("large.ndjson", ["303K", "526K", "420K"]),
    ("edges-first.ndjson", ["303K", "526K", "420K"]),
];

/// A fifth more.
fn more_than(memory: &str) -> String {
    let kilobytes: u32 = memory.trim_end_matches('K').parse().expect("a number");
    format!("{}K", kilobytes * 6 / 5)
}

fn files(scratch: &Scratch) {
    scratch.write("large.heapsnapshot", grown_sample(30_000));
    let stream = stream_sample(30_000);
    let (edges, others): (Vec<&str>, Vec<&str>) =
        stream.lines().partition(|line| line.starts_with("{\"type\":\"edge\","));
    let (nodes, head): (Vec<&str>, Vec<&str>) = others
        .into_iter()
        .partition(|line| line.starts_with("{\"type\":\"node\"") || line.contains("heap.end"));
    scratch.write(
        "edges-first.ndjson",
        [head.join("\n"), edges.join("\n"), nodes.join("\n"), String::new()].join("\n"),
    );
    scratch.write("large.ndjson", stream);
}

/// Whether a command says the same with a limit of memory.
fn alike(scratch: &Scratch, command: &str, files: &str, memory: &str) {
    let wanted = scratch.run(&format!("{command} {files}"));
    let limited = format!("{command} --memory {memory} {files}");
    let found = scratch.run(&limited);
    assert_eq!((&found.err, found.status), (&wanted.err, wanted.status), "{limited}");
    // The record of what made a stream has the command.
    let lines = |text: &str| {
        text.lines().filter(|line| !line.contains("heap.pipeline")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(lines(&found.out) == lines(&wanted.out), "{limited}");
}

/// The same, and that it uses files: without a folder for them it fails.
fn same(scratch: &Scratch, command: &str, files: &str, memory: &str) {
    let tool = command.split(' ').next().unwrap_or_default();
    let nowhere = scratch.run(&format!("TMPDIR=/nosuch {command} --memory {memory} {files}"));
    assert_eq!(nowhere.status, Some(2), "{command} {files}: {}", nowhere.err);
    let why = nowhere.err.lines().last().unwrap_or_default();
    assert!(why.starts_with(&format!("{tool}: ")) && why.contains("temporary file in /nosuch"), "{why}");
    alike(scratch, command, files, memory);
}

#[test]
fn what_goes_through_files_is_what_memory_says() {
    let scratch = Scratch::new();
    files(&scratch);
    let some = "--class '*[CRS]*[st]*' --min-size 30";
    for (number, (file, [sums, figures, ways])) in FILES.iter().enumerate() {
        let mut commands: Vec<(String, &str)> = Vec::new();
        for more in ["", " --by subtype", " --by package", " --class Array --class Class3 --class Session"] {
            commands.push((format!("heap-sum --sort retained -n all --json{more}"), sums));
        }
        commands.push(("heap-dom".to_owned(), figures));
        for more in ["-n 40", &format!("-n 20 {some}"), "-n 3 --table"] {
            commands.push((format!("heap-top --key retained {more}"), figures));
        }
        commands.push(("heap-strings --held-by --json -n all".to_owned(), ways));
        for more in ["-n 500", "--merge class", "--merge label --avoid '*C*'"] {
            commands.push((format!("heap-path {some} {more}"), ways));
        }
        commands.push(("heap-path --avoid Array --avoid '*Class7' --min-size 30 -n 300".to_owned(), ways));
        for more in [
            "--depth 3 --with-path",
            "--via '*a*'",
            "--via '*e*' --depth 4 --back",
            "--back --depth 2",
            "--back --with-path",
        ] {
            commands.push((format!("heap-walk {some} {more}"), ways));
        }
        commands.push(("heap-view".to_owned(), figures));
        commands.push(("heap-view --svg treemap".to_owned(), figures));
        let trees = more_than(figures);
        for more in ["--cut none --self", "--by dom,class --other", "--table", &format!("--table {some}")] {
            commands.push((format!("heap-tree {more}"), &trees));
        }
        commands.push(("heap-walk --via ok".to_owned(), ways));
        commands.push(("heap-walk --unreachable".to_owned(), ways));
        // Every third command of each file: two files a command.
        for (command, memory) in commands.iter().skip(number % 3).step_by(3) {
            same(&scratch, command, file, memory);
        }
    }
    let two = "data/v8/leak-1.heapsnapshot.zst data/v8/leak-3.heapsnapshot.zst";
    // Objects of two dumps of Java are not known again.
    scratch
        .run("heap-filter -v --class 'Shop$Session' data/java/shop.hprof.zst | heap-to hprof -o early.hprof")
        .quiet(0);
    let of_series = [
        (
            "data/v8/leak-1.heapsnapshot.zst data/v8/leak-2.heapsnapshot.zst data/v8/leak-3.heapsnapshot.zst",
            "1630K",
        ),
        (two, "1630K"),
        ("data/ruby/cache-1.json.gz data/ruby/cache-2.json.gz", "165K"),
        ("early.hprof data/java/shop.hprof.zst", "280K"),
        ("data/java/shop.hprof.zst", "280K"),
        ("data/core/shop-node24.core.zst", "1860K"),
        ("large.heapsnapshot", "420K"),
        ("large.ndjson", "420K"),
        ("edges-first.ndjson", "420K"),
    ];
    for ((files, memory), more) in
        of_series.into_iter().zip(["", " --table --all --share 0 --growth 0"].into_iter().cycle())
    {
        same(&scratch, &format!("heap-suspects{more}"), files, memory);
        same(&scratch, "heap-view", files, memory);
    }
    same(&scratch, "heap-view --svg flame", "large.ndjson", "420K");
    // Their pages have the stacks of allocations.
    same(&scratch, "heap-view", "data/v8/traced.heapsnapshot.zst", "24K");
    same(&scratch, "heap-view", "data/java/traced.hprof", "14K");
    same(&scratch, "heap-diff --retained --json -n all", two, "1430K");
    let left = scratch.run("ls -A tmp | grep -v '^[.]\\(out\\|err\\)$'");
    assert_eq!(left.out, "");
}

/// Tools that take a limit, for [`files`].
const TOOLS: &[&str] = &[
    "heap-sum --sort retained --json",
    "heap-dom",
    "heap-top --key retained",
    "heap-path --min-size 60 -n 100",
    "heap-strings --held-by",
    "heap-walk --min-size 60 --with-path",
    "heap-tree --table",
    "heap-suspects",
    "heap-view",
];

/// Memory that is too little for the graph of `large.ndjson`, and enough with files.
fn little(tool: &str) -> &'static str {
    match tool.split(' ').next() {
        Some("heap-sum") => "303K",
        Some("heap-dom" | "heap-top") => "526K",
        Some("heap-tree") => "640K",
        _ => "420K",
    }
}

#[test]
fn a_limit_that_is_too_small_is_refused_with_what_it_takes() {
    let scratch = Scratch::new();
    files(&scratch);
    for tool in TOOLS {
        for file in ["data/v8/leak-3.heapsnapshot.zst", "large.ndjson"] {
            let mut memory = "100K".to_owned();
            for _ in 0..4 {
                let found = scratch.run(&format!("{tool} --memory {memory} {file}"));
                if found.status == Some(0) {
                    break;
                }
                let name = tool.split(' ').next().unwrap_or_default();
                let found = found.complains(2, &format!("{name}: "), "does not fit in ");
                let (_, more) = found.err.trim().rsplit_once(": it takes ").expect("a limit");
                memory = more.strip_suffix(" or more").expect("a limit").to_owned();
            }
            assert_ne!(memory, "100K", "{tool} {file}");
            alike(&scratch, tool, file, &memory);
        }
    }
    scratch.run("heap-sum --retained --memory lots large.ndjson").complains(
        2,
        "heap-sum: ",
        "expected a size",
    );
}

/// Tools that hold the graph in memory, for a snapshot of V8.
const WHOLE: &[&str] =
    &["heap-show --class Session --retained -n 3", "heap-sum --devtools -n 3", "heap-dom --devtools-sizes"];

#[test]
fn a_tool_that_holds_the_graph_in_memory_says_how_much_it_would_be() {
    let scratch = Scratch::new();
    files(&scratch);
    for tool in WHOLE {
        let name = tool.split(' ').next().unwrap_or_default();
        for file in ["data/v8/leak-3.heapsnapshot.zst", "large.heapsnapshot"] {
            let found = scratch.run(&format!("{tool} --memory 200K {file}"));
            let found = found.complains(2, &format!("{name}: "), "this heap takes about ");
            assert_eq!(
                (found.out.lines().count(), found.err.lines().count()),
                (0, 1),
                "{tool}: {}",
                found.err
            );
            assert!(found.err.contains(" where 0M may be used: --memory SIZE allows more; heap-"));
            let (_, needed) = found.err.split_once("takes about ").expect("how much");
            let (needed, _) = needed.split_once(' ').expect("how much");
            alike(&scratch, tool, file, needed);
        }
    }
    let two = "data/v8/leak-1.heapsnapshot.zst data/v8/leak-3.heapsnapshot.zst";
    let found = scratch.run(&format!("heap-diff --devtools --memory 200K {two}"));
    assert_eq!((found.status, found.out.as_str()), (Some(2), ""));
    assert!(found.err.lines().all(|line| line.contains("this heap takes about ")), "{}", found.err);
}

#[test]
fn a_disk_may_be_full_in_any_phase() {
    let scratch = Scratch::new();
    files(&scratch);
    for tool in TOOLS {
        let command = format!("{tool} --memory {} large.ndjson", little(tool));
        let wanted = scratch.run(&command).quiet(0).out;
        let name = tool.split(' ').next().unwrap_or_default();
        let mut full = 0;
        // The system refuses to make files longer than so many blocks of a kilobyte.
        for blocks in [4, 20, 40, 60, 80, 100, 120, 150, 200, 300, 400, 600, 1000, 1500, 100_000] {
            let run = scratch.run(&format!("(trap '' XFSZ; ulimit -f {blocks}; {command}) | cat"));
            if run.err.is_empty() {
                assert_eq!(run.out, wanted, "{blocks}");
            } else {
                full += 1;
                assert!(run.err.starts_with(&format!("{name}: ")), "{}", run.err);
                assert!(run.err.contains("temporary file in "), "{}", run.err);
            }
        }
        assert!((1..15).contains(&full), "{full}");
    }
}

#[test]
fn nothing_is_left_of_a_tool_that_is_killed() {
    let scratch = Scratch::new();
    files(&scratch);
    for tool in TOOLS {
        let memory = little(tool);
        for seconds in ["0.01", "0.03", "0.06", "0.1", "0.15", "0.2", "0.3"] {
            scratch
                .run(&format!("timeout -s KILL {seconds} {tool} --memory {memory} large.ndjson > /dev/null"));
            let left = scratch.run("ls -A tmp | grep -v '^[.]\\(out\\|err\\)$'");
            assert_eq!(left.out, "", "{tool} {seconds}");
        }
    }
}
