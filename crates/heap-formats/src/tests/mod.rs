//! Inputs give the same records however they come, and damaged ones no worse than an error. Files that are written are
//! there when they are finished.

mod archives;
mod wrappers;

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use heap_record::{Fact, NodeBatch, Sink as _, SnapshotSelector, Writer};

use crate::open::in_order;
use crate::targets::{self, TARGETS, named};
use crate::unpack::packing;
use crate::unwrap;
use crate::{Destination, Input, Limits, Operand, Options, Source, detect, format, open, pick};

const V8: &str = concat!(
    r#"{"snapshot":{"meta":{"node_fields":["type","name","id","self_size","edge_count"],"#,
    r#""node_types":[["hidden","object"],"string","number","number","number"],"#,
    r#""edge_fields":["type","name_or_index","to_node"],"#,
    r#""edge_types":[["context","element","property"],"string_or_number","node"]},"#,
    r#""node_count":3,"edge_count":2,"trace_function_count":0},"#,
    r#""nodes":[0,0,1,0,1,1,1,3,16,1,1,1,5,32,0],"edges":[2,2,5,2,2,10],"strings":["","A","b"]}"#
);

fn records(objects: i64) -> String {
    let mut writer = Writer::new(Vec::new());
    let metadata = heap_record::Metadata { key: "version_major", value: "1", ..Default::default() };
    writer.metadata(&metadata).expect("memory");
    let kind = heap_record::Declared::Node { id: 1, name: "object", table: None, fields: &[] };
    writer.declare(&kind.into()).expect("memory");
    for i in 0..objects {
        let heap = heap_record::Heap { size: Some(8), ..Default::default() };
        let node = heap_record::Node { subtype: 1, id: 2 * i + 1, heap, ..Default::default() };
        writer.nodes(&NodeBatch::one(&node)).expect("memory");
    }
    writer.finish(true).expect("memory");
    String::from_utf8(writer.into_inner()).expect("JSON is text")
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 3).expect("memory");
    encoder.include_checksum(true).expect("a known parameter");
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

/// A pipe that gives at most `step` bytes at a time.
struct Pipe {
    bytes: io::Cursor<Vec<u8>>,
    step: usize,
}

impl Read for Pipe {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n = self.step.min(buf.len());
        self.bytes.read(&mut buf[..n])
    }
}

fn pipe(bytes: &[u8], step: usize, options: &Options) -> heap_base::Result<Input> {
    in_order(Box::new(Pipe { bytes: io::Cursor::new(bytes.to_vec()), step }), options)
}

/// A file, gone from its folder already.
fn file(bytes: &[u8]) -> (tempfile::TempDir, Source) {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("input");
    std::fs::write(&path, bytes).expect("the folder takes files");
    (dir, Source::Path(path))
}

/// What an input says as a stream, or what is wrong with it; both if it is damaged.
fn read(input: heap_base::Result<Input>) -> (String, Option<String>) {
    let mut input = match input {
        Ok(input) => input,
        Err(e) => return (String::new(), Some(e.to_string())),
    };
    let mut writer = Writer::new(Vec::new());
    let result = input.read(SnapshotSelector::Last, "test 1", &mut writer);
    writer.finish(result.is_ok()).expect("memory");
    let text = String::from_utf8(writer.into_inner()).expect("JSON is text");
    (text, result.err().map(|e| e.to_string()))
}

fn whole(input: heap_base::Result<Input>) -> String {
    match read(input) {
        (text, None) => text,
        (_, Some(e)) => panic!("{e}"),
    }
}

fn wrong(input: heap_base::Result<Input>) -> String {
    read(input).1.expect("an error")
}

