//! The fields of records, exactly.

use heap_base::Blob;
use heap_record::Fact;
use heap_record::testing::EdgeRecord;

use super::recorded::{Records, int, lines, read};
use super::samples;
use super::twin::{Data, Snapshot};

fn kinds() -> Records {
    read(&samples::kinds().write().bytes).0
}

/// The line of object `index`, without what all lines share.
fn node(lines: &str, index: u64) -> &str {
    let start = format!(",\"identifier\":{}", 2 * index + 1);
    let found = lines.lines().filter(|line| line.starts_with("{\"type\":\"node\","));
    found
        .filter_map(|line| line.split_once(&start))
        .map(|(_, rest)| rest)
        .find(|rest| rest.starts_with(','))
        .unwrap()
}

#[test]
fn values_of_nodes() {
    let all = lines(&samples::kinds().write().bytes);
    let cases = [
        (
            7,
            r#","value":-9.223372036854776e+18,"heap":{"size":16,"class":19},"dart":{"class":9,"int":"-0x8000000000000000"}}"#,
        ),
        (
            8,
            r#","value":-4.611686018427388e+18,"heap":{"size":16,"class":19},"dart":{"class":9,"int":"-0x4000000000000000"}}"#,
        ),
        (
            9,
            r#","value":"NaN","heap":{"size":16,"class":20},"dart":{"class":10,"bits":"0x7ff8000000000001"}}"#,
        ),
        (10, r#","value":-0.0,"heap":{"size":16,"class":20},"dart":{"class":10}}"#),
        (11, r#","name":2,"heap":{"size":0,"class":21},"dart":{"class":11}}"#),
        (12, r#","name":0,"heap":{"size":0,"class":22},"dart":{"class":12}}"#),
        (14, r#","length":200,"data":54,"heap":{"size":208,"class":23},"dart":{"class":13,"kept":128}}"#),
        (17, r#","length":3,"heap":{"size":24,"class":25},"dart":{"class":15}}"#),
        (19, r#","heap":{"size":32,"class":30},"dart":{"class":17,"length":4}}"#),
        (20, r#","heap":{"size":16,"class":33,"external":4128},"dart":{"class":18}}"#),
        (21, r#","heap":{"size":24,"class":45,"external":16},"dart":{"class":21,"hash":1073680948}}"#),
        (24, r#","value":-1.0,"heap":{"size":0,"class":18},"dart":{"class":8,"int":-1}}"#),
    ];
    for (index, expected) in cases {
        assert_eq!(node(&all, index), expected, "object {index}");
    }
    assert!(all.contains(r#"{"type":"string","stringid":55,"data":"λ�A","heap":{"utf16":"03bbd8000041"}}"#));
    assert!(all.contains(r#"{"type":"string","stringid":56,"data":"😀"}"#));
    assert!(all.contains("\"data\":\"café\\u0000\"}"));
    assert!(all.contains(r#"{"type":"metadata","key":"heap.root","value":"3"}"#));
}

/// Edges of an object as subtype, target object, label, rest.
fn edges(records: &Records, object: i64) -> Vec<(u32, i64, &str, &str)> {
    let target = |edge: &EdgeRecord| edge.dest.map_or(0, |dest| dest >> 1);
    let own = records.edges.iter().filter(|edge| edge.source == 2 * object + 1);
    own.map(|e| (e.subtype, target(e), records.text(e.label.unwrap()), &e.rest[..])).collect()
}

const FIELD: u32 = 1;
const ELEMENT: u32 = 2;
const REFERENCE: u32 = 3;
const WEAK: u32 = 4;
const EPHEMERON: u32 = 5;

#[test]
fn names_and_roles_of_references() {
    let records = kinds();
    let check = |object, expected: &[(u32, i64, &str, &str)]| assert_eq!(edges(&records, object), expected);
    check(1, &[(REFERENCE, 2, "0", ""), (REFERENCE, 3, "1", ""), (REFERENCE, 12, "2", "")]);
    check(3, &[(REFERENCE, 12, "0", ""), (FIELD, 22, "cache", ""), (REFERENCE, 5, "2", "")]);
    // Two names for one slot: the first counts.
    check(5, &[(FIELD, 4, "function_", ""), (FIELD, 6, "context_", "")]);
    check(6, &[(FIELD, 12, "parent_", ""), (ELEMENT, 12, "0", ""), (ELEMENT, 9, "1", "")]);
    check(
        17,
        &[
            (FIELD, 12, "type_arguments_", ""),
            (FIELD, 23, "length_", ""),
            (ELEMENT, 13, "0", ""),
            (ELEMENT, 14, "1", ""),
            (ELEMENT, 13, "2", ""),
        ],
    );
    check(20, &[(WEAK, 21, "key_", ""), (EPHEMERON, 13, "value_", r#""heap":{"key":43}"#)]);
    check(21, &[(FIELD, 22, "next", ""), (FIELD, 0, "weight", r#""dart":{"unboxed":true}"#)]);
    check(25, &[(WEAK, 21, "target_", ""), (FIELD, 12, "type_arguments_", "")]);
    check(
        26,
        &[
            (WEAK, 21, "value_", ""),
            (WEAK, 21, "detach_", ""),
            (FIELD, 12, "token_", ""),
            (FIELD, 25, "finalizer_", ""),
            (FIELD, 12, "next_", ""),
        ],
    );
    // A program's own class that is called as a list of the core library is no list.
    check(
        27,
        &[
            (FIELD, 24, "first", ""),
            (REFERENCE, 0, "1", ""),
            (REFERENCE, 99, "2", ""),
            (REFERENCE, 0, "3", r#""dart":{"reference":"0x8000000000000000"}"#),
        ],
    );
}

#[test]
fn a_closure_knows_its_function() {
    let records = kinds();
    assert_eq!(int(&records.nodes[4].own, "metadata"), Some(9));
    assert_eq!(int(&records.nodes[3].own, "name"), records.nodes[3].heap.name);
}

#[test]
fn without_objects_for_small_integers_nothing_is_called_unboxed() {
    let (records, _) = read(&samples::first_version().write().bytes);
    assert!(records.edges.iter().all(|edge| !edge.rest.starts_with("\"dart\":{\"unboxed")));
    assert_eq!(edges(&records, 21)[1], (FIELD, 0, "weight", ""));
    assert_eq!(records.dialect(), "2019");
}

#[test]
fn finalizers_of_2_17_have_no_names_but_roles() {
    let mut snapshot = samples::kinds();
    snapshot.classes[19].fields.clear();
    let (records, _) = read(&snapshot.write().bytes);
    let roles: Vec<_> = edges(&records, 26).iter().map(|e| e.0).collect();
    assert_eq!(roles, [WEAK, WEAK, REFERENCE, REFERENCE, REFERENCE]);
}

#[test]
fn resaved_strings_say_what_is_left_of_their_length() {
    let mut snapshot = samples::resaved();
    // 128 units and three points can only be a cut string; any other length is what it is.
    snapshot.objects[12].data = Data::Name([vec![b'y'; 127], b"...".to_vec()].concat());
    let all = lines(&snapshot.write().bytes);
    assert_eq!(
        node(&all, 13),
        r#","length":130,"data":53,"heap":{"size":24,"class":23},"dart":{"class":13}}"#
    );
    assert_eq!(
        node(&all, 14),
        r#","data":54,"heap":{"size":208,"class":23},"dart":{"class":13,"kept":128}}"#
    );
    assert_eq!(node(&all, 16), r#","length":2,"data":56,"heap":{"size":24,"class":24},"dart":{"class":14}}"#);
    assert!(all.contains(r#""dialect":"re-saved","word_bits":32,"smis":true,"hashes":true,"padding":3000}"#));
}

/// What the VM service sends: pieces of the file in messages.
fn capture(bytes: &[u8], piece: usize) -> Vec<u8> {
    let mut out = Vec::new();
    for (i, part) in bytes.chunks(piece).enumerate() {
        let event = format!(
            r#"{{"jsonrpc":"2.0","method":"streamNotify","params":{{"streamId":"HeapSnapshot","event":{{"type":"Event","kind":"HeapSnapshot","timestamp":{i},"last":{}}}}}}}"#,
            (i + 1) * piece >= bytes.len()
        );
        out.extend_from_slice(&512u32.to_le_bytes());
        out.extend_from_slice(format!("{event:<508}").as_bytes());
        out.extend_from_slice(part);
    }
    out
}

#[test]
fn messages_of_the_service_are_unwrapped() {
    let bytes = samples::kinds().write().bytes;
    let (plain, _) = read(&bytes);
    for piece in [8, 9, 100, 513, bytes.len()] {
        let capture = capture(&bytes, piece);
        assert!(crate::sniff(&capture));
        let (records, error) = read(&capture);
        assert!(error.is_none());
        assert_eq!(records.nodes, plain.nodes, "pieces of {piece}");
        assert_eq!(records.edges, plain.edges, "pieces of {piece}");
        assert_eq!(records.meta("dart.messages"), bytes.len().div_ceil(piece) as u64);
        // Damage is placed in the capture as it is, not in what it unwraps to.
        let (part, error) = read(&capture[..capture.len() - 1]);
        let expected = format!("byte {}: the list of identity hashes ends early", capture.len() - 1);
        assert_eq!(error, Some(expected));
        assert_eq!(part.nodes.len(), plain.nodes.len());
    }
}

#[test]
fn long_captures_are_unwrapped() {
    let mut snapshot = samples::kinds();
    snapshot.padding = 5_000_000;
    let bytes = snapshot.write().bytes;
    let (records, error) = read(&capture(&bytes, (1 << 20) - 512));
    assert!(error.is_none());
    assert_eq!(records.snapshot(), snapshot);
    assert_eq!(records.meta("dart.messages"), 5);
}

#[test]
fn snapshots_are_recognised() {
    let cases: [(&[u8], bool); 6] = [
        (b"dartheap\0\0", true),
        (b"dartheap", true),
        (b"dartheaq", false),
        (b"", false),
        (b"{\"snapshot\":{}}", false),
        (b"\0\x02\0\0{\"jsonrpc\":\"2.0\"}", false),
    ];
    for (head, expected) in cases {
        assert_eq!(crate::sniff(head), expected, "{head:?}");
    }
}

#[test]
fn info_has_the_head() {
    let snapshot = samples::kinds();
    let info = crate::info(&Blob::from_bytes(snapshot.write().bytes)).unwrap();
    assert_eq!((info.format, info.version.as_deref()), ("dart.heapsnapshot", Some("2021")));
    let fact = |key| info.facts.iter().find(|(k, _)| *k == key).unwrap().1.clone();
    assert_eq!(fact("node_count"), Fact::Int(snapshot.objects.len() as i64));
    assert_eq!(fact("heap_capacity"), Fact::Bytes(4096));
    assert!(crate::info(&Blob::from_bytes(&b"dartheap\0"[..])).is_err());
}

#[test]
fn another_dump_at_the_end_is_an_error() {
    let one = samples::kinds().write().bytes;
    let (records, error) = read(&[&*one, &one].concat());
    let message = error.expect("an error");
    assert_eq!(message, format!("byte {}: another dump follows: each needs a file of its own", one.len()));
    assert_eq!(records.nodes.len(), read(&one).0.nodes.len());
}

#[test]
fn other_bytes_at_the_end_are_counted() {
    let mut bytes = samples::kinds().write().bytes;
    bytes.extend_from_slice(b"\0\0more");
    let (records, error) = read(&bytes);
    assert!(error.is_none());
    assert_eq!(int(records.extensions("dart.layout")[0], "trailing"), Some(6));
    assert_eq!(read(&Snapshot::default().write().bytes).0.nodes.len(), 0);
}
