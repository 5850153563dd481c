//! The tables that grow with the file: strings, types, static frames.

use std::io::Write;

use heap_base::Spool;
use heap_base::{Map, Result};
use heap_record::{LeftOut, Str, StringId, Types};
use heap_spool::{Texts, exact};

use super::file::{File, width};
use super::row::Row;
use crate::emit::{MAX_STRING, MAX_TABLE};
use crate::kinds::{FRAME, OBJECT};

/// The name of what the stream does not name.
const UNKNOWN: &[u8] = b"<unknown>";

/// A text of the string table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Name {
    /// A string of the stream.
    String(StringId),
    /// Name of a subtype.
    Subtype(u32),
    /// The same where a class is expected, in brackets.
    Bracketed(u32),
    /// Empty.
    Empty,
    /// Nothing is known.
    Unknown,
}

/// A type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Type {
    pub(super) repr: Name,
    pub(super) name: Name,
}

/// A static frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Frame {
    pub(super) name: Name,
    pub(super) cuid: Name,
    pub(super) line: u64,
    pub(super) file: Name,
}

/// Rows of a table by the number or by the contents that the stream knows them by.
#[derive(Debug)]
pub(super) struct Table<T> {
    rows: Vec<T>,
    /// How many were written.
    written: usize,
    /// Rows by the stream's number, where that is not their place.
    numbers: Map<u64, u32>,
    /// True while each number is a place.
    shifted: bool,
    keys: Map<T, u32>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self { rows: Vec::new(), written: 0, numbers: Map::default(), shifted: false, keys: Map::default() }
    }
}

impl<T: Copy + Eq + std::hash::Hash> Table<T> {
    /// Adds the row that the stream calls `number`; false if the table is full.
    pub(super) fn add_row(&mut self, number: u64, row: T) -> bool {
        let at = self.rows.len();
        if at >= MAX_TABLE {
            return false;
        }
        if !self.shifted && number != at as u64 {
            self.shifted = true;
            self.numbers = (0..at as u32).map(|n| (n.into(), n)).collect();
        }
        if self.shifted {
            self.numbers.insert(number, at as u32);
        }
        self.rows.push(row);
        true
    }

    /// The row that the stream calls `number`; if it has no record, one made by `make`.
    pub(super) fn number(&mut self, number: u64, make: impl FnOnce() -> T) -> u64 {
        if !self.shifted && number < self.rows.len() as u64 {
            return number;
        }
        if let Some(&at) = self.numbers.get(&number) {
            return at.into();
        }
        // A full table: whatever comes first.
        if self.add_row(number, make()) { self.rows.len() as u64 - 1 } else { 0 }
    }

    /// The row with these contents.
    pub(super) fn intern(&mut self, row: T) -> Option<u32> {
        if let Some(&at) = self.keys.get(&row) {
            return Some(at);
        }
        let at = self.rows.len() as u32;
        if self.rows.len() >= MAX_TABLE {
            return None;
        }
        self.keys.insert(row, at);
        self.rows.push(row);
        Some(at)
    }

    fn new_rows(&self) -> &[T] {
        &self.rows[self.written..]
    }
}

/// The three tables.
#[derive(Debug, Default)]
pub(super) struct Tables {
    pub(super) types: Table<Type>,
    pub(super) frames: Table<Frame>,
    /// Strings that were not written yet, as their block has them.
    strings: Spool,
    count: u32,
    /// Numbers of the stream's strings: none while they are the same.
    ids: Map<StringId, u32>,
    shifted: bool,
    literals: Map<Box<[u8]>, u32>,
}

impl Tables {
    /// Adds a string to the table.
    fn push(&mut self, bytes: &[u8]) -> Result<u32> {
        let mut end = bytes.len().min(MAX_STRING);
        while end < bytes.len() && bytes[end] & 0xc0 == 0x80 {
            end -= 1;
        }
        self.strings.build(|out| {
            out.extend_from_slice(&(end as u32).to_le_bytes());
            out.extend_from_slice(&bytes[..end]);
        })?;
        self.count += 1;
        Ok(self.count - 1)
    }

    /// Says whether the stream comes from MoarVM, so that all its strings go into the table.
    pub(super) fn begin(&mut self, native: bool) {
        self.shifted = !native;
    }

    /// The next string of such a stream.
    pub(super) fn add(&mut self, record: &Str<'_>) -> Result {
        let id = record.id;
        let at = match exact(record) {
            Some(bytes) => self.push(&bytes)?,
            None => self.push(record.data.text().as_bytes())?,
        };
        if !self.shifted && id != StringId::from(at) {
            self.shift();
        }
        if self.shifted {
            self.ids.insert(id, at);
        }
        Ok(())
    }

    fn shift(&mut self) {
        self.shifted = true;
        // The last one is the caller's.
        self.ids.extend((0..self.count - 1).map(|n| (n.into(), n)));
    }

    /// The type of an object, static frame of a frame, or what else a row has there.
    pub(super) fn owner(&mut self, row: &Row, names: &Map<(bool, u64), StringId>) -> u64 {
        let name = |frame| names.get(&(frame, row.owner)).map_or(Name::Unknown, |&id| Name::String(id));
        match row.kind {
            1..=3 => self.types.number(row.owner, || Type { repr: Name::Unknown, name: name(false) }),
            FRAME => self.frames.number(row.owner, || Frame {
                name: name(true),
                cuid: Name::Empty,
                line: 0,
                file: Name::Unknown,
            }),
            _ => row.owner,
        }
    }

