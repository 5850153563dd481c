//! Types of objects, and what is summed up of each.

use std::rc::Rc;
use std::sync::Arc;

use heap_base::{Map, Members};
use heap_record::{StringId, Value};

use super::{Entry, What};
use crate::emit::NodeType;
use crate::layout::{Kind, Layout};
use crate::strings::Strings;
use crate::text::{class_name, modified_utf8};

/// A type.
#[derive(Clone, Debug, Default)]
struct Type {
    name: StringId,
    /// Name in the machine's form, if it is known.
    machine: Option<Rc<[u8]>>,
    /// Address of the class object, 0 if the file has none.
    address: u64,
    superclass: u64,
    /// Address of the loader, where a javacore says it and it is not that of the machine.
    loader: u64,
    /// Bytes of an instance, where the class says them.
    instance: u64,
    /// Arrays whose elements are of the type with this number.
    element: Option<u32>,
    /// The type of arrays of this one.
    array: Option<u32>,
    /// Address of the class object of such arrays, once all types are known; 0 if the file has none.
    class: u64,
    objects: Sum,
    arrays: Sum,
}

/// A sum of objects.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    pub(super) subtype: Subtype,
    pub(super) first: u64,
    pub(super) count: u64,
    pub(super) size: u64,
    /// Objects whose size only the class says.
    unsized_count: u64,
}

/// A node subtype that has a default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Subtype(NodeType);

impl Default for Subtype {
    fn default() -> Self {
        Self(NodeType::Instance)
    }
}

/// All types of a file.
#[derive(Debug, Default)]
pub(super) struct Types {
    list: Vec<Type>,
    by_name: Map<Rc<[u8]>, u32>,
    by_address: Map<u64, u32>,
    /// Types that were asked for by name or address, by some bits of that: most objects are of few types.
    recent_names: Recent,
    recent_addresses: Recent,
    /// Address of the class object of class objects, once all types are known; 0 if the file has none.
    class_class: u64,
    classes: Sum,
    strings: Strings,
    pub(super) class_name: StringId,
    pub(super) class_label: StringId,
    pub(super) loader_label: StringId,
    pub(super) super_label: StringId,
}

/// Numbers of types, each by some bits of its key.
#[derive(Debug)]
struct Recent([u32; Self::SLOTS]);

impl Default for Recent {
    fn default() -> Self {
        Self([u32::MAX; Self::SLOTS])
    }
}

impl Recent {
    const SLOTS: usize = 512;

    #[inline]
    fn slot(&mut self, key: u64) -> &mut u32 {
        &mut self.0[(key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 55) as usize % Self::SLOTS]
    }

    /// A name as a key.
    #[inline]
    fn key(name: &[u8]) -> u64 {
        let (first, last) = (name.first_chunk().copied(), name.last_chunk().copied());
        match (first, last) {
            (Some(first), Some(last)) => {
                name.len() as u64 ^ u64::from_le_bytes(first).rotate_left(8) ^ u64::from_le_bytes(last)
            }
            _ => name.iter().fold(0, |key, &byte| key << 8 | u64::from(byte)),
        }
    }
}

impl Types {
    /// The type that is called so by the machine: `java/lang/String`, `[B`.
    #[inline]
    pub(super) fn named(&mut self, machine: &[u8]) -> u32 {
        let slot = self.recent_names.slot(Recent::key(machine));
        match self.list.get(*slot as usize) {
            Some(known) if known.machine.as_deref() == Some(machine) => *slot,
            _ => self.find_named(machine),
        }
    }

    #[cold]
    fn find_named(&mut self, machine: &[u8]) -> u32 {
        let number = self.by_name.get(machine).copied().unwrap_or_else(|| {
            let machine: Rc<[u8]> = machine.into();
            let number = self.list.len() as u32;
            let named = Some(Rc::clone(&machine));
            self.list.push(Type { machine: named, ..Type::default() });
            self.by_name.insert(machine, number);
            number
        });
        *self.recent_names.slot(Recent::key(machine)) = number;
        number
    }

    /// The type whose class object has this address.
    #[inline]
    pub(super) fn at(&mut self, address: u64) -> u32 {
        let slot = self.recent_addresses.slot(address);
        match self.list.get(*slot as usize) {
            Some(known) if known.address == address => *slot,
            _ => self.find_at(address),
        }
    }

    #[cold]
    fn find_at(&mut self, address: u64) -> u32 {
        let new = self.list.len() as u32;
        let number = *self.by_address.entry(address).or_insert(new);
        if number == new {
            self.list.push(Type { address, ..Type::default() });
        }
        *self.recent_addresses.slot(address) = number;
        number
    }

