//! Opens any supported dump or record stream, plain, zstd or gzip, and hands it to its reader.
//!
//! What a file is, its first bytes tell, never its name. A record stream is read in order, without a copy. A
//! dump in a regular file is read in place. A dump that comes through a pipe or is packed is gathered first,
//! because every dump format needs to be read at more than one place: in memory up to
//! [`Limits::memory`], beyond that in a spool file in `TMPDIR` that has no name.
//!
//! Packed inputs may be packed twice (a `.zst` of a `.gz`). One that expands out of all proportion is refused,
//! see [`Limits`].
//!
//! No reader knows of another; [`FORMATS`] is the one list of them, [`targets::TARGETS`] that of the writers.

mod ahead;
mod destination;
mod gather;
mod open;
mod peek;
mod stream;
pub mod targets;
#[cfg(test)]
mod tests;
mod unpack;

pub use destination::Destination;
pub use open::{Input, Operand, Options, Source, open, pick};
pub use unpack::Limits;

use heap_base::{Blob, Result};
use heap_record::{Info, Sink, SnapshotSelector};

/// A format that can be read.
#[derive(Debug)]
pub struct Format {
    /// What `--format` calls it.
    pub name: &'static str,
    /// What it is, for `--help`.
    pub about: &'static str,
    /// Whether an input that begins with these bytes is one; up to [`HEAD`] bytes are shown.
    pub(crate) sniff: fn(&[u8]) -> bool,
    pub(crate) reader: Reader,
}

/// How a format is read.
#[derive(Debug)]
pub(crate) enum Reader {
    /// In order, by heap-record.
    Stream,
    /// At any offset.
    Dump {
        read: fn(&Blob, SnapshotSelector, &mut dyn Sink) -> Result,
        info: fn(&Blob) -> Result<Info>,
        /// Whether its records are a stored stream: with the `version_major` and `generator` that this had.
        stored: bool,
    },
}

/// How many bytes detection looks at.
pub const HEAD: usize = 64 << 10;

/// A row of [`FORMATS`] for a reader crate.
macro_rules! dump {
    ($name:literal, $about:literal, $reader:ident) => {
        Format {
            name: $name,
            about: $about,
            sniff: $reader::sniff,
            reader: Reader::Dump { read: $reader::read, info: $reader::info, stored: false },
        }
    };
}

/// Every format, in the order in which they are tried: fixed magic bytes before text.
pub static FORMATS: &[Format] = &[
    Format {
        name: "sqlite",
        about: "an SQLite file with the tables of the portable format",
        sniff: heap_sqlite::sniff,
        reader: Reader::Dump { read: heap_sqlite::read, info: heap_sqlite::info, stored: true },
    },
    dump!("mdb", "the text of mdb_v8's prototype (MDBV8HEAP 1.0)", heap_mdb),
    dump!("moarvm", "a MoarVM heap snapshot (.mvmheap)", heap_moar),
    dump!("dart", "a Dart heap snapshot", heap_dart),
    Format {
        name: "records",
        about: "the record stream of heap-records(5)",
        sniff: heap_record::read::sniff,
        reader: Reader::Stream,
    },
    dump!("v8", "a V8 heap snapshot (.heapsnapshot, .heaptimeline)", heap_v8),
    dump!(
        "memory-infra",
        "a Chromium trace with memory-infra dumps, or a sampling profile (.json, .heapprofile)",
        heap_infra
    ),
];

/// The format that `--format` calls `name`.
pub fn format(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|f| f.name == name)
}

/// The format of an input that begins with `head`.
pub fn detect(head: &[u8]) -> Option<&'static Format> {
    FORMATS.iter().find(|f| (f.sniff)(head))
}
