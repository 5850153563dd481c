//! Retained sizes, and their sums by group without counting nested nodes twice.

use std::ops::Range;

use heap_base::{Plus, join};

use crate::column::Column;
use crate::dominators::Dominators;
use crate::graph::NONE;
use crate::outline::{Outline, Outlined};

/// Trees with fewer nodes are not worth a second thread.
pub(crate) const THREAD_FROM: u32 = if cfg!(test) { 50 } else { 1 << 20 };

/// Shallow bytes by place.
fn sizes_by_place<T: FromIterator<u64>>(nodes: &[u32], sizes: &Column) -> T {
    let known = sizes.len() as u32;
    nodes.iter().map(|&node| if node < known { sizes.get(node) } else { 0 }).collect()
}

/// Bytes that would go with each node of the tree, its own and those of all it dominates, from its own, by place. Sums
/// that do not fit stay at the largest number.
fn add_up(up: &[u32], mut sizes: Vec<u64>) -> Vec<u64> {
    for place in (1..sizes.len()).rev() {
        let own = sizes[place];
        let slot = &mut sizes[up[place] as usize];
        *slot = slot.plus(own);
    }
    sizes
}

/// Bytes that would go with each of as many nodes as there are sizes. Nodes outside the tree have zero.
pub fn retained(dominators: &Dominators, sizes: &Column) -> Vec<u64> {
    let Dominators { nodes, up, .. } = dominators;
    by_node(nodes, &add_up(up, sizes_by_place(nodes, sizes)), sizes.len())
}

/// Bytes by node from those by place; zero where a node has no place.
pub(crate) fn by_node(nodes: &[u32], by_place: &[u64], count: usize) -> Vec<u64> {
    let mut bytes = vec![0; count];
    for (&node, &sum) in nodes.iter().zip(by_place) {
        if let Some(slot) = bytes.get_mut(node as usize) {
            *slot = sum;
        }
    }
    bytes
}

/// Where the retained bytes of each of as many nodes as there are sizes begin, when those of the whole tree are laid out
/// depth first, in ascending order of nodes: what a node retains lies inside of what its dominators retain, behind their own
/// bytes, and apart from all else. `None` if the sizes add up to 2^64 or more. `retained` is that of [`retained`]; nodes
/// outside the tree have zero.
pub fn ranges(dominators: &Dominators, sizes: &Column, retained: &[u64]) -> Option<Vec<u64>> {
    let Dominators { nodes, up, .. } = dominators;
    // By place: where the next one begins of those that it dominates, from where it begins itself.
    let mut next: Vec<u64> = sizes_by_place(nodes, sizes);
    let mut sum = 0u64;
    for &size in &next {
        sum = sum.checked_add(size)?;
    }
    let mut places = vec![NONE; retained.len()];
    for (place, &node) in (0..).zip(nodes).skip(1) {
        if let Some(slot) = places.get_mut(node as usize) {
            *slot = place;
        }
    }
    let mut from = vec![0u64; retained.len()];
    for ((&place, &bytes), slot) in places.iter().zip(retained).zip(&mut from) {
        if place != NONE {
            let next = &mut next[up[place as usize] as usize];
            *slot = *next;
            *next += bytes;
        }
    }
    for place in 1..nodes.len() {
        let above = from.get(nodes[up[place] as usize] as usize).copied().unwrap_or(0);
        if let Some(slot) = from.get_mut(nodes[place] as usize) {
            *slot += above;
        }
    }
    Some(from)
}

/// How many bytes these ranges cover together; each is where it begins and its length, and they come in ascending order.
pub fn covered(ranges: impl IntoIterator<Item = (u64, u64)>) -> u64 {
    let (mut sum, mut end) = (0u64, 0u64);
    for (from, bytes) in ranges {
        let to = from.plus(bytes);
        sum = sum.plus(to.saturating_sub(from.max(end)));
        end = end.max(to);
    }
    sum
}

