//! The formats that can be written.

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;

use heap_base::{Cutoff, Error, Result};
use heap_record::write::Form;
use heap_record::{Declaration, Edge, Extension, Line, Metadata, Node, Sink, Str, Target, Writer};

/// A format that can be written: one line of [`TARGETS`].
#[derive(Debug)]
pub struct Format {
    /// What the command line calls it.
    pub name: &'static str,
    /// What it is, for `--help`.
    pub about: &'static str,
    /// Options that it understands, by their long names.
    pub flags: &'static [&'static str],
    /// True if its bytes are nothing for a terminal.
    pub binary: bool,
    /// How it is written.
    pub(crate) make: Make,
}

/// How a format is written.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Make {
    /// In order, to anything. The output needs no buffer of its own: sinks write large pieces.
    Stream(for<'a> fn(Output<'a>, &Options) -> Made<'a>),
    /// To a file that it must be able to read again. It takes its name when it is finished.
    File(fn(&Path, &Options) -> Made<'static>),
}

/// What a target writes to.
pub(crate) type Output<'a> = Box<dyn Write + 'a>;

/// A target, or what is wrong with its options or its file.
pub(crate) type Made<'a> = Result<Box<dyn Target + 'a>>;

/// What a target is told beside the records.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What `heap.pipeline` says of this step, for targets that keep metadata.
    pub provenance: String,
    /// The target's own options as they were given: long name and value (empty if it takes none).
    pub flags: Vec<(&'static str, String)>,
    /// The value of `cut`, read.
    pub cut: Option<Cutoff>,
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
    Format {
        name: "v8",
        about: "a V8 heap snapshot (.heapsnapshot) for Chrome DevTools and memlab",
        flags: &["layout"],
        binary: false,
        make: Make::Stream(v8),
    },
    Format {
        name: "memory-infra",
        about: "a Chromium trace with memory-infra heap dumps (.json)",
        flags: &["v1", "v2", "cut", "self"],
        binary: false,
        make: Make::Stream(memory_infra),
    },
    Format {
        name: "ndjson",
        about: "the record stream of heap-records(5)",
        flags: &[],
        binary: false,
        make: Make::Stream(ndjson),
    },
    Format {
        name: "zst",
        about: "the same, packed with zstd",
        flags: &[],
        binary: true,
        make: Make::Stream(zst),
    },
    Format {
        name: "sqlite",
        about: "an SQLite file with the tables of the portable format",
        flags: &[],
        binary: true,
        make: Make::File(sqlite),
    },
    Format {
        name: "dart",
        about: "a Dart heap snapshot",
        flags: &[],
        binary: true,
        make: Make::Stream(dart),
    },
    Format {
        name: "moarvm",
        about: "a MoarVM heap snapshot",
        flags: &[],
        binary: true,
        make: Make::Stream(moarvm),
    },
];

/// The target of this name.
pub fn target(name: &OsStr) -> Option<&'static Format> {
    TARGETS.iter().find(|t| name == t.name)
}

/// The target that a user has named; an error lists them all.
pub fn named(name: Option<&OsStr>) -> Result<&'static Format, String> {
    let names = || TARGETS.iter().map(|t| t.name).collect::<Vec<_>>().join(", ");
    let Some(name) = name else { return Err(format!("no TARGET: one of {}", names())) };
    target(name)
        .ok_or_else(|| format!("unknown target '{}': expected one of {}", name.to_string_lossy(), names()))
}

impl Format {
    /// Whether it understands all of these options; an error names one that it does not.
    pub fn takes(&self, options: &Options) -> Result<(), String> {
        match options.flags.iter().find(|(flag, _)| !self.flags.contains(flag)) {
            Some((flag, _)) => Err(format!("--{flag} is no option for {}", self.name)),
            None => Ok(()),
        }
    }

