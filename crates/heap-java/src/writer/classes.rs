//! The classes of the file: those of the input, and those that are made for nodes without one.
//!
//! A class of the input whose fields `java.field` records declare is written as it was. Any other gets a field for each
//! label that at least half of its objects have, and padding, so that the rules of layout give its objects their size.

use std::rc::Rc;

use heap_base::{Map, Result, sort_by_key};
use heap_record::{StringId, Types};
use heap_spool::Texts;

use super::FieldRecord;
use crate::hprof::{Release, injected};
use crate::layout::{Kind, Layout};
use crate::text::class_name;

/// No class.
pub(super) const NONE: u32 = u32::MAX;
/// Labels counted; what comes later is no field.
const MAX_LABELS: usize = 1 << 20;
/// Fields that are made for a class, and longs that pad it.
const MAX_FIELDS: usize = 1 << 10;
const MAX_PADS: u64 = 1 << 12;
/// The longest body of an instance; no class file comes near it.
const MAX_BODY: u64 = 1 << 20;
/// Where made classes begin in a heap without addresses.
const FIRST_CLASS: u64 = 0x1000_0000;
/// Bytes of a class object, if `java.lang.Class` has no fields but those that HotSpot adds.
pub(super) const CLASS_BYTES: u64 = 48;

/// A field: its label, or a name of our own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    Text(StringId),
    Own(Made),
}

/// Names of fields that made classes have beside those of labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Made {
    Name,
    Elements,
    More,
    Rest,
    Padding,
    Value,
    Coder,
}

