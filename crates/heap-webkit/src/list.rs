//! Flat lists of numbers and addresses, cut into records of some width.

use heap_base::{Blob, Error, Result, Window};

/// A list of records, read value by value. Whatever is no such list is an error with section, record and byte.
#[derive(Debug)]
pub(crate) struct List<'a> {
    win: Window<'a>,
    name: &'static str,
    /// Number of the record at hand, from 1; 0 before the first.
    record: u64,
    /// Whether the next value is the first of its record, whose comma is behind already.
    fresh: bool,
}

impl<'a> List<'a> {
    /// The list whose first byte behind `[` is at `start`.
    pub(crate) fn new(blob: &'a Blob, name: &'static str, start: u64) -> Self {
        Self { win: Window::new(blob, start), name, record: 0, fresh: false }
    }

    /// Whether another record begins.
    pub(crate) fn next(&mut self) -> Result<bool> {
        self.fresh = true;
        self.record += 1;
        match self.win.blanks()? {
            Some(b']') => return Ok(false),
            Some(b',') if self.record > 1 => self.win.advance(1),
            Some(_) if self.record == 1 => {}
            _ => return Err(self.damage("expected a comma")),
        }
        Ok(true)
    }

    /// What comes between two values of a record.
    #[inline]
    fn separate(&mut self) -> Result {
        if std::mem::take(&mut self.fresh) {
            self.win.blanks()?;
            return Ok(());
        }
        match self.win.blanks()? {
            Some(b',') => self.win.advance(1),
            Some(b']') => return Err(self.damage("the list ends within the record")),
            _ => return Err(self.damage("expected a comma")),
        }
        self.win.blanks()?;
        Ok(())
    }

    /// The next value of the record, a whole number.
    #[inline]
    pub(crate) fn int(&mut self) -> Result<u64> {
        self.separate()?;
        let (mut value, mut digits) = (0u64, 0);
        loop {
            let bytes = self.win.bytes()?;
            let (len, mut n) = (bytes.len(), 0);
            while let Some(&b @ b'0'..=b'9') = bytes.get(n) {
                let next = value.checked_mul(10).and_then(|v| v.checked_add(u64::from(b - b'0')));
                let Some(next) = next else { return Err(self.damage("integer beyond 64 bits")) };
                value = next;
                n += 1;
            }
            digits += n;
            self.win.advance(n);
            if n < len || len == 0 {
                break;
            }
        }
        match self.win.peek()? {
            Some(b',' | b']' | b' ' | b'\n' | b'\r' | b'\t') if digits > 0 => Ok(value),
            // The number may go on where the file does not.
            None => Err(self.damage("ends early")),
            Some(b'O') if self.win.held().starts_with(b"Overflowed") => {
                Err(self.damage("a table overflowed, and WebKit stopped writing here"))
            }
            _ => Err(self.damage("expected a whole number")),
        }
    }

    /// The next value of the record, a number below 2^32.
    #[inline]
    pub(crate) fn short(&mut self) -> Result<u32> {
        let n = self.int()?;
        u32::try_from(n).map_err(|_| self.damage(&format!("{n} is beyond 32 bits")))
    }

    /// The next value of the record, an index into `table`.
    #[inline]
    pub(crate) fn index(&mut self, table: &Bound) -> Result<u64> {
        let n = self.int()?;
        if n < table.count || !table.known {
            return Ok(n);
        }
        Err(self.damage(&format!("{} {n} of {}", table.what, table.count)))
    }

    /// The next value of the record, an address as text: `"0x7f00"`.
    pub(crate) fn address(&mut self) -> Result<u64> {
        self.separate()?;
        let start = self.win.at();
        if self.win.peek()? != Some(b'"') {
            return Err(self.damage("expected an address"));
        }
        self.win.advance(1);
        let (mut text, mut n) = ([0; 18], 0);
        while let Some(b) = self.win.peek()?
            && b != b'"'
            && n < text.len()
        {
            text[n] = b;
            n += 1;
            self.win.advance(1);
        }
        match self.win.peek()? {
            Some(b'"') => self.win.advance(1),
            None => return Err(self.damage("ends early")),
            Some(_) => return Err(self.damage_at(start, "expected an address")),
        }
        let digits = std::str::from_utf8(&text[..n]).ok().and_then(|text| text.strip_prefix("0x"));
        let plain = digits.filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
        plain
            .and_then(|digits| u64::from_str_radix(digits, 16).ok())
            .ok_or_else(|| self.damage_at(start, "expected an address"))
    }

    /// Whether the value after `n` others is a text, which no damage hides.
    pub(crate) fn text_after(mut self, n: usize) -> Result<bool> {
        for _ in 0..n {
            self.win.skip_value()?;
            if self.win.blanks()? != Some(b',') {
                return Ok(false);
            }
            self.win.advance(1);
        }
        Ok(self.win.blanks()? == Some(b'"'))
    }

    /// Damage where the list is now.
    #[cold]
    pub(crate) fn damage(&self, what: &str) -> Error {
        self.damage_at(self.win.at(), what)
    }

    fn damage_at(&self, at: u64, what: &str) -> Error {
        Error::at_byte(at, format!("{}: record {}: {what}", self.name, self.record.saturating_sub(1)))
    }
}

/// What indexes into a table stay below.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound {
    /// What an entry is.
    pub(crate) what: &'static str,
    /// How many entries it has.
    pub(crate) count: u64,
    /// Whether that is all of them.
    pub(crate) known: bool,
}
