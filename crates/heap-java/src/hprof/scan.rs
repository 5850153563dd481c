//! The first pass: everything but the contents of objects.

use std::collections::HashMap;

use heap_base::{Blob, Error, Result};

use super::classes::Classes;
use super::header::Header;
use super::ids::read_id;
use super::items::{Item, Items, Root, RootKind, Segment};
use super::names::Names;
use super::parts::{self, Part, Record};
use crate::addresses::Extent;
use crate::layout::{Kind, Sample, Thing};
use crate::window::Window;

/// Longest text of a UTF8 record that is kept; class files allow 64 KiB.
const MAX_NAME: u64 = 1 << 20;
/// A place of an object is noted after so many bytes of the file.
const STRIDE: u64 = if cfg!(test) { 64 } else { 64 << 10 };
/// How many bytes of direct buffers are kept.
const MAX_BUFFERS: usize = 16 << 20;
/// How many types of arrays of references a file may have; each takes 2 KiB.
const MAX_ARRAY_TYPES: usize = 1 << 16;
/// Lengths of arrays are counted by what is left of them, divided by this: the largest alignment.
const RESIDUES: usize = 256;

/// A method that a thread was in.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Frame {
    pub(crate) method: u64,
    pub(crate) signature: u64,
    pub(crate) file: u64,
    pub(crate) class: u32,
    pub(crate) line: i32,
}

/// An object whose place in the file is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) address: u64,
    /// Where its sub-record begins.
    pub(crate) offset: u64,
    /// How many objects come before it.
    pub(crate) number: u64,
}

/// Arrays of one type: how many, elements in all, and how many by what is left of their length.
#[derive(Clone, Debug)]
pub(crate) struct Arrays {
    pub(crate) first: u64,
    pub(crate) count: u64,
    pub(crate) elements: u64,
    residues: Box<[u64; RESIDUES]>,
}

impl Default for Arrays {
    fn default() -> Self {
        Self { first: 0, count: 0, elements: 0, residues: Box::new([0; RESIDUES]) }
    }
}

impl Arrays {
    #[inline]
    fn add(&mut self, id: u64, len: u32) {
        if self.count == 0 {
            self.first = id;
        }
        self.count += 1;
        self.elements += u64::from(len);
        self.residues[len as usize % RESIDUES] += 1;
    }

    /// Bytes of all of them. Rounding up depends on lengths only through what is left of them.
    pub(crate) fn bytes(&self, base: u64, element: u64, align: u64) -> u64 {
        let exact = self.elements.saturating_mul(element).saturating_add(self.count.saturating_mul(base));
        let padding = (0..).zip(self.residues.iter()).map(|(left, count)| {
            let odd = base + left * element;
            count.saturating_mul(odd.next_multiple_of(align) - odd)
        });
        padding.fold(exact, u64::saturating_add)
    }
}

/// What the first pass found.
#[derive(Debug)]
pub(crate) struct Scan {
    pub(crate) header: Header,
    pub(crate) names: Names,
    pub(crate) classes: Classes,
    /// Class by serial number.
    pub(crate) serials: HashMap<u32, u64>,
    pub(crate) frames: HashMap<u64, Frame>,
    /// Frames by the serial number of their trace, innermost first.
    pub(crate) traces: HashMap<u32, Vec<u64>>,
    pub(crate) roots: Vec<Root>,
    pub(crate) root_counts: [u64; RootKind::ALL.len()],
    pub(crate) segments: Vec<Segment>,
    /// Addresses of instances and arrays.
    pub(crate) extent: Extent,
    pub(crate) instances: u64,
    /// Arrays of references; each class says which are of its type.
    pub(crate) objects: Vec<Arrays>,
    pub(crate) primitives: [Arrays; 8],
    pub(crate) sample: Sample,
    /// Some objects, in the order of the file.
    pub(crate) places: Vec<Place>,
    /// Identifier and fields of buffers outside the heap.
    pub(crate) buffers: Vec<(u64, Box<[u8]>)>,
    pub(crate) records: u64,
    /// Class dumps of classes that had one already, and the class of the last of them.
    pub(crate) repeated: u64,
    pub(crate) repeated_class: u64,
    pub(crate) ended: bool,
    pub(crate) damage: Option<Error>,
}