impl Made {
    pub(super) const fn text(self) -> &'static str {
        match self {
            Self::Name => "<name>",
            Self::Elements => "<elements>",
            Self::More => "<more>",
            Self::Rest => "<rest>",
            Self::Padding => "<padding>",
            Self::Value => "value",
            Self::Coder => "coder",
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub(super) label: Label,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Static {
    pub(super) label: Label,
    pub(super) kind: Kind,
    /// An identifier, or bits.
    pub(super) value: u64,
    /// Whether a primitive has its value.
    pub(super) filled: bool,
}

/// A class of the file.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "what was seen of its objects")]
pub(super) struct Class {
    pub(super) id: u64,
    /// Serial number of the trace of its allocation.
    pub(super) trace: u32,
    /// Its name as machines write it.
    pub(super) machine: Rc<str>,
    pub(super) superclass: u64,
    pub(super) loader: u64,
    pub(super) signers: u64,
    pub(super) domain: u64,
    pub(super) instance_size: Option<u32>,
    /// Whether the input declares its fields.
    pub(super) declared: bool,
    pub(super) fields: Vec<Field>,
    pub(super) statics: Vec<Static>,
    pub(super) constants: Vec<(u16, u64)>,
    /// Its objects: how many, and the least and greatest size.
    pub(super) count: u64,
    pub(super) sizes: Option<(u64, u64)>,
    /// Whether some of them have names, elements, edges that are no fields.
    pub(super) named: bool,
    pub(super) elements: bool,
    pub(super) more: bool,
    /// Whether they are strings with contents.
    pub(super) text: bool,
    /// Bytes of an instance under the layout of made classes.
    pub(super) bytes: u64,
}

impl Class {
    /// Takes in declarations of fields.
    pub(super) fn declare(&mut self, fields: &[FieldRecord]) {
        let statics = fields.iter().filter(|field| field.is_static).count();
        if self.fields.is_empty() && self.statics.is_empty() {
            self.fields.reserve_exact(fields.len() - statics);
            self.statics.reserve_exact(statics);
        }
        for &FieldRecord { label, kind, is_static, .. } in fields {
            let label = Label::Text(label);
            if is_static && self.statics.len() < usize::from(u16::MAX) {
                self.statics.push(Static { label, kind, value: 0, filled: false });
            } else if !is_static && self.fields.len() < usize::from(u16::MAX) {
                self.fields.push(Field { label, kind });
            }
        }
    }

    /// Takes in the size of an object.
    pub(super) fn add(&mut self, size: u64) {
        self.count += 1;
        let (least, most) = self.sizes.unwrap_or((size, size));
        self.sizes = Some((least.min(size), most.max(size)));
    }
}

/// All classes.
#[derive(Debug, Default)]
pub(super) struct Classes {
    pub(super) list: Vec<Class>,
    by_id: Map<u64, u32>,
    by_name: Map<Rc<str>, u32>,
}

impl Classes {
    /// Adds a class that the input has.
    pub(super) fn add(&mut self, class: Class) -> u32 {
        let number = self.list.len() as u32;
        self.by_id.entry(class.id).or_insert(number);
        self.by_name.entry(Rc::clone(&class.machine)).or_insert(number);
        self.list.push(class);
        number
    }

    /// Lets a class be found by another name too. Nodes of a hidden class have its name without the address.
    pub(super) fn call(&mut self, number: u32, machine: &str) {
        self.by_name.entry(machine.into()).or_insert(number);
    }

    /// The class with this address.
    pub(super) fn find(&self, id: u64) -> Option<u32> {
        self.by_id.get(&id).copied()
    }

    /// The class with this name; it is made if there is none.
    pub(super) fn named(&mut self, machine: &str) -> u32 {
        match self.by_name.get(machine) {
            Some(&number) => number,
            None => self.add(Class { machine: machine.into(), ..Class::default() }),
        }
    }

    /// The class with this name, if there is one.
    pub(super) fn known(&self, machine: &str) -> Option<u32> {
        self.by_name.get(machine).copied()
    }

    /// Gives addresses to classes that have none: from `first` on. Returns where they end.
    pub(super) fn place(&mut self, first: Option<u64>) -> u64 {
        let mut next = first.unwrap_or(FIRST_CLASS);
        for (number, class) in (0..).zip(&mut self.list) {
            if class.id == 0 {
                class.id = next;
                self.by_id.insert(next, number);
                next += CLASS_BYTES;
            }
        }
        next
    }

    /// Forgets the addresses and names of classes, but for the names that objects are made of.
    pub(super) fn forget(&mut self) {
        self.by_id = Map::default();
        self.by_name.retain(|name, _| [NAME, OBJECTS, STRING].contains(&&**name));
        self.by_name.shrink_to_fit();
    }

    /// The class with this number.
    pub(super) fn get(&self, number: u32) -> Option<&Class> {
        self.list.get(number as usize)
    }

    /// Makes the fields of classes that have none, of the labels that edges have.
    pub(super) fn make_fields(&mut self, labels: Labels, layout: Layout) {
        let mut sorted: Vec<_> = labels.counts.into_iter().collect();
        sort_by_key(&mut sorted, |&(_, count)| count.order);
        for ((number, label), count) in sorted {
            let Some(class) = self.list.get_mut(number as usize).filter(|class| !class.declared) else {
                continue;
            };
            // Fields without names are places: all objects have room for them.
            let least = class.sizes.map_or(0, |sizes| sizes.0);
            let end =
                u64::from(layout.header) + u64::from(layout.reference) * (class.fields.len() as u64 + 1);
            let usual = count.nodes.saturating_mul(2) >= class.count || label < 0 && end <= least;
            if usual && class.fields.len() < MAX_FIELDS {
                class.fields.push(Field { label: Label::Text(label), kind: Kind::Object });
            } else {
                class.more = true;
            }
            class.more |= count.twice;
        }
        let reference = u64::from(layout.reference);
        for class in self.list.iter_mut().filter(|class| !class.declared) {
            let own = [(class.named, Made::Name), (class.elements, Made::Elements), (class.more, Made::More)];
            for (_, name) in own.into_iter().filter(|(there, _)| *there) {
                class.fields.push(Field { label: Label::Own(name), kind: Kind::Object });
            }
            let is_string = &*class.machine == STRING && (class.text || class.count == 0);
            if is_string {
                class.fields.push(Field { label: Label::Own(Made::Value), kind: Kind::Object });
                class.fields.push(Field { label: Label::Own(Made::Coder), kind: Kind::Byte });
            }
            let bytes = |references: usize, rest: u64| {
                layout.aligned(u64::from(layout.header) + references as u64 * reference + rest)
            };
            let added = injected(&class_name(&class.machine).name, Release::default(), |_| false).packing(8);
            let added = (0..4).map(|power| u64::from(added.primitives[power]) << power).sum::<u64>()
                + u64::from(added.references) * reference;
            let rest = added + u64::from(is_string);
            let (least, most) = class.sizes.unwrap_or_default();
            let references = class.fields.len() - usize::from(is_string);
            let mut size = bytes(references, rest);
            // What larger objects have beyond the smallest is an array behind them.
            if most.saturating_sub(least.max(size)) >= layout.array_base(1) + 8 && !is_string {
                class.fields.push(Field { label: Label::Own(Made::Rest), kind: Kind::Object });
                size = bytes(references + 1, rest);
            }
            // Longs are aligned, and references fill the gap before them.
            let pads = (least.saturating_sub(size) / 8).min(MAX_PADS);
            let padding = Field { label: Label::Own(Made::Padding), kind: Kind::Long };
            class.fields.extend((0..pads).map(|_| padding));
            size += pads * 8;
            class.bytes = size;
        }
    }

    /// Gives each class that is made the nearest class above it that adds nothing to its objects, else `object`: a made class
    /// has all fields of its objects itself. Returns how many superclasses are passed over.
    pub(super) fn keep_bare_superclasses(&mut self, object: u64) -> u64 {
        // By class: itself if it is bare, else the nearest bare class above it; NEW until that is known.
        const NEW: u32 = u32::MAX - 1;
        let mut bare = vec![NEW; self.list.len()];
        let mut path = Vec::new();
        for first in 0..self.list.len() as u32 {
            let mut next = first;
            // Upwards to what is known. A class of a cycle counts as one without a superclass.
            while let Some(slot) = bare.get_mut(next as usize).filter(|slot| **slot == NEW) {
                *slot = NONE;
                path.push(next);
                next = self.find(self.list[next as usize].superclass).unwrap_or(NONE);
            }
            while let Some(number) = path.pop() {
                let class = &self.list[number as usize];
                let above = self.find(class.superclass).filter(|_| class.superclass != 0);
                let known = above.map_or(NONE, |above| bare[above as usize]);
                let adds = class.declared
                    || !class.fields.is_empty()
                    || !injected(&class_name(&class.machine).name, Release::default(), |_| false).is_empty();
                let rests = class.id == object || above.is_some_and(|above| known == above);
                bare[number as usize] = if rests && !adds { number } else { known };
            }
        }
        let kept: Vec<u64> = (self.list.iter())
            .map(|class| {
                let above = self.find(class.superclass).filter(|_| class.superclass != 0);
                let above = above.and_then(|above| self.list.get(bare[above as usize] as usize));
                above.map_or(object, |above| above.id)
            })
            .collect();
        let mut lost = 0;
        for (class, kept) in self.list.iter_mut().zip(kept) {
            if !class.declared && class.id != object {
                lost += u64::from(class.superclass != 0 && class.superclass != kept);
                class.superclass = kept;
            }
        }
        lost
    }

    /// For each class the nearest one above it that declares fields, or [`NONE`].
    pub(super) fn above(&self) -> Vec<u32> {
        const OPEN: u32 = u32::MAX - 1;
        const NEW: u32 = u32::MAX - 2;
        let mut above = vec![NEW; self.list.len()];
        let mut path = Vec::new();
        for first in 0..self.list.len() as u32 {
            let mut next = first;
            // Upwards to what is known, or to a class of the path, which is a cycle.
            let mut found = loop {
                match above.get(next as usize).copied() {
                    None | Some(OPEN) => break NONE,
                    Some(NEW) => {}
                    Some(known) => break self.fields_from(next, known),
                }
                above[next as usize] = OPEN;
                path.push(next);
                let class = &self.list[next as usize];
                next = if class.superclass == 0 { NONE } else { self.find(class.superclass).unwrap_or(NONE) };
            };
            while let Some(number) = path.pop() {
                above[number as usize] = found;
                found = self.fields_from(number, found);
            }
        }
        above
    }

    /// A class if it declares fields, else the one above it that does.
    fn fields_from(&self, number: u32, above: u32) -> u32 {
        let own = self.get(number).is_some_and(|class| !class.fields.is_empty());
        if own { number } else { above }
    }
}

/// The class of texts that are made for names and labels: strings, but a row of their own in histograms.
pub(super) const NAME: &str = "(name)";
/// The class of arrays that are made.
pub(super) const OBJECTS: &str = "[Ljava/lang/Object;";
/// The class of strings.
pub(super) const STRING: &str = "java/lang/String";

/// How many nodes of a class have edges with a label.
#[derive(Debug, Default)]
pub(super) struct Labels {
    counts: Map<(u32, StringId), Count>,
}

#[derive(Clone, Copy, Debug)]
struct Count {
    nodes: u64,
    last: u32,
    /// Whether a node has two such edges.
    twice: bool,
    order: usize,
}

impl Labels {
    /// Counts an edge of a node.
    pub(super) fn add(&mut self, class: u32, label: StringId, node: u32) {
        let order = self.counts.len();
        let key = (class, label);
        if order < MAX_LABELS || self.counts.contains_key(&key) {
            let count = self.counts.entry(key).or_insert(Count { nodes: 0, last: NONE, twice: false, order });
            if count.last == node {
                count.twice = true;
            } else {
                (count.nodes, count.last) = (count.nodes + 1, node);
            }
        }
    }
}

/// Where the fields of a class's instances stand in their bodies.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) body: u32,
    /// Offsets of references by label; several if superclasses have a field of that name.
    references: Map<Box<str>, Vec<u32>>,
    /// Offsets and types of primitives, likewise.
    primitives: Map<Box<str>, Vec<(u32, Kind)>>,
    /// Offsets of what the writer fills itself.
    pub(super) coder: Option<u32>,
    pub(super) capacity: Option<u32>,
    pub(super) own: Own,
}

/// Offsets of the fields that a made class has beside those of labels, and of `value`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Own {
    pub(super) name: Option<u32>,
    pub(super) elements: Option<u32>,
    pub(super) more: Option<u32>,
    pub(super) rest: Option<u32>,
    pub(super) value: Option<u32>,
}

