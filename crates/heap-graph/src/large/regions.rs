//! Regions: sets of nodes that are entered by one node alone, their head.

use heap_base::{BitSet, Result};

use super::lists::Lists;
use super::marked::Marked;
use super::records::Records;
use super::{Room, edges::Retaining};
use crate::graph::NONE;

/// Regions that grow from single nodes.
///
/// A node that is neither held nor a member yet, and whose referrers outside of its own region lie all in one other region,
/// joins that with all its members. So only the head of a region has referrers outside it. A region is the list of what its
/// head had when another one joined, then the list of that one: each referrer of a node that the node does not dominate
/// comes before it in that list.
pub(super) struct Regions {
    /// By node: of a member one further up in its region, of a head how many nodes its region has.
    up: Vec<u32>,
    members: BitSet,
    /// Heads that the root of the tree dominates immediately.
    held: BitSet,
    /// Who joined whom: the node, the head, and how many nodes the head had.
    joined: Records<3>,
    /// What was found out of nodes in the present sweep.
    found: u64,
}

/// The referrers of a node as far as they came, by region.
struct Referrers {
    node: u32,
    /// Regions of referrers, without the node's own; incomplete if the node is held.
    regions: Vec<u64>,
    /// The last of these that is held.
    held: u32,
    is_held: bool,
    /// Some regions have been written already.
    many: bool,
}

/// Sweeps at most.
const SWEEPS: u32 = 60;

impl Regions {
    /// Grows regions as far as sweeps in turn find many.
    pub(super) fn new(nodes: u32, retaining: &mut Retaining, room: Room) -> Result<Self> {
        let mut regions = Self {
            up: vec![1; nodes as usize],
            members: BitSet::new(nodes),
            held: std::mem::take(&mut retaining.held),
            joined: Records::new(room.block),
            found: 0,
        };
        let mut left = regions.sweep(&retaining.edges, true, room)?;
        for _ in 1..SWEEPS {
            if left.1 == 0 || regions.found * 64 < left.1 {
                break;
            }
            left = regions.sweep(&left.0, false, room)?;
        }
        Ok(regions)
    }

    /// The head of the region of a node.
    #[inline]
    fn head(&mut self, mut node: u32) -> u32 {
        while self.members.contains(node) {
            let up = self.up[node as usize];
            if !self.members.contains(up) {
                return up;
            }
            let further = self.up[up as usize];
            self.up[node as usize] = further;
            node = further;
        }
        node
    }

    /// Looks at all nodes of `lists`. Returns those that are heads still, with the heads of their referrers, and their number.
    fn sweep(&mut self, lists: &Lists, forwards: bool, room: Room) -> Result<(Lists, u64)> {
        let mut left = (Lists::new(0, room.block), 0);
        self.found = 0;
        let mut now = Referrers { node: NONE, regions: Vec::new(), held: NONE, is_held: false, many: false };
        lists.each(forwards, |node, referrers| {
            if node != now.node {
                self.settle(&mut now, &mut left)?;
                now = Referrers {
                    node,
                    regions: std::mem::take(&mut now.regions),
                    held: NONE,
                    is_held: self.held.contains(node),
                    many: false,
                };
                now.regions.clear();
            }
            for &referrer in referrers {
                if now.is_held {
                    break;
                }
                let head = self.head(referrer as u32);
                if head == node || now.regions.last() == Some(&head.into()) {
                    continue;
                }
                now.regions.push(head.into());
                if self.held.contains(head) {
                    // Two children of the root lead here, so nothing below the root dominates it.
                    now.is_held = now.held != NONE && now.held != head;
                    now.held = head;
                }
            }
            if now.regions.len() >= 1 << 12 {
                now.regions.sort_unstable();
                now.regions.dedup();
                if now.regions.len() >= 1 << 11 {
                    left.0.push(node, now.regions.iter().copied())?;
                    now.regions.truncate(1);
                    now.many = true;
                }
            }
            Ok(())
        })?;
        self.settle(&mut now, &mut left)?;
        left.0.close()?;
        Ok(left)
    }

    /// All referrers of a node have come.
    fn settle(&mut self, now: &mut Referrers, (left, count): &mut (Lists, u64)) -> Result {
        let node = now.node;
        if node == NONE {
            return Ok(());
        }
        if now.is_held {
            self.found += u64::from(!self.held.contains(node));
            self.held.insert(node);
            return Ok(());
        }
        now.regions.sort_unstable();
        now.regions.dedup();
        match now.regions[..] {
            [] => Ok(()),
            [head] if !now.many => {
                let head = head as u32;
                let (own, size) = (self.up[node as usize], self.up[head as usize]);
                self.joined.push([node, head, size])?;
                self.up[head as usize] = size + own;
                self.up[node as usize] = head;
                self.members.insert(node);
                self.found += 1;
                Ok(())
            }
            _ => {
                *count += 1;
                left.push(node, now.regions.iter().copied())
            }
        }
    }

    /// Places of the nodes: the root of the tree has the first one, regions are together, each head first. `reached` and
    /// `root` are those of [`Retaining`].
    pub(super) fn places(self, reached: &BitSet, root: u32) -> Result<Places> {
        let Self { up: mut places, members, held, joined, .. } = self;
        let nodes = places.len() as u32;
        let mut tops = Marked::new(u64::from(nodes) + 1);
        tops.insert(0);
        let mut next = 1;
        for node in reached.iter() {
            if node == root {
                places[node as usize] = 0;
            } else if !members.contains(node) {
                tops.insert(next);
                next += std::mem::replace(&mut places[node as usize], next);
            }
        }
        drop(members);
        joined.each(false, |[node, head, before]| {
            places[node as usize] = places[head as usize] + before;
            Ok(())
        })?;
        Ok(Places { of: places, tops, held, count: next })
    }
}

/// Where the nodes are in the order in which the tree grows.
pub(super) struct Places {
    /// By node, for those that the root reaches.
    pub(super) of: Vec<u32>,
    /// Places of heads, and that of the root of the tree.
    pub(super) tops: Marked,
    /// Heads that the root of the tree dominates immediately, by node.
    pub(super) held: BitSet,
    /// How many places there are.
    pub(super) count: u32,
}
