//! The classes of a dump.

use heap_base::Map;
use heap_record::StringId;

use super::classdump::{ClassDump, Field, Static};

/// No class.
pub(crate) const NONE: u32 = u32::MAX;
/// How many classes the small table in front of the hash table holds.
const NEAR: usize = 1024;

/// A class: what the file says of it, and what [`resolve`](super::resolve) finds out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Class {
    /// The address of the class object.
    pub(crate) id: u64,
    /// The UTF8 record of its name; 0 if no LOAD CLASS record names it.
    pub(crate) name: u64,
    /// Whether it has a CLASS DUMP.
    pub(crate) dumped: bool,
    pub(crate) superclass: u64,
    /// Serial number of the trace of its allocation.
    pub(crate) trace: u32,
    pub(crate) loader: u64,
    pub(crate) signers: u64,
    pub(crate) domain: u64,
    pub(crate) instance_size: u32,
    pub(crate) fields: (u32, u32),
    pub(crate) statics: (u32, u32),
    pub(crate) constants: (u32, u32),
    /// How many instances there are, and how long the body of the first is.
    pub(crate) instances: u64,
    /// Address of the first instance.
    pub(crate) first: u64,
    pub(crate) first_body: u32,
    /// How many instances have bodies of another length than the first.
    pub(crate) unlike: u64,
    /// Place in [`Scan::objects`](super::scan::Scan::objects) of the arrays of this class, from 1; 0 if there are none.
    pub(crate) arrays: u32,
    /// The superclass, or [`NONE`].
    pub(crate) parent: u32,
    /// Bytes of the fields of an instance in the file.
    pub(crate) body: u64,
    /// What its instances are.
    pub(crate) role: Role,
    /// String id of its name in Java's form.
    pub(crate) text: StringId,
    /// The address in the name of a hidden class.
    pub(crate) hidden: Option<Box<str>>,
    /// Bytes of an instance.
    pub(crate) size: u64,
    /// Bytes of the class object.
    pub(crate) object_size: u64,
    /// References of an instance.
    pub(crate) plan: (u32, u32),
    /// Fields of an instance whose numbers it may be known by.
    pub(crate) numbers: (u32, u32),
    /// The heap that the class is in, by the UTF8 record of its name; 0 if the file does not say.
    pub(crate) heap: u64,
    /// Bytes outside the heap that its instances keep.
    pub(crate) external: u64,
}

/// What the instances of a class are, because of the class or one above it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Role {
    #[default]
    Plain,
    String,
    Class,
    Thread,
    Loader,
    /// A screen of Android's.
    Activity,
    /// A buffer outside the heap.
    DirectBuffer,
    Weak,
    /// A weak reference to a variable of threads, with the value of one thread.
    ThreadLocal,
    Soft,
    Phantom,
    Final,
    /// A number as an object.
    Number,
    /// Its fields never change.
    Record,
}

/// All classes, by number.
#[derive(Debug, Default)]
pub(crate) struct Classes {
    list: Vec<Class>,
    /// Addresses come from the file: the standard library's hash cannot be foreseen.
    index: Map<u64, u32>,
    near: Vec<(u64, u32)>,
    fields: Vec<Field>,
    statics: Vec<Static>,
    constants: Vec<(u16, u64)>,
}

impl Classes {
    /// The number of the class with this address; a new one if the file has not mentioned it.
    #[inline]
    pub(crate) fn number(&mut self, id: u64) -> u32 {
        let slot = (id >> 3 ^ id >> 13) as usize % NEAR;
        match self.near.get(slot) {
            Some(&(known, number)) if known == id && number != NONE => number,
            _ => self.number_slowly(id, slot),
        }
    }

    #[cold]
    fn number_slowly(&mut self, id: u64, slot: usize) -> u32 {
        if self.near.is_empty() {
            self.near.resize(NEAR, (0, NONE));
        }
        let new = self.list.len() as u32;
        let number = *self.index.entry(id).or_insert(new);
        if number == new {
            self.list.push(Class { id, parent: NONE, ..Class::default() });
        }
        self.near[slot] = (id, number);
        number
    }

    /// The number of the class with this address, if the file mentions it.
    #[inline]
    pub(crate) fn find(&self, id: u64) -> Option<u32> {
        match self.near.get((id >> 3 ^ id >> 13) as usize % NEAR) {
            Some(&(known, number)) if known == id && number != NONE => Some(number),
            _ => self.index.get(&id).copied(),
        }
    }

    /// Takes in a class dump; false if the class has one already.
    pub(crate) fn add(&mut self, dump: &ClassDump) -> bool {
        let number = self.number(dump.id) as usize;
        let class = &mut self.list[number];
        if class.dumped {
            return false;
        }
        class.dumped = true;
        class.superclass = dump.superclass;
        class.trace = dump.trace;
        class.loader = dump.loader;
        class.signers = dump.signers;
        class.domain = dump.domain;
        class.instance_size = dump.instance_size;
        class.fields = append(&mut self.fields, &dump.fields);
        class.statics = append(&mut self.statics, &dump.statics);
        class.constants = append(&mut self.constants, &dump.constants);
        true
    }

    pub(crate) fn len(&self) -> u32 {
        self.list.len() as u32
    }

    #[inline]
    pub(crate) fn get(&self, number: u32) -> Option<&Class> {
        self.list.get(number as usize)
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, number: u32) -> Option<&mut Class> {
        self.list.get_mut(number as usize)
    }

    pub(crate) fn all(&self) -> &[Class] {
        &self.list
    }

    pub(crate) fn all_mut(&mut self) -> &mut [Class] {
        &mut self.list
    }

    /// The fields that a class declares.
    pub(crate) fn fields(&self, class: &Class) -> &[Field] {
        &self.fields[class.fields.0 as usize..class.fields.1 as usize]
    }

    /// The static fields of a class.
    pub(crate) fn statics(&self, class: &Class) -> &[Static] {
        &self.statics[class.statics.0 as usize..class.statics.1 as usize]
    }

    /// The instance fields of all classes.
    pub(crate) fn all_fields(&self) -> &[Field] {
        &self.fields
    }

    /// The static fields of all classes.
    pub(crate) fn all_statics(&self) -> &[Static] {
        &self.statics
    }

    /// Constants of a class that are references.
    pub(crate) fn constants(&self, class: &Class) -> &[(u16, u64)] {
        &self.constants[class.constants.0 as usize..class.constants.1 as usize]
    }
}

fn append<T: Copy>(list: &mut Vec<T>, more: &[T]) -> (u32, u32) {
    let start = list.len() as u32;
    list.extend_from_slice(more);
    (start, list.len() as u32)
}
