//! Takes a dump: finds out who answers, and asks in its way.

use std::fmt;
use std::io::Write;
use std::process::Command;
use std::time::Duration;

use heap_base::{Error, Result};

use crate::address::Host;
use crate::cdp::{self, Session};
use crate::system::{self, Node};
use crate::{Address, Clock, Quiet, bun, dart};

/// How long it may take to name the workers of a program whose dump is there.
const NAMING: Duration = Duration::from_secs(2);

/// Where a dump comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A process of this machine, by its number.
    Process(u32),
    /// What listens at an address.
    Address(Address),
}

impl Source {
    /// Reads a process number (`1234`, `pid:1234`) or an address.
    ///
    /// # Errors
    /// It is neither.
    pub fn parse(text: &str) -> Result<Self> {
        if let Some(address) = Address::parse(text)? {
            return Ok(Self::Address(address));
        }
        let number = text
            .strip_prefix("pid:")
            .unwrap_or(text)
            .parse()
            .ok()
            .filter(|n| *n > 0 && i32::try_from(*n).is_ok());
        number.map(Self::Process).ok_or_else(|| {
            Error::refused(format!(
                "'{text}' is neither the number of a process nor an address: 1234, ws://…, http://…; --list has the \
                 numbers"
            ))
        })
    }
}

impl Source {
    /// Whether it is worth to ask it again.
    pub fn is_alive(&self) -> bool {
        match self {
            Self::Process(pid) => system::is_alive(*pid),
            Self::Address(_) => true,
        }
    }

    /// That the process ended is why something failed, if it has. So many bytes of its dump had come.
    fn ended(&self, failed: Error, received: u64) -> Error {
        match self {
            Self::Process(pid) => system::ended(*pid, failed, received),
            Self::Address(_) => failed,
        }
    }
}

/// What is written to, and how much was.
pub(crate) struct Counted<'a> {
    out: &'a mut dyn Write,
    pub(crate) bytes: u64,
}

impl<'a> Counted<'a> {
    pub(crate) fn new(out: &'a mut dyn Write) -> Self {
        Self { out, bytes: 0 }
    }
}

impl Write for Counted<'_> {
    fn write(&mut self, buf: &[u8]) -> std::io::Result<usize> {
        let written = self.out.write(buf)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}

/// How a JVM writes its dump.
#[derive(Clone, Copy, Debug, Default)]
pub struct Java {
    /// With what a collection of garbage would remove.
    pub all: bool,
    /// Packed with gzip.
    pub gzip: bool,
    /// By so many threads.
    pub parallel: Option<u32>,
}

/// How a dump is taken.
pub struct Options<'a> {
    /// V8: numbers that objects hold too.
    pub numbers: bool,
    /// What only a JVM knows.
    pub java: Java,
    /// Of several targets at an address the one with this number, or with this in its title or address.
    pub target: Option<String>,
    /// Which worker: its number, or a part of its title.
    pub worker: Option<String>,
    /// Whether an address may lead to another machine.
    pub remote: bool,
    /// Starts what comes to [`run_guard`](crate::run_guard).
    pub guard: &'a dyn Fn() -> Command,
}

impl Options<'_> {
    /// Those that not every machine knows, and whether they are given.
    fn given(&self) -> [(&'static str, bool); 6] {
        [
            ("--numbers", self.numbers),
            ("--all", self.java.all),
            ("--gzip", self.java.gzip),
            ("--parallel", self.java.parallel.is_some()),
            ("--target", self.target.is_some()),
            ("--worker", self.worker.is_some()),
        ]
    }

    /// Whether any of them is.
    pub fn any(&self) -> bool {
        self.remote || self.given().iter().any(|(_, given)| *given)
    }

    /// Refuses what this machine knows nothing of, before anything is done.
    pub(crate) fn fit(&self, machine: &str, known: &[&str]) -> Result {
        match self.given().iter().find(|(name, given)| *given && !known.contains(name)) {
            Some((name, _)) => Err(Error::refused(format!("{name} is nothing for {machine}"))),
            None => Ok(()),
        }
    }
}

/// What has a heap of its own in a program: its main thread, or a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// Its number, as the program has it.
    pub id: String,
    /// Its name.
    pub title: String,
}

impl fmt::Display for Thread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(format!("{} {}", self.id, self.title).trim_end())
    }
}

