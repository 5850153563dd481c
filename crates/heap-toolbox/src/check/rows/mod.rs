//! Rows of heap-check.

use crate::check::Finding;
use heap_report::{Cell, Error, Field, Fields, Layout, Output, Report, Unit};

mod tests;

/// What `--sort` takes.
pub(super) const COLUMNS: &[&str] = &heap_report::keys(FIELDS);

/// A finding, and the name of its input where that has one.
struct Row(Finding, Option<String>);

type Column = Field<'static, Row>;

const FIELDS: &[Column; 7] = &[
    Column::new("rule", Unit::Text, |row| row.0.rule.name().into()),
    Column::new("identifier", Unit::Id, identifier),
    Column::new("line", Unit::Count, |row| row.0.line.into()).rank(1),
    Column::new("byte", Unit::Count, |row| row.0.byte.into()).rank(1),
    Column::new("file", Unit::Text, |row| row.1.clone().into()).rank(1),
    Column::new("snapshot", Unit::Text, |row| row.0.snapshot.clone().into()).rank(1),
    Column::new("text", Unit::Text, |row| row.0.text.as_str().into()).sentence(),
];

fn identifier(Row(finding, _): &Row) -> Cell {
    finding.id.zip(finding.number).map(|(id, number)| Cell::Shown(id, format!("@{number}"))).into()
}

/// No rows yet.
///
/// # Errors
/// `--sort` names no column.
pub fn report(layout: &Layout) -> Result<Report, Error> {
    Fields::all(FIELDS).empty("heap.check", "", layout)
}

/// A row for each finding of one input, with its name where it has one.
///
/// # Errors
/// The output fails.
pub fn add(
    findings: Vec<Finding>,
    file: Option<&str>,
    report: &mut Report,
    out: &mut dyn Output,
) -> Result<(), Error> {
    let fields = Fields::all(FIELDS);
    findings.into_iter().try_for_each(|finding| {
        let row = Row(finding, file.map(str::to_owned));
        report.emit(fields.cells(&row), out).map(drop)
    })
}
