//! Each rule broken in a small stream, and nothing found in a sound one.
#![cfg(test)]

use heap_base::Error;
use heap_record::{Sink, SnapshotSelector};

use super::{Check, Chosen, Config, RULES, Rule};

/// A sound stream: a root, two objects, a string; every kind of reference.
const SOUND: [&str; 26] = [
    r#"{"type":"metadata","key":"version_major","value":"1"}"#,
    r#"{"type":"metadata","key":"heap.identifier","value":"index"}"#,
    r#"{"type":"metadata","key":"heap.root","value":"1"}"#,
    r#"{"type":"metadata","key":"dart.object_count","value":"4"}"#,
    r#"{"type":"type","name":"node","fields":{"heap.size":"integer","x.flag":"boolean","x.of":"value"}}"#,
    r#"{"type":"type","name":"edge","fields":{"x.place":"integer"}}"#,
    r#"{"type":"type","name":"x.note","fields":{"node":"value","text":"string","at":"float","word":"text"}}"#,
    r#"{"type":"node_type","nodetypeid":1,"name":"heap.root"}"#,
    r#"{"type":"node_type","nodetypeid":2,"name":"object","table_name":"object","fields":{"constructor":"value"}}"#,
    r#"{"type":"node_type","nodetypeid":3,"name":"string_flat","fields":{"data":"string","length":"integer"}}"#,
    r#"{"type":"edge_type","edgetypeid":1,"name":"object property"}"#,
    r#"{"type":"string","stringid":1,"data":"A"}"#,
    r#"{"type":"string","stringid":2,"data":"a\"b"}"#,
    r#"{"type":"string","stringid":-1,"data":"0"}"#,
    r#"{"type":"string","stringid":900000000000,"data":"far"}"#,
    r#"{"type":"node","subtype":1,"identifier":1,"heap":{"size":0}}"#,
    r#"{"type":"node","subtype":2,"identifier":3,"constructor":5,"heap":{"size":16,"class":1,"name":900000000000},"x":{"flag":true,"of":7}}"#,
    r#"{"type":"node","subtype":2,"identifier":5,"heap":{"size":8,"class":1}}"#,
    r#"{"type":"node","subtype":3,"identifier":7,"data":2,"length":3,"heap":{"size":24}}"#,
    r#"{"type":"edge","subtype":1,"source":1,"dest":3,"label":1}"#,
    r#"{"type":"edge","subtype":1,"source":3,"dest":7,"label":-1,"x":{"place":4}}"#,
    r#"{"type":"edge","subtype":1,"source":3,"dest":84,"label":2}"#,
    r#"{"type":"edge","subtype":1,"source":3,"label":2,"heap":{"value":1.5}}"#,
    r#"{"type":"edge","subtype":1,"source":3,"dest":5}"#,
    r#"{"type":"x.note","node":3,"text":2,"at":1,"word":"w"}"#,
    r#"{"type":"metadata","key":"heap.end","value":"nodes=4 edges=5 strings=4"}"#,
];

fn config() -> Config {
    Config { rules: Chosen::FAULTS, limit: 100, graph: true, stored: true }
}

fn run(lines: &[String], config: Config) -> String {
    let text = lines.join("\n") + "\n";
    let mut check = Check::new(config);
    heap_record::read::read(text.as_bytes(), SnapshotSelector::All, &mut check).expect("records");
    check.finish(true).expect("judged");
    findings(check)
}

fn findings(check: Check) -> String {
    let found = check.found();
    let rows = check.into_findings();
    assert_eq!(found, rows.iter().any(|row| !row.rule.is_information()));
    let line = |row: super::Finding| {
        let mut out = row.rule.name().to_owned();
        let parts = [
            (" @", row.number),
            (" line ", row.line.map(|n| n as i64)),
            (" byte ", row.byte.map(|n| n as i64)),
        ];
        for (sign, n) in parts {
            out += &n.map_or_else(String::new, |n| format!("{sign}{n}"));
        }
        out += &row.snapshot.map_or_else(String::new, |n| format!(" snapshot {n}"));
        out + ": " + &row.text + "\n"
    };
    rows.into_iter().map(line).collect()
}

