//! The class table that is written: the stream's own, or one class for each type of another source.

use heap_base::json::uint;
use heap_base::{Map, Result};
use heap_base::{Spool, push_varint};
use heap_record::{Extension, StringId, Types};
use heap_spool::{Text, Texts};

use crate::classes::{Class, Classes, Field, MAX_CLASSES, Record, Slot};
use crate::names::Names;

/// A class as the stream declares it; texts by string id.
#[derive(Clone, Debug)]
struct DeclaredClass {
    id: u64,
    flags: u64,
    /// Name, library, URI, reserved.
    texts: [Option<StringId>; 4],
    fields: Vec<(u64, u64, Option<StringId>, Option<StringId>)>,
}

/// The classes of a file in the making.
#[derive(Debug, Default)]
pub(super) struct Table {
    declared: Vec<DeclaredClass>,
    /// Names of classes that were used, by their ids in the stream.
    pub(super) used: Map<u64, StringId>,
    /// Classes that are made: by subtype and class.
    made: Map<(u32, Option<StringId>), u64>,
    order: Vec<(u32, Option<StringId>)>,
    names: Names,
    pub(super) classes: Classes,
    records: Vec<(Record, Vec<Field>)>,
    /// Places by id, where they differ.
    places: Map<u64, u64>,
    /// Numbers in `names` of strings that name fields.
    labels: Map<StringId, u32>,
}

impl Table {
    /// A `dart.class` or `dart.class_field` record.
    pub(super) fn record(&mut self, record: &Extension<'_>) {
        let body = record.body;
        let text = |key| uint(body, key).map(|id| id as StringId);
        let number = |key| uint(body, key).unwrap_or(0);
        if record.kind == "dart.class" {
            let texts = ["name", "library", "uri", "reserved"].map(text);
            self.declared.push(DeclaredClass {
                id: number("id"),
                flags: number("flags"),
                texts,
                fields: Vec::new(),
            });
        } else if let Some(class) = self.declared.iter_mut().rfind(|class| class.id == number("class")) {
            class.fields.push((number("flags"), number("index"), text("name"), text("reserved")));
        }
    }

    /// The class of nodes of another source, counted from 2: class 1 is the root's.
    pub(super) fn make(&mut self, subtype: u32, class: Option<StringId>) -> u64 {
        let key = (subtype, class);
        if let Some(&class) = self.made.get(&key) {
            return class;
        }
        if self.order.len() as u64 + 2 > MAX_CLASSES {
            // Too many classes: those of a subtype share one.
            return if class.is_some() { self.make(subtype, None) } else { 0 };
        }
        self.order.push(key);
        let class = self.order.len() as u64 + 1;
        self.made.insert(key, class);
        class
    }

    fn add(&mut self, record: Record, fields: Vec<Field>) {
        self.classes.add(&record, &fields, &self.names);
        self.records.push((record, fields));
    }

    /// Adds the classes that the stream declared, with their names.
    pub(super) fn add_declared(&mut self, texts: &mut Texts) -> Result {
        for class in std::mem::take(&mut self.declared) {
            let mut intern = |id: Option<StringId>| -> Result<u32> {
                let text = id.map(|id| texts.get(id)).transpose()?.flatten();
                Ok(self.names.intern(&text.map(Text::utf8).unwrap_or_default()))
            };
            let [name, library, uri, reserved] = class.texts;
            let record = Record {
                flags: class.flags,
                name: intern(name)?,
                library: intern(library)?,
                uri: intern(uri)?,
                reserved: intern(reserved)?,
            };
            let mut fields = Vec::with_capacity(class.fields.len());
            for (flags, index, name, reserved) in class.fields {
                let field = Field { flags, index, name: intern(name)?, reserved: intern(reserved)? };
                self.labels.extend(name.map(|id| (id, field.name)));
                fields.push(field);
            }
            self.add(record, fields);
            let place = self.records.len() as u64;
            if class.id != place || !self.places.is_empty() {
                if self.places.is_empty() {
                    self.places = (1..place).map(|n| (n, n)).collect();
                }
                self.places.insert(class.id, place);
            }
        }
        Ok(())
    }

