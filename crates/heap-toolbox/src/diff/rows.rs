//! Rows of heap-diff.

use heap_base::Plus;

use crate::diff::{ChangeColumns, ClassChange, Diff, RowFilter};
use heap_devtools::Grouped;
use heap_ops::gate::Gate;
use heap_ops::select::Content;
use heap_ops::select::condition::{Of, Values};
use heap_report::{Cell, Column, Error, Layout, Report, Unit};

/// The comparison of Chrome DevTools, a row per class.
///
/// # Errors
/// `--sort` names no column. Or the identifiers of the snapshots hold in one snapshot only.
pub fn devtools(base: &Grouped, new: &Grouped, layout: &Layout) -> Result<Report, Error> {
    let columns = crate::cells::columns([
        ("class", Unit::Text),
        ("key", Unit::Text),
        ("added", Unit::Count),
        ("removed", Unit::Count),
        ("added_size", Unit::Bytes),
        ("removed_size", Unit::Bytes),
    ]);
    let mut report = Report::new("heap.diff", columns, "added_size", layout)?;
    for row in heap_devtools::compare(base, new)? {
        let numbers = [row.added, row.removed, row.added_size, row.removed_size].map(Cell::Uint);
        report.row([row.class.into(), row.key.into()].into_iter().chain(numbers).collect());
    }
    Ok(report)
}

/// What a row has in a column.
type Value = Box<dyn Fn(&ClassChange) -> Option<i64>>;

/// A sum as far as a column goes: one beyond 2^63 is at least that, which the report says. So no difference wraps.
fn signed(sum: u64) -> i64 {
    i64::try_from(sum).unwrap_or(i64::MAX)
}

/// The columns: key, unit and what a row has there.
fn columns(diff: &Diff, files: usize) -> Vec<(String, Unit, Value)> {
    let last = files - 1;
    let mut columns = Vec::new();
    let mut add = |key: String, unit, value: Value| columns.push((key, unit, value));
    let count = |r: &ClassChange, i: usize| (!r.totals[i].uncounted).then_some(signed(r.totals[i].count));
    let place = move |i: usize| match i {
        0 => "before".to_owned(),
        i if i == last => "after".to_owned(),
        i => (i + 1).to_string(),
    };
    for i in 0..files {
        add(format!("count_{}", place(i)), Unit::Count, Box::new(move |r| count(r, i)));
    }
    add(
        "count_delta".into(),
        Unit::Change,
        Box::new(move |r| Some(count(r, last)?.saturating_sub(count(r, 0)?))),
    );
    for i in 0..files {
        add(format!("size_{}", place(i)), Unit::Bytes, Box::new(move |r| Some(signed(r.totals[i].size))));
    }
    let size_delta = move |r: &ClassChange| Some(signed(r.totals[last].size) - signed(r.totals[0].size));
    add("size_delta".into(), Unit::BytesChange, Box::new(size_delta));
    if diff.retained {
        for i in 0..files {
            add(
                format!("retained_{}", place(i)),
                Unit::Bytes,
                Box::new(move |r| Some(signed(r.retained[i]))),
            );
        }
        let delta = move |r: &ClassChange| Some(signed(r.retained[last]) - signed(r.retained[0]));
        add("retained_delta".into(), Unit::BytesChange, Box::new(delta));
    }
    if diff.by_identity {
        add("new".into(), Unit::Count, Box::new(|r| Some(signed(r.new.count))));
        add("gone".into(), Unit::Count, Box::new(|r| Some(signed(r.gone.count))));
        add("kept".into(), Unit::Count, Box::new(|r| Some(signed(r.kept.count))));
        add("new_size".into(), Unit::Bytes, Box::new(|r| Some(signed(r.new.size))));
        add("gone_size".into(), Unit::Bytes, Box::new(|r| Some(signed(r.gone.size))));
        if files > 2 {
            add("leaked".into(), Unit::Count, Box::new(|r| Some(signed(r.leaked.count))));
            add("leaked_size".into(), Unit::Bytes, Box::new(|r| Some(signed(r.leaked.size))));
        }
        if diff.retained {
            add("new_retained".into(), Unit::Bytes, Box::new(|r| Some(signed(r.new_retained))));
            if files > 2 {
                add("leaked_retained".into(), Unit::Bytes, Box::new(|r| Some(signed(r.leaked_retained))));
            }
        }
    }
    columns
}

/// A row as conditions see it.
struct Change<'a> {
    row: &'a ClassChange,
    /// The name of what nodes are counted by.
    by: &'a str,
    columns: &'a [(String, Unit, Value)],
    totals: &'a [Option<i64>],
}

