//! Files of any size, cut and with bytes flipped at many places: a row for each file.
//!
//! Places come in no order, so that those tried before the time was over lie all over the file. Memory is by how
//! much the process grew beyond what it took with the file loaded; it never shrinks, so a process takes one file
//! where that matters, as `crates/fuzz/run` does. More than a small multiple of the file counts as a crash of `open`.

use std::fs;
use std::ops::Range;
use std::panic::catch_unwind;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use heap_fuzz::mutate::Lot;

use crate::trial::Trial;

/// At how many places a file is damaged.
#[derive(Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) cuts: usize,
    pub(crate) flips: usize,
}

impl Plan {
    pub(crate) fn is_empty(self) -> bool {
        self.cuts == 0 && self.flips == 0
    }
}

/// Kibibytes that a file of `len` bytes may take: a packed one has its unpacked self to hold.
fn bound(len: usize) -> u64 {
    (64 << 10) + 16 * (len as u64 >> 10)
}

/// What came of a file.
#[derive(Default)]
struct Row {
    cuts: usize,
    flips: usize,
    slowest: Duration,
    /// Kibibytes.
    memory: u64,
    crashes: u32,
}

/// The status is 1 if an input made the target panic or take too much; such inputs are in `OUT/crashes`. The slowest
/// and the one that took most are in `OUT/TARGET.slowest` and `OUT/TARGET.largest`.
pub(crate) fn run(mut trial: Trial, files: &[String], plan: Plan, mut lot: Lot, time: Duration) -> ExitCode {
    let mut crashes = 0;
    for file in files {
        let mut data = fs::read(file).expect("the file is readable");
        let label = Path::new(file).file_name().unwrap_or_default().to_string_lossy();
        let mut row = Row::default();
        // Other targets hold the records, and their own lines.
        let bound = if trial.name == "open" { bound(data.len()) } else { u64::MAX };
        let memory = (high_water(), bound);
        let start = Instant::now();
        // Cuts may take half of the time, or what flips do not want.
        let share = if plan.flips == 0 { time } else { time / 2 };
        for at in places(data.len(), plan.cuts, &mut lot) {
            if start.elapsed() >= share {
                break;
            }
            row.cuts += 1;
            row.add(&mut trial, &data[..at], memory, &format!("{label}-cut-{at}"));
        }
        for _ in 0..if data.is_empty() { 0 } else { plan.flips } {
            if start.elapsed() >= time {
                break;
            }
            row.flips += 1;
            let place = burst(data.len(), &mut lot);
            let sound = data[place.clone()].to_vec();
            flip(&mut data[place.clone()], &mut lot);
            row.add(&mut trial, &data, memory, &format!("{label}-flip-{}-{}", place.start, place.len()));
            data[place].copy_from_slice(&sound);
        }
        println!(
            "{}: {label}, {} bytes, {} cuts, {} flips, slowest {} ms, memory {:.1} MB, {} crashes",
            trial.name,
            data.len(),
            row.cuts,
            row.flips,
            row.slowest.as_millis(),
            row.memory as f64 * 1024.0 / 1e6,
            row.crashes
        );
        crashes += row.crashes;
    }
    trial.end();
    ExitCode::from(u8::from(crashes > 0))
}

impl Row {
    fn add(&mut self, trial: &mut Trial, data: &[u8], (before, bound): (u64, u64), damage: &str) {
        let result = catch_unwind(std::panic::AssertUnwindSafe(|| trial.run(data)));
        crate::trial::came_back();
        if result.is_err() {
            self.broken(trial, damage, "broken by");
        }
        if trial.took > self.slowest {
            self.slowest = trial.took;
            trial.keep(&format!("{}.slowest", trial.name));
        }
        let memory = high_water().saturating_sub(before);
        if memory > self.memory {
            if memory > bound && self.memory <= bound {
                self.broken(trial, damage, "made too large by");
            }
            self.memory = memory;
            trial.keep(&format!("{}.largest", trial.name));
        }
    }

    fn broken(&mut self, trial: &Trial, damage: &str, how: &str) {
        self.crashes += 1;
        let kept = trial.keep(&format!("crashes/{}-{damage}", trial.name));
        eprintln!("{}: {how} {}", trial.name, kept.display());
    }
}

/// Where to cut: everywhere if there are no more than `n` places; else a quarter of `n` at each end, byte after
/// byte, and the rest evenly between. In no order.
fn places(len: usize, n: usize, lot: &mut Lot) -> Vec<usize> {
    let mut places: Vec<usize> = if len <= n {
        (0..len).collect()
    } else {
        let end = n / 4;
        let (middle, span) = (n - 2 * end, len - 2 * end);
        let between = (0..middle).map(|i| end + (span as u128 * i as u128 / middle as u128) as usize);
        (0..end).chain(between).chain(len - end..len).collect()
    };
    for i in (1..places.len()).rev() {
        places.swap(i, lot.below(i + 1));
    }
    places
}

/// Where to flip: mostly one byte, else up to sixteen in a row. Half of them lie near the ends, where headers and
/// tables of contents are.
fn burst(len: usize, lot: &mut Lot) -> Range<usize> {
    let near = lot.below(len.min(4096));
    let at = match lot.below(4) {
        0 => near,
        1 => len - 1 - near,
        _ => lot.below(len),
    };
    let most = if lot.below(4) == 0 { 16 } else { 1 };
    at..(at + 1 + lot.below(most)).min(len)
}

/// A bit of a single byte, or any other value for each.
fn flip(bytes: &mut [u8], lot: &mut Lot) {
    if let ([byte], 0) = (&mut *bytes, lot.below(2)) {
        *byte ^= 1 << lot.below(8);
        return;
    }
    for byte in bytes {
        *byte ^= 1 + lot.below(255) as u8;
    }
}

/// The most that the process has taken so far, in kibibytes; 0 where the system does not say.
fn high_water() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}
