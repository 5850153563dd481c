//! Files that are cut, changed or made to hurt: read as far as they are intact, refused with a place, never a panic.

use std::fmt::Write as _;

use heap_record::Wants;

use super::{GRAPH, META, Recorded, file, five, record, sound};

/// The string that a damaged file still gives, if there is one.
fn same_or_lost(whole: Option<i64>, cut: Option<i64>) -> bool {
    cut.is_none() || cut == whole
}

/// The records of a cut file are the first of those of the whole one; names may be missing.
fn is_beginning(cut: &Recorded, whole: &Recorded) {
    assert!(cut.nodes.len() <= whole.nodes.len() && cut.edges.len() <= whole.edges.len());
    for (a, b) in cut.nodes.iter().zip(&whole.nodes) {
        assert_eq!((a.id, a.size), (b.id, b.size));
        assert!(same_or_lost(b.class, a.class) && same_or_lost(b.name, a.name), "{a:?} {b:?}");
        assert!(a.own.is_empty() || b.own.starts_with(&a.own));
    }
    for (a, b) in cut.edges.iter().zip(&whole.edges) {
        assert_eq!((a.source, a.dest), (b.source, b.dest));
        assert!(same_or_lost(b.label, a.label));
    }
    for string in cut.strings.iter().filter(|s| s.0 >= 0) {
        assert!(whole.strings.contains(string));
    }
    let said = |id: Option<i64>| id.is_none_or(|id| cut.strings.iter().any(|s| s.0 == id));
    assert!(cut.nodes.iter().all(|n| said(n.class) && said(n.name)), "a string is missing");
    assert!(cut.edges.iter().all(|e| said(e.label)), "a string is missing");
    let there = |id| cut.nodes.iter().any(|n| n.id == id);
    assert!(cut.edges.iter().all(|e| there(e.source) && there(e.dest)), "a node is missing");
}

/// Reads it in every way; all must find the same damage. Only where an edge points may go unseen by sums of long files.
fn both(snapshot: &[u8]) -> (Recorded, Option<String>) {
    let (recorded, error) = record(snapshot, Wants::ALL);
    let (sums, same) = record(snapshot, Wants::NODES);
    let shown = || String::from_utf8_lossy(snapshot);
    assert!(
        error == same || error.as_ref().is_some_and(|e| e.contains(": edges: record ")),
        "{same:?} {}",
        shown()
    );
    assert_eq!(recorded.nodes.len(), sums.nodes.len(), "{}", shown());
    let (graph, same) = record(snapshot, GRAPH);
    assert_eq!(error, same, "{}", shown());
    assert_eq!(graph.plain(), recorded.plain(), "{}", shown());
    (recorded, error)
}

#[test]
fn a_file_cut_anywhere_gives_what_stands() {
    for name in
        ["minimal", "negative-index", "permuted-fields", "reordered-keys", "devtools-rules", "root-last"]
    {
        let snapshot = file(name);
        let whole = sound(&snapshot);
        for end in 0..snapshot.len() {
            let (recorded, error) = both(&snapshot[..end]);
            // Blanks after the last brace are no loss.
            let lost = snapshot[end..].iter().any(|b| !b.is_ascii_whitespace());
            assert_eq!(error.is_some(), lost, "{name} cut at {end}: {error:?}");
            is_beginning(&recorded, &whole);
        }
        let lost = snapshot.iter().rposition(|b| *b == b'"').expect("strings");
        if name == "devtools-rules" {
            let (recorded, _) = both(&snapshot[..lost]);
            assert_eq!((recorded.nodes.len(), recorded.edges.len()), (17, 20), "strings only are lost");
        }
    }
    for name in ["random-3", "escapes", "traces-scopes"] {
        let snapshot = file(name);
        let whole = sound(&snapshot);
        for end in (0..snapshot.len()).step_by(snapshot.len() / 40) {
            let (recorded, error) = both(&snapshot[..end]);
            assert!(error.is_some(), "{name} cut at {end}");
            if name != "traces-scopes" {
                is_beginning(&recorded, &whole);
            }
        }
    }
}

#[test]
fn any_byte_may_be_wrong() {
    for name in ["devtools-rules", "permuted-fields"] {
        let snapshot = file(name);
        for at in 0..snapshot.len() {
            let mut changed = snapshot.clone();
            changed[at] = b"\"\\,]9"[at % 5];
            let (recorded, _) = both(&changed);
            assert!(recorded.nodes.len() <= 50 && recorded.edges.len() <= 50);
        }
    }
}

