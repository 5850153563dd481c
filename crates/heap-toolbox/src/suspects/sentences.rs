//! What a row says in one sentence, and what goes where it is too long.

use std::fmt::Write as _;

use crate::path::PathStep;
use crate::suspects::holders::MANY;
use crate::suspects::sites::UNTYPED;
use crate::suspects::{Course, Holding, Kind, Level, Site, Suspect, Unseen};
use heap_ops::series::Sizes;
use heap_report::text::{human_size, visible, width};

/// Writes `first` and `text` in lines of at most `columns`, all but the first indented: broken at blanks, and before the steps of a
/// place that is too long for a line.
pub(super) fn fold(out: &mut String, first: &str, text: &str, columns: usize) {
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

/// Lines of a table that a sentence takes, at most, and their columns.
const LINES: usize = 2;
const COLUMNS: usize = 80;

/// Letters of the parts of a sentence, at most.
#[derive(Clone, Copy, Debug)]
struct Fit {
    place: usize,
    /// Of the class of the holder; without room for it there is its number alone.
    holder: usize,
    class: usize,
    behind: usize,
    /// Classes with the package that they are in.
    packages: bool,
    /// Classes with the class that they are in.
    outer: bool,
    /// Shares with the words for what they are a part of; and that a leak grows steadily, which it always does.
    words: bool,
    /// Of how many other classes it says what a holder holds.
    others: usize,
}

/// Other classes that a holder holds, at most.
const OTHERS: usize = 2;

/// All that a sentence has.
const WHOLE: Fit = Fit {
    place: PLACE,
    holder: CLASS,
    class: CLASS,
    behind: PLACE,
    packages: true,
    outer: true,
    words: true,
    others: 0,
};
/// The number of the holder, no packages, no outer classes, no words.
const INNERMOST: Fit = Fit { holder: 0, packages: false, outer: false, words: false, ..WHOLE };
/// What other classes are there goes before anything else that is left out but what is said by the holder's number.
const WITH_OTHERS: Fit = Fit { others: OTHERS, ..WHOLE };

/// From what says most to what takes least. The place goes last: it is what people look for.
const FITS: &[Fit] = &[
    WITH_OTHERS,
    Fit { packages: false, ..WITH_OTHERS },
    Fit { holder: 24, packages: false, ..WITH_OTHERS },
    Fit { holder: 24, packages: false, words: false, ..WITH_OTHERS },
    Fit { holder: 0, packages: false, words: false, ..WITH_OTHERS },
    WHOLE,
    Fit { packages: false, ..WHOLE },
    Fit { holder: 24, packages: false, ..WHOLE },
    Fit { holder: 24, packages: false, words: false, ..WHOLE },
    Fit { holder: 0, packages: false, words: false, ..WHOLE },
    INNERMOST,
    Fit { class: 36, behind: 44, ..INNERMOST },
    Fit { class: 32, behind: 32, ..INNERMOST },
    Fit { place: 44, class: 32, behind: 32, ..INNERMOST },
    Fit { class: 24, behind: 24, ..INNERMOST },
    Fit { place: 52, class: 24, behind: 24, ..INNERMOST },
    Fit { place: 44, class: 20, behind: 20, ..INNERMOST },
    Fit { place: 36, class: 16, behind: 16, ..INNERMOST },
    Fit { place: 20, class: 12, behind: 12, ..INNERMOST },
];

impl Fit {
    /// A class as a sentence has it: cut, and without its package if there is no room for that.
    fn class(self, class: &str) -> String {
        heap_report::text::cut(self.inner(class), self.class)
    }

    /// A class without what it is in, as far as there is no room for that.
    fn inner(self, class: &str) -> &str {
        let class = if self.packages { class } else { without_package(class) };
        if self.outer { class } else { without_outer(class) }
    }

    fn share(self, share: f64, whole: &str) -> String {
        let of = if self.words { format!(" of {whole}") } else { String::new() };
        format!("{:.1} %{of}", share * 100.0)
    }
}

/// `HashMap` of `java.util.HashMap`, `Page` of `blink::Page`; what stands in parentheses or quotes has no package.
pub(super) fn without_package(class: &str) -> &str {
    let end = class.find(['<', '[', ' ', '"', '(']).unwrap_or(class.len());
    let dot = class[..end].rfind('.').map(|at| at + 1);
    let colons = class[..end].rfind("::").map(|at| at + 2);
    let start = dot.max(colons).filter(|&at| at < end).unwrap_or(0);
    &class[start..]
}

/// `PricePanel` of `Shop$PricePanel`; what was made of a class, such as `PricePanel$$Lambda`, keeps its name.
fn without_outer(class: &str) -> &str {
    let end = class.find(['<', '[', ' ', '"', '(']).unwrap_or(class.len());
    let name = class[..end].find("$$").unwrap_or(end);
    let inner = class[..name].trim_end_matches(|c: char| c == '$' || c.is_ascii_digit());
    let at = inner.rfind('$').filter(|&at| at > 0 && !class[end..].starts_with(" ("));
    at.map_or(class, |at| &class[at + 1..])
}

/// A place that begins with a class of its path, without the package of that: `Thread "main".target` of
/// `java.lang.Thread "main".target`.
fn without_first_package<'a>(place: &'a str, path: &[PathStep]) -> &'a str {
    let mut start = 0;
    for part in place.split_inclusive('.') {
        let is_package = part.ends_with('.') && part[..part.len() - 1].bytes().all(is_lower);
        if !is_package {
            break;
        }
        start += part.len();
    }
    let package = &place[..start];
    let has = |text: &str| start > 0 && text.starts_with(package);
    let is_package = path.iter().any(|step| has(&step.class) || step.name.as_deref().is_some_and(has));
    if is_package { &place[start..] } else { place }
}

