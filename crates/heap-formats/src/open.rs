//! From a FILE operand to an input that can be read.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::SystemTime;

use heap_base::blob::Meter;
use heap_base::error::Kind;
use heap_base::{Blob, Dump, Error, Result, sys};
use heap_record::references::References;
use heap_record::{Fact, Info, Sink, SnapshotSelector};

use crate::absent;
use crate::foreign;
use crate::gather::gather;
use crate::peek::Peeked;
use crate::stream::StreamFacts;
use crate::unpack::{LAYERS, MAGIC, packing, unpack};
use crate::unwrap::{self, Wrapping};
use crate::{Format, HEAD, Limits, ReadOptions, Reader, detect, document};

/// Shorter streams in files are not read ahead: they are a few pieces.
const WORTH_A_THREAD: u64 = 1 << 20;

/// Where bytes come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Standard input.
    Stdin,
    /// A file of any kind.
    Path(PathBuf),
    /// A process that runs, by its number.
    Process(u32),
}

/// A FILE operand: where its bytes come from, and which snapshot it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    /// The operand as it was written, for messages; `None` for standard input.
    pub name: Option<OsString>,
    /// Where the bytes are.
    pub source: Source,
    /// `FILE@N`, `FILE@last`, `FILE@all`.
    pub pick: Option<SnapshotSelector>,
    /// `FILE@main`, `FILE@worker:N`: the isolate as heap-info calls it, `main` or `worker N`.
    pub isolate: Option<String>,
}

impl Operand {
    /// Standard input.
    pub fn stdin() -> Self {
        Self { name: None, source: Source::Stdin, pick: None, isolate: None }
    }

    /// The operands that one stands for: of a folder of a data set all its partitions, in the order of their names; of
    /// anything else the operand itself.
    ///
    /// # Errors
    /// A folder cannot be read.
    pub fn expand(self) -> Result<Vec<Self>> {
        let Source::Path(path) = &self.source else { return Ok(vec![self]) };
        if !path.is_dir() {
            return Ok(vec![self]);
        }
        let Some(partitions) = partitions(path)? else { return Ok(vec![self]) };
        let operand = |path: PathBuf| Self {
            name: Some(path.clone().into_os_string()),
            source: Source::Path(path),
            pick: self.pick,
            isolate: self.isolate.clone(),
        };
        Ok(partitions.into_iter().map(operand).collect())
    }

    /// Reads an operand: `-`, `FILE`, `pid:N`, and any of them with `@N` behind it. A file of that whole name comes first.
    pub fn new(text: OsString) -> Self {
        if text == "-" {
            return Self::stdin();
        }
        let path = PathBuf::from(&text);
        if path.symlink_metadata().is_ok() {
            return Self { name: Some(text), source: Source::Path(path), pick: None, isolate: None };
        }
        let (base, pick, isolate) = match split_pick(&text) {
            Some((base, Chosen::Snapshot(pick))) => (base, Some(pick), None),
            Some((base, Chosen::Isolate(isolate))) => (base, None, Some(isolate)),
            None => (text.clone(), None, None),
        };
        let source = match process(&base) {
            Some(number) => Source::Process(number),
            None if base == "-" => Source::Stdin,
            None => Source::Path(base.into()),
        };
        Self { name: (source != Source::Stdin).then_some(text), source, pick, isolate }
    }
}

/// The partitions of a data set in a folder; `None` if it is none.
fn partitions(folder: &Path) -> Result<Option<Vec<PathBuf>>> {
    #[cfg(feature = "parquet")]
    return heap_parquet::partitions(folder);
    #[cfg(not(feature = "parquet"))]
    Err(Error::refused(format!("{} is a folder; {}", folder.display(), absent::without("parquet"))))
}

/// A file with the tables that lie beside it.
#[cfg(feature = "parquet")]
fn with_tables(blob: Blob, head: &[u8], source: &Source) -> Result<Dump> {
    match source {
        Source::Path(path) if heap_parquet::sniff(head) => heap_parquet::with_tables(blob, path),
        _ => Ok(blob.into()),
    }
}

