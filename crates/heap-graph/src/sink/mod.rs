//! A graph out of a record stream, or straight from a reader, in one pass. Only this module knows records.

mod heap;
mod strings;

use std::any::Any;

use heap_base::json::{Json, scalar};
use heap_base::{BitSet, Error, Map, Result, member};
use heap_record::wants::{Edges, Nodes};
use heap_record::{
    Declaration, Declared, Edge, EdgeBatch, EdgeSlice, Ends, Heap, Metadata, NodeBatch, PlainEdge, PlainNode,
    Retains, Role, Shard, Sharded, Sink, StringId, Value, Wants,
};

use crate::builder::Builder;
use crate::graph::{Class, GraphError, NONE};
use crate::ids::IdTable;
use crate::large::{LargeGraph, Room};
use crate::rules::Unreachable;
use heap::LONG;
pub use heap::{HeapGraph, Keep, Stats};
use strings::code_of;

/// Subtypes of edges beyond this many share one kind.
const MAX_KINDS: usize = 255;

/// Subtypes below this number are looked up without hashing.
const SMALL_TYPES: u32 = 1024;

/// Builds a [`HeapGraph`] from records in any order.
///
/// A node gets its index when its record or the first edge at it comes, whichever is first. If edges came first, nodes
/// are renumbered at the end into the order of their records. The usual order, nodes before edges, costs nothing extra.
#[derive(Debug, Default)]
pub struct GraphSink {
    keep: Keep,
    heap: HeapGraph,
    builder: Builder,
    table: IdTable,
    /// Class and role by subtype of edges, as declared.
    classes: Map<u32, (Class, Role)>,
    /// Kind by subtype of edges that came.
    kinds: Map<u32, u8>,
    /// Both, for subtypes with small numbers that came since the last declaration.
    edge_types: Vec<Option<(Class, u8)>>,
    /// Identifier and index of the node that the last edge started from.
    last_source: Option<(Value, u32)>,
    /// Nodes that edges named before their records came.
    ahead: Option<Ahead>,
    /// Edges came by index: the source has checked that identifiers differ.
    by_index: bool,
    /// What else may be done where the graph takes too much memory.
    instead: &'static str,
    /// Nodes, where they are only counted since the graph does.
    counted: u64,
    snapshots: u32,
    streams: u32,
    roots: Vec<Value>,
    user_roots: Vec<Value>,
    distance_roots: Vec<Value>,
    weak_roots: Vec<Value>,
}

/// How much memory a graph may take that has to be there whole.
#[derive(Clone, Copy, Debug)]
pub struct Guard {
    /// So many bytes.
    pub limit: u64,
    /// What else may be done, for the refusal.
    pub instead: &'static str,
}

/// Nodes that edges named before their records came.
#[derive(Debug)]
struct Ahead {
    /// Those whose records are missing.
    missing: BitSet,
    /// Indexes in the order of the records.
    order: Vec<u32>,
}

/// What the columns keep of a node.
#[derive(Clone, Copy, Default)]
struct NodeFacts {
    size: u64,
    external: u64,
    subtype: u32,
    class: Option<StringId>,
    name: Option<StringId>,
}

/// An edge between node indexes.
#[derive(Clone, Copy)]
struct NewEdge {
    source: u32,
    dest: u32,
    /// The other node of an ephemeron.
    partner: Option<u32>,
    class: Class,
    kind: u8,
    label: Option<StringId>,
}

#[inline]
fn facts(node: &PlainNode) -> NodeFacts {
    let &PlainNode { subtype, size, class, string, .. } = node;
    let (class, name) = if class { (Some(string), None) } else { (None, Some(string)) };
    NodeFacts { size, external: 0, subtype, class, name }
}

/// Class and name of a node, as far as they are to be kept.
#[inline]
fn kept_strings(keep: Keep, facts: NodeFacts) -> (Option<StringId>, Option<StringId>) {
    (facts.class.filter(|_| keep.classes), facts.name.filter(|_| keep.names))
}

impl GraphSink {
    /// An empty sink.
    pub fn new(keep: Keep) -> Self {
        let builder = if keep.aside && keep.labels && keep.kinds {
            Builder::with_names_aside()
        } else {
            Builder::new(keep.labels, keep.kinds)
        };
        Self { keep, builder, ..Self::default() }
    }

    /// The graph of all records. Call when no more come.
    ///
    /// # Errors
    /// If two nodes have the same identifier, or the graph has too many nodes or edges.
    pub fn build(self) -> Result<HeapGraph> {
        self.build_within().map(|(heap, _)| heap)
    }

