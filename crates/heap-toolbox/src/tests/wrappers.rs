//! What a sink asks for, and batches, reach what it wraps.

use heap_graph::Keep;
use heap_record::testing::{Batch, Recorder};
use heap_record::wants::{Edges, Nodes, Strings, SumBy};
use heap_record::{
    Declared, Edge, EdgeBatch, Ends, Metadata, Node, NodeBatch, PlainEdge, PlainNode, Retains, Sink, Skip,
    Str, Value, Wants,
};

use super::selection;
use crate::cat::Only;
use crate::dom::Annotations;
use crate::filter::{self, Filter};
use crate::names::Names;
use crate::sum::{RetainedSum, Sum};
use heap_ops::graph::GraphLoader;
use heap_ops::select::Selection;
use heap_ops::tree;

/// Node identifiers, and the links between them: a root, a chain below it, and a second way to its end.
const IDS: [Value; 4] = [1, 3, 5, 7];
const LINKS: [(u32, u32); 4] = [(0, 1), (1, 2), (0, 3), (3, 2)];

/// How edges are delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Records,
    Identifiers,
    Indexes,
    Shards,
}

fn plain_nodes() -> Vec<PlainNode> {
    let node = |(i, &id)| PlainNode {
        subtype: 1,
        id,
        size: 1_u64 << i,
        class: true,
        string: 5 + i as i64 % 2,
        ..PlainNode::default()
    };
    IDS.iter().enumerate().map(node).collect()
}

/// Calls `each` with every edge as a plain one: its source by index, and its end by identifier or by index.
fn links(ends: Ends, mut each: impl FnMut(Value, PlainEdge)) {
    for (source, dest) in LINKS {
        let end = |node: u32| if ends == Ends::Indexes { node.into() } else { IDS[node as usize] };
        each(end(source), PlainEdge { subtype: 2, dest: end(dest), label: 5 });
    }
}

/// Delivers a small heap.
fn feed(sink: &mut dyn Sink, by: By) {
    let works = "memory takes everything";
    for (key, value) in [("version_major", "1"), ("heap.root", "1")] {
        sink.metadata(&Metadata { key, value, ..Metadata::default() }).expect(works);
    }
    sink.declare(&Declared::Node { id: 1, name: "object", table: None, fields: &[] }.into()).expect(works);
    sink.declare(
        &Declared::Edge { id: 2, name: "field", retains: Retains::Yes, role: None, rest: b"" }.into(),
    )
    .expect(works);
    for id in [5, 6] {
        let data = heap_record::Data::Plain(if id == 5 { "A" } else { "B" });
        sink.string(&Str { id, data, ..Str::default() }).expect(works);
    }
    let nodes = plain_nodes();
    if by == By::Records {
        let nodes: Vec<Node<'_>> = nodes.iter().map(|node| node.with(b"")).collect();
        sink.nodes(&NodeBatch::Records(&nodes)).expect(works);
    } else {
        sink.nodes(&NodeBatch::Plain { nodes: &nodes, own: b"" }).expect(works);
    }
    feed_edges(sink, by);
}

fn feed_edges(sink: &mut dyn Sink, by: By) {
    let works = "memory takes everything";
    match by {
        By::Records => links(Ends::Identifiers, |source, PlainEdge { subtype, dest, label }| {
            let edge = Edge { subtype, source, dest: Some(dest), label: Some(label), ..Edge::default() };
            sink.edges(&EdgeBatch::one(&edge)).expect(works);
        }),
        By::Identifiers => links(Ends::Identifiers, |source, edge| {
            sink.edges(&EdgeBatch::plain(Ends::Identifiers, source, &[edge])).expect(works);
        }),
        By::Indexes => links(Ends::Indexes, |source, edge| {
            sink.edges(&EdgeBatch::plain(Ends::Indexes, source, &[edge])).expect(works);
        }),
        By::Shards => {
            let sharded = sink.sharded().expect("a graph without labels and kinds takes shards");
            let mut shards = Vec::new();
            links(Ends::Indexes, |source, edge| {
                let mut shard = sharded.fork();
                shard.edges(&EdgeBatch::plain(Ends::Indexes, source, &[edge])).expect(works);
                shards.push(shard);
            });
            for shard in shards {
                sharded.join(shard).expect(works);
            }
        }
    }
}

