//! Finds the javacore that OpenJ9 wrote together with a heap dump.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Endings of packed files.
const PACKED: [&str; 3] = [".gz", ".zst", ".zstd"];

/// The javacore beside a dump that has the name OpenJ9 gives it: `javacore.DATE.TIME.PID.N.txt` beside
/// `heapdump.DATE.TIME.PID.N.phd`. One process counts all that it writes, so N differs: the nearest is taken.
pub(crate) fn beside(dump: &Path) -> Option<PathBuf> {
    let name = plain(dump.file_name()?.to_str()?).strip_prefix("heapdump.")?;
    let name = name.strip_suffix(".phd").or_else(|| name.strip_suffix(".txt"))?;
    let (stamp, number) = numbered(name)?;
    let folder = dump.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let files = std::fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.file_name()));
    let distance = |file: &OsStr| {
        let name = plain(file.to_str()?).strip_prefix("javacore.")?.strip_suffix(".txt")?;
        let (same, other) = numbered(name)?;
        // Of two that are as near, the later one: it is written next.
        (same == stamp).then_some((other.abs_diff(number), other < number))
    };
    let (_, file) = files.filter_map(|file| Some((distance(&file)?, file))).min()?;
    // A pipe would keep us waiting.
    Some(folder.join(file)).filter(|path| path.is_file())
}

/// A name without the ending of its packing.
fn plain(name: &str) -> &str {
    PACKED.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
}

/// The stamp in a name, and the number behind it.
fn numbered(name: &str) -> Option<(&str, u64)> {
    let (stamp, number) = name.rsplit_once('.')?;
    Some((stamp, number.parse().ok()?))
}
