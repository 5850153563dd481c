//! Rows of heap-strings.

use crate::strings::DuplicateString;

use heap_ops::place::spell;
use heap_report::{Cell, Error, Field, Fields, Layout, Report, Unit};

/// What `--sort` takes.
pub(super) const COLUMNS: &[&str] = &heap_report::keys(FIELDS);

type Column = Field<'static, DuplicateString>;

const FIELDS: &[Column; 10] = &[
    Column::new("file", Unit::Text, |row| row.file.clone().into()).optional().keeps_end(),
    Column::new("snapshot", Unit::Text, |row| Cell::snapshot(row.snapshot.as_deref())).optional(),
    Column::new("count", Unit::Count, |row| row.count.into()),
    Column::new("size", Unit::Bytes, |row| row.size.into()).rank(1),
    Column::new("wasted", Unit::Bytes, |row| row.wasted.into()),
    Column::new("length", Unit::Count, |row| row.length.into()).rank(1),
    Column::new("cut", Unit::Text, |row| row.cut.map_or_else(|| "maybe".into(), Cell::from)).rank(1),
    Column::new("first", Unit::Id, |row| Cell::Shown(row.first, format!("@{}", row.number))),
    Column::new("text", Unit::Text, |row| row.text.as_str().into()),
    Column::new("held_by", Unit::Text, held_by).optional().keeps_end(),
];

fn held_by(row: &DuplicateString) -> Cell {
    let owner = row.owner.as_ref();
    owner.map(|owner| format!("{}{}", owner.class, spell::named(&owner.label, owner.role))).into()
}

/// A row for each text.
///
/// # Errors
/// `--sort` names no column.
pub fn report(strings: &[DuplicateString], layout: &Layout) -> Result<Report, Error> {
    let fields = Fields::met(FIELDS, strings);
    let mut report = fields.report("heap.strings", strings, "wasted", layout)?;
    let sum = |of: fn(&DuplicateString) -> u64| crate::cells::sum(strings.iter().map(of));
    report.total(fields.only(&[
        ("count", sum(|row| row.count).into()),
        ("size", sum(|row| row.size).into()),
        ("wasted", sum(|row| row.wasted).into()),
        ("text", "total".into()),
    ]));
    Ok(report)
}
