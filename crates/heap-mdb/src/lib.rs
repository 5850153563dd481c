//! Reads the text that the prototype of a portable heap dump in mdb_v8 wrote: `MDBV8HEAP 1.0`.
//!
//! ```text
//! MDBV8HEAP 1.0
//! begin
//! node "object" b7a25551 constructor "Buffer"
//! node "heapnumber" b8617d9d 1.5
//! edge "property" b7a25551 "version" SMI 11
//! edge "property" b7a25551 "owner" addr b8617d9d
//! end
//! ```
//!
//! Known from two programs that read it and from the author's draft, for its writer was not published: kinds of
//! nodes are heapnumber, string, function, array, date, object, regexp and oddball, of edges property, element and
//! closure variable; addresses are hexadecimal and tagged; text is quoted as in JSON. After the address of a node come
//! names with values, or values alone in the order of the draft's fields; both spellings read the same. Unknown names
//! are kept under `mdb`.
//!
//! There are no sizes and no roots in it, and records come in any order. Memory holds the texts met so far, up to a
//! bound (`strings`): beyond it a text may get a second number.

mod line;
mod strings;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::io::{BufRead, BufReader, ErrorKind, Read};

use heap_base::{Blob, Error, Members, Result};
use heap_record::{
    Declared, Edge, EdgeBatch, Fact, FieldKind, Heap, Info, Node, NodeBatch, Retains, Role, Sink,
    SnapshotSelector, head, small,
};

use line::{Line, Value};
use strings::Strings;

const MAGIC: &[u8] = b"MDBV8HEAP ";

/// True if an input that begins with `head` is of this format.
pub fn sniff(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

/// The version of the file, and whether it has its end.
///
/// # Errors
/// A first line that is not this format's; failures of reading.
pub fn info(blob: &Blob) -> Result<Info> {
    let mut head = [0; 64];
    let n = blob.read_at(&mut head, 0)?;
    let first = head[..n].split(|&b| b == b'\n').next().unwrap_or_default();
    let version = version(&String::from_utf8_lossy(first))?;
    let mut tail = [0; 16];
    let n = blob.read_at(&mut tail, blob.len().saturating_sub(16))?;
    let complete = tail[..n].trim_ascii_end().ends_with(b"\nend");
    Ok(Info {
        format: "mdb_v8.text",
        version: Some(version),
        producer: Some("mdb_v8".to_owned()),
        facts: vec![("bytes", Fact::Bytes(blob.len())), ("complete", Fact::Flag(complete))],
        ..Info::default()
    })
}

fn version(line: &str) -> Result<String> {
    let version = line.trim_end().strip_prefix("MDBV8HEAP ").unwrap_or_default();
    if version.starts_with("1.") && version.len() < 16 {
        return Ok(version.to_owned());
    }
    Err(Error::at_line(1, "expected MDBV8HEAP 1.0"))
}

/// Kinds of nodes, the draft's subtype for each, and the fields of values without a name.
const NODES: [(&str, &str, &[&str]); 8] = [
    ("object", "object", &["constructor"]),
    ("array", "array", &["length"]),
    ("string", "string_flat", &["data"]),
    ("function", "closure", &["name", "script_name", "position"]),
    ("regexp", "regular_expression", &["source", "flags"]),
    ("date", "date", &["timestamp"]),
    ("heapnumber", "heap_number", &["value"]),
    ("oddball", "oddball", &["name"]),
];

/// Kinds of edges, the draft's names for them, and what they are to the program.
const EDGES: [(&str, &str, Role); 3] = [
    ("property", "object property", Role::Member),
    ("element", "array element", Role::Element),
    ("closure variable", "closure variable", Role::Variable),
];

/// The fields that subtypes declare, in the order in which they are written.
const FIELDS: [(&str, &[(&str, FieldKind)]); 7] = {
    use FieldKind::{Float, Integer, String, Value};
    [
        ("object", &[("constructor", Value)]),
        ("array", &[("length", Integer)]),
        ("string_flat", &[("length", Integer), ("data", String)]),
        ("regular_expression", &[("source", String), ("flags", String)]),
        ("date", &[("timestamp", Float)]),
        ("heap_number", &[("value", Float)]),
        ("oddball", &[("name", String)]),
    ]
};

fn fields(subtype: &str) -> &'static [(&'static str, FieldKind)] {
    FIELDS.iter().find(|(name, _)| *name == subtype).map_or(&[], |f| f.1)
}

