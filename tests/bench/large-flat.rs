//! Writes a portable heap dump (PHD) or a classic heap dump of any size with known figures, in constant memory:
//! `rustc -O -o large-flat tests/bench/large-flat.rs && ./large-flat phd|classic OBJECTS > FILE`.
//! The last lines on standard error are the figures that heap-sum must print, as CSV.
//!
//! The heap is a list of nodes; each holds the next one, a string with its array, an array of references and one of longs.
//! Two hundred classes of nodes take turns, as many as a real program has often.

use std::io::{self, BufWriter, Write};

const NODE_CLASSES: u64 = 200;
const CLASS_BYTES: u64 = 112;
/// Class objects of `java.lang.Class`, strings and the two types of arrays; those of nodes follow.
const CLASSES: u64 = 0x1_0000;
/// The first object; a record is five objects.
const FIRST: u64 = 0x7_0000_0000;
/// Bytes of a node, a string, its array, the array of references, that of longs.
const SIZES: [u64; 5] = [32, 24, 40, 32, 56];

fn class(number: u64) -> u64 {
    CLASSES + number * CLASS_BYTES
}

fn name(number: u64) -> String {
    match number {
        0 => "java/lang/Class".into(),
        1 => "java/lang/String".into(),
        2 => "[B".into(),
        3 => "[J".into(),
        4 => "[Lapp/Node;".into(),
        5 => "app/Node".into(),
        _ => format!("app/model/deep/Node{}", number - 6),
    }
}

/// Addresses of a record's objects, and of the next record; 0 behind the last one.
struct Record {
    number: u64,
    at: [u64; 5],
    next: u64,
}

fn records(count: u64) -> impl Iterator<Item = Record> {
    let step: u64 = SIZES.iter().sum();
    (0..count).map(move |number| {
        let start = FIRST + number * step;
        let at = [0, 1, 2, 3, 4].map(|n| start + SIZES[..n].iter().sum::<u64>());
        Record { number, at, next: if number + 1 < count { start + step } else { 0 } }
    })
}

fn main() -> io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [format, objects] = &args[..] else { panic!("usage: large-flat phd|classic OBJECTS") };
    let count = objects.parse::<u64>().expect("a number of objects") / 5;
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    match &format[..] {
        "phd" => phd(&mut out, count)?,
        "classic" => classic(&mut out, count)?,
        _ => panic!("usage: large-flat phd|classic OBJECTS"),
    }
    out.flush()?;
    eprintln!("class,count,size");
    for (name, at) in [("long[]", 4), ("byte[]", 2), ("app.Node[]", 3), ("java.lang.String", 1)] {
        eprintln!("{name},{count},{}", count * SIZES[at]);
    }
    Ok(())
}

fn classic(out: &mut impl Write, count: u64) -> io::Result<()> {
    writeln!(out, "// Version: JRE 17 generated")?;
    for number in 0..NODE_CLASSES + 6 {
        writeln!(out, "0x{:016X} [{CLASS_BYTES}] CLS {}", class(number), name(number))?;
    }
    for Record { number, at: [node, text, bytes, list, longs], next } in records(count) {
        writeln!(out, "0x{node:016X} [{}] OBJ {}", SIZES[0], name(6 + number % NODE_CLASSES))?;
        if next != 0 {
            write!(out, "\t0x{next:016X}")?;
        } else {
            write!(out, "\t")?;
        }
        writeln!(out, " 0x{text:016X} 0x{list:016X} ")?;
        writeln!(out, "0x{text:016X} [{}] OBJ java/lang/String\n\t0x{bytes:016X} ", SIZES[1])?;
        writeln!(out, "0x{bytes:016X} [{}] OBJ [B", SIZES[2])?;
        writeln!(out, "0x{list:016X} [{}] OBJ [Lapp/Node;\n\t0x{text:016X} 0x{longs:016X} ", SIZES[3])?;
        writeln!(out, "0x{longs:016X} [{}] OBJ [J", SIZES[4])?;
    }
    writeln!(out, "// EOF:  Total 'Objects',Refs(null) : {},0(0)", count * 5)
}

/// Version 6, words of 64 bits, no hashes, from a J9 machine: references and gaps count in four bytes.
fn phd(out: &mut impl Write, count: u64) -> io::Result<()> {
    out.write_all(b"\x00\x12portable heap dump")?;
    out.write_all(&[6_i32.to_be_bytes(), 5_i32.to_be_bytes()].concat())?;
    out.write_all(&[1, 2, 2])?;
    let mut before = 0;
    for number in 0..NODE_CLASSES + 6 {
        let size = if number == 1 { SIZES[1] } else { SIZES[0] };
        // A gap of four bytes, no references.
        out.write_all(&[6, 0x80])?;
        out.write_all(&(gap(before, class(number)) as i32).to_be_bytes())?;
        before = class(number);
        out.write_all(&(size as u32).to_be_bytes())?;
        out.write_all(&0_u64.to_be_bytes())?;
        let name = name(number);
        out.write_all(&(name.len() as u16).to_be_bytes())?;
        out.write_all(name.as_bytes())?;
        out.write_all(&0_u32.to_be_bytes())?;
    }
    let mut record = Vec::new();
    for Record { number, at, next } in records(count) {
        let [node, text, bytes, list, longs] = at;
        record.clear();
        // A long object for the first one: its gap is wide.
        if number == 0 {
            record.extend([4, 0xd0]);
            record.extend(gap(before, node).to_be_bytes());
            record.extend(class(6).to_be_bytes());
            record.extend(3_u32.to_be_bytes());
        } else {
            record.push(0x40 | 3 << 3 | 1);
            record.push(gap(before, node) as u8);
            record.extend(class(6 + number % NODE_CLASSES).to_be_bytes());
        }
        for reference in [if next == 0 { node } else { next }, text, list] {
            record.extend((gap(node, reference) as i16).to_be_bytes());
        }
        record.push(0x40 | 1 << 3);
        record.push(gap(node, text) as u8);
        record.extend(class(1).to_be_bytes());
        record.push(gap(text, bytes) as u8);
        record.extend([0x20 | 4 << 2, gap(text, bytes) as u8, 20]);
        record.extend((SIZES[2] as u32 / 4).to_be_bytes());
        record.extend([8, 0x10, gap(bytes, list) as u8]);
        record.extend(class(5).to_be_bytes());
        record.extend(2_u32.to_be_bytes());
        for reference in [text, longs] {
            record.extend((gap(list, reference) as i16).to_be_bytes());
        }
        record.extend(4_u32.to_be_bytes());
        record.extend((SIZES[3] as u32 / 4).to_be_bytes());
        record.extend([0x20 | 7 << 2, gap(list, longs) as u8, 5]);
        record.extend((SIZES[4] as u32 / 4).to_be_bytes());
        before = longs;
        out.write_all(&record)?;
    }
    out.write_all(&[3])
}

/// The distance from one address to another in units of four bytes.
fn gap(from: u64, to: u64) -> i64 {
    (to as i64 - from as i64) / 4
}
