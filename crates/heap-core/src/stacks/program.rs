//! A program of WebAssembly as it was given to V8: where its functions are, and what they are called.

use std::cell::Cell;

use crate::memory::Memory;

/// What a program begins with: its sign, and the version of the format.
const MAGIC: [u8; 8] = *b"\0asm\x01\0\0\0";
/// Numbers of sections.
const CUSTOM: u8 = 0;
const IMPORTS: u8 = 2;
const CODE: u8 = 10;
/// Parts of the section of names.
const OF_MODULE: u8 = 0;
const OF_FUNCTIONS: u8 = 1;
/// Longer names are damage.
const LONGEST: u64 = 64 << 10;

/// Memory of which so many bytes are read at most, then none: hostile memory leads from any place to any other.
#[derive(Debug)]
pub(super) struct Sparing<'a> {
    memory: &'a Memory,
    left: Cell<u64>,
}

impl<'a> Sparing<'a> {
    pub(super) fn new(memory: &'a Memory, bytes: u64) -> Self {
        Self { memory, left: Cell::new(bytes) }
    }

    pub(super) fn pay(&self, bytes: u64) -> Option<()> {
        let left = self.left.get().checked_sub(bytes);
        self.left.set(left.unwrap_or(0));
        left.map(|_| ())
    }

    fn byte(&self, at: u64) -> Option<u8> {
        self.pay(1)?;
        self.memory.byte(at)
    }

    pub(super) fn u32(&self, at: u64) -> Option<u32> {
        self.pay(4)?;
        self.memory.u32(at)
    }

    pub(super) fn word(&self, at: u64) -> Option<u64> {
        self.pay(8)?;
        self.memory.word(at)
    }

    pub(super) fn bytes(&self, at: u64, length: u64) -> Option<Vec<u8>> {
        self.pay(length)?;
        Some(self.memory.bytes(at, length))
    }
}

/// A program in the memory of the process.
#[derive(Clone, Copy, Debug)]
pub(super) struct Program {
    begin: u64,
    /// Functions that it has from elsewhere; its own come behind.
    imported: u32,
    code: Option<Cursor>,
    names: Option<Cursor>,
}

/// A place in a program, and where its section ends.
#[derive(Clone, Copy, Debug)]
struct Cursor {
    at: u64,
    end: u64,
}

impl Cursor {
    fn byte(&mut self, memory: &Sparing<'_>) -> Option<u8> {
        let byte = memory.byte(self.at).filter(|_| self.at < self.end)?;
        self.at += 1;
        Some(byte)
    }

    /// A number of seven bits a byte.
    fn number(&mut self, memory: &Sparing<'_>) -> Option<u64> {
        let mut value = 0;
        for shift in (0..35).step_by(7) {
            let byte = self.byte(memory)?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn skip(&mut self, bytes: u64) -> Option<()> {
        self.at = self.at.checked_add(bytes).filter(|&at| at <= self.end)?;
        Some(())
    }

    /// What begins with its length.
    fn part(&mut self, memory: &Sparing<'_>) -> Option<Self> {
        let length = self.number(memory)?;
        let at = self.at;
        self.skip(length)?;
        Some(Self { at, end: self.at })
    }

    fn text(&mut self, memory: &Sparing<'_>) -> Option<String> {
        let part = self.part(memory)?;
        let length = part.end - part.at;
        let bytes = memory.bytes(part.at, Some(length).filter(|&length| length < LONGEST)?)?;
        String::from_utf8(bytes).ok()
    }

    /// A type of values: those of references may have one more number.
    fn value_type(&mut self, memory: &Sparing<'_>) -> Option<()> {
        if matches!(self.byte(memory)?, 0x63 | 0x64) {
            self.number(memory)?;
        }
        Some(())
    }

    /// The least and, if the flags say so, the largest size.
    fn limits(&mut self, memory: &Sparing<'_>) -> Option<()> {
        let flags = self.number(memory)?;
        self.number(memory)?;
        if flags & 1 == 1 {
            self.number(memory)?;
        }
        Some(())
    }
}

impl Program {
    pub(super) fn begins(memory: &Sparing<'_>, begin: u64) -> bool {
        memory.bytes(begin, MAGIC.len() as u64).is_some_and(|bytes| bytes == MAGIC)
    }

    /// Reads a program of this length: its sections have to end where it does.
    pub(super) fn read(memory: &Sparing<'_>, begin: u64, length: u64) -> Option<Self> {
        let end = begin.checked_add(length)?;
        let mut all = Cursor { at: begin, end };
        all.skip(MAGIC.len() as u64)?;
        let mut program = Self { begin, imported: 0, code: None, names: None };
        while all.at < end {
            let id = all.byte(memory)?;
            let mut section = all.part(memory)?;
            match id {
                IMPORTS => program.imported = imported(memory, section)?,
                CODE => program.code = Some(section),
                CUSTOM if section.text(memory).as_deref() == Some("name") => program.names = Some(section),
                _ => {}
            }
        }
        Some(program)
    }

    /// The body of a function: its offset in the program, and its length.
    pub(super) fn body(&self, memory: &Sparing<'_>, index: u32) -> Option<(u64, u64)> {
        let own = u64::from(index.checked_sub(self.imported)?);
        let mut code = self.code?;
        let count = code.number(memory)?;
        if own >= count {
            return None;
        }
        for _ in 0..own {
            code.part(memory)?;
        }
        let body = code.part(memory)?;
        Some((body.at - self.begin, body.end - body.at))
    }

    /// The name of a function, behind that of the program if it has one.
    pub(super) fn name(&self, memory: &Sparing<'_>, index: u32) -> Option<String> {
        let mut names = self.names?;
        let (mut module, mut function) = (None, None);
        while names.at < names.end {
            let kind = names.byte(memory)?;
            let mut part = names.part(memory)?;
            match kind {
                OF_MODULE => module = part.text(memory),
                OF_FUNCTIONS => {
                    for _ in 0..part.number(memory)? {
                        let of = part.number(memory)?;
                        if of == u64::from(index) {
                            function = part.text(memory);
                            break;
                        }
                        part.part(memory)?;
                    }
                }
                _ => {}
            }
        }
        let function = function.filter(|name| !name.is_empty())?;
        Some(match module.filter(|name| !name.is_empty()) {
            Some(module) => format!("{module}.{function}"),
            None => function,
        })
    }
}

/// How many functions a program has from elsewhere.
fn imported(memory: &Sparing<'_>, mut section: Cursor) -> Option<u32> {
    let mut functions = 0;
    for _ in 0..section.number(memory)? {
        section.part(memory)?;
        section.part(memory)?;
        match section.byte(memory)? {
            0 => {
                section.number(memory)?;
                functions += 1;
            }
            1 => {
                section.value_type(memory)?;
                section.limits(memory)?;
            }
            2 => section.limits(memory)?,
            3 => {
                section.value_type(memory)?;
                section.byte(memory)?;
            }
            4 => {
                section.byte(memory)?;
                section.number(memory)?;
            }
            _ => return None,
        }
    }
    Some(functions)
}
