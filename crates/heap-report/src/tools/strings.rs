//! Rows of heap-strings.

use heap_ops::tools::strings::DuplicateString;

use super::label::edge;
use crate::{Cell, Column, Error, Layout, Report, Unit};

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
        ("held_by", Unit::Text),
    ];
    let from = usize::from(!snapshots);
    let owners = strings.iter().any(|row| row.owner.is_some());
    let to = all.len() - usize::from(!owners);
    let column = |&(key, unit): &(&str, Unit)| match key {
        "size" | "length" | "cut" => Column::new(key, unit).rank(1),
        "held_by" => Column::new(key, unit).keeps_end(),
        _ => Column::new(key, unit),
    };
    let columns = all[from..to].iter().map(column).collect();
    let mut report = Report::new("heap.strings", columns, "wasted", layout)?;
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
            row.owner.as_ref().map_or(Cell::Absent, |owner| {
                Cell::Text(format!("{}{}", owner.class, edge(Some(&owner.label), &owner.kind)))
            }),
        ];
        report.row(cells.into_iter().take(to).skip(from).collect());
    }
    let mut total = vec![Cell::Absent; all.len()];
    (total[1], total[2], total[3]) = (count.into(), size.into(), wasted.into());
    total[7] = "total".into();
    report.total(total.into_iter().take(to).skip(from).collect());
    Ok(report)
}
