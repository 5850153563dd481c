//! Rows of `heap-redact --audit`.

use crate::redact::Audit;
use heap_report::{Cell, Error, Layout, Output, Report, Unit};

use crate::cells::columns;

/// No rows yet, of `several` inputs or of one.
///
/// # Errors
/// `--sort` names no column.
pub fn report(several: bool, layout: &Layout) -> Result<Report, Error> {
    let all = [
        ("file", Unit::Text),
        ("place", Unit::Text),
        ("where", Unit::Text),
        ("finding", Unit::Text),
        ("redacted", Unit::Count),
        ("kept", Unit::Count),
        ("text", Unit::Text),
    ];
    Report::new("heap.audit", columns(all.into_iter().skip(usize::from(!several))), "", layout)
}

/// A row for each place, for each kind of secret that is met there, and for each text that stays; with the name of the
/// file if there are several.
///
/// # Errors
/// The output fails.
pub fn add(
    audit: &Audit,
    file: Option<&Cell>,
    report: &mut Report,
    out: &mut dyn Output,
) -> Result<(), Error> {
    let mut row =
        |cells: [Cell; 6]| report.emit(file.cloned().into_iter().chain(cells).collect(), out).map(drop);
    for (place, finding, counts) in audit.rows() {
        row([
            place.word().into(),
            Cell::Absent,
            finding.map(str::to_owned).into(),
            counts.redacted.into(),
            counts.kept.into(),
            counts.sample.clone().into(),
        ])?;
    }
    for kept in audit.kept() {
        row([
            kept.places().into(),
            kept.spot.into(),
            Cell::Absent,
            Cell::Absent,
            kept.count.into(),
            kept.text.into(),
        ])?;
    }
    Ok(())
}

/// Writes the report with its last row: whether anything stays at all.
///
/// # Errors
/// The output fails.
pub fn end(
    several: bool,
    redacted: u64,
    texts: u64,
    facts: u64,
    table: bool,
    mut report: Report,
    out: &mut dyn Output,
) -> Result<(), Error> {
    let says = match texts {
        0 if facts == 0 => "nothing stays".to_owned(),
        0 => "nothing of the program stays, only facts about the dump".to_owned(),
        1 => "1 text of the program stays".to_owned(),
        _ => format!("{texts} texts of the program stay"),
    };
    let cells =
        ["all".into(), Cell::Absent, Cell::Absent, redacted.into(), (texts + facts).into(), says.into()];
    let row = several.then_some(Cell::Absent).into_iter().chain(cells).collect();
    if table {
        report.total(row);
    } else {
        report.emit(row, out)?;
    }
    report.write(out)
}
