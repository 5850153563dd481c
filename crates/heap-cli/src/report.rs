//! Reports: rows of typed cells, sorted, limited, and written as a table, JSON, CSV or TSV.

use std::io::Write;

use heap_base::json::{push_float, push_int, push_text, push_uint};

use crate::order::Order;
use crate::{Error, Out, progress, table, text};

/// How a report is written: the options of [`OUTPUT`](crate::OUTPUT).
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// The format, if one was asked for; else a table on a terminal, JSON elsewhere.
    pub format: Option<Format>,
    /// No more rows than this.
    pub limit: Option<usize>,
    /// The key to sort by, with a `-` before it for smallest first.
    pub sort: Option<String>,
    /// Plain numbers in tables.
    pub plain: bool,
    /// When to use colour.
    pub color: Color,
}

/// A report's format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Aligned columns, for people.
    Table,
    /// One object a line.
    Json,
    /// Quoted as in RFC 4180; lines end in LF, as Unix tools expect.
    Csv,
    /// `\t`, `\n`, `\r` and `\\` stand for tab, LF, CR and backslash.
    Tsv,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Color {
    /// On a terminal, unless the environment says no.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// What a column holds, which decides how a table shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Text.
    Text,
    /// How many.
    Count,
    /// A size in bytes.
    Bytes,
    /// By how many something has changed: with a sign.
    Change,
    /// By how many bytes something has changed: with a sign.
    BytesChange,
    /// An identifier.
    Id,
    /// A float.
    Number,
    /// A part of a whole, 0 to 1; tables show percent.
    Share,
}

/// A column of a report.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its key in JSON, CSV and TSV, and its heading in tables.
    pub key: String,
    /// What it holds.
    pub unit: Unit,
}

impl Column {
    /// A column.
    pub fn new(key: impl Into<String>, unit: Unit) -> Self {
        Self { key: key.into(), unit }
    }
}

/// A value in a row.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Cell {
    /// Unknown: left out of JSON, empty elsewhere.
    #[default]
    Absent,
    /// A whole number.
    Int(i64),
    /// A whole number without sign.
    Uint(u64),
    /// A float.
    Float(f64),
    /// True or false.
    Bool(bool),
    /// Text.
    Text(String),
    /// A whole number that tables show otherwise: an identifier as `@6163`.
    Shown(i64, String),
}

impl Cell {
    /// The name of a snapshot: a number where it is one, as in all reports.
    pub fn snapshot(name: Option<&str>) -> Self {
        name.map_or(Self::Absent, |name| name.parse().map_or_else(|_| name.into(), Self::Uint))
    }
}

macro_rules! cell_from {
    ($($type:ty => |$x:ident| $cell:expr),+ $(,)?) => {
        $(impl From<$type> for Cell {
            fn from($x: $type) -> Self {
                $cell
            }
        })+
    };
}

cell_from! {
    i64 => |n| Self::Int(n),
    u64 => |n| Self::Uint(n),
    usize => |n| Self::Uint(n as u64),
    f64 => |x| Self::Float(x),
    bool => |b| Self::Bool(b),
    String => |text| Self::Text(text),
    &str => |text| Self::Text(text.to_owned()),
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Absent, Into::into)
    }
}

/// A report in the making.
#[derive(Debug)]
pub struct Report {
    kind: String,
    columns: Vec<Column>,
    layout: Layout,
    /// Column and whether smallest come first.
    sort: Option<(usize, bool)>,
    rows: Vec<Vec<Cell>>,
    total: Option<Vec<Cell>>,
    emitted: usize,
}

impl Report {
    /// A report whose JSON rows have this `type` (`heap.sum`). `sort` is the order where `--sort` says
    /// nothing, in its syntax; empty for the order of arrival. Fails if `--sort` names no column.
    pub fn new(
        kind: impl Into<String>,
        columns: Vec<Column>,
        sort: &str,
        layout: &Layout,
    ) -> Result<Self, Error> {
        let wanted = layout.sort.as_deref().unwrap_or(sort);
        let (key, up) = wanted.strip_prefix('-').map_or((wanted, false), |key| (key, true));
        let sort = match columns.iter().position(|c| c.key == key) {
            Some(at) => Some((at, up)),
            None if wanted.is_empty() => None,
            None => {
                let keys: Vec<_> = columns.iter().map(|c| c.key.as_str()).collect();
                return Err(Error::usage(format!("no column '{key}' to sort by: {}", keys.join(", "))));
            }
        };
        let layout = layout.clone();
        Ok(Self { kind: kind.into(), columns, layout, sort, rows: Vec::new(), total: None, emitted: 0 })
    }

