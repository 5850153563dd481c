//! A set of identifiers.

use std::cell::Cell;

use heap_base::Map;
use heap_record::Value;
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
    /// The pages, by number.
    near: Vec<Slot>,
    far: Map<u64, Slot>,
    /// Places of the members of pages that have few.
    few: Vec<SmallVec<[u16; 12]>>,
    /// A bit for each place of pages that have many.
    many: Vec<[u64; BLOCKS]>,
    len: u64,
    /// The far page last used: identifiers come in runs.
    last: Cell<Option<(u64, Slot)>>,
    /// Number and members of the block put into last, not yet written to the pages: most members go where the one before
    /// went.
    open: (u64, u64),
}

/// Where a page is: 0 if it has no members, else twice its number among those with many, plus one, or among those with
/// few, plus two.
#[derive(Clone, Copy, Debug, Default)]
struct Slot(u32);

/// A page.
enum Page<'a> {
    Few(&'a [u16]),
    Many(&'a [u64; BLOCKS]),
}

/// Number of the block of 64 that an identifier is in, and its place there. Odd identifiers are neighbours, and never
/// share a block with even ones.
#[inline]
pub const fn split(id: Value) -> (u64, u32) {
    let id = id as u64;
    (id >> 7 << 1 | id & 1, (id >> 1) as u32 & 63)
}

/// Number of a block's page, and its place in the page.
#[inline]
const fn page_of(block: u64) -> (u64, usize) {
    (block >> (PAGE_BITS - 5) << 1 | block & 1, (block >> 1) as usize & (BLOCKS - 1))
}

/// A place in a page, by its block and its place there.
#[inline]
const fn place_of(at: usize, place: u32) -> u16 {
    (at as u16) << 6 | place as u16
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
    fn slot(&self, number: u64) -> Slot {
        if number < NEAR {
            self.near.get(number as usize).copied().unwrap_or_default()
        } else {
            self.far_slot(number)
        }
    }

    #[inline(never)]
    fn far_slot(&self, number: u64) -> Slot {
        match self.last.get() {
            Some((last, slot)) if last == number => slot,
            _ => {
                let slot = self.far.get(&number).copied().unwrap_or_default();
                self.last.set(Some((number, slot)));
                slot
            }
        }
    }

    /// Sets where a page is.
    #[cold]
    fn place(&mut self, number: u64, slot: Slot) {
        if number < NEAR {
            let at = number as usize;
            if at >= self.near.len() {
                self.near.resize(at + 1, Slot(0));
            }
            self.near[at] = slot;
        } else {
            self.far.insert(number, slot);
            self.last.set(Some((number, slot)));
        }
    }

    /// The page of this number.
    #[inline]
    fn page(&self, number: u64) -> Page<'_> {
        let Slot(slot) = self.slot(number);
        match self.many.get(slot as usize / 2) {
            Some(blocks) if slot & 1 == 1 => Page::Many(blocks),
            _ => Page::Few(self.few(Slot(slot))),
        }
    }

    /// Whether a place is among those of a page that has few.
    #[inline(never)]
    fn few_have(&self, slot: Slot, place: u16) -> bool {
        self.few(slot).contains(&place)
    }

    /// Places of the members of a page that has few, or none.
    fn few(&self, Slot(slot): Slot) -> &[u16] {
        (slot as usize / 2).checked_sub(1).and_then(|at| self.few.get(at)).map_or(&[], |places| places)
    }

    /// Adds a member; false if it was there.
    #[inline]
    pub fn insert(&mut self, id: Value) -> bool {
        let (block, place) = split(id);
        if block != self.open.0 {
            self.open_block(block);
        }
        let fresh = self.open.1 >> place & 1 == 0;
        self.open.1 |= 1 << place;
        self.len += u64::from(fresh);
        fresh
    }

    /// Writes the open block to the pages, and opens another one.
    #[inline(never)]
    fn open_block(&mut self, block: u64) {
        let (open, members) = self.open;
        if members != 0 {
            self.put(open, members);
        }
        self.open = (block, self.block(block));
    }

    /// Adds the members of a block to its page.
    fn put(&mut self, block: u64, members: u64) {
        let (number, at) = page_of(block);
        let fresh = members & !self.page(number).block(at);
        let Slot(slot) = self.slot(number);
        if slot & 1 == 1 {
            self.many[slot as usize / 2][at] |= fresh;
            return;
        }
        let few = (slot as usize / 2).checked_sub(1);
        let held = few.map_or(0, |few| self.few[few].len());
        if held + fresh.count_ones() as usize <= FEW {
            let few = few.unwrap_or_else(|| {
                self.few.push(SmallVec::new());
                self.place(number, Slot(self.few.len() as u32 * 2));
                self.few.len() - 1
            });
            let fresh = (0..64).filter(|place| fresh >> place & 1 == 1);
            self.few[few].extend(fresh.map(|place| place_of(at, place)));
            return;
        }
        let mut blocks = [0; BLOCKS];
        for place in few.map(|few| std::mem::take(&mut self.few[few])).unwrap_or_default() {
            blocks[usize::from(place >> 6)] |= 1 << (place & 63);
        }
        blocks[at] |= fresh;
        self.place(number, Slot(self.many.len() as u32 * 2 + 1));
        self.many.push(blocks);
    }

    /// The members of a block, a bit each.
    pub fn block(&self, block: u64) -> u64 {
        if block == self.open.0 {
            return self.open.1;
        }
        let (number, at) = page_of(block);
        self.page(number).block(at)
    }

    /// True if `id` is a member.
    #[inline]
    pub fn contains(&self, id: Value) -> bool {
        let (block, place) = split(id);
        if block == self.open.0 {
            return self.open.1 >> place & 1 == 1;
        }
        let (number, at) = page_of(block);
        let Slot(slot) = self.slot(number);
        // Most pages that are asked have many.
        match self.many.get(slot as usize / 2) {
            Some(blocks) if slot & 1 == 1 => blocks[at] >> place & 1 == 1,
            _ => self.few_have(Slot(slot), place_of(at, place)),
        }
    }
}

impl Page<'_> {
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
