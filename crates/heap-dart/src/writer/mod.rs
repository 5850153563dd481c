//! The writer: a sink that makes a snapshot in the layout since 2021.
//!
//! A stream that came from a Dart snapshot goes back byte for byte, also one of the first version or one that a viewer
//! saved again; the heads of service messages, and bytes behind the end that are not zero, are left out. If objects
//! are missing, the others close up, and a reference to one of them is 0, in its slot. If the root is
//! missing, one is made that refers to every object without references to it.
//!
//! A stream from elsewhere becomes objects under a root that is made. Class and subtype make a Dart class, in a library
//! that is called like the subtype. Strings, numbers, lengths and names are the objects' data; identifiers that hold
//! over several snapshots are the identity hashes; `heap.external` are external properties. Edges that at least half
//! of a class's objects have are named slots, the others follow without a name. Weak edges are left out, since Dart
//! knows weak slots by their classes only.
//!
//! # Memory
//!
//! All is kept in spool files until the end: 8 to 20 bytes a node, 5 to 10 an edge, the strings, and the objects once
//! more as they are written. In memory: 8 bytes a string, 8 to 40 a node if the identifiers do not count from 1, 4 more if
//! the edges of a node do not come together, 4 more for other sources; the class table; and 8 bytes for each
//! reference of the largest object.

mod fields;
mod node;
mod objects;
mod table;

use std::io::Write;

use heap_base::Plus;
use heap_base::json::uint;
use heap_base::{Error, Result};
use heap_base::{Spool, push_varint};
use heap_record::{
    Declaration, Edge, EdgeBatch, Extension, LeftOut, Metadata, Node, NodeBatch, Sink, Str, Target, Types,
    Value, Wants,
};
use heap_spool::{BySubtype, Head, Link, Links, Lost, Text};

use node::{DeferredNode, Sort};
use objects::{Heap, Layout};

use crate::source::MAGIC;

/// Makes a Dart heap snapshot of the stream that it receives. Made by [`writer`].
#[derive(Debug)]
pub struct Writer<W: Write> {
    out: W,
    types: Types,
    sorts: BySubtype<Sort>,
    head: Head,
    /// True if the stream comes from Dart; known with the first node or edge.
    native: Option<bool>,
    heap: Heap,
    nodes: Spool,
    links: Links,
    /// External properties: object, size, name.
    properties: Spool,
    property_count: u64,
    layout: Layout,
    lost: Lost,
    left_out: LeftOut,
    notes: Vec<String>,
    finished: bool,
}

/// Begins a snapshot. `out` needs no buffer. Nothing is written before [`Sink::finish`].
pub fn writer<W: Write>(out: W) -> Writer<W> {
    Writer {
        out,
        types: Types::default(),
        sorts: BySubtype::default(),
        head: Head::new("a Dart snapshot", "dart"),
        native: None,
        heap: Heap::default(),
        nodes: Spool::new(),
        links: Links::default(),
        properties: Spool::new(),
        property_count: 0,
        layout: Layout::default(),
        lost: Lost::default(),
        left_out: LeftOut::new(),
        notes: Vec::new(),
        finished: false,
    }
}

impl<W: Write> Writer<W> {
    #[inline]
    fn native(&mut self) -> bool {
        if let Some(native) = self.native {
            return native;
        }
        let native = self.head.get("target_source").is_some_and(|source| source == crate::FORMAT);
        self.native = Some(native);
        native
    }

    fn sort(&mut self, subtype: u32) -> Sort {
        match self.sorts.get(subtype) {
            Some(sort) => sort,
            None => self.sorts.keep(subtype, Sort::of(&self.types.node_name(subtype))),
        }
    }

    fn number(&self, key: &str) -> Option<u64> {
        self.head.get(key)?.parse().ok()
    }

