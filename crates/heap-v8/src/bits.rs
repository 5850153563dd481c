//! Sets of small numbers: one bit each where they lie close, sorted lists where they are scattered.

/// A set of ordinals, one bit each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// An empty set with room for numbers below `bound`.
    pub(crate) fn below(bound: usize) -> Self {
        Self { words: vec![0; bound.div_ceil(64)] }
    }

    /// Adds `i`; true if it is new.
    #[inline]
    pub(crate) fn insert(&mut self, i: usize) -> bool {
        if i / 64 >= self.words.len() {
            self.words.resize(i / 64 + 1, 0);
        }
        let (word, bit) = (&mut self.words[i / 64], 1u64 << (i % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// Whether `i` is in it.
    #[inline]
    pub(crate) fn contains(&self, i: usize) -> bool {
        self.words.get(i / 64).is_some_and(|w| w >> (i % 64) & 1 == 1)
    }

    /// Whether nothing is in both.
    pub(crate) fn apart(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).all(|(a, b)| a & b == 0)
    }

    /// The members, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(i, &word)| {
            std::iter::successors((word != 0).then_some(word), |w| Some(w & (w - 1)).filter(|w| *w != 0))
                .map(move |w| i * 64 + w.trailing_zeros() as usize)
        })
    }
}

/// Array indexes below this have a bit of their own: 128 KiB at most.
const DENSE: u32 = 1 << 20;

/// From this many on, the indexes that share their upper half get 64 Ki bits of their own (8 KiB).
const MANY: usize = 4096;

/// A set of array indexes up to 2^32 − 1: at most two bytes each, whatever they are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Indexes {
    dense: Bits,
    /// The others, by their upper half.
    sparse: Vec<Part>,
}

#[derive(Clone, Debug)]
enum Part {
    /// Lower halves, sorted.
    Few(Vec<u16>),
    /// One bit for each lower half.
    Many(Box<Bits>),
}

impl Indexes {
    /// Adds `i`.
    #[inline]
    pub(crate) fn insert(&mut self, i: u32) {
        if i < DENSE {
            self.dense.insert(i as usize);
        } else {
            self.insert_sparse(i);
        }
    }

    #[cold]
    fn insert_sparse(&mut self, i: u32) {
        if self.sparse.is_empty() {
            self.sparse = vec![Part::Few(Vec::new()); 1 << 16];
        }
        let low = i as u16;
        let part = &mut self.sparse[(i >> 16) as usize];
        match part {
            Part::Many(bits) => {
                bits.insert(low.into());
            }
            Part::Few(list) => {
                if let Err(at) = list.binary_search(&low) {
                    list.insert(at, low);
                }
                if list.len() > MANY {
                    let mut bits = Bits::default();
                    for &low in list.iter() {
                        bits.insert(low.into());
                    }
                    *part = Part::Many(Box::new(bits));
                }
            }
        }
    }

    /// The members, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let dense = self.dense.iter().map(|i| i as u32);
        dense.chain(self.sparse.iter().enumerate().flat_map(|(high, part)| {
            let (few, many) = match part {
                Part::Few(list) => (Some(list.iter().map(|&low| u32::from(low))), None),
                Part::Many(bits) => (None, Some(bits.iter().map(|low| low as u32))),
            };
            let lows = few.into_iter().flatten().chain(many.into_iter().flatten());
            lows.map(move |low| (high as u32) << 16 | low)
        }))
    }
}
