//! Tables for people: aligned columns, sizes with units, names cut to fit the terminal.

use heap_base::{Map, sort_by_key};
use std::io::{self, Write};

use crate::cell::Bound;
use crate::text::{cut, cut_middle, cut_start, human_size, visible, width};
use crate::{Cell, Column, Unit};

/// How a table looks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    /// Plain numbers of bytes.
    pub(crate) plain: bool,
    /// Headings in bold.
    pub(crate) bold: bool,
    /// Characters on a line; `None`: any number.
    pub(crate) width: Option<usize>,
}

/// What parts two columns.
const GAP: usize = 2;
/// No text column is cut to less than this, unless nothing else helps.
const LEAST: usize = 8;
/// On a terminal too narrow for that.
const NARROWEST: usize = 4;

/// A table, laid out.
pub(crate) struct Table<'a> {
    columns: &'a [Column],
    /// The cells of all rows, then those of the total.
    cells: Vec<Vec<String>>,
    rows: usize,
    /// The columns that are shown, in their order, and those that are left out.
    shown: Vec<usize>,
    left_out: Vec<usize>,
    /// Characters, by column.
    widths: Vec<usize>,
    /// Columns whose texts are cut in the middle, since cut at the end some that differ would look alike.
    alike: Vec<usize>,
    style: Style,
}

impl<'a> Table<'a> {
    /// Lays out the rows and the total.
    pub(crate) fn new(
        columns: &'a [Column],
        rows: &[Vec<Cell>],
        total: Option<&[Cell]>,
        style: Style,
    ) -> Self {
        let cells: Vec<Vec<String>> = rows
            .iter()
            .map(Vec::as_slice)
            .chain(total)
            .map(|row| columns.iter().zip(row).map(|(c, cell)| show(cell, c.unit, style.plain)).collect())
            .collect();
        let mut widths: Vec<usize> = columns.iter().map(|column| width(&shown(column.title()))).collect();
        for row in &cells {
            for (w, cell) in widths.iter_mut().zip(row) {
                *w = width(cell).max(*w);
            }
        }
        let is_empty = |i: usize| cells.iter().all(|row| row[i].is_empty());
        let mut shown: Vec<usize> =
            (0..columns.len()).filter(|&i| columns[i].rank == 0 || !is_empty(i)).collect();
        sort_by_key(&mut shown, |&i| columns[i].rank);
        let (left_out, alike) = (Vec::new(), Vec::new());
        let mut table = Self { columns, cells, rows: rows.len(), shown, left_out, widths, alike, style };
        if let Some(room) = style.width {
            table.fit(room);
            table.alike = table.shown.iter().copied().filter(|&i| table.cut_looks_alike(i)).collect();
        }
        table
    }

    /// Whether texts of a column that differ have the same beginning in the room that there is.
    fn cut_looks_alike(&self, i: usize) -> bool {
        let (column, room) = (&self.columns[i], self.widths[i]);
        if column.unit != Unit::Text || column.keeps_end {
            return false;
        }
        let mut seen: Map<String, &str> = Map::default();
        let texts = self.cells.iter().map(|row| row[i].as_str()).filter(|text| width(text) > room);
        texts.into_iter().any(|text| *seen.entry(cut(text, room)).or_insert(text) != text)
    }

    /// Leaves columns out and narrows others until the table fits into `room`.
    fn fit(&mut self, room: usize) {
        self.leave_out(room, None, 1);
        self.narrow(room, LEAST);
        self.narrow(room, NARROWEST);
        self.leave_out(room, Some(NARROWEST), 0);
    }

    /// Leaves out columns of this rank or higher, the last first, until the rest fits with texts cut to `least`, or to
    /// what is readable.
    fn leave_out(&mut self, room: usize, least: Option<usize>, rank: u8) {
        let cut = |i: usize| match self.columns[i].unit {
            Unit::Text => self.widths[i].min(least.unwrap_or(self.columns[i].readable)),
            _ => self.widths[i],
        };
        while self.shown.len() > 1
            && self.shown.iter().map(|&i| cut(i) + GAP).sum::<usize>() > room + GAP
            && let Some(last) = self.shown.pop_if(|&mut i| self.columns[i].rank >= rank)
        {
            self.left_out.insert(0, last);
        }
    }

