//! Streams made to cost much: memory and time of every tool follow the size of the input.
//!
//! `tests/hostile.py` runs all commands on all streams, and makes the table in `tests/README.md`.

mod streams;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::harness::Scratch;
use streams::STREAMS;

/// What is run on each stream; `@` stands for the stream.
fn commands() -> Vec<String> {
    let text = fs::read_to_string(crate::harness::root().join("tests/hostile/commands"));
    text.expect("the list of commands is readable").lines().map(str::to_owned).collect()
}

/// Bytes of the streams here.
const SIZE: usize = 1_000_000;

/// Runs commands on the file `stream`, with memory of 16 MB and twelve times its size for each time that it is read, and
/// ten seconds. Gives what went wrong.
fn wrong(scratch: &Scratch, commands: &[String]) -> String {
    let size = fs::metadata(scratch.path("stream")).expect("the stream is there").len();
    let mut script = "mkdir -p out\n".to_owned();
    for command in commands {
        let reads = command.matches('@').count() as u64;
        let (room, run) = ((16_000_000 + 12 * size * reads) / 1024, command.replace('@', "stream"));
        let _ = writeln!(
            script,
            "rm -rf out/*; (ulimit -d {room} -t 10; exec {run}) > /dev/null 2> message; s=$?; \
             [ $s -le 2 ] || echo \"{command}: status $s $(tail -n 1 message)\""
        );
    }
    scratch.run(&script).out
}

#[test]
fn memory_and_time_follow_the_size_of_the_input() {
    let (scratch, commands) = (Scratch::new(), commands());
    let mut bad = String::new();
    for (number, (name, make)) in STREAMS.iter().enumerate() {
        scratch.write("stream", make(SIZE));
        // Each command meets every eleventh stream, and each kind of numbers several commands.
        let some: Vec<_> = commands.iter().skip((number * 3) % 11).step_by(11).cloned().collect();
        for line in wrong(&scratch, &some).lines() {
            let _ = writeln!(bad, "{name}: {line}");
        }
    }
    assert!(bad.is_empty(), "{bad}");
}

#[test]
fn names_of_fields_and_edges_take_their_share() {
    // What took most at 10 MB: a text of its own for each, several times.
    let pairs = [
        ("array indexes far apart", "heap-show --id 1 @"),
        // Each object has another stack, and each stack all frames of the one before.
        ("stacks in a chain", "heap-suspects @"),
        ("fields of a node", "heap-redact --audit @"),
        ("fields of a node", "heap-show --table --id 3 @"),
        ("fields of a type", "heap-check @"),
        ("fields of a type", "heap-redact --all @"),
        ("fields of a type", "heap-redact --audit @"),
        ("fields of a type", "heap-to parquet -o out/x @"),
        ("types of extensions", "heap-redact --audit @"),
        ("node types far apart", "heap-suspects @"),
    ];
    let scratch = Scratch::new();
    for (name, command) in pairs {
        let (_, make) = STREAMS.iter().find(|(known, _)| *known == name).expect("a stream of that name");
        scratch.write("stream", make(4 * SIZE));
        assert_eq!(wrong(&scratch, &[command.to_owned()]), "", "{name}");
    }
}

#[test]
fn a_table_is_not_longer_for_larger_numbers() {
    // Each id is just within what a table would make room for that may be twice or four times as long as it is.
    let scratch = Scratch::new();
    let head = "{\"type\":\"metadata\",\"key\":\"version_major\",\"value\":\"1\"}\n\
                {\"type\":\"type\",\"name\":\"node\",\"fields\":{\"heap.size\":\"integer\",\"heap.class\":\"string\"}}\n\
                {\"type\":\"node_type\",\"nodetypeid\":2,\"name\":\"object\"}\n";
    let commands =
        ["heap-check @", "heap-redact @", "heap-sum @", "heap-to parquet -o out/x @", "heap-grep -e s @"];
    let grows: [fn(i64) -> i64; 4] =
        [|n| 2 * n + 1024, |n| 4 * n + 1023, |n| -4 * n - 1024, |n| 8 * n + 4095];
    for grow in grows {
        let (mut strings, mut nodes, mut id) = (String::new(), String::new(), 0i64);
        for i in 0.. {
            id = grow(id.abs());
            if id.abs() > 1 << 40 {
                break;
            }
            let _ = writeln!(strings, "{{\"type\":\"string\",\"stringid\":{id},\"data\":\"s{i}\"}}");
            let node = 2 * i + 1;
            let _ = writeln!(
                nodes,
                "{{\"type\":\"node\",\"subtype\":2,\"identifier\":{node},\"heap\":{{\"size\":8,\"class\":{id}}}}}"
            );
        }
        scratch.write("stream", format!("{head}{strings}{nodes}"));
        assert_eq!(wrong(&scratch, &commands.map(str::to_owned)), "");
    }
}

#[test]
fn paths_of_a_list_end() {
    let scratch = Scratch::new();
    let (_, chain) = STREAMS.iter().find(|(name, _)| *name == "a chain").expect("there is a chain");
    scratch.write("chain", chain(400_000));
    let run = scratch.run("heap-path --class A chain | wc -l");
    let rows: u64 = run.out.trim().parse().expect("a number");
    assert!((1_000_000..1_010_000).contains(&rows), "{rows}");
    assert!(run.err.starts_with("heap-path: warning: stopped after 1000000 rows, "), "{}", run.err);
    let run = scratch.run("heap-path --class A -n 5 chain | wc -l").quiet(0);
    assert_eq!(run.out.trim(), "5");
}

#[test]
fn differences_do_not_wrap() {
    let scratch = Scratch::new();
    let head = "{\"type\":\"metadata\",\"key\":\"version_major\",\"value\":\"1\"}\n\
                {\"type\":\"node_type\",\"nodetypeid\":2,\"name\":\"object\"}\n\
                {\"type\":\"string\",\"stringid\":1,\"data\":\"A\"}\n";
    let nodes = |most: &str| {
        let node = |id| {
            format!(
                "{{\"type\":\"node\",\"subtype\":2,\"identifier\":{id},\"heap\":{{\"size\":{most},\"class\":1,\"count\":{most}}}}}\n"
            )
        };
        format!("{head}{}", [1, 3, 5].map(node).concat())
    };
    scratch.write("small", nodes("1"));
    scratch.write("large", nodes("\"0x7fffffffffffffff\""));
    for column in ["count_delta", "size_delta"] {
        let gate = format!("heap-diff --fail-on 'class=A and {column}>0'");
        let run = scratch.run(&format!("{gate} small large"));
        assert_eq!(run.status, Some(1), "{} {}", run.out, run.err);
        assert!(run.err.contains("it is at least so much"), "{}", run.err);
        assert!(run.out.contains(&format!("\"{column}\":\"0x7ffffffffffffffc\"")), "{}", run.out);
        assert_eq!(scratch.run(&format!("{gate} large small")).status, Some(0));
    }
}

/// Streams are as long as they are asked for; `tests/hostile.py` says how long, and has them written to a folder.
#[test]
fn streams_are_as_long_as_asked() {
    let size = std::env::var("HOSTILE_BYTES").map_or(1 << 14, |text| text.parse().expect("a number"));
    let folder = std::env::var_os("HOSTILE_FOLDER");
    for (name, make) in STREAMS {
        let stream = make(size);
        assert!(stream.len() * 4 >= size, "{name}: {} of {size} bytes", stream.len());
        if let Some(folder) = &folder {
            fs::write(Path::new(folder).join(name), stream).expect("the folder takes files");
        }
    }
}
