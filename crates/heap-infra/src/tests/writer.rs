//! The writer: what was read comes back, cells are those of the proposal, and odd streams make sound traces.
#![allow(clippy::format_push_string, reason = "text for tests is small")]

use std::collections::{BTreeMap, BTreeSet};

use heap_base::Cutoff;
use heap_record::{Sink, SnapshotSelector, Target};
use serde_json::Value;

use super::{data, lines};
use crate::writer::{Config, writer};

const V1: Config = Config { v1: true, cut: Cutoff::None, selves: false };
const V2: Config = Config { v1: false, cut: Cutoff::None, selves: false };

/// A stream as a trace, and what was left out.
fn written(stream: &str, config: Config) -> (Vec<u8>, Vec<(String, u64)>) {
    let mut writer = writer(Vec::new(), config);
    // An end mark needs a head.
    let head = "{\"type\":\"metadata\",\"key\":\"version_major\",\"value\":\"1\"}\n";
    let stream = [if stream.contains("heap.end") { head } else { "" }, stream].concat();
    heap_record::read::read(stream.as_bytes(), SnapshotSelector::All, &mut writer).expect("a stream");
    writer.finish(true).expect("memory takes all");
    let left = writer.left_out().iter().map(|(kind, n)| (kind.to_owned(), n)).collect();
    (writer.into_inner(), left)
}

fn stream(name: &str, pick: SnapshotSelector) -> String {
    lines(&data(name), pick).0
}

/// Size and count by path of frames and type, which is empty for all types.
type Entries = BTreeMap<(String, String), (u64, Option<u64>)>;

/// A trace as cells (path of frames and type; size and count), by process, dump and allocator. Checks what every
/// reader asks for.
fn cells(trace: &[u8]) -> BTreeMap<(i64, String, String), Entries> {
    let trace: Value = serde_json::from_slice(trace).expect("a trace is JSON");
    let events = trace["traceEvents"].as_array().expect("events");
    let dictionary = |pid: &Value, name: &str| {
        let found: Vec<_> = events.iter().filter(|e| e["name"] == name && e["pid"] == *pid).collect();
        assert_eq!(found.len(), 1, "one {name} a process");
        found[0]["args"][name].clone()
    };
    let mut dumps = BTreeMap::new();
    for event in events.iter().filter(|e| e["ph"] == "v") {
        assert_eq!(event["cat"], "disabled-by-default-memory-infra");
        let (frames, types) =
            (dictionary(&event["pid"], "stackFrames"), dictionary(&event["pid"], "typeNames"));
        for (allocator, heap) in event["args"]["dumps"]["heaps"].as_object().expect("heaps") {
            let mut found = BTreeMap::new();
            for entry in heap["entries"].as_array().expect("entries") {
                let mut path = Vec::new();
                let mut at = entry["bt"].as_str().expect("an entry has a bt");
                while !at.is_empty() {
                    path.push(frames[at]["name"].as_str().expect("a frame has a name"));
                    at = frames[at]["parent"].as_str().unwrap_or("");
                }
                path.reverse();
                let ty = entry.get("type").map(|ty| {
                    types[ty.as_str().expect("text")].as_str().expect("a type has a name").to_owned()
                });
                let hex = |value: &Value| u64::from_str_radix(value.as_str()?, 16).ok();
                let value = (hex(&entry["size"]).expect("a size"), hex(&entry["count"]));
                let old = found.insert((path.join(";"), ty.unwrap_or_default()), value);
                assert_eq!(old, None, "one entry a cell");
            }
            let key = (event["pid"].as_i64().expect("a pid"), event["id"].to_string(), allocator.clone());
            assert_eq!(dumps.insert(key, found), None, "one heap dump a process");
        }
    }
    dumps
}

