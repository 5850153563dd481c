//! What the file looks like: fields, types, sections and white space, as in the original or in the newest layout.

use heap_base::Result;
use heap_record::Metadata;
use serde_json::{Value as Json, json};

use super::Layout;
use super::kinds;
use crate::layout::header::{Header, list_names};

/// What metadata holds of the file that a stream was made from.
#[derive(Debug, Default)]
pub(crate) struct Original {
    /// `target_source` says that it was a snapshot of V8.
    v8: bool,
    snapshot: Option<String>,
    pub(crate) sections: Vec<String>,
    layout: String,
    utf8: bool,
    pub(crate) extra: Vec<(String, String)>,
}

impl Original {
    /// Takes a metadata record in; false if the file has no room for it.
    pub(crate) fn metadata(&mut self, record: &Metadata<'_>) -> bool {
        let value = record.value;
        match record.key {
            "target_source" => {
                self.v8 = value == "v8.heapsnapshot";
                return self.v8;
            }
            "v8.snapshot" => self.snapshot = Some(value.to_owned()),
            "v8.sections" => self.sections = serde_json::from_str(value).unwrap_or_default(),
            "v8.layout" => value.clone_into(&mut self.layout),
            "v8.text" => self.utf8 = value == "utf-8",
            "v8.extra_native_bytes" | "version_major" | "version_minor" | "generator" => {}
            key if key.starts_with("heap.") => {}
            key => match key.strip_prefix("v8.extra.") {
                Some(key) if serde_json::from_str::<Json>(value).is_ok() => {
                    self.extra.push((key.to_owned(), value.to_owned()));
                }
                _ => return false,
            },
        }
        true
    }

    /// The header of the original, if there is one that can be kept.
    pub(crate) fn header(&self) -> Option<Header> {
        let raw = self.snapshot.as_ref().filter(|_| self.v8)?;
        Header::parse(raw.clone().into_bytes(), 0).ok()
    }
}

/// A field of a node record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeField {
    /// Code of the type.
    Kind,
    /// Index of a string.
    Name,
    /// Id.
    Id,
    /// Shallow size.
    Size,
    /// Number of edges.
    Edges,
    /// What the namespace has under the name of this number in [`Shape::slots`].
    Slot(usize),
}

/// A field of an edge record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EdgeField {
    /// Code of the type.
    Kind,
    /// Index of a string, or a number.
    Name,
    /// Index of a node.
    To,
    /// What the namespace has under the name of this number in [`Shape::edge_slots`].
    Slot(usize),
}

/// White space between the parts of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct White {
    /// Between two fields of a record.
    pub(crate) field: &'static [u8],
    /// Between two records.
    pub(crate) record: &'static [u8],
    /// After the last record, if there is any.
    pub(crate) last: &'static [u8],
    /// Between two sections.
    pub(crate) section: &'static [u8],
    /// Between two strings.
    pub(crate) string: &'static [u8],
}

/// How a file is written.
#[derive(Debug)]
pub(crate) struct Shape {
    /// The original's header; that of the newest layout if there is none.
    pub(crate) header: Header,
    /// True if codes, fields and sections are those of the original.
    pub(crate) original: bool,
    /// True if the stream was made from a snapshot of V8.
    pub(crate) v8: bool,
    pub(crate) node_fields: Vec<NodeField>,
    pub(crate) edge_fields: Vec<EdgeField>,
    /// Names of members of the namespace that become fields.
    pub(crate) slots: Vec<String>,
    /// Slots of `heap.retained`, `heap.distance` and `heap.reachable`.
    pub(crate) annotations: [usize; 3],
    pub(crate) edge_slots: Vec<String>,
    pub(crate) sections: Vec<String>,
    pub(crate) white: White,
    pub(crate) ascii: bool,
    /// Nodes and edges that the original says it has.
    pub(crate) said: (Option<u64>, Option<u64>),
}

/// Slot of `trace_node_id`.
pub(crate) const TRACE: usize = 0;
/// Slot of `detachedness`.
pub(crate) const DETACHED: usize = 1;
/// Slot of `id`, where identifiers are not made from ids.
pub(crate) const ID: usize = 2;
/// More of the file's own fields than this a node cannot fill.
const MOST_SLOTS: usize = 13;
/// Annotations that become fields behind the others: names, in the order of their slots from [`MOST_SLOTS`] on.
const ANNOTATIONS: [&str; 3] = ["retained_size", "distance", "reachable"];
/// How many slots there are.
pub(crate) const SLOTS: usize = MOST_SLOTS + ANNOTATIONS.len();

