//! The formats that can be written: names, options, where they can go. No writer is linked for the sake of this list.

use std::ffi::OsStr;

use heap_base::Cutoff;
use heap_record::Tag;

use crate::absent;

/// A format that can be written: one line of [`TARGETS`].
#[derive(Debug)]
pub struct Format {
    /// What the command line calls it.
    pub name: &'static str,
    /// What it is, for `--help`.
    pub about: &'static str,
    /// Options that it understands, by their long names.
    pub flags: &'static [&'static str],
    /// True if a terminal cannot show it.
    pub binary: bool,
    /// True if it needs a file that it can read again while it writes; else it is written in order, to anything.
    pub needs_file: bool,
    /// True if it holds any number of inputs, each by itself.
    pub many: bool,
    pub(crate) kind: Kind,
}

impl Format {
    /// True if it is the record stream, whose end mark is missing where the input was cut.
    pub fn is_stream(&self) -> bool {
        matches!(self.name, "ndjson" | "zst")
    }

    /// True if a dump of this very format has to be read with all its snapshots to be written back: those of a profile are
    /// both sides of a difference.
    pub fn joins_snapshots(&self) -> bool {
        self.name == "pprof"
    }
}

/// Which writer makes a format; see [`writers`](crate::writers).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    #[cfg(feature = "v8")]
    V8,
    #[cfg(feature = "memory-infra")]
    MemoryInfra,
    Ndjson,
    #[cfg(feature = "zstd")]
    Zst,
    #[cfg(feature = "sqlite")]
    Sqlite,
    #[cfg(feature = "parquet")]
    Parquet,
    #[cfg(feature = "dart")]
    Dart,
    #[cfg(feature = "moarvm")]
    Moarvm,
    #[cfg(feature = "java")]
    Hprof,
    #[cfg(feature = "export")]
    Folded,
    #[cfg(feature = "export")]
    Pprof,
    #[cfg(feature = "export")]
    Dot,
    #[cfg(feature = "export")]
    Graphml,
    #[cfg(feature = "export")]
    Csv,
}

/// What a target needs beside the records.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// This step in `heap.pipeline`, for targets that keep metadata.
    pub provenance: String,
    /// The target's own options as they were given: long name and value (empty if it takes none).
    pub flags: Vec<(&'static str, String)>,
    /// The parsed value of `cut`.
    pub cut: Option<Cutoff>,
    /// The parsed values of `tag`.
    pub tags: Vec<Tag>,
}

impl Options {
    /// The last value given for an option.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.flags.iter().rev().find(|(n, _)| *n == name).map(|(_, v)| v.as_str())
    }

    /// All values given for an option.
    pub fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.flags.iter().filter(move |(n, _)| *n == name).map(|(_, v)| v.as_str())
    }
}

