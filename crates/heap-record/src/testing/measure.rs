//! How long a function takes, for benches.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Runs of which the median counts, after one that warms up.
const RUNS: usize = 20;

/// Runs `work`, which goes over so many `bytes`, and prints the median of its times and the bytes per second.
#[expect(clippy::print_stdout, reason = "it is what a bench is run for")]
pub fn measure<T>(name: &str, bytes: u64, mut work: impl FnMut() -> T) {
    let mut times: Vec<Duration> = (0..=RUNS)
        .map(|_| {
            let start = Instant::now();
            black_box(work());
            start.elapsed()
        })
        .skip(1)
        .collect();
    times.sort_unstable();
    let median = times[RUNS / 2].as_secs_f64();
    println!("{name:<16} {:9.3} ms  {:8.1} MB/s", median * 1e3, bytes as f64 / median / 1e6);
}
