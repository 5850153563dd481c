//! Who is who: class, name and size of every node, to name the ends of edges in reports.

use heap_base::{Map, Result};
use heap_record::{Node, StringId, Value};

use crate::select::field::bracketed;
use crate::stream::Context;

/// Nodes by identifier. Memory: 32 bytes a node.
#[derive(Debug, Default)]
pub struct Roster {
    rows: Vec<Row>,
    sorted: bool,
    /// Names whose numbers are too large for a row.
    long: Vec<StringId>,
    places: Map<StringId, u32>,
}

#[derive(Clone, Copy, Debug)]
struct Row {
    id: Value,
    size: u64,
    class: StringId,
    name: u32,
    subtype: u32,
}

/// One node.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its identifier.
    pub id: Value,
    /// Its shallow size in bytes.
    pub size: u64,
    class: Option<StringId>,
    name: Option<StringId>,
    subtype: u32,
}

const NO_CLASS: StringId = StringId::MIN;
const NO_NAME: u32 = u32::MAX;
/// Names from here on are places in the list of long ones.
const LONG: u32 = 1 << 31;

impl Roster {
    /// Takes a node in.
    pub fn insert(&mut self, node: &Node<'_>) {
        self.sorted = false;
        let name = node.heap.name.map_or(NO_NAME, |name| self.name_code(name));
        self.rows.push(Row {
            id: node.id,
            size: node.heap.size.unwrap_or(0),
            class: node.heap.class.unwrap_or(NO_CLASS),
            name,
            subtype: node.subtype,
        });
    }

    fn name_code(&mut self, name: StringId) -> u32 {
        match u32::try_from(name) {
            Ok(code) if code < LONG => code,
            _ => *self.places.entry(name).or_insert_with(|| {
                self.long.push(name);
                LONG + self.long.len() as u32 - 1
            }),
        }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// The node with this identifier. Sorts first, if nodes came since.
    pub fn get(&mut self, id: Value) -> Option<Entry> {
        if !self.sorted {
            self.rows.sort_by_key(|row| row.id);
            self.sorted = true;
        }
        let at = self.rows.binary_search_by_key(&id, |row| row.id).ok()?;
        let Row { id, size, class, name, subtype } = self.rows[at];
        let name = match name {
            NO_NAME => None,
            code if code < LONG => Some(StringId::from(code)),
            code => self.long.get((code - LONG) as usize).copied(),
        };
        Some(Entry { id, size, class: (class != NO_CLASS).then_some(class), name, subtype })
    }
}

impl Entry {
    /// Its type name.
    ///
    /// # Errors
    /// The temporary file of strings cannot be read.
    pub fn class(&self, context: &Context) -> Result<String> {
        match self.class {
            Some(class) => context.strings.text_or_number(class),
            None => Ok(bracketed(&context.types.node_name(self.subtype))),
        }
    }

    /// Its own name.
    ///
    /// # Errors
    /// The temporary file of strings cannot be read.
    pub fn name(&self, context: &Context) -> Result<Option<String>> {
        self.name.map(|id| context.strings.text_or_number(id)).transpose()
    }
}