    /// The type of arrays whose elements are of type `element`.
    pub(super) fn array_of(&mut self, element: u32) -> u32 {
        let new = self.list.len() as u32;
        match self.list.get_mut(element as usize) {
            None => return element,
            Some(Type { array: Some(array), .. }) => return *array,
            Some(class) => class.array = Some(new),
        }
        self.list.push(Type { element: Some(element), ..Type::default() });
        new
    }

    /// What a class record says of a type.
    pub(super) fn define(
        &mut self,
        number: u32,
        machine: Option<&[u8]>,
        address: u64,
        superclass: u64,
        instance: u64,
    ) {
        let Some(class) = self.list.get_mut(number as usize) else { return };
        (class.address, class.superclass, class.instance) = (address, superclass, instance);
        if let Some(machine) = machine
            && class.machine.is_none()
        {
            let machine: Rc<[u8]> = machine.into();
            class.machine = Some(Rc::clone(&machine));
            self.by_name.entry(machine).or_insert(number);
        }
    }

    /// The address of the class object of a type, if it is known so far.
    pub(super) fn address(&self, number: u32) -> u64 {
        self.list.get(number as usize).map_or(0, |class| class.address)
    }

    /// Adds an entry to the sums.
    pub(super) fn count(&mut self, entry: &Entry) {
        let sum = match (entry.what, self.list.get_mut(entry.of as usize)) {
            (What::Class, _) => &mut self.classes,
            (_, None) => return,
            (What::Instance, Some(class)) => &mut class.objects,
            (What::Objects(_) | What::Primitives(_), Some(class)) => &mut class.arrays,
        };
        if sum.count == 0 {
            sum.first = entry.address;
            sum.subtype = Subtype(match entry.what {
                What::Instance => NodeType::Instance,
                What::Objects(_) => NodeType::ObjectArray,
                What::Primitives(_) => NodeType::PrimitiveArray,
                What::Class => NodeType::Class,
            });
        }
        sum.count += 1;
        match entry.size {
            Some(size) => sum.size = sum.size.saturating_add(size),
            None => sum.unsized_count += 1,
        }
    }

    /// Gives types their names once all are known.
    pub(super) fn resolve(&mut self) {
        self.class_name = self.strings.intern("java.lang.Class");
        for number in 0..self.list.len() {
            let name = self.text(number);
            self.list[number].name = self.strings.intern(&name);
        }
        for number in 0..self.list.len() as u32 {
            self.list[number as usize].class = self.array_class(number);
        }
        self.class_class = self.class_called(b"java/lang/Class");
        self.strings.end_classes();
        self.class_label = self.strings.intern("<class>");
        self.super_label = self.strings.intern("<super>");
        self.loader_label = self.strings.intern("<loader>");
    }

    /// The string id of a text that is no class of nodes. Call after [`resolve`](Self::resolve).
    pub(super) fn intern(&mut self, text: &str) -> StringId {
        self.strings.intern(text)
    }

    /// Numbers of all types.
    pub(super) fn numbers(&self) -> std::ops::Range<u32> {
        0..self.list.len() as u32
    }

    /// What the machine calls a type, if that is known.
    pub(super) fn machine(&self, number: u32) -> Option<&[u8]> {
        self.list.get(number as usize)?.machine.as_deref()
    }

    /// Says which loader a type is from.
    pub(super) fn set_loader(&mut self, number: u32, loader: u64) {
        if let Some(class) = self.list.get_mut(number as usize) {
            class.loader = loader;
        }
    }

    /// Address of the loader of a type; 0 if that is not known, and of the machine's own.
    #[inline]
    pub(super) fn loader(&self, number: u32) -> u64 {
        self.list.get(number as usize).map_or(0, |class| class.loader)
    }

    fn text(&self, number: usize) -> String {
        let (mut class, mut dimensions) = (&self.list[number], 0);
        // The elements of an array are of a type with a smaller number.
        while let Some(element) = class.element {
            dimensions += 1;
            class = &self.list[element as usize];
        }
        let mut name = match &class.machine {
            Some(machine) => class_name(&modified_utf8(machine)).name,
            None => format!("<unnamed class 0x{:x}>", class.address),
        };
        (0..dimensions).for_each(|_| name.push_str("[]"));
        name
    }

    /// String id of the name of a type.
    pub(super) fn name(&self, number: u32) -> StringId {
        self.list.get(number as usize).map_or(0, |class| class.name)
    }

    /// The subtype of instances of a type.
    pub(super) fn subtype(&self, number: u32) -> NodeType {
        let machine = self.list.get(number as usize).and_then(|class| class.machine.as_deref());
        if machine == Some(b"java/lang/String") { NodeType::String } else { NodeType::Instance }
    }

