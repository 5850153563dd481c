//! A JVM of HotSpot by its process number.
//!
//! A JVM listens at a socket in its `/tmp` once it was asked to: by a file in its working directory and SIGQUIT. Without
//! a handler for it that signal kills, so it is sent only where there is one. At the socket one request is one connection.
//!
//! The dump comes through a named pipe in a folder of ours in its `/tmp`. A JVM stands still until its dump is read, so
//! the pipe is read before the request is sent, and as fast as data come. Status 0 of an answer says nothing; that the
//! dump is whole is said in words, with its length. A JVM that cannot write into a pipe writes a file there.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, chown};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use heap_base::error::plain;
use heap_base::{Error, Result};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{CWD, Mode, OFlags, StatVfsMountFlags, mkfifoat, statvfs};
use rustix::pipe::fcntl_setpipe_size;
use rustix::process::{Pid, PidfdFlags, Signal, geteuid, pidfd_open, pidfd_send_signal};
use rustix::rand::{GetRandomFlags, getrandom};

use super::guard::{Guard, Task};
use super::process::{Process, Status};
use crate::Clock;
use crate::found::Vm;
use crate::take::{Counted, Options};

/// How long a JVM may take to set its handlers, from its start on.
const STARTING: Duration = Duration::from_secs(1);
/// How long it may take to open its socket. A JVM that collects garbage answers late.
const OPENING: Duration = Duration::from_secs(10);
/// How long an answer that is no dump may take.
const ANSWER: Duration = Duration::from_secs(60);
/// How long what was about to open our pipe may still do so after we have gone.
const LINGER: Duration = Duration::from_secs(1);
const MOMENT: Duration = Duration::from_millis(5);
/// SIGQUIT, as a bit of the signals that have a handler.
const QUIT: u64 = 1 << 2;
/// Bytes read at a time, and what the pipe holds.
const PIECE: usize = 1 << 20;
/// Longest answer in words.
const LONGEST: usize = 1 << 20;
/// What a JVM says that has written a dump.
const CREATED: &str = "Heap dump file created";
/// Name of the pipe in our folder.
const PIPE: &str = "dump";

/// A JVM and where its files are.
pub(crate) struct Jvm {
    process: Process,
    status: Status,
    /// Its `/`, as we see it.
    root: PathBuf,
}

impl Jvm {
    pub(crate) fn new(process: Process) -> Result<Self> {
        let status = process.status()?;
        // Where we live in the same file system, the path is good after the process has ended, too.
        let own = |name: &str| fs::read_link(Path::new("/proc/self").join(name)).ok();
        let its = |name: &str| fs::read_link(process.path(name)).ok();
        let same = own("ns/mnt").is_some() && own("ns/mnt") == its("ns/mnt") && own("root") == its("root");
        let root = if same { PathBuf::from("/") } else { process.path("root") };
        Ok(Self { process, status, root })
    }

    fn socket(&self) -> PathBuf {
        self.root.join(format!("tmp/.java_pid{}", self.status.own_pid))
    }

    fn failed(&self, what: impl std::fmt::Display) -> Error {
        Error::refused(format!("{}: {what}", self.process.label()))
    }

    /// Makes a file or folder of ours one of the JVM's user.
    fn give(&self, path: &Path) -> Result {
        if geteuid().as_raw() == self.status.uid {
            return Ok(());
        }
        let given = chown(path, Some(self.status.uid), Some(self.status.gid));
        given.map_err(|_| self.process.foreign(&self.status))
    }

    /// Its working directory, as we see it.
    fn cwd(&self) -> PathBuf {
        let cwd = fs::read_link(self.process.path("cwd")).ok().filter(|_| self.root == Path::new("/"));
        cwd.unwrap_or_else(|| self.process.path("cwd"))
    }

