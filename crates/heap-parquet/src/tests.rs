//! Stream to partition to stream, what a data set refuses, damaged files.

#![allow(clippy::unwrap_used, reason = "a test that fails panics")]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use heap_base::{Blob, Dump, Result};
use heap_record::testing::EVERYTHING;
use heap_record::write::Form;
use heap_record::{Sink, SnapshotSelector, Tag, Target, Writer, read as stream};
use tempfile::TempDir;

use crate::{info, partitions, read, with_tables, writer};

fn tags(texts: &[&str]) -> Vec<Tag> {
    texts.iter().map(|text| Tag::parse(text).unwrap()).collect()
}

/// Adds streams to a data set, by name.
fn add(root: &Path, with: &[&str], streams: &[(&str, &str)]) -> Result {
    let mut out = writer(root, tags(with))?;
    for (name, text) in streams {
        out.begin_input(Some(name))?;
        let intact = stream::read(text.as_bytes(), SnapshotSelector::All, &mut out).is_ok();
        out.end_input(intact)?;
    }
    out.finish(true)
}

/// All files below a folder, without it, in order.
fn files(root: &Path) -> Vec<String> {
    let (mut folders, mut files) = (vec![root.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    files.sort();
    files
}

fn emitted(read: impl FnOnce(&mut dyn Sink) -> Result) -> (String, Result) {
    let mut out = Writer::new(Vec::new()).form(Form::Canonical);
    let result = read(&mut out);
    out.finish(result.is_ok()).unwrap();
    (String::from_utf8(out.into_inner()).unwrap(), result)
}

fn open(path: &Path) -> Dump {
    with_tables(Blob::from_file(fs::File::open(path).unwrap()).unwrap(), path).unwrap()
}

fn read_at(path: &Path, pick: SnapshotSelector) -> (String, Result) {
    emitted(|sink| read(&open(path), pick, sink))
}

fn only(root: &Path) -> PathBuf {
    let mut found = partitions(root).unwrap().unwrap();
    assert_eq!(found.len(), 1);
    found.remove(0)
}

#[test]
fn a_stream_with_everything() {
    let root = TempDir::new().unwrap();
    add(root.path(), &["pod=17"], &[("a", EVERYTHING)]).unwrap();
    let path = only(root.path());
    let (found, result) = read_at(&path, SnapshotSelector::Last);
    result.unwrap();
    assert_eq!(found, EVERYTHING);
    let tables = ["edges", "metadata", "nodes", "strings", "v8_location"];
    let expected: Vec<_> =
        tables.iter().map(|table| format!("{table}/pod=17/dump=a/part-0.parquet")).collect();
    assert_eq!(files(root.path()), expected);
    // Any file of the partition stands for it, and any folder above.
    let nodes = root.path().join("nodes/pod=17/dump=a");
    assert_eq!(read_at(&nodes.join("part-0.parquet"), SnapshotSelector::All).0, EVERYTHING);
    assert_eq!(partitions(&nodes).unwrap(), Some(vec![path]));
    assert_eq!(partitions(&root.path().join("tmp")).unwrap(), None);
    let facts = format!("{:?}", info(&open(&nodes.join("part-0.parquet"))).unwrap());
    for fact in ["(\"nodes\", Int(10))", "(\"edges\", Int(6))", "(\"strings\", Int(5))", "by hand"] {
        assert!(facts.contains(fact), "{facts}");
    }
}

/// Row groups end, and dictionaries begin anew.
#[test]
fn a_stream_of_several_row_groups() {
    let mut text = String::from("{\"type\":\"metadata\",\"key\":\"version_major\",\"value\":\"1\"}\n");
    text.push_str("{\"type\":\"metadata\",\"key\":\"heap.end\",\"value\":\"expected\"}\n");
    text.push_str(
        "{\"type\":\"node_type\",\"nodetypeid\":1,\"name\":\"object\",\"fields\":{\"data\":\"string\"}}\n",
    );
    let (strings, nodes) = (1000, 600_000);
    for i in 0..strings {
        let _ = writeln!(text, "{{\"type\":\"string\",\"stringid\":{i},\"data\":\"text {i}\"}}");
    }
    for i in 0..nodes {
        let (id, class, data) = (2 * i + 1, i * 7 / 5000, i % 997);
        let data = if i % 3 == 0 { format!("\"data\":{data},") } else { String::new() };
        let _ = writeln!(
            text,
            "{{\"type\":\"node\",\"subtype\":1,\"identifier\":{id},{data}\"heap\":{{\"size\":{},\"class\":{class}}}}}",
            i % 91
        );
    }
    let _ = writeln!(
        text,
        "{{\"type\":\"metadata\",\"key\":\"heap.end\",\"value\":\"nodes={nodes} edges=0 strings={strings}\"}}"
    );
    let root = TempDir::new().unwrap();
    add(root.path(), &[], &[("a", &text)]).unwrap();
    let (found, result) = read_at(&only(root.path()), SnapshotSelector::All);
    result.unwrap();
    assert!(found == text);
}

#[test]
fn snapshots_are_picked() {
    let mut text = String::from("{\"type\":\"metadata\",\"key\":\"version_major\",\"value\":\"1\"}\n");
    for snapshot in 0..3 {
        // What the first one declares holds on.
        let declared = if snapshot == 0 {
            "{\"type\":\"node_type\",\"nodetypeid\":1,\"name\":\"object\"}\n"
        } else {
            ""
        };
        let _ = writeln!(
            text,
            "{{\"type\":\"metadata\",\"key\":\"heap.snapshot\",\"value\":\"{snapshot}\"}}\n\
             {declared}{{\"type\":\"node\",\"subtype\":1,\"identifier\":{}}}",
            2 * snapshot + 1
        );
    }
    let root = TempDir::new().unwrap();
    add(root.path(), &[], &[("a", &text)]).unwrap();
    let path = only(root.path());
    let nodes = |pick| read_at(&path, pick).0.matches("\"identifier\"").count();
    assert_eq!((nodes(SnapshotSelector::All), nodes(SnapshotSelector::Last)), (3, 1));
    for (number, id) in [(0, 1), (1, 3), (2, 5)] {
        let found = read_at(&path, SnapshotSelector::Number(number)).0;
        assert!(found.contains(&format!("\"identifier\":{id}")), "{found}");
        assert_eq!(found.matches("\"nodetypeid\":1,\"name\":\"object\"").count(), 1, "{found}");
    }
    assert!(read_at(&path, SnapshotSelector::Number(7)).1.is_err());
}

#[test]
fn a_data_set_grows_and_keeps_its_keys() {
    let root = TempDir::new().unwrap();
    let root = root.path();
    add(root, &["pod=1"], &[("x/a", EVERYTHING), ("b", EVERYTHING)]).unwrap();
    add(root, &["pod=a=b%/\n"], &[("b", EVERYTHING)]).unwrap();
    let names = |found: Vec<PathBuf>| -> Vec<String> {
        let name =
            |path: PathBuf| path.strip_prefix(root).unwrap().parent().unwrap().to_str().unwrap().to_owned();
        found.into_iter().map(name).collect()
    };
    assert_eq!(
        names(partitions(root).unwrap().unwrap()),
        ["metadata/pod=1/dump=b", "metadata/pod=1/dump=x%2Fa", "metadata/pod=a%3Db%25%2F%0A/dump=b"]
    );
    assert_eq!(names(partitions(&root.join("nodes/pod=1")).unwrap().unwrap()).len(), 2);
    // The same again replaces; other keys, and two of one name, are refused.
    let few = "{\"type\":\"metadata\",\"key\":\"version_major\",\"value\":\"1\"}\n";
    add(root, &["pod=1"], &[("b", few)]).unwrap();
    assert!(!root.join("v8_location/pod=1/dump=b").exists());
    for with in [&["host=1"][..], &[], &["pod=1", "host=2"]] {
        assert!(add(root, with, &[("c", EVERYTHING)]).is_err(), "{with:?}");
    }
    assert!(add(root, &["pod=3"], &[("c", few), ("c", few)]).is_err());
    assert!(add(root, &["pod=4"], &[(&"c".repeat(300), few)]).is_err());
    assert!(!files(root).iter().any(|file| file.contains("/.") || file.starts_with('.')));
    // What is no data set is left alone.
    fs::create_dir(root.join("other")).unwrap();
    fs::write(root.join("other/file"), "text").unwrap();
    assert!(writer(&root.join("other"), Vec::new()).is_err());
}

#[test]
fn tags_come_from_metadata() {
    let text = "{\"type\":\"metadata\",\"key\":\"version_major\",\"value\":\"1\"}\n\
                {\"type\":\"metadata\",\"key\":\"target_pid\",\"value\":\"42\"}\n";
    let root = TempDir::new().unwrap();
    let mut out = writer(root.path(), tags(&["pid", "host"])).unwrap();
    stream::read(text.as_bytes(), SnapshotSelector::All, &mut out).unwrap();
    out.finish(true).unwrap();
    assert_eq!(
        files(root.path())[0],
        "edges/pid=42/host=__HIVE_DEFAULT_PARTITION__/dump=stdin/part-0.parquet"
    );
    assert_eq!(out.notes().len(), 1, "{:?}", out.notes());
    for wrong in ["", "=1", "a-b=1", "1=1", "_x=1"] {
        assert!(Tag::parse(wrong).is_err(), "{wrong}");
    }
    for wrong in [&["class=1"][..], &["Heap_Size=1"], &["pod=1", "pod=2"]] {
        assert!(writer(root.path(), tags(wrong)).is_err(), "{wrong:?}");
    }
}

#[test]
fn a_damaged_input_gets_no_partition() {
    let root = TempDir::new().unwrap();
    let cut = &EVERYTHING[..EVERYTHING.len() / 2];
    add(root.path(), &[], &[("a", EVERYTHING), ("cut", cut), ("z", EVERYTHING)]).unwrap();
    let names: Vec<_> = files(root.path()).into_iter().filter(|file| file.starts_with("nodes")).collect();
    assert_eq!(names, ["nodes/dump=a/part-0.parquet", "nodes/dump=z/part-0.parquet"]);
    // Dropped before its end, a writer leaves nothing.
    let mut out = writer(root.path(), Vec::new()).unwrap();
    out.begin_input(Some("late")).unwrap();
    stream::read(EVERYTHING.as_bytes(), SnapshotSelector::All, &mut out).unwrap();
    drop(out);
    assert!(!files(root.path()).iter().any(|file| file.contains("late") || file.starts_with('.')));
}

#[test]
fn incomplete_and_foreign_partitions_are_refused() {
    let root = TempDir::new().unwrap();
    add(root.path(), &[], &[("a", EVERYTHING), ("b", EVERYTHING)]).unwrap();
    let path = root.path().join("metadata/dump=a/part-0.parquet");
    // The edges of another dump.
    let edges = root.path().join("edges/dump=a/part-0.parquet");
    let few = "{\"type\":\"metadata\",\"key\":\"version_major\",\"value\":\"1\"}\n";
    add(root.path(), &[], &[("few", few)]).unwrap();
    fs::copy(root.path().join("edges/dump=few/part-0.parquet"), &edges).unwrap();
    let error = read_at(&path, SnapshotSelector::All).1.unwrap_err().to_string();
    assert!(error.contains("edges"), "{error}");
    fs::remove_file(&edges).unwrap();
    let error = read_at(&path, SnapshotSelector::All).1.unwrap_err().to_string();
    assert!(error.contains("no table edges"), "{error}");
}

/// A writer that was killed while it gave names: the partition is named, and the next call mends it.
#[test]
fn a_partition_without_metadata_is_incomplete() {
    let root = TempDir::new().unwrap();
    let root = root.path();
    add(root, &["pod=1"], &[("a", EVERYTHING), ("b", EVERYTHING), ("c", EVERYTHING)]).unwrap();
    let lost = root.join("metadata/pod=1/dump=b/part-0.parquet");
    fs::remove_file(&lost).unwrap();
    for folder in
        [root.to_owned(), root.join("nodes"), root.join("edges/pod=1"), root.join("nodes/pod=1/dump=b")]
    {
        let found = partitions(&folder).unwrap().unwrap();
        assert!(found.contains(&lost) && !lost.exists(), "{found:?}");
        assert!(found.is_sorted(), "{found:?}");
    }
    fs::remove_dir(lost.parent().unwrap()).unwrap();
    assert_eq!(partitions(&root.join("nodes/pod=1")).unwrap().unwrap().len(), 3);
    add(root, &["pod=1"], &[("b", EVERYTHING)]).unwrap();
    assert!(lost.exists());
}

/// Every table cut and with bytes changed: an error or the same stream, and neither a panic nor a loop.
#[test]
fn damaged_tables() {
    let root = TempDir::new().unwrap();
    add(root.path(), &[], &[("a", EVERYTHING)]).unwrap();
    let folder = |table: &str| root.path().join(table).join("dump=a/part-0.parquet");
    let tables = ["metadata", "nodes", "edges", "strings", "v8_location"];
    let all: Vec<Vec<u8>> = tables.iter().map(|table| fs::read(folder(table)).unwrap()).collect();
    let partition = |tables: &[Vec<u8>]| {
        let mut tables = tables.iter().map(|bytes| Blob::from_bytes(bytes.as_slice()));
        Dump { blob: tables.next().unwrap(), companions: tables.collect() }
    };
    let read_all = |bytes: &[Vec<u8>]| {
        let dump = partition(bytes);
        let _ = info(&dump);
        emitted(|sink| read(&dump, SnapshotSelector::All, sink))
    };
    assert_eq!(read_all(&all).0, EVERYTHING);
    for table in 0..tables.len() {
        let mut damaged = all.clone();
        for cut in (0..all[table].len()).step_by(7) {
            damaged[table].truncate(0);
            damaged[table].extend_from_slice(&all[table][..cut]);
            assert!(read_all(&damaged).1.is_err(), "{} cut to {cut}", tables[table]);
        }
        damaged[table].clone_from(&all[table]);
        for at in (table..all[table].len()).step_by(5) {
            damaged[table][at] ^= [0xff, 1, 0x80, 0x55][at % 4];
            let _ = read_all(&damaged);
            damaged[table][at] = all[table][at];
        }
    }
}
