//! The fast path: lines exactly as the canonical writer writes them.
//!
//! Each function looks at the start of whole lines and gives the record and the length of its line with LF,
//! or `None` at the first byte that is not canonical; then the general path reads the same line.

#![allow(
    clippy::inline_always,
    reason = "out of line, the cursor lives in memory and a record costs twice as much"
)]

use memchr::memchr2;

use crate::json::{MAX_EXACT, digits8, word};
use crate::model::{Data, Edge, Heap, Line, Node, Other, PlainNode, Str, Value};

/// A place in the lines. Every step returns `None` where the bytes are not canonical.
#[derive(Clone, Copy)]
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Keys that the record itself has; a line that repeats one further down is not canonical.
    taken: &'static [&'static [u8]],
}

const NODE_KEYS: &[&[u8]] = &[b"type", b"subtype", b"identifier", b"ident"];
const EDGE_KEYS: &[&[u8]] = &[b"type", b"subtype", b"source", b"dest", b"label"];
const OTHER_KEYS: &[&[u8]] = &[b"type"];

/// Records that are no extensions.
const OWN_TYPES: &[&str] = &["metadata", "type", "node_type", "edge_type", "string", "node", "edge"];

impl<'a> Cursor<'a> {
    /// Takes these exact bytes.
    #[inline(always)]
    fn take<const N: usize>(&mut self, literal: &[u8; N]) -> Option<()> {
        if self.bytes.get(self.at..self.at + N)? != literal {
            return None;
        }
        self.at += N;
        Some(())
    }

    /// Takes these bytes if they are next.
    #[inline(always)]
    fn maybe<const N: usize>(&mut self, literal: &[u8; N]) -> bool {
        self.take(literal).is_some()
    }

    #[inline(always)]
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// A canonical non-negative integer up to 2^53 − 1.
    #[inline(always)]
    fn uint(&mut self) -> Option<u64> {
        let start = self.at;
        let first = self.peek()?;
        let mut value = 0u64;
        if let Some(eight) = self.bytes.get(start..start + 8) {
            let (n, digits) = digits8(u64::from_le_bytes(eight.try_into().ok()?));
            value = n;
            self.at += digits;
            if digits == 0 {
                return None;
            }
            if digits == 8 {
                (value, self.at) = self.more_digits(value, start)?;
            }
        } else {
            (value, self.at) = self.more_digits(value, start)?;
            if self.at == start {
                return None;
            }
        }
        (first != b'0' || self.at == start + 1).then_some(value)
    }

    /// The digits after those of `value`, of a number that began at `start`: all of its value, and where it ends.
    #[inline(never)]
    fn more_digits(mut self, mut value: u64, start: usize) -> Option<(u64, usize)> {
        while let Some(d @ b'0'..=b'9') = self.peek() {
            self.at += 1;
            if self.at - start > 16 {
                return None;
            }
            value = value * 10 + u64::from(d - b'0');
        }
        (value <= MAX_EXACT).then_some((value, self.at))
    }

    /// A canonical integer within ±(2^53 − 1).
    #[inline(always)]
    fn int(&mut self) -> Option<i64> {
        if self.peek()? == b'-' {
            self.at += 1;
            let n = self.uint()?;
            return (n != 0).then_some(-(n as i64));
        }
        Some(self.uint()? as i64)
    }

    #[inline(always)]
    fn subtype(&mut self) -> Option<u32> {
        // Nearly all have one digit.
        if let Some(&[digit @ b'0'..=b'9', b',']) = self.bytes[self.at..].first_chunk() {
            self.at += 1;
            return Some(u32::from(digit - b'0'));
        }
        u32::try_from(self.uint()?).ok()
    }

    /// The rest of a string literal after its opening quote: no escapes, no control characters, UTF-8.
    fn plain_string(mut self) -> Option<(&'a str, Self)> {
        let rest = &self.bytes[self.at..];
        let end = memchr2(b'"', b'\\', rest)?;
        let text = &rest[..end];
        if rest[end] == b'\\' || control(text) {
            return None;
        }
        self.at += end + 1;
        Some((std::str::from_utf8(text).ok()?, self))
    }

