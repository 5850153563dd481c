//! The dominator tree for walks over all of it.

use std::sync::{Arc, OnceLock};

use heap_base::away::{AwayWriter, width_of};
use heap_base::{BitSet, Plus, Result};

use crate::column::Column;
use crate::graph::NONE;
use crate::rules::Rules;
use crate::words::{Words, WordsWriter};

/// The dominator tree as an outline: ranks number its nodes depth first, so that a node comes right before all that it
/// dominates, and a walk over the tree is one through memory. 12·N bytes, and one or two more for most nodes. Of a large heap
/// what memory lacks room for is in files.
#[derive(Clone, Debug)]
pub struct Outline {
    /// Node by rank. The first is the root: the dump's only root, or N where it has none or several.
    pub(crate) nodes: Words,
    /// The rank behind all that a node dominates, by rank.
    pub(crate) ends: Words,
    pub(crate) retained: Bytes,
    /// Rank by node; [`NONE`] outside the tree.
    pub(crate) ranks: Words,
    /// What dominates each, by rank, where that is in a file.
    pub(crate) above: OnceLock<Arc<Words>>,
}

/// Retained bytes.
#[derive(Clone, Debug)]
pub(crate) enum Bytes {
    /// Those of each rank: where all of them are 2^64 or more.
    Of(Column),
    /// Each rank's own.
    Own(Own),
    /// Bytes of all that comes before each rank, and before the end.
    Before(Column),
}

/// Bytes of each rank itself. What it retains is the sum over a range of ranks.
#[derive(Clone, Debug)]
pub(crate) struct Own {
    own: Column,
    /// Those of all that comes before each [`BLOCK`].
    before: Vec<u64>,
}

/// So many ranks are added up anew for each sum, at most twice.
const BLOCK: u32 = if cfg!(test) { 4 } else { 64 };

impl Own {
    /// The column again if they are 2^64 or more.
    fn new(own: Column) -> std::result::Result<Self, Column> {
        let (mut before, mut sum) = (Vec::with_capacity(own.len() / BLOCK as usize + 1), Some(0u64));
        for (rank, bytes) in (0..=own.len() as u32).zip(own.iter().chain(std::iter::once(0))) {
            if rank.is_multiple_of(BLOCK) {
                before.push(sum.unwrap_or_default());
            }
            sum = sum.and_then(|sum| sum.checked_add(bytes));
        }
        if sum.is_some() { Ok(Self { own, before }) } else { Err(own) }
    }

    /// Those of ranks from `from` to before `to`.
    fn sum(&self, from: u32, to: u32) -> u64 {
        if to == from + 1 {
            return self.own.get(from);
        }
        let sum = |from: u32, to: u32| self.own.sum(from as usize..to as usize);
        let (first, last) = (from / BLOCK, to / BLOCK);
        if first == last {
            return sum(from, to);
        }
        let whole = self.before[last as usize] - self.before[first as usize];
        whole - sum(first * BLOCK, from) + sum(last * BLOCK, to)
    }
}

/// Where a rank is in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The rank.
    pub rank: u32,
    /// The rank of what dominates it, and of what dominates that; [`NONE`] where there is nothing.
    pub above: u32,
    /// The latter.
    pub far: u32,
    /// How many nodes dominate it.
    pub depth: u32,
}

/// What [`outline`](crate::outline()) works out.
#[derive(Clone, Debug)]
pub struct Outlined {
    /// The dominator tree with retained sizes.
    pub outline: Outline,
    /// One more than the group that each node belongs to, by rank; zero if it belongs to none. Empty where there are no groups.
    pub groups: Column,
    /// Retained size of each group, as [`group_sizes`](crate::group_sizes) has it.
    pub sums: Vec<u64>,
    /// Nodes that the roots reach over retaining edges.
    pub reachable: BitSet,
    /// What retains, for further searches in the same graph.
    pub rules: Rules,
}

/// The immediate dominators of an [`Outline`].
#[derive(Debug)]
pub struct Above<'a> {
    outline: &'a Outline,
    /// By rank; [`NONE`] for the root.
    ranks: Arc<Words>,
}

