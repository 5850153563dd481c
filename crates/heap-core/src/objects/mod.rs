//! Objects: what they are, what they are called, and what they refer to.

mod buffers;
mod classes;
mod code;
mod elements;
mod errors;
mod handles;
mod kinds;
mod known;
mod offsets;
mod properties;
mod references;
mod scopes;
mod text;

pub(crate) use classes::{NameId, Names};
pub(crate) use code::{Code, CodeOffsets, Compiler};
pub(crate) use handles::{WRAPPERS, Wrapper};
pub(crate) use kinds::{Kind, native_context};
pub(crate) use known::{Known, Nothing};
pub(crate) use offsets::Offsets;
pub(crate) use properties::Property;
pub(crate) use references::{Label, Link, Reference, Target};
pub(crate) use scopes::Scope;
pub(crate) use text::Shape;

/// How many scopes and layouts of maps are kept at a time.
const MOST_CACHED: usize = 1 << 14;
