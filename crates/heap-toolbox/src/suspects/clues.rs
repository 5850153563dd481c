//! What a search needs beside the graph: texts, functions, detached nodes, and what earlier dumps had.

use std::collections::hash_map::Entry;

use heap_base::json::{inside, member, uint};
use heap_base::{BitSet, Map, Result, hash};
use heap_record::{
    Declaration, EdgeBatch, Extension, Metadata, NodeBatch, Sharded, Sink, Str, StringId, Value, Wants,
    wants::Nodes,
};

use super::KEEP;
use super::locations::Locations;
use super::texts::NodeTexts;
use crate::diff::{Identity, are_clones};
use heap_ops::graph::{GraphLoader, NamedGraph};
use heap_ops::select::field::int_field;
use heap_ops::select::{Glob, Selection};

/// What the records of a dump say beside its graph.
#[derive(Clone, Debug, Default)]
pub struct Clues {
    /// Dumps of the same process before this one, in order.
    pub earlier: Vec<Earlier>,
    /// How an object is known again in another dump.
    identity: Identity,
    /// Names of code that is the runtime's own.
    pub(super) runtime: Vec<Glob>,
    /// Nodes that are no longer part of their document.
    pub(super) detached: BitSet,
    /// Texts of strings.
    pub(crate) texts: NodeTexts,
    /// What the code of closures is made from, by node, ascending.
    functions: Vec<(u32, Value)>,
    /// Where objects stand in their source.
    pub(super) locations: Locations,
}

/// What is remembered of an earlier dump: 9 bytes a node where objects can be known again, else its classes.
#[derive(Clone, Debug, Default)]
pub struct Earlier {
    /// Identifiers, ascending, where they hold over the life of the process.
    ids: Option<Vec<Value>>,
    /// Some of them with a mark of their type's name.
    types: Vec<(Value, u64)>,
    /// Shallow bytes by type name.
    bytes: Map<String, u64>,
}

/// Which bytes are new since when.
pub(super) struct Births<'a> {
    loaded: &'a NamedGraph,
    /// By node the number of earlier dumps that it lies behind, 0 for the oldest; where objects are known again.
    since: Option<Vec<u8>>,
    /// By class and subtype, the part of its bytes that is new in each step.
    parts: Map<(Option<StringId>, u64), Vec<f64>>,
    steps: usize,
}

impl Births<'_> {
    fn parts(&self, node: u32) -> &[f64] {
        let heap = &self.loaded.heap;
        self.parts.get(&(heap.class(node), heap.subtypes.get(node))).map_or(&[], Vec::as_slice)
    }

    /// The bytes of a node that are new since the first dump.
    pub(super) fn bytes(&self, node: u32) -> u64 {
        let size = self.loaded.heap.sizes.get(node);
        match &self.since {
            Some(since) => {
                if since[node as usize] > 0 {
                    size
                } else {
                    0
                }
            }
            None => (self.parts(node).iter().sum::<f64>() * size as f64) as u64,
        }
    }

    /// Adds the new bytes of a node to the steps in which they came.
    pub(super) fn add(&self, node: u32, steps: &mut [u64]) {
        if node >= self.loaded.heap.graph.nodes() {
            return;
        }
        let size = self.loaded.heap.sizes.get(node);
        if let Some(since) = &self.since {
            let step = usize::from(since[node as usize]).min(self.steps);
            if let Some(slot) = step.checked_sub(1).and_then(|step| steps.get_mut(step)) {
                *slot = slot.saturating_add(size);
            }
        } else {
            for (slot, part) in steps.iter_mut().zip(self.parts(node)) {
                *slot = slot.saturating_add((part * size as f64) as u64);
            }
        }
    }
}

impl Clues {
    /// What a later dump needs to remember of this one.
    ///
    /// # Errors
    /// Strings that cannot be read back.
    pub fn remember(&self, loaded: &NamedGraph) -> Result<Earlier> {
        let heap = &loaded.heap;
        let nodes = heap.graph.nodes();
        let ids = (self.identity == Identity::Identifier).then(|| {
            let mut ids: Vec<Value> = (0..nodes).map(|node| loaded.id(node)).collect();
            ids.sort_unstable();
            ids
        });
        let mut bytes: Map<String, u64> = Map::default();
        if ids.is_none() {
            for (node, size) in sums_by_type(loaded).into_values() {
                let sum = bytes.entry(loaded.class(node)?).or_default();
                *sum = sum.saturating_add(size);
            }
        }
        let types = if ids.is_some() { sample_of_types(loaded)? } else { Vec::new() };
        Ok(Earlier { ids, types, bytes })
    }

