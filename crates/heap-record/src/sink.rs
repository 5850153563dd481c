//! Where records go: one trait that writers, reports and transforms implement, and every source drives.

use crate::model::{Declaration, Edge, Ends, Line, Metadata, Node, Other, PlainEdge, PlainNode, Str, Value};
use crate::{Error, Result};

/// What a sink listens to. A source may leave out the rest, and the work that goes into it;
/// it may also deliver it all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "these are independent wishes, not a state")]
pub struct Wants {
    /// String records.
    pub strings: bool,
    /// Node records: subtype, identifier, `heap.size`, `heap.class`, `heap.name`, `heap.external`, `heap.count`.
    pub nodes: bool,
    /// Everything else in a node: the subtype's own fields and the namespaces after `heap`. The source's own number
    /// (`v8.id`) is told in any case, where the identifier is not made from it.
    pub details: bool,
    /// Edge records.
    pub edges: bool,
    /// Extension records.
    pub others: bool,
    /// String records of array indexes, which labels refer to: without them the text of a number below zero is known
    /// all the same ([`index_string`](crate::index_string)), and a source need not look for those that occur.
    pub indexes: bool,
    /// Of the string records only those that are classes; names of nodes, texts and labels may be left out.
    pub only_classes: bool,
}

impl Wants {
    /// Everything.
    pub const ALL: Self = Self {
        strings: true,
        nodes: true,
        details: true,
        edges: true,
        others: true,
        indexes: true,
        only_classes: false,
    };
    /// Metadata and declarations only.
    pub const HEAD: Self = Self {
        strings: false,
        nodes: false,
        details: false,
        edges: false,
        others: false,
        indexes: false,
        only_classes: false,
    };
    /// Nodes with their classes and sizes, and the strings.
    pub const NODES: Self = Self { strings: true, nodes: true, ..Self::HEAD };
}

/// Which edges of a node a sink passes over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Over {
    /// None.
    #[default]
    Nothing,
    /// Those to some nodes; see [`Sink::passes_over_to`].
    Some,
    /// All.
    All,
}

/// Which nodes may come added up into one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Folds {
    /// None.
    #[default]
    No,
    /// Those of one subtype, class and name.
    Names,
    /// Those of one subtype and class, without their names.
    Classes,
}

