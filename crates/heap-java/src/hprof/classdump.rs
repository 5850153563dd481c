//! A CLASS DUMP sub-record.

use heap_base::{Error, Result};

use super::ids::{id, read_id};
use crate::layout::Kind;
use crate::window::Window;

/// A class as the file has it. Its lists are used again for the next one.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClassDump {
    pub(crate) id: u64,
    /// Serial number of the trace of its allocation.
    pub(crate) trace: u32,
    pub(crate) superclass: u64,
    pub(crate) loader: u64,
    pub(crate) signers: u64,
    pub(crate) domain: u64,
    /// Sum of the sizes of all fields, with references as wide as identifiers.
    pub(crate) instance_size: u32,
    /// References in the constant pool, which only old virtual machines write: index and object.
    pub(crate) constants: Vec<(u16, u64)>,
    pub(crate) statics: Vec<Static>,
    pub(crate) fields: Vec<Field>,
}

/// A static field and its value: an identifier for a reference, else the bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Static {
    pub(crate) name: u64,
    pub(crate) kind: Kind,
    pub(crate) value: u64,
}

/// An instance field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    pub(crate) name: u64,
    pub(crate) kind: Kind,
}

const WHAT: &str = "a class dump";

impl ClassDump {
    /// Reads what follows the tag.
    pub(crate) fn read(&mut self, window: &mut Window<'_>, size: usize) -> Result {
        let at = window.position() - 1;
        self.id = read_id(window, size, WHAT)?;
        self.trace = window.u32(WHAT)?;
        self.superclass = read_id(window, size, WHAT)?;
        self.loader = read_id(window, size, WHAT)?;
        self.signers = read_id(window, size, WHAT)?;
        self.domain = read_id(window, size, WHAT)?;
        read_id(window, size, WHAT)?;
        read_id(window, size, WHAT)?;
        self.instance_size = window.u32(WHAT)?;
        self.constants.clear();
        for _ in 0..window.u16(WHAT)? {
            let index = window.u16(WHAT)?;
            let (kind, value) = value(window, size, at)?;
            if kind == Kind::Object {
                self.constants.push((index, value));
            }
        }
        self.statics.clear();
        for _ in 0..window.u16(WHAT)? {
            let name = read_id(window, size, WHAT)?;
            let (kind, value) = value(window, size, at)?;
            self.statics.push(Static { name, kind, value });
        }
        self.fields.clear();
        for _ in 0..window.u16(WHAT)? {
            let name = read_id(window, size, WHAT)?;
            let kind = kind(window, at)?;
            self.fields.push(Field { name, kind });
        }
        Ok(())
    }
}

fn kind(window: &mut Window<'_>, at: u64) -> Result<Kind> {
    let tag = window.u8(WHAT)?;
    Kind::of(tag)
        .ok_or_else(|| Error::at_byte(at, format!("a class with a field of the impossible type {tag}")))
}

fn value(window: &mut Window<'_>, size: usize, at: u64) -> Result<(Kind, u64)> {
    let kind = kind(window, at)?;
    let bytes = kind.bytes_in(size);
    if !window.has(bytes)? {
        return Err(window.early(WHAT));
    }
    let raw = window.peek(bytes);
    let value = match bytes {
        1 => u64::from(raw[0]),
        2 => u64::from(raw[0]) << 8 | u64::from(raw[1]),
        n => id(raw, n),
    };
    window.advance(bytes);
    Ok((kind, value))
}
