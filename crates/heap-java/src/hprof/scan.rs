//! The first pass: everything but the contents of objects.

use heap_base::{Blob, Error, Map, Result, Set};

use super::art::{Parts, Runtime};
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
/// How many bytes of instances are kept.
const MAX_KEPT: usize = 16 << 20;
/// How many heaps have names; Android has four.
const MAX_HEAPS: usize = 64;
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
    /// Arrays whose bytes are known, and these bytes; their elements are not counted.
    parts: (u64, u64),
    residues: Box<[u64; RESIDUES]>,
}

impl Default for Arrays {
    fn default() -> Self {
        Self { first: 0, count: 0, elements: 0, parts: (0, 0), residues: Box::new([0; RESIDUES]) }
    }
}

impl Arrays {
    #[inline]
    fn add(&mut self, id: u64, len: u32, bytes: Option<u64>) {
        if self.count == 0 {
            self.first = id;
        }
        self.count += 1;
        if let Some(bytes) = bytes {
            self.parts = (self.parts.0 + 1, self.parts.1.saturating_add(bytes));
            return;
        }
        self.elements += u64::from(len);
        self.residues[len as usize % RESIDUES] += 1;
    }

    /// Bytes of all of them. Rounding up depends on lengths only through what is left of them.
    pub(crate) fn bytes(&self, base: u64, element: u64, align: u64) -> u64 {
        let (parts, bytes) = self.parts;
        let exact =
            self.elements.saturating_mul(element).saturating_add((self.count - parts).saturating_mul(base));
        let exact = exact.saturating_add(bytes);
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
    pub(crate) serials: Map<u32, u64>,
    pub(crate) frames: Map<u64, Frame>,
    /// Frames by the serial number of their trace, innermost first.
    pub(crate) traces: Map<u32, Vec<u64>>,
    /// Serial numbers of traces that objects have.
    pub(crate) used: Set<u32>,
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
    /// Identifier, class and fields of instances that say what lies outside the heap.
    pub(crate) kept: Vec<(u64, u64, Box<[u8]>)>,
    /// The runtime of Android that wrote it, if one did.
    pub(crate) android: Option<Runtime>,
    /// Names of heaps by their UTF8 records, in order of appearance.
    pub(crate) heaps: Vec<u64>,
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
            serials: Map::default(),
            frames: Map::default(),
            traces: Map::default(),
            used: Set::default(),
            roots: Vec::new(),
            root_counts: [0; RootKind::ALL.len()],
            segments: Vec::new(),
            extent: Extent::default(),
            instances: 0,
            objects: Vec::new(),
            primitives: Default::default(),
            sample: Sample::default(),
            places: Vec::new(),
            kept: Vec::new(),
            android: None,
            heaps: Vec::new(),
            records: 0,
            repeated: 0,
            repeated_class: 0,
            ended: false,
            damage: None,
        };
        let window = Window::new(blob, header.records_at);
        let mut pass = Pass {
            scan: &mut scan,
            items: Items::new(window, header.id_size),
            special: Special::default(),
            parts: Parts::default(),
            heap: 0,
            trace: 0,
        };
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

/// What a class keeps for each `ClassValue`, in a field of the class object that dumps lack.
pub(crate) const CLASS_VALUES: &str = "java.lang.ClassValue$ClassValueMap";

/// What frees a segment of memory outside the heap.
pub(crate) const SEGMENT: &str = "jdk.internal.foreign.SegmentFactories$1";

/// Classes whose instances the first pass keeps, with the records of their names.
const KEPT: [&str; 6] = [
    CLASS_VALUES,
    "java.nio.DirectByteBuffer",
    SEGMENT,
    "sun.misc.Cleaner",
    "libcore.util.NativeAllocationRegistry$CleanerThunk",
    "libcore.util.NativeAllocationRegistry",
];

/// Classes that the first pass knows, and the UTF8 records of their names.
#[derive(Clone, Copy, Debug, Default)]
struct Special {
    kept_names: [ByForm; KEPT.len()],
    kept: [u64; KEPT.len()],
    string_names: ByForm,
    string: u64,
}

/// True if a class name, in the machine's form or in Java's, is this one in Java's.
fn is_named(text: &[u8], name: &str) -> bool {
    text.len() == name.len() && text.iter().zip(name.bytes()).all(|(&a, b)| a == b || a == b'/' && b == b'.')
}

/// UTF8 records of the name of a class: with slashes, and with dots. A file may have both, of which its class has one.
type ByForm = [u64; 2];

/// Notes a record if its text is this name.
fn note_name(names: &mut ByForm, id: u64, text: &[u8], name: &str) {
    if is_named(text, name) {
        names[usize::from(text.contains(&b'.'))] = id;
    }
}

struct Pass<'a, 'b> {
    scan: &'a mut Scan,
    items: Items<'b>,
    special: Special,
    parts: Parts,
    /// The heap that objects are in, by the UTF8 record of its name; 0 if the file does not say.
    heap: u64,
    /// The serial number of the last object's trace.
    trace: u32,
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
                    for (slot, name) in self.special.kept_names.iter_mut().zip(KEPT) {
                        note_name(slot, id, text, name);
                    }
                    note_name(&mut self.special.string_names, id, text, "java.lang.String");
                    if size == 4 {
                        scan.android = Runtime::after(scan.android, text);
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
                let special = &mut self.special;
                for (slot, known) in special.kept.iter_mut().zip(&special.kept_names) {
                    if known.contains(&name) && name != 0 {
                        *slot = id;
                    }
                }
                if special.string_names.contains(&name) && name != 0 {
                    special.string = id;
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
        self.heap = 0;
        // Names come before the heap.
        if self.scan.header.version == 3 {
            self.scan.android = self.scan.android.or(Some(Runtime::Art));
        }
        self.parts = Parts::of(self.scan.android);
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
                Item::Instance { id, trace, class, len } => {
                    self.trace(trace);
                    self.instance(at, id, class, len)?;
                }
                Item::Objects { id, trace, class, len } => {
                    self.trace(trace);
                    self.object(at, id, Thing::Array(Kind::Object, len));
                    let part = self.parts.objects(id);
                    self.arrays(at, class)?.add(id, len, part);
                }
                Item::Primitives { id, trace, kind, len, .. } => {
                    self.trace(trace);
                    self.object(at, id, Thing::Array(kind, len));
                    let part = self.parts.primitives(id, kind, len);
                    self.scan.primitives[kind.index()].add(id, len, part);
                }
                Item::Class => {
                    self.trace(self.items.class.trace);
                    if self.scan.classes.add(&self.items.class) {
                        let number = self.scan.classes.number(self.items.class.id);
                        self.scan.sample.add(self.items.class.id, Thing::Class(number));
                        if let Some(class) = self.scan.classes.get_mut(number) {
                            class.heap = self.heap;
                        }
                    } else {
                        self.scan.repeated += 1;
                        self.scan.repeated_class = self.items.class.id;
                    }
                }
                Item::Root(root) => {
                    self.scan.root_counts[root.kind as usize] += 1;
                    self.scan.roots.push(root);
                }
                Item::Heap(name) => {
                    self.heap = name;
                    if !self.scan.heaps.contains(&name) && self.scan.heaps.len() < MAX_HEAPS {
                        self.scan.heaps.push(name);
                    }
                }
                Item::Note => {}
            }
        }
    }

    /// Notes the trace of an object: mostly that of the one before.
    #[inline]
    fn trace(&mut self, serial: u32) {
        if serial != self.trace {
            self.trace = serial;
            self.new_trace(serial);
        }
    }

    #[cold]
    fn new_trace(&mut self, serial: u32) {
        self.scan.used.insert(serial);
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
        self.parts.instance(id, class_id == self.special.string);
        if class_id != 0 && self.special.kept.contains(&class_id) {
            let room = self.scan.kept.len() * 64 < MAX_KEPT && len < 1024;
            if room && self.items.window.has(len as usize)? {
                let body = self.items.window.peek(len as usize).into();
                self.scan.kept.push((id, class_id, body));
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
