//! What a string takes beside its own bytes: the array that holds its text, where that is an object of its own and the string
//! alone refers to it.

use heap_base::{BitSet, Plus, Result, sort_by_key};
use heap_graph::{Class, GraphSink, HeapGraph, Keep, LargeGraph, Outline, Sparse};
use heap_record::wants::has_numbers_alone;
use heap_record::{
    Declaration, Declared, EdgeBatch, Extension, Metadata, NodeBatch, Sharded, Sink, Str, Types, Wants,
};

use super::DuplicateStrings;
use crate::memory::limit;
use heap_ops::report::OnePass;
use heap_ops::stream::{Begins, Context};

/// Subtypes of arrays of numbers, as they are declared.
pub(crate) fn subtypes(types: &Types) -> Vec<u64> {
    let all = types.node_types().into_iter().filter(|of| has_numbers_alone(&of.name));
    all.map(|of| of.id.into()).collect()
}

/// Bytes of arrays that one object alone refers to, by that object. Memory: a bit a node, and mostly a byte or two for each.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnArrays(Sparse);

impl OwnArrays {
    /// Those of a graph in memory, over edges that hold.
    pub(crate) fn new(heap: &HeapGraph, types: &Types) -> Self {
        let graph = &heap.graph;
        let each = |f: &mut dyn FnMut(u32, u32)| {
            for node in 0..graph.nodes() {
                let links = graph.links_at(graph.range(node));
                links
                    .filter(|link| !matches!(link.class(), Class::Weak | Class::Kept))
                    .for_each(|link| f(node, link.end()));
            }
            Ok(())
        };
        Self::of(heap, types, each).unwrap_or_default()
    }

    /// Those of a graph in files, which has edges that hold alone.
    ///
    /// # Errors
    /// A temporary file cannot be read.
    pub(crate) fn of_large(heap: &HeapGraph, types: &Types, large: &mut LargeGraph) -> Result<Self> {
        Self::of(heap, types, |f| {
            large.each_edge(|source, end| {
                f(source, end);
                Ok(())
            })
        })
    }

    /// Goes over the edges twice: which arrays have one, and where that starts.
    fn of(
        heap: &HeapGraph,
        types: &Types,
        mut each: impl FnMut(&mut dyn FnMut(u32, u32)) -> Result,
    ) -> Result<Self> {
        let subtypes = subtypes(types);
        if subtypes.is_empty() {
            return Ok(Self::default());
        }
        let is_array = |(_, subtype): &(u32, u64)| subtypes.contains(subtype);
        let arrays: BitSet = (0..).zip(heap.subtypes.iter()).filter(is_array).map(|(node, _)| node).collect();
        let (mut once, mut again) = (BitSet::default(), BitSet::default());
        each(&mut |_, end| {
            if arrays.contains(end) && !once.insert(end) {
                again.insert(end);
            }
        })?;
        // Each has one edge, so no more room is taken than for them.
        let mut own: Vec<(u32, u32)> = Vec::with_capacity((once.count() - again.count()) as usize);
        each(&mut |source, end| {
            if once.contains(end) && !again.contains(end) {
                own.push((source, end));
            }
        })?;
        if !own.is_sorted_by_key(|&(source, _)| source) {
            sort_by_key(&mut own, |&(source, _)| source);
        }
        let mut bytes = Sparse::default();
        for of_one in own.chunk_by(|a, b| a.0 == b.0) {
            bytes.push(
                of_one[0].0,
                of_one.iter().fold(0, |sum: u64, &(_, end)| sum.plus(heap.sizes.get(end))),
            );
        }
        Ok(Self(bytes))
    }

    /// Bytes of the arrays that a node alone refers to.
    pub(crate) fn bytes(&self, node: u32) -> u64 {
        self.0.get(node).unwrap_or(0)
    }
}

/// The same of a node that has a place in a dominator tree, by that: of what is alive.
pub(crate) fn bytes_below(tree: &Outline, rank: u32, is_array: impl Fn(u32) -> bool) -> u64 {
    let arrays = tree.children(rank).filter(|&child| is_array(tree.node(child)));
    arrays.fold(0, |sum: u64, child| sum.plus(tree.retained(child)))
}

