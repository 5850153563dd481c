//! The container of version 3: blocks, and the tables of contents that list them.

use std::fmt;
use std::io::{BufWriter, Write};

use heap_base::Spool;
use heap_base::{Error, Result};
use zstd::stream::write::Encoder;
use zstd::zstd_safe::{CCtx, CParameter, ErrorCode, ResetDirective, get_error_name};

/// What MoarVM packs with.
const LEVEL: i32 = 9;
/// Bytes gathered before they are packed.
const PIECE: usize = 128 << 10;
/// Up to so many snapshots each is followed by a table of contents of the file.
const MANY: usize = 8;

/// A block in a table of contents: name, start, end.
type Entry = ([u8; 8], u64, u64);

/// A file in the making.
pub(super) struct File<W: Write> {
    out: Counted<BufWriter<W>>,
    /// Packs all blocks, one after the other: to make one for each takes longer than to pack a small one.
    packer: CCtx<'static>,
    inner: Vec<Entry>,
    outer: Vec<Entry>,
    /// How many entries there are when the file's table is written next.
    next: usize,
}

impl<W: Write> fmt::Debug for File<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("File").field("at", &self.out.at).finish_non_exhaustive()
    }
}

/// What the packer says when it takes no setting.
fn refused(code: ErrorCode) -> Error {
    Error::write(std::io::Error::other(get_error_name(code)))
}

/// Counts what goes through.
#[derive(Debug)]
struct Counted<W> {
    out: W,
    at: u64,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, buf: &[u8]) -> std::io::Result<usize> {
        let n = self.out.write(buf)?;
        self.at += n as u64;
        Ok(n)
    }
    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}

impl<W: Write> File<W> {
    pub(super) fn new(out: W) -> Self {
        let out = Counted { out: BufWriter::with_capacity(PIECE, out), at: 0 };
        Self { out, packer: CCtx::create(), inner: Vec::new(), outer: Vec::new(), next: 0 }
    }

    fn put(&mut self, bytes: &[u8]) -> Result {
        self.out.write_all(bytes).map_err(Error::write)
    }

    /// The start of the file, with what it says of itself.
    pub(super) fn begin(&mut self, filemeta: &str) -> Result {
        self.put(crate::MAGIC_3)?;
        let entry = self.text(*b"filemeta", filemeta)?;
        self.outer.push(entry);
        Ok(())
    }

    /// What the snapshot says of itself.
    pub(super) fn snapmeta(&mut self, text: &str) -> Result {
        let entry = self.text(*b"snapmeta", text)?;
        self.inner.push(entry);
        Ok(())
    }

    /// A text with the NUL at its end that MoarVM counts too.
    fn text(&mut self, name: [u8; 8], text: &str) -> Result<Entry> {
        let start = self.out.at;
        self.put(&name)?;
        self.put(&(text.len() as u64 + 1).to_le_bytes())?;
        self.put(text.as_bytes())?;
        self.put(&[0])?;
        Ok((name, start, self.out.at))
    }

    /// A column of `rows` numbers of `width` bytes, which `fill` gives.
    pub(super) fn column(
        &mut self,
        name: [u8; 8],
        width: u16,
        rows: u64,
        fill: impl FnOnce(&mut Column<'_>) -> Result,
    ) -> Result {
        self.block(name, Some(width), rows * u64::from(width), |out| {
            let mut column = Column { out, width: width.into(), buf: Vec::with_capacity(PIECE + 8) };
            fill(&mut column)?;
            column.drain()
        })
    }

    /// A block of strings, each with its length before it.
    pub(super) fn strings(&mut self, strings: &Spool) -> Result {
        self.block(*b"strings\0", None, strings.len(), |out| strings.copy_to(out))
    }

    /// One frame of `bytes` bytes. As MoarVM does it, neither the block nor the frame says how many.
    fn block(
        &mut self,
        name: [u8; 8],
        width: Option<u16>,
        bytes: u64,
        fill: impl FnOnce(&mut dyn Write) -> Result,
    ) -> Result {
        let start = self.out.at;
        self.put(&name)?;
        if let Some(width) = width {
            self.put(&width.to_le_bytes())?;
        }
        self.put(&[0; 8])?;
        self.packer.reset(ResetDirective::SessionAndParameters).map_err(refused)?;
        self.packer.set_parameter(CParameter::CompressionLevel(LEVEL)).map_err(refused)?;
        let mut encoder = Encoder::with_context(&mut self.out, &mut self.packer);
        // The packer knows the size, and takes less memory for little data; the frame does not say it.
        encoder.include_contentsize(false).map_err(Error::write)?;
        encoder.set_pledged_src_size(Some(bytes)).map_err(Error::write)?;
        fill(&mut encoder)?;
        encoder.finish().map_err(Error::write)?;
        self.inner.push((name, start, self.out.at));
        Ok(())
    }

    /// Ends the snapshot: its table of contents, and one of the file so far, as MoarVM writes them. Behind many snapshots a
    /// table of the file comes less often, or the tables would grow with the square of these.
    pub(super) fn close(&mut self) -> Result {
        let inner = std::mem::take(&mut self.inner);
        let entry = self.toc(&inner)?;
        self.outer.push(entry);
        if self.outer.len() >= self.next {
            self.next = self.outer.len() + self.outer.len() / MANY + 1;
            self.contents()?;
        }
        Ok(())
    }

    /// The table of contents of the file so far.
    fn contents(&mut self) -> Result {
        let outer = std::mem::take(&mut self.outer);
        self.toc(&outer)?;
        self.outer = outer;
        Ok(())
    }

    fn toc(&mut self, entries: &[Entry]) -> Result<Entry> {
        let (name, start) = (*b"toc\0\0\0\0\0", self.out.at);
        self.put(&name)?;
        self.put(&(entries.len() as u64).to_le_bytes())?;
        for (name, start, end) in entries {
            self.put(name)?;
            self.put(&start.to_le_bytes())?;
            self.put(&end.to_le_bytes())?;
        }
        let end = self.out.at;
        self.put(&start.to_le_bytes())?;
        Ok((name, start, end))
    }

    /// Ends the file, with the empty table of contents of a profile that ended well.
    pub(super) fn finish(&mut self) -> Result {
        self.next = 0;
        self.close()?;
        self.out.flush().map_err(Error::write)
    }
}

/// Numbers on their way into a column.
pub(super) struct Column<'a> {
    out: &'a mut dyn Write,
    width: usize,
    buf: Vec<u8>,
}

impl Column<'_> {
    #[inline]
    pub(super) fn push(&mut self, n: u64) -> Result {
        self.buf.extend_from_slice(&n.to_le_bytes()[..self.width]);
        if self.buf.len() >= PIECE { self.drain() } else { Ok(()) }
    }

    fn drain(&mut self) -> Result {
        self.out.write_all(&self.buf).map_err(Error::write)?;
        self.buf.clear();
        Ok(())
    }
}

/// The width of a column with numbers up to `max`: the usual one, unless they do not fit.
pub(super) fn width(usual: u16, max: u64) -> u16 {
    [2, 4].into_iter().filter(|&w| w >= usual).find(|w| max >> (8 * w) == 0).unwrap_or(8)
}
