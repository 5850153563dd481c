//! A Node by its process number.
//!
//! SIGUSR1 opens the inspector of a Node, and kills nearly every other program. It is sent only where the executable has
//! Node's own symbols and the process has a handler for the signal. The inspector listens on a port of the loopback
//! address, which is found by comparing the process's sockets before and after.
//!
//! An inspector that we opened is closed again by the [guard](super::guard), one that was open stays open. While it is
//! open, every local user can run code in the process; the page of heap-dump says so.

use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::time::{Duration, Instant};

use heap_base::error::plain;
use heap_base::{Error, Result};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use super::guard::{self, Guard, Task};
use super::process::{Listener, Process};
use super::uv;
use super::{GROUPS, connect_inside};
use crate::address::Host;
use crate::cdp::{self, Session};
use crate::found::Vm;
use crate::take::Options;
use crate::{Clock, Quiet, Watch};

/// How long a Node may take to set its handler, from its start on.
const STARTING: Duration = Duration::from_secs(1);
/// How long it may take to open its inspector. That is a thread of its own, so a busy main thread does not matter, but a
/// busy machine does.
const OPENING: Duration = Duration::from_secs(10);
/// How much longer it may take where it has not opened it so far.
const LATE: Duration = Duration::from_secs(1);
/// How often it is looked who else has its port.
const RIVAL: Duration = Duration::from_millis(200);
/// How long a socket may take to say that it is an inspector.
const PROBE: Duration = Duration::from_secs(2);
/// How long it may take to close it in its event loop.
const IMMEDIATE: Duration = Duration::from_secs(600);
const MOMENT: Duration = Duration::from_millis(5);
/// SIGUSR1, as a bit of the signals that have a handler.
const USR1: u64 = 1 << 9;
/// A port that nobody listens at.
const NOBODY: u16 = 1;
/// The port that Node's inspector takes if nothing else is said.
const USUAL: u16 = 9229;

/// A process and how it can be spoken to.
struct Node {
    process: Process,
    network: Option<std::path::PathBuf>,
}

impl Node {
    fn new(pid: u32) -> Self {
        let process = Process::of(pid);
        let network = process.other_network();
        Self { process, network }
    }

    /// Whether we could connect to an inspector, which nobody but us would close again.
    fn reachable(&self) -> Result {
        let Some(network) = &self.network else { return Ok(()) };
        let nobody = SocketAddr::from((Ipv4Addr::LOCALHOST, NOBODY));
        match connect_inside(nobody, network, PROBE) {
            Err(e) if e.kind() != ErrorKind::ConnectionRefused => {
                let way = match e.kind() {
                    ErrorKind::PermissionDenied => "use sudo, or run heap-dump inside the container",
                    _ => "its loopback must be up, as ip link set lo up makes it",
                };
                let (process, error) = (self.process.label(), plain(&e));
                Err(Error::refused(format!("{process} is in another network namespace ({error}): {way}")))
            }
            _ => Ok(()),
        }
    }

    fn host(&self, listener: &Listener) -> Host {
        Host::of_listener(listener.addr, self.network.clone())
    }

    /// Of these sockets the one that is the inspector.
    fn inspector(&self, listeners: &[Listener], watch: &mut dyn Watch) -> Option<Host> {
        let mut hosts = listeners.iter().map(|listener| self.host(listener));
        hosts.find(|host| {
            let version = cdp::version(host, &mut Clock::new(Some(PROBE), watch));
            version.is_ok_and(|version| version.is_some_and(|version| version.starts_with("node.js/")))
        })
    }

    /// An option of Node: on its command line or in its environment.
    fn option(&self, begin: &str) -> bool {
        let mut command = self.process.command();
        if let Some(variable) = self.process.variable("NODE_OPTIONS") {
            command.extend(variable.split_whitespace().map(str::to_owned));
        }
        command.iter().any(|word| word.starts_with(begin))
    }

    /// Waits until the process has a handler for SIGUSR1.
    fn takes_signal(&self, clock: &mut Clock<'_>) -> Result {
        let end = Instant::now() + STARTING;
        loop {
            let status = self.process.status()?;
            if status.caught & USR1 != 0 {
                return self.leaves_signal();
            }
            if Instant::now() >= end {
                return Err(self.closed(if self.option("--disable-sigusr1") {
                    "was started with --disable-sigusr1"
                } else {
                    "has no handler for SIGUSR1, which would kill it"
                }));
            }
            clock.pause(MOMENT)?;
        }
    }