impl Scan {
    /// Goes over the file up to the end of a dump, of which it takes the heap. Damage ends the pass; what is intact before it
    /// stands.
    ///
    /// # Errors
    /// Failures of reading.
    pub(crate) fn run(blob: &Blob, header: Header, part: &Part) -> Result<Self> {
        let mut scan = Self {
            header,
            names: Names::default(),
            classes: Classes::default(),
            serials: HashMap::new(),
            frames: HashMap::new(),
            traces: HashMap::new(),
            roots: Vec::new(),
            root_counts: [0; RootKind::ALL.len()],
            segments: Vec::new(),
            extent: Extent::default(),
            instances: 0,
            objects: Vec::new(),
            primitives: Default::default(),
            sample: Sample::default(),
            places: Vec::new(),
            buffers: Vec::new(),
            records: 0,
            repeated: 0,
            repeated_class: 0,
            ended: false,
            damage: None,
        };
        let window = Window::new(blob, header.records_at);
        let mut pass =
            Pass { scan: &mut scan, items: Items::new(window, header.id_size), special: Special::default() };
        let outcome = pass.records(part);
        match outcome {
            Ok(()) => {}
            Err(error) if matches!(error.kind(), heap_base::error::Kind::Input { .. }) => {
                scan.damage = Some(error);
            }
            Err(error) => return Err(error),
        }
        scan.names.sort();
        Ok(scan)
    }
}

/// Names that the first pass knows.
#[derive(Clone, Copy, Debug, Default)]
struct Special {
    /// The UTF8 record of `java.nio.DirectByteBuffer`, and the class of that name.
    buffer_name: u64,
    buffer: u64,
}

struct Pass<'a, 'b> {
    scan: &'a mut Scan,
    items: Items<'b>,
    special: Special,
}

impl Pass<'_, '_> {
    /// All records up to the end of a dump; heaps of other dumps are passed over.
    fn records(&mut self, part: &Part) -> Result {
        let mut next = self.scan.header.records_at;
        // Only the first version, and a heap in one record, have no end mark.
        let mut end_expected = self.scan.header.version > 1;
        while next < part.end {
            self.items.window.seek(next);
            let Record { tag, at, start, body, .. } = parts::record(&mut self.items.window)?;
            next = start + body;
            self.scan.records += 1;
            if tag == 0x0c || tag == 0x1c {
                if at >= part.start {
                    end_expected = tag == 0x1c;
                    self.segment(Segment { start, end: next })?;
                }
            } else if next > self.items.window.blob().len() {
                return Err(self
                    .items
                    .window
                    .early(&format!("the record at byte {at}, with tag 0x{tag:02x},")));
            } else {
                self.record(tag, at, body)?;
                self.scan.ended |= tag == 0x2c && at >= part.start;
            }
        }
        if end_expected && !self.scan.ended {
            // Virtual machines write segment by segment, so that is where the file of one ends that was killed.
            return Err(Error::at_byte(part.end, "the heap ends early: its end mark is missing"));
        }
        Ok(())
    }

    /// A record that is no part of the heap.
    fn record(&mut self, tag: u8, at: u64, body: u64) -> Result {
        const WHAT: &str = "a record";
        let size = self.items.id_size();
        let least = match tag {
            0x01 => size,
            0x02 => 8 + 2 * size,
            0x04 => 8 + 4 * size,
            0x05 => 12,
            _ => 0,
        } as u64;
        if body < least {
            return Err(Error::at_byte(
                at,
                format!("a record of {body} bytes with tag 0x{tag:02x} needs {least}"),
            ));
        }
        let scan = &mut *self.scan;
        let window = &mut self.items.window;
        match tag {
            0x01 => {
                let id = read_id(window, size, WHAT)?;
                let len = body - size as u64;
                if len <= MAX_NAME && window.has(len as usize)? {
                    let text = window.peek(len as usize);
                    scan.names.push(id, text);
                    if matches!(text, b"java/nio/DirectByteBuffer" | b"java.nio.DirectByteBuffer") {
                        self.special.buffer_name = id;
                    }
                }
            }
            0x02 => {
                let serial = window.u32(WHAT)?;
                let id = read_id(window, size, WHAT)?;
                window.u32(WHAT)?;
                let name = read_id(window, size, WHAT)?;
                scan.serials.insert(serial, id);
                let number = scan.classes.number(id);
                if let Some(class) = scan.classes.get_mut(number) {
                    class.name = name;
                }
                if name == self.special.buffer_name && name != 0 {
                    self.special.buffer = id;
                }
            }
            0x04 => {
                let id = read_id(window, size, WHAT)?;
                let mut next = || read_id(window, size, WHAT);
                let (method, signature, file) = (next()?, next()?, next()?);
                let (class, line) = (window.u32(WHAT)?, window.u32(WHAT)? as i32);
                scan.frames.insert(id, Frame { method, signature, file, class, line });
            }
            0x05 => {
                let serial = window.u32(WHAT)?;
                window.u32(WHAT)?;
                let count = u64::from(window.u32(WHAT)?);
                if count * size as u64 > body - 12 {
                    return Err(Error::at_byte(at, format!("a trace of {count} frames in {body} bytes")));
                }
                let frames: Result<Vec<u64>> = (0..count).map(|_| read_id(window, size, WHAT)).collect();
                scan.traces.insert(serial, frames?);
            }
            _ => {}
        }
        Ok(())
    }

