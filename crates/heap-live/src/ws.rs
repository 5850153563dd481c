//! A client of WebSocket (RFC 6455) as far as inspectors need it.
//!
//! We send one masked text frame a request. What comes is unmasked, in frames of any length, which are read piece by
//! piece. No extension is offered and nothing is pinged: Node drops a client that pings. The hash in the handshake
//! guards against proxies that answer from a store, and there is none on the way to a loopback address, so it is not
//! looked at.

use std::hash::{BuildHasher as _, RandomState};
use std::net::TcpStream;

use heap_base::{Error, Result};

use crate::Clock;
use crate::wire::{Wire, ends_early};

/// Longest message that is held in memory. Inspectors send pieces of a megabyte.
const LONGEST: u64 = 256 << 20;

const TEXT: u8 = 1;
const BINARY: u8 = 2;
const CLOSE: u8 = 8;
const PING: u8 = 9;
const PONG: u8 = 10;

/// An open WebSocket.
#[derive(Debug)]
pub(crate) struct WebSocket {
    wire: Wire,
    /// Bytes of the present frame that were not read yet, and whether it is the last of its message.
    left: u64,
    last: bool,
}

impl WebSocket {
    /// Asks for `path` on a connection to `host`, which must be an address: servers refuse names.
    pub(crate) fn open(mut wire: Wire, host: &str, path: &str, clock: &mut Clock<'_>) -> Result<Self> {
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Key: aGVhcC10b29scyBsaXZlIQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        );
        wire.send(request.as_bytes())?;
        let head = wire.head(clock)?;
        if head.status != 101 {
            let mut body = Vec::new();
            let mut take = |bytes: &[u8]| {
                body.extend_from_slice(&bytes[..bytes.len().min(4096_usize.saturating_sub(body.len()))]);
                Ok(())
            };
            // What is said beside the status is only more of the same, if it comes at all.
            let _ = wire.body(&head, clock, &mut take);
            let said = String::from_utf8_lossy(&body);
            let said = said.lines().next().unwrap_or_default().trim();
            let said = if said.is_empty() { head.reason.as_str() } else { said };
            return Err(Error::refused(format!("ws://{host}{path}: {}: {said}", head.status)));
        }
        if !head.value("upgrade").is_some_and(|v| v.eq_ignore_ascii_case("websocket")) {
            return Err(Error::refused(format!("ws://{host}{path}: the answer is no WebSocket")));
        }
        Ok(Self { wire, left: 0, last: true })
    }

    /// The connection that it is on.
    pub(crate) fn stream(&self) -> &TcpStream {
        self.wire.stream()
    }

    /// Sends one frame.
    fn send(&mut self, opcode: u8, payload: &[u8]) -> Result {
        let [mask @ .., _, _, _, _] = RandomState::new().hash_one(opcode).to_ne_bytes();
        let mut frame = vec![0x80 | opcode];
        match payload.len() {
            n @ ..126 => frame.push(0x80 | n as u8),
            n @ 126..0x1_0000 => {
                frame.push(0x80 | 0x7e);
                frame.extend_from_slice(&(n as u16).to_be_bytes());
            }
            n => {
                frame.push(0x80 | 0x7f);
                frame.extend_from_slice(&(n as u64).to_be_bytes());
            }
        }
        frame.extend_from_slice(&mask);
        frame.extend(payload.iter().zip(mask.iter().cycle()).map(|(byte, key)| byte ^ key));
        self.wire.send(&frame)
    }

    /// Sends a text.
    pub(crate) fn send_text(&mut self, text: &str) -> Result {
        self.send(TEXT, text.as_bytes())
    }

    /// The head of the next frame that has something for us; pings are answered. `None` where the other side has closed.
    fn frame(&mut self, clock: &mut Clock<'_>) -> Result<Option<u8>> {
        loop {
            let Some([first, second]) = self.wire.exact(clock)? else { return Ok(None) };
            let length = match second & 0x7f {
                126 => self.wire.exact(clock)?.map(|n| u64::from(u16::from_be_bytes(n))),
                127 => self.wire.exact(clock)?.map(u64::from_be_bytes),
                n => Some(u64::from(n)),
            };
            let Some(length) = length else { return Ok(None) };
            if first & 0x70 != 0 || second & 0x80 != 0 {
                return Err(Error::input("the answer is no sound WebSocket"));
            }
            let opcode = first & 15;
            if opcode < CLOSE {
                self.left = length;
                self.last = first & 0x80 != 0;
                return Ok(Some(opcode));
            }
            if length > 125 {
                return Err(Error::input("the answer is no sound WebSocket"));
            }
            let mut payload = Vec::new();
            while (payload.len() as u64) < length {
                let Some([byte]) = self.wire.exact(clock)? else { return Ok(None) };
                payload.push(byte);
            }
            match opcode {
                // Until this is answered, or the connection is gone, a Node that closes its inspector stands still.
                CLOSE => {
                    let _ = self.send(CLOSE, &payload);
                    return Ok(None);
                }
                PING => self.send(PONG, &payload)?,
                _ => {}
            }
        }
    }

    /// Begins the next message: true if it is binary. `None` where the other side has closed.
    pub(crate) fn begin(&mut self, clock: &mut Clock<'_>) -> Result<Option<bool>> {
        Ok(self.frame(clock)?.map(|opcode| opcode == BINARY))
    }

    /// The next piece of the message that was begun; empty at its end. Take it with [`take`](Self::take).
    pub(crate) fn piece(&mut self, clock: &mut Clock<'_>) -> Result<&[u8]> {
        while self.left == 0 {
            if self.last {
                return Ok(&[]);
            }
            if self.frame(clock)?.is_none() {
                return Err(ends_early());
            }
        }
        let left = usize::try_from(self.left).unwrap_or(usize::MAX);
        let bytes = self.wire.some(clock)?;
        if bytes.is_empty() {
            return Err(ends_early());
        }
        Ok(&bytes[..left.min(bytes.len())])
    }

    /// Takes `n` bytes of a piece.
    pub(crate) fn take(&mut self, n: usize) {
        self.wire.take(n);
        self.left -= n as u64;
    }

    /// The next message, whole, and whether it is binary. `None` where the other side has closed.
    pub(crate) fn message(&mut self, clock: &mut Clock<'_>) -> Result<Option<(bool, Vec<u8>)>> {
        let Some(binary) = self.begin(clock)? else { return Ok(None) };
        let mut message = Vec::new();
        loop {
            let piece = self.piece(clock)?;
            let n = piece.len();
            if n == 0 {
                return Ok(Some((binary, message)));
            }
            if message.len() as u64 + n as u64 > LONGEST {
                return Err(Error::input("the answer has a message that is too long"));
            }
            message.extend_from_slice(piece);
            self.take(n);
        }
    }

    /// The next text, whole; binary messages are passed over. `None` where the other side has closed.
    pub(crate) fn text(&mut self, clock: &mut Clock<'_>) -> Result<Option<Vec<u8>>> {
        while let Some((binary, message)) = self.message(clock)? {
            if !binary {
                return Ok(Some(message));
            }
        }
        Ok(None)
    }

    /// Says that we are done. The connection goes when this is dropped.
    pub(crate) fn close(mut self) {
        let _ = self.send(CLOSE, &[]);
    }
}
