//! The reader and the writer against a plain twin of the writer, against damage, and against a file of a real VM.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod damage;
mod numbers;
mod real;
mod recorded;
mod records;
mod samples;
mod twin;
mod writer;

use std::collections::BTreeMap;

use heap_base::Blob;
use heap_record::testing::{NodeRecord, Recorder};
use heap_record::wants::{Edges, Nodes, Strings, SumBy};
use heap_record::{NodeBatch, Sink, SnapshotSelector, Wants};

use recorded::{read, read_wanting};
use twin::Snapshot;

/// Reads what the twin wrote and makes it again from the records alone.
fn same_again(snapshot: &Snapshot) {
    let bytes = snapshot.write().bytes;
    let copy = writer::again(&bytes);
    if copy != bytes {
        let at = copy.iter().zip(&bytes).position(|(a, b)| a != b).unwrap_or(0);
        let part = |bytes: &[u8]| bytes[at.saturating_sub(30)..].iter().take(60).copied().collect::<Vec<_>>();
        panic!("byte {at} of {} and {}: {:?} for {:?}", copy.len(), bytes.len(), part(&copy), part(&bytes));
    }
    let (records, error) = read(&bytes);
    assert_eq!(error, None);
    assert_eq!(records.snapshot(), *snapshot);
}

#[test]
fn every_dialect_is_written_back_without_loss() {
    same_again(&samples::kinds());
    same_again(&samples::first_version());
    same_again(&samples::resaved());
    same_again(&Snapshot::default());
}

#[test]
fn any_snapshot_is_written_back_without_loss() {
    arbtest::arbtest(|u| {
        same_again(&samples::any(u)?);
        Ok(())
    })
    .size_max(1 << 14);
}

#[test]
fn long_snapshots_are_written_back_without_loss() {
    // Longer than the window, so that every kind of thing lies across its border sooner or later.
    let mut snapshot = samples::kinds();
    let some = snapshot.objects.clone();
    for round in 0..1500 {
        for object in &some[3..] {
            let mut object = object.clone();
            object
                .references
                .iter_mut()
                .for_each(|r| *r = if *r == 0 { 0 } else { (*r + round * 31) % 30_000 });
            object.references.truncate(object.references.len().saturating_sub(round as usize % 3));
            snapshot.objects.push(object);
        }
    }
    snapshot.objects[0].references = (0..20_000).map(|i| i * i).collect();
    snapshot.objects[3].data = twin::Data::Name(vec![b'n'; 30_000]);
    snapshot.hashes = Some((0..snapshot.objects.len() as u64).map(|i| i * 977 % (1 << 30)).collect());
    snapshot.padding = 100_000;
    same_again(&snapshot);
}

#[test]
fn a_sink_that_wants_less_gets_the_same_of_it() {
    for snapshot in [samples::kinds(), samples::first_version(), samples::resaved()] {
        let bytes = snapshot.write().bytes;
        let (all, _) = read(&bytes);
        let (some, error) = read_wanting(&bytes, Wants::NODES);
        assert!(error.is_none() && some.edges.is_empty() && some.extensions.is_empty());
        assert_eq!(some.nodes.len(), all.nodes.len());
        for (some_node, node) in some.nodes.iter().zip(&all.nodes) {
            assert!(some_node.own.is_empty() && some_node.rest.is_empty());
            let whole = NodeRecord { own: String::new(), rest: String::new(), ..node.clone() };
            assert_eq!(*some_node, whole);
            for id in node.heap.class.iter().chain(&node.heap.name) {
                assert_eq!(some.strings.get(id), all.strings.get(id));
            }
        }
        let (head, error) = read_wanting(&bytes, Wants::HEAD);
        assert!(error.is_none() && head.nodes.is_empty() && head.strings.is_empty());
        assert_eq!(head.metadata, all.metadata);
        let (strings, _) = read_wanting(&bytes, Wants { strings: Strings::All, ..Wants::HEAD });
        assert!(strings.strings.iter().all(|(id, text)| all.strings.get(id) == Some(text)));
        assert_eq!(strings.strings.len(), all.strings.keys().filter(|id| **id >= 0).count() - 2);
    }
}

