//! Version 1: text, put together by the compiler (2016.04 to 2017.08), one table a line.
//!
//! The JSON in it is not always valid: its writer escapes quotes and backslashes only if the first such character
//! is not the first of the string, and line breaks never. So it is read leniently: a string ends at a quote that
//! is followed by what may follow a string.

use heap_base::json::unescape;
use heap_base::{Blob, Error, Result};
use heap_record::{Fact, Info, Sink, SnapshotSelector};

use crate::bytes::Cursor;
use crate::emit::{Emitter, MAX_STRING};
use crate::rows::{BATCH, Columns, Refs, Rows, Snapshot, Source, totals};
use crate::{choose, plan};

/// Bytes read ahead.
const AHEAD: usize = 64 << 10;
/// Longer than any row: six numbers of 20 digits with their separators.
const LONGEST_ROW: usize = 160;

/// The part of a line after its keyword.
#[derive(Clone, Copy, Debug)]
struct Span {
    start: u64,
    end: u64,
    /// False if the file ends within the line.
    intact: bool,
}

#[derive(Clone, Debug, Default)]
struct Tables {
    collectables: Option<Span>,
    references: Option<Span>,
}

impl Tables {
    fn intact(&self) -> bool {
        let intact = |span: Option<Span>| span.is_some_and(|s| s.intact);
        intact(self.collectables) && intact(self.references)
    }
}

/// Where the tables are.
#[derive(Debug, Default)]
struct Layout {
    strings: Option<Span>,
    types: Option<Span>,
    frames: Option<Span>,
    snapshots: Vec<Tables>,
    damage: Option<Error>,
}

/// True if the text begins as version 1 does.
pub(crate) fn sniff(head: &[u8]) -> bool {
    let mut lines = head.split(|&b| b == b'\n').map(<[u8]>::trim_ascii_start);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"#"));
    first
        .and_then(|line| line.strip_prefix(b"strings:"))
        .is_some_and(|rest| rest.trim_ascii_start().starts_with(b"["))
}

/// Finds the tables by the first words of lines.
fn layout(blob: &Blob) -> Result<Layout> {
    let mut cursor = Cursor::new(blob, 0, blob.len(), 4 * AHEAD);
    let mut layout = Layout::default();
    let mut in_strings = false;
    while cursor.left() > 0 {
        let at = cursor.position();
        let head: Vec<u8> = cursor.peek(32)?.iter().copied().take(32).collect();
        let intact = skip_line(&mut cursor)?;
        let end = cursor.position() - u64::from(intact);
        let span = |word: &[u8]| {
            head.starts_with(word).then_some(Span { start: at + word.len() as u64, end, intact })
        };
        if in_strings && !head.starts_with(b"types:") {
            // A line break within a string.
            if let Some(strings) = &mut layout.strings {
                (strings.end, strings.intact) = (end, intact);
            }
        } else if let Some(strings) = span(b"strings:") {
            layout.strings = Some(strings);
            in_strings = true;
        } else if let Some(types) = span(b"types:") {
            layout.types = Some(types);
            in_strings = false;
        } else if let Some(frames) = span(b"static_frames:") {
            layout.frames = Some(frames);
        } else if head.starts_with(b"snapshot ") {
            layout.snapshots.push(Tables::default());
        } else if let Some(rows) = span(b"collectables:") {
            if let Some(last) = layout.snapshots.last_mut() {
                last.collectables = Some(rows);
            }
        } else if let Some(rows) = span(b"references:") {
            if let Some(last) = layout.snapshots.last_mut() {
                last.references = Some(rows);
            }
        } else if !matches!(head.first(), None | Some(b'#' | b'\n' | b'\r')) && layout.damage.is_none() {
            layout.damage = Some(Error::at_byte(at, "expected a table"));
        }
    }
    if layout.damage.is_none() && layout.snapshots.iter().any(|s| !s.intact()) {
        layout.damage = Some(Error::at_byte(blob.len(), "a snapshot ends early"));
    }
    if layout.damage.is_none() && layout.snapshots.is_empty() && layout.frames.is_none_or(|f| !f.intact) {
        layout.damage = Some(Error::at_byte(blob.len(), "a table ends early"));
    }
    Ok(layout)
}

/// Skips the rest of the line; true if it ends in a line feed.
fn skip_line(cursor: &mut Cursor<'_>) -> Result<bool> {
    loop {
        let bytes = cursor.peek(1)?;
        if bytes.is_empty() {
            return Ok(false);
        }
        let found = memchr::memchr(b'\n', bytes);
        let n = found.map_or(bytes.len(), |i| i + 1);
        cursor.advance(n);
        if found.is_some() {
            return Ok(true);
        }
    }
}

