//! Heap snapshots of WebKit's JavaScriptCore: what Safari's Web Inspector exports, WebKitGTK's `jsc` prints, and Bun's
//! `generateHeapSnapshot()` gives.
//!
//! ```text
//! {"version":3,"type":"Inspector","nodes":[0,0,0,0,1,16,1,0],"nodeClassNames":["<root>","Array"],
//!  "edges":[0,1,0,0],"edgeTypes":["Internal","Property","Index","Variable"],"edgeNames":[]}
//! ```
//!
//! The format grew in `HeapSnapshotBuilder.cpp` of WebKit; its other reader is Web Inspector's `HeapSnapshot.js`. Versions 1
//! to 3 are read, of type `Inspector` (four values a node) and `GCDebugging` (seven: also a label and two addresses, and
//! reasons for roots), keys in any order. An exported timeline recording holds several snapshots as texts; each is
//! one snapshot of the file.
//!
//! # What becomes what
//!
//! * A node's identifier is 2·id+1, so that `@N` is Web Inspector's own number. `heap.class` is its class, `heap.size` WebKit's
//!   estimate, which leaves out the storage of array elements. Flags, where they are not 0, are `jsc.flags`: 1 internal, 2 a
//!   plain object, 4 an element of the DOM. A label is the name of a function, else `jsc.label`; addresses are `jsc.cell` and,
//!   where it is not 0, `jsc.wrapped`.
//! * `Property` edges are `object property`, `Index` edges `array element`, `Variable` edges `closure variable`; `Internal` edges are
//!   `jsc.internal` without a label. An edge from the root whose reason the file gives is `jsc.root` with the reason
//!   as its label; a record `jsc.root` repeats the reason and says what kept an opaque root alive. Other types are
//!   `jsc.` and their name. Repeated edges are passed on.
//! * The snapshot has live objects only, yet some that no edge leads to: what only a `Map` or `Set` holds, in versions since
//!   2024. So what no root reaches counts as held by the root.
//! * Identifiers last from one snapshot to the next if they begin at 1 or have gaps; a runtime that forgets objects between
//!   snapshots numbers them without a gap from where it ended.
//!
//! # Memory and time
//!
//! Names come after what they name, so the file is gone over three times: sections and names, nodes and edges. A bit for each
//! identifier up to the largest is held (never more than a few bytes a node), and twelve bytes for each reason.

#![allow(clippy::struct_field_names, reason = "fields have the names of the format")]

mod document;
mod emit;
mod list;
mod recording;
#[cfg(test)]
mod tests;

use heap_base::{Blob, Result, Window};
use heap_record::{Fact, Info, Sink, SnapshotSelector};

use document::{Document, Shape, Step};
use emit::Emitter;
use recording::Recording;

const FORMAT: &str = "webkit.heapsnapshot";

/// What [`sniff`] found a file to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Snapshot,
    Recording,
}

/// Whether a file that begins with `head` (up to 64 KiB) is a heap snapshot of JavaScriptCore or a recording of them.
pub fn sniff(head: &[u8]) -> bool {
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
    // Before the bytes are copied: this is JSON, and not a line of records.
    text.starts_with(b"{") && matches!(look(&Blob::from_bytes(head), head), Ok(Some(_)))
}

