//! Columns of the rows that wait to be written as one row group.

use heap_base::{Map, NumberMap};
use heap_record::StringId;
use heap_record::columns::Cell;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Whole numbers.
    Int,
    /// Numbers with a fraction.
    Float,
    /// False and true, as 0 and 1.
    Bool,
    /// Texts.
    Text,
    /// Names that repeat, each text once in a row group.
    Name,
}

/// Column of a file.
#[derive(Clone, Debug)]
pub(crate) struct Spec {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// Whether a row may have no value.
    pub(crate) optional: bool,
}

impl Spec {
    pub(crate) fn new(name: &str, kind: Kind) -> Self {
        Self { name: name.to_owned(), kind, optional: true }
    }

    pub(crate) fn required(name: &str, kind: Kind) -> Self {
        Self { optional: false, ..Self::new(name, kind) }
    }
}

/// What a name is in the stream. The text of each stands in the dictionary of its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Entry {
    /// A string record.
    String(StringId),
    /// The name of a subtype.
    Subtype(u32),
    /// The name of a subtype in brackets, where a node has no class.
    Bracketed(u32),
}

/// Names by number, in the order in which they were met in this row group.
#[derive(Debug, Default)]
pub(crate) struct Dictionary {
    pub(crate) indexes: Vec<u32>,
    pub(crate) entries: Vec<Entry>,
    /// Number plus one by string id; 0 = none.
    strings: NumberMap<u32>,
    others: Map<Entry, u32>,
}

impl Dictionary {
    /// The number of an entry, and whether it is new.
    #[inline]
    fn number(&mut self, entry: Entry) -> (u32, bool) {
        let slot = match entry {
            Entry::String(id) => self.strings.slot(id),
            _ => self.others.entry(entry).or_insert(0),
        };
        let new = *slot == 0;
        if new {
            self.entries.push(entry);
            *slot = self.entries.len() as u32;
        }
        (*slot - 1, new)
    }

    fn clear(&mut self) {
        self.indexes.clear();
        for entry in self.entries.drain(..) {
            if let Entry::String(id) = entry {
                *self.strings.slot(id) = 0;
            }
        }
        self.others.clear();
    }
}

/// The values of a column, without rows that have none.
#[derive(Debug)]
pub(crate) enum Values {
    Int(Vec<i64>),
    Float(Vec<f64>),
    Bool(Vec<bool>),
    Text { ends: Vec<usize>, bytes: Vec<u8> },
    Name(Box<Dictionary>),
}

/// A column of the current row group.
#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) values: Values,
    /// Rows that have a value, as runs `start..end`.
    pub(crate) present: Vec<(u32, u32)>,
}

impl Column {
    pub(crate) fn new(kind: Kind) -> Self {
        let values = match kind {
            Kind::Int => Values::Int(Vec::new()),
            Kind::Float => Values::Float(Vec::new()),
            Kind::Bool => Values::Bool(Vec::new()),
            Kind::Text => Values::Text { ends: Vec::new(), bytes: Vec::new() },
            Kind::Name => Values::Name(Box::default()),
        };
        Self { values, present: Vec::new() }
    }

    /// Notes that `row` has a value. A row that has one already gets another: the first is dropped.
    #[inline]
    fn mark(&mut self, row: u32) {
        match self.present.last_mut() {
            Some((_, end)) if *end == row => *end += 1,
            Some((_, end)) if *end > row => match &mut self.values {
                Values::Int(list) => drop(list.pop()),
                Values::Float(list) => drop(list.pop()),
                Values::Bool(list) => drop(list.pop()),
                Values::Text { ends, bytes } => {
                    ends.pop();
                    bytes.truncate(ends.last().copied().unwrap_or(0));
                }
                Values::Name(dictionary) => drop(dictionary.indexes.pop()),
            },
            _ => self.present.push((row, row + 1)),
        }
    }

    #[inline]
    pub(crate) fn int(&mut self, row: u32, n: i64) {
        self.mark(row);
        if let Values::Int(list) = &mut self.values {
            list.push(n);
        }
    }

    pub(crate) fn boolean(&mut self, row: u32, b: bool) {
        self.mark(row);
        if let Values::Bool(list) = &mut self.values {
            list.push(b);
        }
    }

    pub(crate) fn text(&mut self, row: u32, text: &str) {
        self.mark(row);
        if let Values::Text { ends, bytes } = &mut self.values {
            bytes.extend_from_slice(text.as_bytes());
            ends.push(bytes.len());
        }
    }

    /// Sets a name; true if the row group did not have it yet.
    #[inline]
    pub(crate) fn name(&mut self, row: u32, entry: Entry) -> bool {
        self.mark(row);
        let Values::Name(dictionary) = &mut self.values else { return false };
        let (number, new) = dictionary.number(entry);
        dictionary.indexes.push(number);
        new
    }

    /// Sets what a field holds; the string that it names for the first time in this row group.
    pub(crate) fn set(&mut self, row: u32, cell: &Cell<'_>) -> Option<StringId> {
        match (&mut self.values, cell) {
            (Values::Int(_), Cell::Int(n)) => self.int(row, *n),
            (Values::Bool(_), Cell::Int(n)) => self.boolean(row, *n != 0),
            (Values::Name(_), Cell::Int(id)) => return self.name(row, Entry::String(*id)).then_some(*id),
            (Values::Text { .. }, Cell::Text(text)) => self.text(row, text),
            (Values::Float(_), Cell::Real(x)) => {
                self.mark(row);
                if let Values::Float(list) = &mut self.values {
                    list.push(*x);
                }
            }
            _ => {}
        }
        None
    }

    /// Forgets the rows, keeps the room.
    pub(crate) fn clear(&mut self) {
        self.present.clear();
        match &mut self.values {
            Values::Int(list) => list.clear(),
            Values::Float(list) => list.clear(),
            Values::Bool(list) => list.clear(),
            Values::Text { ends, bytes } => {
                ends.clear();
                bytes.clear();
            }
            Values::Name(dictionary) => dictionary.clear(),
        }
    }
}
