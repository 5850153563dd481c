//! Where records go: one trait that writers, reports and transforms implement, and every source drives.

use crate::batch::{EdgeBatch, EdgeSlice, Ends, NodeBatch, PlainEdge, PlainNode};
use crate::model::{Declaration, Edge, Extension, Metadata, Node, Str, Value};
use crate::wants::{self, Wants};
use heap_base::{Error, Result};

/// Which edges of a node a sink passes over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Over {
    /// None.
    #[default]
    Nothing,
    /// Those to some nodes; see [`Sink::passes_over_to`].
    Some,
    /// All.
    All,
}

/// Nodes of an edge by their indexes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeEnds {
    /// The node it starts from.
    pub source: u32,
    /// The node it points to.
    pub dest: u32,
    /// The node that the member `heap.key` or `heap.table` names, if there is one.
    pub partner: Option<u32>,
}

/// Which edges from a node a source may skip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Skip {
    /// None.
    #[default]
    None,
    /// Those to some nodes; see [`EdgeFilter::skip_edges_to`].
    Some,
    /// All.
    All,
}

/// Which edges a sink has no use for. A source may skip them, and need not check closely what it skips.
pub trait EdgeFilter {
    /// Which edges from `source` to skip. Asked before the first of a run of edges from one node; holds for the run.
    fn skip_edges_of(&mut self, source: Value) -> Skip;
    /// Whether to skip edges to `dest`. Only asked after `skip_edges_of` returned [`Skip::Some`] for the current source.
    fn skip_edges_to(&mut self, dest: Value) -> bool;
}

