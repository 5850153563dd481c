//! Figures of the real dumps in `tests/data/v8`: however a dump reaches heap-sum, it adds up to the same, and to
//! what others found.
//!
//! `tests/data/v8/expected` has figures that an independent reader computed. [`reckon`] is a second one: slow,
//! obvious, and in the test itself.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use crate::harness::{Scratch, gzip, root};

/// Count and size by name.
type Groups = BTreeMap<String, (u64, u64)>;

/// What a dump must add up to.
#[derive(Debug, PartialEq)]
struct Figures {
    nodes: u64,
    edges: u64,
    size: u64,
    by_subtype: Groups,
    /// Groups of nodes that have a class, and those without under their subtype in brackets.
    by_class: Groups,
}

/// What a V8 node type is called in the stream, and whether its nodes have a class.
fn subtype(v8: &str) -> (String, bool) {
    let name = match v8 {
        "string" => "string_flat",
        "regexp" => "regular_expression",
        "number" => "heap_number",
        "concatenated string" => "string_cons",
        "sliced string" => "string_sliced",
        "object" | "code" | "closure" | "native" => v8,
        other => return (format!("v8.{}", other.replace(' ', "_")), other == "wasm object"),
    };
    (name.to_owned(), matches!(v8, "object" | "native"))
}

fn add(groups: &mut Groups, name: String, count: u64, size: u64) {
    let group = groups.entry(name).or_default();
    group.0 += count;
    group.1 += size;
}

/// The figures of a snapshot, read the slow way.
fn reckon(snapshot: &[u8]) -> Figures {
    // serde_json refuses lone surrogates; no class has a surrogate of either kind in its name.
    let mut snapshot = snapshot.to_vec();
    for at in 3..snapshot.len() {
        let escape = snapshot[at - 3..at - 1].eq_ignore_ascii_case(b"\\u");
        if escape && matches!(snapshot[at - 1..=at], [b'd' | b'D', b'8' | b'9' | b'a'..=b'f' | b'A'..=b'F']) {
            snapshot[at - 1..at + 3].copy_from_slice(b"fffd");
        }
    }
    let json: Value = serde_json::from_slice(&snapshot).expect("a snapshot is JSON");
    let list = |value: &'_ Value| value.as_array().expect("an array").clone();
    let meta = &json["snapshot"]["meta"];
    let fields = list(&meta["node_fields"]);
    let place = |name: &str| fields.iter().position(|f| f == name).expect("a field that every node has");
    let (kind, name, size) = (place("type"), place("name"), place("self_size"));
    let kinds = list(&meta["node_types"][kind]);
    let strings = list(&json["strings"]);
    let nodes = list(&json["nodes"]);
    let number = |value: &Value| value.as_u64().expect("a number");
    let mut figures = Figures {
        nodes: (nodes.len() / fields.len()) as u64,
        edges: (list(&json["edges"]).len() / list(&meta["edge_fields"]).len()) as u64,
        size: 0,
        by_subtype: Groups::new(),
        by_class: Groups::new(),
    };
    for node in nodes.chunks(fields.len()) {
        // Old versions write one type more than they declare.
        let kind = kinds.get(number(&node[kind]) as usize).map_or("symbol", |k| k.as_str().expect("a name"));
        let (subtype, has_class) = subtype(kind);
        let text = || strings[number(&node[name]) as usize].as_str().expect("a string").to_owned();
        let class = if has_class { text() } else { format!("({subtype})") };
        let size = number(&node[size]);
        figures.size += size;
        add(&mut figures.by_subtype, subtype, 1, size);
        add(&mut figures.by_class, class, 1, size);
    }
    figures
}

