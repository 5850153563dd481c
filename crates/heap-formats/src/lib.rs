//! Opens any supported dump or record stream, plain, packed with zstd or gzip, or in an archive, and calls its reader.
//!
//! ```
//! use heap_formats::{Operand, Options, open};
//! use heap_record::{SnapshotSelector, Writer};
//!
//! # let text = "{\"type\":\"node\",\"subtype\":4,\"identifier\":1,\"heap\":{\"size\":16}}\n";
//! # let folder = std::env::temp_dir().join(format!("heap-formats-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! # let path = folder.join("stream");
//! # std::fs::write(&path, text)?;
//! let operand = Operand::new(path.into_os_string());
//! let mut input = open(&operand.source, &Options::default())?;
//! assert_eq!(input.format().name, "records");
//! let mut stream = Writer::new(Vec::new());
//! input.read(SnapshotSelector::Last, "example 1.0", &mut stream)?;
//! assert_eq!(stream.counts().nodes, 1);
//! # std::fs::remove_dir_all(folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The format is detected from the first bytes, never from the name. A record stream is read in order, without a copy. A
//! dump in a regular file is read in place. A dump from a pipe, or a packed one, is gathered first, because readers of
//! dumps read at any offset: in memory up to [`Limits::memory`], beyond that in a spool file without a name in `TMPDIR`.
//!
//! Inputs may be packed twice (a `.zst` of a `.gz`, a `.zip` of one). One that expands beyond [`Limits`] is refused. Of a zip or
//! tar archive the first file that is a dump is read; another one behind it is an error at the end. A dump that is a JSON
//! document may be wrapped: in UTF-16, in strings or messages, among lines of a log.
//!
//! No reader knows of another: [`FORMATS`] lists them all, [`targets::TARGETS`] the formats that can be written. Each is a
//! feature of this crate, called as the format; `export` is the formats of other programs, which are only written. All are
//! on by default. What was left out is still known by sight and by name ([`left_out`]).

mod absent;
mod ahead;
mod destination;
#[cfg(any(feature = "export", feature = "zstd"))]
mod ending;
mod foreign;
mod gather;
#[cfg(feature = "java")]
mod javacore;
mod open;
mod peek;
mod stream;
pub mod targets;
#[cfg(test)]
mod tests;
mod unpack;
mod unwrap;
mod writers;

pub use absent::left_out;
pub use destination::Destination;
#[cfg(feature = "parquet")]
pub use heap_parquet::keys_in;
pub use open::{Input, Operand, Options, Source, open, pick};
pub use unpack::Limits;

use heap_base::{Dump, Result};
use heap_record::{Info, Sink, SnapshotSelector};

/// A format that can be read.
#[derive(Debug)]
pub struct Format {
    /// What `--format` calls it.
    pub name: &'static str,
    /// What it is, for `--help`.
    pub about: &'static str,
    /// Whether an input that begins with these bytes, up to [`HEAD`] of them, has this format.
    pub(crate) sniff: fn(&[u8]) -> bool,
    /// Whether it is one JSON document, which may be wrapped in something else.
    pub(crate) document: bool,
    pub(crate) reader: Reader,
}

/// How a format is read.
#[derive(Debug)]
pub(crate) enum Reader {
    /// In order, by heap-record.
    Stream,
    /// At any offset.
    #[cfg_attr(not(feature = "default"), allow(dead_code, reason = "a build may leave out every dump"))]
    Dump {
        read: fn(&Dump, SnapshotSelector, &ReadOptions, &mut dyn Sink) -> Result,
        info: fn(&Dump, &ReadOptions) -> Result<Info>,
        /// Whether its records are a stored stream, with the stream's own `version_major` and `generator`.
        stored: bool,
    },
}

/// What a user says of how a dump is to be read. Formats that it does not concern pass over it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    #[cfg(feature = "java")]
    java: heap_java::Options,
    #[cfg(feature = "pprof")]
    profile: heap_pprof::Options,
}

impl ReadOptions {
    /// Sets what is known of the layout of Java's objects: `reference=8,header=12,align=16,fields=packed`, in any order. False
    /// if the text says anything else.
    pub fn java_layout(&mut self, text: &str) -> bool {
        #[cfg(feature = "java")]
        return heap_java::Overrides::parse(text).map(|layout| self.java.layout = layout).is_some();
        #[cfg(not(feature = "java"))]
        text.contains('=')
    }

    /// Sets which references of Java keep their targets alive: `all`, `strong` or `hard`. False if the text says anything else.
    pub fn java_refs(&mut self, text: &str) -> bool {
        #[cfg(feature = "java")]
        return heap_java::Refs::from_name(text).map(|refs| self.java.refs = refs).is_some();
        #[cfg(not(feature = "java"))]
        ["all", "strong", "hard"].contains(&text)
    }

    /// Makes primitive fields of Java's objects edges to their values.
    pub fn java_values(&mut self) {
        #[cfg(feature = "java")]
        {
            self.java.values = true;
        }
    }

    /// Makes primitive fields of Java's objects fields of their nodes, in the namespace `field`.
    pub fn java_fields(&mut self) {
        #[cfg(feature = "java")]
        {
            self.java.fields = true;
        }
    }

