//! Writes heaps for the programs that people have: folded stacks and profiles for flame graphs, Graphviz and GraphML for
//! drawings of a piece, CSV for spreadsheets and databases.
//!
//! [`StackWriter`] needs the whole graph, because a stack is a path of the dominator tree. [`csv`], [`dot`] and [`graphml`] write
//! records as they come, with names in place of numbers, and hold the stream's strings only.

mod csv;
mod dot;
mod folded;
mod graphml;
mod lines;
mod pprof;
mod stack_writer;
mod stacks;
#[cfg(test)]
mod tests;

use std::io::Write;

use heap_record::Target;

pub use csv::Table;
pub use stack_writer::{Form as StackForm, StackWriter};
pub use stacks::Config as StackConfig;

/// A writer of nodes or edges as CSV.
pub fn csv<'a>(out: impl Write + 'a, table: Table) -> Box<dyn Target + 'a> {
    Box::new(lines::LineWriter::new(out, csv::Csv::new(table)))
}

/// A writer of a graph in the language of Graphviz.
pub fn dot<'a>(out: impl Write + 'a) -> Box<dyn Target + 'a> {
    Box::new(lines::LineWriter::new(out, dot::Dot))
}

/// A writer of a graph as GraphML.
pub fn graphml<'a>(out: impl Write + 'a) -> Box<dyn Target + 'a> {
    Box::new(lines::LineWriter::new(out, graphml::GraphMl))
}
