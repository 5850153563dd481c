//! The strings of array indexes: which of them were emitted.

use heap_base::{BitSet, Result, Set};
use heap_record::{Data, Sink, Str, StringId};

/// Indexes below this have a bit of their own: 128 KiB at most.
const DENSE: u32 = 1 << 20;

/// A set of array indexes.
#[derive(Debug, Default)]
pub(super) struct Indexes {
    dense: BitSet,
    others: Set<u32>,
}

impl Indexes {
    /// Whether `label` is an array index that was not in the set; puts it in.
    #[inline]
    pub(super) fn insert(&mut self, label: StringId) -> bool {
        if label >= 0 {
            return false;
        }
        let index = !label as u32;
        if index < DENSE { self.dense.insert(index) } else { self.others.insert(index) }
    }
}

/// Emits the string of an array index.
pub(super) fn emit(label: StringId, sink: &mut dyn Sink) -> Result {
    let mut digits = itoa::Buffer::new();
    sink.string(&Str { id: label, data: Data::Escaped(digits.format(!label as u32)), ..Str::default() })
}
