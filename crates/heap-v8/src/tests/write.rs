//! The writer: whole snapshots come out as they went in, parts and other sources' graphs come out sound.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use heap_base::{Blob, Result};
use heap_record::{
    Data, Declared, Edge, EdgeBatch, Extension, Heap, Metadata, Node, NodeBatch, Retains, Sink,
    SnapshotSelector, Str, Target, Value, index_id, index_string, small,
};
use serde_json::Value as Json;

use crate::writer::{Layout, Writer, writer};

/// A stream as lines, without what says who made it.
fn lines(dump: &[u8]) -> Vec<u8> {
    let mut lines = heap_record::Writer::new(Vec::new());
    crate::read(&Blob::from_bytes(dump), SnapshotSelector::Last, &mut lines).expect("a snapshot");
    lines.finish(true).expect("memory does not fail");
    lines.into_inner()
}

/// A stream as a snapshot.
fn snapshot(stream: &[u8], layout: Layout) -> (String, Vec<String>, Vec<(String, u64)>) {
    let mut out = Vec::new();
    let mut sink = writer(&mut out, layout);
    let stream =
        [&b"{\"type\":\"metadata\",\"key\":\"version_major\",\"value\":\"1\"}\n"[..], stream].concat();
    heap_record::read::read(&stream[..], SnapshotSelector::Last, &mut sink).expect("a stream");
    sink.finish(true).expect("memory does not fail");
    let left_out = sink.left_out().iter().map(|(kind, n)| (kind.to_owned(), n)).collect();
    let notes = sink.notes().to_vec();
    drop(sink);
    (String::from_utf8(out).expect("a snapshot is text"), notes, left_out)
}

/// A snapshot as DevTools would take it: everything by name, nodes by id.
#[derive(Debug, PartialEq)]
struct Sound {
    nodes: BTreeMap<u64, (String, String, u64)>,
    edges: Vec<(u64, String, String, u64)>,
    root: u64,
}

/// Reads a snapshot in the slowest way, and checks all that has to hold in one that was made sound.
fn sound(text: &str) -> Sound {
    let (found, reached) = slow(text);
    assert_eq!(reached, found.nodes.len(), "all nodes are held by the root");
    found
}

/// Reads a snapshot, and counts the nodes that the root holds.
fn slow(text: &str) -> (Sound, usize) {
    let json: Json = serde_json::from_str(text).expect("a snapshot is JSON");
    let ints = |key: &str| -> Vec<i64> {
        json[key].as_array().expect(key).iter().map(|n| n.as_i64().expect("an integer")).collect()
    };
    let names = |json: &Json| -> Vec<String> {
        json.as_array().expect("names").iter().map(|n| n.as_str().expect("a name").to_owned()).collect()
    };
    let meta = &json["snapshot"]["meta"];
    let (node_fields, edge_fields) = (names(&meta["node_fields"]), names(&meta["edge_fields"]));
    let at = |fields: &[String], name: &str| fields.iter().position(|f| f == name).expect("a field");
    let node = |name| at(&node_fields, name);
    let edge = |name| at(&edge_fields, name);
    let node_types = names(&meta["node_types"][node("type")]);
    let edge_types = names(&meta["edge_types"][edge("type")]);
    let strings = names(&json["strings"]);
    let (nodes, edges) = (ints("nodes"), ints("edges"));
    let (width, stride) = (node_fields.len(), edge_fields.len());
    assert_eq!(json["snapshot"]["node_count"].as_u64(), Some((nodes.len() / width) as u64));
    assert_eq!(json["snapshot"]["edge_count"].as_u64(), Some((edges.len() / stride) as u64));
    let root_index = json["snapshot"]["root_index"].as_u64().unwrap_or(0) as usize;
    let id = |index: usize| nodes[index + node("id")] as u64;
    let mut found = Sound { nodes: BTreeMap::new(), edges: Vec::new(), root: id(root_index) };
    let mut rows = edges.chunks(stride);
    let mut next: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (ordinal, fields) in nodes.chunks(width).enumerate() {
        let kind = node_types.get(fields[node("type")] as usize).cloned().unwrap_or_default();
        let name = strings[fields[node("name")] as usize].clone();
        let size = fields[node("self_size")] as u64;
        assert!(
            found.nodes.insert(id(ordinal * width), (kind, name, size)).is_none(),
            "an id is there twice"
        );
        for _ in 0..fields[node("edge_count")] {
            let row = rows.next().expect("as many edges as the nodes claim");
            let kind = edge_types[row[edge("type")] as usize].clone();
            let name = row[edge("name_or_index")];
            let numbered = kind == "element" || kind == "hidden";
            let name = if numbered { name.to_string() } else { strings[name as usize].clone() };
            let to = row[edge("to_node")] as usize;
            assert_eq!(to % width, 0);
            if kind != "weak" {
                next.entry(ordinal * width).or_default().push(to);
            }
            found.edges.push((id(ordinal * width), kind, name, id(to)));
        }
    }
    assert!(rows.next().is_none(), "no more edges than the nodes claim");
    let mut seen = BTreeSet::from([root_index]);
    let mut stack = vec![root_index];
    while let Some(index) = stack.pop() {
        stack.extend(next.get(&index).into_iter().flatten().filter(|&&to| seen.insert(to)));
    }
    (found, seen.len())
}

