//! What strings of a JSON text say, one behind the other.

use std::io::{self, Read};

use heap_base::literal::{short_escape, unit, unit_if_low};

use super::damaged;

/// Bytes read at a time.
const PIECE: usize = 64 << 10;

/// An escape, with another one that completes it.
const LONGEST: usize = 12;

/// A longer key is none of those that are looked for.
const MOST_KEY: usize = 64;

/// Which strings of `head` may hold a document, by their key; `None` are strings without one. Each that begins as an object,
/// or as a string of one, once.
pub(super) fn candidates(head: &[u8], most: usize) -> Vec<Option<Vec<u8>>> {
    let mut found = Vec::new();
    let (mut at, mut key) = (0, None);
    for _ in 0..most {
        let Some(quote) = memchr::memchr(b'"', &head[at..]) else { break };
        let between = &head[at..at + quote];
        let start = at + quote + 1;
        let end = end(head, start);
        let text = &head[start..end];
        let valued = between.trim_ascii() == b":";
        let named = if valued { key.take() } else { None };
        let like = text.trim_ascii_start().starts_with(b"{") || text.starts_with(b"\\\"{");
        // A text that no colon stands before or behind is an item, or all there is.
        let follows = head.get(end + 1..).and_then(|rest| rest.iter().find(|b| !b.is_ascii_whitespace()));
        let is_key = !valued && follows == Some(&b':');
        if like && !is_key && !found.contains(&named) {
            found.push(named);
        }
        key = is_key.then(|| text.to_vec());
        at = (end + 1).min(head.len());
    }
    found
}

/// Where the literal whose contents begin at `start` ends: its quote, or the end of the line or the text.
pub(super) fn end(text: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(i) = text.get(at..).and_then(|rest| memchr::memchr3(b'"', b'\\', b'\n', rest)) {
        if text[at + i] != b'\\' {
            return at + i;
        }
        at += i + 2;
    }
    text.len()
}

/// Where the reading is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Between strings.
    Between,
    /// In one that is wanted.
    Wanted,
    /// In another.
    Other,
}

/// Gives what the strings of a JSON text say that are values of `key`; without a key all that are no members of an object.
pub(super) struct Texts<R> {
    input: R,
    key: Option<Vec<u8>>,
    raw: Vec<u8>,
    pos: usize,
    len: usize,
    ended: bool,
    state: State,
    /// Contents of the last string that may be a key.
    last: Vec<u8>,
    /// Whether a colon has come since.
    colon: bool,
    /// Objects that are open.
    objects: u64,
    text: Vec<u8>,
    given: usize,
    /// What ends it, once `text` is given.
    failed: Option<io::Error>,
}

impl<R: Read> Texts<R> {
    pub(super) fn new(input: R, key: Option<Vec<u8>>) -> Self {
        Self {
            input,
            key,
            raw: vec![0; PIECE],
            pos: 0,
            len: 0,
            ended: false,
            state: State::Between,
            last: Vec::new(),
            colon: false,
            objects: 0,
            text: Vec::new(),
            given: 0,
            failed: None,
        }
    }

    /// Reads on if an escape could be cut off.
    fn refill(&mut self) -> io::Result<()> {
        while !self.ended && self.len - self.pos < LONGEST {
            self.raw.copy_within(self.pos..self.len, 0);
            self.len -= self.pos;
            self.pos = 0;
            match self.input.read(&mut self.raw[self.len..])? {
                0 => self.ended = true,
                n => self.len += n,
            }
        }
        Ok(())
    }

    /// Goes on by one step in what is at hand. False at the end of the input.
    fn step(&mut self) -> io::Result<bool> {
        self.refill()?;
        let rest = &self.raw[self.pos..self.len];
        let Some(&first) = rest.first() else {
            if self.state == State::Wanted {
                return Err(damaged("a string that holds part of the dump ends early"));
            }
            return Ok(false);
        };
        if self.state == State::Between {
            match first {
                b'"' => {
                    let wanted = match &self.key {
                        Some(key) => self.colon && self.last == *key,
                        None => self.objects == 0,
                    };
                    self.state = if wanted { State::Wanted } else { State::Other };
                    self.last.clear();
                    self.colon = false;
                }
                b':' => self.colon = true,
                b' ' | b'\t' | b'\n' | b'\r' => {}
                _ => {
                    self.objects += u64::from(first == b'{');
                    self.objects = self.objects.saturating_sub(u64::from(first == b'}'));
                    self.colon = false;
                    self.last.clear();
                }
            }
            self.pos += 1;
            return Ok(true);
        }
        // What needs no decoding goes over in one piece.
        let plain = memchr::memchr3(b'"', b'\\', b'\n', rest).unwrap_or(rest.len());
        if plain > 0 {
            self.put(plain);
            return Ok(true);
        }
        match first {
            b'\\' => self.unescape()?,
            b'"' => {
                self.state = State::Between;
                self.pos += 1;
            }
            // JSON has no line breaks in strings, but logs have single quotes.
            _ if self.state == State::Other => {
                self.state = State::Between;
                self.pos += 1;
            }
            _ => self.put(1),
        }
        Ok(true)
    }

    /// Takes the next `n` bytes as they are.
    fn put(&mut self, n: usize) {
        let bytes = &self.raw[self.pos..self.pos + n];
        if self.state == State::Wanted {
            self.text.extend_from_slice(bytes);
        } else {
            let room = MOST_KEY.saturating_sub(self.last.len()).min(n);
            self.last.extend_from_slice(&bytes[..room]);
        }
        self.pos += n;
    }

    fn unescape(&mut self) -> io::Result<()> {
        let rest = &self.raw[self.pos..self.len];
        if self.state != State::Wanted {
            self.put(rest.len().min(2));
            return Ok(());
        }
        let bad = || damaged("a string that holds part of the dump has an escape that JSON does not have");
        let byte = match rest.get(1) {
            Some(b'u') => {
                let unit = unit(rest, 0).ok_or_else(bad)?;
                let low = (0xD800..0xDC00).contains(&unit).then(|| unit_if_low(rest, 6)).flatten();
                self.pos += if low.is_some() { 12 } else { 6 };
                match char::decode_utf16(std::iter::once(unit).chain(low)).next() {
                    Some(Ok(c)) => self.text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
                    _ => escape(unit, &mut self.text),
                }
                return Ok(());
            }
            Some(&letter) => short_escape(letter).ok_or_else(bad)?,
            None => return Err(damaged("a string that holds part of the dump ends early")),
        };
        self.text.push(byte);
        self.pos += 2;
        Ok(())
    }
}

/// Appends a unit that is no character as an escape.
pub(super) fn escape(unit: u16, out: &mut Vec<u8>) {
    out.extend_from_slice(b"\\u");
    let digit = |shift: u16| b"0123456789abcdef"[usize::from(unit >> shift & 15)];
    out.extend([12, 8, 4, 0].map(digit));
}

impl<R: Read> Read for Texts<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.given == self.text.len() {
            self.text.clear();
            self.given = 0;
            while self.text.len() < PIECE / 2 && self.failed.is_none() {
                match self.step() {
                    Ok(true) => {}
                    Ok(false) => break,
                    Err(e) => self.failed = Some(e),
                }
            }
            if self.text.is_empty() {
                self.failed.take().map_or(Ok(()), Err)?;
            }
        }
        let n = (&self.text[self.given..]).read(buf)?;
        self.given += n;
        Ok(n)
    }
}
