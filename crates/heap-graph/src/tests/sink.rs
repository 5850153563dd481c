//! Graphs from record streams: any order of records, what is left out, what is refused.

use std::borrow::Cow;

use heap_record::{
    Declared, Edge, EdgeBatch, Ends, Heap as HeapFields, Metadata, Node, NodeBatch, PlainEdge, PlainNode,
    Retains, Shard, Sharded, Sink, Value, index_id,
};

use heap_record::testing::Recorder;

use super::check;
use crate::{Class, GraphSink, Guard, HeapGraph, Keep, NONE, Stats, Unreachable};

const ALL: Keep = Keep {
    ids: true,
    table: false,
    classes: true,
    names: true,
    subtypes: true,
    labels: true,
    kinds: true,
    aside: false,
    weak: true,
    strong_only: false,
    kept: false,
    external: false,
};

fn metadata(sink: &mut GraphSink, key: &str, value: &str) -> heap_base::Result {
    sink.metadata(&Metadata { key, value, ..Metadata::default() })
}

fn declare(sink: &mut GraphSink) {
    for (id, name, retains) in [
        (1, "strong", Retains::Yes),
        (2, "weak", Retains::No),
        (3, "root", Retains::Root),
        (9, "own", Retains::Yes),
    ] {
        sink.declare(&Declared::Edge { id, name, retains, role: None, rest: b"" }.into()).unwrap();
    }
    sink.declare(&Declared::Node { id: 4, name: "object", table: None, fields: &[] }.into()).unwrap();
}

fn node(sink: &mut GraphSink, id: Value, size: u64, class: Option<i64>) -> heap_base::Result {
    let heap = HeapFields { size: Some(size), class, name: class.map(|c| c + 1), ..HeapFields::default() };
    let node = Node { subtype: (size % 300) as u32, id, heap, ..Node::default() };
    sink.nodes(&NodeBatch::one(&node))
}

fn edge(sink: &mut GraphSink, subtype: u32, source: Value, dest: Value, label: i64, rest: &str) {
    let rest = rest.as_bytes();
    let (dest, label) = (Some(dest), Some(label));
    sink.edges(&EdgeBatch::one(&Edge { subtype, source, dest, label, rest, ..Edge::default() })).unwrap();
}

/// Everything that can be asked of a heap, with identifiers in place of numbers.
fn facts(heap: &HeapGraph) -> (Vec<String>, Vec<String>) {
    let id = |node: u32| if node == NONE { 0 } else { heap.id(node).unwrap() };
    let nodes = (0..heap.graph.nodes())
        .map(|v| {
            let (class, name) = (heap.class(v), heap.name(v));
            format!("{} {} {} {class:?} {name:?}", id(v), heap.sizes.get(v), heap.subtypes.get(v))
        })
        .collect();
    let mut edges = Vec::new();
    for source in 0..heap.graph.nodes() {
        let mut partners = heap.graph.partners(source);
        for edge in heap.graph.range(source) {
            let edge = edge as u32;
            let link = heap.graph.link(edge);
            let partner = if link.class().has_partner() { id(partners.next().unwrap()) } else { 0 };
            let (label, kind) = (heap.label(edge).unwrap(), heap.kind(edge).unwrap());
            let ends = format!("{}-{}", id(source), id(link.end()));
            edges.push(format!("{ends} {:?} {label:?} {kind:?} {partner}", link.class()));
        }
    }
    (nodes, edges)
}

