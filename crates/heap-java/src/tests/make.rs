//! Writes small HPROF files.

use crate::text::class_name;

/// A file that is being written.
#[derive(Clone, Debug)]
pub(crate) struct Hprof {
    pub(crate) bytes: Vec<u8>,
    id_size: usize,
    /// Sub-records of the segment in work.
    heap: Vec<u8>,
    next_name: u64,
    /// The trace of what comes next.
    pub(crate) serial: u32,
}

/// A value of a field.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    Ref(u64),
    Int(i32),
    Byte(u8),
    Long(i64),
    /// Of the type with this number, so many bytes of these bits.
    Bits(u8, usize, u64),
}

impl Value {
    fn tag(self) -> u8 {
        match self {
            Self::Ref(_) => 2,
            Self::Byte(_) => 8,
            Self::Int(_) => 10,
            Self::Long(_) => 11,
            Self::Bits(tag, ..) => tag,
        }
    }
}

impl Hprof {
    pub(crate) fn new(version: char, id_size: usize) -> Self {
        let mut bytes = format!("JAVA PROFILE 1.0.{version}\0").into_bytes();
        bytes.extend((id_size as u32).to_be_bytes());
        bytes.extend(1_700_000_000_000_u64.to_be_bytes());
        Self { bytes, id_size, heap: Vec::new(), next_name: 0x10_0000, serial: 0 }
    }

    fn id(&self, id: u64) -> Vec<u8> {
        if self.id_size == 8 { id.to_be_bytes().to_vec() } else { (id as u32).to_be_bytes().to_vec() }
    }

    pub(crate) fn record(&mut self, tag: u8, body: &[u8]) {
        self.bytes.push(tag);
        self.bytes.extend([0; 4]);
        self.bytes.extend((body.len() as u32).to_be_bytes());
        self.bytes.extend(body);
    }

    pub(crate) fn name(&mut self, text: &str) -> u64 {
        self.next_name += 8;
        let mut body = self.id(self.next_name);
        body.extend(text.as_bytes());
        self.record(0x01, &body);
        self.next_name
    }

    pub(crate) fn load(&mut self, serial: u32, class: u64, name: &str) {
        let name = self.name(name);
        let body = [&serial.to_be_bytes()[..], &self.id(class), &[0; 4], &self.id(name)].concat();
        self.record(0x02, &body);
    }

    pub(crate) fn frame(&mut self, id: u64, method: &str, class: u32, line: i32) {
        let (method, signature, file) = (self.name(method), self.name("()V"), self.name("Main.java"));
        let ids: Vec<u8> = [id, method, signature, file].into_iter().flat_map(|id| self.id(id)).collect();
        let body = [&ids[..], &class.to_be_bytes(), &line.to_be_bytes()].concat();
        self.record(0x04, &body);
    }

    pub(crate) fn trace(&mut self, serial: u32, thread: u32, frames: &[u64]) {
        let ids: Vec<u8> = frames.iter().flat_map(|&id| self.id(id)).collect();
        let head = [serial, thread, frames.len() as u32].map(u32::to_be_bytes).concat();
        self.record(0x05, &[head, ids].concat());
    }

    /// A root: sub-tag, object, and numbers that follow.
    pub(crate) fn root(&mut self, tag: u8, object: u64, numbers: &[u32]) {
        self.heap.push(tag);
        self.heap.extend(self.id(object));
        for n in numbers {
            self.heap.extend(n.to_be_bytes());
        }
    }

    /// A class: superclass, loader, static references, and fields with an example of their values.
    pub(crate) fn class(
        &mut self,
        id: u64,
        links: (u64, u64),
        statics: &[(&str, Value)],
        fields: &[(&str, Value)],
    ) {
        self.class_of(id, links, 0, statics, fields);
    }

