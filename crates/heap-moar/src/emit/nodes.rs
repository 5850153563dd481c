//! Nodes out of the table of collectables.

use heap_base::json::push_uint;
use heap_base::{Error, Result};
use heap_record::{Declared, Node, NodeBatch, StringId, index_id};

use super::Emitter;
use super::sums::Sums;
use crate::kinds::{self, FRAME, OBJECT, STABLE};
use crate::ranges::Ranges;
use crate::rows::{Columns, Rows, Snapshot};

/// Kinds are 16-bit numbers.
const MAX_KIND: u64 = 0xffff;

impl Emitter<'_> {
    /// Emits the rows as nodes. Returns which references belong to which row, if edges are wanted.
    pub(super) fn nodes(&mut self, snapshot: &dyn Snapshot) -> Result<Ranges> {
        let columns = Columns { facts: self.wants.any_nodes(), ranges: self.wants.any_edges() };
        let mut source = snapshot.rows(columns)?;
        let mut ranges = Ranges::new(snapshot.plausible());
        let mut sums = self.wants.sums().map(|_| Sums::new(self.types.len()));
        let mut namespace = Namespace::default();
        let mut batch = Rows::default();
        loop {
            source.next(&mut batch)?;
            if batch.kind.is_empty() {
                break;
            }
            let impossible = self.odd_kinds(&mut batch.kind)?;
            if self.wants.any_edges() {
                ranges.add(&batch);
            }
            let added_up = sums.as_mut().is_some_and(|sums| sums.add(self, &batch));
            if self.wants.any_nodes() && !added_up {
                self.node_batch(&batch, &mut namespace)?;
            }
            self.rows += batch.kind.len() as u64;
            if impossible {
                break;
            }
        }
        if let Some(sums) = sums {
            sums.emit(self)?;
        }
        self.damage.note(source.damage());
        Ok(ranges)
    }

    fn node_batch(&mut self, batch: &Rows, namespace: &mut Namespace) -> Result {
        // Built once: a record has thirty words, and most of them are the same for all rows.
        let mut node: Node<'static> = Node::default();
        for (i, &kind) in batch.kind.iter().enumerate() {
            let owner = batch.owner.get(i).copied();
            let name = self.name(kind, owner);
            (node.heap.class, node.heap.name) = if kind == OBJECT { (name, None) } else { (None, name) };
            node.subtype = kind as u32;
            node.id = index_id(self.rows + i as u64);
            node.heap.size = batch.size.get(i).copied();
            node.heap.external = batch.external.get(i).copied();
            let rest = if self.wants.node_details() { namespace.of(kind, owner) } else { b"" };
            self.sink.nodes(&NodeBatch::one(&Node { rest, ..node }))?;
        }
        Ok(())
    }

    /// What a row's type or static frame is called. The name of an object's type is its class.
    #[inline]
    pub(super) fn name(&mut self, kind: u64, owner: Option<u64>) -> Option<StringId> {
        let owner = owner? as usize;
        let name = match kind {
            OBJECT..=STABLE => self.types.get(owner).map(|t| t[1]),
            FRAME => self.frames.get(owner).map(|f| f[0]),
            _ => return None,
        };
        let name = name.filter(|&n| n < self.strings);
        self.counts.names += u64::from(name.is_none());
        name.map(|n| n as StringId)
    }

    /// Declares the kinds that nobody knows. One that does not fit the format ends the table: true.
    fn odd_kinds(&mut self, kinds: &mut Vec<u64>) -> Result<bool> {
        let is_odd = |&kind: &u64| kind == 0 || kind >= kinds::NAMES.len() as u64;
        if !kinds.iter().any(is_odd) {
            return Ok(false);
        }
        let end = kinds.iter().position(|&k| k > MAX_KIND);
        if let Some(end) = end {
            let what = format!("row {} has the impossible kind {}", self.rows + end as u64, kinds[end]);
            self.damage.note(Some(Error::input(what)));
            kinds.truncate(end);
        }
        for &kind in kinds.iter().filter(|kind| is_odd(kind)) {
            if let Err(at) = self.kinds.binary_search(&kind) {
                self.kinds.insert(at, kind);
                let (id, name) = (kind as u32, format!("moar.kind_{kind}"));
                self.sink.declare(&Declared::Node { id, name: &name, table: None, fields: &[] }.into())?;
            }
        }
        Ok(end.is_some())
    }
}

/// The `moar` namespace of a node, written anew only where the number changes.
#[derive(Debug, Default)]
struct Namespace {
    text: Vec<u8>,
    /// Key and number that `text` holds.
    holds: Option<(&'static [u8], u64)>,
}

impl Namespace {
    #[inline]
    fn of(&mut self, kind: u64, owner: Option<u64>) -> &[u8] {
        let key: &[u8] = match kind {
            OBJECT..=STABLE => b"\"moar\":{\"type\":",
            FRAME => b"\"moar\":{\"frame\":",
            _ => b"\"moar\":{\"type_or_frame\":",
        };
        match owner {
            None => return b"",
            // Roots have no type, and 0 in its place.
            Some(0) if !(OBJECT..=FRAME).contains(&kind) => return b"",
            Some(number) if self.holds != Some((key, number)) => {
                self.holds = Some((key, number));
                self.text.clear();
                self.text.extend_from_slice(key);
                push_uint(&mut self.text, number);
                self.text.push(b'}');
            }
            Some(_) => {}
        }
        &self.text
    }
}
