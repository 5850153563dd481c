//! Places in the source: from a bytecode to an offset, and from an offset to line and column.

use crate::heap::Heap;
use crate::lines::Lines;
use crate::objects::Kind;
use crate::space::object_of;

use super::compiled::offset_of;

impl Heap {
    /// Offset in the script of the bytecode at `offset`, and whether the table has that very bytecode.
    pub(crate) fn source_offset(&self, bytecodes: u64, offset: i64, form: Form) -> Option<(u32, bool)> {
        let table = self.byte_array(self.memory.word(bytecodes + self.offsets.positions)?)?;
        source_offset(&table, offset, form)
    }

    /// Bytes from an address to the end of its page.
    pub(super) fn room(&self, address: u64) -> u64 {
        self.pages.at(address).map_or(0, |(_, page)| page.end - address)
    }

    /// Finds the lines of a script: as V8 has computed them, else in its source.
    pub(super) fn read_lines(&self, script: u64) -> Lines {
        // The word after the name is the offset of the script in its file.
        let first = self.memory.word(script + self.offsets.script_name + 8).unwrap_or(0);
        let first = if first & 1 == 0 { (first >> 32) as u32 } else { 0 };
        let first = if first < 1 << 24 { first } else { 0 };
        let known = self.memory.word(script + self.offsets.script_line_ends).and_then(object_of);
        if let Some(table) = known
            && self.kind_of(table + 1) == Some(Kind::Array)
            && let Some(length) = self.array_length(table).filter(|&n| n > 0)
        {
            let end =
                |i| self.memory.word(table + 16 + 8 * i).filter(|w| w & 1 == 0).map(|w| (w >> 32) as u32);
            let ends: Vec<u32> = (0..length).map_while(end).collect();
            if ends.len() as u64 == length && ends.is_sorted() {
                return Lines { ends, first };
            }
        }
        let Some(source) = self.memory.word(script + self.offsets.script_source) else {
            return Lines::default();
        };
        let Some((address, _)) = self.string_at(source) else { return Lines::default() };
        let mut units = Vec::new();
        self.part(source, 0, self.string_length(address).into(), &mut units);
        if units.is_empty() {
            return Lines::default();
        }
        Lines::of_units(&units, first)
    }
}

/// How the differences of bytecode offsets are written in a table of source positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Up to V8 13: with a sign, which says whether it is a statement.
    Signed,
    /// V8 14: above two flags.
    Flagged,
}

/// Numbers of seven bits a byte, the lowest first.
pub(super) struct Numbers<'a>(pub(super) &'a [u8]);

impl Iterator for Numbers<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let (mut value, mut shift) = (0u64, 0);
        loop {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            if shift < 64 {
                value |= u64::from(byte & 0x7f) << shift;
            }
            shift += 7;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
    }
}

/// Looks an offset up in a table of source positions: the offset in the script, and whether the table has that very offset.
pub(crate) fn source_offset(table: &[u8], offset: i64, form: Form) -> Option<(u32, bool)> {
    let (position, exact) = source_position(table, offset, form)?;
    Some((offset_of(position)?, exact))
}

/// The same before it is taken apart: bit 0 says external, then comes the offset, and above it the number of an inlining.
pub(super) fn source_position(table: &[u8], offset: i64, form: Form) -> Option<(i64, bool)> {
    let mut found = None;
    for entry in Entries::new(table, form) {
        if entry.code > offset {
            break;
        }
        found = Some((entry.position, entry.code == offset));
    }
    found
}

/// An entry of a table of source positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Offset of the code.
    pub(super) code: i64,
    /// As [`source_position`] has it.
    pub(super) position: i64,
    /// Whether a statement begins there, and not only an expression.
    pub(super) statement: bool,
}

/// The entries of a table, as far as they are whole.
pub(super) struct Entries<'a> {
    numbers: Numbers<'a>,
    form: Form,
    code: i64,
    position: i64,
}

impl<'a> Entries<'a> {
    pub(super) fn new(table: &'a [u8], form: Form) -> Self {
        // The first difference is counted from -1.
        Self { numbers: Numbers(table), form, code: -1, position: 0 }
    }
}

impl Iterator for Entries<'_> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        let signed = |value: u64| (value >> 1) as i64 ^ -((value & 1) as i64);
        let (step, by) = (self.numbers.next()?, self.numbers.next()?);
        let (step, statement) = match self.form {
            Form::Flagged => ((step >> 2) as i64, step & 1 == 1),
            // A statement's difference is as it is, an expression's is inverted.
            Form::Signed => (signed(step) ^ (signed(step) >> 63), signed(step) >= 0),
        };
        self.code = self.code.checked_add(step)?;
        self.position = self.position.checked_add(signed(by))?;
        Some(Entry { code: self.code, position: self.position, statement })
    }
}
