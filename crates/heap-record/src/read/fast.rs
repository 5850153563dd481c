//! The fast path: lines exactly as the canonical writer writes them.
//!
//! Each function looks at the start of whole lines and gives the record and the length of its line with LF,
//! or `None` at the first byte that is not canonical; then the general path reads the same line.

#![allow(
    clippy::inline_always,
    reason = "out of line, the cursor lives in memory and a record costs twice as much"
)]

use memchr::memchr2;

use crate::model::{Data, Edge, Heap, Line, Node, Str, Value};
use heap_base::json::{MAX_EXACT, digits8, word};
use heap_base::sums;

/// A place in the lines. Every step returns `None` where the bytes are not canonical.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    /// What was not taken yet: a slice, because the place in one would be checked for overflow at every step.
    pub(super) rest: &'a [u8],
    /// Keys that the record itself has; a line that repeats one further down is not canonical.
    pub(super) taken: &'static [&'static [u8]],
}

const NODE_KEYS: &[&[u8]] = &[b"type", b"subtype", b"identifier", b"ident"];
const EDGE_KEYS: &[&[u8]] = &[b"type", b"subtype", b"source", b"dest", b"label"];

impl<'a> Cursor<'a> {
    /// Takes these exact bytes.
    #[inline(always)]
    pub(super) fn take<const N: usize>(&mut self, literal: &[u8; N]) -> Option<()> {
        let (head, rest) = self.rest.split_first_chunk()?;
        if head != literal {
            return None;
        }
        self.rest = rest;
        Some(())
    }

    /// Takes these bytes if they are next.
    #[inline(always)]
    pub(super) fn maybe<const N: usize>(&mut self, literal: &[u8; N]) -> bool {
        self.take(literal).is_some()
    }