    /// Makes a folder of ours in its `/tmp`, or in its working directory where that is read-only or has less room than is
    /// needed, and returns it as we see it and as the JVM does.
    pub(super) fn folder(&self, need: u64, guard: &mut Guard) -> Result<(PathBuf, String)> {
        let mut random = [0; 8];
        getrandom(&mut random, GetRandomFlags::empty()).map_err(|e| Error::read(e.into()))?;
        let name = format!("heap-dump.{:016x}", u64::from_le_bytes(random));
        let mut failed = None;
        for (place, its) in [(self.root.join("tmp"), format!("/tmp/{name}")), (self.cwd(), name.clone())] {
            let room = statvfs(&place).map_or(0, |system| system.f_bavail.saturating_mul(system.f_frsize));
            let why = if room < need {
                format!(
                    "it writes its dump into {} first, where {} MB are free of {} MB that it may need; --gzip needs less",
                    place.display(),
                    room >> 20,
                    need >> 20
                )
            } else {
                let folder = place.join(&name);
                guard.task(&Task::Pipe(folder.clone()))?;
                match DirBuilder::new().mode(0o700).create(&folder) {
                    Ok(()) => return Ok((folder, its)),
                    Err(e) => format!("{}: {}", folder.display(), plain(&e)),
                }
            };
            failed = failed.or_else(|| Some(self.failed(why)));
        }
        Err(failed.unwrap_or_else(|| self.failed("it has no folder")))
    }

    /// Whether its user can make a file where its socket has to be.
    fn has_tmp(&self) -> Result {
        let tmp = self.root.join("tmp");
        match statvfs(&tmp) {
            Ok(system) if system.f_flag.contains(StatVfsMountFlags::RDONLY) => {
                Err(self.failed(format!("{} is read-only, and has to hold its attach socket", tmp.display())))
            }
            _ => Ok(()),
        }
    }

    /// Connects to the socket; `None` if there is none that anybody listens at.
    fn connect(&self) -> Result<Option<UnixStream>> {
        let path = self.socket();
        match UnixStream::connect(&path) {
            Ok(stream) => Ok(Some(stream)),
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
            Err(e) if e.kind() == ErrorKind::ConnectionRefused => {
                // Left over from a JVM that was killed and had this number.
                let owner = path.symlink_metadata().map(|meta| meta.uid());
                if owner.is_ok_and(|owner| owner == self.status.uid) {
                    let _ = fs::remove_file(&path);
                }
                Ok(None)
            }
            Err(e) if e.kind() == ErrorKind::PermissionDenied => Err(self.process.foreign(&self.status)),
            Err(e) => Err(self.failed(format!("{}: {}", path.display(), plain(&e)))),
        }
    }

    /// Why there is no dump, in its words.
    fn no_dump(&self, text: &str) -> Error {
        let said = text.lines().map(str::trim).rfind(|line| !line.is_empty() && !line.starts_with("Dumping"));
        self.failed(said.unwrap_or("it wrote no dump"))
    }

    /// A dump that is not as long as it should be.
    fn cut(&self, received: u64, length: u64) -> Error {
        self.failed(format!("{received} bytes of {length} have come"))
    }

