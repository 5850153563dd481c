//! The sub-records of a heap dump segment, one by one.

#![expect(clippy::inline_always, reason = "measured: a call costs half of the work")]

use heap_base::{Error, Result};

use super::classdump::ClassDump;
use super::ids::{id, read_id, u32_at};
use crate::layout::Kind;
use crate::window::Window;

/// Where a heap dump segment's sub-records lie.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment {
    pub(crate) start: u64,
    pub(crate) end: u64,
}

/// What holds an object from outside the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Root {
    pub(crate) kind: RootKind,
    pub(crate) object: u64,
    /// Serial number of a thread, 0 if none is named.
    pub(crate) thread: u32,
    /// Number of a frame in that thread's trace, -1 if none is named; the serial of the trace for a thread object.
    pub(crate) frame: i32,
}

/// Kinds of roots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum RootKind {
    Unknown,
    JniGlobal,
    JniLocal,
    JavaFrame,
    NativeStack,
    StickyClass,
    ThreadBlock,
    Monitor,
    Thread,
    Interned,
    Finalizing,
    Debugger,
    ReferenceCleanup,
    VmInternal,
    JniMonitor,
}

impl RootKind {
    pub(crate) const ALL: [Self; 15] = [
        Self::Unknown,
        Self::JniGlobal,
        Self::JniLocal,
        Self::JavaFrame,
        Self::NativeStack,
        Self::StickyClass,
        Self::ThreadBlock,
        Self::Monitor,
        Self::Thread,
        Self::Interned,
        Self::Finalizing,
        Self::Debugger,
        Self::ReferenceCleanup,
        Self::VmInternal,
        Self::JniMonitor,
    ];

    /// The name in the field.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::JniGlobal => "jni global",
            Self::JniLocal => "jni local",
            Self::JavaFrame => "java frame",
            Self::NativeStack => "native stack",
            Self::StickyClass => "sticky class",
            Self::ThreadBlock => "thread block",
            Self::Monitor => "monitor",
            Self::Thread => "thread object",
            Self::Interned => "interned string",
            Self::Finalizing => "finalizing",
            Self::Debugger => "debugger",
            Self::ReferenceCleanup => "reference cleanup",
            Self::VmInternal => "vm internal",
            Self::JniMonitor => "jni monitor",
        }
    }

    /// The sub-tag.
    pub(crate) const fn tag(self) -> u8 {
        match self {
            Self::Unknown => 0xff,
            Self::JniGlobal => 0x01,
            Self::JniLocal => 0x02,
            Self::JavaFrame => 0x03,
            Self::NativeStack => 0x04,
            Self::StickyClass => 0x05,
            Self::ThreadBlock => 0x06,
            Self::Monitor => 0x07,
            Self::Thread => 0x08,
            Self::Interned => 0x89,
            Self::Finalizing => 0x8a,
            Self::Debugger => 0x8b,
            Self::ReferenceCleanup => 0x8c,
            Self::VmInternal => 0x8d,
            Self::JniMonitor => 0x8e,
        }
    }

    /// Kind, and how many u4 follow the identifier, by sub-tag.
    fn of(tag: u8) -> Option<(Self, usize)> {
        Some(match tag {
            0xff => (Self::Unknown, 0),
            0x02 => (Self::JniLocal, 2),
            0x03 => (Self::JavaFrame, 2),
            0x04 => (Self::NativeStack, 1),
            0x05 => (Self::StickyClass, 0),
            0x06 => (Self::ThreadBlock, 1),
            0x07 => (Self::Monitor, 0),
            0x08 => (Self::Thread, 2),
            0x89 => (Self::Interned, 0),
            0x8a => (Self::Finalizing, 0),
            0x8b => (Self::Debugger, 0),
            0x8c => (Self::ReferenceCleanup, 0),
            0x8d => (Self::VmInternal, 0),
            0x8e => (Self::JniMonitor, 2),
            _ => return None,
        })
    }
}