    /// What makes growth uncertain, for a warning.
    ///
    /// # Errors
    /// Strings that cannot be read back.
    pub fn doubts(&self, loaded: &NamedGraph) -> Result<Option<&'static str>> {
        if self.earlier.is_empty() {
            return Ok(None);
        }
        let known: Option<Vec<&Vec<Value>>> = self.earlier.iter().map(|dump| dump.ids.as_ref()).collect();
        let Some(known) = known.filter(|_| self.identity == Identity::Identifier) else {
            return Ok(Some("objects cannot be known again in these dumps; growth is that of classes"));
        };
        let nodes = loaded.heap.graph.nodes();
        let old = (0..nodes).filter(|&node| known[0].binary_search(&loaded.id(node)).is_ok()).count();
        if old * 10 < nodes as usize {
            return Ok(Some("hardly any object of the first dump is in the last; one process?"));
        }
        let types = sample_of_types(loaded)?;
        let other = |dump: &Earlier| {
            let (both, changed) = compare(&dump.types, &types);
            are_clones(changed, both)
        };
        Ok(self.earlier.iter().any(other).then_some(
            "objects with equal identifiers differ in class: the dumps are most likely of different processes, \
             and growth means nothing",
        ))
    }

    /// Which bytes are new since when: by object where objects can be known again in all dumps, else by class.
    pub(super) fn births<'a>(&self, loaded: &'a NamedGraph) -> Result<Births<'a>> {
        let steps = self.earlier.len();
        let known: Option<Vec<&Vec<Value>>> = self.earlier.iter().map(|dump| dump.ids.as_ref()).collect();
        let known = known.filter(|_| self.identity == Identity::Identifier);
        let mut births = Births { loaded, since: None, parts: Map::default(), steps };
        if let Some(known) = known {
            let since = |node| {
                let id = loaded.id(node);
                let first = known.iter().position(|ids| ids.binary_search(&id).is_ok());
                first.unwrap_or(steps).min(usize::from(u8::MAX)) as u8
            };
            births.since = Some((0..loaded.heap.graph.nodes()).map(since).collect());
            return Ok(births);
        }
        let mut sums = Vec::new();
        let mut by_text: Map<String, u64> = Map::default();
        for (key, (node, now)) in sums_by_type(loaded) {
            let class = loaded.class(node)?;
            let sum = by_text.entry(class.clone()).or_default();
            *sum = sum.saturating_add(now);
            sums.push((key, class));
        }
        for (key, class) in sums {
            let now = by_text.get(&class).copied().unwrap_or(0);
            let mut sizes: Vec<u64> =
                self.earlier.iter().map(|dump| dump.bytes.get(&class).copied().unwrap_or(0)).collect();
            sizes.push(now);
            let part = |pair: &[u64]| pair[1].saturating_sub(pair[0]) as f64 / now.max(1) as f64;
            let mut parts: Vec<f64> = sizes.windows(2).map(part).collect();
            // What came and went again is no growth.
            let grown = now.saturating_sub(sizes[0]) as f64 / now.max(1) as f64;
            let sum: f64 = parts.iter().sum();
            if sum > grown {
                for part in &mut parts {
                    *part *= grown / sum;
                }
            }
            births.parts.insert(key, parts);
        }
        Ok(births)
    }

    /// What a closure's code is made from: the same for all closures of one place in the source.
    pub(super) fn function(&self, node: u32) -> Option<Value> {
        self.functions.binary_search_by_key(&node, |&(n, _)| n).ok().map(|at| self.functions[at].1)
    }
}

