//! Writes classes, then objects in the order of the stream, each with what stands behind it.

use std::collections::hash_map::Entry;
use std::io::Write;
use std::rc::Rc;

use heap_base::{Map, Reader, Result};
use heap_record::{LeftOut, StringId};
use heap_spool::{Form as TextForm, Link, Texts};

use super::classes::{self, NAME, OBJECTS, Plan, STRING};
use super::file::{File, Place, id};
use super::heap::{EdgeForm, Heap, Unlabelled};
use super::node::{DeferredNode, Form, address};
use super::{Input, number_of};
use crate::hprof::{Number, bits_of};
use crate::layout::Kind;

/// Where a label of a class is: at an offset, or at one of several, or nowhere.
#[derive(Clone, Copy, Debug)]
enum Slot {
    At(u32),
    Several,
    Nowhere,
}

/// Offsets and types of fields.
type Places = Rc<[(u32, Kind)]>;

/// How many plans are kept, and how many labels with their places. When there are more, they are made again.
const MAX_PLANS: usize = if cfg!(test) { 2 } else { 1 << 13 };
const MAX_SLOTS: usize = if cfg!(test) { 2 } else { 1 << 16 };

/// Writes the file.
pub(super) struct Maker<'a, W: Write> {
    pub(super) heap: Heap<'a>,
    above: Vec<u32>,
    plans: Map<u32, Plan>,
    slots: Map<(u32, StringId), Slot>,
    /// Primitive fields by class and label.
    primitives: Map<(u32, StringId), Places>,
    /// Strings that were made for names, by their texts.
    names: Map<StringId, u64>,
    texts: Texts,
    pub(super) file: File<W>,
    pub(super) left_out: &'a mut LeftOut,
    pub(super) written: u64,
    /// Bytes of names, out of those.
    pub(super) name_bytes: u64,
    pub(super) delivered: u64,
    pub(super) too_large: u64,
}

/// The longest array of Java.
const MAX_LENGTH: u64 = i32::MAX as u64;

/// An object in work.
#[derive(Debug, Default)]
struct Parts {
    body: Vec<u8>,
    elements: Vec<(u32, u64)>,
    /// Name and target.
    more: Vec<(StringId, u64)>,
    /// Offsets of primitives that have their values, where several have one label.
    filled: Vec<u32>,
}

impl<'a, W: Write> Maker<'a, W> {
    pub(super) fn new(heap: Heap<'a>, texts: Texts, file: File<W>, left_out: &'a mut LeftOut) -> Self {
        Self {
            above: heap.classes.above(),
            plans: Map::default(),
            slots: Map::default(),
            primitives: Map::default(),
            names: Map::default(),
            heap,
            texts,
            file,
            left_out,
            written: 0,
            name_bytes: 0,
            delivered: 0,
            too_large: 0,
        }
    }

    /// Everything before the objects.
    pub(super) fn front(&mut self, input: &Input) -> Result {
        let count = self.heap.classes.list.len();
        for number in 0..count {
            let class = &self.heap.classes.list[number];
            let (object, serial) = (class.id, number as u32 + 1);
            let name = self.file.name(Rc::clone(&class.machine))?;
            self.file.record(0x02, |out, size| {
                out.extend(serial.to_be_bytes());
                id(out, size, object);
                out.extend([0; 4]);
                id(out, size, name);
            })?;
        }
        let index = self.heap.index;
        let Heap { roots, classes, .. } = &mut self.heap;
        let first = roots.traces(input, |id| address(id, index), classes, &mut self.texts, &mut self.file)?;
        input.stacks.write(first, classes, &mut self.texts, &mut self.file, self.left_out)?;
        for number in 0..count {
            self.class(number)?;
        }
        self.heap.classes.forget();
        self.file.forget_names();
        Ok(())
    }