#[test]
fn what_was_read_comes_back() {
    for (name, config) in [
        ("chromium-150-v2-excerpt.json.gz", V2),
        ("gen-v2-inc-unclosed.json", V2),
        ("gen-v2-rows-string.json.gz", V2),
        ("quirks-v2.json", V2),
        ("seed-example-v2.json", V2),
        ("chromium-056-v1.json.gz", V1),
        ("chromium-066-v1-pseudo.json.gz", V1),
        ("seed-example-v1-cut1024.json", V1),
        ("seed-example-v1-cut40.json", V1),
        ("seed-example-v1-full-self.json", V1),
        ("seed-example-v1-full.json", V1),
    ] {
        for pick in [SnapshotSelector::All, SnapshotSelector::Last, SnapshotSelector::Number(0)] {
            let before = stream(name, pick);
            let (trace, left) = written(&before, config);
            assert_eq!(left, [], "{name}");
            let again = if pick == SnapshotSelector::All { pick } else { SnapshotSelector::Last };
            let (after, result) = lines(&trace, again);
            result.unwrap_or_else(|e| panic!("{name}: {e}"));
            assert!(before == after, "{name} {pick:?}");
        }
    }
}

#[test]
fn what_a_trace_cannot_hold_is_counted() {
    let (trace, left) = written(&stream("quirks-v1.json", SnapshotSelector::All), V1);
    let expected = [("warnings of the source", 2), ("chrome.skipped", 3)];
    assert_eq!(left, expected.map(|(kind, n)| (kind.to_owned(), n)));
    let left_out = |text: &str| {
        let gone = |line: &&str| !line.contains("chrome.warning");
        text.lines().filter(gone).map(|l| l.replace(",\"skipped\":3", "") + "\n").collect::<String>()
    };
    assert_eq!(
        left_out(&stream("quirks-v1.json", SnapshotSelector::All)),
        lines(&trace, SnapshotSelector::All).0
    );
    let (_, left) = written(&stream("seed-example-v1-cut40.json", SnapshotSelector::Last), V2);
    let expected = [("chrome.cell records", 20), ("unknown counts (written as 0)", 20)];
    assert_eq!(left, expected.map(|(kind, n)| (kind.to_owned(), n)));
}

/// The worked example comes back to its table from own values, from the previous format and from its own cells.
#[test]
fn the_worked_example_is_broken_down_as_the_proposal_has_it() {
    let sizes = |trace: &[u8]| -> BTreeMap<(String, String), u64> {
        let mut heaps = cells(trace);
        assert_eq!(heaps.len(), 1);
        let (_, heap) = heaps.pop_first().expect("one heap");
        heap.into_iter().map(|(cell, (size, _))| (cell, size)).collect()
    };
    let example = |name: &str, config| sizes(&written(&stream(name, SnapshotSelector::Last), config).0);
    let full = example("seed-example-v2.json", V1);
    let top = |ty: &str| full[&(String::new(), ty.to_owned())];
    assert_eq!(["", "T", "U", "V", "W"].map(top), [1538, 698, 39, 340, 461]);
    assert_eq!(
        [full[&("BrMain".into(), String::new())], full[&("RdMain".into(), String::new())]],
        [876, 628]
    );

    let given = |name: &str| sizes(&data(name));
    assert_eq!(full, given("seed-example-v1-full.json"));
    assert_eq!(example("seed-example-v1-old-cells.json", V1), full);
    let selves = Config { selves: true, ..V1 };
    assert_eq!(example("seed-example-v2.json", selves), given("seed-example-v1-full-self.json"));
    assert_eq!(example("seed-example-v1-old-cells.json", selves), given("seed-example-v1-full-self.json"));
    let cuts = (40..=83)
        .map(Cutoff::Threshold)
        .chain((5..=8).flat_map(|n| [Cutoff::Ratio(1, n), Cutoff::Share(1, n)]));
    for cut in cuts {
        for name in ["seed-example-v2.json", "seed-example-v1-old-cells.json", "seed-example-v1-full.json"] {
            assert_eq!(
                example(name, Config { cut, ..V1 }),
                given("seed-example-v1-cut40.json"),
                "{name} {cut:?}"
            );
        }
        assert_eq!(
            example("seed-example-v2.json", Config { cut, ..selves }),
            given("seed-example-v1-cut40.json")
        );
    }
    for (cut, cells, with_selves) in [
        (Cutoff::Threshold(39), 21, 21),
        (Cutoff::Threshold(84), 19, 19),
        (Cutoff::Threshold(1024), 1, 1),
        (Cutoff::Ratio(1, 125), 44, 59),
    ] {
        assert_eq!(example("seed-example-v2.json", Config { cut, ..V1 }).len(), cells, "{cut:?}");
        assert_eq!(example("seed-example-v2.json", Config { cut, ..selves }).len(), with_selves, "{cut:?}");
    }
}

