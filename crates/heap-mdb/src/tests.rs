//! A small dump of all kinds, lines that are wrong, cuts.

use heap_base::{Blob, Result};
use heap_record::{Sink, SnapshotSelector, Writer};

use crate::{info, read, sniff};

const KINDS: &[u8] = include_bytes!("../../../tests/data/mdb/kinds.mdbv8heap");

fn stream(bytes: &[u8]) -> (String, Result) {
    let mut out = Writer::new(Vec::new());
    let result = read(&Blob::from_bytes(bytes), SnapshotSelector::Last, &mut out);
    // The reader alone gives no head, so there is no mark either way.
    out.finish(true).expect("a vector");
    (String::from_utf8(out.into_inner()).expect("the writer writes UTF-8"), result)
}

#[test]
fn all_kinds() {
    let (records, result) = stream(KINDS);
    result.expect("is intact");
    let lines: Vec<_> = records.lines().skip(15).collect();
    assert_eq!(
        lines,
        [
            r#"{"type":"string","stringid":1,"data":"Buffer"}"#,
            r#"{"type":"node","subtype":1,"identifier":3080869201,"heap":{"class":1}}"#,
            r#"{"type":"string","stringid":2,"data":"Account"}"#,
            r#"{"type":"node","subtype":1,"identifier":3093396893,"heap":{"class":2}}"#,
            r#"{"type":"node","subtype":7,"identifier":3093396897,"value":1.5}"#,
            r#"{"type":"node","subtype":7,"identifier":3093396901,"value":"NaN"}"#,
            r#"{"type":"string","stringid":3,"data":"say \"hi\"\n€"}"#,
            r#"{"type":"node","subtype":3,"identifier":3093396905,"data":3}"#,
            r#"{"type":"string","stringid":4,"data":"greet me"}"#,
            r#"{"type":"node","subtype":4,"identifier":3093396909,"heap":{"name":4}}"#,
            r#"{"type":"string","stringid":5,"data":"run"}"#,
            r#"{"type":"string","stringid":6,"data":"lib/run.js"}"#,
            r#"{"type":"node","subtype":4,"identifier":3093396913,"heap":{"name":5},"mdb":{"script_name":6,"position":120}}"#,
            r#"{"type":"node","subtype":2,"identifier":3093396917,"length":2}"#,
            r#"{"type":"node","subtype":2,"identifier":3093396921,"length":0}"#,
            r#"{"type":"node","subtype":6,"identifier":3093396925,"timestamp":1475688184306.0}"#,
            r#"{"type":"string","stringid":7,"data":"^a b$"}"#,
            r#"{"type":"string","stringid":8,"data":"gi"}"#,
            r#"{"type":"node","subtype":5,"identifier":3093396929,"source":7,"flags":8}"#,
            r#"{"type":"string","stringid":9,"data":"undefined"}"#,
            r#"{"type":"node","subtype":8,"identifier":3093396933,"name":9}"#,
            r#"{"type":"string","stringid":10,"data":"null"}"#,
            r#"{"type":"node","subtype":8,"identifier":3093396937,"name":10}"#,
            r#"{"type":"node_type","nodetypeid":9,"name":"mdb.symbol"}"#,
            r#"{"type":"node","subtype":9,"identifier":3093396941,"mdb":{"description":"x y","flag":3}}"#,
            r#"{"type":"node","subtype":1,"identifier":-2032096499,"constructor":3093396909}"#,
            r#"{"type":"string","stringid":11,"data":"version"}"#,
            r#"{"type":"edge","subtype":1,"source":3080869201,"dest":22,"label":11}"#,
            r#"{"type":"string","stringid":12,"data":"owner"}"#,
            r#"{"type":"edge","subtype":1,"source":3080869201,"dest":3093396893,"label":12}"#,
            r#"{"type":"string","stringid":13,"data":"two words"}"#,
            r#"{"type":"edge","subtype":1,"source":3093396893,"dest":3093396905,"label":13}"#,
            r#"{"type":"string","stringid":-1,"data":"0"}"#,
            r#"{"type":"edge","subtype":2,"source":3093396917,"dest":3093396897,"label":-1}"#,
            r#"{"type":"string","stringid":-2,"data":"1"}"#,
            r#"{"type":"edge","subtype":2,"source":3093396917,"dest":3093396901,"label":-2}"#,
            r#"{"type":"string","stringid":14,"data":"self"}"#,
            r#"{"type":"edge","subtype":3,"source":3093396909,"dest":3080869201,"label":14}"#,
            r#"{"type":"edge","subtype":1,"source":3093396893,"dest":-6,"label":-1}"#,
            r#"{"type":"edge_type","edgetypeid":4,"name":"mdb.internal","heap":{"role":"inner"}}"#,
            r#"{"type":"string","stringid":15,"data":"map"}"#,
            r#"{"type":"edge","subtype":4,"source":3080869201,"dest":-2032096499,"label":15}"#,
        ]
    );
    assert_eq!(
        records.lines().take(4).collect::<Vec<_>>(),
        [
            r#"{"type":"metadata","key":"target_source","value":"mdb_v8.text"}"#,
            r#"{"type":"metadata","key":"heap.identifier","value":"address"}"#,
            r#"{"type":"metadata","key":"mdb.version","value":"1.0"}"#,
            r#"{"type":"type","name":"node","fields":{"subtype":"integer","identifier":"value","heap.class":"string","heap.name":"string","mdb.script_name":"string","mdb.position":"integer"}}"#,
        ]
    );
}

