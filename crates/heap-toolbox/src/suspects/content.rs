//! Entries of a place known by what they say of themselves, where objects cannot be known again in another dump.
//!
//! An entry is an object that a row speaks of, with the cell of a table that holds it and its key. Of some entries of a place the
//! hashes of texts are remembered that no other of them has: a token, an address, the number of an order. In a later dump an
//! entry is still there if one of its texts is anywhere below the place.
//!
//! Doubt counts as staying: an entry is gone only if it had texts of its own, and one of them at least is nowhere below the place
//! now while none is in one entry. What has no text, or shares all of them with others, stays. So a row loses its level only by
//! what was seen to go. One thing looks as if it went and has not: an entry whose only text of its own is exchanged.

use std::ops::Range;

use heap_base::{Result, hash};
use heap_graph::Outline;

use super::Suspect;
use super::finder::{Finder, Row};
use super::scene::Scene;
use super::waste::text_of;
use heap_ops::place::Sort;

/// Entries of a place that are remembered, at most.
const ENTRIES: usize = 128;
/// Texts of each, at most.
const TEXTS: usize = 8;
/// Nodes of each that are looked at.
const NODES: usize = 256;
/// So many must have texts of their own.
const LEAST: usize = 20;

/// What some entries of a place say of themselves. Memory: 8 bytes for each text and each entry, 9 KB at most.
#[derive(Clone, Debug)]
pub(super) struct Sketch {
    /// Mark of the class of what the place holds.
    class: u64,
    /// Bytes of each entry that was looked at, without those of entries below it.
    sizes: Vec<u64>,
    /// Hashes of texts with the number of the one entry that has it, ascending.
    texts: Vec<(u32, u32)>,
}

/// In how many entries a text is now.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    Nowhere,
    /// In that with this rank.
    In(u32),
    InSeveral,
}

impl Sketch {
    /// Bytes of the entries that were looked at, and of those that are still there; `found` has each of the texts.
    fn kept(&self, found: &[Found]) -> (u128, u128) {
        // Of each entry, whether a text is nowhere, and whether one is where only it can be.
        let mut seen = vec![(false, false); self.sizes.len()];
        for (&(_, entry), found) in self.texts.iter().zip(found) {
            let (lost, kept) = &mut seen[entry as usize];
            *lost |= *found == Found::Nowhere;
            *kept |= matches!(found, Found::In(_));
        }
        let (mut all, mut stayed) = (0, 0);
        for (&size, (lost, kept)) in self.sizes.iter().zip(seen) {
            let is_there = kept || !lost;
            (all, stayed) = (all + u128::from(size), stayed + if is_there { u128::from(size) } else { 0 });
        }
        (all, stayed)
    }
}

/// The objects that are of one group with the node `like`, from a rank on, by rank: each with the cell of a table that it alone is
/// in. One may lie below another, as links of a chain do.
fn entries(scene: &Scene<'_>, rank: u32, like: u32) -> Vec<Range<u32>> {
    let (tree, heap) = (scene.tree, &scene.loaded.heap);
    let (class, subtype, group) = (heap.class(like), heap.subtypes.get(like), scene.group(like));
    // Most are of another class, which is seen at once.
    let is_like = |node: u32| {
        node < scene.nodes()
            && heap.class(node) == class
            && heap.subtypes.get(node) == subtype
            && scene.group(node) == group
    };
    let mut entries: Vec<Range<u32>> = Vec::new();
    // What the present node is in, with the entry directly in it.
    let mut open: Vec<(Range<u32>, Only)> = Vec::new();
    for at in rank..tree.end(rank) {
        while let Some(cell) = open.pop_if(|(cell, _)| cell.end <= at) {
            widen(scene, &mut entries, cell);
        }
        let end = tree.end(at);
        if is_like(tree.node(at)) {
            if let Some((_, only)) = open.last_mut().filter(|(cell, _)| cell.start != rank) {
                *only = if *only == Only::Nothing { Only::Entry(entries.len()) } else { Only::Several };
            }
            entries.push(at..end);
        }
        if end > at + 1 {
            open.push((at..end, Only::Nothing));
        }
    }
    while let Some(cell) = open.pop() {
        widen(scene, &mut entries, cell);
    }
    heap_base::sort_by_key(&mut entries, |entry| entry.start);
    entries
}

/// What hangs directly below a node of the entries of a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Only {
    Nothing,
    /// One, by its place among the entries.
    Entry(usize),
    Several,
}

/// Makes an entry begin with the cell that holds it and no other.
fn widen(scene: &Scene<'_>, entries: &mut [Range<u32>], (cell, only): (Range<u32>, Only)) {
    if let Only::Entry(at) = only
        && scene.own().is_cell(scene.tree.node(cell.start))
    {
        entries[at] = cell;
    }
}

