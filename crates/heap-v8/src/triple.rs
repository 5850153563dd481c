//! An edge as V8 writes it: three integers, found in the text at once.

#![expect(clippy::inline_always, reason = "measured: a call costs as much as the work")]

use wide::u8x16;

use crate::lex::eight;

/// Bytes that are looked at to take a [`Triple`]: the separators are among the first 32.
pub(crate) const WINDOW: usize = 48;

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
        let mut others = 0;
        for (k, bytes) in window.as_chunks::<16>().0[..2].iter().enumerate() {
            let values = u8x16::new(*bytes) - u8x16::splat(b'0');
            others |= (!values.simd_eq(values.min(u8x16::splat(9)))).to_bitmask() << (16 * k);
        }
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
        digits(self.window, 2, self.ends.0)
    }

    /// The third integer, if it has at most 16 digits, and any.
    #[inline(always)]
    pub(crate) fn to(self) -> Option<u64> {
        digits(self.window, self.ends.0 + 1, self.ends.1)
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

/// Eight bytes. Integers end 16 bytes before the end of a window, whose length is 16 more than a power of two.
#[inline(always)]
fn load<const N: usize>(window: &[u8; N], at: usize) -> u64 {
    // The remainder changes nothing, and spares the check that `at` is in bounds.
    window[at % (N - 16)..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// The integer in `window[start..end]`, which are digits; `None` if they are none, or more than 16.
#[inline(always)]
pub(crate) fn digits<const N: usize>(window: &[u8; N], start: usize, end: usize) -> Option<u64> {
    let value = |at: usize| load(window, at) ^ 0x3030_3030_3030_3030;
    let n = end.wrapping_sub(start);
    // The digits move to the top of the word: what stands behind them falls out, zeros come in before them.
    let first = eight(value(start).wrapping_shl((n as u32).wrapping_mul(8).wrapping_neg()));
    match n {
        1..=8 => Some(first),
        9..=16 => Some(first * 100_000_000 + eight(value(end - 8))),
        _ => None,
    }
}
