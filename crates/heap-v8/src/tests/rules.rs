//! Identifiers, own fields, ephemerons, distances, other producers, and what a file is taken for.

use heap_base::Blob;
use heap_record::{Fact, Retains, SnapshotSelector, Wants};

use super::{META, file, five, record, sound};
use crate::layout::marks::{Pair, pair};

#[test]
fn identifiers_follow_v8_where_they_can() {
    let nodes = |ids: [&str; 3]| five(&ids.map(|id| format!("9,0,{id},0,0")).join(","), "", "\"\"");
    for (ids, rule, identifiers, own) in [
        (["1", "6", "7"], "v8", [1, -7, 7], ["", "", ""]),
        (["0", "1", "4294967296"], "v8", [-1, 1, -4_294_967_297], ["", "", ""]),
        (["1", "4611686018427387904", "3"], "v8", [1, -4_611_686_018_427_387_905, 3], ["", "", ""]),
        (["5", "5", "7"], "index", [1, 3, 5], ["5", "5", "7"]),
        (["4000000000", "1", "4000000000"], "index", [1, 3, 5], ["4000000000", "1", "4000000000"]),
        (["1", "3", "18446744073709551615"], "index", [1, 3, 5], ["1", "3", "\"0xffffffffffffffff\""]),
    ] {
        let recorded = sound(nodes(ids).as_bytes());
        assert_eq!(recorded.all("heap.identifier"), [rule]);
        assert_eq!(recorded.nodes.iter().map(|n| n.id).collect::<Vec<_>>(), identifiers);
        assert_eq!(recorded.all("heap.root"), [identifiers[0].to_string()]);
        let rest =
            own.map(|id| if id.is_empty() { String::new() } else { format!("\"v8\":{{\"id\":{id}}}") });
        assert_eq!(recorded.nodes.iter().map(|n| n.rest.clone()).collect::<Vec<_>>(), rest);
        let (sums, _) = record(nodes(ids).as_bytes(), Wants::NODES);
        assert_eq!(sums.nodes.iter().map(|n| n.id).collect::<Vec<_>>(), identifiers);
    }
}

#[test]
fn own_fields_come_from_names_and_edges() {
    // Root, closure, function data, cons, flat, flat, sliced, regexp; the closure's first `shared` counts.
    let nodes = "9,0,1,0,1,5,1,3,64,3,4,1,5,40,0,10,2,7,32,2,2,3,9,16,0,2,4,11,16,0,11,5,13,32,1,6,6,15,8,0";
    let edges = "1,1,5,3,7,10,3,7,0,2,7,15,3,9,25,3,8,20,3,10,15";
    let strings = r#""","f","(concatenated string)","ab","cd","(sliced string)","a+","sh\u0061red","first","second","parent""#;
    let recorded = sound(five(nodes, edges, strings).as_bytes());
    assert_eq!(
        recorded.node_lines(),
        [
            "1 v8.synthetic class=- name= size=0 own[] rest[]",
            "3 closure class=- name=f size=64 own[\"metadata\":5] rest[]",
            "5 code class=- name=f size=40 own[] rest[]",
            "7 string_cons class=- name=(concatenated string) size=32 own[\"s1\":9,\"s2\":11] rest[]",
            "9 string_flat class=- name=ab size=16 own[\"data\":3] rest[]",
            "11 string_flat class=- name=cd size=16 own[\"data\":4] rest[]",
            "13 string_sliced class=- name=(sliced string) size=32 own[\"source\":7] rest[]",
            "15 regular_expression class=- name=a+ size=8 own[\"source\":6] rest[]",
        ]
    );
    // A sink that wants no details gets none, but all edges.
    let wants = super::GRAPH;
    let (plain, error) = record(five(nodes, edges, strings).as_bytes(), wants);
    assert_eq!(error, None);
    assert!(plain.nodes.iter().all(|n| n.own.is_empty()));
    assert_eq!(plain.edges, recorded.edges);
}

