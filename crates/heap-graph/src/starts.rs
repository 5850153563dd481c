//! Where the edges of each node start, in two bytes for most nodes.

use std::collections::BTreeMap;

use crate::graph::NONE;

/// Numbers of edges, ascending. Few objects have so many edges that those of a block are more than two bytes count.
#[derive(Clone, Debug, Default)]
pub(crate) struct Starts {
    /// The first number of each block; [`NONE`] for one whose numbers are in `far`.
    bases: Vec<u32>,
    /// How much more each number is.
    near: Vec<u16>,
    far: BTreeMap<u32, Vec<u32>>,
}

/// Numbers of a block.
const BLOCK: usize = if cfg!(test) { 4 } else { 256 };

impl Starts {
    /// How many numbers there are.
    pub(crate) fn len(&self) -> usize {
        self.near.len()
    }

    /// Appends numbers, whole blocks but at the end. There are `count` in all.
    pub(crate) fn extend(&mut self, numbers: &[u32], count: usize) {
        self.near.reserve_exact(count - self.near.len());
        for block in numbers.chunks(BLOCK) {
            let (Some(&first), Some(&last)) = (block.first(), block.last()) else { return };
            if last - first <= u16::MAX.into() {
                self.bases.push(first);
                self.near.extend(block.iter().map(|number| (number - first) as u16));
            } else {
                self.far.insert(self.bases.len() as u32, block.to_vec());
                self.bases.push(NONE);
                self.near.resize(self.near.len() + block.len(), 0);
            }
        }
    }

    /// Number `at`.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub(crate) fn get(&self, at: usize) -> u32 {
        let (base, more) = (self.bases[at / BLOCK], self.near[at]);
        if base == NONE { self.far(at) } else { base + u32::from(more) }
    }

    #[cold]
    fn far(&self, at: usize) -> u32 {
        let block = self.far.get(&((at / BLOCK) as u32));
        block.and_then(|block| block.get(at % BLOCK)).copied().unwrap_or(0)
    }

    /// How many numbers are at most `edge`.
    pub(crate) fn up_to(&self, edge: u32) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.get(middle) <= edge { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// All numbers, four bytes each.
    pub(crate) fn all(&self) -> Vec<u32> {
        (0..self.len()).map(|at| self.get(at)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_that_were_given() {
        for step in [0, 1, 9_000, 21_846, 70_000] {
            for count in [0u32, 1, 3, 4, 5, 64, 67] {
                // One in seven has many more.
                let of = |at: u32| at * step + at / 7 * 100_000;
                let numbers: Vec<u32> = (0..count).map(of).collect();
                let mut starts = Starts::default();
                numbers.chunks(BLOCK * 2).for_each(|part| starts.extend(part, numbers.len()));
                assert_eq!((starts.len(), starts.all()), (numbers.len(), numbers.clone()));
                for edge in numbers.iter().flat_map(|&n| [n.saturating_sub(1), n, n + 1]) {
                    assert_eq!(starts.up_to(edge), numbers.partition_point(|&start| start <= edge));
                }
            }
        }
    }
}