/// Whose heap is taken.
enum Whose<'a> {
    /// That of the worker that was asked for, or of the main thread.
    Asked,
    /// That of this worker, or of the main thread.
    Thread(Option<&'a str>),
}

/// A dump that was taken.
#[derive(Debug)]
pub struct Taken {
    /// Who made it: `node.js/v20.20.2`.
    pub by: String,
}

/// Takes dumps of one process.
///
/// A connection to V8 stays open between them: it numbers the objects anew for each, and dumps could not be compared object
/// by object.
pub struct Taker<'a> {
    source: &'a Source,
    options: &'a Options<'a>,
    open: Option<Open>,
    /// Whether its workers were named.
    said: bool,
}

/// A connection to V8.
pub(crate) enum Open {
    Node(Node),
    Address(String, Session),
}

/// How to take a dump.
pub(crate) enum Way {
    Open(Open),
    HotSpot(u32),
    Bun(Host, String),
    Dart(Host, String),
    Download(Host, String),
}

impl<'a> Taker<'a> {
    /// Makes ready; nothing is asked yet.
    pub fn new(source: &'a Source, options: &'a Options<'a>) -> Self {
        Self { source, options, open: None, said: false }
    }

    /// Takes a dump and writes it to `out` as the virtual machine makes it. Nothing in `out` is whole unless this succeeds.
    ///
    /// `out` must be a file: the process waits while it is written to.
    ///
    /// # Errors
    /// There is no such process or address, it cannot or must not be asked, or it ends before the dump does.
    pub fn take(&mut self, clock: &mut Clock<'_>, out: &mut dyn Write) -> Result<Taken> {
        self.closing(clock, |taker, clock| taker.dump(&Whose::Asked, clock, out))
    }

    /// The same of one of several threads: of a worker, or of the main thread.
    ///
    /// # Errors
    /// Those of [`take`](Self::take), and that the worker has ended.
    pub fn take_of(
        &mut self,
        worker: Option<&Thread>,
        clock: &mut Clock<'_>,
        out: &mut dyn Write,
    ) -> Result<Taken> {
        let whose = Whose::Thread(worker.map(|worker| worker.id.as_str()));
        self.closing(clock, |taker, clock| taker.dump(&whose, clock, out))
    }

    /// The workers that the program has now.
    ///
    /// # Errors
    /// Those of [`take`](Self::take); or it is a program that has none.
    pub fn workers(&mut self, clock: &mut Clock<'_>) -> Result<Vec<Thread>> {
        self.closing(clock, |taker, clock| {
            if let Some(other) = taker.connect(clock)? {
                return Err(Error::refused(format!("--worker is nothing for {}", other.machine())));
            }
            taker.session()?.workers(clock)
        })
    }

    /// The worker that the options ask for, if they do.
    ///
    /// # Errors
    /// Those of [`workers`](Self::workers); or none is it, or more than one.
    pub fn asked(&mut self, clock: &mut Clock<'_>) -> Result<Option<Thread>> {
        let Some(asked) = &self.options.worker else { return Ok(None) };
        chosen(self.workers(clock)?, asked).map(Some)
    }

    /// Leaves the process as it was. So it is left too if this is dropped, but then nobody waits for it.
    pub fn close(&mut self, clock: &mut Clock<'_>) {
        match self.open.take() {
            Some(Open::Node(node)) => node.close(clock.watch),
            Some(Open::Address(_, session)) => session.close(),
            None => {}
        }
    }