    /// Adds a row: one cell a column.
    pub fn row(&mut self, cells: Vec<Cell>) {
        debug_assert_eq!(cells.len(), self.columns.len());
        self.rows.push(cells);
    }

    /// Adds a row and writes it at once, where neither a table nor an order has to wait for the last one.
    /// False once `-n` rows are written: more need not be found.
    pub fn emit(&mut self, cells: Vec<Cell>, out: &mut Out) -> Result<bool, Error> {
        let limit = self.layout.limit.unwrap_or(usize::MAX);
        let format = self.format(out.is_terminal());
        if self.sort.is_some() || format == Format::Table {
            self.row(cells);
            return Ok(self.sort.is_some() || self.rows.len() < limit);
        }
        if self.emitted < limit {
            self.machine_rows(&[cells], format, out.is_terminal(), out)?;
        }
        Ok(self.emitted < limit)
    }

    /// The last line of a table; other formats have none.
    pub fn total(&mut self, cells: Vec<Cell>) {
        debug_assert_eq!(cells.len(), self.columns.len());
        self.total = Some(cells);
    }

    /// Sorts, limits and writes the rows.
    pub fn write(self, out: &mut Out) -> Result<(), Error> {
        progress::stop();
        let (terminal, width) = (out.is_terminal(), out.columns());
        self.write_to(out, terminal, width)
    }

    fn format(&self, terminal: bool) -> Format {
        self.layout.format.unwrap_or(if terminal { Format::Table } else { Format::Json })
    }

    /// The same to anything: a `terminal` or not, of this `width`.
    pub fn write_to(
        mut self,
        out: &mut dyn Write,
        terminal: bool,
        width: Option<usize>,
    ) -> Result<(), Error> {
        let mut rows = std::mem::take(&mut self.rows);
        if let Some((at, up)) = self.sort {
            let ties = self.places(Unit::Text).chain(self.places(Unit::Id)).collect();
            Order { at, up, ties }.sort(&mut rows);
        }
        let limit = self.layout.limit.unwrap_or(usize::MAX).saturating_sub(self.emitted);
        let more = rows.len().saturating_sub(limit);
        rows.truncate(limit);
        let format = self.format(terminal);
        if format == Format::Table {
            let bold = match self.layout.color {
                Color::Always => true,
                Color::Never => false,
                Color::Auto => {
                    let set = |key| std::env::var_os(key).is_some_and(|v| !v.is_empty());
                    terminal && !set("NO_COLOR") && std::env::var_os("TERM").is_some_and(|t| t != "dumb")
                }
            };
            let style = table::Style { plain: self.layout.plain, bold, width };
            table::write(&self.columns, &rows, self.total.as_deref(), more, style, out)?;
            return Ok(());
        }
        self.machine_rows(&rows, format, terminal, out)?;
        // A report is the last that a process does: to give each of 100,000 texts back took a fourteenth of the time, and
        // the system takes all of them at once.
        std::mem::forget(rows);
        Ok(())
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
        line.extend_from_slice(b"{\"type\":");
        push_text(line, &self.kind);
        for (column, cell) in self.columns.iter().zip(row) {
            if *cell == Cell::Absent {
                continue;
            }
            line.push(b',');
            push_text(line, &column.key);
            line.push(b':');
            match cell {
                Cell::Absent => {}
                Cell::Int(n) | Cell::Shown(n, _) => push_int(line, *n),
                Cell::Uint(n) => push_uint(line, *n),
                Cell::Float(x) => push_float(line, *x),
                Cell::Bool(b) => line.extend_from_slice(if *b { b"true" } else { b"false" }),
                Cell::Text(text) => push_text(line, text),
            }
        }
        line.extend_from_slice(b"}\n");
    }
}

impl Cell {
    /// The value as text for programs.
    pub(crate) fn plain(&self) -> String {
        match self {
            Self::Absent => String::new(),
            Self::Int(n) | Self::Shown(n, _) => n.to_string(),
            Self::Uint(n) => n.to_string(),
            Self::Float(x) if x.is_finite() => {
                let mut digits = Vec::new();
                push_float(&mut digits, *x);
                String::from_utf8_lossy(&digits).into_owned()
            }
            Self::Float(x) if x.is_nan() => "NaN".to_owned(),
            Self::Float(x) => if *x > 0.0 { "Infinity" } else { "-Infinity" }.to_owned(),
            Self::Bool(b) => b.to_string(),
            Self::Text(text) => text.clone(),
        }
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
            // Nobody parses what goes to a terminal; data must not command it.
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
