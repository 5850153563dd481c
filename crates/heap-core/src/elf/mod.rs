//! ELF files: the segments and notes of a core, and the symbols of an executable.

pub(crate) mod notes;
pub(crate) mod symbols;

pub(crate) use notes::{Notes, Thread, signal_name};
pub(crate) use symbols::symbols;

use heap_base::{Blob, Error, Result, sort_by_key};

/// Bytes of the ELF header of a 64-bit file.
const HEADER: usize = 64;
/// Bytes of a program header.
const PROGRAM_HEADER: u64 = 56;
/// `e_phnum` of a file with more program headers than 16 bits can count.
const MANY: u16 = 0xffff;
/// Program headers are read this many at a time.
const AT_ONCE: u64 = 1024;

/// What a 64-bit little-endian ELF file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Machine {
    /// x86-64.
    X86,
    /// AArch64.
    Arm,
}

/// A part of the memory that a core holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    /// First address.
    pub(crate) start: u64,
    /// First address that is not in the file any more.
    pub(crate) end: u64,
    /// Where its bytes are in the file.
    pub(crate) offset: u64,
}

/// The headers of an ELF file.
#[derive(Debug)]
pub(crate) struct Elf {
    pub(crate) machine: Machine,
    /// `e_type`: 4 is a core.
    pub(crate) kind: u16,
    /// Segments with bytes in the file, by address; none overlap.
    pub(crate) segments: Vec<Segment>,
    /// Where notes are: offset and length.
    pub(crate) notes: Vec<(u64, u64)>,
    /// Bytes that headers promise and the file does not have.
    pub(crate) missing: u64,
    /// Damage found in the headers; what stood before it is there.
    pub(crate) damage: Option<Error>,
}

/// True if `head` begins a 64-bit little-endian core file.
pub(crate) fn is_core(head: &[u8]) -> bool {
    head.len() >= 20 && head.starts_with(b"\x7fELF\x02\x01") && u16_at(head, 16) == 4
}

/// The `N` bytes at `at`; zeros beyond the end.
pub(crate) fn bytes_at<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut out = [0; N];
    if let Some(found) = at.checked_add(N).and_then(|end| bytes.get(at..end)) {
        out.copy_from_slice(found);
    }
    out
}

/// The 16-bit number at `at`.
pub(crate) fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(bytes_at(bytes, at))
}

/// The 32-bit number at `at`.
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes_at(bytes, at))
}

/// The 64-bit number at `at`.
pub(crate) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes_at(bytes, at))
}

impl Elf {
    /// Reads the headers of a file.
    ///
    /// # Errors
    /// A file that is no 64-bit little-endian ELF file, or of a machine other than x86-64 and AArch64.
    pub(crate) fn open(blob: &Blob) -> Result<Self> {
        let mut head = [0; HEADER];
        blob.read_exact_at(&mut head, 0, "ELF header")?;
        if !head.starts_with(b"\x7fELF") {
            return Err(Error::at_byte(0, "expected an ELF file"));
        }
        if head[4] != 2 || head[5] != 1 {
            return Err(Error::at_byte(4, "expected a 64-bit little-endian ELF file"));
        }
        let machine = match u16_at(&head, 18) {
            62 => Machine::X86,
            183 => Machine::Arm,
            other => return Err(Error::at_byte(18, format!("machine {other}, expected x86-64 or AArch64"))),
        };
        let mut elf = Self {
            machine,
            kind: u16_at(&head, 16),
            segments: Vec::new(),
            notes: Vec::new(),
            missing: 0,
            damage: None,
        };
        let count = program_headers(blob, &head)?;
        elf.read_segments(blob, u64_at(&head, 32), count)?;
        if elf.missing > 0 && elf.damage.is_none() {
            let text = format!("the core is cut off: {} bytes of memory are missing", elf.missing);
            elf.damage = Some(Error::at_byte(blob.len(), text));
        }
        Ok(elf)
    }

    fn read_segments(&mut self, blob: &Blob, table: u64, count: u64) -> Result {
        let mut piece = Vec::new();
        let mut done = 0;
        while done < count {
            let n = (count - done).min(AT_ONCE);
            piece.resize((n * PROGRAM_HEADER) as usize, 0);
            let offset = table.saturating_add(done.saturating_mul(PROGRAM_HEADER));
            let found = blob.read_at(&mut piece, offset)?;
            for header in piece[..found].chunks_exact(PROGRAM_HEADER as usize) {
                self.segment(blob.len(), header);
            }
            if found < piece.len() {
                self.damage =
                    Some(Error::at_byte(offset.saturating_add(found as u64), "program headers end early"));
                break;
            }
            done += n;
        }
        sort_by_key(&mut self.segments, |s| (s.start, s.end));
        // Where segments overlap, the first has the bytes.
        let mut end = 0;
        self.segments.retain_mut(|s| {
            if s.start < end {
                s.offset = s.offset.saturating_add(end.min(s.end) - s.start);
                s.start = end.min(s.end);
            }
            end = end.max(s.end);
            s.start < s.end
        });
        Ok(())
    }

    /// Takes a program header, clipped to what the file has.
    fn segment(&mut self, file: u64, header: &[u8]) {
        let (offset, start, size) = (u64_at(header, 8), u64_at(header, 16), u64_at(header, 32));
        match u32_at(header, 0) {
            1 if size > 0 => {
                let there = size.min(file.saturating_sub(offset));
                self.missing = self.missing.saturating_add(size - there);
                if let Some(end) = start.checked_add(there).filter(|_| there > 0) {
                    self.segments.push(Segment { start, end, offset });
                }
            }
            4 => self.notes.push((offset, size)),
            _ => {}
        }
    }
}

/// How many program headers there are, checked against the length of the file.
fn program_headers(blob: &Blob, head: &[u8]) -> Result<u64> {
    let count = match u16_at(head, 56) {
        MANY => {
            let mut section = [0; 64];
            let at = u64_at(head, 40);
            blob.read_exact_at(&mut section, at, "section header 0, which counts the segments")?;
            u32_at(&section, 44).into()
        }
        count => u64::from(count),
    };
    Ok(count.min(blob.len() / PROGRAM_HEADER + 1))
}
