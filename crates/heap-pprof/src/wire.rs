//! The wire format of Protocol Buffers, as far as profiles need it: fields with numbers, varints, bytes.

use heap_base::{Error, Result};

/// The value of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value<'a> {
    /// A varint; a signed one as two's complement.
    Int(u64),
    /// Bytes: text, a message, or packed integers.
    Bytes(&'a [u8]),
    /// Four or eight bytes, which no field of a profile has.
    Fixed,
}

impl<'a> Value<'a> {
    /// The integer, 0 if it is something else.
    pub(crate) fn int(self) -> u64 {
        if let Self::Int(n) = self { n } else { 0 }
    }

    /// The bytes, none if it is something else.
    pub(crate) fn bytes(self) -> &'a [u8] {
        if let Self::Bytes(bytes) = self { bytes } else { b"" }
    }

    /// Appends the integers of a repeated field: one, or several packed ones.
    pub(crate) fn ints(self, out: &mut Vec<u64>) -> Result<(), &'static str> {
        let mut rest = match self {
            Self::Int(n) => {
                out.push(n);
                return Ok(());
            }
            Self::Bytes(bytes) => bytes,
            Self::Fixed => return Ok(()),
        };
        while !rest.is_empty() {
            out.push(varint(&mut rest)?);
        }
        Ok(())
    }
}

/// Takes a varint from the beginning of `bytes`.
pub(crate) fn varint(bytes: &mut &[u8]) -> Result<u64, &'static str> {
    let mut value = 0u64;
    for (i, &byte) in bytes.iter().take(10).enumerate() {
        value |= u64::from(byte & 0x7F) << (7 * i);
        if byte < 0x80 {
            *bytes = &bytes[i + 1..];
            return Ok(value);
        }
    }
    Err(if bytes.len() < 10 { "ends early" } else { "expected an integer of at most 10 bytes" })
}

/// Takes a field from the beginning of `bytes`: its number and its value.
pub(crate) fn field<'a>(bytes: &mut &'a [u8]) -> Result<(u64, Value<'a>), &'static str> {
    let tag = varint(bytes)?;
    let mut take = |n: u64| -> Result<&'a [u8], &'static str> {
        let split = usize::try_from(n).ok().and_then(|n| bytes.split_at_checked(n));
        let (taken, rest) = split.ok_or("ends early")?;
        *bytes = rest;
        Ok(taken)
    };
    let value = match tag & 7 {
        0 => Value::Int(varint(bytes)?),
        1 => take(8).map(|_| Value::Fixed)?,
        2 => {
            let length = varint(bytes)?;
            let split = usize::try_from(length).ok().and_then(|n| bytes.split_at_checked(n));
            let (taken, rest) = split.ok_or("ends early")?;
            *bytes = rest;
            Value::Bytes(taken)
        }
        5 => take(4).map(|_| Value::Fixed)?,
        _ => return Err("expected a field of Protocol Buffers"),
    };
    Ok((tag >> 3, value))
}

/// Calls `each` with every field of a message that begins at byte `at` of the file.
pub(crate) fn message<'a>(
    bytes: &'a [u8],
    at: u64,
    mut each: impl FnMut(u64, Value<'a>) -> Result<(), &'static str>,
) -> Result {
    let mut rest = bytes;
    while !rest.is_empty() {
        let begin = at + (bytes.len() - rest.len()) as u64;
        let outcome = field(&mut rest).and_then(|(number, value)| each(number, value));
        outcome.map_err(|what| Error::at_byte(begin, what))?;
    }
    Ok(())
}

/// Fields that show what a file is. Behind types of samples and texts a profile may have fields of a later version.
const ENOUGH: usize = 64;

/// Whether a file that begins with `head` is a profile. Fields may come in any order: each of those that are whole must be
/// one of a profile's and have its shape, and so must the fields of a message in it.
pub(crate) fn sniff(head: &[u8]) -> bool {
    let (mut rest, mut fields) = (head, 0);
    let (mut types, mut texts) = (false, false);
    // The first of the texts is empty; a message says more.
    let mut sure = head.starts_with(&[6 << 3 | 2, 0]);
    while fields < ENOUGH && !rest.is_empty() {
        let mut tag = rest;
        let Ok((number, value)) = field(&mut rest) else {
            // The head ends within a field, whose number has to be right.
            return sure && varint(&mut tag).is_ok_and(|tag| shape(tag >> 3).is_some());
        };
        types |= number == 1;
        texts |= number == 6;
        let good = match (shape(number), value) {
            (None, _) if types && texts => true,
            (Some(Shape::Message(inner)), Value::Bytes(bytes)) => {
                sure |= !bytes.is_empty();
                is_message(bytes, inner)
            }
            (Some(shape), value) => matches!(
                (shape, value),
                (Shape::Text | Shape::Ints, Value::Bytes(_)) | (Shape::Int | Shape::Ints, Value::Int(_))
            ),
            _ => false,
        };
        if !good {
            return false;
        }
        fields += 1;
    }
    sure
}

/// What a field is.
#[derive(Clone, Copy)]
enum Shape {
    Int,
    Ints,
    Text,
    /// A message whose fields have these shapes: `i` an integer, `l` integers, `m` a message.
    Message(&'static [u8]),
}

/// The shape of a profile's field.
fn shape(number: u64) -> Option<Shape> {
    Some(match number {
        1 | 11 => Shape::Message(b"ii"),
        2 => Shape::Message(b"llm"),
        3 => Shape::Message(b"iiiiiiiiii"),
        4 => Shape::Message(b"iiimi"),
        5 => Shape::Message(b"iiiii"),
        6 => Shape::Text,
        7..=10 | 12 | 14 | 15 => Shape::Int,
        13 => Shape::Ints,
        _ => return None,
    })
}

fn is_message(bytes: &[u8], shapes: &[u8]) -> bool {
    let mut rest = bytes;
    while !rest.is_empty() {
        let Ok((number, value)) = field(&mut rest) else { return false };
        let shape = usize::try_from(number).ok().and_then(|n| shapes.get(n.checked_sub(1)?));
        let good = matches!(
            (shape, value),
            (Some(b'i' | b'l'), Value::Int(_)) | (Some(b'm' | b'l'), Value::Bytes(_))
        );
        if !good {
            return false;
        }
    }
    true
}

/// Writes messages.
#[derive(Debug, Default)]
pub(crate) struct Out(pub(crate) Vec<u8>);

impl Out {
    /// An integer; 0 is left out, as proto3 has it.
    pub(crate) fn int(&mut self, field: u64, n: u64) {
        if n != 0 {
            heap_base::push_varint(&mut self.0, field << 3);
            heap_base::push_varint(&mut self.0, n);
        }
    }

    /// Bytes, also if there are none.
    pub(crate) fn bytes(&mut self, field: u64, bytes: &[u8]) {
        heap_base::push_varint(&mut self.0, field << 3 | 2);
        heap_base::push_varint(&mut self.0, bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    /// Packed integers; none are left out.
    pub(crate) fn packed(&mut self, field: u64, ints: impl Iterator<Item = u64>) {
        let mut packed = Vec::new();
        ints.for_each(|n| heap_base::push_varint(&mut packed, n));
        if !packed.is_empty() {
            self.bytes(field, &packed);
        }
    }

    /// A message.
    pub(crate) fn message(&mut self, field: u64, build: impl FnOnce(&mut Self)) {
        let mut inner = Self::default();
        build(&mut inner);
        self.bytes(field, &inner.0);
    }
}
