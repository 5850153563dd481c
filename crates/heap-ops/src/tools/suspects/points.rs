//! Accumulation points: where much hangs together.

use heap_base::Result;
use heap_graph::Accumulation;

use super::search::{Draft, Search};
use super::{Holding, Kind};

impl Search<'_> {
    pub(super) fn accumulated(&self, points: &[Accumulation]) -> Result<Vec<Draft>> {
        let mut drafts = Vec::new();
        // Twice as many as are shown: some have the same holder.
        for point in points.iter().filter(|point| !self.is_root(point.node)).take(self.limits.most * 2) {
            let mut draft = Draft::new(Kind::Accumulation, point.node, point.spread);
            draft.holds = self.holdings(point)?;
            drafts.push(draft);
        }
        Ok(drafts)
    }

    /// What hangs below a point, by type.
    fn holdings(&self, point: &Accumulation) -> Result<Vec<Holding>> {
        if point.chain > 1 {
            let class = self.loaded.class(point.node)?;
            return Ok(vec![Holding { class, count: point.chain.into(), retained: point.spread }]);
        }
        let children = self.tree.children(point.rank);
        let children = children.map(|child| (self.tree.node(child), self.tree.retained(child)));
        self.by_type(children.filter(|&(_, retained)| retained < self.floor))
    }
}