    /// That the handler is Node's own, as far as its memory may be read: a program's would get a signal that is not meant
    /// for it.
    fn leaves_signal(&self) -> Result {
        match uv::waits_for(&self.process, Signal::USR1.as_raw() as u32) {
            Some(true) => Err(self.closed("handles SIGUSR1 itself, which would open its inspector")),
            _ => Ok(()),
        }
    }

    /// Why its inspector cannot be opened, and another way.
    fn closed(&self, why: &str) -> Error {
        let way = if self.option("--heapsnapshot-signal") {
            "its signal of --heapsnapshot-signal has it write a snapshot into its folder"
        } else {
            "restart it with --inspect"
        };
        Error::refused(format!("{} {why}: {way}, or --memory reads its memory", self.process.label()))
    }

    /// Another process that has the port which its inspector takes: number and name, as far as we may look.
    fn rival(&self) -> Option<(u32, String)> {
        self.process.holder(self.process.taken(USUAL)?.inode)
    }

    /// Why no inspector came.
    fn no_inspector(&self) -> Error {
        let what = self.process.label();
        Error::refused(match self.process.who_took(USUAL) {
            Some(who) => format!("{what} did not open its inspector: port {USUAL} is held by {who}"),
            None => format!(
                "{what} did not open its inspector: it handles SIGUSR1 itself, or its port is taken; restart it \
                 with --inspect"
            ),
        })
    }
}

/// A connection to the inspector of a process, and what closes that again.
#[derive(Debug)]
pub(crate) struct Open {
    pid: u32,
    version: String,
    session: Session,
    /// None where the inspector was open.
    guard: Option<Guard>,
}

impl Open {
    /// Opens the inspector of the Node with this number and connects to it.
    pub(crate) fn new(pid: u32, options: &Options<'_>, clock: &mut Clock<'_>) -> Result<Self> {
        // A number may be given to another process; what was opened here stays the one that was looked at.
        let number = Pid::from_raw(pid as i32).ok_or_else(|| Error::refused(format!("no process {pid}")))?;
        let handle = pidfd_open(number, PidfdFlags::empty())
            .map_err(|_| Error::refused(format!("no process {pid}")))?;
        let node = Node::new(pid);
        if node.process.vm()? != Some(Vm::Node) {
            return Err(Error::refused(format!("process {pid} has become another program")));
        }
        let status = node.process.status()?;
        node.process.is_running()?;
        node.reachable()?;
        node.process.warn_of_room(Path::new(GROUPS), clock.watch);
        let before = node.process.listeners();
        if node.option("--inspect")
            && let Some(host) = node.inspector(&before, clock.watch)
        {
            let (version, session) = connect(&host, status.own_pid, options, clock)?;
            return Ok(Self { pid, version, session, guard: None });
        }
        node.takes_signal(clock)?;
        let mut guard = Guard::start((options.guard)(), pid)?;
        let inodes = before.iter().map(|listener| listener.inode).collect();
        guard.task(&Task::Inspector { pid, before: inodes })?;
        let signal = || {
            pidfd_send_signal(&handle, Signal::USR1).map_err(|e| match e {
                rustix::io::Errno::PERM => node.process.foreign(&status),
                _ => Error::refused(format!("process {pid} has ended")),
            })
        };
        let connected = signal()
            .and_then(|()| opened(&node, &before, &mut guard, clock, &signal).inspect_err(|_| guard.late()))
            .and_then(|host| connect(&host, status.own_pid, options, clock));
        match connected {
            Ok((version, session)) => Ok(Self { pid, version, session, guard: Some(guard) }),
            Err(e) => {
                let e = node.process.ended(e, 0);
                finish(guard, pid, clock.watch);
                Err(e)
            }
        }
    }

    /// The connection.
    pub(crate) fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    /// Who is at its other end.
    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    /// Leaves the process as it was.
    pub(crate) fn close(self, watch: &mut dyn Watch) {
        self.session.close();
        if let Some(guard) = self.guard {
            finish(guard, self.pid, watch);
        }
    }
}

/// Has the guard close the inspector.
fn finish(guard: Guard, pid: u32, watch: &mut dyn Watch) {
    match guard.finish() {
        Some(true) => {}
        Some(false) => watch.warn(&format!("the inspector of process {pid} may still be open")),
        None => {
            watch.note(&format!(
                "the inspector of process {pid} is closed as soon as its main thread is free"
            ));
        }
    }
}

