//! What a reader wants people to know of a dump, beside its records: metadata whose keys end in `.note`. Of a stream, only
//! what was found out now.

use heap_base::Result;
use heap_record::{
    Declaration, END_NOTE, EdgeBatch, EdgeFilter, Extension, Metadata, NodeBatch, Sharded, Sink, Str, Wants,
};

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
    fn wants(&self) -> Wants {
        self.inner.wants()
    }
    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        let is_note = record.key.rsplit_once('.').is_some_and(|(_, last)| last == "note");
        if is_note && (!self.is_stream || record.key == END_NOTE) {
            self.notes.push(record.value.to_owned());
        }
        self.inner.metadata(record)
    }
    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.inner.declare(record)
    }
    fn string(&mut self, record: &Str<'_>) -> Result {
        self.inner.string(record)
    }
    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        self.inner.nodes(batch)
    }
    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        self.inner.edges(batch)
    }
    fn extension(&mut self, record: &Extension<'_>) -> Result {
        self.inner.extension(record)
    }
    fn edge_filter(&mut self) -> Option<&mut dyn EdgeFilter> {
        self.inner.edge_filter()
    }
    fn sharded(&mut self) -> Option<&mut dyn Sharded> {
        self.inner.sharded()
    }
    fn flush(&mut self) -> Result {
        self.inner.flush()
    }
    fn finish(&mut self, intact: bool) -> Result {
        self.inner.finish(intact)
    }
}
