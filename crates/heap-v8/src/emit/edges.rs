//! The edges: lexed, checked and emitted in one pass, in batches of plain ones from one node.
//!
//! Nearly all edges are [plain](crate::lex::edges). What is not, or is damaged, is taken one by one by
//! [`EdgePass::edge`], which takes plain ones just as well.

use heap_base::json::push_int;
use heap_base::{Error, Result, WorkQueue, join};
use heap_record::wants::{self, Strings};
use heap_record::{
    Edge, EdgeBatch, Ends, NO_SHARDS, PlainEdge, Shard, Sink, Skip, Value, Wants, index_string,
};

use super::ahead::{Ahead, AheadSink};
use super::indexes::{self, Indexes};
use super::subtypes::{declare, ephemeron, subtype};
use super::{Snapshot, unknown};
use crate::layout::marks::{Entry, Mark};
use crate::layout::types::{self, EdgeRule, EdgeType, Label, MOST_CODE};
use crate::lex::edges::{EdgeRun, PlainEdges};
use crate::lex::{Batch, Divide, Lexer, Piece};
use crate::nodes::sources::{Owners, Special};

/// Shards that have their edges, the last of the file first, and the damage of each.
type Taken = Vec<(Box<dyn Shard>, Option<Error>)>;

/// The edges that a pass found intact.
#[derive(Debug)]
pub(crate) struct Intact {
    /// How many.
    pub(crate) count: u64,
    /// Where they stop being intact.
    pub(crate) damage: Option<Error>,
}

