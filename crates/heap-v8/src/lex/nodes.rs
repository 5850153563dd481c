//! Plain nodes: those with type, name, id, size and number of edges, and 0 in every field behind these.
//!
//! Outside of allocation tracking nearly all nodes are. Where their integers end is seen at once, and what is 0 is not
//! lexed at all; any other node is left where it stands, and comes as integers (`ints`).

#![expect(clippy::inline_always, reason = "measured: a call costs as much as the work")]

use wide::u8x16;

use super::digits::{self, PAD, integer};
use super::triple::after;
use crate::layout::header::NodeFields;

/// Bytes that are looked at to take a node: the separators are among the first 48.
pub(crate) const WINDOW: usize = 64 + PAD;

/// Nodes at a time: 320 KiB. Tests have lists with more.
const MOST: usize = if cfg!(test) { 7 } else { 8 << 10 };

/// The fields of a node that every snapshot has.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NodeRow {
    pub(crate) kind: u64,
    pub(crate) name: u64,
    pub(crate) id: u64,
    pub(crate) size: u64,
    pub(crate) edges: u64,
}

/// What distinguishes plain nodes from others: how many of the bytes `,0,0` they end in, and a mask of these bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlainNodes {
    length: usize,
    mask: u32,
}

impl PlainNodes {
    /// `None` if nodes have other fields than V8 writes.
    pub(crate) fn new(f: &NodeFields) -> Option<Self> {
        let known = (f.kind, f.name, f.id, f.size, f.edges) == (0, 1, 2, 3, 4);
        let length = 2 * f.width.checked_sub(5).filter(|&zeros| known && zeros <= 2)?;
        Some(Self { length, mask: !(u64::MAX << (8 * length)) as u32 })
    }

    /// Takes the plain nodes at the beginning of `text` as far as there is room for them; gives the bytes they took.
    pub(crate) fn take(&self, text: &[u8], run: &mut NodeRun) -> usize {
        let mut rest = text;
        let mut n = run.n;
        for row in &mut run.rows[n..] {
            let Some((found, length)) = self.row(rest) else { break };
            *row = found;
            rest = &rest[length..];
            n += 1;
        }
        run.n = n;
        text.len() - rest.len()
    }

    /// The node at the beginning of the text, and its length with what separates it from the next one.
    #[inline(always)]
    fn row(&self, text: &[u8]) -> Option<(NodeRow, usize)> {
        let window = text.first_chunk::<WINDOW>()?;
        let (mut digits, mut commas) = (0, 0);
        for (k, bytes) in window.as_chunks().0[..3].iter().enumerate() {
            let bytes = u8x16::new(*bytes);
            digits |= u64::from(digits::mask(bytes)) << (16 * k);
            commas |= u64::from(bytes.simd_eq(u8x16::splat(b',')).to_bitmask()) << (16 * k);
        }
        let others = !digits & !(u64::MAX << 48);
        // The ends of four integers, which are commas, and of the fifth; 0 if there are none.
        let mut left = others;
        let mut end = || {
            let end = left.trailing_zeros() as usize % 64;
            left &= left.wrapping_sub(1);
            end
        };
        let ends: [usize; 4] = std::array::from_fn(|_| end());
        let last = end();
        let behind = u32::from_le_bytes(*window[last..].first_chunk()?);
        let between = others & !(u64::MAX << last);
        if between & !commas != 0 || (behind ^ u32::from_le_bytes(*b",0,0")) & self.mask != 0 {
            return None;
        }
        let length = after(window, last + self.length)?;
        let kind = match (ends[0], u64::from(window[0] & 15), u64::from(window[1] & 15)) {
            (1, one, _) => one,
            (2, ten, one) => 10 * ten + one,
            _ => return None,
        };
        let row = NodeRow {
            kind,
            name: integer(window, ends[0] + 1, ends[1])?,
            id: integer(window, ends[1] + 1, ends[2])?,
            size: integer(window, ends[2] + 1, ends[3])?,
            edges: integer(window, ends[3] + 1, last)?,
        };
        Some((row, length))
    }
}

/// Plain nodes, one behind the other in the file.
#[derive(Debug, Default)]
pub(crate) struct NodeRun {
    rows: Vec<NodeRow>,
    n: usize,
}

impl NodeRun {
    /// Makes room for nodes.
    pub(crate) fn clear(&mut self) {
        self.rows.resize(MOST, NodeRow::default());
        self.n = 0;
    }

    /// True if there is no room left.
    pub(crate) fn is_full(&self) -> bool {
        self.n == self.rows.len()
    }

    /// How many nodes there are.
    pub(crate) fn len(&self) -> usize {
        self.n
    }

    /// The nodes.
    pub(crate) fn as_slice(&self) -> &[NodeRow] {
        &self.rows[..self.n]
    }
}
