//! zstd frames: where one ends, and its contents piece by piece.

use std::cell::RefCell;
use std::fmt;

use heap_base::{Blob, Error, Result};
use zstd::stream::raw::{DParameter, Decoder, Operation};

use crate::bytes::{Cursor, Order};

/// Bytes of compressed data read at a time.
const INPUT: usize = 64 << 10;
/// Bytes of decoded numbers in memory at a time.
const OUTPUT: usize = 32 << 10;
/// Largest window, as a power of two, that is decoded: MoarVM's level 9 takes 4 MiB, and 8 MiB is what every
/// level short of zstd's `--ultra` ones takes. It bounds what a column costs while it is read.
const WINDOW_LOG: u32 = 23;

/// First bytes of a zstd frame.
pub(crate) const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Where a frame ends, as the headers of its blocks say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// It ends before this offset.
    Complete(u64),
    /// The bytes end before it does.
    Cut,
    /// No frame, or an impossible block at this offset.
    Bad(u64),
}

/// Finds the end of the frame at the cursor by the headers of its blocks. Nothing is decoded, so the blocks of a file
/// without a table of contents are found at the cost of three bytes per 128 KiB of contents.
pub(crate) fn extent(cursor: &mut Cursor<'_>) -> Result<Extent> {
    let start = cursor.position();
    let Some(head) = cursor.take::<5>()? else { return Ok(Extent::Cut) };
    if head[..4] != MAGIC {
        return Ok(Extent::Bad(start));
    }
    let descriptor = head[4];
    let single = descriptor & 0x20 != 0;
    let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let content = [u64::from(single), 2, 4, 8][usize::from(descriptor >> 6)];
    cursor.skip(u64::from(!single) + dictionary + content);
    loop {
        let at = cursor.position();
        let Some([a, b, c]) = cursor.take::<3>()? else { return Ok(Extent::Cut) };
        let block = u32::from_le_bytes([a, b, c, 0]);
        let size = match block >> 1 & 3 {
            1 => 1,
            3 => return Ok(Extent::Bad(at)),
            _ => u64::from(block >> 3),
        };
        let last = block & 1 != 0;
        let size = if last && descriptor & 4 != 0 { size + 4 } else { size };
        if size > cursor.left() {
            return Ok(Extent::Cut);
        }
        cursor.skip(size);
        if last {
            return Ok(Extent::Complete(cursor.position()));
        }
    }
}

/// Decoders at rest. Making one takes longer than most blocks of a small snapshot.
#[derive(Default)]
pub(crate) struct Pool(RefCell<Vec<Decoder<'static>>>);

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pool({})", self.0.borrow().len())
    }
}

impl Pool {
    fn take(&self) -> Result<Decoder<'static>> {
        if let Some(mut decoder) = self.0.borrow_mut().pop() {
            decoder.reinit().map_err(Error::read)?;
            return Ok(decoder);
        }
        let mut decoder = Decoder::new().map_err(Error::read)?;
        decoder.set_parameter(DParameter::WindowLogMax(WINDOW_LOG)).map_err(Error::read)?;
        Ok(decoder)
    }
}

impl Drop for Frame<'_> {
    fn drop(&mut self) {
        self.pool.0.borrow_mut().extend(self.decoder.take());
    }
}

/// One frame, decoded in order. What can be decoded of a damaged one comes first, then the damage.
pub(crate) struct Frame<'a> {
    name: &'a str,
    blob: &'a Blob,
    /// Offsets of what is yet to be read.
    next: u64,
    end: u64,
    input: Box<[u8]>,
    from: usize,
    to: usize,
    pool: &'a Pool,
    /// There until the frame is dropped.
    decoder: Option<Decoder<'static>>,
    done: bool,
    damage: Option<Error>,
}

impl<'a> Frame<'a> {
    /// The frame at `start`, which ends before `end`; `name` is what it holds (`column colkind`).
    pub(crate) fn new(blob: &'a Blob, pool: &'a Pool, start: u64, end: u64, name: &'a str) -> Result<Self> {
        let end = end.min(blob.len());
        Ok(Self {
            name,
            blob,
            next: start.min(end),
            end,
            input: vec![0; usize::try_from(end.saturating_sub(start)).unwrap_or(INPUT).min(INPUT)].into(),
            from: 0,
            to: 0,
            pool,
            decoder: Some(pool.take()?),
            done: false,
            damage: None,
        })
    }

