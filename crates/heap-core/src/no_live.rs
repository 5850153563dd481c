//! In place of `live`, where processes cannot be read.

use heap_base::{Dump, Error, Result};

/// Processes can be read on Linux only.
///
/// # Errors
/// Always.
pub fn capture(_: u32) -> Result<Dump> {
    Err(Error::refused("processes can be read on Linux only, x86-64 and AArch64"))
}

/// A file as a process sees it.
pub(crate) fn file_of(_: u32, name: &str) -> String {
    name.to_owned()
}
