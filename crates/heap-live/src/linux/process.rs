//! What a process is, by its files in `/proc`; never by its name, which programs set as they like.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use heap_base::error::plain;
use heap_base::{Error, Result};

use rustix::process::geteuid;

use super::elf::Names;
use crate::Watch;
use crate::found::{Found, Vm};

/// How long the end of a process may take to show after its connections were closed.
const DYING: Duration = Duration::from_millis(500);
const MOMENT: Duration = Duration::from_millis(5);

/// A process, by its folder in `/proc`.
#[derive(Clone, Debug)]
pub(crate) struct Process {
    proc: PathBuf,
    pub(crate) pid: u32,
}

/// Lines of `/proc/N/status`.
#[derive(Debug, Default)]
pub(crate) struct Status {
    pub(crate) name: String,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    /// Its number where it lives, which is another one in a container.
    pub(crate) own_pid: u32,
    /// Signals that it has a handler for, a bit each from SIGHUP = 0 on.
    pub(crate) caught: u64,
    /// Signals that were sent to it and that it has not taken yet, likewise.
    pub(crate) pending: u64,
    pub(crate) resident: u64,
    /// Its letter: `S`, `Z`.
    pub(crate) state: char,
}

/// A socket that listens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Listener {
    pub(crate) inode: u64,
    pub(crate) addr: SocketAddr,
}

impl Process {
    /// A process of this machine.
    pub(crate) fn of(pid: u32) -> Self {
        Self::below(Path::new("/proc"), pid)
    }

    /// A process of a folder like `/proc`.
    pub(crate) fn below(proc: &Path, pid: u32) -> Self {
        Self { proc: proc.to_owned(), pid }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.proc.join(self.pid.to_string()).join(name)
    }

    /// Whether it is there and has not ended.
    pub(crate) fn is_alive(&self) -> bool {
        self.status().is_ok_and(|status| !matches!(status.state, 'Z' | 'X'))
    }

    pub(crate) fn status(&self) -> Result<Status> {
        let text = match fs::read_to_string(self.path("status")) {
            Ok(text) => text,
            Err(e) if e.kind() == ErrorKind::NotFound || e.raw_os_error() == Some(3) => {
                return Err(Error::refused(format!("no process {}", self.pid)));
            }
            Err(e) => return Err(Error::refused(format!("process {}: {}", self.pid, plain(&e)))),
        };
        let mut status = Status { own_pid: self.pid, ..Status::default() };
        for (key, value) in text.lines().filter_map(|line| line.split_once(':')) {
            let value = value.trim();
            let first = |text: &str| text.split_whitespace().next().and_then(|n| n.parse::<u32>().ok());
            match key {
                "Name" => value.clone_into(&mut status.name),
                "State" => status.state = value.chars().next().unwrap_or('?'),
                "Uid" => status.uid = first(value).unwrap_or(0),
                "Gid" => status.gid = first(value).unwrap_or(0),
                "NSpid" => {
                    let last = value.split_whitespace().next_back().and_then(|n| n.parse().ok());
                    status.own_pid = last.unwrap_or(self.pid);
                }
                "SigCgt" => status.caught = u64::from_str_radix(value, 16).unwrap_or(0),
                "ShdPnd" => status.pending = u64::from_str_radix(value, 16).unwrap_or(0),
                "VmRSS" => status.resident = u64::from(first(value).unwrap_or(0)) << 10,
                _ => {}
            }
        }
        Ok(status)
    }

    /// `process 1234 (node)`.
    pub(crate) fn label(&self) -> String {
        match self.status() {
            Ok(status) => format!("process {} ({})", self.pid, status.name),
            Err(_) => format!("process {}", self.pid),
        }
    }

