//! Tells the edges, in runs: those of one node that say where they lead and by which label, and nothing further.
//!
//! Nearly all edges are plain like that, which their type and their name tell; what is not, or is damaged, is taken one
//! by one by [`Teller::edge`], which takes plain ones just as well.

use heap_record::json::push_int;
use heap_record::{Declaration, Edge, Ends, PlainEdge, Result, Sink, Value, index_string};
use rustc_hash::FxHashMap;

use super::{Snapshot, unknown};
use crate::edges::{Divide, Edges, index, plain, triple};
use crate::ints::{Batch, Ints, Section};
use crate::nodes::{Nodes, Sources, Special};
use crate::text::Strings;
use crate::types::{self, EdgeRole, EdgeType, Label, MOST_CODE};
use crate::weak::{Mark, Marks};

/// Edges that are told at a time. Tests have nodes with more.
const RUN: usize = if cfg!(test) { 7 } else { 256 };

/// Number of the subtype `v8.ephemeron`: behind all codes, those to come included.
pub(super) fn ephemeron(edges: &Edges) -> u32 {
    if edges.open { MOST_CODE as u32 + 2 } else { edges.types.len() as u32 + 1 }
}

/// Declares the edge types from `known` on.
pub(super) fn declare_edges(types: &[EdgeType], known: usize, sink: &mut dyn Sink) -> Result {
    types.iter().enumerate().skip(known).try_for_each(|(code, t)| {
        sink.declare(&Declaration::Edge { id: code as u32 + 1, name: &t.name, retains: t.retains, rest: &[] })
    })
}

/// The halves of WeakMap entries, by the string that names them.
type Pairs = FxHashMap<u64, Pair>;

/// Key and table of an ephemeron, by ordinal, where such nodes exist.
#[derive(Clone, Copy, Debug)]
struct Pair {
    key: Option<u32>,
    table: Option<u32>,
}

/// What a plain edge of some type is. None is, by default.
#[derive(Clone, Copy, Debug, Default)]
struct Usual {
    /// What its name must stay below.
    limit: u64,
    /// What turns its name into its label: all bits for an array index, none for a string.
    flip: i64,
    /// Whether it may be half of a WeakMap entry, by its name.
    marked: bool,
}

/// What tells plain edges from others.
struct Plain<'a> {
    /// By the code of the type.
    usual: [Usual; 16],
    marks: &'a Marks,
    divide: Divide,
    nodes: &'a Nodes,
    /// Nodes go by number.
    numbers: bool,
}

impl Plain<'_> {
    /// Takes up the types.
    fn know(&mut self, types: &[EdgeType], strings: &Strings) {
        for (usual, t) in self.usual.iter_mut().zip(types) {
            let (limit, flip) = if t.label == Label::Index { (1 << 32, -1) } else { (strings.known(), 0) };
            *usual = Usual { limit, flip, marked: t.role == EdgeRole::Internal };
        }
    }

    /// Takes the plain edges with which `records` begin, as many as there is room for; gives how many.
    fn take(&self, records: &[u64], run: &mut [PlainEdge; RUN]) -> usize {
        let mut n = 0;
        for (record, edge) in records.as_chunks::<3>().0.iter().zip(run) {
            let &[kind, name, to] = record;
            let Some(usual) = self.usual.get(kind as usize) else { break };
            let dest = self.divide.exact(to).filter(|&dest| dest < u64::from(self.nodes.count));
            let Some(dest) = dest.filter(|_| name < usual.limit) else { break };
            if usual.marked && self.marks.get(name) == Mark::Pair {
                break;
            }
            let dest = if self.numbers { dest as Value } else { self.nodes.identifier(dest as usize) };
            *edge = PlainEdge { subtype: kind as u32 + 1, dest, label: name as i64 ^ usual.flip };
            n += 1;
        }
        n
    }
}

