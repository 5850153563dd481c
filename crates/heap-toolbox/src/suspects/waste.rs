//! Memory that could be saved: equal strings, arrays with hardly anything in them, detached nodes, objects that the program has
//! ended with.

use heap_base::{BitSet, Map, Plus, Result, sort_by, sort_by_key};
use heap_graph::{HeapGraph, NONE, Outline};
use heap_record::StringId;

use super::finder::Draft;
use super::items::{HOLDINGS, sums};
use super::scene::Scene;
use super::{Holding, Kind, Unseen};
use crate::strings::arrays::{bytes_below, subtypes as subtypes_of_arrays};
use crate::strings::equal::{Alike, Equal, Equals};
use heap_ops::graph::NamedGraph;
use heap_ops::place::{Clues, NodeTexts, Sort, Way, Word, has_references_alone, id_of};

/// An array is sparse if it has this many slots at least, and no more than one in [`FULL`] is in use.
const SLOTS: u64 = 8;
/// Bytes that the head of an array takes, and edges of it to what describes it.
const HEAD: u64 = 16;
const HEADER: u64 = 2;
const FULL: u64 = 4;
/// The same of the table of a collection, which has chains and small numbers in most of its slots.
const FULL_TABLE: u64 = 16;
/// Objects with more references than this are no such collections.
const COLLECTION: usize = 64;

/// Equal texts that a row shows.
const SHOWN: usize = 3;

/// Destroyed objects that have a row each.
const EACH: usize = 5;

/// Waste is this part of the heap.
const WASTE: f64 = 0.05;

/// Arrays of one place.
#[derive(Clone, Copy, Debug)]
struct Heaped {
    /// The one that wastes most; of several the last, because the virtual machine's own come first.
    sample: u32,
    /// What dominates that.
    holder: u32,
    count: u64,
    wasted: u64,
    /// What the sample wastes.
    worst: u64,
}

/// A node with what holds it.
#[derive(Clone, Copy, Debug)]
struct Held {
    node: u32,
    /// What dominates it.
    holder: u32,
    /// The groups of that and of what dominates that.
    place: (u64, u64),
}

/// Strings that have their text in one piece.
pub(super) struct FlatStrings<'a> {
    heap: &'a HeapGraph,
    tree: &'a Outline,
    clues: &'a Clues,
    /// Their subtypes, and those of arrays that hold texts.
    subtypes: Vec<u64>,
    arrays: Vec<u64>,
}

impl<'a> FlatStrings<'a> {
    pub(super) fn new(loaded: &'a NamedGraph, tree: &'a Outline, clues: &'a Clues) -> Self {
        Self {
            heap: &loaded.heap,
            tree,
            clues,
            subtypes: flat_subtypes(loaded),
            arrays: subtypes_of_arrays(&loaded.context.types),
        }
    }

    /// Texts that are there more than once, with what all copies but one take: whole ones before those that the source has cut, the
    /// most wasteful first. `equal` says which records have the text of another one.
    pub(super) fn repeated(&self, equal: &Map<StringId, StringId>) -> Vec<(u64, Equal)> {
        let Self { heap, tree, clues, subtypes, arrays } = self;
        let texts = &clues.texts;
        // Of what lies outside of the heap nobody has the text.
        let outside = |node: u32| (node as usize) < heap.external.len() && heap.external.get(node) > 0;
        let is =
            |node| subtypes.contains(&heap.subtypes.get(node)) && tree.rank(node).is_some() && !outside(node);
        let text = |node| if is(node) { text_of(heap, texts, node) } else { None };
        let text = |node| text(node).map(|id| equal.get(&id).copied().unwrap_or(id));
        let size = |node| heap.sizes.get(node);
        // Another string that it holds counts for itself.
        let is_array = |node| arrays.contains(&heap.subtypes.get(node));
        let array = |node| tree.rank(node).map_or(0, |rank| bytes_below(tree, rank, is_array));
        let bytes = |node| size(node).plus(array(node));
        let alike = |node, id| Alike::of(node, id, heap, clues);
        let equals = Equals::new(heap, text, alike, bytes);
        let wasted = |group: Equal| (group.size.saturating_sub(bytes(group.first)), group);
        let mut texts: Vec<(u64, Equal)> = equals.list.into_iter().map(wasted).collect();
        let is_cut = |of: &Equal| of.alike.is_cut(clues.string_limit);
        let order = |a: &(u64, Equal), b: &(u64, Equal)| {
            is_cut(&a.1).cmp(&is_cut(&b.1)).then(b.0.cmp(&a.0)).then(a.1.last.cmp(&b.1.last))
        };
        sort_by(&mut texts, order);
        texts
    }
}