#[test]
fn the_traces_may_be_cut_or_changed() {
    let rest = r#","trace_function_infos":[0,0,0,0,0,0],"trace_tree":[1,0,0,0,[2,1,3,72,[],3,0,1,1,[]]],"samples":[0,5],"locations":[5,1,2,3],"scopes":[0,-2,0,1,0],"scope_context_vars":[1],"scope_uses":[-2,0],"strings":["","a"]}"#;
    let whole = five("9,0,1,0,1,3,1,3,8,0", "3,1,5", "").replace(",\"strings\":[]}", rest);
    let recorded = sound(whole.as_bytes());
    assert_eq!(recorded.others.len(), 9);
    let start = whole.len() - rest.len();
    for at in start..whole.len() {
        let (cut, error) = both(&whole.as_bytes()[..at]);
        assert!(error.is_some());
        for (a, b) in cut.others.iter().zip(&recorded.others) {
            // Names are lost with the strings.
            assert!(a == b || a.0 == b.0 && b.1.contains("name"), "{at} {a:?} {b:?}");
        }
        for byte in [b' ', b'"', b',', b'[', b']', b'-', b'9', 0xFF] {
            let mut changed = whole.clone().into_bytes();
            changed[at] = byte;
            both(&changed);
        }
    }
}

#[test]
fn claims_are_checked_and_not_believed() {
    let huge = five("9,0,1,0,0", "", "\"\"")
        .replace("\"node_count\":1,\"edge_count\":1", "\"node_count\":9000000000000000000,\"edge_count\":-5");
    assert_eq!(sound(huge.as_bytes()).nodes.len(), 1);
    for (snapshot, what) in [
        (
            five("9,0,1,0,18446744073709551615,9,0,3,0,1", "", "\"\""),
            "nodes: record 1: the edge counts add up to more than 64 bits",
        ),
        (
            five("9,0,1,0,9000000000", "", "\"\""),
            "edges: 0 records, but the nodes' edge_count add up to 9000000000",
        ),
        (five("65536,0,1,0,0", "", "\"\""), "nodes: record 0: type code 65536 is beyond 65535"),
        (five("9,0,1,0,0,9,0,-3,0,0", "", "\"\""), "nodes: record 1: -3 is negative"),
        (five("9,0,1,0,0,9,0,3.5,0,0", "", "\"\""), "nodes: record 1: expected an integer"),
        (five("9,0,1,0,0,9,0,3,0", "", "\"\""), "nodes: record 1: ends early"),
        (five("9,0,1,0,0,", "", "\"\""), "nodes: record 1: expected an integer"),
        (five("9,0,1,0,99999999999999999999", "", "\"\""), "nodes: record 0: integer beyond 64 bits"),
        (five("9,0,1,0,1", "1,4294967296,0", "\"\""), "edges: record 0: index 4294967296 is beyond 32 bits"),
        (
            five("9,0,1,0,1", "1,-2147483649,0", "\"\""),
            "edges: record 0: index -2147483649 is beyond 32 bits",
        ),
        (
            five("9,0,1,0,1", "1,18446744073709551610,0", "\"\""),
            "edges: record 0: index 18446744073709551610 is beyond 32 bits",
        ),
        (
            five("9,0,1,0,1", "2,-1,0", "\"\""),
            "edges: record 0: name -1 is not below 1, the number of strings",
        ),
        (five("9,0,1,0,1", "70000,0,0", "\"\""), "edges: record 0: type code 70000 is not one"),
        (five("9,0,1,0,1", "-1,0,0", "\"\""), "edges: record 0: type code -1 is not one"),
        (five("9,0,1,0,1", "1,0,-5", "\"\""), "edges: record 0: to_node -5 is not a multiple of 5"),
        (
            five("9,0,1,0,1", "1,0,0", "\"a\",\"\\u12x4\""),
            "strings: record 1: expected an escape sequence of JSON",
        ),
        (five("9,0,1,0,1", "1,0,0", "\"a\",5"), "strings: record 1: expected a string"),
        (five("9,0,1,0,1", "1,0,0", "\"a\" \"b\""), "strings: record 1: expected a comma"),
        (
            five("9,0,1,0,0", "", "\"\"").replace("\"edge_count\":1}", "\"root_index\":5}"),
            "snapshot: root_index 5 is not a node",
        ),
        (
            five("9,0,1,0,0", "", "\"\"").replace("\"edge_count\":1}", "\"root_index\":4}"),
            "snapshot: root_index 4 is not a node",
        ),
        (five("", "", "").replace("\"id\",", ""), "snapshot: node_fields lacks id"),
        (five("", "", "").replace("\"id\",", "\"name\","), "snapshot: node_fields names name twice"),
        (five("", "", "").replace("\"edges\":[]", "\"nodes\":[]"), "nodes: the section is there twice"),
        (five("", "", "").replace("\"edges\":[]", "\"edges\":{}"), "edges: expected a list"),
        (five("", "", "").replace("\"nodes\":[]", "\"x\":nul,\"nodes\":[]"), "x: expected a JSON value"),
    ] {
        let (_, error) = both(snapshot.as_bytes());
        let error = error.unwrap_or_default();
        assert!(error.starts_with("byte ") && error.ends_with(what), "{error} / {what}");
    }
}

