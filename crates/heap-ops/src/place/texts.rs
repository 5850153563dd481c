//! Texts of nodes.

use heap_base::json::each;
use heap_base::{BitSet, Result};
use heap_graph::{HeapGraph, Sparse};
use heap_record::numbers::{self, NumberMark};
use heap_record::{Node, NodeBatch, StringId, Types};

use crate::select::field::{int_field, small};

/// String ids as numbers from 0: those that readers give are small, and those of array indexes negative.
pub const fn code(id: StringId) -> u64 {
    (id << 1 ^ id >> 63) as u64
}

/// The string id of a [`code`].
pub const fn id_of(code: u64) -> StringId {
    (code >> 1) as i64 ^ -((code & 1) as i64)
}

/// What nodes say of their texts: a bit for a node whose name is its text, some more bytes for one with another text; with
/// numbers a bit a node more, and 4 bytes for each.
#[derive(Clone, Debug, Default)]
pub struct NodeTexts {
    nodes: u32,
    /// Nodes whose name is their text.
    named: BitSet,
    /// Codes of other texts.
    codes: Sparse,
    /// Lengths in UTF-16 units, where the source has them.
    lengths: Sparse,
    /// Marks of numbers, the first of each node, the second and the third, where they are asked for.
    numbers: [Sparse; numbers::MOST],
}

/// The text of a node that has no other member, as most have.
fn only_data(own: &[u8]) -> Option<StringId> {
    let digits = own.strip_prefix(b"\"data\":")?;
    if digits.is_empty() || digits.len() > 15 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(digits.iter().fold(0, |n, digit| n * 10 + StringId::from(digit - b'0')))
}

impl NodeTexts {
    /// Takes nodes in, whose fields are as `types` has them declared; `other` gets each that says more of itself than its
    /// text, with its number.
    pub fn nodes(&mut self, batch: &NodeBatch<'_>, types: &Types, mut other: impl FnMut(u32, &Node<'_>)) {
        if let NodeBatch::Plain { nodes, mut own } = *batch {
            for (number, node) in (self.nodes..).zip(nodes) {
                let (first, rest) = own.split_at_checked(node.own).unwrap_or((own, b""));
                own = rest;
                if node.text {
                    self.named.insert(number);
                }
                if let Some(marks) = numbers::marks(first) {
                    self.mark(number, marks);
                } else if !first.is_empty() {
                    self.node(number, &node.with(first), types, &mut other);
                }
            }
            self.nodes = self.nodes.saturating_add(nodes.len() as u32);
            return;
        }
        for node in batch.iter() {
            self.node(self.nodes, &node, types, &mut other);
            self.nodes = self.nodes.saturating_add(1);
        }
    }

    fn node(&mut self, number: u32, node: &Node<'_>, types: &Types, other: &mut impl FnMut(u32, &Node<'_>)) {
        if let Some(data) = only_data(node.own) {
            self.set(number, node, data);
        } else if let Some(marks) = numbers::marks(node.own) {
            self.mark(number, marks);
        } else if !node.own.is_empty() {
            let (mut data, mut length) = (None, None);
            for (key, value) in each(node.own) {
                match key {
                    "data" => data = int_field(value),
                    "length" => length = small(value, node.subtype, key, types),
                    _ => {}
                }
            }
            let Some(data) = data else { return other(number, node) };
            self.set(number, node, data);
            if let Some(length) = length.and_then(|length| u64::try_from(length).ok()) {
                self.lengths.push(number, length);
            }
        }
        if !node.rest.is_empty() {
            other(number, node);
        }
    }

    #[inline]
    fn mark(&mut self, number: u32, marks: impl Iterator<Item = NumberMark>) {
        for (column, mark) in self.numbers.iter_mut().zip(marks) {
            column.push(number, mark.0.into());
        }
    }

    fn set(&mut self, number: u32, node: &Node<'_>, text: StringId) {
        if node.heap.name == Some(text) {
            self.named.insert(number);
        } else {
            self.codes.push(number, code(text));
        }
    }

    /// Gives unused memory back: no more nodes come.
    pub(super) fn shrink(&mut self) {
        self.codes.entries().shrink();
        self.lengths.entries().shrink();
        self.numbers.iter_mut().for_each(|column| column.entries().shrink());
    }

    /// Puts the texts that are no names into a file.
    ///
    /// # Errors
    /// It cannot be written.
    pub(super) fn put_away(&mut self) -> Result {
        self.codes.entries().put_away()?;
        self.lengths.entries().put_away()?;
        self.numbers.iter_mut().try_for_each(|column| column.entries().put_away())
    }

    /// Says that the file could not be read.
    ///
    /// # Errors
    /// It could not.
    pub fn check(&self) -> Result {
        self.codes.check()?;
        self.lengths.check()?;
        self.numbers.iter().try_for_each(Sparse::check)
    }

    /// The text of a node.
    pub fn text(&self, heap: &HeapGraph, node: u32) -> Option<StringId> {
        if self.named.contains(node) { heap.name(node) } else { self.codes.get(node).map(id_of) }
    }

    /// Numbers by which a node may be known in another dump.
    pub fn numbers(&self, node: u32) -> impl Iterator<Item = NumberMark> + '_ {
        self.numbers.iter().map_while(move |column| column.get(node).map(|mark| NumberMark(mark as u32)))
    }

    /// The length of a string in UTF-16 units, where the source has it.
    pub fn length(&self, node: u32) -> Option<u64> {
        self.lengths.get(node)
    }
}
