//! Damaged and forged files: an error, and neither a panic nor a loop.

use std::time::{Duration, Instant};

use heap_base::Blob;
use heap_record::{Sink, SnapshotSelector};

use super::{SAMPLE, emitted, query, stored, stream_of};
use crate::{Replace, info, read, writer};

fn sample() -> Vec<u8> {
    let folder = tempfile::tempdir().expect("TMPDIR");
    let path = folder.path().join("x.db");
    stored(SAMPLE.as_bytes(), &path).expect("is written");
    std::fs::read(&path).expect("is there")
}

fn reads(bytes: &[u8]) -> (String, Option<String>) {
    let blob = Blob::from_bytes(bytes);
    let start = Instant::now();
    let (stream, result) = emitted(|sink| read(&blob, SnapshotSelector::All, sink));
    let _ = info(&blob);
    assert!(start.elapsed() < Duration::from_secs(20), "took too long");
    (stream, result.err().map(|e| e.to_string()))
}

#[test]
fn a_file_cut_anywhere() {
    let bytes = sample();
    assert_eq!(reads(&bytes), (SAMPLE.to_owned(), None));
    let cuts = (0..300).chain((0..bytes.len()).step_by(509)).chain(bytes.len() - 40..bytes.len());
    for cut in cuts {
        let (stream, error) = reads(&bytes[..cut]);
        // The last page may hold nothing that is read.
        if error.is_none() {
            assert_eq!(stream, SAMPLE, "cut to {cut}");
        }
    }
}

/// What came before the damage of an input is in the database, and its reader says that it is a part.
#[test]
fn a_part_is_no_whole() {
    let folder = tempfile::tempdir().expect("TMPDIR");
    let path = folder.path().join("x.db");
    let mut out = writer(&path, Replace::Ours).expect("a new file");
    heap_record::read::read(SAMPLE.as_bytes(), SnapshotSelector::All, &mut out).expect("is whole");
    out.finish(false).expect("is written");
    let bytes = std::fs::read(&path).expect("is there");
    let (stream, error) = reads(&bytes);
    assert!(SAMPLE.starts_with(&stream) && stream.lines().count() + 1 == SAMPLE.lines().count(), "{stream}");
    assert!(error.is_some_and(|e| e.contains("the database is a part")));
}

/// The smallest file that there is, at every third byte: what has four or eight meets each of its bytes somewhere.
#[test]
fn a_small_file_cut_and_flipped_all_over() {
    let bytes = include_bytes!("../../../../tests/data/sqlite/draft.db");
    let whole = reads(bytes);
    assert_eq!(whole.1, None);
    let mut changed = bytes.to_vec();
    for at in (0..bytes.len()).step_by(3) {
        let (stream, error) = reads(&bytes[..at]);
        assert!(error.is_some() || stream == whole.0, "cut to {at}");
        changed[at] ^= [0xff, 1, 0x80, 0x55][at % 4];
        reads(&changed);
        changed[at] = bytes[at];
    }
}

#[test]
fn bytes_flipped_anywhere() {
    let bytes = sample();
    let mut errors = 0;
    // Each page begins with what matters most.
    let places =
        (0..120).chain((0..bytes.len()).filter(|i| i % 4096 < 12)).chain((0..bytes.len()).step_by(97));
    for (i, at) in places.enumerate() {
        let mut bytes = bytes.clone();
        bytes[at] ^= [0xff, 1, 0x80, 0x55][i % 4];
        errors += usize::from(reads(&bytes).1.is_some());
    }
    assert!(errors > 100, "only {errors} errors");
}

#[test]
fn a_tree_that_goes_in_a_circle() {
    let folder = tempfile::tempdir().expect("TMPDIR");
    let path = folder.path().join("x.db");
    let conn = rusqlite::Connection::open(&path).expect("TMPDIR");
    conn.execute_batch(
        "PRAGMA page_size = 512; CREATE TABLE strings(stringid, data);
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
         INSERT INTO strings SELECT i, 'text ' || i FROM n;",
    )
    .expect("is SQL");
    let root: isize = conn
        .query_row("SELECT rootpage FROM sqlite_schema WHERE name = 'strings'", [], |r| r.get(0))
        .expect("is there");
    drop(conn);
    let mut bytes = std::fs::read(&path).expect("is there");
    // All children of the root are its first one: with more levels this would never end.
    let page = (root as usize - 1) * 512;
    let u16_at = |bytes: &[u8], at: usize| usize::from(u16::from_be_bytes([bytes[at], bytes[at + 1]]));
    assert_eq!(bytes[page], 5, "an interior page of a table");
    let cells = u16_at(&bytes, page + 3);
    let first = u16_at(&bytes, page + 12);
    let child: [u8; 4] = bytes[page + first..page + first + 4].try_into().expect("four");
    for i in 0..cells {
        let cell = u16_at(&bytes, page + 12 + 2 * i);
        bytes[page + cell..page + cell + 4].copy_from_slice(&child);
    }
    let (stream, error) = reads(&bytes);
    let error = error.expect("is damaged");
    assert!(error.contains("in a circle") || error.contains("malformed"), "{error}");
    assert!(stream.contains("\"data\":\"text 1\""), "what comes before is emitted");
}