/// Whether one text of many wastes so little of what all do that it is no more than an example.
pub(super) const fn is_little(wasted: u64, all: u64) -> bool {
    wasted < all / 20
}

pub(super) fn flat_subtypes(loaded: &NamedGraph) -> Vec<u64> {
    subtypes(loaded, |name| name.starts_with("string_flat"))
}

/// The text of a string in one piece; where the source has no other, its name.
pub(super) fn text_of(heap: &HeapGraph, texts: &NodeTexts, node: u32) -> Option<StringId> {
    texts.text(heap, node).or_else(|| heap.name(node))
}

/// Numbers of the subtypes of nodes of which `is` holds: they are few.
pub(super) fn subtypes(loaded: &NamedGraph, is: impl Fn(&str) -> bool) -> Vec<u64> {
    let types = loaded.context.types.node_types().into_iter();
    types.filter(|of| is(&of.name)).map(|of| of.id.into()).collect()
}

/// Subtypes of arrays that may have references, and whether those are of references alone: beside such ones all others have
/// numbers.
fn array_subtypes(loaded: &NamedGraph) -> (Vec<u64>, bool) {
    let exact = subtypes(loaded, has_references_alone);
    if exact.is_empty() { (subtypes(loaded, |name| name.ends_with("array")), false) } else { (exact, true) }
}

/// So many edges are few for an array with so many slots.
fn few_edges(slots: u64) -> u64 {
    slots / FULL + HEADER
}