    /// The rest of a string literal after its opening quote, with escapes as the canonical writer chooses them.
    fn data(mut self) -> Option<(Data<'a>, Self)> {
        let start = self.at;
        // Most strings are short, and need no escapes.
        while let Some(bytes) = self.bytes[self.at..].first_chunk() {
            let length = word(*bytes);
            self.at += length;
            if length < 16 {
                break;
            }
        }
        if self.peek()? != b'"' {
            self = self.escapes(start)?;
        }
        let text = &self.bytes[start..self.at];
        self.at += 1;
        // All of it: so its two words are loaded one by one, which need not wait until both are stored.
        let text = std::str::from_utf8(text).ok()?.get(..text.len())?;
        Some((Data::Escaped(text), self))
    }

    /// Goes to the closing quote of a string literal that begins at `start`, over escapes.
    fn escapes(mut self, start: usize) -> Option<Self> {
        loop {
            self.at += memchr2(b'"', b'\\', &self.bytes[self.at..])?;
            if self.bytes[self.at] == b'"' {
                return (!control(&self.bytes[start..self.at])).then_some(self);
            }
            match *self.bytes.get(self.at + 1)? {
                b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't' => self.at += 2,
                b'u' => {
                    self.at += 2;
                    self.take(b"00")?;
                    let (high, low) = (self.peek()?, *self.bytes.get(self.at + 1)?);
                    let short = high == b'0' && matches!(low, b'8' | b'9' | b'a' | b'c' | b'd');
                    if !matches!(high, b'0' | b'1') || !matches!(low, b'0'..=b'9' | b'a'..=b'f') || short {
                        return None;
                    }
                    self.at += 2;
                }
                _ => return None,
            }
        }
    }

    /// Members whose values are numbers, true or false, up to the closing brace, which is not taken. Text would
    /// have to be looked up: it may stand in place of a string id.
    fn numbers(mut self) -> Option<(&'a [u8], Self)> {
        let start = self.at;
        loop {
            self.key()?;
            match self.peek()? {
                b't' => self.take(b"true")?,
                b'f' => self.take(b"false")?,
                _ => self.number()?,
            }
            match self.peek()? {
                b',' => self.at += 1,
                b'}' => return Some((&self.bytes[start..self.at], self)),
                _ => return None,
            }
        }
    }

    /// Members with scalar values, up to a value that is an object or the closing brace (neither is taken,
    /// nor the comma and key before an object). Gives the members.
    fn scalars(mut self) -> Option<(&'a [u8], Self)> {
        let start = self.at;
        let mut end = self.at;
        loop {
            self.key()?;
            match self.peek()? {
                b'{' => {
                    self.at = end;
                    break;
                }
                b'"' => {
                    self.at += 1;
                    self = self.plain_string()?.1;
                }
                b't' => self.take(b"true")?,
                b'f' => self.take(b"false")?,
                _ => self.number()?,
            }
            end = self.at;
            match self.peek()? {
                b',' => self.at += 1,
                b'}' => break,
                _ => return None,
            }
        }
        Some((&self.bytes[start..end], self))
    }

    /// A key and its colon. Keys are short words of ASCII; any other is for the general path.
    #[inline(always)]
    fn key(&mut self) -> Option<()> {
        self.take(b"\"")?;
        let rest = &self.bytes[self.at..];
        let length = match rest.first_chunk() {
            Some(bytes) => word(*bytes),
            None => 16,
        };
        let length = if length < 16 { length } else { rest.iter().position(|&b| !ascii(b))? };
        self.at += length;
        self.take(b"\":")?;
        let key = &rest[..length];
        // Most differ in their first letter, which takes no call to see.
        let taken = self.taken.iter().any(|&taken| taken.first() == key.first() && taken == key);
        (!taken).then_some(())
    }

    /// An integer, or a float in plain decimals; the general path decides on anything else.
    #[inline(always)]
    fn number(&mut self) -> Option<()> {
        self.int()?;
        if self.maybe(b".") {
            let start = self.at;
            while self.peek()?.is_ascii_digit() {
                self.at += 1;
            }
            (self.at > start).then_some(())?;
        }
        (!matches!(self.peek()?, b'e' | b'E' | b'+' | b'-')).then_some(())
    }