    fn class(&mut self, number: usize) -> Result {
        let class = self.heap.classes.list[number].clone();
        if !self.heap.java {
            self.written += classes::CLASS_BYTES;
        }
        let id_size = self.file.id_size;
        let body = class.fields.iter().map(|field| field.kind.bytes_in(id_size) as u64).sum::<u64>();
        let size = class.instance_size.unwrap_or(body.try_into().unwrap_or(u32::MAX));
        let mut names = Vec::with_capacity(class.statics.len() + class.fields.len());
        for label in class.statics.iter().map(|f| f.label).chain(class.fields.iter().map(|f| f.label)) {
            let name = classes::name(label, &mut self.texts)?;
            names.push(self.file.name(&*name)?);
        }
        self.file.sub(Place::Here, |out, id_size| {
            out.push(0x20);
            id(out, id_size, class.id);
            out.extend(class.trace.to_be_bytes());
            for value in [class.superclass, class.loader, class.signers, class.domain, 0, 0] {
                id(out, id_size, value);
            }
            out.extend(size.to_be_bytes());
            let count = |n: usize| u16::try_from(n).unwrap_or(u16::MAX).to_be_bytes();
            out.extend(count(class.constants.len()));
            for &(index, value) in class.constants.iter().take(u16::MAX.into()) {
                out.extend(index.to_be_bytes());
                out.push(Kind::Object as u8);
                id(out, id_size, value);
            }
            let mut names = names.iter();
            let mut name = |out: &mut Vec<u8>| id(out, id_size, names.next().copied().unwrap_or(0));
            out.extend(count(class.statics.len()));
            for field in &class.statics {
                name(out);
                out.push(field.kind as u8);
                match field.kind {
                    Kind::Object => id(out, id_size, field.value),
                    kind => out.extend(&field.value.to_be_bytes()[8 - kind.bytes() as usize..]),
                }
            }
            out.extend(count(class.fields.len()));
            for field in &class.fields {
                name(out);
                out.push(field.kind as u8);
            }
        })
    }

    /// All objects, each with the edges that start from it.
    pub(super) fn objects(&mut self, input: Input) -> Result {
        let ids = self.heap.ids;
        let mut nodes = input.nodes.reader();
        let (mut next, mut links) = (0, Vec::new());
        input.links.by_source(ids)?.for_each(ids, |node, link| {
            while next < node {
                self.object(next, &mut nodes, &links)?;
                links.clear();
                next += 1;
            }
            self.delivered += 1;
            links.push(link);
            Ok(())
        })?;
        while next < ids.len() {
            self.object(next, &mut nodes, &links)?;
            links.clear();
            next += 1;
        }
        Ok(())
    }

    fn object(&mut self, number: u32, nodes: &mut Reader<'_>, links: &[Link]) -> Result {
        let node = DeferredNode::read(nodes)?;
        let object = self.heap.address(number);
        let class = self.heap.class_of[number as usize];
        match node.form {
            Form::Class | Form::Frame | Form::Root => Ok(()),
            Form::Primitives => {
                let (kind, len) = (Heap::primitive(class), self.heap.lengths.get(number as usize));
                let len = self.clamp(len.copied().unwrap_or(0), kind.bytes());
                let contents = match self.heap.contents.get(&number) {
                    Some(&text) => self.contents(text, kind, Some(len))?.0,
                    None => Vec::new(),
                };
                self.file.primitives(Place::Here, object, (kind, len), &contents, node.trace)
            }
            Form::Objects => {
                let mut parts = Parts::default();
                self.sort_edges(class, links, &mut parts)?;
                let least = parts.elements.last().map_or(0, |last| last.0.saturating_add(1));
                let len = self.heap.lengths.get(number as usize).copied().unwrap_or(0).max(least);
                let len = self.clamp(len, self.file.id_size as u64);
                let class = self.heap.classes.get(class).map_or(0, |class| class.id);
                self.file.objects(Place::Here, object, (class, len), &parts.elements, node.trace)
            }
            Form::Instance | Form::String => self.instance(object, class, node, links),
        }
    }

    /// A length that a segment has room for.
    fn clamp(&mut self, len: u32, element: u64) -> u32 {
        let most = File::<W>::most(element).min(u32::MAX.into()) as u32;
        self.too_large += u64::from(len.saturating_sub(most));
        len.min(most)
    }

    fn plan(&mut self, class: u32) -> Result<&Plan> {
        if self.plans.len() >= MAX_PLANS && !self.plans.contains_key(&class) {
            self.plans.clear();
        }
        match self.plans.entry(class) {
            Entry::Occupied(plan) => Ok(plan.into_mut()),
            Entry::Vacant(slot) => {
                let (classes, size) = (&self.heap.classes, self.file.id_size);
                Ok(slot.insert(Plan::new(classes, &self.above, class, size, &mut self.texts)?))
            }
        }
    }

