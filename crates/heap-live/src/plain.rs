//! In place of `linux`: processes cannot be asked by their numbers.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use heap_base::{Error, Result};

use crate::address::Host;
use crate::cdp::Session;
use crate::found::Found;
use crate::take::{Open, Options, Way};
use crate::{Clock, Watch};

/// There is none.
pub(crate) enum Node {}

impl Node {
    pub(crate) fn session(&mut self) -> &mut Session {
        match *self {}
    }

    pub(crate) fn version(&self) -> &str {
        match *self {}
    }

    pub(crate) fn close(self, _: &mut dyn Watch) {
        match self {}
    }
}

/// Nobody keeps a connection.
#[derive(Debug)]
pub(crate) struct Keeper;

impl Keeper {
    /// There is none to start.
    ///
    /// # Errors
    /// None.
    #[expect(clippy::unnecessary_wraps, reason = "as in `linux`")]
    pub(crate) fn start(_: Command, _: &TcpStream) -> Result<Self> {
        Ok(Self)
    }

    /// Nothing has to be said.
    pub(crate) fn done(self) {}
}

fn no_numbers() -> Error {
    Error::refused("process numbers work on Linux only: give an address")
}

/// How to take a dump of a process of this machine.
///
/// # Errors
/// Always.
pub(crate) fn by_number(_: u32, _: &Options<'_>, _: &mut Clock<'_>) -> Result<Way> {
    Err(no_numbers())
}

/// Takes a dump of a JVM.
///
/// # Errors
/// Always.
pub(crate) fn hotspot(_: u32, _: &Options<'_>, _: &mut Clock<'_>, _: &mut dyn Write) -> Result<String> {
    Err(no_numbers())
}

/// What only `linux` calls is no dead code.
#[expect(dead_code, reason = "it is called in `linux`")]
fn of_linux(node: Node) -> [Way; 2] {
    let _ = (Clock::pause, Host::of_listener, Host::is_at, Session::number, Session::end_inspector);
    [Way::Open(Open::Node(node)), Way::HotSpot(0)]
}

/// Nothing is known of a process.
pub(crate) fn is_alive(_: u32) -> bool {
    true
}

/// Nothing is known of a process.
pub(crate) fn ended(_: u32, failed: Error, _: u64) -> Error {
    failed
}

/// Nothing is known of who listens.
pub(crate) fn warn_of_room(_: &Host, _: &mut dyn Watch) {}

/// There are no other networks.
///
/// # Errors
/// Always.
pub(crate) fn connect_inside(_: SocketAddr, _: &Path, _: Duration) -> io::Result<TcpStream> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The name of this machine, as its shell has it.
pub fn host() -> String {
    let name = ["HOSTNAME", "COMPUTERNAME"].into_iter().find_map(|name| std::env::var(name).ok());
    name.unwrap_or_else(|| "localhost".to_owned())
}

/// The processes that run a virtual machine: none that we know of.
pub fn list() -> Vec<Found> {
    Vec::new()
}

/// A guard, which nobody needs.
pub fn run_guard(_: impl Read, _: impl Write) -> bool {
    true
}

/// This program once more, as its tool `name`.
pub fn own_program(name: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap_or_else(|_| "heap-tools".into()));
    command.arg(name);
    command
}
