//! Edges, by identifiers or by node indexes as the sink wants them.

use heap_base::{BitSet, Members, Result};
use heap_record::{
    Data, Edge, EdgeBatch, EdgeSlice, Ends, PlainEdge, Skip, Str, StringId, Value, index_string, small,
};

use super::{EdgeType, Out};
use crate::hprof::Number;

/// How many edges of one node are delivered at a time.
const BATCH: usize = 1024;

/// One end of an edge, in the form that the sink wants: an identifier or a node index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Target(pub(crate) Value);

/// Delivers the edges of one node after another.
pub(crate) struct Edges<'o, 'a> {
    out: &'o mut Out<'a>,
    ends: Ends,
    source: Value,
    skip: Skip,
    batch: Vec<PlainEdge>,
    /// Indexes whose string records were delivered.
    indexes: BitSet,
}

impl<'o, 'a> Edges<'o, 'a> {
    pub(crate) fn new(out: &'o mut Out<'a>, ends: Ends) -> Self {
        Self { out, ends, source: 0, skip: Skip::None, batch: Vec::new(), indexes: BitSet::default() }
    }

    /// Begins the edges of a node; false if the sink has no use for any of them. `id` is its identifier.
    #[inline]
    pub(crate) fn source(&mut self, id: Value, source: Target) -> Result<bool> {
        self.flush()?;
        self.source = source.0;
        self.skip = match self.out.sink.edge_filter() {
            Some(filter) if self.ends == Ends::Identifiers => filter.skip_edges_of(id),
            _ => Skip::None,
        };
        Ok(self.skip != Skip::All)
    }

    /// An edge with a label.
    #[inline]
    pub(crate) fn push(&mut self, subtype: EdgeType, dest: Target, label: StringId) -> Result {
        if self.skip == Skip::Some && self.skips(dest) {
            return Ok(());
        }
        self.batch.push(PlainEdge { subtype: subtype as u32, dest: dest.0, label });
        if self.batch.len() >= BATCH { self.flush() } else { Ok(()) }
    }

    /// An edge to an element of an array.
    #[inline]
    pub(crate) fn element(&mut self, subtype: EdgeType, dest: Target, index: u32) -> Result {
        if self.skip == Skip::Some && self.skips(dest) {
            return Ok(());
        }
        if self.ends == Ends::Identifiers && self.indexes.insert(index) {
            self.index(index)?;
        }
        self.batch.push(PlainEdge { subtype: subtype as u32, dest: dest.0, label: index_string(index) });
        if self.batch.len() >= BATCH { self.flush() } else { Ok(()) }
    }

    /// The string record of an index comes before the first edge that uses it.
    #[cold]
    fn index(&mut self, index: u32) -> Result {
        if self.out.wants.strings < heap_record::wants::Strings::All {
            return Ok(());
        }
        self.flush()?;
        let text = index.to_string();
        self.out.sink.string(&Str { id: index_string(index), data: Data::Plain(&text), ..Str::default() })
    }

    /// An edge to a number. It belongs to its source.
    pub(crate) fn number(&mut self, subtype: EdgeType, number: Number, label: StringId) -> Result {
        let mut rest = Members::new();
        match number {
            Number::Small(n) => return self.push(subtype, Target(small(n)), label),
            Number::Float(x) => rest.open("heap").float("value", x).close(),
            // A float may have lost the last digits.
            Number::Long(n) => {
                rest.open("heap").float("value", n as f64).close();
                rest.open("java").int("long", n).close()
            }
        };
        self.flush()?;
        let (subtype, source, rest) = (subtype as u32, self.source, rest.as_bytes());
        let edge = Edge { subtype, source, label: Some(label), rest, ..Edge::default() };
        self.out.sink.edges(&EdgeBatch::one(&edge))
    }

    /// An edge without a label.
    pub(crate) fn bare(&mut self, subtype: EdgeType, dest: Target) -> Result {
        if self.skip == Skip::Some && self.skips(dest) {
            return Ok(());
        }
        self.flush()?;
        let edge =
            Edge { subtype: subtype as u32, source: self.source, dest: Some(dest.0), ..Edge::default() };
        let edges = EdgeSlice::Records(std::slice::from_ref(&edge));
        self.out.sink.edges(&EdgeBatch { ends: self.ends, partner: None, edges })
    }

    fn skips(&mut self, dest: Target) -> bool {
        self.out.sink.edge_filter().is_some_and(|filter| filter.skip_edges_to(dest.0))
    }

    /// Delivers what waits. Call after the last edge.
    #[inline]
    pub(crate) fn flush(&mut self) -> Result {
        if self.batch.is_empty() {
            return Ok(());
        }
        let result = self.out.sink.edges(&EdgeBatch::plain(self.ends, self.source, &self.batch));
        self.batch.clear();
        result
    }
}
