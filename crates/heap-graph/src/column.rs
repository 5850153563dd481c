//! A column of unsigned numbers, one per node, in as few bytes as most of them need.
//!
//! Shallow sizes, classes, subtypes and identifiers of a real heap are small numbers with a few large ones among
//! them. The column takes no bytes while all entries are zero, then one byte per entry, and keeps the few that do not
//! fit in a map; when they become more than one in 64 it widens to two and four bytes. Addresses are large, but near
//! those of their neighbours: the next width is four bytes for the distance from the first of 256, the last is eight. Once no
//! more come, two bytes are enough for most distances, as objects begin at multiples of eight or so.
//! A column that memory lacks room for goes to a file, for good or for a while.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use heap_base::away::{Away, AwayWriter, width_of};
use heap_base::{Plus, Result};

use crate::sparse::Sparse;

/// Numbers by node, see the module's description.
#[derive(Clone, Debug)]
pub struct Column {
    narrow: Narrow,
    wide: BTreeMap<u32, u64>,
}

#[derive(Clone, Debug)]
enum Narrow {
    /// How many there are; all are zero.
    Zero(usize),
    One(Vec<u8>),
    Two(Vec<u16>),
    Four(Vec<u32>),
    Near(Near),
    Close(Close),
    Eight(Vec<u64>),
    /// In a file.
    Away(Arc<Away>),
    /// How many there are; most are zero.
    Rare(usize, Box<Sparse>),
}

/// Numbers that are near their neighbours.
#[derive(Clone, Debug, Default)]
struct Near {
    /// The first number of each [`BLOCK`].
    bases: Vec<u64>,
    /// How far each is from there, [`FAR`] if that does not fit.
    distances: Vec<i32>,
}

/// How many neighbours are compared with the first of them.
const BLOCK: usize = 256;
/// The mark of a number that is not near.
const FAR: i32 = i32::MIN;

impl Near {
    /// Appends a number; false if it is far from the first of its block, and only a mark was appended.
    #[inline]
    fn push(&mut self, n: u64) -> bool {
        if self.distances.len().is_multiple_of(BLOCK) {
            self.bases.push(n);
        }
        self.distances.push(FAR);
        self.set(self.distances.len() - 1, n)
    }

    /// Changes a number; false if it is far from the first of its block, and a mark is in its place.
    #[inline]
    fn set(&mut self, at: usize, n: u64) -> bool {
        let distance = i32::try_from(n.wrapping_sub(self.bases[at / BLOCK]).cast_signed()).unwrap_or(FAR);
        self.distances[at] = distance;
        distance != FAR
    }

    /// A number; none if it is far from the first of its block.
    #[inline]
    fn get(&self, at: usize) -> Option<u64> {
        let distance = self.distances[at];
        (distance != FAR).then(|| self.bases[at / BLOCK].wrapping_add_signed(distance.into()))
    }
}

/// The same when no more come: distances in units of a power of two.
#[derive(Clone, Debug)]
struct Close {
    bases: Vec<u64>,
    shift: u32,
    /// [`APART`] if the distance does not fit.
    distances: Vec<i16>,
}

/// The mark of a number that is not close.
const APART: i16 = i16::MIN;

impl Close {
    /// The numbers of `near` as far as they fit, and which do not of those that did before.
    fn of(near: &Near) -> (Self, Vec<u32>) {
        let fit = near.distances.iter().filter(|&&distance| distance != FAR);
        let shift = fit.fold(0, |bits, distance| bits | distance).trailing_zeros().min(31);
        let mut apart = Vec::new();
        let close = |(at, &distance): (u32, &i32)| {
            let close = i16::try_from(distance >> shift).unwrap_or(APART);
            if close == APART && distance != FAR {
                apart.push(at);
            }
            if distance == FAR { APART } else { close }
        };
        let distances = (0..).zip(&near.distances).map(close).collect();
        (Self { bases: near.bases.clone(), shift, distances }, apart)
    }

