//! The writer: from its own streams the same stream, from filtered and foreign ones what a file can hold.

use heap_base::Blob;
use heap_record::read::read as read_lines;
use heap_record::{
    Data, Declared, Edge, EdgeBatch, FieldKind, Heap, Metadata, Node, NodeBatch, Retains, Sink,
    SnapshotSelector, Str, Target, Writer, index_id, index_string,
};

use super::records::read;
use super::{SAME, data};
use crate::writer::writer;

/// The stream of a dump, and whether the dump is intact.
fn lines(bytes: &[u8], pick: SnapshotSelector) -> (String, bool) {
    let mut sink = Writer::new(Vec::new());
    let intact = crate::read(&Blob::from_bytes(bytes), pick, &mut sink).is_ok();
    // The reader alone gives no head, so there is no mark either way.
    sink.finish(true).expect("memory takes everything");
    (String::from_utf8(sink.into_inner()).expect("JSON is UTF-8"), intact)
}

struct Made {
    bytes: Vec<u8>,
    left_out: Vec<(String, u64)>,
    notes: Vec<String>,
}

fn made(emit: impl FnOnce(&mut dyn Sink)) -> Made {
    let mut bytes = Vec::new();
    let mut sink = writer(&mut bytes);
    emit(&mut sink);
    sink.finish(true).expect("memory takes everything");
    let mut left_out: Vec<_> = sink.left_out().iter().map(|(kind, n)| (kind.to_owned(), n)).collect();
    left_out.sort();
    let notes = sink.notes().to_vec();
    drop(sink);
    Made { bytes, left_out, notes }
}

fn of_lines(text: &str) -> Made {
    let text = ["{\"type\":\"metadata\",\"key\":\"version_major\",\"value\":\"1\"}\n", text].concat();
    made(|sink| read_lines(text.as_bytes(), SnapshotSelector::All, sink).expect("a stream"))
}

fn nothing_lost(made: &Made) {
    assert_eq!((&made.left_out[..], &made.notes[..]), (&[][..], &[][..]));
}

#[test]
fn a_stream_of_version_3_makes_the_same_file() {
    let killed = ["v3-killed-between.mvmheap"];
    for name in SAME.into_iter().filter(|n| n.starts_with("v3")).chain(killed) {
        let bytes = data(name);
        let (stream, complete) = lines(&bytes, SnapshotSelector::All);
        let written = of_lines(&stream);
        nothing_lost(&written);
        let (again, intact) = lines(&written.bytes, SnapshotSelector::All);
        assert!(intact, "{name}");
        // What was cut off before its end mark gets one.
        let (stream, again) =
            if complete { (&stream[..], &again[..]) } else { (stream.trim_end(), again.trim_end()) };
        assert!(again.starts_with(stream), "{name}");
        assert!(again.len() == stream.len() || !complete, "{name}");
        let direct = made(|sink| drop(crate::read(&Blob::from_bytes(bytes), SnapshotSelector::All, sink)));
        assert!(direct.bytes == written.bytes, "{name}");
        let info = crate::info(&Blob::from_bytes(written.bytes)).expect("a table of contents");
        assert!(
            info.facts.iter().any(|(key, fact)| *key == "index" && format!("{fact:?}").contains("table"))
        );
    }
}

#[test]
fn tables_of_many_snapshots_grow_with_their_number() {
    let file = |count: u64| {
        let one = |i| {
            format!(
                "{{\"type\":\"metadata\",\"key\":\"heap.snapshot\",\"value\":\"{i}\"}}\n\
                 {{\"type\":\"node\",\"subtype\":1,\"identifier\":1,\"heap\":{{\"size\":8}}}}\n"
            )
        };
        of_lines(&(0..count).map(one).collect::<String>()).bytes
    };
    let (few, many) = (file(100), file(1600));
    assert!(many.len() < few.len() * 18, "{} and {}", few.len(), many.len());
    let (stream, intact) = lines(&many, SnapshotSelector::All);
    assert_eq!((stream.matches("\"heap.snapshot\"").count(), intact), (1600, true));
}

