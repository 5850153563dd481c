//! The nodes: read once, into the few bytes of each that edges and later stages ask for.
//!
//! They are read before the strings behind them are known. So names are only bounded by 32 bits here, and what a name
//! means is looked up when it is needed.

pub(crate) mod columns;
mod ids;
pub(crate) mod sources;
pub(crate) mod sums;

use std::iter;
use std::ops::Range;

use heap_base::{BitSet, Blob, Error, Result, WorkQueue, join};
use heap_record::wants::{self, SumBy};
use heap_record::{IdRule, Value, Wants};

use crate::layout::Header;
use crate::layout::marks::{Mark, Marks};
use crate::layout::types::{self, MOST_CODE, NodeType, Own, Role};
use crate::lex::nodes::{NodeRow, PlainNodes};
use crate::lex::{Batch, Divide, Lexer, Section};
use crate::scan::count::PIECES;
use columns::{Columns, More};
use ids::Ids;
use sources::{Owners, SourceList, Sources, Special};
use sums::Sums;

/// Bytes that are searched for a place where the list can be cut: a record takes at most 150.
const CUT: usize = 256;

/// Bytes of a node that go to files, where they are more than one in so many of the memory that there is.
const TABLES: u64 = 10;
const SHARE: u64 = 5;

/// What to keep of each node.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "these are independent wishes, not a state")]
pub(crate) struct Keep {
    /// What edges ask of their sources: one byte.
    pub(crate) sources: bool,
    /// Type, name and size: six bytes.
    pub(crate) columns: bool,
    /// Beside the columns all other fields.
    pub(crate) details: bool,
    /// Which strings are classes.
    pub(crate) classes: bool,
    /// Only sums by type and class.
    pub(crate) sums: bool,
}

impl Keep {
    /// What serves a sink.
    pub(crate) fn new(wants: Wants) -> Self {
        let sources = wants.any_edges() || wants.all_fields();
        let sums = wants.sums() == Some(SumBy::Class) && !sources;
        Self {
            sources,
            columns: sources || wants.any_nodes() && !sums,
            details: wants.node_details(),
            classes: wants.strings == wants::Strings::Classes,
            sums,
        }
    }
}

/// Which nodes to read, and what to keep of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request<'a> {
    pub(crate) blob: &'a Blob,
    pub(crate) section: &'a Section,
    pub(crate) header: &'a Header,
    pub(crate) keep: Keep,
    /// What names must stay below: the number of strings, if it is known.
    pub(crate) name_limit: u64,
}

impl<'a> Request<'a> {
    /// Ordinal that the root would have.
    fn root(self) -> Option<u64> {
        Divide::by(self.header.node.width).exact(self.header.root_index)
    }

    /// The list in pieces of about the same length, cut where a record seems to begin: up to version 13.4, V8 writes each
    /// on a line. There is one piece only if no other is found, or does not pay.
    pub(crate) fn cut(self) -> Result<Vec<Section>> {
        let Section { start, end, closed, .. } = *self.section;
        let mut pieces = vec![*self.section];
        // Sums are for one thread.
        if self.keep.sums || !closed || !self.section.worth_a_thread() {
            return Ok(pieces);
        }
        let mut text = [0; CUT];
        for cut in 1..PIECES {
            let at = start + (end - start) / PIECES * cut;
            let n = self.blob.read_at(&mut text, at)?;
            let Some(line) = memchr::memmem::find(&text[..n], b"\n,") else { continue };
            let comma = at + line as u64 + 1;
            if let Some(last) = pieces.last_mut()
                && (last.start + 1..end).contains(&comma)
            {
                last.end = comma;
                pieces.push(Section { start: comma + 1, ..*self.section });
            }
        }
        Ok(pieces)
    }

    /// A reader for `section`, with room for all its nodes. It finds the root by its ordinal.
    fn reader(self, section: &Section, root: Option<u64>) -> Reader<'a> {
        let Self { blob, header, keep, name_limit, .. } = self;
        let fields = &header.node;
        // The count in the header is a hint; a node takes at least two bytes per field.
        let room = (section.end - section.start) / (2 * fields.width as u64) + 1;
        let hint =
            header.number("node_count").and_then(|n| u64::try_from(n).ok()).unwrap_or(0).min(room) as usize;
        Reader {
            name_limit,
            keep,
            root,
            most_strings: blob.len() / 3,
            header,
            nodes: Nodes {
                count: 0,
                rule: IdRule::V8,
                ids: Ids::with_capacity(hint),
                sources: SourceList::with_capacity(if keep.sources { hint } else { 0 }),
                columns: Columns::with_capacity(if keep.columns { hint } else { 0 }),
                complete: keep.columns && (!keep.details || fields.others.is_empty()),
                sums: keep.sums.then(Sums::default),
                classes: BitSet::default(),
                root_edges: 0..0,
                edges: 0,
                types: types::node_types(&header.node_types),
                synthetic: Vec::new(),
                largest_name: 0,
                slots: 0,
                damage: None,
            },
        }
    }
}

