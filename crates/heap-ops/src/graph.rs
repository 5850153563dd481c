//! A graph with what it takes to select and to name its nodes.

use std::fs::File;
use std::io::Seek;

use heap_base::{BitSet, Error, Map, Result};
use heap_graph::{Aside, Edges, Graph, GraphSink, HeapGraph, Keep, LargeGraph, Rules, read_edges};
use heap_record::wants::{Nodes, Strings};
use heap_record::{
    Declaration, EdgeBatch, Extension, Metadata, Node, NodeBatch, Role, Sharded, Sink, Str, Types, Value,
    Wants,
};

use crate::report::{OnePass, Report};
use crate::select::field::bracketed;
use crate::select::{Glob, Selection, Selector};
use crate::stream::Context;

/// The numbers of the selected nodes.
#[derive(Debug, Default)]
pub struct Selected {
    nodes: BitSet,
}

impl Selected {
    /// Notes the nodes of `selection`. Feed it only if that is not all nodes.
    pub fn new(selection: Selection) -> OnePass<Self> {
        OnePass::new(Self::default(), selection)
    }

    /// Whether a node is selected. Call after [`OnePass::fold_deferred`].
    pub fn contains(&self, node: u32) -> bool {
        self.nodes.contains(node)
    }
}

impl Report for Selected {
    fn wants(&self, selection: &Selection) -> Wants {
        let full = selection.needs_details();
        Wants { nodes: if full { Nodes::Full } else { Nodes::Brief }, ..Wants::NODES }
    }

    fn begin_stream(&mut self) {}

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

/// The subtype of an edge as streams declare it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct EdgeKind {
    /// Its name.
    pub name: String,
    /// What such edges are to the program.
    pub role: Role,
}

impl EdgeKind {
    /// The subtype with this number.
    pub fn of(types: &Types, number: u32) -> Self {
        Self { name: types.edge_name(number).into_owned(), role: types.role(number) }
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
    /// What retains, where the graph has only some of its edges.
    pub rules: Option<Rules>,
}

/// Graphs with fewer edges keep them and their labels in memory.
const ASIDE: u32 = if cfg!(test) { 3 } else { 1 << 20 };

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

    /// Puts edges into files where the graph takes more memory than this, as [`GraphSink::with_limit`] has it.
    #[must_use]
    pub fn with_limit(self, bytes: u64, each: (u64, u64)) -> Self {
        Self { graph: self.graph.with_limit(bytes, each), ..self }
    }

    /// Declarations so far.
    pub fn types(&self) -> &Types {
        &self.selected.context().types
    }

    /// Declarations and strings so far.
    pub fn context(&self) -> &Context {
        self.selected.context()
    }

    /// The graph. Call when no more records come.
    ///
    /// # Errors
    /// The records are no graph, or the temporary file of deferred nodes cannot be read.
    pub fn build(self) -> Result<NamedGraph> {
        self.build_within().map(|(graph, _)| graph)
    }

    /// As [`build`](Self::build). With a [limit](Self::with_limit) the graph has no edges and the other one is there if it
    /// takes more memory than that.
    ///
    /// # Errors
    /// As [`build`](Self::build). Temporary files cannot be written or read.
    pub fn build_within(mut self) -> Result<(NamedGraph, Option<LargeGraph>)> {
        self.selected.fold_deferred()?;
        let (selected, mut context) = self.selected.into_parts();
        context.strings.shrink()?;
        let (heap, large) = self.graph.build_within()?;
        if large.is_some() {
            context.strings.put_away()?;
        }
        // Of what is damaged a node may have been selected that the graph did not take.
        let nodes = large.as_ref().map_or(heap.graph.nodes(), LargeGraph::nodes);
        let chosen = selected.nodes.iter().filter(|&node| node < nodes).collect();
        Ok((NamedGraph::new(heap, context, chosen), large))
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

    fn extension(&mut self, record: &Extension<'_>) -> Result {
        self.selected.extension(record)
    }
}

fn is_large(graph: &Graph) -> bool {
    graph.edges() >= ASIDE
}

/// A temporary file of labels and kinds; `None` if it cannot be written, or they are not in memory.
fn written_labels(graph: &Graph) -> Option<Aside> {
    let (labels, kinds) = graph.names()?;
    Aside::of(labels, kinds).ok()
}

/// Where the edges of a large graph are, and their labels with their subtypes: what [`NamedGraph::lend`] needs.
#[derive(Debug, Default)]
pub struct Written {
    labels: Option<Aside>,
    edges: Option<File>,
}

impl Written {
    /// Writes the edges of a large graph, with labels and subtypes, to files without a name in `TMPDIR`.
    ///
    /// # Errors
    /// The file of edges cannot be written.
    pub fn of(graph: &Graph) -> Result<Self> {
        if !is_large(graph) {
            return Ok(Self::default());
        }
        let mut file = tempfile::tempfile().map_err(Error::write)?;
        graph.write_edges(&mut file).map_err(Error::write)?;
        Ok(Self { labels: written_labels(graph), edges: Some(file) })
    }
}

/// Where the edges of a graph that was lent are, and how many nodes and edges it has.
#[derive(Debug)]
pub struct Lent(Option<(File, u32, u32)>);

impl Lent {
    /// The edges; `None` if the graph still has them.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(self) -> Result<Option<Edges>> {
        let Some((mut file, nodes, edges)) = self.0 else { return Ok(None) };
        file.rewind().and_then(|()| read_edges(nodes, edges, &mut file)).map(Some).map_err(Error::read)
    }
}

