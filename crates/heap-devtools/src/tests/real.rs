//! Real snapshots, node for node and group for group.
//!
//! The expected figures are an independent reader's, which agreed with Chrome DevTools' own code in every node.

use std::collections::BTreeMap;
use std::path::PathBuf;

use heap_base::Blob;
use heap_record::SnapshotSelector;
use serde_json::{Value, json};

use crate::{Built, ComparisonRow, View, compare};

fn data(path: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/v8").join(path);
    let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    if bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        zstd::decode_all(&bytes[..]).expect("test data is intact")
    } else {
        bytes
    }
}

fn view(path: &str) -> View {
    let mut view = View::new();
    heap_v8::read(&Blob::from_bytes(data(path)), SnapshotSelector::Last, &mut view)
        .expect("a sound snapshot");
    view
}

fn aggregates(built: &Built) -> BTreeMap<String, Value> {
    let row = |g: crate::Group| (g.key, json!([g.class, g.count, g.size, g.retained, g.distance]));
    built.aggregates().into_iter().map(row).collect()
}

fn expected_aggregates(path: &str) -> BTreeMap<String, Value> {
    let expected: Value = serde_json::from_slice(&data(path)).expect("JSON");
    assert_eq!(expected["policy"], "devtools");
    let rows = expected["aggregates"].as_object().expect("an object");
    rows.iter().map(|(key, row)| (key.clone(), row.clone())).collect()
}

#[test]
fn every_node_of_a_snapshot() {
    let built = view("varied.heapsnapshot.zst").build().expect("sound");
    let grouped = built.grouped();
    let analysis = built.analysis();
    let expected = String::from_utf8(data("expected/varied.nodes.tsv.zst")).expect("UTF-8");
    // V8's id of a node: the stream's identifiers of even ones are negative.
    let id = |node: u32| match grouped.id(node) {
        id if id < 0 => -id - 1,
        id => id,
    };
    let mut lines = 0;
    for (node, line) in expected.lines().enumerate() {
        let node = node as u32;
        let dominator = match analysis.idom[node as usize] {
            heap_graph::NONE => node,
            dominator => dominator,
        };
        let found = format!(
            "{}\t{}\t{}\t{}\t{}\t{}",
            id(node),
            json!(built.class(node)),
            built.sizes().get(node),
            analysis.retained[node as usize],
            id(dominator),
            built.distance(node),
        );
        assert_eq!(found, line, "node {node}");
        lines += 1;
    }
    assert_eq!(lines, grouped.nodes());
}

#[test]
fn every_group_of_real_snapshots() {
    for name in ["varied", "leak-1", "leak-2"] {
        let built = view(&format!("{name}.heapsnapshot.zst")).build().expect("sound");
        let expected = expected_aggregates(&format!("expected/{name}.devtools.json.zst"));
        assert_eq!(aggregates(&built), expected, "{name}");
    }
}

#[test]
fn every_group_of_the_corner_cases() {
    let files = ["minimal", "one-node", "root-last", "devtools-rules", "orphans-cycles"].map(str::to_owned);
    for file in files.into_iter().chain((1..=6).map(|n| format!("random-{n}"))) {
        let built = view(&format!("edge/{file}.heapsnapshot")).build().expect("sound");
        assert_eq!(aggregates(&built), expected_aggregates(&format!("expected/edge-{file}.json")), "{file}");
    }
}

#[test]
fn sizes_alone_are_the_same() {
    for name in ["varied", "dom"] {
        let bytes = data(&format!("{name}.heapsnapshot.zst"));
        let mut alone = View::of_sizes(heap_graph::Keep::default());
        heap_v8::read(&Blob::from_bytes(bytes), SnapshotSelector::Last, &mut alone).expect("sound");
        let alone: Vec<u64> = alone.heap().expect("sound").sizes.iter().collect();
        let built = view(&format!("{name}.heapsnapshot.zst")).build().expect("sound");
        assert_eq!(alone, built.sizes().iter().collect::<Vec<_>>(), "{name}");
    }
}

#[test]
fn what_leaked_between_two_snapshots() {
    let new = view("leak-2.heapsnapshot.zst").group(None).expect("sound");
    let base = view("leak-1.heapsnapshot.zst").group(Some(new.interfaces())).expect("sound");
    let text = String::from_utf8(data("expected/leak-1-2.diff.ndjson")).expect("UTF-8");
    let expected: BTreeMap<String, Value> = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"))
        .map(|row| (row["key"].as_str().expect("a key").to_owned(), row))
        .collect();
    let row = |r: ComparisonRow| {
        let row = json!({
            "key": r.key, "name": r.class, "added": r.added, "removed": r.removed,
            "addedSize": r.added_size, "removedSize": r.removed_size,
        });
        (r.key, row)
    };
    let found: BTreeMap<String, Value> =
        compare(&base, &new).expect("they share identifiers").into_iter().map(row).collect();
    assert_eq!(found, expected);
    // A snapshot has nothing that it lacks itself.
    assert_eq!(compare(&new, &new).expect("they share identifiers"), []);
}

#[test]
fn a_record_stream_says_the_same() {
    for name in ["varied", "dom", "old-node6"] {
        let bytes = data(&format!("{name}.heapsnapshot.zst"));
        let mut writer = heap_record::Writer::new(Vec::new());
        heap_record::Sink::metadata(
            &mut writer,
            &heap_record::Metadata { key: "version_major", value: "1", ..heap_record::Metadata::default() },
        )
        .expect("memory takes it");
        heap_v8::read(&Blob::from_bytes(bytes), SnapshotSelector::Last, &mut writer).expect("sound");
        heap_record::Sink::finish(&mut writer, true).expect("memory takes it");
        let stream = writer.into_inner();
        let mut read = View::new();
        heap_record::read::read(&stream[..], SnapshotSelector::Last, &mut read).expect("sound");
        let direct = view(&format!("{name}.heapsnapshot.zst")).build().expect("sound");
        let (read, direct) = (read.build().expect("sound").aggregates(), direct.aggregates());
        let other: Vec<_> = read.iter().zip(&direct).filter(|(read, direct)| read != direct).collect();
        assert_eq!((read.len(), other), (direct.len(), Vec::new()), "{name}");
    }
}
