use std::fs::{File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use heap_base::sys::link_to_open;
use rustix::fs::{Access, AtFlags, CWD, Mode, access, linkat};
use tempfile::Builder;

/// Whether we may write to what has the name `path`.
pub(crate) fn is_writable(path: &Path) -> bool {
    access(path, Access::WRITE_OK).is_ok()
}

/// The bits that new files lack. Files that other threads make meanwhile are for their owner only.
pub(crate) fn umask() -> u32 {
    use rustix::process::umask;
    let mask = umask(Mode::from_raw_mode(0o077));
    umask(mask);
    mask.as_raw_mode() as u32
}

/// Has `builder` make files or folders with these permissions.
pub(crate) fn hidden<'b, 'c>(mut builder: Builder<'b, 'c>, mode: u32) -> Builder<'b, 'c> {
    builder.permissions(Permissions::from_mode(mode));
    builder
}

/// A file without a name in `folder`, if there can be one that gets a name later.
#[cfg(target_os = "linux")]
pub(crate) fn unnamed(folder: &Path) -> Option<File> {
    use heap_base::sys::identity;
    use rustix::fs::OFlags;
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(folder, flags, Mode::from_raw_mode(0o666)).ok()?);
    let (shown, own) = (link_to_open(&file)?.metadata().ok()?, file.metadata().ok()?);
    (identity(&shown) == identity(&own)).then_some(file)
}

/// Files have names from the beginning.
#[cfg(not(target_os = "linux"))]
pub(crate) fn unnamed(_: &Path) -> Option<File> {
    None
}

/// Gives an unnamed file the name `path`, which nothing has.
pub(crate) fn link_to(file: &File, path: &Path) -> io::Result<()> {
    let shown = link_to_open(file).ok_or(io::ErrorKind::Unsupported)?;
    Ok(linkat(CWD, &shown, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}
