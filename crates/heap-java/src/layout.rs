//! Shallow sizes: a heap dump has none, so they are computed as the virtual machine lays objects out.
//!
//! A file states neither the bytes of a reference nor of an object's header nor the alignment; [`guess`] finds them from
//! the distances between objects. How fields are packed follows `classfile/fieldLayoutBuilder.cpp` of OpenJDK 15 and later.

mod guess;
mod pack;

pub(crate) use guess::{Guess, Sample, Thing};
pub(crate) use pack::{Packing, Space};

/// The type of a field or an array element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(crate) enum Kind {
    Object = 2,
    Boolean = 4,
    Char,
    Float,
    Double,
    Byte,
    Short,
    Int,
    Long,
}

impl Kind {
    /// The primitive types.
    pub(crate) const PRIMITIVES: [Self; 8] = [
        Self::Boolean,
        Self::Char,
        Self::Float,
        Self::Double,
        Self::Byte,
        Self::Short,
        Self::Int,
        Self::Long,
    ];

    /// The type with this number in an HPROF file.
    #[inline]
    pub(crate) fn of(tag: u8) -> Option<Self> {
        if tag == 2 { Some(Self::Object) } else { Self::primitive(tag) }
    }

    /// The primitive type with this number in an HPROF file.
    #[inline]
    pub(crate) fn primitive(tag: u8) -> Option<Self> {
        Self::PRIMITIVES.get(usize::from(tag).wrapping_sub(4)).copied()
    }

    /// The place in [`PRIMITIVES`](Self::PRIMITIVES).
    #[inline]
    pub(crate) fn index(self) -> usize {
        (self as usize).saturating_sub(4)
    }

    /// Bytes of a primitive.
    #[inline]
    pub(crate) const fn bytes(self) -> u64 {
        match self {
            Self::Boolean | Self::Byte => 1,
            Self::Char | Self::Short => 2,
            Self::Float | Self::Int => 4,
            Self::Object | Self::Double | Self::Long => 8,
        }
    }

    /// Bytes, if a reference has `reference`.
    #[inline]
    pub(crate) const fn bytes_in(self, reference: usize) -> usize {
        if matches!(self, Self::Object) { reference } else { self.bytes() as usize }
    }

    /// The word of the language.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Object => "object",
            Self::Boolean => "boolean",
            Self::Char => "char",
            Self::Float => "float",
            Self::Double => "double",
            Self::Byte => "byte",
            Self::Short => "short",
            Self::Int => "int",
            Self::Long => "long",
        }
    }

    /// The letter in a signature.
    pub(crate) const fn letter(self) -> u8 {
        match self {
            Self::Object => b'L',
            Self::Boolean => b'Z',
            Self::Char => b'C',
            Self::Float => b'F',
            Self::Double => b'D',
            Self::Byte => b'B',
            Self::Short => b'S',
            Self::Int => b'I',
            Self::Long => b'J',
        }
    }
}

/// How the fields of a class and its superclasses share space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fields {
    /// OpenJDK 15 and later: fields fill the gaps that superclasses leave.
    #[default]
    Packed,
    /// OpenJDK 8 to 14: each class starts at a multiple of a reference's size.
    Inherited,
    /// Eclipse MAT: sums of fields, each class rounded up to a reference's size.
    Mat,
    /// Android: as the class dump states.
    Art,
}

impl Fields {
    const ALL: [Self; 4] = [Self::Packed, Self::Inherited, Self::Mat, Self::Art];

    /// The word that metadata and the command line use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Packed => "packed",
            Self::Inherited => "inherited",
            Self::Mat => "mat",
            Self::Art => "art",
        }
    }
}

/// What a dump does not state about the layout of objects, all in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// A reference: 4 or 8.
    pub reference: u8,
    /// An object's header: 8, 12 or 16.
    pub header: u8,
    /// Objects begin at multiples of this: 8 to 256.
    pub align: u16,
    /// How fields are packed.
    pub fields: Fields,
}

impl Layout {
    /// The layout of most 64-bit virtual machines: compressed references.
    pub const COMPRESSED: Self = Self { reference: 4, header: 12, align: 8, fields: Fields::Packed };

    /// `size`, rounded up to the alignment of objects.
    #[inline]
    pub(crate) const fn aligned(self, size: u64) -> u64 {
        size.next_multiple_of(self.align as u64)
    }

    /// Where the elements of an array begin, if they have `element` bytes.
    pub(crate) const fn array_base(self, element: u64) -> u64 {
        match (self.fields, self.header) {
            (Fields::Mat, _) => {
                if self.reference == 4 {
                    16
                } else {
                    24
                }
            }
            // Compact headers: elements of 8 bytes are aligned.
            (_, 8) => {
                if element == 8 {
                    16
                } else {
                    12
                }
            }
            (_, header) => (header as u64 + 4).next_multiple_of(8),
        }
    }

    /// Bytes of an array of `len` elements of this type.
    #[inline]
    pub(crate) const fn array(self, kind: Kind, len: u64) -> u64 {
        let element = kind.bytes_in(self.reference as usize) as u64;
        self.aligned(self.array_base(element) + element * len)
    }

    /// The words of metadata: `reference=4 header=12 align=8 fields=packed`.
    pub fn words(self) -> String {
        let Self { reference, header, align, fields } = self;
        format!("reference={reference} header={header} align={align} fields={}", fields.name())
    }
}

/// What a user says of the layout; the rest is guessed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    reference: Option<u8>,
    header: Option<u8>,
    align: Option<u16>,
    fields: Option<Fields>,
}

impl Overrides {
    /// Reads `reference=8,header=12,align=16,fields=packed`, in any order; `None` if it says anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let mut overrides = Self::default();
        for part in text.split([',', ' ']).filter(|part| !part.is_empty()) {
            let (key, value) = part.split_once('=')?;
            let number = || value.parse::<u16>().ok();
            match key {
                "reference" => overrides.reference = Some(number().filter(|n| [4, 8].contains(n))? as u8),
                "header" => overrides.header = Some(number().filter(|n| [8, 12, 16].contains(n))? as u8),
                "align" => {
                    let align = number().filter(|n| n.is_power_of_two() && (8..=256).contains(n))?;
                    overrides.align = Some(align);
                }
                "fields" => overrides.fields = Some(Fields::ALL.into_iter().find(|f| f.name() == value)?),
                _ => return None,
            }
        }
        Some(overrides)
    }

    /// True if the user says nothing.
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// `layout` with what the user says.
    pub(crate) fn over(self, layout: Layout) -> Layout {
        Layout {
            reference: self.reference.unwrap_or(layout.reference),
            header: self.header.unwrap_or(layout.header),
            align: self.align.unwrap_or(layout.align),
            fields: self.fields.unwrap_or(layout.fields),
        }
    }

    /// True if `layout` is possible.
    pub(crate) fn allow(self, layout: Layout) -> bool {
        self.over(layout) == layout
    }
}
