//! What an object refers to, with names: its properties, elements and variables, the fields that V8 gives it, and all
//! other words.

use crate::heap::{Heap, Object};
use crate::space::{Map, object_of};

use super::Kind;
use super::elements::Element;
use super::properties::Place;

/// How one object refers to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(crate) enum Link {
    Property,
    Element,
    /// A variable of a scope.
    Variable,
    /// A field of V8 with a name.
    Internal,
    /// A word without a name.
    Hidden,
    /// A reference that keeps nothing alive.
    Weak,
    /// A key and a value of a Map or a Set, by the number of its entry.
    EntryKey,
    EntryValue,
    /// The value of a WeakMap's entry.
    Ephemeron,
}

/// What a reference is called.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Label {
    /// A name of V8's own.
    Fixed(&'static str),
    /// A string or a symbol on the heap.
    Name(u64),
    /// The getter or setter of a property with this name.
    Getter(u64),
    Setter(u64),
    Index(u32),
}

/// Where a reference leads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Target {
    /// A tagged word: an object, or a small integer.
    Word(u64),
    /// A float.
    Double(f64),
    /// Memory outside the heap.
    Native(u64),
}

/// A reference from an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reference {
    pub(crate) link: Link,
    pub(crate) label: Label,
    pub(crate) target: Target,
    /// The key that an ephemeron's value needs.
    pub(crate) key: Option<u64>,
}

/// Slots at the end of a native context that may be links of lists.
const LISTS: u64 = 3;
/// Where an allocation site has the next one.
const WEAK_NEXT: u64 = 40;

/// Fields with names, by offset.
type Fields = &'static [(u64, &'static str)];

/// Words of an object that were taken care of: the first 256.
#[derive(Default)]
struct Done([u64; 4]);

impl Done {
    fn mark(&mut self, offset: u64) {
        let word = offset / 8;
        if let Some(bits) = self.0.get_mut((word / 64) as usize) {
            *bits |= 1 << (word % 64);
        }
    }

    fn has(&self, offset: u64) -> bool {
        let word = offset / 8;
        self.0.get((word / 64) as usize).is_some_and(|bits| bits >> (word % 64) & 1 == 1)
    }
}

/// Goes over the references of one object.
struct Walk<'a> {
    heap: &'a Heap,
    object: Object,
    map: Map,
    done: Done,
    each: &'a mut dyn FnMut(Reference),
}

impl Heap {
    /// Goes over the references of an object. Those to what is no object are among them.
    pub(crate) fn each_reference(&self, object: Object, each: &mut dyn FnMut(Reference)) {
        let map = self.maps.map(object.id);
        let mut walk = Walk { heap: self, object, map, done: Done::default(), each };
        walk.named(&[(0, "map")]);
        let kind = self.kind(&map);
        match kind {
            Kind::Unused | Kind::Raw | Kind::Doubles | Kind::HeapNumber | Kind::BigInt => {}
            Kind::String => walk.string(),
            Kind::Context => walk.context(object.size),
            Kind::EphemeronTable => walk.ephemerons(),
            Kind::Bytecode => walk.words(8, self.offsets.bytecodes),
            Kind::Array | Kind::PropertyArray => walk.array(),
            Kind::AccessorPair => walk.fields(&[(8, "getter"), (16, "setter")]),
            Kind::PropertyCell => walk.fields(&[(8, "name"), (24, "value")]),
            Kind::FeedbackCell => walk.fields(&[(8, "value")]),
            Kind::Symbol => walk.fields(&[(16, "name")]),
            Kind::WeakCell => walk.weak_cell(),
            Kind::NativeContext => walk.native_context(),
            Kind::AllocationSite => walk.allocation_site(),
            Kind::Code | Kind::Instructions => walk.code(),
            Kind::CodeData => {
                // A list of all code, which does not keep it.
                walk.weak(8, "next_code_link");
                walk.words(8, object.size);
            }
            Kind::Map => walk.fields(&[(24, "prototype"), (32, "constructor"), (40, "descriptors")]),
            Kind::SharedFunctionInfo => walk.shared(),
            Kind::Script => walk.script(),
            _ if kind.is_js() => walk.js(kind),
            _ => walk.words(8, object.size),
        }
    }
}