/// Tells nodes of a run one by one: what [`Sink::nodes`] does, where a sink has no way of its own.
#[inline]
pub fn each_node(nodes: &[PlainNode], mut own: &[u8], mut each: impl FnMut(&Node<'_>) -> Result) -> Result {
    nodes.iter().try_for_each(|node| {
        let (first, rest) = own.split_at_checked(node.own).unwrap_or((own, b""));
        own = rest;
        each(&node.whole(first))
    })
}

/// Tells nodes, and edges from the first on, to a sink; false if what should follow is damaged.
pub type Front<'a> = dyn FnMut(&mut dyn Sink) -> Result<bool> + Send + 'a;

/// Tells a part of the edges to a sink: the last of those that nobody was told, each time; no other records but
/// declarations, and before the sink knows the nodes. False if the part is damaged, `None` if none is left.
pub type Back<'a> = dyn FnMut(&mut dyn Sink) -> Result<Option<bool>> + Send + 'a;

/// Receives records in stream order: metadata, declarations, strings, nodes, edges, extension records.
/// Sources keep that order where they can; a sink must not rely on it.
///
/// A metadata record `version_major` begins a new stream: declarations and strings before it are void.
/// A metadata record `heap.snapshot` begins the next snapshot of the same stream: identifiers before it are void.
#[allow(unused_variables, reason = "default methods ignore what a sink does not want")]
pub trait Sink {
    /// What it listens to. Asked once, before the first record.
    fn wants(&self) -> Wants {
        Wants::ALL
    }
    /// Whether nodes may come added up, with their `heap.count`: sums need no more, and a source of millions of rows
    /// can do that in its own columns. Asked once, like `wants`.
    fn folds(&self) -> Folds {
        Folds::No
    }
    /// True if edges may come to [`edge_between`](Self::edge_between): a graph numbers its nodes anyway, and a source
    /// whose edges say numbers need not turn them into identifiers first. Asked once, like `wants`. A transform that
    /// does not pass every node on, in its order, must not pass this wish on either.
    fn numbers(&self) -> bool {
        false
    }
    /// Which edges from this node are of no use, whatever else they say: a source may pass over them, and need not look
    /// closely at what it passes over. Asked before the first of a run of edges from one node, and holds for the run.
    fn passes_over(&mut self, source: Value) -> Over {
        Over::Nothing
    }
    /// True if an edge to this node is of no use, from the one of which it was last said that [some](Over::Some) are not.
    fn passes_over_to(&mut self, dest: Value) -> bool {
        false
    }
    /// A metadata record.
    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        Ok(())
    }
    /// A declaration; comes before the first record that uses it.
    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        Ok(())
    }
    /// A declaration that was read from text, with its line. Only who copies lines needs this one.
    fn declare_line(&mut self, record: &Declaration<'_>, line: Line<'_>) -> Result {
        self.declare(record)
    }
    /// A string record.
    fn string(&mut self, record: &Str<'_>) -> Result {
        Ok(())
    }
    /// A node record.
    fn node(&mut self, record: &Node<'_>) -> Result {
        Ok(())
    }
    /// Nodes, in their order, and the members of their own, one after another. The same as each of them told to
    /// [`node`](Self::node), but for the time.
    fn nodes(&mut self, nodes: &[PlainNode], own: &[u8]) -> Result {
        each_node(nodes, own, |node| self.node(node))
    }
    /// An edge record.
    fn edge(&mut self, record: &Edge<'_>) -> Result {
        Ok(())
    }
    /// Edges from one node, in their order. The same as each of them told to [`edge`](Self::edge), but for the time.
    fn edges_from(&mut self, source: Value, edges: &[PlainEdge]) -> Result {
        edges.iter().try_for_each(|&PlainEdge { subtype, dest, label }| {
            self.edge(&Edge { subtype, source, dest: Some(dest), label: Some(label), ..Edge::default() })
        })
    }
    /// An edge between the nodes with these numbers. Its identifiers are left out: `source` and `dest` of `record`
    /// mean nothing, and the source has seen that no two nodes have the same identifier. Only for sinks that ask
    /// for [`numbers`](Self::numbers), which must have one of their own.
    fn edge_between(&mut self, ends: Ends, record: &Edge<'_>) -> Result {
        Err(Error::refused("an edge by numbers, which this sink does not take"))
    }
    /// Edges from the node with this number, in their order; their `dest` are numbers too. The same as each of them told
    /// to [`edge_between`](Self::edge_between), but for the time.
    fn edges_between(&mut self, source: u32, edges: &[PlainEdge]) -> Result {
        edges.iter().try_for_each(|&PlainEdge { subtype, dest, label }| {
            let ends = Ends { source, dest: dest as u32, partner: None };
            self.edge_between(ends, &Edge { subtype, label: Some(label), ..Edge::default() })
        })
    }
    /// All nodes and edges by two threads at a time. `front` tells the nodes, then edges from the first on; `back`, which
    /// may be called while it does, tells others from the last on, see there. Each tells them to the sink that it is
    /// given, edges by number. A sink that can take both gives `front` itself, and each part of `back` a sink of its own,
    /// and puts together what these heard, as far as all parts before came to their ends; any other calls neither, and
    /// says false. Only for sinks that ask for [`numbers`](Self::numbers).
    fn in_two(&mut self, front: &mut Front<'_>, back: &mut Back<'_>) -> Result<bool> {
        Ok(false)
    }
    /// An extension record.
    fn other(&mut self, record: &Other<'_>) -> Result {
        Ok(())
    }
    /// The source is about to wait for input: pass on what is finished.
    fn flush(&mut self) -> Result {
        Ok(())
    }
    /// No more records come. Called once by the driver, never by a reader. `whole` is false if the input
    /// was damaged or a file could not be read: what came before is still reported or passed on.
    fn finish(&mut self, whole: bool) -> Result {
        Ok(())
    }
}

/// Takes everything and keeps nothing.
#[derive(Clone, Copy, Debug)]
pub struct Nothing;