    /// One that holds over several snapshots of a process, as far as Dart has room for it.
    fn hash(&self, id: Value) -> u64 {
        let rule = |key: &str, value: &str| self.head.get(key).is_some_and(|v| v == value);
        let lasting = rule("heap.identity", "identifier") || rule("heap.identifier", "v8");
        if lasting { u32::try_from(id).unwrap_or(0).into() } else { 0 }
    }

    fn write(&mut self, bytes: &[u8]) -> Result {
        self.out.write_all(bytes).map_err(Error::write)
    }

    fn node(&mut self, record: &Node<'_>) -> Result {
        let native = self.native();
        let sort = self.sort(record.subtype);
        let deferred = if native {
            let deferred = DeferredNode::native(record, sort, &mut self.lost);
            if let (Some(name), 1..) = (record.heap.class, deferred.class) {
                self.heap.table.used.entry(deferred.class).or_insert(name);
            }
            deferred
        } else {
            let class = self.heap.table.make(record.subtype, record.heap.class);
            let hash = self.hash(record.id);
            DeferredNode::foreign(record, sort, class, hash, &mut self.lost)
        };
        self.heap.ids.push(record.id)?;
        deferred.push(&mut self.nodes)
    }

    fn edge(&mut self, record: &Edge<'_>) -> Result {
        let mut extra = None;
        if !record.rest.is_empty() {
            if self.native() {
                extra = uint(record.rest, "dart.reference");
                self.lost.rest(record.rest, &[("dart", "reference"), ("dart", "unboxed"), ("heap", "key")]);
            } else {
                self.lost.rest(record.rest, &[]);
            }
        }
        let Edge { subtype, source, dest, label, .. } = *record;
        self.links.push(&Link { subtype, source, dest, label, extra })
    }

    /// Puts the file together.
    fn assemble(&mut self) -> Result {
        let native = self.native();
        let mut heap = std::mem::take(&mut self.heap);
        self.left_out.add("nodes with the identifier of another", heap.ids.seal());
        let source = self.head.get("target_source").unwrap_or_default().to_owned();
        let (nodes, links) = (std::mem::take(&mut self.nodes), std::mem::take(&mut self.links));
        let objects = heap.objects(
            native,
            &source,
            &nodes,
            links,
            self.head.roots(),
            &self.types,
            &self.layout,
            &mut self.left_out,
        )?;
        let count = u64::from(heap.ids.len()) + u64::from(objects.added);
        // What the head says holds if all objects are there.
        let same = native && !objects.added && self.number("dart.object_count") == Some(count);
        if objects.added {
            self.notes.push("object 1 is a root that the input does not have".to_owned());
        }
        if objects.filled > 0 {
            self.notes.push(format!("{} slots whose edges are missing hold 0", objects.filled));
        }

        let mut tail = Spool::new();
        let external = self.properties(&mut heap, &nodes, &objects, &mut tail)?;
        let hashes = if native { self.layout.hashes.unwrap_or(objects.hashes) } else { objects.hashes };
        if hashes {
            if objects.added {
                tail.push(&[0])?;
            }
            let mut reader = nodes.reader();
            for _ in 0..heap.ids.len() {
                let hash = DeferredNode::read(&mut reader)?.hash;
                tail.build(|out| push_varint(out, hash))?;
            }
        }
        let claimed = |key| self.number(key).filter(|_| same);
        let mut head = Spool::new();
        let name = self.head.get("dart.name").map_or(source, str::to_owned);
        let size = claimed("dart.shallow_size").unwrap_or(objects.size);
        let capacity = claimed("dart.capacity").unwrap_or(size);
        head.push(MAGIC)?;
        head.build(|out| {
            push_varint(out, claimed("dart.flags").unwrap_or(0));
            push_varint(out, name.len() as u64);
            out.extend_from_slice(name.as_bytes());
            for n in [size, capacity, claimed("dart.external_size").unwrap_or(external)] {
                push_varint(out, n);
            }
        })?;
        heap.table.write(&mut head)?;
        let references = claimed("dart.reference_count").unwrap_or(objects.references);
        head.build(|out| {
            push_varint(out, references);
            push_varint(out, count);
        })?;
        for part in [&head, &objects.bytes, &tail] {
            part.copy_to(&mut self.out)?;
        }
        let zeros = [0; 4096];
        let mut padding = if same { self.layout.padding } else { 0 };
        while padding > 0 {
            let n = padding.min(zeros.len() as u64);
            self.write(&zeros[..n as usize])?;
            padding -= n;
        }
        self.left_out.add("bytes behind the end", self.layout.trailing);
        self.left_out.add("heads of service messages", self.number("dart.messages").unwrap_or(0));
        Ok(())
    }