    /// A number; none if it is not close to the first of its block.
    #[inline]
    fn get(&self, at: usize) -> Option<u64> {
        let distance = self.distances[at];
        let whole = || self.bases[at / BLOCK].wrapping_add_signed(i64::from(distance) << self.shift);
        (distance != APART).then(whole)
    }
}

/// Of so many entries one may be another number than zero where most are.
const RARE: usize = 16;
/// How many entries beyond one in 64 the map may hold before the column widens.
const SLACK: usize = 256;

impl Default for Column {
    fn default() -> Self {
        Self { narrow: Narrow::Zero(0), wide: BTreeMap::new() }
    }
}

impl Column {
    /// An empty column.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many entries it has.
    pub fn len(&self) -> usize {
        match &self.narrow {
            Narrow::Zero(len) | Narrow::Rare(len, _) => *len,
            Narrow::One(v) => v.len(),
            Narrow::Two(v) => v.len(),
            Narrow::Four(v) => v.len(),
            Narrow::Near(v) => v.distances.len(),
            Narrow::Close(v) => v.distances.len(),
            Narrow::Eight(v) => v.len(),
            Narrow::Away(v) => v.len(),
        }
    }

    /// Bytes of memory that it takes for its entries.
    pub(crate) fn bytes(&self) -> u64 {
        let each = match &self.narrow {
            Narrow::Zero(_) | Narrow::Away(_) => 0,
            Narrow::One(_) => 1,
            Narrow::Two(_) | Narrow::Close(_) => 2,
            Narrow::Four(_) | Narrow::Near(_) => 4,
            Narrow::Eight(_) => 8,
            Narrow::Rare(_, sparse) => return sparse.bytes(),
        };
        self.len() as u64 * each
    }

    /// True if it has no entry.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// True if all entries are zero.
    pub fn is_zero(&self) -> bool {
        matches!(self.narrow, Narrow::Zero(_)) || self.iter().all(|n| n == 0)
    }

    /// Appends an entry.
    #[inline]
    pub fn push(&mut self, n: u64) {
        match &mut self.narrow {
            Narrow::Zero(len) if n == 0 => *len += 1,
            Narrow::One(v) if n < u64::from(u8::MAX) => v.push(n as u8),
            Narrow::Two(v) if n < u64::from(u16::MAX) => v.push(n as u16),
            Narrow::Four(v) if n < u64::from(u32::MAX) => v.push(n as u32),
            Narrow::Near(v) => {
                if !v.push(n) {
                    self.far(self.len() - 1, n);
                }
            }
            Narrow::Eight(v) => v.push(n),
            _ => self.push_wide(n),
        }
    }

    /// Appends entries, faster than one by one where none of them is large.
    pub fn extend(&mut self, numbers: impl Iterator<Item = u64> + Clone) {
        let largest = numbers.clone().fold(0, u64::max);
        match &mut self.narrow {
            Narrow::Zero(len) if largest == 0 => *len += numbers.count(),
            Narrow::One(v) if largest < u64::from(u8::MAX) => v.extend(numbers.map(|n| n as u8)),
            Narrow::Two(v) if largest < u64::from(u16::MAX) => v.extend(numbers.map(|n| n as u16)),
            Narrow::Four(v) if largest < u64::from(u32::MAX) => v.extend(numbers.map(|n| n as u32)),
            _ => numbers.for_each(|n| self.push(n)),
        }
    }

    #[cold]
    fn push_wide(&mut self, n: u64) {
        let i = self.len();
        let few = self.wide.len() < self.room();
        match &mut self.narrow {
            Narrow::One(v) if few => v.push(u8::MAX),
            Narrow::Two(v) if few => v.push(u16::MAX),
            Narrow::Four(v) if few => v.push(u32::MAX),
            _ => {
                self.widen();
                return self.push(n);
            }
        }
        self.wide.insert(i as u32, n);
    }

    /// Puts entry `at`, which is there and far from its neighbours, into the map.
    #[cold]
    fn far(&mut self, at: usize, n: u64) {
        self.wide.insert(at as u32, n);
        if self.wide.len() > self.room() {
            self.widen();
        }
    }

