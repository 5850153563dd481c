//! What each node retains, where that lies, and what dominates it: by node, in a file.

use std::sync::OnceLock;

use heap_base::away::{AwayWriter, width_of};
use heap_base::{BitSet, Plus, Result};

use super::distance::distances;
use super::records::{OneByOne, Records, Sorter};
use super::{FAN, Gates, Hung, JUMPS, LargeGraph, NODE, hung};
use crate::column::Column;
use crate::graph::NONE;
use crate::outline::{Bytes, Outline, Outlined};
use crate::rules::Policy;
use crate::words::{Words, WordsWriter};

/// What is known of one node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fact {
    /// What it retains; `None` outside the dominator tree.
    pub retained: Option<u64>,
    /// Where the retained bytes begin, as [`ranges`](crate::ranges) has it.
    pub from: Option<u64>,
    /// Its immediate dominator, if that is a node.
    pub idom: Option<u32>,
    /// Edges on the shortest way from the roots.
    pub distance: Option<u32>,
    /// Whether the roots reach it over retaining edges.
    pub reachable: bool,
}

/// What is known of all nodes. Memory: a bit a node.
#[derive(Debug)]
pub struct Facts {
    /// Node, dominator, retained bytes and where they begin in two halves each, by node.
    known: Records<6>,
    distance: Records<1>,
    reachable: BitSet,
    /// All sizes together are less than 2^64.
    ranges: bool,
}

/// Reads [`Facts`] in the order of the nodes.
#[derive(Debug)]
pub struct FactsReader<'a> {
    facts: &'a Facts,
    known: OneByOne<'a, 6>,
    distance: OneByOne<'a, 1>,
    /// The next one that is in the tree.
    next: Option<[u32; 6]>,
    node: u32,
}

const fn joined(low: u32, high: u32) -> u64 {
    low as u64 | (high as u64) << 32
}

const fn split(n: u64) -> (u32, u32) {
    (n as u32, (n >> 32) as u32)
}

impl Facts {
    /// From the first node on.
    ///
    /// # Errors
    /// The temporary file cannot be read.
    pub fn reader(&self) -> Result<FactsReader<'_>> {
        let mut known = OneByOne::new(&self.known);
        let next = known.next()?;
        Ok(FactsReader { facts: self, known, distance: OneByOne::new(&self.distance), next, node: 0 })
    }
}

impl FactsReader<'_> {
    /// What is known of the next node.
    ///
    /// # Errors
    /// The temporary file cannot be read.
    #[expect(clippy::should_implement_trait, reason = "it never ends, and may fail")]
    pub fn next(&mut self) -> Result<Fact> {
        let node = self.node;
        self.node += 1;
        let distance = self.distance.next()?.map(|[distance]| distance).filter(|&distance| distance != NONE);
        let mut fact = Fact { distance, reachable: self.facts.reachable.contains(node), ..Fact::default() };
        if let Some([_, idom, low, high, from_low, from_high]) = self.next.filter(|next| next[0] == node) {
            fact.idom = Some(idom).filter(|&idom| idom != NONE);
            fact.retained = Some(joined(low, high));
            fact.from = self.facts.ranges.then_some(joined(from_low, from_high));
            self.next = self.known.next()?;
        }
        Ok(fact)
    }
}

/// What each place retains.
struct Retained {
    up: Vec<u32>,
    runs: Vec<(u32, u32)>,
    /// Place, node and size in two halves, by place. The first place may lack its node.
    places: Records<4>,
    /// By place.
    bytes: Vec<u64>,
    reachable: BitSet,
    /// All sizes together are less than 2^64.
    fits: bool,
}

impl Retained {
    fn new(found: Hung, block: usize) -> Result<Self> {
        let Hung { up, runs, weights, reachable } = found;
        let mut bytes = vec![0u64; up.len()];
        let mut places = Records::new(block);
        let mut sum = 0u128;
        weights.each(|[place, low, high, node]| {
            bytes[place as usize] = joined(low, high);
            sum += u128::from(joined(low, high));
            places.push([place, node, low, high])
        })?;
        for place in runs.iter().rev().flat_map(|&(from, to)| (from.max(1)..to).rev()) {
            let own = bytes[place as usize];
            let slot = &mut bytes[up[place as usize] as usize];
            *slot = slot.plus(own);
        }
        Ok(Self { up, runs, places, bytes, reachable, fits: sum <= u64::MAX.into() })
    }
}

