//! The `strings` section: literals in order, what they say, and those that mean something to a reader.

use heap_record::{Blob, Error, Result, Sink, Str, StringId};

use crate::weak::{self, Names};
use crate::window::Window;

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
    /// Reads the section from behind its `[` to behind its `]`. The error, if any, says where it stops being one.
    pub(crate) fn survey(win: &mut Window<'_>) -> Result<(Self, Option<Error>)> {
        let mut this = Self { start: win.at(), ..Self::default() };
        let mut decoder = Decoder::default();
        let mut names = Names::default();
        let outcome = each(win, |raw, escaped| {
            this.raw_utf8 |= !raw.is_ascii();
            if escaped {
                decoder.decode(raw)?;
                names.see(this.count, &decoder.bytes);
            } else {
                names.see(this.count, raw);
            }
            this.count += 1;
            Ok(true)
        });
        this.marks = names.marks();
        match outcome {
            Ok(()) => {
                this.whole = true;
                Ok((this, None))
            }
            Err(e) => match e.kind() {
                heap_record::error::Kind::Input { .. } => Ok((this, Some(e))),
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
        each(&mut win, |raw, escaped| {
            if wanted(index) {
                // Canonical as it stands: no escapes but the short ones, nothing that should be escaped.
                let data = match std::str::from_utf8(raw) {
                    Ok(text) if canonical(raw, escaped) => heap_record::Data::Escaped(text),
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

/// Whether the contents of a literal are what the canonical writer would write.
#[inline]
fn canonical(raw: &[u8], escaped: bool) -> bool {
    // Without early exit, so that it runs on 16 bytes at a time.
    if raw.iter().fold(0xFF, |least: u8, &b| least.min(b)) < 0x20 {
        return false;
    }
    if !escaped {
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

/// Hands the contents of each literal, and whether it has a backslash, to `visit`, until that returns false or
/// the section ends; the window is then behind its `]`.
fn each(win: &mut Window<'_>, mut visit: impl FnMut(&[u8], bool) -> Result<bool>) -> Result {
    let mut index = 0u64;
    let damage = |at, index: u64, what: &str| Error::at_byte(at, format!("strings: record {index}: {what}"));
    if win.blanks()? == Some(b']') {
        win.advance(1);
        return Ok(());
    }
    loop {
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
        let on = match visit(&win.held()[1..end], escaped) {
            Ok(on) => on,
            Err(e) => match e.kind() {
                // The decoder knows only where in the literal.
                heap_record::error::Kind::Input { place: heap_record::Place::Byte(offset), what }
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
            Some(b',') => win.advance(1),
            Some(b']') => {
                win.advance(1);
                return Ok(());
            }
            Some(_) => return Err(damage(win.at(), index, "expected a comma")),
            None => return Err(damage(win.at(), index, "ends early")),
        }
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