fn newest() -> Json {
    json!({
        "meta": {
            "node_fields": ["type", "name", "id", "self_size", "edge_count", "detachedness"],
            "node_types": [kinds::newest_nodes(), "string", "number", "number", "number", "number"],
            "edge_fields": ["type", "name_or_index", "to_node"],
            "edge_types": [kinds::newest_edges(), "string_or_number", "node"],
            "trace_function_info_fields": ["function_id", "name", "script_name", "script_id", "line", "column"],
            "trace_node_fields": ["id", "function_info_index", "count", "size", "children"],
            "sample_fields": ["timestamp_us", "last_assigned_id"],
            "location_fields": ["object_index", "script_id", "line", "column"]
        },
        "node_count": 0,
        "edge_count": 0,
        "trace_function_count": 0,
        "extra_native_bytes": 0
    })
}

impl Shape {
    /// How to write it.
    pub(crate) fn new(file: &Original, layout: Layout) -> Result<Self> {
        let kept = file.header();
        let (v8, original) = (kept.is_some(), kept.is_some() && layout == Layout::Original);
        let number = |key| kept.as_ref().and_then(|h| h.number(key)).and_then(|n| u64::try_from(n).ok());
        let said = (number("node_count"), number("edge_count"));
        let header = match kept {
            Some(header) if original => header,
            Some(old) => merged(&old)?,
            None => Header::parse(newest().to_string().into_bytes(), 0)?,
        };
        let mut slots: Vec<String> = ["trace_node_id", "detachedness", "id"].map(str::to_owned).to_vec();
        let f = &header.node;
        let mut node_fields = vec![NodeField::Kind; f.width];
        node_fields[f.name] = NodeField::Name;
        node_fields[f.id] = NodeField::Id;
        node_fields[f.size] = NodeField::Size;
        node_fields[f.edges] = NodeField::Edges;
        for (at, slot) in [(f.trace, TRACE), (f.detachedness, DETACHED)] {
            if let Some(at) = at {
                node_fields[at] = NodeField::Slot(slot);
            }
        }
        for (at, name) in &f.others {
            if slots.len() < MOST_SLOTS {
                node_fields[*at] = NodeField::Slot(slots.len());
                slots.push(name.clone());
            } else {
                node_fields[*at] = NodeField::Slot(usize::MAX);
            }
        }
        // A file that had them before has them where they were.
        let annotation =
            |(i, name): (usize, &&str)| slots.iter().position(|s| s == name).unwrap_or(MOST_SLOTS + i);
        let mut annotations = [0; 3];
        for (slot, found) in annotations.iter_mut().zip(ANNOTATIONS.iter().enumerate().map(annotation)) {
            *slot = found;
        }
        let f = &header.edge;
        let mut edge_fields = vec![EdgeField::Kind; f.width];
        edge_fields[f.name] = EdgeField::Name;
        edge_fields[f.to] = EdgeField::To;
        let mut edge_slots = Vec::new();
        for (at, name) in &f.others {
            edge_fields[*at] = EdgeField::Slot(edge_slots.len());
            edge_slots.push(name.clone());
        }
        let white = white(if original { &file.layout } else { "sections" });
        Ok(Self {
            node_fields,
            edge_fields,
            slots,
            annotations,
            edge_slots,
            sections: sections(&file.sections, original),
            white,
            ascii: !(original && file.utf8),
            header,
            original,
            v8,
            said,
        })
    }
}

/// The newest header with what the old one says beside fields and types.
fn merged(old: &Header) -> Result<Header> {
    let mut json = newest();
    let Ok(Json::Object(was)) = serde_json::from_slice(&old.raw) else {
        return Header::parse(json.to_string().into_bytes(), 0);
    };
    let meta = was.get("meta").and_then(Json::as_object);
    for (key, fields) in meta
        .into_iter()
        .flatten()
        .filter(|(k, _)| k.ends_with("_fields") && !matches!(k.as_str(), "node_fields" | "edge_fields"))
    {
        json["meta"][key] = fields.clone();
    }
    if old.node.trace.is_some() && was.get("trace_function_count").and_then(Json::as_u64) > Some(0) {
        json["meta"]["node_fields"] =
            json!(["type", "name", "id", "self_size", "edge_count", "trace_node_id", "detachedness"]);
        json["meta"]["node_types"] =
            json!([kinds::newest_nodes(), "string", "number", "number", "number", "number", "number"]);
    }
    if let Some(bytes) = was.get("extra_native_bytes") {
        json["extra_native_bytes"] = bytes.clone();
    }
    Header::parse(json.to_string().into_bytes(), 0)
}

