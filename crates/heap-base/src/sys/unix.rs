use std::ffi::OsString;
use std::fs::{File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::fd::{AsFd, AsRawFd as _};
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::{FileExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::PathBuf;

/// Reads at `offset`, and leaves what reads in order where it is.
///
/// # Errors
/// The file cannot be read.
pub fn read_at(file: &File, buf: &mut [u8], offset: u64) -> io::Result<usize> {
    file.read_at(buf, offset)
}

/// Writes all bytes at `offset`, and leaves what writes in order where it is.
///
/// # Errors
/// The file cannot be written.
pub fn write_all_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    file.write_all_at(bytes, offset)
}

/// A name from its bytes.
pub fn os_string(bytes: Vec<u8>) -> OsString {
    OsString::from_vec(bytes)
}

/// A standard stream as a file of its own.
///
/// # Errors
/// The system has no handle left.
pub fn duplicate(stream: &impl AsFd) -> io::Result<File> {
    stream.as_fd().try_clone_to_owned().map(File::from)
}

/// What no other file has; `None` where the system does not say.
pub fn identity(meta: &Metadata) -> Option<(u64, u64)> {
    Some((meta.dev(), meta.ino()))
}

/// A path that leads to an open file, whatever its name is by now; `None` where the system has none.
pub fn link_to_open(file: &File) -> Option<PathBuf> {
    cfg!(target_os = "linux").then(|| format!("/proc/self/fd/{}", file.as_raw_fd()).into())
}

/// Who may read and write a file, as bits of Unix.
pub fn mode(meta: &Metadata) -> u32 {
    meta.permissions().mode() & 0o777
}

/// Says who may read and write a file. Where the system knows no such bits it says nothing.
///
/// # Errors
/// The file belongs to somebody else.
pub fn set_mode(file: &File, mode: u32) -> io::Result<()> {
    file.set_permissions(Permissions::from_mode(mode))
}

/// A new file will be for its owner only, as far as the system has such files.
pub fn for_owner(options: &mut OpenOptions) -> &mut OpenOptions {
    options.mode(0o600)
}
