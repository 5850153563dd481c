//! The `strings` section: literals in order, what they say, and those that mean something to a reader.

use heap_base::json::word;
use heap_base::{Blob, Error, Result, join};
use heap_record::{Sink, Str, StringId};

use crate::ints::{Section, worth_a_thread};
use crate::weak::{self, Names};
use crate::window::Window;

/// Bytes that are looked at to find a place where the section can be cut.
const CUT: usize = if cfg!(test) { 64 } else { 64 << 10 };

/// The strings of a snapshot, as the survey found them; the text stays in the file.
#[derive(Debug, Default)]
pub(crate) struct Strings {
    /// Offset of the first byte after `[`.
    start: u64,
    /// How many stand whole.
    pub(crate) count: u64,
    /// Whether the section was read to its end.
    pub(crate) whole: bool,
    /// Whether any text is written as raw UTF-8, not as escapes.
    pub(crate) raw_utf8: bool,
    /// What the strings mean.
    pub(crate) marks: weak::Marks,
}

impl Strings {
    /// Reads the section from behind its `[` to behind its `]`, where that pays by two threads. The error, if any,
    /// says where it stops being one.
    pub(crate) fn survey(blob: &Blob, win: &mut Window<'_>) -> Result<(Self, Option<Error>)> {
        let start = win.at();
        let rest = Section { name: "strings", start, end: blob.len(), closed: false };
        if worth_a_thread(&rest)
            && let Some((this, end)) = Self::survey_halves(blob, start)?
        {
            win.jump(end);
            return Ok((this, None));
        }
        Self::survey_alone(win)
    }

    /// The survey by two threads, and where the section ends; `None` if something is odd.
    pub(crate) fn survey_halves(blob: &Blob, start: u64) -> Result<Option<(Self, u64)>> {
        let Some(middle) = cut(blob, start)? else { return Ok(None) };
        let part = |from: u64, until: u64| {
            let mut part = Part::default();
            let mut win = Window::new(blob, from);
            // Where it is damaged, one thread says so.
            let ended = part.survey(&mut win, until).ok()?;
            Some((part, ended, win.at()))
        };
        let halves = join(true, || part(start, middle), || part(middle, u64::MAX));
        // The first half comes to the second one's first quote only if that begins a literal.
        let (Some((mut first, false, reached)), Some((second, true, end))) = halves else { return Ok(None) };
        if reached != middle {
            return Ok(None);
        }
        first.add(second);
        Ok(Some((Self { whole: true, ..first.strings(start) }, end)))
    }

    /// The survey by one thread.
    pub(crate) fn survey_alone(win: &mut Window<'_>) -> Result<(Self, Option<Error>)> {
        let start = win.at();
        let mut part = Part::default();
        let outcome = part.survey(win, u64::MAX);
        let this = Self { whole: outcome.is_ok(), ..part.strings(start) };
        match outcome {
            Ok(_) => Ok((this, None)),
            Err(e) => match e.kind() {
                heap_base::error::Kind::Input { .. } => Ok((this, Some(e))),
                _ => Err(e),
            },
        }
    }

    /// Whether a string with this index can be told.
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
        if self.whole { self.count.min(u32::MAX.into()) } else { u32::MAX.into() }
    }

    /// Tells all strings.
    pub(crate) fn tell(&self, blob: &Blob, sink: &mut dyn Sink) -> Result {
        self.tell_those(blob, |_| true, self.count, sink)
    }

    /// Tells the strings with these indexes, which ascend.
    pub(crate) fn tell_some(&self, blob: &Blob, mut indexes: &[u64], sink: &mut dyn Sink) -> Result {
        let end = indexes.last().map_or(0, |&last| last + 1);
        let among = |index| {
            let found = indexes.first() == Some(&index);
            indexes = &indexes[usize::from(found)..];
            found
        };
        self.tell_those(blob, among, end.min(self.count), sink)
    }

    /// Tells those strings before `end` that are `wanted`.
    fn tell_those(
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
        each(&mut win, u64::MAX, |raw, kind| {
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
        })?;
        Ok(())
    }
}

