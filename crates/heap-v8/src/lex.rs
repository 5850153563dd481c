//! Text to integers: the lists that make up nine tenths of a snapshot.
//!
//! [`fast`] takes blocks of 64 bytes in the shape that V8 writes (digits, each integer followed by `,` or by
//! LF and `,`) on plain 64-bit words; whatever else JSON allows (blanks, signs, more than 16 digits) and every
//! error is left to [`slow`], the obvious twin. Tests hold the two together.
//!
//! All separators of a block are found first and the integers cut out afterwards, so that the position of one
//! does not wait for the text of the one before: that wait, and a mispredicted branch for every integer whose
//! length is not that of the last, is what a digit loop costs. Measured with callgrind: 48 instructions an integer,
//! that is 10 a byte in edges.

#![expect(
    clippy::inline_always,
    clippy::needless_bitwise_bool,
    reason = "measured: a call costs as much as the work; lazy operators would be branches, and no 16 bytes at a time"
)]

/// Bytes of text at a time: system calls cost nothing then, and it stays in the second-level cache.
pub(crate) const TEXT: usize = 256 << 10;

/// Bytes behind the text, so that eight can be loaded at any position in it, and a block has a next byte.
const PAD: usize = 8;

/// A buffer of text. Its size is in the type to spare checks of bounds.
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
/// position reached, always between tokens. A token that reaches the end of the text is left alone, unless the text ends there for good
/// (`last`).
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
        if !plain(block) {
            break;
        }
        let digit = digit_mask(block);
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
            let Some(value) = digits(text, start, end) else {
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

/// Whether a block has the plain shape: digits, commas before a digit, LFs before a comma. The 65th byte is
/// what the last one stands before.
///
/// Not inlined, like [`digit_mask`]: the compiler turns this into 16 bytes at a time and that into 8, and loses
/// a fifth if it may mix the two.
#[inline(never)]
pub(crate) fn plain(block: &[u8; 65]) -> bool {
    let mut good = true;
    for (&a, &b) in block[..64].iter().zip(&block[1..]) {
        let digit = a.wrapping_sub(b'0') < 10;
        // Of the bytes that may stand here, only digits have bit 4.
        let comma = (a == b',') & (b & 0x10 != 0);
        let newline = (a == b'\n') & (b == b',');
        good &= digit | comma | newline;
    }
    good
}

/// Mask of the digits of a block of the plain shape (bit i = byte i).
#[inline(never)]
pub(crate) fn digit_mask(block: &[u8; 65]) -> u64 {
    // Word k puts its bytes' bits 4 into bits k: a matrix of 8 × 8 bits, to be transposed.
    let mut x = 0;
    for (k, word) in block.as_chunks::<8>().0.iter().enumerate() {
        let bits = u64::from_le_bytes(*word) & 0x1010_1010_1010_1010;
        x |= if k < 4 { bits >> (4 - k) } else { bits << (k - 4) };
    }
    let swap = (x ^ x >> 7) & 0x00AA_00AA_00AA_00AA;
    x ^= swap ^ swap << 7;
    let swap = (x ^ x >> 14) & 0x0000_CCCC_0000_CCCC;
    x ^= swap ^ swap << 14;
    let swap = (x ^ x >> 28) & 0x0000_0000_F0F0_F0F0;
    x ^ swap ^ swap << 28
}

/// The integer in `text[start..end]`, which are 1 to 16 digits; `None` for more.
#[inline(always)]
fn digits(text: &Text, start: usize, end: usize) -> Option<u64> {
    let n = end.wrapping_sub(start);
    // The digits move to the top of the word: what stands behind them falls out, zeros come in before them.
    let up = (n as u32).wrapping_mul(8).wrapping_neg();
    let first = eight(load(text, start).wrapping_shl(up));
    if n <= 8 {
        Some(first)
    } else if n <= 16 {
        Some(first * 100_000_000 + eight(load(text, end - 8)))
    } else {
        None
    }
}

/// Eight bytes at `at`, digits as their values.
#[inline(always)]
fn load(text: &Text, at: usize) -> u64 {
    // The remainder changes nothing, and spares the check that `at` is in bounds.
    text[at % TEXT..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes) ^ 0x3030_3030_3030_3030)
}

/// The number that eight digits make, the first in the lowest byte.
#[inline(always)]
const fn eight(mut x: u64) -> u64 {
    x = x.wrapping_mul(10 * (1 << 8) + 1) >> 8 & 0x00FF_00FF_00FF_00FF;
    x = x.wrapping_mul(100 * (1 << 16) + 1) >> 16 & 0x0000_FFFF_0000_FFFF;
    x.wrapping_mul(10_000 * (1 << 32) + 1) >> 32
}