    /// Puts the edges of an object where they go: into its body, among its elements, behind it.
    fn sort_edges(&mut self, class: u32, links: &[Link], parts: &mut Parts) -> Result {
        let mut unlabelled = Unlabelled::default();
        let size = self.file.id_size;
        for link in links {
            let form = self.heap.edge_form(link.subtype);
            let label = unlabelled.label(link);
            match form {
                EdgeForm::Weak => {
                    self.left_out.add("weak edges", 1);
                    continue;
                }
                EdgeForm::Class | EdgeForm::Frame | EdgeForm::Local if self.heap.java => continue,
                _ => {}
            }
            if let Some(value) = number_of(link) {
                if !self.primitive(class, label, value, parts)? {
                    self.left_out.add("edges to numbers", 1);
                }
                continue;
            }
            let Some(dest) = link.dest else {
                self.left_out.add("edges to numbers", 1);
                continue;
            };
            let Some(target) = self.heap.target(dest) else {
                self.left_out.add("edges to nodes that are not there", 1);
                continue;
            };
            if form == EdgeForm::Element || parts.body.is_empty() && self.heap.java && label < 0 {
                let at = u32::try_from(-(label + 1)).unwrap_or(parts.elements.len() as u32);
                parts.elements.push((at, target));
                continue;
            }
            let slot = if let Some(&slot) = self.slots.get(&(class, label)) {
                slot
            } else {
                let text = classes::text(label, &mut self.texts)?;
                let slot = match *self.plan(class)?.offsets(&text) {
                    [] => Slot::Nowhere,
                    [at] => Slot::At(at),
                    _ => Slot::Several,
                };
                if self.slots.len() >= MAX_SLOTS {
                    self.slots.clear();
                }
                self.slots.insert((class, label), slot);
                slot
            };
            let free = |body: &[u8], at: u32| {
                body.get(at as usize..at as usize + size).is_some_and(|b| b.iter().all(|&b| b == 0))
            };
            let at = match slot {
                Slot::At(at) => Some(at).filter(|&at| free(&parts.body, at)),
                Slot::Nowhere => None,
                Slot::Several => {
                    let text = classes::text(label, &mut self.texts)?;
                    let offsets = self.plan(class)?.offsets(&text);
                    offsets.iter().copied().find(|&at| free(&parts.body, at))
                }
            };
            match at {
                Some(at) => put(&mut parts.body, at, size, target),
                None => parts.more.push((if link.label.is_some() { label } else { StringId::MIN }, target)),
            }
        }
        // Places that no label says, or two edges at one place: as they come.
        let sorted = parts.elements.windows(2).all(|pair| pair[0].0 < pair[1].0);
        if !sorted {
            parts.elements.sort_by_key(|&(at, _)| at);
            let mut next = 0;
            for element in &mut parts.elements {
                element.0 = element.0.max(next);
                next = element.0.saturating_add(1);
            }
        }
        Ok(())
    }

