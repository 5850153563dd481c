//! One input after the other to a target, each kept in a file while it is tried, with a bound on time and memory.

use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use heap_fuzz::Target;

use crate::number;

/// When the input at hand was begun, in milliseconds since the start, plus one; 0 between inputs.
static BEGUN: AtomicU64 = AtomicU64::new(0);

/// A target, and the file that holds its input at hand.
pub(crate) struct Trial {
    target: Target,
    pub(crate) name: String,
    pub(crate) out: PathBuf,
    current: File,
    start: Instant,
    /// The processor time that the target took with the input before, whatever else the machine does.
    pub(crate) took: Duration,
}

impl Trial {
    /// From here on an input that takes too long ends the process.
    pub(crate) fn new(target: Target, name: String, out: &str) -> Self {
        let out = PathBuf::from(out);
        fs::create_dir_all(&out).expect("OUT is a folder");
        let current = File::create(out.join(format!("{name}.current"))).expect("OUT takes files");
        let start = Instant::now();
        watch(start, name.clone());
        Self { target, name, out, current, start, took: Duration::ZERO }
    }

    /// Tries one input; says what was seen.
    pub(crate) fn run(&mut self, data: &[u8]) -> u64 {
        let kept = self.current.seek(SeekFrom::Start(0)).and_then(|_| self.current.write_all(data));
        kept.and_then(|()| self.current.set_len(data.len() as u64)).expect("OUT takes files");
        BEGUN.store(self.start.elapsed().as_millis() as u64 + 1, Ordering::Relaxed);
        let before = processor();
        let seen = (self.target)(data);
        self.took = processor().saturating_sub(before);
        came_back();
        seen
    }

    /// Copies the input at hand to a file in `OUT`.
    pub(crate) fn keep(&self, name: &str) -> PathBuf {
        let kept = self.out.join(name);
        fs::create_dir_all(kept.parent().expect("in OUT")).expect("OUT takes folders");
        fs::copy(self.out.join(format!("{}.current", self.name)), &kept).expect("OUT takes files");
        kept
    }

    /// Nothing has ended the process: no input is left at hand.
    pub(crate) fn end(self) {
        let _ = fs::remove_file(self.out.join(format!("{}.current", self.name)));
    }
}

/// Notes that no input is being tried.
pub(crate) fn came_back() {
    BEGUN.store(0, Ordering::Relaxed);
}

/// Processor time of all threads so far.
fn processor() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    clock_gettime(ClockId::ProcessCPUTime).try_into().expect("processor time only grows")
}

/// No input may make the process larger than 2 GiB.
pub(crate) fn bound() {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let limit = Rlimit { current: Some(2 << 30), maximum: Some(2 << 30) };
    setrlimit(Resource::As, limit).expect("the limit is below that of the system");
}

/// Ends the process where an input takes too long.
fn watch(start: Instant, name: String) {
    let limit = number("LIMIT", 10) * 1000;
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_millis(200));
            let begun = BEGUN.load(Ordering::Relaxed);
            if begun > 0 && start.elapsed().as_millis() as u64 > begun + limit {
                eprintln!("{name}: an input takes more than {limit} ms");
                std::process::exit(3);
            }
        }
    });
}
