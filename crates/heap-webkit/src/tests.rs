//! Snapshots in every version, order and dress, against another parser of JSON; damage.

use heap_base::{Blob, Result};
use heap_record::testing::{EdgeRecord, NodeRecord, Recorder};
use heap_record::{SnapshotSelector, Value, index_id};
use serde_json::{Value as Json, json};

use crate::{info, read, sniff};

/// Twelve objects and the root; two are not reached.
const INSPECTOR: &[u8] = include_bytes!("../../../tests/data/webkit/inspector.json");
/// The same with labels, addresses and reasons.
const DEBUGGING: &[u8] = include_bytes!("../../../tests/data/webkit/debugging.json");
/// Two snapshots of one process.
const RECORDING: &[u8] = include_bytes!("../../../tests/data/webkit/recording.json");

fn records(bytes: &[u8], pick: SnapshotSelector) -> Recorder {
    Recorder::record(|sink| read(&Blob::from_bytes(bytes), pick, sink))
}

fn whole(bytes: &[u8]) -> Recorder {
    let recorder = records(bytes, SnapshotSelector::Last);
    assert_eq!(recorder.error, None, "{}", String::from_utf8_lossy(bytes));
    assert_eq!(recorder.problems(), Vec::<String>::new());
    recorder
}

/// A document; what is not Unicode is U+FFFD.
fn parse(bytes: &[u8]) -> Json {
    let text = String::from_utf8_lossy(bytes);
    serde_json::from_str(text.trim_start_matches('\u{feff}')).expect("JSON")
}

fn ints(list: &Json) -> Vec<u64> {
    list.as_array().expect("a list").iter().map(|n| n.as_u64().unwrap_or(0)).collect()
}

/// Identifier, subtype, class, size and name of a node.
type NodeRow = (Value, String, Option<String>, u64, Option<String>);
/// Source, destination, subtype, label.
type EdgeRow = (Value, Value, String, Option<String>);

fn text(recorder: &Recorder, id: Option<i64>) -> Option<String> {
    id.map(|id| recorder.text(id).replace("\u{fffd}\u{fffd}\u{fffd}", "\u{fffd}"))
}

fn rows(recorder: &Recorder) -> (Vec<NodeRow>, Vec<EdgeRow>) {
    let node = |node: &&NodeRecord| {
        (
            node.id,
            recorder.node_type(node.subtype).to_owned(),
            text(recorder, node.heap.class),
            node.heap.size.expect("a size"),
            text(recorder, node.heap.name),
        )
    };
    let edge = |edge: &&EdgeRecord| {
        let dest = edge.dest.expect("a destination");
        (edge.source, dest, recorder.edge_type(edge.subtype).to_owned(), text(recorder, edge.label))
    };
    (recorder.all_nodes().iter().map(node).collect(), recorder.all_edges().iter().map(edge).collect())
}