#[test]
fn a_batch_of_nodes_is_its_nodes_one_by_one() {
    check(300, |u| {
        let mut sinks = [GraphSink::new(ALL), GraphSink::new(ALL)];
        sinks.iter_mut().for_each(declare);
        let mut next = 0;
        for _ in 0..u.int_in_range(1..=4)? {
            // Sometimes an edge names nodes that come later.
            if u.ratio(1, 3)? {
                let (source, dest) = (index_id(u.int_in_range(0..=20)?), index_id(u.int_in_range(0..=20)?));
                for sink in &mut sinks {
                    edge(sink, 1, source, dest, 5, "");
                }
            }
            let mut nodes = Vec::new();
            for _ in 0..u.int_in_range(0..=6)? {
                next += u.int_in_range(1..=3)?;
                let id = if u.ratio(1, 5)? { -index_id(next) } else { index_id(next) };
                let (subtype, size, string) =
                    (u.int_in_range(0..=300)?, u.arbitrary()?, u.arbitrary::<i32>()?);
                let string = string.into();
                nodes.push(PlainNode {
                    subtype,
                    own: 0,
                    id,
                    size,
                    class: u.arbitrary()?,
                    text: false,
                    string,
                });
            }
            let [together, single] = &mut sinks;
            together.nodes(&NodeBatch::Plain { nodes: &nodes, own: b"" }).unwrap();
            for node in &nodes {
                single.nodes(&NodeBatch::one(&node.with(b""))).unwrap();
            }
        }
        let [together, single] = sinks.map(|sink| facts(&sink.build().unwrap()));
        assert_eq!(together, single);
        Ok(())
    });
}

/// An edge by index.
#[derive(Clone, Copy, Debug)]
struct IndexEdge {
    source: u32,
    edge: PlainEdge,
    partner: Option<u32>,
    /// Whether it comes as a record of its own, not among plain edges.
    alone: bool,
}

/// Delivers edges, plain ones in batches.
fn deliver(edges: &[IndexEdge], sink: &mut dyn Sink) -> heap_base::Result {
    for batch in edges.chunk_by(|a, b| a.source == b.source && !a.alone && !b.alone) {
        let &IndexEdge { source, edge: PlainEdge { subtype, dest, label }, partner, alone } = &batch[0];
        let source = source.into();
        if alone {
            let rest: &[u8] = if partner.is_some() { b"\"heap\":{\"key\":1}" } else { b"" };
            let (dest, label) = (Some(dest), Some(label));
            let edge = Edge { subtype, source, dest, label, rest, ..Edge::default() };
            sink.edges(&EdgeBatch::one_by_index(&edge, partner))?;
        } else {
            let edges: Vec<_> = batch.iter().map(|edge| edge.edge).collect();
            sink.edges(&EdgeBatch::plain(Ends::Indexes, source, &edges))?;
        }
    }
    Ok(())
}

/// Delivers parts of edges to shards, the last first, and joins them in order.
fn deliver_sharded(parts: &[&[IndexEdge]], sink: &mut dyn Sharded) {
    let mut shards: Vec<Box<dyn Shard>> = parts.iter().map(|_| sink.fork()).collect();
    for (part, shard) in parts.iter().zip(&mut shards).rev() {
        // Edge types are declared where they first occur.
        let new = Declared::Edge { id: 77, name: "new", retains: Retains::Yes, role: None, rest: b"" };
        shard.declare(&new.into()).unwrap();
        deliver(part, shard.as_mut()).unwrap();
    }
    shards.into_iter().try_for_each(|shard| sink.join(shard)).unwrap();
}

