//! Identifiers to node numbers and back, without hashing where identifiers are dense.
//!
//! Identifiers are odd, so their upper 63 bits are taken as a key; negative ones (V8's embedder nodes) have
//! their own half. A source that counts (`index` rule, in order) needs no table at all. Otherwise each half is
//! a flat table, four bytes per key up to the largest: V8 hands out about three identifiers for each object that is
//! alive. A half that would be more than seven eighths empty, as with addresses, is a hash map instead.

use crate::column::Column;
use crate::graph::NONE;
use heap_base::hash::Seed;
use heap_base::{BitSet, Map};

/// Identifiers by node.
#[derive(Clone, Debug, Default)]
pub struct Ids {
    /// How many nodes have the identifier 2·i + 1.
    counted: u32,
    /// Identifiers of the others, folded so that small ones of either sign are small.
    others: Column,
}

impl Ids {
    /// How many nodes there are.
    pub fn len(&self) -> u32 {
        self.counted + self.others.len() as u32
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends a node's identifier.
    #[inline]
    pub fn push(&mut self, id: i64) {
        if self.others.is_empty() && id == i64::from(self.counted) << 1 | 1 {
            self.counted += 1;
        } else {
            self.others.push(entry(id));
        }
    }

    /// Appends identifiers of further nodes.
    fn extend(&mut self, mut ids: impl Iterator<Item = i64> + Clone) {
        while self.others.is_empty() {
            let Some(id) = ids.next() else { return };
            self.push(id);
        }
        self.others.extend(ids.map(entry));
    }

    /// The identifier of node `i`.
    ///
    /// # Panics
    /// If there is no such node.
    #[inline]
    pub fn get(&self, i: u32) -> i64 {
        if i < self.counted {
            return i64::from(i) << 1 | 1;
        }
        let folded = self.others.get(i - self.counted);
        unfold(folded >> 1) << 1 | (folded & 1) as i64
    }

    /// The node with identifier `id`, found by comparing each: for the few that people ask for.
    pub fn find(&self, id: i64) -> Option<u32> {
        (0..self.len()).find(|&i| self.get(i) == id)
    }

    /// The identifiers of the nodes that `order` names, in its order.
    pub(crate) fn picked(&self, order: &[u32]) -> Self {
        let mut ids = Self::default();
        for &i in order {
            ids.push(self.get(i));
        }
        ids
    }

    pub(crate) fn shrink(&mut self) {
        self.others.shrink();
    }

    /// Puts them into a file.
    pub(crate) fn put_away(&mut self) -> heap_base::Result {
        self.others.put_away()
    }

    /// Says that the file could not be read.
    pub(crate) fn check(&self) -> heap_base::Result {
        self.others.check()
    }
}

/// An identifier as the column has it.
const fn entry(id: i64) -> u64 {
    fold(id >> 1) << 1 | (id & 1) as u64
}

/// Small numbers of either sign to small numbers. Loses the top bit, which a number shifted right does not use.
const fn fold(n: i64) -> u64 {
    (n << 1 ^ n >> 63) as u64 & (u64::MAX >> 1)
}

const fn unfold(n: u64) -> i64 {
    (n >> 1) as i64 ^ -((n & 1) as i64)
}

/// Node numbers by identifier, and the other way round.
///
/// Nodes mostly come before edges, so the table is not made before the first look-up, when the range of the
/// identifiers is known.
#[derive(Clone, Debug, Default)]
pub struct IdTable {
    ids: Ids,
    /// Those with positive and those with negative identifiers, the counted ones left out.
    halves: Option<(Half, Half)>,
}

impl IdTable {
    /// How many nodes it knows.
    pub fn len(&self) -> u32 {
        self.ids.len()
    }

    /// True if it knows none.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The identifiers.
    pub fn ids(&self) -> &Ids {
        &self.ids
    }

    /// The identifiers, without the table.
    pub fn into_ids(self) -> Ids {
        self.ids
    }

    /// A table of these identifiers.
    pub fn from_ids(ids: Ids) -> Self {
        Self { ids, halves: None }
    }

    /// Adds the identifier of the next node and returns its number; `Err` holds the number that the
    /// identifier has already. Before the first [`get`](Self::get) that is not looked for, but by
    /// [`distinct`](Self::distinct).
    ///
    /// # Errors
    /// If two nodes have the same identifier.
    #[inline]
    pub fn push(&mut self, id: i64) -> Result<u32, u32> {
        let node = self.ids.len();
        if self.halves.is_some() {
            if let Some(known) = self.known(id) {
                return Err(known);
            }
            self.ids.push(id);
            if node >= self.ids.counted
                && let Some((positive, negative)) = &mut self.halves
            {
                if id < 0 {
                    negative.insert(!(id >> 1) as u64, node);
                } else {
                    positive.insert((id >> 1) as u64, node);
                }
            }
        } else {
            self.ids.push(id);
        }
        Ok(node)
    }

    /// Adds the identifiers of the next nodes, if that can be done without looking for any of them; else false.
    pub fn extend(&mut self, ids: impl Iterator<Item = i64> + Clone) -> bool {
        let free = self.halves.is_none();
        if free {
            self.ids.extend(ids);
        }
        free
    }

    /// The node with the odd identifier `id`. The first call makes the table; it fails with an identifier
    /// that two nodes have.
    ///
    /// # Errors
    /// If two nodes have the same identifier.
    #[inline]
    pub fn get(&mut self, id: i64) -> Result<Option<u32>, i64> {
        if self.halves.is_none() {
            self.index()?;
        }
        Ok(self.known(id))
    }

