//! A sink that keeps all records, and makes the snapshot again from them by the rules of the crate's description.

use std::collections::BTreeMap;

use heap_base::json::{Json, scalar};
use heap_base::{Blob, Error, Result, member};
use heap_record::wants::Edges;
use heap_record::{
    EdgeBatch, Ends, Extension, Metadata, NodeBatch, Sink, SnapshotSelector, Str, Wants, Writer,
};

use super::twin::{Class, Data, Field, Object, Property, Snapshot};

/// Everything that a reader delivered.
#[derive(Debug, Default)]
pub(crate) struct Records {
    pub(crate) wants: Option<Wants>,
    pub(crate) metadata: Vec<(String, String)>,
    pub(crate) strings: BTreeMap<i64, Text>,
    pub(crate) nodes: Vec<NodeOf>,
    pub(crate) edges: Vec<EdgeOf>,
    pub(crate) extensions: Vec<(String, Vec<u8>)>,
    /// Edges that came by index.
    pub(crate) by_index: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Text {
    pub(crate) data: String,
    pub(crate) rest: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NodeOf {
    pub(crate) subtype: u32,
    pub(crate) id: i64,
    pub(crate) own: Vec<u8>,
    pub(crate) size: u64,
    pub(crate) class: Option<i64>,
    pub(crate) name: Option<i64>,
    pub(crate) external: Option<u64>,
    pub(crate) rest: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct EdgeOf {
    pub(crate) subtype: u32,
    pub(crate) source: i64,
    pub(crate) dest: Option<i64>,
    pub(crate) label: Option<i64>,
    pub(crate) rest: Vec<u8>,
}

impl Sink for Records {
    fn wants(&self) -> Wants {
        self.wants.unwrap_or(Wants::ALL)
    }
    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        self.metadata.push((record.key.to_owned(), record.value.to_owned()));
        Ok(())
    }
    fn string(&mut self, record: &Str<'_>) -> Result {
        let text = Text { data: record.data.text().into_owned(), rest: record.rest.to_vec() };
        assert_eq!(self.strings.insert(record.id, text), None, "string {} comes twice", record.id);
        let early = self.nodes.is_empty() && self.edges.is_empty();
        assert!(early || record.id < 0, "string {} comes after nodes or edges", record.id);
        Ok(())
    }
    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        assert!(self.edges.is_empty(), "a node after edges");
        self.nodes.extend(batch.iter().map(|record| NodeOf {
            subtype: record.subtype,
            id: record.id,
            own: record.own.to_vec(),
            size: record.heap.size.expect("every node has a size"),
            class: record.heap.class,
            name: record.heap.name,
            external: record.heap.external,
            rest: record.rest.to_vec(),
        }));
        Ok(())
    }
    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        let wants = self.wants();
        assert!(batch.ends == Ends::Identifiers || wants.edges == Edges::ByIndex);
        let by_index = batch.ends == Ends::Indexes;
        self.by_index += if by_index { batch.len() } else { 0 };
        let id = |value: i64| if by_index { self.nodes[value as usize].id } else { value };
        for record in batch.iter() {
            if !by_index && wants.any_strings() {
                let label = record.label.expect("every reference has a label");
                assert!(self.strings.contains_key(&label), "string {label} comes after an edge that uses it");
            }
            self.edges.push(EdgeOf {
                subtype: record.subtype,
                source: id(record.source),
                dest: record.dest.map(id),
                label: record.label,
                rest: record.rest.to_vec(),
            });
        }
        Ok(())
    }
    fn extension(&mut self, record: &Extension<'_>) -> Result {
        self.extensions.push((record.kind.to_owned(), record.body.to_vec()));
        Ok(())
    }
}

/// Reads a snapshot; what was delivered, and the error if it is damaged.
pub(crate) fn read(bytes: &[u8]) -> (Records, Option<Error>) {
    read_wanting(bytes, Wants::ALL)
}

/// The same for a sink that wants less.
pub(crate) fn read_wanting(bytes: &[u8], wants: Wants) -> (Records, Option<Error>) {
    let mut records = Records { wants: Some(wants), ..Records::default() };
    let result = crate::read(&Blob::from_bytes(bytes), SnapshotSelector::Last, &mut records);
    (records, result.err())
}

/// The lines of a snapshot.
pub(crate) fn lines(bytes: &[u8]) -> String {
    let mut writer = Writer::new(Vec::new());
    let result = crate::read(&Blob::from_bytes(bytes), SnapshotSelector::Last, &mut writer);
    writer.finish(result.is_ok()).expect("memory takes everything");
    String::from_utf8(writer.into_inner()).expect("JSON is UTF-8")
}

/// A whole number among members.
pub(crate) fn int(members: &[u8], path: &str) -> Option<i64> {
    member(members, path).and_then(scalar).and_then(|json| json.as_int())
}

fn boolean(members: &[u8], path: &str) -> Option<bool> {
    match member(members, path).and_then(scalar) {
        Some(Json::Bool(b)) => Some(b),
        _ => None,
    }
}

impl Records {
    pub(crate) fn text(&self, id: i64) -> &str {
        &self.strings[&id].data
    }

    fn hex(&self, id: i64, form: &str) -> Option<Vec<u8>> {
        let Some(Json::Text(hex)) = member(&self.strings[&id].rest, form).and_then(scalar) else {
            return None;
        };
        let digits = hex.as_bytes().chunks(2);
        Some(digits.map(|d| u8::from_str_radix(str::from_utf8(d).unwrap(), 16).unwrap()).collect())
    }

    fn bytes(&self, id: i64) -> Vec<u8> {
        self.hex(id, "heap.bytes").unwrap_or_else(|| self.text(id).as_bytes().to_vec())
    }