impl Walk<'_> {
    fn word(&self, offset: u64) -> Option<u64> {
        self.heap.memory.word(self.object.address + offset)
    }

    fn give(&mut self, link: Link, label: Label, word: u64) {
        (self.each)(Reference { link, label, target: Target::Word(word), key: None });
    }

    /// The word at an offset, if it refers to an object that is not one of those for nothing.
    fn something(&self, offset: u64) -> Option<u64> {
        self.word(offset).filter(|&w| w & 1 == 1 && w != 3 && !self.heap.nothing.has(w))
    }

    /// Gives fields by their names, if they hold references.
    fn named(&mut self, fields: &[(u64, &'static str)]) {
        for &(offset, name) in fields {
            self.done.mark(offset);
            if let Some(word) = self.something(offset) {
                let link = if word & 3 == 3 { Link::Weak } else { Link::Internal };
                self.give(link, Label::Fixed(name), word);
            }
        }
    }

    fn fields(&mut self, fields: Fields) {
        self.named(fields);
        self.words(8, self.object.size);
    }

    /// Gives all words that were not given yet and are references, by their position.
    fn words(&mut self, from: u64, to: u64) {
        let mut offset = from;
        while offset < to.min(self.object.size) {
            if !self.done.has(offset)
                && let Some(word) = self.something(offset)
            {
                let link = if word & 3 == 3 { Link::Weak } else { Link::Hidden };
                self.give(link, Label::Index((offset / 8) as u32), word);
            }
            offset += 8;
        }
    }

    /// Elements of an array of V8's own, by index.
    fn array(&mut self) {
        let mut offset = 16;
        while offset < self.object.size {
            if let Some(word) = self.something(offset) {
                let link = if word & 3 == 3 { Link::Weak } else { Link::Hidden };
                self.give(link, Label::Index((offset / 8 - 2) as u32), word);
            }
            offset += 8;
        }
    }

    fn string(&mut self) {
        match self.map.kind & 7 {
            1 => self.named(&[(16, "first"), (24, "second")]),
            3 => self.named(&[(16, "parent")]),
            5 => self.named(&[(16, "actual")]),
            _ => {}
        }
    }

    /// A scope, up to the offset `end`.
    fn context(&mut self, end: u64) {
        self.named(&[(16, "scope_info"), (24, "previous")]);
        let heap = self.heap;
        let length = self.word(8).unwrap_or(0) >> 32;
        let scope = self.word(16).and_then(|w| heap.scope(w));
        let variables = scope.as_ref().map_or(&[][..], |s| &s.variables);
        // A scope with a sloppy `eval` has an extension in front of its variables.
        let extended = length == variables.len() as u64 + 3;
        let first = 2 + u64::from(extended);
        if extended {
            self.named(&[(32, "extension")]);
        }
        let from = 16 + 8 * first;
        let to = from + 8 * (variables.len() as u64).min(length.saturating_sub(first));
        for (offset, &name) in (from..to.min(end)).step_by(8).zip(variables) {
            if let Some(word) = self.word(offset).filter(|&w| !heap.known.is_hole(w))
                && name != 0
            {
                self.give(Link::Variable, Label::Name(name), word);
            }
        }
        self.words(8, from.min(end));
        self.words(to, end);
    }

    /// Entries of the table of a WeakMap: keys are weak, values need them.
    fn ephemerons(&mut self) {
        let heap = self.heap;
        let mut offset = 16 + 8 * 3;
        let mut entry = 0;
        while offset + 16 <= self.object.size {
            let (key, value) = (self.word(offset).unwrap_or(0), self.word(offset + 8).unwrap_or(0));
            let free = key & 1 == 0 || heap.known.is_hole(key) || key == heap.known.undefined;
            if !free {
                self.give(Link::Weak, Label::Index(entry), key);
                if value & 1 == 1 && !heap.known.is_hole(value) {
                    let label = Label::Index(entry);
                    let target = Target::Word(value);
                    (self.each)(Reference { link: Link::Ephemeron, label, target, key: Some(key) });
                }
            }
            entry += 1;
            offset += 16;
        }
    }

    fn weak_cell(&mut self) {
        for (offset, name) in [(16, "target"), (24, "unregister_token")] {
            self.weak(offset, name);
        }
        self.words(8, self.object.size);
    }

    /// The links of lists that have all contexts and all code do not keep these.
    fn native_context(&mut self) {
        let heap = self.heap;
        let end = 16 + 8 * (self.word(8).unwrap_or(0) >> 32);
        let lists = end.saturating_sub(8 * LISTS).max(16);
        // It is longer than what can be marked as done.
        self.context(lists.min(self.object.size));
        for offset in (lists..end.min(self.object.size)).step_by(8) {
            let linked = self.word(offset).and_then(|word| heap.kind_of(word));
            if linked.is_some_and(|k| matches!(k, Kind::Code | Kind::CodeData | Kind::NativeContext)) {
                self.weak(offset, "next");
            } else {
                self.words(offset, offset + 8);
            }
        }
        self.words(end, self.object.size);
    }

    /// Sites where a program makes arrays and literals are in a list that does not keep them.
    fn allocation_site(&mut self) {
        if self.object.size > WEAK_NEXT {
            self.weak(WEAK_NEXT, "weak_next");
        }
        self.words(8, self.object.size);
    }

    /// Code: what describes it, then the objects that its instructions name.
    fn code(&mut self) {
        let heap = self.heap;
        let offsets = heap.offsets.code;
        let inside = heap.kind(&self.map) == Kind::Code;
        let header = if inside { offsets.inside.unwrap_or(self.object.size) } else { offsets.stream };
        self.words(8, header);
        if inside && offsets.inside.is_none() {
            return;
        }
        let Some(code) = heap.code(self.object.address) else { return };
        let mut number = (header / 8) as u32;
        heap.each_embedded(&code, &mut |word| {
            if heap.nothing.has(word) {
                return;
            }
            let Some(id) = heap.map_of(word) else { return };
            let named = heap.maps.map(id);
            let weak = code.compiler.optimizes() && heap.is_assumption(word, &named);
            let link = if weak { Link::Weak } else { Link::Hidden };
            let (label, target) = (Label::Index(number), Target::Word(word));
            (self.each)(Reference { link, label, target, key: None });
            number += 1;
        });
    }

    fn weak(&mut self, offset: u64, name: &'static str) {
        self.done.mark(offset);
        if let Some(word) = self.something(offset) {
            self.give(Link::Weak, Label::Fixed(name), word);
        }
    }

    fn shared(&mut self) {
        let offsets = self.heap.offsets;
        self.named(&[(offsets.shared_name, "name_or_scope_info"), (offsets.shared_script, "script")]);
        self.words(8, self.object.size);
    }

    fn script(&mut self) {
        let offsets = self.heap.offsets;
        self.named(&[
            (offsets.script_source, "source"),
            (offsets.script_name, "name"),
            (offsets.script_line_ends, "line_ends"),
        ]);
        self.words(8, self.object.size);
    }

    /// An object of JavaScript.
    fn js(&mut self, kind: Kind) {
        let heap = self.heap;
        self.named(&[(8, "properties"), (16, "elements")]);
        match kind {
            Kind::JsFunction => self.function(),
            Kind::JsBoundFunction => {
                self.named(&[(24, "bound_function"), (32, "bound_this"), (40, "bound_arguments")]);
            }
            Kind::JsArray | Kind::JsDate => self.done.mark(24),
            Kind::JsRegExp => self.named(&[(24, "data"), (32, "source")]),
            Kind::JsMap | Kind::JsSet => {
                self.named(&[(24, "table")]);
                self.entries(kind);
            }
            Kind::JsWeakCollection => self.named(&[(24, "table")]),
            Kind::JsWeakRef => self.weak(24, "target"),
            Kind::JsPromise => self.named(&[(24, "reactions_or_result")]),
            Kind::JsGenerator => self.named(&[
                (24, "function"),
                (32, "context"),
                (40, "receiver"),
                (48, "input"),
                (72, "parameters_and_registers"),
            ]),
            Kind::JsProxy => {
                // It has no elements there.
                self.named(&[(16, "target"), (24, "handler")]);
            }
            Kind::JsPrimitiveWrapper => self.named(&[(24, "value")]),
            Kind::JsArrayBuffer => self.store(),
            _ => {}
        }
        if kind != Kind::JsProxy {
            self.properties(kind);
            heap.each_element(self.object.address, &self.map, &mut |index, element| {
                let target = match element {
                    Element::Word(word) => Target::Word(word),
                    Element::Double(x) => Target::Double(x),
                };
                (self.each)(Reference { link: Link::Element, label: Label::Index(index), target, key: None });
            });
        }
        let prototype = self.map.prototype;
        if heap.kind_of(prototype).is_some_and(Kind::is_js) {
            self.give(Link::Property, Label::Fixed("__proto__"), prototype);
        }
        self.words(24, self.object.size);
    }

    fn function(&mut self) {
        let offsets = self.heap.offsets;
        self.named(&[(offsets.function_shared, "shared"), (offsets.function_context, "context")]);
        if let Some(code) = self.heap.code_of_function(self.object.address) {
            self.give(Link::Internal, Label::Fixed("code"), code);
        }
        if !self.map.has_prototype_slot {
            return;
        }
        let slot = offsets.function_prototype;
        self.named(&[(slot, "initial_map")]);
        let prototype = self.heap.prototype_of(self.object.address);
        if let Some(prototype) = prototype.filter(|&w| self.heap.kind_of(w).is_some_and(Kind::is_js)) {
            self.give(Link::Property, Label::Fixed("prototype"), prototype);
        }
    }

    fn properties(&mut self, kind: Kind) {
        let heap = self.heap;
        let address = self.object.address;
        if self.map.dictionary {
            let global = kind == Kind::JsGlobalObject;
            let mut found = Vec::new();
            heap.each_in_dictionary(address, global, &mut |p| found.push(p));
            for p in found {
                self.property(p.key, p.accessor, p.value);
            }
            return;
        }
        for property in heap.properties(&self.map).iter() {
            if let Place::Inside(offset) = property.place {
                self.done.mark(offset);
            }
            if let Some(value) = heap.value(address, property.place) {
                self.property(property.key, property.accessor, value);
            }
        }
    }

    fn property(&mut self, key: u64, accessor: bool, value: u64) {
        if !accessor {
            if !self.heap.known.is_hole(value) {
                self.give(Link::Property, Label::Name(key), value);
            }
            return;
        }
        // Accessors that are not a pair are the VM's own and have no value.
        if self.heap.kind_of(value) != Some(Kind::AccessorPair) {
            return;
        }
        self.give(Link::Property, Label::Name(key), value);
        for (offset, label) in [(8, Label::Getter(key)), (16, Label::Setter(key))] {
            let half = self.heap.memory.word(value - 1 + offset);
            if let Some(half) = half.filter(|&w| self.heap.kind_of(w).is_some_and(|k| k != Kind::Oddball)) {
                self.give(Link::Property, label, half);
            }
        }
    }

    /// Entries of a Map or a Set.
    fn entries(&mut self, kind: Kind) {
        let heap = self.heap;
        let Some(table) = self.word(24).and_then(object_of) else { return };
        let Some(length) = heap.array_length(table) else { return };
        let at = |i: u64| (i < length).then(|| heap.memory.word(table + 16 + 8 * i)).flatten();
        let small = |i: u64| at(i).filter(|w| w & 1 == 0).map(|w| w >> 32);
        let (Some(count), Some(deleted), Some(buckets)) = (small(0), small(1), small(2)) else { return };
        let stride = if kind == Kind::JsMap { 3 } else { 2 };
        let mut number = 0;
        for entry in 0..count.saturating_add(deleted).min(length) {
            let first = 3 + buckets + stride * entry;
            let Some(key) = at(first).filter(|&w| !heap.known.is_hole(w)) else { continue };
            let label = Label::Index(number);
            number += 1;
            if kind == Kind::JsMap {
                self.give(Link::EntryKey, label, key);
                if let Some(value) = at(first + 1) {
                    self.give(Link::EntryValue, label, value);
                }
            } else {
                self.give(Link::EntryValue, label, key);
            }
        }
    }

    /// The memory of an array buffer.
    fn store(&mut self) {
        if let Some((address, _)) = self.heap.backing_store(self.object.address) {
            let (link, label) = (Link::Internal, Label::Fixed("backing_store"));
            (self.each)(Reference { link, label, target: Target::Native(address), key: None });
        }
    }
}

impl Heap {
    /// Whether optimized code that names an object only assumes that it lives: objects of JavaScript, scopes, cells of
    /// properties, and maps that may change. Without them the code is thrown away.
    fn is_assumption(&self, word: u64, map: &Map) -> bool {
        match self.kind(map) {
            Kind::PropertyCell | Kind::Context | Kind::NativeContext => true,
            Kind::Map => {
                let of_instances = self.memory.u16(word - 1 + 12).map(|kind| self.kind_of_type(kind));
                of_instances.is_some_and(|kind| kind.is_js() && kind != Kind::JsProxy)
            }
            kind => kind.is_js(),
        }
    }
}
