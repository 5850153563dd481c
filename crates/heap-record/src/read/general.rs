//! The general path: any JSON object in any shape, checked by serde_json, then taken apart without recursion.

use std::borrow::Cow;

use serde::de::IgnoredAny;

use super::held::{Declared as Known, Held};

use super::{Chosen, EndMark, INTERNED, fast};
use crate::batch::{EdgeBatch, NodeBatch};
use crate::draft;
use crate::model::{
    Data, Declaration, Declared, Edge, Extension, FieldKind, Heap, Line, Metadata, Node, Retains, Role, Str,
    StringId, Value,
};
use crate::sink::Sink;
use crate::types::Types;
use crate::wants::Wants;
use crate::write::END_NOTE;
use heap_base::json::{
    Json, compact, each, inside, push_float, push_int, push_text, push_uint, scalar, unescape,
};
use heap_base::{BitSet, Error, Map, Result, Set, sums};

/// The members of `heap` that the model has.
const HEAP: [&str; 10] = [
    "size",
    "class",
    "name",
    "external",
    "count",
    "retained",
    "retained_from",
    "idom",
    "distance",
    "reachable",
];

/// What the general path remembers between lines.
#[derive(Debug)]
pub(super) struct General {
    types: Types,
    declared: Known,
    held: Held,
    /// No more declarations come for what is held back.
    complete: bool,
    /// Subtypes of nodes (false) and edges that were used without a declaration.
    undeclared: Set<(bool, u32)>,
    interned: Map<Box<str>, StringId>,
    own: Vec<u8>,
    rest: Vec<u8>,
    heap_rest: Vec<u8>,
}

/// Why a line stops the reading.
pub(super) enum Fault {
    /// It is no record; says what was expected.
    Line(String),
    /// The sink failed.
    Sink(Error),
}

impl Fault {
    /// As an error at a line, if it is one of the line.
    pub(super) fn error(self, line: u64) -> Error {
        match self {
            Self::Line(what) => Error::at_line(line, what),
            Self::Sink(error) => error,
        }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Sink(error)
    }
}

type Step<T = ()> = std::result::Result<T, Fault>;

fn fault<T>(what: impl Into<String>) -> Step<T> {
    Err(Fault::Line(what.into()))
}

/// So many members of a record are compared with each other: more would take the square of their number.
const FEW: usize = 32;

