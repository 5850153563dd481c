//! V8 snapshots as Chrome DevTools shows them: the figures of its summary and comparison views, exactly.
//!
//! DevTools does not show a snapshot as it is. It moves the sizes of backing stores to the objects that own
//! them, spreads what the embedder says of detached DOM nodes, cuts markup down to `<div>`, names plain objects
//! after their properties (`{name, balance}`), keeps classes of one name apart by where their source stands, and
//! leaves out what has no size after all that. The rules are those of `HeapSnapshot.ts` in its front end, as of
//! 2026. The graph rules (what retains what, distances) are heap-graph's own; this crate adds the rest, out of a
//! record stream in any order, and knows no files.
//!
//! [`View`] takes the records of one snapshot. [`View::build`] gives everything, [`View::group`] what a
//! [`compare`] needs, [`View::heap`] the graph with the sizes moved and no more.
//!
//! Memory, with N nodes and E edges: 8·E + 24·N bytes for the dominators and 24·N beside them; names of properties
//! and classes; 20 bytes for each string and 40 for each location. Strings beyond 64 MiB go to a temporary file.
//! A snapshot of 1 GB (9.6 million nodes, 43 million edges) takes 0.67 GB in all, reader included.

mod classes;
mod compare;
mod detached;
mod group;
mod interfaces;
mod roles;
#[cfg(test)]
mod tests;
mod view;

pub use compare::{ComparisonRow, compare};
pub use group::{Built, Group, Grouped, NO_DISTANCE};
pub use interfaces::{Interface, Interfaces};
pub use view::View;