impl Sink for Nothing {}

impl<S: Sink + ?Sized> Sink for &mut S {
    fn wants(&self) -> Wants {
        (**self).wants()
    }
    fn folds(&self) -> Folds {
        (**self).folds()
    }
    fn numbers(&self) -> bool {
        (**self).numbers()
    }
    fn passes_over(&mut self, source: Value) -> Over {
        (**self).passes_over(source)
    }
    fn passes_over_to(&mut self, dest: Value) -> bool {
        (**self).passes_over_to(dest)
    }
    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        (**self).metadata(record)
    }
    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        (**self).declare(record)
    }
    fn declare_line(&mut self, record: &Declaration<'_>, line: Line<'_>) -> Result {
        (**self).declare_line(record, line)
    }
    fn string(&mut self, record: &Str<'_>) -> Result {
        (**self).string(record)
    }
    fn node(&mut self, record: &Node<'_>) -> Result {
        (**self).node(record)
    }
    fn nodes(&mut self, nodes: &[PlainNode], own: &[u8]) -> Result {
        (**self).nodes(nodes, own)
    }
    fn edge(&mut self, record: &Edge<'_>) -> Result {
        (**self).edge(record)
    }
    fn edges_from(&mut self, source: Value, edges: &[PlainEdge]) -> Result {
        (**self).edges_from(source, edges)
    }
    fn edge_between(&mut self, ends: Ends, record: &Edge<'_>) -> Result {
        (**self).edge_between(ends, record)
    }
    fn edges_between(&mut self, source: u32, edges: &[PlainEdge]) -> Result {
        (**self).edges_between(source, edges)
    }
    fn in_two(&mut self, front: &mut Front<'_>, back: &mut Back<'_>) -> Result<bool> {
        (**self).in_two(front, back)
    }
    fn other(&mut self, record: &Other<'_>) -> Result {
        (**self).other(record)
    }
    fn flush(&mut self) -> Result {
        (**self).flush()
    }
    fn finish(&mut self, whole: bool) -> Result {
        (**self).finish(whole)
    }
}

/// Which snapshot of a file with several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pick {
    /// The last one.
    #[default]
    Last,
    /// Every one, each after a metadata record `heap.snapshot`.
    All,
    /// This one, counted from 0.
    Number(u64),
}

impl Pick {
    /// The chosen indexes out of `count` snapshots.
    pub fn range(self, count: u64) -> Result<std::ops::Range<u64>> {
        match self {
            Self::Last => Ok(count.saturating_sub(1)..count),
            Self::All => Ok(0..count),
            Self::Number(n) if n < count => Ok(n..n + 1),
            Self::Number(n) => Err(Error::refused(match count {
                0 => format!("no snapshot {n}: the file has none"),
                1 => format!("no snapshot {n}: the file has only snapshot 0"),
                _ => format!("no snapshot {n}: the file has 0 to {}", count - 1),
            })),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Folds, Over, Sink, Wants};

    struct Sums;

    impl Sink for Sums {
        fn wants(&self) -> Wants {
            Wants::NODES
        }
        fn folds(&self) -> Folds {
            Folds::Names
        }
        fn numbers(&self) -> bool {
            true
        }
        fn passes_over(&mut self, source: i64) -> Over {
            if source == 7 { Over::All } else { Over::Some }
        }
        fn passes_over_to(&mut self, dest: i64) -> bool {
            dest == 5
        }
    }

    fn asked(mut sink: impl Sink) -> (Wants, Folds, bool, [Over; 2], [bool; 2]) {
        let over = [7, 9].map(|source| sink.passes_over(source));
        (sink.wants(), sink.folds(), sink.numbers(), over, [5, 7].map(|dest| sink.passes_over_to(dest)))
    }

    #[test]
    fn a_reference_wants_what_its_sink_wants() {
        let wishes = (Wants::NODES, Folds::Names, true, [Over::All, Over::Some], [true, false]);
        assert_eq!(asked(Sums), wishes);
        assert_eq!(asked(&mut Sums), wishes);
        assert_eq!(asked(&mut Sums as &mut dyn Sink), wishes);
    }
}
