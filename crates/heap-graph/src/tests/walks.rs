//! Distances, ownership of sizes and walks against their definitions.

use std::collections::HashSet;

use super::{Sample, check, set};
use heap_base::BitSet;

use crate::{Class, NONE, SYSTEM, attribute, backward, distances, forward, reachable};

/// Breadth first over plain lists.
fn naive_distances(sample: &Sample, roots: &[u32], near: &[u32]) -> Vec<u32> {
    let mut edges = sample.whole_edges();
    edges.sort_by_key(|&(source, ..)| source);
    let mut distance = vec![NONE; sample.nodes as usize];
    let mut pending = HashSet::new();
    let far = if near.is_empty() { 0 } else { SYSTEM };
    for (starts, first) in [(near, 1), (roots, far)] {
        let mut queue = starts.to_vec();
        for &start in starts {
            distance[start as usize] = first;
        }
        while !queue.is_empty() {
            let node = queue.remove(0);
            for &(_, dest, class, partner) in edges.iter().filter(|&&(source, ..)| source == node) {
                let unmeasured = matches!(class, Class::StrongUnmeasured | Class::RootUnmeasured);
                if class == Class::Weak || distance[dest as usize] != NONE || unmeasured {
                    continue;
                }
                let half = match class {
                    Class::Table => Some((node, partner, dest, true)),
                    Class::Key => Some((partner, node, dest, false)),
                    _ => None,
                };
                if let Some((table, key, value, is_table)) = half {
                    pending.insert((table, key, value, is_table));
                    if !pending.contains(&(table, key, value, !is_table)) {
                        continue;
                    }
                }
                distance[dest as usize] = distance[node as usize] + 1;
                queue.push(dest);
            }
        }
    }
    distance
}

#[test]
fn distances_by_the_rules() {
    check(3000, |u| {
        let sample = Sample::new(u, 12, false)?;
        let (roots, _) = sample.retaining();
        let near = &sample.policy.user_roots;
        assert_eq!(
            distances(&sample.graph(), &roots, near),
            naive_distances(&sample, &roots, near),
            "{sample:?}"
        );
        Ok(())
    });
}

#[test]
fn a_value_is_as_far_as_the_farther_of_table_and_key() {
    // 0 root, 1 table, 2 and 3 on the way to the key 4, 5 value.
    let mut builder = crate::Builder::default();
    for (source, dest) in [(0, 1), (0, 2), (2, 3), (3, 4)] {
        builder.edge(source, dest, Class::Strong, 0, 0).unwrap();
    }
    builder.ephemeron(1, 5, Class::Table, 4, 0, 0).unwrap();
    let graph = builder.finish(6).unwrap();
    assert_eq!(graph.edges(), 6, "the key's half is added");
    assert_eq!(distances(&graph, &[0], &[]), [0, 1, 1, 2, 3, 4]);
    // One half that comes twice is not both.
    let mut builder = crate::Builder::default();
    builder.edge(0, 1, Class::Strong, 0, 0).unwrap();
    for _ in 0..2 {
        builder.ephemeron(1, 3, Class::Table, 2, 0, 0).unwrap();
    }
    assert_eq!(distances(&builder.finish(4).unwrap(), &[0], &[]), [0, 1, NONE, NONE]);
}

#[test]
fn a_table_with_very_many_values() {
    // 0 root and table, then keys, then values.
    let n = 200_000;
    let mut builder = crate::Builder::default();
    for i in 1..=n {
        builder.edge(0, i, Class::Strong, 0, 0).unwrap();
        builder.ephemeron(0, n + i, Class::Table, i, 0, 0).unwrap();
    }
    for i in 1..=n {
        builder.ephemeron(i, n + i, Class::Key, 0, 0, 0).unwrap();
    }
    let graph = builder.finish(2 * n + 1).unwrap();
    assert_eq!(graph.edges(), 3 * n);
    let distance = distances(&graph, &[0], &[]);
    assert!((1..=n).all(|i| (distance[i as usize], distance[(n + i) as usize]) == (1, 2)));
}

#[test]
fn sizes_go_to_the_only_owner() {
    check(2000, |u| {
        let sample = Sample::new(u, 10, false)?;
        let ownerless: Vec<u32> = (0..sample.nodes).filter(|_| u.ratio(1, 2).unwrap_or(false)).collect();
        let barred: Vec<u32> = (0..sample.nodes).filter(|_| u.ratio(1, 5).unwrap_or(false)).collect();
        let mut expected = sample.sizes.clone();
        for &node in &ownerless {
            let owners: Vec<u32> = (0..sample.nodes)
                .filter(|owner| {
                    // Over nodes without owner only.
                    let edges: Vec<(u32, u32)> = sample
                        .whole_edges()
                        .iter()
                        .filter(|e| e.2 != Class::Weak && ownerless.contains(&e.1))
                        .filter(|e| e.0 == *owner || ownerless.contains(&e.0))
                        .map(|e| (e.0, e.1))
                        .collect();
                    !ownerless.contains(owner) && sample.closure(&[*owner], &edges)[node as usize]
                })
                .collect();
            if let [owner] = owners[..]
                && !barred.contains(&owner)
            {
                expected[owner as usize] += sample.sizes[node as usize];
                expected[node as usize] = 0;
            }
        }
        let mut sizes = sample.sizes();
        attribute(&sample.graph(), &mut sizes, &set(&ownerless), &set(&barred));
        assert_eq!(sizes.iter().collect::<Vec<_>>(), expected, "{sample:?} {ownerless:?} {barred:?}");
        Ok(())
    });
}

#[test]
fn walks_of_bounded_depth() {
    check(1000, |u| {
        let sample = Sample::new(u, 14, false)?;
        let graph = sample.graph();
        let starts: Vec<u32> = (0..sample.nodes).filter(|_| u.ratio(1, 6).unwrap_or(false)).collect();
        let depth = u.int_in_range(0..=4)?;
        let edges = sample.whole_edges();
        let naive = |back: bool| {
            let mut seen = set(&starts);
            for _ in 0..depth {
                let before = seen.clone();
                for &(source, dest, class, _) in &edges {
                    let (from, to) = if back { (dest, source) } else { (source, dest) };
                    if class != Class::Weak && before.contains(from) {
                        seen.insert(to);
                    }
                }
            }
            seen.iter().collect::<Vec<_>>()
        };
        let reverse = graph.reverse(true);
        let found = forward(&graph, starts.iter().copied(), depth, |source, edge, link| {
            assert_eq!((graph.source(edge), graph.link(edge)), (source, link));
            link.class() != Class::Weak
        });
        assert_eq!(found.iter().collect::<Vec<_>>(), naive(false));
        let found = backward(&reverse, starts.iter().copied(), depth, |dest, edge, link| {
            assert_eq!((graph.source(edge), graph.link(edge).end()), (link.end(), dest));
            link.class() != Class::Weak
        });
        assert_eq!(found.iter().collect::<Vec<_>>(), naive(true));
        let (roots, retaining) = sample.retaining();
        let reached: BitSet = reachable(&graph, &sample.rules());
        let expected = sample.closure(&roots, &retaining);
        assert!(
            (0..sample.nodes).all(|node| reached.contains(node) == expected[node as usize]),
            "{sample:?}"
        );
        Ok(())
    });
}
