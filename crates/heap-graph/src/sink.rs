//! A graph out of a record stream, or straight from a reader, in one pass.

use std::collections::HashMap;

use heap_base::json::{Json, scalar};
use heap_base::{Error, Result, join, member};
use heap_record::{
    Back, Declaration, Declared, Edge, Front, Heap, Metadata, Node, NodeEnds, PlainEdge, PlainNode, Retains,
    Sink, StringId, Value, Wants,
};

use crate::column::Column;
use crate::graph::{Builder, Class, Graph, GraphError, NONE};
use crate::ids::{IdTable, Ids};
use crate::rules::{Policy, Unreachable};
use heap_base::BitSet;

/// What to keep beside the graph, its sizes and its policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "these are independent wishes, not a state")]
pub struct Keep {
    /// Identifiers by node.
    pub ids: bool,
    /// Nodes by identifier, and identifiers by node.
    pub table: bool,
    /// Classes by node.
    pub classes: bool,
    /// Names by node.
    pub names: bool,
    /// Subtypes by node.
    pub subtypes: bool,
    /// Labels of edges.
    pub labels: bool,
    /// Subtypes of edges.
    pub kinds: bool,
    /// Edges that count for nothing (weak ones): for walks and reports, not for sizes.
    pub weak: bool,
}

/// What a record stream held.
#[derive(Clone, Debug, Default)]
pub struct HeapGraph {
    /// The graph; nodes in the order of their records.
    pub graph: Graph,
    /// Roots and rules, as the stream's metadata says.
    pub policy: Policy,
    /// Shallow bytes by node; an unknown size is zero.
    pub sizes: Column,
    /// Declared numbers of the subtypes by node; empty if not asked for.
    pub subtypes: Column,
    /// Identifiers by node; empty if not asked for, or if the table was.
    pub ids: Ids,
    /// Nodes by identifier, and identifiers by node; empty if not asked for.
    pub table: IdTable,
    classes: Column,
    names: Column,
    labels: Vec<StringId>,
    kinds: Vec<u32>,
    /// What was left out.
    pub stats: Stats,
}

/// What of a stream did not become part of the graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Edges that start or end at a node that has no record.
    pub dangling: u64,
    /// Edges that end at a small integer or at no value.
    pub scalars: u64,
    /// Identifiers named as roots that have no record.
    pub lost_roots: u64,
}

impl HeapGraph {
    /// Identifier of `node`; `None` if they were not kept.
    pub fn id(&self, node: u32) -> Option<Value> {
        let ids = if self.ids.is_empty() { self.table.ids() } else { &self.ids };
        (node < ids.len()).then(|| ids.get(node))
    }

    /// String id of the class of `node`; `None` if it has none or classes were not kept.
    pub fn class(&self, node: u32) -> Option<StringId> {
        if self.classes.is_empty() { None } else { string_of(self.classes.get(node)) }
    }

    /// String id of the name of `node`; `None` if it has none or names were not kept.
    pub fn name(&self, node: u32) -> Option<StringId> {
        if self.names.is_empty() { None } else { string_of(self.names.get(node)) }
    }

    /// String id of the label of an edge; `None` if it has none or labels were not kept.
    pub fn label(&self, edge: u32) -> Option<StringId> {
        let code = self.graph.label(edge)?;
        if code < LONG { string_of(code.into()) } else { self.labels.get((code - LONG) as usize).copied() }
    }

    /// Declared number of the subtype of an edge; `None` if subtypes were not kept.
    pub fn kind(&self, edge: u32) -> Option<u32> {
        self.kinds.get(usize::from(self.graph.kind(edge)?)).copied()
    }
}

/// String ids as small numbers, zero for none. Ids of array indexes are negative.
const fn code_of(string: Option<StringId>) -> u64 {
    match string {
        Some(id) => ((id << 1 ^ id >> 63) as u64).saturating_add(1),
        None => 0,
    }
}

fn string_of(code: u64) -> Option<StringId> {
    let folded = code.checked_sub(1)?;
    Some((folded >> 1) as i64 ^ -((folded & 1) as i64))
}

/// Label codes from here on are places in a list of labels too large for 32 bits.
const LONG: u32 = 0xF000_0000;

/// Subtypes of edges beyond this many share one number.
const MAX_KINDS: usize = 255;

/// Subtypes below this number are looked up without hashing.
const SMALL_TYPES: u32 = 1024;

