//! What a program has open, as heap-show --handles shows it.

use std::fmt::Write as _;

use super::stack::broken;
use crate::cells::columns;
use crate::show::handles::{Handle, Kind};
use heap_report::{Cell, Error, Layout, Output, Report, Unit};

/// A row for each thing that is open.
///
/// # Errors
/// `--sort` names no column.
pub fn report(handles: &[Handle], layout: &Layout) -> Result<Report, Error> {
    let all = [
        ("snapshot", Unit::Text),
        ("kind", Unit::Text),
        ("identifier", Unit::Id),
        ("class", Unit::Text),
        ("what", Unit::Text),
        ("fd", Unit::Id),
        ("peer", Unit::Text),
        ("due", Unit::Count),
        ("after", Unit::Count),
        ("repeats", Unit::Text),
        ("unref", Unit::Text),
        ("callback", Unit::Text),
    ];
    let from = usize::from(handles.iter().all(|handle| handle.snapshot.is_none()));
    let mut report = Report::new("heap.handle", columns(all.into_iter().skip(from)), "", layout)?;
    let flag = |flag: bool| if flag { Cell::Bool(true) } else { Cell::Absent };
    for handle in handles {
        let row = [
            Cell::snapshot(handle.snapshot.as_deref()),
            handle.kind.name().into(),
            Cell::Shown(handle.id, format!("@{}", handle.number)),
            handle.class.as_str().into(),
            handle.what.clone().into(),
            handle.fd.into(),
            handle.peer.clone().into(),
            handle.due.into(),
            handle.after.into(),
            flag(handle.repeats),
            flag(handle.unref),
            handle.callback.clone().into(),
        ];
        report.row(row.into_iter().skip(from).collect());
    }
    Ok(report)
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
