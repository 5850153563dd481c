//! Retained sizes, and their sums by group without counting nested nodes twice.

use crate::column::Column;
use crate::dominators::Dominators;
use crate::graph::NONE;

/// Bytes that would go with each node: its own and those of all it dominates. Nodes outside the dominator tree
/// have zero. Sums that do not fit stay at the largest number.
pub fn retained(dominators: &Dominators, sizes: &Column) -> Vec<u64> {
    let mut retained = vec![0u64; dominators.idom.len()];
    if let Some(slot) = retained.get_mut(dominators.root as usize) {
        *slot = sizes.get(dominators.root);
    }
    for &node in &dominators.order {
        retained[node as usize] = sizes.get(node);
    }
    for &node in dominators.order.iter().rev() {
        let own = retained[node as usize];
        if let Some(slot) = retained.get_mut(dominators.idom[node as usize] as usize) {
            *slot = slot.saturating_add(own);
        }
    }
    retained
}

/// The dominator tree from the top: children of each node in ascending order. 8·N bytes.
#[derive(Clone, Debug)]
pub struct DomTree<'a> {
    root: u32,
    idom: &'a [u32],
    /// First child by node, the root of the tree included.
    first: Vec<u32>,
    /// Next sibling by node.
    next: Vec<u32>,
}

impl<'a> DomTree<'a> {
    /// The tree that `idom` and `root` of [`Dominators`] or [`Analysis`](crate::Analysis) describe.
    pub fn new(root: u32, idom: &'a [u32]) -> Self {
        let mut first = vec![NONE; idom.len() + 1];
        let mut next = vec![NONE; idom.len()];
        for node in (0..idom.len()).rev() {
            if let Some(slot) = first.get_mut(idom[node] as usize) {
                next[node] = *slot;
                *slot = node as u32;
            }
        }
        Self { root, idom, first, next }
    }

    /// The root of the tree; equal to the number of nodes if it is none of them.
    pub fn root(&self) -> u32 {
        self.root
    }

    /// What `node` dominates immediately, ascending.
    pub fn children(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.first.get(node as usize).copied().unwrap_or(NONE);
        std::iter::successors((first != NONE).then_some(first), |&child| {
            Some(self.next[child as usize]).filter(|&next| next != NONE)
        })
    }

    /// Goes over the tree from the top, each node before and after what it dominates. `enter` says whether to go
    /// below the node; `leave` is called for every node entered.
    pub fn visit(&self, mut enter: impl FnMut(u32) -> bool, mut leave: impl FnMut(u32)) {
        let mut node = self.root;
        loop {
            if enter(node) {
                let child = self.first.get(node as usize).copied().unwrap_or(NONE);
                if child != NONE {
                    node = child;
                    continue;
                }
            }
            loop {
                leave(node);
                if node == self.root {
                    return;
                }
                let sibling = self.next[node as usize];
                if sibling != NONE {
                    node = sibling;
                    break;
                }
                node = self.idom[node as usize];
            }
        }
    }
}

/// The retained size of each group below `groups`: the sum over its nodes that are not below another node of the
/// same group in the dominator tree. `group` says where a node belongs; `None` leaves it out.
///
/// # Panics
/// If `group` gives a number that is not below `groups`.
pub fn group_retained(
    tree: &DomTree<'_>,
    retained: &[u64],
    groups: u32,
    group: impl Fn(u32) -> Option<u32>,
) -> Vec<u64> {
    let mut sums = vec![0u64; groups as usize];
    // The node of each group that is on the way from the root to the present node.
    let mut open = vec![NONE; groups as usize];
    let of = |node: u32| if (node as usize) < retained.len() { group(node) } else { None };
    let open_cells: &[std::cell::Cell<u32>] = std::cell::Cell::from_mut(&mut open[..]).as_slice_of_cells();
    tree.visit(
        |node| {
            if let Some(g) = of(node)
                && open_cells[g as usize].get() == NONE
            {
                open_cells[g as usize].set(node);
                sums[g as usize] = sums[g as usize].saturating_add(retained[node as usize]);
            }
            true
        },
        |node| {
            if let Some(g) = of(node)
                && open_cells[g as usize].get() == node
            {
                open_cells[g as usize].set(NONE);
            }
        },
    );
    sums
}
