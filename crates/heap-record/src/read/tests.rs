//! The two paths of the reader compared with each other, and both with the writer.
#![cfg(test)]

use std::fmt::Write as _;

use arbitrary::{Result as Gen, Unstructured};
use serde_json::Value as Json;

use super::extension::{Shape, other};
use super::{fast, read, read_counted, sniff};
use crate::batch::{EdgeBatch, NodeBatch};
use crate::model::{Declared, FieldKind, Metadata, Retains, Role};
use crate::sink::{Sink, SnapshotSelector};
use crate::testing::{DeclarationRecord, Record, Recorder, generate};
use crate::types::Types;
use crate::wants::Wants;
use crate::write::{Form, Writer};

fn recorded(text: &[u8], selector: SnapshotSelector) -> Recorder {
    Recorder::record(|sink| read(text, selector, sink))
}

fn records(text: &[u8]) -> std::result::Result<Vec<Record>, String> {
    let recorder = recorded(text, SnapshotSelector::All);
    recorder.error.map_or(Ok(recorder.records), Err)
}

fn canonical(text: &[u8]) -> std::result::Result<String, String> {
    let mut writer = AsItComes(Writer::new(Vec::new()).form(Form::Canonical));
    read(text, SnapshotSelector::All, &mut writer).map_err(|e| e.to_string())?;
    writer.finish(true).map_err(|e| e.to_string())?;
    Ok(String::from_utf8(writer.0.into_inner()).expect("the writer writes UTF-8"))
}

/// Passes on records in the order in which they come.
struct AsItComes(Writer<Vec<u8>>);

impl Sink for AsItComes {
    fn wants(&self) -> Wants {
        Wants { any_order: true, ..Wants::ALL }
    }

    crate::pass_on!(0: metadata declare string nodes edges extension finish);
}

const HEAD: &str = "{\"type\":\"metadata\",\"key\":\"version_major\",\"value\":\"1\"}\n";

fn document(u: &mut Unstructured<'_>) -> Gen<Vec<u8>> {
    let mut writer = Writer::new(Vec::new());
    writer.metadata(&Metadata { key: "version_major", value: "1", ..Metadata::default() }).expect("a vector");
    for _ in 0..u.int_in_range(1..=12)? {
        generate::record(u)?.deliver(&mut writer).expect("a vector");
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
    let mut compare = |u: &mut Unstructured<'_>| {
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
            let mut recorder = Recorder::default();
            let plain = if u.arbitrary()? { fast::plain_node(&line) } else { None };
            let used = if let Some((edge, used)) = fast::edge(&line) {
                recorder.edges(&EdgeBatch::one(&edge)).map(|()| used)
            } else if let Some((node, used)) = plain.or_else(|| fast::node(&line)) {
                recorder.nodes(&NodeBatch::one(&node)).map(|()| used)
            } else if let Some((string, used)) = fast::string(&line) {
                recorder.string(&string).map(|()| used)
            } else if let Some((other, used)) = other(&line, &shape) {
                others += 1;
                let result = recorder.extension(&other).map(|()| used);
                if u.arbitrary()? {
                    let mut next = Shape::default();
                    next.learn(&other);
                    shape = next;
                }
                result
            } else {
                continue;
            };
            assert_eq!(used.expect("a recorder never fails"), line.len());
            fast_lines += 1;
            line.insert(0, b' ');
            assert_eq!(Ok(recorder.records), records(&line), "{}", String::from_utf8_lossy(&line));
        }
        Ok(())
    };
    for i in 1..=600u32 {
        // The same input in every run: random bits above, the number of bytes below.
        let seed = u64::from(i.wrapping_mul(0x9E37_79B9)) << 32 | 4096;
        arbtest::arbtest(&mut compare).seed(seed);
    }
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
        "{\"type\":\"node\",\"subtype\":\"undeclared\",\"identifier\":5}\n",
        "{\"type\":\"edge\",\"subtype\":\"object property\",\"source\":1,\"dest\":3,\"label\":\"Account\"}\n",
    ]
    .concat();
    let plain = canonical(view.as_bytes()).expect("a view is legal");
    let expected = [
        "{\"type\":\"string\",\"stringid\":1099511627776,\"data\":\"Account\"}",
        "{\"type\":\"node\",\"subtype\":4,\"identifier\":1,\"heap\":{\"size\":96,\"class\":1099511627776}}",
        "{\"type\":\"string\",\"stringid\":1099511627777,\"data\":\"0x10\"}",
        "{\"type\":\"node\",\"subtype\":5,\"identifier\":3,\"data\":1099511627777,\"heap\":{\"size\":8}}",
        "{\"type\":\"node_type\",\"nodetypeid\":6,\"name\":\"undeclared\"}",
        "{\"type\":\"node\",\"subtype\":6,\"identifier\":5}",
        "{\"type\":\"edge\",\"subtype\":3,\"source\":1,\"dest\":3,\"label\":1099511627776}",
        "{\"type\":\"metadata\",\"key\":\"heap.end\",\"value\":\"nodes=3 edges=1 strings=2\"}",
    ];
    assert_eq!(plain.lines().skip(5).collect::<Vec<_>>(), expected);
}

