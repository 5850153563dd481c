//! Stream to SQLite to stream gives the same lines.

#![allow(
    clippy::format_push_string,
    clippy::redundant_closure_for_method_calls,
    reason = "short tests, read more than run"
)]

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;

use arbitrary::{Result as Gen, Unstructured};
use heap_base::{Blob, Members, Result};
use heap_record::{
    Data, Declared, Edge, EdgeBatch, Extension, FieldKind, Heap, Line, Metadata, Node, NodeBatch, Retains,
    Role, Sink, SnapshotSelector, Str, Writer,
};

use super::{SAMPLE, canonical, emitted, query, stored, stream_of};
use crate::{Replace, info, read, writer};

#[test]
fn a_stream_with_everything() {
    let folder = tempfile::tempdir().expect("TMPDIR");
    let path = folder.path().join("x.db");
    assert_eq!(canonical(SAMPLE.as_bytes()).expect("is a stream"), SAMPLE, "the sample itself");
    stored(SAMPLE.as_bytes(), &path).expect("is written");
    let (stream, result) = stream_of(&path, SnapshotSelector::Last);
    result.expect("is read");
    assert_eq!(stream, SAMPLE);
    assert_eq!(query(&path, "PRAGMA integrity_check"), ["ok"]);
    // From memory, and after VACUUM.
    let bytes = std::fs::read(&path).expect("is there");
    let (stream, _) = emitted(|sink| read(&Blob::from_bytes(bytes), SnapshotSelector::Last, sink));
    assert_eq!(stream, SAMPLE);
    query(&path, "VACUUM");
    assert_eq!(stream_of(&path, SnapshotSelector::All).0, SAMPLE);
    // Nothing but the file is left.
    assert_eq!(std::fs::read_dir(folder.path()).expect("is there").count(), 1);
}