fn sound() -> Vec<String> {
    SOUND.map(str::to_owned).to_vec()
}

/// The sound stream with one line (counted from 1) replaced; none if it is empty.
fn with(number: usize, line: &str) -> Vec<String> {
    let mut lines = sound();
    if line.is_empty() {
        lines.remove(number - 1);
    } else {
        line.clone_into(&mut lines[number - 1]);
    }
    lines
}

#[test]
fn a_sound_stream_has_no_findings() {
    assert_eq!(run(&sound(), config()), "");
    assert_eq!(run(&sound(), Config { graph: false, ..config() }), "");
    let info = config().rules.with(Rule::Checked).with(Rule::Unreachable);
    assert_eq!(run(&sound(), Config { rules: info, ..config() }), "checked: 4 nodes, 5 edges, 4 strings\n");
}

/// Records may come in any order.
#[test]
fn order_does_not_matter() {
    let mut lines = sound();
    for turn in 1..15 {
        lines[11..25].rotate_left(turn);
        assert_eq!(run(&lines, config()), "", "{lines:#?}");
    }
}

#[test]
fn two_streams_and_snapshots_are_each_judged_for_themselves() {
    let twice = [sound(), sound()].concat();
    assert_eq!(run(&twice, config()), "");
    let mut lines = sound();
    lines.remove(3);
    let end = lines.pop().expect("an end").replace("nodes=4 edges=5", "nodes=8 edges=10");
    let body = lines[14..].to_vec();
    let snapshot = |n: u32| format!("{{\"type\":\"metadata\",\"key\":\"heap.snapshot\",\"value\":\"{n}\"}}");
    lines.insert(2, snapshot(0));
    lines.push(snapshot(1));
    lines.push(SOUND[2].to_owned());
    lines.extend(body);
    lines.push(end);
    assert_eq!(run(&lines, config()), "");
    let last = lines.iter().rposition(|line| line.contains("\"identifier\":5,")).expect("a node");
    lines[last] = lines[last].replace("\"identifier\":5,", "\"identifier\":9,");
    assert_eq!(
        run(&lines, config()),
        "dangling-edge @1 line 36 snapshot 1: an edge from @1 ends at @2, which is no node\n\
         dangling-field @1 line 29 snapshot 1: constructor of object names @2, which is no node\n"
    );
}

