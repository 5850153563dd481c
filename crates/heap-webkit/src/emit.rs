//! The records of a snapshot, in the stream's order.

use std::borrow::Cow;

use heap_base::{Blob, Members, NumberSet, Result};
use heap_record::wants::Strings;
use heap_record::{
    Data, Declared, Edge, EdgeBatch, EdgeSlice, Ends, Extension, FieldKind, Heap, IdRule, Node, NodeBatch,
    PlainNode, Retains, Sink, Str, StringId, Wants, head, index_id, index_string,
};

use crate::FORMAT;
use crate::document::{self, Class, Document, EdgeType, Nodes, Reason, Shape, first};

/// Flag of a cell that belongs to no global object.
const INTERNAL: u32 = 1;

/// Nodes and edges delivered at a time.
const BATCH: usize = 1024;

/// Node subtypes: number, name, the draft's table.
const NODE_TYPES: [(u32, &str, Option<&str>); 11] = [
    (ROOT, "heap.root", None),
    (OBJECT, "object", Some("object")),
    (ARRAY, "array", Some("array")),
    (CLOSURE, "closure", Some("closure")),
    (REGEXP, "regular_expression", Some("regular_expression")),
    (DATE, "date", Some("date")),
    (CODE, "code", None),
    (TEXT, "jsc.string", None),
    (SYMBOL, "jsc.symbol", None),
    (BIGINT, "jsc.bigint", None),
    (CELL, "jsc.cell", None),
];
const ROOT: u32 = 1;
const OBJECT: u32 = 2;
const ARRAY: u32 = 3;
const CLOSURE: u32 = 4;
const REGEXP: u32 = 5;
const DATE: u32 = 6;
const CODE: u32 = 7;
const TEXT: u32 = 8;
const SYMBOL: u32 = 9;
const BIGINT: u32 = 10;
const CELL: u32 = 11;

/// Edge subtypes; other types of a file follow.
const EDGE_TYPES: [(u32, &str); 5] = [
    (PROPERTY, "object property"),
    (ELEMENT, "array element"),
    (VARIABLE, "closure variable"),
    (CELLS, "jsc.internal"),
    (ROOTS, "jsc.root"),
];
const PROPERTY: u32 = 1;
const ELEMENT: u32 = 2;
const VARIABLE: u32 = 3;
const CELLS: u32 = 4;
const ROOTS: u32 = 5;

/// Emits one snapshot after another.
pub(crate) struct Emitter<'k> {
    sink: &'k mut dyn Sink,
    wants: Wants,
    declared: bool,
    /// Types of edges that are not WebKit's own, in the order in which they were declared.
    others: Vec<String>,
    /// Array indexes whose string was emitted.
    indexes: NumberSet,
    /// Number of the next string.
    base: StringId,
}

impl<'k> Emitter<'k> {
    pub(crate) fn new(sink: &'k mut dyn Sink) -> Self {
        let wants = sink.wants();
        Self { sink, wants, declared: false, others: Vec::new(), indexes: NumberSet::default(), base: 0 }
    }

    pub(crate) fn metadata(&mut self, key: &str, value: &str) -> Result {
        head::metadata(self.sink, key, value)
    }

    /// The first metadata of every stream.
    pub(crate) fn head(&mut self) -> Result {
        head::begin(self.sink, FORMAT, IdRule::Index)
    }

    /// A snapshot.
    pub(crate) fn document(&mut self, blob: &Blob) -> Result {
        let mut document = Document::scan(blob)?;
        let shape = document.shape(blob)?;
        let nodes = document.nodes(blob, shape)?;
        let (reasons, bad_reasons) = document.reasons(blob, &nodes)?;
        self.snapshot_metadata(&document, &nodes)?;
        self.declare()?;
        let kinds = self.edge_subtypes(&document.edge_types)?;

        let classes = self.base;
        let names = classes + document.classes.count as StringId;
        let labels = names + document.edge_names.count as StringId;
        self.base = labels + document.labels.count as StringId;
        if self.wants.any_strings() {
            document.classes.emit(blob, classes, self.sink)?;
        }
        if self.wants.strings == Strings::All {
            document.edge_names.emit(blob, names, self.sink)?;
            document.labels.emit(blob, labels, self.sink)?;
        }

        if self.wants.any_nodes() {
            self.nodes(blob, &document, shape, &nodes, [classes, labels])?;
        }
        let mut edges = EdgeLabels { kinds: &kinds, names, labels, reasons: &reasons };
        let edges = self.edges(blob, &document, &nodes, &mut edges)?;
        if self.wants.extensions {
            self.roots(&reasons, labels)?;
        }
        first([document.damage.take(), nodes.damage, edges, bad_reasons]).map_or(Ok(()), Err)
    }

