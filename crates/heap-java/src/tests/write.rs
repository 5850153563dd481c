use heap_base::Blob;
use heap_record::testing::{Recorder, StringRecord};
use heap_record::{
    Data, Declared, Edge, EdgeBatch, EdgeSlice, Ends, Heap, Metadata, Node, NodeBatch, Retains, Sink,
    SnapshotSelector, Str, Target, index_string,
};

use super::make::{HOTSPOT, Hprof, Style, Value, sample};
use super::{edges, nodes, read};
use crate::Options;
use crate::writer::writer;

/// The file that the writer makes of a dump, and what it says is left out.
fn rewritten(bytes: &[u8]) -> (Vec<u8>, Vec<String>) {
    rewritten_as(bytes, Options::default())
}

pub(super) fn rewritten_as(bytes: &[u8], options: Options) -> (Vec<u8>, Vec<String>) {
    let mut out = Vec::new();
    let mut sink = writer(&mut out);
    let dump = Blob::from_bytes(bytes).into();
    let outcome = crate::read(&dump, SnapshotSelector::Last, options, &mut sink);
    assert!(outcome.is_ok(), "{outcome:?}");
    assert!(sink.finish(true).is_ok());
    let left_out = sink.left_out().lines("hprof");
    drop(sink);
    (out, left_out)
}

/// Everything that can be seen of a dump, with texts in place of their numbers.
fn seen(bytes: &[u8]) -> (Vec<String>, Vec<String>, Vec<String>) {
    let recorder = read(bytes);
    assert_eq!(recorder.error, None);
    assert_eq!(recorder.problems(), Vec::<String>::new());
    let text = |line: String| {
        let Some((start, id)) = line.rsplit_once("\"data\":") else { return line };
        let id: i64 = id.trim().parse().unwrap_or(-1);
        let exact = |s: &&&StringRecord| s.id == id;
        let rest = recorder.all_strings().iter().find(exact).map_or(String::new(), |s| s.rest.clone());
        format!("{start}{:?} {rest}", recorder.text(id))
    };
    let fields = recorder.bodies("java.field").into_iter();
    let fields = fields.map(|body| {
        let label = heap_base::json::uint(body.as_bytes(), "label").unwrap_or(0) as i64;
        body.replace(&format!("\"label\":{label}"), &recorder.text(label))
    });
    (nodes(&recorder).into_iter().map(text).collect(), edges(&recorder), fields.collect())
}

#[test]
fn a_dump_that_is_written_again_has_all_that_can_be_seen_of_it() {
    for id_size in [4, 8] {
        for (roots_first, classes_last, segments) in
            [(false, false, false), (true, false, true), (false, true, false), (true, true, true)]
        {
            let style = Style { id_size, roots_first, classes_last, segments, ..HOTSPOT };
            let original = sample(style);
            let (file, left_out) = rewritten(&original);
            assert_eq!(left_out, Vec::<String>::new());
            let (before, after) = (seen(&original), seen(&file));
            assert_eq!(before.0, after.0, "{style:?}");
            let sorted = |mut edges: Vec<String>| {
                edges.sort();
                edges
            };
            assert_eq!(sorted(before.1), sorted(after.1), "{style:?}");
            assert_eq!(before.2, after.2, "{style:?}");
            // What is lost is lost the first time.
            assert!(rewritten(&file).0 == file, "{style:?}");
        }
    }
}

