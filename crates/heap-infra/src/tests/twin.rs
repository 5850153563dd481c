//! The reader against a slow, obvious twin that holds the whole trace as a tree of JSON values.

use std::collections::BTreeMap;
use std::fmt::Write;

use heap_record::SnapshotSelector;
use serde_json::{Value, json};

use super::{Amount, Cell, add, data, sound};
use crate::names::type_name;

/// By dump id, process and allocator: own bytes by path and type.
type Own = BTreeMap<(String, i64, String), BTreeMap<Cell, Amount>>;

fn events(text: &str) -> Vec<Value> {
    let parsed = serde_json::from_str::<Value>(text)
        .or_else(|_| serde_json::from_str(&format!("{}]", text.trim_end().trim_end_matches(','))));
    match parsed.expect("a trace") {
        Value::Array(events) => events,
        mut object => match object["traceEvents"].take() {
            Value::Array(events) => events,
            _ => panic!("no events"),
        },
    }
}

fn hex(value: &Value) -> Option<u64> {
    u64::from_str_radix(value.as_str()?, 16).ok()
}

/// Path of a frame of v1; `None` if it is not defined.
fn path_v1(frames: &BTreeMap<String, Value>, leaf: &str) -> Option<String> {
    let mut names = Vec::new();
    let mut at = Some(leaf.to_owned()).filter(|leaf| !leaf.is_empty());
    if let Some(leaf) = &at {
        frames.get(leaf)?;
    }
    while let Some(frame) = at.and_then(|id| frames.get(&id)) {
        names.push(frame["name"].as_str().unwrap_or_default());
        at = frame["parent"].as_str().map(str::to_owned);
    }
    names.reverse();
    Some(names.join(";"))
}

fn v1(
    entries: &[Value],
    frames: &BTreeMap<String, Value>,
    types: Option<&Value>,
) -> Option<BTreeMap<Cell, Amount>> {
    let old = entries.first()?.get("bt").is_none();
    let mut own = BTreeMap::new();
    let other = || Some("<other>".to_owned());
    let mut cells = BTreeMap::<String, (u64, Option<u64>)>::new();
    let mut typed = BTreeMap::<String, u64>::new();
    for entry in entries {
        let size = hex(&entry["size"]).expect("a size");
        let count = entry.get("count").and_then(hex);
        let class = match entry.get("type").and_then(Value::as_str) {
            None => None,
            Some(id) => match types.map(|types| types[id].as_str()) {
                Some(Some(name)) => Some(type_name(name).to_owned()),
                None if !old => Some(format!("type {id}")),
                _ => continue,
            },
        };
        let bt = entry.get("bt").and_then(Value::as_str);
        if old {
            let Some(bt) = bt else {
                if class.is_none() {
                    cells.insert(String::new(), (size, count));
                }
                continue;
            };
            let Some(path) = path_v1(frames, bt) else { continue };
            let path = format!("{path};<self>").trim_start_matches(';').to_owned();
            if let Some(class) = class {
                *typed.entry(path.clone()).or_default() += size;
                add(&mut own, (path, Some(class)), (size, count));
            } else {
                add(&mut own, (path, other()), (size, count));
            }
        } else if let (Some(bt), None) = (bt, class)
            && path_v1(frames, bt).is_some()
        {
            cells.insert(bt.to_owned(), (size, count));
        }
    }
    if old {
        // What is typed is not <other>; what no backtrace accounts for stays at the root.
        for (path, sum) in typed {
            if let Some(whole) = own.get_mut(&(path, other())) {
                *whole = (whole.0 - sum, None);
            }
        }
        own.retain(|_, (size, _)| *size > 0);
        let sum: u64 = own.values().map(|(size, _)| size).sum();
        if let Some((total, _)) = cells.get("").filter(|(total, _)| *total > sum) {
            add(&mut own, (String::new(), other()), (total - sum, None));
        }
        return Some(own);
    }
    let mut rest = cells.clone();
    for (bt, (size, count)) in cells.iter().filter(|(bt, _)| !bt.is_empty()) {
        let parent = frames[bt]["parent"].as_str().filter(|p| frames.contains_key(*p)).unwrap_or("");
        let left = rest.get_mut(parent).expect("parents are never cut off");
        *left = (left.0 - size, left.1.zip(*count).map(|(a, b)| a - b));
    }
    for (bt, (size, count)) in rest {
        if size > 0 || count.is_some_and(|count| count > 0) {
            let path = path_v1(frames, &bt).expect("known");
            add(&mut own, (path, other()), (size, count));
        }
    }
    Some(own)
}

