//! Edges by target: those that need evaluation in the computation of dominators.
//!
//! The numbering leaves them in place of each node's edges; here they are laid out by target. Where they are few, they are
//! moved to the front first, and the rest is freed. Most of the time is spent waiting for memory, so two threads with half
//! of the edges each take little more than half of the time. They share what they only read, and one list in which each
//! thread writes to places of its own.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use heap_base::{WorkQueue, join};

use crate::graph::{Class, Graph, NONE, Packed};

/// Edges by target.
pub(crate) struct Transposed {
    /// Numbers of their sources, by target. Those of one target are in no order.
    pub(crate) incoming: Vec<AtomicU32>,
    /// Where those of each target start, by number.
    pub(crate) starts: Vec<u32>,
}

/// Follows the edges of a node that need evaluation, where the node had more. None of them leads to the root.
pub(crate) const END: Packed = Packed::new(0, Class::Strong);

/// Edges are few if they are less than one in so many.
const FEW: u32 = if cfg!(test) { 2 } else { 4 };

/// Parts that the two threads share.
const PARTS: usize = 64;

/// Transposes the `kept` edges of `graph` that a numbering of `count` nodes left, with one or two threads.
pub(crate) fn transpose(
    mut graph: Graph,
    kept: u32,
    number: &[u32],
    count: usize,
    threads: usize,
) -> Transposed {
    if kept < graph.edges() / FEW {
        compact(&mut graph, number);
    }
    let graph = &graph;
    let two = threads > 1;
    let nodes = number.len();
    let start = |at: usize| (at as u64 * nodes as u64 / PARTS as u64) as usize;
    let part = |at: usize| start(at)..start(at + 1);
    let left = WorkQueue::new(0..PARTS);
    // How many edges lead to each number, by thread.
    let counted = |next: fn(&WorkQueue) -> Option<usize>| {
        let mut counts = vec![0; count];
        let mut taken = 0;
        while let Some(at) = next(&left) {
            taken += 1;
            for_each(graph, number, part(at), |_, target| counts[target] += 1);
        }
        (counts, taken)
    };
    let ((mut ends, taken), second) =
        join(two, || counted(WorkQueue::first), || two.then(|| counted(WorkQueue::last)));
    let mut others = second.map_or_else(Vec::new, |(counts, _)| counts);
    // Where the edges of each number end, by thread.
    let mut sum = 0;
    for (target, end) in ends.iter_mut().enumerate() {
        sum += *end;
        *end = sum;
        if let Some(end) = others.get_mut(target) {
            sum += *end;
            *end = sum;
        }
    }
    // Zero pages that the system maps when either thread first writes to them.
    let incoming: Vec<AtomicU32> = bytemuck::zeroed_vec(sum as usize);
    let lay = |sources: Range<usize>, ends: &mut [u32]| {
        for_each(graph, number, sources, |source, target| {
            let slot = &mut ends[target];
            *slot -= 1;
            incoming[*slot as usize].store(source, Relaxed);
        });
    };
    let middle = start(taken);
    join(two, || lay(0..middle, &mut ends), || lay(middle..nodes, &mut others));
    Transposed { incoming, starts: ends }
}

/// Moves the edges that the numbering left to the front, and frees the room behind them. Nodes without a number have none
/// any more.
fn compact(graph: &mut Graph, number: &[u32]) {
    let Graph { offsets, links, .. } = graph;
    let mut to = 0;
    let mut from = 0;
    for (source, &number) in number.iter().enumerate() {
        let end = offsets[source + 1] as usize;
        offsets[source] = to as u32;
        if number != NONE {
            while from < end && links[from] != END {
                links[to] = links[from];
                (to, from) = (to + 1, from + 1);
            }
        }
        from = end;
    }
    if let Some(end) = offsets.last_mut() {
        *end = to as u32;
    }
    links.truncate(to);
    links.shrink_to_fit();
}

/// Calls `edge` with both ends of each edge that the numbering left of these sources, by number.
#[inline]
fn for_each(graph: &Graph, number: &[u32], sources: Range<usize>, mut edge: impl FnMut(u32, usize)) {
    let Graph { offsets, links, .. } = graph;
    for source in sources {
        let from = number[source];
        if from == NONE {
            continue;
        }
        for &link in &links[offsets[source] as usize..offsets[source + 1] as usize] {
            if link == END {
                break;
            }
            edge(from, link.end() as usize);
        }
    }
}
