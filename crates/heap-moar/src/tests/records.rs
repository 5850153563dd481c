//! A sink that writes records down as text. It looks string ids up when they come: that checks that strings come before
//! what refers to them.

use std::collections::BTreeMap;

use heap_base::{Blob, Result};
use heap_record::wants::Edges;
use heap_record::{
    Declaration, Declared, Edge, EdgeBatch, Ends, Extension, Metadata, Node, NodeBatch, Sink,
    SnapshotSelector, Str, StringId, Value, Wants, index_id,
};

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
#[derive(Clone, Debug)]
pub(super) struct Records {
    wants: Wants,
    /// What came before the first `heap.snapshot`.
    pub(super) head: SnapshotRecords,
    pub(super) snapshots: Vec<SnapshotRecords>,
    pub(super) strings: BTreeMap<StringId, String>,
    pub(super) string_rests: Vec<String>,
    pub(super) node_types: BTreeMap<u32, String>,
    edge_types: BTreeMap<u32, String>,
    /// Edges that came by index.
    pub(super) by_index: usize,
    pub(super) error: Option<String>,
}

/// All records of `bytes`, and the error.
pub(super) fn read(bytes: &[u8], pick: SnapshotSelector) -> Records {
    read_wanting(&super::blob(bytes), pick, Wants::ALL)
}

/// The same for a sink that wants less.
pub(super) fn read_wanting(blob: &Blob, pick: SnapshotSelector, wants: Wants) -> Records {
    let mut records = Records {
        wants,
        head: SnapshotRecords::default(),
        snapshots: Vec::new(),
        strings: BTreeMap::new(),
        string_rests: Vec::new(),
        node_types: BTreeMap::new(),
        edge_types: BTreeMap::new(),
        by_index: 0,
        error: None,
    };
    records.error = crate::read(blob, pick, &mut records).err().map(|e| e.to_string());
    records
}

impl Records {
    fn snapshot(&mut self) -> &mut SnapshotRecords {
        self.snapshots.last_mut().unwrap_or(&mut self.head)
    }

    /// Extension records of a kind in the only snapshot.
    pub(super) fn extensions_of(&self, kind: &str) -> Vec<&str> {
        let list = self.head.extensions.iter();
        list.filter(|line| line.split(' ').next() == Some(kind)).map(String::as_str).collect()
    }

    fn text(&self, id: Option<StringId>) -> String {
        let Some(id) = id else { return "-".into() };
        // The text of an array index is known without its record.
        if id < 0 && self.wants.edges == Edges::ByIndex {
            return format!("{:?}", (-(id + 1)).to_string());
        }
        // One string has 70,000 letters.
        let text: String = self.strings.get(&id).expect("strings come first").chars().take(40).collect();
        format!("{text:?}")
    }

    fn node(&mut self, record: &Node<'_>) {
        let kind = &self.node_types[&record.subtype];
        let heap = &record.heap;
        let number = |n: Option<u64>| n.map_or("-".into(), |n| n.to_string());
        let (class, name) = (self.text(heap.class), self.text(heap.name));
        let (size, external) = (number(heap.size), number(heap.external));
        let count = heap.count.map_or(String::new(), |n| format!(" x{n}"));
        let rest = String::from_utf8_lossy(record.rest);
        let line = format!("{kind} {} {size} {class} {name} {external} {rest}{count}", record.id);
        self.snapshot().nodes.push(line.trim_end().to_owned());
    }

    fn edge(&mut self, ends: Ends, record: &Edge<'_>) {
        let id = |value: Value| if ends == Ends::Indexes { index_id(value as u64) } else { value };
        let kind = &self.edge_types[&record.subtype];
        let label = self.text(record.label);
        let dest = id(record.dest.expect("every reference leads somewhere"));
        let rest = String::from_utf8_lossy(record.rest);
        let line = format!("{kind} {} {dest} {label} {rest}", id(record.source));
        self.snapshot().edges.push(line.trim_end().to_owned());
    }
}

impl Sink for Records {
    fn wants(&self) -> Wants {
        self.wants
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        if record.key == "heap.snapshot" {
            self.snapshots.push(SnapshotRecords::default());
        }
        let pair = (record.key.to_owned(), record.value.to_owned());
        self.snapshot().metadata.push(pair);
        Ok(())
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        match record.what {
            Declared::Record { .. } => {}
            Declared::Node { id, name, .. } => {
                assert_eq!(self.node_types.insert(id, name.to_owned()), None, "declared twice");
            }
            Declared::Edge { id, name, .. } => {
                self.edge_types.insert(id, name.to_owned());
            }
        }
        Ok(())
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        let text = record.data.text().into_owned();
        assert_eq!(self.strings.insert(record.id, text), None, "string {} comes twice", record.id);
        if !record.rest.is_empty() {
            self.string_rests.push(String::from_utf8_lossy(record.rest).into_owned());
        }
        Ok(())
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        batch.iter().for_each(|record| self.node(&record));
        Ok(())
    }

    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        assert!(batch.ends == Ends::Identifiers || self.wants.edges == Edges::ByIndex);
        self.by_index += if batch.ends == Ends::Indexes { batch.len() } else { 0 };
        batch.iter().for_each(|record| self.edge(batch.ends, &record));
        Ok(())
    }

    fn extension(&mut self, record: &Extension<'_>) -> Result {
        let line = format!("{} {}", record.kind, String::from_utf8_lossy(record.body));
        self.snapshot().extensions.push(line);
        Ok(())
    }
}
