//! What to copy of a process: its heap pages, what their headers refer to, its isolates, and other memory that is small.

use std::collections::BTreeSet;

use heap_base::{Error, Result, sort_by_key};

use crate::elf::{Segment, u64_at};
use crate::memory::Memory;
use crate::space::{PAGE, Pages};

use super::process::{FRAME, Mapping, Process};

/// At most this much is copied beside heap pages: stacks and small allocations, in which handles and the characters of
/// external strings are. Large buffers stay out.
const OTHERS: u64 = 256 << 20;
/// Bytes in front of a heap that belong to its isolate, and behind.
const BEFORE: u64 = 64 << 10;
const BEHIND: u64 = 4 << 10;
/// Bytes of a page header and of what it refers to.
const HEADER: usize = 96;

/// Ranges of addresses to copy.
#[derive(Debug)]
pub(super) struct Plan {
    /// In order; none overlap.
    pub(super) ranges: Vec<(u64, u64)>,
    /// Bytes of memory that was touched and is not among them.
    pub(super) left_out: u64,
}

impl Plan {
    /// Finds what to copy of a process as it is now.
    ///
    /// # Errors
    /// The process may not be read, or has no heap pages of V8.
    pub(super) fn of(process: &Process) -> Result<Self> {
        let own: Vec<Mapping> = process.mappings()?.into_iter().filter(Mapping::is_own).collect();
        let segments: Vec<Segment> =
            own.iter().map(|m| Segment { start: m.start, end: m.end, offset: m.start }).collect();
        let memory = Memory::new(process.memory()?, &segments);
        let pages = Pages::find(&memory).ok_or_else(|| {
            let pid = process.pid;
            let path = process.path().unwrap_or_default();
            match crate::version::advice(&[&path]) {
                Some(advice) => Error::refused(advice),
                None => Error::refused(format!(
                    "no heap pages of V8 in process {pid}: it does not run Node, or a version not known"
                )),
            }
        })?;
        let mut ranges: Vec<(u64, u64)> =
            pages.pages.iter().map(|p| (p.start, p.end.next_multiple_of(FRAME))).collect();
        let mut frames = BTreeSet::new();
        let mut need = |from: u64, to: u64| frames.extend(from / FRAME..to.div_ceil(FRAME));
        for heap in pages.heaps() {
            need(heap.saturating_sub(BEFORE), heap.saturating_add(BEHIND));
        }
        // A header refers to the space that owns the page, in newer versions by way of its metadata.
        for page in &pages.pages {
            for near in pointers(process, page.start) {
                if own.iter().any(|m| (m.start..m.end).contains(&near)) && pages.at(near).is_none() {
                    need(near, near + HEADER as u64);
                    pointers(process, near).for_each(|far| need(far, far + HEADER as u64));
                }
            }
        }
        let mut left_out = 0;
        let mut room = OTHERS;
        let mut others: Vec<Vec<(u64, u64)>> =
            own.iter().filter(|m| m.writable).map(|m| outside(process, m, &pages)).collect();
        let bytes = |runs: &[(u64, u64)]| runs.iter().map(|(start, end)| end - start).sum::<u64>();
        sort_by_key(&mut others, |runs| bytes(runs));
        for runs in others {
            if bytes(&runs) <= room {
                room -= bytes(&runs);
                ranges.extend(runs);
            } else {
                left_out += bytes(&runs);
            }
        }
        let frames = frames.into_iter().map(|frame| (frame * FRAME, (frame + 1) * FRAME));
        ranges.extend(frames.filter(|(start, _)| own.iter().any(|m| (m.start..m.end).contains(start))));
        Ok(Self { ranges: joined(ranges), left_out })
    }

    /// How many bytes that is.
    pub(super) fn bytes(&self) -> u64 {
        self.ranges.iter().map(|(start, end)| end - start).sum()
    }
}

/// What may be addresses in the first words of a structure.
fn pointers(process: &Process, at: u64) -> impl Iterator<Item = u64> {
    let mut bytes = [0; HEADER];
    let n = process.read(at, &mut bytes);
    let words: Vec<u64> = (0..n / 8).map(|i| u64_at(&bytes, 8 * i)).collect();
    words.into_iter().filter(|word| *word > PAGE && *word < 1 << 56)
}

/// The touched parts of a mapping that are no heap pages.
fn outside(process: &Process, mapping: &Mapping, pages: &Pages) -> Vec<(u64, u64)> {
    let mut gaps = Vec::new();
    let mut at = mapping.start;
    let first = pages.pages.partition_point(|p| p.end <= mapping.start);
    for page in &pages.pages[first..] {
        if page.start >= mapping.end {
            break;
        }
        if at < page.start {
            gaps.push((at, page.start));
        }
        at = page.end.next_multiple_of(FRAME);
    }
    if at < mapping.end {
        gaps.push((at, mapping.end));
    }
    gaps.into_iter().flat_map(|(start, end)| process.touched(start, end)).collect()
}

/// Ranges in order; those that overlap become one. Those that touch stay apart: a stack ends where its mapping does.
fn joined(mut ranges: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    heap_base::sort(&mut ranges);
    let mut out: Vec<(u64, u64)> = Vec::with_capacity(ranges.len());
    for (start, end) in ranges {
        match out.last_mut() {
            Some(last) if start < last.1 => last.1 = last.1.max(end),
            _ => out.push((start, end)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn ranges_join() {
        let ranges = vec![(8, 9), (1, 3), (3, 4), (2, 3), (20, 30), (21, 32)];
        assert_eq!(joined(ranges), [(1, 3), (3, 4), (8, 9), (20, 32)]);
    }
}