#[test]
fn older_versions_become_version_3() {
    for name in SAME.into_iter().filter(|n| !n.starts_with("v3")) {
        let written = of_lines(&lines(&data(name), SnapshotSelector::All).0);
        nothing_lost(&written);
        let (old, new) =
            (read(&data(name), SnapshotSelector::All), read(&written.bytes, SnapshotSelector::All));
        assert_eq!(new.error, None);
        for (old, new) in old.snapshots.iter().zip(&new.snapshots) {
            assert_eq!((&old.nodes, &old.edges), (&new.nodes, &new.edges), "{name}");
            // The same totals and high scores that MoarVM wrote for this graph.
            let twin = read(&data("v3.mvmheap"), SnapshotSelector::All);
            assert_eq!(new.extensions.len(), old.extensions.len() + 160);
            let meta = |snapshot: &super::records::SnapshotRecords, key: &str| {
                snapshot.metadata.iter().find(|(k, _)| k == key).map(|(_, v)| v.clone())
            };
            let twin = twin.snapshots.iter().find(|t| t.nodes == new.nodes).expect("the same graph");
            for key in ["moar.total_heap_size", "moar.total_objects", "moar.total_stables", "moar.total_refs"]
            {
                assert_eq!(meta(new, key), meta(twin, key), "{key}");
            }
            let scores = |snapshot: &super::records::SnapshotRecords| {
                let list = snapshot.extensions.iter().filter(|o| o.starts_with("moar.highscore"));
                let mut list: Vec<_> = list.cloned().collect();
                // Ties come in any order.
                for o in &mut list {
                    let (from, to) = (o.find("\"rank").expect("a rank"), o.find("\"id").expect("an id"));
                    o.replace_range(from..to, "");
                }
                list.sort();
                list
            };
            assert_eq!(scores(new), scores(twin));
        }
        let (stream, _) = lines(&written.bytes, SnapshotSelector::All);
        let again = of_lines(&stream);
        assert!(again.bytes == written.bytes, "{name}");
    }
}

