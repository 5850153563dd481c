//! Sets of small numbers: one bit each where they lie close, sorted lists where they are scattered.

/// A set of ordinals, one bit each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bits {
    words: Vec<u64>,
}

impl Bits {
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

/// Finds out whether a number was seen before, among numbers that mostly lie close: bits up to a bound that
/// grows with the count, a list that is sorted in the end for the rest.
#[derive(Debug, Default)]
pub(crate) struct Unique {
    seen: Bits,
    far: Vec<u64>,
    count: u64,
    repeated: bool,
}

impl Unique {
    /// Numbers take a bit each while they are below this many times their count: 2 bytes per number at most.
    const SPREAD: u64 = 16;

    /// Sees `n`.
    #[inline]
    pub(crate) fn see(&mut self, n: u64) {
        self.count += 1;
        if n < self.seen.words.len() as u64 * 64 {
            self.repeated |= !self.seen.insert(n as usize);
        } else {
            self.see_far(n);
        }
    }

    #[cold]
    fn see_far(&mut self, n: u64) {
        if n < self.count * Self::SPREAD + 1024 {
            // Double, so that growing costs nothing in the end; what was far before stays there.
            self.seen.words.resize((n / 64 + 1).max(self.seen.words.len() as u64 * 2) as usize, 0);
            self.repeated |= !self.seen.insert(n as usize);
        } else {
            self.far.push(n);
        }
    }

    /// Whether every number was different.
    pub(crate) fn all_different(mut self) -> bool {
        self.far.sort_unstable();
        let far = &self.far;
        !self.repeated
            && far.windows(2).all(|w| w[0] != w[1])
            && far.iter().all(|&n| usize::try_from(n).map_or(true, |n| !self.seen.contains(n)))
    }
}
