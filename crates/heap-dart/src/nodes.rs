//! The second pass: nodes, with the identity hashes read side by side from the end of the file. For sinks that only add
//! up, the objects of a class are added up here.

use heap_base::Result;
use heap_base::json::{push_float, push_int, push_uint};
use heap_record::wants::SumBy;
use heap_record::{Heap, Node, NodeBatch, Sink, StringId, Wants, index_id};

use crate::classes::{Class, Kind, Role};
use crate::declare::NodeType;
use crate::header::Header;
use crate::names::Names;
use crate::object::{Data, Object};
use crate::scan::{Scan, is_contents};
use crate::source::Source;
use crate::window::{Fault, Window};

/// How many units of a string the VM keeps.
const KEPT: u64 = 128;

/// String ids of the oddballs' names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Oddballs {
    null: u32,
    truth: [u32; 2],
}

impl Oddballs {
    /// Gives them ids in the table of names.
    pub(crate) fn new(names: &mut Names) -> Self {
        Self { null: names.intern(b"null"), truth: [names.intern(b"false"), names.intern(b"true")] }
    }
}

/// Emits the nodes of all intact objects.
pub(crate) fn nodes(
    source: &Source,
    header: &Header,
    scan: &Scan,
    oddballs: Oddballs,
    wants: Wants,
    sink: &mut dyn Sink,
) -> Result {
    let mut sums = Sums::new(header, wants.sums());
    let outcome = objects(source, header, scan, oddballs, wants, &mut sums, sink);
    // Objects before damage count.
    if !outcome.as_ref().is_err_and(heap_base::Error::is_stop) {
        sums.emit(header, sink)?;
    }
    outcome
}

/// Objects of one class and subtype.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    /// The number of the first.
    first: u64,
    subtype: u32,
    count: u64,
    size: u64,
}

/// Objects added up by class, all that have the subtype of the first of their class, and no bytes outside
/// the heap. No classes: nothing is added up.
#[derive(Debug)]
struct Sums {
    classes: Vec<Sum>,
    /// Whether objects with names of their own are emitted one by one.
    names: bool,
}

impl Sums {
    fn new(header: &Header, by: Option<SumBy>) -> Self {
        let classes = by.map_or(0, |_| usize::try_from(header.classes.len() + 1).unwrap_or(0));
        Self { classes: vec![Sum::default(); classes], names: by == Some(SumBy::Name) }
    }

    /// Adds an object up; false if it must be emitted by itself.
    #[inline]
    fn add(&mut self, index: u64, object: &Object, subtype: u32) -> bool {
        let Some(sum) = usize::try_from(object.class).ok().and_then(|class| self.classes.get_mut(class))
        else {
            return false;
        };
        if sum.count == 0 {
            (sum.first, sum.subtype) = (index, subtype);
        }
        if sum.subtype != subtype {
            return false;
        }
        sum.count += 1;
        sum.size = sum.size.saturating_add(object.size);
        true
    }

    fn emit(self, header: &Header, sink: &mut dyn Sink) -> Result {
        for (class, sum) in (0..).zip(self.classes).filter(|(_, sum)| sum.count > 0) {
            let class = header.classes.get(class).and_then(|c| c.name).map(StringId::from);
            let heap = Heap { size: Some(sum.size), class, count: Some(sum.count), ..Heap::default() };
            let node = Node { subtype: sum.subtype, id: index_id(sum.first), heap, ..Node::default() };
            sink.nodes(&NodeBatch::one(&node))?;
        }
        Ok(())
    }
}

