//! A set of identifiers.

use std::cell::Cell;

use heap_record::Value;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Identifiers that share all but these low bits, and the lowest, live in one page.
const PAGE_BITS: u32 = 12;
/// Blocks of a page.
const BLOCKS: usize = 1 << (PAGE_BITS - 6);
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
    /// Number and members of the block put into last, which the pages need not know yet: most go where the one before
    /// went.
    open: (u64, u64),
}

#[derive(Debug)]
enum Page {
    Few(SmallVec<[u16; 12]>),
    Many(Box<[u64; BLOCKS]>),
}

/// Number of the block of 64 that an identifier is in, and its place there. Odd identifiers are neighbours, and never
/// share a block with even ones.
#[inline]
pub(crate) const fn split(id: Value) -> (u64, u32) {
    let id = id as u64;
    (id >> 7 << 1 | id & 1, (id >> 1) as u32 & 63)
}

/// Number of a block's page, and its place in the page.
#[inline]
const fn page_of(block: u64) -> (u64, usize) {
    (block >> (PAGE_BITS - 5) << 1 | block & 1, (block >> 1) as usize & (BLOCKS - 1))
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

    #[inline(never)]
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

    /// The page of this number.
    #[inline]
    fn page(&self, number: u64) -> Option<&Page> {
        self.slot(number).map(|slot| &self.store[slot as usize])
    }

    /// Adds a member; false if it was there.
    #[inline]
    pub fn insert(&mut self, id: Value) -> bool {
        let (block, place) = split(id);
        if block != self.open.0 {
            self.turn_to(block);
        }
        let fresh = self.open.1 >> place & 1 == 0;
        self.open.1 |= 1 << place;
        self.len += u64::from(fresh);
        fresh
    }

    /// Tells the pages about the open block, and opens another one.
    #[inline(never)]
    fn turn_to(&mut self, block: u64) {
        let (open, members) = self.open;
        if members != 0 {
            let (number, at) = page_of(open);
            let slot = match self.slot(number) {
                Some(slot) => slot,
                None => self.add(number),
            };
            self.store[slot as usize].put(at, members);
        }
        self.open = (block, self.block(block));
    }

    /// The members of a block, a bit each.
    pub(crate) fn block(&self, block: u64) -> u64 {
        if block == self.open.0 {
            return self.open.1;
        }
        let (number, at) = page_of(block);
        self.page(number).map_or(0, |page| page.block(at))
    }

    /// True if `id` is a member.
    #[inline]
    pub fn contains(&self, id: Value) -> bool {
        let (block, place) = split(id);
        if block == self.open.0 {
            return self.open.1 >> place & 1 == 1;
        }
        let (number, at) = page_of(block);
        match self.page(number) {
            None => false,
            Some(Page::Few(places)) => places.contains(&((at as u16) << 6 | place as u16)),
            Some(Page::Many(blocks)) => blocks[at] >> place & 1 == 1,
        }
    }
}

impl Page {
    /// The members of the block at `at`.
    fn block(&self, at: usize) -> u64 {
        match self {
            Self::Many(blocks) => blocks[at],
            Self::Few(places) => {
                let here = places.iter().filter(|&&place| usize::from(place >> 6) == at);
                here.fold(0, |members, place| members | 1 << (place & 63))
            }
        }
    }

    /// Adds members to the block at `at`.
    fn put(&mut self, at: usize, members: u64) {
        let fresh = members & !self.block(at);
        if let Self::Few(places) = self {
            if places.len() + fresh.count_ones() as usize <= FEW {
                let fresh = (0..64).filter(|place| fresh >> place & 1 == 1);
                places.extend(fresh.map(|place| (at as u16) << 6 | place));
                return;
            }
            let mut blocks = Box::new([0; BLOCKS]);
            for place in places.iter() {
                blocks[usize::from(place >> 6)] |= 1 << (place & 63);
            }
            *self = Self::Many(blocks);
        }
        if let Self::Many(blocks) = self {
            blocks[at] |= fresh;
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
        for i in 1..=300u32 {
            // The same input in every run: random bits above, the number of bytes below.
            let seed = u64::from(i.wrapping_mul(0x9E37_79B9)) << 32 | 8192;
            arbtest::arbtest(|u| {
                let (mut ids, mut twin) = (IdSet::new(), HashSet::new());
                // Counters, addresses and numbers below zero, near each other and far apart.
                let bits = if u.arbitrary()? { u.int_in_range(48..=58)? } else { u.int_in_range(3..=63)? };
                let first: i64 = u.arbitrary::<i64>()? >> u.int_in_range(0..=63)?;
                for _ in 0..u.int_in_range(0..=400)? {
                    let id = first.wrapping_add(u.arbitrary::<i64>()? >> bits);
                    assert_eq!(ids.insert(id), twin.insert(id), "{id}");
                    let other = id ^ 1 << u.int_in_range(0..=63)?;
                    assert_eq!(ids.contains(other), twin.contains(&other), "{other}");
                    let (block, place) = split(other);
                    assert_eq!(ids.block(block) >> place & 1 == 1, twin.contains(&other), "{other}");
                }
                assert!(twin.iter().all(|&id| ids.contains(id)));
                assert_eq!((ids.len(), ids.is_empty()), (twin.len() as u64, twin.is_empty()));
                members += twin.len();
                Ok(())
            })
            .seed(seed);
        }
        assert!(members > 100, "{members}");
    }
}
