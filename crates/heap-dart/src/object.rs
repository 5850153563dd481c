//! One object of a snapshot, up to its references.

use crate::window::{Fault, Text, Window};

/// What an object holds besides references.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Data {
    /// Nothing.
    None,
    /// It is `null`.
    Null,
    /// A bool; 1 = true.
    Bool(u64),
    /// An integer, read as an unsigned number and as a signed one.
    Int(u64, i64),
    /// A double, as its bits.
    Double(u64),
    /// A string of one byte a character: its length and what was kept of it.
    Latin1(u64, Text),
    /// A string of two bytes a unit: its length, how many units were kept, and they.
    Utf16(u64, u64, Text),
    /// The length of a list, map, …
    Length(u64),
    /// A name; in a re-saved file also the contents of a string.
    Name(Text),
}

impl Data {
    /// The number that says in a file which kind of data follows.
    pub(crate) fn tag(self) -> u8 {
        match self {
            Self::None => 0,
            Self::Null => 1,
            Self::Bool(_) => 2,
            Self::Int(..) => 3,
            Self::Double(_) => 4,
            Self::Latin1(..) => 5,
            Self::Utf16(..) => 6,
            Self::Length(_) => 7,
            Self::Name(_) => 8,
        }
    }

    /// True if a string record belongs to it.
    pub(crate) fn has_text(self) -> bool {
        matches!(self, Self::Latin1(..) | Self::Utf16(..) | Self::Name(_))
    }
}

/// An object; its references come next in the window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Object {
    /// Class id, from 1; 0 = none.
    pub(crate) class: u64,
    /// Shallow size in bytes.
    pub(crate) size: u64,
    /// What it holds.
    pub(crate) data: Data,
    /// How many references follow.
    pub(crate) references: u64,
}

impl Window {
    /// Reads an object up to its references.
    #[inline]
    pub(crate) fn object(&mut self) -> Result<Object, Fault> {
        self.near()?;
        let class = self.number()?;
        let size = self.number()?;
        let data = match self.number()? {
            0 => Data::None,
            1 => Data::Null,
            2 => Data::Bool(self.number()?),
            3 => {
                let (raw, signed) = self.integer()?;
                Data::Int(raw, signed)
            }
            4 => Data::Double(self.eight_bytes()?),
            5 => {
                let length = self.number()?;
                let kept = self.number()?;
                Data::Latin1(length, self.text(kept)?)
            }
            6 => {
                let length = self.number()?;
                let kept = self.number()?;
                Data::Utf16(length, kept, self.text(kept.saturating_mul(2))?)
            }
            7 => Data::Length(self.number()?),
            8 => {
                let len = self.number()?;
                Data::Name(self.text(len)?)
            }
            tag => return Err(Fault::Tag(tag)),
        };
        Ok(Object { class, size, data, references: self.number()? })
    }
}
