//! Rows added up by kind and name, for sinks that only add up themselves.

use std::collections::BTreeMap;

use heap_base::Result;
use heap_record::{Heap, Node, NodeBatch, StringId, index_id};

use super::Emitter;
use crate::kinds::OBJECT;
use crate::rows::Rows;

/// Rows that look the same to a sum.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    /// The first of them.
    row: u64,
    count: u64,
    size: u64,
    external: u64,
}

/// Sums of objects by type, and of the few other rows by kind and name.
#[derive(Debug)]
pub(super) struct Sums {
    objects: Vec<Sum>,
    others: BTreeMap<(u64, Option<StringId>), Sum>,
}

impl Sum {
    #[inline]
    fn add(&mut self, row: u64, size: u64, external: u64) {
        if self.count == 0 {
            self.row = row;
        }
        self.count += 1;
        self.size = self.size.saturating_add(size);
        self.external = self.external.saturating_add(external);
    }

    fn node(self, kind: u64, name: Option<StringId>) -> Node<'static> {
        let (class, name) = if kind == OBJECT { (name, None) } else { (None, name) };
        let (size, external, count) = (Some(self.size), Some(self.external), Some(self.count));
        let heap = Heap { size, class, name, external, count, ..Heap::default() };
        Node { subtype: kind as u32, id: index_id(self.row), heap, ..Node::default() }
    }
}

impl Sums {
    pub(super) fn new(types: usize) -> Self {
        Self { objects: vec![Sum::default(); types], others: BTreeMap::new() }
    }

    /// Adds a batch up; false, and nothing done, if a column lacks rows: such rows have fields that are not known, and
    /// are emitted one by one.
    pub(super) fn add(&mut self, emitter: &mut Emitter<'_>, batch: &Rows) -> bool {
        let n = batch.kind.len();
        if batch.owner.len() != n || batch.size.len() != n || batch.external.len() != n {
            return false;
        }
        let columns = batch.kind.iter().zip(&batch.owner).zip(batch.size.iter().zip(&batch.external));
        for (i, ((&kind, &owner), (&size, &external))) in columns.enumerate() {
            let sum = match self.objects.get_mut(owner as usize) {
                Some(sum) if kind == OBJECT => sum,
                _ => self.other(emitter, kind, owner),
            };
            sum.add(emitter.rows + i as u64, size, external);
        }
        true
    }

    /// The sum of a row that is no object, or whose type is not in the table.
    #[cold]
    fn other(&mut self, emitter: &mut Emitter<'_>, kind: u64, owner: u64) -> &mut Sum {
        let key = (kind, emitter.name(kind, Some(owner)));
        self.others.entry(key).or_default()
    }

    /// Emits a node for each sum.
    pub(super) fn emit(self, emitter: &mut Emitter<'_>) -> Result {
        for (owner, sum) in (0..).zip(self.objects).filter(|(_, sum)| sum.count > 0) {
            let class = emitter.name(OBJECT, Some(owner));
            if class.is_none() {
                emitter.counts.names += sum.count - 1;
            }
            emitter.sink.nodes(&NodeBatch::one(&sum.node(OBJECT, class)))?;
        }
        for ((kind, name), sum) in self.others {
            emitter.sink.nodes(&NodeBatch::one(&sum.node(kind, name)))?;
        }
        Ok(())
    }
}