    /// An option of the JVM: on its command line or in its environment.
    fn option(&self, word: &str) -> bool {
        let mut words = self.process.command();
        for name in ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"] {
            words.extend(self.process.variable(name));
        }
        words.iter().any(|words| words.split_whitespace().any(|found| found == word))
    }

    /// Waits until the process has a handler for SIGQUIT.
    fn takes_signal(&self, clock: &mut Clock<'_>) -> Result {
        if self.option("-XX:+DisableAttachMechanism") {
            return Err(
                self.failed("started with -XX:+DisableAttachMechanism, so it makes no dump for others")
            );
        }
        self.has_tmp()?;
        let end = Instant::now() + STARTING;
        while self.process.status()?.caught & QUIT == 0 {
            if Instant::now() >= end {
                return Err(self.failed(
                    "no handler for SIGQUIT, which would kill it, and no attach socket: it was started with -Xrs, or \
                     is no JVM",
                ));
            }
            clock.pause(MOMENT)?;
        }
        Ok(())
    }

    /// Has the JVM open its socket.
    fn attach(&self, handle: &impl AsFd, guard: &mut Guard, clock: &mut Clock<'_>) -> Result {
        let name = format!(".attach_pid{}", self.status.own_pid);
        let mut made = Err(self.failed("its folder and its /tmp cannot be written to"));
        for folder in [self.cwd(), self.root.join("tmp")] {
            let path = folder.join(&name);
            guard.task(&Task::File(path.clone()))?;
            let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
            // One that is there is somebody else's who attaches, or left over; it serves as well.
            if file.is_ok() || file.is_err_and(|e| e.kind() == ErrorKind::AlreadyExists) {
                let _ = self.give(&path);
                made = Ok(path);
                break;
            }
        }
        let path = made?;
        let sent = pidfd_send_signal(handle, Signal::QUIT).map_err(|e| match e {
            rustix::io::Errno::PERM => self.process.foreign(&self.status),
            _ => self.failed("it has ended"),
        });
        let result = sent.and_then(|()| {
            let end = Instant::now() + OPENING;
            while self.connect()?.is_none() {
                if !self.process.is_alive() {
                    return Err(self.failed("it has ended"));
                }
                if Instant::now() >= end {
                    return Err(self.failed(format!("it did not open {}", self.socket().display())));
                }
                clock.pause(MOMENT)?;
            }
            Ok(())
        });
        let _ = fs::remove_file(path);
        result
    }

    /// Sends a request. It goes out whole: a JVM waits for the rest of one, and lets all others wait too.
    fn request(&self, command: &str) -> Result<UnixStream> {
        let mut stream = self.connect()?.ok_or_else(|| self.failed("it does not answer any more"))?;
        let request = [b"1\0jcmd\0", command.as_bytes(), b"\0\0\0"].concat();
        stream.write_all(&request).map_err(|e| self.failed(plain(&e)))?;
        Ok(stream)
    }

    /// The answer to a request, without its status.
    fn ask(&self, command: &str, clock: &mut Clock<'_>) -> Result<String> {
        let mut stream = self.request(command)?;
        let mut answer = Answer::default();
        let end = Instant::now() + ANSWER;
        stream.set_nonblocking(true).map_err(Error::read)?;
        while !answer.read(&mut stream)? {
            if Instant::now() >= end {
                return Err(self.failed("it does not answer"));
            }
            wait(&stream, Duration::from_millis(100));
            clock.idle()?;
        }
        answer.text(self)
    }
}

/// Waits until something can be read, or a time is over.
fn wait(file: &impl AsFd, time: Duration) {
    let mut fds = [PollFd::new(file, PollFlags::IN)];
    let time = Timespec { tv_sec: time.as_secs() as i64, tv_nsec: i64::from(time.subsec_nanos()) };
    let _ = poll(&mut fds, Some(&time));
}

/// What has come of an answer.
#[derive(Default)]
struct Answer(Vec<u8>);

impl Answer {
    /// Reads what is there; true at its end.
    fn read(&mut self, stream: &mut UnixStream) -> Result<bool> {
        let mut buf = [0; 4096];
        loop {
            match stream.read(&mut buf) {
                Ok(0) => return Ok(true),
                Ok(n) if self.0.len() + n <= LONGEST => self.0.extend_from_slice(&buf[..n]),
                Ok(_) => return Err(Error::input("the answer is too long")),
                Err(e) if e.kind() == ErrorKind::WouldBlock => return Ok(false),
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) if e.kind() == ErrorKind::ConnectionReset => return Ok(true),
                Err(e) => return Err(Error::read(e)),
            }
        }
    }

    /// What it says, if its status is 0.
    fn text(&self, jvm: &Jvm) -> Result<String> {
        let text = String::from_utf8_lossy(&self.0);
        let (status, text) = text.split_once('\n').unwrap_or((&text, ""));
        match status.trim() {
            "0" => Ok(text.to_owned()),
            "101" => Err(jvm.failed("it speaks another version of the protocol")),
            "" => Err(jvm.failed("it closed the connection without an answer")),
            _ => {
                let said = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("it refuses");
                Err(jvm.failed(said.trim()))
            }
        }
    }
}

