//! What heap-cat does to a stream: leaves record types out, adds tags.

mod only;
mod options;
mod tags;

pub use only::{Only, OnlySink};
pub use options::TOOL;
pub use tags::Tagged;
