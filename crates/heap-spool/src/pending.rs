//! A file that gets its name when it is complete.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use heap_base::error::placed;
use heap_base::sys as base;
use heap_base::{Error, Result};

use crate::hidden::{HiddenFile, builder, prefix};
use crate::sys;

/// A file without a name, which [`persist`](Self::persist) gives it. So nothing is left of a run that ends before, however it
/// ends.
///
/// Where a name is needed meanwhile, as by SQLite and on file systems that know no unnamed files, it is a hidden name
/// beside its own, for its owner only, which an interrupt removes.
#[derive(Debug)]
pub struct Pending {
    path: PathBuf,
    output: Output,
    /// The permissions it gets: those of what is replaced. A new file has those that the umask says.
    mode: Option<u32>,
}

/// What is written to.
#[derive(Debug)]
enum Output {
    Unnamed(File),
    Named(HiddenFile),
    /// A device or a pipe, which cannot be replaced.
    Direct(File),
}

/// A handle to write to the file, whose errors name it.
#[derive(Debug)]
pub struct PendingWriter {
    file: File,
    path: PathBuf,
}

impl Pending {
    /// Begins a file that is to be called `path`. A file of that name stays until [`persist`](Self::persist).
    ///
    /// # Errors
    /// `path` has no file name, is read-only, or no file can be made beside it.
    pub fn create(path: &Path) -> Result<Self> {
        Self::new(path, false)
    }

    /// The same, for its owner only, whatever the umask says and whatever is replaced.
    ///
    /// # Errors
    /// Those of [`create`](Self::create).
    pub fn create_secret(path: &Path) -> Result<Self> {
        Ok(Self { mode: Some(0o600), ..Self::new(path, false)? })
    }

    /// The same, with a name from the beginning: [`path`](Self::path).
    ///
    /// # Errors
    /// Those of [`create`](Self::create).
    pub fn create_named(path: &Path) -> Result<Self> {
        Self::new(path, true)
    }

    fn new(asked: &Path, named: bool) -> Result<Self> {
        let failed = |e| Error::write_to(asked, e);
        // A pipe behind a link of /proc, as /dev/stdout is, has no path of its own.
        if asked.metadata().is_ok_and(|meta| !meta.is_file()) {
            let file = OpenOptions::new().write(true).open(asked).map_err(failed)?;
            return Ok(Self { path: asked.to_owned(), output: Output::Direct(file), mode: None });
        }
        let path = followed(asked);
        let meta = path.metadata().ok();
        let kept = meta.as_ref().map(base::mode);
        // The folder decides who may replace a file, but who made it read-only did not want that.
        let writable = sys::is_writable(&path);
        if kept.is_some_and(|mode| mode & 0o222 == 0 || !writable) {
            return Err(failed(io::ErrorKind::PermissionDenied.into()));
        }
        if path.file_name().is_none() {
            return Err(Error::refused("the output needs a file name"));
        }
        let unnamed = if named { None } else { sys::unnamed(folder(&path)) };
        let output = if let Some(file) = unnamed {
            Output::Unnamed(file)
        } else {
            let name = path.file_name().unwrap_or_default();
            Output::Named(HiddenFile::create(folder(&path), name).map_err(failed)?)
        };
        Ok(Self { path, output, mode: kept })
    }

    /// Writes `bytes` to the file `path`. Until all is written, a file of that name stays.
    ///
    /// # Errors
    /// The file cannot be made or written.
    pub fn save(path: &Path, bytes: &[u8]) -> Result {
        let file = Self::create(path)?;
        file.writer()?.write_all(bytes).map_err(Error::write)?;
        file.persist()
    }

    /// Its current name, to open it again, if it was made with one.
    pub fn path(&self) -> &Path {
        match &self.output {
            Output::Named(file) => file.path(),
            Output::Unnamed(_) | Output::Direct(_) => &self.path,
        }
    }

    fn file(&self) -> &File {
        match &self.output {
            Output::Named(file) => file.as_file(),
            Output::Unnamed(file) | Output::Direct(file) => file,
        }
    }

    /// A handle to write to.
    ///
    /// # Errors
    /// The system has no handle left.
    pub fn writer(&self) -> Result<PendingWriter> {
        let file = self.file().try_clone().map_err(Error::write)?;
        Ok(PendingWriter { file, path: self.path.clone() })
    }

    /// Whether nothing was written to the file; false for devices and pipes.
    ///
    /// # Errors
    /// The file cannot be looked up.
    pub fn is_empty(&self) -> Result<bool> {
        let meta = self.file().metadata().map_err(Error::write)?;
        Ok(meta.is_file() && meta.len() == 0)
    }

    /// Gives the file its name and the permissions of the file it replaces; those of a new file are as the umask says.
    /// Dropped without this, it leaves nothing behind.
    ///
    /// # Errors
    /// The file cannot be named, or its permissions cannot be set.
    pub fn persist(self) -> Result {
        let Self { path, output, mode } = self;
        let failed = |e| Error::write_to(&path, e);
        match output {
            Output::Direct(_) => Ok(()),
            Output::Unnamed(file) => {
                set_mode(&file, mode).map_err(failed)?;
                link(&file, &path).map_err(failed)
            }
            Output::Named(file) => {
                let usual = 0o666 & !sys::umask();
                set_mode(file.as_file(), Some(mode.unwrap_or(usual))).map_err(failed)?;
                file.persist(&path).map_err(failed)
            }
        }
    }
}

impl Write for PendingWriter {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.file.write(buf).map_err(|e| placed(self.path.display().to_string(), e))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The file that is meant by `path`, there or not: what a symbolic link names, not the link.
fn followed(path: &Path) -> PathBuf {
    /// Links that lead to each other in a circle end here.
    const LINKS: usize = 40;
    let mut at = path.to_owned();
    for _ in 0..LINKS {
        match (at.canonicalize(), fs::read_link(&at)) {
            (Ok(found), _) => return found,
            (Err(_), Ok(to)) => at = folder(&at).join(to),
            (Err(_), Err(_)) => break,
        }
    }
    at
}

fn set_mode(file: &File, mode: Option<u32>) -> io::Result<()> {
    let Some(mode) = mode else { return Ok(()) };
    // Not every file system lets them be set.
    if base::mode(&file.metadata()?) == mode {
        return Ok(());
    }
    base::set_mode(file, mode)
}

/// Gives an unnamed file the name `path`. What has the name is replaced in one step.
fn link(file: &File, path: &Path) -> io::Result<()> {
    match sys::link_to(file, path) {
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
            let make = |name: &Path| sys::link_to(file, name);
            let name = path.file_name().unwrap_or_default();
            let hidden = builder(&prefix(name)).make_in(folder(path), make)?;
            hidden.persist(path).map(drop).map_err(|e| e.error)
        }
        other => other,
    }
}
