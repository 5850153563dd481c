//! Nodes of equal texts.

use heap_base::Map;
use heap_graph::{HeapGraph, NONE};
use heap_ops::place::code;
use heap_record::StringId;

/// A number for each string id, [`NONE`] at first.
#[derive(Clone, Debug, Default)]
pub(crate) struct ByCode {
    dense: Vec<u32>,
    sparse: Map<u64, u32>,
}

impl ByCode {
    pub(crate) fn slot(&mut self, code: u64) -> &mut u32 {
        // Ids that grow with the number of records are positions; others are not worth the gap.
        match usize::try_from(code) {
            Ok(at) if at <= self.dense.len() * 2 + 4096 => {
                if at >= self.dense.len() {
                    self.dense.resize(at + 1, NONE);
                    // The list may reach ids now that came before.
                    let moved = self.sparse.extract_if(|&code, _| code <= at as u64);
                    for (code, value) in moved {
                        self.dense[code as usize] = value;
                    }
                }
                &mut self.dense[at]
            }
            _ => self.sparse.entry(code).or_insert(NONE),
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
    pub(crate) alike: u64,
    pub(crate) count: u64,
    /// Bytes of all.
    pub(crate) size: u64,
}

/// Nodes by text: a list of those that are equal to others, and for each text a node or a place in the list.
#[derive(Debug, Default)]
pub(crate) struct Equals {
    pub(crate) list: Vec<Equal>,
    slots: ByCode,
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
        let mut all = Self::default();
        for node in 0..heap.graph.nodes() {
            let Some(code) = text(node).map(code) else { continue };
            let key = alike(node);
            let mut slot = all.slots.slot(code);
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
            group.size = group.size.saturating_add(bytes(node));
            group.last = node;
            if heap.id(node) < heap.id(group.first) {
                group.first = node;
            }
        }
        all
    }
}