#[test]
fn nothing_in_a_file_is_run() {
    let folder = tempfile::tempdir().expect("TMPDIR");
    let path = folder.path().join("x.db");
    stored(SAMPLE.as_bytes(), &path).expect("is written");
    let conn = rusqlite::Connection::open(&path).expect("is there");
    conn.execute_batch(
        "CREATE TABLE closure_2(node_identifier, big GENERATED ALWAYS AS (hex(zeroblob(400000000))));
         DROP TABLE oddball; CREATE VIEW oddball AS SELECT hex(zeroblob(400000000)) AS node_identifier;
         CREATE TABLE strings_2 AS SELECT * FROM strings; DROP VIEW objects; DROP VIEW edges; DROP TABLE strings;
         PRAGMA writable_schema = 1;
         INSERT INTO sqlite_schema
             VALUES('table', 'strings', 'strings', 0, 'CREATE VIRTUAL TABLE strings USING fts5(stringid, data)');
         PRAGMA writable_schema = 0;
         UPDATE node_types SET table_name = 'oddball' WHERE nodetypeid = 1;
         UPDATE node_types SET table_name = 'node' WHERE nodetypeid = 2;
         UPDATE heap_fields SET column_name = 'heap_rest' WHERE field = 'heap.key';",
    )
    .expect("is SQL");
    drop(conn);
    let before = std::fs::read(&path).expect("is there");
    let (stream, result) = stream_of(&path, SnapshotSelector::All);
    assert!(result.is_err() || !stream.contains("\"type\":\"string\""), "{stream}");
    assert_eq!(std::fs::read(&path).expect("is there"), before, "the file is as it was");
}

#[test]
fn hand_edited_files() {
    let folder = tempfile::tempdir().expect("TMPDIR");
    let path = folder.path().join("x.db");
    let check = |sql: &str, test: &dyn Fn(String, Option<String>)| {
        stored(SAMPLE.as_bytes(), &path).expect("is written");
        query(&path, sql);
        let (stream, result) = stream_of(&path, SnapshotSelector::All);
        test(stream, result.err().map(|e| e.to_string()));
    };
    // Nodes deleted by hand: the rows of their subtypes are passed over.
    check("DELETE FROM node WHERE identifier < 11", &|stream, error| {
        assert_eq!(error, None);
        let nodes = |stream: &str| -> Vec<String> {
            stream.lines().filter(|l| l.starts_with("{\"type\":\"node\"")).map(str::to_owned).collect()
        };
        // Those with the numbers 2^53 + 1, 11, 13, 15 and 17.
        assert_eq!(nodes(&stream), nodes(SAMPLE)[4..9]);
    });
    check("UPDATE object SET constructor = 'x'", &|_, error| {
        assert_eq!(error.as_deref(), Some("table object, row 24: expected a whole number in constructor"));
    });
    check("UPDATE dart_number SET exact = 2", &|_, error| {
        assert_eq!(error.as_deref(), Some("table dart_number, row 27: expected 0 or 1 in exact"));
    });
    check("UPDATE node SET heap_rest = '[]' WHERE identifier = 3", &|_, error| {
        assert_eq!(error.as_deref(), Some("table node, row 24: expected a JSON object in heap_rest"));
    });
    check("UPDATE heap_fields SET kind = 'colour'", &|_, error| {
        assert_eq!(error.as_deref(), Some("table heap_fields, row 1: expected the kind of a field in kind"));
    });
    check("UPDATE edge_types SET heap_retains = 'maybe'", &|_, error| {
        assert_eq!(
            error.as_deref(),
            Some("table edge_types, row 15: expected yes, no, root or weak in heap_retains")
        );
    });
    check("UPDATE edge_types SET heap_role = 'colour'", &|_, error| {
        assert_eq!(
            error.as_deref(),
            Some(
                "table edge_types, row 15: expected member, element, variable, static or inner in heap_role"
            )
        );
    });
    check("DROP TABLE heap_types", &|stream, error| {
        assert_eq!(error, None);
        assert!(!stream.contains("\"type\":\"type\""));
    });
    check("UPDATE node SET heap_size = 1000 WHERE identifier = 3", &|stream, _| {
        assert!(stream.contains("\"constructor\":7,\"heap\":{\"size\":1000,\"class\":17"));
    });
}

#[test]
fn a_spool_file_without_a_name() {
    use std::io::Write;
    let mut file = tempfile::tempfile().expect("TMPDIR");
    file.write_all(&sample()).expect("TMPDIR");
    let blob = Blob::from_file(file).expect("has a length");
    let (stream, result) = emitted(|sink| read(&blob, SnapshotSelector::All, sink));
    result.expect("is read");
    assert_eq!(stream, SAMPLE);
}

