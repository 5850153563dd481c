//! Walks of bounded depth, forwards and backwards, and what the roots reach.

use crate::graph::{Graph, Link, NONE, Reverse};
use crate::rules::Rules;
use heap_base::BitSet;

/// What `starts` lead to in at most `depth` edges (`u32::MAX` = any number), themselves included.
/// `follow` is asked for each edge: source, number, target and class.
pub fn forward(
    graph: &Graph,
    starts: impl IntoIterator<Item = u32>,
    depth: u32,
    mut follow: impl FnMut(u32, u32, Link) -> bool,
) -> BitSet {
    walk(graph.nodes(), starts, depth, |node, found| {
        for i in graph.range(node) {
            let link = graph.link(i as u32);
            if follow(node, i as u32, link) {
                found(link.end());
            }
        }
    })
}

/// What leads to `starts` in at most `depth` edges (`u32::MAX` = any number), themselves included.
/// `follow` is asked for each edge: target, number ([`NONE`] if `reverse` has none), source and class.
pub fn backward(
    reverse: &Reverse,
    starts: impl IntoIterator<Item = u32>,
    depth: u32,
    mut follow: impl FnMut(u32, u32, Link) -> bool,
) -> BitSet {
    walk(reverse.nodes(), starts, depth, |node, found| {
        for (link, edge) in reverse.links(node) {
            if follow(node, edge, link) {
                found(link.end());
            }
        }
    })
}

/// What the roots reach over retaining edges; the rest is unreachable.
pub fn reachable(graph: &Graph, rules: &Rules) -> BitSet {
    let mut gate = (NONE, rules.gate(NONE));
    forward(graph, rules.roots().iter().copied(), u32::MAX, |node, _, link| {
        if gate.0 != node {
            gate = (node, rules.gate(node));
        }
        gate.1.retains(link)
    })
}

/// Breadth first; `edges` calls its second argument with each neighbour of the first.
fn walk(
    nodes: u32,
    starts: impl IntoIterator<Item = u32>,
    depth: u32,
    mut edges: impl FnMut(u32, &mut dyn FnMut(u32)),
) -> BitSet {
    let mut seen = BitSet::new(nodes);
    let mut level: Vec<u32> = starts.into_iter().filter(|&node| node < nodes && seen.insert(node)).collect();
    let mut next = Vec::new();
    let mut left = depth;
    while !level.is_empty() && left > 0 {
        for &node in &level {
            edges(node, &mut |found| {
                if seen.insert(found) {
                    next.push(found);
                }
            });
        }
        std::mem::swap(&mut level, &mut next);
        next.clear();
        left -= 1;
    }
    seen
}