/// Takes a dump of the JVM with this number.
pub(crate) fn take(
    pid: u32,
    options: &Options<'_>,
    clock: &mut Clock<'_>,
    out: &mut dyn Write,
) -> Result<String> {
    let number = Pid::from_raw(pid as i32).ok_or_else(|| Error::refused(format!("no process {pid}")))?;
    let handle =
        pidfd_open(number, PidfdFlags::empty()).map_err(|_| Error::refused(format!("no process {pid}")))?;
    let process = Process::of(pid);
    if process.vm()? != Some(Vm::HotSpot) {
        return Err(Error::refused(format!("process {pid} has become another program")));
    }
    process.is_running()?;
    let jvm = Jvm::new(process)?;
    let mut guard = Guard::start((options.guard)(), pid)?;
    let mut out = Counted::new(out);
    let result = with_guard(&jvm, &handle, &mut guard, options, clock, &mut out);
    if guard.finish() != Some(true) {
        clock.watch.warn(&format!("what was made in /tmp of process {pid} may still be there"));
    }
    result.map_err(|e| jvm.process.ended(e, out.bytes))
}

pub(crate) fn with_guard(
    jvm: &Jvm,
    handle: &impl AsFd,
    guard: &mut Guard,
    options: &Options<'_>,
    clock: &mut Clock<'_>,
    out: &mut dyn Write,
) -> Result<String> {
    if jvm.connect()?.is_none() {
        jvm.takes_signal(clock)?;
        jvm.attach(handle, guard, clock)?;
    }
    let version = jvm.ask("VM.version", clock)?;
    let help = jvm.ask("help GC.heap_dump", clock)?;
    for (option, asked, since) in
        [("-gz", options.java.gzip, 17), ("-parallel", options.java.parallel.is_some(), 25)]
    {
        if asked && !help.contains(option) {
            return Err(jvm.failed(format!("its dumps know no {option}, as those of Java {since} do")));
        }
    }
    // Those that know threads write parts of the dump beside the pipe first.
    let pipe = help.contains("-overwrite");
    let parts = !pipe || help.contains("-parallel");
    let need = if parts && !options.java.gzip { used(&jvm.ask("GC.heap_info", clock)?) } else { 0 };
    let (folder, its) = jvm.folder(need, guard)?;
    let (file, its) = (folder.join(PIPE), format!("{its}/{PIPE}"));
    let gzip = if options.java.gzip { " -gz=1" } else { "" };
    let parallel = options.java.parallel.map(|n| format!(" -parallel={n}")).unwrap_or_default();
    let all = if options.java.all { " -all" } else { "" };
    let command = |overwrite: &str| format!("GC.heap_dump{overwrite}{all}{gzip}{parallel} {its}");
    if pipe {
        mkfifoat(CWD, &file, Mode::from_raw_mode(0o600))
            .map_err(|e| jvm.failed(format!("{}: {}", file.display(), plain(&e.into()))))?;
        jvm.give(&file)?;
        jvm.give(&folder)?;
        receive(jvm, &command(" -overwrite"), &file, clock, out)?;
    } else {
        jvm.give(&folder)?;
        written(jvm, &command(""), &file, clock, out)?;
    }
    let _ = fs::remove_file(file);
    Ok(version.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default().to_owned())
}

/// Bytes of the heap that are in use, by the answer to `GC.heap_info`: `total 262144K, used 51200K`, of each of its parts.
pub(crate) fn used(info: &str) -> u64 {
    let heap = info.lines().take_while(|line| !line.trim_start().starts_with("Metaspace"));
    let amounts = heap.filter_map(|line| {
        let words = line.split_once("used ")?.1.trim_start();
        let digits = words.find(|c: char| !c.is_ascii_digit())?;
        let shift = match words.as_bytes().get(digits)? {
            b'K' => 10,
            b'M' => 20,
            b'G' => 30,
            _ => 0,
        };
        words[..digits].parse::<u64>().ok()?.checked_shl(shift)
    });
    amounts.fold(0, u64::saturating_add)
}

