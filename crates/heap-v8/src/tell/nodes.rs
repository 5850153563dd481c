//! Tells the nodes, in runs: those that have type, size, name and fields of their own, and nothing further.

use std::borrow::Cow;

use heap_base::Result;
use heap_base::json::{push_int, push_uint};
use heap_record::{Heap, Node, NodeBatch, PlainNode, Sink, StringId, Value};

use super::{Snapshot, push_key, unknown};
use crate::bits::Bits;
use crate::columns::{Columns, More};
use crate::edges::NOWHERE;
use crate::fold::Total;
use crate::ints::{Ints, Section};
use crate::nodes::{Rule, v8_identifier};
use crate::types::Own;

/// Nodes that are told at a time. Tests tell several such runs.
const RUN: usize = if cfg!(test) { 7 } else { 256 };

/// Tells nodes.
struct Teller<'a, 's> {
    snapshot: Snapshot<'a>,
    sink: &'s mut dyn Sink,
    /// Targets of edges that nodes take as fields of their own; none if nobody asks for these.
    slots: Option<std::slice::Iter<'a, u32>>,
    run: Vec<PlainNode>,
    /// The own members of the run's nodes, one after another.
    own: Vec<u8>,
    rest: Vec<u8>,
}

impl<'a> Snapshot<'a> {
    fn teller<'s>(&self, slots: &'a [u32], details: bool, sink: &'s mut dyn Sink) -> Teller<'a, 's> {
        Teller {
            snapshot: *self,
            sink,
            slots: details.then(|| slots.iter()),
            run: Vec::with_capacity(RUN),
            own: Vec::new(),
            rest: Vec::new(),
        }
    }

    /// Tells the nodes with all that they say, all that are whole.
    pub(crate) fn nodes(&self, section: &Section, slots: &'a [u32], sink: &mut dyn Sink) -> Result {
        let f = &self.header.node;
        let mut teller = self.teller(slots, true, sink);
        let mut ordinal = 0;
        let count = self.nodes.count as usize;
        Ints::new(self.blob, section, f.width).batches(true, |batch| {
            for (record, ints) in batch.records().enumerate().take(count - ordinal) {
                let value = |field: Option<usize>| field.map_or(0, |at| ints[at]);
                let more = More { trace: value(f.trace), detachedness: value(f.detachedness) };
                teller.further(ordinal, more, |rest| unknown(rest, &f.others, batch, record, ints));
                teller.node(ordinal, ints[f.kind], ints[f.name], ints[f.size])?;
                ordinal += 1;
            }
            Ok(ordinal < count)
        })?;
        teller.flush()
    }

    /// Tells nodes added up, after the strings that are their classes.
    pub(crate) fn totals(
        &self,
        totals: &[(Total, Option<u64>)],
        strings: bool,
        sink: &mut dyn Sink,
    ) -> Result {
        if strings {
            let mut classes: Vec<u64> = totals.iter().filter_map(|&(_, class)| class).collect();
            classes.sort_unstable();
            classes.dedup();
            self.scan.strings.tell_some(self.blob, &classes, sink)?;
        }
        for &(Total { first, kind, count, size }, class) in totals {
            let heap = Heap {
                size: Some(size),
                class: class.and_then(|class| self.scan.strings.id(class)),
                count: Some(count.into()),
                ..Heap::default()
            };
            let id = self.nodes.identifier(first as usize);
            let node = Node { subtype: kind + 1, id, heap, ..Node::default() };
            sink.nodes(&NodeBatch::one(&node))?;
        }
        Ok(())
    }

    /// The strings that are classes of nodes, ascending, if that can be known.
    pub(super) fn classes(&self) -> Option<Vec<u64>> {
        let found = match &self.nodes.classes {
            Some(classes) => Cow::Borrowed(classes),
            None => Cow::Owned(self.classes_in(self.nodes.columns.as_ref()?)),
        };
        Some(found.iter().map(|name| name as u64).collect())
    }

    fn classes_in(&self, columns: &Columns) -> Bits {
        let mut classes = Bits::default();
        let classed = |kind: u32| self.nodes.types.get(kind as usize).is_some_and(|t| t.class);
        for (kind, name, _) in columns.brief() {
            if classed(kind) && name < self.scan.strings.count {
                classes.insert(name as usize);
            }
        }
        classes
    }

    /// Tells the nodes of which the survey has kept enough. Where identifiers are not V8's ids, these come along:
    /// people choose nodes by them.
    pub(crate) fn nodes_kept(
        &self,
        columns: &Columns,
        slots: &'a [u32],
        details: bool,
        sink: &mut dyn Sink,
    ) -> Result {
        if !details && self.nodes.rule == Rule::V8 && self.nodes.named_below(self.scan.strings.known()) {
            return self.nodes_briefly(columns, sink);
        }
        let mut teller = self.teller(slots, details, sink);
        for (ordinal, (kind, name, size, more)) in columns.iter().enumerate() {
            if more != More::default() || self.nodes.rule == Rule::Index {
                teller.further(ordinal, more, |_| {});
            }
            teller.node(ordinal, kind.into(), name, size)?;
        }
        teller.flush()
    }

    /// Tells nodes whose names are all known, and of which nobody asks for more than columns always say.
    fn nodes_briefly(&self, columns: &Columns, sink: &mut dyn Sink) -> Result {
        let classes: Vec<bool> = self.nodes.types.iter().map(|t| t.class).collect();
        let mut nodes = columns.brief().zip(self.nodes.ids()).map(|((kind, name, size), id)| PlainNode {
            subtype: kind + 1,
            own: 0,
            id: v8_identifier(id),
            size,
            class: classes.get(kind as usize).copied().unwrap_or_default(),
            string: name as StringId,
        });
        let mut run = vec![PlainNode::default(); RUN];
        loop {
            let mut n = 0;
            for (to, node) in run.iter_mut().zip(&mut nodes) {
                *to = node;
                n += 1;
            }
            if n == 0 {
                return Ok(());
            }
            sink.nodes(&NodeBatch::Plain { nodes: &run[..n], own: &[] })?;
        }
    }
}

