use std::ffi::OsString;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::string::FromUtf8Error;
use std::sync::{Mutex, PoisonError};

/// Files have one position, which threads share: one of them at a time goes elsewhere, and comes back.
static AWAY: Mutex<()> = Mutex::new(());

fn elsewhere<T>(mut file: &File, offset: u64, work: impl FnOnce(&File) -> io::Result<T>) -> io::Result<T> {
    let _away = AWAY.lock().unwrap_or_else(PoisonError::into_inner);
    let before = file.stream_position()?;
    file.seek(SeekFrom::Start(offset))?;
    let done = work(file);
    file.seek(SeekFrom::Start(before))?;
    done
}

/// Reads at `offset`, and leaves what reads in order where it is.
///
/// # Errors
/// The file cannot be read.
pub fn read_at(file: &File, buf: &mut [u8], offset: u64) -> io::Result<usize> {
    elsewhere(file, offset, |mut file| file.read(buf))
}

/// Writes all bytes at `offset`, and leaves what writes in order where it is.
///
/// # Errors
/// The file cannot be written.
pub fn write_all_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    elsewhere(file, offset, |mut file| file.write_all(bytes))
}

/// A name from its bytes.
pub fn os_string(bytes: Vec<u8>) -> OsString {
    let lossy = |e: FromUtf8Error| String::from_utf8_lossy(e.as_bytes()).into_owned();
    String::from_utf8(bytes).unwrap_or_else(lossy).into()
}

/// A standard stream as a file of its own.
///
/// # Errors
/// The system has no handle left.
#[cfg(windows)]
pub fn duplicate(stream: &impl std::os::windows::io::AsHandle) -> io::Result<File> {
    stream.as_handle().try_clone_to_owned().map(File::from)
}

/// What no other file has; `None` where the system does not say.
pub fn identity(_: &Metadata) -> Option<(u64, u64)> {
    None
}

/// A path that leads to an open file, whatever its name is by now; `None` where the system has none.
pub fn link_to_open(_: &File) -> Option<PathBuf> {
    None
}

/// Who may read and write a file, as bits of Unix.
pub fn mode(meta: &Metadata) -> u32 {
    if meta.permissions().readonly() { 0o444 } else { 0o666 }
}

/// Says who may read and write a file. Where the system knows no such bits it says nothing.
///
/// # Errors
/// The file belongs to somebody else.
pub fn set_mode(file: &File, mode: u32) -> io::Result<()> {
    let mut permissions = file.metadata()?.permissions();
    permissions.set_readonly(mode & 0o222 == 0);
    file.set_permissions(permissions)
}

/// A new file will be for its owner only, as far as the system has such files.
pub fn for_owner(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

/// How much memory is free: not said.
pub fn free_memory() -> Option<u64> {
    None
}

/// How many bytes a process may still take by limits: there are none.
pub fn group_room(_group: &str, _groups: &Path) -> Option<u64> {
    None
}

/// How many bytes files in a folder may still take: not said.
pub fn free_disk(_folder: &Path) -> Option<u64> {
    None
}
