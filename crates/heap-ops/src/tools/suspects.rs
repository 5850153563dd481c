//! What is wrong here? Where much hangs together, and classes that retain much: heap-suspects.
//!
//! An accumulation point is a node below which the dominator tree stops being a chain and spreads
//! ([`accumulations`]). What people know it by is its holder, the last object on its retaining path that a program's own
//! name leads to: the `Map` behind `pageCache`, not the table inside of it.

use heap_base::{BitSet, Result};
use heap_graph::{
    Accumulation, Analysis, Config, DomTree, Paths, Rules, accumulations, analyse, group_retained,
};
use heap_record::Value;
use rustc_hash::FxHashMap;

use super::path::{PathStep, steps};
use crate::graph::NamedGraph;

/// What to look for.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The share of the heap from which something is a suspect.
    pub share: f64,
    /// Suspects of each kind at most.
    pub most: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { share: 0.05, most: 10 }
    }
}

/// What kind of suspect it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Much hangs together below one object.
    Accumulation,
    /// Many objects of one class, here and there.
    Class,
    /// Many functions of one name.
    Closures,
}

impl Kind {
    /// The word for it in rows.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Accumulation => "accumulation",
            Self::Class => "class",
            Self::Closures => "closures",
        }
    }
}

/// Objects of one type that a suspect holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holding {
    /// Their type name.
    pub class: String,
    /// How many they are.
    pub count: u64,
    /// What they retain, in bytes.
    pub retained: u64,
}

/// Something that may be wrong.
#[derive(Clone, Debug)]
pub struct Suspect {
    /// What kind it is.
    pub kind: Kind,
    /// Identifier and the source's number of the holder, or of the largest object of a class.
    pub id: Option<(Value, u64)>,
    /// Type name of the holder, or the class.
    pub class: String,
    /// Bytes that it accounts for.
    pub retained: u64,
    /// Those as a part of all that the roots retain, 0 to 1.
    pub share: f64,
    /// The way from the root to the holder; empty for classes.
    pub path: Vec<PathStep>,
    /// What it holds, largest first.
    pub holds: Vec<Holding>,
}

/// How many types of what a suspect holds are listed.
const HOLDINGS: usize = 3;

/// Fewer objects of a class, or functions of a name, than this are no crowd.
const CROWD: u64 = 20;

/// The suspects of one dump, largest first. Needs identifiers, classes, names, subtypes, labels and kinds kept.
///
/// Memory: beside the graph a copy of its edges while dominators are worked out, then 24 bytes a node.
///
/// # Errors
/// Strings that cannot be read back.
pub fn suspects(loaded: &NamedGraph, limits: Limits) -> Result<Vec<Suspect>> {
    let config = Config { distance: false, retained: true };
    let heap = &loaded.heap;
    let analysis = analyse(heap.graph.bare(), &heap.sizes, &heap.policy, config);
    suspects_in(loaded, &analysis, limits)
}

/// As [`suspects`], of a dump whose retained sizes are there already.
///
/// # Errors
/// Strings that cannot be read back.
pub fn suspects_in(loaded: &NamedGraph, analysis: &Analysis, limits: Limits) -> Result<Vec<Suspect>> {
    let search = Search::new(loaded, analysis, limits);
    let points = search.points();
    let mut found = search.accumulated(&points)?;
    found.extend(search.crowds(&points)?);
    // What people can act on first: a place, then what is everywhere.
    let everywhere = |s: &Suspect| matches!(s.kind, Kind::Class | Kind::Closures);
    found.sort_by(|a, b| everywhere(a).cmp(&everywhere(b)).then(b.retained.cmp(&a.retained)));
    Ok(found)
}

struct Search<'a> {
    loaded: &'a NamedGraph,
    analysis: &'a Analysis,
    tree: DomTree<'a>,
    /// What the roots retain.
    total: u64,
    floor: u64,
    limits: Limits,
}

impl<'a> Search<'a> {
    fn new(loaded: &'a NamedGraph, analysis: &'a Analysis, limits: Limits) -> Self {
        let tree = DomTree::new(analysis.root, &analysis.idom);
        let retained = |node: u32| analysis.retained.get(node as usize).copied();
        let total = retained(tree.root())
            .unwrap_or_else(|| tree.children(tree.root()).filter_map(retained).fold(0, u64::saturating_add));
        let floor = ((total as f64 * limits.share) as u64).max(1);
        Self { loaded, analysis, tree, total, floor, limits }
    }

    fn share(&self, bytes: u64) -> f64 {
        if self.total == 0 { 0.0 } else { bytes as f64 / self.total as f64 }
    }

    /// Class and subtype in one number.
    fn group(&self, node: u32) -> u64 {
        let heap = &self.loaded.heap;
        let class = heap.class(node).map_or(0, |class| (class as u64).wrapping_mul(2) | 1);
        class.wrapping_shl(20) ^ if class == 0 { heap.subtypes.get(node) } else { 0 }
    }

    fn points(&self) -> Vec<Accumulation> {
        accumulations(&self.tree, &self.analysis.retained, self.floor, |node| self.group(node))
    }

