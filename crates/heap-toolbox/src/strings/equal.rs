//! Which strings are equal: the one answer of heap-strings, heap-suspects and heap-view.
//!
//! Texts are compared as the dump has them. Where the source may have cut one, its beginning is all that is seen; then two
//! strings are equal if they are [`Alike`] in their length too, or where the source has none in their bytes.

use heap_base::{Map, NumberMap, Plus};
use heap_graph::{HeapGraph, NONE};
use heap_ops::place::{Clues, code};
use heap_record::StringId;

/// In what strings of one text are alike beside that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Alike {
    /// In nothing: all of the text is seen.
    Text,
    /// In their length in UTF-16 units.
    Length(u64),
    /// In their shallow bytes: the source may have cut the text and says no length.
    Size(u64),
}

impl Alike {
    /// In what a string must be alike to others: `length` is its own, where the source has it.
    pub(crate) fn new(length: Option<u64>, may_be_cut: impl FnOnce() -> bool, size: u64) -> Self {
        match length {
            Some(length) => Self::Length(length),
            None if may_be_cut() => Self::Size(size),
            None => Self::Text,
        }
    }

    /// The same of a node with the text of this record.
    pub(crate) fn of(node: u32, id: StringId, heap: &HeapGraph, clues: &Clues) -> Self {
        Self::new(clues.texts.length(node), || clues.may_be_cut(id), heap.sizes.get(node))
    }

    /// The length that all have, where the source has it.
    pub(crate) fn length(self) -> Option<u64> {
        match self {
            Self::Length(length) => Some(length),
            Self::Text | Self::Size(_) => None,
        }
    }

    /// Whether the ends of such texts are not in the dump, if its source has cut longer texts than `limit` units.
    pub(crate) fn is_cut(self, limit: Option<u64>) -> bool {
        match self {
            Self::Text => false,
            Self::Length(length) => limit.is_some_and(|limit| length > limit),
            Self::Size(_) => true,
        }
    }
}

/// Nodes of one text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Equal {
    /// The node with the lowest identifier.
    pub(crate) first: u32,
    /// The last in the order of the dump.
    pub(crate) last: u32,
    /// Code of the text.
    pub(crate) code: u64,
    /// In what they are alike beside the text.
    pub(crate) alike: Alike,
    pub(crate) count: u64,
    /// Bytes of all.
    pub(crate) size: u64,
}

/// Nodes by text: a list of those that are equal to others, and for each text a node or a place in the list.
#[derive(Debug)]
pub(crate) struct Equals {
    pub(crate) list: Vec<Equal>,
    /// By string id.
    slots: NumberMap<u32>,
    /// Texts whose nodes are not all alike.
    others: Map<(u64, Alike), u32>,
}

impl Equals {
    /// Groups the nodes that have a `text`; they must be `alike`, too, and weigh `bytes` each. `alike` is asked of texts that
    /// are there more than once.
    pub(crate) fn new(
        heap: &HeapGraph,
        text: impl Fn(u32) -> Option<StringId>,
        alike: impl Fn(u32, StringId) -> Alike,
        bytes: impl Fn(u32) -> u64,
    ) -> Self {
        Self::within(NONE, heap, text, alike, bytes)
    }

    /// The same with slots below `room`, which is more than there are nodes.
    fn within(
        room: u32,
        heap: &HeapGraph,
        text: impl Fn(u32) -> Option<StringId>,
        alike: impl Fn(u32, StringId) -> Alike,
        bytes: impl Fn(u32) -> u64,
    ) -> Self {
        // Edges may be in a file.
        let nodes = heap.sizes.len() as u32;
        // Slots from here on are places in the list, others nodes. For each place there are two nodes. Where all of them together
        // are too many, the last nodes have a place each, though nothing may be equal to them.
        let first_place = nodes.min((room - nodes).saturating_mul(2));
        let mut all = Self { list: Vec::new(), slots: NumberMap::new(NONE), others: Map::default() };
        for node in 0..nodes {
            let Some(id) = text(node) else { continue };
            let mut slot = all.slots.slot(id);
            if *slot == NONE && node < first_place {
                *slot = node;
                continue;
            }
            let (code, key) = (code(id), alike(node, id));
            let same = match *slot {
                NONE => true,
                first if first < first_place => alike(first, id) == key,
                place => all.list[(place - first_place) as usize].alike == key,
            };
            if !same {
                slot = all.others.entry((code, key)).or_insert(NONE);
            }
            let place = match *slot {
                NONE if node < first_place => {
                    *slot = node;
                    continue;
                }
                first if first < first_place || first == NONE => {
                    *slot = first_place + all.list.len() as u32;
                    let (first, before) = if first == NONE { (node, 0) } else { (first, bytes(first)) };
                    let count = u64::from(first != node);
                    all.list.push(Equal { first, last: first, code, alike: key, count, size: before });
                    all.list.len() - 1
                }
                place => (place - first_place) as usize,
            };
            let group = &mut all.list[place];
            group.count += 1;
            group.size = group.size.plus(bytes(node));
            group.last = node;
            if heap.id(node) < heap.id(group.first) {
                group.first = node;
            }
        }
        if first_place < nodes {
            all.list.retain(|group| group.count > 1);
        }
        all
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that fails panics")]
mod tests {
    use std::fmt::Write as _;

    use heap_graph::{GraphSink, Keep};
    use heap_record::{SnapshotSelector, read};

    use super::*;

    /// Nodes of few texts and sizes; identifiers are in no order.
    fn heap(nodes: u32) -> HeapGraph {
        let mut stream = String::new();
        for node in 0..nodes {
            let (id, size) = (u64::from(node) * 7919 % 10_007 * 2 + 1, node % 3);
            let _ = writeln!(
                stream,
                r#"{{"type":"node","subtype":1,"identifier":{id},"heap":{{"size":{size}}}}}"#
            );
        }
        let mut sink = GraphSink::new(Keep { ids: true, ..Keep::default() });
        read::read(stream.as_bytes(), SnapshotSelector::Last, &mut sink).unwrap();
        sink.build().unwrap()
    }

    #[test]
    fn texts_of_as_many_nodes_as_there_are_numbers_are_found_too() {
        for (nodes, texts) in [(1, 1), (2, 1), (40, 3), (100, 45), (300, 290), (300, 7)] {
            let heap = heap(nodes);
            let text = |node: u32| {
                (!node.is_multiple_of(5)).then(|| StringId::from(node.wrapping_mul(0x9e37_79b9) >> 8) % texts)
            };
            let alike = |node, _| Alike::Size(heap.sizes.get(node));
            let bytes = |node| u64::from(node) + 8;
            let of = |room| {
                let mut list: Vec<String> = Equals::within(room, &heap, text, alike, bytes)
                    .list
                    .iter()
                    .map(|group| format!("{group:?}"))
                    .collect();
                list.sort_unstable();
                list
            };
            let wanted = of(NONE);
            assert_eq!(wanted.is_empty(), nodes < 3);
            for room in [nodes, nodes + 1, nodes + nodes / 10, nodes + nodes / 4, nodes + nodes / 2] {
                assert_eq!(of(room), wanted, "{room} for {nodes}");
            }
        }
    }
}
