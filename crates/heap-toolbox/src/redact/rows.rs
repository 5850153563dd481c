//! Rows of `heap-redact --audit`.

use crate::redact::Audit;
use heap_report::{Cell, Error, Layout, Report, Unit};

use crate::cells::columns;

/// No rows yet, of `several` inputs or of one.
///
/// # Errors
/// `--sort` names no column.
pub fn report(several: bool, layout: &Layout) -> Result<Report, Error> {
    let all = [
        ("file", Unit::Text),
        ("place", Unit::Text),
        ("finding", Unit::Text),
        ("redacted", Unit::Count),
        ("kept", Unit::Count),
        ("sample", Unit::Text),
    ];
    Report::new("heap.audit", columns(all.into_iter().skip(usize::from(!several))), "", layout)
}

/// A row for each place, and for each kind of secret that is met there; with the name of the file if there are several.
pub fn add(audit: &Audit, file: Option<&Cell>, report: &mut Report) {
    for (place, finding, row) in audit.rows() {
        let cells: [Cell; 5] = [
            place.word().into(),
            finding.map(str::to_owned).into(),
            row.redacted.into(),
            row.kept.into(),
            row.sample.clone().into(),
        ];
        report.row(file.cloned().into_iter().chain(cells).collect());
    }
}
