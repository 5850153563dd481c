//! The `snapshot` object: what a record consists of, and what its codes mean.

use heap_base::{Error, Result};
use serde_json::Value;

/// The `snapshot` object may take this many bytes; V8 writes 1,500.
pub(crate) const MOST_BYTES: u64 = 1 << 20;

/// A record may have this many fields; V8 writes 3 to 7.
const MOST_FIELDS: usize = 64;

/// Fields that a list section has if `meta` does not say.
const LISTS: [(&str, &str, &[&str]); 7] = [
    (
        "trace_function_infos",
        "trace_function_info_fields",
        &["function_id", "name", "script_name", "script_id", "line", "column"],
    ),
    ("trace_tree", "trace_node_fields", &["id", "function_info_index", "count", "size", "children"]),
    ("samples", "sample_fields", &["timestamp_us", "last_assigned_id"]),
    ("locations", "location_fields", &["object_index", "script_id", "line", "column"]),
    (
        "scopes",
        "scope_fields",
        &["script_node_index", "scope_id", "depth", "scope_context_vars_count", "scope_uses_count"],
    ),
    ("scope_context_vars", "scope_context_var_fields", &["name"]),
    ("scope_uses", "scope_use_fields", &["declaring_scope_id", "slot_index"]),
];

/// Keys of the sections that go over as extension records.
pub(crate) fn list_names() -> impl Iterator<Item = &'static str> {
    LISTS.iter().map(|l| l.0)
}

/// What the header says.
#[derive(Debug)]
pub(crate) struct Header {
    /// Offset of the object.
    pub(crate) at: u64,
    /// The object as it stands in the file.
    pub(crate) raw: Vec<u8>,
    /// Fields of a node.
    pub(crate) node: NodeFields,
    /// Declared names of node types, by code.
    pub(crate) node_types: Vec<String>,
    /// Fields of an edge.
    pub(crate) edge: EdgeFields,
    /// Declared names of edge types, by code.
    pub(crate) edge_types: Vec<String>,
    /// Index into `nodes` of the root.
    pub(crate) root_index: u64,
    /// The object, parsed.
    json: Value,
}

/// Positions of the fields of a node record.
#[derive(Clone, Debug)]
pub(crate) struct NodeFields {
    pub(crate) width: usize,
    pub(crate) kind: usize,
    pub(crate) name: usize,
    pub(crate) id: usize,
    pub(crate) size: usize,
    pub(crate) edges: usize,
    pub(crate) trace: Option<usize>,
    pub(crate) detachedness: Option<usize>,
    /// Fields that this reader does not know: position and name.
    pub(crate) others: Vec<(usize, String)>,
}

/// Positions of the fields of an edge record.
#[derive(Clone, Debug)]
pub(crate) struct EdgeFields {
    pub(crate) width: usize,
    pub(crate) kind: usize,
    pub(crate) name: usize,
    pub(crate) to: usize,
    /// Fields that this reader does not know: position and name.
    pub(crate) others: Vec<(usize, String)>,
}

impl EdgeFields {
    /// Whether records have the three known fields, in the order that every version of V8 writes, and no others.
    pub(crate) fn is_plain(&self) -> bool {
        (self.width, self.kind, self.name, self.to) == (3, 0, 1, 2)
    }
}

impl Header {
    /// Parses the object that stands at byte `at`.
    pub(crate) fn parse(raw: Vec<u8>, at: u64) -> Result<Self> {
        let damage = |what: String| Error::at_byte(at, format!("snapshot: {what}"));
        let json: Value = serde_json::from_slice(&raw).map_err(|e| damage(without_place(&e)))?;
        let meta = json.get("meta").ok_or_else(|| damage("no meta".into()))?;
        let node_fields = names(meta, "node_fields").map_err(damage)?;
        let edge_fields = names(meta, "edge_fields").map_err(damage)?;
        let position = |key: &str, fields: &[String], name: &str| {
            fields.iter().position(|f| f == name).ok_or_else(|| damage(format!("{key} lacks {name}")))
        };
        let node = |name| position("node_fields", &node_fields, name);
        let edge = |name| position("edge_fields", &edge_fields, name);
        let others = |fields: &[String], known: &[&str]| {
            let all = fields.iter().cloned().enumerate();
            all.filter(|(_, f)| !known.contains(&f.as_str())).collect::<Vec<_>>()
        };
        let node = NodeFields {
            width: node_fields.len(),
            kind: node("type")?,
            name: node("name")?,
            id: node("id")?,
            size: node("self_size")?,
            edges: node("edge_count")?,
            trace: node("trace_node_id").ok(),
            detachedness: node("detachedness").ok(),
            others: others(
                &node_fields,
                &["type", "name", "id", "self_size", "edge_count", "trace_node_id", "detachedness"],
            ),
        };
        let edge = EdgeFields {
            width: edge_fields.len(),
            kind: edge("type")?,
            name: edge("name_or_index")?,
            to: edge("to_node")?,
            others: others(&edge_fields, &["type", "name_or_index", "to_node"]),
        };
        let root_index = match json.get("root_index") {
            None => 0,
            Some(index) => index.as_u64().ok_or_else(|| damage("root_index is not an index".into()))?,
        };
        let node_types = types(meta, "node_types", node.kind);
        let edge_types = types(meta, "edge_types", edge.kind);
        for (_, key, _) in LISTS {
            if meta.get(key).is_some() {
                names(meta, key).map_err(damage)?;
            }
        }
        Ok(Self { at, raw, node, node_types, edge, edge_types, root_index, json })
    }

    /// Names of the fields of a record in the list section `section`.
    pub(crate) fn list_fields(&self, section: &str) -> Vec<String> {
        let Some((_, key, fallback)) = LISTS.iter().find(|l| l.0 == section) else { return Vec::new() };
        let said = self.meta().and_then(|m| names(m, key).ok()).filter(|f| !f.is_empty());
        said.unwrap_or_else(|| fallback.iter().map(|&f| f.to_owned()).collect())
    }

    /// `meta`.
    pub(crate) fn meta(&self) -> Option<&Value> {
        self.json.get("meta")
    }

    /// A number beside `meta`.
    pub(crate) fn number(&self, key: &str) -> Option<i64> {
        self.json.get(key)?.as_i64()
    }
}

/// An error of the JSON parser without its place, which counts within the object.
pub(crate) fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or(&text).to_owned()
}

/// The list of different names under `key`.
fn names(meta: &Value, key: &str) -> Result<Vec<String>, String> {
    let list = meta.get(key).ok_or_else(|| format!("meta has no {key}"))?;
    let list = list.as_array().filter(|l| l.len() <= MOST_FIELDS);
    let names =
        list.and_then(|l| l.iter().map(|n| n.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>());
    let names = names.ok_or_else(|| format!("{key} is not a list of up to {MOST_FIELDS} names"))?;
    match names.iter().enumerate().find(|(i, name)| names[..*i].contains(name)) {
        Some((_, twice)) => Err(format!("{key} names {twice} twice")),
        None => Ok(names),
    }
}

/// The names of the type codes: the list that stands at the type's own position; empty if there is none.
fn types(meta: &Value, key: &str, position: usize) -> Vec<String> {
    let list = meta.get(key).and_then(|t| t.get(position)).and_then(Value::as_array);
    let name = |n: &Value| n.as_str().map_or_else(String::new, str::to_owned);
    list.map(|l| l.iter().map(name).collect()).unwrap_or_default()
}
