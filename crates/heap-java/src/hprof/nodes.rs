//! The pass that delivers nodes: roots, frames, classes, and objects in the order of the file.

use heap_base::json::{push_float, push_int};
use heap_base::{Blob, Result};
use heap_record::{Heap, StringId};

use super::art::Parts;
use super::classes::{Class, Role};
use super::dump::Dump;
use super::items::{Item, Items};
use super::numbers;
use super::texts::Texts;
use super::threads::NATIVE;
use super::values::{Number, bits, number};
use crate::emit::{NodeType, Out};
use crate::layout::Kind;
use crate::window::Window;

/// Delivers all nodes.
///
/// # Errors
/// Those of reading and of the sink.
pub(crate) fn nodes(blob: &Blob, dump: &Dump, texts: Option<&Texts>, out: &mut Out<'_>) -> Result {
    front(dump, out)?;
    let mut pass = Pass {
        dump,
        texts,
        clues: out.wants.node_details(),
        full: out.wants.all_fields(),
        parts: Parts::of(dump.scan.android),
        heap: None,
        traced: out.wants.node_details() && dump.stacks.are_there(),
        stack: None,
        own: Vec::new(),
        rest: Vec::new(),
    };
    let mut items = Items::new(Window::new(blob, 0), dump.scan.header.id_size);
    for &segment in &dump.scan.segments {
        items.enter(segment);
        pass.heap = None;
        while let Some(item) = items.next()? {
            match item {
                Item::Instance { id, trace, class, len } => {
                    pass.trace(trace);
                    pass.instance(&mut items, id, class, len, out)?;
                }
                Item::Objects { id, trace, class, len } => {
                    pass.trace(trace);
                    pass.objects(&mut items, id, class, len, out)?;
                }
                Item::Primitives { id, trace, kind, len, .. } => {
                    pass.trace(trace);
                    pass.primitives(id, kind, len, out)?;
                }
                Item::Heap(name) => pass.heap = dump.heap(name),
                Item::Root(_) | Item::Class | Item::Note => {}
            }
        }
    }
    out.flush_nodes()
}

/// Roots, frames, classes.
pub(crate) fn front(dump: &Dump, out: &mut Out<'_>) -> Result {
    let mut node = 0;
    for &(_, name) in &dump.root_kinds {
        let heap = Heap { size: Some(0), name: Some(name), ..Heap::default() };
        out.node(NodeType::Root, dump.own_value(node), b"", heap, b"")?;
        node += 1;
    }
    let (mut own, mut rest) = (Vec::new(), Vec::new());
    for frame in &dump.threads.frames {
        let method = frame.method;
        let heap = Heap { size: Some(0), name: method.function, ..Heap::default() };
        own.clear();
        rest.clear();
        if out.wants.node_details() {
            let fields = [("function", method.function), ("script_name", method.script)];
            let line = (method.line > 0).then_some(("line", i64::from(method.line)));
            let fields = fields.into_iter().filter_map(|(key, id)| Some((key, id?))).chain(line);
            members(&mut own, fields);
            rest.extend_from_slice(b"\"java\":{");
            let signature = method.signature.map(|id| ("signature", id));
            members(&mut rest, signature.into_iter().chain([("frame", i64::from(frame.depth))]));
            rest.extend_from_slice(if method.line == NATIVE { b",\"native\":true}" } else { b"}" });
        }
        out.node(NodeType::Frame, dump.own_value(node), &own, heap, &rest)?;
        node += 1;
    }
    for class in dump.scan.classes.all().iter().filter(|class| class.dumped) {
        let heap = Heap {
            size: Some(class.object_size),
            class: Some(dump.class_class.0),
            name: Some(class.text),
            ..Heap::default()
        };
        rest.clear();
        if out.wants.all_fields() {
            class_members(dump, class, &mut rest);
        }
        if out.wants.node_details()
            && let Some(stack) = dump.stacks.of(class.trace)
        {
            rest.pop();
            rest.extend_from_slice(if rest.is_empty() { b"\"java\":{\"trace\":" } else { b",\"trace\":" });
            push_int(&mut rest, stack);
            rest.push(b'}');
        }
        out.node(NodeType::Class, dump.value(class.id), b"", heap, &rest)?;
    }
    Ok(())
}

