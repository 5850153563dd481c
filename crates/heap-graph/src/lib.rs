//! Whole-graph work on heap dumps: what keeps what alive, and how much hangs on it.
//!
//! The algorithms know no virtual machine, no record and no file. Nodes are dense 32-bit indexes in the order of
//! the dump, edges carry a [`Class`] that says what they count for, and a [`Policy`] says where the roots are.
//! [`GraphSink`] makes all of this from a record stream or straight from a reader; it is the only part that
//! depends on heap-record.
//!
//! The retained size of each node, from a record stream:
//!
//! ```
//! use heap_graph::{Config, GraphSink, Keep, analyse};
//! use heap_record::{SnapshotSelector, read};
//!
//! let stream = b"\
//! {\"type\":\"metadata\",\"key\":\"heap.root\",\"value\":\"1\"}
//! {\"type\":\"node\",\"subtype\":4,\"identifier\":1,\"heap\":{\"size\":8}}
//! {\"type\":\"node\",\"subtype\":4,\"identifier\":3,\"heap\":{\"size\":16}}
//! {\"type\":\"node\",\"subtype\":4,\"identifier\":5,\"heap\":{\"size\":32}}
//! {\"type\":\"edge\",\"subtype\":1,\"source\":1,\"dest\":3}
//! {\"type\":\"edge\",\"subtype\":1,\"source\":3,\"dest\":5}
//! ";
//! let mut sink = GraphSink::new(Keep::default());
//! read::read(&stream[..], SnapshotSelector::Last, &mut sink)?;
//! let heap = sink.build()?;
//! let config = Config { retained: true, ..Config::default() };
//! let analysis = analyse(heap.graph, &heap.sizes, &heap.policy, config);
//! assert_eq!(analysis.retained[..3], [56, 48, 32]);
//! # Ok::<(), heap_base::Error>(())
//! ```
//!
//! Nothing here recurses, so a linked list of ten million nodes is ordinary. Memory, with N nodes and E edges:
//! a [`Graph`] takes 4·N + 4·E bytes (labels and kinds of edges 5·E more, in memory or in a file, see [`Aside`]), and
//! [`analyse`] consumes it and never holds more than 8·E + 24·N bytes beside the caller's columns; where few edges need
//! evaluation, as in Java's heaps, [`group_sizes`] holds 4·E + 20·N. A V8 snapshot of 1 GB (9.6 million nodes, 43 million
//! edges) takes 0.58 GB in all, reader included; `examples/scale.rs` shows any size. Time is O((N + E) log N) in the worst case
//! and linear in practice.
//!
//! Sums by group of heaps that do not fit, or of more than 2^29 nodes, go through files, and so does what is asked of each
//! node: [`GraphSink::with_limit`] and [`LargeGraph`], 13 bytes a node and room to sort.

mod analyse;
mod aside;
mod builder;
mod column;
mod distance;
mod dominators;
mod ephemerons;
mod every;
mod graph;
mod ids;
mod large;
mod near;
mod outline;
mod owners;
mod paths;
mod reach;
mod retained;
mod rules;
mod sink;
mod sparse;
mod starts;
#[cfg(test)]
mod tests;
mod transpose;
mod words;

pub use analyse::{Analysis, Config, analyse, group_sizes, outline};
pub use aside::Aside;
pub use builder::Builder;
pub use column::Column;
pub use distance::{SYSTEM, distances};
pub use dominators::{Dominators, dominators};
pub use ephemerons::Ephemerons;
pub use every::{EveryPath, every};
pub use graph::{
    Class, Edges, Graph, GraphError, Link, Links, MAX_EDGES, MAX_NODES, NONE, Reverse, read_edges,
};
pub use ids::{IdTable, Ids};
pub use large::{Coded, CodedReader, Cursor, Fact, Facts, FactsReader, LargeGraph};
pub use outline::{Above, Outline, Outlined, Place};
pub use owners::attribute;
pub use paths::{Disjoint, Path, Paths, disjoint};
pub use reach::{backward, forward, reachable};
pub use retained::{DomTree, covered, group_retained, ranges, retained};
pub use rules::{Gate, Policy, Rules, Unreachable};
pub use sink::{GraphSink, Guard, HeapGraph, Keep, Stats};
pub use sparse::Sparse;
