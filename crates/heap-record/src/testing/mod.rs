//! For tests and benches: owned records, a sink that remembers them, generated ones, and a clock. Feature `testing`.
//!
//! ```
//! use heap_record::testing::Recorder;
//! use heap_record::{SnapshotSelector, read};
//!
//! let text = "{\"type\":\"node\",\"subtype\":4,\"identifier\":1,\"heap\":{\"size\":16}}\n";
//! let recorder = Recorder::record(|sink| read::read(text.as_bytes(), SnapshotSelector::All, sink));
//! assert_eq!(recorder.error, None);
//! assert_eq!(recorder.all_nodes()[0].heap.size, Some(16));
//! ```

pub mod generate;
mod measure;
mod record;
mod recorder;

pub use measure::measure;
pub use record::{DeclarationRecord, EdgeRecord, ExtensionRecord, NodeRecord, Record, StringRecord};
pub use recorder::{Batch, Recorder};

/// A stream with something of everything, in canonical form.
pub const EVERYTHING: &str = include_str!("everything.ndjson");
