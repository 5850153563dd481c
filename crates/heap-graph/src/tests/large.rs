//! Sums by group through files, against those in memory.

use std::collections::HashSet;

use arbitrary::Result;
use heap_base::BitSet;

use super::{Sample, check};
use crate::builder::Builder;
use crate::large::{LargeGraph, Room};
use crate::{
    Class, Config, Ephemerons, Fact, Graph, MAX_NODES, NONE, Paths, Policy, Rules, Unreachable, analyse,
    backward, forward, group_sizes, outline, reachable,
};

/// So little that every array of edges and every sort goes through files.
fn tiny(steps: u64) -> Room {
    let room = Room::new(u64::MAX);
    Room { tree: 0, sort: 1, block: 1, steps, ..room }
}

/// The edges come to some builders, of which all but the first are forks that are joined.
fn large(sample: &Sample, room: Room, limit: u64, forks: usize) -> LargeGraph {
    let mut builder = Builder::default();
    builder.spill_beyond(Room { limit, ..room });
    let mut builders = vec![builder];
    let run = sample.edges.len() / (forks + 1) + 1;
    for edges in sample.edges.chunks(run) {
        let builder = builders.last_mut().unwrap();
        for &(source, dest, class, partner) in edges {
            if class.has_partner() {
                builder.ephemeron(source, dest, class, partner, 0, 0).unwrap();
            } else {
                builder.edge(source, dest, class, 0, 0).unwrap();
            }
        }
        builders.push(builders[0].fork());
    }
    let mut builders = builders.into_iter();
    let mut builder = builders.next().unwrap();
    builders.for_each(|shard| builder.append(shard).unwrap());
    // What has more nodes than a graph in memory may have goes to files by itself.
    builder.ask(sample.nodes, room.most >= sample.nodes).unwrap();
    builder.finish_large(sample.nodes).unwrap().with_room(room)
}

/// As [`tiny`], for a graph of one node too many for memory.
fn too_many(sample: &Sample) -> Room {
    Room { most: sample.nodes - 1, ..tiny(0) }
}

fn same_as_in_memory(sample: &Sample, group: &[Option<u32>]) {
    let of = |node: u32| group[node as usize];
    let wanted = group_sizes(sample.graph(), sample.sizes(), &sample.policy, 4, of);
    let fit = u64::from(sample.nodes) * 28 + sample.edges.len() as u64 / 2 * 8;
    for (room, limit, forks) in [(tiny(0), 0, 0), (tiny(16), fit, 3), (Room::new(1 << 30), fit, 0)] {
        let found =
            large(sample, room, limit, forks).group_sizes(sample.sizes(), &sample.policy, 4, of).unwrap();
        assert_eq!(found, wanted, "{sample:?} {group:?}");
        same_of_each(sample, || large(sample, room, limit, forks));
        same_outlines(sample, large(sample, room, limit, forks));
    }
    // Of one in four, edges go to files for the number of nodes alone.
    if !sample.edges.len().is_multiple_of(4) {
        return;
    }
    let many = large(sample, too_many(sample), u64::MAX, 1);
    match many.group_sizes(sample.sizes(), &sample.policy, 4, of) {
        Ok(found) => {
            assert_eq!(found, wanted, "{sample:?} {group:?}");
            same_of_each(sample, || large(sample, too_many(sample), u64::MAX, 1));
            same_outlines(sample, large(sample, too_many(sample), u64::MAX, 1));
        }
        Err(error) => assert!(is_left_between(&error), "{error} {sample:?}"),
    }
}

/// Whether nearly each node is one that several regions lead to.
fn is_left_between(error: &heap_base::Error) -> bool {
    error.to_string().contains(" objects of this heap are left between regions, more than ")
}

#[test]
fn a_long_run_says_what_it_works_on() {
    let policy = Policy { roots: vec![0], ..Policy::default() };
    let sample = Sample { nodes: 2, edges: vec![(0, 1, Class::Strong, 0)], policy, sizes: vec![8, 8] };
    large(&sample, tiny(0), 0, 0).group_sizes(sample.sizes(), &sample.policy, 1, |_| Some(0)).unwrap();
    assert!(heap_base::stage::take().is_some());
}

