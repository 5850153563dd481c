//! Writes an HPROF file of any size with known figures, in constant memory:
//! `rustc -O -o large-hprof tests/bench/large-hprof.rs && ./large-hprof GIGABYTES > FILE`.
//! The last line on standard error has the figures that heap-sum must print, as CSV.
//!
//! The heap is a list of nodes; each holds the next one, a string with its array, an array of references and one of longs.
//! Sizes are HotSpot's with compressed references.

use std::io::{self, BufWriter, Write};

const OBJECT: u64 = 0x1000;
const CLASS: u64 = 0x1100;
const STRING: u64 = 0x1200;
const NODE: u64 = 0x1300;
const BYTES: u64 = 0x1400;
const LONGS: u64 = 0x1500;
const NODES: u64 = 0x1600;
/// The first object; a record is five objects.
const FIRST: u64 = 0x7_0000_0000;
const SIZES: [u64; 5] = [32, 24, 40, 32, 56];
/// Bytes of a record in the file.
const RECORD: u64 = (25 + 28) + (25 + 9) + (18 + 20) + (25 + 32) + (18 + 40);
const SEGMENT: u64 = 8192;

fn main() -> io::Result<()> {
    let gigabytes: f64 = std::env::args().nth(1).and_then(|arg| arg.parse().ok()).unwrap_or(1.0);
    let count = (gigabytes * 1e9 / RECORD as f64) as u64;
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    out.write_all(b"JAVA PROFILE 1.0.2\0\0\0\0\x08\0\0\0\0\0\0\0\0")?;
    let names = ["java/lang/Object", "java/lang/Class", "java/lang/String", "app/Node", "[B", "[J", "[Lapp/Node;"];
    let classes = [OBJECT, CLASS, STRING, NODE, BYTES, LONGS, NODES];
    let fields = ["value", "coder", "next", "text", "list", "data", "id"];
    for (id, name) in (1_u64..).zip(names.iter().chain(&fields)) {
        record(&mut out, 0x01, &[&id.to_be_bytes()[..], name.as_bytes()].concat())?;
    }
    for (serial, class) in (1_u32..).zip(classes) {
        let name = u64::from(serial).to_be_bytes();
        record(&mut out, 0x02, &[&serial.to_be_bytes()[..], &class.to_be_bytes(), &[0; 4], &name].concat())?;
    }
    let mut heap = Vec::new();
    for class in classes {
        let fields: &[(u64, u8)] = match class {
            STRING => &[(8, 2), (9, 8)],
            NODE => &[(10, 2), (11, 2), (12, 2), (13, 10)],
            _ => &[],
        };
        heap.push(0x20);
        heap.extend(class.to_be_bytes());
        heap.extend([0; 4]);
        heap.extend(if class == OBJECT { 0 } else { OBJECT }.to_be_bytes());
        heap.extend([0; 40]);
        heap.extend([0; 4 + 2 + 2]);
        heap.extend((fields.len() as u16).to_be_bytes());
        for (name, kind) in fields {
            heap.extend(name.to_be_bytes());
            heap.push(*kind);
        }
    }
    heap.push(0x05);
    heap.extend(NODE.to_be_bytes());
    heap.push(0xff);
    heap.extend(FIRST.to_be_bytes());
    record(&mut out, 0x1c, &heap)?;

    let step: u64 = SIZES.iter().sum();
    let mut number = 0;
    while number < count {
        let end = count.min(number + SEGMENT);
        out.write_all(&[0x1c, 0, 0, 0, 0])?;
        out.write_all(&(((end - number) * RECORD) as u32).to_be_bytes())?;
        while number < end {
            let at = FIRST + number * step;
            let [text, bytes, list, data] = [1, 2, 3, 4].map(|n| at + SIZES[..n].iter().sum::<u64>());
            let next = if number + 1 < count { at + step } else { 0 };
            heap.clear();
            instance(&mut heap, at, NODE, &[next, text, list], &(number as u32).to_be_bytes());
            instance(&mut heap, text, STRING, &[bytes], &[0]);
            primitives(&mut heap, bytes, 20, 8);
            write!(heap, "{number:020}")?;
            heap.push(0x22);
            heap.extend(list.to_be_bytes());
            heap.extend([0, 0, 0, 0, 0, 0, 0, 4]);
            heap.extend(NODES.to_be_bytes());
            for element in [at, 0, next, data] {
                heap.extend(element.to_be_bytes());
            }
            primitives(&mut heap, data, 5, 11);
            heap.extend([7; 40]);
            out.write_all(&heap)?;
            number += 1;
        }
    }
    record(&mut out, 0x2c, &[])?;
    out.flush()?;
    eprintln!("class,count,size");
    for (name, at) in [("long[]", 4), ("byte[]", 2), ("app.Node", 0), ("app.Node[]", 3), ("java.lang.String", 1)] {
        eprintln!("{name},{count},{}", count * SIZES[at]);
    }
    Ok(())
}

fn record(out: &mut impl Write, tag: u8, body: &[u8]) -> io::Result<()> {
    out.write_all(&[tag, 0, 0, 0, 0])?;
    out.write_all(&(body.len() as u32).to_be_bytes())?;
    out.write_all(body)
}

fn instance(heap: &mut Vec<u8>, id: u64, class: u64, references: &[u64], rest: &[u8]) {
    heap.push(0x21);
    heap.extend(id.to_be_bytes());
    heap.extend([0; 4]);
    heap.extend(class.to_be_bytes());
    heap.extend(((references.len() * 8 + rest.len()) as u32).to_be_bytes());
    for reference in references {
        heap.extend(reference.to_be_bytes());
    }
    heap.extend(rest);
}

fn primitives(heap: &mut Vec<u8>, id: u64, len: u32, kind: u8) {
    heap.push(0x23);
    heap.extend(id.to_be_bytes());
    heap.extend([0; 4]);
    heap.extend(len.to_be_bytes());
    heap.push(kind);
}
