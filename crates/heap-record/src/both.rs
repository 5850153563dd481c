//! Two things at a time.

/// Does both, the second on a thread of its own if `two`; else one after the other. A panic of either goes on here.
pub fn both<A, B: Send>(two: bool, first: impl FnOnce() -> A, second: impl FnOnce() -> B + Send) -> (A, B) {
    if !two {
        return (first(), second());
    }
    std::thread::scope(|scope| {
        let second = scope.spawn(second);
        let first = first();
        (first, second.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}
