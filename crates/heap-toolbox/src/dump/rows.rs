//! Rows of `heap-dump --list`.

use heap_live::Found;
use heap_report::{Error, Field, Fields, Layout, Report, Unit};

/// What `--sort` takes.
pub(super) const COLUMNS: &[&str] = &heap_report::keys(FIELDS);

type Column = Field<'static, Found>;

const FIELDS: &[Column; 6] = &[
    Column::new("pid", Unit::Number, |process| u64::from(process.pid).into()),
    Column::new("vm", Unit::Text, |process| process.vm.name().into()),
    Column::new("by", Unit::Text, |process| process.vm.by().unwrap_or_default().into()),
    Column::new("user", Unit::Text, |process| process.user.as_str().into()),
    Column::new("memory", Unit::Bytes, |process| process.resident.into()),
    Column::new("command", Unit::Text, |process| process.command.as_str().into()),
];

/// The report of processes of which a dump can be taken.
///
/// # Errors
/// `--sort` names no column.
pub(super) fn report(found: &[Found], layout: &Layout) -> Result<Report, Error> {
    Fields::all(FIELDS).report("heap.process", found, "", layout)
}
