//! Numbers for texts. The first use of a text emits its string record.
//!
//! Names and short texts are remembered up to 64 MiB. A text that was forgotten gets a new number at its next use, which
//! costs space in the stream and nothing else.

use heap_base::Map;
use std::borrow::Cow;

use heap_base::json::unescape;
use heap_base::{Members, NumberSet, Result};
use heap_record::{Data, Sink, Str, StringId, index_string};

use crate::line::Text;

/// Most bytes of text that are remembered, and what a text costs besides its bytes.
const MOST_BYTES: usize = 64 << 20;
const COST: usize = 48;
/// Contents of strings up to this length are remembered.
const SHORT: usize = 64;
/// Array indexes below this have the string ids that the stream keeps for them.
pub(crate) const INDEXES: u64 = 1 << 26;

impl<'a> Text<'a> {
    /// The text; what is not UTF-8 becomes U+FFFD.
    pub(crate) fn decode(self) -> Cow<'a, str> {
        match String::from_utf8_lossy(self.bytes) {
            Cow::Borrowed(text) if self.escaped => unescape(text),
            Cow::Owned(text) if self.escaped => Cow::Owned(unescape(&text).into_owned()),
            text => text,
        }
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        Self { bytes: text.as_bytes(), escaped: false }
    }
}

#[derive(Debug)]
pub(crate) struct Strings {
    wanted: bool,
    known: Map<Box<[u8]>, StringId>,
    bytes: usize,
    next: StringId,
    /// Array indexes whose string was emitted.
    indexes: NumberSet,
}

impl Strings {
    /// `wanted`: whether the sink wants string records. The numbers from 1 up to `first` are taken.
    pub(crate) fn new(wanted: bool, first: StringId) -> Self {
        Self { wanted, known: Map::default(), bytes: 0, next: first + 1, indexes: NumberSet::default() }
    }

    /// Number of a name, of which there are few.
    pub(crate) fn name(&mut self, text: Text<'_>, sink: &mut dyn Sink) -> Result<StringId> {
        // One name may be written with an escape or without; then it has two numbers.
        if let Some(&id) = self.known.get(text.bytes)
            && !text.escaped
        {
            return Ok(id);
        }
        if text.escaped {
            let plain = text.decode();
            return self.name(Text::from(&*plain), sink);
        }
        if self.bytes + text.bytes.len() + COST > MOST_BYTES {
            self.known.clear();
            self.bytes = 0;
        }
        let id = self.new_text(text, sink)?;
        if text.bytes.len() < MOST_BYTES / 64 {
            self.known.insert(text.bytes.into(), id);
            self.bytes += text.bytes.len() + COST;
        }
        Ok(id)
    }

    /// Number of the contents of a string.
    pub(crate) fn content(&mut self, text: Text<'_>, sink: &mut dyn Sink) -> Result<StringId> {
        if text.bytes.len() <= SHORT { self.name(text, sink) } else { self.new_text(text, sink) }
    }

    /// Number of an array index.
    pub(crate) fn index(&mut self, index: u64, sink: &mut dyn Sink) -> Result<Option<StringId>> {
        let Some(index) = u32::try_from(index).ok().filter(|&i| u64::from(i) < INDEXES) else {
            return Ok(None);
        };
        let id = index_string(index);
        if self.wanted && self.indexes.insert(index.into()) {
            emit(id, Text::from(&*index.to_string()), sink)?;
        }
        Ok(Some(id))
    }

    fn new_text(&mut self, text: Text<'_>, sink: &mut dyn Sink) -> Result<StringId> {
        let id = self.next;
        self.next += 1;
        if self.wanted {
            emit(id, text, sink)?;
        }
        Ok(id)
    }
}

/// Emits a string record.
pub(crate) fn emit(id: StringId, text: Text<'_>, sink: &mut dyn Sink) -> Result {
    let mut rest = Members::new();
    if std::str::from_utf8(text.bytes).is_err() {
        let digit = |n: u8| char::from(b"0123456789abcdef"[usize::from(n)]);
        let hex: String = text.bytes.iter().flat_map(|b| [digit(b >> 4), digit(b & 15)]).collect();
        rest.open("heap").text("bytes", &hex).close();
    }
    sink.string(&Str { id, data: Data::Plain(&text.decode()), rest: rest.as_bytes(), ..Str::default() })
}
