//! Dominators by Semi-NCA: exact, without recursion, O((N + E) log N) in the worst case.
//!
//! L. Georgiadis, R. E. Tarjan, R. F. Werneck: "Finding Dominators in Practice", JGAA 10 (2006), with three
//! changes that save memory, one that saves most evaluations and one that bounds time:
//! - Nodes are numbered depth first, and an edge that leads to a higher number needs no evaluation: its
//!   source is its own candidate. Those edges are folded into the semidominators at once, and only the others
//!   are kept, apart from the graph, which is dropped.
//! - What only its parent leads to has the parent as its semidominator. So an evaluation for such a node gives what one for
//!   the parent gives, and goes up to the nearest node that others lead to as well: the stem. Edges of one stem to one
//!   target are the same, so one of them is kept; and where the target lies below the stem, the candidate is known at once.
//!   In a heap, where most nodes have one owner and refer to their class, few edges are left.
//! - Once the semidominator of a node is known to be the root's first child at most, only the root itself can be less. It
//!   is if an edge comes from below a node whose semidominator it is; those below are a set ([`Below`]). Most edges of a
//!   heap lead to few nodes (classes, prototypes), whose first evaluation gives the root's first child.
//! - The last step walks up a chain of dominators, which is quadratic on a long list whose end leads to
//!   many nodes that are also retained from above. After a budget of steps it goes on with skew-binary jump
//!   pointers (E. W. Myers: "An applicative random-access stack", 1983).

use std::sync::atomic::Ordering::Relaxed;

use heap_base::join;

use crate::graph::{Class, Graph, NONE, Packed};
use crate::near::{Marks, Near};
use crate::rules::{Kind, Rules, Unreachable};
use crate::transpose::{END, Transposed, transpose};
use heap_base::BitSet;

/// Who dominates whom. Nodes have places in the tree, depth first: those near each other in the tree are near each other
/// in memory, so a walk over the tree waits less by place than by node.
#[derive(Clone, Debug)]
pub struct Dominators {
    /// Node by place, each behind its dominator. The first is the root: the dump's only root, or N where it has none or
    /// several.
    pub nodes: Vec<u32>,
    /// Place of the immediate dominator by place; the root's is its own.
    pub up: Vec<u32>,
    /// Nodes that the roots reach over retaining edges.
    pub reachable: BitSet,
    /// What retains: the rules of the search, ready for further ones.
    pub rules: Rules,
}

impl Dominators {
    /// The root of the tree.
    pub fn root(&self) -> u32 {
        self.nodes.first().copied().unwrap_or(NONE)
    }

    /// Immediate dominator of each of `n` nodes; [`NONE`] for the root itself and for nodes outside the tree.
    pub fn idom(&self, n: u32) -> Vec<u32> {
        let mut idom = vec![NONE; n as usize];
        for (&node, &up) in self.nodes.iter().zip(&self.up).skip(1) {
            idom[node as usize] = self.nodes[up as usize];
        }
        idom
    }
}

/// How many steps a node may cost on average before the last step changes to jump pointers.
const STEPS: u64 = 16;

/// Graphs with fewer edges are not worth a second thread.
const THREAD_FROM: u32 = 1 << 20;

/// The dominator tree of `graph` over the edges that retain. Consumes the graph, to save memory. Two threads share what
/// can be shared of the work.
pub fn dominators(graph: Graph, rules: Rules, unreachable: Unreachable) -> Dominators {
    dominators_beside(graph, rules, unreachable, || (), |_, ()| ()).0
}

/// As [`dominators`], with other work while a thread is free: `first` comes beside the numbering, then `beside` gets its
/// result and the nodes by place. The first runs on the calling thread.
pub(crate) fn dominators_beside<F: Send, T: Send>(
    graph: Graph,
    rules: Rules,
    unreachable: Unreachable,
    first: impl FnOnce() -> F,
    beside: impl FnOnce(&[u32], F) -> T + Send,
) -> (Dominators, T) {
    let two = graph.edges() >= THREAD_FROM && std::thread::available_parallelism().is_ok_and(|n| n.get() > 1);
    dominators_with(graph, rules, unreachable, STEPS, if two { 2 } else { 1 }, first, beside)
}