    /// Closes the connection if something fails.
    fn closing<T>(
        &mut self,
        clock: &mut Clock<'_>,
        what: impl FnOnce(&mut Self, &mut Clock<'_>) -> Result<T>,
    ) -> Result<T> {
        let result = what(self, clock);
        if result.is_err() {
            self.close(clock);
        }
        result
    }

    /// Opens a connection to V8 if there is none. What is no V8 is asked in another way, which is returned.
    fn connect(&mut self, clock: &mut Clock<'_>) -> Result<Option<Way>> {
        if self.open.is_some() {
            return Ok(None);
        }
        let way = match self.source {
            Source::Process(pid) => system::by_number(*pid, self.options, clock)?,
            Source::Address(address) => by_address(address, self.options, clock)?.fit(self.options)?,
        };
        Ok(match way {
            Way::Open(open) => {
                self.open = Some(open);
                None
            }
            other => Some(other),
        })
    }

    fn session(&mut self) -> Result<&mut Session> {
        match &mut self.open {
            Some(Open::Node(node)) => Ok(node.session()),
            Some(Open::Address(_, session)) => Ok(session),
            None => Err(Error::refused("no connection")),
        }
    }

    fn dump(&mut self, whose: &Whose<'_>, clock: &mut Clock<'_>, out: &mut dyn Write) -> Result<Taken> {
        let options = self.options;
        let by = match self.connect(clock)? {
            None => {
                let first = !std::mem::replace(&mut self.said, true);
                let mut out = Counted::new(out);
                let taken = snapshot(self.session()?, whose, options, first, clock, &mut out);
                taken.map_err(|e| self.source.ended(e, out.bytes))?;
                match &self.open {
                    Some(Open::Node(node)) => node.version().to_owned(),
                    Some(Open::Address(version, _)) => version.clone(),
                    None => String::new(),
                }
            }
            Some(Way::HotSpot(pid)) => system::hotspot(pid, options, clock, out)?,
            Some(Way::Bun(host, path)) => bun::take(&host, &path, options.guard, clock, out)?,
            Some(Way::Dart(host, path)) => dart::take(&host, &path, options, clock, out)?,
            Some(Way::Download(host, path)) => download(&host, &path, clock, out)?,
            Some(Way::Open(_)) => return Err(Error::refused("no connection")),
        };
        Ok(Taken { by })
    }
}

impl Way {
    /// What is asked in this way.
    fn machine(&self) -> &'static str {
        match self {
            Self::Open(_) => "V8",
            Self::HotSpot(_) => "Java",
            Self::Bun(..) => "Bun",
            Self::Dart(..) => "Dart",
            Self::Download(..) => "profiles",
        }
    }

    /// The same, if all options are for it.
    fn fit(self, options: &Options<'_>) -> Result<Self> {
        options.fit(
            self.machine(),
            match self {
                Self::Open(_) => &["--numbers", "--worker", "--target"],
                Self::HotSpot(_) => &["--all", "--gzip", "--parallel"],
                Self::Dart(..) => &["--target"],
                Self::Bun(..) | Self::Download(..) => &[],
            },
        )?;
        Ok(self)
    }
}

/// Asks what listens at an address. Who that is shows in what it answers, as far as the path does not say it.
fn by_address(address: &Address, options: &Options<'_>, clock: &mut Clock<'_>) -> Result<Way> {
    let host = address.resolve(options.remote)?;
    let path = address.path.as_str();
    // Dart's services have a word in their path that nobody can guess.
    if let Some(begin) = path.strip_suffix("/ws").or_else(|| path.strip_suffix("=/").map(|_| path)) {
        let path = format!("{}/ws", begin.trim_end_matches('/'));
        return Ok(Way::Dart(host, path));
    }
    let bare = matches!(path, "/" | "/json" | "/json/list" | "/json/version");
    if !bare && !address.socket {
        return Ok(Way::Download(host, path.to_owned()));
    }
    let version = cdp::version(&host, clock);
    if !bare {
        let version = version.ok().flatten().unwrap_or_else(|| "unknown".to_owned());
        return if version == "Bun" {
            system::warn_of_room(&host, clock.watch);
            Ok(Way::Bun(host, path.to_owned()))
        } else {
            inspect(&host, path, version, options, clock)
        };
    }
    let version = version?;
    if version.as_deref() == Some("Bun") {
        return Err(Error::refused(format!(
            "{}: Bun lists no targets; give the whole address that --inspect printed, ws://…",
            host.name()
        )));
    }
    if let Some(targets) = cdp::targets(&host, clock)? {
        let target = cdp::choose(&targets, options.target.as_deref().or(address.fragment.as_deref()))?;
        return inspect(&host, &target.path, version.unwrap_or_default(), options, clock);
    }
    let profile = "/debug/pprof/heap?gc=1";
    if address.socket || host.ask("/debug/pprof/heap", clock)?.1.status != 200 {
        return Err(Error::refused(format!(
            "{}: neither an inspector (/json/list) nor a Go program (/debug/pprof/heap)",
            host.name()
        )));
    }
    Ok(Way::Download(host, profile.to_owned()))
}

