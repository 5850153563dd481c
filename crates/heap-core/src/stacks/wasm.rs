//! Frames of WebAssembly: which function runs, and where it stands.
//!
//! Such a frame has its instance, and no function: the program counter alone says which one. What V8 keeps of each piece of
//! code lies outside of the heap, and is found by what it has to be:
//!
//! ```text
//! code                               module of V8
//!  module ──────────────────────────►  …
//!  first byte of the instructions      what holds the bytes of the program ──► \0asm …
//!  … description ──► places
//!  sizes, number of the function
//! ```
//!
//! The program counter lies in the instructions, the bytes begin and end as a program does, and have a function of that
//! number with that place in it; else nothing is said of the function.

use std::rc::Rc;

use heap_base::{Map, Set};

use crate::heap::Heap;
use crate::memory::Memory;
use crate::objects::Kind;
use crate::space::object_of;

use super::position::{Form, source_position};
use super::program::{Program, Sparing};
use super::{Call, Stack, compiled::offset_of};

/// Instructions of one function are no longer than this, and begin at a multiple of that.
const LONGEST: u64 = 1 << 24;
const ALIGNED: u64 = 32;
/// Bytes of a module of V8 in which it refers to its program, and of what holds that.
const MODULE: u64 = 2 << 10;
const HOLDER: u64 = 40;
/// Words of an instance, and how far its script is from it.
const INSTANCE: u64 = 64;
const STEPS: usize = 4;
/// Functions inlined into each other, and bytes of what is kept of each: its number, a flag, the place of the call.
const DEEPEST: usize = 1 << 8;
const INLINED: u64 = 13;
/// So many bytes of programs and of what leads to them are read at most, some of them many times.
const READ: u64 = 1 << 28;
/// Bytes that are searched at a time.
const PIECE: usize = 1 << 20;

/// A frame that runs a function of WebAssembly.
#[derive(Clone, Debug)]
pub(crate) struct Wasm {
    /// Where it stands: within its call, if it has called.
    pub(super) pc: u64,
    /// Its instance, as a tagged word.
    pub(super) instance: u64,
    /// As V8's own traces have it: `module.function`.
    pub(crate) name: Option<String>,
    /// As V8's own traces have it: `wasm://wasm/ab12:wasm-function[3]:0x5f`.
    pub(crate) place: Option<String>,
}

impl Wasm {
    pub(super) fn new(pc: u64, instance: u64) -> Self {
        Self { pc, instance, name: None, place: None }
    }

    /// What the frame is called.
    pub(crate) fn name(&self) -> &str {
        self.name.as_deref().unwrap_or("(function of WebAssembly)")
    }
}

/// Where V8 has the numbers that describe code, by version.
#[derive(Clone, Copy, Debug)]
struct Layout {
    /// The first of them; the word in front refers to the description.
    numbers: u64,
    /// The number of the function among them; it comes behind sizes.
    index: u64,
}

impl Layout {
    fn of(v8: &str) -> Option<Self> {
        let major: u32 = v8.split('.').next()?.parse().ok()?;
        Some(match major {
            0..=10 => Self { numbers: 32, index: 4 },
            11 | 12 => Self { numbers: 24, index: 5 },
            13.. => Self { numbers: 32, index: 6 },
        })
    }
}

/// Code of one function.
#[derive(Clone, Copy, Debug)]
struct WasmCode {
    start: u64,
    index: u32,
    /// The table of places.
    table: u64,
    bytes: u64,
}

impl Heap {
    /// Finds the functions of all frames of WebAssembly, and where they stand.
    pub(super) fn find_wasm(&self, stacks: &mut [Stack], form: Form) {
        let calls = stacks.iter().flat_map(|s| &s.calls);
        let mut counters: Vec<u64> =
            calls.filter_map(|call| if let Call::Wasm(wasm) = call { Some(wasm.pc) } else { None }).collect();
        heap_base::sort(&mut counters);
        counters.dedup();
        let layout = self.version.v8.as_deref().and_then(Layout::of);
        let (false, Some(layout)) = (counters.is_empty(), layout) else { return };
        let search = Search { memory: &self.memory, sparing: Sparing::new(&self.memory, READ), layout };
        let codes = search.codes(&counters);
        for stack in stacks {
            for call in std::mem::take(&mut stack.calls) {
                match call {
                    Call::Wasm(wasm) => {
                        self.name_wasm(&wasm, codes.get(&wasm.pc), &search, form, &mut stack.calls);
                    }
                    call => stack.calls.push(call),
                }
            }
        }
    }

