//! Which edges retain: the policy of a dump, made ready for a graph.

use crate::bits::BitSet;
use crate::graph::{Class, Graph, Link};

/// Where the roots are, and what becomes of nodes that none of them reaches.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    /// The roots. Empty: every node without an incoming retaining edge is one.
    pub roots: Vec<u32>,
    /// The roots that belong to the program that was dumped, as against its virtual machine (V8's globals).
    /// An edge from a node that they do not reach to one that they reach does not retain, unless it comes from
    /// a root: what a debugger holds as well is still the program's.
    pub user_roots: Vec<u32>,
    /// Where distances start from; empty: `user_roots`.
    pub distance_roots: Vec<u32>,
    /// What becomes of nodes that no root reaches.
    pub unreachable: Unreachable,
}

/// What becomes of nodes that no root reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unreachable {
    /// They are garbage: no dominator, no retained size.
    #[default]
    Apart,
    /// They count as held by the root, as Chrome DevTools has it: those without an incoming retaining edge with
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

impl Gate<'_> {
    /// True if the edge keeps its target alive. Edges of a node to itself are not looked for.
    #[inline]
    pub fn retains(self, link: Link) -> bool {
        self.classes & link.bit() != 0 && !self.barred.is_some_and(|barred| barred.contains(link.end()))
    }
}

impl Rules {
    /// Makes `policy` ready for `graph`: O(N + E) if there are user roots or no roots, else O(1).
    pub fn new(graph: &Graph, policy: &Policy) -> Self {
        let n = graph.nodes();
        let owned = (!policy.user_roots.is_empty()).then(|| owned(graph, &policy.user_roots));
        let mut rules = Self { roots: Vec::new(), is_root: BitSet::default(), owned };
        let mut roots: Vec<u32> = policy.roots.iter().copied().filter(|&root| root < n).collect();
        if roots.is_empty() {
            let held = rules.held(graph, &BitSet::default());
            roots = (0..n).filter(|&node| !held.contains(node)).collect();
        }
        let mut seen = BitSet::new(n);
        roots.retain(|&root| seen.insert(root));
        rules.is_root = seen;
        rules.roots = roots;
        rules
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
        if self.is_root.contains(source) {
            return Gate { classes: ROOT, barred: None };
        }
        let barred = self.owned.as_ref().filter(|owned| !owned.contains(source));
        Gate { classes: INNER, barred }
    }

    /// Nodes with an incoming edge that retains, from another node outside `skip`.
    pub(crate) fn held(&self, graph: &Graph, skip: &BitSet) -> BitSet {
        let mut held = BitSet::new(graph.nodes());
        for source in 0..graph.nodes() {
            if skip.contains(source) {
                continue;
            }
            let gate = self.gate(source);
            for &link in graph.links(source) {
                if link.end() != source && gate.retains(link) {
                    held.insert(link.end());
                }
            }
        }
        held
    }
}

/// What `user_roots` reach over edges that are not weak.
fn owned(graph: &Graph, user_roots: &[u32]) -> BitSet {
    let mut owned = BitSet::new(graph.nodes());
    let mut stack: Vec<u32> = Vec::new();
    for &root in user_roots {
        if root < graph.nodes() && owned.insert(root) {
            stack.push(root);
        }
        while let Some(node) = stack.pop() {
            for &link in graph.links(node) {
                if link.bit() & Class::Weak.bit() == 0 && owned.insert(link.end()) {
                    stack.push(link.end());
                }
            }
        }
    }
    owned
}