/// Builds a [`HeapGraph`] from records in any order.
///
/// Edges whose nodes come later, or never, get numbers for them at once; at the end nodes are numbered anew in
/// the order of their records, if need be. So the usual order, nodes before edges, costs nothing extra.
#[derive(Debug, Default)]
pub struct GraphSink {
    keep: Keep,
    heap: HeapGraph,
    builder: Builder,
    table: IdTable,
    /// Class by subtype of edges, as declared.
    classes: HashMap<u32, Class>,
    /// Kind by subtype of edges that were met.
    kinds: HashMap<u32, u8>,
    /// Both, for subtypes with small numbers that were met since the last declaration.
    edge_types: Vec<Option<(Class, u8)>>,
    /// Identifier and number of the node that the last edge started from.
    last_source: Option<(Value, u32)>,
    /// Nodes mentioned by edges before their own records.
    early: Option<Early>,
    /// Edges came between numbers of nodes, whose identifiers differ.
    numbered: bool,
    snapshots: u32,
    streams: u32,
    roots: Vec<Value>,
    user_roots: Vec<Value>,
    distance_roots: Vec<Value>,
}

#[derive(Debug)]
struct Early {
    missing: BitSet,
    /// Numbers in the order of the records.
    order: Vec<u32>,
}

/// What the columns keep of a node.
#[derive(Clone, Copy, Default)]
struct Facts {
    size: u64,
    subtype: u32,
    class: Option<StringId>,
    name: Option<StringId>,
}

#[inline]
fn facts(node: &PlainNode) -> Facts {
    let &PlainNode { subtype, size, class, string, .. } = node;
    let (class, name) = if class { (Some(string), None) } else { (None, Some(string)) };
    Facts { size, subtype, class, name }
}

impl GraphSink {
    /// An empty sink.
    pub fn new(keep: Keep) -> Self {
        Self { keep, builder: Builder::new(keep.labels, keep.kinds), ..Self::default() }
    }

    /// What the records made. Call when no more come.
    pub fn build(self) -> Result<HeapGraph> {
        let Self { keep, mut heap, mut builder, mut table, early, .. } = self;
        if !self.numbered {
            table.distinct().map_err(twice)?;
        }
        let lists = [self.roots, self.user_roots, self.distance_roots];
        let mut found = table.find_all(&lists.concat()).into_iter();
        let mut roots = lists.map(|ids| {
            let known: Vec<u32> = found.by_ref().take(ids.len()).filter(|&node| node != NONE).collect();
            heap.stats.lost_roots += (ids.len() - known.len()) as u64;
            known
        });
        let mut nodes = table.len();
        if let Some(Early { order, .. }) = early {
            let mut map = vec![NONE; nodes as usize];
            for (new, &old) in order.iter().enumerate() {
                map[old as usize] = new as u32;
            }
            heap.stats.dangling += builder.renumber(&map);
            nodes = order.len() as u32;
            for list in &mut roots {
                let before = list.len();
                list.retain_mut(|root| {
                    *root = map[*root as usize];
                    *root != NONE
                });
                heap.stats.lost_roots += (before - list.len()) as u64;
            }
            for column in [&mut heap.sizes, &mut heap.subtypes, &mut heap.classes, &mut heap.names] {
                if !column.is_empty() {
                    *column = column.picked(&order);
                }
            }
            table = IdTable::from_ids(table.ids().picked(&order));
        }
        // What is not asked for goes before the graph is laid out.
        if keep.table {
            heap.table = table;
        } else if keep.ids {
            heap.ids = table.into_ids();
            heap.ids.shrink();
        } else {
            drop(table);
        }
        for column in [&mut heap.sizes, &mut heap.subtypes, &mut heap.classes, &mut heap.names] {
            column.shrink();
        }
        let [roots, user_roots, distance_roots] = roots;
        let policy = &mut heap.policy;
        (policy.roots, policy.user_roots, policy.distance_roots) = (roots, user_roots, distance_roots);
        heap.graph = builder.finish(nodes).map_err(refused)?;
        Ok(heap)
    }

    /// The number of the node with the odd identifier `id`, a new one if it is not known.
    #[inline]
    fn number(&mut self, id: Value) -> Result<u32> {
        match self.table.get(id).map_err(twice)? {
            Some(node) => Ok(node),
            None => self.mention(id),
        }
    }

    /// Gives a number to a node whose record has not come yet.
    #[cold]
    fn mention(&mut self, id: Value) -> Result<u32> {
        let node = self.table.push(id).map_err(|_| twice(id))?;
        self.add(Facts::default())?;
        let early = self
            .early
            .get_or_insert_with(|| Early { missing: BitSet::default(), order: (0..node).collect() });
        early.missing.insert(node);
        Ok(node)
    }

