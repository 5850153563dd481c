//! Single objects in full: fields, outgoing and incoming edges with names: heap-show.

pub mod handles;
mod options;
pub mod rows;
pub mod stack;

pub use options::TOOL;

use std::hash::Hash;
use std::rc::Rc;

use heap_base::json::{each, inside};
use heap_base::{Map, Result, Set};
use heap_graph::{Config, GraphSink, Guard, Keep, analyse};
use heap_record::references::FIELD;
use heap_record::{
    Declaration, Edge, EdgeBatch, Extension, Metadata, Node, NodeBatch, Sink, Str, Value, Wants,
};

use heap_ops::graph::EdgeKind;
use heap_ops::place::{Source, Sources};
use heap_ops::report::{OnePass, Report};
use heap_ops::select::field::{Field, source_number, type_name};
use heap_ops::select::{Content, Selection, Selector};
use heap_ops::stream::ropes::{Extent, LIMIT};
use heap_ops::stream::roster::Roster;
use heap_ops::stream::stacks::source;
use heap_ops::stream::{Context, IdSet, Ropes};

/// One selected node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShownNode {
    /// The input, where there are several.
    pub file: Option<String>,
    /// The snapshot, where the input has several.
    pub snapshot: Option<String>,
    /// Its identifier.
    pub id: Value,
    /// Its source's number, as in `@N`.
    pub number: i64,
    /// Its subtype.
    pub subtype: String,
    /// Its type name.
    pub class: String,
    /// Its own name.
    pub name: Option<String>,
    /// Of a function or call where it stands in its source.
    pub source: Option<Source>,
    /// All other fields.
    pub fields: ShownFields,
    /// The stack at which it was allocated, innermost first.
    pub stack: Vec<Source>,
    /// Edges from it, in stream order.
    pub out: Vec<ShownEdge>,
    /// Edges to it, in stream order.
    pub into: Vec<ShownEdge>,
    /// Edges of either kind beyond what was to be kept.
    pub beyond: usize,
}

/// Fields of a node by name, as text: one behind the other, since a node may have any number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShownFields {
    text: String,
    /// Where each name ends, and each value.
    ends: Vec<[usize; 2]>,
}

impl ShownFields {
    /// Adds a field.
    pub fn push(&mut self, name: &str, value: &str) {
        self.text.push_str(name);
        let middle = self.text.len();
        self.text.push_str(value);
        self.ends.push([middle, self.text.len()]);
    }

    /// Names and values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> + Clone {
        let starts = std::iter::once(0).chain(self.ends.iter().map(|ends| ends[1]));
        let field = |(start, &[middle, end]): (usize, &[usize; 2])| {
            (&self.text[start..middle], &self.text[middle..end])
        };
        starts.zip(&self.ends).map(field)
    }

    /// The value of a field.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|field| field.0 == name).map(|field| field.1)
    }
}

/// An edge of a shown node, seen from its side. What many edges have they share, since a node may have any number of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShownEdge {
    /// The edge's subtype.
    pub kind: Rc<EdgeKind>,
    /// Its label.
    pub label: Option<Box<str>>,
    /// What is at the other end.
    pub end: Rc<End>,
    /// Where the other end stands in its source, if it is a function or call.
    pub source: Option<Box<Source>>,
}

/// The other end of an edge of a shown node.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct End {
    /// A node's identifier, or a small integer; absent for an unboxed number.
    pub id: Option<Value>,
    /// Its number in its source, if it is a node.
    pub number: Option<i64>,
    /// Its type name, if it is a node of the dump.
    pub class: Option<Rc<str>>,
    /// Its own name; an unboxed number's digits.
    pub name: Option<Box<str>>,
    /// Its shallow size in bytes.
    pub size: Option<u64>,
}

/// What edges share.
#[derive(Debug, Default)]
struct Shared {
    kinds: Set<Rc<EdgeKind>>,
    classes: Set<Rc<str>>,
    ends: Set<Rc<End>>,
}

/// The one in `all` that is equal to this.
fn one<T: ?Sized + Eq + Hash>(all: &mut Set<Rc<T>>, this: impl Into<Rc<T>>) -> Rc<T> {
    let this = this.into();
    if let Some(one) = all.get(&this) {
        return Rc::clone(one);
    }
    all.insert(Rc::clone(&this));
    this
}

