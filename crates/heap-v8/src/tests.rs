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
use heap_record::{
    Back, Declaration, Declared, Edge, Extension, Front, Metadata, Node, NodeEnds, Retains, Sink,
    SnapshotSelector, Str, StringId, Value, Wants,
};

/// Everything that was told.
#[derive(Debug, PartialEq)]
struct Heard {
    wants: Wants,
    /// Whether edges come by the numbers of their nodes.
    numbers: bool,
    /// Whether two threads may tell them: how many parts are asked for from the back, and how many came.
    in_two: Option<(usize, usize)>,
    metadata: Vec<(String, String)>,
    node_types: Vec<(u32, String)>,
    edge_types: Vec<(u32, String, Retains)>,
    strings: Vec<(StringId, String, String)>,
    nodes: Vec<HeardNode>,
    edges: Vec<HeardEdge>,
    others: Vec<(String, String)>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct HeardNode {
    subtype: u32,
    id: Value,
    own: String,
    size: u64,
    class: Option<StringId>,
    name: Option<StringId>,
    rest: String,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct HeardEdge {
    subtype: u32,
    source: Value,
    dest: Value,
    label: Option<StringId>,
    rest: String,
}

impl Heard {
    fn new(wants: Wants) -> Self {
        Self {
            wants,
            numbers: false,
            in_two: None,
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
        let subtype = |n: &HeardNode| self.node_types.iter().find(|t| t.0 == n.subtype).map_or("?", |t| &t.1);
        let line = |n: &HeardNode| {
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

    /// Nodes and edges without what only details tell; types by name, for the numbers may differ.
    fn plain(&self) -> (Vec<HeardNode>, Vec<(String, HeardEdge)>) {
        let node = |n: &HeardNode| HeardNode { own: String::new(), rest: String::new(), ..n.clone() };
        let edge = |e: &HeardEdge| {
            let name = self.edge_types.iter().find(|t| t.0 == e.subtype).expect("declared").1.clone();
            (name, HeardEdge { subtype: 0, ..e.clone() })
        };
        (self.nodes.iter().map(node).collect(), self.edges.iter().map(edge).collect())
    }

    /// Edges as `source -subtype label-> dest`.
    fn edge_lines(&self) -> Vec<String> {
        let subtype = |e: &HeardEdge| self.edge_types.iter().find(|t| t.0 == e.subtype).map_or("?", |t| &t.1);
        let line = |e: &HeardEdge| {
            format!("{} -{} {:?}-> {} [{}]", e.source, subtype(e), self.text(e.label), e.dest, e.rest)
        };
        self.edges.iter().map(line).collect()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("members are text")
}

impl Sink for Heard {
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
    fn node(&mut self, record: &Node<'_>) -> Result {
        assert!(self.node_types.iter().any(|t| t.0 == record.subtype), "undeclared {record:?}");
        self.nodes.push(HeardNode {
            subtype: record.subtype,
            id: record.id,
            own: text(record.own),
            size: record.heap.size.expect("always there"),
            class: record.heap.class,
            name: record.heap.name,
            rest: text(record.rest),
        });
        Ok(())
    }
    fn edge(&mut self, record: &Edge<'_>) -> Result {
        assert!(self.edge_types.iter().any(|t| t.0 == record.subtype), "undeclared {record:?}");
        self.edges.push(HeardEdge {
            subtype: record.subtype,
            source: record.source,
            dest: record.dest.expect("always there"),
            label: record.label,
            rest: text(record.rest),
        });
        Ok(())
    }
    fn numbers(&self) -> bool {
        self.numbers
    }
    fn edge_between(&mut self, ends: NodeEnds, record: &Edge<'_>) -> Result {
        let id = |number: u32| self.nodes[number as usize].id;
        let partner = ["heap.key", "heap.table"].iter().find_map(|name| member(record.rest, name));
        let partner = partner.and_then(|id| json::scalar(id)?.as_int());
        assert_eq!(ends.partner.map(id), partner, "{record:?}");
        self.edge(&Edge { source: id(ends.source), dest: Some(id(ends.dest)), ..*record })
    }
    fn in_two(&mut self, front: &mut Front<'_>, back: &mut Back<'_>) -> Result<bool> {
        let Some((most, came)) = &mut self.in_two else { return Ok(false) };
        let mut parts = Vec::new();
        while parts.len() < *most {
            let mut part = Later::default();
            let Some(whole) = back(&mut part)? else { break };
            parts.push((part, whole));
        }
        *came += parts.len();
        if !front(self)? {
            return Ok(true);
        }
        assert_eq!(back(&mut Later::default())?, None);
        for (Later { edge_types, edges }, whole) in parts.into_iter().rev() {
            let new = edge_types.into_iter().filter(|t| !self.edge_types.contains(t)).collect::<Vec<_>>();
            self.edge_types.extend(new);
            for (ends, HeardEdge { subtype, label, rest, .. }) in edges {
                self.edge_between(ends, &Edge { subtype, label, rest: rest.as_bytes(), ..Edge::default() })?;
            }
            if !whole {
                break;
            }
        }
        Ok(true)
    }
    fn extension(&mut self, record: &Extension<'_>) -> Result {
        self.others.push((record.kind.into(), text(record.body)));
        Ok(())
    }
}

/// Edges by number, for whoever knows the nodes.
#[derive(Debug, Default)]
struct Later {
    edge_types: Vec<(u32, String, Retains)>,
    edges: Vec<(NodeEnds, HeardEdge)>,
}

impl Sink for Later {
    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        if let Declared::Edge { id, name, retains, .. } = *record {
            self.edge_types.push((id, name.into(), retains));
        }
        Ok(())
    }
    fn numbers(&self) -> bool {
        true
    }
    fn edge_between(&mut self, ends: NodeEnds, record: &Edge<'_>) -> Result {
        let &Edge { subtype, label, rest, .. } = record;
        self.edges.push((ends, HeardEdge { subtype, label, rest: text(rest), ..HeardEdge::default() }));
        Ok(())
    }
}

/// What is told of a snapshot, and the error, if any; the same with edges by numbers, and by two threads.
fn hear(snapshot: &[u8], wants: Wants) -> (Heard, Option<String>) {
    let read = |heard: &mut Heard| {
        let outcome = crate::read(&Blob::from_bytes(snapshot), SnapshotSelector::Last, heard);
        outcome.err().map(|e| e.to_string())
    };
    let mut heard = Heard::new(wants);
    let error = read(&mut heard);
    if wants.any_nodes() && wants.any_edges() {
        for in_two in [None, Some((0, 0)), Some((3, 0)), Some((99, 0))] {
            let mut numbered = Heard { numbers: true, in_two, ..Heard::new(wants) };
            assert_eq!(read(&mut numbered), error);
            assert_eq!(Heard { numbers: false, in_two: None, ..numbered }, heard);
        }
    }
    (heard, error)
}

/// What is told of a sound snapshot.
fn sound(snapshot: &[u8]) -> Heard {
    let (heard, error) = hear(snapshot, Wants::ALL);
    assert_eq!(error, None);
    heard
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
