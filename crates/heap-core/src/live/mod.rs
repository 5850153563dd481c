//! A process that runs, as a core of this moment.
//!
//! The process is stopped as debuggers stop one, its heap pages and stacks are copied, and it goes on before anything is
//! looked at. The copy has the form of a core file, so what reads cores reads it. Nothing is written to the process, and
//! it needs no memory of its own.
//!
//! It goes on in any case: what stops it is `ptrace` with `PTRACE_SEIZE`, and the kernel lets go of all that a tracer
//! holds when the tracer ends, even by SIGKILL. A stop signal would need somebody to send the other one.

mod copy;
mod image;
mod plan;
mod process;
mod stop;

use std::time::SystemTime;

use heap_base::{Blob, Dump, Result};

use image::Image;
use plan::Plan;
use process::Process;
use stop::Stopped;

/// Copies a process that runs Node into a core that [`read`](crate::read) takes.
///
/// Its executable is the companion of the dump. The copy takes as much memory as the heap pages, and the process is
/// stopped for as long as it takes to copy them.
///
/// # Errors
/// No such process, no permission, a process without heap pages of V8, or no room for the copy.
pub fn capture(pid: u32) -> Result<Dump> {
    let process = Process::open(pid)?;
    // Where the pages are now says how much room they need. It is made ready before the stop.
    let expected = Plan::of(&process)?;
    let file = copy::room(expected.bytes())?;
    let stopped = Stopped::stop(pid)?;
    let copied = Plan::of(&process).and_then(|plan| copy::copy(&process, plan, &file));
    let threads = stopped.let_go();
    let image = Image { process: &process, threads: &threads, copied: &copied?, time: SystemTime::now() };
    image.finish(&file)?;
    let dump = Dump::from(Blob::from_file(file)?);
    // Without its executable a process is read like a core without it.
    let executable = process.executable().and_then(|file| Blob::from_file(file).ok());
    Ok(match executable {
        Some(executable) => dump.with_companion(executable),
        None => dump,
    })
}

/// A file as a process sees it: its root may be another one.
pub(crate) fn file_of(pid: u32, name: &str) -> String {
    format!("/proc/{pid}/root{name}")
}

#[cfg(test)]
mod tests {
    use super::capture;

    #[test]
    fn processes_that_cannot_be_read() {
        let wrong = |pid| capture(pid).expect_err("cannot be read").to_string();
        let own = std::process::id();
        assert!(wrong(own).starts_with(&format!("no heap pages of V8 in process {own}")), "{}", wrong(own));
        assert_eq!(wrong(u32::MAX >> 1), format!("there is no process {}", u32::MAX >> 1));
    }
}
