//! Rows of heap-suspects.

use heap_base::sort_by_key;
use std::fmt::Write as _;

use super::sentences::{course_of, fold, sentence};
use crate::path::PathStep;
use crate::suspects::{Findings, Level, Suspect};
use heap_base::json::{push_text, push_uint};

use heap_report::text::{human_size, visible};
use heap_report::{Cell, Error, Layout, Report, Screen, Unit};

/// The suspects of a heap with their ranks, worst first.
#[derive(Debug)]
pub struct Page {
    /// The part of the process that the heap is of, where it has several.
    pub part: Option<String>,
    /// What they are judged by.
    pub findings: Findings,
    /// Those to be shown.
    pub suspects: Vec<(usize, Suspect)>,
    /// A condition chose them.
    pub chosen: bool,
    /// The dump could not be read to its end.
    pub damaged: bool,
}

impl Page {
    /// What is said where no suspect is listed.
    fn nothing(&self) -> &'static str {
        match self.findings.totals.last() {
            _ if self.chosen => "no suspect meets the condition",
            Some(0) if self.findings.sizes.is_difference() => {
                "there is nothing to judge: the other snapshot has all that differs"
            }
            Some(0) => "there is nothing to judge: no object takes space",
            _ => "nothing stands out",
        }
    }
}

/// A row per suspect with its rank, worst first.
///
/// # Errors
/// `--sort` names no column.
pub fn report(pages: &[Page], layout: &Layout) -> Result<Report, Error> {
    let suspects = || pages.iter().flat_map(|page| page.suspects.iter().map(|suspect| (&page.part, suspect)));
    let any = |is: fn(&Suspect) -> bool| suspects().any(|(_, (_, suspect))| is(suspect));
    let parts = pages.len() > 1;
    let growth = any(|suspect| suspect.growth.is_some());
    let allocated = any(|suspect| suspect.allocated.is_some());
    let (external, runtime) = (any(|suspect| suspect.external > 0), any(|suspect| suspect.runtime));
    let mut columns = if parts { crate::cells::columns([("snapshot", Unit::Text)]) } else { Vec::new() };
    columns.extend(crate::cells::columns([
        ("rank", Unit::Count),
        ("level", Unit::Text),
        ("kind", Unit::Text),
        ("identifier", Unit::Id),
        ("class", Unit::Text),
        ("retained", Unit::Bytes),
    ]));
    if external {
        columns.extend(crate::cells::columns([("external", Unit::Bytes)]));
    }
    columns.extend(crate::cells::columns([("share", Unit::Share)]));
    if growth {
        columns.extend(crate::cells::columns([
            ("growth", Unit::Bytes),
            ("steps", Unit::Text),
            ("history", Unit::Text),
            ("course", Unit::Text),
            ("turnover", Unit::Bytes),
        ]));
    }
    if runtime {
        columns.extend(crate::cells::columns([("runtime", Unit::Text)]));
    }
    let last = ["place", "path", "holds", "behind", "allocated", "text"];
    let last = last.iter().filter(|&&name| allocated || name != "allocated");
    columns.extend(crate::cells::columns(last.map(|&name| (name, Unit::Text))));
    let mut report = Report::new("heap.suspect", columns, "", layout)?;
    for (part, (rank, suspect)) in suspects() {
        let mut row = if parts { vec![Cell::snapshot(part.as_deref())] } else { Vec::new() };
        row.extend([
            Cell::from(*rank),
            suspect.level.name().into(),
            suspect.kind.name().into(),
            suspect.id.map_or(Cell::Absent, |(id, number)| Cell::Shown(id, format!("@{number}"))),
            suspect.class.as_str().into(),
            suspect.retained.into(),
        ]);
        if external {
            row.push(suspect.external.into());
        }
        row.push(suspect.share.into());
        if growth {
            row.extend(grown(suspect));
        }
        if runtime {
            row.push(if suspect.runtime { Cell::Json("true".to_owned()) } else { Cell::Absent });
        }
        row.extend([
            if suspect.place.is_empty() { Cell::Absent } else { suspect.place.as_str().into() },
            Cell::Json(path_json(&suspect.path)),
            Cell::Json(holds_json(suspect)),
            suspect.behind.as_deref().map_or(Cell::Absent, Into::into),
        ]);
        row.extend(allocated.then(|| suspect.allocated.as_deref().map_or(Cell::Absent, Into::into)));
        row.push(sentence(suspect).into());
        report.row(row);
    }
    Ok(report)
}

/// The cells of growth, steps, history, course and turnover.
fn grown(suspect: &Suspect) -> [Cell; 5] {
    let Some(growth) = suspect.growth else { return std::array::from_fn(|_| Cell::Absent) };
    let history = &suspect.history;
    let steps = history.windows(2).map(|pair| i64_of(pair[1]).saturating_sub(i64_of(pair[0])));
    [
        growth.into(),
        Cell::Json(list(steps)),
        Cell::Json(list(history.iter().map(|&bytes| i64_of(bytes)))),
        suspect.course.map_or(Cell::Absent, |course| course.name().into()),
        suspect.turnover.into(),
    ]
}