    /// Puts edges into files where so many bytes a node and an edge are more than this limit, for
    /// [`build_within`](Self::build_within). Labels and kinds of edges must go aside.
    #[must_use]
    pub fn with_limit(mut self, bytes: u64, (node, edge): (u64, u64)) -> Self {
        self.builder.spill_beyond(Room { node, edge, ..Room::new(bytes) });
        self
    }

    /// Refuses a graph that takes more memory at so many bytes a node and an edge. As soon as that is clear, records are only
    /// counted, and [`build`](Self::build) says how much it would be.
    #[must_use]
    pub fn guarded(mut self, guard: Guard, (node, edge): (u64, u64)) -> Self {
        self.builder.spill_beyond(Room { node, edge, files: false, ..Room::new(guard.limit) });
        self.instead = guard.instead;
        self
    }

    /// Whether the graph takes too much memory: then no more is kept.
    #[inline]
    pub fn is_refused(&mut self) -> bool {
        let refused = self.builder.is_counting() || self.builder.has_too_many(self.table.len());
        if refused {
            self.forget();
        }
        refused
    }

    /// Keeps nothing but how many nodes there were.
    #[cold]
    fn forget(&mut self) {
        if !self.table.is_empty() {
            // Those whose records came.
            self.counted =
                self.ahead.as_ref().map_or(self.table.len() as usize, |ahead| ahead.order.len()) as u64;
            (self.heap, self.table, self.ahead) = (HeapGraph::default(), IdTable::default(), None);
        }
    }

    /// Says how much memory would do, where it is too little.
    fn check(&mut self) -> Result {
        if !self.is_refused() {
            return Ok(());
        }
        let (limit, needed) = self.builder.needed(self.counted).map_err(refused)?;
        let instead = self.instead;
        let megabytes = |bytes: u64| bytes.div_ceil(1 << 20);
        Err(Error::refused(format!(
            "this heap takes about {}M of memory, where {}M may be used: {instead}",
            megabytes(needed),
            limit >> 20
        )))
    }

    /// The same for dominators and sums.
    #[must_use]
    pub fn with_limit_of_sums(mut self, bytes: u64) -> Self {
        self.builder.spill_beyond(Room::new(bytes));
        self
    }

    /// As [`build`](Self::build). With a [limit](Self::with_limit) the graph is empty and the other one is there if it takes
    /// more memory than that.
    ///
    /// # Errors
    /// As [`build`](Self::build). Temporary files cannot be written or read.
    pub fn build_within(mut self) -> Result<(HeapGraph, Option<LargeGraph>)> {
        self.check()?;
        if !self.by_index {
            self.table.distinct().map_err(repeated)?;
        }
        let mut roots = self.find_roots();
        let nodes = match self.ahead.take() {
            Some(Ahead { order, .. }) => self.renumber(&order, &mut roots)?,
            None => self.table.len(),
        };
        self.builder.ask(nodes, false).map_err(refused)?;
        self.check()?;
        let Self { keep, mut heap, builder, table, classes, .. } = self;
        // Memory that was not asked for is freed before the graph is laid out.
        if keep.table {
            heap.table = table;
        } else if keep.ids {
            heap.ids = table.into_ids();
            heap.ids.shrink();
        } else {
            drop(table);
        }
        for column in heap.columns() {
            column.shrink();
        }
        heap.strings.shrink();
        heap.roles = heap.kinds.iter().map(|kind| classes.get(kind).map_or(Role::Inner, |c| c.1)).collect();
        let policy = &mut heap.policy;
        [policy.roots, policy.user_roots, policy.distance_roots, policy.weak_roots] = roots;
        if builder.is_spilled() {
            let mut large = builder.finish_large(nodes).map_err(refused)?;
            heap.ids.put_away()?;
            heap.strings.tighten();
            heap.subtypes.tighten();
            heap.external.tighten();
            large.hold(heap.bytes());
            return Ok((heap, Some(large)));
        }
        heap.graph = builder.finish(nodes).map_err(refused)?;
        Ok((heap, None))
    }

    /// Indexes of the roots, the user roots, the distance roots and the weak roots.
    fn find_roots(&mut self) -> [Vec<u32>; 4] {
        let lists = [&self.roots, &self.user_roots, &self.distance_roots, &self.weak_roots];
        let mut found = self.table.find_all(&lists.map(Vec::as_slice).concat()).into_iter();
        let mut lost = 0;
        let roots = lists.map(|ids| {
            let known: Vec<u32> = found.by_ref().take(ids.len()).filter(|&node| node != NONE).collect();
            lost += (ids.len() - known.len()) as u64;
            known
        });
        self.heap.stats.lost_roots += lost;
        roots
    }

