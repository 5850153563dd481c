//! What every search needs, and how what was found gets its place.

use heap_base::{BitSet, Map, Result};
use heap_graph::{Accumulation, NONE, Outline, Paths, Rules, accumulations};
use heap_record::StringId;

use super::place::holder;
use super::runtime::Runtime;
use super::{Clues, Holding, Kind, Limits, Location, Suspect};
use crate::path::steps;
use heap_ops::graph::NamedGraph;

/// How many types of what a suspect holds are listed.
const HOLDINGS: usize = 3;

/// Fewer objects of a class, or functions of a location, than this are no crowd.
pub(super) const CROWD: u64 = 20;

pub(super) struct Search<'a> {
    pub(super) loaded: &'a NamedGraph,
    pub(super) tree: &'a Outline,
    rules: &'a Rules,
    pub(super) clues: &'a Clues,
    pub(super) limits: Limits,
    /// What the roots retain.
    pub(super) total: u64,
    /// Bytes from which something is a suspect.
    pub(super) floor: u64,
    /// See [`equal_texts`](super::equal_texts).
    equal: &'a Map<StringId, StringId>,
}

/// A suspect before its path is known.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) kind: Kind,
    /// The node that a path is looked for to.
    pub(super) node: u32,
    pub(super) retained: u64,
    pub(super) growth: Option<u64>,
    pub(super) steps: Vec<u64>,
    pub(super) holds: Vec<Holding>,
    /// What stands in place of the holder's class.
    pub(super) class: Option<String>,
    pub(super) location: Option<Location>,
}

impl Draft {
    pub(super) fn new(kind: Kind, node: u32, retained: u64) -> Self {
        let (growth, steps, holds) = (None, Vec::new(), Vec::new());
        Self { kind, node, retained, growth, steps, holds, class: None, location: None }
    }
}

impl<'a> Search<'a> {
    pub(super) fn new(
        loaded: &'a NamedGraph,
        (tree, rules): (&'a Outline, &'a Rules),
        (clues, equal): (&'a Clues, &'a Map<StringId, StringId>),
        limits: Limits,
    ) -> Self {
        let total = if tree.is_empty() { 0 } else { tree.retained(Outline::ROOT) };
        let floor = ((total as f64 * limits.share) as u64).max(1);
        Self { loaded, tree, rules, clues, limits, total, floor, equal }
    }

    pub(super) fn share(&self, bytes: u64) -> f64 {
        if self.total == 0 { 0.0 } else { bytes as f64 / self.total as f64 }
    }

    pub(super) fn nodes(&self) -> u32 {
        self.loaded.heap.graph.nodes()
    }

    pub(super) fn retained(&self, node: u32) -> u64 {
        self.tree.rank(node).map_or(0, |rank| self.tree.retained(rank))
    }

    /// The node that immediately dominates `node`.
    pub(super) fn above(&self, node: u32) -> Option<u32> {
        self.tree.dominator(node).filter(|&above| above < self.nodes())
    }

    /// Class and subtype in one number. The root of the tree may be none of the nodes.
    pub(super) fn group(&self, node: u32) -> u64 {
        let heap = &self.loaded.heap;
        if node >= self.nodes() {
            return u64::MAX;
        }
        let same = |class| if self.equal.is_empty() { None } else { self.equal.get(&class).copied() };
        let class = heap.class(node).map(|class| same(class).unwrap_or(class));
        let class = class.map_or(0, |class| (class as u64).wrapping_mul(2) | 1);
        class.wrapping_shl(20) ^ if class == 0 { heap.subtypes.get(node) } else { 0 }
    }

    pub(super) fn points(&self, floor: u64) -> Vec<Accumulation> {
        accumulations(self.tree, self.tree.bytes(), floor, |node| self.group(node))
    }

    /// What hangs below the roots themselves is the virtual machine's own.
    pub(super) fn is_root(&self, node: u32) -> bool {
        let policy = &self.loaded.heap.policy;
        node >= self.nodes() || policy.roots.contains(&node) || policy.user_roots.contains(&node)
    }