#[test]
fn names_of_weak_map_entries_are_read_as_devtools_does() {
    let name = |key: &str, value: &str| {
        format!("12 / part of key ({key}) -> value ({value}) pair in WeakMap (table @31)").into_bytes()
    };
    let is = |key| Some(Pair { key, table: 31 });
    assert_eq!(pair(&name("Key @13", "Value @15")), is(13));
    assert_eq!(pair(&name(" @13", " @15")), is(13));
    assert_eq!(pair(&name("a @1) -> value (b @2", "c @3")), is(1));
    assert_eq!(pair(&name("a @x) -> value (b @2", "c @3")), is(2));
    assert_eq!(pair(&name("Key @13", "Value")), None);
    assert_eq!(pair(&name("Key", "Value @15")), None);
    assert_eq!(pair(&name("two\nlines @13", "Value @15")), None);
    assert_eq!(pair(&name("two\u{2028}lines @13", "Value @15")), None);
    let whole = name("Key @13", "Value @15");
    for end in 0..whole.len() {
        assert_eq!(pair(&whole[..end]), None);
    }
    assert_eq!(pair(&whole[2..]), None);
    assert_eq!(pair(b"1 / part of key ( @1) -> value ( @2) pair in WeakMap (table @)"), None);
    assert_eq!(pair(b"1 / part of key ( @1) -> value (@2) pair in WeakMap (table @3)"), None);
}

#[test]
fn edges_that_distances_pass_over_are_marked() {
    let nodes = "9,0,1,0,3,0,1,3,8,2,1,2,5,8,5,1,3,7,8,1";
    let edges = "1,1,5,1,2,10,1,3,15,3,4,0,3,5,0,4,1,0,4,4,0,3,6,0,3,7,0,4,3,0,4,4,0";
    let strings = r#""","system / NativeContext","(map descriptors)","(object elements)","sloppy_function_map","map","7","71 / x""#;
    let recorded = sound(five(nodes, edges, strings).as_bytes());
    let marked: Vec<_> = recorded
        .edge_lines()
        .into_iter()
        .filter(|e| e.ends_with("[\"heap\":{\"distance\":false}]"))
        .collect();
    assert_eq!(
        marked,
        [
            "3 -v8.internal \"sloppy_function_map\"-> 1 [\"heap\":{\"distance\":false}]",
            "5 -v8.hidden \"4\"-> 1 [\"heap\":{\"distance\":false}]",
            "5 -v8.internal \"7\"-> 1 [\"heap\":{\"distance\":false}]",
        ]
    );
}

#[test]
fn distances_begin_at_user_roots_unless_the_root_has_other_children_that_are_objects() {
    // The root's children: a shortcut to an object, an element that is an object.
    let one = five("9,0,1,0,1,3,1,3,8,0", "5,1,5", r#""","a""#);
    let recorded = sound(one.as_bytes());
    assert_eq!((recorded.all("heap.user_root"), recorded.all("heap.distance_root")), (vec!["3"], vec![]));
    let two = five("9,0,1,0,2,3,1,3,8,0,8,1,4,8,0", "5,1,5,1,2,10", r#""","a""#);
    let recorded = sound(two.as_bytes());
    assert_eq!(
        (recorded.all("heap.user_root"), recorded.all("heap.distance_root")),
        (vec!["3"], vec!["3", "-5"])
    );
}

/// The root leads to the table of strings and to an object, each of which leads to the same string.
#[test]
fn tables_of_strings_hold_none() {
    let file = five(
        "9,0,1,0,2,9,1,3,0,1,3,0,5,16,1,2,2,7,24,0",
        "1,1,5,1,2,10,3,3,15,2,4,15",
        r#""","(Internalized strings)","a","1","b""#,
    );
    let recorded = sound(file.as_bytes());
    assert_eq!(recorded.all("heap.weak_root"), ["3"]);
}

#[test]
fn types_go_by_name_and_keep_their_numbers() {
    // As Julia writes it: other lists, 64-bit addresses, blanks.
    let julia = r#"{"snapshot":{"meta":{"node_fields":["type","name","id","self_size","edge_count","trace_node_id","detachedness"],
        "node_types":[["synthetic","object","string","array","symbol","native"],"string","number","number","number","number","number"],
        "edge_fields":["type","name_or_index","to_node"],"edge_types":[["internal","property","element","hidden"],"string_or_number","from_node"]},
        "node_count":3,"edge_count":3},
        "nodes":[0,0,140234567890123456,0,2,0,0,
        1,1,140234567890123472,48,1,0,0,
        99,2,140234567890123488,8,0,0,0],
        "edges":[0,1,7,
        2,5,14,
        3,1,0],
        "strings":["root","Main", "x"]}"#;
    let recorded = sound(julia.as_bytes());
    assert_eq!(recorded.all("heap.identifier"), ["v8"]);
    assert_eq!(
        recorded.node_types[..7].iter().map(|t| t.1.as_str()).collect::<Vec<_>>(),
        ["v8.synthetic", "object", "string_flat", "v8.array", "v8.symbol", "native", "regular_expression"]
    );
    assert_eq!(recorded.node_types[99], (100, "v8.type_99".to_owned()));
    assert_eq!(
        recorded.edge_lines(),
        [
            "-140234567890123457 -v8.internal \"Main\"-> -140234567890123473 []",
            "-140234567890123457 -array element \"5\"-> -140234567890123489 []",
            "-140234567890123473 -v8.hidden \"1\"-> -140234567890123457 []",
        ]
    );
    assert_eq!(recorded.edge_types.last(), Some(&(5, "v8.ephemeron".to_owned(), Retains::No)));
    let info = crate::info(&Blob::from_bytes(julia.as_bytes())).expect("sound");
    assert_eq!(info.producer.as_deref(), Some("Julia (Profile.take_heap_snapshot)"));
}