/// Leaves the last value of equal keys, at the place of the first.
#[cold]
fn last_of_equals(members: &mut Vec<(Cow<'_, str>, &[u8])>) {
    let mut order: Vec<u32> = (0..members.len() as u32).collect();
    order.sort_by(|&a, &b| members[a as usize].0.cmp(&members[b as usize].0));
    let mut again = BitSet::new(members.len() as u32);
    // Equal keys stand side by side, in the order in which they came.
    let mut first = order.first().map_or(0, |&at| at as usize);
    for pair in order.windows(2) {
        let [before, at] = [pair[0] as usize, pair[1] as usize];
        if members[before].0 == members[at].0 {
            members[first].1 = members[at].1;
            again.insert(at as u32);
        } else {
            first = at;
        }
    }
    let mut at = 0;
    members.retain(|_| {
        at += 1;
        !again.contains(at - 1)
    });
}

/// The members of one record: keys decoded, values raw, the last of equal keys only.
struct Record<'a>(Vec<(Cow<'a, str>, &'a [u8])>);

impl<'a> Record<'a> {
    fn parse(line: &'a [u8]) -> Step<Self> {
        let Ok(text) = std::str::from_utf8(line) else { return fault("expected UTF-8") };
        if serde_json::from_str::<IgnoredAny>(text).is_err() || !text.trim_ascii_start().starts_with('{') {
            return fault("expected a JSON object");
        }
        let mut members: Vec<(Cow<'a, str>, &'a [u8])> = Vec::with_capacity(8);
        for (key, value) in each(inside(line).unwrap_or_default()) {
            let key = unescape(key);
            let known = if members.len() < FEW { members.iter_mut().find(|(k, _)| *k == key) } else { None };
            match known {
                Some(slot) => slot.1 = value,
                None => members.push((key, value)),
            }
        }
        if members.len() >= FEW {
            last_of_equals(&mut members);
        }
        Ok(Self(members))
    }

    /// The value of a key; null counts as absent.
    fn get(&self, key: &str) -> Option<Json<'a>> {
        let (_, raw) = self.0.iter().find(|(k, _)| k == key)?;
        scalar(raw).filter(|v| *v != Json::Null)
    }

    fn text(&self, key: &str) -> Step<Cow<'a, str>> {
        match self.get(key) {
            Some(Json::Text(text)) => Ok(text),
            Some(Json::Int(n)) => Ok(n.to_string().into()),
            Some(Json::Bool(b)) => Ok(if b { "true" } else { "false" }.into()),
            Some(_) => fault(format!("expected text in \"{key}\"")),
            None => fault(format!("expected a field \"{key}\"")),
        }
    }

    fn int(&self, key: &str) -> Step<i64> {
        match self.get(key) {
            Some(value) => {
                value.as_int().map_or_else(|| fault(format!("expected a whole number in \"{key}\"")), Ok)
            }
            None => fault(format!("expected a field \"{key}\"")),
        }
    }

    fn u32(&self, key: &str) -> Step<u32> {
        u32::try_from(self.int(key)?).or_else(|_| fault(format!("expected a number below 2^32 in \"{key}\"")))
    }

    fn optional(&self, key: &str) -> Step<Option<i64>> {
        if self.get(key).is_none() { Ok(None) } else { self.int(key).map(Some) }
    }

    fn fields(&self) -> Step<Vec<(Cow<'a, str>, FieldKind)>> {
        let Some((_, raw)) = self.0.iter().find(|(k, _)| k == "fields") else { return Ok(Vec::new()) };
        let Some(members) = inside(raw) else { return fault("expected an object in \"fields\"") };
        let mut fields = Vec::with_capacity(each(members).count());
        for (name, kind) in each(members) {
            let Some(Json::Text(kind)) = scalar(kind) else { return fault("expected text in \"fields\"") };
            // A kind of a later version is left out: the fields themselves are still carried as they are.
            if let Some(kind) = FieldKind::from_name(&kind) {
                fields.push((unescape(name), kind));
            }
        }
        Ok(fields)
    }
}

impl General {
    /// Holds back what `wants` asks to be declared.
    pub(super) fn new(wants: Wants) -> Self {
        Self {
            types: Types::default(),
            declared: Known::new(wants),
            held: Held::default(),
            complete: false,
            undeclared: Set::default(),
            interned: Map::default(),
            own: Vec::new(),
            rest: Vec::new(),
            heap_rest: Vec::new(),
        }
    }

    /// Whether all declarations have come that an edge needs, and the strings that it waits for.
    #[expect(clippy::inline_always, reason = "asked for each edge")]
    #[inline(always)]
    pub(super) fn edge_may_pass(&self, edge: &Edge<'_>) -> bool {
        self.declared.edge(edge, &self.types) && self.declared.edge_strings(edge, &self.types)
    }

    /// Whether all declarations have come that a node needs, and the strings that it waits for.
    #[inline]
    pub(super) fn node_may_pass(&self, node: &Node<'_>) -> bool {
        self.declared.node(node, &self.types) && self.declared.node_strings(node, &self.types)
    }

    /// Whether all declarations have come that an extension record needs, and the strings that it waits for.
    pub(super) fn extension_may_pass(&self, record: &Extension<'_>) -> bool {
        self.declared.extension(record.kind, &self.types)
            && self.declared.extension_strings(record, &self.types)
    }

    /// Whether the stream has declared arrays of numbers.
    pub(super) fn has_arrays(&self) -> bool {
        self.declared.arrays
    }

    /// Takes note of a string.
    #[inline]
    pub(super) fn saw(&mut self, id: StringId) {
        self.declared.string(id);
    }

    /// Holds a line back to the end of the snapshot.
    #[cold]
    pub(super) fn hold(&mut self, line: Line<'_>) -> Result {
        self.held.push(line.bytes, line.number)
    }

