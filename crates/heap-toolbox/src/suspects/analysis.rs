//! The dominator tree that suspects are judged by: over strong references, of what is alive, with bytes outside the heap.

use heap_base::{BitSet, Error, Plus, Result};
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
/// Those that hold it until memory is short.
const SOFT: &str = ".soft";

/// What [`analyse`] works out.
#[derive(Debug)]
pub(crate) struct Analysed {
    pub(crate) outline: Outline,
    pub(crate) rules: Rules,
    /// Entries of weak tables, and what each hangs on.
    pub(crate) weak: Ephemerons,
    /// Bytes of each node in the heap and outside of it, if anything is outside.
    both: Option<Column>,
    /// Where each rank belongs, and what the groups retain, as [`Outlined`] has it.
    pub(crate) groups: Column,
    pub(crate) sums: Vec<u64>,
    pub(crate) unreached: Unreached,
    /// What keeps objects that nothing else holds until their finalizer has run.
    pub(crate) waiting: BitSet,
    /// What the roots reach without soft references, if those hold a good part of the heap.
    pub(crate) firm: Option<BitSet>,
    /// Shallow bytes of all nodes.
    pub(crate) size: u64,
}

/// Where the edges of a dump are.
trait Edges {
    fn heap(&self) -> &HeapGraph;

    /// The entries of weak tables, each on its key.
    fn weak(&mut self) -> Result<Ephemerons>;

    /// The dominator tree; `both` are the bytes of each node, if they are not those of the heap alone.
    fn outline(&mut self, both: Option<&Column>, policy: &Policy) -> Result<Outlined>;

    /// Whether all weak tables live without any entry.
    fn has_live_tables(&mut self, weak: &Ephemerons, rules: &Rules) -> Result<bool>;

    /// What the roots reach, where an entry needs its key and its table.
    fn alive(&mut self, weak: &Ephemerons, rules: &Rules) -> Result<BitSet>;

    /// Makes the edges of some nodes hold nothing.
    fn weaken(&mut self, nodes: &[u32]) -> Result;

    /// Makes each entry hang on its side alone.
    fn apply(&mut self, weak: &Ephemerons) -> Result;

    /// Makes references hold to what nothing else does, whose subtype has a name that ends so. The nodes that they are of.
    fn revive(&mut self, ending: &str, reachable: &BitSet) -> Result<BitSet>;
}

/// Those in memory, with groups, and what is made beside the first tree.
struct InMemory<'a, G, B, F> {
    loaded: &'a mut NamedGraph,
    groups: (u32, G),
    beside: Option<B>,
    made: Option<F>,
}

/// Those in files.
struct InFiles<'a> {
    loaded: &'a NamedGraph,
    large: &'a mut LargeGraph,
}

impl<G, B, F> Edges for InMemory<'_, G, B, F>
where
    G: Fn(&HeapGraph, u32) -> Option<u32> + Sync,
    B: FnOnce(&NamedGraph) -> F + Send,
    F: Send,
{
    fn heap(&self) -> &HeapGraph {
        &self.loaded.heap
    }

    fn weak(&mut self) -> Result<Ephemerons> {
        Ok(Ephemerons::of(&self.loaded.heap.graph))
    }

    fn outline(&mut self, both: Option<&Column>, policy: &Policy) -> Result<Outlined> {
        let Self { loaded, groups: (groups, group), beside, made } = self;
        let written = Written::of(&loaded.heap.graph)?;
        let (graph, edges) = loaded.lend(written);
        let (heap, lent) = (&loaded.heap, &**loaded);
        let weights = both.unwrap_or(&heap.sizes);
        let of = |node| group(heap, node);
        let first = || beside.take().map(|make| make(lent));
        let (outlined, new, links) = outline(graph, weights, policy, (*groups, of), first, || edges.read());
        loaded.take_back(links?);
        *made = new.or(made.take());
        Ok(outlined)
    }

    fn has_live_tables(&mut self, weak: &Ephemerons, rules: &Rules) -> Result<bool> {
        Ok(weak.has_live_tables(&self.loaded.heap.graph, rules))
    }

    fn alive(&mut self, weak: &Ephemerons, rules: &Rules) -> Result<BitSet> {
        Ok(weak.alive(&self.loaded.heap.graph, rules, &BitSet::default()))
    }

    fn weaken(&mut self, nodes: &[u32]) -> Result {
        self.loaded.heap.graph.weaken(nodes);
        Ok(())
    }

    fn apply(&mut self, weak: &Ephemerons) -> Result {
        weak.apply(&mut self.loaded.heap.graph);
        Ok(())
    }

    fn revive(&mut self, ending: &str, reachable: &BitSet) -> Result<BitSet> {
        let kinds = kinds_with(self.loaded, ending);
        if kinds.is_empty() {
            return Ok(BitSet::default());
        }
        let is = |graph: &Graph, edge| {
            let kind = graph.kind(edge).map_err(Error::read)?;
            Ok::<_, Error>(kind.is_some_and(|kind| kinds.contains(&kind)))
        };
        self.loaded.heap.graph.revive(reachable, is)
    }
}