/// Reads a dump. There is one snapshot.
///
/// # Errors
/// The first line that is damaged, after every record before it was emitted; failures of the sink.
pub fn read(blob: &Blob, pick: SnapshotSelector, sink: &mut dyn Sink) -> Result {
    if let SnapshotSelector::Number(_) = pick {
        pick.range(1)?;
    }
    let mut lines = BufReader::with_capacity(256 << 10, blob.section(0, blob.len()));
    let mut line = Vec::new();
    let mut reader = Reader::new(sink);
    let mut state = State::Magic;
    let mut number = 0;
    loop {
        line.clear();
        let n = lines.by_ref().read_until(b'\n', &mut line).map_err(|e| match e.kind() {
            ErrorKind::InvalidData | ErrorKind::UnexpectedEof => {
                Error::at_line(number + 1, "the line ends early")
            }
            _ => Error::read(e),
        })?;
        number += 1;
        if n == 0 {
            return match state {
                State::After => Ok(()),
                _ => Err(Error::at_line(number, "expected end: the dump was cut off")),
            };
        }
        let complete = line.ends_with(b"\n");
        let text = line.trim_ascii();
        if text.is_empty() {
            continue;
        }
        state = match (state, text) {
            (State::Within, b"end") => State::After,
            // A line that was cut may still parse.
            _ if !complete => return Err(Error::at_line(number, "the line ends early")),
            (State::Magic, _) => {
                reader.begin(&version(&String::from_utf8_lossy(text))?)?;
                State::Begin
            }
            (State::Begin, b"begin") => State::Within,
            (State::Begin, _) => return Err(Error::at_line(number, "expected begin")),
            (State::After, _) => return Err(Error::at_line(number, "expected nothing after end")),
            (State::Within, _) => {
                let parsed = Line::parse(text).map_err(|what| Error::at_line(number, what))?;
                reader.record(&parsed).map_err(|fault| match fault {
                    Fault::Line(what) => Error::at_line(number, what),
                    Fault::Sink(error) => error,
                })?;
                State::Within
            }
        };
    }
}

#[derive(Clone, Copy)]
enum State {
    Magic,
    Begin,
    Within,
    After,
}

/// Why a record was not emitted.
enum Fault {
    Line(&'static str),
    Sink(Error),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Sink(error)
    }
}

struct Reader<'k> {
    sink: &'k mut dyn Sink,
    strings: Strings,
    /// Kinds that are not the draft's, by number from [`NODES`] and [`EDGES`] on.
    node_kinds: Vec<String>,
    edge_kinds: Vec<String>,
    own: Members,
    rest: Members,
}

/// Most kinds besides the known ones; damage could make up any number.
const MOST_KINDS: usize = 1000;

impl<'k> Reader<'k> {
    fn new(sink: &'k mut dyn Sink) -> Self {
        let strings = Strings::new(sink.wants().any_strings());
        Self {
            sink,
            strings,
            node_kinds: Vec::new(),
            edge_kinds: Vec::new(),
            own: Members::new(),
            rest: Members::new(),
        }
    }