#[test]
fn operands() {
    let dir = tempfile::tempdir().expect("a folder");
    let at = |name: &str| dir.path().join(name).into_os_string();
    std::fs::write(at("there@3"), "").expect("the folder takes files");
    let cases: [(OsString, Option<&str>, Option<SnapshotSelector>); 9] = [
        (at("x"), Some("x"), None),
        (at("x@3"), Some("x"), Some(SnapshotSelector::Number(3))),
        (at("x@last"), Some("x"), Some(SnapshotSelector::Last)),
        (at("x@all"), Some("x"), Some(SnapshotSelector::All)),
        (at("x@"), Some("x@"), None),
        (at("x@y"), Some("x@y"), None),
        (at("x@1@2"), Some("x@1"), Some(SnapshotSelector::Number(2))),
        (at("there@3"), Some("there@3"), None),
        ("-".into(), None, None),
    ];
    for (text, name, pick) in cases {
        let operand = Operand::new(text.clone());
        let source = name.map_or(Source::Stdin, |name| Source::Path(PathBuf::from(at(name))));
        assert_eq!((operand.source, operand.pick), (source, pick), "{}", text.display());
    }
    for (text, isolate) in
        [("x@main", Some("main")), ("x@worker:3", Some("worker 3")), ("x@worker:", None), ("x@3", None)]
    {
        assert_eq!(Operand::new(text.into()).isolate.as_deref(), isolate, "{text}");
    }
    assert_eq!(Operand::new("-@2".into()).pick, Some(SnapshotSelector::Number(2)));
    assert_eq!(Operand::new("@2".into()).pick, None);
    let odd = OsString::from_vec(vec![b'x', 0xff, b'@', b'1']);
    assert_eq!(Operand::new(odd).pick, Some(SnapshotSelector::Number(1)));
    for wrong in ["", "-1", "+1", "1x", "99999999999999999999", "LAST"] {
        assert_eq!(pick(wrong), None, "{wrong}");
    }
}

#[test]
fn formats_are_detected_from_the_first_bytes() {
    let cases: [(&[u8], Option<&str>); 7] = [
        (V8.as_bytes(), Some("v8")),
        (b"{\"snapshot\":{\"meta\":{\"node_fields\":[", Some("v8")),
        (b"{\"type\":\"metadata\",\"key\":\"version_major\",\"value\":\"1\"}\n", Some("records")),
        (b"", None),
        (b"no dump\n", None),
        (b"{}", None),
        (&[0; 100], None),
    ];
    for (head, name) in cases {
        assert_eq!(detect(head).map(|f| f.name), name, "{:?}", String::from_utf8_lossy(head));
    }
    for (head, packed) in [
        (&zstd(b"x")[..4], true),
        (&gzip(b"x")[..4], true),
        (b"\x5f\x2a\x4d\x18", true),
        (b"\x60\x2a\x4d\x18", false),
        (b"\x1f\x8b\x07\x00", false),
        (b"\x28\xb5\x2f", false),
        (b"", false),
    ] {
        assert_eq!(packing(head).is_some(), packed, "{head:x?}");
    }
}

#[test]
fn names_of_formats_are_distinct() {
    for known in crate::FORMATS {
        assert!(std::ptr::eq(format(known.name).expect("by its name"), known));
    }
    assert!(format("nosuch").is_none());
}

#[test]
fn the_same_records_however_the_bytes_come() {
    let options = Options::default();
    let spooled =
        Options { limits: Limits { memory: 100, ..Limits::default() }, again: true, ..Options::default() };
    for plain in [V8.to_owned(), records(50)] {
        let plain = plain.as_bytes();
        let (half, rest) = plain.split_at(plain.len() / 2);
        let skippable = b"\x50\x2a\x4d\x18\x03\0\0\0abc";
        let (_dir, path) = file(plain);
        let expected = whole(open(&path, &options));
        assert!(
            expected.ends_with("strings=3\"}\n") || expected.ends_with("nodes=50 edges=0 strings=0\"}\n")
        );
        for bytes in [
            plain.to_vec(),
            zstd(plain),
            gzip(plain),
            zstd(&gzip(plain)),
            gzip(&zstd(plain)),
            zstd(&zstd(plain)),
            [zstd(half), zstd(rest)].concat(),
            [gzip(half), gzip(rest)].concat(),
            [skippable.as_slice(), &zstd(half), skippable, &zstd(rest), skippable].concat(),
            [zstd(b""), zstd(plain), zstd(b"")].concat(),
        ] {
            let (_dir, path) = file(&bytes);
            assert_eq!(whole(open(&path, &options)), expected);
            assert_eq!(whole(open(&path, &spooled)), expected);
            for step in [1, 3, 1000, usize::MAX] {
                assert_eq!(whole(pipe(&bytes, step, &options)), expected, "{step}");
                assert_eq!(whole(pipe(&bytes, step, &spooled)), expected, "{step}");
            }
        }
        assert_eq!(wrong(pipe(&zstd(&zstd(&zstd(plain))), 1000, &options)), "byte 0: packed more than twice");
    }
}

