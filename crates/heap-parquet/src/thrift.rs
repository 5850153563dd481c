//! Thrift's compact protocol, as far as the headers of Parquet need it.

use heap_base::{Error, Result, push_varint, unzigzag, zigzag};

/// Types of fields on the wire.
pub(crate) const TRUE: u8 = 1;
pub(crate) const FALSE: u8 = 2;
pub(crate) const I16: u8 = 4;
pub(crate) const I32: u8 = 5;
pub(crate) const I64: u8 = 6;
pub(crate) const BINARY: u8 = 8;
pub(crate) const LIST: u8 = 9;
pub(crate) const STRUCT: u8 = 12;

/// Structs within structs of Parquet's own headers are five deep.
const DEEPEST: usize = 32;

/// Writes one struct and those in it.
#[derive(Debug, Default)]
pub(crate) struct Encoder {
    pub(crate) out: Vec<u8>,
    /// Number of the last field in each open struct.
    last: Vec<i16>,
}

impl Encoder {
    pub(crate) fn begin(&mut self) {
        self.last.push(0);
    }

    pub(crate) fn end(&mut self) {
        self.last.pop();
        self.out.push(0);
    }

    fn field(&mut self, id: i16, kind: u8) {
        let last = self.last.last_mut().map_or(0, |last| std::mem::replace(last, id));
        if let delta @ 1..=15 = id - last {
            self.out.push((delta as u8) << 4 | kind);
        } else {
            self.out.push(kind);
            push_varint(&mut self.out, zigzag(id.into()));
        }
    }

    pub(crate) fn i16(&mut self, id: i16, value: i16) {
        self.field(id, I16);
        push_varint(&mut self.out, zigzag(value.into()));
    }

    pub(crate) fn i32(&mut self, id: i16, value: i32) {
        self.field(id, I32);
        push_varint(&mut self.out, zigzag(value.into()));
    }

    pub(crate) fn i64(&mut self, id: i16, value: i64) {
        self.field(id, I64);
        push_varint(&mut self.out, zigzag(value));
    }

    pub(crate) fn binary(&mut self, id: i16, value: &[u8]) {
        self.field(id, BINARY);
        self.bytes(value);
    }

    /// Begins a struct in a field.
    pub(crate) fn open(&mut self, id: i16) {
        self.field(id, STRUCT);
        self.begin();
    }

    /// Begins a list in a field; its elements follow.
    pub(crate) fn list(&mut self, id: i16, kind: u8, len: usize) {
        self.field(id, LIST);
        if len < 15 {
            self.out.push((len as u8) << 4 | kind);
        } else {
            self.out.push(0xf0 | kind);
            push_varint(&mut self.out, len as u64);
        }
    }

    /// An element of a list of binaries.
    pub(crate) fn bytes(&mut self, value: &[u8]) {
        push_varint(&mut self.out, value.len() as u64);
        self.out.extend_from_slice(value);
    }

    /// An element of a list of numbers.
    pub(crate) fn number(&mut self, value: i64) {
        push_varint(&mut self.out, zigzag(value));
    }
}

/// Reads what [`Encoder`] and other writers wrote. Lengths are checked against what is left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decoder<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Offset of the bytes in the file, for messages.
    base: u64,
}

/// A field's number and type; of a boolean the type is its value.
pub(crate) type Field = (i16, u8);

impl<'a> Decoder<'a> {
    pub(crate) fn new(bytes: &'a [u8], base: u64) -> Self {
        Self { bytes, at: 0, base }
    }

    /// How many bytes were read.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    pub(crate) fn wrong(&self, what: &str) -> Error {
        Error::at_byte(self.base + self.at as u64, format!("header: {what}"))
    }

    fn byte(&mut self) -> Result<u8> {
        let byte = self.bytes.get(self.at).copied().ok_or_else(|| self.wrong("ends early"))?;
        self.at += 1;
        Ok(byte)
    }

    fn varint(&mut self) -> Result<u64> {
        let (mut n, mut shift) = (0, 0);
        loop {
            let byte = self.byte()?;
            n |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                return Ok(n);
            }
            if shift > 63 {
                return Err(self.wrong("a number of more than 64 bits"));
            }
        }
    }

    /// A number of 16, 32 or 64 bits.
    pub(crate) fn number(&mut self) -> Result<i64> {
        self.varint().map(unzigzag)
    }

    pub(crate) fn binary(&mut self) -> Result<&'a [u8]> {
        let len = self.varint()?;
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let found = usize::try_from(len).ok().and_then(|len| rest.get(..len));
        let bytes = found.ok_or_else(|| self.wrong("text ends early"))?;
        self.at += bytes.len();
        Ok(bytes)
    }

    /// Number and type of elements. Each element takes a byte at least.
    pub(crate) fn list(&mut self) -> Result<(usize, u8)> {
        let head = self.byte()?;
        let len = if head >> 4 == 15 { self.varint()? } else { u64::from(head >> 4) };
        match usize::try_from(len) {
            Ok(len) if len <= self.bytes.len() - self.at => Ok((len, head & 15)),
            _ => Err(self.wrong("a list ends early")),
        }
    }

    /// The next field of a struct, after the one with number `last`; `None` at its end.
    pub(crate) fn field(&mut self, last: &mut i16) -> Result<Option<Field>> {
        let head = self.byte()?;
        if head == 0 {
            return Ok(None);
        }
        *last = match head >> 4 {
            0 => self.number()? as i16,
            delta => last.wrapping_add(i16::from(delta)),
        };
        Ok(Some((*last, head & 15)))
    }

    /// Passes over a value of this type.
    pub(crate) fn skip(&mut self, kind: u8) -> Result {
        // Values still to be passed over: a struct has as many fields as come before its end.
        enum Open {
            Fields(i16),
            Elements(usize, u8),
        }
        let mut open = vec![Open::Elements(1, kind)];
        // A boolean field has no bytes, an element of a list has one.
        let mut in_list = false;
        while let Some(top) = open.last_mut() {
            let kind = match top {
                Open::Elements(0, _) => {
                    open.pop();
                    continue;
                }
                Open::Elements(left, kind) => {
                    *left -= 1;
                    *kind
                }
                Open::Fields(last) => {
                    let mut number = *last;
                    let field = self.field(&mut number)?;
                    *last = number;
                    in_list = false;
                    match field {
                        None => {
                            open.pop();
                            continue;
                        }
                        Some((_, kind)) => kind,
                    }
                }
            };
            match kind {
                TRUE | FALSE if in_list => drop(self.byte()?),
                TRUE | FALSE => {}
                3 => drop(self.byte()?),
                I16 | I32 | I64 => drop(self.varint()?),
                7 => {
                    for _ in 0..8 {
                        self.byte()?;
                    }
                }
                BINARY => drop(self.binary()?),
                LIST | 10 => {
                    let (len, kind) = self.list()?;
                    in_list = true;
                    open.push(Open::Elements(len, kind));
                }
                STRUCT => open.push(Open::Fields(0)),
                _ => return Err(self.wrong("an unknown type")),
            }
            if open.len() > DEEPEST {
                return Err(self.wrong("too many structs in structs"));
            }
        }
        Ok(())
    }
}
