//! Reports: what the tools show, and how it is written.
//!
//! A [`Report`] is rows of [`Cell`]s in [`Column`]s, written as a [`Layout`] says: as a table for people, as JSON, CSV or
//! TSV for programs. A tool lists its columns as [`Field`]s, each with what fills it. [`gate`] writes what a gate found for
//! continuous integration. A [`Report`] knows nothing of heaps; heap-toolbox has the columns and rows of each tool.

mod cell;
mod error;
mod field;
pub mod gate;
mod layout;
mod report;
mod sort;
mod table;
#[cfg(test)]
mod tests;
pub mod text;

pub use cell::{Cell, Column, Unit};
pub use error::Error;
pub use field::{Field, Fields, keys};
pub use layout::{Color, Format, Layout, Screen};
pub use report::{Output, Report};