/// The number of a node until it is known how identifiers are made.
const UNKNOWN: i64 = i64::MIN;

/// Bytes of a joined text at the other end of an edge.
const PREVIEW: usize = 256;

/// Frames of a stack. V8 records 64; of damaged dumps all stacks together could be the square of the input.
const FRAMES: usize = 256;

/// A joined text; an ellipsis stands for what is not there.
fn shown(mut text: String, extent: Extent) -> String {
    if extent == Extent::Long {
        text.push('…');
    }
    text
}

/// How much is kept of what is selected; none: all.
#[derive(Clone, Copy, Debug, Default)]
pub struct Most {
    /// Nodes.
    pub nodes: Option<usize>,
    /// Edges of either kind for each node.
    pub edges: Option<usize>,
    /// Edges with one of these labels.
    pub labels: Option<&'static [&'static str]>,
}

/// Collects the selected nodes with their edges. A text that is kept in parts is joined, see [`Ropes`].
///
/// Memory: the stream's strings, 32 bytes a node, 40 more for each string, and some 100 to 250 bytes for each edge that is shown.
#[derive(Debug, Default)]
pub struct Show {
    most: Most,
    /// Selected nodes that are not kept.
    more: usize,
    roster: Roster,
    ropes: Ropes,
    /// The shown nodes of this snapshot, and all that were folded.
    ids: IdSet,
    seen: IdSet,
    shown: Vec<ShownNode>,
    /// Where this snapshot begins in `shown`, and where its nodes are, by identifier. Of several nodes with one identifier
    /// the first gets the edges: together they would be the square of the input.
    first: usize,
    places: Map<Value, usize>,
    shared: Shared,
    sides: Sides,
    sources: Sources,
    /// The numbers of stacks by place in `shown`.
    stacks: Map<usize, i64>,
}

/// Which edges of the nodes are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sides {
    /// Those to them.
    pub into: bool,
    /// Those from them.
    pub out: bool,
}

impl Default for Sides {
    fn default() -> Self {
        Self { into: true, out: true }
    }
}

impl Show {
    /// Shows the selected nodes.
    pub fn new(selection: Selection, sides: Sides) -> OnePass<Self> {
        Self::with_most(selection, sides, Most::default())
    }

    /// The same of as many as are wanted, the first in the stream.
    pub fn with_most(selection: Selection, sides: Sides, most: Most) -> OnePass<Self> {
        OnePass::new(Self { most, sides, ..Self::default() }, selection)
    }

    /// Adds what each shown node retains, by identifier.
    fn set_retained(&mut self, mut retained: impl FnMut(Value) -> Option<u64>) {
        for node in &mut self.shown {
            if node.fields.get("heap.retained").is_none()
                && let Some(bytes) = retained(node.id)
            {
                node.fields.push("heap.retained", &bytes.to_string());
            }
        }
    }

    /// The nodes that have come since the last call are of this input.
    pub fn of_file(&mut self, file: &str) {
        let unnamed = self.shown.iter_mut().rev().take_while(|node| node.file.is_none());
        unnamed.for_each(|node| node.file = Some(file.to_owned()));
    }

    /// What was found, in stream order.
    pub fn rows(&self) -> &[ShownNode] {
        &self.shown
    }

    /// What was found, in stream order.
    pub fn into_rows(self) -> Vec<ShownNode> {
        self.shown
    }

    /// How many selected nodes there are beyond these.
    pub fn more(&self) -> usize {
        self.more
    }

    /// An edge seen from one side.
    fn edge(&mut self, edge: &Edge<'_>, other: Option<Value>, context: &Context) -> Result<ShownEdge> {
        let kind = one(&mut self.shared.kinds, EdgeKind::of(&context.types, edge.subtype));
        let label = edge.label.map(|id| context.strings.text_or_number(id)).transpose()?;
        let mut end = End { id: other, ..End::default() };
        if other.is_none() {
            end.name = stack::value(edge.rest).map(Into::into);
        }
        if let Some(id) = other.filter(|id| id & 1 == 1) {
            end.number = Some(context.rule.number(id));
            if let Some(entry) = self.roster.get(id) {
                end.class = Some(one(&mut self.shared.classes, entry.class(context)?));
                // Fields are edges without records of their own: a string that many have as their part has little room for each.
                let most = if kind.name == FIELD { PREVIEW / 4 } else { PREVIEW };
                let name = match self.ropes.text(id, most, &context.strings)? {
                    Some((text, extent)) => Some(shown(text, extent)),
                    None => entry.name(context)?,
                };
                end.name = name.map(Into::into);
                end.size = Some(entry.size);
            }
        }
        let end = one(&mut self.shared.ends, end);
        Ok(ShownEdge { kind, label: label.map(Into::into), end, source: None })
    }

