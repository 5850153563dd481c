//! Why objects are alive: retaining paths, one by one or folded into a tree: heap-path.

use std::collections::hash_map::Entry;

use heap_base::BitSet;
use heap_base::Result;
use heap_graph::{Path, Paths, Rules, disjoint};
use heap_record::Value;
use rustc_hash::FxHashMap;

use crate::graph::NamedGraph;
use crate::select::glob::Glob;

/// A node on a path, with the edge that leads to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PathStep {
    /// Label of the edge; none for the root.
    pub label: Option<String>,
    /// Subtype of the edge; none for the root.
    pub kind: Option<String>,
    /// Identifier of the node.
    pub id: Value,
    /// Its source's number, as in `@N`.
    pub number: u64,
    /// Its type name.
    pub class: String,
    /// Its own name.
    pub name: Option<String>,
    /// Its shallow size in bytes.
    pub size: u64,
}

/// Shortest retaining paths to the selected nodes, at most `k` to each, root first; with more than one, they
/// share no node in between. Nodes whose type name matches `avoid` are gone around.
///
/// Calls `found` with each path and its target's place among the selected, until it returns false. A node that no root
/// retains has no path.
///
/// # Errors
/// That of `found`, or the temporary file of strings cannot be read.
pub fn each(
    loaded: &NamedGraph,
    k: usize,
    avoid: &[Glob],
    mut found: impl FnMut(usize, Vec<PathStep>) -> Result<bool>,
) -> Result {
    let rules = Rules::new(&loaded.heap.graph, &loaded.heap.policy);
    let avoid = loaded.of_types(avoid)?;
    let targets = loaded.chosen_set();
    let paths = Paths::new(&loaded.heap.graph, &rules, &avoid, Some(&targets));
    for (i, &target) in loaded.chosen.iter().enumerate() {
        let some = if k > 1 {
            disjoint(&loaded.heap.graph, &rules, &avoid, target, k)
        } else {
            paths.path(target).into_iter().collect()
        };
        for path in some {
            if !found(i, steps(loaded, &path)?)? {
                return Ok(());
            }
        }
    }
    Ok(())
}

pub(super) fn steps(loaded: &NamedGraph, path: &Path) -> Result<Vec<PathStep>> {
    let step = |node: u32, edge: Option<u32>| -> Result<PathStep> {
        Ok(PathStep {
            label: edge.map(|e| loaded.label(e)).transpose()?.flatten(),
            kind: edge.and_then(|e| loaded.kind(e)),
            id: loaded.id(node),
            number: loaded.number(node),
            class: loaded.class(node)?,
            name: loaded.name(node)?,
            size: loaded.heap.sizes.get(node),
        })
    };
    let mut steps = vec![step(path.root, None)?];
    for &edge in &path.edges {
        steps.push(step(loaded.heap.graph.link(edge).end(), Some(edge))?);
    }
    Ok(steps)
}

/// A node of the tree that paths were folded into.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Branch {
    /// Edges from the root of the tree.
    pub depth: u32,
    /// Type name of the nodes here, and their own name where they have no class.
    pub class: String,
    /// Selected nodes whose path leads through here or ends here.
    pub count: u64,
    /// Their shallow bytes.
    pub size: u64,
    /// Selected nodes whose path ends here.
    pub ends: u64,
}