    /// Renumbers nodes into `order`, drops those that have no record, and returns how many are left.
    fn renumber(&mut self, order: &[u32], roots: &mut [Vec<u32>; 4]) -> Result<u32> {
        let mut map = vec![NONE; self.table.len() as usize];
        for (new, &old) in order.iter().enumerate() {
            map[old as usize] = new as u32;
        }
        let Self { heap, builder, table, .. } = self;
        heap.stats.dangling += builder.renumber(&map).map_err(refused)?;
        for list in roots {
            let before = list.len();
            list.retain_mut(|root| {
                *root = map[*root as usize];
                *root != NONE
            });
            heap.stats.lost_roots += (before - list.len()) as u64;
        }
        for column in heap.columns() {
            if !column.is_empty() {
                *column = column.picked(order);
            }
        }
        if self.keep.classes || self.keep.names {
            heap.strings = heap.strings.picked(order);
        }
        *table = IdTable::from_ids(table.ids().picked(order));
        Ok(order.len() as u32)
    }

    /// The index of the node with the odd identifier `id`, a new one if it is not known.
    #[inline]
    fn index_of(&mut self, id: Value) -> Result<u32> {
        match self.table.get(id).map_err(repeated)? {
            Some(node) => Ok(node),
            None => self.name_ahead(id),
        }
    }

    /// Gives an index to a node whose record has not come yet.
    #[cold]
    fn name_ahead(&mut self, id: Value) -> Result<u32> {
        let node = self.table.push(id).map_err(|_| repeated(id))?;
        self.add_facts(NodeFacts::default())?;
        let ahead = self
            .ahead
            .get_or_insert_with(|| Ahead { missing: BitSet::default(), order: (0..node).collect() });
        ahead.missing.insert(node);
        Ok(node)
    }

    /// Adds a node.
    #[inline]
    fn add_node(&mut self, id: Value, facts: NodeFacts) -> Result {
        if id & 1 == 0 {
            return Err(Error::input(format!("node identifier {id} is even")));
        }
        let node = match self.table.push(id) {
            Ok(node) => {
                self.add_facts(facts)?;
                node
            }
            Err(node) => {
                let Some(ahead) = self.ahead.as_mut().filter(|ahead| ahead.missing.contains(node)) else {
                    return Err(repeated(id));
                };
                ahead.missing.remove(node);
                self.set_facts(node, facts);
                node
            }
        };
        if let Some(ahead) = &mut self.ahead {
            ahead.order.push(node);
        }
        Ok(())
    }

    /// Adds plain nodes: column by column if no edge came before, which is faster.
    fn add_plain_nodes(&mut self, nodes: &[PlainNode]) -> Result {
        let ids = nodes.iter().map(|node| node.id);
        let fit = nodes.len() <= self.builder.most_nodes().saturating_sub(self.table.len()) as usize;
        let usual = fit && self.ahead.is_none() && ids.clone().all(|id| id & 1 == 1);
        if !(usual && self.table.extend(ids)) {
            return nodes.iter().try_for_each(|node| self.add_node(node.id, facts(node)));
        }
        let Self { keep, heap, .. } = self;
        let facts = nodes.iter().map(facts);
        heap.sizes.extend(facts.clone().map(|facts| facts.size));
        if keep.external {
            heap.external.extend(facts.clone().map(|_| 0));
        }
        if keep.subtypes {
            heap.subtypes.extend(facts.clone().map(|facts| facts.subtype.into()));
        }
        if keep.classes || keep.names {
            heap.strings.extend(facts.map(|facts| kept_strings(*keep, facts)));
        }
        Ok(())
    }

    /// Appends to the columns.
    #[inline]
    fn add_facts(&mut self, facts: NodeFacts) -> Result {
        let most = self.builder.most_nodes();
        if self.table.len() > most {
            return Err(refused(GraphError::Nodes(most)));
        }
        self.heap.sizes.push(facts.size);
        if self.keep.external {
            self.heap.external.push(facts.external);
        }
        if self.keep.subtypes {
            self.heap.subtypes.push(facts.subtype.into());
        }
        if self.keep.classes || self.keep.names {
            let (class, name) = kept_strings(self.keep, facts);
            self.heap.strings.push(class, name);
        }
        Ok(())
    }

