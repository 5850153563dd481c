//! Fields of a node by name, whatever record they live in.

use std::borrow::Cow;

use heap_base::Result;
use heap_base::json::{Json, each, inside, member, push_float, scalar, wide_text};
use heap_record::{Edge, FieldKind, Node, Types, Value};

use crate::place::{Source, named};
use crate::stream::strings::Strings;
use crate::stream::{Context, stacks};

/// What a field holds, as people think of it: names are text, small integers are numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// A whole number.
    Int(i128),
    /// A number with a fraction.
    Float(f64),
    /// Text.
    Text(String),
    /// True or false.
    Bool(bool),
}

/// A field's name: `heap.size`, `v8.detachedness`, `length`, `identifier`, `subtype`, `type`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field(Box<str>);

impl Field {
    /// The field of this name. Every text names one; nodes may lack it.
    pub fn new(name: &str) -> Self {
        Self(name.into())
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.0
    }

    /// What `node` has under this name. A name without a dot that is none of the subtype's own is looked up
    /// in `heap`. `None` if the node lacks it.
    ///
    /// # Errors
    /// The temporary file of strings cannot be read.
    pub fn of(&self, node: &Node<'_>, context: &Context) -> Result<Option<Content>> {
        let Context { types, strings, .. } = context;
        let heap = &node.heap;
        let number = |n: Option<u64>| Ok(n.map(|n| Content::Int(n.into())));
        match self.name() {
            "identifier" => return Ok(Some(Content::Int(node.id.into()))),
            "subtype" => return Ok(Some(Content::Text(types.node_name(node.subtype).into_owned()))),
            _ => {}
        }
        if let Some(raw) = member(node.own, self.name()).or_else(|| member(node.rest, self.name())) {
            return self.decode(raw, node.subtype, types, strings);
        }
        if context.stacks.are_there() && stacks::is_of_place(self.name()) {
            return self.of_stack(node, context);
        }
        if self.name() == LOCATION {
            return location(node, types, strings).map(|place| place.map(Content::Text));
        }
        match self.name().strip_prefix("heap.").unwrap_or(self.name()) {
            "type" => type_name(node, types, strings).map(|name| Some(Content::Text(name))),
            "size" => number(heap.size),
            "external" => number(heap.external),
            "count" => number(heap.count),
            "retained" => number(heap.retained),
            "retained_from" => number(heap.retained_from),
            "class" => heap.class.map(|id| strings.text_or_number(id).map(Content::Text)).transpose(),
            "name" => heap.name.map(|id| strings.text_or_number(id).map(Content::Text)).transpose(),
            "idom" => Ok(heap.idom.map(|n| Content::Int(n.into()))),
            "distance" => Ok(heap.distance.map(|n| Content::Int(n.into()))),
            "reachable" => Ok(heap.reachable.map(Content::Bool)),
            other => match member(heap.rest, other) {
                Some(raw) => self.decode(raw, node.subtype, types, strings),
                None => Ok(None),
            },
        }
    }

    /// What the innermost frame of the stack at which `node` was allocated has under this name.
    fn of_stack(&self, node: &Node<'_>, context: &Context) -> Result<Option<Content>> {
        let Context { stacks: all, strings, .. } = context;
        let Some(function) = all.of(node).and_then(|stack| all.function(stack)) else {
            return Ok(None);
        };
        let number = |n: i64| Some(Content::Int(n.into())).filter(|_| n > 0);
        let text = |id| stacks::text(id, strings);
        Ok(match self.name() {
            "function" => Some(Content::Text(named(&text(function.name)?).to_owned())),
            "script_name" => Some(text(function.script)?).filter(|text| !text.is_empty()).map(Content::Text),
            "line" => number(function.line),
            "column" => number(function.column),
            _ => Some(Content::Text(stacks::source_of(function, strings)?.whole())),
        })
    }

