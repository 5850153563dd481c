//! Contents of strings: one record for each array that a String refers to.

use heap_base::{BitSet, Blob, Result};
use heap_record::StringId;

use super::classes::Role;
use super::dump::Dump;
use super::ids::id;
use super::items::{Item, Items};
use super::resolve::field;
use crate::addresses::Addresses;
use crate::emit::Out;
use crate::layout::Kind;
use crate::window::Window;

/// Arrays that are the contents of strings. Their string ids follow those of names. Where strings have an offset and a count
/// they may share an array: then each different part of one has a string id, and takes 16 bytes of memory.
#[derive(Debug)]
pub(crate) struct Texts {
    narrow: Addresses,
    wide: Addresses,
    first: StringId,
    /// String id of the first wide text, from `first`.
    first_wide: u32,
    /// How many ids they have.
    count: u32,
    /// Texts that the file has.
    present: BitSet,
    /// How many texts with characters all consist of question marks; `None` once there was one that does not.
    masked: Option<u64>,
    value: u64,
    /// Where offset and count of a string stand, if it has them.
    range: Option<(u64, u64)>,
    /// Array, offset and count of all such strings, in order.
    ranges: Vec<(u64, u32, u32)>,
    coder: Option<u64>,
    size: usize,
}

impl Texts {
    /// None yet; `None` if the dump has no strings that are known.
    pub(crate) fn new(dump: &Dump) -> Option<Self> {
        let scan = &dump.scan;
        let string =
            (0..).zip(scan.classes.all()).find(|(_, class)| class.role == Role::String && class.dumped);
        let (class, _) = string?;
        let (value, _) = field(scan, class, b"value").filter(|&(_, kind)| kind == Kind::Object)?;
        let coder = field(scan, class, b"coder").map(|(offset, _)| offset);
        let number = |name| field(scan, class, name).filter(|&(_, kind)| kind == Kind::Int).map(|(at, _)| at);
        let range = number(b"offset").zip(number(b"count"));
        let addresses = || Addresses::new(&scan.extent);
        let size = usize::from(scan.header.id_size);
        Some(Self {
            narrow: addresses(),
            wide: addresses(),
            first: dump.strings.next(),
            count: 0,
            first_wide: 0,
            present: BitSet::default(),
            masked: Some(0),
            value,
            range,
            ranges: Vec::new(),
            coder,
            size,
        })
    }

    /// Notes the array that an instance refers to, if that is a String.
    ///
    /// # Errors
    /// Those of reading.
    #[inline]
    pub(crate) fn add(&mut self, dump: &Dump, items: &mut Items<'_>, (class, len): (u64, u32)) -> Result {
        if !is_string(dump, class) || !items.window.has(len as usize)? {
            return Ok(());
        }
        let body = items.window.peek(len as usize);
        if self.range.is_some() {
            self.ranges.extend(self.part(body));
            return Ok(());
        }
        match self.value(body) {
            Some((array, false)) => self.narrow.insert(array),
            Some((array, true)) => self.wide.insert(array),
            None => {}
        }
        Ok(())
    }

    /// All instances have been there.
    pub(crate) fn finish(&mut self) {
        self.ranges.sort_unstable();
        self.ranges.dedup();
        self.ranges.shrink_to_fit();
        self.first_wide = self.narrow.finish();
        self.count = self.first_wide + self.wide.finish() + self.ranges.len() as u32;
    }

    /// The string id behind those of all contents.
    pub(crate) fn next(&self) -> StringId {
        self.first + StringId::from(self.count)
    }

    /// The array that a String with this body refers to, and whether its characters are wide.
    fn value(&self, body: &[u8]) -> Option<(u64, bool)> {
        let value = body.get(self.value as usize..).filter(|bytes| bytes.len() >= self.size)?;
        // Without a coder, bytes are single characters: Android's.
        let wide = self.coder.is_some_and(|coder| body.get(coder as usize) == Some(&1));
        Some((id(value, self.size), wide)).filter(|&(array, _)| array != 0)
    }

    /// The array, offset and count of a String with this body that has them.
    fn part(&self, body: &[u8]) -> Option<(u64, u32, u32)> {
        let (offset, count) = self.range?;
        let int = |at: u64| body.get(at as usize..)?.first_chunk().map(|&bytes| u32::from_be_bytes(bytes));
        let (array, _) = self.value(body)?;
        Some((array, int(offset)?, int(count)?))
    }

