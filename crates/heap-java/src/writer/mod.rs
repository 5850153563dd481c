//! The writer: a sink that makes an HPROF file of the stream that it receives.
//!
//! A stream that came from HPROF becomes a file in which this crate finds the same: addresses, classes with their fields,
//! references, contents of strings, threads, roots, and values of primitive fields where the stream has them. What it does
//! not carry, the contents of primitive arrays for one, is zeros.
//! So a redacted stream becomes a file without contents. PHD and classic text become a file with fields that are called
//! by their place.
//!
//! A stream from elsewhere becomes instances of classes that are called like its types. A label that at least half of a
//! class's objects have is a field; elements are an array `<elements>`, other edges pairs of name and target in an
//! array `<more>`, both behind the object. Padding fields and an array `<rest>` give an object the size that it has in
//! the stream, to 8 bytes and as far as references leave room; the sum is a note. Strings are `java.lang.String`, names of nodes a
//! field `<name>`. Roots are those of the stream, else all that nothing refers to. Weak edges are left out, since
//! Java knows them by class only.
//!
//! # Memory
//!
//! Spool files hold 5 to 20 bytes a node, 5 to 10 an edge, and the strings. In memory: 20 to 50 bytes a node for identifiers,
//! classes and lengths, 24 a string, and the classes with their names and fields: of a million classes with three fields
//! and an object each 0.7 KB a class, those two nodes included. Where fields stand in objects is kept of 8,192 classes, and
//! worked out again for others.

mod assemble;
mod classes;
mod file;
mod heap;
mod node;
mod objects;
mod roots;
mod stacks;

use std::io::Write;

use heap_base::json::{each, scalar, uint};
use heap_base::{Map, Result, Spool, member};
use heap_record::{
    Declaration, Edge, EdgeBatch, Extension, LeftOut, Metadata, Node, NodeBatch, Sink, Str, StringId, Target,
    Types, Value, Wants,
};
use heap_spool::{BySubtype, Head, Ids, Link, Links, Lost, Texts};

use crate::hprof::{NATIVE, Number};
use crate::layout::Kind;
use node::{DeferredNode, Form};
use roots::FrameNode;
use stacks::ObjectStacks;

/// Makes an HPROF file of the stream that it receives. Made by [`writer`].
#[derive(Debug)]
pub struct Writer<W: Write> {
    out: Option<W>,
    types: Types,
    forms: BySubtype<Form>,
    head: Head,
    /// True if the stream comes from a Java heap; known with the first node or edge.
    java: Option<bool>,
    input: Input,
    lost: Lost,
    left_out: LeftOut,
    notes: Vec<String>,
    finished: bool,
}

/// What is kept until the end.
#[derive(Debug, Default)]
struct Input {
    ids: Ids,
    texts: Texts,
    nodes: Spool,
    links: Links,
    /// Subtype and class of nodes, by the number that [`DeferredNode::class`] says.
    keys: Vec<(u32, Option<StringId>)>,
    by_key: Map<(u32, Option<StringId>), u32>,
    classes: Vec<ClassNode>,
    fields: Vec<FieldRecord>,
    frames: Map<Value, FrameNode>,
    root_nodes: Vec<(Value, Option<StringId>)>,
    stacks: ObjectStacks,
}

/// A class of a Java heap.
#[derive(Clone, Debug)]
struct ClassNode {
    id: Value,
    name: Option<StringId>,
    hidden: Option<String>,
    superclass: Option<Value>,
    loader: Option<Value>,
    instance_size: Option<u64>,
    trace: u32,
}

/// A `java.field` record.
#[derive(Clone, Copy, Debug)]
struct FieldRecord {
    class: Value,
    label: StringId,
    kind: Kind,
    is_static: bool,
}

/// Begins a file. `out` needs no buffer. Nothing is written before [`Sink::finish`].
pub fn writer<W: Write>(out: W) -> Writer<W> {
    Writer {
        out: Some(out),
        types: Types::default(),
        forms: BySubtype::default(),
        head: Head::new("an HPROF file", "java"),
        java: None,
        input: Input::default(),
        lost: Lost::default(),
        left_out: LeftOut::new(),
        notes: Vec::new(),
        finished: false,
    }
}

impl<W: Write> Writer<W> {
    #[inline]
    fn java(&mut self) -> bool {
        if let Some(java) = self.java {
            return java;
        }
        let java = self.head.get("target_source").is_some_and(|source| source.starts_with("java."));
        self.java = Some(java);
        java
    }

