//! What `tests/data/core/yard.js` was about when it died: compiled code, and what it names.

#![allow(clippy::unwrap_used, reason = "a test that fails panics")]

use std::sync::LazyLock;

use heap_record::Value;
use heap_record::testing::Recorder;

use super::shop::{Graph, field, number};
use super::{VERSIONS, record, sample_of};

static RECORDERS: LazyLock<Vec<Recorder>> =
    LazyLock::new(|| VERSIONS.iter().map(|(version, ..)| record(sample_of("yard", version))).collect());

static GRAPHS: LazyLock<Vec<Graph<'static>>> = LazyLock::new(|| RECORDERS.iter().map(Graph::new).collect());

/// Runs a test on each sample.
fn each(test: impl Fn(&str, &Graph<'_>)) {
    for ((version, ..), graph) in VERSIONS.iter().zip(&*GRAPHS) {
        assert_eq!(graph.recorder.error.as_ref().map(ToString::to_string), None, "Node {version}");
        test(version, graph);
    }
}

/// Subtypes of the edges to a node: that of the source, and its own.
fn into<'a>(graph: &Graph<'a>, id: Value) -> Vec<(&'a str, &'a str)> {
    let edges = graph.recorder.all_edges().into_iter().filter(|e| e.dest == Some(id));
    edges.map(|e| (graph.node_types[&graph.nodes[&e.source].subtype], graph.edge_types[&e.subtype])).collect()
}

/// The rack that has the boxes.
fn rack(graph: &Graph<'_>) -> Value {
    graph.made("Rack").into_iter().find(|r| graph.property(r.id, "boxes").is_some()).unwrap().id
}

#[test]
fn optimized_code_keeps_nothing_alive_that_it_assumes() {
    each(|version, graph| {
        let boxes = graph.property(rack(graph), "boxes").unwrap();
        let of_code: Vec<_> = [rack(graph), boxes]
            .into_iter()
            .flat_map(|id| into(graph, id))
            .filter(|(source, _)| *source == "code")
            .collect();
        assert!(!of_code.is_empty(), "Node {version}");
        assert!(of_code.iter().all(|(_, edge)| *edge == "v8.weak"), "Node {version}: {of_code:?}");
    });
}

#[test]
fn lists_of_code_and_contexts_keep_none_of_them() {
    let lists = std::cell::Cell::new(0);
    each(|version, graph| {
        for node in graph.nodes.values() {
            let called = |id: Option<i64>| id.map_or("", |id| graph.texts[&id]);
            if called(node.heap.name) != "system / NativeContext" {
                continue;
            }
            let edges = &graph.edges[&node.id];
            assert!(edges.len() > 200, "Node {version}");
            for edge in edges {
                let end = &graph.nodes[&edge.dest.unwrap()];
                let listed = called(end.heap.name) == "system / NativeContext"
                    || graph.node_types[&end.subtype] == "code" && called(end.heap.name) == "system / Code";
                let label = edge.label.map_or("", |l| graph.texts[&l]);
                if label == "next" {
                    lists.set(lists.get() + 1);
                }
                assert!(!listed || graph.edge_types[&edge.subtype] == "v8.weak", "Node {version}: {label}");
            }
        }
    });
    // Node 18 lists code.
    assert!(lists.get() > 0);
}

#[test]
fn stacks_keep_no_store_that_belongs_to_an_object() {
    each(|version, graph| {
        let owned = |id: Value| {
            let edges = graph.recorder.all_edges().into_iter().filter(|e| e.dest == Some(id));
            edges.filter(|e| graph.edge_types[&e.subtype] == "v8.internal").any(|e| {
                ["properties", "elements", "table"].contains(&e.label.map_or("", |l| graph.texts[&l]))
            })
        };
        let kept = graph.recorder.all_edges().into_iter().filter(|e| {
            graph.edge_types[&e.subtype] == "heap.reference"
                && e.dest.is_some_and(|d| graph.node_types[&graph.nodes[&d].subtype] == "v8.array")
        });
        for edge in kept {
            assert!(!owned(edge.dest.unwrap()), "Node {version}: {edge:?}");
        }
    });
}

#[test]
fn variables_that_calls_see_are_kept_by_their_names() {
    each(|version, graph| {
        let edges = into(graph, rack(graph));
        assert!(edges.contains(&("object", "closure variable")), "Node {version}: {edges:?}");
        assert!(!edges.contains(&("heap.thread", "heap.reference")), "Node {version}: {edges:?}");
        let scopes = graph.of_class("system / Context");
        assert!(scopes.len() > 100, "{} scopes of Node {version}", scopes.len());
    });
}