/// Everything that a record needs of declarations may come behind it, if its sink asks for order.
#[test]
fn what_comes_before_its_declaration_is_delivered_behind_it() {
    let late = [
        HEAD,
        "{\"type\":\"edge\",\"subtype\":1,\"source\":7,\"dest\":9}\n",
        "{\"type\":\"node\",\"subtype\":\"thing\",\"identifier\":7,\"data\":\"A\"}\n",
        "{\"type\":\"node\",\"subtype\":4,\"identifier\":9,\"heap\":{\"size\":16},\"x\":{\"y\":1}}\n",
        "{\"type\":\"x.y\",\"a\":\"A\"}\n",
        "{\"type\":\"node\",\"subtype\":5,\"ident\":0x1001}\n",
        "{\"type\":\"node\",\"subtype\":6,\"identifier\":11}\n",
        "{\"type\":\"type\",\"name\":\"x.y\",\"fields\":{\"a\":\"string\"}}\n",
        "{\"type\":\"type\",\"name\":\"node\",\"fields\":{\"x.y\":\"string\"}}\n",
        "{\"type\":\"node_type\",\"nodetypeid\":4,\"name\":\"thing\",\"fields\":{\"data\":\"string\"}}\n",
        "{\"type\":\"node_type\",\"nodetypeid\":5,\"name\":\"other\"}\n",
        "{\"type\":\"edge_type\",\"edgetypeid\":1,\"name\":\"weak\",\"heap\":{\"retains\":\"no\"}}\n",
    ];
    let lines: Vec<&[u8]> = late.iter().map(|line| line.as_bytes()).collect();
    let order = [0, 7, 8, 9, 10, 11, 1, 2, 3, 4, 5, 6];
    let sorted: Vec<u8> = order.iter().flat_map(|&i| lines[i]).copied().collect();
    let ordered = |text: &[u8]| {
        let recorder = Recorder::new(Wants::ALL).with(|sink| read(text, SnapshotSelector::All, sink));
        recorder.error.map_or(Ok(recorder.records), Err)
    };
    let late = lines.concat();
    assert_eq!(ordered(&late).expect("a stream"), records(&sorted).expect("a stream"));
    // Also if the stream is damaged behind it, and where another snapshot begins.
    let damaged = ordered(&[&late, &b"{\n"[..]].concat()).expect_err("damage");
    assert_eq!(damaged, "line 13: expected a JSON object");
    let snapshot = b"{\"type\":\"metadata\",\"key\":\"heap.snapshot\",\"value\":\"1\"}\n";
    let next = [&late, &snapshot[..], lines[3], lines[1]].concat();
    let expected = [&sorted, &snapshot[..], lines[3], lines[1]].concat();
    assert_eq!(ordered(&next).expect("a stream"), records(&expected).expect("a stream"));
    // But no declaration reaches back into another snapshot.
    let too_late = "{\"type\":\"node_type\",\"nodetypeid\":6,\"name\":\"late\"}\n";
    let refused = ordered(&[&next, too_late.as_bytes()].concat()).expect_err("too late");
    assert_eq!(refused, "line 16: this is declared after the snapshot that uses it");
}

