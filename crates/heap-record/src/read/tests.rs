//! The two paths of the reader held together, and both to the writer.
#![cfg(test)]

use std::fmt::Write as _;

use arbitrary::{Result as Gen, Unstructured};
use serde_json::Value as Json;

use super::extension::{Shape, other};
use super::{fast, read, sniff};
use crate::model::{
    Data, Declaration, Declared, Edge, Extension, FieldKind, Heap, Line, Metadata, Node, Retains, Str,
};
use crate::sink::{Sink, SnapshotSelector};
use crate::write::{Form, Writer};
use heap_base::json::Members;
use heap_base::{Error, Result};

/// Writes down every record it hears, without the line it came from.
#[derive(Default)]
struct Notes(Vec<String>);

impl Sink for Notes {
    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        self.0.push(format!("{:?}", Metadata { line: Line::default(), ..*record }));
        Ok(())
    }
    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.0.push(format!("{record:?}"));
        Ok(())
    }
    fn string(&mut self, record: &Str<'_>) -> Result {
        let text = record.data.text();
        self.0.push(format!("{:?}", Str { line: Line::default(), data: Data::Plain(&text), ..*record }));
        Ok(())
    }
    fn node(&mut self, record: &Node<'_>) -> Result {
        self.0.push(format!("{:?}", Node { line: Line::default(), ..*record }));
        Ok(())
    }
    fn edge(&mut self, record: &Edge<'_>) -> Result {
        self.0.push(format!("{:?}", Edge { line: Line::default(), ..*record }));
        Ok(())
    }
    fn extension(&mut self, record: &Extension<'_>) -> Result {
        self.0.push(format!("{:?}", Extension { line: Line::default(), ..*record }));
        Ok(())
    }
}

fn notes(text: &[u8]) -> std::result::Result<Vec<String>, String> {
    let mut notes = Notes::default();
    read(text, SnapshotSelector::All, &mut notes).map_err(|e| e.to_string())?;
    Ok(notes.0)
}

fn canonical(text: &[u8]) -> std::result::Result<String, String> {
    let mut writer = Writer::new(Vec::new()).form(Form::Canonical);
    read(text, SnapshotSelector::All, &mut writer).map_err(|e| e.to_string())?;
    writer.finish(true).map_err(|e| e.to_string())?;
    Ok(String::from_utf8(writer.into_inner()).expect("the writer writes UTF-8"))
}

const HEAD: &str = "{\"type\":\"metadata\",\"key\":\"version_major\",\"value\":\"1\"}\n";

fn int(u: &mut Unstructured<'_>) -> Gen<i64> {
    Ok(match u.int_in_range(0..=5)? {
        0 => u.arbitrary()?,
        1 => i64::from(u.arbitrary::<i8>()?),
        2 => (1 << 53) - 2 + i64::from(u.int_in_range(0..=4u8)?),
        3 => -(1 << 53) - 2 + i64::from(u.int_in_range(0..=4u8)?),
        _ => u.int_in_range(0..=99_999_999)?,
    })
}

/// String ids stay within ±(2^53 − 1): beyond that they could not be told from text in their place.
fn string_id(u: &mut Unstructured<'_>) -> Gen<i64> {
    u.int_in_range(-(1 << 53) + 1..=(1 << 53) - 1)
}

fn text(u: &mut Unstructured<'_>) -> Gen<String> {
    let n = u.int_in_range(0..=6)?;
    (0..n)
        .map(|_| {
            Ok(match u.int_in_range(0..=6)? {
                0 => *u.choose(&[
                    '"', '\\', '/', '\u{8}', '\u{c}', '\n', '\r', '\t', '\0', '\u{1f}', '\u{7f}',
                ])?,
                1 => u.arbitrary()?,
                2 => *u.choose(&['{', '}', ',', ':', '0', 'x', '\u{2028}', '\u{1f600}', '\u{fffd}'])?,
                _ => *u.choose(&['a', 'b', 'Z', ' '])?,
            })
        })
        .collect()
}