/// Strings may come anew in each snapshot, and what stands in front of the first is said of all.
#[test]
fn strings_that_come_anew_and_a_root_in_front_are_sound() {
    let snapshot = |n: u32| format!("{{\"type\":\"metadata\",\"key\":\"heap.snapshot\",\"value\":\"{n}\"}}");
    let mut lines = sound();
    lines.remove(3);
    let end =
        lines.pop().expect("an end").replace("nodes=4 edges=5 strings=4", "nodes=12 edges=15 strings=12");
    let body = lines.split_off(10);
    for n in 0..3 {
        lines.push(snapshot(n));
        lines.extend(
            body.iter().map(|line| line.replace("\"data\":\"A\"", &format!("\"data\":\"A{}\"", n % 2))),
        );
    }
    lines.push(end);
    assert_eq!(run(&lines, config()), "");
    lines.insert(lines.len() - 1, r#"{"type":"string","stringid":1,"data":"A1"}"#.to_owned());
    let found = run(&lines, Config { rules: Chosen::NONE.with(Rule::StringTwice), ..config() });
    assert!(found.contains("snapshot 2: string 1 had another text"), "{found}");
}

#[test]
fn every_rule_finds_what_breaks_it() {
    let cases: &[(usize, &str, &str)] = &[
        (1, "", "missing-version line 4: records come before a metadata record version_major\n"),
        (
            1,
            r#"{"type":"metadata","key":"version_major","value":"2"}"#,
            "unknown-version line 1: version_major is \"2\", expected \"1\"\n",
        ),
        (26, "", "missing-end: no heap.end after 4 nodes, 5 edges and 4 strings\n"),
        (
            26,
            r#"{"type":"metadata","key":"heap.end","value":"nodes=5 edges=5 strings=4"}"#,
            "wrong-end line 26: the end mark says \"nodes=5 edges=5 strings=4\", there are nodes=4 edges=5 strings=4\n",
        ),
        (
            11,
            r#"{"type":"node_type","nodetypeid":2,"name":"array"}"#,
            "redeclared line 11: node subtype 2 is declared as \"object\" and as \"array\"\n\
             undeclared-subtype @0 line 20: edge subtype 1 is not declared, and in 4 more records\n\
             undeclared-field @1 line 17: array has a field \"constructor\" that is not declared\n",
        ),
        (8, "", "undeclared-subtype @0 line 15: node subtype 1 is not declared\n"),
        (7, "", "undeclared-record line 24: records of type \"x.note\" are not declared\n"),
        (
            18,
            r#"{"type":"node","subtype":2,"identifier":5,"odd":"x","heap":{"size":8,"class":1,"new":1}}"#,
            "undeclared-field @2 line 18: object has a field \"odd\" that is not declared\n\
             undeclared-field @2 line 18: object has a field \"heap.new\" that is not declared\n",
        ),
        (
            25,
            r#"{"type":"x.note","node":"?","text":1.5,"at":true,"word":1}"#,
            "mistyped-field line 25: x.note has \"node\" = \"?\", declared as value\n\
             mistyped-field line 25: x.note has \"text\" = 1.5, declared as string\n\
             mistyped-field line 25: x.note has \"at\" = true, declared as float\n\
             mistyped-field line 25: x.note has \"word\" = 1, declared as text\n",
        ),
        (
            12,
            r#"{"type":"string","stringid":2,"data":"A"}"#,
            "string-twice line 13: string 2 had another text in a record before\n\
             missing-string @1 line 17: heap.class refers to string 1, which has no text (and 2 more)\n",
        ),
        (
            15,
            r#"{"type":"string","stringid":2,"data":"a\u0022b"}"#,
            "missing-string @1 line 17: heap.name refers to string 900000000000, which has no text\n",
        ),
        (
            18,
            r#"{"type":"node","subtype":2,"identifier":3,"heap":{"size":8,"class":1}}"#,
            "duplicate-identifier @1 line 18: identifier 3 occurs again\n\
             dangling-edge @1 line 24: an edge from @1 ends at @2, which is no node\n\
             dangling-field @1 line 17: constructor of object names @2, which is no node\n",
        ),
        (
            2,
            r#"{"type":"metadata","key":"heap.identifier","value":"serial"}"#,
            "identifier-rule line 2: heap.identifier is \"serial\", expected v8, index or address\n",
        ),
        (
            18,
            r#"{"type":"node","subtype":2,"identifier":-5,"heap":{"size":8,"class":1}}"#,
            "identifier-rule @-3 line 18: identifier -5 is negative under the rule index\n\
             dangling-edge @1 line 24: an edge from @1 ends at @2, which is no node\n\
             dangling-field @1 line 17: constructor of object names @2, which is no node\n",
        ),
        (
            18,
            r#"{"type":"node","subtype":2,"identifier":5,"heap":{"size":"0xfffffffffffffff8","class":1}}"#,
            "absurd-size @2 line 18: heap.size is 18446744073709551608 (-8 with a sign)\n\
             absurd-size: the sizes of all nodes add up to more than 64 bits hold\n",
        ),
        (
            24,
            r#"{"type":"edge","subtype":1,"source":9,"dest":5}"#,
            "dangling-edge @4 line 24: an edge starts at @4, which is no node\n",
        ),
        (
            24,
            r#"{"type":"edge","subtype":1,"source":5}"#,
            "no-dest @2 line 24: an edge from @2 has neither dest nor heap.value\n",
        ),
        (
            25,
            r#"{"type":"x.note","node":11,"text":12}"#,
            "missing-string line 25: text of x.note refers to string 12, which has no text\n\
             dangling-field line 25: node of x.note names @5, which is no node\n",
        ),
        (
            3,
            r#"{"type":"metadata","key":"heap.root","value":"13"}"#,
            "lost-root @6 line 3: @6 is named as a root and is no node\n",
        ),
        (
            3,
            r#"{"type":"metadata","key":"heap.root","value":"top"}"#,
            "lost-root line 3: heap.root is \"top\", which is no identifier\n",
        ),
        (
            4,
            r#"{"type":"metadata","key":"dart.object_count","value":"5"}"#,
            "total line 4: dart.object_count says 5, there are 4\n",
        ),
        (
            4,
            r#"{"type":"metadata","key":"v8.snapshot","value":"{\"node_count\":4,\"edge_count\":7}"}"#,
            "total line 4: edge_count says 7, there are 5\n",
        ),
        (
            18,
            r#"{"type":"node","subtype":2,"identifier":5,"heap":{"size":8,"class":1,"retained":7}}"#,
            "conservation: 48 bytes in all, annotated as 7 retained by the roots and 0 outside\n\
             annotation @2 line 18: heap.retained is 7, heap.size 8\n",
        ),
        (
            16,
            r#"{"type":"node","subtype":1,"identifier":1,"heap":{"size":0,"count":0},"x":{"skipped":3}}"#,
            "undeclared-field @0 line 16: heap.root has a field \"x.skipped\" that is not declared\n\
             left-out @0 line 16: x.skipped: 3\n",
        ),
        (
            4,
            r#"{"type":"metadata","key":"x.warning","value":"this is odd"}"#,
            "source-warning line 4: this is odd\n",
        ),
    ];
    for (line, new, expected) in cases {
        assert_eq!(run(&with(*line, new), config()), *expected, "line {line}: {new}");
    }
}

#[test]
fn records_after_the_end_mark_are_found() {
    let mut lines = sound();
    lines.push(SOUND[24].to_owned());
    assert_eq!(
        run(&lines, config()),
        "missing-end: no heap.end after 4 nodes, 5 edges and 4 strings\n\
         wrong-end line 27: records follow the end mark\n"
    );
}

#[test]
fn totals_do_not_hold_for_what_a_filter_left() {
    let pipeline =
        |tool: &str| format!("{{\"type\":\"metadata\",\"key\":\"heap.pipeline\",\"value\":\"{tool}\"}}");
    let mut lines = with(4, r#"{"type":"metadata","key":"dart.object_count","value":"9"}"#);
    lines.insert(4, pipeline("heap-cat 0.1.0"));
    assert_eq!(run(&lines, config()), "total line 4: dart.object_count says 9, there are 4\n");
    lines[4] = pipeline("heap-filter 0.1.0 --type Array");
    assert_eq!(run(&lines, config()), "");
    lines[4] = pipeline("heap-cat 0.1.0 --only node");
    assert_eq!(run(&lines, config()), "");
}

#[test]
fn tables_of_allocators_are_added_up() {
    let stream = |total: u64, virtual_size: u64| {
        [
            r#"{"type":"metadata","key":"version_major","value":"1"}"#.to_owned(),
            r#"{"type":"metadata","key":"heap.root","value":"1"}"#.to_owned(),
            r#"{"type":"type","name":"node","fields":{"chrome.pid":"integer","chrome.allocator":"string","chrome.format":"string"}}"#.to_owned(),
            r#"{"type":"type","name":"chrome.total","fields":{"pid":"integer","allocator":"string","attribute":"string","value":"integer"}}"#.to_owned(),
            r#"{"type":"node_type","nodetypeid":1,"name":"heap.root"}"#.to_owned(),
            r#"{"type":"node_type","nodetypeid":3,"name":"heap.allocation"}"#.to_owned(),
            r#"{"type":"edge_type","edgetypeid":1,"name":"heap.allocated"}"#.to_owned(),
            r#"{"type":"string","stringid":1,"data":"malloc"}"#.to_owned(),
            r#"{"type":"string","stringid":2,"data":"v2"}"#.to_owned(),
            r#"{"type":"string","stringid":3,"data":"size"}"#.to_owned(),
            r#"{"type":"string","stringid":4,"data":"virtual_size"}"#.to_owned(),
            r#"{"type":"node","subtype":1,"identifier":1,"heap":{"size":0,"count":0},"chrome":{"pid":7,"allocator":1,"format":2}}"#.to_owned(),
            r#"{"type":"node","subtype":3,"identifier":3,"heap":{"size":40},"chrome":{"pid":7,"allocator":1}}"#.to_owned(),
            r#"{"type":"node","subtype":3,"identifier":5,"heap":{"size":2},"chrome":{"pid":7,"allocator":1}}"#.to_owned(),
            r#"{"type":"edge","subtype":1,"source":1,"dest":3}"#.to_owned(),
            format!(r#"{{"type":"chrome.total","pid":7,"allocator":1,"attribute":3,"value":{total}}}"#),
            format!(r#"{{"type":"chrome.total","pid":7,"allocator":1,"attribute":4,"value":{virtual_size}}}"#),
        ]
    };
    let config = Config { rules: config().rules.with(Rule::Unreachable), stored: false, ..config() };
    let lost = "unreachable: 1 of 3 nodes with 2 bytes are reached by no root\n";
    assert_eq!(run(&stream(42, 42), config), lost);
    assert_eq!(run(&stream(43, 50), config), lost);
    let total = "total line 16: chrome.total: process 7 says 43 bytes, its allocations are 42\n";
    assert_eq!(run(&stream(43, 43), config), total.to_owned() + lost);
}

#[test]
fn score_lists_are_counted_again() {
    let stream = |count: u64, bytes: u64| {
        let score = |order: &str, id: u32, n: u64| {
            format!(r#"{{"type":"moar.highscore","order":"{order}","rank":0,"id":{id},"score":{n}}}"#)
        };
        vec![
            r#"{"type":"metadata","key":"version_major","value":"1"}"#.to_owned(),
            r#"{"type":"metadata","key":"moar.total_heap_size","value":"30"}"#.to_owned(),
            r#"{"type":"metadata","key":"moar.total_frames","value":"0"}"#.to_owned(),
            r#"{"type":"type","name":"node","fields":{"moar.type":"integer"}}"#.to_owned(),
            r#"{"type":"type","name":"moar.highscore","fields":{"order":"text","rank":"integer","id":"integer","score":"integer"}}"#.to_owned(),
            r#"{"type":"node_type","nodetypeid":1,"name":"moar.object"}"#.to_owned(),
            r#"{"type":"node","subtype":1,"identifier":1,"heap":{"size":8,"external":2},"moar":{"type":4}}"#.to_owned(),
            r#"{"type":"node","subtype":1,"identifier":3,"heap":{"size":20},"moar":{"type":4}}"#.to_owned(),
            score("types_by_count", 4, count),
            score("types_by_size", 4, bytes),
            score("types_by_size", 99, 0),
        ]
    };
    let config = Config { stored: false, ..config() };
    assert_eq!(run(&stream(2, 30), config), "");
    assert_eq!(
        run(&stream(3, 29), config),
        "total line 9: moar.highscore: types_by_count has 3 for number 4, the nodes give 2\n\
         total line 10: moar.highscore: types_by_size has 29 for number 4, the nodes give 30\n"
    );
}

#[test]
fn a_part_of_a_heap_may_refer_to_the_rest() {
    let mut lines = sound();
    let last = lines.iter().rposition(|line| line.contains("\"identifier\":5,")).expect("a node");
    lines[last] = lines[last].replace("\"identifier\":5,", "\"identifier\":9,");
    assert_eq!(run(&lines, config()).lines().count(), 2);
    lines.insert(2, "{\"type\":\"metadata\",\"key\":\"heap.dangling\",\"value\":\"any *\"}".to_owned());
    assert_eq!(run(&lines, config()), "");
    let info = Config { rules: Chosen::NONE.with(Rule::LeftDangling), ..config() };
    assert_eq!(run(&lines, info), "left-dangling: 2 references end at 1 nodes that the source left out\n");
    // What nothing explains is found.
    let edge = lines.iter().rposition(|line| line.contains("\"source\":1,")).expect("an edge");
    lines[edge] = lines[edge].replace("\"source\":1,", "\"source\":11,");
    assert!(run(&lines, config()).starts_with("dangling-edge"), "{}", run(&lines, config()));
}

#[test]
fn rows_are_bounded_and_the_rest_is_counted() {
    let mut lines = sound();
    let end = lines.pop().expect("an end").replace("edges=5", "edges=12");
    for i in 0..7 {
        lines.push(format!("{{\"type\":\"edge\",\"subtype\":1,\"source\":3,\"dest\":{}}}", 101 + 2 * i));
    }
    lines.push(end);
    let expected = "dangling-edge @1 line 26: an edge from @1 ends at @50, which is no node\n\
                    dangling-edge @1 line 27: an edge from @1 ends at @51, which is no node\n\
                    dangling-edge: 5 more of this kind\n";
    assert_eq!(run(&lines, Config { limit: 2, ..config() }), expected);
    assert_eq!(run(&lines, Config { limit: 0, ..config() }), "dangling-edge: 7 of this kind\n");
    let without = config().rules.without(Rule::DanglingEdge);
    assert_eq!(run(&lines, Config { rules: without, ..config() }), "");
    let only = Chosen::NONE.with(Rule::MissingEnd);
    assert_eq!(run(&lines, Config { rules: only, ..config() }), "");
}

/// Edges to nodes 50, 51, … from the nodes 1 and 4, so many each, of a source that says something about them.
fn dangling(said: &str, from: [usize; 2]) -> Vec<String> {
    let mut lines = sound();
    let end = lines.pop().expect("an end").replace("edges=5", &format!("edges={}", 5 + from[0] + from[1]));
    lines.insert(3, format!(r#"{{"type":"metadata","key":"heap.dangling","value":"{said}"}}"#));
    let sources = [vec![3; from[0]], vec![7; from[1]]].concat();
    for (dest, source) in (101..).step_by(2).zip(sources) {
        lines.push(format!("{{\"type\":\"edge\",\"subtype\":1,\"source\":{source},\"dest\":{dest}}}"));
    }
    lines.push(end);
    lines
}

#[test]
fn what_a_source_leaves_dangling_is_a_note_with_a_count() {
    let info =
        Config { rules: Chosen::of(Chosen::NONE.with(Rule::DanglingEdge), Chosen::NONE, true), ..config() };
    let found = |lines: &[String]| {
        let text = run(lines, info);
        text.lines()
            .filter(|line| line.contains("dangling"))
            .flat_map(|line| [line, "\n"])
            .collect::<String>()
    };
    let all = "left-dangling: 20 edges \"object property\" end at 20 nodes that the source left out\n";
    assert_eq!(found(&dangling("any object property", [18, 2])), all);
    let one =
        "left-dangling @1: 20 edges \"object property\" from @1 end at 20 nodes that the source left out\n";
    assert_eq!(found(&dangling("one object property", [20, 0])), one);
    assert_eq!(run(&dangling("one object property", [20, 0]), config()), "");
    // A source that knows their number has few, too; one more or less is damage.
    let two =
        "left-dangling @1: 2 edges \"object property\" from @1 end at 2 nodes that the source left out\n";
    assert_eq!(found(&dangling("2 object property", [2, 0])), two);
    for from in [[1, 0], [3, 0]] {
        assert_eq!(found(&dangling("2 object property", from)).matches("dangling-edge").count(), from[0]);
    }
    // Another node that does so is damaged, and so is one with few.
    let found_one = found(&dangling("one object property", [20, 1]));
    assert_eq!(
        found_one.lines().next(),
        Some("dangling-edge @3 line 47: an edge from @3 ends at @70, which is no node")
    );
    assert_eq!(found(&dangling("one object property", [2, 0])).matches("dangling-edge").count(), 2);
    assert_eq!(found(&dangling("any array element", [2, 0])).matches("dangling-edge").count(), 2);
}

/// What could be a consequence of damage is no finding.
#[test]
fn damage_is_the_finding() {
    for cut in 1..SOUND.len() {
        let text = SOUND[..cut].join("\n") + "\n{\"type\":\n";
        let mut check = Check::new(config());
        let read = heap_record::read::read(text.as_bytes(), SnapshotSelector::All, &mut check);
        let damage = read.as_ref().expect_err("damage").to_string();
        assert_eq!(check.end(read).expect("judged").map(|e| e.to_string()), Some(damage));
        let findings = findings(check);
        assert!(
            findings.starts_with(&format!("damaged line {}: ", cut + 1)) && findings.lines().count() == 1,
            "{findings}"
        );
    }
    let mut check = Check::new(config());
    let error = check.end(Err(Error::at_byte(7, "a table ends early"))).expect("judged");
    assert_eq!(error.map(|e| e.to_string()).as_deref(), Some("byte 7: a table ends early"));
    assert_eq!(findings(check), "damaged byte 7: a table ends early\n");
}

/// Only damage of the input is a finding. Other errors of the reader come back, and a failed write is an error.
#[test]
fn an_end_that_is_no_damage_is_no_finding() {
    let end = |read| {
        let mut check = Check::new(config());
        let end = check.end(read);
        (end.map(|e| e.map(|e| e.to_string())).map_err(|e| e.to_string()), check)
    };
    let refused = "several snapshots";
    let (error, check) = end(Err(Error::refused(refused)));
    assert_eq!((error, findings(check).as_str()), (Ok(Some(refused.to_owned())), ""));
    let full = || std::io::Error::other("disk full");
    let (error, check) = end(Err(Error::read(full())));
    assert_eq!((error, findings(check).as_str()), (Ok(Some("disk full".to_owned())), ""));
    let (error, _) = end(Err(Error::write(full())));
    assert_eq!(error, Err("disk full".to_owned()));

    let (error, check) = end(Ok(()));
    let nothing = "missing-version: records come before a metadata record version_major\n";
    assert_eq!((error, findings(check).as_str()), (Ok(None), nothing));
}

/// Stacks of what is allocated are called as the stream says, and each snapshot has its own.
#[test]
fn stacks_that_nodes_name_are_there() {
    let of = |frames: &[&str]| {
        let mut lines = sound();
        lines[4] = lines[4].replace(r#""x.of":"value""#, r#""x.of":"value","y.stack":"integer""#);
        lines[17] = lines[17].replace(r#""class":1}"#, r#""class":1},"y":{"stack":6}"#);
        lines[18] = lines[18].replace(r#""size":24}"#, r#""size":24},"y":{"stack":6}"#);
        let declared = [
            r#"{"type":"metadata","key":"heap.stacks","value":"y.stack y.frame y.method"}"#,
            r#"{"type":"type","name":"y.method","fields":{"line":"integer"}}"#,
            r#"{"type":"type","name":"y.frame","fields":{"id":"integer","parent":"integer","function":"integer"}}"#,
        ];
        let frames = declared.iter().chain(frames).map(|&line| line.to_owned());
        lines.splice(11..11, frames);
        lines
    };
    let method = r#"{"type":"y.method","line":4}"#;
    let frame = |frame: &str| format!(r#"{{"type":"y.frame",{frame}}}"#);
    let (outer, inner) = (frame(r#""id":9,"function":0"#), frame(r#""id":6,"parent":9,"function":0"#));
    let all = of(&[method, &outer, &inner]);
    assert_eq!(run(&all, config()), "");
    let lost = |frames: &[&str]| run(&of(frames), config());
    let stack = "y.stack of a node names y.frame 6, which is not there (and 1 more)";
    assert_eq!(lost(&[method, &outer]), format!("record-number @2 line 23: {stack}\n"));
    let parent = "record-number line 16: parent of y.frame names y.frame 9, which is not there\n";
    assert_eq!(lost(&[method, &inner]), parent);
    let function =
        "record-number line 15: function of y.frame names y.method 0, which is not there (and 1 more)\n";
    assert_eq!(lost(&[&outer, &inner]), function);
    // The numbers of another snapshot are others.
    let mut lines = all.clone();
    lines.pop();
    for (snapshot, at) in [(0, 11), (1, lines.len() + 1)] {
        lines.insert(at, format!(r#"{{"type":"metadata","key":"heap.snapshot","value":"{snapshot}"}}"#));
    }
    let again = all[14..all.len() - 1].iter().filter(|line| !line.contains(r#""type":"string""#)).cloned();
    lines.extend(again.clone());
    let end = r#"{"type":"metadata","key":"heap.end","value":"nodes=8 edges=10 strings=4"}"#;
    lines.push(end.to_owned());
    assert!(!run(&lines, config()).contains("record-number"));
    lines.retain(|line| {
        !line.contains("y.method\"") || line.contains("fields") || line.contains("heap.stacks")
    });
    assert!(run(&lines, config()).contains("snapshot 1: function of y.frame names y.method 0"));
}

#[test]
fn rules_are_chosen_by_what_is_asked_for() {
    let set = |rules: &[Rule]| rules.iter().copied().fold(Chosen::NONE, Chosen::with);
    let all = |rules: Chosen| RULES.iter().map(|about| about.rule).filter(|rule| rules.has(*rule)).collect();
    let of = |only: &[Rule], ignored: &[Rule], info| -> Vec<Rule> {
        all(Chosen::of(set(only), set(ignored), info))
    };
    let everything: Vec<_> = RULES.iter().map(|about| about.rule).collect();
    let faults: Vec<_> = everything.iter().copied().filter(|rule| !rule.is_information()).collect();
    assert_eq!(of(&[], &[], false), faults);
    assert_eq!(of(&[], &[], true), everything);
    assert_eq!(of(&[Rule::Total], &[], false), [Rule::Total]);
    let information = [Rule::Unreachable, Rule::LeftDangling, Rule::Checked];
    assert_eq!(of(&[Rule::Total], &[], true), [&[Rule::Total][..], &information].concat());
    // A rule may be information, and what is ignored is not looked for whoever asks.
    assert_eq!(of(&[Rule::Checked, Rule::Total], &[], false), [Rule::Total, Rule::Checked]);
    assert_eq!(of(&[Rule::Total], &[Rule::Total, Rule::Checked], true), information[..2]);
    assert_eq!(of(&[Rule::Total], &[Rule::Total], false), []);
    let but_one: Vec<_> = faults.iter().copied().filter(|rule| *rule != Rule::Redeclared).collect();
    assert_eq!(of(&[], &[Rule::Redeclared], false), but_one);
}

/// Every line cut anywhere or with a byte changed ends in findings or damage, never in a panic.
#[test]
fn changed_bytes_do_no_harm() {
    let text = SOUND.join("\n") + "\n";
    for at in 0..text.len() {
        for byte in [b'0', b'"', b'-', b'}'] {
            let mut bytes = text.clone().into_bytes();
            bytes[at] = byte;
            for bytes in [&bytes[..], &bytes[..at]] {
                let mut check = Check::new(config());
                let result = heap_record::read::read(bytes, SnapshotSelector::All, &mut check);
                check.finish(result.is_ok()).expect("judged");
            }
        }
    }
}

#[test]
fn names_of_rules_are_found_and_ordered() {
    for (i, about) in RULES.iter().enumerate() {
        assert_eq!(Rule::named(about.name), Some(about.rule));
        assert_eq!(about.rule as usize, i, "{}", about.name);
        assert!(!about.about.ends_with('.') && about.about.starts_with(char::is_lowercase));
    }
    assert_eq!(Rule::named("nonsense"), None);
    // The page lists them all, in this order.
    let mut page = include_str!("../../../../man/heap-check.1");
    for about in RULES {
        let item = format!("\n.It Sy {}\n", about.name.replace('-', "\\-"));
        let at = page.find(&item).unwrap_or_else(|| panic!("heap-check.1 lacks {}", about.name));
        page = &page[at + 1..];
    }
}
