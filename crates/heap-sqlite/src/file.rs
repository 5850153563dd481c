//! An open file and its tables.

use heap_base::{Blob, Result};
use rusqlite::Connection;

use crate::cursor::{Cursor, Found, select};
use crate::schema::ROW;

/// All rows.
pub(crate) const ALL: (i64, i64) = (i64::MIN, i64::MAX);

/// Whether a table has this name.
pub(crate) fn is(table: &Found, name: &str) -> bool {
    table.name.eq_ignore_ascii_case(name)
}

/// Whether a table has rows in the order of a stream.
pub(crate) fn is_ours(table: &Found) -> bool {
    table.column(ROW).is_some()
}

/// An open file.
#[derive(Clone, Copy)]
pub(crate) struct File<'f> {
    pub(crate) conn: &'f Connection,
    pub(crate) tables: &'f [Found],
    pub(crate) blob: &'f Blob,
}

impl<'f> File<'f> {
    /// The table of this name.
    pub(crate) fn table(&self, name: &str) -> Option<&'f Found> {
        self.tables.iter().find(|t| is(t, name))
    }

    /// Goes over all rows of a table, if the file has it.
    pub(crate) fn each(&self, name: &str, mut f: impl FnMut(&Cursor<'_>) -> Result) -> Result {
        let Some(table) = self.table(name) else { return Ok(()) };
        let mut statement = select(self.conn, table, ALL)?;
        let mut cursor = Cursor::new(&mut statement, table, self.blob.len())?;
        while cursor.head().is_some() {
            f(&cursor)?;
            cursor.advance()?;
        }
        Ok(())
    }
}

/// Moves the progress of the input on, judged by the counts in the file's `heap.end`.
pub(crate) struct Progress<'f> {
    blob: &'f Blob,
    /// Bytes for every [`STEP`] records.
    bytes: u64,
    records: u64,
}

const STEP: u64 = 4096;

impl<'f> Progress<'f> {
    pub(crate) fn new(file: &File<'f>) -> Result<Self> {
        let mut total = 0;
        file.each("metadata", |row| {
            if row.text(row.table().column("key")).as_deref() == Some("heap.end") {
                let value = row.text(row.table().column("value")).unwrap_or_default();
                let counts = value.split([' ', '=']).filter_map(|n| n.parse::<u64>().ok());
                total = counts.fold(0, u64::saturating_add);
            }
            Ok(())
        })?;
        let bytes = if total == 0 { 0 } else { file.blob.len().saturating_mul(STEP) / total.max(STEP) };
        Ok(Self { blob: file.blob, bytes, records: 0 })
    }

    #[inline]
    pub(crate) fn step(&mut self) {
        self.records += 1;
        if self.records.is_multiple_of(STEP) {
            self.blob.skipped(self.bytes);
        }
    }
}
