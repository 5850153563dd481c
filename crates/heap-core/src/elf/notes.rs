//! The notes of a core: threads with their registers, the process, its signal, its files.

use heap_base::{Blob, Result};

use super::{Elf, Machine, Segment, bytes_at, u16_at, u32_at, u64_at};

/// Notes longer than this are read to here: a million mapped files.
const MOST: u64 = 64 << 20;

pub(crate) const PRSTATUS: u32 = 1;
pub(crate) const PRPSINFO: u32 = 3;
pub(crate) const AUXV: u32 = 6;
const SIGINFO: u32 = 0x5349_4749;
pub(crate) const FILE: u32 = 0x4649_4c45;
/// Owner of the notes that are of a process that runs, and their types: the host's name, when it was copied, and how many
/// bytes of memory were left out.
pub(crate) const OWN: &[u8] = b"heap-tools";
pub(crate) const HOST: u32 = 1;
pub(crate) const TIME: u32 = 2;
pub(crate) const LEFT_OUT: u32 = 3;
/// Key of the address of the program headers in the auxiliary vector.
const AT_PHDR: u64 = 3;

/// Words of the auxiliary vector that are compared.
const AUXILIARY: usize = 8;

/// A thread as it stood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Thread {
    /// Its number in the system.
    pub(crate) lwp: u32,
    /// Stack pointer.
    pub(crate) sp: u64,
    /// Frame pointer.
    pub(crate) fp: u64,
    /// Program counter.
    pub(crate) pc: u64,
    /// All general registers.
    pub(crate) registers: Vec<u64>,
}

/// A file that was mapped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileRange {
    pub(crate) start: u64,
    pub(crate) end: u64,
    /// Offset in the file of the byte at `start`.
    pub(crate) offset: u64,
    pub(crate) name: String,
}

impl FileRange {
    /// The range as a segment of a file with this many bytes.
    pub(crate) fn within(&self, length: u64) -> Segment {
        let there = length.saturating_sub(self.offset).min(self.end.saturating_sub(self.start));
        Segment { start: self.start, end: self.start.saturating_add(there), offset: self.offset }
    }
}

/// What the notes of a core say.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    pub(crate) threads: Vec<Thread>,
    pub(crate) pid: Option<u32>,
    pub(crate) arguments: Option<String>,
    /// Signal number and, where one process sent it to another, the sender.
    pub(crate) signal: Option<(i32, Option<i32>)>,
    pub(crate) files: Vec<FileRange>,
    /// Address of the executable's program headers.
    pub(crate) program_headers: Option<u64>,
    /// The first words of the auxiliary vector, which the stack of the main thread has, too.
    pub(crate) auxiliary: Vec<u64>,
    signals: usize,
    /// Of a process that ran when it was copied; `None` for a core.
    pub(crate) live: Option<Live>,
}

/// What only a copy of a process that runs has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Live {
    pub(crate) host: String,
    /// As ISO 8601 has it, in UTC.
    pub(crate) time: String,
    /// Bytes of memory beside heap pages that were not copied.
    pub(crate) left_out: u64,
}

impl Notes {
    /// Reads the notes of a core; what is cut off or odd is left out.
    ///
    /// # Errors
    /// Failures of reading.
    pub(crate) fn read(blob: &Blob, elf: &Elf) -> Result<Self> {
        let mut notes = Self::default();
        for &(offset, size) in &elf.notes {
            let size = size.min(blob.len().saturating_sub(offset)).min(MOST);
            let mut bytes = vec![0; size as usize];
            let n = blob.read_at(&mut bytes, offset)?;
            notes.entries(&bytes[..n], elf.machine);
        }
        // A debugger writes a note for each thread; a process that was not killed has no signal.
        if notes.signals != 1 {
            notes.signal = None;
        }
        Ok(notes)
    }

    /// The executable's range, and its path.
    pub(crate) fn executable(&self) -> Option<&str> {
        let at = self.program_headers?;
        let file = self.files.iter().find(|f| (f.start..f.end).contains(&at))?;
        Some(&file.name)
    }

    /// A file that the process had mapped, as the process sees it: its root may be another one.
    pub(crate) fn on_disk(&self, name: &str) -> Option<Blob> {
        let own = self.live.as_ref().and(self.pid).map(|pid| crate::live::file_of(pid, name));
        own.into_iter().chain([name.to_owned()]).find_map(|path| {
            // The name is the core's: opening a pipe would wait for its other end.
            std::fs::metadata(&path).ok().filter(std::fs::Metadata::is_file)?;
            Blob::from_file(std::fs::File::open(&path).ok()?).ok()
        })
    }