/// A sub-record. Its body, if it has one, begins at the window's position.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Item {
    Root(Root),
    /// The heap of what follows in the segment, by the UTF8 record of its name: Android's.
    Heap(u64),
    /// An object that nothing reaches: Android's.
    Note,
    /// A class: [`Items::class`] has it.
    Class,
    /// An instance, whose fields take `len` bytes; `trace` is the serial number of that of its allocation.
    Instance {
        id: u64,
        trace: u32,
        class: u64,
        len: u32,
    },
    /// An array of `len` references.
    Objects {
        id: u64,
        trace: u32,
        class: u64,
        len: u32,
    },
    /// An array of `len` primitives; Android may leave out its elements.
    Primitives {
        id: u64,
        trace: u32,
        kind: Kind,
        len: u32,
        data: bool,
    },
}

/// Goes over the sub-records of one segment after another.
#[derive(Debug)]
pub(crate) struct Items<'a> {
    pub(crate) window: Window<'a>,
    id_size: usize,
    /// Where the segment ends.
    end: u64,
    /// Where the next sub-record begins.
    next: u64,
    /// The class of the last [`Item::Class`].
    pub(crate) class: ClassDump,
}

/// What the fixed part of a sub-record says.
enum Parsed {
    /// An object, and the lengths of its fixed part and its body.
    Object { item: Item, fixed: usize, body: u64 },
    /// An array of a type that does not exist.
    OddKind(u8),
    /// Anything else.
    Other,
}

#[inline(always)]
fn parse(bytes: &[u8], size: usize) -> Parsed {
    let own = id(&bytes[1..], size);
    let after = &bytes[1 + size..];
    let trace = u32_at(after, 0);
    match bytes[0] {
        0x21 => {
            let len = u32_at(after, 4 + size);
            let item = Item::Instance { id: own, trace, class: id(&after[4..], size), len };
            Parsed::Object { item, fixed: 9 + 2 * size, body: u64::from(len) }
        }
        0x22 => {
            let len = u32_at(after, 4);
            let item = Item::Objects { id: own, trace, class: id(&after[8..], size), len };
            Parsed::Object { item, fixed: 9 + 2 * size, body: u64::from(len) * size as u64 }
        }
        0x23 => {
            let len = u32_at(after, 4);
            let Some(kind) = Kind::primitive(after[8]) else { return Parsed::OddKind(after[8]) };
            let item = Item::Primitives { id: own, trace, kind, len, data: true };
            Parsed::Object { item, fixed: 10 + size, body: u64::from(len) * kind.bytes() }
        }
        _ => Parsed::Other,
    }
}

/// The longest fixed part of a sub-record: tag, two identifiers, two u4.
const FIXED: usize = 1 + 2 * 8 + 2 * 4;

impl<'a> Items<'a> {
    pub(crate) fn new(window: Window<'a>, id_size: u8) -> Self {
        let next = window.position();
        Self { window, id_size: usize::from(id_size), end: next, next, class: ClassDump::default() }
    }

    /// Continues with a segment.
    pub(crate) fn enter(&mut self, segment: Segment) {
        self.window.seek(segment.start);
        (self.next, self.end) = (segment.start, segment.end);
    }

    /// Where the next sub-record begins: all before that is intact.
    pub(crate) fn next_at(&self) -> u64 {
        self.next
    }

    /// Bytes of an identifier.
    pub(crate) fn id_size(&self) -> usize {
        self.id_size
    }

