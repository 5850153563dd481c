//! Which string ids have a text, and whether it is always the same one.

use heap_base::{Map, hash};
use heap_record::{Data, Str, StringId};

/// A mark of the text of every string id. Memory: 8 bytes an id; ids far from the others 40.
#[derive(Debug, Default)]
pub(super) struct Texts {
    /// For ids 0, 1, 2, …; 0 = absent.
    up: Vec<u64>,
    /// For ids −1, −2, …, the array indexes.
    down: Vec<u64>,
    other: Map<StringId, u64>,
}

/// How much longer than the number of ids a table may be.
const SLACK: u64 = 4;

impl Texts {
    /// Takes a record in; true if its id had another text before.
    pub(super) fn insert(&mut self, string: &Str<'_>) -> bool {
        let mark = mark(string);
        let (list, place) = match string.id {
            id @ 0.. => (&mut self.up, id as u64),
            id => (&mut self.down, !id as u64),
        };
        let old = if place < list.len() as u64 {
            Some(&mut list[place as usize])
        } else if place < 1024 + list.len() as u64 * SLACK && !self.other.contains_key(&string.id) {
            list.resize(place as usize + 1, 0);
            Some(&mut list[place as usize])
        } else {
            None
        };
        let old = match old {
            Some(slot) => std::mem::replace(slot, mark),
            None => self.other.insert(string.id, mark).unwrap_or(0),
        };
        old != 0 && old != mark
    }

    /// True if the id has a text.
    #[inline]
    pub(super) fn has(&self, id: StringId) -> bool {
        let (list, place) = if id >= 0 { (&self.up, id as u64) } else { (&self.down, !id as u64) };
        let there =
            usize::try_from(place).ok().and_then(|place| list.get(place)).is_some_and(|&mark| mark != 0);
        there || !self.other.is_empty() && self.other.contains_key(&id)
    }

    /// True if the text of an id is `text`, as far as the mark shows.
    pub(super) fn is(&self, id: StringId, text: &str) -> bool {
        let (list, place) = if id >= 0 { (&self.up, id as u64) } else { (&self.down, !id as u64) };
        let found =
            usize::try_from(place).ok().and_then(|place| list.get(place)).copied().filter(|&m| m != 0);
        found.or_else(|| self.other.get(&id).copied())
            == Some(mark(&Str { data: Data::Plain(text), ..Str::default() }))
    }
}

/// The mark of a text and of what its record says beside; never 0.
fn mark(string: &Str<'_>) -> u64 {
    let text = match string.data {
        Data::Escaped(text) if text.contains('\\') => string.data.text(),
        Data::Plain(text) | Data::Escaped(text) => text.into(),
    };
    hash::mark((text, string.rest)).max(1)
}
