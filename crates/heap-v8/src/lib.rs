//! Placeholder of the crate; see Cargo.toml. Reads nodes and strings of a snapshot, crudely.

use heap_record::{Blob, Data, Declaration, Error, Heap, Info, Metadata, Node, Pick, Result, Sink, Str};

/// Placeholder.
pub fn sniff(head: &[u8]) -> bool {
    head.starts_with(b"{\"snapshot\":")
}

/// Placeholder.
pub fn read(blob: &Blob, _pick: Pick, sink: &mut dyn Sink) -> Result {
    let mut bytes = vec![0; blob.len() as usize];
    blob.read_at(&mut bytes, 0)?;
    sink.metadata(&Metadata { key: "target_source", value: "v8.heapsnapshot", ..Metadata::default() })?;
    sink.declare(&Declaration::Node { id: 1, name: "object", table: None, fields: &[] })?;
    let json: serde_json::Value =
        serde_json::from_slice(&bytes).map_err(|_| Error::at_byte(blob.len(), "snapshot ends early"))?;
    for (id, text) in json["strings"].as_array().into_iter().flatten().enumerate() {
        let data = Data::Plain(text.as_str().unwrap_or_default());
        sink.string(&Str { id: id as i64, data, ..Str::default() })?;
    }
    let fields = json["snapshot"]["meta"]["node_fields"].as_array().map_or(7, Vec::len);
    let numbers: Vec<_> =
        json["nodes"].as_array().into_iter().flatten().map(|n| n.as_i64().unwrap_or(0)).collect();
    for n in numbers.chunks(fields) {
        let heap = Heap { size: Some(n[3] as u64), class: Some(n[1]), ..Heap::default() };
        sink.node(&Node { subtype: 1, id: n[2], heap, ..Node::default() })?;
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
