//! MoarVM heap snapshots (`.mvmheap`), all three versions of the file that `raku --profile-kind=heap` writes.

mod bytes;
mod container;
mod damage;
mod emit;
mod frame;
mod ranges;
mod rows;
mod v1;
mod v2;
mod v3;

use std::ops::Range;
use std::sync::atomic::Ordering;

use heap_record::{Blob, Error, Info, Pick, Result, Sink};

const MAGIC_2: &[u8] = b"MoarHeapDumpv002";
const MAGIC_3: &[u8] = b"MoarHeapDumpv003";
/// Enough to tell the version.
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

/// Delivers the picked snapshots of `blob`. What is wrong with the file is told after all that is sound.
pub fn read(blob: &Blob, pick: Pick, sink: &mut dyn Sink) -> Result {
    match version_of(blob)? {
        Version::One => v1::read(blob, pick, sink),
        Version::Two => v2::read(blob, pick, sink),
        Version::Three => v3::read(blob, pick, sink),
    }
}

/// What headers and indexes tell of `blob`.
pub fn info(blob: &Blob) -> Result<Info> {
    match version_of(blob)? {
        Version::One => v1::info(blob),
        Version::Two => v2::info(blob),
        Version::Three => v3::info(blob),
    }
}

/// The picked snapshots. The last one is the last whole one, if there is any: half a snapshot has sizes without
/// names or names without references, which is no answer to a question that did not ask for it.
fn choose(pick: Pick, whole: &[bool]) -> Result<Range<usize>> {
    if pick == Pick::Last
        && let Some(last) = whole.iter().rposition(|&w| w)
    {
        return Ok(last..last + 1);
    }
    let range = pick.range(whole.len() as u64)?;
    Ok(range.start as usize..range.end as usize)
}

/// Tells the progress bar how many bytes will be read.
fn plan(blob: &Blob, bytes: u64) {
    blob.meter().total.store(bytes.max(1), Ordering::Relaxed);
}