impl Plan {
    /// The plan of a class.
    ///
    /// # Errors
    /// A spool cannot be read.
    pub(super) fn new(
        classes: &Classes,
        above: &[u32],
        number: u32,
        id_size: usize,
        texts: &mut Texts,
    ) -> Result<Self> {
        let mut plan = Self::default();
        let mut body = 0;
        let mut seen = std::collections::HashSet::new();
        let mut next = if classes.get(number).is_some_and(|class| !class.fields.is_empty()) {
            number
        } else {
            above.get(number as usize).copied().unwrap_or(NONE)
        };
        while let Some(class) = classes.get(next) {
            for field in &class.fields {
                if body > MAX_BODY {
                    break;
                }
                let offset = body as u32;
                body += field.kind.bytes_in(id_size) as u64;
                let name = name(field.label, texts)?;
                let hidden = !seen.insert(name.clone());
                match field.kind {
                    Kind::Byte if &*name == "coder" && !hidden => plan.coder = Some(offset),
                    Kind::Int if &*name == "capacity" && !hidden => plan.capacity = Some(offset),
                    _ => {}
                }
                let label = if hidden {
                    let simple = class.machine.rsplit('/').next().unwrap_or_default();
                    format!("{simple}.{name}").into()
                } else {
                    name
                };
                if field.kind == Kind::Object {
                    plan.references.entry(label).or_default().push(offset);
                } else {
                    plan.primitives.entry(label).or_default().push((offset, field.kind));
                }
            }
            next = above.get(next as usize).copied().unwrap_or(NONE);
        }
        plan.body = body as u32;
        let at = |name: &str| plan.offsets(name).first().copied();
        plan.own = Own { value: at("value"), ..Own::default() };
        if classes.get(number).is_some_and(|class| !class.declared) {
            let at = |name: Made| plan.offsets(name.text()).first().copied();
            let (name, elements) = (at(Made::Name), at(Made::Elements));
            plan.own = Own { name, elements, more: at(Made::More), rest: at(Made::Rest), ..plan.own };
        }
        Ok(plan)
    }

