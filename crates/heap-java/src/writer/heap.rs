//! Puts the file together: classes first, then objects in the order of the stream, then roots.

use heap_base::{BitSet, Map, Result};
use heap_record::{LeftOut, Retains, StringId, Types, Value};
use heap_spool::{Ids, Link, Texts};

use super::classes::{
    self, Class, Classes, Label, Labels, NAME, NONE, OBJECTS, STRING, Static, machine_name, made_name,
};
use super::node::{DeferredNode, Form, address};
use super::roots::Roots;
use super::{Input, number_of};
use crate::hprof::{Number, bits_of};
use crate::layout::{Kind, Layout};

/// What an edge of a stream that comes from Java is to the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EdgeForm {
    Field,
    Element,
    Static,
    Class,
    Super,
    Loader,
    Signers,
    Domain,
    Constant,
    Frame,
    Local,
    Root,
    /// One that does not retain, in a stream from elsewhere.
    Weak,
}

impl EdgeForm {
    fn of(subtype: u32, types: &Types, java: bool) -> Self {
        let name = types.edge_name(subtype);
        match &*name {
            "array element" => Self::Element,
            _ if !java && types.retains(subtype) == Retains::No => Self::Weak,
            _ if !java => Self::Field,
            "java.static" => Self::Static,
            "java.class" => Self::Class,
            "java.super" => Self::Super,
            "java.loader" => Self::Loader,
            "java.signers" => Self::Signers,
            "java.protection_domain" => Self::Domain,
            "java.constant" => Self::Constant,
            "heap.frame" => Self::Frame,
            "heap.local" => Self::Local,
            "java.root" => Self::Root,
            _ => Self::Field,
        }
    }
}

/// All that is known before objects are written.
pub(super) struct Heap<'a> {
    pub(super) java: bool,
    /// Identifiers count, they are no addresses.
    pub(super) index: bool,
    pub(super) layout: Layout,
    pub(super) types: &'a Types,
    pub(super) ids: &'a Ids,
    pub(super) classes: Classes,
    /// Class of each node.
    pub(super) class_of: Vec<u32>,
    pub(super) forms: Vec<Form>,
    /// Length of each array, in streams from Java.
    pub(super) lengths: Vec<u32>,
    /// Contents of arrays that strings refer to, by node.
    pub(super) contents: Map<u32, StringId>,
    pub(super) edge_forms: Map<u32, EdgeForm>,
    /// Addresses of nodes in a stream from elsewhere, in units of 8 bytes.
    pub(super) places: Vec<u32>,
    pub(super) roots: Roots,
    /// Where made objects begin.
    pub(super) next: u64,
}

/// The label of an edge without one, by its place among those of its node.
fn place_label(at: u32) -> StringId {
    -StringId::from(at) - 1
}

/// The place of an edge without a label among those of its node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Unlabelled {
    source: Option<Value>,
    count: u32,
}

impl Unlabelled {
    pub(super) fn label(&mut self, link: &Link) -> StringId {
        if self.source != Some(link.source) {
            *self = Self { source: Some(link.source), count: 0 };
        }
        link.label.unwrap_or_else(|| {
            self.count += 1;
            place_label(self.count - 1)
        })
    }
}

impl Heap<'_> {
    pub(super) fn edge_form(&mut self, subtype: u32) -> EdgeForm {
        let (types, java) = (self.types, self.java);
        *self.edge_forms.entry(subtype).or_insert_with(|| EdgeForm::of(subtype, types, java))
    }

    /// The address of the node with this identifier; in streams from Java it need not be there.
    pub(super) fn target(&self, dest: Value) -> Option<u64> {
        if self.java {
            return Some(address(dest, self.index));
        }
        let node = self.ids.find(dest)?;
        self.places.get(node as usize).map(|&place| u64::from(place) * 8)
    }

    pub(super) fn address(&self, node: u32) -> u64 {
        match self.places.get(node as usize) {
            Some(&place) => u64::from(place) * 8,
            None => address(self.ids.id(node), self.index),
        }
    }

    /// Whether edges of this form from this node are references of an instance.
    fn is_field(&self, form: EdgeForm, node: u32) -> bool {
        matches!(form, EdgeForm::Field | EdgeForm::Frame | EdgeForm::Local | EdgeForm::Constant)
            && (form == EdgeForm::Field || !self.java)
            && matches!(self.forms[node as usize], Form::Instance | Form::String)
    }
}

/// Stands for the class of arrays of the first primitive type, whose sub-records name no class; the others follow.
const PRIMITIVES: u32 = NONE - 8;

