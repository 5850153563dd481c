//! What a file is, by its `snapshot` object and the first nodes.

use heap_base::error::Kind;
use heap_base::{Blob, Error, Result};
use heap_record::{EdgeBatch, Fact, Info, NodeBatch, Sink, SnapshotSelector, Str, Wants};

use crate::layout::Header;
use crate::scan::Scan;

/// What the header says; reads no further than that, in a file that begins with it as V8's do.
pub fn info(blob: &Blob) -> Result<Info> {
    let mut scan = Scan::to_header(blob)?;
    let header = scan.take_header()?;
    let mut info = Info { format: "v8.heapsnapshot", ..Info::default() };
    info.producer = producer(blob, &header)?;
    // Hermes does not count. Every snapshot has a root, so 0 is no number of nodes.
    let counted = match header.number("node_count") {
        Some(0) => Some(Counter::count(blob)?),
        _ => None,
    };
    for key in ["node_count", "edge_count", "trace_function_count"] {
        let said = header.number(key);
        let count = match (&counted, key) {
            (Some(counter), "node_count") => Some(counter.nodes),
            (Some(counter), "edge_count") => Some(counter.edges),
            _ => said,
        };
        info.facts.extend(count.map(|n| (key, Fact::Int(n))));
    }
    if let Some(counter) = counted {
        if counter.hermes {
            info.producer = Some("Hermes".into());
        }
        info.facts.extend(counter.damage.map(|e| ("damage", Fact::Text(e.to_string()))));
    }
    if let Some(bytes) = header.number("extra_native_bytes").and_then(|n| u64::try_from(n).ok()) {
        info.facts.push(("extra_native_bytes", Fact::Bytes(bytes)));
    }
    info.facts.push(("node_fields", Fact::Int(header.node.width as i64)));
    info.facts.push(("node_types", Fact::Int(header.node_types.len() as i64)));
    info.facts.push(("edge_fields", Fact::Int(header.edge.width as i64)));
    Ok(info)
}

/// Bytes of the list of nodes that say who wrote it.
const BEGINNING: usize = 512;

/// How the list of nodes begins.
fn beginning<'a>(blob: &Blob, header: &Header, buf: &'a mut [u8; BEGINNING]) -> Result<&'a [u8]> {
    let n = blob.read_at(buf, header.at + header.raw.len() as u64)?;
    let start = memchr::memchr(b'[', &buf[..n]).map_or(n, |i| i + 1);
    Ok(&buf[start..n])
}

/// Whether ids are counted by one. V8 counts its own objects in steps of two.
fn counts_by_one(header: &Header, nodes: &[u8]) -> bool {
    let field = |at: usize| -> Option<u64> {
        let text = nodes.split(|&b| b == b',').nth(at)?.trim_ascii();
        std::str::from_utf8(text).ok()?.parse().ok()
    };
    field(header.node.id) == Some(1) && field(header.node.width + header.node.id) == Some(2)
}

/// Whether the objects of each snapshot are counted anew, as JavaScriptCore counts those that it writes in this format.
///
/// # Errors
/// The file cannot be read.
pub(crate) fn counts_anew(blob: &Blob, header: &Header) -> Result<bool> {
    Ok(counts_by_one(header, beginning(blob, header, &mut [0; BEGINNING])?))
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
    let mut buf = [0; BEGINNING];
    let nodes = beginning(blob, header, &mut buf)?;
    if counts_by_one(header, nodes) {
        return Ok(Some("JavaScriptCore (Bun)".into()));
    }
    let lines = nodes.contains(&b'\n');
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

/// Counts what a file has whose header does not say it.
#[derive(Default)]
struct Counter {
    nodes: i64,
    edges: i64,
    /// Whether it names a section of roots that only Hermes has.
    hermes: bool,
    damage: Option<Error>,
}

impl Counter {
    fn count(blob: &Blob) -> Result<Self> {
        let mut this = Self::default();
        match crate::read(blob, SnapshotSelector::Last, &mut this) {
            Err(e) if matches!(e.kind(), Kind::Input { .. }) => this.damage = Some(e),
            result => result?,
        }
        Ok(this)
    }
}

impl Sink for Counter {
    fn wants(&self) -> Wants {
        Wants { edges: heap_record::wants::Edges::ByIndex, ..Wants::NODES }
    }
    fn string(&mut self, record: &Str<'_>) -> Result {
        self.hermes |= matches!(
            record.data.text().as_ref(),
            "(Registers)" | "(RuntimeInstanceVars)" | "(IdentifierTable)" | "(GCScopes)"
        );
        Ok(())
    }
    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        self.nodes += batch.len() as i64;
        Ok(())
    }
    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        self.edges += batch.len() as i64;
        Ok(())
    }
}