    /// What the process may be known by: its executable and its arguments.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.executable().into_iter().chain(self.arguments.as_deref()).collect()
    }

    /// The file that has V8, where the executable has it from a library.
    pub(crate) fn library(&self) -> Option<&str> {
        let names = self.files.iter().map(|file| file.name.as_str());
        names
            .into_iter()
            .find(|name| name.rsplit('/').next().is_some_and(|base| base.starts_with("libnode.so")))
    }

    fn entries(&mut self, mut bytes: &[u8], machine: Machine) {
        while bytes.len() >= 12 {
            let (names, size) = (u32_at(bytes, 0) as usize, u32_at(bytes, 4) as usize);
            let kind = u32_at(bytes, 8);
            let begin = 12usize.saturating_add(names.next_multiple_of(4));
            let end = begin.saturating_add(size);
            let Some(body) = bytes.get(begin..end.min(bytes.len())) else { return };
            if bytes[12..].starts_with(b"CORE") {
                self.entry(kind, body, machine);
            } else if bytes[12..].starts_with(OWN) {
                self.own(kind, body);
            }
            bytes = bytes.get(end.next_multiple_of(4)..).unwrap_or(&[]);
        }
    }

    fn entry(&mut self, kind: u32, body: &[u8], machine: Machine) {
        match kind {
            PRSTATUS => self.threads.extend(thread(body, machine)),
            PRPSINFO if body.len() >= 136 => {
                self.pid = Some(u32_at(body, 24));
                let text = |bytes: &[u8]| {
                    let end = memchr::memchr(0, bytes).unwrap_or(bytes.len());
                    String::from_utf8_lossy(&bytes[..end]).trim_end().to_owned()
                };
                self.arguments = Some(text(&body[56..136])).filter(|a| !a.is_empty());
            }
            SIGINFO if body.len() >= 20 => {
                self.signals += 1;
                let number = |at| i32::from_le_bytes(bytes_at(body, at));
                let (signal, code) = (number(0), number(8));
                // SIGSTOP, and SIGTRAP as debuggers use it, end nothing.
                let stopped = signal == 19 || signal == 5 && code != 128 && code != 1;
                if signal != 0 && !stopped {
                    // Codes of kill, sigqueue and tgkill.
                    let sender = matches!(code, 0 | -1 | -6).then(|| number(16));
                    self.signal = Some((signal, sender));
                }
            }
            AUXV => {
                self.auxiliary =
                    body.as_chunks::<8>().0.iter().take(AUXILIARY).map(|w| u64_at(w, 0)).collect();
                let pairs = body.as_chunks::<16>().0.iter();
                let pair = pairs.map(|p| (u64_at(p, 0), u64_at(p, 8))).find(|&(key, _)| key == AT_PHDR);
                self.program_headers = pair.map(|(_, at)| at).or(self.program_headers);
            }
            FILE => self.mapped(body),
            _ => {}
        }
    }

    /// A note that [`crate::capture`] wrote.
    fn own(&mut self, kind: u32, body: &[u8]) {
        let live = self.live.get_or_insert_default();
        match kind {
            HOST => live.host = String::from_utf8_lossy(body).into_owned(),
            TIME => live.time = String::from_utf8_lossy(body).into_owned(),
            LEFT_OUT => live.left_out = u64_at(body, 0),
            _ => {}
        }
    }

    fn mapped(&mut self, body: &[u8]) {
        let (count, page) = (u64_at(body, 0), u64_at(body, 8));
        let count = usize::try_from(count).unwrap_or(usize::MAX).min(body.len() / 24);
        let mut names = body.get(16 + 24 * count..).unwrap_or(&[]).split(|&b| b == 0);
        for i in 0..count {
            let at = 16 + 24 * i;
            let Some(name) = names.next() else { return };
            self.files.push(FileRange {
                start: u64_at(body, at),
                end: u64_at(body, at + 8),
                offset: u64_at(body, at + 16).saturating_mul(page),
                name: String::from_utf8_lossy(name).into_owned(),
            });
        }
    }
}

/// Reads PRSTATUS: the registers of a thread.
fn thread(body: &[u8], machine: Machine) -> Option<Thread> {
    let (count, sp, fp, pc) = match machine {
        // In the order of `user_regs_struct`: rbp 4, rip 16, rsp 19.
        Machine::X86 => (27, 19, 4, 16),
        // x0 to x30, sp, pc, pstate.
        Machine::Arm => (34, 31, 29, 32),
    };
    let registers: Vec<u64> = (0..count).map(|i| u64_at(body, 112 + 8 * i)).collect();
    (body.len() >= 112 + 8 * count && u16_at(body, 12) < 128).then(|| Thread {
        lwp: u32_at(body, 32),
        sp: registers[sp],
        fp: registers[fp],
        pc: registers[pc],
        registers,
    })
}

/// The name of a signal on Linux.
pub(crate) fn signal_name(signal: i32) -> Option<&'static str> {
    const NAMES: [&str; 31] = [
        "SIGHUP",
        "SIGINT",
        "SIGQUIT",
        "SIGILL",
        "SIGTRAP",
        "SIGABRT",
        "SIGBUS",
        "SIGFPE",
        "SIGKILL",
        "SIGUSR1",
        "SIGSEGV",
        "SIGUSR2",
        "SIGPIPE",
        "SIGALRM",
        "SIGTERM",
        "SIGSTKFLT",
        "SIGCHLD",
        "SIGCONT",
        "SIGSTOP",
        "SIGTSTP",
        "SIGTTIN",
        "SIGTTOU",
        "SIGURG",
        "SIGXCPU",
        "SIGXFSZ",
        "SIGVTALRM",
        "SIGPROF",
        "SIGWINCH",
        "SIGIO",
        "SIGPWR",
        "SIGSYS",
    ];
    usize::try_from(signal).ok()?.checked_sub(1).and_then(|at| NAMES.get(at).copied())
}