/// A role is what the declaration says, else what the draft's own names say.
#[test]
fn a_role_is_declared_or_follows_from_the_name() {
    let declared = |name: &str, heap: &str| {
        let line = format!("{{\"type\":\"edge_type\",\"edgetypeid\":1,\"name\":\"{name}\"{heap}}}\n");
        let found = records(&[HEAD.as_bytes(), line.as_bytes()].concat())?;
        let mut types = Types::default();
        for record in &found {
            if let Record::Declaration(declaration) = record {
                types.declare(&declaration.declared().into());
            }
        }
        Ok::<_, String>((types.role(1), types.retains(1)))
    };
    let named = |name| declared(name, "").map(|(role, _)| role);
    assert_eq!(named("object property"), Ok(Role::Member));
    assert_eq!(named("array element"), Ok(Role::Element));
    assert_eq!(named("closure variable"), Ok(Role::Variable));
    assert_eq!(named("x.static"), Ok(Role::Inner));
    assert_eq!(
        declared("x.static", ",\"heap\":{\"retains\":\"no\",\"role\":\"static\"}"),
        Ok((Role::Static, Retains::No))
    );
    assert_eq!(
        declared("object property", ", \"heap\": {\"role\": \"inner\", \"more\": 1}"),
        Ok((Role::Inner, Retains::Yes))
    );
    assert_eq!(Types::default().role(7), Role::Inner);
    assert_eq!(
        declared("x", ",\"heap\":{\"role\":\"colour\"}"),
        Err("line 2: expected member, element, variable, static or inner in \"role\"".to_owned())
    );
}

#[test]
fn what_the_end_mark_of_a_stream_contradicts_is_damage() {
    let head = [HEAD, "{\"type\":\"metadata\",\"key\":\"heap.end\",\"value\":\"expected\"}\n"].concat();
    let string = "{\"type\":\"string\",\"stringid\":1,\"data\":\"a\"}\n";
    let end = "{\"type\":\"metadata\",\"key\":\"heap.end\",\"value\":\"nodes=0 edges=0 strings=1\"}\n";
    let said = |parts: &[&str]| {
        let mut sink = Recorder::new(Wants::ALL);
        read(parts.concat().as_bytes(), SnapshotSelector::All, &mut sink).err().map(|e| e.to_string())
    };
    let sound = [&head, string, end];
    assert_eq!(said(&sound), None);
    assert_eq!(said(&[&sound[..], &sound].concat()), None);
    let cut = "the stream was cut off: the end mark that its head promises is missing";
    for (parts, expected) in [
        (vec![&*head, string], format!("line 4: {cut}")),
        (vec![string, end], "line 2: the end mark of a stream whose head is missing".to_owned()),
        (vec![&*head, string, end, end], "line 5: a second end mark".to_owned()),
        (vec![&*head, string, end, string, end], "line 5: a record behind the end mark".to_owned()),
        (
            vec![&*head, string, &*head, string, end],
            "line 4: a stream begins before the end mark of the one ahead of it".to_owned(),
        ),
    ] {
        assert_eq!(said(&parts).as_deref(), Some(&*expected), "{parts:?}");
    }
}