    fn number(&self, array: u64, wide: bool) -> Option<u32> {
        if wide { self.wide.rank(array).map(|rank| rank + self.first_wide) } else { self.narrow.rank(array) }
    }

    /// The string id of the contents of a String with this body.
    pub(crate) fn id(&self, body: &[u8]) -> Option<StringId> {
        let (array, wide) = self.value(body)?;
        let number = match self.range {
            Some(_) => self.ranges.binary_search(&self.part(body)?).ok().map(|at| at as u32),
            None => self.number(array, wide),
        };
        let number = number.filter(|&number| self.present.contains(number))?;
        Some(self.first + StringId::from(number))
    }

    /// Some tools write question marks over texts.
    fn note(&self) -> Option<String> {
        let masked = self.masked.filter(|&masked| masked > 2)?;
        Some(format!("all {masked} texts consist of question marks: contents were stripped from the dump"))
    }

    /// Delivers the string records, and what people should know of the texts.
    ///
    /// # Errors
    /// Those of reading and of the sink.
    pub(crate) fn delivered(mut self, blob: &Blob, dump: &Dump, out: &mut Out<'_>) -> Result<Self> {
        self.deliver(blob, dump, out)?;
        if let Some(note) = self.note() {
            out.metadata("java.note", &note)?;
        }
        Ok(self)
    }

    fn deliver(&mut self, blob: &Blob, dump: &Dump, out: &mut Out<'_>) -> Result {
        let mut items = Items::new(Window::new(blob, 0), dump.scan.header.id_size);
        for &segment in &dump.scan.segments {
            items.enter(segment);
            while let Some(item) = items.next()? {
                let Item::Primitives { id, kind: kind @ (Kind::Byte | Kind::Char), data: true, .. } = item
                else {
                    continue;
                };
                if self.range.is_some() {
                    self.parts(id, kind, &mut items, out)?;
                    continue;
                }
                for wide in [false, true] {
                    let Some(number) = self.number(id, wide) else { continue };
                    let len = (items.next_at() - items.window.position()) as usize;
                    if !items.window.has(len)? || !self.present.insert(number) {
                        continue;
                    }
                    let body = items.window.peek(len);
                    if let Some(masked) = self.masked
                        && len > 0
                    {
                        let mask: &[u8] = if kind == Kind::Char { b"\0?" } else { b"?" };
                        let all = body.chunks(mask.len()).all(|character| character == mask);
                        self.masked = all.then_some(masked + 1);
                    }
                    let pairs = body.chunks_exact(2).map(|pair| [pair[0], pair[1]]);
                    let id = self.first + StringId::from(number);
                    match kind {
                        Kind::Char => out.utf16(id, pairs.map(u16::from_be_bytes))?,
                        // The machine's order; that of all machines but a few.
                        _ if wide => out.utf16(id, pairs.map(u16::from_le_bytes))?,
                        _ => out.latin1(id, body)?,
                    }
                }
            }
        }
        Ok(())
    }
}

impl Texts {
    /// Delivers the parts of an array that strings refer to, as far as they lie in it.
    fn parts(&mut self, array: u64, kind: Kind, items: &mut Items<'_>, out: &mut Out<'_>) -> Result {
        let from = self.ranges.partition_point(|range| range.0 < array);
        let len = (items.next_at() - items.window.position()) as usize;
        if self.ranges.get(from).is_none_or(|range| range.0 != array) || !items.window.has(len)? {
            return Ok(());
        }
        let body = items.window.peek(len);
        let width = kind.bytes() as usize;
        for (number, &(_, offset, count)) in
            (from as u32..).zip(self.ranges[from..].iter().take_while(|range| range.0 == array))
        {
            let start = offset as usize * width;
            let Some(part) = body.get(start..start + count as usize * width) else { continue };
            if !self.present.insert(number) {
                continue;
            }
            let id = self.first + StringId::from(number);
            let pairs = part.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
            if kind == Kind::Char { out.utf16(id, pairs)? } else { out.latin1(id, part)? }
        }
        Ok(())
    }
}

/// Whether instances of the class with this address are strings.
#[inline]
pub(crate) fn is_string(dump: &Dump, class: u64) -> bool {
    let classes = &dump.scan.classes;
    classes.find(class).and_then(|number| classes.get(number)).is_some_and(|class| class.role == Role::String)
}
