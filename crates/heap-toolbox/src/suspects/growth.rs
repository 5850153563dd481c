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
        let tree = self.tree;
        let own =
            |rank| Some(tree.node(rank)).filter(|&node| node < self.nodes()).map(|node| births.bytes(node));
        let mut new: Vec<u64> = (0..tree.len()).map(|rank| own(rank).unwrap_or(0)).collect();
        tree.add_up(&mut new);
        let total = new.first().copied().unwrap_or(0);
        let floor = (total as f64 * self.limits.share).max(self.total as f64 * NOISE) as u64;
        let floor = floor.max(1);
        let points = accumulations(tree, &new, floor, |node| self.group(node));
        let mut drafts = Vec::new();
        for point in points.iter().filter(|point| !self.is_root(point.node)).take(self.limits.most * 2) {
            let mut draft = Draft::new(Kind::Growth, point.node, self.retained(point.node));
            draft.growth = Some(point.spread);
            draft.steps = vec![0; self.clues.earlier.len()];
            let chain = (point.chain > 1).then(|| self.group(point.node));
            let mut children = Vec::new();
            let mut stack = vec![point.rank];
            while let Some(rank) = stack.pop() {
                births.add(tree.node(rank), &mut draft.steps);
                for child in tree.children(rank) {
                    let (node, bytes) = (tree.node(child), new[child as usize]);
                    if bytes < floor || chain == Some(self.group(node)) {
                        stack.push(child);
                    }
                    if bytes > 0 && (rank == point.rank || chain == Some(self.group(node))) {
                        children.push((node, if chain.is_some() { births.bytes(node) } else { bytes }));
                    }
                }
            }
            draft.holds = self.by_type(children.into_iter())?;
            drafts.push(draft);
        }
        Ok(drafts)
    }
}
