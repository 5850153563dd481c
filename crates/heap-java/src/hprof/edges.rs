//! The pass that delivers edges, in the order of the nodes.

use heap_base::{Blob, Result, WorkQueue, sort_by_key};
use heap_record::{Ends, Shard, StringId, Value};

use super::classes::{Class, Role};
use super::dump::Dump;
use super::ids::id;
use super::items::{Item, Items};
use super::pieces::Piece;
use super::values::{Number, bits, number};
use crate::addresses::Numbers;
use crate::emit::{EdgeType, Edges, Out, Target};
use crate::layout::Kind;
use crate::window::Window;

/// Where edges come from, by node indexes if there are `numbers`.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) blob: &'a Blob,
    pub(crate) dump: &'a Dump,
    pub(crate) pieces: &'a [Piece],
    pub(crate) numbers: Option<&'a Numbers>,
}

impl Source<'_> {
    fn ends(&self) -> Ends {
        if self.numbers.is_some() { Ends::Indexes } else { Ends::Identifiers }
    }

    fn items(&self) -> Items<'_> {
        Items::new(Window::new(self.blob, 0), self.dump.scan.header.id_size)
    }

    /// Delivers edges from the first on: those of the first piece, and of the pieces that are left.
    ///
    /// # Errors
    /// Those of reading and of the sink.
    pub(crate) fn front(&self, left: &WorkQueue, out: &mut Out<'_>) -> Result {
        let mut edges = Edges::new(out, self.ends());
        self.roots(&mut edges)?;
        self.frames(&mut edges)?;
        for class in self.dump.scan.classes.all().iter().filter(|class| class.dumped) {
            self.class(class, &mut edges)?;
        }
        let mut items = self.items();
        let mut next = Some(0);
        while let Some(piece) = next.and_then(|at| self.pieces.get(at)) {
            self.piece(piece, &mut items, &mut edges)?;
            next = left.first();
        }
        edges.flush()
    }

    /// Delivers the edges of pieces that are left from the last on, each to a shard. Returns these in that order.
    ///
    /// # Errors
    /// Those of reading and of the shards.
    pub(crate) fn back(
        &self,
        left: &WorkQueue,
        mut shards: Vec<Box<dyn Shard>>,
    ) -> Result<Vec<Box<dyn Shard>>> {
        let mut items = self.items();
        let mut taken = Vec::new();
        while let Some((at, mut shard)) = left.last().zip(shards.pop()) {
            let mut out = Out::new(&mut *shard);
            let mut edges = Edges::new(&mut out, self.ends());
            self.piece(&self.pieces[at], &mut items, &mut edges)?;
            edges.flush()?;
            taken.push(shard);
        }
        Ok(taken)
    }

    /// The end of an edge at an address. By index only those that have a node.
    #[inline]
    fn target(&self, address: u64) -> Option<Target> {
        match self.numbers {
            None => Some(Target(self.dump.value(address))),
            Some(numbers) => {
                let node = match numbers.get(address) {
                    Some(number) => self.dump.first_object + number,
                    None => self.dump.class_node(address)?,
                };
                Some(Target(node.into()))
            }
        }
    }

    /// The end of an edge at a node of which index and identifier are known.
    #[inline]
    fn node(&self, node: u32, value: Value) -> Target {
        Target(if self.numbers.is_some() { node.into() } else { value })
    }

    /// The edges of the objects in a piece.
    fn piece(&self, piece: &Piece, items: &mut Items<'_>, edges: &mut Edges<'_, '_>) -> Result {
        // Numbers beyond 32 bits are for sinks that take identifiers.
        let mut node = self.dump.first_object.wrapping_add(piece.first as u32);
        for segment in self.dump.scan.segments_of(piece) {
            items.enter(segment);
            while let Some(item) = items.next()? {
                match item {
                    Item::Instance { id, class, len, .. } => {
                        self.instance(items, (id, node), class, len, edges)?;
                    }
                    Item::Objects { id, class, .. } => self.array(items, (id, node), class, edges)?,
                    Item::Primitives { id, kind, .. } => self.primitives((id, node), kind, edges)?,
                    Item::Root(_) | Item::Class | Item::Heap(_) | Item::Note => continue,
                }
                node = node.wrapping_add(1);
            }
        }
        Ok(())
    }

    fn roots(&self, edges: &mut Edges<'_, '_>) -> Result {
        let mut roots = self.dump.threads.roots.clone();
        sort_by_key(&mut roots, |root| root.kind);
        for (node, &(kind, _)) in (0..).zip(&self.dump.root_kinds) {
            let value = self.dump.own_value(node);
            if !edges.source(value, self.node(node, value))? {
                continue;
            }
            let from = roots.partition_point(|root| root.kind < kind);
            for root in roots[from..].iter().take_while(|root| root.kind == kind) {
                if let Some(target) = self.target(root.object).filter(|_| root.object != 0) {
                    edges.bare(EdgeType::Root, target)?;
                }
            }
        }
        Ok(())
    }

    fn frames(&self, edges: &mut Edges<'_, '_>) -> Result {
        for (node, frame) in (self.dump.root_kinds.len() as u32..).zip(&self.dump.threads.frames) {
            let value = self.dump.own_value(node);
            if frame.locals.is_empty() || !edges.source(value, self.node(node, value))? {
                continue;
            }
            self.locals(&frame.locals, edges)?;
        }
        Ok(())
    }

    fn locals(&self, locals: &[u64], edges: &mut Edges<'_, '_>) -> Result {
        for target in locals.iter().filter(|&&local| local != 0).filter_map(|&local| self.target(local)) {
            edges.bare(EdgeType::Local, target)?;
        }
        Ok(())
    }

    fn class(&self, class: &Class, edges: &mut Edges<'_, '_>) -> Result {
        let dump = self.dump;
        let value = dump.value(class.id);
        let Some(node) = dump.class_node(class.id) else { return Ok(()) };
        if !edges.source(value, self.node(node, value))? {
            return Ok(());
        }
        let push = |edges: &mut Edges<'_, '_>, subtype, address: u64, label| match self
            .target(address)
            .filter(|_| address != 0)
        {
            Some(target) => edges.push(subtype, target, label),
            None => Ok(()),
        };
        for (field, &label) in dump.scan.classes.statics(class).iter().zip(dump.static_labels(class)) {
            if field.kind == Kind::Object {
                push(edges, EdgeType::Static, field.value, label)?;
            } else if dump.values {
                self.value((EdgeType::Static, label), number(field.kind, field.value), edges)?;
            }
        }
        let labels = dump.labels;
        push(edges, EdgeType::Super, class.superclass, labels.superclass)?;
        push(edges, EdgeType::Loader, class.loader, labels.loader)?;
        push(edges, EdgeType::Signers, class.signers, labels.signers)?;
        push(edges, EdgeType::ProtectionDomain, class.domain, labels.domain)?;
        push(edges, EdgeType::Class, dump.class_class.1, labels.class)?;
        for &(index, object) in dump.scan.classes.constants(class) {
            if let Some(target) = self.target(object).filter(|_| object != 0) {
                edges.element(EdgeType::Constant, target, index.into())?;
            }
        }
        Ok(())
    }

    /// An edge to the value of a primitive field. Indexes are of nodes, so by index there are none.
    fn value(
        &self,
        (subtype, label): (EdgeType, StringId),
        number: Number,
        edges: &mut Edges<'_, '_>,
    ) -> Result {
        if self.numbers.is_some() { Ok(()) } else { edges.number(subtype, number, label) }
    }

    #[inline]
    fn instance(
        &self,
        items: &mut Items<'_>,
        (address, node): (u64, u32),
        class_id: u64,
        len: u32,
        edges: &mut Edges<'_, '_>,
    ) -> Result {
        let dump = self.dump;
        let classes = &dump.scan.classes;
        let value = dump.value(address);
        if !edges.source(value, self.node(node, value))? {
            return Ok(());
        }
        // The first pass has met the class.
        let Some(class) = classes.find(class_id).and_then(|number| classes.get(number)) else {
            return Ok(());
        };
        if class.body == u64::from(len) && class.plan.0 < class.plan.1 && items.window.has(len as usize)? {
            let size = items.id_size();
            let body = items.window.peek(len as usize);
            for reference in &dump.references[class.plan.0 as usize..class.plan.1 as usize] {
                let bytes = &body[reference.offset as usize..];
                if reference.kind != Kind::Object {
                    if !dump.values {
                        continue;
                    }
                    let number = number(reference.kind, bits(bytes, reference.kind));
                    self.value((reference.subtype, reference.label), number, edges)?;
                    continue;
                }
                let object = id(bytes, size);
                if object != 0
                    && let Some(target) = self.target(object)
                {
                    edges.push(reference.subtype, target, reference.label)?;
                }
            }
        }
        if let Some(target) = self.target(class_id) {
            edges.push(EdgeType::Class, target, dump.labels.class)?;
        }
        if class.role == Role::Thread { self.thread(address, edges) } else { Ok(()) }
    }

    /// A thread refers to its frames, and to what its stack holds beside them.
    fn thread(&self, address: u64, edges: &mut Edges<'_, '_>) -> Result {
        let Some(thread) = self.dump.threads.of(address) else { return Ok(()) };
        let first = self.dump.root_kinds.len() as u32;
        for (depth, frame) in (0..).zip(thread.frames.0..thread.frames.1) {
            let node = first + frame;
            edges.element(EdgeType::Frame, self.node(node, self.dump.own_value(node)), depth)?;
        }
        self.locals(&thread.locals, edges)
    }

    fn array(
        &self,
        items: &mut Items<'_>,
        (address, node): (u64, u32),
        class: u64,
        edges: &mut Edges<'_, '_>,
    ) -> Result {
        let value = self.dump.value(address);
        if !edges.source(value, self.node(node, value))? {
            return Ok(());
        }
        items.references(|index, object| match self.target(object) {
            Some(target) => edges.element(EdgeType::Element, target, index),
            None => Ok(()),
        })?;
        match self.target(class) {
            Some(target) => edges.push(EdgeType::Class, target, self.dump.labels.class),
            None => Ok(()),
        }
    }

    fn primitives(&self, (address, node): (u64, u32), kind: Kind, edges: &mut Edges<'_, '_>) -> Result {
        let class = self.dump.primitive_classes[kind.index()].1;
        let value = self.dump.value(address);
        if class == 0 || !edges.source(value, self.node(node, value))? {
            return Ok(());
        }
        match self.target(class) {
            Some(target) => edges.push(EdgeType::Class, target, self.dump.labels.class),
            None => Ok(()),
        }
    }
}
