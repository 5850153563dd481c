//! A window that slides over a snapshot and takes its numbers and texts apart.
//!
//! Numbers are what a snapshot mostly consists of. They are read eight bytes at once without a branch on their
//! length, and passed over sixteen bytes at once by counting the bytes that end one.

use heap_base::{Error, Result};

use crate::source::Source;

/// How many bytes are read at a time; few in tests, so that all sorts of things lie across the border.
const CAPACITY: usize = if cfg!(test) { NEAR + 61 } else { 256 << 10 };

/// Zero bytes kept behind the last byte read, so that a number can be looked at in one piece anywhere.
const PAD: usize = 32;

/// After [`Window::near`] so many bytes lie in the window, unless the snapshot ends before.
pub(crate) const NEAR: usize = 4096;

/// The longest text that is taken in. The VM cuts strings to 128 units and has short names.
const MAX_TEXT: u64 = 256 << 20;

/// The longest form of a number.
const LONGEST: usize = 10;

const STOPS: u64 = 0x8080_8080_8080_8080;

/// Why no more could be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The bytes end before what they should hold.
    Ends,
    /// A number of more than 64 bits or ten bytes.
    Number,
    /// A text of a length that no program has.
    Text,
    /// More classes or fields than any program has.
    Many,
    /// An object's data are of an unknown kind.
    Tag(u64),
    /// Reading failed; the window keeps the error.
    Read,
}

/// The bytes around the place that is being read.
#[derive(Debug)]
pub(crate) struct Window {
    source: Source,
    buf: Vec<u8>,
    /// Offset of `buf[0]` in the snapshot.
    base: u64,
    pos: usize,
    end: usize,
    /// True if `end` is the end of the snapshot.
    last: bool,
    failed: Option<Error>,
}

impl Window {
    /// A window whose next byte is the snapshot's byte `offset`.
    pub(crate) fn new(source: &Source, offset: u64) -> Self {
        let buf = vec![0; CAPACITY + PAD];
        Self { source: source.clone(), buf, base: offset, pos: 0, end: 0, last: false, failed: None }
    }

    /// Offset in the snapshot of the next byte.
    pub(crate) fn offset(&self) -> u64 {
        self.base + self.pos as u64
    }

    /// How many bytes the snapshot still has.
    pub(crate) fn left(&self) -> u64 {
        self.source.len().saturating_sub(self.offset())
    }

    /// Says in words what went wrong while `what` was being read.
    #[cold]
    pub(crate) fn error(&mut self, fault: Fault, what: &str) -> Error {
        if let Some(error) = self.failed.take() {
            return error;
        }
        let here = self.source.place(self.offset().min(self.source.len()));
        match fault {
            Fault::Ends | Fault::Read => {
                Error::at_byte(self.source.place(self.source.len()), format!("{what} ends early"))
            }
            Fault::Number => Error::at_byte(here, format!("{what} holds a number of more than 64 bits")),
            Fault::Text => Error::at_byte(here, format!("{what} holds a text of more than 256 MiB")),
            Fault::Many => Error::at_byte(here, format!("{what} is larger than any program's")),
            Fault::Tag(tag) => Error::at_byte(here, format!("{what} has data of unknown kind {tag}")),
        }
    }

    /// Makes sure that [`NEAR`] bytes or all that is left lie in the window.
    #[inline]
    pub(crate) fn near(&mut self) -> Result<(), Fault> {
        if self.end.saturating_sub(self.pos) < NEAR && !self.last { self.fill(NEAR) } else { Ok(()) }
    }

    #[cold]
    fn fill(&mut self, need: usize) -> Result<(), Fault> {
        if self.pos > self.end {
            return Err(Fault::Ends);
        }
        self.buf.copy_within(self.pos..self.end, 0);
        self.base += self.pos as u64;
        self.end -= self.pos;
        self.pos = 0;
        let full = CAPACITY.max(need);
        if self.buf.len() < full + PAD {
            self.buf.resize(full + PAD, 0);
        }
        match self.source.read_at(&mut self.buf[self.end..full], self.base + self.end as u64) {
            Ok(n) => {
                self.last = self.end + n < full;
                self.end += n;
                self.buf[self.end..self.end + PAD].fill(0);
                Ok(())
            }
            Err(error) => {
                self.failed = Some(error);
                Err(Fault::Read)
            }
        }
    }

