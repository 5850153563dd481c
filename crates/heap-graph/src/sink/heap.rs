//! What a record stream becomes: a graph, and what was asked for of its nodes and edges.

use std::ops::Range;

use heap_base::{Error, Result};
use heap_record::{Role, StringId, Value};

use super::strings::{NodeStrings, string_of};
use crate::column::Column;
use crate::graph::Graph;
use crate::ids::{IdTable, Ids};
use crate::rules::Policy;

/// What to keep beside the graph, its sizes and its policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "these are independent wishes, not a state")]
pub struct Keep {
    /// Identifiers by node.
    pub ids: bool,
    /// Nodes by identifier, and identifiers by node.
    pub table: bool,
    /// Classes by node.
    pub classes: bool,
    /// Names by node.
    pub names: bool,
    /// Subtypes by node.
    pub subtypes: bool,
    /// Labels of edges.
    pub labels: bool,
    /// Subtypes of edges.
    pub kinds: bool,
    /// Where both are kept and there are many: in a file, which [`HeapGraph::label`] reads.
    pub aside: bool,
    /// Edges that count for nothing (weak ones): for walks and reports, not for sizes.
    pub weak: bool,
    /// No edges that retain in sizes alone ([`Retains::Weak`](heap_record::Retains::Weak)): for paths.
    pub strong_only: bool,
    /// Such edges as [`Class::Kept`](crate::Class::Kept), where there are to be none.
    pub kept: bool,
    /// Bytes outside the heap by node.
    pub external: bool,
}

/// What a record stream held.
#[derive(Clone, Debug, Default)]
pub struct HeapGraph {
    /// The graph; nodes in the order of their records.
    pub graph: Graph,
    /// Roots and rules, as the stream's metadata says.
    pub policy: Policy,
    /// Shallow bytes by node; an unknown size is zero.
    pub sizes: Column,
    /// Bytes outside the heap that each node keeps, by node; empty if not asked for.
    pub external: Column,
    /// Declared numbers of the subtypes by node; empty if not asked for.
    pub subtypes: Column,
    /// Identifiers by node; empty if not asked for, or if the table was.
    pub ids: Ids,
    /// Nodes by identifier, and identifiers by node; empty if not asked for.
    pub table: IdTable,
    pub(super) strings: NodeStrings,
    /// Labels too large for 32 bits.
    pub(super) labels: Vec<StringId>,
    /// Subtypes of edges by kind.
    pub(super) kinds: Vec<u32>,
    /// What edges are to the program, by kind.
    pub(super) roles: Vec<Role>,
    /// What was left out.
    pub stats: Stats,
    /// Names of the subtypes of edges that were left out because they retain in sizes alone.
    pub left_out: Vec<Box<str>>,
}

/// What of a stream did not become part of the graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Edges that start or end at a node that has no record.
    pub dangling: u64,
    /// Edges that end at a small integer or at no value.
    pub scalars: u64,
    /// Identifiers named as roots that have no record.
    pub lost_roots: u64,
}

impl HeapGraph {
    /// The columns of numbers about nodes.
    pub(super) fn columns(&mut self) -> [&mut Column; 3] {
        [&mut self.sizes, &mut self.external, &mut self.subtypes]
    }

    /// Bytes of memory that take what is known of nodes.
    pub(super) fn bytes(&self) -> u64 {
        let numbers = [&self.sizes, &self.external, &self.subtypes];
        numbers.map(Column::bytes).iter().sum::<u64>() + self.strings.bytes()
    }

    /// Identifier of `node`; `None` if they were not kept.
    pub fn id(&self, node: u32) -> Option<Value> {
        let ids = if self.ids.is_empty() { self.table.ids() } else { &self.ids };
        (node < ids.len()).then(|| ids.get(node))
    }

    /// Says that what is in files of what is known of nodes could not be read. Ask where edges are in files, at the end.
    ///
    /// # Errors
    /// It could not.
    pub fn check(&self) -> Result {
        self.ids.check()
    }

