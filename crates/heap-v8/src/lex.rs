//! Text to integers: the lists that make up nine tenths of a snapshot.
//!
//! [`fast`] takes blocks of 64 bytes in the shape that V8 writes (digits, each integer followed by `,` or by
//! LF and `,`), eight bytes at a time on plain 64-bit words; whatever else JSON allows (blanks, signs, more
//! than 16 digits) and every error is left to [`slow`], the obvious twin. Tests hold the two together.
//!
//! Finding all separators of a block first and cutting integers out afterwards keeps the position of one
//! integer from depending on the load of the one before, which is what limits a digit loop (and a loop that
//! looks for the next comma) to one integer in about 15 cycles.

/// Readable bytes that must follow the text, so that eight bytes can be loaded at any position in it.
pub(crate) const PAD: usize = 8;

/// What may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expect {
    /// The first integer, or the end of the list.
    First,
    /// An integer: a comma went before.
    Int,
    /// A comma, or the end of the list.
    Comma,
}

/// A place in the text that is not a list of integers, and what was expected there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bad {
    /// Position in the text.
    pub(crate) at: usize,
    /// What was expected.
    pub(crate) what: &'static str,
}

/// Where integers go. Negative ones are stored in two's complement and listed.
#[derive(Debug)]
pub(crate) struct Out<'a> {
    /// The slots.
    pub(crate) ints: &'a mut [u64],
    /// How many are filled.
    pub(crate) n: usize,
    /// Slots that hold negative numbers, ascending.
    pub(crate) negatives: &'a mut Vec<u32>,
}

/// Lexes byte by byte from `pos` until `stop` is reached or `out` is full; returns the position reached, always
/// between tokens. A token that reaches the end of the text is left alone, unless the text ends there for good
/// (`last`).
pub(crate) fn slow(
    text: &[u8],
    mut pos: usize,
    stop: usize,
    last: bool,
    expect: &mut Expect,
    out: &mut Out<'_>,
) -> Result<usize, Bad> {
    while pos < stop && out.n < out.ints.len() {
        match text.get(pos) {
            None => break,
            Some(b' ' | b'\n' | b'\r' | b'\t') => pos += 1,
            Some(b',') if *expect == Expect::Comma => {
                *expect = Expect::Int;
                pos += 1;
            }
            Some(_) if *expect == Expect::Comma => {
                return Err(Bad { at: pos, what: "expected a comma" });
            }
            Some(&first) => {
                let negative = first == b'-';
                let digits = pos + usize::from(negative);
                let mut end = digits;
                let mut value = 0u64;
                while let Some(b @ b'0'..=b'9') = text.get(end) {
                    let next = value.checked_mul(10).and_then(|v| v.checked_add(u64::from(b - b'0')));
                    value = match next {
                        Some(next) if end - digits < 20 => next,
                        _ => return Err(Bad { at: pos, what: "integer beyond 64 bits" }),
                    };
                    end += 1;
                }
                if end == text.len() && !last {
                    break;
                }
                if end == digits || matches!(text.get(end), Some(b'.' | b'e' | b'E')) {
                    return Err(Bad { at: pos, what: "expected an integer" });
                }
                if negative && value > 0 {
                    if value > 1 << 63 {
                        return Err(Bad { at: pos, what: "integer beyond 64 bits" });
                    }
                    out.negatives.push(out.n as u32);
                    value = value.wrapping_neg();
                }
                out.ints[out.n] = value;
                out.n += 1;
                *expect = Expect::Comma;
                pos = end;
            }
        }
    }
    Ok(pos)
}

/// A block holds at most this many ends of integers.
const MOST: usize = 32;

