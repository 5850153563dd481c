//! The `strings` section: literals in order, what they say, and those that mean something to a reader.

use heap_base::json::word;
use heap_base::{Blob, Error, Result};
use heap_record::{Sink, Str, StringId};

use super::decode::{BAD_ESCAPE, Decoder};
use super::window::Window;
use crate::layout::marks::Marks;

/// The strings of a snapshot, as the scan found them; the text stays in the file.
#[derive(Debug, Default)]
pub(crate) struct Strings {
    /// Offset of the first byte after `[`.
    start: u64,
    /// How many are intact.
    pub(crate) count: u64,
    /// Whether the section was read to its end.
    pub(crate) intact: bool,
    /// Whether any text is written as raw UTF-8, not as escapes.
    pub(crate) raw_utf8: bool,
    /// What the strings mean.
    pub(crate) marks: Marks,
}

impl Strings {
    /// Reads the section from behind its `[` to behind its `]`. The error, if any, says where it stops being one.
    pub(crate) fn scan(win: &mut Window<'_>) -> Result<(Self, Option<Error>)> {
        let mut this = Self { start: win.at(), ..Self::default() };
        let mut decoder = Decoder::default();
        let outcome = each(win, |raw, kind| {
            this.raw_utf8 |= kind != Kind::Plain && !raw.is_ascii();
            if kind == Kind::Escaped {
                decoder.decode(raw)?;
                this.marks.add(&decoder.bytes);
            } else {
                this.marks.add(raw);
            }
            this.count += 1;
            Ok(true)
        });
        this.intact = outcome.is_ok();
        match outcome {
            Ok(()) => Ok((this, None)),
            Err(e) if matches!(e.kind(), heap_base::error::Kind::Input { .. }) => Ok((this, Some(e))),
            Err(e) => Err(e),
        }
    }

    /// The string id of an index, if there is such a string.
    #[inline]
    pub(crate) fn id(&self, index: u64) -> Option<StringId> {
        (index < self.count).then_some(index as StringId)
    }

    /// What the indexes of strings that are there stay below.
    pub(crate) fn known(&self) -> u64 {
        self.count.min(u32::MAX.into())
    }

    /// The largest string index that is not known to be wrong.
    pub(crate) fn limit(&self) -> u64 {
        if self.intact { self.count.min(u32::MAX.into()) } else { u32::MAX.into() }
    }

    /// Emits all strings.
    pub(crate) fn emit(&self, blob: &Blob, sink: &mut dyn Sink) -> Result {
        self.emit_those(blob, |_| true, self.count, sink)
    }

    /// Emits the strings with these indexes, which ascend.
    pub(crate) fn emit_some(&self, blob: &Blob, mut indexes: &[u64], sink: &mut dyn Sink) -> Result {
        let end = indexes.last().map_or(0, |&last| last + 1);
        let among = |index| {
            let found = indexes.first() == Some(&index);
            indexes = &indexes[usize::from(found)..];
            found
        };
        self.emit_those(blob, among, end.min(self.count), sink)
    }

    /// Emits those strings before `end` that are `wanted`.
    fn emit_those(
        &self,
        blob: &Blob,
        mut wanted: impl FnMut(u64) -> bool,
        end: u64,
        sink: &mut dyn Sink,
    ) -> Result {
        if end == 0 {
            return Ok(());
        }
        let mut win = Window::new(blob, self.start);
        let mut decoder = Decoder::default();
        let mut rest = Vec::new();
        let mut index = 0;
        each(&mut win, |raw, kind| {
            if wanted(index) {
                // Canonical as it stands: no escapes but the short ones, nothing that should be escaped.
                let data = match std::str::from_utf8(raw) {
                    Ok(text) if canonical(raw, kind) => heap_record::Data::Escaped(text),
                    _ => {
                        decoder.decode(raw)?;
                        rest.clear();
                        heap_record::Data::Plain(decoder.text(&mut rest))
                    }
                };
                sink.string(&Str { id: index as StringId, data, rest: &rest, ..Str::default() })?;
                rest.clear();
            }
            index += 1;
            Ok(index < end)
        })
    }
}