    /// Puts the value of a primitive field into a body; false if the class has no such field.
    fn primitive(&mut self, class: u32, label: StringId, value: Number, parts: &mut Parts) -> Result<bool> {
        if !self.heap.java || parts.body.is_empty() {
            return Ok(false);
        }
        let fields = if let Some(fields) = self.primitives.get(&(class, label)) {
            Rc::clone(fields)
        } else {
            let text = classes::text(label, &mut self.texts)?;
            let fields: Places = self.plan(class)?.primitives(&text).into();
            if self.primitives.len() >= MAX_SLOTS {
                self.primitives.clear();
            }
            self.primitives.insert((class, label), Rc::clone(&fields));
            fields
        };
        // Fields of one name come in the order of the body.
        let open = |at: u32| fields.len() == 1 || !parts.filled.contains(&at);
        for &(at, kind) in fields.iter().filter(|(at, _)| open(*at)) {
            if let Some(bits) = bits_of(kind, value) {
                let size = kind.bytes() as usize;
                if let Some(slot) = parts.body.get_mut(at as usize..at as usize + size) {
                    slot.copy_from_slice(&bits.to_be_bytes()[8 - size..]);
                }
                if fields.len() > 1 {
                    parts.filled.push(at);
                }
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn instance(&mut self, object: u64, class: u32, node: DeferredNode, links: &[Link]) -> Result {
        let size = self.file.id_size;
        let plan = self.plan(class)?;
        let (coder, capacity, own) = (plan.coder, plan.capacity, plan.own);
        let mut parts = Parts { body: vec![0; plan.body as usize], ..Parts::default() };
        self.sort_edges(class, links, &mut parts)?;
        let Some(made) = self.heap.classes.get(class) else { return Ok(()) };
        let (class_id, declared, bytes) = (made.id, made.declared, made.bytes);
        let mut behind = 0;
        if node.form == Form::String {
            behind += self.string(&node, links, coder, own.value, &mut parts.body)?;
        } else if let (Some(at), Ok(external)) = (capacity, i32::try_from(node.external))
            && external > 0
        {
            parts.body[at as usize..at as usize + 4].copy_from_slice(&external.to_be_bytes());
        }
        if let (Some(at), Some(name)) = (own.name, node.name) {
            let text = self.name(name)?;
            put(&mut parts.body, at, size, text);
        }
        if let (Some(at), false) = (own.elements, parts.elements.is_empty()) {
            // Elements far beyond how many there are would be an array of nulls.
            let dense = parts.elements.last().map_or(0, |last| u64::from(last.0) + 1);
            if dense > parts.elements.len() as u64 * 4 + 64 {
                (0..).zip(&mut parts.elements).for_each(|(at, element)| element.0 = at);
            }
            let len = parts.elements.last().map_or(0, |last| last.0.saturating_add(1));
            let (array, bytes) = self.made_objects(len, &parts.elements)?;
            put(&mut parts.body, at, size, array);
            behind += bytes;
        }
        let more = parts.more.len() as u64;
        if let (Some(at), 1..) = (own.more, more) {
            let mut pairs = Vec::with_capacity(parts.more.len() * 2);
            for (n, &(label, target)) in (0..).zip(&parts.more) {
                if label != StringId::MIN {
                    pairs.push((n * 2, self.name(label)?));
                }
                pairs.push((n * 2 + 1, target));
            }
            let len = u32::try_from(more * 2).unwrap_or(u32::MAX);
            let (array, bytes) = self.made_objects(len, &pairs)?;
            put(&mut parts.body, at, size, array);
            behind += bytes;
        } else if more > 0 {
            let kind =
                if declared { "edges that are no field of their class" } else { "edges without a place" };
            self.left_out.add(kind, more);
        }
        let left = node.size.saturating_sub(bytes + behind);
        let base = self.heap.layout.array_base(1);
        if let Some(at) = own.rest.filter(|_| left >= base + 8) {
            let len = ((left & !7) - base).min(MAX_LENGTH) as u32;
            let array = self.made_bytes(len, &[])?;
            put(&mut parts.body, at, size, array);
        }
        self.written += bytes;
        let body = parts.body;
        self.file.sub(Place::Here, |out, size| {
            out.push(0x21);
            id(out, size, object);
            out.extend(node.trace.to_be_bytes());
            id(out, size, class_id);
            out.extend((body.len() as u32).to_be_bytes());
            out.extend(body);
        })
    }

    /// Gives a string its contents, if the stream has them. Returns the bytes of an array that was made for them.
    fn string(
        &mut self,
        node: &DeferredNode,
        links: &[Link],
        coder: Option<u32>,
        value: Option<u32>,
        body: &mut [u8],
    ) -> Result<u64> {
        let Some(text) = node.text else { return Ok(0) };
        let size = self.file.id_size;
        let has_array = value.is_some_and(|at| body[at as usize..at as usize + size].iter().any(|&b| b != 0));
        let (mut made, mut wide) = (0, None);
        if has_array {
            // The array is a node; whether it is wide follows from its length.
            let arrays = links.iter().filter_map(|link| self.heap.ids.find(link.dest?));
            let array = arrays.into_iter().find(|array| self.heap.contents.get(array) == Some(&text));
            match array {
                Some(array) => {
                    let (kind, len) = (
                        Heap::primitive(self.heap.class_of[array as usize]),
                        self.heap.lengths.get(array as usize).copied(),
                    );
                    wide = Some(self.contents(text, kind, len)?.1);
                }
                None => self.left_out.add("texts of strings whose array is not there", 1),
            }
        } else if let Some(at) = value {
            let kind = if coder.is_some() { Kind::Byte } else { Kind::Char };
            let (contents, is_wide) = self.contents(text, kind, None)?;
            wide = Some(is_wide);
            let len = self.clamp((contents.len() as u64 / kind.bytes()) as u32, kind.bytes());
            let bytes = self.heap.layout.array(kind, len.into());
            let array = self.place(bytes);
            self.file.primitives(Place::Behind, array, (kind, len), &contents, 0)?;
            put(body, at, size, array);
            made = bytes;
        } else {
            self.left_out.add("texts of strings without a place", 1);
        }
        if let (Some(at), Some(wide)) = (coder, wide) {
            body[at as usize] = wide.into();
        }
        Ok(made)
    }

    /// The bytes of a text in an array of this type and length, and whether its characters take two bytes.
    fn contents(&mut self, text: StringId, kind: Kind, len: Option<u32>) -> Result<(Vec<u8>, bool)> {
        let Some(text) = self.texts.get(text)? else { return Ok((Vec::new(), false)) };
        let units: Vec<u16> = match text.form {
            TextForm::Utf16 => {
                text.bytes.as_chunks::<2>().0.iter().map(|&pair| u16::from_le_bytes(pair)).collect()
            }
            _ => String::from_utf8_lossy(text.bytes).encode_utf16().collect(),
        };
        if kind == Kind::Char {
            return Ok((units.iter().flat_map(|unit| unit.to_be_bytes()).collect(), true));
        }
        let fits = units.iter().all(|&unit| unit < 256);
        let doubled = len.is_some_and(|len| !units.is_empty() && len as usize == units.len() * 2);
        if fits && !doubled {
            return Ok((units.iter().map(|&unit| unit as u8).collect(), false));
        }
        Ok((units.iter().flat_map(|unit| unit.to_le_bytes()).collect(), true))
    }

    /// The string that was made for a name.
    fn name(&mut self, label: StringId) -> Result<u64> {
        if let Some(&known) = self.names.get(&label) {
            return Ok(known);
        }
        let class = self.heap.classes.known(NAME).or_else(|| self.heap.classes.known(STRING));
        let Some(class) = class else { return Ok(0) };
        let plan = self.plan(class)?;
        let (mut body, coder) = (vec![0; plan.body as usize], plan.coder);
        let Some(value) = plan.own.value else { return Ok(0) };
        let before = self.written;
        let (contents, wide) = self.contents(label, Kind::Byte, None)?;
        let array = self.made_bytes(contents.len().try_into().unwrap_or(u32::MAX), &contents)?;
        put(&mut body, value, self.file.id_size, array);
        if let Some(at) = coder.filter(|_| wide) {
            body[at as usize] = 1;
        }
        let (class, string) = (self.heap.classes.get(class), self.heap.classes.known(STRING));
        let bytes = string.and_then(|string| self.heap.classes.get(string)).map_or(0, |string| string.bytes);
        let class = class.map_or(0, |class| class.id);
        let object = self.place(bytes.max(24));
        self.file.sub(Place::Behind, |out, size| {
            out.push(0x21);
            id(out, size, object);
            out.extend([0; 4]);
            id(out, size, class);
            out.extend((body.len() as u32).to_be_bytes());
            out.extend(body);
        })?;
        self.names.insert(label, object);
        self.name_bytes += self.written - before;
        Ok(object)
    }

    /// Lets a root hold the names, so that no object retains them.
    pub(super) fn hold_names(&mut self) -> Result {
        if self.names.is_empty() {
            return Ok(());
        }
        let mut names: Vec<u64> = self.names.values().copied().collect();
        heap_base::sort(&mut names);
        let names: Vec<(u32, u64)> = (0..).zip(names).collect();
        let (array, bytes) = self.made_objects(names.len() as u32, &names)?;
        self.name_bytes += bytes;
        self.heap.roots.list.push((0xff, array));
        Ok(())
    }

    fn place(&mut self, bytes: u64) -> u64 {
        let at = self.heap.next;
        self.heap.next = at.saturating_add(bytes.max(16).next_multiple_of(8));
        self.written += bytes;
        at
    }

    fn made_bytes(&mut self, len: u32, contents: &[u8]) -> Result<u64> {
        let len = self.clamp(len, 1);
        let array = self.place(self.heap.layout.array(Kind::Byte, len.into()));
        self.file.primitives(Place::Behind, array, (Kind::Byte, len), contents, 0)?;
        Ok(array)
    }

    fn made_objects(&mut self, len: u32, elements: &[(u32, u64)]) -> Result<(u64, u64)> {
        let len = self.clamp(len, self.file.id_size as u64);
        let bytes = self.heap.layout.array(Kind::Object, len.into());
        let array = self.place(bytes);
        let class = self.heap.classes.known(OBJECTS);
        let class = class.and_then(|class| self.heap.classes.get(class)).map_or(0, |class| class.id);
        self.file.objects(Place::Behind, array, (class, len), elements, 0)?;
        Ok((array, bytes))
    }
}

/// Writes a reference into a body.
fn put(body: &mut [u8], at: u32, size: usize, target: u64) {
    let bytes = target.to_be_bytes();
    if let Some(slot) = body.get_mut(at as usize..at as usize + size) {
        slot.copy_from_slice(&bytes[8 - size..]);
    }
}