#[test]
fn wide_and_old_strings_keep_their_arrays() {
    use Value::{Byte, Ref};
    for (coder, kind, contents) in [
        (true, 8, &[0x61, 0, 0x62, 0][..]),
        (true, 8, &[0x61, 0x62]),
        (true, 8, &[0x3d, 0xd8]),
        (false, 5, &[0, 0x61, 0x1, 0x7e]),
    ] {
        let mut file = Hprof::new('2', 8);
        file.load(1, 0x1000, "java/lang/Object");
        file.load(2, 0x1100, "java/lang/String");
        file.load(3, 0x1200, if kind == 5 { "[C" } else { "[B" });
        file.class(0x1000, (0, 0), &[], &[]);
        let fields = [("value", Ref(0)), ("coder", Byte(0))];
        file.class(0x1100, (0x1000, 0), &[], if coder { &fields } else { &fields[..1] });
        file.class(0x1200, (0x1000, 0), &[], &[]);
        let wide = contents.contains(&0) || contents[1] > 0x80;
        let values = [Ref(0x2020), Byte(u8::from(wide))];
        file.instance(0x2000, 0x1100, if coder { &values } else { &values[..1] });
        file.primitives(0x2020, kind, contents, if kind == 5 { 2 } else { 1 });
        file.root(0x05, 0x1100, &[]);
        let original = file.finish();
        let (again, left_out) = rewritten(&original);
        assert_eq!(left_out, Vec::<String>::new());
        assert_eq!(seen(&original), seen(&again), "{contents:?}");
    }
}

#[test]
fn portable_and_classic_dumps_keep_their_objects() {
    for bytes in [
        &include_bytes!("../../../../tests/data/java/small.phd")[..],
        include_bytes!("../../../../tests/data/java/small.classic.txt"),
    ] {
        let (file, _) = rewritten(bytes);
        let (before, after) = (read(bytes), read(&file));
        assert_eq!(after.error, None);
        // Their sizes are not those of HotSpot's layout, and fields have no names.
        let classes = |recorder: &Recorder| {
            let nodes = recorder.all_nodes().into_iter().filter(|node| node.id > 0);
            let text = |id: Option<i64>| id.map(|id| recorder.text(id).into_owned());
            nodes.map(|node| (node.id, text(node.heap.class), text(node.heap.name))).collect::<Vec<_>>()
        };
        let ends = |recorder: &Recorder| {
            let edges = recorder.all_edges().into_iter().filter(|edge| edge.source > 0);
            edges.map(|edge| (edge.source, edge.dest)).collect::<Vec<_>>()
        };
        let (objects, edges) = (classes(&after), ends(&after));
        for object in classes(&before) {
            assert!(objects.contains(&object), "{object:x?} in {objects:x?}");
        }
        for edge in ends(&before) {
            assert!(edges.contains(&edge), "{edge:x?} in {edges:x?}");
        }
        // What nothing refers to is a root there, and has to be one here.
        let held: Vec<_> = before.all_edges().into_iter().filter_map(|edge| edge.dest).collect();
        let alone = classes(&before).into_iter().map(|(id, ..)| id).filter(|id| !held.contains(id));
        let roots = after.all_edges().into_iter().filter(|edge| after.edge_type(edge.subtype) == "java.root");
        let roots: Vec<_> = roots.filter_map(|edge| edge.dest).collect();
        let alone: Vec<_> = alone.collect();
        assert!(!alone.is_empty() && alone.iter().all(|id| roots.contains(id)), "{alone:x?} in {roots:x?}");
    }
}

