//! A pull scanner for JSON over a window of the input: no tree, no recursion, memory for one window and one string.
//!
//! What is read is checked as far as it is used. What is skipped is only balanced: inside an object nothing but
//! braces and strings counts, inside an array nothing but brackets and strings. For valid JSON this finds the same
//! end as a full parser, and it lets `memchr` jump over long runs of numbers.

use heap_base::json::digits8;
use heap_base::{Blob, Error, Result, Unescape};

/// Bytes of input held at a time.
const WINDOW: usize = 128 << 10;

/// Longest text that is taken in; a longer name is damage, not a name.
const LONGEST: usize = 16 << 20;

/// Where a scanner's bytes come from.
#[derive(Debug)]
enum Source {
    /// A part of the input.
    Plain { blob: Blob, at: u64, end: u64 },
    /// The contents of a JSON string of the input, decoded.
    Text { text: Unescape, start: u64 },
    /// Nothing more.
    Done,
}

/// See the module's description.
#[derive(Debug)]
pub(crate) struct Scanner {
    source: Source,
    window: Vec<u8>,
    pos: usize,
    /// Offset of the window's first byte.
    base: u64,
    scratch: Vec<u8>,
}

/// A number as read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    /// A whole number in −2^64 < n < 2^64; sign and magnitude.
    Int(bool, u64),
    /// Anything else.
    Float(f64),
}

impl Number {
    /// As an identifier: negative numbers wrap, so −1 and 2^64 − 1 are the same.
    pub(crate) fn id(self) -> u64 {
        match self {
            Self::Int(false, n) => n,
            Self::Int(true, n) => n.wrapping_neg(),
            Self::Float(x) => x as i64 as u64,
        }
    }

    /// As bytes or a count; `None` if it is negative or not finite.
    pub(crate) fn amount(self) -> Option<u64> {
        match self {
            Self::Int(negative, n) => (!negative || n == 0).then_some(n),
            Self::Float(x) => (x >= 0.0 && x.is_finite()).then_some(x as u64),
        }
    }

    /// As a signed number, saturating.
    pub(crate) fn signed(self) -> i64 {
        match self {
            Self::Int(false, n) => i64::try_from(n).unwrap_or(i64::MAX),
            Self::Int(true, n) => i64::try_from(n).map_or(i64::MIN, |n| -n),
            Self::Float(x) => x as i64,
        }
    }

    /// As a float.
    pub(crate) fn float(self) -> f64 {
        match self {
            Self::Int(false, n) => n as f64,
            Self::Int(true, n) => -(n as f64),
            Self::Float(x) => x,
        }
    }
}

impl Scanner {
    /// Scans `blob` from `start` up to `end`.
    pub(crate) fn new(blob: &Blob, start: u64, end: u64) -> Self {
        Self::over(Source::Plain { blob: blob.clone(), at: start, end: end.min(blob.len()) }, start)
    }

    /// Scans the contents of the JSON string whose opening quote is at `start`.
    pub(crate) fn within_string(blob: &Blob, start: u64) -> Self {
        Self::over(Source::Text { text: Unescape::new(blob, start + 1), start }, 0)
    }

    /// Scans the bytes that a file begins with.
    pub(crate) fn over_head(head: &[u8]) -> Self {
        Self { window: head.to_vec(), ..Self::over(Source::Done, 0) }
    }

    fn over(source: Source, base: u64) -> Self {
        Self { source, window: Vec::new(), pos: 0, base, scratch: Vec::new() }
    }

    /// Offset of the next byte.
    pub(crate) fn offset(&self) -> u64 {
        self.base + self.pos as u64
    }

    /// Damage at the next byte.
    #[cold]
    pub(crate) fn damage(&self, what: &str) -> Error {
        self.damage_at(self.offset(), what)
    }

    /// Damage at an offset of this scanner.
    #[cold]
    pub(crate) fn damage_at(&self, offset: u64, what: &str) -> Error {
        match self.source {
            Source::Text { start, .. } => {
                Error::at_byte(start, format!("in the text that starts here, at its byte {offset}: {what}"))
            }
            _ => Error::at_byte(offset, what),
        }
    }

