//! The class table: what a class is called, what its objects are, and which of their references have names.

use heap_base::Error;

use crate::names::Names;
use crate::window::{Fault, Window};

/// The VM numbers classes in 20 bits and adds three of its own; more are no claim of a real program.
pub(crate) const MAX_CLASSES: u64 = 1 << 21;

/// As many fields in all are beyond any program too.
const MAX_FIELDS: usize = 1 << 22;

/// What the objects of a class are, where the stream has a rule for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Nothing special.
    #[default]
    Object,
    /// `_List`, `_ImmutableList`: elements follow two slots.
    List,
    /// `_GrowableList`: a list that refers to another one.
    Growable,
    /// `Context`, `_Record`, `TypeArguments`, …: elements follow the named slots.
    Elements,
    /// `_OneByteString`, `_ExternalOneByteString`.
    Latin1,
    /// `_TwoByteString`, `_ExternalTwoByteString`.
    Utf16,
    /// `_Smi`: integers as unsigned machine words.
    Smi,
    /// `_Mint`: integers as signed numbers.
    Mint,
    /// `_Closure`.
    Closure,
    /// `Function` of the VM.
    Function,
    /// `Code`.
    Code,
    /// `Isolate` of the VM, which holds the static fields.
    Isolate,
    /// `Read-Only Pages`.
    ReadOnlyPages,
    /// `_WeakReference`, `FinalizerEntry`: some of their slots are weak.
    Weak,
    /// `_WeakProperty`: an ephemeron.
    WeakProperty,
}

/// What a named slot is to the garbage collector or the stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Role {
    /// An ordinary reference.
    #[default]
    Field,
    /// A reference that keeps nothing alive.
    Weak,
    /// An ephemeron's key, weak.
    Key,
    /// An ephemeron's value: lives as long as the key.
    Value,
    /// A closure's function.
    Function,
}

/// A slot of a class that has a name or a role.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    /// Index into an object's references.
    pub(crate) index: u32,
    /// The name, if it has one.
    pub(crate) label: Option<u32>,
    /// What it is.
    pub(crate) role: Role,
}

/// A class.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Class {
    /// Its name, unless empty.
    pub(crate) name: Option<u32>,
    /// What its objects are.
    pub(crate) kind: Kind,
    slots: (u32, u32),
    /// Where its elements begin, if it has any.
    pub(crate) elements: Option<u32>,
}

impl Class {
    /// True for the classes of strings.
    #[inline]
    pub(crate) fn is_string(&self) -> bool {
        matches!(self.kind, Kind::Latin1 | Kind::Utf16)
    }
}

/// The class table.
#[derive(Debug, Default)]
pub(crate) struct Classes {
    all: Vec<Class>,
    slots: Vec<Slot>,
    /// True if fields are there and all their flags are 0, as only re-saved files (and perhaps the oldest) have it.
    pub(crate) flagless: bool,
}

impl Classes {
    /// The class with this id, if there is one.
    #[inline]
    pub(crate) fn get(&self, id: u64) -> Option<&Class> {
        self.all.get(usize::try_from(id).ok()?.checked_sub(1)?)
    }

    /// Its named slots, by index.
    #[inline]
    pub(crate) fn slots(&self, class: &Class) -> &[Slot] {
        self.slots.get(class.slots.0 as usize..class.slots.1 as usize).unwrap_or(&[])
    }

    /// How many classes there are.
    pub(crate) fn len(&self) -> u64 {
        self.all.len() as u64
    }

    /// Reads `count` classes. On damage those before it are kept.
    pub(crate) fn read(window: &mut Window, count: u64, names: &mut Names) -> (Self, Option<Error>) {
        let mut table = Self::default();
        let mut fields = Vec::new();
        let (mut flags, mut any) = (0, false);
        for id in 1..=count {
            let record = if id > MAX_CLASSES { Err(Fault::Many) } else { record(window, names, &mut fields) };
            let full = table.slots.len() + fields.len() > MAX_FIELDS;
            match record {
                Ok(record) if !full => table.add(&record, &fields, names),
                Ok(_) => return (table, Some(window.error(Fault::Many, "the class table"))),
                Err(fault) => return (table, Some(window.error(fault, &format!("class {id}")))),
            }
            flags = fields.iter().fold(flags, |all, field| all | field.flags);
            any |= !fields.is_empty();
        }
        table.flagless = flags == 0 && any;
        (table, None)
    }

