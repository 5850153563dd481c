//! Which edges of another source become named slots.
//!
//! A Dart class names slots for all its objects. So a label is a field of a class if at least half of its objects
//! have such an edge; then no more than half of all slots are empty. Other edges follow without a name.

use heap_base::{Map, Result, sort_by_key};
use heap_record::{Retains, StringId, Types};
use heap_spool::{Ids, Links};

/// Labels counted; what comes later is no field.
const MAX_LABELS: usize = 1 << 20;
/// Fields of a class.
const MAX_FIELDS: usize = 1 << 10;

/// The fields of each class.
#[derive(Debug, Default)]
pub(super) struct Fields {
    /// By class: the labels of its slots.
    pub(super) labels: Vec<Vec<StringId>>,
    slots: Map<(u64, StringId), u32>,
    /// Edges with a name that is no field.
    pub(super) unnamed: u64,
}

impl Fields {
    /// Counts labels by class: `class` says that of a node, `objects` how many of them a class has.
    pub(super) fn new(
        links: &Links,
        ids: &Ids,
        types: &Types,
        classes: &[u32],
        objects: &[u64],
    ) -> Result<Self> {
        // How many nodes of a class have the label, and the last of them.
        let mut counts: Map<(u64, StringId), (u64, u32, u64)> = Map::default();
        let mut all = links.in_order();
        while let Some(link) = all.next()? {
            let (Some(label @ 0..), Some(node)) = (link.label, ids.find(link.source)) else { continue };
            if types.retains(link.subtype) == Retains::No {
                continue;
            }
            let key = (u64::from(classes[node as usize]), label);
            let order = counts.len() as u64;
            if counts.len() < MAX_LABELS || counts.contains_key(&key) {
                let count = counts.entry(key).or_insert((0, u32::MAX, order));
                // An edge of the same name from the same node takes no further slot. Where the edges of a node do not
                // come together this may count one twice; then a few more slots stay empty.
                if count.1 != node {
                    (count.0, count.1) = (count.0 + 1, node);
                }
            }
        }
        let mut fields = Self { labels: vec![Vec::new(); objects.len()], ..Self::default() };
        let mut sorted: Vec<_> = counts.into_iter().collect();
        sort_by_key(&mut sorted, |&(_, (_, _, order))| order);
        for ((class, label), (count, ..)) in sorted {
            let list = &mut fields.labels[class as usize];
            if count.saturating_mul(2) >= objects[class as usize] && list.len() < MAX_FIELDS {
                fields.slots.insert((class, label), list.len() as u32);
                list.push(label);
            }
        }
        Ok(fields)
    }

    /// The slot of an edge, if its class has one for it.
    pub(super) fn slot(&self, class: u64, label: StringId) -> Option<usize> {
        self.slots.get(&(class, label)).map(|&slot| slot as usize)
    }
}
