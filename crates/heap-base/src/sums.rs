//! Sums that stop where numbers do, and whether one did.
//!
//! A report, a file and a page show such a sum as the largest number, so whoever shows it says that it is at least so much.
//! Sums come from many threads and places; they are noted in one.

use std::sync::atomic::{AtomicBool, Ordering};

static STOPPED: AtomicBool = AtomicBool::new(false);

/// Numbers that are added up for somebody to read.
pub trait Plus: Sized {
    /// The sum. It stays at the largest or smallest number where it does not fit, which is noted.
    #[must_use]
    fn plus(self, more: Self) -> Self;
}

impl Plus for u64 {
    #[inline]
    fn plus(self, more: Self) -> Self {
        let (sum, over) = self.overflowing_add(more);
        if over { stopped(Self::MAX) } else { sum }
    }
}

impl Plus for i64 {
    #[inline]
    fn plus(self, more: Self) -> Self {
        let (sum, over) = self.overflowing_add(more);
        if !over {
            return sum;
        }
        stopped(if more < 0 { Self::MIN } else { Self::MAX })
    }
}

/// The sum of all, see [`Plus`].
pub fn total<N: Plus + Default>(numbers: impl IntoIterator<Item = N>) -> N {
    numbers.into_iter().fold(N::default(), N::plus)
}

/// A number that stands for one that does not fit: the same, noted.
#[inline]
pub fn stopped<N>(n: N) -> N {
    STOPPED.store(true, Ordering::Relaxed);
    n
}

/// A sum that somebody else has made: noted if it is as large as a number can be.
#[inline]
pub fn read(sum: u64) -> u64 {
    if sum == u64::MAX { stopped(sum) } else { sum }
}

/// Whether a sum has stopped since the program began.
pub fn any_stopped() -> bool {
    STOPPED.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_stop_where_numbers_do() {
        assert_eq!(1u64.plus(2), 3);
        assert_eq!(total([u64::MAX - 3, 1, 2]), u64::MAX);
        assert_eq!(total([1i64, -3]), -2);
        assert_eq!(total(Vec::<u64>::new()), 0);
        // The note is never taken back, so it is looked at once, behind sums that fit as well as numbers can.
        assert!(!any_stopped());
        assert_eq!(total([u64::MAX, 1, 1]), u64::MAX);
        assert!(any_stopped());
        assert_eq!(i64::MIN.plus(-1), i64::MIN);
        assert_eq!(i64::MAX.plus(1), i64::MAX);
        assert_eq!(read(7), 7);
    }
}