/// It may have been edited on purpose, so what came is read; but no copy of it has a mark that hides what it lacks.
#[test]
fn a_mark_that_counts_other_records_is_noted_and_not_mended() {
    let head = [HEAD, "{\"type\":\"metadata\",\"key\":\"heap.end\",\"value\":\"expected\"}\n"].concat();
    let string = "{\"type\":\"string\",\"stringid\":1,\"data\":\"a\"}\n";
    let end = "{\"type\":\"metadata\",\"key\":\"heap.end\",\"value\":\"nodes=0 edges=0 strings=1\"}\n";
    for (strings, is_whole) in [(0, false), (1, true), (2, false)] {
        let text = [&head, &string.repeat(strings), end].concat();
        let mut noted = Recorder::new(Wants::ALL);
        read(text.as_bytes(), SnapshotSelector::All, &mut noted).expect("what came is read");
        let note = format!(
            "the end mark says nodes=0 edges=0 strings=1, but nodes=0 edges=0 strings={strings} came: records are \
             missing or were added"
        );
        let has_note = noted.records.iter().any(|record| format!("{record:?}").contains(&note));
        assert_ne!(has_note, is_whole, "{:?}", noted.records);
        let mut writer = Writer::new(Vec::new());
        read(text.as_bytes(), SnapshotSelector::All, &mut writer).expect("what came is read");
        writer.finish(true).expect("memory can be written");
        let copy = writer.into_inner();
        let copy = String::from_utf8(copy).expect("records are text");
        assert_eq!(copy.contains(end), is_whole, "{copy}");
        assert!(!copy.contains(&note), "{copy}");
        // A sound stream behind it has its mark.
        let both = [&text, &head, string, end].concat();
        let mut writer = Writer::new(Vec::new());
        read(both.as_bytes(), SnapshotSelector::All, &mut writer).expect("what came is read");
        writer.finish(true).expect("memory can be written");
        let copy = String::from_utf8(writer.into_inner()).expect("records are text");
        assert_eq!(copy.matches(end).count(), 1 + usize::from(is_whole), "{copy}");
    }
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
        "{\"type\":\"metadata\",\"key\":\"heap.end\",\"value\":\"expected\"}",
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
    assert_eq!(records(damaged.as_bytes()), Err("line 1: expected a JSON object".to_owned()));
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
    let promise = "{\"type\":\"metadata\",\"key\":\"heap.end\",\"value\":\"expected\"}\n";
    assert_eq!(
        String::from_utf8_lossy(&writer.into_inner()),
        odd.replacen(HEAD, &[HEAD, promise].concat(), 1)
    );
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
    let whole = records(text.as_bytes()).expect("legal");
    for at in 0..text.len() {
        let cut = recorded(&text.as_bytes()[..at], SnapshotSelector::All);
        assert_eq!(Some(&cut.records[..]), whole.get(..cut.records.len()), "cut to {at}");
        // Without its LF a line is complete, without more it is not.
        let lost = !text.as_bytes()[..at].ends_with(b"}\n") && text.as_bytes()[at] != b'\n';
        assert_eq!(cut.error.is_some(), lost && at > 0, "cut to {at}");
        for mask in [1, 2, 0x20, 0x80, 0xff] {
            let mut flipped = text.clone().into_bytes();
            flipped[at] ^= mask;
            recorded(&flipped, SnapshotSelector::All);
        }
    }
}