fn files() -> Vec<(String, Vec<u8>)> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/v8/edge");
    let mut files: Vec<_> =
        std::fs::read_dir(root).expect("test data").map(|e| e.expect("a file").path()).collect();
    files.sort();
    let read = |path: std::path::PathBuf| {
        let bytes = std::fs::read(&path).expect("a file");
        (path.file_name().expect("a name").to_string_lossy().into_owned(), bytes)
    };
    let plain = |path: &std::path::PathBuf| path.extension().is_some_and(|e| e == "heapsnapshot");
    files.into_iter().filter(plain).map(read).filter(|f| !f.0.starts_with("bad-")).collect()
}

#[test]
fn whole_snapshots_come_out_as_they_went_in() {
    let mut seen = 0;
    for (name, dump) in files() {
        let stream = lines(&dump);
        let (text, notes, left_out) = snapshot(&stream, Layout::Original);
        assert_eq!((notes.len(), left_out.len()), (0, 0), "{name}: {notes:?} {left_out:?}");
        let again = lines(text.as_bytes());
        assert!(again == stream, "{name}: another stream");
        // White space that no version of V8 writes, and integers that DevTools reads wrong, are not kept.
        if !matches!(
            name.as_str(),
            "escapes.heapsnapshot" | "negative-index.heapsnapshot" | "reordered-keys.heapsnapshot"
        ) {
            assert!(text.as_bytes() == dump, "{name}: other bytes");
        }
        // The newest layout is written once and then the same for ever.
        let (newest, ..) = snapshot(&stream, Layout::Newest);
        let (twice, ..) = snapshot(&lines(newest.as_bytes()), Layout::Newest);
        assert_eq!(newest, twice, "{name}");
        seen += 1;
    }
    assert!(seen >= 15, "{seen} files");
}

/// The stream without some lines.
fn without(stream: &[u8], mut gone: impl FnMut(&Json) -> bool) -> Vec<u8> {
    let mut kept = Vec::new();
    for line in stream.split_inclusive(|&b| b == b'\n') {
        let json: Json = serde_json::from_slice(line).expect("a line is JSON");
        if !gone(&json) {
            kept.extend_from_slice(line);
        }
    }
    kept
}

#[test]
fn parts_of_snapshots_are_sound() {
    for (name, dump) in files() {
        // Integers of 64 bits; lone surrogates and deep trees, which serde_json refuses.
        if ["big-numbers", "escapes", "traces-scopes"].iter().any(|n| name.starts_with(n)) {
            continue;
        }
        let stream = lines(&dump);
        for divisor in [2, 3, 5, 7] {
            for whole_edges in [true, false] {
                let mut dropped = BTreeSet::new();
                let mut n = 0;
                let part = without(&stream, |json| {
                    n += 1;
                    match json["type"].as_str() {
                        Some("node") if n % divisor == 0 => dropped.insert(json["identifier"].as_i64()),
                        Some("edge") if whole_edges => {
                            dropped.contains(&json["source"].as_i64())
                                || dropped.contains(&json["dest"].as_i64())
                        }
                        Some("edge") => n % divisor == 1,
                        _ => false,
                    }
                });
                for layout in [Layout::Original, Layout::Newest] {
                    let (text, ..) = snapshot(&part, layout);
                    if text.contains("\"future\"") {
                        continue;
                    }
                    // The reader takes it, and all that has to hold does.
                    lines(text.as_bytes());
                    let found = sound(&text);
                    let nodes =
                        part.split(|&b| b == b'\n').filter(|l| l.starts_with(b"{\"type\":\"node\",")).count();
                    assert!((nodes..=nodes + 2).contains(&found.nodes.len()), "{name}");
                }
            }
        }
    }
}

