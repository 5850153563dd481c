//! A column of unsigned numbers, one per node, in as few bytes as most of them need.
//!
//! Shallow sizes, classes, subtypes and identifiers of a real heap are small numbers with a few large ones among
//! them. The column starts with one byte per entry and keeps the few that do not fit in a map; when they become
//! more than one in 64 it widens to two, four and eight bytes.

use std::collections::BTreeMap;

/// Numbers by node, see the module's description.
#[derive(Clone, Debug)]
pub struct Column {
    narrow: Narrow,
    wide: BTreeMap<u32, u64>,
}

#[derive(Clone, Debug)]
enum Narrow {
    One(Vec<u8>),
    Two(Vec<u16>),
    Four(Vec<u32>),
    Eight(Vec<u64>),
}

/// How many entries beyond one in 64 the map may hold before the column widens.
const SLACK: usize = 256;

impl Default for Column {
    fn default() -> Self {
        Self { narrow: Narrow::One(Vec::new()), wide: BTreeMap::new() }
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
            Narrow::One(v) => v.len(),
            Narrow::Two(v) => v.len(),
            Narrow::Four(v) => v.len(),
            Narrow::Eight(v) => v.len(),
        }
    }

    /// True if it has no entry.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends an entry.
    #[inline]
    pub fn push(&mut self, n: u64) {
        match &mut self.narrow {
            Narrow::One(v) if n < u64::from(u8::MAX) => v.push(n as u8),
            Narrow::Two(v) if n < u64::from(u16::MAX) => v.push(n as u16),
            Narrow::Four(v) if n < u64::from(u32::MAX) => v.push(n as u32),
            Narrow::Eight(v) => v.push(n),
            _ => self.push_wide(n),
        }
    }

    /// Appends entries, faster than one by one where none of them is large.
    pub fn extend(&mut self, numbers: impl Iterator<Item = u64> + Clone) {
        let largest = numbers.clone().fold(0, u64::max);
        match &mut self.narrow {
            Narrow::One(v) if largest < u64::from(u8::MAX) => v.extend(numbers.map(|n| n as u8)),
            Narrow::Two(v) if largest < u64::from(u16::MAX) => v.extend(numbers.map(|n| n as u16)),
            Narrow::Four(v) if largest < u64::from(u32::MAX) => v.extend(numbers.map(|n| n as u32)),
            _ => numbers.for_each(|n| self.push(n)),
        }
    }

    #[cold]
    fn push_wide(&mut self, n: u64) {
        let i = self.len();
        if self.wide.len() < SLACK + i / 64 {
            self.wide.insert(i as u32, n);
            match &mut self.narrow {
                Narrow::One(v) => v.push(u8::MAX),
                Narrow::Two(v) => v.push(u16::MAX),
                Narrow::Four(v) => v.push(u32::MAX),
                Narrow::Eight(v) => v.push(n),
            }
        } else {
            self.widen();
            self.push(n);
        }
    }

    /// Doubles the bytes of an entry.
    fn widen(&mut self) {
        let wide = std::mem::take(&mut self.wide);
        self.narrow = match std::mem::replace(&mut self.narrow, Narrow::One(Vec::new())) {
            Narrow::One(v) => Narrow::Two(v.into_iter().map(u16::from).collect()),
            Narrow::Two(v) => Narrow::Four(v.into_iter().map(u32::from).collect()),
            Narrow::Four(v) => Narrow::Eight(v.into_iter().map(u64::from).collect()),
            narrow @ Narrow::Eight(_) => narrow,
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
        match &self.narrow {
            Narrow::One(v) if v[at] != u8::MAX => v[at].into(),
            Narrow::Two(v) if v[at] != u16::MAX => v[at].into(),
            Narrow::Four(v) if v[at] != u32::MAX => v[at].into(),
            Narrow::Eight(v) => v[at],
            _ => self.wide.get(&i).copied().unwrap_or(0),
        }
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
        let room = SLACK + self.len() / 64;
        match &mut self.narrow {
            Narrow::One(v) if n < u64::from(u8::MAX) => v[at] = n as u8,
            Narrow::Two(v) if n < u64::from(u16::MAX) => v[at] = n as u16,
            Narrow::Four(v) if n < u64::from(u32::MAX) => v[at] = n as u32,
            Narrow::Eight(v) => v[at] = n,
            _ if self.wide.len() < room => {
                match &mut self.narrow {
                    Narrow::One(v) => v[at] = u8::MAX,
                    Narrow::Two(v) => v[at] = u16::MAX,
                    Narrow::Four(v) => v[at] = u32::MAX,
                    Narrow::Eight(v) => v[at] = n,
                }
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
        self.set(i, self.get(i).saturating_add(n));
    }

    /// The entries in order.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        (0..self.len() as u32).map(|i| self.get(i))
    }

    /// The entries that `order` names, in its order.
    #[must_use]
    pub fn picked(&self, order: &[u32]) -> Self {
        order.iter().map(|&i| self.get(i)).collect()
    }

    /// Gives unused capacity back.
    pub fn shrink(&mut self) {
        match &mut self.narrow {
            Narrow::One(v) => v.shrink_to_fit(),
            Narrow::Two(v) => v.shrink_to_fit(),
            Narrow::Four(v) => v.shrink_to_fit(),
            Narrow::Eight(v) => v.shrink_to_fit(),
        }
    }
}

impl FromIterator<u64> for Column {
    fn from_iter<T: IntoIterator<Item = u64>>(numbers: T) -> Self {
        let mut column = Self::new();
        for n in numbers {
            column.push(n);
        }
        column
    }
}
