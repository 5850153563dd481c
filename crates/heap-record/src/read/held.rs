//! Lines that came before the declarations they need, held back until the snapshot ends.

use heap_base::{Result, Spool, push_varint};

use crate::model::{Edge, Node};
use crate::types::Types;
use crate::wants::Wants;

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

/// Which records have all the declarations that they need: that of their subtype or type, and where they have fields
/// that any record of their kind may have, that of the kind.
#[derive(Clone, Copy, Debug, Default)]
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
}

impl Declared {
    /// Nothing is declared yet. What the sink does not want needs no declaration.
    pub(super) fn new(wants: Wants) -> Self {
        let all = !wants.any_order;
        Self {
            nodes: all && wants.any_nodes(),
            edges: all && wants.any_edges(),
            extensions: all && wants.extensions,
            ..Self::default()
        }
    }

    /// A new stream begins.
    pub(super) fn clear(&mut self) {
        let Self { nodes, edges, extensions, .. } = *self;
        *self = Self { nodes, edges, extensions, ..Self::default() };
    }

    /// Takes note of a declaration.
    pub(super) fn declare(&mut self, what: &crate::model::Declared<'_>) {
        use crate::model::Declared;
        let bit = |id: u32| if id < 64 { 1u64 << id } else { 0 };
        match *what {
            Declared::Record { name: "node", .. } => self.node_fields = true,
            Declared::Record { name: "edge", .. } => self.edge_fields = true,
            Declared::Record { .. } => {}
            Declared::Node { id, .. } => self.node_types |= bit(id),
            Declared::Edge { id, .. } => self.edge_types |= bit(id),
        }
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