    fn snapshot_metadata(&mut self, document: &Document, nodes: &Nodes) -> Result {
        if nodes.root {
            self.metadata("heap.root", &index_id(0).to_string())?;
        }
        self.metadata("heap.unreachable", "root")?;
        self.metadata("heap.global", "GlobalObject")?;
        let debugging = document.type_name.as_deref() == Some("GCDebugging");
        if !debugging && nodes.may_last() {
            self.metadata("heap.identity", "identifier")?;
        }
        if let Some(version) = document.version {
            self.metadata("jsc.version", &version.to_string())?;
        }
        document.type_name.as_deref().map_or(Ok(()), |name| self.metadata("jsc.type", name))
    }

    fn declare(&mut self) -> Result {
        use FieldKind::{Address, Integer, String, Value};
        if std::mem::replace(&mut self.declared, true) {
            return Ok(());
        }
        let records: [(&str, &[(&str, FieldKind)]); 3] = [
            (
                "node",
                &[
                    ("subtype", Integer),
                    ("identifier", Value),
                    ("heap.size", Integer),
                    ("heap.class", String),
                    ("heap.name", String),
                    ("jsc.flags", Integer),
                    ("jsc.label", String),
                    ("jsc.cell", Address),
                    ("jsc.wrapped", Address),
                ],
            ),
            ("edge", &[("subtype", Integer), ("source", Value), ("dest", Value), ("label", String)]),
            ("jsc.root", &[("identifier", Value), ("reason", String), ("reach", String)]),
        ];
        for (name, fields) in records {
            let fields: Vec<_> = fields.iter().map(|&(name, kind)| (Cow::Borrowed(name), kind)).collect();
            self.sink.declare(&Declared::Record { name, fields: &fields }.into())?;
        }
        for (id, name, table) in NODE_TYPES {
            self.sink.declare(&Declared::Node { id, name, table, fields: &[] }.into())?;
        }
        EDGE_TYPES.into_iter().try_for_each(|(id, name)| self.declare_edges(id, name))
    }

    fn declare_edges(&mut self, id: u32, name: &str) -> Result {
        self.sink.declare(&Declared::Edge { id, name, retains: Retains::Yes, role: None, rest: b"" }.into())
    }

    /// The subtype of each type of edges.
    fn edge_subtypes(&mut self, types: &[EdgeType]) -> Result<Vec<u32>> {
        let known = EDGE_TYPES.len() as u32 + 1;
        types
            .iter()
            .map(|kind| {
                Ok(match kind {
                    EdgeType::Internal => CELLS,
                    EdgeType::Property => PROPERTY,
                    EdgeType::Index => ELEMENT,
                    EdgeType::Variable => VARIABLE,
                    EdgeType::Other(name) => {
                        if let Some(n) = self.others.iter().position(|other| other == name) {
                            known + n as u32
                        } else {
                            let id = known + self.others.len() as u32;
                            self.declare_edges(id, &format!("jsc.{name}"))?;
                            self.others.push(name.clone());
                            id
                        }
                    }
                })
            })
            .collect()
    }

    fn nodes(
        &mut self,
        blob: &Blob,
        document: &Document,
        shape: Shape,
        nodes: &Nodes,
        [classes, labels]: [StringId; 2],
    ) -> Result {
        let (full, sink) = (self.wants.node_details(), &mut *self.sink);
        let mut plain: Vec<PlainNode> = Vec::with_capacity(BATCH);
        let mut rest = Members::new();
        document.each_node(blob, shape, nodes, &mut |node| {
            let class = document.class(node.class);
            let subtype = match class.unwrap_or(Class::Object) {
                _ if node.id == 0 => ROOT,
                Class::Text => TEXT,
                Class::BigInt => BIGINT,
                Class::Code => CODE,
                Class::Symbol if node.flags & INTERNAL != 0 => SYMBOL,
                Class::Scope => CELL,
                _ if node.flags & INTERNAL != 0 => CELL,
                Class::Closure => CLOSURE,
                Class::Array => ARRAY,
                Class::RegExp => REGEXP,
                Class::Date => DATE,
                Class::Object | Class::Symbol => OBJECT,
            };
            let string = class.map(|_| classes + node.class as StringId);
            let label = Some(labels + node.label as StringId).filter(|_| node.label > 0);
            let name = if subtype == ROOT { string } else { label.filter(|_| subtype == CLOSURE) };
            rest.clear();
            if full {
                rest.open("jsc");
                if node.flags > 0 {
                    rest.uint("flags", node.flags.into());
                }
                if let Some(label) = label.filter(|_| name.is_none()) {
                    rest.int("label", label);
                }
                if shape == Shape::Long && subtype != ROOT {
                    rest.uint("cell", node.cell);
                    if node.wrapped > 0 {
                        rest.uint("wrapped", node.wrapped);
                    }
                }
                rest.close();
            }
            let id = index_id(node.id.into());
            match string {
                Some(string) if rest.is_empty() && name.is_none() => {
                    let (size, class) = (node.size, true);
                    plain.push(PlainNode { subtype, own: 0, id, size, class, text: false, string });
                    if plain.len() < BATCH {
                        return Ok(());
                    }
                }
                _ => {
                    flush(&mut plain, sink)?;
                    let class = string.filter(|_| subtype != ROOT);
                    let heap = Heap { size: Some(node.size), class, name, ..Heap::default() };
                    let node = Node { subtype, id, heap, rest: rest.as_bytes(), ..Node::default() };
                    return sink.nodes(&NodeBatch::one(&node));
                }
            }
            flush(&mut plain, sink)
        })?;
        flush(&mut plain, self.sink)
    }

