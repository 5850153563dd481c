//! Copies ranges of a process into a file in memory.

use std::fs::File;
use std::os::unix::fs::FileExt;

use heap_base::{Error, Result, error::plain};
use rustix::fs::{FallocateFlags, MemfdFlags, fallocate, memfd_create};

use super::plan::Plan;
use super::process::{FRAME, Process};

/// Where the copy of memory begins in the file.
pub(super) const FIRST: u64 = FRAME;
/// Bytes that are copied at a time: they stay in the cache of a core.
const PIECE: usize = 256 << 10;
/// More room than was asked for: a process goes on allocating until it is stopped.
const SPARE: u64 = 16 << 20;

/// What was copied.
#[derive(Debug)]
pub(super) struct Copied {
    /// First address, number of bytes, and offset in the file.
    pub(super) segments: Vec<(u64, u64, u64)>,
    /// End of the copy in the file.
    pub(super) end: u64,
    /// Bytes of memory that was touched and not copied.
    pub(super) left_out: u64,
}

/// A file in memory with this much room, all of it touched: what is touched first during the stop takes twice as long. Where
/// memory is short, a file without a name in `TMPDIR`.
///
/// # Errors
/// There is no room for it.
pub(super) fn room(bytes: u64) -> Result<File> {
    let bytes = bytes + bytes / 8 + SPARE;
    let file = if bytes < available() {
        File::from(memfd_create("heap", MemfdFlags::CLOEXEC).map_err(|e| no_room(e.into()))?)
    } else {
        tempfile::tempfile().map_err(no_room)?
    };
    fallocate(&file, FallocateFlags::empty(), 0, bytes).map_err(|e| no_room(e.into()))?;
    Ok(file)
}

/// Bytes of memory that the system can give without taking them from others.
fn available() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    line.and_then(|line| line.trim().split(' ').next()?.parse::<u64>().ok()).unwrap_or(0) * 1024
}

/// Copies all ranges. What turns out not to be there is left out.
///
/// # Errors
/// There is no room in the file.
pub(super) fn copy(process: &Process, plan: Plan, file: &File) -> Result<Copied> {
    let mut copied =
        Copied { segments: Vec::with_capacity(plan.ranges.len()), end: FIRST, left_out: plan.left_out };
    let mut piece = vec![0; PIECE];
    for (start, end) in plan.ranges {
        let offset = copied.end;
        let mut at = start;
        while at < end {
            let want = (end - at).min(PIECE as u64) as usize;
            let n = process.read(at, &mut piece[..want]);
            file.write_all_at(&piece[..n], copied.end).map_err(no_room)?;
            copied.end += n as u64;
            at += n as u64;
            if n < want {
                copied.left_out += end - at;
                break;
            }
        }
        if at > start {
            copied.segments.push((start, at - start, offset));
        }
    }
    Ok(copied)
}

#[expect(clippy::needless_pass_by_value, reason = "the shape that map_err wants")]
pub(super) fn no_room(error: std::io::Error) -> Error {
    Error::refused(format!("no room for a copy of the heap: {}", plain(&error)))
}
