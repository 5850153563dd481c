//! How pages hold numbers: runs of small ones, and differences packed in bits.

use heap_base::{Result, push_varint, unzigzag, zigzag};

/// Bits that `n` needs.
pub(crate) const fn width(n: u32) -> u32 {
    u32::BITS - n.leading_zeros()
}

/// Appends numbers of `width` bits as runs of equal ones and packed groups of eight (`RLE`).
pub(crate) fn push_runs(out: &mut Vec<u8>, width: u32, values: &[u32]) {
    let mut packed = 0;
    let mut at = 0;
    while at < values.len() {
        let value = values[at];
        let equal = values[at..].iter().take_while(|&&v| v == value).count();
        if equal >= 8 {
            push_packed(out, width, &values[packed..at]);
            push_varint(out, (equal as u64) << 1);
            out.extend_from_slice(&value.to_le_bytes()[..width.div_ceil(8) as usize]);
            at += equal;
            packed = at;
        } else {
            at = (at + 8).min(values.len());
        }
    }
    push_packed(out, width, &values[packed..]);
}

fn push_packed(out: &mut Vec<u8>, width: u32, values: &[u32]) {
    if values.is_empty() {
        return;
    }
    let groups = values.len().div_ceil(8);
    push_varint(out, (groups as u64) << 1 | 1);
    let end = out.len() + groups * width as usize;
    pack(out, width, values.iter().map(|&v| u64::from(v)));
    out.resize(end, 0);
}

/// Appends numbers of `width` bits, the first in the lowest bits.
fn pack(out: &mut Vec<u8>, width: u32, values: impl Iterator<Item = u64>) {
    let (mut word, mut used) = (0u128, 0);
    for value in values {
        word |= u128::from(value) << used;
        used += width;
        if used >= 64 {
            out.extend_from_slice(&(word as u64).to_le_bytes());
            word >>= 64;
            used -= 64;
        }
    }
    out.extend_from_slice(&(word as u64).to_le_bytes()[..used.div_ceil(8) as usize]);
}

/// Numbers in a block of differences, and in each of its parts, which have a width of their own.
const BLOCK: usize = 128;
const PART: usize = 32;

/// Appends whole numbers as packed differences (`DELTA_BINARY_PACKED`).
pub(crate) fn push_deltas(out: &mut Vec<u8>, values: &[i64]) {
    push_varint(out, BLOCK as u64);
    push_varint(out, (BLOCK / PART) as u64);
    push_varint(out, values.len() as u64);
    push_varint(out, zigzag(values.first().copied().unwrap_or(0)));
    let mut deltas = [0i64; BLOCK];
    for start in (1..values.len()).step_by(BLOCK) {
        let n = (values.len() - start).min(BLOCK);
        let from = values[start - 1..start + n].iter();
        for (delta, (before, after)) in deltas.iter_mut().zip(from.clone().zip(from.skip(1))) {
            *delta = after.wrapping_sub(*before);
        }
        let deltas = &deltas[..n];
        let least = deltas.iter().copied().min().unwrap_or(0);
        push_varint(out, zigzag(least));
        let widths = out.len();
        out.extend_from_slice(&[0; BLOCK / PART]);
        for (i, part) in deltas.chunks(PART).enumerate() {
            let all = part.iter().fold(0, |all, delta| all | delta.wrapping_sub(least) as u64);
            let width = u64::BITS - all.leading_zeros();
            out[widths + i] = width as u8;
            let end = out.len() + PART * width as usize / 8;
            pack(out, width, part.iter().map(|delta| delta.wrapping_sub(least) as u64));
            out.resize(end, 0);
        }
    }
}

/// Reads numbers of some bits, the first in the lowest bits.
struct Bits<'a> {
    bytes: &'a [u8],
    bit: usize,
}

impl Bits<'_> {
    fn next(&mut self, width: u32) -> u64 {
        let mut word = [0; 16];
        let from = self.bytes.get(self.bit / 8..).unwrap_or_default();
        let n = from.len().min(16);
        word[..n].copy_from_slice(&from[..n]);
        let value = u128::from_le_bytes(word) >> (self.bit % 8);
        self.bit += width as usize;
        (value & ((1u128 << width) - 1)) as u64
    }
}

/// The values of a page, read in order; each error is for the caller to place.
#[derive(Debug)]
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

/// What is wrong with a page.
pub(crate) type Wrong = &'static str;