/// The figures that stand in `tests/data/v8/expected`, if they do.
fn expected(name: &str) -> Option<Figures> {
    let path = root().join(format!("tests/data/v8/expected/{name}.json"));
    let json: Value = serde_json::from_slice(&fs::read(path).ok()?).expect("figures are JSON");
    let number = |value: &Value| value.as_u64().expect("a number");
    let mut figures = Figures {
        nodes: number(&json["nodes"]),
        edges: number(&json["edges"]),
        size: number(&json["self_total"]),
        by_subtype: Groups::new(),
        by_class: Groups::new(),
    };
    for (kind, sums) in json["by_type"].as_object().expect("groups") {
        let (subtype, has_class) = subtype(kind);
        let (count, size) = (number(&sums[0]), number(&sums[1]));
        if !has_class {
            add(&mut figures.by_class, format!("({subtype})"), count, size);
        }
        add(&mut figures.by_subtype, subtype, count, size);
    }
    for (key, sums) in json["raw_classes"].as_object().expect("groups") {
        let (kind, name) = key.split_once('\t').expect("type and name");
        if subtype(kind).1 {
            add(&mut figures.by_class, name.to_owned(), number(&sums[0]), number(&sums[1]));
        }
    }
    Some(figures)
}

/// The rows that a script prints, by the column `key`.
fn rows(scratch: &Scratch, script: &str, key: &str) -> Groups {
    let out = scratch.run(&format!("set -o pipefail; {script}")).quiet(0).out;
    let mut groups = Groups::new();
    for line in out.lines() {
        let row: Value = serde_json::from_str(line).expect("a row is JSON");
        assert_eq!(row["type"], "heap.sum", "{script}: {line}");
        let number = |key: &str| row[key].as_u64().unwrap_or_else(|| panic!("{script}: no {key}: {line}"));
        let name = row[key].as_str().unwrap_or_else(|| panic!("{script}: no {key}: {line}"));
        let before = groups.insert(name.to_owned(), (number("count"), number("size")));
        assert_eq!(before, None, "{script}: {name} has two rows");
    }
    groups
}

/// Every way from a dump to heap-sum, for `$x` = the dump, unpacked.
const WAYS: &[&str] = &[
    "heap-sum $x",
    "heap-sum $x.zst",
    "heap-sum $x.gz",
    "cat $x | heap-sum",
    "cat $x.zst | heap-sum",
    "heap-sum - < $x.gz",
    "heap-cat $x | heap-sum",
    "heap-cat $x.zst | heap-filter | heap-sum",
    "heap-cat $x | heap-cat | heap-sum",
    "heap-cat --only metadata,node_type,node,string $x | heap-sum",
    "heap-names $x.gz | heap-sum",
    "heap-cat $x | heap-names | heap-cat | heap-sum",
    "heap-filter --subtype '*string*' $x > part; heap-filter -v --subtype '*string*' $x | heap-sum part -",
];

/// The same with jq between; run by tests/with-jq.sh.
const WAYS_WITH_JQ: &[&str] = &[
    "heap-cat $x | jq . -c -S | heap-sum",
    "heap-cat $x | jq -c 'select(.type != \"edge\" and .key != \"heap.end\")' | heap-sum",
    "heap-names $x | jq -c 'select(.type == \"node\")' | heap-sum",
    "heap-cat $x | jq -c . | heap-names | jq -c . | heap-cat | heap-sum",
];

/// A scratch folder with the dump `NAME.heapsnapshot` and its packed forms.
fn unpacked(name: &str) -> (Scratch, Vec<u8>) {
    let scratch = Scratch::new();
    let packed = fs::read(root().join(format!("tests/data/v8/{name}.heapsnapshot.zst"))).expect("a dump");
    let plain = zstd::decode_all(packed.as_slice()).expect("the dump unpacks");
    scratch.write("dump.gz", gzip(&plain));
    scratch.write("dump.zst", packed);
    scratch.write("dump", &plain);
    (scratch, plain)
}