/// Bytes a node and an edge that a graph for this takes.
const IN_MEMORY: (u64, u64) = (8, 0);

/// Finds equal strings, with the arrays of their texts where the source has such.
///
/// Memory: that of [`DuplicateStrings`]; where there are such arrays the graph, too, and 4 bytes for each string. A graph that
/// takes more than a limit goes through files.
#[derive(Debug)]
pub struct WholeStrings {
    strings: OnePass<DuplicateStrings>,
    memory: Option<u64>,
    /// The graph of the snapshot, once the source has declared arrays of numbers.
    graph: Option<GraphSink>,
}

impl WholeStrings {
    /// Adds arrays to what `strings` finds. The graph may take so many bytes of memory; by default that is three quarters of
    /// what is free.
    pub fn new(strings: OnePass<DuplicateStrings>, memory: Option<u64>) -> Self {
        Self { strings, memory, graph: None }
    }

    /// The strings. They are complete after [`Sink::finish`] or [`end_snapshot`](Self::end_snapshot).
    pub fn strings(&mut self) -> &mut OnePass<DuplicateStrings> {
        &mut self.strings
    }

    /// The strings, by themselves.
    pub fn into_strings(self) -> OnePass<DuplicateStrings> {
        self.strings
    }

    /// Another stream begins: makes rows of what came before, and forgets what holds for one stream.
    ///
    /// # Errors
    /// The records are no graph, or a temporary file cannot be read.
    pub fn begin_stream(&mut self) -> Result {
        self.find_arrays()?;
        self.strings.begin_stream()
    }

    /// An input has ended: makes rows of it.
    ///
    /// # Errors
    /// The records are no graph, or a temporary file cannot be read.
    pub fn end_snapshot(&mut self) -> Result {
        self.find_arrays()?;
        self.strings.end_snapshot()
    }

    /// Begins a graph, with what was declared so far.
    fn begin(&mut self) -> Result {
        let keep = Keep { subtypes: true, strong_only: true, ..Keep::default() };
        let mut graph = GraphSink::new(keep).with_limit(limit(self.memory), IN_MEMORY);
        self.strings.context().types.declare_to(&mut graph)?;
        self.graph = Some(graph);
        Ok(())
    }

    fn find_arrays(&mut self) -> Result {
        let Some(graph) = self.graph.take() else { return Ok(()) };
        let (heap, large) = graph.build_within()?;
        let types = &self.strings.context().types;
        let arrays = match large {
            Some(mut large) => OwnArrays::of_large(&heap, types, &mut large)?,
            None => OwnArrays::new(&heap, types),
        };
        self.strings.report_mut().set_arrays(arrays);
        Ok(())
    }
}

impl Sink for WholeStrings {
    fn wants(&self) -> Wants {
        use heap_record::wants::Edges;
        let wants = self.strings.wants();
        Wants { edges: wants.edges.max(Edges::OfTexts), ..wants }
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        let begins = Context::begins(record);
        let had_arrays = self.graph.is_some();
        if begins.is_some() {
            self.find_arrays()?;
        }
        self.strings.metadata(record)?;
        if begins == Some(Begins::Snapshot) && had_arrays {
            self.begin()?;
        }
        Ok(())
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.strings.declare(record)?;
        match &mut self.graph {
            Some(graph) => graph.declare(record),
            None if matches!(record.what, Declared::Node { name, .. } if has_numbers_alone(name)) => {
                self.begin()
            }
            None => Ok(()),
        }
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        if let Some(graph) = &mut self.graph {
            graph.nodes(batch)?;
        }
        self.strings.nodes(batch)
    }

    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        self.graph.as_mut().map_or(Ok(()), |graph| graph.edges(batch))
    }

    fn extension(&mut self, record: &Extension<'_>) -> Result {
        self.strings.extension(record)
    }

    fn sharded(&mut self) -> Option<&mut dyn Sharded> {
        self.graph.as_mut()?.sharded()
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        self.strings.string(record)
    }

    fn finish(&mut self, intact: bool) -> Result {
        self.find_arrays()?;
        self.strings.finish(intact)
    }
}
