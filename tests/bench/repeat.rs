//! Makes a huge V8 heap snapshot out of a large one: its graph N times below one root, each time with new ids.
//!
//!     cargo run --release --example repeat -- IN.heapsnapshot N OUT.heapsnapshot
//!
//! V8 itself would need five times the file's size in memory to write such a file; this needs the size of IN.
//! Takes files as V8 writes them; locations, traces and samples are left out.

#![allow(
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a maker of test files: any failure may stop it"
)]

use std::fs::File;
use std::io::{BufWriter, Write};

use memchr::memchr;
use memchr::memmem::find;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let [_, input, times, output] = args.as_slice() else {
        eprintln!("usage: repeat IN.heapsnapshot N OUT.heapsnapshot");
        return;
    };
    let bytes = std::fs::read(input).unwrap();
    let times: u64 = times.parse().unwrap();
    let section = |key: &str| {
        let start = find(&bytes, format!("\"{key}\":[").as_bytes()).unwrap() + key.len() + 4;
        &bytes[start..start + memchr(b']', &bytes[start..]).unwrap()]
    };
    let header = &bytes[find(&bytes, b"\"meta\":").unwrap() + 7..find(&bytes, b"\"nodes\":").unwrap()];
    let mut header = serde_json::Deserializer::from_slice(header).into_iter::<serde_json::Value>();
    let mut meta = header.next().unwrap().unwrap();
    let names: Vec<_> =
        meta["node_fields"].as_array().unwrap().iter().map(|f| f.as_str().unwrap().to_owned()).collect();
    let place = |name: &str| names.iter().position(|f| f == name).unwrap();
    let (width, id, edge_count) = (names.len(), place("id"), place("edge_count"));
    meta.as_object_mut().unwrap().remove("location_fields");

    let nodes: Vec<u64> = Ints(section("nodes")).collect();
    let edges = section("edges");
    let n_nodes = (nodes.len() / width) as u64;
    let n_edges = Ints(edges).count() as u64 / 3;
    // Ids keep their parity, and none is met twice. V8 counts in odd ones; the few even ones are hashes of embedders'
    // nodes, which lie anywhere and would leave wide gaps between the copies.
    let stride = |parity| {
        let largest = nodes.chunks(width).map(|n| n[id]).filter(|id| id % 2 == parity).max();
        largest.map_or(0, |id| id / 2 * 2 + 2)
    };
    let strides = [stride(0), stride(1)];

    let mut out = BufWriter::with_capacity(1 << 20, File::create(output).unwrap());
    let (all_nodes, all_edges) = (n_nodes * times + 1, (n_edges + 1) * times);
    write!(out, "{{\"snapshot\":{{\"meta\":{meta},\"node_count\":{all_nodes},\"edge_count\":{all_edges},")
        .unwrap();
    write!(out, "\"trace_function_count\":0}},\n\"nodes\":[").unwrap();
    let mut digits = itoa::Buffer::new();
    let mut root: Vec<u64> = nodes[..width].to_vec();
    root[edge_count] = times;
    for copy in 0..=times {
        let records = if copy == 0 { &root } else { &nodes };
        for (i, &value) in records.iter().enumerate() {
            if copy > 0 || i > 0 {
                out.write_all(b",").unwrap();
            }
            let value = if i % width == id { value + copy * strides[value as usize % 2] } else { value };
            out.write_all(digits.format(value).as_bytes()).unwrap();
        }
    }
    write!(out, "],\n\"edges\":[").unwrap();
    for copy in 0..times {
        // An element edge, code 1, from the new root.
        let target = (1 + copy * n_nodes) * width as u64;
        write!(out, "{}1,{},{target}", if copy == 0 { "" } else { "," }, copy + 1).unwrap();
    }
    for copy in 0..times {
        let shift = (1 + copy * n_nodes) * width as u64;
        for (i, value) in Ints(edges).enumerate() {
            out.write_all(b",").unwrap();
            out.write_all(digits.format(if i % 3 == 2 { value + shift } else { value }).as_bytes()).unwrap();
        }
    }
    write!(out, "],\n\"trace_function_infos\":[],\n\"trace_tree\":[],\n\"samples\":[],\n\"strings\":")
        .unwrap();
    let strings = find(&bytes, b"\"strings\":[").unwrap() + 10;
    out.write_all(&bytes[strings..]).unwrap();
    out.flush().unwrap();
}

/// The integers of a section.
struct Ints<'a>(&'a [u8]);

impl Iterator for Ints<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let start = self.0.iter().position(u8::is_ascii_digit)?;
        let end =
            self.0[start..].iter().position(|b| !b.is_ascii_digit()).map_or(self.0.len(), |n| start + n);
        let value = self.0[start..end].iter().fold(0, |n, &d| n * 10 + u64::from(d - b'0'));
        self.0 = &self.0[end..];
        Some(value)
    }
}