/// What another program has written, and SQLite has not moved into the file yet, is part of it.
#[test]
fn a_file_with_an_open_write_ahead_log_is_refused() {
    let folder = tempfile::tempdir().expect("TMPDIR");
    let path = folder.path().join("x.db");
    stored(SAMPLE.as_bytes(), &path).expect("is written");
    let writer = rusqlite::Connection::open(&path).expect("opens");
    writer.execute_batch("PRAGMA journal_mode = WAL; DELETE FROM node;").expect("writes");
    let read_it = || {
        let blob = Blob::from_file(std::fs::File::open(&path).expect("opens")).expect("has a length");
        let (stream, result) = emitted(|sink| read(&blob, SnapshotSelector::All, sink));
        (stream, result.err().map(|e| e.to_string()), info(&blob).err().map(|e| e.to_string()))
    };
    let (stream, error, info) = read_it();
    assert_eq!((stream.as_str(), &error), ("", &info));
    assert!(error.is_some_and(|e| e.contains("write-ahead log") && e.contains("x.db-wal")));
    // Closed, the file has it all.
    drop(writer);
    let (stream, error, _) = read_it();
    assert!(error.is_none() && !stream.contains("\"type\":\"node\""), "{error:?} {stream}");
}

#[test]
fn names_with_odd_letters() {
    let folder = tempfile::tempdir().expect("TMPDIR");
    let path = folder.path().join("a ?b#c%41&'\"é.db");
    stored(SAMPLE.as_bytes(), &path).expect("is written");
    assert_eq!(stream_of(&path, SnapshotSelector::All).0, SAMPLE);
}

/// A length in a row makes SQLite take memory for as many pages, in each table.
#[test]
fn rows_that_claim_gigabytes() {
    let folder = tempfile::tempdir().expect("TMPDIR");
    let path = folder.path().join("x.db");
    let conn = rusqlite::Connection::open(&path).expect("TMPDIR");
    // A row with a length of two bytes and a number of nine.
    conn.execute_batch(
        "PRAGMA page_size = 512;
         CREATE TABLE node_types(nodetypeid INTEGER, name TEXT, table_name TEXT);
         CREATE TABLE node(identifier INTEGER, nodetypeid INTEGER);
         CREATE TABLE t(node_identifier INTEGER, a TEXT, b INTEGER);
         INSERT INTO node_types VALUES(1, 't', 't');
         INSERT INTO node VALUES(1, 1);
         INSERT INTO t(rowid, node_identifier, a, b) VALUES(72057594037927941, 1, printf('%.700c', 'x'), 1);
         PRAGMA writable_schema = 1;
         UPDATE sqlite_schema SET sql = replace(sql, ', b INTEGER', '');",
    )
    .expect("is written");
    let root: u32 = conn
        .query_one("SELECT rootpage FROM sqlite_schema WHERE name = 't'", [], |row| row.get(0))
        .expect("is there");
    drop(conn);
    let mut bytes = std::fs::read(&path).expect("is there");
    let (stream, error) = reads(&bytes);
    assert!(stream.contains("xxxxxxx") && error.is_none(), "{error:?}\n{stream}");

    // Five bytes and six. So many bytes more leave as many on the first page.
    let page = (root as usize - 1) * 512;
    let row = page + usize::from(u16::from_be_bytes([bytes[page + 8], bytes[page + 9]]));
    let length = u64::from(bytes[row] & 0x7f) << 7 | u64::from(bytes[row + 1]);
    let length = length + 508 * ((u64::from(u32::MAX) - length) / 508);
    let seven = |shift: u32| (length >> shift & 0x7f) as u8;
    let claim = [seven(28) | 0x80, seven(21) | 0x80, seven(14) | 0x80, seven(7) | 0x80, seven(0)];
    bytes[row..row + 5].copy_from_slice(&claim);
    bytes[row + 5..row + 11].copy_from_slice(&[0x82, 0x80, 0x80, 0x80, 0x80, 0]);
    let refused = |row: usize| Some(format!("byte {row}: rows claim more bytes than there are"));
    assert_eq!(reads(&bytes), (String::new(), refused(row)));

    // The schema is a table like others. Here the last of its pages is spoilt.
    let mut bytes = include_bytes!("../../../../tests/data/sqlite/draft.db").to_vec();
    assert_eq!(bytes[100], 5, "an interior page of a table");
    let page = (usize::from(bytes[111]) - 1) * 512;
    let row = page + usize::from(u16::from_be_bytes([bytes[page + 8], bytes[page + 9]]));
    bytes[row..row + 5].copy_from_slice(&claim);
    assert_eq!(reads(&bytes), (String::new(), refused(row)));
}
