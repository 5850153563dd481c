//! Reads Ruby heap dumps: what `ObjectSpace.dump_all` writes, one JSON object a line, from Ruby 2.1 on.
//!
//! ```text
//! {"type":"ROOT", "root":"vm", "references":["0x7f0000001000"]}
//! {"address":"0x7f0000001000", "type":"CLASS", "class":"0x7f0000001028", "name":"Page", "memsize":600}
//! {"address":"0x7f0000001050", "type":"OBJECT", "class":"0x7f0000001000", "ivars":3, "memsize":40}
//! ```
//!
//! Objects are nodes by address, the roots of one name are one node. `memsize` is the size. An object's class is the
//! nearest of its ancestors that a program has written, not its singleton. References lack the class, though the collector
//! marks it: an edge `<class>` is added. Labels are given where the dump leaves no doubt (`edges`). Allocation sites,
//! generations, shapes and flags are fields in the namespace `ruby`; shapes are extension records, free slots are counted.
//!
//! What Ruby writes is not always JSON (`line`); a line that cannot be read at all is left out, and the first of them is
//! the error at the end. The file may hold several dumps, one behind the other: where objects and then a root of a name come
//! behind a root of that name, the next one begins. So the lines of one dump may have any order.
//!
//! # Memory
//!
//! A class may come behind its objects, and a key behind its hash, so there are up to four passes: classes, shapes and
//! addresses; texts of frozen strings; nodes; edges. Held are about a byte for each object, 16 bytes for each frozen string,
//! some 200 for each class or shape, and the longest line.
//!
//! # Not kept
//!
//! The second word of IMEMO objects where the collector does not mark it; addresses, contents and fields of free slots;
//! keys that no release up to 4.0 writes.

#![allow(
    clippy::type_complexity,
    clippy::struct_field_names,
    clippy::struct_excessive_bools,
    clippy::large_enum_variant,
    clippy::match_same_arms,
    reason = "lines of a dump have the fields and flags that they have"
)]

mod addresses;
mod declare;
mod edges;
mod emit;
mod kinds;
mod line;
mod lines;
mod names;
mod scan;
mod strings;
#[cfg(test)]
mod tests;

use heap_base::{Blob, Result};
use heap_record::wants::Strings;
use heap_record::{Fact, Info, Sink, SnapshotSelector, head};
use memchr::memmem;

use line::Parser;
use lines::{Lines, Place};
use scan::{Record, Scan, record};

/// What `target_source` says.
const FORMAT: &str = "ruby.dump_all";

/// Types that a dump has had, from Ruby 2.1 to 4.0.
const TYPES: [&[u8]; 22] = [
    b"OBJECT",
    b"CLASS",
    b"MODULE",
    b"ICLASS",
    b"FLOAT",
    b"STRING",
    b"REGEXP",
    b"ARRAY",
    b"HASH",
    b"STRUCT",
    b"BIGNUM",
    b"FILE",
    b"DATA",
    b"MATCH",
    b"COMPLEX",
    b"RATIONAL",
    b"SYMBOL",
    b"IMEMO",
    b"NODE",
    b"NONE",
    b"ZOMBIE",
    b"SHAPE",
];

/// True if an input that begins with `head` is of this format.
pub fn sniff(head: &[u8]) -> bool {
    let head = head.trim_ascii_start();
    let line = head.split(|&b| b == b'\n').next().unwrap_or(head);
    // The line of a root may be longer than the head.
    if [&b"{\"type\":\"ROOT\", \"root\":\""[..], b"{\"type\":\"ROOT\",\"root\":\""]
        .iter()
        .any(|begin| line.starts_with(begin))
    {
        return true;
    }
    match Parser::new().parse(line) {
        Ok(line) => match line.root {
            Some(_) => line.kind == b"ROOT",
            None => line.address.is_some() && TYPES.contains(&line.kind),
        },
        Err(_) => line.strip_prefix(b"{\"address\":\"0x").is_some_and(|rest| {
            let kind = memmem::find(&rest[..rest.len().min(40)], b"\"type\":\"").map(|at| &rest[at + 8..]);
            kind.is_some_and(|kind| {
                TYPES
                    .iter()
                    .any(|known| kind.strip_prefix(*known).is_some_and(|rest| rest.starts_with(b"\"")))
            })
        }),
    }
}

