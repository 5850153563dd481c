//! Makes a core file of a copy: headers in front of it, notes and the table of segments behind it.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::time::{SystemTime, UNIX_EPOCH};

use heap_base::Result;

use crate::elf::notes::{AUXV, FILE, HOST, LEFT_OUT, OWN, PRPSINFO, PRSTATUS, TIME};

use super::copy::{Copied, no_room};
use super::process::{FRAME, Process};
use super::stop::Registers;

/// Bytes of the ELF header, of a section header and of a program header.
const HEADER: usize = 64;
const PROGRAM_HEADER: u64 = 56;
/// `e_phnum` of a file with more program headers than that: section header 0 has their number.
const MANY: usize = 0xffff;
/// Bytes of PRSTATUS in front of the registers, and behind.
const STATUS: usize = 112;
const STATUS_END: usize = 8;
/// Bytes of PRPSINFO, and of its last field, the arguments.
const INFO: usize = 136;
const ARGUMENTS: usize = 80;

/// A core in the making.
pub(super) struct Image<'a> {
    pub(super) process: &'a Process,
    /// The main thread first.
    pub(super) threads: &'a [Registers],
    pub(super) copied: &'a Copied,
    pub(super) time: SystemTime,
}

impl Image<'_> {
    /// Writes what a core has beside memory.
    ///
    /// # Errors
    /// There is no room in the file.
    pub(super) fn finish(&self, file: &File) -> Result {
        let notes = self.notes();
        let at_notes = self.copied.end.next_multiple_of(8);
        let at_table = (at_notes + notes.len() as u64).next_multiple_of(8);
        let mut table = Vec::new();
        program_header(&mut table, 4, (at_notes, 0, notes.len() as u64));
        for &(start, bytes, offset) in &self.copied.segments {
            program_header(&mut table, 1, (offset, start, bytes));
        }
        let count = table.len() / PROGRAM_HEADER as usize;
        let at_section = at_table + table.len() as u64;
        // The section that counts, where 16 bits do not.
        let mut section = vec![0; HEADER];
        section[44..48].copy_from_slice(&(count as u32).to_le_bytes());
        table.extend_from_slice(&section);

        let mut head = vec![0; HEADER];
        head[..7].copy_from_slice(b"\x7fELF\x02\x01\x01");
        let machine: u16 = if cfg!(target_arch = "x86_64") { 62 } else { 183 };
        let halves =
            [(16, 4), (18, machine), (52, HEADER as u16), (54, PROGRAM_HEADER as u16), (58, HEADER as u16)];
        let counts = if count < MANY { [(56, count as u16), (60, 0)] } else { [(56, MANY as u16), (60, 1)] };
        for (at, half) in halves.into_iter().chain(counts) {
            head[at..at + 2].copy_from_slice(&half.to_le_bytes());
        }
        head[20] = 1;
        head[32..40].copy_from_slice(&at_table.to_le_bytes());
        if count >= MANY {
            head[40..48].copy_from_slice(&at_section.to_le_bytes());
        }
        for (bytes, at) in [(&notes, at_notes), (&table, at_table), (&head, 0)] {
            file.write_all_at(bytes, at).map_err(no_room)?;
        }
        file.set_len(at_section + HEADER as u64).map_err(no_room)
    }

    fn notes(&self) -> Vec<u8> {
        let mut notes = Vec::new();
        for thread in self.threads {
            let mut body = vec![0; STATUS];
            body[32..36].copy_from_slice(&thread.lwp.to_le_bytes());
            body.extend(thread.words.iter().flat_map(|word| word.to_le_bytes()));
            body.extend([0; STATUS_END]);
            note(&mut notes, b"CORE", PRSTATUS, &body);
        }
        note(&mut notes, b"CORE", PRPSINFO, &self.information());
        // What the kernel does not give is left out.
        if let Ok(vector) = self.process.file("auxv") {
            note(&mut notes, b"CORE", AUXV, &vector);
        }
        note(&mut notes, b"CORE", FILE, &self.files());
        if let Ok(name) = std::fs::read("/proc/sys/kernel/hostname") {
            note(&mut notes, OWN, HOST, name.trim_ascii());
        }
        let seconds = self.time.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        note(&mut notes, OWN, TIME, time(seconds).as_bytes());
        note(&mut notes, OWN, LEFT_OUT, &self.copied.left_out.to_le_bytes());
        notes
    }

    /// Number, name and arguments of the process.
    fn information(&self) -> Vec<u8> {
        let mut body = vec![0; INFO];
        body[24..28].copy_from_slice(&self.process.pid.to_le_bytes());
        let name = self.process.file("comm").unwrap_or_default();
        put(&mut body[40..55], name.trim_ascii());
        let mut arguments = self.process.file("cmdline").unwrap_or_default();
        arguments.iter_mut().filter(|b| **b == 0).for_each(|b| *b = b' ');
        put(&mut body[INFO - ARGUMENTS..INFO - 1], arguments.trim_ascii());
        body
    }

    /// Which files are mapped where.
    fn files(&self) -> Vec<u8> {
        let mappings = self.process.mappings().unwrap_or_default();
        let files: Vec<_> = mappings.iter().filter(|m| m.is_file()).collect();
        let mut body = Vec::new();
        let mut word = |n: u64| body.extend(n.to_le_bytes());
        word(files.len() as u64);
        word(FRAME);
        for file in &files {
            [file.start, file.end, file.offset / FRAME].into_iter().for_each(&mut word);
        }
        for file in &files {
            body.extend_from_slice(file.name.as_bytes());
            body.push(0);
        }
        body
    }
}

