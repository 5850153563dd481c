//! Nodes added up by kind and name, for sinks that only add up themselves.

use std::collections::BTreeMap;

use heap_record::{Heap, Node, Result, StringId, index_id};

use super::Stream;
use super::graph::OBJECT;
use crate::rows::Rows;

/// Rows that look the same to a sum.
#[derive(Clone, Copy, Debug, Default)]
struct Fold {
    /// The last of them.
    row: u64,
    count: u64,
    size: u64,
    external: u64,
}

/// Totals of objects by type, and of the few other rows by kind and name.
#[derive(Debug)]
pub(super) struct Folds {
    objects: Vec<Fold>,
    others: BTreeMap<(u64, Option<StringId>), Fold>,
}

impl Fold {
    #[inline]
    fn add(&mut self, other: Self) {
        self.row = other.row;
        self.count += other.count;
        self.size = self.size.saturating_add(other.size);
        self.external = self.external.saturating_add(other.external);
    }
}

impl Folds {
    pub(super) fn new(types: usize) -> Self {
        Self { objects: vec![Fold::default(); types], others: BTreeMap::new() }
    }

    /// Adds a batch up; false, and nothing done, if a column lacks rows: then what is not known must be told
    /// row by row.
    pub(super) fn add(&mut self, stream: &mut Stream<'_>, batch: &Rows) -> bool {
        let n = batch.kind.len();
        if batch.owner.len() != n || batch.size.len() != n || batch.external.len() != n {
            return false;
        }
        let columns = batch.kind.iter().zip(&batch.owner).zip(&batch.size).zip(&batch.external);
        for (row, (((&kind, &owner), &size), &external)) in (stream.rows..).zip(columns) {
            let fold = Fold { row, count: 1, size, external };
            match self.objects.get_mut(owner as usize) {
                Some(total) if kind == OBJECT => total.add(fold),
                _ => self.other(stream, kind, owner, fold),
            }
        }
        true
    }

    #[cold]
    fn other(&mut self, stream: &mut Stream<'_>, kind: u64, owner: u64, fold: Fold) {
        let key = (kind, stream.name(kind, Some(owner)));
        self.others.entry(key).or_default().add(fold);
    }

    /// Delivers a node for each group.
    pub(super) fn deliver(self, stream: &mut Stream<'_>) -> Result {
        for (owner, fold) in (0..).zip(self.objects) {
            if fold.count == 0 {
                continue;
            }
            let class = stream.name(OBJECT, Some(owner));
            if class.is_none() {
                stream.counts.names += fold.count - 1;
            }
            stream.sink.node(&fold.node(OBJECT, class))?;
        }
        for ((kind, name), fold) in self.others {
            stream.sink.node(&fold.node(kind, name))?;
        }
        Ok(())
    }
}

impl Fold {
    fn node(self, kind: u64, name: Option<StringId>) -> Node<'static> {
        let (class, name) = if kind == OBJECT { (name, None) } else { (None, name) };
        let (size, external, count) = (Some(self.size), Some(self.external), Some(self.count));
        let heap = Heap { size, class, name, external, count, ..Heap::default() };
        Node { subtype: kind as u32, id: index_id(self.row), heap, ..Node::default() }
    }
}
