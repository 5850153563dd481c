//! A server of HTTP and WebSocket for tests.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

/// One side of a WebSocket, the server's.
pub(crate) struct Peer(pub(crate) BufReader<TcpStream>);

impl Peer {
    /// The next frame: opcode and payload, which must be masked and whole. `None` at the end.
    pub(crate) fn frame(&mut self) -> Option<(u8, Vec<u8>)> {
        let mut head = [0; 2];
        self.0.read_exact(&mut head).ok()?;
        assert_eq!(head[0] & 0xf0, 0x80, "one frame a message, no extensions");
        assert_eq!(head[1] & 0x80, 0x80, "clients mask");
        let mut long = [0; 8];
        let length = match head[1] & 0x7f {
            126 => {
                self.0.read_exact(&mut long[6..]).ok()?;
                u64::from_be_bytes(long)
            }
            127 => {
                self.0.read_exact(&mut long).ok()?;
                u64::from_be_bytes(long)
            }
            n => u64::from(n),
        };
        let mut mask = [0; 4];
        self.0.read_exact(&mut mask).ok()?;
        let mut payload = vec![0; length as usize];
        self.0.read_exact(&mut payload).ok()?;
        payload.iter_mut().zip(mask.iter().cycle()).for_each(|(byte, key)| *byte ^= key);
        Some((head[0] & 15, payload))
    }

    /// The next text; other frames are passed over.
    pub(crate) fn text(&mut self) -> Option<String> {
        loop {
            match self.frame()? {
                (1, payload) => return String::from_utf8(payload).ok(),
                (8, _) => return None,
                _ => {}
            }
        }
    }

    /// Sends a frame.
    pub(crate) fn send(&mut self, first: u8, payload: &[u8]) {
        let mut frame = vec![first];
        match payload.len() {
            n @ ..126 => frame.push(n as u8),
            n @ 126..0x1_0000 => {
                frame.push(126);
                frame.extend((n as u16).to_be_bytes());
            }
            n => {
                frame.push(127);
                frame.extend((n as u64).to_be_bytes());
            }
        }
        frame.extend(payload);
        // A client that has gone is seen when it is read from.
        let _ = self.0.get_mut().write_all(&frame);
    }

    /// Sends a text.
    pub(crate) fn say(&mut self, text: &str) {
        self.send(0x81, text.as_bytes());
    }
}

/// What a server answers: bytes for a path, and what happens on its WebSockets.
pub(crate) struct Server {
    pub(crate) answer: fn(&str) -> Option<Vec<u8>>,
    pub(crate) socket: fn(&str, &mut Peer),
}

/// An answer with a length.
pub(crate) fn ok(body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.0 200 OK\r\nContent-Length: {length}\r\n\r\n{body}").into_bytes()
}

impl Server {
    /// Starts it; gives its port. It serves until the test ends.
    pub(crate) fn start(self) -> u16 {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let server = Arc::new(self);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let server = Arc::clone(&server);
                thread::spawn(move || server.serve(stream));
            }
        });
        port
    }

    fn serve(&self, stream: TcpStream) {
        let mut reader = BufReader::new(stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if reader.read_line(&mut head).unwrap_or(0) == 0 {
                return;
            }
        }
        let lower = head.to_lowercase();
        assert!(lower.contains("\r\nhost: 127.0.0.1:"), "inspectors take addresses only: {head}");
        assert!(!lower.contains("origin:") && !lower.contains("sec-websocket-extensions"), "{head}");
        let path = head.split(' ').nth(1).expect("a path").to_owned();
        if lower.contains("upgrade: websocket") {
            let answer = (self.answer)(&path).unwrap_or_else(|| {
                b"HTTP/1.1 101 Switching Protocols\r\nupgrade: WebSocket\r\nConnection: Upgrade\r\n\r\n"
                    .to_vec()
            });
            let _ = reader.get_mut().write_all(&answer);
            (self.socket)(&path, &mut Peer(reader));
            return;
        }
        let none = || b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".to_vec();
        let _ = reader.get_mut().write_all(&(self.answer)(&path).unwrap_or_else(none));
    }
}
