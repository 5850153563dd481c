//! The dominator tree for walks over all of it.

use heap_base::{BitSet, Plus};

use crate::column::Column;
use crate::graph::NONE;
use crate::rules::Rules;

/// The dominator tree as an outline: ranks number its nodes depth first, so that a node comes right before all that it
/// dominates, and a walk over the tree is one through memory. 12·N bytes, and two or four more for most nodes.
#[derive(Clone, Debug)]
pub struct Outline {
    /// Node by rank. The first is the root: the dump's only root, or N where it has none or several.
    pub(crate) nodes: Vec<u32>,
    /// The rank behind all that a node dominates, by rank.
    pub(crate) ends: Vec<u32>,
    /// Retained bytes by rank: most nodes retain little.
    pub(crate) retained: Column,
    /// Rank by node; [`NONE`] outside the tree.
    pub(crate) ranks: Vec<u32>,
}

/// What [`outline`](crate::outline()) works out.
#[derive(Clone, Debug)]
pub struct Outlined {
    /// The dominator tree with retained sizes.
    pub outline: Outline,
    /// Where each node belongs, by rank; [`NONE`] if nowhere. Empty where there are no groups.
    pub groups: Vec<u32>,
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
    ranks: Vec<u32>,
}

impl Above<'_> {
    /// The rank of what immediately dominates a node; `None` for the root itself and for nodes outside the tree.
    #[inline]
    pub fn rank(&self, node: u32) -> Option<u32> {
        let rank = self.outline.rank(node)?;
        Some(self.ranks[rank as usize]).filter(|&above| above != NONE)
    }

    /// The node that immediately dominates this one; N where that is the root and the root is no node.
    #[inline]
    pub fn node(&self, node: u32) -> Option<u32> {
        self.rank(node).map(|rank| self.outline.node(rank))
    }
}

impl Outline {
    /// Rank of the root.
    pub const ROOT: u32 = 0;

    /// How many ranks there are.
    pub fn len(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// True if not even the root is there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The node of a rank. The root's may be N, which is no node.
    #[inline]
    pub fn node(&self, rank: u32) -> u32 {
        self.nodes[rank as usize]
    }

    /// The rank behind all that the node of this one dominates.
    #[inline]
    pub fn end(&self, rank: u32) -> u32 {
        self.ends[rank as usize]
    }

    /// Retained bytes of the node of a rank; the root's are those of the whole tree.
    #[inline]
    pub fn retained(&self, rank: u32) -> u64 {
        self.retained.get(rank)
    }

    /// The rank of a node that has a place in the tree.
    #[inline]
    pub fn rank(&self, node: u32) -> Option<u32> {
        self.ranks.get(node as usize).copied().filter(|&rank| rank != NONE)
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

    /// Immediate dominators. 4·N bytes, made anew each time: few ask for them.
    pub fn above(&self) -> Above<'_> {
        let mut ranks = vec![NONE; self.nodes.len()];
        for rank in 0..self.len() {
            for child in self.children(rank) {
                ranks[child as usize] = rank;
            }
        }
        Above { outline: self, ranks }
    }

    /// How far each rank is below the root: how many nodes dominate its node. 4·N bytes.
    pub fn depths(&self) -> Vec<u32> {
        let mut depths = vec![0u32; self.nodes.len()];
        for rank in 0..self.len() {
            for child in self.children(rank) {
                depths[child as usize] = depths[rank as usize] + 1;
            }
        }
        depths
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