impl LargeGraph {
    /// What each node of the dominator tree retains, in any order.
    ///
    /// # Errors
    /// Those of `each`. Temporary files cannot be written or read. There is too little memory.
    pub fn retained(
        self,
        sizes: &Column,
        policy: &Policy,
        mut each: impl FnMut(u32, u64) -> Result,
    ) -> Result {
        let nodes = self.nodes;
        let (edges, room) = self.begin(JUMPS)?;
        let gates = Gates::new(nodes, &edges, policy)?;
        let found = hung((nodes, edges), gates, policy, room, |node| (size_of(sizes, node), node))?;
        let Retained { places, bytes, .. } = Retained::new(found, room.block)?;
        places.each(true, |[place, node, ..]| each(node, bytes[place as usize]))
    }

    /// All that is known of each node, as [`analyse`](crate::analyse) has it.
    ///
    /// # Errors
    /// Temporary files cannot be written or read. There is too little memory.
    pub fn facts(mut self, sizes: &Column, policy: &Policy) -> Result<Facts> {
        let nodes = self.nodes;
        let ephemerons = std::mem::take(&mut self.ephemerons);
        let (edges, room) = self.begin(JUMPS)?;
        let gates = Gates::new(nodes, &edges, policy)?;
        let near = if policy.distance_roots.is_empty() { &policy.user_roots } else { &policy.distance_roots };
        let mut distance = Records::new(room.block);
        for known in distances(nodes, &edges, &ephemerons, &gates.roots, near)? {
            distance.push([known])?;
        }
        drop(ephemerons);
        let found = hung((nodes, edges), gates, policy, room, |node| (size_of(sizes, node), node))?;
        let Retained { up, runs, places, bytes, reachable, fits } = Retained::new(found, room.block)?;

        // Places by their dominator, in the order of the nodes there.
        let mut below = Sorter::<5>::new(room.sort / 2, FAN);
        let mut by_node = Sorter::<5>::new(room.sort / 2, FAN);
        places.each(true, |[place, node, ..]| {
            let (low, high) = split(bytes[place as usize]);
            if place == 0 {
                return by_node.push([node, 0, NONE, low, high]);
            }
            below.push([up[place as usize], node, place, low, high])
        })?;
        // Where the bytes of each begin behind those of its dominator; then behind all of them.
        let mut from = bytes;
        from.fill(0);
        let mut dominators = OneByOne::new(&places);
        let mut dominator = dominators.next()?;
        let (mut above, mut next) = (None, 0u64);
        below.each(|[up, node, place, low, high]| {
            if above.is_none_or(|(place, _)| place != up) {
                while dominator.is_some_and(|[of, ..]| of < up) {
                    dominator = dominators.next()?;
                }
                // The root may be none of the nodes.
                let known = dominator.filter(|&[of, ..]| of == up);
                let (idom, size) = known.map_or((NONE, 0), |[_, node, low, high]| (node, joined(low, high)));
                (above, next) = (Some((up, idom)), size);
            }
            from[place as usize] = next;
            next = next.wrapping_add(joined(low, high));
            by_node.push([node, place, above.map_or(NONE, |above| above.1), low, high])
        })?;
        drop(dominators);
        for place in runs.iter().flat_map(|&(from, to)| from.max(1)..to) {
            let above = from[up[place as usize] as usize];
            let slot = &mut from[place as usize];
            *slot = slot.wrapping_add(above);
        }
        drop((up, runs, places));
        let mut known = Records::new(room.block);
        by_node.each(|[node, place, idom, low, high]| {
            let (from_low, from_high) = split(from[place as usize]);
            known.push([node, idom, low, high, from_low, from_high])
        })?;
        Ok(Facts { known, distance, reachable, ranges: fits })
    }
}

/// Bytes a node that are needed beside an outline: a search for ways.
const BESIDE: u64 = 10;