/// What sinks may ask for.
fn all_wants() -> Vec<Wants> {
    let sums = Wants { strings: Strings::Classes, nodes: Nodes::Sums(SumBy::Class), ..Wants::HEAD };
    let graph = Wants { nodes: Nodes::Brief, edges: Edges::ByIndex, ..Wants::HEAD };
    vec![Wants::HEAD, Wants::NODES, Wants::ALL, sums, graph]
}

fn recorder(wants: Wants) -> Recorder {
    let mut recorder = Recorder::new(wants);
    recorder.sharded = true;
    recorder.filter = Some((|source| if source == 1 { Skip::Some } else { Skip::All }, |dest| dest == 7));
    recorder
}

/// Whether the recorder's filter answers through a wrapper.
fn filters(sink: &mut dyn Sink) -> bool {
    let filter = sink.edge_filter().expect("a filter");
    filter.skip_edges_of(1) == Skip::Some
        && filter.skip_edges_of(3) == Skip::All
        && filter.skip_edges_to(7)
        && !filter.skip_edges_to(5)
}

fn annotations() -> Annotations {
    let mut load = GraphLoader::new(Selection::default(), Keep { ids: true, ..Keep::default() }, false);
    feed(&mut load, By::Indexes);
    Annotations::of(load.build().expect("a graph").heap, None)
}

#[test]
fn only_passes_on_what_is_asked_for_and_whole_batches() {
    let types = |types: &str| {
        let mut only = Only::default();
        only.add(types).expect("record types");
        only
    };
    for wants in all_wants() {
        let mut out = recorder(wants);
        let mut all = types("metadata,type,node_type,edge_type,string,node,edge,x.y").to(&mut out);
        assert_eq!(all.wants(), wants);
        assert!(filters(&mut all) && all.sharded().is_some());
        feed(&mut all, By::Indexes);
        let mut direct = recorder(wants);
        feed(&mut direct, By::Indexes);
        assert_eq!((&out.records, &out.batches), (&direct.records, &direct.batches));
        let mut nodes = types("node").to(recorder(wants));
        assert_eq!(nodes.wants(), Wants { nodes: wants.nodes, ..Wants::HEAD });
        assert!(nodes.sharded().is_none());
    }
}

#[test]
fn annotating_asks_for_single_nodes_and_passes_on_batches_of_edges() {
    for wants in all_wants() {
        let mut out = recorder(wants);
        let known = annotations();
        let mut annotate = known.to(&mut out).expect("no file");
        assert_eq!(annotate.wants(), Wants { nodes: wants.nodes.max(Nodes::Brief), ..wants });
        assert!(filters(&mut annotate) && annotate.sharded().is_some());
        feed(&mut annotate, By::Identifiers);
        let plain = |batch: &&Batch| matches!(batch, Batch::Edges { plain: true, .. });
        assert_eq!(out.batches.iter().filter(plain).count(), LINKS.len());
        assert_eq!(out.all_nodes().len(), IDS.len());
        assert!(out.all_nodes().iter().all(|node| node.heap.retained.is_some()));
    }
}

#[test]
fn names_need_strings_and_identifiers() {
    for wants in all_wants() {
        let mut out = recorder(wants);
        let mut names = Names::new(&mut out);
        let edges = if wants.any_edges() { Edges::ById } else { Edges::None };
        assert_eq!(names.wants(), Wants { strings: Strings::All, edges, ..wants });
        assert!(filters(&mut names) && names.sharded().is_none());
        feed(&mut names, By::Identifiers);
        assert_eq!((out.all_nodes().len(), out.all_edges().len()), (IDS.len(), LINKS.len()));
    }
}

