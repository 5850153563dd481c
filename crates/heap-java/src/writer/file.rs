//! The file: records, the segment in work, and objects that are made beside those of the input.

use std::io::Write;
use std::rc::Rc;

use heap_base::{Error, Map, Result, Spool};

use crate::layout::Kind;

/// A segment ends after so many bytes, as HotSpot's do.
const SEGMENT: usize = 1 << 20;
/// Records are collected up to so many bytes.
const RECORDS: usize = 64 << 10;
/// What the head of a sub-record takes at most.
const HEAD: u64 = 64;

/// An HPROF file that is being written.
#[derive(Debug)]
pub(super) struct File<W: Write> {
    out: W,
    pub(super) id_size: usize,
    records: Vec<u8>,
    /// Sub-records of the segment in work.
    heap: Vec<u8>,
    /// Whole segments of objects that are made, and the one in work: they follow those of the input.
    made: Spool,
    made_heap: Vec<u8>,
    names: Map<Rc<str>, u64>,
}

/// Where an object goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In order.
    Here,
    /// Behind all objects of the input.
    Behind,
}

impl<W: Write> File<W> {
    /// Begins a file; `version` is the last digit of the format's.
    pub(super) fn new(out: W, version: u8, id_size: u8, time: u64) -> Self {
        let mut records = format!("JAVA PROFILE 1.0.{version}\0").into_bytes();
        records.extend(u32::from(id_size).to_be_bytes());
        records.extend(time.to_be_bytes());
        Self {
            out,
            id_size: id_size.into(),
            records,
            heap: Vec::new(),
            made: Spool::new(),
            made_heap: Vec::new(),
            names: Map::default(),
        }
    }

    /// Appends a record that is no part of the heap.
    pub(super) fn record(&mut self, tag: u8, body: impl FnOnce(&mut Vec<u8>, usize)) -> Result {
        head(&mut self.records, tag, 0);
        let at = self.records.len();
        body(&mut self.records, self.id_size);
        let len = (self.records.len() - at) as u32;
        self.records[at - 4..at].copy_from_slice(&len.to_be_bytes());
        if self.records.len() >= RECORDS { self.flush_records() } else { Ok(()) }
    }

    /// Appends the trace of a thread, 0 for none: its frames, innermost first.
    pub(super) fn trace(&mut self, serial: u32, thread: u32, frames: &[u64]) -> Result {
        self.record(0x05, |out, size| {
            for n in [serial, thread, frames.len() as u32] {
                out.extend(n.to_be_bytes());
            }
            for &frame in frames {
                id(out, size, frame);
            }
        })
    }

    /// The identifier of a name, whose record is written before its first use.
    pub(super) fn name(&mut self, text: impl AsRef<str> + Into<Rc<str>>) -> Result<u64> {
        if let Some(&id) = self.names.get(text.as_ref()) {
            return Ok(id);
        }
        let name = self.names.len() as u64 + 1;
        self.record(0x01, |out, size| {
            id(out, size, name);
            modified_utf8(out, text.as_ref());
        })?;
        self.names.insert(text.into(), name);
        Ok(name)
    }

    /// Forgets the names. Call when no more of them come.
    pub(super) fn forget_names(&mut self) {
        self.names = Map::default();
    }

    /// Appends a sub-record whose body is in memory.
    pub(super) fn sub(&mut self, place: Place, body: impl FnOnce(&mut Vec<u8>, usize)) -> Result {
        let size = self.id_size;
        let heap = if place == Place::Here { &mut self.heap } else { &mut self.made_heap };
        body(heap, size);
        if heap.len() >= SEGMENT { self.end_segment(place) } else { Ok(()) }
    }

    /// Appends an array of primitives; what `contents` lacks of it are zeros.
    pub(super) fn primitives(
        &mut self,
        place: Place,
        object: u64,
        (kind, len): (Kind, u32),
        contents: &[u8],
        trace: u32,
    ) -> Result {
        let bytes = u64::from(len) * kind.bytes();
        let contents = &contents[..contents.len().min(bytes as usize)];
        let start = |out: &mut Vec<u8>, size| {
            out.push(0x23);
            id(out, size, object);
            out.extend(trace.to_be_bytes());
            out.extend(len.to_be_bytes());
            out.push(kind as u8);
            out.extend(contents);
        };
        let mut zeros = bytes - contents.len() as u64;
        if zeros < SEGMENT as u64 {
            return self.sub(place, |out, size| {
                start(out, size);
                out.resize(out.len() + zeros as usize, 0);
            });
        }
        // Too much for memory: a segment of its own.
        self.end_segment(place)?;
        let mut own = Vec::new();
        start(&mut own, self.id_size);
        let mut piece = Vec::new();
        head(&mut piece, 0x1c, (own.len() as u64 + zeros) as u32);
        piece.append(&mut own);
        self.push(place, &piece)?;
        piece.clear();
        piece.resize(SEGMENT, 0);
        while zeros > 0 {
            let n = zeros.min(SEGMENT as u64);
            self.push(place, &piece[..n as usize])?;
            zeros -= n;
        }
        Ok(())
    }

