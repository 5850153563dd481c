//! Takes a dump: finds out who answers, and asks in its way.

use std::io::Write;
use std::process::Command;

use heap_base::{Error, Result};

use crate::address::Host;
use crate::cdp::{self, Session};
use crate::system::{self, Node};
use crate::{Address, Clock, bun, dart};

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
                "'{text}' is neither the number of a process nor an address: 1234, ws://…, http://…"
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
}

/// How a dump is taken.
pub struct Options<'a> {
    /// V8: numbers that objects hold too.
    pub numbers: bool,
    /// Java: what a collection of garbage would remove too.
    pub all: bool,
    /// Of several targets at an address the one with this number, or with this in its title or address.
    pub target: Option<String>,
    /// Which worker: its number, or a part of its title.
    pub worker: Option<String>,
    /// Whether an address may lead to another machine.
    pub remote: bool,
    /// Starts what comes to [`run_guard`](crate::run_guard).
    pub guard: &'a dyn Fn() -> Command,
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
        Self { source, options, open: None }
    }

    /// Takes a dump and writes it to `out` as the virtual machine makes it. Nothing in `out` is whole unless this succeeds.
    ///
    /// `out` must be a file: the process waits while it is written to.
    ///
    /// # Errors
    /// There is no such process or address, it cannot or must not be asked, or it ends before the dump does.
    pub fn take(&mut self, clock: &mut Clock<'_>, out: &mut dyn Write) -> Result<Taken> {
        let by = self.try_take(clock, out);
        if by.is_err() {
            self.close(clock);
        }
        Ok(Taken { by: by? })
    }

    /// Leaves the process as it was. So it is left too if this is dropped, but then nobody waits for it.
    pub fn close(&mut self, clock: &mut Clock<'_>) {
        match self.open.take() {
            Some(Open::Node(node)) => node.close(clock.watch),
            Some(Open::Address(_, session)) => session.close(),
            None => {}
        }
    }

    fn try_take(&mut self, clock: &mut Clock<'_>, out: &mut dyn Write) -> Result<String> {
        let options = self.options;
        if self.open.is_none() {
            let way = match self.source {
                Source::Process(pid) => system::by_number(*pid, options, clock)?,
                Source::Address(address) => by_address(address, options, clock)?,
            };
            match way {
                Way::Open(open) => self.open = Some(open),
                Way::HotSpot(pid) => return system::hotspot(pid, options, clock, out),
                Way::Bun(host, path) => return bun::take(&host, &path, clock, out),
                Way::Dart(host, path) => return dart::take(&host, &path, options, clock, out),
                Way::Download(host, path) => return download(&host, &path, clock, out),
            }
        }
        match &mut self.open {
            Some(Open::Node(node)) => node.dump(options, clock, out),
            Some(Open::Address(version, session)) => {
                snapshot(session, options, clock, out).map(|()| version.clone())
            }
            None => Err(Error::refused("no connection")),
        }
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
            Ok(Way::Bun(host, path.to_owned()))
        } else {
            inspect(&host, path, version, clock)
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
        return inspect(&host, &target.path, version.unwrap_or_default(), clock);
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
fn inspect(host: &Host, path: &str, version: String, clock: &mut Clock<'_>) -> Result<Way> {
    let session = Session::new(host.socket(path, clock)?);
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
/// without a wish the only one.
pub(crate) fn only<'a>(
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
            let asked = asked.map_or(String::new(), |asked| format!(" '{asked}'"));
            Err(Error::refused(format!("no single {what}{asked}: {there}")))
        }
    }
}

/// Takes a snapshot by an inspector, of the main thread or a worker.
pub(crate) fn snapshot(
    session: &mut Session,
    options: &Options<'_>,
    clock: &mut Clock<'_>,
    out: &mut dyn Write,
) -> Result {
    if let Some(asked) = &options.worker
        && session.on_main()
    {
        let workers = session.workers(clock)?;
        session.enter(&only("worker", &workers, Some(asked))?.0);
    }
    session.snapshot(options.numbers, clock, out).map(drop)
}
