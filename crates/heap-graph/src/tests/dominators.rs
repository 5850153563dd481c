//! Dominators and retained sizes against removal of each node in turn.

use arbtest::arbtest;

use super::{Sample, check};
use crate::dominators::dominators_with;
use crate::{
    Analysis, Builder, Class, Column, Config, DomTree, NONE, Outlined, Policy, Rules, Unreachable, analyse,
    covered, dominators, group_retained, group_sizes, outline, ranges, retained,
};

/// Immediate dominators and retained sizes by definition: a dominates v if v is lost without a.
fn by_removal(sample: &Sample) -> (u32, Vec<u32>, Vec<u64>, Vec<bool>) {
    let n = sample.nodes;
    let (roots, edges) = sample.retaining();
    let root = if roots.len() == 1 { roots[0] } else { n };
    let reachable = sample.closure(&roots, &edges);
    let adopting = sample.policy.unreachable == Unreachable::Root;
    let mut tops = roots;
    if adopting {
        let held: Vec<u32> = edges.iter().map(|&(_, dest)| dest).collect();
        tops.extend((0..n).filter(|node| !reachable[*node as usize] && !held.contains(node)));
    }
    let inside = sample.closure(&tops, &edges);
    // dominates[a][v]: without a, the tops do not reach v.
    let lost: Vec<Vec<bool>> = (0..n)
        .map(|a| {
            if a == root {
                return inside.clone();
            }
            let left: Vec<u32> = tops.iter().copied().filter(|&top| top != a).collect();
            let edges: Vec<_> = edges.iter().copied().filter(|&(s, d)| s != a && d != a).collect();
            let still = sample.closure(&left, &edges);
            (0..n as usize).map(|v| inside[v] && !still[v]).collect()
        })
        .collect();
    let mut idom = vec![NONE; n as usize];
    let mut sizes = vec![0; n as usize];
    for v in 0..n {
        let chain = |v: u32| (0..n).filter(move |&a| a != v);
        if inside[v as usize] {
            sizes[v as usize] +=
                (0..n as usize).filter(|&w| lost[v as usize][w]).map(|w| sample.sizes[w]).sum::<u64>();
            if v != root {
                // The nearest dominator is the one that most others dominate.
                let depth = |a: u32| chain(a).filter(|&b| lost[b as usize][a as usize]).count();
                idom[v as usize] = chain(v)
                    .filter(|&a| lost[a as usize][v as usize])
                    .max_by_key(|&a| depth(a))
                    .unwrap_or(root);
            }
        } else if adopting {
            idom[v as usize] = root;
            sizes[v as usize] += sample.sizes[v as usize];
            if root < n {
                sizes[root as usize] += sample.sizes[v as usize];
            }
        }
    }
    (root, idom, sizes, reachable)
}

fn same_as_by_removal(sample: &Sample) {
    let (root, idom, sizes, reachable) = by_removal(sample);
    let unsettled = Rules::without_owned(&sample.graph(), &sample.policy);
    for (rules, steps, threads) in [(sample.rules(), 0, 1), (sample.rules(), 16, 2), (unsettled, 16, 1)] {
        let tree = dominators_with(
            sample.graph(),
            rules,
            sample.policy.unreachable,
            steps,
            threads,
            || (),
            |_, ()| (),
        )
        .0;
        assert_eq!((tree.root(), tree.idom(sample.nodes)), (root, idom.clone()), "{sample:?}");
        assert_eq!(retained(&tree, &sample.sizes()), sizes, "{sample:?}");
        let found: Vec<bool> = (0..sample.nodes).map(|v| tree.reachable.contains(v)).collect();
        assert_eq!(found, reachable, "{sample:?}");
    }
}

#[test]
fn plain_graphs() {
    check(3000, |u| {
        same_as_by_removal(&Sample::new(u, 12, true)?);
        Ok(())
    });
}

#[test]
fn all_policies() {
    check(3000, |u| {
        same_as_by_removal(&Sample::new(u, 10, false)?);
        Ok(())
    });
    arbtest(|u| {
        same_as_by_removal(&Sample::new(u, 20, false)?);
        Ok(())
    })
    .budget_ms(500);
}

