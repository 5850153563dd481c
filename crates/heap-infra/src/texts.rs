//! Every text of a trace once, with a small number; and the string ids of those that were emitted.

use std::sync::Arc;

use heap_base::{Map, Result};
use heap_record::{Data, Sink, Str, StringId};

/// Number of a text in [`Texts`].
pub(crate) type TextId = u32;

/// Stands for "no text", "no frame", "no type" wherever such numbers are kept.
pub(crate) const NONE: u32 = u32::MAX;

/// The texts. About 80 bytes each beside their own length.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    // The standard hasher, because names come from the input and may be chosen to collide.
    ids: Map<Arc<str>, TextId>,
    list: Vec<Arc<str>>,
    /// String id in the stream; 0 = not emitted yet.
    string_ids: Vec<StringId>,
    last: StringId,
}

impl Texts {
    /// The number of a text, a new one if it was not met before.
    pub(crate) fn id(&mut self, text: &str) -> TextId {
        if let Some(&id) = self.ids.get(text) {
            return id;
        }
        let id = u32::try_from(self.list.len()).unwrap_or(NONE - 1).min(NONE - 1);
        let shared: Arc<str> = text.into();
        self.ids.insert(Arc::clone(&shared), id);
        self.list.push(shared);
        self.string_ids.push(0);
        id
    }

    /// The number of a text, if it was met before.
    pub(crate) fn find(&self, text: &str) -> Option<TextId> {
        self.ids.get(text).copied()
    }

    /// The number of a text; U+FFFD replaces bytes that are not UTF-8.
    pub(crate) fn id_of_bytes(&mut self, bytes: &[u8]) -> TextId {
        match std::str::from_utf8(bytes) {
            Ok(text) => self.id(text),
            Err(_) => self.id(&String::from_utf8_lossy(bytes)),
        }
    }

    /// The text with this number; empty for [`NONE`].
    pub(crate) fn get(&self, id: TextId) -> &str {
        self.list.get(id as usize).map_or("", |t| t)
    }

    /// Emits the string record of a text, unless that was done before.
    pub(crate) fn emit(&mut self, id: TextId, wanted: bool, sink: &mut dyn Sink) -> Result {
        let Some(string_id) = self.string_ids.get_mut(id as usize) else { return Ok(()) };
        if *string_id == 0 {
            self.last += 1;
            *string_id = self.last;
            if wanted {
                let data = Data::Plain(&self.list[id as usize]);
                sink.string(&Str { id: self.last, data, ..Str::default() })?;
            }
        }
        Ok(())
    }

    /// The string id of a text, if it was emitted.
    #[inline]
    pub(crate) fn string(&self, id: TextId) -> Option<StringId> {
        self.string_ids.get(id as usize).copied().filter(|&n| n != 0)
    }
}
