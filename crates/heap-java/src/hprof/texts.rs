//! Contents of strings: one record for each array that a String refers to.

use heap_base::{BitSet, Blob, Result};
use heap_record::StringId;

use super::classes::Role;
use super::dump::Dump;
use super::ids::id;
use super::items::{Item, Items};
use super::resolve::field;
use crate::addresses::Addresses;
use crate::emit::{self, Out};
use crate::layout::Kind;
use crate::window::Window;

/// Arrays that are the contents of strings. Their string ids follow those of names.
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
    value: u64,
    coder: Option<u64>,
    size: usize,
}

impl Texts {
    /// Finds the arrays; `None` if the dump has no strings that are known.
    ///
    /// # Errors
    /// Those of reading.
    pub(crate) fn new(blob: &Blob, dump: &Dump) -> Result<Option<Self>> {
        let scan = &dump.scan;
        let string =
            (0..).zip(scan.classes.all()).find(|(_, class)| class.role == Role::String && class.dumped);
        let Some((class, _)) = string else { return Ok(None) };
        let Some((value, Kind::Object)) = field(scan, class, b"value") else { return Ok(None) };
        let coder = field(scan, class, b"coder").map(|(offset, _)| offset);
        let addresses = || Addresses::new(&scan.extent);
        let size = usize::from(scan.header.id_size);
        let mut texts = Self {
            narrow: addresses(),
            wide: addresses(),
            first: dump.strings.next(),
            count: 0,
            first_wide: 0,
            present: BitSet::default(),
            value,
            coder,
            size,
        };
        let mut items = Items::new(Window::new(blob, 0), scan.header.id_size);
        for &segment in &scan.segments {
            items.enter(segment);
            while let Some(item) = items.next()? {
                let Item::Instance { class, len, .. } = item else { continue };
                if !is_string(dump, class) || !items.window.has(len as usize)? {
                    continue;
                }
                match texts.value(items.window.peek(len as usize)) {
                    Some((array, false)) => texts.narrow.insert(array),
                    Some((array, true)) => texts.wide.insert(array),
                    None => {}
                }
            }
        }
        texts.first_wide = texts.narrow.finish();
        texts.count = texts.first_wide + texts.wide.finish();
        Ok(Some(texts))
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

    fn number(&self, array: u64, wide: bool) -> Option<u32> {
        if wide { self.wide.rank(array).map(|rank| rank + self.first_wide) } else { self.narrow.rank(array) }
    }

    /// The string id of the contents of a String with this body.
    pub(crate) fn id(&self, body: &[u8]) -> Option<StringId> {
        let (array, wide) = self.value(body)?;
        let number = self.number(array, wide).filter(|&number| self.present.contains(number))?;
        Some(self.first + StringId::from(number))
    }

    /// Delivers the string records.
    ///
    /// # Errors
    /// Those of reading and of the sink.
    pub(crate) fn deliver(&mut self, blob: &Blob, dump: &Dump, out: &mut Out<'_>) -> Result {
        let mut buffers = emit::Texts::default();
        let mut items = Items::new(Window::new(blob, 0), dump.scan.header.id_size);
        for &segment in &dump.scan.segments {
            items.enter(segment);
            while let Some(item) = items.next()? {
                let Item::Primitives { id, kind: kind @ (Kind::Byte | Kind::Char), data: true, .. } = item
                else {
                    continue;
                };
                for wide in [false, true] {
                    let Some(number) = self.number(id, wide) else { continue };
                    let len = (items.next_at() - items.window.position()) as usize;
                    if !items.window.has(len)? || !self.present.insert(number) {
                        continue;
                    }
                    let body = items.window.peek(len);
                    let pairs = body.chunks_exact(2).map(|pair| [pair[0], pair[1]]);
                    let id = self.first + StringId::from(number);
                    match kind {
                        Kind::Char => buffers.utf16(id, pairs.map(u16::from_be_bytes), out)?,
                        // The machine's order; that of all machines but a few.
                        _ if wide => buffers.utf16(id, pairs.map(u16::from_le_bytes), out)?,
                        _ => buffers.latin1(id, body, out)?,
                    }
                }
            }
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
