//! The third pass: every reference of every object becomes an edge, in the order of the slots.

use heap_base::{Members, Result};
use heap_record::{Edge, Sink, StringId, Value, index_id, index_string};

use crate::classes::{Class, Classes, Kind, Role, Slot};
use crate::declare::EdgeType;
use crate::header::Header;
use crate::scan::Scan;
use crate::source::Source;
use crate::window::Window;

/// How many references are read between two looks at the window.
const STEP: u64 = 256;

/// Beyond this a number cannot be an identifier.
const MAX_OBJECT: u64 = 1 << 62;

/// Delivers the edges of all objects that stand whole.
pub(crate) fn edges(source: &Source, header: &Header, scan: &Scan, sink: &mut dyn Sink) -> Result {
    let mut window = Window::new(source, header.objects_at);
    let mut maker = Maker { sink, smis: scan.smis, rest: Members::new() };
    let nothing = Class::default();
    for index in 1..=scan.objects {
        let what = || format!("object {index}");
        let object = window.object().map_err(|fault| window.error(fault, &what()))?;
        if object.references == 0 {
            continue;
        }
        let class = header.classes.get(object.class).unwrap_or(&nothing);
        let key = if class.kind == Kind::WeakProperty {
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
            for index_of in at..end {
                let target = window.reference().map_err(|fault| window.error(fault, &what()))?;
                let slot = slots.next_if(|slot| u64::from(slot.index) == index_of);
                maker.edge(index_id(index), class, index_of, slot, target, key)?;
            }
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

struct Maker<'a> {
    sink: &'a mut dyn Sink,
    smis: bool,
    rest: Members,
}

impl Maker<'_> {
    #[inline]
    fn edge(
        &mut self,
        source: Value,
        class: &Class,
        index: u64,
        slot: Option<&Slot>,
        target: u64,
        key: Option<Value>,
    ) -> Result {
        let subtype = match slot {
            Some(Slot { role: Role::Field | Role::Function, label: Some(_), .. }) => EdgeType::Field,
            Some(Slot { role: Role::Weak | Role::Key, .. }) => EdgeType::Weak,
            Some(Slot { role: Role::Value, .. }) => EdgeType::Ephemeron,
            _ if class.elements.is_some_and(|first| index >= u64::from(first)) => EdgeType::Element,
            _ => EdgeType::Reference,
        };
        let label = slot.and_then(|slot| slot.label).map(StringId::from).or_else(|| {
            let first = if subtype == EdgeType::Element { class.elements.unwrap_or(0) } else { 0 };
            u32::try_from(index - u64::from(first)).ok().map(index_string)
        });
        let mut edge = Edge { subtype: subtype as u32, source, label, ..Edge::default() };
        if (1..MAX_OBJECT).contains(&target) {
            edge.dest = Some(index_id(target));
            if subtype != EdgeType::Ephemeron {
                return self.sink.edge(&edge);
            }
        }
        self.odd(edge, subtype, slot.is_some_and(|slot| slot.label.is_some()), target, key)
    }

    /// An edge that needs more than a target.
    #[cold]
    fn odd(
        &mut self,
        edge: Edge<'_>,
        subtype: EdgeType,
        named: bool,
        target: u64,
        key: Option<Value>,
    ) -> Result {
        self.rest.clear();
        if let (EdgeType::Ephemeron, Some(key)) = (subtype, key) {
            self.rest.open("heap").int("key", key).close();
        }
        if target == 0 && named && self.smis {
            // Where small integers are objects, a named slot without a target holds an unboxed number.
            self.rest.open("dart").boolean("unboxed", true).close();
        }
        if target >= MAX_OBJECT {
            self.rest.open("dart").uint("reference", target).close();
        }
        self.sink.edge(&Edge { rest: self.rest.as_bytes(), ..edge })
    }
}
