//! Numbers for texts. The first use of a text emits its string record.

use heap_base::Result;
use heap_record::texts::Numbered;
use heap_record::{Sink, StringId};

use crate::line::Quoted;

#[derive(Debug)]
pub(crate) struct Strings(Numbered);

impl Strings {
    /// `wanted`: whether the sink wants string records.
    pub(crate) fn new(wanted: bool) -> Self {
        Self(Numbered::new(wanted, 1))
    }

    /// Number of a name, of which there are few.
    pub(crate) fn name(&mut self, text: &Quoted<'_>, sink: &mut dyn Sink) -> Result<StringId> {
        self.0.name(text.0, || text.text(), sink)
    }

    /// Number of the contents of a string.
    pub(crate) fn any(&mut self, text: &Quoted<'_>, sink: &mut dyn Sink) -> Result<StringId> {
        self.0.content(text.0, || text.text(), sink)
    }

    /// Number of a label. An array index has the number that the stream keeps for it.
    pub(crate) fn label(&mut self, text: &Quoted<'_>, sink: &mut dyn Sink) -> Result<StringId> {
        if let Some(index) = array_index(text.0)
            && let Some(id) = self.0.index(index, sink)?
        {
            return Ok(id);
        }
        self.name(text, sink)
    }
}

/// The array index that a label spells, if it is one in its only spelling.
fn array_index(text: &[u8]) -> Option<u64> {
    if text.len() > 8 || text.len() > 1 && text[0] == b'0' || !text.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(text).ok()?.parse().ok()
}