/// What sums by group ask of the nodes, by place.
pub(crate) struct Grouped {
    /// Shallow bytes.
    sizes: Column,
    /// One more than where each belongs; zero if nowhere. Empty where there are no groups.
    groups: Column,
}

impl Grouped {
    /// Looks everything up; `group` says where a node belongs below `groups`, `None` leaves it out.
    pub(crate) fn new(
        nodes: &[u32],
        sizes: &Column,
        groups: u32,
        group: impl Fn(u32) -> Option<u32>,
    ) -> Self {
        let known = sizes.len() as u32;
        let size = |&node: &u32| if node < known { sizes.get(node) } else { 0 };
        let of =
            |&node: &u32| if node < known { group(node).map_or(0, |group| u64::from(group) + 1) } else { 0 };
        let grouped = if groups == 0 { &[] } else { nodes };
        Self { sizes: nodes.iter().map(size).collect(), groups: grouped.iter().map(of).collect() }
    }

    /// Where the node of a place belongs; [`NONE`] if nowhere.
    #[inline]
    fn group(&self, place: u32) -> u32 {
        if self.groups.is_empty() { NONE } else { (self.groups.get(place) as u32).wrapping_sub(1) }
    }

    /// The retained size of each group below `groups`: the sum over its nodes that are not below another node of the
    /// same group in the dominator tree, which is given by `up`.
    ///
    /// # Panics
    /// If a node belongs to a group that is not below `groups`.
    pub(crate) fn sums(&self, up: &[u32], groups: u32) -> Vec<u64> {
        let mut sums = Sums::new(groups);
        let (places, ends) = sorted(up);
        for ((at, place), end) in (0..).zip(places).zip(ends) {
            sums.visit(at..end, self.group(place), self.sizes.get(place));
        }
        sums.end()
    }

    /// The same, with all nodes by rank, and `then` when most memory is free again. `n` is how many nodes there are, in the
    /// tree or not.
    pub(crate) fn outlined<T: Send>(
        self,
        tree: Dominators,
        groups: u32,
        n: usize,
        then: impl FnOnce() -> T + Send,
    ) -> (Outlined, T) {
        let two = tree.up.len() as u32 >= THREAD_FROM;
        let Sorted { places, ends, ranks } = sorted_by_node(&tree.nodes, &tree.up, n);
        let Dominators { nodes, up, reachable, rules } = tree;
        drop(up);
        let grouped = if self.groups.is_empty() { &[][..] } else { &places };
        let by_rank = |column: &Column, places: &[u32]| {
            let mut by_rank: Column = places.iter().map(|&place| column.get(place)).collect();
            by_rank.shrink();
            by_rank
        };
        let (own, of) = join(two, || by_rank(&self.sizes, &places), || by_rank(&self.groups, grouped));
        drop(self);
        let outline = move || {
            let mut by_rank = places;
            for slot in &mut by_rank {
                *slot = nodes[*slot as usize];
            }
            drop(nodes);
            Outline::new(by_rank, ends, ranks, own)
        };
        let (outline, then) = join(two, outline, then);
        let sums = outline.sums(&of, groups);
        (Outlined { outline, groups: of, sums, reachable, rules }, then)
    }
}

/// Retained sizes of groups, nested nodes counted once, out of nodes that come depth first.
///
/// All that a node dominates comes right after it, so what it retains is the difference of the bytes before it and behind
/// all of that.
pub(crate) struct Sums {
    /// By group, of the nodes that are behind.
    retained: Vec<u64>,
    /// Whether the way down to the present node has met the group.
    is_open: Vec<bool>,
    /// The groups it has met: the group, where the node that it met first ends, and the bytes before that.
    open: Vec<(u32, u32, u128)>,
    bytes: u128,
}

impl Sums {
    pub(crate) fn new(groups: u32) -> Self {
        let (retained, is_open) = (vec![0; groups as usize], vec![false; groups as usize]);
        Self { retained, is_open, open: Vec::new(), bytes: 0 }
    }

