//! Types of nodes and edges: V8's names, and what they are in the stream.

use heap_record::Retains;

/// V8's node types by code: stable in all versions, also where a file does not declare the last ones.
pub(crate) const NODE_TYPES: [&str; 15] = [
    "hidden",
    "array",
    "string",
    "object",
    "code",
    "closure",
    "regexp",
    "number",
    "native",
    "synthetic",
    "concatenated string",
    "sliced string",
    "symbol",
    "bigint",
    "object shape",
];

/// V8's edge types by code.
pub(crate) const EDGE_TYPES: [&str; 7] =
    ["context", "element", "property", "internal", "hidden", "shortcut", "weak"];

/// Codes above this are taken for damage: each needs a declaration.
pub(crate) const MOST_CODE: u64 = 0xFFFF;

/// What is filled into a node of this type beside its size and name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Own {
    /// Nothing.
    None,
    /// `data`: its name is its text.
    Data,
    /// `source`: its name is its source text.
    Source,
    /// `metadata`: target of the edge `shared`.
    Metadata,
    /// `s1`, `s2`: targets of the edges `first` and `second`.
    Parts,
    /// `source`: target of the edge `parent`.
    Parent,
}

/// A node type.
#[derive(Clone, Debug)]
pub(crate) struct NodeType {
    /// Its name in the stream.
    pub(crate) name: String,
    /// Its table, if the draft gives it one.
    pub(crate) table: Option<&'static str>,
    /// Whether a node's name is its class.
    pub(crate) class: bool,
    /// What is filled in.
    pub(crate) own: Own,
    /// Whether DevTools' rules ask for nodes of this type.
    pub(crate) role: Role,
}

/// What DevTools' rules ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Nothing.
    None,
    /// Roots that are not objects.
    Synthetic,
    /// May be a native context.
    Hidden,
    /// May be map descriptors.
    Array,
}

/// The node types with these names.
pub(crate) fn node_types(declared: &[String]) -> Vec<NodeType> {
    declared.iter().map(|name| node_type(name)).collect()
}

/// Adds the node types from the last on up to `top`, which the file does not declare.
pub(crate) fn add_node_types(types: &mut Vec<NodeType>, top: u64) {
    while types.len() as u64 <= top {
        let code = types.len();
        let name = NODE_TYPES.get(code).map_or_else(|| format!("type_{code}"), |&name| name.to_owned());
        types.push(node_type(&name));
    }
}

fn node_type(name: &str) -> NodeType {
    let (draft, class, own) = match name {
        "string" => (Some("string_flat"), false, Own::Data),
        "object" => (Some("object"), true, Own::None),
        "code" => (Some("code"), false, Own::None),
        "closure" => (Some("closure"), false, Own::Metadata),
        "regexp" => (Some("regular_expression"), false, Own::Source),
        "number" => (Some("heap_number"), false, Own::None),
        "native" => (Some("native"), true, Own::None),
        "concatenated string" => (Some("string_cons"), false, Own::Parts),
        "sliced string" => (Some("string_sliced"), false, Own::Parent),
        "wasm object" => (None, true, Own::None),
        _ => (None, false, Own::None),
    };
    let role = match name {
        "synthetic" => Role::Synthetic,
        "hidden" => Role::Hidden,
        "array" => Role::Array,
        _ => Role::None,
    };
    NodeType {
        name: draft.map_or_else(|| namespaced(name), str::to_owned),
        table: draft.filter(|&d| d != "code"),
        class,
        own,
        role,
    }
}

/// What the second field of an edge is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Label {
    /// Index of a string.
    String,
    /// A number.
    Index,
}

/// An edge type.
#[derive(Clone, Debug)]
pub(crate) struct EdgeType {
    /// Its name in the stream.
    pub(crate) name: String,
    /// Whether such edges keep their target alive.
    pub(crate) retains: Retains,
    /// What the second field is.
    pub(crate) label: Label,
    /// What DevTools' rules take it for.
    pub(crate) rule: EdgeRule,
    /// What it is to the program.
    pub(crate) role: heap_record::Role,
}

/// What DevTools' rules take an edge for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EdgeRule {
    /// Nothing special.
    None,
    /// A numbered child.
    Element,
    /// A link inside the VM.
    Internal,
    /// A derived link.
    Shortcut,
}

/// The edge types with these names.
pub(crate) fn edge_types(declared: &[String]) -> Vec<EdgeType> {
    declared.iter().map(|name| edge_type(name)).collect()
}

/// Adds the edge types from the last on up to `top`, which the file does not declare.
pub(crate) fn add_edge_types(types: &mut Vec<EdgeType>, top: u64) {
    while types.len() as u64 <= top {
        let code = types.len();
        let name = EDGE_TYPES.get(code).map_or_else(|| format!("type_{code}"), |&name| name.to_owned());
        types.push(edge_type(&name));
    }
}

fn edge_type(name: &str) -> EdgeType {
    let draft = match name {
        "context" => Some("closure variable"),
        "element" => Some("array element"),
        "property" => Some("object property"),
        _ => None,
    };
    EdgeType {
        name: draft.map_or_else(|| namespaced(name), str::to_owned),
        retains: match name {
            "shortcut" => Retains::Root,
            "weak" => Retains::No,
            _ => Retains::Yes,
        },
        label: if matches!(name, "element" | "hidden") { Label::Index } else { Label::String },
        rule: match name {
            "element" => EdgeRule::Element,
            "internal" => EdgeRule::Internal,
            "shortcut" => EdgeRule::Shortcut,
            _ => EdgeRule::None,
        },
        role: draft.map_or(heap_record::Role::Inner, heap_record::Role::of_subtype),
    }
}

fn namespaced(name: &str) -> String {
    format!("v8.{}", name.replace(' ', "_"))
}
