//! Declarations of node and edge subtypes. They are the same for all formats of Java heaps.

use std::borrow::Cow;

use heap_base::Result;
use heap_record::{Declared, FieldKind, Fields, Retains, Role, field as f};

use super::Out;
use crate::{Options, Refs};

/// Node subtypes, by the number that nodes say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum NodeType {
    Instance = 1,
    String,
    ObjectArray,
    PrimitiveArray,
    Class,
    Frame,
    Root,
}

/// Edge subtypes, by the number that edges say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum EdgeType {
    Field = 1,
    Element,
    Static,
    Class,
    Super,
    Loader,
    Signers,
    ProtectionDomain,
    Constant,
    Weak,
    Soft,
    Phantom,
    Final,
    Frame,
    Local,
    Root,
    Reference,
}

use FieldKind::{Boolean, Float, Integer, String, Text, Value};

const NODE: Fields<'static> = &[
    f("subtype", Integer),
    f("identifier", Value),
    f("heap.size", Integer),
    f("heap.class", String),
    f("heap.name", String),
    f("heap.external", Integer),
    f("java.length", Integer),
    f("java.used", Integer),
    f("java.super", Value),
    f("java.loader", Value),
    f("java.instance_size", Integer),
    f("java.hidden", Text),
    f("java.signature", String),
    f("java.frame", Integer),
    f("java.heap", String),
    f("java.destroyed", Boolean),
    f("java.thread_local", Value),
];

const FIELD: Fields<'static> =
    &[f("class", Value), f("label", String), f("kind", Integer), f("static", Boolean)];

/// Where the dump has stacks of allocations: what nodes have of them, and their own records.
const NODE_WITH_STACK: (Cow<'static, str>, FieldKind) = f("java.trace", Integer);
const STACKS: [(&str, Fields<'static>); 2] = [
    (
        "java.trace_function",
        &[f("name", String), f("script_name", String), f("line", Integer), f("signature", String)],
    ),
    ("java.trace_node", &[f("id", Integer), f("parent", Integer), f("function", Integer)]),
];

const EDGE: Fields<'static> =
    &[f("subtype", Integer), f("source", Value), f("dest", Value), f("label", String)];
/// Where primitive fields are edges: a number that is no end of an edge, and one that is no float.
const EDGE_WITH_VALUE: Fields<'static> = &[
    f("subtype", Integer),
    f("source", Value),
    f("dest", Value),
    f("label", String),
    f("heap.value", Float),
    f("java.long", Integer),
];

const NODES: [(NodeType, &str, Fields<'static>); 7] = [
    (NodeType::Instance, "java.instance", &[]),
    (NodeType::String, "string_flat", &[f("length", Integer), f("data", String)]),
    (NodeType::ObjectArray, "java.object_array", &[]),
    (NodeType::PrimitiveArray, "java.primitive_array", &[]),
    (NodeType::Class, "java.class", &[]),
    (
        NodeType::Frame,
        "heap.frame",
        &[f("function", String), f("script_name", String), f("line", Integer), f("java.native", Boolean)],
    ),
    (NodeType::Root, "heap.root", &[]),
];

const EDGES: [(EdgeType, &str, Role); 17] = [
    (EdgeType::Field, "object property", Role::Member),
    (EdgeType::Element, "array element", Role::Element),
    (EdgeType::Static, "java.static", Role::Static),
    (EdgeType::Class, "java.class", Role::Inner),
    (EdgeType::Super, "java.super", Role::Inner),
    (EdgeType::Loader, "java.loader", Role::Inner),
    (EdgeType::Signers, "java.signers", Role::Inner),
    (EdgeType::ProtectionDomain, "java.protection_domain", Role::Inner),
    (EdgeType::Constant, "java.constant", Role::Inner),
    (EdgeType::Weak, "java.weak", Role::Member),
    (EdgeType::Soft, "java.soft", Role::Member),
    (EdgeType::Phantom, "java.phantom", Role::Member),
    (EdgeType::Final, "java.final", Role::Member),
    (EdgeType::Frame, "heap.frame", Role::Inner),
    (EdgeType::Local, "heap.local", Role::Variable),
    (EdgeType::Root, "java.root", Role::Inner),
    (EdgeType::Reference, "java.reference", Role::Member),
];

impl EdgeType {
    fn retains(self, refs: Refs) -> Retains {
        match self {
            Self::Weak | Self::Phantom if refs != Refs::All => Retains::No,
            Self::Soft | Self::Final if refs == Refs::Hard => Retains::No,
            Self::Weak | Self::Phantom | Self::Soft | Self::Final => Retains::Weak,
            _ => Retains::Yes,
        }
    }
}

impl Out<'_> {
    /// Delivers all declarations; those of stacks if there are some.
    pub(crate) fn declare(&mut self, options: Options, stacks: bool) -> Result {
        let edge = if options.values { EDGE_WITH_VALUE } else { EDGE };
        let mut node = NODE.to_vec();
        node.extend(stacks.then_some(NODE_WITH_STACK));
        let records = [("node", &*node), ("edge", edge), ("java.field", FIELD)];
        for (name, fields) in records.into_iter().chain(STACKS.into_iter().filter(|_| stacks)) {
            self.sink.declare(&Declared::Record { name, fields }.into())?;
        }
        for (id, name, fields) in NODES {
            let table = (!fields.is_empty() && !name.contains('.')).then_some(name);
            self.sink.declare(&Declared::Node { id: id as u32, name, table, fields }.into())?;
        }
        for (id, name, role) in EDGES {
            let retains = id.retains(options.refs);
            self.sink.declare(
                &Declared::Edge { id: id as u32, name, retains, role: Some(role), rest: &[] }.into(),
            )?;
        }
        Ok(())
    }
}
