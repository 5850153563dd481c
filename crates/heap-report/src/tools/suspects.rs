//! Rows of heap-suspects.

use std::fmt::Write as _;

use heap_base::json::{push_text, push_uint};
use heap_ops::tools::path::PathStep;
use heap_ops::tools::suspects::{Kind, Suspect};

use crate::text::{human_size, visible};
use crate::{Cell, Error, Layout, Report, Unit};

/// A row per suspect, largest first; `total` is what the roots retain, in bytes.
///
/// # Errors
/// `--sort` names no column.
pub fn report(suspects: &[Suspect], layout: &Layout) -> Result<Report, Error> {
    let columns = super::columns([
        ("rank", Unit::Count),
        ("kind", Unit::Text),
        ("identifier", Unit::Id),
        ("class", Unit::Text),
        ("retained", Unit::Bytes),
        ("share", Unit::Share),
        ("path", Unit::Text),
        ("holds", Unit::Text),
        ("text", Unit::Text),
    ]);
    let mut report = Report::new("heap.suspect", columns, "", layout)?;
    for (i, suspect) in suspects.iter().enumerate() {
        report.row(vec![
            (i + 1).into(),
            suspect.kind.name().into(),
            suspect.id.map_or(Cell::Absent, |(id, number)| Cell::Shown(id, format!("@{number}"))),
            suspect.class.as_str().into(),
            suspect.retained.into(),
            suspect.share.into(),
            Cell::Json(path_json(&suspect.path)),
            Cell::Json(holds_json(suspect)),
            sentence(suspect).into(),
        ]);
    }
    Ok(report)
}

/// The suspects as people read them: a sentence each, with what it holds below.
pub fn text(suspects: &[Suspect]) -> String {
    let mut out = String::new();
    for (i, suspect) in suspects.iter().enumerate() {
        let _ = write!(out, "{}. ", i + 1);
        visible(&mut out, &sentence(suspect));
        out.push('\n');
        for held in suspect.holds.iter().skip(1) {
            out.push_str("   ");
            visible(&mut out, &format!("also {} {}: {}", held.count, held.class, human_size(held.retained)));
            out.push('\n');
        }
    }
    out
}

/// A suspect in one line: `Map @78399 at global.__leak.sessions holds 1200 Session: 778K, 18.7 % of the heap`.
pub fn sentence(suspect: &Suspect) -> String {
    let size = format!("{}, {:.1} % of the heap", human_size(suspect.retained), suspect.share * 100.0);
    let held = suspect.holds.first();
    match (suspect.kind, suspect.id, held) {
        (Kind::Class, _, Some(held)) => {
            format!("{} {} in many places retain {size}", held.count, suspect.class)
        }
        (Kind::Closures, _, Some(held)) => {
            format!("{} functions {}() retain {size}", held.count, suspect.class)
        }
        (_, Some((_, number)), Some(held)) => {
            let place = place(&suspect.path);
            let at = if place.is_empty() { String::new() } else { format!(" at {place}") };
            format!("{} @{number}{at} holds {} {}: {size}", suspect.class, held.count, held.class)
        }
        _ => format!("{}: {size}", suspect.class),
    }
}

/// The names on a path, from the first object with a class on: `.x` for a property, `[7]` for an element, `{x}` for a
/// variable of a closure. Edges inside of the virtual machine are left out.
pub fn place(path: &[PathStep]) -> String {
    let mut place = String::new();
    let Some(first) = path.iter().position(|step| !step.class.starts_with('(')) else { return place };
    place.push_str(&path[first].class);
    for step in &path[first + 1..] {
        let (Some(label), Some(kind)) = (&step.label, &step.kind) else { continue };
        let _ = match kind.as_str() {
            "closure variable" => write!(place, "{{{label}}}"),
            "array element" => write!(place, "[{label}]"),
            kind if kind.ends_with("property") || kind.ends_with("field") => write!(place, ".{label}"),
            _ => Ok(()),
        };
    }
    place
}

fn path_json(path: &[PathStep]) -> String {
    let mut out = vec![b'['];
    for (i, step) in path.iter().enumerate() {
        out.extend_from_slice(if i > 0 { b",{\"class\":" } else { b"{\"class\":" });
        push_text(&mut out, &step.class);
        if let Some(label) = &step.label {
            out.extend_from_slice(b",\"label\":");
            push_text(&mut out, label);
        }
        out.push(b'}');
    }
    out.push(b']');
    String::from_utf8(out).unwrap_or_default()
}

fn holds_json(suspect: &Suspect) -> String {
    let mut out = vec![b'['];
    for (i, held) in suspect.holds.iter().enumerate() {
        out.extend_from_slice(if i > 0 { b",{\"class\":" } else { b"{\"class\":" });
        push_text(&mut out, &held.class);
        out.extend_from_slice(b",\"count\":");
        push_uint(&mut out, held.count);
        out.extend_from_slice(b",\"retained\":");
        push_uint(&mut out, held.retained);
        out.push(b'}');
    }
    out.push(b']');
    String::from_utf8(out).unwrap_or_default()
}