    fn units(&self, id: i64) -> Vec<u16> {
        match self.hex(id, "heap.utf16") {
            Some(bytes) => bytes.chunks(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect(),
            None => self.text(id).encode_utf16().collect(),
        }
    }

    pub(crate) fn meta(&self, key: &str) -> u64 {
        let (_, value) = self.metadata.iter().find(|(k, _)| k == key).expect(key);
        value.parse().expect(key)
    }

    pub(crate) fn extensions(&self, kind: &str) -> Vec<&[u8]> {
        self.extensions.iter().filter(|(k, _)| k == kind).map(|(_, body)| &body[..]).collect()
    }

    pub(crate) fn dialect(&self) -> String {
        match scalar(member(self.extensions("dart.layout")[0], "dialect").unwrap()) {
            Some(Json::Text(text)) => text.into_owned(),
            other => panic!("{other:?}"),
        }
    }

    /// The snapshot that was read.
    pub(crate) fn snapshot(&self) -> Snapshot {
        let layout = self.extensions("dart.layout")[0];
        let mut classes: Vec<Class> = Vec::new();
        for (kind, body) in &self.extensions {
            let get = |path| int(body, path);
            let text = |path| get(path).map(|id| self.bytes(id)).unwrap_or_default();
            let (flags, reserved) = (get("flags").unwrap_or(0) as u64, text("reserved"));
            match kind.as_str() {
                "dart.class" => classes.push(Class {
                    flags,
                    name: text("name"),
                    library: text("library"),
                    uri: text("uri"),
                    reserved,
                    fields: Vec::new(),
                }),
                "dart.class_field" => {
                    assert_eq!(get("class"), Some(classes.len() as i64));
                    let index = get("index").unwrap() as u64;
                    classes.last_mut().unwrap().fields.push(Field {
                        flags,
                        index,
                        name: text("name"),
                        reserved,
                    });
                }
                _ => {}
            }
        }
        let mut edges = self.edges.iter().peekable();
        let objects: Vec<_> = self
            .nodes
            .iter()
            .zip(1..)
            .map(|(node, index)| {
                assert_eq!(node.id, 2 * index + 1);
                let mut references = Vec::new();
                while let Some(edge) = edges.next_if(|edge| edge.source == node.id) {
                    references.push(match edge.dest {
                        Some(dest) => dest as u64 >> 1,
                        None => int(&edge.rest, "dart.reference").unwrap_or(0) as u64,
                    });
                }
                let class = int(&node.rest, "dart.class").unwrap_or(0) as u64;
                let name = class.checked_sub(1).and_then(|c| classes.get(c as usize));
                let data = self.data(node, name.map_or(&[], |c| &c.name), layout);
                Object { class, size: node.size, data, references }
            })
            .collect();
        assert_eq!(edges.next(), None);
        let external = self.extensions("dart.external");
        Snapshot {
            flags: self.meta("dart.flags"),
            name: self.metadata.iter().find(|(k, _)| k == "dart.name").unwrap().1.clone(),
            shallow_size: self.meta("dart.shallow_size"),
            capacity: self.meta("dart.capacity"),
            external_size: self.meta("dart.external_size"),
            classes,
            reference_count: self.meta("dart.reference_count"),
            properties: external
                .iter()
                .map(|body| Property {
                    object: int(body, "object").unwrap() as u64 >> 1,
                    size: int(body, "size").unwrap() as u64,
                    name: self.bytes(int(body, "name").unwrap()),
                })
                .collect(),
            hashes: boolean(layout, "hashes").unwrap().then(|| {
                self.nodes.iter().map(|node| int(&node.rest, "dart.hash").unwrap_or(0) as u64).collect()
            }),
            objects,
            padding: int(layout, "padding").unwrap_or(0) as u64,
        }
    }

    fn data(&self, node: &NodeOf, class: &[u8], layout: &[u8]) -> Data {
        let (own, rest) = (&node.own, &node.rest);
        let resaved = self.dialect() == "re-saved";
        let length = int(own, "length").or_else(|| int(rest, "dart.length")).map(|n| n as u64);
        let usual = match node.subtype {
            8 if self.text(int(own, "name").unwrap()) == "null" => 1,
            8 => 2,
            7 if int(rest, "dart.int").is_some() => 3,
            7 => 4,
            3 if resaved => 8,
            3 => 5,
            _ if node.name.is_some() => 8,
            _ if length.is_some() => 7,
            _ => 0,
        };
        let whole = int(rest, "dart.int");
        match int(rest, "dart.tag").unwrap_or(usual) {
            0 => Data::None,
            1 => Data::Null,
            2 => Data::Bool(match whole {
                Some(n) => n as u64,
                None => u64::from(self.text(int(own, "name").unwrap()) == "true"),
            }),
            3 => match class {
                b"_Mint" if !resaved => Data::Signed(whole.unwrap()),
                b"_Smi" if int(layout, "word_bits") == Some(32) && i32::try_from(whole.unwrap()).is_ok() => {
                    Data::Unsigned(u64::from(whole.unwrap() as u32))
                }
                _ => Data::Unsigned(whole.unwrap() as u64),
            },
            4 => Data::Double(match int(rest, "dart.bits") {
                Some(bits) => bits as u64,
                None => member(own, "value").and_then(scalar).unwrap().as_float().unwrap().to_bits(),
            }),
            5 => {
                let text = self.text(int(own, "data").unwrap());
                Data::Latin1(length.unwrap(), text.chars().map(|c| u8::try_from(c).unwrap()).collect())
            }
            6 => Data::Utf16(length.unwrap(), self.units(int(own, "data").unwrap())),
            7 => Data::Length(length.unwrap()),
            8 => Data::Name(self.bytes(node.name.or_else(|| int(own, "data")).unwrap())),
            other => panic!("tag {other}"),
        }
    }
}
