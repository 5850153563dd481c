//! Java heap dumps: HPROF, IBM portable heap dumps (PHD) and classic text.

mod addresses;
mod emit;
mod flat;
mod hprof;
mod layout;
mod strings;
#[cfg(test)]
mod tests;
mod text;
mod window;

use heap_base::{Blob, Result};
use heap_record::{Info, Sink, SnapshotSelector};

use flat::Format;

pub use layout::{Fields, Layout, Overrides};

/// Which references keep their targets alive, beside ordinary ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Refs {
    /// All, as in Eclipse MAT's dominator tree.
    #[default]
    All,
    /// Soft and final ones, but neither weak nor phantom ones.
    Strong,
    /// None.
    Hard,
}

impl Refs {
    /// The word of the command line and of metadata.
    pub const fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Strong => "strong",
            Self::Hard => "hard",
        }
    }

    /// The rule with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::All, Self::Strong, Self::Hard].into_iter().find(|refs| refs.name() == name)
    }
}

/// How a user wants a Java heap read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// What is known of the layout of objects.
    pub layout: Overrides,
    /// Which references keep their targets alive.
    pub refs: Refs,
}

/// True if an input that begins with `head` is a Java heap dump.
pub fn sniff(head: &[u8]) -> bool {
    hprof::sniff(head) || Format::sniff(head).is_some()
}

/// Reads a dump and drives `sink` with it.
///
/// # Errors
/// Damage, with its place, after all that is intact before it was delivered; failures of reading and of the sink.
pub fn read(blob: &Blob, snapshot: SnapshotSelector, options: Options, sink: &mut dyn Sink) -> Result {
    match flat_format(blob)? {
        Some(format) => flat::read(format, blob, snapshot, options, sink),
        None => hprof::read(blob, snapshot, options, sink),
    }
}

/// What the heads of a dump say.
///
/// # Errors
/// Damage in the head; failures of reading.
pub fn info(blob: &Blob) -> Result<Info> {
    match flat_format(blob)? {
        Some(format) => flat::info(format, blob),
        None => hprof::info(blob),
    }
}

/// Which of IBM's formats a dump has, if it has one of them.
fn flat_format(blob: &Blob) -> Result<Option<Format>> {
    let mut head = vec![0; 4096];
    let len = blob.read_at(&mut head, 0)?;
    Ok(Format::sniff(&head[..len]))
}