    /// Whether it can be written to a file, or to standard output if `file` is false; an error says why not.
    pub fn goes_to(&self, file: bool, terminal: bool) -> Result<(), String> {
        match self.make {
            Make::File(_) if !file => Err(format!("{} needs -o FILE", self.name)),
            Make::Stream(_) if !file && terminal && self.binary => {
                Err(format!("{} is nothing for a terminal: -o FILE", self.name))
            }
            _ => Ok(()),
        }
    }
}

fn v8<'a>(out: Output<'a>, options: &Options) -> Made<'a> {
    let layout = match options.get("layout") {
        None | Some("original") => heap_v8::writer::Layout::Original,
        Some("newest") => heap_v8::writer::Layout::Newest,
        Some(other) => return Err(Error::refused(format!("no layout {other}: original or newest"))),
    };
    Ok(Box::new(heap_v8::writer::writer(out, layout)))
}

fn memory_infra<'a>(out: Output<'a>, options: &Options) -> Made<'a> {
    let v1 = options.get("v1").is_some();
    if v1 && options.get("v2").is_some() {
        return Err(Error::refused("--v1 or --v2, not both"));
    }
    if !v1 && (options.get("cut").is_some() || options.get("self").is_some()) {
        return Err(Error::refused("--cut and --self need --v1: version 2 leaves nothing out"));
    }
    let config = heap_infra::writer::Config {
        v1,
        cut: options.cut.unwrap_or_default(),
        selves: options.get("self").is_some(),
    };
    Ok(Box::new(heap_infra::writer::writer(out, config)))
}

fn stream<'a, W: Write + 'a>(out: W, options: &Options) -> Writer<W> {
    Writer::new(out).form(Form::Canonical).provenance(options.provenance.as_str(), false)
}

#[expect(clippy::unnecessary_wraps, reason = "one signature for all")]
fn ndjson<'a>(out: Output<'a>, options: &Options) -> Made<'a> {
    Ok(Box::new(stream(out, options)))
}

/// A stream through a compressor, which has an end of its own.
struct Packed<W: Write> {
    writer: Writer<zstd::Encoder<'static, W>>,
}

impl<W: Write> Sink for Packed<W> {
    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        self.writer.metadata(record)
    }
    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.writer.declare(record)
    }
    fn declare_line(&mut self, record: &Declaration<'_>, line: Line<'_>) -> Result {
        self.writer.declare(record)
    }
    fn string(&mut self, record: &Str<'_>) -> Result {
        self.writer.string(record)
    }
    fn node(&mut self, record: &Node<'_>) -> Result {
        self.writer.node(record)
    }
    fn edge(&mut self, record: &Edge<'_>) -> Result {
        self.writer.edge(record)
    }
    fn extension(&mut self, record: &Extension<'_>) -> Result {
        self.writer.extension(record)
    }
    fn flush(&mut self) -> Result {
        self.writer.flush()
    }
    fn finish(&mut self, intact: bool) -> Result {
        self.writer.finish(intact)?;
        self.writer.get_mut().do_finish().map_err(Error::write)?;
        self.writer.get_mut().get_mut().flush().map_err(Error::write)
    }
}

impl<W: Write> Target for Packed<W> {}

fn zst<'a>(out: Output<'a>, options: &Options) -> Made<'a> {
    let mut encoder = zstd::Encoder::new(out, 3).map_err(Error::write)?;
    encoder.include_checksum(true).map_err(Error::write)?;
    Ok(Box::new(Packed { writer: stream(encoder, options) }))
}

fn sqlite(path: &Path, _: &Options) -> Made<'static> {
    Ok(Box::new(heap_sqlite::writer(path, heap_sqlite::Replace::Ours)?))
}

#[expect(clippy::unnecessary_wraps, reason = "one signature for all")]
fn moarvm<'a>(out: Output<'a>, _: &Options) -> Made<'a> {
    Ok(Box::new(heap_moar::writer::writer(out)))
}

#[expect(clippy::unnecessary_wraps, reason = "one signature for all")]
fn dart<'a>(out: Output<'a>, _: &Options) -> Made<'a> {
    Ok(Box::new(heap_dart::writer::writer(out)))
}
