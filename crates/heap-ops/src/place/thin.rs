//! The few edges that ways and names need, of a graph whose edges are in a file.
//!
//! A search in the file finds the ways to some nodes. The graph in memory gets the edges on them, and those by which functions,
//! scopes, scripts, classes and threads are known. The same search in it finds the same ways: it has no others, and ties
//! go to the edge that comes first in both.

use heap_base::{BitSet, Result};
use heap_graph::{Coded, CodedReader, Cursor, Graph, HeapGraph, LargeGraph, NONE, Rules};
use heap_record::Types;

use super::Naming;
use super::clues::{Clues, Word};
use super::exports::modules;
use super::search::{References, START, search};
use super::ways::{Kinds, Way};
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
        self.reader.all(self.rules, node, |code, end, retains| {
            if retains {
                each(node, way_of(code), end);
            }
        })
    }
}

/// What an edge is by its label and kind, and what is known by it.
struct Known<'a> {
    kinds: Kinds<'a>,
    heap: &'a HeapGraph,
    clues: &'a Clues,
    /// Kinds of edges from classes to their loaders.
    loaders: Vec<bool>,
}

impl<'a> Known<'a> {
    fn new(heap: &'a HeapGraph, clues: &'a Clues, types: &Types) -> Self {
        let is_loader =
            |kind| heap.named(0, kind).1.is_some_and(|number| types.edge_name(number).ends_with("loader"));
        let loaders = (0..=u8::MAX).map(is_loader).collect();
        Self { kinds: Kinds::new(heap, clues, types), heap, clues, loaders }
    }

    fn way(&self, end: u32, paired: bool, (label, kind): (u32, u8)) -> Way {
        self.kinds.way(label, Some(kind), end, paired)
    }

    /// Whether something is known of nodes by this edge, whatever way is looked for.
    fn tells(&self, end: u32, paired: bool, name: (u32, u8)) -> bool {
        let word = self.heap.named(name.0, name.1).0.and_then(|label| self.clues.word(label));
        self.loaders[usize::from(name.1)]
            || matches!(word, Some(Word::Callee | Word::Constructor | Word::FileName | Word::Name))
            || word.is_some()
                && matches!(
                    self.way(end, paired, name),
                    Way::Shared | Way::Context | Way::Script | Way::Previous
                )
    }
}

/// The edges of a graph in files, of which the [`NamedGraph`] has few in memory: those by which functions, scopes, scripts,
/// classes and threads are known, and what was [picked](Far::pick).
#[derive(Debug)]
pub struct Far {
    large: LargeGraph,
    coded: Coded,
    rules: Rules,
    /// Modules and their parts, by which exported variables are known.
    modules: BitSet,
}

/// An edge: what it is to the program, where it ends, and whether it retains.
pub type FarEdge = (Way, u32, bool);

fn way_of(code: u8) -> Way {
    Way::ALL.get(usize::from(code)).copied().unwrap_or(Way::Inner)
}

impl Far {
    /// Prepares searches in `large`, and gives `loaded` the edges by which nodes are known.
    ///
    /// # Errors
    /// Temporary files cannot be written or read. There is too little memory.
    pub fn new(loaded: &mut NamedGraph, clues: &Clues, mut large: LargeGraph, rules: Rules) -> Result<Self> {
        large.check()?;
        let known = Known::new(&loaded.heap, clues, &loaded.context.types);
        let coded = large.coded(|end, paired, name| known.way(end, paired, name) as u8)?;
        let mut modules = modules(&loaded.heap, clues);
        let (mut reader, mut parts) = (coded.reader(), Vec::new());
        for module in modules.iter() {
            reader.all(&rules, module, |_, end, _| parts.push(end))?;
        }
        drop(reader);
        for part in parts {
            modules.insert(part);
        }
        let none = BitSet::default();
        let graph = large.pick_few(&none, |from, end, paired, name| {
            modules.contains(from) || known.tells(end, paired, name)
        })?;
        loaded.heap.graph = graph;
        loaded.rules = Some(rules.clone());
        Ok(Self { large, coded, rules, modules })
    }

    /// What retains.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The edges of a node, in order.
    ///
    /// # Errors
    /// Temporary files cannot be read.
    pub fn of(&self, cursor: &mut Cursor, node: u32, mut each: impl FnMut(FarEdge)) -> Result {
        self.coded.of(cursor, &self.rules, node, |code, end, retains| each((way_of(code), end, retains)))
    }

