//! A set of identifiers.

use std::cell::Cell;

use heap_record::Value;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Identifiers that share all but these low bits live in one page.
const PAGE_BITS: u32 = 12;
/// A page with more members than this becomes a bitmap.
const FEW: usize = 24;

/// A set of node identifiers. Dense ones (V8's, counters) cost about a bit each, scattered ones some 30 bytes.
#[derive(Debug, Default)]
pub struct IdSet {
    pages: FxHashMap<u64, u32>,
    store: Vec<Page>,
    len: u64,
    /// The page last used: identifiers come in runs.
    last: Cell<Option<(u64, u32)>>,
}

#[derive(Debug)]
enum Page {
    Few(SmallVec<[u16; 12]>),
    Many(Box<[u64; 1 << (PAGE_BITS - 6)]>),
}

/// Page number and place in the page; the tag bit goes last so that odd identifiers are neighbours.
fn split(id: Value) -> (u64, u16) {
    let bits = (id as u64).rotate_right(1);
    // The tag is now the top bit, so odd and even identifiers never share a page.
    (bits >> PAGE_BITS, (bits & ((1 << PAGE_BITS) - 1)) as u16)
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

    /// Adds a member; false if it was there.
    pub fn insert(&mut self, id: Value) -> bool {
        let (number, place) = split(id);
        let slot = match self.last.get() {
            Some((last, slot)) if last == number => slot,
            _ => {
                let next = self.store.len() as u32;
                let slot = *self.pages.entry(number).or_insert(next);
                if slot == next {
                    self.store.push(Page::Few(SmallVec::new()));
                }
                self.last.set(Some((number, slot)));
                slot
            }
        };
        let page = &mut self.store[slot as usize];
        let fresh = page.insert(place);
        self.len += u64::from(fresh);
        fresh
    }

    /// True if `id` is a member.
    #[inline]
    pub fn contains(&self, id: Value) -> bool {
        let (number, place) = split(id);
        let slot = match self.last.get() {
            Some((last, slot)) if last == number => slot,
            _ => {
                let Some(&slot) = self.pages.get(&number) else { return false };
                self.last.set(Some((number, slot)));
                slot
            }
        };
        match &self.store[slot as usize] {
            Page::Few(places) => places.contains(&place),
            Page::Many(bits) => bits[usize::from(place >> 6)] >> (place & 63) & 1 == 1,
        }
    }
}

impl Page {
    fn insert(&mut self, place: u16) -> bool {
        match self {
            Page::Few(places) if places.contains(&place) => false,
            Page::Few(places) if places.len() < FEW => {
                places.push(place);
                true
            }
            Page::Few(places) => {
                let mut bits = Box::new([0u64; 1 << (PAGE_BITS - 6)]);
                for p in places.iter().copied().chain([place]) {
                    bits[usize::from(p >> 6)] |= 1 << (p & 63);
                }
                *self = Page::Many(bits);
                true
            }
            Page::Many(bits) => {
                let word = &mut bits[usize::from(place >> 6)];
                let fresh = *word >> (place & 63) & 1 == 0;
                *word |= 1 << (place & 63);
                fresh
            }
        }
    }
}
