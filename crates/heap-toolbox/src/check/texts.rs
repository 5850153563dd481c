//! Which string ids have a text, and whether it is always the same one.

use heap_base::{NumberMap, hash};
use heap_record::{Data, Str, StringId};

/// A mark of the text of every string id, and the snapshot in which it came; 0 = absent. Memory: 8 bytes an id; ids far
/// from the others 170.
#[derive(Debug, Default)]
pub(super) struct Texts(NumberMap<u64>, u64);

/// The bits of the snapshot in a mark.
const SNAPSHOT: u64 = 0xffff << 48;

impl Texts {
    /// Another snapshot begins, in which strings may come anew.
    pub(super) fn next_snapshot(&mut self) {
        self.1 = self.1.wrapping_add(1 << 48);
    }

    /// Takes a record in; true if its id had another text in this snapshot.
    pub(super) fn insert(&mut self, string: &Str<'_>) -> bool {
        let mark = mark(string) | self.1;
        let old = std::mem::replace(self.0.slot(string.id), mark);
        old != 0 && old != mark && (old ^ mark) & SNAPSHOT == 0
    }

    /// True if the id has a text.
    #[inline]
    pub(super) fn has(&self, id: StringId) -> bool {
        self.0.get(id) != 0
    }

    /// True if the text of an id is `text`, as far as the mark shows.
    pub(super) fn is(&self, id: StringId, text: &str) -> bool {
        self.0.get(id) & !SNAPSHOT == mark(&Str { data: Data::Plain(text), ..Str::default() })
    }
}

/// The mark of a text and of what its record says beside; never 0.
fn mark(string: &Str<'_>) -> u64 {
    let text = match string.data {
        Data::Escaped(text) if text.contains('\\') => string.data.text(),
        Data::Plain(text) | Data::Escaped(text) => text.into(),
    };
    (hash::mark((text, string.rest)) & !SNAPSHOT).max(1)
}
