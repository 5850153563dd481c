//! Rows of heap-check.

use crate::check::Finding;
use heap_report::{Cell, Column, Error, Layout, Output, Report, Unit};

use crate::cells::columns;

mod tests;

const COLUMNS: [(&str, Unit); 7] = [
    ("rule", Unit::Text),
    ("identifier", Unit::Id),
    ("line", Unit::Count),
    ("byte", Unit::Count),
    ("file", Unit::Text),
    ("snapshot", Unit::Text),
    ("text", Unit::Text),
];

/// No rows yet.
///
/// # Errors
/// `--sort` names no column.
pub fn report(layout: &Layout) -> Result<Report, Error> {
    let ranked = |column: Column| match column.key.as_str() {
        "text" => column.sentence(),
        "rule" | "identifier" => column,
        _ => column.rank(1),
    };
    Report::new("heap.check", columns(COLUMNS).into_iter().map(ranked).collect(), "", layout)
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
    findings.into_iter().try_for_each(|finding| report.emit(cells(finding, file), out).map(drop))
}

fn cells(finding: Finding, file: Option<&str>) -> Vec<Cell> {
    let Finding { rule, id, number, line, byte, snapshot, text } = finding;
    let id = id.zip(number).map(|(id, number)| Cell::Shown(id, format!("@{number}")));
    vec![
        rule.name().into(),
        id.unwrap_or_default(),
        line.into(),
        byte.into(),
        file.into(),
        snapshot.into(),
        text.into(),
    ]
}
