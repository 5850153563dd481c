//! Records of a few numbers in temporary files: in the order in which they came, or sorted.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use heap_base::spool::{Reader, push_varint, zigzag};
use heap_base::{Result, Spool};

/// Appends a record, coded by its distance from the one before.
#[inline]
fn put<const K: usize>(record: &[u32; K], before: &[u32; K], out: &mut Vec<u8>) {
    for (&n, &b) in record.iter().zip(before) {
        push_varint(out, zigzag(i64::from(n) - i64::from(b)));
    }
}

/// Reads what [`put`] wrote.
#[inline]
fn get<const K: usize>(before: &mut [u32; K], reader: &mut Reader<'_>) -> Result {
    for b in before {
        *b = (i64::from(*b) + reader.signed()?) as u32;
    }
    Ok(())
}

/// Records in the order in which they came, that can be read backwards.
#[derive(Debug)]
pub(super) struct Records<const K: usize> {
    spool: Spool,
    /// Offset of each block; a block begins without a record before it.
    blocks: Vec<u64>,
    /// Records of a block, and how many there are in the last one.
    many: usize,
    last: usize,
    before: [u32; K],
}

impl<const K: usize> Records<K> {
    /// None yet; blocks have so many.
    pub(super) fn new(many: usize) -> Self {
        let spool = Spool::with_memory(many * 8);
        Self { spool, blocks: Vec::new(), many, last: many, before: [0; K] }
    }

    pub(super) fn push(&mut self, record: [u32; K]) -> Result {
        if self.last == self.many {
            self.blocks.push(self.spool.len());
            (self.last, self.before) = (0, [0; K]);
        }
        self.last += 1;
        let before = std::mem::replace(&mut self.before, record);
        self.spool.build(|out| put(&record, &before, out))
    }

    /// All, the last one first or last.
    pub(super) fn each(&self, forwards: bool, mut each: impl FnMut([u32; K]) -> Result) -> Result {
        let mut records = Vec::with_capacity(self.many.min(1 << 20));
        for at in 0..self.blocks.len() {
            let at = if forwards { at } else { self.blocks.len() - 1 - at };
            let mut reader = self.spool.reader_at(self.blocks[at]);
            let mut record = [0; K];
            records.clear();
            for _ in 0..if at + 1 == self.blocks.len() { self.last } else { self.many } {
                get(&mut record, &mut reader)?;
                records.push(record);
            }
            if !forwards {
                records.reverse();
            }
            for &record in &records {
                each(record)?;
            }
        }
        Ok(())
    }
}

/// Reads records one by one.
#[derive(Debug)]
pub(super) struct OneByOne<'a, const K: usize> {
    records: &'a Records<K>,
    reader: Reader<'a>,
    /// Blocks and records of the present one that are behind.
    blocks: usize,
    done: usize,
    record: [u32; K],
}

impl<'a, const K: usize> OneByOne<'a, K> {
    pub(super) fn new(records: &'a Records<K>) -> Self {
        let reader = records.spool.reader();
        Self { records, reader, blocks: 0, done: records.many, record: [0; K] }
    }

    /// The next one, if there is one.
    pub(super) fn next(&mut self) -> Result<Option<[u32; K]>> {
        let Records { blocks, many, last, .. } = self.records;
        if self.done == if self.blocks == blocks.len() { *last } else { *many } {
            if self.blocks == blocks.len() {
                return Ok(None);
            }
            (self.blocks, self.done, self.record) = (self.blocks + 1, 0, [0; K]);
        }
        self.done += 1;
        get(&mut self.record, &mut self.reader)?;
        Ok(Some(self.record))
    }
}

/// Sorts records: those that fit in memory make a run in a file, and runs are merged.
#[derive(Debug)]
pub(super) struct Sorter<const K: usize> {
    /// Records in memory at most.
    room: usize,
    /// Runs that are merged at a time at most.
    fan: usize,
    records: Vec<[u32; K]>,
    spool: Spool,
    /// Where each run begins, and how many records it has.
    runs: Vec<(u64, u64)>,
}

impl<const K: usize> Sorter<K> {
    /// One that takes so many bytes of memory.
    pub(super) fn new(bytes: usize, fan: usize) -> Self {
        let room = (bytes / (4 * K)).max(2);
        let spool = Spool::with_memory((bytes / 16).min(1 << 20));
        Self { room, fan, records: Vec::new(), spool, runs: Vec::new() }
    }

    #[inline]
    pub(super) fn push(&mut self, record: [u32; K]) -> Result {
        if self.records.len() == self.records.capacity() {
            self.grow()?;
        }
        self.records.push(record);
        Ok(())
    }

    #[cold]
    fn grow(&mut self) -> Result {
        if self.records.len() >= self.room {
            self.flush()?;
        } else {
            let more = self.records.len().max(1 << 10).min(self.room - self.records.len());
            self.records.reserve_exact(more);
        }
        Ok(())
    }

    /// Makes a run of what is in memory.
    fn flush(&mut self) -> Result {
        self.records.sort_unstable();
        self.runs.push((self.spool.len(), self.records.len() as u64));
        let mut before = [0; K];
        for record in &self.records {
            self.spool.build(|out| put(record, &before, out))?;
            before = *record;
        }
        self.records.clear();
        Ok(())
    }

    /// Puts what is in memory into the file: more comes later, or nothing.
    pub(super) fn rest(&mut self) -> Result {
        if !self.records.is_empty() {
            self.flush()?;
        }
        self.records = Vec::new();
        Ok(())
    }

    /// All records in ascending order.
    pub(super) fn each(mut self, mut each: impl FnMut([u32; K]) -> Result) -> Result {
        if self.runs.is_empty() {
            self.records.sort_unstable();
            return self.records.into_iter().try_for_each(each);
        }
        self.flush()?;
        self.records = Vec::new();
        while self.runs.len() > self.fan {
            let mut spool = Spool::with_memory((self.room * 4 * K / 16).min(1 << 20));
            let mut runs = Vec::new();
            for some in self.runs.chunks(self.fan) {
                let at = spool.len();
                let mut before = [0; K];
                merge(&self.spool, some, |record| {
                    spool.build(|out| put(&record, &before, out))?;
                    before = record;
                    Ok(())
                })?;
                runs.push((at, some.iter().map(|run| run.1).sum()));
            }
            (self.spool, self.runs) = (spool, runs);
        }
        merge(&self.spool, &self.runs, &mut each)
    }
}

/// A run on its way: its next record, where the one after it is read, and how many are left behind that.
struct Run<'a, const K: usize> {
    reader: Reader<'a>,
    left: u64,
}

/// The records of some runs in ascending order.
fn merge<const K: usize>(
    spool: &Spool,
    runs: &[(u64, u64)],
    mut each: impl FnMut([u32; K]) -> Result,
) -> Result {
    let mut open = Vec::with_capacity(runs.len());
    let mut heads = BinaryHeap::with_capacity(runs.len());
    for &(at, count) in runs.iter().filter(|run| run.1 > 0) {
        let mut run = Run::<K> { reader: spool.reader_at(at), left: count - 1 };
        let mut record = [0; K];
        get(&mut record, &mut run.reader)?;
        heads.push(Reverse((record, open.len())));
        open.push(run);
    }
    while let Some(mut head) = heads.peek_mut() {
        let Reverse((record, at)) = &mut *head;
        each(*record)?;
        let run = &mut open[*at];
        if run.left == 0 {
            PeekMut::pop(head);
        } else {
            run.left -= 1;
            get(record, &mut run.reader)?;
        }
    }
    Ok(())
}
