//! The writer: from its own streams byte for byte, from filtered and foreign ones a snapshot that holds what can be held.

use heap_base::Blob;
use heap_record::read::read as read_lines;
use heap_record::{
    Data, Declared, Edge, EdgeBatch, FieldKind, Heap, Metadata, Node, NodeBatch, Retains, Sink,
    SnapshotSelector, Str, Target, index_id, index_string,
};

use super::recorded::{Records, int, lines, read};
use super::twin::Data::{Bool, Double, Latin1, Length, Null, Utf16};
use crate::writer::{Writer, writer};

/// The dump written again.
pub(super) fn again(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut sink = writer(&mut out);
    crate::read(&Blob::from_bytes(bytes), SnapshotSelector::Last, &mut sink).unwrap();
    sink.finish(true).unwrap();
    out
}

/// The dump of a stream, with what was left out.
fn of_lines(text: &str) -> (Vec<u8>, Vec<(String, u64)>, Vec<String>) {
    let mut out = Vec::new();
    let mut sink = writer(&mut out);
    let text = ["{\"type\":\"metadata\",\"key\":\"version_major\",\"value\":\"1\"}\n", text].concat();
    read_lines(text.as_bytes(), SnapshotSelector::All, &mut sink).unwrap();
    sink.finish(true).unwrap();
    let left_out = sink.left_out().iter().map(|(kind, n)| (kind.to_owned(), n)).collect();
    let notes = sink.notes().to_vec();
    drop(sink);
    (out, left_out, notes)
}

#[test]
fn a_stream_is_written_back_byte_for_byte() {
    for snapshot in [super::samples::kinds(), super::samples::first_version(), super::samples::resaved()] {
        let bytes = snapshot.write().bytes;
        assert!(again(&bytes) == bytes);
        let (written, left_out, notes) = of_lines(&lines(&bytes));
        assert!(written == bytes);
        assert_eq!((left_out, notes), (vec![], vec![]));
    }
}

#[test]
fn references_of_a_filtered_stream_keep_their_slots() {
    let bytes = super::samples::kinds().write().bytes;
    // Without a small integer, which is the length of two lists, and all edges to it.
    let smi = index_id(23);
    let kept = |line: &&str| {
        !line.contains(&format!("\"identifier\":{smi},")) && !line.contains(&format!("\"dest\":{smi},"))
    };
    let text: String = lines(&bytes).split_inclusive('\n').filter(kept).collect();
    let (written, left_out, notes) = of_lines(&text);
    assert_eq!(notes, ["2 slots whose edges are missing hold 0"]);
    // Object 99 was not there before.
    assert_eq!(left_out, [("edges to nodes that are not there".to_owned(), 1)]);
    let (before, _) = read(&bytes);
    let (after, error) = read(&written);
    assert!(error.is_none());
    assert_eq!(after.nodes.len() + 1, before.nodes.len());
    let references = |records: &Records, node: u64| {
        let edges = records.edges.iter().filter(|e| e.source == index_id(node));
        edges.map(|e| e.dest.unwrap_or(0) >> 1).collect::<Vec<_>>()
    };
    assert_eq!(references(&after, 17), [12, 0, 13, 14, 13]);
    assert_eq!(references(&after, 18), [12, 0, 17]);
    // Who came behind it has moved up.
    assert_eq!(
        (&references(&before, 26)[..], &references(&after, 25)[..]),
        (&[21, 21, 12, 25, 12][..], &[21, 21, 12, 24, 12][..])
    );
    assert_eq!(after.meta("dart.object_count"), 26);
    assert_eq!(after.meta("dart.reference_count"), after.edges.len() as u64);
}

#[test]
fn a_root_is_made_where_there_is_none() {
    let bytes = super::samples::kinds().write().bytes;
    let text: String = lines(&bytes)
        .split_inclusive('\n')
        .filter(|line| !line.contains("\"identifier\":5,") && !line.contains("\"source\":5,"))
        .collect();
    let (written, _, notes) = of_lines(&text);
    assert!(notes.is_empty(), "{notes:?}");
    assert_eq!(read(&written).0.nodes.len(), 26);
    let rootless: String = lines(&bytes)
        .split_inclusive('\n')
        .filter(|line| !line.contains("\"identifier\":3,") && !line.contains("\"source\":3,"))
        .collect();
    let (written, _, notes) = of_lines(&rootless);
    assert_eq!(notes, ["object 1 is a root that the input does not have"]);
    let (records, error) = read(&written);
    assert!(error.is_none());
    assert_eq!((records.nodes.len(), records.nodes[0].subtype), (27, 9));
    assert_eq!(records.text(records.nodes[0].heap.class.unwrap()), "Root");
}