    fn begin(&mut self, version: &str) -> Result {
        for (key, value) in
            [("target_source", "mdb_v8.text"), ("heap.identifier", "address"), ("mdb.version", version)]
        {
            head::metadata(self.sink, key, value)?;
        }
        let node = [
            ("subtype", FieldKind::Integer),
            ("identifier", FieldKind::Value),
            ("heap.class", FieldKind::String),
            ("heap.name", FieldKind::String),
            ("mdb.script_name", FieldKind::String),
            ("mdb.position", FieldKind::Integer),
        ];
        let node = node.map(|(name, kind)| (Cow::Borrowed(name), kind));
        self.sink.declare(&Declared::Record { name: "node", fields: &node }.into())?;
        for (i, (_, name, _)) in NODES.iter().enumerate() {
            let fields: Vec<_> = fields(name).iter().map(|(f, kind)| (Cow::Borrowed(*f), *kind)).collect();
            let id = i as u32 + 1;
            self.sink.declare(&Declared::Node { id, name, table: Some(name), fields: &fields }.into())?;
        }
        for (i, (_, name, role)) in EDGES.iter().enumerate() {
            let id = i as u32 + 1;
            let role = Some(*role);
            self.sink.declare(&Declared::Edge { id, name, retains: Retains::Yes, role, rest: b"" }.into())?;
        }
        Ok(())
    }

    fn record(&mut self, line: &Line<'_>) -> Result<(), Fault> {
        match line {
            Line::Node { kind, address, rest } => self.node(kind, *address, rest),
            Line::Edge { kind, source, label, dest } => self.edge(kind, *source, label, dest),
        }
    }

