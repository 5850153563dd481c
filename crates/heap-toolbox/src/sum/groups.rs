//! Groups of the current snapshot, and which one each node is in.

use heap_base::Map;
use heap_graph::Column;
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
}

/// Groups by number, in the order in which they were met.
#[derive(Debug, Default)]
pub(super) struct Groups {
    pub(super) keys: Vec<Key>,
    pub(super) totals: Vec<Totals>,
    numbers: Map<Key, u32>,
    /// Number plus one by small class id, for sums by class; 0 = none yet.
    by_class: Vec<u32>,
    /// The same by small subtype.
    by_subtype: Vec<u32>,
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

/// Class ids and subtypes below these are looked up by position.
const QUICK_CLASSES: i64 = 1 << 24;
const QUICK_SUBTYPES: u32 = 256;

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

    /// The number for a key of one token, found by position where that can be.
    #[inline]
    pub(super) fn quick(&mut self, token: Token) -> u32 {
        let (list, place) = match token {
            Token::String(id) if (0..QUICK_CLASSES).contains(&id) => (&mut self.by_class, id as usize),
            Token::Subtype(n) | Token::Bracketed(n) if n < QUICK_SUBTYPES => {
                (&mut self.by_subtype, n as usize)
            }
            _ => return self.number(Key::from_slice(&[token])),
        };
        if place >= list.len() {
            list.resize((place + 1).next_power_of_two(), 0);
        }
        if list[place] == 0 {
            let number = self.number(Key::from_slice(&[token]));
            let list =
                if matches!(token, Token::String(_)) { &mut self.by_class } else { &mut self.by_subtype };
            list[place] = number + 1;
            return number;
        }
        list[place] - 1
    }
}