    #[inline(always)]
    pub(super) fn peek(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    /// Goes `n` bytes on.
    #[inline(always)]
    pub(super) fn skip(&mut self, n: usize) -> Option<()> {
        self.rest = self.rest.get(n..)?;
        Some(())
    }

    /// What was taken since it was all of `start`.
    #[inline(always)]
    pub(super) fn since(&self, start: &'a [u8]) -> &'a [u8] {
        &start[..start.len() - self.rest.len()]
    }

    /// A canonical non-negative integer up to 2^53 − 1.
    #[inline(always)]
    fn uint(&mut self) -> Option<u64> {
        let start = self.rest;
        let first = self.peek()?;
        let (mut value, mut digits) = (0, 0);
        if let Some(eight) = start.first_chunk() {
            (value, digits) = digits8(u64::from_le_bytes(*eight));
            if digits == 0 {
                return None;
            }
            self.skip(digits)?;
            if digits < 8 || !self.peek()?.is_ascii_digit() {
                return (first != b'0' || digits == 1).then_some(value);
            }
        }
        (value, digits, self.rest) = self.more_digits(value, digits)?;
        (digits > 0 && (first != b'0' || digits == 1)).then_some(value)
    }

    /// The digits after so many first ones that make `value`: all of the number's value, how many its digits are, and
    /// what comes behind it.
    #[inline(never)]
    fn more_digits(mut self, mut value: u64, mut digits: usize) -> Option<(u64, usize, &'a [u8])> {
        while let Some(d @ b'0'..=b'9') = self.peek() {
            self.skip(1)?;
            digits += 1;
            if digits > 16 {
                return None;
            }
            value = value * 10 + u64::from(d - b'0');
        }
        (value <= MAX_EXACT).then_some((value, digits, self.rest))
    }

    /// A canonical integer within ±(2^53 − 1).
    #[inline(always)]
    fn int(&mut self) -> Option<i64> {
        if self.maybe(b"-") {
            let n = self.uint()?;
            return (n != 0).then_some(-(n as i64));
        }
        Some(self.uint()? as i64)
    }

    #[inline(always)]
    fn subtype(&mut self) -> Option<u32> {
        // Nearly all have one digit.
        if let Some(&[digit @ b'0'..=b'9', b',']) = self.rest.first_chunk() {
            self.skip(1)?;
            return Some(u32::from(digit - b'0'));
        }
        u32::try_from(self.uint()?).ok()
    }

    /// The rest of a string literal after its opening quote: no escapes, no control characters, UTF-8.
    pub(super) fn plain_string(mut self) -> Option<(&'a str, Self)> {
        let rest = self.rest;
        let end = memchr2(b'"', b'\\', rest)?;
        let text = &rest[..end];
        if rest[end] == b'\\' || control(text) {
            return None;
        }
        self.skip(end + 1)?;
        Some((std::str::from_utf8(text).ok()?, self))
    }

    /// The rest of a string literal after its opening quote, with escapes as the canonical writer chooses them.
    fn data(mut self) -> Option<(Data<'a>, Self)> {
        let start = self.rest;
        // Most strings are short, and need no escapes.
        while let Some(bytes) = self.rest.first_chunk() {
            let length = word(*bytes);
            self.skip(length)?;
            if length < 16 {
                break;
            }
        }
        if self.peek()? != b'"' {
            self = self.escapes(start)?;
        }
        let text = self.since(start);
        self.skip(1)?;
        // All of it: so its two words are loaded one by one, which need not wait until both are stored.
        let text = std::str::from_utf8(text).ok()?.get(..text.len())?;
        Some((Data::Escaped(text), self))
    }

    /// Goes to the closing quote of a string literal that begins at `start`, over escapes.
    fn escapes(mut self, start: &'a [u8]) -> Option<Self> {
        loop {
            self.skip(memchr2(b'"', b'\\', self.rest)?)?;
            if self.peek()? == b'"' {
                return (!control(self.since(start))).then_some(self);
            }
            match *self.rest.get(1)? {
                b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't' => self.skip(2)?,
                b'u' => {
                    self.skip(2)?;
                    self.take(b"00")?;
                    let [high, low] = *self.rest.first_chunk()?;
                    let short = high == b'0' && matches!(low, b'8' | b'9' | b'a' | b'c' | b'd');
                    if !matches!(high, b'0' | b'1') || !matches!(low, b'0'..=b'9' | b'a'..=b'f') || short {
                        return None;
                    }
                    self.skip(2)?;
                }
                _ => return None,
            }
        }
    }

    /// Members with scalar values, up to a value that is an object or the closing brace (neither is taken,
    /// nor the comma and key before an object). Gives the members.
    fn scalars(mut self) -> Option<(&'a [u8], Self)> {
        let start = self.rest;
        let mut end = self.rest;
        loop {
            self.key()?;
            match self.peek()? {
                b'{' => {
                    self.rest = end;
                    break;
                }
                b'"' => {
                    self.skip(1)?;
                    self = self.plain_string()?.1;
                }
                _ => self.number_or_truth()?,
            }
            end = self.rest;
            match self.peek()? {
                b',' => self.skip(1)?,
                b'}' => break,
                _ => return None,
            }
        }
        self.rest = end;
        Some((self.since(start), self))
    }

    /// A key and its colon. Keys are short words of ASCII; any other is for the general path.
    #[inline(always)]
    pub(super) fn key(&mut self) -> Option<()> {
        self.take(b"\"")?;
        let rest = self.rest;
        let length = match rest.first_chunk() {
            Some(bytes) => word(*bytes),
            None => 16,
        };
        let length = if length < 16 { length } else { rest.iter().position(|&b| !ascii(b))? };
        self.skip(length)?;
        self.take(b"\":")?;
        let key = &rest[..length];
        // Most differ in their first letter, which takes no call to see.
        let taken = self.taken.iter().any(|&taken| taken.first() == key.first() && taken == key);
        (!taken).then_some(())
    }

    /// A number, true or false.
    #[inline(always)]
    pub(super) fn number_or_truth(&mut self) -> Option<()> {
        match self.peek()? {
            b't' => self.take(b"true"),
            b'f' => self.take(b"false"),
            _ => self.number(),
        }
    }

    /// An integer, or a float in plain decimals; the general path decides on anything else.
    #[inline(always)]
    fn number(&mut self) -> Option<()> {
        self.int()?;
        if self.maybe(b".") {
            let start = self.rest;
            while self.peek()?.is_ascii_digit() {
                self.skip(1)?;
            }
            (!self.since(start).is_empty()).then_some(())?;
        }
        (!matches!(self.peek()?, b'e' | b'E' | b'+' | b'-')).then_some(())
    }

    /// Namespaces of scalars (`"v8":{"detachedness":2}`), possibly with scalars between, up to the brace that
    /// closes the record.
    fn namespaces(mut self) -> Option<(&'a [u8], Self)> {
        let start = self.rest;
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
                b',' => self.skip(1)?,
                b'}' => return Some((self.since(start), self)),
                _ => return None,
            }
        }
    }

    /// Takes `}` and LF and gives the line at the start of `lines` with the number of bytes used.
    #[inline(always)]
    pub(super) fn end(mut self, lines: &'a [u8]) -> Option<(Line<'a>, usize)> {
        self.take(b"}\n")?;
        let line = self.since(lines);
        Some((Line { bytes: &line[..line.len() - 1], canonical: true, number: 0 }, line.len()))
    }
}

/// Whether a byte of a string is ASCII and no escape.
fn ascii(b: u8) -> bool {
    matches!(b, b' ' | b'!' | b'#'..=b'[' | b']'..=b'~')
}

/// Whether there is a control character. Without a way out before the end, so that it becomes vector code.
fn control(text: &[u8]) -> bool {
    text.iter().fold(0, |any, &b| any | u8::from(b < 0x20)) != 0
}

