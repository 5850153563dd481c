//! What the writers of dump formats hold back until a heap is complete.
//!
//! A record stream tells strings, nodes, edges and extension records one after the other, in any order if need be,
//! with identifiers of its own. A dump has them in the order of its format, and counts. So a writer puts what
//! it hears into spools, files without a name in `TMPDIR`, and writes the dump at the end:
//! [`Spool`] takes bytes, [`Texts`] strings, [`Ids`] knows the nodes' identifiers, and [`Links`] has the edges,
//! if need be by source. Memory is stated with each. [`BySubtype`] has what a writer knows of subtypes, [`Lost`]
//! what it leaves out, and [`Pending`] is the file that a dump goes to.

mod ids;
mod links;
mod lost;
mod pending;
mod subtypes;
#[cfg(test)]
mod tests;
mod texts;

pub use ids::Ids;
pub use links::{Link, Links, Sorted};
pub use lost::{Lost, keeps_metadata};
pub use pending::Pending;
pub use subtypes::BySubtype;
pub use texts::{Form, Text, Texts, exact};