    /// Takes a node in.
    #[inline]
    fn take(&mut self, id: Value, facts: Facts) -> Result {
        if id & 1 == 0 {
            return Err(Error::input(format!("node identifier {id} is even")));
        }
        let node = match self.table.push(id) {
            Ok(node) => {
                self.add(facts)?;
                node
            }
            Err(node) => {
                let Some(early) = self.early.as_mut().filter(|early| early.missing.contains(node)) else {
                    return Err(twice(id));
                };
                early.missing.remove(node);
                self.heap.sizes.set(node, facts.size);
                if self.keep.subtypes {
                    self.heap.subtypes.set(node, facts.subtype.into());
                }
                if self.keep.classes {
                    self.heap.classes.set(node, code_of(facts.class));
                }
                if self.keep.names {
                    self.heap.names.set(node, code_of(facts.name));
                }
                node
            }
        };
        if let Some(early) = &mut self.early {
            early.order.push(node);
        }
        Ok(())
    }

    /// Appends to the columns.
    #[inline]
    fn add(&mut self, facts: Facts) -> Result {
        if self.table.len() > crate::MAX_NODES {
            return Err(refused(GraphError::Nodes));
        }
        self.heap.sizes.push(facts.size);
        if self.keep.subtypes {
            self.heap.subtypes.push(facts.subtype.into());
        }
        if self.keep.classes {
            self.heap.classes.push(code_of(facts.class));
        }
        if self.keep.names {
            self.heap.names.push(code_of(facts.name));
        }
        Ok(())
    }

    /// Class and kind of an edge subtype.
    #[inline]
    fn edge_type(&mut self, subtype: u32) -> (Class, u8) {
        match self.edge_types.get(subtype as usize) {
            Some(&Some(known)) => known,
            _ => self.new_edge_type(subtype),
        }
    }

    #[cold]
    fn new_edge_type(&mut self, subtype: u32) -> (Class, u8) {
        let class = self.classes.get(&subtype).copied().unwrap_or(Class::Strong);
        let kinds = &mut self.heap.kinds;
        let kind = *self.kinds.entry(subtype).or_insert_with(|| {
            if kinds.len() < MAX_KINDS {
                kinds.push(subtype);
                kinds.len() as u8 - 1
            } else {
                u8::MAX
            }
        });
        if subtype < SMALL_TYPES {
            let at = subtype as usize;
            if at >= self.edge_types.len() {
                self.edge_types.resize(at + 1, None);
            }
            self.edge_types[at] = Some((class, kind));
        }
        (class, kind)
    }

    /// Adds an edge to the graph.
    #[inline]
    fn link(&mut self, ends: NodeEnds, class: Class, kind: u8, label: Option<StringId>) -> Result {
        let label = if self.keep.labels { self.label(label) } else { 0 };
        if class.has_partner() {
            let partner = ends.partner.unwrap_or(NONE);
            self.builder.ephemeron(ends.source, ends.dest, class, partner, label, kind)
        } else {
            self.builder.edge(ends.source, ends.dest, class, label, kind)
        }
        .map_err(refused)
    }

    fn label(&mut self, label: Option<StringId>) -> u32 {
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

    /// Takes edges beside this sink; `None` if it needs them one after the other.
    fn aside(&self) -> Option<Aside> {
        // Numbers of kinds and of long labels are given in the order in which they come.
        let ordered = self.keep.labels || self.keep.kinds;
        (!ordered).then(|| Aside { keep: self.keep, classes: self.classes.clone(), parts: Vec::new() })
    }

    /// Takes up what was heard beside this sink, behind its own, up to the first part that is damaged.
    fn join(&mut self, aside: Aside) -> Result {
        self.edge_types.clear();
        for (part, whole) in aside.parts.into_iter().rev() {
            self.numbered |= part.numbered;
            self.classes.extend(part.classes);
            self.builder.append(part.builder).map_err(refused)?;
            if !whole {
                break;
            }
        }
        Ok(())
    }

    /// A new stream or snapshot begins.
    fn begin(&self) -> Result {
        if self.snapshots > 1 || self.streams > 1 || !self.table.is_empty() || self.builder.edges() > 0 {
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
    Error::refused(error.to_string())
}

fn twice(id: Value) -> Error {
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
    match declared {
        Class::Weak if let Some(key) = partner("key") => (Class::Table, Some(key)),
        Class::Strong if unmeasured => (Class::StrongUnmeasured, None),
        Class::Strong if let Some(table) = partner("table") => (Class::Key, Some(table)),
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
        Wants { nodes: true, edges: true, ..Wants::HEAD }
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
            _ => return Ok(()),
        };
        match identifier(record.value) {
            Some(id) => list.push(id),
            None => self.heap.stats.lost_roots += 1,
        }
        Ok(())
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        if let Declared::Edge { id, retains, .. } = *record {
            let class = match retains {
                Retains::Yes => Class::Strong,
                Retains::No => Class::Weak,
                Retains::Root => Class::Root,
            };
            self.classes.insert(id, class);
            self.edge_types.clear();
        }
        Ok(())
    }

    #[inline]
    fn node(&mut self, record: &Node<'_>) -> Result {
        let Heap { size, class, name, .. } = record.heap;
        self.take(record.id, Facts { size: size.unwrap_or(0), subtype: record.subtype, class, name })
    }

    fn nodes_run(&mut self, nodes: &[PlainNode], _own: &[u8]) -> Result {
        let ids = nodes.iter().map(|node| node.id);
        let usable = ids.clone().all(|id| id & 1 == 1)
            && nodes.len() <= crate::MAX_NODES.saturating_sub(self.table.len()) as usize
            && self.early.is_none();
        if !(usable && self.table.extend(ids)) {
            return nodes.iter().try_for_each(|node| self.take(node.id, facts(node)));
        }
        let Self { keep, heap, .. } = self;
        let facts = nodes.iter().map(facts);
        heap.sizes.extend(facts.clone().map(|facts| facts.size));
        if keep.subtypes {
            heap.subtypes.extend(facts.clone().map(|facts| facts.subtype.into()));
        }
        if keep.classes {
            heap.classes.extend(facts.clone().map(|facts| code_of(facts.class)));
        }
        if keep.names {
            heap.names.extend(facts.map(|facts| code_of(facts.name)));
        }
        Ok(())
    }

    #[inline]
    fn edge(&mut self, record: &Edge<'_>) -> Result {
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
                let node = self.number(record.source)?;
                self.last_source = Some((record.source, node));
                node
            }
        };
        let dest = self.number(dest)?;
        let partner = match partner {
            Some(partner) if partner & 1 == 1 => Some(self.number(partner)?),
            _ => None,
        };
        self.link(NodeEnds { source, dest, partner }, class, kind, record.label)
    }