    fn add_edge(&mut self, edge: &Edge<'_>, context: &Context) -> Result {
        for (id, other, comes) in
            [(Some(edge.source), edge.dest, false), (edge.dest, Some(edge.source), true)]
        {
            if !(if comes { self.sides.into } else { self.sides.out }) {
                continue;
            }
            if let Some(&place) = id.and_then(|id| self.places.get(&id)) {
                if let Some(labels) = self.most.labels {
                    let label = edge.label.map(|id| context.strings.text_or_number(id)).transpose()?;
                    if label.is_none_or(|label| !labels.contains(&&*label)) {
                        continue;
                    }
                }
                let shown = &mut self.shown[place];
                let kept = if comes { shown.into.len() } else { shown.out.len() };
                if self.most.edges.is_some_and(|most| kept >= most) {
                    shown.beyond += 1;
                    continue;
                }
                let edge = self.edge(edge, other, context)?;
                let shown = &mut self.shown[place];
                if comes { shown.into.push(edge) } else { shown.out.push(edge) }
            }
        }
        Ok(())
    }
}

impl Report for Show {
    fn wants(&self, _: &Selection) -> Wants {
        // As the graph has them, or objects had other edges with what they retain.
        Wants { references: true, ..Wants::ALL }
    }

    fn ready(&self, node: &Node<'_>, selector: &Selector) -> bool {
        selector.context.has_strings_of(node) && selector.ready(node)
    }

    fn begin_stream(&mut self) {
        self.ropes = Ropes::default();
        self.sources.begin_stream();
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        if record.key == "heap.string_limit" {
            self.ropes.set_limit(record.value.parse().ok());
        }
        Ok(())
    }

    fn string(&mut self, record: &Str<'_>) {
        self.sources.string(record);
    }

    fn extension(&mut self, record: &Extension<'_>, _: &mut Selector) -> Result {
        self.sources.extension(record);
        Ok(())
    }

    fn fold(&mut self, node: &Node<'_>, _number: u32, selector: &mut Selector) -> Result {
        self.ropes.insert(node, &selector.context.types, true);
        self.roster.insert(node);
        self.sources.node(node, &selector.context.types);
        self.seen.insert(node.id);
        if !selector.selects(node)? {
            return Ok(());
        }
        if self.most.nodes.is_some_and(|most| self.shown.len() >= most) {
            self.more += 1;
            return Ok(());
        }
        let Context { types, strings, snapshot, .. } = &selector.context;
        self.ids.insert(node.id);
        // Each field is decoded where it stands: to look it up by its name would take the square of their number.
        let mut fields = ShownFields::default();
        let mut add = |name: &str, content: Option<Content>| {
            if let Some(content) = content {
                fields.push(name, &content.text());
            }
        };
        let decode = |name: &str, raw: &[u8]| Field::new(name).decode(raw, node.subtype, types, strings);
        for (name, raw) in each(node.own) {
            add(name, decode(name, raw)?);
        }
        for name in
            ["size", "external", "count", "retained", "retained_from", "idom", "distance", "reachable"]
        {
            let name = format!("heap.{name}");
            add(&name, Field::new(&name).of(node, &selector.context)?);
        }
        for (key, raw) in each(node.rest) {
            let Some(inner) = inside(raw) else {
                add(key, decode(key, raw)?);
                continue;
            };
            for (name, raw) in each(inner) {
                let name = format!("{key}.{name}");
                add(&name, decode(&name, raw)?);
            }
        }
        self.places.entry(node.id).or_insert(self.shown.len());
        if let Some(stack) = selector.context.stacks.of(node) {
            self.stacks.insert(self.shown.len(), stack);
        }
        self.shown.push(ShownNode {
            snapshot: snapshot.clone(),
            id: node.id,
            number: source_number(node).unwrap_or(UNKNOWN),
            subtype: types.node_name(node.subtype).into_owned(),
            class: type_name(node, types, strings)?,
            name: node.heap.name.map(|id| strings.text_or_number(id)).transpose()?,
            fields,
            ..ShownNode::default()
        });
        Ok(())
    }