    /// What `edge` has under this name among the members behind its label. `None` if it lacks it.
    ///
    /// # Errors
    /// The temporary file of strings cannot be read.
    pub fn of_edge(&self, edge: &Edge<'_>, types: &Types, strings: &Strings) -> Result<Option<Content>> {
        member(edge.rest, self.name()).map_or(Ok(None), |raw| self.decode_of_edge(raw, types, strings))
    }

    /// What a raw value of this field of an edge says.
    ///
    /// # Errors
    /// The temporary file of strings cannot be read.
    pub fn decode_of_edge(&self, raw: &[u8], types: &Types, strings: &Strings) -> Result<Option<Content>> {
        content(types.record_field("edge", self.name()), raw, strings)
    }

    /// Whether nodes may have something under this name beside their members.
    pub fn is_common(&self) -> bool {
        let name = self.name();
        COMMON.contains(&name.strip_prefix("heap.").unwrap_or(name))
    }

    /// True if nodes may have such a field: it is one that every source has, or the stream declares it.
    pub fn is_known(&self, context: &Context) -> bool {
        let (name, types) = (self.name(), &context.types);
        matches!(
            name.strip_prefix("heap.").unwrap_or(name),
            "identifier" | "subtype" | "type" | "size" | "class" | "name" | "count"
        ) || context.stacks.are_there() && stacks::is_of_place(name)
            || name == LOCATION && types.node_types().iter().any(|t| types.node_field(t.id, "line").is_some())
            || types.record_field("node", name).is_some()
            || types.record_field("node", &format!("heap.{name}")).is_some()
            || types.node_types().iter().any(|t| types.node_field(t.id, name).is_some())
    }

    /// The warning that no node has this field: most likely its name is misspelt.
    pub fn missing(&self) -> String {
        let advice = match self.name().strip_prefix("heap.").unwrap_or(self.name()) {
            "retained" | "retained_from" | "idom" | "distance" | "reachable" => "; heap-dom adds it",
            "external" => "; bytes outside the heap are nodes of their own in this dump, or not in it",
            name if name.starts_with("field.") => {
                "; fields that refer to objects are references, not fields of the node"
            }
            _ => "",
        };
        format!("no node has a field '{}'{advice}", self.name())
    }

    /// What a raw value of this field says.
    pub fn decode(
        &self,
        raw: &[u8],
        subtype: u32,
        types: &Types,
        strings: &Strings,
    ) -> Result<Option<Content>> {
        content(types.node_field(subtype, self.name()), raw, strings)
    }
}

/// Names of what is no member of a node, or not only.
const COMMON: [&str; 14] = [
    "identifier",
    "subtype",
    LOCATION,
    "type",
    "size",
    "external",
    "count",
    "retained",
    "retained_from",
    "class",
    "name",
    "idom",
    "distance",
    "reachable",
];

/// A field made of others: where in the source the function of a node stands.
const LOCATION: &str = "location";

/// The function of a frame, or of what it allocated, with script and line: `main.open (/srv/app/sessions.go:18)`. The name alone
/// where the node says no more; `None` of other nodes.
fn location(node: &Node<'_>, types: &Types, strings: &Strings) -> Result<Option<String>> {
    let own = |name: &str| -> Result<Option<Content>> {
        member(node.own, name)
            .map_or(Ok(None), |raw| Field::new(name).decode(raw, node.subtype, types, strings))
    };
    let text = |content: Option<Content>| content.filter(|content| !content.text().is_empty());
    let function = match text(own("function")?) {
        Some(function) => function.text().into_owned(),
        None => match node.heap.name {
            Some(name) if is_stack(&types.node_name(node.subtype)) => strings.text_or_number(name)?,
            _ => return site(node, types, strings),
        },
    };
    let script = text(own("script_name")?).map_or(String::new(), |script| script.text().into_owned());
    let number =
        |content: Option<Content>| content.and_then(|content| content.number()).unwrap_or(0.0) as i64;
    let (line, column) = (number(own("line")?), number(own("column")?));
    Ok(Some(Source { function, script, line, column }.whole()))
}

