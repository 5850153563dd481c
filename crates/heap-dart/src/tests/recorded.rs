//! All records of a snapshot, and the snapshot made again from them by the rules of the crate's description.

use std::collections::BTreeMap;

use heap_base::json::{Json, scalar};
use heap_base::{Blob, member};
use heap_record::testing::{Batch, EdgeRecord, NodeRecord, Record, Recorder, StringRecord};
use heap_record::{Ends, Sink, SnapshotSelector, Wants, Writer};

use super::twin::{Class, Data, Field, Object, Property, Snapshot};

/// The records of a snapshot by kind.
#[derive(Debug, Default)]
pub(crate) struct Records {
    pub(crate) metadata: Vec<(String, String)>,
    pub(crate) strings: BTreeMap<i64, StringRecord>,
    pub(crate) nodes: Vec<NodeRecord>,
    pub(crate) edges: Vec<EdgeRecord>,
    pub(crate) extensions: Vec<(String, String)>,
    /// How many edges came by index.
    pub(crate) by_index: usize,
}

impl From<Recorder> for Records {
    fn from(mut recorder: Recorder) -> Self {
        let by_index = |batch: &Batch| match *batch {
            Batch::Edges { ends: Ends::Indexes, len, .. } => len,
            _ => 0,
        };
        let mut records = Self { by_index: recorder.batches.iter().map(by_index).sum(), ..Self::default() };
        if recorder.wants.any_strings() && recorder.wants.node_details() {
            assert_eq!(recorder.problems(), [""; 0]);
        }
        recorder.resolve_indexes();
        for record in recorder.records {
            match record {
                Record::Metadata(key, value) => records.metadata.push((key, value)),
                Record::Declaration(_) => {}
                Record::String(string) => {
                    records.strings.insert(string.id, string);
                }
                Record::Node(node) => {
                    assert!(records.edges.is_empty(), "a node after edges");
                    records.nodes.push(node);
                }
                Record::Edge(edge) => records.edges.push(edge),
                Record::Extension(extension) => records.extensions.push((extension.kind, extension.body)),
            }
        }
        records
    }
}

/// Reads a snapshot; its records, and the error if it is damaged.
pub(crate) fn read(bytes: &[u8]) -> (Records, Option<String>) {
    read_wanting(bytes, Wants::ALL)
}

/// The same for a sink that wants less.
pub(crate) fn read_wanting(bytes: &[u8], wants: Wants) -> (Records, Option<String>) {
    let blob = Blob::from_bytes(bytes);
    let mut recorder = Recorder::new(wants).with(|sink| crate::read(&blob, SnapshotSelector::Last, sink));
    let error = recorder.error.take();
    (recorder.into(), error)
}

/// The lines of a snapshot.
pub(crate) fn lines(bytes: &[u8]) -> String {
    let mut writer = Writer::new(Vec::new());
    let result = crate::read(&Blob::from_bytes(bytes), SnapshotSelector::Last, &mut writer);
    writer.finish(result.is_ok()).expect("memory takes everything");
    String::from_utf8(writer.into_inner()).expect("JSON is UTF-8")
}

/// An integer among members.
pub(crate) fn int(members: &(impl AsRef<[u8]> + ?Sized), path: &str) -> Option<i64> {
    member(members.as_ref(), path).and_then(scalar).and_then(|json| json.as_int())
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
        let Some(Json::Text(hex)) = member(self.strings[&id].rest.as_bytes(), form).and_then(scalar) else {
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
        self.extensions.iter().filter(|(k, _)| k == kind).map(|(_, body)| body.as_bytes()).collect()
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
                Object { class, size: node.heap.size.unwrap(), data, references }
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

    fn data(&self, node: &NodeRecord, class: &[u8], layout: &[u8]) -> Data {
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
            _ if node.heap.name.is_some() => 8,
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
                None => {
                    member(own.as_bytes(), "value").and_then(scalar).unwrap().as_float().unwrap().to_bits()
                }
            }),
            5 => {
                let text = self.text(int(own, "data").unwrap());
                Data::Latin1(length.unwrap(), text.chars().map(|c| u8::try_from(c).unwrap()).collect())
            }
            6 => Data::Utf16(length.unwrap(), self.units(int(own, "data").unwrap())),
            7 => Data::Length(length.unwrap()),
            8 => Data::Name(self.bytes(node.heap.name.or_else(|| int(own, "data")).unwrap())),
            other => panic!("tag {other}"),
        }
    }
}
