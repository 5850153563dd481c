//! Nodes by type name, and the table of classes.

use heap_base::{Map, NumberMap, Plus, Result, sort_by};
use heap_graph::{HeapGraph, NONE};

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
        sort_by(&mut rows, |a, b| {
            (b.retained, b.size).cmp(&(a.retained, a.size)).then_with(|| a.class.cmp(&b.class))
        });
        let left = rows.split_off(most.min(rows.len()));
        let mut rest = ClassRow { class: "<other>".to_owned(), ..ClassRow::default() };
        for row in &left {
            rest.count = rest.count.plus(row.count);
            rest.size = rest.size.plus(row.size);
        }
        Self { rows, others: left.len() as u64, rest }
    }
}

/// Nodes by type name.
pub(super) struct Groups {
    /// Each type name with its objects and their shallow bytes.
    pub(super) rows: Vec<ClassRow>,
    /// The first node of each.
    pub(super) firsts: Vec<u32>,
    /// Rows by class.
    classes: NumberMap<u32>,
    /// Rows by subtype, of nodes that have no class.
    subtypes: NumberMap<u32>,
}

impl Groups {
    pub(super) fn of_nodes(loaded: &NamedGraph) -> Result<Self> {
        let heap = &loaded.heap;
        let (classes, subtypes) = (NumberMap::new(NONE), NumberMap::new(NONE));
        let mut groups = Self { rows: Vec::new(), firsts: Vec::new(), classes, subtypes };
        let mut numbers: Map<String, u32> = Map::default();
        // Edges may be in a file.
        for node in 0..heap.sizes.len() as u32 {
            let known = match heap.class(node) {
                Some(class) => groups.classes.slot(class),
                None => groups.subtypes.slot(heap.subtypes.get(node) as i64),
            };
            if *known == NONE {
                let (rows, firsts) = (&mut groups.rows, &mut groups.firsts);
                *known = *numbers.entry(loaded.class(node)?).or_insert_with_key(|class| {
                    rows.push(ClassRow { class: class.clone(), ..ClassRow::default() });
                    firsts.push(node);
                    rows.len() as u32 - 1
                });
            }
            let row = &mut groups.rows[*known as usize];
            row.count += 1;
            row.size = row.size.plus(heap.sizes.get(node));
        }
        Ok(groups)
    }

    /// The number of the row of a node.
    pub(super) fn of(&self, heap: &HeapGraph, node: u32) -> Option<u32> {
        let row = match heap.class(node) {
            Some(class) => self.classes.get(class),
            None => self.subtypes.get(heap.subtypes.get(node) as i64),
        };
        (row != NONE).then_some(row)
    }
}
