//! Ordinals of nodes by identifier.
//!
//! Memory: 4 bytes a node for the identifier (8 where one is beyond 32 bits), and 4 to 16 for the table.

use heap_base::{Error, Result};
use heap_record::Value;

/// No ordinal.
const NONE: u32 = u32::MAX;

/// Identifiers by ordinal, and the other way round once [`seal`](Self::seal) was called.
#[derive(Debug)]
pub(crate) struct Ids {
    keys: Keys,
    /// Ordinals by half an odd key.
    flat: Vec<u32>,
    /// Ordinals of the other keys: open addressing, a power of two.
    scattered: Vec<u32>,
    sealed: usize,
}

/// What is kept of identifiers.
#[derive(Debug)]
enum Keys {
    /// V8's own ids: an odd identifier as it is, a negative one as the even number it stands for.
    Narrow(Vec<u32>),
    /// Identifiers.
    Wide(Vec<Value>),
}

/// V8's id, if the identifier is that of an id below 2^32.
#[inline]
fn narrow(id: Value) -> Option<u32> {
    let key = if id < 0 { !id } else { id };
    let parity = u32::from(id >= 0);
    u32::try_from(key).ok().filter(|k| k & 1 == parity)
}

#[inline]
fn widen(key: u32) -> Value {
    if key & 1 == 1 { key.into() } else { !Value::from(key) }
}

#[inline]
fn hash(id: Value) -> u64 {
    (id as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

impl Default for Ids {
    fn default() -> Self {
        Self { keys: Keys::Narrow(Vec::new()), flat: Vec::new(), scattered: Vec::new(), sealed: 0 }
    }
}

impl Ids {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        match &self.keys {
            Keys::Narrow(keys) => keys.len(),
            Keys::Wide(keys) => keys.len(),
        }
    }

    /// Adds the identifier of the next node.
    pub(crate) fn push(&mut self, id: Value) {
        match &mut self.keys {
            Keys::Wide(keys) => keys.push(id),
            Keys::Narrow(keys) => match narrow(id) {
                Some(key) => keys.push(key),
                None => self.keys = Keys::Wide(keys.iter().map(|&k| widen(k)).chain([id]).collect()),
            },
        }
    }

    /// The identifier of a node.
    #[inline]
    pub(crate) fn get(&self, ordinal: usize) -> Value {
        match &self.keys {
            Keys::Narrow(keys) => keys.get(ordinal).map_or(0, |&k| widen(k)),
            Keys::Wide(keys) => keys.get(ordinal).copied().unwrap_or(0),
        }
    }

    /// True if all identifiers stand for different ids of 32 bits.
    pub(crate) fn is_narrow(&self) -> bool {
        matches!(self.keys, Keys::Narrow(_))
    }

    /// Makes the table for all identifiers so far, if that is not done.
    pub(crate) fn seal(&mut self) -> Result {
        let n = self.len();
        if self.sealed == n {
            return Ok(());
        }
        self.sealed = n;
        let most = (n as u64 * 4).max(1024);
        let near = |id: Value| (id > 0 && id & 1 == 1 && (id as u64 >> 1) < most).then_some(id as usize >> 1);
        let (mut reach, mut far) = (0, 0usize);
        for ordinal in 0..n {
            match near(self.get(ordinal)) {
                Some(at) => reach = reach.max(at + 1),
                None => far += 1,
            }
        }
        self.flat = vec![NONE; reach];
        self.scattered =
            if far == 0 { Vec::new() } else { vec![NONE; (far * 4 / 3).next_power_of_two().max(4)] };
        for ordinal in 0..n {
            let id = self.get(ordinal);
            let slot = if let Some(at) = near(id) {
                self.flat.get_mut(at)
            } else {
                let at = self.slot(id);
                self.scattered.get_mut(at)
            };
            if let Some(slot) = slot {
                if *slot != NONE {
                    return Err(Error::input(format!("node {id} is there twice")));
                }
                *slot = ordinal as u32;
            }
        }
        Ok(())
    }

    /// Where a scattered identifier is, or would be.
    #[inline]
    fn slot(&self, id: Value) -> usize {
        let mask = self.scattered.len() - 1;
        let mut at = (hash(id) >> 20) as usize & mask;
        loop {
            match self.scattered[at] {
                NONE => return at,
                ordinal if self.get(ordinal as usize) == id => return at,
                _ => at = (at + 1) & mask,
            }
        }
    }

    /// The node with this identifier, among those that were there when the table was made.
    #[inline]
    pub(crate) fn find(&self, id: Value) -> Option<u32> {
        if id > 0 && id & 1 == 1 {
            match self.flat.get(id as usize >> 1) {
                Some(&NONE) => return None,
                Some(&ordinal) => return Some(ordinal),
                None => {}
            }
        }
        if self.scattered.is_empty() {
            return None;
        }
        Some(self.scattered[self.slot(id)]).filter(|&o| o != NONE)
    }

    /// Odd ids of 32 bits that no node has: 1 first, then past the largest, then the smallest.
    pub(crate) fn fresh(&self) -> impl Iterator<Item = u64> + '_ {
        let largest = (0..self.len()).map(|i| self.get(i)).filter(|&id| id <= u32::MAX.into()).max();
        let past = (largest.unwrap_or(1).max(1) as u64 + 2) | 1;
        let all = std::iter::once(1).chain((past..=u32::MAX.into()).step_by(2)).chain((3..past).step_by(2));
        all.filter(|&id| self.find(id as Value).is_none())
    }
}