/// Tells edges.
struct Teller<'a, 's> {
    snapshot: Snapshot<'a>,
    edges: &'a Edges,
    sink: &'s mut dyn Sink,
    pairs: Pairs,
    /// The types, with those that were not declared.
    types: Vec<EdgeType>,
    /// Records may be plain edges.
    runs: bool,
    plain: Plain<'a>,
    run: Box<[PlainEdge; RUN]>,
    rest: Vec<u8>,
    sources: Sources<'a>,
    /// The source: its ordinal, its identifier, what it is, whether its edges are passed over, how many are left.
    ordinal: usize,
    source: Value,
    special: Special,
    passed: bool,
    left: u64,
    told: u64,
}

impl Snapshot<'_> {
    /// Tells the edges; gives how many stand whole. Nodes were told, each of those that stand whole: an ordinal is a
    /// number of [`Ends`].
    pub(crate) fn edges(&self, section: &Section, edges: &Edges, sink: &mut dyn Sink) -> Result<u64> {
        if edges.count == 0 {
            return Ok(0);
        }
        let fields = &self.header.edge;
        let mut usual = Plain {
            usual: [Usual::default(); 16],
            marks: &self.scan.strings.marks,
            divide: Divide::by(self.header.node.width),
            nodes: self.nodes,
            numbers: sink.numbers(),
        };
        usual.know(&edges.types, &self.scan.strings);
        let mut teller = Teller {
            snapshot: *self,
            edges,
            pairs: self.pairs(),
            types: edges.types.clone(),
            runs: plain(fields) && fields.others.is_empty(),
            plain: usual,
            run: Box::new([PlainEdge::default(); RUN]),
            rest: Vec::new(),
            sources: self.nodes.sources(),
            ordinal: usize::MAX,
            source: 0,
            special: Special::None,
            passed: false,
            left: 0,
            told: 0,
            sink,
        };
        let ints = Ints::new(self.blob, section, fields.width).triples(plain(fields));
        ints.batches(true, |batch| teller.batch(batch))?;
        Ok(teller.told)
    }

    /// The ordinals of WeakMap keys and tables, where such nodes exist.
    fn pairs(&self) -> Pairs {
        let named = self.scan.strings.marks.pairs();
        let mut wanted: FxHashMap<u64, Option<u32>> =
            named.values().flat_map(|p| [(p.key, None), (p.table, None)]).collect();
        if !wanted.is_empty() {
            for (ordinal, id) in (0..).zip(self.nodes.ids()) {
                if let Some(found @ None) = wanted.get_mut(&id) {
                    *found = Some(ordinal);
                }
            }
        }
        let found = |id| wanted.get(&id).copied().flatten();
        named.iter().map(|(&string, p)| (string, Pair { key: found(p.key), table: found(p.table) })).collect()
    }

    /// Appends what graph tools must know of an edge to reckon as DevTools does. Gives the other node of an ephemeron.
    fn edge_heap(&self, rest: &mut Vec<u8>, source: u32, pair: Option<&Pair>, skipped: bool) -> Option<u32> {
        let half: Option<(&[u8], u32)> = match pair {
            Some(&Pair { key: Some(key), table: Some(table) }) if table == source => Some((b"\"key\":", key)),
            Some(&Pair { table: Some(table), .. }) if table != source => Some((b"\"table\":", table)),
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
    /// Tells the edges of a batch; false if no more come.
    fn batch(&mut self, batch: &Batch) -> Result<bool> {
        let count =
            batch.records().len().min(usize::try_from(self.edges.count - self.told).unwrap_or(usize::MAX));
        let mut record = 0;
        while record < count {
            if self.left == 0 && !self.advance() {
                return Ok(false);
            }
            let end = count.min(record.saturating_add(usize::try_from(self.left).unwrap_or(usize::MAX)));
            if self.runs && (self.special as u8) < Special::NativeContext as u8 {
                let run = self.plain.take(batch.part(record..end), &mut self.run);
                self.tell(run)?;
                record += run;
                if record == end || run == RUN {
                    continue;
                }
            }
            if !self.edge(batch, record)? {
                return Ok(false);
            }
            record += 1;
        }
        Ok(self.told < self.edges.count)
    }

    /// Goes to the next node with edges; false if there is none.
    #[inline]
    fn advance(&mut self) -> bool {
        while self.left == 0 {
            let Some(next) = self.sources.next() else { return false };
            (self.special, self.left) = next;
            self.ordinal = self.ordinal.wrapping_add(1);
        }
        if !self.plain.numbers {
            self.source = self.plain.nodes.identifier(self.ordinal);
            self.passed = self.sink.passes_over(self.source);
        }
        true
    }

    /// Tells the first edges of the run.
    #[inline]
    fn tell(&mut self, count: usize) -> Result {
        self.left -= count as u64;
        self.told += count as u64;
        if count > 0 && self.plain.numbers {
            self.sink.edges_between(self.ordinal as u32, &self.run[..count])
        } else if count > 0 && !self.passed {
            self.sink.edges_from(self.source, &self.run[..count])
        } else {
            Ok(())
        }
    }

    /// Tells an edge of any kind; false if it is damaged.
    fn edge(&mut self, batch: &Batch, record: usize) -> Result<bool> {
        let Snapshot { scan, header, nodes, .. } = self.snapshot;
        let (f, ints) = (&header.edge, batch.part(record..record + 1));
        let (kind, name, to) = triple::<false>(f, ints);
        let dest = self.plain.divide.exact(to).filter(|&dest| dest < u64::from(nodes.count));
        let Some(dest) = dest else { return Ok(false) };
        if kind >= self.types.len() as u64 {
            if kind > MOST_CODE {
                return Ok(false);
            }
            let known = self.types.len();
            types::add_edge_types(&mut self.types, kind);
            declare_edges(&self.types, known, self.sink)?;
            self.plain.know(&self.types, &scan.strings);
        }
        let t = &self.types[kind as usize];
        let (label, mark) = match t.label {
            Label::Index => (Some(index_string(index(name))), Mark::None),
            Label::String if name >= scan.strings.limit() => return Ok(false),
            Label::String => (scan.strings.id(name), scan.strings.marks.get(name)),
        };
        self.left -= 1;
        self.told += 1;
        if self.passed {
            return Ok(true);
        }
        let half =
            if t.role == EdgeRole::Internal && mark == Mark::Pair { self.pairs.get(&name) } else { None };
        let skipped = match (self.special, t.label) {
            (Special::NativeContext, _) => mark == Mark::SloppyMap,
            (Special::MapDescriptors, Label::String) => mark == Mark::Third,
            (Special::MapDescriptors, Label::Index) => index(name) >= 2 && index(name) % 3 == 1,
            _ => false,
        };
        let whole = half.is_some_and(|half| half.table == Some(self.ordinal as u32));
        let subtype = if whole { ephemeron(self.edges) } else { kind as u32 + 1 };
        self.rest.clear();
        let partner = self.snapshot.edge_heap(&mut self.rest, self.ordinal as u32, half, skipped);
        if !f.others.is_empty() {
            if !self.rest.is_empty() {
                self.rest.push(b',');
            }
            self.rest.extend_from_slice(b"\"v8\":{");
            unknown(&mut self.rest, &f.others, batch, record, ints);
            self.rest.push(b'}');
        }
        let mut edge = Edge { subtype, label, rest: &self.rest, ..Edge::default() };
        if self.plain.numbers {
            let ends = Ends { source: self.ordinal as u32, dest: dest as u32, partner };
            self.sink.edge_between(ends, &edge)?;
        } else {
            (edge.source, edge.dest) = (self.source, Some(nodes.identifier(dest as usize)));
            self.sink.edge(&edge)?;
        }
        Ok(true)
    }
}
