//! Files of other writers that follow the draft.

use heap_base::Blob;
use heap_record::SnapshotSelector;
use rusqlite::Connection;

use super::{emitted, stream_of};
use crate::read;

fn check(sql: &str, expected: &str) {
    let folder = tempfile::tempdir().expect("TMPDIR");
    let path = folder.path().join("x.db");
    let conn = Connection::open(&path).expect("TMPDIR");
    conn.execute_batch(sql).expect("is SQL");
    drop(conn);
    let (stream, result) = stream_of(&path, SnapshotSelector::Last);
    result.expect("is read");
    assert_eq!(stream, expected);
    if sql == DRAFT {
        // The same, as sqlite3 stored it, in small pages.
        let blob = Blob::from_bytes(&include_bytes!("../../../../tests/data/sqlite/draft.db")[..]);
        assert_eq!(emitted(|sink| read(&blob, SnapshotSelector::Last, sink)).0, expected);
    }
}

fn error(sql: &str) -> String {
    let folder = tempfile::tempdir().expect("TMPDIR");
    let path = folder.path().join("x.db");
    Connection::open(&path).expect("TMPDIR").execute_batch(sql).expect("is SQL");
    stream_of(&path, SnapshotSelector::Last).1.expect_err("is wrong").to_string()
}

const DRAFT: &str = "
    CREATE TABLE metadata(key TEXT, value TEXT);
    INSERT INTO metadata VALUES('generator','other 1.0'),('version_major',1),('target_pid',17);
    CREATE TABLE node_types(nodetypeid INTEGER PRIMARY KEY, name TEXT, table_name TEXT);
    INSERT INTO node_types VALUES(1,'object','object'),(2,'flat string','string_flat'),(3,'code',NULL),
        (4,'oddball','oddball'),(5,'heap number','heap_number'),(6,'date','date');
    CREATE TABLE edge_types(edgetypeid INTEGER, name TEXT);
    INSERT INTO edge_types VALUES(1,'object property');
    CREATE TABLE strings(stringid INTEGER, data TEXT);
    INSERT INTO strings VALUES(2,'owner'),(4,'hello'),(6,x'61ff');
    CREATE TABLE node(identifier INTEGER PRIMARY KEY, nodetypeid INTEGER);
    INSERT INTO node VALUES(1,1),(3,2),(5,2),(7,3),(9,4),(11,5),(13,1),(15,6);
    CREATE TABLE object(node_identifier INTEGER, constructor INTEGER);
    INSERT INTO object VALUES(13,1),(1,NULL);
    CREATE TABLE string_flat(length INTEGER, data INTEGER, node_identifier INTEGER);
    INSERT INTO string_flat VALUES(10,4,3),(10,6,5);
    CREATE TABLE oddball(node_identifier INTEGER, name TEXT);
    INSERT INTO oddball VALUES(9,'undefined');
    CREATE TABLE heap_number(node_identifier INTEGER, value REAL);
    INSERT INTO heap_number VALUES(11,2.0);
    CREATE TABLE date(node_identifier INTEGER, timestamp);
    INSERT INTO date VALUES(15,1.5);
    CREATE TABLE edge(edgetypeid INTEGER, source INTEGER, dest INTEGER, label INTEGER);
    INSERT INTO edge VALUES(1,1,3,2),(1,1,20,2);
";

#[test]
fn the_drafts_tables_alone() {
    check(
        DRAFT,
        r#"{"type":"metadata","key":"version_major","value":"1"}
{"type":"metadata","key":"heap.end","value":"expected"}
{"type":"metadata","key":"generator","value":"other 1.0"}
{"type":"metadata","key":"target_pid","value":"17"}
{"type":"node_type","nodetypeid":1,"name":"object","table_name":"object","fields":{"constructor":"value"}}
{"type":"node_type","nodetypeid":2,"name":"string_flat","table_name":"string_flat","fields":{"length":"value","data":"string"}}
{"type":"node_type","nodetypeid":3,"name":"code"}
{"type":"node_type","nodetypeid":4,"name":"oddball","table_name":"oddball","fields":{"name":"text"}}
{"type":"node_type","nodetypeid":5,"name":"heap_number","table_name":"heap_number","fields":{"value":"float"}}
{"type":"node_type","nodetypeid":6,"name":"date","table_name":"date","fields":{"timestamp":"float"}}
{"type":"edge_type","edgetypeid":1,"name":"object property"}
{"type":"string","stringid":2,"data":"owner"}
{"type":"string","stringid":4,"data":"hello"}
{"type":"string","stringid":6,"data":"a�","heap":{"bytes":"61ff"}}
{"type":"node","subtype":1,"identifier":1}
{"type":"node","subtype":2,"identifier":3,"length":10,"data":4}
{"type":"node","subtype":2,"identifier":5,"length":10,"data":6}
{"type":"node","subtype":3,"identifier":7}
{"type":"node","subtype":4,"identifier":9,"name":"undefined"}
{"type":"node","subtype":5,"identifier":11,"value":2.0}
{"type":"node","subtype":1,"identifier":13,"constructor":1}
{"type":"node","subtype":6,"identifier":15,"timestamp":1.5}
{"type":"edge","subtype":1,"source":1,"dest":3,"label":2}
{"type":"edge","subtype":1,"source":1,"dest":20,"label":2}
{"type":"metadata","key":"heap.end","value":"nodes=8 edges=2 strings=3"}
"#,
    );
}

