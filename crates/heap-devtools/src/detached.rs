//! Detached DOM nodes: what the embedder says of some nodes, spread to those they lead to.

use heap_base::{BitSet, Map, Result};
use heap_graph::HeapGraph;

const ATTACHED: u8 = 1;
const DETACHED: u8 = 2;

/// The nodes that DevTools calls detached, from the states that the snapshot gives single nodes.
///
/// Only native nodes take a state and pass it on, over all edges but hidden and weak ones: first attached ones,
/// then detached ones to what has no state yet. `native` says which nodes are, `hidden` is the subtype of edges
/// that do not count. Time O(E of native nodes), memory by the nodes that get a state.
pub(crate) fn spread(
    heap: &HeapGraph,
    said: &[(u32, u8)],
    hidden: Option<u32>,
    native: &BitSet,
) -> Result<BitSet> {
    let mut states: Map<u32, u8> = said.iter().copied().collect();
    for wanted in [ATTACHED, DETACHED] {
        let seeds = said.iter().filter(|&&(node, state)| state == wanted && native.contains(node));
        let mut stack: Vec<u32> = seeds.map(|&(node, _)| node).collect();
        while let Some(node) = stack.pop() {
            for edge in heap.graph.range(node) {
                let to = heap.graph.link(edge as u32).end();
                if native.contains(to)
                    && (hidden.is_none() || heap.kind(edge as u32)? != hidden)
                    && !states.contains_key(&to)
                {
                    states.insert(to, wanted);
                    stack.push(to);
                }
            }
        }
    }
    let detached = states.into_iter().filter(|&(node, state)| state == DETACHED && native.contains(node));
    Ok(detached.map(|state| state.0).collect())
}