#[test]
fn columns_and_views_are_of_use() {
    let folder = tempfile::tempdir().expect("TMPDIR");
    let path = folder.path().join("x.db");
    stored(SAMPLE.as_bytes(), &path).expect("is written");
    let check = |sql: &str, rows: &[&str]| assert_eq!(query(&path, sql), rows, "{sql}");
    check(
        "SELECT class, count(*), sum(size) FROM objects GROUP BY 1 ORDER BY 1 LIMIT 3",
        &["NULL|1|NULL", "(code)|1|1", "(dart.number)|4|32"],
    );
    check(
        "SELECT identifier, class, subtype, retained, v8_detachedness FROM objects WHERE identifier = 3",
        &["3|Account|object|100|2"],
    );
    check(
        "SELECT source, subtype, label, dest FROM edges WHERE label = 'late'",
        &["3|object property|late|5"],
    );
    check("SELECT node_identifier, constructor FROM object", &["3|7"]);
    check(
        "SELECT length, data FROM string_flat JOIN node USING (heap_row) WHERE identifier = 5",
        &["NULL|203"],
    );
    check("SELECT object, line, v8_script, heap_rest IS NULL FROM v8_location", &["3|7|2|1", "3|7|NULL|0"]);
    check("SELECT node_identifier, value FROM dart_number WHERE value > 1", &["9007199254740993|1.5"]);
    check("SELECT table_name, column_name FROM heap_fields WHERE field = 'heap.value'", &["edge|heap_value"]);
    check("SELECT count(*) FROM closure", &["0"]);
    check(
        "SELECT heap_rest FROM node WHERE heap_rest LIKE '%big%'",
        &[r#"{"big":{"size":"0xffffffffffffffff"}}"#],
    );
    check("SELECT count(*) FROM node WHERE heap_rest IS NOT NULL", &["5"]);
    for (sql, index) in [
        ("SELECT * FROM edge WHERE dest = 3", "edge_dest"),
        ("SELECT sum(size) FROM objects WHERE class = 'A'", "heap_classes_class (class=?)"),
        ("SELECT sum(size) FROM objects WHERE class = 'A'", "SEARCH n USING INDEX node_heap_class"),
        ("SELECT * FROM edge WHERE source = 3", "edge_source"),
        (
            "SELECT * FROM strings s JOIN node n ON n.heap_class = s.stringid WHERE data = 'x'",
            "node_heap_class",
        ),
        ("SELECT * FROM edge JOIN node ON identifier = dest WHERE source = 3", "node_identifier"),
    ] {
        let plan = query(&path, &format!("EXPLAIN QUERY PLAN {sql}")).concat();
        assert!(plan.contains(index), "{plan}");
        assert!(!plan.contains("SCAN n"), "{plan}");
    }
    let header = &std::fs::read(&path).expect("is there")[60..72];
    assert_eq!(header, [&1u32.to_be_bytes()[..], &[0; 4], b"HEAP"].concat());
}

#[test]
fn info_has_counts() {
    let folder = tempfile::tempdir().expect("TMPDIR");
    let path = folder.path().join("x.db");
    stored(SAMPLE.as_bytes(), &path).expect("is written");
    let info =
        info(&Blob::from_file(std::fs::File::open(&path).expect("is there")).expect("file")).expect("reads");
    assert_eq!((info.format, info.version.as_deref()), ("sqlite", Some("1")));
    assert_eq!(info.producer.as_deref(), Some("by hand"));
    let text = format!("{:?}", info.facts);
    for fact in ["(\"nodes\", Int(10))", "(\"edges\", Int(6))", "(\"complete\", Flag(true))"] {
        assert!(text.contains(fact), "{text}");
    }
}

#[test]
fn snapshots_are_picked() {
    let text = "\
        {\"type\":\"metadata\",\"key\":\"version_major\",\"value\":\"1\"}\n\
        {\"type\":\"metadata\",\"key\":\"heap.end\",\"value\":\"expected\"}\n\
        {\"type\":\"metadata\",\"key\":\"heap.snapshot\",\"value\":\"0\"}\n\
        {\"type\":\"metadata\",\"key\":\"heap.root\",\"value\":\"1\"}\n\
        {\"type\":\"string\",\"stringid\":1,\"data\":\"a\"}\n\
        {\"type\":\"node\",\"subtype\":1,\"identifier\":1}\n\
        {\"type\":\"edge\",\"subtype\":1,\"source\":1,\"dest\":1}\n\
        {\"type\":\"x.y\",\"a\":1}\n\
        {\"type\":\"metadata\",\"key\":\"heap.snapshot\",\"value\":\"5\"}\n\
        {\"type\":\"metadata\",\"key\":\"heap.root\",\"value\":\"3\"}\n\
        {\"type\":\"string\",\"stringid\":2,\"data\":\"b\"}\n\
        {\"type\":\"node\",\"subtype\":1,\"identifier\":3}\n\
        {\"type\":\"x.y\",\"a\":2}\n\
        {\"type\":\"metadata\",\"key\":\"heap.end\",\"value\":\"nodes=2 edges=1 strings=2\"}\n";
    let folder = tempfile::tempdir().expect("TMPDIR");
    let path = folder.path().join("x.db");
    stored(text.as_bytes(), &path).expect("is written");
    assert_eq!(stream_of(&path, SnapshotSelector::All).0, text);
    assert_eq!(query(&path, "SELECT heap_snapshot, identifier FROM node"), ["0|1", "5|3"]);
    assert_eq!(query(&path, "SELECT heap_snapshot FROM x_y"), ["0", "5"]);
    let picked = |from: usize, to: usize, root: &str, n: &str, counts: &str| {
        let mut lines = vec![
            "{\"type\":\"metadata\",\"key\":\"version_major\",\"value\":\"1\"}".to_owned(),
            "{\"type\":\"metadata\",\"key\":\"heap.end\",\"value\":\"expected\"}".to_owned(),
            format!("{{\"type\":\"metadata\",\"key\":\"sqlite.snapshot\",\"value\":\"{n}\"}}"),
            format!("{{\"type\":\"metadata\",\"key\":\"heap.root\",\"value\":\"{root}\"}}"),
        ];
        lines.extend(text.lines().skip(from).take(to - from).map(str::to_owned));
        lines.push(format!("{{\"type\":\"metadata\",\"key\":\"heap.end\",\"value\":\"{counts}\"}}\n"));
        lines.join("\n")
    };
    let first = picked(4, 8, "1", "0", "nodes=1 edges=1 strings=1");
    assert_eq!(stream_of(&path, SnapshotSelector::Number(0)).0, first);
    // Strings of earlier snapshots hold.
    let (last, _) = stream_of(&path, SnapshotSelector::Last);
    assert_eq!(last, stream_of(&path, SnapshotSelector::Number(5)).0);
    assert!(last.contains("\"data\":\"a\"") && last.contains("nodes=1 edges=0 strings=2"), "{last}");
    let error = stream_of(&path, SnapshotSelector::Number(1)).1.expect_err("there is none");
    assert_eq!(error.to_string(), "no snapshot 1: the file has 0, 5");
}

#[test]
fn what_is_in_the_way_is_kept() {
    let folder = tempfile::tempdir().expect("TMPDIR");
    let path = folder.path().join("x.db");
    let check = |replace, message: Option<&str>| {
        let error = writer(&path, replace).map(drop).err().map(|e| e.to_string());
        assert_eq!(error.as_deref(), message);
    };
    std::fs::write(&path, "a letter").expect("TMPDIR");
    check(Replace::Ours, Some("the output exists and is not an SQLite file of a heap"));
    check(Replace::Any, None);
    assert_eq!(std::fs::read(&path).expect("is there"), b"a letter", "an unfinished run leaves it");
    std::fs::write(&path, "").expect("TMPDIR");
    check(Replace::Ours, None);
    stored(SAMPLE.as_bytes(), &path).expect("an empty file may go");
    let mode = |mode| std::fs::set_permissions(&path, Permissions::from_mode(mode)).expect("it is ours");
    mode(0o400);
    let error = stored(SAMPLE.as_bytes(), &path).expect_err("a read-only file stays").to_string();
    assert!(error.ends_with("x.db: permission denied"), "{error}");
    mode(0o600);
    stored(SAMPLE.as_bytes(), &path).expect("one of ours may go");
    assert_eq!(path.metadata().expect("is there").permissions().mode() & 0o777, 0o600, "as it was");
    let dir = writer(folder.path(), Replace::Any).map(drop).expect_err("a folder");
    assert_eq!(dir.to_string(), "the output of an SQLite file has to be a regular file");
    assert_eq!(std::fs::read_dir(folder.path()).expect("is there").count(), 1, "no temporary file is left");
    let mut two = writer(&path, Replace::Ours).expect("may go");
    let twice = [SAMPLE, SAMPLE].concat();
    let error =
        heap_record::read::read(twice.as_bytes(), SnapshotSelector::All, &mut two).expect_err("two streams");
    assert_eq!(error.to_string(), "an SQLite file holds one stream: write each input to a file of its own");
}

#[test]
fn a_damaged_input_is_stored_without_an_end() {
    let folder = tempfile::tempdir().expect("TMPDIR");
    let path = folder.path().join("x.db");
    let mut out = writer(&path, Replace::Ours).expect("is made");
    heap_record::read::read(SAMPLE.as_bytes(), SnapshotSelector::All, &mut out).expect("reads");
    out.finish(false).expect("is written");
    assert_eq!(query(&path, "SELECT count(*) FROM metadata WHERE key = 'heap.end'"), ["0"]);
    assert_eq!(query(&path, "SELECT count(*) FROM node"), ["10"]);
}

#[test]
fn declarations_that_say_more_are_kept() {
    let text = "\
        {\"type\":\"metadata\",\"key\":\"version_major\",\"value\":\"1\"}\n\
        {\"type\":\"metadata\",\"key\":\"heap.end\",\"value\":\"expected\"}\n\
        {\"type\":\"node_type\",\"nodetypeid\":4,\"name\":\"object\",\"colour\":[1,2]}\n\
        {\"type\":\"type\",\"name\":\"x.y\",\"fields\":{\"a\":\"colour\"}}\n\
        {\"type\":\"type\",\"name\":\"z\",\"fields\":{\"heap_row\":\"integer\",\"HEAP_ROW\":\"text\",\"a.b\":\"text\",\"a_b\":\"float\",\"rowid\":\"text\"}}\n\
        {\"type\":\"z\",\"heap_row\":1,\"HEAP_ROW\":\"2\",\"a\":{\"b\":\"3\"},\"a_b\":4.0,\"rowid\":\"5\"}\n\
        {\"type\":\"metadata\",\"key\":\"heap.end\",\"value\":\"nodes=0 edges=0 strings=0\"}\n";
    let folder = tempfile::tempdir().expect("TMPDIR");
    let path = folder.path().join("x.db");
    stored(text.as_bytes(), &path).expect("is written");
    assert_eq!(stream_of(&path, SnapshotSelector::All).0, text);
    assert_eq!(query(&path, "SELECT heap_rest FROM z"), ["NULL"]);
}

#[test]
fn hundreds_of_tables_and_columns() {
    let fields: Vec<_> = (0..700).map(|i| format!("\"f.x{i}\":\"integer\"")).collect();
    let mut lines = vec![
        r#"{"type":"metadata","key":"version_major","value":"1"}"#.to_owned(),
        r#"{"type":"metadata","key":"heap.end","value":"expected"}"#.to_owned(),
        format!("{{\"type\":\"type\",\"name\":\"node\",\"fields\":{{{}}}}}", fields.join(",")),
    ];
    let mut each = |line: &str| lines.extend((0..700).map(|i| line.replace('#', &i.to_string())));
    each(r#"{"type":"node_type","nodetypeid":#,"name":"t.#","fields":{"a":"integer"}}"#);
    each(r#"{"type":"node","subtype":#,"identifier":1,"a":#,"f":{"x#":1}}"#);
    each(r#"{"type":"o.#","a":1}"#);
    lines.push(r#"{"type":"metadata","key":"heap.end","value":"nodes=700 edges=0 strings=0"}"#.to_owned());
    let text = lines.join("\n") + "\n";
    let folder = tempfile::tempdir().expect("TMPDIR");
    let path = folder.path().join("x.db");
    stored(text.as_bytes(), &path).expect("is written");
    assert_eq!(stream_of(&path, SnapshotSelector::All).0, text);
    assert_eq!(query(&path, "PRAGMA integrity_check"), ["ok"]);
}

fn int(u: &mut Unstructured<'_>) -> Gen<i64> {
    Ok(match u.int_in_range(0..=5)? {
        0 => u.arbitrary()?,
        1 => i64::from(u.arbitrary::<i8>()?),
        2 => (1 << 53) - 2 + i64::from(u.int_in_range(0..=4u8)?),
        _ => u.int_in_range(0..=99_999_999)?,
    })
}

fn string_id(u: &mut Unstructured<'_>) -> Gen<i64> {
    u.int_in_range(-(1 << 53) + 1..=(1 << 53) - 1)
}

fn text(u: &mut Unstructured<'_>) -> Gen<String> {
    let n = u.int_in_range(0..=4)?;
    (0..n)
        .map(|_| match u.int_in_range(0..=3)? {
            0 => u.arbitrary(),
            1 => Ok(*u.choose(&['"', '\\', '\n', '\0', '\u{1f600}', '\u{fffd}', '\''])?),
            _ => Ok(*u.choose(&['a', 'B', '_', '0', '1'])?),
        })
        .collect()
}

/// Declared names: some collide as names of columns, some differ in case only.
const FIELDS: [&str; 14] = [
    "a",
    "b",
    "A",
    "length",
    "data",
    "v8.a",
    "v8.b",
    "v8_a",
    "heap.size",
    "heap.more",
    "moar.a",
    "heap_row",
    "moar.x.y",
    "select",
];

const KINDS: [FieldKind; 7] = [
    FieldKind::Value,
    FieldKind::String,
    FieldKind::Integer,
    FieldKind::Float,
    FieldKind::Address,
    FieldKind::Text,
    FieldKind::Boolean,
];

fn fields(u: &mut Unstructured<'_>) -> Gen<Vec<(std::borrow::Cow<'static, str>, FieldKind)>> {
    let n = u.int_in_range(0..=6)?;
    let mut out: Vec<(std::borrow::Cow<'static, str>, FieldKind)> = Vec::new();
    for _ in 0..n {
        let name = *u.choose(&FIELDS)?;
        if out.iter().all(|(f, _)| f != name) {
            out.push((name.into(), *u.choose(&KINDS)?));
        }
    }
    Ok(out)
}

fn scalar(u: &mut Unstructured<'_>, members: &mut Members, name: &str) -> Gen<()> {
    match u.int_in_range(0..=8)? {
        0 => members.text(name, &text(u)?),
        1 => members.boolean(name, u.arbitrary()?),
        2 => members.float(name, u.arbitrary()?),
        3 => members.raw(name, b"[1,{\"a\":[]},null]"),
        4 => members.uint(name, u.arbitrary()?),
        5 => members.float(name, f64::from(u.arbitrary::<i16>()?)),
        _ => members.int(name, int(u)?),
    };
    Ok(())
}

fn scalars(u: &mut Unstructured<'_>, members: &mut Members) -> Gen<()> {
    for name in ["a", "b", "A", "length", "data", "v8_a", "heap_row", "select"] {
        if u.ratio(1, 3)? {
            scalar(u, members, name)?;
        }
    }
    Ok(())
}

fn namespaces(u: &mut Unstructured<'_>, members: &mut Members) -> Gen<()> {
    let order = if u.arbitrary()? { ["v8", "moar"] } else { ["moar", "v8"] };
    for name in order {
        if u.ratio(1, 2)? {
            members.open(name);
            for key in ["a", "b", "x.y"] {
                if u.ratio(1, 2)? {
                    scalar(u, members, key)?;
                }
            }
            members.close();
        }
    }
    Ok(())
}

fn maybe<'a, T>(u: &mut Unstructured<'a>, f: impl Fn(&mut Unstructured<'a>) -> Gen<T>) -> Gen<Option<T>> {
    if u.ratio(1, 2)? { f(u).map(Some) } else { Ok(None) }
}

fn flag(u: &mut Unstructured<'_>) -> Gen<bool> {
    u.arbitrary()
}

fn uint(u: &mut Unstructured<'_>) -> Gen<u64> {
    if u.ratio(1, 4)? { u.arbitrary() } else { Ok(int(u)?.unsigned_abs()) }
}

fn record(u: &mut Unstructured<'_>, out: &mut Writer<Vec<u8>>) -> Gen<Result> {
    let (mut own, mut rest, mut more) = (Members::new(), Members::new(), Members::new());
    Ok(match u.int_in_range(0..=11)? {
        0 => {
            let key = text(u)?;
            let key = if u.ratio(1, 5)? { "heap.snapshot" } else { &key };
            out.metadata(&Metadata { key, value: &text(u)?, line: Line::default() })
        }
        1..=2 => {
            let fields = fields(u)?;
            match u.int_in_range(0..=3)? {
                0 => {
                    let name = *u.choose(&["node", "edge", "string", "other.thing", "odd", "metadata"])?;
                    out.declare(&Declared::Record { name, fields: &fields }.into())
                }
                1 | 2 => {
                    let table = maybe(u, |u| {
                        Ok(*u.choose(&[
                            "object",
                            "native",
                            "node",
                            "sqlite_x",
                            "",
                            "other_thing",
                            "Object",
                        ])?)
                    })?;
                    let (id, name) = (u.int_in_range(0..=3)?, text(u)?);
                    out.declare(&Declared::Node { id, name: &name, table, fields: &fields }.into())
                }
                _ => {
                    let retains = *u.choose(&[Retains::Yes, Retains::No, Retains::Root])?;
                    let role = *u.choose(&[None, Some(Role::Member), Some(Role::Static)])?;
                    scalars(u, &mut rest)?;
                    let rest = rest.as_bytes();
                    out.declare(
                        &Declared::Edge { id: u.arbitrary()?, name: &text(u)?, retains, role, rest }.into(),
                    )
                }
            }
        }
        3 => {
            if u.ratio(1, 3)? {
                namespaces(u, &mut rest)?;
            }
            let (id, text) = (string_id(u)?, text(u)?);
            out.string(&Str { id, data: Data::Plain(&text), rest: rest.as_bytes(), ..Str::default() })
        }
        4 => {
            scalars(u, &mut own)?;
            namespaces(u, &mut own)?;
            let kind = *u.choose(&["other.thing", "odd", "Odd", "select"])?;
            out.extension(&Extension { kind, body: own.as_bytes(), ..Extension::default() })
        }
        5..=8 => {
            scalars(u, &mut own)?;
            namespaces(u, &mut rest)?;
            if u.ratio(1, 3)? {
                scalar(u, &mut more, "more")?;
            }
            let heap = Heap {
                size: maybe(u, uint)?,
                class: maybe(u, string_id)?,
                name: maybe(u, string_id)?,
                external: maybe(u, uint)?,
                count: maybe(u, uint)?,
                retained: maybe(u, uint)?,
                retained_from: maybe(u, uint)?,
                idom: maybe(u, int)?,
                distance: maybe(u, int)?,
                reachable: maybe(u, flag)?,
                rest: more.as_bytes(),
            };
            let (subtype, id) = (u.int_in_range(0..=4)?, int(u)?);
            let (own, rest) = (own.as_bytes(), rest.as_bytes());
            out.nodes(&NodeBatch::one(&Node { subtype, id, own, heap, rest, line: Line::default() }))
        }
        _ => {
            if u.ratio(1, 3)? {
                namespaces(u, &mut rest)?;
            }
            out.edges(&EdgeBatch::one(&Edge {
                subtype: u.arbitrary()?,
                source: int(u)?,
                dest: maybe(u, int)?,
                label: maybe(u, string_id)?,
                rest: rest.as_bytes(),
                line: Line::default(),
            }))
        }
    })
}

fn document(u: &mut Unstructured<'_>) -> Gen<Vec<u8>> {
    let mut writer = Writer::new(Vec::new());
    writer.metadata(&Metadata { key: "version_major", value: "1", line: Line::default() }).expect("a vector");
    for _ in 0..u.int_in_range(1..=120)? {
        record(u, &mut writer)?.expect("a vector");
    }
    writer.finish(true).expect("a vector");
    Ok(writer.into_inner())
}

#[test]
fn any_stream_comes_back_the_same() {
    let folder = tempfile::tempdir().expect("TMPDIR");
    let path = folder.path().join("x.db");
    let (mut taken, mut refused) = (0, 0);
    arbtest::arbtest(|u| {
        // What nobody declares comes last the second time, as the writer gets it.
        let twice = canonical(&document(u)?).and_then(|once| canonical(once.as_bytes()));
        let document = match twice {
            Ok(document) => document,
            Err(e) => {
                assert!(e.to_string().contains("declared after the snapshot that uses it"), "{e}");
                refused += 1;
                return Ok(());
            }
        };
        taken += 1;
        stored(document.as_bytes(), &path).unwrap_or_else(|e| panic!("{e}\n{document}"));
        let (stream, result) = stream_of(&path, SnapshotSelector::All);
        result.unwrap_or_else(|e| panic!("{e}\n{document}"));
        assert_eq!(stream, document);
        Ok(())
    })
    .budget_ms(3_000);
    assert!(taken > refused, "{taken} of {}", taken + refused);
    assert_eq!(query(&path, "PRAGMA integrity_check"), ["ok"]);
}
