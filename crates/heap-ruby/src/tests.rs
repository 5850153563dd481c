//! Figures of an independent reader, labels, lines that are not JSON, several dumps, damage.

#![allow(
    clippy::case_sensitive_file_extension_comparisons,
    clippy::items_after_statements,
    clippy::naive_bytecount,
    clippy::unnecessary_wraps,
    clippy::format_push_string,
    reason = "tests say what they mean in the shortest way"
)]

use std::collections::{BTreeMap, HashSet};
use std::io::Read;
use std::path::Path;

use heap_base::{Blob, Result, member};
use heap_record::testing::{NodeRecord, Recorder};
use heap_record::{Fact, SnapshotSelector, Wants};
use serde_json::Value as Json;

use crate::{info, read, sniff};

fn file(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/ruby").join(name);
    let bytes = std::fs::read(path).expect("is there");
    if !name.ends_with(".gz") {
        return bytes;
    }
    let mut out = Vec::new();
    flate2::read::GzDecoder::new(&*bytes).read_to_end(&mut out).expect("is gzip");
    out
}

fn records(bytes: &[u8]) -> Recorder {
    picked(bytes, SnapshotSelector::Last)
}

fn picked(bytes: &[u8], pick: SnapshotSelector) -> Recorder {
    Recorder::record(|sink| read(&Blob::from_bytes(bytes), pick, sink))
}

fn field(node: &NodeRecord, path: &str) -> Option<i64> {
    member(node.rest.as_bytes(), path).and_then(|raw| std::str::from_utf8(raw).ok()?.parse().ok())
}

/// The edges as text: `source kind label dest`, by addresses without the bit of identifiers.
fn edges(recorder: &Recorder) -> Vec<String> {
    let strings: BTreeMap<_, _> = recorder.all_strings().iter().map(|s| (s.id, s.data.clone())).collect();
    let line = |edge: &&heap_record::testing::EdgeRecord| {
        let label = edge.label.map_or("-", |id| &strings[&id]);
        let dest = edge.dest.expect("has one") as u64 & !1;
        let source = if edge.source < 0 { "root".to_owned() } else { format!("{:x}", edge.source & !1) };
        format!("{source} {} {label} {dest:x}", recorder.edge_type(edge.subtype))
    };
    recorder.all_edges().iter().map(line).collect()
}