impl Change<'_> {
    fn number(&self, name: &str) -> Option<i64> {
        let (total, name) = name.strip_prefix("total.").map_or((false, name), |name| (true, name));
        let at = self.columns.iter().position(|c| c.0 == name)?;
        if total { self.totals[at] } else { (self.columns[at].2)(self.row) }
    }
}

impl Values for Change<'_> {
    fn get(&self, name: &str) -> heap_base::Result<Option<Content>> {
        Ok(match name {
            _ if name == self.by => Some(Content::Text(self.row.class.clone())),
            _ => self.number(name).map(|n| Content::Int(n.into())),
        })
    }

    fn base(&self, name: &str, of: Of) -> Option<f64> {
        let column = match of {
            Of::Before => ChangeColumns::before(name)?.to_owned(),
            Of::Total => format!("total.{}", ChangeColumns::before(name).unwrap_or(name)),
        };
        self.number(&column).map(|n| n as f64)
    }
}

/// A row per class of `files` files; with a gate, those that it does not let pass.
///
/// # Errors
/// `--sort` or a condition names no column.
pub fn classes(
    diff: &Diff,
    files: usize,
    shown: RowFilter,
    mut gate: Option<&mut Gate>,
    layout: &Layout,
) -> Result<Report, Error> {
    let columns = columns(diff, files);
    let names: Vec<&str> =
        std::iter::once(diff.by.name()).chain(columns.iter().map(|c| c.0.as_str())).collect();
    let is_known = |name: &str| names.contains(&name.strip_prefix("total.").unwrap_or(name));
    if let Some(gate) = &gate
        && let Some(name) = gate.condition().names().find(|name| !is_known(name))
    {
        return Err(Error::Usage(format!("--fail-on: no column '{name}': {}", names.join(", "))));
    }
    let add = |sum: Option<i64>, n: Option<i64>| sum.zip(n).map(|(sum, n)| sum.plus(n));
    let totals: Vec<Option<i64>> = columns
        .iter()
        .map(|c| diff.rows.iter().try_fold(0i64, |sum, row| add(Some(sum), (c.2)(row))))
        .collect();
    let class = Column::new(diff.by.name(), Unit::Text);
    let leaked = shown == RowFilter::Leaked;
    let column = |c: &(String, Unit, Value)| {
        let column = Column::new(c.0.as_str(), c.1);
        match c.0.as_str() {
            "count_before" | "count_after" if leaked && diff.retained => column.rank(1),
            "count_before" => column.heading("before"),
            "count_after" => column.heading("after"),
            "count_delta" => column.heading("delta"),
            "size_delta" => column,
            "leaked" | "leaked_size" | "leaked_retained" if leaked => column,
            "retained_delta" if !leaked => column,
            _ => column.rank(1),
        }
    };
    let all = std::iter::once(class).chain(columns.iter().map(column)).collect();
    let sort = match (leaked, diff.retained) {
        (true, true) => "leaked_retained",
        (true, false) => "leaked_size",
        (false, _) => "size_delta",
    };
    let mut report = Report::new("heap.diff", all, sort, layout)?;
    let cell = |n: Option<i64>| n.map_or(Cell::Absent, Cell::Int);
    for row in &diff.rows {
        let changed = row.totals.iter().any(|t| *t != row.totals[0])
            || row.retained.iter().any(|bytes| *bytes != row.retained[0]);
        let change = Change { row, by: diff.by.name(), columns: &columns, totals: &totals };
        let shown = match (&mut gate, shown) {
            (Some(gate), _) => !gate.passes(&change, &row.class, None)?,
            (None, RowFilter::Leaked) => row.leaked.count > 0,
            (None, RowFilter::Changed) => changed,
            (None, RowFilter::All) => true,
        };
        if shown {
            let values: Vec<Option<i64>> = columns.iter().map(|c| (c.2)(row)).collect();
            let class = Cell::from(Some(row.class.as_str()).filter(|class| !class.is_empty()));
            report.row(std::iter::once(class).chain(values.into_iter().map(cell)).collect());
        }
    }
    // The heap's, with the rows that are not shown. What classes retain overlaps, and does not add up.
    let sum = |(c, n): (&(String, Unit, Value), Option<i64>)| {
        if c.0.contains("retained") { Cell::Absent } else { cell(n) }
    };
    let total = columns.iter().zip(totals).map(sum);
    report.total(std::iter::once(Cell::from("total")).chain(total).collect());
    Ok(report)
}
