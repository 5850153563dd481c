//! Pieces of lines that are put together in place: writes of fixed length, each over the slack of the one before.

use crate::json::{MAX_EXACT, push_int, short};

/// Numbers from here on are written by a longer way.
const LONG: u64 = 100_000_000;

/// Lines that are put together here, and go to a buffer many at once.
#[derive(Debug)]
pub(super) struct Block {
    bytes: Box<[u8; BLOCK]>,
    filled: usize,
}

const BLOCK: usize = 16 << 10;

impl Block {
    pub(super) fn new() -> Self {
        Self { bytes: Box::new([b' '; BLOCK]), filled: 0 }
    }

    /// Room for a line; `buf` takes those before, if there is none left. The line is taken up by [`Self::add`].
    #[inline]
    pub(super) fn room<const N: usize>(&mut self, buf: &mut Vec<u8>) -> Option<&mut [u8; N]> {
        if self.filled > BLOCK - N {
            self.pass_on(buf);
        }
        self.bytes[self.filled..].first_chunk_mut()
    }

    /// Takes up the first bytes of the room.
    #[inline]
    pub(super) fn add(&mut self, length: usize) {
        self.filled += length;
    }

    /// Appends all lines to `buf`.
    #[inline]
    pub(super) fn pass_on(&mut self, buf: &mut Vec<u8>) {
        if self.filled > 0 {
            buf.extend_from_slice(&self.bytes[..self.filled]);
            self.filled = 0;
        }
    }
}

/// Writes `piece` at `at`.
#[inline]
pub(super) fn put<const N: usize>(line: &mut [u8], at: usize, piece: &[u8; N]) {
    line[at..at + N].copy_from_slice(piece);
}

/// Writes `n` at `at`, in at most 21 bytes and 8 of slack; gives the place behind it.
#[allow(clippy::inline_always, reason = "measured: a call costs as much as half of the work")]
#[inline(always)]
pub(super) fn put_int(line: &mut [u8], at: usize, n: i64) -> usize {
    // A sign that a number does not have is written over.
    line[at] = b'-';
    let magnitude = n.unsigned_abs();
    if magnitude < LONG {
        let at = at + usize::from(n < 0);
        let (digits, length) = short(magnitude as u32);
        put(line, at, &digits);
        at + length
    } else {
        put_long(line, at, n)
    }
}

/// At most 21 bytes: beyond ±(2^53 − 1) in hexadecimal, and in quotes.
#[cold]
fn put_long(line: &mut [u8], at: usize, n: i64) -> usize {
    if n.unsigned_abs() > MAX_EXACT {
        let mut text = Vec::with_capacity(24);
        push_int(&mut text, n);
        return put_text(line, at, &text);
    }
    put_text(line, at, itoa::Buffer::new().format(n).as_bytes())
}

fn put_text(line: &mut [u8], at: usize, text: &[u8]) -> usize {
    line[at..at + text.len()].copy_from_slice(text);
    at + text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::push_uint;

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
