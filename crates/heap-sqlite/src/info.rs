//! What a file is, from its header and metadata.

use heap_base::{Blob, Result};
use heap_record::{Fact, Info};

use crate::cursor::tables;
use crate::file::File;
use crate::open;
use crate::schema::APPLICATION_ID;

/// Facts about a file. Its counts are those of its `heap.end` record; without that the rows are counted.
///
/// # Errors
/// As [`read`](crate::read).
pub fn info(blob: &Blob) -> Result<Info> {
    let db = open::open(blob)?;
    let tables = tables(&db.conn)?;
    let file = File { conn: &db.conn, tables: &tables, blob };
    let mut info = Info { format: "sqlite", ..Info::default() };
    let mut counts = None;
    file.each("metadata", |row| {
        let column = |name| row.text(row.table().column(name)).unwrap_or_default().into_owned();
        let (key, value) = (column("key"), column("value"));
        if key == "heap.end" {
            counts = Some(value);
        } else {
            info.metadata(&key, &value);
        }
        Ok(())
    })?;
    let given = counts.as_deref().map(|text| text.split(' ').filter_map(|w| w.split_once('=')));
    for (name, table) in [("nodes", "node"), ("edges", "edge"), ("strings", "strings")] {
        let given =
            given.clone().and_then(|mut t| t.find(|(n, _)| *n == name)).and_then(|(_, n)| n.parse().ok());
        let count = if let Some(count) = given {
            count
        } else {
            let mut count = 0;
            file.each(table, |_| {
                count += 1;
                Ok(())
            })?;
            count
        };
        info.facts.push((name, Fact::Int(count)));
    }
    let mut head = [0; 72];
    blob.read_at(&mut head, 0)?;
    info.facts.push(("draft_only", Fact::Flag(head[68..] != APPLICATION_ID.to_be_bytes())));
    info.facts.push(("complete", Fact::Flag(counts.is_some())));
    info.facts.push(("tables", Fact::Int(tables.len() as i64)));
    Ok(info)
}