fn class_members(dump: &Dump, class: &Class, rest: &mut Vec<u8>) {
    rest.extend_from_slice(b"\"java\":{");
    let values = [("super", class.superclass), ("loader", class.loader)];
    let values = values.into_iter().filter(|&(_, id)| id != 0).map(|(key, id)| (key, dump.value(id)));
    let heap = dump.heap(class.heap).map(|heap| ("heap", heap));
    members(rest, values.chain([("instance_size", i64::from(class.instance_size))]).chain(heap));
    if let Some(hidden) = &class.hidden {
        rest.extend_from_slice(b",\"hidden\":");
        heap_base::json::push_text(rest, hidden);
    }
    rest.push(b'}');
}

/// Appends members that are numbers.
fn members<'k>(out: &mut Vec<u8>, fields: impl Iterator<Item = (&'k str, i64)>) {
    for (at, (key, value)) in fields.enumerate() {
        out.extend_from_slice(if at == 0 { b"\"" } else { b",\"" });
        out.extend_from_slice(key.as_bytes());
        out.extend_from_slice(b"\":");
        push_int(out, value);
    }
}

struct Pass<'a> {
    dump: &'a Dump,
    texts: Option<&'a Texts>,
    /// Whether more is asked for than the graph needs, and whether all is.
    clues: bool,
    full: bool,
    parts: Parts,
    /// The heap that objects are in: string id of its name.
    heap: Option<StringId>,
    /// Whether stacks of allocations are asked for and there, and that of the object.
    traced: bool,
    stack: Option<i64>,
    own: Vec<u8>,
    rest: Vec<u8>,
}

