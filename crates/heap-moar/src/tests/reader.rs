//! Every version, dialect and layout holds the same graph, and this is that graph.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use heap_record::testing::Recorder;
use heap_record::wants::{Edges, Strings};
use heap_record::{Fact, SnapshotSelector, Wants, Writer};

use super::make::File;
use super::records::{Records, SnapshotRecords, read, read_wanting};
use super::{SAME, SUMS, blob, data};

/// The graph as the slowest reader thinkable takes it out of version 1, which is plain text.
fn twin() -> Vec<SnapshotRecords> {
    let text = String::from_utf8(data("v1.heap")).expect("text");
    let line = |word: &str| {
        text.lines().filter_map(move |l| l.strip_prefix(word)).map(str::trim).collect::<Vec<_>>()
    };
    let rows = |line: &str| -> Vec<Vec<u64>> {
        line.split(';').map(|row| row.split(',').map(|n| n.parse().expect("a number")).collect()).collect()
    };
    let strings: Vec<String> = serde_json::from_str(line("strings:")[0]).expect("valid JSON");
    let (types, frames) = (rows(line("types:")[0]), rows(line("static_frames:")[0]));
    let quoted = |id: u64| format!("{:?}", strings[id as usize].chars().take(40).collect::<String>());
    let kinds = [
        "",
        "object",
        "type_object",
        "stable",
        "frame",
        "permanent_roots",
        "instance_roots",
        "cstack_roots",
        "thread_roots",
        "root",
        "intergen_roots",
        "callstack_roots",
    ];
    let snapshot = |(collectables, references): (&&str, &&str)| {
        let (rows, refs) = (rows(collectables), rows(references));
        let mut snapshot = SnapshotRecords::default();
        for (i, row) in rows.iter().enumerate() {
            let (kind, owner) = (row[0] as usize, row[1]);
            let (class, name, rest) = match kind {
                1 => (quoted(types[owner as usize][1]), "-".into(), format!("\"moar\":{{\"type\":{owner}}}")),
                2 | 3 => {
                    ("-".into(), quoted(types[owner as usize][1]), format!("\"moar\":{{\"type\":{owner}}}"))
                }
                4 => {
                    ("-".into(), quoted(frames[owner as usize][0]), format!("\"moar\":{{\"frame\":{owner}}}"))
                }
                _ => ("-".into(), "-".into(), String::new()),
            };
            let line =
                format!("moar.{} {} {} {class} {name} {} {rest}", kinds[kind], 2 * i + 1, row[2], row[3]);
            snapshot.nodes.push(line.trim_end().to_owned());
        }
        for (j, reference) in refs.iter().enumerate() {
            let owns = |row: &Vec<u64>| (row[4]..row[4] + row[5]).contains(&(j as u64));
            let source = rows.iter().position(owns).expect("an owner");
            let kind = if rows[source][0] == 10 { "intergen" } else { "reference" };
            let (label, rest) = match (reference[0], reference[1]) {
                (2, string) => (quoted(string), String::new()),
                (1, index) if index < 1 << 32 => (format!("\"{index}\""), String::new()),
                (1, index) => ("-".into(), format!("\"moar\":{{\"index\":{index}}}")),
                _ => ("-".into(), String::new()),
            };
            let line = format!("moar.{kind} {} {} {label} {rest}", 2 * source + 1, 2 * reference[2] + 1);
            snapshot.edges.push(line.trim_end().to_owned());
        }
        snapshot
    };
    line("collectables:").iter().zip(&line("references:")).map(snapshot).collect()
}