/// Looks at the keys at the start of a file.
fn look(blob: &Blob, head: &[u8]) -> Result<Option<Kind>> {
    let mut win = Window::new(blob, 0);
    document::begin(&mut win)?;
    let (mut version, mut verdict) = (false, None);
    let outcome = document::members(blob, &mut win, &mut |win, key| {
        let first = win.peek()?;
        let second = win.held().iter().skip(1).find(|b| !b.is_ascii_whitespace());
        let list = |of: fn(u8) -> bool| first == Some(b'[') && second.is_none_or(|&b| b == b']' || of(b));
        match key {
            b"version" => version = matches!(first, Some(b'0'..=b'9')),
            b"type" => {
                let known = [&b"\"Inspector\""[..], b"\"GCDebugging\""];
                if known.iter().any(|known| win.held().starts_with(known)) {
                    verdict = Some(Kind::Snapshot);
                }
                // After the version it may be a type of tomorrow.
                if verdict.is_some() || !version {
                    return Ok(Step::Stop);
                }
            }
            b"recording" if version => {
                verdict = (first == Some(b'{')).then_some(Kind::Recording);
                return Ok(Step::Stop);
            }
            b"nodeClassNames" | b"edgeTypes" | b"edgeNames" => {
                verdict = list(|b| b == b'"').then_some(Kind::Snapshot);
                return Ok(Step::Stop);
            }
            b"nodes" => {
                let known = version || memchr::memmem::find(head, b"\"nodeClassNames\"").is_some();
                verdict = (known && list(|b| b.is_ascii_digit() || b == b'[')).then_some(Kind::Snapshot);
                return Ok(Step::Stop);
            }
            b"snapshot" | b"edges" | b"strings" | b"traceEvents" | b"head" => return Ok(Step::Stop),
            _ => {}
        }
        Ok(Step::Pass)
    });
    // What is wrong behind the keys that say it is for the reader.
    document::damage(outcome)?.ok();
    Ok(verdict)
}

fn kind(blob: &Blob) -> Result<Kind> {
    let mut head = vec![0; 64 << 10];
    let n = blob.read_at(&mut head, 0)?;
    Ok(look(blob, &head[..n])?.unwrap_or(Kind::Snapshot))
}

/// Reads a snapshot, or snapshots of a recording, and emits their records to `sink`. See the crate's description.
///
/// # Errors
/// Damage, with section, record and byte, after all intact records before it were emitted; no such snapshot; errors of the
/// sink at once.
pub fn read(blob: &Blob, pick: SnapshotSelector, sink: &mut dyn Sink) -> Result {
    let mut out = Emitter::new(sink);
    match kind(blob)? {
        Kind::Snapshot => {
            pick.range(1)?;
            blob.plan_passes(3);
            out.head()?;
            out.document(blob)
        }
        Kind::Recording => Recording::scan(blob)?.read(blob, pick, &mut out),
    }
}

/// Facts about the file. Goes over all of a snapshot, because nothing in it says how many nodes there are.
///
/// # Errors
/// The file cannot be read.
pub fn info(blob: &Blob) -> Result<Info> {
    let mut info = Info { format: FORMAT, ..Info::default() };
    info.producer = Some("JavaScriptCore (Safari, WebKitGTK, Bun)".to_owned());
    match kind(blob)? {
        Kind::Snapshot => {
            let mut document = Document::scan(blob)?;
            info.version = document.version.map(|version| version.to_string());
            if let Some(name) = &document.type_name {
                info.facts.push(("type", Fact::Text(name.clone())));
            }
            let shape = document.shape(blob)?;
            let nodes = document.nodes(blob, shape)?;
            let edges = document.edges(blob, &nodes, &mut |_| Ok(()))?;
            info.facts.push(("node_count", Fact::Int(nodes.count as i64)));
            info.facts.push(("edge_count", Fact::Int(edges.count as i64)));
            info.facts.push(("node_fields", Fact::Int(if shape == Shape::Long { 7 } else { 4 })));
            info.facts.push(("class_names", Fact::Int(document.classes.count as i64)));
            let damage = document::first([document.damage.take(), nodes.damage, edges.damage]);
            info.facts.extend(damage.map(|e| ("damage", Fact::Text(e.to_string()))));
        }
        Kind::Recording => {
            let recording = Recording::scan(blob)?;
            info.series = true;
            info.snapshots = recording.facts();
            info.facts.extend(recording.damage.map(|e| ("damage", Fact::Text(e.to_string()))));
        }
    }
    Ok(info)
}