/// What is known of each node.
fn same_of_each(sample: &Sample, large: impl Fn() -> LargeGraph) {
    let config = Config { distance: true, retained: true, ranges: true };
    let wanted = analyse(sample.graph(), &sample.sizes(), &sample.policy, config);
    let facts = large().facts(&sample.sizes(), &sample.policy).unwrap();
    let mut reader = facts.reader().unwrap();
    for node in 0..sample.nodes {
        let at = node as usize;
        let known = wanted.in_tree(node);
        let fact = Fact {
            retained: known.then_some(wanted.retained[at]),
            from: known.then_some(wanted.from[at]),
            idom: Some(wanted.idom[at]).filter(|&idom| idom < sample.nodes),
            distance: Some(wanted.distance[at]).filter(|&distance| distance != NONE),
            reachable: wanted.reachable.contains(node),
        };
        assert_eq!(reader.next().unwrap(), fact, "{node} {sample:?}");
    }
    let mut retained = vec![0; sample.nodes as usize];
    large()
        .retained(&sample.sizes(), &sample.policy, |node, bytes| {
            retained[node as usize] = bytes;
            Ok(())
        })
        .unwrap();
    assert_eq!(retained, wanted.retained, "{sample:?}");
}

/// The dominator tree as an outline, with entries of weak tables as they come, without dead ones, and settled.
fn same_outlines(sample: &Sample, mut large: LargeGraph) {
    let mut graph = sample.graph();
    let (mut weak, mut far) = (Ephemerons::of(&graph), Ephemerons::of_large(&mut large).unwrap());
    let (mut near_moves, mut far_moves) = (false, false);
    for round in 0..4 {
        let (wanted, (), ()) =
            outline(graph.bare(), &sample.sizes(), &sample.policy, (0, |_| None), || (), || ());
        let found = match large.outline(&sample.sizes(), &sample.policy) {
            Err(error) if is_left_between(&error) => return,
            found => found.unwrap(),
        };
        let (tree, near) = (&found.outline, &wanted.outline);
        for (found, wanted) in
            [(&tree.nodes, &near.nodes), (&tree.ends, &near.ends), (&tree.ranks, &near.ranks)]
        {
            assert!(found.iter().eq(wanted.iter()), "{round} {sample:?}");
        }
        let (above, above_near) = (tree.above(), near.above());
        assert!(
            (0..sample.nodes).all(|node| above.rank(node) == above_near.rank(node)),
            "{round} {sample:?}"
        );
        tree.check().unwrap();
        assert!((0..tree.len()).all(|rank| tree.retained(rank) == near.retained(rank)), "{round} {sample:?}");
        assert!(found.reachable.iter().eq(wanted.reachable.iter()), "{round} {sample:?}");
        for rank in 0..tree.len() {
            assert!(tree.children(rank).map(|child| tree.node(child)).is_sorted());
        }
        let rules = &wanted.rules;
        assert_eq!(found.rules.roots(), rules.roots());
        assert_eq!(far_moves, near_moves);
        let removed: BitSet = (0..sample.nodes).filter(|node| node % 3 == round).collect();
        let alive = weak.alive(&graph, rules, &removed);
        let found_alive = far
            .alive_by(rules.roots(), &removed, |starts, reached| large.reach(rules, starts, reached))
            .unwrap();
        assert!(found_alive.iter().eq(alive.iter()), "{round} {sample:?}");
        let dependent = far
            .dependent_by(rules.roots(), &removed, |starts, reached| large.reach(rules, starts, reached))
            .unwrap();
        assert!(dependent.iter().eq(weak.dependent(&graph, rules, &removed).iter()));
        if round == 0 {
            let mut reached = BitSet::default();
            large.reach(rules, rules.roots(), &mut reached).unwrap();
            assert_eq!(far.has_tables_in(&reached), weak.has_live_tables(&graph, rules));
            let alive = weak.alive(&graph, rules, &BitSet::default());
            (near_moves, far_moves) = (weak.bury(&alive), far.bury(&alive));
        } else {
            (near_moves, far_moves) = (weak.settle(near, 1), far.settle(tree, 1));
        }
        weak.apply(&mut graph);
        far.apply_large(&mut large).unwrap();
    }
}

#[test]
fn all_policies() {
    for (runs, most, plain) in [(30, 8, true), (100, 12, false), (80, 40, false), (30, 150, true)] {
        check(runs, |u| {
            let sample = Sample::new(u, most, plain)?;
            let group: Vec<Option<u32>> = (0..sample.nodes)
                .map(|_| Ok(u.int_in_range(0..=4u32)?.checked_sub(1)))
                .collect::<Result<_>>()?;
            same_as_in_memory(&sample, &group);
            Ok(())
        });
    }
}

