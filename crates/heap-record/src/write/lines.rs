//! One record as one line: the obvious twin of the paths that write many lines of the usual shape.

use std::convert::Infallible;

use crate::model::{
    Data, Declaration, Declared, Edge, Extension, FieldKind, Fields, Heap, Node, Retains, Role, Str, StringId,
};
use heap_base::json::{escape, push_int, push_text, push_uint};

#[inline]
fn push_rest(buf: &mut Vec<u8>, members: &[u8]) {
    if !members.is_empty() {
        buf.push(b',');
        buf.extend_from_slice(members);
    }
}

/// Appends a metadata record without LF.
pub fn metadata_line(buf: &mut Vec<u8>, key: &str, value: &str) {
    buf.extend_from_slice(b"{\"type\":\"metadata\",\"key\":");
    push_text(buf, key);
    buf.extend_from_slice(b",\"value\":");
    push_text(buf, value);
    buf.push(b'}');
}

/// Appends a string record without LF.
#[inline]
pub fn string_line(buf: &mut Vec<u8>, string: &Str<'_>) {
    buf.extend_from_slice(b"{\"type\":\"string\",\"stringid\":");
    push_int(buf, string.id);
    buf.extend_from_slice(b",\"data\":\"");
    match string.data {
        Data::Plain(text) => escape(buf, text),
        Data::Escaped(text) => buf.extend_from_slice(text.as_bytes()),
    }
    buf.push(b'"');
    push_rest(buf, string.rest);
    buf.push(b'}');
}

/// Appends a node record without LF.
#[inline]
pub fn node_line(buf: &mut Vec<u8>, node: &Node<'_>) {
    let Ok(()) = node_spelled(buf, node, &Numbers);
}

/// How what records refer to by number is spelled. Each method appends one JSON value, or members.
pub trait Spelling {
    /// Why spelling can fail.
    type Error;
    /// A node subtype.
    ///
    /// # Errors
    /// What the implementation says.
    fn node_type(&self, buf: &mut Vec<u8>, id: u32) -> Result<(), Self::Error>;
    /// An edge subtype.
    ///
    /// # Errors
    /// What the implementation says.
    fn edge_type(&self, buf: &mut Vec<u8>, id: u32) -> Result<(), Self::Error>;
    /// A string.
    ///
    /// # Errors
    /// What the implementation says.
    fn string(&self, buf: &mut Vec<u8>, id: StringId) -> Result<(), Self::Error>;
    /// Members of a node of subtype `node`, or of an edge if `None`.
    ///
    /// # Errors
    /// What the implementation says.
    fn members(&self, buf: &mut Vec<u8>, node: Option<u32>, members: &[u8]) -> Result<(), Self::Error>;
}

/// The stream's own spelling: numbers, as they are.
#[derive(Clone, Copy, Debug)]
pub struct Numbers;

impl Spelling for Numbers {
    type Error = Infallible;

    #[inline]
    fn node_type(&self, buf: &mut Vec<u8>, id: u32) -> Result<(), Infallible> {
        push_uint(buf, id.into());
        Ok(())
    }

    #[inline]
    fn edge_type(&self, buf: &mut Vec<u8>, id: u32) -> Result<(), Infallible> {
        push_uint(buf, id.into());
        Ok(())
    }

    #[inline]
    fn string(&self, buf: &mut Vec<u8>, id: StringId) -> Result<(), Infallible> {
        push_int(buf, id);
        Ok(())
    }

    #[inline]
    fn members(&self, buf: &mut Vec<u8>, _: Option<u32>, members: &[u8]) -> Result<(), Infallible> {
        buf.extend_from_slice(members);
        Ok(())
    }
}

/// Appends a node record without LF, spelled in a way of choice.
///
/// # Errors
/// Those of `spelling`.
#[inline]
pub fn node_spelled<S: Spelling>(buf: &mut Vec<u8>, node: &Node<'_>, spelling: &S) -> Result<(), S::Error> {
    buf.extend_from_slice(b"{\"type\":\"node\",\"subtype\":");
    spelling.node_type(buf, node.subtype)?;
    buf.extend_from_slice(b",\"identifier\":");
    push_int(buf, node.id);
    if !node.own.is_empty() {
        buf.push(b',');
        spelling.members(buf, Some(node.subtype), node.own)?;
    }
    heap_members(buf, &node.heap, spelling)?;
    if !node.rest.is_empty() {
        buf.push(b',');
        spelling.members(buf, Some(node.subtype), node.rest)?;
    }
    buf.push(b'}');
    Ok(())
}

/// Appends an edge record without LF, spelled in a way of choice.
///
/// # Errors
/// Those of `spelling`.
pub fn edge_spelled<S: Spelling>(buf: &mut Vec<u8>, edge: &Edge<'_>, spelling: &S) -> Result<(), S::Error> {
    buf.extend_from_slice(b"{\"type\":\"edge\",\"subtype\":");
    spelling.edge_type(buf, edge.subtype)?;
    buf.extend_from_slice(b",\"source\":");
    push_int(buf, edge.source);
    if let Some(dest) = edge.dest {
        buf.extend_from_slice(b",\"dest\":");
        push_int(buf, dest);
    }
    if let Some(label) = edge.label {
        buf.extend_from_slice(b",\"label\":");
        spelling.string(buf, label)?;
    }
    if !edge.rest.is_empty() {
        buf.push(b',');
        spelling.members(buf, None, edge.rest)?;
    }
    buf.push(b'}');
    Ok(())
}