impl Above<'_> {
    /// The rank of what immediately dominates a node; `None` for the root itself and for nodes outside the tree.
    #[inline]
    pub fn rank(&self, node: u32) -> Option<u32> {
        let rank = self.outline.rank(node)?;
        // Less than its own rank, though a file could not be read: who walks up comes to an end.
        Some(self.ranks.get(rank)).filter(|&above| above < rank)
    }

    /// The node that immediately dominates this one; N where that is the root and the root is no node.
    #[inline]
    pub fn node(&self, node: u32) -> Option<u32> {
        self.rank(node).map(|rank| self.outline.node(rank))
    }
}

impl Outline {
    /// A tree in memory, with the bytes of each rank itself.
    pub(crate) fn new(nodes: Vec<u32>, ends: Vec<u32>, ranks: Vec<u32>, own: Column) -> Self {
        let [nodes, ends, ranks] = [nodes, ends, ranks].map(Words::Here);
        let mut outline =
            Self { nodes, ends, retained: Bytes::Of(Column::new()), ranks, above: OnceLock::new() };
        outline.retained = match Own::new(own) {
            Ok(own) => Bytes::Own(own),
            Err(own) => {
                let mut sums: Vec<u64> = own.iter().collect();
                outline.add_up(&mut sums);
                Bytes::Of(sums.into_iter().collect())
            }
        };
        outline
    }

    /// Rank of the root.
    pub const ROOT: u32 = 0;

    /// How many ranks there are.
    pub fn len(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// True if not even the root is there.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 0
    }

    /// The node of a rank. The root's may be N, which is no node.
    #[inline]
    pub fn node(&self, rank: u32) -> u32 {
        self.nodes.get(rank)
    }

    /// The rank behind all that the node of this one dominates.
    #[inline]
    pub fn end(&self, rank: u32) -> u32 {
        // Behind its own rank, though a file could not be read: who goes over children comes to an end.
        self.ends.get(rank).max(rank + 1)
    }

    /// Retained bytes of the node of a rank; the root's are those of the whole tree.
    pub fn retained(&self, rank: u32) -> u64 {
        match &self.retained {
            Bytes::Of(bytes) => bytes.get(rank),
            Bytes::Own(own) => own.sum(rank, self.end(rank)),
            Bytes::Before(bytes) => bytes.get(self.end(rank)).saturating_sub(bytes.get(rank)),
        }
    }

    /// The rank of a node that has a place in the tree.
    #[inline]
    pub fn rank(&self, node: u32) -> Option<u32> {
        if (node as usize) < self.ranks.len() {
            Some(self.ranks.get(node)).filter(|&rank| rank != NONE)
        } else {
            None
        }
    }

