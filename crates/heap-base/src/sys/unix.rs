use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::fd::{AsFd, AsRawFd as _};
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::{FileExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

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

/// Where control groups are.
const GROUPS: &str = "/sys/fs/cgroup";

/// How much memory the machine and the control group of this process leave free; `None` where the system does not say.
pub fn free_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let machine = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok());
    let group = fs::read_to_string("/proc/self/cgroup").ok();
    let group = group.and_then(|group| group_room(&group, Path::new(GROUPS)));
    machine.map(|kilobytes| kilobytes << 10).into_iter().chain(group).min()
}

/// How many bytes a process may still take by the limits of its control group and of those around it. `group` is what
/// `/proc/N/cgroup` says, `groups` where control groups are: `/sys/fs/cgroup`.
pub fn group_room(group: &str, groups: &Path) -> Option<u64> {
    let rooms = group.lines().filter_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next()?, parts.next()?.trim_start_matches('/'));
        // In version 1 memory has groups of its own.
        let (top, limit, used) = match controllers {
            "" => (groups.to_owned(), "memory.max", "memory.current"),
            "memory" => (groups.join("memory"), "memory.limit_in_bytes", "memory.usage_in_bytes"),
            _ => return None,
        };
        let room = |folder: &Path| {
            let number = |name: &str| fs::read_to_string(folder.join(name)).ok()?.trim().parse::<u64>().ok();
            let used = number(used)?.saturating_sub(cached(folder));
            Some(number(limit)?.saturating_sub(used))
        };
        let group = top.join(path);
        group.ancestors().take_while(|folder| folder.starts_with(&top)).filter_map(room).min()
    });
    rooms.min()
}

/// Bytes of files that a control group keeps in memory, and gives up before it meets its limit.
fn cached(folder: &Path) -> u64 {
    let text = fs::read_to_string(folder.join("memory.stat")).unwrap_or_default();
    let of = |key: &str| {
        let mut lines = text.lines().filter_map(|line| line.split_once(' '));
        lines.find(|(name, _)| *name == key).and_then(|(_, n)| n.parse::<u64>().ok())
    };
    of("total_inactive_file").or_else(|| of("inactive_file")).unwrap_or(0)
}

/// How many bytes files in a folder may still take; `None` where the system does not say.
pub fn free_disk(folder: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(folder).ok()?;
    Some(found.f_bavail.saturating_mul(found.f_frsize))
}