#[test]
fn all_containers_hold_the_same_graph() {
    let twin = twin();
    assert_eq!((twin.len(), twin[0].nodes.len(), twin[0].edges.len()), (2, 15, 35));
    let tables = |snapshot: &SnapshotRecords| -> Vec<String> {
        snapshot.extensions.iter().filter(|o| !o.starts_with("moar.highscore")).cloned().collect()
    };
    let newest = read(&data("v3.mvmheap"), SnapshotSelector::All);
    let sorted = |snapshots: &[SnapshotRecords]| {
        let mut all: Vec<_> = snapshots.iter().flat_map(tables).collect();
        all.sort();
        all
    };
    let all = sorted(&newest.snapshots);
    assert_eq!(all.len(), 9);
    for name in SAME {
        let records = read(&data(name), SnapshotSelector::All);
        let cut = (name == "v3-cut-in-toc.mvmheap").then(|| "byte 4097: block toc ends early".to_owned());
        assert_eq!(records.error, cut, "{name}");
        assert_eq!(records.snapshots.len(), 2, "{name}");
        for (snapshot, twin) in records.snapshots.iter().zip(&twin) {
            assert_eq!(snapshot.nodes, twin.nodes, "{name}");
            assert_eq!(snapshot.edges, twin.edges, "{name}");
        }
        assert_eq!(records.strings, newest.strings, "{name}");
        assert_eq!(sorted(&records.snapshots), all, "{name}");
        // One by one and the last give what all give together.
        for (n, whole) in records.snapshots.iter().enumerate() {
            let one = read(&data(name), SnapshotSelector::Number(n as u64));
            assert_eq!((&one.head.nodes, &one.head.edges), (&whole.nodes, &whole.edges), "{name} {n}");
            assert_eq!(one.error, None, "{name} {n}");
            let at = |key: &str| one.head.metadata.iter().find(|m| m.0 == key).map(|m| m.1.as_str());
            assert_eq!((at("moar.snapshot"), at("moar.snapshots")), (Some(&*n.to_string()), Some("2")));
        }
        let last = read(&data(name), SnapshotSelector::Last);
        assert_eq!(last.head.nodes, twin[1].nodes, "{name}");
        let none = read(&data(name), SnapshotSelector::Number(2));
        assert_eq!(none.error.as_deref(), Some("no snapshot 2: the file has 0 to 1"));
    }
}

#[test]
fn sizes_and_counts_are_those_of_the_metadata() {
    let records = read(&data("v3.mvmheap"), SnapshotSelector::All);
    for snapshot in &records.snapshots {
        let meta = |key: &str| -> u64 {
            let found = snapshot.metadata.iter().find(|m| m.0 == key).expect("this key");
            found.1.parse().expect("a number")
        };
        let fields = |line: &String| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        // Names hold blanks, so sizes are taken from a delivery without names.
        let of_kind = |kind: &str| snapshot.nodes.iter().filter(|n| fields(n)[0] == kind).count() as u64;
        assert_eq!(meta("moar.total_objects"), of_kind("moar.object"));
        assert_eq!(meta("moar.total_typeobjects"), of_kind("moar.type_object"));
        assert_eq!(meta("moar.total_stables"), of_kind("moar.stable"));
        assert_eq!(meta("moar.total_refs"), snapshot.edges.len() as u64);
    }
    let sums = read_wanting(&blob(&data("v3.mvmheap")), SnapshotSelector::Number(0), SUMS);
    assert_eq!(
        sums.head.nodes,
        [
            "moar.object 15 40 \"Foo\" - 0  x1",
            "moar.object 19 32 \"Array[int]\" - 800  x1",
            "moar.object 17 65535 \"größe ✓\" - 6000000000  x1",
            "moar.object 29 16 \"<anon P6opaque>\" - 0  x1",
            "moar.type_object 21 24 - \"Foo\" 0  x1",
            "moar.stable 23 168 - \"Foo\" 0  x1",
            "moar.frame 27 168 - \"\" 0  x1",
            "moar.frame 25 168 - \"main\" 16  x1",
            "moar.permanent_roots 3 0 - - 0  x1",
            "moar.instance_roots 5 0 - - 0  x1",
            "moar.cstack_roots 7 0 - - 0  x1",
            "moar.thread_roots 9 0 - - 0  x1",
            "moar.root 1 0 - - 0  x1",
            "moar.intergen_roots 11 0 - - 0  x1",
            "moar.callstack_roots 13 0 - - 0  x1",
        ]
    );
    // 6000066967 is what the file's own metadata says.
    assert_eq!(40 + 32 + 800 + 65535 + 6_000_000_000u64 + 16 + 24 + 168 + 168 + 168 + 16, 6_000_066_967);
}

