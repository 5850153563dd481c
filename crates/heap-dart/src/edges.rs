//! The third pass: every reference of every object becomes an edge, in the order of the slots.
//!
//! An object's number names its node by index as well as by identifier. Edges that need more than a label and an
//! object that is there, of ephemerons, without a target or beyond the last object, go by identifier.

use heap_base::{BitSet, Members, Result};
use heap_record::{
    Data, Edge, EdgeBatch, Ends, PlainEdge, Sink, Str, StringId, Value, Wants, index_id, index_string, wants,
};

use crate::classes::{Class, Classes, Kind, Role, Slot};
use crate::declare::EdgeType;
use crate::header::Header;
use crate::scan::Scan;
use crate::source::Source;
use crate::window::Window;

/// References read between two checks of the window, and most edges in a batch.
const STEP: u64 = 256;

/// Beyond this a number cannot be an identifier.
const MAX_OBJECT: u64 = 1 << 62;

/// Emits the edges of all intact objects.
pub(crate) fn edges(
    source: &Source,
    header: &Header,
    scan: &Scan,
    wants: Wants,
    sink: &mut dyn Sink,
) -> Result {
    let mut window = Window::new(source, header.objects_at);
    let mut emitter = Emitter::new(scan, wants, sink);
    let nothing = Class::default();
    for number in 1..=scan.objects {
        let what = || format!("object {number}");
        let object = window.object().map_err(|fault| window.error(fault, &what()))?;
        if object.references == 0 {
            continue;
        }
        let class = header.classes.get(object.class).unwrap_or(&nothing);
        emitter.key = if class.kind == Kind::WeakProperty {
            let slots: [u64; 8] = window.peek(object.references).map_err(|f| window.error(f, &what()))?;
            key(&header.classes, class, slots)
        } else {
            None
        };
        let mut slots = header.classes.slots(class).iter().peekable();
        let mut at = 0;
        while at < object.references {
            window.near().map_err(|fault| window.error(fault, &what()))?;
            let end = object.references.min(at + STEP);
            for index in at..end {
                let target = window.reference().map_err(|fault| window.error(fault, &what()))?;
                let slot = slots.next_if(|slot| u64::from(slot.index) == index);
                emitter.edge(number, class, index, slot, target)?;
            }
            emitter.flush(number)?;
            at = end;
        }
    }
    Ok(())
}

/// The key of an ephemeron.
fn key(classes: &Classes, class: &Class, slots: [u64; 8]) -> Option<Value> {
    let slot = classes.slots(class).iter().find(|slot| slot.role == Role::Key)?;
    let key = *slots.get(slot.index as usize)?;
    (1..MAX_OBJECT).contains(&key).then(|| index_id(key))
}

/// The subtype of a reference.
#[inline]
fn subtype(class: &Class, index: u64, slot: Option<&Slot>) -> EdgeType {
    match slot {
        Some(Slot { role: Role::Field | Role::Function, label: Some(_), .. }) => EdgeType::Field,
        Some(Slot { role: Role::Weak | Role::Key, .. }) => EdgeType::Weak,
        Some(Slot { role: Role::Value, .. }) => EdgeType::Ephemeron,
        _ if class.elements.is_some_and(|first| index >= u64::from(first)) => EdgeType::Element,
        _ => EdgeType::Reference,
    }
}

/// How an edge names an object.
#[inline]
fn value(ends: Ends, object: u64) -> Value {
    match ends {
        Ends::Identifiers => index_id(object),
        Ends::Indexes => object as Value - 1,
    }
}

/// Emits edges, and strings of array indexes before their first use.
struct Emitter<'a> {
    sink: &'a mut dyn Sink,
    /// How edges name the objects that are there.
    ends: Ends,
    /// How many objects are there.
    objects: u64,
    /// Whether small integers are objects.
    smis: bool,
    /// The key of the object in work, if it is an ephemeron.
    key: Option<Value>,
    /// Whether the sink wants strings.
    strings: bool,
    /// Array indexes whose string was emitted. As long as the largest object has references.
    indexes: BitSet,
    /// Plain edges of one object that were not emitted yet.
    edges: Vec<PlainEdge>,
    rest: Members,
}