/// What is found in a part of the section.
#[derive(Default)]
struct Part {
    count: u64,
    raw_utf8: bool,
    names: Names,
}

impl Part {
    /// Goes over the literals from the window's place on; see [`each`].
    fn survey(&mut self, win: &mut Window<'_>, until: u64) -> Result<bool> {
        let mut decoder = Decoder::default();
        each(win, until, |raw, kind| {
            self.raw_utf8 |= kind != Kind::Plain && !raw.is_ascii();
            if kind == Kind::Escaped {
                decoder.decode(raw)?;
                self.names.see(self.count, &decoder.bytes);
            } else {
                self.names.see(self.count, raw);
            }
            self.count += 1;
            Ok(true)
        })
    }

    /// Takes up the part that comes behind this one.
    fn add(&mut self, next: Self) {
        self.names.add(self.count, next.names);
        self.count += next.count;
        self.raw_utf8 |= next.raw_utf8;
    }

    /// All strings, if this is the whole section.
    fn strings(self, start: u64) -> Strings {
        let Self { count, raw_utf8, names } = self;
        Strings { start, count, whole: false, raw_utf8, marks: names.marks() }
    }
}

/// A place in the middle of the section that begins at `start` where a literal seems to begin.
fn cut(blob: &Blob, start: u64) -> Result<Option<u64>> {
    let mut text = vec![0; CUT];
    let middle = start + (blob.len() - start) / 2;
    let n = blob.read_at(&mut text, middle)?;
    let found = memchr::memmem::find_iter(&text[..n], b"\",").find_map(|i| match text[i + 2..n] {
        [b'"', ..] => Some(i + 2),
        [b'\n', b'"', ..] => Some(i + 3),
        _ => None,
    });
    Ok(found.map(|i| middle + i as u64))
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

/// Hands the contents of each literal, and what is known of them, to `visit`, until that returns false, a literal
/// begins at `until` or behind, or the section ends: then true, and the window is behind its `]`.
fn each(
    win: &mut Window<'_>,
    until: u64,
    mut visit: impl FnMut(&[u8], Kind) -> Result<bool>,
) -> Result<bool> {
    let mut index = 0u64;
    let damage = |at, index: u64, what: &str| Error::at_byte(at, format!("strings: record {index}: {what}"));
    if win.blanks()? == Some(b']') {
        win.advance(1);
        return Ok(true);
    }
    loop {
        // Nearly all are plain, and followed by the next one.
        while win.at() < until
            && let held = win.held()
            && let Some(end) = plain(held)
            && let Some(comma) = comma(&held[end + 1..])
        {
            if !visit(&held[1..end], Kind::Plain)? {
                win.advance(end + 1);
                return Ok(false);
            }
            win.advance(end + 1 + comma);
            index += 1;
        }
        match win.blanks()? {
            Some(b'"') if win.at() >= until => return Ok(false),
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
            return Ok(false);
        }
        match win.blanks()? {
            Some(b',') => {
                win.advance(1);
                win.blanks()?;
            }
            Some(b']') => {
                win.advance(1);
                return Ok(true);
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

const BAD_ESCAPE: &str = "expected an escape sequence of JSON";

/// Decodes the contents of a literal, keeping what is not Unicode.
#[derive(Debug, Default)]
struct Decoder {
    /// The text in UTF-8, with U+FFFD for lone surrogates, and the bytes of the file where they are not UTF-8.
    bytes: Vec<u8>,
    /// Lone surrogates: position in `bytes` of their U+FFFD, and the unit.
    lone: Vec<(usize, u16)>,
    /// Scratch of [`text`](Self::text) where the text is not valid.
    lossy: String,
}

impl Decoder {
    fn decode(&mut self, raw: &[u8]) -> Result {
        self.bytes.clear();
        self.lone.clear();
        let mut at = 0;
        while let Some(rest) = raw.get(at..) {
            let Some(i) = memchr::memchr(b'\\', rest) else {
                self.bytes.extend_from_slice(rest);
                break;
            };
            self.bytes.extend_from_slice(&rest[..i]);
            at += i;
            let bad = || Error::at_byte(at as u64, BAD_ESCAPE);
            let byte = match raw.get(at + 1) {
                Some(&b @ (b'"' | b'\\' | b'/')) => b,
                Some(b'b') => 8,
                Some(b'f') => 12,
                Some(b'n') => b'\n',
                Some(b'r') => b'\r',
                Some(b't') => b'\t',
                Some(b'u') => {
                    let unit = unit(raw, at).ok_or_else(bad)?;
                    at += 6;
                    let low = match unit {
                        0xD800..=0xDBFF => unit_if_low(raw, at),
                        _ => None,
                    };
                    at += if low.is_some() { 6 } else { 0 };
                    let decoded = char::decode_utf16(std::iter::once(unit).chain(low)).next();
                    let c = if let Some(Ok(c)) = decoded {
                        c
                    } else {
                        self.lone.push((self.bytes.len(), unit));
                        char::REPLACEMENT_CHARACTER
                    };
                    self.bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                    continue;
                }
                _ => return Err(bad()),
            };
            self.bytes.push(byte);
            at += 2;
        }
        Ok(())
    }

    /// The decoded text. Where it is not exact, appends the members that are to `rest`.
    fn text(&mut self, rest: &mut Vec<u8>) -> &str {
        if std::str::from_utf8(&self.bytes).is_err() {
            self.lossy = String::from_utf8_lossy(&self.bytes).into_owned();
            for &(at, unit) in &self.lone {
                // As a surrogate would be encoded; U+FFFD takes three bytes as well.
                let exact =
                    [0xE0 | (unit >> 12) as u8, 0x80 | (unit >> 6 & 63) as u8, 0x80 | (unit & 63) as u8];
                self.bytes[at..at + 3].copy_from_slice(&exact);
            }
            hex_member(rest, "bytes", self.bytes.iter().copied());
            return &self.lossy;
        }
        let text = std::str::from_utf8(&self.bytes).unwrap_or_default();
        if !self.lone.is_empty() {
            let mut lone = self.lone.iter().peekable();
            let units = text.char_indices().flat_map(|(at, c)| {
                let exact = lone.next_if(|l| l.0 == at).map(|l| l.1);
                let mut pair = [0; 2];
                let n = match exact {
                    Some(unit) => {
                        pair[0] = unit;
                        1
                    }
                    None => c.encode_utf16(&mut pair).len(),
                };
                pair.into_iter().take(n)
            });
            hex_member(rest, "utf16", units.flat_map(u16::to_be_bytes));
        }
        text
    }
}

/// The unit of the `\uXXXX` at `at`.
fn unit(raw: &[u8], at: usize) -> Option<u16> {
    let digits = raw.get(at + 2..at + 6)?;
    digits.iter().try_fold(0, |unit, &b| Some(unit << 4 | char::from(b).to_digit(16)? as u16))
}

/// The low surrogate escaped at `at`, if there is one.
fn unit_if_low(raw: &[u8], at: usize) -> Option<u16> {
    if raw.get(at..at + 2) != Some(b"\\u") {
        return None;
    }
    unit(raw, at).filter(|unit| (0xDC00..=0xDFFF).contains(unit))
}

fn hex_member(out: &mut Vec<u8>, key: &str, bytes: impl Iterator<Item = u8>) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    out.extend_from_slice(b"\"heap\":{\"");
    out.extend_from_slice(key.as_bytes());
    out.extend_from_slice(b"\":\"");
    out.extend(bytes.flat_map(|b| [HEX[usize::from(b >> 4)], HEX[usize::from(b & 15)]]));
    out.extend_from_slice(b"\"}");
}
