//! Counts the fields that a target format cannot hold.

use heap_base::json::{each, inside};
use heap_base::{Map, sort_by_key};
use heap_record::{LeftOut, Node, Types};

/// Whether metadata need not be counted as left out: that of the stream, of `heap`, and of the target's own namespace.
/// Counts that of other sources in `left_out`.
pub fn keeps_metadata(key: &str, own: &str, left_out: &mut LeftOut) -> bool {
    let Some((space, _)) = key.split_once('.') else { return true };
    let kept = space == "heap" || space == own;
    if !kept {
        left_out.add(&format!("{space} metadata"), 1);
    }
    kept
}

/// Stands for the subtype where fields of namespaces are counted.
const NAMESPACES: u32 = u32::MAX;

/// More fields than a subtype of any source has: what comes beyond is counted together, or a node of a million fields would
/// take as many look-ups in as long a list.
const MOST: usize = 64;

/// Fields that were left out, by name. A field that was met before costs a comparison or two and no allocation.
///
/// Memory: what 64 names for each subtype take.
#[derive(Debug, Default)]
pub struct Lost {
    /// By subtype, since fields of different subtypes share names.
    fields: Map<u32, Vec<(Box<str>, u64)>>,
    others: u64,
}

impl Lost {
    fn count(&mut self, subtype: u32, parts: [&str; 2]) {
        let [space, key] = parts;
        let list = self.fields.entry(subtype).or_default();
        let full = list.len() >= MOST;
        let is = |name: &str| {
            name.strip_prefix(space).is_some_and(|rest| {
                if space.is_empty() { rest == key } else { rest.strip_prefix('.') == Some(key) }
            })
        };
        match list.iter_mut().find(|(name, _)| is(name)) {
            Some((_, count)) => *count += 1,
            None if full => self.others += 1,
            None if space.is_empty() => list.push((key.into(), 1)),
            None => list.push((format!("{space}.{key}").into(), 1)),
        }
    }

    /// Counts a field `heap.key` or the like.
    pub fn add(&mut self, space: &str, key: &str) {
        self.count(NAMESPACES, [space, key]);
    }

    /// Counts a subtype's own fields, except those in `kept`.
    pub fn own(&mut self, subtype: u32, members: &[u8], kept: &[&str]) {
        for (key, _) in each(members).filter(|(key, _)| !kept.contains(key)) {
            self.count(subtype, ["", key]);
        }
    }

    /// Counts the fields in namespaces, except those in `kept` (namespace and key).
    pub fn rest(&mut self, members: &[u8], kept: &[(&str, &str)]) {
        for (space, value) in each(members) {
            match inside(value) {
                Some(fields) => {
                    for (key, _) in each(fields).filter(|&(key, _)| !kept.contains(&(space, key))) {
                        self.count(NAMESPACES, [space, key]);
                    }
                }
                None => self.count(NAMESPACES, ["", space]),
            }
        }
    }

    /// Counts what analyses add to a node, and unknown fields beside it.
    pub fn annotations(&mut self, node: &Node<'_>) {
        let heap = &node.heap;
        for (there, key) in [
            (heap.retained.is_some(), "retained"),
            (heap.retained_from.is_some(), "retained_from"),
            (heap.idom.is_some(), "idom"),
            (heap.distance.is_some(), "distance"),
            (heap.reachable.is_some(), "reachable"),
        ] {
            if there {
                self.add("heap", key);
            }
        }
        for (key, _) in each(heap.rest) {
            self.add("heap", key);
        }
    }

    /// Moves the counts to `out`; fields of a subtype are called `subtype.field`.
    pub fn move_to(&mut self, types: &Types, out: &mut LeftOut) {
        let mut all: Vec<_> = self.fields.drain().collect();
        sort_by_key(&mut all, |&(subtype, _)| subtype);
        for (subtype, fields) in all {
            for (name, count) in fields {
                if subtype == NAMESPACES {
                    out.add(&name, count);
                } else {
                    out.add(&format!("{}.{name}", types.node_name(subtype)), count);
                }
            }
        }
        out.add("others", std::mem::take(&mut self.others));
    }
}
