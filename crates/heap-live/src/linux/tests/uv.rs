//! A memory with a loop of libuv in it.

use std::fs::{self, File};
use std::os::unix::fs::{FileExt as _, symlink};
use std::path::Path;

use super::super::process::Process;
use super::super::uv::waits_for;

const USR1: u32 = 10;
/// The variables of the executable: part of its file, and what follows.
const FILE: u64 = 0x20_0000;
const REST: u64 = 0x20_1000;
/// Where handles are.
const HEAP: u64 = 0x50_0000;
/// The loop, in what follows the file.
const LOOP: u64 = REST + 0x128;

struct Memory(File);

impl Memory {
    fn set(&self, at: u64, value: u64) {
        self.0.write_all_at(&value.to_ne_bytes(), at).expect("written");
    }

    /// A ring of handles: kinds and what they have where a signal has its number.
    fn ring(&self, own: u64, handles: &[(u32, u32)]) {
        let links: Vec<u64> = (0..handles.len() as u64).map(|n| HEAP + n * 0x200 + 32).collect();
        let ring: Vec<u64> = [own + 16].into_iter().chain(links).chain([own + 16]).collect();
        for pair in ring.windows(2) {
            self.set(pair[0], pair[1]);
            self.set(pair[1] + 8, pair[0]);
        }
        for (&link, &(kind, number)) in ring[1..].iter().zip(handles) {
            self.set(link - 32 + 8, own);
            self.set(link - 32 + 16, kind.into());
            self.set(link - 32 + 104, number.into());
        }
    }
}

/// A process with this memory, whose executable is `node`.
fn process(proc: &Path, fill: impl FnOnce(&Memory)) -> Process {
    let folder = proc.join("12");
    fs::create_dir_all(&folder).expect("a folder");
    let exe = proc.join("bin of it/node");
    let _ = symlink(&exe, folder.join("exe"));
    let maps = format!(
        "100000-200000 r-xp 00000000 08:01 12 {exe}\n{FILE:x}-{REST:x} rw-p 00100000 08:01 12 {exe}\n\
         {REST:x}-202000 rw-p 00000000 00:00 0\n{HEAP:x}-600000 rw-p 00000000 00:00 0 [heap]\n",
        exe = exe.display()
    );
    fs::write(folder.join("maps"), maps).expect("a file");
    let memory = File::create(folder.join("mem")).expect("a file");
    memory.set_len(0x70_0000).expect("a length");
    fill(&Memory(memory));
    Process::below(proc, 12)
}

#[test]
fn what_a_loop_waits_for_is_seen() {
    let folder = tempfile::tempdir().expect("a folder");
    let waits = |handles: &[(u32, u32)]| {
        waits_for(&process(folder.path(), |memory| memory.ring(LOOP, handles)), USR1)
    };
    // A handle for another signal, one that was stopped, a timer with the number by chance.
    assert_eq!(waits(&[(1, 0), (16, 17), (16, 0), (13, 10)]), Some(false));
    assert_eq!(waits(&[(1, 0), (13, 0), (16, 10)]), Some(true));
    assert_eq!(waits(&[(16, 10), (1, 0)]), Some(true));
}

#[test]
fn what_is_no_loop_says_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let waits = |fill: &dyn Fn(&Memory)| waits_for(&process(folder.path(), fill), USR1);
    assert_eq!(waits(&|_| {}), None);
    // In no variable of the executable.
    assert_eq!(waits(&|memory| memory.ring(HEAP + 0x8000, &[(16, 10)])), None);
    // A handle of another loop; a ring that does not close; one that ends outside of the memory.
    assert_eq!(
        waits(&|memory| {
            memory.ring(LOOP, &[(1, 0), (16, 10)]);
            memory.set(HEAP + 0x200 + 8, LOOP + 8);
        }),
        None
    );
    assert_eq!(
        waits(&|memory| {
            memory.ring(LOOP, &[(1, 0), (13, 0)]);
            memory.set(HEAP + 0x200 + 32, HEAP + 32);
        }),
        None
    );
    assert_eq!(
        waits(&|memory| {
            memory.ring(LOOP, &[(1, 0)]);
            memory.set(HEAP + 32, u64::MAX - 7);
        }),
        None
    );
    let gone = Process::below(folder.path(), 13);
    assert_eq!(waits_for(&gone, USR1), None);
}
