//! Sums beyond 2^63 and 2^64: no tool wraps one or takes it for a number like others.

use std::fmt::Write as _;

use crate::harness::Scratch;

const HEAD: &str = r#"{"type":"metadata","key":"version_major","value":"1"}
{"type":"metadata","key":"heap.identifier","value":"index"}
{"type":"metadata","key":"heap.identity","value":"identifier"}
{"type":"metadata","key":"heap.root","value":"1"}
{"type":"type","name":"node","fields":{"heap.size":"integer","heap.class":"string","heap.name":"string","heap.external":"integer","heap.count":"integer"}}
{"type":"node_type","nodetypeid":1,"name":"heap.root"}
{"type":"node_type","nodetypeid":2,"name":"object"}
{"type":"node_type","nodetypeid":3,"name":"string_flat","fields":{"data":"string"}}
{"type":"node_type","nodetypeid":4,"name":"heap.allocation"}
{"type":"node_type","nodetypeid":5,"name":"heap.frame","fields":{"function":"string"}}
{"type":"node_type","nodetypeid":6,"name":"array","fields":{"length":"integer"}}
{"type":"edge_type","edgetypeid":1,"name":"object property"}
{"type":"edge_type","edgetypeid":2,"name":"heap.calls"}
{"type":"edge_type","edgetypeid":3,"name":"heap.allocated"}
{"type":"string","stringid":1,"data":"A"}
{"type":"string","stringid":2,"data":"B"}
{"type":"string","stringid":3,"data":"x"}
{"type":"string","stringid":4,"data":"text of a string"}
{"type":"string","stringid":5,"data":"f"}
{"type":"string","stringid":6,"data":"g"}
{"type":"node","subtype":1,"identifier":1,"heap":{"size":0}}
"#;

/// Nine nodes of a kind, of which a field has such a value.
fn stream(kind: &str, field: &str, value: u64) -> String {
    let mut out = HEAD.to_owned();
    for i in 0..9 {
        let (subtype, own, name) = match kind {
            "strings" => (3, "\"data\":4,".to_owned(), ",\"name\":4".to_owned()),
            "sites" if i % 3 == 0 => {
                (5, format!("\"function\":{},", 5 + i % 2), format!(",\"class\":{}", 5 + i % 2))
            }
            "sites" => (4, String::new(), format!(",\"class\":{}", 5 + i % 2)),
            "arrays" => (6, "\"length\":1000,".to_owned(), ",\"class\":1".to_owned()),
            _ => (2, String::new(), format!(",\"class\":{}", 1 + i % 2)),
        };
        let (size, more) = match field {
            "size" => (format!("\"{value:#x}\""), String::new()),
            _ => ("24".to_owned(), format!(",\"{field}\":\"{value:#x}\"")),
        };
        let id = 2 * i + 3;
        let _ = writeln!(
            out,
            "{{\"type\":\"node\",\"subtype\":{subtype},\"identifier\":{id},{own}\"heap\":{{\"size\":{size}{name}{more}}}}}"
        );
    }
    for i in 0..9 {
        let (id, calls) = (2 * i + 3, kind == "sites");
        let source = if i % 3 == 0 {
            1
        } else if calls && i % 3 == 2 {
            id - 4
        } else {
            id - 2
        };
        let subtype = if !calls {
            1
        } else if i % 3 == 0 {
            2
        } else {
            3
        };
        let _ = writeln!(
            out,
            "{{\"type\":\"edge\",\"subtype\":{subtype},\"source\":{source},\"dest\":{id},\"label\":3}}"
        );
    }
    out
}

/// What every tool is asked, with `@` for its input.
fn commands() -> String {
    let commands = std::fs::read_to_string(crate::harness::root().join("tests/hostile/commands"));
    commands.expect("the list of commands is readable")
        + "heap-suspects --all @ @ @\nheap-suspects --table @\nheap-trend @ @ @\nheap-tree --table @\n\
           heap-sum --sort retained --table @\nheap-diff --retained --all @ @\nheap-strings --table @\n\
           heap-to graphml @\nheap-view --svg flame @\nheap-sum --devtools @\n"
}

#[test]
fn no_tool_fails_for_a_sum_that_is_too_large() {
    let scratch = Scratch::new();
    let commands = commands();
    let mut bad = String::new();
    for kind in ["objects", "strings", "sites", "arrays"] {
        for (field, value) in [("size", i64::MAX as u64), ("external", u64::MAX), ("count", 1 << 62)] {
            scratch.write("stream", stream(kind, field, value));
            let mut script = "mkdir -p out\n".to_owned();
            for command in commands.lines() {
                let run = command.replace('@', "stream");
                let _ = writeln!(
                    script,
                    "rm -rf out/*; {run} > /dev/null 2> message; s=$?; \
                     if [ $s -gt 2 ] || grep -q \"internal error\" message; then echo \"{command}: $s $(tail -n 1 message)\"; fi"
                );
            }
            for line in scratch.run(&script).out.lines() {
                let _ = writeln!(bad, "{kind} {field}: {line}");
            }
        }
    }
    assert!(bad.is_empty(), "{bad}");
}

