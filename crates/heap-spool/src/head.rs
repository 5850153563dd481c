//! Metadata, as far as a format that holds one heap needs them.

use heap_base::{Error, Map, Result};
use heap_record::{LeftOut, Metadata, Value};

use crate::lost::keeps_metadata;

/// Metadata of the one stream and snapshot that a format can hold.
#[derive(Debug)]
pub struct Head {
    /// The format with its article, for messages, and the namespace of its metadata.
    name: &'static str,
    own: &'static str,
    fields: Map<String, String>,
    roots: Vec<Value>,
    streams: u32,
    snapshots: u32,
}

/// What is written depends on this metadata record, and something has been written.
pub fn too_late(record: &Metadata<'_>) -> Error {
    Error::at_line(
        record.line.number,
        format!("{} comes after the first record that it is about", record.key),
    )
}

impl Head {
    /// Of a format called `name`, such as `a Dart snapshot`, whose own metadata begin with `own` and a dot.
    pub fn new(name: &'static str, own: &'static str) -> Self {
        Self { name, own, fields: Map::default(), roots: Vec::new(), streams: 0, snapshots: 0 }
    }

    /// Takes a metadata record; `begun` says whether nodes have come. Those of other sources are counted in `left_out`.
    ///
    /// # Errors
    /// A second stream behind nodes, a second snapshot, or what comes too late.
    pub fn take(&mut self, record: &Metadata<'_>, begun: bool, left_out: &mut LeftOut) -> Result {
        let name = self.name;
        match record.key {
            "version_major" => {
                self.streams += 1;
                if self.streams > 1 && begun {
                    return Err(Error::refused(format!("{name} holds one heap; these are several")));
                }
            }
            "heap.snapshot" => {
                self.snapshots += 1;
                if self.snapshots > 1 {
                    return Err(Error::refused(format!("{name} holds one heap; choose with --snapshot")));
                }
            }
            key if begun && (matches!(key, "target_source" | "heap.identifier") || self.is_own(key)) => {
                return Err(too_late(record));
            }
            "heap.root" => self.roots.extend(record.value.parse::<Value>()),
            key => {
                if keeps_metadata(key, self.own, left_out) {
                    self.fields.insert(key.to_owned(), record.value.to_owned());
                }
            }
        }
        Ok(())
    }

    /// Whether a key is in the format's own namespace.
    fn is_own(&self, key: &str) -> bool {
        key.strip_prefix(self.own).is_some_and(|rest| rest.starts_with('.'))
    }

    /// The value of a key, if it has come.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.fields.get(key).map(String::as_str)
    }

    /// Identifiers of the roots that the metadata name.
    pub fn roots(&self) -> &[Value] {
        &self.roots
    }
}
