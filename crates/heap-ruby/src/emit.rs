//! The passes after the first: frozen strings, nodes, edges.

use heap_base::Map;

use heap_base::{Blob, Members, Result};
use heap_record::wants::Strings as WantedStrings;
use heap_record::{
    Edge, EdgeBatch, EdgeSlice, Ends, Extension, Heap, Node, NodeBatch, PlainNode, Sink, StringId, Texts,
};

use crate::declare::{EdgeType, declarations, root_id, snapshot};
use crate::edges::{LABELS, Label, Labels, Roles, identifier};
use crate::kinds::Kind;
use crate::line::{Line, Parser, Text, Truths};
use crate::lines::Lines;
use crate::names::{Names, of_class, owners};
use crate::scan::{Record, Scan, is_frozen_text, record};
use crate::strings::Strings;

/// Nodes delivered at once.
const BATCH: usize = 1024;

/// Emits one dump.
pub(crate) fn dump(blob: &Blob, scan: &mut Scan, sink: &mut dyn Sink) -> Result {
    let wants = sink.wants();
    snapshot(scan, sink)?;
    declarations(&scan.kinds.others, sink)?;
    let frozen_texts = scan.frozen.len() as StringId;
    let mut parser = Parser::new();
    if !scan.frozen.is_empty() {
        let (mut id, mut texts) = (0, Texts::default());
        each(blob, scan, &mut parser, &mut |_, _, kind, line| {
            if is_frozen_text(kind, line)
                && let Some(text) = line.value
            {
                id += 1;
                texts.utf8_saying(id, text.bytes, &text.decode(), sink)?;
            }
            Ok(())
        })?;
    }
    let mut strings = Strings::new(wants.any_strings(), frozen_texts);
    let names = Names::new(scan, &mut strings, sink)?;
    let frozen = Frozen::new(&mut scan.frozen);
    let mut emitter = Emitter { strings, names, frozen, own: Members::new(), rest: Members::new() };
    if wants.any_nodes() || wants.extensions {
        emitter.nodes(blob, scan, &mut parser, sink)?;
    }
    if wants.any_edges() {
        emitter.edges(blob, scan, &mut parser, sink)?;
    }
    Ok(())
}