/// What nodes of a line's subtype, class and name add up to: count, size, external.
fn totals(records: &Records) -> BTreeMap<String, [u64; 3]> {
    let mut totals = BTreeMap::<_, [u64; 3]>::new();
    for line in &records.head.nodes {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |at: usize| words[at].parse::<u64>().expect("a number");
        let count =
            words.last().and_then(|w| w.strip_prefix('x')).map_or(1, |n| n.parse().expect("a number"));
        let sums = totals.entry(format!("{} {} {}", words[0], words[3], words[4])).or_default();
        for (sum, n) in sums.iter_mut().zip([count, number(2), number(5)]) {
            *sum = sum.saturating_add(n);
        }
    }
    totals
}

#[test]
fn sums_by_the_reader_are_those_of_the_rows() {
    // Others than objects now and then, types beyond the table, and sums beyond 64 bits.
    let n = 30_000u64;
    let mut file = File::new();
    file.snapmeta("{}");
    file.column(*b"colkind\0", 2, (0..n).map(|i| if i % 9001 == 5 { 3 } else { 1 }));
    file.column(*b"colsize\0", 2, (0..n).map(|i| if i % 3 == 0 { 65535 } else { i % 500 }));
    file.column(*b"coltofi\0", 4, (0..n).map(|i| if i % 7001 == 1 { 77 } else { i * i % 3 }));
    file.column(
        *b"colusize",
        8,
        (0..n).map(|i| if i / 6000 == 3 { u64::MAX >> (i % 40) } else { i % 11 * (1 << 39) }),
    );
    file.strings(&[b"R", b"A", b"B", b"C"]);
    file.column(*b"reprname", 4, [0; 3]);
    file.column(*b"typename", 4, [1, 2, 3]);
    file.close();
    let [rows, sums] =
        [Wants::NODES, SUMS].map(|wants| read_wanting(&blob(&file.bytes), SnapshotSelector::Last, wants));
    assert_eq!(rows.head.nodes.len() as u64, n);
    assert!(sums.head.nodes.len() < 12);
    assert_eq!(totals(&sums), totals(&rows));
    assert_eq!(sums.error, rows.error);
    assert!(rows.error.is_some_and(|e| e.ends_with("rows without a name in the tables: 5")));
    assert!(sums.head.nodes[0].starts_with("moar.object 1 "), "the first row of a group stands for it");
}

