//! Where code of Maglev stands in its source: it can be left at each call, and what is needed for that says which calls of
//! the interpreter stand there.
//!
//! ```text
//! behind the instructions        how to leave (elements)      translation (bytes)
//!  count, sizes                   bytes, literals, …
//!  call ends at, exit, leaves at   …
//!  44            20    1870 ────▶ 609, 9, 1870
//!                                  └───────────────────────▶ begin 2 calls
//!                                                             interpreted 7, function 5, bytecodes 0  outermost
//!                                                             values of its registers
//!                                                             interpreted 9, function 0, bytecodes 2
//! ```
//!
//! Every entry behind the instructions has the address of an exit that the elements must have too, the innermost call has
//! the offset of the elements, and the outermost one is the frame's function. If not, it is of a version not known, and
//! nothing is said.

use crate::elf::u32_at;
use crate::heap::Heap;
use crate::objects::{Code, Kind};
use crate::space::object_of;

use super::compiled::Spot;
use super::position::Form;

/// Elements of a way to leave: offset of the bytecode, where its translation begins, and the exit.
const EXIT: u64 = 3;
/// Elements between the places of inlined functions and the first exit, these included.
const BEFORE: u64 = 4;
/// Behind the instructions: where the number of entries and their sizes stand, and bytes in front of the entries.
const COUNT: usize = 4;
const SIZES: usize = 8;
const HEADER: usize = 16;
/// Bytes behind the instructions that are read.
const MOST_TABLE: u64 = 1 << 20;
/// Calls inlined into each other.
const DEEPEST: u64 = 1 << 8;

/// How many operands each operation of a translation has. The first eleven are frames.
const OPERANDS: [u8; 45] = [
    6, 4, 3, 3, 2, 1, 3, 4, 3, 3, 2, 1, 0, 0, 3, 3, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 0, 1, 1, 1, 1, 1, 2, 1,
];
const FRAMES: u8 = 11;
/// Frames of the interpreter, then those of built-in functions that JavaScript calls.
const INTERPRETED: u8 = 2;
const BUILTIN: u8 = 4;
const BEGIN: [u8; 2] = [14, 15];
/// As many operations as said are those of the translation before; all numbers above it say so, too.
const AGAIN: u8 = 44;

/// A call that stands where code is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    /// Of its bytecode; of a built-in function, its number.
    offset: u64,
    /// The function's metadata, as a literal.
    function: u64,
    /// Its bytecodes, as a literal of another list.
    bytecodes: Option<u64>,
}

impl Heap {
    /// The places where code of Maglev stands, innermost first: the last is that of the function itself.
    pub(super) fn maglev_spots(&self, code: &Code, pc: u64, shared: u64, form: Form) -> Option<Vec<Spot>> {
        let offsets = &self.offsets.code;
        let array = |word| object_of(word).filter(|_| self.kind_of(word) == Some(Kind::Array));
        let element = |array: u64, index: u64| {
            let within = self.array_length(array).is_some_and(|length| index < length);
            self.memory.word(array + 16 + 8 * index).filter(|_| within)
        };
        let small = |word: u64| (word & 1 == 0).then_some(word >> 32);
        let data = array(self.memory.word(code.address + offsets.data)?)?;
        let exit = |number: u64, field| {
            small(element(data, offsets.inlined + BEFORE + number.checked_mul(EXIT)? + field)?)
        };
        let table = self.memory.bytes(code.start.checked_add(code.size)?, MOST_TABLE);
        let number = left_at(&table, pc.checked_sub(code.start)?, &|number| exit(number, 2))?;
        let translation = self.byte_array(element(data, 0)?)?;
        let places = places(&translation, exit(number, 1)? as usize)?;
        if places.last()?.offset != exit(number, 0)? {
            return None;
        }
        let literals = array(element(data, offsets.literals)?)?;
        let protected = array(element(data, offsets.literals.checked_sub(1)?)?)?;
        let mut spots = Vec::new();
        for (depth, place) in places.iter().enumerate() {
            let word = element(literals, place.function)?;
            let function =
                object_of(word).filter(|_| self.kind_of(word) == Some(Kind::SharedFunctionInfo))?;
            if depth == 0 && function != shared {
                return None;
            }
            let offset = match place.bytecodes {
                Some(index) => {
                    let word = element(protected, index)?;
                    let array = object_of(word).filter(|_| self.kind_of(word) == Some(Kind::Bytecode))?;
                    self.source_offset(array, place.offset as i64, form).map(|(offset, _)| offset)
                }
                None => None,
            };
            spots.push(Spot { shared: (depth > 0).then_some(function), offset });
        }
        spots.reverse();
        Some(spots)
    }
}

/// The number of the exit that is taken behind the call that ends at `pc`. `None` also if the exits are not those of the
/// code.
fn left_at(table: &[u8], pc: u64, exit: &dyn Fn(u64) -> Option<u64>) -> Option<u64> {
    let head = table.get(..HEADER)?;
    let (count, sizes) = (u32_at(head, COUNT) as usize, u32_at(head, SIZES) as usize);
    let (saved, wide, narrow) = (sizes >> 1 & 7, sizes >> 4 & 7, sizes >> 7 & 7);
    if sizes & 1 == 0 || [saved, wide, narrow].iter().any(|&size| size > 4) {
        return None;
    }
    let step = 2 * wide + narrow + 1 + saved;
    let entries = table.get(HEADER..HEADER.checked_add(count.checked_mul(step)?)?)?;
    let mut found = None;
    for entry in entries.chunks_exact(step) {
        let number = |from: usize, size: usize| {
            entry[from..from + size].iter().rev().fold(0u64, |value, &byte| value << 8 | u64::from(byte))
        };
        // They are kept plus one: nothing is none.
        let (at, index, leaves) = (number(0, wide), number(wide, narrow), number(wide + narrow, wide));
        match (index.checked_sub(1), leaves.checked_sub(1)) {
            (Some(index), Some(leaves)) if exit(index) == Some(leaves) => {
                if at == pc || leaves == pc {
                    found = Some(index);
                }
            }
            (None, None) => {}
            _ => return None,
        }
    }
    found
}

