//! Names written out: the view for people and jq.

mod options;

pub use options::TOOL;

use heap_base::json::{each, inside, push_text, scalar};
use heap_base::{Error, Result};
use heap_record::write::{Spelling, edge_spelled, node_spelled};
use heap_record::{
    Declaration, Edge, EdgeBatch, EdgeFilter, Extension, FieldKind, Line, Metadata, Node, NodeBatch, Sink,
    Str, StringId, Wants, wants,
};

use heap_ops::stream::{Context, Deferred, Owner, TakeDeferred};

/// Replaces subtype numbers by names and string ids by their text, and drops string records.
///
/// A record that comes before its strings is held back to the end of the snapshot.
/// Memory: the stream's strings.
#[derive(Debug)]
pub struct Names<S> {
    out: S,
    context: Context,
    deferred: Deferred,
    /// True at the end of a snapshot: strings that are still missing do not exist.
    complete: bool,
    line: Vec<u8>,
}

impl<S: Sink> Names<S> {
    /// Passes records on to `out`, which must copy lines as they are.
    pub fn new(out: S) -> Self {
        Self {
            out,
            context: Context::default(),
            deferred: Deferred::default(),
            complete: false,
            line: Vec::new(),
        }
    }

    /// Gives the sink back.
    pub fn into_inner(self) -> S {
        self.out
    }

    fn end_snapshot(&mut self) -> Result {
        if !self.deferred.is_empty() {
            self.complete = true;
            std::mem::take(&mut self.deferred).deliver(self)?;
            self.complete = false;
        }
        Ok(())
    }

    fn node(&mut self, node: &Node<'_>) -> Result {
        if !(self.complete || self.context.has_strings_of(node)) {
            return self.deferred.node(node, 0);
        }
        self.line.clear();
        node_spelled(&mut self.line, node, &Written(&self.context))?;
        let line = Line { bytes: &self.line, canonical: false, number: 0 };
        self.out.nodes(&NodeBatch::one(&Node { line, ..*node }))
    }

    fn edge(&mut self, edge: &Edge<'_>) -> Result {
        let has =
            || self.context.has(edge.label) && self.context.has_strings(Owner::Record("edge"), edge.rest);
        if !(self.complete || has()) {
            return self.deferred.edge(edge);
        }
        self.line.clear();
        edge_spelled(&mut self.line, edge, &Written(&self.context))?;
        let line = Line { bytes: &self.line, canonical: false, number: 0 };
        self.out.edges(&EdgeBatch::one(&Edge { line, ..*edge }))
    }
}

impl<S: Sink> TakeDeferred for Names<S> {
    fn deferred_node(&mut self, node: &Node<'_>, _number: u32) -> Result {
        self.node(node)
    }
    fn deferred_edge(&mut self, edge: &Edge<'_>) -> Result {
        self.edge(edge)
    }
    fn deferred_extension(&mut self, record: &Extension<'_>) -> Result {
        self.extension(record)
    }
}

/// Names where the stream has numbers. What was never declared stays a number.
struct Written<'a>(&'a Context);

impl Written<'_> {
    /// Appends members with string ids written out, `kind` telling which fields hold one.
    fn each(&self, buf: &mut Vec<u8>, members: &[u8], kind: impl Fn(&str) -> Option<FieldKind>) -> Result {
        let value = |buf: &mut Vec<u8>, path: &str, raw: &[u8]| match (kind(path), scalar(raw)) {
            (Some(FieldKind::String), Some(value)) if value.as_int().is_some() => {
                self.string(buf, value.as_int().unwrap_or_default())
            }
            _ => {
                buf.extend_from_slice(raw);
                Ok(())
            }
        };
        let key = |buf: &mut Vec<u8>, key: &str, first: bool| {
            buf.extend_from_slice(if first { b"\"" } else { b",\"" });
            buf.extend_from_slice(key.as_bytes());
            buf.extend_from_slice(b"\":");
        };
        for (i, (name, raw)) in each(members).enumerate() {
            key(buf, name, i == 0);
            match inside(raw) {
                None => value(buf, name, raw)?,
                Some(inner) => {
                    buf.push(b'{');
                    for (i, (inner_name, raw)) in each(inner).enumerate() {
                        key(buf, inner_name, i == 0);
                        value(buf, &format!("{name}.{inner_name}"), raw)?;
                    }
                    buf.push(b'}');
                }
            }
        }
        Ok(())
    }
}

impl Spelling for Written<'_> {
    type Error = Error;

    fn node_type(&self, buf: &mut Vec<u8>, id: u32) -> Result {
        match self.0.types.node(id) {
            Some(declared) => push_text(buf, &declared.name),
            None => buf.extend_from_slice(id.to_string().as_bytes()),
        }
        Ok(())
    }

    fn edge_type(&self, buf: &mut Vec<u8>, id: u32) -> Result {
        match self.0.types.edge(id) {
            Some(declared) => push_text(buf, &declared.name),
            None => buf.extend_from_slice(id.to_string().as_bytes()),
        }
        Ok(())
    }

    fn string(&self, buf: &mut Vec<u8>, id: StringId) -> Result {
        match self.0.strings.get(id)? {
            Some(entry) => {
                buf.push(b'"');
                buf.extend_from_slice(entry.escaped().as_bytes());
                buf.push(b'"');
            }
            None => heap_base::json::push_int(buf, id),
        }
        Ok(())
    }

    fn members(&self, buf: &mut Vec<u8>, node: Option<u32>, members: &[u8]) -> Result {
        match node {
            Some(subtype) => self.each(buf, members, |path| self.0.types.node_field(subtype, path)),
            None => self.each(buf, members, |path| self.0.types.record_field("edge", path)),
        }
    }
}

impl<S: Sink> Sink for Names<S> {
    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        if Context::begins(record).is_some() {
            self.end_snapshot()?;
        }
        self.context.metadata(record);
        self.out.metadata(record)
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.context.declare(record);
        self.out.declare(record)
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        self.context.string(record)
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        batch.try_for_each(|node| self.node(node))
    }

    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        batch.try_for_each(|edge| self.edge(edge))
    }

    fn extension(&mut self, other: &Extension<'_>) -> Result {
        if !(self.complete || self.context.has_strings(Owner::Record(other.kind), other.body)) {
            return self.deferred.extension(other);
        }
        self.line.clear();
        self.line.extend_from_slice(b"{\"type\":");
        push_text(&mut self.line, other.kind);
        if !other.body.is_empty() {
            self.line.push(b',');
            let types = &self.context.types;
            Written(&self.context)
                .each(&mut self.line, other.body, |path| types.record_field(other.kind, path))?;
        }
        self.line.push(b'}');
        let line = Line { bytes: &self.line, canonical: false, number: 0 };
        self.out.extension(&Extension { line, ..*other })
    }

    fn wants(&self) -> Wants {
        let wants = self.out.wants();
        let edges = if wants.any_edges() { wants::Edges::ById } else { wants::Edges::None };
        Wants { strings: wants::Strings::All, edges, ..wants }
    }

    fn edge_filter(&mut self) -> Option<&mut dyn EdgeFilter> {
        self.out.edge_filter()
    }

    fn flush(&mut self) -> Result {
        self.out.flush()
    }

    fn finish(&mut self, intact: bool) -> Result {
        self.end_snapshot()?;
        self.out.finish(intact)
    }
}