#[test]
fn the_head_says_what_the_file_says() {
    let head = |name: &str, pick: SnapshotSelector| {
        let records = read(&data(name), pick);
        let (runtime, rest): (Vec<_>, Vec<_>) =
            records.head.metadata.iter().partition(|(key, _)| key == "heap.runtime");
        assert!(runtime.iter().any(|(_, names)| names == "Scalar"), "{runtime:?}");
        rest.into_iter().map(|(k, v)| format!("{k}={v}")).collect::<Vec<_>>()
    };
    assert_eq!(
        head("v2-2017.12.mvmheap", SnapshotSelector::All),
        [
            "target_source=moarvm.mvmheap",
            "heap.identifier=index",
            "heap.order=strings nodes edges",
            "heap.references=edges",
            "heap.thread=Thread",
            "moar.version=2",
            "moar.dialect=2017.12",
        ]
    );
    assert_eq!(
        head("v3.mvmheap", SnapshotSelector::Last),
        [
            "target_source=moarvm.mvmheap",
            "heap.identifier=index",
            "heap.order=strings nodes edges",
            "heap.references=edges",
            "heap.thread=Thread",
            "heap.root=1",
            "moar.version=3",
            "moar.subversion=1",
            "moar.start_time=999999",
            "moar.pid=4242",
            "moar.filemeta={\"subversion\": 1, \"start_time\": 999999, \"pid\": 4242, \"highscore_structure\": {\"entry_count\": 40, \"data_order\": [\"types_by_count\", \"frames_by_count\", \"types_by_size\", \"frames_by_size\"]}}",
            "moar.snapshot=1",
            "moar.snapshots=2",
            "moar.snap_time=1000004",
            "moar.gc_seq_num=4",
            "moar.total_heap_size=6000067203",
            "moar.total_objects=5",
            "moar.total_typeobjects=1",
            "moar.total_stables=1",
            "moar.total_frames=0",
            "moar.total_refs=35",
            "moar.snapmeta={\"snap_time\": 1000004, \"gc_seq_num\": 4, \"total_heap_size\": 6000067203, \"total_objects\": 5, \"total_typeobjects\": 1, \"total_stables\": 1, \"total_frames\": 0, \"total_refs\": 35}",
        ]
    );
    // A file of one snapshot does not say which it is.
    assert!(
        !head("v3-killed-between.mvmheap", SnapshotSelector::Last)
            .iter()
            .any(|m| m.starts_with("moar.snapshot="))
    );
    let unknown = read(&data("v3-unknown-block.mvmheap"), SnapshotSelector::All);
    assert!(unknown.snapshots[0].metadata.contains(&("moar.a_new_key".into(), "ignore me".into())));
}

#[test]
fn tables_and_high_scores_are_extension_records() {
    let records = read(&data("v3.mvmheap"), SnapshotSelector::All);
    let [first, second] = &records.snapshots[..] else { panic!("two snapshots") };
    assert_eq!(
        first.extensions[..9],
        [
            "moar.type \"index\":0,\"repr\":7,\"name\":11",
            "moar.type \"index\":1,\"repr\":8,\"name\":13",
            "moar.type \"index\":2,\"repr\":9,\"name\":12",
            "moar.type \"index\":3,\"repr\":7,\"name\":14",
            "moar.type \"index\":4,\"repr\":10,\"name\":6",
            "moar.static_frame \"index\":0,\"name\":21,\"cuid\":22,\"line\":1,\"file\":23",
            "moar.static_frame \"index\":1,\"name\":6,\"cuid\":22,\"line\":4000000000,\"file\":6",
            "moar.highscore \"order\":\"types_by_count\",\"rank\":0,\"id\":0,\"score\":1",
            "moar.highscore \"order\":\"types_by_count\",\"rank\":1,\"id\":1,\"score\":1",
        ]
    );
    assert_eq!(
        second.extensions[..2],
        [
            "moar.type \"index\":5,\"repr\":7,\"name\":28",
            "moar.static_frame \"index\":2,\"name\":29,\"cuid\":30,\"line\":77,\"file\":23",
        ]
    );
    for (snapshot, types) in [(first, 7), (second, 2)] {
        assert_eq!(snapshot.extensions.len(), types + 160);
        assert!(
            snapshot.extensions[types + 80]
                .starts_with("moar.highscore \"order\":\"types_by_size\",\"rank\":0,")
        );
    }
}

#[test]
fn sinks_get_what_they_want() {
    let bytes = data("v3.mvmheap");
    let all = read(&bytes, SnapshotSelector::Last);
    let nodes = read_wanting(&blob(&bytes), SnapshotSelector::Last, Wants::NODES);
    let plain = |n: &String| n.split(" \"moar\":").next().unwrap_or_default().trim_end().to_owned();
    assert_eq!(nodes.head.nodes, all.head.nodes.iter().map(plain).collect::<Vec<_>>());
    assert!(nodes.head.edges.is_empty() && nodes.head.extensions.is_empty());
    let edges = Wants { edges: Edges::ById, strings: Strings::All, ..Wants::HEAD };
    let edges = read_wanting(&blob(&bytes), SnapshotSelector::Last, edges);
    assert_eq!((edges.head.nodes.len(), &edges.head.edges), (0, &all.head.edges));
    let file = blob(&bytes);
    let head = read_wanting(&file, SnapshotSelector::Last, Wants::HEAD);
    assert_eq!(head.head.metadata, all.head.metadata);
    assert!(head.strings.is_empty());
}

