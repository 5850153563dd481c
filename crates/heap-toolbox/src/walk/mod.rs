//! What selected nodes lead to, or what leads to them: heap-walk.

mod options;

pub use options::TOOL;

use heap_base::{BitSet, Map, Result};
use heap_graph::{LargeGraph, Paths, Rules, backward, forward, reachable};
use heap_record::StringId;

use heap_ops::graph::NamedGraph;
use heap_ops::select::glob::Glob;
use heap_ops::stream::IdSet;

/// How far and where to go.
#[derive(Clone, Debug)]
pub struct Way {
    /// Edges from the selected nodes; `u32::MAX` = any number.
    pub depth: u32,
    /// Against the edges.
    pub back: bool,
    /// Only over edges with such a label; all if there is none.
    pub via: Vec<Glob>,
    /// With a shortest retaining path from a root to each selected node: why they are alive.
    pub with_path: bool,
}

/// Whether labels are among those that a walk goes over.
struct Via<'a> {
    loaded: &'a NamedGraph,
    globs: &'a [Glob],
    verdicts: Map<StringId, bool>,
}

impl<'a> Via<'a> {
    /// None where all edges will do.
    fn new(loaded: &'a NamedGraph, globs: &'a [Glob]) -> Option<Self> {
        (!globs.is_empty()).then(|| Self { loaded, globs, verdicts: Map::default() })
    }

    fn takes(&mut self, label: Option<StringId>) -> Result<bool> {
        let Some(label) = label else { return Ok(false) };
        if let Some(&verdict) = self.verdicts.get(&label) {
            return Ok(verdict);
        }
        let text = self.loaded.context.strings.text_or_number(label)?;
        let verdict = self.globs.iter().any(|glob| glob.matches(&text));
        self.verdicts.insert(label, verdict);
        Ok(verdict)
    }
}

/// Identifiers of the selected nodes and of what they lead to. Weak edges are followed like others. The second value is
/// false if there are labels and no edge on the way has one.
///
/// # Errors
/// The temporary file of strings cannot be read.
pub fn walk(loaded: &NamedGraph, way: &Way) -> Result<(IdSet, bool)> {
    let graph = &loaded.heap.graph;
    let (mut via, mut failed, mut met) = (Via::new(loaded, &way.via), None, false);
    let mut follow = |edge: u32| {
        let Some(via) = &mut via else { return true };
        let takes = loaded.heap.label(edge).and_then(|label| via.takes(label)).unwrap_or_else(|e| {
            failed = Some(e);
            false
        });
        met |= takes;
        takes
    };
    let starts = loaded.chosen.iter().copied();
    let found = if way.back {
        let reverse = graph.reverse(!way.via.is_empty());
        backward(&reverse, starts, way.depth, |_, edge, _| follow(edge))
    } else {
        forward(graph, starts, way.depth, |_, edge, _| follow(edge))
    };
    if let Some(e) = failed {
        return Err(e);
    }
    let found = if way.with_path {
        ids(loaded, found.iter().chain(on_paths(loaded).iter()))
    } else {
        ids(loaded, found.iter())
    };
    Ok((found, way.via.is_empty() || met))
}

/// Bytes a node that a walk over files takes, and one with paths.
const BITS: u64 = 1;
const ON_WAYS: u64 = 6;

/// The same of a graph whose edges are in files, from these nodes on.
///
/// # Errors
/// Temporary files cannot be written or read. There is too little memory.
pub fn walk_far(
    loaded: &NamedGraph,
    mut large: LargeGraph,
    way: &Way,
    starts: &BitSet,
) -> Result<(IdSet, bool)> {
    large.check_for(if way.with_path { ON_WAYS } else { BITS })?;
    let mut via = Via::new(loaded, &way.via);
    let via = via.as_mut().map(|via| |label| via.takes(loaded.heap.named(label, 0).0));
    let (found, met) = large.walk(starts, way.depth, way.back, via)?;
    let found = if way.with_path {
        let rules = large.rules(&loaded.heap.policy)?;
        ids(loaded, found.iter().chain(large.on_ways(&rules, starts)?.iter()))
    } else {
        ids(loaded, found.iter())
    };
    loaded.check()?;
    Ok((found, way.via.is_empty() || met))
}

/// The nodes on shortest retaining paths from the roots to the selected nodes.
fn on_paths(loaded: &NamedGraph) -> BitSet {
    let graph = &loaded.heap.graph;
    let rules = Rules::new(graph, &loaded.heap.policy);
    let none = BitSet::default();
    let paths = Paths::new(graph, &rules, &none, Some(&loaded.chosen_set()));
    let mut met = BitSet::new(graph.nodes());
    for &target in &loaded.chosen {
        let mut node = target;
        // Paths share their beginnings.
        while met.insert(node)
            && let Some(edge) = paths.last(node)
        {
            node = graph.source(edge);
        }
    }
    met
}

/// Identifiers of the nodes that no root reaches over retaining edges.
pub fn unreachable(loaded: &NamedGraph) -> IdSet {
    let rules = Rules::new(&loaded.heap.graph, &loaded.heap.policy);
    let reached = reachable(&loaded.heap.graph, &rules);
    ids(loaded, (0..loaded.heap.graph.nodes()).filter(|&node| !reached.contains(node)))
}

/// The same of a graph whose edges are in files.
///
/// # Errors
/// As [`walk_far`].
pub fn unreachable_far(loaded: &NamedGraph, mut large: LargeGraph) -> Result<IdSet> {
    large.check_for(BITS)?;
    let rules = large.rules(&loaded.heap.policy)?;
    let reached = large.reachable(&rules)?;
    let found = ids(loaded, (0..large.nodes()).filter(|&node| !reached.contains(node)));
    loaded.check()?;
    Ok(found)
}

fn ids(loaded: &NamedGraph, nodes: impl Iterator<Item = u32>) -> IdSet {
    let mut set = IdSet::new();
    for node in nodes {
        set.insert(loaded.id(node));
    }
    set
}