/// A heap from elsewhere: nodes (identifier, subtype, class, size, own members), edges (subtype, source, target, label).
fn foreign(
    nodes: &[(i64, u32, i64, u64, &str)],
    edges: &[(u32, i64, i64, Option<i64>)],
) -> (Vec<u8>, Vec<String>, Vec<String>) {
    const TEXTS: [&str; 5] = ["Account", "owner", "next", "rare", "na\u{ef}ve \u{17e}"];
    let mut out = Vec::new();
    let mut sink = writer(&mut out);
    let mut feed = || -> heap_base::Result {
        let metadata = |key, value| Metadata { key, value, ..Metadata::default() };
        sink.metadata(&metadata("target_source", "v8.heapsnapshot"))?;
        sink.metadata(&metadata("heap.root", "1"))?;
        for (id, name) in [(1, "object"), (2, "string_flat"), (3, "heap.root")] {
            sink.declare(&Declared::Node { id, name, table: None, fields: &[] }.into())?;
        }
        for (id, name, retains) in [
            (1, "object property", Retains::Yes),
            (2, "array element", Retains::Yes),
            (3, "v8.weak", Retains::No),
        ] {
            sink.declare(&Declared::Edge { id, name, retains, role: None, rest: &[] }.into())?;
        }
        for (id, text) in (0..).zip(TEXTS) {
            sink.string(&Str { id, data: Data::Plain(text), ..Str::default() })?;
        }
        for &(id, subtype, class, size, own) in nodes {
            let class = (class >= 0).then_some(class);
            let heap = Heap { size: Some(size), class, ..Heap::default() };
            let node = Node { subtype, id, heap, own: own.as_bytes(), ..Node::default() };
            sink.nodes(&NodeBatch::one(&node))?;
        }
        for &(subtype, source, dest, label) in edges {
            let edge = Edge { subtype, source, dest: Some(dest), label, ..Edge::default() };
            let edges = EdgeSlice::Records(std::slice::from_ref(&edge));
            sink.edges(&EdgeBatch { ends: Ends::Identifiers, partner: None, edges })?;
        }
        sink.finish(true)
    };
    assert!(feed().is_ok());
    let (left_out, notes) = (sink.left_out().lines("hprof"), sink.notes().to_vec());
    drop(sink);
    (out, left_out, notes)
}

#[test]
fn a_heap_from_elsewhere_has_its_types_sizes_and_labels() {
    let nodes = [
        (1, 3, -1, 0, ""),
        (3, 1, 0, 64, ""),
        (5, 1, 0, 200, ""),
        (7, 1, 0, 64, ""),
        (9, 2, -1, 32, "\"data\":4"),
    ];
    let edges = [
        (1, 1, 3, Some(1)),
        (1, 3, 5, Some(2)),
        (1, 5, 7, Some(2)),
        (1, 5, 9, Some(3)),
        (2, 5, 3, Some(index_string(0))),
        (2, 5, 9, Some(index_string(2))),
        (3, 7, 3, Some(1)),
        (1, 7, 40, Some(1)),
        (1, 7, 99, Some(1)),
    ];
    let (file, left_out, notes) = foreign(&nodes, &edges);
    let recorder = read(&file);
    assert_eq!(recorder.error, None);
    assert_eq!(recorder.problems(), Vec::<String>::new());
    let lines = super::nodes(&recorder);
    let count = |part: &str| lines.iter().filter(|line| line.contains(part)).count();
    assert_eq!(count(" Account - 64"), 3, "{lines:#?}");
    assert_eq!(count(" (heap.root) - 16"), 1, "{lines:#?}");
    let found = super::edges(&recorder).join("\n");
    for label in ["next", "<more>", "<elements>", "owner"] {
        assert!(
            found.lines().any(|edge| edge.starts_with("object property") && edge.ends_with(label)),
            "{label}: {found}"
        );
    }
    let texts: Vec<_> = recorder.all_strings().iter().map(|s| s.data.clone()).collect();
    assert!(texts.iter().any(|text| text == "na\u{ef}ve \u{17e}"), "{texts:?}");
    assert!(texts.iter().any(|text| text == "rare"), "{texts:?}");
    let written: u64 = recorder.all_nodes().iter().filter_map(|node| node.heap.size).sum();
    let note = notes.join("\n");
    assert!(
        note.starts_with(&format!("objects have {written} bytes in the file, of them ")),
        "{note} {written}"
    );
    assert!(note.ends_with("; 360 in the input"), "{note}");
    let expected = ["edges to nodes that are not there", "edges to numbers", "weak edges"];
    for kind in expected {
        assert!(left_out.iter().any(|line| line.contains(kind)), "{kind}: {left_out:?}");
    }
    assert!(found.contains("java.root -1 "), "{found}");
}