    /// The same, with the size of an instance.
    pub(crate) fn class_of(
        &mut self,
        id: u64,
        (superclass, loader): (u64, u64),
        size: u32,
        statics: &[(&str, Value)],
        fields: &[(&str, Value)],
    ) {
        let statics: Vec<_> = statics.iter().map(|&(name, value)| (self.name(name), value)).collect();
        let fields: Vec<_> = fields.iter().map(|&(name, value)| (self.name(name), value)).collect();
        self.heap.push(0x20);
        self.heap.extend(self.id(id));
        self.heap.extend(self.serial.to_be_bytes());
        for id in [superclass, loader, 0, 0, 0, 0] {
            self.heap.extend(self.id(id));
        }
        self.heap.extend(size.to_be_bytes());
        self.heap.extend([0; 2]);
        self.heap.extend((statics.len() as u16).to_be_bytes());
        for (name, value) in statics {
            self.heap.extend(self.id(name));
            self.heap.push(value.tag());
            self.value(value);
        }
        self.heap.extend((fields.len() as u16).to_be_bytes());
        for (name, value) in fields {
            self.heap.extend(self.id(name));
            self.heap.push(value.tag());
        }
    }

    fn value(&mut self, value: Value) {
        match value {
            Value::Ref(id) => self.heap.extend(self.id(id)),
            Value::Int(n) => self.heap.extend(n.to_be_bytes()),
            Value::Byte(n) => self.heap.push(n),
            Value::Long(n) => self.heap.extend(n.to_be_bytes()),
            Value::Bits(_, bytes, bits) => self.heap.extend(&bits.to_be_bytes()[8 - bytes..]),
        }
    }

    pub(crate) fn instance(&mut self, id: u64, class: u64, values: &[Value]) {
        self.heap.push(0x21);
        self.heap.extend(self.id(id));
        self.heap.extend(self.serial.to_be_bytes());
        self.heap.extend(self.id(class));
        let at = self.heap.len();
        self.heap.extend([0; 4]);
        for &value in values {
            self.value(value);
        }
        let len = (self.heap.len() - at - 4) as u32;
        self.heap[at..at + 4].copy_from_slice(&len.to_be_bytes());
    }

    pub(crate) fn objects(&mut self, id: u64, class: u64, elements: &[u64]) {
        self.heap.push(0x22);
        self.heap.extend(self.id(id));
        self.heap.extend(self.serial.to_be_bytes());
        self.heap.extend((elements.len() as u32).to_be_bytes());
        self.heap.extend(self.id(class));
        for &element in elements {
            self.heap.extend(self.id(element));
        }
    }

    pub(crate) fn primitives(&mut self, id: u64, kind: u8, elements: &[u8], width: usize) {
        self.heap.push(0x23);
        self.heap.extend(self.id(id));
        self.heap.extend(self.serial.to_be_bytes());
        self.heap.extend(((elements.len() / width) as u32).to_be_bytes());
        self.heap.push(kind);
        self.heap.extend(elements);
    }

    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        self.heap.extend(bytes);
    }

    /// Ends a dump; another one may follow.
    pub(crate) fn end(&mut self, tag: u8) {
        self.segment(tag);
        if tag == 0x1c {
            self.record(0x2c, &[]);
        }
    }

    /// Ends a segment.
    pub(crate) fn segment(&mut self, tag: u8) {
        let heap = std::mem::take(&mut self.heap);
        self.record(tag, &heap);
    }

    /// The file, whose last segment is closed.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        if !self.heap.is_empty() {
            self.segment(0x1c);
        }
        self.record(0x2c, &[]);
        self.bytes
    }
}

pub(crate) const OBJECT: u64 = 0x1000;
pub(crate) const CLASS: u64 = 0x1100;
pub(crate) const STRING: u64 = 0x1200;
pub(crate) const THREAD: u64 = 0x1300;
pub(crate) const REFERENCE: u64 = 0x1400;
pub(crate) const WEAK: u64 = 0x1500;
pub(crate) const NODE: u64 = 0x1600;
pub(crate) const SUB: u64 = 0x1700;
pub(crate) const BYTES: u64 = 0x1800;
pub(crate) const NODES: u64 = 0x1900;
pub(crate) const LOADER: u64 = 0x1a08;

/// How a sample is written.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "independent wishes")]
pub(crate) struct Style {
    pub(crate) version: char,
    pub(crate) id_size: usize,
    pub(crate) roots_first: bool,
    pub(crate) classes_last: bool,
    pub(crate) segments: bool,
    /// Names of classes as Java writes them, which agents and Android do.
    pub(crate) dots: bool,
}

pub(crate) const HOTSPOT: Style =
    Style { version: '2', id_size: 8, roots_first: false, classes_last: false, segments: false, dots: false };

