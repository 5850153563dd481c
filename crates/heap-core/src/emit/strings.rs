//! String records: of strings on the heap by rank, behind them of names that were made up.

use heap_base::Result;
use heap_record::{Sink, StringId, Texts};

use crate::heap::Heap;
use crate::objects::Shape;
use crate::space::Map;

/// Units that are read at a time.
const PIECE: usize = 16 << 10;

/// Delivers texts of strings; its buffers are used again and again.
#[derive(Debug, Default)]
pub(super) struct Contents {
    bytes: Vec<u8>,
    texts: Texts,
}

impl Contents {
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
        let length = u64::from(heap.string_length(address));
        self.read(heap, at, length * u64::from(width));
        if width == 1 {
            return self.texts.latin1(id, &self.bytes, sink);
        }
        self.texts.utf16(id, self.bytes.as_chunks().0.iter().map(|&unit| u16::from_le_bytes(unit)), sink)
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
