//! What report tools show: the columns and rows of results that heap-ops and heap-devtools give. A result knows nothing
//! of tables, and [`heap_cli::Report`] nothing of heaps; here they meet.

pub mod check;
pub mod diff;
pub mod grep;
pub mod path;
pub mod redact;
pub mod sum;
pub mod tree;

use heap_cli::report::Unit;
use heap_cli::{Cell, Column};
use heap_ops::field::Content;

fn columns<'a>(columns: impl IntoIterator<Item = (&'a str, Unit)>) -> Vec<Column> {
    columns.into_iter().map(|(key, unit)| Column::new(key, unit)).collect()
}

fn cell(content: Content) -> Cell {
    match content {
        Content::Int(n) => i64::try_from(n).map_or_else(|_| Cell::Uint(n as u64), Cell::Int),
        Content::Float(x) => Cell::Float(x),
        Content::Text(text) => Cell::Text(text),
        Content::Bool(b) => Cell::Bool(b),
    }
}