    /// Appends an array of references: places and objects in the order of places, the rest is null.
    pub(super) fn objects(
        &mut self,
        place: Place,
        object: u64,
        (class, len): (u64, u32),
        elements: &[(u32, u64)],
        trace: u32,
    ) -> Result {
        let size = self.id_size;
        let bytes = u64::from(len) * size as u64;
        let start = |out: &mut Vec<u8>| {
            out.push(0x22);
            id(out, size, object);
            out.extend(trace.to_be_bytes());
            out.extend(len.to_be_bytes());
            id(out, size, class);
        };
        // A part of the array, from one place to another.
        let mut left = elements.iter().peekable();
        let mut part = |out: &mut Vec<u8>, from: u32, to: u32| {
            let at = out.len();
            out.resize(at + (to - from) as usize * size, 0);
            while let Some(&(place, target)) = left.next_if(|element| element.0 < to) {
                let offset = at + place.saturating_sub(from) as usize * size;
                out[offset..offset + size].copy_from_slice(&target.to_be_bytes()[8 - size..]);
            }
        };
        if bytes < SEGMENT as u64 {
            return self.sub(place, |out, _| {
                start(out);
                part(out, 0, len);
            });
        }
        self.end_segment(place)?;
        let mut own = Vec::new();
        start(&mut own);
        let mut piece = Vec::new();
        head(&mut piece, 0x1c, (own.len() as u64 + bytes) as u32);
        piece.append(&mut own);
        let mut from = 0;
        while from < len {
            let to = len.min(from.saturating_add((SEGMENT / size) as u32));
            part(&mut piece, from, to);
            self.push(place, &piece)?;
            piece.clear();
            from = to;
        }
        Ok(())
    }

    fn push(&mut self, place: Place, bytes: &[u8]) -> Result {
        match place {
            Place::Here => self.out.write_all(bytes).map_err(Error::write),
            Place::Behind => self.made.push(bytes),
        }
    }

    fn flush_records(&mut self) -> Result {
        self.out.write_all(&self.records).map_err(Error::write)?;
        self.records.clear();
        Ok(())
    }

    fn end_segment(&mut self, place: Place) -> Result {
        if place == Place::Here {
            self.flush_records()?;
        }
        let heap = if place == Place::Here { &mut self.heap } else { &mut self.made_heap };
        let mut heap = std::mem::take(heap);
        if heap.is_empty() {
            return Ok(());
        }
        let mut start = Vec::new();
        head(&mut start, 0x1c, heap.len() as u32);
        self.push(place, &start)?;
        self.push(place, &heap)?;
        heap.clear();
        *(if place == Place::Here { &mut self.heap } else { &mut self.made_heap }) = heap;
        Ok(())
    }

    /// Appends the objects that were made.
    pub(super) fn append_made(&mut self) -> Result {
        self.end_segment(Place::Behind)?;
        self.end_segment(Place::Here)?;
        self.made.copy_to(&mut self.out)
    }

    /// Ends the file.
    pub(super) fn finish(&mut self) -> Result {
        self.end_segment(Place::Here)?;
        self.record(0x2c, |_, _| {})?;
        self.flush_records()?;
        self.out.flush().map_err(Error::write)
    }

    /// How many elements of `element` bytes an array can have at most: a segment's length is a u4.
    pub(super) fn most(element: u64) -> u64 {
        (u64::from(u32::MAX) - HEAD) / element.max(1)
    }
}

fn head(out: &mut Vec<u8>, tag: u8, len: u32) {
    out.push(tag);
    out.extend([0; 4]);
    out.extend(len.to_be_bytes());
}

/// Appends an identifier.
#[inline]
pub(super) fn id(out: &mut Vec<u8>, size: usize, id: u64) {
    if size == 8 { out.extend(id.to_be_bytes()) } else { out.extend((id as u32).to_be_bytes()) }
}

/// Appends text as UTF8 records have it: U+0000 in two bytes, supplementary characters as two surrogates.
fn modified_utf8(out: &mut Vec<u8>, text: &str) {
    for c in text.chars() {
        match c {
            '\0' => out.extend([0xc0, 0x80]),
            '\u{10000}'.. => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let bits = |shift: u16, mask: u16| (*unit >> shift & mask) as u8;
                    out.extend([0xe0 | bits(12, 0xf), 0x80 | bits(6, 0x3f), 0x80 | bits(0, 0x3f)]);
                }
            }
            c => out.extend(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_survive_modified_utf8() {
        for text in ["plain", "\u{17e}", "a\0b", "\u{1f600} x", "\u{ffff}"] {
            let mut bytes = Vec::new();
            modified_utf8(&mut bytes, text);
            assert_eq!(crate::text::modified_utf8(&bytes), text);
            assert!(!bytes.contains(&0) && bytes.iter().all(|b| *b < 0xf0));
        }
    }
}
