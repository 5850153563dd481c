//! Rows of heap-trend.

use crate::trend::{Growth, Line, Series, Trend, first, value};
use heap_base::sort_by;
use heap_ops::gate::Gate;
use heap_ops::select::Content;
use heap_ops::select::condition::{Of, Values};

use crate::cells::{cell, name};
use heap_report::{Cell, Column, Error, Layout, Report, Unit};

/// A series as conditions see it.
struct Row<'a> {
    by: &'a [&'a str],
    series: &'a Series,
}

impl Values for Row<'_> {
    fn get(&self, name: &str) -> heap_base::Result<Option<Content>> {
        Ok(match self.by.iter().position(|by| *by == name) {
            Some(at) => self.series.keys.get(at).cloned().flatten(),
            None => value(self.series, name),
        })
    }

    fn base(&self, name: &str, _of: Of) -> Option<f64> {
        first(self.series, name)
    }
}

/// The series that a gate does not let pass; all without one.
fn chosen(trend: &Trend, by: &[&str], gate: Option<&mut Gate>) -> Result<Vec<Series>, Error> {
    let mut series = trend.series();
    if let Some(gate) = gate {
        let mut failed = Vec::new();
        for series in series {
            let lines = [Some(series.line()), series.count_line()];
            if lines.iter().flatten().any(|line| line.ends == (u64::MAX, u64::MAX)) {
                gate.refuse("sums are beyond 2^64 in several dumps: how they differ is not known");
            }
            let row = Row { by, series: &series };
            if !gate.passes(&row, &name(&series.keys), None)? {
                failed.push(series);
            }
        }
        series = failed;
    }
    Ok(series)
}

fn keys(by: &[&str], series: &Series) -> Vec<Cell> {
    let cells = series.keys.iter().map(|key| key.clone().map_or(Cell::Absent, cell));
    cells.take(by.len()).collect()
}

/// A row per group: what there is in the last dump, the change since the first, and the line through all.
///
/// # Errors
/// `--sort` names no column. A condition compares a number with a text.
pub fn series(trend: &Trend, gate: Option<&mut Gate>, layout: &Layout) -> Result<Report, Error> {
    let by: Vec<&str> = trend.columns().collect();
    let chosen = chosen(trend, &by, gate)?;
    let retained = chosen.iter().any(|series| series.retained_line().is_some());
    let mut columns: Vec<_> = by.iter().map(|key| Column::new(*key, Unit::Text)).collect();
    columns.extend([
        Column::new("dumps", Unit::Count).rank(1),
        Column::new("count", Unit::Count),
        Column::new("size", Unit::Bytes),
        Column::new("count_delta", Unit::Change).rank(1),
        Column::new("size_delta", Unit::BytesChange).heading("delta"),
        Column::new("count_slope", Unit::Change).rank(1),
        Column::new("slope", Unit::BytesChange),
        Column::new("fit", Unit::Number),
        Column::new("growth", Unit::Text),
    ]);
    if retained {
        columns.extend([
            Column::new("retained", Unit::Bytes).rank(1),
            Column::new("retained_delta", Unit::BytesChange).rank(1),
            Column::new("retained_slope", Unit::BytesChange).rank(1),
        ]);
    }
    let mut report = Report::new("heap.trend", columns, "slope", layout)?;
    for series in &chosen {
        let (line, count): (Line, Option<Line>) = (series.line(), series.count_line());
        let met = series.totals.iter().filter(|totals| totals.count > 0 || totals.size > 0).count();
        let mut row = keys(&by, series);
        row.extend([
            met.into(),
            count.map(|count| count.ends.1).into(),
            line.ends.1.into(),
            count.map(|count| count.delta()).into(),
            Cell::Int(line.delta()),
            count.and_then(|count| count.slope).into(),
            line.slope.into(),
            line.fit.into(),
            line.growth.map(Growth::name).into(),
        ]);
        if retained {
            let line = series.retained_line();
            row.extend([
                line.map(|line| line.ends.1).into(),
                line.map(|line| line.delta()).into(),
                line.and_then(|line| line.slope).into(),
            ]);
        }
        report.row(row);
    }
    Ok(report)
}

/// A row per group and dump, in the order of the groups' slopes and of the dumps.
///
/// # Errors
/// Those of [`series`].
pub fn points(trend: &Trend, gate: Option<&mut Gate>, layout: &Layout) -> Result<Report, Error> {
    let by: Vec<&str> = trend.columns().collect();
    let (mut chosen, dumps) = (chosen(trend, &by, gate)?, trend.dumps());
    let slope = |series: &Series| series.line().slope.unwrap_or(0.0);
    sort_by(&mut chosen, |a, b| slope(b).total_cmp(&slope(a)));
    let any = |has: fn(&Series, usize) -> bool| chosen.iter().any(|s| (0..s.totals.len()).any(|i| has(s, i)));
    let external = any(|series, i| series.totals[i].external.is_some());
    let retained = any(|series, i| series.totals[i].retained.is_some());
    let snapshots = dumps.iter().any(|dump| dump.snapshot.is_some());
    let mut columns: Vec<_> = by.iter().map(|key| Column::new(*key, Unit::Text)).collect();
    columns.push(Column::new("dump", Unit::Count));
    // A grouping may say it already.
    let files = !by.contains(&"file");
    if files {
        columns.push(Column::new("file", Unit::Text).keeps_end());
    }
    if snapshots {
        columns.push(Column::new("snapshot", Unit::Count));
    }
    columns.extend([Column::new("count", Unit::Count), Column::new("size", Unit::Bytes)]);
    if external {
        columns.push(Column::new("external", Unit::Bytes));
    }
    if retained {
        columns.push(Column::new("retained", Unit::Bytes));
    }
    let mut report = Report::new("heap.trend", columns, "", layout)?;
    for series in &chosen {
        for (&place, totals) in series.dumps.iter().zip(&series.totals) {
            let dump = &dumps[place];
            let mut row = keys(&by, series);
            row.push(dump.number.into());
            if files {
                row.push(dump.file.as_str().into());
            }
            if snapshots {
                row.push(Cell::snapshot(dump.snapshot.as_deref()));
            }
            row.extend([
                if totals.uncounted { Cell::Absent } else { totals.count.into() },
                totals.size.into(),
            ]);
            if external {
                row.push(totals.external.into());
            }
            if retained {
                row.push(totals.retained.into());
            }
            report.row(row);
        }
    }
    Ok(report)
}
