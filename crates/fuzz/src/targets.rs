//! The targets. What must hold beside coming back is asserted.

#![allow(clippy::disallowed_types, reason = "the same input gives the same hash in each run")]

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write as _;

use heap_base::{Blob, Cutoff, Dump, Result};
use heap_formats::{Destination, Limits, Operand, Options};
use heap_graph::Keep;
use heap_ops::graph::GraphLoader;
use heap_ops::select::condition::{Columns, Condition, Kind, Of, Values};
use heap_ops::select::{Content, Selection};
use heap_ops::tree::{Axis, TableSpec, TreeLoader, View, walk};
use heap_record::write::Form;
use heap_record::{
    Declaration, EdgeBatch, Extension, Info, Metadata, NodeBatch, Sink, SnapshotSelector, Str, Wants, Writer,
};
use heap_toolbox::diff::{Census, Diff};
use heap_toolbox::dom::Annotations;
use heap_toolbox::filter::{Edges, Filter};
use heap_toolbox::names::Names;
use heap_toolbox::redact::{self, Key, Rules};
use heap_toolbox::show::Show;
use heap_toolbox::strings::DuplicateStrings;
use heap_toolbox::sum::{By, Sum};

/// Counts what comes.
#[derive(Default)]
struct Seen {
    counts: [u64; 8],
    kinds: u64,
}

impl Sink for Seen {
    fn wants(&self) -> Wants {
        Wants::ALL
    }
    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        self.counts[0] += 1;
        self.kinds |= 1 << (hash(&record.key) % 64);
        Ok(())
    }
    fn declare(&mut self, _: &Declaration<'_>) -> Result {
        self.counts[1] += 1;
        Ok(())
    }
    fn string(&mut self, record: &Str<'_>) -> Result {
        let _ = record.data.text();
        self.counts[2] += 1;
        Ok(())
    }
    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        for node in batch.iter() {
            self.counts[3] += 1;
            self.counts[6] |= 1 << (node.subtype % 64);
        }
        Ok(())
    }
    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        for edge in batch.iter() {
            self.counts[4] += 1;
            self.counts[7] |= 1 << (edge.subtype % 64);
        }
        Ok(())
    }
    fn extension(&mut self, record: &Extension<'_>) -> Result {
        self.counts[5] += 1;
        self.kinds |= 1 << (hash(&record.kind) % 64);
        Ok(())
    }
}