/// Every format that can be written.
pub static TARGETS: &[Format] = &[
    #[cfg(feature = "v8")]
    Format {
        name: "v8",
        about: "a V8 heap snapshot (.heapsnapshot) for Chrome DevTools and memlab",
        flags: &["layout"],
        binary: false,
        needs_file: false,
        many: false,
        kind: Kind::V8,
    },
    #[cfg(feature = "memory-infra")]
    Format {
        name: "memory-infra",
        about: "a Chromium trace with memory-infra heap dumps (.json)",
        flags: &["v1", "v2", "cut", "self"],
        binary: false,
        needs_file: false,
        many: false,
        kind: Kind::MemoryInfra,
    },
    Format {
        name: "ndjson",
        about: "the record stream of heap-records(5)",
        flags: &[],
        binary: false,
        needs_file: false,
        many: false,
        kind: Kind::Ndjson,
    },
    #[cfg(feature = "zstd")]
    Format {
        name: "zst",
        about: "the same, packed with zstd",
        flags: &[],
        binary: true,
        needs_file: false,
        many: false,
        kind: Kind::Zst,
    },
    #[cfg(feature = "sqlite")]
    Format {
        name: "sqlite",
        about: "an SQLite file with the tables of the portable format",
        flags: &[],
        binary: true,
        needs_file: true,
        many: false,
        kind: Kind::Sqlite,
    },
    #[cfg(feature = "parquet")]
    Format {
        name: "parquet",
        about: "a data set of Parquet files for Spark, DuckDB and the like, a partition for each input",
        flags: &["tag"],
        binary: true,
        needs_file: true,
        many: true,
        kind: Kind::Parquet,
    },
    #[cfg(feature = "dart")]
    Format {
        name: "dart",
        about: "a Dart heap snapshot",
        flags: &[],
        binary: true,
        needs_file: false,
        many: false,
        kind: Kind::Dart,
    },
    #[cfg(feature = "moarvm")]
    Format {
        name: "moarvm",
        about: "a MoarVM heap snapshot",
        flags: &[],
        binary: true,
        needs_file: false,
        many: false,
        kind: Kind::Moarvm,
    },
    #[cfg(feature = "java")]
    Format {
        name: "hprof",
        about: "a Java heap dump (.hprof) for Eclipse MAT and VisualVM",
        flags: &[],
        binary: true,
        needs_file: false,
        many: false,
        kind: Kind::Hprof,
    },
    #[cfg(feature = "export")]
    Format {
        name: "folded",
        about: "the dominator tree or backtraces as folded stacks, for inferno-flamegraph and speedscope",
        flags: &["by", "cut", "depth", "count"],
        binary: false,
        needs_file: false,
        many: false,
        kind: Kind::Folded,
    },
    #[cfg(feature = "export")]
    Format {
        name: "pprof",
        about: "the same as a profile (.pb.gz) for pprof and speedscope",
        flags: &["by", "cut", "depth"],
        binary: true,
        needs_file: false,
        many: false,
        kind: Kind::Pprof,
    },
    #[cfg(feature = "export")]
    Format {
        name: "dot",
        about: "a drawing for Graphviz",
        flags: &[],
        binary: false,
        needs_file: false,
        many: false,
        kind: Kind::Dot,
    },
    #[cfg(feature = "export")]
    Format {
        name: "graphml",
        about: "GraphML for Gephi, yEd and networkx",
        flags: &[],
        binary: false,
        needs_file: false,
        many: false,
        kind: Kind::Graphml,
    },
    #[cfg(feature = "export")]
    Format {
        name: "csv",
        about: "nodes or edges as comma-separated values",
        flags: &["table"],
        binary: false,
        needs_file: false,
        many: false,
        kind: Kind::Csv,
    },
];

/// Targets that the build may leave out, and the feature that has each.
const OPTIONAL: &[(&str, &str)] = &[
    ("v8", "v8"),
    ("memory-infra", "memory-infra"),
    ("zst", "zstd"),
    ("sqlite", "sqlite"),
    ("parquet", "parquet"),
    ("dart", "dart"),
    ("moarvm", "moarvm"),
    ("hprof", "java"),
    ("folded", "export"),
    ("pprof", "export"),
    ("dot", "export"),
    ("graphml", "export"),
    ("csv", "export"),
];

/// The target of this name.
pub fn target(name: &OsStr) -> Option<&'static Format> {
    TARGETS.iter().find(|t| name == t.name)
}

/// The target that a user named.
///
/// # Errors
/// There is none of this name: a message that lists them all.
pub fn named(name: Option<&OsStr>) -> Result<&'static Format, String> {
    let names = || TARGETS.iter().map(|t| t.name).collect::<Vec<_>>().join(", ");
    let Some(name) = name else { return Err(format!("no TARGET: one of {}", names())) };
    target(name).ok_or_else(|| match OPTIONAL.iter().find(|(target, _)| name == *target) {
        Some((target, feature)) if target == feature => absent::without(feature),
        Some((_, feature)) => format!("{} ({feature})", absent::without(&name.to_string_lossy())),
        None => format!("unknown target '{}': expected one of {}", name.to_string_lossy(), names()),
    })
}

impl Format {
    /// Checks that it understands all of these options.
    ///
    /// # Errors
    /// A message that names one that it does not understand.
    pub fn takes(&self, options: &Options) -> Result<(), String> {
        match options.flags.iter().find(|(flag, _)| !self.flags.contains(flag)) {
            Some((flag, _)) => Err(format!("--{flag} is no option for {}", self.name)),
            None => Ok(()),
        }
    }

    /// Checks that it can be written to a file, or to standard output if `file` is false.
    ///
    /// # Errors
    /// A message that says why not.
    pub fn goes_to(&self, file: bool, terminal: bool) -> Result<(), String> {
        match file {
            false if self.needs_file => Err(format!("{} needs -o FILE", self.name)),
            false if terminal && self.binary => {
                Err(format!("{} is nothing for a terminal: -o FILE", self.name))
            }
            _ => Ok(()),
        }
    }
}
