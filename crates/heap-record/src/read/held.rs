//! Lines that came before the declarations or strings they need, held back until the snapshot ends.

use heap_base::json::{each, inside, scalar};
use heap_base::{NumberSet, Result, Spool, push_varint};

use super::INTERNED;
use crate::model::{Edge, Extension, FieldKind, Node, StringId};
use crate::types::Types;
use crate::wants::{Wants, has_numbers_alone};

/// Lines with their numbers. Memory: 1 MiB; what comes beyond goes to a temporary file.
#[derive(Debug, Default)]
pub(super) struct Held {
    spool: Spool,
    lines: u64,
}

impl Held {
    /// True if there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.lines == 0
    }

    /// Holds a line back.
    pub(super) fn push(&mut self, line: &[u8], number: u64) -> Result {
        self.lines += 1;
        self.spool.build(|buf| {
            push_varint(buf, number);
            push_varint(buf, line.len() as u64);
            buf.extend_from_slice(line);
        })
    }

    /// Hands each line out with its number, in the order in which they came.
    pub(super) fn each<E: From<heap_base::Error>>(
        self,
        mut found: impl FnMut(&[u8], u64) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let mut reader = self.spool.reader();
        while !reader.at_end() {
            let number = reader.varint()?;
            let length = reader.varint()? as usize;
            found(reader.bytes(length)?, number)?;
        }
        Ok(())
    }
}

/// The strings that have come.
#[derive(Debug, Default)]
struct Seen(NumberSet);

impl Seen {
    /// Whether a string is known: that of an index needs no record, and one in place of a number has come with it.
    #[inline]
    fn has(&self, id: StringId) -> bool {
        !(0..INTERNED).contains(&id) || self.0.contains(id)
    }

    /// Whether all strings have come that the fields of a record refer to.
    fn has_all(&self, members: &[u8], kind: impl Fn(&str) -> Option<FieldKind>) -> bool {
        let lacks = |raw: &[u8]| scalar(raw).and_then(|value| value.as_int()).is_some_and(|id| !self.has(id));
        let is_string = |name: &str| kind(name) == Some(FieldKind::String);
        members.is_empty()
            || each(members).all(|(name, raw)| match inside(raw) {
                None => !(lacks(raw) && is_string(name)),
                // The full name is made only for a number that is no known string's.
                Some(inner) => {
                    each(inner).all(|(field, raw)| !(lacks(raw) && is_string(&format!("{name}.{field}"))))
                }
            })
    }
}

/// Which records have all that they need: the declaration of their subtype or type, where they have fields that any record
/// of their kind may have, that of the kind; and where the sink asks for it the strings that they refer to.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is about another kind of record")]
pub(super) struct Declared {
    /// Which kinds of records are held back until they are declared.
    nodes: bool,
    edges: bool,
    extensions: bool,
    /// The subtypes below 64 that are declared, by bit.
    node_types: u64,
    edge_types: u64,
    /// Whether the fields common to all nodes and edges are declared.
    node_fields: bool,
    edge_fields: bool,
    /// Whether a subtype is one of arrays of numbers.
    pub(super) arrays: bool,
    /// The strings, if records wait for them.
    seen: Option<Box<Seen>>,
}

impl Declared {
    /// Nothing is declared yet. What the sink does not want needs no declaration.
    pub(super) fn new(wants: Wants) -> Self {
        let all = !wants.any_order;
        Self {
            nodes: all && wants.any_nodes(),
            edges: all && wants.edges_with(true),
            // Also those that nobody asked for: a sum takes cells.
            extensions: all,
            seen: wants.after_strings.then(Box::default),
            ..Self::default()
        }
    }

    /// A new stream begins.
    pub(super) fn clear(&mut self) {
        let Self { nodes, edges, extensions, .. } = *self;
        let seen = self.seen.is_some().then(Box::default);
        *self = Self { nodes, edges, extensions, seen, ..Self::default() };
    }

    /// Takes note of a declaration.
    pub(super) fn declare(&mut self, what: &crate::model::Declared<'_>) {
        use crate::model::Declared;
        let bit = |id: u32| if id < 64 { 1u64 << id } else { 0 };
        match *what {
            Declared::Record { name: "node", .. } => self.node_fields = true,
            Declared::Record { name: "edge", .. } => self.edge_fields = true,
            Declared::Record { .. } => {}
            Declared::Node { id, name, .. } => {
                self.node_types |= bit(id);
                self.arrays |= has_numbers_alone(name);
            }
            Declared::Edge { id, .. } => self.edge_types |= bit(id),
        }
    }

    /// Takes note of a string.
    #[inline]
    pub(super) fn string(&mut self, id: StringId) {
        if let Some(seen) = &mut self.seen {
            seen.0.insert(id);
        }
    }

    /// Whether the strings of a node have come, or need not.
    #[inline]
    pub(super) fn node_strings(&self, node: &Node<'_>, types: &Types) -> bool {
        self.seen.as_ref().is_none_or(|seen| {
            let kind = |name: &str| types.node_field(node.subtype, name);
            node.heap.class.is_none_or(|id| seen.has(id))
                && node.heap.name.is_none_or(|id| seen.has(id))
                && seen.has_all(node.own, kind)
                && seen.has_all(node.rest, kind)
        })
    }

    /// The same of an edge.
    #[inline]
    pub(super) fn edge_strings(&self, edge: &Edge<'_>, types: &Types) -> bool {
        self.seen.as_ref().is_none_or(|seen| {
            edge.label.is_none_or(|id| seen.has(id))
                && seen.has_all(edge.rest, |name| types.record_field("edge", name))
        })
    }

    /// The same of an extension record.
    #[inline]
    pub(super) fn extension_strings(&self, record: &Extension<'_>, types: &Types) -> bool {
        let kind = |name: &str| types.record_field(record.kind, name);
        self.seen.as_ref().is_none_or(|seen| seen.has_all(record.body, kind))
    }

    /// Whether nodes of this subtype may pass, as far as it goes.
    #[inline]
    pub(super) fn node_type(&self, subtype: u32, types: &Types) -> bool {
        !self.nodes
            || if subtype < 64 { self.node_types >> subtype & 1 == 1 } else { types.node(subtype).is_some() }
    }

    /// Whether a node may pass.
    #[inline]
    pub(super) fn node(&self, node: &Node<'_>, types: &Types) -> bool {
        self.node_type(node.subtype, types)
            && (self.node_fields || !self.nodes || node.rest.is_empty() && node.heap.rest.is_empty())
    }

    /// Whether an edge may pass.
    #[inline]
    pub(super) fn edge(&self, edge: &Edge<'_>, types: &Types) -> bool {
        let subtype = edge.subtype;
        let typed = !self.edges
            || if subtype < 64 { self.edge_types >> subtype & 1 == 1 } else { types.edge(subtype).is_some() };
        typed && (edge.rest.is_empty() || self.edge_fields || !self.edges || is_known(edge.rest))
    }

    /// Whether an extension record of this type may pass.
    pub(super) fn extension(&self, kind: &str, types: &Types) -> bool {
        !self.extensions || types.record(kind).is_some()
    }

    /// Whether nodes, and edges, wait for the declaration of a name.
    pub(super) fn waits(&self) -> (bool, bool) {
        (self.nodes, self.edges)
    }
}

/// Members of edges that this format defines need no declaration.
fn is_known(rest: &[u8]) -> bool {
    rest.starts_with(b"\"heap\":{")
}
