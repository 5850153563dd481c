//! Tests of the reader and the writer: what they emit, and what they make of files that are broken or mean harm.

mod damage;
mod make;
mod reader;
mod records;
mod units;
mod writer;

use std::fs;
use std::path::PathBuf;

use heap_base::Blob;
use heap_record::Wants;
use heap_record::wants::{Nodes, SumBy};

/// A file of `tests/data/moarvm`.
fn data(name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/moarvm").join(name);
    fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn blob(bytes: &[u8]) -> Blob {
    Blob::from_bytes(bytes)
}

/// Files with both snapshots of the same graph, in every container there is.
const SAME: [&str; 11] = [
    "v1.heap",
    "v2-2017.09.mvmheap",
    "v2-2017.12.mvmheap",
    "v2-2019.11.mvmheap",
    "v3.mvmheap",
    "v3-big-endian.mvmheap",
    "v3-late-strings.mvmheap",
    "v3-other-widths.mvmheap",
    "v3-sized-blocks.mvmheap",
    "v3-unknown-block.mvmheap",
    "v3-cut-in-toc.mvmheap",
];

/// What a sink asks for that only adds up.
const SUMS: Wants = Wants { nodes: Nodes::Sums(SumBy::Name), ..Wants::NODES };
