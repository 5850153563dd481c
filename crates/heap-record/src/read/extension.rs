//! Extension records that hold numbers only. Many of one type come in a row, and have the same keys: these are
//! compared with those of the line before, and not looked through.

#![allow(clippy::inline_always, reason = "as in `fast`")]

use super::fast::Cursor;
use crate::model::Extension;

const KEYS: &[&[u8]] = &[b"type"];

/// Records that are no extensions.
const OWN_TYPES: &[&str] = &["metadata", "type", "node_type", "edge_type", "string", "node", "edge"];

/// Keys that are kept, of a line that may have a million.
const MOST: usize = 32;

/// How the line of an extension record looked.
#[derive(Debug, Default)]
pub(super) struct Shape {
    /// Its beginning with the type, up to the first key.
    head: Vec<u8>,
    kind: String,
    keys: Vec<Key>,
}

/// A key in quotes, with its colon and zeros; all bits of the bytes that count.
#[derive(Debug)]
struct Key {
    text: u128,
    mask: u128,
    length: usize,
}

impl Shape {
    /// Takes the shape of a record.
    pub(super) fn learn(&mut self, record: &Extension<'_>) {
        record.kind.clone_into(&mut self.kind);
        self.head.clear();
        self.head.extend_from_slice(&record.line.bytes[..record.line.bytes.len() - record.body.len() - 1]);
        self.keys.clear();
        let mut c = Cursor { rest: record.body, taken: KEYS };
        while self.keys.len() < MOST
            && let Some(key) = next_key(&mut c)
            && let Some(key) = Key::new(key)
        {
            self.keys.push(key);
            if c.number_or_truth().is_none() || !c.maybe(b",") {
                break;
            }
        }
    }

    /// Whether a record is of the type that was learnt.
    pub(super) fn is_of(&self, record: &Extension<'_>) -> bool {
        // A record read by this shape has its type from here.
        std::ptr::eq(record.kind, self.kind.as_str())
    }
}

fn next_key<'a>(c: &mut Cursor<'a>) -> Option<&'a [u8]> {
    let start = c.rest;
    c.key()?;
    Some(c.since(start))
}

impl Key {
    /// Of a key that is short enough.
    fn new(key: &[u8]) -> Option<Self> {
        let (mut text, mut mask) = ([0; 16], [0; 16]);
        text.get_mut(..key.len())?.copy_from_slice(key);
        mask[..key.len()].fill(0xff);
        Some(Self { text: u128::from_le_bytes(text), mask: u128::from_le_bytes(mask), length: key.len() })
    }

    /// Takes the key if it is next.
    #[inline(always)]
    fn take(&self, c: &mut Cursor<'_>) -> Option<()> {
        let text = u128::from_le_bytes(*c.rest.first_chunk()?);
        ((text ^ self.text) & self.mask == 0).then_some(())?;
        c.skip(self.length)
    }
}

/// The line of an extension record that holds numbers only, in most cases of the shape of the last one.
#[inline]
pub(super) fn other<'a>(bytes: &'a [u8], last: &'a Shape) -> Option<(Extension<'a>, usize)> {
    let mut c = Cursor { rest: bytes, taken: KEYS };
    let kind;
    let keys: &[Key];
    if !last.head.is_empty() && bytes.starts_with(&last.head) {
        c.skip(last.head.len())?;
        (kind, keys) = (last.kind.as_str(), &last.keys);
    } else {
        c.take(b"{\"type\":\"")?;
        (kind, c) = c.plain_string()?;
        if OWN_TYPES.contains(&kind) {
            return None;
        }
        c.take(b",")?;
        keys = &[];
    }
    let (body, c) = numbers(c, keys)?;
    let (line, used) = c.end(bytes)?;
    Some((Extension { kind, body, line }, used))
}

/// Members whose values are numbers, true or false, up to the closing brace, which is not taken. Text would
/// have to be looked up: it may be in place of a string id.
fn numbers<'a>(mut c: Cursor<'a>, keys: &[Key]) -> Option<(&'a [u8], Cursor<'a>)> {
    let start = c.rest;
    let mut keys = keys.iter();
    loop {
        if keys.next().and_then(|key| key.take(&mut c)).is_none() {
            c.key()?;
        }
        c.number_or_truth()?;
        match c.peek()? {
            b',' => c.skip(1)?,
            b'}' => return Some((c.since(start), c)),
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use arbitrary::{Result as Gen, Unstructured};

    use super::{Shape, other};

    #[test]
    fn a_line_reads_the_same_whatever_came_before() {
        let mut again = 0;
        for i in 1..=1000u32 {
            // The same input in every run: random bits above, the number of bytes below.
            let seed = u64::from(i.wrapping_mul(0x9E37_79B9)) << 32 | 1024;
            arbtest::arbtest(|u| alike(u).map(|n| again += n)).seed(seed);
        }
        assert!(again > 100, "only {again} lines were of the type before");
    }

    /// Some lines, read after others and alone. Counts those that are of the type of the one before.
    fn alike(u: &mut Unstructured<'_>) -> Gen<u32> {
        let (mut shape, fresh, mut again) = (Shape::default(), Shape::default(), 0);
        for _ in 0..u.int_in_range(1..=12)? {
            let mut line = format!(
                "{{\"type\":\"{}\"",
                u.choose(&["v8.location", "v8.location", "v8.locations", "", "node"])?
            );
            for _ in 0..u.int_in_range(1..=4)? {
                let key = if u.ratio(1, 12)? {
                    *u.choose(&["", "type", "a\\", "é", " "])?
                } else {
                    *u.choose(&[
                        "object",
                        "line",
                        "lines",
                        "twelve_bytes",
                        "thirteen_byte",
                        "fourteen_bytes",
                    ])?
                };
                let value = if u.ratio(1, 12)? {
                    *u.choose(&["00", "-0", "1.", "1e3", "t", "\"\"", ""])?
                } else {
                    *u.choose(&["0", "17", "99999999", "-5", "1.5", "true"])?
                };
                let _ = write!(line, ",\"{key}\":{value}");
            }
            line += "}\n";
            if u.ratio(1, 8)? {
                let i = u.int_in_range(0..=line.len() - 2)?;
                if line.is_char_boundary(i) {
                    line.remove(i);
                }
            }
            let read = other(line.as_bytes(), &shape);
            assert_eq!(format!("{read:?}"), format!("{:?}", other(line.as_bytes(), &fresh)), "{line}");
            if let Some((record, _)) = read {
                again += u32::from(shape.is_of(&record));
                if !shape.is_of(&record) {
                    let mut next = Shape::default();
                    next.learn(&record);
                    shape = next;
                }
            }
        }
        Ok(again)
    }
}
