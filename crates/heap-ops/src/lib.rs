//! What the tools share when they work on records.
//!
//! - [`report`]: the trait that a report implements which goes through its input once, and what feeds it.
//! - [`select`]: which nodes a tool works on.
//! - [`stream`]: what tools know of a stream: declarations, strings, identifiers, deferred records.
//! - [`gate`]: rows that must not be, for continuous integration.
//! - [`graph`]: the graph of a stream with its names, for tools that need all of it; [`labels`] of its edges.
//! - [`place`]: where objects hang in the program, and how that is spelt.
//! - [`series`]: several dumps of one process.
//! - [`tree`]: trees with cumulative sizes.
//!
//! A transform takes records and passes records on to another sink; a report takes records and has rows afterwards.
//! All of them give the right answer in any order of records. Work in one pass needs memory for the stream's strings,
//! not for its nodes and edges. Nothing here knows a virtual machine or a command line.

pub mod gate;
pub mod graph;
pub mod labels;
pub mod place;
pub mod report;
pub mod select;
pub mod series;
pub mod stream;
pub mod tree;

pub use report::{OnePass, Report};