impl Scene<'_> {
    pub(super) fn strings(&self) -> FlatStrings<'_> {
        FlatStrings::new(self.loaded, self.tree, self.clues)
    }

    /// Waste that is found without edges; `repeated` as [`FlatStrings::repeated`] has it.
    pub(super) fn waste(&self, repeated: &[(u64, Equal)]) -> Result<Vec<Draft>> {
        Ok([self.destroyed()?, self.detached()?, self.duplicates(repeated)?].concat())
    }

    /// Equal texts of which all copies but one could be saved: those that [`FlatStrings::repeated`] found. Where the source has cut
    /// texts that are alike, nobody knows whether they are equal: they are a matter of their own.
    pub(super) fn duplicates(&self, texts: &[(u64, Equal)]) -> Result<Vec<Draft>> {
        let limit = self.clues.string_limit;
        let (whole, cut) = texts.split_at(texts.partition_point(|(_, of)| !of.alike.is_cut(limit)));
        Ok([self.of_texts(whole, Unseen::Nothing)?, self.of_texts(cut, Unseen::Ends)?].concat())
    }

    fn of_texts(&self, texts: &[(u64, Equal)], unseen: Unseen) -> Result<Vec<Draft>> {
        let all = texts.iter().fold(0u64, |sum, (wasted, _)| sum.plus(*wasted));
        if all < self.wasteful() {
            return Ok(Vec::new());
        }
        let shown = self.shown(texts, all);
        let Some((_, worst)) = shown.first() else { return Ok(Vec::new()) };
        let mut draft = Draft::new(Kind::Duplicates, worst.last, all);
        for (wasted, group) in &shown {
            let class = self.loaded.context.strings.text_or_number(id_of(group.code))?;
            draft.holds.push(Holding { class, count: group.count, retained: *wasted, own: false });
        }
        draft.class = Some(self.loaded.class(worst.last)?);
        draft.unseen = unseen;
        Ok(vec![draft])
    }

    /// The worst texts, of which all waste so much; where even the first wastes [little](is_little) of that, it may be another
    /// matter than most, so it is those of the place where most is wasted. Of each text its last node says where that is, because
    /// the virtual machine's own come first.
    fn shown(&self, texts: &[(u64, Equal)], all: u64) -> Vec<(u64, Equal)> {
        if texts.first().is_some_and(|&(wasted, _)| !is_little(wasted, all)) {
            return texts.iter().take(SHOWN).copied().collect();
        }
        let mut ranked: Vec<(u32, usize)> =
            (0..).zip(texts).filter_map(|(at, (_, of))| Some((self.tree.rank(of.last)?, at))).collect();
        sort_by_key(&mut ranked, |&(rank, _)| rank);
        let ranks: Vec<u32> = ranked.iter().map(|&(rank, _)| rank).collect();
        let mut places: Map<(u64, u64), (u64, Vec<usize>)> = Map::default();
        for (of, (_, at)) in self.held(&ranks).into_iter().zip(ranked) {
            let (wasted, shown) = places.entry(of.place).or_default();
            *wasted = wasted.plus(texts[at].0);
            // The worst stand first.
            shown.push(at);
            shown.sort_unstable();
            shown.truncate(SHOWN);
        }
        let worst = places.into_values().max_by(|a, b| a.0.cmp(&b.0).then_with(|| b.1.cmp(&a.1)));
        worst.map_or_else(Vec::new, |(_, shown)| shown.into_iter().map(|at| texts[at]).collect())
    }

    /// Nodes with what dominates them, by ascending rank.
    fn held(&self, ranks: &[u32]) -> Vec<Held> {
        let tree = self.tree;
        let held = |of: heap_graph::Place| {
            let above = |rank| Some(rank).filter(|&rank| rank != NONE).map(|rank| tree.node(rank));
            let is_node = |&node: &u32| node < self.nodes();
            let node = tree.node(of.rank);
            // What is below the root alone stands for its holder.
            let holder = above(of.above).filter(is_node).unwrap_or(node);
            let far = above(of.far).filter(is_node).unwrap_or(holder);
            Held { node, holder, place: (self.group(holder), self.group(far)) }
        };
        tree.places(ranks).map(held).collect()
    }

    /// Arrays of which hardly any slot is in use, by the class that holds them and the class that holds that.
    pub(super) fn sparse(&self) -> Result<Vec<Draft>> {
        let mut places: Map<(u64, u64), Heaped> = Map::default();
        let mut indexes: Map<StringId, bool> = Map::default();
        let (_, exact) = array_subtypes(self.loaded);
        for Held { node, holder, place } in self.hardly_used() {
            // A function that waits has as many registers as its code needs.
            if holder != node && self.own().end_by(holder, Way::Registers) == Some(node) {
                continue;
            }
            let used = if exact { self.elements(node) } else { self.indexes(node, &mut indexes)? };
            let full = if self.is_table(holder, node, exact)? { FULL_TABLE } else { FULL };
            let wasted = self.unused(node, used, full);
            if wasted > 0 {
                let new = Heaped { sample: node, holder, count: 0, wasted: 0, worst: 0 };
                let heaped = places.entry(place).or_insert(new);
                if wasted >= heaped.worst {
                    (heaped.sample, heaped.holder, heaped.worst) = (node, holder, wasted);
                }
                (heaped.count, heaped.wasted) = (heaped.count + 1, heaped.wasted.plus(wasted));
            }
        }
        let mut places: Vec<_> =
            places.into_values().filter(|heaped| heaped.wasted >= self.wasteful()).collect();
        sort_by(&mut places, |a, b| b.wasted.cmp(&a.wasted).then(a.sample.cmp(&b.sample)));
        let draft = |heaped: &Heaped| -> Result<Draft> {
            let mut draft = Draft::new(Kind::Sparse, heaped.sample, heaped.wasted);
            let holder = if self.is_root(heaped.holder) { heaped.sample } else { heaped.holder };
            let class = self.class(holder)?;
            draft.unseen = if exact { Unseen::Nothing } else { Unseen::Numbers };
            draft.holds = vec![Holding { class, count: heaped.count, retained: heaped.wasted, own: false }];
            Ok(draft)
        };
        places.iter().take(self.limits.most).map(draft).collect()
    }

    /// Bytes from which waste is worth a row.
    fn wasteful(&self) -> u64 {
        ((self.total as f64 * WASTE) as u64).max(self.floor)
    }

    /// Slots of an array.
    fn all_slots(&self, node: u32) -> u64 {
        self.loaded.heap.sizes.get(node).saturating_sub(HEAD) / self.clues.slot()
    }

    /// Slots of an array that has few edges for its size; else 0.
    fn slots(&self, node: u32) -> u64 {
        let (heap, slots) = (&self.loaded.heap, self.all_slots(node));
        let few = slots >= SLOTS
            && match &self.arrays {
                Some(arrays) => arrays.contains(node),
                None => heap.graph.range(node).len() as u64 <= few_edges(slots),
            };
        if few && self.tree.rank(node).is_some() { slots } else { 0 }
    }

    /// Arrays that have few edges for their size, by a pass over edges in files.
    pub(super) fn few_edges(&self) -> Result<BitSet> {
        let Some(far) = self.far else { return Ok(BitSet::default()) };
        let (arrays, _) = array_subtypes(self.loaded);
        let heap = &self.loaded.heap;
        let slots = |node| self.all_slots(node);
        let is_array = |node| arrays.contains(&heap.subtypes.get(node)) && slots(node) >= SLOTS;
        let mut few: BitSet = (0..self.nodes()).filter(|&node| is_array(node)).collect();
        far.each(|source, edges| {
            if few.contains(source) && edges.len() as u64 > few_edges(slots(source)) {
                few.remove(source);
            }
        })?;
        Ok(few)
    }

    /// The nodes of which [`sparse`](Self::sparse) looks at edges beside those of [`few_edges`](Self::few_edges).
    pub(super) fn sparse_nodes(&self) -> BitSet {
        let arrays = if self.arrays.is_some() { self.hardly_used() } else { Vec::new() };
        arrays.iter().flat_map(|of| [of.node, of.holder]).collect()
    }

    /// Arrays that have few edges for their size, ascending, of places where they waste much at most. That takes no label of an
    /// edge.
    fn hardly_used(&self) -> Vec<Held> {
        let ((arrays, _), tree) = (array_subtypes(self.loaded), self.tree);
        let subtypes = (0..).zip(self.loaded.heap.subtypes.iter());
        let of_arrays = subtypes.filter(|(_, subtype)| arrays.contains(subtype)).map(|(node, _)| node);
        let few = of_arrays.filter(|&node| self.slots(node) > 0);
        let mut ranks: Vec<u32> = few.filter_map(|node| tree.rank(node)).collect();
        ranks.sort_unstable();
        let (mut found, mut bounds) = (Vec::new(), Map::<(u64, u64), u64>::default());
        for of in self.held(&ranks) {
            let bound = bounds.entry(of.place).or_default();
            *bound = bound.plus(self.slots(of.node) * self.clues.slot());
            found.push(of);
        }
        found.retain(|of| bounds.get(&of.place).is_some_and(|&most| most >= self.wasteful()));
        sort_by_key(&mut found, |of| of.node);
        found
    }

    /// Bytes of an array that hold no reference, if hardly any of its slots does; else 0. An array without any reference
    /// may well be full of numbers.
    fn unused(&self, node: u32, used: u64, full: u64) -> u64 {
        let slots = self.slots(node);
        if used > 0 && used * full <= slots { (slots - used) * self.clues.slot() } else { 0 }
    }

    /// References in the slots of an array, by their kind.
    fn elements(&self, node: u32) -> u64 {
        let range = self.loaded.heap.graph.range(node);
        range.filter(|&edge| self.way(edge as u32) == Way::Element).count() as u64
    }

    /// References in the slots of an array, by their labels: `indexes` remembers which ones are indexes.
    fn indexes(&self, node: u32, indexes: &mut Map<StringId, bool>) -> Result<u64> {
        let mut used = 0;
        for label in self.loaded.heap.labels(node)? {
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
        Ok(used)
    }

    /// Whether an array is the table of a collection that the virtual machine itself has made, or of the members of an object:
    /// with chains and small numbers, unless it has references alone.
    fn is_table(&self, holder: u32, array: u32, exact: bool) -> Result<bool> {
        let graph = &self.loaded.heap.graph;
        if holder == array {
            return Ok(false);
        }
        let members = !exact && self.own().sort(holder) == Sort::Object;
        if graph.range(holder).len() > COLLECTION {
            return Ok(members);
        }
        let edge = |&edge: &usize| graph.link(edge as u32).end() == array;
        let edge = graph.range(holder).find(edge);
        let is_inner = edge.is_some_and(|edge| self.way(edge as u32) == Way::Inner);
        Ok(is_inner && (members || self.own().end_of(holder, Word::Table)? == Some(array)))
    }

    /// Objects that the program has ended with and still holds: the worst a row each, whatever their size, and what is left in
    /// one. What is below another is part of that.
    pub(super) fn destroyed(&self) -> Result<Vec<Draft>> {
        let mut ranks: Vec<u32> =
            self.clues.destroyed.iter().filter_map(|node| self.tree.rank(node)).collect();
        ranks.sort_unstable();
        let mut end = 0;
        ranks.retain(|&rank| {
            let outer = rank >= end;
            if outer {
                end = self.tree.end(rank);
            }
            outer
        });
        heap_base::sort_by_key(&mut ranks, |&rank| std::cmp::Reverse(self.tree.retained(rank)));
        let mut drafts = Vec::new();
        let (worst, rest) = ranks.split_at(ranks.len().min(EACH));
        for of in worst.chunks(1).chain([rest]) {
            let Some(&first) = of.first() else { continue };
            let sum = |each: &dyn Fn(u32) -> u64| of.iter().fold(0u64, |sum, &rank| sum.plus(each(rank)));
            let (all, outside) = (sum(&|rank| self.tree.retained(rank)), sum(&|rank| self.outside(rank)));
            let mut draft = Draft::new(Kind::Destroyed, self.tree.node(first), all.saturating_sub(outside));
            draft.external = outside;
            draft.holds = by_class(self, of)?;
            drafts.push(draft);
        }
        Ok(drafts)
    }

    /// Nodes that are no longer part of their document, and what only they retain.
    pub(super) fn detached(&self) -> Result<Vec<Draft>> {
        let detached = &self.clues.detached;
        let mut ranks: Vec<u32> = detached.iter().filter_map(|node| self.tree.rank(node)).collect();
        ranks.sort_unstable();
        let (mut retained, mut end) = (0u64, 0);
        for &rank in &ranks {
            if rank >= end {
                (retained, end) = (retained.plus(self.tree.retained(rank)), self.tree.end(rank));
            }
        }
        if retained < self.floor {
            return Ok(Vec::new());
        }
        let mut nodes: Vec<(u32, u64)> =
            ranks.iter().map(|&rank| (self.tree.node(rank), self.tree.retained(rank))).collect();
        heap_base::sort_by(&mut nodes, |a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        let Some(&(worst, _)) = nodes.first() else { return Ok(Vec::new()) };
        let mut draft = Draft::new(Kind::Detached, worst, retained);
        let ranks: Vec<u32> = nodes.iter().filter_map(|&(node, _)| self.tree.rank(node)).collect();
        draft.holds = by_class(self, &ranks)?;
        Ok(vec![draft])
    }
}

/// Ranks by class, largest first; no more than a few classes.
fn by_class(scene: &Scene<'_>, ranks: &[u32]) -> Result<Vec<Holding>> {
    let sums = sums(scene, ranks).into_iter().take(HOLDINGS);
    let mut holds = Vec::new();
    for of in sums {
        let own = scene.own().is_own(of.node);
        holds.push(Holding { class: scene.class(of.node)?, count: of.count, retained: of.bytes, own });
    }
    Ok(holds)
}