    /// Replaces what the columns have of `node`.
    fn set_facts(&mut self, node: u32, facts: NodeFacts) {
        self.heap.sizes.set(node, facts.size);
        if self.keep.external {
            self.heap.external.set(node, facts.external);
        }
        if self.keep.subtypes {
            self.heap.subtypes.set(node, facts.subtype.into());
        }
        if self.keep.classes || self.keep.names {
            let (class, name) = kept_strings(self.keep, facts);
            self.heap.strings.set(node, class, name);
        }
    }

    /// Class and kind of an edge subtype.
    #[inline]
    fn edge_type(&mut self, subtype: u32) -> (Class, u8) {
        match self.edge_types.get(subtype as usize) {
            Some(&Some(known)) => known,
            _ => self.new_edge_type(subtype),
        }
    }

    /// The kind of an edge subtype, a new one if it has none yet.
    fn kind_of(&mut self, subtype: u32) -> u8 {
        let kinds = &mut self.heap.kinds;
        *self.kinds.entry(subtype).or_insert_with(|| {
            if kinds.len() < MAX_KINDS {
                kinds.push(subtype);
                kinds.len() as u8 - 1
            } else {
                u8::MAX
            }
        })
    }

    #[cold]
    fn new_edge_type(&mut self, subtype: u32) -> (Class, u8) {
        let class = self.classes.get(&subtype).map_or(Class::Strong, |c| c.0);
        let kind = self.kind_of(subtype);
        if subtype < SMALL_TYPES {
            let i = subtype as usize;
            if i >= self.edge_types.len() {
                self.edge_types.resize(i + 1, None);
            }
            self.edge_types[i] = Some((class, kind));
        }
        (class, kind)
    }

    /// Adds an edge between identifiers.
    #[inline]
    fn add_edge_by_id(&mut self, record: &Edge<'_>) -> Result {
        let (mut class, kind) = self.edge_type(record.subtype);
        let Some(dest) = record.dest.filter(|dest| dest & 1 == 1) else {
            self.heap.stats.scalars += 1;
            return Ok(());
        };
        let mut partner = None;
        if !record.rest.is_empty() {
            (class, partner) = special(class, record.rest);
        }
        if class == Class::Weak && !self.keep.weak {
            return Ok(());
        }
        if record.source & 1 == 0 {
            self.heap.stats.dangling += 1;
            return Ok(());
        }
        let source = match self.last_source {
            Some((id, node)) if id == record.source => node,
            _ => {
                let node = self.index_of(record.source)?;
                self.last_source = Some((record.source, node));
                node
            }
        };
        let dest = self.index_of(dest)?;
        let partner = match partner {
            Some(partner) if partner & 1 == 1 => Some(self.index_of(partner)?),
            _ => None,
        };
        self.add_edge(NewEdge { source, dest, partner, class, kind, label: record.label })
    }

    /// Adds an edge between indexes.
    fn add_edge_by_index(&mut self, record: &Edge<'_>, partner: Option<u32>) -> Result {
        let (mut class, kind) = self.edge_type(record.subtype);
        let Some(dest) = record.dest else {
            self.heap.stats.scalars += 1;
            return Ok(());
        };
        if !record.rest.is_empty() {
            class = special(class, record.rest).0;
        }
        if class == Class::Weak && !self.keep.weak {
            return Ok(());
        }
        let (source, dest) = (record.source as u32, dest as u32);
        self.add_edge(NewEdge { source, dest, partner, class, kind, label: record.label })
    }

    /// Adds plain edges between indexes: all at once if their types are known and their labels short, which is faster.
    #[inline]
    fn add_plain_edges(&mut self, source: u32, edges: &[PlainEdge]) -> Result {
        let Self { keep, builder, edge_types, .. } = self;
        let known = |edge: &PlainEdge| *edge_types.get(edge.subtype as usize)?;
        let code = |edge: &PlainEdge| code_of(Some(edge.label));
        let short = |edge: &PlainEdge| !keep.labels || code(edge) < LONG.into();
        let (mut usual, mut all) = (true, true);
        for edge in edges {
            let class = known(edge).map(|(class, _)| class);
            usual &= class.is_some() && short(edge);
            all &= class != Some(Class::Weak) || keep.weak;
        }
        if usual {
            let of = |edge: &PlainEdge| known(edge).unwrap_or((Class::Weak, 0));
            if all {
                let links = edges.iter().map(|edge| (edge.dest as u32, of(edge).0));
                builder.edges_from(source, links).map_err(refused)?;
                builder.names(edges.iter().map(|edge| (code(edge) as u32, of(edge).1))).map_err(refused)?;
            } else {
                let kept = edges.iter().filter(|&edge| of(edge).0 != Class::Weak);
                let links = kept.clone().map(|edge| (edge.dest as u32, of(edge).0));
                builder.edges_from(source, links).map_err(refused)?;
                builder.names(kept.map(|edge| (code(edge) as u32, of(edge).1))).map_err(refused)?;
            }
            return Ok(());
        }
        for &PlainEdge { subtype, dest, label } in edges {
            let (class, kind) = self.edge_type(subtype);
            if class != Class::Weak || self.keep.weak {
                let (dest, label) = (dest as u32, Some(label));
                self.add_edge(NewEdge { source, dest, partner: None, class, kind, label })?;
            }
        }
        Ok(())
    }