fn scalars(u: &mut Unstructured<'_>, members: &mut Members, names: &[&str]) -> Gen<()> {
    for name in names {
        match u.int_in_range(0..=7)? {
            0 => members.int(name, int(u)?),
            1 => members.text(name, &text(u)?),
            2 => members.boolean(name, u.arbitrary()?),
            3 => members.float(name, u.arbitrary()?),
            4 => members.raw(name, b"[1,{\"a\":[]},null]"),
            5 => members.uint(name, u.arbitrary()?),
            _ => members,
        };
    }
    Ok(())
}

fn namespaces(u: &mut Unstructured<'_>, members: &mut Members) -> Gen<()> {
    for name in ["v8", "moar"] {
        if u.ratio(1, 3)? {
            members.open(name);
            scalars(u, members, &["a", "source", "long name"])?;
            members.close();
        }
    }
    Ok(())
}

fn any<'a, T: arbitrary::Arbitrary<'a>>(u: &mut Unstructured<'a>) -> Gen<T> {
    u.arbitrary()
}

fn maybe<'a, T>(u: &mut Unstructured<'a>, f: impl Fn(&mut Unstructured<'a>) -> Gen<T>) -> Gen<Option<T>> {
    if u.ratio(1, 2)? { f(u).map(Some) } else { Ok(None) }
}

/// Appends one record of any kind.
fn record(u: &mut Unstructured<'_>, out: &mut Writer<Vec<u8>>) -> Gen<Result> {
    let (mut own, mut rest, mut heap_rest) = (Members::new(), Members::new(), Members::new());
    Ok(match u.int_in_range(0..=9)? {
        0 => out.metadata(&Metadata { key: &text(u)?, value: &text(u)?, line: Line::default() }),
        1 => {
            let fields = [(text(u)?.into(), FieldKind::Integer), ("b".into(), FieldKind::Text)];
            match u.int_in_range(0..=2)? {
                0 => out.declare(&Declared::Record { name: "other.thing", fields: &fields }.into()),
                1 => out.declare(
                    &Declared::Node { id: u.arbitrary()?, name: &text(u)?, table: None, fields: &[] }.into(),
                ),
                _ => {
                    let retains = *u.choose(&[Retains::Yes, Retains::No, Retains::Root])?;
                    out.declare(
                        &Declared::Edge { id: u.arbitrary()?, name: &text(u)?, retains, rest: b"" }.into(),
                    )
                }
            }
        }
        2 => {
            scalars(u, &mut rest, &["x"])?;
            out.string(&Str {
                id: string_id(u)?,
                data: Data::Plain(&text(u)?),
                rest: rest.as_bytes(),
                ..Str::default()
            })
        }
        3 => {
            scalars(u, &mut own, &["a", "b"])?;
            namespaces(u, &mut own)?;
            let kind = u.choose(&["other.thing", "other.things", "x.y"])?;
            out.extension(&Extension { kind, body: own.as_bytes(), ..Extension::default() })
        }
        4..=6 => {
            scalars(u, &mut own, &["length", "source"])?;
            namespaces(u, &mut rest)?;
            if u.ratio(1, 4)? {
                scalars(u, &mut heap_rest, &["more"])?;
            }
            let heap = Heap {
                size: maybe(u, |u| Ok(int(u)?.unsigned_abs()))?,
                class: maybe(u, string_id)?,
                name: maybe(u, string_id)?,
                external: maybe(u, any)?,
                count: maybe(u, any)?,
                retained: maybe(u, any)?,
                idom: maybe(u, int)?,
                distance: maybe(u, int)?,
                reachable: maybe(u, any)?,
                rest: heap_rest.as_bytes(),
            };
            let node = Node {
                subtype: u.int_in_range(0..=20)?,
                id: int(u)?,
                own: own.as_bytes(),
                heap,
                rest: rest.as_bytes(),
                line: Line::default(),
            };
            out.node(&node)
        }
        _ => {
            namespaces(u, &mut rest)?;
            out.edge(&Edge {
                subtype: u.int_in_range(0..=90)?,
                source: int(u)?,
                dest: maybe(u, int)?,
                label: maybe(u, string_id)?,
                rest: rest.as_bytes(),
                line: Line::default(),
            })
        }
    })
}

fn document(u: &mut Unstructured<'_>) -> Gen<Vec<u8>> {
    let mut writer = Writer::new(Vec::new());
    writer.metadata(&Metadata { key: "version_major", value: "1", line: Line::default() }).expect("a vector");
    for _ in 0..u.int_in_range(1..=12)? {
        record(u, &mut writer)?.expect("a vector");
    }
    writer.finish(true).expect("a vector");
    Ok(writer.into_inner())
}

