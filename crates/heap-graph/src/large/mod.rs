//! Sums by group of graphs whose edges do not fit in memory: dominators by regions.
//!
//! ```text
//! edges by source ─ flood ─→ what retains ─ sort ─→ edges by target ─ sweeps ─→ regions ─→ places
//!                                                          └──── sort by place ────┐        │
//!    sums ←─ sort ─ depth first ←─ heads hung in ←─ core ←─ edges between regions ─┴─ tree ─┘
//! ```
//!
//! 1. Floods over the edges by source say what the user roots own, what the roots reach and which edges retain.
//! 2. Those into nodes that the root does not hold are sorted by target.
//! 3. [`Regions`] of nodes with one way in grow in sweeps over them. Their order gives each node a place behind its referrers.
//! 4. The edges are sorted by place. The dominator of a member of a region is the nearest common ancestor of its referrers
//!    that come before it, in the [`Tree`] as it is by then.
//! 5. Dominators of heads are those of a graph in memory that has of each region only what leads out of it ([`core`]).
//! 6. Places are numbered depth first, nodes sorted by that, and sums by group are differences of a running sum.
//!    What is asked of each node ([`facts`]) is added up by place instead.
//!
//! Memory: four bytes a node, eight more where trees are deep, and some bits; eight at the end, or twelve for what is asked of
//! each node. Edges are in files only; what sorts are there in each step is in `begin`, `hung` and `core`.

mod core;
mod distance;
mod edges;
mod facts;
mod lists;
mod marked;
mod records;
mod regions;
mod tree;
mod walk;
mod ways;

use heap_base::{BitSet, Error, Result, stage, sys};

pub(crate) use self::edges::EdgeFile;
use self::edges::{Gates, Retaining};
pub use self::facts::{Fact, Facts, FactsReader};
use self::lists::Lists;
pub(crate) use self::lists::Store;
use self::records::{Records, Sorter};
use self::regions::{Places, Regions};
use self::tree::Tree;
pub use self::ways::{Coded, CodedReader, Cursor};
use crate::aside::Aside;
use crate::column::Column;
use crate::graph::{MAX_NODES, NONE};
use crate::retained::Sums;
use crate::rules::{Policy, Unreachable};

/// How many nodes there can be.
pub(crate) const MOST_NODES: u32 = u32::MAX - 15;

/// Runs that are merged at a time.
const FAN: usize = if cfg!(test) { 3 } else { 64 };

/// How much memory there is for what.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    /// For the graph.
    pub(crate) limit: u64,
    /// For what is known of nodes meanwhile.
    pub(crate) held: u64,
    /// For a dominator tree that stays, and a search for ways beside it.
    pub(crate) tree: u64,
    /// For records that are sorted.
    pub(crate) sort: usize,
    /// Bytes of a block of lists.
    pub(crate) block: usize,
    /// Steps a node before there are jump pointers.
    pub(crate) steps: u64,
    /// Bytes a node and an edge that the route in memory takes, with the columns of nodes.
    pub(crate) node: u64,
    pub(crate) edge: u64,
    /// How many nodes a graph in memory may have: a whole one, and what is left of a large one between its regions.
    pub(crate) most: u32,
    /// Whether what takes more goes to files.
    pub(crate) files: bool,
}

impl Room {
    /// What `limit` bytes are enough for.
    pub(crate) fn new(limit: u64) -> Self {
        Self {
            limit,
            held: 0,
            tree: limit,
            sort: sorted_in(limit),
            block: 1 << 13,
            steps: 16,
            node: 28,
            edge: 8,
            most: MAX_NODES,
            files: true,
        }
    }

    /// What is left of it beside `held` bytes of what is known of nodes.
    pub(crate) fn beside(self, held: u64) -> Self {
        let limit = self.limit.saturating_sub(held);
        let (tree, sort) = (self.tree.saturating_sub(held), self.sort.min(sorted_in(limit)));
        Self { limit, held, tree, sort, ..self }
    }

    /// Bytes that the route in memory takes for so many nodes and edges.
    pub(crate) fn needed(&self, nodes: u64, edges: u64) -> u64 {
        nodes.saturating_mul(self.node).saturating_add(edges.saturating_mul(self.edge))
    }
}

/// Bytes that may be sorted in memory at a time: a share of what there is.
fn sorted_in(limit: u64) -> usize {
    (limit / SHARE).clamp(SORTED, 1 << 30) as usize
}

const SHARE: u64 = 12;
const SORTED: u64 = 1 << 12;

/// Bytes a node that sums need: a tree by place with what comes beside it, and some bits.
const NODE: u64 = 9;
/// The same with jump pointers, and where there are bytes by node.
const JUMPS: u64 = 13;

/// Bytes that temporary files take beside those of the edges by source, as measured.
fn further_disk(nodes: u32, edges: u64) -> u64 {
    edges + u64::from(nodes) * 8
}