/// What is known of the nodes.
#[derive(Debug)]
pub(crate) struct Nodes {
    /// How many are intact.
    pub(crate) count: u32,
    /// How identifiers are made, once it is known what is [possible](Self::possible_rule).
    pub(crate) rule: IdRule,
    ids: Ids,
    sources: SourceList,
    /// Type, name and size of each, if these are kept.
    pub(crate) columns: Columns,
    /// Whether the columns have all that is asked of the nodes; else they must be lexed again.
    pub(crate) complete: bool,
    /// Sums, if only these are asked for.
    pub(crate) sums: Option<Sums>,
    /// Which strings are classes, if that is asked for.
    pub(crate) classes: BitSet,
    /// Which edges are the root's.
    pub(crate) root_edges: Range<u64>,
    /// Number of edges that the nodes claim.
    pub(crate) edges: u64,
    /// The node types, with all codes that occur.
    pub(crate) types: Vec<NodeType>,
    /// Ordinals and names of synthetic nodes, ascending.
    synthetic: Vec<(u32, u32)>,
    largest_name: u64,
    /// How many fields of nodes are destinations of edges.
    pub(crate) slots: usize,
    /// Where the nodes stop being intact.
    pub(crate) damage: Option<Error>,
}

impl Nodes {
    /// Reads all nodes, and does `other`, too. With `two`, or where there are many nodes, two threads share both; anything
    /// odd in the nodes is left to one of them, which says where it is.
    pub(crate) fn read<T: Send>(
        request: Request<'_>,
        two: bool,
        other: impl FnOnce() -> Result<T> + Send,
    ) -> Result<(Self, T)> {
        let pieces = request.cut()?;
        if pieces.len() < 2 {
            let (nodes, other) = join(two, || Self::read_alone(request), other);
            return Ok((nodes?, other?));
        }
        // Nobody takes the first piece away from the first thread: it finds the root.
        let left = WorkQueue::new(1..pieces.len());
        let (nodes, other) = Self::read_pieces(request, &pieces, [&left, &left], other)?;
        Ok((nodes.map_or_else(|| Self::read_alone(request), Ok)?, other))
    }

    /// Reads by two threads. One reads the first piece and what it finds `left` from there on; the other does `other`,
    /// then reads what it finds left from the last on. No nodes if something is odd.
    pub(crate) fn read_pieces<T: Send>(
        request: Request<'_>,
        pieces: &[Section],
        left: [&WorkQueue; 2],
        other: impl FnOnce() -> Result<T> + Send,
    ) -> Result<(Option<Self>, T)> {
        let front = || -> Result<Self> {
            let mut reader = request.reader(request.section, request.root());
            for at in iter::once(0).chain(iter::from_fn(|| left[0].first())) {
                if !reader.run(request.blob, &pieces[at], false)? {
                    left[0].end();
                    break;
                }
            }
            Ok(reader.nodes)
        };
        let back = || -> Result<(T, Vec<Self>)> {
            let other = other()?;
            let mut nodes = Vec::new();
            while let Some(at) = left[1].last() {
                let mut reader = request.reader(&pieces[at], None);
                let intact = reader.run(request.blob, &pieces[at], false)?;
                nodes.push(reader.nodes);
                if !intact {
                    left[1].end();
                    break;
                }
            }
            Ok((other, nodes))
        };
        let (first, back) = join(true, front, back);
        let (mut first, (other, back)) = (first?, back?);
        // A piece ends with a whole record only if the next one begins with one.
        let sound = first.damage.is_none() && back.iter().all(|nodes| nodes.damage.is_none());
        let rooted = request.root().is_none_or(|root| root < first.count.into());
        let sound = sound && rooted && back.into_iter().rev().all(|nodes| first.append(nodes));
        Ok((sound.then_some(first), other))
    }

    /// Reads by one thread, lexed ahead by a second one.
    pub(crate) fn read_alone(request: Request<'_>) -> Result<Self> {
        let mut reader = request.reader(request.section, request.root());
        reader.run(request.blob, request.section, true)?;
        Ok(reader.nodes)
    }

