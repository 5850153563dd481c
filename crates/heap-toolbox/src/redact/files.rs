//! The key of tokens, from a file.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use heap_base::{Error, Result};

use super::Key;

/// The key in a file, of 16 bytes or more.
///
/// # Errors
/// A file that cannot be read, or holds less.
pub fn read_key(path: &Path) -> Result<Key> {
    let read = || -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        // A key is short; what is longer is not one.
        File::open(path)?.take(1 << 20).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read().map_err(Error::read)?;
    if bytes.len() < 16 {
        return Err(Error::refused("a key needs 16 bytes or more"));
    }
    Ok(Key::new(&bytes))
}
