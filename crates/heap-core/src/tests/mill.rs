//! What `tests/data/core/mill.js` was about when it died: code of Maglev, and functions that alone have theirs.

#![allow(clippy::unwrap_used, reason = "a test that fails panics")]

use std::sync::LazyLock;

use heap_record::testing::Recorder;

use super::shop::Graph;
use super::{record, sample_of};

/// The versions of Node that have Maglev.
const VERSIONS: [&str; 2] = ["24", "26"];

static RECORDERS: LazyLock<Vec<Recorder>> =
    LazyLock::new(|| VERSIONS.iter().map(|version| record(sample_of("mill", version))).collect());

static GRAPHS: LazyLock<Vec<Graph<'static>>> = LazyLock::new(|| RECORDERS.iter().map(Graph::new).collect());

fn each(test: impl Fn(&str, &Graph<'_>)) {
    for (version, graph) in VERSIONS.iter().zip(&*GRAPHS) {
        assert_eq!(graph.recorder.error.as_ref().map(ToString::to_string), None, "Node {version}");
        test(version, graph);
    }
}

#[test]
fn code_of_maglev_has_its_line_and_the_calls_inlined_there() {
    each(|version, graph| {
        let frames = graph.frames();
        // As the program's own trace had it.
        let wanted = [
            "stop 9:11 interpreted",
            "press 13:10 inlined",
            "sift 19:18 inlined",
            "Sack 24:7 inlined",
            "grind 28:10 maglev",
            " 33:12 interpreted",
            "forEach : compiled",
            "each 32:8 interpreted",
            "turn 40:12 maglev",
            "close 58:44 interpreted",
        ];
        assert_eq!(frames[..wanted.len()], wanted, "Node {version}");
    });
}

#[test]
fn functions_keep_the_code_that_was_made_for_them() {
    each(|version, graph| {
        let code = |stone: &heap_record::testing::NodeRecord| {
            let spin = graph.property(stone.id, "spin").unwrap();
            let internal = graph.out(spin, "v8.internal");
            internal.into_iter().find(|(label, _)| *label == "code").unwrap().1.dest.unwrap()
        };
        let stones = graph.made("Stone");
        let stones: Vec<_> = stones.iter().filter(|s| graph.property(s.id, "spin").is_some()).collect();
        assert_eq!(stones.len(), 2, "Node {version}");
        // They are of one function, which has one code.
        let codes: Vec<_> = stones.iter().map(|stone| code(stone)).collect();
        assert_eq!(codes[0], codes[1], "Node {version}");
        assert_eq!(graph.node_types[&graph.nodes[&codes[0]].subtype], "code", "Node {version}");
    });
}