impl Snapshot<'_> {
    /// Emits strings, nodes, edges and lists. Returns where the lists and where the edges stop being intact.
    ///
    /// `pieces` are the edges, if their number is known to be right; else `intact` says how many of them to emit.
    pub(crate) fn emit(
        &self,
        wants: Wants,
        ahead: &Ahead,
        pieces: &[Piece],
        intact: u64,
        sink: &mut dyn Sink,
    ) -> Result<[Option<Error>; 2]> {
        if wants.edges == wants::Edges::ByIndex
            && pieces.len() > 1
            && let Some(sharded) = sink.sharded()
        {
            let shards = pieces.iter().map(|_| sharded.fork()).collect();
            return self.by_two_threads(wants, ahead, pieces, shards, sink);
        }
        self.strings(wants, sink)?;
        let stacks = self.stacks(wants.extensions.then_some(&mut *sink))?;
        self.nodes(wants, ahead, sink)?;
        let mut edges = None;
        if wants.any_edges() && intact > 0 {
            let all = Piece { section: self.scan.section("edges"), first: 0 };
            let plain = self.plain_edges();
            edges = self.pass(wants, &plain, self.nodes.owners(), sink).run(&all, intact, true)?.damage;
        }
        // Lists behind a damaged one are no surer than that.
        let lists = if stacks.is_some() { stacks } else { self.lists(wants.extensions.then_some(sink))? };
        Ok([lists, edges])
    }

    /// Emits edges by index: to the sink from the first piece on, behind all other records, and at the same time to shards
    /// of it from the last piece on. The shards are joined as far as all edges before them are intact.
    fn by_two_threads(
        &self,
        wants: Wants,
        ahead: &Ahead,
        pieces: &[Piece],
        mut shards: Vec<Box<dyn Shard>>,
        sink: &mut dyn Sink,
    ) -> Result<[Option<Error>; 2]> {
        let (plain, left) = (&self.plain_edges(), WorkQueue::new(0..pieces.len()));
        let mut front = || -> Result<[Option<Error>; 2]> {
            self.strings(wants, sink)?;
            let stacks = self.stacks(if wants.extensions { Some(&mut *sink) } else { None })?;
            self.nodes(wants, ahead, sink)?;
            let lists = match stacks {
                None => self.lists(if wants.extensions { Some(&mut *sink) } else { None })?,
                damage => damage,
            };
            let mut pass = self.pass(wants, plain, self.nodes.owners(), sink);
            while let Some(at) = left.first() {
                let passed = pass.run(&pieces[at], u64::MAX, false)?;
                if passed.damage.is_some() {
                    return Ok([lists, passed.damage]);
                }
            }
            Ok([lists, None])
        };
        let front = || {
            let damage = front();
            if !matches!(damage, Ok([_, None])) {
                left.end();
            }
            damage
        };
        let back = || -> Result<Taken> {
            let owners = self.owners_of(pieces);
            let mut taken = Vec::new();
            while let Some((at, mut shard)) = left.last().zip(shards.pop()) {
                let mut pass = self.pass(wants, plain, owners[at].clone(), &mut *shard);
                let passed = pass.run(&pieces[at], u64::MAX, false)?;
                taken.push((shard, passed.damage));
            }
            Ok(taken)
        };
        let (front, back) = join(true, front, back);
        let ([lists, mut damage], back) = (front?, back?);
        for (shard, behind) in back.into_iter().rev() {
            if damage.is_some() {
                break;
            }
            sink.sharded().ok_or_else(|| Error::input(NO_SHARDS))?.join(shard)?;
            damage = behind;
        }
        Ok([lists, damage])
    }

    /// Goes over edges that are not a list as V8 writes it, or not as many as the nodes claim: which of them are intact,
    /// and what must be known of these ahead.
    pub(crate) fn check_edges(&self, fields: bool) -> Result<(Ahead, Intact)> {
        let section = self.scan.section("edges");
        let mut sink = AheadSink::new(*self, fields);
        let (wants, plain) = (sink.wants(), self.plain_edges());
        let mut pass = self.pass(wants, &plain, self.nodes.owners(), &mut sink);
        let mut intact = pass.run(&Piece { section, first: 0 }, u64::MAX, true)?;
        let mut ahead = sink.ahead;
        let claimed = self.nodes.edges;
        if intact.damage.is_none() && self.nodes.damage.is_none() && intact.count != claimed {
            let what = format!("{} records, but the nodes' edge_count add up to {claimed}", intact.count);
            // Which node claims too many or too few is not known, so no edge's source is.
            intact = Intact { count: 0, damage: Some(section.damage(section.end, what)) };
            ahead.slots.fill(super::ahead::NOWHERE);
        }
        Ok((ahead, intact))
    }

    /// What distinguishes plain edges from others.
    fn plain_edges(&self) -> PlainEdges<'_> {
        let types = types::edge_types(&self.header.edge_types);
        PlainEdges::new(&types, &self.scan.strings, self.nodes.count, self.header.node.width)
    }

    /// What is special about a source, by its name as well.
    #[inline]
    fn by_name(&self, owner: &Owners<'_>) -> Special {
        if !matches!(owner.special, Special::Hidden | Special::Array) {
            return owner.special;
        }
        let mark = self.scan.strings.marks.get(self.nodes.columns.name(owner.ordinal));
        match (owner.special, mark) {
            (Special::Hidden, Mark::NativeContext) | (Special::Array, Mark::MapDescriptors) => owner.special,
            _ => Special::None,
        }
    }

    /// A pass over edges, the sources of which are `owner`.
    fn pass<'s>(
        &'s self,
        wants: Wants,
        plain: &'s PlainEdges<'s>,
        mut owner: Owners<'s>,
        sink: &'s mut dyn Sink,
    ) -> EdgePass<'s> {
        // A piece may begin among the edges of a node.
        owner.special = self.by_name(&owner);
        let by_index = wants.edges == wants::Edges::ByIndex;
        EdgePass {
            snapshot: *self,
            sink,
            plain,
            types: types::edge_types(&self.header.edge_types),
            divide: Divide::by(self.header.node.width),
            by_index,
            indexes: (!by_index && wants.strings == Strings::All).then(Indexes::default),
            owner,
            source: 0,
            skip: false,
            rest: Vec::new(),
            count: 0,
        }
    }

    /// Appends what graph tools must know of an edge to compute what DevTools does. Returns the other node of an ephemeron.
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

/// Goes over edges, checks them and emits them.
struct EdgePass<'a> {
    snapshot: Snapshot<'a>,
    sink: &'a mut dyn Sink,
    plain: &'a PlainEdges<'a>,
    /// The types, with those that are not declared but occurred.
    types: Vec<EdgeType>,
    divide: Divide,
    /// Whether edges name nodes by index.
    by_index: bool,
    /// The array indexes whose strings were emitted, if they are asked for.
    indexes: Option<Indexes>,
    owner: Owners<'a>,
    /// Identifier of the source, and whether to skip its edges.
    source: Value,
    skip: bool,
    rest: Vec<u8>,
    /// How many edges are intact.
    count: u64,
}

/// Field and what is wrong with it.
type Fault = (usize, String);