impl Teller<'_, '_> {
    /// Makes `rest` the namespace of the next node, if that has anything to say; `unknown` appends what else there is.
    fn further(&mut self, ordinal: usize, more: More, unknown: impl FnOnce(&mut Vec<u8>)) {
        let Self { snapshot: Snapshot { nodes, header, .. }, rest, .. } = self;
        rest.clear();
        let id = if nodes.rule == Rule::Index { nodes.id(ordinal) } else { None };
        let nonzero = |n: u64| Some(n).filter(|&n| n != 0);
        let (trace, detachedness) = (nonzero(more.trace), nonzero(more.detachedness));
        if id.is_none() && trace.is_none() && detachedness.is_none() && header.node.others.is_empty() {
            return;
        }
        rest.extend_from_slice(b"\"v8\":{");
        for (key, value) in [("id", id), ("trace_node_id", trace), ("detachedness", detachedness)] {
            if let Some(value) = value {
                push_key(rest, key);
                push_uint(rest, value);
            }
        }
        unknown(rest);
        rest.push(b'}');
    }

    /// Tells a node, with the `rest` that was made for it.
    #[allow(clippy::inline_always, reason = "measured: a call costs a fifth of the work")]
    #[inline(always)]
    fn node(&mut self, ordinal: usize, kind: u64, name: u64, size: u64) -> Result {
        let Snapshot { nodes, scan, .. } = self.snapshot;
        let Some(t) = nodes.types.get(kind as usize) else { return Ok(()) };
        let name = scan.strings.id(name);
        let plain = if self.rest.is_empty() { name } else { None };
        if plain.is_none() {
            self.flush()?;
        }
        let begin = self.own.len();
        if let Some(slots) = &mut self.slots
            && t.own != Own::None
        {
            let own = &mut self.own;
            let mut target = || {
                let slot = slots.next().filter(|&&slot| slot != NOWHERE);
                slot.map(|&slot| nodes.identifier(slot as usize))
            };
            match t.own {
                Own::None => {}
                Own::Data => member(own, begin, b"\"data\":", name),
                Own::Source => member(own, begin, b"\"source\":", name),
                Own::Metadata => member(own, begin, b"\"metadata\":", target()),
                Own::Parts => {
                    member(own, begin, b"\"s1\":", target());
                    member(own, begin, b"\"s2\":", target());
                }
                Own::Parent => member(own, begin, b"\"source\":", target()),
            }
        }
        let (subtype, id) = (kind as u32 + 1, nodes.identifier(ordinal));
        if let Some(string) = plain {
            let own = self.own.len() - begin;
            self.run.push(PlainNode { subtype, own, id, size, class: t.class, string });
            return if self.run.len() == RUN { self.flush() } else { Ok(()) };
        }
        let (class, name) = if t.class { (name, None) } else { (None, name) };
        let heap = Heap { size: Some(size), class, name, ..Heap::default() };
        let node = Node { subtype, id, own: &self.own, heap, rest: &self.rest, ..Node::default() };
        self.sink.nodes(&NodeBatch::one(&node))?;
        self.own.clear();
        self.rest.clear();
        Ok(())
    }

    /// Tells the run.
    fn flush(&mut self) -> Result {
        if !self.run.is_empty() {
            self.sink.nodes(&NodeBatch::Plain { nodes: &self.run, own: &self.own })?;
        }
        self.run.clear();
        self.own.clear();
        Ok(())
    }
}

/// Appends a member to those from `begin` on, if there is a value.
#[inline]
fn member(own: &mut Vec<u8>, begin: usize, key: &[u8], value: Option<Value>) {
    if let Some(value) = value {
        if own.len() > begin {
            own.push(b',');
        }
        own.extend_from_slice(key);
        push_int(own, value);
    }
}