/// Connects to the inspector at `path`.
fn inspect(
    host: &Host,
    path: &str,
    version: String,
    options: &Options<'_>,
    clock: &mut Clock<'_>,
) -> Result<Way> {
    let socket = host.socket(path, clock)?;
    system::warn_of_room(host, clock.watch);
    let session = Session::kept(socket, options.guard)?;
    Ok(Way::Open(Open::Address(version, session)))
}

/// Takes what a server answers to a plain request: a profile.
fn download(host: &Host, path: &str, clock: &mut Clock<'_>, out: &mut dyn Write) -> Result<String> {
    let (mut wire, head) = host.ask(path, clock)?;
    let refused = |what: &str| Error::refused(format!("http://{}{path}: {what}", host.name()));
    if head.status != 200 {
        return Err(refused(&format!("{} {}", head.status, head.reason)));
    }
    let kind = head.value("content-type").unwrap_or_default();
    if kind.starts_with("text/html") {
        return Err(refused("a page for people, no profile"));
    }
    let mut received = 0u64;
    let mut sink = |bytes: &[u8]| {
        received += bytes.len() as u64;
        out.write_all(bytes).map_err(Error::write)
    };
    wire.body(&head, clock, &mut sink)?;
    if received == 0 {
        return Err(refused("an empty answer"));
    }
    clock.watch.received(received);
    Ok("pprof".to_owned())
}

/// The one of several things, each with its number and its name, that was asked for by the one or a part of the other;
/// without a wish the only one. `option` is how to ask.
pub(crate) fn only<'a>(
    option: &str,
    what: &str,
    all: &'a [(String, String)],
    asked: Option<&str>,
) -> Result<&'a (String, String)> {
    let by_number = asked.and_then(|asked| all.iter().find(|(id, _)| id == asked));
    let mut by_name = all.iter().filter(|(_, name)| asked.is_none_or(|asked| name.contains(asked)));
    match (by_number, by_name.next(), by_name.next()) {
        (Some(one), ..) | (None, Some(one), None) => Ok(one),
        _ => {
            let list: Vec<_> = all.iter().map(|(id, name)| format!("{id} {name}")).collect();
            let there = if all.is_empty() { "none is there".to_owned() } else { list.join("; ") };
            Err(Error::refused(match asked {
                Some(asked) => format!("no single {what} '{asked}': {there}"),
                None if all.is_empty() => format!("no {what} is there"),
                None => format!("{} {what}s, choose one with {option}: {there}", all.len()),
            }))
        }
    }
}

/// The one of these workers that has this number, or this in its title.
fn chosen(workers: Vec<Thread>, asked: &str) -> Result<Thread> {
    let workers: Vec<_> = workers.into_iter().map(|worker| (worker.id, worker.title)).collect();
    let (id, title) = only("--worker", "worker", &workers, Some(asked))?.clone();
    Ok(Thread { id, title })
}

/// Takes a snapshot by an inspector, of the main thread or a worker. With `first`, workers that are not in it are named.
fn snapshot(
    session: &mut Session,
    whose: &Whose<'_>,
    options: &Options<'_>,
    first: bool,
    clock: &mut Clock<'_>,
    out: &mut dyn Write,
) -> Result {
    let worker = match whose {
        Whose::Thread(None) => None,
        Whose::Thread(Some(worker)) => {
            session.workers(clock)?;
            Some((*worker).to_owned())
        }
        Whose::Asked => match &options.worker {
            None => None,
            Some(asked) => Some(chosen(session.workers(clock)?, asked)?.id),
        },
    };
    session.enter(worker.as_deref())?;
    session.snapshot(options.numbers, clock, out)?;
    if first && worker.is_none() && matches!(whose, Whose::Asked) {
        // The dump is there, whatever comes of this.
        let mut watch = Quiet;
        let quick = &mut Clock::new(Some(NAMING), &mut watch);
        let workers = session.workers(quick).unwrap_or_default();
        let _ = session.leave_workers(quick);
        if !workers.is_empty() {
            let names: Vec<_> = workers.iter().map(Thread::to_string).collect();
            clock.watch.note(&format!(
                "heaps of workers are not in this dump; --worker {} or all: {}",
                workers[0].id,
                names.join("; ")
            ));
        }
    }
    Ok(())
}