#[test]
fn each_report_says_that_a_sum_is_at_least_so_much() {
    let scratch = Scratch::new();
    for (field, value) in [("size", i64::MAX as u64), ("count", i64::MAX as u64)] {
        scratch.write("large", stream("objects", field, value));
        scratch.write("small", stream("objects", field, 24));
        scratch.write("strings", stream("strings", field, value));
        let retained = if field == "size" {
            "heap-sum --sort retained -n 1 large;heap-top --key retained -n 1 large;heap-path --class A --merge class large"
        } else {
            "heap-sum large"
        };
        let scripts = format!(
            "heap-sum large;heap-sum --by subtype large;heap-tree large;heap-diff --all small large;heap-trend small large;\
             heap-strings strings;heap-sum --csv large;{retained}"
        );
        for script in scripts.split(';') {
            let run = scratch.run(script);
            assert!(run.err.contains("it is at least so much"), "{script}: {}", run.err);
            assert_eq!(run.status, Some(0), "{script}");
        }
        let table = scratch.run("heap-sum --table large").out;
        assert!(table.contains('≥'), "{table}");
        // What differs by an unknown number passes no gate.
        let gate = scratch.run(&format!("heap-diff --fail-on '{field}_delta > 0' large large"));
        assert_eq!(gate.status, Some(2), "{}", gate.err);
        let gate = scratch.run(&format!("heap-diff --fail-on '{field}_delta > 0' small large"));
        assert_eq!(gate.status, Some(1), "{}", gate.err);
        let gate = scratch.run(&format!("heap-trend --fail-on '{field}_delta > 0' large large"));
        assert_eq!(gate.status, Some(2), "{}", gate.err);
        let gate = scratch.run(&format!("heap-diff --fail-on '{field}_delta > 0' large small"));
        assert_eq!(gate.status, Some(0), "{}", gate.err);
    }
}

/// Whether a text has a number where sums stop, or says of one that it does.
const STOPS: &str =
    "18446744073709551615\\|0xffffffffffffffff\\|9223372036854775807\\|0x7fffffffffffffff\\|≥";

/// Each of `commands` on `input`: what it is, whether it warns, and whether its output or a file that it writes shows a sum
/// that has stopped.
fn asked(scratch: &Scratch, input: &str, commands: &str) -> Vec<(String, bool, bool)> {
    let mut script = "mkdir -p out\n".to_owned();
    for command in commands.lines() {
        let run = command.replace('@', input);
        let _ = writeln!(
            script,
            "rm -rf out/*; {run} > text 2> message; warns=$(grep -c 'it is at least so much' message); \
             if [ -e out/x ]; then heap-cat out/x > text 2> /dev/null; fi; \
             echo \"$warns $(grep -ac '{STOPS}' text) {command}\""
        );
    }
    let run = scratch.run(&script);
    let row = |line: &str| {
        let mut words = line.splitn(3, ' ');
        let mut many = || words.next().and_then(|word| word.parse::<u32>().ok()).expect("a count");
        let (warns, shows) = (many(), many());
        assert!(warns <= 1, "said twice: {line}");
        (words.next().expect("a command").to_owned(), warns > 0, shows > 0)
    };
    run.out.lines().map(row).collect()
}

#[test]
fn no_tool_shows_a_sum_that_has_stopped_without_saying_so() {
    // What each of these adds up, whatever else it does.
    const SUMS: [(&str, &[&str]); 3] = [
        ("size", &["dom", "info", "sum", "tree", "suspects", "view", "diff", "trend", "strings", "to"]),
        ("external", &["sum", "suspects"]),
        ("count", &["sum", "tree", "diff", "trend", "strings"]),
    ];
    const NOTHING: [&str; 9] =
        ["v8", "hprof", "sqlite", "parquet", "csv", "graphml", "svg", "devtools", "memory-infra"];
    let scratch = Scratch::new();
    let commands = commands();
    let (mut bad, mut said) = (String::new(), 0);
    for kind in ["objects", "strings", "sites", "arrays"] {
        for (field, sums) in SUMS {
            // No number of its own is where sums stop; four of them are beyond.
            scratch.write("large", stream(kind, field, (1 << 62) + 1));
            scratch.write("small", stream(kind, field, 48));
            let large = asked(&scratch, "large", &commands);
            assert_eq!(large.len(), commands.lines().count());
            for (command, warns, shows) in large {
                said += usize::from(warns);
                let tool = command["heap-".len()..].split(' ').next().unwrap_or_default();
                let adds_up =
                    kind == "objects" && tool != "strings" || kind == "strings" && tool == "strings";
                let must =
                    adds_up && sums.contains(&tool) && !NOTHING.iter().any(|word| command.contains(word));
                if (shows || must) && !warns {
                    let _ = writeln!(bad, "{kind} {field}: {command}: nothing is said");
                }
            }
            if field == "size" {
                for (command, warns, shows) in asked(&scratch, "small", &commands) {
                    if warns || shows {
                        let _ = writeln!(bad, "{kind} {field}: {command}: small sums are said to be large");
                    }
                }
                // What heap-dom has written is a sum, too, wherever it goes.
                let made = scratch.run("heap-dom large > summed");
                assert!(made.err.contains("it is at least so much"), "{}", made.err);
                for (command, warns, shows) in asked(&scratch, "summed", &commands) {
                    if shows && !warns {
                        let _ = writeln!(bad, "{kind}, from heap-dom: {command}: nothing is said");
                    }
                }
            }
        }
    }
    assert!(bad.is_empty(), "{bad}");
    assert!(said > 100, "{said}");
}

#[test]
fn sizes_of_different_values_are_not_added_up_in_silence() {
    let scratch = Scratch::new();
    let profile = "data/pprof/orders-1.pb.gz";
    let sum = |values: [&str; 2]| {
        let both = values.map(|value| format!("<(heap-cat --value {value} {profile})"));
        scratch.run(&format!("heap-sum {} > out", both.join(" ")))
    };
    sum(["inuse_space", "inuse_space"]).quiet(0);
    sum(["inuse_space", "alloc_space"]).complains(
        0,
        "heap-sum: warning: sizes of different values, inuse_space and alloc_space, ",
        "(--value takes one for all)",
    );
}
