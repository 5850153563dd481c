//! What is kept of a snapshot until all of it has come.

use heap_base::json::uint;
use heap_base::{Map, Result};
use heap_base::{Spool, push_varint};
use heap_record::{Edge, Node, StringId, Value};
use heap_spool::{Ids, Link, Links, Lost};

use super::row::Row;
use super::tables::{Frame, Name, Tables, Type};
use crate::kinds::{self, FRAME, OBJECT, ROOT};

/// What nodes of a subtype are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A collectable of this kind.
    Row(u64),
    /// A stack frame of another source.
    Frame,
    /// Anything else of another source.
    Other,
}

impl Kind {
    pub(super) fn of(subtype: &str, native: bool) -> Self {
        if !native {
            return if subtype == "heap.frame" { Self::Frame } else { Self::Other };
        }
        let known = kinds::NAMES.iter().position(|&k| k == subtype).filter(|&k| k > 0).map(|k| k as u64);
        let odd = || subtype.strip_prefix("moar.kind_")?.parse().ok().filter(|&n: &u64| n <= 0xffff);
        Self::Row(known.or_else(odd).unwrap_or(OBJECT))
    }
}

/// A snapshot in the making.
#[derive(Debug, Default)]
pub(super) struct Snapshot {
    /// `heap.snapshot` began it.
    pub(super) open: bool,
    pub(super) snapmeta: Option<String>,
    /// `heap.root`.
    pub(super) roots: Vec<Value>,
    pub(super) ids: Ids,
    pub(super) nodes: Spool,
    pub(super) links: Links,
    /// The first row of kind 9 and its number.
    pub(super) root: Option<(u32, Row)>,
    /// What rows of each kind group and number are called, for types and frames without a record.
    pub(super) names: Map<(bool, u64), StringId>,
    pub(super) unknown_sizes: u64,
    /// High scores: index and score.
    pub(super) scores: Spool,
    pub(super) score_count: u64,
}

impl Snapshot {
    /// True if there is nothing to write.
    pub(super) fn is_empty(&self) -> bool {
        !self.open && self.ids.is_empty() && self.links.is_empty()
    }

    fn push(&mut self, id: Value, row: Row) -> Result {
        if row.kind == ROOT && self.root.is_none() {
            self.root = Some((self.ids.len(), row));
        }
        self.ids.push(id)?;
        self.nodes.build(|out| {
            for n in [row.kind, row.size, row.external, row.owner] {
                push_varint(out, n);
            }
        })
    }

    /// A node of a stream from MoarVM.
    pub(super) fn native(&mut self, node: &Node<'_>, kind: u64, lost: &mut Lost) -> Result {
        let heap = &node.heap;
        let key = match kind {
            1..=3 => "moar.type",
            FRAME => "moar.frame",
            _ => "moar.type_or_frame",
        };
        let owner = if node.rest.is_empty() { None } else { uint(node.rest, key) };
        if !node.rest.is_empty() {
            lost.rest(node.rest, &[("moar", "type"), ("moar", "frame"), ("moar", "type_or_frame")]);
        }
        if let (Some(owner), Some(name), 1..=FRAME) = (owner, heap.class.or(heap.name), kind) {
            self.names.entry((kind == FRAME, owner)).or_insert(name);
        }
        self.size(node, lost);
        let (size, external) = (heap.size.unwrap_or(0), heap.external.unwrap_or(0));
        self.push(node.id, Row { kind, size, external, owner: owner.unwrap_or(0) })
    }

    /// A node of any other stream.
    pub(super) fn foreign(
        &mut self,
        node: &Node<'_>,
        kind: Kind,
        tables: &mut Tables,
        lost: &mut Lost,
    ) -> Result {
        let heap = &node.heap;
        let named = heap.class.or(heap.name).map_or(Name::Bracketed(node.subtype), Name::String);
        let (kind, owner) = if kind == Kind::Frame {
            lost.own(node.subtype, node.own, &["function", "script_name", "line"]);
            let text = |key| uint(node.own, key).map(|id| Name::String(id as StringId));
            tables.frame(Frame {
                name: text("function").unwrap_or(named),
                cuid: Name::Empty,
                line: uint(node.own, "line").unwrap_or(0),
                file: text("script_name").unwrap_or(Name::Empty),
            })
        } else {
            lost.own(node.subtype, node.own, &[]);
            tables.ty(Type { repr: Name::Subtype(node.subtype), name: named })
        };
        if heap.class.is_some() && heap.name.is_some() {
            lost.add("heap", "name");
        }
        lost.rest(node.rest, &[]);
        self.size(node, lost);
        let (size, external) = (heap.size.unwrap_or(0), heap.external.unwrap_or(0));
        self.push(node.id, Row { kind, size, external, owner })
    }

    fn size(&mut self, node: &Node<'_>, lost: &mut Lost) {
        self.unknown_sizes += u64::from(node.heap.size.is_none());
        if node.heap.count.is_some() {
            lost.add("heap", "count");
        }
        lost.annotations(node);
    }

    /// An edge, with the description that the file had where no label can say it.
    #[inline]
    pub(super) fn edge(&mut self, edge: &Edge<'_>, native: bool, lost: &mut Lost) -> Result {
        let mut extra = None;
        if !edge.rest.is_empty() {
            if native {
                extra = uint(edge.rest, "moar.description")
                    .or_else(|| Some(uint(edge.rest, "moar.index")?.checked_mul(4)? | 1));
            }
            lost.rest(edge.rest, &[("moar", "index"), ("moar", "description")]);
        }
        let Edge { subtype, source, dest, label, .. } = *edge;
        self.links.push(&Link { subtype, source, dest, label, extra })
    }

    /// Every row in order: `first`, then all nodes but number `moved`.
    pub(super) fn each_row(&self, first: Row, moved: u32, mut each: impl FnMut(Row) -> Result) -> Result {
        each(first)?;
        let mut nodes = self.nodes.reader();
        for node in 0..self.ids.len() {
            let row = Row {
                kind: nodes.varint()?,
                size: nodes.varint()?,
                external: nodes.varint()?,
                owner: nodes.varint()?,
            };
            if node != moved {
                each(row)?;
            }
        }
        Ok(())
    }
}
