//! Entries of weak tables against what they mean: a value lives as long as its key and its table.

use arbitrary::{Result, Unstructured};
use heap_base::BitSet;

use super::check;
use crate::{Builder, Class, Column, Ephemerons, Graph, Outline, Outlined, Policy, Rules, outline};

/// Strong edges and entries (key, table, value); node 0 is the root.
#[derive(Debug)]
struct Sample {
    nodes: u32,
    edges: Vec<(u32, u32)>,
    entries: Vec<(u32, u32, u32)>,
    sizes: Vec<u64>,
}

impl Sample {
    fn new(u: &mut Unstructured<'_>) -> Result<Self> {
        let nodes = u.int_in_range(3..=12u32)?;
        let any = |u: &mut Unstructured<'_>| u.int_in_range(0..=nodes - 1);
        let mut edges = Vec::new();
        for _ in 0..u.int_in_range(2..=nodes * 2)? {
            edges.push((any(u)?, any(u)?));
        }
        let mut entries = Vec::new();
        for _ in 0..u.int_in_range(0..=6)? {
            entries.push((any(u)?, any(u)?, any(u)?));
        }
        let sizes = (0..nodes).map(|_| u.int_in_range(1..=50)).collect::<Result<_>>()?;
        Ok(Self { nodes, edges, entries, sizes })
    }

    fn graph(&self) -> Graph {
        let mut builder = Builder::default();
        for source in 0..self.nodes {
            for &(_, dest) in self.edges.iter().filter(|edge| edge.0 == source) {
                builder.edge(source, dest, Class::Strong, 0, 0).unwrap();
            }
            for &(key, table, value) in &self.entries {
                if key == source {
                    builder.ephemeron(key, value, Class::Key, table, 0, 0).unwrap();
                }
                if table == source {
                    builder.ephemeron(table, value, Class::Table, key, 0, 0).unwrap();
                }
            }
        }
        builder.finish(self.nodes).unwrap()
    }

    /// By definition: again and again over all edges and entries, until nothing more is reached.
    fn alive(&self, removed: &BitSet, entries: &[(u32, u32, u32)]) -> Vec<bool> {
        let mut alive = vec![false; self.nodes as usize];
        alive[0] = !removed.contains(0);
        loop {
            let mut changed = false;
            let ways = self.edges.iter().filter(|edge| alive[edge.0 as usize]).map(|edge| edge.1);
            let values =
                entries.iter().filter(|(key, table, _)| alive[*key as usize] && alive[*table as usize]);
            let met: Vec<u32> = ways.chain(values.map(|entry| entry.2)).collect();
            for node in met.into_iter().filter(|&node| !removed.contains(node)) {
                changed |= !std::mem::replace(&mut alive[node as usize], true);
            }
            if !changed {
                return alive;
            }
        }
    }

    fn bytes(&self, alive: &[bool]) -> u64 {
        self.sizes.iter().zip(alive).filter(|(_, alive)| **alive).map(|(size, _)| size).sum()
    }
}

fn list(set: &BitSet, nodes: u32) -> Vec<bool> {
    (0..nodes).map(|node| set.contains(node)).collect()
}

#[test]
fn a_value_lives_as_long_as_key_and_table() {
    check(3000, |u| {
        let sample = Sample::new(u)?;
        let (graph, none) = (sample.graph(), BitSet::default());
        let rules = Rules::new(&graph, &Policy { roots: vec![0], ..Policy::default() });
        let entries = Ephemerons::of(&graph);
        let removed: BitSet = (1..sample.nodes).filter(|_| u.ratio(1, 4).unwrap_or(false)).collect();
        for removed in [&none, &removed] {
            let alive = entries.alive(&graph, &rules, removed);
            assert_eq!(list(&alive, sample.nodes), sample.alive(removed, &sample.entries), "{sample:?}");
        }
        let bare = sample.alive(&none, &[]);
        let live = sample.entries.iter().all(|entry| bare[entry.1 as usize]);
        assert_eq!(entries.has_live_tables(&graph, &rules), live, "{sample:?}");
        Ok(())
    });
}

/// What goes when a node is removed is what the tree says, or more: a value goes with either side of its entry. The tree is
/// made as its users make it.
#[test]
fn the_tree_never_says_too_much() {
    let (mut equal, mut all) = (0, 0);
    check(3000, |u| {
        let sample = Sample::new(u)?;
        let mut graph = sample.graph();
        let policy = Policy { roots: vec![0], ..Policy::default() };
        let sizes: Column = sample.sizes.iter().copied().collect();
        let mut entries = Ephemerons::of(&graph);
        let none = BitSet::default();
        let alive = entries.alive(&graph, &Rules::new(&graph, &policy), &none);
        entries.bury(&alive);
        entries.apply(&mut graph);
        let tree = |graph: &Graph| -> Outline {
            let (Outlined { outline, .. }, (), ()) =
                outline(graph.bare(), &sizes, &policy, (0, |_| None), || (), || ());
            outline
        };
        let mut made = tree(&graph);
        for _ in 0..4 {
            if !entries.settle(&made, 1) {
                break;
            }
            entries.apply(&mut graph);
            made = tree(&graph);
        }
        let before = sample.alive(&none, &sample.entries);
        assert_eq!(made.retained(Outline::ROOT), sample.bytes(&before), "{sample:?}");
        for rank in 1..made.len() {
            all += 1;
            let removed: BitSet = [made.node(rank)].into_iter().collect();
            let gone = sample.bytes(&before) - sample.bytes(&sample.alive(&removed, &sample.entries));
            assert!(made.retained(rank) <= gone, "node {} of {sample:?}", made.node(rank));
            equal += u32::from(made.retained(rank) == gone);
        }
        Ok(())
    });
    assert!(equal * 10 > all * 9, "{equal} of {all}");
}

/// An entry whose key holds the value by itself changes nothing, wherever key and table lie.
#[test]
fn what_the_key_holds_needs_no_entry() {
    check(1000, |u| {
        let mut sample = Sample::new(u)?;
        sample.edges.extend(sample.entries.iter().map(|&(key, _, value)| (key, value)));
        let sizes: Column = sample.sizes.iter().copied().collect();
        let policy = Policy { roots: vec![0], ..Policy::default() };
        let tree = |graph: &Graph| -> Outline {
            let (Outlined { outline, .. }, (), ()) =
                outline(graph.bare(), &sizes, &policy, (0, |_| None), || (), || ());
            outline
        };
        let mut graph = sample.graph();
        let mut entries = Ephemerons::of(&graph);
        let alive = entries.alive(&graph, &Rules::new(&graph, &policy), &BitSet::default());
        entries.bury(&alive);
        entries.apply(&mut graph);
        let made = tree(&graph);
        assert!(!entries.settle(&made, 1), "{sample:?}");
        let plain = tree(&Sample { entries: Vec::new(), ..sample }.graph());
        assert!(made.nodes.iter().eq(plain.nodes.iter()) && made.ends.iter().eq(plain.ends.iter()));
        Ok(())
    });
}