    /// Delivers what was held back: no more declarations come for it.
    pub(super) fn release(&mut self, chosen: &mut Chosen, end: &mut EndMark, sink: &mut dyn Sink) -> Step {
        if self.held.is_empty() {
            return Ok(());
        }
        self.complete = true;
        let held = std::mem::take(&mut self.held);
        let result = held.each(|line, number| {
            if self.canonical(line, number, sink)? {
                return Ok(());
            }
            self.line(line, number, chosen, end, sink).map_err(|fault| Fault::Sink(fault.error(number)))
        });
        self.complete = false;
        result
    }

    /// Passes the record of a line on that was held back, if it is a canonical node or edge.
    fn canonical(&mut self, line: &[u8], number: u64, sink: &mut dyn Sink) -> Step<bool> {
        let mut text = std::mem::take(&mut self.rest);
        text.clear();
        text.extend_from_slice(line);
        text.push(b'\n');
        let found = if let Some((mut node, _)) = fast::plain_node(&text).or_else(|| fast::node(&text)) {
            node.line.number = number;
            if self.types.node(node.subtype).is_none() {
                self.undeclared.insert((false, node.subtype));
            }
            sink.nodes(&NodeBatch::one(&node)).map(|()| true)
        } else if let Some((mut edge, _)) = fast::edge(&text) {
            edge.line.number = number;
            if self.types.edge(edge.subtype).is_none() {
                self.undeclared.insert((true, edge.subtype));
            }
            sink.edges(&EdgeBatch::one(&edge)).map(|()| true)
        } else {
            Ok(false)
        };
        self.rest = text;
        Ok(found?)
    }