/// The calls in a translation that begins at `at`, outermost first.
fn places(bytes: &[u8], at: usize) -> Option<Vec<Place>> {
    let mut all = Operations { bytes, at, before: 0, again: 0, since: 0 };
    let begin = all.next()?;
    if !BEGIN.contains(&begin) {
        return None;
    }
    all.number()?;
    let (frames, scripts) = (all.number()? >> 1, all.number()? >> 1);
    if frames > DEEPEST {
        return None;
    }
    let mut places = Vec::new();
    let mut seen = 0;
    while seen < frames {
        let operation = all.next()?;
        let mut operands = [0; 6];
        for operand in operands.iter_mut().take(OPERANDS[usize::from(operation)].into()) {
            *operand = all.number()?;
        }
        // The lowest bit is the sign.
        let [offset, function, bytecodes, ..] = operands.map(|operand| operand >> 1);
        match operation {
            0..INTERPRETED => places.push(Place { offset, function, bytecodes: Some(bytecodes) }),
            INTERPRETED..BUILTIN => places.push(Place { offset, function, bytecodes: None }),
            _ if BEGIN.contains(&operation) => return None,
            _ => {}
        }
        seen += u64::from(operation < FRAMES);
    }
    (places.len() as u64 == scripts).then_some(places)
}

/// Goes over the operations of a translation.
struct Operations<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Where the translation before stands.
    before: usize,
    /// How many operations are still taken from there.
    again: u64,
    /// Operations since it stood where this one does.
    since: u64,
}

impl Operations<'_> {
    fn next(&mut self) -> Option<u8> {
        self.again = self.again.saturating_sub(1);
        if self.again > 0 {
            return self.next_before();
        }
        let operation = *self.bytes.get(self.at)?;
        self.at += 1;
        if operation >= AGAIN {
            self.again = match u64::from(operation - AGAIN) {
                0 => number(self.bytes, &mut self.at)?,
                more => more - 1,
            };
            for _ in 0..std::mem::take(&mut self.since) {
                let skipped = self.next_before()?;
                for _ in 0..OPERANDS[usize::from(skipped)] {
                    number(self.bytes, &mut self.before)?;
                }
            }
            return self.next_before();
        }
        if BEGIN.contains(&operation) {
            let back = number(self.bytes, &mut { self.at })?;
            self.before = (self.at - 1).checked_sub(usize::try_from(back).ok()?)?;
            self.since = 1;
        } else {
            self.since += 1;
        }
        Some(operation)
    }

    fn next_before(&mut self) -> Option<u8> {
        let operation = *self.bytes.get(self.before)?;
        self.before += 1;
        (operation < AGAIN).then_some(operation)
    }

    /// The next operand.
    fn number(&mut self) -> Option<u64> {
        number(self.bytes, if self.again > 0 { &mut self.before } else { &mut self.at })
    }
}

/// A number of seven bits a byte, the lowest first.
fn number(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let mut all = super::position::Numbers(bytes.get(*at..)?);
    let value = all.next()?;
    *at = bytes.len() - all.0.len();
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two entries: a call that ends at 44, left at 1870 by exit 0, and one that is never left.
    const TABLE: [u8; 30] =
        [15, 0, 0, 0, 2, 0, 0, 0, 0xa3, 0, 0, 0, 2, 0, 0, 0, 44, 0, 1, 0x4f, 7, 0, 0, 99, 0, 0, 0, 0, 0, 0];

    #[test]
    fn calls_have_the_exit_that_both_sides_know() {
        let exit = |number| (number == 0).then_some(1870);
        assert_eq!(left_at(&TABLE, 44, &exit), Some(0));
        // Where the exit has replaced the address on the stack.
        assert_eq!(left_at(&TABLE, 1870, &exit), Some(0));
        assert_eq!(left_at(&TABLE, 99, &exit), None);
        assert_eq!(left_at(&TABLE, 45, &exit), None);
        assert_eq!(left_at(&TABLE, 44, &|_| Some(1874)), None);
        for cut in 0..TABLE.len() {
            assert_eq!(left_at(&TABLE[..cut], 44, &exit), None);
        }
    }

    #[test]
    fn translations_have_their_calls_outermost_first() {
        // Two frames and one that makes an object; then the same again but for the last call's place.
        let one = [14, 0, 6, 4, 1, 14, 10, 0, 2, 38, 12, 5, 10, 1, 4, 0, 2, 2, 37];
        let two = [15, 19, 6, 4, 48, 1, 8, 0, 2, 2, 37];
        let bytes = [&one[..], &two[..]].concat();
        let place = |offset, function, bytecodes| Place { offset, function, bytecodes: Some(bytecodes) };
        assert_eq!(places(&bytes, 0), Some(vec![place(7, 5, 0), place(2, 0, 1)]));
        assert_eq!(places(&bytes, one.len()), Some(vec![place(7, 5, 0), place(4, 0, 1)]));
        assert_eq!(places(&bytes, 1), None);
        for cut in 0..one.len() - 2 {
            assert_eq!(places(&bytes[..cut], 0), None);
        }
    }
}
