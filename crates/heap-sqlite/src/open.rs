//! Opens an SQLite file of unknown origin: nothing in it is run or trusted.

use std::fs::File;
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};

use heap_base::{Blob, Error, Result, sys};
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, MAIN_DB, OpenFlags};

use crate::{claims, fault};

/// An open file.
#[derive(Debug)]
pub(crate) struct Db {
    pub(crate) conn: Connection,
}

/// Opens the file of `blob` in place where it has a name, in memory where the bytes are in memory, and a copy in
/// `TMPDIR` else: SQLite wants a name, and a spool file has none. Where no file can be made, the copy is in memory.
pub(crate) fn open(blob: &Blob) -> Result<Db> {
    let failed = |e: rusqlite::Error| fault::read("not a whole SQLite file", &e);
    let mut copy = None;
    let path = match blob.file() {
        None => None,
        Some(file) => match name_of(file, blob.path()) {
            Some(path) => {
                check_log(&path)?;
                Some(path)
            }
            None => match copied(blob) {
                Ok(temp) => Some(copy.insert(temp).to_path_buf()),
                Err(e) if may_be_in_memory(&e, blob.len()) => None,
                Err(e) => return Err(Error::read(e)),
            },
        },
    };
    let conn = match path {
        None => in_memory(blob).map_err(failed)?,
        Some(path) => {
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
                | OpenFlags::SQLITE_OPEN_URI
                | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            Connection::open_with_flags(uri(&path), flags).map_err(failed)?
        }
    };
    // A file may not run triggers or functions from its schema, use a view as a table, or claim values longer than
    // itself.
    for (config, on) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
    ] {
        conn.set_db_config(config, on).map_err(failed)?;
    }
    let longest = i32::try_from(blob.len().max(1 << 20)).unwrap_or(i32::MAX);
    conn.set_limit(Limit::SQLITE_LIMIT_LENGTH, longest).map_err(failed)?;
    claims::check(blob, &conn)?;
    // SQLite has it open by now; without a name it goes with the process.
    drop(copy);
    conn.execute_batch("PRAGMA query_only = 1; PRAGMA cell_size_check = 1; PRAGMA mmap_size = 0;")
        .map_err(failed)?;
    Ok(Db { conn })
}

/// Refuses a file whose last changes are beside it, in a write-ahead log or a journal of a transaction that did not end:
/// without them it is an older or half state.
fn check_log(path: &Path) -> Result {
    for (end, what) in [("-wal", "an open write-ahead log"), ("-journal", "an open journal")] {
        let mut beside = path.as_os_str().to_owned();
        beside.push(end);
        let beside = Path::new(&beside);
        if beside.metadata().is_ok_and(|m| m.len() > 0) {
            return Err(Error::refused(format!(
                "{what} holds the last changes: {}; close the program that writes, or copy both into one file with \
                 sqlite3 FILE 'vacuum into \"COPY\"'",
                beside.display()
            )));
        }
    }
    Ok(())
}

/// The name under which the open file can be opened again, if it still has the one it was opened by: what the system
/// says, or `given`.
fn name_of(file: &File, given: Option<&Path>) -> Option<PathBuf> {
    let open = sys::identity(&file.metadata().ok()?)?;
    let is_it = |path: &PathBuf| path.metadata().is_ok_and(|named| sys::identity(&named) == Some(open));
    let system = sys::link_to_open(file).and_then(|link| std::fs::read_link(link).ok());
    // SQLite takes a relative path as a URI for one from the root.
    let given = || std::path::absolute(given?).ok();
    system.filter(is_it).or_else(|| given().filter(is_it))
}

/// Whether a file of this length is to be read into memory, because there is no folder for a copy.
fn may_be_in_memory(error: &io::Error, len: u64) -> bool {
    use io::ErrorKind::{NotFound, PermissionDenied, ReadOnlyFilesystem};
    matches!(error.kind(), NotFound | PermissionDenied | ReadOnlyFilesystem) && len <= 1 << 28
}

/// The path as a URI that says: the file does not change and needs no lock or journal.
fn uri(path: &Path) -> String {
    let mut uri = String::from("file:");
    for &b in path.as_os_str().as_encoded_bytes() {
        if b.is_ascii_alphanumeric() || matches!(b, b'/' | b'.' | b'-' | b'_' | b'~') {
            uri.push(char::from(b));
        } else {
            uri.push('%');
            uri.push(char::from(b"0123456789ABCDEF"[usize::from(b >> 4)]));
            uri.push(char::from(b"0123456789ABCDEF"[usize::from(b & 15)]));
        }
    }
    uri + "?immutable=1"
}

fn copied(blob: &Blob) -> io::Result<tempfile::TempPath> {
    let mut temp = tempfile::Builder::new().prefix("heap-").suffix(".sqlite").tempfile()?;
    io::copy(&mut io::BufReader::with_capacity(1 << 20, blob.section(0, blob.len())), &mut temp)?;
    temp.flush()?;
    Ok(temp.into_temp_path())
}

fn in_memory(blob: &Blob) -> rusqlite::Result<Connection> {
    let mut conn = Connection::open_in_memory()?;
    // A file in memory has no write-ahead log beside it, and SQLite will not open one that asks for it.
    let mut head = [0; 20];
    let n = blob.read_at(&mut head, 0).unwrap_or(0);
    if head[18] == 2 {
        head[18] = 1;
    }
    if head[19] == 2 {
        head[19] = 1;
    }
    let bytes = head[..n].chain(blob.section(n as u64, blob.len()));
    let size = usize::try_from(blob.len()).unwrap_or(usize::MAX);
    conn.deserialize_read_exact(MAIN_DB, bytes, size, true)?;
    Ok(conn)
}
