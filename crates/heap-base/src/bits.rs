//! A set of node numbers, one bit each.

/// A set of numbers below a bound.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    /// An empty set of numbers below `bound`.
    pub fn new(bound: u32) -> Self {
        Self { words: vec![0; (bound as usize).div_ceil(64)] }
    }

    /// Adds `i`, growing if need be; true if it was not in yet.
    #[inline]
    pub fn insert(&mut self, i: u32) -> bool {
        let (word, bit) = (i as usize / 64, 1 << (i % 64));
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let slot = &mut self.words[word];
        let new = *slot & bit == 0;
        *slot |= bit;
        new
    }

    /// Takes `i` out.
    #[inline]
    pub fn remove(&mut self, i: u32) {
        if let Some(slot) = self.words.get_mut(i as usize / 64) {
            *slot &= !(1 << (i % 64));
        }
    }

    /// True if `i` is in.
    #[inline]
    pub fn contains(&self, i: u32) -> bool {
        self.words.get(i as usize / 64).is_some_and(|word| word >> (i % 64) & 1 == 1)
    }

    /// The set that these words are, see [`words`](Self::words).
    pub fn from_words(words: Vec<u64>) -> Self {
        Self { words }
    }

    /// 64 numbers a word, the lowest bit first.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// How many numbers are in.
    pub fn count(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// The numbers in it, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().enumerate().flat_map(|(i, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                (left != 0).then(|| {
                    let bit = left.trailing_zeros();
                    left &= left - 1;
                    i as u32 * 64 + bit
                })
            })
        })
    }
}

impl FromIterator<u32> for BitSet {
    fn from_iter<T: IntoIterator<Item = u32>>(numbers: T) -> Self {
        let mut set = Self::default();
        for i in numbers {
            set.insert(i);
        }
        set
    }
}