/// An edge line.
#[inline(always)]
pub(super) fn edge(bytes: &[u8]) -> Option<(Edge<'_>, usize)> {
    let mut c = Cursor { rest: bytes, taken: EDGE_KEYS };
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
    let (line, used) = c.end(bytes)?;
    Some((Edge { subtype, source, dest, label, rest, line }, used))
}

/// The source of an edge whose line goes on with `"source":` at `at`, and where the number ends.
#[inline(always)]
pub(super) fn source(bytes: &[u8], at: usize) -> Option<(Value, usize)> {
    let mut c = Cursor { rest: bytes.get(at..)?, taken: EDGE_KEYS };
    c.take(b",\"source\":")?;
    Some((c.int()?, bytes.len() - c.rest.len()))
}

/// The beginning of a node line: subtype and identifier.
#[inline(always)]
fn node_head(bytes: &[u8]) -> Option<(Cursor<'_>, u32, Value)> {
    let mut c = Cursor { rest: bytes, taken: NODE_KEYS };
    c.take(b"{\"type\":\"node\",\"subtype\":")?;
    let subtype = c.subtype()?;
    c.take(b",\"identifier\":")?;
    let id = c.int()?;
    Some((c, subtype, id))
}

/// A node line of the usual shape: a size, a class or a name, and perhaps numbers of its own.
#[inline(always)]
pub(super) fn plain_node(bytes: &[u8]) -> Option<(Node<'_>, usize)> {
    let (mut c, subtype, id) = node_head(bytes)?;
    let start = c.rest;
    let mut own = c.since(start);
    while !c.maybe(b",\"heap\":{\"size\":") {
        // The draft's own field, before any other.
        if !c.maybe(b",\"data\":") {
            c.take(b",")?;
            c.key()?;
        }
        c.int()?;
        // Behind the comma of the first.
        own = &c.since(start)[1..];
    }
    let size = Some(c.uint()?);
    let (mut class, mut name) = (None, None);
    if c.maybe(b",\"class\":") {
        class = Some(c.int()?);
    } else {
        c.take(b",\"name\":")?;
        name = Some(c.int()?);
    }
    c.take(b"}")?;
    let (line, used) = c.end(bytes)?;
    let heap = Heap { size, class, name, ..Heap::default() };
    Some((Node { subtype, id, own, heap, rest: b"", line }, used))
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
    // `heap` comes before every other namespace.
    if rest.starts_with(b"\"heap\"")
        || !rest.is_empty() && memchr::memmem::find(rest, b"\"heap\":{").is_some()
    {
        return None;
    }
    let (line, used) = c.end(bytes)?;
    Some((Node { subtype, id, own, heap, rest, line }, used))
}

/// The members of `heap` in canonical order, and its closing brace.
#[inline(always)]
fn heap_members<'a>(c: &mut Cursor<'a>) -> Option<Heap<'a>> {
    let mut heap = Heap::default();
    // `comma` takes the comma before a member that is not the first.
    let start = c.rest.len();
    macro_rules! field {
        ($name:literal, $slot:ident, $read:ident) => {
            let comma = c.rest.len() != start;
            let mark = c.rest;
            if (!comma || c.maybe(b",")) && c.maybe($name) {
                heap.$slot = Some(c.$read()?);
            } else {
                c.rest = mark;
            }
        };
    }
    field!(b"\"size\":", size, uint);
    field!(b"\"class\":", class, int);
    let empty = c.rest.len() == start;
    if c.maybe(b"}") {
        return (!empty).then_some(heap);
    }
    field!(b"\"name\":", name, int);
    field!(b"\"external\":", external, uint);
    field!(b"\"count\":", count, uint);
    field!(b"\"retained\":", retained, uint);
    heap.retained = heap.retained.map(sums::read);
    field!(b"\"retained_from\":", retained_from, uint);
    field!(b"\"idom\":", idom, int);
    field!(b"\"distance\":", distance, int);
    let mark = c.rest;
    if (mark.len() == start || c.maybe(b",")) && c.maybe(b"\"reachable\":") {
        heap.reachable = Some(if c.maybe(b"true") {
            true
        } else {
            c.take(b"false")?;
            false
        });
    } else {
        c.rest = mark;
    }
    (c.rest.len() != start).then_some(())?;
    c.take(b"}")?;
    Some(heap)
}

/// A string line.
#[inline]
pub(super) fn string(bytes: &[u8]) -> Option<(Str<'_>, usize)> {
    let mut c = Cursor { rest: bytes, taken: NODE_KEYS };
    c.take(b"{\"type\":\"string\",\"stringid\":")?;
    let id = c.int()?;
    c.take(b",\"data\":\"")?;
    let (data, c) = c.data()?;
    let (line, used) = c.end(bytes)?;
    Some((Str { id, data, rest: b"", line }, used))
}