    /// The next node: where it and all that it dominates come, its group or [`NONE`], and its own bytes. Nodes without
    /// bytes that belong to no group may be left out.
    #[inline]
    pub(crate) fn visit(&mut self, places: Range<u32>, group: u32, size: u64) {
        while let Some(done) = self.open.pop_if(|(_, end, _)| *end <= places.start) {
            self.close(done);
        }
        if group != NONE && !std::mem::replace(&mut self.is_open[group as usize], true) {
            self.open.push((group, places.end, self.bytes));
        }
        self.bytes += u128::from(size);
    }

    #[inline]
    fn close(&mut self, (group, _, before): (u32, u32, u128)) {
        self.is_open[group as usize] = false;
        let sum = &mut self.retained[group as usize];
        *sum = sum.plus(u64::try_from(self.bytes - before).unwrap_or(u64::MAX));
    }

    /// The sums, when no more nodes come. They stay at the largest number where they do not fit.
    pub(crate) fn end(mut self) -> Vec<u64> {
        while let Some(done) = self.open.pop() {
            self.close(done);
        }
        self.retained
    }
}

/// Places depth first, so that each comes right before all that it dominates, and the ends of that.
fn sorted(up: &[u32]) -> (Vec<u32>, Vec<u32>) {
    // How many places each one dominates, itself included; then where the next one goes of those that it dominates.
    let mut next = vec![1u32; up.len()];
    for place in (1..up.len()).rev() {
        next[up[place] as usize] += next[place];
    }
    let (mut places, mut ends) = (vec![0; up.len()], vec![0; up.len()]);
    if let (Some(end), Some(next)) = (ends.first_mut(), next.first_mut()) {
        *end = std::mem::replace(next, 1);
    }
    for place in 1..up.len() {
        let many = next[place];
        let slot = &mut next[up[place] as usize];
        let at = *slot;
        *slot += many;
        next[place] = at + 1;
        places[at as usize] = place as u32;
        ends[at as usize] = at + many;
    }
    (places, ends)
}

/// The places of a dominator tree depth first, what a node dominates in ascending order of nodes.
struct Sorted {
    /// Place by rank.
    places: Vec<u32>,
    /// The rank behind all that the node of a rank dominates.
    ends: Vec<u32>,
    /// Rank by node; [`NONE`] outside the tree.
    ranks: Vec<u32>,
}

/// As [`sorted`], but by node and not by place, so that the numbering says nothing. `n` is how many nodes there are.
fn sorted_by_node(nodes: &[u32], up: &[u32], n: usize) -> Sorted {
    let counts = || {
        let mut counts = vec![1u32; up.len()];
        for place in (1..up.len()).rev() {
            counts[up[place] as usize] += counts[place];
        }
        counts
    };
    // The place of each node.
    let places = || {
        let mut places = vec![NONE; n];
        for (place, &node) in (0..).zip(nodes) {
            if let Some(slot) = places.get_mut(node as usize) {
                *slot = place;
            }
        }
        places
    };
    let (counts, mut ranks) = join(up.len() as u32 >= THREAD_FROM, counts, places);
    // How far behind its dominator each place comes, then its rank. The next one that a place dominates comes `next` behind.
    let (mut at, mut next) = (vec![0u32; up.len()], vec![1u32; up.len()]);
    for &place in ranks.iter().filter(|&&place| place != NONE && place != 0) {
        let place = place as usize;
        let slot = &mut next[up[place] as usize];
        at[place] = *slot;
        *slot += counts[place];
    }
    for place in 1..up.len() {
        at[place] += at[up[place] as usize];
    }
    let mut places = next;
    for (place, &rank) in (0..).zip(&at) {
        places[rank as usize] = place;
    }
    for slot in ranks.iter_mut().filter(|slot| **slot != NONE) {
        *slot = at[*slot as usize];
    }
    drop(at);
    let ends = (0..).zip(&places).map(|(rank, &place): (u32, &u32)| rank + counts[place as usize]).collect();
    Sorted { places, ends, ranks }
}

