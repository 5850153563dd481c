//! What an object of JavaScript has open in libuv: the file descriptor of a socket, pipe or terminal.
//!
//! The object has a pointer to an object of C++ in a field for embedders, and that one has the handle of libuv inside of
//! itself. Neither is described anywhere, so what is found must prove itself:
//!
//! ```text
//! object of JavaScript ──▶ object of C++ ◀─────────┐
//!                           …                      │
//!                           handle: data ──────────┘   0
//!                                   loop ──▶ loop      8      loop.watchers[fd] is the watcher, or
//!                                   type              16      nothing where no event is waited for
//!                                   queue (next, previous), a ring                                32
//!                                   watcher … fd      128 or 136, 48 further
//! ```

use crate::heap::Heap;

/// A class of Node whose objects have a handle of libuv.
#[derive(Debug)]
pub(crate) struct Wrapper {
    pub(crate) class: &'static str,
    /// The type of the handle, and where its watcher is in it.
    number: u32,
    watcher: u64,
}

/// The classes that have handles with a descriptor.
pub(crate) const WRAPPERS: [Wrapper; 4] = [
    Wrapper { class: "Pipe", number: 7, watcher: 136 },
    Wrapper { class: "TCP", number: 12, watcher: 136 },
    Wrapper { class: "TTY", number: 14, watcher: 136 },
    Wrapper { class: "UDP", number: 15, watcher: 128 },
];
/// Words of an object of JavaScript that may be fields for embedders.
const FIELDS: u64 = 16;
/// Bytes of an object of C++ in which its handle may begin.
const WITHIN: u64 = 512;

const LOOP: u64 = 8;
const TYPE: u64 = 16;
const QUEUE: u64 = 32;
/// The descriptor, from its watcher on.
const FD: u64 = 48;
/// In a loop: the list of watchers, and how many it has room for.
const WATCHERS: u64 = 104;
const ROOM: u64 = 112;

impl Heap {
    /// The file descriptor of an object of one of Node's classes for sockets, if it has one that proves itself.
    pub(crate) fn descriptor(&self, address: u64, size: u64, wrapper: &Wrapper) -> Option<u32> {
        let fields = (1..(size / 8).min(FIELDS)).filter_map(|i| self.memory.word(address + 8 * i));
        let outside = |&at: &u64| at != 0 && at.is_multiple_of(8) && self.pages.at(at).is_none();
        fields.filter(outside).find_map(|object| {
            let mut places = (object..object.checked_add(WITHIN)?).step_by(8);
            places.find_map(|handle| proven(object, handle, wrapper, &|at| self.memory.word(at)))
        })
    }
}

/// The descriptor of a handle in an object of C++, if that is what is there.
fn proven(object: u64, handle: u64, wrapper: &Wrapper, word: &dyn Fn(u64) -> Option<u64>) -> Option<u32> {
    let half = |at: u64| word(at).map(|word| word as u32);
    // Nothing of it lies beyond the end of memory.
    handle.checked_add(wrapper.watcher + FD)?;
    let data = word(handle).filter(|data| data.abs_diff(object) < WITHIN)?;
    half(handle + TYPE).filter(|&number| number == wrapper.number)?;
    let list = word(handle + LOOP).filter(|at| at.is_multiple_of(8) && *at != data)?;
    let ring = handle + QUEUE;
    let (next, previous) = (word(ring)?, word(ring + 8)?);
    let is_ring = word(next.checked_add(8)?)? == ring && word(previous)? == ring;
    let watcher = handle + wrapper.watcher;
    let fd = half(watcher + FD)?;
    let room = half(list.checked_add(ROOM)?)?;
    let known = word(word(list + WATCHERS)?.checked_add(8 * u64::from(fd))?)?;
    (is_ring && fd < room && (known == 0 || known == watcher)).then_some(fd)
}

#[cfg(test)]
mod tests {
    use heap_base::Map;

    use super::*;

    const OBJECT: u64 = 0x1000;
    const HANDLE: u64 = OBJECT + 0xb8;
    const TABLE: u64 = 0x9000;

    /// A socket with descriptor 25, alone in its loop.
    fn memory() -> Map<u64, u64> {
        let (list, ring) = (0x8000, HANDLE + QUEUE);
        let words = [
            (HANDLE, OBJECT),
            (HANDLE + LOOP, list),
            (HANDLE + TYPE, 12),
            (ring, list + 16),
            (ring + 8, list + 16),
            (list + 16, ring),
            (list + 24, ring),
            (HANDLE + 136 + FD, 25),
            (list + WATCHERS, TABLE),
            (list + ROOM, 0x2f_0000_007e),
            (TABLE + 8 * 25, HANDLE + 136),
        ];
        words.into_iter().collect()
    }

    fn found(memory: &Map<u64, u64>) -> Option<u32> {
        let mut places = (OBJECT..OBJECT + WITHIN).step_by(8);
        places.find_map(|at| proven(OBJECT, at, &WRAPPERS[1], &|at| memory.get(&at).copied()))
    }

    #[test]
    fn a_handle_that_all_agree_on_has_its_descriptor() {
        assert_eq!(found(&memory()), Some(25));
        // No event is waited for.
        let mut memory = memory();
        memory.insert(TABLE + 8 * 25, 0);
        assert_eq!(found(&memory), Some(25));
    }

    #[test]
    fn a_handle_of_which_one_word_is_wrong_has_none() {
        for at in memory().into_keys() {
            let mut memory = memory();
            memory.insert(at, 7);
            assert_eq!(found(&memory), None, "{at:x}");
            memory.remove(&at);
            assert_eq!(found(&memory), None, "{at:x}");
        }
    }
}
