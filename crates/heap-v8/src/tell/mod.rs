//! The records: what a survey found is told to a sink, in the stream's order.

mod edges;
mod nodes;

use std::borrow::Cow;

use heap_base::error::Kind;
use heap_base::json::{compact, push_int, push_text, push_uint};
use heap_base::{Blob, Error, Place, Result};
use heap_record::wants::Strings;
use heap_record::{Declared, FieldKind, Metadata, Retains, Sink, Str, Wants, index_string};

use crate::edges::Edges;
use crate::header::Header;
use crate::ints::Batch;
use crate::nodes::{Nodes, Rule};
use crate::others;
use crate::scan::Scan;
use crate::types::Own;
use crate::weak::Entries;
use edges::{declare_edges, ephemeron};

/// A snapshot after its survey.
#[derive(Clone, Copy)]
pub(crate) struct Snapshot<'a> {
    pub(crate) blob: &'a Blob,
    pub(crate) scan: &'a Scan,
    pub(crate) header: &'a Header,
    pub(crate) nodes: &'a Nodes,
    /// What was found out about the edges that metadata speaks of.
    pub(crate) root_edges: &'a Edges,
    /// Ordinal of the root, if it stands.
    pub(crate) root: Option<usize>,
    /// What edges of WeakMap entries ask for.
    pub(crate) entries: &'a Entries,
}