    /// Adds the calls that a frame stands for, innermost first: functions that were inlined have no frames of their own.
    fn name_wasm(
        &self,
        wasm: &Wasm,
        found: Option<&(WasmCode, Rc<Program>)>,
        search: &Search<'_>,
        form: Form,
        calls: &mut Vec<Call>,
    ) {
        let script = self.wasm_script(wasm.instance).unwrap_or_else(|| "wasm:".to_owned());
        let Some((code, program)) = found else {
            calls.push(Call::Wasm(Wasm { place: Some(script), ..wasm.clone() }));
            return;
        };
        let spots = search.spots(code, program, wasm.pc, form).unwrap_or_else(|| vec![(code.index, None)]);
        for (index, offset) in spots {
            let name =
                program.name(&search.sparing, index).unwrap_or_else(|| format!("wasm-function[{index}]"));
            let offset = offset.map_or(String::new(), |offset| format!(":0x{offset:x}"));
            let place = format!("{script}:wasm-function[{index}]{offset}");
            calls.push(Call::Wasm(Wasm { name: Some(name), place: Some(place), ..wasm.clone() }));
        }
    }

    /// The name of the script of an instance: from the instance to its module, and on.
    fn wasm_script(&self, instance: u64) -> Option<String> {
        let mut seen: Set<u64> = Set::default();
        let mut next = vec![object_of(instance)?];
        for _ in 0..STEPS {
            for address in std::mem::take(&mut next) {
                let Some(map) = self.map_of(address + 1) else { continue };
                let words = match u64::from(self.maps.map(map).words) {
                    0 => INSTANCE,
                    words => words,
                };
                for word in (1..words.min(INSTANCE)).map_while(|i| self.memory.word(address + 8 * i)) {
                    let Some(object) = object_of(word).filter(|_| word & 3 == 1) else { continue };
                    match self.kind_of(word) {
                        Some(Kind::Script) => {
                            let name = self.memory.word(object + self.offsets.script_name)?;
                            let name = self.name(name).filter(|name| name.starts_with("wasm:"));
                            if name.is_some() {
                                return name;
                            }
                        }
                        Some(Kind::JsObject | Kind::JsApiObject | Kind::Struct) if seen.insert(object) => {
                            next.push(object);
                        }
                        _ => {}
                    }
                }
            }
        }
        None
    }
}

/// The memory of a process, searched for what V8 keeps of code of WebAssembly.
#[derive(Debug)]
struct Search<'a> {
    memory: &'a Memory,
    /// The same for what hostile memory may lead to again and again.
    sparing: Sparing<'a>,
    layout: Layout,
}

