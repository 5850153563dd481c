//! The owner's files: the key of tokens, and the map from tokens to texts.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use heap_base::{Error, Result, sys};

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

/// An empty file that only its owner can read, also if it was there before.
///
/// # Errors
/// A file that cannot be made.
pub fn private_file(path: &Path) -> Result<File> {
    let open = || {
        let file = sys::for_owner(OpenOptions::new().write(true).create(true).truncate(true)).open(path)?;
        if file.metadata()?.is_file() {
            sys::set_mode(&file, 0o600)?;
        }
        Ok(file)
    };
    open().map_err(Error::read)
}
