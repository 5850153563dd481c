//! Wrappers forward everything that a sink can receive or answer.

use heap_base::Result;
use heap_record::testing::Recorder;
use heap_record::wants::{Edges, Nodes, Strings};
use heap_record::{
    Declared, Edge, EdgeBatch, EdgeSlice, Ends, Extension, Metadata, Node, NodeBatch, PlainEdge, PlainNode,
    Retains, Sink, Skip, Str, Wants,
};

use crate::Destination;
use crate::ending::Ending;
use crate::targets::{self, named};

/// What a sink wants, skips of three edges, and whether it takes shards.
type Answers = (Wants, Option<[(Skip, bool); 3]>, bool);

/// Delivers every kind of record and batch, asks every question, and returns the answers.
fn exercise(sink: &mut dyn Sink) -> Result<Answers> {
    let wants = sink.wants();
    sink.metadata(&Metadata { key: "version_major", value: "1", ..Metadata::default() })?;
    sink.declare(&Declared::Edge { id: 1, name: "e", retains: Retains::Yes, role: None, rest: b"" }.into())?;
    sink.string(&Str { id: 5, ..Str::default() })?;
    let node = Node { id: 1, ..Node::default() };
    sink.nodes(&NodeBatch::Records(&[node, node]))?;
    let plain = |id| PlainNode { id, ..PlainNode::default() };
    sink.nodes(&NodeBatch::Plain { nodes: &[plain(3), plain(5), plain(7)], own: b"" })?;
    let filter = sink.edge_filter();
    let answers =
        filter.map(|filter| [1, 3, 5].map(|id| (filter.skip_edges_of(id), filter.skip_edges_to(id))));
    let edge = Edge { subtype: 1, source: 1, dest: Some(3), ..Edge::default() };
    let edges = [PlainEdge { subtype: 1, dest: 3, label: 5 }; 4];
    for ends in [Ends::Identifiers, Ends::Indexes] {
        // By index only for those who ask.
        if ends == Ends::Identifiers || wants.edges == Edges::ByIndex {
            sink.edges(&EdgeBatch { ends, partner: None, edges: EdgeSlice::Records(&[edge, edge, edge]) })?;
            sink.edges(&EdgeBatch::plain(ends, 1, &edges))?;
        }
    }
    let sharded = sink.sharded();
    let is_sharded = sharded.is_some();
    if let Some(sharded) = sharded {
        let mut shard = sharded.fork();
        shard.edges(&EdgeBatch::plain(Ends::Indexes, 2, &edges))?;
        sharded.join(shard)?;
    }
    sink.extension(&Extension { kind: "x.y", ..Extension::default() })?;
    sink.flush()?;
    Ok((wants, answers, is_sharded))
}

/// A recorder that differs from the defaults of `Sink` in every answer.
fn recorder() -> Recorder {
    let nodes = Nodes::Brief;
    let wants = Wants { strings: Strings::Classes, nodes, edges: Edges::ByIndex, ..Wants::HEAD };
    let of = |source| if source == 1 { Skip::All } else { Skip::Some };
    Recorder { sharded: true, filter: Some((of, |dest| dest == 3)), ..Recorder::new(wants) }
}

#[test]
fn a_wrapper_forwards_every_record_batch_and_answer() {
    let mut direct = recorder();
    let answers = exercise(&mut direct).expect("a recorder takes all");
    direct.finish(true).expect("a recorder takes all");
    assert_ne!(answers.0, Recorder::default().wants());
    assert!(answers.1.is_some() && answers.2 && direct.joined == 1 && direct.batches.len() == 7);

    let end = |recorder: &mut Recorder| {
        assert_eq!(recorder.finished, Some(true), "the end comes last");
        recorder.finished = None;
        Ok(())
    };
    let mut ending = Ending { sink: recorder(), end };
    assert_eq!(exercise(&mut ending).expect("a recorder takes all"), answers);
    ending.finish(true).expect("a recorder takes all");
    let wrapped = ending.sink;
    assert_eq!(wrapped.finished, None, "the end was written");
    assert!(wrapped == direct);
    assert_eq!(
        (wrapped.batches, wrapped.joined, wrapped.flushes),
        (direct.batches, direct.joined, direct.flushes)
    );
}

/// What `exercise` makes of a target, unpacked.
fn written(name: &str) -> Vec<u8> {
    let format = named(Some(name.as_ref())).expect("a target");
    let mut out = Vec::new();
    let mut destination =
        Destination::open(format, None, &mut out, &targets::Options::default()).expect("no options");
    exercise(destination.sink()).expect("memory takes all");
    destination.finish(true).expect("memory takes all");
    drop(destination);
    out
}

#[test]
fn a_packed_stream_is_the_stream() {
    let plain = written("ndjson");
    assert!(plain.len() > 500, "{}", String::from_utf8_lossy(&plain));
    let packed = written("zst");
    assert_eq!(zstd::decode_all(&packed[..]).expect("a frame"), plain);
}
