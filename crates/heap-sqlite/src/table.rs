//! A table being filled: rows are collected and put in many at a time.
//!
//! One `INSERT` of 64 rows costs SQLite half of 64 single ones. A row without a number costs half of one with a number,
//! because SQLite appends it without a search. So rows that follow each other in the stream, such as edges, are put in
//! without their numbers, and columns that no row of the 64 has are not named.

use std::fmt::Write as _;

use heap_base::Result;
use rusqlite::types::Null;
use rusqlite::{CachedStatement, Connection};

use crate::fault;
use crate::schema::{Affinity, MOST_COLUMNS, Names, REST, ROW, SNAPSHOT, quoted};
use heap_record::columns::Cell;

/// Rows of one statement, if they are not too wide.
const ROWS: usize = 64;
/// Values of one statement.
const VALUES: usize = 1024;
/// Text that waits for its row to be put in.
const TEXT: usize = 1 << 20;

/// A value that waits.
#[derive(Clone, Copy, Debug)]
enum Stored {
    Null,
    Int(i64),
    Real(f64),
    /// Where in `texts`.
    Text(usize, usize),
}

/// Statements for rows that have the same columns.
#[derive(Debug)]
struct Inserts {
    used: u64,
    columns: Vec<usize>,
    /// Rows that follow the last one.
    many: String,
    /// Rows with their numbers.
    numbered: String,
}

/// Most sets of columns that have statements of their own; rows of further sets name all columns.
const MOST_INSERTS: usize = 12;

/// An index on a column whose values come in order, or nearly so: node identifiers, sources of edges. To add to its
/// end takes a third less than to make it afterwards. Where the order is too far off, it is made afterwards.
#[derive(Debug)]
pub(crate) struct InOrder {
    name: &'static str,
    on: &'static str,
    last: i64,
    /// How often the next value was a smaller one, and of how many.
    falls: u64,
    values: u64,
    kept: bool,
}

/// After so many values the order is judged.
const JUDGED: u64 = 1 << 15;
/// One fall in so many values is near enough.
const NEARLY: u64 = 32;

impl InOrder {
    /// An index called `name` on the column in `on`, `table(column)`.
    pub(crate) fn new(name: &'static str, on: &'static str) -> Self {
        Self { name, on, last: i64::MIN, falls: 0, values: 0, kept: true }
    }
}

/// See the module's description.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) name: String,
    columns: Vec<(String, Affinity)>,
    /// Index of `heap_rest`, if it has one.
    rest: usize,
    names: Names,
    /// Whether SQLite knows it, and how many of its columns.
    made: Option<usize>,
    /// Rows that go in with one statement.
    batch: usize,
    one: String,
    inserts: Vec<Inserts>,
    /// Columns that waiting rows have, a bit each; all bits if there are too many columns for that.
    used: u64,
    /// The index that is kept while rows come in its order.
    in_order: Option<InOrder>,
    /// Record numbers of the rows that wait, and their values, all columns of each.
    rows: Vec<i64>,
    values: Vec<Stored>,
    texts: String,
    /// Record number of the last row that was put in.
    last: i64,
}

impl Table {
    /// A table with these columns, and `heap_row` and `heap_rest`.
    pub(crate) fn new(name: impl Into<String>, columns: &[(&str, Affinity)]) -> Self {
        let mut table = Self::without_rest(name, columns);
        table.rest = table.columns.len();
        table.columns.push((REST.to_owned(), Affinity::Text));
        table
    }

    /// A table with these columns, and `heap_row`.
    pub(crate) fn without_rest(name: impl Into<String>, columns: &[(&str, Affinity)]) -> Self {
        let mut names = Names::default();
        names.take(ROW);
        names.take(SNAPSHOT);
        names.take(REST);
        let columns: Vec<_> = columns.iter().map(|&(n, a)| (n.to_owned(), a)).collect();
        for (name, _) in &columns {
            names.take(name);
        }
        Self {
            name: name.into(),
            columns,
            rest: usize::MAX,
            names,
            made: None,
            batch: 0,
            one: String::new(),
            inserts: Vec::new(),
            used: 0,
            in_order: None,
            rows: Vec::new(),
            values: Vec::new(),
            texts: String::new(),
            last: 0,
        }
    }

    /// Keeps an index while its values come in order.
    pub(crate) fn in_order(mut self, index: InOrder) -> Self {
        self.in_order = Some(index);
        self
    }

    /// Whether the index of this name is there already.
    pub(crate) fn has_index(&self, name: &str) -> bool {
        self.made.is_some() && self.in_order.as_ref().is_some_and(|i| i.name == name && i.kept)
    }