/// Hashes of the texts that the node of a rank is or refers to.
fn texts_at(scene: &Scene<'_>, rank: u32, mut each: impl FnMut(u32)) -> Result {
    let (heap, strings) = (&scene.loaded.heap, &scene.loaded.context.strings);
    let node = scene.tree.node(rank);
    let mut text = |node: u32| {
        if node < scene.nodes()
            && scene.own().sort(node) == Sort::Text
            && let Some(hash) = text_of(heap, &scene.clues.texts, node).and_then(|id| strings.hash(id))
        {
            each(hash);
        }
    };
    text(node);
    if node >= scene.nodes() { Ok(()) } else { scene.edges(node, |(_, end, _)| text(end)) }
}

impl Finder<'_> {
    /// What is remembered of the entries of a row; `None` if too few say something of themselves. O(nodes below it), and the edges
    /// of [`NODES`] for each of [`ENTRIES`].
    pub(super) fn sketch(&self, row: &Row) -> Result<Option<Sketch>> {
        let (scene, tree) = (self.scene, self.scene.tree);
        let (&[rank], Some(held)) = (&row.ranks[..], row.items.holds.first()) else { return Ok(None) };
        let Some(&first) = row.items.nodes.first().filter(|_| !row.crowd && held.count >= LEAST as u64)
        else {
            return Ok(None);
        };
        let entries = entries(scene, rank, first);
        let step = entries.len().div_ceil(ENTRIES).max(1);
        let (mut texts, mut sizes): (Vec<(u32, u32)>, Vec<u64>) = (Vec::new(), Vec::new());
        for (number, first) in (0..).zip((0..entries.len()).step_by(step)) {
            let Range { start: mut at, end } = entries[first].clone();
            let (mut next, mut size, mut looked) = (first + 1, tree.retained(at), 0);
            while at < end {
                // What lies in another entry is that one's.
                let other = entries.get(next).map_or(end, |other| other.start.min(end));
                for rank in (at..other).take(NODES - looked) {
                    texts_at(scene, rank, |hash| texts.push((hash, number)))?;
                    looked += 1;
                }
                at = other;
                if at < end {
                    size = size.saturating_sub(tree.retained(at));
                    at = entries[next].end;
                    next += entries[next..].partition_point(|other| other.start < at);
                }
            }
            sizes.push(size);
        }
        texts.sort_unstable();
        texts.dedup();
        let own = texts.chunk_by(|one, other| one.0 == other.0).filter(|same| same.len() == 1);
        let mut numbers = vec![0usize; sizes.len()];
        let few = own.flatten().copied().filter(|&(_, entry)| {
            numbers[entry as usize] += 1;
            numbers[entry as usize] <= TEXTS
        });
        let texts: Vec<(u32, u32)> = few.collect();
        let known = numbers.iter().filter(|&&number| number > 0).count();
        Ok((known >= LEAST).then(|| Sketch { class: hash::mark(&held.class), sizes, texts }))
    }

    /// Whether what a place holds comes and goes, by what its entries say of themselves: most of those that were there in the dump
    /// before have gone, and those that have stayed are few beside what it has grown by, as
    /// [`come_and_go`](super::growth::Growth::come_and_go) has it. O(edges below it).
    pub(super) fn is_renewed(
        &self,
        keys: &[String],
        (ranks, nodes): (&[u32], &[u32]),
        row: &Suspect,
    ) -> Result<bool> {
        let (scene, tree) = (self.scene, self.scene.tree);
        let (None, [key], &[rank], Some(&first)) = (&self.growth, keys, ranks, nodes.first()) else {
            return Ok(false);
        };
        let &[start, .., before, now] = &row.history[..] else { return Ok(false) };
        let sketch = self.earlier.last().and_then(|dump| dump.sketches.get(key));
        let (Some(sketch), Some(held)) = (sketch, row.holds.first()) else { return Ok(false) };
        if sketch.class != hash::mark(&held.class) {
            return Ok(false);
        }
        let entries = entries(scene, rank, first);
        let mut found = vec![Found::Nowhere; sketch.texts.len()];
        // The entries that the present node is in, the innermost last.
        let (mut open, mut next): (Vec<Range<u32>>, _) = (Vec::new(), entries.into_iter().peekable());
        for at in rank..tree.end(rank) {
            while open.pop_if(|entry| entry.end <= at).is_some() {}
            open.extend(next.next_if(|entry| entry.start == at));
            let entry = open.last().map_or(Outline::ROOT, |entry| entry.start);
            texts_at(scene, at, |hash| {
                if let Ok(text) = sketch.texts.binary_search_by_key(&hash, |&(hash, _)| hash) {
                    found[text] = match found[text] {
                        Found::Nowhere => Found::In(entry),
                        Found::In(other) if other == entry => Found::In(entry),
                        _ => Found::InSeveral,
                    };
                }
            })?;
        }
        let (looked, kept) = sketch.kept(&found);
        let growth = u128::from(now.saturating_sub(start));
        Ok(kept * 2 <= looked && kept * u128::from(before) * 4 <= growth * looked)
    }
}
