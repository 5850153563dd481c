//! Tests: the seeds' worked example, odd files, damage, and comparison with a slow, obvious reader.

mod cube;
mod damage;
mod infra;
mod odd;
mod profile;
mod scan;
mod twin;
mod writer;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::Path;

use heap_base::{Blob, Result};
use heap_record::{Sink, SnapshotSelector, Writer};
use serde_json::Value;

/// A small dump of the repository, unpacked.
fn data(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/memory-infra").join(name);
    let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    if path.extension().is_none_or(|end| end != "gz") {
        return bytes;
    }
    let mut plain = Vec::new();
    flate2::read::GzDecoder::new(&bytes[..]).read_to_end(&mut plain).expect("the file was packed by us");
    plain
}

/// Reads a dump into lines of the stream.
fn lines(bytes: &[u8], pick: SnapshotSelector) -> (String, Result) {
    let mut writer = Writer::new(Vec::new());
    let result = crate::read(&Blob::from_bytes(bytes), pick, &mut writer);
    writer.finish(result.is_ok()).expect("memory takes all");
    (String::from_utf8(writer.into_inner()).expect("the stream is UTF-8"), result)
}

/// Path of function names (`a;b`) and type.
type Cell = (String, Option<String>);

/// Bytes and, where known, a count.
type Amount = (u64, Option<u64>);

/// One heap of a stream.
#[derive(Clone, Debug, Default, PartialEq)]
struct Seen {
    /// The root's `chrome` members, strings written out.
    root: BTreeMap<String, Value>,
    /// Paths of frames.
    frames: BTreeSet<String>,
    /// Paths of frames whose total is a lower bound.
    inexact: BTreeSet<String>,
    /// Sums of `heap.allocation` nodes.
    own: BTreeMap<Cell, Amount>,
    /// Number of `heap.allocation` nodes.
    n_rows: usize,
    /// Number of `chrome.cell` records.
    n_cells: usize,
    /// Sums of `chrome.cell` records.
    cells: BTreeMap<Cell, Amount>,
}

impl Seen {
    fn total(&self) -> u64 {
        self.own.values().map(|(size, _)| size).sum()
    }

    /// Bytes at or below a path, of one type or of all.
    fn cumulative(&self, path: &str, class: Option<&str>) -> u64 {
        let below = |at: &str| path.is_empty() || at == path || at.starts_with(&format!("{path};"));
        let of = |own: &Option<String>| class.is_none() || own.as_deref() == class;
        self.own.iter().filter(|((at, ty), _)| below(at) && of(ty)).map(|(_, (size, _))| size).sum()
    }
}

/// By snapshot, process and allocator.
type Heaps = BTreeMap<(u64, i64, String), Seen>;

/// A stream parsed line by line into what tests ask about.
#[derive(Debug, Default)]
struct Stream {
    metadata: Vec<(String, String)>,
    heaps: Heaps,
    /// Extension records with strings written out where a field is known to be one.
    others: Vec<Value>,
    nodes: Vec<Value>,
    edges: Vec<Value>,
    strings: BTreeMap<i64, String>,
}

impl Stream {
    fn metadata(&self, key: &str) -> Vec<&str> {
        self.metadata.iter().filter(|(k, _)| k == key).map(|(_, v)| v.as_str()).collect()
    }

    fn string(&self, value: &Value) -> Option<String> {
        value.as_i64().and_then(|id| self.strings.get(&id)).cloned()
    }

    /// The heap of the only snapshot.
    fn heap(&self, pid: i64, allocator: &str) -> &Seen {
        let found = self.heaps.iter().find(|((_, p, a), _)| *p == pid && a == allocator);
        found.unwrap_or_else(|| panic!("no heap {allocator} of {pid}")).1
    }
}

/// A whole number, also from `"0x…"`.
fn number(value: &Value) -> Option<u64> {
    match value {
        Value::String(text) => u64::from_str_radix(text.strip_prefix("0x")?, 16).ok(),
        other => other.as_u64(),
    }
}

fn add(sums: &mut BTreeMap<Cell, Amount>, cell: Cell, (size, count): Amount) {
    let sum = sums.entry(cell).or_insert((0, Some(0)));
    sum.0 += size;
    sum.1 = sum.1.zip(count).map(|(a, b)| a + b);
}

