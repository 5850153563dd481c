//! String records of texts as virtual machines have them, and numbers for those that have none.
//!
//! What is not Unicode goes with its exact form beside it: `"heap":{"utf16":"d800"}` or `"heap":{"bytes":"ff"}`.

use std::borrow::Cow;

use heap_base::literal::exact_form;
use heap_base::{Map, NumberSet, Result};

use crate::model::{Data, Str, StringId, index_string};
use crate::sink::Sink;

/// Appends Latin-1 text.
pub fn latin1(bytes: &[u8], out: &mut String) {
    match std::str::from_utf8(bytes) {
        Ok(text) if text.is_ascii() => out.push_str(text),
        _ => out.extend(bytes.iter().map(|&b| char::from(b))),
    }
}

/// Appends UTF-16 text; false if a surrogate stands alone, which becomes U+FFFD.
pub fn utf16(units: impl Iterator<Item = u16>, out: &mut String) -> bool {
    let mut exact = true;
    for unit in char::decode_utf16(units) {
        exact &= unit.is_ok();
        out.push(unit.unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    exact
}

/// Delivers string records; its buffers are used again and again.
#[derive(Debug, Default)]
pub struct Texts {
    text: String,
    rest: Vec<u8>,
}

impl Texts {
    /// A text with one byte for each character.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn latin1(&mut self, id: StringId, bytes: &[u8], sink: &mut dyn Sink) -> Result {
        let text = match std::str::from_utf8(bytes) {
            Ok(text) if text.is_ascii() => text,
            _ => {
                self.text.clear();
                latin1(bytes, &mut self.text);
                &self.text
            }
        };
        sink.string(&Str { id, data: Data::Plain(text), ..Str::default() })
    }

    /// A text of UTF-16 units.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn utf16(
        &mut self,
        id: StringId,
        units: impl Iterator<Item = u16> + Clone,
        sink: &mut dyn Sink,
    ) -> Result {
        self.text.clear();
        self.rest.clear();
        if !utf16(units.clone(), &mut self.text) {
            exact_form(&mut self.rest, "utf16", units.flat_map(u16::to_be_bytes));
        }
        sink.string(&Str { id, data: Data::Plain(&self.text), rest: &self.rest, ..Str::default() })
    }

    /// A text that should be UTF-8.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn utf8(&mut self, id: StringId, bytes: &[u8], sink: &mut dyn Sink) -> Result {
        self.utf8_saying(id, bytes, &String::from_utf8_lossy(bytes), sink)
    }

    /// A text that should be UTF-8, of which it is known what it says.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn utf8_saying(&mut self, id: StringId, bytes: &[u8], text: &str, sink: &mut dyn Sink) -> Result {
        self.rest.clear();
        if std::str::from_utf8(bytes).is_err() {
            exact_form(&mut self.rest, "bytes", bytes.iter().copied());
        }
        sink.string(&Str { id, data: Data::Plain(text), rest: &self.rest, ..Str::default() })
    }
}

/// Most bytes of text that are remembered, and what a text costs besides its bytes.
const MOST_BYTES: usize = 64 << 20;
const COST: usize = 48;
/// Contents of strings up to this length are remembered.
const SHORT: usize = 64;
/// Array indexes below this have the string ids that the stream keeps for them.
pub const INDEXES: u32 = 1 << 26;

/// Numbers for the texts of a dump that does not number them. The first use of a text delivers its string record.
///
/// Memory is bounded: names (classes, functions, scripts, labels) are remembered up to 64 MiB of text in all, array
/// indexes in 8 MiB of bits, contents of strings only if they are short. A text that was forgotten gets a new number
/// at its next use, which costs space in the stream and nothing else.
#[derive(Debug)]
pub struct Numbered {
    /// The sink wants string records.
    wanted: bool,
    known: Map<Box<[u8]>, StringId>,
    bytes: usize,
    next: StringId,
    /// Array indexes whose string was delivered.
    indexes: NumberSet,
    texts: Texts,
}

impl Numbered {
    /// For a sink that wants string records, or not. Numbers begin with `first`.
    pub fn new(wanted: bool, first: StringId) -> Self {
        Self {
            wanted,
            known: Map::default(),
            bytes: 0,
            next: first,
            indexes: NumberSet::default(),
            texts: Texts::default(),
        }
    }

    /// Number of a name, of which there are few. Names of the same `bytes` are the same.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn name<'t>(
        &mut self,
        bytes: &[u8],
        text: impl FnOnce() -> Cow<'t, str>,
        sink: &mut dyn Sink,
    ) -> Result<StringId> {
        if let Some(&id) = self.known.get(bytes) {
            return Ok(id);
        }
        if self.bytes + bytes.len() + COST > MOST_BYTES {
            self.known.clear();
            self.bytes = 0;
        }
        let id = self.another(bytes, text, sink)?;
        if bytes.len() < MOST_BYTES / 64 {
            self.known.insert(bytes.into(), id);
            self.bytes += bytes.len() + COST;
        }
        Ok(id)
    }

    /// Number of the contents of a string.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn content<'t>(
        &mut self,
        bytes: &[u8],
        text: impl FnOnce() -> Cow<'t, str>,
        sink: &mut dyn Sink,
    ) -> Result<StringId> {
        if bytes.len() <= SHORT { self.name(bytes, text, sink) } else { self.another(bytes, text, sink) }
    }

    /// Number that the stream keeps for an array index; `None` if it is too large for that.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn index(&mut self, index: u64, sink: &mut dyn Sink) -> Result<Option<StringId>> {
        let Some(index) = u32::try_from(index).ok().filter(|&index| index < INDEXES) else {
            return Ok(None);
        };
        let id = index_string(index);
        if self.wanted && self.indexes.insert(index.into()) {
            self.texts.utf8(id, index.to_string().as_bytes(), sink)?;
        }
        Ok(Some(id))
    }

    /// A new number for a text.
    fn another<'t>(
        &mut self,
        bytes: &[u8],
        text: impl FnOnce() -> Cow<'t, str>,
        sink: &mut dyn Sink,
    ) -> Result<StringId> {
        let id = self.next;
        self.next += 1;
        if self.wanted {
            self.texts.utf8_saying(id, bytes, &text(), sink)?;
        }
        Ok(id)
    }
}
