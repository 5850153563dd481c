//! Addresses, connections to them, and plain HTTP.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream, ToSocketAddrs};
use std::time::Duration;

use heap_base::error::plain;
use heap_base::{Error, Result};

use crate::wire::{Bytes, Head, Wire};
use crate::{Clock, WebSocket, system};

/// How long a connection may take to come about.
const PATIENCE: Duration = Duration::from_secs(10);
/// Longest answer that is held in memory: lists of targets.
const LONGEST: usize = 16 << 20;

/// `ws://HOST:PORT/PATH` or `http://HOST:PORT/PATH`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// Whether it is that of a WebSocket.
    pub socket: bool,
    host: String,
    port: u16,
    /// Path and query: `/` at least.
    pub path: String,
    /// What follows `#`.
    pub fragment: Option<String>,
}

impl Address {
    /// Reads an address; `None` if the text is none at all.
    ///
    /// # Errors
    /// It asks for what there is not: TLS, a password; or it is not sound.
    pub fn parse(text: &str) -> Result<Option<Self>> {
        let Some((scheme, rest)) = text.split_once("://") else { return Ok(None) };
        let socket = match scheme {
            "ws" => true,
            "http" => false,
            "wss" | "https" => {
                return Err(Error::refused(
                    "no TLS: forward the port, as with ssh -L 9229:localhost:9229 HOST, or use curl",
                ));
            }
            _ => return Ok(None),
        };
        let (rest, fragment) = rest.split_once('#').map_or((rest, None), |(rest, f)| (rest, Some(f)));
        let (place, path) = rest.find(['/', '?']).map_or((rest, ""), |at| rest.split_at(at));
        let unsound = || Error::refused(format!("no sound address: {text}"));
        if place.contains('@') {
            return Err(Error::refused("no user names and passwords in addresses: use curl"));
        }
        if text.bytes().any(|b| b <= b' ' || b == 0x7f) {
            return Err(unsound());
        }
        let (host, port) = match place.strip_prefix('[') {
            Some(rest) => {
                let (host, port) = rest.split_once(']').ok_or_else(unsound)?;
                (host, port.strip_prefix(':'))
            }
            None => place.split_once(':').map_or((place, None), |(host, port)| (host, Some(port))),
        };
        let port = port.map_or(Ok(80), |port| port.parse().map_err(|_| unsound()))?;
        if host.is_empty() {
            return Err(unsound());
        }
        let slash = if path.starts_with('/') { "" } else { "/" };
        Ok(Some(Self {
            socket,
            host: host.to_owned(),
            port,
            path: format!("{slash}{path}"),
            fragment: fragment.map(str::to_owned),
        }))
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Where it leads. What is not this machine is refused unless `remote` allows it: nothing is encrypted, and who listens
    /// on the way has the heap.
    pub(crate) fn resolve(&self, remote: bool) -> Result<Host> {
        let name = format!("{}:{}", self.host, self.port);
        let found = match self.host.parse::<IpAddr>() {
            Ok(ip) => vec![SocketAddr::new(ip, self.port)],
            Err(_) => (self.host.as_str(), self.port)
                .to_socket_addrs()
                .map_err(|e| Error::refused(format!("{name}: {}", plain(&e))))?
                .collect(),
        };
        if !remote && found.iter().any(|addr| !addr.ip().to_canonical().is_loopback()) {
            return Err(Error::refused(format!(
                "{name} is not this machine, and nothing on the way is encrypted: --remote allows it"
            )));
        }
        Ok(Host { addrs: found, namespace: None })
    }
}

/// Addresses of one server, and the network it is in.
#[derive(Clone, Debug)]
pub(crate) struct Host {
    addrs: Vec<SocketAddr>,
    /// The file of another network than ours.
    namespace: Option<std::path::PathBuf>,
}

impl Host {
    /// A socket of a process, as it can be reached from within its network.
    pub(crate) fn of_listener(mut addr: SocketAddr, namespace: Option<std::path::PathBuf>) -> Self {
        if addr.ip().is_unspecified() {
            addr.set_ip(match addr {
                SocketAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
                SocketAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
            });
        }
        Self { addrs: vec![addr], namespace }
    }

    /// What the field Host says: always an address, for inspectors refuse names.
    pub(crate) fn name(&self) -> String {
        self.addrs.first().map(SocketAddr::to_string).unwrap_or_default()
    }

    /// Whether a socket that listens at `addr` is this one.
    pub(crate) fn is_at(&self, addr: SocketAddr) -> bool {
        let same = |own: &SocketAddr| {
            own.port() == addr.port() && own.ip().to_canonical() == addr.ip().to_canonical()
        };
        self.addrs.iter().any(|own| same(own) || addr.ip().is_unspecified() && own.port() == addr.port())
    }

    /// Connects.
    pub(crate) fn connect(&self) -> Result<Wire> {
        let mut failed = None;
        for addr in &self.addrs {
            let connected = match &self.namespace {
                None => TcpStream::connect_timeout(addr, PATIENCE),
                Some(namespace) => system::connect_inside(*addr, namespace, PATIENCE),
            };
            match connected {
                Ok(stream) => return Wire::new(stream),
                Err(e) => failed = Some(Error::refused(format!("{addr}: {}", plain(&e)))),
            }
        }
        Err(failed.unwrap_or_else(|| Error::refused("the host has no address")))
    }

    /// Asks for `path`; the body goes to `sink`, whatever the status.
    pub(crate) fn get(&self, path: &str, clock: &mut Clock<'_>, sink: &mut Bytes<'_>) -> Result<Head> {
        let (wire, head) = self.ask(path, clock)?;
        let mut wire = wire;
        wire.body(&head, clock, sink)?;
        Ok(head)
    }

    /// Asks for `path`; the body is still to be read.
    pub(crate) fn ask(&self, path: &str, clock: &mut Clock<'_>) -> Result<(Wire, Head)> {
        let mut wire = self.connect()?;
        let host = self.name();
        wire.send(
            format!(
                "GET {path} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: heap-dump\r\nAccept: */*\r\nConnection: \
                 close\r\n\r\n"
            )
            .as_bytes(),
        )?;
        let head = wire.head(clock)?;
        Ok((wire, head))
    }

    /// A short answer in memory, if the status is 200.
    pub(crate) fn get_short(&self, path: &str, clock: &mut Clock<'_>) -> Result<(u16, Vec<u8>)> {
        let mut body = Vec::new();
        let head = self.get(path, clock, &mut |bytes| {
            if body.len() + bytes.len() > LONGEST {
                return Err(Error::input("the answer is too long"));
            }
            body.extend_from_slice(bytes);
            Ok(())
        })?;
        Ok((head.status, body))
    }

    /// Opens the WebSocket at `path`.
    pub(crate) fn socket(&self, path: &str, clock: &mut Clock<'_>) -> Result<WebSocket> {
        WebSocket::open(self.connect()?, &self.name(), path, clock)
    }
}