/// No other format has such.
#[cfg(not(feature = "parquet"))]
#[expect(clippy::unnecessary_wraps, reason = "as with the feature")]
fn with_tables(blob: Blob, _: &[u8], _: &Source) -> Result<Dump> {
    Ok(blob.into())
}

/// The number in `pid:N`.
fn process(text: &OsStr) -> Option<u32> {
    let number = text.as_encoded_bytes().strip_prefix(b"pid:")?;
    number.iter().all(u8::is_ascii_digit).then_some(())?;
    std::str::from_utf8(number).ok()?.parse().ok().filter(|&n| n > 0)
}

/// What stands behind the `@` of an operand.
enum Chosen {
    Snapshot(SnapshotSelector),
    Isolate(String),
}

fn split_pick(text: &OsStr) -> Option<(OsString, Chosen)> {
    let bytes = text.as_encoded_bytes();
    let at = bytes.iter().rposition(|&b| b == b'@').filter(|&at| at > 0)?;
    let word = std::str::from_utf8(&bytes[at + 1..]).ok()?;
    let chosen = match word.strip_prefix("worker:") {
        Some(number) => {
            let number: u32 = number.parse().ok()?;
            Chosen::Isolate(format!("worker {number}"))
        }
        None if word == "main" => Chosen::Isolate(word.to_owned()),
        None => Chosen::Snapshot(pick(word)?),
    };
    Some((sys::os_string(bytes[..at].to_vec()), chosen))
}

/// Reads `N`, `last` or `all`.
pub fn pick(text: &str) -> Option<SnapshotSelector> {
    match text {
        "last" => Some(SnapshotSelector::Last),
        "all" => Some(SnapshotSelector::All),
        _ if text.bytes().all(|b| b.is_ascii_digit()) => text.parse().ok().map(SnapshotSelector::Number),
        _ => None,
    }
}

/// How to open an input.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Takes the input for this format, whatever its first bytes are.
    pub format: Option<&'static Format>,
    /// The input will be read more than once: gather a record stream that cannot be read again.
    pub again: bool,
    /// The executable that a core is of, where the user named it.
    pub executable: Option<PathBuf>,
    /// The javacore of an IBM dump, where the user named it.
    pub javacore: Option<PathBuf>,
    /// What it may cost.
    pub limits: Limits,
    /// What the user says of how dumps are to be read.
    pub read: ReadOptions,
    /// Counts the bytes that have been read.
    pub meter: Arc<Meter>,
}

impl Options {
    /// The format of an input that begins with `head`: the one that the user named, else what the head shows. None
    /// of a document that is wrapped, or of text behind a byte order mark that its reader does not know.
    fn format_of(&self, head: &[u8]) -> Option<&'static Format> {
        let format = self.format.or_else(|| detect(head))?;
        let wrapped = |f: &Format| !(f.sniff)(head) || unwrap::has_fractions(head);
        let may_be_wrapped = format.document || head.starts_with(unwrap::MARK);
        (!may_be_wrapped || !wrapped(format)).then_some(format)
    }
}

/// An open input whose format is known.
#[derive(Debug)]
pub struct Input {
    format: &'static Format,
    body: Body,
    read_options: ReadOptions,
    /// What ended the gathering early: the error of each reading of what was gathered.
    trouble: Option<String>,
    /// A file on disk, to see whether it has changed while it was read.
    watched: Option<Watched>,
    /// How many streams followed each other in a record stream that was read to its end.
    streams: u64,
}

impl Input {
    /// An input of which nothing has been read; its file is not watched.
    fn new(format: &'static Format, body: Body, trouble: Option<String>, options: &Options) -> Self {
        Self { format, body, read_options: options.read.clone(), trouble, watched: None, streams: 0 }
    }
}

