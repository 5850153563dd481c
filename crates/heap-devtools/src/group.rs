//! Nodes in the groups of the summary view, and what each group adds up to.

use heap_base::{Map, Plus};
use heap_graph::{Analysis, Column, DomTree, Ids, NONE, group_retained};
use heap_record::Value;

use crate::interfaces::Interfaces;

/// Distance of nodes that nothing leads to, as DevTools has it.
pub const NO_DISTANCE: i64 = -5;

/// Where the source of an object's class stands: script, line and column.
pub(crate) type Location = (i64, i64, i64);

/// A row of the summary view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// What identifies the group: `script,line,column,class` or `,class`.
    pub key: String,
    /// The class: what a row of the view is called.
    pub class: String,
    /// How many nodes; those without a size are none.
    pub count: u64,
    /// Their shallow bytes.
    pub size: u64,
    /// Bytes that would go with all of them.
    pub retained: u64,
    /// The smallest distance, or [`NO_DISTANCE`]. From [`heap_graph::SYSTEM`] on only the virtual machine
    /// leads to them.
    pub distance: i64,
}

/// The nodes of a snapshot with their sizes and groups.
#[derive(Debug)]
pub struct Grouped {
    ids: Ids,
    sizes: Column,
    /// Group by node.
    group: Vec<u32>,
    /// Class and key by group.
    pub(crate) groups: Vec<(u32, String)>,
    pub(crate) classes: Vec<Box<str>>,
    interfaces: Interfaces,
    lasting: bool,
}

/// What [`Grouped`] takes over.
pub(crate) struct Parts {
    pub(crate) ids: Ids,
    pub(crate) sizes: Column,
    pub(crate) node_classes: Vec<u32>,
    pub(crate) interfaces: Interfaces,
    pub(crate) lasting: bool,
}

impl Grouped {
    /// `located` says which nodes have a location in `places`, ascending.
    pub(crate) fn new(
        parts: Parts,
        classes: Vec<Box<str>>,
        places: &[Location],
        located: &[(u32, u32)],
    ) -> Self {
        let Parts { ids, sizes, node_classes: mut group, interfaces, lasting } = parts;
        let mut groups: Vec<(u32, String)> = Vec::new();
        let mut numbers: Map<(Option<u32>, u32), u32> = Map::default();
        let mut located = located.iter().peekable();
        for (node, slot) in group.iter_mut().enumerate() {
            let place = located.next_if(|l| l.0 as usize == node).map(|l| l.1);
            let class = *slot;
            *slot = *numbers.entry((place, class)).or_insert_with(|| {
                let text = &classes[class as usize];
                let key = match place.map(|place| places[place as usize]) {
                    Some((script, line, column)) => format!("{script},{line},{column},{text}"),
                    None => format!(",{text}"),
                };
                groups.push((class, key));
                groups.len() as u32 - 1
            });
        }
        Self { ids, sizes, group, groups, classes, interfaces, lasting }
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> u32 {
        self.group.len() as u32
    }

    /// Identifiers by node; nodes are in the order of their records.
    pub fn ids(&self) -> &Ids {
        &self.ids
    }

    /// Identifier of a node.
    pub fn id(&self, node: u32) -> Value {
        self.ids.get(node)
    }

    /// Shallow sizes by node, those of backing stores moved to the objects that own them.
    pub fn sizes(&self) -> &Column {
        &self.sizes
    }

    /// Class of a node.
    pub fn class(&self, node: u32) -> &str {
        &self.classes[self.groups[self.group[node as usize] as usize].0 as usize]
    }

    /// The names that were given to plain objects, to group another snapshot by.
    pub fn interfaces(&self) -> &Interfaces {
        &self.interfaces
    }

    /// Whether an object has the same identifier in another snapshot of the same process.
    pub fn lasting(&self) -> bool {
        self.lasting
    }

    /// Group and size of a node; `None` if it has no size and so no part in any view.
    pub(crate) fn counted(&self, node: u32) -> Option<(u32, u64)> {
        let size = self.sizes.get(node);
        (size > 0).then(|| (self.group[node as usize], size))
    }
}

/// A snapshot as the summary view shows it.
#[derive(Debug)]
pub struct Built {
    grouped: Grouped,
    analysis: Analysis,
}

impl Built {
    pub(crate) fn new(grouped: Grouped, analysis: Analysis) -> Self {
        Self { grouped, analysis }
    }

    /// Nodes with their sizes, classes and groups.
    pub fn grouped(&self) -> &Grouped {
        &self.grouped
    }

    /// Shallow sizes by node, in the order of the records.
    pub fn sizes(&self) -> &Column {
        self.grouped.sizes()
    }

    /// Class of a node.
    pub fn class(&self, node: u32) -> &str {
        self.grouped.class(node)
    }

    /// Dominators, retained sizes and distances by node, worked out with these sizes.
    pub fn analysis(&self) -> &Analysis {
        &self.analysis
    }

    /// Distance of a node, [`NO_DISTANCE`] where nothing leads to it.
    pub fn distance(&self, node: u32) -> i64 {
        match self.analysis.distance[node as usize] {
            NONE => NO_DISTANCE,
            distance => distance.into(),
        }
    }

    /// The rows of the summary view, in the order in which their first nodes come.
    pub fn aggregates(&self) -> Vec<Group> {
        let grouped = &self.grouped;
        let mut totals = vec![(0u64, 0u64, i64::MAX); grouped.groups.len()];
        for node in 0..grouped.nodes() {
            if let Some((group, size)) = grouped.counted(node) {
                let total = &mut totals[group as usize];
                total.0 += 1;
                total.1 = total.1.plus(size);
                total.2 = total.2.min(self.distance(node));
            }
        }
        let tree = DomTree::new(self.analysis.root, &self.analysis.idom);
        let group = |node: u32| grouped.counted(node).map(|counted| counted.0);
        let retained = group_retained(&tree, &self.analysis.retained, totals.len() as u32, group);
        let rows = grouped.groups.iter().zip(totals).zip(retained);
        rows.filter(|((_, total), _)| total.0 > 0)
            .map(|(((class, key), (count, size, distance)), retained)| Group {
                key: key.clone(),
                class: grouped.classes[*class as usize].to_string(),
                count,
                size,
                retained,
                distance,
            })
            .collect()
    }
}
