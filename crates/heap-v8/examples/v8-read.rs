//! Reads a heap snapshot and counts its records, to measure the reader alone.
//!
//! `cargo run --release -p heap-tools-v8 --example v8-read -- all|nodes FILE`

use std::fs::File;
use std::io::Write as _;
use std::time::Instant;

use heap_base::{Blob, Result};
use heap_record::{EdgeBatch, Extension, NodeBatch, Sink, SnapshotSelector, Str, Wants};

/// Counts, and adds up what it gets so that nothing is optimised away.
struct Count {
    wants: Wants,
    strings: u64,
    nodes: u64,
    edges: u64,
    others: u64,
    size: u64,
    sum: u64,
}

impl Sink for Count {
    fn wants(&self) -> Wants {
        self.wants
    }
    fn string(&mut self, record: &Str<'_>) -> Result {
        self.strings += 1;
        self.sum = self.sum.wrapping_add(record.id as u64);
        Ok(())
    }
    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        self.nodes += batch.len() as u64;
        batch.try_for_each(|node| {
            self.size += node.heap.size.unwrap_or(0);
            self.sum = self.sum.wrapping_add(node.id as u64 ^ u64::from(node.subtype));
            Ok(())
        })
    }
    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        self.edges += batch.len() as u64;
        batch.try_for_each(|edge| {
            self.sum = self.sum.wrapping_add((edge.source ^ edge.dest.unwrap_or(0)) as u64);
            Ok(())
        })
    }
    fn extension(&mut self, _: &Extension<'_>) -> Result {
        self.others += 1;
        Ok(())
    }
}

fn main() -> std::process::ExitCode {
    let mut args = std::env::args_os().skip(1);
    let (Some(what), Some(path)) = (args.next(), args.next()) else {
        let _ = writeln!(std::io::stderr(), "usage: v8-read all|nodes FILE");
        return 2.into();
    };
    let start = Instant::now();
    let outcome = File::open(path).map_err(heap_base::Error::read).and_then(Blob::from_file).and_then(|blob| {
        let wants = match what.to_str() {
            Some("nodes") => Wants::NODES,
            _ => Wants::ALL,
        };
        let mut sink = Count { wants, strings: 0, nodes: 0, edges: 0, others: 0, size: 0, sum: 0 };
        let outcome = heap_v8::read(&blob, SnapshotSelector::Last, &mut sink);
        let Count { strings, nodes, edges, others, size, sum, .. } = sink;
        let _ = writeln!(
            std::io::stderr(),
            "{strings} strings, {nodes} nodes of {size} bytes, {edges} edges, {others} others, sum {sum:x}, {:.3} s",
            start.elapsed().as_secs_f64()
        );
        outcome
    });
    match outcome {
        Ok(()) => 0.into(),
        Err(e) => {
            let _ = writeln!(std::io::stderr(), "{e}");
            2.into()
        }
    }
}
