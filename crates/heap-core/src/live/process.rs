//! What the kernel says of a process: its mappings and its memory.

use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::fs::FileExt;

use heap_base::{Blob, Error, Result};

/// Bytes of a page of memory.
pub(super) const FRAME: u64 = 4096;
/// Bit of an entry of `pagemap`: the page is in memory; the one below it: it is swapped out.
const PRESENT: u64 = 3 << 62;

/// Frames that were not touched belong to a run, if they are no more than this many bytes.
const GAP: u64 = 8 * FRAME;

/// A process, its memory opened.
#[derive(Debug)]
pub(super) struct Process {
    pub(super) pid: u32,
    memory: File,
    pagemap: Option<File>,
}

/// A range of addresses that is mapped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mapping {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) readable: bool,
    pub(super) writable: bool,
    /// Offset in the file, in bytes.
    pub(super) offset: u64,
    /// Path of a file, or a name in brackets; empty for memory of the process itself.
    pub(super) name: String,
}

impl Mapping {
    /// Whether a file has the bytes.
    pub(super) fn is_file(&self) -> bool {
        self.name.starts_with('/')
    }

    /// Whether it is memory of the process itself, its stack and heap included.
    pub(super) fn is_own(&self) -> bool {
        self.readable && !self.is_file() && !self.name.starts_with("[v")
    }
}

impl Process {
    /// Opens the memory of a process.
    ///
    /// # Errors
    /// There is no such process, or it may not be read.
    pub(super) fn open(pid: u32) -> Result<Self> {
        let memory =
            File::open(format!("/proc/{pid}/mem")).map_err(|e| explain(pid, e.kind(), &e.to_string()))?;
        let process = Self { pid, memory, pagemap: File::open(format!("/proc/{pid}/pagemap")).ok() };
        // A thread of the kernel and a process that ended have nothing mapped.
        if process.mappings()?.is_empty() {
            return Err(Error::refused(format!(
                "process {pid} has no memory: it ended, or is part of the kernel"
            )));
        }
        Ok(process)
    }

    /// The path of its executable.
    pub(super) fn path(&self) -> Option<String> {
        let path = std::fs::read_link(format!("/proc/{}/exe", self.pid)).ok()?;
        Some(path.to_string_lossy().into_owned())
    }

    /// All its mappings, by address.
    ///
    /// # Errors
    /// They may not be read.
    pub(super) fn mappings(&self) -> Result<Vec<Mapping>> {
        Ok(String::from_utf8_lossy(&self.file("maps")?).lines().filter_map(mapping).collect())
    }

    /// Its memory as a blob in which offsets are addresses.
    ///
    /// # Errors
    /// The system gives no second handle.
    pub(super) fn memory(&self) -> Result<Blob> {
        Ok(Blob::from_file_of(self.memory.try_clone().map_err(Error::read)?, u64::MAX))
    }

    /// Reads memory; short where none is mapped.
    pub(super) fn read(&self, address: u64, buf: &mut [u8]) -> usize {
        let mut done = 0;
        while done < buf.len() {
            match self.memory.read_at(&mut buf[done..], address.saturating_add(done as u64)) {
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => break,
                Ok(n) => done += n,
            }
        }
        done
    }

    /// The runs of pages in a range that were touched, in order, short gaps included. Without the kernel's word for it that is all.
    pub(super) fn touched(&self, start: u64, end: u64) -> Vec<(u64, u64)> {
        let frames = end.saturating_sub(start) / FRAME;
        let mut bytes = vec![0; (frames * 8) as usize];
        let known =
            self.pagemap.as_ref().is_some_and(|map| map.read_exact_at(&mut bytes, start / FRAME * 8).is_ok());
        if !known {
            return vec![(start, end)];
        }
        let mut runs: Vec<(u64, u64)> = Vec::new();
        for (frame, entry) in (0..).zip(bytes.as_chunks::<8>().0) {
            if u64::from_le_bytes(*entry) & PRESENT == 0 {
                continue;
            }
            let at = start + frame * FRAME;
            match runs.last_mut() {
                // An array on a stack may have frames that were never touched.
                Some(last) if at - last.1 <= GAP => last.1 = at + FRAME,
                _ => runs.push((at, at + FRAME)),
            }
        }
        runs
    }

    /// A small file of `/proc`.
    ///
    /// # Errors
    /// It may not be read.
    pub(super) fn file(&self, name: &str) -> Result<Vec<u8>> {
        std::fs::read(format!("/proc/{}/{name}", self.pid))
            .map_err(|e| explain(self.pid, e.kind(), &e.to_string()))
    }

    /// The program that runs, also where its file was replaced.
    pub(super) fn executable(&self) -> Option<File> {
        File::open(format!("/proc/{}/exe", self.pid)).ok()
    }
}

/// Says why a process cannot be read, and what would help.
pub(super) fn explain(pid: u32, kind: ErrorKind, error: &str) -> Error {
    Error::refused(match kind {
        ErrorKind::NotFound if !std::path::Path::new("/proc/self").exists() => {
            format!("process {pid} cannot be read: /proc is not mounted here")
        }
        ErrorKind::NotFound => format!("there is no process {pid}"),
        ErrorKind::PermissionDenied => format!(
            "no permission to read process {pid}: it must run as you and /proc/sys/kernel/yama/ptrace_scope be 0, \
             or use sudo (CAP_SYS_PTRACE)"
        ),
        _ => format!("process {pid}: {error}"),
    })
}

/// Reads a line of `maps`: `start-end rwxp offset device inode name`.
fn mapping(line: &str) -> Option<Mapping> {
    let mut words = line.splitn(6, ' ');
    let (start, end) = words.next()?.split_once('-')?;
    let rights = words.next()?.as_bytes();
    let number = |text: &str| u64::from_str_radix(text, 16).ok();
    Some(Mapping {
        start: number(start)?,
        end: number(end)?,
        readable: rights.first() == Some(&b'r'),
        writable: rights.get(1) == Some(&b'w'),
        offset: number(words.next()?)?,
        name: words.nth(2).unwrap_or_default().trim_start().to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_maps() {
        let found = mapping("7f1c000-7f1d000 rw-p 00001000 fe:00 1234                   /usr/lib/a b.so")
            .expect("is there");
        assert_eq!((found.start, found.end, found.offset), (0x7f1_c000, 0x7f1_d000, 0x1000));
        assert!(found.readable && found.writable && found.is_file() && !found.is_own());
        assert_eq!(found.name, "/usr/lib/a b.so");
        let found = mapping("7ffc0-7ffd0 ---p 00000000 00:00 0 ").expect("is there");
        assert!(!found.readable && found.name.is_empty() && !found.is_own());
        assert!(
            mapping("7ffc0-7ffd0 r--p 00000000 00:00 0                  [stack]").expect("is there").is_own()
        );
        assert!(
            !mapping("7ffc0-7ffd0 r--p 00000000 00:00 0                  [vvar]").expect("is there").is_own()
        );
        assert_eq!(mapping("nonsense"), None);
    }
}