    #[inline]
    fn word(&self, at: usize) -> u64 {
        self.buf.get(at..).and_then(|b| b.first_chunk()).map_or(0, |b| u64::from_le_bytes(*b))
    }

    #[inline]
    fn advance(&mut self, n: usize) -> Result<(), Fault> {
        self.pos += n;
        if self.pos > self.end { Err(Fault::Ends) } else { Ok(()) }
    }

    /// The next number, unsigned, which mostly is one byte. It must lie in the window.
    #[inline]
    pub(crate) fn number(&mut self) -> Result<u64, Fault> {
        // A branch that is foreseen costs less than the way through the length: 5 % of a pass over nodes.
        match self.buf.get(self.pos) {
            Some(&byte) if byte < 0x80 => {
                self.advance(1)?;
                Ok(byte.into())
            }
            _ => self.reference(),
        }
    }

    /// The next number, unsigned, of any length. It must lie in the window.
    #[inline]
    pub(crate) fn reference(&mut self) -> Result<u64, Fault> {
        let (n, len) = self.number_at(self.pos)?;
        self.advance(len)?;
        Ok(n)
    }

    /// The number at `at` and its length.
    #[inline]
    fn number_at(&self, at: usize) -> Result<(u64, usize), Fault> {
        let word = self.word(at);
        let stops = !word & STOPS;
        if stops == 0 {
            return self.long_number_at(at);
        }
        // Bits up to the end of the first byte without a continuation bit.
        let bits = stops.trailing_zeros() + 1;
        let word = word & (u64::MAX >> (64 - bits));
        let word = word & 0x007f_007f_007f_007f | (word & 0x7f00_7f00_7f00_7f00) >> 1;
        let word = word & 0x0000_3fff_0000_3fff | (word & 0x3fff_0000_3fff_0000) >> 2;
        let word = word & 0x0fff_ffff | (word & 0x0fff_ffff_0000_0000) >> 4;
        Ok((word, bits as usize / 8))
    }

    #[cold]
    fn long_number_at(&self, at: usize) -> Result<(u64, usize), Fault> {
        let (n, len, last) = self.wide_at(at)?;
        if len == LONGEST && last > 1 { Err(Fault::Number) } else { Ok((n, len)) }
    }

    /// The number at `at` cut to 64 bits, its length and its last byte.
    fn wide_at(&self, at: usize) -> Result<(u64, usize, u8), Fault> {
        let mut n = 0;
        for len in 0..LONGEST {
            let Some(&byte) = self.buf.get(at + len) else { return Err(Fault::Ends) };
            n |= u64::from(byte & 0x7f) << (7 * len);
            if byte < 0x80 {
                return Ok((n, len + 1, byte));
            }
        }
        Err(if at + LONGEST > self.end { Fault::Ends } else { Fault::Number })
    }

    /// The next number read both ways: unsigned and cut to 64 bits, and signed.
    pub(crate) fn integer(&mut self) -> Result<(u64, i64), Fault> {
        let (raw, len, last) = self.wide_at(self.pos)?;
        self.advance(len)?;
        let unused = 64u32.saturating_sub(7 * len as u32);
        let signed = if last & 0x40 != 0 { ((raw << unused) as i64) >> unused } else { raw as i64 };
        Ok((raw, signed))
    }

    /// The next eight bytes, least significant first. They must lie in the window.
    pub(crate) fn eight_bytes(&mut self) -> Result<u64, Fault> {
        let word = self.word(self.pos);
        self.advance(8)?;
        Ok(word)
    }

    /// The first `N` numbers from here, without taking them; 0 for those beyond `count`.
    pub(crate) fn peek<const N: usize>(&mut self, count: u64) -> Result<[u64; N], Fault> {
        const { assert!(N * LONGEST <= NEAR) };
        self.near()?;
        let mut found = [0; N];
        let mut at = self.pos;
        for n in found.iter_mut().take(usize::try_from(count).unwrap_or(N)) {
            let (number, len) = self.number_at(at)?;
            *n = number;
            at += len;
        }
        Ok(found)
    }

