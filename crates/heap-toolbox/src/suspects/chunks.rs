//! Queues of the runtime's that are cut into chunks: each chunk has a table of things and leads to the next.
//!
//! ```text
//!   queue ┬─ tail: chunk ┬─ list ── things
//!         │              └─ next: chunk ┬─ list ── things
//!         │                             └─ next ┄┄┐
//!         └─ head: chunk ── list ── things  ◄┄┄┄┄┄┘
//! ```
//!
//! Each chunk has room for what one table may have, and the queue makes another when it is full. So no chunk is a place.

use std::cmp::Reverse;

use heap_base::{Plus, Set};

use super::items::fan;
use super::scene::Scene;
use heap_ops::place::{Sort, Way, is_plain};

/// Things of each chunk on average, at least.
const THINGS: usize = 10;

/// What lies in all chunks of a queue; `None` if the node of a rank is none, or has more beside. Of the ranks directly below it
/// `largest` is one with much.
pub(super) fn things(scene: &Scene<'_>, rank: u32, largest: u32) -> Option<Vec<u32>> {
    let (tree, own) = (scene.tree, scene.own());
    let is_object = |node: u32| own.sort(node) == Sort::Object && !own.is_cell(node);
    let is_plain = |node: u32| scene.loaded.class(node).is_ok_and(|class| is_plain(&class));
    let (queue, first) = (tree.node(rank), tree.node(largest));
    let group = scene.group(first);
    // The links of a list of the program's are its things.
    if !is_object(queue)
        || !is_object(first)
        || group == scene.group(queue)
        || own.is_own(first)
        || is_plain(first)
    {
        return None;
    }
    let of_group = |&at: &u32| scene.group(tree.node(at)) == group;
    let mut chunks: Vec<u32> = tree.children(rank).filter(of_group).collect();
    let bytes = chunks.iter().fold(0u64, |sum, &at| sum.plus(tree.retained(at)));
    if u128::from(bytes) * 10 < u128::from(tree.retained(rank)) * 8 {
        return None;
    }
    // The table of a chunk; `None` if most of it is something else.
    let table = |chunk: u32| {
        let rest = tree.children(chunk).filter(|at| !of_group(at));
        let largest = rest.max_by_key(|&at| (tree.retained(at), Reverse(at)));
        let is_table = |node: u32| own.sort(node) == Sort::Array || is_plain(node);
        largest.is_none_or(|at| is_table(tree.node(at))).then_some(largest)
    };
    table(*chunks.first()?)?;
    let mut at = 0;
    while let Some(&chunk) = chunks.get(at) {
        let mut below = tree.children(chunk).filter(of_group);
        chunks.extend(below.next());
        if below.next().is_some() {
            return None;
        }
        at += 1;
    }
    let nodes: Set<u32> = chunks.iter().map(|&at| tree.node(at)).collect();
    let mut behind: Set<u32> = Set::default();
    for &node in &nodes {
        let leads = |(way, end, _)| {
            if way == Way::Member && end != node && nodes.contains(&end) {
                behind.insert(end);
            }
        };
        scene.edges(node, leads).ok()?;
    }
    if chunks.len() < 2 || behind.len() + 1 < chunks.len() {
        return None;
    }
    let mut all = Vec::new();
    for &chunk in &chunks {
        if let Some(table) = table(chunk)? {
            all.extend(fan(scene, table, &[]));
        }
    }
    (all.len() >= chunks.len() * THINGS).then_some(all)
}
