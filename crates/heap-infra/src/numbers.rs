//! Columns of numbers: plain ones, digits and commas and no more, are taken many at a time.
//!
//! The commas of 64 bytes are found first and the numbers cut out afterwards: so the place of one does not wait for
//! the digits of the one before. Whatever else JSON allows is left to [`next`], the obvious twin, and what that does not
//! take to the scanner.

use heap_base::json::{digits8, value8};
use wide::u8x16;

/// Bytes that are looked at together.
const BLOCK: usize = 64;

/// Calls `each` with numbers of up to eight digits that have commas right behind them, the first of which begins at
/// `start`. Gives where the next number begins, which is not like that, or too near to the end of `text`.
#[inline]
pub(crate) fn run(text: &[u8], mut start: usize, mut each: impl FnMut(u64)) -> usize {
    let mut base = start;
    // The last number of a block is read as eight bytes, some of which may stand behind the block.
    while let Some(block) = text.get(base..).and_then(|text| text.first_chunk::<{ BLOCK + 8 }>()) {
        let (mut commas, mut other) = (0, 0);
        for (k, bytes) in block[..BLOCK].as_chunks::<16>().0.iter().enumerate() {
            let bytes = u8x16::new(*bytes);
            let comma = bytes.simd_eq(u8x16::splat(b','));
            let digit = bytes - u8x16::splat(b'0');
            let digit = digit.simd_eq(digit.min(u8x16::splat(9)));
            commas |= u64::from(comma.to_bitmask()) << (16 * k);
            other |= u64::from((!(comma | digit)).to_bitmask()) << (16 * k);
        }
        // Those before the first byte that is neither.
        let mut ends = commas & !other & other.wrapping_sub(1);
        while ends != 0 {
            let end = base + ends.trailing_zeros() as usize;
            ends &= ends - 1;
            let Some(eight) = text.get(start..).and_then(|text| text.first_chunk()) else { return start };
            let digits @ 1..=8 = end - start else { return start };
            each(value8(u64::from_le_bytes(*eight), digits));
            start = end + 1;
        }
        if other != 0 {
            break;
        }
        base += BLOCK;
    }
    start
}

/// The number of plain digits behind a comma, up to a comma or a bracket, and that with what follows it.
#[inline]
pub(crate) fn next(text: &[u8]) -> Option<(u64, &[u8])> {
    // Nearly all are up to seven digits, right behind the comma.
    if let Some(bytes @ [b',', eight @ ..]) = text.first_chunk::<9>()
        && let (n, digits @ 1..=7) = digits8(u64::from_le_bytes(*eight))
        && matches!(bytes[1 + digits], b',' | b']')
    {
        return Some((n, &text[1 + digits..]));
    }
    next_long(text)
}

/// The same of numbers with blanks before them, or with more digits.
#[inline(never)]
fn next_long(text: &[u8]) -> Option<(u64, &[u8])> {
    let text = text.strip_prefix(b",")?;
    let blanks = text.iter().take_while(|b| matches!(b, b' ' | b'\n' | b'\r' | b'\t')).count();
    let text = &text[blanks..];
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let (digits, behind) = text.split_at(digits);
    // 19 digits always fit; the comma or bracket after them proves the number whole.
    if !matches!(digits.len(), 1..=19) || !matches!(behind, [b',' | b']', ..]) {
        return None;
    }
    Some((digits.iter().fold(0, |n, b| n * 10 + u64::from(b - b'0')), behind))
}
