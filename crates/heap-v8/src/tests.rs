//! What the tests share: a sink that remembers, and small snapshots.

mod files;
mod hostile;
mod lexer;
mod nodes;
mod plain;
mod random;
mod rules;
mod texts;
mod write;

use heap_base::{Blob, Result, json, member};
use heap_record::wants;
use heap_record::{
    Declaration, Declared, Edge, EdgeBatch, Ends, Extension, Metadata, Node, NodeBatch, Retains, Shard,
    Sharded, Sink, SnapshotSelector, Str, StringId, Value, Wants,
};

/// A sink that remembers all records.
#[derive(Clone, Debug, PartialEq)]
struct Recorded {
    wants: Wants,
    /// Whether two threads may feed it.
    sharded: bool,
    /// How many shards were joined.
    joined: usize,
    metadata: Vec<(String, String)>,
    node_types: Vec<(u32, String)>,
    edge_types: Vec<(u32, String, Retains)>,
    strings: Vec<(StringId, String, String)>,
    nodes: Vec<RecordedNode>,
    edges: Vec<RecordedEdge>,
    others: Vec<(String, String)>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct RecordedNode {
    subtype: u32,
    id: Value,
    own: String,
    size: u64,
    class: Option<StringId>,
    name: Option<StringId>,
    rest: String,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct RecordedEdge {
    subtype: u32,
    source: Value,
    dest: Value,
    label: Option<StringId>,
    rest: String,
}

impl Recorded {
    fn new(wants: Wants) -> Self {
        Self {
            wants,
            sharded: false,
            joined: 0,
            metadata: Vec::new(),
            node_types: Vec::new(),
            edge_types: Vec::new(),
            strings: Vec::new(),
            nodes: Vec::new(),
            edges: Vec::new(),
            others: Vec::new(),
        }
    }

    /// Values of a metadata key.
    fn all(&self, key: &str) -> Vec<&str> {
        self.metadata.iter().filter(|m| m.0 == key).map(|m| m.1.as_str()).collect()
    }

    /// Text of a string.
    fn text(&self, id: Option<StringId>) -> &str {
        self.strings.iter().find(|s| Some(s.0) == id).map_or("?", |s| &s.1)
    }

    /// Nodes as `subtype class-or-name size`.
    fn node_lines(&self) -> Vec<String> {
        let subtype =
            |n: &RecordedNode| self.node_types.iter().find(|t| t.0 == n.subtype).map_or("?", |t| &t.1);
        let line = |n: &RecordedNode| {
            let (class, name) =
                (n.class.map_or("-", |c| self.text(Some(c))), n.name.map_or("-", |c| self.text(Some(c))));
            format!(
                "{} {} class={class} name={name} size={} own[{}] rest[{}]",
                n.id,
                subtype(n),
                n.size,
                n.own,
                n.rest
            )
        };
        self.nodes.iter().map(line).collect()
    }

    /// Nodes and edges without what only full nodes have; types by name, for the numbers may differ.
    fn plain(&self) -> (Vec<RecordedNode>, Vec<(String, RecordedEdge)>) {
        let node = |n: &RecordedNode| RecordedNode { own: String::new(), rest: String::new(), ..n.clone() };
        let edge = |e: &RecordedEdge| {
            let name = self.edge_types.iter().find(|t| t.0 == e.subtype).expect("declared").1.clone();
            (name, RecordedEdge { subtype: 0, ..e.clone() })
        };
        (self.nodes.iter().map(node).collect(), self.edges.iter().map(edge).collect())
    }

    /// Without the strings of array indexes, which a sink of edges by index does without, and with edge types in
    /// order of their numbers: those that are not declared come when they are used.
    fn without_indexes(mut self) -> Self {
        self.strings.retain(|s| s.0 >= 0);
        self.edge_types.sort_by_key(|t| t.0);
        self
    }

    /// Edges as `source -subtype label-> dest`.
    fn edge_lines(&self) -> Vec<String> {
        let subtype =
            |e: &RecordedEdge| self.edge_types.iter().find(|t| t.0 == e.subtype).map_or("?", |t| &t.1);
        let line = |e: &RecordedEdge| {
            format!("{} -{} {:?}-> {} [{}]", e.source, subtype(e), self.text(e.label), e.dest, e.rest)
        };
        self.edges.iter().map(line).collect()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("members are text")
}

impl Sink for Recorded {
    fn wants(&self) -> Wants {
        self.wants
    }
    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        self.metadata.push((record.key.into(), record.value.into()));
        Ok(())
    }
    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        match record.what {
            Declared::Node { id, name, .. } => self.node_types.push((id, name.into())),
            Declared::Edge { id, name, retains, .. } => self.edge_types.push((id, name.into(), retains)),
            Declared::Record { .. } => {}
        }
        Ok(())
    }
    fn string(&mut self, record: &Str<'_>) -> Result {
        self.strings.push((record.id, record.data.text().into(), text(record.rest)));
        Ok(())
    }
    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        batch.try_for_each(|node| {
            self.node(node);
            Ok(())
        })
    }
    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        batch.try_for_each(|edge| {
            match batch.ends {
                Ends::Identifiers => self.edge(edge),
                Ends::Indexes => self.edge_by_index(edge, batch.partner),
            }
            Ok(())
        })
    }
    fn sharded(&mut self) -> Option<&mut dyn Sharded> {
        if self.sharded { Some(self) } else { None }
    }
    fn extension(&mut self, record: &Extension<'_>) -> Result {
        self.others.push((record.kind.into(), text(record.body)));
        Ok(())
    }
}

