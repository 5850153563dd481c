//! String literals of JSON: where they end, and what they say, without loss. Lone surrogates and bytes that are not UTF-8
//! are kept beside the text.

use crate::error::Kind;
use crate::json::word;
use crate::{Error, Place, Result, Window};

const BAD_ESCAPE: &str = "expected an escape sequence of JSON";

/// Decodes the contents of a literal, keeping what is not Unicode.
#[derive(Debug, Default)]
pub struct Decoder {
    /// The text in UTF-8, with U+FFFD for lone surrogates, and the bytes of the file where they are not UTF-8.
    bytes: Vec<u8>,
    /// Lone surrogates: position in `bytes` of their U+FFFD, and the unit.
    lone: Vec<(usize, u16)>,
    /// Scratch of [`text`](Self::text) where the text is not valid.
    lossy: String,
}

impl Decoder {
    /// Decodes `raw`, the contents of a literal without the quotes: UTF-8, with U+FFFD for lone surrogates, and the bytes
    /// themselves where they are not UTF-8.
    ///
    /// # Errors
    /// An escape that JSON does not have, with its place in `raw`.
    pub fn decode(&mut self, raw: &[u8]) -> Result<&[u8]> {
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
                letter => letter.and_then(|&letter| short_escape(letter)).ok_or_else(bad)?,
            };
            self.bytes.push(byte);
            at += 2;
        }
        Ok(&self.bytes)
    }

    /// The text that was [decoded](Self::decode). Where it is not exact, appends the members that are to `rest`:
    /// `"heap":{"utf16":"d800"}` or `"heap":{"bytes":"ff"}`.
    pub fn text(&mut self, rest: &mut Vec<u8>) -> &str {
        if std::str::from_utf8(&self.bytes).is_err() {
            self.lossy = String::from_utf8_lossy(&self.bytes).into_owned();
            for &(at, unit) in &self.lone {
                // As a surrogate would be encoded; U+FFFD takes three bytes as well.
                let exact =
                    [0xE0 | (unit >> 12) as u8, 0x80 | (unit >> 6 & 63) as u8, 0x80 | (unit & 63) as u8];
                self.bytes[at..at + 3].copy_from_slice(&exact);
            }
            exact_form(rest, "bytes", self.bytes.iter().copied());
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
            exact_form(rest, "utf16", units.flat_map(u16::to_be_bytes));
        }
        text
    }
}

/// The byte that a backslash and this letter stand for; none for `u` and what JSON does not have.
pub const fn short_escape(letter: u8) -> Option<u8> {
    Some(match letter {
        b'"' | b'\\' | b'/' => letter,
        b'b' => 8,
        b'f' => 12,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        _ => return None,
    })
}

/// The unit of the `\uXXXX` at `at`.
pub fn unit(raw: &[u8], at: usize) -> Option<u16> {
    let digits = raw.get(at + 2..at + 6)?;
    digits.iter().try_fold(0, |unit, &b| Some(unit << 4 | char::from(b).to_digit(16)? as u16))
}

/// The low surrogate escaped at `at`, if there is one.
pub fn unit_if_low(raw: &[u8], at: usize) -> Option<u16> {
    if raw.get(at..at + 2) != Some(b"\\u") {
        return None;
    }
    unit(raw, at).filter(|unit| (0xDC00..=0xDFFF).contains(unit))
}

/// Appends the member of a string record that has a text in its exact form: `"heap":{"utf16":"d800"}`.
pub fn exact_form(out: &mut Vec<u8>, key: &str, bytes: impl Iterator<Item = u8>) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    out.extend_from_slice(b"\"heap\":{\"");
    out.extend_from_slice(key.as_bytes());
    out.extend_from_slice(b"\":\"");
    out.extend(bytes.flat_map(|b| [HEX[usize::from(b >> 4)], HEX[usize::from(b & 15)]]));
    out.extend_from_slice(b"\"}");
}

/// What is known of a literal's contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contents {
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
pub fn canonical(raw: &[u8], kind: Contents) -> bool {
    if kind == Contents::Plain {
        return true;
    }
    // Without early exit, so that it runs on 16 bytes at a time.
    if raw.iter().fold(0xFF, |least: u8, &b| least.min(b)) < 0x20 {
        return false;
    }
    if kind == Contents::Unescaped {
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

/// Reads a list of literals from behind its `[`. Hands the contents of each, and what is known of them, to `visit`, until
/// that returns false or the list ends: then the window is behind its `]`.
///
/// # Errors
/// What is no list of literals, with `section`, the number of the literal and its place; those of `visit`, and of
/// [`Decoder::decode`] in it with their place in the file.
pub fn each(
    win: &mut Window<'_>,
    section: &str,
    mut visit: impl FnMut(&[u8], Contents) -> Result<bool>,
) -> Result {
    let mut index = 0u64;
    let damage =
        |at, index: u64, what: &str| Error::at_byte(at, format!("{section}: record {index}: {what}"));
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
            if !visit(&held[1..end], Contents::Plain)? {
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
        let kind = if escaped { Contents::Escaped } else { Contents::Unescaped };
        let on = match visit(&win.held()[1..end], kind) {
            Ok(on) => on,
            Err(e) => match e.kind() {
                // The decoder knows only where in the literal.
                Kind::Input { place: Place::Byte(offset), what } if what == BAD_ESCAPE => {
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
