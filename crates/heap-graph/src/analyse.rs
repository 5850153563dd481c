//! Everything `heap-dom` says of a graph, in the order that lets go of memory soonest.

use crate::column::Column;
use crate::distance::distances;
use crate::dominators::{Dominators, dominators, dominators_beside};
use crate::graph::{Graph, NONE};
use crate::outline::Outlined;
use crate::retained::{Grouped, ranges, retained};
use crate::rules::{Policy, Rules};
use heap_base::{BitSet, stage};

/// Stages.
const DOMINATORS: &str = "dominators";
const ADDING_UP: &str = "adding up";

/// What to work out; dominators always are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// Distances from the roots.
    pub distance: bool,
    /// Retained sizes.
    pub retained: bool,
    /// Where retained bytes begin; needs their sizes.
    pub ranges: bool,
}

/// What was worked out.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The root of the dominator tree: the dump's only root, or N (no node) where it has none or several.
    pub root: u32,
    /// Immediate dominator by node; [`NONE`] for the root itself and for nodes outside the tree.
    pub idom: Vec<u32>,
    /// Retained bytes by node, zero outside the tree; empty if not asked for.
    pub retained: Vec<u64>,
    /// Where the retained bytes begin by node, zero outside the tree; empty if not asked for, or if all sizes add up to
    /// 2^64 or more. See [`ranges`](crate::ranges).
    pub from: Vec<u64>,
    /// Distance by node, [`NONE`] where there is none; empty if not asked for.
    pub distance: Vec<u32>,
    /// Nodes that the roots reach over retaining edges.
    pub reachable: BitSet,
    /// What retains, for further searches in the same graph.
    pub rules: Rules,
}

impl Analysis {
    /// True if `node` has a place in the dominator tree, and so a retained size.
    pub fn in_tree(&self, node: u32) -> bool {
        node == self.root || self.idom.get(node as usize).is_some_and(|&idom| idom != NONE)
    }
}

/// Dominators, retained sizes and distances of `graph`, which is consumed to save memory; clone it to keep it.
pub fn analyse(graph: Graph, sizes: &Column, policy: &Policy, config: Config) -> Analysis {
    let rules = Rules::without_owned(&graph, policy);
    let distance = if config.distance {
        let n = graph.nodes();
        let near = if policy.distance_roots.is_empty() { &policy.user_roots } else { &policy.distance_roots };
        let near: Vec<u32> = near.iter().copied().filter(|&root| root < n).collect();
        distances(&graph, rules.roots(), &near)
    } else {
        Vec::new()
    };
    let n = graph.nodes();
    stage::begin(DOMINATORS);
    let tree = dominators(graph, rules, policy.unreachable);
    stage::begin(ADDING_UP);
    let retained = if config.retained { retained(&tree, sizes) } else { Vec::new() };
    let from = if config.ranges { ranges(&tree, sizes, &retained).unwrap_or_default() } else { Vec::new() };
    let (root, idom) = (tree.root(), tree.idom(n));
    let Dominators { reachable, rules, .. } = tree;
    Analysis { root, idom, retained, from, distance, reachable, rules }
}

/// Retained size of each group of nodes below `groups`, nested nodes counted once; `group` says where a node belongs.
/// Consumes `graph`, `sizes` and `group` to save memory.
///
/// # Panics
/// If `group` gives a number that is not below `groups`.
pub fn group_sizes(
    graph: Graph,
    sizes: Column,
    policy: &Policy,
    groups: u32,
    group: impl Fn(u32) -> Option<u32> + Send,
) -> Vec<u64> {
    let rules = Rules::without_owned(&graph, policy);
    let look_up = move |nodes: &[u32], ()| Grouped::new(nodes, &sizes, groups, group);
    stage::begin(DOMINATORS);
    let (tree, grouped) = dominators_beside(graph, rules, policy.unreachable, || (), look_up);
    let Dominators { nodes, up, .. } = tree;
    drop(nodes);
    stage::begin(ADDING_UP);
    grouped.sums(&up, groups)
}

/// The dominator tree with retained sizes, of nodes and of groups below `groups`; `group` says where a node belongs. Beside
/// that two other things are made: `first` on a thread that is free, and `then` when hardly more than the result is left in
/// memory.
///
/// # Panics
/// If `group` gives a number that is not below `groups`.
pub fn outline<F: Send, T: Send>(
    graph: Graph,
    sizes: &Column,
    policy: &Policy,
    (groups, group): (u32, impl Fn(u32) -> Option<u32> + Send),
    first: impl FnOnce() -> F,
    then: impl FnOnce() -> T + Send,
) -> (Outlined, F, T) {
    let rules = Rules::without_owned(&graph, policy);
    let look_up = |nodes: &[u32], first| (Grouped::new(nodes, sizes, groups, group), first);
    stage::begin(DOMINATORS);
    let (tree, (grouped, first)) = dominators_beside(graph, rules, policy.unreachable, first, look_up);
    stage::begin(ADDING_UP);
    let (outlined, then) = grouped.outlined(tree, groups, sizes.len(), then);
    (outlined, first, then)
}