impl Search<'_> {
    /// The code that each program counter lies in, and its program.
    fn codes(&self, counters: &[u64]) -> Map<u64, (WasmCode, Rc<Program>)> {
        let mut found = Map::default();
        let mut programs: Map<u64, Option<Rc<Program>>> = Map::default();
        let (least, most) = (counters[0].saturating_sub(LONGEST), counters[counters.len() - 1]);
        let mut bytes = vec![0; PIECE];
        for segment in self.memory.segments() {
            let Some(mut at) = segment.start.checked_next_multiple_of(8) else { continue };
            while at < segment.end && found.len() < counters.len() {
                let want = (segment.end - at).min(PIECE as u64) as usize;
                let n = self.memory.read(at, &mut bytes[..want]) & !7;
                for (place, word) in (at..).step_by(8).zip(bytes[..n].chunks_exact(8)) {
                    let start = word.try_into().map_or(0, u64::from_le_bytes);
                    if start < least || start > most || !start.is_multiple_of(ALIGNED) {
                        continue;
                    }
                    let from = counters.partition_point(|&pc| pc < start);
                    let Some((code, module, size)) = self.code(place, start) else { continue };
                    for &pc in counters[from..].iter().take_while(|&&pc| pc - start < size) {
                        if self.sparing.pay(1).is_none() {
                            return found;
                        }
                        if found.contains_key(&pc) {
                            continue;
                        }
                        let program =
                            programs.entry(module).or_insert_with(|| self.program(module).map(Rc::new));
                        if let Some(program) = program
                            && program.body(&self.sparing, code.index).is_some()
                        {
                            found.insert(pc, (code, Rc::clone(program)));
                        }
                    }
                }
                if n < want & !7 || n == 0 {
                    break;
                }
                at += n as u64;
            }
        }
        found
    }

    /// What V8 keeps of code whose first instruction is named at `at`, with its module and the size of the instructions.
    fn code(&self, at: u64, start: u64) -> Option<(WasmCode, u64, u64)> {
        let Layout { numbers, index } = self.layout;
        let own = at.checked_sub(8)?;
        let module = self.memory.word(own).filter(|&word| word != 0 && word.is_multiple_of(8))?;
        let numbers = own.checked_add(numbers)?;
        let description = self.memory.word(numbers - 8)?;
        let number = |i: u64| self.memory.u32(numbers.checked_add(4 * i)?).map(u64::from);
        let (size, relocations, places) = (number(0)?, number(1)?, number(2)?);
        let (protected, constants) = (number(index - 1)?, number(index + 1)?);
        let sound = (1..LONGEST).contains(&size)
            && [relocations, places, protected].iter().all(|&n| n < LONGEST)
            // In the code, or at its end.
            && constants <= size
            && description != 0;
        let table = description.checked_add(protected + relocations)?;
        let index = u32::try_from(number(index)?).ok()?;
        sound.then_some((WasmCode { start, index, table, bytes: places }, module, size))
    }

    /// The program of a module of V8.
    fn program(&self, module: u64) -> Option<Program> {
        let words = |from: u64, bytes: u64| {
            (0..bytes / 8).map_while(move |i| self.sparing.word(from.checked_add(8 * i)?))
        };
        words(module, MODULE).filter(|&holder| holder > MODULE && holder.is_multiple_of(8)).find_map(
            |holder| {
                let begin =
                    words(holder, HOLDER).find(|&word| word != 0 && Program::begins(&self.sparing, word))?;
                words(holder, HOLDER).find_map(|length| Program::read(&self.sparing, begin, length))
            },
        )
    }

    /// The functions in which code stands and their offsets in the program, innermost first: the last is the code's own.
    fn spots(
        &self,
        code: &WasmCode,
        program: &Program,
        pc: u64,
        form: Form,
    ) -> Option<Vec<(u32, Option<u64>)>> {
        let table = self.sparing.bytes(code.table, code.bytes)?;
        let (mut position, _) = source_position(&table, i64::try_from(pc - code.start).ok()?, form)?;
        let mut spots = Vec::new();
        loop {
            let id = (position >> 31 & 0xffff) as u64;
            // What was inlined: the number of the function, and where it was called.
            let entry = match id.checked_sub(1) {
                Some(id) => Some(code.table.checked_add(code.bytes + INLINED * id)?),
                None => None,
            };
            let index = entry.map_or(Some(code.index), |entry| self.sparing.u32(entry))?;
            let (start, size) = program.body(&self.sparing, index)?;
            let offset = u64::from(offset_of(position)?);
            spots.push((index, Some(start + offset).filter(|_| offset < size)));
            let Some(entry) = entry else { return Some(spots) };
            if spots.len() > DEEPEST {
                return None;
            }
            position = self.sparing.word(entry.checked_add(5)?)? as i64;
        }
    }
}

#[cfg(test)]
mod tests {
    use heap_base::Blob;

    use super::*;
    use crate::elf::Segment;

    /// Where things lie in made-up memory: two pieces of code, what describes them, a module and its program.
    const BASE: u64 = 0x10_0000;
    const CODES: u64 = BASE + 0x100;
    const TABLES: u64 = BASE + 0x400;
    const MODULE_AT: u64 = BASE + 0x800;
    const HOLDER_AT: u64 = BASE + 0x1800;
    const PROGRAM: u64 = BASE + 0x1900;
    const START: u64 = 0x7000_0040;

    /// Imports a memory, a global and a function; has two of its own, and names for the first of them.
    fn program() -> Vec<u8> {
        let section = |id: u8, body: &[u8]| [&[id, body.len() as u8], body].concat();
        let imports = b"\x03\x01m\x01a\x02\x00\x01\x01m\x01b\x03\x7f\x00\x01m\x01c\x00\x00";
        let code = b"\x02\x06\x00\x20\x00\x10\x00\x0b\x04\x00\x10\x01\x0b";
        let names = b"\x04name\x00\x05\x04pier\x01\x08\x01\x01\x05inner";
        [b"\0asm\x01\0\0\0", &section(2, imports)[..], &section(10, code), &section(0, names)].concat()
    }

    struct Made(Vec<u8>);

    impl Made {
        fn put(&mut self, at: u64, bytes: &[u8]) {
            let at = (at - BASE) as usize;
            self.0[at..at + bytes.len()].copy_from_slice(bytes);
        }