/// Graphs of usual shapes: trees and lists with some further edges, that stay near or go anywhere.
#[test]
fn shapes() {
    check(60, |u| {
        let nodes = u.int_in_range(2..=120u32)?;
        let mut edges = Vec::new();
        let shape = u.int_in_range(0..=5)?;
        let mut order: Vec<u32> = (0..nodes).collect();
        if u.arbitrary()? {
            for i in (2..order.len()).rev() {
                order.swap(i, u.int_in_range(1..=i)?);
            }
        }
        for i in 1..nodes {
            let up = match shape {
                0 | 1 => i - 1,
                2 => (i - 1) / 2,
                3 => u.int_in_range(0..=i - 1)?,
                4 => u.int_in_range(i.saturating_sub(3)..=i - 1)?,
                _ => 0,
            };
            edges.push((up, i));
            if shape == 1 {
                edges.push((i, i - 1));
            }
            if u.ratio(1, 4)? {
                edges.push((u.int_in_range(0..=nodes - 1)?, i));
            }
            if u.ratio(1, 8)? {
                edges.push((i, u.int_in_range(0..=3.min(nodes - 1))?));
            }
        }
        let place = |i: u32| order[i as usize];
        let edges =
            edges.into_iter().map(|(from, to)| (place(from), place(to), Class::Strong, NONE)).collect();
        let sizes = (0..nodes).map(|_| u.int_in_range(0..=9)).collect::<Result<_>>()?;
        let roots = if u.ratio(1, 4)? { vec![place(0), place(1)] } else { vec![place(0)] };
        let unreachable = if u.arbitrary()? { Unreachable::Root } else { Unreachable::Apart };
        let policy = Policy { roots, unreachable, ..Policy::default() };
        let sample = Sample { nodes, edges, policy, sizes };
        let group: Vec<Option<u32>> =
            (0..nodes).map(|_| Ok(u.int_in_range(0..=4u32)?.checked_sub(1))).collect::<Result<_>>()?;
        same_as_in_memory(&sample, &group);
        Ok(())
    });
}

/// Empties the temporary files of `bytes` bytes.
#[cfg(target_os = "linux")]
fn lose_files(bytes: u64) -> usize {
    let mut lost = 0;
    for entry in std::fs::read_dir("/proc/self/fd").unwrap().flatten() {
        let is_ours =
            std::fs::metadata(entry.path()).is_ok_and(|known| known.is_file() && known.len() == bytes);
        if is_ours {
            // Another test may have closed its file by now.
            let file = std::fs::OpenOptions::new().write(true).open(entry.path());
            lost += usize::from(file.is_ok_and(|file| file.set_len(0).is_ok()));
        }
    }
    lost
}

/// Something that is asked of a tree.
#[cfg(target_os = "linux")]
type Ask = fn(&crate::Outline) -> u32;

#[cfg(target_os = "linux")]
#[test]
fn a_tree_whose_file_cannot_be_read_says_so() {
    // No other test has files as long as the tree's lists.
    let nodes = 7919;
    let edges = (1..nodes).map(|node| (node / 2, node, Class::Strong, NONE)).collect();
    let policy = Policy { roots: vec![0], ..Policy::default() };
    let sample = Sample { nodes, edges, policy, sizes: vec![8; nodes as usize] };
    let asked: [(u64, Ask); 5] = [
        (4, |tree| tree.node(5)),
        (4, |tree| tree.end(5)),
        (4, |tree| tree.rank(5).unwrap_or(0)),
        (4, |tree| tree.above().rank(5).unwrap_or(0)),
        (0, |tree| tree.retained(5) as u32),
    ];
    for (width, ask) in asked {
        let found = large(&sample, tiny(16), 0, 0).outline(&sample.sizes(), &sample.policy).unwrap();
        let tree = found.outline;
        tree.above();
        tree.check().unwrap();
        // Sums are one more, of two bytes each.
        let bytes = if width > 0 { u64::from(nodes) * width } else { u64::from(nodes + 1) * 2 };
        assert!(lose_files(bytes) > 0, "{width}");
        ask(&tree);
        let error = tree.check().unwrap_err().to_string();
        assert!(error.contains("temporary file in "), "{error}");
    }
}

/// A builder of the sample's edges, whose labels say which is which.
fn labelled(sample: &Sample, mut builder: Builder) -> Builder {
    for (label, &(source, dest, class, partner)) in (0..).zip(&sample.edges) {
        let kind = label as u8 % 5;
        if class.has_partner() {
            builder.ephemeron(source, dest, class, partner, label, kind).unwrap();
        } else {
            builder.edge(source, dest, class, label, kind).unwrap();
        }
    }
    builder
}