/// A heap with one of everything: a list of nodes, a subclass that hides a field, a weak reference, a thread with a name
/// beyond Latin-1 and a frame with a local, strings, arrays, a static field.
pub(crate) fn sample(style: Style) -> Vec<u8> {
    use Value::{Byte, Int, Long, Ref};
    let mut file = Hprof::new(style.version, style.id_size);
    let loads = [
        (OBJECT, "java/lang/Object"),
        (CLASS, "java/lang/Class"),
        (STRING, "java/lang/String"),
        (THREAD, "java/lang/Thread"),
        (REFERENCE, "java/lang/ref/Reference"),
        (WEAK, "java/lang/ref/WeakReference"),
        (NODE, "app/Node"),
        (SUB, "app/Node$Sub"),
        (BYTES, "[B"),
        (NODES, "[Lapp/Node;"),
        (LOADER, "app/Loader"),
    ];
    for (serial, (class, name)) in (1..).zip(loads) {
        let java = class_name(name).name;
        file.load(serial, class, if style.dots { &java } else { name });
    }
    file.frame(0x77, "run", 7, 42);
    file.frame(0x78, "sleep", 4, -3);
    file.trace(5, 1, &[0x78, 0x77]);
    let roots = |file: &mut Hprof| {
        file.root(0x05, NODE, &[]);
        file.root(0x08, 0x3000, &[1, 5]);
        file.root(0x03, 0x4000, &[1, 1]);
        file.root(0x02, 0x4040, &[1, u32::MAX]);
        file.root(0x01, 0x5000, &[]);
        let reference = if style.id_size == 8 { [0; 8].to_vec() } else { [0; 4].to_vec() };
        file.raw(&reference);
    };
    let classes = |file: &mut Hprof| {
        file.class(OBJECT, (0, 0), &[], &[]);
        file.class(CLASS, (OBJECT, 0), &[], &[]);
        file.class(STRING, (OBJECT, 0), &[], &[("value", Ref(0)), ("coder", Byte(0))]);
        file.class(THREAD, (OBJECT, 0), &[], &[("name", Ref(0)), ("tid", Long(0))]);
        file.class(REFERENCE, (OBJECT, 0), &[], &[("referent", Ref(0)), ("next", Ref(0))]);
        file.class(WEAK, (REFERENCE, 0), &[], &[]);
        let statics = [("first", Ref(0x4000)), ("made", Int(3))];
        file.class(NODE, (OBJECT, 0x6000), &statics, &[("next", Ref(0)), ("id", Int(0))]);
        file.class(SUB, (NODE, 0x6000), &[], &[("next", Ref(0))]);
        file.class(BYTES, (OBJECT, 0), &[], &[]);
        file.class(NODES, (OBJECT, 0), &[], &[]);
        file.class(LOADER, (OBJECT, 0), &[], &[]);
    };
    if style.roots_first {
        roots(&mut file);
    }
    if !style.classes_last {
        classes(&mut file);
    }
    let cut = |file: &mut Hprof| {
        if style.segments {
            file.segment(0x1c);
        }
    };
    cut(&mut file);
    file.instance(0x3000, THREAD, &[Ref(0x3020), Long(7)]);
    file.instance(0x3020, STRING, &[Ref(0x3040), Byte(1)]);
    // "w\u{f6}rker" and half of a pair.
    file.primitives(0x3040, 8, &[0x77, 0, 0xf6, 0, 0x72, 0, 0x3d, 0xd8], 1);
    file.instance(0x4000, NODE, &[Ref(0x4020), Int(1)]);
    file.instance(0x4020, SUB, &[Ref(0x4040), Ref(0), Int(2)]);
    cut(&mut file);
    file.instance(0x4040, SUB, &[Ref(0), Ref(0x4000), Int(3)]);
    file.instance(0x5000, WEAK, &[Ref(0x5020), Ref(0)]);
    file.instance(0x5020, STRING, &[Ref(0x5040), Byte(0)]);
    file.primitives(0x5040, 8, b"na\xefve", 1);
    cut(&mut file);
    file.objects(0x5060, NODES, &[0x4000, 0, 0x4040, 0x9990]);
    file.instance(0x6000, LOADER, &[]);
    file.primitives(0x6020, 11, &[0; 24], 8);
    if style.classes_last {
        classes(&mut file);
    }
    if !style.roots_first {
        roots(&mut file);
    }
    file.finish()
}