fn i64_of(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

/// What stands above the suspects: the heap, how it has grown, and how much of that the rows explain.
pub fn head(findings: &Findings) -> String {
    let Some(&heap) = findings.totals.last() else { return String::new() };
    let outside = if findings.external > 0 {
        format!(" + {} outside", human_size(findings.external))
    } else {
        String::new()
    };
    let what = findings.sizes.what();
    let mut out = format!("{what} {}{outside}", human_size(heap.saturating_sub(findings.external)));
    if findings.totals.len() > 1 {
        let _ = write!(out, ": {}", course_of(&findings.totals));
    }
    if let Some(explained) = findings.explained {
        let _ = write!(out, "; the rows explain {:.0} % of the growth", explained * 100.0);
    }
    out
}

/// Heaps in which nothing stands out that are named one by one.
pub const NAMED: usize = 8;

/// The suspects of each heap as people read them. Of several heaps in which nothing stands out there is one line.
pub fn pages(pages: &[Page], all: bool, layout: &Layout, screen: Screen) -> String {
    if let [only] = pages {
        return page(only, all, layout, screen);
    }
    let is_quiet = |page: &&Page| {
        !page.suspects.iter().any(|(_, suspect)| all || suspect.level != Level::Note || suspect.left_over)
    };
    let mut out = String::new();
    for one in pages.iter().filter(|page| !is_quiet(page)) {
        out.push_str(&page(one, all, layout, screen));
    }
    let quiet: Vec<&Page> = pages.iter().filter(is_quiet).collect();
    let columns = layout.width(screen).unwrap_or(usize::MAX);
    let total = |page: &&Page| page.findings.totals.last().copied().unwrap_or(0);
    if let (Some(least), Some(most)) = (quiet.iter().map(total).min(), quiet.iter().map(total).max()) {
        let mut names: Vec<&str> = quiet.iter().filter_map(|page| page.part.as_deref()).collect();
        sort_by_key(&mut names, |name| (name.len(), *name));
        let (least, most) = (human_size(least), human_size(most));
        let sizes = if least == most { least } else { format!("{least} to {most} each") };
        let more = names.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        names.truncate(NAMED);
        let nothing = quiet.first().map_or("", |page| page.nothing());
        let said = format!("{nothing} in {}{more}: {sizes}", names.join(", "));
        fold(&mut out, "", &said, columns);
    }
    out
}

/// The suspects as people read them, as many as `-n` says or fit on the screen; notes only if `all`.
fn page(page: &Page, all: bool, layout: &Layout, screen: Screen) -> String {
    let Page { part, findings, suspects, .. } = page;
    let columns = layout.width(screen).unwrap_or(usize::MAX);
    let is_shown = |of: &&(usize, Suspect)| all || of.1.level != Level::Note || of.1.left_over;
    let listed: Vec<(usize, Suspect)> = suspects.iter().filter(is_shown).cloned().collect();
    let notes = suspects.len() - listed.len();
    let most = layout.limit.unwrap_or(listed.len()).min(listed.len());
    let room = layout.lines(screen, 2).filter(|_| layout.limit.is_none());
    let fits = |n: &usize| room.is_none_or(|room| text(&listed[..*n], columns).lines().count() <= room);
    let shown = (1..=most).rev().find(fits).unwrap_or(most.min(1));
    let mut out = String::new();
    let of = part.as_ref().map_or_else(String::new, |part| format!("{part}: "));
    let read = if page.damaged { "; the input could not be read to its end" } else { "" };
    fold(&mut out, "", &format!("{of}{}{read}", head(findings)), columns);
    out.push_str(&text(&listed[..shown], columns));
    let mut left = Vec::new();
    if shown < listed.len() {
        let hint = if layout.limit.is_none() { " (-n all)" } else { "" };
        left.push(format!("{} more{hint}", listed.len() - shown));
    }
    if notes > 0 {
        left.push(format!("{notes} note{} (--all)", if notes == 1 { "" } else { "s" }));
    }
    if listed.is_empty() {
        let _ = writeln!(out, "{}", page.nothing());
    }
    if !left.is_empty() {
        let _ = writeln!(out, "… {}", left.join(", "));
    }
    out
}

/// The suspects as people read them, in lines of at most `columns`: a sentence each.
pub fn text(suspects: &[(usize, Suspect)], columns: usize) -> String {
    let mut out = String::new();
    for (rank, suspect) in suspects {
        let mut line = String::new();
        visible(&mut line, &sentence(suspect));
        fold(&mut out, &format!("{rank}. "), &format!("{}: {line}", suspect.level.name()), columns);
    }
    out
}

fn list(numbers: impl Iterator<Item = i64>) -> String {
    let numbers: Vec<String> = numbers.map(|number| number.to_string()).collect();
    format!("[{}]", numbers.join(","))
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
