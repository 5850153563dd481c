//! A sink that writes down what it hears, with string ids looked up when they come: that checks that strings come
//! before what refers to them.

use std::collections::BTreeMap;

use heap_base::{Blob, Result};
use heap_record::{
    Declaration, Declared, Edge, Extension, Metadata, Node, Sink, SnapshotSelector, Str, StringId, Wants,
};

/// What was heard of one snapshot.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Heard {
    pub(super) metadata: Vec<(String, String)>,
    /// Subtype, identifier, size, class, name, external, the rest.
    pub(super) nodes: Vec<String>,
    /// Subtype, source, destination, label, the rest.
    pub(super) edges: Vec<String>,
    pub(super) others: Vec<String>,
}

/// Everything that was heard.
#[derive(Clone, Debug, Default)]
pub(super) struct Ear {
    /// What came before the first `heap.snapshot`.
    pub(super) head: Heard,
    pub(super) snapshots: Vec<Heard>,
    pub(super) strings: BTreeMap<StringId, String>,
    pub(super) string_rests: Vec<String>,
    pub(super) node_types: BTreeMap<u32, String>,
    edge_types: BTreeMap<u32, String>,
    pub(super) error: Option<String>,
    wants: Option<Wants>,
    folds: bool,
}

/// Reads `bytes` and returns what was heard, the error included.
pub(super) fn hear(bytes: &[u8], pick: SnapshotSelector) -> Ear {
    hear_only(&super::blob(bytes), pick, Wants::ALL, false)
}

pub(super) fn hear_only(blob: &Blob, pick: SnapshotSelector, wants: Wants, folds: bool) -> Ear {
    let mut ear = Ear { wants: Some(wants), folds, ..Ear::default() };
    ear.error = crate::read(blob, pick, &mut ear).err().map(|e| e.to_string());
    ear
}

impl Ear {
    fn heard(&mut self) -> &mut Heard {
        self.snapshots.last_mut().unwrap_or(&mut self.head)
    }

    /// Extension records of a kind in the only snapshot.
    pub(super) fn others_of(&self, kind: &str) -> Vec<&str> {
        self.head.others.iter().filter(|o| o.split(' ').next() == Some(kind)).map(String::as_str).collect()
    }

    fn text(&self, id: Option<StringId>) -> String {
        let Some(id) = id else { return "-".into() };
        // One string has 70,000 letters.
        let text: String = self.strings.get(&id).expect("strings come first").chars().take(40).collect();
        format!("{text:?}")
    }
}

impl Sink for Ear {
    fn wants(&self) -> Wants {
        self.wants.unwrap_or(Wants::ALL)
    }

    fn folds(&self) -> heap_record::Folds {
        if self.folds { heap_record::Folds::Names } else { heap_record::Folds::No }
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        if record.key == "heap.snapshot" {
            self.snapshots.push(Heard::default());
        }
        let pair = (record.key.to_owned(), record.value.to_owned());
        self.heard().metadata.push(pair);
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

    fn node(&mut self, record: &Node<'_>) -> Result {
        let kind = &self.node_types[&record.subtype];
        let heap = &record.heap;
        let number = |n: Option<u64>| n.map_or("-".into(), |n| n.to_string());
        let (class, name) = (self.text(heap.class), self.text(heap.name));
        let (size, external) = (number(heap.size), number(heap.external));
        let count = heap.count.map_or(String::new(), |n| format!(" x{n}"));
        let rest = String::from_utf8_lossy(record.rest);
        let line = format!("{kind} {} {size} {class} {name} {external} {rest}{count}", record.id);
        self.heard().nodes.push(line.trim_end().to_owned());
        Ok(())
    }

    fn edge(&mut self, record: &Edge<'_>) -> Result {
        let kind = &self.edge_types[&record.subtype];
        let label = self.text(record.label);
        let dest = record.dest.expect("every reference leads somewhere");
        let rest = String::from_utf8_lossy(record.rest);
        let line = format!("{kind} {} {dest} {label} {rest}", record.source);
        self.heard().edges.push(line.trim_end().to_owned());
        Ok(())
    }

    fn extension(&mut self, record: &Extension<'_>) -> Result {
        let line = format!("{} {}", record.kind, String::from_utf8_lossy(record.body));
        self.heard().others.push(line);
        Ok(())
    }
}
