//! A file that gets its name when it is complete.

use std::ffi::OsString;
use std::fs::{File, OpenOptions, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use heap_base::{Error, Result};
use tempfile::NamedTempFile;

/// A file under a temporary name beside its own, which [`persist`](Self::persist) gives it.
#[derive(Debug)]
pub struct Pending {
    path: PathBuf,
    output: Output,
    /// The permissions of what is replaced.
    kept: Option<u32>,
}

/// What is written to.
#[derive(Debug)]
enum Output {
    Temporary(NamedTempFile),
    /// A device or a pipe, which cannot be replaced.
    Direct(File),
}

impl Pending {
    /// Begins a file that is to be called `path`. A file of that name stays until [`persist`](Self::persist).
    ///
    /// # Errors
    /// `path` has no file name, or no file can be made beside it.
    pub fn create(path: &Path) -> Result<Self> {
        // Replaces what a symbolic link names, not the link.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let meta = path.metadata().ok();
        if meta.as_ref().is_some_and(|m| !m.is_file()) {
            let file = OpenOptions::new().write(true).open(&path).map_err(Error::write)?;
            return Ok(Self { path, output: Output::Direct(file), kept: None });
        }
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let Some(name) = path.file_name() else { return Err(Error::refused("the output needs a file name")) };
        let mut prefix = OsString::from(".");
        prefix.push(name);
        prefix.push(".");
        let kept = meta.map(|m| m.permissions().mode() & 0o777);
        // The umask applies, as with any tool's output. What is replaced may be read-only, or for its owner only.
        let mode = kept.map_or(0o666, |kept| kept | 0o600);
        let file = tempfile::Builder::new()
            .prefix(&prefix)
            .permissions(Permissions::from_mode(mode))
            .tempfile_in(folder)
            .map_err(Error::write)?;
        Ok(Self { path, output: Output::Temporary(file), kept })
    }

    /// Its current name, to open it again.
    pub fn path(&self) -> &Path {
        match &self.output {
            Output::Temporary(file) => file.path(),
            Output::Direct(_) => &self.path,
        }
    }

    fn file(&self) -> &File {
        match &self.output {
            Output::Temporary(file) => file.as_file(),
            Output::Direct(file) => file,
        }
    }

    /// A handle to write to.
    ///
    /// # Errors
    /// The system has no handle left.
    pub fn writer(&self) -> Result<File> {
        self.file().try_clone().map_err(Error::write)
    }

    /// Whether nothing was written to the file; false for devices and pipes.
    ///
    /// # Errors
    /// The file cannot be looked up.
    pub fn is_empty(&self) -> Result<bool> {
        let meta = self.file().metadata().map_err(Error::write)?;
        Ok(meta.is_file() && meta.len() == 0)
    }

    /// Gives the file its name and the permissions of the file it replaces. Dropped without this, it leaves nothing behind.
    ///
    /// # Errors
    /// The file cannot be renamed, or its permissions cannot be set.
    pub fn persist(self) -> Result {
        let Output::Temporary(file) = self.output else { return Ok(()) };
        if let Some(kept) = self.kept {
            let now = file.as_file().metadata().map_err(Error::write)?.permissions().mode() & 0o777;
            // Not every file system lets them be set.
            if now != kept {
                file.as_file().set_permissions(Permissions::from_mode(kept)).map_err(Error::write)?;
            }
        }
        file.persist(&self.path).map(drop).map_err(|e| Error::write(e.error))
    }
}