/// What is known of a literal's contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// They are ASCII, and each byte stands for itself.
    Plain,
    /// They have no backslash.
    Unescaped,
    /// They have one.
    Escaped,
}

/// Where the contents of the literal at the start of `bytes` end, if they are plain; there is text behind them.
#[inline]
fn plain(bytes: &[u8]) -> Option<usize> {
    if bytes.first() != Some(&b'"') {
        return None;
    }
    let mut end = 1;
    loop {
        let length = word(*bytes.get(end..)?.first_chunk()?);
        end += length;
        if length < 16 {
            return (bytes[end] == b'"').then_some(end);
        }
    }
}

/// Whether the contents of a literal are what the canonical writer would write.
#[inline]
fn canonical(raw: &[u8], kind: Kind) -> bool {
    if kind == Kind::Plain {
        return true;
    }
    // Without early exit, so that it runs on 16 bytes at a time.
    if raw.iter().fold(0xFF, |least: u8, &b| least.min(b)) < 0x20 {
        return false;
    }
    if kind == Kind::Unescaped {
        return true;
    }
    let mut rest = raw;
    while let Some(i) = memchr::memchr(b'\\', rest) {
        if !matches!(rest.get(i + 1), Some(b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't')) {
            return false;
        }
        rest = rest.get(i + 2..).unwrap_or(&[]);
    }
    true
}

/// Hands the contents of each literal, and what is known of them, to `visit`, until that returns false or the section
/// ends: then the window is behind its `]`.
fn each(win: &mut Window<'_>, mut visit: impl FnMut(&[u8], Kind) -> Result<bool>) -> Result {
    let mut index = 0u64;
    let damage = |at, index: u64, what: &str| Error::at_byte(at, format!("strings: record {index}: {what}"));
    if win.blanks()? == Some(b']') {
        win.advance(1);
        return Ok(());
    }
    loop {
        // Nearly all are plain, and followed by the next one.
        while let held = win.held()
            && let Some(end) = plain(held)
            && let Some(comma) = comma(&held[end + 1..])
        {
            if !visit(&held[1..end], Kind::Plain)? {
                win.advance(end + 1);
                return Ok(());
            }
            win.advance(end + 1 + comma);
            index += 1;
        }
        match win.blanks()? {
            Some(b'"') => {}
            Some(_) => return Err(damage(win.at(), index, "expected a string")),
            None => return Err(damage(win.at(), index, "ends early")),
        }
        // The whole literal must be at hand; the buffer grows for one that is longer.
        let (mut from, mut escaped) = (1, false);
        let end = loop {
            let held = win.held();
            match held.get(from..).and_then(|h| memchr::memchr2(b'"', b'\\', h)) {
                Some(i) if held[from + i] == b'"' => break from + i,
                Some(i) => {
                    escaped = true;
                    from += i + 2;
                }
                None => {
                    let n = held.len();
                    from = from.max(n);
                    if win.more()?.len() == n {
                        let at = win.at() + n as u64;
                        return Err(damage(at, index, "ends early"));
                    }
                }
            }
        };
        let at = win.at();
        let kind = if escaped { Kind::Escaped } else { Kind::Unescaped };
        let on = match visit(&win.held()[1..end], kind) {
            Ok(on) => on,
            Err(e) => match e.kind() {
                // The decoder knows only where in the literal.
                heap_base::error::Kind::Input { place: heap_base::Place::Byte(offset), what }
                    if what == BAD_ESCAPE =>
                {
                    return Err(damage(at + 1 + offset, index, what));
                }
                _ => return Err(e),
            },
        };
        win.advance(end + 1);
        index += 1;
        if !on {
            return Ok(());
        }
        match win.blanks()? {
            Some(b',') => {
                win.advance(1);
                win.blanks()?;
            }
            Some(b']') => {
                win.advance(1);
                return Ok(());
            }
            Some(_) => return Err(damage(win.at(), index, "expected a comma")),
            None => return Err(damage(win.at(), index, "ends early")),
        }
    }
}

/// The length of what separates a literal from the next one, as V8 writes it.
#[inline]
fn comma(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [b',', b'\n', b'"', ..] => Some(2),
        [b',', b'"', ..] => Some(1),
        _ => None,
    }
}
