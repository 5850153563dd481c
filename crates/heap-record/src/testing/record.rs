//! Records that own what they hold, so that they can be kept and compared.

use std::borrow::Cow;

use crate::batch::{EdgeBatch, Ends, NodeBatch};
use crate::model::{
    Data, Declaration, Declared, Edge, Extension, FieldKind, Heap, Metadata, Node, Retains, Role, Str,
    StringId, Value,
};
use crate::sink::Sink;
use heap_base::Result;

/// Any record. The line that it was read from is not kept.
#[derive(Clone, Debug, PartialEq)]
pub enum Record {
    /// A metadata record: key and value.
    Metadata(String, String),
    /// A declaration.
    Declaration(DeclarationRecord),
    /// A string record.
    String(StringRecord),
    /// A node record.
    Node(NodeRecord),
    /// An edge record.
    Edge(EdgeRecord),
    /// An extension record.
    Extension(ExtensionRecord),
}

/// Declared fields.
pub(super) type FieldList = Vec<(Cow<'static, str>, FieldKind)>;

/// A declaration; see [`Declared`].
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the fields are those of `Declared`")]
pub enum DeclarationRecord {
    /// Of a record type.
    Record { name: String, fields: FieldList },
    /// Of a node subtype.
    Node { id: u32, name: String, table: Option<String>, fields: FieldList },
    /// Of an edge subtype.
    Edge { id: u32, name: String, retains: Retains, role: Option<Role>, rest: String },
}

/// A string record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StringRecord {
    /// Its number.
    pub id: StringId,
    /// The text, without escapes.
    pub data: String,
    /// Members after `data`.
    pub rest: String,
}

/// A node record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeRecord {
    /// Declared number of its subtype.
    pub subtype: u32,
    /// Its identifier.
    pub id: Value,
    /// Members of the subtype's own fields.
    pub own: String,
    /// The `heap` namespace; its `rest` is empty, see [`heap_rest`](Self::heap_rest).
    pub heap: Heap<'static>,
    /// Members of further fields in the `heap` namespace.
    pub heap_rest: String,
    /// Members after `heap`.
    pub rest: String,
}

/// An edge record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EdgeRecord {
    /// Declared number of its subtype.
    pub subtype: u32,
    /// The node it starts from.
    pub source: Value,
    /// Where it points.
    pub dest: Option<Value>,
    /// String id of its label.
    pub label: Option<StringId>,
    /// Members after `label`.
    pub rest: String,
    /// Whether its ends are identifiers or node indexes.
    pub ends: Ends,
    /// The node index that its member `heap.key` or `heap.table` names, of an edge by index.
    pub partner: Option<u32>,
}

/// An extension record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExtensionRecord {
    /// The record type.
    pub kind: String,
    /// Members after `type`.
    pub body: String,
}

/// Members as text; JSON is UTF-8.
fn text(members: &[u8]) -> String {
    String::from_utf8_lossy(members).into_owned()
}

fn owned(fields: &[(Cow<'_, str>, FieldKind)]) -> FieldList {
    fields.iter().map(|(name, kind)| (Cow::Owned(name.clone().into_owned()), *kind)).collect()
}

impl Record {
    /// Delivers the record to `sink`, a node or an edge as a batch of one.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn deliver(&self, sink: &mut dyn Sink) -> Result {
        match self {
            Self::Metadata(key, value) => sink.metadata(&Metadata { key, value, ..Metadata::default() }),
            Self::Declaration(declaration) => sink.declare(&declaration.declared().into()),
            Self::String(string) => sink.string(&string.string()),
            Self::Node(node) => sink.nodes(&NodeBatch::one(&node.node())),
            Self::Edge(edge) => {
                let record = edge.edge();
                sink.edges(&EdgeBatch { ends: edge.ends, partner: edge.partner, ..EdgeBatch::one(&record) })
            }
            Self::Extension(extension) => sink.extension(&extension.extension()),
        }
    }
}

impl DeclarationRecord {
    /// What the record declares.
    pub fn declared(&self) -> Declared<'_> {
        match self {
            Self::Record { name, fields } => Declared::Record { name, fields },
            Self::Node { id, name, table, fields } => {
                Declared::Node { id: *id, name, table: table.as_deref(), fields }
            }
            Self::Edge { id, name, retains, role, rest } => {
                Declared::Edge { id: *id, name, retains: *retains, role: *role, rest: rest.as_bytes() }
            }
        }
    }
}

impl From<&Declaration<'_>> for DeclarationRecord {
    fn from(declaration: &Declaration<'_>) -> Self {
        match declaration.what {
            Declared::Record { name, fields } => Self::Record { name: name.into(), fields: owned(fields) },
            Declared::Node { id, name, table, fields } => {
                let table = table.map(str::to_owned);
                Self::Node { id, name: name.into(), table, fields: owned(fields) }
            }
            Declared::Edge { id, name, retains, role, rest } => {
                Self::Edge { id, name: name.into(), retains, role, rest: text(rest) }
            }
        }
    }
}

impl StringRecord {
    /// The record as a sink receives it.
    pub fn string(&self) -> Str<'_> {
        Str { id: self.id, data: Data::Plain(&self.data), rest: self.rest.as_bytes(), ..Str::default() }
    }
}

impl From<&Str<'_>> for StringRecord {
    fn from(string: &Str<'_>) -> Self {
        Self { id: string.id, data: string.data.text().into_owned(), rest: text(string.rest) }
    }
}

impl NodeRecord {
    /// The record as a sink receives it.
    pub fn node(&self) -> Node<'_> {
        Node {
            subtype: self.subtype,
            id: self.id,
            own: self.own.as_bytes(),
            heap: Heap { rest: self.heap_rest.as_bytes(), ..self.heap },
            rest: self.rest.as_bytes(),
            ..Node::default()
        }
    }
}

impl From<&Node<'_>> for NodeRecord {
    fn from(node: &Node<'_>) -> Self {
        Self {
            subtype: node.subtype,
            id: node.id,
            own: text(node.own),
            heap: Heap { rest: b"", ..node.heap },
            heap_rest: text(node.heap.rest),
            rest: text(node.rest),
        }
    }
}

impl EdgeRecord {
    /// The record as a sink receives it.
    pub fn edge(&self) -> Edge<'_> {
        Edge {
            subtype: self.subtype,
            source: self.source,
            dest: self.dest,
            label: self.label,
            rest: self.rest.as_bytes(),
            ..Edge::default()
        }
    }
}

impl From<&Edge<'_>> for EdgeRecord {
    fn from(edge: &Edge<'_>) -> Self {
        let &Edge { subtype, source, dest, label, rest, .. } = edge;
        Self { subtype, source, dest, label, rest: text(rest), ends: Ends::Identifiers, partner: None }
    }
}

impl ExtensionRecord {
    /// The record as a sink receives it.
    pub fn extension(&self) -> Extension<'_> {
        Extension { kind: &self.kind, body: self.body.as_bytes(), ..Extension::default() }
    }
}

impl From<&Extension<'_>> for ExtensionRecord {
    fn from(extension: &Extension<'_>) -> Self {
        Self { kind: extension.kind.into(), body: text(extension.body) }
    }
}
