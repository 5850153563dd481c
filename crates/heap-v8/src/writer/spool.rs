//! Bytes that wait: in memory up to a piece, beyond that in a file in `TMPDIR` that has no name.

use std::fs::File;
use std::io::Write;
use std::os::unix::fs::FileExt;

use heap_record::{Error, Result};

/// How much is held before it goes to the file.
const PIECE: usize = 1 << 20;

/// How much is read at a time.
const CHUNK: usize = 256 << 10;

/// Bytes that are appended first and read later.
#[derive(Debug, Default)]
pub(crate) struct Spool {
    /// What the file does not have yet.
    buf: Vec<u8>,
    file: Option<File>,
    /// Bytes in the file.
    filed: u64,
}

impl Spool {
    /// Where to append to; [`settle`](Self::settle) must follow.
    #[inline]
    pub(crate) fn buf(&mut self) -> &mut Vec<u8> {
        &mut self.buf
    }

    /// Passes on to the file what is too much for memory.
    #[inline]
    pub(crate) fn settle(&mut self) -> Result {
        if self.buf.len() < PIECE { Ok(()) } else { self.spill() }
    }

    #[cold]
    fn spill(&mut self) -> Result {
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(tempfile::tempfile().map_err(Error::write)?),
        };
        file.write_all(&self.buf).map_err(Error::write)?;
        self.filed += self.buf.len() as u64;
        self.buf.clear();
        Ok(())
    }

    /// Bytes so far.
    pub(crate) fn len(&self) -> u64 {
        self.filed + self.buf.len() as u64
    }

    /// Reads at `at` as much as there is.
    fn read_at(&self, into: &mut [u8], at: u64) -> Result<usize> {
        if let (true, Some(file)) = (at < self.filed, &self.file) {
            let most = usize::try_from(self.filed - at).unwrap_or(usize::MAX).min(into.len());
            file.read_exact_at(&mut into[..most], at).map_err(Error::read)?;
            return Ok(most);
        }
        let rest = usize::try_from(at - self.filed).ok().and_then(|at| self.buf.get(at..)).unwrap_or(&[]);
        let n = rest.len().min(into.len());
        into[..n].copy_from_slice(&rest[..n]);
        Ok(n)
    }

    /// Reads from byte `at` on.
    pub(crate) fn from(&self, at: u64) -> Cursor<'_> {
        Cursor { spool: self, at, buf: vec![0; CHUNK], start: 0, end: 0 }
    }

    /// Hands all bytes over, in pieces.
    pub(crate) fn each(&self, mut piece: impl FnMut(&[u8]) -> Result) -> Result {
        let mut buf = vec![0; CHUNK];
        let mut at = 0;
        while at < self.len() {
            let n = self.read_at(&mut buf, at)?;
            piece(&buf[..n])?;
            at += n as u64;
        }
        Ok(())
    }
}

/// Reads a [`Spool`] in order.
#[derive(Debug)]
pub(crate) struct Cursor<'a> {
    spool: &'a Spool,
    /// Where the buffer's end stands.
    at: u64,
    buf: Vec<u8>,
    start: usize,
    end: usize,
}

impl Cursor<'_> {
    /// The next `n` bytes, which must be there and few.
    #[inline]
    pub(crate) fn take(&mut self, n: usize) -> Result<&[u8]> {
        if self.end - self.start < n {
            self.fill(n)?;
        }
        self.start += n;
        Ok(&self.buf[self.start - n..self.start])
    }

    #[cold]
    fn fill(&mut self, n: usize) -> Result {
        self.buf.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        while self.end < n {
            let read = self.spool.read_at(&mut self.buf[self.end..], self.at)?;
            if read == 0 {
                return Err(Error::read(std::io::ErrorKind::UnexpectedEof.into()));
            }
            self.end += read;
            self.at += read as u64;
        }
        Ok(())
    }
}

/// The first bytes of a slice that is long enough.
#[inline]
pub(crate) fn fixed<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.first_chunk().copied().unwrap_or([0; N])
}

/// An integer of 64 bits, signed or not: nine bytes in a spool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wide {
    /// How `bits` are meant.
    pub(crate) tag: u8,
    /// The integer.
    pub(crate) bits: u64,
}

impl Wide {
    /// Bytes in a spool.
    pub(crate) const LEN: usize = 9;
    /// `bits` are a number.
    pub(crate) const PLUS: u8 = 0;
    /// `bits` are a negative number.
    pub(crate) const MINUS: u8 = 1;
    /// `bits` are the identifier of a node.
    pub(crate) const NODE: u8 = 2;

    /// The integer that `n` is, if it fits.
    pub(crate) fn of(n: i128) -> Option<Self> {
        match (u64::try_from(n), i64::try_from(n)) {
            (Ok(bits), _) => Some(Self { tag: Self::PLUS, bits }),
            (_, Ok(n)) => Some(Self { tag: Self::MINUS, bits: n as u64 }),
            _ => None,
        }
    }

    /// Appends it.
    pub(crate) fn push(self, out: &mut Vec<u8>) {
        out.push(self.tag);
        out.extend_from_slice(&self.bits.to_le_bytes());
    }

    /// What [`push`](Self::push) appended.
    pub(crate) fn read(bytes: &[u8]) -> Self {
        let tag = bytes.first().copied().unwrap_or(0);
        Self { tag, bits: u64::from_le_bytes(fixed(bytes.get(1..).unwrap_or(&[]))) }
    }

    /// Appends it as decimal digits.
    pub(crate) fn digits(self, out: &mut Vec<u8>) {
        let mut digits = itoa::Buffer::new();
        let text =
            if self.tag == Self::MINUS { digits.format(self.bits as i64) } else { digits.format(self.bits) };
        out.extend_from_slice(text.as_bytes());
    }
}
