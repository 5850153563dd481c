//! A set of identifiers.

use std::cell::Cell;

use heap_record::Value;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Identifiers that share all but these low bits, and the lowest, live in one page.
const PAGE_BITS: u32 = 12;
/// A page with more members than this becomes a bitmap.
const FEW: usize = 24;
/// Pages with smaller numbers are found by number, which takes 256 KiB at most; others by hash.
const NEAR: u64 = 1 << 16;

/// A set of node identifiers. Dense ones (V8's, counters) cost about a bit each, scattered ones some 30 bytes.
#[derive(Debug, Default)]
pub struct IdSet {
    /// By number, the slots of pages plus one; 0 where there is none.
    near: Vec<u32>,
    far: FxHashMap<u64, u32>,
    store: Vec<Page>,
    len: u64,
    /// The far page last used: identifiers come in runs.
    last: Cell<Option<(u64, u32)>>,
}

#[derive(Debug)]
enum Page {
    Few(SmallVec<[u16; 12]>),
    Many(Box<[u64; 1 << (PAGE_BITS - 6)]>),
}

/// Page number and place in the page. Odd identifiers are neighbours, and never share a page with even ones.
#[inline]
const fn split(id: Value) -> (u64, u16) {
    let id = id as u64;
    (id >> (PAGE_BITS + 1) << 1 | id & 1, (id >> 1) as u16 & ((1 << PAGE_BITS) - 1))
}

impl IdSet {
    /// An empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of members.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// True if it has no members.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Forgets all members.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// The slot of a page.
    #[inline]
    fn slot(&self, number: u64) -> Option<u32> {
        if number < NEAR { self.near.get(number as usize)?.checked_sub(1) } else { self.far_slot(number) }
    }

    fn far_slot(&self, number: u64) -> Option<u32> {
        match self.last.get() {
            Some((last, slot)) if last == number => Some(slot),
            _ => {
                let slot = *self.far.get(&number)?;
                self.last.set(Some((number, slot)));
                Some(slot)
            }
        }
    }

    /// Makes a page.
    #[cold]
    fn add(&mut self, number: u64) -> u32 {
        let slot = self.store.len() as u32;
        self.store.push(Page::Few(SmallVec::new()));
        if number < NEAR {
            let at = number as usize;
            if at >= self.near.len() {
                self.near.resize(at + 1, 0);
            }
            self.near[at] = slot + 1;
        } else {
            self.far.insert(number, slot);
        }
        slot
    }

    /// Adds a member; false if it was there.
    #[inline]
    pub fn insert(&mut self, id: Value) -> bool {
        let (number, place) = split(id);
        let slot = match self.slot(number) {
            Some(slot) => slot,
            None => self.add(number),
        };
        let fresh = self.store[slot as usize].insert(place);
        self.len += u64::from(fresh);
        fresh
    }

    /// True if `id` is a member.
    #[inline]
    pub fn contains(&self, id: Value) -> bool {
        let (number, place) = split(id);
        match self.slot(number).map(|slot| &self.store[slot as usize]) {
            None => false,
            Some(Page::Few(places)) => places.contains(&place),
            Some(Page::Many(bits)) => bits[usize::from(place >> 6)] >> (place & 63) & 1 == 1,
        }
    }
}

impl Page {
    #[inline]
    fn insert(&mut self, place: u16) -> bool {
        match self {
            Self::Many(bits) => {
                let word = &mut bits[usize::from(place >> 6)];
                let fresh = *word >> (place & 63) & 1 == 0;
                *word |= 1 << (place & 63);
                fresh
            }
            Self::Few(places) if places.contains(&place) => false,
            Self::Few(places) if places.len() < FEW => {
                places.push(place);
                true
            }
            Self::Few(places) => {
                let mut bits = Box::new([0u64; 1 << (PAGE_BITS - 6)]);
                for p in places.iter().copied().chain([place]) {
                    bits[usize::from(p >> 6)] |= 1 << (p & 63);
                }
                *self = Self::Many(bits);
                true
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn members_are_those_that_were_put_in() {
        let mut members = 0;
        arbtest::arbtest(|u| {
            let (mut ids, mut twin) = (IdSet::new(), HashSet::new());
            // Counters, addresses and numbers below zero, near each other and far apart.
            let bits = u.int_in_range(3..=63)?;
            let first: i64 = u.arbitrary::<i64>()? >> u.int_in_range(0..=63)?;
            for _ in 0..u.int_in_range(0..=200)? {
                let id = first.wrapping_add(u.arbitrary::<i64>()? >> bits);
                assert_eq!(ids.insert(id), twin.insert(id), "{id}");
                let other = id ^ 1 << u.int_in_range(0..=63)?;
                assert_eq!(ids.contains(other), twin.contains(&other), "{other}");
            }
            assert!(twin.iter().all(|&id| ids.contains(id)));
            assert_eq!((ids.len(), ids.is_empty()), (twin.len() as u64, twin.is_empty()));
            members += twin.len();
            Ok(())
        });
        assert!(members > 100, "{members}");
    }
}