/// A file on disk as it was when it was opened.
#[derive(Debug)]
struct Watched {
    file: File,
    len: u64,
    modified: Option<SystemTime>,
}

impl Watched {
    fn new(file: &File, meta: &Metadata) -> Result<Option<Self>> {
        // A file of the kernel's has no length.
        if !meta.is_file() || meta.len() == 0 {
            return Ok(None);
        }
        let file = file.try_clone().map_err(Error::read)?;
        Ok(Some(Self { file, len: meta.len(), modified: meta.modified().ok() }))
    }

    /// An error if it is not as it was: what was read may be a part, or of two files.
    fn check(&self) -> Result {
        let meta = self.file.metadata().map_err(Error::read)?;
        let (before, now) = (self.len, meta.len());
        if before != now {
            let how = if now > before { "is still being written" } else { "was cut" };
            return Err(Error::input(format!(
                "the file {how} while it was read: it had {before} bytes, and has {now}"
            )));
        }
        if meta.modified().ok() == self.modified {
            Ok(())
        } else {
            Err(Error::input("the file has changed while it was read"))
        }
    }
}

#[derive(Debug)]
enum Body {
    /// Can be read once, in order.
    Stream(Peeked),
    /// Can be read anywhere, and again.
    Dump(Dump),
}

impl Body {
    /// All of its bytes, and whether they are few and already in memory. What can be read only once is empty the second
    /// time.
    fn bytes(&mut self) -> (Box<dyn Read + Send>, bool) {
        match self {
            Self::Stream(input) => {
                let input = std::mem::replace(input, Peeked::new(Box::new(io::empty())));
                let short = input.ended();
                (Box::new(input), short)
            }
            Self::Dump(blob) => (Box::new(blob.section(0, blob.len())), blob.len() < WORTH_A_THREAD),
        }
    }
}

/// Opens `source`, unpacks it, and detects its format.
///
/// # Errors
/// It cannot be read, is empty, or has no known format; unpacking fails or exceeds the limits.
pub fn open(source: &Source, options: &Options) -> Result<Input> {
    let (file, meta) = match source {
        Source::Path(path) => file_of(File::open(path).map_err(|e| unopened(path, e))?)?,
        Source::Stdin => file_of(sys::duplicate(&io::stdin()).map_err(Error::read)?)?,
        Source::Process(number) => return process_input(*number, options),
    };
    let watched = Watched::new(&file, &meta)?;
    let input = with_javacore(open_file(file, &meta, source, options)?, source, options)?;
    Ok(Input { watched, ..input })
}

/// Why a file did not open. What is no file, but looks like a process or like the address of one, is what heap-dump takes.
fn unopened(path: &Path, error: io::Error) -> Error {
    let name = path.to_string_lossy();
    if error.kind() != io::ErrorKind::NotFound {
        return Error::read(error);
    }
    let hint = if name.bytes().all(|b| b.is_ascii_digit()) {
        format!("a process is given as pid:{name}, and heap-dump {name} takes its dump")
    } else if name.contains("://") {
        format!("heap-dump {name} takes the dump of a process at an address")
    } else {
        return Error::read(error);
    };
    Error::read(io::Error::new(error.kind(), format!("no such file or directory: {hint}")))
}

/// A file and what the system says of it.
fn file_of(file: File) -> Result<(File, Metadata)> {
    let meta = file.metadata().map_err(Error::read)?;
    if meta.is_dir() {
        return Err(Error::read(io::ErrorKind::IsADirectory.into()));
    }
    Ok((file, meta))
}

