//! What the tools share when they work on records.
//!
//! - [`report`]: the trait that a report implements which goes through its input once, and what feeds it.
//! - [`select`]: which nodes a tool works on.
//! - [`stream`]: what tools know of a stream: declarations, strings, identifiers, deferred records.
//! - [`gate`]: rows that must not be, for continuous integration.
//! - [`graph`]: the graph of a stream with its names, for tools that need all of it; [`labels`] of its edges.
//! - [`parts`]: several heaps of one process.
//! - [`place`]: where objects hang in the program, and how that is spelt.
//! - [`series`]: several dumps of one process.
//! - [`tree`]: trees with cumulative sizes.
//!
//! A transform takes records and passes records on to another sink; a report takes records and has rows afterwards.
//!
//! ```
//! use heap_base::Result;
//! use heap_ops::select::{Selection, Selector, field};
//! use heap_ops::{OnePass, Report};
//! use heap_record::{Node, Sink, SnapshotSelector, Wants};
//!
//! /// The largest object that is selected.
//! #[derive(Default)]
//! struct Largest(u64, String);
//!
//! impl Report for Largest {
//!     fn wants(&self, _: &Selection) -> Wants {
//!         Wants::ALL
//!     }
//!     fn begin_stream(&mut self) {}
//!     fn fold(&mut self, node: &Node<'_>, _: u32, selector: &mut Selector) -> Result {
//!         let size = node.heap.size.unwrap_or(0);
//!         if selector.selects(node)? && size > self.0 {
//!             let context = &selector.context;
//!             *self = Self(size, field::type_name(node, &context.types, &context.strings)?);
//!         }
//!         Ok(())
//!     }
//!     fn end_snapshot(&mut self, _: &mut Selector) -> Result {
//!         Ok(())
//!     }
//! }
//!
//! let stream = r#"{"type":"string","stringid":0,"data":"Session"}
//! {"type":"node","subtype":3,"identifier":1,"heap":{"class":0,"size":64}}
//! {"type":"node","subtype":3,"identifier":3,"heap":{"class":0,"size":96}}
//! {"type":"node","subtype":4,"identifier":5,"heap":{"size":4096}}
//! "#;
//! let mut selection = Selection::default();
//! selection.flag("class", "Session")?;
//! let mut report = OnePass::new(Largest::default(), selection);
//! heap_record::read::read(stream.as_bytes(), SnapshotSelector::Last, &mut report)?;
//! report.finish(true)?;
//! let Largest(size, class) = report.report();
//! assert_eq!((*size, &**class), (96, "Session"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! All of them give the right answer in any order of records. Work in one pass needs memory for the stream's strings,
//! not for its nodes and edges. Nothing here knows a virtual machine or a command line.

pub mod gate;
pub mod graph;
pub mod labels;
pub mod parts;
pub mod place;
pub mod report;
pub mod select;
pub mod series;
pub mod stream;
pub mod tree;

pub use report::{OnePass, Report};
