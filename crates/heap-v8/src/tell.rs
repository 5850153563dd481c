//! The records: what a survey found is told to a sink, in the stream's order.

use std::borrow::Cow;

use heap_record::error::Kind;
use heap_record::json::{compact, push_int, push_text, push_uint};
use heap_record::{
    Blob, Declaration, Edge, Ends, Error, FieldKind, Heap, Metadata, Node, Place, Result, Retains, Sink, Str,
    index_string,
};
use rustc_hash::FxHashMap;

use crate::edges::{Divide, Edges, NOWHERE, index, plain, triple};
use crate::header::Header;
use crate::ints::{Batch, Ints, Section};
use crate::nodes::{Columns, Nodes, Rule, Special};
use crate::others;
use crate::scan::Scan;
use crate::types::{self, EdgeRole, EdgeType, Label, MOST_CODE, Own};
use crate::weak::Mark;

/// A snapshot after its survey.
#[derive(Clone, Copy)]
pub(crate) struct Snapshot<'a> {
    pub(crate) blob: &'a Blob,
    pub(crate) scan: &'a Scan,
    pub(crate) header: &'a Header,
    pub(crate) nodes: &'a Nodes,
    /// What was found out about the edges that metadata speaks of.
    pub(crate) root_edges: &'a Edges,
    /// Ordinal of the root, if it stands.
    pub(crate) root: Option<usize>,
}

/// Number of the subtype `v8.ephemeron`: behind all codes, those to come included.
fn ephemeron(edges: &Edges) -> u32 {
    if edges.open { MOST_CODE as u32 + 2 } else { edges.types.len() as u32 + 1 }
}