/// The same JSON in another order, with blanks and needless escapes.
fn reprint(u: &mut Unstructured<'_>, value: &Json, out: &mut String) -> Gen<()> {
    let blank = |u: &mut Unstructured<'_>, out: &mut String| -> Gen<()> {
        if u.ratio(1, 4)? {
            out.push_str(u.choose(&[" ", "\t", "  "])?);
        }
        Ok(())
    };
    let string = |u: &mut Unstructured<'_>, text: &str, out: &mut String| -> Gen<()> {
        out.push('"');
        for c in text.chars() {
            match c {
                '"' | '\\' => out.extend(['\\', c]),
                '/' if u.arbitrary()? => out.push_str("\\/"),
                c if c < ' ' || u.ratio(1, 5)? => {
                    for unit in c.encode_utf16(&mut [0; 2]) {
                        let _ = if u.arbitrary()? {
                            write!(out, "\\u{unit:04x}")
                        } else {
                            write!(out, "\\u{unit:04X}")
                        };
                    }
                }
                c => out.push(c),
            }
        }
        out.push('"');
        Ok(())
    };
    blank(u, out)?;
    match value {
        Json::Object(map) => {
            let mut members: Vec<_> = map.iter().collect();
            for i in (1..members.len()).rev() {
                members.swap(i, u.int_in_range(0..=i)?);
            }
            out.push('{');
            for (i, (key, value)) in members.into_iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                blank(u, out)?;
                string(u, key, out)?;
                blank(u, out)?;
                out.push(':');
                reprint(u, value, out)?;
            }
            out.push('}');
        }
        Json::String(text) => string(u, text, out)?,
        other => out.push_str(&other.to_string()),
    }
    blank(u, out)
}

fn parsed(text: &str) -> Vec<Json> {
    text.lines().map(|l| serde_json::from_str(l).expect("the writer writes JSON")).collect()
}

#[test]
fn what_is_written_is_read_back_and_written_the_same() {
    arbtest::arbtest(|u| {
        let document = document(u)?;
        let again = canonical(&document).expect("canonical lines are legal");
        assert_eq!(again, String::from_utf8_lossy(&document));
        Ok(())
    });
}

#[test]
fn any_order_blanks_and_escapes_give_the_same_records() {
    arbtest::arbtest(|u| {
        let document = String::from_utf8(document(u)?).expect("the writer writes UTF-8");
        let mut other = String::new();
        for value in parsed(&document) {
            reprint(u, &value, &mut other)?;
            other.push('\n');
        }
        let again = canonical(other.as_bytes()).unwrap_or_else(|e| panic!("{e}\n{other}"));
        assert_eq!(parsed(&again), parsed(&document), "{other}");
        Ok(())
    });
}

#[test]
fn the_fast_path_agrees_with_the_general_one_also_on_damaged_lines() {
    let (mut fast_lines, mut others, mut shape) = (0, 0, Shape::default());
    arbtest::arbtest(|u| {
        let document = document(u)?;
        for line in document.split_inclusive(|&b| b == b'\n') {
            let mut line = line.to_vec();
            for _ in 0..u.int_in_range(0..=2)? {
                let i = u.int_in_range(0..=line.len() - 2)?;
                match u.int_in_range(0..=2)? {
                    0 => line[i] = *u.choose(b"0123456789-{}[],:\"\\ .eEtf\t\xff")?,
                    1 => drop(line.remove(i)),
                    _ => line.insert(i, line[i]),
                }
            }
            let mut heard = Notes::default();
            let plain = if u.arbitrary()? { fast::plain_node(&line) } else { None };
            let used = if let Some((edge, used)) = fast::edge(&line) {
                heard.edge(&edge).map(|()| used)
            } else if let Some((node, used)) = plain.or_else(|| fast::node(&line)) {
                heard.node(&node).map(|()| used)
            } else if let Some((string, used)) = fast::string(&line) {
                heard.string(&string).map(|()| used)
            } else if let Some((other, used)) = other(&line, &shape) {
                others += 1;
                let told = heard.extension(&other).map(|()| used);
                if u.arbitrary()? {
                    let mut next = Shape::default();
                    next.learn(&other);
                    shape = next;
                }
                told
            } else {
                continue;
            };
            assert_eq!(used.expect("notes never fail"), line.len());
            fast_lines += 1;
            line.insert(0, b' ');
            assert_eq!(Ok(heard.0), notes(&line), "{}", String::from_utf8_lossy(&line));
        }
        Ok(())
    })
    // The usual tenth of a second finds too few fast lines on a busy machine.
    .budget_ms(1000);
    assert!(
        fast_lines > 100 && others > 5,
        "only {fast_lines} lines, {others} of extensions, took the fast path"
    );
}