    #[cold]
    fn early(&self) -> Error {
        self.damage("the input ends early")
    }

    /// Reads the next window if this one is used up. False at the end of the input.
    #[inline]
    fn fill(&mut self) -> Result<bool> {
        if self.pos < self.window.len() { Ok(true) } else { self.refill() }
    }

    #[cold]
    fn refill(&mut self) -> Result<bool> {
        self.base += self.window.len() as u64;
        self.pos = 0;
        match &mut self.source {
            Source::Plain { blob, at, end } => {
                let want = usize::try_from(end.saturating_sub(*at)).unwrap_or(WINDOW).min(WINDOW);
                self.window.resize(want, 0);
                let n = blob.read_at(&mut self.window, *at)?;
                self.window.truncate(n);
                *at += n as u64;
            }
            Source::Text { text, .. } => {
                self.window.clear();
                text.read_into(&mut self.window, WINDOW)?;
            }
            Source::Done => self.window.clear(),
        }
        Ok(!self.window.is_empty())
    }

    /// Skips blanks; the next byte, or `None` at the end of the input.
    #[inline]
    pub(crate) fn peek(&mut self) -> Result<Option<u8>> {
        loop {
            while let Some(&b) = self.window.get(self.pos) {
                if !matches!(b, b' ' | b'\n' | b'\r' | b'\t') {
                    return Ok(Some(b));
                }
                self.pos += 1;
            }
            if !self.refill()? {
                return Ok(None);
            }
        }
    }

    /// Skips blanks; the next byte, which must be there.
    #[inline]
    pub(crate) fn next_token(&mut self) -> Result<u8> {
        match self.peek()? {
            Some(b) => Ok(b),
            None => Err(self.early()),
        }
    }

    /// Takes `byte`, or reports that `what` was expected.
    #[inline]
    pub(crate) fn expect(&mut self, byte: u8, what: &str) -> Result {
        if self.next_token()? == byte {
            self.pos += 1;
            return Ok(());
        }
        Err(self.damage(&format!("expected {what}")))
    }

    /// Takes the opening brace or bracket `open` if it comes next; skips any other value and says false.
    #[inline]
    pub(crate) fn enter(&mut self, open: u8) -> Result<bool> {
        if self.next_token()? == open {
            self.pos += 1;
            return Ok(true);
        }
        self.skip()?;
        Ok(false)
    }

    /// The same where it is `wanted`; skips the value where it is not.
    #[inline]
    pub(crate) fn enter_if(&mut self, wanted: bool, open: u8) -> Result<bool> {
        if wanted {
            return self.enter(open);
        }
        self.skip()?;
        Ok(false)
    }

    /// Goes to the next element of a container that `close` ends, over the comma. False at its end, which is taken.
    /// `first` starts as true and belongs to the caller's loop.
    #[inline]
    pub(crate) fn element(&mut self, first: &mut bool, close: u8) -> Result<bool> {
        let b = self.next_token()?;
        if b == close {
            self.pos += 1;
            return Ok(false);
        }
        if std::mem::take(first) {
            return Ok(true);
        }
        if b != b',' {
            return Err(self.damage("expected a comma"));
        }
        self.pos += 1;
        self.next_token()?;
        Ok(true)
    }

    /// Goes to the next member of an object and takes its key and colon. `None` at the object's end, which is taken.
    #[inline]
    pub(crate) fn key(&mut self, first: &mut bool) -> Result<Option<&[u8]>> {
        if !self.element(first, b'}')? {
            return Ok(None);
        }
        let start = self.pos;
        let whole = self.string_end_in_window();
        // The colon mostly follows in the same window; then the key need not be copied.
        if let Some(end) = whole
            && self.window.get(end + 1) == Some(&b':')
        {
            self.pos = end + 2;
            return Ok(Some(&self.window[start + 1..end]));
        }
        self.copy_string()?;
        self.expect(b':', "a colon")?;
        Ok(Some(&self.scratch))
    }

