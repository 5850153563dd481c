//! The formats that can be written, and the file that one is written to.

use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use heap_record::write::Form;
use heap_record::{
    Cut, Declaration, Edge, Error, Line, Metadata, Node, Other, Result, Sink, Str, Target, Writer,
};
use tempfile::NamedTempFile;

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
    pub make: Make,
}

/// How a format is written.
#[derive(Clone, Copy, Debug)]
pub enum Make {
    /// In order, to anything. The output needs no buffer of its own: sinks write large pieces.
    Stream(for<'a> fn(Output<'a>, &Options) -> Made<'a>),
    /// To a file that it must be able to read again. It takes its name when it is finished.
    File(fn(&Path, &Options) -> Made<'static>),
}

/// What a target writes to.
pub type Output<'a> = Box<dyn Write + 'a>;

/// A target, or what is wrong with its options or its file.
pub type Made<'a> = Result<Box<dyn Target + 'a>>;

/// What a target is told beside the records.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What `heap.pipeline` says of this step, for targets that keep metadata.
    pub provenance: String,
    /// The target's own options as they were given: long name and value (empty if it takes none).
    pub flags: Vec<(&'static str, String)>,
    /// The value of `cut`, read.
    pub cut: Option<Cut>,
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

/// A file under a temporary name beside its own, which [`persist`](Self::persist) gives it.
#[derive(Debug)]
pub struct Pending {
    path: PathBuf,
    file: Place,
}

#[derive(Debug)]
enum Place {
    Temporary(NamedTempFile),
    /// A device or a pipe, which cannot be replaced.
    Direct(File),
}

impl Pending {
    /// Begins a file that is to be called `path`. What is there now stays until it is finished.
    pub fn create(path: &Path) -> Result<Self> {
        // What a symbolic link names is replaced, not the link.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let meta = path.metadata().ok();
        if meta.as_ref().is_some_and(|m| !m.is_file()) {
            let file = OpenOptions::new().write(true).open(&path).map_err(Error::write)?;
            return Ok(Self { path, file: Place::Direct(file) });
        }
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let Some(name) = path.file_name() else { return Err(Error::refused("the output needs a file name")) };
        let mut prefix = OsString::from(".");
        prefix.push(name);
        prefix.push(".");
        let file = tempfile::Builder::new()
            .prefix(&prefix)
            // Less the umask, as with any tool's output; what is replaced keeps its own.
            .permissions(meta.map_or_else(|| Permissions::from_mode(0o666), |m| m.permissions()))
            .tempfile_in(folder)
            .map_err(Error::write)?;
        Ok(Self { path, file: Place::Temporary(file) })
    }

    /// Where to write to.
    pub fn file(&mut self) -> &mut File {
        match &mut self.file {
            Place::Temporary(file) => file.as_file_mut(),
            Place::Direct(file) => file,
        }
    }

    /// True if nothing was written to the file.
    pub fn is_empty(&mut self) -> Result<bool> {
        let meta = self.file().metadata().map_err(Error::write)?;
        Ok(meta.is_file() && meta.len() == 0)
    }

    /// Gives the file its name. Without this nothing is left behind.
    pub fn persist(self) -> Result {
        match self.file {
            Place::Temporary(file) => file.persist(&self.path).map(drop).map_err(|e| Error::write(e.error)),
            Place::Direct(_) => Ok(()),
        }
    }
}

/// Any sink as a target that holds everything.
struct Whole<S>(S);

/// Hands all records on to a field.
macro_rules! pass_on {
    ($field:tt) => {
        fn metadata(&mut self, record: &Metadata<'_>) -> Result {
            self.$field.metadata(record)
        }
        fn declare(&mut self, record: &Declaration<'_>) -> Result {
            self.$field.declare(record)
        }
        fn declare_line(&mut self, record: &Declaration<'_>, line: Line<'_>) -> Result {
            self.$field.declare_line(record, line)
        }
        fn string(&mut self, record: &Str<'_>) -> Result {
            self.$field.string(record)
        }
        fn node(&mut self, record: &Node<'_>) -> Result {
            self.$field.node(record)
        }
        fn edge(&mut self, record: &Edge<'_>) -> Result {
            self.$field.edge(record)
        }
        fn other(&mut self, record: &Other<'_>) -> Result {
            self.$field.other(record)
        }
        fn flush(&mut self) -> Result {
            self.$field.flush()
        }
    };
}

impl<S: Sink> Sink for Whole<S> {
    pass_on!(0);
    fn finish(&mut self, whole: bool) -> Result {
        self.0.finish(whole)
    }
}

impl<S: Sink> Target for Whole<S> {}

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
    Ok(Box::new(Whole(stream(out, options))))
}

/// A stream through a compressor, which has an end of its own.
struct Packed<W: Write> {
    writer: Writer<zstd::Encoder<'static, W>>,
}

impl<W: Write> Sink for Packed<W> {
    pass_on!(writer);
    fn finish(&mut self, whole: bool) -> Result {
        self.writer.finish(whole)?;
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
    Ok(Box::new(Whole(heap_sqlite::writer(path, heap_sqlite::Replace::Ours)?)))
}

#[expect(clippy::unnecessary_wraps, reason = "one signature for all")]
fn moarvm<'a>(out: Output<'a>, _: &Options) -> Made<'a> {
    Ok(Box::new(heap_moar::writer::writer(out)))
}

#[expect(clippy::unnecessary_wraps, reason = "one signature for all")]
fn dart<'a>(out: Output<'a>, _: &Options) -> Made<'a> {
    Ok(Box::new(heap_dart::writer::writer(out)))
}