    /// Namespaces of scalars (`"v8":{"detachedness":2}`), possibly with scalars between, up to the brace that
    /// closes the record.
    fn namespaces(mut self) -> Option<(&'a [u8], Self)> {
        let start = self.at;
        loop {
            self.key()?;
            self.take(b"{")?;
            if !self.maybe(b"}") {
                let (members, rest) = self.scalars()?;
                if members.is_empty() {
                    return None;
                }
                self = rest;
                self.take(b"}")?;
            }
            match self.peek()? {
                b',' => self.at += 1,
                b'}' => return Some((&self.bytes[start..self.at], self)),
                _ => return None,
            }
        }
    }

    /// Takes `}` and LF and gives the line from `start` with the number of bytes used.
    #[inline(always)]
    fn end(mut self) -> Option<(Line<'a>, usize)> {
        self.take(b"}\n")?;
        Some((Line { bytes: &self.bytes[..self.at - 1], canonical: true, number: 0 }, self.at))
    }
}

/// Whether a byte of a string stands for itself, and is ASCII.
fn ascii(b: u8) -> bool {
    matches!(b, b' ' | b'!' | b'#'..=b'[' | b']'..=b'~')
}

/// Whether there is a control character. Without a way out before the end, so that it becomes vector code.
fn control(text: &[u8]) -> bool {
    text.iter().fold(0, |any, &b| any | u8::from(b < 0x20)) != 0
}

/// An edge line.
#[inline]
pub(super) fn edge(bytes: &[u8]) -> Option<(Edge<'_>, usize)> {
    let mut c = Cursor { bytes, at: 0, taken: EDGE_KEYS };
    c.take(b"{\"type\":\"edge\",\"subtype\":")?;
    let subtype = c.subtype()?;
    c.take(b",\"source\":")?;
    let source = c.int()?;
    let dest = if c.maybe(b",\"dest\":") { Some(c.int()?) } else { None };
    let label = if c.maybe(b",\"label\":") { Some(c.int()?) } else { None };
    let mut rest: &[u8] = b"";
    if c.maybe(b",") {
        (rest, c) = c.namespaces()?;
    }
    let (line, used) = c.end()?;
    Some((Edge { subtype, source, dest, label, rest, line }, used))
}

/// The source of an edge whose line goes on with `"source":` at `at`, and where the number ends.
#[inline]
pub(super) fn source(bytes: &[u8], at: usize) -> Option<(Value, usize)> {
    let mut c = Cursor { bytes, at, taken: EDGE_KEYS };
    c.take(b",\"source\":")?;
    Some((c.int()?, c.at))
}

/// The beginning of a node line: subtype and identifier.
#[inline(always)]
fn node_head(bytes: &[u8]) -> Option<(Cursor<'_>, u32, Value)> {
    let mut c = Cursor { bytes, at: 0, taken: NODE_KEYS };
    c.take(b"{\"type\":\"node\",\"subtype\":")?;
    let subtype = c.subtype()?;
    c.take(b",\"identifier\":")?;
    let id = c.int()?;
    Some((c, subtype, id))
}

/// A node line of the usual shape: a size, a class or a name, and perhaps numbers of its own.
#[inline(never)]
pub(super) fn plain_node(bytes: &[u8]) -> Option<(PlainNode, &[u8], Line<'_>)> {
    let (mut c, subtype, id) = node_head(bytes)?;
    let start = c.at;
    let mut end = start;
    while !c.maybe(b",\"heap\":{\"size\":") {
        // The draft's own field, before any other.
        if !c.maybe(b",\"data\":") {
            c.take(b",")?;
            c.key()?;
        }
        c.int()?;
        end = c.at;
    }
    // Behind the comma of the first, if there are any.
    let own = bytes[start..end].get(1..).unwrap_or_default();
    let size = c.uint()?;
    let class = c.maybe(b",\"class\":");
    if !class {
        c.take(b",\"name\":")?;
    }
    let string = c.int()?;
    c.take(b"}}\n")?;
    let line = Line { bytes: &c.bytes[..c.at - 1], canonical: true, number: 0 };
    Some((PlainNode { subtype, own: own.len(), id, size, class, string }, own, line))
}

