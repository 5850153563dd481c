//! Paths: valid, shortest, disjoint, and as many as a minimal cut allows.

use super::{Sample, check, set};
use crate::{Disjoint, Graph, Path, Paths, Rules, disjoint, every};

/// Steps from the roots over retaining edges, not beyond `avoid`.
fn steps(sample: &Sample, avoid: &[u32]) -> Vec<Option<usize>> {
    let (roots, edges) = sample.retaining();
    let mut steps = vec![None; sample.nodes as usize];
    for &root in &roots {
        steps[root as usize] = Some(0);
    }
    for round in 0..sample.nodes as usize {
        for &(source, dest) in &edges {
            let open = steps[source as usize] == Some(round) && !avoid.contains(&source);
            if open && steps[dest as usize].is_none() {
                steps[dest as usize] = Some(round + 1);
            }
        }
    }
    steps
}

/// The nodes of a path after its root, once it is known to be sound.
fn nodes_of(graph: &Graph, rules: &Rules, path: &Path) -> Vec<u32> {
    assert!(rules.is_root(path.root));
    let mut at = path.root;
    path.edges
        .iter()
        .map(|&edge| {
            assert_eq!(graph.source(edge), at);
            assert!(rules.gate(at).retains(graph.link(edge)));
            at = graph.link(edge).end();
            at
        })
        .collect()
}

#[test]
fn shortest_paths() {
    check(2000, |u| {
        let sample = Sample::new(u, 12, false)?;
        let avoid: Vec<u32> = (0..sample.nodes).filter(|_| u.ratio(1, 8).unwrap_or(false)).collect();
        let (graph, rules) = (sample.graph(), sample.rules());
        let expected = steps(&sample, &avoid);
        let targets: Vec<u32> = (0..sample.nodes).filter(|_| u.ratio(1, 4).unwrap_or(false)).collect();
        let all = Paths::new(&graph, &rules, &set(&avoid), None);
        let some = Paths::new(&graph, &rules, &set(&avoid), Some(&set(&targets)));
        for node in 0..sample.nodes {
            let path = all.path(node);
            assert_eq!(path.as_ref().map(|p| p.edges.len()), expected[node as usize], "{sample:?} {avoid:?}");
            if let Some(path) = &path {
                let nodes = nodes_of(&graph, &rules, path);
                assert_eq!(nodes.last().copied().unwrap_or(path.root), node);
                assert!(nodes.iter().rev().skip(1).all(|node| !avoid.contains(node)));
            }
            if targets.contains(&node) {
                assert_eq!(some.path(node), path, "stopping early changes nothing");
            }
        }
        Ok(())
    });
}

/// How many paths without a common node there are: by Menger, the size of the smallest cut.
fn most_paths(sample: &Sample, avoid: &[u32], target: u32) -> usize {
    let (roots, edges) = sample.retaining();
    let straight = |edge: &(u32, u32)| roots.contains(&edge.0) && edge.1 == target;
    let mut direct: Vec<u32> =
        edges.iter().filter(|edge| straight(edge) && !avoid.contains(&edge.0)).map(|edge| edge.0).collect();
    direct.sort_unstable();
    direct.dedup();
    let edges: Vec<(u32, u32)> = edges.into_iter().filter(|edge| !straight(edge)).collect();
    let between: Vec<u32> =
        (0..sample.nodes).filter(|node| !roots.contains(node) && *node != target).collect();
    let cut = (0u32..1 << between.len())
        .filter(|chosen| {
            let closed = |node: u32| {
                avoid.contains(&node) && node != target
                    || between.iter().position(|&b| b == node).is_some_and(|i| chosen >> i & 1 == 1)
            };
            let open: Vec<u32> = roots.iter().copied().filter(|&root| !closed(root)).collect();
            let edges: Vec<_> = edges.iter().copied().filter(|&(s, d)| !closed(s) && !closed(d)).collect();
            !sample.closure(&open, &edges)[target as usize]
        })
        .map(u32::count_ones)
        .min();
    direct.len() + cut.unwrap_or(0) as usize
}

#[test]
fn disjoint_paths() {
    check(1500, |u| {
        let mut sample = Sample::new(u, 9, u.len() % 2 == 0)?;
        // Mostly one root, as in a dump.
        sample.policy.roots.truncate(if u.ratio(1, 4)? { 3 } else { 1 });
        let target = u.int_in_range(0..=sample.nodes - 1)?;
        let avoid: Vec<u32> = (0..sample.nodes).filter(|_| u.ratio(1, 12).unwrap_or(false)).collect();
        let (graph, rules) = (sample.graph(), sample.rules());
        if rules.is_root(target) {
            let alone = Path { root: target, edges: Vec::new() };
            assert_eq!(disjoint(&graph, &rules, &set(&avoid), &set(&[]), target, 3).paths, [alone]);
            return Ok(());
        }
        let most = most_paths(&sample, &avoid, target);
        let shortest = Paths::new(&graph, &rules, &set(&avoid), None).path(target);
        for k in 0..=4 {
            let Disjoint { paths, through } = disjoint(&graph, &rules, &set(&avoid), &set(&[]), target, k);
            if paths.len() < k {
                // Without these nodes there is no path but from roots straight to the target.
                let shut: Vec<u32> = avoid.iter().chain(&through).copied().collect();
                let direct = paths.iter().filter(|path| path.edges.len() == 1).count();
                assert_eq!(through.len(), paths.len() - direct, "{sample:?}");
                assert_eq!(most_paths(&sample, &shut, target), direct, "{through:?} {target} {sample:?}");
            }
            assert_eq!(paths.len(), most.min(k), "{k} {target} {avoid:?} {sample:?}");
            if k == 1 {
                assert_eq!(paths.first().map(|p| p.edges.len()), shortest.as_ref().map(|p| p.edges.len()));
            }
            assert!(paths.is_sorted_by_key(|path| path.edges.len()));
            let mut between = Vec::new();
            for path in &paths {
                let nodes = nodes_of(&graph, &rules, path);
                assert_eq!(nodes.last(), Some(&target));
                between.extend_from_slice(&nodes[..nodes.len() - 1]);
            }
            let count = between.len();
            between.sort_unstable();
            between.dedup();
            assert_eq!(between.len(), count, "a node on two paths: {sample:?}");
            assert!(between.iter().all(|node| !avoid.contains(node) && !rules.is_root(*node)));
        }
        Ok(())
    });
}

