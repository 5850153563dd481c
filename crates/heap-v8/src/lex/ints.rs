//! Text to integers: the lists that make up nine tenths of a snapshot.
//!
//! [`fast`] takes blocks of 64 bytes in the shape that V8 writes (digits, each integer followed by `,` or by
//! LF and `,`); whatever else JSON allows (blanks, signs, more than 16 digits) and every error is left to [`slow`], the
//! obvious twin. Tests hold them together. Plain edges and nodes have ways of their own (`edges`, `nodes`).
//!
//! All separators of a block are found first and the integers cut out afterwards, so that the position of one
//! does not wait for the text of the one before: that wait, and a mispredicted branch for every integer whose
//! length is not that of the last, is what a digit loop costs. Measured with callgrind: 45 instructions an integer of a
//! node.

#![expect(clippy::inline_always, reason = "measured: a call costs as much as the work")]

use wide::u8x16;

use super::digits::{self, PAD};

/// Bytes of text at a time: system calls cost nothing then, and it stays in the second-level cache.
pub(crate) const TEXT: usize = 256 << 10;

/// A buffer of text. Its size is in the type to spare checks of bounds; a block at its end has a next byte.
pub(crate) type Text = [u8; TEXT + PAD];

/// Integers at a time: 128 KiB.
pub(crate) const INTS: usize = 16 << 10;

/// A buffer of integers.
pub(crate) type Slots = [u64; INTS];

/// A buffer on the heap.
pub(crate) fn boxed<T: Copy + std::fmt::Debug, const N: usize>(zero: T) -> Box<[T; N]> {
    vec![zero; N].into_boxed_slice().try_into().expect("the vector has this length")
}

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
    pub(crate) ints: &'a mut Slots,
    /// How many are filled.
    pub(crate) n: usize,
    /// How many may be filled, up to [`INTS`].
    pub(crate) most: usize,
    /// Slots that hold negative numbers, ascending.
    pub(crate) negatives: &'a mut Vec<u32>,
}

/// Lexes byte by byte from `pos` until `stop` and the next integer is reached or `out` is full; returns the
/// position reached, always between tokens. A token that reaches the end of the text is left alone, unless the
/// text ends there for good (`last`).
pub(crate) fn slow(
    text: &[u8],
    mut pos: usize,
    stop: usize,
    last: bool,
    expect: &mut Expect,
    out: &mut Out<'_>,
) -> Result<usize, Bad> {
    while (pos < stop || *expect == Expect::Comma) && out.n < out.most {
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
                out.ints[out.n % INTS] = value;
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

/// Lexes whole blocks of 64 bytes of `text[pos..len]` while they have the plain shape and `out` has room; returns
/// the position reached, between tokens.
#[inline(never)]
pub(crate) fn fast(text: &Text, len: usize, pos: usize, expect: &mut Expect, out: &mut Out<'_>) -> usize {
    if *expect == Expect::Comma || pos >= len || !text.get(pos).is_some_and(u8::is_ascii_digit) {
        return pos;
    }
    let mut base = pos;
    let mut start = pos;
    let mut n = out.n;
    // 1 if the block before ended within an integer.
    let mut carry = 0;
    while base + 64 <= len && n + MOST <= out.most {
        let Some(block) = text.get(base..).and_then(|t| t.first_chunk()) else { break };
        let Some(digit) = plain(block) else { break };
        let after_digit = digit << 1 | carry;
        let mut ends = !digit & after_digit;
        let mut starts = digit & !after_digit;
        if carry == 0 {
            start = base + starts.trailing_zeros() as usize;
            starts &= starts.wrapping_sub(1);
        }
        while ends != 0 {
            let end = base + ends.trailing_zeros() as usize;
            ends &= ends - 1;
            let Some(value) = digits::integer(text, start, end) else {
                // More than 16 digits: this one is for the slow twin.
                out.n = n;
                *expect = Expect::Int;
                return start;
            };
            out.ints[n % INTS] = value;
            n += 1;
            start = base + starts.trailing_zeros() as usize;
            starts &= starts.wrapping_sub(1);
        }
        carry = digit >> 63;
        base += 64;
    }
    out.n = n;
    if base == pos {
        return pos;
    }
    *expect = Expect::Int;
    if carry == 1 {
        return start;
    }
    if text[base - 1] == b'\n' {
        // The comma after the LF is still to come.
        *expect = Expect::Comma;
    }
    base
}

/// Mask of the digits (bit i = byte i) of a block of the plain shape: digits, commas before a digit, LFs before a
/// comma; `None` if it has another. The 65th byte is what the last one stands before.
#[inline(always)]
pub(crate) fn plain(block: &[u8; 65]) -> Option<u64> {
    let (mut digit, mut comma, mut newline) = (0, 0, 0);
    for (k, bytes) in block.as_chunks::<16>().0.iter().enumerate() {
        let bytes = u8x16::new(*bytes);
        let equal = |byte: u8| bytes.simd_eq(u8x16::splat(byte)).to_bitmask();
        digit |= u64::from(digits::mask(bytes)) << (16 * k);
        comma |= u64::from(equal(b',')) << (16 * k);
        newline |= u64::from(equal(b'\n')) << (16 * k);
    }
    let after = block[64];
    let before_digit = digit >> 1 | u64::from(after.is_ascii_digit()) << 63;
    let before_comma = comma >> 1 | u64::from(after == b',') << 63;
    (digit | comma & before_digit | newline & before_comma == !0).then_some(digit)
}