#[test]
fn errors_name_the_line() {
    let check = |second: &str, message: &str| {
        let text = format!("{HEAD}{second}\n{HEAD}");
        assert_eq!(records(text.as_bytes()), Err(format!("line 2: {message}")), "{second}");
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
    check(
        "{\"type\":\"node\",\"subtype\":1,\"identifier\":1,\"heap\":{\"size\":\"-0x8\"}}",
        "expected a number that is not negative in \"heap.size\"",
    );
    check("{\"type\":\"string\",\"stringid\":1}", "expected a field \"data\"");
    let deep = format!("{{\"type\":\"x\",\"a\":{}", "[".repeat(1_000_000));
    check(&deep, "expected a JSON object");
    let cut = format!("{HEAD}{{\"type\":\"node\",\"subtype\":1,\"identi");
    assert_eq!(records(cut.as_bytes()), Err("line 2: expected a JSON object".to_owned()));
    assert_eq!(records(b"\xff\xfe\n"), Err("line 1: expected UTF-8".to_owned()));
}

/// Each snapshot says what its strings and its roots are: those of another one are not true of it.
#[test]
fn what_one_snapshot_says_is_not_said_of_another() {
    let head = "{\"type\":\"metadata\",\"key\":\"version_major\",\"value\":\"1\"}\n\
        {\"type\":\"string\",\"stringid\":9,\"data\":\"of all\"}\n";
    let snapshot = |number: u32, roots: &[u32]| {
        let roots = roots
            .iter()
            .map(|root| format!("{{\"type\":\"metadata\",\"key\":\"heap.root\",\"value\":\"{root}\"}}\n"));
        format!("{{\"type\":\"metadata\",\"key\":\"heap.snapshot\",\"value\":\"{number}\"}}\n")
            + &roots.collect::<String>()
            + &format!("{{\"type\":\"string\",\"stringid\":1,\"data\":\"of {number}\"}}\n")
            // Any shape, too.
            + &format!("{{\"stringid\":2,\"type\":\"string\",\"data\":\"also of {number}\"}}\n")
            + "{\"type\":\"node\",\"subtype\":1,\"identifier\":1}\n"
    };
    let end = "{\"type\":\"string\",\"stringid\":10,\"data\":\"late\"}\n\
        {\"type\":\"metadata\",\"key\":\"heap.pipeline\",\"value\":\"heap-filter\"}\n";
    let text = head.to_owned() + &snapshot(0, &[1, 3, 5]) + &snapshot(1, &[1]) + &snapshot(2, &[1, 7]) + end;
    let said = |number: u64| {
        let recorder = recorded(text.as_bytes(), SnapshotSelector::Number(number));
        assert_eq!(recorder.error, None);
        // Of texts with one id the last one holds.
        let strings = recorder.all_strings();
        let texts =
            [1, 2, 9, 10].map(|id| strings.iter().rfind(|of| of.id == id).expect("a text").data.clone());
        (recorder.values("heap.root").join(" "), texts.join(", "), recorder.values("heap.pipeline").len())
    };
    assert_eq!(said(0), ("1 3 5".into(), "of 0, also of 0, of all, late".into(), 1));
    assert_eq!(said(1), ("1".into(), "of 1, also of 1, of all, late".into(), 1));
    assert_eq!(said(2), ("1 7".into(), "of 2, also of 2, of all, late".into(), 1));
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
    let ids = |selector| {
        let recorder = recorded(text.as_bytes(), selector);
        let ids: Vec<_> = recorder.all_nodes().iter().map(|node| node.id).collect();
        (ids, recorder.error)
    };
    assert_eq!(ids(SnapshotSelector::Number(5)), (vec![3], None));
    assert_eq!(ids(SnapshotSelector::Number(0)), (vec![1], None));
    assert_eq!(ids(SnapshotSelector::All), (vec![1, 3], None));
    assert_eq!(ids(SnapshotSelector::Number(1)), (vec![], Some("no snapshot 1 in the stream".into())));
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

#[test]
fn the_end_mark_that_the_head_promises_must_come() {
    let mut writer = Writer::new(Vec::new());
    read(
        format!("{HEAD}{{\"type\":\"string\",\"stringid\":1,\"data\":\"a\"}}\n").repeat(2).as_bytes(),
        SnapshotSelector::All,
        &mut writer,
    )
    .expect("two streams, none of which promises a mark");
    writer.finish(true).expect("memory");
    let text = String::from_utf8(writer.into_inner()).expect("UTF-8");
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.iter().filter(|line| line.contains("\"expected\"")).count(), 2);
    // Cut behind any line, a stream is intact before its promise, and behind its mark.
    for cut in 0..=lines.len() {
        let part: String = text.split_inclusive('\n').take(cut).collect();
        let intact = matches!(cut, 0 | 1 | 4 | 5 | 8);
        let result = canonical(part.as_bytes());
        assert_eq!(result.is_ok(), intact, "{cut}: {result:?}");
        if let Err(message) = result {
            assert!(message.starts_with(&format!("line {}: the stream was cut off", cut + 1)), "{message}");
        }
    }
    let headless = [&lines[..3], &lines[4..]].concat().join("\n");
    let message = canonical(headless.as_bytes()).expect_err("a stream within a stream");
    assert_eq!(message, "line 4: a stream begins before the end mark of the one ahead of it");
}

/// What another producer wrote promises nothing. Its copy is whole, or says that it is not.
#[test]
fn a_part_of_a_stream_without_a_head_stays_a_part() {
    let string = "{\"type\":\"string\",\"stringid\":1,\"data\":\"a\"}\n";
    for intact in [true, false] {
        let mut writer = Writer::new(Vec::new());
        let cut = if intact { string } else { &[string, "{\"type\""].concat() };
        assert_eq!(read(cut.as_bytes(), SnapshotSelector::All, &mut writer).is_ok(), intact);
        writer.finish(intact).expect("memory");
        let copy = String::from_utf8(writer.into_inner()).expect("UTF-8");
        assert!(copy.starts_with(string), "{copy}");
        assert_eq!(canonical(copy.as_bytes()).is_ok(), intact, "{copy}");
    }
    // Of nothing there is no part.
    let mut writer = Writer::new(Vec::new());
    writer.finish(false).expect("memory");
    assert!(writer.into_inner().is_empty());
}

#[test]
fn numbers_take_the_form_of_the_stream() {
    let head = "{\"type\":\"type\",\"name\":\"node\",\"fields\":{\"a\":\"address\",\"n.v\":\"value\",\"f\":\"float\"}}\n\
                {\"type\":\"node_type\",\"nodetypeid\":1,\"name\":\"x.y\"}\n";
    let own = |members: &str| -> String {
        let line = format!("{{\"type\":\"node\",\"subtype\":1,\"identifier\":1,{members}}}\n");
        let recorder = recorded(format!("{head}{line}").as_bytes(), SnapshotSelector::Last);
        assert_eq!(recorder.error, None);
        let nodes = recorder.all_nodes();
        [nodes[0].own.as_str(), nodes[0].rest.as_str()].concat()
    };
    for (written, expected) in [
        ("\"a\":9007199254740993", "\"a\":\"0x20000000000001\""),
        ("\"a\":18446603336221196296", "\"a\":\"0xffff800000000008\""),
        ("\"u\":-9007199254740993", "\"u\":\"-0x20000000000001\""),
        ("\"a\":1e3", "\"a\":1000"),
        ("\"a\":9007199254740991", "\"a\":9007199254740991"),
        ("\"n\":{\"v\":3E0}", "\"n\":{\"v\":3}"),
        ("\"f\":1e3", "\"f\":1000.0"),
        ("\"f\":0.25e1", "\"f\":2.5"),
    ] {
        assert_eq!(own(written), expected);
    }
}

#[test]
fn the_drafts_own_names_and_fields_are_known() {
    let text = "{\"type\":\"metadata\",\"key\":\"version_major\",\"value\":\"1\"}\n\
                {\"type\":\"node_type\",\"nodetypeid\":1,\"name\":\"concatenated string\"}\n\
                {\"type\":\"node_type\",\"nodetypeid\":2,\"name\":\"regular expression\",\"fields\":{\"source\":\"string\"}}\n";
    let recorder = recorded(text.as_bytes(), SnapshotSelector::Last);
    let fields = |declaration: &DeclarationRecord| match declaration {
        DeclarationRecord::Node { name, fields, .. } => format!("{name} {}", fields.len()),
        _ => String::new(),
    };
    let found: Vec<_> = recorder.all_declarations().into_iter().map(fields).collect();
    assert_eq!(found, ["string_cons 0", "regular_expression 1"]);
    let mut types = Types::default();
    types.declare(&Declared::Node { id: 1, name: "string_cons", table: None, fields: &[] }.into());
    let fields = [("source".into(), FieldKind::String)];
    types.declare(&Declared::Node { id: 2, name: "regular_expression", table: None, fields: &fields }.into());
    assert_eq!(types.node_field(1, "s1"), Some(FieldKind::Value));
    assert_eq!(types.node_field(1, "source"), None);
    assert_eq!(types.node_field(2, "source"), Some(FieldKind::String));
    assert_eq!(types.node_field(2, "flags"), None);
}

#[test]
fn the_version_may_come_late_and_must_be_known() {
    let version = "{\"type\":\"metadata\",\"key\":\"version_major\",\"value\":\"1\"}\n";
    let [string, node] = [
        "{\"type\":\"string\",\"stringid\":1,\"data\":\"a\"}\n",
        "{\"type\":\"node\",\"subtype\":1,\"identifier\":1,\"heap\":{\"size\":1,\"class\":1}}\n",
    ];
    let versions = |parts: &[&str]| {
        let recorder = recorded(parts.concat().as_bytes(), SnapshotSelector::Last);
        assert_eq!(recorder.error, None);
        recorder.values("version_major").len()
    };
    // In the midst of the head it begins no other stream, whose strings would be void.
    assert_eq!(versions(&[string, version, node]), 0);
    assert_eq!(versions(&[version, string, version, node]), 2);
    assert_eq!(versions(&[string, node, version, string, node]), 1);
    assert_eq!(versions(&[string, version, node, version, string, node]), 1);
    // What has nodes and no version is a stream of its own, and is counted so that tools can say it.
    let streams = |parts: &[&str]| {
        read_counted(parts.concat().as_bytes(), SnapshotSelector::Last, &mut crate::Discard).expect("sound")
    };
    assert_eq!(streams(&[string, node]), 0);
    assert_eq!(streams(&[string, version, node]), 1);
    assert_eq!(streams(&[version, string, node]), 1);
    assert_eq!(streams(&[string, node, version, node]), 2);
    assert_eq!(streams(&[version, node, version, node]), 2);
    let later = version.replace("\"1\"", "\"2\"");
    let error =
        read(later.as_bytes(), SnapshotSelector::Last, &mut crate::Discard).map_err(|e| e.to_string());
    assert_eq!(error, Err("line 1: version_major is 2, and only version 1 is known".to_owned()));
}
