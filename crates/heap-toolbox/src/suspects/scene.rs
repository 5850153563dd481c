//! One dump with everything that searches ask of it.

use std::cell::{OnceCell, RefCell};
use std::ops::Range;

use heap_base::{BitSet, Map, Plus, Result};
use heap_graph::{Column, Cursor, Ephemerons, Outline, Rules};
use heap_record::StringId;

use super::Limits;
use super::analysis::Analysed;
use super::elements;
use heap_ops::graph::NamedGraph;
use heap_ops::place::{Clues, Far, FarEdge, Naming, Ownership, Sort, Way};

/// No place is smaller than this many bytes: what a healthy process has of anything.
pub(super) const LEAST: u64 = 20 << 10;
/// Of a heap that is small itself, this part.
pub(super) const SMALL: f64 = 0.05;

/// What lies below some ranks, each with the end of its subtree: ascending, none inside of another.
pub(super) fn apart(below: impl Iterator<Item = Range<u32>>) -> Vec<Range<u32>> {
    let mut ranges: Vec<Range<u32>> = below.collect();
    heap_base::sort_by_key(&mut ranges, |range| range.start);
    ranges.dedup_by(|new, last| new.end <= last.end);
    ranges
}

/// A dump, its dominator tree over strong references, and what is the program's.
pub(super) struct Scene<'a> {
    pub(super) loaded: &'a NamedGraph,
    pub(super) clues: &'a Clues,
    pub(super) tree: &'a Outline,
    pub(super) rules: &'a Rules,
    pub(super) weak: &'a Ephemerons,
    /// Bytes of each node in the heap and outside of it.
    pub(super) weights: &'a Column,
    pub(super) naming: &'a Naming<'a>,
    pub(super) limits: Limits,
    /// Bytes of all that the roots reach, in the heap and outside.
    pub(super) total: u64,
    /// Bytes from which something is a place of its own.
    pub(super) floor: u64,
    /// Classes of one text by string id: a source may have several records of it.
    pub(super) equal: &'a Map<StringId, StringId>,
    /// The class that stands for all of its tag, by the classes of elements, see [`elements`].
    tags: Map<StringId, StringId>,
    /// Bytes outside the heap before each rank; empty if there are none.
    outside: Vec<u64>,
    /// The tree has what the roots reach and nothing else.
    is_alive: bool,
    /// What the roots reach without soft references, if those hold a good part of the heap.
    firm: Option<&'a BitSet>,
    /// What keeps objects until their finalizer has run.
    pub(super) waiting: &'a BitSet,
    /// What the roots reach, where entries of weak tables need table and key.
    alive: OnceCell<BitSet>,
    /// Edges in files, of which the graph in memory has few.
    pub(super) far: Option<&'a Far>,
    cursor: RefCell<Cursor>,
    /// Arrays that have few edges for their size, where edges are in files.
    pub(super) arrays: Option<BitSet>,
}

impl<'a> Scene<'a> {
    pub(super) fn new(
        loaded: &'a NamedGraph,
        (clues, naming): (&'a Clues, &'a Naming<'a>),
        analysed: &'a Analysed,
        equal: &'a Map<StringId, StringId>,
        limits: Limits,
        far: Option<&'a Far>,
    ) -> Self {
        let Analysed { outline: tree, rules, weak, .. } = analysed;
        let total = if tree.is_empty() { 0 } else { tree.retained(Outline::ROOT) };
        let least = limits.least.unwrap_or(LEAST.min((total as f64 * SMALL) as u64));
        let floor = ((total as f64 * limits.share) as u64).max(least).max(1);
        let external = &loaded.heap.external;
        let mut outside = Vec::new();
        if !external.is_zero() {
            let mut sum = 0u64;
            outside.push(0);
            for rank in 0..tree.len() {
                let node = tree.node(rank);
                let bytes = if (node as usize) < external.len() { external.get(node) } else { 0 };
                sum = sum.plus(bytes);
                outside.push(sum);
            }
        }
        Self {
            loaded,
            clues,
            tree,
            rules,
            weak,
            weights: analysed.weights(&loaded.heap),
            naming,
            limits,
            total,
            floor,
            equal,
            tags: elements::tags(loaded),
            outside,
            is_alive: analysed.unreached.share.is_none(),
            firm: analysed.firm.as_ref(),
            waiting: &analysed.waiting,
            alive: OnceCell::new(),
            far,
            cursor: RefCell::default(),
            arrays: None,
        }
    }

    /// What a reference is to the program.
    #[inline]
    pub(super) fn way(&self, edge: u32) -> Way {
        self.naming.way(edge)
    }

    /// What each edge of a node is to the program, where it ends, and whether it retains.
    #[inline]
    pub(super) fn edges(&self, node: u32, mut each: impl FnMut(FarEdge)) -> Result {
        if let Some(far) = self.far {
            return far.of(&mut self.cursor.borrow_mut(), node, each);
        }
        let (graph, gate) = (&self.loaded.heap.graph, self.rules.gate(node));
        let edges = graph.range(node);
        for (edge, link) in (edges.start as u32..).zip(graph.links_at(edges)) {
            each((self.way(edge), link.end(), gate.retains(link)));
        }
        Ok(())
    }

    /// What is the program's.
    #[inline]
    pub(super) fn own(&self) -> &Ownership<'a> {
        &self.naming.own
    }

    pub(super) fn nodes(&self) -> u32 {
        self.loaded.heap.graph.nodes()
    }