#[test]
fn figures_of_an_independent_reader() {
    let expected: Json = serde_json::from_slice(&file("expected.json")).expect("is JSON");
    for (name, expected) in expected.as_object().expect("is an object") {
        let recorder = records(&file(name));
        assert_eq!(recorder.problems(), [""; 0], "{name}");
        let strings: BTreeMap<_, _> = recorder.all_strings().iter().map(|s| (s.id, s.data.clone())).collect();
        let subtypes: BTreeMap<u32, String> =
            (1..60).map(|id| (id, recorder.node_type(id).to_owned())).collect();
        let kinds: BTreeMap<u32, String> =
            (1..10).map(|id| (id, recorder.edge_type(id).to_owned())).collect();
        let nodes: Vec<_> =
            recorder.all_nodes().into_iter().filter(|n| subtypes[&n.subtype] != "heap.root").collect();
        let number = |key: &str| expected[key].as_u64().expect("is a number");
        assert_eq!(nodes.len() as u64, number("objects"), "{name}");
        assert_eq!(nodes.iter().filter_map(|n| n.heap.size).sum::<u64>(), number("bytes"), "{name}");
        // Free slots and shapes have addresses, too.
        let info = super::info(&Blob::from_bytes(file(name))).expect("can be read");
        let facts = info.snapshots.last().unwrap_or(&info.facts);
        let count = facts.iter().find(|(key, _)| *key == "objects").map(|(_, fact)| fact.clone());
        assert_eq!(count, Some(Fact::Int(nodes.len() as i64)), "{name}");
        assert_eq!(info.snapshots.len(), if name == "twice.json" { 2 } else { 0 }, "{name}");
        assert_eq!(recorder.bodies("ruby.shape").len() as u64, number("shapes"), "{name}");
        let mut classes: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
        let mut sites: BTreeMap<String, (u64, u64)> = BTreeMap::new();
        let mut generations: BTreeMap<String, u64> = BTreeMap::new();
        for node in &nodes {
            let size = node.heap.size.unwrap_or(0);
            if let Some(class) = node.heap.class {
                let sums = classes.entry(&strings[&class]).or_default();
                *sums = (sums.0 + 1, sums.1 + size);
            }
            if let Some(file) = field(node, "ruby.file") {
                let line = field(node, "ruby.line").expect("has both");
                let sums = sites.entry(format!("{}:{line}", strings[&file])).or_default();
                *sums = (sums.0 + 1, sums.1 + size);
            }
            if let Some(generation) = field(node, "ruby.generation") {
                *generations.entry(generation.to_string()).or_default() += 1;
            }
        }
        let sums = |json: &Json| (json[1].as_u64().expect("a count"), json[2].as_u64().expect("a size"));
        for row in expected["by_class"].as_array().expect("rows") {
            let class = row[0].as_str().expect("a name");
            assert_eq!(classes.get(class), Some(&sums(row)), "{name}: {class}");
        }
        for row in expected["sites"].as_array().expect("rows") {
            let site = row[0].as_str().expect("a name");
            assert_eq!(sites.get(site), Some(&sums(row)), "{name}: {site}");
        }
        assert_eq!(serde_json::json!(generations), expected["generations"], "{name}");

        let ids: HashSet<_> = recorder.all_nodes().iter().map(|n| n.id).collect();
        let words: HashSet<_> = nodes.iter().filter_map(|n| Some((n.id, field(n, "ruby.class")?))).collect();
        let (mut references, mut class_edges, mut dangling, mut word_edges) = (0, 0, 0, 0);
        let mut roots: BTreeMap<&str, (u64, HashSet<i64>)> = BTreeMap::new();
        let mut before = None;
        for edge in recorder.all_edges() {
            let dest = edge.dest.expect("has one");
            let source = nodes.iter().position(|n| n.id == edge.source).filter(|_| edge.source > 0);
            let first = before.replace(edge.source) != Some(edge.source);
            if kinds[&edge.subtype] == "ruby.root" {
                let root = recorder.all_nodes().into_iter().find(|n| n.id == edge.source).expect("is there");
                let sums = roots.entry(&strings[&root.heap.name.expect("has one")]).or_default();
                sums.0 += 1;
                sums.1.insert(dest);
                continue;
            }
            let subtype = source.map_or("", |at| &*subtypes[&nodes[at].subtype]);
            let marked = ["iseq", "env", "ment", "cref", "svar", "memo", "constcache"];
            let imemo = subtype.strip_prefix("ruby.").is_some_and(|kind| marked.contains(&kind));
            if kinds[&edge.subtype] == "ruby.class" {
                class_edges += 1;
            } else if first && imemo && words.contains(&(edge.source, dest)) {
                word_edges += 1;
            } else {
                references += 1;
                dangling += u64::from(!ids.contains(&dest));
            }
        }
        for (key, count) in [
            ("references", references),
            ("dangling", dangling),
            ("class_edges", class_edges),
            ("imemo_word_edges", word_edges),
        ] {
            assert_eq!(count, number(key), "{name}: {key}");
        }
        let roots: BTreeMap<_, _> = roots.into_iter().map(|(k, (n, set))| (k, (n, set.len()))).collect();
        assert_eq!(serde_json::json!(roots), expected["roots"], "{name}");
    }
}