#[test]
fn rows_of_a_filtered_stream_close_up() {
    let (stream, _) = lines(&data("v3.mvmheap"), SnapshotSelector::Number(0));
    let total = |made: &Made, key: &str| {
        let records = read(&made.bytes, SnapshotSelector::Last);
        records.head.metadata.iter().find(|(k, _)| k == key).map(|(_, v)| v.clone()).expect("a total")
    };
    // The third row and its edges are gone, and a tool says that it was there.
    let (gone, pipe) = (index_id(2), r#"{"type":"metadata","key":"heap.pipeline","value":"heap-filter"}"#);
    let mut text: String = stream
        .split_inclusive('\n')
        .filter(|line| !line.contains(&format!("\"identifier\":{gone},")))
        .collect();
    text.insert_str(text.find('\n').expect("lines") + 1, &format!("{pipe}\n"));
    let written = of_lines(&text);
    let records = read(&written.bytes, SnapshotSelector::Last);
    assert_eq!(records.error, None);
    let lost = written.left_out.iter().map(|(kind, n)| (kind.as_str(), *n)).collect::<Vec<_>>();
    let [("edges of nodes that are not there", lost)] = lost[..] else { panic!("{lost:?}") };
    assert_eq!(records.head.nodes.len(), 14);
    assert_eq!(records.head.edges.len() as u64 + lost, 35);
    assert_eq!(total(&written, "moar.total_refs"), (35 - lost).to_string());
    // Without its root it gets another.
    let text: String =
        stream.split_inclusive('\n').filter(|line| !line.contains("\"identifier\":1,")).collect();
    let records = read(&of_lines(&text).bytes, SnapshotSelector::Last);
    assert_eq!(records.error, None);
    assert_eq!((records.head.nodes.len(), &records.head.nodes[0][..]), (15, "moar.root 1 0 - - 0"));
    assert!(records.head.edges.iter().any(|edge| edge.starts_with("moar.reference 1 ")));
    // Types without a record are named after their objects.
    let text: String =
        stream.split_inclusive('\n').filter(|line| !line.contains("\"moar.type\",\"index\"")).collect();
    let records = read(&of_lines(&text).bytes, SnapshotSelector::Last);
    let classes = |nodes: &[String]| {
        nodes.iter().map(|n| n.split("\"moar\"").next().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        classes(&records.head.nodes),
        classes(&read(&data("v3.mvmheap"), SnapshotSelector::Number(0)).head.nodes)
    );
}

fn meta(sink: &mut dyn Sink, key: &str, value: &str) {
    sink.metadata(&Metadata { key, value, ..Metadata::default() }).expect("metadata");
}

#[test]
fn other_streams_become_useful_snapshots() {
    let made = made(|sink| {
        meta(sink, "target_source", "acme.dump");
        meta(sink, "acme.x", "1");
        meta(sink, "heap.root", "8001");
        for (id, name) in [(1, "object"), (2, "heap.frame"), (3, "string_flat")] {
            let fields = &[("line".into(), FieldKind::Integer)];
            sink.declare(&Declared::Node { id, name, table: None, fields }.into()).expect("a type");
        }
        for (id, retains) in [(1, Retains::Yes), (2, Retains::No)] {
            sink.declare(&Declared::Edge { id, name: "edge", retains, role: None, rest: b"" }.into())
                .expect("a type");
        }
        for (id, text) in [(40, "Account"), (7, "owner"), (9, "unused"), (10, "main"), (11, "a.js")] {
            sink.string(&Str { id, data: Data::Plain(text), ..Str::default() }).expect("a string");
        }
        let edge = |sink: &mut dyn Sink, subtype, source, dest, label| {
            sink.edges(&EdgeBatch::one(&Edge { subtype, source, dest, label, ..Edge::default() }))
                .expect("an edge");
        };
        // Edges may come before their nodes, and in any order.
        edge(sink, 1, 8001, Some(5), Some(7));
        edge(sink, 1, 5, Some(70_001), Some(index_string(3)));
        edge(sink, 1, 8001, Some(70_001), None);
        edge(sink, 2, 5, Some(8001), Some(7));
        edge(sink, 1, 5, Some(4), None);
        edge(sink, 1, 5, None, None);
        edge(sink, 1, 5, Some(77), None);
        let mut node = |subtype, id, own: &str, heap| {
            sink.nodes(&NodeBatch::one(&Node { subtype, id, own: own.as_bytes(), heap, ..Node::default() }))
                .expect("a node");
        };
        let size = Heap { size: Some(100_000), ..Heap::default() };
        node(1, 8001, "", Heap { class: Some(40), external: Some(5 << 30), ..size });
        node(2, 5, r#""function":10,"script_name":11,"line":3,"column":8"#, size);
        node(3, 70_001, r#""data":9"#, Heap { retained: Some(1), ..Heap::default() });
    });
    let records = read(&made.bytes, SnapshotSelector::Last);
    assert_eq!(records.error, None);
    assert_eq!(
        records.head.nodes,
        [
            "moar.root 1 0 - - 0",
            "moar.object 3 100000 \"Account\" - 5368709120 \"moar\":{\"type\":0}",
            "moar.frame 5 100000 - \"main\" 0 \"moar\":{\"frame\":0}",
            "moar.object 7 0 \"(string_flat)\" - 0 \"moar\":{\"type\":1}",
        ]
    );
    assert_eq!(
        records.head.edges,
        [
            "moar.reference 1 3 \"0\"",
            "moar.reference 3 5 \"owner\"",
            "moar.reference 3 7 -",
            "moar.reference 5 7 \"3\"",
        ]
    );
    let expected = [
        ("acme metadata", 1),
        ("edges of nodes that are not there", 1),
        ("edges to small integers", 1),
        ("edges without a target", 1),
        ("heap.frame.column", 1),
        ("heap.retained", 1),
        ("string_flat.data", 1),
        ("weak edges", 1),
    ];
    assert_eq!(made.left_out, expected.map(|(kind, n)| (kind.to_owned(), n)));
    assert_eq!(
        made.notes,
        ["row 0 is a root that the input does not have", "1 nodes without a size have size 0"]
    );
    let frame = records.extensions_of("moar.static_frame");
    assert_eq!(frame, [r#"moar.static_frame "index":0,"name":5,"cuid":6,"line":3,"file":7"#]);
    // What was written is what comes back from now on.
    let (stream, _) = lines(&made.bytes, SnapshotSelector::All);
    let again = of_lines(&stream);
    nothing_lost(&again);
    assert!(lines(&again.bytes, SnapshotSelector::All).0 == stream);
}

fn add(text: &mut String, line: std::fmt::Arguments<'_>) {
    use std::fmt::Write as _;
    text.write_fmt(line).expect("memory");
}

#[test]
fn any_stream_makes_a_file_without_damage() {
    arbtest::arbtest(|u| {
        let native = u.arbitrary()?;
        let mut sizes = 0u64;
        let (mut nodes, mut double) = (std::collections::BTreeSet::new(), 0);
        let mut text = String::new();
        text.push_str(if native {
            "{\"type\":\"metadata\",\"key\":\"target_source\",\"value\":\"moarvm.mvmheap\"}\n"
        } else {
            "{\"type\":\"metadata\",\"key\":\"target_source\",\"value\":\"x\"}\n"
        });
        for (id, name) in
            [(1, "moar.object"), (2, "moar.frame"), (3, "moar.root"), (4, "heap.frame"), (5, "x")]
        {
            add(
                &mut text,
                format_args!("{{\"type\":\"node_type\",\"nodetypeid\":{id},\"name\":\"{name}\"}}\n"),
            );
        }
        text.push_str("{\"type\":\"edge_type\",\"edgetypeid\":1,\"name\":\"e\"}\n");
        for snapshot in 0..u.int_in_range(1..=3)? {
            add(
                &mut text,
                format_args!(
                    "{{\"type\":\"metadata\",\"key\":\"heap.snapshot\",\"value\":\"{snapshot}\"}}\n"
                ),
            );
            nodes.clear();
            for _ in 0..u.int_in_range(0..=60)? {
                let id = 2 * u.int_in_range(0..=30)? + 1;
                let n: u32 = u.arbitrary()?;
                match u.int_in_range(0..=4)? {
                    0 => add(
                        &mut text,
                        format_args!("{{\"type\":\"string\",\"stringid\":{},\"data\":\"s{n}\"}}\n", n % 20),
                    ),
                    1 | 2 => {
                        let subtype = u.int_in_range(1..=6)?;
                        double += u64::from(!nodes.insert(id));
                        sizes += u64::from(n);
                        add(
                            &mut text,
                            format_args!(
                                "{{\"type\":\"node\",\"subtype\":{subtype},\"identifier\":{id},\"heap\":{{\"size\":{n},\"class\":{}}},\"moar\":{{\"type\":{}}}}}\n",
                                n % 20,
                                n % 7
                            ),
                        );
                    }
                    _ => add(
                        &mut text,
                        format_args!(
                            "{{\"type\":\"edge\",\"subtype\":1,\"source\":{id},\"dest\":{},\"label\":{}}}\n",
                            2 * (n % 30) + 1,
                            i64::from(n % 40) - 20
                        ),
                    ),
                }
            }
        }
        let made = of_lines(&text);
        let (stream, intact) = lines(&made.bytes, SnapshotSelector::All);
        assert!(intact, "{text}\n{:?}", read(&made.bytes, SnapshotSelector::All).error);
        let records = read(&made.bytes, SnapshotSelector::All);
        let size =
            |line: &String| line.split(' ').nth(2).and_then(|n| n.parse::<u64>().ok()).expect("a size");
        let sum = records.snapshots.iter().flat_map(|s| &s.nodes).map(size).sum::<u64>();
        assert_eq!(sum, sizes);
        let repeated = made.left_out.iter().find(|(kind, _)| kind == "nodes with the identifier of another");
        assert_eq!(repeated.map_or(0, |(_, n)| *n), double);
        let again = of_lines(&stream);
        assert!(lines(&again.bytes, SnapshotSelector::All).0 == stream, "{text}");
        Ok(())
    });
}
