//! Nodes added up by kind and name, for sinks that only add up themselves.

use std::collections::BTreeMap;

use heap_record::{Heap, Node, Result, StringId, index_id};

use super::Stream;
use super::graph::OBJECT;
use crate::rows::{Objects, Rows};

/// Rows that are tallied before the sums are moved on, bits for the sum of their sizes of 16 bits, and bits that the
/// bytes outside the heap of each may have: nothing overflows.
const TALLY: usize = 1 << 20;
const COUNT: u32 = 40;
const EXTERNAL: u32 = 43;
/// With more types than this the tallies do not stay in the cache, and are of no use.
const FEW_TYPES: usize = 1 << 16;

/// Rows that look the same to a sum.
#[derive(Clone, Copy, Debug, Default)]
struct Fold {
    /// The first of them.
    row: u64,
    count: u64,
    size: u64,
    external: u64,
}

/// Sums that fit a few words: of fewer than 2^20 rows.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    /// Count << 40 | size.
    sums: u64,
    external: u64,
    /// The first row.
    row: u64,
}

/// Adds a row up, as the file has it; false if its type has no tally.
#[inline]
fn tally(tallies: &mut [Tally], row: u64, size: [u8; 2], owner: [u8; 4], external: [u8; 8]) -> bool {
    let Some(tally) = tallies.get_mut(u32::from_le_bytes(owner) as usize) else { return false };
    if tally.sums == 0 {
        tally.row = row;
    }
    tally.sums += 1 << COUNT | u64::from(u16::from_le_bytes(size));
    tally.external += u64::from_le_bytes(external);
    true
}

/// Totals of objects by type, and of the few other rows by kind and name.
#[derive(Debug)]
pub(super) struct Folds {
    objects: Vec<Fold>,
    /// What was added to objects since the last [`settle`](Self::settle). Rows take turns between two tallies: a sum
    /// that was just stored takes longest to be loaded again, and neighbours are often of one type.
    tallies: [Vec<Tally>; 2],
    tallied: usize,
    others: BTreeMap<(u64, Option<StringId>), Fold>,
}

impl Fold {
    #[inline]
    fn add(&mut self, other: Self) {
        if self.count == 0 {
            self.row = other.row;
        }
        self.count += other.count;
        self.size = self.size.saturating_add(other.size);
        self.external = self.external.saturating_add(other.external);
    }
}

impl Folds {
    pub(super) fn new(types: usize) -> Self {
        let tallies = || vec![Tally::default(); if types <= FEW_TYPES { types } else { 0 }];
        Self {
            objects: vec![Fold::default(); types],
            tallies: [tallies(), tallies()],
            tallied: 0,
            others: BTreeMap::new(),
        }
    }

    /// Adds rows up that are all objects.
    pub(super) fn objects(&mut self, stream: &mut Stream<'_>, rows: Objects<'_>) {
        let bits = rows.external.iter().fold(0, |bits, &n| bits | u64::from_le_bytes(n));
        if bits >> EXTERNAL != 0 {
            for i in 0..rows.size.len() {
                self.object(stream, rows, i);
            }
            return;
        }
        if self.tallied + rows.size.len() > TALLY {
            self.settle();
        }
        self.tallied += rows.size.len();
        let [even, odd] = &mut self.tallies;
        let (sizes, size) = rows.size.as_chunks::<2>();
        let (owners, owner) = rows.owner.as_chunks::<2>();
        let (externals, external) = rows.external.as_chunks::<2>();
        let mut row = stream.rows;
        let mut strange = Vec::new();
        for ((size, owner), external) in sizes.iter().zip(owners).zip(externals) {
            if !tally(even, row, size[0], owner[0], external[0]) {
                strange.push(row);
            }
            if !tally(odd, row + 1, size[1], owner[1], external[1]) {
                strange.push(row + 1);
            }
            row += 2;
        }
        for ((&size, &owner), &external) in size.iter().zip(owner).zip(external) {
            if !tally(even, row, size, owner, external) {
                strange.push(row);
            }
        }
        for row in strange {
            self.object(stream, rows, (row - stream.rows) as usize);
        }
    }

    /// Adds one of the rows up without a tally.
    fn object(&mut self, stream: &mut Stream<'_>, rows: Objects<'_>, i: usize) {
        let fold = Fold {
            row: stream.rows + i as u64,
            count: 1,
            size: u16::from_le_bytes(rows.size[i]).into(),
            external: u64::from_le_bytes(rows.external[i]),
        };
        self.row(stream, OBJECT, u32::from_le_bytes(rows.owner[i]).into(), fold);
    }

    /// Moves the tallies on.
    fn settle(&mut self) {
        self.tallied = 0;
        for tallies in &mut self.tallies {
            for (total, tally) in self.objects.iter_mut().zip(tallies).filter(|(_, tally)| tally.sums > 0) {
                let Tally { sums, external, row } = std::mem::take(tally);
                let row = if total.count > 0 { total.row.min(row) } else { row };
                total.add(Fold { row, count: sums >> COUNT, size: sums & ((1 << COUNT) - 1), external });
                total.row = row;
            }
        }
    }

    /// Adds a batch up; false, and nothing done, if a column lacks rows: then what is not known must be told
    /// row by row.
    pub(super) fn add(&mut self, stream: &mut Stream<'_>, batch: &Rows) -> bool {
        let n = batch.kind.len();
        if batch.owner.len() != n || batch.size.len() != n || batch.external.len() != n {
            return false;
        }
        let columns = batch.kind.iter().zip(&batch.owner).zip(&batch.size).zip(&batch.external);
        for (row, (((&kind, &owner), &size), &external)) in (stream.rows..).zip(columns) {
            self.row(stream, kind, owner, Fold { row, count: 1, size, external });
        }
        true
    }

    #[inline]
    fn row(&mut self, stream: &mut Stream<'_>, kind: u64, owner: u64, fold: Fold) {
        match self.objects.get_mut(owner as usize) {
            Some(total) if kind == OBJECT => total.add(fold),
            _ => self.other(stream, kind, owner, fold),
        }
    }

    #[cold]
    fn other(&mut self, stream: &mut Stream<'_>, kind: u64, owner: u64, fold: Fold) {
        let key = (kind, stream.name(kind, Some(owner)));
        self.others.entry(key).or_default().add(fold);
    }

    /// Delivers a node for each group.
    pub(super) fn deliver(mut self, stream: &mut Stream<'_>) -> Result {
        self.settle();
        for (owner, fold) in (0..).zip(self.objects) {
            if fold.count == 0 {
                continue;
            }
            let class = stream.name(OBJECT, Some(owner));
            if class.is_none() {
                stream.counts.names += fold.count - 1;
            }
            stream.sink.node(&fold.node(OBJECT, class))?;
        }
        for ((kind, name), fold) in self.others {
            stream.sink.node(&fold.node(kind, name))?;
        }
        Ok(())
    }
}

impl Fold {
    fn node(self, kind: u64, name: Option<StringId>) -> Node<'static> {
        let (class, name) = if kind == OBJECT { (name, None) } else { (None, name) };
        let (size, external, count) = (Some(self.size), Some(self.external), Some(self.count));
        let heap = Heap { size, class, name, external, count, ..Heap::default() };
        Node { subtype: kind as u32, id: index_id(self.row), heap, ..Node::default() }
    }
}
