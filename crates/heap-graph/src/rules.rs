//! Which edges retain: the policy of a dump, made ready for a graph.

use crate::graph::{Class, Graph, Link};
use heap_base::BitSet;

/// Where the roots are, and what becomes of nodes that none of them reaches.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    /// The roots. Empty: every node without an incoming retaining edge is one.
    pub roots: Vec<u32>,
    /// The roots that belong to the program that was dumped, as against its virtual machine (V8's globals).
    /// An edge from a node that they do not reach to one that they reach does not retain, unless it comes from
    /// a root: what a debugger holds as well is still the program's. The key of an ephemeron retains its value, whatever
    /// reaches the two: nothing else may, and Chrome DevTools, which leaves that out, counts such values as garbage.
    pub user_roots: Vec<u32>,
    /// Where distances start from; empty: `user_roots`.
    pub distance_roots: Vec<u32>,
    /// Nodes of the virtual machine whose edges hold nothing in truth, though retained sizes count them as if they did, as Chrome
    /// DevTools does: see [`Graph::weaken`].
    pub weak_roots: Vec<u32>,
    /// What becomes of nodes that no root reaches.
    pub unreachable: Unreachable,
}

/// What becomes of nodes that no root reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unreachable {
    /// They are garbage: no dominator, no retained size.
    #[default]
    Apart,
    /// They count as retained by the root, as Chrome DevTools has it: those without an incoming retaining edge with
    /// all they lead to; what is still unreached then (cycles) each for itself, its outgoing edges ignored.
    Root,
}

/// A policy made ready: says of each edge whether it retains.
#[derive(Clone, Debug)]
pub struct Rules {
    roots: Vec<u32>,
    is_root: BitSet,
    /// What the user roots reach, if there are any.
    owned: Option<BitSet>,
    /// The user roots, while what they reach is not known.
    pending: Vec<u32>,
}

const INNER: u8 = Class::Strong.bit() | Class::StrongUnmeasured.bit() | Class::Key.bit();
const ROOT: u8 = INNER | Class::Root.bit() | Class::RootUnmeasured.bit();

/// What the edges of one source need to retain.
#[derive(Clone, Copy, Debug)]
pub struct Gate<'a> {
    classes: u8,
    /// Targets that this source cannot retain.
    barred: Option<&'a BitSet>,
}

/// What says which [`Gate`] a source has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    classes: u8,
    barred: bool,
}

impl Gate<'_> {
    /// True if the edge keeps its target alive. Edges of a node to itself are not looked for.
    #[inline]
    pub fn retains(self, link: impl Into<Link>) -> bool {
        let link = link.into();
        self.holds(link.bit(), link.end())
    }

    /// The same for an edge with this bit of its class.
    #[inline]
    pub(crate) fn holds(self, bit: u8, end: u32) -> bool {
        self.classes & bit != 0
            && !self.barred.is_some_and(|barred| bit != Class::Key.bit() && barred.contains(end))
    }
}

impl Rules {
    /// Makes `policy` ready for `graph`: O(N + E) if there are user roots or no roots, else O(1).
    pub fn new(graph: &Graph, policy: &Policy) -> Self {
        let n = graph.nodes();
        let owned = (!policy.user_roots.is_empty()).then(|| {
            let mut owned = BitSet::new(n);
            flood(graph, &policy.user_roots, &mut owned);
            owned
        });
        let mut rules = Self { roots: Vec::new(), is_root: BitSet::default(), owned, pending: Vec::new() };
        let mut roots: Vec<u32> = policy.roots.iter().copied().filter(|&root| root < n).collect();
        if roots.is_empty() {
            let retained = rules.retained_by_others(graph, &BitSet::default());
            roots = (0..n).filter(|&node| !retained.contains(node)).collect();
        }
        let mut seen = BitSet::new(n);
        roots.retain(|&root| seen.insert(root));
        rules.is_root = seen;
        rules.roots = roots;
        rules
    }

    /// What has been made ready: the roots in the order of the policy, and what the user roots reach.
    pub(crate) fn of_parts(roots: Vec<u32>, is_root: BitSet, owned: Option<BitSet>) -> Self {
        Self { roots, is_root, owned, pending: Vec::new() }
    }

    /// Makes `policy` ready but for what the user roots reach, which a walk from the root finds on its way
    /// ([`set_owned`](Self::set_owned)). Until then no edge is barred.
    pub(crate) fn without_owned(graph: &Graph, policy: &Policy) -> Self {
        let n = graph.nodes();
        match policy.roots[..] {
            [root] if root < n && !policy.user_roots.contains(&root) => {
                let rules = Self::new(graph, &Policy { roots: vec![root], ..Policy::default() });
                let pending = policy.user_roots.iter().copied().filter(|&root| root < n).collect();
                Self { pending, ..rules }
            }
            _ => Self::new(graph, policy),
        }
    }

    /// The user roots, as long as what they reach is not known.
    pub(crate) fn pending(&self) -> &[u32] {
        &self.pending
    }

    /// What the user roots reach is `owned` and all that `others` lead to.
    pub(crate) fn set_owned(&mut self, graph: &Graph, mut owned: BitSet, others: &[u32]) {
        flood(graph, others, &mut owned);
        self.owned = Some(owned);
        self.pending = Vec::new();
    }

    /// The roots, each once.
    pub fn roots(&self) -> &[u32] {
        &self.roots
    }

    /// True if `node` is a root.
    pub fn is_root(&self, node: u32) -> bool {
        self.is_root.contains(node)
    }

    /// What the edges of `source` need to retain.
    #[inline]
    pub fn gate(&self, source: u32) -> Gate<'_> {
        self.gate_of(self.kind(source))
    }

    /// What kind of source a node is.
    #[inline]
    pub(crate) fn kind(&self, source: u32) -> Kind {
        if self.is_root.contains(source) {
            return Kind { classes: ROOT, barred: false };
        }
        Kind { classes: INNER, barred: self.owned.as_ref().is_some_and(|owned| !owned.contains(source)) }
    }

    /// What the edges of sources of this kind need to retain.
    #[inline]
    pub(crate) fn gate_of(&self, kind: Kind) -> Gate<'_> {
        Gate { classes: kind.classes, barred: self.owned.as_ref().filter(|_| kind.barred) }
    }

    /// Nodes with an incoming edge that retains, from another node outside `skip`.
    pub(crate) fn retained_by_others(&self, graph: &Graph, skip: &BitSet) -> BitSet {
        let mut retained = BitSet::new(graph.nodes());
        for source in 0..graph.nodes() {
            if skip.contains(source) {
                continue;
            }
            let gate = self.gate(source);
            for &link in graph.links(source) {
                if link.end() != source && gate.retains(link) {
                    retained.insert(link.end());
                }
            }
        }
        retained
    }
}

/// Adds what `starts` reach over edges that are not weak, along paths that avoid `reached`.
fn flood(graph: &Graph, starts: &[u32], reached: &mut BitSet) {
    let mut stack: Vec<u32> = Vec::new();
    for &start in starts {
        if start < graph.nodes() && reached.insert(start) {
            stack.push(start);
        }
        while let Some(node) = stack.pop() {
            for &link in graph.links(node) {
                if !link.is_weak() && reached.insert(link.end()) {
                    stack.push(link.end());
                }
            }
        }
    }
}