    /// Appends the nodes behind these; false if they do not fit.
    fn append(&mut self, next: Self) -> bool {
        let (Some(count), Some(edges)) =
            (self.count.checked_add(next.count), self.edges.checked_add(next.edges))
        else {
            return false;
        };
        let first = self.count;
        self.ids.append(next.ids);
        self.sources.append(next.sources);
        self.columns.append(first, next.columns);
        self.complete &= next.complete;
        for name in next.classes.iter() {
            self.classes.insert(name);
        }
        self.synthetic.extend(next.synthetic.iter().map(|&(ordinal, name)| (first + ordinal, name)));
        self.largest_name = self.largest_name.max(next.largest_name);
        if next.types.len() > self.types.len() {
            self.types = next.types;
        }
        self.slots += next.slots;
        (self.count, self.edges) = (count, edges);
        true
    }

    /// How identifiers must be made: of V8's ids, unless they repeat or do not fit.
    pub(crate) fn possible_rule(&self) -> IdRule {
        let usable = self.ids.largest() <= 1 << 62 && self.ids.all_different();
        if usable { IdRule::V8 } else { IdRule::Index }
    }

    /// Puts into files what is asked for in order, where it is much beside `memory` bytes.
    pub(crate) fn fit(&mut self, memory: u64) -> Result {
        if u64::from(self.count) * TABLES * SHARE > memory {
            self.columns.put_away()?;
            self.ids.put_away()?;
        }
        Ok(())
    }

    /// Says that these files could not be read.
    pub(crate) fn check(&self) -> Result {
        self.columns.check()?;
        self.ids.check()
    }

    /// Whether all names are below `limit`.
    pub(crate) fn named_below(&self, limit: u64) -> bool {
        self.count == 0 || self.largest_name < limit
    }

    /// Whether a node is synthetic, and if so, whether it is called `(Document DOM trees)`.
    pub(crate) fn synthetic(&self, ordinal: u32, marks: &Marks) -> Option<bool> {
        let at = self.synthetic.binary_search_by_key(&ordinal, |&(ordinal, _)| ordinal).ok()?;
        Some(marks.get(self.synthetic[at].1.into()) == Mark::DomTrees)
    }

    /// How many synthetic nodes stand for threads that have heaps of their own.
    pub(crate) fn workers(&self, marks: &Marks) -> usize {
        self.marked(marks, Mark::Worker).count()
    }

    /// The ordinals of the machine's tables of strings, ascending.
    pub(crate) fn string_tables(&self, marks: &Marks) -> impl Iterator<Item = u32> {
        self.marked(marks, Mark::StringTable)
    }

    /// The synthetic nodes whose name has this meaning.
    fn marked(&self, marks: &Marks, mark: Mark) -> impl Iterator<Item = u32> {
        let is = move |&&(_, name): &&(u32, u32)| marks.get(name.into()) == mark;
        self.synthetic.iter().filter(is).map(|&(ordinal, _)| ordinal)
    }

    /// The id of a node, if there is such a node.
    #[inline]
    pub(crate) fn id(&self, ordinal: usize) -> Option<u64> {
        self.ids.get(ordinal)
    }

    /// The identifier of a node that exists.
    #[inline]
    pub(crate) fn identifier(&self, ordinal: usize) -> Value {
        let own = self.rule == IdRule::V8;
        self.rule.identifier(if own { self.id(ordinal).unwrap_or(0) as i64 } else { ordinal as i64 })
    }

    /// All ids, by ordinal.
    pub(crate) fn ids(&self) -> impl Iterator<Item = u64> + '_ {
        self.ids.iter()
    }

    /// The nodes as sources of edges.
    pub(crate) fn sources(&self) -> Sources<'_> {
        self.sources.iter()
    }

    /// The edges by their sources.
    pub(crate) fn owners(&self) -> Owners<'_> {
        Owners::new(self.sources())
    }
}

/// The identifier that V8's id gives: both kinds are odd, and no two are equal.
#[inline]
pub(crate) const fn v8_identifier(id: u64) -> Value {
    if id & 1 == 1 { id as Value } else { -(id as Value) - 1 }
}

/// Reads nodes.
struct Reader<'a> {
    header: &'a Header,
    keep: Keep,
    name_limit: u64,
    /// Ordinal that the root would have.
    root: Option<u64>,
    /// More strings do not fit into the file.
    most_strings: u64,
    nodes: Nodes,
}

/// Record in the batch, field, and what is wrong with it.
type Fault = (usize, usize, String);