    /// Goes to the next member of an object, as [`key`](Self::key) does, and says which of `names` its key is:
    /// empty for any other key.
    #[inline]
    pub(crate) fn member(
        &mut self,
        first: &mut bool,
        names: &[&'static str],
    ) -> Result<Option<&'static str>> {
        let Some(key) = self.key(first)? else { return Ok(None) };
        Ok(Some(names.iter().find(|name| name.as_bytes() == key).unwrap_or(&"")))
    }

    /// If a string without escapes starts here and ends in this window: the position of its closing quote.
    #[inline]
    fn string_end_in_window(&self) -> Option<usize> {
        let rest = &self.window[self.pos..];
        if rest.first() != Some(&b'"') {
            return None;
        }
        let n = quote_or_backslash(&rest[1..])?;
        (rest[n + 1] == b'"').then_some(self.pos + n + 1)
    }

    /// Takes a string. Bytes that are not UTF-8 are left as they are.
    #[inline]
    pub(crate) fn string(&mut self) -> Result<&[u8]> {
        self.next_token()?;
        if let Some(end) = self.string_end_in_window() {
            let start = self.pos + 1;
            self.pos = end + 1;
            return Ok(&self.window[start..end]);
        }
        self.copy_string()?;
        Ok(&self.scratch)
    }

    /// Takes a string and decodes it into the scratch buffer.
    fn copy_string(&mut self) -> Result {
        self.expect(b'"', "a string")?;
        let start = self.offset();
        self.scratch.clear();
        let mut escaped = false;
        loop {
            if !self.fill()? {
                return Err(self.early());
            }
            let rest = &self.window[self.pos..];
            let n = quote_or_backslash(rest);
            self.scratch.extend_from_slice(&rest[..n.unwrap_or(rest.len())]);
            self.pos += n.unwrap_or(rest.len());
            if self.scratch.len() > LONGEST {
                return Err(self.damage_at(start, "a name of more than 16 MiB"));
            }
            if n.is_none() {
                continue;
            }
            if self.window[self.pos] == b'"' {
                self.pos += 1;
                break;
            }
            // A backslash and what it escapes.
            escaped = true;
            for _ in 0..2 {
                if !self.fill()? {
                    return Err(self.early());
                }
                self.scratch.push(self.window[self.pos]);
                self.pos += 1;
            }
        }
        if escaped {
            let text = String::from_utf8_lossy(&self.scratch).into_owned();
            let plain = heap_base::json::unescape(&text);
            self.scratch.clear();
            self.scratch.extend_from_slice(plain.as_bytes());
        }
        Ok(())
    }