/// What comes behind the last member of gzip: nothing, another one, zeros of a block, or what is none of it.
#[test]
fn zeros_may_stand_behind_gzip() {
    let options = Options::default();
    let read = |bytes: &[u8], step: usize| {
        let mut writer = Writer::new(Vec::new());
        let read = pipe(bytes, step, &options)?.read(SnapshotSelector::Last, "", &mut writer);
        read.map(|()| writer.counts().nodes)
    };
    let (whole, packed) = (records(50), gzip(records(50).as_bytes()));
    let (head, tail) = whole.as_bytes().split_at(whole.len() / 2);
    let zeros = [0; 700];
    for step in [1, 1000] {
        for bytes in [
            packed.clone(),
            [&*packed, &zeros].concat(),
            [&*gzip(head), &*gzip(tail)].concat(),
            [&*gzip(head), &zeros, &*gzip(tail), &zeros[..1]].concat(),
        ] {
            assert_eq!(read(&bytes, step).expect("whole"), 50, "{step}");
        }
        let says = read(&[&*packed, b"trailing"].concat(), step).expect_err("more").to_string();
        assert!(says.ends_with("bytes behind the gzip data are none of it"), "{says}");
        let says = read(&[&*packed, &packed[..9]].concat(), step).expect_err("cut").to_string();
        assert!(says.contains("gzip data ends early"), "{says}");
    }
}

#[test]
fn a_text_that_lz4_left_readable_is_no_dump() {
    let packed = [
        &b"\x04\x22\x4d\x18\x64\x40\xa7\x7f\x00\x00\x00"[..],
        br#"{"snapshot":{"meta":{"node_fields":["type"]"#,
    ]
    .concat();
    let says = wrong(pipe(&packed, 1000, &Options::default()));
    assert!(says.contains("packed by lz4"), "{says}");
}

#[test]
fn a_stream_can_be_read_again_if_asked_for() {
    let options = Options { again: true, ..Options::default() };
    let mut input = pipe(records(50).as_bytes(), 1000, &options).expect("a stream");
    assert!(input.is_stream());
    for _ in 0..2 {
        let mut writer = Writer::new(Vec::new());
        input.read(SnapshotSelector::Last, "", &mut writer).expect("whole");
        assert_eq!(writer.counts().nodes, 50);
    }
    // Damage is found each time.
    let packed = gzip(records(50).as_bytes());
    let mut input = pipe(&packed[..packed.len() - 4], 1000, &options).expect("a stream");
    for _ in 0..2 {
        let result = input.read(SnapshotSelector::Last, "", &mut Writer::new(Vec::new()));
        assert!(result.expect_err("it was cut").to_string().starts_with("gzip data ends early"));
    }
    assert_eq!(input.format().name, "records");
}

/// Of a file that changes after it was opened the head alone may be read: that is no answer either.
#[cfg(feature = "moarvm")]
#[test]
fn facts_of_a_file_that_has_changed_are_refused() {
    let dump = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/moarvm/v3.mvmheap");
    let bytes = std::fs::read(dump).expect("a file of the project's");
    let (_dir, source) = file(&bytes);
    let Source::Path(path) = &source else { unreachable!("a file has a path") };
    let mut input = open(&source, &Options::default()).expect("a dump");
    assert!(!input.info().expect("a head").facts.is_empty());
    let mut more = std::fs::OpenOptions::new().append(true).open(path).expect("may be written");
    more.write_all(b"x").expect("there is room");
    let facts = input.info().map(|_| ());
    let records = input.read(SnapshotSelector::Last, "", &mut Writer::new(Vec::new()));
    for result in [facts, records] {
        assert!(result.expect_err("it has grown").to_string().contains("is still being written"));
    }
}

