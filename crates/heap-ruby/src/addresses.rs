//! The addresses of a dump: one bit for every eight bytes of the pages that have objects.

use heap_base::Map;

/// log2 of the bytes of a page, and words of bits for one.
const PAGE: u32 = 12;
const WORDS: usize = 8;

/// A set of addresses. Objects fill their pages, so one takes about a byte.
#[derive(Debug, Default)]
pub(crate) struct Addresses {
    numbers: Map<u64, u32>,
    pages: Vec<[u64; WORDS]>,
    /// The page asked for last, and its number.
    last: Option<(u64, u32)>,
}

impl Addresses {
    /// Adds an address. False if it, or another within its eight bytes, was there.
    pub(crate) fn insert(&mut self, address: u64) -> bool {
        let page = address >> PAGE;
        let number = match self.last {
            Some((last, number)) if last == page => number,
            _ => {
                let next = self.pages.len() as u32;
                let number = *self.numbers.entry(page).or_insert(next);
                if number == next {
                    self.pages.push([0; WORDS]);
                }
                self.last = Some((page, number));
                number
            }
        };
        let (word, bit) = place(address);
        let word = &mut self.pages[number as usize][word];
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// Whether the address was added.
    pub(crate) fn has(&self, address: u64) -> bool {
        let (word, bit) = place(address);
        let number = self.numbers.get(&(address >> PAGE));
        number.is_some_and(|&number| self.pages[number as usize][word] & bit != 0)
    }
}

fn place(address: u64) -> (usize, u64) {
    let eighth = address >> 3 & ((1 << (PAGE - 3)) - 1);
    ((eighth / 64) as usize, 1 << (eighth % 64))
}