#[test]
fn damage_ends_what_follows_but_takes_nothing_before() {
    // The second of three nodes names a string that is not there: its edges, and those to it, go too.
    let snapshot = five("9,0,1,0,2,3,7,3,8,1,3,0,5,8,0", "1,1,0,1,2,5,1,1,10", "\"\"");
    let (recorded, error) = both(snapshot.as_bytes());
    assert!(error.is_some_and(|e| e.contains("nodes: record 1: name 7 is not below 1")));
    assert_eq!((recorded.nodes.len(), recorded.edges.len()), (1, 1));
    // Edges before nodes, nodes cut.
    let head =
        format!("{{\"edges\":[1,1,0,1,2,5,1,1,10],\"snapshot\":{{{META}}},\"nodes\":[9,0,1,0,2,3,0,3,8");
    let (recorded, error) = both(head.as_bytes());
    assert_eq!(error, Some(format!("byte {}: nodes: record 1: ends early", head.len())));
    assert_eq!((recorded.nodes.len(), recorded.edges.len()), (1, 1));
}

#[test]
fn depth_is_no_recursion() {
    let n = 200_000;
    let deep = format!("{}{}", "[".repeat(n), "]".repeat(n));
    let objects = format!("{}1{}", "{\"a\":".repeat(n), "}".repeat(n));
    let mut tree = String::new();
    for i in 1..=n {
        write!(tree, "{i},0,0,0,[").expect("memory");
    }
    tree += &"]".repeat(n);
    let snapshot = five("9,0,1,0,0", "", "\"\"").replace(
        "\"strings\":",
        &format!("\"x\":{deep},\"y\":{objects},\"trace_tree\":[{tree}],\"strings\":"),
    );
    let recorded = sound(snapshot.as_bytes());
    assert_eq!(recorded.others.len(), n);
    assert_eq!(recorded.all("v8.extra.x"), [""; 0]);
    let in_header = snapshot.replacen("\"node_count\"", &format!("\"z\":{deep},\"node_count\""), 1);
    let (_, error) = both(in_header.as_bytes());
    assert!(error.is_some_and(|e| e.contains("snapshot: recursion limit exceeded")));
}

#[test]
fn a_long_list_of_nodes_and_a_wide_one_are_ordinary() {
    let n = 60_000;
    let mut nodes = String::from("9,0,1,0,1");
    let mut edges = String::from("2,1,5");
    for i in 1..=n {
        write!(nodes, ",3,1,{},16,{}", 2 * i + 1, u32::from(i < n)).expect("memory");
        if i < n {
            write!(edges, ",2,1,{}", 5 * (i + 1)).expect("memory");
        }
    }
    let recorded = sound(five(&nodes, &edges, "\"\",\"Link\"").as_bytes());
    assert_eq!((recorded.nodes.len(), recorded.edges.len()), (n + 1, n));
    assert!(
        recorded
            .edges
            .iter()
            .enumerate()
            .all(|(i, e)| (e.source, e.dest) == (2 * i as i64 + 1, 2 * i as i64 + 3))
    );
    let mut nodes = format!("9,0,1,0,{n}");
    let mut edges = String::from("1,4294967294,5");
    for i in 1..=n {
        write!(nodes, ",3,1,{},16,0", 2 * i + 1).expect("memory");
        if i > 1 {
            write!(edges, ",1,{},{}", i * 70_000 % 4_294_967_295, 5 * i).expect("memory");
        }
    }
    let recorded = sound(five(&nodes, &edges, "\"\",\"Spoke\"").as_bytes());
    assert_eq!((recorded.nodes.len(), recorded.edges.len(), recorded.strings.len()), (n + 1, n, n + 2));
    let labels: Vec<_> = recorded.edges.iter().filter_map(|e| e.label).collect();
    let strings: Vec<_> = recorded.strings[2..].iter().map(|s| s.0).collect();
    assert_eq!(strings, labels, "each index is used once");
}