impl Recorded {
    fn node(&mut self, record: &Node<'_>) {
        assert!(self.node_types.iter().any(|t| t.0 == record.subtype), "undeclared {record:?}");
        self.nodes.push(RecordedNode {
            subtype: record.subtype,
            id: record.id,
            own: text(record.own),
            size: record.heap.size.expect("always there"),
            class: record.heap.class,
            name: record.heap.name,
            rest: text(record.rest),
        });
    }

    fn edge(&mut self, record: &Edge<'_>) {
        assert!(self.edge_types.iter().any(|t| t.0 == record.subtype), "undeclared {record:?}");
        self.edges.push(RecordedEdge {
            subtype: record.subtype,
            source: record.source,
            dest: record.dest.expect("always there"),
            label: record.label,
            rest: text(record.rest),
        });
    }

    fn edge_by_index(&mut self, record: &Edge<'_>, partner: Option<u32>) {
        assert_eq!(self.wants.edges, wants::Edges::ByIndex);
        let id = |index: usize| self.nodes[index].id;
        let stated = ["heap.key", "heap.table"].iter().find_map(|name| member(record.rest, name));
        let stated = stated.and_then(|id| json::scalar(id)?.as_int());
        assert_eq!(partner.map(|index| id(index as usize)), stated, "{record:?}");
        let dest = record.dest.expect("always there");
        self.edge(&Edge { source: id(record.source as usize), dest: Some(id(dest as usize)), ..*record });
    }

    /// The same records, whatever kind of sink it was.
    fn into_by_id(self) -> Self {
        let wants = Wants { edges: wants::Edges::ById, ..self.wants };
        Self { wants, sharded: false, joined: 0, ..self }
    }
}

impl Sharded for Recorded {
    fn fork(&self) -> Box<dyn Shard> {
        Box::new(RecordedShard { wants: self.wants, ..RecordedShard::default() })
    }
    fn join(&mut self, shard: Box<dyn Shard>) -> Result {
        let shard = shard.into_any().downcast::<RecordedShard>().expect("a shard of this sink");
        self.joined += 1;
        let RecordedShard { edge_types, edges, .. } = *shard;
        let new = edge_types.into_iter().filter(|t| !self.edge_types.contains(t)).collect::<Vec<_>>();
        self.edge_types.extend(new);
        for (RecordedEdge { subtype, source, dest, label, rest }, partner) in edges {
            let rest = rest.as_bytes();
            let edge = Edge { subtype, source, dest: Some(dest), label, rest, ..Edge::default() };
            self.edge_by_index(&edge, partner);
        }
        Ok(())
    }
}