    /// How many entries the map may hold.
    fn room(&self) -> usize {
        SLACK + self.len() / 64
    }

    /// Goes to the next width.
    fn widen(&mut self) {
        let wide = std::mem::take(&mut self.wide);
        self.narrow = match std::mem::replace(&mut self.narrow, Narrow::Zero(0)) {
            Narrow::Zero(len) => Narrow::One(vec![0; len]),
            Narrow::One(v) => Narrow::Two(v.into_iter().map(u16::from).collect()),
            Narrow::Two(v) => Narrow::Four(v.into_iter().map(u32::from).collect()),
            Narrow::Four(v) => {
                let mut near = Near::default();
                let mut far = BTreeMap::new();
                for (i, n) in (0..).zip(v) {
                    let n = wide.get(&i).copied().unwrap_or(n.into());
                    if !near.push(n) {
                        far.insert(i, n);
                    }
                }
                (self.narrow, self.wide) = (Narrow::Near(near), far);
                if self.wide.len() > self.room() {
                    self.widen();
                }
                return;
            }
            Narrow::Near(v) => {
                let entry = |(i, at): (u32, usize)| v.get(at).or_else(|| wide.get(&i).copied()).unwrap_or(0);
                Narrow::Eight((0..).zip(0..v.distances.len()).map(entry).collect())
            }
            Narrow::Close(v) => {
                let mut near = Near::default();
                for at in 0..v.distances.len() {
                    near.push(v.get(at).unwrap_or_else(|| v.bases[at / BLOCK]));
                }
                Narrow::Near(near)
            }
            narrow @ Narrow::Eight(_) => narrow,
            Narrow::Away(v) => {
                *self = v.iter().collect();
                return;
            }
            Narrow::Rare(len, v) => {
                *self = (0..len as u32).map(|i| v.get(i).unwrap_or(0)).collect();
                return;
            }
        };
        for (i, n) in wide {
            self.set(i, n);
        }
    }

    /// Entry `i`.
    ///
    /// # Panics
    /// If there is no such entry.
    #[inline]
    pub fn get(&self, i: u32) -> u64 {
        let at = i as usize;
        let narrow = match &self.narrow {
            Narrow::Zero(len) => {
                assert!(at < *len, "no entry {i}");
                Some(0)
            }
            Narrow::One(v) => Some(v[at]).filter(|&n| n != u8::MAX).map(u64::from),
            Narrow::Two(v) => Some(v[at]).filter(|&n| n != u16::MAX).map(u64::from),
            Narrow::Four(v) => Some(v[at]).filter(|&n| n != u32::MAX).map(u64::from),
            _ => None,
        };
        narrow.unwrap_or_else(|| self.get_other(i))
    }

    /// The same where it is not in one to four bytes.
    #[inline(never)]
    fn get_other(&self, i: u32) -> u64 {
        let at = i as usize;
        let narrow = match &self.narrow {
            Narrow::Near(v) => v.get(at),
            Narrow::Close(v) => v.get(at),
            Narrow::Eight(v) => Some(v[at]),
            Narrow::Away(v) => Some(v.get(at)),
            Narrow::Rare(len, v) => {
                assert!(at < *len, "no entry {i}");
                Some(v.get(i).unwrap_or(0))
            }
            Narrow::Zero(_) | Narrow::One(_) | Narrow::Two(_) | Narrow::Four(_) => None,
        };
        narrow.unwrap_or_else(|| self.get_wide(i))
    }

    #[cold]
    fn get_wide(&self, i: u32) -> u64 {
        self.wide.get(&i).copied().unwrap_or(0)
    }

