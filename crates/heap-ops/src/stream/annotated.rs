//! What a stream from heap-dom says of its nodes: which bytes they retain.

use heap_record::Node;

/// The bytes that each node retains, in record order: where they begin and how many. The bytes of two nodes lie one
/// inside of the other, or apart; so what a set of nodes retains is what they cover together, however small the part of
/// the heap is that the stream still has.
///
/// A stream is believed if all of its nodes say enough. The first node that does not ends the gathering, so that a
/// stream without annotations costs nothing. Memory: 16 bytes a node.
#[derive(Debug, Default)]
pub struct Annotated {
    ranges: Vec<(u64, u64)>,
    any: bool,
    lacking: bool,
}

impl Annotated {
    /// Whether heap-dom has said something of this node.
    pub fn says(node: &Node<'_>) -> bool {
        node.heap.retained.is_some() || node.heap.reachable.is_some()
    }

    /// Takes a node in; gives its place.
    pub fn push(&mut self, node: &Node<'_>) -> u32 {
        let heap = &node.heap;
        self.any = true;
        self.lacking |= match (heap.retained, heap.retained_from) {
            // What no root reaches is in no dominator tree, and retains nothing.
            (None, _) => heap.reachable != Some(false),
            (Some(retained), None) => retained > 0,
            (Some(_), Some(_)) => false,
        };
        if self.lacking {
            self.ranges = Vec::new();
            return 0;
        }
        self.ranges.push((heap.retained_from.unwrap_or(0), heap.retained.unwrap_or(0)));
        (self.ranges.len() - 1) as u32
    }

    /// So many nodes came before the first of them that was taken in; they said nothing.
    pub fn silent(&mut self, nodes: u32) {
        self.lacking |= nodes > 0;
    }

    /// True if no node has been taken in.
    pub fn is_empty(&self) -> bool {
        !self.any
    }

    /// Whether there are nodes, and all say enough.
    pub fn is_known(&self) -> bool {
        self.any && !self.lacking
    }

    /// Whether a node does not say enough.
    pub fn is_lacking(&self) -> bool {
        self.lacking
    }

    /// What the node at a place retains.
    pub fn retained(&self, place: u32) -> u64 {
        self.ranges.get(place as usize).map_or(0, |&(_, bytes)| bytes)
    }

    /// What each of some sets retains, by number of the set; their nodes come as number of the set and place. A set that
    /// retains nothing has no entry.
    pub fn of_sets(&self, nodes: impl IntoIterator<Item = (u32, u32)>) -> Vec<(u32, u64)> {
        let range = |(set, place): (u32, u32)| {
            let &(from, bytes) = self.ranges.get(place as usize)?;
            (bytes > 0).then_some((set, from, bytes))
        };
        let mut ranges: Vec<_> = nodes.into_iter().filter_map(range).collect();
        ranges.sort_unstable();
        let sets = ranges.chunk_by(|a, b| a.0 == b.0);
        sets.map(|set| (set[0].0, heap_graph::covered(set.iter().map(|&(_, from, bytes)| (from, bytes)))))
            .collect()
    }
}
