//! The records of a file as lines, one for each, with the texts of strings in place of their ids.

use std::collections::BTreeMap;

use heap_base::Blob;
use heap_record::testing::{Batch, DeclarationRecord, EdgeRecord, NodeRecord, Record, Recorder};
use heap_record::{Ends, SnapshotSelector, StringId, Wants};

/// The records of one snapshot.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SnapshotRecords {
    pub(super) metadata: Vec<(String, String)>,
    /// Subtype, identifier, size, class, name, external, the rest.
    pub(super) nodes: Vec<String>,
    /// Subtype, source, destination, label, the rest.
    pub(super) edges: Vec<String>,
    pub(super) extensions: Vec<String>,
}

/// The records of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Records {
    /// What came before the first `heap.snapshot`.
    pub(super) head: SnapshotRecords,
    pub(super) snapshots: Vec<SnapshotRecords>,
    pub(super) strings: BTreeMap<StringId, String>,
    pub(super) string_rests: Vec<String>,
    pub(super) node_types: BTreeMap<u32, String>,
    edge_types: BTreeMap<u32, String>,
    /// How many edges came by index.
    pub(super) by_index: usize,
    pub(super) error: Option<String>,
}

/// All records of `bytes`, and the error.
pub(super) fn read(bytes: &[u8], pick: SnapshotSelector) -> Records {
    read_wanting(&super::blob(bytes), pick, Wants::ALL)
}

/// The same for a sink that wants less.
pub(super) fn read_wanting(blob: &Blob, pick: SnapshotSelector, wants: Wants) -> Records {
    Recorder::new(wants).with(|sink| crate::read(blob, pick, sink)).into()
}

impl From<Recorder> for Records {
    fn from(mut recorder: Recorder) -> Self {
        if recorder.wants.any_strings() {
            assert_eq!(recorder.problems(), [""; 0]);
        }
        let by_index = |batch: &Batch| match *batch {
            Batch::Edges { ends: Ends::Indexes, len, .. } => len,
            _ => 0,
        };
        let mut records = Self {
            by_index: recorder.batches.iter().map(by_index).sum(),
            error: recorder.error.take(),
            ..Self::default()
        };
        recorder.resolve_indexes();
        recorder.records.into_iter().for_each(|record| records.add(record));
        records
    }
}

impl Records {
    fn snapshot(&mut self) -> &mut SnapshotRecords {
        self.snapshots.last_mut().unwrap_or(&mut self.head)
    }

    fn add(&mut self, record: Record) {
        match record {
            Record::Metadata(key, value) => {
                if key == "heap.snapshot" {
                    self.snapshots.push(SnapshotRecords::default());
                }
                self.snapshot().metadata.push((key, value));
            }
            Record::Declaration(DeclarationRecord::Record { .. }) => {}
            Record::Declaration(DeclarationRecord::Node { id, name, .. }) => {
                self.node_types.insert(id, name);
            }
            Record::Declaration(DeclarationRecord::Edge { id, name, .. }) => {
                self.edge_types.insert(id, name);
            }
            Record::String(string) => {
                self.string_rests.extend(Some(string.rest).filter(|rest| !rest.is_empty()));
                self.strings.insert(string.id, string.data);
            }
            Record::Node(node) => {
                let line = self.node(&node);
                self.snapshot().nodes.push(line);
            }
            Record::Edge(edge) => {
                let line = self.edge(&edge);
                self.snapshot().edges.push(line);
            }
            Record::Extension(extension) => {
                let line = format!("{} {}", extension.kind, extension.body);
                self.snapshot().extensions.push(line);
            }
        }
    }

    /// Extension records of a kind in the only snapshot.
    pub(super) fn extensions_of(&self, kind: &str) -> Vec<&str> {
        let list = self.head.extensions.iter();
        list.filter(|line| line.split(' ').next() == Some(kind)).map(String::as_str).collect()
    }

    fn text(&self, id: Option<StringId>) -> String {
        let text = match id {
            None => return "-".into(),
            // The text of an array index is known without its record.
            Some(id @ ..0) => (-(id + 1)).to_string(),
            Some(id) => self.strings[&id].clone(),
        };
        // One string has 70,000 letters.
        format!("{:?}", text.chars().take(40).collect::<String>())
    }

    fn node(&self, NodeRecord { subtype, id, heap, rest, .. }: &NodeRecord) -> String {
        let kind = &self.node_types[subtype];
        let number = |n: Option<u64>| n.map_or("-".into(), |n| n.to_string());
        let (size, external) = (number(heap.size), number(heap.external));
        let (class, name) = (self.text(heap.class), self.text(heap.name));
        let count = heap.count.map_or(String::new(), |n| format!(" x{n}"));
        format!("{kind} {id} {size} {class} {name} {external} {rest}{count}").trim_end().to_owned()
    }

    fn edge(&self, EdgeRecord { subtype, source, dest, label, rest, .. }: &EdgeRecord) -> String {
        let kind = &self.edge_types[subtype];
        let dest = dest.expect("every reference leads somewhere");
        format!("{kind} {source} {dest} {} {rest}", self.text(*label)).trim_end().to_owned()
    }
}