impl LargeGraph {
    /// The dominator tree, as [`outline`](crate::outline()) has it, without groups.
    ///
    /// # Errors
    /// Temporary files cannot be written or read. There is too little memory.
    pub fn outline(&mut self, sizes: &Column, policy: &Policy) -> Result<Outlined> {
        let nodes = self.nodes;
        let (edges, room) = self.share()?.begin(NODE)?;
        let gates = Gates::new(nodes, &edges, policy)?;
        let rules = gates.clone().into_rules(policy, nodes);
        let Hung { up, runs, weights, reachable } =
            hung((nodes, edges), gates, policy, room, |node| (size_of(sizes, node), node))?;
        let mut counts = vec![1u32; up.len()];
        for place in runs.iter().rev().flat_map(|&(from, to)| (from.max(1)..to).rev()) {
            counts[up[place as usize] as usize] += counts[place as usize];
        }
        // What each place dominates, in the order of the nodes; and what is known of it, by place.
        let mut below = Sorter::<4>::new(room.sort, FAN);
        let mut known = Records::new(room.block);
        let (mut top, mut total) = (nodes, 0u128);
        weights.each(|[place, low, high, node]| {
            total += u128::from(joined(low, high));
            let count = counts[place as usize];
            known.push([place, node, count, low, high])?;
            if place == 0 {
                top = node;
                return Ok(());
            }
            below.push([up[place as usize], node, place, count])
        })?;
        let all = counts.first().copied().unwrap_or(0);
        drop(counts);
        // How far behind its dominator each place comes, then its rank.
        let mut at = vec![0u32; up.len()];
        let mut next = (NONE, 1);
        below.each(|[above, _, place, count]| {
            if above != next.0 {
                next = (above, 1);
            }
            at[place as usize] = next.1;
            next.1 += count;
            Ok(())
        })?;
        for place in runs.iter().flat_map(|&(from, to)| from.max(1)..to) {
            at[place as usize] += at[up[place as usize] as usize];
        }
        drop((up, runs));
        let mut by_rank = Sorter::<5>::new(room.sort, FAN);
        if top == nodes && all > 0 {
            by_rank.push([0, nodes, all, 0, 0])?;
        }
        known.each(true, |[place, node, count, low, high]| {
            by_rank.push([at[place as usize], node, count, low, high])
        })?;
        drop((known, at));
        // What memory has room for stays there, first what is asked for in any order.
        let mut spare = room.tree.saturating_sub(u64::from(nodes) * BESIDE);
        let mut fits = |bytes: u64| {
            let bytes = u64::from(nodes) * bytes;
            let fits = bytes <= spare;
            spare -= if fits { bytes } else { 0 };
            fits
        };
        let (ranks_here, nodes_here, ends_here, retained_here) = (fits(4), fits(4), fits(4), fits(8));
        let (mut by_node, mut ends) = (WordsWriter::new(nodes_here)?, WordsWriter::new(ends_here)?);
        let fits = u64::try_from(total).is_ok();
        let mut before = AwayWriter::new(width_of(total as u64))?;
        // Where all sizes together are 2^64 or more, sums stay at the largest number.
        let (mut sum, mut own) = (0u64, Vec::new());
        let mut ranks = vec![NONE; nodes as usize];
        by_rank.each(|[rank, node, count, low, high]| {
            by_node.push(node)?;
            ends.push(rank + count)?;
            if fits {
                before.push(sum)?;
                sum += joined(low, high);
            } else {
                own.push(joined(low, high));
            }
            if let Some(slot) = ranks.get_mut(node as usize) {
                *slot = rank;
            }
            Ok(())
        })?;
        before.push(sum)?;
        let (nodes, ends, mut ranks) = (by_node.finish()?, ends.finish()?, Words::Here(ranks));
        if !ranks_here {
            ranks.put_away()?;
        }
        let mut before: Column = before.finish()?.into();
        if retained_here {
            before.bring_back()?;
        }
        let retained = Bytes::Before(before);
        let mut outline = Outline { nodes, ends, retained, ranks, above: OnceLock::new() };
        if !fits {
            outline.add_up(&mut own);
            outline.retained = Bytes::Of(own.into_iter().collect());
        }
        Ok(Outlined { outline, groups: Column::new(), sums: Vec::new(), reachable, rules })
    }
}

fn size_of(sizes: &Column, node: u32) -> u64 {
    if (node as usize) < sizes.len() { sizes.get(node) } else { 0 }
}
