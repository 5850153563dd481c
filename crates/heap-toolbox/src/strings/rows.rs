//! Rows of heap-strings.

use crate::strings::DuplicateString;

use heap_ops::place::spell;
use heap_report::{Cell, Column, Error, Layout, Report, Unit};

/// A row for each text.
///
/// # Errors
/// `--sort` names no column.
pub fn report(strings: &[DuplicateString], layout: &Layout) -> Result<Report, Error> {
    let snapshots = strings.iter().any(|row| row.snapshot.is_some());
    let files = strings.iter().any(|row| row.file.is_some());
    let all = [
        ("file", Unit::Text),
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
    let owners = strings.iter().any(|row| row.owner.is_some());
    let shown = |key: &str| match key {
        "file" => files,
        "snapshot" => snapshots,
        "held_by" => owners,
        _ => true,
    };
    let column = |&(key, unit): &(&str, Unit)| match key {
        "size" | "length" | "cut" => Column::new(key, unit).rank(1),
        "file" | "held_by" => Column::new(key, unit).keeps_end(),
        _ => Column::new(key, unit),
    };
    let columns = all.iter().filter(|(key, _)| shown(key)).map(column).collect();
    let chosen = |cells: Vec<Cell>| -> Vec<Cell> {
        cells.into_iter().zip(&all).filter(|(_, (key, _))| shown(key)).map(|(cell, _)| cell).collect()
    };
    let mut report = Report::new("heap.strings", columns, "wasted", layout)?;
    let (mut count, mut size, mut wasted) = (0u64, 0u64, 0u64);
    for row in strings {
        count += row.count;
        size = size.saturating_add(row.size);
        wasted = wasted.saturating_add(row.wasted);
        report.row(chosen(vec![
            row.file.clone().into(),
            Cell::snapshot(row.snapshot.as_deref()),
            row.count.into(),
            row.size.into(),
            row.wasted.into(),
            row.length.into(),
            row.cut.map_or_else(|| "maybe".into(), Cell::from),
            Cell::Shown(row.first, format!("@{}", row.number)),
            row.text.as_str().into(),
            row.owner.as_ref().map_or(Cell::Absent, |owner| {
                Cell::Text(format!("{}{}", owner.class, spell::named(&owner.label, owner.role)))
            }),
        ]));
    }
    let mut total = vec![Cell::Absent; all.len()];
    (total[2], total[3], total[4]) = (count.into(), size.into(), wasted.into());
    total[8] = "total".into();
    report.total(chosen(total));
    Ok(report)
}
