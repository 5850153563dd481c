//! The canonical writer and the fast reader, in bytes per second of the stream.
//!
//! Compare with `grep -c . FILE` on a stored stream of the same size.

#![allow(missing_docs, reason = "criterion's macros write undocumented functions")]

use std::io::sink;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use heap_record::{Edge, Heap, Metadata, Node, Result, Sink, SnapshotSelector, Str, Writer};

const NODES: i64 = 100_000;

/// One stream's worth of records: as many edges per node and as long numbers as in a real snapshot of 100 MB.
fn tell(to: &mut dyn Sink) -> Result {
    to.metadata(&Metadata { key: "version_major", value: "1", ..Metadata::default() })?;
    for id in 0..NODES / 20 {
        to.string(&Str { id, data: heap_record::Data::Plain("someProperty"), ..Str::default() })?;
    }
    for i in 0..NODES {
        let heap = Heap { size: Some(16 + (i as u64 & 127)), class: Some(i % 240), ..Heap::default() };
        to.node(&Node { subtype: 4, id: (i * 7 + 1_000_000) | 1, heap, ..Node::default() })?;
    }
    for i in 0..NODES {
        for k in 0..4 {
            let (dest, label) = (Some(((i * 31 + k * 977) % NODES * 7 + 1_000_000) | 1), Some(i * k % 5000));
            to.edge(&Edge { subtype: 3, source: (i * 7 + 1_000_000) | 1, dest, label, ..Edge::default() })?;
        }
    }
    to.finish(true)
}

/// Hears everything, adds up what it hears.
#[derive(Default)]
struct Hear(i64);

impl Sink for Hear {
    fn node(&mut self, node: &Node<'_>) -> Result {
        self.0 = self.0.wrapping_add(node.id + node.heap.size.unwrap_or(0) as i64);
        Ok(())
    }
    fn edge(&mut self, edge: &Edge<'_>) -> Result {
        self.0 = self.0.wrapping_add(edge.source ^ edge.dest.unwrap_or(0) ^ edge.label.unwrap_or(0));
        Ok(())
    }
}

fn stream(c: &mut Criterion) {
    let mut writer = Writer::new(Vec::new());
    tell(&mut writer).expect("a vector takes everything");
    let text = writer.into_inner();
    let mut group = c.benchmark_group("stream");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("write", |b| {
        b.iter(|| tell(&mut Writer::new(sink())));
    });
    group.bench_function("read", |b| {
        b.iter(|| {
            let mut hear = Hear::default();
            heap_record::read::read(text.as_slice(), SnapshotSelector::All, &mut hear).map(|()| hear.0)
        });
    });
    group.bench_function("read and copy", |b| {
        b.iter(|| heap_record::read::read(text.as_slice(), SnapshotSelector::All, &mut Writer::new(sink())));
    });
    group.finish();
}

criterion_group!(benches, stream);
criterion_main!(benches);