#[derive(Default)]
struct MapsV2 {
    strings: BTreeMap<i64, String>,
    nodes: BTreeMap<i64, Value>,
    types: BTreeMap<i64, i64>,
}

impl MapsV2 {
    fn path(&self, leaf: i64) -> String {
        let mut names = Vec::new();
        let mut at = Some(leaf);
        while let Some(node) = at.and_then(|id| self.nodes.get(&id)) {
            names.push(self.strings[&node["name_sid"].as_i64().expect("a name")].as_str());
            at = node.get("parent").or(node.get("parent_id")).and_then(Value::as_i64);
        }
        names.reverse();
        names.join(";").trim_start_matches(';').to_owned()
    }

    fn apply(&mut self, maps: &Value) {
        let list = |name: &str| maps[name].as_array().cloned().unwrap_or_default();
        let id = |entry: &Value, key: &str| entry[key].as_i64().expect("an id");
        for entry in list("strings") {
            self.strings.insert(id(&entry, "id"), entry["string"].as_str().expect("text").to_owned());
        }
        for entry in list("nodes") {
            self.nodes.insert(id(&entry, "id"), entry);
        }
        for entry in list("types") {
            self.types.insert(id(&entry, "id"), id(&entry, "name_sid"));
        }
    }
}

fn twin(text: &str) -> Own {
    let events = events(text);
    let mut frames = BTreeMap::<i64, BTreeMap<String, Value>>::new();
    let mut types = BTreeMap::<i64, Value>::new();
    let mut dumps = Vec::new();
    for event in &events {
        let pid = event["pid"].as_i64().expect("a process");
        match (event["ph"].as_str(), event["name"].as_str()) {
            (Some("M"), Some("stackFrames")) => {
                for (id, frame) in event["args"]["stackFrames"].as_object().expect("frames") {
                    frames.entry(pid).or_default().insert(id.clone(), frame.clone());
                }
            }
            (Some("M"), Some("typeNames")) => {
                types.entry(pid).or_insert_with(|| event["args"]["typeNames"].clone());
            }
            (Some("v"), _) => {
                let mut dump = event["args"]["dumps"].clone();
                if let Value::String(text) = &dump {
                    dump = serde_json::from_str(text).expect("a dump");
                }
                let id = event["id"].as_str().expect("an id").to_owned();
                dumps.push((event["ts"].as_f64().expect("a time"), pid, id, dump));
            }
            _ => {}
        }
    }
    dumps.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut own = Own::new();
    let mut v2 = BTreeMap::<i64, MapsV2>::new();
    for (_, pid, id, dump) in dumps {
        let none = BTreeMap::new();
        if let Some(heaps) = dump.get("heaps").and_then(Value::as_object) {
            for (allocator, heap) in heaps {
                let entries = heap["entries"].as_array().expect("entries");
                if let Some(heap) = v1(entries, frames.get(&pid).unwrap_or(&none), types.get(&pid)) {
                    own.insert((id.clone(), pid, allocator.clone()), heap);
                }
            }
            continue;
        }
        let Some(heaps) = dump.get("heaps_v2") else { continue };
        let maps = v2.entry(pid).or_default();
        maps.apply(&heaps["maps"]);
        for (allocator, heap) in heaps["allocators"].as_object().expect("allocators") {
            let sums = own.entry((id.clone(), pid, allocator.clone())).or_default();
            let nodes = heap["nodes"].as_array().expect("nodes");
            for (i, node) in nodes.iter().enumerate() {
                let (node, ty, size, count) = match node.as_object() {
                    Some(row) => (&row["node_id"], &row["type_id"], &row["size"], &row["count"]),
                    None => (node, &heap["types"][i], &heap["sizes"][i], &heap["counts"][i]),
                };
                let path = maps.path(node.as_i64().expect("a node"));
                let ty = maps.types[&ty.as_i64().expect("a type")];
                let amount = (size.as_u64().expect("a size"), count.as_u64());
                add(sums, (path, Some(type_name(&maps.strings[&ty]).to_owned())), amount);
            }
        }
    }
    own
}