pub(crate) fn dominators_with<F: Send, T: Send>(
    graph: Graph,
    rules: Rules,
    unreachable: Unreachable,
    steps: u64,
    threads: usize,
    first: impl FnOnce() -> F,
    beside: impl FnOnce(&[u32], F) -> T + Send,
) -> (Dominators, T) {
    let Graph { offsets, links, .. } = graph;
    let mut graph = Graph { offsets, links, ..Graph::default() };
    let n = graph.nodes();
    let root = match rules.roots() {
        [root] => *root,
        _ => n,
    };
    let two = threads > 1;
    let (before, numbered) = join(two, first, || number_nodes(&mut graph, rules, unreachable, two));
    let Numbered { number, parent, semi, kept, reachable, rules } = numbered;
    let count = parent.len();
    let transposed = transpose(graph, kept, &number, count, threads);
    let idoms = || {
        let semi = semidominators(transposed, semi, &parent);
        nearest(&semi, parent, steps.saturating_mul(count as u64))
    };
    let places = move || {
        let mut nodes = vec![root; count];
        for (node, &i) in number.iter().enumerate() {
            if i != NONE {
                nodes[i as usize] = node as u32;
            }
        }
        if unreachable == Unreachable::Root {
            // The root dominates each node that is still left.
            nodes.extend((0..n).filter(|&node| number[node as usize] == NONE && node != root));
        }
        drop(number);
        let made = beside(&nodes, before);
        (nodes, made)
    };
    let (mut up, (nodes, made)) = join(two, idoms, places);
    up.resize(nodes.len(), 0);
    (Dominators { nodes, up, reachable, rules }, made)
}

/// A depth-first numbering. Number 0 is the root of the dominator tree.
struct Numbered {
    /// By node; [`NONE`] where it has none.
    number: Vec<u32>,
    /// Number of the parent in the depth-first tree, by number.
    parent: Vec<u32>,
    /// The least number that an edge to each node comes from, unless it needs evaluation, by number.
    semi: Vec<u32>,
    /// How many edges need evaluation.
    kept: u32,
    reachable: BitSet,
    rules: Rules,
}

/// Numbers the nodes of `graph` and overwrites its edges: those of a numbered node become the targets, by number, of the
/// ones that need evaluation, up to [`END`] if there is room for it.
fn number_nodes(graph: &mut Graph, rules: Rules, unreachable: Unreachable, two: bool) -> Numbered {
    let n = graph.nodes();
    // Edges may still be barred while what the user roots reach is not known. Such graphs are V8's, where looking for what is
    // shared takes longer than the edges that it saves.
    let open = rules.pending().is_empty();
    let mut seen = if open { Marks::new(graph, two) } else { Marks::all_shared(n) };
    if rules.roots().len() != 1 {
        // The tree's root leads to each of them too.
        rules.roots().iter().for_each(|&root| seen.share(root));
    }
    let near = if open { Near::new(graph, &rules) } else { Near::default() };
    let mut walk = Walk {
        graph,
        rules,
        near,
        number: vec![NONE; n as usize],
        count: 1,
        branch: 0,
        parent: vec![0; n as usize + 1],
        semi: vec![0; n as usize + 1],
        kept: 0,
        recent: vec![(0, 0); RECENT],
        settled: BitSet::new(n),
        any_settled: false,
        seen,
        stack: Vec::new(),
        aside: Vec::new(),
    };
    if let [root] = *walk.rules.roots() {
        walk.seen.insert(root);
        walk.number[root as usize] = 0;
        if !walk.rules.pending().is_empty() {
            walk.find_owned(root);
        }
        walk.descend::<false>(root);
    } else {
        let mut roots = walk.rules.roots().to_vec();
        // What the last ones hold is then known, from the start, to be held twice.
        heap_base::sort_by_key(&mut roots, |&root| walk.graph.links(root).len());
        for root in roots {
            walk.start::<false>(root);
        }
    }
    let reachable = walk.seen.seen();
    if unreachable == Unreachable::Root && reachable.count() < u64::from(n) {
        let retained = walk.rules.retained_by_others(walk.graph, &reachable);
        for node in 0..n {
            if !retained.contains(node) {
                walk.start::<false>(node);
            }
        }
    }
    let Walk { rules, number, count, mut parent, mut semi, kept, .. } = walk;
    parent.truncate(count as usize);
    semi.truncate(count as usize);
    if rules.roots().len() > 1 {
        // One root may have been numbered below another; the tree's root leads to each of them.
        for &root in rules.roots() {
            semi[number[root as usize] as usize] = 0;
        }
    }
    Numbered { number, parent, semi, kept, reachable, rules }
}

