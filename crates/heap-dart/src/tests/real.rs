//! A piece of a snapshot that Dart 3.7.3 wrote, with figures that another reader found.

use std::collections::BTreeMap;
use std::io::Read;

use heap_record::index_id;

use super::recorded::{int, read};

fn unpacked() -> Vec<u8> {
    let packed = include_bytes!("../../../../tests/data/dart/kinds-pruned.dartheap.gz");
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(&packed[..]).read_to_end(&mut bytes).unwrap();
    bytes
}

#[test]
fn a_real_snapshot_is_written_back_byte_for_byte() {
    let bytes = unpacked();
    let (records, error) = read(&bytes);
    assert!(error.is_none());
    assert!(records.snapshot().write().bytes == bytes);
    assert!(super::writer::again(&bytes) == bytes);
}

#[test]
fn figures_of_a_real_snapshot() {
    let (records, _) = read(&unpacked());
    assert_eq!((records.nodes.len(), records.edges.len()), (1142, 17_510));
    assert_eq!(records.nodes.iter().filter_map(|n| n.heap.size).sum::<u64>(), 630_032);
    assert_eq!(records.nodes.iter().filter_map(|n| n.heap.external).sum::<u64>(), 4144);
    assert_eq!(records.nodes.iter().filter(|n| int(&n.rest, "dart.hash").is_some()).count(), 621);
    assert_eq!(records.edges.iter().filter(|e| e.dest.is_none()).count(), 34);

    let mut subtypes = BTreeMap::new();
    let mut classes: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for node in &records.nodes {
        *subtypes.entry(node.subtype).or_insert(0) += 1;
        let sum = classes.entry(records.text(node.heap.class.unwrap())).or_default();
        *sum = (sum.0 + 1, sum.1 + node.heap.size.unwrap());
    }
    let expected = [143, 570, 139, 18, 48, 30, 186, 4, 1, 2, 1];
    assert_eq!(subtypes.into_iter().collect::<Vec<_>>(), (1..).zip(expected).collect::<Vec<_>>());
    for (class, expected) in [("_List", (113, 34_912)), ("Node", (27, 432)), ("Function", (30, 2640))] {
        assert_eq!(classes[class], expected, "{class}");
    }

    let mut edges = BTreeMap::new();
    for edge in &records.edges {
        *edges.entry(edge.subtype).or_insert(0) += 1;
        assert!(records.strings.contains_key(&edge.label.unwrap()));
    }
    assert_eq!(edges.into_iter().collect::<Vec<_>>(), [(1, 5714), (2, 9845), (3, 1940), (4, 8), (5, 3)]);

    // Integers at the edges of their ranges, by object.
    for (object, expected) in [
        (298, 9_007_199_254_740_993),
        (299, 1 << 62),
        (300, -(1 << 62) - 1),
        (889, i64::MAX),
        (1011, i64::MIN),
        (1014, (1 << 32) - 1),
    ] {
        assert_eq!(int(&records.nodes[object - 1].rest, "dart.int"), Some(expected), "object {object}");
    }
}

#[test]
fn what_a_real_snapshot_keeps_alive() {
    let (records, _) = read(&unpacked());
    let mut out: BTreeMap<i64, Vec<_>> = BTreeMap::new();
    for edge in &records.edges {
        if let Some(dest) = edge.dest {
            // A value of an ephemeron hangs on its key; where it has none, on nothing.
            let source = match edge.subtype {
                4 => continue,
                5 => int(&edge.rest, "heap.key").unwrap_or(0),
                _ => edge.source,
            };
            out.entry(source).or_default().push(dest);
        }
    }
    let mut reached = std::collections::BTreeSet::from([index_id(1)]);
    let mut todo = vec![index_id(1)];
    while let Some(id) = todo.pop() {
        todo.extend(out.get(&id).into_iter().flatten().filter(|&&dest| reached.insert(dest)));
    }
    let size =
        records.nodes.iter().filter(|n| reached.contains(&n.id)).filter_map(|n| n.heap.size).sum::<u64>();
    assert_eq!((reached.len(), size), (604, 574_248));
}