    /// What it runs; `None` if that is no virtual machine that we know.
    ///
    /// # Errors
    /// There is no such process, or it belongs to somebody else.
    pub(crate) fn vm(&self) -> Result<Option<Vm>> {
        let status = self.status()?;
        if matches!(status.state, 'Z' | 'X') {
            return Err(Error::refused(format!("process {} ({}) has ended", self.pid, status.name)));
        }
        let denied = |e: io::Error| match e.kind() {
            ErrorKind::PermissionDenied => self.foreign(&status),
            _ => Error::refused(format!("process {} ({}): {}", self.pid, status.name, plain(&e))),
        };
        let exe = match fs::read_link(self.path("exe")) {
            Ok(exe) => exe,
            // A thread of the kernel has no executable.
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(denied(e)),
        };
        let maps = fs::read(self.path("maps")).map_err(denied)?;
        Ok(self.by_files(&exe, &maps))
    }

    fn by_files(&self, exe: &Path, maps: &[u8]) -> Option<Vm> {
        let libraries: Vec<&[u8]> = maps
            .split(|&b| b == b'\n')
            .filter_map(|line| line.rsplit(|&b| b == b'/').next().filter(|name| name.len() < line.len()))
            .collect();
        let loaded = |begin: &str| libraries.iter().any(|name| name.starts_with(begin.as_bytes()));
        if loaded("libj9vm") {
            return Some(Vm::OpenJ9);
        }
        if loaded("libjvm.so") {
            return Some(Vm::HotSpot);
        }
        if loaded("libnode.so") {
            return Some(Vm::Node);
        }
        if loaded("libcoreclr.so") {
            return Some(Vm::DotNet);
        }
        if loaded("libruby") {
            return Some(Vm::Ruby);
        }
        if loaded("libpython") {
            return Some(Vm::Python);
        }
        let names = File::open(self.path("exe")).map(|file| Names::read(&file)).unwrap_or_default();
        let base = exe.file_name().map_or(&b""[..], OsStr::as_bytes);
        // Of programs that export nothing of their own the file's name is all there is; no signal is sent on its account.
        let base = |begin: &str| base.starts_with(begin.as_bytes());
        match () {
            // Electron has Node inside, but takes the signal only if it was built so.
            () if names.symbol("_ZN4node") && (names.symbol("_ZN8electron") || base("electron")) => {
                Some(Vm::Chromium)
            }
            // Bun exports some functions of Node's for modules, but not what starts it.
            () if names.symbol("_ZN4node5Start") => Some(Vm::Node),
            () if base("deno") => Some(Vm::Deno),
            () if base("bun") => Some(Vm::Bun),
            () if base("chrom") || base("headless_shell") => Some(Vm::Chromium),
            () if names.symbol("Dart_Initialize") || base("dart") => Some(Vm::Dart),
            () if names.section(".go.buildinfo") || names.section(".note.go.buildid") => Some(Vm::Go),
            () if base("ruby") => Some(Vm::Ruby),
            () if names.symbol("PyRuntime") || names.symbol("_PyRuntime") || base("python") => {
                Some(Vm::Python)
            }
            () if names.symbol("_ZN2v8") => Some(Vm::V8),
            () => None,
        }
    }

    /// That it ended is why something failed, if it has ended within a moment: its connections are closed before that shows.
    /// `received` is how much of its dump had come.
    pub(crate) fn ended(&self, failed: Error, received: u64) -> Error {
        let end = Instant::now() + DYING;
        while self.is_alive() {
            if Instant::now() >= end {
                return failed;
            }
            std::thread::sleep(MOMENT);
        }
        let part = match received {
            0 => String::new(),
            bytes => format!(": {}.{} MB, incomplete", bytes / 1_000_000, bytes / 100_000 % 10),
        };
        Error::refused(format!("process {} ended while dumping{part}", self.pid))
    }

