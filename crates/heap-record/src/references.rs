//! Fields of nodes as edges.
//!
//! The draft lets a node refer to others by its fields: the halves of a concatenated string are `s1` and `s2`, and no edge says
//! so. Whoever wants the graph would have to know that, so sources of streams put [`References`] before a sink that
//! [asks for it](crate::Wants::references): it passes everything on, and for each such field an edge.
//!
//! Streams of ours say `heap.references` = `edges`: what their fields refer to has edges of its own, or does not hold.

use heap_base::json::{each, inside, scalar};
use heap_base::{Map, Names, Result};

use crate::batch::{EdgeBatch, NodeBatch};
use crate::draft;
use crate::model::{
    Data, Declaration, Declared, Edge, FieldKind, Fields, Metadata, Node, Retains, Role, Str, StringId, Value,
};
use crate::sink::Sink;

/// The metadata of a stream whose edges say all that its fields refer to.
pub const BY_EDGES: (&str, &str) = ("heap.references", "edges");

/// Name of the edges.
pub const FIELD: &str = "heap.field";

/// The number of their subtype, which no stream uses.
const SUBTYPE: u32 = u32::MAX - 1;

/// Numbers of their labels begin here, far from those that streams and readers use.
const LABELS: StringId = 1 << 41;

/// Edges that are kept until others come.
const MOST: usize = 1 << 16;

/// Passes records on to a sink, with an edge for each field that refers to a node.
pub struct References<'s> {
    sink: &'s mut dyn Sink,
    /// Fields say nothing that edges do not.
    off: bool,
    /// Fields that refer to nodes, by subtype; those of all subtypes.
    own: Map<u32, Names>,
    common: Names,
    /// Names of fields, in the order of their labels; how many of them the sink knows.
    names: Names,
    known: usize,
    declared: bool,
    /// Edges that wait: source, destination and label.
    waiting: Vec<(Value, Value, u32)>,
}

impl<'s> References<'s> {
    /// Passes on to `sink`.
    pub fn new(sink: &'s mut dyn Sink) -> Self {
        Self {
            sink,
            off: false,
            own: Map::default(),
            common: Names::default(),
            names: Names::default(),
            known: 0,
            declared: false,
            waiting: Vec::new(),
        }
    }

    /// Those of some fields that refer to nodes. They have labels from now on.
    fn referring(&mut self, fields: Fields<'_>) -> Names {
        // What the model has refers to the node itself, or comes from analysis.
        let refers = |name: &str, kind| {
            kind == FieldKind::Value
                && name != "identifier"
                && name != "subtype"
                && !name.starts_with("heap.")
        };
        let mut referring = Names::default();
        for (name, _) in fields.iter().filter(|(name, kind)| refers(name, *kind)) {
            referring.insert(name);
            self.names.insert(name);
        }
        referring
    }

    /// Takes note of what a node refers to.
    fn look(&mut self, node: &Node<'_>) {
        let Self { own, common, names, waiting, .. } = self;
        let own = own.get(&node.subtype).filter(|own| !own.is_empty());
        if own.is_none() && common.is_empty() {
            return;
        }
        let refers =
            |name: &str| own.is_some_and(|own| own.find(name).is_some()) || common.find(name).is_some();
        let label = |name: &str| if refers(name) { names.find(name) } else { None };
        let mut see = |label: Option<u32>, raw: &[u8]| {
            let Some(label) = label else { return };
            if let Some(dest) = scalar(raw).and_then(|value| value.as_int()).filter(|dest| dest & 1 == 1) {
                waiting.push((node.id, dest, label));
            }
        };
        for (key, raw) in each(node.own).chain(each(node.rest)) {
            match inside(raw) {
                Some(members) => {
                    for (name, raw) in each(members) {
                        see(label(&format!("{key}.{name}")), raw);
                    }
                }
                None => see(label(key), raw),
            }
        }
    }

    /// Delivers what waits. Call when no more records come.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn end(mut self) -> Result {
        self.settle()
    }

    /// Delivers the edges that wait.
    fn settle(&mut self) -> Result {
        if self.waiting.is_empty() {
            return Ok(());
        }
        if !std::mem::replace(&mut self.declared, true) {
            let (retains, role) = (Retains::Yes, Some(Role::Inner));
            self.sink
                .declare(&Declared::Edge { id: SUBTYPE, name: FIELD, retains, role, rest: b"" }.into())?;
        }
        for (at, name) in self.names.iter().enumerate().skip(self.known) {
            let id = LABELS + at as StringId;
            self.sink.string(&Str { id, data: Data::Plain(name), ..Str::default() })?;
        }
        self.known = self.names.len();
        for (source, dest, label) in self.waiting.drain(..) {
            let (dest, label) = (Some(dest), Some(LABELS + StringId::from(label)));
            let edge = Edge { subtype: SUBTYPE, source, dest, label, ..Edge::default() };
            self.sink.edges(&EdgeBatch::one(&edge))?;
        }
        Ok(())
    }
}

impl Sink for References<'_> {
    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        if matches!(record.key, "version_major" | "heap.snapshot" | "heap.end") {
            self.settle()?;
        }
        if record.key == "version_major" {
            (self.off, self.declared, self.known) = (false, false, 0);
            self.own.clear();
            self.common = Names::default();
        }
        self.off |= (record.key, record.value) == BY_EDGES;
        self.sink.metadata(record)
    }
    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        match record.what {
            Declared::Node { id, name, fields, .. } => {
                let drafted = draft::subtype(name).filter(|_| fields.is_empty());
                let own = self.referring(drafted.map_or(fields, |known| known.fields));
                self.own.insert(id, own);
            }
            Declared::Record { name: "node", fields } => self.common = self.referring(fields),
            _ => {}
        }
        self.sink.declare(record)
    }
    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        if !self.off && !self.names.is_empty() {
            batch.try_for_each(|node| {
                self.look(node);
                Ok(())
            })?;
        }
        self.sink.nodes(batch)?;
        if self.waiting.len() >= MOST { self.settle() } else { Ok(()) }
    }
    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        self.settle()?;
        self.sink.edges(batch)
    }
    fn finish(&mut self, intact: bool) -> Result {
        self.settle()?;
        self.sink.finish(intact)
    }

    crate::pass_on!(sink: wants string extension edge_filter sharded flush);
}

#[cfg(test)]
mod tests;