fn open_file(file: File, meta: &Metadata, source: &Source, options: &Options) -> Result<Input> {
    options.meter.done.store(0, Ordering::Relaxed);
    options.meter.total.store(if meta.is_file() { meta.len() } else { 0 }, Ordering::Relaxed);

    // Standard input may be a file whose beginning was read by another process; then it is like a pipe.
    let in_place = meta.is_file() && meta.len() > 0 && (&file).stream_position().is_ok_and(|at| at == 0);
    if in_place {
        let mut blob = Blob::from_file(file.try_clone().map_err(Error::read)?)?;
        if let Source::Path(path) = source {
            blob = blob.with_path(path);
        }
        let mut head = vec![0; HEAD.min(usize::try_from(blob.len()).unwrap_or(HEAD))];
        let n = blob.read_at(&mut head, 0)?;
        head.truncate(n);
        if packing(&head).is_none()
            && let Some(format) = options.format_of(&head)
        {
            let blob = blob.with_meter(Arc::clone(&options.meter));
            let dump = with_executable(with_tables(blob, &head, source)?, options)?;
            return Ok(Input::new(format, Body::Dump(dump), None, options));
        }
    }
    in_order(Box::new(file), options)
}

/// Processes are read as cores.
#[cfg(not(feature = "core"))]
fn process_input(number: u32, _: &Options) -> Result<Input> {
    Err(Error::refused(format!("process {number} would be read as a core; {}", absent::without("core"))))
}

/// A process as a core of this moment.
#[cfg(feature = "core")]
fn process_input(number: u32, options: &Options) -> Result<Input> {
    let format =
        crate::format("core").filter(|core| options.format.is_none_or(|asked| asked.name == core.name));
    let format = format.ok_or_else(|| Error::refused("a process can only be read as a core"))?;
    options.meter.done.store(0, Ordering::Relaxed);
    let Dump { blob, companions } = heap_core::capture(number)?;
    let blob = blob.with_meter(Arc::clone(&options.meter));
    let dump = with_executable(Dump { blob, companions }, options)?;
    Ok(Input::new(format, Body::Dump(dump), None, options))
}

/// Gives a dump the executable that explains it.
fn with_executable(mut dump: Dump, options: &Options) -> Result<Dump> {
    let Some(path) = &options.executable else { return Ok(dump) };
    let refuse =
        |e: std::io::Error| Error::refused(format!("{}: {}", path.display(), heap_base::error::plain(&e)));
    let file = File::open(path).map_err(refuse)?;
    // The one that a process runs is not asked then.
    dump.companions = vec![Blob::from_file(file)?];
    Ok(dump)
}

/// Gives an IBM dump the javacore that the user named, or that lies beside it.
fn with_javacore(mut input: Input, source: &Source, options: &Options) -> Result<Input> {
    let named = options.javacore.as_deref();
    let takes = match &input.body {
        Body::Dump(dump) if input.format.name == "java" => takes_javacore(&head_of(dump)?),
        _ => false,
    };
    if let (Some(path), false) = (named, takes) {
        let what = "only dumps of OpenJ9 and IBM's Java, portable or classic, have a javacore";
        return Err(Error::refused(format!("{}: {what}", path.display())));
    }
    let beside = if takes && named.is_none() { beside(source) } else { None };
    if let (Some(path), Body::Dump(dump)) = (named.or(beside.as_deref()), &mut input.body) {
        match javacore(path, options) {
            Ok(javacore) => dump.companions.push(javacore),
            // Nobody asked for it: the reader says that it is not used.
            Err(_) if named.is_none() => dump.companions.push(Blob::from_bytes(Vec::new()).with_path(path)),
            Err(e) => return Err(Error::refused(format!("{}: {e}", path.display()))),
        }
    }
    Ok(input)
}

/// A javacore, unpacked.
fn javacore(path: &Path, options: &Options) -> Result<Blob> {
    let (file, _) = file_of(File::open(path).map_err(Error::read)?)?;
    // What it costs to read it is not in the progress bar.
    let options = Options { limits: options.limits, ..Options::default() };
    let (blob, trouble) = gather(&mut unpacked(Box::new(file), &options)?, options.limits)?;
    if let Some(trouble) = trouble {
        return Err(trouble);
    }
    if is_javacore(&head_of(&blob)?) {
        Ok(blob.with_path(path))
    } else {
        Err(Error::refused("no javacore: its first lines begin no section"))
    }
}

