//! What the writers of dump formats hold back until a heap is complete.
//!
//! A record stream may have its records in any order, and has identifiers of its own. A dump has them in the order of its
//! format, and has counts in its header. So a writer puts records into [spools](heap_base::Spool), files without a name in
//! `TMPDIR`, and writes the dump at the end. [`Texts`] stores strings, [`Ids`] the nodes' identifiers, [`Links`] the edges,
//! in stream order or by source; each states its memory. [`Head`] is what metadata say, [`BySubtype`] is what a writer knows of subtypes, [`Lost`] counts
//! what it leaves out, and [`Pending`] is the file that it writes, [`HiddenFolder`] where it writes several.

mod head;
mod hidden;
mod ids;
mod links;
mod lost;
mod pending;
mod subtypes;
mod sys;
#[cfg(test)]
mod tests;
mod texts;

pub use head::{Head, too_late};
pub use hidden::HiddenFolder;
pub use ids::Ids;
pub use links::{Link, Links, Sorted};
pub use lost::{Lost, keeps_metadata};
pub use pending::{Pending, PendingWriter};
pub use subtypes::BySubtype;
pub use texts::{Form, Text, Texts, exact};
