//! Rows of heap-top.

use crate::cells::cell;
use crate::top::TopNode;
use heap_ops::place::Source;
use heap_ops::select::Content;
use heap_ops::select::condition::Number;

use heap_report::{Cell, Error, Field, Fields, Layout, Report, Unit};

/// What `--sort` takes.
pub(super) const COLUMNS: &[&str] = &heap_report::keys(FIELDS);

type Column<'a> = Field<'a, TopNode>;

const FIELDS: &[Column<'_>; 12] = &[
    Column::new("file", Unit::Text, |row| row.file.clone().into()).optional().keeps_end(),
    Column::new("snapshot", Unit::Text, |row| Cell::snapshot(row.snapshot.as_deref())).optional(),
    Column::new("identifier", Unit::Id, |row| Cell::Shown(row.id, format!("@{}", row.number))),
    Column::new("subtype", Unit::Text, |row| row.subtype.as_str().into()).rank(1),
    Column::new("class", Unit::Text, |row| row.class.as_str().into()),
    Column::new("name", Unit::Text, |row| row.name.clone().into()).optional(),
    Column::new("location", Unit::Text, |row| row.source.as_ref().map(Source::whole).into()).optional(),
    Column::new("size", Unit::Bytes, |row| row.heap.size.into()),
    Column::new("external", Unit::Bytes, |row| row.heap.external.into()).optional(),
    Column::new("count", Unit::Count, |row| row.heap.count.into()).optional(),
    Column::new("retained", Unit::Bytes, |row| row.heap.retained.into()).optional(),
    Column::new("held_by", Unit::Text, |row| row.held_by.clone().into()).optional().keeps_end(),
];

/// A row for each of the largest nodes by `key`, with the columns that occur. In a `table` the name of a function says where
/// it stands.
///
/// # Errors
/// `--sort` names no column.
pub fn report(mut rows: Vec<TopNode>, key: &str, table: bool, layout: &Layout) -> Result<Report, Error> {
    if table {
        for row in &mut rows {
            row.name = row.source.take().map(|source| source.short()).or(row.name.take());
        }
    }
    let key = key.strip_prefix("heap.").unwrap_or(key);
    let mut fields = FIELDS.to_vec();
    if !matches!(key, "size" | "external" | "count" | "retained") {
        fields.insert(fields.len() - 1, Column::new(key, Unit::Number, |row| number(row.key)));
    }
    Fields::met(&fields, &rows).report("heap.top", &rows, "", layout)
}

/// A whole number as such.
fn number(key: Number) -> Cell {
    match key {
        Number::Int(n) => cell(Content::Int(n)),
        Number::Float(x) if x.fract() == 0.0 && x.abs() < 2_f64.powi(53) => Cell::Int(x as i64),
        Number::Float(x) => Cell::Float(x),
    }
}