/// Identifiers, ascending, with a mark of the name of their type: all of a small heap, one of sixteen of a large one. Nodes
/// without a size are left out.
fn sample_of_types(loaded: &NamedGraph) -> Result<Vec<(Value, u64)>> {
    let heap = &loaded.heap;
    let nodes = heap.graph.nodes();
    let each = if nodes < 1 << 16 { 1 } else { 16 };
    let (mut sample, mut marks) = (Vec::new(), Map::default());
    for node in (0..nodes).filter(|&node| heap.sizes.get(node) > 0) {
        let id = loaded.id(node);
        if (id >> 1) % each == 0 {
            let mark = match marks.entry((heap.class(node), heap.subtypes.get(node))) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(new) => *new.insert(hash::mark(loaded.class(node)?)),
            };
            sample.push((id, mark));
        }
    }
    sample.sort_unstable();
    Ok(sample)
}

/// How many objects of two samples have one identifier, and how many of these differ in class.
fn compare(one: &[(Value, u64)], other: &[(Value, u64)]) -> (u64, u64) {
    let (mut one, mut both, mut changed) = (one.iter().peekable(), 0, 0);
    for &(id, mark) in other {
        while one.next_if(|known| known.0 < id).is_some() {}
        if let Some(known) = one.next_if(|known| known.0 == id) {
            both += 1;
            changed += u64::from(known.1 != mark);
        }
    }
    (both, changed)
}

/// A node of each class and subtype, and the shallow bytes of all.
fn sums_by_type(loaded: &NamedGraph) -> Map<(Option<StringId>, u64), (u32, u64)> {
    let heap = &loaded.heap;
    let mut sums: Map<(Option<StringId>, u64), (u32, u64)> = Map::default();
    for node in 0..heap.graph.nodes() {
        let sum = sums.entry((heap.class(node), heap.subtypes.get(node))).or_insert((node, 0));
        sum.1 = sum.1.saturating_add(heap.sizes.get(node));
    }
    sums
}

/// Builds the graph of a dump and gathers [`Clues`].
///
/// Memory: that of [`GraphLoader`], 4 bytes a node if it has strings whose text is no name, some 10 for each location, and
/// 16 for each closure that says what its code is made from.
#[derive(Debug)]
pub struct SuspectLoader {
    graph: GraphLoader,
    clues: Clues,
}

impl Default for SuspectLoader {
    fn default() -> Self {
        Self { graph: GraphLoader::new(Selection::default(), KEEP, true), clues: Clues::default() }
    }
}

impl SuspectLoader {
    /// The graph and the clues. Call when no more records come.
    ///
    /// # Errors
    /// As [`GraphLoader::build`].
    pub fn build(self) -> Result<(NamedGraph, Clues)> {
        Ok((self.graph.build()?, self.clues))
    }
}

impl Sink for SuspectLoader {
    fn wants(&self) -> Wants {
        Wants { nodes: Nodes::Once, extensions: true, ..self.graph.wants() }
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        match record.key {
            "heap.identity" => self.clues.identity = Identity::named(record.value),
            "heap.runtime" => self.clues.runtime.push(Glob::new(record.value)),
            // V8's rule implies it.
            "heap.identifier" if record.value == "v8" => self.clues.identity = Identity::Identifier,
            _ => {}
        }
        self.graph.metadata(record)
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.graph.declare(record)
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        self.graph.string(record)
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        let Self { graph, clues: Clues { texts, functions, detached, .. } } = self;
        texts.nodes(batch, |number, node| {
            if let Some(function) = member(node.own, "metadata").and_then(int_field) {
                functions.push((number, function));
            }
            // 1 is attached, 2 detached; the namespace is the source's.
            if !node.rest.is_empty() && is_detached(node.rest) {
                detached.insert(number);
            }
        });
        graph.nodes(batch)
    }

    fn sharded(&mut self) -> Option<&mut dyn Sharded> {
        self.graph.sharded()
    }

    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        self.graph.edges(batch)
    }

    fn extension(&mut self, record: &Extension<'_>) -> Result {
        self.clues.locations.add(record.body);
        Ok(())
    }
}

fn is_detached(rest: &[u8]) -> bool {
    heap_base::json::each(rest)
        .any(|(_, value)| inside(value).is_some_and(|members| uint(members, "detachedness") == Some(2)))
}