/// Tells nodes of a run one by one: what [`Sink::nodes`] does, where a sink has no way of its own.
#[inline]
pub fn each_node(nodes: &[PlainNode], mut own: &[u8], mut each: impl FnMut(&Node<'_>) -> Result) -> Result {
    nodes.iter().try_for_each(|node| {
        let (first, rest) = own.split_at_checked(node.own).unwrap_or((own, b""));
        own = rest;
        each(&node.with(first))
    })
}

/// Tells nodes, and edges from the first on, to a sink; false if what should follow is damaged.
pub type Front<'a> = dyn FnMut(&mut dyn Sink) -> Result<bool> + Send + 'a;

/// Tells a part of the edges to a sink: the last of those that nobody was told, each time; no other records but
/// declarations, and before the sink knows the nodes. False if the part is damaged, `None` if none is left.
pub type Back<'a> = dyn FnMut(&mut dyn Sink) -> Result<Option<bool>> + Send + 'a;

/// A sink that several threads can feed: each shard takes a run of a snapshot's edges by index, and declarations of edge
/// types, beside the sink itself. The source owns the threads.
pub trait Sharded {
    /// An empty shard. It knows what was declared to the sink so far.
    fn fork(&self) -> Box<dyn Shard>;
    /// Appends what a shard took behind all edges so far. The source joins shards in the order of their edges, and joins
    /// none behind one whose edges were damaged.
    fn join(&mut self, shard: Box<dyn Shard>) -> Result;
}

/// What [`Sharded::fork`] makes.
pub trait Shard: Sink + Send {
    /// The shard as its own type, for [`Sharded::join`].
    fn into_any(self: Box<Self>) -> Box<dyn std::any::Any + Send>;
}

/// Receives records in stream order: metadata, declarations, strings, nodes, edges, extension records.
/// Sources keep that order where they can; a sink must not rely on it.
///
/// A metadata record `version_major` begins a new stream: declarations and strings before it are void.
/// A metadata record `heap.snapshot` begins the next snapshot of the same stream: identifiers before it are void.
///
/// TRANSITION: `node`, `nodes_run`, `edge`, `edges_from`, `edge_between`, `edges_between`, `in_two`, `passes_over`,
/// `passes_over_to` and `numbers` go once every source and sink uses `nodes`, `edges`, `edge_filter` and `sharded`.
#[allow(unused_variables, reason = "default methods ignore what a sink does not want")]
pub trait Sink {
    /// What it listens to. Asked once, before the first record.
    fn wants(&self) -> Wants {
        Wants::ALL
    }
    /// Which edges it has no use for, if it knows. `None`: none.
    fn edge_filter(&mut self) -> Option<&mut dyn EdgeFilter> {
        None
    }
    /// The sink as one that several threads can feed, if it is one. Asked when edges are about to come.
    fn sharded(&mut self) -> Option<&mut dyn Sharded> {
        None
    }
    /// Nodes.
    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        match *batch {
            NodeBatch::Records(nodes) => nodes.iter().try_for_each(|node| self.node(node)),
            NodeBatch::Plain { nodes, own } => self.nodes_run(nodes, own),
        }
    }
    /// Edges.
    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        match (batch.ends, batch.edges) {
            (Ends::Identifiers, EdgeSlice::Records(edges)) => {
                edges.iter().try_for_each(|edge| self.edge(edge))
            }
            (Ends::Identifiers, EdgeSlice::Plain { source, edges }) => self.edges_from(source, edges),
            (Ends::Indexes, EdgeSlice::Plain { source, edges }) => self.edges_between(source as u32, edges),
            (Ends::Indexes, EdgeSlice::Records(edges)) => edges.iter().try_for_each(|edge| {
                let dest = edge.dest.unwrap_or_default() as u32;
                self.edge_between(NodeEnds { source: edge.source as u32, dest, partner: batch.partner }, edge)
            }),
        }
    }
    /// True if it takes edges by index.
    fn numbers(&self) -> bool {
        self.wants().edges == wants::Edges::ByIndex
    }
    /// Which edges from this node are of no use, whatever else they say: a source may pass over them, and need not look
    /// closely at what it passes over. Asked before the first of a run of edges from one node, and holds for the run.
    fn passes_over(&mut self, source: Value) -> Over {
        self.edge_filter().map_or(Over::Nothing, |filter| match filter.skip_edges_of(source) {
            Skip::None => Over::Nothing,
            Skip::Some => Over::Some,
            Skip::All => Over::All,
        })
    }
    /// True if an edge to this node is of no use, from the one of which it was last said that [some](Over::Some) are not.
    fn passes_over_to(&mut self, dest: Value) -> bool {
        self.edge_filter().is_some_and(|filter| filter.skip_edges_to(dest))
    }
    /// A metadata record.
    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        Ok(())
    }
    /// A declaration; comes before the first record that uses it.
    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        Ok(())
    }
    /// A string record.
    fn string(&mut self, record: &Str<'_>) -> Result {
        Ok(())
    }
    /// A node record.
    fn node(&mut self, record: &Node<'_>) -> Result {
        self.nodes(&NodeBatch::one(record))
    }
    /// Nodes, in their order, and the members of their own, one after another. The same as each of them told to
    /// [`node`](Self::node), but for the time.
    fn nodes_run(&mut self, nodes: &[PlainNode], own: &[u8]) -> Result {
        each_node(nodes, own, |node| self.node(node))
    }
    /// An edge record.
    fn edge(&mut self, record: &Edge<'_>) -> Result {
        self.edges(&EdgeBatch::one(record))
    }
    /// Edges from one node, in their order. The same as each of them told to [`edge`](Self::edge), but for the time.
    fn edges_from(&mut self, source: Value, edges: &[PlainEdge]) -> Result {
        edges.iter().try_for_each(|&PlainEdge { subtype, dest, label }| {
            self.edge(&Edge { subtype, source, dest: Some(dest), label: Some(label), ..Edge::default() })
        })
    }
    /// An edge between the nodes with these numbers. Its identifiers are left out: `source` and `dest` of `record`
    /// mean nothing, and the source has seen that no two nodes have the same identifier. Only for sinks that ask
    /// for [`numbers`](Self::numbers), which must have one of their own.
    fn edge_between(&mut self, ends: NodeEnds, record: &Edge<'_>) -> Result {
        let mut edge = *record;
        (edge.source, edge.dest) = (ends.source.into(), Some(ends.dest.into()));
        self.edges(&EdgeBatch::one_by_index(&edge, ends.partner))
    }
    /// Edges from the node with this number, in their order; their `dest` are numbers too. The same as each of them told
    /// to [`edge_between`](Self::edge_between), but for the time.
    fn edges_between(&mut self, source: u32, edges: &[PlainEdge]) -> Result {
        edges.iter().try_for_each(|&PlainEdge { subtype, dest, label }| {
            let ends = NodeEnds { source, dest: dest as u32, partner: None };
            self.edge_between(ends, &Edge { subtype, label: Some(label), ..Edge::default() })
        })
    }
    /// All nodes and edges by two threads at a time. `front` tells the nodes, then edges from the first on; `back`, which
    /// may be called while it does, tells others from the last on, see there. Each tells them to the sink that it is
    /// given, edges by number. A sink that can take both gives `front` itself, and each part of `back` a sink of its own,
    /// and puts together what these heard, as far as all parts before came to their ends; any other calls neither, and
    /// says false. Only for sinks that ask for [`numbers`](Self::numbers).
    fn in_two(&mut self, front: &mut Front<'_>, back: &mut Back<'_>) -> Result<bool> {
        Ok(false)
    }
    /// An extension record.
    fn extension(&mut self, record: &Extension<'_>) -> Result {
        Ok(())
    }
    /// The source is about to wait for input: pass on what is finished.
    fn flush(&mut self) -> Result {
        Ok(())
    }
    /// No more records come. Called once by the driver, never by a reader. `whole` is false if the input
    /// was damaged or a file could not be read: what came before is still reported or passed on.
    fn finish(&mut self, intact: bool) -> Result {
        Ok(())
    }
}