/// Bytes of memory that would do for `bytes` beside so many sorts.
fn beside_sorts(bytes: u64, sorts: u64) -> u64 {
    bytes + (bytes / (SHARE - sorts)).max(SORTED) * sorts
}

/// Says that this step takes `bytes` of memory.
#[cold]
fn too_little(room: &Room, bytes: u64) -> Error {
    // A later step may take more.
    Error::refused(format!(
        "this heap does not fit in {}K of memory, even with files: it takes {}M or more",
        room.limit.saturating_add(room.held) >> 10,
        (bytes.saturating_add(room.held) >> 20) + 1
    ))
}

/// A graph whose edges are in a file.
#[derive(Debug)]
pub struct LargeGraph {
    nodes: u32,
    edges: EdgeFile,
    /// Labels and kinds of edges in the order in which they came, if they were kept.
    names: Option<Aside>,
    /// Table, key and value of ephemerons; and of those of which only the key's half came.
    ephemerons: Vec<[u32; 3]>,
    lone: Vec<[u32; 3]>,
    room: Room,
    /// Bytes of what is known of its nodes.
    held: u64,
}

/// Dominators by place.
struct Hung {
    /// Place of the immediate dominator of each place but the first, which is the root's.
    up: Vec<u32>,
    /// All places in an order in which each comes behind its dominator.
    runs: Vec<(u32, u32)>,
    /// Place, size in two halves, and what was asked for of a node.
    weights: Sorter<4>,
    /// Nodes that the roots reach.
    reachable: BitSet,
}

impl LargeGraph {
    pub(crate) fn new(
        nodes: u32,
        edges: EdgeFile,
        names: Option<Aside>,
        (ephemerons, lone): (Vec<[u32; 3]>, Vec<[u32; 3]>),
        room: Room,
    ) -> Self {
        Self { nodes, edges, names, ephemerons, lone, room, held: 0 }
    }

    /// So many bytes of its limit go to what is known of its nodes.
    pub(crate) fn hold(&mut self, bytes: u64) {
        self.held = bytes;
    }

    /// The same with other limits.
    #[cfg(test)]
    pub(crate) fn with_room(self, room: Room) -> Self {
        Self { room, ..self }
    }

    /// How many nodes it has.
    pub fn nodes(&self) -> u32 {
        self.nodes
    }

    /// How many edges it has.
    pub fn edges(&self) -> u64 {
        self.edges.len()
    }

    /// Retained size of each group of nodes below `groups`, as [`group_sizes`](crate::group_sizes) has it.
    ///
    /// # Errors
    /// Temporary files cannot be written or read. There is too little memory.
    ///
    /// # Panics
    /// If `group` gives a number that is not below `groups`.
    pub fn group_sizes(
        self,
        sizes: Column,
        policy: &Policy,
        groups: u32,
        group: impl Fn(u32) -> Option<u32>,
    ) -> Result<Vec<u64>> {
        let nodes = self.nodes;
        // Sizes and groups are gone when most is needed.
        let (edges, room) = Self { held: 0, ..self }.begin(NODE)?;
        let gates = Gates::new(nodes, &edges, policy)?;
        let known = sizes.len() as u32;
        let Hung { up, runs, weights, .. } = hung((nodes, edges), gates, policy, room, move |node| {
            if node < known { (sizes.get(node), group(node).unwrap_or(NONE)) } else { (0, NONE) }
        })?;
        sums(up, &runs, weights, groups, room)
    }

    /// The edges by source, if memory will do for `each` bytes a node, and the disk will do.
    fn begin(self, each: u64) -> Result<(Lists, Room)> {
        let Self { nodes, edges, room, held, .. } = self;
        let room = room.beside(held);
        let by_node = u64::from(nodes) * each;
        if by_node + room.sort as u64 > room.limit {
            return Err(too_little(&room, beside_sorts(by_node, 1)));
        }
        stage::begin("step 1 of 6: reachable nodes");
        let edges = edges.finish()?;
        let folder = std::env::temp_dir();
        let (disk, free) = (further_disk(nodes, edges.bytes()), sys::free_disk(&folder));
        if let Some(free) = free.filter(|&free| free < disk) {
            return Err(Error::refused(format!(
                "this heap takes {}M more in {}, where {}M are free: TMPDIR names another folder",
                disk >> 20,
                folder.display(),
                free >> 20
            )));
        }
        Ok((edges, room))
    }
}