#[test]
fn edges_by_index_are_those_by_identifier() {
    for snapshot in [samples::kinds(), samples::first_version(), samples::resaved()] {
        let bytes = snapshot.write().bytes;
        for end in [bytes.len(), bytes.len() * 9 / 10] {
            let blob = Blob::from_bytes(&bytes[..end]);
            Recorder::record_every_way(Wants::ALL, |sink| crate::read(&blob, SnapshotSelector::Last, sink));
            let (all, _) = read(&bytes[..end]);
            let (indexed, _) = read_wanting(&bytes[..end], Wants { edges: Edges::ByIndex, ..Wants::ALL });
            // An ephemeron names its key by identifier, and what is no node has no index.
            let is_node = |dest: i64| dest >> 1 <= all.nodes.len() as i64;
            let plain = all.edges.iter().filter(|e| e.subtype != 5 && e.dest.is_some_and(is_node));
            assert_eq!(indexed.by_index, plain.count());
            let sums = Wants { edges: Edges::ByIndex, nodes: Nodes::Sums(SumBy::Class), ..Wants::NODES };
            assert_eq!(read_wanting(&bytes[..end], sums).0.by_index, 0, "sums have no index");
        }
    }
}

/// Adds nodes up: count, size and bytes outside the heap by subtype, class and name.
#[derive(Debug)]
struct Sums {
    wants: Wants,
    nodes: usize,
    groups: BTreeMap<Group, [u64; 3]>,
}

/// Subtype, class, name.
type Group = (u32, Option<i64>, Option<i64>);

impl Sink for Sums {
    fn wants(&self) -> Wants {
        self.wants
    }
    fn nodes(&mut self, batch: &NodeBatch<'_>) -> heap_base::Result {
        self.nodes += batch.len();
        for node in batch.iter() {
            let heap = node.heap;
            let sums = self.groups.entry((node.subtype, heap.class, heap.name)).or_default();
            for (sum, n) in sums.iter_mut().zip([heap.count.or(Some(1)), heap.size, heap.external]) {
                *sum = sum.saturating_add(n.unwrap_or(0));
            }
        }
        Ok(())
    }
}

/// Checks that nodes added up by the reader have the sums of all nodes, also of a damaged file. Returns how many fewer
/// nodes were emitted, by name and by class.
fn same_sums(bytes: &[u8]) -> [usize; 2] {
    let [(single, error), (named, of_named), (classes, of_classes)] =
        [Nodes::Brief, Nodes::Sums(SumBy::Name), Nodes::Sums(SumBy::Class)].map(|nodes| {
            let wants = Wants { nodes, ..Wants::NODES };
            let mut sums = Sums { wants, nodes: 0, groups: BTreeMap::new() };
            let result = crate::read(&Blob::from_bytes(bytes), SnapshotSelector::Last, &mut sums);
            (sums, result.err().map(|e| e.to_string()))
        });
    assert_eq!((&of_named, &of_classes), (&error, &error));
    assert_eq!(named.groups, single.groups);
    let by_class = |sums: &Sums| {
        let mut groups = BTreeMap::<_, [u64; 3]>::new();
        for (&(subtype, class, _), group) in &sums.groups {
            let sums = groups.entry((subtype, class)).or_default();
            sums.iter_mut().zip(group).for_each(|(sum, n)| *sum = sum.saturating_add(*n));
        }
        groups
    };
    assert_eq!(by_class(&classes), by_class(&single));
    [single.nodes - named.nodes, single.nodes - classes.nodes]
}

#[test]
fn sums_by_the_reader_are_those_of_the_nodes() {
    let mut fewer = [0, 0];
    for snapshot in [samples::kinds(), samples::first_version(), samples::resaved()] {
        let bytes = snapshot.write().bytes;
        let [by_name, by_class] = same_sums(&bytes);
        fewer = [fewer[0] + by_name, fewer[1] + by_class];
        for end in 0..bytes.len() {
            same_sums(&bytes[..end]);
        }
    }
    assert!(fewer[0] > 5 && fewer[1] >= fewer[0], "{fewer:?}");
    arbtest::arbtest(|u| {
        same_sums(&samples::any(u)?.write().bytes);
        Ok(())
    });
}
