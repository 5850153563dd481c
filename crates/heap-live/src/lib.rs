//! Heap dumps of processes that run, as their virtual machines make them.
//!
//! A [`Taker`] has a process, by its number or an address, write its heap into a file. What it writes is read as fast as it
//! comes, for a virtual machine may stand still until it is read. Nothing stays behind: a guard, which is a process of its
//! own, undoes what was done to another, also if ours is killed.
//!
//! | module | speaks to |
//! |---|---|
//! | `cdp` | Node, Deno, Chromium, by the protocol of DevTools |
//! | `bun`, `dart` | Bun's inspector, Dart's VM service |
//! | `linux` | a process by its number: opens the inspector of a Node and closes it, attaches to a JVM |
//!
//! Nothing here is sent to a process that was not shown to take it: a signal that a process has no handler for kills it.

mod address;
mod bun;
mod cdp;
mod dart;
mod found;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod plain;
mod take;
#[cfg(test)]
mod tests;
mod wire;
mod ws;

use std::time::{Duration, Instant};

use heap_base::{Error, Result};

pub use address::Address;
pub use found::{Found, Vm};
#[cfg(target_os = "linux")]
use linux as system;
#[cfg(not(target_os = "linux"))]
use plain as system;
pub use system::{host, list, own_program, run_guard};
pub use take::{Java, Options, Source, Taken, Taker, Thread};
pub(crate) use ws::WebSocket;

/// Who looks on while a dump is taken.
pub trait Watch {
    /// Something worth a line.
    fn note(&mut self, what: &str);
    /// Something worth a warning.
    fn warn(&mut self, what: &str);
    /// The snapshot is being built: percent.
    fn building(&mut self, percent: u64);
    /// So many bytes have come in all.
    fn received(&mut self, bytes: u64);
}

/// Nobody looks on.
struct Quiet;

impl Watch for Quiet {
    fn note(&mut self, _: &str) {}
    fn warn(&mut self, _: &str) {}
    fn building(&mut self, _: u64) {}
    fn received(&mut self, _: u64) {}
}

/// How long to wait, and who is told meanwhile.
pub struct Clock<'a> {
    began: Instant,
    limit: Option<Duration>,
    watch: &'a mut dyn Watch,
    /// What to say if nothing comes until then.
    silence: Option<(Instant, &'static str)>,
}

impl<'a> Clock<'a> {
    /// Begins to run.
    pub fn new(limit: Option<Duration>, watch: &'a mut dyn Watch) -> Self {
        Self { began: Instant::now(), limit, watch, silence: None }
    }

    /// Has a line said if nothing has come after this time.
    fn expect(&mut self, patience: Duration, line: &'static str) {
        self.silence = Some((Instant::now() + patience, line));
    }

    /// What was expected has come.
    fn came(&mut self) {
        self.silence = None;
    }

    /// A wait goes on.
    ///
    /// # Errors
    /// The time is over.
    fn idle(&mut self) -> Result {
        if let Some((_, line)) = self.silence.take_if(|(at, _)| *at <= Instant::now()) {
            self.watch.note(line);
        }
        match self.limit {
            Some(limit) if self.began.elapsed() >= limit => {
                Err(Error::refused(format!("not done within {} s", limit.as_secs_f64())))
            }
            _ => Ok(()),
        }
    }

    /// Waits for a moment.
    ///
    /// # Errors
    /// The time is over.
    fn pause(&mut self, time: Duration) -> Result {
        std::thread::sleep(time);
        self.idle()
    }
}
