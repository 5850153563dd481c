//! The ids of all nodes, in the fewest bytes that hold them, and whether each is another one.

use heap_base::away::{Away, AwayWriter, width_of};
use heap_base::{BitSet, Result};

/// Ids by ordinal: 4 bytes each while they fit, 5 up to 2^40, 8 beyond.
#[derive(Debug)]
pub(crate) struct Ids {
    low: Vec<u32>,
    high: High,
    largest: u64,
    /// All of them in a file, and none in memory.
    away: Option<Away>,
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
        Self { low: Vec::with_capacity(hint), high: High::None, largest: 0, away: None }
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

    /// Appends other ids.
    pub(crate) fn append(&mut self, mut other: Self) {
        if let (High::None, High::None) = (&self.high, &other.high) {
            self.low.append(&mut other.low);
            self.largest = self.largest.max(other.largest);
        } else {
            other.iter().for_each(|id| self.push(id));
        }
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
        let Some(&low) = self.low.get(ordinal) else { return self.get_away(ordinal) };
        let low = u64::from(low);
        let high = match &self.high {
            High::None => return Some(low),
            High::Narrow(high) => high.get(ordinal).map_or(0, |&h| h.into()),
            High::Wide(high) => high.get(ordinal).map_or(0, |&h| u64::from(h)),
        };
        Some(high << 32 | low)
    }

    #[cold]
    fn get_away(&self, ordinal: usize) -> Option<u64> {
        self.away.as_ref().filter(|away| ordinal < away.len()).map(|away| away.get(ordinal))
    }

    /// Puts them into a file.
    pub(crate) fn put_away(&mut self) -> Result {
        let mut file = AwayWriter::new(width_of(self.largest))?;
        self.iter().try_for_each(|id| file.push(id))?;
        (self.low, self.high) = (Vec::new(), High::None);
        self.away = Some(file.finish()?);
        Ok(())
    }

    /// Says that the file could not be read.
    pub(crate) fn check(&self) -> Result {
        self.away.as_ref().map_or(Ok(()), Away::check)
    }

    /// All of them, by ordinal.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        let mut away = self.away.iter().flat_map(Away::iter);
        let count = self.away.as_ref().map_or(self.low.len(), Away::len);
        (0..count).map_while(move |ordinal| if self.low.is_empty() { away.next() } else { self.get(ordinal) })
    }

    /// The largest.
    pub(crate) fn largest(&self) -> u64 {
        self.largest
    }

    /// Whether no id occurs twice. Takes up to eight bytes an id for the time being.
    pub(crate) fn all_different(&self) -> bool {
        // Nearly all ids are small numbers: one bit each. The few beyond are sorted.
        let bound = (self.low.len() as u64).saturating_mul(16).min(1 << 32);
        let mut seen = BitSet::default();
        let mut beyond = Vec::new();
        for id in self.iter() {
            if id >= bound {
                beyond.push(id);
            } else if !seen.insert(id as u32) {
                return false;
            }
        }
        beyond.sort_unstable();
        beyond.windows(2).all(|pair| pair[0] != pair[1])
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn ids_of_any_width_are_kept() {
        arbtest::arbtest(|u| {
            let bits = u.int_in_range(4..=63)?;
            let count = u.int_in_range(0..=200)?;
            let [mut ids, mut others] = [Ids::with_capacity(0), Ids::with_capacity(0)];
            let cut = u.int_in_range(0..=count)?;
            let mut plain = Vec::new();
            for i in 0..count {
                let id = match plain.as_slice() {
                    [] => u.int_in_range(0..=1 << bits)?,
                    some if u.ratio(1, 300)? => *u.choose(some)?,
                    _ => {
                        let bits = u.int_in_range(0..=bits)?;
                        u.int_in_range(0..=1 << bits)?
                    }
                };
                if i < cut { &mut ids } else { &mut others }.push(id);
                plain.push(id);
            }
            ids.append(others);
            if u.arbitrary()? {
                ids.put_away().expect("a file");
                assert!(ids.low.is_empty());
                assert!((0..plain.len()).all(|at| ids.get(at) == Some(plain[at])));
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
    fn repeated_ids_are_found_among_nearly_ascending_ones() {
        arbtest::arbtest(|u| {
            let count = u.int_in_range(1..=3000u64)?;
            let mut plain: Vec<u64> = (0..count).map(|i| i * 1000 + 1).collect();
            for _ in 0..u.int_in_range(0..=40)? {
                let (a, b) = (u.choose_index(plain.len())?, u.choose_index(plain.len())?);
                match u.int_in_range(0..=3)? {
                    0 => plain.swap(a, b),
                    1 => plain[a] = u.int_in_range(0..=4_000_000)?,
                    2 if u.ratio(1, 8)? => plain[a] = plain[b],
                    _ => plain[a.min(b)..=a.max(b)].rotate_left(1),
                }
            }
            let mut ids = Ids::with_capacity(0);
            for &id in &plain {
                ids.push(id);
            }
            let different = plain.iter().collect::<BTreeSet<_>>().len() == plain.len();
            assert_eq!(ids.all_different(), different);
            Ok(())
        })
        .size_min(512);
    }

    #[test]
    fn one_repeated_id_among_many_dense_ones_is_found() {
        let plain: Vec<u64> = (0..1000).map(|i| 2 * i + 1).collect();
        for (place, twin) in [(0, 999), (999, 0), (499, 500), (3, 4), (998, 600), (777, 64), (64, 64)] {
            let mut ids = Ids::with_capacity(0);
            let mut plain = plain.clone();
            plain[place] = plain[twin];
            for &id in &plain {
                ids.push(id);
            }
            assert_eq!(ids.all_different(), place == twin, "{place} {twin}");
        }
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