#[test]
fn edges_in_batches_and_in_shards_are_the_edges_one_by_one() {
    let (mut sharded, mut moved, mut in_files) = (0, 0, 0);
    check(400, |u| {
        let keep = Keep { labels: u.arbitrary()?, kinds: u.arbitrary()?, weak: u.arbitrary()?, ..ALL };
        let nodes = u.int_in_range(1..=20u32)?;
        let mut edges = Vec::new();
        let mut source = 0;
        for _ in 0..u.int_in_range(0..=40)? {
            // Sources ascend, but for some.
            source = if u.ratio(1, 60)? { u.int_in_range(0..=nodes - 1)? } else { source };
            source = (source + u32::from(u.ratio(1, 3)?)).min(nodes - 1);
            let subtype = *u.choose(&[1, 1, 1, 2, 3, 9, 77, 5000])?;
            let dest = i64::from(u.int_in_range(0..=nodes - 1)?);
            let alone = u.ratio(1, 4)?;
            let partner = if alone && subtype == 2 { Some(u.int_in_range(0..=nodes - 1)?) } else { None };
            edges.push(IndexEdge {
                source,
                edge: PlainEdge { subtype, dest, label: u.int_in_range(0..=9)? },
                partner,
                alone,
            });
        }
        let mut cuts = [0; 3];
        for cut in &mut cuts {
            *cut = u.int_in_range(0..=edges.len())?;
        }
        cuts.sort_unstable();
        let parts =
            [0..cuts[0], cuts[0]..cuts[1], cuts[1]..cuts[2], cuts[2]..edges.len()].map(|part| &edges[part]);
        // Labels that lie in a file are the same.
        let aside = Keep { aside: u.arbitrary()?, ..keep };
        let mut sinks = [GraphSink::new(keep), GraphSink::new(aside), GraphSink::new(aside)];
        for sink in &mut sinks {
            declare(sink);
            (0..nodes).try_for_each(|n| node(sink, index_id(n.into()), 8, None)).unwrap();
        }
        let [single, batches, shards] = &mut sinks;
        for edge in &edges {
            deliver(&[IndexEdge { alone: true, ..*edge }], single).unwrap();
        }
        deliver(&edges, batches).unwrap();
        // The first part may go to the sink itself.
        let first = usize::from(u.arbitrary::<bool>()?);
        deliver(&parts[..first].concat(), shards).unwrap();
        match shards.sharded() {
            Some(shards) => {
                sharded += 1;
                moved += usize::from(first == 0);
                deliver_sharded(&parts[first..], shards);
            }
            None => deliver(&parts[first..].concat(), shards).unwrap(),
        }
        assert!(shards.sharded().is_some());
        let heaps = sinks.map(|sink| sink.build().unwrap());
        in_files += usize::from(heaps[2].graph.aside.is_some());
        let [single, batches, shards] = heaps.map(|heap| facts(&heap));
        assert_eq!(batches, single);
        assert_eq!(shards, single);
        Ok(())
    });
    assert!(sharded > 150 && moved > 50, "{sharded} in shards, {moved} moved");
    assert!(in_files > 20, "{in_files} in files");
}

#[test]
fn a_shard_of_another_sink_is_refused() {
    let mut sink = GraphSink::new(Keep::default());
    let shard = Box::new(Recorder::default());
    assert_eq!(sink.join(shard).unwrap_err().to_string(), "a shard of another sink");
}

