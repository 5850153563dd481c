//! Machine code: what describes it, where its instructions are, and which objects they name.
//!
//! Up to V8 10 an object of code has its instructions behind its header. Later ones have them in another object, on a page
//! of code, and both refer to each other:
//!
//! ```text
//! code                                  instructions
//!  data        bytecodes, or how          map
//!              to leave the code          code ───────── back
//!  positions   source, or bytecodes       …
//!  stream ───────────────────────────►    bytes, which name objects
//!  start       address of the first byte
//!  flags, size
//! ```
//!
//! Functions refer to their code. From V8 13 on they have the number of an entry in a table outside of the heap, which has
//! the object of the code. The data of an isolate have the address of that table.

use crate::elf::Machine;
use crate::heap::Heap;
use crate::space::object_of;

use super::Kind;

/// Bytes of an address.
const WORD: usize = 8;
/// An entry of the table of code: where its instructions begin, then its object above the lowest bits.
const ENTRY: u64 = 16;
const OBJECT: u32 = 16;
/// Bits of a function's number that are not the number of an entry.
const NUMBER: u32 = 8;
/// The table begins at a frame of memory, with what all isolates share. The first entries of an isolate come behind.
const FRAME: u64 = 4 << 10;
const SHARED: u64 = 64 << 10;
/// Entries that must be what entries are.
const PROOF: u64 = 16;
/// Bytes in front of a heap that its isolate has, and behind.
const BEFORE: u64 = 64 << 10;
const BEHIND: u64 = 4 << 10;
/// Code longer than this is damage.
const LONGEST: u64 = 1 << 28;

/// Where code has what describes it, by version.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CodeOffsets {
    /// The bytecodes that baseline code was made of; of optimized code, how to leave it.
    pub(crate) data: u64,
    /// Source positions; of baseline code, how far each bytecode reaches.
    pub(crate) positions: u64,
    /// Elements of what says how to leave optimized code: places where functions were inlined, and functions.
    pub(crate) inlined: u64,
    pub(crate) literals: u64,
    pub(crate) flags: u64,
    pub(crate) size: u64,
    /// Where the object has its instructions itself, their offset.
    pub(crate) inside: Option<u64>,
    /// First byte of the object that has the instructions of another.
    pub(crate) stream: u64,
    /// Number of the kind that Sparkplug makes. The optimizing compilers' come next.
    pub(crate) baseline: u32,
}

/// Which compiler made code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compiler {
    /// Bytecode by bytecode.
    Sparkplug,
    Maglev,
    Turbofan,
    /// Built-in functions, regular expressions, WebAssembly.
    Other,
}

impl Compiler {
    /// Whether the code assumes what may cease to hold, and so keeps nothing alive that only its assumptions name.
    pub(crate) const fn optimizes(self) -> bool {
        matches!(self, Self::Maglev | Self::Turbofan)
    }
}

/// Code, and where its instructions are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Code {
    /// The object that describes it.
    pub(crate) address: u64,
    pub(crate) compiler: Compiler,
    /// Its instructions: first byte, and how many.
    pub(crate) start: u64,
    pub(crate) size: u64,
}

impl Heap {
    /// The code that an object describes, or that is in an object of instructions.
    pub(crate) fn code(&self, object: u64) -> Option<Code> {
        let offsets = self.offsets.code;
        let address = match self.kind_of(object + 1)? {
            Kind::Code => object,
            Kind::Instructions => {
                let word = self.memory.word(object + 8)?;
                object_of(word).filter(|_| self.kind_of(word) == Some(Kind::Code))?
            }
            _ => return None,
        };
        let start = match offsets.inside {
            Some(offset) => address + offset,
            None => self.memory.word(address + 40)?,
        };
        let kind = self.memory.u32(address + offsets.flags)? & 15;
        let compiler = match kind.checked_sub(offsets.baseline) {
            Some(0) => Compiler::Sparkplug,
            Some(1) => Compiler::Maglev,
            Some(2) => Compiler::Turbofan,
            _ => Compiler::Other,
        };
        let size = u64::from(self.memory.u32(address + offsets.size)?);
        Some(Code { address, compiler, start, size })
    }

    /// The code of a function, if that is in the table, as a tagged word.
    pub(crate) fn code_of_function(&self, function: u64) -> Option<u64> {
        let table = (*self.code_table.get_or_init(|| self.find_code_table()))?;
        let number = self.memory.u32(function + self.offsets.function_shared - 8)? >> NUMBER;
        self.code_in(table + ENTRY * u64::from(number))
    }

    /// The code that an entry of the table has: the entry and the code agree on where instructions begin.
    fn code_in(&self, entry: u64) -> Option<u64> {
        let (start, object) = (self.memory.word(entry)?, self.memory.word(entry.checked_add(8)?)?);
        let word = object >> OBJECT | 1;
        let address = object_of(word)?;
        self.code(address).filter(|code| code.address == address && code.start == start).map(|_| word)
    }

    fn find_code_table(&self) -> Option<u64> {
        let regions = self.pages.heaps().into_iter();
        let mut words = regions.flat_map(|heap| {
            (heap.saturating_sub(BEFORE)..heap.saturating_add(BEHIND))
                .step_by(8)
                .filter_map(|at| self.memory.word(at))
        });
        words.find(|&table| {
            let first = table.saturating_add(SHARED);
            table != 0
                && table.is_multiple_of(FRAME)
                && (0..PROOF).all(|i| self.code_in(first.saturating_add(ENTRY * i)).is_some())
        })
    }

    /// Goes over the words that instructions hold as a whole: those that name objects are among them.
    ///
    /// On x86-64 such a word may begin at any byte, behind the opcode that loads it into a register; on AArch64 they stand
    /// in a table between the instructions.
    pub(crate) fn each_embedded(&self, code: &Code, each: &mut dyn FnMut(u64)) {
        let bytes = self.memory.bytes(code.start, code.size.min(LONGEST));
        match self.machine {
            Machine::X86 => loads(&bytes, each),
            Machine::Arm => {
                for word in bytes.windows(WORD).step_by(4) {
                    each(word.try_into().map_or(0, u64::from_le_bytes));
                }
            }
        }
    }
}

/// Goes over the words that `mov register, word` loads: two bytes of opcode, then the word.
fn loads(bytes: &[u8], each: &mut dyn FnMut(u64)) {
    let mut at = 0;
    while let Some(&[wide, opcode, ref word @ ..]) = bytes.get(at..at + 2 + WORD) {
        if wide & 0xfe == 0x48
            && opcode & 0xf8 == 0xb8
            && let Ok(word) = word.try_into().map(u64::from_le_bytes)
            && word & 3 == 1
        {
            each(word);
            at += 2 + WORD;
        } else {
            at += 1;
        }
    }
}
