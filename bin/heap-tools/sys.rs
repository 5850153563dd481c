//! Who installs, and links.

#[cfg(not(unix))]
pub(crate) use plain::{is_root, symlink};
#[cfg(unix)]
pub(crate) use unix::{is_root, symlink};

#[cfg(unix)]
mod unix {
    /// Whether whoever runs this may write anywhere.
    pub(crate) fn is_root() -> bool {
        rustix::process::geteuid().is_root()
    }

    pub(crate) use std::os::unix::fs::symlink;
}

/// Nobody is known to be root, and no link is made.
#[cfg(not(unix))]
mod plain {
    use std::io;
    use std::path::Path;

    pub(crate) fn is_root() -> bool {
        false
    }

    pub(crate) fn symlink(_: &str, _: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