    /// Changes entry `i`.
    ///
    /// # Panics
    /// If there is no such entry.
    pub fn set(&mut self, i: u32, n: u64) {
        let at = i as usize;
        if !self.wide.is_empty() {
            self.wide.remove(&i);
        }
        let few = self.wide.len() < self.room();
        match &mut self.narrow {
            Narrow::Zero(len) if at >= *len => panic!("no entry {i}"),
            Narrow::Zero(_) if n == 0 => {}
            Narrow::One(v) if n < u64::from(u8::MAX) => v[at] = n as u8,
            Narrow::Two(v) if n < u64::from(u16::MAX) => v[at] = n as u16,
            Narrow::Four(v) if n < u64::from(u32::MAX) => v[at] = n as u32,
            Narrow::Near(v) => {
                if !v.set(at, n) {
                    self.far(at, n);
                }
            }
            Narrow::Eight(v) => v[at] = n,
            Narrow::One(v) if few => {
                v[at] = u8::MAX;
                self.wide.insert(i, n);
            }
            Narrow::Two(v) if few => {
                v[at] = u16::MAX;
                self.wide.insert(i, n);
            }
            Narrow::Four(v) if few => {
                v[at] = u32::MAX;
                self.wide.insert(i, n);
            }
            _ => {
                self.widen();
                self.set(i, n);
            }
        }
    }

    /// Adds to entry `i`; stays at the largest number where the sum does not fit.
    pub fn add(&mut self, i: u32, n: u64) {
        self.set(i, self.get(i).plus(n));
    }

    /// The entries in order.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        let away = if let Narrow::Away(away) = &self.narrow { Some(away.iter()) } else { None };
        let end = if away.is_some() { 0 } else { self.len() };
        let here = Parts { column: self, left: 0..end, part: [0; PART], at: 0, len: 0 };
        away.into_iter().flatten().chain(here)
    }

    /// What so many entries add up to, if that is less than 2^64.
    ///
    /// # Panics
    /// If there are not so many.
    pub(crate) fn sum(&self, entries: Range<usize>) -> u64 {
        let wide = || self.wide.range(entries.start as u32..entries.end as u32).map(|(_, &n)| n).sum();
        match &self.narrow {
            Narrow::One(v) => sum_of(&v[entries.clone()], u8::MAX, wide),
            Narrow::Two(v) => sum_of(&v[entries.clone()], u16::MAX, wide),
            Narrow::Four(v) => sum_of(&v[entries.clone()], u32::MAX, wide),
            _ => entries.map(|i| self.get(i as u32)).sum(),
        }
    }

    /// Entries from `from` on, which are in memory.
    fn read(&self, from: usize, out: &mut [u64]) {
        fn widen<T: Copy + Into<u64>>(narrow: &[T], out: &mut [u64]) {
            out.iter_mut().zip(narrow).for_each(|(slot, &n)| *slot = n.into());
        }
        match &self.narrow {
            Narrow::Zero(_) => out.fill(0),
            Narrow::One(v) => widen(&v[from..], out),
            Narrow::Two(v) => widen(&v[from..], out),
            Narrow::Four(v) => widen(&v[from..], out),
            Narrow::Eight(v) => widen(&v[from..], out),
            Narrow::Near(_) | Narrow::Close(_) | Narrow::Away(_) | Narrow::Rare(..) => {
                return (from as u32..).zip(out).for_each(|(i, slot)| *slot = self.get(i));
            }
        }
        if !self.wide.is_empty() {
            let wide = self.wide.range(from as u32..(from + out.len()) as u32);
            wide.for_each(|(&i, &n)| out[i as usize - from] = n);
        }
    }

    /// Takes less memory where most entries are zero, and more time to look one up.
    pub fn tighten(&mut self) {
        let some = || (0..).zip(self.iter()).filter(|&(_, n)| n > 0);
        let here = matches!(self.narrow, Narrow::One(_) | Narrow::Two(_) | Narrow::Four(_));
        if here && some().count() < self.len() / RARE {
            let mut rare = Sparse::default();
            some().for_each(|(i, n)| rare.push(i, n));
            *self = Self { narrow: Narrow::Rare(self.len(), Box::new(rare)), wide: BTreeMap::new() };
        }
    }

    /// Puts the entries into a file.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn put_away(&mut self) -> Result {
        if matches!(self.narrow, Narrow::Zero(_) | Narrow::Away(_)) {
            return Ok(());
        }
        let mut file = AwayWriter::new(width_of(self.iter().fold(0, u64::max)))?;
        self.iter().try_for_each(|n| file.push(n))?;
        *self = Self { narrow: Narrow::Away(Arc::new(file.finish()?)), wide: BTreeMap::new() };
        Ok(())
    }

    /// Brings entries that are in a file back.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn bring_back(&mut self) -> Result {
        if matches!(self.narrow, Narrow::Away(_)) {
            let back = self.iter().collect();
            self.check()?;
            *self = back;
        }
        Ok(())
    }

    /// Says that entries in a file could not be read: who asked for them got zeros.
    ///
    /// # Errors
    /// They could not.
    pub fn check(&self) -> Result {
        if let Narrow::Away(away) = &self.narrow { away.check() } else { Ok(()) }
    }

    /// The entries that `order` names, in its order.
    #[must_use]
    pub fn picked(&self, order: &[u32]) -> Self {
        order.iter().map(|&i| self.get(i)).collect()
    }

    /// Gives unused capacity back: no more entries come.
    pub fn shrink(&mut self) {
        if let Narrow::Near(near) = &self.narrow {
            let (close, apart) = Close::of(near);
            if self.wide.len() + apart.len() <= self.room() {
                let far = apart.into_iter().filter_map(|at| Some((at, near.get(at as usize)?)));
                self.wide.extend(far);
                self.narrow = Narrow::Close(close);
            }
        }
        match &mut self.narrow {
            Narrow::Zero(_) | Narrow::Away(_) | Narrow::Rare(..) => {}
            Narrow::One(v) => v.shrink_to_fit(),
            Narrow::Two(v) => v.shrink_to_fit(),
            Narrow::Four(v) => v.shrink_to_fit(),
            Narrow::Near(v) => {
                v.bases.shrink_to_fit();
                v.distances.shrink_to_fit();
            }
            Narrow::Close(v) => v.bases.shrink_to_fit(),
            Narrow::Eight(v) => v.shrink_to_fit(),
        }
    }
}

