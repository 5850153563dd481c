//! The ids of all nodes, in the fewest bytes that hold them, and whether each is another one.

use heap_base::join;

use crate::bits::Bits;

/// Fewer ids are not worth a second thread.
const THREAD_FROM: usize = if cfg!(test) { 50 } else { 1 << 20 };

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
        let low = u64::from(*self.low.get(ordinal)?);
        let high = match &self.high {
            High::None => return Some(low),
            High::Narrow(high) => high.get(ordinal).map_or(0, |&h| h.into()),
            High::Wide(high) => high.get(ordinal).map_or(0, |&h| u64::from(h)),
        };
        Some(high << 32 | low)
    }

    /// All of them, by ordinal.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u64> + Clone + '_ {
        (0..self.low.len()).map_while(|ordinal| self.get(ordinal))
    }

    /// The largest.
    pub(crate) fn largest(&self) -> u64 {
        self.largest
    }

    /// Whether no id occurs twice. Takes two bytes an id for the time being, four where two threads look.
    pub(crate) fn all_different(&self) -> bool {
        let (count, largest) = (self.low.len(), self.largest);
        match self.high {
            // Nearly always; no id asks for its upper bits.
            High::None => all_different(self.low.iter().map(|&low| low.into()), count, largest),
            _ => all_different(self.iter(), count, largest),
        }
    }
}

/// Whether none of `ids` occurs twice: so many, up to `largest`.
fn all_different(ids: impl Iterator<Item = u64> + Clone + Send, count: usize, largest: u64) -> bool {
    let spread = (count as u64).saturating_mul(16);
    if largest < spread {
        // By two threads, if they are many, a half each.
        let half = if count >= THREAD_FROM { count / 2 } else { count };
        let (first, second) = (ids.clone().take(half), ids.skip(half));
        let seen = join(half < count, || distinct(first, largest), || distinct(second, largest));
        return matches!(seen, (Some(first), Some(second)) if first.apart(&second));
    }
    // Some are suspected, so that the others are certainly all different; each of them is looked for once more.
    let suspects = out_of_order(ids.clone(), count / 16);
    let mut suspects = suspects.unwrap_or_else(|| alike(ids.clone(), spread));
    if suspects.is_empty() {
        return true;
    }
    suspects.sort_unstable();
    if suspects.windows(2).any(|pair| pair[0] == pair[1]) {
        return false;
    }
    let hash = Hash::new(suspects.len() as u64 * 64);
    let mut hit = Bits::below(hash.bound());
    for &id in &suspects {
        hit.insert(hash.of(id));
    }
    let met = ids.filter(|&id| hit.contains(hash.of(id)) && suspects.binary_search(&id).is_ok());
    met.count() == suspects.len()
}

/// The `ids` up to `largest`; `None` if one occurs twice.
fn distinct(mut ids: impl Iterator<Item = u64>, largest: u64) -> Option<Bits> {
    let mut seen = Bits::below(largest as usize + 1);
    ids.all(|id| seen.insert(id as usize)).then_some(seen)
}

/// Some of `ids` without which the others ascend: V8 numbers objects in the order in which a first snapshot writes them.
/// `None` if they are more than `most`.
fn out_of_order(ids: impl Iterator<Item = u64>, most: usize) -> Option<Vec<u64>> {
    /// How many of the last ids are set aside at most to make room for a smaller one.
    const BACK: usize = 64;
    let mut aside = Vec::new();
    // How many ascend, the last of them, and more of the last in a ring.
    let (mut n, mut last, mut recent) = (0, 0, [0u64; BACK]);
    // How many did at most: what came so far before is no longer in the ring.
    let mut peak = 0usize;
    for id in ids {
        if id <= last && n > 0 {
            peak = n.max(peak);
            let forgotten = peak.saturating_sub(BACK);
            let larger = (forgotten..n).rev().take_while(|i| recent[i % BACK] >= id).count();
            if aside.len() + larger > most {
                return None;
            }
            // Where those before them are forgotten, one must stay that is known to be smaller.
            if forgotten > 0 && larger == n - forgotten {
                aside.push(id);
                continue;
            }
            aside.extend((n - larger..n).map(|i| recent[i % BACK]));
            n -= larger;
        }
        recent[n % BACK] = id;
        n += 1;
        last = id;
    }
    Some(aside)
}

/// Ids that share a hash with one before them, among `spread` hashes: of two equal ids the second one does, as do some by
/// chance.
fn alike(ids: impl Iterator<Item = u64>, spread: u64) -> Vec<u64> {
    let hash = Hash::new(spread);
    let mut seen = Bits::below(hash.bound());
    ids.filter(|&id| !seen.insert(hash.of(id))).collect()
}

/// The upper bits of a product.
#[derive(Clone, Copy, Debug)]
struct Hash {
    bits: u32,
}

impl Hash {
    /// More than `most` / 2 hashes, 64 at least.
    fn new(most: u64) -> Self {
        Self { bits: most.max(64).ilog2() }
    }

    /// What all are below.
    fn bound(self) -> usize {
        1 << self.bits
    }

    #[inline]
    fn of(self, id: u64) -> usize {
        (id.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - self.bits)) as usize
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
            assert_eq!(ids.iter().collect::<Vec<_>>(), plain);
            assert_eq!(ids.get(plain.len()), None);
            assert_eq!(ids.largest(), plain.iter().copied().max().unwrap_or(0));
            let different = plain.iter().collect::<BTreeSet<_>>().len() == plain.len();
            assert_eq!(ids.all_different(), different);
            Ok(())
        });
    }

    #[test]
    fn ids_that_nearly_ascend_are_told_apart() {
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
            if let Some(aside) = out_of_order(ids.iter(), plain.len() / 16) {
                let mut left = plain.clone();
                for id in aside {
                    left.remove(left.iter().position(|&other| other == id).expect("one of them"));
                }
                left.sort_unstable();
                assert!(left.windows(2).all(|pair| pair[0] < pair[1]));
            }
            Ok(())
        })
        .size_min(512);
    }

    #[test]
    fn ids_that_many_before_them_exceed_are_told_apart() {
        let plain: Vec<u64> = (1..=2000).map(|i| i * 100_000).collect();
        for place in 60..140 {
            for back in 1..=place.min(70) {
                let mut plain = plain.clone();
                plain[place] = plain[place - back] - 1;
                plain[place + 1] = 7;
                let mut ids = Ids::with_capacity(0);
                for id in plain {
                    ids.push(id);
                }
                assert!(ids.all_different(), "{place} {back}");
            }
        }
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
