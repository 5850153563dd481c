//! No silent wrong answer: what a tool says is right, or it says that it is not.

use std::fmt::Write as _;

use crate::harness::{Scratch, readers, root, stream_sample};

/// How each tool is called on one FILE, or on standard input if that is `-`.
fn commands() -> Vec<String> {
    let command = |tool: String| match tool.as_str() {
        "heap-diff" => format!("{tool} --classes --all app.heapsnapshot"),
        "heap-grep" => format!("{tool} -e e"),
        "heap-path" | "heap-show" | "heap-walk" => format!("{tool} --id 3"),
        "heap-to" => format!("{tool} v8"),
        _ => tool,
    };
    readers().into_iter().map(command).collect()
}

/// The lines of a small stream from a dump.
fn small(scratch: &Scratch) -> Vec<String> {
    scratch.run("heap-cat app.heapsnapshot").quiet(0).out.lines().map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_stream_that_is_cut_at_any_line_is_noticed_by_every_tool() {
    let scratch = Scratch::new();
    let lines = small(&scratch);
    let promise = lines.iter().position(|line| line.contains("\"expected\"")).expect("a promise") + 1;
    assert!(promise <= 3, "a cut before line {promise} cannot be noticed");
    for cut in promise..lines.len() {
        scratch.write(&format!("cut{cut}"), lines[..cut].concat());
    }
    for (number, command) in commands().into_iter().enumerate() {
        // Every second line, the other half for the next tool.
        let script = format!(
            "for i in $(seq {} 2 {}); do {command} - < cut$i > out 2> err; s=$?; \
             IFS= read -rd '' said < err; [[ $said == *'cut off'* ]] || echo $i says nothing: $said; \
             [ $s = 2 ] || echo $i ends with $s; \
             IFS= read -rd '' said < out; [[ $said != *'\"heap.end\",\"value\":\"nodes'* ]] || echo $i: an end mark; done",
            promise + number % 2,
            lines.len() - 1
        );
        let run = scratch.run(&script);
        assert_eq!(run.out, "", "{command}: {}", run.err);
    }
}

#[test]
fn heads_and_ends_that_do_not_fit_are_told() {
    let scratch = Scratch::new();
    let lines = small(&scratch);
    let (whole, middle) = (lines.concat(), lines.len() / 2);
    scratch.write("twice", [&*whole, &whole].concat());
    scratch.write("headless", lines[middle..].concat());
    scratch.write("cut-and-whole", [lines[..middle].concat(), whole.clone()].concat());
    scratch.write("whole-and-headless", [whole.clone(), lines[middle..].concat()].concat());
    for command in commands() {
        let tool = command.split(' ').next().unwrap_or_default();
        if tool == "heap-check" {
            continue;
        }
        for (file, what) in [
            ("headless", "whose head is missing"),
            ("cut-and-whole", "before the end mark of the one ahead of it"),
            ("whole-and-headless", "behind the end mark"),
        ] {
            let run = scratch.run(&format!("{command} {file}"));
            let told = run.err.contains(&format!("{tool}: {file}: line ")) && run.err.contains(what);
            assert!(told && run.status == Some(2), "{command} {file}: {:?} {}", run.status, run.err);
        }
        let run = scratch.run(&format!("{command} twice"));
        assert!(!run.err.is_empty() || tool == "heap-info", "{command}: {:?} {}", run.status, run.out);
    }
}

#[test]
fn a_producer_that_fails_is_noticed() {
    let scratch = Scratch::new();
    let whole = scratch.run("cat app.heapsnapshot").out;
    scratch.write("damaged.heapsnapshot", &whole[..whole.len() * 4 / 5]);
    for producer in ["heap-cat", "heap-filter", "heap-names", "heap-dom", "heap-redact", "heap-walk --id 3"] {
        for command in commands() {
            let script = format!("{producer} damaged.heapsnapshot 2> /dev/null | {command} - > /dev/null");
            let run = scratch.run(&script);
            assert!(run.status == Some(2) && !run.err.is_empty(), "{script}: {:?} {}", run.status, run.err);
        }
    }
}

/// Reports whose rows must not depend on how the records come, each with the flags that ask most of them.
const REPORTS: &[&str] = &[
    "heap-sum",
    "heap-sum --retained",
    "heap-sum --by name",
    "heap-sum --by subtype --retained",
    "heap-sum --by name,class --sort retained",
    "heap-sum --by v8.detachedness",
    "heap-sum --where 'size > 8'",
    "heap-top -n 7",
    "heap-top --key retained -n 7",
    "heap-strings",
    "heap-grep -e e",
    "heap-grep -c --in value,name,class,label -e a",
    "heap-grep -c 1",
    "heap-show --id @3",
    "heap-show --id 7",
    "heap-path --id @3",
    "heap-path --class 'A*' -k 2",
    "heap-path --merge --class '*'",
    "heap-tree --table",
    "heap-tree --by class",
    "heap-tree --by frame,class",
    "heap-diff --classes --all FILE",
];

#[test]
fn a_file_and_its_stream_give_the_same_reports() {
    let scratch = Scratch::new();
    scratch.write("other", stream_sample(3));
    let folder = root().join("tests/data/regressions");
    let mut files: Vec<String> =
        ["app.heapsnapshot", "app.mvmheap", "app.dartheap", "trace.json", "app.heapprofile"]
            .map(str::to_owned)
            .to_vec();
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let name = entry.expect("a file").file_name().into_string().expect("a name");
        files.push(format!("data/regressions/{name}"));
    }
    files.extend(
        [
            "data/mdb/kinds.mdbv8heap",
            "data/java/small.phd",
            "data/moarvm/v1.heap",
            "data/webkit/debugging.json",
        ]
        .map(str::to_owned),
    );
    for (number, file) in files.iter().enumerate() {
        // What is no dump gives no stream.
        if scratch.run(&format!("heap-cat {file}")).status != Some(0) {
            continue;
        }
        // Files of one name, because reports have it.
        let mut script = format!(
            "rm -rf f s v; mkdir f s v; cp {file} f/x; heap-cat {file} > s/x; heap-names {file} > v/x\n"
        );
        // Every second report of each, in turn.
        for report in REPORTS.iter().skip(number % 2).step_by(2) {
            let report = report.replace("FILE", "../other");
            let _ = writeln!(
                script,
                "for d in f s v; do cd $d; {{ {report} x; echo status $?; }} > ../$d.out 2> ../$d.err; cd ..; done
                 IFS= read -rd '' first < f.out; for d in s v; do IFS= read -rd '' other < $d.out
                 [ \"$first\" = \"$other\" ] || echo \"{report}, form $d: $(diff f.out $d.out | head -n 4; cat $d.err)\"
                 done"
            );
        }
        let run = scratch.run(&script);
        assert_eq!(run.out, "", "{file}");
    }
}

/// The lines of a stream in another order: the version first, the end mark last.
fn shuffled(stream: &str, seed: u64) -> String {
    let mut lines: Vec<&str> = stream.lines().collect();
    let end = lines.last().is_some_and(|line| line.contains("\"heap.end\"")).then(|| lines.pop()).flatten();
    let mut state = seed.wrapping_mul(2) + 1;
    for i in (2..lines.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        lines.swap(i, 1 + (state >> 33) as usize % i);
    }
    lines.into_iter().chain(end).flat_map(|line| [line, "\n"]).collect()
}

#[test]
fn the_order_of_records_changes_no_answer() {
    let scratch = Scratch::new();
    scratch.write("other", stream_sample(3));
    // Paths are numbered in the order of the records of their targets, and a table of a tree has the first labels.
    let ordered = |report: &&str| report.contains("-k 2") || *report == "heap-tree --table";
    let mut more: Vec<&str> = REPORTS.iter().copied().filter(|report| !ordered(report)).collect();
    more.extend([
        "heap-cat | heap-names",
        "heap-dom | heap-names",
        "heap-filter --type A | heap-names",
        "heap-filter --id @3 --edges touching | heap-names",
        "heap-names",
        "heap-walk --id 3 | heap-names",
        "heap-to ndjson | heap-names",
        "heap-redact | heap-sum --by subtype",
    ]);
    let files = [
        "app.heapsnapshot",
        "data/regressions/equal-class-texts.ndjson",
        "data/regressions/late-edge-type.ndjson",
        "data/regressions/late-identifier-rule.ndjson",
        "data/regressions/names-then-show.ndjson",
        "data/mdb/kinds.mdbv8heap",
        "other",
    ];
    for file in files {
        let ordered = scratch.run(&format!("heap-cat {file}")).quiet(0).out;
        let view = scratch.run(&format!("heap-names {file}")).quiet(0).out;
        scratch.write("ordered", &ordered);
        let forms = [shuffled(&ordered, 1), shuffled(&ordered, 2), shuffled(&view, 3)];
        for (i, form) in forms.iter().enumerate() {
            scratch.write(&format!("form{i}"), form);
        }
        let mut script = String::new();
        for report in &more {
            let report = report.replace("FILE", "other");
            let (first, rest) = report.split_once(" | ").unwrap_or((&report, ""));
            let pipe = if rest.is_empty() { "" } else { "|" };
            // Metadata say which tools a stream met, and how many strings it took.
            // Where retained bytes begin depends on the order of nodes.
            let clean = "sed '/\"type\":\"metadata\"/d; s/,\"retained_from\":[0-9]*//' | sort";
            let _ = writeln!(
                script,
                "{first} - < ordered 2> /dev/null {pipe} {rest} | {clean} > a; IFS= read -rd '' first < a
                 for i in 0 1 2; do {first} - < form$i 2> err {pipe} {rest} | {clean} > b; IFS= read -rd '' other < b
                 [ \"$first\" = \"$other\" ] || echo \"{report}: form $i differs: $(cat err; diff a b | head -n 4)\"; done"
            );
        }
        let run = scratch.run(&script);
        assert_eq!(run.out, "", "{file}: {}", run.err);
    }
}

/// A dump of each format, written as a data set and as an SQLite file, comes back as the stream that it was.
#[test]
fn what_is_stored_comes_back_in_every_format() {
    let scratch = Scratch::new();
    for dump in [
        "v8/old-node6.heapsnapshot.zst",
        "moarvm/v1.heap",
        "moarvm/v2-2019.11.mvmheap",
        "moarvm/v3.mvmheap",
        "dart/kinds-pruned.dartheap.gz",
        "memory-infra/chromium-056-v1.json.gz",
        "memory-infra/chromium-150-v2-excerpt.json.gz",
        "memory-infra/alloc-sampling-node20.heapprofile",
        "java/shop.hprof.zst",
        "java/small.phd",
        "java/small.classic.txt",
        "mdb/kinds.mdbv8heap",
        "webkit/debugging.json",
        "webkit/jsc-healthy.json.zst",
        "ruby/cache-1.json.gz",
        "ruby/shapes-4.0.json.gz",
        "pprof/go-sessions.pb.gz",
        "sqlite/draft.db",
    ] {
        let run = scratch.run(&format!(
            "same() {{ grep -v '\"generator\"'; }}
             heap-cat data/{dump} | same > a; [ -s a ] || echo empty
             heap-to parquet -o set data/{dump} && heap-cat set | same | cmp - a; rm -r set
             heap-to sqlite -o db data/{dump} && heap-cat db | same | sort > b; rm db; sort a | cmp - b"
        ));
        assert_eq!((&*run.out, &*run.err), ("", ""), "{dump}");
    }
}

#[test]
fn retained_sizes_of_a_part_are_those_of_the_whole() {
    let scratch = Scratch::new();
    let file = "data/v8/leak-1.heapsnapshot.zst";
    scratch.run(&format!("heap-dom {file} > dom.ndjson; heap-to sqlite dom.ndjson -o dom.db")).quiet(0);
    let by = |by: &str, class: &str| {
        let row = |run: &str| {
            let run = scratch.run(&format!("{run} --by {by} --csv 2> /dev/null | sort"));
            assert_eq!(run.status, Some(0), "{}", run.err);
            run.out
        };
        let whole = row(&format!("heap-sum --retained {file} --class '{class}'"));
        for part in [
            format!("heap-filter dom.ndjson --class '{class}' | heap-sum"),
            format!("heap-filter dom.ndjson --class '{class}' | heap-sum --retained"),
            format!("heap-names dom.ndjson | heap-filter --class '{class}' | heap-sum"),
            format!("heap-filter dom.db --class '{class}' | heap-sum"),
            format!("heap-sum dom.ndjson --class '{class}'"),
        ] {
            assert_eq!(row(&part), whole, "{part} --by {by}");
        }
    };
    for class in ["Object", "Map", "S*"] {
        by("class", class);
    }
    by("subtype", "S*");
    by("subtype,class", "?*");
    // What does not say enough is left out, aloud.
    let run = scratch.run("sed 's/,\"retained_from\":[0-9]*//' dom.ndjson | heap-sum --class Object");
    assert_eq!(run.status, Some(0));
    assert!(
        run.err.contains("retained is left out") && !run.out.contains("retained"),
        "{} {}",
        run.out,
        run.err
    );
}

/// The files that gave wrong answers, and the right ones: as files, as streams, in another order, with names, as a database
/// and as a data set.
#[test]
fn what_was_answered_wrong_once_is_answered_right() {
    let scratch = Scratch::new();
    let forms = |file: &str| {
        let path = format!("data/regressions/{file}");
        let stream = scratch.run(&format!("heap-cat {path}")).quiet(0).out;
        let view = scratch.run(&format!("heap-names {path}")).quiet(0).out;
        let mut names = vec![path];
        for (i, form) in
            [stream.clone(), shuffled(&stream, 5), view.clone(), shuffled(&view, 6)].iter().enumerate()
        {
            scratch.write(&format!("{file}.{i}"), form);
            names.push(format!("{file}.{i}"));
        }
        for (target, out) in [("sqlite", "db"), ("parquet", "set")] {
            let out = format!("{file}.{out}");
            scratch.run(&format!("heap-to {target} -o {out} {}", names[0])).quiet(0);
            names.push(out);
        }
        names
    };
    let check = |file: &str, command: &str, expected: &str| {
        for form in forms(file) {
            let run = scratch.run(&command.replace("FILE", &form));
            assert!(run.out.contains(expected), "{command} {form}: {} {}", run.out, run.err);
        }
    };
    let late = "late-edge-type.ndjson";
    check(late, "heap-sum --retained --csv FILE", "class,count,size,retained\n(object),2,11,1\n");
    check(late, "heap-dom FILE | grep '\"identifier\":3'", "\"reachable\":false");
    check(late, "heap-path --id 3 FILE; echo $?", "1\n");
    check(late, "heap-names FILE | heap-names | grep '\"edge\"'", "\"subtype\":\"x.weak\"");
    check("late-identifier-rule.ndjson", "heap-show --id @3 FILE | head -n 1", "\"identifier\":3");
    check("late-identifier-rule.ndjson", "heap-filter --id @3 FILE | heap-sum --csv", "(object),1,24");
    let equal = "equal-class-texts.ndjson";
    check(equal, "heap-sum --retained --csv --class A FILE", "A,2,20,60\n");
    check(equal, "heap-sum --retained --csv --by name --name txt FILE", "txt,2,40,40\n");
    check(equal, "heap-dom FILE | heap-sum --csv --class A", "A,2,20,60\n");
    check(
        "names-then-show.ndjson",
        "heap-show --id 1 FILE",
        "\"class\":\"(string_flat)\",\"value\":\"hello\"",
    );
    check("labels-of-elements.heapsnapshot", "heap-grep -c 12 FILE", "\"count\":2");
    // Formats that are written from a stream whose records come before their strings and declarations.
    check(late, "heap-to sqlite -o x.db FILE && heap-sum --retained --csv x.db", "(object),2,11,1\n");
    check(equal, "heap-to v8 FILE | heap-sum --csv --by subtype,name --name txt", "string_flat,txt,2,40\n");
    check(equal, "heap-to v8 FILE | heap-sum --csv --class A", "A,2,20\n");
    check("names-then-show.ndjson", "heap-to v8 FILE | heap-sum --csv --class Obj", "Obj,1,8\n");
    check("names-then-show.ndjson", "heap-to hprof FILE | heap-sum --csv --class Obj", "Obj,1,");
    let numbers = scratch.run("heap-to csv data/regressions/late-identifier-rule.ndjson");
    assert!(numbers.err.contains("line 5: heap.identifier comes after"), "{}", numbers.err);
    assert_eq!(numbers.status, Some(2));
    let v1 = "v1-counts.json.gz";
    // Cells of frames name types that the root's leave out: 917 objects of <other> are theirs.
    check(v1, "heap-sum --csv FILE", "\n<other>,139,14153\n");
    check(v1, "heap-tree --by frame FILE | head -n 1", "\"size\":36121755,\"count\":249533}");
    check(v1, "heap-tree FILE | head -n 1", "\"size\":36121755,\"count\":249533}");
    check("repeated-ids.heapsnapshot", "heap-check FILE", "two nodes have the number @3 in the source");
    // The format before version 1 has cells too, which repeat what its nodes say.
    let old = scratch.run("heap-sum data/memory-infra/seed-example-v1-old-cells.json").quiet(0).out;
    let view = scratch.run("heap-names data/memory-infra/seed-example-v1-old-cells.json | heap-sum");
    assert_eq!(view.quiet(0).out, old);
    for form in forms("repeated-ids.heapsnapshot") {
        let run = scratch.run(&format!("heap-diff {form} {form}"));
        assert!(run.err.contains("no lasting identity"), "{form}: {} {}", run.out, run.err);
    }
}
