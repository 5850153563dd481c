//! The record stream: the flat form of the portable postmortem heap dump format.
//!
//! A source drives a [`Sink`] with borrowed records, nodes and edges in batches. The stream's own reader is
//! [`read::read`], its canonical writer [`Writer`]; readers of dump formats live in sibling crates and know only this
//! crate and heap-base. The format itself is described in heap-records(5).
//!
//! A sink that adds up the sizes of all nodes:
//!
//! ```
//! use heap_base::Result;
//! use heap_record::{NodeBatch, Sink, SnapshotSelector, Wants, read};
//!
//! #[derive(Default)]
//! struct TotalSize(u64);
//!
//! impl Sink for TotalSize {
//!     fn wants(&self) -> Wants {
//!         Wants::NODES
//!     }
//!     fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
//!         self.0 += batch.iter().map(|node| node.heap.size.unwrap_or(0)).sum::<u64>();
//!         Ok(())
//!     }
//! }
//!
//! let stream = b"\
//! {\"type\":\"node\",\"subtype\":4,\"identifier\":1,\"heap\":{\"size\":16}}
//! {\"type\":\"node\",\"subtype\":4,\"identifier\":3,\"heap\":{\"size\":24}}
//! ";
//! let mut total = TotalSize::default();
//! read::read(&stream[..], SnapshotSelector::Last, &mut total)?;
//! assert_eq!(total.0, 40);
//! # Ok::<(), heap_base::Error>(())
//! ```

pub mod batch;
pub mod columns;
pub mod draft;
pub mod head;
pub mod info;
pub mod model;
pub mod numbers;
pub mod read;
pub mod references;
pub mod sink;
pub mod stacks;
pub mod tag;
pub mod target;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod texts;
pub mod types;
pub mod wants;
pub mod write;

pub use batch::{EdgeBatch, EdgeSlice, Ends, NodeBatch, PlainEdge, PlainNode};
pub use head::IdRule;
pub use info::{Fact, Facts, Info};
pub use model::{
    Data, Declaration, Declared, Edge, Extension, FieldKind, Fields, Heap, Line, Metadata, Node, Retains,
    Role, Str, StringId, Value, field, index_id, index_string, small,
};
pub use numbers::NumberMark;
pub use references::References;
pub use sink::{Discard, EdgeFilter, NO_SHARDS, Shard, Sharded, Sink, Skip, SnapshotSelector};
pub use stacks::Stacks;
pub use tag::Tag;
pub use target::{LeftOut, Target};
pub use texts::Texts;
pub use types::Types;
pub use wants::Wants;
pub use write::{END_NOTE, Writer};
