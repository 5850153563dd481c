//! A file that a thread runs code of: how to get from a frame to its caller, and the names of its functions.
//!
//! A core has no code and no names. They are in the executable and in the libraries, and these may have been replaced
//! since: a file counts only if it has the build number that the process had in memory.

use gimli::{
    BaseAddresses, CfaRule, EhFrame, EhFrameHdr, EvaluationResult, LittleEndian, Register, RegisterRule,
    UnwindContext, UnwindExpression, UnwindSection, Value,
};
use heap_base::{Blob, Map, Result};

use crate::elf::symbols::{DYNSYM, SYMTAB, Section, body, sections};
use crate::elf::{u16_at, u32_at, u64_at};
use crate::memory::Memory;

/// Bytes of a symbol.
const SYMBOL: usize = 24;
/// Symbols that are read at a time.
const AT_ONCE: u64 = 4096;
/// The longest name that is shown.
const LONGEST: usize = 4096;
/// Bytes of notes and program headers that are searched for the build number.
const MOST_NOTES: u64 = 4096;
/// Steps of an expression.
const MOST_STEPS: u32 = 1000;

/// Numbers of registers in DWARF, x86-64.
pub(crate) const FP: usize = 6;
pub(crate) const SP: usize = 7;
const RETURN: u16 = 16;
const REGISTERS: usize = 16;

/// Where a thread stands in one of its frames.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    pub(crate) pc: u64,
    /// Whether it stands behind a call, which may be the last instruction of its function.
    pub(crate) called: bool,
    /// By number in DWARF, and a bit for each that is known.
    registers: [u64; REGISTERS],
    known: u16,
}

impl Place {
    pub(crate) fn new(pc: u64, called: bool) -> Self {
        Self { pc, called, ..Self::default() }
    }

    /// A register, if it is known.
    pub(crate) fn register(&self, number: usize) -> Option<u64> {
        self.registers.get(number).copied().filter(|_| self.known >> number & 1 == 1)
    }

    pub(crate) fn set(&mut self, number: usize, value: Option<u64>) {
        if let (Some(value), Some(register)) = (value, self.registers.get_mut(number)) {
            *register = value;
            self.known |= 1 << number;
        }
    }

    /// The same place with these registers.
    pub(crate) fn with(mut self, fp: u64, sp: Option<u64>) -> Self {
        self.set(FP, Some(fp));
        self.set(SP, sp);
        self
    }

    /// An address in the instruction at which it stands.
    pub(crate) fn instruction(&self) -> u64 {
        self.pc.wrapping_sub(self.called.into())
    }

    pub(crate) fn sp(&self) -> u64 {
        self.register(SP).unwrap_or(0)
    }
}

/// What the file says of a place.
#[derive(Debug)]
pub(crate) enum Caller {
    /// It has nothing on this code.
    Unknown,
    /// Nobody called it: the thread began here.
    Nobody,
    /// It has, but what it needs is not there, or makes no sense.
    Broken,
    Found(Place),
}

/// A file with code.
#[derive(Debug)]
pub(crate) struct Module {
    pub(crate) path: String,
    blob: Blob,
    sections: Vec<Section>,
    /// Offset in the file, address and length of what is loaded.
    loads: Vec<(u64, u64, u64)>,
    /// Address and bytes of the table of frames, and of the index of it.
    frames: (u64, Vec<u8>),
    index: (u64, Vec<u8>),
}

impl Module {
    /// Reads what is needed of a file.
    ///
    /// # Errors
    /// A file that is no ELF file with sections.
    pub(super) fn open(path: &str, blob: Blob) -> Result<Self> {
        let sections = sections(&blob)?;
        let named = |name: &[u8]| -> Result<(u64, Vec<u8>)> {
            let section = sections.iter().find(|s| s.name == name);
            section.map_or(Ok((0, Vec::new())), |s| Ok((s.address, body(&blob, s)?)))
        };
        let (frames, index) = (named(b".eh_frame")?, named(b".eh_frame_hdr")?);
        let read = |at, n| from_blob(&blob, at, n);
        let headers = program_headers(&read);
        let loads = headers.iter().filter(|h| h.kind == 1).map(|h| (h.offset, h.address, h.size)).collect();
        Ok(Self { path: path.to_owned(), blob, sections, loads, frames, index })
    }

    /// The address that the byte at an offset of the file was linked for.
    pub(super) fn address(&self, offset: u64) -> Option<u64> {
        let &(start, address, _) = self
            .loads
            .iter()
            .find(|(start, _, size)| (*start..start.saturating_add(*size)).contains(&offset))?;
        address.checked_add(offset - start)
    }