    /// String ids of the classes of all nodes in order; none of them if classes were not kept.
    pub fn classes(&self) -> impl Iterator<Item = Option<StringId>> + '_ {
        self.strings.classes()
    }

    /// String id of the class of `node`; `None` if it has none or classes were not kept.
    #[inline]
    pub fn class(&self, node: u32) -> Option<StringId> {
        self.strings.class(node)
    }

    /// String id of the name of `node`; `None` if it has none or names were not kept.
    #[inline]
    pub fn name(&self, node: u32) -> Option<StringId> {
        self.strings.name(node)
    }

    /// String id of the label of an edge; `None` if it has none or labels were not kept.
    ///
    /// # Errors
    /// Labels are in a file that cannot be read.
    pub fn label(&self, edge: u32) -> Result<Option<StringId>> {
        Ok(self.graph.label(edge).map_err(Error::read)?.and_then(|code| self.label_of(code)))
    }

    /// String ids of the labels of a node's edges, as far as they have some and labels were kept.
    ///
    /// # Errors
    /// As [`label`](Self::label).
    pub fn labels(&self, node: u32) -> Result<Vec<StringId>> {
        let mut codes = Vec::new();
        self.graph.labels(self.graph.range(node), &mut codes).map_err(Error::read)?;
        Ok(codes.into_iter().filter_map(|code| self.label_of(code)).collect())
    }

    fn label_of(&self, code: u32) -> Option<StringId> {
        if code < LONG { string_of(code.into()) } else { self.labels.get((code - LONG) as usize).copied() }
    }

    /// String id and declared number of a label and a kind, as [`codes`](Self::codes) and
    /// [`LargeGraph`](crate::LargeGraph) have them.
    #[inline]
    pub fn named(&self, label: u32, kind: u8) -> (Option<StringId>, Option<u32>) {
        (self.label_of(label), self.kinds.get(usize::from(kind)).copied())
    }

    /// String ids of labels and declared numbers of subtypes of so many edges, in order, as far as they were kept.
    ///
    /// # Errors
    /// As [`label`](Self::label).
    pub fn each_name(
        &self,
        edges: Range<usize>,
        mut each: impl FnMut(Option<StringId>, Option<u32>),
    ) -> Result {
        self.codes(edges, |edges, labels, kinds| {
            for at in 0..edges.len() {
                let label = labels.get(at).and_then(|&code| self.label_of(code));
                let kind = kinds.get(at).and_then(|&code| self.kinds.get(usize::from(code)).copied());
                each(label, kind);
            }
        })
    }

    /// Labels and kinds of so many edges as [`named`](Self::named) takes them, in parts; empty where they were not kept.
    ///
    /// # Errors
    /// As [`label`](Self::label).
    pub fn codes(&self, edges: Range<usize>, mut each: impl FnMut(Range<usize>, &[u32], &[u8])) -> Result {
        if let Some((labels, kinds)) = self.graph.names() {
            each(edges.clone(), &labels[edges.clone()], &kinds[edges]);
            return Ok(());
        }
        let (mut labels, mut kinds) = (Vec::new(), Vec::new());
        let mut from = edges.start;
        while from < edges.end {
            let to = edges.end.min(from + MANY);
            labels.clear();
            kinds.clear();
            self.graph.names_of(from..to, &mut labels, &mut kinds).map_err(Error::read)?;
            each(from..to, &labels, &kinds);
            from = to;
        }
        Ok(())
    }

    /// Codes of those kinds of edges whose declared numbers `is` holds of.
    pub fn kinds_where(&self, is: impl Fn(u32) -> bool) -> Vec<u8> {
        (0..=u8::MAX).zip(&self.kinds).filter(|&(_, &kind)| is(kind)).map(|(code, _)| code).collect()
    }

    /// Declared number of the subtype of an edge; `None` if subtypes were not kept.
    ///
    /// # Errors
    /// As [`label`](Self::label).
    pub fn kind(&self, edge: u32) -> Result<Option<u32>> {
        let kind = self.graph.kind(edge).map_err(Error::read)?;
        Ok(kind.and_then(|code| self.kinds.get(usize::from(code)).copied()))
    }

    /// What an edge is to the program; [`Role::Inner`] if subtypes were not kept.
    ///
    /// # Errors
    /// As [`label`](Self::label).
    pub fn role(&self, edge: u32) -> Result<Role> {
        let kind = self.graph.kind(edge).map_err(Error::read)?;
        Ok(kind.and_then(|code| self.roles.get(usize::from(code)).copied()).unwrap_or_default())
    }
}

/// Label codes from here on are indexes into a list of labels too large for 32 bits.
pub(super) const LONG: u32 = 0xF000_0000;

/// So many names of edges are read at a time.
const MANY: usize = 1 << 16;
