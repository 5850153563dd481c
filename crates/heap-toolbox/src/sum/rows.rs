//! Rows of heap-sum.

use crate::sum::{Sum, SumValues, Totals};
use heap_devtools::{Built, Group};
use heap_ops::gate::Gate;
use heap_ops::select::Field;
use heap_report::{Cell, Column, Error, Layout, Report, Unit};

use crate::cells::{cell, columns};

/// The summary of Chrome DevTools, a row per class.
///
/// # Errors
/// `--sort` names no column.
pub fn devtools(view: &Built, layout: &Layout) -> Result<Report, Error> {
    let columns = columns([
        ("class", Unit::Text),
        ("key", Unit::Text),
        ("count", Unit::Count),
        ("size", Unit::Bytes),
        ("retained", Unit::Bytes),
        ("distance", Unit::Count),
    ]);
    let mut report = Report::new("heap.sum", columns, "retained", layout)?;
    for Group { key, class, count, size, retained, distance } in view.aggregates() {
        report.row(vec![
            class.into(),
            key.into(),
            count.into(),
            size.into(),
            retained.into(),
            distance.into(),
        ]);
    }
    Ok(report)
}

/// A row per group, with the columns that occur; with a gate, those that it does not let pass.
///
/// # Errors
/// `--sort` names no column. A condition compares a number with a text.
pub fn groups(sum: &Sum, mut gate: Option<&mut Gate>, layout: &Layout) -> Result<Report, Error> {
    let mut rows = sum.rows();
    let sorted = |name: &str| layout.sort.as_deref().is_some_and(|by| by.trim_start_matches('-') == name);
    // Without rows it is the column that would be there.
    let asked = |name: &str| rows.is_empty() && sorted(name);
    let external = asked("external") || rows.iter().any(|row| row.totals.external.is_some());
    if sorted("external") && !external {
        return Err(Error::Usage(Field::new("external").missing()));
    }
    let mut columns: Vec<_> = sum.columns().into_iter().map(|key| Column::new(key, Unit::Text)).collect();
    let keys = columns.len();
    columns.push(Column::new("count", Unit::Count));
    columns.push(Column::new("size", Unit::Bytes));
    if external {
        columns.push(Column::new("external", Unit::Bytes));
    }
    let retained = asked("retained") || rows.iter().any(|row| row.totals.retained.is_some());
    if retained {
        columns.push(Column::new("retained", Unit::Bytes));
    }
    let mut report = Report::new("heap.sum", columns, "size", layout)?;
    let mut total = Totals::default();
    // What groups retain overlaps, so it does not add up.
    for row in &rows {
        total.add(&Totals { retained: None, ..row.totals });
    }
    if let Some(gate) = &mut gate {
        // Findings come in the order of their names.
        rows.sort_by_cached_key(|row| crate::cells::name(&row.keys));
        let (by, mut failed) = (sum.columns(), Vec::new());
        for row in rows {
            let values = SumValues { by: &by, row: &row, total: &total };
            if !gate.passes(&values, &crate::cells::name(&row.keys), None)? {
                failed.push(row);
            }
        }
        rows = failed;
        total = Totals::default();
        for row in &rows {
            total.add(&Totals { retained: None, ..row.totals });
        }
    }
    let cells = |totals: &Totals| {
        let external = external.then(|| Cell::from(totals.external));
        let retained = retained.then(|| Cell::from(totals.retained));
        let count = if totals.uncounted { Cell::Absent } else { totals.count.into() };
        [count, Cell::from(totals.size)].into_iter().chain(external).chain(retained)
    };
    for row in rows {
        let keys = row.keys.into_iter().map(|key| key.map_or(Cell::Absent, cell));
        report.row(keys.chain(cells(&row.totals)).collect());
    }
    let name = |i| if i == 0 { Cell::from("total") } else { Cell::Absent };
    report.total((0..keys).map(name).chain(cells(&total)).collect());
    Ok(report)
}
