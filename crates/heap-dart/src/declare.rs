//! What a stream from a Dart snapshot begins with: metadata and declarations.

use heap_base::Result;
use heap_record::{Declared, FieldKind, Fields, IdRule, Retains, Role, Sink, field as f, head, index_id};

use crate::header::Header;

/// Node subtypes, by the number that nodes say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum NodeType {
    /// `_List`, `_ImmutableList`, `_GrowableList`.
    Array = 1,
    /// Everything else.
    Object,
    /// A string.
    String,
    /// Machine code.
    Code,
    /// `_Closure`.
    Closure,
    /// `Function` of the VM.
    Function,
    /// A double or an integer.
    Number,
    /// `null`, `true`, `false`.
    Oddball,
    /// Object 1.
    Root,
    /// An isolate: its references are the static fields and the stack.
    Isolate,
    /// What refers to the objects of an image.
    ReadOnlyPages,
}

/// Edge subtypes, by the number that edges say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum EdgeType {
    /// A named slot.
    Field = 1,
    /// An element of a list, context, record, …
    Element,
    /// A slot without a name.
    Reference,
    /// A slot that keeps nothing alive.
    Weak,
    /// The value of an ephemeron.
    Ephemeron,
}

use FieldKind::{Boolean, Float, Integer, String, Text, Value};

const RECORDS: [(&str, Fields<'static>); 6] = [
    (
        "node",
        &[
            f("subtype", Integer),
            f("identifier", Value),
            f("heap.size", Integer),
            f("heap.class", String),
            f("heap.name", String),
            f("heap.external", Integer),
            f("dart.class", Integer),
            f("dart.tag", Integer),
            f("dart.length", Integer),
            f("dart.kept", Integer),
            f("dart.int", Integer),
            f("dart.bits", Integer),
            f("dart.hash", Integer),
        ],
    ),
    (
        "edge",
        &[
            f("subtype", Integer),
            f("source", Value),
            f("dest", Value),
            f("label", String),
            f("heap.key", Value),
            f("dart.unboxed", Boolean),
            f("dart.reference", Integer),
        ],
    ),
    (
        "dart.class",
        &[
            f("id", Integer),
            f("name", String),
            f("library", String),
            f("uri", String),
            f("flags", Integer),
            f("reserved", String),
        ],
    ),
    (
        "dart.class_field",
        &[
            f("class", Integer),
            f("index", Integer),
            f("name", String),
            f("flags", Integer),
            f("reserved", String),
        ],
    ),
    ("dart.external", &[f("object", Value), f("size", Integer), f("name", String)]),
    (
        "dart.layout",
        &[
            f("dialect", Text),
            f("word_bits", Integer),
            f("smis", Boolean),
            f("hashes", Boolean),
            f("padding", Integer),
            f("trailing", Integer),
        ],
    ),
];

const NODES: [(NodeType, &str, Fields<'static>); 11] = [
    (NodeType::Array, "array", &[f("length", Integer)]),
    (NodeType::Object, "object", &[]),
    (NodeType::String, "string_flat", &[f("length", Integer), f("data", String)]),
    (NodeType::Code, "code", &[]),
    (NodeType::Closure, "closure", &[f("metadata", Value)]),
    (NodeType::Function, "function_metadata", &[f("name", String)]),
    (NodeType::Number, "heap_number", &[f("value", Float)]),
    (NodeType::Oddball, "oddball", &[f("name", String)]),
    (NodeType::Root, "heap.root", &[]),
    (NodeType::Isolate, "dart.isolate", &[]),
    (NodeType::ReadOnlyPages, "dart.read_only_pages", &[]),
];

const EDGES: [(EdgeType, &str, Retains, Role); 5] = [
    (EdgeType::Field, "dart.field", Retains::Yes, Role::Member),
    (EdgeType::Element, "dart.element", Retains::Yes, Role::Element),
    (EdgeType::Reference, "dart.reference", Retains::Yes, Role::Member),
    (EdgeType::Weak, "dart.weak", Retains::No, Role::Member),
    // Its target lives as long as the key beside it, `heap.key`.
    (EdgeType::Ephemeron, "dart.ephemeron", Retains::No, Role::Inner),
];

/// Emits the metadata.
pub(crate) fn metadata(header: &Header, messages: usize, sink: &mut dyn Sink) -> Result {
    head::begin(sink, crate::FORMAT, IdRule::Index)?;
    let mut emit = |key: &str, value: &str| head::metadata(sink, key, value);
    // Two libraries may have classes of one name; a class keeps its id while the process lives.
    emit("heap.identity", "dart.hash dart.class")?;
    emit("heap.string_limit", "128")?;
    if header.root_class.is_some() {
        emit("heap.root", &index_id(1).to_string())?;
    }
    emit("dart.name", &header.name)?;
    emit("dart.flags", &header.flags.to_string())?;
    emit("dart.shallow_size", &header.shallow_size.to_string())?;
    emit("dart.capacity", &header.capacity.to_string())?;
    emit("dart.external_size", &header.external_size.to_string())?;
    emit("dart.class_count", &header.class_count.to_string())?;
    if let Some((references, objects)) = header.counts {
        emit("dart.reference_count", &references.to_string())?;
        emit("dart.object_count", &objects.to_string())?;
    }
    if messages > 0 {
        emit("dart.messages", &messages.to_string())?;
    }
    Ok(())
}

/// Emits the declarations.
pub(crate) fn declarations(sink: &mut dyn Sink) -> Result {
    for (name, fields) in RECORDS {
        sink.declare(&Declared::Record { name, fields }.into())?;
    }
    for (id, name, fields) in NODES {
        let own = !fields.is_empty() || id == NodeType::Object;
        sink.declare(&Declared::Node { id: id as u32, name, table: own.then_some(name), fields }.into())?;
    }
    for (id, name, retains, role) in EDGES {
        sink.declare(&Declared::Edge { id: id as u32, name, retains, role: Some(role), rest: &[] }.into())?;
    }
    Ok(())
}