    /// Nobody is asked who cannot answer: what we send would be taken once we have gone.
    ///
    /// # Errors
    /// It is stopped, by SIGSTOP or a debugger.
    pub(crate) fn is_running(&self) -> Result {
        let status = self.status()?;
        let (who, way) = match status.state {
            'T' => ("is stopped", format!("kill -CONT {} lets it go on", self.pid)),
            't' => ("is stopped by a debugger", "it has to go on first".to_owned()),
            _ => return Ok(()),
        };
        Err(Error::refused(format!("process {} ({}) {who}: {way}", self.pid, status.name)))
    }

    /// It belongs to somebody else, or may not be looked at by anybody.
    pub(crate) fn foreign(&self, status: &Status) -> Error {
        let own = geteuid().as_raw();
        if own == 0 || own == status.uid {
            return Error::refused(format!(
                "process {} ({}) may not be looked at: that needs the rights of a debugger (CAP_SYS_PTRACE)",
                self.pid, status.name
            ));
        }
        let user = user(status.uid);
        let who = user.as_ref().map_or_else(
            || format!("user {}: run as that user", status.uid),
            |name| format!("{name} (uid {}): run as {name}", status.uid),
        );
        Error::refused(format!("process {} ({}) belongs to {who} or with sudo", self.pid, status.name))
    }

    /// Words of its command line.
    pub(crate) fn command(&self) -> Vec<String> {
        self.words("cmdline")
    }

    /// The value of a variable of the environment that it was started with.
    pub(crate) fn variable(&self, name: &str) -> Option<String> {
        let words = self.words("environ");
        words.iter().find_map(|word| word.strip_prefix(name)?.strip_prefix('=').map(str::to_owned))
    }

    fn words(&self, file: &str) -> Vec<String> {
        let bytes = fs::read(self.path(file)).unwrap_or_default();
        let words = bytes.split(|&b| b == 0).filter(|word| !word.is_empty());
        words.map(|word| String::from_utf8_lossy(word).into_owned()).collect()
    }

    /// Its network, if that is another than ours: `/proc/N/ns/net`.
    pub(crate) fn other_network(&self) -> Option<PathBuf> {
        let own = fs::read_link(self.proc.join("self/ns/net")).ok()?;
        let path = self.path("ns/net");
        fs::read_link(&path).is_ok_and(|its| its != own).then_some(path)
    }

    /// Its sockets that listen for TCP.
    pub(crate) fn listeners(&self) -> Vec<Listener> {
        let mut own = Vec::new();
        for entry in fs::read_dir(self.path("fd")).into_iter().flatten().flatten() {
            let Ok(target) = fs::read_link(entry.path()) else { continue };
            let inode = target.as_os_str().as_bytes().strip_prefix(b"socket:[");
            let inode: Option<u64> =
                inode.and_then(|rest| std::str::from_utf8(rest).ok()?.strip_suffix(']')?.parse().ok());
            own.extend(inode);
        }
        let mut all = self.listening();
        all.retain(|listener| own.contains(&listener.inode));
        all
    }

    /// All sockets of its network that listen for TCP.
    pub(crate) fn listening(&self) -> Vec<Listener> {
        let tables = ["net/tcp", "net/tcp6"].map(|name| fs::read_to_string(self.path(name)));
        let lines = tables.iter().flatten().flat_map(|table| table.lines().skip(1));
        lines.filter_map(listener).collect()
    }

    /// Who holds a socket, as far as we may look: number and name.
    pub(crate) fn holder(&self, inode: u64) -> Option<(u32, String)> {
        let target = PathBuf::from(format!("socket:[{inode}]"));
        let all = fs::read_dir(&self.proc).ok()?.flatten();
        let all = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        let mut all = all.map(|pid| Self::below(&self.proc, pid));
        let holds = |process: &Self| {
            let files = fs::read_dir(process.path("fd")).into_iter().flatten().flatten();
            files.filter_map(|entry| fs::read_link(entry.path()).ok()).any(|link| link == target)
        };
        let found = all.find(holds)?;
        Some((found.pid, found.status().ok()?.name))
    }

