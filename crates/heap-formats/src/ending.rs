//! A sink whose output has an end of its own, such as that of a zstd frame.

use heap_base::Result;
use heap_record::{
    Declaration, EdgeBatch, EdgeFilter, Extension, LeftOut, Metadata, NodeBatch, Sharded, Sink, Str, Target,
    Wants,
};

/// Forwards every record, batch and question to `sink`. After [`finish`](Sink::finish) it calls `end` once.
pub(crate) struct Ending<S> {
    pub(crate) sink: S,
    pub(crate) end: fn(&mut S) -> Result,
}

impl<S: Sink> Sink for Ending<S> {
    fn wants(&self) -> Wants {
        self.sink.wants()
    }
    fn edge_filter(&mut self) -> Option<&mut dyn EdgeFilter> {
        self.sink.edge_filter()
    }
    fn sharded(&mut self) -> Option<&mut dyn Sharded> {
        self.sink.sharded()
    }
    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        self.sink.metadata(record)
    }
    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.sink.declare(record)
    }
    fn string(&mut self, record: &Str<'_>) -> Result {
        self.sink.string(record)
    }
    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        self.sink.nodes(batch)
    }
    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        self.sink.edges(batch)
    }
    fn extension(&mut self, record: &Extension<'_>) -> Result {
        self.sink.extension(record)
    }
    fn flush(&mut self) -> Result {
        self.sink.flush()
    }
    fn finish(&mut self, intact: bool) -> Result {
        self.sink.finish(intact)?;
        (self.end)(&mut self.sink)
    }
}

impl<S: Target> Target for Ending<S> {
    fn left_out(&self) -> &LeftOut {
        self.sink.left_out()
    }
    fn notes(&self) -> &[String] {
        self.sink.notes()
    }
}