    /// Fills `out` as far as the frame goes, and returns how far that is.
    pub(crate) fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        let mut filled = 0;
        let Some(decoder) = &mut self.decoder else { return Ok(0) };
        while filled < out.len() && !self.done {
            if self.from == self.to {
                let want = usize::try_from(self.end - self.next).unwrap_or(usize::MAX).min(self.input.len());
                self.to = self.blob.read_at(&mut self.input[..want], self.next)?;
                self.from = 0;
                self.next += self.to as u64;
            }
            let ended = self.from == self.to;
            let mut fail = |at: u64, what: &str| {
                self.done = true;
                self.damage = Some(Error::at_byte(at, format!("{} {what}", self.name)));
            };
            let Ok(status) = decoder.run_on_buffers(&self.input[self.from..self.to], &mut out[filled..])
            else {
                // The decoder does not say which byte it stumbled over; the piece it was in is near enough.
                fail(self.next - (self.to - self.from) as u64, "is damaged");
                break;
            };
            self.from += status.bytes_read;
            filled += status.bytes_written;
            if status.remaining == 0 {
                self.done = true;
            } else if ended && status.bytes_written == 0 {
                fail(self.end, "ends early");
            }
        }
        Ok(filled)
    }

    /// What is wrong with it, once. Known for sure only after a short [`read`](Self::read).
    pub(crate) fn damage(&mut self) -> Option<Error> {
        self.damage.take()
    }
}

/// A column: a frame of integers of one width.
pub(crate) struct Column<'a> {
    frame: Frame<'a>,
    width: usize,
    order: Order,
    bytes: Box<[u8]>,
    from: usize,
    to: usize,
    /// True if the column ended in the middle of a number.
    torn: bool,
}

impl<'a> Column<'a> {
    /// Numbers of `width` bytes: 1, 2, 4 or 8.
    pub(crate) fn new(frame: Frame<'a>, width: u16, order: Order) -> Self {
        Self { frame, width: width.into(), order, bytes: vec![0; OUTPUT].into(), from: 0, to: 0, torn: false }
    }

    /// Puts the next `n` numbers into `out`; fewer if the column ends before.
    pub(crate) fn fill(&mut self, out: &mut Vec<u64>, n: usize) -> Result {
        out.clear();
        while out.len() < n {
            if self.to - self.from < self.width {
                self.bytes.copy_within(self.from..self.to, 0);
                let kept = self.to - self.from;
                let got = self.frame.read(&mut self.bytes[kept..])?;
                (self.from, self.to) = (0, kept + got);
                if self.to < self.width {
                    self.torn |= self.to > 0;
                    break;
                }
            }
            let count = ((self.to - self.from) / self.width).min(n - out.len());
            let bytes = &self.bytes[self.from..self.from + count * self.width];
            self.from += bytes.len();
            widen(bytes, self.width, self.order, out);
        }
        Ok(())
    }

    /// What is wrong with it, once. Known after a short [`fill`](Self::fill).
    pub(crate) fn damage(&mut self) -> Option<Error> {
        let torn = std::mem::take(&mut self.torn);
        self.frame.damage().or_else(|| {
            torn.then(|| Error::at_byte(self.frame.end, format!("{} ends within a number", self.frame.name)))
        })
    }
}

/// Appends the numbers in `bytes`. One loop per width, so that each becomes vector code.
fn widen(bytes: &[u8], width: usize, order: Order, out: &mut Vec<u64>) {
    match (width, order) {
        (1, _) => out.extend(bytes.iter().map(|&b| u64::from(b))),
        (2, Order::Little) => append(bytes, out, |b| u16::from_le_bytes(b).into()),
        (4, Order::Little) => append(bytes, out, |b| u32::from_le_bytes(b).into()),
        (8, Order::Little) => append(bytes, out, u64::from_le_bytes),
        (2, Order::Big) => append(bytes, out, |b| u16::from_be_bytes(b).into()),
        (4, Order::Big) => append(bytes, out, |b| u32::from_be_bytes(b).into()),
        _ => append(bytes, out, u64::from_be_bytes),
    }
}

#[inline]
fn append<const N: usize>(bytes: &[u8], out: &mut Vec<u64>, number: impl Fn([u8; N]) -> u64) {
    out.extend(bytes.as_chunks().0.iter().map(|&b| number(b)));
}
