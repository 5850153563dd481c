//! Numbers for texts, told as string records when they are first met.
//!
//! Memory is bounded: names (classes, functions, scripts, labels) are remembered up to 64 MiB of text in all, array
//! indexes in 8 MiB of bits, contents of strings only while they are short. What is forgotten gets a new number
//! when it is met again, which costs space in the stream and nothing else.

use heap_base::Result;
use heap_record::{Data, Sink, Str, StringId, index_string};
use rustc_hash::FxHashMap;

use crate::line::Quoted;

/// Bytes of text that are remembered, and what a text costs beside.
const MOST_BYTES: usize = 64 << 20;
const COST: usize = 48;
/// Contents up to this length are remembered.
const SHORT: usize = 64;
/// Array indexes below this have the string ids that the stream keeps for them.
const INDEXES: u32 = 1 << 26;

#[derive(Debug)]
pub(crate) struct Strings {
    wanted: bool,
    known: FxHashMap<Box<[u8]>, StringId>,
    bytes: usize,
    next: StringId,
    /// A bit for each array index that was told.
    indexes: Vec<u64>,
}

impl Strings {
    /// `wanted`: whether records are told at all.
    pub(crate) fn new(wanted: bool) -> Self {
        Self { wanted, known: FxHashMap::default(), bytes: 0, next: 1, indexes: Vec::new() }
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
        let id = self.tell(text, sink)?;
        if text.0.len() < MOST_BYTES / 64 {
            self.known.insert(text.0.into(), id);
            self.bytes += text.0.len() + COST;
        }
        Ok(id)
    }

    /// Number of the contents of a string.
    pub(crate) fn any(&mut self, text: &Quoted<'_>, sink: &mut dyn Sink) -> Result<StringId> {
        if text.0.len() <= SHORT { self.name(text, sink) } else { self.tell(text, sink) }
    }

    /// Number of a label: that of an array index is known beforehand.
    pub(crate) fn label(&mut self, text: &Quoted<'_>, sink: &mut dyn Sink) -> Result<StringId> {
        let Some(index) = array_index(text.0) else { return self.name(text, sink) };
        let (word, bit) = (index as usize / 64, 1 << (index % 64));
        if self.indexes.len() <= word {
            self.indexes.resize(word + 1, 0);
        }
        let id = index_string(index);
        if self.indexes[word] & bit == 0 {
            self.indexes[word] |= bit;
            self.record(id, text, sink)?;
        }
        Ok(id)
    }

    fn tell(&mut self, text: &Quoted<'_>, sink: &mut dyn Sink) -> Result<StringId> {
        let id = self.next;
        self.next += 1;
        self.record(id, text, sink)?;
        Ok(id)
    }

    fn record(&self, id: StringId, text: &Quoted<'_>, sink: &mut dyn Sink) -> Result {
        if !self.wanted {
            return Ok(());
        }
        let mut rest = heap_base::Members::new();
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