    /// Makes the classes for another source.
    pub(super) fn add_made(
        &mut self,
        source: &str,
        types: &Types,
        fields: &[Vec<StringId>],
        texts: &mut Texts,
    ) -> Result {
        let empty = self.names.intern(b"");
        let root = Record {
            flags: 0,
            name: self.names.intern(b"Root"),
            library: empty,
            uri: empty,
            reserved: empty,
        };
        self.add(root, Vec::new());
        for (at, (subtype, class)) in std::mem::take(&mut self.order).into_iter().enumerate() {
            let subtype = types.node_name(subtype);
            let text = class.map(|id| texts.get(id)).transpose()?.flatten();
            let name = match text {
                Some(text) => self.names.intern(&text.utf8()),
                None => self.names.intern(format!("({subtype})").as_bytes()),
            };
            let library = self.names.intern(subtype.as_bytes());
            let uri = self.names.intern(format!("{source}:{subtype}").as_bytes());
            let record = Record { flags: 0, name, library, uri, reserved: empty };
            let mut list = Vec::new();
            for (index, &label) in (0..).zip(fields.get(at + 2).into_iter().flatten()) {
                let text = texts.get(label)?.map(Text::utf8).unwrap_or_default();
                list.push(Field { flags: 1, index, name: self.names.intern(&text), reserved: empty });
            }
            self.add(record, list);
        }
        Ok(())
    }

    /// The place in the table of the class that the stream calls `id`. One that was used but not declared is made.
    pub(super) fn place(&mut self, id: u64, texts: &mut Texts) -> Result<u64> {
        if id == 0 || self.places.is_empty() && id <= self.records.len() as u64 {
            return Ok(id);
        }
        if let Some(&place) = self.places.get(&id) {
            return Ok(place);
        }
        // Who has an id beyond the table and no name had it in the file, too.
        let Some(text) = self.used.get(&id).map(|&name| texts.get(name)).transpose()?.flatten() else {
            return Ok(if self.places.is_empty() { id } else { 0 });
        };
        let (name, empty) = (self.names.intern(&text.utf8()), self.names.intern(b""));
        if self.places.is_empty() {
            self.places = (1..=self.records.len() as u64).map(|n| (n, n)).collect();
        }
        self.add(Record { flags: 0, name, library: empty, uri: empty, reserved: empty }, Vec::new());
        let place = self.records.len() as u64;
        self.places.insert(id, place);
        Ok(place)
    }

    /// The class at a place.
    pub(super) fn class(&self, place: u64) -> Class {
        self.classes.get(place).copied().unwrap_or_default()
    }

    /// Which slot, from `at` on, of a class has this label.
    pub(super) fn slot(&self, class: &Class, at: u64, label: StringId) -> Option<u64> {
        let number = self.labels.get(&label)?;
        let slots = self.classes.slots(class);
        let first = slots.partition_point(|slot| u64::from(slot.index) < at);
        let is = |slot: &&Slot| slot.label == Some(*number);
        slots[first..].iter().find(is).map(|slot| slot.index.into())
    }

    /// The place of the class of the root; one is made if the file has none.
    pub(super) fn root(&mut self) -> u64 {
        let name = self.names.intern(b"Root");
        if let Some(at) = self.records.iter().position(|(record, _)| record.name == name) {
            return at as u64 + 1;
        }
        let empty = self.names.intern(b"");
        self.add(Record { flags: 0, name, library: empty, uri: empty, reserved: empty }, Vec::new());
        self.records.len() as u64
    }

    /// The table as the file has it.
    pub(super) fn write(&self, out: &mut Spool) -> Result {
        out.build(|out| push_varint(out, self.records.len() as u64))?;
        let text = |out: &mut Vec<u8>, id| {
            let text = self.names.text(id);
            push_varint(out, text.len() as u64);
            out.extend_from_slice(text);
        };
        for (class, fields) in &self.records {
            out.build(|out| {
                push_varint(out, class.flags);
                for id in [class.name, class.library, class.uri, class.reserved] {
                    text(out, id);
                }
                push_varint(out, fields.len() as u64);
            })?;
            for field in fields {
                out.build(|out| {
                    push_varint(out, field.flags);
                    push_varint(out, field.index);
                    text(out, field.name);
                    text(out, field.reserved);
                })?;
            }
        }
        Ok(())
    }
}
