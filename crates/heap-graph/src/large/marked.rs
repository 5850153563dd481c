//! A set of numbers that says quickly which of them comes next.

/// Numbers below a bound: a bit each, and above them bits that say which words are not empty, level by level.
#[derive(Debug)]
pub(super) struct Marked {
    levels: Vec<Vec<u64>>,
}

impl Marked {
    /// An empty set of numbers below `bound`.
    pub(super) fn new(bound: u64) -> Self {
        let mut levels = Vec::new();
        let mut words = bound.div_ceil(64).max(1);
        loop {
            levels.push(vec![0; words as usize]);
            if words == 1 {
                return Self { levels };
            }
            words = words.div_ceil(64);
        }
    }

    #[inline]
    pub(super) fn contains(&self, i: u32) -> bool {
        self.levels[0].get(i as usize / 64).is_some_and(|word| word >> (i % 64) & 1 == 1)
    }

    #[inline]
    pub(super) fn insert(&mut self, i: u32) {
        let mut at = i as usize;
        for level in &mut self.levels {
            let word = &mut level[at / 64];
            let was_empty = *word == 0;
            *word |= 1 << (at % 64);
            if !was_empty {
                return;
            }
            at /= 64;
        }
    }

    #[inline]
    pub(super) fn remove(&mut self, i: u32) {
        let mut at = i as usize;
        for level in &mut self.levels {
            let word = &mut level[at / 64];
            *word &= !(1 << (at % 64));
            if *word != 0 {
                return;
            }
            at /= 64;
        }
    }

    /// The first number from `from` on.
    #[inline]
    pub(super) fn next(&self, from: u32) -> Option<u32> {
        let mut at = from as usize;
        for (height, level) in self.levels.iter().enumerate() {
            let word = level.get(at / 64)? & u64::MAX << (at % 64);
            if word != 0 {
                at = at / 64 * 64 + word.trailing_zeros() as usize;
                let down = self.levels[..height].iter().rev();
                return Some(down.fold(at, |at, level| at * 64 + level[at].trailing_zeros() as usize) as u32);
            }
            at = at / 64 + 1;
        }
        None
    }

    /// The last number up to `from`.
    #[inline]
    pub(super) fn before(&self, from: u32) -> Option<u32> {
        let mut at = (from as usize).min(self.levels[0].len() * 64 - 1);
        for (height, level) in self.levels.iter().enumerate() {
            let word = level[at / 64] & u64::MAX >> (63 - at % 64);
            if word != 0 {
                at = at / 64 * 64 + 63 - word.leading_zeros() as usize;
                let down = self.levels[..height].iter().rev();
                return Some(
                    down.fold(at, |at, level| at * 64 + 63 - level[at].leading_zeros() as usize) as u32
                );
            }
            at = (at / 64).checked_sub(1)?;
        }
        None
    }
}