#[test]
fn edges_by_index_are_those_by_identifier() {
    for name in SAME {
        let file = blob(&data(name));
        let all = read(&data(name), SnapshotSelector::All);
        Recorder::record_every_way(Wants::ALL, |sink| crate::read(&file, SnapshotSelector::All, sink));
        let wants = Wants { edges: Edges::ByIndex, ..Wants::ALL };
        let indexed = read_wanting(&file, SnapshotSelector::All, wants);
        assert_eq!(indexed.by_index, all.snapshots.iter().map(|s| s.edges.len()).sum::<usize>(), "{name}");
        assert!(indexed.strings.keys().all(|&id| id >= 0), "{name}: no edge by identifier uses an index");
        // Where rows are added up no node has an index.
        let sums = read_wanting(&file, SnapshotSelector::All, Wants { edges: Edges::ByIndex, ..SUMS });
        assert_eq!(sums.by_index, 0, "{name}");
    }
}

#[test]
fn a_sum_does_not_read_the_references() {
    let mut bytes = data("v3.mvmheap");
    let columns = [b"refdescr", b"reftrget", b"colrfstr", b"colrfcnt"];
    let starts: Vec<usize> = (0..bytes.len() - 18)
        .filter(|&i| {
            columns.iter().any(|c| bytes[i..].starts_with(*c)) && bytes[i + 18..].starts_with(&[0x28, 0xb5])
        })
        .collect();
    assert_eq!(starts.len(), 8);
    for start in starts {
        bytes[start + 20] ^= 0xff;
    }
    let file = blob(&bytes);
    let sum = read_wanting(&file, SnapshotSelector::Last, Wants::NODES);
    assert_eq!((sum.error, sum.head.nodes.len()), (None, 17));
    let planned = file.meter().total.load(Ordering::Relaxed);
    assert!(planned < 500, "{planned} bytes of {}", bytes.len());
    let all = read(&bytes, SnapshotSelector::Last);
    assert!(all.error.is_some());
    assert_eq!(all.head.nodes.len(), 17);
}

#[test]
fn the_writer_takes_all_of_it() {
    let mut writer = Writer::new(Vec::new());
    crate::read(&blob(&data("v3.mvmheap")), SnapshotSelector::Number(0), &mut writer)
        .expect("an intact file");
    let counts = writer.counts();
    assert_eq!((counts.nodes, counts.edges, counts.strings), (15, 35, 28 + 9));
    heap_record::Sink::finish(&mut writer, true).expect("memory");
    let text = String::from_utf8(writer.into_inner()).expect("text");
    assert!(text.contains(
        "\n{\"type\":\"node\",\"subtype\":1,\"identifier\":17,\"heap\":{\"size\":65535,\"class\":12,\"external\":6000000000},\"moar\":{\"type\":2}}\n"
    ));
    assert!(text.contains("\n{\"type\":\"edge\",\"subtype\":2,\"source\":11,\"dest\":21,\"label\":-4}\n"));
}

