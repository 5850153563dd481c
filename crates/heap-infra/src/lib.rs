//! Two sources of allocation tables: Chromium's memory-infra heap dumps and V8's sampling heap profiles.
//!
//! # Memory-infra
//!
//! A trace-event file, an object with `traceEvents` or just that array, in which events of phase `v` hold memory dumps
//! of one process each. Their member `heaps` or `heaps_v2` lists what is allocated, by backtrace and by type:
//!
//! - `heaps`, first entry without `bt`: the previous format, own sizes by backtrace;
//! - `heaps` otherwise: v1, *cumulative* cells (backtrace prefix × type or all types), cut off at small values;
//! - `heaps_v2`: dictionaries, and rows of own size and count by backtrace and type.
//!
//! Frame and type names of `heaps` come in events of their own, mostly at the end. The format grew in Chromium's
//! `base/trace_event/heap_profiler_*` and `components/services/heap_profiling/json_exporter.cc`; its other reader is
//! Catapult's importer (`tracing/tracing/extras/importer/`).
//!
//! Every process and allocator becomes a tree: a `heap.root`, `heap.frame` nodes, edges `heap.calls`, and a
//! `heap.allocation` below its frame for each own value. So the dominator tree is the tree of backtraces and a retained
//! size is a cumulative size. What v1 gives is passed on as `chrome.cell` records too. Its nodes add up to these cells by
//! stack, by type and over all; what is below its cutoff has the class `<other>`, and lies at the last frame that the
//! dump knows. Which type lies where below the cutoff v1 does not say: an allocation that may belong to another frame
//! says `"chrome":{"exact":false}`, and the root how many bytes such are (`unplaced`). Where v1 gives no total for a
//! frame, the larger of its parts' sums replaces it, a lower bound, and the frame says `"exact":false`.
//!
//! Snapshot N is the N-th *global* dump by time: all process dumps with the same id. `chrome.pid` and
//! `chrome.allocator` are fields of every node.
//!
//! # Memory and time
//!
//! Two passes: one finds the dumps and balances what it skips, one reads the chosen dumps. Held are a window of 128 KiB,
//! about 64 bytes per memory-dump event, and for the processes of one snapshot
//! 60 bytes per frame, 30 per type or string and 80 per distinct text beside its length; then per process,
//! allocator and snapshot 16 bytes per v2 row or 200 per v1 entry, and 60 per frame in use. Nothing recurses, and a trace
//! may be one line.
//!
//! # Not kept
//!
//! Other events; frames and types that no heap of the snapshot uses; v2's string ids and extra columns; regions that
//! hold no code in use; of regions the resident sizes; of allocators all but the totals of those with a heap.

pub mod profile;
pub mod trace;

mod cube;
mod declare;
mod dict;
mod emit;
mod group;
mod heap;
mod ids;
mod index;
mod load;
mod names;
mod regions;
mod rows;
mod scan;
mod texts;
mod v1;
mod v2;
pub mod writer;

#[cfg(test)]
mod tests;

use heap_base::{Blob, Result};
use heap_record::{Info, Sink, SnapshotSelector};

/// Bytes of the input that [`sniff`] is asked about.
const HEAD: usize = 64 << 10;

/// Whether a file that begins with these bytes is one of the two formats.
pub fn sniff(head: &[u8]) -> bool {
    profile::sniff(head) || trace::sniff(head)
}

/// Reads either format.
///
/// # Errors
/// Damage, after every intact record before it; no such snapshot; failures of the sink.
pub fn read(blob: &Blob, pick: SnapshotSelector, sink: &mut dyn Sink) -> Result {
    if is_profile(blob)? { profile::read(blob, pick, sink) } else { trace::read(blob, pick, sink) }
}

/// Facts about the file.
///
/// # Errors
/// The file cannot be read.
pub fn info(blob: &Blob) -> Result<Info> {
    if is_profile(blob)? { profile::info(blob) } else { trace::info(blob) }
}

fn is_profile(blob: &Blob) -> Result<bool> {
    let mut head = vec![0; HEAD.min(usize::try_from(blob.len()).unwrap_or(HEAD))];
    let n = blob.read_at(&mut head, 0)?;
    head.truncate(n);
    Ok(profile::sniff(&head))
}