    /// The next sub-record of the segment; what is left of the body of the last one is passed over.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Result<Option<Item>> {
        self.window.seek(self.next);
        if self.next >= self.end {
            return Ok(None);
        }
        if self.window.has(FIXED)? && self.end - self.next >= FIXED as u64 {
            return match parse(self.window.peek(FIXED), self.id_size) {
                Parsed::Object { item, fixed, body } => self.object(item, fixed, body).map(Some),
                Parsed::OddKind(kind) => Err(self.odd_kind(kind)),
                Parsed::Other => self.other().map(Some),
            };
        }
        self.short().map(Some)
    }

    /// Goes to the body of an object, which must lie in its segment and in the file.
    #[inline]
    fn object(&mut self, item: Item, fixed: usize, body: u64) -> Result<Item> {
        let next = self.next + fixed as u64 + body;
        if next > self.end {
            return Err(self.beyond(next));
        }
        self.window.advance(fixed);
        self.next = next;
        Ok(item)
    }

    #[cold]
    fn beyond(&self, next: u64) -> Error {
        if next > self.window.blob().len() {
            return Error::at_byte(self.window.blob().len(), "a sub-record of the heap ends early");
        }
        let what = format!("a sub-record of {} bytes passes the end of its segment", next - self.next);
        Error::at_byte(self.next, what)
    }

    fn odd_kind(&self, kind: u8) -> Error {
        Error::at_byte(self.next, format!("an array of the impossible type {kind}"))
    }

    /// Calls `each` with the index and the identifier of every element of an array of references that is not null. Call when
    /// the last item was [`Item::Objects`].
    #[inline]
    pub(crate) fn references(&mut self, mut each: impl FnMut(u32, u64) -> Result) -> Result {
        /// Bytes that are looked through at a time.
        const PIECE: u64 = 64 << 10;
        let size = self.id_size;
        let mut index = 0;
        loop {
            let left = self.next - self.window.position();
            if left == 0 {
                return Ok(());
            }
            let piece = left.min(PIECE) as usize;
            if !self.window.has(piece)? {
                return Err(self.window.early("an array"));
            }
            for bytes in self.window.peek(piece).chunks_exact(size) {
                let object = id(bytes, size);
                if object != 0 {
                    each(index, object)?;
                }
                index += 1;
            }
            self.window.advance(piece);
        }
    }

    /// A sub-record near the end of its segment, which may be shorter than the fixed part of an array.
    #[cold]
    fn short(&mut self) -> Result<Item> {
        let left = (self.end - self.next).min(self.window.blob().len().saturating_sub(self.next));
        let left = left.min(FIXED as u64) as usize;
        if !self.window.has(left)? || left == 0 {
            return Err(self.window.early("a sub-record of the heap"));
        }
        let mut bytes = [0; FIXED];
        bytes[..left].copy_from_slice(self.window.peek(left));
        match parse(&bytes, self.id_size) {
            Parsed::Object { fixed, .. } if left < fixed => Err(self.beyond(self.next + fixed as u64)),
            Parsed::Object { item, fixed, body } => self.object(item, fixed, body),
            Parsed::OddKind(_) if left < 10 + self.id_size => Err(self.beyond(self.next + left as u64 + 1)),
            Parsed::OddKind(kind) => Err(self.odd_kind(kind)),
            Parsed::Other => self.other(),
        }
    }

    /// Everything but objects.
    fn other(&mut self) -> Result<Item> {
        const WHAT: &str = "a sub-record of the heap";
        let tag = self.window.u8(WHAT)?;
        let item = match tag {
            0x20 => {
                self.class.read(&mut self.window, self.id_size)?;
                Item::Class
            }
            0x01 => {
                let object = self.read_id(WHAT)?;
                self.read_id(WHAT)?;
                Item::Root(Root { kind: RootKind::JniGlobal, object, thread: 0, frame: -1 })
            }
            0xfe => {
                self.window.u32(WHAT)?;
                Item::Heap(self.read_id(WHAT)?)
            }
            0x90 => {
                self.read_id(WHAT)?;
                Item::Note
            }
            0xc3 => {
                let id = self.read_id(WHAT)?;
                let trace = self.window.u32(WHAT)?;
                let len = self.window.u32(WHAT)?;
                let kind = self.window.u8(WHAT)?;
                let Some(kind) = Kind::primitive(kind) else { return Err(self.odd_kind(kind)) };
                Item::Primitives { id, trace, kind, len, data: false }
            }
            _ => {
                let Some((kind, numbers)) = RootKind::of(tag) else {
                    return Err(Error::at_byte(self.next, format!("unknown sub-record 0x{tag:02x}")));
                };
                let object = self.read_id(WHAT)?;
                let thread = if numbers > 0 { self.window.u32(WHAT)? } else { 0 };
                let frame = if numbers > 1 { self.window.u32(WHAT)? as i32 } else { -1 };
                Item::Root(Root { kind, object, thread, frame })
            }
        };
        let next = self.window.position();
        if next > self.end {
            return Err(self.beyond(next));
        }
        self.next = next;
        Ok(item)
    }

    fn read_id(&mut self, what: &str) -> Result<u64> {
        read_id(&mut self.window, self.id_size, what)
    }
}