/// A stream from elsewhere: two accounts with an owner, one with a nickname, a frame, and strings.
fn emit<W: std::io::Write>(sink: &mut Writer<W>) {
    for (key, value) in
        [("version_major", "1"), ("target_source", "acme.dump"), ("heap.identifier", "v8"), ("acme.x", "1")]
    {
        sink.metadata(&Metadata { key, value, ..Metadata::default() }).unwrap();
    }
    for (id, name) in [(1, "object"), (2, "string_flat"), (3, "heap_number"), (4, "oddball"), (5, "array")] {
        let fields = &[("length".into(), FieldKind::Integer)];
        sink.declare(&Declared::Node { id, name, table: None, fields }.into()).unwrap();
    }
    for (id, retains) in [(1, Retains::Yes), (2, Retains::No)] {
        sink.declare(&Declared::Edge { id, name: "edge", retains, role: None, rest: b"" }.into()).unwrap();
    }
    for (id, text) in
        [(0, "Account"), (1, "owner"), (2, "nick"), (3, "Zoë"), (4, "λ"), (5, "true"), (6, "null")]
    {
        sink.string(&Str { id, data: Data::Plain(text), ..Str::default() }).unwrap();
    }
    let node = |sink: &mut Writer<W>, subtype, id, own: &str, heap| {
        sink.nodes(&NodeBatch::one(&Node { subtype, id, own: own.as_bytes(), heap, ..Node::default() }))
            .unwrap();
    };
    let size = |n| Heap { size: Some(n), ..Heap::default() };
    let account = Heap { class: Some(0), external: Some(100), ..size(40) };
    for id in [5, 7, 9] {
        node(sink, 1, id, "", account);
    }
    node(sink, 2, 11, r#""length":300,"data":3"#, size(24));
    node(sink, 2, 13, r#""length":1,"data":4"#, Heap { count: Some(2), ..size(24) });
    node(sink, 3, 15, r#""value":0.5"#, size(16));
    node(sink, 4, 17, r#""name":5"#, size(0));
    node(sink, 4, 19, r#""name":6,"hue":3"#, size(0));
    node(sink, 5, 21, r#""length":2"#, size(32));
    let edge = |sink: &mut Writer<W>, subtype, source, dest, label| {
        sink.edges(&EdgeBatch::one(&Edge { subtype, source, dest, label, ..Edge::default() })).unwrap();
    };
    edge(sink, 1, 21, Some(13), Some(index_string(0)));
    edge(sink, 1, 5, Some(11), Some(2));
    edge(sink, 1, 5, Some(13), Some(1));
    edge(sink, 1, 7, Some(15), Some(1));
    edge(sink, 1, 21, Some(15), Some(index_string(1)));
    edge(sink, 2, 9, Some(17), Some(1));
    edge(sink, 1, 9, Some(4), Some(1));
    edge(sink, 1, 9, None, Some(1));
    edge(sink, 1, 9, Some(99), Some(1));
}

#[test]
fn other_streams_become_useful_snapshots() {
    let mut out = Vec::new();
    let mut sink = writer(&mut out);
    emit(&mut sink);
    sink.finish(true).unwrap();
    let left_out: Vec<_> = sink.left_out().iter().map(|(kind, n)| (kind.to_owned(), n)).collect();
    let expected = [
        ("acme metadata", 1),
        ("weak edges", 1),
        ("edges to small integers", 1),
        ("edges without a target", 1),
        ("edges to nodes that are not there", 1),
        ("labels of edges that few objects of a class have", 1),
        ("oddball.hue", 1),
        ("heap.count", 1),
    ];
    let sorted = |mut list: Vec<(String, u64)>| {
        list.sort();
        list
    };
    assert_eq!(sorted(left_out), sorted(expected.map(|(kind, n)| (kind.to_owned(), n)).into()));
    drop(sink);
    let (records, error) = read(&out);
    assert!(error.is_none(), "{error:?}");
    let snapshot = records.snapshot();
    assert!(snapshot.write().bytes == out);
    assert_eq!(snapshot.name, "acme.dump");
    // The root refers to what nothing else refers to.
    let refs: Vec<_> = snapshot.objects.iter().map(|o| o.references.clone()).collect();
    assert_eq!(refs[0], [2, 3, 4, 8, 9, 10]);
    // `owner` is a field of two in three accounts, `nick` of none.
    assert_eq!((&refs[1][..], &refs[2][..], &refs[3][..]), (&[6, 5][..], &[7][..], &[0][..]));
    assert_eq!(refs[9], [6, 7]);
    let class = |n: usize| &snapshot.classes[snapshot.objects[n].class as usize - 1];
    assert_eq!((&class(1).name[..], &class(1).uri[..]), (&b"Account"[..], &b"acme.dump:object"[..]));
    assert_eq!(class(1).fields.iter().map(|f| &f.name[..]).collect::<Vec<_>>(), [b"owner"]);
    assert_eq!(class(4).name, b"(string_flat)");
    let data: Vec<_> = snapshot.objects[4..].iter().map(|o| o.data.clone()).collect();
    let expected = [
        Latin1(300, b"Zo\xeb".into()),
        Utf16(1, vec![0x3bb]),
        Double(0.5f64.to_bits()),
        Bool(1),
        Null,
        Length(2),
    ];
    assert_eq!(data, expected);
    assert_eq!(snapshot.hashes.unwrap()[..3], [0, 5, 7]);
    assert_eq!(records.nodes.iter().filter_map(|n| n.heap.external).sum::<u64>(), 300);
    assert_eq!(
        records.extensions("dart.external").iter().map(|b| int(*b, "size").unwrap()).sum::<i64>(),
        300
    );
    // From here on nothing is lost any more.
    assert!(again(&out) == out);
}