impl<'a> Emitter<'a> {
    fn new(scan: &Scan, wants: Wants, sink: &'a mut dyn Sink) -> Self {
        // Objects that are added up have no index.
        let by_index = wants.edges == wants::Edges::ByIndex
            && wants.sums().is_none()
            && u32::try_from(scan.objects).is_ok();
        Self {
            sink,
            ends: if by_index { Ends::Indexes } else { Ends::Identifiers },
            objects: scan.objects,
            smis: scan.smis,
            key: None,
            strings: wants.any_strings(),
            indexes: BitSet::default(),
            edges: Vec::new(),
            rest: Members::new(),
        }
    }

    /// Takes reference `index` of an object.
    #[inline]
    fn edge(&mut self, object: u64, class: &Class, index: u64, slot: Option<&Slot>, target: u64) -> Result {
        let subtype = subtype(class, index, slot);
        let known = (1..=self.objects).contains(&target);
        let plain = known && subtype != EdgeType::Ephemeron;
        let ends = if plain { self.ends } else { Ends::Identifiers };
        let name = slot.and_then(|slot| slot.label);
        let label = if let Some(name) = name {
            Some(StringId::from(name))
        } else {
            let first = if subtype == EdgeType::Element { class.elements.unwrap_or(0) } else { 0 };
            self.index_label(object, ends, index - u64::from(first))?
        };
        let subtype_id = subtype as u32;
        if let (Some(label), true) = (label, plain) {
            self.edges.push(PlainEdge { subtype: subtype_id, dest: value(ends, target), label });
            return Ok(());
        }
        self.flush(object)?;
        let dest = (1..MAX_OBJECT).contains(&target).then(|| index_id(target));
        let edge = Edge { subtype: subtype_id, source: index_id(object), dest, label, ..Edge::default() };
        self.single(edge, subtype, name.is_some(), target)
    }

    /// The label of an array index.
    #[inline]
    fn index_label(&mut self, object: u64, ends: Ends, index: u64) -> Result<Option<StringId>> {
        let Ok(index) = u32::try_from(index) else { return Ok(None) };
        if ends == Ends::Identifiers && self.strings && self.indexes.insert(index) {
            self.flush(object)?;
            self.index_string(index)?;
        }
        Ok(Some(index_string(index)))
    }

    #[cold]
    fn index_string(&mut self, index: u32) -> Result {
        let text = index.to_string();
        self.sink.string(&Str { id: index_string(index), data: Data::Plain(&text), ..Str::default() })
    }

    /// Emits the plain edges that wait, all of one object.
    #[inline]
    fn flush(&mut self, object: u64) -> Result {
        if !self.edges.is_empty() {
            self.sink.edges(&EdgeBatch::plain(self.ends, value(self.ends, object), &self.edges))?;
            self.edges.clear();
        }
        Ok(())
    }

    /// Emits an edge that is not plain.
    #[cold]
    fn single(&mut self, edge: Edge<'_>, subtype: EdgeType, named: bool, target: u64) -> Result {
        self.rest.clear();
        if let (EdgeType::Ephemeron, Some(key)) = (subtype, self.key) {
            self.rest.open("heap").int("key", key).close();
        }
        if target == 0 && named && self.smis {
            // Where small integers are objects, a named slot without a target holds an unboxed number.
            self.rest.open("dart").boolean("unboxed", true).close();
        }
        if target >= MAX_OBJECT {
            self.rest.open("dart").uint("reference", target).close();
        }
        self.sink.edges(&EdgeBatch::one(&Edge { rest: self.rest.as_bytes(), ..edge }))
    }
}