    /// Fails with an identifier that two nodes have. Makes no table for that: bits where identifiers are dense, else
    /// eight bytes a node.
    ///
    /// # Errors
    /// If two nodes have the same identifier.
    pub fn distinct(&self) -> Result<(), i64> {
        if self.halves.is_some() {
            return Ok(());
        }
        let others = || (self.ids.counted..self.len()).map(|node| self.ids.get(node));
        let mut range = Range::default();
        others().for_each(|id| range.add(key(id)));
        let room = room(range.count).min(u64::from(u32::MAX));
        let counted = |id: i64| id >= 0 && key(id) < u64::from(self.ids.counted);
        if range.largest < room {
            let mut seen = [BitSet::default(), BitSet::default()];
            let again = |&id: &i64| counted(id) || !seen[usize::from(id < 0)].insert(key(id) as u32);
            return others().find(again).map_or(Ok(()), Err);
        }
        let mut sorted: Vec<i64> = others().collect();
        sorted.sort_unstable();
        let twice = sorted.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0]);
        twice.or_else(|| others().find(|&id| counted(id))).map_or(Ok(()), Err)
    }

    /// The nodes with these identifiers, in their order; [`NONE`] for those that no node has. Makes no table.
    pub fn find_all(&self, ids: &[i64]) -> Vec<u32> {
        if self.halves.is_some() {
            let find = |&id: &i64| if id & 1 == 1 { self.known(id).unwrap_or(NONE) } else { NONE };
            return ids.iter().map(find).collect();
        }
        let mut found: Vec<(i64, u32)> = ids.iter().map(|&id| (id, NONE)).collect();
        found.sort_unstable();
        // Some bits of the identifier rule out most nodes.
        let place = |id: i64| id as u32 >> 1 & 0xFFFF;
        let likely: BitSet = ids.iter().map(|&id| place(id)).collect();
        for node in 0..if ids.is_empty() { 0 } else { self.len() } {
            let id = self.ids.get(node);
            if likely.contains(place(id)) {
                let from = found.partition_point(|entry| entry.0 < id);
                found[from..].iter_mut().take_while(|entry| entry.0 == id).for_each(|entry| entry.1 = node);
            }
        }
        ids.iter().map(|&id| found[found.partition_point(|entry| entry.0 < id)].1).collect()
    }

    #[inline]
    fn known(&self, id: i64) -> Option<u32> {
        let key = id >> 1;
        if (key as u64) < u64::from(self.ids.counted) {
            return Some(key as u32);
        }
        let (positive, negative) = self.halves.as_ref()?;
        let node = if id < 0 { negative.get(!key as u64) } else { positive.get(key as u64) };
        (node != NONE).then_some(node)
    }

    /// Makes the table.
    #[cold]
    fn index(&mut self) -> Result<(), i64> {
        let ids = &self.ids;
        let others = ids.counted..ids.len();
        let mut ranges = [Range::default(); 2];
        for node in others.clone() {
            let id = ids.get(node);
            ranges[usize::from(id < 0)].add(key(id));
        }
        let mut positive = ranges[0].half();
        let mut negative = ranges[1].half();
        for node in others {
            let id = ids.get(node);
            let half = if id < 0 { &mut negative } else { &mut positive };
            if id >= 0 && key(id) < u64::from(ids.counted) || half.insert(key(id), node) {
                return Err(id);
            }
        }
        self.halves = Some((positive, negative));
        Ok(())
    }
}

/// The key of an identifier in the table of its sign.
const fn key(id: i64) -> u64 {
    (if id < 0 { !(id >> 1) } else { id >> 1 }) as u64
}

/// How many keys there are, and the largest.
#[derive(Clone, Copy, Debug, Default)]
struct Range {
    count: u64,
    largest: u64,
}

impl Range {
    fn add(&mut self, key: u64) {
        self.count += 1;
        self.largest = self.largest.max(key);
    }

    fn half(self) -> Half {
        if self.largest < room(self.count) {
            let len = if self.count == 0 { 0 } else { self.largest as usize + 1 };
            Half::Flat { nodes: vec![NONE; len], used: 0 }
        } else {
            Half::Hashed(Map::with_capacity_and_hasher(self.count as usize, Seed::default()))
        }
    }
}

/// Keys below this make a flat table of `count` of them: 32 bytes each at worst, where a hash map takes 20 to 40.
const fn room(count: u64) -> u64 {
    count * 8 + (1 << 16)
}

/// Nodes by key; [`NONE`] where there is none.
#[derive(Clone, Debug)]
enum Half {
    Flat {
        nodes: Vec<u32>,
        used: u64,
    },
    /// Keys come from the dump, so this needs a hash that cannot be foreseen: the standard library's.
    Hashed(Map<u64, u32>),
}

impl Half {
    #[inline]
    fn get(&self, key: u64) -> u32 {
        match self {
            Self::Flat { nodes, .. } => nodes.get(key as usize).copied().unwrap_or(NONE),
            Self::Hashed(map) => map.get(&key).copied().unwrap_or(NONE),
        }
    }

    /// True if the key was there already.
    fn insert(&mut self, key: u64, node: u32) -> bool {
        if let Self::Flat { nodes, used } = self
            && key >= nodes.len() as u64
            && key >= room(*used + 1)
        {
            let old = nodes.iter().enumerate().filter(|&(_, &node)| node != NONE);
            *self = Self::Hashed(old.map(|(key, &node)| (key as u64, node)).collect());
        }
        match self {
            Self::Flat { nodes, used } => {
                if key as usize >= nodes.len() {
                    nodes.resize(key as usize + 1, NONE);
                }
                let slot = &mut nodes[key as usize];
                let there = *slot != NONE;
                *slot = node;
                *used += u64::from(!there);
                there
            }
            Self::Hashed(map) => map.insert(key, node).is_some(),
        }
    }
}