    /// Adds an edge to the graph.
    #[inline]
    fn add_edge(&mut self, edge: NewEdge) -> Result {
        let NewEdge { source, dest, partner, class, kind, label } = edge;
        let label = if self.keep.labels { self.label_code(label) } else { 0 };
        if class.has_partner() {
            self.builder.ephemeron(source, dest, class, partner.unwrap_or(NONE), label, kind)
        } else {
            self.builder.edge(source, dest, class, label, kind)
        }
        .map_err(refused)
    }

    fn label_code(&mut self, label: Option<StringId>) -> u32 {
        let code = code_of(label);
        match (u32::try_from(code), label) {
            (Ok(code), _) if code < LONG => code,
            (_, Some(id)) if self.heap.labels.len() < (u32::MAX - LONG) as usize => {
                self.heap.labels.push(id);
                LONG + self.heap.labels.len() as u32 - 1
            }
            _ => 0,
        }
    }

    /// Gives the edges of a shard the kinds and the codes of long labels that they have here: each shard counts its own.
    fn adopt_names(&mut self, shard: &mut Self) -> Result {
        let Self { keep: Keep { labels, kinds, .. }, .. } = *self;
        let known = std::mem::take(&mut shard.heap.kinds);
        let map: Vec<u8> =
            if kinds { known.iter().map(|&subtype| self.kind_of(subtype)).collect() } else { Vec::new() };
        let same_kinds = (0..).zip(&map).all(|(old, &new): (u8, _)| old == new);
        if same_kinds && shard.heap.labels.is_empty() || !labels && !kinds {
            return Ok(());
        }
        let before = self.heap.labels.len() as u32;
        let label = |code: u32| {
            if code < LONG { code } else { code.checked_add(before).unwrap_or(0) }
        };
        let kind = |kind| map.get(usize::from(kind)).copied().unwrap_or(u8::MAX);
        shard.builder.rename(label, kind).map_err(refused)?;
        self.heap.labels.append(&mut shard.heap.labels);
        Ok(())
    }

    /// A new stream or snapshot begins.
    fn begin(&self) -> Result {
        if self.snapshots > 1
            || self.streams > 1
            || self.counted > 0
            || !self.table.is_empty()
            || self.builder.edges() > 0
        {
            return Err(Error::refused(if self.snapshots > 0 {
                "several snapshots in one input; choose one with --snapshot N"
            } else {
                "several streams in one input; a graph needs one"
            }));
        }
        Ok(())
    }
}

fn refused(error: GraphError) -> Error {
    match error {
        GraphError::File(kind) => heap_base::spool::no_room(kind.into()),
        error => Error::refused(error.to_string()),
    }
}

fn repeated(id: Value) -> Error {
    Error::input(format!("node identifier {id} occurs twice"))
}

/// Class and partner of an edge whose subtype has the class `declared`, after the edge's own `heap` namespace.
#[cold]
fn special(declared: Class, rest: &[u8]) -> (Class, Option<Value>) {
    let Some(heap) = member(rest, "heap").and_then(heap_base::json::inside) else {
        return (declared, None);
    };
    let value = |name| member(heap, name).and_then(scalar);
    let partner = |name| value(name).and_then(|v| v.as_int());
    let unmeasured = value("distance") == Some(Json::Bool(false));
    let with = |class, partner: Option<Value>| (if partner.is_some() { class } else { declared }, partner);
    match declared {
        Class::Weak => with(Class::Table, partner("key")),
        Class::Strong if unmeasured => (Class::StrongUnmeasured, None),
        Class::Strong => with(Class::Key, partner("table")),
        Class::Root if unmeasured => (Class::RootUnmeasured, None),
        _ => (declared, None),
    }
}