    /// Kind and number of a row of this type.
    pub(super) fn ty(&mut self, row: Type) -> (u64, u64) {
        let at = self.types.intern(row).or_else(|| {
            let Name::Subtype(subtype) = row.repr else { return None };
            self.types.intern(Type { name: Name::Bracketed(subtype), ..row })
        });
        (OBJECT, at.unwrap_or(0).into())
    }

    /// The same for a static frame.
    pub(super) fn frame(&mut self, row: Frame) -> (u64, u64) {
        (FRAME, self.frames.intern(row).unwrap_or(0).into())
    }

    /// True if types or frames have other numbers than in the stream.
    pub(super) fn renumbered(&self) -> bool {
        self.types.shifted || self.frames.shifted
    }

    /// The number of a string of such a stream.
    #[inline]
    pub(super) fn added(&self, id: StringId) -> Option<u32> {
        if self.shifted {
            self.ids.get(&id).copied()
        } else {
            u32::try_from(id).ok().filter(|&n| n < self.count)
        }
    }

    /// The number of a string of any other stream, which enters the table with its first use.
    pub(super) fn used(&mut self, id: StringId, texts: &mut Texts) -> Result<Option<u32>> {
        if let Some(&at) = self.ids.get(&id) {
            return Ok(Some(at));
        }
        let Some(text) = texts.get(id)? else { return Ok(None) };
        let at = self.push(&text.utf8())?;
        self.ids.insert(id, at);
        Ok(Some(at))
    }

    fn literal(&mut self, bytes: &[u8]) -> Result<u32> {
        if let Some(&at) = self.literals.get(bytes) {
            return Ok(at);
        }
        // From here on the stream's numbers are not the table's.
        let at = self.push(bytes)?;
        if !self.shifted {
            self.shift();
        }
        self.literals.insert(bytes.into(), at);
        Ok(at)
    }

    fn name(&mut self, name: Name, texts: Option<&mut Texts>, types: &Types) -> Result<u64> {
        let found = match (name, texts) {
            (Name::String(id), None) => self.added(id),
            (Name::String(id), Some(texts)) => self.used(id, texts)?,
            (Name::Subtype(id), _) => Some(self.literal(types.node_name(id).as_bytes())?),
            (Name::Bracketed(id), _) => Some(self.literal(format!("({})", types.node_name(id)).as_bytes())?),
            (Name::Empty, _) => Some(self.literal(b"")?),
            (Name::Unknown, _) => None,
        };
        match found {
            Some(at) => Ok(at.into()),
            None => self.literal(UNKNOWN).map(u64::from),
        }
    }

    /// Writes what is new since the last snapshot. `texts` are the strings of a stream that does not come from MoarVM.
    pub(super) fn write<W: Write>(
        &mut self,
        file: &mut File<W>,
        mut texts: Option<&mut Texts>,
        types: &Types,
        left_out: &mut LeftOut,
    ) -> Result {
        let mut columns: [Vec<u64>; 6] = Default::default();
        let new: Vec<_> = self.types.new_rows().to_vec();
        for row in &new {
            columns[0].push(self.name(row.repr, texts.as_deref_mut(), types)?);
            let name = type_name(row, texts.as_deref_mut())?;
            columns[1].push(self.name(name, texts.as_deref_mut(), types)?);
        }
        let new: Vec<_> = self.frames.new_rows().to_vec();
        for row in &new {
            columns[2].push(self.name(row.name, texts.as_deref_mut(), types)?);
            columns[3].push(self.name(row.cuid, texts.as_deref_mut(), types)?);
            columns[4].push(row.line);
            columns[5].push(self.name(row.file, texts.as_deref_mut(), types)?);
        }
        self.types.written = self.types.rows.len();
        self.frames.written = self.frames.rows.len();
        left_out.add("types beyond 4,194,304", u64::from(self.types.rows.len() >= MAX_TABLE));
        if !self.strings.is_empty() {
            file.strings(&std::mem::take(&mut self.strings))?;
        }
        let names =
            [*b"reprname", *b"typename", *b"sfname\0\0", *b"sfcuid\0\0", *b"sfline\0\0", *b"sffile\0\0"];
        for (name, rows) in names.into_iter().zip(&columns).filter(|(_, rows)| !rows.is_empty()) {
            let max = rows.iter().fold(0, |max, &n| max.max(n));
            file.column(name, width(4, max), rows.len() as u64, |column| {
                rows.iter().try_for_each(|&n| column.push(n))
            })?;
        }
        Ok(())
    }
}

/// What a type is called: in other streams one whose name is empty is called after its subtype.
fn type_name(row: &Type, texts: Option<&mut Texts>) -> Result<Name> {
    let (Name::String(id), Name::Subtype(subtype), Some(texts)) = (row.name, row.repr, texts) else {
        return Ok(row.name);
    };
    let empty = texts.get(id)?.is_none_or(|text| text.bytes.is_empty());
    Ok(if empty { Name::Bracketed(subtype) } else { row.name })
}
