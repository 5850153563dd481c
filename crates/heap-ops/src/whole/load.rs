//! A graph with what it takes to select and to name its nodes.

use heap_graph::{BitSet, GraphSink, HeapGraph, Keep};
use heap_record::{Declaration, Edge, Ends, Metadata, Node, Result, Sink, Str, Value};

use crate::context::Context;
use crate::field::bracketed;
use crate::held::Held;
use crate::select::{Matcher, Selection};

/// Builds a graph, and marks the selected nodes.
///
/// Memory: the graph (see heap-graph), the stream's strings if they are to be kept, a bit for each node.
#[derive(Debug)]
pub struct Load {
    graph: GraphSink,
    context: Context,
    strings: bool,
    matcher: Matcher,
    count: u32,
    chosen: Vec<u32>,
    late: Held,
    late_nodes: Vec<u32>,
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
            context: Context::default(),
            strings,
            matcher: Matcher::new(selection),
            count: 0,
            chosen: Vec::new(),
            late: Held::default(),
            late_nodes: Vec::new(),
        }
    }

    /// Warnings about fields in conditions that no node had. Call when all records have come.
    pub fn missing(&self) -> Vec<String> {
        self.matcher.missing(&self.context.types)
    }

    /// The graph. Call when no more records come.
    pub fn build(mut self) -> Result<Loaded> {
        if !self.late.is_empty() {
            let mut settle = Settle { load: &mut self, next: 0 };
            std::mem::take(&mut settle.load.late).replay(&mut settle)?;
            self.chosen.sort_unstable();
        }
        Ok(Loaded { heap: self.graph.build()?, context: self.context, chosen: self.chosen })
    }
}

/// Hears nodes that were held back.
struct Settle<'a> {
    load: &'a mut Load,
    next: usize,
}

impl Sink for Settle<'_> {
    fn node(&mut self, node: &Node<'_>) -> Result {
        let Load { matcher, context, chosen, late_nodes, .. } = self.load;
        if matcher.matches(node, &context.types, &context.strings)? {
            chosen.extend(late_nodes.get(self.next));
        }
        self.next += 1;
        Ok(())
    }
}

impl Sink for Load {
    fn wants(&self) -> heap_record::Wants {
        let selection = self.matcher.selection();
        heap_record::Wants {
            strings: self.strings,
            details: !selection.is_all() && selection.needs_details(),
            ..self.graph.wants()
        }
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        self.context.metadata(record);
        self.matcher.set_rule(self.context.rule);
        self.graph.metadata(record)
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.context.declare(record);
        self.matcher.clear();
        self.graph.declare(record)
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        if self.strings { self.context.string(record) } else { Ok(()) }
    }

    fn node(&mut self, node: &Node<'_>) -> Result {
        let number = self.count;
        self.count += 1;
        if !self.matcher.selection().is_all() {
            if !self.matcher.ready(node, &self.context) {
                self.late.node(node)?;
                self.late_nodes.push(number);
            } else if self.matcher.matches(node, &self.context.types, &self.context.strings)? {
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

    fn edge_between(&mut self, ends: Ends, edge: &Edge<'_>) -> Result {
        self.graph.edge_between(ends, edge)
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
