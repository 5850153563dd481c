//! The contents of string literals, without loss: lone surrogates and bytes that are not UTF-8 are kept beside the text.

use heap_base::{Error, Result};

pub(super) const BAD_ESCAPE: &str = "expected an escape sequence of JSON";

/// Decodes the contents of a literal, keeping what is not Unicode.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    /// The text in UTF-8, with U+FFFD for lone surrogates, and the bytes of the file where they are not UTF-8.
    pub(super) bytes: Vec<u8>,
    /// Lone surrogates: position in `bytes` of their U+FFFD, and the unit.
    lone: Vec<(usize, u16)>,
    /// Scratch of [`text`](Self::text) where the text is not valid.
    lossy: String,
}

impl Decoder {
    pub(super) fn decode(&mut self, raw: &[u8]) -> Result {
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
    pub(super) fn text(&mut self, rest: &mut Vec<u8>) -> &str {
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