/// Parses a stream and checks what holds for every stream: order, declared before used, one caller per node.
fn parse(text: &str) -> Stream {
    let mut stream = Stream::default();
    let mut snapshot = 0;
    let mut from = (0, 0, 0);
    let mut rank = 0;
    for line in text.lines() {
        let record: Value = serde_json::from_str(line).expect("a line is JSON");
        let kind = record["type"].as_str().expect("a record has a type").to_owned();
        let at = match kind.as_str() {
            "metadata" => 0,
            "type" | "node_type" | "edge_type" => 1,
            "string" => 2,
            "node" => 3,
            "edge" => 4,
            _ => 5,
        };
        if kind == "metadata" && record["key"] == "heap.snapshot" {
            close(&mut stream, snapshot, from);
            from = (stream.nodes.len(), stream.edges.len(), stream.others.len());
            snapshot =
                record["value"].as_str().and_then(|v| v.parse().ok()).expect("a snapshot has a number");
            rank = 0;
        }
        let is_end = kind == "metadata" && record["key"] == "heap.end";
        assert!(at >= rank || is_end, "order: {line}");
        rank = at;
        match kind.as_str() {
            "metadata" => {
                let text = |key: &str| record[key].as_str().unwrap_or_default().to_owned();
                stream.metadata.push((text("key"), text("value")));
            }
            "string" => {
                let id = record["stringid"].as_i64().expect("a string has a number");
                let data = record["data"].as_str().expect("a string has data").to_owned();
                assert_eq!(stream.strings.insert(id, data), None, "emitted twice: {line}");
            }
            "node" => stream.nodes.push(record),
            "edge" => stream.edges.push(record),
            "type" | "node_type" | "edge_type" => {}
            _ => stream.others.push(record),
        }
    }
    close(&mut stream, snapshot, from);
    stream
}

/// Turns the nodes of one snapshot into heaps.
fn close(stream: &mut Stream, snapshot: u64, from: (usize, usize, usize)) {
    let nodes: BTreeMap<i64, &Value> =
        stream.nodes[from.0..].iter().map(|n| (n["identifier"].as_i64().expect("identifier"), n)).collect();
    assert_eq!(nodes.len(), stream.nodes.len() - from.0, "identifiers are unique");
    let mut caller = BTreeMap::new();
    for edge in &stream.edges[from.1..] {
        let (source, dest) = (edge["source"].as_i64(), edge["dest"].as_i64());
        let (source, dest) = source.zip(dest).expect("an edge has two ends");
        let kind = (nodes[&source]["subtype"].as_u64(), nodes[&dest]["subtype"].as_u64());
        let expected = if edge["subtype"] == 1 { 2 } else { 3 };
        assert!(matches!(kind, (Some(1 | 2), Some(to)) if to == expected), "{edge}");
        assert_eq!(caller.insert(dest, source), None, "{dest} has two callers");
    }
    let mut heaps = Heaps::new();
    let mut places: BTreeMap<i64, ((u64, i64, String), String)> = BTreeMap::new();
    for (&id, node) in &nodes {
        // Identifiers ascend from roots to frames to rows, callers before callees.
        if node["subtype"] == 1 {
            assert!(!caller.contains_key(&id));
            let allocator = stream.string(&node["chrome"]["allocator"]).unwrap_or_default();
            let key = (snapshot, node["chrome"]["pid"].as_i64().unwrap_or_default(), allocator);
            let mut seen = Seen::default();
            for (name, value) in node["chrome"].as_object().into_iter().flatten() {
                let text = matches!(name.as_str(), "allocator" | "process" | "format");
                let value = stream.string(value).filter(|_| text).map_or(value.clone(), Value::from);
                seen.root.insert(name.clone(), value);
            }
            assert_eq!(heaps.insert(key.clone(), seen), None, "two heaps of one name");
            places.insert(id, (key, String::new()));
            continue;
        }
        let (key, path) = places[&caller[&id]].clone();
        let seen = heaps.get_mut(&key).expect("the root came first");
        if node["subtype"] == 2 {
            let function = stream.string(&node["function"]).unwrap_or_default();
            let path = if path.is_empty() { function } else { format!("{path};{function}") };
            if node["chrome"]["exact"] == false {
                seen.inexact.insert(path.clone());
            }
            seen.frames.insert(path.clone());
            places.insert(id, (key, path));
        } else {
            let class = stream.string(&node["heap"]["class"]);
            let size = number(&node["heap"]["size"]).expect("a size");
            seen.n_rows += 1;
            add(&mut seen.own, (path, class), (size, number(&node["heap"]["count"])));
        }
    }
    for cell in stream.others[from.2..].iter().filter(|o| o["type"] == "chrome.cell") {
        let (key, path) = &places[&cell["frame"].as_i64().expect("a cell has a frame")];
        let seen = heaps.get_mut(key).expect("cells have a heap");
        let class = stream.string(&cell["class"]);
        let amount = (number(&cell["size"]).expect("a size"), number(&cell["count"]));
        seen.n_cells += 1;
        add(&mut seen.cells, (path.clone(), class), amount);
    }
    stream.heaps.append(&mut heaps);
}

/// Reads bytes that must be sound.
fn sound(bytes: &[u8], pick: SnapshotSelector) -> Stream {
    let (text, result) = lines(bytes, pick);
    if let Err(error) = result {
        panic!("{error}");
    }
    parse(&text)
}