    /// Narrows the widest text columns until the table fits into `room`, or all are narrowed to `least`.
    fn narrow(&mut self, room: usize, least: usize) {
        let needed = self.shown.iter().map(|&i| self.widths[i] + GAP).sum::<usize>();
        let mut over = needed.saturating_sub(room + GAP);
        while over > 0 {
            let texts = || self.shown.iter().copied().filter(|&i| self.columns[i].unit == Unit::Text);
            let Some(widest) = texts().filter(|&i| self.widths[i] > least).max_by_key(|&i| self.widths[i])
            else {
                return;
            };
            // Down to the next widest at once; equally wide ones take turns.
            let next = texts().filter(|&i| i != widest).map(|i| self.widths[i]).max();
            let next = next.unwrap_or(least).max(least);
            let step = over.min((self.widths[widest] - next).max(1));
            self.widths[widest] -= step;
            over -= step;
        }
    }

    /// Whether a last line names columns that are left out.
    pub(crate) fn leaves_out(&self) -> bool {
        !self.left_out.is_empty()
    }

    /// Writes the table with the first `count` rows, and says that there are `more`; `hint` says how to see them.
    pub(crate) fn write(&self, count: usize, more: usize, hint: &str, out: &mut dyn Write) -> io::Result<()> {
        if self.columns.is_empty() {
            return Ok(()); // heap-info of a file that could not be read.
        }
        let head = self.line(self.columns.iter().map(|column| shown(column.title())));
        if self.style.bold {
            writeln!(out, "\x1b[1m{head}\x1b[0m")?;
        } else {
            writeln!(out, "{head}")?;
        }
        for row in &self.cells[..count.min(self.rows)] {
            writeln!(out, "{}", self.line(row.iter().cloned()))?;
        }
        if more > 0 {
            writeln!(out, "… {more} more{hint}")?;
        }
        if let Some(total) = self.cells.get(self.rows) {
            writeln!(out, "{}", self.line(total.iter().cloned()))?;
        }
        if !self.left_out.is_empty() {
            let names: Vec<_> = self.left_out.iter().map(|&i| shown(&self.columns[i].key)).collect();
            let line = format!("… --wide adds {}", names.join(", "));
            writeln!(out, "{}", self.style.width.map_or(line.clone(), |room| cut(&line, room)))?;
        }
        Ok(())
    }

    /// A line of the cells of all columns.
    fn line(&self, cells: impl Iterator<Item = String>) -> String {
        let cells: Vec<String> = cells.collect();
        let mut out = String::new();
        for &i in &self.shown {
            let (column, w) = (&self.columns[i], self.widths[i]);
            let cell = match () {
                () if column.keeps_end => cut_start(&cells[i], w),
                () if self.alike.contains(&i) => cut_middle(&cells[i], w),
                () => cut(&cells[i], w),
            };
            let pad = " ".repeat(w.saturating_sub(width(&cell)));
            match column.unit {
                Unit::Text => out.extend([cell, pad]),
                _ => out.extend([pad, cell]),
            }
            out.push_str(&" ".repeat(GAP));
        }
        out.truncate(out.trim_end().len());
        out
    }
}

/// A cell as people read it.
fn show(cell: &Cell, unit: Unit, plain: bool) -> String {
    let text = number(cell, unit, plain);
    match cell.bound(unit) {
        Some(Bound::AtLeast) if !text.starts_with('≥') => format!("≥{text}"),
        Some(Bound::AtMost) => format!("≤{text}"),
        _ => text,
    }
}

fn number(cell: &Cell, unit: Unit, plain: bool) -> String {
    let size = |n: u64| if plain { n.to_string() } else { human_size(n) };
    let signed = |n: i64, text: String| match n {
        0 => text,
        1.. => format!("+{text}"),
        _ => format!("-{text}"),
    };
    match (unit, cell) {
        (Unit::Bytes, Cell::Uint(n)) => size(*n),
        (Unit::Bytes, Cell::Int(n)) if *n >= 0 => size(n.unsigned_abs()),
        (Unit::BytesChange, Cell::Int(n)) => signed(*n, size(n.unsigned_abs())),
        (Unit::Change, Cell::Int(n)) => signed(*n, n.unsigned_abs().to_string()),
        // What was measured over several dumps may be a fraction.
        (Unit::BytesChange, Cell::Float(x)) => {
            let n = x.round();
            signed(n as i64, size(n.abs() as u64))
        }
        (Unit::Change, Cell::Float(x)) if *x > 0.0 => format!("+{x:.1}"),
        (Unit::Change, Cell::Float(x)) => format!("{x:.1}"),
        (Unit::Share, Cell::Float(x)) => format!("{:.1}%", x * 100.0),
        (Unit::Number, Cell::Float(x)) => format!("{x:.2}"),
        (_, Cell::Shown(_, text) | Cell::Text(text) | Cell::Json(text)) => shown(text),
        _ => cell.plain(),
    }
}

fn shown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    visible(&mut out, text);
    out
}
