//! The flags that show V8 snapshots as Chrome DevTools does, against what an independent reader worked out.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::harness::{Scratch, root};

fn expected(name: &str) -> String {
    let bytes = fs::read(root().join("tests/data/v8/expected").join(name)).expect("test data");
    let bytes = if Path::new(name).extension().is_some_and(|e| e == "zst") {
        zstd::decode_all(&bytes[..]).expect("whole")
    } else {
        bytes
    };
    String::from_utf8(bytes).expect("UTF-8")
}

fn rows(text: &str) -> impl Iterator<Item = Value> + '_ {
    text.lines().map(|line| serde_json::from_str(line).expect("a row is JSON"))
}

#[test]
fn every_node_has_the_size_that_devtools_shows() {
    let out = Scratch::new().run("heap-dom --devtools-sizes data/v8/varied.heapsnapshot.zst").quiet(0).out;
    let nodes = out.lines().filter(|line| line.starts_with(r#"{"type":"node","#));
    // V8's id of a node: the stream's identifiers of even ones are negative.
    let id =
        |value: &Value| value.as_i64().map(|id| if id < 0 { -id - 1 } else { id }).expect("an identifier");
    let found = nodes.map(|line| {
        let node: Value = serde_json::from_str(line).expect("a node is JSON");
        let heap = &node["heap"];
        let idom = heap.get("idom").unwrap_or(&node["identifier"]);
        let distance = heap["distance"].as_i64().unwrap_or(-5);
        format!(
            "{}\t{}\t{}\t{}\t{distance}",
            id(&node["identifier"]),
            heap["size"],
            heap["retained"],
            id(idom)
        )
    });
    let expected = expected("varied.nodes.tsv.zst");
    let wanted: Vec<String> = expected
        .lines()
        .map(|line| {
            let mut cells: Vec<&str> = line.split('\t').collect();
            cells.remove(1);
            cells.join("\t")
        })
        .collect();
    let found: Vec<String> = found.collect();
    assert_eq!(found.len(), wanted.len());
    for (found, wanted) in found.iter().zip(&wanted) {
        assert_eq!(found, wanted);
    }
}

#[test]
fn the_summary_is_that_of_devtools() {
    let scratch = Scratch::new();
    for command in [
        "heap-sum --devtools data/v8/varied.heapsnapshot.zst",
        "heap-cat data/v8/varied.heapsnapshot.zst | heap-names | heap-sum --devtools --json",
    ] {
        let out = scratch.run(command).quiet(0).out;
        let row = |r: Value| {
            let key = r["key"].as_str().expect("a key").to_owned();
            (key, json!([r["class"], r["count"], r["size"], r["retained"], r["distance"]]))
        };
        let found: BTreeMap<String, Value> = rows(&out).map(row).collect();
        let expected: Value = serde_json::from_str(&expected("varied.devtools.json.zst")).expect("JSON");
        let expected = expected["aggregates"].as_object().expect("an object").clone();
        assert_eq!(found, expected.into_iter().collect(), "{command}");
    }
}

#[test]
fn the_comparison_is_that_of_devtools() {
    let command = "heap-diff --devtools data/v8/leak-1.heapsnapshot.zst data/v8/leak-2.heapsnapshot.zst";
    let out = Scratch::new().run(command).quiet(0).out;
    let of = |text: &str, names: [&str; 6]| -> BTreeMap<String, Vec<Value>> {
        rows(text).map(|r| (r["key"].to_string(), names.map(|name| r[name].clone()).to_vec())).collect()
    };
    let found = of(&out, ["key", "class", "added", "removed", "added_size", "removed_size"]);
    let names = ["key", "name", "added", "removed", "addedSize", "removedSize"];
    assert_eq!(found, of(&expected("leak-1-2.diff.ndjson"), names));
}

#[test]
fn what_devtools_would_not_show_is_refused() {
    let scratch = Scratch::new();
    let one = "data/v8/leak-1.heapsnapshot.zst";
    for command in [
        format!("heap-sum --devtools --type Array {one}"),
        format!("heap-sum --devtools --by name {one}"),
        format!("heap-sum --devtools {one} {one}"),
        format!("heap-diff --devtools --all {one} {one}"),
        format!("heap-diff --devtools {one} {one} {one}"),
        "heap-sum --devtools nowhere.heapsnapshot".to_owned(),
    ] {
        let run = scratch.run(&command);
        assert_eq!((run.status, run.out.as_str()), (Some(2), ""), "{command}: {}", run.err);
    }
}