#[test]
fn retaining_goes_by_name() {
    let recorded = sound(&file("minimal"));
    let retains: Vec<_> = recorded.edge_types.iter().filter(|t| t.2 != Retains::Yes).collect();
    assert_eq!(
        retains,
        [
            &(6, "v8.shortcut".to_owned(), Retains::Root),
            &(7, "v8.weak".to_owned(), Retains::No),
            &(8, "v8.ephemeron".to_owned(), Retains::No)
        ]
    );
}

#[test]
fn layouts_are_found() {
    let compact = String::from_utf8(file("minimal")).expect("text");
    for (text, layout) in [
        (compact.clone(), "compact"),
        (compact.replace("],\"", "],\n\"").replace(",9,2,", "\n,9,2,"), "lines"),
        (compact.replace("],\"", "],\n\""), "sections"),
        (compact.replace(',', ", "), "other"),
    ] {
        assert_eq!(sound(text.as_bytes()).all("v8.layout"), [layout]);
    }
}

#[test]
fn info_reads_the_header_only() {
    let whole = file("traces-scopes");
    let info = crate::info(&Blob::from_bytes(&whole[..2000])).expect("the header stands");
    assert_eq!((info.format, info.producer.as_deref()), ("v8.heapsnapshot", Some("V8, about 15.6 or later")));
    assert_eq!(
        info.facts,
        [
            ("node_count", Fact::Int(4)),
            ("edge_count", Fact::Int(3)),
            ("trace_function_count", Fact::Int(2)),
            ("extra_native_bytes", Fact::Bytes(12345)),
            ("node_fields", Fact::Int(7)),
            ("node_types", Fact::Int(15)),
            ("edge_fields", Fact::Int(3)),
        ]
    );
    let error = crate::info(&Blob::from_bytes(file("bad-no-meta"))).expect_err("no header");
    assert_eq!(error.to_string(), "byte 192: snapshot: the section is missing");
}

#[test]
fn snapshots_are_told_from_other_json() {
    for yes in [
        format!("{{\"snapshot\":{{{META}"),
        format!(" \n\u{feff}{{\"snapshot\":{{{META}").replace('\u{feff}', ""),
        "{\"future\":{\"a\":[1,\"]\"]},\"strings\" : [ \"<dummy>\"".into(),
        "{\"nodes\":[9,1,1,0".into(),
        "{\"edges\":[]".into(),
    ] {
        assert!(crate::sniff(yes.as_bytes()), "{yes}");
    }
    for no in [
        "",
        "hello",
        "{",
        "{}",
        "[]",
        "{\"type\":\"metadata\",\"key\":\"nodes\",\"value\":\"1\"}",
        "{\"traceEvents\":[{\"nodes\":[1]}]}",
        "{\"head\":{\"callFrame\":{}},\"samples\":[]}",
        "{\"nodes\":[{\"id\":1,\"callFrame\":{}}]}",
        "{\"snapshot\":{\"name\":\"x\"}}",
        "{\"snapshot\":\"node_fields\"}",
        "{\"strings\":{}}",
        "{\"a\":{\"nodes\":[1]}",
    ] {
        assert!(!crate::sniff(no.as_bytes()), "{no}");
    }
}

#[test]
fn there_is_one_snapshot_in_a_file() {
    let blob = Blob::from_bytes(file("minimal"));
    let error = crate::read(&blob, SnapshotSelector::Number(1), &mut super::Recorded::new(Wants::ALL))
        .expect_err("only one");
    assert_eq!(error.to_string(), "no snapshot 1: the file has only snapshot 0");
}