/// What rows say of a document, taken from all of it at once.
fn twin(document: &Json) -> (Vec<NodeRow>, Vec<EdgeRow>) {
    let texts = |key: &str| -> Vec<String> {
        let list = document[key].as_array().map(Vec::as_slice).unwrap_or_default();
        let text =
            |text: &Json| text.as_str().expect("a text").replace("\u{fffd}\u{fffd}\u{fffd}", "\u{fffd}");
        list.iter().map(text).collect()
    };
    let (classes, names, labels, types) =
        (texts("nodeClassNames"), texts("edgeNames"), texts("labels"), texts("edgeTypes"));
    let values = ints(&document["nodes"]);
    let width = if labels.is_empty() { 4 } else { 7 };
    let subtype = |class: &str, flags: u64| match (class, flags & 1) {
        ("string", _) => "jsc.string",
        ("BigInt", _) => "jsc.bigint",
        ("JSLexicalEnvironment" | "JSModuleEnvironment" | "JSGlobalLexicalEnvironment", _) => "jsc.cell",
        _ if class.ends_with("CodeBlock") || class.ends_with("Executable") => "code",
        ("symbol", 1) => "jsc.symbol",
        (_, 1) => "jsc.cell",
        (
            "Function"
            | "AsyncFunction"
            | "GeneratorFunction"
            | "AsyncGeneratorFunction"
            | "JSAsyncGeneratorFunction"
            | "Callee",
            _,
        ) => "closure",
        ("Array", _) => "array",
        ("RegExp", _) => "regular_expression",
        ("Date", _) => "date",
        _ => "object",
    };
    let node = |node: &[u64]| {
        let class = classes[node[2] as usize].clone();
        if node[0] == 0 {
            return (1, "heap.root".to_owned(), None, node[1], Some(class));
        }
        let subtype = subtype(&class, node[3]).to_owned();
        let label = node.get(4).filter(|&&label| label > 0 && subtype == "closure");
        let name = label.map(|&label| labels[label as usize].clone());
        (index_id(node[0]), subtype, Some(class), node[1], name)
    };
    let roots = if width == 7 { ints(&document["roots"]) } else { Vec::new() };
    let edge = |edge: &[u64]| {
        let reason = roots.chunks(3).rfind(|root| edge[0] == 0 && root[0] == edge[1]);
        let (subtype, label) = match (types[edge[2] as usize].as_str(), reason) {
            ("Property", _) => ("object property", Some(names[edge[3] as usize].clone())),
            ("Index", _) => ("array element", Some(edge[3].to_string())),
            ("Variable", _) => ("closure variable", Some(names[edge[3] as usize].clone())),
            ("Internal", Some(root)) => ("jsc.root", Some(labels[root[1] as usize].clone())),
            ("Internal", None) => ("jsc.internal", None),
            (other, _) => panic!("{other}"),
        };
        (index_id(edge[0]), index_id(edge[1]), subtype.to_owned(), label)
    };
    (values.chunks(width).map(node).collect(), ints(&document["edges"]).chunks(4).map(edge).collect())
}

#[test]
fn records_are_what_another_parser_makes_of_the_document() {
    for bytes in [INSPECTOR, DEBUGGING] {
        assert!(sniff(bytes));
        assert_eq!(rows(&whole(bytes)), twin(&parse(bytes)));
    }
    for packed in [
        &include_bytes!("../../../tests/data/webkit/bun-listener.json.zst")[..],
        include_bytes!("../../../tests/data/webkit/jsc-healthy.json.zst"),
    ] {
        let bytes = zstd::decode_all(packed).expect("sound data");
        assert!(sniff(&bytes[..64 << 10]));
        let (nodes, edges) = rows(&whole(&bytes));
        let (twin_nodes, twin_edges) = twin(&parse(&bytes));
        assert!(nodes.len() > 1000 && edges.len() > 3000, "{} {}", nodes.len(), edges.len());
        assert!(nodes == twin_nodes && edges == twin_edges);
    }
}