    /// Sets which value of a profile becomes the size: `alloc_space`.
    pub fn profile_value(&mut self, value: String) {
        #[cfg(feature = "pprof")]
        {
            self.profile.value = Some(value);
        }
        #[cfg(not(feature = "pprof"))]
        drop(value);
    }
}

/// How many bytes detection looks at.
pub const HEAD: usize = 64 << 10;

/// A row of [`FORMATS`] for a reader crate.
#[allow(unused_macros, reason = "a build may leave out every format that it is for")]
macro_rules! dump {
    ($name:literal, $about:literal, $reader:ident) => {
        dump!($name, $about, $reader, false)
    };
    ($name:literal, $about:literal, $reader:ident, $document:literal) => {
        Format {
            name: $name,
            about: $about,
            sniff: $reader::sniff,
            document: $document,
            reader: Reader::Dump {
                read: |dump, snapshot, _, sink| $reader::read(dump, snapshot, sink),
                info: |dump, _| $reader::info(dump),
                stored: false,
            },
        }
    };
}

/// Every format that can be read, in the order of detection: fixed magic bytes before text.
pub static FORMATS: &[Format] = &[
    #[cfg(feature = "sqlite")]
    Format {
        name: "sqlite",
        about: "an SQLite file with the tables of the portable format",
        sniff: heap_sqlite::sniff,
        document: false,
        reader: Reader::Dump {
            read: |dump, snapshot, _, sink| heap_sqlite::read(dump, snapshot, sink),
            info: |dump, _| heap_sqlite::info(dump),
            stored: true,
        },
    },
    #[cfg(feature = "parquet")]
    Format {
        name: "parquet",
        about: "a partition of a data set that heap-to parquet wrote",
        sniff: heap_parquet::sniff,
        document: false,
        reader: Reader::Dump {
            read: |dump, snapshot, _, sink| heap_parquet::read(dump, snapshot, sink),
            info: |dump, _| heap_parquet::info(dump),
            stored: true,
        },
    },
    #[cfg(feature = "mdb")]
    dump!("mdb", "the text of mdb_v8's prototype (MDBV8HEAP 1.0)", heap_mdb),
    #[cfg(feature = "core")]
    dump!("core", "a core dump of Node.js (ELF, Linux, 64 bits)", heap_core),
    #[cfg(feature = "moarvm")]
    dump!("moarvm", "a MoarVM heap snapshot (.mvmheap)", heap_moar),
    #[cfg(feature = "dart")]
    dump!("dart", "a Dart heap snapshot", heap_dart),
    #[cfg(feature = "pprof")]
    Format {
        name: "pprof",
        about: "a heap profile: pprof's (.pb.gz), or the text of jemalloc, gperftools, Go",
        sniff: heap_pprof::sniff,
        document: false,
        reader: Reader::Dump {
            read: |dump, snapshot, options, sink| {
                heap_pprof::read_with(dump, snapshot, &options.profile, sink)
            },
            info: |dump, options| heap_pprof::info_with(dump, &options.profile),
            stored: false,
        },
    },
    #[cfg(feature = "java")]
    Format {
        name: "java",
        about: "a Java heap dump: HPROF (.hprof), IBM's portable (.phd) or classic text",
        sniff: heap_java::sniff,
        document: false,
        reader: Reader::Dump {
            read: |dump, snapshot, options, sink| heap_java::read(dump, snapshot, options.java, sink),
            info: |dump, _| heap_java::info(dump),
            stored: false,
        },
    },
    #[cfg(feature = "webkit")]
    dump!(
        "webkit",
        "a heap snapshot of WebKit's JavaScriptCore: Safari, WebKitGTK, Bun (.json)",
        heap_webkit,
        true
    ),
    #[cfg(feature = "ruby")]
    dump!("ruby", "a Ruby heap dump (ObjectSpace.dump_all)", heap_ruby),
    Format {
        name: "records",
        about: "the record stream of heap-records(5)",
        sniff: heap_record::read::sniff,
        document: false,
        reader: Reader::Stream,
    },
    #[cfg(feature = "v8")]
    dump!("v8", "a V8 heap snapshot (.heapsnapshot, .heaptimeline)", heap_v8, true),
    #[cfg(feature = "memory-infra")]
    dump!(
        "memory-infra",
        "a profile of allocations: memory-infra dumps of a Chromium trace (.json), V8's .heapprofile",
        heap_infra,
        true
    ),
];

/// The format that `--format` calls `name`.
pub fn format(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|f| f.name == name)
}

/// The format of an input that begins with `head`.
pub fn detect(head: &[u8]) -> Option<&'static Format> {
    let found = FORMATS.iter().find(|f| (f.sniff)(head));
    found.filter(|f| !matches!(f.reader, Reader::Stream) || foreign::begins_with_record(head))
}

/// The format of a JSON document that begins with `head`.
pub(crate) fn document(head: &[u8]) -> Option<&'static Format> {
    FORMATS.iter().find(|f| f.document && (f.sniff)(head))
}

/// The tags that the folders of a data set's partition say: `KEY=VALUE`. A program without data sets knows of none.
#[cfg(not(feature = "parquet"))]
pub fn keys_in(_: &std::path::Path) -> Vec<(String, String)> {
    Vec::new()
}
