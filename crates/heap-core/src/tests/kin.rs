//! What `tests/data/core/kin.js` made: objects of classes on top of those of the language, and buffers of each kind.

#![allow(clippy::unwrap_used, reason = "a test that fails panics")]

use std::collections::BTreeSet;
use std::sync::LazyLock;

use heap_record::Value;
use heap_record::testing::Recorder;

use super::shop::Graph;
use super::{record, sample_of};

const VERSIONS: [&str; 3] = ["18", "22", "26"];

static RECORDERS: LazyLock<Vec<Recorder>> =
    LazyLock::new(|| VERSIONS.iter().map(|version| record(sample_of("kin", version))).collect());

static GRAPHS: LazyLock<Vec<Graph<'static>>> = LazyLock::new(|| RECORDERS.iter().map(Graph::new).collect());

fn each(test: impl Fn(&str, &Graph<'_>)) {
    for (version, graph) in VERSIONS.iter().zip(&*GRAPHS) {
        assert_eq!(graph.recorder.error.as_ref().map(ToString::to_string), None, "Node {version}");
        test(version, graph);
    }
}

/// What the program keeps under a name: its objects by class and others.
fn kept(graph: &Graph<'_>, name: &str) -> Value {
    let both = |&id: &Value| ["held", "buffers"].iter().all(|key| graph.property(id, key).is_some());
    let kin = graph.nodes.keys().copied().find(both).expect("what the program made");
    graph.property(kin, name).unwrap()
}

/// The lists of objects: what the program calls each, and the classes or subtypes that are in it.
fn lists(graph: &Graph<'_>) -> Vec<(String, Vec<String>)> {
    let lists = graph.out(kept(graph, "held"), "object property");
    let lists = lists.into_iter().filter(|(name, _)| *name != "__proto__").map(|(name, list)| {
        let elements = graph.out(list.dest.unwrap(), "array element");
        let classes: BTreeSet<String> =
            elements.into_iter().map(|(_, element)| graph.show(element.dest.unwrap())).collect();
        (name.to_owned(), classes.into_iter().collect())
    });
    lists.collect()
}

/// The class that V8's own snapshot has for the objects of a list.
fn class<'a>(list: &'a str, version: &str) -> &'a str {
    let named_by_program = version == "26";
    match list {
        "OfRegExp" | "RegExp" => "(regular_expression)",
        "functions" | "bound" => "(closure)",
        "map" | "inheritsMap" | "swappedMap" => "Map",
        "generator" | "asyncGenerator" => "count",
        "iterator" => "Array Iterator",
        "mapIterator" | "bareIterator" => "MapIterator",
        "bareIds" => "SetIterator",
        "matches" => "RegExpStringIterator",
        "arguments" => "Arguments",
        "null" | "Anonymous" | "ownConstructor" | "inheritsOne" => "Object",
        "memory" => "Memory",
        "Nameless" => "Renamed",
        // A function's own text goes before the name in the source.
        "Renamed" if named_by_program => "other",
        "RenamedInDictionary" if named_by_program => "fourth",
        "Redefined" if named_by_program => "After",
        "Redefined" => "Before",
        "Labelled" => "labelled",
        "ownTag" => "own tag",
        "swapped" | "wide" => "OfMap",
        "reflected" => "OfSet",
        "bareShared" => "SharedArrayBuffer",
        "bareView" => "DataView",
        "bareBytes" => "Uint8Array",
        "bareFloats" => "Float32Array",
        "bareRegistry" => "FinalizationRegistry",
        "bareUrl" => "URL",
        _ => list.strip_prefix("bareOf").or(list.strip_prefix("bare")).unwrap_or(list),
    }
}

#[test]
fn objects_have_the_class_that_inherits_not_that_of_the_language() {
    each(|version, graph| {
        let lists = lists(graph);
        assert!(lists.len() >= 100, "{} of Node {version}", lists.len());
        for (list, classes) in lists {
            assert_eq!(classes, [class(&list, version)], "{list} of Node {version}");
        }
    });
}

#[test]
fn buffers_count_the_bytes_that_they_have_not_those_that_they_may_grow_to() {
    const PAGE: u64 = 64 << 10;
    let everywhere = [
        ("plain", 70_001),
        ("shared", 70_002),
        ("wasmBuffer", 3 * PAGE),
        ("limitedBuffer", 5 * PAGE),
        ("threadsBuffer", 2 * PAGE),
        ("old", 0),
        ("grownBuffer", 7 * PAGE),
        ("moved", 70_007),
        ("detached", 0),
    ];
    let resizable = [("resizable", 70_003), ("resized", 70_004), ("growable", 70_005), ("further", 70_006)];
    each(|version, graph| {
        let buffers = kept(graph, "buffers");
        let newer = resizable.iter().filter(|_| version != "18");
        for (name, size) in everywhere.iter().chain(newer) {
            let buffer = graph.property(buffers, name).unwrap_or_else(|| panic!("{name} of Node {version}"));
            let stores = graph.out(buffer, "v8.internal").into_iter();
            let stores = stores.filter(|(label, _)| *label == "backing_store");
            let sizes: Vec<_> = stores.map(|(_, e)| graph.nodes[&e.dest.unwrap()].heap.size).collect();
            let wanted: &[_] = if *size == 0 { &[] } else { &[Some(*size)] };
            assert_eq!(sizes, wanted, "{name} of Node {version}");
        }
    });
}
