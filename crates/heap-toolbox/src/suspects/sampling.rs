//! By how much sampling alone may let two values of a profile differ.
//!
//! Samples come by chance, each for so many bytes, so the sum of n of them is off by the root of n, and hardly ever by more than
//! twice that. What stays is the same sample in all profiles of one process: only what came and what went is off. A profile that
//! says what was ever allocated at a stack, beside what is in use of it, says how much that is at most: what came is what was
//! allocated since, and what went is what is in use no more. What came and went between two profiles is in neither.
//! Of other profiles all samples count, as if they were of two processes.

use heap_base::{Map, Plus};

use super::growth::since_quiet;

/// Bytes from which what came and went is looked at. Of less, what fills while a program warms up gives as few samples, none of
/// which goes.
const FILLED: u64 = 1 << 20;

/// What a profile says of a stack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stack {
    /// Bytes in use.
    pub(super) held: u64,
    /// Bytes that were ever allocated, these among them.
    pub(super) allocated: u64,
    /// Objects in use.
    pub(super) count: u64,
}

impl Stack {
    pub(super) fn add(&mut self, other: Self) {
        self.held = self.held.plus(other.held);
        self.allocated = self.allocated.plus(other.allocated);
        self.count = self.count.plus(other.count);
    }
}

/// Stacks by their marks.
pub(super) type Stacks = Map<u64, Stack>;

/// Bytes that came between two profiles and are in use in the later one, and those that were in use in the earlier one and went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Exchange {
    came: u64,
    went: u64,
}

impl Exchange {
    /// Whether what went is next to nothing beside what came.
    fn keeps(self) -> bool {
        self.went.saturating_mul(10) <= self.came
    }
}

/// What a site has in each profile of a series.
#[derive(Clone, Copy)]
pub(super) struct Samples<'a> {
    /// Bytes for each of which there is a sample; 0 if all allocations are there.
    pub(super) sampled: u64,
    /// Marks of the site's stacks.
    pub(super) marks: &'a [u64],
    /// The stacks of each profile, the last ones with them; none where it does not say what was allocated.
    pub(super) dumps: &'a [&'a Stacks],
    /// Bytes of the site in each profile.
    pub(super) history: &'a [u64],
}

impl Samples<'_> {
    /// Twice the root of the number of samples that so many bytes are, in bytes.
    fn twice_root(&self, bytes: u64) -> u64 {
        2 * (bytes as f64 * self.sampled as f64).sqrt() as u64
    }

    /// What came and what went at all stacks; `None` if the profiles do not say it.
    pub(super) fn exchange(&self, from: usize, to: usize) -> Option<Exchange> {
        let (before, after) = (self.dumps.get(from)?, self.dumps.get(to)?);
        let of = |stacks: &Stacks, mark| stacks.get(&mark).copied().unwrap_or_default();
        let (mut all, mut held) = (Exchange::default(), (0u64, 0u64));
        for &mark in self.marks {
            let (before, after) = (of(before, mark), of(after, mark));
            if before.held > before.allocated || after.held > after.allocated {
                return None;
            }
            let came = after.allocated.checked_sub(before.allocated)?;
            let went = before.held.plus(came).saturating_sub(after.held);
            all.came = all.came.plus(came.min(after.held));
            all.went = all.went.plus(went.min(before.held));
            held = (held.0.plus(before.held), held.1.plus(after.held));
        }
        // Else some of it had other stacks.
        (held == (*self.history.get(from)?, *self.history.get(to)?)).then_some(all)
    }

    /// By how much sampling alone may let two values differ that have nothing in common.
    fn noise(&self, from: usize, to: usize) -> u64 {
        self.twice_root(self.history[from].plus(self.history[to]))
    }

    /// By how much it may where profiles say what came and what went.
    pub(super) fn noise_of_what_came(&self, from: usize, to: usize) -> Option<u64> {
        self.exchange(from, to).map(|of| self.twice_root(of.came.plus(of.went)))
    }

    fn growth(&self, from: usize, to: usize) -> u64 {
        self.history[to].saturating_sub(self.history[from])
    }

    /// Whether growth is more than chance can make of what came and what went.
    fn is_more(&self, from: usize, to: usize) -> bool {
        self.noise_of_what_came(from, to).is_some_and(|noise| self.growth(from, to) > noise)
    }

    /// Whether the last profile has more than the first one by more than sampling alone may make.
    pub(super) fn have_grown(&self) -> bool {
        let Some(last) = self.history.len().checked_sub(1) else { return false };
        let growth = self.growth(0, last);
        growth >= self.noise(0, last) || growth >= FILLED && self.is_more(0, last)
    }

    /// Whether it is so in each step. By what came and went it is enough that all steps together are, where next to nothing goes:
    /// what stays piles up, however few samples one step has. But what has not grown by much of itself may be about to be full.
    pub(super) fn are_sure(&self) -> bool {
        let Some(last) = self.history.len().checked_sub(1) else { return false };
        let first = self.history.len() - since_quiet(self.history).len();
        let mut steps = first..last;
        let growth = self.growth(first, last);
        if steps.clone().all(|step| self.growth(step, step + 1) > self.noise(step, step + 1)) {
            return true;
        }
        let keeps = |step: usize| self.exchange(step, step + 1).is_some_and(Exchange::keeps);
        growth >= FILLED
            && growth.saturating_mul(3) >= self.history[first]
            && (steps.clone().all(|step| self.is_more(step, step + 1))
                || steps.all(keeps) && self.is_more(first, last))
    }
}