/// Appends `,"heap":{…}`, or nothing if all is unknown.
#[inline]
fn heap_members<S: Spelling>(buf: &mut Vec<u8>, heap: &Heap<'_>, spelling: &S) -> Result<(), S::Error> {
    let mut before: &[u8] = b",\"heap\":{";
    let mut key = |buf: &mut Vec<u8>, name: &[u8]| {
        buf.extend_from_slice(before);
        before = b",";
        buf.extend_from_slice(name);
    };
    if let Some(n) = heap.size {
        key(buf, b"\"size\":");
        push_uint(buf, n);
    }
    if let Some(n) = heap.class {
        key(buf, b"\"class\":");
        spelling.string(buf, n)?;
    }
    if let Some(n) = heap.name {
        key(buf, b"\"name\":");
        spelling.string(buf, n)?;
    }
    if let Some(n) = heap.external {
        key(buf, b"\"external\":");
        push_uint(buf, n);
    }
    if let Some(n) = heap.count {
        key(buf, b"\"count\":");
        push_uint(buf, n);
    }
    if let Some(n) = heap.retained {
        key(buf, b"\"retained\":");
        push_uint(buf, n);
    }
    if let Some(n) = heap.retained_from {
        key(buf, b"\"retained_from\":");
        push_uint(buf, n);
    }
    if let Some(n) = heap.idom {
        key(buf, b"\"idom\":");
        push_int(buf, n);
    }
    if let Some(n) = heap.distance {
        key(buf, b"\"distance\":");
        push_int(buf, n);
    }
    if let Some(b) = heap.reachable {
        key(buf, b"\"reachable\":");
        buf.extend_from_slice(if b { b"true" } else { b"false" });
    }
    if !heap.rest.is_empty() {
        key(buf, b"");
        buf.extend_from_slice(heap.rest);
    }
    if before == b"," {
        buf.push(b'}');
    }
    Ok(())
}

/// Appends an edge record without LF.
pub fn edge_line(buf: &mut Vec<u8>, edge: &Edge<'_>) {
    let Ok(()) = edge_spelled(buf, edge, &Numbers);
}

/// Appends an extension record without LF.
pub fn extension_line(buf: &mut Vec<u8>, other: &Extension<'_>) {
    buf.extend_from_slice(b"{\"type\":");
    push_text(buf, other.kind);
    push_rest(buf, other.body);
    buf.push(b'}');
}

/// Appends a declaration without LF.
pub fn declaration_line(buf: &mut Vec<u8>, declaration: &Declaration<'_>) {
    match declaration.what {
        Declared::Record { name, fields } => {
            buf.extend_from_slice(b"{\"type\":\"type\",\"name\":");
            push_text(buf, name);
            push_fields(buf, fields);
        }
        Declared::Node { id, name, table, fields } => {
            buf.extend_from_slice(b"{\"type\":\"node_type\",\"nodetypeid\":");
            push_uint(buf, id.into());
            buf.extend_from_slice(b",\"name\":");
            push_text(buf, name);
            if let Some(table) = table {
                buf.extend_from_slice(b",\"table_name\":");
                push_text(buf, table);
            }
            if !fields.is_empty() {
                push_fields(buf, fields);
            }
        }
        Declared::Edge { id, name, retains, role, rest } => {
            buf.extend_from_slice(b"{\"type\":\"edge_type\",\"edgetypeid\":");
            push_uint(buf, id.into());
            buf.extend_from_slice(b",\"name\":");
            push_text(buf, name);
            push_edge_heap(buf, retains, role);
            push_rest(buf, rest);
        }
    }
    buf.push(b'}');
}

/// Appends the `heap` namespace of an edge subtype, if there is anything to say in it.
fn push_edge_heap(buf: &mut Vec<u8>, retains: Retains, role: Option<Role>) {
    let retains = (retains != Retains::Yes).then(|| retains.name());
    let mut open: &[u8] = b",\"heap\":{";
    for (key, value) in [("retains", retains), ("role", role.map(Role::name))] {
        if let Some(value) = value {
            buf.extend_from_slice(open);
            push_text(buf, key);
            buf.push(b':');
            push_text(buf, value);
            open = b",";
        }
    }
    if open.len() == 1 {
        buf.push(b'}');
    }
}

fn push_fields(buf: &mut Vec<u8>, fields: Fields<'_>) {
    buf.extend_from_slice(b",\"fields\":{");
    for (i, (name, kind)) in fields.iter().enumerate() {
        if i > 0 {
            buf.push(b',');
        }
        push_text(buf, name);
        buf.push(b':');
        push_text(buf, FieldKind::name(*kind));
    }
    buf.push(b'}');
}
