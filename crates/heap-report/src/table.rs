//! Tables for people: aligned columns, sizes with units, names cut to fit the terminal.

use std::io::{self, Write};

use crate::text::{cut, human_size, visible, width};
use crate::{Cell, Column, Unit};

/// How a table looks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    /// Plain numbers of bytes.
    pub(crate) plain: bool,
    /// Headings in bold.
    pub(crate) bold: bool,
    /// Columns of the terminal.
    pub(crate) width: Option<usize>,
}

/// What parts two columns.
const GAP: usize = 2;
/// No text column is cut to less than this.
const LEAST: usize = 8;

/// Writes a table; `more` rows were left out.
pub(crate) fn write(
    columns: &[Column],
    rows: &[Vec<Cell>],
    total: Option<&[Cell]>,
    more: usize,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    if columns.is_empty() {
        return Ok(()); // heap-info of a file that could not be read.
    }
    let shown: Vec<Vec<String>> = rows
        .iter()
        .map(Vec::as_slice)
        .chain(total)
        .map(|row| columns.iter().zip(row).map(|(c, cell)| show(cell, c.unit, style.plain)).collect())
        .collect();
    let heads: Vec<String> = columns.iter().map(|c| show(&c.key.as_str().into(), Unit::Text, true)).collect();
    let mut widths: Vec<usize> = heads.iter().map(|head| width(head)).collect();
    for row in &shown {
        for (w, cell) in widths.iter_mut().zip(row) {
            *w = width(cell).max(*w);
        }
    }
    if let Some(room) = style.width {
        fit(&mut widths, columns, room);
    }
    let head = line(&heads, &widths, columns);
    if style.bold {
        writeln!(out, "\x1b[1m{head}\x1b[0m")?;
    } else {
        writeln!(out, "{head}")?;
    }
    for (i, row) in shown.iter().enumerate() {
        if i == rows.len() && more > 0 {
            writeln!(out, "… {more} more")?;
        }
        writeln!(out, "{}", line(row, &widths, columns))?;
    }
    if total.is_none() && more > 0 {
        writeln!(out, "… {more} more")?;
    }
    Ok(())
}

/// Narrows the widest text columns until the table fits into `room`, or no more can be done.
fn fit(widths: &mut [usize], columns: &[Column], room: usize) {
    let mut over = (widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1)).saturating_sub(room);
    while over > 0 {
        let texts = (0..widths.len()).filter(|&i| columns[i].unit == Unit::Text && widths[i] > LEAST);
        let Some(widest) = texts.max_by_key(|&i| widths[i]) else { return };
        // Down to the next widest at once, or the wide ones take turns.
        let next = (0..widths.len())
            .filter(|&i| i != widest && columns[i].unit == Unit::Text && widths[i] < widths[widest])
            .map(|i| widths[i])
            .max()
            .unwrap_or(LEAST)
            .max(LEAST);
        let step = over.min((widths[widest] - next).max(1));
        widths[widest] -= step;
        over -= step;
    }
}

fn line(cells: &[String], widths: &[usize], columns: &[Column]) -> String {
    let mut out = String::new();
    for (i, (cell, &w)) in cells.iter().zip(widths).enumerate() {
        let cell = cut(cell, w);
        let pad = " ".repeat(w - width(&cell));
        match columns[i].unit {
            Unit::Text => out.extend([cell, pad]),
            _ => out.extend([pad, cell]),
        }
        out.push_str(&" ".repeat(GAP));
    }
    out.truncate(out.trim_end().len());
    out
}

/// A cell as people read it.
fn show(cell: &Cell, unit: Unit, plain: bool) -> String {
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
