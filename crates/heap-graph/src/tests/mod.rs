//! Every algorithm against a slow, obvious twin on thousands of random graphs.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod columns;
mod dominators;
mod ephemerons;
mod large;
mod paths;
mod sink;
mod v8;
mod walks;

use arbitrary::{Result, Unstructured};

use heap_base::BitSet;

use crate::{Builder, Class, Column, Graph, NONE, Policy, Rules, Unreachable};

/// Runs `property` on `runs` inputs that are the same every time; on `HEAP_CASES` times as many, if that is set.
fn check(runs: u64, mut property: impl FnMut(&mut Unstructured<'_>) -> Result<()>) {
    let times = std::env::var("HEAP_CASES").map_or(1, |times| times.parse().expect("HEAP_CASES is a number"));
    for seed in 0..runs * times {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let bytes: Vec<u8> = (0..1500)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state >> 24) as u8
            })
            .collect();
        let _ = property(&mut Unstructured::new(&bytes));
    }
}

/// A graph with its policy, as plain lists.
#[derive(Clone, Debug)]
struct Sample {
    nodes: u32,
    /// Source, target, class, partner.
    edges: Vec<(u32, u32, Class, u32)>,
    policy: Policy,
    sizes: Vec<u64>,
}

const CLASSES: [Class; 7] = [
    Class::Strong,
    Class::Root,
    Class::Weak,
    Class::StrongUnmeasured,
    Class::RootUnmeasured,
    Class::Table,
    Class::Key,
];

impl Sample {
    /// Up to `most` nodes; `plain` graphs have one root, strong edges and no further rules.
    fn new(u: &mut Unstructured<'_>, most: u32, plain: bool) -> Result<Self> {
        let nodes = u.int_in_range(1..=most)?;
        let any = |u: &mut Unstructured<'_>| u.int_in_range(0..=nodes - 1);
        let mut edges = Vec::new();
        for _ in 0..u.int_in_range(0..=nodes * 3)? {
            let class = if plain || u.ratio(3, 5)? { Class::Strong } else { *u.choose(&CLASSES)? };
            let partner = if class.has_partner() { any(u)? } else { NONE };
            edges.push((any(u)?, any(u)?, class, partner));
        }
        if !plain && u.ratio(1, 3)? {
            // Whole ephemerons: both halves.
            for i in 0..edges.len() {
                let (table, value, class, key) = edges[i];
                if class == Class::Table {
                    edges.push((key, value, Class::Key, table));
                }
            }
        }
        let mut policy = Policy { roots: vec![any(u)?], ..Policy::default() };
        if !plain {
            policy.roots = (0..u.int_in_range(0..=3)?).map(|_| any(u)).collect::<Result<_>>()?;
            policy.user_roots = (0..u.int_in_range(0..=2)?).map(|_| any(u)).collect::<Result<_>>()?;
            if u.arbitrary()? {
                policy.unreachable = Unreachable::Root;
            }
        }
        if u.arbitrary()? {
            edges.sort_by_key(|&(source, ..)| source);
        }
        let sizes = (0..nodes).map(|_| u.int_in_range(0..=1000)).collect::<Result<_>>()?;
        Ok(Self { nodes, edges, policy, sizes })
    }

    fn graph(&self) -> Graph {
        let mut builder = Builder::default();
        for &(source, dest, class, partner) in &self.edges {
            if class.has_partner() {
                builder.ephemeron(source, dest, class, partner, 0, 0).unwrap();
            } else {
                builder.edge(source, dest, class, 0, 0).unwrap();
            }
        }
        builder.finish(self.nodes).unwrap()
    }

    fn sizes(&self) -> Column {
        self.sizes.iter().copied().collect()
    }

    /// The edges, with the key's half of ephemerons that lack it.
    fn whole_edges(&self) -> Vec<(u32, u32, Class, u32)> {
        let mut edges = self.edges.clone();
        for &(table, value, class, key) in &self.edges {
            let half = (key, value, Class::Key, table);
            if class == Class::Table && !edges.contains(&half) {
                edges.push(half);
            }
        }
        edges
    }

    /// What the given nodes reach over the given edges, by adding until nothing changes.
    fn closure(&self, starts: &[u32], edges: &[(u32, u32)]) -> Vec<bool> {
        let mut seen = vec![false; self.nodes as usize];
        for &start in starts {
            seen[start as usize] = true;
        }
        loop {
            let before = seen.clone();
            for &(source, dest) in edges {
                if seen[source as usize] {
                    seen[dest as usize] = true;
                }
            }
            if seen == before {
                return seen;
            }
        }
    }

    /// The roots and the edges that retain, by the words of the policy.
    fn retaining(&self) -> (Vec<u32>, Vec<(u32, u32)>) {
        let all = self.whole_edges();
        let strong: Vec<(u32, u32)> =
            all.iter().filter(|e| e.2 != Class::Weak).map(|&(source, dest, ..)| (source, dest)).collect();
        let owned = self.closure(&self.policy.user_roots, &strong);
        let retaining = |roots: &[u32]| -> Vec<(u32, u32)> {
            all.iter()
                .filter(|&&(source, dest, class, _)| {
                    let root = roots.contains(&source);
                    let by_class = match class {
                        Class::Strong | Class::StrongUnmeasured | Class::Key => true,
                        Class::Root | Class::RootUnmeasured => root,
                        Class::Weak | Class::Table | Class::Kept => false,
                    };
                    let to_user = owned[dest as usize] && !owned[source as usize];
                    source != dest && by_class && (root || class == Class::Key || !to_user)
                })
                .map(|&(source, dest, ..)| (source, dest))
                .collect()
        };
        let mut roots = self.policy.roots.clone();
        if roots.is_empty() {
            let edges = retaining(&[]);
            roots = (0..self.nodes).filter(|&node| !edges.iter().any(|&(_, dest)| dest == node)).collect();
        }
        roots.sort_unstable();
        roots.dedup();
        let edges = retaining(&roots);
        (roots, edges)
    }

    fn rules(&self) -> Rules {
        Rules::new(&self.graph(), &self.policy)
    }
}

fn set(numbers: &[u32]) -> BitSet {
    numbers.iter().copied().collect()
}
