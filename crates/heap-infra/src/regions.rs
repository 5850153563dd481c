//! The memory map of a process, which turns `pc:` frames into module and offset, and the allocators' own totals.

use std::collections::BTreeMap;

use heap_base::Result;

use crate::dict::{is_number, is_string};
use crate::names::hex;
use crate::scan::Scanner;
use crate::texts::{NONE, TextId, Texts};

/// A mapped region. 32 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region {
    pub(crate) start: u64,
    pub(crate) size: u64,
    /// Mapped file; empty text for none.
    pub(crate) file: TextId,
    /// 4 = read, 2 = write, 1 = execute.
    pub(crate) protection: u32,
}

/// The regions of a process by address.
#[derive(Debug, Default)]
pub(crate) struct Regions {
    pub(crate) list: Vec<Region>,
    /// By file: its lowest address, which Chromium's own symbolizer takes for its load address.
    base: BTreeMap<TextId, u64>,
}

impl Regions {
    /// Reads the `process_mmaps` of a dump whose object comes next.
    pub(crate) fn read(scanner: &mut Scanner, texts: &mut Texts) -> Result<Self> {
        let mut regions = Self::default();
        scanner.expect(b'{', "an object")?;
        let mut first = true;
        while let Some(member) = scanner.member(&mut first, &["process_mmaps"])? {
            if !scanner.enter_if(!member.is_empty(), b'{')? {
                continue;
            }
            let mut first = true;
            while let Some(member) = scanner.member(&mut first, &["vm_regions"])? {
                if !scanner.enter_if(!member.is_empty(), b'[')? {
                    continue;
                }
                let mut first = true;
                while scanner.element(&mut first, b']')? {
                    regions.read_region(scanner, texts)?;
                }
            }
        }
        heap_base::sort_by_key(&mut regions.list, |region| region.start);
        for region in &regions.list {
            regions.base.entry(region.file).or_insert(region.start);
        }
        Ok(regions)
    }

    fn read_region(&mut self, scanner: &mut Scanner, texts: &mut Texts) -> Result {
        if !scanner.enter(b'{')? {
            return Ok(());
        }
        let mut region = Region { start: 0, size: 0, file: NONE, protection: 0 };
        let mut first = true;
        while let Some(member) = scanner.member(&mut first, &["sa", "sz", "mf", "pf"])? {
            match member {
                "mf" if is_string(scanner)? => region.file = texts.id_of_bytes(scanner.string()?),
                "pf" if is_number(scanner)? => {
                    region.protection = u32::try_from(scanner.number()?.id()).unwrap_or(0);
                }
                "sa" | "sz" if is_string(scanner)? => {
                    let n = hex(&scanner.text()?).unwrap_or(0);
                    *if member == "sa" { &mut region.start } else { &mut region.size } = n;
                }
                _ => scanner.skip()?,
            }
        }
        self.list.push(region);
        Ok(())
    }

    /// The file mapped at an address, and how far the address lies from the file's load address.
    pub(crate) fn find(&self, address: u64, texts: &Texts) -> Option<(TextId, u64)> {
        let after = self.list.partition_point(|region| region.start <= address);
        let region = self.list.get(after.checked_sub(1)?)?;
        if address - region.start >= region.size || texts.get(region.file).is_empty() {
            return None;
        }
        Some((region.file, address - self.base.get(&region.file)?))
    }
}

/// A number that an allocator reports of itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AllocatorTotal {
    pub(crate) allocator: TextId,
    pub(crate) attribute: TextId,
    pub(crate) units: TextId,
    pub(crate) value: u64,
}

/// Reads, from the `allocators` of a dump whose object comes next, the numbers of those that `wanted` names,
/// in ascending order.
pub(crate) fn read_totals(
    scanner: &mut Scanner,
    wanted: &[TextId],
    texts: &mut Texts,
) -> Result<Vec<AllocatorTotal>> {
    let mut totals = Vec::new();
    scanner.expect(b'{', "an object")?;
    let mut first = true;
    while let Some(member) = scanner.member(&mut first, &["allocators"])? {
        if !scanner.enter_if(!member.is_empty(), b'{')? {
            continue;
        }
        let mut first = true;
        while let Some(name) = scanner.key(&mut first)? {
            let name = std::str::from_utf8(name).ok().and_then(|name| texts.find(name));
            let allocator = name.filter(|name| wanted.binary_search(name).is_ok());
            match allocator {
                Some(allocator) if scanner.next_token()? == b'{' => {
                    read_allocator(scanner, allocator, texts, &mut totals)?;
                }
                _ => scanner.skip()?,
            }
        }
    }
    Ok(totals)
}

fn read_allocator(
    scanner: &mut Scanner,
    allocator: TextId,
    texts: &mut Texts,
    totals: &mut Vec<AllocatorTotal>,
) -> Result {
    scanner.expect(b'{', "an object")?;
    let mut first = true;
    while let Some(member) = scanner.member(&mut first, &["attrs"])? {
        if !scanner.enter_if(!member.is_empty(), b'{')? {
            continue;
        }
        let mut first = true;
        while let Some(name) = scanner.key(&mut first)? {
            let attribute = texts.id_of_bytes(name);
            if !scanner.enter(b'{')? {
                continue;
            }
            let (mut units, mut value, mut scalar) = (NONE, None, true);
            let mut first = true;
            while let Some(member) = scanner.member(&mut first, &["units", "value", "type"])? {
                match member {
                    "units" if is_string(scanner)? => units = texts.id_of_bytes(scanner.string()?),
                    "type" if is_string(scanner)? => scalar = scanner.string()? == b"scalar",
                    "value" if is_string(scanner)? => value = hex(&scanner.text()?),
                    _ => scanner.skip()?,
                }
            }
            if let (Some(value), true) = (value, scalar) {
                totals.push(AllocatorTotal { allocator, attribute, units, value });
            }
        }
    }
    Ok(())
}
