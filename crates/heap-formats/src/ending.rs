//! A sink whose output has an end of its own, such as that of a zstd frame.

use heap_base::Result;
use heap_record::{LeftOut, Sink, Target};

/// Forwards every record, batch and question to `sink`. After [`finish`](Sink::finish) it calls `end` once.
pub(crate) struct Ending<S> {
    pub(crate) sink: S,
    pub(crate) end: fn(&mut S) -> Result,
}

impl<S: Sink> Sink for Ending<S> {
    fn finish(&mut self, intact: bool) -> Result {
        self.sink.finish(intact)?;
        (self.end)(&mut self.sink)
    }

    heap_record::pass_on!(sink: wants metadata declare string nodes edges extension edge_filter sharded flush);
}

impl<S: Target> Target for Ending<S> {
    fn left_out(&self) -> &LeftOut {
        self.sink.left_out()
    }
    fn notes(&self) -> &[String] {
        self.sink.notes()
    }
}
