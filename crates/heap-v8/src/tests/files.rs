//! Every file in `tests/data/v8/edge`: what must be refused is refused with its place, all else is read exactly.

use std::collections::BTreeMap;

use heap_base::{Blob, Result};
use heap_record::{NodeBatch, Sink, SnapshotSelector, StringId, Value, Wants, Writer, wants};

use super::{file, member, record, sound};
use crate::read;

#[test]
fn damage_is_reported_with_section_record_and_byte() {
    for (name, what, nodes, edges) in [
        ("bad-edge-count", "byte 921: edges: 2 records, but the nodes' edge_count add up to 100", 3, 0),
        ("bad-empty", "byte 0: the file is empty", 0, 0),
        (
            "bad-name-index",
            "byte 858: nodes: record 0: name 12345 is not below 5, the number of strings",
            0,
            0,
        ),
        ("bad-no-meta", "byte 192: snapshot: the section is missing", 0, 0),
        ("bad-no-strings", "byte 992: strings: the section is missing", 3, 2),
        ("bad-not-json", "byte 0: expected a JSON object", 0, 0),
        ("bad-to-node-range", "byte 918: edges: record 1: to_node 7000 is beyond the 3 nodes", 3, 1),
        ("bad-to-node", "byte 912: edges: record 0: to_node 8 is not a multiple of 7", 3, 0),
        ("bad-trailing-garbage", "byte 1039: expected the end of the file after the snapshot", 3, 2),
        ("bad-truncated-nodes", "byte 867: nodes: record 0: ends early", 0, 0),
        ("bad-truncated-strings", "byte 1029: strings: record 3: ends early", 3, 2),
    ] {
        let snapshot = file(name);
        let (recorded, error) = record(&snapshot, Wants::ALL);
        assert_eq!(error.as_deref(), Some(what), "{name}");
        assert_eq!((recorded.nodes.len(), recorded.edges.len()), (nodes, edges), "{name}");
        let (recorded, error) = record(&snapshot, Wants::NODES);
        // Without edges, only their number is checked.
        let what = Some(what).filter(|what| !what.contains("to_node"));
        assert_eq!(error.as_deref(), what, "{name}, nodes only");
        assert_eq!(recorded.nodes.len(), nodes, "{name}, nodes only");
    }
}

/// Nodes, edges, strings of the file, bytes, and nodes by type.
type Figures = (usize, usize, usize, u64, &'static [(&'static str, u64, u64)]);

