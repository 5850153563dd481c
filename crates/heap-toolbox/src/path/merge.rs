//! The shortest paths of many objects, folded into one tree.

use std::collections::hash_map::Entry;

use heap_base::{BitSet, Map, Result};
use heap_graph::Paths;

use super::tree::{Branch, MergeBy, Tree};
use heap_ops::graph::NamedGraph;
use heap_ops::labels::Texts;
use heap_ops::select::glob::Glob;

/// The tree of all paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Depth first, heaviest branches first.
    pub branches: Vec<Branch>,
    /// Selected nodes that no root retains.
    pub lost: u64,
}

/// Folds the shortest paths of all selected nodes into one tree, by type name or by label and type name.
///
/// Nodes next to each other that one label leads to (links of a list), and sections that repeat, are folded into one.
///
/// # Errors
/// The temporary file of strings cannot be read.
pub fn merged(loaded: &NamedGraph, avoid: &[Glob], by: MergeBy) -> Result<Merged> {
    let graph = &loaded.heap.graph;
    let rules = loaded.rules();
    let avoid = loaded.of_types(avoid)?;
    let paths = Paths::new(graph, &rules, &avoid, Some(&loaded.chosen_set()));
    let (mut tree, mut texts) = (Tree::new(by), Texts::default());
    // The branch of every node that is on a path; ways share their beginnings, so each node is folded once.
    let mut places: Map<u32, u32> = Map::default();
    let mut names: Map<(Option<i64>, Option<i64>, u64), u32> = Map::default();
    let mut known = BitSet::new(graph.nodes());
    let mut way: Vec<(u32, Option<u32>)> = Vec::new();
    let mut lost = 0;
    for &target in &loaded.chosen {
        let mut node = target;
        way.clear();
        let start = loop {
            if known.contains(node) {
                break Some(places[&node]);
            }
            let last = paths.last(node);
            way.push((node, last));
            match last {
                Some(edge) => node = graph.source(edge),
                None if rules.is_root(node) => break Some(0),
                None => break None,
            }
        };
        let Some(mut place) = start else {
            lost += 1;
            continue;
        };
        for &(node, edge) in way.iter().rev() {
            let class = loaded.heap.class(node);
            // Roots are separate by name; objects of one class are not.
            let name = if class.is_none() { loaded.heap.name(node) } else { None };
            let class = match names.entry((class, name, loaded.heap.subtypes.get(node))) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(free) => {
                    let class = loaded.class(node)?;
                    let own = if name.is_some() { loaded.name(node)? } else { None };
                    *free.insert(texts.number(match own.filter(|own| !own.is_empty()) {
                        Some(own) => format!("{class} {own}"),
                        None => class,
                    }))
                }
            };
            let label = edge.map_or(Ok(None), |edge| loaded.heap.label(edge))?;
            let label = texts.label(label, &loaded.context)?;
            let kind = edge.map_or(Ok(None), |edge| loaded.heap.kind(edge))?;
            place = tree.child(place, class, label, kind);
            known.insert(node);
            places.insert(node, place);
        }
        tree.end(place, target, loaded.heap.sizes.get(target));
    }
    Ok(Merged { branches: tree.branches(loaded, &texts), lost })
}
