//! Tells the edges, in runs: those of one node that say where they lead and by which label, and nothing further.
//!
//! Nearly all edges are [plain](crate::plain) like that; what is not, or is damaged, is taken one by one by
//! [`Teller::edge`], which takes plain ones just as well.

use heap_base::json::push_int;
use heap_base::{Result, WorkQueue, join};
use heap_record::wants;
use heap_record::{Declared, Edge, EdgeBatch, Ends, PlainEdge, Shard, Sink, Skip, Value, index_string};

use super::{Snapshot, unknown};
use crate::edges::{Divide, Edges, index, plain, triple};
use crate::header::Header;
use crate::ints::{Batch, Ints, Section};
use crate::plain::{Plain, Run};
use crate::shape::Piece;
use crate::sources::{Owners, Special};
use crate::types::{self, EdgeRole, EdgeType, Label, MOST_CODE};
use crate::weak::{Entry, Mark};

/// Number of the subtype `v8.ephemeron`: behind the types that the file declares.
pub(super) fn ephemeron(header: &Header) -> u32 {
    header.edge_types.len() as u32 + 1
}

/// Number of the subtype that edges with this type code have.
fn subtype(header: &Header, code: u64) -> u32 {
    let number = code as u32 + 1;
    if number < ephemeron(header) { number } else { number + 1 }
}

/// Declares the edge types from `known` on.
pub(super) fn declare_edges(
    header: &Header,
    types: &[EdgeType],
    known: usize,
    sink: &mut dyn Sink,
) -> Result {
    types.iter().enumerate().skip(known).try_for_each(|(code, t)| {
        let id = subtype(header, code as u64);
        sink.declare(&Declared::Edge { id, name: &t.name, retains: t.retains, rest: &[] }.into())
    })
}

/// So many shards of the sink; `None` if it takes edges by identifiers, or from one thread only.
fn fork(count: usize, sink: &mut dyn Sink) -> Option<Vec<Box<dyn Shard>>> {
    if sink.wants().edges != wants::Edges::ByIndex {
        return None;
    }
    let sink = sink.sharded()?;
    Some((0..count).map(|_| sink.fork()).collect())
}

/// Tells edges.
struct Teller<'a, 's> {
    snapshot: Snapshot<'a>,
    /// How many are to be told.
    count: u64,
    sink: &'s mut dyn Sink,
    /// The types, with those that were not declared.
    types: Vec<EdgeType>,
    plain: &'s Plain<'a>,
    divide: Divide,
    /// Nodes go by number.
    numbers: bool,
    rest: Vec<u8>,
    /// The source, its identifier, and whether its edges are passed over.
    owner: Owners<'a>,
    source: Value,
    passed: bool,
    told: u64,
}