#[test]
fn sound_files_are_read_exactly() {
    let figures: &[(&str, Figures)] = &[
        (
            "big-numbers",
            (
                4,
                3,
                5,
                9_008_298_766_368_767,
                &[("native", 1, 9_007_199_254_740_991), ("object", 1, 1 << 40), ("v8.synthetic", 2, 0)],
            ),
        ),
        ("escapes", (17, 16, 0, 240, &[("string_flat", 15, 240), ("v8.synthetic", 2, 0)])),
        ("five-fields", (3, 3, 6, 24, &[("object", 1, 24), ("v8.synthetic", 2, 0)])),
        ("minimal", (2, 1, 3, 0, &[("v8.synthetic", 2, 0)])),
        ("negative-index", (9, 8, 5, 64, &[("object", 7, 64), ("v8.synthetic", 2, 0)])),
        ("one-node", (1, 0, 2, 0, &[("v8.synthetic", 1, 0)])),
        ("permuted-fields", (4, 3, 7, 124, &[("native", 1, 100), ("object", 1, 24), ("v8.synthetic", 2, 0)])),
        ("reordered-keys", (4, 3, 7, 124, &[("native", 1, 100), ("object", 1, 24), ("v8.synthetic", 2, 0)])),
        ("root-last", (4, 3, 7, 30, &[("object", 2, 30), ("v8.synthetic", 2, 0)])),
        ("traces-scopes", (4, 3, 10, 64, &[("code", 1, 40), ("object", 1, 24), ("v8.synthetic", 2, 0)])),
        ("undeclared-type", (3, 2, 4, 32, &[("v8.symbol", 1, 32), ("v8.synthetic", 2, 0)])),
        (
            "devtools-rules",
            (
                17,
                20,
                29,
                1131,
                &[
                    ("native", 5, 210),
                    ("object", 5, 626),
                    ("v8.array", 3, 288),
                    ("v8.hidden", 1, 7),
                    ("v8.synthetic", 3, 0),
                ],
            ),
        ),
        ("orphans-cycles", (15, 21, 0, 236, &[])),
        ("random-1", (62, 125, 0, 3017, &[])),
        ("random-2", (242, 451, 0, 12_771, &[])),
        ("random-3", (542, 1103, 0, 26_243, &[])),
        ("random-4", (962, 1950, 0, 47_873, &[])),
        ("random-5", (1502, 3014, 0, 75_468, &[])),
        ("random-6", (2162, 4411, 0, 108_393, &[])),
    ];
    for (name, (nodes, edges, strings, bytes, types)) in figures {
        let snapshot = file(name);
        assert!(crate::sniff(&snapshot[..snapshot.len().min(64 << 10)]), "{name}");
        let recorded = sound(&snapshot);
        assert_eq!((recorded.nodes.len(), recorded.edges.len()), (*nodes, *edges), "{name}");
        assert_eq!(recorded.nodes.iter().map(|n| n.size).sum::<u64>(), *bytes, "{name}");
        if *strings > 0 {
            assert_eq!(recorded.strings.iter().filter(|s| s.0 >= 0).count(), *strings, "{name}");
        }
        let mut by_type: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
        for node in &recorded.nodes {
            let subtype = recorded.node_types.iter().find(|t| t.0 == node.subtype).expect("declared");
            let sum = by_type.entry(&subtype.1).or_default();
            *sum = (sum.0 + 1, sum.1 + node.size);
        }
        if !types.is_empty() {
            let by_type: Vec<_> = by_type.iter().map(|(t, n)| (*t, n.0, n.1)).collect();
            assert_eq!(by_type, *types, "{name}");
        }
        // Sums see the same nodes and strings.
        let (sums, error) = record(&snapshot, Wants::NODES);
        assert_eq!(error, None);
        let same = recorded.nodes.iter().zip(&sums.nodes).all(|(a, b)| {
            (a.id, a.subtype, a.size, a.class, a.name) == (b.id, b.subtype, b.size, b.class, b.name)
        });
        assert!(same && recorded.nodes.len() == sums.nodes.len(), "{name}");
        assert!(recorded.strings.starts_with(&sums.strings), "{name}");
        assert_eq!(recorded.metadata, sums.metadata, "{name}");
    }
}

#[test]
fn array_indexes_above_the_signed_range_are_emitted_as_they_are() {
    let recorded = sound(&file("negative-index"));
    let labels: Vec<_> = recorded.edges.iter().map(|e| recorded.text(e.label)).collect();
    assert_eq!(labels, ["1", "1", "0", "2147483647", "2147483648", "4294967290", "4294967294", "4294967290"]);
    let indexes: Vec<_> = recorded.strings.iter().filter(|s| s.0 < 0).map(|s| (s.0, s.1.as_str())).collect();
    // Each before the first edge that uses it.
    assert_eq!(
        indexes,
        [
            (-2, "1"),
            (-1, "0"),
            (-2_147_483_648, "2147483647"),
            (-2_147_483_649, "2147483648"),
            (-4_294_967_291, "4294967290"),
            (-4_294_967_295, "4294967294"),
        ]
    );
}

#[test]
fn fields_are_found_by_name_and_unknown_ones_are_kept() {
    let recorded = sound(&file("permuted-fields"));
    assert_eq!(
        recorded.node_lines(),
        [
            "1 v8.synthetic class=- name= size=0 own[] rest[\"v8\":{\"future_field\":777}]",
            "3 v8.synthetic class=- name=(GC roots) size=0 own[] rest[\"v8\":{\"future_field\":777}]",
            "5 object class=Moved name=- size=24 own[] rest[\"v8\":{\"future_field\":777}]",
            "7 native class=Widget name=- size=100 own[] rest[\"v8\":{\"detachedness\":2,\"future_field\":777}]",
        ]
    );
    assert_eq!(
        recorded.edge_lines(),
        [
            "1 -array element \"1\"-> 3 [\"v8\":{\"future_edge_field\":55}]",
            "3 -v8.internal \"x\"-> 5 [\"v8\":{\"future_edge_field\":55}]",
            "5 -object property \"native\"-> 7 [\"v8\":{\"future_edge_field\":55}]",
        ]
    );
}

