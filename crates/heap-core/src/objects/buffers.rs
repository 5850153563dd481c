//! Where array buffers have their bytes outside the heap, and how many.
//!
//! A buffer that can be resized, and each memory of WebAssembly, reserves addresses for all that it may grow to, 4 GiB and
//! more for 64 KiB. What is reserved is no memory, so only what the buffer has now counts. A shared buffer that can grow does
//! not know that itself:
//!
//! ```text
//! buffer: length (0)   extension ──▶ … store ──▶ address  0   those of the buffer, or it is not its store
//!         most                                   length   8
//!         address                                most    16
//!         extension
//! ```

use crate::heap::Heap;

/// Words of a buffer's extension among which is the pointer to its store.
const EXTENSION: u64 = 8;

impl Heap {
    /// Where an array buffer has its bytes outside the heap, and how many it has now.
    pub(crate) fn backing_store(&self, buffer: u64) -> Option<(u64, u64)> {
        let at = |offset: u64| self.memory.word(buffer + offset);
        let store = at(self.offsets.buffer_store)?;
        let (length, most) = (at(self.offsets.buffer_length)?, at(self.offsets.buffer_length + 8)?);
        let size = if length == 0 && most > 0 {
            let extension = at(self.offsets.buffer_store + 8)?;
            shared_length(extension, store, most, &|at| self.memory.word(at))?
        } else {
            length
        };
        // A store on a heap page belongs to an object there.
        (store != 0 && store & 1 == 0 && size > 0 && size < 1 << 48 && self.pages.at(store).is_none())
            .then_some((store, size))
    }
}

/// The bytes that a shared buffer has now, if its store is in the core and proves itself.
fn shared_length(extension: u64, store: u64, most: u64, word: &dyn Fn(u64) -> Option<u64>) -> Option<u64> {
    let places = (0..EXTENSION).filter_map(|i| word(extension.checked_add(8 * i)?));
    let stores = places.filter(|&at| at != 0 && at.is_multiple_of(8) && word(at) == Some(store));
    stores.filter(|at| at.checked_add(16).and_then(word) == Some(most)).find_map(|at| {
        let length = word(at + 8)?;
        (length <= most).then_some(length)
    })
}

#[cfg(test)]
mod tests {
    use heap_base::Map;

    use super::*;

    const EXTENSION: u64 = 0x1000;
    const STORE: u64 = 0x2000;
    const BYTES: u64 = 0x9000;
    const MOST: u64 = 500_000_000;

    /// A shared buffer of 1,000 bytes that may grow.
    fn memory() -> Map<u64, u64> {
        let words = [
            (EXTENSION, 1),
            (EXTENSION + 8, BYTES),
            (EXTENSION + 16, STORE),
            (STORE, BYTES),
            (STORE + 8, 1000),
            (STORE + 16, MOST),
        ];
        words.into_iter().collect()
    }

    fn length(memory: &Map<u64, u64>) -> Option<u64> {
        shared_length(EXTENSION, BYTES, MOST, &|at| memory.get(&at).copied())
    }

    #[test]
    fn the_length_of_a_shared_buffer_is_that_of_its_store() {
        assert_eq!(length(&memory()), Some(1000));
    }

    #[test]
    fn a_store_that_does_not_prove_itself_has_no_length() {
        let other = [
            (EXTENSION + 16, 0),
            (EXTENSION + 16, u64::MAX - 7),
            (STORE, 8),
            (STORE + 8, MOST + 1),
            (STORE + 16, 0),
        ];
        for (at, value) in other {
            let mut memory = memory();
            memory.insert(at, value);
            assert_eq!(length(&memory), None, "{at:x}");
            memory.remove(&at);
            assert_eq!(length(&memory), None, "{at:x}");
        }
        assert_eq!(shared_length(u64::MAX - 7, BYTES, MOST, &|_| None), None);
    }
}