/// Compares what heap-sum prints on each way with `figures`: by class on one, by subtype on the next, and the other way around
/// for dumps with an odd number of nodes.
fn compare(scratch: &Scratch, figures: &Figures, ways: &[&str]) {
    for (number, way) in (figures.nodes..).zip(ways) {
        let way = way.replace("$x", "dump");
        if number % 2 == 0 {
            assert_eq!(rows(scratch, &way, "class"), figures.by_class, "{way}");
            continue;
        }
        // The last heap-sum is the one that reports.
        let (before, after) = way.rsplit_once("heap-sum").expect("a way ends in heap-sum");
        let by_subtype = format!("{before}heap-sum --by subtype{after}");
        assert_eq!(rows(scratch, &by_subtype, "subtype"), figures.by_subtype, "{by_subtype}");
    }
}

fn check(name: &str) {
    let (scratch, plain) = unpacked(name);
    let twin = reckon(&plain);
    if let Some(expected) = expected(name) {
        assert_eq!(twin, expected, "the reader in this test is wrong about {name}");
    }
    assert_eq!(twin.by_class.values().map(|sums| sums.1).sum::<u64>(), twin.size);
    compare(&scratch, &twin, WAYS);
    // The end mark counts what was written.
    let end = scratch.run("heap-cat dump | tail -n 1").quiet(0).out;
    let begin = format!(
        "{{\"type\":\"metadata\",\"key\":\"heap.end\",\"value\":\"nodes={} edges={} ",
        twin.nodes, twin.edges
    );
    assert!(end.starts_with(&begin), "{end}");
}

#[test]
fn leak_1() {
    check("leak-1");
}

#[test]
fn leak_2() {
    check("leak-2");
}

#[test]
fn leak_3() {
    check("leak-3");
}

#[test]
fn varied() {
    check("varied");
}

#[test]
fn dom() {
    check("dom");
}

#[test]
fn bun_jsc() {
    check("bun-jsc");
}

#[test]
fn old_node6() {
    check("old-node6");
}

#[test]
fn traced() {
    check("traced");
}

/// What objects were allocated by: by the innermost function, by that with its place, and by frame with all that it called.
#[test]
fn stacks_are_those_of_another_reader() {
    let (scratch, _) = unpacked("traced");
    let path = root().join("tests/data/v8/expected/traced-stacks.json");
    let json = fs::read(path).expect("expected figures");
    let expected: BTreeMap<String, Groups> = serde_json::from_slice(&json).expect("groups by grouping");
    // The same where the records of stacks come behind all others.
    let late = "(heap-cat dump | grep -v -e '^{.type.:.v8.trace_' -e heap.end; \
                heap-cat dump | grep '^{.type.:.v8.trace_')";
    for before in ["heap-cat dump", late] {
        for (by, key, tool) in [
            ("function", "function", "heap-sum"),
            ("location", "location", "heap-sum"),
            ("frame", "path", "heap-tree"),
        ] {
            let script = format!("set -o pipefail; {before} | {tool} --by {by} 2> /dev/null");
            let mut found = Groups::new();
            for line in scratch.run(&script).quiet(0).out.lines() {
                let row: Value = serde_json::from_str(line).expect("a row is JSON");
                let number = |key: &str| row[key].as_u64().expect("a number");
                let name = row[key].as_str().unwrap_or_default();
                if !name.ends_with("<self>") {
                    add(&mut found, name.to_owned(), number("count"), number("size"));
                }
            }
            assert_eq!(found, expected[by], "{script}");
        }
    }
}

/// No dump may be added without being checked here.
#[test]
fn every_dump_is_checked() {
    let source = include_str!("figures.rs");
    for entry in fs::read_dir(root().join("tests/data/v8")).expect("the folder of dumps") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        if let Some(name) = name.strip_suffix(".heapsnapshot.zst") {
            assert!(source.contains(&format!("check(\"{name}\")")), "{name} is not checked");
        }
    }
}

#[test]
#[ignore = "needs jq; .ci/run and tests/with-jq.sh run it"]
fn jq_changes_no_figure() {
    for name in ["varied", "bun-jsc"] {
        let (scratch, plain) = unpacked(name);
        compare(&scratch, &reckon(&plain), WAYS_WITH_JQ);
    }
}
