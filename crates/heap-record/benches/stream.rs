//! The canonical writer and the fast reader, in bytes per second of the stream.
//!
//! Compare with `grep -c . FILE` on a stored stream of the same size.

use std::io::sink;

use heap_base::Result;
use heap_record::testing::measure;
use heap_record::{
    Declared, EdgeBatch, Ends, Heap, Metadata, Node, NodeBatch, PlainEdge, Retains, Sink, SnapshotSelector,
    Str, Wants, Writer,
};

const NODES: i64 = 100_000;

/// One stream's worth of records: as many edges per node and as long numbers as in a real snapshot of 100 MB.
fn deliver(to: &mut dyn Sink) -> Result {
    to.metadata(&Metadata { key: "version_major", value: "1", ..Metadata::default() })?;
    // Records without declarations would be held back to the end.
    to.declare(&Declared::Node { id: 4, name: "object", table: None, fields: &[] }.into())?;
    let retains = Retains::Yes;
    to.declare(&Declared::Edge { id: 3, name: "property", retains, role: None, rest: &[] }.into())?;
    for id in 0..NODES / 20 {
        to.string(&Str { id, data: heap_record::Data::Plain("someProperty"), ..Str::default() })?;
    }
    for i in 0..NODES {
        let heap = Heap { size: Some(16 + (i as u64 & 127)), class: Some(i % 240), ..Heap::default() };
        let node = Node { subtype: 4, id: (i * 7 + 1_000_000) | 1, heap, ..Node::default() };
        to.nodes(&NodeBatch::one(&node))?;
    }
    for i in 0..NODES {
        let edge = |k| {
            let dest = ((i * 31 + k * 977) % NODES * 7 + 1_000_000) | 1;
            PlainEdge { subtype: 3, dest, label: i * k % 5000 }
        };
        let edges = [0, 1, 2, 3].map(edge);
        to.edges(&EdgeBatch::plain(Ends::Identifiers, (i * 7 + 1_000_000) | 1, &edges))?;
    }
    to.finish(true)
}

/// Adds up what it receives.
#[derive(Default)]
struct Sum(i64);

impl Sink for Sum {
    fn wants(&self) -> Wants {
        Wants::ALL
    }
    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        batch.try_for_each(|node| {
            self.0 = self.0.wrapping_add(node.id + node.heap.size.unwrap_or(0) as i64);
            Ok(())
        })
    }
    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        batch.try_for_each(|edge| {
            self.0 = self.0.wrapping_add(edge.source ^ edge.dest.unwrap_or(0) ^ edge.label.unwrap_or(0));
            Ok(())
        })
    }
}

fn main() {
    let mut writer = Writer::new(Vec::new());
    deliver(&mut writer).expect("a vector takes everything");
    let text = writer.into_inner();
    let bytes = text.len() as u64;
    measure("write", bytes, || deliver(&mut Writer::new(sink())));
    measure("read", bytes, || {
        let mut sum = Sum::default();
        heap_record::read::read(text.as_slice(), SnapshotSelector::All, &mut sum).map(|()| sum.0)
    });
    measure("read and copy", bytes, || {
        heap_record::read::read(text.as_slice(), SnapshotSelector::All, &mut Writer::new(sink()))
    });
}
