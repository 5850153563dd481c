//! What has a retained size, but no place.

use heap_base::BitSet;
use heap_graph::{Column, Outline};

use super::Limits;

/// Nodes that have a place in the dominator tree though no root reaches them over retaining edges.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Unreached {
    /// How many they are.
    pub nodes: u64,
    /// Their sizes as a part of all that the roots retain, 0 to 1.
    pub share: f64,
}

impl Unreached {
    pub(crate) fn new(sizes: &Column, tree: &Outline, reachable: &BitSet) -> Self {
        let unreached = |(node, _): &(u32, u64)| !reachable.contains(*node) && tree.rank(*node).is_some();
        let add = |(nodes, bytes): (u64, u64), (_, size)| (nodes + 1, bytes.saturating_add(size));
        let (nodes, bytes) = (0..).zip(sizes.iter()).filter(unreached).fold((0, 0), add);
        let total = if tree.is_empty() { 0 } else { tree.retained(Outline::ROOT) };
        Self { nodes, share: if total == 0 { 0.0 } else { bytes as f64 / total as f64 } }
    }

    /// What it makes uncertain, for a warning: nothing where it is less than a suspect would be.
    pub fn doubt(&self, limits: Limits) -> Option<String> {
        let Self { nodes, share } = *self;
        (nodes > 0 && share >= limits.share).then(|| {
            format!(
                "no root reaches {nodes} objects, {:.1} % of the heap: they are garbage, or the dump lacks references to \
                 them, and nothing says where they are",
                share * 100.0
            )
        })
    }
}
