//! Dominators of heads: those of a small graph in memory.

use heap_base::{BitSet, Error, Result};

use super::marked::Marked;
use super::records::{Records, Sorter};
use super::tree::Tree;
use super::{FAN, Room};
use crate::builder::Builder;
use crate::dominators::{Dominators, dominators};
use crate::graph::{Class, GraphError, NONE};
use crate::rules::{Policy, Rules, Unreachable};
use crate::sparse::Numbered;

/// Bytes that an edge and a node take while dominators are found.
const EDGE: u64 = 8;
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
    let (mut edges, mut many) = (Records::<2>::new(room.block), 0);
    let mut now = (NONE, NONE, NONE);
    let mut add = |(referrer, head, _): (u32, u32, u32)| {
        if head == NONE {
            return Ok(());
        }
        many += 1;
        edges.push([referrer, head])
    };
    exits.each(true, |[head, referrer]| {
        let (last, of, end) = now;
        if head == of && referrer < end {
            now.0 = tree.meet(last, referrer);
        } else {
            add(now)?;
            now = (referrer, head, tops.next(referrer.saturating_add(1)).unwrap_or(places));
        }
        Ok(())
    })?;
    add(now)?;
    if many == 0 {
        return Ok(vec![(0, places)]);
    }
    tree.forget_jumps();
    let top = |place: u32| tops.before(place).unwrap_or(0);
    let (mut regions, mut nodes) = (BitSet::new(places), BitSet::new(places));
    // The place that stands for what has been met below each one: a referrer, or where two ways part.
    let mut stands = vec![NONE; places as usize];
    edges.each(true, |[referrer, head]| {
        let region = top(referrer);
        regions.insert(region);
        for place in [referrer, region] {
            stands[place as usize] = place;
            nodes.insert(place);
        }
        nodes.insert(head);
        Ok(())
    })?;
    let mut inside = Records::<2>::new(room.block);
    for region in regions.iter() {
        let end = tops.next(region + 1).unwrap_or(places);
        for place in (region + 1..end).rev() {
            let below = stands[place as usize];
            if below == NONE {
                continue;
            }
            let up = tree.up[place as usize];
            let mut add = |below: u32| {
                many += 1;
                nodes.insert(below);
                inside.push([up, below])
            };
            match stands[up as usize] {
                NONE => stands[up as usize] = below,
                other if other == up => add(below)?,
                other => {
                    stands[up as usize] = up;
                    add(other)?;
                    add(below)?;
                    nodes.insert(up);
                }
            }
        }
    }
    drop((stands, regions));
    // The root of the tree is number 0.
    nodes.insert(0);
    let count = nodes.count();
    if count > room.most.into() {
        return Err(Error::refused(format!(
            "{count} objects of this heap are left between regions, more than {}",
            room.most
        )));
    }
    let needed = u64::from(places) * TREE + count * VERTEX + many * EDGE;
    if needed > room.limit {
        return Err(super::too_little(&room, needed));
    }
    let mut numbers = Numbered::default();
    nodes.iter().for_each(|place| numbers.push(place));
    let number = |place| numbers.get(place).unwrap_or(0);
    let mut all = Sorter::<2>::new(room.sort, FAN);
    for edges in [edges, inside] {
        edges.each(true, |[from, to]| all.push([number(from), number(to)]))?;
    }
    for (number, place) in (0..).zip(nodes.iter()).skip(1) {
        if tops.contains(place) && is_held(place) {
            all.push([0, number])?;
        }
    }
    drop(numbers);
    let mut builder = Builder::default();
    all.each(|[from, to]| builder.edge(from, to, Class::Strong, 0, 0).map_err(refused))?;
    let graph = builder.finish(count as u32).map_err(refused)?;
    let rules = Rules::new(&graph, &Policy { roots: vec![0], ..Policy::default() });
    let found = dominators(graph, rules, Unreachable::Apart);
    let Dominators { nodes: order, up, .. } = found;
    let nodes: Vec<u32> = nodes.iter().collect();
    let mut runs = vec![(0, 1)];
    for (&number, &up) in order.iter().zip(&up).skip(1) {
        let place = nodes[number as usize];
        if tops.contains(place) {
            tree.up[place as usize] = nodes[order[up as usize] as usize];
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
