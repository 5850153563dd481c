//! The portable heap dump of OpenJ9 and IBM's Java: big-endian records with addresses relative to the one before.
//!
//! The format is described in `dump_heapdump.md` of eclipse-openj9/openj9-docs; where that is not exact, OpenJ9's reader
//! `com.ibm.dtfj.phd.parser.HeapdumpReader` decides.

use heap_base::{Blob, Error, Result};

use super::types::{Types, array_size};
use super::{Entries, Entry, What};
use crate::layout::Kind;
use crate::window::Window;

const MAGIC: &[u8] = b"\x00\x12portable heap dump";
/// Element types by number.
const KINDS: [Kind; 8] =
    [Kind::Boolean, Kind::Char, Kind::Float, Kind::Double, Kind::Byte, Kind::Short, Kind::Int, Kind::Long];

/// True if `head` begins a portable heap dump.
pub(super) fn sniff(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

/// A portable heap dump that is being read.
pub(super) struct Portable<'a> {
    window: Window<'a>,
    version: i32,
    /// Words of 64 bits.
    wide: bool,
    /// Every object has a hash of 16 bits.
    hashed: bool,
    /// Bytes that a gap or a reference counts in.
    unit: u64,
    producer: Option<String>,
    /// The address of the last entry.
    address: u64,
    /// Classes of the last objects, by slot.
    cache: [u64; 4],
    slot: usize,
    /// References of the last entry: where, how many, how wide as a power of two.
    references: (u64, u64, u8),
    /// Where the next record begins.
    next: u64,
}

impl<'a> Portable<'a> {
    pub(super) fn open(blob: &'a Blob) -> Result<Self> {
        const WHAT: &str = "the head of the file";
        let mut window = Window::new(blob, 0);
        if !window.has(MAGIC.len())? || !sniff(window.peek(MAGIC.len())) {
            return Err(Error::at_byte(0, "expected a portable heap dump"));
        }
        window.advance(MAGIC.len());
        let version = window.u32(WHAT)? as i32;
        let flags = window.u32(WHAT)?;
        if !(4..=6).contains(&version) {
            return Err(Error::at_byte(20, format!("version {version}; expected 4, 5 or 6")));
        }
        let mut dump = Self {
            window,
            version,
            wide: flags & 1 != 0,
            hashed: flags & 2 != 0,
            unit: if version == 5 || flags & 4 != 0 { 4 } else { 8 },
            producer: None,
            address: 0,
            cache: [0; 4],
            slot: 0,
            references: (0, 0, 0),
            next: 0,
        };
        dump.head()?;
        Ok(dump)
    }

    fn head(&mut self) -> Result {
        const WHAT: &str = "the head of the file";
        let at = self.window.position();
        if self.window.u8(WHAT)? != 1 {
            return Err(Error::at_byte(at, "expected tag 1: the start of the header"));
        }
        loop {
            let at = self.window.position();
            match self.window.u8(WHAT)? {
                1 | 3 => {
                    self.window.u64(WHAT)?;
                }
                2 => break,
                4 => {
                    let len = usize::from(self.window.u16(WHAT)?);
                    if !self.window.has(len)? {
                        return Err(self.window.early(WHAT));
                    }
                    self.producer = Some(crate::text::modified_utf8(self.window.peek(len)));
                    self.window.advance(len);
                }
                tag => return Err(Error::at_byte(at, format!("unknown tag {tag} in the header"))),
            }
        }
        let at = self.window.position();
        if self.window.u8(WHAT)? != 2 {
            return Err(Error::at_byte(at, "expected tag 2: the start of the body"));
        }
        self.next = self.window.position();
        Ok(())
    }

    /// A signed number of 1, 2, 4 or 8 bytes, by its power of two.
    #[inline]
    fn signed(&mut self, power: u8) -> Result<i64> {
        const WHAT: &str = "a record";
        Ok(match power {
            0 => i64::from(self.window.u8(WHAT)? as i8),
            1 => i64::from(self.window.u16(WHAT)? as i16),
            2 => i64::from(self.window.u32(WHAT)? as i32),
            _ => self.window.u64(WHAT)? as i64,
        })
    }

    #[inline]
    fn word(&mut self) -> Result<u64> {
        if self.wide { self.window.u64("a record") } else { self.window.u32("a record").map(u64::from) }
    }

    /// `base` moved by a number of units.
    #[inline]
    fn moved(&self, base: u64, units: i64) -> u64 {
        let address = base.wrapping_add((units as u64).wrapping_mul(self.unit));
        if self.wide { address } else { address & 0xffff_ffff }
    }

    fn gap(&mut self, power: u8) -> Result {
        let units = self.signed(power)?;
        self.address = self.moved(self.address, units);
        Ok(())
    }

    /// The hash: one of 16 bits for every object, else one of 32 for those that moved.
    fn hash(&mut self, moved: bool) -> Result {
        if self.hashed {
            self.window.u16("a record")?;
        } else if moved {
            self.window.u32("a record")?;
        }
        Ok(())
    }

    /// Passes over the references that follow.
    fn skip_references(&mut self, count: u64, power: u8) -> Result {
        let at = self.window.position();
        let bytes = count << power;
        if bytes > self.window.blob().len().saturating_sub(at) {
            return Err(self.window.early("a list of references"));
        }
        self.references = (at, count, power);
        self.window.skip(bytes);
        Ok(())
    }