#[test]
fn keys_in_any_order_and_unknown_ones_are_kept() {
    let recorded = sound(&file("reordered-keys"));
    assert_eq!(recorded.all("v8.sections"), [r#"["strings","future","edges","nodes","samples","snapshot"]"#]);
    assert_eq!(recorded.all("v8.extra.future"), [r#"{"a":[1,-2500.0,"]}\"",null,true,{}],"b":[]}"#]);
    assert_eq!(recorded.all("v8.layout"), ["other"]);
}

#[test]
fn the_root_need_not_be_first() {
    let recorded = sound(&file("root-last"));
    assert_eq!(recorded.all("heap.root"), ["7"]);
    assert_eq!(recorded.all("heap.user_root"), [""; 0]);
}

#[test]
fn what_devtools_rules_ask_for_is_emitted() {
    let recorded = sound(&file("devtools-rules"));
    assert_eq!(recorded.all("heap.user_root"), ["5", "7"]);
    assert_eq!(recorded.all("heap.unreachable"), ["root"]);
    let halves: Vec<_> = recorded.edge_lines().into_iter().filter(|e| e.contains("WeakMap (")).collect();
    let pair = "/ part of key (Key @13) -> value (Value @15) pair in WeakMap (table @11)";
    assert_eq!(
        halves,
        [
            format!("11 -v8.ephemeron \"1 {pair}\"-> 15 [\"heap\":{{\"key\":13}}]"),
            format!("13 -v8.internal \"2 {pair}\"-> 15 [\"heap\":{{\"table\":11}}]"),
        ]
    );
}

#[test]
fn threads_with_heaps_of_their_own_are_counted() {
    let snapshot = file("devtools-rules");
    assert_eq!(sound(&snapshot).all("heap.elsewhere"), [""; 0]);
    let text = String::from_utf8(snapshot).expect("the file is text");
    let workers = text.replace("(Document DOM trees)", "Node / Worker");
    assert_eq!(sound(workers.as_bytes()).all("heap.elsewhere"), ["1"]);
}

#[test]
fn text_is_exact() {
    let recorded = sound(&file("escapes"));
    let by_name = |key: &str| {
        let edge = recorded.edges.iter().find(|e| recorded.text(e.label) == key).expect("edge");
        let node = recorded.nodes.iter().find(|n| n.id == edge.dest).expect("node");
        let string = recorded.strings.iter().find(|s| Some(s.0) == node.name).expect("string");
        assert_eq!(node.own, format!("\"data\":{}", string.0));
        (string.1.clone(), string.2.clone())
    };
    let plain = |text: &str| (text.to_owned(), String::new());
    for (key, text) in [
        ("k0", ""),
        ("k2", "slash/"),
        ("k3", "quote\"back\\slash"),
        ("k4", "\u{8}\u{c}\n\r\t"),
        ("k5", "\0\u{1}\u{1f}\u{7f}"),
        ("k6", "café 你好"),
        ("k7", "\u{1f600}"),
        ("k8", "\u{1f600}"),
        ("k11", "\"],\"nodes\":[1,2,3]"),
        ("k12", "\u{2028}\u{2029}"),
        ("k13", "\u{feff}"),
    ] {
        assert_eq!(by_name(key), plain(text), "{key}");
    }
    assert_eq!(by_name("k14"), plain(&"x".repeat(70_000)));
    assert_eq!(by_name("k9"), ("hi\u{fffd}!".into(), "\"heap\":{\"utf16\":\"00680069d8000021\"}".into()));
    assert_eq!(by_name("k10"), ("\u{fffd}lo".into(), "\"heap\":{\"utf16\":\"dc00006c006f\"}".into()));
    assert_eq!(recorded.all("v8.text"), ["utf-8"]);
}

#[test]
fn traces_samples_locations_and_scopes_are_emitted() {
    let recorded = sound(&file("traces-scopes"));
    let of = |kind: &str| -> Vec<&str> {
        recorded.others.iter().filter(|o| o.0 == kind).map(|o| o.1.as_str()).collect()
    };
    let functions = of("v8.trace_function");
    assert_eq!(functions.len(), 3);
    assert_eq!(
        functions[1],
        r#""function_id":7,"name":7,"script_name":9,"script_id":5,"line":10,"column":3"#
    );
    let tree = of("v8.trace_node");
    assert_eq!(tree.len(), 20_000);
    assert_eq!(tree[0], r#""id":1,"function":0,"count":0,"size":0"#);
    assert_eq!(tree[1], r#""id":2,"parent":1,"function":1,"count":3,"size":72"#);
    assert_eq!(tree[19_999], r#""id":20000,"parent":19999,"function":1,"count":0,"size":0"#);
    assert_eq!(
        of("v8.sample"),
        [r#""timestamp_us":0,"last_assigned_id":5"#, r#""timestamp_us":50000,"last_assigned_id":9"#]
    );
    assert_eq!(of("v8.location"), [r#""object":5,"script_id":5,"script_object":7,"line":12,"column":30"#]);
    assert_eq!(
        of("v8.scope"),
        [
            r#""script":7,"scope_id":-2,"depth":0,"scope_context_vars_count":1,"scope_uses_count":0"#,
            r#""script":7,"scope_id":15,"depth":1,"scope_context_vars_count":0,"scope_uses_count":1"#,
        ]
    );
    assert_eq!(of("v8.scope_var"), [r#""name":7"#]);
    assert_eq!(of("v8.scope_use"), [r#""declaring_scope_id":-2,"slot_index":0"#]);
    assert_eq!(recorded.all("v8.extra_native_bytes"), ["12345"]);
    assert_eq!(recorded.nodes[2].rest, r#""v8":{"trace_node_id":3}"#);
    assert_eq!(recorded.all("heap.stacks"), ["v8.trace_node_id v8.trace_node v8.trace_function"]);
}

#[test]
fn stacks_come_before_the_nodes_that_have_their_numbers() {
    let mut stream = Writer::new(Vec::new());
    read(&Blob::from_bytes(file("traces-scopes")), SnapshotSelector::Last, &mut stream)
        .expect("a sound file");
    stream.finish(true).expect("memory takes it");
    let text = String::from_utf8(stream.into_inner()).expect("text");
    let at = |kind: &str| text.find(&format!("{{\"type\":\"{kind}\",")).expect("such a record");
    assert!(at("string") < at("v8.trace_function"));
    assert!(at("v8.trace_function") < at("v8.trace_node") && at("v8.trace_node") < at("node"));
    assert!(at("edge") < at("v8.location"));
}

#[test]
fn a_snapshot_with_an_empty_tree_has_no_stacks() {
    let traced = String::from_utf8(file("traces-scopes")).expect("text");
    assert!(traced.contains("\"trace_tree\":["));
    for name in ["minimal", "random-1"] {
        assert!(sound(&file(name)).all("heap.stacks").is_empty(), "{name}");
    }
}

/// Identifier, class, name, text and what the source says besides.
type Said = (Value, Option<StringId>, Option<StringId>, Option<StringId>, String);

/// What nodes say of themselves, as closely as asked for.
struct Says {
    nodes: wants::Nodes,
    said: Vec<Said>,
    /// Texts that were left out because they are names.
    left_out: usize,
}

impl Sink for Says {
    fn wants(&self) -> Wants {
        Wants { nodes: self.nodes, ..Wants::NODES }
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        let texts = match batch {
            NodeBatch::Plain { nodes, .. } => nodes.iter().map(|node| node.text).collect(),
            NodeBatch::Records(nodes) => vec![false; nodes.len()],
        };
        for (node, text) in batch.iter().zip(texts) {
            let data = member(node.own, "data").map(|id| super::text(id).parse().expect("a string id"));
            assert!(!text || data.is_none() && node.heap.name.is_some());
            let data = if text { node.heap.name } else { data };
            self.left_out += usize::from(text);
            self.said.push((node.id, node.heap.class, node.heap.name, data, super::text(node.rest)));
        }
        Ok(())
    }
}

#[test]
fn nodes_that_say_all_once_say_as_much() {
    let mut left_out = 0;
    for name in
        ["escapes", "traces-scopes", "random-3", "random-6", "devtools-rules", "five-fields", "big-numbers"]
    {
        let snapshot = file(name);
        let [full, once] = [wants::Nodes::Full, wants::Nodes::Clues].map(|nodes| {
            let mut says = Says { nodes, said: Vec::new(), left_out: 0 };
            crate::read(&Blob::from_bytes(&*snapshot), SnapshotSelector::Last, &mut says)
                .expect("a sound file");
            says
        });
        assert_eq!((full.left_out, full.said), (0, once.said), "{name}");
        left_out += once.left_out;
    }
    assert!(left_out > 10, "{left_out}");
}
