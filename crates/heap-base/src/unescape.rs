//! The contents of a JSON string, decoded piece by piece: some tools store a dump as text inside another file.

use std::fs::File;
use std::io::Write;

use crate::error::Kind;
use crate::literal::short_escape;
use crate::spool::{no_room, temporary};
use crate::{Blob, Error, Result};

/// Raw bytes read at a time.
const PIECE: usize = 32 << 10;

/// Decoded bytes kept in memory before they go to a file.
const MEMORY: usize = 32 << 20;

/// Decodes one JSON string, from after its opening quote to its closing one.
#[derive(Debug)]
pub struct Unescape {
    blob: Blob,
    at: u64,
    raw: Vec<u8>,
    pos: usize,
    done: bool,
}

impl Unescape {
    /// Decodes from `start` on, the byte after the opening quote.
    pub fn new(blob: &Blob, start: u64) -> Self {
        Self { blob: blob.clone(), at: start, raw: Vec::new(), pos: 0, done: false }
    }

    /// Decodes all of it: in memory while it is small, else into a file without a name in `TMPDIR`. The second value is
    /// what ended it early; what came before is kept.
    ///
    /// # Errors
    /// If the system cannot read the dump, or write the file.
    pub fn into_blob(mut self) -> Result<(Blob, Option<Error>)> {
        let (mut out, mut file): (Vec<u8>, Option<File>) = (Vec::new(), None);
        let damage = loop {
            let before = out.len();
            match self.read_into(&mut out, before + PIECE) {
                Err(e) if matches!(e.kind(), Kind::Input { .. }) => break Some(e),
                result => result?,
            }
            if out.len() == before {
                break None;
            }
            if out.len() >= MEMORY {
                let file = match &mut file {
                    Some(file) => file,
                    none => none.insert(temporary().map_err(Error::write)?),
                };
                file.write_all(&out).map_err(no_room)?;
                out.clear();
            }
        };
        let blob = match file {
            None => Blob::from_bytes(out),
            Some(mut file) => {
                file.write_all(&out).map_err(no_room)?;
                Blob::from_file(file)?
            }
        };
        Ok((blob, damage))
    }

    fn next_byte(&mut self) -> Result<u8> {
        if self.pos == self.raw.len() {
            self.raw.resize(PIECE, 0);
            let n = self.blob.read_at(&mut self.raw, self.at)?;
            self.raw.truncate(n);
            self.at += n as u64;
            self.pos = 0;
        }
        let byte = self.raw.get(self.pos).copied();
        self.pos += 1;
        byte.ok_or_else(|| {
            self.pos = self.raw.len();
            Error::at_byte(self.at, "the input ends early")
        })
    }

    /// Appends about `want` decoded bytes to `out`, none at the end of the string.
    pub fn read_into(&mut self, out: &mut Vec<u8>, want: usize) -> Result {
        while !self.done && out.len() < want {
            // What needs no decoding goes over in one piece.
            if self.pos < self.raw.len() {
                let rest = &self.raw[self.pos..];
                let n = memchr::memchr2(b'"', b'\\', rest).unwrap_or(rest.len());
                out.extend_from_slice(&rest[..n]);
                self.pos += n;
                if self.pos == self.raw.len() {
                    continue;
                }
            }
            match self.next_byte()? {
                b'"' => self.done = true,
                b'\\' => self.escape(out)?,
                other => out.push(other),
            }
        }
        Ok(())
    }

    fn escape(&mut self, out: &mut Vec<u8>) -> Result {
        match self.next_byte()? {
            b'u' => return self.unit(out),
            letter => out.push(short_escape(letter).unwrap_or(letter)),
        }
        Ok(())
    }

    /// A `\u` escape, or two that make one character.
    fn unit(&mut self, out: &mut Vec<u8>) -> Result {
        let mut unit = self.hex4()?;
        let mut decoded = None;
        while (0xD800..0xDC00).contains(&unit) {
            // Only another \u can complete a high surrogate.
            let (at, pos) = (self.at - self.raw.len() as u64, self.pos);
            let pair = self.next_byte()? == b'\\' && self.next_byte()? == b'u';
            if !pair {
                // Back to where the pair should have begun; a new piece may have been read since.
                self.at = at + pos as u64;
                self.raw.clear();
                self.pos = 0;
                break;
            }
            let low = self.hex4()?;
            if (0xDC00..0xE000).contains(&low) {
                decoded = char::from_u32(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00));
                break;
            }
            push(out, None);
            unit = low;
        }
        push(out, decoded.or_else(|| char::from_u32(unit)));
        Ok(())
    }

    fn hex4(&mut self) -> Result<u32> {
        let mut unit = 0;
        for _ in 0..4 {
            let digit = char::from(self.next_byte()?).to_digit(16);
            unit = unit << 4
                | digit.ok_or_else(|| {
                    let at = self.at - (self.raw.len() - self.pos) as u64 - 1;
                    Error::at_byte(at, "expected four hexadecimal digits")
                })?;
        }
        Ok(unit)
    }
}

/// Appends a character, U+FFFD where there is none.
fn push(out: &mut Vec<u8>, c: Option<char>) {
    let mut buf = [0; 4];
    out.extend_from_slice(c.unwrap_or('\u{fffd}').encode_utf8(&mut buf).as_bytes());
}
