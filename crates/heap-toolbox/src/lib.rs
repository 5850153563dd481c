//! The tools, one folder each: what a tool does with records, the columns and rows of its report (`rows`), and the table
//! of its options with the function that runs it (`options`).
//!
//! `bin/heap-tools/` calls [`heap_cli::run`] with one of [`TOOLS`].

mod cells;
pub mod label;
mod tests;

pub mod cat;
pub mod check;
pub mod diff;
pub mod dom;
pub mod dump;
pub mod filter;
pub mod grep;
pub mod info;
mod memory;
pub mod names;
pub mod path;
pub mod redact;
pub mod show;
pub mod strings;
pub mod sum;
pub mod suspects;
pub mod to;
pub mod top;
pub mod tree;
pub mod trend;
pub mod view;
pub mod walk;

use heap_cli::Tool;

/// All tools, in the order of their names.
pub const TOOLS: &[&Tool] = &[
    &cat::TOOL,
    &check::TOOL,
    &diff::TOOL,
    &dom::TOOL,
    &dump::TOOL,
    &filter::TOOL,
    &grep::TOOL,
    &info::TOOL,
    &names::TOOL,
    &path::TOOL,
    &redact::TOOL,
    &show::TOOL,
    &strings::TOOL,
    &sum::TOOL,
    &suspects::TOOL,
    &to::TOOL,
    &top::TOOL,
    &tree::TOOL,
    &trend::TOOL,
    &view::TOOL,
    &walk::TOOL,
];
