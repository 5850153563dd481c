//! Digits: found sixteen at a time, made into integers eight at a time.

#![expect(clippy::inline_always, reason = "measured: a call costs as much as the work")]

use wide::bytemuck::cast;
use wide::{i16x8, i32x4, u8x16, u16x8, u64x2};

/// Bytes behind the last place where an integer may end, so that eight can be loaded anywhere before it.
pub(crate) const PAD: usize = 16;

/// Which of the bytes are digits: bit i says it of byte i.
#[inline(always)]
pub(crate) fn mask(bytes: u8x16) -> u32 {
    let values = bytes - u8x16::splat(b'0');
    values.simd_eq(values.min(u8x16::splat(9))).to_bitmask()
}

/// The integer in `text[start..end]`, which are digits; `None` if they are none, or more than 16. `end` is less than
/// `N - PAD`, a power of two.
#[inline(always)]
pub(crate) fn integer<const N: usize>(text: &[u8; N], start: usize, end: usize) -> Option<u64> {
    let n = end.wrapping_sub(start);
    let first = eight(word(text, start, n));
    match n {
        1..=8 => Some(first),
        9..=16 => Some(first * 100_000_000 + eight(word(text, end - 8, 8))),
        _ => None,
    }
}

/// The integers in `text[start..end]` for both of `places`, which are one to eight digits each; `end` as above.
#[inline(always)]
pub(crate) fn two<const N: usize>(text: &[u8; N], places: [(usize, usize); 2]) -> [u64; 2] {
    let words = places.map(|(start, end)| word(text, start, end.wrapping_sub(start)));
    if cfg!(target_endian = "big") {
        return words.map(eight);
    }
    // Two digits, four, and all in one, at the bottom of what they were taken from.
    let x = (cast::<_, u16x8>(words) * u16x8::splat(10 * (1 << 8) + 1)) >> 8;
    let x = cast::<_, i16x8>(x).dot(i16x8::new([100, 1, 100, 1, 100, 1, 100, 1]));
    let x: u64x2 = cast(x);
    let x: i32x4 = cast::<_, i16x8>(x | x >> 16).dot(i16x8::new([10_000, 1, 0, 0, 10_000, 1, 0, 0]));
    cast(x)
}

/// The values of up to eight digits from `at`, the last in the highest byte, behind zeros.
#[inline(always)]
fn word<const N: usize>(text: &[u8; N], at: usize, n: usize) -> u64 {
    // The digits move to the top of the word: what stands behind them falls out, zeros come in before them.
    (load(text, at) ^ 0x3030_3030_3030_3030).wrapping_shl((n as u32).wrapping_mul(8).wrapping_neg())
}

/// Eight bytes from `at`, which is less than `N - PAD`.
#[inline(always)]
pub(crate) fn load<const N: usize>(text: &[u8; N], at: usize) -> u64 {
    // The remainder changes nothing, and spares the check that `at` is in bounds.
    text[at % (N - PAD)..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// The number that eight digits make, the first in the lowest byte.
#[inline(always)]
const fn eight(mut x: u64) -> u64 {
    x = x.wrapping_mul(10 * (1 << 8) + 1) >> 8 & 0x00FF_00FF_00FF_00FF;
    x = x.wrapping_mul(100 * (1 << 16) + 1) >> 16 & 0x0000_FFFF_0000_FFFF;
    x.wrapping_mul(10_000 * (1 << 32) + 1) >> 32
}
