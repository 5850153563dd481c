//! Rows of heap-strings.

use heap_ops::tools::strings::DuplicateString;

use super::columns;
use crate::{Cell, Error, Layout, Report, Unit};

/// A row for each text.
///
/// # Errors
/// `--sort` names no column.
pub fn report(strings: &[DuplicateString], layout: &Layout) -> Result<Report, Error> {
    let snapshots = strings.iter().any(|row| row.snapshot.is_some());
    let all = [
        ("snapshot", Unit::Text),
        ("count", Unit::Count),
        ("size", Unit::Bytes),
        ("wasted", Unit::Bytes),
        ("length", Unit::Count),
        ("cut", Unit::Text),
        ("first", Unit::Id),
        ("text", Unit::Text),
    ];
    let from = usize::from(!snapshots);
    let mut report = Report::new("heap.strings", columns(all.into_iter().skip(from)), "wasted", layout)?;
    let (mut count, mut size, mut wasted) = (0u64, 0u64, 0u64);
    for row in strings {
        count += row.count;
        size = size.saturating_add(row.size);
        wasted = wasted.saturating_add(row.wasted);
        let cells = [
            Cell::snapshot(row.snapshot.as_deref()),
            row.count.into(),
            row.size.into(),
            row.wasted.into(),
            row.length.into(),
            row.cut.map_or_else(|| "maybe".into(), Cell::from),
            Cell::Shown(row.first, format!("@{}", row.number)),
            row.text.as_str().into(),
        ];
        report.row(cells.into_iter().skip(from).collect());
    }
    let mut total = vec![Cell::Absent; all.len()];
    (total[1], total[2], total[3]) = (count.into(), size.into(), wasted.into());
    total[7] = "total".into();
    report.total(total.into_iter().skip(from).collect());
    Ok(report)
}