    /// Writes the external properties: those of the stream, or one for each object that has bytes outside the heap. Returns
    /// the bytes of all.
    fn properties(
        &mut self,
        heap: &mut Heap,
        nodes: &Spool,
        objects: &objects::Written,
        tail: &mut Spool,
    ) -> Result<u64> {
        let mut total = 0u64;
        let mut properties = Spool::new();
        let mut count = 0;
        let mut add = |object: u64, size: u64, name: &[u8]| {
            total = total.plus(size);
            count += 1;
            properties.build(|out| {
                push_varint(out, object);
                push_varint(out, size);
                push_varint(out, name.len() as u64);
                out.extend_from_slice(name);
            })
        };
        if self.property_count > 0 {
            let mut list = self.properties.reader();
            for _ in 0..self.property_count {
                let (object, size, name) = (list.signed()?, list.varint()?, list.signed()?);
                let place = heap.place(object, objects.added);
                let Some(place) = place else {
                    self.left_out.add("external properties of objects that are not there", 1);
                    continue;
                };
                let text = heap.texts.get(name)?.map(Text::utf8).unwrap_or_default();
                add(place, size, &text)?;
            }
        } else if objects.external {
            let mut reader = nodes.reader();
            for node in 0..heap.ids.len() {
                let size = DeferredNode::read(&mut reader)?.external;
                if size > 0 {
                    add(u64::from(node) + 1 + u64::from(objects.added), size, b"external")?;
                }
            }
        }
        tail.build(|out| push_varint(out, count))?;
        tail.append(&properties)?;
        Ok(total)
    }
}

impl<W: Write> Sink for Writer<W> {
    fn wants(&self) -> Wants {
        Wants::IN_ORDER
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        self.head.take(record, self.native.is_some(), &mut self.left_out)
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.types.declare(record);
        self.sorts.declare_node(record);
        Ok(())
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        self.heap.texts.add(record)
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        batch.try_for_each(|node| self.node(node))
    }

    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        batch.try_for_each(|edge| self.edge(edge))
    }

    fn extension(&mut self, record: &Extension<'_>) -> Result {
        let native = self.native();
        match record.kind {
            "dart.class" | "dart.class_field" if native => self.heap.table.record(record),
            "dart.external" if native => {
                let number = |key| uint(record.body, key).unwrap_or(0);
                let (object, size, name) = (number("object"), number("size"), number("name"));
                self.property_count += 1;
                self.properties.build(|out| {
                    push_varint(out, heap_base::zigzag(object as i64));
                    push_varint(out, size);
                    push_varint(out, heap_base::zigzag(name as i64));
                })?;
            }
            "dart.layout" if native => self.layout = Layout::of(record.body),
            kind => self.left_out.add(&format!("{kind} records"), 1),
        }
        Ok(())
    }

    /// Writes the snapshot. Damage does not matter: what came is in it.
    fn finish(&mut self, _: bool) -> Result {
        if std::mem::replace(&mut self.finished, true) {
            return Ok(());
        }
        self.assemble()?;
        self.lost.move_to(&self.types, &mut self.left_out);
        self.out.flush().map_err(Error::write)
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
