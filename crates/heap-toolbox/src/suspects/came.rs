//! What has come of what a holder holds, which is what a row of growth speaks of.

use heap_base::Result;

use super::items::{FEW, Items, opened, speaking_of, sums};
use super::scene::Scene;

/// What the node of a rank holds, of which `items` is known, by what has come of it: where all of what is spoken of was there before
/// and most of the `new` bytes are those of things of another class, these are spoken of.
pub(super) fn that_came(
    scene: &Scene<'_>,
    rank: u32,
    items: Items,
    (new, is_new): (u64, impl Fn(u32) -> bool),
) -> Result<Items> {
    let tree = scene.tree;
    let has_new = || items.nodes.iter().any(|&node| tree.rank(node).is_some_and(&is_new));
    if items.many.is_some() || items.in_chunks || items.nodes.is_empty() || has_new() {
        return Ok(items);
    }
    let (inner, all) = opened(scene, rank);
    let came: Vec<u32> = all.iter().copied().filter(|&rank| is_new(rank)).collect();
    match sums(scene, &came).first() {
        Some(most) if most.count >= FEW && most.bytes.saturating_mul(2) >= new => {
            speaking_of(scene, (&[rank], &[inner]), &all, Some(scene.group(most.node)))
        }
        _ => Ok(items),
    }
}