/// Edges by index, for a sink that has the nodes.
#[derive(Debug)]
struct RecordedShard {
    wants: Wants,
    edge_types: Vec<(u32, String, Retains)>,
    edges: Vec<(RecordedEdge, Option<u32>)>,
}

impl Default for RecordedShard {
    fn default() -> Self {
        Self { wants: Wants::ALL, edge_types: Vec::new(), edges: Vec::new() }
    }
}

impl Sink for RecordedShard {
    fn wants(&self) -> Wants {
        self.wants
    }
    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        if let Declared::Edge { id, name, retains, .. } = record.what {
            self.edge_types.push((id, name.into(), retains));
        }
        Ok(())
    }
    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        assert_eq!(batch.ends, Ends::Indexes);
        let edges = batch.iter().map(|edge| {
            let Edge { subtype, source, dest, label, rest, .. } = edge;
            let dest = dest.expect("always there");
            (RecordedEdge { subtype, source, dest, label, rest: text(rest) }, batch.partner)
        });
        self.edges.extend(edges);
        Ok(())
    }
}

impl Shard for RecordedShard {
    fn into_any(self: Box<Self>) -> Box<dyn std::any::Any + Send> {
        self
    }
}

/// What a graph asks for, but with edges by identifier.
const GRAPH: Wants = Wants { nodes: wants::Nodes::Brief, ..Wants::ALL };

/// The records of a snapshot, and the error, if any; the same with edges by index, from one thread and from two.
fn record(snapshot: &[u8], wants: Wants) -> (Recorded, Option<String>) {
    let read = |recorded: &mut Recorded| {
        let outcome = crate::read(&Blob::from_bytes(snapshot), SnapshotSelector::Last, recorded);
        outcome.err().map(|e| e.to_string())
    };
    let mut recorded = Recorded::new(wants);
    let error = read(&mut recorded);
    if wants.any_nodes() && wants.any_edges() {
        // Little memory: what is known of nodes goes to files.
        for (sharded, memory) in [(false, u64::MAX), (true, u64::MAX), (true, 0)] {
            let wants = Wants { edges: wants::Edges::ByIndex, memory, ..wants };
            let mut by_index = Recorded { sharded, ..Recorded::new(wants) };
            assert_eq!(read(&mut by_index), error);
            by_index.wants.memory = recorded.wants.memory;
            let (by_index, by_id) =
                (by_index.into_by_id().without_indexes(), recorded.clone().without_indexes());
            assert_eq!(by_index, by_id);
        }
    }
    (recorded, error)
}

/// The records of a sound snapshot.
fn sound(snapshot: &[u8]) -> Recorded {
    let (recorded, error) = record(snapshot, Wants::ALL);
    assert_eq!(error, None);
    recorded
}

/// A file in `tests/data/v8/edge`.
fn file(name: &str) -> Vec<u8> {
    let path = format!("{}/../../tests/data/v8/edge/{name}.heapsnapshot", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).expect("the file is in the repository")
}

const META: &str = r#""meta":{"node_fields":["type","name","id","self_size","edge_count"],"node_types":[["hidden","array","string","object","code","closure","regexp","number","native","synthetic","concatenated string","sliced string","symbol","bigint","object shape"],"string","number","number","number"],"edge_fields":["type","name_or_index","to_node"],"edge_types":[["context","element","property","internal","hidden","shortcut","weak"],"string_or_number","node"]}"#;

/// A snapshot with nodes of five fields.
fn five(nodes: &str, edges: &str, strings: &str) -> String {
    format!(
        r#"{{"snapshot":{{{META},"node_count":1,"edge_count":1}},"nodes":[{nodes}],"edges":[{edges}],"strings":[{strings}]}}"#
    )
}
