//! Records out of tables: what is the same for all versions of the format.

mod edges;
mod head;
mod nodes;
mod sums;
mod tables;

use heap_base::{Members, Result};
use heap_record::wants::{self, Wants};
use heap_record::{Ends, PlainEdge, Sink, Texts};

use crate::damage::{Counts, Damage};
use crate::rows::Snapshot;
use edges::Indexes;

pub(crate) use tables::{MAX_STRING, MAX_TABLE};

/// Drives the sink. Numbers of strings, types and frames run over the whole file.
pub(crate) struct Emitter<'a> {
    sink: &'a mut dyn Sink,
    wants: Wants,
    /// How edges name the rows that have an index.
    ends: Ends,
    pub(crate) damage: Damage,
    /// Strings of the file so far.
    strings: u64,
    /// String ids of REPR name and name.
    types: Vec<[u64; 2]>,
    /// String ids of name and cuid, line, string id of file.
    frames: Vec<[u64; 4]>,
    /// How many types and frames were emitted as records.
    emitted: (usize, usize),
    indexes: Indexes,
    /// Kinds declared besides the known ones, sorted.
    kinds: Vec<u64>,
    /// What is wrong with the snapshot in work.
    counts: Counts,
    /// Rows of the snapshot in work so far.
    rows: u64,
    /// Plain edges of one row that were not emitted yet.
    edges: Vec<PlainEdge>,
    members: Members,
    texts: Texts,
}

impl<'a> Emitter<'a> {
    pub(crate) fn new(sink: &'a mut dyn Sink) -> Self {
        let wants = sink.wants();
        // Rows that are added up have no index.
        let by_index = wants.edges == wants::Edges::ByIndex && wants.sums().is_none();
        Self {
            sink,
            wants,
            ends: if by_index { Ends::Indexes } else { Ends::Identifiers },
            damage: Damage::default(),
            strings: 0,
            types: Vec::new(),
            frames: Vec::new(),
            emitted: (0, 0),
            indexes: Indexes::default(),
            kinds: Vec::new(),
            counts: Counts::default(),
            rows: 0,
            edges: Vec::new(),
            members: Members::new(),
            texts: Texts::default(),
        }
    }

    pub(crate) fn wants(&self) -> Wants {
        self.wants
    }

    /// Whether anything that the sink wants needs the names of types and frames.
    pub(crate) fn wants_tables(&self) -> bool {
        self.wants != Wants::HEAD
    }

    /// The two big tables of one snapshot: nodes, then edges.
    pub(crate) fn graph(&mut self, index: u64, snapshot: &dyn Snapshot) -> Result {
        self.counts = Counts::default();
        self.rows = 0;
        if self.wants.any_nodes() || self.wants.any_edges() {
            let ranges = self.nodes(snapshot)?;
            if self.wants.any_edges() {
                self.edges(snapshot, ranges)?;
            }
        }
        self.damage.count(index, self.counts);
        Ok(())
    }
}
