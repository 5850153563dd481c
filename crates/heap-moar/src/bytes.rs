//! Bytes of a dump in order: the writer's byte order, and a cursor that reads ahead a little.

use heap_base::{Blob, Result};

/// The byte order of the machine that wrote the dump. Nothing in a file says it; widths never differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Order {
    #[default]
    Little,
    Big,
}

impl Order {
    #[inline]
    pub(crate) fn u16(self, b: [u8; 2]) -> u16 {
        if self == Self::Little { u16::from_le_bytes(b) } else { u16::from_be_bytes(b) }
    }

    #[inline]
    pub(crate) fn u32(self, b: [u8; 4]) -> u32 {
        if self == Self::Little { u32::from_le_bytes(b) } else { u32::from_be_bytes(b) }
    }

    #[inline]
    pub(crate) fn u64(self, b: [u8; 8]) -> u64 {
        if self == Self::Little { u64::from_le_bytes(b) } else { u64::from_be_bytes(b) }
    }

    /// The u64 at `at` in `bytes`; 0 where they are too short, which callers have checked.
    pub(crate) fn u64_at(self, bytes: &[u8], at: usize) -> u64 {
        bytes.get(at..).and_then(|b| b.first_chunk()).map_or(0, |&b| self.u64(b))
    }
}

/// Reads a part of a blob in order, with jumps. Ends silently at the end of the part: callers see fewer bytes.
#[derive(Debug)]
pub(crate) struct Cursor<'a> {
    blob: &'a Blob,
    buf: Box<[u8]>,
    /// The unread part of `buf`.
    from: usize,
    to: usize,
    /// Offset in the blob of what follows `buf[to]`.
    next: u64,
    end: u64,
}

impl<'a> Cursor<'a> {
    /// Over `start..end` of `blob`, `ahead` bytes at a time; [`peek`](Self::peek) shows at most so many.
    pub(crate) fn new(blob: &'a Blob, start: u64, end: u64, ahead: usize) -> Self {
        let end = end.min(blob.len());
        Self { blob, buf: vec![0; ahead].into(), from: 0, to: 0, next: start.min(end), end }
    }

    /// Offset in the blob of the next byte.
    pub(crate) fn position(&self) -> u64 {
        self.next - (self.to - self.from) as u64
    }

    /// Bytes left.
    pub(crate) fn left(&self) -> u64 {
        self.end - self.position()
    }

    /// Goes on at `position`; beyond the end means at the end.
    pub(crate) fn seek(&mut self, position: u64) {
        let position = position.min(self.end);
        let start = self.next - self.to as u64;
        if position >= start && position <= self.next {
            self.from = (position - start) as usize;
        } else {
            (self.from, self.to, self.next) = (0, 0, position);
        }
    }

    /// Passes over `n` bytes.
    pub(crate) fn skip(&mut self, n: u64) {
        self.seek(self.position().saturating_add(n));
    }

    /// Marks `n` bytes that [`peek`](Self::peek) showed as read.
    #[inline]
    pub(crate) fn advance(&mut self, n: usize) {
        self.from = (self.from + n).min(self.to);
    }

    /// All that is read ahead, at least `n` bytes unless the part ends before.
    #[inline]
    pub(crate) fn peek(&mut self, n: usize) -> Result<&[u8]> {
        if self.to - self.from < n {
            self.refill()?;
        }
        Ok(&self.buf[self.from..self.to])
    }

    fn refill(&mut self) -> Result {
        self.buf.copy_within(self.from..self.to, 0);
        (self.from, self.to) = (0, self.to - self.from);
        let space = usize::try_from(self.end - self.next).unwrap_or(usize::MAX).min(self.buf.len() - self.to);
        let n = self.blob.read_at(&mut self.buf[self.to..self.to + space], self.next)?;
        self.to += n;
        self.next += n as u64;
        Ok(())
    }

    /// The next `N` bytes, or nothing if there are fewer.
    pub(crate) fn take<const N: usize>(&mut self) -> Result<Option<[u8; N]>> {
        let bytes = self.peek(N)?.first_chunk::<N>().copied();
        if bytes.is_some() {
            self.advance(N);
        }
        Ok(bytes)
    }
}
