//! Placeholder of the crate; see Cargo.toml. It takes `{"snapshot":` and one number per further line as a node.

use heap_record::{Blob, Data, Declaration, Heap, Info, Metadata, Node, Pick, Result, Sink, Str};
use std::io::{BufRead, BufReader};

/// Placeholder.
pub fn sniff(head: &[u8]) -> bool {
    head.starts_with(b"{\"snapshot\":")
}

/// Placeholder.
pub fn read(blob: &Blob, _pick: Pick, sink: &mut dyn Sink) -> Result {
    sink.metadata(&Metadata { key: "target_source", value: "v8.heapsnapshot", ..Metadata::default() })?;
    sink.declare(&Declaration::Node { id: 1, name: "object", table: None, fields: &[] })?;
    sink.string(&Str { id: 1, data: Data::Plain("Stub"), ..Str::default() })?;
    let lines = BufReader::new(blob.section(0, blob.len())).lines();
    let mut at = 0;
    for (i, line) in lines.enumerate() {
        let line = line.map_err(heap_record::Error::read)?;
        if i > 0 {
            let size =
                line.parse().map_err(|_| heap_record::Error::at_byte(at, "expected a number".to_owned()))?;
            let heap = Heap { size: Some(size), class: Some(1), ..Heap::default() };
            sink.node(&Node { subtype: 1, id: 2 * i as i64 + 1, heap, ..Node::default() })?;
        }
        at += line.len() as u64 + 1;
    }
    Ok(())
}

/// Placeholder.
pub fn info(blob: &Blob) -> Result<Info> {
    Ok(Info {
        format: "v8.heapsnapshot",
        facts: vec![("bytes", heap_record::Fact::Bytes(blob.len()))],
        ..Info::default()
    })
}