struct Walk<'a> {
    /// Edges of nodes that have no number are as they were.
    graph: &'a mut Graph,
    rules: Rules,
    near: Near,
    number: Vec<u32>,
    /// How many numbers are given, the root's included.
    count: u32,
    /// The root's last child.
    branch: u32,
    /// Both have room for all nodes and the root.
    parent: Vec<u32>,
    semi: Vec<u32>,
    /// How many edges need evaluation.
    kept: u32,
    /// Stem and target of the last of them to each target, where few targets share a place.
    recent: Vec<(u32, u32)>,
    /// Nodes whose semidominator is known to be the root.
    settled: BitSet,
    any_settled: bool,
    /// Which nodes have a number: denser than `number`, so it stays in the cache.
    seen: Marks,
    /// Nodes whose edges are not all walked yet.
    stack: Vec<Frame>,
    /// What the user roots lead to over edges that are neither weak nor retain.
    aside: Vec<u32>,
}

/// How many places there are for edges that were kept last.
const RECENT: usize = if cfg!(test) { 2 } else { 1 << 11 };
/// How far a walk to a known candidate goes.
const CLIMB: u32 = if cfg!(test) { 2 } else { 64 };

/// A node whose edges are not all walked yet: all that the walk needs when it comes back, when the node's own columns
/// have left the cache.
struct Frame {
    number: u32,
    /// Its edges that are left.
    next: u32,
    end: u32,
    /// Where its next edge goes that needs evaluation.
    kept: u32,
    /// Number of the nearest node up the depth-first tree, itself included, that others lead to as well.
    stem: u32,
    kind: Kind,
}

