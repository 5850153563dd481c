//! Rows of heap-suspects.

use std::fmt::Write as _;

use crate::path::PathStep;
pub use crate::suspects::place;
use crate::suspects::{Kind, Suspect};
use heap_base::json::{push_text, push_uint};

use heap_report::text::{human_size, visible, width};
use heap_report::{Cell, Error, Layout, Report, Screen, Unit};

/// A row per suspect with its rank, worst first.
///
/// # Errors
/// `--sort` names no column.
pub fn report(suspects: &[(usize, Suspect)], layout: &Layout) -> Result<Report, Error> {
    let growth = suspects.iter().any(|(_, suspect)| suspect.growth.is_some());
    let mut columns = crate::cells::columns([
        ("rank", Unit::Count),
        ("kind", Unit::Text),
        ("identifier", Unit::Id),
        ("class", Unit::Text),
        ("retained", Unit::Bytes),
        ("share", Unit::Share),
    ]);
    if growth {
        columns.extend(crate::cells::columns([("growth", Unit::Bytes), ("steps", Unit::Text)]));
    }
    let runtime = suspects.iter().any(|(_, suspect)| suspect.runtime);
    if runtime {
        columns.extend(crate::cells::columns([("runtime", Unit::Text)]));
    }
    columns.extend(crate::cells::columns([
        ("path", Unit::Text),
        ("holds", Unit::Text),
        ("text", Unit::Text),
    ]));
    let mut report = Report::new("heap.suspect", columns, "", layout)?;
    for (rank, suspect) in suspects {
        let mut row = vec![
            (*rank).into(),
            suspect.kind.name().into(),
            suspect.id.map_or(Cell::Absent, |(id, number)| Cell::Shown(id, format!("@{number}"))),
            suspect.class.as_str().into(),
            suspect.retained.into(),
            suspect.share.into(),
        ];
        if growth {
            row.push(suspect.growth.map_or(Cell::Absent, Into::into));
            row.push(if suspect.growth.is_some() {
                Cell::Json(steps_json(&suspect.steps))
            } else {
                Cell::Absent
            });
        }
        if runtime {
            row.push(if suspect.runtime { Cell::Json("true".to_owned()) } else { Cell::Absent });
        }
        row.extend([
            Cell::Json(path_json(&suspect.path)),
            Cell::Json(holds_json(suspect)),
            sentence(suspect).into(),
        ]);
        report.row(row);
    }
    Ok(report)
}

/// The suspects as people read them, as many as `-n` says or fit on the screen.
pub fn page(suspects: &[(usize, Suspect)], layout: &Layout, screen: Screen) -> String {
    let columns = layout.width(screen).unwrap_or(usize::MAX);
    let most = layout.limit.unwrap_or(suspects.len()).min(suspects.len());
    let room = layout.lines(screen, 1).filter(|_| layout.limit.is_none());
    let fits = |n: &usize| room.is_none_or(|room| text(&suspects[..*n], columns).lines().count() <= room);
    let shown = (1..=most).rev().find(fits).unwrap_or(most.min(1));
    let mut out = text(&suspects[..shown], columns);
    if shown < suspects.len() {
        let hint = if layout.limit.is_none() { " (-n all)" } else { "" };
        let _ = writeln!(out, "… {} more{hint}", suspects.len() - shown);
    }
    out
}

/// The suspects as people read them, in lines of at most `columns`: a sentence each, with the rest of what it holds below.
pub fn text(suspects: &[(usize, Suspect)], columns: usize) -> String {
    let mut out = String::new();
    for (rank, suspect) in suspects {
        let number = format!("{rank}. ");
        let mut line = String::new();
        visible(&mut line, &sentence(suspect));
        fold(&mut out, &number, &line, columns);
        let also: Vec<String> = suspect
            .holds
            .iter()
            .skip(1)
            .filter(|held| held.retained * 20 >= suspect.retained)
            .map(held)
            .collect();
        if !also.is_empty() {
            let mut line = String::new();
            visible(&mut line, &format!("also {}", also.join("; ")));
            fold(&mut out, &" ".repeat(number.len()), &line, columns);
        }
    }
    out
}