/// All that edges are, in their order.
fn whole(graph: &Graph) -> Vec<String> {
    let all = 0..graph.edges();
    all.map(|edge| {
        let (label, kind) = (graph.label(edge).unwrap(), graph.kind(edge).unwrap());
        format!("{} {:?} {label:?} {kind:?}", graph.source(edge), graph.link(edge))
    })
    .collect()
}

#[test]
fn ways_with_their_names() {
    for (runs, most, plain) in [(250, 8, true), (750, 14, false), (250, 60, false)] {
        check(runs, |u| {
            let sample = Sample::new(u, most, plain)?;
            let avoid: BitSet = (0..sample.nodes).filter(|_| u.ratio(1, 6).unwrap_or(false)).collect();
            let targets: BitSet = (0..sample.nodes).filter(|_| u.ratio(1, 3).unwrap_or(false)).collect();
            let graph = labelled(&sample, Builder::new(true, true)).finish(sample.nodes).unwrap();
            let rules = Rules::new(&graph, &sample.policy);
            let wanted = Paths::new(&graph, &rules, &avoid, Some(&targets));
            let fit = u64::from(sample.nodes) * 28 + sample.edges.len() as u64 / 2 * 8;
            for (limit, room) in [(0, tiny(16)), (fit, tiny(16)), (u64::MAX, too_many(&sample))] {
                let mut builder = Builder::with_names_aside();
                builder.spill_beyond(Room { limit, ..room });
                let mut builder = labelled(&sample, builder);
                builder.ask(sample.nodes, limit < u64::MAX).unwrap();
                let mut large = builder.finish_large(sample.nodes).unwrap().with_room(room);
                let all = large.whole().unwrap();
                assert_eq!(whole(&all), whole(&graph), "{limit} {sample:?}");

                let coded = large.coded(|_, _, (label, _)| label as u8 % 32).unwrap();
                let mut reader = coded.reader();
                for node in 0..sample.nodes {
                    let mut codes = Vec::new();
                    reader
                        .all(&rules, node, |code, end, retains| {
                            if retains {
                                codes.push((code, end));
                            }
                        })
                        .unwrap();
                    let of = |edge: usize| {
                        (graph.label(edge as u32).unwrap().unwrap() as u8 % 32, graph.link(edge as u32))
                    };
                    let retaining =
                        graph.range(node).map(of).filter(|&(_, link)| rules.gate(node).retains(link));
                    let found: Vec<_> = retaining.map(|(code, link)| (code, link.end())).collect();
                    assert_eq!(codes, found, "{node} {sample:?}");
                }

                let known = large.rules(&sample.policy).unwrap();
                assert_eq!(known.roots(), rules.roots());
                let before = coded.shortest(&known, &avoid, &targets).unwrap();
                let mut pairs = HashSet::new();
                for target in targets.iter() {
                    let mut node = target;
                    while before[node as usize] != NONE && before[node as usize] != node {
                        pairs.insert((before[node as usize], node));
                        node = before[node as usize];
                    }
                }
                let few = large.pick_few(&targets, |from, to, _, _| pairs.contains(&(from, to))).unwrap();
                let all = large.pick_few(&targets, |_, _, _, _| true).unwrap();
                assert_eq!(whole(&all), whole(&graph), "{limit} {sample:?}");
                for edge in 0..all.edges() {
                    assert_eq!(all.source(edge), graph.source(edge));
                }
                let found = Paths::new(&few, &known, &avoid, Some(&targets));
                let labels = |paths: &Paths<'_>, graph: &Graph, target| {
                    let path = paths.path(target)?;
                    let label = |&edge: &u32| graph.label(edge).unwrap();
                    Some((path.root, path.edges.iter().map(label).collect::<Vec<_>>()))
                };
                for target in targets.iter() {
                    let (wanted, found) = (labels(&wanted, &graph, target), labels(&found, &few, target));
                    assert_eq!(found, wanted, "{target} {avoid:?} {sample:?}");
                }
            }
            Ok(())
        });
    }
}

