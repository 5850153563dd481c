//! Accumulation points: where much hangs together that no single node below accounts for.

use std::collections::HashMap;

use crate::retained::DomTree;

/// Nodes of one group in a row from which a chain, such as a linked list, counts as one accumulation point.
const CHAIN: u32 = 16;

/// A node below which the dominator tree spreads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accumulation {
    /// The node; of a chain, its first node.
    pub node: u32,
    /// Its own bytes and those of everything below it that no larger node below it dominates.
    pub spread: u64,
    /// How many nodes of its group the chain has; 1 where there is no chain.
    pub chain: u32,
}

/// Nodes of which own bytes, with the retained bytes of all children that retain less than `floor`, reach `floor`;
/// largest first. A chain of nodes of one group that reaches `floor` only together counts at its first node.
///
/// `retained` are bytes by node, at least `floor` > 0. O(N) time; memory for the nodes that retain `floor`.
pub fn accumulations(
    tree: &DomTree,
    retained: &[u64],
    floor: u64,
    group: impl Fn(u32) -> u64,
) -> Vec<Accumulation> {
    let floor = floor.max(1);
    let of = |node: u32| retained.get(node as usize).copied();
    let mut found = Vec::new();
    // The first nodes of heavy paths, each of which goes down by the largest child.
    let mut heads = vec![tree.root()];
    let mut chains: HashMap<u64, Accumulation> = HashMap::new();
    while let Some(head) = heads.pop() {
        let on_path = found.len();
        let mut next = Some(head);
        while let Some(node) = next {
            let mut spread = of(node).unwrap_or(0);
            let mut largest: Option<(u64, u32)> = None;
            for child in tree.children(node) {
                let size = of(child).unwrap_or(0);
                if of(node).is_none() {
                    // The root of the tree may be none of the nodes: then it retains what its children do.
                    spread = spread.saturating_add(size);
                }
                if size < floor {
                    continue;
                }
                spread = spread.saturating_sub(size);
                let smaller = match largest {
                    Some(other) if other.0 >= size => Some(child),
                    other => {
                        largest = Some((size, child));
                        other.map(|(_, node)| node)
                    }
                };
                heads.extend(smaller);
            }
            if spread >= floor {
                found.push(Accumulation { node, spread, chain: 1 });
            } else if of(node).is_some() {
                let chain = chains.entry(group(node)).or_insert(Accumulation { node, spread: 0, chain: 0 });
                chain.spread += spread;
                chain.chain += 1;
            }
            next = largest.map(|(_, child)| child);
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
    use crate::graph::NONE;

    /// Retained bytes from immediate dominators; parents come before their children.
    fn retained(idom: &[u32], sizes: &[u64]) -> Vec<u64> {
        let mut retained = sizes.to_vec();
        for node in (0..idom.len()).rev() {
            if idom[node] != NONE {
                retained[idom[node] as usize] += retained[node];
            }
        }
        retained
    }

    #[test]
    fn a_cache_is_found_and_not_the_chain_that_leads_to_it() {
        // 0 root -> 1 global -> 2 map -> 3 table -> 4..104, and 105 something else below the global.
        let mut idom = vec![NONE, 0, 1, 2];
        idom.extend([3; 101]);
        idom.push(1);
        let sizes: Vec<u64> = (0..idom.len()).map(|_| 10).collect();
        let retained = retained(&idom, &sizes);
        let found = accumulations(&DomTree::new(0, &idom), &retained, 300, |_| 0);
        assert_eq!(found, [Accumulation { node: 3, spread: 102 * 10, chain: 1 }]);
    }

    #[test]
    fn a_linked_list_is_found_at_its_first_node() {
        // 0 root, 1 list, 2..1002 nodes of group 7.
        let n = 1002u32;
        let idom: Vec<u32> = (0..n).map(|node| node.checked_sub(1).unwrap_or(NONE)).collect();
        let retained = retained(&idom, &vec![10; n as usize]);
        let found = accumulations(&DomTree::new(0, &idom), &retained, 1000, |node| u64::from(node > 1) * 7);
        assert_eq!(found, [Accumulation { node: 2, spread: 10_000, chain: 900 }]);
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
            let retained = retained(&idom, &sizes);
            let floor = u.int_in_range(1..=200)?;
            let found = accumulations(&DomTree::new(0, &idom), &retained, floor, |node| u64::from(node % 2));
            let total: u64 = found.iter().map(|a| a.spread).sum();
            assert!(total <= retained[0], "{found:?}");
            // A slow twin for single nodes.
            for node in 0..n {
                let small =
                    (0..n).filter(|&child| idom[child as usize] == node && retained[child as usize] < floor);
                let spread = sizes[node as usize] + small.map(|child| retained[child as usize]).sum::<u64>();
                let expected = spread >= floor && retained[node as usize] >= floor;
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