#[test]
fn a_number_that_begins_with_a_zero_is_not_canonical() {
    let edge =
        |n: &str| format!("{{\"type\":\"edge\",\"subtype\":3,\"source\":1,\"dest\":{n},\"label\":2}}\n");
    for good in ["0", "7", "1234567", "12345678", "123456789", "-7", "9007199254740991"] {
        assert!(fast::edge(edge(good).as_bytes()).is_some(), "{good}");
    }
    for bad in
        ["", "-", "-0", "00", "07", "-07", "01234567", "012345678", "9007199254740992", "00000000000000001"]
    {
        assert!(fast::edge(edge(bad).as_bytes()).is_none(), "{bad}");
    }
}

#[test]
fn names_written_out_become_numbers_again() {
    let view = [
        HEAD,
        "{\"type\":\"node_type\",\"nodetypeid\":4,\"name\":\"object\",\"table_name\":\"object\"}\n",
        "{\"type\":\"node_type\",\"nodetypeid\":5,\"name\":\"string_flat\",\"fields\":{\"data\":\"string\"}}\n",
        "{\"type\":\"edge_type\",\"edgetypeid\":3,\"name\":\"object property\"}\n",
        "{\"type\":\"node\",\"subtype\":\"object\",\"identifier\":1,\"heap\":{\"size\":96,\"class\":\"Account\"}}\n",
        "{\"type\":\"node\",\"subtype\":\"string_flat\",\"identifier\":3,\"data\":\"0x10\",\"heap\":{\"size\":8}}\n",
        "{\"type\":\"node\",\"subtype\":\"unheard of\",\"identifier\":5}\n",
        "{\"type\":\"edge\",\"subtype\":\"object property\",\"source\":1,\"dest\":3,\"label\":\"Account\"}\n",
    ]
    .concat();
    let plain = canonical(view.as_bytes()).expect("a view is legal");
    let expected = [
        "{\"type\":\"string\",\"stringid\":1099511627776,\"data\":\"Account\"}",
        "{\"type\":\"node\",\"subtype\":4,\"identifier\":1,\"heap\":{\"size\":96,\"class\":1099511627776}}",
        "{\"type\":\"string\",\"stringid\":1099511627777,\"data\":\"0x10\"}",
        "{\"type\":\"node\",\"subtype\":5,\"identifier\":3,\"data\":1099511627777,\"heap\":{\"size\":8}}",
        "{\"type\":\"node_type\",\"nodetypeid\":6,\"name\":\"unheard of\"}",
        "{\"type\":\"node\",\"subtype\":6,\"identifier\":5}",
        "{\"type\":\"edge\",\"subtype\":3,\"source\":1,\"dest\":3,\"label\":1099511627776}",
        "{\"type\":\"metadata\",\"key\":\"heap.end\",\"value\":\"nodes=3 edges=1 strings=2\"}",
    ];
    assert_eq!(plain.lines().skip(4).collect::<Vec<_>>(), expected);
}

