//! Adds up a trace or profile by type, as heap-sum does: `sum FILE`. For measuring the reader alone.

use std::fs::File;
use std::io::{self, Write};

use heap_record::{Blob, Node, Pick, Result, Sink, Wants};
use rustc_hash::FxHashMap;

#[derive(Default)]
struct Sum {
    by_class: FxHashMap<Option<i64>, (u64, u64)>,
}

impl Sink for Sum {
    fn wants(&self) -> Wants {
        Wants::NODES
    }

    fn node(&mut self, node: &Node<'_>) -> Result {
        let sum = self.by_class.entry(node.heap.class).or_default();
        sum.0 += node.heap.count.unwrap_or(1);
        sum.1 += node.heap.size.unwrap_or(0);
        Ok(())
    }
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("no file")?;
    let mut sum = Sum::default();
    heap_infra::read(&Blob::from_file(File::open(path)?)?, Pick::Last, &mut sum)?;
    let (count, size) = sum.by_class.values().fold((0, 0), |(c, s), (count, size)| (c + count, s + size));
    writeln!(io::stdout(), "{} classes, {count} objects, {size} bytes", sum.by_class.len())?;
    Ok(())
}
