//! Where the cheapest ways to some nodes can still lead.
//!
//! All ways from the roots to a node lead through what dominates it. Let `d` dominate the target `t`, and have its turn in the
//! search. A node `x` that has its turn later lies on a cheapest way to `t` only if `d` dominates `x`:
//!
//! ```text
//! root ──► … ──► d ──► … ──► x ──► … ──► t      the way
//!   └──────────── around d ──┘                  so x would lead to t around d
//! ```
//!
//! If the way leads through `d`, `x` comes behind it, since costs rise along a way; if it begins at a class behind `d`, it does not
//! meet `d` at all. In both cases no part of it from `x` to `t` meets `d`, so a way to `x` around `d` would go on to `t` around
//! `d`, which there is none of. So what waits outside of the deepest such `d` of each target that is left need not be looked
//! at: few targets are far from the roots by cost, and they mostly lie in small parts of the heap.

use std::ops::Range;

use heap_base::BitSet;
use heap_graph::Outline;

/// The parts of the dominator tree that ways to the targets that are left can lead through.
pub(super) struct Regions<'a> {
    tree: Option<&'a Outline>,
    targets: &'a BitSet,
    /// Ranks of the targets and of all that dominates one, ascending.
    ranks: Vec<u32>,
    /// Ranks of the parts, ascending, none in another; `None` while that may be all of the heap.
    parts: Option<Vec<Range<u32>>>,
    /// So many nodes have their turn before the parts are looked for again, and are left of these.
    period: u32,
    left: u32,
}

impl<'a> Regions<'a> {
    /// Where there is no tree, or a target has no place in it, ways can lead through all of the heap.
    pub(super) fn new(tree: Option<&'a Outline>, targets: &'a BitSet) -> Self {
        let ranks = |tree: &Outline| targets.iter().map(|node| tree.rank(node)).collect::<Option<Vec<_>>>();
        let (tree, ranks) = match tree.and_then(|tree| Some((tree, ranks(tree)?))) {
            Some((tree, mut wanted)) => {
                wanted.sort_unstable();
                (Some(tree), above(tree, &wanted))
            }
            None => (None, Vec::new()),
        };
        let period = tree.map_or(u32::MAX, |tree| tree.len() / 32 + 1);
        Self { tree, targets, ranks, parts: None, period, left: period }
    }

    /// A node has its turn.
    #[inline]
    pub(super) fn count(&mut self) {
        self.left = self.left.saturating_sub(1);
    }

    /// Looks for the parts again, if enough nodes have had their turn: those of which `is_settled` holds, which the tree's root
    /// is not where it is no node.
    pub(super) fn narrow(&mut self, is_settled: impl Fn(u32) -> bool) {
        let Some(tree) = self.tree.filter(|_| self.left == 0) else { return };
        self.left = self.period;
        let mut parts: Vec<Range<u32>> = Vec::new();
        // Where each part of the tree ends that the next rank is in, with the last above it that had its turn.
        let mut around: Vec<(u32, u32)> = Vec::new();
        for &rank in &self.ranks {
            while around.last().is_some_and(|&(end, _)| end <= rank) {
                around.pop();
            }
            let last = around.last().map_or(Outline::ROOT, |&(_, last)| last);
            let settled = is_settled(tree.node(rank));
            if !settled && self.targets.contains(tree.node(rank)) {
                if last == Outline::ROOT {
                    self.parts = None;
                    return;
                }
                while parts.last().is_some_and(|part| part.start >= last) {
                    parts.pop();
                }
                if parts.last().is_none_or(|part| part.end <= last) {
                    parts.push(last..tree.end(last));
                }
            }
            around.push((tree.end(rank), if settled { rank } else { last }));
        }
        self.parts = Some(parts);
    }

    /// Whether a cheapest way to a target that is left may lead through a node that has its turn now.
    #[inline]
    pub(super) fn may_lead_on(&self, node: u32) -> bool {
        let (Some(tree), Some(parts)) = (self.tree, &self.parts) else { return true };
        // What no root reaches is met on ways that begin at a class.
        tree.rank(node).is_none_or(|rank| {
            let behind = parts.partition_point(|part| part.start <= rank);
            behind > 0 && rank < parts[behind - 1].end
        })
    }
}

/// Some ranks and those of all that dominates one of them; both ascend. O(N).
fn above(tree: &Outline, wanted: &[u32]) -> Vec<u32> {
    let (mut rank, mut at, mut ranks) = (Outline::ROOT, 0, Vec::new());
    while at < wanted.len() && rank < tree.len() {
        if wanted[at] < tree.end(rank) {
            ranks.push(rank);
            at += usize::from(wanted[at] == rank);
            rank += 1;
        } else {
            rank = tree.end(rank);
        }
    }
    ranks
}
