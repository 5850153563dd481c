//! What is known of the way to a node before the walk that numbers all nodes comes there.

use heap_base::{BitSet, Map, join};

use crate::graph::{Graph, NONE, Packed};
use crate::rules::Rules;

/// Two bits a node, side by side: whether it has a number, and whether more than one edge leads to it.
pub(crate) struct Marks {
    /// 32 nodes a word: the lower half says which have a number, the upper which are shared.
    words: Vec<u64>,
}

impl Marks {
    /// No node has a number, and all count as shared.
    pub(crate) fn all_shared(nodes: u32) -> Self {
        Self { words: vec![!0 << 32; (nodes as usize).div_ceil(64) * 2] }
    }

    /// No node has a number. Edges count whatever they are, weak ones left out. With one or two threads.
    pub(crate) fn new(graph: &Graph, two: bool) -> Self {
        let of = |links: &[Packed]| {
            let [mut once, mut twice] = [BitSet::new(graph.nodes()), BitSet::new(graph.nodes())];
            for link in links.iter().filter(|link| !link.is_weak()) {
                if !once.insert(link.end()) {
                    twice.insert(link.end());
                }
            }
            (once, twice)
        };
        let (front, back) = graph.links.split_at(if two { graph.links.len() / 2 } else { 0 });
        let (one, other) = join(two, || of(back), || of(front));
        let both = one.0.words().iter().zip(other.0.words()).map(|(one, other)| one & other);
        let twice = one.1.words().iter().zip(other.1.words()).map(|(one, other)| one | other);
        let shared = both.zip(twice).map(|(both, twice)| both | twice);
        Self { words: shared.flat_map(|word| [word << 32, word >> 32 << 32]).collect() }
    }

    /// Marks a node as shared.
    pub(crate) fn share(&mut self, node: u32) {
        self.words[node as usize / 32] |= 1 << 32 << (node % 32);
    }

    /// Whether more than one edge leads to a node.
    #[inline]
    pub(crate) fn is_shared(&self, node: u32) -> bool {
        self.words[node as usize / 32] >> 32 >> (node % 32) & 1 == 1
    }

    /// Notes that a node has a number; true if it had none.
    #[inline]
    pub(crate) fn insert(&mut self, node: u32) -> bool {
        let (word, bit) = (&mut self.words[node as usize / 32], 1 << (node % 32));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// The nodes that have a number.
    pub(crate) fn seen(&self) -> BitSet {
        let (pairs, _) = self.words.as_chunks();
        BitSet::from_words(pairs.iter().map(|[low, high]| low & 0xFFFF_FFFF | high << 32).collect())
    }
}

/// Short ways from the roots to what is near them, breadth first.
#[derive(Default)]
pub(crate) struct Near {
    pub(crate) nodes: BitSet,
    /// The node before each on its way. Roots have none.
    before: Map<u32, u32>,
}

/// How many edges are looked at for short ways.
const NEAR: usize = if cfg!(test) { 16 } else { 1 << 16 };

impl Near {
    /// Looks for short ways.
    pub(crate) fn new(graph: &Graph, rules: &Rules) -> Self {
        let mut near = Self { nodes: BitSet::new(graph.nodes()), before: Map::default() };
        let mut queue = rules.roots().to_vec();
        for &root in &queue {
            near.nodes.insert(root);
        }
        let (mut at, mut left) = (0, NEAR);
        while let Some(&node) = queue.get(at).filter(|_| left > 0) {
            at += 1;
            let gate = rules.gate(node);
            let links = graph.links(node).iter().take(left);
            left -= links.len();
            for &link in links {
                if gate.retains(link) && near.nodes.insert(link.end()) {
                    near.before.insert(link.end(), node);
                    queue.push(link.end());
                }
            }
        }
        near
    }

    /// A candidate for the semidominator of a node that gets its number now: the number of the last node on its short way that
    /// has one, since those behind it will have higher ones.
    pub(crate) fn candidate(&self, node: u32, number: &[u32]) -> u32 {
        let mut at = node;
        while let Some(&before) = self.before.get(&at) {
            at = before;
            if number[at as usize] != NONE {
                return number[at as usize];
            }
        }
        // A root without a number: the root of the tree leads to it.
        0
    }
}
