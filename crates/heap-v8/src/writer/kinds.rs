//! Which type of a snapshot a subtype of the stream becomes.

use heap_record::Retains;

use crate::layout::types::{self, EDGE_TYPES, NODE_TYPES};

/// What a node becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeKind {
    /// Code of its type.
    pub(crate) code: u16,
    /// Where its name is.
    pub(crate) named: Named,
}

/// Where the name of a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// Its class, else its name.
    Class,
    /// Its name, else its class.
    Name,
    /// Its text, else its name.
    Data,
}

/// What an edge becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EdgeKind {
    /// Code of its type.
    pub(crate) code: u16,
    /// Code of its type where the label does not suit `code`: the other one is a number, or the other one text.
    pub(crate) other: u16,
    /// True if the label is a number.
    pub(crate) numbered: bool,
    /// Whether such edges keep their target alive.
    pub(crate) retains: Retains,
}

/// The code of a node type in a file that declares these.
pub(crate) fn code(types: &[&str], name: &str) -> u16 {
    types.iter().position(|t| *t == name).unwrap_or(0) as u16
}

/// Node types of the newest layout.
pub(crate) fn newest_nodes() -> &'static [&'static str] {
    &NODE_TYPES
}

/// Edge types of the newest layout.
pub(crate) fn newest_edges() -> &'static [&'static str] {
    &EDGE_TYPES
}

/// The type of V8 for a subtype of any source, and where nodes of it have their name.
pub(crate) fn node(subtype: &str) -> NodeKind {
    // Never hidden or array: the sizes of these count as their owners' in DevTools.
    let (name, named) = match subtype {
        "string_flat" => ("string", Named::Data),
        "string_cons" => ("concatenated string", Named::Name),
        "string_sliced" => ("sliced string", Named::Name),
        "closure" => ("closure", Named::Name),
        "regular_expression" => ("regexp", Named::Name),
        "heap_number" => ("number", Named::Class),
        "native" => ("native", Named::Class),
        "code" | "function_metadata" | "heap.frame" | "moar.frame" => ("code", Named::Name),
        "moar.stable" => ("object shape", Named::Name),
        "heap.thread" | "dart.isolate" | "dart.read_only_pages" => ("synthetic", Named::Name),
        _ if subtype.contains("root") => ("synthetic", Named::Name),
        _ => match v8_name(subtype).filter(|n| NODE_TYPES.contains(&n.as_str())) {
            Some(name) => return NodeKind { code: code(&NODE_TYPES, &name), named: Named::Name },
            None => ("object", Named::Class),
        },
    };
    NodeKind { code: code(&NODE_TYPES, name), named }
}

/// V8's name of a type in its namespace.
fn v8_name(subtype: &str) -> Option<String> {
    subtype.strip_prefix("v8.").map(|n| n.replace('_', " "))
}

/// The type of V8 for an edge subtype of any source.
pub(crate) fn edge(subtype: &str, retains: Retains) -> EdgeKind {
    let (name, other, numbered) = match subtype {
        "object property" => ("property", "element", false),
        "array element" => ("element", "property", true),
        "closure variable" => ("context", "element", false),
        "v8.hidden" => ("hidden", "internal", true),
        "v8.internal" | "v8.ephemeron" => ("internal", "element", false),
        _ => match retains {
            Retains::No => ("weak", "weak", false),
            Retains::Root => ("shortcut", "shortcut", false),
            Retains::Yes | Retains::Weak => ("internal", "element", false),
        },
    };
    // A half of a WeakMap entry retains by V8's own rule.
    let retains = if subtype == "v8.ephemeron" { Retains::Yes } else { retains };
    EdgeKind { code: code(&EDGE_TYPES, name), other: code(&EDGE_TYPES, other), numbered, retains }
}

/// The codes of a file that declares these types, for a stream made from it: the subtype `id` is called `name`.
pub(crate) fn original_node(declared: &[String], id: u32, name: &str) -> Option<NodeKind> {
    let code = u16::try_from(id.checked_sub(1)?).ok()?;
    let mut types = types::node_types(declared);
    types::add_node_types(&mut types, code.into());
    let at = Some(usize::from(code)).filter(|&c| types[c].name == name);
    let at = at.or_else(|| types.iter().position(|t| t.name == name))?;
    let named = if types[at].class { Named::Class } else { Named::Name };
    Some(NodeKind { code: at as u16, named })
}

/// The same for edges.
pub(crate) fn original_edge(declared: &[String], id: u32, name: &str) -> Option<EdgeKind> {
    let code = u16::try_from(id.checked_sub(1)?).ok()?;
    let mut types = types::edge_types(declared);
    let find = |types: &[types::EdgeType], name: &str| types.iter().position(|t| t.name == name);
    let at = if name == "v8.ephemeron" {
        find(&types, "v8.internal")?
    } else {
        types::add_edge_types(&mut types, code.into());
        Some(usize::from(code)).filter(|&c| types[c].name == name).or_else(|| find(&types, name))?
    };
    let numbered = types[at].label == types::Label::Index;
    let other = if numbered { find(&types, "object property") } else { find(&types, "array element") };
    let retains = types[at].retains;
    Some(EdgeKind { code: at as u16, other: other.unwrap_or(at) as u16, numbered, retains })
}
