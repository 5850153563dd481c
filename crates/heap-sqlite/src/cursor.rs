//! The rows of a table in order, checked: a damaged or forged b-tree ends in an error, never in a loop.

use std::borrow::Cow;

use heap_base::json::hex_text;
use heap_base::{Error, Result};
use rusqlite::fallible_streaming_iterator::FallibleStreamingIterator;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Rows, Statement};

use crate::fault;
use crate::schema::quoted;
use heap_record::columns::Cell;

/// A table of a file.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) name: String,
    /// Its stored columns.
    pub(crate) columns: Vec<String>,
    /// What its row number is called, if it has one.
    rowid: Option<&'static str>,
}

impl Found {
    /// Index of a column.
    pub(crate) fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|c| c.eq_ignore_ascii_case(name))
    }
}

/// The tables that a file really has: views and virtual tables are none.
pub(crate) fn tables(conn: &Connection) -> Result<Vec<Found>> {
    let failed = |e: rusqlite::Error| fault::read("its tables cannot be read", &e);
    let mut list = conn
        .prepare("SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table'")
        .map_err(failed)?;
    let names = list
        .query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, bool>(1)?)))
        .and_then(Iterator::collect::<rusqlite::Result<Vec<_>>>)
        .map_err(failed)?;
    let mut columns = conn
        .prepare("SELECT name FROM pragma_table_xinfo(?1, 'main') WHERE hidden = 0 ORDER BY cid")
        .map_err(failed)?;
    let mut found = Vec::new();
    for (name, without_rowid) in names {
        let columns = columns
            .query_map([&name], |row| row.get::<_, String>(0))
            .and_then(Iterator::collect::<rusqlite::Result<Vec<_>>>)
            .map_err(failed)?;
        let free = |n: &&str| !columns.iter().any(|c| c.eq_ignore_ascii_case(n));
        let rowid = ["rowid", "_rowid_", "oid"].into_iter().find(free).filter(|_| !without_rowid);
        found.push(Found { name, columns, rowid });
    }
    Ok(found)
}

/// A statement that reads all columns of a table, in the order of its rows.
pub(crate) fn select<'c>(conn: &'c Connection, table: &Found, range: (i64, i64)) -> Result<Statement<'c>> {
    let columns: Vec<_> = table.columns.iter().map(|c| quoted(c)).collect();
    let (columns, name) = (columns.join(","), quoted(&table.name));
    let sql = match table.rowid {
        Some(rowid) => format!(
            "SELECT {rowid},{columns} FROM main.{name} NOT INDEXED WHERE {rowid} BETWEEN {} AND {} ORDER BY {rowid}",
            range.0, range.1
        ),
        None => format!("SELECT NULL,{columns} FROM main.{name} NOT INDEXED"),
    };
    conn.prepare(&sql).map_err(|e| fault::read(&format!("table {}", table.name), &e))
}

/// See the module's description.
pub(crate) struct Cursor<'s> {
    rows: Rows<'s>,
    table: &'s Found,
    /// Number of the current row.
    head: Option<i64>,
    /// How many rows the file has room for.
    left: u64,
}

impl<'s> Cursor<'s> {
    /// The rows of [`select`]'s statement, at the first one. `room` is the length of the file: a row takes more
    /// than a byte.
    pub(crate) fn new(statement: &'s mut Statement<'_>, table: &'s Found, room: u64) -> Result<Self> {
        let mut cursor = Self { rows: statement.raw_query(), table, head: None, left: room };
        cursor.step(i64::MIN)?;
        Ok(cursor)
    }

    /// Number of the current row; `None` behind the last.
    #[inline]
    pub(crate) fn head(&self) -> Option<i64> {
        self.head
    }

