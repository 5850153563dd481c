//! Texts of nodes, and nodes of equal texts.

use heap_base::json::member;
use heap_base::{BitSet, Map};
use heap_graph::{Column, HeapGraph, NONE};
use heap_record::{Node, NodeBatch, StringId};

use heap_ops::select::field::int_field;

/// String ids as numbers from 0: those that readers give are small, and those of array indexes negative.
pub(crate) const fn code(id: StringId) -> u64 {
    (id << 1 ^ id >> 63) as u64
}

pub(crate) const fn id_of(code: u64) -> StringId {
    (code >> 1) as i64 ^ -((code & 1) as i64)
}

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

/// What nodes say of their texts: a bit for a node whose name is its text, else 4 bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct NodeTexts {
    nodes: u32,
    /// Nodes whose name is their text.
    named: BitSet,
    /// Code of the text plus one, by node; 0 where there is none. Ends behind the last node that has one.
    codes: Column,
    /// The same of lengths, where the source has them.
    lengths: Column,
}

/// The text of a node that has no other member, as most have.
fn only_data(own: &[u8]) -> Option<StringId> {
    let digits = own.strip_prefix(b"\"data\":")?;
    if digits.is_empty() || digits.len() > 15 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(digits.iter().fold(0, |n, digit| n * 10 + StringId::from(digit - b'0')))
}

fn set(column: &mut Column, node: u32, value: u64) {
    while column.len() < node as usize {
        column.push(0);
    }
    column.push(value);
}

fn get(column: &Column, node: u32) -> u64 {
    if (node as usize) < column.len() { column.get(node) } else { 0 }
}

impl NodeTexts {
    /// Takes nodes in; `other` gets each that says more of itself than its text, with its number.
    pub(crate) fn nodes(&mut self, batch: &NodeBatch<'_>, mut other: impl FnMut(u32, &Node<'_>)) {
        if let NodeBatch::Plain { nodes, own: [] } = batch {
            for (number, _) in (self.nodes..).zip(*nodes).filter(|(_, node)| node.text) {
                self.named.insert(number);
            }
            self.nodes = self.nodes.saturating_add(nodes.len() as u32);
            return;
        }
        for node in batch.iter() {
            let number = self.nodes;
            self.nodes = self.nodes.saturating_add(1);
            if let Some(data) = only_data(node.own) {
                set(&mut self.codes, number, code(data).saturating_add(1));
            } else if !node.own.is_empty() {
                let field = |name| member(node.own, name).and_then(int_field);
                if let Some(data) = field("data") {
                    set(&mut self.codes, number, code(data).saturating_add(1));
                    if let Some(length) = field("length") {
                        set(&mut self.lengths, number, code(length).saturating_add(1));
                    }
                } else {
                    other(number, &node);
                    continue;
                }
            }
            if !node.rest.is_empty() {
                other(number, &node);
            }
        }
    }

    /// The text of a node.
    pub(crate) fn text(&self, heap: &HeapGraph, node: u32) -> Option<StringId> {
        if self.named.contains(node) {
            heap.name(node)
        } else {
            get(&self.codes, node).checked_sub(1).map(id_of)
        }
    }

    /// The code of a node's length plus one; 0 if it is not known.
    pub(crate) fn length(&self, node: u32) -> u64 {
        get(&self.lengths, node)
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
