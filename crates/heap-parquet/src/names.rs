//! The texts behind the numbers of a stream: strings and subtypes, for the dictionaries of columns.

use heap_base::{Map, Result};
use heap_record::{Data, Str, StringId};

use crate::column::{Dictionary, Entry};
use crate::file::Texts;

/// What a text is taken to need where its length is not known.
const USUAL: usize = 64;

/// Memory: 12 bytes a string where the numbers count from 0, else about 40; the texts are in a spool.
#[derive(Debug, Default)]
pub(crate) struct Names {
    texts: heap_spool::Texts,
    /// Length of each text, by its number.
    lengths: Vec<u32>,
    /// Strings of negative numbers that are no array indexes.
    odd: Map<StringId, Box<str>>,
    node_types: Map<u32, Box<str>>,
    edge_types: Map<u32, Box<str>>,
    /// Names that were used before their strings came, or without any.
    pub(crate) unknown: u64,
}

/// Whose subtypes a table has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Of {
    Nodes,
    Edges,
}

impl Names {
    pub(crate) fn string(&mut self, record: &Str<'_>) -> Result {
        if record.id < 0 {
            if !says_index(record) {
                self.odd.insert(record.id, record.data.text().into());
            }
            return Ok(());
        }
        let (Data::Plain(text) | Data::Escaped(text)) = record.data;
        if record.id as u64 == self.lengths.len() as u64 {
            self.lengths.push(u32::try_from(text.len()).unwrap_or(u32::MAX));
        }
        self.texts.add(record)
    }

    pub(crate) fn node_type(&mut self, id: u32, name: &str) {
        self.node_types.insert(id, name.into());
    }

    pub(crate) fn edge_type(&mut self, id: u32, name: &str) {
        self.edge_types.insert(id, name.into());
    }

    /// About how many bytes a text takes.
    pub(crate) fn length(&self, id: StringId) -> usize {
        let known = usize::try_from(id).ok().and_then(|id| self.lengths.get(id));
        known.map_or(USUAL, |&length| length as usize)
    }

    /// The texts of a dictionary. Strings are looked up in the order of their numbers, which is mostly that of the spool.
    pub(crate) fn texts(&mut self, dictionary: &Dictionary, of: Of) -> Result<Texts> {
        let mut order: Vec<u32> = (0..dictionary.entries.len() as u32).collect();
        order.sort_by_key(|&i| match dictionary.entries[i as usize] {
            Entry::String(id) => id,
            Entry::Subtype(_) | Entry::Bracketed(_) => i64::MIN,
        });
        let mut found: Vec<u8> = Vec::new();
        let mut spans = vec![(0, 0); order.len()];
        for i in order {
            let start = found.len();
            self.push(dictionary.entries[i as usize], of, &mut found)?;
            spans[i as usize] = (start, found.len());
        }
        let mut texts =
            Texts { ends: Vec::with_capacity(spans.len()), bytes: Vec::with_capacity(found.len()) };
        for (start, end) in spans {
            texts.bytes.extend_from_slice(&found[start..end]);
            texts.ends.push(texts.bytes.len());
        }
        Ok(texts)
    }

    fn push(&mut self, entry: Entry, of: Of, out: &mut Vec<u8>) -> Result {
        let (id, bracketed) = match entry {
            Entry::String(id) => {
                if let Some(text) = self.odd.get(&id) {
                    out.extend_from_slice(text.as_bytes());
                } else if let Some(text) = self.texts.get(id)? {
                    out.extend_from_slice(String::from_utf8_lossy(&text.utf8()).as_bytes());
                } else {
                    self.unknown += 1;
                    out.extend_from_slice(format!("<string {id}>").as_bytes());
                }
                return Ok(());
            }
            Entry::Subtype(id) => (id, false),
            Entry::Bracketed(id) => (id, true),
        };
        let types = if of == Of::Nodes { &self.node_types } else { &self.edge_types };
        let name = types.get(&id).map_or_else(|| format!("subtype {id}"), ToString::to_string);
        out.extend_from_slice(if bracketed { format!("({name})") } else { name }.as_bytes());
        Ok(())
    }
}

/// Whether this is the record of an array index and nothing else.
pub(crate) fn says_index(record: &Str<'_>) -> bool {
    record.id < 0 && record.rest.is_empty() && record.data.text() == (!record.id).to_string()
}
