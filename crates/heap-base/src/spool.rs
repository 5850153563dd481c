//! Bytes that are written once, in order, and read back.

use std::fs::File;
use std::io::{self, Write};

use crate::error::placed;
use crate::{Error, Result, sys};

/// Bytes kept in memory before they go to a file.
const MEMORY: usize = 1 << 20;
/// Bytes that a reader reads at a time.
const WINDOW: usize = 64 << 10;
/// Longest LEB128 number of 64 bits.
const LONGEST: usize = 10;

/// A file without a name in `TMPDIR`.
///
/// # Errors
/// It cannot be made; the error names the folder.
pub fn temporary() -> io::Result<File> {
    tempfile::tempfile().map_err(in_temporary)
}

/// An error of a temporary file, with the folder it is in.
pub fn in_temporary(error: io::Error) -> io::Error {
    placed(format!("temporary file in {}", std::env::temp_dir().display()), error)
}

/// The same, as an error of this crate.
pub fn no_room(error: io::Error) -> Error {
    Error::write(in_temporary(error))
}

/// Bytes in memory up to 1 MiB, beyond that in a file without a name in `TMPDIR`.
#[derive(Debug)]
pub struct Spool {
    /// The bytes from `written` on.
    buf: Vec<u8>,
    file: Option<File>,
    written: u64,
    memory: usize,
}

impl Default for Spool {
    fn default() -> Self {
        Self::new()
    }
}

impl Spool {
    /// An empty one.
    pub const fn new() -> Self {
        Self::with_memory(MEMORY)
    }

    /// One that keeps at most `memory` bytes in memory.
    pub const fn with_memory(memory: usize) -> Self {
        Self { buf: Vec::new(), file: None, written: 0, memory }
    }

    /// How many bytes it holds.
    pub fn len(&self) -> u64 {
        self.written + self.buf.len() as u64
    }

    /// True if it holds nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends `bytes`.
    ///
    /// # Errors
    /// If the system cannot read or write the file behind it.
    #[inline]
    pub fn push(&mut self, bytes: &[u8]) -> Result {
        self.buf.extend_from_slice(bytes);
        self.drain_if_full()
    }

    /// Appends what `build` appends to the buffer, which may hold more already.
    ///
    /// # Errors
    /// If the system cannot read or write the file behind it.
    #[inline]
    pub fn build(&mut self, build: impl FnOnce(&mut Vec<u8>)) -> Result {
        build(&mut self.buf);
        self.drain_if_full()
    }

    #[inline]
    fn drain_if_full(&mut self) -> Result {
        if self.buf.len() >= self.memory { self.drain() } else { Ok(()) }
    }

    #[cold]
    fn drain(&mut self) -> Result {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(temporary().map_err(Error::write)?),
        };
        sys::write_all_at(file, &self.buf, self.written).map_err(no_room)?;
        self.written += self.buf.len() as u64;
        self.buf.clear();
        Ok(())
    }

    /// Reads at `offset` as much as fits and is there.
    ///
    /// # Errors
    /// If the system cannot read or write the file behind it.
    pub fn read_at(&self, out: &mut [u8], offset: u64) -> Result<usize> {
        let mut done = 0;
        while done < out.len() {
            let at = offset + done as u64;
            if at >= self.written {
                let from = usize::try_from(at - self.written).unwrap_or(usize::MAX).min(self.buf.len());
                let rest = &self.buf[from..];
                let n = rest.len().min(out.len() - done);
                out[done..done + n].copy_from_slice(&rest[..n]);
                return Ok(done + n);
            }
            let Some(file) = &self.file else { break };
            let left = usize::try_from(self.written - at).unwrap_or(usize::MAX).min(out.len() - done);
            match sys::read_at(file, &mut out[done..done + left], at) {
                Ok(0) => return Err(Error::read(io::ErrorKind::UnexpectedEof.into())),
                Ok(n) => done += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(Error::read(e)),
            }
        }
        Ok(done)
    }

    /// Appends all of another one.
    ///
    /// # Errors
    /// If the system cannot read or write the file behind it.
    pub fn append(&mut self, other: &Self) -> Result {
        let mut buf = vec![0; WINDOW];
        let mut at = 0;
        while at < other.len() {
            let n = other.read_at(&mut buf, at)?;
            self.push(&buf[..n])?;
            at += n as u64;
        }
        Ok(())
    }

    /// Reads it from the start.
    pub fn reader(&self) -> Reader<'_> {
        self.reader_at(0)
    }

    /// Reads it from `offset` on.
    pub fn reader_at(&self, offset: u64) -> Reader<'_> {
        Reader { spool: self, next: offset, buf: Vec::new(), from: 0 }
    }

    /// Writes all of it to `out`.
    ///
    /// # Errors
    /// If the system cannot read or write the file behind it.
    pub fn copy_to(&self, out: &mut dyn Write) -> Result {
        let mut buf = vec![0; 4 * WINDOW];
        let mut at = 0;
        while at < self.len() {
            let n = self.read_at(&mut buf, at)?;
            out.write_all(&buf[..n]).map_err(Error::write)?;
            at += n as u64;
        }
        Ok(())
    }
}

