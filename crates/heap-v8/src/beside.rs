//! A second thread for what can be done beside something else.

use crate::ints::Section;

/// A section shorter than this is lexed in place: a thread would not pay. Tests have both kinds among small files.
const THREAD_FROM: u64 = if cfg!(test) { 500 } else { 8 << 20 };

/// Whether a second thread on this section pays.
pub(crate) fn worth_a_thread(section: &Section) -> bool {
    section.end - section.start >= THREAD_FROM
        && std::thread::available_parallelism().is_ok_and(|n| n.get() > 1)
}

/// Does both: `other` in a second thread, if that `pays`, else before `mine`.
pub(crate) fn both<A, B: Send>(
    pays: bool,
    mine: impl FnOnce() -> A,
    other: impl FnOnce() -> B + Send,
) -> (A, B) {
    if !pays {
        let other = other();
        return (mine(), other);
    }
    std::thread::scope(|scope| {
        let thread = scope.spawn(other);
        let mine = mine();
        (mine, thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}
