//! Accumulation points: where much hangs together that no single node below accounts for.

use std::cmp::Reverse;

use heap_base::Map;

use crate::outline::Outline;

/// Nodes of one group in a row from which a chain, such as a linked list, counts as one accumulation point.
const CHAIN: u32 = 16;

/// A node below which the dominator tree spreads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accumulation {
    /// The node; of a chain, its first node.
    pub node: u32,
    /// Its rank.
    pub rank: u32,
    /// Its own bytes and those of everything below it that no larger node below it dominates.
    pub spread: u64,
    /// How many nodes of its group the chain has; 1 where there is no chain.
    pub chain: u32,
}

/// Nodes of which own bytes, with the bytes of all children that have less than `floor`, reach `floor`; largest first. A
/// chain of nodes of one group that reaches `floor` only together counts at its first node.
///
/// `bytes` are by rank, those of all that a node dominates included; `floor` is at least 1. O(N) time; memory for the nodes
/// that have `floor`.
pub fn accumulations(
    tree: &Outline,
    bytes: &[u64],
    floor: u64,
    group: impl Fn(u32) -> u64,
) -> Vec<Accumulation> {
    let floor = floor.max(1);
    let mut found = Vec::new();
    // The first nodes of heavy paths, each of which goes down by the largest child.
    let mut heads = if tree.is_empty() { Vec::new() } else { vec![Outline::ROOT] };
    let mut chains: Map<u64, Accumulation> = Map::default();
    while let Some(head) = heads.pop() {
        let on_path = found.len();
        let mut next = Some(head);
        while let Some(rank) = next {
            let node = tree.node(rank);
            let mut spread = bytes[rank as usize];
            let mut largest: Option<(u64, Reverse<u32>, u32)> = None;
            for child in tree.children(rank) {
                let size = bytes[child as usize];
                if size < floor {
                    continue;
                }
                spread = spread.saturating_sub(size);
                // Of equal ones the first in the dump.
                let large = (size, Reverse(tree.node(child)), child);
                let smaller = match largest {
                    Some(other) if other > large => Some(child),
                    other => {
                        largest = Some(large);
                        other.map(|(_, _, child)| child)
                    }
                };
                heads.extend(smaller);
            }
            if spread >= floor {
                found.push(Accumulation { node, rank, spread, chain: 1 });
            } else {
                let new = Accumulation { node, rank, spread: 0, chain: 0 };
                let chain = chains.entry(group(node)).or_insert(new);
                chain.spread += spread;
                chain.chain += 1;
            }
            next = largest.map(|(_, _, child)| child);
        }
        for (of_chain, mut chain) in chains.drain().filter(|(_, c)| c.spread >= floor && c.chain >= CHAIN) {
            // The end of a chain retains less than the floor: it belongs to the chain.
            let ends = found.extract_if(on_path.., |a| group(a.node) == of_chain);
            chain.spread += ends.map(|a| a.spread).sum::<u64>();
            found.push(chain);
        }
    }
    found.sort_unstable_by(|a, b| b.spread.cmp(&a.spread).then(a.node.cmp(&b.node)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Builder, Class, Column, NONE, Outlined, Policy, outline};

    /// The tree with these immediate dominators, which come before what they dominate, and its bytes.
    fn outlined(idom: &[u32], sizes: &[u64]) -> (Outline, Vec<u64>) {
        let mut graph = Builder::default();
        for (node, &above) in (0..).zip(idom).skip(1) {
            graph.edge(above, node, Class::Strong, 0, 0).expect("a small graph");
        }
        let graph = graph.finish(idom.len() as u32).expect("a small graph");
        let policy = Policy { roots: vec![0], ..Policy::default() };
        let sizes: Column = sizes.iter().copied().collect();
        let (Outlined { outline, .. }, (), ()) = outline(graph, &sizes, &policy, (0, |_| None), || (), || ());
        let bytes = (0..outline.len()).map(|rank| outline.retained(rank)).collect();
        (outline, bytes)
    }

    /// Places in the tree left out.
    fn found(found: &[Accumulation]) -> Vec<(u32, u64, u32)> {
        found.iter().map(|a| (a.node, a.spread, a.chain)).collect()
    }

    #[test]
    fn a_cache_is_found_and_not_the_chain_that_leads_to_it() {
        // 0 root -> 1 global -> 2 map -> 3 table -> 4..104, and 105 something else below the global.
        let mut idom = vec![NONE, 0, 1, 2];
        idom.extend([3; 101]);
        idom.push(1);
        let sizes: Vec<u64> = (0..idom.len()).map(|_| 10).collect();
        let (tree, bytes) = outlined(&idom, &sizes);
        assert_eq!(found(&accumulations(&tree, &bytes, 300, |_| 0)), [(3, 102 * 10, 1)]);
    }

    #[test]
    fn a_linked_list_is_found_at_its_first_node() {
        // 0 root, 1 list, 2..1002 nodes of group 7.
        let n = 1002u32;
        let idom: Vec<u32> = (0..n).map(|node| node.checked_sub(1).unwrap_or(NONE)).collect();
        let (tree, bytes) = outlined(&idom, &vec![10; n as usize]);
        let of = |node| u64::from(node > 1) * 7;
        assert_eq!(found(&accumulations(&tree, &bytes, 1000, of)), [(2, 10_000, 900)]);
    }

    #[test]
    fn all_bytes_that_are_found_are_there_once() {
        arbtest::arbtest(|u| {
            let n = u.int_in_range(1..=60u32)?;
            let mut idom = vec![NONE];
            for node in 1..n {
                idom.push(u.int_in_range(0..=node - 1)?);
            }
            let sizes: Vec<u64> = (0..n).map(|_| u.int_in_range(0..=50)).collect::<Result<_, _>>()?;
            let (tree, bytes) = outlined(&idom, &sizes);
            let retained = |node: u32| tree.rank(node).map_or(0, |rank| bytes[rank as usize]);
            let floor = u.int_in_range(1..=200)?;
            let found = accumulations(&tree, &bytes, floor, |node| u64::from(node % 2));
            let total: u64 = found.iter().map(|a| a.spread).sum();
            assert!(total <= bytes[0], "{found:?}");
            // A slow twin for single nodes.
            for node in 0..n {
                let small = (0..n).filter(|&child| idom[child as usize] == node && retained(child) < floor);
                let spread = sizes[node as usize] + small.map(retained).sum::<u64>();
                let expected = spread >= floor && retained(node) >= floor;
                let group = u64::from(node % 2);
                let chained = found.iter().any(|a| a.chain > 1 && u64::from(a.node % 2) == group);
                assert_eq!(
                    found.iter().any(|a| a.node == node && a.chain == 1),
                    expected && !chained,
                    "{node}"
                );
            }
            Ok(())
        });
    }
}
