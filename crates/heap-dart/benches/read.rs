//! Reading a generated snapshot, in bytes per second of the file.
//!
//! It has the proportions of a real one: a third lists, a fifth strings, five references of three bytes each.

#![allow(dead_code, reason = "the tests' writer can do more than is needed here")]

#[path = "../src/tests/twin.rs"]
mod twin;

use heap_base::{Blob, Result};
use heap_record::testing::measure;
use heap_record::{NodeBatch, Sink, SnapshotSelector, Wants, Writer};
use twin::{Class, Data, Field, Object, Snapshot};

const OBJECTS: u64 = 600_000;

fn snapshot() -> Vec<u8> {
    let class = |name: &str, fields: &[&str]| Class {
        name: name.into(),
        library: b"dart.core".into(),
        uri: b"dart:core".into(),
        fields: (0..)
            .zip(fields)
            .map(|(index, name)| Field {
                flags: 1,
                index,
                name: name.as_bytes().into(),
                reserved: Vec::new(),
            })
            .collect(),
        ..Class::default()
    };
    let mut random = 1u64;
    let mut next = |below: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % below
    };
    let objects: Vec<_> = (0..OBJECTS)
        .map(|i| {
            let (class, data, references) = match next(10) {
                0..3 => (2, Data::Length(6), 8),
                3..5 => (3, Data::Latin1(14, b"some character".into()), 0),
                5 => (1, Data::Name(b"toString".into()), 8),
                6 => (4, Data::Unsigned(i), 0),
                _ => (5 + next(200), Data::None, next(8)),
            };
            let references = (0..references).map(|_| 1 + next(OBJECTS)).collect();
            Object { class, size: 16 + next(200), data, references }
        })
        .collect();
    let mut classes = vec![
        class("Function", &["name_", "owner_"]),
        class("_List", &["type_arguments_", "length_"]),
        class("_OneByteString", &[]),
        class("_Smi", &[]),
    ];
    classes.resize(204, class("Account", &["type_arguments", "owner", "balance", "next"]));
    let hashes = Some(objects.iter().map(|o| if o.class > 4 { o.size * 1_000_003 } else { 0 }).collect());
    Snapshot { classes, objects, hashes, ..Snapshot::default() }.write().bytes
}

/// Adds up the sizes of nodes.
struct Sizes(Wants, u64);

impl Sink for Sizes {
    fn wants(&self) -> Wants {
        self.0
    }
    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        self.1 += batch.iter().filter_map(|node| node.heap.size).sum::<u64>();
        Ok(())
    }
}

fn main() {
    let blob = Blob::from_bytes(snapshot());
    for (name, wants) in [("nodes", Wants::NODES), ("all", Wants::ALL)] {
        measure(name, blob.len(), || {
            let mut sizes = Sizes(wants, 0);
            heap_dart::read(&blob, SnapshotSelector::Last, &mut sizes).map(|()| sizes.1)
        });
    }
    measure("write as lines", blob.len(), || {
        heap_dart::read(&blob, SnapshotSelector::Last, &mut Writer::new(std::io::sink()))
    });
}
