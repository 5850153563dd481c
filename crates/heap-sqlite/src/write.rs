//! The writer: a sink that makes an SQLite file.

use std::fs::File;
use std::path::{Path, PathBuf};

use heap_base::{Error, Result, sys};
use heap_record::{Declaration, EdgeBatch, Extension, Metadata, NodeBatch, Sink, Str, Target, Wants};
use heap_spool::Pending;
use rusqlite::{Connection, OpenFlags};

use crate::fault;
use crate::load::Load;
use crate::schema::{APPLICATION_ID, CLASSES, INDEXES, USER_VERSION, views};

/// Which existing file may be replaced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Replace {
    /// An empty one, or an SQLite file that this writer made.
    #[default]
    Ours,
    /// Any.
    Any,
}

/// Writes a record stream as an SQLite file. Made by [`writer`].
#[derive(Debug)]
pub struct Writer {
    /// For messages.
    path: PathBuf,
    load: Load,
    /// The file under its temporary name, until it is complete.
    file: Option<(Connection, Pending)>,
}

/// Begins to write an SQLite file, under a temporary name beside `path`. [`Sink::finish`] gives it its own name. Dropped
/// before that, it leaves nothing behind, and a file at `path` stays.
///
/// Memory: 64 rows of each table, the declarations, and 1 MiB of cache; sorting for the indexes goes through
/// files in `TMPDIR`.
///
/// # Errors
/// `path` may not be replaced, or no file can be made beside it.
pub fn writer(path: &Path, replace: Replace) -> Result<Writer> {
    check_target(path, replace)?;
    let file = Pending::create_named(path)?;
    open(path, file).map_err(|e| e.at(path))
}

fn open(path: &Path, file: Pending) -> Result<Writer> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(file.path(), flags).map_err(fault::write)?;
    conn.set_prepared_statement_cache_capacity(256);
    // A failed run leaves no file, so nothing needs to be undone or synced. The cache is small because tables
    // are filled in order, and because SQLite sorts an index in pieces of that size: a piece of 1 MiB stays in
    // the processor's cache, and sorting 4 million random integers takes 1.3 s instead of 3.9 s with 64 MiB.
    conn.execute_batch(&format!(
        "PRAGMA page_size = 4096; PRAGMA application_id = {APPLICATION_ID};
         PRAGMA user_version = {USER_VERSION}; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
         PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -1024; BEGIN;"
    ))
    .map_err(fault::write)?;
    Ok(Writer { path: path.to_owned(), load: Load::default(), file: Some((conn, file)) })
}

/// Refuses to replace a file that `replace` does not allow.
fn check_target(path: &Path, replace: Replace) -> Result {
    let Ok(meta) = path.metadata() else { return Ok(()) };
    if !meta.is_file() {
        return Err(Error::refused("the output of an SQLite file has to be a regular file"));
    }
    if replace == Replace::Any || meta.len() == 0 {
        return Ok(());
    }
    let mut head = [0; 72];
    let ours = File::open(path).and_then(|f| sys::read_exact_at(&f, &mut head, 0)).is_ok()
        && head.starts_with(crate::MAGIC)
        && head[68..] == APPLICATION_ID.to_be_bytes();
    if ours { Ok(()) } else { Err(Error::refused("the output exists and is not an SQLite file of a heap")) }
}

impl Writer {
    /// Does something with the parts. A failure of the file names it.
    #[inline]
    fn with(&mut self, work: impl FnOnce(&mut Load, &Connection) -> Result) -> Result {
        let Some((conn, _)) = &self.file else { return Err(Error::refused("the SQLite file is finished")) };
        work(&mut self.load, conn).map_err(|e| e.at(&self.path))
    }

    fn complete(&mut self, conn: Connection, file: Pending, intact: bool) -> Result {
        if !intact && self.load.is_empty() {
            // No database is better than an empty one.
            return Ok(());
        }
        self.load.finish(&conn, intact)?;
        for (name, on) in INDEXES {
            if !self.load.has_index(name) {
                let sql = format!("CREATE INDEX {name} ON {on}");
                conn.execute_batch(&sql).map_err(fault::write)?;
            }
        }
        conn.execute_batch(CLASSES).map_err(fault::write)?;
        conn.execute_batch(&views(self.load.node_columns())).map_err(fault::write)?;
        self.load.index_dests(&conn)?;
        conn.execute_batch("COMMIT").map_err(fault::write)?;
        conn.close().map_err(|(_, e)| fault::write(e))?;
        file.persist()
    }
}

impl Sink for Writer {
    /// Who reads the database gets records in the order in which they came: declarations before what needs them.
    fn wants(&self) -> Wants {
        Wants::ALL
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        self.with(|load, conn| load.metadata(conn, record))
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.with(|load, conn| load.declare(conn, record))
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        self.with(|load, conn| load.string(conn, record))
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        self.with(|load, conn| batch.try_for_each(|node| load.node(conn, node)))
    }

    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        self.with(|load, conn| batch.try_for_each(|edge| load.edge(conn, edge)))
    }

    fn extension(&mut self, record: &Extension<'_>) -> Result {
        self.with(|load, conn| load.extension(conn, record))
    }

    /// Makes the indexes and views and gives the file its name. Where the input was damaged, the file has no
    /// `heap.end`, like a stream that was cut off.
    fn finish(&mut self, intact: bool) -> Result {
        let Some((conn, file)) = self.file.take() else { return Ok(()) };
        self.complete(conn, file, intact).map_err(|e| e.at(&self.path))
    }
}

/// The tables hold everything.
impl Target for Writer {}
