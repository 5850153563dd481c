//! Edges out of the table of references.
//!
//! A row is a node's index, so sinks that take edges by index get the rows as they are. What no index can name, a row
//! past the table, goes by identifier.

use std::ops::Range;

use heap_base::{Error, Map, Result};
use heap_record::{Data, Edge, EdgeBatch, Ends, PlainEdge, Str, StringId, Value, index_id, index_string};

use super::Emitter;
use crate::ranges::{Owner, Owners, Ranges};
use crate::rows::{Columns, Refs, Rows, Snapshot};

/// Edge subtypes.
pub(super) const REFERENCE: u32 = 1;
pub(super) const INTERGEN: u32 = 2;

/// Kinds of descriptions: nothing is known, an index, a string.
const NOTHING: u64 = 0;
const INDEX: u64 = 1;
const STRING: u64 = 2;

impl Emitter<'_> {
    /// Emits the references as edges, in the order of their table.
    pub(super) fn edges(&mut self, snapshot: &dyn Snapshot, ranges: Ranges) -> Result {
        if let Some(why) = ranges.hopeless() {
            self.damage.note(Some(Error::input(why)));
            return Ok(());
        }
        let counts = if ranges.tile() {
            None
        } else {
            self.damage.note(Some(Error::input("the rows' ranges of references overlap or leave gaps")));
            Some(counts(snapshot, ranges.rows())?)
        };
        let mut owners = ranges.sort(counts);
        let mut source = snapshot.refs()?;
        let mut batch = Refs::default();
        let mut at = 0;
        loop {
            source.next(&mut batch)?;
            if batch.target.is_empty() {
                break;
            }
            self.edge_batch(&batch, at, &mut owners)?;
            at += batch.target.len() as u64;
        }
        self.damage.note(source.damage());
        if at < owners.total() {
            let what = format!("{} references are missing", owners.total() - at);
            self.damage.note(Some(Error::input(what)));
        }
        Ok(())
    }

    fn edge_batch(&mut self, batch: &Refs, first: u64, owners: &mut Owners) -> Result {
        let n = batch.target.len();
        let mut i = 0;
        while i < n {
            let (owner, until) = owners.at(first + i as u64);
            let stop = usize::try_from(until - first).unwrap_or(n).min(n);
            match owner {
                Some(owner) => self.edges_of(owner, batch, i..stop)?,
                None => self.counts.unclaimed += (stop - i) as u64,
            }
            i = stop;
        }
        Ok(())
    }

    /// Emits a range of `batch`, references of one row.
    #[inline]
    fn edges_of(&mut self, owner: Owner, batch: &Refs, range: Range<usize>) -> Result {
        let subtype = if owner.intergen { INTERGEN } else { REFERENCE };
        let indexable = self.rows.min(u32::MAX.into());
        for i in range {
            let target = batch.target[i];
            self.counts.targets += u64::from(target >= self.rows);
            // No identifier can name such a row.
            if target >> 62 != 0 {
                continue;
            }
            let ends = if target < indexable { self.ends } else { Ends::Identifiers };
            // Without a description all that is known is that there is a reference.
            let descr = batch.descr.get(i).copied().unwrap_or(NOTHING);
            let index = descr >> 2;
            let label = match (descr & 3, u32::try_from(index)) {
                (STRING, _) if index < self.strings => Some(index as StringId),
                (INDEX, Ok(index)) => {
                    if ends == Ends::Identifiers && self.indexes.is_new(index) {
                        self.flush_edges(owner.row)?;
                        self.index_string(index)?;
                    }
                    Some(index_string(index))
                }
                _ => None,
            };
            let dest = value(ends, target);
            match label {
                Some(label) if ends == self.ends => self.edges.push(PlainEdge { subtype, dest, label }),
                _ => {
                    self.flush_edges(owner.row)?;
                    let source = value(ends, owner.row);
                    let edge = Edge { subtype, source, dest: Some(dest), label, ..Edge::default() };
                    self.single_edge(ends, &edge, descr)?;
                }
            }
        }
        self.flush_edges(owner.row)
    }

    /// Emits the plain edges that wait, all from one row.
    #[inline]
    fn flush_edges(&mut self, row: u64) -> Result {
        if !self.edges.is_empty() {
            self.sink.edges(&EdgeBatch::plain(self.ends, value(self.ends, row), &self.edges))?;
            self.edges.clear();
        }
        Ok(())
    }

    /// Emits an edge that is not plain. A description that no label can say, an index beyond 32 bits, a string past the
    /// table or nonsense, becomes a field.
    fn single_edge(&mut self, ends: Ends, edge: &Edge<'_>, descr: u64) -> Result {
        self.members.clear();
        if edge.label.is_none() && descr != NOTHING {
            self.counts.labels += u64::from(descr & 3 == STRING);
            self.members.open("moar");
            if descr & 3 == INDEX {
                self.members.uint("index", descr >> 2)
            } else {
                self.members.uint("description", descr)
            };
            self.members.close();
        }
        let edge = Edge { rest: self.members.as_bytes(), ..*edge };
        self.sink.edges(&EdgeBatch { ends, ..EdgeBatch::one(&edge) })
    }

    /// Emits the string of an array index.
    fn index_string(&mut self, index: u32) -> Result {
        if !self.wants.any_strings() {
            return Ok(());
        }
        let (id, mut digits) = (index_string(index), itoa::Buffer::new());
        self.sink.string(&Str { id, data: Data::Plain(digits.format(index)), ..Str::default() })
    }
}

/// How an edge names a row.
#[inline]
fn value(ends: Ends, row: u64) -> Value {
    match ends {
        Ends::Identifiers => index_id(row),
        Ends::Indexes => row as Value,
    }
}

/// Counts of references by row, for files whose ranges do not tile.
fn counts(snapshot: &dyn Snapshot, rows: u64) -> Result<Vec<u32>> {
    let mut counts = Vec::new();
    let mut source = snapshot.rows(Columns { facts: false, ranges: true })?;
    let mut batch = Rows::default();
    while (counts.len() as u64) < rows {
        source.next(&mut batch)?;
        if batch.kind.is_empty() {
            break;
        }
        counts.extend(batch.count.iter().map(|&n| u32::try_from(n).unwrap_or(u32::MAX)));
    }
    Ok(counts)
}

/// Which index strings were emitted: a bit each, in pages of 1024 that exist where an index was used.
#[derive(Debug, Default)]
pub(super) struct Indexes {
    pages: Map<u32, [u64; 16]>,
}

impl Indexes {
    /// True the first time.
    #[inline]
    fn is_new(&mut self, index: u32) -> bool {
        let word = &mut self.pages.entry(index >> 10).or_default()[(index >> 6 & 15) as usize];
        let bit = 1 << (index & 63);
        let new = *word & bit == 0;
        *word |= bit;
        new
    }
}