#[test]
fn the_prototype_is_read() {
    // As libpmx writes it: `ident` and `contents`, bare hexadecimal numbers, the version not first.
    let text = [
        "{\"type\":\"metadata\",\"key\":\"generator\",\"value\":\"pmxemit\"}\n",
        "{\"type\":\"metadata\",\"key\":\"version_major\",\"value\":\"0\"}\n",
        "{\"type\":\"string\",\"ident\":0x501,\"contents\":\"the :0x5 \\\"hole\"}\n",
        "{\"type\":\"node\",\"ident\":0xffffffff86e0ab0d,\"subtype\":1,\"name\":0x501}\n",
        "{\"type\":\"node\",\"ident\":\"0x1001\",\"subtype\":1,\"name\":1281}\n",
    ]
    .concat();
    let expected = [
        "{\"type\":\"metadata\",\"key\":\"generator\",\"value\":\"pmxemit\"}",
        "{\"type\":\"metadata\",\"key\":\"version_major\",\"value\":\"0\"}",
        "{\"type\":\"string\",\"stringid\":1281,\"data\":\"the :0x5 \\\"hole\"}",
        "{\"type\":\"node\",\"subtype\":1,\"identifier\":-2032096499,\"name\":\"0x501\"}",
        "{\"type\":\"node\",\"subtype\":1,\"identifier\":4097,\"name\":1281}",
        "{\"type\":\"metadata\",\"key\":\"heap.end\",\"value\":\"nodes=2 edges=0 strings=1\"}",
    ];
    let plain = canonical(text.as_bytes()).expect("the prototype's stream");
    assert_eq!(plain.lines().collect::<Vec<_>>(), expected);
    // Copied as read where it is JSON.
    let mut writer = Writer::new(Vec::new());
    read(text.as_bytes(), SnapshotSelector::All, &mut writer).expect("the prototype's stream");
    let copied = String::from_utf8(writer.into_inner()).expect("the writer writes UTF-8");
    assert!(copied.lines().all(|l| serde_json::from_str::<Json>(l).is_ok()), "{copied}");
    let damaged = "{\"type\":\"node\",\"ident\":0x,\"subtype\":0x1g}\n";
    assert_eq!(notes(damaged.as_bytes()), Err("line 1: expected a JSON object".to_owned()));
}

#[test]
fn lines_are_copied_byte_for_byte() {
    let odd = [
        HEAD,
        "{\"type\":\"node_type\", \"nodetypeid\":4,\"name\":\"object\",\"colour\":[1 ,2]}\n",
        "{\"type\":\"x.y\", \"a\" : 1e3}\n",
        "{ \"identifier\":7,\"type\":\"node\",\"subtype\":4,\"new\":{\"a\":[1, 2]}}\n",
    ]
    .concat();
    let mut writer = Writer::new(Vec::new());
    read(odd.as_bytes(), SnapshotSelector::All, &mut writer).expect("legal");
    writer.finish(false).expect("a vector");
    assert_eq!(String::from_utf8_lossy(&writer.into_inner()), odd);
}

#[test]
fn a_stream_cut_and_flipped_at_every_byte() {
    let text = [
        HEAD,
        "{\"type\":\"type\",\"name\":\"node\",\"fields\":{\"heap.size\":\"integer\",\"x.y\":\"string\"}}\n",
        "{\"type\":\"node_type\",\"nodetypeid\":4,\"name\":\"object\"}\n",
        "{\"type\":\"edge_type\",\"edgetypeid\":1,\"name\":\"v8.weak\",\"heap\":{\"retains\":\"no\"}}\n",
        "{\"type\":\"string\",\"stringid\":1,\"data\":\"a\\\"\\u0007\u{e9}\u{fffd}\",\"heap\":{\"utf16\":\"0061d800\"}}\n",
        "{\"type\":\"node\",\"subtype\":4,\"identifier\":7,\"data\":1,\"heap\":{\"size\":16,\"class\":1},\"x\":{\"y\":1}}\n",
        "{\"type\":\"edge\",\"subtype\":1,\"source\":7,\"dest\":\"0x7fffffffffffffff\",\"label\":1,\"heap\":{\"value\":1.5}}\n",
        "{\"type\":\"x.y\",\"a\":{\"b\":[1e3]}}\n",
        "{\"type\":\"metadata\",\"key\":\"heap.end\",\"value\":\"nodes=1 edges=1 strings=1\"}\n",
    ]
    .concat();
    let tell = |bytes: &[u8]| {
        let mut heard = Notes::default();
        let result = read(bytes, SnapshotSelector::All, &mut heard);
        (heard.0, result)
    };
    let (whole, result) = tell(text.as_bytes());
    result.expect("legal");
    for at in 0..text.len() {
        let (cut, result) = tell(&text.as_bytes()[..at]);
        assert!(cut.len() <= whole.len() && cut == whole[..cut.len()], "cut to {at}");
        // Without its LF a line is whole, without more it is not.
        let lost = !text.as_bytes()[..at].ends_with(b"}\n") && text.as_bytes()[at] != b'\n';
        assert_eq!(result.is_err(), lost && at > 0, "cut to {at}");
        for mask in [1, 2, 0x20, 0x80, 0xff] {
            let mut flipped = text.clone().into_bytes();
            flipped[at] ^= mask;
            let _ = tell(&flipped);
        }
    }
}

