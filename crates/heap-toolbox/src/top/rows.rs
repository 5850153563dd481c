//! Rows of heap-top.

use crate::top::TopNode;
use heap_ops::place::Source;
use heap_record::Heap;

use heap_report::{Cell, Column, Error, Layout, Report, Unit};

/// A row for each of the largest nodes by `key`, with the columns that occur. In a `table` the name of a function says where
/// it stands.
///
/// # Errors
/// `--sort` names no column.
pub fn report(rows: &[TopNode], key: &str, table: bool, layout: &Layout) -> Result<Report, Error> {
    let snapshots = rows.iter().any(|row| row.snapshot.is_some());
    let known = |has: fn(&Heap<'_>) -> bool| rows.iter().any(|row| has(&row.heap));
    let key = key.strip_prefix("heap.").unwrap_or(key);
    let extra = !matches!(key, "size" | "external" | "count" | "retained");
    let optional = [
        (rows.iter().any(|row| row.file.is_some()), "file", Unit::Text),
        (snapshots, "snapshot", Unit::Text),
        (true, "identifier", Unit::Id),
        (true, "subtype", Unit::Text),
        (true, "class", Unit::Text),
        (rows.iter().any(|row| row.name.is_some()), "name", Unit::Text),
        (!table && rows.iter().any(|row| row.source.is_some()), "location", Unit::Text),
        (true, "size", Unit::Bytes),
        (known(|h| h.external.is_some()), "external", Unit::Bytes),
        (known(|h| h.count.is_some()), "count", Unit::Count),
        (known(|h| h.retained.is_some()), "retained", Unit::Bytes),
        (extra, key, Unit::Number),
        (rows.iter().any(|row| row.held_by.is_some()), "held_by", Unit::Text),
    ];
    let column = |&(_, key, unit): &(bool, &str, Unit)| match key {
        "subtype" => Column::new(key, unit).rank(1),
        "file" | "held_by" => Column::new(key, unit).keeps_end(),
        _ => Column::new(key, unit),
    };
    let columns = optional.iter().filter(|o| o.0).map(column).collect();
    let mut report = Report::new("heap.top", columns, "", layout)?;
    for row in rows {
        let cells = [
            row.file.clone().into(),
            Cell::snapshot(row.snapshot.as_deref()),
            Cell::Shown(row.id, format!("@{}", row.number)),
            Cell::from(row.subtype.as_str()),
            Cell::from(row.class.as_str()),
            match &row.source {
                Some(source) if table => source.short().into(),
                _ => row.name.clone().into(),
            },
            row.source.as_ref().map(Source::whole).into(),
            Cell::from(row.heap.size),
            Cell::from(row.heap.external),
            Cell::from(row.heap.count),
            Cell::from(row.heap.retained),
            number(row.key),
            row.held_by.clone().into(),
        ];
        report.row(cells.into_iter().zip(&optional).filter(|(_, o)| o.0).map(|(cell, _)| cell).collect());
    }
    Ok(report)
}

/// A whole number as such.
fn number(x: f64) -> Cell {
    if x.fract() == 0.0 && x.abs() < 2_f64.powi(53) { Cell::Int(x as i64) } else { Cell::Float(x) }
}
