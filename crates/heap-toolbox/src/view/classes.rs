//! Nodes by type name, and the table of classes.

use heap_base::{Map, Result};
use heap_graph::{HeapGraph, NONE};
use heap_record::StringId;

use heap_ops::graph::NamedGraph;

/// One type name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassRow {
    /// The type name.
    pub class: String,
    /// Objects.
    pub count: u64,
    /// Their shallow bytes.
    pub size: u64,
    /// What they retain together; `None` where that is not known.
    pub retained: Option<u64>,
}

/// Classes, those that retain most first, and what they leave over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassTable {
    /// The rows.
    pub rows: Vec<ClassRow>,
    /// How many classes have no row.
    pub others: u64,
    /// Their objects and shallow bytes.
    pub rest: ClassRow,
}

impl ClassTable {
    /// The table of rows that retain so many bytes each.
    pub(super) fn retaining(mut rows: Vec<ClassRow>, retained: &[u64], most: usize) -> Self {
        rows.iter_mut().zip(retained).for_each(|(row, &retained)| row.retained = Some(retained));
        Self::new(rows, most)
    }

    /// Sorts rows, and adds up those beyond `most`.
    pub fn new(mut rows: Vec<ClassRow>, most: usize) -> Self {
        rows.sort_by(|a, b| {
            (b.retained, b.size).cmp(&(a.retained, a.size)).then_with(|| a.class.cmp(&b.class))
        });
        let left = rows.split_off(most.min(rows.len()));
        let mut rest = ClassRow { class: "<other>".to_owned(), ..ClassRow::default() };
        for row in &left {
            rest.count = rest.count.saturating_add(row.count);
            rest.size = rest.size.saturating_add(row.size);
        }
        Self { rows, others: left.len() as u64, rest }
    }
}

/// Nodes by type name.
#[derive(Default)]
pub(super) struct Groups {
    /// Each type name with its objects and their shallow bytes.
    pub(super) rows: Vec<ClassRow>,
    /// Rows by string id where that is small, as it is in dumps; by hash elsewhere.
    dense: Vec<u32>,
    sparse: Map<(Option<StringId>, u64), u32>,
}

/// Where a row is.
enum Slot {
    Dense(usize),
    Sparse((Option<StringId>, u64)),
}

impl Slot {
    fn of(heap: &HeapGraph, node: u32) -> Self {
        match heap.class(node) {
            Some(class) if (0..1 << 24).contains(&class) => Self::Dense(class as usize),
            Some(class) => Self::Sparse((Some(class), 0)),
            None => Self::Sparse((None, heap.subtypes.get(node))),
        }
    }
}

impl Groups {
    pub(super) fn of_nodes(loaded: &NamedGraph) -> Result<Self> {
        let heap = &loaded.heap;
        let mut groups = Self::default();
        let mut numbers: Map<String, u32> = Map::default();
        for node in 0..heap.graph.nodes() {
            let known = match Slot::of(heap, node) {
                Slot::Dense(at) => {
                    if at >= groups.dense.len() {
                        groups.dense.resize(at + 1, NONE);
                    }
                    &mut groups.dense[at]
                }
                Slot::Sparse(key) => groups.sparse.entry(key).or_insert(NONE),
            };
            if *known == NONE {
                let rows = &mut groups.rows;
                *known = *numbers.entry(loaded.class(node)?).or_insert_with_key(|class| {
                    rows.push(ClassRow { class: class.clone(), ..ClassRow::default() });
                    rows.len() as u32 - 1
                });
            }
            let row = &mut groups.rows[*known as usize];
            row.count += 1;
            row.size = row.size.saturating_add(heap.sizes.get(node));
        }
        Ok(groups)
    }

    /// The number of the row of a node.
    pub(super) fn of(&self, heap: &HeapGraph, node: u32) -> Option<u32> {
        match Slot::of(heap, node) {
            Slot::Dense(at) => self.dense.get(at).copied(),
            Slot::Sparse(key) => self.sparse.get(&key).copied(),
        }
    }
}
