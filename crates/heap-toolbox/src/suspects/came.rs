//! What has come of what a holder holds, which is what a row of growth speaks of.

use heap_base::Result;

use super::finder::Finder;
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

impl Finder<'_> {
    /// The same where objects cannot be known again and the place is known by `keys`: of what was spoken of there are as many as
    /// in the first dump, and what has come of another class is most of the `growth`.
    pub(super) fn that_came_by_number(
        &self,
        rank: u32,
        items: Items,
        (keys, growth): (&[String], u64),
    ) -> Result<Items> {
        let scene = self.scene;
        let more = |class: &str, count: u64| {
            Some(count.saturating_sub(self.number_held_before(keys, class).filter(|&before| before > 0)?))
        };
        if items.many.is_some()
            || items.in_chunks
            || items.holds.first().is_none_or(|of| more(&of.class, of.count) != Some(0))
        {
            return Ok(items);
        }
        let (inner, all) = opened(scene, rank);
        for of in sums(scene, &all) {
            let came = more(&scene.class(of.node)?, of.count).unwrap_or(0);
            let bytes = u128::from(of.bytes) * u128::from(came) / u128::from(of.count.max(1));
            if came >= FEW && bytes * 2 >= u128::from(growth) {
                return speaking_of(scene, (&[rank], &[inner]), &all, Some(scene.group(of.node)));
            }
        }
        Ok(items)
    }
}
