//! Fields that HotSpot adds to some classes and that no dump shows: `…_INJECTED_FIELDS` of `classfile/javaClasses.hpp` and
//! its neighbours, which differ from release to release.

use super::release::Release;
use super::resolve::declares;
use super::scan::Scan;
use crate::layout::Packing;
use crate::strings::Strings;

/// The type of an added field.
#[derive(Clone, Copy, Debug)]
enum Type {
    Byte,
    Short,
    Int,
    Long,
    /// An address outside the heap.
    Pointer,
    Reference,
}

/// When a field is added.
#[derive(Clone, Copy, Debug)]
enum When {
    /// Where the class declares no field of that name itself.
    Hidden(&'static str),
    /// Where the class declares this field.
    With(&'static str),
    /// Where the class does not declare this field.
    Without(&'static str),
}

use Type::{Byte, Int, Long, Pointer, Reference, Short};
use When::{Hidden, With, Without};

/// The releases that add a field, first and last.
type Releases = (u32, u32);

const NEWEST: u32 = u32::MAX;

/// By the name of the class.
#[allow(clippy::type_complexity, reason = "a table that is read once")]
const ADDED: &[(&str, &[(When, Type, Releases)])] = &[
    (
        "java.lang.Class",
        &[
            (Hidden("klass"), Pointer, (8, NEWEST)),
            (Hidden("array_klass"), Pointer, (8, NEWEST)),
            // Before, they were objects of the permanent generation.
            (Hidden("klass"), Reference, (7, 7)),
            (Hidden("array_klass"), Reference, (7, 7)),
            (Hidden("oop_size"), Int, (7, NEWEST)),
            (Hidden("static_oop_field_count"), Int, (7, NEWEST)),
            (Hidden("init_lock"), Reference, (8, NEWEST)),
            (Hidden("protectionDomain"), Reference, (8, NEWEST)),
            (Hidden("signers"), Reference, (8, NEWEST)),
            // Seen in JDK 25, which declares `modifiers` in Java, and not in 17.
            (With("modifiers"), Reference, (8, NEWEST)),
        ],
    ),
    ("java.lang.ClassLoader", &[(Hidden("loader_data"), Pointer, (8, NEWEST))]),
    ("java.lang.Module", &[(Hidden("module_entry"), Pointer, (9, NEWEST))]),
    (
        "java.lang.invoke.MemberName",
        &[
            (Hidden("vmindex"), Pointer, (7, NEWEST)),
            (Without("method"), Pointer, (7, 10)),
            (Without("method"), Reference, (8, 10)),
        ],
    ),
    (
        "java.lang.invoke.ResolvedMethodName",
        &[(Hidden("vmholder"), Reference, (0, NEWEST)), (Hidden("vmtarget"), Pointer, (0, NEWEST))],
    ),
    (
        "java.lang.invoke.MethodHandleNatives$CallSiteContext",
        &[(Hidden("vmdependencies"), Pointer, (0, NEWEST)), (Hidden("last_cleanup"), Long, (12, NEWEST))],
    ),
    ("java.lang.StackFrameInfo", &[(Hidden("version"), Short, (0, NEWEST))]),
    ("java.lang.String", &[(With("hashIsZero"), Byte, (0, NEWEST))]),
    ("java.lang.InternalError", &[(Hidden("during_unsafe_access"), Byte, (0, NEWEST))]),
    (
        "java.lang.Thread",
        &[
            (With("holder"), Pointer, (0, NEWEST)),
            (With("holder"), Int, (0, NEWEST)),
            (With("holder"), Short, (0, NEWEST)),
            (With("holder"), Byte, (0, NEWEST)),
        ],
    ),
];

/// Fields that HotSpot adds to a class.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fields {
    packing: Packing,
    pointers: u32,
}

impl Fields {
    pub(crate) fn is_empty(self) -> bool {
        self.pointers == 0 && self.packing == Packing::default()
    }

    /// The fields by size, if an address outside the heap takes `pointer` bytes: 4 or 8.
    pub(crate) fn packing(self, pointer: u32) -> Packing {
        let mut packing = self.packing;
        packing.primitives[pointer.trailing_zeros() as usize & 3] += self.pointers;
        packing
    }
}

/// Fields that HotSpot adds to the class of this name, in Java's form. `declares` says whether it declares a field itself.
pub(crate) fn injected(name: &str, release: Release, declares: impl Fn(&[u8]) -> bool) -> Fields {
    let mut fields = Fields::default();
    let Some((_, rules)) = ADDED.iter().find(|(class, _)| *class == name) else { return fields };
    for &(when, kind, (first, last)) in *rules {
        let there = match when {
            Hidden(name) | Without(name) => !declares(name.as_bytes()),
            With(name) => declares(name.as_bytes()),
        };
        if !there || !(first..=last).contains(&release.number()) {
            continue;
        }
        match kind {
            Byte => fields.packing.primitives[0] += 1,
            Short => fields.packing.primitives[1] += 1,
            Int => fields.packing.primitives[2] += 1,
            Long => fields.packing.primitives[3] += 1,
            Pointer => fields.pointers += 1,
            Reference => fields.packing.references += 1,
        }
    }
    fields
}

/// The fields that HotSpot adds to the classes of a dump.
#[derive(Debug)]
pub(crate) struct Injected {
    pub(crate) release: Release,
    /// By the number of the class.
    list: Vec<(u32, Fields)>,
}

impl Injected {
    pub(crate) fn new(scan: &Scan, strings: &Strings, release: Release) -> Self {
        let mut list = Vec::new();
        for (number, class) in (0..).zip(scan.classes.all()) {
            let fields = injected(strings.text(class.text), release, |field| declares(scan, class, field));
            if !fields.is_empty() {
                list.push((number, fields));
            }
        }
        Self { release, list }
    }

    /// The fields added to the class of this number, if an address outside the heap takes `pointer` bytes.
    pub(crate) fn of(&self, class: u32, pointer: u32) -> Packing {
        let at = self.list.binary_search_by_key(&class, |entry| entry.0);
        at.map_or_else(|_| Packing::default(), |at| self.list[at].1.packing(pointer))
    }
}