impl NamedGraph {
    /// A graph with its names and the selected nodes.
    pub fn new(heap: HeapGraph, context: Context, chosen: Vec<u32>) -> Self {
        Self { heap, context, chosen, rules: None }
    }

    /// The graph, to be consumed by an analysis: a copy, or of a large one the graph itself, which then has neither edges
    /// nor labels in memory. The edges come back with [`Lent::read`] and [`take_back`](Self::take_back).
    pub fn lend(&mut self, written: Written) -> (Graph, Lent) {
        let Written { labels, edges } = written;
        let graph = &mut self.heap.graph;
        if let Some(labels) = labels {
            graph.put_aside(labels);
        }
        let lent = Lent(edges.map(|file| (file, graph.nodes(), graph.edges())));
        let graph = if lent.0.is_some() { graph.lend() } else { graph.bare() };
        (graph, lent)
    }

    /// Gives the edges back that were read from their file.
    pub fn take_back(&mut self, edges: Option<Edges>) {
        if let Some(edges) = edges {
            self.heap.graph.take_back(edges);
        }
    }

    /// What retains.
    pub fn rules(&self) -> Rules {
        self.rules.clone().unwrap_or_else(|| Rules::new(&self.heap.graph, &self.heap.policy))
    }

    /// Says that what is in files of what is known of nodes and strings could not be read: who asked got nothing. Ask where
    /// edges are in files, at the end.
    ///
    /// # Errors
    /// It could not.
    pub fn check(&self) -> Result {
        self.heap.check()?;
        self.context.strings.check()
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
        self.heap.label(edge)?.map(|label| self.context.strings.text_or_number(label)).transpose()
    }

    /// Subtype of an edge, and what it is to the program; needs kinds kept.
    ///
    /// # Errors
    /// As [`label`](Self::label).
    pub fn kind(&self, edge: u32) -> Result<Option<EdgeKind>> {
        Ok(self.heap.kind(edge)?.map(|kind| EdgeKind::of(&self.context.types, kind)))
    }

    /// What an edge is to the program; needs kinds kept.
    ///
    /// # Errors
    /// The temporary file of labels cannot be read.
    pub fn role(&self, edge: u32) -> Result<Role> {
        self.heap.role(edge)
    }

    /// Identifier of a node; needs identifiers kept.
    pub fn id(&self, node: u32) -> Value {
        self.heap.id(node).unwrap_or_default()
    }

    /// The source's own number of a node, as in `@N`.
    pub fn number(&self, node: u32) -> i64 {
        self.context.rule.number(self.id(node))
    }

    /// Nodes whose type name matches any of `globs`.
    ///
    /// # Errors
    /// The temporary file of strings cannot be read.
    pub fn of_types(&self, globs: &[Glob]) -> Result<BitSet> {
        // Edges may be in a file.
        let nodes = self.heap.sizes.len() as u32;
        let mut set = BitSet::new(nodes);
        let mut verdicts: Map<(Option<i64>, u64), bool> = Map::default();
        for node in 0..nodes {
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
