//! Accumulation points: where much hangs together.

use heap_base::Result;
use heap_graph::Accumulation;

use super::search::{Draft, Search};
use super::{Holding, Kind, Suspect};

impl Search<'_> {
    pub(super) fn accumulated(&self, points: &[Accumulation], floor: u64) -> Result<Vec<Draft>> {
        let mut drafts = Vec::new();
        // Twice as many as are shown: some have the same holder.
        for point in points.iter().filter(|point| !self.is_root(point.node)).take(self.limits.most * 2) {
            let mut draft = Draft::new(Kind::Accumulation, point.node, point.spread);
            draft.holds = self.holdings(point, floor)?;
            drafts.push(draft);
        }
        Ok(drafts)
    }

    /// Accumulations of the program that count only beside its own part of the heap, where none was `found` that counts
    /// beside all of it: a runtime that brings tens of megabytes with it hides a leak of one.
    ///
    /// The accumulations that were found are the runtime's then; the program's own part is what they leave.
    pub(super) fn smaller(&self, points: &[Accumulation], found: &[Suspect]) -> Result<Vec<Suspect>> {
        let accumulations = found.iter().filter(|suspect| suspect.kind == Kind::Accumulation);
        let runtimes = accumulations.fold(0u64, |sum, suspect| sum.saturating_add(suspect.retained));
        let floor = (self.total.saturating_sub(runtimes) as f64 * self.limits.share) as u64;
        if floor == 0 || runtimes == 0 || found.iter().any(Suspect::is_programs) {
            return Ok(Vec::new());
        }
        let mut smaller = self.points(floor);
        // Not the parts of what is found.
        let parts = |known: &Accumulation| known.rank..self.tree.end(known.rank);
        let known: Vec<_> = points.iter().filter(|known| !self.is_root(known.node)).map(parts).collect();
        smaller.retain(|new| new.spread < self.floor && known.iter().all(|parts| !parts.contains(&new.rank)));
        let mut found = self.placed(self.accumulated(&smaller, floor)?)?;
        found.retain(Suspect::is_programs);
        Ok(found)
    }

    /// What hangs below a point, by type.
    fn holdings(&self, point: &Accumulation, floor: u64) -> Result<Vec<Holding>> {
        if point.chain > 1 {
            let class = self.loaded.class(point.node)?;
            return Ok(vec![Holding { class, count: point.chain.into(), retained: point.spread }]);
        }
        let children = self.tree.children(point.rank);
        let children = children.map(|child| (self.tree.node(child), self.tree.retained(child)));
        self.by_type(children.filter(|&(_, retained)| retained < floor))
    }
}
