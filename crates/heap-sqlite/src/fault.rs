//! What SQLite reports, in our words.

use std::io;

use heap_base::Error;
use rusqlite::ErrorCode;

/// A failure while an SQLite file is written.
#[expect(clippy::needless_pass_by_value, reason = "the shape that map_err wants")]
pub(crate) fn write(error: rusqlite::Error) -> Error {
    let kind = match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => return Error::write(io::Error::from_raw_os_error(28)),
        Some(ErrorCode::OutOfMemory) => io::ErrorKind::OutOfMemory,
        Some(ErrorCode::PermissionDenied) => io::ErrorKind::PermissionDenied,
        Some(ErrorCode::ReadOnly) => io::ErrorKind::ReadOnlyFilesystem,
        _ => return Error::write(io::Error::other(words(&error))),
    };
    Error::write(kind.into())
}

/// A failure while an SQLite file is read: it is damaged, or not what it should be.
pub(crate) fn read(what: &str, error: &rusqlite::Error) -> Error {
    Error::input(format!("{what}: {}", words(error)))
}

/// SQLite's message in one line.
pub(crate) fn words(error: &rusqlite::Error) -> String {
    let text = match error {
        rusqlite::Error::SqliteFailure(_, Some(text)) => text.clone(),
        rusqlite::Error::SqliteFailure(code, None) => code.to_string(),
        rusqlite::Error::SqlInputError { msg, .. } => msg.clone(),
        other => other.to_string(),
    };
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(200).collect()
}
