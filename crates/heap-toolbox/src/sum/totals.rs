//! Totals of a group.

use heap_base::Plus;
use heap_record::Node;

/// What a group adds up to. Sums stop at 2^64 − 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Objects; a node may stand for many.
    pub count: u64,
    /// True if the source does not say how many some of its nodes stand for.
    pub uncounted: bool,
    /// Shallow bytes.
    pub size: u64,
    /// Bytes outside the heap, where any node says so.
    pub external: Option<u64>,
    /// Bytes that would go with the group: the retained sizes of its nodes, those below another node of the group
    /// in the dominator tree left out. Where they are known.
    pub retained: Option<u64>,
}

impl Totals {
    /// Adds another group's totals to these.
    pub fn add(&mut self, other: &Self) {
        self.count = self.count.plus(other.count);
        self.uncounted |= other.uncounted;
        self.size = self.size.plus(other.size);
        let sum = |a: Option<u64>, b: Option<u64>| b.map_or(a, |b| Some(a.unwrap_or(0).plus(b)));
        self.external = sum(self.external, other.external);
        self.retained = sum(self.retained, other.retained);
    }

    /// Adds an object of `size` bytes.
    #[inline]
    pub(super) fn object(&mut self, size: u64) {
        self.count = self.count.plus(1);
        self.size = self.size.plus(size);
    }

    /// Adds what a node stands for.
    #[inline]
    pub(super) fn node(&mut self, node: &Node<'_>) {
        self.count = self.count.plus(node.heap.count.unwrap_or(1));
        self.size = self.size.plus(node.heap.size.unwrap_or(0));
        if let Some(external) = node.heap.external {
            self.external = Some(self.external.unwrap_or(0).plus(external));
        }
    }
}
