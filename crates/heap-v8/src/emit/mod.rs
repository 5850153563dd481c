//! The records of a snapshot, in the stream's order.

pub(crate) mod ahead;
pub(crate) mod edges;
mod indexes;
pub(crate) mod lists;
mod nodes;
mod subtypes;

use std::borrow::Cow;

use heap_base::error::Kind;
use heap_base::json::{compact, push_int, push_text, push_uint};
use heap_base::{Blob, Error, Place, Result};
use heap_record::wants::Strings;
use heap_record::{Declared, FieldKind, IdRule, Retains, Role, Sink, Wants, head};

use crate::info::counts_anew;
use crate::layout::Header;
use crate::layout::marks::Entries;
use crate::layout::types::{self, Own};
use crate::lex::Batch;
use crate::nodes::Nodes;
use crate::scan::Scan;
use ahead::Ahead;

/// A snapshot that is scanned and whose nodes are read.
#[derive(Clone, Copy)]
pub(crate) struct Snapshot<'a> {
    pub(crate) blob: &'a Blob,
    pub(crate) scan: &'a Scan<'a>,
    pub(crate) header: &'a Header,
    pub(crate) nodes: &'a Nodes,
    /// Ordinal of the root, if it is intact.
    pub(crate) root: Option<usize>,
    /// The WeakMap entries that edges name.
    pub(crate) entries: &'a Entries,
    /// Whether stacks of allocations were recorded.
    pub(crate) traced: bool,
}

impl Snapshot<'_> {
    pub(crate) fn metadata(&self, ahead: &Ahead, sink: &mut dyn Sink) -> Result {
        let nodes = self.nodes;
        head::begin(sink, "v8.heapsnapshot", nodes.rule)?;
        let mut emit = |key: &str, value: &str| head::metadata(sink, key, value);
        if nodes.rule == IdRule::V8 {
            // V8's own limit, unless --heap-snapshot-string-limit said otherwise when it was written.
            emit("heap.string_limit", "1024")?;
            if counts_anew(self.blob, self.header)? {
                emit("heap.identity", "none")?;
            }
        }
        if let Some(root) = self.root {
            emit("heap.root", &nodes.identifier(root).to_string())?;
        }
        let marks = &self.scan.strings.marks;
        let document = |i: u32| nodes.synthetic(i, marks) == Some(true);
        let user = |i: u32| ahead.shortcuts.contains(i) || ahead.elements.contains(i) && document(i);
        let near = |i: u32| nodes.synthetic(i, marks).is_none_or(|document| document);
        for i in ahead.children.iter().filter(|&i| user(i)) {
            emit("heap.user_root", &nodes.identifier(i as usize).to_string())?;
        }
        // Where distances are counted from, if that is not the same.
        if ahead.children.iter().any(|i| user(i) != near(i)) {
            for i in ahead.children.iter().filter(|&i| near(i)) {
                emit("heap.distance_root", &nodes.identifier(i as usize).to_string())?;
            }
        }
        for i in nodes.string_tables(marks) {
            emit("heap.weak_root", &nodes.identifier(i as usize).to_string())?;
        }
        emit("heap.unreachable", "root")?;
        match nodes.workers(marks) {
            0 => {}
            workers => emit("heap.elsewhere", &workers.to_string())?,
        }
        // Names of Node's own scripts, which those of files cannot be.
        emit("heap.runtime", "node:*")?;
        if self.traced {
            emit("heap.stacks", "v8.trace_node_id v8.trace_node v8.trace_function")?;
        }
        let mut text = Vec::new();
        compact(&mut text, &self.header.raw);
        emit("v8.snapshot", &String::from_utf8_lossy(&text))?;
        text.clear();
        for key in &self.scan.keys {
            text.push(if text.is_empty() { b'[' } else { b',' });
            push_text(&mut text, key);
        }
        text.push(b']');
        emit("v8.sections", &String::from_utf8_lossy(&text))?;
        emit("v8.layout", self.layout()?)?;
        emit("v8.text", if self.scan.strings.raw_utf8 { "utf-8" } else { "ascii" })?;
        if let Some(bytes) = self.header.number("extra_native_bytes") {
            emit("v8.extra_native_bytes", &bytes.to_string())?;
        }
        for (key, raw) in &self.scan.extra {
            text.clear();
            compact(&mut text, raw);
            emit(&format!("v8.extra.{key}"), &String::from_utf8_lossy(&text))?;
        }
        Ok(())
    }

    /// How the file uses white space: a record a `lines` (V8 up to 13.4), LF between `sections` only (later),
    /// `compact` (none at all), or `other`.
    fn layout(&self) -> Result<&'static str> {
        let Some(section) = self.scan.find("nodes") else { return Ok("other") };
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

    pub(crate) fn declare(&self, sink: &mut dyn Sink) -> Result {
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
        if self.nodes.rule == IdRule::Index {
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
        subtypes::declare(self.header, &types::edge_types(&self.header.edge_types), 0, sink)?;
        sink.declare(
            &Declared::Edge {
                id: subtypes::ephemeron(self.header),
                name: "v8.ephemeron",
                retains: Retains::No,
                role: Some(Role::Inner),
                rest: &[],
            }
            .into(),
        )?;
        lists::declare(self.scan, self.header, sink)
    }

    /// The strings of the file that are asked for. Those of array indexes come with the edges.
    pub(crate) fn strings(&self, wants: Wants, sink: &mut dyn Sink) -> Result {
        let strings = &self.scan.strings;
        match (wants.strings, &self.nodes.sums) {
            (Strings::None, _) => Ok(()),
            (Strings::All, None) => strings.emit(self.blob, sink),
            (_, Some(sums)) => strings.emit_some(self.blob, &sums.classes(), sink),
            (Strings::Classes, None) => {
                let classes: Vec<u64> = self.nodes.classes.iter().map(u64::from).collect();
                strings.emit_some(self.blob, &classes, sink)
            }
        }
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
