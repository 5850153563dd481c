//! The ids of all nodes, in the fewest bytes that hold them, and whether each is another one.

use crate::bits::Bits;

/// Ids by ordinal: 4 bytes each while they fit, 5 up to 2^40, 8 beyond.
#[derive(Debug)]
pub(crate) struct Ids {
    low: Vec<u32>,
    high: High,
    largest: u64,
}

/// The bits above 32.
#[derive(Debug)]
enum High {
    None,
    Narrow(Vec<u8>),
    Wide(Vec<u32>),
}

impl Ids {
    /// No ids yet, room for `hint`.
    pub(crate) fn with_capacity(hint: usize) -> Self {
        Self { low: Vec::with_capacity(hint), high: High::None, largest: 0 }
    }

    /// Appends an id.
    #[inline]
    pub(crate) fn push(&mut self, id: u64) {
        self.largest = self.largest.max(id);
        match &mut self.high {
            High::None if u32::try_from(id).is_ok() => {}
            High::Narrow(high) if id < 1 << 40 => high.push((id >> 32) as u8),
            High::Wide(high) => high.push((id >> 32) as u32),
            _ => self.widen(id),
        }
        self.low.push(id as u32);
    }

    /// Makes room for the upper bits of `id`.
    #[cold]
    fn widen(&mut self, id: u64) {
        let (count, room) = (self.low.len(), self.low.capacity());
        let upper = (id >> 32) as u32;
        self.high = if let Ok(upper) = u8::try_from(upper) {
            // Ids fitted into 32 bits so far.
            let mut high = Vec::with_capacity(room);
            high.resize(count, 0);
            high.push(upper);
            High::Narrow(high)
        } else {
            let mut high = Vec::with_capacity(room);
            match &self.high {
                High::Narrow(narrow) => high.extend(narrow.iter().map(|&h| u32::from(h))),
                _ => high.resize(count, 0),
            }
            high.push(upper);
            High::Wide(high)
        };
    }

    /// The id of a node, if there is such a node.
    #[inline]
    pub(crate) fn get(&self, ordinal: usize) -> Option<u64> {
        let low = u64::from(*self.low.get(ordinal)?);
        let high = match &self.high {
            High::None => return Some(low),
            High::Narrow(high) => high.get(ordinal).map_or(0, |&h| h.into()),
            High::Wide(high) => high.get(ordinal).map_or(0, |&h| u64::from(h)),
        };
        Some(high << 32 | low)
    }

    /// All of them, by ordinal.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        (0..self.low.len()).map_while(|ordinal| self.get(ordinal))
    }

    /// The largest.
    pub(crate) fn largest(&self) -> u64 {
        self.largest
    }

    /// Whether no id occurs twice. Takes two bytes an id for the time being.
    pub(crate) fn all_different(&self) -> bool {
        let spread = (self.low.len() as u64).saturating_mul(16);
        if self.largest < spread {
            let mut seen = Bits::below(self.largest as usize + 1);
            return self.iter().all(|id| seen.insert(id as usize));
        }
        // One bit for a hash. Of two equal ids the second one finds its bit set, as some others do by chance; those
        // are counted once more, each by itself.
        let log = spread.max(64).ilog2();
        let place = |id: u64| (id.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - log)) as usize;
        let mut seen = Bits::below(1 << log);
        let mut suspects: Vec<u64> = self.iter().filter(|&id| !seen.insert(place(id))).collect();
        suspects.sort_unstable();
        if suspects.windows(2).any(|pair| pair[0] == pair[1]) {
            return false;
        }
        let mut hit = Bits::default();
        for &id in &suspects {
            hit.insert(place(id));
        }
        let met = self.iter().filter(|&id| hit.contains(place(id)) && suspects.binary_search(&id).is_ok());
        met.count() == suspects.len()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn ids_of_any_width_are_kept_and_told_apart() {
        arbtest::arbtest(|u| {
            let bits = u.int_in_range(4..=63)?;
            let count = u.int_in_range(0..=200)?;
            let mut ids = Ids::with_capacity(0);
            let mut plain = Vec::new();
            for _ in 0..count {
                let id = match plain.as_slice() {
                    [] => u.int_in_range(0..=1 << bits)?,
                    some if u.ratio(1, 300)? => *u.choose(some)?,
                    _ => {
                        let bits = u.int_in_range(0..=bits)?;
                        u.int_in_range(0..=1 << bits)?
                    }
                };
                ids.push(id);
                plain.push(id);
            }
            assert_eq!(ids.iter().collect::<Vec<_>>(), plain);
            assert_eq!(ids.get(plain.len()), None);
            assert_eq!(ids.largest(), plain.iter().copied().max().unwrap_or(0));
            let different = plain.iter().collect::<BTreeSet<_>>().len() == plain.len();
            assert_eq!(ids.all_different(), different);
            Ok(())
        });
    }

    #[test]
    fn one_repeated_id_among_many_scattered_ones_is_found() {
        for twin in [0, 1, 77_777, 99_999] {
            let mut ids = Ids::with_capacity(0);
            (0..100_000u64).for_each(|i| ids.push(i * 7919 + 1));
            assert!(ids.all_different());
            ids.push(twin * 7919 + 1);
            assert!(!ids.all_different());
        }
    }
}