/// Own values: path, type, bytes.
type Own = Vec<(Vec<u8>, u8, u64)>;

/// Every cell by definition, then the break-down of the proposal step by step.
fn twin(own: &Own, cut: Cutoff) -> BTreeMap<(String, String), u64> {
    let value = |path: &[u8], ty: Option<u8>| -> u64 {
        let fits = |(p, t, _): &&(Vec<u8>, u8, u64)| p.starts_with(path) && ty.is_none_or(|ty| ty == *t);
        own.iter().filter(fits).map(|(.., n)| n).sum()
    };
    let mut found = BTreeSet::new();
    let mut tasks = vec![(Vec::new(), None)];
    while let Some((path, ty)) = tasks.pop() {
        if !found.insert((path.clone(), ty)) {
            continue;
        }
        let below: BTreeSet<Vec<u8>> = own
            .iter()
            .filter(|(p, ..)| p.starts_with(&path) && p.len() > path.len())
            .map(|(p, ..)| p[..=path.len()].to_vec())
            .collect();
        let types =
            if ty.is_none() { (0..8).map(|ty| (path.clone(), Some(ty))).collect() } else { Vec::new() };
        for list in [below.into_iter().map(|p| (p, ty)).collect(), types] {
            let mut list: Vec<_> =
                list.into_iter().map(|(p, t)| (value(&p, t), p, t)).filter(|c| c.0 > 0).collect();
            list.sort_by_key(|cell| std::cmp::Reverse(cell.0));
            let kept = cut.keep(value(&[], None), value(&path, ty), list.iter().map(|c| c.0));
            tasks.extend(list.into_iter().take(kept).map(|(_, p, t)| (p, t)));
        }
    }
    let text = |path: &[u8]| path.iter().map(|f| format!("f{f}")).collect::<Vec<_>>().join(";");
    let ty = |ty: Option<u8>| ty.map_or_else(String::new, |ty| format!("T{ty}"));
    found.into_iter().map(|(p, t)| ((text(&p), ty(t)), value(&p, t))).collect()
}

/// A stream with these own values, and paths given by one digit a frame.
fn table(own: &Own) -> String {
    let mut out = String::from(
        "{\"type\":\"metadata\",\"key\":\"version_major\",\"value\":\"1\"}\n\
         {\"type\":\"node_type\",\"nodetypeid\":1,\"name\":\"heap.root\"}\n\
         {\"type\":\"node_type\",\"nodetypeid\":2,\"name\":\"heap.frame\",\"fields\":{\"function\":\"string\"}}\n\
         {\"type\":\"node_type\",\"nodetypeid\":3,\"name\":\"heap.allocation\"}\n\
         {\"type\":\"edge_type\",\"edgetypeid\":1,\"name\":\"heap.calls\"}\n\
         {\"type\":\"edge_type\",\"edgetypeid\":2,\"name\":\"heap.allocated\"}\n",
    );
    for i in 0..8 {
        out += &format!("{{\"type\":\"string\",\"stringid\":{i},\"data\":\"f{i}\"}}\n");
        out += &format!("{{\"type\":\"string\",\"stringid\":{},\"data\":\"T{i}\"}}\n", 100 + i);
    }
    let mut ids: BTreeMap<Vec<u8>, usize> = BTreeMap::from([(Vec::new(), 1)]);
    out += "{\"type\":\"node\",\"subtype\":1,\"identifier\":1}\n";
    let (mut nodes, mut edges) = (String::new(), String::new());
    let mut next = 3;
    for (path, ty, size) in own {
        for end in 1..=path.len() {
            if !ids.contains_key(&path[..end]) {
                let name = path[end - 1];
                nodes += &format!(
                    "{{\"type\":\"node\",\"subtype\":2,\"identifier\":{next},\"function\":{name}}}\n"
                );
                let above = ids[&path[..end - 1]];
                edges += &format!("{{\"type\":\"edge\",\"subtype\":1,\"source\":{above},\"dest\":{next}}}\n");
                ids.insert(path[..end].to_vec(), next);
                next += 2;
            }
        }
        let heap = format!("{{\"size\":{size},\"class\":{},\"count\":1}}", 100 + u32::from(*ty));
        nodes += &format!("{{\"type\":\"node\",\"subtype\":3,\"identifier\":{next},\"heap\":{heap}}}\n");
        edges += &format!("{{\"type\":\"edge\",\"subtype\":2,\"source\":{},\"dest\":{next}}}\n", ids[path]);
        next += 2;
    }
    // Edges before nodes are as good.
    if own.len().is_multiple_of(2) { out + &edges + &nodes } else { out + &nodes + &edges }
}

