//! The edges that dominators need evaluation for, by target: what is left of a graph, turned around.
//!
//! The numbering leaves them in place of each node's edges; here they are laid out by target. That waits for memory, so
//! that two threads, with half of the edges each, take little more than half of the time. What they share they only read,
//! but for the list that both lay edges out in, each in places of its own.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use heap_base::{WorkQueue, join};

use crate::graph::{Class, Graph, Link, NONE};

/// Edges by target.
pub(crate) struct Turned {
    /// Numbers of their sources, by target. Those of one target stand in no order.
    pub(crate) incoming: Vec<AtomicU32>,
    /// Where those of each target start, by number.
    pub(crate) starts: Vec<u32>,
}

/// Stands behind the edges of a node that need evaluation, where the node had more. None of them leads to the root.
pub(crate) const END: Link = Link::new(0, Class::Strong);

/// In how many parts sources are counted.
const PARTS: usize = 64;

/// Turns around what a numbering of `count` nodes left of the edges of `graph`. One or two threads.
pub(crate) fn turn(graph: &Graph, number: &[u32], count: usize, threads: usize) -> Turned {
    let two = threads > 1;
    let nodes = number.len();
    let start = |at: usize| (at as u64 * nodes as u64 / PARTS as u64) as usize;
    let part = |at: usize| start(at)..start(at + 1);
    let left = WorkQueue::new(0..PARTS);
    // How many lead to each number from the sources that each thread takes.
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
    // Where those of each thread end.
    let mut sum = 0;
    for (target, end) in ends.iter_mut().enumerate() {
        sum += *end;
        *end = sum;
        if let Some(end) = others.get_mut(target) {
            sum += *end;
            *end = sum;
        }
    }
    // Zeros that the system has ready: mapped when they are first written, by both threads.
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
    Turned { incoming, starts: ends }
}

/// Goes over what the numbering left of the edges of these sources: both ends, by number.
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