fn hash(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// What was seen, coarsely: bits of counts, and messages without their numbers.
fn outcome<T>(result: &Result<T>, seen: &Seen) -> u64 {
    let message = result.as_ref().err().map(|e| {
        let text = e.to_string();
        assert!(!text.is_empty());
        text.chars().filter(|c| !c.is_ascii_digit()).take(60).collect::<String>()
    });
    let [counts @ .., nodes, edges] = seen.counts;
    hash(&(message, counts.map(u64::checked_ilog2), nodes, edges, seen.kinds))
}

fn reader(
    data: &[u8],
    sniff: fn(&[u8]) -> bool,
    read: fn(&Dump, SnapshotSelector, &mut dyn Sink) -> Result,
    info: fn(&Dump) -> Result<Info>,
) -> u64 {
    let dump = Blob::from_bytes(data.to_vec()).into();
    let known = sniff(&data[..data.len().min(64 << 10)]);
    let facts = info(&dump).is_ok();
    let mut all = Seen::default();
    let result = read(&dump, SnapshotSelector::All, &mut all);
    let mut last = Writer::new(Vec::new()).form(Form::Canonical);
    let again = read(&dump, SnapshotSelector::Last, &mut last);
    let _ = last.finish(true);
    // The records of a reader are a stream that is read back.
    let lines = last.into_inner();
    if let Err(e) = heap_record::read::read(lines.as_slice(), SnapshotSelector::All, &mut Seen::default()) {
        panic!("its own lines are refused: {e}");
    }
    hash(&(outcome(&result, &all), known, facts, again.is_ok()))
}

pub(crate) fn v8(data: &[u8]) -> u64 {
    reader(
        data,
        heap_v8::sniff,
        |dump, snapshot, sink| heap_v8::read(dump, snapshot, sink),
        |dump| heap_v8::info(dump),
    )
}

pub(crate) fn moarvm(data: &[u8]) -> u64 {
    reader(
        data,
        heap_moar::sniff,
        |dump, snapshot, sink| heap_moar::read(dump, snapshot, sink),
        |dump| heap_moar::info(dump),
    )
}

pub(crate) fn core(data: &[u8]) -> u64 {
    reader(data, heap_core::sniff, heap_core::read, heap_core::info)
}

pub(crate) fn dart(data: &[u8]) -> u64 {
    reader(
        data,
        heap_dart::sniff,
        |dump, snapshot, sink| heap_dart::read(dump, snapshot, sink),
        |dump| heap_dart::info(dump),
    )
}

pub(crate) fn pprof(data: &[u8]) -> u64 {
    reader(
        data,
        heap_pprof::sniff,
        |dump, snapshot, sink| heap_pprof::read(dump, snapshot, sink),
        |dump| heap_pprof::info(dump),
    )
}

pub(crate) fn infra(data: &[u8]) -> u64 {
    reader(
        data,
        heap_infra::sniff,
        |dump, snapshot, sink| heap_infra::read(dump, snapshot, sink),
        |dump| heap_infra::info(dump),
    )
}

pub(crate) fn sqlite(data: &[u8]) -> u64 {
    reader(
        data,
        heap_sqlite::sniff,
        |dump, snapshot, sink| heap_sqlite::read(dump, snapshot, sink),
        |dump| heap_sqlite::info(dump),
    )
}

/// The tables of a partition one behind the other, each with the magic bytes at both ends.
pub(crate) fn parquet(data: &[u8]) -> u64 {
    let read =
        |dump: &Dump, snapshot, sink: &mut dyn Sink| heap_parquet::read(&tables(dump)?, snapshot, sink);
    reader(data, heap_parquet::sniff, read, |dump| heap_parquet::info(&tables(dump)?))
}

/// The first table with the others as companions.
fn tables(blob: &Blob) -> Result<Dump> {
    let mut bytes = vec![0; blob.len() as usize];
    blob.read_exact_at(&mut bytes, 0, "tables")?;
    let seam = b"PAR1PAR1";
    let ends = (0..bytes.len()).filter(|&at| bytes[at..].starts_with(seam)).map(|at| at + 4);
    let ends: Vec<_> = std::iter::once(0).chain(ends).chain([bytes.len()]).collect();
    let mut blobs = ends.windows(2).take(32).map(|ends| Blob::from_bytes(&bytes[ends[0]..ends[1]]));
    let first = blobs.next().unwrap_or_else(|| blob.clone());
    Ok(Dump { blob: first, companions: blobs.collect() })
}

pub(crate) fn java(data: &[u8]) -> u64 {
    let read = |dump: &Dump, snapshot, sink: &mut dyn Sink| {
        let options = heap_java::Options { values: true, ..heap_java::Options::default() };
        heap_java::read(dump, snapshot, options, sink)
    };
    reader(data, heap_java::sniff, read, heap_java::info)
}

pub(crate) fn webkit(data: &[u8]) -> u64 {
    reader(
        data,
        heap_webkit::sniff,
        |dump, snapshot, sink| heap_webkit::read(dump, snapshot, sink),
        |dump| heap_webkit::info(dump),
    )
}

pub(crate) fn ruby(data: &[u8]) -> u64 {
    reader(
        data,
        heap_ruby::sniff,
        |dump, snapshot, sink| heap_ruby::read(dump, snapshot, sink),
        |dump| heap_ruby::info(dump),
    )
}

pub(crate) fn mdb(data: &[u8]) -> u64 {
    reader(
        data,
        heap_mdb::sniff,
        |dump, snapshot, sink| heap_mdb::read(dump, snapshot, sink),
        |dump| heap_mdb::info(dump),
    )
}

fn canonical(data: &[u8]) -> (Result, Vec<u8>) {
    let mut writer = Writer::new(Vec::new()).form(Form::Canonical);
    let result = heap_record::read::read(data, SnapshotSelector::All, &mut writer);
    let _ = writer.finish(result.is_ok());
    (result, writer.into_inner())
}

/// The fast path and the general one emit the same, and what is canonical stays as it is.
pub(crate) fn stream(data: &[u8]) -> u64 {
    let (result, direct) = canonical(data);
    // A blank after each brace sends the line to the general path.
    let spaced: Vec<u8> = data
        .split_inclusive(|&b| b == b'\n')
        .flat_map(|line| {
            let brace = line.first() == Some(&b'{');
            let begin: &[u8] = if brace { b"{ " } else { b"" };
            begin.iter().chain(&line[usize::from(brace)..]).copied()
        })
        .collect();
    let (other, general) = canonical(&spaced);
    assert_eq!(result.is_ok(), other.is_ok(), "{result:?} {other:?}");
    assert!(direct == general, "fast:\n{}\ngeneral:\n{}", text(&direct), text(&general));
    // A version behind the first records is a late one, and a second such version begins another stream: written whole,
    // that second one is the late one when it is read again.
    let late = !direct.starts_with(br#"{"type":"metadata","key":"version_major""#);
    if result.is_ok() && !late {
        let (twice, again) = canonical(&direct);
        // A record of a subtype that nobody declares goes behind the others, each time.
        let sorted = |stream: &[u8]| {
            let mut lines: Vec<_> = stream.split(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
            lines.sort();
            lines
        };
        assert!(
            twice.is_ok() && sorted(&again) == sorted(&direct),
            "{twice:?}\n{}\n{}",
            text(&direct),
            text(&again)
        );
    }
    let mut seen = Seen::default();
    let _ = heap_record::read::read(data, SnapshotSelector::All, &mut seen);
    outcome(&result, &seen)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Detection, unpacking and reading, from a file.
pub(crate) fn open(data: &[u8]) -> u64 {
    thread_local! {
        static FILE: tempfile::NamedTempFile = tempfile::NamedTempFile::new().expect("TMPDIR");
    }
    FILE.with(|file| {
        let mut handle = file.reopen().expect("TMPDIR");
        // Some file systems write a file that was emptied to the disk at once.
        handle.write_all(data).and_then(|()| handle.set_len(data.len() as u64)).expect("TMPDIR");
        let limits = Limits { free: 16 << 20, ratio: 100, spool: 64 << 20, memory: 1 << 20 };
        let options = Options { limits, again: data.len().is_multiple_of(2), ..Options::default() };
        let operand = Operand::new(file.path().as_os_str().to_owned());
        let mut seen = Seen::default();
        let result = heap_formats::open(&operand.source, &options).and_then(|mut input| {
            if options.again || !input.is_stream() {
                let _ = input.info();
            }
            input.read(SnapshotSelector::All, "fuzz", &mut seen)
        });
        outcome(&result, &seen)
    })
}

/// Reads any dump or stream into a sink.
fn any(data: &[u8], sink: &mut dyn Sink) -> Result {
    let blob = || Blob::from_bytes(data.to_vec());
    match data {
        [b'{', ..] if heap_record::read::sniff(&data[..data.len().min(64 << 10)]) => {
            heap_record::read::read(data, SnapshotSelector::All, sink)
        }
        [b'{', ..] => heap_v8::read(&blob(), SnapshotSelector::Last, sink),
        [b'd', ..] => heap_dart::read(&blob(), SnapshotSelector::Last, sink),
        [b'M', b'o', ..] => heap_moar::read(&blob(), SnapshotSelector::Last, sink),
        _ => heap_record::read::read(data, SnapshotSelector::All, sink),
    }
}

pub(crate) fn graph(data: &[u8]) -> u64 {
    let keep = Keep { ids: true, ..Keep::default() };
    let mut load = GraphLoader::new(Selection::default(), keep, true);
    let result = any(data, &mut load);
    let Ok(loaded) = load.build() else { return 1 };
    let annotations = Annotations::of(loaded.heap, None);
    let writer = Writer::new(Vec::new()).form(Form::Canonical);
    let Ok(mut annotate) = annotations.to(writer) else { return 2 };
    let again = any(data, &mut annotate);
    let _ = annotate.finish(again.is_ok());
    let mut seen = Seen::default();
    let _ = any(data, &mut seen);
    hash(&(outcome(&result, &seen), again.is_ok()))
}

pub(crate) fn tree(data: &[u8]) -> u64 {
    let mut lines = 0u64;
    for (axis, types) in
        [(Axis::Dom, false), (Axis::Frame, false), (Axis::Frame, true), (Axis::Dom, true), (Axis::None, true)]
    {
        let cut = Cutoff::Total(1, 100);
        let spec = TableSpec {
            axis,
            types,
            selves: axis != Axis::None,
            cut,
            depth: 50,
            labels: false,
            stacks: false,
        };
        let mut load = TreeLoader::new(spec, Selection::default());
        let _ = any(data, &mut load);
        let Ok(table) = load.build() else { continue };
        let view = View { cut, depth: 50, positions: axis != Axis::None, types, once: true, others: true };
        let mut left = 100_000u64;
        let _ = walk(&table, view, |_| {
            lines += 1;
            left -= 1;
            Ok(left > 0)
        });
    }
    hash(&(shape(data), lines.checked_ilog2()))
}

/// What any target sees of an input, to distinguish inputs.
fn shape(data: &[u8]) -> u64 {
    let mut seen = Seen::default();
    let result = any(data, &mut seen);
    outcome(&result, &seen)
}

pub(crate) fn diff(data: &[u8]) -> u64 {
    let half = data.len() / 2;
    let mut censuses = Vec::new();
    // The same, and what an earlier half of it leaves.
    for part in [&data[..half], data, data] {
        let mut census = Census::new(Selection::default(), true);
        let _ = any(part, &mut census);
        let _ = census.finish(true);
        censuses.push(census.into_report());
    }
    let diff = Diff::of(censuses);
    hash(&(shape(data), diff.by_identity))
}

/// Names written out are read back as the same.
pub(crate) fn names(data: &[u8]) -> u64 {
    let mut names = Names::new(Writer::new(Vec::new()));
    let result = any(data, &mut names);
    let _ = names.finish(result.is_ok());
    let view = names.into_inner().into_inner();
    let mut seen = Seen::default();
    let back = heap_record::read::read(view.as_slice(), SnapshotSelector::All, &mut seen);
    assert!(back.is_ok() || result.is_err(), "the view is refused: {back:?}\n{}", text(&view));
    outcome(&result, &seen)
}

/// What is redacted is a stream of the same shape.
pub(crate) fn redact(data: &[u8]) -> u64 {
    let mut first = Seen::default();
    let result = any(data, &mut first);
    for all in [false, true] {
        let rules = Rules { labels: all, names: all, files: all, ..Rules::default() };
        let mut writer = Writer::new(Vec::new()).form(Form::Canonical);
        let read = |pass: &mut dyn Sink| -> Result<Result> { Ok(any(data, pass)) };
        let passed = redact::passes(&rules, Some(Key::new(b"fuzz")), None, &mut writer, read);
        let Ok((_, again)) = passed else { continue };
        let _ = writer.finish(true);
        let out = writer.into_inner();
        let mut second = Seen::default();
        let read = heap_record::read::read(out.as_slice(), SnapshotSelector::All, &mut second);
        assert!(read.is_ok(), "{read:?}\n{}", text(&out));
        if result.is_ok() && again.is_ok() {
            assert_eq!(first.counts[3..6], second.counts[3..6], "{}", text(&out));
        }
    }
    outcome(&result, &first)
}

/// The reports that need one pass.
pub(crate) fn reports(data: &[u8]) -> u64 {
    let select = Selection::default;
    let mut sum =
        Sum::new(vec![By::named("class"), By::named("name"), By::named("v8.detachedness")], select());
    let result = any(data, &mut sum);
    let _ = sum.finish(result.is_ok());
    let rows = sum.report().rows().len() as u64;
    let mut show = Show::new(select(), heap_toolbox::show::Sides::default());
    let _ = any(data, &mut show);
    let _ = show.finish(true);
    let mut strings = DuplicateStrings::new(select(), 1);
    let _ = any(data, &mut strings);
    let _ = strings.finish(true);
    let mut filter = Filter::new(select(), Edges::default(), Writer::new(Vec::new()));
    let _ = any(data, &mut filter);
    let _ = filter.finish(true);
    let mut view = heap_devtools::View::new();
    let _ = any(data, &mut view);
    let _ = view.group(None);
    hash(&(shape(data), rows.checked_ilog2(), strings.report().rows().len().checked_ilog2()))
}

/// What is written as a V8 snapshot is one.
pub(crate) fn to_v8(data: &[u8]) -> u64 {
    written(data, "v8", heap_v8::read)
}

/// What is written as an HPROF file is one.
pub(crate) fn to_hprof(data: &[u8]) -> u64 {
    written(data, "hprof", |blob, snapshot, sink| {
        heap_java::read(&blob.clone().into(), snapshot, heap_java::Options::default(), sink)
    })
}

/// A small disk: an object of a size that a stream claims may have as much padding.
struct Bounded(Vec<u8>);

impl std::io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.0.len() + bytes.len() > 64 << 20 {
            return Err(std::io::ErrorKind::StorageFull.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Writes any input in a format that `read` must take.
fn written(
    data: &[u8],
    format: &str,
    read: impl Fn(&Blob, SnapshotSelector, &mut dyn Sink) -> heap_base::Result,
) -> u64 {
    let format = heap_formats::targets::target(format.as_ref()).expect("a format that is written");
    let mut out = Bounded(Vec::new());
    let result = {
        let options = heap_formats::targets::Options::default();
        let Ok(mut destination) = Destination::open(format, None, &mut out, &options) else { return 1 };
        let result = any(data, destination.sink());
        result.is_ok() && destination.finish(true).is_ok()
    };
    if result {
        let mut seen = Seen::default();
        let read = read(&Blob::from_bytes(out.0), SnapshotSelector::Last, &mut seen);
        assert!(read.is_ok(), "{read:?}");
        return outcome(&read, &seen);
    }
    2
}

/// What conditions are made of.
const WORDS: [&str; 48] = [
    "class",
    "size",
    "size_delta",
    "reachable",
    "any",
    "absent",
    "nosuch",
    "total.size_delta",
    "=",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "~",
    "!~",
    "=~",
    "in",
    "not",
    "and",
    "or",
    "AND",
    "&&",
    "||",
    "!",
    "&",
    "|",
    "(",
    ")",
    ",",
    "1",
    "-3",
    "0x1f",
    "1.5M",
    "10KiB",
    "5%",
    "% of total",
    "true",
    "A*",
    "'a b'",
    "\"x\\\"y\"",
    "'",
    "\\",
    "[a-z]+",
    "(closure)",
    "\u{e9}",
    "",
];

/// The columns of a comparison, and a row of it.
struct Row;

impl Columns for Row {
    fn kind(&self, name: &str) -> Option<Kind> {
        Some(match name {
            "class" => Kind::Text,
            "size" | "size_delta" | "total.size_delta" => Kind::Number,
            "reachable" => Kind::Flag,
            "any" | "absent" => Kind::Any,
            _ => return None,
        })
    }
    fn has_base(&self, name: &str, of: Of) -> bool {
        name == "size_delta" || name == "total.size_delta" && of == Of::Before
    }
    fn names(&self) -> Vec<String> {
        vec!["class".to_owned()]
    }
}

impl Values for Row {
    fn get(&self, name: &str) -> Result<Option<Content>> {
        Ok(Some(match name {
            "class" => Content::Text("A b".to_owned()),
            "size" | "size_delta" | "total.size_delta" => Content::Int(31),
            "reachable" => Content::Bool(true),
            "any" => Content::Float(1.5),
            _ => return Ok(None),
        }))
    }
    fn base(&self, name: &str, _: Of) -> Option<f64> {
        (name == "size_delta").then_some(100.0)
    }
}

/// A condition out of words, or the text itself; brackets around it change nothing, and `not` turns it around.
pub(crate) fn condition(data: &[u8]) -> u64 {
    let gap = if data.len().is_multiple_of(2) { " " } else { "" };
    let words = data.iter().take(64).map(|&b| WORDS[usize::from(b) % WORDS.len()]);
    let words = words.collect::<Vec<_>>().join(gap);
    let mut outcomes = Vec::new();
    for text in [&*words, &String::from_utf8_lossy(&data[..data.len().min(400)])] {
        let holds = |text: &str| Condition::parse(text, &Row).map(|condition| condition.holds(&Row).ok());
        let parsed = holds(text);
        outcomes.push(match parsed {
            // Text without quotes may have brackets of its own.
            Ok(verdict) if text.matches('(').count() != text.matches(')').count() => {
                verdict.map_or(2, u64::from)
            }
            Ok(verdict) => {
                assert_eq!(holds(&format!("({text})")).ok(), Some(verdict), "{text}");
                assert_eq!(holds(&format!("not ({text})")).ok(), Some(verdict.map(|v| !v)), "{text}");
                verdict.map_or(2, u64::from)
            }
            Err(message) => {
                assert!(!message.is_empty() && !message.contains('\n'), "{text}: {message}");
                // Which message, whatever it quotes.
                hash(&message.split('\'').next())
            }
        });
    }
    hash(&(outcomes, words.len()))
}
