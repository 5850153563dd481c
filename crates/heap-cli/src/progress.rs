//! The progress bar: on standard error, on a terminal, for work that lasts longer than a second.

use std::fmt::Write as _;
use std::fs::{File, TryLockError};
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use heap_base::blob::Meter;

use heap_report::text::{self, human_size};

use crate::sys;

/// A bar appears after this time.
const PATIENCE: Duration = Duration::from_secs(1);
/// What reads a pipe waits longer: what writes to it knows how much there is, and has the line of the terminal first.
const PIPE_PATIENCE: Duration = Duration::from_millis(1500);
const TICK: Duration = Duration::from_millis(100);

#[derive(Debug)]
struct State {
    /// What is being done: a FILE, or a stage of the work.
    name: String,
    meter: Option<Arc<Meter>>,
    /// When the run began, and when what is shown now began.
    begun: Instant,
    since: Instant,
    drawn: bool,
    line: Line,
}

/// The line of the terminal where bars are drawn: of the processes of a pipeline one at a time has it.
#[derive(Debug)]
enum Line {
    /// Not asked for yet, or another process has it.
    Wanted,
    /// It is ours until the lock is closed.
    Ours { _lock: File },
    /// The terminal cannot be opened or locked; then nobody cares.
    Free,
}

impl Line {
    /// Whether to draw.
    fn take(&mut self) -> bool {
        if matches!(self, Self::Wanted) {
            // Opened again, for a lock belongs to an open file, and processes share the one they inherit.
            *self = match sys::terminal() {
                None => Self::Free,
                Some(terminal) => match terminal.try_lock() {
                    Ok(()) => Self::Ours { _lock: terminal },
                    Err(TryLockError::WouldBlock) => Self::Wanted,
                    Err(TryLockError::Error(_)) => Self::Free,
                },
            };
        }
        !matches!(self, Self::Wanted)
    }
}

static STATE: Mutex<Option<State>> = Mutex::new(None);

fn lock() -> MutexGuard<'static, Option<State>> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Shows how far `meter` has come, under the name of what is being read.
pub fn watch(meter: Arc<Meter>, name: &str) {
    if !io::stderr().is_terminal() {
        return;
    }
    let mut shown = String::new();
    text::visible(&mut shown, name);
    let now = Instant::now();
    let mut state = lock();
    let first = state.is_none();
    let old = state.take();
    // A stage of the last file is over.
    heap_base::stage::take();
    let (begun, drawn) = old.as_ref().map_or((now, false), |s| (s.begun, s.drawn));
    let line = old.map_or(Line::Wanted, |s| s.line);
    *state = Some(State { name: shown, meter: Some(meter), begun, since: now, drawn, line });
    if first {
        // Ends with the process; it holds nothing that needs an end.
        thread::spawn(|| {
            loop {
                thread::sleep(TICK);
                if let Some(state) = lock().as_mut() {
                    state.tick();
                }
            }
        });
    }
}

/// Says what is done now, where no bytes are counted: `building 40 %`. Only where a bar was watched before.
pub fn stage(name: &str) {
    if let Some(state) = lock().as_mut() {
        state.enter(name);
    }
}

/// Takes the bar away until it is drawn again.
pub fn erase() {
    if let Some(state) = lock().as_mut() {
        state.erase();
    }
}

/// Takes the bar away for good.
pub fn stop() {
    let mut state = lock();
    if let Some(state) = state.as_mut() {
        state.erase();
    }
    *state = None;
}

impl State {
    fn enter(&mut self, stage: &str) {
        stage.clone_into(&mut self.name);
        self.meter = None;
        self.since = Instant::now();
    }

    fn tick(&mut self) {
        if let Some(stage) = heap_base::stage::take() {
            self.enter(stage);
        }
        let whole = self.meter.as_ref().is_some_and(|meter| meter.total.load(Ordering::Relaxed) > 0);
        if self.begun.elapsed() < if whole { PATIENCE } else { PIPE_PATIENCE } || !self.line.take() {
            return;
        }
        let columns = columns(sys::messages().unwrap_or_default().0).unwrap_or(80);
        let line = line(&self.name, self.meter.as_deref(), self.since.elapsed(), columns.saturating_sub(1));
        // Carriage return, the line, and what may be left of the last one erased.
        let _ = io::stderr().write_all(format!("\r{line}\x1b[K").as_bytes());
        self.drawn = true;
    }

    fn erase(&mut self) {
        if std::mem::take(&mut self.drawn) {
            let _ = io::stderr().write_all(b"\r\x1b[K");
        }
    }
}

/// `x.heapsnapshot  [####------]  45%  1.2G  350M/s  0:04 left`
pub(crate) fn line(name: &str, meter: Option<&Meter>, time: Duration, columns: usize) -> String {
    let seconds = time.as_secs_f64().max(0.001);
    let mut tail = String::new();
    let mut share = None;
    match meter {
        None => tail.push_str(&clock(seconds)),
        Some(meter) => {
            let done = meter.done.load(Ordering::Relaxed);
            let total = meter.total.load(Ordering::Relaxed);
            let rate = done as f64 / seconds;
            let _ = write!(tail, "{}  {}/s", human_size(done), human_size(rate as u64));
            if total > 0 {
                let part = (done as f64 / total as f64).min(1.0);
                let _ = write!(tail, "  {:3.0}%", part * 100.0);
                if rate > 0.0 {
                    let _ = write!(tail, "  {} left", clock(total.saturating_sub(done) as f64 / rate));
                }
                share = Some(part);
            } else {
                let _ = write!(tail, "  {}", clock(seconds));
            }
        }
    }
    let room = columns.saturating_sub(text::width(&tail) + 2);
    let name = text::cut(name, room.min(32));
    let bar = room.saturating_sub(text::width(&name) + 2).min(30);
    let mut out = name;
    if let (Some(part), true) = (share, bar >= 6) {
        let full = ((bar - 2) as f64 * part) as usize;
        let _ = write!(out, "  [{}{}]", "#".repeat(full), "-".repeat(bar - 2 - full));
    }
    let _ = write!(out, "  {tail}");
    text::cut(&out, columns)
}

fn clock(seconds: f64) -> String {
    let s = seconds.min(359_999.0).round() as u64;
    if s < 3600 {
        format!("{}:{:02}", s / 60, s % 60)
    } else {
        format!("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
    }
}

/// How wide a terminal is: what `COLUMNS` says, else what the terminal said; 0 for nothing.
pub(crate) fn columns(terminal: usize) -> Option<usize> {
    let said = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok()).filter(|&c| c > 0);
    said.or(Some(terminal).filter(|&c| c > 0))
}
