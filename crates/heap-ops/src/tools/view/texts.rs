//! Equal strings, found beside a graph: the same rows as those of heap-strings, in less memory.
//!
//! Memory: 4 bytes a node with text, 8 bytes a string record; nothing for a text that occurs once.

use std::hash::Hasher;

use heap_base::json::{escape, member};
use heap_base::{BitSet, Result};
use heap_graph::{Column, NONE};
use heap_record::{Data, Node, NodeBatch, Str, StringId};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::graph::NamedGraph;
use crate::select::field::int_field;
use crate::tools::strings::{DuplicateString, exact};

/// String ids as numbers from 0: those that readers give are small, and those of array indexes negative.
const fn code(id: StringId) -> u64 {
    (id << 1 ^ id >> 63) as u64
}

const fn id_of(code: u64) -> StringId {
    (code >> 1) as i64 ^ -((code & 1) as i64)
}

/// A number for each string id, [`NONE`] at first.
#[derive(Debug, Default)]
struct ByCode {
    dense: Vec<u32>,
    sparse: FxHashMap<u64, u32>,
}

impl ByCode {
    fn slot(&mut self, code: u64) -> &mut u32 {
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

    fn iter(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        let dense = (0..).zip(self.dense.iter().copied());
        dense
            .chain(self.sparse.iter().map(|(&code, &value)| (code, value)))
            .filter(|&(_, value)| value != NONE)
    }
}

/// Gathers what nodes say of their texts.
#[derive(Debug, Default)]
pub(super) struct Texts {
    nodes: u32,
    /// Code of the text plus one, by node; 0 where there is none. Ends behind the last node with text.
    codes: Column,
    /// The same of lengths, where the source has them.
    lengths: Column,
    /// Hash of each text.
    hashes: ByCode,
    /// Room for a text.
    escaped: Vec<u8>,
}

/// Equal texts.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// The node with the lowest identifier.
    first: u32,
    code: u64,
    length: u64,
    count: u64,
    size: u64,
}

/// Slots from here on are numbers of groups, others nodes.
const GROUP: u32 = 1 << 31;

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

impl Texts {
    /// Notes the hash of a string, as it is with canonical escapes.
    pub(super) fn string(&mut self, record: &Str<'_>) {
        let mut hasher = FxHasher::default();
        match record.data {
            Data::Escaped(text) => hasher.write(text.as_bytes()),
            Data::Plain(text) => {
                self.escaped.clear();
                escape(&mut self.escaped, text);
                hasher.write(&self.escaped);
            }
        }
        *self.hashes.slot(code(record.id)) = hasher.finish() as u32 & !GROUP;
    }

    pub(super) fn nodes(&mut self, batch: &NodeBatch<'_>) {
        match batch {
            NodeBatch::Plain { nodes, own: [] } => self.nodes += nodes.len() as u32,
            _ => batch.iter().for_each(|node| self.node(&node)),
        }
    }

    fn node(&mut self, node: &Node<'_>) {
        let number = self.nodes;
        self.nodes += 1;
        if node.own.is_empty() {
            return;
        }
        let field = |name| member(node.own, name).and_then(int_field);
        let only = only_data(node.own);
        let Some(data) = only.or_else(|| field("data")) else { return };
        set(&mut self.codes, number, code(data).saturating_add(1));
        if only.is_none()
            && let Some(length) = field("length")
        {
            set(&mut self.lengths, number, code(length).saturating_add(1));
        }
    }

