//! Dominators of heads: those of a small graph in memory.

use heap_base::{Error, Result};

use super::Room;
use super::marked::Marked;
use super::records::Records;
use super::tree::Tree;
use crate::builder::Builder;
use crate::dominators::dominators;
use crate::graph::{Class, GraphError, MAX_NODES, NONE};
use crate::rules::{Policy, Rules, Unreachable};

/// Bytes that an edge takes as it is gathered, and bytes of edges and nodes while dominators are found.
const GATHERED: u64 = 16;
const EDGE: u64 = 20;
const VERTEX: u64 = 28;
/// Bytes that there are by place meanwhile.
const TREE: u64 = 5;

/// Hangs the heads of regions that the root does not dominate immediately into the tree. `exits` has the edges between
/// regions, as places of head and referrer in ascending order.
///
/// All that matters of a region is the part of its tree above referrers of other heads, and of edges of one region into one
/// head only the nearest common ancestor: every way to the head that comes last through this region passes all that is above
/// that, and nothing else for certain. Returns runs of places, each behind those it hangs on.
pub(super) fn hang(
    tree: &mut Tree,
    exits: &Records<2>,
    tops: &Marked,
    is_held: impl Fn(u32) -> bool,
    room: Room,
) -> Result<Vec<(u32, u32)>> {
    let places = tree.up.len() as u32;
    // Referrer and head.
    let mut edges: Vec<(u32, u32)> = Vec::new();
    let mut many = 0u64;
    let most = room.left.saturating_sub(tree.jump_bytes()) / GATHERED;
    let mut now = (NONE, NONE, NONE);
    let mut add = |(referrer, head, _): (u32, u32, u32)| {
        if head != NONE {
            many += 1;
            if many <= most {
                edges.push((referrer, head));
            }
        }
    };
    exits.each(true, |[head, referrer]| {
        let (last, of, end) = now;
        if head == of && referrer < end {
            now.0 = tree.meet(last, referrer);
        } else {
            add(now);
            now = (referrer, head, tops.next(referrer.saturating_add(1)).unwrap_or(places));
        }
        Ok(())
    })?;
    add(now);
    if many > most {
        let by_node = u64::from(places) * super::NODE;
        return Err(super::too_little(room.limit, by_node.saturating_add(many.saturating_mul(GATHERED))));
    }
    if edges.is_empty() {
        return Ok(vec![(0, places)]);
    }
    tree.forget_jumps();
    let top = |place: u32| tops.before(place).unwrap_or(0);
    let mut regions: Vec<u32> = edges.iter().map(|&(referrer, _)| top(referrer)).collect();
    regions.sort_unstable();
    regions.dedup();
    // The place that stands for what has been met below each one: a referrer, or where two ways part.
    let mut stands = vec![NONE; places as usize];
    edges
        .iter()
        .map(|edge| edge.0)
        .chain(regions.iter().copied())
        .for_each(|place| stands[place as usize] = place);
    let mut inside: Vec<(u32, u32)> = Vec::new();
    for &region in &regions {
        let end = tops.next(region + 1).unwrap_or(places);
        for place in (region + 1..end).rev() {
            let below = stands[place as usize];
            if below == NONE {
                continue;
            }
            let up = tree.up[place as usize];
            match stands[up as usize] {
                NONE => stands[up as usize] = below,
                other if other == up => inside.push((up, below)),
                other => {
                    stands[up as usize] = up;
                    inside.extend([(up, other), (up, below)]);
                }
            }
        }
    }
    drop(stands);
    // The root of the tree is number 0.
    let mut nodes: Vec<u32> = inside.iter().chain(&edges).flat_map(|&(from, to)| [from, to]).collect();
    nodes.extend(regions);
    nodes.push(0);
    nodes.sort_unstable();
    nodes.dedup();
    if nodes.len() > MAX_NODES as usize {
        return Err(refused(GraphError::Nodes));
    }
    let core = nodes.len() as u64 * VERTEX + (inside.len() as u64 + many) * EDGE;
    // At the end there were, and will be, more bytes by place than now.
    let free = u64::from(places) * (super::NODE - TREE);
    if core > room.left.saturating_add(free) {
        return Err(super::too_little(room.limit, u64::from(places) * TREE + core));
    }
    let number = |place: u32| nodes.partition_point(|&other| other < place) as u32;
    let mut all: Vec<(u32, u32)> =
        inside.into_iter().chain(edges).map(|(from, to)| (number(from), number(to))).collect();
    let held = (1..).zip(&nodes[1..]).filter(|&(_, &place)| tops.contains(place) && is_held(place));
    all.extend(held.map(|(number, _)| (0, number)));
    all.sort_unstable();
    let mut builder = Builder::default();
    for (from, to) in all {
        builder.edge(from, to, Class::Strong, 0, 0).map_err(refused)?;
    }
    let graph = builder.finish(nodes.len() as u32).map_err(refused)?;
    let rules = Rules::new(&graph, &Policy { roots: vec![0], ..Policy::default() });
    let found = dominators(graph, rules, Unreachable::Apart);
    let mut runs = vec![(0, 1)];
    for (&number, &up) in found.nodes.iter().zip(&found.up).skip(1) {
        let place = nodes[number as usize];
        if tops.contains(place) {
            tree.up[place as usize] = nodes[found.nodes[up as usize] as usize];
            runs.push((place, tops.next(place + 1).unwrap_or(places)));
        }
    }
    // All other regions hang on the root.
    let mut sorted = runs.clone();
    sorted.sort_unstable();
    let mut from = 0;
    for (start, end) in sorted {
        if from < start {
            runs.push((from, start));
        }
        from = end;
    }
    if from < places {
        runs.push((from, places));
    }
    Ok(runs)
}

fn refused(error: GraphError) -> Error {
    Error::refused(error.to_string())
}