#[test]
fn info_and_sniff() {
    assert!(sniff(KINDS) && !sniff(b"MDBV8HEAR 1.0") && !sniff(b""));
    let facts = |bytes: &[u8]| format!("{:?}", info(&Blob::from_bytes(bytes)).expect("begins well").facts);
    assert!(facts(KINDS).contains("(\"complete\", Flag(true))"));
    assert!(facts(&KINDS[..200]).contains("(\"complete\", Flag(false))"));
    assert_eq!(info(&Blob::from_bytes(KINDS)).expect("reads").version.as_deref(), Some("1.0"));
    assert_eq!(
        info(&Blob::from_bytes(&b"x"[..])).expect_err("is none").to_string(),
        "line 1: expected MDBV8HEAP 1.0"
    );
}

#[test]
fn errors_name_the_line() {
    let check = |line: &str, message: &str| {
        let text = format!("MDBV8HEAP 1.0\nbegin\n{line}\nend\n");
        assert_eq!(stream(text.as_bytes()).1.expect_err("is wrong").to_string(), message, "{line}");
    };
    check("nod \"object\" 1", "line 3: expected node, edge or end");
    check("node", "line 3: expected a kind");
    check("node \"object\"", "line 3: expected an address");
    check("node \"object\" 1g", "line 3: expected an address");
    check("node \"object\" 11112222333344445", "line 3: expected an address");
    check("node \"object\" 1 constructor \"x", "line 3: a text lacks its closing quote");
    check("node \"object\" 1 constructor \"x\"y", "line 3: expected a blank after a text");
    check("node \"object\" 1 constructor 5", "line 3: expected SMI or addr");
    check("node \"heapnumber\" 1 \"x\"", "line 3: expected a number");
    check("node \"array\" 1 1.5", "line 3: expected a whole number");
    check("edge \"property\" 1", "line 3: expected a label");
    check("edge \"property\" 1 \"x\"", "line 3: expected SMI or addr");
    check("edge \"property\" 1 \"x\" 5", "line 3: expected SMI or addr");
    check("edge \"property\" 1 \"x\" SMI 4611686018427387904", "line 3: expected a small integer after SMI");
    check("edge \"property\" 1 \"x\" addr", "line 3: expected an address");
    check("edge \"property\" 1 \"x\" SMI 1 2", "line 3: expected nothing more in an edge");
    check("end\nnode \"object\" 1", "line 4: expected nothing after end");
    assert_eq!(
        stream(b"MDBV8HEAP 1.0\nnode\n").1.expect_err("is wrong").to_string(),
        "line 2: expected begin"
    );
    assert_eq!(
        stream(b"MDBV8HEAP 2.0\n").1.expect_err("is wrong").to_string(),
        "line 1: expected MDBV8HEAP 1.0"
    );
    check(&format!("node \"object\" 1{}", " 5".repeat(200)), "line 3: too many values");
}

#[test]
fn a_cut_anywhere_leaves_all_complete_lines() {
    let (whole, _) = stream(KINDS);
    let whole: Vec<_> = whole.lines().collect();
    // The end's LF may be missing.
    for cut in 0..KINDS.len() - 1 {
        let (records, result) = stream(&KINDS[..cut]);
        let error = result.expect_err("is cut").to_string();
        let lines: Vec<_> = records.lines().collect();
        assert_eq!(lines, whole[..lines.len()], "cut to {cut}");
        let complete = KINDS[..cut].split(|&b| b == b'\n').count() - 1;
        let nodes_and_edges =
            lines.iter().filter(|l| l.contains("\"identifier\":") || l.contains("\"source\":"));
        // Two lines, and two declarations that look alike.
        let emitted = nodes_and_edges.filter(|l| !l.contains("\"fields\"")).count();
        assert_eq!(emitted, complete.saturating_sub(2), "cut to {cut}: {error}");
        assert!(error.starts_with("line "), "{error}");
    }
    stream(&KINDS[..KINDS.len() - 1]).1.expect("an end without LF is an end");
}

#[test]
fn flipped_bytes_do_no_harm() {
    for at in 0..KINDS.len() {
        for mask in [1, 0x80, 0xff, 0x20] {
            let mut bytes = KINDS.to_vec();
            bytes[at] ^= mask;
            let (records, _) = stream(&bytes);
            for line in records.lines() {
                serde_json::from_str::<serde_json::Value>(line).expect("lines are JSON");
            }
        }
    }
}

#[test]
fn text_that_is_not_unicode() {
    let text = b"MDBV8HEAP 1.0\nbegin\nnode \"string\" 3 \"a\xff\"\nnode \"string\" 5 \"\\ud800\"\nend\n";
    let (records, result) = stream(text);
    result.expect("is intact");
    assert!(records.contains("\"data\":\"a\u{fffd}\",\"heap\":{\"bytes\":\"61ff\"}}"), "{records}");
}