    /// Where primitives with this label stand, and their types.
    pub(super) fn primitives(&self, label: &str) -> &[(u32, Kind)] {
        self.primitives.get(label).map_or(&[], Vec::as_slice)
    }

    /// Where references with this label stand.
    pub(super) fn offsets(&self, label: &str) -> &[u32] {
        self.references.get(label).map_or(&[], Vec::as_slice)
    }
}

/// The text of a label.
pub(super) fn name(label: Label, texts: &mut Texts) -> Result<Box<str>> {
    Ok(match label {
        Label::Own(name) => name.text().into(),
        Label::Text(id) => text(id, texts)?.into(),
    })
}

/// A text of the stream; what has no record is named by its number.
pub(super) fn text(id: StringId, texts: &mut Texts) -> Result<String> {
    Ok(match texts.get(id)? {
        Some(text) => String::from_utf8_lossy(&text.utf8()).into_owned(),
        None => format!("<string {id}>"),
    })
}

/// The machine's name of a class with this name: `java.lang.String[]` is `[Ljava/lang/String;`.
pub(super) fn machine_name(name: &str, hidden: Option<&str>) -> String {
    let element = name.trim_end_matches("[]");
    let dimensions = (name.len() - element.len()) / 2;
    let mut machine = element.replace('.', "/");
    if let Some(hidden) = hidden {
        machine.push('+');
        machine.push_str(hidden);
    }
    if dimensions == 0 {
        return machine;
    }
    let primitive = Kind::PRIMITIVES.into_iter().find(|kind| kind.name() == element && hidden.is_none());
    let mut out = "[".repeat(dimensions);
    if let Some(kind) = primitive {
        out.push(char::from(kind.letter()));
    } else {
        out.push('L');
        out.push_str(&machine);
        out.push(';');
    }
    out
}

