//! Nodes by type name, and the table of classes.

use heap_base::Result;
use heap_graph::{Column, NONE};
use rustc_hash::FxHashMap;

use crate::graph::NamedGraph;

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
pub(super) struct Groups {
    names: Vec<String>,
    /// Group by node.
    of: Vec<u32>,
}

impl Groups {
    pub(super) fn of(loaded: &NamedGraph) -> Result<Self> {
        let heap = &loaded.heap;
        let nodes = heap.graph.nodes();
        let mut names: Vec<String> = Vec::new();
        let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
        let mut add = |name: String| {
            let next = names.len() as u32;
            *numbers.entry(name).or_insert_with_key(|name| {
                names.push(name.clone());
                next
            })
        };
        // By string id where that is small, as it is in dumps; by hash elsewhere.
        let mut dense: Vec<u32> = Vec::new();
        let mut sparse: FxHashMap<(Option<i64>, u64), u32> = FxHashMap::default();
        let mut of = Vec::with_capacity(nodes as usize);
        for node in 0..nodes {
            let class = heap.class(node);
            let known = match class {
                Some(class) if (0..1 << 24).contains(&class) => {
                    if class as usize >= dense.len() {
                        dense.resize(class as usize + 1, NONE);
                    }
                    &mut dense[class as usize]
                }
                class => {
                    let subtype = if class.is_none() { heap.subtypes.get(node) } else { 0 };
                    sparse.entry((class, subtype)).or_insert(NONE)
                }
            };
            if *known == NONE {
                *known = add(loaded.class(node)?);
            }
            of.push(*known);
        }
        Ok(Self { names, of })
    }

    pub(super) fn count(&self) -> u32 {
        self.names.len() as u32
    }

    pub(super) fn of_node(&self, node: u32) -> Option<u32> {
        self.of.get(node as usize).copied()
    }

    pub(super) fn name(&self, group: u32) -> &str {
        &self.names[group as usize]
    }

    /// The table; `retained` are bytes by group.
    pub(super) fn table(&self, sizes: &Column, retained: &[u64], most: usize) -> ClassTable {
        let mut rows: Vec<ClassRow> = self
            .names
            .iter()
            .zip(retained)
            .map(|(class, &retained)| ClassRow {
                class: class.clone(),
                retained: Some(retained),
                ..ClassRow::default()
            })
            .collect();
        for (node, &group) in (0..).zip(&self.of) {
            let row = &mut rows[group as usize];
            row.count += 1;
            row.size = row.size.saturating_add(sizes.get(node));
        }
        ClassTable::new(rows, most)
    }
}
