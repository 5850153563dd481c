//! What real and legal files do now and then.

use heap_base::Blob;
use heap_record::{Fact, SnapshotSelector};

use super::{Stream, data, lines, sound};

fn own(stream: &Stream, snapshot: u64, pid: i64, allocator: &str) -> Vec<String> {
    let seen = &stream.heaps[&(snapshot, pid, allocator.to_owned())];
    seen.own
        .iter()
        .map(|((path, class), (size, count))| {
            let count = count.map_or("-".to_owned(), |count| count.to_string());
            format!("{path} | {} | {size} | {count}", class.as_deref().unwrap_or("-"))
        })
        .collect()
}

#[test]
fn quirks_of_v1() {
    let stream = sound(&data("quirks-v1.json"), SnapshotSelector::All);
    assert_eq!(stream.metadata("heap.snapshot"), ["0", "1"]);
    assert_eq!(stream.metadata("chrome.dump_id"), ["0x2", "0x1"], "by time, not by id or place");
    assert_eq!(stream.metadata("chrome.ts"), ["10", "20.5"]);
    assert_eq!(
        stream.metadata("chrome.warning"),
        [
            "process 7: typeNames given more than once, the first counts",
            "process 7: allocator winheap has no entries, left out"
        ]
    );
    assert_eq!(stream.heaps.len(), 3);
    assert_eq!(own(&stream, 0, 7, "malloc"), [" | <other> | 32 | -"]);
    let root = "root \"q\" \\ é😀";
    assert_eq!(
        own(&stream, 1, 7, "malloc"),
        [
            format!(" | <other> | {} | -", 0xff_ffff_ffff_u64 - 0xbb - 0x11 - 0x1c0),
            " | blink::Event | 128 | -".to_owned(),
            " | blink::Node | 256 | -".to_owned(),
            " | class v8::Value | 64 | -".to_owned(),
            "orphan | <other> | 17 | -".to_owned(),
            format!("{root} | <other> | 17 | -"),
            format!("{root};leaf;semi | <other> | 170 | -"),
        ]
    );
    let seen = &stream.heaps[&(1, 7, "malloc".to_owned())];
    assert_eq!(seen.root["skipped"], 3, "unknown frame, unknown type, no bt");
    let typed: Vec<_> =
        seen.cells.iter().filter_map(|((_, c), (size, _))| Some((c.as_deref()?, *size))).collect();
    assert_eq!(typed, [("blink::Event", 0x80), ("blink::Node", 0x100), ("class v8::Value", 0x40)]);
    // The root entry is missing: the larger of the sums, by frame or by type, is a lower bound.
    let seen = &stream.heaps[&(1, 8, "malloc".to_owned())];
    assert_eq!((seen.total(), &seen.root["exact"]), (0x1800, &false.into()));
    assert!(seen.inexact.is_empty());
    let typed = ["other::process | <other> | 2048 | -", "other::process | other::Type | 4096 | -"];
    assert_eq!(own(&stream, 1, 8, "malloc"), typed);
}

#[test]
fn quirks_of_v2() {
    let bytes = data("quirks-v2.json");
    let stream = sound(&bytes, SnapshotSelector::All);
    assert_eq!(stream.metadata("chrome.dump_id"), ["0x1", "0x2", "0x3"]);
    assert_eq!(
        own(&stream, 0, 1, "malloc"),
        [" | int | 35 | 5", "main | int | 20 | 0", "main;foo | int | 10 | 1"],
        "node 0 and node -1 are the root; count 0 stays 0"
    );
    assert_eq!(stream.heaps[&(0, 1, "partition_alloc".to_owned())].n_rows, 0);
    assert_eq!(own(&stream, 0, 2, "malloc"), ["other | T2 | 700 | 7"], "ids of another process");
    assert_eq!(
        own(&stream, 1, 1, "malloc"),
        [" | char | 1 | 1", "main;bar | char | 9007199254740993 | 1", "main;foo | char | 10 | 1"],
        "frames of the dump before, a type of its own"
    );
    assert_eq!(stream.heaps[&(1, 1, "malloc".to_owned())].root["unresolved"], 1);
    assert_eq!(own(&stream, 2, 1, "malloc"), ["main;bar | char | 64 | 1"], "a dump that is text");
    assert_eq!(stream.heaps[&(2, 1, "malloc".to_owned())].root["process"], "Renderer");
    for snapshot in 0..3 {
        let alone = sound(&bytes, SnapshotSelector::Number(snapshot));
        for ((_, pid, allocator), seen) in &alone.heaps {
            assert_eq!(seen, &stream.heaps[&(snapshot, *pid, allocator.clone())], "{snapshot}");
        }
        assert_eq!(alone.metadata("chrome.snapshot"), [snapshot.to_string()]);
        assert_eq!(alone.metadata("chrome.snapshots"), ["3"]);
    }
}

