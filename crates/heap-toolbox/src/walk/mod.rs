//! What selected nodes lead to, or what leads to them: heap-walk.

mod options;

pub use options::TOOL;

use heap_base::{BitSet, Result};
use heap_graph::{Paths, Rules, backward, forward, reachable};

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

/// Identifiers of the selected nodes and of what they lead to. Weak edges are followed like others. The second value is
/// false if there are labels and no edge on the way has one.
///
/// # Errors
/// The temporary file of strings cannot be read.
pub fn walk(loaded: &NamedGraph, way: &Way) -> Result<(IdSet, bool)> {
    let graph = &loaded.heap.graph;
    let mut verdicts: heap_base::Map<i64, bool> = heap_base::Map::default();
    let mut failed = None;
    let mut follow = |edge: u32| {
        if way.via.is_empty() {
            return true;
        }
        let label = loaded.heap.label(edge).unwrap_or_else(|e| {
            failed = Some(e);
            None
        });
        let Some(label) = label else { return false };
        *verdicts.entry(label).or_insert_with(|| match loaded.context.strings.text_or_number(label) {
            Ok(text) => way.via.iter().any(|g| g.matches(&text)),
            Err(e) => {
                failed = Some(e);
                false
            }
        })
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
    let labelled = way.via.is_empty() || verdicts.values().any(|&followed| followed);
    let found = if way.with_path {
        ids(loaded, found.iter().chain(on_paths(loaded).iter()))
    } else {
        ids(loaded, found.iter())
    };
    Ok((found, labelled))
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

fn ids(loaded: &NamedGraph, nodes: impl Iterator<Item = u32>) -> IdSet {
    let mut set = IdSet::new();
    for node in nodes {
        set.insert(loaded.id(node));
    }
    set
}
