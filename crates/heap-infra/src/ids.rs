//! Identifiers of a dump turned into dense numbers, in the order in which they are first met.

use std::collections::BTreeMap;

use crate::texts::{NONE, TextId};

/// An identifier as the dump has it: a number, or (previous format and v1 only) any text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    /// A number, or a text that is exactly the decimal form of one.
    Number(u64),
    /// Any other text.
    Text(TextId),
}

impl Key {
    /// The number that a text is the plain decimal form of.
    pub(crate) fn decimal(text: &[u8]) -> Option<u64> {
        if text.is_empty() || text.len() > 19 || (text[0] == b'0' && text.len() > 1) {
            return None;
        }
        text.iter().try_fold(0u64, |n, b| b.is_ascii_digit().then(|| n * 10 + u64::from(b - b'0')))
    }
}

/// Keys to dense numbers. Small numbers go through a table, the rest through a tree: no hashing, so no input can
/// make it slow. At most 80 bytes per key.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    table: Vec<u32>,
    tree: BTreeMap<Key, u32>,
    keys: Vec<Key>,
}

impl Ids {
    /// The key with a dense number.
    pub(crate) fn key(&self, dense: u32) -> Option<Key> {
        self.keys.get(dense as usize).copied()
    }

    /// The dense number of a key that was met before.
    pub(crate) fn find(&self, key: Key) -> Option<u32> {
        if let Key::Number(n) = key
            && n < self.table.len() as u64
            && self.table[n as usize] != NONE
        {
            return Some(self.table[n as usize]);
        }
        self.tree.get(&key).copied()
    }

    /// The dense number of a key, which is taken in if it is new.
    #[inline]
    pub(crate) fn dense(&mut self, key: Key) -> u32 {
        if let Key::Number(n) = key
            && n < self.table.len() as u64
            && self.table[n as usize] != NONE
        {
            return self.table[n as usize];
        }
        self.slow(key)
    }

    #[cold]
    fn slow(&mut self, key: Key) -> u32 {
        if let Some(&dense) = self.tree.get(&key) {
            return dense;
        }
        let dense = self.keys.len() as u32;
        self.keys.push(key);
        // The table may have sixteen places for each key there is: real ids leave out about every second number.
        let room = 16 * (self.keys.len() as u64 + 256);
        match key {
            Key::Number(n) if n < room => {
                let n = n as usize;
                if n >= self.table.len() {
                    let len = (n + 1).max(self.table.len() * 2).min(room as usize);
                    self.table.resize(len, NONE);
                }
                self.table[n] = dense;
            }
            _ => {
                self.tree.insert(key, dense);
            }
        }
        dense
    }
}
