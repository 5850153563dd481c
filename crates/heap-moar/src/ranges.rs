//! Which collectable a reference belongs to.
//!
//! Each row has a range of the reference table. The ranges of all rows tile it, but in no order: a collectable is
//! numbered when MoarVM discovers it and gets its references when it comes off a work stack. The references are
//! delivered in the table's order, so what is needed is the rows by the start of their range. A pair of both in
//! one word, sorted, takes 8 bytes per row with references; the counts are needed only where the ranges do not
//! tile, and tiling is checked while the rows go by, in constant space.

use crate::rows::Rows;

/// Bits of a word: start of the range, row, and whether the row is one of inter-generational roots.
const ROW_BITS: u32 = 30;
const START_BITS: u32 = 63 - ROW_BITS;

/// Rows with references, and how their ranges lie.
#[derive(Debug)]
pub(crate) struct Ranges {
    words: Vec<u64>,
    rows: u64,
    limit: u64,
    /// Sums of the hashes of all starts and of all ends.
    starts: u64,
    ends: u64,
    total: u64,
    /// A row has no count or start.
    torn: bool,
    /// More than fits in memory or can be true.
    too_much: bool,
}

/// The row a stretch of the reference table belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Owner {
    pub(crate) row: u64,
    /// True for inter-generational roots.
    pub(crate) intergen: bool,
}

impl Ranges {
    /// For a snapshot with at most `limit` rows that have references.
    pub(crate) fn new(limit: u64) -> Self {
        Self { words: Vec::new(), rows: 0, limit, starts: 0, ends: 0, total: 0, torn: false, too_much: false }
    }

    /// Takes the next rows in.
    pub(crate) fn add(&mut self, batch: &Rows) {
        let first = self.rows;
        self.rows += batch.kind.len() as u64;
        self.torn |= batch.count.len() < batch.kind.len() || batch.start.len() < batch.kind.len();
        if self.too_much {
            return;
        }
        for (i, ((&kind, &count), &start)) in
            batch.kind.iter().zip(&batch.count).zip(&batch.start).enumerate()
        {
            if count == 0 {
                continue;
            }
            let row = first + i as u64;
            let end = start.saturating_add(count);
            if row >> ROW_BITS != 0 || end >> START_BITS != 0 || self.words.len() as u64 >= self.limit {
                self.too_much = true;
                self.words = Vec::new();
                return;
            }
            self.words.push(start << (ROW_BITS + 1) | row << 1 | u64::from(kind == 10));
            self.starts = self.starts.wrapping_add(mix(start));
            self.ends = self.ends.wrapping_add(mix(end));
            self.total += count;
        }
    }

    /// Number of rows seen.
    pub(crate) fn rows(&self) -> u64 {
        self.rows
    }

    /// Why no reference has a known owner, if so.
    pub(crate) fn hopeless(&self) -> Option<&'static str> {
        self.too_much.then_some("more rows with references than the file can hold")
    }

    /// True if each reference belongs to exactly one row. Every range starts where another ends, except that one
    /// starts at 0 and one ends at the total: as all ranges go forward, that leaves only a single chain. Equal
    /// sums of hashes mean equal sets; by chance that errs once in 2^64 files.
    pub(crate) fn tile(&self) -> bool {
        let chain = mix(self.total).wrapping_sub(mix(0));
        !self.torn && self.ends.wrapping_sub(self.starts) == chain
    }

    /// Sorts by start. `counts` by row, needed where the ranges do not tile.
    pub(crate) fn sort(mut self, counts: Option<Vec<u32>>) -> Owners {
        self.words.sort_unstable();
        Owners { words: self.words, counts, total: self.total, next: 0 }
    }
}

/// The owners of references, in the order of the table.
#[derive(Debug)]
pub(crate) struct Owners {
    words: Vec<u64>,
    counts: Option<Vec<u32>>,
    total: u64,
    next: usize,
}

impl Owners {
    /// References that the rows claim to have.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// The owner of reference `at`, and the number of the first reference after it that may have another one.
    /// Must be called with growing `at`. Where ranges overlap, the later start wins.
    pub(crate) fn at(&mut self, at: u64) -> (Option<Owner>, u64) {
        const START: u32 = ROW_BITS + 1;
        while self.words.get(self.next).is_some_and(|w| w >> START <= at) {
            self.next += 1;
        }
        let until = self.words.get(self.next).map(|w| w >> START);
        let Some(&word) = self.next.checked_sub(1).and_then(|i| self.words.get(i)) else {
            return (None, until.unwrap_or(u64::MAX));
        };
        let row = word >> 1 & ((1 << ROW_BITS) - 1);
        let end = match &self.counts {
            None => self.total,
            Some(counts) => (word >> START) + u64::from(counts.get(row as usize).copied().unwrap_or(0)),
        };
        if at < end {
            (Some(Owner { row, intergen: word & 1 != 0 }), until.map_or(end, |u| u.min(end)))
        } else {
            (None, until.unwrap_or(u64::MAX))
        }
    }
}

/// Spreads a number over 64 bits (the finalizer of SplitMix64).
fn mix(n: u64) -> u64 {
    let n = n.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let n = (n ^ n >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let n = (n ^ n >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    n ^ n >> 31
}
