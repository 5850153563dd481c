//! What an executable says of itself: names of its sections and its dynamic symbols.

use std::fs::File;

use heap_base::sys::read_exact_at;

/// Largest table of names that is read.
const LONGEST: u64 = 64 << 20;
/// Bytes of a section's header, in files of 64 bits.
const HEADER: usize = 64;
const DYNSYM: u32 = 11;

/// What is of interest in an executable of ELF, 64 bits.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// Names of sections, a NUL behind each.
    pub(crate) sections: Vec<u8>,
    /// Names of dynamic symbols, likewise.
    pub(crate) symbols: Vec<u8>,
}

impl Names {
    /// Reads them; what is damaged or no ELF has none.
    pub(crate) fn read(file: &File) -> Self {
        Self::try_read(file).unwrap_or_default()
    }

    /// Whether a dynamic symbol begins so.
    pub(crate) fn symbol(&self, begin: &str) -> bool {
        memchr::memmem::find(&self.symbols, format!("\0{begin}").as_bytes()).is_some()
    }

    /// Whether there is a section of this name.
    pub(crate) fn section(&self, name: &str) -> bool {
        memchr::memmem::find(&self.sections, format!("\0{name}\0").as_bytes()).is_some()
    }

    fn try_read(file: &File) -> Option<Self> {
        let mut head = [0; 64];
        read_exact_at(file, &mut head, 0).ok()?;
        if !head.starts_with(b"\x7fELF\x02\x01") || u16::from_le_bytes([head[58], head[59]]) != HEADER as u16
        {
            return None;
        }
        let offset = u64::from_le_bytes(*head[40..].first_chunk()?);
        let count = usize::from(u16::from_le_bytes([head[60], head[61]]));
        let names = usize::from(u16::from_le_bytes([head[62], head[63]]));
        let mut table = vec![0; count * HEADER];
        read_exact_at(file, &mut table, offset).ok()?;
        let header = |index: usize| table.get(index * HEADER..(index + 1) * HEADER);
        let strings = |index: usize| {
            let header = header(index)?;
            let offset = u64::from_le_bytes(*header[24..].first_chunk()?);
            let size = u64::from_le_bytes(*header[32..].first_chunk()?);
            if size > LONGEST || offset.checked_add(size)? > file.metadata().ok()?.len() {
                return None;
            }
            let mut bytes = vec![0; size as usize];
            read_exact_at(file, &mut bytes, offset).ok()?;
            Some(bytes)
        };
        let kind = |header: &[u8]| header[4..].first_chunk().map(|n| u32::from_le_bytes(*n));
        let dynamic = (0..count).filter_map(header).find(|header| kind(header) == Some(DYNSYM));
        let symbols = dynamic
            .and_then(|header| header[40..].first_chunk())
            .and_then(|link| strings(u32::from_le_bytes(*link) as usize));
        Some(Self { sections: strings(names).unwrap_or_default(), symbols: symbols.unwrap_or_default() })
    }
}
