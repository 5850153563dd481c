//! The nodes, in batches of plain ones: those with type, size, name and fields of their own, and nothing further.

use heap_base::Result;
use heap_base::json::{push_int, push_uint};
use heap_record::{Heap, IdRule, Node, NodeBatch, PlainNode, Sink, StringId, Value, Wants};

use super::ahead::{Ahead, NOWHERE};
use super::{Snapshot, push_key, unknown};
use crate::layout::types::Own;
use crate::lex::Lexer;
use crate::nodes::columns::More;
use crate::nodes::sums::{Sums, Total};
use crate::nodes::v8_identifier;

/// Nodes in a batch. Tests have lists with more.
const BATCH: usize = if cfg!(test) { 7 } else { 256 };

/// Makes batches of nodes.
struct NodeEmitter<'a, 's> {
    snapshot: Snapshot<'a>,
    sink: &'s mut dyn Sink,
    /// Destinations of edges that are fields of nodes; none if nobody asks for these.
    slots: Option<std::slice::Iter<'s, u32>>,
    batch: Vec<PlainNode>,
    /// The own members of the batch's nodes, one after another.
    own: Vec<u8>,
    rest: Vec<u8>,
}

impl Snapshot<'_> {
    /// Emits the intact nodes as closely as they are asked for.
    pub(crate) fn nodes(&self, wants: Wants, ahead: &Ahead, sink: &mut dyn Sink) -> Result {
        match &self.nodes.sums {
            Some(sums) => self.sums(sums, sink),
            None if !wants.any_nodes() => Ok(()),
            None if !self.nodes.complete => self.nodes_again(ahead, sink),
            None => self.nodes_from_columns(wants, ahead, sink),
        }
    }

    /// Emits nodes with all their fields, which are lexed again because columns do not hold them.
    fn nodes_again(&self, ahead: &Ahead, sink: &mut dyn Sink) -> Result {
        let f = &self.header.node;
        let mut emitter = self.node_emitter(Some(ahead), sink);
        let mut ordinal = 0;
        let count = self.nodes.count as usize;
        Lexer::new(self.blob, &self.scan.section("nodes"), f.width).batches(true, |batch| {
            for (record, ints) in batch.records().enumerate().take(count - ordinal) {
                let value = |field: Option<usize>| field.map_or(0, |at| ints[at]);
                let more = More { trace: value(f.trace), detachedness: value(f.detachedness) };
                emitter.further(ordinal, more, |rest| unknown(rest, &f.others, batch, record, ints));
                emitter.node(ordinal, ints[f.kind], ints[f.name], ints[f.size])?;
                ordinal += 1;
            }
            Ok(ordinal < count)
        })?;
        emitter.flush()
    }

    /// Emits nodes from the columns. Where identifiers are not V8's ids, these come along: people choose nodes by them.
    fn nodes_from_columns(&self, wants: Wants, ahead: &Ahead, sink: &mut dyn Sink) -> Result {
        let columns = &self.nodes.columns;
        let known = self.nodes.rule == IdRule::V8 && self.nodes.named_below(self.scan.strings.known());
        let once = wants.node_details() && !wants.all_fields() && columns.are_all();
        if known && (once || !wants.node_details()) {
            return self.brief_nodes(once, sink);
        }
        let mut emitter = self.node_emitter(wants.node_details().then_some(ahead), sink);
        for (ordinal, (kind, name, size, more)) in self.nodes.columns.iter().enumerate() {
            if more != More::default() || self.nodes.rule == IdRule::Index {
                emitter.further(ordinal, more, |_| {});
            }
            emitter.node(ordinal, kind.into(), name, size)?;
        }
        emitter.flush()
    }

    fn node_emitter<'s>(&'s self, ahead: Option<&'s Ahead>, sink: &'s mut dyn Sink) -> NodeEmitter<'s, 's> {
        NodeEmitter {
            snapshot: *self,
            sink,
            slots: ahead.map(|ahead| ahead.slots.iter()),
            batch: Vec::with_capacity(BATCH),
            own: Vec::new(),
            rest: Vec::new(),
        }
    }

    /// Emits the sums of nodes. Where identifiers are V8's, a sum has that of the youngest object.
    fn sums(&self, sums: &Sums, sink: &mut dyn Sink) -> Result {
        for (Total { first, kind, count, size, highest }, class) in sums.totals() {
            let heap = Heap {
                size: Some(size),
                class: class.and_then(|class| self.scan.strings.id(class)),
                count: Some(count.into()),
                ..Heap::default()
            };
            let id = match self.nodes.rule {
                IdRule::V8 if highest > 0 => v8_identifier(highest),
                _ => self.nodes.identifier(first as usize),
            };
            let node = Node { subtype: kind + 1, id, heap, ..Node::default() };
            sink.nodes(&NodeBatch::one(&node))?;
        }
        Ok(())
    }

    /// Emits nodes whose names are all known, and of which nobody asks for more than columns always hold, but perhaps
    /// for `texts`.
    fn brief_nodes(&self, texts: bool, sink: &mut dyn Sink) -> Result {
        let roles: Vec<(bool, bool)> =
            self.nodes.types.iter().map(|t| (t.class, texts && t.own == Own::Data)).collect();
        let mut nodes = self.nodes.columns.brief().zip(self.nodes.ids()).map(|((kind, name, size), id)| {
            let (class, text) = roles.get(kind as usize).copied().unwrap_or_default();
            let (id, string) = (v8_identifier(id), name as StringId);
            PlainNode { subtype: kind + 1, own: 0, id, size, class, text, string }
        });
        let mut batch = vec![PlainNode::default(); BATCH];
        loop {
            let mut n = 0;
            for (to, node) in batch.iter_mut().zip(&mut nodes) {
                *to = node;
                n += 1;
            }
            if n == 0 {
                return Ok(());
            }
            sink.nodes(&NodeBatch::Plain { nodes: &batch[..n], own: &[] })?;
        }
    }
}

impl NodeEmitter<'_, '_> {
    /// Makes `rest` the namespace of the next node, if it has one; `unknown` appends other members.
    fn further(&mut self, ordinal: usize, more: More, unknown: impl FnOnce(&mut Vec<u8>)) {
        let Self { snapshot: Snapshot { nodes, header, .. }, rest, .. } = self;
        rest.clear();
        let id = if nodes.rule == IdRule::Index { nodes.id(ordinal) } else { None };
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

    /// Emits a node, with the `rest` that was made for it.
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
            self.batch.push(PlainNode { subtype, own, id, size, class: t.class, text: false, string });
            return if self.batch.len() == BATCH { self.flush() } else { Ok(()) };
        }
        let (class, name) = if t.class { (name, None) } else { (None, name) };
        let heap = Heap { size: Some(size), class, name, ..Heap::default() };
        let node = Node { subtype, id, own: &self.own, heap, rest: &self.rest, ..Node::default() };
        self.sink.nodes(&NodeBatch::one(&node))?;
        self.own.clear();
        self.rest.clear();
        Ok(())
    }

    /// Emits the batch.
    fn flush(&mut self) -> Result {
        if !self.batch.is_empty() {
            self.sink.nodes(&NodeBatch::Plain { nodes: &self.batch, own: &self.own })?;
        }
        self.batch.clear();
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