/// The number that stands for the class of an array of primitives.
fn primitive_class(class: Option<StringId>, texts: &mut Texts) -> Result<u32> {
    let Some(class) = class else { return Ok(NONE) };
    let name = classes::text(class, texts)?;
    let element = name.strip_suffix("[]").unwrap_or(&name);
    let at = (PRIMITIVES..).zip(Kind::PRIMITIVES).find(|(_, kind)| kind.name() == element);
    Ok(at.map_or(NONE, |(number, _)| number))
}

impl Heap<'_> {
    /// The classes of the input, and those that nodes name.
    pub(super) fn gather_classes(&mut self, input: &mut Input) -> Result {
        let texts = &mut input.texts;
        // Declarations of fields reach the file only if the stream has them at all.
        let declared = !input.fields.is_empty();
        for node in std::mem::take(&mut input.classes) {
            let id = address(node.id, self.index);
            let name = match node.name {
                Some(name) => classes::text(name, texts)?,
                None => format!("<unnamed class 0x{id:x}>"),
            };
            let value = |id: Option<Value>| id.map_or(0, |id| address(id, self.index));
            let number = self.classes.add(Class {
                id,
                trace: node.trace,
                machine: machine_name(&name, node.hidden.as_deref()).into(),
                superclass: value(node.superclass),
                loader: value(node.loader),
                instance_size: node.instance_size.and_then(|n| u32::try_from(n).ok()),
                declared,
                ..Class::default()
            });
            if node.hidden.is_some() {
                self.classes.call(number, &machine_name(&name, None));
            }
        }
        let fields = std::mem::take(&mut input.fields);
        // Those of a class follow each other.
        for fields in fields.chunk_by(|a, b| a.class == b.class) {
            if let Some(number) = self.classes.find(address(fields[0].class, self.index)) {
                self.classes.list[number as usize].declare(fields);
            }
        }
        if !self.java {
            for name in
                ["java/lang/Object", "java/lang/Class", "java/lang/ClassLoader", STRING, NAME, "[B", OBJECTS]
            {
                self.classes.named(name);
            }
        }
        Ok(())
    }

    /// Class, form and length of each node. Returns the bytes of all.
    pub(super) fn gather_nodes(&mut self, input: &mut Input) -> Result<u64> {
        let mut reader = input.nodes.reader();
        let keys = std::mem::take(&mut input.keys);
        let mut of_keys = vec![NONE; keys.len()];
        let mut total = 0_u64;
        for _ in 0..self.ids.len() {
            let node = DeferredNode::read(&mut reader)?;
            self.forms.push(node.form);
            total = total.saturating_add(node.size);
            let special = matches!(node.form, Form::Class | Form::Frame | Form::Root);
            let (subtype, class) = keys[node.class as usize];
            if special {
                self.class_of.push(NONE);
            } else if node.form == Form::Primitives {
                self.class_of.push(primitive_class(class, &mut input.texts)?);
            } else {
                let number = &mut of_keys[node.class as usize];
                if *number == NONE {
                    let name = class.map(|class| classes::text(class, &mut input.texts)).transpose()?;
                    let machine = match name {
                        Some(name) if self.java => machine_name(&name, None),
                        _ if !self.java && node.form == Form::String => STRING.to_owned(),
                        name => made_name(name, subtype, self.types),
                    };
                    *number = self.classes.named(&machine);
                }
                let number = *number;
                let made = &mut self.classes.list[number as usize];
                made.add(node.size);
                made.named |= node.name.is_some() && node.form == Form::Instance;
                made.text |= node.text.is_some();
                self.class_of.push(number);
            }
            if self.java {
                self.lengths.push(self.length(&node));
            }
        }
        Ok(total)
    }

    /// The length of an array; of PHD and classic text it may be known by the size only.
    fn length(&self, node: &DeferredNode) -> u32 {
        let kind = match node.form {
            Form::Objects => Kind::Object,
            Form::Primitives => Self::primitive(self.class_of.last().copied().unwrap_or(NONE)),
            _ => return 0,
        };
        let element = kind.bytes_in(self.layout.reference.into()) as u64;
        let by_size = || node.size.saturating_sub(self.layout.array_base(element)) / element;
        node.length.unwrap_or_else(by_size).try_into().unwrap_or(u32::MAX)
    }

    /// The type of the elements of an array of primitives.
    pub(super) fn primitive(class: u32) -> Kind {
        let kind = Kind::PRIMITIVES.get(class.wrapping_sub(PRIMITIVES) as usize);
        kind.copied().unwrap_or(Kind::Byte)
    }

    /// What edges say of classes, threads, roots, and contents of arrays.
    pub(super) fn gather_java(&mut self, input: &mut Input) -> Result {
        let mut tags = Map::default();
        for &(node, name) in &input.root_nodes {
            let name = name.map(|name| classes::text(name, &mut input.texts)).transpose()?;
            tags.insert(node, name.map_or(0xff, |name| Roots::tag(&name)));
        }
        let strings = self.string_texts(input)?;
        let mut is_value: Map<StringId, bool> = Map::default();
        let mut links = input.links.in_order();
        while let Some(link) = links.next()? {
            let form = self.edge_form(link.subtype);
            if let Some(value) = number_of(&link) {
                if form == EdgeForm::Static {
                    self.static_value(&link, value, &mut input.texts)?;
                }
                continue;
            }
            let Some(dest) = link.dest else { continue };
            let object = address(dest, self.index);
            match form {
                EdgeForm::Root => {
                    let is_class = self.classes.find(object).is_some();
                    let tag = tags.get(&link.source).copied().unwrap_or(0xff);
                    self.roots.list.push((if tag == 0xff && is_class { 0x05 } else { tag }, object));
                    continue;
                }
                EdgeForm::Frame => self.roots.frames.push((link.source, dest)),
                EdgeForm::Local => self.roots.locals.push((link.source, object)),
                EdgeForm::Element => continue,
                _ => {}
            }
            let Some(node) = self.ids.find(link.source) else { continue };
            if self.forms[node as usize] == Form::Class {
                self.of_class(form, &link, object, &mut input.texts)?;
            } else if form == EdgeForm::Class {
                if let Some(class) = self.classes.find(object)
                    && self.forms[node as usize] != Form::Primitives
                {
                    self.class_of[node as usize] = class;
                }
            } else if form == EdgeForm::Field && self.forms[node as usize] == Form::String {
                let Some(label) = link.label else { continue };
                let known = is_value.get(&label).copied();
                let is_value = if let Some(known) = known {
                    known
                } else {
                    let is = input.texts.get(label)?.is_some_and(|text| text.bytes == b"value");
                    is_value.insert(label, is);
                    is
                };
                if let Some(text) = strings.get(&node).filter(|_| is_value)
                    && let Some(array) = self.ids.find(dest)
                {
                    self.contents.insert(array, *text);
                }
            }
        }
        Ok(())
    }

    /// Contents of the strings of the stream, by node.
    fn string_texts(&self, input: &Input) -> Result<Map<u32, StringId>> {
        let mut texts = Map::default();
        let mut reader = input.nodes.reader();
        for number in 0..self.ids.len() {
            let node = DeferredNode::read(&mut reader)?;
            if let Some(text) = node.text {
                texts.insert(number, text);
            }
        }
        Ok(texts)
    }

    /// An edge of a class.
    fn of_class(&mut self, form: EdgeForm, link: &Link, object: u64, texts: &mut Texts) -> Result {
        let Some(number) = self.classes.find(address(link.source, self.index)) else { return Ok(()) };
        let class = &mut self.classes.list[number as usize];
        match form {
            EdgeForm::Super => class.superclass = object,
            EdgeForm::Loader => class.loader = object,
            EdgeForm::Signers => class.signers = object,
            EdgeForm::Domain => class.domain = object,
            EdgeForm::Constant => {
                let index = link.label.map_or(0, |label| -(label + 1));
                class.constants.push((u16::try_from(index).unwrap_or(u16::MAX), object));
            }
            EdgeForm::Static | EdgeForm::Field => {
                let open = |field: &Static| field.kind == Kind::Object && field.value == 0;
                let label = link.label.map(Label::Text);
                let mut at = class.statics.iter().position(|field| open(field) && label == Some(field.label));
                if at.is_none()
                    && let Some(label) = link.label
                {
                    // The same text may have another number.
                    let wanted = classes::text(label, texts)?;
                    for (number, field) in class.statics.iter().enumerate().filter(|(_, field)| open(field)) {
                        if *classes::name(field.label, texts)? == *wanted {
                            at = Some(number);
                            break;
                        }
                    }
                }
                match at {
                    Some(at) => class.statics[at].value = object,
                    None if class.statics.len() < usize::from(u16::MAX) => {
                        let label = label.unwrap_or(Label::Text(place_label(class.statics.len() as u32)));
                        class.statics.push(Static { label, kind: Kind::Object, value: object, filled: true });
                    }
                    None => {}
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// A primitive static field of a class. Those of one name come in the order of the class.
    fn static_value(&mut self, link: &Link, value: Number, texts: &mut Texts) -> Result {
        let Some(number) = self.classes.find(address(link.source, self.index)) else { return Ok(()) };
        let Some(label) = link.label else { return Ok(()) };
        let wanted = classes::text(label, texts)?;
        for field in self.classes.list[number as usize].statics.iter_mut().filter(|field| !field.filled) {
            let Some(bits) = bits_of(field.kind, value) else { continue };
            if field.label == Label::Text(label) || *classes::name(field.label, texts)? == *wanted {
                (field.value, field.filled) = (bits, true);
                break;
            }
        }
        Ok(())
    }

    /// Makes the fields of classes that have none.
    pub(super) fn gather_labels(&mut self, input: &Input) -> Result {
        let mut labels = Labels::default();
        if self.classes.list.iter().any(|class| !class.declared && class.count > 0) {
            // Whatever is made beside the objects of the stream is of these.
            self.classes.named(STRING);
            self.classes.named(OBJECTS);
        }
        if self.classes.list.iter().any(|class| !class.declared && class.count > 0) {
            let mut unlabelled = Unlabelled::default();
            let mut links = input.links.in_order();
            while let Some(link) = links.next()? {
                let label = unlabelled.label(&link);
                let form = self.edge_form(link.subtype);
                let Some(node) = self.ids.find(link.source) else { continue };
                let number = self.class_of[node as usize];
                let Some(class) = self.classes.list.get_mut(number as usize) else { continue };
                if class.declared || link.dest.is_none_or(|dest| dest & 1 == 0) {
                    continue;
                }
                if form == EdgeForm::Element {
                    class.elements |= self.forms[node as usize] == Form::Instance;
                } else if self.is_field(form, node) {
                    labels.add(number, label, node);
                }
            }
        }
        self.classes.make_fields(labels, self.layout);
        Ok(())
    }

    /// Gives addresses to classes and nodes that have none, and superclasses to classes that are made.
    pub(super) fn place_nodes(&mut self, left_out: &mut LeftOut) -> Result {
        if self.java {
            let highest = (0..self.ids.len()).filter(|&node| self.ids.id(node) > 0);
            let highest = highest.map(|node| self.address(node)).max().unwrap_or(0);
            let object = self.classes.named("java/lang/Object");
            self.next = self.classes.place(Some(highest.saturating_add(1 << 20) & !0xff));
            let object = self.classes.get(object).map_or(0, |class| class.id);
            left_out.add("superclasses", self.classes.keep_bare_superclasses(object));
            return Ok(());
        }
        self.next = self.classes.place(None);
        let object = self.classes.list[0].id;
        let string =
            self.classes.known(STRING).and_then(|number| self.classes.get(number)).map(|class| class.id);
        for class in self.classes.list.iter_mut().skip(1) {
            let above = if &*class.machine == NAME { string } else { None };
            class.superclass = above.unwrap_or(object);
        }
        for &class in &self.class_of {
            let place = u32::try_from(self.next / 8);
            let place = place.map_err(|_| heap_base::Error::refused("more than 32 GiB of objects"))?;
            self.places.push(place);
            self.next += self.classes.get(class).map_or(16, |class| class.bytes);
        }
        Ok(())
    }

    /// Roots beside those that edges say: those of the metadata, else what nothing refers to.
    pub(super) fn find_roots(&mut self, input: &Input, named: &[Value], hold_all: bool) -> Result {
        let mut roots: Vec<u32> = named.iter().filter_map(|&id| self.ids.find(id)).collect();
        roots.retain(|&node| !matches!(self.forms[node as usize], Form::Root | Form::Frame));
        if roots.is_empty() || hold_all {
            let mut held = BitSet::default();
            let mut links = input.links.in_order();
            while let Some(link) = links.next()? {
                if self.types.retains(link.subtype) == Retains::No || link.dest == Some(link.source) {
                    continue;
                }
                if let Some(node) = link.dest.and_then(|dest| self.ids.find(dest)) {
                    held.insert(node);
                }
            }
            let special = |node: u32| matches!(self.forms[node as usize], Form::Root | Form::Frame);
            roots.extend((0..self.ids.len()).filter(|&node| !held.contains(node) && !special(node)));
            roots.sort_unstable();
            roots.dedup();
        }
        if roots.is_empty() && self.roots.list.is_empty() && !self.ids.is_empty() {
            roots.push(0);
        }
        let roots: Vec<_> = roots.into_iter().map(|node| (0xff, self.address(node))).collect();
        self.roots.list.extend(roots);
        Ok(())
    }
}
