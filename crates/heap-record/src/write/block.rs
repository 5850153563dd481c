//! Lines built in place from writes of fixed length, each over the slack of the one before.

use wide::bytemuck::cast;
use wide::{i8x16, u16x8, u32x4};

use heap_base::json::{MAX_EXACT, push_int};

/// Numbers from here on are written by a longer way.
const LONG: u64 = 100_000_000;

/// Lines that are built in place and written many at once.
#[derive(Debug)]
pub(super) struct Block {
    bytes: Box<[u8; BLOCK]>,
    filled: usize,
}

/// How many bytes are gathered before they are written: few enough that they are still in the cache when they are
/// copied, and that the reader of the pipe does not wait long.
pub(super) const FULL: usize = if cfg!(test) { 2 << 10 } else { 64 << 10 };

/// A block that is not full has room for a line.
const BLOCK: usize = FULL + (4 << 10);

impl Block {
    pub(super) fn new() -> Self {
        let bytes = vec![b' '; BLOCK].into_boxed_slice();
        Self { bytes: bytes.try_into().expect("the vector has this length"), filled: 0 }
    }

    /// Writes a line for each of `items`, up to the first for which `line` returns no length, or there is no room; returns
    /// the items that are left.
    #[allow(clippy::inline_always, reason = "measured: what does not change stays in registers")]
    #[inline(always)]
    pub(super) fn fill<'a, const ROOM: usize, T>(
        &mut self,
        mut items: &'a [T],
        mut line: impl FnMut(&mut [u8; ROOM], &T) -> Option<usize>,
    ) -> &'a [T] {
        let Self { bytes, filled } = self;
        let mut end = *filled;
        while let Some((item, rest)) = items.split_first() {
            if end > BLOCK - ROOM {
                break;
            }
            let Some(length) = bytes[end..].first_chunk_mut().and_then(|room| line(room, item)) else {
                break;
            };
            end += length;
            items = rest;
        }
        *filled = end;
        items
    }

    /// Whether there is room for a line.
    #[inline]
    pub(super) fn has_room<const ROOM: usize>(&self) -> bool {
        self.filled <= BLOCK - ROOM
    }

    /// All lines.
    #[inline]
    pub(super) fn lines(&self) -> &[u8] {
        &self.bytes[..self.filled]
    }

    /// Forgets all lines.
    pub(super) fn clear(&mut self) {
        self.filled = 0;
    }

    /// Appends all lines to `buf`, behind which they come.
    #[inline]
    pub(super) fn pass_on(&mut self, buf: &mut Vec<u8>) {
        if self.filled > 0 {
            buf.extend_from_slice(self.lines());
            self.clear();
        }
    }
}

/// Bytes behind the last place where a piece may begin.
pub(super) const PAD: usize = 64;

/// Writes `piece` at `at`, which is less than `ROOM - PAD`, a power of two.
#[allow(clippy::inline_always, reason = "measured: a call costs as much as the work")]
#[inline(always)]
pub(super) fn put<const ROOM: usize, const N: usize>(line: &mut [u8; ROOM], at: usize, piece: &[u8; N]) {
    // The remainder changes nothing, and spares the check that `at` is in bounds.
    line[at % (ROOM - PAD)..][..N].copy_from_slice(piece);
}

/// A number that eight digits can write.
#[inline]
pub(super) fn brief(n: u64) -> Option<u32> {
    (n < LONG).then_some(n as u32)
}

/// Eight digits, the first in the lowest byte, and how many of them are zeros in front.
#[derive(Clone, Copy, Debug)]
pub(super) struct Digits {
    text: u64,
    zeros: usize,
}

/// The digits of two numbers below 10^8, by the arithmetic of [`short`](heap_base::json::short).
#[allow(clippy::inline_always, reason = "measured: a call costs as much as the work")]
#[inline(always)]
pub(super) fn digits(numbers: [u32; 2]) -> [Digits; 2] {
    let halves = |n: u32| {
        let n = u64::from(n);
        // A division by 10,000 that is exact up to 10^8.
        (n << 32) - ((n * 109_951_163) >> 40) * ((10_000 << 32) - 1)
    };
    let x: u16x8 = cast(numbers.map(halves));
    let hundreds = x.mul_keep_high(u16x8::splat(5_243)) >> 3;
    let rest: u32x4 = cast(x - hundreds * u16x8::splat(100));
    let x: u16x8 = hundreds | cast::<_, u16x8>(rest << 16);
    let tens = x.mul_keep_high(u16x8::splat(6_554));
    let mut values: i8x16 = cast((x << 8) - tens * u16x8::splat((10 << 8) - 1));
    if cfg!(target_endian = "big") {
        values = cast(cast::<_, [u64; 2]>(values).map(u64::swap_bytes));
    }
    // The last digit stays, be it 0.
    let kept = values.simd_gt(i8x16::splat(0)).to_bitmask() | 0x8080;
    let [first, second] = cast(values | i8x16::splat(b'0' as i8));
    [
        Digits { text: u64::from_le(first), zeros: kept.trailing_zeros() as usize },
        Digits { text: u64::from_le(second), zeros: (kept >> 8).trailing_zeros() as usize },
    ]
}

