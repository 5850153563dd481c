//! What a program has open, as heap-show --handles shows it.

use std::fmt::Write as _;

use super::stack::broken;
use crate::show::handles::{Handle, Kind};
use heap_report::{Cell, Error, Field, Fields, Layout, Output, Report, Unit};

type Column = Field<'static, Handle>;

const FIELDS: &[Column] = &[
    Column::new("snapshot", Unit::Text, |handle| Cell::snapshot(handle.snapshot.as_deref())).optional(),
    Column::new("kind", Unit::Text, |handle| handle.kind.name().into()),
    Column::new("identifier", Unit::Id, |handle| Cell::Shown(handle.id, format!("@{}", handle.number))),
    Column::new("class", Unit::Text, |handle| handle.class.as_str().into()),
    Column::new("what", Unit::Text, |handle| handle.what.clone().into()),
    Column::new("fd", Unit::Id, |handle| handle.fd.into()),
    Column::new("peer", Unit::Text, |handle| handle.peer.clone().into()),
    Column::new("due", Unit::Count, |handle| handle.due.into()),
    Column::new("after", Unit::Count, |handle| handle.after.into()),
    Column::new("repeats", Unit::Text, |handle| handle.repeats.then_some(true).into()),
    Column::new("unref", Unit::Text, |handle| handle.unref.then_some(true).into()),
    Column::new("callback", Unit::Text, |handle| handle.callback.clone().into()),
];

/// A row for each thing that is open.
///
/// # Errors
/// `--sort` names no column.
pub fn report(handles: &[Handle], layout: &Layout) -> Result<Report, Error> {
    Fields::met(FIELDS, handles).report("heap.handle", handles, "", layout)
}

/// For people: a line for each thing that is open, with how many there are of its kind.
///
/// # Errors
/// The output fails.
pub fn sentences(handles: &[Handle], layout: &Layout, out: &mut dyn Output) -> Result<(), Error> {
    if layout.sort.is_some() {
        return report(handles, layout)?.write(out);
    }
    let most = layout.limit.unwrap_or(usize::MAX);
    let room = layout.width(out.screen());
    let mut rest = handles;
    while let Some(first) = rest.first() {
        let same = |h: &&Handle| h.kind == first.kind && h.snapshot == first.snapshot;
        let (group, behind) = rest.split_at(rest.iter().take_while(same).count());
        rest = behind;
        let of = first.snapshot.as_ref().map_or_else(String::new, |part| format!(", {part}"));
        let many = if group.len() == 1 { "" } else { "s" };
        let many = if group.len() > 1 && first.kind == Kind::Child { "ren" } else { many };
        writeln!(out, "{} {}{many}{of}", group.len(), first.kind.name())?;
        for handle in group.iter().take(most) {
            let mut line = String::new();
            heap_report::text::visible(&mut line, &sentence(handle));
            let lines = broken(&line, room);
            for (number, part) in lines.iter().enumerate() {
                writeln!(out, "{:1$}{part}", "", if number == 0 { 2 } else { 6 })?;
            }
        }
        if group.len() > most {
            writeln!(out, "  … {} more", group.len() - most)?;
        }
    }
    Ok(())
}

/// `POST /order/7 at 127.0.0.1:4711, fd 23, ServerResponse @1234`.
fn sentence(handle: &Handle) -> String {
    let mut parts: Vec<String> = Vec::new();
    parts.extend(handle.callback.clone());
    if let Some(due) = handle.due {
        let mut when = format!("due {}", seconds(due));
        if let Some(after) = handle.after {
            let _ =
                write!(when, " ({} {})", if handle.repeats { "every" } else { "set for" }, seconds(after));
        }
        parts.push(when);
    } else if handle.repeats {
        parts.push("repeats".to_owned());
    }
    match (&handle.what, &handle.peer) {
        (Some(what), Some(peer)) => parts.push(format!("{what} at {peer}")),
        (Some(one), None) | (None, Some(one)) => parts.push(one.clone()),
        (None, None) => {}
    }
    parts.extend(handle.fd.map(|fd| format!("fd {fd}")));
    if handle.unref {
        parts.push("does not keep the process alive".to_owned());
    }
    parts.push(format!("{} @{}", handle.class, handle.number));
    parts.join(", ")
}

/// `2.5 s`, with a sign if it is over.
fn seconds(milliseconds: i64) -> String {
    let (sign, ms) =
        if milliseconds < 0 { ("-", milliseconds.unsigned_abs()) } else { ("", milliseconds as u64) };
    match ms {
        0..1000 => format!("{sign}{ms} ms"),
        _ => format!("{sign}{}.{} s", ms / 1000, ms % 1000 / 100),
    }
}