/// Declares the edge types from `known` on.
fn declare_edges(types: &[EdgeType], known: usize, sink: &mut dyn Sink) -> Result {
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

impl Snapshot<'_> {
    pub(crate) fn metadata(&self, sink: &mut dyn Sink) -> Result {
        let mut tell =
            |key: &str, value: &str| sink.metadata(&Metadata { key, value, ..Metadata::default() });
        let nodes = self.nodes;
        tell("target_source", "v8.heapsnapshot")?;
        tell("heap.identifier", if nodes.rule == Rule::V8 { "v8" } else { "index" })?;
        tell("heap.order", "strings nodes edges")?;
        if nodes.rule == Rule::V8 {
            // V8's own limit, unless --heap-snapshot-string-limit said otherwise when it was written.
            tell("heap.string_limit", "1024")?;
        }
        if let Some(root) = self.root {
            tell("heap.root", &nodes.identifier(root).to_string())?;
        }
        let edges = self.root_edges;
        let known = |i: &usize| *i < nodes.count as usize;
        let document = |i: usize| nodes.dom_trees.contains(i);
        let user = |i: &usize| edges.shortcuts.contains(*i) || edges.elements.contains(*i) && document(*i);
        let near = |i: &usize| !nodes.synthetic.contains(*i) || document(*i);
        for i in edges.children.iter().filter(known).filter(user) {
            tell("heap.user_root", &nodes.identifier(i).to_string())?;
        }
        // Where distances are counted from, if that is not the same.
        if edges.children.iter().filter(known).any(|i| user(&i) != near(&i)) {
            for i in edges.children.iter().filter(known).filter(near) {
                tell("heap.distance_root", &nodes.identifier(i).to_string())?;
            }
        }
        tell("heap.unreachable", "root")?;
        let mut text = Vec::new();
        compact(&mut text, &self.header.raw);
        tell("v8.snapshot", &String::from_utf8_lossy(&text))?;
        text.clear();
        for key in &self.scan.keys {
            text.push(if text.is_empty() { b'[' } else { b',' });
            push_text(&mut text, key);
        }
        text.push(b']');
        tell("v8.sections", &String::from_utf8_lossy(&text))?;
        tell("v8.layout", self.layout()?)?;
        tell("v8.text", if self.scan.strings.raw_utf8 { "utf-8" } else { "ascii" })?;
        if let Some(bytes) = self.header.number("extra_native_bytes") {
            tell("v8.extra_native_bytes", &bytes.to_string())?;
        }
        for (key, raw) in &self.scan.extra {
            text.clear();
            compact(&mut text, raw);
            tell(&format!("v8.extra.{key}"), &String::from_utf8_lossy(&text))?;
        }
        Ok(())
    }

    /// How the file uses white space: a record a `lines` (V8 up to 13.4), LF between `sections` only (later),
    /// `compact` (none at all), or `other`.
    fn layout(&self) -> Result<&'static str> {
        let Some(section) = self.scan.section("nodes") else { return Ok("other") };
        let mut buf = [0; 1024];
        let room = usize::try_from(section.end - section.start).unwrap_or(buf.len()).min(buf.len());
        let n = self.blob.read_at(&mut buf[..room], section.start)?;
        let blank = |b: &u8| matches!(b, b' ' | b'\t' | b'\r' | b'\n');
        let lines = buf[..n].windows(2).any(|w| w == b"\n,");
        let inside = buf[..n].iter().any(blank);
        let n = self.blob.read_at(&mut buf[..4], section.end)?;
        Ok(match &buf[..n] {
            b"],\n\"" if lines => "lines",
            b"],\n\"" if !inside => "sections",
            [b']', b',', b'"', ..] if !inside => "compact",
            _ => "other",
        })
    }

    pub(crate) fn declare(&self, edges: &Edges, sink: &mut dyn Sink) -> Result {
        use FieldKind::{Boolean, Integer, String, Value};
        let own = |(_, name): &(usize, std::string::String)| (Cow::Owned(format!("v8.{name}")), Integer);
        let f = &self.header.node;
        let mut fields: Vec<(Cow<'_, str>, FieldKind)> = vec![
            ("subtype".into(), Integer),
            ("identifier".into(), Value),
            ("heap.size".into(), Integer),
            ("heap.class".into(), String),
            ("heap.name".into(), String),
        ];
        if self.nodes.rule == Rule::Index {
            fields.push(("v8.id".into(), Integer));
        }
        if f.trace.is_some() {
            fields.push(("v8.trace_node_id".into(), Integer));
        }
        if f.detachedness.is_some() {
            fields.push(("v8.detachedness".into(), Integer));
        }
        fields.extend(f.others.iter().map(own));
        sink.declare(&Declaration::Record { name: "node", fields: &fields })?;
        let mut fields: Vec<(Cow<'_, str>, FieldKind)> = vec![
            ("subtype".into(), Integer),
            ("source".into(), Value),
            ("dest".into(), Value),
            ("label".into(), String),
            ("heap.key".into(), Value),
            ("heap.table".into(), Value),
            ("heap.distance".into(), Boolean),
        ];
        fields.extend(self.header.edge.others.iter().map(own));
        sink.declare(&Declaration::Record { name: "edge", fields: &fields })?;
        for (code, t) in self.nodes.types.iter().enumerate() {
            let fields: &[(Cow<'_, str>, FieldKind)] = match t.own {
                Own::None => &[],
                Own::Data => &[(Cow::Borrowed("data"), String)],
                Own::Source => &[(Cow::Borrowed("source"), String)],
                Own::Metadata => &[(Cow::Borrowed("metadata"), Value)],
                Own::Parts => &[(Cow::Borrowed("s1"), Value), (Cow::Borrowed("s2"), Value)],
                Own::Parent => &[(Cow::Borrowed("source"), Value)],
            };
            sink.declare(&Declaration::Node { id: code as u32 + 1, name: &t.name, table: t.table, fields })?;
        }
        declare_edges(&edges.types, 0, sink)?;
        sink.declare(&Declaration::Edge {
            id: ephemeron(edges),
            name: "v8.ephemeron",
            retains: Retains::No,
            rest: &[],
        })?;
        others::declare(self.scan, self.header, sink)
    }

    /// The file's strings, then those of array indexes.
    pub(crate) fn strings(&self, edges: Option<&Edges>, sink: &mut dyn Sink) -> Result {
        self.scan.strings.tell(self.blob, sink)?;
        let mut digits = itoa::Buffer::new();
        for i in edges.iter().flat_map(|e| e.indexes.iter()) {
            let data = heap_record::Data::Escaped(digits.format(i));
            sink.string(&Str { id: index_string(i), data, ..Str::default() })?;
        }
        Ok(())
    }

    /// Tells the nodes, all that are whole.
    pub(crate) fn nodes(
        &self,
        section: &Section,
        slots: &[u32],
        details: bool,
        sink: &mut dyn Sink,
    ) -> Result {
        let f = &self.header.node;
        let strings = &self.scan.strings;
        let mut own = Vec::new();
        let mut rest = Vec::new();
        let mut slots = slots.iter();
        let mut ordinal = 0;
        let count = self.nodes.count as usize;
        Ints::new(self.blob, section, f.width).batches(true, |batch| {
            for (record, ints) in batch.records().enumerate().take(count - ordinal) {
                let kind = ints[f.kind];
                let Some(t) = self.nodes.types.get(kind as usize) else { return Ok(false) };
                let name = strings.id(ints[f.name]);
                let (class, name) = if t.class { (name, None) } else { (None, name) };
                own.clear();
                rest.clear();
                if details {
                    match t.own {
                        Own::None => {}
                        Own::Data => member(&mut own, b"\"data\":", name),
                        Own::Source => member(&mut own, b"\"source\":", name),
                        Own::Metadata => self.target(&mut own, b"\"metadata\":", slots.next()),
                        Own::Parts => {
                            self.target(&mut own, b"\"s1\":", slots.next());
                            self.target(&mut own, b"\"s2\":", slots.next());
                        }
                        Own::Parent => self.target(&mut own, b"\"source\":", slots.next()),
                    }
                    self.node_rest(&mut rest, batch, record, ints);
                }
                let id = match self.nodes.rule {
                    Rule::V8 => crate::nodes::v8_identifier(ints[f.id]),
                    Rule::Index => heap_record::index_id(ordinal as u64),
                };
                sink.node(&Node {
                    subtype: kind as u32 + 1,
                    id,
                    own: &own,
                    heap: Heap { size: Some(ints[f.size]), class, name, ..Heap::default() },
                    rest: &rest,
                    ..Node::default()
                })?;
                ordinal += 1;
            }
            Ok(ordinal < count)
        })
    }

    /// Nodes of which only type, name and size are asked for. Where identifiers are not V8's ids, these come along:
    /// people choose nodes by them.
    pub(crate) fn summary(&self, columns: &Columns, sink: &mut dyn Sink) -> Result {
        let mut rest = Vec::new();
        for (ordinal, (kind, name, size)) in columns.iter().enumerate() {
            let Some(t) = self.nodes.types.get(kind as usize) else { continue };
            let name = self.scan.strings.id(name);
            let (class, name) = if t.class { (name, None) } else { (None, name) };
            if self.nodes.rule == Rule::Index {
                rest.clear();
                rest.extend_from_slice(b"\"v8\":{\"id\":");
                push_uint(&mut rest, self.nodes.id(ordinal).unwrap_or(0));
                rest.push(b'}');
            }
            sink.node(&Node {
                subtype: kind + 1,
                id: self.nodes.identifier(ordinal),
                heap: Heap { size: Some(size), class, name, ..Heap::default() },
                rest: &rest,
                ..Node::default()
            })?;
        }
        Ok(())
    }

    fn target(&self, own: &mut Vec<u8>, key: &[u8], slot: Option<&u32>) {
        let target = slot.filter(|&&s| s != NOWHERE).map(|&s| self.nodes.identifier(s as usize));
        member(own, key, target);
    }

    /// Appends the namespace of a node, if it has anything to say.
    #[inline]
    fn node_rest(&self, rest: &mut Vec<u8>, batch: &Batch, record: usize, ints: &[u64]) {
        let f = &self.header.node;
        let nonzero = |field: Option<usize>| field.map(|at| ints[at]).filter(|&n| n != 0);
        let (trace, detachedness) = (nonzero(f.trace), nonzero(f.detachedness));
        let id = (self.nodes.rule == Rule::Index).then(|| ints[f.id]);
        if id.is_none() && trace.is_none() && detachedness.is_none() && f.others.is_empty() {
            return;
        }
        rest.extend_from_slice(b"\"v8\":{");
        for (key, value) in [("id", id), ("trace_node_id", trace), ("detachedness", detachedness)] {
            if let Some(value) = value {
                push_key(rest, key);
                push_uint(rest, value);
            }
        }
        unknown(rest, &f.others, batch, record, ints);
        rest.push(b'}');
    }

    /// Tells the edges; gives how many stand whole.
    pub(crate) fn edges(&self, section: &Section, edges: &Edges, sink: &mut dyn Sink) -> Result<u64> {
        let pairs = self.pairs();
        if plain(&self.header.edge) {
            self.edge_records::<true>(section, edges, &pairs, sink)
        } else {
            self.edge_records::<false>(section, edges, &pairs, sink)
        }
    }

    /// Nodes were told, each of those that stand whole: an ordinal is a number of [`Ends`].
    fn edge_records<const PLAIN: bool>(
        &self,
        section: &Section,
        edges: &Edges,
        pairs: &Pairs,
        sink: &mut dyn Sink,
    ) -> Result<u64> {
        let f = &self.header.edge;
        let strings = &self.scan.strings;
        let mut types = Cow::Borrowed(edges.types.as_slice());
        let (n_nodes, n_names) = (u64::from(self.nodes.count), strings.limit());
        let divide = Divide::by(self.header.node.width);
        let ephemeron = ephemeron(edges);
        let mut rest = Vec::new();
        let mut sources = self.nodes.sources();
        // The source: its ordinal, identifier, what it is, edges left.
        let (mut ordinal, mut source, mut special, mut left) = (usize::MAX, 0, Special::None, 0u64);
        let numbers = sink.numbers();
        let identifier = |ordinal: usize| if numbers { 0 } else { self.nodes.identifier(ordinal) };
        let (mut told, mut passed) = (0, false);
        if edges.count == 0 {
            return Ok(0);
        }
        Ints::new(self.blob, section, f.width).batches(true, |batch| {
            for (record, ints) in batch.records().enumerate() {
                if left == 0 {
                    while left == 0 {
                        let Some(next) = sources.next() else { return Ok(false) };
                        (special, left) = next;
                        ordinal = ordinal.wrapping_add(1);
                    }
                    source = identifier(ordinal);
                    passed = !numbers && sink.passes_over(source);
                }
                left -= 1;
                let (kind, name, to) = triple::<PLAIN>(f, ints);
                let Some(dest) = divide.exact(to).filter(|&dest| dest < n_nodes) else { return Ok(false) };
                if kind >= types.len() as u64 {
                    if kind > MOST_CODE {
                        return Ok(false);
                    }
                    let known = types.len();
                    types::add_edge_types(types.to_mut(), kind);
                    declare_edges(&types, known, sink)?;
                }
                let t = &types[kind as usize];
                let mut edge = Edge {
                    subtype: kind as u32 + 1,
                    source,
                    dest: Some(identifier(dest as usize)),
                    ..Edge::default()
                };
                let mut partner = None;
                let mut mark = Mark::None;
                edge.label = match t.label {
                    Label::Index => Some(index_string(index(name))),
                    Label::String if name >= n_names => return Ok(false),
                    Label::String => {
                        mark = strings.marks.get(name);
                        strings.id(name)
                    }
                };
                if passed {
                    told += 1;
                    if told == edges.count {
                        return Ok(false);
                    }
                    continue;
                }
                if mark == Mark::Pair && t.role == EdgeRole::Internal
                    || special as u8 >= Special::NativeContext as u8
                    || !f.others.is_empty()
                {
                    rest.clear();
                    let pair = if t.role == EdgeRole::Internal && mark == Mark::Pair {
                        pairs.get(&name)
                    } else {
                        None
                    };
                    let skipped = match (special, t.label) {
                        (Special::NativeContext, _) => mark == Mark::SloppyMap,
                        (Special::MapDescriptors, Label::String) => mark == Mark::Third,
                        (Special::MapDescriptors, Label::Index) => index(name) >= 2 && index(name) % 3 == 1,
                        _ => false,
                    };
                    if pair.is_some_and(|pair| pair.table == Some(ordinal as u32)) {
                        edge.subtype = ephemeron;
                    }
                    partner = self.edge_heap(&mut rest, ordinal as u32, pair, skipped);
                    if !f.others.is_empty() {
                        if !rest.is_empty() {
                            rest.push(b',');
                        }
                        rest.extend_from_slice(b"\"v8\":{");
                        unknown(&mut rest, &f.others, batch, record, ints);
                        rest.push(b'}');
                    }
                    edge.rest = &rest;
                }
                if numbers {
                    sink.edge_between(Ends { source: ordinal as u32, dest: dest as u32, partner }, &edge)?;
                } else {
                    sink.edge(&edge)?;
                }
                told += 1;
                if told == edges.count {
                    return Ok(false);
                }
            }
            Ok(true)
        })?;
        Ok(told)
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

    pub(crate) fn others(&self, sink: Option<&mut dyn Sink>) -> Result {
        others::tell(self.blob, self.scan, self.header, self.nodes, sink)
    }
}

/// Appends fields that this reader does not know.
#[cold]
fn unknown(out: &mut Vec<u8>, fields: &[(usize, String)], batch: &Batch, record: usize, ints: &[u64]) {
    for (at, name) in fields {
        push_key(out, name);
        if ints[*at] > i64::MAX as u64 && !batch.negative(record, *at) {
            push_uint(out, ints[*at]);
        } else {
            push_int(out, ints[*at] as i64);
        }
    }
}

fn push_key(out: &mut Vec<u8>, key: &str) {
    if out.last() != Some(&b'{') {
        out.push(b',');
    }
    push_text(out, key);
    out.push(b':');
}

/// Appends a member, if there is a value.
#[inline]
fn member(out: &mut Vec<u8>, key: &[u8], value: Option<i64>) {
    if let Some(value) = value {
        if !out.is_empty() {
            out.push(b',');
        }
        out.extend_from_slice(key);
        push_int(out, value);
    }
}

/// Of several places that are damaged, the first in the file; of several at one byte, the first given.
pub(crate) fn first(damage: impl IntoIterator<Item = Option<Error>>) -> Option<Error> {
    damage.into_iter().flatten().min_by_key(|e| match e.kind() {
        Kind::Input { place: Place::Byte(byte), .. } => *byte,
        _ => 0,
    })
}