    #[inline]
    fn numbers(&self) -> bool {
        true
    }

    #[inline]
    fn edge_between(&mut self, ends: NodeEnds, record: &Edge<'_>) -> Result {
        self.numbered = true;
        let (mut class, kind) = self.edge_type(record.subtype);
        if !record.rest.is_empty() {
            class = special(class, record.rest).0;
        }
        if class == Class::Weak && !self.keep.weak {
            return Ok(());
        }
        self.link(ends, class, kind, record.label)
    }

    #[inline]
    fn edges_between(&mut self, source: u32, edges: &[PlainEdge]) -> Result {
        self.numbered = true;
        let Self { keep, builder, edge_types, .. } = self;
        let class = |edge: &PlainEdge| Some(edge_types.get(edge.subtype as usize)?.as_ref()?.0);
        if !(keep.labels || keep.kinds) && edges.iter().all(|edge| class(edge).is_some()) {
            let links = edges.iter().filter_map(|edge| {
                let class = class(edge).filter(|&class| class != Class::Weak || keep.weak)?;
                Some((edge.dest as u32, class))
            });
            return builder.edges_from(source, links).map_err(refused);
        }
        for &PlainEdge { subtype, dest, label } in edges {
            let (class, kind) = self.edge_type(subtype);
            if class != Class::Weak || self.keep.weak {
                self.link(NodeEnds { source, dest: dest as u32, partner: None }, class, kind, Some(label))?;
            }
        }
        Ok(())
    }

    fn in_two(&mut self, front: &mut Front<'_>, back: &mut Back<'_>) -> Result<bool> {
        in_two(self, |sink| sink, front, back)
    }
}

/// [`Sink::in_two`] of a sink that hands edges on to a graph: what comes from the back is gathered beside it.
pub fn in_two<S: Sink>(
    sink: &mut S,
    graph: impl Fn(&mut S) -> &mut GraphSink,
    front: &mut Front<'_>,
    back: &mut Back<'_>,
) -> Result<bool> {
    let Some(mut aside) = graph(sink).aside() else { return Ok(false) };
    let (front, back) = join(true, || front(sink), || aside.hear(back));
    if front? {
        back?;
        graph(sink).join(aside)?;
    }
    Ok(true)
}

/// Edges that another thread hears.
#[derive(Debug)]
struct Aside {
    keep: Keep,
    classes: HashMap<u32, Class>,
    /// The parts, the last one first, and whether each came to its end.
    parts: Vec<(GraphSink, bool)>,
}

impl Aside {
    /// Hears all parts that are told from the back.
    fn hear(&mut self, back: &mut Back<'_>) -> Result {
        loop {
            let mut part = GraphSink { classes: self.classes.clone(), ..GraphSink::new(self.keep) };
            let Some(whole) = back(&mut part)? else { return Ok(()) };
            self.parts.push((part, whole));
        }
    }
}
