//! Numbers for texts. The first use of a text emits its string record.
//!
//! Memory is bounded: names (classes, functions, scripts, labels) are remembered up to 64 MiB of text in all, array
//! indexes in 8 MiB of bits, contents of strings only if they are short. A text that was forgotten gets a new number
//! at its next use, which costs space in the stream and nothing else.

use heap_base::{Map, Members, NumberSet, Result};
use heap_record::{Data, Sink, Str, StringId, index_string};

use crate::line::Quoted;

/// Most bytes of text that are remembered, and what a text costs besides its bytes.
const MOST_BYTES: usize = 64 << 20;
const COST: usize = 48;
/// Contents up to this length are remembered.
const SHORT: usize = 64;
/// Array indexes below this have the string ids that the stream keeps for them.
const INDEXES: u32 = 1 << 26;

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
    /// `wanted`: whether the sink wants string records.
    pub(crate) fn new(wanted: bool) -> Self {
        Self { wanted, known: Map::default(), bytes: 0, next: 1, indexes: NumberSet::default() }
    }

    /// Number of a name, of which there are few.
    pub(crate) fn name(&mut self, text: &Quoted<'_>, sink: &mut dyn Sink) -> Result<StringId> {
        if let Some(&id) = self.known.get(text.0) {
            return Ok(id);
        }
        if self.bytes + text.0.len() + COST > MOST_BYTES {
            self.known.clear();
            self.bytes = 0;
        }
        let id = self.emit_new(text, sink)?;
        if text.0.len() < MOST_BYTES / 64 {
            self.known.insert(text.0.into(), id);
            self.bytes += text.0.len() + COST;
        }
        Ok(id)
    }

    /// Number of the contents of a string.
    pub(crate) fn any(&mut self, text: &Quoted<'_>, sink: &mut dyn Sink) -> Result<StringId> {
        if text.0.len() <= SHORT { self.name(text, sink) } else { self.emit_new(text, sink) }
    }

    /// Number of a label. An array index has the number that the stream keeps for it.
    pub(crate) fn label(&mut self, text: &Quoted<'_>, sink: &mut dyn Sink) -> Result<StringId> {
        let Some(index) = array_index(text.0) else { return self.name(text, sink) };
        let id = index_string(index);
        if self.indexes.insert(index.into()) {
            self.emit(id, text, sink)?;
        }
        Ok(id)
    }

    fn emit_new(&mut self, text: &Quoted<'_>, sink: &mut dyn Sink) -> Result<StringId> {
        let id = self.next;
        self.next += 1;
        self.emit(id, text, sink)?;
        Ok(id)
    }

    fn emit(&self, id: StringId, text: &Quoted<'_>, sink: &mut dyn Sink) -> Result {
        if !self.wanted {
            return Ok(());
        }
        let mut rest = Members::new();
        if std::str::from_utf8(text.0).is_err() {
            let digit = |n: u8| char::from(b"0123456789abcdef"[usize::from(n)]);
            let hex: String = text.0.iter().flat_map(|b| [digit(b >> 4), digit(b & 15)]).collect();
            rest.open("heap").text("bytes", &hex).close();
        }
        sink.string(&Str { id, data: Data::Plain(&text.text()), rest: rest.as_bytes(), ..Str::default() })
    }
}

/// The array index that a label spells, if it is one in its only spelling.
fn array_index(text: &[u8]) -> Option<u32> {
    if text.len() > 8 || text.len() > 1 && text[0] == b'0' || !text.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(text).ok()?.parse().ok().filter(|&i| i < INDEXES)
}