impl EdgePass<'_> {
    /// Goes over `piece` as far as the edges are intact, `most` of them at most. With `ahead`, a second thread lexes them.
    fn run(&mut self, piece: &Piece, most: u64, ahead: bool) -> Result<Intact> {
        let Snapshot { blob, header, .. } = self.snapshot;
        self.count = 0;
        let mut damage = None;
        let plain = header.edge.is_plain().then_some(self.plain);
        let lexer = Lexer::piece(blob, piece, header.edge.width).edges(plain);
        lexer.batches(ahead, |batch| {
            let room = usize::try_from(most - self.count).unwrap_or(usize::MAX);
            let more = match self.batch(batch, room)? {
                Ok(more) => more,
                Err((record, (field, what))) => {
                    damage = Some(batch.damage(blob, &piece.section, record, field, what));
                    return Ok(false);
                }
            };
            if more && self.count < most {
                damage = batch.stopped(&piece.section);
            }
            Ok(more && damage.is_none() && self.count < most)
        })?;
        Ok(Intact { count: self.count, damage })
    }

    /// Takes at most `most` edges of a batch; false if no more of them are of use.
    fn batch(&mut self, batch: &mut Batch, most: usize) -> Result<Result<bool, (usize, Fault)>> {
        if !self.plain_run(&mut batch.edges, most)? {
            return Ok(Ok(false));
        }
        let f = &self.snapshot.header.edge;
        for (record, ints) in batch.records().enumerate().take(most) {
            let (kind, name, to) = (ints[f.kind], ints[f.name], ints[f.to]);
            let dest = match self.check(batch, record, kind, name, to)? {
                Ok(Some(dest)) => dest,
                Ok(None) => return Ok(Ok(false)),
                Err(fault) => return Ok(Err((record, fault))),
            };
            if self.owner.left == 0 && !self.advance() {
                if self.snapshot.nodes.damage.is_some() {
                    return Ok(Ok(false));
                }
                // More edges than the nodes claim are only counted.
                self.count += 1;
                continue;
            }
            self.edge(kind, name, dest, Some((batch, record)))?;
        }
        Ok(Ok(true))
    }

    /// Takes at most `most` plain edges; false if no more of them are of use.
    fn plain_run(&mut self, run: &mut EdgeRun, most: usize) -> Result<bool> {
        let (edges, mut pairs) = run.parts();
        let count = edges.len().min(most);
        let mut at = 0;
        while at < count {
            if self.owner.left == 0 && !self.advance() {
                if self.snapshot.nodes.damage.is_some() {
                    return Ok(false);
                }
                self.count += (count - at) as u64;
                return Ok(true);
            }
            let left = usize::try_from(self.owner.left).unwrap_or(usize::MAX);
            let mut end = count.min(at.saturating_add(left));
            let pair = pairs.first().map_or(usize::MAX, |&pair| pair as usize);
            if pair == at || matches!(self.owner.special, Special::Hidden | Special::Array) {
                pairs = &pairs[usize::from(pair == at)..];
                let (kind, name, dest) = self.plain.fields(edges[at]);
                self.edge(kind, name, dest, None)?;
                at += 1;
            } else {
                end = end.min(pair);
                self.plain_edges(&mut edges[at..end])?;
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
        self.owner.special = self.snapshot.by_name(&self.owner);
        if !self.by_index {
            self.source = self.snapshot.nodes.identifier(self.owner.ordinal);
            let filter = self.sink.edge_filter();
            self.skip = filter.is_some_and(|filter| filter.skip_edges_of(self.source) == Skip::All);
        }
        true
    }

    /// Emits plain edges of the source, whose destinations are ordinals.
    #[inline]
    fn plain_edges(&mut self, edges: &mut [PlainEdge]) -> Result {
        self.owner.left -= edges.len() as u64;
        self.count += edges.len() as u64;
        if self.by_index {
            let source = self.owner.ordinal as Value;
            return self.sink.edges(&EdgeBatch::plain(Ends::Indexes, source, edges));
        }
        if self.skip {
            return Ok(());
        }
        let mut start = 0;
        for at in 0..edges.len() {
            let PlainEdge { dest, label, .. } = edges[at];
            edges[at].dest = self.snapshot.nodes.identifier(dest as usize);
            if label < 0 && self.indexes.as_mut().is_some_and(|indexes| indexes.insert(label)) {
                self.by_id(&edges[start..at])?;
                indexes::emit(label, self.sink)?;
                start = at;
            }
        }
        self.by_id(&edges[start..])
    }

    #[inline]
    fn by_id(&mut self, edges: &[PlainEdge]) -> Result {
        if edges.is_empty() {
            return Ok(());
        }
        self.sink.edges(&EdgeBatch::plain(Ends::Identifiers, self.source, edges))
    }

    /// Emits an edge of any kind, which may have a record with further fields.
    fn edge(&mut self, kind: u64, name: u64, dest: u32, record: Option<(&Batch, usize)>) -> Result {
        let Snapshot { scan, header, nodes, entries, .. } = self.snapshot;
        let t = &self.types[kind as usize];
        let (label, mark) = match t.label {
            Label::Index => (Some(index_string(name as u32)), Mark::None),
            Label::String => (scan.strings.id(name), scan.strings.marks.get(name)),
        };
        self.owner.left -= 1;
        self.count += 1;
        if self.skip {
            return Ok(());
        }
        let ordinal = self.owner.ordinal as u32;
        let half = if t.rule == EdgeRule::Internal && mark == Mark::Pair { entries.get(&name) } else { None };
        let no_distance = match (self.owner.special, t.label) {
            (Special::Hidden, _) => mark == Mark::SloppyMap,
            (Special::Array, Label::String) => mark == Mark::Third,
            (Special::Array, Label::Index) => name as u32 >= 2 && name as u32 % 3 == 1,
            _ => false,
        };
        let of_table = half.is_some_and(|half| half.table == Some(ordinal));
        let subtype = if of_table { ephemeron(header) } else { subtype(header, kind) };
        self.rest.clear();
        let partner = self.snapshot.edge_heap(&mut self.rest, ordinal, half, no_distance);
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
        if self.by_index {
            (edge.source, edge.dest) = (ordinal.into(), Some(dest.into()));
            return self.sink.edges(&EdgeBatch::one_by_index(&edge, partner));
        }
        if let Some(label) = label
            && self.indexes.as_mut().is_some_and(|indexes| indexes.insert(label))
        {
            indexes::emit(label, self.sink)?;
        }
        (edge.source, edge.dest) = (self.source, Some(nodes.identifier(dest as usize)));
        self.sink.edges(&EdgeBatch::one(&edge))
    }

    /// Checks the fields of an edge that is not plain. Gives its destination; none where damage of the nodes has taken it.
    #[cold]
    fn check(
        &mut self,
        batch: &Batch,
        record: usize,
        kind: u64,
        name: u64,
        to: u64,
    ) -> Result<Result<Option<u32>, Fault>> {
        let Snapshot { header, nodes, scan, .. } = self.snapshot;
        let f = &header.edge;
        let shown = |field| batch.shown(record, field);
        if kind > MOST_CODE {
            return Ok(Err((f.kind, format!("type code {} is not one", shown(f.kind)))));
        }
        if kind as usize >= self.types.len() {
            let known = self.types.len();
            types::add_edge_types(&mut self.types, kind);
            declare(header, &self.types, known, self.sink)?;
        }
        let strings = &scan.strings;
        let negative = || batch.negative(record, f.name) && name as i64 >= i64::from(i32::MIN);
        let bad_name = match self.types[kind as usize].label {
            Label::Index if name < 1 << 32 || negative() => None,
            Label::Index => Some(format!("index {} is beyond 32 bits", shown(f.name))),
            Label::String if name < strings.limit() => None,
            Label::String if strings.intact => {
                let count = strings.limit();
                Some(format!("name {} is not below {count}, the number of strings", shown(f.name)))
            }
            Label::String => Some(format!("name {} is beyond 32 bits", shown(f.name))),
        };
        if let Some(what) = bad_name {
            return Ok(Err((f.name, what)));
        }
        let width = header.node.width;
        Ok(match self.divide.exact(to) {
            Some(dest) if dest < u64::from(nodes.count) => Ok(Some(dest as u32)),
            Some(_) if nodes.damage.is_some() => Ok(None),
            Some(_) => Err((f.to, format!("to_node {} is beyond the {} nodes", shown(f.to), nodes.count))),
            None => Err((f.to, format!("to_node {} is not a multiple of {width}", shown(f.to)))),
        })
    }
}
