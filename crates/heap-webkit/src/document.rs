//! One snapshot: where its sections are, its names, and its lists record by record.

use heap_base::literal::{self, Contents, Decoder};
use heap_base::{Blob, Error, NumberSet, Place, Result, Window};
use heap_base::{error::Kind, sort_by_key};
use heap_record::{Data, Sink, Str, StringId};

use crate::list::{Bound, List};

/// Keys and short texts longer than this are not those of a snapshot.
const MOST_TEXT: u64 = 4 << 10;

/// Most types of edges: each needs a declaration. WebKit has four.
const MOST_TYPES: usize = 256;

/// What [`members`] does with a member whose value comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// The value has been read.
    Taken,
    /// The value is of no use: pass over it.
    Pass,
    /// No more members are needed.
    Stop,
}

/// Goes over the byte order mark, blanks and the bracket that an object begins with.
pub(crate) fn begin(win: &mut Window<'_>) -> Result {
    if win.bytes()?.starts_with(b"\xEF\xBB\xBF") {
        win.advance(3);
    }
    match win.blanks()? {
        Some(b'{') => win.advance(1),
        _ => return Err(Error::at_byte(win.at(), "expected a JSON object")),
    }
    Ok(())
}

/// Reads an object from behind its `{` to behind its `}`: calls `visit` with each key, and the window at its value.
pub(crate) fn members(
    blob: &Blob,
    win: &mut Window<'_>,
    visit: &mut dyn FnMut(&mut Window<'_>, &[u8]) -> Result<Step>,
) -> Result {
    if win.blanks()? == Some(b'}') {
        win.advance(1);
        return Ok(());
    }
    loop {
        let next = win.blanks()?;
        let Some(b'"') = next else { return Err(expected(win, next, "a key")) };
        let key = text(blob, win)?;
        match win.blanks()? {
            Some(b':') => win.advance(1),
            other => return Err(expected(win, other, "a colon")),
        }
        win.blanks()?;
        match visit(win, &key)? {
            Step::Stop => return Ok(()),
            Step::Pass => drop(win.skip_value()?),
            Step::Taken => {}
        }
        let next = win.blanks()?;
        match next {
            Some(b',' | b'}') => win.advance(1),
            other => return Err(expected(win, other, "a comma or the end of the object")),
        }
        if next == Some(b'}') {
            return Ok(());
        }
    }
}

/// The contents of the literal that comes next, as they are written.
pub(crate) fn text(blob: &Blob, win: &mut Window<'_>) -> Result<Vec<u8>> {
    let start = win.at();
    if win.peek()? != Some(b'"') {
        return Err(Error::at_byte(start, "expected a text"));
    }
    win.skip_string()?;
    let size = win.at() - start - 2;
    let mut raw = vec![0; size.min(MOST_TEXT) as usize];
    blob.read_exact_at(&mut raw, start + 1, "text")?;
    Ok(raw)
}

/// What was found where something else was expected.
pub(crate) fn expected(win: &Window<'_>, found: Option<u8>, what: &str) -> Error {
    let early = if found.is_none() { "ends early, " } else { "" };
    Error::at_byte(win.at(), format!("{early}expected {what}"))
}

/// Of several places that are damaged, the first in the file.
pub(crate) fn first(damage: impl IntoIterator<Item = Option<Error>>) -> Option<Error> {
    damage.into_iter().flatten().min_by_key(|e| match e.kind() {
        Kind::Input { place: Place::Byte(byte), .. } => *byte,
        _ => 0,
    })
}

/// Damage as a value; other errors end the reading.
pub(crate) fn damage<T>(outcome: Result<T>) -> Result<Result<T, Error>> {
    match outcome {
        Err(e) if !matches!(e.kind(), Kind::Input { .. }) => Err(e),
        other => Ok(other),
    }
}

/// How many values a node has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Four: identifier, size, class, flags.
    Short,
    /// Seven: also a label and two addresses.
    Long,
}

/// A list of texts; they stay in the file.
#[derive(Debug)]
pub(crate) struct Table {
    name: &'static str,
    /// What an entry is.
    what: &'static str,
    /// Offset behind its `[`; none if the file lacks it.
    start: Option<u64>,
    /// How many texts are intact.
    pub(crate) count: u64,
    /// Whether it was read to its end.
    intact: bool,
}

impl Table {
    const fn new(name: &'static str, what: &'static str) -> Self {
        Self { name, what, start: None, count: 0, intact: false }
    }