fn white(layout: &str) -> White {
    let compact = White { field: b",", record: b",", last: b"", section: b",", string: b"," };
    match layout {
        "lines" => White { record: b"\n,", last: b"\n", section: b",\n", string: b",\n", ..compact },
        "compact" => compact,
        "other" => White { field: b", ", record: b", ", last: b"", section: b", ", string: b", " },
        _ => White { section: b",\n", ..compact },
    }
}

/// Keys of the sections in order: those of the original, with all that must be there.
fn sections(kept: &[String], original: bool) -> Vec<String> {
    let standard =
        ["snapshot", "nodes", "edges", "trace_function_infos", "trace_tree", "samples", "locations"];
    let mut keys: Vec<String> = if original && !kept.is_empty() {
        kept.to_vec()
    } else {
        let lists = list_names().filter(|name| kept.iter().any(|t| t == name) && !standard.contains(name));
        standard.into_iter().chain(lists).chain(["strings"]).map(str::to_owned).collect()
    };
    let mut seen = Vec::new();
    keys.retain(|key| {
        let new = !seen.contains(key);
        seen.push(key.clone());
        new
    });
    for needed in ["snapshot", "nodes", "edges", "strings"] {
        if !keys.iter().any(|k| k == needed) {
            keys.push(needed.to_owned());
        }
    }
    keys
}

impl Shape {
    /// Adds fields for the annotations that nodes have. Their slots are the bits of `used`.
    pub(crate) fn annotate(&mut self, used: u16) -> Vec<&'static str> {
        let new = ANNOTATIONS.iter().enumerate().filter(|(i, _)| used >> (MOST_SLOTS + i) & 1 == 1);
        let new: Vec<_> = new.collect();
        self.node_fields.extend(new.iter().map(|(i, _)| NodeField::Slot(MOST_SLOTS + i)));
        new.into_iter().map(|(_, name)| *name).collect()
    }
}

/// What the header has to say of the records that were written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Totals {
    pub(crate) nodes: u64,
    pub(crate) edges: u64,
    /// Trace functions; `None` leaves what the original says, which may be too few.
    pub(crate) functions: Option<u64>,
    /// Index of the root in `nodes`.
    pub(crate) root_index: u64,
}

/// The header's text: the original's as it stands, if nothing in it has changed. `more` are fields of nodes behind
/// those that it has.
pub(crate) fn text(header: &Header, totals: &Totals, more: &[&str]) -> Vec<u8> {
    let Ok(Json::Object(mut json)) = serde_json::from_slice::<Json>(&header.raw) else {
        return header.raw.clone();
    };
    let mut changed = false;
    let counts = [
        ("node_count", Some(totals.nodes)),
        ("edge_count", Some(totals.edges)),
        ("trace_function_count", totals.functions),
    ];
    for (key, n) in counts.into_iter().filter_map(|(key, n)| Some((key, n?))) {
        if json.get(key).and_then(Json::as_u64) != Some(n) {
            json.insert(key.to_owned(), n.into());
            changed = true;
        }
    }
    if totals.root_index != header.root_index {
        json.shift_remove("root_index");
        if totals.root_index != 0 {
            json.insert("root_index".to_owned(), totals.root_index.into());
        }
        changed = true;
    }
    if let Some(meta) = json.get_mut("meta").filter(|_| !more.is_empty()) {
        let names = more.iter().map(|&name| Json::from(name));
        if let Some(fields) = meta.get_mut("node_fields").and_then(Json::as_array_mut) {
            fields.extend(names);
        }
        if let Some(types) = meta.get_mut("node_types").and_then(Json::as_array_mut) {
            types.extend(more.iter().map(|_| Json::from("number")));
        }
        changed = true;
    }
    if changed { Json::Object(json).to_string().into_bytes() } else { header.raw.clone() }
}
