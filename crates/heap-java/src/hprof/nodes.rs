//! The pass that delivers nodes: roots, frames, classes, and objects in the order of the file.

use heap_base::json::{push_int, push_uint};
use heap_base::{Blob, Result};
use heap_record::Heap;

use super::classes::{Class, Role};
use super::dump::Dump;
use super::items::{Item, Items};
use super::texts::Texts;
use crate::emit::{NodeType, Out};
use crate::layout::Kind;
use crate::window::Window;

/// Delivers all nodes.
///
/// # Errors
/// Those of reading and of the sink.
pub(crate) fn nodes(blob: &Blob, dump: &Dump, texts: Option<&Texts>, out: &mut Out<'_>) -> Result {
    front(dump, out)?;
    let mut pass = Pass { dump, texts, full: out.wants.full_nodes(), own: Vec::new(), rest: Vec::new() };
    let mut items = Items::new(Window::new(blob, 0), dump.scan.header.id_size);
    for &segment in &dump.scan.segments {
        items.enter(segment);
        while let Some(item) = items.next()? {
            match item {
                Item::Instance { id, class, len } => pass.instance(&mut items, id, class, len, out)?,
                Item::Objects { id, class, len } => pass.objects(&mut items, id, class, len, out)?,
                Item::Primitives { id, kind, len, .. } => pass.primitives(id, kind, len, out)?,
                Item::Root(_) | Item::Class | Item::Note => {}
            }
        }
    }
    out.flush_nodes()
}

/// Roots, frames, classes.
pub(crate) fn front(dump: &Dump, out: &mut Out<'_>) -> Result {
    let full = out.wants.full_nodes();
    let mut node = 0;
    for &(_, name) in &dump.root_kinds {
        let heap = Heap { size: Some(0), name: Some(name), ..Heap::default() };
        out.node(NodeType::Root, dump.own_value(node), b"", heap, b"")?;
        node += 1;
    }
    let (mut own, mut rest) = (Vec::new(), Vec::new());
    for frame in &dump.threads.frames {
        let heap = Heap { size: Some(0), name: frame.function, ..Heap::default() };
        own.clear();
        rest.clear();
        if full {
            let fields = [("function", frame.function), ("script_name", frame.script)];
            let line = (frame.line > 0).then_some(("line", i64::from(frame.line)));
            let fields = fields.into_iter().filter_map(|(key, id)| Some((key, id?))).chain(line);
            members(&mut own, fields);
            rest.extend_from_slice(b"\"java\":{");
            let signature = frame.signature.map(|id| ("signature", id));
            members(&mut rest, signature.into_iter().chain([("frame", i64::from(frame.depth))]));
            rest.push(b'}');
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
        if full {
            class_members(dump, class, &mut rest);
        }
        out.node(NodeType::Class, dump.value(class.id), b"", heap, &rest)?;
    }
    Ok(())
}

fn class_members(dump: &Dump, class: &Class, rest: &mut Vec<u8>) {
    rest.extend_from_slice(b"\"java\":{");
    let values = [("super", class.superclass), ("loader", class.loader)];
    let values = values.into_iter().filter(|&(_, id)| id != 0).map(|(key, id)| (key, dump.value(id)));
    members(rest, values.chain([("instance_size", i64::from(class.instance_size))]));
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
    full: bool,
    own: Vec<u8>,
    rest: Vec<u8>,
}

impl Pass<'_> {
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
        // The first pass has met the class.
        let Some(class) = classes.find(class).and_then(|number| classes.get(number)) else { return Ok(()) };
        let value = self.dump.value(id);
        match class.role {
            Role::String => {
                self.own.clear();
                if let Some(texts) = self.texts
                    && items.window.has(len as usize)?
                    && let Some(text) = texts.id(items.window.peek(len as usize))
                {
                    self.own.extend_from_slice(b"\"data\":");
                    push_int(&mut self.own, text);
                }
                out.plain(NodeType::String, value, class.text, class.size, &self.own)
            }
            Role::Plain if class.loader == 0 || !self.full => {
                out.plain(NodeType::Instance, value, class.text, class.size, b"")
            }
            _ => {
                self.rest.clear();
                if self.full && class.loader != 0 {
                    self.rest.extend_from_slice(b"\"java\":{\"loader\":");
                    push_int(&mut self.rest, self.dump.value(class.loader));
                    self.rest.push(b'}');
                }
                let name = match class.role {
                    Role::Thread => self.dump.threads.of(id).and_then(|thread| thread.name),
                    _ => None,
                };
                let external = match class.role {
                    Role::DirectBuffer => self.dump.external(id),
                    _ => None,
                };
                let heap = Heap {
                    size: Some(class.size),
                    class: Some(class.text),
                    name,
                    external,
                    ..Heap::default()
                };
                out.node(NodeType::Instance, value, b"", heap, &self.rest)
            }
        }
    }

    fn objects(&mut self, items: &mut Items<'_>, id: u64, class: u64, len: u32, out: &mut Out<'_>) -> Result {
        let classes = &self.dump.scan.classes;
        let Some(class) = classes.find(class).and_then(|number| classes.get(number)) else { return Ok(()) };
        let size = self.dump.guess.layout.array(Kind::Object, len.into());
        let value = self.dump.value(id);
        if !self.full {
            return out.plain(NodeType::ObjectArray, value, class.text, size, b"");
        }
        let mut used = 0;
        items.references(|_, _| {
            used += 1;
            Ok(())
        })?;
        self.array(NodeType::ObjectArray, id, (class.text, size), (len, Some(used)), out)
    }

    fn primitives(&mut self, id: u64, kind: Kind, len: u32, out: &mut Out<'_>) -> Result {
        let size = self.dump.guess.layout.array(kind, len.into());
        let class = self.dump.primitive_classes[kind.index()].0;
        if !self.full {
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
        (len, used): (u32, Option<u64>),
        out: &mut Out<'_>,
    ) -> Result {
        self.rest.clear();
        self.rest.extend_from_slice(b"\"java\":{\"length\":");
        push_uint(&mut self.rest, len.into());
        if let Some(used) = used {
            self.rest.extend_from_slice(b",\"used\":");
            push_uint(&mut self.rest, used);
        }
        self.rest.push(b'}');
        let heap = Heap { size: Some(size), class: Some(class), ..Heap::default() };
        out.node(subtype, self.dump.value(id), b"", heap, &self.rest)
    }
}
