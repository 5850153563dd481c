//! Bytes of a dump in order, through one buffer, and what JSON is made of in them.

use crate::{Blob, Error, Result};

/// Bytes read at a time.
const BUFFER: usize = 256 << 10;

/// A cursor over a [`Blob`].
#[derive(Debug)]
pub struct Window<'a> {
    blob: &'a Blob,
    buf: Vec<u8>,
    /// Offset of the buffer's first byte.
    base: u64,
    pos: usize,
    len: usize,
}

impl<'a> Window<'a> {
    /// Begins at `at`.
    pub fn new(blob: &'a Blob, at: u64) -> Self {
        let size = usize::try_from(blob.len().saturating_sub(at)).unwrap_or(BUFFER).clamp(64, BUFFER);
        Self { blob, buf: vec![0; size], base: at, pos: 0, len: 0 }
    }

    /// Offset of the next byte.
    pub fn at(&self) -> u64 {
        self.base + self.pos as u64
    }

    /// The bytes at hand, read on if there are none; empty only at the end of the file.
    #[inline]
    pub fn bytes(&mut self) -> Result<&[u8]> {
        if self.pos == self.len {
            self.base += self.len as u64;
            self.pos = 0;
            self.len = self.blob.read_at(&mut self.buf, self.base)?;
        }
        Ok(&self.buf[self.pos..self.len])
    }

    /// The bytes at hand together with at least one more, read behind them; the same bytes if the file ends.
    /// The buffer grows as the file delivers.
    pub fn more(&mut self) -> Result<&[u8]> {
        if self.pos > 0 {
            self.buf.copy_within(self.pos..self.len, 0);
            self.base += self.pos as u64;
            self.len -= self.pos;
            self.pos = 0;
        } else if self.len == self.buf.len() {
            self.buf.resize(self.buf.len() * 2, 0);
        }
        self.len += self.blob.read_at(&mut self.buf[self.len..], self.base + self.len as u64)?;
        Ok(&self.buf[..self.len])
    }

    /// What is at hand.
    #[inline]
    pub fn held(&self) -> &[u8] {
        &self.buf[self.pos..self.len]
    }

    /// Passes over `n` of the bytes at hand.
    #[inline]
    pub fn advance(&mut self, n: usize) {
        self.pos = (self.pos + n).min(self.len);
    }

    /// Goes on at another offset.
    pub fn jump(&mut self, to: u64) {
        self.base = to;
        self.pos = 0;
        self.len = 0;
    }

    /// Reads on if nothing is at hand, then passes over `n` bytes.
    pub fn advance_in(&mut self, n: usize) -> Result {
        self.bytes()?;
        self.advance(n);
        Ok(())
    }

    /// The next byte, not taken.
    #[inline]
    pub fn peek(&mut self) -> Result<Option<u8>> {
        Ok(self.bytes()?.first().copied())
    }

    /// Passes over blanks; the byte after them, not taken.
    #[inline]
    pub fn blanks(&mut self) -> Result<Option<u8>> {
        loop {
            match self.peek()? {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.advance(1),
                other => return Ok(other),
            }
        }
    }

    /// Goes to the next `byte`; false if there is none, and the window is at the end.
    pub fn find(&mut self, byte: u8) -> Result<bool> {
        loop {
            let bytes = self.bytes()?;
            let n = bytes.len();
            if n == 0 {
                return Ok(false);
            }
            if let Some(i) = memchr::memchr(byte, bytes) {
                self.advance(i);
                return Ok(true);
            }
            self.advance(n);
        }
    }

    /// Passes over a string literal whose opening quote comes next.
    pub fn skip_string(&mut self) -> Result {
        let start = self.at();
        self.advance(1);
        loop {
            let bytes = self.bytes()?;
            let n = bytes.len();
            if n == 0 {
                return Err(Error::at_byte(
                    self.at(),
                    format!("the string from byte {start} on does not end"),
                ));
            }
            match memchr::memchr2(b'"', b'\\', bytes) {
                None => self.advance(n),
                Some(i) if bytes[i] == b'"' => {
                    self.advance(i + 1);
                    return Ok(());
                }
                Some(i) => {
                    self.advance(i + 1);
                    self.advance_in(1)?;
                }
            }
        }
    }

    /// Passes over a JSON value of any shape, without recursion and without looking closely. Returns how deeply
    /// it is nested.
    pub fn skip_value(&mut self) -> Result<u64> {
        let (mut depth, mut deepest) = (0u64, 0u64);
        loop {
            match self.blanks()? {
                Some(b'"') => self.skip_string()?,
                Some(b'{' | b'[') => {
                    depth += 1;
                    deepest = deepest.max(depth);
                    self.advance(1);
                    continue;
                }
                Some(b'}' | b']') if depth > 0 => {
                    depth -= 1;
                    self.advance(1);
                }
                Some(b',' | b':') if depth > 0 => {
                    self.advance(1);
                    continue;
                }
                Some(b'}' | b']' | b',' | b':') => return Err(Error::at_byte(self.at(), "expected a value")),
                Some(_) => self.skip_scalar()?,
                None => return Err(Error::at_byte(self.at(), "ends early")),
            }
            if depth == 0 {
                return Ok(deepest);
            }
        }
    }

    fn skip_scalar(&mut self) -> Result {
        loop {
            let bytes = self.bytes()?;
            let n = bytes.len();
            let end = bytes.iter().position(|b| {
                matches!(b, b',' | b':' | b'}' | b']' | b'{' | b'[' | b'"' | b' ' | b'\n' | b'\r' | b'\t')
            });
            self.advance(end.unwrap_or(n));
            if end.is_some() || n == 0 {
                return Ok(());
            }
        }
    }
}