fn is_lower(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_'
}

/// Letters of a place and of a class that a sentence has, at most.
const PLACE: usize = 60;
const CLASS: usize = 40;
/// The class of calls, which have none.
const CALL: &str = "(heap.frame)";

/// A place of more than `most` letters: first without steps that the program has not written, such as `<symbol kState>`; then
/// as its first name and its last steps: `app.js: shop….orders.open`. Of what has no steps that fit, the end.
fn end_of(place: &str, most: usize) -> String {
    if place.chars().count() <= most {
        return place.to_owned();
    }
    let short = without_symbols(place);
    let place = if short.chars().count() < place.chars().count() { &short } else { place };
    let letters = place.chars().count();
    if letters <= most {
        return place.to_owned();
    }
    // Some of several fields: `app.js: shop (orders, …)`.
    if let Some((head, list)) = place.strip_suffix(')').and_then(|place| place.rsplit_once(" ("))
        && list.contains(", ")
    {
        let shorter = |(at, _)| format!("{head} ({}, …)", &list[..at]);
        let mut fewer = list.rmatch_indices(", ").map(shorter);
        return fewer.find(|text| text.chars().count() <= most).unwrap_or_else(|| end_of(head, most));
    }
    // `Shop.main:OrderService` of `Shop.main:Shop$OrderService`: a value of a call that only its class names.
    if let Some(at) = place.find(':').map(|at| at + 1)
        && let class = without_outer(&place[at..place[at..].find('.').map_or(place.len(), |end| at + end)])
        && let Some(outer) = place[at..].find(class).filter(|&outer| outer > 0)
    {
        return end_of(&format!("{}{}", &place[..at], &place[at + outer..]), most);
    }
    // `app.js: shop` or `render (app.js:40:12)`: the point in a file's name is no step, nor is one in quotes.
    let file = place.find(": ").map(|at| at + 2);
    // `bus: topics` of `bus/dist/index.js: topics`: the package says most.
    if let Some(at) = file
        && let Some(package) = place[..at - 2].find(['/', '\\'])
        && package + 2 + place[at..].chars().count() <= most
    {
        return format!("{}: {}", &place[..package], &place[at..]);
    }
    if let Some(at) = file
        && most < PLACE
        && place[at..].chars().count() <= most
    {
        return place[at..].to_owned();
    }
    let line = || Some(place.find(" (")? + place[place.find(" (")?..].find(')')?);
    let file = file.or_else(line).unwrap_or(0);
    let is_step = |&(_, c): &(usize, char)| matches!(c, '.' | '{' | '[' | '<' | '(');
    let is_outside = |&at: &usize| place[..at].matches('"').count() % 2 == 0;
    let at_step = |from: usize| place[from..].char_indices().filter(is_step).map(move |(at, _)| from + at);
    let steps = |from: usize| at_step(from).filter(is_outside);
    let head = steps(file).find(|&at| at > file).map_or("", |at| &place[..at]);
    let head = if head.chars().count() > most * 2 / 3 { "" } else { head };
    let room = most.saturating_sub(head.chars().count() + 1);
    let tail = steps(head.len()).find(|&at| place[at..].chars().count() <= room);
    match tail {
        Some(at) => format!("{head}…{}", place[at..].trim_start_matches('…')),
        None => format!("…{}", place.chars().skip(letters - most + 1).collect::<String>()),
    }
}