    fn accumulated(&self, points: &[Accumulation]) -> Result<Vec<Suspect>> {
        let heap = &self.loaded.heap;
        let rules = Rules::new(&heap.graph, &heap.policy);
        let nodes: BitSet =
            points.iter().map(|point| point.node).filter(|&n| n < heap.graph.nodes()).collect();
        let none = BitSet::default();
        let paths = Paths::new(&heap.graph, &rules, &none, Some(&nodes));
        let mut found: Vec<Suspect> = Vec::new();
        for point in points {
            let Some(path) = paths.path(point.node) else { continue };
            let mut path = steps(self.loaded, &path)?;
            // What hangs below the roots themselves is the runtime's own.
            if heap.policy.user_roots.contains(&point.node)
                || path.iter().all(|step| step.class.starts_with('('))
            {
                continue;
            }
            let holder = holder(&path);
            path.truncate(holder + 1);
            let Some(last) = path.last() else { continue };
            let (id, class) = ((last.id, last.number), last.class.clone());
            if let Some(known) = found.iter_mut().find(|known| known.id == Some(id)) {
                // Two spreads inside of one holder, such as a table and its overflow.
                known.retained = known.retained.saturating_add(point.spread);
                known.share = self.share(known.retained);
                continue;
            }
            found.push(Suspect {
                kind: Kind::Accumulation,
                id: Some(id),
                class,
                retained: point.spread,
                share: self.share(point.spread),
                path,
                holds: self.holdings(point)?,
            });
            if found.len() == self.limits.most {
                break;
            }
        }
        Ok(found)
    }

    /// What hangs below a point, by type.
    fn holdings(&self, point: &Accumulation) -> Result<Vec<Holding>> {
        let mut sums: FxHashMap<u64, (u32, u64, u64)> = FxHashMap::default();
        let mut add = |node: u32, retained: u64| {
            let sum = sums.entry(self.group(node)).or_insert((node, 0, 0));
            (sum.1, sum.2) = (sum.1 + 1, sum.2.saturating_add(retained));
        };
        if point.chain > 1 {
            add(point.node, point.spread);
        } else {
            for child in self.tree.children(point.node) {
                let retained = self.analysis.retained[child as usize];
                if retained < self.floor {
                    add(child, retained);
                }
            }
        }
        let mut sums: Vec<_> = sums.into_values().collect();
        sums.sort_unstable_by(|a, b| b.2.cmp(&a.2).then(a.0.cmp(&b.0)));
        sums.truncate(HOLDINGS);
        let count = |n: u64| if point.chain > 1 { point.chain.into() } else { n };
        sums.into_iter()
            .map(|(node, n, retained)| {
                Ok(Holding { class: self.loaded.class(node)?, count: count(n), retained })
            })
            .collect()
    }

    /// Classes, and functions of one name, that retain much outside of the accumulation points.
    fn crowds(&self, points: &[Accumulation]) -> Result<Vec<Suspect>> {
        let heap = &self.loaded.heap;
        let n = heap.graph.nodes();
        // What lies below a point, or on the way to one, is said already.
        let mut apart = BitSet::new(n);
        let (points, mut depth) = (points.iter().map(|p| p.node).collect::<BitSet>(), 0u32);
        let depth = std::cell::Cell::from_mut(&mut depth);
        self.tree.visit(
            |node| {
                let large = self.analysis.retained.get(node as usize).is_none_or(|&r| r >= self.floor);
                if depth.get() == 0 && !large {
                    apart.insert(node);
                }
                depth.set(depth.get() + u32::from(points.contains(node) && node != self.tree.root()));
                true
            },
            |node| depth.set(depth.get() - u32::from(points.contains(node) && node != self.tree.root())),
        );
        let closure = self.loaded.context.types.node_id("closure").map(u64::from);
        let mut groups: FxHashMap<(bool, String), u32> = FxHashMap::default();
        let mut keys: FxHashMap<(bool, i64), u32> = FxHashMap::default();
        let mut members = vec![u32::MAX; n as usize];
        for node in (0..n).filter(|&node| apart.contains(node)) {
            let (function, string) = match (heap.class(node), heap.name(node)) {
                (Some(class), _) => (false, class),
                (None, Some(name)) if closure == Some(heap.subtypes.get(node)) => (true, name),
                _ => continue,
            };
            let group = if let Some(&group) = keys.get(&(function, string)) {
                group
            } else {
                let text = self.loaded.context.strings.text_or_number(string)?;
                let next = groups.len() as u32;
                let group = *groups.entry((function, text)).or_insert(next);
                keys.insert((function, string), group);
                group
            };
            members[node as usize] = group;
        }
        let group = |node: u32| members.get(node as usize).copied().filter(|&group| group != u32::MAX);
        let sums = group_retained(&self.tree, &self.analysis.retained, groups.len() as u32, group);
        let mut counts = vec![0u64; groups.len()];
        members.iter().filter(|&&group| group != u32::MAX).for_each(|&group| counts[group as usize] += 1);
        let mut found: Vec<_> = groups
            .into_iter()
            .filter(|(_, group)| sums[*group as usize] >= self.floor && counts[*group as usize] >= CROWD)
            .collect();
        found.sort_unstable_by(|a, b| (sums[b.1 as usize], &a.0).cmp(&(sums[a.1 as usize], &b.0)));
        found.truncate(self.limits.most);
        Ok(found
            .into_iter()
            .filter(|((_, name), _)| !name.is_empty())
            .map(|((function, class), group)| {
                let (retained, count) = (sums[group as usize], counts[group as usize]);
                Suspect {
                    kind: if function { Kind::Closures } else { Kind::Class },
                    id: None,
                    class: class.clone(),
                    retained,
                    share: self.share(retained),
                    path: Vec::new(),
                    holds: vec![Holding { class, count, retained }],
                }
            })
            .collect())
    }
}

/// The last step that a name of the program leads to: no internal or hidden edge, no element of an array.
fn holder(path: &[PathStep]) -> usize {
    let named = |step: &PathStep| {
        let kind = step.kind.as_deref().unwrap_or_default();
        matches!(kind, "object property" | "closure variable")
            && step.label.is_some()
            && !step.class.starts_with('(')
    };
    path.iter().rposition(named).unwrap_or(path.len().saturating_sub(1))
}
