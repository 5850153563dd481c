//! Reports: rows of typed cells, sorted, limited, and written as a table, JSON, CSV or TSV.

use std::io::Write;

use heap_base::json::{push_float, push_int, push_text, push_uint};

use crate::sort::Order;
use crate::{Cell, Column, Error, Format, Layout, Screen, Unit, table, text};

/// Where a report goes.
pub trait Output: Write {
    /// Whether it is a terminal.
    fn is_terminal(&self) -> bool;
    /// How much fits there. Called before the rows of a report are written.
    fn screen(&self) -> Screen;
    /// Sums in these columns are as large as a number can be: they are at least so much. Called once, behind the rows.
    fn at_least(&mut self, columns: &str);
    /// Whether an error of an input was written: a report without rows is no answer then.
    fn has_failed(&self) -> bool;
}

/// The rows of a report, until they are written.
#[derive(Debug)]
pub struct Report {
    columns: Vec<Column>,
    /// How a row begins as JSON, and what stands before each cell.
    begin: Vec<u8>,
    keys: Vec<Vec<u8>>,
    layout: Layout,
    /// Column and whether smallest come first.
    sort: Option<(usize, bool)>,
    rows: Vec<Vec<Cell>>,
    total: Option<Vec<Cell>>,
    emitted: usize,
    /// Columns with sums that stop where numbers do.
    bounded: Vec<bool>,
    /// Rows beyond the limit that were not stored.
    beyond: usize,
}

impl Report {
    /// A report whose JSON rows have this `type` (`heap.sum`). `sort` is the order where `--sort` says
    /// nothing, in its syntax; empty for the order of arrival.
    ///
    /// # Errors
    /// `--sort` names no column.
    pub fn new(kind: &str, columns: Vec<Column>, sort: &str, layout: &Layout) -> Result<Self, Error> {
        let wanted = layout.sort.as_deref().unwrap_or(sort);
        let (key, up) = wanted.strip_prefix('-').map_or((wanted, false), |key| (key, true));
        let sort = match columns.iter().position(|c| c.key == key) {
            Some(at) => Some((at, up)),
            None if wanted.is_empty() => None,
            None => {
                let keys: Vec<_> = columns.iter().map(|c| c.key.as_str()).collect();
                return Err(Error::Usage(format!("no column '{key}' to sort by: {}", keys.join(", "))));
            }
        };
        let layout = layout.clone();
        let mut begin = b"{\"type\":".to_vec();
        push_text(&mut begin, kind);
        let key = |column: &Column| {
            let mut key = b",".to_vec();
            push_text(&mut key, &column.key);
            key.push(b':');
            key
        };
        let keys = columns.iter().map(key).collect();
        Ok(Self {
            bounded: vec![false; columns.len()],
            columns,
            begin,
            keys,
            layout,
            sort,
            rows: Vec::new(),
            total: None,
            emitted: 0,
            beyond: 0,
        })
    }

    /// Adds a row: one cell a column. Beyond the limit rows are only counted, unless they are to be sorted.
    pub fn row(&mut self, cells: Vec<Cell>) {
        debug_assert_eq!(cells.len(), self.columns.len());
        self.look(&cells);
        let stored = self.rows.len() + self.emitted;
        if self.sort.is_none() && self.layout.limit.is_some_and(|limit| stored >= limit) {
            self.beyond += 1;
        } else {
            self.rows.push(cells);
        }
    }

    /// Takes note of sums that stop where numbers do.
    fn look(&mut self, cells: &[Cell]) {
        for ((bounded, column), cell) in self.bounded.iter_mut().zip(&self.columns).zip(cells) {
            *bounded |= cell.bound(column.unit).is_some();
        }
    }

    /// Counts rows beyond the limit that nobody made.
    pub fn skip(&mut self, rows: usize) {
        self.beyond += rows;
    }

    /// Adds a row, and writes it at once unless a table or an order needs all of them.
    /// False once `-n` rows are written: more need not be found.
    ///
    /// # Errors
    /// The output fails.
    pub fn emit(&mut self, cells: Vec<Cell>, out: &mut dyn Output) -> Result<bool, Error> {
        let limit = self.layout.limit.unwrap_or(usize::MAX);
        let format = self.format(out.is_terminal());
        if self.sort.is_some() || format == Format::Table {
            self.row(cells);
            return Ok(self.sort.is_some() || self.rows.len() < limit);
        }
        if self.emitted < limit {
            self.look(&cells);
            let terminal = out.is_terminal();
            self.machine_rows(&[cells], format, terminal, out)?;
        }
        Ok(self.emitted < limit)
    }

    /// The last line of a table; other formats have none.
    pub fn total(&mut self, cells: Vec<Cell>) {
        debug_assert_eq!(cells.len(), self.columns.len());
        self.look(&cells);
        self.total = Some(cells);
    }

    /// How many rows a table without total may have, beside the line that counts the rest; `None`: any number.
    pub fn room(&self, out: &dyn Output) -> Option<usize> {
        self.layout.lines(out.screen(), 2)
    }

