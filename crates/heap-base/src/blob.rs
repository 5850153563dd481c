//! A dump that can be read at any offset: a file, an unlinked spool file, or bytes in memory.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::{Error, Result, sys};

/// Bytes of a dump after decompression, readable at any offset by several threads.
#[derive(Clone, Debug)]
pub struct Blob {
    inner: Inner,
    len: u64,
    meter: Arc<Meter>,
    path: Option<Arc<Path>>,
}

#[derive(Clone, Debug)]
enum Inner {
    File(Arc<File>),
    Memory(Arc<[u8]>),
}

/// Bytes read and to be read, for a progress bar.
#[derive(Debug, Default)]
pub struct Meter {
    /// Bytes read so far, counted again in each pass.
    pub done: AtomicU64,
    /// Bytes that all passes together will read; 0 = unknown.
    pub total: AtomicU64,
}

impl Blob {
    /// A regular file (or any file that can be read at offsets).
    ///
    /// # Errors
    /// If the system does not say how long it is.
    pub fn from_file(file: File) -> Result<Self> {
        let len = file.metadata().map_err(Error::read)?.len();
        Ok(Self::from_file_of(file, len))
    }

    /// A file of `len` bytes, where the system does not say its length: the memory of a process.
    pub fn from_file_of(file: File, len: u64) -> Self {
        let meter = Arc::new(Meter { total: AtomicU64::new(len), ..Meter::default() });
        Self { inner: Inner::File(Arc::new(file)), len, meter, path: None }
    }

    /// Bytes in memory.
    pub fn from_bytes(bytes: impl Into<Arc<[u8]>>) -> Self {
        let bytes = bytes.into();
        let len = bytes.len() as u64;
        Self {
            inner: Inner::Memory(bytes),
            len,
            meter: Arc::new(Meter { total: AtomicU64::new(len), ..Meter::default() }),
            path: None,
        }
    }

    /// Length in bytes, as it was when opened.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// True if there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The meter that all readings of this blob feed.
    pub fn meter(&self) -> &Arc<Meter> {
        &self.meter
    }

    /// The same bytes feeding another meter.
    #[must_use]
    pub fn with_meter(mut self, meter: Arc<Meter>) -> Self {
        meter.total.store(self.len, Ordering::Relaxed);
        self.meter = meter;
        self
    }

    /// The same bytes with the path that they were opened by.
    #[must_use]
    pub fn with_path(mut self, path: &Path) -> Self {
        self.path = Some(path.into());
        self
    }

    /// The path that the file was opened by, if that is known. Another file may have that path by now.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Plans `passes` readings of the whole input, for the progress bar.
    pub fn plan_passes(&self, passes: u64) {
        self.meter.total.store(self.len.saturating_mul(passes), Ordering::Relaxed);
    }

    /// Counts bytes that were skipped without being read.
    pub fn skipped(&self, bytes: u64) {
        self.meter.done.fetch_add(bytes, Ordering::Relaxed);
    }

    /// The open file, where there is one.
    pub fn file(&self) -> Option<&File> {
        match &self.inner {
            Inner::File(file) => Some(file),
            Inner::Memory(_) => None,
        }
    }

    /// Reads at `offset` as much as fits and is there; short only at the end. Returns the number of bytes.
    ///
    /// # Errors
    /// If the system cannot read the file.
    pub fn read_at(&self, buf: &mut [u8], offset: u64) -> Result<usize> {
        let mut done = 0;
        // Offsets in dumps are claims: those beyond 2^63 would be errors of the system call.
        if offset >= self.len {
            return Ok(0);
        }
        match &self.inner {
            Inner::File(file) => {
                while done < buf.len() {
                    match sys::read_at(file, &mut buf[done..], offset + done as u64) {
                        Ok(0) => break,
                        Ok(n) => done += n,
                        Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                        Err(e) => return Err(Error::read(e)),
                    }
                }
            }
            Inner::Memory(bytes) => {
                let rest = usize::try_from(offset).ok().and_then(|o| bytes.get(o..)).unwrap_or(&[]);
                done = rest.len().min(buf.len());
                buf[..done].copy_from_slice(&rest[..done]);
            }
        }
        self.meter.done.fetch_add(done as u64, Ordering::Relaxed);
        Ok(done)
    }

    /// Reads exactly `buf.len()` bytes at `offset`, or reports `what` as cut off.
    ///
    /// # Errors
    /// If there are fewer bytes, or the system cannot read the file.
    pub fn read_exact_at(&self, buf: &mut [u8], offset: u64, what: &str) -> Result {
        let n = self.read_at(buf, offset)?;
        if n < buf.len() {
            return Err(Error::at_byte(offset + n as u64, format!("{what} ends early")));
        }
        Ok(())
    }

    /// The bytes from `start` up to `end` as a [`Read`]; buffer it, each read is a system call.
    pub fn section(&self, start: u64, end: u64) -> Section {
        Section { blob: self.clone(), at: start, end: end.min(self.len) }
    }
}

/// A part of a [`Blob`] read in order.
#[derive(Clone, Debug)]
pub struct Section {
    blob: Blob,
    at: u64,
    end: u64,
}

impl Section {
    /// Offset in the blob of the next byte to be read.
    pub fn position(&self) -> u64 {
        self.at
    }
}

impl Read for Section {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let want = usize::try_from(self.end.saturating_sub(self.at)).unwrap_or(usize::MAX).min(buf.len());
        let n = self.blob.read_at(&mut buf[..want], self.at).map_err(|e| match e.kind() {
            crate::error::Kind::Read(inner) => io::Error::from(inner.kind()),
            _ => io::Error::other(e.to_string()),
        })?;
        self.at += n as u64;
        Ok(n)
    }
}
