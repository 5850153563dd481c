//! What no root reaches, and whether it has a retained size all the same.

use heap_base::{BitSet, Plus};
use heap_graph::{Column, Outline};

/// Nodes that no root reaches over retaining edges.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Unreached {
    /// How many they are.
    pub nodes: u64,
    /// Their shallow bytes.
    pub size: u64,
    /// Their sizes as a part of all that the root retains, 0 to 1; `None` if they have no place in the dominator tree.
    pub share: Option<f64>,
    /// Their sizes as a part of the bytes of all nodes, 0 to 1; `None` if there are none.
    pub part: Option<f64>,
    /// What soft references alone hold, if they count: how many nodes, and their sizes as a part of the bytes of all, 0 to 1.
    pub soft: Option<(u64, f64)>,
}

impl Unreached {
    /// The bytes of all nodes, and what of them no root reaches.
    pub(crate) fn of(sizes: &Column, tree: &Outline, reachable: &BitSet) -> (u64, Self) {
        let (mut all, mut unreached, mut placed) = (0u64, Self::default(), false);
        for (node, size) in (0..).zip(sizes.iter()) {
            all = all.plus(size);
            if !reachable.contains(node) {
                unreached.nodes += 1;
                unreached.size = unreached.size.plus(size);
                placed |= tree.rank(node).is_some();
            }
        }
        let total = if tree.is_empty() { 0 } else { tree.retained(Outline::ROOT) };
        unreached.share = (placed && total > 0).then(|| unreached.size as f64 / total as f64);
        unreached.part = (all > 0).then(|| unreached.size as f64 / all as f64);
        (all, unreached)
    }

    /// Counts what is reachable, but not without soft references.
    pub(crate) fn soften(&mut self, sizes: &Column, firm: &BitSet, reachable: &BitSet) {
        let soft = reachable.iter().filter(|&node| !firm.contains(node) && (node as usize) < sizes.len());
        let (nodes, size) =
            soft.fold((0, 0u64), |(nodes, size), node| (nodes + 1, size.plus(sizes.get(node))));
        let all = sizes.iter().fold(0, u64::plus);
        self.soft = (all > 0).then(|| (nodes, size as f64 / all as f64));
    }

    /// What soft references alone hold, for a warning: nothing where it is little.
    pub fn softness(&self) -> Option<String> {
        let (nodes, part) = self.soft.filter(|&(_, part)| part >= DOUBTFUL)?;
        Some(format!(
            "soft references alone hold {nodes} objects, {:.1} % of the heap: they count, but go when memory is short",
            part * 100.0
        ))
    }

    /// What it makes uncertain, for a warning: nothing where it is little.
    pub fn doubt(&self) -> Option<String> {
        let part = self.part.filter(|&part| part >= DOUBTFUL && self.nodes > 0)?;
        let share = part * 100.0;
        Some(if self.share.is_some() {
            format!(
                "no root reaches {} objects, {share:.1} % of the heap: the dump lacks references to them, so all are \
                 judged, and nothing says where they are",
                self.nodes
            )
        } else {
            format!(
                "no root reaches {} objects over strong references, {share:.1} % of the heap: as garbage they are left out",
                self.nodes
            )
        })
    }
}

/// From this part of the heap on a warning says so.
const DOUBTFUL: f64 = 0.05;
