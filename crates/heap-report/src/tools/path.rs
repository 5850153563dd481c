//! Retaining paths, as heap-path shows them.

use crate::{Cell, Error, Layout, Output, Report, Unit, text};
use heap_ops::graph::NamedGraph;
use heap_ops::select::Glob;
use heap_ops::tools::path::{PathStep, each, merged};

use super::columns;

/// A row per step of each path, written as it is found; true if there was a path.
///
/// # Errors
/// `--sort` names no column. Or the output fails.
pub fn steps(
    loaded: &NamedGraph,
    k: usize,
    avoid: &[Glob],
    layout: &Layout,
    out: &mut dyn Output,
) -> Result<bool, Error> {
    let columns = columns([
        ("path", Unit::Count),
        ("step", Unit::Count),
        ("label", Unit::Text),
        ("kind", Unit::Text),
        ("identifier", Unit::Id),
        ("class", Unit::Text),
        ("name", Unit::Text),
        ("size", Unit::Bytes),
    ]);
    let mut report = Report::new("heap.path", columns, "", layout)?;
    let (mut path, mut any) = (0u64, false);
    let mut failed = None;
    each(loaded, k, avoid, |_, steps| {
        any = true;
        for (i, step) in steps.into_iter().enumerate() {
            let row = vec![
                path.into(),
                i.into(),
                step.label.into(),
                step.kind.into(),
                Cell::Shown(step.id, format!("@{}", step.number)),
                step.class.into(),
                step.name.into(),
                step.size.into(),
            ];
            // Paths of many objects can be far longer than the dump: each row goes out at once.
            match report.emit(row, out) {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(e) => {
                    failed = Some(e);
                    return Ok(false);
                }
            }
        }
        path += 1;
        Ok(true)
    })?;
    if let Some(e) = failed {
        return Err(e);
    }
    report.write(out)?;
    Ok(any)
}

/// `Session @6163 (56 bytes) is kept alive by`, then the way back to the root, one object a line;
/// true if there was a path.
///
/// # Errors
/// The output fails.
pub fn sentences(loaded: &NamedGraph, k: usize, avoid: &[Glob], out: &mut dyn Output) -> Result<bool, Error> {
    let shown = |step: &PathStep| {
        let name =
            step.name.as_deref().filter(|name| !name.is_empty()).map_or(String::new(), |n| format!(" {n}"));
        format!("{}{name} @{}", step.class, step.number)
    };
    let mut lines = String::new();
    let mut any = false;
    each(loaded, k, avoid, |_, steps| {
        if any {
            lines.push('\n');
        }
        any = true;
        for (i, step) in steps.iter().enumerate().rev() {
            let what = match (i, i + 1 == steps.len(), steps.get(i + 1)) {
                (0, true, _) => format!("{} is a root", shown(step)),
                (_, true, _) => format!("{} ({} bytes) is kept alive by", shown(step), step.size),
                (_, _, next) => {
                    let label = next.and_then(|n| n.label.as_deref()).unwrap_or("?");
                    let kind = next.and_then(|n| n.kind.as_deref()).unwrap_or("edge");
                    let end = if i == 0 { ", a root" } else { "" };
                    format!("    {label}  in  {}{end}   ({kind})", shown(step))
                }
            };
            text::visible(&mut lines, &what);
            lines.push('\n');
        }
        let written = out.write_all(lines.as_bytes());
        lines.clear();
        written.map(|()| true).map_err(heap_base::Error::write)
    })?;
    Ok(any)
}

/// A row per branch of the tree that the paths of all objects make, indented for people; true if there is one.
///
/// # Errors
/// `--sort` names no column. Or the output fails.
pub fn tree(
    loaded: &NamedGraph,
    avoid: &[Glob],
    table: bool,
    layout: &Layout,
    out: &mut dyn Output,
) -> Result<bool, Error> {
    let columns = columns([
        ("depth", Unit::Count),
        ("count", Unit::Count),
        ("size", Unit::Bytes),
        ("ends", Unit::Count),
        ("class", Unit::Text),
    ]);
    let mut report = Report::new("heap.path", columns, "", layout)?;
    let branches = merged(loaded, avoid)?;
    for branch in &branches {
        let indent = if table { "  ".repeat(branch.depth.min(40) as usize) } else { String::new() };
        let class = format!("{indent}{}", branch.class);
        report.row(vec![
            u64::from(branch.depth).into(),
            branch.count.into(),
            branch.size.into(),
            branch.ends.into(),
            class.into(),
        ]);
    }
    report.write(out)?;
    Ok(!branches.is_empty())
}