/// Emits the picked snapshots.
pub(crate) fn read(blob: &Blob, pick: SnapshotSelector, sink: &mut dyn Sink) -> Result {
    let mut layout = layout(blob)?;
    let intact: Vec<bool> = layout.snapshots.iter().map(Tables::intact).collect();
    let chosen = choose(pick, &intact)?;
    let bytes = |t: &Tables| {
        [t.collectables, t.references].into_iter().flatten().map(|s| s.end - s.start).sum::<u64>()
    };
    plan(blob, blob.len() + layout.snapshots[chosen.clone()].iter().map(bytes).sum::<u64>());
    let mut emitter = Emitter::new(sink);
    if !matches!(pick, SnapshotSelector::Number(n) if intact.get(n as usize) == Some(&true)) {
        emitter.damage.note(layout.damage.take());
    }

    emitter.head(pick, "1")?;
    if pick != SnapshotSelector::All && !chosen.is_empty() {
        emitter.snapshot(pick, chosen.start, layout.snapshots.len())?;
    }
    emitter.declare()?;
    let mut named = !emitter.wants_tables();
    for n in chosen {
        if pick == SnapshotSelector::All {
            emitter.snapshot(pick, n, layout.snapshots.len())?;
        }
        if !std::mem::replace(&mut named, true) {
            names(blob, &layout, &mut emitter)?;
        }
        emitter.graph(n as u64, &V1 { blob, tables: &layout.snapshots[n] })?;
        emitter.tables()?;
    }
    emitter.damage.result()
}

fn names(blob: &Blob, layout: &Layout, emitter: &mut Emitter<'_>) -> Result {
    if let Some(span) = layout.strings {
        strings(blob, span, emitter)?;
    }
    let mut room = true;
    if let Some(span) = layout.types {
        let mut rows = Numbers::new(blob, Some(span));
        while let Some(row) = rows.next()? {
            room &= emitter.add_type(row);
        }
        emitter.damage.note(rows.damage);
    }
    if let Some(span) = layout.frames {
        let mut rows = Numbers::new(blob, Some(span));
        while let Some(row) = rows.next()? {
            room &= emitter.add_frame(row);
        }
        emitter.damage.note(rows.damage);
    }
    if !room {
        emitter.damage.note(Some(Error::input("a table has too many rows")));
    }
    Ok(())
}

/// Emits the strings in `span`.
fn strings(blob: &Blob, span: Span, emitter: &mut Emitter<'_>) -> Result {
    let mut cursor = Cursor::new(blob, span.start, span.end, AHEAD);
    let mut text = Vec::new();
    loop {
        let at = cursor.position();
        match cursor.take::<1>()? {
            Some([b'[' | b',' | b' ' | b'\n' | b'\r']) => {}
            Some([b'"']) => {
                if !string(&mut cursor, &mut text)? {
                    emitter.damage.note(Some(Error::at_byte(at, "a string does not end")));
                    return Ok(());
                }
                emitter.string(&text)?;
            }
            Some([b']']) => return Ok(()),
            _ => {
                emitter.damage.note(Some(Error::at_byte(at, "expected a string")));
                return Ok(());
            }
        }
    }
}

/// Reads the rest of a string after its first quote; false if it does not end.
fn string(cursor: &mut Cursor<'_>, text: &mut Vec<u8>) -> Result<bool> {
    text.clear();
    let mut escaped = false;
    // What is not valid JSON was not escaped at all.
    let mut literal = false;
    while text.len() <= MAX_STRING {
        let bytes = cursor.peek(8)?;
        let Some(special) = memchr::memchr2(b'"', b'\\', bytes) else {
            if bytes.is_empty() {
                return Ok(false);
            }
            text.extend_from_slice(bytes);
            let n = bytes.len();
            cursor.advance(n);
            continue;
        };
        text.extend_from_slice(&bytes[..special]);
        cursor.advance(special);
        let bytes = cursor.peek(8)?;
        if let Some(after) = bytes.strip_prefix(b"\"") {
            if ends_string(after) {
                cursor.advance(1);
                if escaped
                    && !literal
                    && let Ok(plain) = std::str::from_utf8(text).map(|t| unescape(t).into_owned())
                {
                    *text = plain.into_bytes();
                }
                return Ok(true);
            }
            literal = true;
            text.push(b'"');
            cursor.advance(1);
            continue;
        }
        // A lone backslash as the first and only character.
        if text.is_empty() && bytes.strip_prefix(b"\\\"").is_some_and(ends_string) {
            text.push(b'\\');
            cursor.advance(2);
            return Ok(true);
        }
        escaped = true;
        let pair = bytes.len().min(2);
        literal |= !bytes.get(1).is_some_and(|b| b"\"\\/bfnrtu".contains(b));
        text.extend_from_slice(&bytes[..pair]);
        cursor.advance(pair);
    }
    Ok(false)
}

/// True if what follows a quote shows that the quote ended a string.
fn ends_string(after: &[u8]) -> bool {
    match after {
        [b',', rest @ ..] => rest.trim_ascii_start().starts_with(b"\""),
        [b']', rest @ ..] => rest.trim_ascii_start().is_empty(),
        _ => false,
    }
}

/// Rows of numbers: `1,2,3;4,5,6`.
struct Numbers<'a> {
    cursor: Cursor<'a>,
    intact: bool,
    damage: Option<Error>,
}