/// Emits the objects that are not added up.
fn objects(
    source: &Source,
    header: &Header,
    scan: &Scan,
    oddballs: Oddballs,
    wants: Wants,
    sums: &mut Sums,
    sink: &mut dyn Sink,
) -> Result {
    let mut window = Window::new(source, header.objects_at);
    let mut hashes =
        Hashes(scan.hashes_at.filter(|_| wants.node_details()).map(|at| Window::new(source, at)));
    let mut external = scan.external.iter().copied().skip_while(|&(object, _)| object == 0).peekable();
    let mut text_id = scan.first_text;
    let mut details = Details { scan, oddballs, own: Vec::new(), rest: Vec::new() };
    for index in 1..=scan.objects {
        let fail = |window: &mut Window, fault| window.error(fault, &format!("object {index}"));
        let object = window.object().map_err(|fault| fail(&mut window, fault))?;
        let class = header.classes.get(object.class);
        let text = object.data.has_text().then_some(text_id);
        text_id += StringId::from(text.is_some());
        details.own.clear();
        details.rest.clear();
        let subtype = subtype(index, &object, class);
        if wants.node_details() {
            let hash = hashes.next();
            details.build(&window, &object, class, subtype, text, hash);
            if let (NodeType::Closure, Some(class)) = (subtype, class) {
                let function = header.classes.slots(class).iter().find(|slot| slot.role == Role::Function);
                let slot = function.map_or(u32::MAX, |slot| slot.index);
                details
                    .closure(&mut window, slot, object.references)
                    .map_err(|fault| fail(&mut window, fault))?;
            }
        }
        let name = text.filter(|_| !is_contents(&object, class));
        let external = external.next_if(|&(object, _)| object == index).map(|(_, bytes)| bytes);
        let alone = sums.names && name.is_some() || external.is_some();
        if alone || !sums.add(index, &object, subtype as u32) {
            let class = class.and_then(|c| c.name).map(StringId::from);
            let heap = Heap { size: Some(object.size), class, name, external, ..Heap::default() };
            let (subtype, id, own, rest) = (subtype as u32, index_id(index), &*details.own, &*details.rest);
            sink.nodes(&NodeBatch::one(&Node { subtype, id, own, heap, rest, ..Node::default() }))?;
        }
        window.skip_numbers(object.references).map_err(|fault| fail(&mut window, fault))?;
    }
    Ok(())
}

/// What an object is to the stream: its data decide, else its class.
fn subtype(index: u64, object: &Object, class: Option<&Class>) -> NodeType {
    match object.data {
        Data::Null | Data::Bool(_) => return NodeType::Oddball,
        Data::Int(..) | Data::Double(_) => return NodeType::Number,
        Data::Latin1(..) | Data::Utf16(..) => return NodeType::String,
        // A re-saved string has its contents as a name; so it stays one even as the root of an odd file.
        Data::Name(_) if class.is_some_and(|c| matches!(c.kind, Kind::Latin1 | Kind::Utf16)) => {
            return NodeType::String;
        }
        _ if index == 1 => return NodeType::Root,
        _ => {}
    }
    match class.map_or(Kind::Object, |c| c.kind) {
        Kind::List | Kind::Growable => NodeType::Array,
        Kind::Latin1 | Kind::Utf16 => NodeType::String,
        Kind::Closure => NodeType::Closure,
        Kind::Function => NodeType::Function,
        Kind::Code => NodeType::Code,
        Kind::Isolate => NodeType::Isolate,
        Kind::ReadOnlyPages => NodeType::ReadOnlyPages,
        _ => NodeType::Object,
    }
}

/// The identity hashes, one for each object, as far as they go.
struct Hashes(Option<Window>);

impl Hashes {
    fn next(&mut self) -> u64 {
        let Some(window) = &mut self.0 else { return 0 };
        let hash = window.near().and_then(|()| window.number());
        if hash.is_err() {
            // The first pass has reported the damage.
            self.0 = None;
        }
        hash.unwrap_or(0)
    }
}

/// Builds what only this source knows of a node.
struct Details<'a> {
    scan: &'a Scan,
    oddballs: Oddballs,
    own: Vec<u8>,
    rest: Vec<u8>,
}