#[test]
fn what_only_debugging_snapshots_say() {
    let recorder = whole(DEBUGGING);
    let rest: Vec<_> = recorder.all_nodes().iter().map(|node| node.rest.clone()).collect();
    let labels =
        recorder.all_strings().iter().find(|s| s.data == "Structure" && s.id > 12).expect("a label").id;
    assert_eq!(rest[0], "");
    // 2^53 and more would be text.
    assert_eq!(rest[1], format!(r#""jsc":{{"flags":1,"label":{labels},"cell":{}}}"#, 0x7f00_0000_1000_u64));
    assert_eq!(
        rest[2],
        format!(r#""jsc":{{"cell":{},"wrapped":{}}}"#, 0x7f00_0000_2000_u64, 0x5500_0000_00f0_u64)
    );
    let reasons: Vec<_> = recorder
        .all_edges()
        .iter()
        .filter(|e| recorder.edge_type(e.subtype) == "jsc.root")
        .map(|e| text(&recorder, e.label))
        .collect();
    assert_eq!(reasons, ["StrongReferences", "StrongReferences", "Output"].map(|t| Some(t.to_owned())));
    assert_eq!(
        recorder.bodies("jsc.root"),
        [
            format!(r#""identifier":7,"reason":{}"#, labels + 2),
            format!(r#""identifier":41,"reason":{},"reach":{}"#, labels + 3, labels + 4),
        ]
    );
    for (key, value) in [
        ("heap.root", "1"),
        ("heap.unreachable", "root"),
        ("heap.global", "GlobalObject"),
        ("jsc.version", "3"),
        ("jsc.type", "GCDebugging"),
    ] {
        assert_eq!(recorder.values(key), [value]);
    }
}

/// A document with its keys in another order.
fn reordered(document: &Json, keys: &[&str]) -> Vec<u8> {
    let members: Vec<_> = keys.iter().map(|key| format!("{}:{}", json!(key), document[key])).collect();
    format!("{{{}}}", members.join(",")).into_bytes()
}

#[test]
fn order_blanks_and_versions_change_nothing() {
    for bytes in [INSPECTOR, DEBUGGING] {
        let document = parse(bytes);
        let expected = rows(&whole(bytes));
        let mut keys: Vec<&str> =
            document.as_object().expect("an object").keys().map(String::as_str).collect();
        keys.sort_unstable();
        let pretty = serde_json::to_string_pretty(&document).expect("JSON");
        let mut untyped = keys.clone();
        untyped.retain(|&key| key != "type");
        untyped.sort_by_key(|&key| key != "version");
        let mut forms = vec![
            reordered(&document, &keys),
            reordered(&document, &untyped),
            format!("\u{feff} {} \r\n", pretty.replace('\n', "\r\n")).into_bytes(),
            pretty.into_bytes(),
        ];
        for version in [1, 2] {
            let mut other = document.clone();
            other["version"] = version.into();
            forms.push(other.to_string().into_bytes());
        }
        let mut more = document.clone();
        more["extra"] = json!([[1, 2], {"nodes": [9]}, "]"]);
        forms.push(more.to_string().into_bytes());
        for form in forms {
            assert!(sniff(&form), "{}", String::from_utf8_lossy(&form));
            assert_eq!(rows(&whole(&form)), expected, "{}", String::from_utf8_lossy(&form));
        }
    }
}

#[test]
fn types_of_edges_go_by_name() {
    let mut document = parse(INSPECTOR);
    let types = ["Weak", "Variable", "Index", "Internal", "Property"];
    let old = ["Internal", "Property", "Index", "Variable"];
    let number = |kind: u64| types.iter().position(|t| *t == old[kind as usize]).expect("a type");
    let expected = rows(&whole(INSPECTOR)).1;
    document["edgeTypes"] = json!(types);
    let mut edges = ints(&document["edges"]);
    edges.chunks_mut(4).for_each(|edge| edge[2] = number(edge[2]) as u64);
    edges.extend([20, 11, 0, 77]);
    document["edges"] = json!(edges);
    let (_, found) = rows(&whole(document.to_string().as_bytes()));
    assert_eq!(found[..found.len() - 1], expected);
    assert_eq!(found[found.len() - 1], (41, 23, "jsc.Weak".to_owned(), None));
}

#[test]
fn identifiers_last_unless_they_follow_those_of_another_snapshot() {
    let identity = |first: u64, gap: u64, kind: &str| {
        let nodes = [0, 0, 0, 0, first, 8, 1, 0, first + 1 + gap, 8, 1, 0];
        let document = json!({"version": 3, "type": kind, "nodes": nodes, "nodeClassNames": ["<root>", "A"],
            "edges": [0, first, 0, 0], "edgeTypes": ["Internal"], "edgeNames": []});
        whole(document.to_string().as_bytes()).values("heap.identity").len()
    };
    assert_eq!(identity(1, 0, "Inspector"), 1);
    assert_eq!(identity(1, 5, "Inspector"), 1);
    assert_eq!(identity(7, 0, "Inspector"), 0);
    assert_eq!(identity(7, 2, "Inspector"), 1);
    assert!(whole(DEBUGGING).values("heap.identity").is_empty());
}

#[test]
fn a_recording_has_several_snapshots() {
    assert!(sniff(RECORDING));
    let document = parse(RECORDING);
    let inner = |n: usize| {
        let records = document["recording"]["records"].as_array().expect("records").clone();
        records[n]["snapshotStringData"].as_str().expect("a text").to_owned()
    };
    for (n, record) in [(0, 1), (1, 2)] {
        let recorder = records(RECORDING, SnapshotSelector::Number(n));
        assert_eq!(recorder.error, None);
        assert_eq!(rows(&recorder), rows(&whole(inner(record).as_bytes())));
        assert_eq!(recorder.values("jsc.title"), [format!("Snapshot {record}")]);
    }
    let all = records(RECORDING, SnapshotSelector::All);
    assert_eq!(all.problems(), Vec::<String>::new());
    assert_eq!((all.error.as_deref(), all.values("heap.snapshot")), (None, vec!["0", "1"]));
    let (nodes, _) = rows(&all);
    let both: Vec<_> = [1, 2].iter().flat_map(|&n| rows(&whole(inner(n).as_bytes())).0).collect();
    assert_eq!(nodes, both);
    let found = info(&Blob::from_bytes(RECORDING)).expect("is intact");
    assert!(found.series && found.snapshots.len() == 2);

    let none = br#"{"version":1,"recording":{"records":[{"type":"x"}]}}"#;
    assert_eq!(
        records(none, SnapshotSelector::Last).error.as_deref(),
        Some("no heap snapshot in this recording")
    );
    let cut = &RECORDING[..1000];
    let recorder = records(cut, SnapshotSelector::Last);
    assert_eq!(recorder.error.as_deref(), Some("byte 1000: the input ends early"));
    assert_eq!(recorder.all_nodes().len(), 13);
}

/// What a change to a document makes the reader say.
fn says(document: &[u8], from: &str, to: &str) -> (String, usize, usize) {
    let at = document.windows(from.len()).position(|w| w == from.as_bytes());
    let at = at.unwrap_or_else(|| panic!("{from} is there"));
    let mut changed = document.to_vec();
    changed.splice(at..at + from.len(), to.bytes());
    let recorder = records(&changed, SnapshotSelector::Last);
    let error = recorder.error.clone().unwrap_or_else(|| panic!("{to} is no damage"));
    (error, recorder.all_nodes().len(), recorder.all_edges().len())
}

#[test]
fn damage_has_its_place_and_what_is_intact_comes_first() {
    let says = |document, from, to, message: &str, nodes, edges| {
        assert_eq!(says(document, from, to), (message.to_owned(), nodes, edges));
    };
    says(INSPECTOR, "12,112,1,1", "12,-112,1,1", "byte 52: nodes: record 1: expected a whole number", 1, 0);
    says(INSPECTOR, "12,112,1,1", "12,11.5,1,1", "byte 54: nodes: record 1: expected a whole number", 1, 0);
    says(INSPECTOR, "12,112,1,1", "12,112,77,1", "byte 58: nodes: record 1: class 77 of 12", 1, 0);
    says(INSPECTOR, "12,112,1,1", "0,112,1,1", "byte 58: nodes: record 1: id 0 is there twice", 1, 0);
    says(
        INSPECTOR,
        "12,112,1,1",
        "4294967296,112,1,1",
        "byte 59: nodes: record 1: 4294967296 is beyond 32 bits",
        1,
        0,
    );
    says(INSPECTOR, "[0,0,0,0,12", "[12", "byte 41: nodes: no node has id 0, which is the root's", 12, 17);
    says(
        INSPECTOR,
        "24,7,0]",
        "24,7]",
        "byte 163: nodes: record 12: the list ends within the record",
        12,
        18,
    );
    says(
        INSPECTOR,
        "112,1,1,3",
        "11Overflowed, aborting.,1,1,3",
        "byte 54: nodes: record 1: a table overflowed, and WebKit stopped writing here",
        1,
        0,
    );
    says(INSPECTOR, "0,3,0,0,0,3", "0,99,0,0,0,3", "byte 346: edges: record 0: no node has id 99", 13, 0);
    says(INSPECTOR, "2,5,3,0", "2,5,9,0", "byte 376: edges: record 4: type 9 of 4", 13, 4);
    says(INSPECTOR, "2,5,3,0", "2,5,3,8", "byte 378: edges: record 4: name 8 of 8", 13, 4);
    says(INSPECTOR, "\"version\":3", "\"version\":4", "byte 11: version 4 is not known", 13, 20);
    says(INSPECTOR, "Inspector", "Other", "byte 20: type \"Other\" is not known", 13, 20);
    says(INSPECTOR, "\"edgeNames\"", "\"edgeNamed\"", "byte 681: edgeNames: the section is missing", 13, 20);
    says(
        INSPECTOR,
        "ownerDocument\"]}",
        "ownerDocument\"]} x",
        "byte 682: expected the end of the file after the snapshot",
        13,
        20,
    );
    says(
        DEBUGGING,
        "\"0x7f0000001000\"",
        "\"7f0000001000\"",
        "byte 78: nodes: record 1: expected an address",
        1,
        0,
    );
    says(DEBUGGING, "\"roots\":[3,3", "\"roots\":[3,9", "byte 1031: roots: record 0: label 9 of 6", 13, 20);
    says(
        DEBUGGING,
        "\"roots\":[3,3",
        "\"roots\":[4000,3",
        "byte 1036: roots: record 0: no node has id 4000",
        13,
        20,
    );

    says(INSPECTOR, "\"nodes\"", "\"modes\"", "byte 681: nodes: the section is missing", 0, 0);

    let mut latin = INSPECTOR.to_vec();
    let at = latin.windows(4).position(|w| w == "grö".as_bytes()).expect("is there");
    latin.splice(at + 2..at + 4, [0xF6]);
    let recorder = records(&latin, SnapshotSelector::Last);
    assert_eq!(recorder.error.as_deref(), Some("byte 585: edgeNames: record 1 is not UTF-8"));
    assert_eq!((recorder.all_nodes().len(), recorder.all_edges().len()), (13, 20));
}

/// The whole of `short` stands at the start of `long`.
fn begins<T: PartialEq>(long: &[T], short: &[T]) -> bool {
    long.len() >= short.len() && long[..short.len()] == *short
}

#[test]
fn cuts_and_flips_never_panic_and_keep_what_is_intact() {
    for bytes in [INSPECTOR, DEBUGGING, RECORDING] {
        let expected = records(bytes, SnapshotSelector::All);
        let ids = |recorder: &Recorder| -> Vec<(Value, Option<u64>)> {
            recorder.all_nodes().iter().map(|node| (node.id, node.heap.size)).collect()
        };
        for end in 0..bytes.len() {
            let recorder = records(&bytes[..end], SnapshotSelector::All);
            assert!(recorder.error.is_some(), "cut at {end}");
            assert!(begins(&ids(&expected), &ids(&recorder)), "cut at {end}");
            let _: Result<_> = info(&Blob::from_bytes(&bytes[..end]));
        }
        for at in 0..bytes.len() {
            for mask in [1, 0x10, 0x80] {
                let mut flipped = bytes.to_vec();
                flipped[at] ^= mask;
                sniff(&flipped);
                records(&flipped, SnapshotSelector::All);
            }
        }
    }
}

#[test]
fn other_files_are_left_to_their_readers() {
    for text in [
        r#"{"snapshot":{"meta":{"node_fields":["type"]}},"nodes":[0],"nodeClassNames":[]}"#,
        r#"{"type":"node","subtype":4,"identifier":1}"#,
        r#"{"type":"metadata","key":"version_major","value":"1"}"#,
        r#"{"traceEvents":[]}"#,
        r#"{"head":{"callFrame":{}}}"#,
        r#"{"version":1,"nodeClassNames":{}}"#,
        r#"{"version":"1","recording":{}}"#,
        r#"{"nodes":[9,1,1,0,0],"edges":[]}"#,
        "{",
        "[]",
    ] {
        assert!(!sniff(text.as_bytes()), "{text}");
    }
}