fn head_of(blob: &Blob) -> Result<Vec<u8>> {
    let mut head = vec![0; HEAD];
    let len = blob.read_at(&mut head, 0)?;
    head.truncate(len);
    Ok(head)
}

/// True if a javacore explains a dump that begins so.
#[cfg(feature = "java")]
fn takes_javacore(head: &[u8]) -> bool {
    heap_java::takes_javacore(head)
}

#[cfg(feature = "java")]
fn is_javacore(head: &[u8]) -> bool {
    heap_java::sniff_javacore(head)
}

/// The javacore that lies beside a dump.
#[cfg(feature = "java")]
fn beside(source: &Source) -> Option<PathBuf> {
    match source {
        Source::Path(dump) => crate::javacore::beside(dump),
        _ => None,
    }
}

#[cfg(not(feature = "java"))]
fn takes_javacore(_: &[u8]) -> bool {
    false
}

#[cfg(not(feature = "java"))]
fn is_javacore(_: &[u8]) -> bool {
    false
}

#[cfg(not(feature = "java"))]
fn beside(_: &Source) -> Option<PathBuf> {
    None
}
/// An input that can only be read in order: a pipe, or packed.
pub(crate) fn in_order(raw: Box<dyn Read + Send>, options: &Options) -> Result<Input> {
    let mut input = unpacked(raw, options)?;
    if input.head().is_empty() {
        return Err(input.failure().map_or_else(empty, Error::read));
    }
    let format = known(&mut input, options)?;
    if matches!(format.reader, Reader::Stream) && !options.again {
        return Ok(Input::new(format, Body::Stream(input), None, options));
    }
    let (blob, trouble) = gather(&mut input, options.limits)?;
    let trouble = trouble.map(|e| e.to_string());
    options.meter.done.store(0, Ordering::Relaxed);
    let dump = with_executable(blob.with_meter(Arc::clone(&options.meter)).into(), options)?;
    Ok(Input::new(format, Body::Dump(dump), trouble, options))
}

/// What is inside of the packings.
fn unpacked(raw: Box<dyn Read + Send>, options: &Options) -> Result<Peeked> {
    peeled(Peeked::new(Box::new(Metered { raw, meter: Arc::clone(&options.meter) })), options)
}

/// The same of an input whose bytes are counted.
fn peeled(mut input: Peeked, options: &Options) -> Result<Peeked> {
    let mut layers = 0;
    loop {
        while input.head().len() < MAGIC && input.more() {}
        let Some(how) = packing(input.head()) else { return Ok(input) };
        if layers == LAYERS {
            return Err(Error::at_byte(0, "packed more than twice"));
        }
        layers += 1;
        input = unpack(input, how, options.limits, &options.meter).map_err(Error::read)?;
    }
}

/// The format of `input`, after all that is wrapped around it was taken off.
fn known(input: &mut Peeked, options: &Options) -> Result<&'static Format> {
    for layer in 0.. {
        if let Some(format) = detect_early(input, options) {
            return Ok(format);
        }
        let known = |head: &[u8]| match options.format {
            Some(format) => (format.sniff)(head),
            None => document(head).is_some(),
        };
        // What is in a dump of a format that was left out, or that is packed, may look like one that is not.
        let head = input.head();
        let is_other =
            options.format.is_none() && (absent::seems(head).is_some() || foreign::is_packed(head));
        let wrapping = if layer < unwrap::MOST && !is_other { Wrapping::find(head, &known) } else { None };
        let Some(wrapping) = wrapping else {
            // What was unpacked before the damage may be too short to detect.
            let failure = input.failure();
            return match (failure, options.format) {
                (Some(e), _) => Err(Error::read(e)),
                (None, Some(format)) => Ok(format),
                (None, None) => Err(unknown(input.head())),
            };
        };
        let outer = std::mem::replace(input, Peeked::new(Box::new(io::empty())));
        *input = peeled(wrapping.take_off(outer), options)?;
    }
    Err(unknown(input.head()))
}