#[test]
fn edges_may_come_in_any_order_and_before_their_nodes() {
    let (_, dump) = files().into_iter().find(|f| f.0 == "random-6.heapsnapshot").expect("a file");
    let stream = lines(&dump);
    let (expected, ..) = snapshot(&stream, Layout::Original);
    let expected = slow(&expected).0;
    let mut edges: Vec<&[u8]> = Vec::new();
    let mut others: Vec<&[u8]> = Vec::new();
    for line in stream.split_inclusive(|&b| b == b'\n') {
        if line.starts_with(b"{\"type\":\"edge\",") { edges.push(line) } else { others.push(line) }
    }
    let nodes = others.iter().position(|l| l.starts_with(b"{\"type\":\"node\",")).expect("a node");
    for before in [false, true] {
        let mut mixed = edges.clone();
        // A permutation without chance: every 7th, around and around.
        for i in 0..mixed.len() {
            mixed[i] = edges[(i * 7919) % edges.len()];
        }
        let (head, tail) = others.split_at(if before { nodes } else { others.len() - 1 });
        let text = [head, &mixed, tail].concat().concat();
        let (text, notes, _) = snapshot(&text, Layout::Original);
        assert_eq!(notes.len(), 0, "{notes:?}");
        let mut found = slow(&text).0;
        let sorted = |mut edges: Vec<_>| {
            edges.sort();
            edges
        };
        assert_eq!(found.nodes, expected.nodes);
        found.edges = sorted(found.edges);
        assert_eq!(found.edges, sorted(expected.edges.clone()));
    }
}

/// A heap of another source.
struct Foreign<'a> {
    out: Writer<&'a mut Vec<u8>>,
}

impl Foreign<'_> {
    fn begin(&mut self, roots: &[Value]) -> Result {
        let out = &mut self.out;
        for (key, value) in [("target_source", "other.heap"), ("heap.identifier", "index")] {
            out.metadata(&Metadata { key, value, ..Metadata::default() })?;
        }
        for root in roots {
            out.metadata(&Metadata { key: "heap.root", value: &root.to_string(), ..Metadata::default() })?;
        }
        for (id, name) in [(1, "heap.root"), (2, "moar.object"), (3, "string_flat"), (4, "moar.stable")] {
            out.declare(&Declared::Node { id, name, table: None, fields: &[] }.into())?;
        }
        for (id, name, retains) in [
            (1, "moar.reference", Retains::Yes),
            (2, "array element", Retains::Yes),
            (3, "x.weak", Retains::No),
        ] {
            out.declare(&Declared::Edge { id, name, retains, role: None, rest: &[] }.into())?;
        }
        for (id, text) in [(0, ""), (7, "BOOTHash"), (9, "next"), (11, "grüße 🙂"), (-3, "2")] {
            out.string(&Str { id, data: Data::Plain(text), ..Str::default() })?;
        }
        Ok(())
    }

    fn node(&mut self, subtype: u32, id: Value, heap: Heap<'_>, own: &[u8]) -> Result {
        let node = Node { subtype, id, heap, own, ..Node::default() };
        self.out.nodes(&NodeBatch::one(&node))
    }

    fn edge(&mut self, subtype: u32, source: Value, dest: Value, label: Option<i64>) -> Result {
        let edge = Edge { subtype, source, dest: Some(dest), label, ..Edge::default() };
        self.out.edges(&EdgeBatch::one(&edge))
    }
}

fn sized(size: u64, class: Option<i64>) -> Heap<'static> {
    Heap { size: Some(size), class, ..Heap::default() }
}