    fn node(&mut self, record: &Node<'_>) -> Result {
        let java = self.java();
        let form = match self.forms.get(record.subtype) {
            Some(form) => form,
            None => self.forms.keep(record.subtype, Form::of(&self.types.node_name(record.subtype), java)),
        };
        let input = &mut self.input;
        let key = (record.subtype, record.heap.class);
        let next = input.keys.len() as u32;
        let class = *input.by_key.entry(key).or_insert(next);
        if class == next {
            input.keys.push(key);
        }
        let trace = input.stacks.serial(record);
        let field = input.stacks.stacks.field();
        let deferred = DeferredNode::new(record, form, (class, trace), java, field, &mut self.lost);
        let value = |path| node::int(record.rest, path).filter(|&id| id != 0);
        match form {
            Form::Class => input.classes.push(ClassNode {
                id: record.id,
                name: record.heap.name,
                hidden: node::text(record.rest, "java.hidden"),
                superclass: value("java.super"),
                loader: value("java.loader"),
                instance_size: uint(record.rest, "java.instance_size"),
                trace,
            }),
            Form::Frame => {
                let line = node::int(record.own, "line").and_then(|n| i32::try_from(n).ok());
                let native = member(record.rest, "java.native") == Some(b"true");
                let frame = FrameNode {
                    function: node::int(record.own, "function"),
                    script: node::int(record.own, "script_name"),
                    line: line.unwrap_or(if native { NATIVE } else { 0 }),
                    signature: node::int(record.rest, "java.signature"),
                };
                input.frames.insert(record.id, frame);
            }
            Form::Root => input.root_nodes.push((record.id, record.heap.name)),
            _ => {}
        }
        input.ids.push(record.id)?;
        deferred.push(&mut input.nodes)
    }

    fn edge(&mut self, record: &Edge<'_>) -> Result {
        let Edge { subtype, source, dest, label, rest, .. } = *record;
        let mut link = Link { subtype, source, dest, label, extra: None };
        if !rest.is_empty() {
            const KEPT: [(&str, &str); 5] = [
                ("heap", "key"),
                ("heap", "table"),
                ("heap", "distance"),
                ("heap", "value"),
                ("java", "long"),
            ];
            let java = self.java();
            self.lost.rest(rest, if java { &KEPT } else { &KEPT[..3] });
            if java && dest.is_none() {
                keep_value(&mut link, rest);
            }
        }
        self.input.links.push(&link)
    }

    fn field(&mut self, record: &Extension<'_>) {
        let class = node::int(record.body, "class");
        let label = node::int(record.body, "label");
        let kind = uint(record.body, "kind").and_then(|kind| Kind::of(u8::try_from(kind).ok()?));
        let is_static = each(record.body).any(|(key, value)| key == "static" && value == b"true");
        if let (Some(class), Some(label), Some(kind)) = (class, label, kind) {
            self.input.fields.push(FieldRecord { class, label, kind, is_static });
        }
    }
}

/// Keeps the value of an edge that ends at none: a long with an end that says so, else a float.
fn keep_value(link: &mut Link, rest: &[u8]) {
    if let Some(long) = node::int(rest, "java.long") {
        (link.dest, link.extra) = (Some(0), Some(long.cast_unsigned()));
    } else if let Some(float) = member(rest, "heap.value").and_then(scalar).and_then(|n| n.as_float()) {
        link.extra = Some(float.to_bits());
    }
}

/// The value of a primitive field, if an edge is that.
fn number_of(link: &Link) -> Option<Number> {
    match (link.dest, link.extra) {
        (None, Some(bits)) => Some(Number::Float(f64::from_bits(bits))),
        (Some(_), Some(bits)) => Some(Number::Long(bits.cast_signed())),
        (Some(dest), None) if dest & 1 == 0 => Some(Number::Small(dest >> 1)),
        _ => None,
    }
}

impl<W: Write> Sink for Writer<W> {
    fn wants(&self) -> Wants {
        Wants::IN_ORDER
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        self.input.stacks.stacks.metadata(record);
        self.head.take(record, self.java.is_some(), &mut self.left_out)
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.types.declare(record);
        self.forms.declare_node(record);
        Ok(())
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        self.input.texts.add(record)
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        batch.try_for_each(|node| self.node(node))
    }

    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        self.java();
        batch.try_for_each(|edge| self.edge(edge))
    }

    fn extension(&mut self, record: &Extension<'_>) -> Result {
        match record.kind {
            "java.field" => self.field(record),
            _ if self.input.stacks.extension(record) => {}
            kind => self.left_out.add(&format!("{kind} records"), 1),
        }
        Ok(())
    }

    /// Writes the file. Damage does not matter: what came is in it.
    fn finish(&mut self, _: bool) -> Result {
        if std::mem::replace(&mut self.finished, true) {
            return Ok(());
        }
        if let Some(out) = self.out.take() {
            self.assemble(out)?;
        }
        self.lost.move_to(&self.types, &mut self.left_out);
        Ok(())
    }
}

impl<W: Write> Target for Writer<W> {
    fn left_out(&self) -> &LeftOut {
        &self.left_out
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }
}
