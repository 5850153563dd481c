//! A graph with what it takes to select and to name its nodes.

use std::fs::File;
use std::io::{self, Seek, Write};
use std::os::unix::fs::FileExt;

use heap_base::{BitSet, Error, Result};
use heap_graph::{Graph, GraphSink, HeapGraph, Keep};
use heap_record::wants::{Nodes, Strings};
use heap_record::{
    Declaration, EdgeBatch, Metadata, Node, NodeBatch, Sharded, Sink, Str, StringId, Value, Wants,
};
use rustc_hash::FxHashMap;

use crate::report::{OnePass, Report};
use crate::select::field::bracketed;
use crate::select::{Glob, Selection, Selector};
use crate::stream::Context;

/// The numbers of the selected nodes.
#[derive(Debug, Default)]
pub(crate) struct Selected {
    nodes: BitSet,
}

impl Selected {
    /// Notes the nodes of `selection`. Feed it only if that is not all nodes.
    pub(crate) fn new(selection: Selection) -> OnePass<Self> {
        OnePass::new(Self::default(), selection)
    }

    /// Whether a node is selected. Call after [`OnePass::fold_deferred`].
    pub(crate) fn contains(&self, node: u32) -> bool {
        self.nodes.contains(node)
    }
}

impl Report for Selected {
    fn wants(&self, selection: &Selection) -> Wants {
        let full = selection.needs_details();
        Wants { nodes: if full { Nodes::Full } else { Nodes::Brief }, ..Wants::NODES }
    }

    fn fold(&mut self, node: &Node<'_>, number: u32, selector: &mut Selector) -> Result {
        if selector.selects(node)? {
            self.nodes.insert(number);
        }
        Ok(())
    }

    fn end_snapshot(&mut self, _: &mut Selector) -> Result {
        Ok(())
    }
}

/// Builds a graph, and notes the selected nodes.
///
/// Memory: the graph (see heap-graph), the stream's strings if they are to be kept, 4 bytes for each selected node.
#[derive(Debug)]
pub struct GraphLoader {
    graph: GraphSink,
    selected: OnePass<Selected>,
    strings: bool,
}

/// A graph, its names and the selected nodes.
#[derive(Debug)]
pub struct NamedGraph {
    /// The graph; nodes are numbered in the order of their records.
    pub heap: HeapGraph,
    /// Declarations and strings.
    pub context: Context,
    /// The selected nodes, ascending; none if all are selected.
    pub chosen: Vec<u32>,
    /// Labels of edges, 4 bytes each, then their kinds, if they were [put aside](Self::put_labels_aside).
    labels: Option<File>,
}

/// Graphs with fewer edges keep their labels in memory.
const LABELS_ASIDE: u32 = if cfg!(test) { 3 } else { 1 << 23 };

impl GraphLoader {
    /// Keeps what `keep` says, and the strings if nodes are to be named.
    pub fn new(selection: Selection, keep: Keep, strings: bool) -> Self {
        let strings = strings || !selection.is_all();
        Self { graph: GraphSink::new(keep), selected: Selected::new(selection), strings }
    }

    /// Warnings about fields in conditions that no node had. Call when all records have come.
    ///
    /// # Errors
    /// The temporary file of deferred nodes cannot be read.
    pub fn missing(&mut self) -> Result<Vec<String>> {
        self.selected.fold_deferred()?;
        Ok(self.selected.missing())
    }

    /// The graph. Call when no more records come.
    ///
    /// # Errors
    /// The records are no graph, or the temporary file of deferred nodes cannot be read.
    pub fn build(mut self) -> Result<NamedGraph> {
        self.selected.fold_deferred()?;
        let (selected, context) = self.selected.into_parts();
        Ok(NamedGraph::new(self.graph.build()?, context, selected.nodes.iter().collect()))
    }
}

impl Sink for GraphLoader {
    fn wants(&self) -> Wants {
        let graph = self.graph.wants();
        if self.selected.selection().is_all() {
            let strings = if self.strings { Strings::All } else { Strings::None };
            return Wants { strings, ..graph };
        }
        graph.union(self.selected.wants())
    }

    fn sharded(&mut self) -> Option<&mut dyn Sharded> {
        self.graph.sharded()
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        self.selected.metadata(record)?;
        self.graph.metadata(record)
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.selected.declare(record)?;
        self.graph.declare(record)
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        if self.strings { self.selected.string(record) } else { Ok(()) }
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        if !self.selected.selection().is_all() {
            self.selected.nodes(batch)?;
        }
        self.graph.nodes(batch)
    }

    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        self.graph.edges(batch)
    }
}

/// A temporary file of the labels of all edges, then of their kinds.
fn written(labels: &[u32], kinds: &[u8]) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    let mut bytes = Vec::with_capacity(1 << 18);
    for chunk in labels.chunks(1 << 16) {
        bytes.clear();
        bytes.extend(chunk.iter().flat_map(|label| label.to_le_bytes()));
        file.write_all(&bytes)?;
    }
    file.write_all(kinds)?;
    Ok(file)
}

impl NamedGraph {
    /// A graph with its names and the selected nodes.
    pub fn new(heap: HeapGraph, context: Context, chosen: Vec<u32>) -> Self {
        Self { heap, context, chosen, labels: None }
    }

