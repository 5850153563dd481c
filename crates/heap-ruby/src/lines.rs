//! The lines of a dump, from a window that grows with the longest of them.

use heap_base::{Blob, Result};
use memchr::memchr;

/// Bytes of the window at first.
const WINDOW: usize = 256 << 10;

/// Where a line begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// Offset of its first byte.
    pub(crate) offset: u64,
    /// Its number, from 1; 0 stands for the begin of the file, where no line was read yet.
    pub(crate) number: u64,
}

/// Reads lines in order. No line is longer than what the file holds, so neither is the window.
#[derive(Debug)]
pub(crate) struct Lines<'b> {
    blob: &'b Blob,
    end: u64,
    /// Offset of the window's first byte.
    base: u64,
    window: Vec<u8>,
    /// Where the next line begins in the window, and where the bytes that were read end.
    next: usize,
    filled: usize,
    number: u64,
}

impl<'b> Lines<'b> {
    /// The lines from `start`, the number of which is one above that of `start`, up to the byte `end`.
    pub(crate) fn new(blob: &'b Blob, start: Place, end: u64) -> Self {
        Self {
            blob,
            end: end.min(blob.len()),
            base: start.offset,
            window: vec![0; WINDOW],
            next: 0,
            filled: 0,
            number: start.number,
        }
    }

    /// The next line without its LF, and where it begins. A last line without LF is a line.
    pub(crate) fn next(&mut self) -> Result<Option<(Place, &[u8])>> {
        let mut searched = self.next;
        loop {
            if let Some(at) = memchr(b'\n', &self.window[searched..self.filled]) {
                return Ok(Some(self.line(searched + at, 1)));
            }
            searched = self.filled;
            let before = self.next;
            if !self.fill()? {
                return Ok((self.next < self.filled).then(|| self.line(self.filled, 0)));
            }
            searched -= before - self.next;
        }
    }

    fn line(&mut self, end: usize, mark: usize) -> (Place, &[u8]) {
        let start = self.next;
        self.next = end + mark;
        self.number += 1;
        let place = Place { offset: self.base + start as u64, number: self.number };
        (place, &self.window[start..end])
    }

    /// Reads more. False at the end.
    fn fill(&mut self) -> Result<bool> {
        if self.next > 0 {
            self.window.copy_within(self.next..self.filled, 0);
            self.base += self.next as u64;
            self.filled -= self.next;
            self.next = 0;
        }
        if self.filled == self.window.len() {
            self.window.resize(self.window.len() * 2, 0);
        }
        let at = self.base + self.filled as u64;
        let room = (self.window.len() - self.filled) as u64;
        let most = room.min(self.end.saturating_sub(at)) as usize;
        let n = self.blob.read_at(&mut self.window[self.filled..self.filled + most], at)?;
        self.filled += n;
        Ok(n > 0)
    }
}