    /// Passes over `count` numbers.
    #[inline]
    pub(crate) fn skip_numbers(&mut self, count: u64) -> Result<(), Fault> {
        let mut left = count;
        while left > 0 {
            if self.end.saturating_sub(self.pos) < 16 && !self.last {
                self.fill(NEAR)?;
            }
            if self.pos >= self.end {
                return Err(Fault::Ends);
            }
            let low = !self.word(self.pos) & STOPS;
            let high = !self.word(self.pos + 8) & STOPS;
            // Numbers of ten bytes are looked at one by one: not all of them have 64 bits. They show as a word
            // without an end, or as a long way between the last end of one word and the first of the next.
            let gap = (low.leading_zeros() + high.trailing_zeros()) / 8 + 1;
            if low == 0 || high == 0 || gap >= LONGEST as u32 {
                self.number()?;
                left -= 1;
                continue;
            }
            let (first, second) = (u64::from(ones(low)), u64::from(ones(high)));
            let bits = if first + second <= left {
                left -= first + second;
                128 - high.leading_zeros()
            } else {
                // The last of them ends in one word or the other.
                let (mut stops, more, before) =
                    if left <= first { (low, left, 0) } else { (high, left - first, 64) };
                for _ in 1..more {
                    stops &= stops - 1;
                }
                left = 0;
                before + stops.trailing_zeros() + 1
            };
            // Behind the last byte lie zeros; if they were counted in, this fails.
            self.advance(bits as usize / 8)?;
        }
        Ok(())
    }

    /// Takes a text of `len` bytes into the window and passes over it; its place holds until the window is
    /// moved by `near` or another text. [`NEAR`] bytes behind it are in the window too.
    #[inline]
    pub(crate) fn text(&mut self, len: u64) -> Result<Text, Fault> {
        let room = self.end.saturating_sub(self.pos);
        if len >= (room as u64).saturating_sub(NEAR as u64) && !(self.last && len <= room as u64) {
            self.text_beyond(len)?;
        }
        let text = Text { start: self.pos, len: len as usize };
        self.pos += text.len;
        Ok(text)
    }

    #[cold]
    fn text_beyond(&mut self, len: u64) -> Result<(), Fault> {
        if len > self.left() {
            return Err(Fault::Ends);
        }
        if len > MAX_TEXT {
            return Err(Fault::Text);
        }
        self.fill(len as usize + NEAR)
    }

    /// A text with its length before it.
    pub(crate) fn utf8(&mut self) -> Result<Text, Fault> {
        self.near()?;
        let len = self.number()?;
        self.text(len)
    }

    /// The bytes of a text.
    #[inline]
    pub(crate) fn bytes(&self, text: Text) -> &[u8] {
        self.buf.get(text.start..text.start + text.len).unwrap_or(&[])
    }

    /// Whether these bytes, [`NEAR`] at most, come next.
    pub(crate) fn begins_with(&mut self, bytes: &[u8]) -> Result<bool, Fault> {
        self.near()?;
        Ok(self.buf[self.pos.min(self.end)..self.end].starts_with(bytes))
    }

    /// Reads to the end; how many bytes there are, and whether all of them are zero.
    pub(crate) fn rest(&mut self) -> Result<(u64, bool), Fault> {
        let (mut count, mut zero) = (0, true);
        loop {
            self.near()?;
            let bytes = &self.buf[self.pos.min(self.end)..self.end];
            if bytes.is_empty() {
                return Ok((count, zero));
            }
            count += bytes.len() as u64;
            zero = zero && bytes.iter().all(|&b| b == 0);
            self.pos = self.end;
        }
    }
}

/// How many of the top bits of a word's bytes are set; no other bits are.
#[inline]
const fn ones(stops: u64) -> u32 {
    ((stops >> 7).wrapping_mul(0x0101_0101_0101_0101) >> 56) as u32
}

/// Place of a text in the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Text {
    start: usize,
    len: usize,
}

impl Text {
    /// How many bytes it has.
    pub(crate) fn len(self) -> usize {
        self.len
    }
}