    /// Texts that are there more than once, in no order.
    pub(super) fn rows(mut self, loaded: &NamedGraph, limit: Option<u64>) -> Result<Vec<DuplicateString>> {
        let mut groups: Vec<Group> = Vec::new();
        let mut slots = ByCode::default();
        // Cut texts of one beginning that are of different lengths.
        let mut others: FxHashMap<(u64, u64), u32> = FxHashMap::default();
        for node in 0..self.codes.len() as u32 {
            let Some(code) = self.codes.get(node).checked_sub(1) else { continue };
            let length = get(&self.lengths, node);
            let mut slot = slots.slot(code);
            let same = match *slot {
                NONE => true,
                first if first < GROUP => get(&self.lengths, first) == length,
                group => groups[(group - GROUP) as usize].length == length,
            };
            if !same {
                slot = others.entry((code, length)).or_insert(NONE);
            }
            add(slot, &mut groups, node, code, length, loaded);
        }
        let mut known: Vec<(u64, u32)> = slots.iter().collect();
        known.extend(others.iter().map(|(&(code, _), &slot)| (code, slot)));
        self.join(loaded, &known, &mut groups)?;
        let rows = groups.into_iter().filter(|group| group.count > 1);
        rows.map(|group| row(loaded, limit, group)).collect()
    }

    /// Joins equal texts that have several string records.
    fn join(&mut self, loaded: &NamedGraph, known: &[(u64, u32)], groups: &mut Vec<Group>) -> Result {
        const BITS: u32 = 27;
        let hash = |hashes: &mut ByCode, code: u64| *hashes.slot(code) >> (31 - BITS);
        let (mut met, mut again) = (BitSet::new(1 << BITS), FxHashSet::default());
        for &(code, _) in known {
            let hash = hash(&mut self.hashes, code);
            if hash < 1 << BITS && !met.insert(hash) {
                again.insert(hash);
            }
        }
        drop(met);
        let mut doubtful = Vec::new();
        for &(code, slot) in known {
            let hash = hash(&mut self.hashes, code);
            if again.contains(&hash) {
                let (first, length) = match slot {
                    first if first < GROUP => (first, get(&self.lengths, first)),
                    group => {
                        let group = groups[(group - GROUP) as usize];
                        (group.first, group.length)
                    }
                };
                let text = exact(&loaded.context.strings, id_of(code))?;
                doubtful.push((text, length, loaded.id(first), first, code, slot));
            }
        }
        // The node with the lowest identifier comes first of its text.
        doubtful.sort();
        for equal in doubtful.chunk_by(|a, b| (&a.0, a.1) == (&b.0, b.1)).filter(|equal| equal.len() > 1) {
            let (_, length, _, first, code, _) = equal[0];
            let mut sum = Group { first, code, length, count: 0, size: 0 };
            for &(_, _, _, node, _, slot) in equal {
                let (count, size) = match slot {
                    node_slot if node_slot < GROUP => (1, loaded.heap.sizes.get(node)),
                    group => {
                        let group = &mut groups[(group - GROUP) as usize];
                        (std::mem::take(&mut group.count), group.size)
                    }
                };
                sum.count += count;
                sum.size = sum.size.saturating_add(size);
            }
            groups.push(sum);
        }
        Ok(())
    }
}

/// Counts a node with a text: the first is noted in the slot, the second makes a group.
fn add(slot: &mut u32, groups: &mut Vec<Group>, node: u32, code: u64, length: u64, loaded: &NamedGraph) {
    let sizes = &loaded.heap.sizes;
    let number = match *slot {
        NONE => {
            *slot = node;
            return;
        }
        first if first < GROUP => {
            let new = groups.len() as u32;
            groups.push(Group { first, code, length, count: 1, size: sizes.get(first) });
            *slot = GROUP + new;
            new
        }
        group => group - GROUP,
    };
    let group = &mut groups[number as usize];
    group.count += 1;
    group.size = group.size.saturating_add(sizes.get(node));
    if loaded.id(node) < loaded.id(group.first) {
        group.first = node;
    }
}

fn row(loaded: &NamedGraph, limit: Option<u64>, group: Group) -> Result<DuplicateString> {
    let length = group.length.checked_sub(1).map(id_of);
    let text = loaded.context.strings.text_or_number(id_of(group.code))?;
    let first = loaded.heap.sizes.get(group.first);
    Ok(DuplicateString::new(
        group.count,
        (group.size, first),
        length,
        limit,
        loaded.id(group.first),
        loaded.number(group.first),
        text,
    ))
}
