//! A buffer that moves over a dump: the bytes at the current position are contiguous in memory.

use heap_base::{Blob, Error, Result};

/// How much is read at a time.
const PIECE: usize = 256 << 10;

/// Big-endian numbers and slices at a position that moves forward.
#[derive(Debug)]
pub(crate) struct Window<'a> {
    blob: &'a Blob,
    buffer: Vec<u8>,
    at: usize,
    end: usize,
    /// Offset in the dump of the first byte of the buffer.
    base: u64,
}

impl<'a> Window<'a> {
    /// A window at `offset`.
    pub(crate) fn new(blob: &'a Blob, offset: u64) -> Self {
        Self { blob, buffer: Vec::new(), at: 0, end: 0, base: offset }
    }

    pub(crate) fn blob(&self) -> &'a Blob {
        self.blob
    }

    /// Offset in the dump of the next byte.
    #[inline]
    pub(crate) fn position(&self) -> u64 {
        self.base + self.at as u64
    }

    /// Continues at `offset`, which may lie before or behind the position.
    #[inline]
    pub(crate) fn seek(&mut self, offset: u64) {
        match offset.checked_sub(self.base) {
            Some(at) if at <= self.end as u64 => self.at = at as usize,
            _ => {
                self.blob.skipped(offset.saturating_sub(self.base + self.end as u64));
                (self.base, self.at, self.end) = (offset, 0, 0);
            }
        }
    }

    /// Passes over `n` bytes.
    #[inline]
    pub(crate) fn skip(&mut self, n: u64) {
        self.seek(self.position().saturating_add(n));
    }

    /// Makes `n` bytes contiguous; false if the dump ends before that.
    #[inline]
    pub(crate) fn has(&mut self, n: usize) -> Result<bool> {
        if self.end - self.at >= n { Ok(true) } else { self.fill(n) }
    }

    /// The next `n` bytes, which stay where they are. Call after [`has`](Self::has).
    #[inline]
    pub(crate) fn peek(&self, n: usize) -> &[u8] {
        &self.buffer[self.at..self.end][..n]
    }

    /// All bytes from the position on that are in memory.
    #[inline]
    pub(crate) fn rest(&self) -> &[u8] {
        &self.buffer[self.at..self.end]
    }

    /// Passes over `n` bytes that are in memory.
    #[inline]
    pub(crate) fn advance(&mut self, n: usize) {
        debug_assert!(n <= self.end - self.at, "only what is in memory");
        self.at += n;
    }

    #[cold]
    fn fill(&mut self, n: usize) -> Result<bool> {
        self.buffer.copy_within(self.at..self.end, 0);
        self.base += self.at as u64;
        (self.at, self.end) = (0, self.end - self.at);
        // The dump bounds what can be asked for: a claim beyond its end costs no memory.
        let left = self.blob.len().saturating_sub(self.base);
        let piece = left.min(PIECE as u64) as usize;
        let enough = left >= n as u64;
        self.grow(if enough { n.max(piece) } else { piece })?;
        Ok(enough && self.end >= n)
    }

    fn grow(&mut self, size: usize) -> Result {
        if self.buffer.len() < size {
            self.buffer.resize(size, 0);
        }
        if self.end < size {
            self.end += self.blob.read_at(&mut self.buffer[self.end..], self.base + self.end as u64)?;
        }
        Ok(())
    }

    /// A number of `N` bytes, as its bytes; `what` is what ends early if there are fewer.
    #[inline]
    pub(crate) fn take<const N: usize>(&mut self, what: &str) -> Result<[u8; N]> {
        if !self.has(N)? {
            return Err(self.early(what));
        }
        let mut bytes = [0; N];
        bytes.copy_from_slice(self.peek(N));
        self.at += N;
        Ok(bytes)
    }

    /// The error of a dump that ends within `what`.
    #[cold]
    pub(crate) fn early(&self, what: &str) -> Error {
        Error::at_byte(self.blob.len(), format!("{what} ends early"))
    }

    pub(crate) fn u8(&mut self, what: &str) -> Result<u8> {
        Ok(self.take::<1>(what)?[0])
    }

    pub(crate) fn u16(&mut self, what: &str) -> Result<u16> {
        Ok(u16::from_be_bytes(self.take(what)?))
    }

    pub(crate) fn u32(&mut self, what: &str) -> Result<u32> {
        Ok(u32::from_be_bytes(self.take(what)?))
    }

    pub(crate) fn u64(&mut self, what: &str) -> Result<u64> {
        Ok(u64::from_be_bytes(self.take(what)?))
    }
}
