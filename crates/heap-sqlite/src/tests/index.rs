//! The indexes are what SQLite itself would have made.

use std::fmt::Write as _;
use std::path::Path;

use heap_record::SnapshotSelector;
use rusqlite::Connection;

use super::{query, stored, stream_of};
use crate::pairs::Pairs;

/// A file with a table of these values and the index made from pairs.
fn indexed(path: &Path, values: &[Option<i64>], piece: usize) {
    let _ = std::fs::remove_file(path);
    let conn = Connection::open(path).expect("TMPDIR");
    conn.execute_batch("BEGIN; CREATE TABLE t(v INTEGER, id INTEGER PRIMARY KEY)").expect("is SQL");
    let mut pairs = Pairs::in_pieces(piece);
    for (i, value) in values.iter().enumerate() {
        let row = i as i64 + 1;
        conn.execute("INSERT INTO t VALUES(?1, ?2)", (value, row)).expect("is SQL");
        if let Some(value) = value {
            pairs.push(*value, row).expect("TMPDIR");
        }
    }
    pairs.finish(&conn, "t_v", "t", "v").expect("is made");
    conn.execute_batch("COMMIT").expect("is SQL");
}

#[test]
fn pairs_make_the_index_that_sqlite_would_make() {
    let folder = tempfile::tempdir().expect("TMPDIR");
    let path = folder.path().join("x.db");
    arbtest::arbtest(|u| {
        let mut values = Vec::new();
        for _ in 0..u.int_in_range(0..=700)? {
            values.push(match u.int_in_range(0..=9)? {
                0 => None,
                1 => Some(u.arbitrary()?),
                2 => Some(i64::from(u.arbitrary::<i8>()?)),
                _ => Some(u.int_in_range(0..=50)?),
            });
        }
        let piece = *u.choose(&[1, 7, 100, 1 << 20])?;
        indexed(&path, &values, piece);
        let check = |sql: &str| query(&path, sql);
        assert_eq!(check("PRAGMA integrity_check"), ["ok"]);
        let by_index = check("SELECT v, id FROM t INDEXED BY t_v WHERE v IS NOT NULL ORDER BY v, id");
        let by_table = check("SELECT v, id FROM t NOT INDEXED WHERE v IS NOT NULL ORDER BY v, id");
        assert_eq!(by_index, by_table);
        // It is kept and can be made again.
        check("INSERT INTO t(v) VALUES(25)");
        check("DELETE FROM t WHERE v < 20");
        assert_eq!(check("PRAGMA integrity_check"), ["ok"]);
        check("REINDEX");
        check("VACUUM");
        assert_eq!(check("PRAGMA integrity_check"), ["ok"]);
        Ok(())
    })
    .budget_ms(2_000);
}

#[test]
fn indexes_of_streams_in_order_and_out_of_it() {
    let folder = tempfile::tempdir().expect("TMPDIR");
    let path = folder.path().join("x.db");
    let source: [fn(i64) -> i64; 4] = [
        |i| i / 3,
        // Nearly in order.
        |i| if i % 1000 == 7 { 5 } else { i / 3 },
        // Out of order from the beginning, and from the second half on.
        |i| i * 7919 % 100_003,
        |i| if i < 50_000 { i } else { i * 7919 % 100_003 },
    ];
    for source in source {
        let mut text = String::from(
            "{\"type\":\"metadata\",\"key\":\"version_major\",\"value\":\"1\"}\n\
             {\"type\":\"metadata\",\"key\":\"heap.end\",\"value\":\"expected\"}\n",
        );
        for i in 0..100_000 {
            let (source, dest) = (2 * source(i) + 1, i * 31 % 5003);
            let _ = match i % 50 {
                0 => writeln!(text, "{{\"type\":\"edge\",\"subtype\":1,\"source\":{source}}}"),
                _ => {
                    writeln!(text, "{{\"type\":\"edge\",\"subtype\":1,\"source\":{source},\"dest\":{dest}}}")
                }
            };
        }
        text += "{\"type\":\"metadata\",\"key\":\"heap.end\",\"value\":\"nodes=0 edges=100000 strings=0\"}\n";
        stored(text.as_bytes(), &path).expect("is written");
        assert_eq!(query(&path, "PRAGMA integrity_check"), ["ok"]);
        assert_eq!(
            query(&path, "SELECT name FROM sqlite_schema WHERE type = 'index' ORDER BY 1"),
            [
                "edge_dest",
                "edge_source",
                "heap_classes_class",
                "heap_classes_heap_class",
                "node_heap_class",
                "node_identifier",
                "node_types_nodetypeid",
                "strings_stringid",
            ]
        );
        assert!(stream_of(&path, SnapshotSelector::All).0 == text);
    }
}