/// An identifier in a metadata record: decimal or `0x…`.
fn identifier(text: &str) -> Option<Value> {
    text.parse().ok().or_else(|| Json::Text(text.into()).as_int())
}

impl Sink for GraphSink {
    fn wants(&self) -> Wants {
        let memory = self.builder.limit();
        Wants { nodes: Nodes::Brief, edges: Edges::ByIndex, references: true, memory, ..Wants::HEAD }
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        let list = match record.key {
            "version_major" => {
                self.streams += 1;
                return self.begin();
            }
            "heap.snapshot" => {
                self.snapshots += 1;
                return self.begin();
            }
            "heap.unreachable" => {
                if record.value == "root" {
                    self.heap.policy.unreachable = Unreachable::Root;
                }
                return Ok(());
            }
            "heap.root" => &mut self.roots,
            "heap.user_root" => &mut self.user_roots,
            "heap.distance_root" => &mut self.distance_roots,
            "heap.weak_root" => &mut self.weak_roots,
            _ => return Ok(()),
        };
        match identifier(record.value) {
            Some(id) => list.push(id),
            None => self.heap.stats.lost_roots += 1,
        }
        Ok(())
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        if let Declared::Edge { id, name, retains, role, .. } = record.what {
            let class = match retains {
                Retains::Weak if self.keep.strong_only => {
                    if !self.heap.left_out.iter().any(|known| **known == *name) {
                        self.heap.left_out.push(name.into());
                    }
                    if self.keep.kept { Class::Kept } else { Class::Weak }
                }
                Retains::Yes | Retains::Weak => Class::Strong,
                Retains::No => Class::Weak,
                Retains::Root => Class::Root,
            };
            self.classes.insert(id, (class, role.unwrap_or_else(|| Role::of_subtype(name))));
            self.edge_types.clear();
            if self.keep.kinds && self.heap.kinds.len() < MAX_KINDS / 2 {
                // So that shards number those alike that are declared before them.
                self.kind_of(id);
            }
        }
        Ok(())
    }

    #[inline]
    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        if self.is_refused() {
            self.counted += batch.len() as u64;
            return Ok(());
        }
        match *batch {
            NodeBatch::Plain { nodes, .. } => self.add_plain_nodes(nodes),
            NodeBatch::Records(nodes) => nodes.iter().try_for_each(|node| {
                let Heap { size, class, name, external, .. } = node.heap;
                let (size, external) = (size.unwrap_or(0), external.unwrap_or(0));
                let facts = NodeFacts { size, external, subtype: node.subtype, class, name };
                self.add_node(node.id, facts)
            }),
        }
    }

    #[inline]
    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        if self.builder.is_counting() {
            self.builder.count(batch.len());
            return Ok(());
        }
        if batch.ends == Ends::Identifiers {
            return batch.try_for_each(|edge| self.add_edge_by_id(edge));
        }
        self.by_index = true;
        match batch.edges {
            EdgeSlice::Plain { source, edges } => self.add_plain_edges(source as u32, edges),
            EdgeSlice::Records(edges) => {
                edges.iter().try_for_each(|edge| self.add_edge_by_index(edge, batch.partner))
            }
        }
    }

    fn sharded(&mut self) -> Option<&mut dyn Sharded> {
        Some(self)
    }
}

impl Sharded for GraphSink {
    fn fork(&self) -> Box<dyn Shard> {
        let kinds = HeapGraph { kinds: self.heap.kinds.clone(), ..HeapGraph::default() };
        Box::new(Self {
            keep: self.keep,
            heap: kinds,
            builder: self.builder.fork(),
            classes: self.classes.clone(),
            kinds: self.kinds.clone(),
            ..Self::default()
        })
    }

    fn join(&mut self, shard: Box<dyn Shard>) -> Result {
        let Ok(mut shard) = shard.into_any().downcast::<Self>() else {
            return Err(Error::input("a shard of another sink"));
        };
        if !self.builder.is_counting() && !shard.builder.is_counting() {
            self.adopt_names(&mut shard)?;
        }
        self.by_index |= shard.by_index;
        self.heap.stats.scalars += shard.heap.stats.scalars;
        self.classes.extend(shard.classes);
        self.edge_types.clear();
        self.builder.append(shard.builder).map_err(refused)
    }
}

impl Shard for GraphSink {
    fn into_any(self: Box<Self>) -> Box<dyn Any + Send> {
        self
    }
}
