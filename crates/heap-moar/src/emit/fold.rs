//! Nodes added up by kind and name, for sinks that only add up themselves.

use std::collections::BTreeMap;

use heap_base::Result;
use heap_record::{Heap, Node, StringId, index_id};

use super::Stream;
use super::graph::OBJECT;
use crate::rows::{Objects, Rows};

/// Rows that are tallied before the sums are moved on, and bits for the sum of their sizes of 16 bits: nothing overflows.
const TALLY: usize = 1 << 20;
const COUNT: u32 = 40;
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

/// Rows take turns between this many sums of a type: one that was just stored takes longest to be loaded again, and
/// neighbours are often of one type.
const TURNS: usize = 4;

/// Sums that fit a few words: of fewer than 2^20 rows. As large as a line of the cache.
#[derive(Clone, Copy, Debug)]
struct Tally {
    /// Count << 40 | size, by turn, from [`NONE`] on.
    sums: [u64; TURNS],
    external: [u64; TURNS],
}

/// The sum of no rows, as if one were owed: adding the first overflows, which costs nothing to see.
const NONE: u64 = 0u64.wrapping_sub(1 << COUNT);

impl Tally {
    const EMPTY: Self = Self { sums: [NONE; TURNS], external: [0; TURNS] };
}

/// A row of objects as the file has it: size, type, bytes outside the heap.
type Raw = ([u8; 2], [u8; 4], [u8; 8]);

/// Adds a row up. False if it is the first that has its turn of its type, or if the type has no tally.
#[inline]
fn tally(tallies: &mut [Tally], turn: usize, (size, owner, external): Raw) -> bool {
    let Some(tally) = tallies.get_mut(u32::from_le_bytes(owner) as usize) else { return false };
    let (bytes, beyond) = tally.external[turn].overflowing_add(u64::from_le_bytes(external));
    tally.external[turn] = bytes;
    if beyond {
        tally.external[turn] = u64::MAX;
    }
    let (sums, first) = tally.sums[turn].overflowing_add((1 << COUNT) + u64::from(u16::from_le_bytes(size)));
    tally.sums[turn] = sums;
    !first
}

/// Keeps what is rare out of the loop, and its registers with it.
#[cold]
fn note(firsts: &mut Vec<usize>, i: usize) {
    firsts.push(i);
}

/// Adds rows up; gives those that [`tally`] speaks of.
fn tally_all(tallies: &mut [Tally], rows: Objects<'_>) -> Vec<usize> {
    let mut firsts = Vec::new();
    let (sizes, size) = rows.size.as_chunks::<TURNS>();
    let (owners, owner) = rows.owner.as_chunks::<TURNS>();
    let (externals, external) = rows.external.as_chunks::<TURNS>();
    let mut i = 0;
    for ((sizes, owners), externals) in sizes.iter().zip(owners).zip(externals) {
        for turn in 0..TURNS {
            if !tally(tallies, turn, (sizes[turn], owners[turn], externals[turn])) {
                note(&mut firsts, i + turn);
            }
        }
        i += TURNS;
    }
    for (i, ((&size, &owner), &external)) in (i..).zip(size.iter().zip(owner).zip(external)) {
        if !tally(tallies, 0, (size, owner, external)) {
            note(&mut firsts, i);
        }
    }
    firsts
}

/// Totals of objects by type, and of the few other rows by kind and name.
#[derive(Debug)]
pub(super) struct Folds {
    objects: Vec<Fold>,
    /// What was added to objects since the last [`settle`](Self::settle).
    tallies: Vec<Tally>,
    /// The first row of each type among them.
    firsts: Vec<u64>,
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
        let few = if types <= FEW_TYPES { types } else { 0 };
        Self {
            objects: vec![Fold::default(); types],
            tallies: vec![Tally::EMPTY; few],
            firsts: vec![u64::MAX; few],
            tallied: 0,
            others: BTreeMap::new(),
        }
    }

    /// Adds rows up that are all objects.
    pub(super) fn objects(&mut self, stream: &mut Stream<'_>, rows: Objects<'_>) {
        if self.tallied + rows.size.len() > TALLY {
            self.settle();
        }
        self.tallied += rows.size.len();
        for i in tally_all(&mut self.tallies, rows) {
            match self.firsts.get_mut(u32::from_le_bytes(rows.owner[i]) as usize) {
                Some(first) => *first = stream.rows.saturating_add(i as u64).min(*first),
                None => self.object(stream, rows, i),
            }
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
        let tallies = self.tallies.iter_mut().zip(&mut self.firsts);
        for (total, (tally, first)) in self.objects.iter_mut().zip(tallies) {
            let Tally { sums, external } = std::mem::replace(tally, Tally::EMPTY);
            let sums = sums.map(|sum| sum.wrapping_sub(NONE));
            let row = std::mem::replace(first, u64::MAX);
            let count = sums.iter().map(|sum| sum >> COUNT).sum();
            if count > 0 {
                let external = external.into_iter().fold(0, u64::saturating_add);
                let size = sums.iter().map(|sum| sum & ((1 << COUNT) - 1)).sum();
                let row = if total.count > 0 { total.row.min(row) } else { row };
                total.add(Fold { row, count, size, external });
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
            _ => self.extension(stream, kind, owner, fold),
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