/// Reads a spool in order. Memory: 64 KiB, or the longest piece that was asked for.
#[derive(Debug)]
pub struct Reader<'a> {
    spool: &'a Spool,
    /// Offset of what comes after the buffer.
    next: u64,
    buf: Vec<u8>,
    from: usize,
}

impl Reader<'_> {
    /// True if nothing is left.
    pub fn at_end(&self) -> bool {
        self.from == self.buf.len() && self.next >= self.spool.len()
    }

    /// Reads until `n` bytes are in the buffer, or all that there are.
    #[cold]
    fn ahead(&mut self, n: usize) -> Result {
        self.buf.drain(..self.from);
        self.from = 0;
        let kept = self.buf.len();
        let left = usize::try_from(self.spool.len() - self.next).unwrap_or(usize::MAX);
        self.buf.resize(kept + n.max(WINDOW).min(left), 0);
        let got = self.spool.read_at(&mut self.buf[kept..], self.next)?;
        self.buf.truncate(kept + got);
        self.next += got as u64;
        Ok(())
    }

    /// The next `n` bytes.
    ///
    /// # Errors
    /// If the system cannot read or write the file behind it.
    #[inline]
    pub fn bytes(&mut self, n: usize) -> Result<&[u8]> {
        if self.buf.len() - self.from < n {
            self.ahead(n)?;
            if self.buf.len() - self.from < n {
                return Err(Error::read(io::ErrorKind::UnexpectedEof.into()));
            }
        }
        self.from += n;
        Ok(&self.buf[self.from - n..self.from])
    }

    /// The next number.
    ///
    /// # Errors
    /// If the system cannot read or write the file behind it.
    #[inline]
    pub fn varint(&mut self) -> Result<u64> {
        if self.buf.len() - self.from < LONGEST {
            self.ahead(LONGEST)?;
        }
        let (mut n, mut shift) = (0, 0);
        while let Some(&byte) = self.buf.get(self.from) {
            self.from += 1;
            n |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 || shift > 63 {
                return Ok(n);
            }
        }
        Err(Error::read(io::ErrorKind::UnexpectedEof.into()))
    }

    /// The next number that may be negative.
    ///
    /// # Errors
    /// If the system cannot read or write the file behind it.
    #[inline]
    pub fn signed(&mut self) -> Result<i64> {
        self.varint().map(unzigzag)
    }
}

/// Appends a number in LEB128.
#[inline]
pub fn push_varint(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

/// Folds the sign into the lowest bit, so that small negative numbers are short too.
#[inline]
pub const fn zigzag(n: i64) -> u64 {
    (n << 1 ^ n >> 63) as u64
}

/// The number that [`zigzag`] folded.
#[inline]
pub const fn unzigzag(n: u64) -> i64 {
    (n >> 1) as i64 ^ -((n & 1) as i64)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that fails panics")]
mod tests {
    use super::*;

    #[test]
    fn a_spool_gives_back_what_was_put_in() {
        for memory in [1, 100, 1 << 20] {
            let mut spool = Spool::with_memory(memory);
            let mut all = Vec::new();
            for n in 0..5000u64 {
                let n = n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (n % 64);
                push_varint(&mut all, n);
                spool.build(|out| push_varint(out, n)).unwrap();
            }
            let long = vec![7; 200_000];
            spool.push(&long).unwrap();
            assert_eq!(spool.len(), all.len() as u64 + 200_000);
            let mut reader = spool.reader();
            for n in 0..5000u64 {
                assert_eq!(reader.varint().unwrap(), n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (n % 64));
            }
            assert_eq!(reader.bytes(200_000).unwrap(), long);
            assert!(reader.at_end() && reader.varint().is_err() && reader.bytes(1).is_err());
            let mut copy = Vec::new();
            spool.copy_to(&mut copy).unwrap();
            all.extend(long);
            assert!(copy == all);
        }
    }

    #[test]
    fn small_negative_numbers_are_short() {
        assert_eq!([0, -1, 1, i64::MIN, i64::MAX].map(zigzag), [0, 1, 2, u64::MAX, u64::MAX - 1]);
        assert!([0, -1, 1, i64::MIN, i64::MAX].into_iter().all(|n| unzigzag(zigzag(n)) == n));
    }
}
