//! Pictures of a heap: one page that holds everything and needs nothing, or a still picture.
//!
//! [`page`] writes HTML with its own style and script (`assets/`) and the figures as JSON. [`svg`] writes a treemap or a
//! flame graph. Both take what `crate::view` has worked out; nothing here reads a dump. The script lays cells
//! out as [`layout`] does, because it does so again whenever somebody zooms.
//!
//! Texts of the heap are data: JSON in which `<` is an escape, text nodes in the page, escaped text in pictures. The
//! page's content security policy allows this style and this script by their hashes, and no request at all.

mod data;
pub mod layout;
mod page;
mod svg;
#[cfg(test)]
mod tests;

pub use heap_spool::Pending;
pub use page::page;
pub use svg::{Picture, svg};

use crate::view::{Growth, HeapView};

/// A dump that a page is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dump {
    /// What people call it: its file.
    pub name: String,
    /// The format.
    pub format: String,
    /// Who wrote it; empty if that is not known.
    pub producer: String,
    /// What else is known of it: when it was written, of which process.
    pub facts: Vec<String>,
    /// What is wrong with it; then only the part before that is shown.
    pub damage: Option<String>,
}

/// What a page shows.
#[derive(Debug)]
pub struct Contents<'a> {
    /// The dumps, in the order of time. All but growth is about the last.
    pub dumps: &'a [Dump],
    /// The last dump.
    pub view: &'a HeapView,
    /// Classes over all dumps; none if there is one dump.
    pub growth: &'a [Growth],
}
