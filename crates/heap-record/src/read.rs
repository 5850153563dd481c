//! Placeholder of the stream's reader.

use crate::model::{Data, Declaration, Edge, Line, Metadata, Node, Other, Retains, Str};
use crate::sink::{Pick, Sink};
use crate::{Error, Result};
use std::io::Read;

/// Placeholder.
pub fn sniff(head: &[u8]) -> bool {
    head.starts_with(b"{\"type\":")
}

/// Placeholder.
pub fn read(mut input: impl Read, _pick: Pick, sink: &mut dyn Sink) -> Result {
    let mut buf = Vec::new();
    let mut piece = vec![0; 64 << 10];
    let mut number = 0;
    loop {
        sink.flush()?;
        let n = match input.read(&mut piece) {
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => continue,
            other => other.map_err(Error::read)?,
        };
        buf.extend_from_slice(&piece[..n]);
        let mut start = 0;
        while let Some(end) = memchr::memchr(b'\n', &buf[start..]) {
            number += 1;
            line(&buf[start..start + end], number, sink)?;
            start += end + 1;
        }
        if n == 0 && start < buf.len() {
            line(&buf[start..], number + 1, sink)?;
        }
        buf.drain(..start);
        if n == 0 {
            return Ok(());
        }
    }
}

fn line(bytes: &[u8], number: u64, sink: &mut dyn Sink) -> Result {
    let json: serde_json::Value =
        serde_json::from_slice(bytes).map_err(|_| Error::at_line(number, "expected an object"))?;
    let line = Line { bytes, canonical: true };
    let text = |key: &str| json[key].as_str().unwrap_or("").to_owned();
    let int = |key: &str| json[key].as_i64().unwrap_or(0);
    match text("type").as_str() {
        "metadata" => sink.metadata(&Metadata { key: &text("key"), value: &text("value"), line }),
        "string" => {
            sink.string(&Str { id: int("stringid"), data: Data::Plain(&text("data")), rest: b"", line })
        }
        "node" => {
            let mut heap = crate::Heap { size: json["heap"]["size"].as_u64(), ..crate::Heap::default() };
            heap.class = json["heap"]["class"].as_i64();
            sink.node(&Node {
                subtype: int("subtype") as u32,
                id: int("identifier"),
                heap,
                line,
                ..Node::default()
            })
        }
        "edge" => sink.edge(&Edge {
            subtype: int("subtype") as u32,
            source: int("source"),
            line,
            ..Edge::default()
        }),
        "node_type" => sink.declare(&Declaration::Node {
            id: int("nodetypeid") as u32,
            name: &text("name"),
            table: None,
            fields: &[],
        }),
        "edge_type" => sink.declare(&Declaration::Edge {
            id: int("edgetypeid") as u32,
            name: &text("name"),
            retains: Retains::Yes,
            rest: b"",
        }),
        "type" => Ok(()),
        "" => Err(Error::at_line(number, "expected an object")),
        kind => sink.other(&Other { kind, body: b"", line }),
    }
}
