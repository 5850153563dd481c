//! The classic text: an address, a size and a type on one line, the references on the next.

use heap_base::{Blob, Error, Result};

use super::types::Types;
use super::{Entries, Entry, What};
use crate::window::Window;

/// Longest line of an object or a comment; lines of references have no limit.
const MAX_LINE: usize = 1 << 16;

/// How the first line of a whole dump begins.
const FIRST: &[u8] = b"// Version:";

/// True if `head` begins a classic heap dump.
pub(super) fn sniff(head: &[u8]) -> bool {
    let line = head.split(|&b| b == b'\n').next().unwrap_or_default();
    // A line that is cut off may still become anything.
    head.len() > line.len() && (line.starts_with(FIRST) || object(line).is_some())
}

/// A classic heap dump that is being read.
pub(super) struct Classic<'a> {
    window: Window<'a>,
    producer: Option<String>,
    /// Number of the next line.
    line: u64,
    /// Where the references of the last entry begin, if it has any.
    references: Option<u64>,
}

/// A line of an object.
struct Object<'a> {
    address: u64,
    size: u64,
    class: bool,
    name: &'a [u8],
}

/// Reads `0x1F80 [32] OBJ java/lang/String`.
fn object(line: &[u8]) -> Option<Object<'_>> {
    let (address, rest) = hex(line)?;
    let rest = rest.trim_ascii_start().strip_prefix(b"[")?;
    let digits = rest.iter().position(|&b| b == b']')?;
    let size = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
    let rest = rest[digits + 1..].trim_ascii();
    let (kind, name) = rest.split_at_checked(3)?;
    let class = match kind {
        b"OBJ" => false,
        b"CLS" => true,
        _ => return None,
    };
    Some(Object { address, size, class, name: name.trim_ascii_start() })
        .filter(|object| !object.name.is_empty())
}

/// The number at the beginning of `text`, and what follows it.
#[inline]
fn hex(text: &[u8]) -> Option<(u64, &[u8])> {
    let digits = text.strip_prefix(b"0x").or_else(|| text.strip_prefix(b"0X"))?;
    let mut value = 0_u64;
    let mut len = 0;
    for &byte in digits {
        let digit = match byte {
            b'0'..=b'9' => byte - b'0',
            b'a'..=b'f' => byte - b'a' + 10,
            b'A'..=b'F' => byte - b'A' + 10,
            _ => break,
        };
        if value >> 60 != 0 {
            return None;
        }
        value = value << 4 | u64::from(digit);
        len += 1;
    }
    (len > 0).then(|| (value, &digits[len..]))
}

impl<'a> Classic<'a> {
    pub(super) fn open(blob: &'a Blob) -> Self {
        Self { window: Window::new(blob, 0), producer: None, line: 1, references: None }
    }

    /// Length of the line at the position without its end, and how long that end is; `None` at the end of the file.
    fn next_line(&mut self) -> Result<Option<(usize, usize)>> {
        let mut known = 0;
        loop {
            let rest = self.window.rest();
            if let Some(at) = memchr::memchr(b'\n', &rest[known..]) {
                return Ok(Some((known + at, 1)));
            }
            known = rest.len();
            if known > MAX_LINE {
                return Err(Error::at_line(self.line, "a line that is too long"));
            }
            if !self.window.has(known + 1)? {
                return Ok((known > 0).then_some((known, 0)));
            }
        }
    }

    /// The file ends. Who writes a first line (`// Version:`) writes a last one, too; lines by themselves may be an excerpt.
    fn end(&self) -> Result<Option<Entry>> {
        match self.producer {
            Some(_) => {
                Err(Error::at_line(self.line, "the heap ends early: the last line, \"// EOF\", is missing"))
            }
            None => Ok(None),
        }
    }

    /// Passes over a line of references, however long.
    fn skip_line(&mut self) -> Result {
        loop {
            let rest = self.window.rest();
            if let Some(at) = memchr::memchr(b'\n', rest) {
                self.window.advance(at + 1);
                self.line += 1;
                return Ok(());
            }
            let len = rest.len();
            self.window.advance(len);
            if !self.window.has(1)? {
                return Ok(());
            }
        }
    }
}

impl Entries for Classic<'_> {
    fn next(&mut self, types: &mut Types) -> Result<Option<Entry>> {
        self.references = None;
        loop {
            if !self.window.has(1)? {
                return self.end();
            }
            if matches!(self.window.peek(1)[0], b'\t' | b' ') {
                // References were read already, or nobody asked for them.
                self.skip_line()?;
                continue;
            }
            let Some((len, end)) = self.next_line()? else { return self.end() };
            let line = self.window.peek(len).trim_ascii_end();
            if line.starts_with(b"//") || line.is_empty() {
                if let Some(version) = line.strip_prefix(FIRST) {
                    self.producer = Some(String::from_utf8_lossy(version.trim_ascii()).into_owned());
                }
                let last = line.starts_with(b"// EOF");
                self.window.advance(len + end);
                self.line += 1;
                if last {
                    return super::last(&mut self.window, |next| next.starts_with(FIRST));
                }
                continue;
            }
            let Some(Object { address, size, class, name }) = object(line) else {
                return Err(Error::at_line(self.line, "expected 0xADDRESS [BYTES] OBJ TYPE or CLS NAME"));
            };
            let of = types.named(name);
            let what = match name {
                _ if class => What::Class,
                [b'[', b'L' | b'[', ..] => What::Objects(None),
                [b'[', ..] => What::Primitives(None),
                _ => What::Instance,
            };
            if class && types.address(of) == 0 {
                types.define(of, None, address, 0, 0);
            }
            self.window.advance(len + end);
            self.line += 1;
            self.references = Some(self.window.position());
            return Ok(Some(Entry { address, what, of, size: Some(size), indexed: false }));
        }
    }

    fn references(&mut self, each: &mut dyn FnMut(u64) -> Result) -> Result {
        let Some(at) = self.references.take() else { return Ok(()) };
        if self.window.position() != at
            || !self.window.has(1)?
            || !matches!(self.window.peek(1)[0], b'\t' | b' ')
        {
            return Ok(());
        }
        loop {
            // An address, a blank behind it, and some more.
            let more = self.window.has(64)?;
            let rest = self.window.rest();
            match rest.first() {
                None => return Ok(()),
                Some(b'\n') => {
                    self.window.advance(1);
                    self.line += 1;
                    return Ok(());
                }
                Some(b' ' | b'\t' | b'\r') => self.window.advance(1),
                Some(_) => {
                    let Some((address, after)) = hex(rest) else {
                        return Err(Error::at_line(self.line, "expected references 0xADDRESS"));
                    };
                    if after.is_empty() && more {
                        return Err(Error::at_line(self.line, "a reference that is too long"));
                    }
                    let len = rest.len() - after.len();
                    self.window.advance(len);
                    if address != 0 {
                        each(address)?;
                    }
                }
            }
        }
    }

    fn producer(&self) -> Option<String> {
        self.producer.clone()
    }

    fn version(&self) -> Option<String> {
        None
    }
}