/// Finds dominators. `weigh` gives size of a node and what is asked for of it; [`NONE`] is nothing.
fn hung(
    (nodes, edges): (u32, Lists),
    gates: Gates,
    policy: &Policy,
    room: Room,
    weigh: impl Fn(u32) -> (u64, u32),
) -> Result<Hung> {
    let mut retaining = Retaining::new(nodes, edges, gates, policy, room)?;
    stage::begin("step 2 of 6: regions");
    let places = Regions::new(nodes, &mut retaining, room)?.places(&retaining.reached, retaining.root)?;
    let Retaining { root, reached, reachable, edges, .. } = retaining;
    let Places { of: places, tops, held, count } = places;

    stage::begin("step 3 of 6: sorting edges");
    // Edges by place. Those of a head come from other regions, but for what it dominates.
    let mut by_place = Sorter::<2>::new(room.sort, FAN);
    edges.each(true, |target, referrers| {
        if held.contains(target) {
            return Ok(());
        }
        let place = places[target as usize];
        let end = if tops.contains(place) { tops.next(place + 1).unwrap_or(count) } else { NONE };
        for &referrer in referrers {
            let from = places[referrer as usize];
            if from < place || from >= end {
                by_place.push([place, from])?;
            }
        }
        Ok(())
    })?;
    drop(edges);

    // What each place is to the sums.
    let mut weights = Sorter::<4>::new(room.sort, FAN);
    let apart = policy.unreachable == Unreachable::Apart;
    let mut total = count;
    for node in 0..nodes {
        let place = if reached.contains(node) || node == root {
            places[node as usize]
        } else if apart {
            continue;
        } else {
            total += 1;
            total - 1
        };
        let (size, of) = weigh(node);
        if size > 0 || of != NONE {
            weights.push([place, size as u32, (size >> 32) as u32, of])?;
        }
    }
    let held: BitSet =
        held.iter().filter(|&node| reached.contains(node)).map(|node| places[node as usize]).collect();
    let reachable = reachable.unwrap_or(reached);
    drop((places, weigh));
    weights.rest()?;

    stage::begin("step 4 of 6: inside of regions");
    let with_jumps = u64::from(nodes) * JUMPS;
    let has_room = with_jumps + room.sort as u64 <= room.limit;
    let lacking = || too_little(&room, beside_sorts(with_jumps, 1));
    let mut tree = Tree::new(count, room.steps, has_room);
    let mut exits = Records::new(room.block);
    let mut now = (NONE, NONE);
    by_place.each(|[place, from]| {
        if tops.contains(place) {
            return exits.push([place, from]);
        }
        if place == now.0 {
            now.1 = tree.meet(now.1, from);
            if tree.lacks_room {
                return Err(lacking());
            }
        } else {
            if now.0 != NONE {
                tree.set(now.0, now.1);
            }
            now = (place, from);
        }
        Ok(())
    })?;
    if now.0 != NONE {
        tree.set(now.0, now.1);
    }
    stage::begin("step 5 of 6: between regions");
    let is_top = |place: u32| tops.contains(place);
    let mut runs = core::hang(&mut tree, &exits, &tops, |place| held.contains(place), room)?;
    if tree.lacks_room {
        return Err(lacking());
    }
    drop(exits);
    let mut up = tree.into_up();
    for place in 0..count {
        if is_top(place) && up[place as usize] == place {
            up[place as usize] = 0;
        }
    }
    drop((tops, held));
    up.resize(total as usize, 0);
    if count < total {
        runs.push((count, total));
    }
    stage::begin("step 6 of 6: adding up");
    Ok(Hung { up, runs, weights, reachable })
}

/// What each group below `groups` retains. `up` has the dominator by place, `runs` all places in an order in which each comes
/// behind its dominator, `weights` place, size in two halves and group.
fn sums(
    mut up: Vec<u32>,
    runs: &[(u32, u32)],
    weights: Sorter<4>,
    groups: u32,
    room: Room,
) -> Result<Vec<u64>> {
    // How many places each one dominates, itself included; then where the next one goes of those that it dominates.
    let mut next = vec![1u32; up.len()];
    let places = |&(from, to): &(u32, u32)| from.max(1)..to;
    for place in runs.iter().rev().flat_map(|run| places(run).rev()) {
        next[up[place as usize] as usize] += next[place as usize];
    }
    if let Some(next) = next.first_mut() {
        *next = 1;
    }
    for place in runs.iter().flat_map(places) {
        let place = place as usize;
        let many = next[place];
        let slot = &mut next[up[place] as usize];
        let at = *slot;
        *slot += many;
        next[place] = at + 1;
        // Its dominator is no longer needed: those that it dominates find it by its place.
        up[place] = at;
    }
    // Now `up` has where each place comes depth first, and `next` where all that it dominates ends.
    let mut ordered = Sorter::<5>::new(room.sort, FAN);
    weights.each(|[place, low, high, group]| {
        let (at, end) = (up[place as usize], next[place as usize]);
        ordered.push([at, end, low, high, group])
    })?;
    drop((up, next));
    let mut sums = Sums::new(groups);
    ordered.each(|[at, end, low, high, group]| {
        sums.visit(at..end, group, u64::from(low) | u64::from(high) << 32);
        Ok(())
    })?;
    Ok(sums.end())
}
