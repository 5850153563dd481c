//! Distances from the roots, breadth first, as [`distances`](crate::distances) has them for graphs in memory.

use heap_base::{BitSet, Result};

use super::edges::{Near, bit, end};
use super::lists::Lists;
use super::marked::Marked;
use crate::distance::SYSTEM;
use crate::graph::{Class, NONE};

/// Edges that count; those of ephemerons are looked up by their parts.
const MEASURED: u8 = Class::Strong.bit() | Class::Root.bit();

/// Ephemerons by one of their parts: table or key, the other one, and the value.
struct Halves {
    nodes: BitSet,
    halves: Vec<[u32; 3]>,
}

impl Halves {
    fn new(ephemerons: &[[u32; 3]]) -> Self {
        let both =
            ephemerons.iter().flat_map(|&[table, key, value]| [[table, key, value], [key, table, value]]);
        let mut halves: Vec<[u32; 3]> = both.collect();
        halves.sort_unstable();
        Self { nodes: halves.iter().map(|half| half[0]).collect(), halves }
    }

    fn of(&self, node: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let known = self.nodes.contains(node);
        let from = if known { self.halves.partition_point(|half| half[0] < node) } else { self.halves.len() };
        let some = self.halves[from..].iter().take_while(move |half| half[0] == node);
        some.map(|&[_, other, value]| (other, value))
    }
}

/// The search, level by level: four bytes a node and two bits.
struct Search<'a> {
    distance: Vec<u32>,
    near: Near<'a>,
    halves: Halves,
    /// Nodes of the present level and of the next one.
    now: Marked,
    next: Marked,
}

/// Edges on the shortest way to each node from `near`, where the distance is 1, then from `roots`.
pub(super) fn distances(
    nodes: u32,
    edges: &Lists,
    ephemerons: &[[u32; 3]],
    roots: &BitSet,
    near: &[u32],
) -> Result<Vec<u32>> {
    let mut search = Search {
        distance: vec![NONE; nodes as usize],
        near: Near::new(edges),
        halves: Halves::new(ephemerons),
        now: Marked::new(nodes.into()),
        next: Marked::new(nodes.into()),
    };
    let near: Vec<u32> = near.iter().copied().filter(|&node| node < nodes).collect();
    search.run(near.iter().copied(), 1)?;
    search.run(roots.iter(), if near.is_empty() { 0 } else { SYSTEM })?;
    Ok(search.distance)
}

impl Search<'_> {
    fn run(&mut self, starts: impl Iterator<Item = u32>, mut level: u32) -> Result {
        let Self { distance, near, halves, now, next } = self;
        for start in starts {
            distance[start as usize] = level;
            now.insert(start);
        }
        loop {
            let mut at = now.next(0);
            if at.is_none() {
                return Ok(());
            }
            level += 1;
            while let Some(node) = at {
                now.remove(node);
                let mut meet = |to: u32| {
                    if distance[to as usize] == NONE {
                        distance[to as usize] = level;
                        next.insert(to);
                    }
                };
                near.each(node, |edge| {
                    if bit(edge) & MEASURED != 0 {
                        meet(end(edge));
                    }
                    Ok(())
                })?;
                for (other, value) in halves.of(node) {
                    // The farther of the two comes second.
                    if distance[other as usize] != NONE
                        && !next.contains(other)
                        && distance[value as usize] == NONE
                    {
                        distance[value as usize] = level;
                        next.insert(value);
                    }
                }
                at = now.next(node);
            }
            std::mem::swap(now, next);
        }
    }
}