/// An outline says of each node what an analysis does.
fn same_as_by_node(sample: &Sample, analysis: &Analysis, found: &Outlined, group: &[Option<u32>]) {
    let Outlined { outline, groups, reachable, .. } = found;
    assert_eq!(*reachable, analysis.reachable, "{sample:?}");
    let above = outline.above();
    for node in 0..sample.nodes {
        let rank = outline.rank(node);
        assert_eq!(rank.is_some(), analysis.in_tree(node), "{sample:?}");
        assert_eq!(above.node(node).unwrap_or(NONE), analysis.idom[node as usize], "{sample:?}");
        let Some(rank) = rank else { continue };
        assert_eq!(outline.node(rank), node);
        assert_eq!(outline.retained(rank), analysis.retained[node as usize], "{sample:?}");
        assert_eq!(groups.get(rank), group[node as usize].map_or(0, |of| u64::from(of) + 1), "{sample:?}");
    }
    let above_of = |node| above.node(node);
    let near = |node| above_of(node).unwrap_or(NONE);
    let node = |rank: u32| if rank == NONE { NONE } else { outline.node(rank) };
    for step in 1..4 {
        let ranks: Vec<u32> = (step - 1..outline.len()).step_by(step as usize).collect();
        let found = outline.places(&ranks).map(|of| (of.rank, node(of.above), node(of.far), of.depth));
        let wanted = ranks.iter().map(|&rank| {
            let [above, far] = [near(outline.node(rank)), near(near(outline.node(rank)))];
            let all = std::iter::successors(Some(outline.node(rank)), |&node| above_of(node));
            (rank, above, far, all.count() as u32 - 1)
        });
        assert_eq!(found.collect::<Vec<_>>(), wanted.collect::<Vec<_>>(), "{sample:?}");
    }
    let own = |node: u32| sample.sizes.get(node as usize).copied().unwrap_or(0);
    let mut bytes: Vec<u64> = (0..outline.len()).map(|rank| own(outline.node(rank))).collect();
    outline.add_up(&mut bytes);
    for rank in 0..outline.len() {
        assert_eq!(bytes[rank as usize], outline.retained(rank), "{sample:?}");
        let mut below: Vec<u32> = outline.children(rank).map(|child| outline.node(child)).collect();
        below.sort_unstable();
        let node = outline.node(rank);
        let wanted: Vec<u32> = (0..sample.nodes).filter(|&v| analysis.idom[v as usize] == node).collect();
        assert_eq!(below, wanted, "{sample:?}");
    }
}

#[test]
fn groups_count_nested_nodes_once() {
    check(1000, |u| {
        let sample = Sample::new(u, 20, false)?;
        let group: Vec<Option<u32>> = (0..sample.nodes)
            .map(|_| Ok(u.int_in_range(0..=3u32)?.checked_sub(1)))
            .collect::<Result<_, _>>()?;
        let config = Config { retained: true, ranges: true, ..Config::default() };
        let analysis = analyse(sample.graph(), &sample.sizes(), &sample.policy, config);
        let mut sums = vec![0; 3];
        for node in 0..sample.nodes {
            let Some(g) = group[node as usize].filter(|_| analysis.in_tree(node)) else { continue };
            let mut above = analysis.idom[node as usize];
            while above < sample.nodes && group[above as usize] != Some(g) {
                above = analysis.idom[above as usize];
            }
            if above >= sample.nodes {
                sums[g as usize] += analysis.retained[node as usize];
            }
        }
        let tree = DomTree::new(analysis.root, &analysis.idom);
        assert_eq!(group_retained(&tree, &analysis.retained, 3, |v| group[v as usize]), sums, "{sample:?}");
        let by_place = group_sizes(sample.graph(), sample.sizes(), &sample.policy, 3, |v| group[v as usize]);
        assert_eq!(by_place, sums, "{sample:?}");
        let of = |v: u32| group[v as usize];
        let (found, (), ()) = outline(sample.graph(), &sample.sizes(), &sample.policy, (3, of), || (), || ());
        assert_eq!(found.sums, sums, "{sample:?}");
        same_as_by_node(&sample, &analysis, &found, &group);
        let by_range = (0..3).map(|g| {
            let mut ranges: Vec<_> = (0..sample.nodes)
                .filter(|&v| group[v as usize] == Some(g))
                .map(|v| (analysis.from[v as usize], analysis.retained[v as usize]))
                .collect();
            ranges.sort_unstable();
            covered(ranges)
        });
        assert_eq!(by_range.collect::<Vec<_>>(), sums, "{sample:?}");
        for node in 0..=sample.nodes {
            let children: Vec<u32> =
                (0..sample.nodes).filter(|&v| analysis.idom[v as usize] == node).collect();
            let expected = if node == sample.nodes && analysis.root < node { Vec::new() } else { children };
            assert_eq!(tree.children(node).collect::<Vec<_>>(), expected);
        }
        Ok(())
    });
}