/// What the reader makes of the same text, all snapshots.
fn reader(text: &str) -> Own {
    let stream = sound(text.as_bytes(), SnapshotSelector::All);
    let mut ids = BTreeMap::new();
    let mut snapshot = 0;
    for (key, value) in &stream.metadata {
        match key.as_str() {
            "heap.snapshot" => snapshot = value.parse().expect("a number"),
            "chrome.dump_id" => {
                ids.insert(snapshot, value.clone());
            }
            _ => {}
        }
    }
    let own = |seen: &super::Seen| {
        let mut own = seen.own.clone();
        if seen.root["format"] == "v1" {
            check_cells(seen);
            // The twin knows nothing of types below the root.
            own = BTreeMap::new();
            for ((path, _), amount) in &seen.own {
                add(&mut own, (path.clone(), Some("<other>".to_owned())), *amount);
            }
        }
        // The twin knows nothing of counts that are unknown because others are.
        for amount in own.values_mut() {
            amount.1 = amount.1.filter(|_| seen.root["format"] == "v2");
        }
        if seen.root["format"] != "v2" {
            own.retain(|_, (size, _)| *size > 0);
        }
        own
    };
    stream.heaps.iter().map(|((n, pid, a), seen)| ((ids[n].clone(), *pid, a.clone()), own(seen))).collect()
}

/// Own values of v1 add up to its cells: by type, and over all.
fn check_cells(seen: &super::Seen) {
    if seen.root.contains_key("inconsistent") {
        return;
    }
    for ((path, class), amount) in seen.cells.iter().filter(|((path, _), _)| path.is_empty()) {
        let rows = seen.own.iter().filter(|((_, ty), _)| class.is_none() || ty == class);
        let counted = seen.cells.values().all(|(_, count)| count.is_some());
        let mut sum = (0, counted.then_some(0));
        for (_, (size, count)) in rows {
            sum = (sum.0 + size, sum.1.map(|sum| sum + count.expect("all cells have counts")));
        }
        assert_eq!(sum, (amount.0, amount.1.filter(|_| counted)), "{path} {class:?}");
    }
}

fn check(text: &str) {
    let mut expected = twin(text);
    let read = reader(text);
    for (key, heap) in &mut expected {
        let v2 = read.get(key).is_some_and(|heap| heap.values().any(|(_, count)| count.is_some()));
        if !v2 {
            for amount in heap.values_mut() {
                amount.1 = None;
            }
            heap.retain(|_, (size, _)| *size > 0);
        }
    }
    assert!(read == expected, "{text}\n{read:?}\n{expected:?}");
}

#[test]
fn files_agree_with_the_twin() {
    for name in [
        "chromium-056-v1.json.gz",
        "chromium-066-v1-pseudo.json.gz",
        "chromium-150-v2-excerpt.json.gz",
        "gen-v2-inc-unclosed.json",
        "gen-v2-rows-string.json.gz",
        "seed-example-v1-cut1024.json",
        "seed-example-v1-cut40.json",
        "seed-example-v1-full-self.json",
        "seed-example-v1-full.json",
        "seed-example-v1-old-cells.json",
        "seed-example-v1-old.json",
        "seed-example-v2.json",
    ] {
        check(&String::from_utf8(data(name)).expect("UTF-8"));
    }
}

/// Numbers that look random.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 8) % n
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

/// A value as text, with members in any order and blanks anywhere.
fn print(value: &Value, numbers: &mut Numbers, out: &mut String) {
    let blank = |numbers: &mut Numbers, out: &mut String| {
        if numbers.chance(5) {
            out.push_str(["\n", " ", "\t", "\r\n  "][numbers.below(4) as usize]);
        }
    };
    match value {
        Value::Object(members) => {
            out.push('{');
            let mut members: Vec<_> = members.iter().collect();
            let n = members.len().max(1) as u64;
            for i in 0..members.len() {
                let j = numbers.below(n) as usize;
                members.swap(i, j);
            }
            for (i, (key, value)) in members.into_iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                blank(numbers, out);
                let _ = write!(out, "{}", Value::from(key.as_str()));
                blank(numbers, out);
                out.push(':');
                blank(numbers, out);
                print(value, numbers, out);
                blank(numbers, out);
            }
            out.push('}');
        }
        Value::Array(list) => {
            out.push('[');
            for (i, value) in list.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                blank(numbers, out);
                print(value, numbers, out);
                blank(numbers, out);
            }
            out.push(']');
        }
        other => {
            let _ = write!(out, "{other}");
        }
    }
}

const NAMES: [&str; 6] = ["main", "a;b \"q\" \\", "é😀", "pc:1f00", "", "Run<T>"];
const KINDS: [&str; 4] =
    ["[unknown]", "const char *WTF::GetStringWithTypeName() [T = blink::Node]", "blink::Node", "\u{1}x"];

