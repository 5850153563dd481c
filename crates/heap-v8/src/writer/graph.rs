//! The graph as it comes in: nodes and edges in spools, identifiers, counts, and what had to be left out.

use heap_base::json::{Json, each, inside, scalar};
use heap_base::{Error, Result, member};
use heap_base::{Set, Spool};
use heap_record::{Edge, LeftOut, Node, Retains, StringId, Types, Value};
use heap_spool::BySubtype;

use super::head::{ID, SLOTS, Shape};
use super::ids::Ids;
use super::kinds::{self, EdgeKind, Named, NodeKind};
use super::lists::{self, List};
use super::texts::Texts;
use super::wide::Wide;

/// The graph so far.
#[derive(Debug)]
pub(crate) struct Graph {
    pub(super) shape: Shape,
    pub(super) ids: Ids,
    /// Edges by source, of those in `edges`.
    pub(super) counts: Vec<u32>,
    /// Type, name, size and what else there is, by ordinal.
    pub(super) nodes: Spool,
    /// Ordinal of the first root, and where it lies in `nodes`.
    pub(super) root: Option<(u32, u64)>,
    /// Bytes outside the heap, by ordinal.
    pub(super) external: Vec<(u32, u64)>,
    /// Edges in the order of their sources.
    pub(super) edges: Spool,
    /// Edges out of that order, and all after the first such.
    pub(super) deferred: Spool,
    pub(super) n_deferred: u64,
    /// Source of the last edge: identifier and ordinal.
    pub(super) source: (Value, u32),
    pub(super) texts: Texts,
    pub(super) lists: Vec<List>,
    pub(super) node_kinds: BySubtype<NodeKind>,
    pub(super) edge_kinds: BySubtype<EdgeKind>,
    /// Names of subtypes, for nodes that have no other.
    pub(super) names: BySubtype<u32>,
    pub(super) nameless: Option<u32>,
    /// What the root of another source holds: where one of its children is there twice, Chrome DevTools visits more
    /// nodes than there are and gives up. V8 itself writes no such edges.
    pub(super) held: Set<Value>,
    /// Slots that any node fills.
    pub(super) used: u16,
    /// Nodes of 4 GiB and more.
    pub(super) huge: u64,
    pub(super) path: String,
}

/// Bytes of an edge in the spool, before the fields that V8 does not know.
pub(super) const EDGE: usize = 10;

/// The same for one that is deferred: both identifiers, name, type.
pub(super) const DEFERRED: usize = 22;

/// Bytes outside the heap that are split into nodes which Chrome DevTools can add up.
const MOST_SPLIT: u64 = 1 << 40;

impl Graph {
    pub(super) fn new(shape: Shape) -> Result<Self> {
        let mut texts = Texts::default();
        texts.separator = shape.white.string;
        texts.ascii = shape.ascii;
        if !shape.v8 {
            // What V8 puts there; some tools take string 0 for no string.
            texts.make("<dummy>")?;
        }
        Ok(Self {
            lists: lists::lists(&shape.header),
            shape,
            ids: Ids::default(),
            counts: Vec::new(),
            nodes: Spool::default(),
            root: None,
            external: Vec::new(),
            edges: Spool::default(),
            deferred: Spool::default(),
            n_deferred: 0,
            source: (0, u32::MAX),
            texts,
            node_kinds: BySubtype::default(),
            edge_kinds: BySubtype::default(),
            names: BySubtype::default(),
            nameless: None,
            held: Set::default(),
            used: 0,
            huge: 0,
            path: String::new(),
        })
    }

    fn node_kind(&mut self, subtype: u32, types: &Types) -> NodeKind {
        if let Some(kind) = self.node_kinds.get(subtype) {
            return kind;
        }
        let name = types.node_name(subtype);
        let original = || kinds::original_node(&self.shape.header.node_types, subtype, &name);
        let kind = Some(()).filter(|()| self.shape.original).and_then(|()| original());
        let kind = kind.unwrap_or_else(|| {
            let mut kind = kinds::node(&name);
            if self.shape.original {
                let wanted = kinds::newest_nodes()[usize::from(kind.code)];
                kind.code = self.shape.header.node_types.iter().position(|t| t == wanted).unwrap_or(0) as u16;
            }
            kind
        });
        self.node_kinds.keep(subtype, kind)
    }