#[test]
fn errors_name_the_line() {
    let check = |second: &str, message: &str| {
        let text = format!("{HEAD}{second}\n{HEAD}");
        assert_eq!(notes(text.as_bytes()), Err(format!("line 2: {message}")), "{second}");
    };
    check("", "expected a JSON object");
    check("[1]", "expected a JSON object");
    check("{\"type\":\"node\"", "expected a JSON object");
    check("{\"type\":\"node\"} x", "expected a JSON object");
    check("{\"a\":1}", "expected a record with a \"type\"");
    check("{\"type\":\"node\",\"subtype\":1}", "expected a field \"identifier\"");
    check("{\"type\":\"node\",\"identifier\":1}", "expected a field \"subtype\"");
    check(
        "{\"type\":\"node\",\"subtype\":-1,\"identifier\":1}",
        "expected a number below 2^32 in \"subtype\"",
    );
    check("{\"type\":\"edge\",\"subtype\":1,\"dest\":3}", "expected a field \"source\"");
    check("{\"type\":\"edge\",\"subtype\":1,\"source\":1.5}", "expected a whole number in \"source\"");
    check(
        "{\"type\":\"node\",\"subtype\":1,\"identifier\":1,\"heap\":{\"size\":-8}}",
        "expected a number that is not negative in \"heap.size\"",
    );
    check("{\"type\":\"string\",\"stringid\":1}", "expected a field \"data\"");
    let deep = format!("{{\"type\":\"x\",\"a\":{}", "[".repeat(1_000_000));
    check(&deep, "expected a JSON object");
    let cut = format!("{HEAD}{{\"type\":\"node\",\"subtype\":1,\"identi");
    assert_eq!(notes(cut.as_bytes()), Err("line 2: expected a JSON object".to_owned()));
    assert_eq!(notes(b"\xff\xfe\n"), Err("line 1: expected UTF-8".to_owned()));
}

#[test]
fn one_snapshot_of_several() {
    let text = "\
        {\"type\":\"metadata\",\"key\":\"version_major\",\"value\":\"1\"}\n\
        {\"type\":\"metadata\",\"key\":\"heap.snapshot\",\"value\":\"0\"}\n\
        {\"type\":\"string\",\"stringid\":1,\"data\":\"a\"}\n\
        {\"type\":\"node\",\"subtype\":1,\"identifier\":1}\n\
        {\"type\":\"metadata\",\"key\":\"heap.snapshot\",\"value\":\"5\"}\n\
        {\"type\":\"node\",\"subtype\":1,\"identifier\":3}\n";
    let ids = |pick| {
        let mut notes = Notes::default();
        read(text.as_bytes(), pick, &mut notes).map(|()| {
            let picked =
                |n: &String| n.split("id: ").nth(1).map(|t| t.split(',').next().unwrap_or("").to_owned());
            notes.0.iter().filter(|n| n.starts_with("Node")).filter_map(picked).collect::<Vec<_>>()
        })
    };
    assert_eq!(ids(SnapshotSelector::Number(5)).expect("is there"), ["3"]);
    assert_eq!(ids(SnapshotSelector::Number(0)).expect("is there"), ["1"]);
    assert_eq!(ids(SnapshotSelector::All).expect("is there"), ["1", "3"]);
    let missing: Error = ids(SnapshotSelector::Number(1)).expect_err("there is none");
    assert_eq!(missing.to_string(), "no snapshot 1 in the stream");
}

#[test]
fn streams_are_recognised() {
    assert!(sniff(HEAD.as_bytes()));
    assert!(sniff(b" {\"b\":1, \"type\":\"node\"}\n"));
    assert!(!sniff(b"{\"snapshot\":{\"meta\":{}}}"));
    assert!(!sniff(b"{\"traceEvents\":[{\"type\":\"x\"}]}"));
    assert!(!sniff(b""));
    assert!(!sniff(b"[1]"));
}