#[test]
fn code_of_each_compiler_has_its_line() {
    each(|version, graph| {
        let frames = graph.frames();
        // As the program's own trace had it.
        let wanted = [
            "stop 18:11 interpreted",
            "crate 23:16 sparkplug",
            "shelf 27:10 sparkplug",
            "aisle 34:10 inlined",
            "hall 40:5 turbofan",
        ];
        assert_eq!(frames[..5], wanted, "Node {version}");
        assert!(frames[5].starts_with("close 64:80 "), "{} of Node {version}", frames[5]);
    });
}

/// The calls that wait, innermost first: function, place, arguments, variables, and who waits for it.
fn waiting(graph: &Graph<'_>) -> Vec<String> {
    let frames = graph.nodes.values().filter(|n| graph.node_types[&n.subtype] == "heap.frame");
    let frames = frames.filter(|n| n.rest.contains("\"tier\":\"suspended\""));
    let name = |id: Value| graph.texts[&number(&field(graph.nodes[&id], "function").unwrap())];
    let mut calls: Vec<String> = frames
        .map(|frame| {
            let list = |kind| {
                let edges = graph.out(frame.id, kind).into_iter();
                let edges = edges.map(|(label, e)| format!("{label}={}", graph.show(e.dest.unwrap())));
                edges.collect::<Vec<_>>().join(", ")
            };
            let at = |name| field(frame, name).unwrap_or_default();
            let inner = graph.out(frame.id, "heap.awaits");
            let inner: Vec<&str> = inner.iter().map(|(_, e)| name(e.dest.unwrap())).collect();
            let (arguments, locals) = (list("heap.argument"), list("heap.local"));
            let place = format!("{}:{}", at("line"), at("column"));
            format!("{}({arguments}) {{{locals}}} {place} {}", name(frame.id), inner.join(" "))
        })
        .collect();
    calls.sort();
    calls
}

#[test]
fn calls_that_wait_have_places_and_variables_by_name() {
    each(|version, graph| {
        let wanted = [
            "dispatch(id=1) {} 59:38 drive",
            "dispatch(id=2) {} 59:38 drive",
            "dispatch(id=3) {} 59:38 drive",
            "drive(id=1) {speed=Object} 58:73 load",
            "drive(id=2) {speed=Object} 58:73 load",
            "drive(id=3) {speed=Object} 58:73 load",
            "load(id=1) {label=\"truck-1\"} 57:56 ",
            "load(id=2) {label=\"truck-2\"} 57:56 ",
            "load(id=3) {label=\"truck-3\"} 57:56 ",
        ];
        assert_eq!(waiting(graph), wanted, "Node {version}");
        let generators = graph.of_class("Generator");
        let frames = graph.nodes.values().filter(|n| n.rest.contains("\"tier\":\"suspended\""));
        for frame in frames {
            let internal = graph.out(frame.id, "v8.internal");
            let generator = internal.iter().find(|(label, _)| *label == "generator").unwrap().1.dest;
            assert!(generators.iter().any(|n| Some(n.id) == generator), "Node {version}");
        }
    });
}

#[test]
fn errors_say_what_they_are_and_where_they_were_made() {
    each(|version, graph| {
        let text = |node: &heap_record::testing::NodeRecord, key: &str| {
            let (_, rest) = node.rest.split_once(&format!("\"{key}\":\""))?;
            Some(rest.split_once("\",\"").or_else(|| rest.split_once("\"}"))?.0.to_owned())
        };
        let errors: Vec<_> = graph.made("YardError");
        for code in 0..3 {
            let with = |id| graph.property(id, "code") == Some(2 * code);
            let error = errors.iter().find(|e| with(e.id)).unwrap();
            assert_eq!(text(error, "message"), Some(format!("box {code} is lost")), "Node {version}");
            let stack =
                text(error, "stack").unwrap_or_else(|| panic!("{code} of Node {version}: {}", error.rest));
            let lines: Vec<&str> = stack.split("\\n").collect();
            assert_eq!(lines[0], format!("TypeError: box {code} is lost"), "Node {version}");
            assert!(
                lines[1].starts_with("    at fail (") && lines[1].ends_with("yard.js:52:27)"),
                "{stack} of Node {version}"
            );
            let line = if code == 2 {
                ":54:19"
            } else if code == 1 {
                ":53:31"
            } else {
                ":53:22"
            };
            assert!(lines[2].contains(line), "{stack} of Node {version}");
        }
    });
}
