//! Trees with cumulative sizes: dominators, backtraces and types, broken down by one or two axes: heap-tree.
//!
//! [`TreeLoader`] takes records and makes a [`Table`]: positions of a tree (backtraces, or dominators with siblings of
//! one type merged) × types, with the cumulative bytes and objects of every cell. [`walk`] goes over the cells
//! from the top and breaks down those that a [`Cutoff`] lets through, as the heap dump proposal of Chromium's
//! memory-infra has it: by position always, by type while the type is open.
//!
//! Memory: a [`Table`] needs up to 28 bytes a position and 24 for each pair of a position and a type with bytes of
//! its own there; cumulative cells are not stored but are differences of prefix sums over the positions in
//! preorder. Building it from a graph takes what `heap_graph` needs plus 20 bytes a node. Nothing recurses.

mod build;
mod dom;
mod frames;
mod load;
mod options;
mod stacks;
mod table;
mod tests;
mod walk;

pub use heap_base::Cutoff;
pub use load::{Axis, TableSpec, TreeLoader};
pub use options::{Axes, Plan, TreeOptions};
pub use table::{Table, Value};
pub use walk::{Line, Step, View, walk};
