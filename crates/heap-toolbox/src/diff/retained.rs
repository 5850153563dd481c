//! What the nodes of one snapshot retain, where the stream says it: by class, and by any set of them.

use heap_base::Map;
use heap_ops::stream::Annotated;
use heap_record::Node;

/// What the selected nodes retain, and the groups that they are in. Memory: 20 bytes a node.
#[derive(Debug, Default)]
pub(super) struct Retained {
    annotated: Annotated,
    /// The group of each node, by its place.
    group_of: Vec<u32>,
    /// By group; equal names have the same.
    groups: Vec<u64>,
    known: bool,
    /// The groups are those of all nodes.
    added: bool,
}

impl Retained {
    /// Takes a node in; gives its place.
    pub(super) fn push(&mut self, node: &Node<'_>, group: u32) -> u32 {
        let place = self.annotated.push(node);
        if self.annotated.is_lacking() {
            self.group_of = Vec::new();
        } else {
            self.group_of.push(group);
        }
        place
    }

    /// Adds up by group, once all nodes are there; `names` are those of the groups.
    pub(super) fn add_up(&mut self, names: &[String]) {
        if std::mem::replace(&mut self.added, true) {
            return;
        }
        let mut first: Map<&str, u32> = Map::default();
        let same: Vec<u32> = (0..).zip(names).map(|(i, name)| *first.entry(name).or_insert(i)).collect();
        let sets = (0..).zip(&self.group_of).map(|(place, &group)| (same[group as usize], place));
        let mut groups = vec![0; names.len()];
        for (group, bytes) in self.annotated.of_sets(sets) {
            groups[group as usize] = bytes;
        }
        for (i, &first) in same.iter().enumerate() {
            groups[i] = groups[first as usize];
        }
        (self.groups, self.known) = (groups, self.annotated.is_known());
    }

    /// Forgets single nodes, which are added up.
    pub(super) fn forget_nodes(&mut self) {
        if self.known {
            (self.annotated, self.group_of) = (Annotated::default(), Vec::new());
        }
    }

    /// Whether there are nodes, and all say enough.
    pub(super) fn is_known(&self) -> bool {
        self.known
    }

    /// Whether a node does not say enough.
    pub(super) fn is_lacking(&self) -> bool {
        self.annotated.is_lacking()
    }

    /// What each group retains, by number.
    pub(super) fn of_groups(&self) -> &[u64] {
        &self.groups
    }

    /// What each of some sets retains; the nodes come as number of the set and place.
    pub(super) fn of_sets(&self, nodes: Vec<(u32, u32)>) -> Vec<(u32, u64)> {
        self.annotated.of_sets(nodes)
    }
}
