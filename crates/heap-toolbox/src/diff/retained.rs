//! What the nodes of one snapshot retain, where the stream says it: by class, and by any set of them.

use heap_base::Map;
use heap_record::Node;

/// The bytes that nodes retain, as heap-dom lays them out: where they begin and how many. What a set of nodes retains is
/// what these ranges cover together. Memory: 24 bytes a node.
#[derive(Debug, Default)]
pub(super) struct Retained {
    /// Group, where the bytes begin, how many.
    ranges: Vec<(u32, u64, u64)>,
    /// There is a node, and one does not say enough.
    any: bool,
    lacking: bool,
    /// By group; equal names have the same.
    groups: Vec<u64>,
}

impl Retained {
    /// Takes a node in; gives its place.
    pub(super) fn push(&mut self, node: &Node<'_>, group: u32) -> u32 {
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
        self.ranges.push((group, heap.retained_from.unwrap_or(0), heap.retained.unwrap_or(0)));
        (self.ranges.len() - 1) as u32
    }

    /// Adds up by group; `names` are those of the groups.
    pub(super) fn end(&mut self, names: &[String]) {
        let mut first: Map<&str, u32> = Map::default();
        let same: Vec<u32> = (0..).zip(names).map(|(i, name)| *first.entry(name).or_insert(i)).collect();
        let sets = (0..).zip(&self.ranges).map(|(place, range)| (same[range.0 as usize], place)).collect();
        let mut groups = vec![0; names.len()];
        for (group, bytes) in self.of_sets(sets) {
            groups[group as usize] = bytes;
        }
        for (i, &first) in same.iter().enumerate() {
            groups[i] = groups[first as usize];
        }
        self.groups = groups;
    }

    /// Forgets single nodes.
    pub(super) fn forget_nodes(&mut self) {
        self.ranges = Vec::new();
    }

    /// Whether there are nodes, and all say enough.
    pub(super) fn is_known(&self) -> bool {
        self.any && !self.lacking
    }

    /// Whether a node does not say enough.
    pub(super) fn is_lacking(&self) -> bool {
        self.lacking
    }

    /// What each group retains, by number.
    pub(super) fn of_groups(&self) -> &[u64] {
        &self.groups
    }

    /// What each of some sets retains; the nodes come as number of the set and place.
    pub(super) fn of_sets(&self, nodes: Vec<(u32, u32)>) -> Vec<(u32, u64)> {
        let range = |(set, place): (u32, u32)| {
            let &(_, from, bytes) = self.ranges.get(place as usize)?;
            (bytes > 0).then_some((set, from, bytes))
        };
        let mut ranges: Vec<_> = nodes.into_iter().filter_map(range).collect();
        ranges.sort_unstable();
        let sets = ranges.chunk_by(|a, b| a.0 == b.0);
        sets.map(|set| (set[0].0, heap_graph::covered(set.iter().map(|&(_, from, bytes)| (from, bytes)))))
            .collect()
    }
}