    /// Takes a string as text; U+FFFD replaces what is not Unicode.
    pub(crate) fn text(&mut self) -> Result<std::borrow::Cow<'_, str>> {
        Ok(String::from_utf8_lossy(self.string()?))
    }

    /// Takes a number.
    #[inline]
    pub(crate) fn number(&mut self) -> Result<Number> {
        self.next_token()?;
        // Mostly it is a few digits that end in this window.
        let mut n = 0u64;
        for (i, &b) in self.window[self.pos..].iter().take(20).enumerate() {
            let digit = b.wrapping_sub(b'0');
            if digit > 9 {
                if i == 0 || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-') {
                    break;
                }
                self.pos += i;
                return Ok(Number::Int(false, n));
            }
            n = n.wrapping_mul(10).wrapping_add(u64::from(digit));
        }
        self.any_number()
    }

    #[cold]
    fn any_number(&mut self) -> Result<Number> {
        let start = self.offset();
        self.scratch.clear();
        while self.fill()? {
            let b = self.window[self.pos];
            if !matches!(b, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E') || self.scratch.len() > 64 {
                break;
            }
            self.scratch.push(b);
            self.pos += 1;
        }
        let text = std::str::from_utf8(&self.scratch).unwrap_or("");
        let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        if !digits.starts_with('+')
            && let Ok(n) = digits.parse::<u64>()
        {
            return Ok(Number::Int(negative, n));
        }
        match text.parse::<f64>() {
            Ok(x) if !digits.starts_with(['+', '.']) => Ok(Number::Float(x)),
            _ => Err(self.damage_at(start, "expected a number")),
        }
    }

    /// Takes the rest of an array of numbers whose bracket was taken; calls `each` with every number.
    #[inline]
    pub(crate) fn numbers(&mut self, mut each: impl FnMut(Number)) -> Result {
        let mut first = true;
        while self.element(&mut first, b']')? {
            each(self.number()?);
            // Plain numbers are read without the checks of `element` and `number`, as far as this window goes.
            let mut rest = &self.window[self.pos..];
            while let Some((n, behind)) = plain_number(rest) {
                each(Number::Int(false, n));
                rest = behind;
            }
            self.pos = self.window.len() - rest.len();
        }
        Ok(())
    }

    /// Skips a value of any kind.
    #[inline]
    pub(crate) fn skip(&mut self) -> Result {
        match self.next_token()? {
            b'"' => {
                self.pos += 1;
                self.skip_string()
            }
            b'{' => {
                self.pos += 1;
                self.skip_rest(b'{', b'}')
            }
            b'[' => {
                self.pos += 1;
                self.skip_rest(b'[', b']')
            }
            b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => {
                while self.fill()? {
                    let b = self.window[self.pos];
                    if !(b.is_ascii_alphanumeric() || matches!(b, b'-' | b'+' | b'.')) {
                        break;
                    }
                    self.pos += 1;
                }
                Ok(())
            }
            _ => Err(self.damage("expected a value")),
        }
    }

    /// Skips to after the closing quote.
    fn skip_string(&mut self) -> Result {
        loop {
            if !self.fill()? {
                return Err(self.early());
            }
            let rest = &self.window[self.pos..];
            let Some(n) = quote_or_backslash(rest) else {
                self.pos = self.window.len();
                continue;
            };
            self.pos += n + 1;
            if rest[n] == b'"' {
                return Ok(());
            }
            if !self.fill()? {
                return Err(self.early());
            }
            self.pos += 1;
        }
    }

    /// From inside an object or array to after its end.
    pub(crate) fn skip_rest(&mut self, open: u8, close: u8) -> Result {
        let mut depth = 1u64;
        loop {
            if !self.fill()? {
                return Err(self.early());
            }
            // Short gaps first: between the strings of ordinary events lie one to three bytes.
            let rest = &self.window[self.pos..];
            let near = rest.iter().take(8).position(|&b| b == b'"' || b == open || b == close);
            let found = match near {
                Some(n) => Some(n),
                None => memchr::memchr3(b'"', open, close, rest),
            };
            let Some(n) = found else {
                self.pos = self.window.len();
                continue;
            };
            let b = rest[n];
            self.pos += n + 1;
            if b == b'"' {
                self.skip_string()?;
            } else if b == open {
                depth += 1;
            } else {
                depth -= 1;
                if depth == 0 {
                    return Ok(());
                }
            }
        }
    }
}

/// The number of up to seven digits right behind a comma, up to a comma or a bracket, and that with what follows it.
#[inline]
fn plain_number(text: &[u8]) -> Option<(u64, &[u8])> {
    let bytes @ [b',', eight @ ..] = text.first_chunk::<9>()? else { return None };
    let (n, digits @ 1..=7) = digits8(u64::from_le_bytes(*eight)) else { return None };
    matches!(bytes[1 + digits], b',' | b']').then(|| (n, &text[1 + digits..]))
}

/// Position of the first quote or backslash.
///
/// Keys and names are short, so the first bytes are checked eight at a time before `memchr` is called: on ordinary
/// events that is a third fewer instructions.
#[inline]
fn quote_or_backslash(bytes: &[u8]) -> Option<usize> {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    // Nonzero if a byte is zero; the lowest bit set is exact.
    let zero = |word: u64| word.wrapping_sub(ONES) & !word & (ONES << 7);
    let (words, _) = bytes.as_chunks::<8>();
    for (i, word) in words.iter().take(4).enumerate() {
        let word = u64::from_le_bytes(*word);
        let found = zero(word ^ (ONES * u64::from(b'"'))) | zero(word ^ (ONES * u64::from(b'\\')));
        if found != 0 {
            return Some(8 * i + found.trailing_zeros() as usize / 8);
        }
    }
    let looked_at = 8 * words.len().min(4);
    Some(looked_at + memchr::memchr2(b'"', b'\\', &bytes[looked_at..])?)
}