/// A node line.
#[inline(never)]
pub(super) fn node(bytes: &[u8]) -> Option<(Node<'_>, usize)> {
    let (mut c, subtype, id) = node_head(bytes)?;
    let mut own: &[u8] = b"";
    let mut heap = Heap::default();
    let mut rest: &[u8] = b"";
    if c.maybe(b",\"heap\":{") {
        heap = heap_members(&mut c)?;
        if c.maybe(b",") {
            (rest, c) = c.namespaces()?;
        }
    } else if c.maybe(b",") {
        (own, c) = c.scalars()?;
        if own.is_empty() {
            // A namespace right here: there is no `heap`.
            (rest, c) = c.namespaces()?;
        } else if c.maybe(b",\"heap\":{") {
            heap = heap_members(&mut c)?;
            if c.maybe(b",") {
                (rest, c) = c.namespaces()?;
            }
        } else if c.maybe(b",") {
            (rest, c) = c.namespaces()?;
        }
    }
    // `heap` stands before every other namespace.
    if rest.starts_with(b"\"heap\"")
        || !rest.is_empty() && memchr::memmem::find(rest, b"\"heap\":{").is_some()
    {
        return None;
    }
    let (line, used) = c.end()?;
    Some((Node { subtype, id, own, heap, rest, line }, used))
}

/// The members of `heap` in canonical order, and its closing brace.
#[inline(always)]
fn heap_members<'a>(c: &mut Cursor<'a>) -> Option<Heap<'a>> {
    let mut heap = Heap::default();
    // `comma` takes the comma before a member that is not the first.
    let start = c.at;
    macro_rules! field {
        ($name:literal, $slot:ident, $read:ident) => {
            let comma = c.at != start;
            let mark = c.at;
            if (!comma || c.maybe(b",")) && c.maybe($name) {
                heap.$slot = Some(c.$read()?);
            } else {
                c.at = mark;
            }
        };
    }
    field!(b"\"size\":", size, uint);
    field!(b"\"class\":", class, int);
    if c.maybe(b"}") {
        return (c.at != start + 1).then_some(heap);
    }
    field!(b"\"name\":", name, int);
    field!(b"\"external\":", external, uint);
    field!(b"\"count\":", count, uint);
    field!(b"\"retained\":", retained, uint);
    field!(b"\"idom\":", idom, int);
    field!(b"\"distance\":", distance, int);
    let mark = c.at;
    if (mark == start || c.maybe(b",")) && c.maybe(b"\"reachable\":") {
        heap.reachable = Some(if c.maybe(b"true") {
            true
        } else {
            c.take(b"false")?;
            false
        });
    } else {
        c.at = mark;
    }
    (c.at != start).then_some(())?;
    c.take(b"}")?;
    Some(heap)
}

/// A string line.
#[inline]
pub(super) fn string(bytes: &[u8]) -> Option<(Str<'_>, usize)> {
    let mut c = Cursor { bytes, at: 0, taken: NODE_KEYS };
    c.take(b"{\"type\":\"string\",\"stringid\":")?;
    let id = c.int()?;
    c.take(b",\"data\":\"")?;
    let (data, c) = c.data()?;
    let (line, used) = c.end()?;
    Some((Str { id, data, rest: b"", line }, used))
}

/// The line of an extension record that holds numbers only. Many in a row have the type of the `last`.
#[inline]
pub(super) fn other<'a>(bytes: &'a [u8], last: &'a str) -> Option<(Other<'a>, usize)> {
    let mut c = Cursor { bytes, at: 0, taken: OTHER_KEYS };
    c.take(b"{\"type\":\"")?;
    let again = bytes[c.at..].strip_prefix(last.as_bytes()).is_some_and(|rest| rest.first() == Some(&b'"'));
    let kind;
    if again {
        kind = last;
        c.at += last.len() + 1;
    } else {
        (kind, c) = c.plain_string()?;
        if OWN_TYPES.contains(&kind) {
            return None;
        }
    }
    c.take(b",")?;
    let (body, c) = c.numbers()?;
    let (line, used) = c.end()?;
    Some((Other { kind, body, line }, used))
}