    /// How much of what the node of a rank retains lies outside of the heap.
    pub(super) fn outside(&self, rank: u32) -> u64 {
        if self.outside.is_empty() {
            return 0;
        }
        self.outside[self.tree.end(rank) as usize] - self.outside[rank as usize]
    }

    pub(super) fn share(&self, bytes: u64) -> f64 {
        if self.total == 0 { 0.0 } else { bytes as f64 / self.total as f64 }
    }

    /// Class and subtype in one number. The root of the tree may be none of the nodes.
    pub(super) fn group(&self, node: u32) -> u64 {
        let heap = &self.loaded.heap;
        if node >= self.nodes() {
            return u64::MAX;
        }
        let class = heap.class(node).map(|class| self.same(class));
        // Functions are alike if they have one name.
        let is_function = class.is_none() && self.own().sort(node) == Sort::Closure;
        let class = if is_function { heap.name(node) } else { class };
        // So are scopes of one function, which is no class of that name.
        let function = self.own().function_of(node);
        let class = function.map_or(class, |function| heap.name(function));
        let class = class.map_or(0, |class| (class as u64).wrapping_mul(2) | 1);
        let has_subtype = class == 0 || is_function || function.is_some();
        class.wrapping_shl(20) ^ if has_subtype { heap.subtypes.get(node) + 1 } else { 0 }
    }

    /// The class that stands for all that are the same: of one text, or elements of one tag.
    pub(super) fn same(&self, class: StringId) -> StringId {
        let same = |of: &Map<_, _>| if of.is_empty() { None } else { of.get(&class).copied() };
        same(&self.tags).or_else(|| same(self.equal)).unwrap_or(class)
    }

    /// Whether others of the tag of a node may have other classes.
    pub(super) fn is_element(&self, node: u32) -> bool {
        !self.tags.is_empty() && self.class(node).is_ok_and(|class| class.starts_with('<'))
    }

    /// What the class of a node is called; of an element its tag.
    pub(super) fn class(&self, node: u32) -> Result<String> {
        elements::class_of(self.loaded, node)
    }

    /// Whether most bytes below some ranks are there by soft references alone.
    pub(super) fn is_soft(&self, ranks: &[u32]) -> bool {
        let Some(firm) = self.firm else { return false };
        let below = apart(ranks.iter().map(|&rank| rank..self.tree.end(rank)));
        let (mut all, mut soft) = (0u64, 0u64);
        for node in
            below.into_iter().flatten().map(|rank| self.tree.node(rank)).filter(|&node| node < self.nodes())
        {
            let bytes = self.weights.get(node);
            all = all.plus(bytes);
            soft = soft.plus(if firm.contains(node) { 0 } else { bytes });
        }
        soft > all / 2
    }

    /// Keys and tables of weak tables that may go with the nodes of some ranks though these do not dominate them. O(N + E).
    pub(super) fn dependent(&self, ranks: impl Iterator<Item = u32>) -> Result<BitSet> {
        let nodes = ranks.map(|rank| self.tree.node(rank)).filter(|&node| node < self.nodes());
        let nodes: BitSet = nodes.collect();
        match self.far {
            None => Ok(self.weak.dependent(&self.loaded.heap.graph, self.rules, &nodes)),
            Some(far) => {
                let reach = |starts: &[u32], reached: &mut BitSet| far.reach(starts, reached);
                self.weak.dependent_by(self.rules.roots(), &nodes, reach)
            }
        }
    }

    /// What the roots reach without some nodes.
    fn alive(&self, removed: &BitSet) -> Result<BitSet> {
        match self.far {
            None => Ok(self.weak.alive(&self.loaded.heap.graph, self.rules, removed)),
            Some(far) => {
                self.weak.alive_by(self.rules.roots(), removed, |starts, reached| far.reach(starts, reached))
            }
        }
    }

    /// Bytes that go when the nodes of these ranks go, in all and outside of the heap. `None` if those are what the dominator
    /// tree says; `dependent` as [`dependent`](Self::dependent) has it for these ranks and others. Else by removing them:
    /// O(N + E).
    pub(super) fn removed(&self, ranks: &[u32], dependent: &BitSet) -> Result<Option<(u64, u64)>> {
        let tree = self.tree;
        let ranges = apart(ranks.iter().map(|&rank| rank..tree.end(rank)));
        let gone = |node| {
            tree.rank(node).is_some_and(|at| {
                let next = ranges.partition_point(|range| range.start <= at);
                next > 0 && at < ranges[next - 1].end
            })
        };
        if self.weak.is_whole(gone, dependent) {
            return Ok(None);
        }
        let nodes = ranks.iter().map(|&rank| tree.node(rank)).filter(|&node| node < self.nodes());
        let before = if let Some(before) = self.alive.get() {
            before
        } else {
            let before = if self.is_alive {
                (0..tree.len()).map(|rank| tree.node(rank)).filter(|&node| node < self.nodes()).collect()
            } else {
                self.alive(&BitSet::default())?
            };
            self.alive.get_or_init(|| before)
        };
        let after = self.alive(&nodes.collect())?;
        let external = &self.loaded.heap.external;
        let gone = before.iter().filter(|&node| !after.contains(node));
        Ok(Some(gone.fold((0, 0), |(all, outside): (u64, u64), node| {
            (all.plus(self.weights.get(node)), outside.plus(external.get(node)))
        })))
    }

    /// What hangs below the roots themselves is no place of the program's.
    pub(super) fn is_root(&self, node: u32) -> bool {
        let policy = &self.loaded.heap.policy;
        node >= self.nodes()
            || policy.roots.contains(&node)
            || policy.user_roots.contains(&node)
            || self.own().is_synthetic(node)
    }
}
