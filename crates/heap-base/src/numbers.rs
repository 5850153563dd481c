//! Maps and sets of whole numbers, such as string ids: those of sound input lie close together, those of other input
//! anywhere.
//!
//! Sixteen neighbours live in one page, and pages are made as they are needed. So memory follows the number of members,
//! whatever they are, and no number from a file is a length:
//!
//! ```text
//! number 35 = page 2, place 3      near  [ 1 0 2 . . . ]     which of `pages` a page is, plus one
//!                                          │   │             far  { 91: 3 }   pages beyond `near`, by hash
//!                                  pages [ ■   ■   ■ ]
//! ```
//!
//! `near` grows to a power of two only, and only if it is short or pages fill an eighth of it. Pages of `far` that it
//! reaches then move there: a page is in one of them, and it moves as often as `near` grows, at most.

use crate::Map;

const PAGE_BITS: u32 = 4;
const PAGE: usize = 1 << PAGE_BITS;
/// `near` may be this long whatever it holds: 256 KiB.
const SHORT: usize = 1 << 16;
/// Places in `near` for each page, beyond that.
const SLACK: usize = 8;

/// A value for every number, at first the same for all. Memory: the value itself where numbers lie close together; for one
/// far from all others 16 values and at most 40 bytes.
#[derive(Clone, Debug)]
pub struct NumberMap<V> {
    near: Vec<u32>,
    far: Map<u64, u32>,
    pages: Vec<[V; PAGE]>,
    vacant: V,
}

impl<V: Copy + Default> Default for NumberMap<V> {
    fn default() -> Self {
        Self::new(V::default())
    }
}

/// Number of a page and the place in it. Pages on both sides of zero are neighbours, since array indexes count down.
#[inline]
const fn split(number: i64) -> (u64, usize) {
    let page = number >> PAGE_BITS;
    ((page << 1 ^ page >> 63) as u64, number as usize & (PAGE - 1))
}

/// The first number of a page.
const fn first_of(page: u64) -> i64 {
    ((page >> 1) as i64 ^ -((page & 1) as i64)) << PAGE_BITS
}

/// Where a page is found in `near`, if it is there.
#[inline]
fn place_of(page: u64) -> usize {
    usize::try_from(page).unwrap_or(usize::MAX)
}

impl<V: Copy> NumberMap<V> {
    /// Every number has `vacant`.
    pub fn new(vacant: V) -> Self {
        Self { near: Vec::new(), far: Map::default(), pages: Vec::new(), vacant }
    }

    /// The value of a number.
    #[inline]
    pub fn get(&self, number: i64) -> V {
        let (page, place) = split(number);
        let at = match self.near.get(place_of(page)) {
            Some(&at) => at,
            None if self.far.is_empty() => 0,
            None => self.far_page(page),
        };
        match self.pages.get((at as usize).wrapping_sub(1)) {
            Some(values) => values[place],
            None => self.vacant,
        }
    }

    /// The value of a number, to be changed.
    #[inline]
    pub fn slot(&mut self, number: i64) -> &mut V {
        let (page, place) = split(number);
        let at = match self.near.get(place_of(page)) {
            Some(&at) if at > 0 => at,
            _ => self.found_or_made(page),
        };
        &mut self.pages[at as usize - 1][place]
    }

    #[inline(never)]
    fn far_page(&self, page: u64) -> u32 {
        self.far.get(&page).copied().unwrap_or(0)
    }

    /// Which of the pages this one is, plus one.
    #[inline(never)]
    fn found_or_made(&mut self, page: u64) -> u32 {
        let next = self.pages.len() as u32 + 1;
        if page >= self.near.len() as u64 {
            let most = SHORT.max(SLACK * self.pages.len()) as u64;
            if page < most && (page + 1).next_power_of_two() <= most {
                self.near.resize((page + 1).next_power_of_two() as usize, 0);
                let reach = self.near.len() as u64;
                for (page, at) in self.far.extract_if(|&page, _| page < reach) {
                    self.near[page as usize] = at;
                }
            }
        }
        let at = match self.near.get_mut(place_of(page)) {
            Some(at) => at,
            None => self.far.entry(page).or_insert(0),
        };
        if *at == 0 {
            *at = next;
            self.pages.push([self.vacant; PAGE]);
        }
        *at
    }

    /// Gives unused capacity back.
    pub fn shrink(&mut self) {
        self.pages.shrink_to_fit();
    }

    /// Every number has the first value again.
    pub fn clear(&mut self) {
        self.near.clear();
        self.far.clear();
        self.pages.clear();
    }
}

impl<V: Copy + PartialEq> NumberMap<V> {
    /// Numbers that have another value than at first, with it; in an order that depends on the numbers alone.
    pub fn iter(&self) -> impl Iterator<Item = (i64, V)> + '_ {
        let near = (0..).zip(&self.near).filter(|(_, at)| **at > 0).map(|(page, &at)| (page, at));
        let mut far: Vec<(u64, u32)> = self.far.iter().map(|(&page, &at)| (page, at)).collect();
        far.sort_unstable();
        near.chain(far).flat_map(|(page, at)| {
            let values = self.pages[at as usize - 1].iter().enumerate();
            let values = values.filter(|(_, value)| **value != self.vacant);
            values.map(move |(place, &value)| (first_of(page) + place as i64, value))
        })
    }
}