    /// The ranks of what the node of a rank dominates immediately, ascending.
    #[inline]
    pub fn children(&self, rank: u32) -> impl Iterator<Item = u32> + '_ {
        let (mut next, end) = (rank + 1, self.end(rank));
        std::iter::from_fn(move || {
            let child = next;
            (child < end).then(|| {
                next = self.end(child);
                child
            })
        })
    }

    /// What is known of some ranks, which ascend, each there once: one walk over the tree that passes over whatever has none of
    /// them. A long chain takes no memory.
    pub fn places<'a>(&'a self, ranks: &'a [u32]) -> impl Iterator<Item = Place> + 'a {
        // What the next rank is in, each with the rank behind all that it dominates.
        let mut open: Vec<(Place, u32)> = Vec::new();
        let mut next = Self::ROOT;
        ranks.iter().map(move |&rank| {
            while let Some((_, end)) = open.pop_if(|&mut (_, end)| end <= rank) {
                next = end;
            }
            loop {
                let end = self.end(next);
                if end <= rank {
                    next = end;
                    continue;
                }
                let place = match open.last() {
                    Some((of, _)) => Place { rank: next, above: of.rank, far: of.above, depth: of.depth + 1 },
                    None => Place { rank: next, above: NONE, far: NONE, depth: 0 },
                };
                // What ends where this one does has nothing else, so a chain takes one entry.
                while open.pop_if(|&mut (_, of)| of <= end).is_some() {}
                open.push((place, end));
                next += 1;
                if place.rank >= rank {
                    return place;
                }
            }
        })
    }

    /// Immediate dominators. 4·N bytes, made anew each time: few ask for them. Of a tree in files they are in a file, too, if
    /// it can be written.
    pub fn above(&self) -> Above<'_> {
        if matches!(self.ends, Words::Away(_))
            && let Some(ranks) = self.above.get().cloned().or_else(|| self.above_away().ok())
        {
            return Above { outline: self, ranks: Arc::clone(self.above.get_or_init(|| ranks)) };
        }
        let mut ranks = vec![NONE; self.nodes.len()];
        for rank in 0..self.len() {
            for child in self.children(rank) {
                ranks[child as usize] = rank;
            }
        }
        Above { outline: self, ranks: Arc::new(Words::Here(ranks)) }
    }

    /// The same in a file, in order: what is open of it are ranks that dominate more than what comes next.
    fn above_away(&self) -> Result<Arc<Words>> {
        let mut ranks = WordsWriter::new(false)?;
        let mut open: Vec<(u32, u32)> = Vec::new();
        for (rank, end) in (0..).zip(self.ends.iter()) {
            while open.pop_if(|&mut (_, end)| end <= rank).is_some() {}
            ranks.push(open.last().map_or(NONE, |&(above, _)| above))?;
            // What ends where this one does has nothing else.
            while open.pop_if(|&mut (_, of)| of == end).is_some() {}
            open.push((rank, end));
        }
        Ok(Arc::new(ranks.finish()?))
    }

    /// Says that what is in files could not be read: who asked got zeros.
    ///
    /// # Errors
    /// It could not.
    pub fn check(&self) -> Result {
        self.nodes.check()?;
        self.ends.check()?;
        self.ranks.check()?;
        match &self.retained {
            Bytes::Of(bytes) | Bytes::Own(Own { own: bytes, .. }) | Bytes::Before(bytes) => bytes.check()?,
        }
        self.above.get().map_or(Ok(()), |above| above.check())
    }

    /// What each group below `groups` retains, nested nodes counted once. `of` has one more than the group of each rank.
    pub(crate) fn sums(&self, of: &Column, groups: u32) -> Vec<u64> {
        let mut sums = vec![0u64; groups as usize];
        // Where what the last node of each group dominates ends.
        let mut open = vec![0u32; groups as usize];
        for (rank, group) in (0..).zip(of.iter()) {
            if let Some(group) = (group as usize).checked_sub(1)
                && rank >= open[group]
            {
                open[group] = self.end(rank);
                sums[group] = sums[group].plus(self.retained(rank));
            }
        }
        sums
    }

    /// Groups and what they retain, as [`Outlined`] has them, of a tree that was made without. The first are in a file.
    ///
    /// # Errors
    /// The file cannot be written.
    ///
    /// # Panics
    /// If `group` gives a number that is not below `groups`.
    pub fn grouped(&self, groups: u32, group: impl Fn(u32) -> Option<u32>) -> Result<(Column, Vec<u64>)> {
        let mut of = AwayWriter::new(width_of(groups.into()))?;
        let known = self.ranks.len();
        for node in self.nodes.iter().filter(|_| groups > 0) {
            let group = if (node as usize) < known { group(node) } else { None };
            of.push(group.map_or(0, |group| u64::from(group) + 1))?;
        }
        let of = of.finish()?.into();
        let sums = self.sums(&of, groups);
        Ok((of, sums))
    }

    /// Adds to the bytes of each rank those of all that its node dominates. Sums that do not fit stay at the largest
    /// number.
    pub fn add_up(&self, bytes: &mut [u64]) {
        for rank in (0..self.len()).rev() {
            let below = self.children(rank).map(|child| bytes[child as usize]).fold(0, u64::plus);
            bytes[rank as usize] = bytes[rank as usize].plus(below);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Who asks a file that cannot be read gets zeros until the end, where that is said.
    #[test]
    fn walks_over_zeros_come_to_an_end() {
        let zeros = || Words::Here(vec![0; 5]);
        let retained = Bytes::Before((0..6).map(|_| 0).collect());
        let of = |ranks| Outline {
            nodes: zeros(),
            ends: zeros(),
            retained: retained.clone(),
            ranks,
            above: OnceLock::new(),
        };
        let outline = of(zeros());
        assert_eq!(
            (outline.children(0).count(), outline.children(3).count(), outline.retained(2)),
            (0, 0, 0)
        );
        assert_eq!(outline.places(&[0, 1, 4]).map(|at| at.rank).collect::<Vec<_>>(), [0, 1, 4]);
        let outline = of(Words::Here(vec![4, 3, 2, 1, 0]));
        let above = Above { outline: &outline, ranks: Arc::new(zeros()) };
        assert_eq!([0, 1, 4].map(|node| above.rank(node)), [Some(0), Some(0), None]);
    }
}