#[test]
fn a_filter_says_itself_which_edges_to_skip() {
    let inner =
        |flags: &[(&str, &str)]| Filter::new(selection(flags), filter::Edges::Inner, recorder(Wants::HEAD));
    let mut classes = inner(&[("class", "A")]);
    assert_eq!(classes.wants(), Wants::ALL);
    assert!(classes.sharded().is_none());
    feed(&mut classes, By::Identifiers);
    let filter = classes.edge_filter().expect("a filter");
    // Nodes 1 and 5 are kept.
    assert_eq!([1, 3].map(|source| filter.skip_edges_of(source)), [Skip::None, Skip::All]);
    assert_eq!([3, 5, 4, 99].map(|dest| filter.skip_edges_to(dest)), [true, false, false, false]);
    let mut few = inner(&[("id", "1")]);
    feed(&mut few, By::Identifiers);
    assert_eq!(few.edge_filter().map(|filter| filter.skip_edges_of(1)), Some(Skip::Some));
    let none = Filter::new(selection(&[]), filter::Edges::None, recorder(Wants::ALL));
    assert_eq!(none.wants(), Wants { edges: Edges::None, ..Wants::ALL });
}

#[test]
fn graphs_are_the_same_however_edges_are_delivered() {
    let graph = Wants { nodes: Nodes::Brief, edges: Edges::ByIndex, references: true, ..Wants::HEAD };
    let results = [By::Records, By::Identifiers, By::Indexes, By::Shards].map(|by| {
        let mut sum = RetainedSum::new(Sum::new(Vec::new(), Selection::default()), None);
        let wants = sum.wants();
        assert_eq!(wants, Wants { strings: Strings::Classes, memory: wants.memory, ..graph });
        assert!(wants.memory < u64::MAX, "a sink with a limit says so");
        feed(&mut sum, by);
        let mut sum = sum.build().expect("a graph");
        sum.finish(true).expect("memory takes everything");
        let mut rows: Vec<String> = sum.report().rows().iter().map(|row| format!("{row:?}")).collect();
        rows.sort();

        let mut load = GraphLoader::new(selection(&[("class", "B")]), Keep::default(), false);
        assert_eq!(load.wants(), Wants { strings: Strings::All, ..graph });
        feed(&mut load, by);
        let loaded = load.build().expect("a graph");
        let ends: Vec<Vec<u32>> = (0..loaded.heap.graph.nodes())
            .map(|node| {
                loaded.heap.graph.range(node).map(|at| loaded.heap.graph.link(at as u32).end()).collect()
            })
            .collect();
        assert_eq!(loaded.chosen, [1, 3]);

        let mut tree = tree::TreeLoader::new(tree::TableSpec::default(), Selection::default());
        assert_eq!(tree.wants(), Wants { strings: Strings::All, ..graph });
        // A tree keeps no labels, but the kinds of edges if it is one of frames.
        feed(&mut tree, by);
        let table = tree.build().expect("a table");
        (rows, ends, format!("{table:?}"))
    });
    let [first, others @ ..] = &results;
    assert_eq!(first.1, [vec![1, 3], vec![2], vec![], vec![2]]);
    assert!(others.iter().all(|other| other == first), "{results:#?}");
}

#[test]
fn an_annotated_stream_needs_no_edges() {
    let mut sum = RetainedSum::new(Sum::new(Vec::new(), Selection::default()), None);
    let known = annotations();
    let mut annotate = known.to(&mut sum).expect("no file");
    feed(&mut annotate, By::Records);
    assert!(sum.sharded().is_none());
    let mut sum = sum.build().expect("a graph");
    sum.finish(true).expect("memory takes everything");
    let retained: Vec<_> = sum.report().rows().iter().map(|row| row.totals.retained).collect();
    assert_eq!(retained.iter().max(), Some(&Some(15)));
}