#[test]
fn what_is_no_dump_is_refused() {
    let options = Options::default();
    let cases: [(&[u8], &str); 6] = [
        (b"", "empty input"),
        (&zstd(b""), "empty input"),
        (&gzip(b""), "empty input"),
        (b"x", "byte 0: neither a record stream nor a dump that is known"),
        (&vec![b' '; 200_000], "byte 0: neither a record stream nor a dump that is known"),
        (&zstd(b"no dump"), "byte 0: neither a record stream nor a dump that is known"),
    ];
    for (bytes, what) in cases {
        let (_dir, path) = file(bytes);
        assert_eq!(wrong(open(&path, &options)), what);
        assert_eq!(wrong(pipe(bytes, 1000, &options)), what);
    }
    let dir = tempfile::tempdir().expect("a folder");
    assert_eq!(wrong(open(&Source::Path(dir.path().into()), &options)), "is a directory");
    let missing = Source::Path(dir.path().join("nosuch"));
    assert_eq!(wrong(open(&missing, &options)), "no such file or directory");
    for (name, hint) in [("4294967295", "pid:4294967295"), ("http://localhost:9229", "heap-dump http://")] {
        let error = wrong(open(&Source::Path(name.into()), &options));
        assert!(error.starts_with("no such file or directory: ") && error.contains(hint), "{error}");
    }
    let forced = Options { format: format("records"), ..Options::default() };
    assert!(wrong(pipe(b"x\n", 1000, &forced)).starts_with("line 1: "));
}