impl Details<'_> {
    fn build(
        &mut self,
        window: &Window,
        object: &Object,
        class: Option<&Class>,
        subtype: NodeType,
        text: Option<StringId>,
        hash: u64,
    ) {
        let (scan, Oddballs { null, truth }) = (self.scan, self.oddballs);
        let (own, rest) = (&mut self.own, &mut self.rest);
        let kind = class.map_or(Kind::Object, |c| c.kind);
        let mut first: &[u8] = b"\"dart\":{";
        let mut key = |rest: &mut Vec<u8>, name: &[u8]| {
            rest.extend_from_slice(first);
            rest.extend_from_slice(name);
            first = b",";
        };
        if object.class != 0 {
            key(rest, b"\"class\":");
            push_uint(rest, object.class);
        }
        let tag = object.data.tag();
        let usual = if scan.resaved { 8 } else { 5 };
        if subtype == NodeType::String && tag != usual {
            key(rest, b"\"tag\":");
            push_uint(rest, tag.into());
        }
        match object.data {
            Data::None => {}
            Data::Null => {
                own.extend_from_slice(b"\"name\":");
                push_uint(own, null.into());
            }
            Data::Bool(value) => {
                own.extend_from_slice(b"\"name\":");
                push_uint(own, truth[usize::from(value != 0)].into());
                if value > 1 {
                    key(rest, b"\"int\":");
                    push_uint(rest, value);
                }
            }
            Data::Int(raw, signed) => {
                let value = integer(raw, signed, kind, scan);
                own.extend_from_slice(b"\"value\":");
                push_float(own, value as f64);
                key(rest, b"\"int\":");
                push_int(rest, value);
            }
            Data::Double(bits) => {
                let value = f64::from_bits(bits);
                own.extend_from_slice(b"\"value\":");
                push_float(own, value);
                if value.is_nan() && bits != f64::NAN.to_bits() {
                    key(rest, b"\"bits\":");
                    push_uint(rest, bits);
                }
            }
            Data::Latin1(length, kept) => {
                string(own, Some(length), text);
                if kept.len() as u64 != length {
                    key(rest, b"\"kept\":");
                    push_uint(rest, kept.len() as u64);
                }
            }
            Data::Utf16(length, kept, _) => {
                string(own, Some(length), text);
                if kept != length {
                    key(rest, b"\"kept\":");
                    push_uint(rest, kept);
                }
            }
            Data::Length(length) if subtype == NodeType::Array => {
                own.extend_from_slice(b"\"length\":");
                push_uint(own, length);
            }
            Data::Length(length) => {
                key(rest, b"\"length\":");
                push_uint(rest, length);
            }
            Data::Name(name) => match subtype {
                NodeType::String => {
                    let bytes = window.bytes(name);
                    let length = resaved_length(bytes);
                    string(own, length, text);
                    if length.is_none() && was_cut(bytes) {
                        key(rest, b"\"kept\":");
                        push_uint(rest, KEPT);
                    }
                }
                NodeType::Function => {
                    own.extend_from_slice(b"\"name\":");
                    push_int(own, text.unwrap_or_default());
                }
                _ => {}
            },
        }
        if hash != 0 {
            key(rest, b"\"hash\":");
            push_uint(rest, hash);
        }
        if !rest.is_empty() {
            rest.push(b'}');
        }
    }

    /// The function of a closure, as the draft has it.
    fn closure(&mut self, window: &mut Window, slot: u32, references: u64) -> Result<(), Fault> {
        let slots: [u64; 8] = window.peek(references)?;
        if let Some(&function) = slots.get(slot as usize)
            && (1..=self.scan.objects).contains(&function)
        {
            self.own.extend_from_slice(b"\"metadata\":");
            push_int(&mut self.own, index_id(function));
        }
        Ok(())
    }
}

/// The value of an integer object. Which of two encodings it has depends on the class.
fn integer(raw: u64, signed: i64, kind: Kind, scan: &Scan) -> i64 {
    match kind {
        Kind::Mint if !scan.resaved => signed,
        Kind::Smi if scan.narrow => u32::try_from(raw).map_or(raw as i64, |word| i64::from(word as i32)),
        _ => raw as i64,
    }
}

fn string(own: &mut Vec<u8>, length: Option<u64>, text: Option<StringId>) {
    if let Some(length) = length {
        own.extend_from_slice(b"\"length\":");
        push_uint(own, length);
    }
    if let Some(text) = text {
        if length.is_some() {
            own.push(b',');
        }
        own.extend_from_slice(b"\"data\":");
        push_int(own, text);
    }
}

/// Length in UTF-16 units of UTF-8 text.
fn utf16_length(bytes: &[u8]) -> u64 {
    bytes.iter().map(|&b| u64::from(b & 0xc0 != 0x80) + u64::from(b >= 0xf0)).sum()
}

/// A re-saved string had more than 128 units if it now has 128 and three points: no string of 131 units that
/// ends so can be in such a file uncut.
fn was_cut(bytes: &[u8]) -> bool {
    bytes.ends_with(b"...") && utf16_length(bytes) == KEPT + 3
}

/// The length of the string that was re-saved as this, unless it was cut.
fn resaved_length(bytes: &[u8]) -> Option<u64> {
    (!was_cut(bytes)).then(|| utf16_length(bytes))
}