/// Writes `first` and `text` in lines of at most `columns`, all but the first indented: broken at blanks, and before the steps of a
/// place that is too long for a line.
fn fold(out: &mut String, first: &str, text: &str, columns: usize) {
    let indent = first.len();
    let room = columns.saturating_sub(indent).max(20);
    let mut used = indent;
    out.push_str(first);
    for word in text.split(' ') {
        for (i, piece) in pieces(word, room).into_iter().enumerate() {
            let gap = usize::from(i == 0 && used > indent);
            if used > indent && used + gap + width(piece) > indent + room {
                out.push('\n');
                out.extend(std::iter::repeat_n(' ', indent));
                used = indent;
            } else {
                out.extend(std::iter::repeat_n(' ', gap));
                used += gap;
            }
            out.push_str(piece);
            used += width(piece);
        }
    }
    out.push('\n');
}

/// A word as it is if `room` columns hold it, else its steps, which begin with `.`, `{`, `[` or `:`; none is longer than
/// `room`.
fn pieces(word: &str, room: usize) -> Vec<&str> {
    if width(word) <= room {
        return vec![word];
    }
    let (mut pieces, mut start, mut used) = (Vec::new(), 0, 0);
    for (at, c) in word.char_indices() {
        let one = width(&word[at..at + c.len_utf8()]);
        if at > start && (matches!(c, '.' | '{' | '[' | ':') || used + one > room) {
            pieces.push(&word[start..at]);
            (start, used) = (at, 0);
        }
        used += one;
    }
    pieces.push(&word[start..]);
    pieces
}

/// `1200 Session (722K)`.
fn held(held: &crate::suspects::Holding) -> String {
    format!("{} {} ({})", held.count, held.class, human_size(held.retained))
}

/// A suspect in one line: `Map @78399 at global.__leak.sessions holds 1200 Session: 778K, 18.7 % of the heap`.
pub fn sentence(suspect: &Suspect) -> String {
    let size = format!("{}, {:.1} % of the heap", human_size(suspect.retained), suspect.share * 100.0);
    let place = place(&suspect.path);
    let at = if place.is_empty() { String::new() } else { format!(" at {place}") };
    let such = if place.is_empty() { String::new() } else { format!(", such as {place}") };
    let number = suspect.id.map_or(0, |(_, number)| number);
    let Some(first) = suspect.holds.first() else {
        return format!("{} @{number}{at}: {size}", suspect.class);
    };
    let (count, class) = (first.count, &suspect.class);
    match suspect.kind {
        Kind::Class => format!("{count} {class} in many places retain {size}"),
        Kind::Closures => {
            let location = suspect.location.map_or(String::new(), |l| {
                format!(" (script {}, line {}, column {})", l.script, l.line, l.column)
            });
            format!("{count} functions {class}{location} retain {size}{such}")
        }
        Kind::Duplicates => {
            let sample = sample(&first.class);
            format!(
                "equal strings waste {size}: {count} times {sample} ({}){such}",
                human_size(first.retained)
            )
        }
        Kind::Sparse => format!("{count} nearly empty {} waste {size}{such}", first.class),
        Kind::Detached => {
            format!("detached nodes retain {size}: {count} {}, such as {class} @{number}{at}", first.class)
        }
        Kind::Accumulation => {
            let whose = if suspect.runtime { ", the runtime's own" } else { "" };
            format!("{class} @{number}{at} holds {count} {}: {size}{whose}", first.class)
        }
        Kind::Growth => {
            let steps: Vec<String> =
                suspect.steps.iter().map(|&step| format!("+{}", human_size(step))).collect();
            let grown = human_size(suspect.growth.unwrap_or(0));
            let steps = if steps.len() > 1 { format!(" ({})", steps.join(", ")) } else { String::new() };
            format!("{class} @{number}{at} has grown by {grown}{steps}, {count} {}: {size}", first.class)
        }
    }
}

/// The beginning of a text in quotes.
fn sample(text: &str) -> String {
    const MOST: usize = 40;
    let mut out = String::from('"');
    visible(&mut out, &heap_report::text::cut(text, MOST));
    out.push('"');
    out
}

fn steps_json(steps: &[u64]) -> String {
    let mut out = vec![b'['];
    for (i, &step) in steps.iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        push_uint(&mut out, step);
    }
    out.push(b']');
    String::from_utf8(out).unwrap_or_default()
}

fn path_json(path: &[PathStep]) -> String {
    let mut out = vec![b'['];
    for (i, step) in path.iter().enumerate() {
        out.extend_from_slice(if i > 0 { b",{\"class\":" } else { b"{\"class\":" });
        push_text(&mut out, &step.class);
        if let Some(name) = step.name.as_ref().filter(|name| !name.is_empty()) {
            out.extend_from_slice(b",\"name\":");
            push_text(&mut out, name);
        }
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
