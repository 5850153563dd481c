//! The edges that dominators need evaluation for, by target: what is left of a graph, turned around.
//!
//! An edge to a higher depth-first number is folded into the semidominator of its target at once, one that does not
//! retain is dropped; the others are moved to the front of the list and then laid out by target. All of that waits for
//! memory, so that two threads, with half of the edges each, take little more than half of the time. What they share they
//! only read, but for the list that both lay edges out in, each in places of its own.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use heap_record::both;

use crate::graph::{Class, Graph, Link, NONE};
use crate::rules::Rules;

/// Edges by target.
pub(crate) struct Turned {
    /// Numbers of their sources, by target. Those of one target stand in no order.
    pub(crate) incoming: Vec<AtomicU32>,
    /// Where those of each target start, by number.
    pub(crate) starts: Vec<u32>,
}

/// Turns the edges of `graph` around that need evaluation, and folds the others into `semi`. One or two threads.
pub(crate) fn turn(graph: Graph, rules: &Rules, number: &[u32], semi: &mut [u32], threads: usize) -> Turned {
    let Graph { mut offsets, mut links, .. } = graph;
    let nodes = number.len();
    let half = if threads > 1 { links.len() as u32 / 2 } else { u32::MAX };
    // The first source of the second half.
    let middle = offsets.partition_point(|&start| start < half).min(nodes);
    compact(&mut offsets, &mut links, middle, rules, number, semi);

    let n = semi.len();
    let sources = |part: Range<usize>| {
        let (offsets, links) = (&offsets, &links);
        part.flat_map(move |source| {
            links[offsets[source] as usize..offsets[source + 1] as usize]
                .iter()
                .map(move |&link| (source, link))
        })
    };
    let two = middle < nodes;
    let count = |part: Range<usize>, targets: usize| {
        let mut counts = vec![0u32; targets];
        sources(part).for_each(|(_, link)| counts[link.end() as usize] += 1);
        counts
    };
    let (mut starts, mut others) =
        both(two, || count(0..middle, n), || count(middle..nodes, if two { n } else { 0 }));
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
        for (source, link) in sources(part) {
            let slot = &mut ends[link.end() as usize];
            *slot -= 1;
            incoming[*slot as usize].store(number[source], Relaxed);
        }
    };
    both(two, || lay(0..middle, &mut starts), || lay(middle..nodes, &mut others));
    Turned { incoming, starts }
}

/// Folds edges to higher numbers into `semi`, drops all that need no evaluation, and moves the others, renamed
/// to the number of their target, to the front. The sources from `middle` on are a part of their own.
fn compact(
    offsets: &mut [u32],
    links: &mut Vec<Link>,
    middle: usize,
    rules: &Rules,
    number: &[u32],
    semi: &mut [u32],
) {
    let begin = offsets.get(middle).copied().unwrap_or(0);
    let (low, high) = offsets.split_at_mut(middle);
    let Some((end, high)) = high.split_last_mut() else { return };
    let (first, second) = links.split_at_mut(begin as usize);
    let mut semi_high = vec![NONE; if high.is_empty() { 0 } else { semi.len() }];
    let (low_number, high_number) = number.split_at(middle);
    let low_part = Part { starts: low, end: begin, links: first, begin: 0, number: low_number, first: 0 };
    let high_part =
        Part { starts: high, end: *end, links: second, begin, number: high_number, first: middle as u32 };
    let (kept, others) = both(
        !high_part.starts.is_empty(),
        || low_part.compact(rules, number, semi),
        || high_part.compact(rules, number, &mut semi_high),
    );
    for (semi, other) in semi.iter_mut().zip(semi_high) {
        *semi = other.min(*semi);
    }
    for start in &mut *high {
        *start += kept;
    }
    *end = kept + others;
    links.copy_within(begin as usize..(begin + others) as usize, kept as usize);
    links.truncate((kept + others) as usize);
    links.shrink_to_fit();
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
    /// The first source.
    first: u32,
}

impl Part<'_> {
    /// Moves the edges that need evaluation to the front of the part; starts are counted from there. Gives how many.
    fn compact(self, rules: &Rules, number: &[u32], semi: &mut [u32]) -> u32 {
        let Self { starts, end, links, begin, number: numbers, first } = self;
        let mut out = 0;
        for (k, (source, &from)) in (first..).zip(numbers).enumerate() {
            let next = starts.get(k + 1).copied().unwrap_or(end);
            let range = (starts[k] - begin) as usize..(next - begin) as usize;
            starts[k] = out as u32;
            if from == NONE {
                continue;
            }
            let gate = rules.gate(source);
            for at in range {
                let link = links[at];
                if !gate.retains(link) {
                    continue;
                }
                let to = number[link.end() as usize];
                if to > from {
                    // `NONE` does not get here: what a numbered node retains is numbered.
                    let slot = &mut semi[to as usize];
                    *slot = from.min(*slot);
                } else if to < from && to != 0 {
                    links[out] = Link::new(to, Class::Strong);
                    out += 1;
                }
            }
        }
        out as u32
    }
}