    /// Nodes by type, largest first, with what they retain; no more than a few types.
    pub(super) fn by_type(&self, nodes: impl Iterator<Item = (u32, u64)>) -> Result<Vec<Holding>> {
        let mut places: Map<u64, usize> = Map::default();
        let mut sums: Vec<(u32, u64, u64)> = Vec::new();
        // Most nodes are of the type of the one before.
        let mut last = None;
        for (node, retained) in nodes {
            let group = self.group(node);
            let place = match last {
                Some((of, place)) if of == group => place,
                _ => *places.entry(group).or_insert(sums.len()),
            };
            if place == sums.len() {
                sums.push((node, 0, 0));
            }
            last = Some((group, place));
            let sum = &mut sums[place];
            *sum = (sum.0.min(node), sum.1 + 1, sum.2.saturating_add(retained));
        }
        sums.sort_unstable_by(|a, b| b.2.cmp(&a.2).then(a.0.cmp(&b.0)));
        sums.truncate(HOLDINGS);
        sums.into_iter()
            .map(|(node, count, retained)| Ok(Holding { class: self.loaded.class(node)?, count, retained }))
            .collect()
    }

    /// The shortest retaining path of each draft, and the holder at its end. Several drafts of one kind, or an
    /// accumulation that has grown, with the same holder are one suspect.
    pub(super) fn placed(&self, drafts: Vec<Draft>) -> Result<Vec<Suspect>> {
        let heap = &self.loaded.heap;
        let nodes: BitSet = drafts.iter().map(|draft| draft.node).filter(|&n| n < self.nodes()).collect();
        let none = BitSet::default();
        let paths = Paths::new(&heap.graph, self.rules, &none, Some(&nodes));
        let mut owner = Runtime::new(self.loaded, &self.clues.runtime);
        let mut found: Vec<Suspect> = Vec::new();
        let mut counts: Map<&str, usize> = Map::default();
        for draft in drafts {
            let Some(path) = paths.path(draft.node) else { continue };
            let mut path = steps(self.loaded, &path)?;
            let is_point = matches!(draft.kind, Kind::Accumulation | Kind::Growth);
            if is_point && path.iter().all(|step| step.class.starts_with('(')) {
                continue;
            }
            if is_point || draft.kind == Kind::Sparse {
                let arrays = |id| self.is_array(heap.ids.find(id).unwrap_or(NONE));
                path.truncate(holder(&path, arrays) + 1);
            }
            let Some(last) = path.last() else { continue };
            let id = Some((last.id, last.number));
            let same = |known: &&mut Suspect| {
                is_point && known.id == id && matches!(known.kind, Kind::Accumulation | Kind::Growth)
            };
            if let Some(known) = found.iter_mut().find(same) {
                // Two spreads inside of one holder, such as a table and its overflow; or one that has grown.
                if known.kind == draft.kind {
                    known.retained = known.retained.saturating_add(draft.retained);
                    known.growth = known.growth.map(|g| g.saturating_add(draft.growth.unwrap_or(0)));
                    known.steps.iter_mut().zip(&draft.steps).for_each(|(a, b)| *a = a.saturating_add(*b));
                } else {
                    known.retained = known.retained.max(draft.retained);
                    known.holds = draft.holds;
                }
                known.share = self.share(known.retained);
                continue;
            }
            let of_kind = counts.entry(draft.kind.name()).or_default();
            if *of_kind == self.limits.most {
                continue;
            }
            *of_kind += 1;
            let class = draft.class.unwrap_or_else(|| last.class.clone());
            let Draft { kind, retained, growth, steps, holds, location, .. } = draft;
            let share = self.share(retained);
            let ranks = self.tree.rank(draft.node).map_or(0..0, |rank| rank..self.tree.end(rank));
            let below = ranks.map(|rank| self.tree.node(rank));
            let runtime = kind == Kind::Accumulation && owner.brought(&path, below)?;
            found.push(Suspect {
                kind,
                id,
                class,
                retained,
                share,
                growth,
                steps,
                path,
                holds,
                location,
                runtime,
            });
        }
        Ok(found)
    }

    /// Whether the declaration of a node's subtype says that it is an array.
    pub(super) fn is_array(&self, node: u32) -> bool {
        node < self.nodes()
            && self
                .loaded
                .context
                .types
                .node_name(self.loaded.heap.subtypes.get(node) as u32)
                .ends_with("array")
    }
}
