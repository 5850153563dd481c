//! A set of identifiers below 2^32: dense as a rule, whatever in a file that lies.

/// Numbers of a page.
const PAGE: u32 = 1024;

/// A set of numbers, in pages of [`PAGE`] bits that are made when they are needed: 128 bytes for a lone number, a bit for
/// each of many. The table of pages has four bytes for each up to the last, 16 MiB at most.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    /// Which of `bits` a page is, plus one; 0 = not there.
    pages: Vec<u32>,
    bits: Vec<[u64; PAGE as usize / 64]>,
}

impl Ids {
    /// Adds a number; true if it was not in yet.
    pub(crate) fn insert(&mut self, id: u32) -> bool {
        let page = (id / PAGE) as usize;
        if page >= self.pages.len() {
            self.pages.resize(page + 1, 0);
        }
        if self.pages[page] == 0 {
            self.bits.push([0; PAGE as usize / 64]);
            self.pages[page] = self.bits.len() as u32;
        }
        let word = &mut self.bits[self.pages[page] as usize - 1][(id % PAGE / 64) as usize];
        let bit = 1 << (id % 64);
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// Whether a number is in.
    #[inline]
    pub(crate) fn contains(&self, id: u32) -> bool {
        let page = self.pages.get((id / PAGE) as usize).copied().unwrap_or(0);
        page > 0 && self.bits[page as usize - 1][(id % PAGE / 64) as usize] >> (id % 64) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::Ids;

    #[test]
    fn it_is_a_set() {
        let (mut ids, mut twin) = (Ids::default(), HashSet::new());
        let mut n = 1u32;
        for _ in 0..5000 {
            n = n.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let id = if n.is_multiple_of(3) { n } else { n % 3000 };
            assert_eq!(ids.insert(id), twin.insert(id), "{id}");
            assert!(ids.contains(id));
            assert_eq!(ids.contains(id ^ 1024), twin.contains(&(id ^ 1024)));
        }
        assert!(ids.insert(u32::MAX) && !ids.insert(u32::MAX) && !ids.contains(u32::MAX - 1));
    }
}