    /// All edges by source, in order.
    ///
    /// # Errors
    /// Temporary files cannot be read.
    pub fn each(&self, mut each: impl FnMut(u32, &[FarEdge])) -> Result {
        let mut all = Vec::new();
        self.coded.each(&self.rules, |source, edges| {
            all.clear();
            all.extend(edges.iter().map(|&(code, end, retains)| (way_of(code), end, retains)));
            each(source, &all);
        })
    }

    /// Adds what `starts` reach over edges that retain, halves of ephemerons left out, along paths that avoid `reached`.
    ///
    /// # Errors
    /// Temporary files cannot be read.
    pub fn reach(&self, starts: &[u32], reached: &mut BitSet) -> Result {
        self.coded.reach(&self.rules, starts, reached)
    }

    /// The cheapest ways to `targets`.
    ///
    /// # Errors
    /// Temporary files cannot be read.
    pub fn ways(&self, naming: &Naming<'_>, targets: &BitSet) -> Result<Ways> {
        let mut ways = Ways::default();
        let mut references = InFile { reader: self.coded.reader(), rules: &self.rules };
        let marks = search(naming, targets, &mut references)?;
        ways.add(|node| marks.get(node as usize), targets);
        Ok(ways)
    }

    /// Gives `loaded` the edges on these ways, and all edges of some nodes. Further searches in it are for ways to `targets`.
    ///
    /// # Errors
    /// Temporary files cannot be read.
    pub fn pick(
        &mut self,
        loaded: &mut NamedGraph,
        clues: &Clues,
        (Ways(pairs), whole): (&Ways, &BitSet),
        targets: &BitSet,
    ) -> Result {
        loaded.heap.graph = Graph::default();
        let sources: BitSet = pairs.iter().map(|&(from, _)| from).collect();
        let mut more = targets.clone();
        self.rules.roots().iter().for_each(|&root| {
            more.insert(root);
        });
        let known = Known::new(&loaded.heap, clues, &loaded.context.types);
        let graph = self.large.pick_few(&more, |from, to, paired, name| {
            whole.contains(from)
                || self.modules.contains(from)
                || sources.contains(from) && pairs.binary_search(&(from, to)).is_ok()
                || known.tells(to, paired, name)
        })?;
        loaded.heap.graph = graph;
        Ok(())
    }
}

/// The edges on ways to some nodes, by their ends, ascending.
#[derive(Clone, Debug, Default)]
pub struct Ways(Vec<(u32, u32)>);

impl Ways {
    /// Those over these edges.
    pub fn of(mut edges: Vec<(u32, u32)>) -> Self {
        edges.sort_unstable();
        edges.dedup();
        Self(edges)
    }

    /// Adds the ways to `targets`; `before` has the node before each on its way, or a mark.
    fn add(&mut self, before: impl Fn(u32) -> u32, targets: &BitSet) {
        // Ways share their beginnings.
        let mut seen = BitSet::default();
        for target in targets.iter() {
            let (mut node, mut from) = (target, before(target));
            while from < START && from != node && seen.insert(node) {
                self.0.push((from, node));
                (node, from) = (from, before(from));
            }
        }
        self.0.sort_unstable();
        self.0.dedup();
    }

    /// The ends of each edge.
    pub fn edges(&self) -> &[(u32, u32)] {
        &self.0
    }
}

impl NamedGraph {
    /// Gives a graph whose edges are in a file those in memory that the ways to some nodes, and names on them, need.
    ///
    /// # Errors
    /// Temporary files cannot be written or read. There is too little memory.
    pub fn thin(&mut self, clues: &Clues, mut large: LargeGraph, wanted: Wanted<'_>) -> Result {
        large.check()?;
        let rules = large.rules(&self.heap.policy)?;
        let mut far = Far::new(self, clues, large, rules)?;
        let mut ways = Ways::default();
        if wanted.names {
            ways = far.ways(&Naming::new(self, clues, far.rules())?, wanted.targets)?;
        }
        if let Some(avoid) = wanted.paths {
            self.heap.graph = Graph::default();
            let before = far.coded.shortest(&far.rules, avoid, wanted.targets)?;
            ways.add(|node| before.get(node as usize).copied().unwrap_or(NONE), wanted.targets);
        }
        far.pick(self, clues, (&ways, &BitSet::default()), wanted.targets)
    }
}

const _: () = assert!(START < NONE && Way::ALL.len() <= 32, "codes have five bits");