/// A place with `…` where `<symbol name>` stood.
fn without_symbols(place: &str) -> String {
    let (mut out, mut rest) = (String::new(), place);
    while let Some((before, after)) = rest.split_once("<symbol ") {
        let Some((_, after)) = after.split_once('>') else { break };
        out.push_str(before);
        if !out.ends_with('…') {
            out.push('…');
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Sizes of a series: `241K → 482K → 778K`; of a long one the first and the last two.
pub(super) fn course_of(history: &[u64]) -> String {
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
fn held(suspect: &Suspect, fit: Fit) -> Option<String> {
    let first = suspect.holds.first()?;
    let class = fit.class(&first.class);
    let behind = suspect.behind.as_ref().map_or(String::new(), |behind| {
        // The function itself, or with a number what is in it.
        let is_itself =
            first.class.starts_with("(closure") && !behind.starts_with(|c: char| c.is_ascii_digit());
        let gap = if is_itself { " " } else { " → " };
        // The class itself, with the line that makes its objects.
        let is_class = behind.strip_prefix(&first.class).is_some_and(|line| line.starts_with(" ("));
        if is_class {
            return behind[first.class.len()..].to_owned();
        }
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let (number, name) = match behind.split_once(' ') {
            Some((number, name)) if is_number(number) => (format!("{number} "), name),
            _ => (String::new(), behind.as_str()),
        };
        format!("{gap}{number}{}", cut_before_place(fit.inner(name), fit.behind))
    });
    Some(format!("{} {class}{behind}{}", first.count, others(suspect, fit)))
}

/// What a holder holds of other classes of the program, if these are as many: `, 900 Scroll, 700 Key`.
fn others(suspect: &Suspect, fit: Fit) -> String {
    let Some((first, others)) = suspect.holds.split_first() else { return String::new() };
    let is_told = first.own && suspect.behind.is_none() && first.count >= MANY as u64;
    let are_many = |of: &&Holding| is_told && of.own && of.count.saturating_mul(AS_MANY) >= first.count;
    let mut said = String::new();
    for of in others.iter().filter(are_many).take(fit.others) {
        let _ = write!(said, ", {} {}", of.count, fit.class(&of.class));
    }
    said
}

/// `name (file:line:column) → Class` in at most so many letters: the place is what people look for, and the class says more
/// than a part of the name.
fn cut_before_place(text: &str, most: usize) -> String {
    let mut text = text;
    loop {
        if text.chars().count() <= most {
            return text.to_owned();
        }
        if let Some((name, place)) = text.rfind(" (").map(|at| text.split_at(at)) {
            let letters = place.chars().count();
            // What has no name is its place.
            if name == "(anonymous)" && letters <= most && !place.contains(" → ") {
                return place[1..].to_owned();
            }
            // A class says more than where its objects are made.
            let is_class = name.starts_with(char::is_uppercase) && !place.contains(" → ");
            if is_class && letters + name.chars().count() > most && name.chars().count() <= most {
                return name.to_owned();
            }
            if letters + 8 <= most {
                return format!("{}{place}", heap_report::text::cut(name, most - letters));
            }
            let is_last = name == "(anonymous)" || !place.contains(" → ");
            if is_last && letters <= most {
                return place[1..].to_owned();
            }
        }
        match text.rsplit_once(" → ") {
            Some((before, _)) => text = before,
            None => return heap_report::text::cut(text, most),
        }
    }
}

/// Things of another class are as many if so many times as many are no fewer.
const AS_MANY: u64 = 2;
/// Letters of what stands behind a suspect from which there is room for what allocated it.
const ROOM: usize = 32;

/// A suspect in one line: `global.__leak.sessions (Map @78399) holds 1200 Session: 778K, 18.7 % of the heap`. What is too long
/// for two lines of a table says less.
pub fn sentence(suspect: &Suspect) -> String {
    let allocated = |&fit: &Fit| {
        let place = cut_before_place(suspect.allocated.as_ref()?, fit.behind);
        Some(format!("{}, allocated by {place}", sentence_that_fits(suspect, fit)))
    };
    let mut more = FITS.iter().filter(|fit| fit.behind >= ROOM).filter_map(allocated);
    if let Some(said) = more.find(|said| fits(suspect, said)) {
        return said;
    }
    let of = |&fit: &Fit| (sentence_that_fits(suspect, fit), fit);
    let Some((said, fit)) = FITS.iter().map(of).find(|(said, _)| fits(suspect, said)) else {
        return FITS.last().map_or_else(String::new, |&fit| sentence_that_fits(suspect, fit));
    };
    widened(suspect, fit).unwrap_or(said)
}

/// Whether a sentence takes no more than two lines of a table.
fn fits(suspect: &Suspect, said: &str) -> bool {
    let mut row = String::new();
    fold(&mut row, "10. ", &format!("{}: {said}", suspect.level.name()), COLUMNS);
    row.lines().count() <= LINES
}

/// A sentence with as much more of place, class and what is behind as the lines have room for.
fn widened(suspect: &Suspect, mut fit: Fit) -> Option<String> {
    let mut said = None;
    for (most, part) in [
        (PLACE, (|fit: &mut Fit| &mut fit.place) as fn(&mut Fit) -> &mut usize),
        (CLASS, |fit| &mut fit.class),
        (PLACE, |fit| &mut fit.behind),
    ] {
        for letters in (*part(&mut fit) + 1..=most).rev() {
            let mut wider = fit;
            *part(&mut wider) = letters;
            let longer = sentence_that_fits(suspect, wider);
            if fits(suspect, &longer) {
                (fit, said) = (wider, Some(longer));
                break;
            }
        }
    }
    said
}

fn sentence_that_fits(suspect: &Suspect, fit: Fit) -> String {
    // Sizes over several dumps are of both together.
    let (outside, of_it) = match (human_size(suspect.external), if fit.words { " the heap" } else { "" }) {
        _ if suspect.external == 0 => (String::new(), String::new()),
        (bytes, heap) => (format!(" + {bytes} outside{heap}"), format!(" ({bytes} outside{heap})")),
    };
    let share = fit.share(suspect.share, "the heap");
    let size = format!("{}{outside}, {share}", human_size(suspect.retained));
    if let Some(site) = &suspect.site {
        return site_sentence(suspect, site, fit);
    }
    let place =
        if fit.packages { &suspect.place } else { without_first_package(&suspect.place, &suspect.path) };
    let place = end_of(place, fit.place);
    let such = if place.is_empty() { String::new() } else { format!(", such as {place}") };
    let class = fit.class(&suspect.class);
    let number = suspect.id.map_or(0, |(_, number)| number);
    let held = held(suspect, fit);
    match suspect.kind {
        Kind::Duplicates => {
            let waste = match suspect.unseen {
                Unseen::Ends => "strings that begin alike may be equal and waste",
                _ => "equal strings waste",
            };
            let Some(first) = suspect.holds.first() else { return format!("{waste} {size}") };
            let text = sample(&first.class, fit.class);
            let worst = format!("{} times {text} ({})", first.count, human_size(first.retained));
            let is_example = super::waste::is_little(first.retained, suspect.retained);
            let (so, at) = if is_example { (", such as", " at ") } else { (":", ", such as ") };
            let at = if place.is_empty() { String::new() } else { format!("{at}{place}") };
            return format!("{waste} {size}{so} {worst}{at}");
        }
        Kind::Sparse => {
            let Some(held) = held else { return format!("nearly empty arrays waste {size}{such}") };
            if suspect.unseen == Unseen::Numbers {
                return format!("{held} nearly empty or full of small numbers: {size}{such}");
            }
            let (count, class) = held.split_once(' ').unwrap_or(("", &held));
            return format!("{count} nearly empty {class} waste {size}{such}");
        }
        Kind::Detached => {
            // Where no name leads to it, its class stands there.
            let at = if place.is_empty() || suspect.place == suspect.class {
                String::new()
            } else {
                format!(" at {place}")
            };
            let held = held.unwrap_or_default();
            return format!("detached nodes retain {size}: {held}, such as {class} @{number}{at}");
        }
        Kind::Destroyed => {
            let at = if place.is_empty() { String::new() } else { format!(" at {place}") };
            return match suspect.holds.first() {
                Some(of) if of.count > 1 => {
                    let held = held.unwrap_or_default();
                    format!("destroyed and still held: {held}{such}: {size}")
                }
                _ => format!("{class} @{number}{at} is destroyed and still held: {size}"),
            };
        }
        _ => {}
    }
    let whose = if suspect.runtime { ", the runtime's own" } else { "" };
    if suspect.left_over {
        let alone = suspect.holds.first().is_some_and(|of| of.count == 1);
        let spread = if alone { "" } else { " in many places" };
        let at = if place.is_empty() { spread.to_owned() } else { format!(", new ones below {place}") };
        let sizes = course_of(&suspect.history);
        let more = human_size(suspect.growth.unwrap_or(0).unsigned_abs());
        return format!("{}{at}: {sizes} (+{more}){of_it}, {share}{whose}", held.unwrap_or(class));
    }
    // A place without a name is called by its class, which is said once.
    let nameless = place.is_empty() || suspect.id.is_some() && suspect.place == suspect.class;
    let subject = match (suspect.id, nameless) {
        (Some(_), true) => format!("{class} @{number}"),
        // A call is called by its method.
        (Some(_), false) if suspect.class == CALL => place,
        (Some(_), false) if fit.holder == 0 => format!("{place} (@{number})"),
        (Some(_), false) => {
            format!("{place} ({} @{number})", Fit { class: fit.holder, ..fit }.class(&suspect.class))
        }
        (None, true) => String::new(),
        (None, false) => place,
    };
    let courses = suspect.course.filter(|_| suspect.kind == Kind::Growth);
    if let Some(course) = courses {
        let is_short = !fit.words && suspect.level == Level::Leak;
        let verb = if is_short { "grows" } else { grows(course) };
        let held =
            held.map_or(
                String::new(),
                |held| if subject.is_empty() { held } else { format!(" holds {held} and") },
            );
        let sizes = course_of(&suspect.history);
        return format!("{subject}{held} {verb} {sizes}{of_it}: {share}{whose}");
    }
    match (subject.is_empty(), held) {
        (false, Some(held)) => format!("{subject} holds {held}: {size}{whose}"),
        (false, None) => format!("{subject} is {size}{whose}"),
        (true, held) => format!("{} in many places: {size}{whose}", held.unwrap_or(class)),
    }
}

/// A function of a profile in one line: `main.open (sessions.go:18) holds 1794 objects: 7.0M, 97.0 % of the heap, called by
/// main.serve ← main.main`.
fn site_sentence(suspect: &Suspect, site: &Site, fit: Fit) -> String {
    let whole = site.sizes.whole();
    let verb = match site.sizes {
        Sizes::Allocated => "allocated",
        Sizes::Went => "held",
        _ => "holds",
    };
    // Callers go before the function's own place does.
    let (place, callers) = match fit.behind {
        PLACE.. => (fit.behind, fit.behind),
        44.. => (PLACE, fit.behind - 20),
        _ => (fit.place + 12, 0),
    };
    let place = cut_before_place(&suspect.place, place);
    let first = suspect.holds.first();
    let objects = |held: &Holding| match (held.count, held.class.as_str()) {
        (0, _) => String::new(),
        (1, UNTYPED) => " 1 object".to_owned(),
        (n, UNTYPED) => format!(" {n} objects"),
        (n, class) => format!(" {n} {}", fit.class(class)),
    };
    let held = first.map_or(String::new(), objects);
    let share = fit.share(suspect.share, whole);
    let size = human_size(suspect.retained);
    let callers = if site.callers.is_empty() || callers == 0 {
        String::new()
    } else {
        format!(", called by {}", heap_report::text::cut(&site.callers, callers))
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
        Course::Stopped => "grew, then stayed",
        Course::Slowing => "grows ever more slowly",
        Course::Pauses => "grows with pauses",
        Course::Wavers => "goes up and down",
        Course::Flat => "stays",
        Course::Grown => "has grown",
    }
}

/// The beginning of a text in quotes.
fn sample(text: &str, most: usize) -> String {
    let mut out = String::from('"');
    visible(&mut out, &heap_report::text::cut(text, most));
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::super::rows::text;
    use super::*;

    #[test]
    fn long_places_keep_their_first_name() {
        let end_of = |place| end_of(place, PLACE);
        let short = "app.js: shop.orders";
        assert_eq!(end_of(short), short);
        let long = "app.js: preferencesOfAllUsers.administration.values_.observers_";
        assert_eq!(end_of(long), "app.js: preferencesOfAllUsers….values_.observers_");
        let line = "render (app.js:40:12).view.parts.children.listeners.onclick.handlers";
        assert_eq!(end_of(line), "render (app.js:40:12)….children.listeners.onclick.handlers");
        // A point in quotes is no step.
        let quoted =
            r#"shop.js: loadedScripts["/srv/checkout-service/views/cart.js"].listeners.onclick.handlers"#;
        assert_eq!(end_of(quoted), "shop.js: loadedScripts….listeners.onclick.handlers");
        assert_eq!(end_of(&"x".repeat(80)), format!("…{}", "x".repeat(PLACE - 1)));
    }

    #[test]
    fn long_places_lose_outer_classes_before_the_programs_names() {
        let end_of = |place| end_of(place, 48);
        let call = "Shop.main:Shop$OrderService$Archive.ordersByDay.table";
        assert_eq!(end_of(call), "Shop.main:Archive.ordersByDay.table");
        let short = "Shop.main:Shop$OrderService.orders";
        assert_eq!(end_of(short), short);
        let long = "Shop.runTheDailyImports:Shop$OrderServiceOfTheShop.ordersByDay.table";
        assert_eq!(end_of(long), "Shop….ordersByDay.table");
    }

    #[test]
    fn long_places_lose_some_of_several_fields() {
        let end_of = |place| end_of(place, PLACE);
        let fields = "app.js: warehouse.articles (columnsOfAll, filtersOfAll, rowsOfAll)";
        assert_eq!(end_of(fields), "app.js: warehouse.articles (columnsOfAll, filtersOfAll, …)");
        let long = "app.js: warehouse.articlesOfTheWarehouse (columnsOfAllTheArticles, rows)";
        assert_eq!(end_of(long), "app.js: warehouse.articlesOfTheWarehouse");
    }

    #[test]
    fn long_places_lose_the_runtimes_symbols_before_the_programs_names() {
        let end_of = |place| end_of(place, PLACE);
        let symbols = "app.js: camera.archive<symbol kState>.controller<symbol kState>.queue";
        assert_eq!(end_of(symbols), "app.js: camera.archive….controller….queue");
        let both = "app.js: shop<symbol kA><symbol kB>.departments.food.vegetables.prices.byDay";
        assert_eq!(end_of(both), "app.js: shop….departments.food.vegetables.prices.byDay");
    }

    /// A suspect with long names of everything.
    fn long() -> Suspect {
        Suspect {
            kind: Kind::Growth,
            level: Level::Leak,
            id: Some((1, 4_205_933_193)),
            class: "java.util.concurrent.SubmissionPublisher".to_owned(),
            retained: 600_000,
            external: 300_000,
            share: 0.517,
            growth: Some(600_000),
            history: vec![300_000, 600_000, 900_000],
            course: Some(Course::Steady),
            turnover: 0,
            place: "com.example.shop.Weather.main:com.example.shop.Weather$Station.measurements".to_owned(),
            path: Vec::new(),
            holds: vec![Holding {
                class: "com.example.shop.Weather$Dashboard".to_owned(),
                count: 600,
                retained: 1,
                own: true,
            }],
            behind: Some("onMeasurementOfTheWeather (weather-dashboard.js:120:31)".to_owned()),
            allocated: None,
            certain: true,
            runtime: false,
            left_over: false,
            unseen: Unseen::Nothing,
            site: None,
        }
    }

    #[test]
    fn a_row_is_two_lines() {
        let mut suspect = long();
        let lines = |suspect: &Suspect| text(&[(10, suspect.clone())], 80).lines().count();
        assert!(lines(&suspect) <= 2, "{}", text(&[(10, suspect.clone())], 80));
        for kind in
            [Kind::Accumulation, Kind::Duplicates, Kind::Sparse, Kind::Detached, Kind::Destroyed, Kind::Class]
        {
            suspect.kind = kind;
            assert!(lines(&suspect) <= 2, "{}", text(&[(10, suspect.clone())], 80));
        }
        suspect.site = Some(Site {
            sizes: Sizes::InUse,
            callers: "main.serve ← main.handle ← main.main ← x".repeat(4),
        });
        assert!(lines(&suspect) <= 2, "{}", text(&[(10, suspect.clone())], 80));
    }

    #[test]
    fn what_is_in_functions_is_not_their_name() {
        let mut suspect = long();
        suspect.holds[0].class = "(closure)".to_owned();
        suspect.behind = Some("onTick (a.js:1)".to_owned());
        assert!(sentence(&suspect).contains("600 (closure) onTick (a.js:1)"));
        suspect.behind = Some("82 Base (a.js:1)".to_owned());
        assert!(sentence(&suspect).contains("600 (closure) → 82 Base (a.js:1)"));
    }

    #[test]
    fn of_a_class_new_objects_have_a_place_and_not_all() {
        let mut suspect = long();
        suspect.left_over = true;
        suspect.place = "app.js: seen".to_owned();
        assert!(sentence(&suspect).contains(", new ones below app.js: seen: "), "{}", sentence(&suspect));
    }

    #[test]
    fn the_file_goes_before_the_name_that_stands_in_it() {
        assert_eq!(end_of("sse-subscribers.js: subscribers", 28), "subscribers");
        assert_eq!(end_of("app.js: shop.departments.food.prices", 24), "app.js: shop….prices");
    }

    #[test]
    fn packages_go_before_names_do() {
        assert_eq!(without_package("java.util.HashMap"), "HashMap");
        assert_eq!(without_package("a.b.Shop$Order[]"), "Shop$Order[]");
        assert_eq!(without_package("blink::Vector<blink::Page>"), "Vector<blink::Page>");
        assert_eq!(without_package("(string_cons)"), "(string_cons)");
        let step = |class: &str| PathStep {
            label: None,
            kind: None,
            id: 1,
            number: 1,
            class: class.to_owned(),
            name: None,
            size: 0,
            source: None,
        };
        let thread = "java.lang.Thread \"a.b\".target";
        assert_eq!(without_first_package(thread, &[step("java.lang.Thread")]), "Thread \"a.b\".target");
        assert_eq!(without_first_package("global.cache.Pages", &[step("global")]), "global.cache.Pages");
        assert_eq!(without_first_package("app.js: shop.orders", &[step("Map")]), "app.js: shop.orders");
        assert_eq!(without_package("onTick (app.js:3:4)"), "onTick (app.js:3:4)");
    }

    #[test]
    fn the_line_of_a_function_is_the_last_to_go() {
        let text = "(anonymous) (app.js:7:29) → View";
        assert_eq!(cut_before_place(text, 32), text);
        assert_eq!(cut_before_place(text, 30), "(anonymo… (app.js:7:29) → View");
        assert_eq!(cut_before_place(text, 24), "(app.js:7:29) → View");
        assert_eq!(cut_before_place(text, 16), "(app.js:7:29)");
        assert_eq!(cut_before_place(text, 8), "(anonym…");
        assert_eq!(cut_before_place("(anonymous) (open-calls.js:21:64)", 32), "(open-calls.js:21:64)");
    }

    #[test]
    fn the_name_of_a_class_goes_after_the_line_that_makes_its_objects() {
        let text = "PricePanel (event-target-bus.js:8:14)";
        assert_eq!(cut_before_place(text, 40), text);
        assert_eq!(cut_before_place(text, 36), "PricePanel");
        assert_eq!(cut_before_place(text, 12), "PricePanel");
    }

    #[test]
    fn outer_classes_go_before_names_do() {
        assert_eq!(without_outer("Shop$Order$Line[]"), "Line[]");
        assert_eq!(without_outer("PriceModels$PricePanel$$Lambda$20"), "PricePanel$$Lambda$20");
        assert_eq!(without_outer("Shop$Order$1"), "Order$1");
        for whole in ["Shop", "Shop$1", "$Proxy0", "Shop$$Lambda", "(closure)", "on$Tick (app.js:3:4)"] {
            assert_eq!(without_outer(whole), whole);
        }
        let mut suspect = long();
        suspect.place = "Shop.prices".to_owned();
        suspect.holds[0].class = "PropertyListenersOfThePriceModel$PricePanel$$Lambda".to_owned();
        suspect.behind = Some("4800 StatementsOfConnections$PreparedStatement".to_owned());
        let said = sentence(&suspect);
        assert!(said.contains("600 PricePanel$$Lambda → 4800 PreparedStatement"), "{said}");
    }
}