    pub(crate) fn add(&mut self, record: &Record, fields: &[Field], names: &Names) {
        let text = |id| names.text(id);
        let kind = kind(text(record.name), text(record.library), text(record.uri));
        let first = self.slots.len();
        for field in fields {
            let (name, Ok(index)) = (text(field.name), u32::try_from(field.index)) else { continue };
            let label = (!name.is_empty()).then_some(field.name);
            self.slots.push(Slot { index, label, role: role(kind, name) });
        }
        if fields.is_empty() && kind == Kind::Weak && text(record.name) == b"FinalizerEntry" {
            // Dart 2.17 names none of its slots; the first two are `value_` and `detach_` there too.
            self.slots.extend([0, 1].map(|index| Slot { index, label: None, role: Role::Weak }));
        }
        // The first name of an index counts; sorting is stable.
        let own = &mut self.slots[first..];
        heap_base::sort_by_key(own, |slot| slot.index);
        let mut kept = first;
        for i in first..self.slots.len() {
            if i == first || self.slots[i].index != self.slots[kept - 1].index {
                self.slots[kept] = self.slots[i];
                kept += 1;
            }
        }
        self.slots.truncate(kept);
        // One more than the last named slot.
        let last = self.slots[first..].iter().rfind(|slot| slot.label.is_some());
        let named = last.map_or(0, |slot| slot.index.saturating_add(1));
        let elements = match kind {
            Kind::List => Some(named.max(2)),
            Kind::Elements => Some(named.max(u32::from(text(record.name) == b"_Record"))),
            _ => None,
        };
        let name = (!text(record.name).is_empty()).then_some(record.name);
        self.all.push(Class { name, kind, slots: (first as u32, kept as u32), elements });
    }
}

/// A class as the file has it; texts by number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    /// Reserved, 0.
    pub(crate) flags: u64,
    /// Simple name.
    pub(crate) name: u32,
    /// Name of its library.
    pub(crate) library: u32,
    /// URI of its library.
    pub(crate) uri: u32,
    /// Reserved, empty.
    pub(crate) reserved: u32,
}

/// A field as the file has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    /// 1 from a VM, 0 in a re-saved file.
    pub(crate) flags: u64,
    /// Index into an object's references.
    pub(crate) index: u64,
    /// Its name.
    pub(crate) name: u32,
    /// Reserved, empty.
    pub(crate) reserved: u32,
}

/// Reads a class and its fields.
pub(crate) fn record(
    window: &mut Window,
    names: &mut Names,
    fields: &mut Vec<Field>,
) -> Result<Record, Fault> {
    fn text(window: &mut Window, names: &mut Names) -> Result<u32, Fault> {
        let text = window.utf8()?;
        Ok(names.intern(window.bytes(text)))
    }
    fields.clear();
    window.near()?;
    let flags = window.number()?;
    let name = text(window, names)?;
    let library = text(window, names)?;
    let uri = text(window, names)?;
    let reserved = text(window, names)?;
    let record = Record { flags, name, library, uri, reserved };
    window.near()?;
    for _ in 0..window.number()? {
        if fields.len() > MAX_FIELDS {
            return Err(Fault::Many);
        }
        window.near()?;
        let flags = window.number()?;
        let index = window.number()?;
        let name = text(window, names)?;
        let reserved = text(window, names)?;
        fields.push(Field { flags, index, name, reserved });
    }
    Ok(record)
}

/// What objects of a class are. Two classes may share a name, so the library counts as well: the VM's own
/// classes have none.
fn kind(name: &[u8], library: &[u8], uri: &[u8]) -> Kind {
    let internal = uri.is_empty() && library.is_empty();
    if internal {
        return match name {
            b"Context" | b"ContextScope" | b"ObjectPool" | b"TypeArguments" | b"WeakArray" => Kind::Elements,
            b"Function" => Kind::Function,
            b"Code" => Kind::Code,
            b"Isolate" => Kind::Isolate,
            b"Read-Only Pages" => Kind::ReadOnlyPages,
            _ => Kind::Object,
        };
    }
    if !uri.starts_with(b"dart:") && !library.starts_with(b"dart.") {
        return Kind::Object;
    }
    match name {
        b"_List" | b"_ImmutableList" => Kind::List,
        b"_GrowableList" => Kind::Growable,
        b"_Record" => Kind::Elements,
        b"_OneByteString" | b"_ExternalOneByteString" => Kind::Latin1,
        b"_TwoByteString" | b"_ExternalTwoByteString" => Kind::Utf16,
        b"_Smi" => Kind::Smi,
        b"_Mint" => Kind::Mint,
        b"_Closure" => Kind::Closure,
        b"_WeakProperty" => Kind::WeakProperty,
        b"_WeakReference" | b"_WeakReferenceImpl" | b"FinalizerEntry" => Kind::Weak,
        _ => Kind::Object,
    }
}

/// What a slot is. The VM's own slots end in an underscore.
fn role(kind: Kind, name: &[u8]) -> Role {
    match (kind, name) {
        (Kind::WeakProperty, b"key_") => Role::Key,
        (Kind::WeakProperty, b"value_") => Role::Value,
        (Kind::Weak, b"target_" | b"value_" | b"detach_") => Role::Weak,
        (Kind::Closure, b"function_") => Role::Function,
        _ => Role::Field,
    }
}