#[test]
fn picking_what_is_not_there() {
    let bytes = data("quirks-v2.json");
    let refused = |bytes: &[u8], pick| lines(bytes, pick).1.expect_err("refused").to_string();
    assert_eq!(refused(&bytes, SnapshotSelector::Number(3)), "no snapshot 3: the file has 0 to 2");
    let none = "the trace has no heap dumps, only a browser that profiles its heap writes them";
    assert_eq!(refused(b"[]", SnapshotSelector::Last), none);
    assert_eq!(refused(br#"{"traceEvents":[{"ph":"X"}]}"#, SnapshotSelector::All), none);
    assert_eq!(refused(b"", SnapshotSelector::Last), "byte 0: expected a trace, an object or an array");
    assert_eq!(refused(b"[{\"ph\":", SnapshotSelector::Last), "byte 7: the input ends early");
}

/// An event with this content of `dumps`.
fn v2(rows: &str) -> String {
    format!(
        r#"[{{"ph":"v","pid":1,"ts":1,"args":{{"dumps":{{"heaps_v2":{{"maps":{{
        "strings":[{{"id":1,"string":"f"}},{{"id":2,"string":"g"}},{{"id":3,"string":"T"}}],
        "nodes":[{{"id":1,"name_sid":1,"parent_id":0}},{{"id":2,"name_sid":2,"parent":1}}],
        "types":[{{"id":7,"name_sid":3}}]}},"allocators":{{"m":{rows}}}}}}}}}}}]"#
    )
}

