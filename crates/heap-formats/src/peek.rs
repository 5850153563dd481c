//! A reader whose first bytes can be inspected before they are read.

use std::fmt;
use std::io::{self, Read};

/// Bytes of one reading.
const PIECE: usize = 64 << 10;

/// Reads from `rest` after `head` has been handed out.
pub(crate) struct Peeked {
    head: Vec<u8>,
    at: usize,
    rest: Box<dyn Read + Send>,
    /// An error met by [`more`](Self::more); reported after the bytes before it.
    failed: Option<io::Error>,
    ended: bool,
}

impl fmt::Debug for Peeked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Peeked")
            .field("head", &self.head.len())
            .field("ended", &self.ended)
            .finish_non_exhaustive()
    }
}

impl Peeked {
    pub(crate) fn new(rest: Box<dyn Read + Send>) -> Self {
        Self { head: Vec::new(), at: 0, rest, failed: None, ended: false }
    }

    /// The bytes read ahead so far.
    pub(crate) fn head(&self) -> &[u8] {
        &self.head
    }

    /// Reads ahead once, as much as is there now; false at the end or after an error.
    pub(crate) fn more(&mut self) -> bool {
        while !self.ended && self.failed.is_none() {
            let old = self.head.len();
            self.head.resize(old + PIECE, 0);
            let result = self.rest.read(&mut self.head[old..]);
            self.head.truncate(old + *result.as_ref().unwrap_or(&0));
            match result {
                Ok(0) => self.ended = true,
                Ok(_) => return true,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => self.failed = Some(e),
            }
        }
        false
    }

    /// True if nothing follows [`head`](Self::head).
    pub(crate) fn ended(&self) -> bool {
        self.ended
    }

    /// Takes the error met by [`more`](Self::more), so that reading does not report it.
    pub(crate) fn failure(&mut self) -> Option<io::Error> {
        self.failed.take()
    }
}

impl Read for Peeked {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.at < self.head.len() {
            let n = buf.len().min(self.head.len() - self.at);
            buf[..n].copy_from_slice(&self.head[self.at..self.at + n]);
            self.at += n;
            if self.at == self.head.len() {
                self.head = Vec::new();
                self.at = 0;
            }
            return Ok(n);
        }
        if let Some(e) = self.failed.take() {
            self.ended = true;
            return Err(e);
        }
        if self.ended { Ok(0) } else { self.rest.read(buf) }
    }
}