/// Writes a number without the zeros in front at `at`, or one byte further if it is below zero: the sign is at
/// `at` already. Returns the position behind it.
#[allow(clippy::inline_always, reason = "measured: a call costs as much as the work")]
#[inline(always)]
pub(super) fn put_digits<const ROOM: usize>(
    line: &mut [u8; ROOM],
    at: usize,
    below: bool,
    digits: Digits,
) -> usize {
    let at = at + usize::from(below);
    put(line, at, &(digits.text >> (8 * digits.zeros % 64)).to_le_bytes());
    at + 1 + (digits.zeros ^ 7)
}

/// Writes a number up to [`MAX_EXACT`] at `at`, or one byte further if it is below zero: the sign is at `at` already.
/// Returns the position behind it.
#[allow(clippy::inline_always, reason = "measured: a call costs as much as half of the work")]
#[inline(always)]
pub(super) fn put_exact<const ROOM: usize>(
    line: &mut [u8; ROOM],
    at: usize,
    below: bool,
    magnitude: u64,
) -> usize {
    let [high, low] = digits([(magnitude / LONG) as u32, (magnitude % LONG) as u32]);
    if magnitude < LONG {
        return put_digits(line, at, below, low);
    }
    let end = put_digits(line, at, below, high);
    put(line, end, &low.text.to_le_bytes());
    end + 8
}

/// Writes `n` at `at`, where a sign is already, in at most 21 bytes and 8 of slack; returns the position behind it.
#[allow(clippy::inline_always, reason = "measured: a call costs as much as half of the work")]
#[inline(always)]
pub(super) fn put_int<const ROOM: usize>(line: &mut [u8; ROOM], at: usize, n: i64) -> usize {
    match exact(n) {
        Some(magnitude) => put_exact(line, at, n < 0, magnitude),
        None => put_hexadecimal(line, at, n),
    }
}

/// The magnitude of a number that is written in decimal.
#[inline]
pub(super) fn exact(n: i64) -> Option<u64> {
    Some(n.unsigned_abs()).filter(|&magnitude| magnitude <= MAX_EXACT)
}

/// Writes a number beyond ±(2^53 − 1) in hexadecimal, and in quotes.
#[cold]
fn put_hexadecimal(line: &mut [u8], at: usize, n: i64) -> usize {
    let mut text = Vec::with_capacity(24);
    push_int(&mut text, n);
    line[at..at + text.len()].copy_from_slice(&text);
    at + text.len()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use heap_base::json::{push_uint, short};

    /// A number of any length, often one at which the length changes.
    pub(in crate::write) fn number(u: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<i64> {
        if u.ratio(1, 3)? {
            let n = 10i64.pow(u.int_in_range(0..=18)?) + u.int_in_range(-1..=1)?;
            return Ok(if u.arbitrary()? { n } else { -n });
        }
        Ok(u.arbitrary::<i64>()? >> u.int_in_range(0..=63)?)
    }

    /// Writes two numbers below 10^8, one behind the other.
    fn both(first: u32, second: u32) -> String {
        let mut line = [b'x'; 128];
        let [a, b] = digits([first, second]);
        let end = put_digits(&mut line, 0, false, a);
        let end = put_digits(&mut line, end, false, b);
        String::from_utf8_lossy(&line[..end]).into_owned()
    }

    #[test]
    fn numbers_of_every_length_are_written_as_they_are() {
        let mut n = 0u64;
        let mut seen = 0;
        while n <= MAX_EXACT {
            for k in [n.saturating_sub(1), n, n + 1].into_iter().filter(|&k| k <= MAX_EXACT) {
                let mut out = b"x".to_vec();
                push_uint(&mut out, k);
                push_int(&mut out, -(k as i64));
                let expected = format!("x{k}{}", -(k as i64));
                assert_eq!(String::from_utf8_lossy(&out), expected);
                let mut line = [b'x'; 128];
                let end = put_int(&mut line, 1, k as i64);
                line[end] = b'-';
                let end = put_int(&mut line, end, -(k as i64));
                assert_eq!(String::from_utf8_lossy(&line[..end]), expected);
                seen += 1;
            }
            n = n * 10 + u64::from(n == 0) + n / 3;
        }
        assert!(seen > 40);
        for k in (0..100_000_000).step_by(977) {
            let (digits, length) = short(k);
            assert_eq!(digits[..length], *k.to_string().as_bytes());
            let other = 99_999_999 - k;
            assert_eq!(both(k, other), format!("{k}{other}"));
        }
    }

    #[test]
    fn every_four_digits_are_right_in_every_place() {
        for k in 0..10_000 {
            let (high, low) = (k * 10_000, 9_999 - k);
            for (a, b) in [(k, high), (high, k), (high + low, high + 9_999), (high + 9_999, high + low)] {
                assert_eq!(both(a, b), format!("{a}{b}"));
            }
        }
    }
}