#[test]
fn rows_of_v2_in_other_shapes() {
    for (rows, expected) in [
        (
            r#"{"nodes":[2,1],"bytes":[5,6],"objects":[1,2],"types":[7,7]}"#,
            &["f | T | 6 | 2", "f;g | T | 5 | 1"][..],
        ),
        (r#"{"nodes":[2,1],"sizes":[5,6]}"#, &["f | - | 6 | -", "f;g | - | 5 | -"]),
        (r#"{"nodes":[2,1],"sizes":[5,6],"counts":[1],"types":[7]}"#, &["f | - | 6 | -", "f;g | T | 5 | 1"]),
        (
            r#"{"nodes":[{"node_id":2,"size":5,"count":1,"type_id":7},{"size":4}]}"#,
            &[" | - | 4 | -", "f;g | T | 5 | 1"],
        ),
        (
            r#"{"nodes":[18446744073709551615,0],"sizes":[5,6.0],"types":[7,8]}"#,
            &[" | T | 5 | -", " | type 8 | 6 | -"],
        ),
        (
            r#"{"nodes":[2,1,1],"sizes":[1.5e3,-1,2e9],"types":[7,7,7]}"#,
            &["f | T | 2000000000 | -", "f;g | T | 1500 | -"],
        ),
    ] {
        let stream = sound(v2(rows).as_bytes(), SnapshotSelector::Last);
        assert_eq!(own(&stream, 0, 1, "m"), expected, "{rows}");
    }
    let short = sound(v2(r#"{"nodes":[2,1],"sizes":[5]}"#).as_bytes(), SnapshotSelector::Last);
    assert_eq!(short.heap(1, "m").root["skipped"], 1);
    let stream =
        sound(v2(r#"{"nodes":[2],"sizes":[5]},"version":9,"n":{}"#).as_bytes(), SnapshotSelector::Last);
    assert_eq!(
        stream.heap(1, "m").total(),
        5,
        "the version beside the maps counts, not one among the allocators"
    );
    let strange = v2(r#"{"nodes":[2],"sizes":[5]}"#).replace("\"maps\"", "\"version\":2,\"maps\"");
    let stream = sound(strange.as_bytes(), SnapshotSelector::Last);
    assert_eq!(stream.metadata("chrome.warning"), ["process 1: heaps_v2 of version 2, not 1, left out"]);
    assert!(stream.heaps.is_empty());
}

#[test]
fn v1_without_its_dictionaries() {
    let event = |entries: &str| {
        format!(
            r#"[{{"ph":"V","pid":"9","id":3,"ts":1,"args":{{"dumps":{{"heaps":{{"m":{{"entries":[{entries}]}}}}}}}}}}]"#
        )
    };
    let text = event(r#"{"bt":"","size":"64"},{"bt":"","size":"32","type":"4"},{"bt":"5","size":"10"}"#);
    let stream = sound(text.as_bytes(), SnapshotSelector::Last);
    assert_eq!(stream.metadata("chrome.dump_id"), ["0x3"]);
    assert_eq!(own(&stream, 0, 9, "m"), [" | <other> | 50 | -", " | type 4 | 50 | -"]);
    let seen = stream.heap(9, "m");
    assert_eq!(seen.cells[&(String::new(), Some("type 4".to_owned()))].0, 50, "nothing but the name is lost");
    assert_eq!(seen.root["skipped"], 1);
    // The previous format drops the types; what its backtraces do not account for stays at the root.
    let text = event(r#"{"size":"64"},{"size":"32","type":"4"},{"bt":"5","size":"10"},{"bt":"","size":"4"}"#);
    let stream = sound(text.as_bytes(), SnapshotSelector::Last);
    assert_eq!(own(&stream, 0, 9, "m"), [" | <other> | 96 | -", "<self> | <other> | 4 | -"]);
    assert_eq!(stream.heap(9, "m").root["skipped"], 2);
    // Parts beyond the whole are said, and no size wraps around.
    let text = event(r#"{"bt":"","size":"10"},{"bt":"","size":"ffffffffffffffff","type":"1"}"#);
    let stream = sound(text.as_bytes(), SnapshotSelector::Last);
    assert_eq!((stream.heap(9, "m").total(), &stream.heap(9, "m").root["inconsistent"]), (16, &1.into()));
    assert!(lines(event("").as_bytes(), SnapshotSelector::Last).1.is_ok());
}

#[test]
fn dumps_without_id_pair_up_by_position() {
    let event = |pid: u32, ts: u32, id: &str| {
        format!(
            r#"{{{id}"ph":"v","pid":{pid},"ts":{ts},"args":{{"dumps":{{"heaps_v2":{{"allocators":{{"m":{{"nodes":[0],"sizes":[{ts}]}}}}}}}}}}}}"#
        )
    };
    let totals = |events: &[String]| -> Vec<(u64, i64, u64)> {
        let stream = sound(format!("[{}]", events.join(",")).as_bytes(), SnapshotSelector::All);
        stream.heaps.iter().map(|((n, pid, _), seen)| (*n, *pid, seen.total())).collect()
    };
    assert_eq!(
        totals(&[event(1, 20, ""), event(2, 11, ""), event(1, 10, ""), event(2, 21, ""), event(1, 30, "")]),
        [(0, 1, 10), (0, 2, 11), (1, 1, 20), (1, 2, 21), (2, 1, 30)]
    );
    let (a, b) = (r#""id":"0xa","#, r#""id":"0xb","#);
    assert_eq!(
        totals(&[event(1, 20, a), event(2, 11, a), event(1, 10, b)]),
        [(0, 1, 10), (1, 1, 20), (1, 2, 11)]
    );
    // A second heap dump of one process in the same dump is left out, with a warning.
    let twice = format!("[{},{}]", event(1, 20, a), event(1, 10, a));
    let stream = sound(twice.as_bytes(), SnapshotSelector::All);
    assert_eq!(stream.heap(1, "m").total(), 20);
    assert_eq!(
        stream.metadata("chrome.warning"),
        ["1 repeated heap dumps left out, the first of process 1 in dump 0xa"]
    );
}

#[test]
fn both_members_mean_the_older() {
    let text = v2(r#"{"nodes":[2],"sizes":[5]}"#)
        .replace("\"heaps_v2\"", r#""heaps":{"m":{"entries":[{"bt":"","size":"9"}]}},"heaps_v2""#);
    let stream = sound(text.as_bytes(), SnapshotSelector::Last);
    assert_eq!((stream.heap(1, "m").total(), &stream.heap(1, "m").root["format"]), (9, &"v1".into()));
}

#[test]
fn regions_of_the_nearest_dump_serve() {
    let regions = |pid: u32, ts: u32, start: &str| {
        format!(
            r#"{{"ph":"v","pid":{pid},"ts":{ts},"args":{{"dumps":{{"process_mmaps":{{"vm_regions":[
            {{"sa":"{start}","sz":"1000","mf":"/lib/libx.so","pf":5}}]}}}}}}}}"#
        )
    };
    let dump = v2(r#"{"nodes":[1],"sizes":[5]}"#).replace("\"string\":\"f\"", "\"string\":\"pc:7f10\"");
    let dump = dump.trim_matches(['[', ']']).replace("\"ts\":1,", "\"ts\":50,");
    for (others, name) in [
        (vec![regions(1, 40, "7000"), regions(1, 45, "7f00"), regions(1, 60, "7800")], "libx.so+0x10"),
        (vec![regions(1, 60, "7800"), regions(1, 70, "7f00")], "libx.so+0x710"),
        (vec![regions(2, 50, "7f00")], "pc:7f10"),
        (vec![regions(1, 50, "7f11")], "pc:7f10"),
        (vec![regions(1, 50, "6f00")], "pc:7f10"),
    ] {
        let text = format!("[{},{}]", others.join(","), dump);
        let stream = sound(text.as_bytes(), SnapshotSelector::Last);
        let frame = stream.nodes.iter().find(|n| n["subtype"] == 2).expect("a frame");
        assert_eq!(stream.string(&frame["heap"]["name"]).as_deref(), Some(name));
        assert_eq!(stream.string(&frame["function"]).as_deref(), Some("pc:7f10"));
    }
}

#[test]
fn sniffing() {
    for (head, is_one) in [
        (r#"{"traceEvents":[{"ph":"M""#, true),
        (" \n{\"displayTimeUnit\":\"ns\",\"metadata\":{\"a\":[1,{\"b\":2}]},\"traceEvents\" : [", true),
        (r#"{"metadata":{"a":"cut of"#, true),
        (r#"{"traceEvents":7}"#, false),
        (r#"{"snapshot":{"meta":{}},"traceEvents":[]}"#, false),
        (r#"{"type":"metadata","key":"version_major","value":"1"}"#, false),
        ("[\n{\"args\":{\"x\":\"cut of", true),
        (r#"[{"pid":1,"ph":"X"}]"#, true),
        (r#"[{"pid":1}]"#, false),
        ("[1,2]", false),
        ("[]", false),
        ("", false),
        ("{", false),
        (r#"{"head":{"callFrame":{"#, true),
        (r#"{"nodes":[],"samples":[1]}"#, false),
        (r#"{"samples":[1,2]}"#, false),
    ] {
        assert_eq!(crate::sniff(head.as_bytes()), is_one, "{head}");
    }
}

#[test]
fn info_lists_every_snapshot() {
    let info = crate::info(&Blob::from_bytes(data("quirks-v2.json"))).expect("info");
    assert_eq!((info.format, info.version.as_deref()), ("chrome.memory-infra", Some("v2")));
    assert_eq!(info.facts[0], ("container", Fact::Text("object".to_owned())));
    assert_eq!(info.facts[1], ("events", Fact::Int(5)));
    assert_eq!(info.snapshots.len(), 3);
    assert_eq!(
        info.snapshots[0],
        [
            ("dump_id", Fact::Text("0x1".to_owned())),
            ("ts", Fact::Text("1".to_owned())),
            ("processes", Fact::Int(2)),
            ("allocators", Fact::Text("malloc partition_alloc".to_owned())),
            ("entries", Fact::Int(5)),
            ("size", Fact::Bytes(765)),
        ]
    );
    let info = crate::info(&Blob::from_bytes(data("quirks-v1.json"))).expect("info");
    assert_eq!(info.version.as_deref(), Some("v1"));
    assert_eq!(info.snapshots[1].last(), Some(&("exact", Fact::Flag(false))));
}

/// A sink that wants little receives the same sums.
#[test]
fn what_is_not_wanted_is_left_out() {
    use heap_base::Result;
    use heap_record::{EdgeBatch, Extension, NodeBatch, Sink, Str, Wants};
    #[derive(Default)]
    struct Sum {
        size: u64,
        n_strings: usize,
        named: bool,
    }
    impl Sink for Sum {
        fn wants(&self) -> Wants {
            Wants::NODES
        }
        fn string(&mut self, _: &Str<'_>) -> Result {
            self.n_strings += 1;
            Ok(())
        }
        fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
            for node in batch.iter() {
                // Roots alone say more, such as their format.
                assert!(node.own.is_empty() && (node.rest.is_empty() || node.subtype == 1));
                self.size += node.heap.size.unwrap_or(0);
                self.named |= node.heap.class.is_some() && node.heap.name.is_some();
            }
            Ok(())
        }
        fn edges(&mut self, _: &EdgeBatch<'_>) -> Result {
            panic!("not wanted")
        }
        fn extension(&mut self, _: &Extension<'_>) -> Result {
            panic!("not wanted")
        }
    }
    for name in ["seed-example-v2.json", "seed-example-v1-cut40.json", "seed-example-v1-old.json"] {
        let mut sum = Sum::default();
        crate::read(&Blob::from_bytes(data(name)), SnapshotSelector::Last, &mut sum).expect(name);
        assert_eq!((sum.size, sum.named), (1538, true), "{name}");
        assert!(sum.n_strings < 20);
    }
}

/// Rows that are added up by type have the same sums as single rows, and the identifier of the first. What is not counted
/// has no sum.
#[test]
fn rows_may_be_added_up_by_type() {
    use std::collections::BTreeMap;

    use heap_base::Result;
    use heap_record::wants::{Nodes, SumBy};
    use heap_record::{NodeBatch, Sink, Str, Wants};
    /// Count, size and the identifier of the first.
    type Totals = (Option<u64>, u64, i64);
    struct Sum {
        nodes: Nodes,
        classes: BTreeMap<i64, String>,
        totals: BTreeMap<(u32, Option<String>), Totals>,
        n_nodes: usize,
    }
    impl Sink for Sum {
        fn wants(&self) -> Wants {
            Wants { nodes: self.nodes, ..Wants::NODES }
        }
        fn string(&mut self, record: &Str<'_>) -> Result {
            self.classes.insert(record.id, record.data.text().into_owned());
            Ok(())
        }
        fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
            for node in batch.iter() {
                let class = node.heap.class.map(|class| self.classes[&class].clone());
                let total = self.totals.entry((node.subtype, class)).or_insert((Some(0), 0, node.id));
                total.0 = total.0.zip(node.heap.count).map(|(sum, count)| sum + count);
                total.1 += node.heap.size.unwrap_or(0);
                self.n_nodes += 1;
            }
            Ok(())
        }
    }
    let mut fewer = 0;
    for name in [
        "chromium-150-v2-excerpt.json.gz",
        "gen-v2-rows-string.json.gz",
        "quirks-v1.json",
        "quirks-v2.json",
        "seed-example-v1-full.json",
        "seed-example-v2.json",
    ] {
        let [single, by_class] = [Nodes::Brief, Nodes::Sums(SumBy::Class)].map(|nodes| {
            let mut sum = Sum { nodes, classes: BTreeMap::new(), totals: BTreeMap::new(), n_nodes: 0 };
            crate::read(&Blob::from_bytes(data(name)), SnapshotSelector::All, &mut sum).expect(name);
            sum
        });
        assert_eq!(by_class.totals, single.totals, "{name}");
        fewer += usize::from(by_class.n_nodes < single.n_nodes);
    }
    assert!(fewer >= 3, "rows were added up in {fewer} files");
}
