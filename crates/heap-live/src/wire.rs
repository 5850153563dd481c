//! A connection that is read with a clock: a read that waits asks it again and again whether to go on.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use heap_base::{Error, Result};

use crate::Clock;

/// Bytes read at a time.
const PIECE: usize = 256 << 10;
/// How often a read that waits looks at the clock.
const TICK: Duration = Duration::from_millis(100);
/// Longest head of an HTTP answer.
const HEAD: usize = 64 << 10;

/// A TCP connection with a buffer for what was read.
#[derive(Debug)]
pub(crate) struct Wire {
    stream: TcpStream,
    buf: Vec<u8>,
    from: usize,
}

impl Wire {
    pub(crate) fn new(stream: TcpStream) -> Result<Self> {
        stream.set_read_timeout(Some(TICK)).map_err(Error::read)?;
        // Requests are small and go out at once.
        let _ = stream.set_nodelay(true);
        Ok(Self { stream, buf: Vec::new(), from: 0 })
    }

    /// The connection.
    pub(crate) fn stream(&self) -> &TcpStream {
        &self.stream
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) -> Result {
        self.stream.write_all(bytes).map_err(Error::read)
    }

    /// What was read and not taken.
    pub(crate) fn held(&self) -> &[u8] {
        &self.buf[self.from..]
    }

    /// Takes `n` of the bytes that are held.
    pub(crate) fn take(&mut self, n: usize) {
        self.from = (self.from + n).min(self.buf.len());
    }

    /// Reads on behind what is held; false at the end.
    pub(crate) fn more(&mut self, clock: &mut Clock<'_>) -> Result<bool> {
        self.buf.drain(..self.from);
        self.from = 0;
        let held = self.buf.len();
        self.buf.resize(held + PIECE, 0);
        let read = loop {
            match self.stream.read(&mut self.buf[held..]) {
                Ok(n) => break Ok(n),
                Err(e) => match e.kind() {
                    ErrorKind::Interrupted => {}
                    ErrorKind::WouldBlock | ErrorKind::TimedOut => {
                        if let Err(e) = clock.idle() {
                            break Err(e);
                        }
                    }
                    // The other side is gone, as at the end.
                    ErrorKind::ConnectionReset | ErrorKind::BrokenPipe => break Ok(0),
                    _ => break Err(Error::read(e)),
                },
            }
        };
        self.buf.truncate(held + *read.as_ref().unwrap_or(&0));
        Ok(read? > 0)
    }

    /// The bytes at hand, read on if there are none; empty at the end.
    pub(crate) fn some(&mut self, clock: &mut Clock<'_>) -> Result<&[u8]> {
        if self.held().is_empty() {
            self.more(clock)?;
        }
        Ok(self.held())
    }

    /// The next `N` bytes; `None` if the connection ends before.
    pub(crate) fn exact<const N: usize>(&mut self, clock: &mut Clock<'_>) -> Result<Option<[u8; N]>> {
        loop {
            if let Some(bytes) = self.held().first_chunk() {
                let bytes = *bytes;
                self.take(N);
                return Ok(Some(bytes));
            }
            if !self.more(clock)? {
                return Ok(None);
            }
        }
    }

    /// The head of an HTTP answer.
    pub(crate) fn head(&mut self, clock: &mut Clock<'_>) -> Result<Head> {
        loop {
            if let Some(end) = memchr::memmem::find(self.held(), b"\r\n\r\n") {
                let head = Head::parse(&self.held()[..end])?;
                self.take(end + 4);
                return Ok(head);
            }
            if self.held().len() > HEAD || !self.more(clock)? {
                return Err(Error::input("no answer in HTTP"));
            }
        }
    }

    /// A line of a chunked body, without its end.
    fn line(&mut self, clock: &mut Clock<'_>) -> Result<String> {
        loop {
            if let Some(end) = memchr::memchr(b'\n', self.held()) {
                let line = String::from_utf8_lossy(&self.held()[..end]).trim().to_owned();
                self.take(end + 1);
                return Ok(line);
            }
            if self.held().len() > HEAD || !self.more(clock)? {
                return Err(ends_early());
            }
        }
    }

    /// Hands `n` bytes to `sink`.
    fn pass(&mut self, mut n: u64, clock: &mut Clock<'_>, sink: &mut Bytes<'_>) -> Result {
        while n > 0 {
            let bytes = self.some(clock)?;
            let part = usize::try_from(n).unwrap_or(usize::MAX).min(bytes.len());
            if part == 0 {
                return Err(ends_early());
            }
            sink(&bytes[..part])?;
            self.take(part);
            n -= part as u64;
        }
        Ok(())
    }

    /// The body of an HTTP answer, however long it is said to be.
    pub(crate) fn body(&mut self, head: &Head, clock: &mut Clock<'_>, sink: &mut Bytes<'_>) -> Result {
        if head.value("transfer-encoding").is_some_and(|v| v.eq_ignore_ascii_case("chunked")) {
            loop {
                let line = self.line(clock)?;
                let size = line.split(';').next().unwrap_or_default().trim();
                let size = u64::from_str_radix(size, 16).map_err(|_| ends_early())?;
                if size == 0 {
                    return Ok(());
                }
                self.pass(size, clock, sink)?;
                self.line(clock)?;
            }
        }
        if let Some(length) = head.value("content-length") {
            let length = length.parse().map_err(|_| Error::input("the answer has no sound length"))?;
            return self.pass(length, clock, sink);
        }
        loop {
            let bytes = self.some(clock)?;
            let n = bytes.len();
            if n == 0 {
                return Ok(());
            }
            sink(bytes)?;
            self.take(n);
        }
    }
}

/// What takes bytes as they come.
pub(crate) type Bytes<'a> = dyn FnMut(&[u8]) -> Result + 'a;

/// The other side went away before all was there.
pub(crate) fn ends_early() -> Error {
    Error::input("the answer ends early")
}

/// Status line and fields of an HTTP answer.
#[derive(Debug)]
pub(crate) struct Head {
    /// `403`.
    pub(crate) status: u16,
    /// `Forbidden`.
    pub(crate) reason: String,
    fields: Vec<(String, String)>,
}

impl Head {
    fn parse(bytes: &[u8]) -> Result<Self> {
        let text = String::from_utf8_lossy(bytes);
        let mut lines = text.split("\r\n");
        let first = lines.next().unwrap_or_default();
        let (version, rest) = first.split_once(' ').unwrap_or((first, ""));
        let (status, reason) = rest.trim_start().split_once(' ').unwrap_or((rest, ""));
        let status = status.parse().ok().filter(|_| version.starts_with("HTTP/1."));
        let status = status.ok_or_else(|| Error::input("no answer in HTTP"))?;
        let fields = lines.filter_map(|line| line.split_once(':'));
        let fields = fields.map(|(key, value)| (key.to_ascii_lowercase(), value.trim().to_owned())).collect();
        Ok(Self { status, reason: reason.to_owned(), fields })
    }

    /// The value of the field of this name, which is in lower case.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}