    /// Goes over the edges, which are checked even if nobody wants them. Returns what is wrong with them.
    fn edges(
        &mut self,
        blob: &Blob,
        document: &Document,
        nodes: &Nodes,
        labels: &mut EdgeLabels<'_>,
    ) -> Result<Option<heap_base::Error>> {
        let (wanted, texts) = (self.wants.any_edges(), self.wants.strings == Strings::All);
        let (sink, indexes) = (&mut *self.sink, &mut self.indexes);
        let mut batch: Vec<Edge<'_>> = Vec::with_capacity(BATCH);
        let edges = document.edges(blob, nodes, &mut |edge| {
            if !wanted {
                return Ok(());
            }
            let (subtype, label) = labels.of(edge);
            if subtype == ELEMENT && texts && indexes.insert((edge.data as u32).into()) {
                let mut digits = itoa::Buffer::new();
                let data = Data::Escaped(digits.format(edge.data));
                sink.string(&Str { id: index_string(edge.data as u32), data, ..Str::default() })?;
            }
            let (source, dest) = (index_id(edge.from.into()), Some(index_id(edge.to.into())));
            batch.push(Edge { subtype, source, dest, label, ..Edge::default() });
            if batch.len() == BATCH { deliver(&mut batch, sink) } else { Ok(()) }
        })?;
        deliver(&mut batch, sink)?;
        Ok(edges.damage)
    }

    /// The records `jsc.root`.
    fn roots(&mut self, reasons: &[Reason], labels: StringId) -> Result {
        let mut body = Members::new();
        for reason in reasons {
            body.clear();
            body.int("identifier", index_id(reason.id.into()));
            for (key, label) in [("reason", reason.reason), ("reach", reason.reach)] {
                if label > 0 {
                    body.int(key, labels + label as StringId);
                }
            }
            self.sink.extension(&Extension {
                kind: "jsc.root",
                body: body.as_bytes(),
                ..Extension::default()
            })?;
        }
        Ok(())
    }
}

/// What subtypes and labels of edges are made from.
struct EdgeLabels<'a> {
    /// Subtype of each type.
    kinds: &'a [u32],
    /// Number of the string of the first name, and of the first label.
    names: StringId,
    labels: StringId,
    /// By identifier.
    reasons: &'a [Reason],
}

impl EdgeLabels<'_> {
    /// Subtype and label of an edge.
    fn of(&self, edge: &document::Edge) -> (u32, Option<StringId>) {
        let subtype = self.kinds.get(edge.kind).copied().unwrap_or(CELLS);
        let label = match subtype {
            PROPERTY | VARIABLE => Some(self.names.saturating_add_unsigned(edge.data)),
            ELEMENT => Some(index_string(edge.data as u32)),
            CELLS if edge.from == 0 => {
                let at = self.reasons.binary_search_by_key(&edge.to, |reason| reason.id).ok();
                let reason = at.map(|at| self.reasons[at].reason).filter(|&reason| reason > 0);
                return reason.map_or((CELLS, None), |n| (ROOTS, Some(self.labels + n as StringId)));
            }
            _ => None,
        };
        (subtype, label)
    }
}

fn flush(plain: &mut Vec<PlainNode>, sink: &mut dyn Sink) -> Result {
    if !plain.is_empty() {
        sink.nodes(&NodeBatch::Plain { nodes: plain, own: b"" })?;
        plain.clear();
    }
    Ok(())
}

fn deliver(batch: &mut Vec<Edge<'_>>, sink: &mut dyn Sink) -> Result {
    if !batch.is_empty() {
        let edges = EdgeSlice::Records(batch);
        sink.edges(&EdgeBatch { ends: Ends::Identifiers, partner: None, edges })?;
        batch.clear();
    }
    Ok(())
}
