//! Addresses of objects and their ranks, in less than a byte for each object of a heap that is mostly full.
//!
//! A heap is a range of memory, and objects begin at multiples of 8 or more. So a bit for each possible place says
//! where objects are, and counts of bits before each word say how many lie below. Pages without objects have no bits.
//! Addresses that are too scattered for that are a sorted list.

use heap_base::{Error, Result};

/// How many places a page has, as a power of two.
const PAGE: u32 = 12;
const WORDS: usize = 1 << (PAGE - 6);
/// A directory may have so many entries whatever the number of objects.
const FREE_DIRECTORY: u64 = 1 << 16;
const NONE: u32 = u32::MAX;

/// What is known of all addresses before the set is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub(crate) count: u64,
    lowest: u64,
    highest: u64,
    /// All bits that any address has.
    bits: u64,
    /// Whether each address was larger than the one before.
    ascending: bool,
    last: Option<u64>,
}

impl Default for Extent {
    fn default() -> Self {
        Self { count: 0, lowest: u64::MAX, highest: 0, bits: 0, ascending: true, last: None }
    }
}

impl Extent {
    #[inline]
    pub(crate) fn add(&mut self, address: u64) {
        self.count += 1;
        self.lowest = self.lowest.min(address);
        self.highest = self.highest.max(address);
        self.bits |= address;
        self.ascending &= self.last.is_none_or(|last| last < address);
        self.last = Some(address);
    }

    /// Whether each address was larger than the one before; then none came twice.
    pub(crate) fn ascending(&self) -> bool {
        self.ascending
    }

    /// Whether an address is odd.
    pub(crate) fn odd(&self) -> bool {
        self.bits & 1 == 1
    }
}

/// A set of addresses, each with its rank.
#[derive(Debug)]
pub(crate) enum Addresses {
    /// Bits by place.
    Paged { shift: u32, first: u64, directory: Vec<u32>, pages: Vec<Page> },
    /// In order, once all are in.
    Sorted(Vec<u64>),
}

/// Places of a page.
#[derive(Debug)]
pub(crate) struct Page {
    /// How many addresses lie below this page.
    base: u32,
    /// How many lie below each word, in this page.
    below: [u16; WORDS],
    bits: [u64; WORDS],
}

impl Addresses {
    /// An empty set for addresses of this extent.
    pub(crate) fn new(extent: &Extent) -> Self {
        if extent.count == 0 {
            return Self::Sorted(Vec::new());
        }
        let shift = extent.bits.trailing_zeros().min(12);
        let first = extent.lowest >> shift >> PAGE;
        let span = (extent.highest >> shift >> PAGE) - first + 1;
        if span > FREE_DIRECTORY.max(extent.count.saturating_mul(2)) {
            return Self::Sorted(Vec::new());
        }
        Self::Paged { shift, first, directory: vec![NONE; span as usize], pages: Vec::new() }
    }

    /// Adds an address, if it lies in the extent.
    #[inline]
    pub(crate) fn insert(&mut self, address: u64) {
        match self {
            Self::Sorted(list) => list.push(address),
            Self::Paged { shift, first, directory, pages, .. } => {
                let place = address >> *shift;
                let slot = directory.get_mut((place >> PAGE).wrapping_sub(*first) as usize);
                let Some(slot) = slot.filter(|_| place << *shift == address) else { return };
                if *slot == NONE {
                    *slot = pages.len() as u32;
                    pages.push(Page { base: 0, below: [0; WORDS], bits: [0; WORDS] });
                }
                let at = (place & ((1 << PAGE) - 1)) as usize;
                pages[*slot as usize].bits[at / 64] |= 1 << (at % 64);
            }
        }
    }

    /// Makes ranks known, and says how many different addresses there are.
    pub(crate) fn finish(&mut self) -> u32 {
        match self {
            Self::Sorted(list) => {
                list.sort_unstable();
                list.dedup();
                list.shrink_to_fit();
                list.len() as u32
            }
            Self::Paged { directory, pages, .. } => {
                let mut total = 0;
                for &slot in directory.iter().filter(|&&slot| slot != NONE) {
                    let page = &mut pages[slot as usize];
                    page.base = total;
                    let mut below = 0;
                    for (count, bits) in page.below.iter_mut().zip(&page.bits) {
                        *count = below;
                        below += bits.count_ones() as u16;
                    }
                    total += u32::from(below);
                }
                total
            }
        }
    }