#[test]
fn labels_where_the_dump_leaves_no_doubt() {
    let dump = br#"{"type":"ROOT", "root":"vm", "references":["0x10"]}
{"address":"0x10", "type":"CLASS", "class":"0x18", "superclass":"0x20", "name":"Shop", "references":["0x20", "0x28", "0x30"]}
{"address":"0x18", "type":"CLASS", "class":"0x20", "superclass":"0x20", "real_class_name":"Class", "singleton":true, "references":["0x20", "0x10"]}
{"address":"0x20", "type":"CLASS", "class":"0x20", "name":"Object", "references":["0x10"]}
{"address":"0x28", "type":"CLASS", "class":"0x20", "superclass":"0x20", "name":"Shop::Page", "references":["0x20"]}
{"address":"0x30", "type":"HASH", "class":"0x20", "size":2, "default":"0x60", "references":["0x38", "0x40", "0x48", "0x50", "0x60"]}
{"address":"0x38", "type":"STRING", "class":"0x20", "frozen":true, "bytesize":3, "value":"a\"b"}
{"address":"0x40", "type":"OBJECT", "shape_id":3, "class":"0x28", "ivars":2, "references":["0x48", "0x50"]}
{"address":"0x48", "type":"STRING", "class":"0x20", "bytesize":1, "value":"k"}
{"address":"0x50", "type":"ARRAY", "class":"0x20", "length":2, "references":["0x48", "0x50"]}
{"address":"0x58", "type":"ARRAY", "class":"0x20", "length":3, "references":["0x48", "0x50"]}
{"address":"0x60", "type":"DATA", "class":"0x20", "struct":"proc", "references":["0x10", "0x68", "0x70"]}
{"address":"0x68", "type":"IMEMO", "imemo_type":"iseq", "references":["0x38"]}
{"address":"0x70", "type":"IMEMO", "class":"0x68", "imemo_type":"env", "references":["0x50", "0x68"]}
{"address":"0x78", "type":"OBJECT", "shape_id":3, "class":"0x28", "ivars":2, "references":["0x48"]}
{"address":"0x100", "type":"SHAPE", "id":1, "depth":1, "shape_type":"ROOT"}
{"address":"0x108", "type":"SHAPE", "id":2, "parent_id":1, "depth":2, "shape_type":"IVAR","edge_name":"@first"}
{"address":"0x110", "type":"SHAPE", "id":3, "parent_id":2, "depth":3, "shape_type":"IVAR","edge_name":"@last"}
"#;
    let recorder = records(dump);
    assert_eq!(recorder.error, None);
    assert_eq!(
        edges(&recorder),
        [
            "root ruby.root - 10",
            "10 ruby.class <class> 18",
            "10 ruby.super <super> 20",
            "10 ruby.reference Page 28",
            "10 ruby.reference - 30",
            "18 ruby.class <class> 20",
            "18 ruby.super <super> 20",
            "18 ruby.reference - 10",
            "20 ruby.class <class> 20",
            "20 ruby.reference Shop 10",
            "28 ruby.class <class> 20",
            "28 ruby.super <super> 20",
            "30 ruby.class <class> 20",
            "30 ruby.entry <key> 38",
            "30 ruby.entry a\"b 40",
            "30 ruby.entry <key> 48",
            // A key that is not frozen has no number beforehand.
            "30 ruby.entry - 50",
            "30 ruby.entry <default> 60",
            "38 ruby.class <class> 20",
            "40 ruby.class <class> 28",
            "40 object property @first 48",
            "40 object property @last 50",
            "48 ruby.class <class> 20",
            "50 ruby.class <class> 20",
            "50 array element 0 48",
            "50 array element 1 50",
            "58 ruby.class <class> 20",
            "58 array element - 48",
            "58 array element - 50",
            "60 ruby.class <class> 20",
            "60 closure variable self 10",
            "60 ruby.reference <code> 68",
            "60 closure variable <environment> 70",
            "68 ruby.constant - 38",
            "70 ruby.reference - 68",
            "70 closure variable - 50",
            "70 ruby.reference - 68",
            "78 ruby.class <class> 28",
            "78 object property - 48",
        ]
    );
    let named = |id: i64| {
        let node = recorder.all_nodes().into_iter().find(|n| n.id == id).expect("is there");
        let text = |id: Option<i64>| id.map(|id| recorder.text(id).into_owned());
        (text(node.heap.class), text(node.heap.name))
    };
    let pair = |class: &str, name: &str| (Some(class.to_owned()), Some(name.to_owned()));
    assert_eq!(named(0x11), pair("Class", "Shop"));
    assert_eq!(named(0x19), pair("Class", "#<Class:Shop>"));
    assert_eq!(named(0x41), (Some("Shop::Page".to_owned()), None));
    assert_eq!(named(0x69), (None, Some("a\"b".to_owned())));
}

