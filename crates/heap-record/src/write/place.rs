//! Pieces of lines that are put together in place: writes of fixed length, each over the slack of the one before.

use crate::json::{MAX_EXACT, short};

/// Numbers from here on are written by a longer way.
const LONG: u64 = 100_000_000;

/// Whether a number is written as a number.
#[inline]
pub(super) const fn exact(n: i64) -> bool {
    n.unsigned_abs() <= MAX_EXACT
}

/// Whether [`put_int`] takes at most nine bytes, and eight of slack, for a number.
#[inline]
pub(super) const fn brief(n: i64) -> bool {
    n.unsigned_abs() < LONG
}

/// Writes `piece` at `at`.
#[inline]
pub(super) fn put<const N: usize>(line: &mut [u8], at: usize, piece: &[u8; N]) {
    line[at..at + N].copy_from_slice(piece);
}

/// Writes the digits of `n` at `at`; gives the place behind them.
#[inline]
pub(super) fn put_int(line: &mut [u8], at: usize, n: i64) -> usize {
    // A sign that a number does not have is written over.
    line[at] = b'-';
    let at = at + usize::from(n < 0);
    let n = n.unsigned_abs();
    if n < LONG {
        let (digits, length) = short(n as u32);
        put(line, at, &digits);
        at + length
    } else {
        put_long(line, at, n)
    }
}

#[cold]
fn put_long(line: &mut [u8], at: usize, n: u64) -> usize {
    let mut buf = itoa::Buffer::new();
    let digits = buf.format(n).as_bytes();
    line[at..at + digits.len()].copy_from_slice(digits);
    at + digits.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{push_int, push_uint};

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
                let mut line = [b'x'; 64];
                let end = put_int(&mut line, 1, k as i64);
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
        }
    }
}