#[test]
fn a_stream_becomes_a_graph() {
    let mut sink = GraphSink::new(ALL);
    let wants = sink.wants();
    assert!(
        wants.any_nodes()
            && wants.any_edges()
            && !wants.any_strings()
            && !wants.node_details()
            && !wants.extensions
    );
    for (key, value) in [
        ("version_major", "1"),
        ("heap.snapshot", "4"),
        ("heap.root", "1"),
        ("heap.user_root", "0x7"),
        ("heap.root", "99"),
        ("heap.root", "zero"),
        ("heap.unreachable", "root"),
        ("generator", "x"),
    ] {
        metadata(&mut sink, key, value).unwrap();
    }
    declare(&mut sink);
    node(&mut sink, 1, 0, None).unwrap();
    node(&mut sink, 7, 5_000_000_000, Some(70)).unwrap();
    node(&mut sink, -9, 24, Some(-4)).unwrap();
    node(&mut sink, 0x7fff_0000_0001, 16, Some(1 << 40)).unwrap();
    edge(&mut sink, 3, 1, 7, 5, "");
    edge(&mut sink, 1, 1, -9, -1, "");
    edge(&mut sink, 2, 7, -9, i64::from(u32::MAX), r#""heap":{"key":1}"#);
    edge(&mut sink, 9, 7, 0x7fff_0000_0001, 3, r#""v8":{"x":1},"heap":{"distance":false}"#);
    edge(&mut sink, 2, 7, 7, 3, "");
    edge(&mut sink, 1, 7, 8, 3, "");
    edge(&mut sink, 1, 7, 1001, 3, "");
    sink.edges(&EdgeBatch::one(&Edge { subtype: 1, source: 7, ..Edge::default() })).unwrap();
    edge(&mut sink, 77, -9, 7, 3, r#""heap":{"table":7}"#);
    edge(&mut sink, 3, 7, -9, 3, r#""heap":{"distance":false}"#);
    let heap = sink.build().unwrap();
    let (nodes, edges) = facts(&heap);
    assert_eq!(
        nodes,
        [
            "1 0 0 None None",
            "7 5000000000 200 Some(70) Some(71)",
            "-9 24 24 Some(-4) Some(-3)",
            "140733193388033 16 16 Some(1099511627776) Some(1099511627777)",
        ]
    );
    assert_eq!(
        edges,
        [
            "1-7 Root Some(5) Some(3) 0",
            "1--9 Strong Some(-1) Some(1) 0",
            // The key's half of the ephemeron, which the stream left out.
            "1--9 Key Some(4294967295) Some(2) 7",
            "7--9 Table Some(4294967295) Some(2) 1",
            "7-140733193388033 StrongUnmeasured Some(3) Some(9) 0",
            "7-7 Weak Some(3) Some(2) 0",
            "7--9 RootUnmeasured Some(3) Some(3) 0",
            "-9-7 Key Some(3) Some(77) 7",
        ]
    );
    assert_eq!(heap.stats, Stats { dangling: 1, scalars: 2, lost_roots: 2 });
    let policy = heap.policy;
    assert_eq!((policy.roots, policy.user_roots, policy.distance_roots), (vec![0], vec![1], vec![]));
    assert_eq!(policy.unreachable, Unreachable::Root);
}

#[test]
fn nothing_is_kept_that_was_not_asked_for() {
    let mut sink = GraphSink::new(Keep::default());
    declare(&mut sink);
    node(&mut sink, 1, 3, Some(1)).unwrap();
    edge(&mut sink, 1, 1, 1, 3, "");
    edge(&mut sink, 2, 1, 1, 3, "");
    let heap = sink.build().unwrap();
    assert_eq!((heap.graph.nodes(), heap.graph.edges()), (1, 1));
    assert_eq!(
        (heap.id(0), heap.class(0), heap.name(0), heap.label(0).unwrap(), heap.kind(0).unwrap()),
        (None, None, None, None, None)
    );
    assert!(GraphSink::new(Keep::default()).build().unwrap().graph.nodes() == 0);
}

#[test]
fn any_order_of_records_gives_the_same_graph() {
    check(500, |u| {
        let count = u.int_in_range(1..=12u64)?;
        let sparse = u.arbitrary::<bool>()?;
        let id = |i: u64| if sparse { index_id(i * i * 1_000_003 % 65_537) } else { index_id(i) };
        // One more than there are records: edges there dangle.
        let edges = (0..u.int_in_range(0..=30)?)
            .map(|i| {
                let (source, dest) = (id(u.int_in_range(0..=count)?), id(u.int_in_range(0..=count)?));
                let partner = id(u.int_in_range(0..=count)?);
                let (subtype, rest) = *u.choose(&[(1, ""), (2, "key"), (1, "table"), (2, "")])?;
                let rest = match rest {
                    "" => Cow::Borrowed(""),
                    name => Cow::Owned(format!(r#""heap":{{"{name}":{partner}}}"#)),
                };
                Ok((subtype, source, dest, i, partner, rest))
            })
            .collect::<arbitrary::Result<Vec<_>>>()?;
        let index = |wanted: Value| (0..count).find(|&i| id(i) == wanted).map(|i| i as u32);
        let build_by = |order: &[usize], by_index: bool| {
            // Records by position: nodes first, then edges.
            let mut sink = GraphSink::new(Keep { table: sparse, ..ALL });
            declare(&mut sink);
            metadata(&mut sink, "heap.root", &id(count).to_string()).unwrap();
            metadata(&mut sink, "heap.root", &id(0).to_string()).unwrap();
            for &i in order {
                if i < count as usize {
                    node(&mut sink, id(i as u64), i as u64 * 100, Some(i as i64)).unwrap();
                } else {
                    let (subtype, source, dest, label, partner, rest) = &edges[i - count as usize];
                    match (index(*source), index(*dest)) {
                        (Some(source), Some(dest)) if by_index => {
                            let partner = index(*partner);
                            let rest = rest.as_bytes();
                            let (source, dest) = (source.into(), Some(dest.into()));
                            let (subtype, label) = (*subtype, Some(*label));
                            let edge = Edge { subtype, source, dest, label, rest, ..Edge::default() };
                            sink.edges(&EdgeBatch::one_by_index(&edge, partner)).unwrap();
                        }
                        _ => edge(&mut sink, *subtype, *source, *dest, *label, rest),
                    }
                }
            }
            let mut heap = sink.build().unwrap();
            for v in 0..heap.graph.nodes() {
                let id = heap.id(v).unwrap();
                assert!(!sparse || heap.table.get(id) == Ok(Some(v)));
            }
            (facts(&heap), heap.stats, heap.policy.roots)
        };
        let build = |order: &[usize]| build_by(order, false);
        let all: Vec<usize> = (0..count as usize + edges.len()).collect();
        let expected = build(&all);
        assert_eq!((expected.1.lost_roots, &expected.2), (1, &vec![0]));
        let (nodes, rest) = all.split_at(count as usize);
        assert_eq!(build_by(&all, true), expected, "edges by index");
        assert_eq!(build(&[rest, nodes].concat()), expected, "edges first");
        // Interleaved, each kind in its own order.
        let (mut mixed, mut a, mut b) = (Vec::new(), nodes, rest);
        while !a.is_empty() || !b.is_empty() {
            let list = if b.is_empty() || !a.is_empty() && u.arbitrary()? { &mut a } else { &mut b };
            mixed.push(list[0]);
            *list = &list[1..];
        }
        assert_eq!(build(&mixed), expected, "{mixed:?}");
        Ok(())
    });
}

#[test]
fn what_is_refused() {
    let message = |run: &dyn Fn(&mut GraphSink) -> heap_base::Result| {
        let mut sink = GraphSink::new(Keep::default());
        match run(&mut sink) {
            Err(error) => error.to_string(),
            Ok(()) => sink.build().map_or_else(|error| error.to_string(), |_| "fine".to_string()),
        }
    };
    let two_snapshots = |sink: &mut GraphSink| {
        metadata(sink, "version_major", "1")?;
        metadata(sink, "heap.snapshot", "0")?;
        metadata(sink, "heap.snapshot", "1")
    };
    let expected = "several snapshots in one input; choose one with --snapshot N";
    assert_eq!(message(&two_snapshots), expected);
    let late_snapshot = |sink: &mut GraphSink| {
        node(sink, 1, 0, None)?;
        metadata(sink, "heap.snapshot", "1")
    };
    assert_eq!(message(&late_snapshot), expected);
    let two_streams = |sink: &mut GraphSink| {
        metadata(sink, "version_major", "1")?;
        metadata(sink, "version_major", "1")
    };
    assert_eq!(message(&two_streams), "several streams in one input; a graph needs one");
    let twice = |sink: &mut GraphSink| {
        node(sink, 5, 0, None)?;
        node(sink, 5, 0, None)
    };
    assert_eq!(message(&twice), "node identifier 5 occurs twice");
    let twice_after_an_edge = |sink: &mut GraphSink| {
        node(sink, 5, 0, None)?;
        edge(sink, 1, 5, 7, 0, "");
        node(sink, 7, 0, None)?;
        node(sink, 7, 0, None)
    };
    assert_eq!(message(&twice_after_an_edge), "node identifier 7 occurs twice");
    assert_eq!(message(&|sink| node(sink, 4, 0, None)), "node identifier 4 is even");
    let one_snapshot = |sink: &mut GraphSink| metadata(sink, "heap.snapshot", "3");
    assert_eq!(message(&one_snapshot), "fine");
}

/// Nodes with two edges each, in some order of records, some edges by a shard; and when the graph was refused first.
fn guarded(
    nodes: u32,
    limit: u64,
    by_index: bool,
    edges_first: bool,
) -> (heap_base::Result<HeapGraph>, bool) {
    let mut sink = GraphSink::new(ALL).guarded(Guard { limit, instead: "buy more" }, (64 << 10, 16 << 10));
    declare(&mut sink);
    let add_nodes = |sink: &mut GraphSink| {
        (0..nodes).for_each(|n| node(sink, index_id(n.into()), 8, Some(n.into())).unwrap());
    };
    let add_edges = |sink: &mut GraphSink| {
        let ends = (0..nodes).flat_map(|n| [(n, (n + 1) % nodes), (n, n / 2)]);
        let edges = ends.map(|(source, dest)| {
            let (source, dest) = if by_index {
                (i64::from(source), i64::from(dest))
            } else {
                (index_id(source.into()), index_id(dest.into()))
            };
            Edge { subtype: 1, source, dest: Some(dest), label: Some(2), ..Edge::default() }
        });
        let all: Vec<Edge<'_>> = edges.collect();
        let deliver = |edges: &[Edge<'_>], sink: &mut dyn Sink| {
            for edge in edges {
                let batch = EdgeBatch::one(edge);
                let ends = if by_index { Ends::Indexes } else { Ends::Identifiers };
                sink.edges(&EdgeBatch { ends, ..batch }).unwrap();
            }
        };
        if !by_index {
            return deliver(&all, sink);
        }
        let (front, back) = all.split_at(all.len() / 3);
        deliver(front, sink);
        let sharded = sink.sharded().unwrap();
        let mut shard = sharded.fork();
        deliver(back, &mut *shard);
        sharded.join(shard).unwrap();
    };
    if edges_first {
        add_edges(&mut sink);
        add_nodes(&mut sink);
    } else {
        add_nodes(&mut sink);
        add_edges(&mut sink);
    }
    let refused = sink.is_refused();
    (sink.build(), refused)
}

#[test]
fn a_graph_that_takes_too_much_memory_is_refused_with_how_much_that_is() {
    for nodes in [1, 2, 40, 300] {
        let needed = u64::from(nodes) * ((64 << 10) + (32 << 10));
        for (by_index, edges_first) in [(false, false), (true, false), (false, true)] {
            let (fits, refused) = guarded(nodes, needed, by_index, edges_first);
            assert!(!refused);
            assert_eq!(fits.unwrap().graph.edges(), nodes * 2);
            for limit in [0, needed / 9, needed / 2, needed - (32 << 10), needed - 1] {
                let (found, refused) = guarded(nodes, limit, by_index, edges_first);
                let wanted = format!(
                    "this heap takes about {}M of memory, where {}M may be used: buy more",
                    needed.div_ceil(1 << 20),
                    limit >> 20
                );
                assert_eq!(
                    found.unwrap_err().to_string(),
                    wanted,
                    "{nodes} {limit} {by_index} {edges_first}"
                );
                // It is clear before the end that it will not fit.
                assert!(refused || limit > needed / 2 || nodes < 40);
            }
        }
    }
}

#[test]
fn more_subtypes_of_edges_than_a_byte_holds() {
    let mut sink = GraphSink::new(ALL);
    for i in 0..300 {
        node(&mut sink, index_id(i), 0, None).unwrap();
    }
    for i in 0..300 {
        edge(&mut sink, 1000 + i, index_id(i.into()), 1, 0, "");
    }
    let heap = sink.build().unwrap();
    let kinds = [0, 254, 255].map(|edge| heap.kind(edge).unwrap());
    assert_eq!(kinds, [Some(1000), Some(1254), None]);
    assert_eq!(heap.graph.link(299).class(), Class::Strong);
}