        fn word(&mut self, at: u64, word: u64) {
            self.put(at, &word.to_le_bytes());
        }

        fn memory(self) -> Memory {
            let end = BASE + self.0.len() as u64;
            Memory::new(Blob::from_bytes(self.0), &[Segment { start: BASE, end, offset: 0 }])
        }
    }

    /// Code of function 1 at `START`, of function 2 behind it; the latter has the former inlined at its call.
    fn made(layout: Layout) -> Made {
        let mut made = Made(vec![0; 0x2000]);
        // Code offset 9: offset 3 of the source. Then code offset 9 with the first inlining: offset 3 in that function.
        let plain: &[u8] = &[20, 16];
        let inlined: &[u8] = &[20, 0x90, 0x80, 0x80, 0x80, 0x10];
        for (i, table) in [plain, inlined].into_iter().enumerate() {
            let own = CODES + 0x100 * i as u64;
            made.word(own, MODULE_AT);
            made.word(own + 8, START + 0x40 * i as u64);
            made.word(own + layout.numbers - 8, TABLES + 0x100 * i as u64);
            let mut numbers = [0u32; 8];
            // Two bytes in front of the table are of something else.
            (numbers[0], numbers[1], numbers[2]) = (0x40, 1, table.len() as u32);
            numbers[layout.index as usize - 1] = 1;
            numbers[layout.index as usize] = 1 + i as u32;
            numbers[layout.index as usize + 1] = 0x30;
            let bytes: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
            made.put(own + layout.numbers, &bytes);
            let at = TABLES + 0x100 * i as u64;
            made.put(at + 2, table);
            // Function 1, called at offset 1.
            made.put(at + 2 + table.len() as u64, &[1, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0]);
        }
        made.word(MODULE_AT + 0x120, HOLDER_AT);
        made.word(HOLDER_AT + 8, PROGRAM);
        made.word(HOLDER_AT + 16, program().len() as u64);
        made.put(PROGRAM, &program());
        made
    }