/// A recorded table: own sizes and counts by frame and type, and the frames' parents.
struct Table {
    parents: Vec<Option<usize>>,
    cells: Vec<Recorded>,
}

/// Frame (none = the root), type, size, count.
type Recorded = (Option<usize>, usize, u64, u64);

fn table(numbers: &mut Numbers) -> Table {
    let n_frames = numbers.below(12) as usize;
    let parents = (0..n_frames)
        .map(|i| if i == 0 || numbers.chance(30) { None } else { Some(numbers.below(i as u64) as usize) })
        .collect();
    let mut cells = BTreeMap::new();
    for _ in 0..numbers.below(30) {
        let frame = if numbers.chance(15) { n_frames } else { numbers.below(n_frames as u64 + 1) as usize };
        let frame = Some(frame).filter(|&f| f < n_frames);
        cells.insert((frame, numbers.below(4) as usize), (1 + numbers.below(5000), 1 + numbers.below(9)));
    }
    Table { parents, cells: cells.into_iter().map(|((f, t), (s, c))| (f, t, s, c)).collect() }
}

/// Sums at or below every frame (last: the root), of one type or of all.
fn sums(table: &Table, class: Option<usize>) -> Vec<(u64, u64)> {
    let root = table.parents.len();
    let mut sums = vec![(0, 0); root + 1];
    for &(frame, ty, size, count) in
        table.cells.iter().filter(|cell| class.is_none_or(|class| class == cell.1))
    {
        let mut at = frame;
        loop {
            let sum: &mut (u64, u64) = &mut sums[at.unwrap_or(root)];
            *sum = (sum.0 + size, sum.1 + count);
            let Some(frame) = at else { break };
            at = table.parents[frame];
        }
        assert!(ty < 4);
    }
    sums
}

fn entries(table: &Table, old: bool, numbers: &mut Numbers) -> Vec<Value> {
    let root = table.parents.len();
    let bt = |frame: usize| if frame == root { String::new() } else { format!("f{frame}") };
    let all = sums(table, None);
    let mut entries = Vec::new();
    if old {
        entries.push(json!({"size": format!("{:x}", all[root].0)}));
        let with_cells = numbers.chance(50);
        let mut own = BTreeMap::<usize, u64>::new();
        for &(frame, ty, size, _) in &table.cells {
            *own.entry(frame.unwrap_or(root)).or_default() += size;
            if with_cells {
                let bt = bt(frame.unwrap_or(root));
                entries.push(json!({"bt": bt, "size": format!("{size:x}"), "type": ty.to_string()}));
            }
        }
        for (frame, size) in own {
            entries.push(json!({"bt": bt(frame), "size": format!("{size:x}")}));
        }
        return entries;
    }
    let least = [1, 40, 1000][numbers.below(3) as usize];
    let counts = numbers.chance(50);
    for class in [None, Some(0), Some(1), Some(2), Some(3)] {
        for (frame, (size, count)) in sums(table, class).into_iter().enumerate() {
            let is_root = frame == root && class.is_none();
            if !is_root && size < least {
                continue;
            }
            let mut entry = json!({"bt": bt(frame), "size": format!("{size:x}")});
            if counts {
                entry["count"] = format!("{count:x}").into();
            }
            if let Some(class) = class {
                entry["type"] = class.to_string().into();
            }
            entries.push(entry);
        }
    }
    // The root comes first with bt; the rest may come in any order.
    entries.sort_by_key(|e| e["bt"] != "" || e.get("type").is_some());
    entries
}