#[test]
fn the_break_down_is_that_of_a_slow_twin() {
    let mut state = 7u64;
    let mut random = move |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    for round in 0..300 {
        let own: Own = (0..random(40))
            .map(|_| {
                let path = (0..random(5)).map(|_| random(3) as u8).collect();
                // Sizes that are all different, so that no order of equals matters.
                (path, random(4) as u8, 1 << random(20) | 1)
            })
            .collect();
        let total: u64 = own.iter().map(|(.., n)| n).sum();
        let cut = match round % 5 {
            0 => Cutoff::None,
            1 => Cutoff::Threshold(random(1000)),
            2 => Cutoff::Share(1, 1 + random(9)),
            3 => Cutoff::Total(1, 1 + random(50)),
            _ => Cutoff::Threshold(total / 10),
        };
        let (trace, left) = written(&table(&own), Config { cut, ..V1 });
        assert_eq!(left, []);
        let mut heaps = cells(&trace);
        let found = heaps.pop_first().map(|(_, heap)| heap).unwrap_or_default();
        let found: BTreeMap<_, _> = found.into_iter().map(|(cell, (size, _))| (cell, size)).collect();
        let mut expected = twin(&own, cut);
        if own.is_empty() {
            expected = BTreeMap::from([((String::new(), String::new()), 0)]);
        }
        assert_eq!(found, expected, "{cut:?} {own:?}");
        // The same table as own values adds up to the same.
        let (trace, _) = written(&table(&own), V2);
        let (text, result) = lines(&trace, SnapshotSelector::Last);
        result.expect("a sound trace");
        let sum: u64 = super::parse(&text).heaps.values().map(super::Seen::total).sum();
        assert_eq!(sum, total);
    }
}

/// A heap snapshot has no stacks: one frame, a row for each class.
#[test]
fn objects_are_added_up_by_class() {
    let stream = "{\"type\":\"metadata\",\"key\":\"version_major\",\"value\":\"1\"}\n\
        {\"type\":\"metadata\",\"key\":\"target_source\",\"value\":\"x.dump\"}\n\
        {\"type\":\"node_type\",\"nodetypeid\":1,\"name\":\"object\"}\n\
        {\"type\":\"edge_type\",\"edgetypeid\":1,\"name\":\"object property\"}\n\
        {\"type\":\"string\",\"stringid\":1,\"data\":\"A\"}\n\
        {\"type\":\"node\",\"subtype\":1,\"identifier\":1,\"heap\":{\"size\":8,\"class\":1,\"external\":100}}\n\
        {\"type\":\"node\",\"subtype\":1,\"identifier\":3,\"heap\":{\"size\":9,\"class\":1,\"count\":4}}\n\
        {\"type\":\"node\",\"subtype\":1,\"identifier\":5,\"heap\":{\"size\":3}}\n\
        {\"type\":\"edge\",\"subtype\":1,\"source\":1,\"dest\":3}\n";
    let (trace, left) = written(stream, V2);
    let expected = [("nodes by themselves (added up by class)", 3), ("edges", 1)];
    assert_eq!(left, expected.map(|(kind, n)| (kind.to_owned(), n)));
    let parsed = super::parse(&lines(&trace, SnapshotSelector::Last).0);
    let own = |allocator: &str| parsed.heap(1, allocator).own.clone();
    let row = |ty: &str, size, count| (("x.dump".to_owned(), Some(ty.to_owned())), (size, Some(count)));
    assert_eq!(own("heap"), BTreeMap::from([row("(object)", 3, 1), row("A", 17, 5)]));
    // Outside the heap one of five has bytes.
    assert_eq!(own("external"), BTreeMap::from([row("A", 100, 1)]));
    // Two inputs are two dumps.
    let (trace, _) = written(&(stream.to_owned() + stream), V1);
    assert_eq!(cells(&trace).keys().map(|(_, id, _)| id.as_str()).collect::<BTreeSet<_>>().len(), 2);
}