    /// Edges of shown nodes wait for the names of their other ends.
    fn fold_edge(&mut self, edge: &Edge<'_>, complete: bool, selector: &Selector) -> Result<bool> {
        self.sources.edge(edge, &selector.context.types);
        let dest = edge.dest.filter(|id| id & 1 == 1);
        let touches = self.ids.contains(edge.source) || dest.is_some_and(|id| self.ids.contains(id));
        if complete {
            if touches {
                self.add_edge(edge, &selector.context)?;
            }
            return Ok(true);
        }
        // An end that has not come, or waits for its strings, may turn out to be shown.
        let open = || !self.seen.contains(edge.source) || dest.is_some_and(|id| !self.seen.contains(id));
        Ok(!(touches || open()))
    }

    fn end_snapshot(&mut self, selector: &mut Selector) -> Result {
        let Context { strings, stacks, .. } = &selector.context;
        for (place, node) in (self.first..).zip(&mut self.shown[self.first..]) {
            node.source = self.sources.find(node.id, strings)?;
            for frame in
                self.stacks.get(&place).into_iter().flat_map(|&stack| stacks.frames(stack).take(FRAMES))
            {
                node.stack.extend(source(stacks, frame, strings)?);
            }
            for edge in node.into.iter_mut().chain(&mut node.out) {
                if let Some(id) = edge.end.id.filter(|id| id & 1 == 1) {
                    edge.source = self.sources.find(id, strings)?.map(Box::new);
                }
            }
            if node.number == UNKNOWN {
                node.number = selector.context.rule.number(node.id);
            }
            if let Some((text, extent)) = self.ropes.text(node.id, LIMIT, &selector.context.strings)? {
                node.fields.push("text", &shown(text, extent));
            }
        }
        self.first = self.shown.len();
        self.ropes.clear();
        self.roster.clear();
        self.ids.clear();
        self.seen.clear();
        self.places.clear();
        self.stacks.clear();
        self.shared = Shared::default();
        self.sources.clear();
        Ok(())
    }
}

/// Builds the graph that says what nodes retain, if it takes no more memory than `guard` says.
pub(crate) fn retained_sink(guard: Guard) -> GraphSink {
    GraphSink::new(Keep { table: true, ..Keep::default() }).guarded(guard, IN_MEMORY)
}

/// Bytes a node and an edge that it takes with its analysis.
const IN_MEMORY: (u64, u64) = (46, 8);

/// Shows nodes of one heap with what they retain.
///
/// Memory: that of [`Show`], the graph, and 16 bytes a node.
#[derive(Debug)]
pub struct RetainedShow {
    show: OnePass<Show>,
    graph: GraphSink,
}

impl RetainedShow {
    /// Adds the field `heap.retained` to what `show` shows, if the graph takes no more memory than `guard` says.
    pub fn new(show: OnePass<Show>, guard: Guard) -> Self {
        Self { show, graph: retained_sink(guard) }
    }

    /// What was found. Call when no more records come.
    ///
    /// # Errors
    /// The records are no graph, or a temporary file cannot be read.
    pub fn build(mut self) -> Result<OnePass<Show>> {
        self.show.finish(true)?;
        let mut heap = self.graph.build()?;
        let config = Config { retained: true, ..Config::default() };
        let analysis = analyse(heap.graph, &heap.sizes, &heap.policy, config);
        self.show.report_mut().set_retained(|id| {
            let node = heap.table.get(id).ok().flatten()?;
            analysis.in_tree(node).then(|| analysis.retained[node as usize])
        });
        Ok(self.show)
    }
}

impl Sink for RetainedShow {
    fn wants(&self) -> Wants {
        self.show.wants().union(self.graph.wants())
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        self.graph.metadata(record)?;
        self.show.metadata(record)
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.graph.declare(record)?;
        self.show.declare(record)
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        self.show.string(record)
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        self.graph.nodes(batch)?;
        self.show.nodes(batch)
    }

    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        self.graph.edges(batch)?;
        self.show.edges(batch)
    }
    fn extension(&mut self, record: &Extension<'_>) -> Result {
        self.show.extension(record)
    }
}
