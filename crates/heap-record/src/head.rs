//! The head of a stream: what a source says of itself before its records.

use heap_base::Result;

use crate::info::{Fact, Info};
use crate::model::{Metadata, Value, index_id};
use crate::references::BY_EDGES;
use crate::sink::Sink;

/// The key that names a [`IdRule`].
const IDENTIFIER: &str = "heap.identifier";

/// How a source's own numbers become identifiers: the stream's `heap.identifier`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IdRule {
    /// Odd ids stand for themselves, an even one e for −(e+1).
    V8,
    /// i stands for 2·i+1.
    #[default]
    Index,
    /// An address stands for itself with the lowest bit set.
    Address,
}

impl IdRule {
    /// The rule that a metadata record names: of one that is not known, the usual one. `None` for other records.
    pub fn of(record: &Metadata<'_>) -> Option<Self> {
        (record.key == IDENTIFIER).then(|| Self::named(record.value).unwrap_or_default())
    }

    /// The rule of this name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::V8, Self::Index, Self::Address].into_iter().find(|rule| rule.name() == name)
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::V8 => "v8",
            Self::Index => "index",
            Self::Address => "address",
        }
    }

    /// The identifier of the source's number.
    pub const fn identifier(self, number: i64) -> Value {
        match self {
            Self::V8 if number & 1 == 0 => -number.wrapping_add(1),
            Self::V8 => number,
            Self::Address => number | 1,
            Self::Index => index_id(number as u64),
        }
    }

    /// The source's number of an identifier: the N of `@N`.
    pub const fn number(self, id: Value) -> i64 {
        match self {
            Self::V8 if id < 0 => id.wrapping_neg() - 1,
            Self::V8 | Self::Address => id,
            Self::Index => id >> 1,
        }
    }
}

/// Delivers one metadata record.
///
/// # Errors
/// Those of the sink.
pub fn metadata(sink: &mut dyn Sink, key: &str, value: &str) -> Result {
    sink.metadata(&Metadata { key, value, ..Metadata::default() })
}

/// Begins a stream: the format of the `source`, the rule of its identifiers, that strings come before nodes and nodes before
/// edges, and that edges say all that its fields refer to.
///
/// # Errors
/// Those of the sink.
pub fn begin(sink: &mut dyn Sink, source: &str, rule: IdRule) -> Result {
    metadata(sink, "target_source", source)?;
    metadata(sink, IDENTIFIER, rule.name())?;
    metadata(sink, "heap.order", "strings nodes edges")?;
    metadata(sink, BY_EDGES.0, BY_EDGES.1)
}

impl Info {
    /// Takes a metadata record of a file that holds a stream, as far as heap-info shows it: of several streams the version
    /// and the producer of the first.
    pub fn metadata(&mut self, key: &str, value: &str) {
        let text = || value.to_owned();
        let fact = match key {
            "version_major" => {
                self.version.get_or_insert_with(text);
                return;
            }
            "generator" => {
                self.producer.get_or_insert_with(text);
                return;
            }
            "heap.snapshot" => return self.snapshots.push(vec![("snapshot", Fact::Text(text()))]),
            "target_source" => "source",
            IDENTIFIER => "identifier",
            "heap.order" => "order",
            "heap.pipeline" => "pipeline",
            _ => return,
        };
        self.facts.push((fact, Fact::Text(text())));
    }
}