#[test]
fn paths_are_rerouted_where_the_shortest_stands_in_the_way() {
    // 0 root, 7 target. The shortest path 0-1-4-7 blocks both 0-1-2-3-7 and 0-5-6-4-7.
    let mut builder = crate::Builder::default();
    for (source, dest) in [(0, 1), (0, 5), (1, 2), (1, 4), (2, 3), (3, 7), (4, 7), (5, 6), (6, 4)] {
        builder.edge(source, dest, crate::Class::Strong, 0, 0).unwrap();
    }
    let graph = builder.finish(8).unwrap();
    let rules = Rules::new(&graph, &crate::Policy { roots: vec![0], ..crate::Policy::default() });
    let none = set(&[]);
    let nodes = |k| -> Vec<Vec<u32>> {
        disjoint(&graph, &rules, &none, &none, 7, k)
            .paths
            .iter()
            .map(|path| nodes_of(&graph, &rules, path))
            .collect()
    };
    assert_eq!(nodes(1), [[1, 4, 7]]);
    assert_eq!(nodes(2), [[1, 2, 3, 7], [5, 6, 4, 7]]);
    assert_eq!(nodes(9).len(), 2);
}

#[test]
fn paths_share_what_stands_for_the_roots() {
    // 0 root, 1 to 3 its sections, 6 the target: held by section 2, and by section 3 through 4 and through 5.
    let mut builder = crate::Builder::default();
    for (source, dest) in [(0, 1), (1, 2), (1, 3), (2, 6), (3, 4), (3, 5), (4, 6), (5, 4), (5, 6)] {
        builder.edge(source, dest, crate::Class::Strong, 0, 0).unwrap();
    }
    let graph = builder.finish(7).unwrap();
    let rules = Rules::new(&graph, &crate::Policy { roots: vec![0], ..crate::Policy::default() });
    let nodes = |hubs: &[u32], k| -> Vec<Vec<u32>> {
        let found = disjoint(&graph, &rules, &set(&[]), &set(hubs), 6, k);
        found.paths.iter().map(|path| nodes_of(&graph, &rules, path)).collect()
    };
    assert_eq!(nodes(&[], 3), [[1, 2, 6]]);
    let all = [&[1, 2, 6][..], &[1, 3, 4, 6], &[1, 3, 5, 6]];
    for k in 1..=4 {
        assert_eq!(nodes(&[1, 2, 3], k), all[..k.min(3)]);
    }
    // The target is never one of them.
    assert_eq!(nodes(&[1, 2, 3, 6], 3), [[1, 2, 6]]);
}

/// All paths as edges, found by trying every next edge.
fn tried(graph: &Graph, rules: &Rules, avoid: &[u32], target: u32) -> Vec<Vec<u32>> {
    let mut found = Vec::new();
    let mut open: Vec<(u32, Vec<u32>, Vec<u32>)> =
        rules.roots().iter().map(|&root| (root, vec![root], Vec::new())).collect();
    while let Some((node, met, edges)) = open.pop() {
        if node == target {
            found.push(edges);
            continue;
        }
        if avoid.contains(&node) {
            continue;
        }
        for edge in graph.range(node) {
            let link = graph.link(edge as u32);
            let next = link.end();
            if rules.gate(node).retains(link) && !met.contains(&next) && !rules.is_root(next) {
                let (mut met, mut edges) = (met.clone(), edges.clone());
                met.push(next);
                edges.push(edge as u32);
                open.push((next, met, edges));
            }
        }
    }
    found
}

#[test]
fn every_path_is_found_once() {
    check(600, |u| {
        let sample = Sample::new(u, 7, u.len() % 2 == 0)?;
        let target = u.int_in_range(0..=sample.nodes - 1)?;
        let avoid: Vec<u32> = (0..sample.nodes).filter(|_| u.ratio(1, 10).unwrap_or(false)).collect();
        let (graph, rules) = (sample.graph(), sample.rules());
        if rules.is_root(target) {
            return Ok(());
        }
        let mut expected = tried(&graph, &rules, &avoid, target);
        let found = every(&graph, &sample.policy, &set(&avoid), target, usize::MAX);
        assert!(found.complete && found.paths.is_sorted_by_key(|path| path.edges.len()));
        let mut edges: Vec<Vec<u32>> = found.paths.iter().map(|path| path.edges.clone()).collect();
        edges.sort();
        expected.sort();
        assert_eq!(edges, expected, "{target} {avoid:?} {sample:?}");
        let some = every(&graph, &sample.policy, &set(&avoid), target, 2);
        assert_eq!(some.paths, found.paths[..found.paths.len().min(2)]);
        Ok(())
    });
}
