//! The records that a source emits and a sink receives.
//!
//! A record borrows everything it holds, so passing one on costs nothing. The parts that every virtual
//! machine has are fields; what only one source knows travels as canonical JSON members (`"a":1,"b":{…}`,
//! without the braces), built with [`Members`](heap_base::Members) and read with [`member`](heap_base::member).

use std::borrow::Cow;

/// A tagged 64-bit value of the draft: odd = a node's identifier, even = a small integer n written as n << 1.
/// Addresses above 2^63 keep their bits.
pub type Value = i64;

/// Number of a string record. The string of array index i has the id −(i+1).
pub type StringId = i64;

/// The identifier of the `index`-th object of a source that counts (rule `index`).
pub const fn index_id(index: u64) -> Value {
    (index << 1 | 1) as i64
}

/// The small integer `n` as a value.
pub const fn small(n: i64) -> Value {
    n << 1
}

/// The id of the string record for array index `index`.
pub const fn index_string(index: u32) -> StringId {
    -(index as i64) - 1
}

/// Key and value of a metadata record.
#[derive(Clone, Copy, Debug, Default)]
pub struct Metadata<'a> {
    /// The key, e.g. `version_major`, `heap.root`.
    pub key: &'a str,
    /// The value; numbers are text too.
    pub value: &'a str,
    /// The line this was read from.
    pub line: Line<'a>,
}

/// The text line that a record was read from, without its LF.
#[derive(Clone, Copy, Debug, Default)]
pub struct Line<'a> {
    /// The bytes; empty if the record does not come from text, or was changed on the way.
    pub bytes: &'a [u8],
    /// True if the bytes are exactly what the canonical writer would write.
    pub canonical: bool,
    /// Its number, from 1; 0 where records do not come from a text of lines.
    pub number: u64,
}

/// What a field of a record holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldKind {
    /// A tagged value: a node or a small integer.
    Value,
    /// A string id.
    String,
    /// A whole number.
    Integer,
    /// A floating-point number.
    Float,
    /// A machine address.
    Address,
    /// Text in place.
    Text,
    /// True or false.
    Boolean,
}

impl FieldKind {
    /// The word in a declaration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::String => "string",
            Self::Integer => "integer",
            Self::Float => "float",
            Self::Address => "address",
            Self::Text => "text",
            Self::Boolean => "boolean",
        }
    }

    /// The kind that a declaration's word names.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Value, Self::String, Self::Integer, Self::Float, Self::Address, Self::Text, Self::Boolean]
            .into_iter()
            .find(|k| k.name() == name)
    }
}

/// Declared fields: name (dotted inside a namespace: `v8.detachedness`) and kind, in order.
pub type Fields<'a> = &'a [(Cow<'a, str>, FieldKind)];

/// Whether edges of a subtype keep their target alive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Retains {
    /// Always.
    #[default]
    Yes,
    /// Never (weak).
    No,
    /// Only where the source is a root (V8's shortcuts).
    Root,
    /// In sizes, but no retaining path leads along them: Java's weak references, as Eclipse MAT takes them.
    Weak,
}

impl Retains {
    const ALL: [Self; 4] = [Self::Yes, Self::No, Self::Root, Self::Weak];

    /// The word in a declaration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Root => "root",
            Self::Weak => "weak",
        }
    }

    /// What a declaration's word says.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|retains| retains.name() == name)
    }
}

/// What edges of a subtype are to the program that was dumped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Role {
    /// A field or property of an object; without a label, one whose name the source does not say.
    Member,
    /// An element of an array, or an entry of a container; the label is its index, if any.
    Element,
    /// A variable of a closure, a local variable or an argument of a frame.
    Variable,
    /// A field of a class, not of its instances.
    Static,
    /// The virtual machine's own: the program has no name for it.
    #[default]
    Inner,
}

impl Role {
    const ALL: [Self; 5] = [Self::Member, Self::Element, Self::Variable, Self::Static, Self::Inner];

    /// The word in a declaration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Member => "member",
            Self::Element => "element",
            Self::Variable => "variable",
            Self::Static => "static",
            Self::Inner => "inner",
        }
    }

    /// The role that a declaration's word names.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }

    /// The role of a subtype that is declared without one: what the draft's own names say, else [`Role::Inner`].
    pub fn of_subtype(name: &str) -> Self {
        match name {
            "object property" => Self::Member,
            "array element" => Self::Element,
            "closure variable" => Self::Variable,
            _ => Self::Inner,
        }
    }
}

/// A field that a reader declares.
pub const fn field(name: &'static str, kind: FieldKind) -> (Cow<'static, str>, FieldKind) {
    (Cow::Borrowed(name), kind)
}

/// A declaration: of a record type, a node subtype or an edge subtype. Comes before the first record that uses it.
#[derive(Clone, Copy, Debug)]
pub struct Declaration<'a> {
    /// What it declares.
    pub what: Declared<'a>,
    /// The line this was read from.
    pub line: Line<'a>,
}