    /// The table.
    pub(crate) fn table(&self) -> &'s Found {
        self.table
    }

    /// Goes to the next row.
    #[inline]
    pub(crate) fn advance(&mut self) -> Result {
        match self.head {
            Some(head) => self.step(head.saturating_add(1)),
            None => Ok(()),
        }
    }

    #[inline]
    fn step(&mut self, least: i64) -> Result {
        let at = self.head;
        if let Err(e) = self.rows.advance() {
            self.head = None;
            let place = at.map_or(String::new(), |n| format!(" after row {n}"));
            return Err(fault::read(&format!("table {}{place}", self.table.name), &e));
        }
        self.head = match self.rows.get().map(|row| row.get_ref(0)) {
            None => None,
            Some(Ok(ValueRef::Integer(n))) => Some(n),
            // Without row numbers the rows are counted.
            Some(_) => Some(at.unwrap_or(0).saturating_add(1)),
        };
        if let Some(head) = self.head {
            if head < least || self.left == 0 {
                self.head = None;
                return Err(Error::input(format!("table {}: its rows go in a circle", self.table.name)));
            }
            self.left -= 1;
        }
        Ok(())
    }

    /// The value of a column.
    #[inline]
    pub(crate) fn value(&self, column: usize) -> ValueRef<'_> {
        self.rows.get().and_then(|row| row.get_ref(column + 1).ok()).unwrap_or(ValueRef::Null)
    }

    /// The value of a column for a declared field.
    pub(crate) fn cell(&self, column: usize) -> Cell<'_> {
        match self.value(column) {
            ValueRef::Null => Cell::Null,
            ValueRef::Integer(n) => Cell::Int(n),
            ValueRef::Real(x) => Cell::Real(x),
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Cell::Text(String::from_utf8_lossy(bytes)),
        }
    }

    /// The whole number in a column, if there is one.
    #[inline]
    pub(crate) fn int(&self, column: Option<usize>) -> Result<Option<i64>> {
        let Some(column) = column else { return Ok(None) };
        match self.value(column) {
            ValueRef::Null => Ok(None),
            ValueRef::Integer(n) => Ok(Some(n)),
            other => self.odd_int(column, other).map(Some),
        }
    }

    /// Numbers as other writers may put them in: `'0x86e0ab0d'`, `'17'`, 17.0.
    #[cold]
    fn odd_int(&self, column: usize, value: ValueRef<'_>) -> Result<i64> {
        let found = match value {
            ValueRef::Text(text) => std::str::from_utf8(text).ok().and_then(|t| {
                t.parse().ok().or_else(|| {
                    let n = hex_text(t)?;
                    i64::try_from(n).ok().or_else(|| u64::try_from(n).ok().map(|n| n as i64))
                })
            }),
            ValueRef::Real(x) if x.fract() == 0.0 && x.abs() < 9.0e15 => Some(x as i64),
            _ => None,
        };
        found.ok_or_else(|| self.wrong(column, "expected a whole number"))
    }

    /// The whole number that has to be in a column.
    #[inline]
    pub(crate) fn must(&self, column: Option<usize>, name: &str) -> Result<i64> {
        match self.int(column)? {
            Some(n) => Ok(n),
            None => Err(self.error(&format!("expected a whole number in {name}"))),
        }
    }

    /// The same, as the number of a subtype.
    #[inline]
    pub(crate) fn subtype(&self, column: Option<usize>, name: &str) -> Result<u32> {
        let n = self.must(column, name)?;
        u32::try_from(n).map_err(|_| self.error(&format!("expected a number below 2^32 in {name}")))
    }

    /// A size or count in a column, if there is one.
    #[inline]
    pub(crate) fn size(&self, column: Option<usize>) -> Result<Option<u64>> {
        match (self.int(column)?, column) {
            (Some(n), Some(column)) => u64::try_from(n)
                .map(Some)
                .map_err(|_| self.wrong(column, "expected a number that is not negative")),
            _ => Ok(None),
        }
    }

    /// The text in a column, if there is any; numbers are text too.
    pub(crate) fn text(&self, column: Option<usize>) -> Option<Cow<'_, str>> {
        match self.value(column?) {
            ValueRef::Null => None,
            ValueRef::Integer(n) => Some(n.to_string().into()),
            ValueRef::Real(x) => Some(x.to_string().into()),
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Some(String::from_utf8_lossy(bytes)),
        }
    }

    /// What is wrong with the value of a column.
    #[cold]
    pub(crate) fn wrong(&self, column: usize, what: &str) -> Error {
        let name = self.table.columns.get(column).map_or("", String::as_str);
        self.error(&format!("{what} in {name}"))
    }

    /// What is wrong with the current row.
    #[cold]
    pub(crate) fn error(&self, what: &str) -> Error {
        let row = self.head.unwrap_or(0);
        Error::input(format!("table {}, row {row}: {what}", self.table.name))
    }
}