impl Walk<'_> {
    /// Numbers what the user roots retain before all else, and so finds the nodes they own: from these no edge is barred. Only those that `root` retains can be numbered as its children.
    fn find_owned(&mut self, root: u32) {
        let gate = self.rules.gate(root);
        let links = self.graph.links(root).iter();
        let children: BitSet = links.filter(|&&link| gate.retains(link)).map(|link| link.end()).collect();
        for user_root in self.rules.pending().to_vec() {
            if children.contains(user_root) {
                self.start::<true>(user_root);
            } else {
                self.aside.push(user_root);
            }
        }
        let mut owned = self.seen.seen();
        owned.remove(root);
        self.rules.set_owned(self.graph, owned, &std::mem::take(&mut self.aside));
    }

    /// Numbers `node` as a child of the root, and what it leads to.
    fn start<const ASIDE: bool>(&mut self, node: u32) {
        if self.seen.insert(node) {
            self.number[node as usize] = self.count;
            self.branch = self.count;
            self.count += 1;
            self.descend::<ASIDE>(node);
        }
    }

    /// Numbers what `node`, which is numbered, leads to; puts aside what it does not retain, if that is asked for.
    ///
    /// Each edge `from` → `to` is met once, when `from` is on the way from the root to where the walk stands. Either it is
    /// folded into `semi[to]` at once, or it is kept for evaluation. With the numbers of both, and the tree as it is:
    ///
    /// ```text
    ///   root 0                 to has no number   the edge of the tree: parent[to] = semi[to] = from
    ///    ├─ 1 ─ 2 ─ 3          to > from          down the tree: from is its own candidate
    ///    │      └── 4          to < branch        across to an earlier child of the root's: the root is the candidate,
    ///    └─ 5   ← branch                          for on the way root, branch, …, from all have higher numbers than to
    ///       └─ 6 ← stem        stem ≤ to < from   up, or to a side branch of nodes that only their parents lead to: the
    ///          ├─ 7                               nearest of from's ancestors that is not above to is the candidate
    ///          └─ 8 ← from     branch ≤ to < stem a later evaluation has to say; one from the stem gives the same
    /// ```
    ///
    /// Invariants: `semi[i]` is a candidate of node number i, and no edge that could give a less one is forgotten but where
    /// it is the root already (`settled`). The edges of a node that are kept stand at the front of its own range of `links`,
    /// as numbers of targets, and [`END`] behind them: so a place is written only after it was read.
    fn descend<const ASIDE: bool>(&mut self, node: u32) {
        let Self { graph, rules, near, number, count, branch, parent, semi, .. } = self;
        let Self { kept: kept_in_all, recent, settled, any_settled, seen, stack, aside, .. } = self;
        let Graph { offsets, links, .. } = &mut **graph;
        let (offsets, links, number) = (&offsets[..], &mut links[..], &mut number[..]);
        let (parent, semi) = (&mut parent[..], &mut semi[..]);
        let mut i = *count;
        let frame = |node: u32, number: u32, stem: u32, seen: &Marks| {
            let (next, end) = (offsets[node as usize], offsets[node as usize + 1]);
            let stem = if seen.is_shared(node) { number } else { stem };
            Frame { number, next, end, kept: next, stem, kind: rules.kind(node) }
        };
        let mut top = frame(node, number[node as usize], 0, seen);
        'nodes: loop {
            let Frame { number: from, mut next, end, mut kept, stem, kind } = top;
            let first = kept;
            let gate = rules.gate_of(kind);
            while next < end {
                let link = links[next as usize];
                next += 1;
                let child = link.end();
                // What user roots own is found before all else; what they do not retain may be the root's all the same.
                if ASIDE && !link.is_weak() && (!gate.retains(link) || rules.is_root(child)) {
                    aside.push(child);
                }
                if !gate.retains(link) {
                    continue;
                }
                if seen.insert(child) {
                    number[child as usize] = i;
                    parent[i as usize] = from;
                    semi[i as usize] = from;
                    // A short way from the root is known that the walk has not come by yet: its candidate counts now.
                    if near.nodes.contains(child) {
                        semi[i as usize] = from.min(near.candidate(child, number));
                        if semi[i as usize] == 0 {
                            settled.insert(child);
                            *any_settled = true;
                        }
                    }
                    if from == 0 {
                        *branch = i;
                    }
                    // The walk goes on in the child, and comes back to the edges that are left.
                    *kept_in_all += kept - first;
                    stack.push(Frame { number: from, next, end, kept, stem, kind });
                    top = frame(child, i, stem, seen);
                    i += 1;
                    continue 'nodes;
                }
                if *any_settled && settled.contains(child) {
                    continue;
                }
                let to = number[child as usize];
                if to > from {
                    let slot = &mut semi[to as usize];
                    *slot = from.min(*slot);
                } else if to < from && to != 0 {
                    if to < *branch {
                        // The root leads here by a way of nodes that all come later.
                        semi[to as usize] = 0;
                        settled.insert(child);
                        *any_settled = true;
                        continue;
                    }
                    if to >= stem {
                        // What only its parent leads to has no other candidate. A long climb is left to the evaluation.
                        let mut above = from;
                        let mut left = CLIMB;
                        while above > to && left > 0 {
                            above = parent[above as usize];
                            left -= 1;
                        }
                        if above <= to {
                            let slot = &mut semi[to as usize];
                            *slot = above.min(*slot);
                            continue;
                        }
                    }
                    // Many edges of one stem lead to one class or prototype, mostly one behind the other.
                    let recent = &mut recent[to as usize % RECENT];
                    if to >= stem || *recent != (stem, to) {
                        *recent = (stem, to);
                        links[kept as usize] = Packed::new(to, Class::Strong);
                        kept += 1;
                    }
                }
            }
            *kept_in_all += kept - first;
            if kept < end {
                links[kept as usize] = END;
            }
            match stack.pop() {
                Some(above) => top = above,
                None => break,
            }
        }
        *count = i;
    }
}