impl<'a> From<Declared<'a>> for Declaration<'a> {
    fn from(what: Declared<'a>) -> Self {
        Self { what, line: Line::default() }
    }
}

/// What a [`Declaration`] declares.
#[derive(Clone, Copy, Debug)]
pub enum Declared<'a> {
    /// `type`: a record type and its fields. For `node` and `edge`: the fields common to all subtypes.
    Record {
        /// `node`, `edge`, `v8.location`, …
        name: &'a str,
        /// Its fields.
        fields: Fields<'a>,
    },
    /// `node_type`: a node subtype.
    Node {
        /// Number that nodes say as `subtype`.
        id: u32,
        /// Name, e.g. `object`, `moar.stable`.
        name: &'a str,
        /// Table of its own fields in the SQLite form, if it has any.
        table: Option<&'a str>,
        /// The subtype's own fields.
        fields: Fields<'a>,
    },
    /// `edge_type`: an edge subtype.
    Edge {
        /// Number that edges say as `subtype`.
        id: u32,
        /// Name, e.g. `object property`.
        name: &'a str,
        /// Whether such edges keep their target alive.
        retains: Retains,
        /// What such edges are to the program, if the stream says it; see [`Role::of_subtype`].
        role: Option<Role>,
        /// Further canonical members, e.g. `"v8":{…}`.
        rest: &'a [u8],
    },
}

/// A string record.
#[derive(Clone, Copy, Debug, Default)]
pub struct Str<'a> {
    /// Its number.
    pub id: StringId,
    /// The text. Where the original is not Unicode this holds U+FFFD and `rest` has the exact form.
    pub data: Data<'a>,
    /// Canonical members after `data`: `"heap":{"utf16":"d800"}` or `"heap":{"bytes":"ff"}`, if any.
    pub rest: &'a [u8],
    /// The line this was read from.
    pub line: Line<'a>,
}

/// Text, plain or still escaped as in canonical JSON.
#[derive(Clone, Copy, Debug)]
pub enum Data<'a> {
    /// The text itself.
    Plain(&'a str),
    /// JSON string contents with canonical escapes, without the quotes.
    Escaped(&'a str),
}

impl Default for Data<'_> {
    fn default() -> Self {
        Data::Plain("")
    }
}

impl<'a> Data<'a> {
    /// The text, decoded if need be.
    pub fn text(self) -> Cow<'a, str> {
        match self {
            Data::Plain(text) => Cow::Borrowed(text),
            Data::Escaped(text) => heap_base::json::unescape(text),
        }
    }
}

/// What every virtual machine knows of a node: the `heap` namespace. Absent = unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Heap<'a> {
    /// Shallow size in bytes.
    pub size: Option<u64>,
    /// The class, constructor or type.
    pub class: Option<StringId>,
    /// The node's own name, where that is not its class.
    pub name: Option<StringId>,
    /// Bytes outside the heap that it keeps.
    pub external: Option<u64>,
    /// How many objects this node stands for; absent = 1.
    pub count: Option<u64>,
    /// Retained size in bytes.
    pub retained: Option<u64>,
    /// Where the node's retained bytes begin when those of the whole heap are laid out depth first over the dominator tree.
    /// The ranges of two nodes lie one inside of the other, or apart.
    pub retained_from: Option<u64>,
    /// Identifier of the immediate dominator.
    pub idom: Option<Value>,
    /// Edges from the roots.
    pub distance: Option<i64>,
    /// False if no root reaches it.
    pub reachable: Option<bool>,
    /// Canonical members of further fields in this namespace.
    pub rest: &'a [u8],
}

/// A node record.
#[derive(Clone, Copy, Debug, Default)]
pub struct Node<'a> {
    /// Declared number of its subtype.
    pub subtype: u32,
    /// Its identifier, odd.
    pub id: Value,
    /// Canonical members of the subtype's own fields (`"length":8,"data":203`), if any.
    pub own: &'a [u8],
    /// The `heap` namespace.
    pub heap: Heap<'a>,
    /// Canonical members after `heap`: the source's namespace and unknown ones (`"v8":{"detachedness":2}`).
    pub rest: &'a [u8],
    /// The line this was read from.
    pub line: Line<'a>,
}

/// An edge record.
#[derive(Clone, Copy, Debug, Default)]
pub struct Edge<'a> {
    /// Declared number of its subtype.
    pub subtype: u32,
    /// Identifier of the node it starts from.
    pub source: Value,
    /// Where it points: an identifier, or a small integer (even). Absent for an unboxed double.
    pub dest: Option<Value>,
    /// String id of its label.
    pub label: Option<StringId>,
    /// Canonical members after `label`: namespaces (`"heap":{"value":1.5}`).
    pub rest: &'a [u8],
    /// The line this was read from.
    pub line: Line<'a>,
}

/// An extension record, `ns.name`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extension<'a> {
    /// The record type, e.g. `v8.location`.
    pub kind: &'a str,
    /// Canonical members after `type`.
    pub body: &'a [u8],
    /// The line this was read from.
    pub line: Line<'a>,
}
