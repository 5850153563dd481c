//! The edges that dominators need evaluation for, by target: what is left of a graph, turned around.
//!
//! The numbering leaves them in place of each node's edges; here they are moved to the front of the list and then laid
//! out by target. All of that waits for memory, so that two threads, with half of the edges each, take little more than
//! half of the time. What they share they only read, but for the list that both lay edges out in, each in places of its
//! own.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use heap_record::both;

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

/// Turns around what a numbering of `count` nodes left of the edges of `graph`. One or two threads.
pub(crate) fn turn(graph: Graph, number: &[u32], count: usize, threads: usize) -> Turned {
    let Graph { mut offsets, mut links, .. } = graph;
    let nodes = number.len();
    // The first source of the second half.
    let middle = if threads > 1 { middle(&offsets) } else { nodes };
    let two = middle < nodes;
    // How many of those of each half lead to each number.
    let (mut starts, mut others) = compact(&mut offsets, &mut links, middle, number, count);
    // Where those of each half end.
    let mut sum = 0;
    for (target, end) in starts.iter_mut().enumerate() {
        sum += *end;
        *end = sum;
        if let Some(end) = others.get_mut(target) {
            sum += *end;
            *end = sum;
        }
    }
    // Zeros that the system has ready: mapped when they are first written, by both threads.
    let incoming: Vec<AtomicU32> = bytemuck::zeroed_vec(sum as usize);
    let lay = |part: Range<usize>, ends: &mut [u32]| {
        for source in part {
            for link in &links[offsets[source] as usize..offsets[source + 1] as usize] {
                let slot = &mut ends[link.end() as usize];
                *slot -= 1;
                incoming[*slot as usize].store(number[source], Relaxed);
            }
        }
    };
    both(two, || lay(0..middle, &mut starts), || lay(middle..nodes, &mut others));
    Turned { incoming, starts }
}

/// A source takes as long as this many edges.
const SOURCE: usize = 4;

/// The first source of the second half of the work.
fn middle(offsets: &[u32]) -> usize {
    let work = |source: usize| offsets[source] as usize + SOURCE * source;
    let nodes = offsets.len().saturating_sub(1);
    let (mut low, mut high) = (0, nodes);
    while low < high {
        let source = low.midpoint(high);
        if 2 * work(source) < work(nodes) {
            low = source + 1;
        } else {
            high = source;
        }
    }
    low
}

/// Moves the edges to the front; the sources from `middle` on are a part of their own. Gives how many of each part lead
/// to each number.
fn compact(
    offsets: &mut [u32],
    links: &mut Vec<Link>,
    middle: usize,
    number: &[u32],
    count: usize,
) -> (Vec<u32>, Vec<u32>) {
    let begin = offsets.get(middle).copied().unwrap_or(0);
    let (low, high) = offsets.split_at_mut(middle);
    let Some((end, high)) = high.split_last_mut() else { return (vec![0; count], Vec::new()) };
    let two = !high.is_empty();
    let (first, second) = links.split_at_mut(begin as usize);
    let (low_number, high_number) = number.split_at(middle);
    let low_part = Part { starts: low, end: begin, links: first, begin: 0, number: low_number };
    let high_part = Part { starts: high, end: *end, links: second, begin, number: high_number };
    let mut counts = (vec![0; count], vec![0; if two { count } else { 0 }]);
    let (kept, others) = both(two, || low_part.compact(&mut counts.0), || high_part.compact(&mut counts.1));
    for start in &mut *high {
        *start += kept;
    }
    *end = kept + others;
    links.copy_within(begin as usize..(begin + others) as usize, kept as usize);
    links.truncate((kept + others) as usize);
    links.shrink_to_fit();
    counts
}

/// Sources one behind the other, and their edges.
struct Part<'a> {
    /// Where the edges of each source start, counted from the first edge of all, and where those of the last one end.
    starts: &'a mut [u32],
    end: u32,
    links: &'a mut [Link],
    /// The number of the first of these edges.
    begin: u32,
    /// The numbers of the sources.
    number: &'a [u32],
}

impl Part<'_> {
    /// Moves the edges to the front of the part, from where starts are counted then, and counts them by target. Gives how
    /// many they are.
    fn compact(self, counts: &mut [u32]) -> u32 {
        let Self { starts, end, links, begin, number } = self;
        let mut out = 0;
        for (k, &from) in number.iter().enumerate() {
            let next = starts.get(k + 1).copied().unwrap_or(end);
            let range = (starts[k] - begin) as usize..(next - begin) as usize;
            starts[k] = out as u32;
            if from == NONE {
                continue;
            }
            for at in range {
                let link = links[at];
                if link == END {
                    break;
                }
                counts[link.end() as usize] += 1;
                links[out] = link;
                out += 1;
            }
        }
        out as u32
    }
}