    /// Checks the order of the index: `value` is that of the row begun last in its column.
    #[inline]
    pub(crate) fn follow(&mut self, conn: &Connection, value: i64) -> Result {
        let Some(index) = &mut self.in_order else { return Ok(()) };
        index.values += 1;
        index.falls += u64::from(value < index.last);
        index.last = value;
        if index.values.is_multiple_of(JUDGED) && index.kept && index.falls > index.values / NEARLY {
            index.kept = false;
            conn.execute_batch(&format!("DROP INDEX {}", index.name)).map_err(fault::write)?;
        }
        Ok(())
    }

    /// The columns, without `heap_row`.
    pub(crate) fn columns(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_str())
    }

    /// Index of the column of this name.
    pub(crate) fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|(n, _)| n == name)
    }

    /// A column for a field: the one it has, or a new one; `None` if the table is full.
    pub(crate) fn column_for(
        &mut self,
        conn: &Connection,
        field: &str,
        affinity: Affinity,
        used: &[usize],
    ) -> Result<Option<usize>> {
        let wanted = crate::schema::plain(field);
        let fits = |(i, (n, a)): (usize, &(String, Affinity))| {
            *n == wanted && *a == affinity && n != REST && n != SNAPSHOT && !used.contains(&i)
        };
        if let Some(index) = self.columns.iter().enumerate().position(fits) {
            return Ok(Some(index));
        }
        if self.columns.len() >= MOST_COLUMNS {
            return Ok(None);
        }
        self.flush(conn)?;
        let name = self.names.unique(field);
        self.columns.push((name, affinity));
        Ok(Some(self.columns.len() - 1))
    }

    /// Adds a column of this very name, if it is not there yet.
    pub(crate) fn add(&mut self, conn: &Connection, name: &str, affinity: Affinity) -> Result {
        if self.column(name).is_none() {
            self.flush(conn)?;
            self.columns.push((name.to_owned(), affinity));
        }
        Ok(())
    }

    /// Sets `heap_rest` of the row that was begun last.
    pub(crate) fn rest(&mut self, text: &str) {
        self.text(self.rest, text);
    }

    /// Begins the row of record number `row`: all columns are NULL.
    pub(crate) fn begin(&mut self, row: i64) {
        self.rows.push(row);
        self.values.resize(self.rows.len() * self.columns.len(), Stored::Null);
    }

    /// A column of the row that was begun last.
    #[inline]
    fn slot(&mut self, column: usize) -> &mut Stored {
        self.used |= if column < 64 { 1 << column } else { u64::MAX };
        let at = self.values.len() - self.columns.len() + column;
        &mut self.values[at]
    }

    /// Sets a column of the row that was begun last.
    #[inline]
    pub(crate) fn int(&mut self, column: usize, n: i64) {
        *self.slot(column) = Stored::Int(n);
    }

    /// Sets a column of the row that was begun last.
    pub(crate) fn text(&mut self, column: usize, text: &str) {
        *self.slot(column) = Stored::Text(self.texts.len(), text.len());
        self.texts.push_str(text);
    }

    /// Sets a column of the row that was begun last.
    pub(crate) fn set(&mut self, column: usize, cell: &Cell<'_>) {
        match cell {
            Cell::Null => *self.slot(column) = Stored::Null,
            Cell::Int(n) => *self.slot(column) = Stored::Int(*n),
            Cell::Real(x) => *self.slot(column) = Stored::Real(*x),
            Cell::Text(text) => self.text(column, text),
        }
    }

    /// Ends the row that was begun last; puts rows in if enough wait.
    #[inline]
    pub(crate) fn end(&mut self, conn: &Connection) -> Result {
        if self.made != Some(self.columns.len()) {
            self.make(conn)?;
        }
        if self.rows.len() >= self.batch || self.texts.len() >= TEXT { self.flush(conn) } else { Ok(()) }
    }

    /// Puts all waiting rows in.
    pub(crate) fn flush(&mut self, conn: &Connection) -> Result {
        if self.rows.is_empty() {
            return Ok(());
        }
        self.make(conn)?;
        let width = self.columns.len();
        let inserts = self.inserts();
        for (rows, values) in self.rows.chunks(self.batch).zip(self.values.chunks(self.batch * width)) {
            let (first, count) = (rows[0], rows.len());
            if count == self.batch {
                let inserts = &self.inserts[inserts];
                let in_line = first == self.last + 1 && rows[count - 1] == first + count as i64 - 1;
                let sql = if in_line { &inserts.many } else { &inserts.numbered };
                let mut statement = conn.prepare_cached(sql).map_err(fault::write)?;
                let mut at = 0;
                for (row, values) in rows.iter().zip(values.chunks(width)) {
                    if !in_line {
                        at += 1;
                        statement.raw_bind_parameter(at, *row).map_err(fault::write)?;
                    }
                    for &column in &inserts.columns {
                        at += 1;
                        bind(&mut statement, at, values[column], &self.texts)?;
                    }
                }
                statement.raw_execute().map_err(fault::write)?;
            } else {
                let mut statement = conn.prepare_cached(&self.one).map_err(fault::write)?;
                for (row, values) in rows.iter().zip(values.chunks(width)) {
                    statement.raw_bind_parameter(1, *row).map_err(fault::write)?;
                    for (i, value) in values.iter().enumerate() {
                        bind(&mut statement, i + 2, *value, &self.texts)?;
                    }
                    statement.raw_execute().map_err(fault::write)?;
                }
            }
            self.last = rows[count - 1];
        }
        self.rows.clear();
        self.values.clear();
        self.texts.clear();
        self.used = 0;
        Ok(())
    }

    /// Index of the statements for the rows that wait.
    fn inserts(&mut self) -> usize {
        let width = self.columns.len();
        let all = if width < 64 { (1 << width) - 1 } else { u64::MAX };
        let known = |used: u64| self.inserts.iter().position(|s| s.used == used);
        let used = match known(self.used) {
            Some(index) => return index,
            None if self.inserts.len() < MOST_INSERTS && width <= 64 => self.used,
            None => match known(all) {
                Some(index) => return index,
                None => all,
            },
        };
        let columns: Vec<_> = (0..width).filter(|&i| i >= 64 || used >> i & 1 == 1).collect();
        let names = columns.iter().map(|&i| quoted(&self.columns[i].0)).collect::<Vec<_>>().join(",");
        let table = quoted(&self.name);
        let rows = |first: &str| {
            let row = format!("({first}{})", vec!["?"; columns.len()].join(","));
            vec![row; self.batch].join(",")
        };
        let many = format!("INSERT INTO {table}({names}) VALUES{}", rows(""));
        let numbered = format!("INSERT INTO {table}({ROW},{names}) VALUES{}", rows("?,"));
        self.inserts.push(Inserts { used, columns, many, numbered });
        self.inserts.len() - 1
    }

    /// Makes the table, or the columns that it does not have yet.
    pub(crate) fn make(&mut self, conn: &Connection) -> Result {
        let made = self.made.unwrap_or(0);
        if made == self.columns.len() {
            return Ok(());
        }
        let table = quoted(&self.name);
        let mut sql = String::new();
        if self.made.is_none() {
            // For the eye: the draft's columns first, the least read last.
            let columns = self.columns.iter().enumerate().filter(|(i, _)| *i != self.rest);
            let mut columns: Vec<_> =
                columns.map(|(_, (name, affinity))| format!("{} {}", quoted(name), affinity.sql())).collect();
            columns.push(format!("{ROW} INTEGER PRIMARY KEY"));
            if self.rest < self.columns.len() {
                columns.push(format!("{REST} TEXT"));
            }
            let _ = write!(sql, "CREATE TABLE {table} ({});", columns.join(", "));
            if let Some(InOrder { name, on, .. }) = &self.in_order {
                let _ = write!(sql, "CREATE INDEX {name} ON {on};");
            }
        } else {
            for (name, affinity) in &self.columns[made..] {
                let _ = write!(sql, "ALTER TABLE {table} ADD COLUMN {} {};", quoted(name), affinity.sql());
            }
        }
        conn.execute_batch(&sql).map_err(fault::write)?;
        self.made = Some(self.columns.len());

        let names: Vec<_> = self.columns.iter().map(|(name, _)| quoted(name)).collect();
        let (names, width) = (names.join(","), self.columns.len());
        self.batch = ROWS.min(VALUES / (width + 1)).max(1);
        self.inserts.clear();
        self.one = format!("INSERT INTO {table}({ROW},{names}) VALUES({})", vec!["?"; width + 1].join(","));
        Ok(())
    }
}

#[inline]
fn bind(statement: &mut CachedStatement<'_>, at: usize, value: Stored, texts: &str) -> Result {
    match value {
        Stored::Null => statement.raw_bind_parameter(at, Null),
        Stored::Int(n) => statement.raw_bind_parameter(at, n),
        Stored::Real(x) => statement.raw_bind_parameter(at, x),
        Stored::Text(start, len) => statement.raw_bind_parameter(at, &texts[start..start + len]),
    }
    .map_err(fault::write)
}