    fn edge_kind(&mut self, subtype: u32, types: &Types) -> EdgeKind {
        let name = types.edge_name(subtype);
        let original = || kinds::original_edge(&self.shape.header.edge_types, subtype, &name);
        let kind = Some(()).filter(|()| self.shape.original).and_then(|()| original());
        let kind = kind.unwrap_or_else(|| {
            let mut kind = kinds::edge(&name, types.retains(subtype));
            if self.shape.original {
                let types = &self.shape.header.edge_types;
                let code = |wanted: u16| {
                    let wanted = kinds::newest_edges()[usize::from(wanted)];
                    types.iter().position(|t| t == wanted).unwrap_or(0) as u16
                };
                (kind.code, kind.other) = (code(kind.code), code(kind.other));
            }
            kind
        });
        self.edge_kinds.keep(subtype, kind)
    }

    pub(super) fn node(
        &mut self,
        record: &Node<'_>,
        types: &Types,
        root: Option<Value>,
        left_out: &mut LeftOut,
    ) -> Result {
        let kind = self.node_kind(record.subtype, types);
        if self.ids.len() >= u32::MAX as usize - 2 {
            return Err(Error::refused("a V8 snapshot holds no more than 2^32 nodes"));
        }
        if !self.shape.v8 {
            self.foreign(record, kind, left_out);
        }
        let name = self.name(record, kind, types, left_out)?;
        let ordinal = self.ids.len() as u32;
        if Some(record.id) == root && self.root.is_none() {
            self.root = Some((ordinal, self.nodes.len()));
        }
        if record.heap.size.is_some_and(|n| n > u32::MAX.into()) {
            self.huge += 1;
        }
        self.ids.push(record.id);
        self.counts.push(0);
        let heap = &record.heap;
        let annotated = heap.retained.is_some() || heap.distance.is_some() || heap.reachable.is_some();
        let mut mask = 0u16;
        let mut values = [Wide::default(); SLOTS];
        if annotated || self.shape.v8 && !record.rest.is_empty() {
            for (namespace, raw) in each(if self.shape.v8 { record.rest } else { b"" }) {
                let members = inside(raw).unwrap_or(&[]);
                for (key, raw) in each(members) {
                    let slot = self.shape.slots.iter().position(|s| namespace == "v8" && s == key);
                    match (slot, integer(raw)) {
                        (Some(slot), Some(value)) if slot > ID || value.tag == Wide::PLUS => {
                            mask |= 1 << slot;
                            values[slot] = value;
                        }
                        _ => left_out.add(dotted(&mut self.path, namespace, key), 1),
                    }
                }
            }
            let annotations = [
                heap.retained.map(i128::from),
                heap.distance.map(i128::from),
                heap.reachable.map(i128::from),
            ];
            for (slot, value) in self.shape.annotations.into_iter().zip(annotations) {
                if let Some(value) = value.and_then(Wide::of) {
                    mask |= 1 << slot;
                    values[slot] = value;
                }
            }
            self.used |= mask;
        }
        self.nodes.build(|out| {
            out.extend_from_slice(&kind.code.to_le_bytes());
            out.extend_from_slice(&mask.to_le_bytes());
            out.extend_from_slice(&name.to_le_bytes());
            out.extend_from_slice(&heap.size.unwrap_or(0).to_le_bytes());
            if mask != 0 {
                for (slot, value) in values.iter().enumerate() {
                    if mask >> slot & 1 == 1 {
                        value.push(out);
                    }
                }
            }
        })?;
        if heap.idom.is_some() {
            left_out.add("heap.idom", 1);
        }
        if heap.count.is_some_and(|n| n != 1) {
            left_out.add("heap.count", 1);
        }
        for (key, _) in each(heap.rest) {
            left_out.add(dotted(&mut self.path, "heap", key), 1);
        }
        Ok(())
    }

