//! Groups of the current snapshot, and which one each node is in.

use heap_base::{Map, NumberMap};
use heap_graph::Column;
use heap_record::Value;
use smallvec::SmallVec;

use super::totals::Totals;

/// What the nodes of a group have in its key columns.
pub(super) type Key = SmallVec<[Token; 2]>;
/// What a node has in a key column, before strings are looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Token {
    None,
    Subtype(u32),
    Bracketed(u32),
    String(i64),
    /// The package of the class with this string id.
    Package(i64),
    Content(u64),
    /// Where a function made of this code stands.
    Place(Value),
}

/// Groups by number, in the order in which they were met.
#[derive(Debug, Default)]
pub(super) struct Groups {
    pub(super) keys: Vec<Key>,
    pub(super) totals: Vec<Totals>,
    numbers: Map<Key, u32>,
    /// Number plus one by class id, for sums by class; 0 = none yet.
    by_class: NumberMap<u32>,
    /// The same by subtype.
    by_subtype: NumberMap<u32>,
}

/// The group of a node as a column has it: small, and zero for none.
pub(super) fn entry(group: Option<u32>) -> u64 {
    group.map_or(0, |group| u64::from(group) + 1)
}

/// The group of a node in a column of them.
#[inline]
pub(super) fn group_at(groups: &Column, node: u32) -> Option<u32> {
    if (node as usize) < groups.len() {
        groups.get(node).checked_sub(1).map(|group| group as u32)
    } else {
        None
    }
}

impl Groups {
    /// The number of the group with this key.
    pub(super) fn number(&mut self, key: Key) -> u32 {
        let next = self.keys.len() as u32;
        let number = *self.numbers.entry(key.clone()).or_insert(next);
        if number == next {
            self.keys.push(key);
            self.totals.push(Totals::default());
        }
        number
    }

    /// The number for a key of one token, found by its id where it has one.
    #[inline]
    pub(super) fn quick(&mut self, token: Token) -> u32 {
        let slot = match token {
            Token::String(id) => self.by_class.slot(id),
            Token::Subtype(n) | Token::Bracketed(n) => self.by_subtype.slot(n.into()),
            _ => return self.number(Key::from_slice(&[token])),
        };
        match *slot {
            0 => {
                *slot = self.keys.len() as u32 + 1;
                self.number(Key::from_slice(&[token]))
            }
            number => number - 1,
        }
    }
}