/// Calls `each` with every object, root and shape of a dump that could be read in the first pass.
fn each(
    blob: &Blob,
    scan: &mut Scan,
    parser: &mut Parser,
    each: &mut dyn FnMut(&mut Scan, &[u64], Kind, &Line<'_>) -> Result,
) -> Result {
    let mut lines = Lines::new(blob, scan.start, scan.end.offset);
    let mut torn = false;
    while let Some((place, text)) = lines.next()? {
        let Ok(Record::Line(line)) = record(parser, text, &mut torn) else { continue };
        if line.root.is_some() {
            each(scan, &parser.references, Kind::ROOT, &line)?;
            continue;
        }
        let Some(address) = line.address else { continue };
        if line.kind == b"SHAPE" {
            each(scan, &parser.references, Kind::ROOT, &line)?;
            continue;
        }
        if line.kind == b"NONE" {
            continue;
        }
        let Ok(kind) = scan.kinds.of(&line) else { continue };
        // Of several lines with one address the last one counts.
        let outdated = !scan.repeated.is_empty()
            && scan.repeated.get(&address).is_some_and(|&last| last != place.offset);
        if !outdated {
            each(scan, &parser.references, kind, &line)?;
        }
    }
    Ok(())
}

/// Numbers of the texts of frozen strings, by address.
#[derive(Debug)]
struct Frozen(Vec<(u64, u32)>);

impl Frozen {
    fn new(addresses: &mut Vec<u64>) -> Self {
        let addresses = std::mem::take(addresses);
        let mut ids: Vec<_> = addresses.into_iter().zip(1..).collect();
        ids.sort_unstable();
        Self(ids)
    }

    /// Of a repeated address, the last one.
    fn text(&self, address: u64) -> Option<StringId> {
        let end = self.0.partition_point(|&(other, _)| other <= address);
        let &(found, id) = self.0.get(end.checked_sub(1)?)?;
        (found == address).then_some(StringId::from(id))
    }
}

struct Emitter {
    strings: Strings,
    names: Names,
    frozen: Frozen,
    own: Members,
    rest: Members,
}

impl Emitter {
    fn nodes(&mut self, blob: &Blob, scan: &mut Scan, parser: &mut Parser, sink: &mut dyn Sink) -> Result {
        let wants = sink.wants();
        let names = wants.strings == WantedStrings::All;
        for (number, root) in scan.roots.iter().enumerate() {
            let name = names.then(|| self.strings.name(Text { bytes: root, escaped: false }, sink));
            let heap = Heap { name: name.transpose()?, ..Heap::default() };
            let (subtype, id) = (Kind::ROOT.subtype(), root_id(number));
            sink.nodes(&NodeBatch::one(&Node { subtype, id, heap, ..Node::default() }))?;
        }
        let kinds_of_classes =
            [self.strings.name(Text::from("Class"), sink)?, self.strings.name(Text::from("Module"), sink)?];
        let owners = owners(scan);
        let full = wants.node_details();
        let mut plain: Vec<PlainNode> = Vec::with_capacity(BATCH);
        each(blob, scan, parser, &mut |scan, references, kind, line| {
            let Some(address) = line.address else { return Ok(()) };
            if line.kind == b"SHAPE" {
                return if wants.extensions { self.shape(line, sink) } else { Ok(()) };
            }
            if !wants.any_nodes() {
                return Ok(());
            }
            let mut heap = Heap { size: line.memsize, ..Heap::default() };
            heap.class = match kind {
                Kind::CLASS => Some(kinds_of_classes[0]),
                Kind::MODULE => Some(kinds_of_classes[1]),
                Kind::ICLASS => None,
                _ if kind.is_imemo() => None,
                _ => line.class.and_then(|class| self.names.of(class, scan)),
            };
            if kind == Kind::DATA
                && line.class.is_none()
                && let Some(structure) = line.structure
            {
                let name = format!("({})", structure.decode());
                heap.class = Some(self.strings.name(Text::from(&*name), sink)?);
            }
            if names {
                heap.name = match kind {
                    Kind::CLASS | Kind::MODULE => {
                        let number = scan.class_numbers.get(&address);
                        match number.and_then(|&number| of_class(number, &owners, scan)) {
                            Some(name) => Some(self.strings.name(Text::from(&*name), sink)?),
                            None => None,
                        }
                    }
                    // Its first strings are its label and the method it stands in.
                    Kind::ISEQ => references.iter().take(4).find_map(|&to| self.frozen.text(to)),
                    Kind::SYMBOL => match line.value {
                        Some(text) => Some(self.strings.content(text, sink)?),
                        None => None,
                    },
                    _ => None,
                };
            }
            let (subtype, id) = (kind.subtype(), identifier(address));
            if let (false, Some(size), Some(string), None) = (full, heap.size, heap.class, heap.name) {
                plain.push(PlainNode { subtype, id, size, class: true, string, ..PlainNode::default() });
                if plain.len() == BATCH {
                    sink.nodes(&NodeBatch::Plain { nodes: &plain, own: b"" })?;
                    plain.clear();
                }
                return Ok(());
            }
            if !plain.is_empty() {
                sink.nodes(&NodeBatch::Plain { nodes: &plain, own: b"" })?;
                plain.clear();
            }
            self.own.clear();
            self.rest.clear();
            if full {
                self.own_fields(kind, address, line, sink)?;
                let word = line.class.filter(|&class| kind.has_marked_word() && scan.addresses.has(class));
                let class = if kind.has_class() { line.class } else { word };
                self.fields(kind, class, line, sink)?;
            }
            let (own, rest) = (self.own.as_bytes(), self.rest.as_bytes());
            sink.nodes(&NodeBatch::one(&Node { subtype, id, own, heap, rest, ..Node::default() }))
        })?;
        if !plain.is_empty() {
            sink.nodes(&NodeBatch::Plain { nodes: &plain, own: b"" })?;
        }
        Ok(())
    }

    /// Fields of the subtype.
    fn own_fields(&mut self, kind: Kind, address: u64, line: &Line<'_>, sink: &mut dyn Sink) -> Result {
        match kind {
            Kind::ARRAY => {
                if let Some(length) = line.length {
                    self.own.uint("length", length);
                }
            }
            // All of a text is ASCII, so its length in bytes is that in characters.
            Kind::STRING => {
                if let Some(text) = line.value {
                    let frozen = line.truths.has(Truths::FROZEN).then(|| self.frozen.text(address));
                    let id = match frozen.flatten() {
                        Some(id) => id,
                        None => self.strings.content(text, sink)?,
                    };
                    if let Some(length) = line.bytesize {
                        self.own.uint("length", length);
                    }
                    self.own.int("data", id);
                }
            }
            Kind::FLOAT => {
                let text = line.value.map(Text::decode).unwrap_or_default();
                let value = match &*text {
                    "Inf" => Some(f64::INFINITY),
                    "-Inf" => Some(f64::NEG_INFINITY),
                    "NaN" => Some(f64::NAN),
                    text => text.parse().ok(),
                };
                if let Some(value) = value {
                    self.own.float("value", value);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Fields that only Ruby has.
    fn fields(&mut self, kind: Kind, class: Option<u64>, line: &Line<'_>, sink: &mut dyn Sink) -> Result {
        let mut text = |text: Option<Text<'_>>| match text {
            Some(text) => self.strings.name(text, sink).map(Some),
            None => Ok(None),
        };
        let encoding = text(line.encoding)?;
        let coderange = text(line.coderange)?;
        let structure = text(line.structure)?;
        let node_type = text(line.node_type)?;
        let called = text(line.called)?;
        let file = text(line.file)?;
        let method = text(line.method)?;
        let value = match kind {
            Kind::STRING | Kind::FLOAT => None,
            _ => text(line.value)?,
        };
        let rest = &mut self.rest;
        rest.open("ruby");
        let int = |rest: &mut Members, key, n: Option<i64>| {
            if let Some(n) = n {
                rest.int(key, n);
            }
        };
        let uint = |rest: &mut Members, key, n: Option<u64>| {
            if let Some(n) = n {
                rest.uint(key, n);
            }
        };
        int(rest, "class", class.map(identifier));
        int(rest, "superclass", line.superclass.map(identifier));
        uint(rest, "slot_size", line.slot_size);
        uint(rest, "shape", line.shape);
        uint(rest, "bytesize", line.bytesize);
        uint(rest, "capacity", line.capacity);
        int(rest, "encoding", encoding);
        int(rest, "coderange", coderange);
        uint(rest, "size", line.size);
        uint(rest, "ivars", line.ivars);
        int(rest, "fd", line.fd);
        int(rest, "struct", structure);
        int(rest, "value", value);
        int(rest, "node_type", node_type);
        int(rest, "called", called);
        int(rest, "receiver_class", line.receiver_class.map(identifier));
        for (key, truth) in [
            ("frozen", Truths::FROZEN),
            ("embedded", Truths::EMBEDDED),
            ("shared", Truths::SHARED),
            ("fstring", Truths::FSTRING),
            ("broken", Truths::BROKEN),
            ("chilled", Truths::CHILLED),
            ("singleton", Truths::SINGLETON),
            ("complex_shape", Truths::COMPLEX_SHAPE),
        ] {
            if line.truths.has(truth) {
                rest.boolean(key, true);
            }
        }
        int(rest, "file", file);
        int(rest, "line", line.line);
        int(rest, "method", method);
        int(rest, "generation", line.generation);
        if let Some(flags) = line.flags.filter(|flags| flags.len() > 2) {
            rest.text("flags", &String::from_utf8_lossy(flags));
        }
        rest.close();
        Ok(())
    }

    fn shape(&mut self, line: &Line<'_>, sink: &mut dyn Sink) -> Result {
        let kind = line.shape_type.map(|text| self.strings.name(text, sink)).transpose()?;
        let name = line.edge_name.map(|text| self.strings.name(text, sink)).transpose()?;
        let body = &mut self.rest;
        body.clear();
        for (key, number) in [("id", line.id), ("address", line.address), ("parent", line.parent)] {
            if let Some(number) = number {
                body.uint(key, number);
            }
        }
        for (key, id) in [("kind", kind), ("name", name)] {
            if let Some(id) = id {
                body.int(key, id);
            }
        }
        for (key, number) in [("depth", line.depth), ("edges", line.edges), ("size", line.memsize)] {
            if let Some(number) = number {
                body.uint(key, number);
            }
        }
        sink.extension(&Extension { kind: "ruby.shape", body: body.as_bytes(), ..Extension::default() })
    }

    fn edges(&mut self, blob: &Blob, scan: &mut Scan, parser: &mut Parser, sink: &mut dyn Sink) -> Result {
        let mut ids = [0; LABELS.len()];
        for (id, text) in ids.iter_mut().zip(LABELS) {
            *id = self.strings.name(Text::from(text), sink)?;
        }
        let labels = Labels::new(ids);
        let mut variables = Map::default();
        for (&id, shape) in &scan.shapes {
            if let Some(name) = &shape.variable {
                variables.insert(id, self.strings.name(Text { bytes: name, escaped: false }, sink)?);
            }
        }
        let mut path = Vec::new();
        let mut edges: Vec<Edge<'static>> = Vec::new();
        each(blob, scan, parser, &mut |scan, references, kind, line| {
            edges.clear();
            if let Some(root) = line.root {
                let Some(number) = scan.roots.iter().position(|name| **name == *root.bytes) else {
                    return Ok(());
                };
                edges.extend(references.iter().map(|&to| Edge {
                    subtype: EdgeType::Root as u32,
                    source: root_id(number),
                    dest: Some(identifier(to)),
                    ..Edge::default()
                }));
                return deliver(&edges, sink);
            }
            let Some(address) = line.address else { return Ok(()) };
            if line.kind == b"SHAPE" {
                return Ok(());
            }
            let source = identifier(address);
            if let Some(class) = line.class {
                let edge = |subtype: EdgeType, label| Edge {
                    subtype: subtype as u32,
                    source,
                    dest: Some(identifier(class)),
                    label,
                    ..Edge::default()
                };
                if kind.has_class() {
                    if scan.addresses.has(class) {
                        edges.push(edge(EdgeType::Class, Some(labels.class)));
                    }
                } else if kind.has_marked_word() && scan.addresses.has(class) {
                    edges.push(edge(EdgeType::Reference, None));
                }
            }
            path.clear();
            if matches!(kind, Kind::OBJECT | Kind::FIELDS) && !line.truths.has(Truths::COMPLEX_SHAPE) {
                variables_of(line.shape, references.len(), scan, &variables, &mut path);
            }
            let roles = Roles::new(kind, line, references, &path, &labels);
            let mut before = None;
            for (i, &to) in (0..).zip(references) {
                let (subtype, label) = roles.of(i, to);
                let label = match label {
                    Label::None if matches!(kind, Kind::CLASS | Kind::MODULE) => {
                        match scan.constant(address, to) {
                            Some(bytes) => Some(self.strings.name(Text { bytes, escaped: false }, sink)?),
                            None => None,
                        }
                    }
                    Label::None => None,
                    Label::Text(id) => Some(id),
                    Label::Index => self.strings.index(i, sink)?,
                    Label::KeyBefore => before.and_then(|key| self.frozen.text(key)),
                };
                before = Some(to);
                let (subtype, dest) = (subtype as u32, Some(identifier(to)));
                edges.push(Edge { subtype, source, dest, label, ..Edge::default() });
            }
            deliver(&edges, sink)
        })
    }
}

fn deliver(edges: &[Edge<'_>], sink: &mut dyn Sink) -> Result {
    if edges.is_empty() {
        return Ok(());
    }
    sink.edges(&EdgeBatch { ends: Ends::Identifiers, partner: None, edges: EdgeSlice::Records(edges) })
}

/// Puts the names of a shape's instance variables into `path`, those of its ancestors first, if there are as many as
/// `count`. Else `path` holds fewer or more.
///
/// Shapes between those of variables are few, and the way is given up soon after `count` variables: so a dump whose shapes
/// form a ring or a long chain costs no more than its references.
fn variables_of(
    shape: Option<u64>,
    count: usize,
    scan: &Scan,
    names: &Map<u64, StringId>,
    path: &mut Vec<StringId>,
) {
    let mut next = shape;
    for _ in 0..2 * count + 16 {
        let Some(id) = next else {
            path.reverse();
            return;
        };
        let Some(shape) = scan.shapes.get(&id) else { break };
        path.extend(names.get(&id));
        next = shape.parent;
    }
    path.clear();
}