#[test]
fn other_sources_become_useful_snapshots() {
    let mut out = Vec::new();
    let mut heap = Foreign { out: writer(&mut out, Layout::Original) };
    heap.begin(&[1]).expect("written");
    heap.node(1, 1, sized(0, None), b"").expect("written");
    heap.node(2, 3, Heap { external: Some(5 << 30), ..sized(40, Some(7)) }, b"").expect("written");
    heap.node(3, 5, sized(24, Some(7)), b"\"length\":9,\"data\":11").expect("written");
    heap.node(4, 7, Heap { count: Some(3), name: Some(9), ..sized(8, Some(7)) }, b"").expect("written");
    heap.node(2, 9, sized(1, Some(7)), b"").expect("written");
    heap.edge(1, 1, 3, Some(9)).expect("written");
    heap.edge(1, 1, 3, Some(9)).expect("written");
    heap.edge(1, 3, 5, Some(index_string(2))).expect("written");
    heap.edge(3, 3, 9, Some(index_string(2))).expect("written");
    heap.edge(2, 5, 7, Some(index_string(2))).expect("written");
    heap.edge(1, 5, small(42), Some(9)).expect("written");
    heap.edge(1, 5, 99, Some(9)).expect("written");
    heap.out.extension(&Extension { kind: "moar.type", ..Extension::default() }).expect("written");
    heap.out.finish(true).expect("written");
    let left_out: Vec<_> = heap.out.left_out().iter().map(|(kind, n)| (kind.to_owned(), n)).collect();
    let notes = heap.out.notes().to_vec();
    drop(heap);
    assert_eq!(notes, ["nodes that no root reaches: 1, now held by (unreachable)"]);
    let expected = [
        ("metadata of other sources", 1),
        ("length fields", 1),
        ("second names of nodes", 1),
        ("heap.count", 1),
        ("second edges from the root to one node", 1),
        ("numbers in fields", 1),
        ("moar.type records", 1),
        ("edges to or from nodes that are not there", 1),
    ];
    assert_eq!(left_out, expected.map(|(kind, n)| (kind.to_owned(), n)));
    let text = String::from_utf8(out).expect("text");
    let found = sound(&text);
    let node = |kind: &str, name: &str, size| (kind.to_owned(), name.to_owned(), size);
    let expected = BTreeMap::from([
        (1, node("synthetic", "heap.root", 0)),
        (3, node("object", "BOOTHash", 40)),
        (5, node("string", "grüße 🙂", 24)),
        (7, node("object shape", "next", 8)),
        (9, node("object", "BOOTHash", 1)),
        (11, node("synthetic", "(unreachable)", 0)),
        (13, node("native", "(external)", u32::MAX.into())),
        (15, node("native", "(external)", (5 << 30) - u64::from(u32::MAX))),
    ]);
    assert_eq!(found.nodes, expected);
    let edge = |from, kind: &str, name: &str, to| (from, kind.to_owned(), name.to_owned(), to);
    let expected = [
        edge(1, "internal", "next", 3),
        edge(1, "element", "2", 11),
        edge(3, "element", "2", 5),
        edge(3, "weak", "2", 9),
        edge(3, "internal", "external", 13),
        edge(3, "internal", "external", 15),
        edge(5, "element", "2", 7),
        edge(11, "element", "1", 9),
    ];
    assert_eq!(found.edges, expected);
    assert!(text.contains(r"gr\u00FC\u00DFe \uD83D\uDE42"), "all but ASCII is escaped, as V8 does it");
}

#[test]
fn several_roots_and_none_get_one_above_them() {
    for roots in [vec![], vec![3], vec![1, 5], vec![99]] {
        let mut out = Vec::new();
        let mut heap = Foreign { out: writer(&mut out, Layout::Original) };
        heap.begin(&roots).expect("written");
        for i in 0..4 {
            heap.node(2, index_id(i), sized(i, Some(7)), b"").expect("written");
        }
        heap.edge(1, 3, 1, Some(9)).expect("written");
        heap.edge(1, 5, 7, Some(9)).expect("written");
        heap.edge(1, 7, 5, Some(9)).expect("written");
        heap.out.finish(true).expect("written");
        drop(heap);
        let found = sound(&String::from_utf8(out).expect("text"));
        let first = found.nodes.get(&found.root).expect("a root");
        assert_eq!(roots == [3], first.0 != "synthetic", "{roots:?}");
        assert_eq!(found.nodes.values().map(|n| n.2).sum::<u64>(), 6);
    }
}