/// Seconds since 1970 as ISO 8601 has them, in UTC.
fn time(seconds: u64) -> String {
    let (mut day, rest) = (seconds / 86_400, seconds % 86_400);
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while day >= 365 + u64::from(leap(year)) {
        day -= 365 + u64::from(leap(year));
        year += 1;
    }
    let mut month = 0;
    for length in [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        month += 1;
        if day < length {
            break;
        }
        day -= length;
    }
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", day + 1)
}

/// Puts as much as fits.
fn put(to: &mut [u8], bytes: &[u8]) {
    let n = to.len().min(bytes.len());
    to[..n].copy_from_slice(&bytes[..n]);
}

fn program_header(table: &mut Vec<u8>, kind: u32, (offset, start, bytes): (u64, u64, u64)) {
    table.extend(kind.to_le_bytes());
    table.extend(6u32.to_le_bytes());
    for word in [offset, start, 0, bytes, bytes, 1] {
        table.extend(word.to_le_bytes());
    }
}

fn note(notes: &mut Vec<u8>, owner: &[u8], kind: u32, body: &[u8]) {
    for word in [owner.len() as u32 + 1, body.len() as u32, kind] {
        notes.extend(word.to_le_bytes());
    }
    for part in [owner, &[0], body] {
        notes.extend_from_slice(part);
        // The owner's name ends in a zero, and both parts are padded.
        if part != owner {
            notes.resize(notes.len().next_multiple_of(4), 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elf::{Elf, Notes, u64_at};
    use heap_base::Blob;

    #[test]
    fn times() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_798_761_599, "2026-12-31T23:59:59Z"),
        ] {
            assert_eq!(time(seconds), text);
        }
    }

    /// A core with this many segments of 8 bytes each.
    fn core(segments: u64) -> Blob {
        let process = Process::open(std::process::id()).expect("is there");
        let file = tempfile::tempfile().expect("is there");
        let segment = |i: u64| (0x10_0000 + 16 * i, 8, FRAME + 8 * i);
        let copied =
            Copied { segments: (0..segments).map(segment).collect(), end: FRAME + 8 * segments, left_out: 5 };
        for i in 0..segments {
            file.write_all_at(&i.to_le_bytes(), FRAME + 8 * i).expect("is there");
        }
        let threads = [Registers { lwp: 7, words: (0..34).collect() }];
        let image = Image { process: &process, threads: &threads, copied: &copied, time: UNIX_EPOCH };
        image.finish(&file).expect("is there");
        Blob::from_file(file).expect("is there")
    }

    /// Also one with more segments than 16 bits can count.
    #[test]
    fn cores_are_read_back() {
        for segments in [3, 70_000] {
            let blob = core(segments);
            let elf = Elf::open(&blob).expect("is there");
            assert_eq!((elf.kind, elf.missing, elf.segments.len() as u64), (4, 0, segments));
            let last = elf.segments.last().expect("is there");
            let mut bytes = [0; 8];
            blob.read_exact_at(&mut bytes, last.offset, "").expect("is there");
            assert_eq!(u64_at(&bytes, 0), segments - 1);
            let notes = Notes::read(&blob, &elf).expect("is there");
            assert_eq!(notes.threads.iter().map(|t| t.lwp).collect::<Vec<_>>(), [7]);
            assert_eq!(notes.pid, Some(std::process::id()));
            assert_eq!(notes.signal, None);
            assert!(notes.executable().is_some_and(|path| path.starts_with('/')));
            let live = notes.live.expect("is there");
            assert_eq!((live.time.as_str(), live.left_out), ("1970-01-01T00:00:00Z", 5));
        }
    }
}
