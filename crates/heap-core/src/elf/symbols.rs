//! Symbols of an executable that describe V8: `v8dbg_*`, 32-bit numbers in its data.

use heap_base::{Blob, Error, Result};

use super::{u16_at, u32_at, u64_at};

/// Type of a section with all symbols, which `strip` takes away.
pub(crate) const SYMTAB: u32 = 2;
/// Type of a section with dynamic symbols; names and values outlive `strip`.
pub(crate) const DYNSYM: u32 = 11;
/// Type of a section without bytes: what lies there is 0.
const NOBITS: u32 = 8;
/// The longest tables that are read: those of released binaries have 7 MB.
const MOST: u64 = 256 << 20;
/// Names of sections that are asked for are shorter.
const LONGEST_NAME: usize = 64;
/// What the names begin with.
const PREFIX: &[u8] = b"v8dbg_";

/// A section header.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    pub(crate) name: Vec<u8>,
    pub(crate) kind: u32,
    pub(crate) address: u64,
    pub(crate) offset: u64,
    pub(crate) size: u64,
    /// Number of the section with the names of a table's symbols.
    pub(crate) link: u32,
}

/// The `v8dbg_*` symbols of an executable, without the prefix.
///
/// # Errors
/// A file that is no ELF executable with sections, or has no such symbols.
pub(crate) fn symbols(blob: &Blob) -> Result<Vec<(String, i32)>> {
    let sections = sections(blob)?;
    let mut found = Vec::new();
    for table in sections.iter().filter(|s| s.kind == DYNSYM) {
        let Some(names) = sections.get(table.link as usize) else { continue };
        let (symbols, names) = (body(blob, table)?, body(blob, names)?);
        for symbol in symbols.chunks_exact(24) {
            let name = names.get(u32_at(symbol, 0) as usize..).unwrap_or(&[]);
            if !name.starts_with(PREFIX) {
                continue;
            }
            let name = &name[PREFIX.len()..];
            let name = &name[..memchr::memchr(0, name).unwrap_or(name.len())];
            let Some(home) = sections.get(usize::from(u16_at(symbol, 6))) else { continue };
            if let Some(value) = value(blob, home, u64_at(symbol, 8))? {
                found.push((String::from_utf8_lossy(name).into_owned(), value));
            }
        }
    }
    if found.is_empty() {
        return Err(Error::input("no v8dbg symbols: not an executable of Node"));
    }
    Ok(found)
}

/// The sections of an ELF file.
///
/// # Errors
/// A file that is no 64-bit little-endian ELF file, or ends early.
pub(crate) fn sections(blob: &Blob) -> Result<Vec<Section>> {
    let mut head = [0; 64];
    blob.read_exact_at(&mut head, 0, "ELF header")?;
    if !head.starts_with(b"\x7fELF\x02\x01") {
        return Err(Error::at_byte(0, "expected a 64-bit little-endian ELF executable"));
    }
    let count = usize::from(u16_at(&head, 60));
    let mut bytes = vec![0; count * 64];
    blob.read_exact_at(&mut bytes, u64_at(&head, 40), "section headers")?;
    let section = |h: &[u8]| Section {
        name: Vec::new(),
        kind: u32_at(h, 4),
        address: u64_at(h, 16),
        offset: u64_at(h, 24),
        size: u64_at(h, 32),
        link: u32_at(h, 40),
    };
    let mut sections: Vec<Section> = bytes.chunks_exact(64).map(section).collect();
    if let Some(texts) = sections.get(usize::from(u16_at(&head, 62))) {
        let texts = body(blob, texts)?;
        for (section, header) in sections.iter_mut().zip(bytes.chunks_exact(64)) {
            let name = texts.get(u32_at(header, 0) as usize..).unwrap_or(&[]);
            // Any number of sections may begin in one long text.
            let name = &name[..name.len().min(LONGEST_NAME)];
            section.name = name[..memchr::memchr(0, name).unwrap_or(0)].to_vec();
        }
    }
    Ok(sections)
}

/// The bytes of a section, as far as they are there.
///
/// # Errors
/// Failures of reading.
pub(crate) fn body(blob: &Blob, section: &Section) -> Result<Vec<u8>> {
    let size = section.size.min(blob.len().saturating_sub(section.offset)).min(MOST);
    let mut bytes = vec![0; size as usize];
    blob.read_exact_at(&mut bytes, section.offset, "section")?;
    Ok(bytes)
}

/// The number at an address in a section.
fn value(blob: &Blob, home: &Section, address: u64) -> Result<Option<i32>> {
    if home.kind == NOBITS {
        return Ok(Some(0));
    }
    let Some(at) = address.checked_sub(home.address).and_then(|at| at.checked_add(home.offset)) else {
        return Ok(None);
    };
    let mut bytes = [0; 4];
    let n = blob.read_at(&mut bytes, at)?;
    Ok((n == 4).then(|| i32::from_le_bytes(bytes)))
}
