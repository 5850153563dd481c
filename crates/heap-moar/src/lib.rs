//! MoarVM heap snapshots (`.mvmheap`), all three versions of what `raku --profile=x.mvmheap` writes.
//!
//! The format is defined by its writer, `src/profiler/heapsnapshot.c` of MoarVM/MoarVM, and described in that
//! repository's `docs/heapsnapshot.md` (with faults: `topIDs` are indexes of types and static frames, blocks of
//! strings have no entry size, a table of contents follows every snapshot). A file holds snapshots one after the
//! other, and three tables that grow with them: strings, types (REPR and name), static frames.
//! A snapshot is two tables: collectables (kind, size, type or static frame, unmanaged size, range of references)
//! and references (description, target).
//!
//! - Version 3 (2019.11 on, with libzstd): each column is a block of its own with a zstd frame of unknown length. All
//!   columns are read side by side, and only those that the sink needs. The table of contents at the end is used
//!   if all of it holds true; otherwise the blocks are found front to back by hopping over the frames' headers.
//! - Version 2 (2017.09 on, and today's builds without libzstd): tagged tables of rows, in three dialects.
//! - Version 1 (2016.04 to 2017.08): text.
//!
//! # What becomes what
//!
//! Row n is the node 2n + 1; the root is row 0. Kinds are the subtypes, with their numbers. An object's `heap.class` is
//! the name of its type. Type objects and STables describe a type but are no instances of it, so they have that name as
//! `heap.name`, as frames have that of their static frame. The index of the type or frame is `moar.type`, `moar.frame`.
//! All rows have `heap.size` and `heap.external`, their bytes inside and outside the collector's heap.
//!
//! A reference is an edge `moar.reference`: no label says that nothing is known, the string −(i+1) that it is number i,
//! another string is its name. Numbers beyond 32 bits are `moar.index`; what has no other form is kept as
//! `moar.description`. Edges that leave the inter-generational roots are `moar.intergen`: old objects that point at
//! young ones, listed until the next full collection, which pays no heed to the list. So they are declared as edges that
//! do not retain: what only they lead to is garbage.
//!
//! Types, static frames and high scores are the records `moar.type`, `moar.static_frame`, `moar.highscore`; the JSON
//! of the file and of the snapshot are metadata, each scalar as `moar.<key>` and the text as it is as `moar.filemeta`,
//! `moar.snapmeta`. With that a file of version 3 can be written again with the same tables. Not kept: entry
//! sizes, byte order, blocks that nobody knows, and where rows without references have their empty range.
//!
//! # Time and memory
//!
//! References belong to rows by ranges that tile the table in no order, so edges come in the order of the table, and
//! their sources are found by sorting: 8 bytes for each node with references; 4 more for each node if the ranges are
//! found not to tile. If no edges are asked for, no memory is used per node. Besides: a bit per number used as a label, 16
//! bytes per type, 32 per static frame, and a window of up to 8 MiB (MoarVM: 4 MiB) for each of at most eight columns.
//! Claims are checked against the bytes that are there, so hostile files cost time in proportion to what they decode
//! to, and memory of at most 512 times the bytes of their reference columns.
//! `cargo bench -p heap-tools-moar` has figures.
//!
//! # Damage
//!
//! All intact records are emitted, then the error says what is damaged. `SnapshotSelector::Last` takes the last intact
//! snapshot of a cut file. What can be read of a cut snapshot comes by its number or with `SnapshotSelector::All`.

mod bytes;
mod container;
mod damage;
mod emit;
mod frame;
mod kinds;
mod ranges;
mod rows;
#[cfg(test)]
mod tests;
mod v1;
mod v2;
mod v3;
pub mod writer;

use std::ops::Range;
use std::sync::atomic::Ordering;

use heap_base::{Blob, Error, Result};
use heap_record::{Info, Sink, SnapshotSelector};

/// What `target_source` says.
const FORMAT: &str = "moarvm.mvmheap";
const MAGIC_2: &[u8] = b"MoarHeapDumpv002";
const MAGIC_3: &[u8] = b"MoarHeapDumpv003";
/// Bytes that show the version.
const HEAD: usize = 4096;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    One,
    Two,
    Three,
}

fn version(head: &[u8]) -> Option<Version> {
    if head.starts_with(MAGIC_3) {
        Some(Version::Three)
    } else if head.starts_with(MAGIC_2) {
        Some(Version::Two)
    } else {
        v1::sniff(head).then_some(Version::One)
    }
}

/// True if a file that begins with `head` is a MoarVM heap snapshot.
pub fn sniff(head: &[u8]) -> bool {
    version(head).is_some()
}

fn version_of(blob: &Blob) -> Result<Version> {
    let mut head = vec![0; HEAD];
    let n = blob.read_at(&mut head, 0)?;
    version(&head[..n]).ok_or_else(|| Error::at_byte(0, "expected a MoarVM heap snapshot"))
}

/// Emits the picked snapshots of `blob`.
///
/// # Errors
/// Damage, after every intact record was emitted; a snapshot that the file does not have; failures of reading and of the
/// sink.
pub fn read(blob: &Blob, pick: SnapshotSelector, sink: &mut dyn Sink) -> Result {
    match version_of(blob)? {
        Version::One => v1::read(blob, pick, sink),
        Version::Two => v2::read(blob, pick, sink),
        Version::Three => v3::read(blob, pick, sink),
    }
}

/// Facts about `blob` and its snapshots, from headers and indexes.
///
/// # Errors
/// A file of another format; failures of reading.
pub fn info(blob: &Blob) -> Result<Info> {
    match version_of(blob)? {
        Version::One => v1::info(blob),
        Version::Two => v2::info(blob),
        Version::Three => v3::info(blob),
    }
}

/// The picked snapshots. The last one is the last intact one, if there is any: a cut snapshot has sizes without names or
/// names without references, and nobody asked for it by its number.
fn choose(pick: SnapshotSelector, intact: &[bool]) -> Result<Range<usize>> {
    if pick == SnapshotSelector::Last
        && let Some(last) = intact.iter().rposition(|&w| w)
    {
        return Ok(last..last + 1);
    }
    let range = pick.range(intact.len() as u64)?;
    Ok(range.start as usize..range.end as usize)
}

/// Sets how many bytes will be read, for the progress bar.
fn plan(blob: &Blob, bytes: u64) {
    blob.meter().total.store(bytes.max(1), Ordering::Relaxed);
}