    /// Who called the code at a place, whose instruction was linked for `address`.
    pub(crate) fn caller(&self, memory: &Memory, place: &Place, address: u64) -> Caller {
        let table = EhFrame::new(&self.frames.1, LittleEndian);
        let bases = BaseAddresses::default().set_eh_frame(self.frames.0).set_eh_frame_hdr(self.index.0);
        let index = EhFrameHdr::new(&self.index.1, LittleEndian).parse(&bases, 8).ok();
        let found = match index.as_ref().and_then(gimli::ParsedEhFrameHdr::table) {
            Some(index) => index.fde_for_address(&table, &bases, address, EhFrame::cie_from_offset),
            None => table.fde_for_address(&bases, address, EhFrame::cie_from_offset),
        };
        let Ok(found) = found else { return Caller::Unknown };
        let mut context = UnwindContext::new();
        let Ok(row) = found.unwind_info_for_address(&table, &bases, &mut context, address) else {
            return Caller::Broken;
        };
        let read = Rules { memory, table: &table, place, encoding: found.cie().encoding() };
        let cfa = match row.cfa() {
            CfaRule::RegisterAndOffset { register, offset } => {
                read.register(*register).map(|value| value.wrapping_add_signed(*offset))
            }
            CfaRule::Expression(expression) => read.evaluate(expression, None),
        };
        let Some(cfa) = cfa else { return Caller::Broken };
        let rule = |number| row.register(Register(number)).unwrap_or(RegisterRule::SameValue);
        if rule(RETURN) == RegisterRule::Undefined {
            return Caller::Nobody;
        }
        let Some(pc) = read.value(&rule(RETURN), RETURN, cfa) else { return Caller::Broken };
        let mut caller = Place::new(pc, !found.is_signal_trampoline());
        for number in 0..REGISTERS as u16 {
            caller.set(number.into(), read.value(&rule(number), number, cfa));
        }
        // The stack pointer of the caller is the frame's address, if nothing else is said.
        if row.register(Register(SP as u16)).is_none() {
            caller.set(SP, Some(cfa));
        }
        Caller::Found(caller)
    }

    /// Finds the functions that addresses lie in: name and first address.
    ///
    /// # Errors
    /// Failures of reading.
    pub(super) fn names(&self, addresses: &[u64]) -> Result<Map<u64, (String, u64)>> {
        let mut wanted = addresses.to_vec();
        heap_base::sort(&mut wanted);
        wanted.dedup();
        let mut found = Map::<u64, (u64, u64, u64)>::default();
        for table in self.sections.iter().filter(|s| matches!(s.kind, SYMTAB | DYNSYM)) {
            let Some(texts) = self.sections.get(table.link as usize) else { continue };
            let mut bytes = Vec::new();
            let (mut at, end) = (table.offset, table.offset.saturating_add(table.size).min(self.blob.len()));
            while at < end {
                let want = (end - at).min(AT_ONCE * SYMBOL as u64);
                bytes.resize(want as usize, 0);
                let n = self.blob.read_at(&mut bytes, at)?;
                for symbol in bytes[..n].chunks_exact(SYMBOL) {
                    // Functions, and those that are chosen when the program begins.
                    let (start, size) = (u64_at(symbol, 8), u64_at(symbol, 16));
                    if !matches!(symbol[4] & 15, 2 | 10) || size == 0 {
                        continue;
                    }
                    let from = wanted.partition_point(|&a| a < start);
                    let name = texts.offset.saturating_add(u32_at(symbol, 0).into());
                    for &address in wanted[from..].iter().take_while(|a| **a - start < size) {
                        // The smallest of several; of equals the first.
                        let best = found.entry(address).or_insert((u64::MAX, 0, 0));
                        if size < best.0 {
                            *best = (size, start, name);
                        }
                    }
                }
                at += want;
            }
        }
        let name = |(address, (_, start, at)): (u64, (u64, u64, u64))| {
            let bytes = from_blob(&self.blob, at, LONGEST);
            let end = memchr::memchr(0, &bytes).filter(|&end| end > 0)?;
            Some((address, (String::from_utf8_lossy(&bytes[..end]).into_owned(), start)))
        };
        Ok(found.into_iter().filter_map(name).collect())
    }
}

/// What rules refer to.
struct Rules<'a> {
    memory: &'a Memory,
    table: &'a EhFrame<gimli::EndianSlice<'a, LittleEndian>>,
    place: &'a Place,
    encoding: gimli::Encoding,
}

