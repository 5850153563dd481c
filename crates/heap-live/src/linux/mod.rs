//! Processes of this machine, by their numbers.
//!
//! | module | has |
//! |---|---|
//! | `process` | what a process is, by its files in `/proc` |
//! | `node`, `hotspot` | how a Node and a JVM are asked |
//! | `uv` | whether a Node's program handles a signal itself |
//! | `guard` | what undoes that when we end |
//! | `keeper` | what ends a connection in order that we left |

mod elf;
mod guard;
mod hotspot;
pub(crate) mod keeper;
mod node;
mod process;
#[cfg(test)]
mod tests;
mod uv;

use std::fs::File;
use std::io;
use std::net::{SocketAddr, TcpStream};
use std::os::fd::AsFd as _;
use std::path::Path;
use std::time::Duration;

use heap_base::{Error, Result};
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};

use crate::address::Host;
use crate::found::Vm;
use crate::take::{Open, Options, Way};
use crate::{Clock, Watch};

pub use guard::{own_program, run as run_guard};
pub(crate) use hotspot::take as hotspot;
pub(crate) use keeper::Keeper;
pub(crate) use node::Open as Node;
pub use process::list;
use process::{Listener, Process};

/// Where control groups are.
const GROUPS: &str = "/sys/fs/cgroup";

/// The name of this machine.
pub fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    Some(name.trim().to_owned()).filter(|name| !name.is_empty()).unwrap_or_else(|| "localhost".to_owned())
}

/// Whether a process is there and has not ended.
pub(crate) fn is_alive(pid: u32) -> bool {
    Process::of(pid).is_alive()
}

/// That a process ended is why something failed, if it has.
pub(crate) fn ended(pid: u32, failed: Error, received: u64) -> Error {
    Process::of(pid).ended(failed, received)
}

/// Warns where the process that listens at an address of this machine may have too little memory for a dump.
pub(crate) fn warn_of_room(host: &Host, watch: &mut dyn Watch) {
    let own = Process::of(std::process::id());
    let at = |listener: &Listener| host.is_at(listener.addr);
    let listener = own.listening().into_iter().find(at);
    if let Some((pid, _)) = listener.and_then(|listener| own.holder(listener.inode)) {
        Process::of(pid).warn_of_room(Path::new(GROUPS), watch);
    }
}

/// How to take a dump of a process of this machine.
///
/// # Errors
/// There is none with this number, or none that can be asked.
pub(crate) fn by_number(pid: u32, options: &Options<'_>, clock: &mut Clock<'_>) -> Result<Way> {
    let process = Process::of(pid);
    let vm = process.vm()?;
    let what = process.label();
    let way = match vm {
        Some(Vm::Node) => {
            options.fit("a Node by its number", &["--numbers", "--worker"])?;
            return Ok(Way::Open(Open::Node(Node::new(pid, options, clock)?)));
        }
        Some(Vm::HotSpot) => {
            options.fit("Java", &["--all", "--gzip", "--parallel"])?;
            return Ok(Way::HotSpot(pid));
        }
        Some(Vm::OpenJ9) => "runs OpenJ9: use jcmd N Dump.heap",
        Some(Vm::Deno) => "runs Deno: give the address that --inspect printed, ws://127.0.0.1:9229/…",
        Some(Vm::Bun) => "runs Bun: give the address that --inspect printed, ws://127.0.0.1:6499/…",
        Some(Vm::Chromium) => {
            "runs Chromium: start it with --remote-debugging-port=9222 and give http://127.0.0.1:9222"
        }
        Some(Vm::Dart) => {
            "runs Dart: start it with --enable-vm-service and give the address that it printed, http://127.0.0.1:8181/…"
        }
        Some(Vm::Go) => "is a Go program: give the address of its net/http/pprof, http://127.0.0.1:6060",
        Some(Vm::Ruby) => "runs Ruby, which dumps only from inside: ObjectSpace.dump_all",
        Some(Vm::Python) => "runs Python, which has no heap dump",
        Some(Vm::DotNet) => "runs .NET, whose dumps heap-tools do not read",
        Some(Vm::V8) => "runs V8, but not in Node: give the address of its inspector, ws://…",
        None => "runs no virtual machine that heap-dump knows: node, java, deno, bun, chromium, dart, go",
    };
    Err(Error::refused(format!("{what} {way}")))
}

/// Connects from within another network namespace. Only a thread changes over to it, which ends here; the connection
/// stays in it.
pub(crate) fn connect_inside(
    addr: SocketAddr,
    namespace: &Path,
    patience: Duration,
) -> io::Result<TcpStream> {
    let namespace = File::open(namespace)?;
    let connect = move || {
        move_into_link_name_space(namespace.as_fd(), Some(LinkNameSpaceType::Network))?;
        TcpStream::connect_timeout(&addr, patience)
    };
    let thread = std::thread::Builder::new().spawn(connect)?;
    thread.join().unwrap_or_else(|_| Err(io::Error::other("the thread ended")))
}