    fn bound(&self) -> Bound {
        Bound { what: self.what, count: self.count, known: self.intact }
    }

    /// Reads it, from its `[` on. `visit` gets each text in UTF-8, or as it is where it is not. The value says which
    /// text is the first that is not.
    fn scan(
        &mut self,
        win: &mut Window<'_>,
        mut visit: impl FnMut(&[u8]) -> Result,
    ) -> Result<Option<Error>> {
        open(win, self.name)?;
        let (start, mut decoder, mut odd) = (win.at(), Decoder::default(), None);
        self.start = Some(start);
        let count = &mut self.count;
        literal::each(win, self.name, |raw, contents| {
            let text = if contents == Contents::Escaped { decoder.decode(raw)? } else { raw };
            if odd.is_none() && contents != Contents::Plain && !well_formed(text) {
                odd = Some(*count);
            }
            visit(text)?;
            *count += 1;
            Ok(true)
        })?;
        self.intact = true;
        Ok(odd.map(|n| Error::at_byte(start, format!("{}: record {n} is not UTF-8", self.name))))
    }

    /// Emits its texts, numbered from `base` on.
    pub(crate) fn emit(&self, blob: &Blob, base: StringId, sink: &mut dyn Sink) -> Result {
        let Some(start) = self.start.filter(|_| self.count > 0) else { return Ok(()) };
        let (mut win, mut decoder, mut rest, mut n) =
            (Window::new(blob, start), Decoder::default(), Vec::new(), 0);
        win.blanks()?;
        literal::each(&mut win, self.name, |raw, contents| {
            let data = match std::str::from_utf8(raw) {
                Ok(text) if literal::canonical(raw, contents) => Data::Escaped(text),
                _ => {
                    decoder.decode(raw)?;
                    Data::Plain(decoder.text(&mut rest))
                }
            };
            sink.string(&Str { id: base + n, data, rest: &rest, ..Str::default() })?;
            rest.clear();
            n += 1;
            Ok((n as u64) < self.count)
        })
    }
}

/// Whether a text is UTF-8, where WebKit may write lone surrogates as if they were characters.
fn well_formed(mut text: &[u8]) -> bool {
    while let Err(e) = std::str::from_utf8(text) {
        match &text[e.valid_up_to()..] {
            [0xED, 0xA0..=0xBF, 0x80..=0xBF, rest @ ..] => text = rest,
            _ => return false,
        }
    }
    true
}

/// Goes over the `[` of a list.
fn open(win: &mut Window<'_>, name: &str) -> Result {
    match win.peek()? {
        Some(b'[') => win.advance(1),
        other => return Err(inside(name, expected(win, other, "a list"))),
    }
    win.bytes()?;
    Ok(())
}

/// The same error with the name of the section it is in.
fn inside(name: &str, error: Error) -> Error {
    match error.kind() {
        Kind::Input { place: Place::Byte(byte), what } if !what.starts_with(name) => {
            Error::at_byte(*byte, format!("{name}: {what}"))
        }
        _ => error,
    }
}

/// What nodes of a class are, apart from their flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Object,
    Text,
    Symbol,
    BigInt,
    Code,
    Closure,
    Array,
    RegExp,
    Date,
    /// What holds the variables of functions.
    Scope,
}

impl Class {
    fn named(name: &[u8]) -> Self {
        match name {
            b"string" => Self::Text,
            b"symbol" => Self::Symbol,
            b"BigInt" => Self::BigInt,
            b"Array" => Self::Array,
            b"RegExp" => Self::RegExp,
            b"Date" => Self::Date,
            b"Function"
            | b"AsyncFunction"
            | b"GeneratorFunction"
            | b"AsyncGeneratorFunction"
            | b"JSAsyncGeneratorFunction"
            | b"Callee" => Self::Closure,
            b"JSLexicalEnvironment" | b"JSModuleEnvironment" | b"JSGlobalLexicalEnvironment" => Self::Scope,
            _ if name.ends_with(b"CodeBlock") || name.ends_with(b"Executable") => Self::Code,
            _ => Self::Object,
        }
    }
}

/// What edges of a type are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EdgeType {
    Internal,
    Property,
    Index,
    Variable,
    /// Any other, by its name.
    Other(String),
}

impl EdgeType {
    fn named(name: &[u8]) -> Self {
        match name {
            b"Internal" => Self::Internal,
            b"Property" => Self::Property,
            b"Index" => Self::Index,
            b"Variable" => Self::Variable,
            _ => Self::Other(String::from_utf8_lossy(name).into_owned()),
        }
    }
}

