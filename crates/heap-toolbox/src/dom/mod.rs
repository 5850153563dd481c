//! Retained size, dominator, distance and reachability written to every node: heap-dom.

mod options;

pub use options::TOOL;

use heap_base::{Error, Result};
use heap_graph::{Analysis, Column, Config, HeapGraph, NONE, analyse};
use heap_record::{Line, Node, NodeBatch, Sink, Value, Wants, wants};

/// What heap-dom knows of each node, in the order of their records.
#[derive(Debug)]
pub struct Annotations {
    analysis: Analysis,
    ids: heap_graph::Ids,
    sizes: Option<Column>,
    lost_roots: u64,
}

impl Annotations {
    /// Works everything out. The graph needs its identifiers kept. With `sizes` they replace the shallow sizes,
    /// which then are written to the nodes as well.
    pub fn of(heap: HeapGraph, sizes: Option<Column>) -> Self {
        Self::with(heap, sizes, true)
    }

    /// The same without distances.
    pub fn retained(heap: HeapGraph) -> Self {
        Self::with(heap, None, false)
    }

    fn with(heap: HeapGraph, sizes: Option<Column>, distance: bool) -> Self {
        let HeapGraph { graph, policy, sizes: raw, ids, stats, .. } = heap;
        let config = Config { distance, retained: true, ranges: true };
        let analysis = analyse(graph, sizes.as_ref().unwrap_or(&raw), &policy, config);
        Self { analysis, ids, sizes, lost_roots: stats.lost_roots }
    }

    /// A warning if the stream lacks roots that it names.
    pub fn doubt(&self) -> Option<&'static str> {
        (self.lost_roots > 0).then_some(crate::sum::PART)
    }

    /// The analysis.
    pub fn analysis(&self) -> &Analysis {
        &self.analysis
    }

    /// A sink that annotates the same nodes, read again, and passes everything on to `out`.
    pub fn to<S: Sink>(self, out: S) -> Annotate<S> {
        Annotate { known: self, next: 0, out }
    }

    fn idom(&self, node: u32) -> Option<Value> {
        let idom = *self.analysis.idom.get(node as usize)?;
        // A tree above several roots hangs on a node that is none of the dump's.
        (idom != NONE && idom < self.ids.len()).then(|| self.ids.get(idom))
    }
}

/// Annotates nodes on their way. Memory: 32 bytes a node.
#[derive(Debug)]
pub struct Annotate<S> {
    known: Annotations,
    next: u32,
    out: S,
}

impl<S> Annotate<S> {
    /// Gives the sink back.
    pub fn into_inner(self) -> S {
        self.out
    }
}

impl<S: Sink> Annotate<S> {
    fn node(&mut self, node: &Node<'_>) -> Result {
        let (number, known) = (self.next, &self.known);
        self.next += 1;
        if number >= known.ids.len() || known.ids.get(number) != node.id {
            return Err(Error::input("the input has changed while it was read"));
        }
        let mut node = Node { line: Line::default(), ..*node };
        let place = number as usize;
        if let Some(sizes) = &known.sizes {
            node.heap.size = Some(sizes.get(number));
        }
        node.heap.retained = known.analysis.in_tree(number).then(|| known.analysis.retained[place]);
        node.heap.retained_from = node.heap.retained.and(known.analysis.from.get(place).copied());
        node.heap.idom = known.idom(number);
        let distance = known.analysis.distance.get(place).copied().filter(|&d| d != NONE);
        node.heap.distance = distance.map(i64::from);
        node.heap.reachable = Some(known.analysis.reachable.contains(number));
        self.out.nodes(&NodeBatch::one(&node))
    }
}

impl<S: Sink> Sink for Annotate<S> {
    fn wants(&self) -> Wants {
        // Each node has its own numbers, so none may stand for many.
        let wants = self.out.wants();
        Wants { nodes: wants.nodes.max(wants::Nodes::Brief), ..wants }
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        batch.try_for_each(|node| self.node(node))
    }

    heap_record::pass_on!(out: metadata declare string edges extension edge_filter sharded flush finish);
}
