//! Where code that V8 compiled stands in its source.
//!
//! Sparkplug compiles bytecode by bytecode, and keeps for each how far it has come in the code:
//!
//! ```text
//! code      |prologue|  LdaZero  |   Call   | Return |
//! table      12        5           21         9          bytes of code, the entry first
//! bytecodes           0           1          4          their lengths differ from version to version
//! ```
//!
//! A table and bytecodes that do not end together are of another version, and nothing is said. The optimizing compilers
//! mix functions: Turbofan keeps the place in the source of each call, and which functions it was inlined into. Of
//! Maglev's code see [`super::maglev`].

use crate::heap::Heap;
use crate::objects::{Code, Compiler, Kind};
use crate::space::object_of;

use super::bytecodes::{Bytecodes, Set};
use super::position::{Form, Numbers, source_position};

/// Functions inlined into each other.
const DEEPEST: usize = 1 << 8;
/// Bytes of a place and the number of its function.
const INLINED: u64 = 16;

/// A place in the source of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    /// The function's metadata, if it was inlined.
    pub(super) shared: Option<u64>,
    /// Offset in the script, in units.
    pub(super) offset: Option<u32>,
}

impl Heap {
    /// The code that V8 made in which an instruction lies.
    pub(super) fn code_at(&self, pc: u64) -> Option<Code> {
        if let Some(known) = self.codes.borrow().get(&pc) {
            return *known;
        }
        let (_, page) = self.pages.at(pc)?;
        let mut found = None;
        self.walk_page(page, &mut crate::heap::Walked::default(), &mut |object| {
            if (object.address..object.address + object.size).contains(&pc) {
                found = self.code(object.address);
            }
        });
        self.codes.borrow_mut().insert(pc, found);
        found
    }

    /// The bytecodes that baseline code was made of, and the offset of the one that an instruction belongs to.
    pub(super) fn baseline_offset(&self, code: &Code, pc: u64) -> Option<(u64, u64)> {
        if code.compiler != Compiler::Sparkplug {
            return None;
        }
        let offsets = &self.offsets;
        let word = self.memory.word(code.address + offsets.code.data)?;
        let array = object_of(word).filter(|_| self.kind_of(word) == Some(Kind::Bytecode))?;
        let count = self.memory.word(array + 8).filter(|w| w & 1 == 0)? >> 32;
        let bytecodes = self.memory.bytes(array + offsets.bytecodes, count.min(self.room(array)));
        let table = self.byte_array(self.memory.word(code.address + offsets.code.positions)?)?;
        let set = Set::of(self.version.v8.as_deref()?)?;
        let at = bytecode_at(&table, &bytecodes, set.lengths, pc.checked_sub(code.start)?)?;
        Some((array, at as u64))
    }

    /// The places where optimized code stands, innermost first: the last is that of the function itself.
    pub(super) fn optimized_spots(
        &self,
        code: &Code,
        pc: u64,
        function: u64,
        form: Form,
    ) -> Option<Vec<Spot>> {
        match code.compiler {
            Compiler::Turbofan => self.turbofan_spots(code, pc, form),
            Compiler::Maglev => self.maglev_spots(code, pc, self.shared(function)?, form),
            _ => None,
        }
    }

    fn turbofan_spots(&self, code: &Code, pc: u64, form: Form) -> Option<Vec<Spot>> {
        let offsets = &self.offsets.code;
        let table = self.byte_array(self.memory.word(code.address + offsets.positions)?)?;
        // It stands behind its call.
        let behind = i64::try_from(pc.checked_sub(code.start)?).ok()? - 1;
        let (mut position, _) = source_position(&table, behind, form)?;
        let array = |word| object_of(word).filter(|_| self.kind_of(word) == Some(Kind::Array));
        let data = array(self.memory.word(code.address + offsets.data)?)?;
        let element = |index: u64| self.memory.word(data + 16 + 8 * index);
        let inlined = self.byte_array(element(offsets.inlined)?)?;
        let literals = array(element(offsets.literals)?)?;
        let mut spots = Vec::new();
        while let Some(id) = (position >> 31 & 0xffff).checked_sub(1).filter(|&id| id >= 0) {
            let at = (id as usize).checked_mul(INLINED as usize)?;
            let entry = inlined.get(at..at + INLINED as usize)?;
            let function = u64::from(crate::elf::u32_at(entry, 8));
            let word = self.memory.word(literals + 16 + 8 * function)?;
            let shared = object_of(word).filter(|_| self.kind_of(word) == Some(Kind::SharedFunctionInfo))?;
            spots.push(Spot { shared: Some(shared), offset: offset_of(position) });
            if spots.len() > DEEPEST {
                return None;
            }
            position = crate::elf::u64_at(entry, 0) as i64;
        }
        spots.push(Spot { shared: None, offset: offset_of(position) });
        Some(spots)
    }

    /// The bytes of an array of bytes.
    pub(super) fn byte_array(&self, word: u64) -> Option<Vec<u8>> {
        let array = object_of(word).filter(|_| self.kind_of(word) == Some(Kind::Raw))?;
        let length = self.memory.word(array + 8).filter(|w| w & 1 == 0)? >> 32;
        Some(self.memory.bytes(array + 16, length.min(self.room(array))))
    }
}

/// The offset in the script that a position stands for; it is kept plus one, above a bit.
pub(super) fn offset_of(position: i64) -> Option<u32> {
    u32::try_from((position >> 1 & 0x3fff_ffff) - 1).ok()
}

/// The offset of the bytecode that the code `pc` bytes behind its start belongs to. `None` also if the table and the
/// bytecodes do not end together.
pub(crate) fn bytecode_at(table: &[u8], bytecodes: &[u8], lengths: &[u8], pc: u64) -> Option<usize> {
    let mut steps = Numbers(table);
    let mut end = steps.next()?;
    let mut all = Bytecodes::new(bytecodes, lengths);
    let mut found = None;
    for bytecode in all.by_ref() {
        let begin = end;
        end = end.checked_add(steps.next()?)?;
        // What was called returns behind the call: to the end of its bytecode, at most.
        if begin < pc && pc <= end {
            found = Some(bytecode.at);
        }
    }
    found.filter(|_| all.is_whole() && steps.next().is_none())
}
