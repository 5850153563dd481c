//! What a stream from heap-dom says of its nodes: dominators and retained sizes.

use heap_graph::{DomTree, NONE, group_retained};
use heap_record::{Node, Value};

use super::NO_GROUP;

/// What an annotated stream says of its nodes: identifier, dominator and retained size, in record order.
/// Memory: 24 bytes a node.
#[derive(Debug, Default)]
pub(super) struct Annotated {
    ids: Vec<Value>,
    idoms: Vec<Value>,
    retained: Vec<u64>,
}

/// An identifier that no node has.
const NO_ID: Value = 0;

impl Annotated {
    /// True if no node has been taken in.
    pub(super) fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Leaves group_of for nodes without annotations.
    pub(super) fn skip(&mut self, nodes: u32) {
        let n = self.ids.len() + nodes as usize;
        self.ids.resize(n, NO_ID);
        self.idoms.resize(n, NO_ID);
        self.retained.resize(n, 0);
    }

    /// Takes a node in.
    pub(super) fn push(&mut self, node: &Node<'_>) {
        let known = node.heap.retained.is_some();
        self.ids.push(if known { node.id } else { NO_ID });
        self.idoms.push(node.heap.idom.unwrap_or(NO_ID));
        self.retained.push(node.heap.retained.unwrap_or(0));
    }

    /// Retained size of each group below `groups`; `group_of` gives the group of each node. A node whose dominator is not
    /// in the stream is at the top of the tree.
    pub(super) fn retained(&self, group_of: &[u32], groups: u32) -> Vec<u64> {
        let n = self.ids.len() as u32;
        let mut by_id: Vec<(Value, u32)> =
            self.ids.iter().copied().zip(0..n).filter(|(id, _)| *id != NO_ID).collect();
        by_id.sort_unstable();
        let find = |id: Value| by_id.binary_search_by_key(&id, |e| e.0).ok().map(|i| by_id[i].1);
        let mut idom: Vec<u32> = Vec::with_capacity(n as usize);
        for (node, (&id, &above)) in self.ids.iter().zip(&self.idoms).enumerate() {
            let above = if above == NO_ID || above == id { None } else { find(above) };
            idom.push(if id == NO_ID { NONE } else { above.filter(|&a| a as usize != node).unwrap_or(n) });
        }
        break_cycles(&mut idom, n);
        let tree = DomTree::new(n, &idom);
        let place = |node: u32| group_of.get(node as usize).copied().filter(|&place| place != NO_GROUP);
        group_retained(&tree, &self.retained, groups, place)
    }
}

/// A stream can claim that nodes dominate each other in a circle; one of them is then put at the top.
fn break_cycles(idom: &mut [u32], root: u32) {
    let mut state = vec![0u32; idom.len()];
    for start in 0..idom.len() as u32 {
        let mark = start + 1;
        let mut node = start;
        while let Some(&next) = idom.get(node as usize) {
            match state[node as usize] {
                0 => state[node as usize] = mark,
                m if m == mark => {
                    idom[node as usize] = root;
                    break;
                }
                _ => break,
            }
            node = next;
        }
    }
}
