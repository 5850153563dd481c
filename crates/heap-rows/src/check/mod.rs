//! Rows of heap-check.

use heap_cli::report::{Layout, Unit};
use heap_cli::{Cell, Error, Out, Report};
use heap_ops::check::Finding;

use crate::columns;

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
pub fn report(layout: &Layout) -> Result<Report, Error> {
    Report::new("heap.check", columns(COLUMNS), "", layout)
}

/// A row for each finding of one input, with its name where it has one.
pub fn tell(
    findings: Vec<Finding>,
    file: Option<&str>,
    report: &mut Report,
    out: &mut Out,
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