impl Pass<'_> {
    /// The members of the namespace `java`, if there are any.
    fn java(&mut self, fields: impl Iterator<Item = (&'static str, i64)>) {
        self.rest.clear();
        let heap = self.heap.map(|heap| ("heap", heap));
        let mut fields = fields.chain(heap).peekable();
        if self.full && fields.peek().is_some() {
            self.rest.extend_from_slice(b"\"java\":{");
            members(&mut self.rest, fields);
            self.rest.push(b'}');
        }
    }

    /// An object with this trace begins.
    #[inline]
    fn trace(&mut self, trace: u32) {
        if self.traced {
            self.stack = self.dump.stacks.of(trace);
        }
    }

    /// Adds the stack at which the object was allocated.
    #[inline]
    fn add_stack(&mut self) {
        if let Some(stack) = self.stack {
            self.add("trace");
            push_int(&mut self.rest, stack);
            self.rest.push(b'}');
        }
    }

    /// Opens the namespace `java`, for a value of this member and the end.
    fn add(&mut self, member: &str) {
        if self.rest.pop().is_none() {
            self.rest.extend_from_slice(b"\"java\":{");
        } else {
            self.rest.push(b',');
        }
        heap_base::json::push_text(&mut self.rest, member);
        self.rest.push(b':');
    }

    /// Adds the namespace `field` with the primitive fields of an instance. Texts stand for numbers that JSON lacks.
    fn fields(&mut self, plan: (u32, u32), body: &[u8]) {
        let mut any = false;
        for field in &self.dump.references[plan.0 as usize..plan.1 as usize] {
            if field.kind == Kind::Object {
                continue;
            }
            let number = number(field.kind, bits(&body[field.offset as usize..], field.kind));
            self.rest.extend_from_slice(match (any, self.rest.is_empty()) {
                (true, _) => b",",
                (false, true) => b"\"field\":{",
                (false, false) => b",\"field\":{",
            });
            any = true;
            heap_base::json::push_text(&mut self.rest, self.dump.strings.text(field.label));
            self.rest.push(b':');
            match number {
                Number::Small(n) | Number::Long(n) => push_int(&mut self.rest, n),
                Number::Float(x) => push_float(&mut self.rest, x),
            }
        }
        if any {
            self.rest.push(b'}');
        }
    }

    #[inline]
    fn instance(
        &mut self,
        items: &mut Items<'_>,
        id: u64,
        class: u64,
        len: u32,
        out: &mut Out<'_>,
    ) -> Result {
        let classes = &self.dump.scan.classes;
        let class_id = class;
        // The first pass has met the class.
        let Some(class) = classes.find(class).and_then(|number| classes.get(number)) else { return Ok(()) };
        let value = self.dump.value(id);
        self.parts.instance(id, class.role == Role::String);
        self.own.clear();
        if class.role == Role::String
            && let Some(texts) = self.texts
            && items.window.has(len as usize)?
            && let Some(text) = texts.id(items.window.peek(len as usize))
        {
            self.own.extend_from_slice(b"\"data\":");
            push_int(&mut self.own, text);
        }
        let is_marked =
            class.numbers.0 < class.numbers.1 || class.role == Role::Record && self.dump.numbers.is_some();
        if is_marked && class.body == u64::from(len) && items.window.has(len as usize)? {
            numbers::push(self.dump, class, items.window.peek(len as usize), &mut self.own);
        }
        let subtype = if class.role == Role::String { NodeType::String } else { NodeType::Instance };
        let in_boot = class.loader == 0 && self.heap.is_none() || !self.full;
        let is_plain =
            !matches!(class.role, Role::Thread | Role::Loader | Role::Activity | Role::ThreadLocal)
                && !self.dump.fields
                && self.stack.is_none();
        if in_boot && class.external == 0 && is_plain {
            return out.plain(subtype, value, class.text, class.size, &self.own);
        }
        let loader = Some(class.loader).filter(|&loader| loader != 0);
        let loader = loader.map(|loader| ("loader", self.dump.value(loader)));
        self.java(loader.into_iter());
        if self.clues
            && class.role == Role::Activity
            && items.window.has(len as usize)?
            && self.dump.is_destroyed(class_id, items.window.peek(len as usize))
        {
            // The program has ended with it.
            self.add("destroyed");
            self.rest.extend_from_slice(b"true}");
        }
        if self.clues
            && class.role == Role::ThreadLocal
            && items.window.has(len as usize)?
            && let Some(variable) = self.dump.thread_local(items.window.peek(len as usize))
        {
            self.add("thread_local");
            push_int(&mut self.rest, variable);
            self.rest.push(b'}');
        }
        self.add_stack();
        let name = match class.role {
            Role::Thread => self.dump.threads.of(id).and_then(|thread| thread.name),
            Role::Loader => self.dump.threads.loader(id),
            _ => None,
        };
        if self.full && self.dump.fields && class.body == u64::from(len) && items.window.has(len as usize)? {
            self.fields(class.plan, items.window.peek(len as usize));
        }
        let external = if class.external == 0 { None } else { self.dump.external(id) };
        let heap =
            Heap { size: Some(class.size), class: Some(class.text), name, external, ..Heap::default() };
        out.node(subtype, value, &self.own, heap, &self.rest)
    }

    fn objects(&mut self, items: &mut Items<'_>, id: u64, class: u64, len: u32, out: &mut Out<'_>) -> Result {
        let classes = &self.dump.scan.classes;
        let Some(class) = classes.find(class).and_then(|number| classes.get(number)) else { return Ok(()) };
        let part = self.parts.objects(id);
        let size = part.unwrap_or_else(|| self.dump.guess.layout.array(Kind::Object, len.into()));
        let value = self.dump.value(id);
        if !self.full && self.stack.is_none() {
            return out.plain(NodeType::ObjectArray, value, class.text, size, b"");
        }
        let mut used = 0;
        if self.full {
            items.references(|_, _| {
                used += 1;
                Ok(())
            })?;
        }
        self.array(NodeType::ObjectArray, id, (class.text, size), (len, Some(used)), out)
    }

    fn primitives(&mut self, id: u64, kind: Kind, len: u32, out: &mut Out<'_>) -> Result {
        let part = self.parts.primitives(id, kind, len);
        let size = part.unwrap_or_else(|| self.dump.guess.layout.array(kind, len.into()));
        let class = self.dump.primitive_classes[kind.index()].0;
        if !self.full && self.stack.is_none() {
            return out.plain(NodeType::PrimitiveArray, self.dump.value(id), class, size, b"");
        }
        self.array(NodeType::PrimitiveArray, id, (class, size), (len, None), out)
    }

    /// An array with its length, and how many of its elements are not null.
    fn array(
        &mut self,
        subtype: NodeType,
        id: u64,
        (class, size): (i64, u64),
        (len, used): (u32, Option<i64>),
        out: &mut Out<'_>,
    ) -> Result {
        self.java([("length", i64::from(len))].into_iter().chain(used.map(|used| ("used", used))));
        self.add_stack();
        let heap = Heap { size: Some(size), class: Some(class), ..Heap::default() };
        out.node(subtype, self.dump.value(id), b"", heap, &self.rest)
    }
}