/// A trace of a few processes and dumps, of one format per process.
fn trace(numbers: &mut Numbers) -> String {
    let mut events = Vec::new();
    let n_dumps = 1 + numbers.below(4);
    for pid in 1..=1 + numbers.below(3) {
        let kind = numbers.below(4);
        let table = table(numbers);
        let frame = |i: usize| NAMES[(i * 7 + pid as usize) % NAMES.len()];
        let name = |i: usize| format!("{}{i}", frame(i));
        let mut dumps = Vec::new();
        for dump in 1..=n_dumps {
            let ts = numbers.below(40);
            dumps.push((ts, dump));
        }
        // Incremental dictionaries go by time.
        dumps.sort_unstable();
        let mut applied = 0;
        for (nth, (ts, dump)) in dumps.into_iter().enumerate() {
            let mut event = json!({"ph": "v", "pid": pid, "id": format!("{dump:#x}"), "ts": ts * 8 + pid, "name": "x", "cat": "y"});
            let mut dumps = json!({"level_of_detail": "detailed", "other": {"heaps": [1, "]"]}});
            if kind < 2 {
                let entries = entries(&table, kind == 1, numbers);
                dumps["heaps"] = json!({"malloc": {"entries": entries}, "none": {"entries": []}});
            } else {
                let complete = kind == 2;
                let shift = if complete { nth as u64 * 5 } else { 0 };
                let row = |frame: Option<usize>| frame.map_or(-1, |f| 2 * f as i64 + 7);
                let column =
                    |f: &dyn Fn(&Recorded) -> Value| -> Vec<Value> { table.cells.iter().map(f).collect() };
                let mut upto = table.parents.len();
                if !complete && dump != n_dumps && nth == 0 {
                    upto = upto.min(3);
                }
                let rows: Vec<_> = table.cells.iter().filter(|c| c.0.is_none_or(|f| f < upto)).collect();
                let from = if complete { 0 } else { applied };
                let nodes: Vec<Value> = (from..upto)
                    .map(|i| {
                        let mut node = json!({"id": 2 * i + 7, "name_sid": 3 * i + 100});
                        if let Some(parent) = table.parents[i] {
                            node["parent"] = (2 * parent + 7).into();
                        }
                        node
                    })
                    .collect();
                applied = applied.max(upto);
                let mut strings: Vec<Value> =
                    (from..upto).map(|i| json!({"id": 3 * i + 100, "string": name(i)})).collect();
                let n_types = 4;
                strings.extend((0..n_types).map(|i| json!({"id": i, "string": KINDS[i as usize]})));
                // The same type ids mean something else in every dump.
                let types: Vec<Value> =
                    (0..n_types).map(|i| json!({"id": i, "name_sid": (i + shift) % n_types})).collect();
                let malloc = if numbers.chance(30) {
                    let rows: Vec<Value> = rows
                        .iter()
                        .map(|c| json!({"node_id": row(c.0), "type_id": c.1, "size": c.2, "count": c.3}))
                        .collect();
                    json!({"nodes": rows})
                } else if rows.len() == table.cells.len() {
                    json!({
                        "nodes": column(&|c| row(c.0).into()),
                        "types": column(&|c| c.1.into()),
                        "sizes": column(&|c| c.2.into()),
                        "counts": column(&|c| c.3.into()),
                    })
                } else {
                    json!({"nodes": [], "types": [], "sizes": [], "counts": []})
                };
                dumps["heaps_v2"] = json!({
                    "version": 1,
                    "maps": {"strings": strings, "nodes": nodes, "types": types},
                    "allocators": {"malloc": malloc},
                });
            }
            if numbers.chance(20) {
                let mut text = String::new();
                print(&dumps, numbers, &mut text);
                dumps = text.into();
            }
            event["args"] = json!({ "dumps": dumps });
            events.push(event);
        }
        if kind < 2 {
            let frames: serde_json::Map<_, _> = table
                .parents
                .iter()
                .enumerate()
                .map(|(i, parent)| {
                    let mut frame = json!({"name": name(i)});
                    if let Some(parent) = parent {
                        frame["parent"] = format!("f{parent}").into();
                    }
                    (format!("f{i}"), frame)
                })
                .collect();
            let types: serde_json::Map<_, _> =
                KINDS.iter().enumerate().map(|(i, kind)| (i.to_string(), Value::from(*kind))).collect();
            events
                .push(json!({"ph": "M", "pid": pid, "name": "stackFrames", "args": {"stackFrames": frames}}));
            if kind == 1 || numbers.chance(80) {
                events
                    .push(json!({"ph": "M", "pid": pid, "name": "typeNames", "args": {"typeNames": types}}));
            }
        }
        events.push(
            json!({"ph": "X", "pid": pid, "name": "noise", "args": {"dumps": {"heaps": {"malloc": 7}}}}),
        );
    }
    for i in 0..events.len() {
        let j = numbers.below(events.len() as u64) as usize;
        events.swap(i, j);
    }
    let mut text = String::new();
    if numbers.chance(50) {
        print(&json!({"traceEvents": events, "metadata": {"x": [1]}}), numbers, &mut text);
    } else {
        print(&Value::from(events), numbers, &mut text);
        let cut = text.len() - usize::from(numbers.chance(50));
        text.truncate(cut);
    }
    text
}

#[test]
fn random_traces_agree_with_the_twin() {
    for seed in 1..1500 {
        let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed));
        let text = trace(&mut numbers);
        check(&text);
    }
}
