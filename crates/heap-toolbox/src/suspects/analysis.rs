//! The dominator tree that suspects are judged by: over strong references, of what is alive, with bytes outside the heap.

use heap_base::{BitSet, Error, Result};
use heap_graph::{
    Column, Ephemerons, Graph, HeapGraph, LargeGraph, Outline, Outlined, Policy, Rules, Unreachable, outline,
};

use super::unreached::Unreached;
use heap_ops::graph::{NamedGraph, Written};

/// Where no root reaches so much of the heap, and the source says that all of it is alive, the dump lacks references: the rest
/// is judged too.
const LACKING: f64 = 0.02;
/// Entries of weak tables find their places in a few rounds.
const ROUNDS: usize = 6;
/// Entries whose values are less than this part of the heap may stay where they are.
const SETTLED: f64 = 0.005;

/// References that hold their target until it was finalized, by the end of the name of their subtype.
const FINAL: &str = ".final";

/// What [`analyse`] works out.
#[derive(Debug)]
pub(crate) struct Analysed {
    pub(crate) outline: Outline,
    pub(crate) rules: Rules,
    /// Entries of weak tables, and what each hangs on.
    pub(crate) weak: Ephemerons,
    /// Bytes of each node in the heap and outside of it, if anything is outside.
    both: Option<Column>,
    /// Where each rank belongs, and what the groups retain, as [`heap_graph::outline`] has it.
    pub(crate) groups: Vec<u32>,
    pub(crate) sums: Vec<u64>,
    pub(crate) unreached: Unreached,
    /// Shallow bytes of all nodes.
    pub(crate) size: u64,
}

/// The dominator tree of `loaded`, with groups as [`heap_graph::outline`] has them, and what `first` makes beside it.
///
/// What no root reaches is left out, unless it is most of the heap. An entry of a weak table hangs on its key or its table,
/// see [`Ephemerons`]; where that changes with what the tree says, the tree is made again.
///
/// # Errors
/// A temporary file cannot be read or written.
pub(crate) fn analyse<F: Send>(
    loaded: &mut NamedGraph,
    (groups, group): (u32, impl Fn(&HeapGraph, u32) -> Option<u32> + Sync),
    first: impl FnOnce(&NamedGraph) -> F + Send,
) -> Result<(Analysed, F)> {
    let mut weak = Ephemerons::of(&loaded.heap.graph);
    let mut policy = Policy { unreachable: Unreachable::Apart, ..loaded.heap.policy.clone() };
    let both = both(&loaded.heap);
    let mut first = Some(first);
    let mut made = None;
    let mut round = 0;
    loop {
        round += 1;
        let written = Written::of(&loaded.heap.graph)?;
        let (graph, edges) = loaded.lend(written);
        let (heap, lent) = (&loaded.heap, &*loaded);
        let weights = both.as_ref().unwrap_or(&heap.sizes);
        let of = |node| group(heap, node);
        let beside = || first.take().map(|first| first(lent));
        let (outlined, new, links) = outline(graph, weights, &policy, (groups, of), beside, || edges.read());
        loaded.take_back(links?);
        made = new.or(made);
        let (size, unreached) = Unreached::of(&loaded.heap.sizes, &outlined.outline, &outlined.reachable);
        if round == 1 {
            // Nearly always all tables and keys live by themselves, and the tree is right at once.
            if !weak.has_live_tables(&loaded.heap.graph, &outlined.rules) {
                let alive = weak.alive(&loaded.heap.graph, &outlined.rules, &BitSet::default());
                if weak.bury(&alive) {
                    weak.apply(&mut loaded.heap.graph);
                    continue;
                }
            }
            if revive(loaded, &outlined.reachable)? {
                continue;
            }
        }
        let Outlined { outline: tree, groups, sums, rules, .. } = outlined;
        let lacks = unreached.size as f64 > size as f64 * LACKING;
        let may_judge_all = loaded.heap.policy.unreachable == Unreachable::Root;
        if lacks && may_judge_all && policy.unreachable == Unreachable::Apart {
            policy.unreachable = Unreachable::Root;
            continue;
        }
        let total = if tree.is_empty() { 0 } else { tree.retained(Outline::ROOT) };
        if round < ROUNDS && weak.settle(&tree, ((total as f64 * SETTLED) as u64).max(1)) {
            weak.apply(&mut loaded.heap.graph);
            continue;
        }
        if let Some(first) = made.take() {
            return Ok((Analysed { outline: tree, rules, weak, both, groups, sums, unreached, size }, first));
        }
    }
}

