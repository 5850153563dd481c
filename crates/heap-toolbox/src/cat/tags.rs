//! Tags written to the metadata of streams: heap-cat --tag.

use heap_base::Result;
use heap_record::tag::{METADATA, Tag};
use heap_record::{Declaration, EdgeBatch, Extension, Line, Metadata, NodeBatch, Sink, Str};

/// Adds a metadata record `heap.tag.KEY` for each tag, behind the metadata of a stream's head. One that the stream has
/// already is replaced.
#[derive(Debug)]
pub struct Tagged<S> {
    tags: Vec<(String, String)>,
    /// The tags of this stream are still to come.
    due: bool,
    out: S,
}

impl<S: Sink> Tagged<S> {
    /// Passes everything on to `out`, with `tags`; those without a value are left out.
    pub fn new(tags: Vec<Tag>, out: S) -> Self {
        let pair = |tag: Tag| tag.value.map(|value| (format!("{METADATA}{}", tag.key), value));
        Self { tags: tags.into_iter().filter_map(pair).collect(), due: true, out }
    }

    #[inline]
    fn emit(&mut self) -> Result {
        if std::mem::take(&mut self.due) {
            for (key, value) in &self.tags {
                self.out.metadata(&Metadata { key, value, line: Line::default() })?;
            }
        }
        Ok(())
    }
}

impl<S: Sink> Sink for Tagged<S> {
    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        match record.key {
            "version_major" => self.due = true,
            "heap.snapshot" => self.emit()?,
            key if self.tags.iter().any(|(tag, _)| tag == key) => return Ok(()),
            _ => {}
        }
        self.out.metadata(record)
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.emit()?;
        self.out.declare(record)
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        self.emit()?;
        self.out.string(record)
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        self.emit()?;
        self.out.nodes(batch)
    }

    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        self.emit()?;
        self.out.edges(batch)
    }

    fn extension(&mut self, record: &Extension<'_>) -> Result {
        self.emit()?;
        self.out.extension(record)
    }

    heap_record::pass_on!(out: wants edge_filter flush finish);
}
