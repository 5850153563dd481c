//! Who is who: class, name and size of every node, to name the ends of edges in reports.

use heap_base::Result;
use heap_record::{Node, StringId, Value};
use rustc_hash::FxHashSet;

use crate::select::field::bracketed;
use crate::stream::Context;

/// Nodes by identifier. Memory: 32 bytes a node.
#[derive(Debug, Default)]
pub struct Roster {
    entries: Vec<Entry>,
    sorted: bool,
}

/// One node.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its identifier.
    pub id: Value,
    /// Its shallow size in bytes.
    pub size: u64,
    class: StringId,
    name: u32,
    subtype: u16,
}

const NO_CLASS: StringId = StringId::MIN;
const NO_NAME: u32 = u32::MAX;

impl Roster {
    /// Takes a node in.
    pub fn insert(&mut self, node: &Node<'_>) {
        self.sorted = false;
        self.entries.push(Entry {
            id: node.id,
            size: node.heap.size.unwrap_or(0),
            class: node.heap.class.unwrap_or(NO_CLASS),
            name: node.heap.name.and_then(|n| u32::try_from(n).ok()).unwrap_or(NO_NAME),
            subtype: u16::try_from(node.subtype).unwrap_or(u16::MAX),
        });
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// The node with this identifier. Sorts first, if nodes came since.
    pub fn get(&mut self, id: Value) -> Option<Entry> {
        if !self.sorted {
            self.entries.sort_by_key(|e| e.id);
            self.sorted = true;
        }
        self.entries.binary_search_by_key(&id, |e| e.id).ok().map(|i| self.entries[i])
    }
}

impl Entry {
    /// Its type name.
    ///
    /// # Errors
    /// The temporary file of strings cannot be read.
    pub fn class(&self, context: &Context) -> Result<String> {
        if self.class == NO_CLASS {
            return Ok(bracketed(&context.types.node_name(self.subtype.into())));
        }
        context.strings.text_or_number(self.class)
    }

    /// Its own name.
    ///
    /// # Errors
    /// The temporary file of strings cannot be read.
    pub fn name(&self, context: &Context) -> Result<Option<String>> {
        let id = (self.name != NO_NAME).then_some(StringId::from(self.name));
        id.map(|id| context.strings.text_or_number(id)).transpose()
    }
}

/// Marks of string ids: a bit for small ids, an entry for others.
#[derive(Debug, Default)]
pub struct Marks {
    bits: Vec<u64>,
    other: FxHashSet<StringId>,
    any: bool,
}

impl Marks {
    /// Marks an id, or unmarks it.
    pub fn set(&mut self, id: StringId, mark: bool) {
        self.any |= mark;
        match usize::try_from(id) {
            Ok(id) if id < 1 << 32 => {
                if mark && id / 64 >= self.bits.len() {
                    self.bits.resize((id / 64 + 1).next_power_of_two(), 0);
                }
                if let Some(word) = self.bits.get_mut(id / 64) {
                    *word = *word & !(1 << (id % 64)) | u64::from(mark) << (id % 64);
                }
            }
            _ if mark => {
                self.other.insert(id);
            }
            _ => {
                self.other.remove(&id);
            }
        }
    }

    /// True if the id is marked.
    pub fn has(&self, id: StringId) -> bool {
        match usize::try_from(id) {
            Ok(id) if id < 1 << 32 => self.bits.get(id / 64).is_some_and(|w| w >> (id % 64) & 1 == 1),
            _ => self.other.contains(&id),
        }
    }

    /// True if any id was ever marked.
    pub fn any(&self) -> bool {
        self.any
    }
}
