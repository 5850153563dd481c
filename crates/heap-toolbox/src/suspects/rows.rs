//! Rows of heap-suspects.

use std::fmt::Write as _;

use crate::path::PathStep;
use crate::suspects::sites::UNTYPED;
use crate::suspects::{Course, Findings, Holding, Kind, Level, Site, Suspect};
use heap_base::json::{push_text, push_uint};

use heap_report::text::{human_size, visible, width};
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
    columns.extend(crate::cells::columns([
        ("place", Unit::Text),
        ("path", Unit::Text),
        ("holds", Unit::Text),
        ("behind", Unit::Text),
        ("text", Unit::Text),
    ]));
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
            sentence(suspect).into(),
        ]);
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
    let what = if findings.ever { "allocated in all" } else { "heap" };
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
    let is_quiet =
        |page: &&Page| !page.suspects.iter().any(|(_, suspect)| all || suspect.level != Level::Note);
    let mut out = String::new();
    for one in pages.iter().filter(|page| !is_quiet(page)) {
        out.push_str(&page(one, all, layout, screen));
    }
    let quiet: Vec<&Page> = pages.iter().filter(is_quiet).collect();
    let columns = layout.width(screen).unwrap_or(usize::MAX);
    let total = |page: &&Page| page.findings.totals.last().copied().unwrap_or(0);
    if let (Some(least), Some(most)) = (quiet.iter().map(total).min(), quiet.iter().map(total).max()) {
        let mut names: Vec<&str> = quiet.iter().filter_map(|page| page.part.as_deref()).collect();
        names.sort_by_key(|name| (name.len(), *name));
        let (least, most) = (human_size(least), human_size(most));
        let sizes = if least == most { least } else { format!("{least} to {most} each") };
        let more = names.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        names.truncate(NAMED);
        let said = format!("nothing stands out in {}{more}: {sizes}", names.join(", "));
        fold(&mut out, "", &said, columns);
    }
    out
}