/// The dominator tree from the top: children of each node in ascending order. 8·N bytes.
#[derive(Clone, Debug)]
pub struct DomTree {
    root: u32,
    /// Where the children of each node end, the root of the tree included; they begin where those of the node before end.
    ends: Vec<u32>,
    children: Vec<u32>,
}

impl DomTree {
    /// The tree that `idom` and `root` of [`Dominators`] or [`Analysis`](crate::Analysis) describe.
    pub fn new(root: u32, idom: &[u32]) -> Self {
        // First how many children each node has, then where they begin, and at last where they end.
        let mut ends = vec![0u32; idom.len() + 1];
        for &above in idom {
            if let Some(count) = ends.get_mut(above as usize) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for slot in &mut ends {
            sum += std::mem::replace(slot, sum);
        }
        let mut children = vec![0; sum as usize];
        for (node, &above) in (0..).zip(idom) {
            if let Some(slot) = ends.get_mut(above as usize) {
                children[*slot as usize] = node;
                *slot += 1;
            }
        }
        Self { root, ends, children }
    }

    /// The root of the tree; equal to the number of nodes if it is none of them.
    pub fn root(&self) -> u32 {
        self.root
    }

    /// What `node` dominates immediately, ascending.
    #[inline]
    pub fn children(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        self.children[self.range(node)].iter().copied()
    }

    /// Where the children of `node` are.
    #[inline]
    fn range(&self, node: u32) -> Range<usize> {
        let end = |node: usize| self.ends.get(node).map_or(self.children.len(), |&end| end as usize);
        (node as usize).checked_sub(1).map_or(0, end)..end(node as usize)
    }

    /// Goes over the tree from the top, each node before and after what it dominates. `enter` says whether to go
    /// below the node; `leave` is called for every node entered.
    pub fn visit(&self, mut enter: impl FnMut(u32) -> bool, mut leave: impl FnMut(u32)) {
        // Places among the children of what was entered and not left, the root left out.
        let mut open: Vec<u32> = Vec::new();
        let last = |open: &[u32]| open.last().map_or(self.root, |&at| self.children[at as usize]);
        loop {
            let node = last(&open);
            let below = if enter(node) { self.range(node) } else { 0..0 };
            if !below.is_empty() {
                open.push(below.start as u32);
                continue;
            }
            loop {
                leave(last(&open));
                let Some(at) = open.pop() else { return };
                if (at as usize) + 1 < self.range(last(&open)).end {
                    open.push(at + 1);
                    break;
                }
            }
        }
    }
}

/// The retained size of each group below `groups`: the sum over its nodes that are not below another node of the
/// same group in the dominator tree, which is known by node. `group` says where a node belongs; `None` leaves it out.
///
/// # Panics
/// If `group` gives a number that is not below `groups`.
pub fn group_retained(
    tree: &DomTree,
    retained: &[u64],
    groups: u32,
    group: impl Fn(u32) -> Option<u32>,
) -> Vec<u64> {
    let mut sums = vec![0u64; groups as usize];
    // The node of each group that is on the way from the root to the present node.
    let mut open = vec![NONE; groups as usize];
    let of = |node: u32| if (node as usize) < retained.len() { group(node) } else { None };
    let open_cells: &[std::cell::Cell<u32>] = std::cell::Cell::from_mut(&mut open[..]).as_slice_of_cells();
    tree.visit(
        |node| {
            if let Some(g) = of(node)
                && open_cells[g as usize].get() == NONE
            {
                open_cells[g as usize].set(node);
                sums[g as usize] = sums[g as usize].plus(retained[node as usize]);
            }
            true
        },
        |node| {
            if let Some(g) = of(node)
                && open_cells[g as usize].get() == node
            {
                open_cells[g as usize].set(NONE);
            }
        },
    );
    sums
}