/// Numbers of nodes beyond those that a graph in memory has.
#[test]
fn few_edges_of_more_nodes_than_memory_may_have() {
    const FAR: u32 = MAX_NODES + 3;
    let nodes = FAR + 100;
    let edges: Vec<(u32, u32, Class)> = vec![
        (0, FAR, Class::Strong),
        (0, 7, Class::Weak),
        (7, FAR + 1, Class::StrongUnmeasured),
        (MAX_NODES, 7, Class::Strong),
        (FAR, MAX_NODES, Class::Strong),
        (FAR, FAR + 64, Class::Kept),
        (FAR + 99, 0, Class::Strong),
    ];
    let mut builder = Builder::with_names_aside();
    builder.spill_beyond(tiny(16));
    for (label, &(source, dest, class)) in (0..).zip(&edges) {
        builder.edge(source, dest, class, label, 9).unwrap();
    }
    builder.ask(nodes, false).unwrap();
    let mut large = builder.finish_large(nodes).unwrap();
    let policy = Policy { roots: vec![0], ..Policy::default() };
    let rules = large.rules(&policy).unwrap();
    let coded = large.coded(|end, _, _| (end % 32) as u8).unwrap();
    let mut found = Vec::new();
    coded
        .each(&rules, |source, all| found.extend(all.iter().map(|&(code, end, _)| (source, end, code))))
        .unwrap();
    let wanted = |&(source, end, _): &(u32, u32, Class)| (source, end, (end % 32) as u8);
    assert_eq!(found, edges.iter().map(wanted).collect::<Vec<_>>());

    let targets = BitSet::from_iter([FAR + 1, FAR + 64]);
    let few = large.pick_few(&targets, |source, _, _, _| source != FAR + 99).unwrap();
    assert_eq!((few.nodes(), few.edges()), (nodes, 6));
    for (edge, &(source, end, class)) in (0..).zip(&edges[..6]) {
        let link = few.link(edge);
        assert_eq!((few.source(edge), link.end(), link.class()), (source, end, class));
        assert_eq!((few.label(edge).unwrap(), few.kind(edge).unwrap()), (Some(edge), Some(9)));
    }
    let paths = Paths::new(&few, &rules, &BitSet::default(), Some(&targets));
    assert_eq!(paths.path(FAR + 1).map(|path| path.edges), Some(vec![0, 4, 3, 2]));
    assert_eq!(paths.path(FAR + 64), None);
}

#[test]
fn walks_over_files() {
    for (runs, most, plain) in [(250, 8, true), (500, 14, false), (250, 60, false)] {
        check(runs, |u| {
            let sample = Sample::new(u, most, plain)?;
            let graph = labelled(&sample, Builder::new(true, true)).finish(sample.nodes).unwrap();
            let rules = Rules::new(&graph, &sample.policy);
            let starts: BitSet = (0..sample.nodes).filter(|_| u.ratio(1, 5).unwrap_or(false)).collect();
            let depth = if u.arbitrary()? { u32::MAX } else { u.int_in_range(0..=6)? };
            let takes = |label: u32| !label.is_multiple_of(3);
            let large = || {
                let mut builder = Builder::new(true, true);
                builder.spill_beyond(Room { limit: u64::from(sample.nodes) * 28 + 8, ..tiny(16) });
                let mut builder = labelled(&sample, builder);
                builder.ask(sample.nodes, true).unwrap();
                builder.finish_large(sample.nodes).unwrap()
            };
            let reverse = graph.reverse(true);
            for (back, some) in [(false, false), (false, true), (true, false), (true, true)] {
                let mut met = false;
                let mut follow = |edge: u32| {
                    let follows = !some || takes(graph.label(edge).unwrap().unwrap());
                    met |= follows;
                    follows
                };
                let wanted = if back {
                    backward(&reverse, starts.iter(), depth, |_, edge, _| follow(edge))
                } else {
                    forward(&graph, starts.iter(), depth, |_, edge, _| follow(edge))
                };
                let via = some.then_some(|label| Ok(takes(label)));
                let (found, found_met) = large().walk(&starts, depth, back, via).unwrap();
                assert!(found.iter().eq(wanted.iter()), "{back} {some} {depth} {starts:?} {sample:?}");
                assert_eq!(found_met, met, "{back} {some} {depth} {starts:?} {sample:?}");
            }
            let mut large = large();
            let known = large.rules(&sample.policy).unwrap();
            let reached = large.reachable(&known).unwrap();
            assert!(reached.iter().eq(reachable(&graph, &rules).iter()), "{sample:?}");
            let paths = Paths::new(&graph, &rules, &BitSet::default(), Some(&starts));
            let mut met = BitSet::default();
            for target in starts.iter() {
                met.insert(target);
                for edge in paths.path(target).into_iter().flat_map(|path| path.edges) {
                    met.insert(graph.source(edge));
                }
            }
            let found = large.on_ways(&known, &starts).unwrap();
            assert!(found.iter().eq(met.iter()), "{starts:?} {sample:?}");
            Ok(())
        });
    }
}