/// Has a JVM write its dump into a file of our folder, and copies that.
fn written(jvm: &Jvm, command: &str, path: &Path, clock: &mut Clock<'_>, out: &mut dyn Write) -> Result {
    let mut stream = jvm.request(command)?;
    stream.set_nonblocking(true).map_err(Error::read)?;
    let mut answer = Answer::default();
    while !answer.read(&mut stream)? {
        wait(&stream, Duration::from_millis(100));
        clock.idle()?;
    }
    let text = answer.text(jvm)?;
    let open = OpenOptions::new().read(true).custom_flags(OFlags::NOFOLLOW.bits() as i32).open(path);
    let (true, Ok(mut file)) = (text.contains(CREATED), open) else { return Err(jvm.no_dump(&text)) };
    let mut buf = vec![0; PIECE];
    let mut received = 0u64;
    loop {
        match file.read(&mut buf) {
            Ok(0) => break,
            Ok(n) => {
                out.write_all(&buf[..n]).map_err(Error::write)?;
                received += n as u64;
                clock.watch.received(received);
            }
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(Error::read(e)),
        }
    }
    match length(&text) {
        Some(length) if length != received => Err(jvm.cut(received, length)),
        _ => Ok(()),
    }
}

/// How long a dump is, as a JVM says it that has written one; old ones do not.
fn length(text: &str) -> Option<u64> {
    let (_, rest) = text.split_once(CREATED)?;
    rest.trim_start().strip_prefix('[')?.split_once(' ')?.0.parse().ok()
}

/// Opens a named pipe to read without waiting for who writes.
fn open_pipe(path: &Path) -> std::io::Result<File> {
    let options = OFlags::NONBLOCK | OFlags::NOFOLLOW;
    OpenOptions::new().read(true).custom_flags(options.bits() as i32).open(path)
}

/// Sends the request for a dump and writes what comes through the pipe, until pipe and answer have ended.
///
/// A JVM may open the pipe several times, or never where it refuses, so the end of the pipe says nothing before there is
/// an answer. The answer comes after the last byte of the dump.
fn receive(jvm: &Jvm, command: &str, pipe: &Path, clock: &mut Clock<'_>, out: &mut dyn Write) -> Result {
    let mut data = open_pipe(pipe).map_err(|e| jvm.failed(format!("{}: {}", pipe.display(), plain(&e))))?;
    // With more room the JVM waits less often. It works without.
    let _ = fcntl_setpipe_size(&data, PIECE);
    let mut stream = jvm.request(command)?;
    stream.set_nonblocking(true).map_err(Error::read)?;
    let mut answer = Answer::default();
    let mut answered = false;
    let mut buf = vec![0; PIECE];
    let mut received = 0u64;
    loop {
        match data.read(&mut buf) {
            Ok(0) if answered => break,
            Ok(0) => {
                // Nobody has the pipe open; it would be ready all the time.
                answered = answer.read(&mut stream)?;
                if !answered {
                    wait(&stream, MOMENT);
                    clock.idle()?;
                }
            }
            Ok(n) => {
                out.write_all(&buf[..n]).map_err(Error::write)?;
                received += n as u64;
                clock.watch.received(received);
            }
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) if e.kind() == ErrorKind::WouldBlock => {
                wait(&data, Duration::from_millis(100));
                clock.idle()?;
            }
            Err(e) => return Err(Error::read(e)),
        }
    }
    let text = answer.text(jvm)?;
    // Failure has status 0, too.
    match length(&text) {
        Some(length) if length == received => Ok(()),
        Some(length) => Err(jvm.cut(received, length)),
        None => Err(jvm.no_dump(&text)),
    }
}

/// For the guard: removes the folder and its pipe. Who waits for a reader of the pipe gets one that goes at once: a JVM
/// that is in the middle of a dump gives it up and lives.
pub(crate) fn release(folder: &Path) -> bool {
    let reader = open_pipe(&folder.join(PIPE));
    let end = Instant::now() + LINGER;
    // A JVM may make a file beside the pipe just now.
    while fs::remove_dir_all(folder).is_err() && folder.exists() && Instant::now() < end {
        std::thread::sleep(MOMENT);
    }
    if reader.is_ok() {
        std::thread::sleep(end.saturating_duration_since(Instant::now()).min(LINGER / 4));
    }
    !folder.exists()
}
