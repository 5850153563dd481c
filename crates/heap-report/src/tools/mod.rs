//! The rows of each tool.

pub mod check;
pub mod diff;
pub mod grep;
pub mod info;
pub mod path;
pub mod redact;
pub mod show;
pub mod stack;
pub mod strings;
pub mod sum;
pub mod suspects;
pub mod top;
pub mod tree;

use heap_ops::select::Content;

use crate::{Cell, Column, Unit};

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
