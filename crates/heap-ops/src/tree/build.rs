//! Makes the table of a tree: which of its forms the records allow.

use heap_base::{Error, Result};

use super::load::{Axis, TreeLoader};
use super::table::Table;
use super::{dom, frames, stacks};

impl TreeLoader {
    /// The table of all that has come.
    ///
    /// # Errors
    /// The records are no graph, or have no stack frames where these are asked for; or a temporary file cannot be
    /// read.
    pub fn build(mut self) -> Result<Table> {
        self.selected.fold_deferred()?;
        let graph = std::mem::take(&mut self.graph);
        let (heap, large) = graph.build_within()?;
        let spec = self.spec;
        if let Some(large) = large.filter(|_| self.edges) {
            return dom::build_far(&self, &heap, large, spec);
        }
        let known = |name: &str| self.context().types.node_id(name).map(u64::from);
        let allocation = known("heap.allocation");
        let frame = known("heap.frame");
        match spec.axis {
            Axis::Dom => dom::build(&self, heap, spec),
            Axis::None if allocation.is_none() => dom::flat(&self, &heap),
            // Frames that are nodes are those of threads then.
            Axis::Frame if self.context().stacks.are_there() => stacks::build(&self, &heap, spec),
            _ => {
                let stacks = [allocation, frame];
                let root = known("heap.root");
                let has_stacks = heap.subtypes.iter().any(|subtype| stacks.contains(&Some(subtype)));
                if has_stacks || heap.subtypes.iter().all(|subtype| Some(subtype) == root) {
                    frames::build(self, heap, spec)
                } else if spec.axis == Axis::None {
                    dom::flat(&self, &heap)
                } else {
                    Err(Error::refused("no stack frames in this dump; --by dom or --by class"))
                }
            }
        }
    }
}