/// The inspector after the signal: a new socket, or one that was there, which is somebody else's and stays. Where another
/// Node whose dump is taken has the port, that is waited for, and the signal, which did nothing, is sent `again`.
fn opened(
    node: &Node,
    before: &[Listener],
    guard: &mut Guard,
    clock: &mut Clock<'_>,
    again: &dyn Fn() -> Result,
) -> Result<Host> {
    let patience = if before.is_empty() { OPENING } else { OPENING / 2 };
    let mut end = Instant::now() + patience;
    let (mut look, mut waits) = (Instant::now() + RIVAL, false);
    loop {
        let mut now = node.process.listeners();
        now.retain(|listener| !before.contains(listener));
        if let Some(host) = node.inspector(&now, clock.watch) {
            return Ok(host);
        }
        if Instant::now() >= end {
            break;
        }
        if !node.process.is_alive() {
            return Err(Error::refused(format!("process {} has ended", node.process.pid)));
        }
        if Instant::now() >= look {
            look = Instant::now() + RIVAL;
            let rival = node.rival().filter(|(pid, _)| guard::is_locked(*pid));
            if rival.is_some() {
                waits = true;
                end = look + patience;
            } else if std::mem::take(&mut waits) {
                again()?;
            }
        }
        clock.pause(MOMENT)?;
    }
    // Without one the guard looks for a moment longer.
    let host = node.inspector(before, clock.watch).ok_or_else(|| node.no_inspector())?;
    guard.forget()?;
    Ok(host)
}

/// Connects to an open inspector, which must be that of the process with this number.
fn connect(
    host: &Host,
    own_pid: u32,
    options: &Options<'_>,
    clock: &mut Clock<'_>,
) -> Result<(String, Session)> {
    let version = cdp::version(host, clock)?.unwrap_or_default();
    let targets = cdp::targets(host, clock)?.unwrap_or_default();
    let target = cdp::choose(&targets, None)?;
    let mut session = Session::kept(host.socket(&target.path, clock)?, options.guard)?;
    clock.expect(cdp::SILENCE, cdp::BUSY);
    let found = session.number("process.pid", clock)?;
    clock.came();
    match found {
        Some(found) if found == u64::from(own_pid) => {}
        Some(found) => return Err(Error::refused(format!("the inspector is that of process {found}"))),
        // Its sockets are its own; a debugger can let it run.
        None => {
            return Err(Error::refused(
                "the program has not begun: it waits for a debugger (--inspect-brk, --inspect-wait)",
            ));
        }
    }
    Ok((version, session))
}

/// For the guard: closes the inspector that was opened, however long the main thread is busy. True if none is left.
pub(crate) fn close(pid: u32, before: &[u64], late: bool) -> bool {
    let opening = if late { LATE } else { OPENING };
    let node = Node::new(pid);
    let mut watch = Quiet;
    let new = |node: &Node| {
        let mut now = node.process.listeners();
        now.retain(|listener| !before.contains(&listener.inode));
        now
    };
    // The signal may have been sent just now. A process that stands still takes it when it goes on.
    let mut end = Instant::now() + opening;
    let host = loop {
        if let Some(host) = node.inspector(&new(&node), &mut watch) {
            break host;
        }
        match node.process.status() {
            Ok(status) if matches!(status.state, 'Z' | 'X') => return true,
            Ok(status) if status.pending & USR1 != 0 => end = Instant::now() + opening,
            Ok(_) => {}
            Err(_) => return true,
        }
        if Instant::now() >= end {
            return true;
        }
        std::thread::sleep(MOMENT);
    };
    let mut clock = Clock::new(None, &mut watch);
    let end = |clock: &mut Clock<'_>| -> Result {
        let targets = cdp::targets(&host, clock)?.unwrap_or_default();
        let target = cdp::choose(&targets, None)?;
        let mut session = Session::new(host.socket(&target.path, clock)?);
        // A program may have replaced what the loop is asked with; but first it may be busy for long.
        let patience = &mut Clock::new(Some(IMMEDIATE), clock.watch);
        if session.end_inspector(false, patience).is_err() {
            session.end_inspector(true, clock)?;
        }
        Ok(())
    };
    let _ = end(&mut clock);
    let end = Instant::now() + OPENING;
    while Instant::now() < end {
        if new(&node).is_empty() || !node.process.is_alive() {
            return true;
        }
        std::thread::sleep(MOMENT);
    }
    node.inspector(&new(&node), &mut watch).is_none()
}
