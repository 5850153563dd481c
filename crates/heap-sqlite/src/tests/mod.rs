//! Stream to SQLite to stream, files of other writers, damaged files.

mod damage;
mod index;
mod plain;
mod round;

use std::path::Path;

use heap_base::{Blob, Result};
use heap_record::testing::EVERYTHING as SAMPLE;
use heap_record::write::Form;
use heap_record::{Sink, SnapshotSelector, Writer};

use crate::{Replace, read, writer};

/// A stream as an SQLite file.
fn stored(stream: &[u8], path: &Path) -> Result {
    let mut out = writer(path, Replace::Ours)?;
    heap_record::read::read(stream, SnapshotSelector::All, &mut out)?;
    out.finish(true)
}

/// What a reader emits, as a stream.
fn emitted(read: impl FnOnce(&mut dyn Sink) -> Result) -> (String, Result) {
    let mut out = Writer::new(Vec::new());
    let result = read(&mut out);
    out.finish(result.is_ok()).expect("a vector");
    (String::from_utf8(out.into_inner()).expect("the writer writes UTF-8"), result)
}

/// An SQLite file as a stream.
fn stream_of(path: &Path, pick: SnapshotSelector) -> (String, Result) {
    let blob = Blob::from_file(std::fs::File::open(path).expect("was written")).expect("has a length");
    emitted(|sink| read(&blob, pick, sink))
}

/// A stream in canonical form.
fn canonical(stream: &[u8]) -> Result<String> {
    let mut out = Writer::new(Vec::new()).form(Form::Canonical);
    heap_record::read::read(stream, SnapshotSelector::All, &mut out)?;
    out.finish(true)?;
    Ok(String::from_utf8(out.into_inner()).expect("the writer writes UTF-8"))
}

/// One column of a query's rows.
fn query(path: &Path, sql: &str) -> Vec<String> {
    let conn = rusqlite::Connection::open(path).expect("was written");
    let mut statement = conn.prepare(sql).expect("is SQL");
    let width = statement.column_count();
    let rows = statement
        .query_map([], |row| {
            let cell = |i| {
                Ok(match row.get_ref(i)? {
                    rusqlite::types::ValueRef::Null => "NULL".to_owned(),
                    rusqlite::types::ValueRef::Integer(n) => n.to_string(),
                    rusqlite::types::ValueRef::Real(x) => x.to_string(),
                    rusqlite::types::ValueRef::Text(t) | rusqlite::types::ValueRef::Blob(t) => {
                        String::from_utf8_lossy(t).into_owned()
                    }
                })
            };
            (0..width).map(cell).collect::<rusqlite::Result<Vec<_>>>().map(|cells| cells.join("|"))
        })
        .expect("runs");
    rows.collect::<rusqlite::Result<_>>().expect("runs")
}
