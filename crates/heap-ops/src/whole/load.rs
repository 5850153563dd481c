//! A graph with what it takes to select and to name its nodes.

use heap_base::BitSet;
use heap_base::Result;
use heap_graph::{GraphSink, HeapGraph, Keep};
use heap_record::{Declaration, Edge, Metadata, Node, NodeEnds, PlainEdge, Sink, Str, Value};

use crate::context::Context;
use crate::field::bracketed;
use crate::held::Numbered;
use crate::judge::Judge;
use crate::select::Selection;

/// Builds a graph, and marks the selected nodes.
///
/// Memory: the graph (see heap-graph), the stream's strings if they are to be kept, a bit for each node.
#[derive(Debug)]
pub struct Load {
    graph: GraphSink,
    judge: Judge,
    strings: bool,
    count: u32,
    chosen: Vec<u32>,
    late: Numbered,
}

/// A graph, its names and the selected nodes.
#[derive(Debug)]
pub struct Loaded {
    /// The graph; nodes are numbered in the order of their records.
    pub heap: HeapGraph,
    /// Declarations and strings.
    pub context: Context,
    /// The selected nodes, ascending.
    pub chosen: Vec<u32>,
}

impl Load {
    /// Keeps what `keep` says, and the strings if nodes are to be named.
    pub fn new(selection: Selection, keep: Keep, strings: bool) -> Self {
        let strings = strings || !selection.is_all();
        Self {
            graph: GraphSink::new(keep),
            judge: Judge::new(selection),
            strings,
            count: 0,
            chosen: Vec::new(),
            late: Numbered::default(),
        }
    }

    /// Warnings about fields in conditions that no node had. Call when all records have come.
    pub fn missing(&mut self) -> Result<Vec<String>> {
        self.settle()?;
        Ok(self.judge.missing())
    }

    /// The graph. Call when no more records come.
    pub fn build(mut self) -> Result<Loaded> {
        self.settle()?;
        Ok(Loaded { heap: self.graph.build()?, context: self.judge.context, chosen: self.chosen })
    }

    /// Judges the nodes that came before their strings; now or never.
    fn settle(&mut self) -> Result {
        std::mem::take(&mut self.late).nodes(|node, number| {
            if self.judge.selects(node)? {
                self.chosen.push(number);
            }
            Ok(())
        })?;
        self.chosen.sort_unstable();
        Ok(())
    }
}

impl Sink for Load {
    fn wants(&self) -> heap_record::Wants {
        let selection = self.judge.selection();
        heap_record::Wants {
            strings: self.strings,
            details: !selection.is_all() && selection.needs_details(),
            ..self.graph.wants()
        }
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        self.judge.metadata(record);
        self.graph.metadata(record)
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.judge.declare(record);
        self.graph.declare(record)
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        if self.strings { self.judge.context.string(record) } else { Ok(()) }
    }

    fn node(&mut self, node: &Node<'_>) -> Result {
        let number = self.count;
        self.count += 1;
        if !self.judge.selection().is_all() {
            if !self.judge.ready(node) {
                self.late.node(node, number)?;
            } else if self.judge.selects(node)? {
                self.chosen.push(number);
            }
        }
        self.graph.node(node)
    }

    fn edge(&mut self, edge: &Edge<'_>) -> Result {
        self.graph.edge(edge)
    }

    fn numbers(&self) -> bool {
        self.graph.numbers()
    }

    fn edge_between(&mut self, ends: NodeEnds, edge: &Edge<'_>) -> Result {
        self.graph.edge_between(ends, edge)
    }

    fn edges_between(&mut self, source: u32, edges: &[PlainEdge]) -> Result {
        self.graph.edges_between(source, edges)
    }
}

impl Loaded {
    /// The selected nodes as a set.
    pub fn chosen_set(&self) -> BitSet {
        let mut set = BitSet::new(self.heap.graph.nodes());
        for &node in &self.chosen {
            set.insert(node);
        }
        set
    }

    /// Type name of a node; needs classes and strings kept.
    pub fn class(&self, node: u32) -> Result<String> {
        match self.heap.class(node) {
            Some(class) => self.context.strings.text_or_number(class),
            None => Ok(bracketed(&self.context.types.node_name(self.heap.subtypes.get(node) as u32))),
        }
    }

    /// The node's own name; needs names and strings kept.
    pub fn name(&self, node: u32) -> Result<Option<String>> {
        self.heap.name(node).map(|name| self.context.strings.text_or_number(name)).transpose()
    }

    /// Label of an edge; needs labels and strings kept.
    pub fn label(&self, edge: u32) -> Result<Option<String>> {
        self.heap.label(edge).map(|label| self.context.strings.text_or_number(label)).transpose()
    }

    /// Subtype of an edge; needs kinds kept.
    pub fn kind(&self, edge: u32) -> Option<String> {
        self.heap.kind(edge).map(|kind| self.context.types.edge_name(kind).into_owned())
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
    pub fn of_types(&self, globs: &[crate::glob::Glob]) -> Result<BitSet> {
        let mut set = BitSet::new(self.heap.graph.nodes());
        let mut verdicts: rustc_hash::FxHashMap<(Option<i64>, u64), bool> = rustc_hash::FxHashMap::default();
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