/// Takes everything and keeps nothing.
#[derive(Clone, Copy, Debug)]
pub struct Discard;

impl Sink for Discard {
    fn nodes(&mut self, _: &NodeBatch<'_>) -> Result {
        Ok(())
    }
    fn edges(&mut self, _: &EdgeBatch<'_>) -> Result {
        Ok(())
    }
}

impl<S: Sink + ?Sized> Sink for &mut S {
    fn wants(&self) -> Wants {
        (**self).wants()
    }
    fn edge_filter(&mut self) -> Option<&mut dyn EdgeFilter> {
        (**self).edge_filter()
    }
    fn sharded(&mut self) -> Option<&mut dyn Sharded> {
        (**self).sharded()
    }
    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        (**self).nodes(batch)
    }
    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        (**self).edges(batch)
    }
    fn numbers(&self) -> bool {
        (**self).numbers()
    }
    fn passes_over(&mut self, source: Value) -> Over {
        (**self).passes_over(source)
    }
    fn passes_over_to(&mut self, dest: Value) -> bool {
        (**self).passes_over_to(dest)
    }
    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        (**self).metadata(record)
    }
    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        (**self).declare(record)
    }
    fn string(&mut self, record: &Str<'_>) -> Result {
        (**self).string(record)
    }
    fn node(&mut self, record: &Node<'_>) -> Result {
        (**self).node(record)
    }
    fn nodes_run(&mut self, nodes: &[PlainNode], own: &[u8]) -> Result {
        (**self).nodes_run(nodes, own)
    }
    fn edge(&mut self, record: &Edge<'_>) -> Result {
        (**self).edge(record)
    }
    fn edges_from(&mut self, source: Value, edges: &[PlainEdge]) -> Result {
        (**self).edges_from(source, edges)
    }
    fn edge_between(&mut self, ends: NodeEnds, record: &Edge<'_>) -> Result {
        (**self).edge_between(ends, record)
    }
    fn edges_between(&mut self, source: u32, edges: &[PlainEdge]) -> Result {
        (**self).edges_between(source, edges)
    }
    fn in_two(&mut self, front: &mut Front<'_>, back: &mut Back<'_>) -> Result<bool> {
        (**self).in_two(front, back)
    }
    fn extension(&mut self, record: &Extension<'_>) -> Result {
        (**self).extension(record)
    }
    fn flush(&mut self) -> Result {
        (**self).flush()
    }
    fn finish(&mut self, intact: bool) -> Result {
        (**self).finish(intact)
    }
}

/// Which snapshot of a file with several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SnapshotSelector {
    /// The last one.
    #[default]
    Last,
    /// Every one, each after a metadata record `heap.snapshot`.
    All,
    /// This one, counted from 0.
    Number(u64),
}

impl SnapshotSelector {
    /// The chosen indexes out of `count` snapshots.
    pub fn range(self, count: u64) -> Result<std::ops::Range<u64>> {
        match self {
            Self::Last => Ok(count.saturating_sub(1)..count),
            Self::All => Ok(0..count),
            Self::Number(n) if n < count => Ok(n..n + 1),
            Self::Number(n) => Err(Error::refused(match count {
                0 => format!("no snapshot {n}: the file has none"),
                1 => format!("no snapshot {n}: the file has only snapshot 0"),
                _ => format!("no snapshot {n}: the file has 0 to {}", count - 1),
            })),
        }
    }
}
