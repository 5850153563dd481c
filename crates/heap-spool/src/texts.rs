//! Strings by number.

use std::borrow::Cow;

use heap_base::json::{Json, scalar};
use heap_base::{Map, Result, Spool, member, push_varint};
use heap_record::{Str, StringId};

/// Bytes that are read at a time where strings are asked for in no order.
const NEAR: usize = 512;
/// The same where each follows the one before.
const RUN: usize = 64 << 10;

/// What a string's bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// UTF-8.
    Utf8,
    /// Bytes that should be UTF-8 and are not.
    Bytes,
    /// UTF-16 units, least significant byte first, with surrogates that stand alone.
    Utf16,
}

/// A string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text<'a> {
    /// What the bytes are.
    pub form: Form,
    /// The bytes.
    pub bytes: &'a [u8],
}

impl<'a> Text<'a> {
    /// Its bytes, as near to UTF-8 as they are.
    pub fn utf8(self) -> Cow<'a, [u8]> {
        match self.form {
            Form::Utf8 | Form::Bytes => Cow::Borrowed(self.bytes),
            Form::Utf16 => {
                let units = self.bytes.as_chunks::<2>().0.iter().map(|&pair| u16::from_le_bytes(pair));
                let text = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER));
                Cow::Owned(text.collect::<String>().into_bytes())
            }
        }
    }
}

/// Strings by number, in a spool. Strings of array indexes are not stored: their numbers say what they are.
///
/// Memory: 8 bytes a string where the numbers count from 0, else about 24; 64 KiB besides.
#[derive(Debug, Default)]
pub struct Texts {
    spool: Spool,
    dense: Vec<u64>,
    sparse: Map<StringId, u64>,
    /// A piece of the spool and where it begins.
    window: Vec<u8>,
    at: u64,
    digits: String,
    record: Vec<u8>,
}

impl Texts {
    /// Adds a string, or replaces the one with its number.
    ///
    /// # Errors
    /// The spool file cannot be written.
    pub fn add(&mut self, record: &Str<'_>) -> Result {
        if record.id < 0 {
            return Ok(());
        }
        let at = self.spool.len();
        let data = record.data.text();
        let exact = if record.rest.is_empty() { None } else { exact_form(record.rest) };
        let (form, bytes) = exact.as_ref().map_or((0, data.as_bytes()), |(form, bytes)| (*form, bytes));
        self.spool.build(|out| {
            push_varint(out, (bytes.len() as u64) << 2 | form);
            out.extend_from_slice(bytes);
        })?;
        if record.id as u64 == self.dense.len() as u64 {
            self.dense.push(at);
        } else if let Some(slot) = self.dense.get_mut(record.id as usize) {
            *slot = at;
        } else {
            self.sparse.insert(record.id, at);
        }
        Ok(())
    }

    /// Whether there is such a string.
    pub fn has(&self, id: StringId) -> bool {
        id < 0 || (id as u64) < self.dense.len() as u64 || self.sparse.contains_key(&id)
    }

    /// The string with this number, if there is one.
    ///
    /// # Errors
    /// The spool file cannot be read.
    pub fn get(&mut self, id: StringId) -> Result<Option<Text<'_>>> {
        use std::fmt::Write as _;
        if id < 0 {
            self.digits.clear();
            let _ = write!(self.digits, "{}", -i128::from(id) - 1);
            return Ok(Some(Text { form: Form::Utf8, bytes: self.digits.as_bytes() }));
        }
        let Some(at) = self.dense.get(id as usize).or_else(|| self.sparse.get(&id)).copied() else {
            return Ok(None);
        };
        let head = self.near(at, 10)?;
        let (mut word, mut shift, mut start) = (0u64, 0, 0);
        for &byte in head {
            word |= u64::from(byte & 0x7f) << shift;
            (shift, start) = (shift + 7, start + 1);
            if byte < 0x80 || shift > 63 {
                break;
            }
        }
        let form = match word & 3 {
            0 => Form::Utf8,
            1 => Form::Bytes,
            _ => Form::Utf16,
        };
        let length = (word >> 2) as usize;
        let bytes = self.near(at + start, length)?;
        Ok(Some(Text { form, bytes }))
    }

    /// `n` bytes at `at`, or as many as there are.
    fn near(&mut self, at: u64, n: usize) -> Result<&[u8]> {
        let end = self.at + self.window.len() as u64;
        let n = usize::try_from(self.spool.len() - at).unwrap_or(usize::MAX).min(n);
        if at < self.at || at + n as u64 > end {
            let follows = at >= self.at && at <= end + NEAR as u64;
            self.record.resize(n.max(if follows { RUN } else { NEAR }), 0);
            let got = self.spool.read_at(&mut self.record, at)?;
            self.record.truncate(got);
            std::mem::swap(&mut self.window, &mut self.record);
            self.at = at;
        }
        let from = (at - self.at) as usize;
        Ok(&self.window[from..from + n])
    }
}

/// The exact bytes of a string that should be UTF-8 and is not.
pub fn exact(record: &Str<'_>) -> Option<Vec<u8>> {
    if record.rest.is_empty() {
        return None;
    }
    exact_form(record.rest).filter(|&(form, _)| form == 1).map(|(_, bytes)| bytes)
}

/// The exact form of a string that is not Unicode.
fn exact_form(rest: &[u8]) -> Option<(u64, Vec<u8>)> {
    let hex = |form| match member(rest, form).and_then(scalar) {
        Some(Json::Text(hex)) => unhex(hex.as_bytes()),
        _ => None,
    };
    if let Some(bytes) = hex("heap.bytes") {
        return Some((1, bytes));
    }
    let mut units = hex("heap.utf16")?;
    units.as_chunks_mut::<2>().0.iter_mut().for_each(|pair| pair.swap(0, 1));
    (units.len() % 2 == 0).then_some((2, units))
}

fn unhex(hex: &[u8]) -> Option<Vec<u8>> {
    let digit = |b: u8| char::from(b).to_digit(16).map(|d| d as u8);
    let (pairs, rest) = hex.as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    pairs.iter().map(|&[a, b]| Some(digit(a)? << 4 | digit(b)?)).collect()
}