    /// What a node of another source has that a snapshot has not.
    fn foreign(&mut self, record: &Node<'_>, kind: NodeKind, left_out: &mut LeftOut) {
        let mut bytes = record.heap.external.unwrap_or(0);
        while bytes > 0 {
            // Chrome DevTools keeps sizes in 32 bits; beyond any sense it may have the sum wrong.
            let part = if bytes > MOST_SPLIT { bytes } else { bytes.min(u32::MAX.into()) };
            self.external.push((self.ids.len() as u32, part));
            bytes -= part;
        }
        for (key, _) in each(record.own) {
            let kept = match kind.named {
                Named::Data => key == "data",
                _ => key == "name" || key == "function",
            };
            if !kept {
                self.path.clear();
                self.path.push_str(key);
                self.path.push_str(" fields");
                left_out.add(&self.path, 1);
            }
        }
        for (namespace, raw) in each(record.rest) {
            for (key, _) in inside(raw).into_iter().flat_map(each) {
                left_out.add(dotted(&mut self.path, namespace, key), 1);
            }
        }
    }

    /// Index of the string that a node is called by.
    #[inline]
    fn name(
        &mut self,
        record: &Node<'_>,
        kind: NodeKind,
        types: &Types,
        left_out: &mut LeftOut,
    ) -> Result<u32> {
        let (class, own) = (record.heap.class, record.heap.name);
        let id = match kind.named {
            Named::Class => class.or(own),
            Named::Name => own.or(class),
            Named::Data => member(record.own, "data").and_then(integer).map(|n| n.bits as StringId).or(own),
        };
        if class.is_some() && own.is_some() && class != own {
            left_out.add("second names of nodes", 1);
        }
        if let Some(id) = id {
            if let Some(index) = self.texts.find(id) {
                return Ok(index);
            }
            left_out.add("texts that the stream lacks", 1);
        }
        if let Some(index) = self.names.get(record.subtype) {
            return Ok(index);
        }
        let index = match id {
            None if !self.shape.v8 => self.texts.make(&types.node_name(record.subtype))?,
            _ => self.texts.make("")?,
        };
        Ok(self.names.keep(record.subtype, index))
    }

    #[inline]
    pub(super) fn edge(
        &mut self,
        record: &Edge<'_>,
        types: &Types,
        root: Option<Value>,
        left_out: &mut LeftOut,
    ) -> Result {
        let kind = match self.edge_kinds.get(record.subtype) {
            Some(kind) => kind,
            None => self.edge_kind(record.subtype, types),
        };
        let Some(dest) = record.dest.filter(|d| d & 1 == 1) else {
            left_out.add("numbers in fields", 1);
            return Ok(());
        };
        if !self.shape.v8 {
            if Some(record.source) == root && !self.held.insert(dest) {
                left_out.add("second edges from the root to one node", 1);
                return Ok(());
            }
            if !record.rest.is_empty() {
                self.foreign_edge(record, left_out);
            }
        }
        let (code, name) = self.label(record, kind, left_out)?;
        let slots = &self.shape.edge_slots;
        if self.n_deferred == 0 {
            if self.source.0 != record.source || self.source.1 == u32::MAX {
                // Nodes that come after the first edge are found at the end.
                if self.edges.is_empty() {
                    self.ids.seal()?;
                }
                match self.ids.find(record.source) {
                    Some(source) if self.source.1 == u32::MAX || source > self.source.1 => {
                        self.source = (record.source, source);
                    }
                    _ => return self.defer(record, dest, code, name),
                }
            }
            let Some(dest) = self.ids.find(dest) else { return self.defer(record, dest, code, name) };
            self.counts[self.source.1 as usize] += 1;
            let mut bytes = [0; EDGE];
            bytes[..4].copy_from_slice(&name.to_le_bytes());
            bytes[4..8].copy_from_slice(&dest.to_le_bytes());
            bytes[8..].copy_from_slice(&code.to_le_bytes());
            return self.edges.build(|out| {
                out.extend_from_slice(&bytes);
                if !slots.is_empty() {
                    edge_slots(slots, record, out);
                }
            });
        }
        self.defer(record, dest, code, name)
    }

