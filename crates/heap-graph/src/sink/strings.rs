//! Classes and names of nodes.

use heap_base::BitSet;
use heap_record::StringId;

use crate::column::Column;

/// String ids of the class and the name of each node. Most sources give a node one of both, so one column has that, a bit says
/// which it is, and another column, which takes nothing while it is empty, has the names of nodes with a class.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeStrings {
    /// The class; of nodes without one the name.
    first: Column,
    /// Nodes without a class.
    named: BitSet,
    /// The name of nodes with a class.
    second: Column,
}

impl NodeStrings {
    /// Appends a node.
    #[inline]
    pub(super) fn push(&mut self, class: Option<StringId>, name: Option<StringId>) {
        if class.is_none() && name.is_some() {
            self.named.insert(self.first.len() as u32);
        }
        self.first.push(code_of(class.or(name)));
        self.second.push(if class.is_some() { code_of(name) } else { 0 });
    }

    /// Appends nodes that have one of both.
    pub(super) fn extend(
        &mut self,
        nodes: impl Iterator<Item = (Option<StringId>, Option<StringId>)> + Clone,
    ) {
        for (node, (class, name)) in (self.first.len() as u32..).zip(nodes.clone()) {
            if class.is_none() && name.is_some() {
                self.named.insert(node);
            }
        }
        self.second.extend(nodes.clone().map(|_| 0));
        self.first.extend(nodes.map(|(class, name)| code_of(class.or(name))));
    }

    /// Replaces those of a node.
    pub(super) fn set(&mut self, node: u32, class: Option<StringId>, name: Option<StringId>) {
        if class.is_none() && name.is_some() {
            self.named.insert(node);
        } else {
            self.named.remove(node);
        }
        self.first.set(node, code_of(class.or(name)));
        self.second.set(node, if class.is_some() { code_of(name) } else { 0 });
    }

    /// Those of the nodes that `order` names, in its order.
    pub(super) fn picked(&self, order: &[u32]) -> Self {
        let mut picked = Self::default();
        for &node in order {
            picked.push(self.class(node), self.name(node));
        }
        picked
    }

    /// Gives unused capacity back.
    pub(super) fn shrink(&mut self) {
        self.first.shrink();
        self.second.shrink();
    }

    /// Bytes of memory that they take.
    pub(super) fn bytes(&self) -> u64 {
        self.first.bytes() + self.second.bytes() + self.named.words().len() as u64 * 8
    }

    /// Takes less memory where few nodes have both.
    pub(super) fn tighten(&mut self) {
        self.second.tighten();
    }

    /// The class of a node.
    #[inline]
    pub(super) fn class(&self, node: u32) -> Option<StringId> {
        let has = !self.first.is_empty() && !self.named.contains(node);
        if has { string_of(self.first.get(node)) } else { None }
    }

    /// The classes of all nodes in order.
    pub(super) fn classes(&self) -> impl Iterator<Item = Option<StringId>> + '_ {
        let codes = (0..).zip(self.first.iter());
        codes.map(|(node, code)| if self.named.contains(node) { None } else { string_of(code) })
    }

    /// The name of a node.
    #[inline]
    pub(super) fn name(&self, node: u32) -> Option<StringId> {
        if self.first.is_empty() {
            return None;
        }
        let column = if self.named.contains(node) { &self.first } else { &self.second };
        string_of(column.get(node))
    }
}

/// String ids as small numbers, zero for none. Ids of array indexes are negative.
pub(super) const fn code_of(string: Option<StringId>) -> u64 {
    match string {
        Some(id) => ((id << 1 ^ id >> 63) as u64).saturating_add(1),
        None => 0,
    }
}

#[inline]
pub(super) fn string_of(code: u64) -> Option<StringId> {
    let folded = code.checked_sub(1)?;
    Some((folded >> 1) as i64 ^ -((folded & 1) as i64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_and_name_are_those_that_were_given() {
        let of = |n: i64| ((n % 3 > 0).then_some(n % 7 - 3), (n % 5 > 1).then_some(n << (n % 30)));
        let all: Vec<_> = (0..2000).map(of).collect();
        let mut strings = NodeStrings::default();
        for &(class, name) in &all {
            strings.push(class, name);
        }
        let order: Vec<u32> = (0..2000).rev().step_by(3).collect();
        let picked = strings.picked(&order);
        for (at, &node) in (0..).zip(&order) {
            assert_eq!((picked.class(at), picked.name(at)), all[node as usize]);
        }
        for (node, &(class, name)) in (0..).zip(all.iter().rev()) {
            strings.set(node, class, name);
        }
        for (node, &both) in (0..).zip(all.iter().rev()) {
            assert_eq!((strings.class(node), strings.name(node)), both, "{node}");
        }
        assert_eq!(NodeStrings::default().class(0).or(NodeStrings::default().name(0)), None);
    }
}
