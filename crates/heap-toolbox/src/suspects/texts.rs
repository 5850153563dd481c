//! Nodes of equal texts.

use heap_base::{Map, NumberMap, Plus};
use heap_graph::{HeapGraph, NONE};
use heap_ops::place::code;
use heap_record::StringId;

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
    pub(crate) alike: u64,
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
    others: Map<(u64, u64), u32>,
}

/// Slots from here on are places in the list, others nodes.
const PLACE: u32 = 1 << 31;

impl Equals {
    /// Groups the nodes that have a `text`; they must be `alike`, too, and weigh `bytes` each.
    pub(crate) fn new(
        heap: &HeapGraph,
        text: impl Fn(u32) -> Option<StringId>,
        alike: impl Fn(u32) -> u64,
        bytes: impl Fn(u32) -> u64,
    ) -> Self {
        let mut all = Self { list: Vec::new(), slots: NumberMap::new(NONE), others: Map::default() };
        for node in 0..heap.graph.nodes() {
            let Some(id) = text(node) else { continue };
            let (code, key) = (code(id), alike(node));
            let mut slot = all.slots.slot(id);
            let same = match *slot {
                NONE => true,
                first if first < PLACE => alike(first) == key,
                place => all.list[(place - PLACE) as usize].alike == key,
            };
            if !same {
                slot = all.others.entry((code, key)).or_insert(NONE);
            }
            let place = match *slot {
                NONE => {
                    *slot = node;
                    continue;
                }
                first if first < PLACE => {
                    *slot = PLACE + all.list.len() as u32;
                    let size = bytes(first);
                    all.list.push(Equal { first, last: first, code, alike: key, count: 1, size });
                    all.list.len() - 1
                }
                place => (place - PLACE) as usize,
            };
            let group = &mut all.list[place];
            group.count += 1;
            group.size = group.size.plus(bytes(node));
            group.last = node;
            if heap.id(node) < heap.id(group.first) {
                group.first = node;
            }
        }
        all
    }
}