/// Reads the dumps that `pick` names.
///
/// # Errors
/// The first line that is damaged, after everything else was emitted; no such dump; failures of the sink.
pub fn read(blob: &Blob, pick: SnapshotSelector, sink: &mut dyn Sink) -> Result {
    let wants = sink.wants();
    let passes = 1 + u64::from(wants.any_nodes()) + 2 * u64::from(wants.any_edges());
    blob.plan_passes(passes);
    // Texts of frozen strings are labels and names.
    let frozen = wants.strings == Strings::All && (wants.any_edges() || wants.any_nodes());
    let mut damage = None;
    let mut count = 0;
    let mut last = None;
    let mut start = Place::default();
    let mut head = false;
    loop {
        let mut scan = Scan::run(blob, start, frozen)?;
        start = scan.end;
        let end = scan.end.number == u64::MAX;
        damage = damage.or_else(|| scan.error());
        let chosen = match pick {
            SnapshotSelector::All => true,
            SnapshotSelector::Number(number) => number == count,
            SnapshotSelector::Last => end,
        };
        if chosen {
            if !std::mem::replace(&mut head, true) {
                declare::head(sink)?;
            }
            if pick == SnapshotSelector::All && !(end && count == 0) {
                let value = count.to_string();
                head::metadata(sink, "heap.snapshot", &value)?;
            }
            if pick == SnapshotSelector::Last && count > 0 {
                declare::others(count, sink)?;
            }
            emit::dump(blob, &mut scan, sink)?;
            last = Some(count);
        }
        count += 1;
        if end || matches!(pick, SnapshotSelector::Number(_)) && chosen {
            break;
        }
    }
    if last.is_none() {
        pick.range(count)?;
    }
    damage.map_or(Ok(()), Err)
}

/// What the begin of the file shows, and how many dumps begin in it.
///
/// # Errors
/// Failures of reading.
pub fn info(blob: &Blob) -> Result<Info> {
    /// Lines that are looked at.
    const LINES: u64 = 100_000;
    let mut lines = Lines::new(blob, Place::default(), blob.len());
    let mut parser = Parser::new();
    let (mut torn, mut traced, mut number) = (false, false, 0);
    // Objects of each dump, slots of all, and names of the roots of the one in work with the slots before the first of each.
    let (mut objects, mut slots) = (vec![0_u64], 0_u64);
    let mut roots: Vec<(Box<[u8]>, u64)> = Vec::new();
    let mut damage = None;
    while number < LINES
        && let Some((place, text)) = lines.next()?
    {
        number = place.number;
        match record(&mut parser, text, &mut torn) {
            Ok(Record::Line(line)) => {
                traced |= line.generation.is_some();
                if let Some(root) = line.root {
                    let before =
                        roots.iter().find(|(name, _)| **name == *root.bytes).map(|&(_, slots)| slots);
                    if before.is_some_and(|before| before < slots) {
                        objects.push(0);
                        roots.clear();
                    }
                    if (before.is_none() || roots.is_empty()) && roots.len() < scan::MOST_ROOTS {
                        roots.push((root.bytes.into(), slots));
                    }
                }
                let slot = line.address.is_some() && line.kind != b"SHAPE";
                slots += u64::from(slot);
                let object = slot && line.kind != b"NONE";
                if let Some(count) = objects.last_mut() {
                    *count += u64::from(object);
                }
            }
            Ok(Record::Rest) => {}
            Err(what) if !text.trim_ascii().is_empty() => {
                damage.get_or_insert_with(|| format!("line {number}: {what}"));
            }
            Err(_) => {}
        }
    }
    let mut facts = vec![("bytes", Fact::Bytes(blob.len())), ("traced", Fact::Flag(traced))];
    let is_whole = number < LINES;
    let of = |&count: &u64| ("objects", Fact::Int(count as i64));
    if let ([count], true) = (&*objects, is_whole) {
        facts.push(of(count));
    }
    if let Some(damage) = damage {
        facts.push(("damage", Fact::Text(damage)));
    }
    let is_series = is_whole && objects.len() > 1;
    let snapshots =
        if is_series { objects.iter().map(|count| vec![of(count)]).collect() } else { Vec::new() };
    Ok(Info { format: FORMAT, producer: Some("Ruby".to_owned()), facts, snapshots, ..Info::default() })
}