    /// Shallow bytes of an entry.
    pub(super) fn size(&self, entry: &Entry) -> u64 {
        entry.size.unwrap_or_else(|| match entry.what {
            What::Class => 0,
            _ => self.list.get(entry.of as usize).map_or(0, |class| class.instance),
        })
    }

    /// Address of the class object of an entry, 0 if the file has none.
    pub(super) fn class_of(&self, entry: &Entry) -> u64 {
        match entry.what {
            What::Class => self.class_class,
            _ => match self.list.get(entry.of as usize) {
                Some(Type { element: Some(element), .. }) => {
                    self.list.get(*element as usize).map_or(0, |element| element.class)
                }
                Some(class) => class.address,
                None => 0,
            },
        }
    }

    /// Address of the class object of the type that the machine calls so; 0 if the file has none.
    fn class_called(&self, machine: &[u8]) -> u64 {
        self.by_name.get(machine).map_or(0, |&number| self.address(number))
    }

    /// The class object of arrays of a type: found by its name.
    fn array_class(&self, element: u32) -> u64 {
        let Some(machine) = self.list.get(element as usize).and_then(|class| class.machine.as_deref()) else {
            return 0;
        };
        self.class_called(&match machine {
            [b'[', ..] => [b"[", machine].concat(),
            _ => [b"[L", machine, b";"].concat(),
        })
    }

    /// Address of the superclass of a type.
    pub(super) fn superclass(&self, number: u32) -> u64 {
        self.list.get(number as usize).map_or(0, |class| class.superclass)
    }

    /// Addresses of all class objects.
    pub(super) fn classes(&self) -> impl Iterator<Item = u64> + '_ {
        self.list.iter().map(|class| class.address).filter(|&address| address != 0)
    }

    /// Appends what is known of a class object.
    pub(super) fn members(&self, number: u32, value: impl Fn(u64) -> Value, rest: &mut Vec<u8>) {
        let Some(class) = self.list.get(number as usize) else { return };
        let mut members = Members::new();
        members.open("java");
        if class.superclass != 0 {
            members.int("super", value(class.superclass));
        }
        if class.loader != 0 {
            members.int("loader", value(class.loader));
        }
        if class.instance != 0 {
            members.uint("instance_size", class.instance);
        }
        members.close();
        if class.superclass != 0 || class.loader != 0 || class.instance != 0 {
            rest.extend_from_slice(members.as_bytes());
        }
    }

    /// Sums of all types.
    pub(super) fn sums(&self) -> impl Iterator<Item = SumOf> + '_ {
        let whole = |sum: &Sum, class, each: u64| SumOf {
            subtype: sum.subtype.0,
            class,
            first: sum.first,
            count: sum.count,
            size: sum.size.saturating_add(sum.unsized_count.saturating_mul(each)),
        };
        let types = (0..).zip(&self.list).flat_map(move |(number, class)| {
            let mut objects = whole(&class.objects, class.name, class.instance);
            objects.subtype = self.subtype(number);
            [objects, whole(&class.arrays, class.name, 0)]
        });
        types.chain([whole(&self.classes, self.class_name, 0)]).filter(|sum| sum.count > 0)
    }

    /// Texts by string id.
    pub(super) fn strings(&self, only_classes: bool) -> &[Arc<str>] {
        self.strings.all(only_classes)
    }

    /// Counts for heap-info.
    pub(super) fn totals(&self) -> [(&'static str, u64); 5] {
        let count = |subtype| -> u64 {
            let arrays = self.list.iter().filter(|class| class.arrays.subtype.0 == subtype);
            arrays.map(|class| class.arrays.count).sum()
        };
        let instances: u64 = self.list.iter().map(|class| class.objects.count).sum();
        let arrays: u64 = self.list.iter().map(|class| class.arrays.count).sum();
        [
            ("nodes", self.classes.count + instances + arrays),
            ("classes", self.classes.count),
            ("instances", instances),
            ("object_arrays", count(NodeType::ObjectArray)),
            ("primitive_arrays", count(NodeType::PrimitiveArray)),
        ]
    }
}

/// All objects of one type and subtype.
#[derive(Clone, Copy, Debug)]
pub(super) struct SumOf {
    pub(super) subtype: NodeType,
    pub(super) class: StringId,
    pub(super) first: u64,
    pub(super) count: u64,
    pub(super) size: u64,
}

/// Bytes of an array where the file does not say them.
pub(super) fn array_size(kind: Kind, len: u32) -> u64 {
    Layout::COMPRESSED.array(kind, len.into())
}