    fn search(memory: &Memory, layout: Layout, read: u64) -> Search<'_> {
        Search { memory, sparing: Sparing::new(memory, read), layout }
    }

    fn layouts() -> [Layout; 3] {
        ["10.2.154.26-node.39", "12.4.254.21-node.57", "14.6.202.34-node.34"]
            .map(|v8| Layout::of(v8).expect("a version"))
    }

    #[test]
    fn a_program_counter_leads_to_functions_and_offsets() {
        for layout in layouts() {
            let memory = made(layout).memory();
            let search = search(&memory, layout, READ);
            // Within, and in none.
            let counters = [START - 1, START + 12, START + 0x40 + 12, START + 0x81];
            let found = search.codes(&counters);
            assert_eq!(found.len(), 2, "{layout:?}");
            let spots = |pc: u64| {
                let (code, program) = &found[&pc];
                let spots = search.spots(code, program, pc, Form::Signed).expect("places");
                let named = |(index, offset)| (program.name(&search.sparing, index), offset);
                spots.into_iter().map(named).collect::<Vec<_>>()
            };
            let body = |index: u32| found[&counters[1]].1.body(&search.sparing, index).expect("a body").0;
            let inner = || Some("pier.inner".to_owned());
            assert_eq!(spots(counters[1]), [(inner(), Some(body(1) + 3))], "{layout:?}");
            assert_eq!(
                spots(counters[2]),
                [(inner(), Some(body(1) + 3)), (None, Some(body(2) + 1))],
                "{layout:?}"
            );
            // The bodies are where the program has them.
            let call = |at: u64| program()[at as usize];
            assert_eq!((call(body(1) + 3), call(body(2) + 1)), (0x10, 0x10));
        }
    }

    #[test]
    fn damage_says_nothing_of_functions() {
        for layout in layouts() {
            let counters = [START + 12];
            let count = |made: Made| search(&made.memory(), layout, READ).codes(&counters).len();
            assert_eq!(count(made(layout)), 1);
            // No program, one of another length, a function that it lacks, and code that ends before.
            let number = CODES + layout.numbers;
            for (at, word) in [
                (PROGRAM, 0u32),
                (HOLDER_AT + 16, 30),
                (number + 4 * layout.index, 3),
                (number + 4 * layout.index, 0),
                (number, 8),
                (CODES, 1),
            ] {
                let mut made = made(layout);
                made.put(at, &word.to_le_bytes());
                assert_eq!(count(made), 0, "{layout:?} {at:x}");
            }
        }
    }

    #[test]
    fn cut_programs_have_the_functions_that_are_whole() {
        let memory = made(layouts()[0]).memory();
        let memory = Sparing::new(&memory, READ);
        // The names come last, in a section of twenty-four bytes.
        let names = program().len() - 24;
        for end in 0..=program().len() {
            let read = Program::read(&memory, PROGRAM, end as u64);
            let functions = read.is_some_and(|program| program.body(&memory, 2).is_some());
            assert_eq!(functions, end == names || end == program().len(), "{end}");
        }
    }

    /// Descriptions of the code at `START` in front of all else, each with a module of its own that has no program.
    fn decoys(layout: Layout, many: u64) -> Vec<u8> {
        let modules = BASE - 64 * many;
        (0..many)
            .flat_map(|i| {
                let mut words = [modules + 8 * i, START, 0, 0, 0, 0, 0, 0].map(u64::to_le_bytes).concat();
                let at = layout.numbers as usize;
                words[at - 8..at].copy_from_slice(&TABLES.to_le_bytes());
                words[at..at + 4].copy_from_slice(&0x40u32.to_le_bytes());
                let at = at + 4 * layout.index as usize;
                words[at..at + 4].copy_from_slice(&1u32.to_le_bytes());
                words
            })
            .collect()
    }

    #[test]
    fn a_hostile_core_is_searched_within_bounds() {
        const MANY: u64 = 300;
        for layout in layouts() {
            let mut bytes = made(layout).0;
            let end = bytes.len() as u64;
            bytes.extend(decoys(layout, MANY));
            let before = BASE - 64 * MANY;
            let segments = [
                Segment { start: before, end: BASE, offset: end },
                Segment { start: BASE, end: BASE + end, offset: 0 },
            ];
            let memory = Memory::new(Blob::from_bytes(bytes), &segments);
            let found = |read: u64| {
                let search = search(&memory, layout, read);
                let codes = search.codes(&[START + 12]);
                let spots = codes
                    .values()
                    .filter_map(|(code, program)| search.spots(code, program, START + 12, Form::Signed));
                (codes.len(), spots.count())
            };
            // All of them are passed, if that is not too much; nothing is said of what is not reached, nor half of it.
            assert_eq!(found(READ), (1, 1), "{layout:?}");
            assert_eq!(found(MANY), (0, 0), "{layout:?}");
            let all = (0..40).map(|bits| found(1 << bits)).collect::<Vec<_>>();
            assert!(all.is_sorted() && all.contains(&(0, 0)), "{layout:?} {all:?}");
        }
    }

    #[test]
    fn addresses_at_the_end_of_memory_do_not_wrap() {
        const SIZE: u64 = 0x400;
        let begin = 0u64.wrapping_sub(SIZE);
        for layout in layouts() {
            // What describes code, and all that it refers to, as near to the end as a word can be.
            for own in (begin..=u64::MAX - 7).step_by(8) {
                for to in [u64::MAX - 7, u64::MAX - 15, begin] {
                    let mut bytes = vec![0xff; SIZE as usize];
                    let mut put = |at: u64, new: &[u8]| {
                        let at = (at - begin) as usize;
                        let end = bytes.len().min(at + new.len());
                        bytes[at.min(end)..end].copy_from_slice(&new[..end - at.min(end)]);
                    };
                    let (start, numbers) = (u64::MAX - 31, [0x40u32, 1, 2, 3, 1, 1, 1, 1]);
                    put(own, &[to, start, to, to].map(u64::to_le_bytes).concat());
                    if let Some(at) = own.checked_add(layout.numbers) {
                        put(at, &numbers.map(u32::to_le_bytes).concat());
                    }
                    let segment = Segment { start: begin, end: u64::MAX, offset: 0 };
                    let memory = Memory::new(Blob::from_bytes(bytes), &[segment]);
                    let search = search(&memory, layout, READ);
                    assert!(search.codes(&[start, u64::MAX]).is_empty(), "{layout:?} {own:x} {to:x}");
                    // Tables and what was inlined, up to the last byte.
                    let code = WasmCode { start, index: 1, table: own, bytes: 2 };
                    let program = Program::read(&search.sparing, to, u64::MAX - to);
                    assert!(program.is_none_or(|program| {
                        search.spots(&code, &program, u64::MAX, Form::Signed).is_none()
                    }));
                }
            }
        }
    }
}
