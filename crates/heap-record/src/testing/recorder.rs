//! A sink that remembers what it received.

use std::any::Any;
use std::borrow::Cow;

use super::record::{DeclarationRecord, EdgeRecord, ExtensionRecord, NodeRecord, Record, StringRecord};
use crate::batch::{EdgeBatch, EdgeSlice, Ends, NodeBatch};
use crate::model::{Declaration, Extension, Metadata, Str, StringId, Value};
use crate::sink::{EdgeFilter, Shard, Sharded, Sink, Skip};
use crate::wants::{Edges, Wants};
use heap_base::{Error, Result, member};
use heap_base::{Set, json::scalar};

/// How nodes or edges were delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Batch {
    /// So many nodes.
    Nodes {
        /// Whether they were plain nodes.
        plain: bool,
        /// How many.
        len: usize,
    },
    /// So many edges.
    Edges {
        /// Whether they were plain edges.
        plain: bool,
        /// Whether by identifier or by index.
        ends: Ends,
        /// How many.
        len: usize,
    },
}

/// Which edges to skip, as two functions.
type Filter = (fn(Value) -> Skip, fn(Value) -> bool);

/// Remembers every record it receives, in order. Two recorders are equal if they received the same records and the
/// same error, however these were split into batches.
#[derive(Clone, Debug)]
pub struct Recorder {
    /// What it asks for.
    pub wants: Wants,
    /// Whether it can be fed by several threads.
    pub sharded: bool,
    /// Which edges it has no use for: from a source, and to a destination.
    pub filter: Option<Filter>,
    /// The records.
    pub records: Vec<Record>,
    /// The batches in which nodes and edges came.
    pub batches: Vec<Batch>,
    /// How many shards were joined.
    pub joined: usize,
    /// How often it was asked to flush.
    pub flushes: usize,
    /// What [`finish`](Sink::finish) said.
    pub finished: Option<bool>,
    /// The error of the reader, if [`record`](Self::record) met one.
    pub error: Option<String>,
}

impl Default for Recorder {
    /// A recorder that asks for everything.
    fn default() -> Self {
        Self::new(Wants { any_order: true, ..Wants::ALL })
    }
}

impl PartialEq for Recorder {
    fn eq(&self, other: &Self) -> bool {
        (&self.records, &self.error) == (&other.records, &other.error)
    }
}

impl Recorder {
    /// An empty recorder that asks for `wants`.
    pub fn new(wants: Wants) -> Self {
        Self {
            wants,
            sharded: false,
            filter: None,
            records: Vec::new(),
            batches: Vec::new(),
            joined: 0,
            flushes: 0,
            finished: None,
            error: None,
        }
    }

    /// A recorder of everything that `read` delivers, and of its error.
    pub fn record(read: impl FnOnce(&mut Self) -> Result) -> Self {
        Self::default().with(read)
    }

    /// The recorder after `read` delivered to it, with the error if there was one.
    #[must_use]
    pub fn with(mut self, read: impl FnOnce(&mut Self) -> Result) -> Self {
        self.error = read(&mut self).err().map(|error| error.to_string());
        self
    }

    /// What `read` delivers to a sink that asks for `wants`. Edges are asked for between identifiers, between indexes and
    /// in shards.
    ///
    /// # Panics
    /// If the three ways do not give the same records. String records of array indexes do not count: they come with edges
    /// between identifiers only.
    pub fn record_every_way(wants: Wants, read: impl Fn(&mut Self) -> Result) -> Self {
        let recorder = Self::new(wants).with(&read);
        let expected = recorder.clone().without_index_strings();
        for sharded in [false, true] {
            if wants.any_edges() {
                let wants = Wants { edges: Edges::ByIndex, ..wants };
                let mut other = Self { sharded, ..Self::new(wants) }.with(&read);
                other.resolve_indexes();
                let other = other.without_index_strings();
                assert_eq!(other.error, expected.error, "in shards: {sharded}");
                assert_eq!(other.records.len(), expected.records.len(), "in shards: {sharded}");
                for (other, expected) in other.records.iter().zip(&expected.records) {
                    assert_eq!(other, expected, "in shards: {sharded}");
                }
            }
        }
        recorder
    }

    /// The recorder without the string records of array indexes.
    #[must_use]
    pub fn without_index_strings(mut self) -> Self {
        self.records.retain(|record| !matches!(record, Record::String(string) if string.id < 0));
        self
    }

