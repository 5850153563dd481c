//! Which string has which roles: a byte for each string id.

use heap_base::Map;
use heap_record::StringId;

/// Sets of bits by string id. Memory: a byte for each id that is a position, on either side of zero (array indexes
/// count down), and an entry for each that is not.
#[derive(Debug, Default)]
pub(crate) struct Roles {
    up: Vec<u8>,
    down: Vec<u8>,
    sparse: Map<StringId, u8>,
}

impl Roles {
    fn dense(&mut self, id: StringId) -> Option<&mut u8> {
        let (list, at) = if id < 0 { (&mut self.down, !id) } else { (&mut self.up, id) };
        let at = usize::try_from(at).ok()?;
        if at >= list.len() {
            if at > list.len() * 2 + 1024 {
                return None;
            }
            list.resize((at + 1).next_power_of_two(), 0);
        }
        list.get_mut(at)
    }

    /// Adds bits; gives what was there before.
    #[inline]
    pub(crate) fn add(&mut self, id: StringId, bits: u8) -> u8 {
        let all = self.get(id);
        if all & bits != bits {
            self.set(id, all | bits);
        }
        all
    }

    /// Replaces the bits.
    pub(crate) fn set(&mut self, id: StringId, bits: u8) {
        if !self.sparse.is_empty() && self.sparse.contains_key(&id) {
            self.sparse.insert(id, bits);
        } else if let Some(entry) = self.dense(id) {
            *entry = bits;
        } else {
            self.sparse.insert(id, bits);
        }
    }

    /// The bits of an id.
    #[inline]
    pub(crate) fn get(&self, id: StringId) -> u8 {
        let (list, at) = if id < 0 { (&self.down, !id) } else { (&self.up, id) };
        let found = usize::try_from(at).ok().and_then(|at| list.get(at)).copied().unwrap_or(0);
        if found == 0 && !self.sparse.is_empty() {
            return self.sparse.get(&id).copied().unwrap_or(0);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::Roles;

    #[test]
    fn any_id_is_as_good_as_another() {
        let ids = [0, 1, -1, -2, 7, 1000, 100_000, -100_000, i64::MAX, i64::MIN, 1 << 40, 200_000, 150_000];
        let mut roles = Roles::default();
        for bit in [1, 2] {
            for id in ids {
                assert_eq!(roles.add(id, bit), bit - 1, "{id}");
            }
            // Now they are within reach of a list.
            for id in 0..300_000 {
                roles.add(id, 0x80);
            }
            for id in ids {
                roles.set(id, roles.get(id) & 0x7f);
            }
        }
        assert_eq!(ids.map(|id| roles.get(id)), [3; 13]);
    }
}