#[test]
fn addresses_are_numbered_anew() {
    let mut out = Vec::new();
    let mut heap = Foreign { out: writer(&mut out, Layout::Original) };
    let address = |n: i64| (0x7f00_0000_0000 + n * 16) | 1;
    heap.begin(&[address(0)]).expect("written");
    for i in 0..50 {
        heap.node(2, address(i), sized(8, Some(7)), b"").expect("written");
    }
    for i in 1..50 {
        heap.edge(1, address(i / 2), address(i), Some(index_string(i as u32))).expect("written");
    }
    heap.out.finish(true).expect("written");
    assert_eq!(heap.out.notes().len(), 1, "{:?}", heap.out.notes());
    drop(heap);
    let found = sound(&String::from_utf8(out).expect("text"));
    assert_eq!(
        found.nodes.keys().copied().collect::<Vec<_>>(),
        (0..50).map(|i| 2 * i + 1).collect::<Vec<_>>()
    );
    assert_eq!(found.edges.len(), 49);
}

#[test]
fn a_second_heap_is_refused() {
    let (_, dump) = files().into_iter().find(|f| f.0 == "minimal.heapsnapshot").expect("a file");
    let stream =
        [br#"{"type":"metadata","key":"version_major","value":"1"}"#.as_slice(), b"\n", &lines(&dump)]
            .concat();
    let mut out = Vec::new();
    let mut sink = writer(&mut out, Layout::Original);
    heap_record::read::read(&stream[..], SnapshotSelector::Last, &mut sink).expect("a stream");
    let error =
        heap_record::read::read(&stream[..], SnapshotSelector::Last, &mut sink).expect_err("one is enough");
    assert!(error.to_string().contains("line 1") || error.to_string().contains("one heap"), "{error}");
    sink.finish(false).expect("what stood whole is written");
    drop(sink);
    assert_eq!(out, dump);
}

#[test]
fn random_graphs_come_back() {
    arbtest::arbtest(|u| {
        let n = u.int_in_range(1..=40)?;
        let mut out = Vec::new();
        let mut heap = Foreign { out: writer(&mut out, Layout::Newest) };
        heap.begin(&[1]).expect("written");
        let mut expected = Vec::new();
        for i in 0..n {
            heap.node(2, index_id(i), sized(u.int_in_range(0..=999)?, Some(7)), b"").expect("written");
        }
        for _ in 0..u.int_in_range(0..=120)? {
            let (from, to) = (index_id(u.int_in_range(0..=n - 1)?), index_id(u.int_in_range(0..=n - 1)?));
            let index = u.arbitrary::<u32>()?;
            heap.edge(2, from, to, Some(index_string(index))).expect("written");
            if from != 1 || !expected.iter().any(|(f, _, t)| (*f, *t) == (1, to as u64)) {
                expected.push((from as u64, index.to_string(), to as u64));
            }
        }
        heap.out.finish(true).expect("written");
        drop(heap);
        let found = sound(&String::from_utf8(out).expect("text"));
        let own = |id: u64| id < index_id(n) as u64;
        let mut edges: Vec<_> = found.edges.into_iter().filter(|e| own(e.0) && own(e.3)).collect();
        edges.sort_by_key(|e| e.0);
        expected.sort_by_key(|e| e.0);
        let edges: Vec<_> = edges.into_iter().map(|(from, _, index, to)| (from, index, to)).collect();
        assert_eq!(edges, expected);
        Ok(())
    });
}

#[test]
fn annotations_become_fields_behind_the_others() {
    let mut out = Vec::new();
    let mut heap = Foreign { out: writer(&mut out, Layout::Original) };
    heap.begin(&[1]).expect("written");
    heap.node(1, 1, Heap { retained: Some(8), distance: Some(0), ..sized(0, None) }, b"").expect("written");
    let idom = Heap { retained: Some(8), idom: Some(1), distance: Some(1), ..sized(8, Some(7)) };
    heap.node(2, 3, idom, b"").expect("written");
    heap.edge(1, 1, 3, Some(9)).expect("written");
    heap.out.finish(true).expect("written");
    let left_out: Vec<_> = heap.out.left_out().iter().map(|(kind, n)| (kind.to_owned(), n)).collect();
    drop(heap);
    assert_eq!(left_out, [("metadata of other sources".to_owned(), 1), ("heap.idom".to_owned(), 1)]);
    let text = String::from_utf8(out).expect("text");
    assert_eq!(sound(&text).nodes.len(), 2);
    let json: Json = serde_json::from_str(&text).expect("JSON");
    let meta = &json["snapshot"]["meta"];
    let fields = meta["node_fields"].as_array().expect("names");
    assert_eq!(fields[6..], ["retained_size", "distance"].map(Json::from));
    assert_eq!(meta["node_types"].as_array().map(Vec::len), Some(fields.len()));
    // What the reader makes of them is written again as it was.
    let stream = lines(text.as_bytes());
    let got = std::str::from_utf8(&stream).expect("text");
    assert!(
        got.contains(r#""v8":{"detachedness"#) || got.contains(r#""v8":{"retained_size":8,"distance":1}"#),
        "{got}"
    );
    assert_eq!(snapshot(&stream, Layout::Original).0, text);
}

/// Whatever a stream says, what comes out is a snapshot that the reader takes, or there is an error.
#[test]
fn hostile_streams_do_no_harm() {
    let streams: Vec<_> = files()
        .into_iter()
        .filter(|(_, dump)| dump.len() < 20_000)
        .map(|(_, dump)| String::from_utf8(lines(&dump)).expect("a stream is text"))
        .collect();
    arbtest::arbtest(|u| {
        let stream = u.choose(&streams)?;
        let mut lines: Vec<String> = stream.lines().map(str::to_owned).collect();
        for _ in 0..u.int_in_range(1..=6)? {
            let at = u.choose_index(lines.len())?;
            match u.int_in_range(0..=4)? {
                0 => drop(lines.remove(at)),
                1 => lines.insert(u.choose_index(lines.len())?, lines[at].clone()),
                2 => {
                    let other = u.choose_index(lines.len())?;
                    lines.swap(at, other);
                }
                _ => {
                    // Another number in place of one.
                    let digits: Vec<_> =
                        lines[at].match_indices(|c: char| c.is_ascii_digit()).map(|m| m.0).collect();
                    if let Some(&digit) = digits.get(u.int_in_range(0..=digits.len())?) {
                        let numbers = [
                            "",
                            "0",
                            "7",
                            "99",
                            "-1",
                            "4294967296",
                            "9007199254740991",
                            "\"0xffffffffffffffff\"",
                        ];
                        lines[at].replace_range(digit..=digit, u.choose(&numbers)?);
                    }
                }
            }
            if lines.is_empty() {
                return Ok(());
            }
        }
        let text = lines.join("\n");
        for layout in [Layout::Original, Layout::Newest] {
            let mut out = Vec::new();
            let mut sink = writer(&mut out, layout);
            let outcome = heap_record::read::read(text.as_bytes(), SnapshotSelector::Last, &mut sink);
            let outcome = outcome.and(sink.finish(true));
            drop(sink);
            if outcome.is_ok() {
                let read = crate::read(
                    &Blob::from_bytes(out.clone()),
                    SnapshotSelector::Last,
                    &mut heap_record::Writer::new(Vec::new()),
                );
                assert!(read.is_ok(), "{read:?}\n{text}\n{}", String::from_utf8_lossy(&out));
            }
        }
        Ok(())
    })
    .budget_ms(1_500);
}

/// Made-up nodes, such as roots, have negative identifiers, which no id can be.
#[test]
fn ids_of_other_sources_are_those_of_v8_and_differ() {
    let mut stream = String::from(
        "{\"type\":\"metadata\",\"key\":\"heap.root\",\"value\":\"-1\"}\n\
         {\"type\":\"node_type\",\"nodetypeid\":1,\"name\":\"object\"}\n\
         {\"type\":\"edge_type\",\"edgetypeid\":1,\"name\":\"object property\"}\n",
    );
    for id in [-1, -3, 5, 7] {
        let _ = write!(
            stream,
            "{{\"type\":\"node\",\"subtype\":1,\"identifier\":{id},\"heap\":{{\"size\":8}}}}\n\
             {{\"type\":\"edge\",\"subtype\":1,\"source\":-1,\"dest\":{id}}}\n"
        );
    }
    let (text, notes, _) = snapshot(stream.as_bytes(), Layout::Newest);
    let found = sound(&text);
    assert_eq!((found.root, notes), (0, Vec::new()));
    assert_eq!(found.nodes.keys().copied().collect::<Vec<_>>(), [0, 2, 5, 7]);
}