/// A snapshot whose sections were found.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) version: Option<u64>,
    pub(crate) type_name: Option<String>,
    nodes: Option<u64>,
    edges: Option<u64>,
    roots: Option<u64>,
    pub(crate) classes: Table,
    class_list: Vec<Class>,
    pub(crate) edge_types: Vec<EdgeType>,
    /// Whether these are all.
    edge_types_known: bool,
    pub(crate) edge_names: Table,
    pub(crate) labels: Table,
    /// What is wrong with it, apart from the lists of numbers.
    pub(crate) damage: Option<Error>,
}

/// A node as it is written.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Node {
    pub(crate) id: u32,
    pub(crate) size: u64,
    pub(crate) class: u64,
    pub(crate) flags: u32,
    pub(crate) label: u64,
    pub(crate) cell: u64,
    pub(crate) wrapped: u64,
}

/// An edge as it is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// Index into the types.
    pub(crate) kind: usize,
    pub(crate) data: u64,
}

/// Why something is a root: numbers of labels, 0 for none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reason {
    pub(crate) id: u32,
    pub(crate) reason: u64,
    pub(crate) reach: u64,
}

/// What is known of all nodes.
#[derive(Debug, Default)]
pub(crate) struct Nodes {
    ids: NumberSet,
    /// How many are intact.
    pub(crate) count: u64,
    /// Least and largest identifier but for the root's.
    least: u32,
    largest: u32,
    pub(crate) root: bool,
    /// Whether these are all.
    complete: bool,
    pub(crate) damage: Option<Error>,
}

impl Nodes {
    /// Whether an object may be in an older snapshot by the same identifier.
    pub(crate) fn may_last(&self) -> bool {
        let others = self.count - u64::from(self.root);
        let gapless = u64::from(self.largest) + 1 == u64::from(self.least) + others;
        others > 0 && !(gapless && self.least > 1)
    }
}

/// How many edges are intact, and what is wrong behind them.
#[derive(Debug, Default)]
pub(crate) struct Edges {
    pub(crate) count: u64,
    pub(crate) damage: Option<Error>,
}

impl Document {
    /// Finds the sections. Damage is kept, with what stands before it.
    pub(crate) fn scan(blob: &Blob) -> Result<Self> {
        let mut this = Self {
            version: None,
            type_name: None,
            nodes: None,
            edges: None,
            roots: None,
            classes: Table::new("nodeClassNames", "class"),
            class_list: Vec::new(),
            edge_types: Vec::new(),
            edge_types_known: false,
            edge_names: Table::new("edgeNames", "name"),
            labels: Table::new("labels", "label"),
            damage: None,
        };
        let mut win = Window::new(blob, 0);
        let mut odd = Vec::new();
        let outcome = begin(&mut win)
            .and_then(|()| members(blob, &mut win, &mut |win, key| this.member(blob, win, key, &mut odd)))
            .and_then(|()| this.complete(&mut win));
        odd.push(damage(outcome)?.err());
        this.damage = first(odd);
        if !this.edge_types_known && this.edge_types.is_empty() {
            // In the order in which WebKit has them.
            this.edge_types =
                vec![EdgeType::Internal, EdgeType::Property, EdgeType::Index, EdgeType::Variable];
        }
        Ok(this)
    }

