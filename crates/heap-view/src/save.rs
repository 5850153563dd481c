//! A file that takes its name when it is complete.

use std::io::Write;
use std::path::Path;

use heap_base::{Error, Result};
use heap_spool::Pending;

/// Writes `bytes` to the file `path`. Until all is written, a file of that name stays.
///
/// # Errors
/// The file cannot be made or written.
pub fn save(path: &Path, bytes: &[u8]) -> Result {
    let file = Pending::create(path)?;
    file.writer()?.write_all(bytes).map_err(Error::write)?;
    file.persist()
}
