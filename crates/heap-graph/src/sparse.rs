//! A column in which most nodes have no entry.

use heap_base::{BitSet, Result};

use crate::column::Column;

/// Some of the nodes, numbered in their order: a bit a node and a little more.
#[derive(Clone, Debug, Default)]
pub(crate) struct Numbered {
    members: BitSet,
    /// How many members come before each [`BLOCK`].
    before: Vec<u32>,
    count: u32,
}

/// Words of 64 nodes that are counted together.
const BLOCK: usize = 8;

impl Numbered {
    /// Adds a node that comes after all that are in.
    #[inline]
    pub(crate) fn push(&mut self, node: u32) {
        let blocks = node as usize / 64 / BLOCK + 1;
        if self.before.len() < blocks {
            self.before.resize(blocks, self.count);
        }
        self.members.insert(node);
        self.count += 1;
    }

    /// The number of a node that is in.
    #[inline]
    pub(crate) fn get(&self, node: u32) -> Option<u32> {
        if !self.members.contains(node) {
            return None;
        }
        let word = node as usize / 64;
        let words = self.members.words();
        let first = word / BLOCK * BLOCK;
        let in_block: u32 = words[first..word].iter().map(|word| word.count_ones()).sum();
        let in_word = (words[word] & ((1 << (node % 64)) - 1)).count_ones();
        Some(self.before[word / BLOCK] + in_block + in_word)
    }
}

/// Numbers of some nodes: a bit a node and a little more, and the entries as a [`Column`] has them.
#[derive(Clone, Debug, Default)]
pub struct Sparse {
    members: Numbered,
    entries: Column,
}

impl Sparse {
    /// Bytes of memory that it takes.
    pub(crate) fn bytes(&self) -> u64 {
        let Numbered { members, before, .. } = &self.members;
        (members.words().len() * 8 + before.len() * 4) as u64 + self.entries.bytes()
    }

    /// Sets the entry of a node that comes after all that have one.
    #[inline]
    pub fn push(&mut self, node: u32, entry: u64) {
        self.members.push(node);
        self.entries.push(entry);
    }

    /// The entry of a node.
    #[inline]
    pub fn get(&self, node: u32) -> Option<u64> {
        self.members.get(node).map(|number| self.entries.get(number))
    }

    /// Says that entries in a file could not be read.
    ///
    /// # Errors
    /// They could not.
    pub fn check(&self) -> Result {
        self.entries.check()
    }

    /// The entries, to be put into a file.
    pub fn entries(&mut self) -> &mut Column {
        &mut self.entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_those_that_were_set() {
        for step in [1, 2, 63, 64, 65, 511, 512, 513, 5000] {
            let of = |node: u32| (node % step == step / 2).then(|| u64::from(node) << (node % 40));
            let mut sparse = Sparse::default();
            for (node, entry) in (0..20_000).filter_map(|node| Some((node, of(node)?))) {
                sparse.push(node, entry);
            }
            for node in 0..30_000 {
                let entry = if node < 20_000 { of(node) } else { None };
                assert_eq!(sparse.get(node), entry, "{node} of every {step}");
            }
        }
    }
}