impl Snapshot<'_> {
    /// Tells the edges, as far as they stand whole; false if not all do. Nodes were told, each of those that stand whole:
    /// an ordinal is a number of [`NodeEnds`]. A second thread lexes ahead.
    pub(crate) fn edges(&self, section: &Section, edges: &Edges, sink: &mut dyn Sink) -> Result<bool> {
        if edges.count == 0 {
            return Ok(true);
        }
        let plain = self.plain(edges);
        let mut teller = self.edge_teller(edges, &plain, self.nodes.owners(), sink);
        teller.tell_all(section, edges.count, true)
    }

    /// Tells the nodes by `tell_nodes` and, at the same time, the edges, which lie in `pieces`, as far as they stand
    /// whole; false if not all do, or `None`, having told nothing, if that does not pay or the sink does not take it.
    ///
    /// One thread takes the pieces from the first on, the other from the last, until none is left.
    pub(crate) fn in_two(
        &self,
        tell_nodes: &(dyn Fn(&mut dyn Sink) -> Result + Sync),
        pieces: &[Piece],
        edges: &Edges,
        sink: &mut dyn Sink,
    ) -> Result<Option<bool>> {
        if pieces.len() < 2 || pieces.iter().any(|piece| piece.first >= edges.count) {
            return Ok(None);
        }
        let Some(shards) = fork(pieces.len(), sink) else { return Ok(None) };
        let plain = &self.plain(edges);
        let ends = pieces[1..].iter().map(|piece| piece.first).chain([edges.count]);
        let pieces: Vec<_> =
            pieces.iter().zip(ends).map(|(&piece, end)| (piece, end - piece.first)).collect();
        let left = WorkQueue::new(0..pieces.len());
        let mut front = || -> Result<bool> {
            tell_nodes(sink)?;
            let mut teller = self.edge_teller(edges, plain, self.nodes.owners(), sink);
            while let Some(at) = left.first() {
                let (Piece { section, .. }, count) = &pieces[at];
                if !teller.tell_all(section, *count, false)? {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        let back = || -> Result<Vec<(Box<dyn Shard>, bool)>> {
            let owners = self.owners_of(&pieces);
            let (mut shards, mut taken) = (shards, Vec::new());
            while let Some((at, mut shard)) = left.last().zip(shards.pop()) {
                let (Piece { section, .. }, count) = &pieces[at];
                let mut teller = self.edge_teller(edges, plain, owners[at].clone(), &mut *shard);
                let intact = teller.tell_all(section, *count, false)?;
                taken.push((shard, intact));
            }
            Ok(taken)
        };
        let front = || {
            let intact = front();
            if !matches!(intact, Ok(true)) {
                left.end();
            }
            intact
        };
        let (front, back) = join(true, front, back);
        let (mut intact, back) = (front?, back?);
        for (shard, whole) in back.into_iter().rev() {
            let Some(sink) = sink.sharded().filter(|_| intact) else { break };
            sink.join(shard)?;
            intact = whole;
        }
        Ok(Some(intact))
    }

    /// The owners at the beginning of each piece.
    fn owners_of(&self, pieces: &[(Piece, u64)]) -> Vec<Owners<'_>> {
        let mut owner = self.nodes.owners();
        let mut owners = Vec::new();
        for (_, count) in pieces {
            owners.push(owner.clone());
            owner.skip(*count);
        }
        owners
    }

    /// What tells plain edges from others.
    fn plain(&self, edges: &Edges) -> Plain<'_> {
        Plain::new(
            &edges.types[..self.header.edge_types.len()],
            &self.scan.strings,
            self.nodes.count,
            self.header.node.width,
        )
    }

    /// Tells edges that come behind those that `owner` went over.
    fn edge_teller<'a, 's>(
        &'a self,
        edges: &'a Edges,
        plain: &'s Plain<'a>,
        owner: Owners<'a>,
        sink: &'s mut dyn Sink,
    ) -> Teller<'a, 's> {
        Teller {
            snapshot: *self,
            count: 0,
            types: edges.types.clone(),
            plain,
            divide: Divide::by(self.header.node.width),
            numbers: sink.wants().edges == wants::Edges::ByIndex,
            rest: Vec::new(),
            owner,
            source: 0,
            passed: false,
            told: 0,
            sink,
        }
    }

    /// Appends what graph tools must know of an edge to reckon as DevTools does. Gives the other node of an ephemeron.
    fn edge_heap(
        &self,
        rest: &mut Vec<u8>,
        source: u32,
        entry: Option<&Entry>,
        skipped: bool,
    ) -> Option<u32> {
        let half: Option<(&[u8], u32)> = match entry {
            Some(&Entry { key: Some(key), table: Some(table) }) if table == source => {
                Some((b"\"key\":", key))
            }
            Some(&Entry { table: Some(table), .. }) if table != source => Some((b"\"table\":", table)),
            _ => None,
        };
        if half.is_none() && !skipped {
            return None;
        }
        rest.extend_from_slice(b"\"heap\":{");
        if let Some((key, node)) = half {
            rest.extend_from_slice(key);
            push_int(rest, self.nodes.identifier(node as usize));
        }
        if skipped {
            rest.extend_from_slice(if half.is_some() {
                b",\"distance\":false"
            } else {
                b"\"distance\":false"
            });
        }
        rest.push(b'}');
        half.map(|(_, node)| node)
    }
}

impl Teller<'_, '_> {
    /// Tells the next `count` edges, which are those of `section`, as far as they stand whole; false if not all do. With
    /// `ahead`, a second thread lexes them.
    fn tell_all(&mut self, section: &Section, count: u64, ahead: bool) -> Result<bool> {
        let Snapshot { blob, header, .. } = self.snapshot;
        (self.count, self.told) = (count, 0);
        let fields = &header.edge;
        let ints = Ints::new(blob, section, fields.width).edges(plain(fields).then_some(self.plain));
        ints.batches(ahead, |batch| self.batch(batch))?;
        Ok(self.told == count)
    }

    /// Tells the edges of a batch; false if no more come.
    fn batch(&mut self, batch: &mut Batch) -> Result<bool> {
        let Snapshot { header, nodes, .. } = self.snapshot;
        let most = usize::try_from(self.count - self.told).unwrap_or(usize::MAX);
        if !self.run(&mut batch.run, most)? {
            return Ok(false);
        }
        for (record, ints) in batch.records().enumerate().take(most) {
            if self.owner.left == 0 && !self.advance() {
                return Ok(false);
            }
            let (kind, name, to) = triple(&header.edge, ints);
            let Some(dest) = self.divide.node(to, nodes.count) else { return Ok(false) };
            if !self.edge(kind, name, dest, Some((batch, record)))? {
                return Ok(false);
            }
        }
        Ok(self.told < self.count)
    }