#[test]
fn texts_that_ruby_does_not_escape() {
    let line = |member: &str| {
        let dump = format!(
            "{{\"type\":\"ROOT\", \"root\":\"vm\", \"references\":[\"0x10\"]}}\n{{\"address\":\"0x10\", \
             \"type\":\"CLASS\", {member}, \"memsize\":40, \"flags\":{{\"old\":true}}}}\n"
        );
        let recorder = records(dump.as_bytes());
        assert_eq!(recorder.error, None, "{dump}");
        assert_eq!(recorder.values("heap.dangling"), [""; 0]);
        let node = recorder.all_nodes()[1].clone();
        assert_eq!((node.heap.size, node.id), (Some(40), 0x11), "{dump}");
        let text = |id: Option<i64>| id.map(|id| recorder.text(id).into_owned());
        let texts =
            [text(node.heap.name), text(field(&node, "ruby.file")), text(field(&node, "ruby.method"))];
        (texts.map(Option::unwrap_or_default), recorder.values("ruby.repaired").len())
    };
    let texts = |name: &str, file: &str, method: &str| [name, file, method].map(str::to_owned);
    assert_eq!(
        line(r#""name":"A", "file":"a.rb", "line":3, "method":"m\"\n", "generation":1"#),
        (texts("A", "a.rb", "m\"\n"), 0)
    );
    assert_eq!(
        line(r#""name":"a "b"", "references":["0x10"], "file":"(eval "x", "line":1 \ b)", "line":3"#),
        (texts("a \"b\"", "(eval \"x\", \"line\":1 \\ b)", ""), 1)
    );
    assert_eq!(line(r#""file":"C:\new\a.rb", "line":3"#), (texts("", "C:\\new\\a.rb", ""), 1));
    assert_eq!(line(r#""file":"a\.rb", "method":"m", "generation":1"#), (texts("", "a\\.rb", "m"), 1));
    assert_eq!(line(r#""file":"a"b", "generation":1"#), (texts("", "a\"b", ""), 1));
    // Ruby 2.7.
    assert_eq!(
        line(r#""file":"a.rb", "line":3, "method":"a "m"", "generation":1"#),
        (texts("", "a.rb", "a \"m\""), 1)
    );
    // Ruby 3.1 tears a name beyond ASCII.
    assert_eq!(
        line("\"file\":\"a.rb\", \"line\":3, \"method\":\"\\u00ff\0a\", \"b\\u00ff\0\"x\", \"generation\":1"),
        (texts("", "a.rb", ""), 1)
    );
    // jq escapes as it should.
    let compact = br#"{"address":"0x10","type":"OBJECT","file":"C:\\new \"x\"","line":1,"name":"\u00e9"}"#;
    let recorder = records(compact);
    let file = field(recorder.all_nodes()[0], "ruby.file").expect("has one");
    assert_eq!(recorder.text(file), "C:\\new \"x\"");
    assert_eq!(recorder.values("ruby.repaired"), [""; 0]);
}

#[test]
fn bad_lines_are_left_out_and_named() {
    let good = "{\"address\":\"0x10\", \"type\":\"OBJECT\", \"references\":[\"0x20\"], \"memsize\":40}\n";
    for (bad, message) in [
        ("x", "expected a JSON object"),
        ("{}", "expected an address or a root"),
        ("{\"address\":\"0x\", \"type\":\"OBJECT\"}", "expected an address"),
        ("{\"address\":\"0x12345678123456789\", \"type\":\"OBJECT\"}", "expected an address"),
        ("{\"address\":\"0x30\"}", "expected a type"),
        ("{\"address\":\"0x30\", \"type\":\"a b\"}", "expected a type"),
        ("{\"address\":\"0x30\", \"type\":\"OBJECT\"", "expected a comma or the end of the object"),
        ("{\"address\":\"0x30\", \"type\":\"OBJECT\"}}", "expected nothing behind the object"),
        ("{\"address\":\"0x30\", \"type\":\"OBJECT", "a text lacks its closing quote"),
        ("{\"address\":\"0x30\", \"references\":[5]}", "expected a comma or the end of references"),
        ("{\"address\":\"0x30\", \"references\":[\"0x5]}", "expected an address"),
        ("{\"address\":\"0x30\", \"memsize\":4-0}", "expected a number"),
        ("{\"address\":\"0x30\", \"memsize\":tru}", "expected a value"),
    ] {
        let dump = format!("{good}{bad}\n{}{bad}\n", good.replace("0x10", "0x20"));
        let recorder = records(dump.as_bytes());
        let error = format!("line 2: {message}; 2 lines were left out");
        assert_eq!(recorder.error.as_deref(), Some(&*error), "{bad}");
        assert_eq!(recorder.all_nodes().len(), 2, "{bad}");
        assert_eq!(recorder.values("ruby.damaged"), ["2"], "{bad}");
    }
}

#[test]
fn several_dumps_in_a_file() {
    let bytes = file("twice.json");
    let sizes = |recorder: &Recorder| -> Vec<u64> {
        recorder.all_nodes().iter().filter_map(|node| node.heap.size).collect()
    };
    let last = records(&bytes);
    assert_eq!(sizes(&last).iter().sum::<u64>(), 6457);
    let first = picked(&bytes, SnapshotSelector::Number(0));
    assert_eq!(sizes(&first).iter().sum::<u64>(), 4457);
    let note = "2 dumps in one file, this is the last: @0 is the one before it, and @all is all of them";
    assert_eq!(last.values("ruby.note"), [note]);
    let chosen = picked(&bytes, SnapshotSelector::Number(1));
    assert_eq!(chosen.values("ruby.note"), [""; 0]);
    assert_eq!((chosen.all_nodes(), edges(&chosen)), (last.all_nodes(), edges(&last)));
    let all = picked(&bytes, SnapshotSelector::All);
    assert_eq!(all.values("heap.snapshot"), ["0", "1"]);
    assert_eq!(sizes(&all).iter().sum::<u64>(), 4457 + 6457);
    let none = picked(&bytes, SnapshotSelector::Number(2));
    assert_eq!(none.error.as_deref(), Some("no snapshot 2: the file has 0 to 1"));
    assert_eq!(records(&file("v2.4.json")).values("heap.snapshot"), [""; 0]);
}

/// As `sort` leaves a dump, and with roots between objects.
#[test]
fn lines_of_a_dump_may_have_any_order() {
    let text = String::from_utf8(file("v2.4.json")).expect("is text");
    let whole = records(text.as_bytes());
    let mut lines: Vec<&str> = text.lines().collect();
    let roots = lines.iter().filter(|line| line.contains("\"ROOT\"")).count();
    assert!(roots > 1 && lines.len() > 2 * roots, "{roots} roots");
    let of = |lines: &[&str]| {
        let bytes = lines.join("\n");
        let recorder = records(bytes.as_bytes());
        assert_eq!(recorder.values("ruby.note"), whole.values("ruby.note"));
        let facts = info(&Blob::from_bytes(bytes.as_bytes())).expect("can be read");
        assert_eq!(facts.snapshots.len(), 0);
        let mut edges = edges(&recorder);
        edges.sort_unstable();
        let sizes: u64 = recorder.all_nodes().iter().filter_map(|node| node.heap.size).sum();
        (recorder.all_nodes().len(), sizes, edges)
    };
    let expected = of(&lines);
    lines.sort_unstable();
    assert_eq!(of(&lines), expected);
    lines.reverse();
    assert_eq!(of(&lines), expected);
    lines.rotate_left(roots / 2 + 1);
    assert_eq!(of(&lines), expected);
}

/// A dump that was cut at the end of a line shows no other damage.
#[test]
fn roots_that_refer_to_what_is_missing_are_said() {
    let dump = |objects: u64| {
        let addresses: Vec<String> = (1..=40).map(|at| format!("\"0x{:x}\"", at * 16)).collect();
        let root =
            format!("{{\"type\":\"ROOT\", \"root\":\"vm\", \"references\":[{}]}}\n", addresses.join(", "));
        let object =
            |at: u64| format!("{{\"address\":\"0x{:x}\", \"type\":\"OBJECT\", \"memsize\":40}}\n", at * 16);
        root + &(1..=objects).map(object).collect::<String>()
    };
    let notes = |objects| records(dump(objects).as_bytes()).values("ruby.note").concat();
    assert!(notes(10).starts_with("30 of 40 references of the roots end at no object of the dump: "));
    assert_eq!(notes(20), "");
    assert_eq!(notes(40), "");
}

/// A part that was written later, without roots, replaces objects.
#[test]
fn of_a_repeated_address_the_last_line_counts() {
    let dump = b"{\"address\":\"0x10\", \"type\":\"OBJECT\", \"references\":[\"0x10\"], \"memsize\":40}\n\
        {\"address\":\"0x10\", \"type\":\"ARRAY\", \"length\":1, \"references\":[\"0x18\"], \"memsize\":80}\n";
    let recorder = records(dump);
    assert_eq!(recorder.values("heap.dangling"), ["any *"]);
    assert_eq!(recorder.all_nodes().len(), 1);
    assert_eq!(recorder.all_nodes()[0].heap.size, Some(80));
    assert_eq!(edges(&recorder), ["10 array element 0 18"]);
    assert_eq!(recorder.values("ruby.repeated"), ["1"]);
    let notes = recorder.values("ruby.note");
    assert!(notes.iter().any(|note| note.starts_with("addresses that several lines have: 1; ")), "{notes:?}");
}

#[test]
fn a_sink_gets_less_if_it_wants_less() {
    let bytes = file("cache-1.json.gz");
    let all = records(&bytes);
    for wants in [Wants::HEAD, Wants::NODES, Wants { edges: heap_record::wants::Edges::ById, ..Wants::HEAD }]
    {
        let some =
            Recorder::new(wants).with(|sink| read(&Blob::from_bytes(&*bytes), SnapshotSelector::Last, sink));
        assert_eq!(some.problems(), if wants.any_strings() { vec![] } else { some.problems() });
        if wants.any_nodes() {
            let brief = |recorder: &Recorder| -> Vec<_> {
                let text = |id: Option<i64>| id.map(|id| recorder.text(id).into_owned());
                let nodes = recorder.all_nodes();
                nodes.iter().step_by(97).map(|n| (n.id, n.subtype, n.heap.size, text(n.heap.class))).collect()
            };
            assert_eq!(brief(&some), brief(&all));
        }
        if wants.any_edges() {
            let ends = |recorder: &Recorder| -> Vec<_> {
                recorder.all_edges().iter().map(|e| (e.source, e.subtype, e.dest)).collect()
            };
            assert_eq!(ends(&some), ends(&all));
        }
    }
}

#[test]
fn sniff_and_info() {
    for name in ["v2.1.json", "v2.4.json", "jq-compact.json", "torn-method.json", "twice.json"] {
        assert!(sniff(&file(name)), "{name}");
    }
    for head in [
        &b"{\"type\":\"ROOT\", \"root\":\"vm\", \"references\":[\"0x7f"[..],
        b"\n{\"address\":\"0x7f0000001000\", \"type\":\"CLASS\", \"class\":\"0x7f00",
        b"{\"class\":\"0x10\",\"address\":\"0x10\",\"type\":\"HASH\"}\n",
    ] {
        assert!(sniff(head), "{}", String::from_utf8_lossy(head));
    }
    for head in [
        &b""[..],
        b"{\"type\":\"node\",\"subtype\":4,\"identifier\":1}",
        b"{\"type\":\"SYMBOL\", \"value\":\"static\"}",
        b"{\"address\":\"0x10\", \"type\":\"NEITHER\"}",
        b"{\"address\":\"0x10\"}",
        b"null",
    ] {
        assert!(!sniff(head), "{}", String::from_utf8_lossy(head));
    }
    let facts = |name: &str| format!("{:?}", info(&Blob::from_bytes(file(name))).expect("reads").facts);
    assert!(facts("cache-1.json.gz").contains("(\"traced\", Flag(true))"));
    assert!(facts("v2.4.json").contains("(\"objects\", Int(10))"));
    assert!(facts("cut-in-line.json").contains("line 10: a text lacks its closing quote"));
}

#[test]
fn a_cut_anywhere_leaves_all_complete_lines() {
    let bytes = file("v2.4.json");
    let whole = records(&bytes);
    for cut in 0..bytes.len() {
        let part = &bytes[..cut];
        let recorder = records(part);
        let lines = part.split(|&b| b == b'\n').filter(|line| line.ends_with(b"}"));
        let complete = lines.clone().filter(|line| line.starts_with(b"{\"address\"") && !open(line));
        let roots = lines.filter(|line| line.starts_with(b"{\"type\"")).count().min(2);
        let nodes = recorder.all_nodes();
        assert_eq!(nodes.len(), complete.count() + roots, "cut to {cut}");
        let last = part.rsplit(|&b| b == b'\n').next().unwrap_or_default();
        let broken = !last.is_empty() && (!last.ends_with(b"}") || open(last));
        assert_eq!(recorder.error.is_some(), broken, "cut to {cut}: {:?}", recorder.error);
        assert!(nodes.iter().all(|n| whole.all_nodes().iter().any(|w| w.id == n.id)), "cut to {cut}");
    }
    /// Whether the line ends behind the flags, before the object does.
    fn open(line: &[u8]) -> bool {
        line.iter().filter(|&&b| b == b'{').count() != line.iter().filter(|&&b| b == b'}').count()
    }
}

#[test]
fn flipped_bytes_do_no_harm() {
    for name in ["torn-method.json", "jq-compact.json", "self-and-null.json"] {
        let bytes = file(name);
        for at in 0..bytes.len() {
            for mask in [1, 0x80, 0xff, 0x20] {
                let mut bytes = bytes.clone();
                bytes[at] ^= mask;
                let recorder = records(&bytes);
                assert_eq!(recorder.problems(), [""; 0], "{name}: byte {at} ^ {mask:#x}");
            }
        }
    }
}

/// Shapes in a ring, classes in a ring, and a chain of singletons: no name, no label, and an end.
#[test]
fn rings_come_to_an_end() -> Result {
    let mut dump = String::from(
        "{\"address\":\"0x8\", \"type\":\"OBJECT\", \"shape_id\":1, \"class\":\"0x100\", \"references\":[\"0x8\"]}\n\
         {\"address\":\"0x10\", \"type\":\"SHAPE\", \"id\":1, \"parent_id\":2, \"shape_type\":\"IVAR\", \"edge_name\":\"@a\"}\n\
         {\"address\":\"0x18\", \"type\":\"SHAPE\", \"id\":2, \"parent_id\":1, \"shape_type\":\"ROOT\"}\n",
    );
    for i in 0..3000 {
        let (own, above) = (0x100 + 8 * i, 0x100 + 8 * ((i + 1) % 3000));
        dump += &format!(
            "{{\"address\":\"{own:#x}\", \"type\":\"ICLASS\", \"class\":\"{above:#x}\", \"superclass\":\"{above:#x}\"}}\n"
        );
    }
    let recorder = records(dump.as_bytes());
    assert_eq!(recorder.error, None);
    assert_eq!(edges(&recorder)[1], "8 object property - 8");
    Ok(())
}