    /// How many addresses of the set are below this one, if it is in the set. Call after [`finish`](Self::finish).
    #[inline]
    pub(crate) fn rank(&self, address: u64) -> Option<u32> {
        match self {
            Self::Sorted(list) => list.binary_search(&address).ok().map(|at| at as u32),
            Self::Paged { shift, first, directory, pages, .. } => {
                let place = address >> *shift;
                let slot = *directory.get((place >> PAGE).wrapping_sub(*first) as usize)?;
                let page = pages.get(slot as usize)?;
                let at = (place & ((1 << PAGE) - 1)) as usize;
                let (word, bit) = (page.bits[at / 64], 1_u64 << (at % 64));
                if word & bit == 0 || place << *shift != address {
                    return None;
                }
                Some(page.base + u32::from(page.below[at / 64]) + (word & (bit - 1)).count_ones())
            }
        }
    }
}

/// Numbers of objects, in the order of the file, by their addresses.
#[derive(Debug)]
pub(crate) struct Numbers {
    addresses: Addresses,
    /// Numbers by rank, where the file is not in the order of addresses.
    order: Vec<u32>,
}

impl Numbers {
    /// Numbers of the objects that have these addresses, all of which are in. Where the file is not in their order, `each`
    /// gives them in the order of the file.
    pub(crate) fn new(
        mut addresses: Addresses,
        extent: &Extent,
        each: impl FnOnce(&mut dyn FnMut(u64)) -> Result,
    ) -> Result<Self> {
        let distinct = addresses.finish();
        if u64::from(distinct) != extent.count {
            let twice = extent.count.saturating_sub(distinct.into());
            return Err(Error::input(format!("{twice} objects have the address of another one")));
        }
        let mut order = Vec::new();
        if !extent.ascending {
            order = vec![0; distinct as usize];
            let mut number = 0;
            each(&mut |address| {
                if let Some(slot) = addresses.rank(address).and_then(|rank| order.get_mut(rank as usize)) {
                    *slot = number;
                }
                number += 1;
            })?;
        }
        Ok(Self { addresses, order })
    }

    /// The number of the object at this address.
    #[inline]
    pub(crate) fn get(&self, address: u64) -> Option<u32> {
        let rank = self.addresses.rank(address)?;
        if self.order.is_empty() { Some(rank) } else { self.order.get(rank as usize).copied() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(addresses: &[u64]) -> Result<Numbers> {
        let mut extent = Extent::default();
        for &address in addresses {
            extent.add(address);
        }
        let mut set = Addresses::new(&extent);
        for &address in addresses {
            set.insert(address);
        }
        Numbers::new(set, &extent, |each| {
            for &address in addresses {
                each(address);
            }
            Ok(())
        })
    }

    #[test]
    fn an_address_has_the_number_of_its_place_in_the_file() -> Result {
        let lists: [Vec<u64>; 7] = [
            vec![],
            vec![0],
            vec![u64::MAX, 0, 1],
            (0..100_000).map(|i| 0x7_0000_0000 + i * 24).collect(),
            (0..10_000).rev().map(|i| 0x1000 + i * i * 8).collect(),
            (0..500).map(|i| i << 50 | 8).collect(),
            (0..3000).map(|i| 3 + (i * 7919 % 3001) * 5).collect(),
        ];
        for list in lists {
            let numbers = numbers(&list)?;
            for (number, &address) in (0..).zip(&list) {
                assert_eq!(numbers.get(address), Some(number), "{address:#x}");
                // The slow search is for short lists.
                let near = [address.wrapping_add(4), address ^ 8, address ^ 1 << 40];
                for near in near.into_iter().filter(|_| list.len() < 600) {
                    let expected = list.iter().position(|&a| a == near).map(|at| at as u32);
                    assert_eq!(numbers.get(near), expected, "{near:#x}");
                }
            }
        }
        Ok(())
    }

    #[test]
    fn an_address_of_two_objects_is_an_error() {
        assert!(numbers(&[8, 16, 8]).is_err());
        assert!(numbers(&[8, 1 << 60, 8]).is_err());
    }
}
