//! What fills up: three dumps of a cache below its limit, or of what is loaded when first asked for, look like a leak. What
//! speaks against one is looked for here: few things more, room that was there before, entries that are used again.

use std::collections::BTreeSet;

use heap_base::{BitSet, Result};

use super::Holding;
use super::finder::Finder;
use super::holders::MANY;
use heap_ops::place::{Sort, Way};

/// Fewer things than these, of less than so many bytes together, may be what is loaded when first asked for: views, schemas,
/// routes, the minutes of an hour.
const FEW: u64 = 40;
pub(super) const FEW_BYTES: u64 = 512 << 10;
/// A list that has become longer has room for half as many more at most. So what has as many bytes as before and seven things where
/// four were, or more, had nearly surely been made with room for them. A table of hashes, whose slots are no elements that the program
/// knows, has room for as many as it has: there it takes twice as many.
const ROOM: (usize, usize) = (7, 4);
const ROOM_OF_HASHES: (usize, usize) = (2, 1);
/// Bytes of an element, at least.
const ELEMENT: u64 = 4;
/// Old entries behind new ones, at least, and as one part of all old ones.
const MOVED: (usize, usize) = (5, 20);

impl Finder<'_> {
    /// How many things more a place has than in the first dump, if these are few, all of them are little, and they are what it has
    /// grown by, beside others of before. Of a few tables what is `inside` counts. O(ranks below the place).
    pub(super) fn few_more(
        &self,
        (ranks, items, inside): (&[u32], &[u32], Option<u32>),
        (keys, held): (&[String], &Holding),
        (bytes, growth): (u64, u64),
    ) -> Result<Option<u64>> {
        let scene = self.scene;
        let (before, now) = match (&self.growth, inside, ranks) {
            (Some(of), Some(node), &[rank]) => {
                match of.numbers(scene.loaded, scene.tree, (rank, node))?.as_deref() {
                    Some(&[first, .., last]) => (first, last),
                    _ => return Ok(None),
                }
            }
            (_, Some(_), _) => return Ok(None),
            (Some(of), None, _) => {
                let is_new = |&&node: &&u32| scene.tree.rank(node).is_some_and(|rank| of.is_new(rank));
                let new = items.iter().filter(is_new).count() as u64;
                (held.count.saturating_sub(new), held.count)
            }
            // Where objects cannot be known again: those that are more.
            (None, None, _) => (self.number_before(keys, held).unwrap_or(held.count), held.count),
        };
        let new = now.saturating_sub(before);
        let is_few = before > 0 && (1..FEW).contains(&new) && growth < FEW_BYTES;
        let by_number = u128::from(growth) * u128::from(now) <= 2 * u128::from(bytes) * u128::from(new);
        Ok((is_few && by_number).then_some(new))
    }

    /// Whether the table that holds these shows that it is no list of all that ever came: it was as large before it was filled,
    /// as a ring and a cache are that have room for all that they may have; or what was there before stands behind what came
    /// later, as in a table that keeps its order where what is used is taken out and put back. Where memory of what has gone is used
    /// again nobody knows. O(edges of the table).
    pub(super) fn has_limit(&self, items: &[u32]) -> Result<bool> {
        let (scene, tree) = (self.scene, self.scene.tree);
        let (Some(growth), Some(&first)) = (&self.growth, items.first()) else { return Ok(false) };
        let Some(at) = growth.parent(tree, first) else { return Ok(false) };
        let table = tree.node(at);
        if table >= scene.nodes() || items.len() < MANY || scene.clues.reuses_identifiers() {
            return Ok(false);
        }
        let known: BitSet = items.iter().copied().collect();
        let (mut are_new, mut has_elements) = (Vec::new(), false);
        // Other things, by rank: they take room, too.
        let mut others = BTreeSet::new();
        scene.edges(table, |(way, end, _)| {
            let Some(rank) = tree.rank(end).filter(|_| end < scene.nodes()) else { return };
            if known.contains(end) {
                are_new.push(growth.is_new(rank));
                has_elements |= way != Way::Inner;
            } else if matches!(scene.own().sort(end), Sort::Object | Sort::Closure) {
                others.insert(rank);
            }
        })?;
        if are_new.len() * 2 < items.len() {
            return Ok(false);
        }
        let old = are_new.iter().filter(|&&is_new| !is_new).count();
        // The slots may be in a cell of the table.
        let cells = tree.children(at).map(|rank| tree.node(rank)).filter(|&node| scene.own().is_cell(node));
        let slots = cells.chain([table]).max_by_key(|&node| scene.weights.get(node)).unwrap_or(table);
        let bytes = scene.weights.get(slots);
        let room = if has_elements { ROOM } else { ROOM_OF_HASHES };
        let others_then = others.iter().filter(|&&rank| !growth.is_new(rank)).count();
        let had_room = old > 0
            && growth.before(scene.loaded.id(slots)) == Some(bytes)
            && bytes >= are_new.len() as u64 * ELEMENT
            && (are_new.len() + others.len()) * room.1 >= (old + others_then) * room.0;
        // Where the order is by chance new ones stand in front, too.
        let in_front = are_new.iter().take_while(|&&is_new| !is_new).count();
        let moved = old - in_front;
        let is_used = in_front * 4 >= are_new.len() && moved >= MOVED.0 && moved * MOVED.1 >= old;
        Ok(had_room || is_used)
    }
}