    /// Tells at most `most` plain edges; false if no more come.
    fn run(&mut self, run: &mut Run, most: usize) -> Result<bool> {
        let (edges, mut pairs) = run.parts();
        let count = edges.len().min(most);
        let mut at = 0;
        while at < count {
            if self.owner.left == 0 && !self.advance() {
                return Ok(false);
            }
            let mut end =
                count.min(at.saturating_add(usize::try_from(self.owner.left).unwrap_or(usize::MAX)));
            let pair = pairs.first().map_or(usize::MAX, |&pair| pair as usize);
            if pair == at || matches!(self.owner.special, Special::NativeContext | Special::MapDescriptors) {
                pairs = &pairs[usize::from(pair == at)..];
                let (kind, name, dest) = self.plain.fields(edges[at]);
                if !self.edge(kind, name, dest, None)? {
                    return Ok(false);
                }
                at += 1;
            } else {
                end = end.min(pair);
                self.tell(&mut edges[at..end])?;
                at = end;
            }
        }
        Ok(true)
    }

    /// Goes to the source of the next edge; false if there is none.
    #[inline]
    fn advance(&mut self) -> bool {
        if !self.owner.next() {
            return false;
        }
        if !self.numbers {
            self.source = self.snapshot.nodes.identifier(self.owner.ordinal);
            let filter = self.sink.edge_filter();
            self.passed = filter.is_some_and(|filter| filter.skip_edges_of(self.source) == Skip::All);
        }
        true
    }

    /// Tells edges of the source, whose targets are ordinals.
    #[inline]
    fn tell(&mut self, edges: &mut [PlainEdge]) -> Result {
        self.owner.left -= edges.len() as u64;
        self.told += edges.len() as u64;
        if self.numbers {
            let source = self.owner.ordinal as Value;
            self.sink.edges(&EdgeBatch::plain(Ends::Indexes, source, edges))
        } else if self.passed {
            Ok(())
        } else {
            for edge in &mut *edges {
                edge.dest = self.snapshot.nodes.identifier(edge.dest as usize);
            }
            self.sink.edges(&EdgeBatch::plain(Ends::Identifiers, self.source, edges))
        }
    }

    /// Tells an edge of any kind, which may have a record with further fields; false if it is damaged.
    fn edge(&mut self, kind: u64, name: u64, dest: u32, record: Option<(&Batch, usize)>) -> Result<bool> {
        let Snapshot { scan, header, nodes, .. } = self.snapshot;
        if kind >= self.types.len() as u64 {
            if kind > MOST_CODE {
                return Ok(false);
            }
            let known = self.types.len();
            types::add_edge_types(&mut self.types, kind);
            declare_edges(header, &self.types, known, self.sink)?;
        }
        let t = &self.types[kind as usize];
        let (label, mark) = match t.label {
            Label::Index => (Some(index_string(index(name))), Mark::None),
            Label::String if name >= scan.strings.limit() => return Ok(false),
            Label::String => (scan.strings.id(name), scan.strings.marks.get(name)),
        };
        self.owner.left -= 1;
        self.told += 1;
        if self.passed {
            return Ok(true);
        }
        let half = if t.role == EdgeRole::Internal && mark == Mark::Pair {
            self.snapshot.entries.get(&name)
        } else {
            None
        };
        let skipped = match (self.owner.special, t.label) {
            (Special::NativeContext, _) => mark == Mark::SloppyMap,
            (Special::MapDescriptors, Label::String) => mark == Mark::Third,
            (Special::MapDescriptors, Label::Index) => index(name) >= 2 && index(name) % 3 == 1,
            _ => false,
        };
        let whole = half.is_some_and(|half| half.table == Some(self.owner.ordinal as u32));
        let subtype = if whole { ephemeron(header) } else { subtype(header, kind) };
        self.rest.clear();
        let partner = self.snapshot.edge_heap(&mut self.rest, self.owner.ordinal as u32, half, skipped);
        let others = &header.edge.others;
        if let Some((batch, record)) = record
            && !others.is_empty()
        {
            let ints = batch.part(record..record + 1);
            if !self.rest.is_empty() {
                self.rest.push(b',');
            }
            self.rest.extend_from_slice(b"\"v8\":{");
            unknown(&mut self.rest, others, batch, record, ints);
            self.rest.push(b'}');
        }
        let mut edge = Edge { subtype, label, rest: &self.rest, ..Edge::default() };
        if self.numbers {
            (edge.source, edge.dest) = (self.owner.ordinal as Value, Some(dest.into()));
            self.sink.edges(&EdgeBatch::one_by_index(&edge, partner))?;
        } else {
            (edge.source, edge.dest) = (self.source, Some(nodes.identifier(dest as usize)));
            self.sink.edges(&EdgeBatch::one(&edge))?;
        }
        Ok(true)
    }
}