    /// A socket of another process that listens at a port.
    pub(crate) fn taken(&self, port: u16) -> Option<Listener> {
        let own = self.listeners();
        self.listening().into_iter().find(|socket| socket.addr.port() == port && !own.contains(socket))
    }

    /// The other process that listens at a port, in words. The table of sockets has those of all users; which process
    /// holds one is seen of one's own processes alone, and of those in the same list of processes.
    pub(crate) fn who_took(&self, port: u16) -> Option<String> {
        let socket = self.taken(port)?;
        Some(self.holder(socket.inode).map_or_else(
            || "a process that cannot be seen from here: another user's, or in a container".to_owned(),
            |(pid, name)| format!("process {pid} ({name})"),
        ))
    }

    /// Warns where a limit of control groups leaves it less than a dump by an inspector may take: as much as it has.
    pub(crate) fn warn_of_room(&self, groups: &Path, watch: &mut dyn Watch) {
        let resident = self.status().map_or(0, |status| status.resident);
        let Some(room) = self.headroom(groups).filter(|room| *room < resident) else { return };
        let other = match self.vm() {
            Ok(Some(Vm::Node)) => format!("; heap-dump --memory {} needs none", self.pid),
            _ => String::new(),
        };
        watch.warn(&format!(
            "{} may take {} MB more before the limit of its control group has it killed, and a dump may need {} MB{other}",
            self.label(),
            room >> 20,
            resident >> 20
        ));
    }

    /// How many bytes the process may still take, by the limits of its control group and of those around it. `groups` is where
    /// control groups are: `/sys/fs/cgroup`.
    pub(crate) fn headroom(&self, groups: &Path) -> Option<u64> {
        let text = fs::read_to_string(self.path("cgroup")).ok()?;
        heap_base::sys::group_room(&text, groups)
    }
}

/// A line of `/proc/net/tcp` whose socket listens.
fn listener(line: &str) -> Option<Listener> {
    let mut words = line.split_whitespace().skip(1);
    let (ip, port) = words.next()?.split_once(':')?;
    let state = words.nth(1)?;
    if state != "0A" {
        return None;
    }
    let inode = words.nth(5)?.parse().ok()?;
    let port = u16::from_str_radix(port, 16).ok()?;
    // Words of four bytes in the order of this machine.
    let word = |at: usize| u32::from_str_radix(ip.get(at * 8..at * 8 + 8)?, 16).ok().map(u32::to_ne_bytes);
    let ip = match ip.len() {
        8 => IpAddr::from(Ipv4Addr::from(word(0)?)),
        32 => {
            let mut bytes = [0; 16];
            for at in 0..4 {
                bytes[at * 4..at * 4 + 4].copy_from_slice(&word(at)?);
            }
            IpAddr::from(Ipv6Addr::from(bytes))
        }
        _ => return None,
    };
    Some(Listener { inode, addr: SocketAddr::new(ip, port) })
}

/// The name of a user of this machine.
fn user(uid: u32) -> Option<String> {
    let users = fs::read_to_string("/etc/passwd").ok()?;
    let mut rows = users.lines().map(|line| line.split(':'));
    rows.find_map(|mut row| {
        let name = row.next()?;
        (row.nth(1)?.parse() == Ok(uid)).then(|| name.to_owned())
    })
}

/// The processes that we may look at and of which a dump can be taken.
pub fn list() -> Vec<Found> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let mut pids: Vec<u32> = entries.filter_map(|e| e.file_name().to_str()?.parse().ok()).collect();
    pids.sort_unstable();
    let found = |pid: u32| {
        let process = Process::of(pid);
        let vm = process.vm().ok()?.filter(|vm| vm.by().is_some())?;
        let status = process.status().ok()?;
        let user = user(status.uid).unwrap_or_else(|| status.uid.to_string());
        Some(Found { pid, vm, user, resident: status.resident, command: process.command().join(" ") })
    };
    pids.into_iter().filter_map(found).collect()
}