/// Where a node was allocated: `file`, `line` and `method` in a namespace of the source's.
fn site(node: &Node<'_>, types: &Types, strings: &Strings) -> Result<Option<String>> {
    for (namespace, raw) in each(node.rest) {
        let members = inside(raw).unwrap_or_default();
        let field = |name: &str| {
            let kind = || types.record_field("node", &format!("{namespace}.{name}"));
            member(members, name).map_or(Ok(None), |raw| content(kind(), raw, strings))
        };
        if let Some(Content::Text(script)) = field("file")? {
            let function = field("method")?.map_or(String::new(), |method| method.text().into_owned());
            let line = field("line")?.and_then(|line| line.number()).unwrap_or(0.0) as i64;
            return Ok(Some(Source { function, script, line, column: 0 }.whole()));
        }
    }
    Ok(None)
}

/// Whether nodes of a subtype are of a profile's stacks.
fn is_stack(subtype: &str) -> bool {
    matches!(subtype, "heap.frame" | "heap.allocation" | "heap.root")
}

/// What a raw value says in a field of this kind.
fn content(kind: Option<FieldKind>, raw: &[u8], strings: &Strings) -> Result<Option<Content>> {
    let Some(value) = scalar(raw) else { return Ok(None) };
    Ok(match (kind, value) {
        (Some(FieldKind::String), value) => match (value.as_int(), value) {
            (_, Json::Text(text)) => Some(Content::Text(text.into_owned())),
            (Some(id), _) => Some(Content::Text(strings.text_or_number(id)?)),
            _ => None,
        },
        (Some(FieldKind::Value), value) => value.as_int().map(|v| Content::Int(plain_value(v).into())),
        (Some(FieldKind::Float), value) => value.as_float().map(Content::Float),
        (Some(FieldKind::Integer | FieldKind::Address), value) if value.as_int().is_some() => match value {
            Json::Int(n) => Some(Content::Int(n)),
            other => other.as_int().map(|n| Content::Int(n.into())),
        },
        (_, Json::Int(n)) => Some(Content::Int(n)),
        (_, Json::Float(x)) => Some(Content::Float(x)),
        // A number of a field that nobody has declared.
        (None, Json::Text(text)) => Some(match (wide_text(&text), lacking(&text)) {
            (Some(n), _) => Content::Int(n.into()),
            (None, Some(x)) => Content::Float(x),
            (None, None) => Content::Text(text.into_owned()),
        }),
        (_, Json::Text(text)) => Some(Content::Text(text.into_owned())),
        (_, Json::Bool(b)) => Some(Content::Bool(b)),
        (_, Json::Null) => None,
        (_, Json::Nested(raw)) => Some(Content::Text(String::from_utf8_lossy(raw).into_owned())),
    })
}

/// The number that JSON lacks and that such a text stands for.
pub(super) fn lacking(text: &str) -> Option<f64> {
    match text {
        "NaN" => Some(f64::NAN),
        "Infinity" => Some(f64::INFINITY),
        "-Infinity" => Some(f64::NEG_INFINITY),
        _ => None,
    }
}

/// A number as the stream writes it, with all digits where these are few.
fn float(x: f64) -> String {
    if x == 0.0 || (1e-6..1e21).contains(&x.abs()) {
        return x.to_string();
    }
    let mut text = Vec::new();
    push_float(&mut text, x);
    String::from_utf8_lossy(&text).trim_matches('"').to_owned()
}

/// A small integer's number; an identifier as it is.
fn plain_value(value: Value) -> i64 {
    if value & 1 == 0 { value >> 1 } else { value }
}

/// The type name of a node: its class, else its subtype in brackets.
///
/// # Errors
/// The temporary file of strings cannot be read.
pub fn type_name(node: &Node<'_>, types: &Types, strings: &Strings) -> Result<String> {
    match node.heap.class {
        Some(class) => strings.text_or_number(class),
        None => Ok(bracketed(&types.node_name(node.subtype))),
    }
}

