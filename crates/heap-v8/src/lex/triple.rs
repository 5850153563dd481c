//! An edge as V8 writes it: three integers, found in the text at once.

#![expect(clippy::inline_always, reason = "measured: a call costs as much as the work")]

use wide::u8x16;

use super::digits::{PAD, integer, load, mask, two};

/// Bytes that are looked at to take a [`Triple`]: the separators are among the first 32.
pub(crate) const WINDOW: usize = 32 + PAD;

/// A record of three integers as V8 writes edges, the first of one digit: where its parts are in a window of text.
#[derive(Clone, Copy)]
pub(crate) struct Triple<'a> {
    window: &'a [u8; WINDOW],
    /// The first eight bytes.
    first: u64,
    /// Where the second integer ends, and the third.
    ends: (usize, usize),
    /// The length of the record and of what separates it from the next one.
    pub(crate) length: usize,
}

impl<'a> Triple<'a> {
    /// The record at the beginning of the text; `None` if it has another shape, or more than 32 bytes.
    #[inline(always)]
    pub(crate) fn at(text: &'a [u8]) -> Option<Self> {
        let window = text.first_chunk::<WINDOW>()?;
        let chunks = window.as_chunks().0;
        let others = !(mask(u8x16::new(chunks[0])) | mask(u8x16::new(chunks[1])) << 16);
        // The ends are 0 if there are none.
        let rest = others & others.wrapping_sub(1);
        let name_end = rest.trailing_zeros() as usize % 32;
        let rest = rest & rest.wrapping_sub(1);
        let to_end = rest.trailing_zeros() as usize % 32;
        let length = after(window, to_end)?;
        let first = load(window, 0);
        let good = others & 7 == 2 && first >> 8 & 0xFF == u64::from(b',') && window[name_end] == b',';
        good.then_some(Self { window, first, ends: (name_end, to_end), length })
    }

    /// The first integer.
    #[inline(always)]
    pub(crate) fn kind(self) -> u64 {
        self.first & 15
    }

    /// The second integer, if it has at most 16 digits.
    #[inline(always)]
    pub(crate) fn name(self) -> Option<u64> {
        integer(self.window, 2, self.ends.0)
    }

    /// The second integer and the third, if they have at most 16 digits, and any.
    #[inline(always)]
    pub(crate) fn name_and_to(self) -> Option<(u64, u64)> {
        let (name_end, end) = self.ends;
        let places = [(2, name_end), (name_end + 1, end)];
        let short = |(start, end): (usize, usize)| end.wrapping_sub(start + 1) < 8;
        if places.into_iter().all(short) {
            let [name, to] = two(self.window, places);
            return Some((name, to));
        }
        self.long()
    }

    #[inline(never)]
    fn long(self) -> Option<(u64, u64)> {
        Some((self.name()?, self.to()?))
    }

    /// The third integer, if it has at most 16 digits, and any.
    #[inline(always)]
    pub(crate) fn to(self) -> Option<u64> {
        integer(self.window, self.ends.0 + 1, self.ends.1)
    }
}

/// Where the next record begins, if one ends at `end` as V8 writes it.
#[inline(always)]
pub(crate) fn after<const N: usize>(window: &[u8; N], end: usize) -> Option<usize> {
    // A branch: the next record need not wait for the byte.
    match window[end] {
        b',' => Some(end + 1),
        b'\n' if window[end + 1] == b',' => Some(end + 2),
        _ => None,
    }
}
