//! Parts by themselves.

#![allow(clippy::unwrap_used, reason = "a test that fails panics")]

use crate::constants::{Constants, line_of};
use crate::elf::is_core;
use crate::emit::bigint;
use crate::lines::Lines;
use crate::stacks::{Form, bytecode_at, parameters, source_offset};
use crate::version::{Version, advice, unknown};

#[test]
fn parameters_are_read_from_the_source() {
    let cases: [(&str, &[&str]); 13] = [
        ("(a, b) { return a; }", &["a", "b"]),
        ("() => 1", &[]),
        ("x => x + 1", &["x"]),
        ("(a, b = f(1, 2), c)", &["a", "b", "c"]),
        ("({ a, b }, [c], d)", &["", "", "d"]),
        ("(...rest)", &["rest"]),
        ("( $x , _y )", &["$x", "_y"]),
        ("(a /* why */, b)", &[]),
        ("(never, closed", &[]),
        ("async (a, b) => a", &["a", "b"]),
        ("async x => x", &["x"]),
        ("async=>1", &["async"]),
        ("asyncs => 1", &["asyncs"]),
    ];
    for (source, wanted) in cases {
        assert_eq!(parameters(source), wanted, "{source}");
    }
}

#[test]
fn positions_are_decoded_in_both_forms() {
    // Differences of offset 1, then 4; positions 2·10 and 2·5 more.
    let signed = [2, 40, 8, 20];
    assert_eq!(source_offset(&signed, 0, Form::Signed), Some((9, true)));
    assert_eq!(source_offset(&signed, 3, Form::Signed), Some((9, false)));
    assert_eq!(source_offset(&signed, 4, Form::Signed), Some((14, true)));
    let flagged = [4, 40, 16, 20];
    assert_eq!(source_offset(&flagged, 4, Form::Flagged), Some((14, true)));
    assert_eq!(source_offset(&[], 0, Form::Signed), None);
    assert_eq!(source_offset(&[0xff; 40], 0, Form::Signed), None);
}

#[test]
fn baseline_code_is_at_the_bytecode_whose_call_it_stands_behind() {
    // Of eight bytecodes: number 4 has two bytes, one of which may be wider, number 5 three.
    let lengths = b"1010101021321010";
    let bytecodes = [4, 9, 0, 4, 1, 2, 5, 7, 7];
    let table = [12, 5, 0x80, 1, 9];
    let at = |pc| bytecode_at(&table, &bytecodes, lengths, pc);
    // The entry, the first, the wide one, the last, behind them.
    assert_eq!(
        [12, 13, 17, 18, 145, 146, 154, 155].map(at),
        [None, Some(0), Some(0), Some(2), Some(2), Some(6), Some(6), None]
    );
    // A table of other bytecodes does not end where these do.
    assert_eq!(bytecode_at(&table[..4], &bytecodes, lengths, 13), None);
    assert_eq!(bytecode_at(&[12, 5, 0x80, 1, 9, 1], &bytecodes, lengths, 13), None);
    assert_eq!(bytecode_at(&table, &bytecodes[..8], lengths, 13), None);
    assert_eq!(bytecode_at(&table, &[4, 9, 0], lengths, 13), None);
    assert_eq!(bytecode_at(&[], &[], lengths, 0), None);
}

#[test]
fn lines_and_columns_count_from_one() {
    let lines = Lines::of("one\ntwo\n\nfour");
    let places = [0, 3, 4, 8, 9, 12].map(|offset| lines.place(offset));
    assert_eq!(places, [(1, 1), (1, 4), (2, 1), (3, 1), (4, 1), (4, 4)].map(Some));
    assert_eq!(Lines::default().place(0), None);
}

#[test]
fn big_integers_are_written_in_decimal() {
    let cases: [(&[u64], bool, &str); 5] = [
        (&[], false, "0"),
        (&[5], true, "-5"),
        (&[1_000_000_000_000_000_000], false, "1000000000000000000"),
        (&[0, 1], true, "-18446744073709551616"),
        (&[u64::MAX, u64::MAX], false, "340282366920938463463374607431768211455"),
    ];
    for (digits, negative, wanted) in cases {
        let head = (digits.len() as u64) << 1 | u64::from(negative);
        let words: Vec<u64> = [0, head].into_iter().chain(digits.iter().copied()).collect();
        let found = bigint(0, &|at| words.get(at as usize / 8).copied());
        assert_eq!(found.as_deref(), Some(wanted));
    }
}

#[test]
fn constants_are_those_of_the_release_or_of_its_line() {
    assert_eq!(line_of("12.4.254.21-node.57"), Some("12.4"));
    let exact = Constants::built_in("12.4.254.21-node.57").unwrap();
    let near = Constants::built_in("12.4.1.0-node.1").unwrap();
    assert_eq!((exact.source.as_str(), near.source.as_str()), ("12.4.254.21-node.57", "12.4.254.21-node.57"));
    assert_eq!(exact.instance_type("MAP"), Some(264));
    assert!(Constants::built_in("9.4.0.0-node.1").is_none());
    assert!(exact.need("class_Nothing__there").is_err());
}

#[test]
fn only_cores_of_64_bits_are_taken() {
    let mut head = [0; 64];
    head[..6].copy_from_slice(b"\x7fELF\x02\x01");
    head[16] = 4;
    assert!(is_core(&head));
    for (at, byte) in [(0, 0), (4, 1), (5, 2), (16, 2)] {
        let mut other = head;
        other[at] = byte;
        assert!(!is_core(&other), "byte {at}");
    }
    assert!(!is_core(&head[..10]));
}

#[test]
fn other_programs_are_named_with_the_way_out() {
    for (name, begin) in [
        ("/opt/bin/deno", Some("this is Deno")),
        ("bun run app.js", Some("this is Bun")),
        ("/srv/node_modules/bun/bin/bun.exe", Some("this is Bun")),
        ("/usr/lib/electron/electron --type=renderer", Some("this is Electron")),
        ("/usr/bin/node deno.js", None),
        ("", None),
    ] {
        assert_eq!(
            advice(&[name]).map(|text| text.starts_with(begin.unwrap_or("?"))),
            begin.map(|_| true),
            "{name}"
        );
    }
    let said = |node: &str| {
        let version = Version { node: Some(node.to_owned()), ..Version::default() };
        unknown(&version, &["/usr/bin/node"], heap_base::Error::refused("as it was")).to_string()
    };
    assert!(
        said("v16.20.2").starts_with("Node v16.20.2 is older than what can be read"),
        "{}",
        said("v16.20.2")
    );
    assert_eq!(said("v28.0.0"), "as it was");
}