    /// Reads one line and passes its record on.
    pub(super) fn line(
        &mut self,
        bytes: &[u8],
        number: u64,
        chosen: &mut Chosen,
        end: &mut EndMark,
        sink: &mut dyn Sink,
    ) -> Step {
        let quoted;
        let (record, line) = match Record::parse(bytes) {
            Ok(record) => (record, Line { bytes: bytes.trim_ascii(), canonical: false, number }),
            Err(fault) => {
                // Not copied as it is: no JSON reader would take it.
                quoted = quote_hex(bytes).ok_or(fault)?;
                (Record::parse(&quoted)?, Line { number, ..Line::default() })
            }
        };
        let Some(Json::Text(kind)) = record.get("type") else {
            return fault("expected a record with a \"type\"");
        };
        if kind != "metadata" && !self.complete {
            end.record(&kind).or_else(fault)?;
        }
        match kind.as_ref() {
            "metadata" => {
                let (key, value) = (record.text("key")?, record.text("value")?);
                let metadata = Metadata { key: &key, value: &value, line };
                if key == "version_major" {
                    if !end.lenient {
                        draft::version(&value).or_else(fault)?;
                    }
                    if end.is_late() {
                        return Ok(());
                    }
                }
                end.metadata(&metadata).or_else(fault)?;
                if matches!(metadata.key, "version_major" | "heap.snapshot") {
                    self.release(chosen, end, sink)?;
                }
                if key == "version_major" {
                    self.types.clear();
                    self.declared.clear();
                    self.undeclared.clear();
                    self.interned.clear();
                }
                if let Some(note) = end.note.take() {
                    sink.metadata(&Metadata { key: END_NOTE, value: &note, line: Line::default() })?;
                }
                if chosen.metadata(&metadata) {
                    sink.metadata(&metadata)?;
                }
            }
            "type" => {
                let (name, fields) = (record.text("name")?, record.fields()?);
                self.declare(Declared::Record { name: &name, fields: &fields }, line, sink)?;
            }
            "node_type" => {
                let (id, name, fields) = (record.u32("nodetypeid")?, record.text("name")?, record.fields()?);
                let table =
                    record.get("table_name").is_some().then(|| record.text("table_name")).transpose()?;
                // Whatever the draft calls it.
                let name = draft::subtype(&name).map_or(&*name, |known| known.name);
                let table = table.as_deref();
                self.declare(Declared::Node { id, name, table, fields: &fields }, line, sink)?;
            }
            "edge_type" => self.edge_type(&record, line, sink)?,
            "string" => self.string(&record, line, chosen, sink)?,
            "node" | "edge" if chosen.skips => {}
            "node" if self.holds_node(&record) => self.held.push(bytes, number)?,
            "edge" if self.holds_edge(&record) => self.held.push(bytes, number)?,
            "node" if !self.node(&record, line, sink)? => self.held.push(bytes, number)?,
            "edge" if !self.edge(&record, line, sink)? => self.held.push(bytes, number)?,
            "node" | "edge" => {}
            other if !chosen.skips && !self.complete && !self.declared.extension(other, &self.types) => {
                self.held.push(bytes, number)?;
            }
            other if !chosen.skips && !self.extension(other, &record, line, sink)? => {
                self.held.push(bytes, number)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn declare(&mut self, what: Declared<'_>, line: Line<'_>, sink: &mut dyn Sink) -> Step {
        let used = |edge, id| self.undeclared.contains(&(edge, id));
        let late = match what {
            Declared::Node { id, name, .. } => {
                used(false, id) || self.types.node_id(name).is_some_and(|id| used(false, id))
            }
            Declared::Edge { id, name, .. } => {
                used(true, id) || self.types.edge_id(name).is_some_and(|id| used(true, id))
            }
            Declared::Record { .. } => false,
        };
        if late {
            return fault("this is declared after the snapshot that uses it");
        }
        let declaration = Declaration { what, line };
        self.types.declare(&declaration);
        self.declared.declare(&what);
        sink.declare(&declaration)?;
        Ok(())
    }

    fn edge_type(&mut self, record: &Record<'_>, line: Line<'_>, sink: &mut dyn Sink) -> Step {
        let (id, name) = (record.u32("edgetypeid")?, record.text("name")?);
        let (mut retains, mut role) = (Retains::Yes, None);
        self.rest.clear();
        for (key, raw) in &record.0 {
            match (key.as_ref(), inside(raw)) {
                ("type" | "edgetypeid" | "name", _) => {}
                ("heap", Some(heap)) => {
                    for (key, raw) in each(heap) {
                        let word = match scalar(raw) {
                            Some(Json::Text(word)) => word,
                            _ => "".into(),
                        };
                        match unescape(key).as_ref() {
                            "retains" => match Retains::from_name(&word) {
                                Some(said) => retains = said,
                                None => return fault("expected yes, no, root or weak in \"retains\""),
                            },
                            "role" => match Role::from_name(&word) {
                                Some(said) => role = Some(said),
                                None => {
                                    return fault(
                                        "expected member, element, variable, static or inner in \"role\"",
                                    );
                                }
                            },
                            _ => {}
                        }
                    }
                }
                _ => push_member(&mut self.rest, key, raw),
            }
        }
        let rest = std::mem::take(&mut self.rest);
        let what = Declared::Edge { id, name: &name, retains, role, rest: &rest };
        let result = self.declare(what, line, sink);
        self.rest = rest;
        result
    }

    fn string(
        &mut self,
        record: &Record<'_>,
        line: Line<'_>,
        chosen: &mut Chosen,
        sink: &mut dyn Sink,
    ) -> Step {
        let id = record.int("stringid").or_else(|e| record.int("ident").map_err(|_| e))?;
        let text = record.text("data").or_else(|e| record.text("contents").map_err(|_| e))?;
        self.rest.clear();
        for (key, raw) in &record.0 {
            if !matches!(key.as_ref(), "type" | "stringid" | "ident" | "data" | "contents") {
                push_member(&mut self.rest, key, raw);
            }
        }
        self.declared.string(id);
        if !chosen.string(id) {
            return Ok(());
        }
        sink.string(&Str { id, data: Data::Plain(&text), rest: &self.rest, line })?;
        Ok(())
    }

    /// Passes a node on; false if it waits for its strings.
    fn node(&mut self, record: &Record<'_>, line: Line<'_>, sink: &mut dyn Sink) -> Step<bool> {
        let id = record.int("identifier").or_else(|e| record.int("ident").map_err(|_| e))?;
        let subtype = match record.get("subtype") {
            Some(Json::Text(name)) => self.node_type(&name, sink)?,
            _ => record.u32("subtype")?,
        };
        if self.complete && self.types.node(subtype).is_none() {
            self.undeclared.insert((false, subtype));
        }
        self.own.clear();
        self.rest.clear();
        self.heap_rest.clear();
        let mut heap = Heap::default();
        for (key, raw) in &record.0 {
            match (key.as_ref(), inside(raw)) {
                ("type" | "subtype" | "identifier" | "ident", _) => {}
                ("heap", Some(members)) => self.heap(members, subtype, &mut heap, sink)?,
                (_, Some(members)) => self.namespace(key, members, Fields::Node(subtype), sink)?,
                (_, None) => {
                    let kind = self.types.node_field(subtype, key);
                    let value = self.as_id(kind, raw, sink)?;
                    push_value(&mut self.own, key, raw, kind, value);
                }
            }
        }
        heap.rest = &self.heap_rest;
        let node = Node { subtype, id, own: &self.own, heap, rest: &self.rest, line };
        let passes = self.complete || self.declared.node_strings(&node, &self.types);
        if passes {
            sink.nodes(&NodeBatch::one(&node))?;
        }
        Ok(passes)
    }

    /// Whether a node waits for its declarations.
    fn holds_node(&self, record: &Record<'_>) -> bool {
        let plain = |(key, raw): &(Cow<'_, str>, &[u8])| match (key.as_ref(), inside(raw)) {
            ("heap", Some(members)) => each(members).all(|(key, _)| HEAP.contains(&key)),
            (_, members) => members.is_none(),
        };
        let typed = || match record.get("subtype") {
            Some(Json::Text(name)) => self.types.node_id(&name).is_some(),
            subtype => subtype
                .and_then(|n| u32::try_from(n.as_int()?).ok())
                .is_none_or(|n| self.types.node(n).is_some()),
        };
        let waits = self.declared.waits().0 && !self.complete;
        waits && !(typed() && (self.types.record("node").is_some() || record.0.iter().all(plain)))
    }

    /// Whether an edge waits for its declarations.
    fn holds_edge(&self, record: &Record<'_>) -> bool {
        let plain = |(key, raw): &(Cow<'_, str>, &[u8])| key == "heap" || inside(raw).is_none();
        let typed = || match record.get("subtype") {
            Some(Json::Text(name)) => self.types.edge_id(&name).is_some(),
            subtype => subtype
                .and_then(|n| u32::try_from(n.as_int()?).ok())
                .is_none_or(|n| self.types.edge(n).is_some()),
        };
        let waits = self.declared.waits().1 && !self.complete;
        waits && !(typed() && (self.types.record("edge").is_some() || record.0.iter().all(plain)))
    }

    fn heap(&mut self, members: &[u8], subtype: u32, heap: &mut Heap<'_>, sink: &mut dyn Sink) -> Step {
        for (key, raw) in each(members) {
            let key = unescape(key);
            let value = scalar(raw).filter(|v| *v != Json::Null);
            let int = || match value.as_ref().map(Json::as_int) {
                Some(None) => fault(format!("expected a whole number in \"heap.{key}\"")),
                Some(n) => Ok(n),
                None => Ok(None),
            };
            let uint = || match int()? {
                // Hexadecimal digits may be of a number beyond 2^63.
                Some(n) if n < 0 && !matches!(&value, Some(Json::Text(text)) if !text.starts_with('-')) => {
                    fault(format!("expected a number that is not negative in \"heap.{key}\""))
                }
                n => Ok(n.map(|n| n as u64)),
            };
            match key.as_ref() {
                "size" => heap.size = uint()?,
                "class" | "name" => {
                    let id = match &value {
                        Some(Json::Text(text)) => Some(self.intern(text, sink)?),
                        _ => int()?,
                    };
                    *(if key == "class" { &mut heap.class } else { &mut heap.name }) = id;
                }
                "external" => heap.external = uint()?,
                "count" => heap.count = uint()?,
                "retained" => heap.retained = uint()?.map(sums::read),
                "retained_from" => heap.retained_from = uint()?,
                "idom" => heap.idom = int()?,
                "distance" => heap.distance = int()?,
                "reachable" => match value {
                    Some(Json::Bool(b)) => heap.reachable = Some(b),
                    None => heap.reachable = None,
                    _ => return fault("expected true or false in \"heap.reachable\""),
                },
                other => {
                    let kind = self.types.node_field(subtype, &format!("heap.{other}"));
                    let value = self.as_id(kind, raw, sink)?;
                    push_value(&mut self.heap_rest, other, raw, kind, value);
                }
            }
        }
        Ok(())
    }

    /// Passes an edge on; false if it waits for its strings.
    fn edge(&mut self, record: &Record<'_>, line: Line<'_>, sink: &mut dyn Sink) -> Step<bool> {
        let subtype = match record.get("subtype") {
            Some(Json::Text(name)) => self.edge_type_id(&name, sink)?,
            _ => record.u32("subtype")?,
        };
        if self.complete && self.types.edge(subtype).is_none() {
            self.undeclared.insert((true, subtype));
        }
        let (source, dest): (Value, _) = (record.int("source")?, record.optional("dest")?);
        let label = match record.get("label") {
            Some(Json::Text(text)) => Some(self.intern(&text, sink)?),
            _ => record.optional("label")?,
        };
        self.rest.clear();
        for (key, raw) in &record.0 {
            match (key.as_ref(), inside(raw)) {
                ("type" | "subtype" | "source" | "dest" | "label", _) => {}
                (_, Some(members)) => self.namespace(key, members, Fields::Record("edge"), sink)?,
                (_, None) => {
                    push_value(&mut self.rest, key, raw, self.types.record_field("edge", key), None);
                }
            }
        }
        let edge = Edge { subtype, source, dest, label, rest: &self.rest, line };
        let passes = self.complete || self.declared.edge_strings(&edge, &self.types);
        if passes {
            sink.edges(&EdgeBatch::one(&edge))?;
        }
        Ok(passes)
    }

    /// Passes an extension record on; false if it waits for its strings.
    fn extension(
        &mut self,
        kind: &str,
        record: &Record<'_>,
        line: Line<'_>,
        sink: &mut dyn Sink,
    ) -> Step<bool> {
        self.rest.clear();
        for (key, raw) in &record.0 {
            match (key.as_ref(), inside(raw)) {
                ("type", _) => {}
                (_, Some(members)) => self.namespace(key, members, Fields::Record(kind), sink)?,
                (_, None) => {
                    let kind = self.types.record_field(kind, key);
                    let value = self.as_id(kind, raw, sink)?;
                    push_value(&mut self.rest, key, raw, kind, value);
                }
            }
        }
        let record = Extension { kind, body: &self.rest, line };
        let passes = self.complete || self.declared.extension_strings(&record, &self.types);
        if passes {
            sink.extension(&record)?;
        }
        Ok(passes)
    }

    /// Appends a namespace to `rest`, with text in place of string ids replaced by ids.
    fn namespace(&mut self, name: &str, members: &[u8], fields: Fields<'_>, sink: &mut dyn Sink) -> Step {
        push_key(&mut self.rest, name);
        self.rest.push(b'{');
        for (key, raw) in each(members) {
            let key = unescape(key);
            let path = format!("{name}.{key}");
            let kind = match fields {
                Fields::Node(subtype) => self.types.node_field(subtype, &path),
                Fields::Record(record) => self.types.record_field(record, &path),
            };
            let value = self.as_id(kind, raw, sink)?;
            push_value(&mut self.rest, &key, raw, kind, value);
        }
        self.rest.push(b'}');
        Ok(())
    }

    /// The id for text in place of a string id.
    fn as_id(
        &mut self,
        kind: Option<FieldKind>,
        raw: &[u8],
        sink: &mut dyn Sink,
    ) -> Result<Option<StringId>> {
        match (kind, scalar(raw)) {
            (Some(FieldKind::String), Some(Json::Text(text))) => self.intern(&text, sink).map(Some),
            _ => Ok(None),
        }
    }

    fn intern(&mut self, text: &str, sink: &mut dyn Sink) -> Result<StringId> {
        if let Some(&id) = self.interned.get(text) {
            return Ok(id);
        }
        let id = INTERNED + self.interned.len() as StringId;
        self.interned.insert(text.into(), id);
        sink.string(&Str { id, data: Data::Plain(text), ..Str::default() })?;
        Ok(id)
    }

    fn node_type(&mut self, name: &str, sink: &mut dyn Sink) -> Step<u32> {
        if let Some(id) = self.types.node_id(name) {
            return Ok(id);
        }
        let id = self.types.free_node_id();
        self.declare(Declared::Node { id, name, table: None, fields: &[] }, Line::default(), sink)?;
        if self.complete {
            self.undeclared.insert((false, id));
        }
        Ok(id)
    }

    fn edge_type_id(&mut self, name: &str, sink: &mut dyn Sink) -> Step<u32> {
        if let Some(id) = self.types.edge_id(name) {
            return Ok(id);
        }
        let id = self.types.free_edge_id();
        let what = Declared::Edge { id, name, retains: Retains::Yes, role: None, rest: b"" };
        self.declare(what, Line::default(), sink)?;
        if self.complete {
            self.undeclared.insert((true, id));
        }
        Ok(id)
    }
}

/// The line with quotes around bare hexadecimal numbers, `"ident":0x1001`, which is how the prototype of this format
/// (libpmx) writes them; `None` if there are none.
#[cold]
fn quote_hex(line: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(line.len() + 32);
    let (mut at, mut text, mut found) = (0, false, false);
    while let Some(&b) = line.get(at) {
        if !text && b == b'0' && line.get(at + 1) == Some(&b'x') && out.last() == Some(&b':') {
            let rest = &line[at + 2..];
            let digits = rest.iter().position(|b| !b.is_ascii_hexdigit()).unwrap_or(rest.len());
            out.push(b'"');
            out.extend_from_slice(&line[at..at + 2 + digits]);
            out.push(b'"');
            at += 2 + digits;
            found = true;
            continue;
        }
        out.push(b);
        at += 1;
        if b == b'"' {
            text = !text;
        } else if text && b == b'\\' {
            out.extend(line.get(at));
            at += 1;
        }
    }
    found.then_some(out)
}

/// Whose declared fields count.
#[derive(Clone, Copy)]
enum Fields<'a> {
    Node(u32),
    Record(&'a str),
}

fn push_key(out: &mut Vec<u8>, key: &str) {
    if !matches!(out.last(), None | Some(b'{')) {
        out.push(b',');
    }
    push_text(out, key);
    out.push(b':');
}

fn push_member(out: &mut Vec<u8>, key: &str, raw: &[u8]) {
    push_key(out, key);
    compact(out, raw);
}

/// Appends a field. Numbers take the form that the stream gives them, whatever a producer wrote: whole ones that JSON readers
/// would round are text, and `1e3` is 1000 where the field holds whole numbers.
fn push_value(out: &mut Vec<u8>, key: &str, raw: &[u8], kind: Option<FieldKind>, id: Option<StringId>) {
    if let Some(id) = id {
        push_key(out, key);
        push_int(out, id);
        return;
    }
    let whole = !matches!(kind, None | Some(FieldKind::Float | FieldKind::Text | FieldKind::Boolean));
    match scalar(raw) {
        Some(Json::Int(n)) if raw.len() > 15 => {
            push_key(out, key);
            match (i64::try_from(n), u64::try_from(n)) {
                (Ok(n), _) => push_int(out, n),
                (_, Ok(n)) => push_uint(out, n),
                // No integer of 64 bits.
                _ => push_float(out, n as f64),
            }
        }
        Some(number @ Json::Float(x)) => {
            push_key(out, key);
            match number.as_int().filter(|_| whole) {
                Some(n) => push_int(out, n),
                None => push_float(out, x),
            }
        }
        _ => push_member(out, key, raw),
    }
}
