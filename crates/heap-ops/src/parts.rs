//! Heaps that stood side by side in one process, such as those of its threads: each goes into a sink of its own.

use heap_base::Result;
use heap_record::{Declaration, Metadata, Sink, Types, head};

/// The metadata that names the heap which a snapshot is of.
pub const PART_KEY: &str = "heap.part";

/// Gives each part of an input a sink of its own, from `make`, and hands it to `take` with the part's name when it is whole.
/// An input that names no part goes into one sink, with all its snapshots.
///
/// What comes before the first snapshot goes to each sink; strings come anew with each part.
pub struct Parts<S, M, T> {
    make: M,
    take: T,
    sink: S,
    /// Name of the part at hand.
    name: Option<String>,
    /// What came before the first snapshot.
    head: Vec<(String, String)>,
    types: Types,
    /// The sink has a snapshot already.
    begun: bool,
}

impl<S: Sink, M: Fn() -> S, T: FnMut(Option<String>, S) -> Result> Parts<S, M, T> {
    /// For one input.
    pub fn new(make: M, take: T) -> Self {
        let sink = make();
        Self { make, take, sink, name: None, head: Vec::new(), types: Types::default(), begun: false }
    }

    /// Hands over the last part. Call when all records have come.
    ///
    /// # Errors
    /// Those of `take`.
    pub fn end(mut self) -> Result {
        (self.take)(self.name.take(), self.sink)
    }

    /// Hands over the part at hand, and begins the next one.
    fn next(&mut self) -> Result {
        let whole = std::mem::replace(&mut self.sink, (self.make)());
        (self.take)(self.name.take(), whole)?;
        for (key, value) in &self.head {
            head::metadata(&mut self.sink, key, value)?;
        }
        self.types.declare_to(&mut self.sink)
    }
}

impl<S: Sink, M: Fn() -> S, T: FnMut(Option<String>, S) -> Result> Sink for Parts<S, M, T> {
    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        match record.key {
            "version_major" => {
                self.head.clear();
                self.types.clear();
                self.begun = false;
            }
            "heap.snapshot" => {
                if self.name.is_some() {
                    self.next()?;
                }
                self.begun = true;
            }
            PART_KEY => self.name = Some(record.value.to_owned()),
            _ => {}
        }
        if !self.begun {
            self.head.push((record.key.to_owned(), record.value.to_owned()));
        }
        self.sink.metadata(record)
    }
    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.types.declare(record);
        self.sink.declare(record)
    }

    heap_record::pass_on!(sink: wants string nodes edges extension edge_filter sharded flush finish);
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use heap_record::testing::Recorder;
    use heap_record::{Data, Declared, Node, NodeBatch, Retains, Str, Wants};

    use super::*;

    fn meta(sink: &mut dyn Sink, key: &str, value: &str) {
        head::metadata(sink, key, value).expect("it is recorded");
    }

    /// A stream of snapshots, each with its part and the identifier of its only node.
    fn feed(sink: &mut dyn Sink, parts: &[(Option<&str>, i64)]) {
        meta(sink, "version_major", "1");
        meta(sink, "heap.identifier", "address");
        let edge = Declared::Edge { id: 1, name: "any", retains: Retains::Yes, role: None, rest: &[] };
        sink.declare(&edge.into()).expect("it is recorded");
        for (number, &(part, id)) in parts.iter().enumerate() {
            meta(sink, "heap.snapshot", &number.to_string());
            if let Some(part) = part {
                meta(sink, PART_KEY, part);
            }
            sink.string(&Str { id: 0, data: Data::Plain("x"), ..Str::default() }).expect("it is recorded");
            let node = Node { subtype: 1, id, ..Node::default() };
            sink.nodes(&NodeBatch::one(&node)).expect("it is recorded");
        }
    }

    fn split(parts: &[(Option<&str>, i64)]) -> Vec<(Option<String>, usize, Vec<String>)> {
        let found = RefCell::new(Vec::new());
        let mut sink = Parts::new(
            || Recorder::new(Wants::ALL),
            |name, recorder: Recorder| {
                let values = ["heap.identifier", "heap.snapshot"].iter().flat_map(|key| recorder.values(key));
                let values = values.into_iter().map(str::to_owned).collect();
                found.borrow_mut().push((name, recorder.all_nodes().len(), values));
                Ok(())
            },
        );
        feed(&mut sink, parts);
        sink.end().expect("it is recorded");
        found.into_inner()
    }

    #[test]
    fn each_part_has_a_sink_and_the_head() {
        let found = split(&[(Some("worker 1"), 3), (Some("main"), 3)]);
        let head = |number: &str| vec!["address".to_owned(), number.to_owned()];
        let wanted = [(Some("worker 1".to_owned()), 1, head("0")), (Some("main".to_owned()), 1, head("1"))];
        assert_eq!(found, wanted);
    }

    #[test]
    fn snapshots_without_parts_stay_together() {
        let found = split(&[(None, 3), (None, 5)]);
        let values = ["address", "0", "1"].map(str::to_owned).to_vec();
        assert_eq!(found, [(None, 2, values)]);
    }
}
