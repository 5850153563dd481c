//! The few edges that ways and names need, of a graph whose edges are in a file.
//!
//! A search in the file finds the ways to some nodes. The graph in memory gets the edges on them, and those by which functions,
//! scopes, scripts, classes and threads are known. The same search in it finds the same ways: it has no others, and ties
//! go to the edge that comes first in both.

use heap_base::{BitSet, Result, Set};
use heap_graph::{CodedReader, Graph, HeapGraph, LargeGraph, NONE, Rules};
use heap_record::Types;

use super::Naming;
use super::clues::{Clues, Word};
use super::search::{References, START, search};
use super::ways::{Way, by_subtype, way_by};
use crate::graph::NamedGraph;

/// What ways are wanted to some nodes.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The nodes.
    pub targets: &'a BitSet,
    /// The cheapest, for their names.
    pub names: bool,
    /// The shortest that go around these nodes.
    pub paths: Option<&'a BitSet>,
}

/// References in a file. Marks are sources: the graph in memory gets all references from there to the end.
struct InFile<'a> {
    reader: CodedReader<'a>,
    rules: &'a Rules,
}

impl References for InFile<'_> {
    const IN_ORDER: bool = true;

    fn each(&mut self, node: u32, mut each: impl FnMut(u32, Way, u32)) -> Result {
        let way = |code: u8| Way::ALL.get(usize::from(code)).copied().unwrap_or(Way::Inner);
        self.reader.retaining(self.rules, node, |code, end| each(node, way(code), end))
    }
}

/// What an edge is by its label and kind.
struct Kinds<'a> {
    heap: &'a HeapGraph,
    clues: &'a Clues,
    types: heap_base::NumberMap<u8>,
    /// Kinds of edges from classes to their loaders.
    loaders: Vec<bool>,
}

impl<'a> Kinds<'a> {
    fn new(heap: &'a HeapGraph, clues: &'a Clues, types: &Types) -> Self {
        let is_loader =
            |kind| heap.named(0, kind).1.is_some_and(|number| types.edge_name(number).ends_with("loader"));
        Self { heap, clues, types: by_subtype(types), loaders: (0..=u8::MAX).map(is_loader).collect() }
    }

    fn way(&self, end: u32, paired: bool, (label, kind): (u32, u8)) -> Way {
        way_by(&self.types, (self.heap, self.clues), self.heap.named(label, kind), end, paired)
    }

    /// Whether something is known of nodes by this edge, whatever way is looked for.
    fn tells(&self, end: u32, paired: bool, name: (u32, u8)) -> bool {
        let word = self.heap.named(name.0, name.1).0.and_then(|label| self.clues.word(label));
        self.loaders[usize::from(name.1)]
            || matches!(word, Some(Word::Callee | Word::FileName | Word::Name))
            || word.is_some()
                && matches!(
                    self.way(end, paired, name),
                    Way::Shared | Way::Context | Way::Script | Way::Previous
                )
    }
}

impl NamedGraph {
    /// Gives a graph whose edges are in a file those in memory that the ways to some nodes, and names on them, need.
    ///
    /// # Errors
    /// Temporary files cannot be written or read. There is too little memory, or there are too many nodes.
    pub fn thin(&mut self, clues: &Clues, mut large: LargeGraph, wanted: Wanted<'_>) -> Result {
        large.check()?;
        let rules = large.rules(&self.heap.policy)?;
        let kinds = Kinds::new(&self.heap, clues, &self.context.types);
        let coded = large.coded(|end, paired, name| kinds.way(end, paired, name) as u8)?;
        // Each edge on a way, by its ends.
        let mut pairs: Set<(u32, u32)> = Set::default();
        let mut follow = |before: &[u32]| {
            // Ways share their beginnings.
            let mut seen = BitSet::default();
            for target in wanted.targets.iter() {
                let mut node = target;
                while let Some(&from) = before.get(node as usize)
                    && from < START
                    && from != node
                    && seen.insert(node)
                {
                    pairs.insert((from, node));
                    node = from;
                }
            }
        };
        if wanted.names {
            let graph = large.pick(|_, end, paired, name| kinds.tells(end, paired, name))?;
            self.heap.graph = graph;
            let naming = Naming::new(self, clues, &rules)?;
            let mut references = InFile { reader: coded.reader(), rules: &rules };
            let before = search(&naming, wanted.targets, &mut references)?;
            drop(naming);
            self.heap.graph = Graph::default();
            follow(&before);
        }
        if let Some(avoid) = wanted.paths {
            follow(&coded.shortest(&rules, avoid, wanted.targets)?);
        }
        drop(coded);
        let sources: BitSet = pairs.iter().map(|&(from, _)| from).collect();
        let kinds = Kinds::new(&self.heap, clues, &self.context.types);
        let graph = large.pick(|from, to, paired, name| {
            sources.contains(from) && pairs.contains(&(from, to))
                || wanted.names && kinds.tells(to, paired, name)
        })?;
        self.heap.graph = graph;
        self.rules = Some(rules);
        Ok(())
    }
}

const _: () = assert!(START < NONE && Way::ALL.len() <= 32, "codes have five bits");