/// The name of the class for nodes of another source.
pub(super) fn made_name(class: Option<String>, subtype: u32, types: &Types) -> String {
    let name = class.unwrap_or_else(|| format!("({})", types.node_name(subtype)));
    // A bracket in front would make it an array.
    let name = name.replace('[', "(").replace(']', ")");
    if name.is_empty() { "(empty)".to_owned() } else { name.replace('.', "/") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::class_name;

    #[test]
    fn made_classes_keep_superclasses_that_add_nothing() {
        let mut classes = Classes::default();
        let field = Field { label: Label::Own(Made::More), kind: Kind::Object };
        // Object; an abstract class below it, one with a field below that, one below that; a loader; a cycle of two.
        let list = [
            (16, 0, 0, "java/lang/Object"),
            (32, 16, 0, "a/Bare"),
            (48, 32, 1, "a/Full"),
            (64, 48, 0, "a/Last"),
            (80, 16, 0, "java/lang/ClassLoader"),
            (96, 80, 0, "a/Loader"),
            (112, 128, 0, "a/Ring"),
            (128, 112, 0, "a/Round"),
        ];
        for (id, superclass, fields, machine) in list {
            let (machine, fields) = (Rc::from(machine), vec![field; fields]);
            classes.add(Class { id, machine, superclass, fields, ..Class::default() });
        }
        // Passed over: `Full` above `Last`, the loader, and two of the ring.
        assert_eq!(classes.keep_bare_superclasses(16), 4);
        let superclasses: Vec<u64> = classes.list.iter().map(|class| class.superclass).collect();
        assert_eq!(superclasses, [0, 16, 32, 32, 16, 16, 16, 16]);
    }

    #[test]
    fn machine_names_read_back() {
        let names = ["java.util.HashMap$Node", "byte[]", "long[][]", "java.lang.String[][]", "B", "[]"];
        for name in names {
            assert_eq!(class_name(&machine_name(name, None)).name, name);
        }
        let hidden = class_name(&machine_name("a.B$$Lambda[]", Some("0x1f")));
        assert_eq!((&hidden.name[..], hidden.hidden.as_deref()), ("a.B$$Lambda[]", Some("0x1f")));
    }

    #[test]
    fn fields_above_are_found_across_empty_classes_and_cycles() {
        let mut classes = Classes::default();
        let field = Field { label: Label::Own(Made::Name), kind: Kind::Int };
        for (id, superclass, fields) in [(16, 0, 1), (32, 16, 0), (48, 32, 1), (64, 80, 0), (80, 64, 0)] {
            let fields = vec![field; fields];
            let machine = format!("C{id}").into();
            classes.add(Class { id, superclass, fields, machine, declared: true, ..Class::default() });
        }
        assert_eq!(classes.above(), [NONE, 0, 0, NONE, NONE]);
    }
}
