//! What DevTools' rules take a node subtype of the stream for.

use std::borrow::Cow;

use heap_base::Map;
use heap_record::Types;

/// What the rules ask of a node's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Has a class of its own, may have a location, may be a plain object.
    Object,
    /// Has a class of its own, may be detached.
    Native,
    /// Starts without an owner.
    Hidden,
    /// Starts without an owner.
    Array,
    /// Nothing in memory.
    Synthetic,
    /// None of these.
    Other,
}

/// Kind and class of each subtype.
#[derive(Debug, Default)]
pub(crate) struct Roles {
    known: Map<u32, (Kind, String)>,
}

impl Roles {
    /// The roles of all declared subtypes. `declared` are V8's types as the snapshot declares them, if it says:
    /// old versions write one more, which DevTools does not know.
    pub(crate) fn new(types: &Types, declared: Option<&[String]>) -> Self {
        let known = types.node_types().into_iter().map(|t| (t.id, role(&v8_name(&t.name), declared)));
        Self { known: known.collect() }
    }

    /// Kind and class of a subtype; the class is empty where each node has its own.
    pub(crate) fn get(&self, subtype: u32) -> (Kind, &str) {
        self.known.get(&subtype).map_or((Kind::Other, UNKNOWN), |(kind, class)| (*kind, class))
    }
}

/// Class of nodes of a type that the snapshot does not declare, as JavaScript prints it.
const UNKNOWN: &str = "(undefined)";

/// V8's name of a subtype.
fn v8_name(subtype: &str) -> Cow<'_, str> {
    Cow::Borrowed(match subtype {
        "string_flat" => "string",
        "string_cons" => "concatenated string",
        "string_sliced" => "sliced string",
        "regular_expression" => "regexp",
        "heap_number" => "number",
        _ => match subtype.strip_prefix("v8.") {
            Some(name) => return Cow::Owned(name.replace('_', " ")),
            None => subtype,
        },
    })
}

fn role(name: &str, declared: Option<&[String]>) -> (Kind, String) {
    if declared.is_some_and(|declared| !declared.iter().any(|d| d.replace('_', " ") == name)) {
        return (Kind::Other, UNKNOWN.to_owned());
    }
    let kind = match name {
        "object" => Kind::Object,
        "native" => Kind::Native,
        "hidden" => Kind::Hidden,
        "array" => Kind::Array,
        "synthetic" => Kind::Synthetic,
        _ => Kind::Other,
    };
    let class = match name {
        "object" | "native" => String::new(),
        "hidden" => "(system)".to_owned(),
        "code" => "(compiled code)".to_owned(),
        "closure" => "Function".to_owned(),
        "regexp" => "RegExp".to_owned(),
        _ => format!("({name})"),
    };
    (kind, class)
}