    /// A member of the document.
    fn member(
        &mut self,
        blob: &Blob,
        win: &mut Window<'_>,
        key: &[u8],
        odd: &mut Vec<Option<Error>>,
    ) -> Result<Step> {
        let at = win.at();
        let twice = |there: bool| {
            let what = || format!("{}: the section is there twice", String::from_utf8_lossy(key));
            if there { Err(Error::at_byte(at, what())) } else { Ok(()) }
        };
        match key {
            b"version" => {
                win.skip_value()?;
                let mut raw = vec![0; (win.at() - at).min(20) as usize];
                blob.read_exact_at(&mut raw, at, "version")?;
                let version = std::str::from_utf8(&raw).ok().and_then(|text| text.trim_end().parse().ok());
                self.version = version;
                if !matches!(version, Some(1..=3)) {
                    let what = format!("version {} is not known", String::from_utf8_lossy(&raw));
                    odd.push(Some(Error::at_byte(at, what)));
                }
            }
            b"type" => {
                let name = text(blob, win)?;
                if !matches!(&name[..], b"Inspector" | b"GCDebugging") {
                    let what = format!("type {:?} is not known", String::from_utf8_lossy(&name));
                    odd.push(Some(Error::at_byte(at, what)));
                }
                self.type_name = Some(String::from_utf8_lossy(&name).into_owned());
            }
            b"nodes" | b"edges" | b"roots" => {
                let (slot, name) = match key {
                    b"nodes" => (&mut self.nodes, "nodes"),
                    b"edges" => (&mut self.edges, "edges"),
                    _ => (&mut self.roots, "roots"),
                };
                twice(slot.is_some())?;
                open(win, name)?;
                *slot = Some(win.at());
                pass_list(win).map_err(|e| inside(name, e))?;
            }
            b"nodeClassNames" => {
                twice(self.classes.start.is_some())?;
                let list = &mut self.class_list;
                odd.push(self.classes.scan(win, |name| {
                    list.push(Class::named(name));
                    Ok(())
                })?);
            }
            b"edgeTypes" => {
                twice(self.edge_types_known)?;
                let mut table = Table::new("edgeTypes", "type");
                let types = &mut self.edge_types;
                odd.push(table.scan(win, |name| {
                    if types.len() == MOST_TYPES {
                        return Err(Error::at_byte(at, format!("edgeTypes: more than {MOST_TYPES}")));
                    }
                    types.push(EdgeType::named(name));
                    Ok(())
                })?);
                self.edge_types_known = true;
            }
            b"edgeNames" | b"labels" => {
                let table = if key == b"labels" { &mut self.labels } else { &mut self.edge_names };
                twice(table.start.is_some())?;
                odd.push(table.scan(win, |_| Ok(()))?);
            }
            _ => return Ok(Step::Pass),
        }
        Ok(Step::Taken)
    }

    /// What must be true at the end of the file.
    fn complete(&self, win: &mut Window<'_>) -> Result {
        let long = self.type_name.as_deref() == Some("GCDebugging");
        let sections = [
            ("nodes", self.nodes.is_some()),
            ("nodeClassNames", self.classes.start.is_some()),
            ("edges", self.edges.is_some()),
            ("edgeTypes", self.edge_types_known),
            ("edgeNames", self.edge_names.start.is_some()),
            ("labels", !long || self.labels.start.is_some()),
        ];
        if let Some((name, _)) = sections.iter().find(|(_, there)| !there) {
            return Err(Error::at_byte(win.at(), format!("{name}: the section is missing")));
        }
        match win.blanks()? {
            None => Ok(()),
            Some(_) => Err(Error::at_byte(win.at(), "expected the end of the file after the snapshot")),
        }
    }

    /// How many values a node has: as the type says; of a file without one, or one that is not known, as the first node does.
    pub(crate) fn shape(&self, blob: &Blob) -> Result<Shape> {
        let long = match (self.type_name.as_deref(), self.nodes) {
            (Some("Inspector"), _) | (_, None) => false,
            (Some("GCDebugging"), _) => true,
            (_, Some(start)) => damage(List::new(blob, "nodes", start).text_after(5))?.unwrap_or(false),
        };
        Ok(if long { Shape::Long } else { Shape::Short })
    }

    /// What nodes of this class are.
    pub(crate) fn class(&self, class: u64) -> Option<Class> {
        self.class_list.get(usize::try_from(class).ok()?).copied()
    }

    /// The next node of a list.
    fn node(&self, list: &mut List<'_>, shape: Shape) -> Result<Option<Node>> {
        if !list.next()? {
            return Ok(None);
        }
        let mut node = Node {
            id: list.short()?,
            size: list.int()?,
            class: list.index(&self.classes.bound())?,
            flags: list.short()?,
            ..Node::default()
        };
        if shape == Shape::Long {
            node.label = list.index(&self.labels.bound())?;
            node.cell = list.address()?;
            node.wrapped = list.address()?;
        }
        Ok(Some(node))
    }

    /// Goes over the nodes: their identifiers, and how many are intact.
    pub(crate) fn nodes(&self, blob: &Blob, shape: Shape) -> Result<Nodes> {
        let mut nodes = Nodes { least: u32::MAX, ..Nodes::default() };
        let Some(start) = self.nodes else { return Ok(nodes) };
        let mut list = List::new(blob, "nodes", start);
        let mut each = || -> Result {
            while let Some(node) = self.node(&mut list, shape)? {
                if !nodes.ids.insert(node.id.into()) {
                    return Err(list.damage(&format!("id {} is there twice", node.id)));
                }
                nodes.count += 1;
                if node.id == 0 {
                    nodes.root = true;
                } else {
                    nodes.least = nodes.least.min(node.id);
                    nodes.largest = nodes.largest.max(node.id);
                }
            }
            if !nodes.root {
                return Err(Error::at_byte(start, "nodes: no node has id 0, which is the root's"));
            }
            Ok(())
        };
        nodes.damage = damage(each())?.err();
        nodes.complete = nodes.damage.is_none();
        Ok(nodes)
    }

