//! String records: of strings on the heap by rank, behind them of names that were made up.

use std::fmt::Write as _;

use heap_base::Result;
use heap_record::{Data, Sink, Str, StringId};

use crate::heap::Heap;
use crate::objects::Shape;
use crate::space::Map;

/// Units that are read at a time.
const PIECE: usize = 16 << 10;

/// Delivers texts of strings, with buffers that are used again.
#[derive(Debug, Default)]
pub(super) struct Texts {
    bytes: Vec<u8>,
    units: Vec<u16>,
    text: String,
    rest: Vec<u8>,
}

impl Texts {
    /// Delivers the text of a string that has its characters in a row.
    pub(super) fn flat(
        &mut self,
        heap: &Heap,
        id: StringId,
        address: u64,
        map: &Map,
        sink: &mut dyn Sink,
    ) -> Result {
        let Shape::Flat { at, width } = heap.string_shape(address, map) else { return Ok(()) };
        if at == 0 {
            return Ok(());
        }
        self.text.clear();
        self.rest.clear();
        let length = u64::from(heap.string_length(address));
        if width == 1 {
            self.latin1(heap, at, length);
        } else {
            self.utf16(heap, at, length);
        }
        sink.string(&Str { id, data: Data::Plain(&self.text), rest: &self.rest, ..Str::default() })
    }

    fn latin1(&mut self, heap: &Heap, at: u64, length: u64) {
        self.read(heap, at, length);
        match std::str::from_utf8(&self.bytes) {
            Ok(text) if text.is_ascii() => self.text.push_str(text),
            _ => self.text.extend(self.bytes.iter().map(|&b| char::from(b))),
        }
    }

    fn utf16(&mut self, heap: &Heap, at: u64, length: u64) {
        self.read(heap, at, length * 2);
        self.units.clear();
        self.units.extend(self.bytes.as_chunks::<2>().0.iter().map(|&b| u16::from_le_bytes(b)));
        let mut lone = false;
        self.text.extend(char::decode_utf16(self.units.iter().copied()).map(|c| {
            c.unwrap_or_else(|_| {
                lone = true;
                char::REPLACEMENT_CHARACTER
            })
        }));
        if lone {
            let mut hex = String::with_capacity(self.units.len() * 4);
            for unit in &self.units {
                let _ = write!(hex, "{unit:04x}");
            }
            self.rest.extend_from_slice(b"\"heap\":{\"utf16\":\"");
            self.rest.extend_from_slice(hex.as_bytes());
            self.rest.extend_from_slice(b"\"}");
        }
    }

    /// Reads bytes piece by piece: a length is believed as far as the core has them.
    fn read(&mut self, heap: &Heap, at: u64, length: u64) {
        self.bytes.clear();
        while (self.bytes.len() as u64) < length {
            let done = self.bytes.len();
            let want = (length - done as u64).min(PIECE as u64) as usize;
            self.bytes.resize(done + want, 0);
            let n = heap.memory.read(at + done as u64, &mut self.bytes[done..]);
            self.bytes.truncate(done + n);
            if n < want {
                return;
            }
        }
    }
}