/// Detects the format from as few bytes as it can: a live pipe may hold one line and no more for an hour.
fn detect_early(input: &mut Peeked, options: &Options) -> Option<&'static Format> {
    let mut tries = 0;
    let mut next = 0;
    loop {
        let head = input.head();
        let last = head.len() >= HEAD || (head.len() < next && !input.more());
        let head = input.head();
        if last || head.len() >= next {
            let found = options.format_of(&head[..head.len().min(HEAD)]);
            // A document is gathered anyhow, and more of it shows how it is written.
            if last || found.is_some_and(|f| !f.document) {
                return found;
            }
            // A pipe that gives single bytes must not be tried after each.
            tries += 1;
            next = head.len() + if tries < 64 { 1 } else { head.len() / 4 };
        }
    }
}

fn empty() -> Error {
    Error::input("empty input")
}

fn unknown(head: &[u8]) -> Error {
    if let Some(message) = absent::seems(head) {
        return Error::at_byte(0, message);
    }
    let neither = "neither a record stream nor a dump that is known";
    Error::at_byte(
        0,
        match foreign::name(head) {
            Some(name) => format!("{neither}, but {name}"),
            None => neither.to_owned(),
        },
    )
}

/// Counts the bytes that are read, before they are unpacked.
struct Metered {
    raw: Box<dyn Read + Send>,
    meter: Arc<Meter>,
}

impl Read for Metered {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n = self.raw.read(buf)?;
        self.meter.done.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }
}

