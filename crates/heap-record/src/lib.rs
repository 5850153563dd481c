//! The record stream: the flat form of the portable postmortem heap dump format.
//!
//! Sources drive a [`Sink`] with borrowed records ([`Node`], [`Edge`], …). The stream's own reader is
//! [`read::read`], its canonical writer [`write::Writer`]; readers of dump formats live in sibling crates and
//! know nothing but this one. The format itself is described in heap-records(5).

pub mod blob;
mod both;
pub mod cut;
pub mod error;
pub mod info;
pub mod json;
pub mod model;
pub mod read;
pub mod sink;
pub mod target;
pub mod types;
pub mod write;

pub use blob::Blob;
pub use both::{Parts, both};
pub use cut::Cut;
pub use error::{Error, Place, Result};
pub use info::{Fact, Facts, Info};
pub use json::{Members, member};
pub use model::{
    Data, Declaration, Edge, Ends, FieldKind, Fields, Heap, Line, Metadata, Node, Other, PlainEdge,
    PlainNode, Retains, Str, StringId, Value, index_id, index_string, small,
};
pub use sink::{Back, Folds, Front, Nothing, Over, Pick, Sink, Wants, each_node};
pub use target::{LeftOut, Target};
pub use types::Types;
pub use write::Writer;
