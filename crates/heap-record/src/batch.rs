//! Batches: the only unit in which nodes and edges are delivered. One record is a batch of one.

use heap_base::Result;

use crate::model::{Edge, Heap, Node, StringId, Value};

/// A node that has a size and a class or a name, perhaps fields of its own, and nothing further.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlainNode {
    /// Number of its declaration.
    pub subtype: u32,
    /// Length in bytes of its own members.
    pub own: usize,
    /// Its identifier.
    pub id: Value,
    /// Shallow size in bytes.
    pub size: u64,
    /// Whether `string` is its class; else it is its name.
    pub class: bool,
    /// Whether its name is its text too, which `own` does not have then; only for sinks that ask for
    /// [`Nodes::Clues`](crate::wants::Nodes::Clues).
    pub text: bool,
    /// Its class or its name.
    pub string: StringId,
}

impl PlainNode {
    /// The node, with its own members.
    #[inline]
    pub fn with<'a>(&self, own: &'a [u8]) -> Node<'a> {
        let (class, name) = if self.class { (Some(self.string), None) } else { (None, Some(self.string)) };
        let heap = Heap { size: Some(self.size), class, name, ..Heap::default() };
        Node { subtype: self.subtype, id: self.id, own, heap, ..Node::default() }
    }
}

/// Nodes in the order of the stream.
#[derive(Clone, Copy, Debug)]
pub enum NodeBatch<'a> {
    /// Nodes of any kind.
    Records(&'a [Node<'a>]),
    /// Plain nodes.
    Plain {
        /// The nodes.
        nodes: &'a [PlainNode],
        /// Their own members, one after another; [`PlainNode::own`] says how long each is.
        own: &'a [u8],
    },
}

impl<'a> NodeBatch<'a> {
    /// A batch of one.
    #[inline]
    pub fn one(node: &'a Node<'a>) -> Self {
        Self::Records(std::slice::from_ref(node))
    }

    /// Number of nodes.
    #[inline]
    pub fn len(&self) -> usize {
        match self {
            Self::Records(nodes) => nodes.len(),
            Self::Plain { nodes, .. } => nodes.len(),
        }
    }

    /// Whether it has no node.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The nodes, one after another.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Node<'a>> {
        let (records, plain, mut own): (&[Node<'a>], &[PlainNode], &'a [u8]) = match *self {
            Self::Records(nodes) => (nodes, &[], b""),
            Self::Plain { nodes, own } => (&[], nodes, own),
        };
        let plain = plain.iter().map(move |node| {
            let (first, rest) = own.split_at_checked(node.own).unwrap_or((own, b""));
            own = rest;
            node.with(first)
        });
        records.iter().copied().chain(plain)
    }

    /// Calls `each` with one node after another, without copying records; stops at the first error.
    ///
    /// # Errors
    /// That of `each`.
    #[inline]
    pub fn try_for_each(&self, mut each: impl FnMut(&Node<'a>) -> Result) -> Result {
        match *self {
            Self::Records(nodes) => nodes.iter().try_for_each(each),
            Self::Plain { nodes, mut own } => nodes.iter().try_for_each(|node| {
                let (first, rest) = own.split_at_checked(node.own).unwrap_or((own, b""));
                own = rest;
                each(&node.with(first))
            }),
        }
    }
}

/// An edge that has a destination and a label, and nothing further.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlainEdge {
    /// Number of its declaration.
    pub subtype: u32,
    /// The node it leads to; a small integer is no destination of a plain edge by index.
    pub dest: Value,
    /// The string that names it.
    pub label: StringId,
}

/// How the edges of a batch name their nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ends {
    /// By identifier; an even destination is a small integer.
    #[default]
    Identifiers,
    /// By index: how many nodes of the snapshot were delivered before that node. Only for sinks that want edges
    /// [by index](crate::wants::Edges::ByIndex); then no two nodes have the same identifier.
    Indexes,
}

/// Edges in the order of the stream.
#[derive(Clone, Copy, Debug)]
pub struct EdgeBatch<'a> {
    /// How they name their nodes.
    pub ends: Ends,
    /// Of one edge by index: the node that its member `heap.key` or `heap.table` names.
    pub partner: Option<u32>,
    /// The edges.
    pub edges: EdgeSlice<'a>,
}

/// The edges of a batch.
#[derive(Clone, Copy, Debug)]
pub enum EdgeSlice<'a> {
    /// Edges of any kind.
    Records(&'a [Edge<'a>]),
    /// Plain edges from one node.
    Plain {
        /// That node.
        source: Value,
        /// The edges.
        edges: &'a [PlainEdge],
    },
}

impl<'a> EdgeBatch<'a> {
    /// A batch of one edge between identifiers.
    #[inline]
    pub fn one(edge: &'a Edge<'a>) -> Self {
        Self { ends: Ends::Identifiers, partner: None, edges: EdgeSlice::Records(std::slice::from_ref(edge)) }
    }

    /// A batch of one edge between node indexes; `partner` is the node that its `heap.key` or `heap.table` names.
    #[inline]
    pub fn one_by_index(edge: &'a Edge<'a>, partner: Option<u32>) -> Self {
        Self { ends: Ends::Indexes, partner, ..Self::one(edge) }
    }

    /// Plain edges from `source`.
    #[inline]
    pub fn plain(ends: Ends, source: Value, edges: &'a [PlainEdge]) -> Self {
        Self { ends, partner: None, edges: EdgeSlice::Plain { source, edges } }
    }

    /// Number of edges.
    #[inline]
    pub fn len(&self) -> usize {
        match self.edges {
            EdgeSlice::Records(edges) => edges.len(),
            EdgeSlice::Plain { edges, .. } => edges.len(),
        }
    }

    /// Whether it has no edge.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The edges, one after another.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Edge<'a>> {
        let (records, source, plain): (&[Edge<'a>], _, &[PlainEdge]) = match self.edges {
            EdgeSlice::Records(edges) => (edges, 0, &[]),
            EdgeSlice::Plain { source, edges } => (&[], source, edges),
        };
        records.iter().copied().chain(plain.iter().map(move |edge| from_plain(source, edge)))
    }

    /// Calls `each` with one edge after another, without copying records; stops at the first error.
    ///
    /// # Errors
    /// That of `each`.
    #[inline]
    pub fn try_for_each(&self, mut each: impl FnMut(&Edge<'a>) -> Result) -> Result {
        match self.edges {
            EdgeSlice::Records(edges) => edges.iter().try_for_each(each),
            EdgeSlice::Plain { source, edges } => {
                edges.iter().try_for_each(|edge| each(&from_plain(source, edge)))
            }
        }
    }
}

#[inline]
fn from_plain<'a>(source: Value, &PlainEdge { subtype, dest, label }: &PlainEdge) -> Edge<'a> {
    Edge { subtype, source, dest: Some(dest), label: Some(label), ..Edge::default() }
}
