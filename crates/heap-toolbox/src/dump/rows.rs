//! Rows of `heap-dump --list`.

use heap_live::Found;
use heap_report::{Column, Error, Layout, Report, Unit};

/// The report of processes that run a virtual machine.
///
/// # Errors
/// `--sort` names no column.
pub(super) fn report(found: &[Found], layout: &Layout) -> Result<Report, Error> {
    let columns = vec![
        Column::new("pid", Unit::Number),
        Column::new("vm", Unit::Text),
        Column::new("user", Unit::Text),
        Column::new("memory", Unit::Bytes),
        Column::new("command", Unit::Text),
    ];
    let mut report = Report::new("heap.process", columns, "", layout)?;
    for process in found {
        report.row(vec![
            u64::from(process.pid).into(),
            process.vm.name().into(),
            process.user.as_str().into(),
            process.resident.into(),
            process.command.as_str().into(),
        ]);
    }
    Ok(report)
}