/// Lexes whole blocks of 64 bytes from `pos` while they have the plain shape and `out` has room; returns the
/// position reached, between tokens. Reads `text` up to `len` only, but [`PAD`] bytes must follow.
#[inline(never)]
pub(crate) fn fast(text: &[u8], len: usize, pos: usize, expect: &mut Expect, out: &mut Out<'_>) -> usize {
    if *expect == Expect::Comma {
        return pos;
    }
    let Some(blocks) = text.get(pos..len) else { return pos };
    // The last bit of the masks of the block before: a digit, LF, comma.
    let (mut digit, mut newline, mut comma) = (0u64, 0u64, 1u64);
    let mut start = pos;
    let mut base = pos;
    for block in blocks.as_chunks::<64>().0 {
        let Some(slots) = out.ints.get_mut(out.n..out.n + MOST) else { break };
        let Some((d, n)) = classify(block) else { break };
        let c = !(d | n);
        let after_digit = d << 1 | digit;
        let after_newline = n << 1 | newline;
        let after_comma = c << 1 | comma;
        let wrong =
            c & !(after_digit | after_newline) | n & !after_digit | after_newline & !c | after_comma & !d;
        if wrong != 0 {
            break;
        }
        let mut ends = !d & after_digit;
        let mut filled = 0;
        for slot in slots.iter_mut().take(ends.count_ones() as usize) {
            let at = ends.trailing_zeros();
            ends &= ends - 1;
            let end = base + at as usize;
            let Some(value) = digits(text, start, end) else {
                // More than 16 digits: leave this one and the rest of the block to the slow twin.
                out.n += filled;
                *expect = Expect::Int;
                return start;
            };
            *slot = value;
            filled += 1;
            start = end + 1 + (n >> at & 1) as usize;
        }
        out.n += filled;
        (digit, newline, comma) = (d >> 63, n >> 63, c >> 63);
        base += 64;
    }
    if newline == 1 {
        // The comma after the LF is not seen yet.
        *expect = Expect::Comma;
        return base;
    }
    if start > pos {
        *expect = Expect::Int;
    }
    start
}

/// Masks of digits and of LFs in a block (bit i = byte i), if the rest are commas.
#[inline(always)]
fn classify(block: &[u8; 64]) -> Option<(u64, u64)> {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    const fn all(byte: u8) -> u64 {
        byte as u64 * 0x0101_0101_0101_0101
    }
    let (mut digits, mut newlines, mut wrong) = (0u64, 0u64, 0u64);
    for (i, word) in block.as_chunks::<8>().0.iter().enumerate() {
        let x = u64::from_le_bytes(*word);
        // With the top bit of every byte clear (else `wrong`), adding sets it where the sum passes 0x7f.
        let not_digit = (x ^ all(b'0')).wrapping_add(all(0x76));
        let not_comma = (x ^ all(b',')).wrapping_add(all(0x7f));
        let not_newline = (x ^ all(b'\n')).wrapping_add(all(0x7f));
        wrong |= x | (not_digit & not_comma & not_newline);
        digits |= gather(!not_digit & HIGH) << (8 * i);
        newlines |= gather(!not_newline & HIGH) << (8 * i);
    }
    (wrong & HIGH == 0).then_some((digits, newlines))
}

/// The top bits of eight bytes (all other bits clear) as one byte.
#[inline(always)]
const fn gather(tops: u64) -> u64 {
    tops.wrapping_mul(0x0002_0408_1020_4081) >> 56
}

/// The integer in `text[start..end]`, which are 1 to 16 digits; `None` for more.
#[inline(always)]
fn digits(text: &[u8], start: usize, end: usize) -> Option<u64> {
    let n = end - start;
    if n <= 8 {
        Some(eight(load(text, start) << ((8 - n) * 8)))
    } else if n <= 16 {
        let high = eight(load(text, start) << ((16 - n) * 8));
        Some(high * 100_000_000 + eight(load(text, end - 8)))
    } else {
        None
    }
}

/// Eight bytes at `at`, digits as their values.
#[inline(always)]
fn load(text: &[u8], at: usize) -> u64 {
    match text.get(at..).and_then(|t| t.first_chunk::<8>()) {
        Some(bytes) => u64::from_le_bytes(*bytes) ^ 0x3030_3030_3030_3030,
        None => 0,
    }
}

/// The number that eight digits make, the first in the lowest byte.
#[inline(always)]
const fn eight(mut x: u64) -> u64 {
    x = x.wrapping_mul(10 * (1 << 8) + 1) >> 8 & 0x00FF_00FF_00FF_00FF;
    x = x.wrapping_mul(100 * (1 << 16) + 1) >> 16 & 0x0000_FFFF_0000_FFFF;
    x.wrapping_mul(10_000 * (1 << 32) + 1) >> 32
}
