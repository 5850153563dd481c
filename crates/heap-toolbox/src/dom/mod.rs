//! Retained size, dominator, distance and reachability written to every node: heap-dom.

mod options;

pub use options::TOOL;

use heap_base::{Error, Result};
use heap_graph::{
    Analysis, Column, Config, Fact, Facts, FactsReader, GraphSink, HeapGraph, Keep, NONE, analyse,
};
use heap_record::{Line, Node, NodeBatch, Sink, Wants, wants};

use crate::memory::limit;

/// Bytes a node and an edge that all this takes in memory.
const IN_MEMORY: (u64, u64) = (56, 8);

/// What heap-dom knows of each node, in the order of their records.
#[derive(Debug)]
pub struct Annotations {
    known: Known,
    ids: heap_graph::Ids,
    sizes: Option<Column>,
    lost_roots: u64,
}

/// Where it is.
#[derive(Debug)]
enum Known {
    InMemory(Box<Analysis>),
    InFiles(Box<Facts>),
}

/// The same one by one.
#[derive(Debug)]
enum Next<'a> {
    InMemory(&'a Analysis, u32),
    InFiles(Box<FactsReader<'a>>),
}

impl Next<'_> {
    fn next(&mut self) -> Result<Fact> {
        match self {
            Self::InMemory(analysis, number) => {
                let node = std::mem::replace(number, *number + 1);
                let place = node as usize;
                let retained = analysis.in_tree(node).then(|| analysis.retained[place]);
                Ok(Fact {
                    retained,
                    from: retained.and(analysis.from.get(place).copied()),
                    idom: analysis.idom.get(place).copied().filter(|&idom| idom != NONE),
                    distance: analysis.distance.get(place).copied().filter(|&d| d != NONE),
                    reachable: analysis.reachable.contains(node),
                })
            }
            Self::InFiles(reader) => reader.next(),
        }
    }
}

impl Annotations {
    /// What takes an input in for [`built`](Self::built).
    pub fn sink(memory: Option<u64>) -> GraphSink {
        GraphSink::new(Keep { ids: true, ..Keep::default() }).with_limit(limit(memory), IN_MEMORY)
    }

    /// Works everything out, through files if the graph takes more memory than there is. Without `distance` it may be left
    /// out.
    ///
    /// # Errors
    /// The records are no graph. Temporary files cannot be written or read. There is too little memory.
    pub fn built(graph: GraphSink, distance: bool) -> Result<Self> {
        let (heap, large) = graph.build_within()?;
        let Some(large) = large else { return Ok(Self::with(heap, None, distance)) };
        let HeapGraph { policy, sizes, ids, stats, .. } = heap;
        let known = Known::InFiles(Box::new(large.facts(&sizes, &policy)?));
        Ok(Self { known, ids, sizes: None, lost_roots: stats.lost_roots })
    }

    /// Works everything out. The graph needs its identifiers kept. With `sizes` they replace the shallow sizes,
    /// which then are written to the nodes as well.
    pub fn of(heap: HeapGraph, sizes: Option<Column>) -> Self {
        Self::with(heap, sizes, true)
    }

    fn with(heap: HeapGraph, sizes: Option<Column>, distance: bool) -> Self {
        let HeapGraph { graph, policy, sizes: raw, ids, stats, .. } = heap;
        let config = Config { distance, retained: true, ranges: true };
        let analysis = analyse(graph, sizes.as_ref().unwrap_or(&raw), &policy, config);
        Self { known: Known::InMemory(Box::new(analysis)), ids, sizes, lost_roots: stats.lost_roots }
    }

    /// A warning if the stream lacks roots that it names.
    pub fn doubt(&self) -> Option<&'static str> {
        (self.lost_roots > 0).then_some(crate::sum::PART)
    }

    /// A sink that annotates the same nodes, read again, and passes everything on to `out`.
    ///
    /// # Errors
    /// A temporary file cannot be read.
    pub fn to<S: Sink>(&self, out: S) -> Result<Annotate<'_, S>> {
        let next = match &self.known {
            Known::InMemory(analysis) => Next::InMemory(analysis, 0),
            Known::InFiles(facts) => Next::InFiles(Box::new(facts.reader()?)),
        };
        Ok(Annotate { known: self, next, number: 0, out })
    }
}

/// Annotates nodes on their way. Memory: 32 bytes a node, or that of their identifiers.
#[derive(Debug)]
pub struct Annotate<'a, S> {
    known: &'a Annotations,
    next: Next<'a>,
    number: u32,
    out: S,
}

impl<S> Annotate<'_, S> {
    /// Gives the sink back.
    pub fn into_inner(self) -> S {
        self.out
    }
}

impl<S: Sink> Annotate<'_, S> {
    fn node(&mut self, node: &Node<'_>) -> Result {
        let (number, known) = (self.number, &self.known);
        self.number += 1;
        if number >= known.ids.len() || known.ids.get(number) != node.id {
            return Err(Error::input("the input has changed while it was read"));
        }
        let Fact { retained, from, idom, distance, reachable } = self.next.next()?;
        let mut node = Node { line: Line::default(), ..*node };
        if let Some(sizes) = &known.sizes {
            node.heap.size = Some(sizes.get(number));
        }
        node.heap.retained = retained;
        node.heap.retained_from = from;
        // A tree above several roots hangs on a node that is none of the dump's.
        node.heap.idom = idom.filter(|&idom| idom < known.ids.len()).map(|idom| known.ids.get(idom));
        node.heap.distance = distance.map(i64::from);
        node.heap.reachable = Some(reachable);
        self.out.nodes(&NodeBatch::one(&node))
    }
}

impl<S: Sink> Sink for Annotate<'_, S> {
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