    /// Keeps an edge that comes out of order.
    #[cold]
    fn defer(&mut self, record: &Edge<'_>, dest: Value, code: u16, name: u32) -> Result {
        self.n_deferred += 1;
        self.deferred.build(|out| {
            out.extend_from_slice(&record.source.to_le_bytes());
            out.extend_from_slice(&dest.to_le_bytes());
            out.extend_from_slice(&name.to_le_bytes());
            out.extend_from_slice(&code.to_le_bytes());
            edge_slots(&self.shape.edge_slots, record, out);
        })
    }

    /// Type and label of an edge.
    #[inline]
    fn label(&mut self, record: &Edge<'_>, kind: EdgeKind, left_out: &mut LeftOut) -> Result<(u16, u32)> {
        let Some(label) = record.label else {
            // Numbers of unnamed edges count from nothing; a name that says nothing is as good.
            return Ok(if kind.numbered { (kind.code, 0) } else { (kind.code, self.nameless()?) });
        };
        match (kind.numbered, self.texts.as_index(label)) {
            (true, Some(index)) => Ok((kind.code, index)),
            (false, Some(index)) if kind.other != kind.code => Ok((kind.other, index)),
            (false, Some(index)) => Ok((kind.code, self.texts.number(index)?)),
            (numbered, None) => {
                let code = if numbered { kind.other } else { kind.code };
                if let Some(index) = self.texts.find(label) {
                    return Ok((code, index));
                }
                left_out.add("texts that the stream lacks", 1);
                Ok((code, self.nameless()?))
            }
        }
    }

    /// The string that says nothing.
    #[cold]
    fn nameless(&mut self) -> Result<u32> {
        match self.nameless {
            Some(index) => Ok(index),
            None => Ok(*self.nameless.insert(self.texts.make("")?)),
        }
    }

    #[cold]
    fn foreign_edge(&mut self, record: &Edge<'_>, left_out: &mut LeftOut) {
        for (namespace, raw) in each(record.rest) {
            for (key, _) in inside(raw).into_iter().flat_map(each) {
                left_out.add(dotted(&mut self.path, namespace, key), 1);
            }
        }
    }

    /// Whether edges keep their target alive, by code.
    pub(super) fn retains(&self) -> Vec<Retains> {
        let mut types = crate::layout::types::edge_types(&self.shape.header.edge_types);
        crate::layout::types::add_edge_types(&mut types, kinds::newest_edges().len() as u64 - 1);
        types.iter().map(|t| t.retains).collect()
    }
}

/// Appends the fields of an edge that only this file has.
fn edge_slots(slots: &[String], record: &Edge<'_>, out: &mut Vec<u8>) {
    let members = member(record.rest, "v8").and_then(inside).unwrap_or(&[]);
    for name in slots {
        // Names may hold dots, so no path.
        let raw = each(members).find(|(key, _)| key == name).map(|(_, raw)| raw);
        raw.and_then(integer).unwrap_or_default().push(out);
    }
}

/// A dotted name in a buffer that is used again.
fn dotted<'a>(path: &'a mut String, namespace: &str, key: &str) -> &'a str {
    path.clear();
    path.push_str(namespace);
    path.push('.');
    path.push_str(key);
    path
}

/// A whole number, also as `"0x…"`.
fn integer(raw: &[u8]) -> Option<Wide> {
    match scalar(raw)? {
        Json::Int(n) => Wide::of(n),
        Json::Text(t) => heap_base::json::hex_text(&t).and_then(Wide::of),
        _ => None,
    }
}