/// The same of a graph whose edges are in files, without groups. `weak` tables are settled in the files.
///
/// # Errors
/// Temporary files cannot be written or read. There is too little memory.
pub(crate) fn analyse_far(loaded: &NamedGraph, large: &mut LargeGraph) -> Result<Analysed> {
    let heap = &loaded.heap;
    let mut weak = Ephemerons::of_large(large);
    let mut policy = Policy { unreachable: Unreachable::Apart, ..heap.policy.clone() };
    let both = both(heap);
    let mut round = 0;
    loop {
        round += 1;
        let outlined = large.outline(both.as_ref().unwrap_or(&heap.sizes), &policy)?;
        let (size, unreached) = Unreached::of(&heap.sizes, &outlined.outline, &outlined.reachable);
        if round == 1 {
            let rules = &outlined.rules;
            if !weak.is_empty() {
                let mut reached = BitSet::default();
                large.reach(rules, rules.roots(), &mut reached)?;
                if !weak.has_tables_in(&reached) {
                    let reach = |starts: &[u32], reached: &mut BitSet| large.reach(rules, starts, reached);
                    let alive = weak.alive_by(rules.roots(), &BitSet::default(), reach)?;
                    if weak.bury(&alive) {
                        weak.apply_large(large)?;
                        continue;
                    }
                }
            }
            let kinds = final_kinds(loaded);
            if !kinds.is_empty() && large.revive(&outlined.reachable, &kinds)? {
                continue;
            }
        }
        let Outlined { outline: tree, groups, sums, rules, .. } = outlined;
        let lacks = unreached.size as f64 > size as f64 * LACKING;
        let may_judge_all = heap.policy.unreachable == Unreachable::Root;
        if lacks && may_judge_all && policy.unreachable == Unreachable::Apart {
            policy.unreachable = Unreachable::Root;
            continue;
        }
        let total = if tree.is_empty() { 0 } else { tree.retained(Outline::ROOT) };
        if round < ROUNDS && weak.settle(&tree, ((total as f64 * SETTLED) as u64).max(1)) {
            weak.apply_large(large)?;
            continue;
        }
        return Ok(Analysed { outline: tree, rules, weak, both, groups, sums, unreached, size });
    }
}

impl Analysed {
    /// Bytes of each node in the heap and outside of it.
    pub(crate) fn weights<'a>(&'a self, heap: &'a HeapGraph) -> &'a Column {
        self.both.as_ref().unwrap_or(&heap.sizes)
    }
}

/// Bytes of each node in the heap and outside of it, if anything is outside.
fn both(heap: &HeapGraph) -> Option<Column> {
    if heap.external.is_zero() {
        return None;
    }
    let both = heap.sizes.iter().zip(heap.external.iter());
    Some(both.map(|(size, external)| size.saturating_add(external)).collect())
}

/// Kinds of edges that hold their target until it was finalized.
fn final_kinds(loaded: &NamedGraph) -> Vec<u8> {
    let types = &loaded.context.types;
    loaded.heap.kinds_where(|kind| types.edge_name(kind).ends_with(FINAL))
}

/// What a finalizer still has to look at lives as long as that: makes such references hold. True if there is one.
fn revive(loaded: &mut NamedGraph, reachable: &BitSet) -> Result<bool> {
    let kinds = final_kinds(loaded);
    if kinds.is_empty() {
        return Ok(false);
    }
    let is = |graph: &Graph, edge| {
        let kind = graph.kind(edge).map_err(Error::read)?;
        Ok::<_, Error>(kind.is_some_and(|kind| kinds.contains(&kind)))
    };
    loaded.heap.graph.revive(reachable, is)
}
