//! UTF-16 as UTF-8.

use std::io::{self, Read};

/// Bytes read at a time.
const PIECE: usize = 32 << 10;

/// Which byte of a unit comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// The lower one.
    Little,
    /// The higher one.
    Big,
}

/// The order of the bytes in `head`, if that is JSON in UTF-16: a byte order mark says it, or the first two characters,
/// which are ASCII in all JSON that is longer than a number.
pub(super) fn order(head: &[u8]) -> Option<Order> {
    match *head {
        [0xFF, 0xFE, rest, 0, ..] if rest != 0 => Some(Order::Little),
        [0xFE, 0xFF, 0, rest, ..] if rest != 0 => Some(Order::Big),
        [b'{' | b'[' | b'"', 0, rest, 0, ..] if rest.is_ascii() && rest != 0 => Some(Order::Little),
        [0, b'{' | b'[' | b'"', 0, rest, ..] if rest.is_ascii() && rest != 0 => Some(Order::Big),
        _ => None,
    }
}

/// Gives text in UTF-16 as UTF-8, without its byte order mark. A lone surrogate becomes an escape, which is the
/// same to readers of JSON.
pub(super) struct Utf16<R> {
    input: R,
    order: Order,
    /// Bytes read; the last may be half a unit.
    raw: Vec<u8>,
    /// The first half of a pair, while the second has not come.
    high: Option<u16>,
    /// What was decoded, and how much of that was given.
    text: Vec<u8>,
    at: usize,
    first: bool,
}

impl<R: Read> Utf16<R> {
    pub(super) fn new(input: R, order: Order) -> Self {
        Self { input, order, raw: Vec::new(), high: None, text: Vec::new(), at: 0, first: true }
    }

    /// Decodes the next piece; none at the end.
    fn fill(&mut self) -> io::Result<()> {
        self.text.clear();
        self.at = 0;
        while self.text.is_empty() {
            let kept = self.raw.len();
            self.raw.resize(PIECE, 0);
            let result = self.input.read(&mut self.raw[kept..]);
            self.raw.truncate(kept + *result.as_ref().unwrap_or(&0));
            if result? == 0 {
                if !self.raw.is_empty() {
                    self.raw.clear();
                    return Err(super::damaged("text in UTF-16 ends within a character"));
                }
                self.alone();
                return Ok(());
            }
            let (units, rest) = self.raw.as_chunks::<2>();
            let rest = rest.to_vec();
            let order = self.order;
            let units: Vec<u16> =
                units
                    .iter()
                    .map(|&unit| {
                        if order == Order::Little {
                            u16::from_le_bytes(unit)
                        } else {
                            u16::from_be_bytes(unit)
                        }
                    })
                    .collect();
            self.raw = rest;
            for unit in units {
                self.unit(unit);
            }
        }
        Ok(())
    }

    fn unit(&mut self, unit: u16) {
        if std::mem::take(&mut self.first) && unit == 0xFEFF {
            return;
        }
        if unit < 0x80 && self.high.is_none() {
            self.text.push(unit as u8);
            return;
        }
        if let Some(high) = self.high
            && let Some(Ok(c)) = char::decode_utf16([high, unit]).next()
        {
            self.high = None;
            self.text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            return;
        }
        self.alone();
        match char::from_u32(unit.into()) {
            Some(c) => self.text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            None => self.high = Some(unit),
        }
        // Only a high surrogate can wait for the other half.
        if self.high.is_some_and(|unit| unit >= 0xDC00) {
            self.alone();
        }
    }

    /// Writes a surrogate whose other half did not come.
    fn alone(&mut self) {
        if let Some(unit) = self.high.take() {
            super::texts::escape(unit, &mut self.text);
        }
    }
}

impl<R: Read> Read for Utf16<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.at == self.text.len() {
            self.fill()?;
        }
        let n = (&self.text[self.at..]).read(buf)?;
        self.at += n;
        Ok(n)
    }
}
