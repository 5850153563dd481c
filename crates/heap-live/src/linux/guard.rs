//! A process beside ours that undoes what was done to another one, when ours ends or is killed.
//!
//! It reads a line for each thing that has to be undone, before that is done. The end of its input is the sign to begin,
//! and comes in every case: the system closes the pipe of a process that is gone. It does so too where all went well, so
//! there is one way only. An interrupt from the terminal does not reach it, for it is in a process group of its own.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

use heap_base::sys::os_string;
use heap_base::{Error, Result};

use super::keeper;

/// How long we wait for it at the end, before we leave it alone with what it waits for.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long it waits for another guard.
const BUSY: Duration = Duration::from_millis(1500);

/// The guard, as seen from the process that takes a dump.
#[derive(Debug)]
pub(crate) struct Guard {
    child: Child,
    input: Option<ChildStdin>,
}

/// What has to be undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// The inspector of a Node is to be closed, if its socket is none of these, which were there before.
    Inspector { pid: u32, before: Vec<u64> },
    /// A file is to be removed.
    File(PathBuf),
    /// A folder with a named pipe is to be removed, and what waits for a reader of the pipe is to be let go.
    Pipe(PathBuf),
}

impl Task {
    /// The line for it. Paths are written in hexadecimal, for they may hold anything.
    pub(crate) fn line(&self) -> String {
        let hex = |path: &Path| {
            path.as_os_str().as_encoded_bytes().iter().fold(String::new(), |mut text, byte| {
                let _ = write!(text, "{byte:02x}");
                text
            })
        };
        match self {
            Self::Inspector { pid, before } => {
                before.iter().fold(format!("inspector {pid}"), |line, inode| format!("{line} {inode}"))
            }
            Self::File(path) => format!("file {}", hex(path)),
            Self::Pipe(path) => format!("pipe {}", hex(path)),
        }
    }

    pub(crate) fn parse(line: &str) -> Option<Self> {
        let path = |hex: &str| {
            let byte = |at| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok();
            let bytes: Option<Vec<u8>> = (0..hex.len()).step_by(2).map(byte).collect();
            Some(PathBuf::from(os_string(bytes?)))
        };
        let (word, rest) = line.split_once(' ')?;
        match word {
            "inspector" => {
                let mut numbers = rest.split(' ');
                let pid = numbers.next()?.parse().ok()?;
                let before: Result<_, _> = numbers.map(str::parse).collect();
                Some(Self::Inspector { pid, before: before.ok()? })
            }
            "file" => path(rest).map(Self::File),
            "pipe" => path(rest).map(Self::Pipe),
            _ => None,
        }
    }

    /// Undoes it; false if that did not work. With `late`, what was to be done would have happened by now.
    fn undo(&self, late: bool) -> bool {
        match self {
            Self::File(path) => {
                let _ = std::fs::remove_file(path);
                path.symlink_metadata().is_err()
            }
            Self::Inspector { pid, before } => super::node::close(*pid, before, late),
            Self::Pipe(folder) => super::hotspot::release(folder),
        }
    }
}

impl Guard {
    /// Starts it by `command`, which must come to [`run`], and has it take the lock on a process: two dumps of one
    /// process at a time would close each other's inspector.
    ///
    /// # Errors
    /// It does not start, or somebody else takes a dump of this process.
    pub(crate) fn start(mut command: Command, pid: u32) -> Result<Self> {
        command.process_group(0).current_dir("/");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let failed = |e| Error::refused(format!("the guard does not start: {}", heap_base::error::plain(&e)));
        let mut child = command.spawn().map_err(failed)?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let mut guard = Self { child, input };
        guard.say(&format!("lock {pid}"))?;
        let mut answer = String::new();
        if let Some(output) = output {
            BufReader::new(output).read_line(&mut answer).map_err(Error::read)?;
        }
        match answer.trim() {
            "ready" => Ok(guard),
            "busy" => Err(Error::refused(format!("another heap-dump is at work on process {pid}"))),
            _ => Err(Error::refused("the guard does not start")),
        }
    }

    fn say(&mut self, line: &str) -> Result {
        let Some(input) = &mut self.input else { return Ok(()) };
        input.write_all(format!("{line}\n").as_bytes()).map_err(Error::read)
    }

    /// Has something undone at the end. Say it before it is done.
    pub(crate) fn task(&mut self, task: &Task) -> Result {
        self.say(&task.line())
    }

    /// Nothing has to be undone any more.
    pub(crate) fn forget(&mut self) -> Result {
        self.say("forget")
    }

    /// What was to be done has been waited for in vain.
    pub(crate) fn late(&mut self) {
        let _ = self.say("late");
    }

    /// Has everything undone. `Some(false)` if something could not be, `None` if it still waits: for a main thread that
    /// is busy.
    pub(crate) fn finish(mut self) -> Option<bool> {
        self.input = None;
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            match self.child.try_wait() {
                Ok(None) => std::thread::sleep(Duration::from_millis(2)),
                Ok(Some(status)) => return Some(status.success()),
                Err(_) => return Some(false),
            }
        }
        None
    }
}

/// What the process does that `Guard` starts. Returns whether all could be undone.
pub fn run(input: impl Read, mut output: impl Write) -> bool {
    let mut tasks: Vec<Task> = Vec::new();
    let (mut lock, mut late) = (None, false);
    let mut lines = BufReader::new(input);
    let mut line = String::new();
    while lines.read_line(&mut line).is_ok_and(|n| n > 0) {
        let line = std::mem::take(&mut line);
        let line = line.trim_end_matches('\n');
        if line == keeper::KEEP {
            keeper::run(lines);
            return true;
        }
        if let Some(pid) = line.strip_prefix("lock ") {
            lock = self::lock(pid);
            let answer: &[u8] = if lock.is_some() { b"ready\n" } else { b"busy\n" };
            let _ = output.write_all(answer).and_then(|()| output.flush());
        } else if line == "forget" {
            tasks.clear();
        } else if line == "late" {
            late = true;
        } else {
            tasks.extend(Task::parse(line));
        }
    }
    let done = tasks.iter().rev().fold(true, |done, task| task.undo(late) & done);
    drop(lock);
    done
}

/// Whether some guard has the lock on a process.
pub(super) fn is_locked(pid: u32) -> bool {
    name(&pid.to_string()).is_some_and(|name| UnixListener::bind_addr(&name).is_err())
}

fn name(pid: &str) -> Option<SocketAddr> {
    SocketAddr::from_abstract_name(format!("heap-dump of process {pid}")).ok()
}

/// A name that only one process can have at a time, and that goes with it.
fn lock(pid: &str) -> Option<UnixListener> {
    let name = name(pid)?;
    // The guard of a dump that was broken off may be at work for a moment.
    let end = Instant::now() + BUSY;
    loop {
        match UnixListener::bind_addr(&name) {
            Ok(lock) => return Some(lock),
            Err(_) if Instant::now() >= end => return None,
            Err(_) => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}

/// This program once more, as its tool `name`: to be the guard of what it does to a process.
pub fn own_program(name: &str) -> Command {
    let mut command = Command::new("/proc/self/exe");
    command.arg0(name);
    command
}