impl Reader<'_> {
    /// Reads the nodes in `section`; false if they are not all intact.
    fn run(&mut self, blob: &Blob, section: &Section, ahead: bool) -> Result<bool> {
        let fields = &self.header.node;
        Lexer::new(blob, section, fields.width).nodes(PlainNodes::new(fields)).batches(ahead, |batch| {
            self.nodes.damage = match self.batch(batch) {
                Some((record, field, what)) => Some(batch.damage(blob, section, record, field, what)),
                None => batch.stopped(section),
            };
            Ok(self.nodes.damage.is_none())
        })?;
        Ok(self.nodes.damage.is_none())
    }

    fn batch(&mut self, batch: &Batch) -> Option<Fault> {
        for (record, row) in batch.nodes.as_slice().iter().enumerate() {
            if let Err((field, what)) = self.node(row, More::default()) {
                return Some((record, field, what));
            }
        }
        let f = &self.header.node;
        let known = |field| {
            [f.kind, f.name, f.id, f.size, f.edges].contains(&field)
                || [f.trace, f.detachedness].contains(&Some(field))
        };
        let negative = batch.negatives.iter().map(|&at| (at as usize / f.width, at as usize % f.width));
        let negative = negative.into_iter().find(|&(_, field)| known(field));
        let most = negative.map_or(usize::MAX, |n| n.0);
        for (record, ints) in batch.records().enumerate().take(most) {
            let value = |field: Option<usize>| field.map_or(0, |at| ints[at]);
            let more = More { trace: value(f.trace), detachedness: value(f.detachedness) };
            let [kind, name, id, size, edges] = [f.kind, f.name, f.id, f.size, f.edges].map(|at| ints[at]);
            if let Err((field, what)) = self.node(&NodeRow { kind, name, id, size, edges }, more) {
                return Some((record, field, what));
            }
        }
        let (record, field) = negative?;
        // A record that is cut off is no record.
        (record < batch.records().len())
            .then(|| (record, field, format!("{} is negative", batch.shown(record, field))))
    }

    #[inline]
    fn node(&mut self, row: &NodeRow, more: More) -> Result<(), (usize, String)> {
        let f = &self.header.node;
        let &NodeRow { kind, name, id, size, edges } = row;
        let (own, role, class) = match self.nodes.types.get(kind as usize) {
            Some(t) => (t.own, t.role, t.class),
            None => self.undeclared(kind)?,
        };
        if name >= self.name_limit {
            return Err(self.bad_name(name));
        }
        let (sum, false) = self.nodes.edges.overflowing_add(edges) else {
            return Err((f.edges, "the edge counts add up to more than 64 bits".into()));
        };
        if self.nodes.count == u32::MAX {
            return Err((f.kind, "more nodes than 32 bits count".into()));
        }
        let nodes = &mut self.nodes;
        nodes.ids.push(id);
        nodes.largest_name = nodes.largest_name.max(name);
        if let Some(sums) = &mut nodes.sums {
            sums.add(nodes.count, kind as u32, class.then_some(name), (id, size));
        }
        if self.keep.columns {
            nodes.columns.push(kind, name, size);
            if self.keep.details && more != More::default() && nodes.complete {
                nodes.complete = nodes.columns.add(nodes.count, more);
            }
        }
        if class && self.keep.classes && name < self.most_strings {
            nodes.classes.insert(name as u32);
        }
        if self.keep.sources {
            let special = Special::of(own, role);
            nodes.sources.push(special, edges);
            nodes.slots += special.slots();
        }
        if role == Role::Synthetic {
            nodes.synthetic.push((nodes.count, name as u32));
        }
        if self.root == Some(nodes.count.into()) {
            nodes.root_edges = nodes.edges..sum;
        }
        nodes.edges = sum;
        nodes.count += 1;
        Ok(())
    }

    #[cold]
    fn undeclared(&mut self, kind: u64) -> Result<(Own, Role, bool), (usize, String)> {
        if kind > MOST_CODE {
            return Err((self.header.node.kind, format!("type code {kind} is beyond {MOST_CODE}")));
        }
        types::add_node_types(&mut self.nodes.types, kind);
        let t = self.nodes.types.get(kind as usize);
        Ok(t.map_or((Own::None, Role::None, false), |t| (t.own, t.role, t.class)))
    }

    #[cold]
    fn bad_name(&self, name: u64) -> (usize, String) {
        let what = if self.name_limit < u32::MAX.into() {
            format!("name {name} is not below {}, the number of strings", self.name_limit)
        } else {
            format!("name {name} is beyond 32 bits")
        };
        (self.header.node.name, what)
    }
}
