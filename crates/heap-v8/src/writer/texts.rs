//! The strings of the snapshot: their literals in a spool, their indexes by string id.

use heap_base::Spool;
use heap_base::json::{Json, escape, inside, member, scalar};
use heap_base::{Map, Result};
use heap_record::{Data, Str, StringId};

/// From this id on the stream's reader has made up ids for texts in place.
const INTERNED: StringId = heap_record::read::INTERNED;

/// The strings so far.
#[derive(Debug)]
pub(crate) struct Texts {
    /// Literals, each with a separator before it but the first.
    pub(crate) spool: Spool,
    /// How many there are.
    pub(crate) count: u32,
    /// What stands between two.
    pub(crate) separator: &'static [u8],
    /// Whether all but ASCII is written as escapes.
    pub(crate) ascii: bool,
    /// Index by id, unless id and index are the same for all.
    index: Option<Map<StringId, u32>>,
    /// Array indexes that stand as text in place of an index's id.
    numeric: Map<StringId, u32>,
    /// Strings of numbers that were made here.
    made: Map<u32, u32>,
    scratch: Vec<u8>,
}

impl Default for Texts {
    fn default() -> Self {
        Self {
            spool: Spool::default(),
            count: 0,
            separator: b",",
            ascii: true,
            index: None,
            numeric: Map::default(),
            made: Map::default(),
            scratch: Vec::new(),
        }
    }
}

/// The array index that an id stands for.
#[inline]
pub(crate) fn array_index(id: StringId) -> Option<u32> {
    if id < 0 { u32::try_from(!id).ok() } else { None }
}

impl Texts {
    /// Takes a string record in. False if it holds what a snapshot cannot: bytes that are no text.
    pub(crate) fn add(&mut self, record: &Str<'_>) -> Result<bool> {
        if array_index(record.id).is_some() {
            // Said by number where it is used.
            return Ok(true);
        }
        match &mut self.index {
            None if record.id == StringId::from(self.count) => {}
            None => {
                let mut index: Map<_, _> = (0..self.count).map(|i| (i.into(), i)).collect();
                index.insert(record.id, self.count);
                self.index = Some(index);
            }
            Some(index) => {
                index.insert(record.id, self.count);
            }
        }
        if record.id >= INTERNED
            && let Ok(n) = record.data.text().parse::<u32>()
        {
            self.numeric.insert(record.id, n);
        }
        let exact = if record.rest.is_empty() { None } else { member(record.rest, "heap.utf16") };
        let units = exact.and_then(inside_quotes).and_then(units);
        match (units, record.data) {
            (Some(units), _) => {
                self.append(|out, _| units.into_iter().for_each(|unit| push_unit(out, unit)))?;
            }
            (None, Data::Escaped(text)) => {
                self.append(|out, ascii| literal(out, text.as_bytes(), ascii))?;
            }
            (None, Data::Plain(text)) => {
                let mut scratch = std::mem::take(&mut self.scratch);
                scratch.clear();
                escape(&mut scratch, text);
                self.append(|out, ascii| literal(out, &scratch, ascii))?;
                self.scratch = scratch;
            }
        }
        Ok(exact.is_some() || record.rest.is_empty() || member(record.rest, "heap.bytes").is_none())
    }

    /// Adds a literal with the contents that `contents` appends; its second argument says whether to escape all but ASCII.
    #[inline]
    fn append(&mut self, contents: impl FnOnce(&mut Vec<u8>, bool)) -> Result {
        self.spool.build(|out| {
            if self.count > 0 {
                out.extend_from_slice(self.separator);
            }
            out.push(b'"');
            contents(out, self.ascii);
            out.push(b'"');
        })?;
        self.count += 1;
        Ok(())
    }

    /// Adds a string that no record has, and gives its index.
    pub(crate) fn make(&mut self, text: &str) -> Result<u32> {
        let index = self.count;
        if self.index.is_none() {
            self.index = Some((0..index).map(|i| (i.into(), i)).collect());
        }
        let mut escaped = Vec::new();
        escape(&mut escaped, text);
        self.append(|out, ascii| literal(out, &escaped, ascii))?;
        Ok(index)
    }

    /// The string that says `n`.
    pub(crate) fn number(&mut self, n: u32) -> Result<u32> {
        if let Some(&index) = self.made.get(&n) {
            return Ok(index);
        }
        let index = self.make(itoa::Buffer::new().format(n))?;
        self.made.insert(n, index);
        Ok(index)
    }

    /// The index of the string with this id.
    #[inline]
    pub(crate) fn find(&self, id: StringId) -> Option<u32> {
        match &self.index {
            None => u32::try_from(id).ok().filter(|&i| i < self.count),
            Some(index) => index.get(&id).copied(),
        }
    }

    /// The number that a label stands for, if it is one.
    #[inline]
    pub(crate) fn as_index(&self, id: StringId) -> Option<u32> {
        array_index(id).or_else(|| if id >= INTERNED { self.numeric.get(&id).copied() } else { None })
    }
}

/// Appends the contents of a canonical literal as V8 would write it; `ascii`: all else as escapes.
fn literal(out: &mut Vec<u8>, text: &[u8], ascii: bool) {
    // Without early exit, so that it runs on 16 bytes at a time.
    if text.iter().fold(0, |all, b| all | b) < 0x80 && memchr::memchr(b'\\', text).is_none() {
        out.extend_from_slice(text);
        return;
    }
    let Ok(text) = std::str::from_utf8(text) else { return };
    let mut chars = text.chars();
    let mut unit = [0; 2];
    let mut utf8 = [0; 4];
    while let Some(c) = chars.next() {
        if c == '\\' {
            out.push(b'\\');
            let Some(kind) = chars.next() else { return };
            out.extend_from_slice(kind.encode_utf8(&mut utf8).as_bytes());
            if kind == 'u' {
                for digit in chars.by_ref().take(4) {
                    out.push(digit.to_ascii_uppercase() as u8);
                }
            }
        } else if c.is_ascii() || !ascii {
            out.extend_from_slice(c.encode_utf8(&mut utf8).as_bytes());
        } else {
            for &unit in c.encode_utf16(&mut unit).iter() {
                push_unit(out, unit);
            }
        }
    }
}

fn inside_quotes(raw: &[u8]) -> Option<&[u8]> {
    match scalar(raw)? {
        Json::Text(_) => raw.get(1..raw.len() - 1),
        Json::Nested(_) => inside(raw),
        _ => None,
    }
}

/// UTF-16 units from four hexadecimal digits each.
fn units(hex: &[u8]) -> Option<Vec<u16>> {
    let unit = |digits: &[u8]| u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok();
    hex.chunks(4).map(unit).collect()
}

/// Appends a UTF-16 unit as JSON has it.
fn push_unit(out: &mut Vec<u8>, unit: u16) {
    match u8::try_from(unit) {
        Ok(b'"') => out.extend_from_slice(b"\\\""),
        Ok(b'\\') => out.extend_from_slice(b"\\\\"),
        Ok(b @ 0x20..=0x7F) => out.push(b),
        _ => {
            out.extend_from_slice(b"\\u");
            for shift in [12, 8, 4, 0] {
                out.push(b"0123456789ABCDEF"[usize::from(unit >> shift & 15)]);
            }
        }
    }
}