/// Semidominators by number, from what is known of them and the edges that need evaluation.
fn semidominators(transposed: Transposed, mut semi: Vec<u32>, parent: &[u32]) -> Vec<u32> {
    let Transposed { incoming, starts } = transposed;
    let vertex = |(&ancestor, label)| Vertex { ancestor, label };
    let mut forest: Vec<Vertex> = parent.iter().zip(starts).map(vertex).collect();
    let mut path = Vec::new();
    let mut below = Below::new(semi.len() as u32);
    let mut end = incoming.len();
    for w in (1..semi.len()).rev() {
        let start = forest[w].label as usize;
        let mut least = semi[w];
        let mut sources = incoming[start..end].iter().map(|v| v.load(Relaxed));
        while least > 1
            && let Some(v) = sources.next()
        {
            least = least.min(evaluate(v, w as u32, &mut forest, &mut path));
        }
        // Only the root is less, and whether an evaluation would give it is known without one.
        if least == 1 && sources.any(|v| below.contains(v)) {
            least = 0;
        }
        if least == 0 {
            below.add(w as u32, parent);
        }
        end = start;
        semi[w] = least;
        forest[w].label = least;
    }
    semi
}

/// The vertices whose semidominator is the root, and what is below them in the depth-first tree, among those that have had
/// their turn: from these an evaluation gives the root.
struct Below {
    members: BitSet,
    /// Where each whole subtree of members starts and ends, the last one first.
    trees: Vec<(u32, u32)>,
}

impl Below {
    fn new(count: u32) -> Self {
        Self { members: BitSet::new(count), trees: Vec::new() }
    }

    #[inline]
    fn contains(&self, v: u32) -> bool {
        self.members.contains(v)
    }

    /// Adds `top`, which comes before all members. Each vertex is met as long as it is no member, and so once.
    fn add(&mut self, top: u32, parent: &[u32]) {
        self.members.insert(top);
        let mut end = top + 1;
        while parent.get(end as usize).is_some_and(|&parent| parent >= top) {
            end = if let Some((_, end)) = self.trees.pop_if(|(start, _)| *start == end) {
                end
            } else {
                self.members.insert(end);
                end + 1
            };
        }
        self.trees.push((top, end));
    }
}

/// A vertex of the forest that [`evaluate`] climbs. Until it is evaluated, its label is the start of its incoming edges. Both
/// fields are needed at each step, and each step is likely to miss the cache, so they are side by side.
#[derive(Clone, Copy)]
struct Vertex {
    ancestor: u32,
    label: u32,
}

/// The least semidominator on the tree path from `v` up to the first vertex that is not above `limit`, which is
/// left out; shortens that path on the way. All of `v` and above `limit` have had their turn.
#[inline]
fn evaluate(v: u32, limit: u32, forest: &mut [Vertex], path: &mut Vec<u32>) -> u32 {
    let first = forest[v as usize];
    let mut top = forest[first.ancestor as usize];
    let above = first.ancestor > limit;
    if !above || top.ancestor <= limit {
        let label = if above { top.label.min(first.label) } else { first.label };
        let ancestor = if above { top.ancestor } else { first.ancestor };
        forest[v as usize] = Vertex { ancestor, label };
        return label;
    }
    path.push(v);
    let mut at = first.ancestor;
    while top.ancestor > limit {
        path.push(at);
        at = top.ancestor;
        top = forest[at as usize];
    }
    while let Some(u) = path.pop() {
        let vertex = &mut forest[u as usize];
        top.label = top.label.min(vertex.label);
        *vertex = top;
    }
    top.label
}

/// Immediate dominators from semidominators and parents: the nearest dominator of the parent that is not below
/// the semidominator. Changes to jump pointers after `budget` steps.
fn nearest(semi: &[u32], mut idom: Vec<u32>, budget: u64) -> Vec<u32> {
    let mut steps = 0;
    let mut w = 1;
    while w < idom.len() && steps <= budget {
        let mut d = idom[w];
        while d > semi[w] {
            d = idom[d as usize];
            steps += 1;
        }
        idom[w] = d;
        w += 1;
    }
    if w == idom.len() {
        return idom;
    }
    let done = w;
    let mut depth = vec![0u32; idom.len()];
    let mut jump = vec![0u32; idom.len()];
    for w in 1..idom.len() {
        if w >= done {
            let mut d = idom[w];
            while d > semi[w] {
                let far = jump[d as usize];
                d = if far > semi[w] { far } else { idom[d as usize] };
            }
            idom[w] = d;
        }
        let d = idom[w] as usize;
        let far = jump[d] as usize;
        depth[w] = depth[d] + 1;
        let equal = depth[d] - depth[far] == depth[far] - depth[jump[far] as usize];
        jump[w] = if equal { jump[far] } else { d as u32 };
    }
    idom
}