impl Edges for InFiles<'_> {
    fn heap(&self) -> &HeapGraph {
        &self.loaded.heap
    }

    fn weak(&mut self) -> Result<Ephemerons> {
        Ephemerons::of_large(self.large)
    }

    fn outline(&mut self, both: Option<&Column>, policy: &Policy) -> Result<Outlined> {
        self.large.outline(both.unwrap_or(&self.loaded.heap.sizes), policy)
    }

    fn has_live_tables(&mut self, weak: &Ephemerons, rules: &Rules) -> Result<bool> {
        if weak.is_empty() {
            return Ok(true);
        }
        let mut reached = BitSet::default();
        self.large.reach(rules, rules.roots(), &mut reached)?;
        Ok(weak.has_tables_in(&reached))
    }

    fn alive(&mut self, weak: &Ephemerons, rules: &Rules) -> Result<BitSet> {
        let reach = |starts: &[u32], reached: &mut BitSet| self.large.reach(rules, starts, reached);
        weak.alive_by(rules.roots(), &BitSet::default(), reach)
    }

    fn weaken(&mut self, nodes: &[u32]) -> Result {
        if nodes.is_empty() { Ok(()) } else { self.large.weaken(nodes) }
    }

    fn apply(&mut self, weak: &Ephemerons) -> Result {
        weak.apply_large(self.large)
    }

    fn revive(&mut self, ending: &str, reachable: &BitSet) -> Result<BitSet> {
        let kinds = kinds_with(self.loaded, ending);
        if kinds.is_empty() { Ok(BitSet::default()) } else { self.large.revive(reachable, &kinds) }
    }
}

/// The dominator tree of `loaded`, with groups as [`heap_graph::outline`] has them, and what `first` makes beside it.
///
/// # Errors
/// A temporary file cannot be read or written.
pub(crate) fn analyse<F: Send>(
    loaded: &mut NamedGraph,
    groups: (u32, impl Fn(&HeapGraph, u32) -> Option<u32> + Sync),
    first: impl FnOnce(&NamedGraph) -> F + Send,
) -> Result<(Analysed, F)> {
    let mut edges = InMemory { loaded, groups, beside: Some(first), made: None };
    let analysed = settled(&mut edges)?;
    match edges.made {
        Some(made) => Ok((analysed, made)),
        None => Err(Error::input("nothing was made beside the dominator tree")),
    }
}

/// The same of a graph whose edges are in files, without groups.
///
/// # Errors
/// Temporary files cannot be written or read. There is too little memory.
pub(crate) fn analyse_far(loaded: &NamedGraph, large: &mut LargeGraph) -> Result<Analysed> {
    settled(&mut InFiles { loaded, large })
}

/// The dominator tree over strong references.
///
/// What only tables of the virtual machine list, such as V8's of strings, is not held by them. What no root reaches is left out,
/// unless it is most of the heap. What a finalizer still has to look at lives as long as that.
/// Soft references hold what nothing else does, if that may be a good part of the heap. An entry of a weak table hangs on its key
/// or its table, see [`Ephemerons`]; where that changes with what the tree says, the tree is made again.
fn settled(edges: &mut impl Edges) -> Result<Analysed> {
    let mut weak = edges.weak()?;
    let mut policy = Policy { unreachable: Unreachable::Apart, ..edges.heap().policy.clone() };
    edges.weaken(&policy.weak_roots)?;
    let both = both(edges.heap());
    let mut round = 0;
    let mut firm: Option<BitSet> = None;
    let mut waiting = BitSet::default();
    loop {
        round += 1;
        let outlined = edges.outline(both.as_ref(), &policy)?;
        let heap = edges.heap();
        let (size, mut unreached) = Unreached::of(&heap.sizes, &outlined.outline, &outlined.reachable);
        let may_judge_all = heap.policy.unreachable == Unreachable::Root;
        if round == 1 {
            // Nearly always all tables and keys live by themselves, and the tree is right at once.
            if !edges.has_live_tables(&weak, &outlined.rules)? {
                let alive = edges.alive(&weak, &outlined.rules)?;
                if weak.bury(&alive) {
                    edges.apply(&weak)?;
                    continue;
                }
            }
            waiting = edges.revive(FINAL, &outlined.reachable)?;
            if waiting.count() > 0 {
                continue;
            }
        }
        let lacks = unreached.size as f64 > size as f64 * LACKING;
        if lacks && firm.is_none() && edges.revive(SOFT, &outlined.reachable)?.count() > 0 {
            firm = Some(outlined.reachable);
            continue;
        }
        if let Some(firm) = &firm {
            unreached.soften(&edges.heap().sizes, firm, &outlined.reachable);
        }
        let Outlined { outline: tree, groups, sums, rules, .. } = outlined;
        if lacks && may_judge_all && policy.unreachable == Unreachable::Apart {
            policy.unreachable = Unreachable::Root;
            continue;
        }
        let total = if tree.is_empty() { 0 } else { tree.retained(Outline::ROOT) };
        if round < ROUNDS && weak.settle(&tree, ((total as f64 * SETTLED) as u64).max(1)) {
            edges.apply(&weak)?;
            continue;
        }
        return Ok(Analysed {
            outline: tree,
            rules,
            weak,
            both,
            groups,
            sums,
            unreached,
            waiting,
            firm,
            size,
        });
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
    Some(both.map(|(size, external)| size.plus(external)).collect())
}

/// Kinds of edges whose subtype has a name that ends so.
fn kinds_with(loaded: &NamedGraph, ending: &str) -> Vec<u8> {
    let types = &loaded.context.types;
    loaded.heap.kinds_where(|kind| types.edge_name(kind).ends_with(ending))
}