impl Input {
    /// What it is.
    pub fn format(&self) -> &'static Format {
        self.format
    }

    /// True if this is a record stream and no dump.
    pub fn is_stream(&self) -> bool {
        matches!(self.format.reader, Reader::Stream)
    }

    /// True if its records were written as a stream: a record stream, or an SQLite file made of one. Such end in
    /// an end mark.
    pub fn is_stored(&self) -> bool {
        matches!(self.format.reader, Reader::Stream | Reader::Dump { stored: true, .. })
    }

    /// How many record streams followed each other in it, once it was read to its end; 0 for a dump.
    pub fn streams(&self) -> u64 {
        self.streams
    }

    /// Reads it into `sink`. A dump gets the metadata that every stream begins with: `version_major` and `generator`; an
    /// SQLite file is a stored stream and has its own. A record stream from a pipe can be read once, unless it was opened
    /// to be read [`again`](Options::again).
    ///
    /// # Errors
    /// Those of its reader and of `sink`. Every intact record before the damage was emitted.
    pub fn read(&mut self, pick: SnapshotSelector, generator: &str, sink: &mut dyn Sink) -> Result {
        if !sink.wants().references {
            return self.read_plain(pick, generator, sink);
        }
        let mut references = References::new(sink);
        let result = self.read_plain(pick, generator, &mut references);
        let end = references.end();
        result.and(end)
    }

    fn read_plain(&mut self, pick: SnapshotSelector, generator: &str, sink: &mut dyn Sink) -> Result {
        let result = match (&self.format.reader, &mut self.body) {
            (Reader::Stream, body) => {
                let (input, short) = body.bytes();
                let read = if short {
                    heap_record::read::read_counted(input, pick, sink)
                } else {
                    heap_record::read::read_ahead(input, pick, sink)
                };
                read.map(|streams| self.streams = streams)
            }
            (Reader::Dump { read, stored: true, .. }, Body::Dump(dump)) => {
                read(dump, pick, &self.read_options, sink)
            }
            (Reader::Dump { read, .. }, Body::Dump(dump)) => {
                let version =
                    heap_record::Metadata { key: "version_major", value: "1", ..Default::default() };
                sink.metadata(&version)?;
                sink.metadata(&heap_record::Metadata { key: "generator", value: generator, ..version })?;
                read(dump, pick, &self.read_options, sink)
            }
            (Reader::Dump { .. }, Body::Stream(_)) => unreachable!("open() gathers every dump"),
        };
        let result = self.or_trouble(result);
        self.or_changed(result)
    }

    /// An error if the file has changed while it was read: where the reader met damage, that is the reason for it.
    fn or_changed<T>(&self, result: Result<T>) -> Result<T> {
        match (&result, &self.watched) {
            (Ok(_), Some(file)) => file.check().and(result),
            (Err(e), Some(file)) if matches!(e.kind(), Kind::Input { .. }) => {
                file.check().and(self.or_converted(result))
            }
            _ => self.or_converted(result),
        }
    }

    /// Where a reader met damage, says so if all bytes went through a conversion of text.
    fn or_converted<T>(&self, result: Result<T>) -> Result<T> {
        let Body::Dump(dump) = &self.body else { return result };
        result.map_err(|e| match e.kind() {
            Kind::Input { .. } => match head_of(dump).ok().and_then(|head| foreign::conversion(&head)) {
                Some(how) => e.because(how),
                None => e,
            },
            _ => e,
        })
    }

    /// Facts about it. Reads the headers and indexes of a dump, but all of a record stream.
    ///
    /// # Errors
    /// Those of its reader.
    pub fn info(&mut self) -> Result<Info> {
        let result = match (&self.format.reader, &mut self.body) {
            (Reader::Stream, _) => {
                let mut facts = StreamFacts::default();
                let damage = match self.read(SnapshotSelector::All, "", &mut facts) {
                    Err(e) if !matches!(e.kind(), Kind::Input { .. }) => return Err(e),
                    result => result.err(),
                };
                let mut info = facts.into_info();
                info.facts.extend(damage.map(|e| ("damage", Fact::Text(e.to_string()))));
                return Ok(info);
            }
            (Reader::Dump { info, .. }, Body::Dump(dump)) => info(dump, &self.read_options),
            (Reader::Dump { .. }, Body::Stream(_)) => unreachable!("open() gathers every dump"),
        };
        let result = self.or_trouble(result);
        self.or_changed(result)
    }

    /// The snapshot of an isolate, by what [`info`](Self::info) calls it.
    ///
    /// # Errors
    /// There is none of this name; those of the reader.
    pub fn isolate(&mut self, name: &str) -> Result<SnapshotSelector> {
        let info = self.info()?;
        let text =
            |facts: &heap_record::Facts, key| facts.iter().find(|(k, _)| *k == key).map(|(_, f)| f.clone());
        // One that is alone has its facts among those of the file.
        let lists = if info.snapshots.is_empty() { vec![info.facts] } else { info.snapshots };
        let wanted = Some(Fact::Text(name.to_owned()));
        let found = (0..).zip(&lists).find(|(_, facts)| text(facts, "isolate") == wanted);
        found.map(|(number, _)| SnapshotSelector::Number(number)).ok_or_else(|| {
            let mut names = Vec::new();
            for facts in &lists {
                if let Some(Fact::Text(name)) = text(facts, "isolate") {
                    names.push(name);
                }
            }
            Error::refused(match &names[..] {
                [] => format!("no isolate {name}: the input does not say whose isolates it has"),
                names => format!("no isolate {name}: there are {}", names.join(", ")),
            })
        })
    }

    /// If unpacking broke off, its error replaces that of the reader, which only saw the cut.
    fn or_trouble<T>(&self, result: Result<T>) -> Result<T> {
        let replaced = match &result {
            Ok(_) => true,
            Err(e) => matches!(e.kind(), Kind::Input { .. }),
        };
        match &self.trouble {
            Some(trouble) if replaced => Err(Error::input(trouble.as_str())),
            _ => result,
        }
    }
}
