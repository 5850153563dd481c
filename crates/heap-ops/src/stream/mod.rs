//! What the tools know of a record stream: its declarations and strings, sets of identifiers, and the records that came
//! before what they refer to.

mod annotated;
pub mod cells;
pub mod context;
pub mod deferred;
pub mod id_set;
mod refers;
pub mod ropes;
pub mod roster;
pub mod stacks;
pub mod strings;

pub use annotated::Annotated;
pub use context::{Begins, Context};
pub use deferred::{Deferred, TakeDeferred};
pub use id_set::IdSet;
pub use refers::References;
pub use refers::{Owner, refers};
pub use ropes::Ropes;
pub use strings::{Strings, may_be_cut, units};
