//! Files and folders with a hidden name, until they are complete: for their owner only, and gone when their process is.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::Duration;

use heap_base::{Error, Result};
use tempfile::{Builder, NamedTempFile, TempDir};

use crate::sys::{self, Doomed};

/// What stands between the visible name and the random letters.
const MARK: &str = ".heap-";
/// How many random letters there are.
const LETTERS: usize = 6;
/// What is younger may not have its lock yet.
const YOUNG: Duration = Duration::from_secs(60);

/// A hidden file. Dropped, it goes.
#[derive(Debug)]
pub(crate) struct HiddenFile {
    file: NamedTempFile,
    _doomed: Doomed,
}

impl HiddenFile {
    /// Makes `.NAME.heap-XXXXXX` in `folder`, and removes those of runs that were killed.
    pub(crate) fn create(folder: &Path, name: &OsStr) -> io::Result<Self> {
        let prefix = prefix(name);
        sweep(folder, &prefix);
        let file = sys::hidden(builder(&prefix), 0o600).tempfile_in(folder)?;
        lock(file.as_file());
        let doomed = sys::doom(file.path());
        Ok(Self { file, _doomed: doomed })
    }

    pub(crate) fn path(&self) -> &Path {
        self.file.path()
    }

    pub(crate) fn as_file(&self) -> &File {
        self.file.as_file()
    }

    /// Gives it its name.
    pub(crate) fn persist(self, path: &Path) -> io::Result<()> {
        self.file.persist(path).map(drop).map_err(|e| e.error)
    }
}

/// A hidden folder for files that get their names together. It is for its owner only; dropped, it goes with all that is in
/// it, and so it does on an interrupt. What a process left that was killed goes when the next folder is made beside it.
#[derive(Debug)]
pub struct HiddenFolder {
    folder: TempDir,
    _doomed: Doomed,
    /// Open for its lock, which says that somebody works in it; where folders cannot be opened there is none.
    _lock: Option<File>,
}

impl HiddenFolder {
    /// Makes `.heap-XXXXXX` in `parent`.
    ///
    /// # Errors
    /// No folder can be made there.
    pub fn create(parent: &Path) -> Result<Self> {
        let prefix = prefix(OsStr::new(""));
        sweep(parent, &prefix);
        let folder = sys::hidden(builder(&prefix), 0o700).tempdir_in(parent).map_err(Error::write)?;
        let open = File::open(folder.path()).ok().inspect(lock);
        let doomed = sys::doom(folder.path());
        Ok(Self { folder, _doomed: doomed, _lock: open })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Removes it.
    ///
    /// # Errors
    /// Something in it cannot be removed.
    pub fn close(self) -> Result {
        self.folder.close().map_err(Error::write)
    }
}

/// The beginning of a hidden name beside `name`.
pub(crate) fn prefix(name: &OsStr) -> OsString {
    let mut prefix = OsString::from(if name.is_empty() { "" } else { "." });
    prefix.push(name);
    prefix.push(MARK);
    prefix
}

/// What makes names of that beginning.
pub(crate) fn builder(prefix: &OsStr) -> Builder<'_, 'static> {
    let mut builder = Builder::new();
    builder.prefix(prefix).rand_bytes(LETTERS);
    builder
}

/// Says that the file is in use. Where that cannot be said, nothing is ever taken for left behind.
fn lock(file: &File) {
    if sys::LOCKS_APART {
        let _ = file.try_lock();
    }
}

/// Removes what processes left behind that were killed: names of this beginning that nobody has locked. Who is at work has
/// locked its own; what cannot be looked at stays.
fn sweep(folder: &Path, prefix: &OsStr) {
    let is_left = |name: &OsStr| {
        let rest = name.as_encoded_bytes().strip_prefix(prefix.as_encoded_bytes());
        rest.is_some_and(|rest| rest.len() == LETTERS && rest.iter().all(u8::is_ascii_alphanumeric))
    };
    let entries = sys::LOCKS_APART.then(|| fs::read_dir(folder));
    for entry in entries.into_iter().flatten().flatten().filter_map(io::Result::ok) {
        // What is neither file nor folder is none of ours, and a pipe would keep us waiting.
        let is_ours = entry.file_type().is_ok_and(|kind| kind.is_file() || kind.is_dir());
        if !is_ours || !is_left(&entry.file_name()) {
            continue;
        }
        // The lock is ours, or else the file is somebody's.
        let Ok(file) = File::open(entry.path()) else { continue };
        let age = file.metadata().and_then(|meta| meta.modified()).ok().and_then(|time| time.elapsed().ok());
        if age.is_some_and(|age| age > YOUNG) && file.try_lock().is_ok() {
            sys::remove(&entry.path());
        }
    }
}