#[test]
fn other_columns_and_kinds_of_tables() {
    check(
        "CREATE TABLE node(nodetypeid, heap_size, identifier TEXT, colour TEXT, PRIMARY KEY(identifier)) WITHOUT ROWID;
         INSERT INTO node VALUES(1, 8, '0xffffffff86e0ab0d', 'red'), ('2', NULL, '17', NULL);
         CREATE TABLE Edge(label, dest, source, edgetypeid, weight REAL, rowid);
         INSERT INTO Edge VALUES(NULL, 3.0, 17, 1, 0.5, 9);",
        r#"{"type":"metadata","key":"version_major","value":"1"}
{"type":"metadata","key":"heap.end","value":"expected"}
{"type":"type","name":"node","fields":{"identifier":"value","subtype":"integer","heap.size":"integer","sqlite.colour":"text"}}
{"type":"type","name":"edge","fields":{"subtype":"integer","source":"value","dest":"value","label":"string","sqlite.weight":"float","sqlite.rowid":"integer"}}
{"type":"node","subtype":1,"identifier":-2032096499,"heap":{"size":8},"sqlite":{"colour":"red"}}
{"type":"node","subtype":2,"identifier":17}
{"type":"edge","subtype":1,"source":17,"dest":3,"sqlite":{"weight":0.5,"rowid":9}}
{"type":"metadata","key":"heap.end","value":"nodes=2 edges=1 strings=0"}
"#,
    );
}

#[test]
fn errors_name_table_and_row() {
    let check = |sql: &str, message: &str| assert_eq!(error(sql), message, "{sql}");
    check("CREATE TABLE x(y)", "an SQLite file without a table of nodes, edges or strings");
    check(
        "CREATE VIEW node AS SELECT 1 AS identifier",
        "an SQLite file without a table of nodes, edges or strings",
    );
    let node = "CREATE TABLE node(identifier, nodetypeid); INSERT INTO node VALUES(1,1),";
    check(&format!("{node}('x',1)"), "table node, row 2: expected a whole number in identifier");
    check(&format!("{node}(NULL,1)"), "table node, row 2: expected a whole number in identifier");
    check(&format!("{node}(3,-1)"), "table node, row 2: expected a number below 2^32 in nodetypeid");
    check(&format!("{node}(3,x'00')"), "table node, row 2: expected a whole number in nodetypeid");
    check(
        "CREATE TABLE edge(edgetypeid, source, dest); INSERT INTO edge VALUES(1,2,'y')",
        "table edge, row 1: expected a whole number in dest",
    );
    check(
        "CREATE TABLE strings(stringid, data); INSERT INTO strings VALUES(1,NULL)",
        "table strings, row 1: expected text in data",
    );
    check(
        "CREATE TABLE node(identifier, nodetypeid, heap_rest); INSERT INTO node VALUES(1,1,'{\"own\":}')",
        "table node, row 1: expected a JSON object in heap_rest",
    );
    check(
        "CREATE TABLE node(identifier, nodetypeid, heap_size); INSERT INTO node VALUES(1,1,-5)",
        "table node, row 1: expected a number that is not negative in heap_size",
    );
    // A sample decides the kind; later values must have it too.
    let many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10001)";
    check(
        &format!(
            "CREATE TABLE node_types(nodetypeid, name, table_name); INSERT INTO node_types VALUES(1,'array','array');
             CREATE TABLE node(identifier, nodetypeid); CREATE TABLE array(node_identifier, length);
             {many} INSERT INTO node SELECT 2 * i + 1, 1 FROM n;
             {many} INSERT INTO array SELECT 2 * i + 1, iif(i < 10001, i, 'x') FROM n;"
        ),
        "table array, row 10001: expected a whole number in length",
    );
}
