//! Memory that could be saved: equal strings, arrays with hardly anything in them, detached nodes.

use heap_base::Result;
use heap_graph::group_retained;
use heap_record::StringId;
use rustc_hash::FxHashMap;

use super::search::{Draft, Search};
use super::{Holding, Kind};

/// Bytes of a slot of an array. Where references are smaller, arrays are emptier than they look here.
const SLOT: u64 = 8;

/// An array is sparse if it has this many slots at least, and no more than one in [`FULL`] is in use.
const SLOTS: u64 = 8;
/// Slots that the head of an array takes, and edges of it to what describes it.
const HEADER: u64 = 2;
const FULL: u64 = 4;

/// Detached nodes are wrong at a fifth of what makes other things suspects.
const DETACHED: u64 = 5;

/// Equal strings, or arrays of one place.
#[derive(Clone, Copy, Debug)]
struct Heaped {
    /// One of them. The last, because the virtual machine's own come first.
    sample: u32,
    count: u64,
    wasted: u64,
}

impl Heaped {
    fn add(&mut self, node: u32, wasted: u64) {
        self.sample = node;
        self.count += 1;
        self.wasted = self.wasted.saturating_add(wasted);
    }
}

impl Search<'_> {
    /// Equal texts of which all copies but one could be saved, each text on its own if it wastes enough, the others
    /// together.
    pub(super) fn duplicates(&self) -> Result<Vec<Draft>> {
        let heap = &self.loaded.heap;
        let types = &self.loaded.context.types;
        let mut is_string: Vec<Option<bool>> = Vec::new();
        let mut texts: FxHashMap<(StringId, u64), Heaped> = FxHashMap::default();
        for node in (0..self.nodes()).filter(|&node| self.analysis.in_tree(node)) {
            let subtype = heap.subtypes.get(node) as usize;
            if subtype >= is_string.len() {
                is_string.resize(subtype.min(1 << 16) + 1, None);
            }
            let Some(known) = is_string.get_mut(subtype) else { continue };
            if !*known.get_or_insert_with(|| types.node_name(subtype as u32).starts_with("string_flat")) {
                continue;
            }
            let Some(text) = heap.name(node).or_else(|| self.clues.text(node)) else { continue };
            // The source may have cut the text; then equal sizes say that the lengths are equal.
            let size = heap.sizes.get(node);
            let retained = self.retained(node).max(size);
            texts.entry((text, size)).and_modify(|heaped| heaped.add(node, retained)).or_insert(Heaped {
                sample: node,
                count: 1,
                wasted: 0,
            });
        }
        let mut texts: Vec<_> = texts.into_iter().filter(|(_, heaped)| heaped.count > 1).collect();
        texts.sort_unstable_by(|a, b| b.1.wasted.cmp(&a.1.wasted).then(a.1.sample.cmp(&b.1.sample)));
        let all = texts.iter().fold(0u64, |sum, (_, heaped)| sum.saturating_add(heaped.wasted));
        if all < self.floor {
            return Ok(Vec::new());
        }
        let Some((_, worst)) = texts.first() else { return Ok(Vec::new()) };
        let mut draft = Draft::new(Kind::Duplicates, worst.sample, all);
        for ((text, _), heaped) in texts.iter().take(3) {
            let class = self.loaded.context.strings.text_or_number(*text)?;
            draft.holds.push(Holding { class, count: heaped.count, retained: heaped.wasted });
        }
        draft.class = Some(self.loaded.class(worst.sample)?);
        Ok(vec![draft])
    }

    /// Arrays of which hardly any slot is in use, by the class that holds them and the class that holds that.
    pub(super) fn sparse(&self) -> Result<Vec<Draft>> {
        let mut places: FxHashMap<(u64, u64), Heaped> = FxHashMap::default();
        let mut indexes: FxHashMap<StringId, bool> = FxHashMap::default();
        for node in 0..self.nodes() {
            let wasted = self.unused(node, &mut indexes)?;
            if wasted == 0 {
                continue;
            }
            let owner = self.above(node).unwrap_or(node);
            let holder = self.above(owner).unwrap_or(owner);
            places
                .entry((self.group(owner), self.group(holder)))
                .or_insert(Heaped { sample: node, count: 0, wasted: 0 })
                .add(node, wasted);
        }
        let mut places: Vec<_> = places.into_values().filter(|heaped| heaped.wasted >= self.floor).collect();
        places.sort_unstable_by(|a, b| b.wasted.cmp(&a.wasted).then(a.sample.cmp(&b.sample)));
        let draft = |heaped: &Heaped| -> Result<Draft> {
            let mut draft = Draft::new(Kind::Sparse, heaped.sample, heaped.wasted);
            let owner = self.above(heaped.sample).unwrap_or(heaped.sample);
            let class = self.loaded.class(if self.is_root(owner) { heaped.sample } else { owner })?;
            draft.holds = vec![Holding { class, count: heaped.count, retained: heaped.wasted }];
            Ok(draft)
        };
        places.iter().take(self.limits.most).map(draft).collect()
    }

    /// Bytes of an array that hold no reference, if hardly any of its slots does; else 0. An array without any reference
    /// may well be full of numbers. `indexes` remembers which labels are indexes.
    fn unused(&self, node: u32, indexes: &mut FxHashMap<StringId, bool>) -> Result<u64> {
        let heap = &self.loaded.heap;
        let slots = (heap.sizes.get(node) / SLOT).saturating_sub(HEADER);
        let edges = heap.graph.range(node);
        if slots < SLOTS
            || edges.len() as u64 > slots / FULL + HEADER
            || !self.is_array(node)
            || !self.analysis.in_tree(node)
        {
            return Ok(0);
        }
        let mut used = 0;
        for edge in edges {
            let Some(label) = heap.label(edge as u32) else { continue };
            let is_index = match (label < 0, indexes.get(&label)) {
                (true, _) => true,
                (_, Some(&known)) => known,
                _ => {
                    let text = self.loaded.context.strings.text_or_number(label)?;
                    let is_index = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
                    indexes.insert(label, is_index);
                    is_index
                }
            };
            used += u64::from(is_index);
        }
        Ok(if used > 0 && used * FULL <= slots { (slots - used) * SLOT } else { 0 })
    }

    /// Nodes that are no longer part of their document, and what only they retain.
    pub(super) fn detached(&self) -> Result<Vec<Draft>> {
        let detached = &self.clues.detached;
        let group = |node: u32| detached.contains(node).then_some(0);
        let retained = group_retained(&self.tree, &self.analysis.retained, 1, group)[0];
        if retained < (self.floor / DETACHED).max(1) {
            return Ok(Vec::new());
        }
        let mut nodes: Vec<(u32, u64)> = detached
            .iter()
            .filter(|&node| self.analysis.in_tree(node))
            .map(|node| (node, self.retained(node)))
            .collect();
        nodes.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        let Some(&(worst, _)) = nodes.first() else { return Ok(Vec::new()) };
        let mut draft = Draft::new(Kind::Detached, worst, retained);
        draft.holds = self.by_type(nodes.into_iter())?;
        Ok(vec![draft])
    }
}
