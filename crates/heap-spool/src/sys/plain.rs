use std::fs::File;
use std::io;
use std::path::Path;

use tempfile::Builder;

/// Whether we may write to what has the name `path`.
pub(crate) fn is_writable(path: &Path) -> bool {
    path.metadata().is_ok_and(|meta| !meta.permissions().readonly())
}

/// The bits that new files lack: they have none.
pub(crate) fn umask() -> u32 {
    0
}

/// Temporary files are for their owner as far as the system has such files.
pub(crate) fn hidden<'b, 'c>(builder: Builder<'b, 'c>, _mode: u32) -> Builder<'b, 'c> {
    builder
}

/// Files have names from the beginning.
pub(crate) fn unnamed(_: &Path) -> Option<File> {
    None
}

/// There are no unnamed files.
pub(crate) fn link_to(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// An interrupt leaves a hidden file behind.
pub(crate) fn watch() {}
