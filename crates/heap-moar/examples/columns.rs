//! Decodes the columns that a sum by type needs, with the zstd crate and into nothing: what `heap-sum` is measured by.
//!
//! `columns FILE.mvmheap` takes version 3 as MoarVM writes it on this machine: little-endian and closed in good order.

#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs, reason = "a benchmark reports to people")]

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;

const COLUMNS: [&[u8; 8]; 4] = [b"colkind\0", b"colsize\0", b"coltofi\0", b"colusize"];

/// Name, start and end of what the table of contents at `at` lists.
fn entries(file: &File, at: u64) -> Vec<([u8; 8], u64, u64)> {
    let number = |at: u64| {
        let mut bytes = [0; 8];
        file.read_exact_at(&mut bytes, at).unwrap();
        u64::from_le_bytes(bytes)
    };
    let entry = |i: u64| {
        let at = at + 16 + 24 * i;
        (number(at).to_le_bytes(), number(at + 8), number(at + 16))
    };
    (0..number(at + 8)).map(entry).collect()
}

fn main() {
    let file = File::open(std::env::args_os().nth(1).unwrap()).unwrap();
    let mut last = [0; 8];
    file.read_exact_at(&mut last, file.metadata().unwrap().len() - 8).unwrap();
    let inner = entries(&file, u64::from_le_bytes(last)).into_iter().filter(|e| &e.0 == b"toc\0\0\0\0\0");
    let blocks: Vec<_> = inner.flat_map(|toc| entries(&file, toc.1)).collect();
    let mut decoded = 0;
    let mut buf = vec![0; 128 << 10];
    for (_, start, end) in blocks.into_iter().filter(|block| COLUMNS.contains(&&block.0)) {
        let mut frame = vec![0; (end - start - 18) as usize];
        file.read_exact_at(&mut frame, start + 18).unwrap();
        let mut decoder =
            zstd::stream::read::Decoder::with_buffer(io::Cursor::new(frame)).unwrap().single_frame();
        loop {
            match decoder.read(&mut buf).unwrap() {
                0 => break,
                n => decoded += n as u64,
            }
        }
    }
    println!("{decoded} bytes");
}