impl Rules<'_> {
    fn register(&self, register: Register) -> Option<u64> {
        self.place.register(register.0.into())
    }

    /// The value that a register has in the caller.
    fn value(&self, rule: &RegisterRule<usize>, number: u16, cfa: u64) -> Option<u64> {
        match rule {
            RegisterRule::SameValue => self.register(Register(number)),
            RegisterRule::Offset(by) => self.memory.word(cfa.wrapping_add_signed(*by)),
            RegisterRule::ValOffset(by) => Some(cfa.wrapping_add_signed(*by)),
            RegisterRule::Register(other) => self.register(*other),
            RegisterRule::Expression(e) => self.memory.word(self.evaluate(e, Some(cfa))?),
            RegisterRule::ValExpression(e) => self.evaluate(e, Some(cfa)),
            RegisterRule::Constant(value) => Some(*value),
            _ => None,
        }
    }

    fn evaluate(&self, expression: &UnwindExpression<usize>, initial: Option<u64>) -> Option<u64> {
        let mut evaluation = expression.get(self.table).ok()?.evaluation(self.encoding);
        evaluation.set_max_iterations(MOST_STEPS);
        if let Some(value) = initial {
            evaluation.set_initial_value(value);
        }
        let mut outcome = evaluation.evaluate().ok()?;
        loop {
            outcome = match outcome {
                EvaluationResult::Complete => break,
                EvaluationResult::RequiresRegister { register, .. } => {
                    evaluation.resume_with_register(Value::Generic(self.register(register)?)).ok()?
                }
                EvaluationResult::RequiresMemory { address, size: 8, .. } => {
                    evaluation.resume_with_memory(Value::Generic(self.memory.word(address)?)).ok()?
                }
                _ => return None,
            };
        }
        evaluation.value_result()?.to_u64(u64::MAX).ok()
    }
}

/// A program header.
struct Header {
    kind: u32,
    offset: u64,
    address: u64,
    size: u64,
}

/// The program headers of a file whose bytes `read` gives.
fn program_headers(read: &dyn Fn(u64, usize) -> Vec<u8>) -> Vec<Header> {
    let head = read(0, 64);
    let bytes = read(u64_at(&head, 32), usize::from(u16_at(&head, 56)) * 56);
    let header = |h: &[u8]| Header {
        kind: u32_at(h, 0),
        offset: u64_at(h, 8),
        address: u64_at(h, 16),
        size: u64_at(h, 32),
    };
    bytes.chunks_exact(56).map(header).collect()
}

/// The build number in the notes of an ELF file whose bytes `read` gives.
fn build_id(read: &dyn Fn(u64, usize) -> Vec<u8>) -> Option<Vec<u8>> {
    for header in program_headers(read).iter().filter(|h| h.kind == 4) {
        let notes = read(header.offset, header.size.min(MOST_NOTES) as usize);
        let mut rest = &notes[..];
        while rest.len() >= 12 {
            let (names, size) = (u32_at(rest, 0) as usize, u32_at(rest, 4) as usize);
            let begin = 12usize.saturating_add(names.next_multiple_of(4));
            let end = begin.saturating_add(size);
            let Some(body) = rest.get(begin..end) else { break };
            if u32_at(rest, 8) == 3 && rest[12..].starts_with(b"GNU\0") {
                return Some(body.to_vec());
            }
            rest = rest.get(end.next_multiple_of(4)..).unwrap_or(&[]);
        }
    }
    None
}

/// The build number of a file.
pub(super) fn build_id_of_file(blob: &Blob) -> Option<Vec<u8>> {
    build_id(&|at, n| from_blob(blob, at, n))
}

/// The build number of the file that was mapped at an address from its first byte on, if the core has that page.
pub(super) fn build_id_in_core(memory: &Memory, start: u64) -> Option<Vec<u8>> {
    let there = memory.segments().any(|s| (s.start..s.end).contains(&start));
    let read = |at: u64, n: usize| {
        let mut bytes = vec![0; n];
        let n = start.checked_add(at).map_or(0, |from| memory.read(from, &mut bytes));
        bytes.truncate(n);
        bytes
    };
    if there { build_id(&read) } else { None }
}

fn from_blob(blob: &Blob, at: u64, most: usize) -> Vec<u8> {
    let mut bytes = vec![0; most];
    let n = blob.read_at(&mut bytes, at).unwrap_or(0);
    bytes.truncate(n);
    bytes
}
