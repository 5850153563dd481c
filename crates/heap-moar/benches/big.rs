//! A file like one of 30 million objects, and how long it takes to read: `cargo bench -p heap-tools-moar`.
//!
//! `HEAP_MOAR_TREES=150` makes the full size (about 30 million rows); the default is a tenth of it.
//! `HEAP_MOAR_FILE` keeps the file and uses it again.

#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs, reason = "a benchmark reports to people")]

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use heap_base::{Blob, Result};
use heap_record::wants::{Nodes, SumBy};
use heap_record::{NodeBatch, Sink, SnapshotSelector, Wants, Writer};

#[path = "../src/tests/make.rs"]
#[allow(dead_code, reason = "shared with the tests")]
mod make;

/// Levels of each tree.
const DEPTH: u8 = 15;
const STABLE_LABEL: u64 = 6;

/// What hangs in the work stack.
#[derive(Clone, Copy)]
enum Thing {
    Root,
    Roots,
    TypeObject,
    Stable,
    Forest,
    Cell(u8),
    Label,
    Text,
}

/// Objects are numbered when they are discovered and get their references when they come off a stack, as in MoarVM;
/// that makes the starts of the ranges jump about as in a real file.
fn generate(trees: u32) -> Vec<u8> {
    let (mut kind, mut size, mut owner) = (Vec::new(), Vec::new(), Vec::new());
    let (mut count, mut start) = (Vec::new(), Vec::new());
    let (mut descr, mut target) = (make::Packer::with_window(22), make::Packer::with_window(22));
    let mut stack = Vec::new();
    let mut references = 0u64;
    let mut discover = |stack: &mut Vec<(u64, Thing)>, starts: &mut Vec<u64>, counts: &mut Vec<u8>, thing| {
        let (k, s, o) = match thing {
            Thing::Root => (9u8, 0u16, 0u8),
            Thing::Roots => (5, 0, 0),
            Thing::TypeObject => (2, 24, 0),
            Thing::Stable => (3, 168, 0),
            Thing::Forest => (1, 56, 3),
            Thing::Cell(_) => (1, 48, 0),
            Thing::Label => (1, 32, 1),
            Thing::Text => (1, 48, 2),
        };
        let row = kind.len() as u64;
        kind.push(k);
        size.push(s);
        owner.push(o);
        starts.push(0u64);
        counts.push(0u8);
        stack.push((row, thing));
        row
    };
    for thing in [Thing::Root, Thing::Roots, Thing::Stable, Thing::TypeObject, Thing::Forest] {
        discover(&mut stack, &mut start, &mut count, thing);
    }
    while let Some((row, thing)) = stack.pop() {
        start[row as usize] = references;
        let first = references;
        let mut refer = |label: u64, to: u64| {
            descr.push(&label.to_le_bytes());
            target.push(&to.to_le_bytes());
            references += 1;
        };
        match thing {
            Thing::Root => refer(2, 1),
            Thing::Roots => (2..5).for_each(|to| refer(1 << 2 | 2, to)),
            Thing::Stable => {}
            Thing::TypeObject => refer(STABLE_LABEL << 2 | 2, 2),
            Thing::Forest => {
                for i in 0..trees {
                    let to = discover(&mut stack, &mut start, &mut count, Thing::Cell(DEPTH));
                    refer(u64::from(i) << 2 | 1, to);
                }
            }
            Thing::Cell(depth) => {
                refer(STABLE_LABEL << 2 | 2, 2);
                for _ in 0..2 {
                    let next = if depth == 0 {
                        3
                    } else {
                        discover(&mut stack, &mut start, &mut count, Thing::Cell(depth - 1))
                    };
                    refer(0, next);
                }
                let to = discover(&mut stack, &mut start, &mut count, Thing::Label);
                refer(0, to);
            }
            Thing::Label => {
                refer(STABLE_LABEL << 2 | 2, 2);
                refer(0, 3);
                let to = discover(&mut stack, &mut start, &mut count, Thing::Text);
                refer(0, to);
            }
            Thing::Text => (0..2).for_each(|_| refer(STABLE_LABEL << 2 | 2, 2)),
        }
        // The forest has more references than its count's byte; it is put right below.
        count[row as usize] = u8::try_from(references - first).unwrap_or(u8::MAX);
    }
    let counts = count.iter().enumerate().map(|(i, &n)| if i == 4 { u64::from(trees) } else { n.into() });

    let mut file = make::File::new();
    file.window = 22;
    file.snapmeta(&format!(r#"{{ "snap_time": 5, "gc_seq_num": 1, "total_refs": {references} }}"#));
    file.column(*b"colkind\0", 2, kind.iter().map(|&n| n.into()));
    file.column(*b"colsize\0", 2, size.iter().map(|&n| n.into()));
    file.column(*b"coltofi\0", 4, owner.iter().map(|&n| n.into()));
    file.column(*b"colrfcnt", 4, counts);
    file.column(*b"colrfstr", 8, start.iter().copied());
    file.column(*b"colusize", 8, owner.iter().map(|&o| if o == 2 { 3 } else { 0 }));
    file.block(*b"refdescr", Some(8), &descr.finish());
    file.block(*b"reftrget", Some(8), &target.finish());
    file.strings(&[b"Permanent Roots", b"REPR", b"Cell", b"Str", b"VMString", b"Array", b"<STable>"]);
    file.column(*b"reprname", 4, [1; 4]);
    file.column(*b"typename", 4, [2, 3, 4, 5]);
    file.close();
    println!("{} rows, {references} references, {} MB", kind.len(), file.bytes.len() / 1_000_000);
    file.bytes
}

/// Adds up by class, as heap-sum does.
struct Sum {
    wants: Wants,
    classes: Vec<(u64, u64)>,
}

impl Sink for Sum {
    fn wants(&self) -> Wants {
        self.wants
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        batch.try_for_each(|node| {
            let class = node.heap.class.map_or(0, |c| c as usize + 1);
            if class >= self.classes.len() {
                self.classes.resize(class + 1, (0, 0));
            }
            let (count, bytes) = &mut self.classes[class];
            *count += node.heap.count.unwrap_or(1);
            *bytes += node.heap.size.unwrap_or(0) + node.heap.external.unwrap_or(0);
            Ok(())
        })
    }
}

/// Counts the bytes written and forgets them.
struct Null(u64);

impl Write for Null {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Where the zstd frames of columns begin; good enough for a file that this program wrote.
fn frames<'a>(bytes: &'a [u8], names: &[&[u8]]) -> Vec<&'a [u8]> {
    let find = |name: &&[u8]| bytes.windows(8).position(|w| w == *name).unwrap() + 18;
    names.iter().map(|name| &bytes[find(name)..]).collect()
}

fn decode(frames: &[&[u8]]) -> u64 {
    let decode = |frame: &&[u8]| {
        let mut decoder = zstd::stream::read::Decoder::with_buffer(*frame).unwrap().single_frame();
        let mut buf = vec![0; 128 << 10];
        let mut sum = 0;
        loop {
            match io::Read::read(&mut decoder, &mut buf).unwrap() {
                0 => return sum,
                n => sum += n as u64,
            }
        }
    };
    frames.iter().map(decode).sum()
}

fn main() {
    let trees = std::env::var("HEAP_MOAR_TREES").ok().and_then(|n| n.parse().ok()).unwrap_or(15);
    let kept = std::env::var_os("HEAP_MOAR_FILE").map(PathBuf::from);
    let bytes = match kept.as_ref().and_then(|path| fs::read(path).ok()) {
        Some(bytes) => bytes,
        None => generate(trees),
    };
    if let Some(path) = kept.filter(|p| !p.exists()) {
        fs::write(path, &bytes).unwrap();
    }
    let few = frames(&bytes, &[b"colkind\0", b"colsize\0", b"coltofi\0", b"colusize"]);
    let all = [few.clone(), frames(&bytes, &[b"colrfcnt", b"colrfstr", b"refdescr", b"reftrget"])].concat();
    let blob = Blob::from_bytes(&bytes[..]);
    for _ in 0..3 {
        let time = Instant::now();
        let decoded = decode(&few);
        let plain = time.elapsed().as_secs_f64();
        println!("zstd alone, columns of a sum: {plain:.3} s, {decoded} bytes");

        let sums = Wants { nodes: Nodes::Sums(SumBy::Name), ..Wants::NODES };
        for (how, wants) in [("by the reader", sums), ("node by node", Wants::NODES)] {
            let time = Instant::now();
            let mut sum = Sum { wants, classes: Vec::new() };
            heap_moar::read(&blob, SnapshotSelector::Last, &mut sum).unwrap();
            let summed = time.elapsed().as_secs_f64();
            let total: u64 = sum.classes.iter().map(|c| c.1).sum();
            println!(
                "sum by class, {how}: {summed:.3} s, {:.2} times zstd alone, {total} bytes of heap",
                summed / plain
            );
        }

        let time = Instant::now();
        let decoded = decode(&all);
        println!("zstd alone, all columns: {:.3} s, {decoded} bytes", time.elapsed().as_secs_f64());

        let time = Instant::now();
        let mut writer = Writer::new(Null(0));
        heap_moar::read(&blob, SnapshotSelector::Last, &mut writer).unwrap();
        let counts = writer.counts();
        writer.finish(true).unwrap();
        let elapsed = time.elapsed().as_secs_f64();
        let written = writer.into_inner().0 as f64 / 1e6;
        println!(
            "records: {elapsed:.3} s, {} nodes, {} edges, {written:.0} MB, {:.0} MB/s",
            counts.nodes,
            counts.edges,
            written / elapsed
        );
    }
}
