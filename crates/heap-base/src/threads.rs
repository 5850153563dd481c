//! Work on two threads.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Runs both, the second on a thread of its own if `two`; else one after the other. A panic in either one is passed on.
pub fn join<A, B: Send>(two: bool, first: impl FnOnce() -> A, second: impl FnOnce() -> B + Send) -> (A, B) {
    if !two {
        return (first(), second());
    }
    std::thread::scope(|scope| {
        let second = scope.spawn(second);
        let first = first();
        (first, second.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// Numbered parts of some work: one thread takes them from the first on, another from the last, until none is left. So
/// both finish at about the same time, whichever is faster.
#[derive(Debug)]
pub struct WorkQueue(Mutex<Range<usize>>);

impl WorkQueue {
    /// A queue of these parts.
    pub fn new(parts: Range<usize>) -> Self {
        Self(Mutex::new(parts))
    }

    /// Takes the first part that is left.
    pub fn first(&self) -> Option<usize> {
        self.left().next()
    }

    /// Takes the last part that is left.
    pub fn last(&self) -> Option<usize> {
        self.left().next_back()
    }

    /// Drops all parts that are left.
    pub fn end(&self) {
        *self.left() = 0..0;
    }

    fn left(&self) -> MutexGuard<'_, Range<usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_threads_take_each_part_once() {
        let parts = WorkQueue::new(3..5000);
        let take =
            |next: fn(&WorkQueue) -> Option<usize>| std::iter::from_fn(|| next(&parts)).collect::<Vec<_>>();
        let (front, mut back) = join(true, || take(WorkQueue::first), || take(WorkQueue::last));
        back.reverse();
        assert_eq!([front, back].concat(), (3..5000).collect::<Vec<_>>());
        assert_eq!((parts.first(), parts.last()), (None, None));
    }

    #[test]
    fn no_part_is_left_after_the_end() {
        let parts = WorkQueue::new(0..3);
        assert_eq!((parts.last(), parts.first()), (Some(2), Some(0)));
        parts.end();
        assert_eq!((parts.first(), parts.last()), (None, None));
    }
}
