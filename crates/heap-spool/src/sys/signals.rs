use std::sync::{Once, PoisonError};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use super::FILES;

/// Starts the thread that waits for signals, once. Those that are ignored stay so: `nohup` means it.
pub(crate) fn watch() {
    static WATCH: Once = Once::new();
    WATCH.call_once(start);
}

fn start() {
    let ignored = ignored();
    let heeded = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|n| ignored >> (n - 1) & 1 == 0);
    let Ok(mut signals) = Signals::new(heeded) else { return };
    // Without the thread an interrupt would be lost; then it ends the process as ever.
    let spawned = std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        if let Some(signal) = signals.forever().next() {
            let files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
            for path in files.iter() {
                super::remove(path);
            }
            let _ = emulate_default_handler(signal);
        }
    });
    drop(spawned);
}

/// The signals that the process ignores, a bit each from SIGHUP = 0 on.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