/// Folds the shortest paths of all selected nodes into one tree by type name, heaviest branches first.
///
/// Nodes next to each other on a path with the same type name (links of a list) are folded into one.
///
/// # Errors
/// The temporary file of strings cannot be read.
pub fn merged(loaded: &NamedGraph, avoid: &[Glob]) -> Result<Vec<Branch>> {
    let graph = &loaded.heap.graph;
    let rules = Rules::new(graph, &loaded.heap.policy);
    let avoid = loaded.of_types(avoid)?;
    let paths = Paths::new(graph, &rules, &avoid, Some(&loaded.chosen_set()));
    let mut tree = Tree::default();
    // The branch of every node that is on a path; ways share their beginnings, so each node is folded once.
    let mut places: FxHashMap<u32, u32> = FxHashMap::default();
    let mut names: FxHashMap<(Option<i64>, Option<i64>, u64), String> = FxHashMap::default();
    let mut known = BitSet::new(graph.nodes());
    let mut way = Vec::new();
    for &target in &loaded.chosen {
        let mut node = target;
        way.clear();
        let mut place = loop {
            if known.contains(node) {
                break places[&node];
            }
            way.push(node);
            match paths.last(node) {
                Some(edge) => node = graph.source(edge),
                None if rules.is_root(node) => break 0,
                None => {
                    way.clear();
                    break 0;
                }
            }
        };
        if way.is_empty() && !known.contains(target) {
            continue;
        }
        for &node in way.iter().rev() {
            let class = loaded.heap.class(node);
            // Roots are separate by name; objects of one class are not.
            let name = if class.is_none() { loaded.heap.name(node) } else { None };
            let key = (class, name, loaded.heap.subtypes.get(node));
            let text = match names.entry(key) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(free) => {
                    let class = loaded.class(node)?;
                    let own = if name.is_some() { loaded.name(node)? } else { None };
                    free.insert(match own.filter(|own| !own.is_empty()) {
                        Some(own) => format!("{class} {own}"),
                        None => class,
                    })
                }
            };
            place = tree.child(place, text);
            known.insert(node);
            places.insert(node, place);
        }
        tree.end(place, loaded.heap.sizes.get(target));
    }
    Ok(tree.branches())
}

#[derive(Debug, Default)]
struct Tree {
    /// Parent, name, ends and their size; place 0 is above the roots.
    nodes: Vec<(u32, String, u64, u64)>,
    children: FxHashMap<(u32, String), u32>,
}

impl Tree {
    fn child(&mut self, parent: u32, name: &str) -> u32 {
        if self.nodes.is_empty() {
            self.nodes.push((0, String::new(), 0, 0));
        }
        if parent > 0 && self.nodes[parent as usize].1 == name {
            return parent;
        }
        let next = self.nodes.len() as u32;
        let place = *self.children.entry((parent, name.to_owned())).or_insert(next);
        if place == next {
            self.nodes.push((parent, name.to_owned(), 0, 0));
        }
        place
    }

    fn end(&mut self, place: u32, size: u64) {
        if let Some(node) = self.nodes.get_mut(place as usize) {
            node.2 += 1;
            node.3 = node.3.saturating_add(size);
        }
    }

    fn branches(self) -> Vec<Branch> {
        let n = self.nodes.len();
        let mut sums: Vec<(u64, u64)> = self.nodes.iter().map(|node| (node.2, node.3)).collect();
        let mut below: Vec<Vec<u32>> = vec![Vec::new(); n];
        for place in (1..n).rev() {
            let parent = self.nodes[place].0 as usize;
            let (count, size) = sums[place];
            sums[parent].0 += count;
            sums[parent].1 = sums[parent].1.saturating_add(size);
            below[parent].push(place as u32);
        }
        let mut branches = Vec::new();
        let mut stack: Vec<(u32, u32)> = Vec::new();
        let open = |list: &mut Vec<u32>, depth: u32, stack: &mut Vec<(u32, u32)>| {
            // Heaviest last, so that it is taken first.
            list.sort_by(|&a, &b| {
                let key = |p: u32| (sums[p as usize].0, sums[p as usize].1);
                key(a).cmp(&key(b)).then_with(|| self.nodes[b as usize].1.cmp(&self.nodes[a as usize].1))
            });
            stack.extend(list.iter().map(|&place| (place, depth)));
        };
        if n > 0 {
            open(&mut std::mem::take(&mut below[0]), 0, &mut stack);
        }
        while let Some((place, depth)) = stack.pop() {
            let (_, name, ends, _) = &self.nodes[place as usize];
            let (count, size) = sums[place as usize];
            branches.push(Branch { depth, class: name.clone(), count, size, ends: *ends });
            open(&mut std::mem::take(&mut below[place as usize]), depth + 1, &mut stack);
        }
        branches
    }
}