/// The sum of entries, of which those that are `mark` are what `wide` says.
#[inline]
fn sum_of<T: Copy + PartialEq + Into<u64>>(narrow: &[T], mark: T, wide: impl FnOnce() -> u64) -> u64 {
    let (mut sum, mut marks) = (0u64, 0u64);
    for &n in narrow {
        sum += n.into();
        marks += u64::from(n == mark);
    }
    if marks == 0 { sum } else { sum - marks * mark.into() + wide() }
}

/// Entries of a column that are read at a time: which width they have is asked once for each part.
const PART: usize = 128;

/// The entries of a column in memory.
struct Parts<'a> {
    column: &'a Column,
    /// Those behind the present part.
    left: Range<usize>,
    /// The present part, and which of its entries is next.
    part: [u64; PART],
    at: usize,
    len: usize,
}

impl Iterator for Parts<'_> {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        if self.at == self.len {
            (self.at, self.len) = (0, self.left.len().min(PART));
            self.column.read(self.left.start, &mut self.part[..self.len]);
            self.left.start += self.len;
        }
        let n = self.part[..self.len].get(self.at).copied();
        self.at += usize::from(n.is_some());
        n
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.left.len() + self.len - self.at;
        (left, Some(left))
    }
}

impl From<Away> for Column {
    fn from(away: Away) -> Self {
        Self { narrow: Narrow::Away(Arc::new(away)), wide: BTreeMap::new() }
    }
}

impl FromIterator<u64> for Column {
    fn from_iter<T: IntoIterator<Item = u64>>(numbers: T) -> Self {
        let (mut column, mut numbers) = (Self::new(), numbers.into_iter());
        let mut part = Vec::with_capacity(PART);
        loop {
            part.clear();
            part.extend(numbers.by_ref().take(PART));
            if part.is_empty() {
                return column;
            }
            column.extend(part.iter().copied());
        }
    }
}