/// The suspects as people read them, as many as `-n` says or fit on the screen; notes only if `all`.
fn page(page: &Page, all: bool, layout: &Layout, screen: Screen) -> String {
    let Page { part, findings, suspects } = page;
    let columns = layout.width(screen).unwrap_or(usize::MAX);
    let is_shown = |of: &&(usize, Suspect)| all || of.1.level != Level::Note;
    let listed: Vec<(usize, Suspect)> = suspects.iter().filter(is_shown).cloned().collect();
    let notes = suspects.len() - listed.len();
    let most = layout.limit.unwrap_or(listed.len()).min(listed.len());
    let room = layout.lines(screen, 2).filter(|_| layout.limit.is_none());
    let fits = |n: &usize| room.is_none_or(|room| text(&listed[..*n], columns).lines().count() <= room);
    let shown = (1..=most).rev().find(fits).unwrap_or(most.min(1));
    let mut out = String::new();
    let of = part.as_ref().map_or_else(String::new, |part| format!("{part}: "));
    fold(&mut out, "", &format!("{of}{}", head(findings)), columns);
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
        out.push_str("nothing stands out\n");
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

/// Letters of a place and of a class that a sentence has, at most.
const PLACE: usize = 60;
const CLASS: usize = 40;

/// A place that is too long as its first name and its last steps: `app.js: shop….orders.open`. Of what has no steps that fit,
/// the end.
fn end_of(place: &str) -> String {
    let letters = place.chars().count();
    if letters <= PLACE {
        return place.to_owned();
    }
    // `app.js: shop` or `render (app.js:40:12)`: the point in a file's name is no step.
    let file = place.find(": ").map(|at| at + 2);
    let line = || Some(place.find(" (")? + place[place.find(" (")?..].find(')')?);
    let file = file.or_else(line).unwrap_or(0);
    let is_step = |&(_, c): &(usize, char)| matches!(c, '.' | '{' | '[' | '<' | '(');
    let steps = |from: usize| place[from..].char_indices().filter(is_step).map(move |(at, _)| from + at);
    let head = steps(file).find(|&at| at > file).map_or("", |at| &place[..at]);
    let head = if head.chars().count() > PLACE * 2 / 3 { "" } else { head };
    let room = PLACE.saturating_sub(head.chars().count() + 1);
    let tail = steps(head.len()).find(|&at| place[at..].chars().count() <= room);
    match tail {
        Some(at) => format!("{head}…{}", &place[at..]),
        None => format!("…{}", place.chars().skip(letters - PLACE + 1).collect::<String>()),
    }
}

/// Sizes of a series: `241K → 482K → 778K`; of a long one the first and the last two.
fn course_of(history: &[u64]) -> String {
    let size = |&bytes: &u64| human_size(bytes);
    let sizes: Vec<String> = match history {
        [first, .., before, last] if history.len() > 5 => {
            vec![size(first), "…".to_owned(), size(before), size(last)]
        }
        _ => history.iter().map(size).collect(),
    };
    sizes.join(" → ")
}

/// What a suspect holds: `1200 Session`, `900 Timeout → Heartbeat (app.js:28)`.
fn held(suspect: &Suspect) -> Option<String> {
    let first = suspect.holds.first()?;
    let class = heap_report::text::cut(&first.class, CLASS);
    let behind = suspect.behind.as_ref().map_or(String::new(), |behind| {
        let gap = if first.class.starts_with("(closure") { " " } else { " → " };
        format!("{gap}{}", heap_report::text::cut(behind, PLACE))
    });
    Some(format!("{} {class}{behind}", first.count))
}

/// A suspect in one line: `global.__leak.sessions (Map @78399) holds 1200 Session: 778K, 18.7 % of the heap`.
pub fn sentence(suspect: &Suspect) -> String {
    let outside = if suspect.external > 0 {
        format!(" + {} outside the heap", human_size(suspect.external))
    } else {
        String::new()
    };
    let share = format!("{:.1} % of the heap", suspect.share * 100.0);
    let size = format!("{}{outside}, {share}", human_size(suspect.retained));
    if let Some(site) = &suspect.site {
        return site_sentence(suspect, site);
    }
    let place = end_of(&suspect.place);
    let such = if place.is_empty() { String::new() } else { format!(", such as {place}") };
    let class = heap_report::text::cut(&suspect.class, CLASS);
    let number = suspect.id.map_or(0, |(_, number)| number);
    let held = held(suspect);
    match suspect.kind {
        Kind::Duplicates => {
            let Some(first) = suspect.holds.first() else { return format!("equal strings waste {size}") };
            let bytes = human_size(first.retained);
            return format!(
                "equal strings waste {size}: {} times {} ({bytes}){such}",
                first.count,
                sample(&first.class)
            );
        }
        Kind::Sparse => {
            let Some(held) = held else { return format!("nearly empty arrays waste {size}{such}") };
            let (count, class) = held.split_once(' ').unwrap_or(("", &held));
            return format!("{count} nearly empty {class} waste {size}{such}");
        }
        Kind::Detached => {
            let at = if place.is_empty() { String::new() } else { format!(" at {place}") };
            let held = held.unwrap_or_default();
            return format!("detached nodes retain {size}: {held}, such as {class} @{number}{at}");
        }
        _ => {}
    }
    let subject = match (suspect.id, place.is_empty()) {
        (Some(_), true) => format!("{class} @{number}"),
        (Some(_), false) => format!("{place} ({class} @{number})"),
        (None, true) => String::new(),
        (None, false) => place,
    };
    let whose = if suspect.runtime { ", the runtime's own" } else { "" };
    let courses = suspect.course.filter(|_| suspect.kind == Kind::Growth);
    if let Some(course) = courses {
        let verb = grows(course);
        let held =
            held.map_or(
                String::new(),
                |held| if subject.is_empty() { held } else { format!(" holds {held} and") },
            );
        let sizes = course_of(&suspect.history);
        return format!("{subject}{held} {verb} {sizes}{outside}: {share}{whose}");
    }
    match (subject.is_empty(), held) {
        (false, Some(held)) => format!("{subject} holds {held}: {size}{whose}"),
        (false, None) => format!("{subject} is {size}{whose}"),
        (true, held) => format!("{} in many places: {size}{whose}", held.unwrap_or(class)),
    }
}

/// A function of a profile in one line: `main.open (sessions.go:18) holds 1794 objects: 7.0M, 97.0 % of the heap, called by
/// main.serve ← main.main`.
fn site_sentence(suspect: &Suspect, site: &Site) -> String {
    let (verb, whole) = if site.ever { ("allocated", "all") } else { ("holds", "the heap") };
    let place = heap_report::text::cut(&suspect.place, PLACE);
    let first = suspect.holds.first();
    let objects = |held: &Holding| match (held.count, held.class.as_str()) {
        (0, _) => String::new(),
        (1, UNTYPED) => " 1 object".to_owned(),
        (n, UNTYPED) => format!(" {n} objects"),
        (n, class) => format!(" {n} {}", heap_report::text::cut(class, CLASS)),
    };
    let held = first.map_or(String::new(), objects);
    let share = format!("{:.1} % of {whole}", suspect.share * 100.0);
    let size = human_size(suspect.retained);
    let callers = if site.callers.is_empty() {
        String::new()
    } else {
        format!(", called by {}", heap_report::text::cut(&site.callers, PLACE))
    };
    match suspect.course.filter(|_| suspect.kind == Kind::Growth) {
        Some(course) => {
            let held = if held.is_empty() { held } else { format!(" {verb}{held} and") };
            let sizes = course_of(&suspect.history);
            format!("{place}{held} {} {sizes}: {share}{callers}", grows(course))
        }
        None if held.is_empty() => format!("{place} {verb} {size}, {share}{callers}"),
        None => format!("{place} {verb}{held}: {size}, {share}{callers}"),
    }
}

/// How a place's sizes go, in words.
fn grows(course: Course) -> &'static str {
    match course {
        Course::Steady => "grows steadily",
        Course::Jumped => "jumped once",
        Course::Slowing => "grows ever more slowly",
        Course::Wavers => "goes up and down",
        Course::Grown => "has grown",
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

#[cfg(test)]
mod tests {
    use super::{PLACE, end_of};

    #[test]
    fn long_places_keep_their_first_name() {
        let short = "app.js: shop.orders";
        assert_eq!(end_of(short), short);
        let long = "app.js: preferences<symbol mobx administration>.values_.observers_";
        assert_eq!(end_of(long), "app.js: preferences….values_.observers_");
        let line = "render (app.js:40:12).view.parts.children.listeners.onclick.handlers";
        assert_eq!(end_of(line), "render (app.js:40:12)….children.listeners.onclick.handlers");
        assert_eq!(end_of(&"x".repeat(80)), format!("…{}", "x".repeat(PLACE - 1)));
    }
}