    fn node(&mut self, kind: &str, address: u64, values: &[(Option<&str>, Value<'_>)]) -> Result<(), Fault> {
        let known = NODES.iter().position(|(name, ..)| *name == kind);
        let subtype = match known {
            Some(i) => i,
            None => NODES.len() + self.other_kind(kind, true)?,
        };
        let (_, name, order) = known.and_then(|i| NODES.get(i)).unwrap_or(&("", "", &[]));
        let mut heap = Heap::default();
        self.own.clear();
        self.rest.clear();
        let mut order = order.iter();
        // Values come in any order; members have that of the declaration.
        let mut own: [Option<&Value<'_>>; 4] = [None; 4];
        self.rest.open("mdb");
        for (key, value) in values {
            let key = key.or_else(|| order.next().copied()).unwrap_or("value");
            let key = match key {
                "contents" if kind == "string" => "data",
                "script" => "script_name",
                key => key,
            };
            let field = fields(name).iter().position(|(f, _)| *f == key);
            match (kind, key, value) {
                ("object", "constructor", Value::Text(text)) => {
                    heap.class = Some(self.strings.name(text, self.sink)?);
                }
                ("function", "name", Value::Text(text)) => {
                    heap.name = Some(self.strings.name(text, self.sink)?);
                }
                (_, "script_name", Value::Text(text)) => {
                    let id = self.strings.name(text, self.sink)?;
                    self.rest.int(key, id);
                }
                _ => match field.and_then(|i| own.get_mut(i)) {
                    Some(slot) => *slot = Some(value),
                    None => value.push(&mut self.rest, key),
                },
            }
        }
        self.rest.close();
        for ((field, kind), value) in fields(name).iter().zip(own) {
            match (kind, value) {
                (_, None) => {}
                (FieldKind::String, Some(Value::Text(text))) => {
                    let id = self.strings.any(text, self.sink)?;
                    self.own.int(field, id);
                }
                // The name of an oddball may lack quotes.
                (FieldKind::String, Some(Value::Word(word))) => {
                    let id = self.strings.name(&(*word).into(), self.sink)?;
                    self.own.int(field, id);
                }
                (FieldKind::Float, Some(value)) => {
                    let x = value.float().ok_or(Fault::Line("expected a number"))?;
                    self.own.float(field, x);
                }
                (FieldKind::Integer, Some(value)) => {
                    let n = value.int().ok_or(Fault::Line("expected a whole number"))?;
                    self.own.int(field, n);
                }
                (_, Some(value)) => {
                    let n = value.value().ok_or(Fault::Line("expected SMI or addr"))?;
                    self.own.int(field, n);
                }
            }
        }
        let (own, rest) = (self.own.as_bytes(), self.rest.as_bytes());
        let id = identifier(address);
        let node = Node { subtype: subtype as u32 + 1, id, own, heap, rest, ..Node::default() };
        self.sink.nodes(&NodeBatch::one(&node))?;
        Ok(())
    }

    fn edge(&mut self, kind: &str, source: u64, label: &Value<'_>, dest: &Value<'_>) -> Result<(), Fault> {
        let subtype = match EDGES.iter().position(|(name, ..)| *name == kind) {
            Some(i) => i,
            None => EDGES.len() + self.other_kind(kind, false)?,
        };
        let label = match label {
            Value::Text(text) => self.strings.label(text, self.sink)?,
            Value::Word(word) => self.strings.label(&(*word).into(), self.sink)?,
            Value::Small(_) | Value::Address(_) => return Err(Fault::Line("expected a label")),
        };
        let dest = dest.value().ok_or(Fault::Line("expected SMI or addr"))?;
        let (subtype, source) = (subtype as u32 + 1, identifier(source));
        let edge = Edge { subtype, source, dest: Some(dest), label: Some(label), ..Edge::default() };
        self.sink.edges(&EdgeBatch::one(&edge))?;
        Ok(())
    }

    /// The number of a kind that is not the draft's. Its first use declares it.
    fn other_kind(&mut self, kind: &str, node: bool) -> Result<usize, Fault> {
        let kinds = if node { &mut self.node_kinds } else { &mut self.edge_kinds };
        if let Some(i) = kinds.iter().position(|k| k == kind) {
            return Ok(i);
        }
        if kinds.len() >= MOST_KINDS {
            return Err(Fault::Line("too many kinds"));
        }
        kinds.push(kind.to_owned());
        let (i, name) = (kinds.len() - 1, format!("mdb.{kind}"));
        let name = name.as_str();
        let declaration = if node {
            let id = (NODES.len() + i) as u32 + 1;
            Declared::Node { id, name, table: None, fields: &[] }
        } else {
            let id = (EDGES.len() + i) as u32 + 1;
            Declared::Edge { id, name, retains: Retains::Yes, role: Some(Role::Inner), rest: b"" }
        };
        self.sink.declare(&declaration.into())?;
        Ok(i)
    }
}

/// Addresses are tagged; one that is not would stand for a small integer.
fn identifier(address: u64) -> heap_record::Value {
    address as i64 | 1
}

impl Value<'_> {
    /// A tagged value.
    fn value(&self) -> Option<heap_record::Value> {
        match self {
            Self::Small(n) => Some(small(*n)),
            Self::Address(address) => Some(identifier(*address)),
            Self::Word(_) | Self::Text(_) => None,
        }
    }

    fn int(&self) -> Option<i64> {
        match self {
            Self::Small(n) => Some(*n),
            Self::Word(word) => word.parse().ok(),
            Self::Address(_) | Self::Text(_) => None,
        }
    }

    fn float(&self) -> Option<f64> {
        match self {
            Self::Small(n) => Some(*n as f64),
            Self::Word(word) => word.parse().ok(),
            Self::Address(_) | Self::Text(_) => None,
        }
    }

    /// Adds it under a name that is not the draft's.
    fn push(&self, members: &mut Members, key: &str) {
        match self {
            Self::Text(text) => members.text(key, &text.text()),
            Self::Small(n) => members.int(key, *n),
            Self::Address(address) => members.int(key, identifier(*address)),
            Self::Word(word) => match (word.parse::<i64>(), word.parse::<f64>()) {
                (Ok(n), _) => members.int(key, n),
                (_, Ok(x)) => members.float(key, x),
                _ => members.text(key, word),
            },
        };
    }
}
