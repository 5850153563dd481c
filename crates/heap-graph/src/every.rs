//! All retaining paths to a node, shortest first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::dominators::dominators;
use crate::graph::{Graph, NONE};
use crate::paths::Path;
use crate::retained::DomTree;
use crate::rules::{Policy, Rules};
use heap_base::BitSet;

/// Steps back from targets that a search may look at before it gives up: some seconds, and 16 MB of partial paths.
const PATIENCE: u64 = 1 << 27;
const PARTIAL: usize = 1 << 20;

/// Paths of [`every`], and why there are not more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EveryPath {
    /// Shortest first.
    pub paths: Vec<Path>,
    /// True if there are no others.
    pub complete: bool,
}

/// Retaining paths from the roots to `target` that differ in at least one edge, shortest first, at most `most`. None
/// meets a node twice, a second root, or a node in `avoid` before `target`.
///
/// Goes back from the target, always by the step that promises the shortest path, and never to a node that the roots
/// reach only through the partial path itself. Time for the dominators of the graph, then bounded; 16·N + 12·E bytes.
pub fn every(graph: &Graph, policy: &Policy, avoid: &BitSet, target: u32, most: usize) -> EveryPath {
    if target >= graph.nodes() || most == 0 {
        return EveryPath::default();
    }
    let rules = &Rules::new(graph, policy);
    if rules.is_root(target) {
        return EveryPath { paths: vec![Path { root: target, edges: Vec::new() }], complete: true };
    }
    let far = steps(graph, rules, avoid);
    if far[target as usize] == NONE {
        return EveryPath { paths: Vec::new(), complete: true };
    }
    let spans = spans(graph, policy);
    let dominates = |one: u32, other: u32| {
        let (one, other) = (spans[one as usize], spans[other as usize]);
        one.0 <= other.0 && other.1 <= one.1 && one != (0, 0)
    };
    let reverse = graph.reverse(true);
    // Partial paths: the node where one begins, its first edge, and the partial path after that.
    let mut partial: Vec<(u32, u32, u32)> = vec![(target, NONE, NONE)];
    let mut open = BinaryHeap::from([Reverse((far[target as usize], 0u32, 0u32))]);
    let mut found = EveryPath::default();
    let mut looked = 0u64;
    while let Some(Reverse((_, at, length))) = open.pop() {
        let (node, ..) = partial[at as usize];
        if rules.is_root(node) {
            let edges = chain(&partial, at).map(|(_, edge)| edge).take_while(|&edge| edge != NONE).collect();
            found.paths.push(Path { root: node, edges });
            if found.paths.len() == most {
                return found;
            }
            continue;
        }
        for (link, edge) in reverse.links(node) {
            let source = link.end();
            looked += 1;
            if far[source as usize] == NONE
                || avoid.contains(source)
                || !rules.gate(source).retains(graph.link(edge))
            {
                continue;
            }
            let blocked = |node: u32| node == source || dominates(node, source);
            if chain(&partial, at).inspect(|_| looked += 1).any(|(node, _)| blocked(node)) {
                continue;
            }
            if partial.len() >= PARTIAL || looked > PATIENCE {
                return found;
            }
            let next = partial.len() as u32;
            partial.push((source, edge, at));
            open.push(Reverse((length + 1 + far[source as usize], next, length + 1)));
        }
    }
    found.complete = true;
    found
}

/// The nodes of a partial path, each with the edge that leaves it.
fn chain(partial: &[(u32, u32, u32)], from: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
    let next = |step: &&(u32, u32, u32)| partial.get(step.2 as usize);
    std::iter::successors(partial.get(from as usize), next).map(|&(node, edge, _)| (node, edge))
}

/// Edges on the shortest path to each node that does not lead through `avoid`; [`NONE`] where there is none.
fn steps(graph: &Graph, rules: &Rules, avoid: &BitSet) -> Vec<u32> {
    let mut far = vec![NONE; graph.nodes() as usize];
    let mut queue: Vec<u32> = rules.roots().to_vec();
    for &root in &queue {
        far[root as usize] = 0;
    }
    let mut at = 0;
    while let Some(&node) = queue.get(at) {
        at += 1;
        if avoid.contains(node) {
            continue;
        }
        let gate = rules.gate(node);
        for &link in graph.links(node) {
            if gate.retains(link) && far[link.end() as usize] == NONE {
                far[link.end() as usize] = far[node as usize] + 1;
                queue.push(link.end());
            }
        }
    }
    far
}

/// The part of a walk over the dominator tree that is at and below each node: where it begins, from 1 on, and ends.
fn spans(graph: &Graph, policy: &Policy) -> Vec<(u32, u32)> {
    let n = graph.nodes();
    let found = dominators(graph.bare(), Rules::without_owned(graph, policy), policy.unreachable);
    let idom = found.idom(n);
    let mut spans = vec![(0, 0); n as usize];
    let mut clock = 0;
    let (clock, cells) = (std::cell::Cell::from_mut(&mut clock), std::cell::Cell::from_mut(&mut spans[..]));
    let cells = cells.as_slice_of_cells();
    DomTree::new(found.root(), &idom).visit(
        |node| {
            clock.set(clock.get() + 1);
            if let Some(cell) = cells.get(node as usize) {
                cell.set((clock.get(), 0));
            }
            true
        },
        |node| {
            if let Some(cell) = cells.get(node as usize) {
                cell.set((cell.get().0, clock.get()));
            }
        },
    );
    spans
}