#[test]
fn info_reads_headers() {
    let facts = |name: &str| {
        let info = crate::info(&blob(&data(name))).expect("a dump");
        let line = |facts: &heap_record::Facts| {
            let fact = |(key, fact): &(&str, Fact)| match fact {
                Fact::Int(n) => format!("{key}={n}"),
                Fact::Bytes(n) => format!("{key}={n}B"),
                Fact::Text(text) => format!("{key}={text}"),
                Fact::Flag(flag) => format!("{key}={flag}"),
            };
            facts.iter().map(fact).collect::<Vec<_>>().join(" ")
        };
        let mut lines = vec![
            format!(
                "{} {} {}",
                info.format,
                info.version.unwrap_or_default(),
                info.producer.unwrap_or_default()
            ),
            line(&info.facts),
        ];
        lines.extend(info.snapshots.iter().map(line));
        lines
    };
    assert_eq!(
        facts("v3.mvmheap"),
        [
            "moarvm.mvmheap 3 MoarVM 2019.11 or later",
            "subversion=1 start_time=999999 pid=4242 index=table of contents",
            "elapsed_us=4 total_heap_size=6000066967B gc_seq_num=3 total_objects=4 total_typeobjects=1 total_stables=1 total_frames=0 total_refs=35 nodes=15 edges=35 size=66151B external=6000000816B",
            "elapsed_us=5 total_heap_size=6000067203B gc_seq_num=4 total_objects=5 total_typeobjects=1 total_stables=1 total_frames=0 total_refs=35 nodes=17 edges=35 size=66367B external=6000000836B",
        ]
    );
    assert_eq!(
        facts("v3-cut-in-column.mvmheap")[1..],
        [
            "subversion=1 start_time=999999 pid=4242 index=none damage=byte 2941: column reftrget ends early",
            "elapsed_us=4 total_heap_size=6000066967B gc_seq_num=3 total_objects=4 total_typeobjects=1 total_stables=1 total_frames=0 total_refs=35 nodes=15 edges=35 size=66151B external=6000000816B",
            "elapsed_us=5 total_heap_size=6000067203B gc_seq_num=4 total_objects=5 total_typeobjects=1 total_stables=1 total_frames=0 total_refs=35 whole=false",
        ]
    );
    assert_eq!(
        facts("v3-big-endian.mvmheap")[1],
        "subversion=1 start_time=999999 pid=4242 index=table of contents byte_order=big"
    );
    assert_eq!(
        facts("v2-2019.11.mvmheap"),
        [
            "moarvm.mvmheap 2 (2019.11) MoarVM 2019.11 or later, built without libzstd",
            "strings=33 types=6 static_frames=3",
            "collectables=15 total_refs=35 nodes=15 edges=35 size=66151B external=6000000816B",
            "collectables=17 total_refs=35 nodes=17 edges=35 size=66367B external=6000000836B",
        ]
    );
    assert_eq!(facts("v2-2017.09.mvmheap")[0], "moarvm.mvmheap 2 (2017.09) MoarVM 2017.09 to 2017.11");
    assert_eq!(facts("v2-2017.12.mvmheap")[0], "moarvm.mvmheap 2 (2017.12) MoarVM 2017.12 to 2019.10");
    assert_eq!(
        facts("v1.heap"),
        [
            "moarvm.mvmheap 1 MoarVM 2016.04 to 2017.08",
            "",
            "collectables_text=215B references_text=273B nodes=15 edges=35 size=66151B external=6000000816B",
            "collectables_text=244B references_text=276B nodes=17 edges=35 size=66367B external=6000000836B",
        ]
    );
}

#[test]
fn files_are_recognised_by_their_first_bytes() {
    for name in SAME {
        assert!(crate::sniff(&data(name)[..64]), "{name}");
    }
    for (head, is) in [
        (&b"MoarHeapDumpv003"[..], true),
        (b"MoarHeapDumpv00", false),
        (b"MoarHeapDumpv004", false),
        (b"# a comment\n\nstrings: [\"a\"", true),
        (b"strings:[", true),
        (b"strings: {", false),
        (b"", false),
        (b"{\"type\":\"metadata\"", false),
    ] {
        assert_eq!(crate::sniff(head), is, "{}", String::from_utf8_lossy(head));
    }
    let error = crate::read(&blob(b"nothing"), SnapshotSelector::Last, &mut Writer::new(Vec::new()))
        .map_err(|e| e.to_string());
    assert_eq!(error, Err("byte 0: expected a MoarVM heap snapshot".into()));
}