    fn count(&mut self) -> Result<u64> {
        let at = self.window.position();
        let count = self.window.u32("a record")? as i32;
        u64::try_from(count).map_err(|_| Error::at_byte(at, format!("{count} references")))
    }

    fn entry(&self, what: What, of: u32, size: Option<u64>) -> Entry {
        Entry { address: self.address, what, of, size, indexed: false }
    }

    /// An object of a class that a slot or a word names.
    fn object(&mut self, class: u64, types: &mut Types) -> Entry {
        let of = types.at(class);
        self.entry(What::Instance, of, None)
    }

    fn cached(&mut self, class: u64) {
        self.cache[self.slot] = class;
        self.slot = (self.slot + 1) % 4;
    }

    fn primitives(&mut self, kind: u8, len: u64, types: &mut Types) -> Result<Entry> {
        let kind = KINDS[usize::from(kind & 7)];
        let len = u32::try_from(len)
            .map_err(|_| Error::at_byte(self.next, format!("an array of {len} elements")))?;
        let size = if self.version >= 6 {
            u64::from(self.window.u32("a record")?) * 4
        } else {
            array_size(kind, len)
        };
        let of = types.named(&[b'[', kind.letter()]);
        Ok(self.entry(What::Primitives(Some(len)), of, Some(size)))
    }

    /// Array lengths of one or two bytes have no sign.
    fn length(&mut self, power: u8) -> Result<u64> {
        Ok(match power {
            0 => self.window.u8("a record")?.into(),
            1 => self.window.u16("a record")?.into(),
            _ => self.signed(power)? as u64,
        })
    }

    fn long(&mut self, tag: u8, types: &mut Types) -> Result<Entry> {
        let flags = self.window.u8("a record")?;
        if tag == 7 {
            let power = if flags & 0x10 == 0 { 0 } else { 2 + u8::from(self.wide) };
            self.gap(power)?;
            let len = self.length(power)?;
            self.hash(flags & 2 != 0)?;
            return self.primitives(flags >> 5, len, types);
        }
        self.gap(flags >> 6)?;
        let power = flags >> 4 & 3;
        if tag == 6 {
            return self.class(flags, power, types);
        }
        let class = self.word()?;
        self.hash(flags & 2 != 0)?;
        let count = self.count()?;
        self.skip_references(count, power)?;
        if tag == 4 {
            self.cached(class);
            return Ok(self.object(class, types));
        }
        let len = if tag == 8 { self.window.u32("a record")? } else { count as u32 };
        let size = if self.version >= 6 && tag == 8 {
            u64::from(self.window.u32("a record")?) * 4
        } else {
            array_size(Kind::Object, len)
        };
        let element = types.at(class);
        let of = types.array_of(element);
        let indexed = tag == 8 && u64::from(len) == count;
        Ok(Entry { indexed, ..self.entry(What::Objects((tag == 8).then_some(len)), of, Some(size)) })
    }

    fn class(&mut self, flags: u8, power: u8, types: &mut Types) -> Result<Entry> {
        let instance = self.window.u32("a record")?;
        self.hash(flags & 8 != 0)?;
        let superclass = self.word()?;
        let len = usize::from(self.window.u16("a record")?);
        if !self.window.has(len)? {
            return Err(self.window.early("the name of a class"));
        }
        let of = types.at(self.address);
        types.define(of, Some(self.window.peek(len)), self.address, superclass, instance.into());
        self.window.advance(len);
        let count = self.count()?;
        self.skip_references(count, power)?;
        Ok(self.entry(What::Class, of, None))
    }
}

impl Entries for Portable<'_> {
    fn next(&mut self, types: &mut Types) -> Result<Option<Entry>> {
        self.window.seek(self.next);
        self.references = (self.next, 0, 0);
        let tag = self.window.u8("a record")?;
        let entry = if tag & 0x80 != 0 {
            self.gap(tag >> 2 & 1)?;
            self.hash(false)?;
            self.skip_references(u64::from(tag >> 3 & 3), tag & 3)?;
            let class = self.cache[usize::from(tag >> 5 & 3)];
            self.object(class, types)
        } else if tag & 0x40 != 0 {
            self.gap(tag >> 2 & 1)?;
            let class = self.word()?;
            self.hash(false)?;
            self.cached(class);
            self.skip_references(u64::from(tag >> 3 & 7), tag & 3)?;
            self.object(class, types)
        } else if tag & 0x20 != 0 {
            self.gap(tag & 3)?;
            let len = self.length(tag & 3)?;
            self.hash(false)?;
            self.primitives(tag >> 2, len, types)?
        } else {
            match tag {
                4..=8 => self.long(tag, types)?,
                3 => return super::last(&mut self.window, sniff),
                _ => return Err(Error::at_byte(self.next, format!("unknown tag {tag}"))),
            }
        };
        self.next = self.window.position();
        Ok(Some(entry))
    }

    fn references(&mut self, each: &mut dyn FnMut(u64) -> Result) -> Result {
        let (at, count, power) = self.references;
        self.window.seek(at);
        for _ in 0..count {
            let units = self.signed(power)?;
            let address = self.moved(self.address, units);
            if address != 0 {
                each(address)?;
            }
        }
        Ok(())
    }

    fn producer(&self) -> Option<String> {
        self.producer.clone()
    }

    fn version(&self) -> Option<String> {
        Some(self.version.to_string())
    }
}
