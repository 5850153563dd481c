//! Bytecodes: where each begins, and which register it writes.

use crate::constants::line_of;

/// Lengths of bytecodes by version.
const SETS: &str = include_str!("../../data/bytecodes.txt");
/// Bytecodes that widen the operands of the next: twice and four times, plain and of a debugger.
const PREFIXES: usize = 4;
/// Bytecodes that write one of the first registers and have no operand, the last numbers but one.
const SHORT: u8 = 16;

/// The bytecodes of a line of versions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Set {
    /// Two hexadecimal digits each: the length, and by how much it grows if operands are twice as wide.
    pub(crate) lengths: &'static [u8],
    /// Number of the one that writes a register; the next copies one register to another.
    star: u8,
    /// How far below 0 an operand is that names register 0.
    base: i64,
}

impl Set {
    /// Those of a version of V8.
    pub(crate) fn of(v8: &str) -> Option<Self> {
        let line = line_of(v8)?;
        let row = SETS.lines().find_map(|row| row.split_once(' ').filter(|(version, _)| *version == line))?.1;
        let mut words = row.split(' ');
        Some(Self {
            lengths: words.next()?.as_bytes(),
            star: u8::from_str_radix(words.next()?, 16).ok()?,
            base: words.next()?.parse().ok()?,
        })
    }

    /// The register that an operand names.
    pub(crate) fn register(&self, operand: i64) -> Option<u64> {
        u64::try_from(-self.base - operand).ok()
    }

    /// The register that a bytecode writes, if writing it is all that it does.
    pub(crate) fn written(&self, bytecode: &Bytecode<'_>) -> Option<u64> {
        let last = u8::try_from(self.lengths.len() / 2).ok()?.checked_sub(2)?;
        match last.checked_sub(bytecode.code) {
            Some(number) if number < SHORT => Some(number.into()),
            _ if bytecode.code == self.star => self.register(bytecode.operand(0)?),
            _ if bytecode.code == self.star + 1 => self.register(bytecode.operand(1)?),
            _ => None,
        }
    }
}

/// A bytecode in its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bytecode<'a> {
    /// Offset of its first byte, that of a prefix included.
    pub(crate) at: usize,
    pub(crate) code: u8,
    /// Bytes of an operand that names a register.
    width: usize,
    operands: &'a [u8],
}

impl Bytecode<'_> {
    /// An operand, if all before it name registers.
    pub(crate) fn operand(&self, number: usize) -> Option<i64> {
        let bytes = self.operands.get(number * self.width..(number + 1) * self.width)?;
        match *bytes {
            [a] => Some(i64::from(a as i8)),
            [a, b] => Some(i64::from(i16::from_le_bytes([a, b]))),
            [a, b, c, d] => Some(i64::from(i32::from_le_bytes([a, b, c, d]))),
            _ => None,
        }
    }
}

/// Goes over bytecodes, as far as they are whole.
#[derive(Debug)]
pub(crate) struct Bytecodes<'a> {
    bytes: &'a [u8],
    lengths: &'a [u8],
    at: usize,
}

impl<'a> Bytecodes<'a> {
    pub(crate) fn new(bytes: &'a [u8], lengths: &'a [u8]) -> Self {
        Self { bytes, lengths, at: 0 }
    }

    /// Whether the last one ended where the bytes end.
    pub(crate) fn is_whole(&self) -> bool {
        self.at == self.bytes.len()
    }

    fn digit(&self, at: usize) -> Option<usize> {
        char::from(*self.lengths.get(at)?).to_digit(16).map(|n| n as usize)
    }
}

impl<'a> Iterator for Bytecodes<'a> {
    type Item = Bytecode<'a>;

    fn next(&mut self) -> Option<Bytecode<'a>> {
        let at = self.at;
        let first = *self.bytes.get(at)?;
        let (prefix, code, width) = if usize::from(first) < PREFIXES {
            (1, *self.bytes.get(at + 1)?, if first % 2 == 0 { 2 } else { 4 })
        } else {
            (0, first, 1)
        };
        let number = 2 * usize::from(code);
        let length = self.digit(number)?.max(1) + (width - 1) * self.digit(number + 1)?;
        let operands = self.bytes.get(at + prefix + 1..at + prefix + length)?;
        self.at = at + prefix + length;
        Some(Bytecode { at, code, width, operands })
    }
}