/// Streams whose frames call each other in a circle, lack their nodes, or say a thing twice.
#[test]
fn odd_streams_make_sound_traces() {
    let head = table(&vec![(vec![1, 2], 3, 40)]);
    let odd = [
        r#"{"type":"edge","subtype":1,"source":5,"dest":3}"#,
        r#"{"type":"edge","subtype":1,"source":3,"dest":3}"#,
        r#"{"type":"edge","subtype":2,"source":99,"dest":7}"#,
        r#"{"type":"edge","subtype":1,"source":1}"#,
        r#"{"type":"node","subtype":2,"identifier":3,"function":77}"#,
        r#"{"type":"node","subtype":2,"identifier":9,"chrome":{"pid":-4,"allocator":1,"frame_id":0}}"#,
        r#"{"type":"chrome.cell","frame":99,"size":5}"#,
        r#"{"type":"chrome.cell","frame":3,"class":1,"size":5}"#,
        r#"{"type":"chrome.type","pid":1}"#,
        r#"{"type":"chrome.total","allocator":1,"attribute":2}"#,
        r#"{"type":"chrome.region","file":1}"#,
        r#"{"type":"chrome.dump","pid":1,"ts":"NaN","dump_id":1}"#,
        r#"{"type":"x.y"}"#,
        r#"{"type":"metadata","key":"heap.snapshot","value":"1"}"#,
    ];
    for line in odd {
        for config in [V1, V2, Config { cut: Cutoff::Ratio(1, 9), selves: true, ..V1 }] {
            // Cells are written as they come.
            let twice = if line.contains("chrome.cell") { String::new() } else { format!("{line}\n") };
            let text = format!("{head}{line}\n{twice}");
            let (trace, _) = written(&text, config);
            let (_, result) = lines(&trace, SnapshotSelector::All);
            result.unwrap_or_else(|e| panic!("{line}: {e}\n{}", String::from_utf8_lossy(&trace)));
            if config.v1 {
                cells(&trace);
            }
        }
    }
    assert_eq!(written("", V2).0, b"");
    let empty = "{\"type\":\"metadata\",\"key\":\"version_major\",\"value\":\"1\"}\n";
    assert!(serde_json::from_slice::<Value>(&written(empty, V1).0).is_ok());
}

/// A chain of a hundred thousand frames is no deeper than any other.
#[test]
fn deep_stacks_are_no_trouble() {
    let mut text = table(&vec![(vec![1], 1, 1)]);
    for i in 0..100_000 {
        let id = 101 + 2 * i;
        let above = if i == 0 { 3 } else { id - 2 };
        text += &format!("{{\"type\":\"node\",\"subtype\":2,\"identifier\":{id},\"function\":2}}\n");
        text += &format!("{{\"type\":\"edge\",\"subtype\":1,\"source\":{above},\"dest\":{id}}}\n");
    }
    text += "{\"type\":\"node\",\"subtype\":3,\"identifier\":99,\"heap\":{\"size\":5,\"class\":101}}\n";
    text += "{\"type\":\"edge\",\"subtype\":2,\"source\":200099,\"dest\":99}\n";
    let cut = Config { cut: Cutoff::Threshold(6), ..V1 };
    assert_eq!(cells(&written(&text, cut).0).into_values().map(|heap| heap.len()).sum::<usize>(), 4);
    let (trace, _) = written(&text, V2);
    lines(&trace, SnapshotSelector::Last).1.expect("a sound trace");
}
