//! Text to records: the two long lists, and the short ones that look like them.

pub(crate) mod batches;
pub(crate) mod digits;
pub(crate) mod edges;
pub(crate) mod ints;
pub(crate) mod nodes;
pub(crate) mod triple;

use heap_base::Error;

pub(crate) use batches::{Batch, Lexer};

/// A section shorter than this gets one thread. In tests some of the small files are longer.
const THREAD_FROM: u64 = if cfg!(test) { 500 } else { 8 << 20 };

/// A flat list of integers in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Section {
    /// Its key.
    pub(crate) name: &'static str,
    /// Offset of the first byte after `[`; 0 if the file has no such list.
    pub(crate) start: u64,
    /// Offset of the closing bracket, or the end of the file if there is none, or if it is not known.
    pub(crate) end: u64,
    /// Whether there is a closing bracket at `end`.
    pub(crate) closed: bool,
}

impl Section {
    /// An empty section, of a file that has none.
    pub(crate) const fn missing(name: &'static str) -> Self {
        Self { name, start: 0, end: 0, closed: true }
    }

    /// Whether a second thread on this section pays.
    pub(crate) fn worth_a_thread(&self) -> bool {
        self.end - self.start >= THREAD_FROM
            && std::thread::available_parallelism().is_ok_and(|n| n.get() > 1)
    }

    /// Damage in this section.
    pub(crate) fn damage(&self, byte: u64, what: impl std::fmt::Display) -> Error {
        Error::at_byte(byte, format!("{}: {what}", self.name))
    }
}

/// A part of a section: whole records, one after another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub(crate) section: Section,
    /// Number of the first record.
    pub(crate) first: u64,
}

/// Exact division by the number of fields in a node: one multiplication, no division.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Divide {
    inverse: u64,
    shift: u32,
    most: u64,
}

impl Divide {
    /// By `width`, which is not 0.
    pub(crate) fn by(width: usize) -> Self {
        let width = width.max(1) as u64;
        let shift = width.trailing_zeros();
        let odd = width >> shift;
        // Newton's iteration doubles the number of right bits, from 3 to 96.
        let inverse = (0..5).fold(odd, |x, _| x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x))));
        Self { inverse, shift, most: u64::MAX / width }
    }

    /// `index` divided, if it is a multiple.
    #[inline]
    pub(crate) const fn exact(self, index: u64) -> Option<u64> {
        // A multiple's low bits are rotated away; any other number lands above all quotients.
        let n = index.wrapping_mul(self.inverse).rotate_right(self.shift);
        if n <= self.most { Some(n) } else { None }
    }

    /// The ordinal of the node, of `count`, that begins at `index`.
    #[inline]
    pub(crate) const fn node(self, index: u64, count: u32) -> Option<u32> {
        match self.exact(index) {
            Some(n) if n < count as u64 => Some(n as u32),
            _ => None,
        }
    }
}
