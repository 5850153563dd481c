//! What a file is, by its `snapshot` object and the first nodes.

use heap_base::{Blob, Result};
use heap_record::{Fact, Info};

use crate::layout::Header;
use crate::scan::Scan;

/// What the header says; reads no further than that, in a file that begins with it as V8's do.
pub fn info(blob: &Blob) -> Result<Info> {
    let mut scan = Scan::to_header(blob)?;
    let header = scan.take_header()?;
    let mut info = Info { format: "v8.heapsnapshot", ..Info::default() };
    info.producer = producer(blob, &header)?;
    let counts = ["node_count", "edge_count", "trace_function_count"];
    let counts = counts.into_iter().filter_map(|key| Some((key, Fact::Int(header.number(key)?))));
    info.facts.extend(counts);
    if let Some(bytes) = header.number("extra_native_bytes").and_then(|n| u64::try_from(n).ok()) {
        info.facts.push(("extra_native_bytes", Fact::Bytes(bytes)));
    }
    info.facts.push(("node_fields", Fact::Int(header.node.width as i64)));
    info.facts.push(("node_types", Fact::Int(header.node_types.len() as i64)));
    info.facts.push(("edge_fields", Fact::Int(header.edge.width as i64)));
    Ok(info)
}

/// The program that wrote the file, as far as its header and layout show it. Versions of V8 are those in which this
/// shape was seen; the ones between them and the next shape are likely too.
fn producer(blob: &Blob, header: &Header) -> Result<Option<String>> {
    let types: Vec<&str> = header.node_types.iter().map(String::as_str).collect();
    let edges: Vec<&str> = header.edge_types.iter().map(String::as_str).collect();
    if types.first() == Some(&"synthetic") && edges.first() == Some(&"internal") {
        return Ok(Some("Julia (Profile.take_heap_snapshot)".into()));
    }
    let v8 = types
        .starts_with(&["hidden", "array", "string", "object", "code", "closure", "regexp", "number"])
        && edges == ["context", "element", "property", "internal", "hidden", "shortcut", "weak"];
    if !v8 {
        return Ok(None);
    }
    let mut buf = [0; 512];
    let n = blob.read_at(&mut buf, header.at + header.raw.len() as u64)?;
    let start = memchr::memchr(b'[', &buf[..n]).map_or(n, |i| i + 1);
    let nodes = &buf[start..n];
    let lines = nodes.contains(&b'\n');
    let field = |at: usize| -> Option<u64> {
        let text = nodes.split(|&b| b == b',').nth(at)?.trim_ascii();
        std::str::from_utf8(text).ok()?.parse().ok()
    };
    // V8 counts its own objects in steps of two.
    let second = field(header.node.width + header.node.id);
    if field(header.node.id) == Some(1) && second == Some(2) {
        return Ok(Some("JavaScriptCore (Bun)".into()));
    }
    let has = |key: &str| header.meta().is_some_and(|m| m.get(key).is_some());
    let versions = match () {
        () if has("scope_fields") => "15.6 or later",
        () if has("location_fields") && header.list_fields("locations").len() > 4 => "14.9 to 15.2",
        () if header.number("extra_native_bytes").is_some() && lines => "13.4",
        () if header.number("extra_native_bytes").is_some() => "13.6 to 14.7 (Node 24 to 26)",
        () if types.len() == 16 => "11.3 to 11.5 (Node 20)",
        () if types.len() == 15 => "12.4 to 13.0 (Node 22)",
        () if header.node.detachedness.is_some() => "9.3 to 10.2 (Node 16, 18)",
        () if has("location_fields") => "7.6 to 8.4 (Node 12, 14)",
        () if types.len() == 14 => "6.8 (Node 10)",
        () if types.len() == 12 => "5.1 to 6.2 (Node 6, 8)",
        () => return Ok(Some("V8".into())),
    };
    Ok(Some(format!("V8, about {versions}")))
}