#[test]
fn what_expands_out_of_proportion_is_refused() {
    let bomb = "{\"type\":\"metadata\",\"key\":\"a\",\"value\":\"b\"}\n".repeat(500_000).into_bytes();
    let limits = Limits { free: 1 << 20, ratio: 100, ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    for packed in [zstd(&bomb), gzip(&bomb), zstd(&gzip(&bomb)), gzip(&zstd(&bomb))] {
        let what = wrong(pipe(&packed, 1 << 16, &options));
        assert!(what.ends_with("data expands more than 100 times: refused without --no-limit"), "{what}");
    }
    let limits = Limits { free: Limits::none().free, ..limits };
    whole(pipe(&zstd(&bomb), 1 << 16, &Options { limits, ..Options::default() }));
    // In proportion, and below the bound for spools.
    let options = Options { limits: Limits { ratio: 1 << 30, ..limits }, ..Options::default() };
    whole(pipe(&zstd(&bomb), 1 << 16, &options));
    let limits = Limits { memory: 1 << 10, spool: 1 << 20, ..Limits::default() };
    let options = Options { limits, again: true, ..Options::default() };
    assert!(wrong(pipe(&bomb, 1 << 16, &options)).starts_with("more than"));
}

#[test]
fn damage_is_reported_after_the_records_before_it() {
    let options = Options::default();
    let plain = records(20_000);
    for (name, packed) in [("zstd", zstd(plain.as_bytes())), ("gzip", gzip(plain.as_bytes()))] {
        let cut = &packed[..packed.len() / 2];
        let (text, what) = read(pipe(cut, 4096, &Options::default()));
        let what = what.expect("an error");
        let expected = format!("{name} data ends early, after {} bytes", cut.len());
        assert!(what.ends_with(&expected), "{what}, not {expected}");
        assert!(plain.starts_with(&text) && text.len() > 100_000, "{}", text.len());
    }
    // The error of a packed dump that was cut off is that of the packing.
    let packed = gzip(V8.as_bytes());
    let (_dir, path) = file(&packed[..packed.len() - 4]);
    assert!(wrong(open(&path, &options)).starts_with("gzip data ends early"));
}

#[test]
fn no_damage_does_worse_than_an_error() {
    let options = Options { limits: Limits { memory: 256, ..Limits::default() }, ..Options::default() };
    for plain in [V8.to_owned(), records(5)] {
        for packed in [zstd(plain.as_bytes()), gzip(plain.as_bytes()), zstd(&gzip(plain.as_bytes()))] {
            for end in 0..packed.len() {
                assert!(read(pipe(&packed[..end], usize::MAX, &options)).1.is_some(), "cut at {end}");
            }
            for at in 0..packed.len() {
                for mask in [1, 0x80, 0xff] {
                    let mut bytes = packed.clone();
                    bytes[at] ^= mask;
                    read(pipe(&bytes, usize::MAX, &options));
                }
            }
        }
    }
}

#[test]
fn info_counts_a_stream() {
    let mut text = records(3);
    text += &records(4);
    let mut input = pipe(text.as_bytes(), 1000, &Options::default()).expect("a stream");
    let info = input.info().expect("whole");
    assert_eq!(info.format, "records");
    let fact = |key| info.facts.iter().find(|(k, _)| *k == key).map(|(_, fact)| fact.clone());
    assert_eq!(fact("nodes"), Some(Fact::Int(7)));
    assert_eq!(fact("size"), Some(Fact::Bytes(56)));
    assert_eq!(fact("streams"), Some(Fact::Int(2)));
    assert_eq!(fact("complete"), Some(Fact::Flag(true)));
    let cut = &text[..text.len() - 40];
    let cut = &cut[..=cut.rfind('\n').expect("lines")];
    let info =
        pipe(cut.as_bytes(), 1000, &Options::default()).expect("a stream").info().expect("whole lines");
    assert!(info.facts.contains(&("complete", Fact::Flag(false))));
}

#[test]
fn an_sqlite_file_is_a_stored_stream() {
    let folder = tempfile::tempdir().expect("TMPDIR");
    let path = folder.path().join("x");
    let stored = include_bytes!("../../../../tests/data/sqlite/draft.db");
    std::fs::write(&path, stored).expect("TMPDIR");
    let packed = folder.path().join("y");
    std::fs::write(&packed, zstd(stored)).expect("TMPDIR");
    let lines = |path: PathBuf| {
        let mut writer = Writer::new(Vec::new());
        let mut input = open(&Source::Path(path), &Options::default()).expect("is known");
        assert_eq!(input.format().name, "sqlite");
        input.read(SnapshotSelector::Last, "unused", &mut writer).expect("is whole");
        writer.finish(true).expect("memory");
        String::from_utf8(writer.into_inner()).expect("lines are text")
    };
    let direct = lines(path);
    assert_eq!(direct, lines(packed));
    assert!(!direct.contains("unused"), "{direct}");
}

/// Options of targets, without values.
fn flags(names: &[&'static str]) -> targets::Options {
    let flags = names.iter().map(|name| (*name, String::new())).collect();
    targets::Options { flags, ..targets::Options::default() }
}

/// Writes a stream in a format, to a file or else to what is given back.
fn write(name: &str, path: Option<&Path>, text: &str, intact: bool) -> heap_base::Result<Vec<u8>> {
    let format = named(Some(name.as_ref())).expect("a target");
    let mut out = Vec::new();
    let mut destination = Destination::open(format, path, &mut out, &targets::Options::default())?;
    heap_record::read::read(text.as_bytes(), SnapshotSelector::All, destination.sink())?;
    destination.finish(intact)?;
    drop(destination);
    Ok(out)
}

#[test]
fn every_target_goes_to_a_file_as_to_standard_output() {
    let folder = tempfile::tempdir().expect("TMPDIR");
    let path = folder.path().join("x");
    for format in TARGETS {
        let refused = format.goes_to(false, false).is_err();
        assert!(format.goes_to(true, true).is_ok());
        assert_eq!(format.goes_to(false, true).is_ok(), !format.binary, "{}", format.name);
        write(format.name, Some(&path), &records(3), true).expect("a place for it");
        if path.is_dir() {
            // A data set is a folder, and has no other place.
            assert!(refused && path.join("metadata").is_dir(), "{}", format.name);
            std::fs::remove_dir_all(&path).expect("it is there");
            continue;
        }
        let file = std::fs::read(&path).expect("it has its name");
        assert!(!file.is_empty(), "{}", format.name);
        match write(format.name, None, &records(3), true) {
            Ok(out) => assert!(!refused && out == file, "{}", format.name),
            Err(_) => assert!(refused, "{}", format.name),
        }
        std::fs::remove_file(&path).expect("it is there");
    }
}

#[test]
fn a_file_is_kept_if_anything_came_before_the_damage() {
    let folder = tempfile::tempdir().expect("TMPDIR");
    let path = folder.path().join("x");
    let kept = |text: &str, intact| {
        std::fs::write(&path, "old").expect("TMPDIR");
        write("ndjson", Some(&path), text, intact).expect("a place for it");
        assert_eq!(std::fs::read_dir(folder.path()).expect("TMPDIR").count(), 1);
        std::fs::read_to_string(&path).expect("some file")
    };
    let (text, pipeline) = (records(3), "{\"type\":\"metadata\",\"key\":\"heap.pipeline\",\"value\":\"\"}\n");
    // What came before the promise of an end mark.
    let part = &text[..text.find("{\"type\":\"metadata\",\"key\":\"heap.end").expect("an end")];
    assert_eq!(kept(&text, true).replace(pipeline, ""), text);
    let promise = "{\"type\":\"metadata\",\"key\":\"heap.end\",\"value\":\"expected\"}\n";
    assert_eq!(kept(part, false).replace(pipeline, ""), [part, promise].concat());
    assert_eq!(kept("", false), "old");
    assert_eq!(kept("", true), "");
    // What was begun and not finished is gone.
    std::fs::write(&path, "old").expect("TMPDIR");
    for name in ["v8", "ndjson", "zst"] {
        let format = named(Some(name.as_ref())).expect("a target");
        let options = targets::Options::default();
        let mut destination = Destination::open(format, Some(&path), io::sink(), &options).expect("a place");
        heap_record::read::read(part.as_bytes(), SnapshotSelector::All, destination.sink())
            .expect("sound lines");
        drop(destination);
        assert_eq!(std::fs::read_to_string(&path).expect("the old one"), "old");
        assert_eq!(std::fs::read_dir(folder.path()).expect("TMPDIR").count(), 1);
    }
}

#[test]
fn writing_the_end_of_a_format_may_fail() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    for format in TARGETS.iter().filter(|f| f.goes_to(false, false).is_ok()) {
        let options = targets::Options::default();
        let mut destination = Destination::open(format, None, Full, &options).expect("sound options");
        let text = records(3);
        let read = heap_record::read::read(text.as_bytes(), SnapshotSelector::All, destination.sink());
        let written = read.and_then(|()| destination.finish(true));
        let e = written.expect_err(format.name);
        assert!(matches!(e.kind(), heap_base::error::Kind::Write(_)), "{}: {e}", format.name);
    }
}

#[test]
fn targets_say_what_they_do_not_take() {
    let names = TARGETS.iter().map(|target| target.name).collect::<Vec<_>>().join(", ");
    assert!(names.starts_with("v8, memory-infra, "));
    let wrong = |name: Option<&str>| named(name.map(str::as_ref)).map(|f| f.name).expect_err("none");
    assert_eq!(wrong(None), format!("no TARGET: one of {names}"));
    assert_eq!(wrong(Some("V8")), format!("unknown target 'V8': expected one of {names}"));
    let takes = |name: &str, given: &[&'static str]| {
        named(Some(name.as_ref())).expect("a target").takes(&flags(given))
    };
    assert_eq!(takes("memory-infra", &["v1", "cut", "self"]), Ok(()));
    assert_eq!(takes("v8", &["layout"]), Ok(()));
    assert_eq!(takes("v8", &["layout", "cut", "v1"]), Err("--cut is no option for v8".to_owned()));
    let goes = |name: &str| named(Some(name.as_ref())).expect("a target").goes_to(false, true);
    assert_eq!(goes("sqlite"), Err("sqlite needs -o FILE".to_owned()));
    assert_eq!(goes("zst"), Err("zst is nothing for a terminal: -o FILE".to_owned()));
    // Options that it takes, and that do not go together.
    let format = named(Some("memory-infra".as_ref())).expect("a target");
    for (given, sound) in
        [(&["v1", "v2"][..], false), (&["self"], false), (&["v1", "self"], true), (&["v2"], true)]
    {
        assert_eq!(Destination::open(format, None, io::sink(), &flags(given)).is_ok(), sound, "{given:?}");
    }
}

/// As some programs of Windows write text.
#[test]
fn text_may_begin_with_a_byte_order_mark() {
    let ruby = "{\"type\":\"ROOT\", \"root\":\"vm\", \"references\":[\"0x10\"]}\r\n\
                {\"address\":\"0x10\", \"type\":\"OBJECT\", \"memsize\":40}\r\n";
    let profile = "heap profile: 1: 16 [1: 16] @ heap/1\n1: 16 [1: 16] @ 0x1\n";
    for text in [records(3), ruby.to_owned(), profile.to_owned(), V8.to_owned()] {
        let read = |bytes: &[u8], options: &Options| {
            let (_folder, source) = file(bytes);
            [open(&source, options), pipe(bytes, 1, options)].map(|input| {
                let mut input = input.expect("the format is known");
                let mut stream = Writer::new(Vec::new());
                input.read(SnapshotSelector::Last, "test 1", &mut stream).expect("it is sound");
                stream.finish(true).expect("memory");
                (input.format().name, stream.into_inner())
            })
        };
        let plain = read(text.as_bytes(), &Options::default());
        let marked = [unwrap::MARK, text.as_bytes()].concat();
        assert_eq!(read(&marked, &Options::default()), plain, "{text}");
        let named = Options { format: format(plain[0].0), ..Options::default() };
        assert_eq!(read(&marked, &named), plain, "{text}");
        let units: Vec<u8> = format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(read(&units, &Options::default()), plain, "{text}");
    }
}
