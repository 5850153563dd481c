//! What a reader wants people to know of a dump, beside its records: metadata whose keys end in `.note`. Of a stream, only
//! what was found out now.

use heap_base::Result;
use heap_record::{END_NOTE, Metadata, Sink};

/// A sink, and the notes that came by on the way to it.
pub(crate) struct Noted<'a> {
    inner: &'a mut dyn Sink,
    pub(crate) notes: Vec<String>,
    is_stream: bool,
}

impl<'a> Noted<'a> {
    pub(crate) fn new(inner: &'a mut dyn Sink, is_stream: bool) -> Self {
        Self { inner, notes: Vec::new(), is_stream }
    }
}

impl Sink for Noted<'_> {
    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        let is_note = record.key.rsplit_once('.').is_some_and(|(_, last)| last == "note");
        if is_note && (!self.is_stream || record.key == END_NOTE) {
            self.notes.push(record.value.to_owned());
        }
        self.inner.metadata(record)
    }

    heap_record::pass_on!(inner: wants declare string nodes edges extension edge_filter sharded flush finish);
}