    /// Moves labels and subtypes of the edges of a large graph to a file without a name in `TMPDIR`: for who needs few of
    /// them, and memory for more. If the file cannot be written they stay.
    pub fn put_labels_aside(&mut self) {
        if self.heap.graph.edges() < LABELS_ASIDE {
            return;
        }
        let Some((labels, kinds)) = self.heap.graph.names() else { return };
        if let Ok(file) = written(labels, kinds) {
            self.labels = Some(file);
            self.heap.graph.forget_names();
        }
    }

    /// The graph, to be consumed by an analysis: a copy, or of a large one the graph itself, while its edges lie in a file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn lend(&mut self) -> Result<(Graph, Option<File>)> {
        if self.heap.graph.edges() < LABELS_ASIDE {
            return Ok((self.heap.graph.bare(), None));
        }
        let mut file = tempfile::tempfile().map_err(Error::write)?;
        let graph = self.heap.graph.lend(&mut file).map_err(Error::write)?;
        Ok((graph, Some(file)))
    }

    /// The edges of a graph that was lent, back from their file.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn take_back(&mut self, file: Option<File>) -> Result {
        let Some(mut file) = file else { return Ok(()) };
        file.rewind().and_then(|()| self.heap.graph.take_back(&mut file)).map_err(Error::read)
    }

    /// String id of the label of an edge.
    fn label_id(&self, edge: u32) -> Result<Option<StringId>> {
        let Some(file) = &self.labels else { return Ok(self.heap.label(edge)) };
        let mut code = [0; 4];
        file.read_exact_at(&mut code, u64::from(edge) * 4).map_err(Error::read)?;
        Ok(self.heap.label_of(u32::from_le_bytes(code)))
    }

    /// String ids of the labels of a node's edges, as far as they have some.
    pub(crate) fn label_ids(&self, node: u32) -> Result<Vec<StringId>> {
        let edges = self.heap.graph.range(node);
        let Some(file) = &self.labels else {
            return Ok(edges.filter_map(|edge| self.heap.label(edge as u32)).collect());
        };
        let mut codes = vec![0; edges.len() * 4];
        file.read_exact_at(&mut codes, edges.start as u64 * 4).map_err(Error::read)?;
        let (codes, _) = codes.as_chunks();
        Ok(codes.iter().filter_map(|&code| self.heap.label_of(u32::from_le_bytes(code))).collect())
    }

    /// The selected nodes as a set.
    pub fn chosen_set(&self) -> BitSet {
        let mut set = BitSet::new(self.heap.graph.nodes());
        for &node in &self.chosen {
            set.insert(node);
        }
        set
    }

    /// Type name of a node; needs classes and strings kept.
    ///
    /// # Errors
    /// The temporary file of strings cannot be read.
    pub fn class(&self, node: u32) -> Result<String> {
        match self.heap.class(node) {
            Some(class) => self.context.strings.text_or_number(class),
            None => Ok(bracketed(&self.context.types.node_name(self.heap.subtypes.get(node) as u32))),
        }
    }

    /// The node's own name; needs names and strings kept.
    ///
    /// # Errors
    /// The temporary file of strings cannot be read.
    pub fn name(&self, node: u32) -> Result<Option<String>> {
        self.heap.name(node).map(|name| self.context.strings.text_or_number(name)).transpose()
    }

    /// Label of an edge; needs labels and strings kept.
    ///
    /// # Errors
    /// The temporary file of strings cannot be read.
    pub fn label(&self, edge: u32) -> Result<Option<String>> {
        self.label_id(edge)?.map(|label| self.context.strings.text_or_number(label)).transpose()
    }

    /// Subtype of an edge; needs kinds kept.
    pub fn kind(&self, edge: u32) -> Option<String> {
        let kind = match &self.labels {
            None => self.heap.kind(edge),
            Some(file) => {
                let (mut code, at) = ([0], u64::from(self.heap.graph.edges()) * 4 + u64::from(edge));
                // What was just written can be read; if not, its labels fail next.
                file.read_exact_at(&mut code, at).ok().and_then(|()| self.heap.kind_of(code[0]))
            }
        };
        kind.map(|kind| self.context.types.edge_name(kind).into_owned())
    }

    /// Identifier of a node; needs identifiers kept.
    pub fn id(&self, node: u32) -> Value {
        self.heap.id(node).unwrap_or_default()
    }

    /// The source's own number of a node, as in `@N`.
    pub fn number(&self, node: u32) -> u64 {
        self.context.rule.number(self.id(node))
    }

    /// Nodes whose type name matches any of `globs`.
    ///
    /// # Errors
    /// The temporary file of strings cannot be read.
    pub fn of_types(&self, globs: &[Glob]) -> Result<BitSet> {
        let mut set = BitSet::new(self.heap.graph.nodes());
        let mut verdicts: FxHashMap<(Option<i64>, u64), bool> = FxHashMap::default();
        for node in 0..self.heap.graph.nodes() {
            if globs.is_empty() {
                break;
            }
            let key = (self.heap.class(node), self.heap.subtypes.get(node));
            let verdict = if let Some(&verdict) = verdicts.get(&key) {
                verdict
            } else {
                let name = self.class(node)?;
                let verdict = globs.iter().any(|g| g.matches(&name));
                verdicts.insert(key, verdict);
                verdict
            };
            if verdict {
                set.insert(node);
            }
        }
        Ok(set)
    }
}