impl<'a> Bytes<'a> {
    pub(crate) fn take(&mut self, n: usize) -> Result<&'a [u8], Wrong> {
        let (taken, rest) = self.0.split_at_checked(n).ok_or("ends early")?;
        self.0 = rest;
        Ok(taken)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, Wrong> {
        let bytes = self.take(4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    pub(crate) fn u64(&mut self) -> Result<u64, Wrong> {
        let mut word = [0; 8];
        word.copy_from_slice(self.take(8)?);
        Ok(u64::from_le_bytes(word))
    }

    pub(crate) fn varint(&mut self) -> Result<u64, Wrong> {
        let (mut n, mut shift) = (0, 0);
        loop {
            let byte = self.take(1)?[0];
            n |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            match byte {
                0..0x80 => return Ok(n),
                _ if shift > 63 => return Err("a number of more than 64 bits"),
                _ => {}
            }
        }
    }

    /// Appends `count` numbers that [`push_runs`] wrote.
    pub(crate) fn runs(&mut self, width: u32, count: usize, out: &mut Vec<u32>) -> Result<(), Wrong> {
        if width > 32 {
            return Err("expected a width of at most 32 bits");
        }
        let end = out.len() + count;
        while out.len() < end {
            let head = self.varint()?;
            let n = usize::try_from(head >> 1).unwrap_or(usize::MAX);
            if n == 0 {
                return Err("an empty run");
            }
            if head & 1 == 0 {
                let mut value = [0; 4];
                let bytes = self.take(width.div_ceil(8) as usize)?;
                value[..bytes.len()].copy_from_slice(bytes);
                let n = n.min(end - out.len());
                out.extend(std::iter::repeat_n(u32::from_le_bytes(value), n));
            } else {
                let bytes = self.take(n.checked_mul(width as usize).ok_or("a run of too many")?)?;
                let n = n.saturating_mul(8).min(end - out.len());
                let mut bits = Bits { bytes, bit: 0 };
                out.extend((0..n).map(|_| bits.next(width) as u32));
            }
        }
        Ok(())
    }

    /// Appends `count` numbers that [`push_deltas`] wrote, or as another writer packs them.
    pub(crate) fn deltas(&mut self, count: usize, out: &mut Vec<i64>) -> Result<(), Wrong> {
        let (block, parts) = (self.varint()?, self.varint()?);
        if block == 0 || block > 1 << 16 || parts == 0 || block % parts != 0 || block / parts % 32 != 0 {
            return Err("expected blocks of differences");
        }
        let part = (block / parts) as usize;
        if self.varint()? != count as u64 {
            return Err("expected as many differences as values");
        }
        let mut value = unzigzag(self.varint()?);
        if count == 0 {
            return Ok(());
        }
        let end = out.len() + count;
        out.push(value);
        while out.len() < end {
            let least = unzigzag(self.varint()?);
            let widths = self.take(parts as usize)?;
            for &width in widths {
                if out.len() >= end {
                    break;
                }
                if width > 64 {
                    return Err("expected a width of at most 64 bits");
                }
                let bytes = self.take(part * usize::from(width) / 8)?;
                let mut bits = Bits { bytes, bit: 0 };
                for _ in 0..part.min(end - out.len()) {
                    value = value.wrapping_add(least).wrapping_add(bits.next(width.into()) as i64);
                    out.push(value);
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        arbtest::arbtest(|u| {
            let mut values: Vec<u32> = Vec::new();
            let most = u.int_in_range(0..=32)?;
            for _ in 0..u.int_in_range(0..=40)? {
                let value = u64::from(u.arbitrary::<u32>()?) & ((1u64 << most) - 1);
                values.extend(std::iter::repeat_n(value as u32, u.int_in_range(1..=20)?));
            }
            let mut out = Vec::new();
            push_runs(&mut out, most, &values);
            let (mut bytes, mut found) = (Bytes(&out), Vec::new());
            assert_eq!(bytes.runs(most, values.len(), &mut found), Ok(()));
            assert_eq!(found, values);
            assert!(bytes.0.is_empty());

            let mut values: Vec<i64> = Vec::new();
            let shift = u.int_in_range(0..=63)?;
            for _ in 0..u.int_in_range(0..=400)? {
                values.push(u.arbitrary::<i64>()? >> shift);
            }
            let mut out = Vec::new();
            push_deltas(&mut out, &values);
            let (mut bytes, mut found) = (Bytes(&out), Vec::new());
            assert_eq!(bytes.deltas(values.len(), &mut found), Ok(()));
            assert_eq!(found, values);
            assert!(bytes.0.is_empty());
            Ok(())
        });
    }
}
