//! Files that have no name yet, who may write them, and what removes those that have one.

#[cfg(not(unix))]
mod plain;
#[cfg(unix)]
mod signals;
#[cfg(unix)]
mod unix;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

#[cfg(not(unix))]
pub(crate) use plain::{hidden, is_writable, link_to, umask, unnamed, watch};
#[cfg(unix)]
pub(crate) use signals::watch;
#[cfg(unix)]
pub(crate) use unix::{hidden, is_writable, link_to, umask, unnamed};

/// Whether locks of whole files leave those alone that SQLite puts on parts of them.
pub(crate) const LOCKS_APART: bool = cfg!(target_os = "linux");

static FILES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A file or folder that goes when the process is interrupted. Once this is dropped it stays.
#[derive(Debug)]
pub(crate) struct Doomed(PathBuf);

/// Has `path` removed on an interrupt (INT, TERM, HUP), after which the process ends as it would have.
pub(crate) fn doom(path: &Path) -> Doomed {
    watch();
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    FILES.lock().unwrap_or_else(PoisonError::into_inner).push(path.clone());
    Doomed(path)
}

impl Drop for Doomed {
    fn drop(&mut self) {
        FILES.lock().unwrap_or_else(PoisonError::into_inner).retain(|path| *path != self.0);
    }
}

/// Removes a file or a folder with all that is in it, as far as it can.
pub(crate) fn remove(path: &Path) {
    if std::fs::remove_file(path).is_err() {
        let _ = std::fs::remove_dir_all(path);
    }
}
