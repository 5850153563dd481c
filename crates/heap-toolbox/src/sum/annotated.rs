//! What a stream from heap-dom says of its nodes: which bytes they retain.

use heap_record::Node;

use heap_graph::Column;

use super::groups::group_at;

/// The bytes that each node retains, in record order: where they begin and how many. The bytes of two nodes lie one
/// inside of the other, or apart; so what a group retains is what its nodes cover together, however small the part of the
/// heap is that is left. Memory: 16 bytes a node.
#[derive(Debug, Default)]
pub(super) struct Annotated {
    ranges: Vec<(u64, u64)>,
    /// A node lacks what heap-dom says of it.
    lacking: bool,
}

impl Annotated {
    /// True if no node has been taken in.
    pub(super) fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Leaves room for nodes that came before the first with annotations.
    pub(super) fn skip(&mut self, nodes: u32) {
        self.lacking |= nodes > 0;
        self.ranges.resize(self.ranges.len() + nodes as usize, (0, 0));
    }

    /// Takes a node in.
    pub(super) fn push(&mut self, node: &Node<'_>) {
        let heap = &node.heap;
        self.lacking |= match (heap.retained, heap.retained_from) {
            // What no root reaches is in no dominator tree, and retains nothing.
            (None, _) => heap.reachable != Some(false),
            (Some(retained), None) => retained > 0,
            (Some(_), Some(_)) => false,
        };
        self.ranges.push((heap.retained_from.unwrap_or(0), heap.retained.unwrap_or(0)));
    }

    /// Retained size of each group below `groups`; `group_of` gives the group of each node. `None` if the nodes do not
    /// say enough.
    pub(super) fn retained(self, group_of: &Column, groups: u32) -> Option<Vec<u64>> {
        if self.lacking {
            return None;
        }
        let mut ranges: Vec<(u32, u64, u64)> = Vec::new();
        for (node, (from, bytes)) in (0..group_of.len() as u32).zip(self.ranges) {
            if let Some(group) = group_at(group_of, node).filter(|_| bytes > 0) {
                ranges.push((group, from, bytes));
            }
        }
        ranges.sort_unstable();
        let mut sums = vec![0; groups as usize];
        for group in ranges.chunk_by(|a, b| a.0 == b.0) {
            let covered = heap_graph::covered(group.iter().map(|&(_, from, bytes)| (from, bytes)));
            sums[group[0].0 as usize] = covered;
        }
        Some(sums)
    }
}
