//! What earlier dumps of the same process lack, and where it hangs together.

use heap_base::Result;
use heap_graph::accumulations;

use super::Kind;
use super::search::{Draft, Search};

/// Growth below this part of the heap is noise.
const NOISE: f64 = 0.002;

impl Search<'_> {
    /// Accumulation points of what is new since the first dump.
    pub(super) fn grown(&self) -> Result<Vec<Draft>> {
        if self.clues.earlier.is_empty() {
            return Ok(Vec::new());
        }
        let births = self.clues.births(self.loaded)?;
        let mut new: Vec<u64> = (0..self.nodes()).map(|node| births.bytes(node)).collect();
        let total = self.add_up(&mut new);
        let floor = (total as f64 * self.limits.share).max(self.total as f64 * NOISE) as u64;
        let floor = floor.max(1);
        let points = accumulations(self.tree, &new, floor, |node| self.group(node));
        let mut drafts = Vec::new();
        for point in points.iter().filter(|point| !self.is_root(point.node)).take(self.limits.most * 2) {
            let mut draft = Draft::new(Kind::Growth, point.node, self.retained(point.node));
            draft.growth = Some(point.spread);
            draft.steps = vec![0; self.clues.earlier.len()];
            let chain = (point.chain > 1).then(|| self.group(point.node));
            let mut children = Vec::new();
            let mut stack = vec![point.node];
            while let Some(node) = stack.pop() {
                births.add(node, &mut draft.steps);
                for child in self.tree.children(node) {
                    let small = new[child as usize] < floor;
                    if small || chain == Some(self.group(child)) {
                        stack.push(child);
                    }
                    if new[child as usize] > 0 && (node == point.node || chain == Some(self.group(child))) {
                        children.push((
                            child,
                            if chain.is_some() { births.bytes(child) } else { new[child as usize] },
                        ));
                    }
                }
            }
            draft.holds = self.by_type(children.into_iter())?;
            drafts.push(draft);
        }
        Ok(drafts)
    }

    /// Adds to each node what hangs below it, and returns the sum below the root.
    fn add_up(&self, bytes: &mut [u64]) -> u64 {
        let mut total = 0u64;
        let cell = std::cell::Cell::from_mut(&mut total);
        let bytes = std::cell::Cell::from_mut(bytes).as_slice_of_cells();
        self.tree.visit(
            |_| true,
            |node| {
                let Some(own) = bytes.get(node as usize).map(std::cell::Cell::get) else { return };
                match self.analysis.idom.get(node as usize).and_then(|&above| bytes.get(above as usize)) {
                    Some(above) => above.set(above.get().saturating_add(own)),
                    None => cell.set(cell.get().saturating_add(own)),
                }
            },
        );
        total
    }
}
