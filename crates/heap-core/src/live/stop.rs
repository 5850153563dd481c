//! Stops all threads of a process, and lets them go.

use std::fs::read_dir;
use std::time::{Duration, Instant};

use heap_base::{Error, Result, sort_by_key};
use nix::errno::Errno;
use nix::sys::ptrace;
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

use super::process::explain;

/// A thread that does not stop within this time waits for a device.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long to wait before a thread is asked about again.
const PAUSE: Duration = Duration::from_micros(20);

/// The general registers of a thread, in the order of a core.
#[derive(Clone, Debug, Default)]
pub(super) struct Registers {
    pub(super) lwp: u32,
    pub(super) words: Vec<u64>,
}

/// A process whose threads are stopped until this is dropped.
#[derive(Debug)]
pub(super) struct Stopped {
    threads: Vec<Thread>,
}

/// A thread that is traced.
#[derive(Debug)]
struct Thread {
    id: Pid,
    stopped: bool,
    /// What it was about to be sent when it stopped: it gets that when it is let go.
    signal: Option<Signal>,
    words: Vec<u64>,
}

impl Stopped {
    /// Stops a process.
    ///
    /// # Errors
    /// It ended, may not be stopped, or does not stop.
    pub(super) fn stop(pid: u32) -> Result<Self> {
        let mut process = Self { threads: Vec::new() };
        // Threads may start others until all are stopped.
        while process.seize(pid)? {
            for thread in &mut process.threads {
                thread.wait(pid)?;
            }
        }
        process.threads.retain(|thread| thread.stopped);
        sort_by_key(&mut process.threads, |thread| thread.id.as_raw() as u32 != pid);
        Ok(process)
    }

    /// Asks all threads that are new to stop; whether there were any.
    fn seize(&mut self, pid: u32) -> Result<bool> {
        let failed = |e: Errno| explain(pid, std::io::Error::from(e).kind(), e.desc());
        let tasks =
            read_dir(format!("/proc/{pid}/task")).map_err(|e| explain(pid, e.kind(), &e.to_string()))?;
        let ids = tasks.filter_map(|task| task.ok()?.file_name().to_str()?.parse().ok()).map(Pid::from_raw);
        let before = self.threads.len();
        for id in ids {
            if self.threads.iter().any(|thread| thread.id == id) {
                continue;
            }
            match ptrace::seize(id, ptrace::Options::empty()) {
                Ok(()) => {}
                // It ended in between.
                Err(Errno::ESRCH) => continue,
                Err(Errno::EPERM) if traced(pid) => {
                    return Err(Error::refused(format!("process {pid} is being traced by another program")));
                }
                Err(e) => return Err(failed(e)),
            }
            self.threads.push(Thread { id, stopped: false, signal: None, words: Vec::new() });
            match ptrace::interrupt(id) {
                Ok(()) | Err(Errno::ESRCH) => {}
                Err(e) => return Err(failed(e)),
            }
        }
        Ok(self.threads.len() > before)
    }

    /// Lets all threads go; gives what their registers were.
    pub(super) fn let_go(mut self) -> Vec<Registers> {
        let taken =
            |t: &mut Thread| Registers { lwp: t.id.as_raw() as u32, words: std::mem::take(&mut t.words) };
        self.threads.iter_mut().map(taken).collect()
    }
}

impl Drop for Stopped {
    fn drop(&mut self) {
        for thread in &self.threads {
            // A thread that ended needs nothing. One that did not stop is let go when this process ends.
            let _ = ptrace::detach(thread.id, thread.signal);
        }
    }
}

impl Thread {
    /// Waits until it stops or ends.
    fn wait(&mut self, pid: u32) -> Result {
        let begin = Instant::now();
        while !self.stopped {
            // A signal for which there is no name is given as an error: it is not sent on.
            match waitpid(self.id, Some(WaitPidFlag::__WALL | WaitPidFlag::WNOHANG)) {
                Ok(WaitStatus::StillAlive) => {
                    if begin.elapsed() > PATIENCE {
                        return Err(Error::refused(format!(
                            "thread {} of process {pid} does not stop",
                            self.id
                        )));
                    }
                    std::thread::sleep(PAUSE);
                    continue;
                }
                Ok(WaitStatus::Stopped(_, signal)) => self.signal = Some(signal),
                Ok(WaitStatus::Exited(..) | WaitStatus::Signaled(..)) | Err(Errno::ECHILD | Errno::ESRCH) => {
                    return Ok(());
                }
                _ => {}
            }
            self.stopped = true;
            self.words = ptrace::getregs(self.id).map(words).unwrap_or_default();
        }
        Ok(())
    }
}

/// Whether another program traces a process.
fn traced(pid: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let tracer = status.lines().find_map(|line| line.strip_prefix("TracerPid:"));
    tracer.is_some_and(|number| number.trim() != "0")
}

#[cfg(target_arch = "x86_64")]
fn words(r: nix::libc::user_regs_struct) -> Vec<u64> {
    vec![
        r.r15, r.r14, r.r13, r.r12, r.rbp, r.rbx, r.r11, r.r10, r.r9, r.r8, r.rax, r.rcx, r.rdx, r.rsi,
        r.rdi, r.orig_rax, r.rip, r.cs, r.eflags, r.rsp, r.ss, r.fs_base, r.gs_base, r.ds, r.es, r.fs, r.gs,
    ]
}

#[cfg(target_arch = "aarch64")]
fn words(r: nix::libc::user_regs_struct) -> Vec<u64> {
    r.regs.into_iter().chain([r.sp, r.pc, r.pstate]).collect()
}