    /// The sub-records of a part of the heap. It is noted as far as it is intact.
    fn segment(&mut self, segment: Segment) -> Result {
        self.items.enter(segment);
        let outcome = self.items();
        let end = self.items.next_at();
        if end > segment.start {
            self.scan.segments.push(Segment { start: segment.start, end });
        }
        outcome
    }

    fn items(&mut self) -> Result {
        loop {
            let at = self.items.next_at();
            let Some(item) = self.items.next()? else { return Ok(()) };
            match item {
                Item::Instance { id, class, len } => self.instance(at, id, class, len)?,
                Item::Objects { id, class, len } => {
                    self.object(at, id, Thing::Array(Kind::Object, len));
                    self.arrays(at, class)?.add(id, len);
                }
                Item::Primitives { id, kind, len, .. } => {
                    self.object(at, id, Thing::Array(kind, len));
                    self.scan.primitives[kind.index()].add(id, len);
                }
                Item::Class => {
                    if self.scan.classes.add(&self.items.class) {
                        let number = self.scan.classes.number(self.items.class.id);
                        self.scan.sample.add(self.items.class.id, Thing::Class(number));
                    } else {
                        self.scan.repeated += 1;
                        self.scan.repeated_class = self.items.class.id;
                    }
                }
                Item::Root(root) => {
                    self.scan.root_counts[root.kind as usize] += 1;
                    self.scan.roots.push(root);
                }
                Item::Note => {}
            }
        }
    }

    /// The arrays of one type of references.
    #[inline]
    fn arrays(&mut self, at: u64, class: u64) -> Result<&mut Arrays> {
        let scan = &mut *self.scan;
        let number = scan.classes.number(class);
        let new = scan.objects.len() as u32 + 1;
        if let Some(class) = scan.classes.get_mut(number)
            && class.arrays == 0
        {
            if scan.objects.len() >= MAX_ARRAY_TYPES {
                return Err(Error::at_byte(at, format!("more than {MAX_ARRAY_TYPES} types of arrays")));
            }
            class.arrays = new;
            scan.objects.push(Arrays::default());
        }
        let index = scan.classes.get(number).map_or(0, |class| class.arrays);
        Ok(&mut scan.objects[index as usize - 1])
    }

    #[inline]
    fn instance(&mut self, at: u64, id: u64, class_id: u64, len: u32) -> Result {
        let number = self.scan.classes.number(class_id);
        self.object(at, id, Thing::Instance(number));
        self.scan.instances += 1;
        let Some(class) = self.scan.classes.get_mut(number) else { return Ok(()) };
        if class.instances == 0 {
            (class.first, class.first_body) = (id, len);
        }
        class.unlike += u64::from(class.first_body != len);
        class.instances += 1;
        if class_id == self.special.buffer && class_id != 0 {
            let room = self.scan.buffers.len() * 64 < MAX_BUFFERS && len < 1024;
            if room && self.items.window.has(len as usize)? {
                let body = self.items.window.peek(len as usize).into();
                self.scan.buffers.push((id, body));
            }
        }
        Ok(())
    }

    #[inline]
    fn object(&mut self, at: u64, id: u64, thing: Thing) {
        let scan = &mut *self.scan;
        if scan.places.last().is_none_or(|last| at - last.offset >= STRIDE) {
            scan.places.push(Place { address: id, offset: at, number: scan.extent.count });
        }
        scan.extent.add(id);
        scan.sample.add(id, thing);
    }
}
