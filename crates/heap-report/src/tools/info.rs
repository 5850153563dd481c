//! Rows of heap-info.

use heap_record::{Fact, Facts, Info};

use crate::{Cell, Column, Error, Layout, Report, Unit};

/// One row for the whole file.
pub fn summary(info: Info) -> Facts {
    let mut facts = vec![("format", Fact::Text(info.format.to_owned()))];
    facts.extend(info.version.map(|v| ("version", Fact::Text(v))));
    facts.extend(info.producer.map(|p| ("producer", Fact::Text(p))));
    if !info.snapshots.is_empty() {
        facts.push(("snapshots", Fact::Int(info.snapshots.len() as i64)));
    }
    facts.extend(info.facts);
    facts
}

/// One row for each snapshot. A format that has just one has a row for the file.
pub fn snapshots(info: &Info) -> Vec<Facts> {
    if info.snapshots.is_empty() && !info.series {
        return vec![std::iter::once(("snapshot", Fact::Int(0))).chain(info.facts.clone()).collect()];
    }
    let numbered = |(number, facts): (usize, &Facts)| {
        let has = facts.iter().any(|(key, _)| *key == "snapshot");
        let number = (!has).then_some(("snapshot", Fact::Int(number as i64)));
        number.into_iter().chain(facts.clone()).collect()
    };
    info.snapshots.iter().enumerate().map(numbered).collect()
}

/// A row for each list of facts, with a column for each key that occurs.
///
/// # Errors
/// `--sort` names no column.
pub fn report(rows: &[Facts], layout: &Layout) -> Result<Report, Error> {
    let mut columns: Vec<Column> = Vec::new();
    for (key, fact) in rows.iter().flatten() {
        let unit = match fact {
            Fact::Int(_) => Unit::Count,
            Fact::Bytes(_) => Unit::Bytes,
            Fact::Text(_) | Fact::Flag(_) => Unit::Text,
        };
        if !columns.iter().any(|c| c.key == *key) {
            columns.push(Column::new(*key, unit));
        }
    }
    let keys: Vec<String> = columns.iter().map(|c| c.key.clone()).collect();
    let mut report = Report::new("heap.info", columns, "", layout)?;
    for row in rows {
        let cell = |key: &String| {
            row.iter().find(|(k, _)| k == key).map_or(Cell::Absent, |(_, fact)| match fact {
                Fact::Int(n) => Cell::Int(*n),
                Fact::Bytes(n) => Cell::Uint(*n),
                Fact::Text(text) => Cell::Text(text.clone()),
                Fact::Flag(b) => Cell::Bool(*b),
            })
        };
        report.row(keys.iter().map(cell).collect());
    }
    Ok(report)
}