fn tree_of(edges: impl IntoIterator<Item = (u32, u32)>, nodes: u32) -> crate::Dominators {
    let mut builder = Builder::default();
    for (source, dest) in edges {
        builder.edge(source, dest, Class::Strong, 0, 0).unwrap();
    }
    let graph = builder.finish(nodes).unwrap();
    let rules = Rules::new(&graph, &Policy { roots: vec![0], ..Policy::default() });
    dominators(graph, rules, Unreachable::Apart)
}

#[test]
fn a_list_of_a_million_links() {
    let n = 1_000_000;
    let tree = tree_of((1..n).map(|i| (i - 1, i)), n);
    let idom = tree.idom(n);
    assert!((1..n).all(|i| idom[i as usize] == i - 1));
    let sizes: Column = std::iter::repeat_n(16, n as usize).collect();
    assert_eq!(retained(&tree, &sizes)[0], 16_000_000);
}

#[test]
fn a_list_with_links_back() {
    // Every link also points to the first and to its predecessor: all evaluation goes along one long path.
    let n = 300_000;
    let edges = (1..n).flat_map(|i| [(i - 1, i), (i, 1), (i, i - 1)]);
    let tree = tree_of(edges, n);
    let idom = tree.idom(n);
    assert!((1..n).all(|i| idom[i as usize] == i - 1));
}

#[test]
fn a_list_whose_end_leads_to_what_is_also_held_from_above() {
    // A plain walk up from the end of the list for each of these takes 10^10 steps.
    let (links, leaves) = (100_000, 100_000);
    let list = (1..links).map(|i| (i - 1, i));
    let below = (links..links + leaves).map(|leaf| (links - 1, leaf));
    let above = (links..links + leaves).map(|leaf| (1, leaf));
    let tree = tree_of(list.chain(below).chain(above), links + leaves);
    let idom = tree.idom(links + leaves);
    assert!((links..links + leaves).all(|leaf| idom[leaf as usize] == 1));
    assert!((1..links).all(|i| idom[i as usize] == i - 1));
}

#[test]
fn nothing_and_next_to_nothing() {
    let analysis = |nodes, roots: &[u32]| {
        let graph = Builder::default().finish(nodes).unwrap();
        let sizes = (0..u64::from(nodes)).collect();
        let policy = Policy { roots: roots.to_vec(), ..Policy::default() };
        analyse(graph, &sizes, &policy, Config { distance: true, retained: true, ..Config::default() })
    };
    let none = analysis(0, &[]);
    assert_eq!((none.root, none.idom.len(), none.retained.len()), (0, 0, 0));
    assert_eq!(analysis(0, &[7]).root, 0);
    let two = analysis(2, &[]);
    assert_eq!((two.root, two.idom, two.retained, two.distance), (2, vec![2, 2], vec![0, 1], vec![0, 0]));
    let one_root = analysis(2, &[1]);
    assert_eq!((one_root.root, one_root.idom, one_root.distance), (1, vec![NONE, NONE], vec![NONE, 0]));
}

#[test]
fn sums_stay_at_the_largest_number() {
    let tree = tree_of([(0, 1), (0, 2)], 3);
    let sizes: Column = [1, u64::MAX, 5].into_iter().collect();
    assert_eq!(retained(&tree, &sizes), [u64::MAX, u64::MAX, 5]);
    // Then there is no place for all the bytes.
    assert_eq!(ranges(&tree, &sizes, &retained(&tree, &sizes)), None);
}