    /// Replaces node indexes in edges by the identifiers of these nodes.
    ///
    /// # Panics
    /// If there is no such node, or if the partner of an edge is not what its member `heap.key` or `heap.table` names.
    pub fn resolve_indexes(&mut self) {
        let (mut snapshots, mut nodes) = (Vec::new(), Vec::new());
        for record in &self.records {
            match record {
                Record::Metadata(key, _) if key == "heap.snapshot" => {
                    snapshots.push(std::mem::take(&mut nodes));
                }
                Record::Node(node) => nodes.push(node.id),
                _ => {}
            }
        }
        snapshots.push(nodes);
        let mut snapshots = snapshots.into_iter();
        let mut nodes = snapshots.next().unwrap_or_default();
        for record in &mut self.records {
            match record {
                Record::Metadata(key, _) if key == "heap.snapshot" => {
                    nodes = snapshots.next().unwrap_or_default();
                }
                Record::Edge(edge) if edge.ends == Ends::Indexes => edge.resolve(&nodes),
                _ => {}
            }
        }
    }

    /// Values of a metadata key.
    pub fn values(&self, key: &str) -> Vec<&str> {
        let all = self.records.iter();
        all.filter_map(|record| match record {
            Record::Metadata(k, value) if k == key => Some(value.as_str()),
            _ => None,
        })
        .collect()
    }

    /// All declarations.
    pub fn all_declarations(&self) -> Vec<&DeclarationRecord> {
        let all = self.records.iter();
        all.filter_map(
            |record| if let Record::Declaration(declaration) = record { Some(declaration) } else { None },
        )
        .collect()
    }

    /// All strings.
    pub fn all_strings(&self) -> Vec<&StringRecord> {
        let all = self.records.iter();
        all.filter_map(|record| if let Record::String(string) = record { Some(string) } else { None })
            .collect()
    }

    /// All nodes.
    pub fn all_nodes(&self) -> Vec<&NodeRecord> {
        let all = self.records.iter();
        all.filter_map(|record| if let Record::Node(node) = record { Some(node) } else { None }).collect()
    }

    /// All edges.
    pub fn all_edges(&self) -> Vec<&EdgeRecord> {
        let all = self.records.iter();
        all.filter_map(|record| if let Record::Edge(edge) = record { Some(edge) } else { None }).collect()
    }

    /// All extension records.
    pub fn all_extensions(&self) -> Vec<&ExtensionRecord> {
        let all = self.records.iter();
        all.filter_map(
            |record| if let Record::Extension(extension) = record { Some(extension) } else { None },
        )
        .collect()
    }

    /// Bodies of the extension records of one kind.
    pub fn bodies(&self, kind: &str) -> Vec<&str> {
        let of_kind = self.all_extensions().into_iter().filter(|extension| extension.kind == kind);
        of_kind.map(|extension| extension.body.as_str()).collect()
    }

    /// Text of a string; that of an array index needs no record. `?` if there is none.
    pub fn text(&self, id: StringId) -> Cow<'_, str> {
        match self.all_strings().into_iter().find(|string| string.id == id) {
            Some(string) => Cow::Borrowed(&string.data),
            None if id < 0 => Cow::Owned((-(id + 1)).to_string()),
            None => Cow::Borrowed("?"),
        }
    }

    /// Declared name of a node subtype; `?` if there is none.
    pub fn node_type(&self, subtype: u32) -> &str {
        let name = |declaration: &&DeclarationRecord| match **declaration {
            DeclarationRecord::Node { id, .. } => id == subtype,
            _ => false,
        };
        self.all_declarations().into_iter().find(name).map_or("?", DeclarationRecord::name)
    }

    /// Declared name of an edge subtype; `?` if there is none.
    pub fn edge_type(&self, subtype: u32) -> &str {
        let name = |declaration: &&DeclarationRecord| match **declaration {
            DeclarationRecord::Edge { id, .. } => id == subtype,
            _ => false,
        };
        self.all_declarations().into_iter().find(name).map_or("?", DeclarationRecord::name)
    }

    /// What breaks the rules of the stream: subtypes that were not declared and strings that did not come before the
    /// records that refer to them, declarations and strings that came twice.
    pub fn problems(&self) -> Vec<String> {
        let mut known = Set::default();
        let mut problems = Vec::new();
        for record in &self.records {
            match record {
                Record::Metadata(key, _) if key == "version_major" => known.clear(),
                Record::Metadata(..) | Record::Extension(_) => {}
                Record::Declaration(declaration) => {
                    if !known.insert(declaration.key()) {
                        problems.push(format!("declared twice: {declaration:?}"));
                    }
                }
                Record::String(string) => {
                    if !known.insert(Known::String(string.id)) {
                        problems.push(format!("came twice: {string:?}"));
                    }
                }
                Record::Node(node) => {
                    let strings = [node.heap.class, node.heap.name].map(|id| id.map(Known::String));
                    let uses = [Some(Known::NodeType(node.subtype)), strings[0], strings[1]];
                    missing(&known, &uses, record, &mut problems);
                }
                Record::Edge(edge) => {
                    let text_known = |id: StringId| edge.ends == Ends::Indexes && id < 0;
                    let label = edge.label.filter(|&id| !text_known(id)).map(Known::String);
                    missing(&known, &[Some(Known::EdgeType(edge.subtype)), label], record, &mut problems);
                }
            }
        }
        problems
    }
}

