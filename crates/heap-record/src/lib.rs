//! The record stream: the flat form of the portable postmortem heap dump format.
//!
//! Sources drive a [`Sink`] with borrowed records ([`Node`], [`Edge`], …). The stream's own reader is
//! [`read::read`], its canonical writer [`write::Writer`]; readers of dump formats live in sibling crates and
//! know nothing but this one. The format itself is described in heap-records(5).

pub mod batch;
pub mod info;
pub mod model;
pub mod read;
pub mod sink;
pub mod target;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod types;
pub mod wants;
pub mod write;

pub use batch::{EdgeBatch, EdgeSlice, Ends, NodeBatch, PlainEdge, PlainNode};
pub use info::{Fact, Facts, Info};
pub use model::{
    Data, Declaration, Declared, Edge, Extension, FieldKind, Fields, Heap, Line, Metadata, Node, Retains,
    Str, StringId, Value, index_id, index_string, small,
};
pub use sink::{
    Back, Discard, EdgeFilter, Front, NodeEnds, Over, Shard, Sharded, Sink, Skip, SnapshotSelector, each_node,
};
pub use target::{LeftOut, Target};
pub use types::Types;
pub use wants::Wants;
pub use write::Writer;