    /// Hands each intact node to `visit`.
    pub(crate) fn each_node(
        &self,
        blob: &Blob,
        shape: Shape,
        nodes: &Nodes,
        visit: &mut dyn FnMut(&Node) -> Result,
    ) -> Result {
        let mut list = List::new(blob, "nodes", self.nodes.unwrap_or(0));
        for _ in 0..nodes.count {
            let Some(node) = self.node(&mut list, shape)? else { break };
            visit(&node)?;
        }
        Ok(())
    }

    /// Hands each intact edge to `visit`. Where nodes are damaged, edges of those that are lost are left out.
    pub(crate) fn edges(
        &self,
        blob: &Blob,
        nodes: &Nodes,
        visit: &mut dyn FnMut(&Edge) -> Result,
    ) -> Result<Edges> {
        let mut edges = Edges::default();
        let Some(start) = self.edges else { return Ok(edges) };
        let mut list = List::new(blob, "edges", start);
        let types = Bound { what: "type", count: self.edge_types.len() as u64, known: self.edge_types_known };
        let names = self.edge_names.bound();
        loop {
            let next = damage(list.next().and_then(|there| {
                if !there {
                    return Ok(None);
                }
                let (from, to) = (list.short()?, list.short()?);
                let kind = list.index(&types)? as usize;
                let data = match self.edge_types.get(kind) {
                    Some(EdgeType::Property | EdgeType::Variable) => list.index(&names)?,
                    Some(EdgeType::Index) => list.short()?.into(),
                    _ => list.int()?,
                };
                let lost = [from, to].into_iter().find(|&id| !nodes.ids.contains(id.into()));
                match lost {
                    Some(id) if nodes.complete => Err(list.damage(&format!("no node has id {id}"))),
                    _ => Ok(Some((Edge { from, to, kind, data }, lost.is_some()))),
                }
            }))?;
            match next {
                Ok(Some((edge, lost))) if !lost => {
                    visit(&edge)?;
                    edges.count += 1;
                }
                Ok(Some(_)) => {}
                Ok(None) => return Ok(edges),
                Err(e) => {
                    edges.damage = Some(e);
                    return Ok(edges);
                }
            }
        }
    }

    /// Why the roots are some, by identifier, and what is wrong behind the intact ones.
    pub(crate) fn reasons(&self, blob: &Blob, nodes: &Nodes) -> Result<(Vec<Reason>, Option<Error>)> {
        let mut reasons = Vec::new();
        let Some(start) = self.roots else { return Ok((reasons, None)) };
        let mut list = List::new(blob, "roots", start);
        let labels = self.labels.bound();
        let mut each = || -> Result {
            while list.next()? {
                let id = list.short()?;
                let (reason, reach) = (list.index(&labels)?, list.index(&labels)?);
                if nodes.ids.contains(id.into()) {
                    reasons.push(Reason { id, reason, reach });
                } else if nodes.complete {
                    return Err(list.damage(&format!("no node has id {id}")));
                }
            }
            Ok(())
        };
        let damage = damage(each())?.err();
        // The last reason of several counts.
        reasons.reverse();
        sort_by_key(&mut reasons, |reason| reason.id);
        reasons.dedup_by_key(|reason| reason.id);
        Ok((reasons, damage))
    }
}

/// Passes over the rest of a list of numbers and texts, without looking closely.
fn pass_list(win: &mut Window<'_>) -> Result {
    let mut depth = 1u64;
    loop {
        let bytes = win.bytes()?;
        if bytes.is_empty() {
            return Err(Error::at_byte(win.at(), "ends early"));
        }
        let len = bytes.len();
        let Some(i) = memchr::memchr3(b'"', b'[', b']', bytes) else {
            win.advance(len);
            continue;
        };
        let byte = bytes[i];
        win.advance(i);
        match byte {
            b'"' => win.skip_string()?,
            b'[' => {
                depth += 1;
                win.advance(1);
            }
            _ => {
                depth -= 1;
                win.advance(1);
                if depth == 0 {
                    return Ok(());
                }
            }
        }
    }
}