impl Snapshot<'_> {
    pub(crate) fn metadata(&self, sink: &mut dyn Sink) -> Result {
        let mut tell =
            |key: &str, value: &str| sink.metadata(&Metadata { key, value, ..Metadata::default() });
        let nodes = self.nodes;
        tell("target_source", "v8.heapsnapshot")?;
        tell("heap.identifier", if nodes.rule == Rule::V8 { "v8" } else { "index" })?;
        tell("heap.order", "strings nodes edges")?;
        if nodes.rule == Rule::V8 {
            // V8's own limit, unless --heap-snapshot-string-limit said otherwise when it was written.
            tell("heap.string_limit", "1024")?;
        }
        if let Some(root) = self.root {
            tell("heap.root", &nodes.identifier(root).to_string())?;
        }
        let edges = self.root_edges;
        let known = |i: &usize| *i < nodes.count as usize;
        let document = |i: usize| nodes.dom_trees.contains(i);
        let user = |i: &usize| edges.shortcuts.contains(*i) || edges.elements.contains(*i) && document(*i);
        let near = |i: &usize| !nodes.synthetic.contains(*i) || document(*i);
        for i in edges.children.iter().filter(known).filter(user) {
            tell("heap.user_root", &nodes.identifier(i).to_string())?;
        }
        // Where distances are counted from, if that is not the same.
        if edges.children.iter().filter(known).any(|i| user(&i) != near(&i)) {
            for i in edges.children.iter().filter(known).filter(near) {
                tell("heap.distance_root", &nodes.identifier(i).to_string())?;
            }
        }
        tell("heap.unreachable", "root")?;
        let mut text = Vec::new();
        compact(&mut text, &self.header.raw);
        tell("v8.snapshot", &String::from_utf8_lossy(&text))?;
        text.clear();
        for key in &self.scan.keys {
            text.push(if text.is_empty() { b'[' } else { b',' });
            push_text(&mut text, key);
        }
        text.push(b']');
        tell("v8.sections", &String::from_utf8_lossy(&text))?;
        tell("v8.layout", self.layout()?)?;
        tell("v8.text", if self.scan.strings.raw_utf8 { "utf-8" } else { "ascii" })?;
        if let Some(bytes) = self.header.number("extra_native_bytes") {
            tell("v8.extra_native_bytes", &bytes.to_string())?;
        }
        for (key, raw) in &self.scan.extra {
            text.clear();
            compact(&mut text, raw);
            tell(&format!("v8.extra.{key}"), &String::from_utf8_lossy(&text))?;
        }
        Ok(())
    }

    /// How the file uses white space: a record a `lines` (V8 up to 13.4), LF between `sections` only (later),
    /// `compact` (none at all), or `other`.
    fn layout(&self) -> Result<&'static str> {
        let Some(section) = self.scan.section("nodes") else { return Ok("other") };
        let mut buf = [0; 1024];
        let room = usize::try_from(section.end - section.start).unwrap_or(buf.len()).min(buf.len());
        let n = self.blob.read_at(&mut buf[..room], section.start)?;
        let blank = |b: &u8| matches!(b, b' ' | b'\t' | b'\r' | b'\n');
        let lines = buf[..n].windows(2).any(|w| w == b"\n,");
        let inside = buf[..n].iter().any(blank);
        let n = self.blob.read_at(&mut buf[..4], section.end)?;
        Ok(match &buf[..n] {
            b"],\n\"" if lines => "lines",
            b"],\n\"" if !inside => "sections",
            [b']', b',', b'"', ..] if !inside => "compact",
            _ => "other",
        })
    }

    pub(crate) fn declare(&self, edges: &Edges, sink: &mut dyn Sink) -> Result {
        use FieldKind::{Boolean, Integer, String, Value};
        let own = |(_, name): &(usize, std::string::String)| (Cow::Owned(format!("v8.{name}")), Integer);
        let f = &self.header.node;
        let mut fields: Vec<(Cow<'_, str>, FieldKind)> = vec![
            ("subtype".into(), Integer),
            ("identifier".into(), Value),
            ("heap.size".into(), Integer),
            ("heap.class".into(), String),
            ("heap.name".into(), String),
        ];
        if self.nodes.rule == Rule::Index {
            fields.push(("v8.id".into(), Integer));
        }
        if f.trace.is_some() {
            fields.push(("v8.trace_node_id".into(), Integer));
        }
        if f.detachedness.is_some() {
            fields.push(("v8.detachedness".into(), Integer));
        }
        fields.extend(f.others.iter().map(own));
        sink.declare(&Declared::Record { name: "node", fields: &fields }.into())?;
        let mut fields: Vec<(Cow<'_, str>, FieldKind)> = vec![
            ("subtype".into(), Integer),
            ("source".into(), Value),
            ("dest".into(), Value),
            ("label".into(), String),
            ("heap.key".into(), Value),
            ("heap.table".into(), Value),
            ("heap.distance".into(), Boolean),
        ];
        fields.extend(self.header.edge.others.iter().map(own));
        sink.declare(&Declared::Record { name: "edge", fields: &fields }.into())?;
        for (code, t) in self.nodes.types.iter().enumerate() {
            let fields: &[(Cow<'_, str>, FieldKind)] = match t.own {
                Own::None => &[],
                Own::Data => &[(Cow::Borrowed("data"), String)],
                Own::Source => &[(Cow::Borrowed("source"), String)],
                Own::Metadata => &[(Cow::Borrowed("metadata"), Value)],
                Own::Parts => &[(Cow::Borrowed("s1"), Value), (Cow::Borrowed("s2"), Value)],
                Own::Parent => &[(Cow::Borrowed("source"), Value)],
            };
            sink.declare(
                &Declared::Node { id: code as u32 + 1, name: &t.name, table: t.table, fields }.into(),
            )?;
        }
        declare_edges(self.header, &edges.types, 0, sink)?;
        sink.declare(
            &Declared::Edge {
                id: ephemeron(self.header),
                name: "v8.ephemeron",
                retains: Retains::No,
                rest: &[],
            }
            .into(),
        )?;
        others::declare(self.scan, self.header, sink)
    }

    /// The file's strings, then those of array indexes; only classes, if these are known and no others are asked for.
    pub(crate) fn strings(&self, wants: Wants, edges: Option<&Edges>, sink: &mut dyn Sink) -> Result {
        if !wants.any_strings() {
            return Ok(());
        }
        if wants.strings == Strings::Classes
            && let Some(classes) = self.classes()
        {
            return self.scan.strings.tell_some(self.blob, &classes, sink);
        }
        self.scan.strings.tell(self.blob, sink)?;
        let mut digits = itoa::Buffer::new();
        // Not a loop, which asks each of the nested iterators for every index.
        edges.iter().flat_map(|e| e.indexes.iter()).try_for_each(|i| {
            let data = heap_record::Data::Escaped(digits.format(i));
            sink.string(&Str { id: index_string(i), data, ..Str::default() })
        })
    }

    pub(crate) fn others(&self, sink: Option<&mut dyn Sink>) -> Result {
        others::tell(self.blob, self.scan, self.header, self.nodes, sink)
    }
}

/// Appends fields that this reader does not know.
#[cold]
fn unknown(out: &mut Vec<u8>, fields: &[(usize, String)], batch: &Batch, record: usize, ints: &[u64]) {
    for (at, name) in fields {
        push_key(out, name);
        if ints[*at] > i64::MAX as u64 && !batch.negative(record, *at) {
            push_uint(out, ints[*at]);
        } else {
            push_int(out, ints[*at] as i64);
        }
    }
}

fn push_key(out: &mut Vec<u8>, key: &str) {
    if out.last() != Some(&b'{') {
        out.push(b',');
    }
    push_text(out, key);
    out.push(b':');
}

/// Of several places that are damaged, the first in the file; of several at one byte, the first given.
pub(crate) fn first(damage: impl IntoIterator<Item = Option<Error>>) -> Option<Error> {
    damage.into_iter().flatten().min_by_key(|e| match e.kind() {
        Kind::Input { place: Place::Byte(byte), .. } => *byte,
        _ => 0,
    })
}