/// The whole number in a raw JSON value.
pub fn int_field(raw: &[u8]) -> Option<i64> {
    scalar(raw)?.as_int()
}

/// The whole number in one of a node's own fields: of a value that is a small integer its number, of one that is a node
/// none.
pub fn small_field(node: &Node<'_>, name: &str, types: &Types) -> Option<i64> {
    small(member(node.own, name)?, node.subtype, name, types)
}

/// The same of the raw value of a field that nodes of this subtype have.
pub fn small(raw: &[u8], subtype: u32, name: &str, types: &Types) -> Option<i64> {
    let number = int_field(raw)?;
    match types.node_field(subtype, name) {
        Some(FieldKind::Value) => (number & 1 == 0).then_some(number >> 1),
        _ => Some(number),
    }
}

/// The node that holds the text of a string which has none of its own: `source`, which regular expressions have too.
pub fn source_of_part(node: &Node<'_>, types: &Types) -> Option<Value> {
    let source = member(node.own, "source").and_then(int_field).filter(|id| id & 1 == 1)?;
    let text = types.node_field(node.subtype, "source") == Some(FieldKind::String);
    let part = !text && types.node_name(node.subtype) != "regular_expression";
    part.then_some(source)
}

/// The source's own number, where a reader had to replace it (`v8.id`).
pub fn source_number(node: &Node<'_>) -> Option<i64> {
    if node.rest.is_empty() {
        return None;
    }
    member(node.rest, "v8.id").and_then(int_field)
}

/// A subtype's name where a class is expected.
pub fn bracketed(subtype: &str) -> String {
    format!("({subtype})")
}

impl Content {
    /// As text.
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Int(n) => n.to_string().into(),
            Self::Float(x) => float(*x).into(),
            Self::Text(text) => text.into(),
            Self::Bool(b) => if *b { "true" } else { "false" }.into(),
        }
    }

    /// What differs in others: whether it is a number that JSON has, and its text.
    pub fn key(&self) -> (bool, String) {
        let is_number = match self {
            Self::Int(_) => true,
            Self::Float(x) => x.is_finite(),
            Self::Text(_) | Self::Bool(_) => false,
        };
        (is_number, self.text().into_owned())
    }

    /// What has this [`key`](Self::key).
    pub fn of_key((is_number, text): &(bool, String)) -> Self {
        let int = || text.parse().ok().map(Self::Int);
        let number = is_number.then(|| int().or_else(|| text.parse().ok().map(Self::Float))).flatten();
        number.unwrap_or_else(|| Self::Text(text.clone()))
    }

    /// As a number, where it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Int(n) => Some(*n as f64),
            Self::Float(x) => Some(*x),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Java's longs come in hexadecimal where other readers of JSON would round them, in a field that nobody declares.
    #[test]
    fn wide_numbers_of_fields_are_numbers() {
        let of = |raw: &str| content(None, raw.as_bytes(), &Strings::default()).expect("nothing is read");
        assert_eq!(of(r#""0x112210f47de97e46""#), Some(Content::Int(0x1122_10f4_7de9_7e46)));
        assert_eq!(of(r#""-0x8000000000000000""#), Some(Content::Int(i64::MIN.into())));
        for text in ["0x10", "0x0112210f47de97e46", "0x112210F47DE97E46", "0xffffffffffffffffff", "0x"] {
            assert_eq!(of(&format!("\"{text}\"")), Some(Content::Text(text.to_owned())));
        }
    }

    #[test]
    fn a_number_is_one_by_its_key() {
        for content in
            [Content::Int(3), Content::Float(1.5), Content::Float(1e300), Content::Text("1.5".into())]
        {
            assert_eq!(Content::of_key(&content.key()), content);
        }
        // Text in JSON, which has no such numbers.
        assert_eq!(Content::of_key(&Content::Float(f64::NAN).key()), Content::Text("NaN".into()));
    }
}