impl<'a> Numbers<'a> {
    fn new(blob: &'a Blob, span: Option<Span>) -> Self {
        let span = span.unwrap_or(Span { start: 0, end: 0, intact: true });
        Self { cursor: Cursor::new(blob, span.start, span.end, AHEAD), intact: span.intact, damage: None }
    }

    /// The next row, or nothing at the end and at damage.
    fn next<const N: usize>(&mut self) -> Result<Option<[u64; N]>> {
        if self.damage.is_some() {
            return Ok(None);
        }
        let at = self.cursor.position();
        let bytes = self.cursor.peek(LONGEST_ROW)?;
        let end = memchr::memchr(b';', &bytes[..bytes.len().min(LONGEST_ROW)]);
        let row = bytes[..end.unwrap_or(bytes.len())].trim_ascii();
        let read = end.map_or(bytes.len(), |n| n + 1);
        if row.is_empty() && end.is_none() {
            return Ok(None);
        }
        let parsed = parse(row);
        let last = end.is_none();
        self.cursor.advance(read);
        if parsed.is_none() || (last && (!self.intact || self.cursor.left() > 0)) {
            let what = if last && !self.intact { "a table ends early" } else { "expected a row of numbers" };
            self.damage = Some(Error::at_byte(at, what));
            return Ok(None);
        }
        Ok(parsed)
    }
}

fn parse<const N: usize>(row: &[u8]) -> Option<[u64; N]> {
    let mut out = [0u64; N];
    let mut fields = row.split(|&b| b == b',');
    for out in &mut out {
        let field = fields.next()?.trim_ascii();
        if field.is_empty() {
            return None;
        }
        for &b in field {
            let digit = b.wrapping_sub(b'0');
            if digit > 9 {
                return None;
            }
            *out = out.checked_mul(10)?.checked_add(digit.into())?;
        }
    }
    fields.next().is_none().then_some(out)
}

/// Facts about the file and its snapshots, from the lines of both tables.
///
/// # Errors
/// Failures of reading.
pub(crate) fn info(blob: &Blob) -> Result<Info> {
    let layout = layout(blob)?;
    let mut info = Info {
        format: "moarvm.mvmheap",
        version: Some("1".into()),
        producer: Some("MoarVM 2016.04 to 2017.08".into()),
        series: true,
        ..Info::default()
    };
    info.facts.extend(layout.damage.as_ref().map(|e| ("damage", Fact::Text(e.to_string()))));
    for tables in &layout.snapshots {
        let bytes = |span: Option<Span>| Fact::Bytes(span.map_or(0, |s| s.end - s.start));
        let mut facts = vec![
            ("collectables_text", bytes(tables.collectables)),
            ("references_text", bytes(tables.references)),
        ];
        if tables.intact() {
            facts.extend(totals(&V1 { blob, tables }, None)?);
        } else {
            facts.push(("whole", Fact::Flag(false)));
        }
        info.snapshots.push(facts);
    }
    Ok(info)
}

struct V1<'a> {
    blob: &'a Blob,
    tables: &'a Tables,
}

impl Snapshot for V1<'_> {
    fn rows(&self, columns: Columns) -> Result<Box<dyn Source<Rows> + '_>> {
        Ok(Box::new(RowLine { numbers: Numbers::new(self.blob, self.tables.collectables), columns }))
    }

    fn refs(&self) -> Result<Box<dyn Source<Refs> + '_>> {
        Ok(Box::new(RefLine { numbers: Numbers::new(self.blob, self.tables.references) }))
    }

    fn plausible(&self) -> u64 {
        u64::MAX
    }
}

struct RowLine<'a> {
    numbers: Numbers<'a>,
    columns: Columns,
}

impl Source<Rows> for RowLine<'_> {
    fn next(&mut self, batch: &mut Rows) -> Result {
        batch.clear();
        while batch.kind.len() < BATCH {
            let Some([kind, owner, size, external, start, count]) = self.numbers.next()? else { break };
            batch.kind.push(kind);
            if self.columns.facts {
                batch.owner.push(owner);
                batch.size.push(size);
                batch.external.push(external);
            }
            if self.columns.ranges {
                batch.start.push(start);
                batch.count.push(count);
            }
        }
        Ok(())
    }

    fn damage(&mut self) -> Option<Error> {
        self.numbers.damage.take()
    }
}

struct RefLine<'a> {
    numbers: Numbers<'a>,
}

impl Source<Refs> for RefLine<'_> {
    fn next(&mut self, batch: &mut Refs) -> Result {
        batch.clear();
        while batch.target.len() < BATCH {
            let at = self.numbers.cursor.position();
            let Some([kind, index, target]) = self.numbers.next()? else { break };
            if kind > 3 || index >> 62 != 0 {
                self.numbers.damage = Some(Error::at_byte(at, "expected a reference"));
                break;
            }
            batch.descr.push(index << 2 | kind);
            batch.target.push(target);
        }
        Ok(())
    }

    fn damage(&mut self) -> Option<Error> {
        self.numbers.damage.take()
    }
}