/// What a record may refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Known<'a> {
    RecordType(&'a str),
    NodeType(u32),
    EdgeType(u32),
    String(StringId),
}

fn missing(known: &Set<Known<'_>>, uses: &[Option<Known<'_>>], record: &Record, problems: &mut Vec<String>) {
    let missing = uses.iter().flatten().filter(|used| !known.contains(*used));
    problems.extend(missing.map(|used| format!("{used:?} did not come before {record:?}")));
}

impl DeclarationRecord {
    /// The name that it declares.
    pub fn name(&self) -> &str {
        match self {
            Self::Record { name, .. } | Self::Node { name, .. } | Self::Edge { name, .. } => name,
        }
    }

    fn key(&self) -> Known<'_> {
        match self {
            Self::Record { name, .. } => Known::RecordType(name),
            Self::Node { id, .. } => Known::NodeType(*id),
            Self::Edge { id, .. } => Known::EdgeType(*id),
        }
    }
}

impl EdgeRecord {
    /// Replaces node indexes by identifiers.
    fn resolve(&mut self, nodes: &[Value]) {
        let id = |index: Value| {
            let node = usize::try_from(index).ok().and_then(|index| nodes.get(index));
            *node.unwrap_or_else(|| panic!("no node {index} of {}", nodes.len()))
        };
        let named = ["heap.key", "heap.table"].iter().find_map(|name| member(self.rest.as_bytes(), name));
        let named = named.and_then(|id| scalar(id)?.as_int());
        assert_eq!(self.partner.map(|index| id(index.into())), named, "{self:?}");
        self.source = id(self.source);
        self.dest = self.dest.map(id);
        (self.ends, self.partner) = (Ends::Identifiers, None);
    }
}

impl Sink for Recorder {
    fn wants(&self) -> Wants {
        self.wants
    }

    fn edge_filter(&mut self) -> Option<&mut dyn EdgeFilter> {
        self.filter.is_some().then_some(self)
    }

    fn sharded(&mut self) -> Option<&mut dyn Sharded> {
        self.sharded.then_some(self)
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        self.records.push(Record::Metadata(record.key.into(), record.value.into()));
        Ok(())
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.records.push(Record::Declaration(record.into()));
        Ok(())
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        self.records.push(Record::String(record.into()));
        Ok(())
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        let plain = matches!(batch, NodeBatch::Plain { .. });
        self.batches.push(Batch::Nodes { plain, len: batch.len() });
        self.records.extend(batch.iter().map(|node| Record::Node((&node).into())));
        Ok(())
    }

    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        let plain = matches!(batch.edges, EdgeSlice::Plain { .. });
        let &EdgeBatch { ends, partner, .. } = batch;
        self.batches.push(Batch::Edges { plain, ends, len: batch.len() });
        let edges = batch.iter().map(|edge| EdgeRecord { ends, partner, ..(&edge).into() });
        self.records.extend(edges.map(Record::Edge));
        Ok(())
    }

    fn extension(&mut self, record: &Extension<'_>) -> Result {
        self.records.push(Record::Extension(record.into()));
        Ok(())
    }

    fn flush(&mut self) -> Result {
        self.flushes += 1;
        Ok(())
    }

    fn finish(&mut self, intact: bool) -> Result {
        self.finished = Some(intact);
        Ok(())
    }
}

impl EdgeFilter for Recorder {
    fn skip_edges_of(&mut self, source: Value) -> Skip {
        self.filter.map_or(Skip::None, |(of, _)| of(source))
    }

    fn skip_edges_to(&mut self, dest: Value) -> bool {
        self.filter.is_some_and(|(_, to)| to(dest))
    }
}

impl Sharded for Recorder {
    fn fork(&self) -> Box<dyn Shard> {
        Box::new(Self { filter: self.filter, ..Self::new(self.wants) })
    }

    /// Declarations of the shard that are known already are left out.
    fn join(&mut self, shard: Box<dyn Shard>) -> Result {
        let Ok(shard) = shard.into_any().downcast::<Self>() else {
            return Err(Error::input("a shard of another sink"));
        };
        self.joined += 1;
        self.batches.extend(shard.batches);
        for record in shard.records {
            let new = !matches!(record, Record::Declaration(_)) || !self.records.contains(&record);
            if new {
                self.records.push(record);
            }
        }
        Ok(())
    }
}

impl Shard for Recorder {
    fn into_any(self: Box<Self>) -> Box<dyn Any + Send> {
        self
    }
}