    /// Sorts, limits and writes the rows. Without rows nothing is written where an input failed.
    ///
    /// # Errors
    /// The output fails.
    pub fn write(self, out: &mut dyn Output) -> Result<(), Error> {
        if self.rows.is_empty() && self.beyond == 0 && out.has_failed() {
            return Ok(());
        }
        let (terminal, screen) = (out.is_terminal(), out.screen());
        let bounded = self.columns.iter().zip(&self.bounded).filter(|(_, bounded)| **bounded);
        let bounded: Vec<_> = bounded.map(|(column, _)| column.key.clone()).collect();
        self.write_to(out, terminal, screen)?;
        if !bounded.is_empty() {
            out.at_least(&bounded.join(", "));
        }
        Ok(())
    }

    fn format(&self, terminal: bool) -> Format {
        self.layout.format.unwrap_or(if terminal { Format::Table } else { Format::Json })
    }

    /// The same to anything: a `terminal` or not, on which so much fits.
    ///
    /// # Errors
    /// The output fails.
    pub fn write_to(mut self, out: &mut dyn Write, terminal: bool, screen: Screen) -> Result<(), Error> {
        let mut rows = std::mem::take(&mut self.rows);
        if let Some((at, up)) = self.sort {
            let ties = self.places(Unit::Text).chain(self.places(Unit::Id)).collect();
            let order = Order { at, up, ties };
            rows.sort_by(|a, b| order.compare(a, b)); // there may be many
        }
        let format = self.format(terminal);
        if format == Format::Table {
            let style = table::Style {
                plain: self.layout.plain,
                bold: self.layout.color.is_on(terminal),
                width: self.layout.width(screen),
            };
            // Beside the rows there are a heading, perhaps a total, and a line that counts the rest.
            let shown = |fixed: usize| {
                let fits = |lines| self.beyond == 0 && rows.len() <= lines;
                let all = self.layout.lines(screen, fixed).is_none_or(fits);
                let most = if all { None } else { self.layout.lines(screen, fixed + 1) };
                most.unwrap_or(rows.len()).min(rows.len())
            };
            let fixed = 1 + usize::from(self.total.is_some());
            let rows_shown = &rows[..shown(fixed)];
            let table = table::Table::new(&self.columns, rows_shown, self.total.as_deref(), style);
            let count = if table.leaves_out() { shown(fixed + 1) } else { rows_shown.len() };
            let hint = if self.layout.limit.is_none() { " (-n all)" } else { "" };
            return Ok(table.write(count, rows.len() - count + self.beyond, hint, out)?);
        }
        let limit = self.layout.limit.unwrap_or(usize::MAX).saturating_sub(self.emitted);
        rows.truncate(limit);
        self.machine_rows(&rows, format, terminal, out)
    }

    fn places(&self, unit: Unit) -> impl Iterator<Item = usize> {
        self.columns.iter().enumerate().filter(move |(_, c)| c.unit == unit).map(|(i, _)| i)
    }

    /// Writes rows in a format for programs, and before the first one the header.
    fn machine_rows(
        &mut self,
        rows: &[Vec<Cell>],
        format: Format,
        terminal: bool,
        out: &mut dyn Write,
    ) -> Result<(), Error> {
        let mut line = Vec::new();
        if self.emitted == 0 && format != Format::Json && !self.columns.is_empty() {
            let keys: Vec<_> = self.columns.iter().map(|c| Cell::Text(c.key.clone())).collect();
            separated(&mut line, &keys, format, terminal);
            out.write_all(&line)?;
        }
        for row in rows {
            line.clear();
            match format {
                Format::Json => self.json(&mut line, row),
                _ => separated(&mut line, row, format, terminal),
            }
            out.write_all(&line)?;
        }
        self.emitted += rows.len();
        Ok(())
    }

    fn json(&self, line: &mut Vec<u8>, row: &[Cell]) {
        line.extend_from_slice(&self.begin);
        for (key, cell) in self.keys.iter().zip(row) {
            if matches!(cell, Cell::Absent) {
                continue;
            }
            line.extend_from_slice(key);
            match cell {
                Cell::Absent => {}
                Cell::Int(n) | Cell::Shown(n, _) => push_int(line, *n),
                Cell::Uint(n) => push_uint(line, *n),
                Cell::Float(x) => push_float(line, *x),
                Cell::Bool(b) => line.extend_from_slice(if *b { b"true" } else { b"false" }),
                Cell::Text(text) => push_text(line, text),
                Cell::Json(json) => line.extend_from_slice(json.as_bytes()),
            }
        }
        line.extend_from_slice(b"}\n");
    }
}

/// A line of CSV or TSV.
fn separated(line: &mut Vec<u8>, row: &[Cell], format: Format, terminal: bool) {
    for (i, cell) in row.iter().enumerate() {
        if i > 0 {
            line.push(if format == Format::Csv { b',' } else { b'\t' });
        }
        let mut value = cell.plain();
        if terminal {
            // Data must not command a terminal, and no program parses its text.
            let mut shown = String::new();
            text::visible(&mut shown, &value);
            value = shown;
        } else if format == Format::Tsv && value.contains(['\\', '\t', '\n', '\r']) {
            value =
                value.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r");
        }
        if format == Format::Csv && value.contains(['"', ',', '\n', '\r']) {
            value = format!("\"{}\"", value.replace('"', "\"\""));
        }
        line.extend_from_slice(value.as_bytes());
    }
    line.push(b'\n');
}
