//! Names written out: the view for people and jq.

use heap_base::json::{each, inside, push_text, scalar};
use heap_base::{Error, Result};
use heap_record::write::{Spelling, edge_spelled, node_spelled};
use heap_record::{
    Declaration, Edge, Extension, FieldKind, Line, Metadata, Node, Sink, Str, StringId, Wants,
};

use crate::context::{Context, Owner};
use crate::held::Held;

/// Replaces subtype numbers by names and string ids by their text, and drops string records.
///
/// A record that comes before its strings is held back to the end of the snapshot.
/// Memory: the stream's strings.
#[derive(Debug)]
pub struct Names<S> {
    out: S,
    context: Context,
    late: Held,
    /// True while held-back records are let go: strings still missing will not come.
    settling: bool,
    line: Vec<u8>,
}

impl<S: Sink> Names<S> {
    /// Passes records on to `out`, which must copy lines as they are.
    pub fn new(out: S) -> Self {
        Self { out, context: Context::default(), late: Held::default(), settling: false, line: Vec::new() }
    }

    /// Gives the sink back.
    pub fn into_inner(self) -> S {
        self.out
    }

    fn settle(&mut self) -> Result {
        if !self.late.is_empty() {
            self.settling = true;
            std::mem::take(&mut self.late).replay(&mut Settle { names: self })?;
            self.settling = false;
        }
        Ok(())
    }
}

/// Lets held-back records go.
struct Settle<'a, S> {
    names: &'a mut Names<S>,
}

impl<S: Sink> Sink for Settle<'_, S> {
    fn node(&mut self, node: &Node<'_>) -> Result {
        self.names.node(node)
    }
    fn edge(&mut self, edge: &Edge<'_>) -> Result {
        self.names.edge(edge)
    }
    fn extension(&mut self, other: &Extension<'_>) -> Result {
        self.names.extension(other)
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
            self.settle()?;
        }
        self.context.metadata(record);
        self.out.metadata(record)
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.declare_line(record, Line::default())
    }

    fn declare_line(&mut self, record: &Declaration<'_>, line: Line<'_>) -> Result {
        self.context.declare(record);
        self.out.declare(record)
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        self.context.string(record)
    }

    fn node(&mut self, node: &Node<'_>) -> Result {
        if !(self.settling || self.context.has_strings_of(node)) {
            return self.late.node(node);
        }
        self.line.clear();
        node_spelled(&mut self.line, node, &Written(&self.context))?;
        let line = Line { bytes: &self.line, canonical: false, number: 0 };
        self.out.node(&Node { line, ..*node })
    }

    fn edge(&mut self, edge: &Edge<'_>) -> Result {
        let has =
            || self.context.has(edge.label) && self.context.has_strings(Owner::Record("edge"), edge.rest);
        if !(self.settling || has()) {
            return self.late.edge(edge);
        }
        self.line.clear();
        edge_spelled(&mut self.line, edge, &Written(&self.context))?;
        let line = Line { bytes: &self.line, canonical: false, number: 0 };
        self.out.edge(&Edge { line, ..*edge })
    }

    fn extension(&mut self, other: &Extension<'_>) -> Result {
        if !(self.settling || self.context.has_strings(Owner::Record(other.kind), other.body)) {
            return self.late.extension(other);
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
        self.out.wants()
    }

    fn flush(&mut self) -> Result {
        self.out.flush()
    }

    fn finish(&mut self, intact: bool) -> Result {
        self.settle()?;
        self.out.finish(intact)
    }
}