/// A set of numbers. Memory: a bit each where they lie close together, some 170 bytes for one far from all others.
#[derive(Clone, Debug, Default)]
pub struct NumberSet(NumberMap<u64>);

impl NumberSet {
    /// Puts a number in; true if it was not in yet.
    #[inline]
    pub fn insert(&mut self, number: i64) -> bool {
        let word = self.0.slot(number >> 6);
        let bit = 1 << (number & 63);
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// Takes a number out.
    pub fn remove(&mut self, number: i64) {
        if self.contains(number) {
            *self.0.slot(number >> 6) &= !(1 << (number & 63));
        }
    }

    /// True if a number is in.
    #[inline]
    pub fn contains(&self, number: i64) -> bool {
        self.0.get(number >> 6) >> (number & 63) & 1 == 1
    }

    /// Its numbers, in an order that depends on them alone.
    pub fn iter(&self) -> impl Iterator<Item = i64> + '_ {
        self.0.iter().flat_map(|(word, bits)| {
            (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| word << 6 | bit)
        })
    }

    /// Takes all out.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    /// Numbers near each other, far apart, ascending, descending, doubling, on both sides of zero.
    fn numbers(u: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<Vec<i64>> {
        let mut all = Vec::new();
        for _ in 0..u.int_in_range(1..=4)? {
            let first = u.arbitrary::<i64>()? >> u.int_in_range(0..=63)?;
            let step = u.arbitrary::<i64>()? >> u.int_in_range(40..=63)?;
            let count = u.int_in_range(0..=300)?;
            let mut last = first;
            match u.int_in_range(0..=2)? {
                0 => all.extend((0..count).map(|i| first.wrapping_add(step.wrapping_mul(i)))),
                1 => all.extend((0..count.min(62)).map(|i| first.wrapping_add(step.wrapping_shl(i as u32)))),
                _ => {
                    for _ in 0..count {
                        last = last.wrapping_add(u.arbitrary::<i64>()? >> u.int_in_range(44..=63)?);
                        all.push(last);
                    }
                }
            }
        }
        Ok(all)
    }

    fn seeds() -> impl Iterator<Item = u64> {
        // The same input in every run: random bits above, the number of bytes below.
        (1..=300u32).map(|i| u64::from(i.wrapping_mul(0x9E37_79B9)) << 32 | 8192)
    }

    #[test]
    fn a_map_is_what_a_plain_map_is() {
        for seed in seeds() {
            arbtest::arbtest(|u| {
                let (mut map, mut twin) = (NumberMap::new(7u32), BTreeMap::new());
                for number in numbers(u)? {
                    let value = u.int_in_range(0..=9)?;
                    assert_eq!(map.get(number), twin.get(&number).copied().unwrap_or(7), "{number}");
                    *map.slot(number) = value;
                    twin.insert(number, value);
                    let other = number ^ 1 << u.int_in_range(0..=63)?;
                    assert_eq!(map.get(other), twin.get(&other).copied().unwrap_or(7), "{other}");
                }
                twin.retain(|_, value| *value != 7);
                assert!(twin.iter().all(|(&number, &value)| map.get(number) == value));
                let mut all: Vec<_> = map.iter().collect();
                all.sort_unstable();
                assert!(all.into_iter().eq(twin));
                map.clear();
                assert_eq!(map.iter().next(), None);
                Ok(())
            })
            .seed(seed);
        }
    }

    #[test]
    fn a_set_is_what_a_plain_set_is() {
        for seed in seeds() {
            arbtest::arbtest(|u| {
                let (mut set, mut twin) = (NumberSet::default(), BTreeSet::new());
                for number in numbers(u)? {
                    if u.ratio(1, 4)? {
                        set.remove(number);
                        twin.remove(&number);
                    } else {
                        assert_eq!(set.insert(number), twin.insert(number), "{number}");
                    }
                    let other = number ^ 1 << u.int_in_range(0..=63)?;
                    assert_eq!(set.contains(other), twin.contains(&other), "{other}");
                }
                let mut all: Vec<_> = set.iter().collect();
                all.sort_unstable();
                assert!(all.into_iter().eq(twin));
                Ok(())
            })
            .seed(seed);
        }
    }

    #[test]
    fn memory_follows_the_number_of_members() {
        let doubling = || (0..63).map(|i| 1i64 << i);
        let lists: [Vec<i64>; 6] = [
            (0..100_000).collect(),
            (-100_000..0).rev().collect(),
            (0..100_000).map(|i| i << 40).collect(),
            (0..100_000).map(|i| i64::MAX - i * 1000).collect(),
            doubling().chain(doubling().map(|i| -i)).collect(),
            // Each just within what the ones before it make room for, if the limit grew with the list.
            (0..60).map(|i| 1023 << i & i64::MAX).collect(),
        ];
        for list in lists {
            let mut map = NumberMap::new(0u64);
            for &number in &list {
                *map.slot(number) = 1;
            }
            let pages = map.pages.len();
            assert!(pages <= list.len());
            assert!(map.near.len() <= SHORT.max(SLACK * pages), "{} of {pages}", map.near.len());
            assert_eq!(map.iter().count(), list.iter().collect::<BTreeSet<_>>().len());
        }
    }
}
