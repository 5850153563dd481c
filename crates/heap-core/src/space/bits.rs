//! Where objects begin: a bit for each word of the pages, with numbers by rank.
//!
//! Memory: a 64th of the heap, and 4 bytes for each 512 words.

use super::{Page, Pages};

/// Bits that a sum of counts stands for.
const RUN: usize = 512;

/// A set of words on heap pages.
#[derive(Debug, Default)]
pub(crate) struct Starts {
    /// For each page, where its bits begin, in words of the set.
    pages: Vec<usize>,
    bits: Vec<u64>,
    /// How many bits are set before each run; once counted.
    before: Vec<u32>,
}

impl Starts {
    /// An empty set for these pages; `keep` says which can have members.
    pub(crate) fn new(pages: &Pages, keep: impl Fn(&Page) -> bool) -> Self {
        let mut total = 0;
        let mut begins = Vec::with_capacity(pages.pages.len());
        for page in &pages.pages {
            begins.push(total);
            if keep(page) {
                total += ((page.end - page.area) / 512 + 1) as usize;
            }
        }
        begins.push(total);
        Self { pages: begins, bits: vec![0; total], before: Vec::new() }
    }

    /// The word and bit of an address on a page.
    #[inline]
    fn place(&self, number: u32, page: &Page, address: u64) -> Option<(usize, u32)> {
        let at = address - page.area;
        let word = self.pages[number as usize] + (at / 512) as usize;
        (address.is_multiple_of(8) && word < self.pages[number as usize + 1])
            .then_some((word, (at / 8 % 64) as u32))
    }

    /// Adds an address on a page.
    #[inline]
    pub(crate) fn insert(&mut self, number: u32, page: &Page, address: u64) {
        if let Some((word, bit)) = self.place(number, page, address) {
            self.bits[word] |= 1 << bit;
        }
    }

    /// Whether an address is a member.
    #[inline]
    pub(crate) fn contains(&self, pages: &Pages, address: u64) -> bool {
        let Some((number, page)) = pages.at(address) else { return false };
        self.place(number, page, address).is_some_and(|(word, bit)| self.bits[word] >> bit & 1 == 1)
    }

    /// Makes numbers known, and gives how many members there are.
    pub(crate) fn count(&mut self) -> u32 {
        let mut sum = 0;
        self.before.clear();
        for run in self.bits.chunks(RUN / 64) {
            self.before.push(sum);
            sum += run.iter().map(|w| w.count_ones()).sum::<u32>();
        }
        sum
    }

    /// How many members come before an address, if that is one.
    #[inline]
    pub(crate) fn rank(&self, pages: &Pages, address: u64) -> Option<u32> {
        let (number, page) = pages.at(address)?;
        let (word, bit) = self.place(number, page, address)?;
        if self.bits[word] >> bit & 1 == 0 {
            return None;
        }
        let run = word / (RUN / 64);
        let mut rank = *self.before.get(run)?;
        for earlier in &self.bits[run * (RUN / 64)..word] {
            rank += earlier.count_ones();
        }
        Some(rank + (self.bits[word] & ((1 << bit) - 1)).count_ones())
    }

    /// The members on a page, in order.
    pub(crate) fn on_page(&self, number: u32, page: &Page) -> impl Iterator<Item = u64> {
        let (first, last) = (self.pages[number as usize], self.pages[number as usize + 1]);
        let area = page.area;
        self.bits[first..last].iter().zip(0u64..).flat_map(move |(&word, i)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros();
                rest &= rest.wrapping_sub(1);
                (bit < 64).then(|| area + i * 512 + u64::from(bit) * 8)
            })
        })
    }
}
