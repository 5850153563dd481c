//! Lines of break-down trees, as heap-tree shows them.

use crate::cells::heaviest;
use crate::label::labels;
use heap_ops::tree::{Line, Step, Table, View, walk};
use heap_report::text::{human_size, width};
use heap_report::{Cell, Column, Error, Output, Report, Unit};

/// The columns: for people (`table`) or programs, with the file where there are several, with classes if `types`.
pub fn columns(table: bool, files: bool, types: bool) -> Vec<Column> {
    let file = files.then_some(("file", Unit::Text));
    let machine = [
        ("depth", Unit::Number),
        ("name", Unit::Text),
        ("path", Unit::Text),
        ("class", Unit::Text),
        ("size", Unit::Bytes),
        ("count", Unit::Count),
        ("exact", Unit::Text),
    ];
    let people =
        [("size", Unit::Bytes), ("share", Unit::Share), ("count", Unit::Count), ("tree", Unit::Text)];
    let rest = if table { &people[..] } else { &machine[..] };
    let class = |column: &&(&str, Unit)| types || column.0 != "class";
    let column = |&(key, unit): &(&'static str, Unit)| match key {
        "share" => Column::new(key, unit).heading("%"),
        _ => Column::new(key, unit),
    };
    file.iter().chain(rest.iter().filter(class)).map(column).collect()
}

/// What to say of objects that a tree of stacks lacks: `54209 objects of 5.2M have no stack`.
pub fn without_stack(tree: &Table) -> Option<String> {
    let without = tree.without_stack();
    let count = without.count().filter(|_| !without.is_empty())?;
    let (objects, have) = if count == 1 { ("object", "has") } else { ("objects", "have") };
    Some(format!("{count} {objects} of {} {have} no stack", human_size(without.size)))
}

/// Writes the lines of a tree; `file` goes first, where there are several. True if something lies deeper than the
/// view goes.
///
/// # Errors
/// The output fails.
pub fn lines(
    tree: &Table,
    view: View,
    table: bool,
    file: Option<&str>,
    report: &mut Report,
    out: &mut dyn Output,
) -> Result<bool, Error> {
    let (mut failed, mut deeper) = (None, false);
    let mut lines = Vec::new();
    walk(tree, view, |line| {
        deeper |= view.ends_at(tree, line);
        if table {
            lines.push(*line);
            return Ok(true);
        }
        let row = file.map(Cell::from).into_iter().chain(for_programs(tree, line, view.types)).collect();
        Ok(report.emit(row, out).unwrap_or_else(|error| {
            failed = Some(error);
            false
        }))
    })?;
    let rows = for_people(tree, &lines, view);
    // Of one tree the heaviest lines fit on the screen; of several the first.
    let most = report.room(out).filter(|&most| most < rows.len() && file.is_none());
    let weights: Vec<u64> = rows.iter().map(|row| row.0).collect();
    let kept = most.map_or(vec![true; rows.len()], |most| heaviest(&weights, most));
    for ((_, cells), kept) in rows.into_iter().zip(kept) {
        if kept {
            report.row(file.map(Cell::from).into_iter().chain(cells).collect());
        } else {
            report.skip(1);
        }
    }
    failed.map_or(Ok(deeper), Err)
}

/// A chain takes no more room on its line than this, unless its ends do.
const CHAIN: usize = 54;

/// The rows of a table, with their sizes. Without types, a line with only one line below it takes that into its own.
fn for_people(tree: &Table, lines: &[Line], view: View) -> Vec<(u64, Vec<Cell>)> {
    let (fold, mut rows) = (!view.types, Vec::new());
    let whole = lines.first().map_or(0, |line| line.value.size).max(1) as f64;
    // How far the lines at each indentation have moved to the left.
    let mut moved = vec![0];
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        moved.truncate(line.indent as usize + 1);
        let left = moved.last().copied().unwrap_or(0);
        let mut chain = vec![(step(tree, line), 1)];
        let mut last = line;
        while fold
            && last.step == Step::Position
            && let Some(next) = only_child(lines, at)
        {
            // What it has of its own is all that it has.
            let step = step(tree, next);
            match chain.last_mut() {
                _ if tree.name(next.pos) == "<self>" => {}
                // Links of a list.
                Some((last, times)) if *last == step => *times += 1,
                _ => chain.push((step, 1)),
            }
            moved.push(left + (next.indent - line.indent));
            last = next;
            at += 1;
        }
        moved.push(left + (last.indent - line.indent));
        at += 1;
        // A list may go on below the deepest line.
        let more = if view.ends_at(tree, last) { "+" } else { "" };
        let links = chain.len();
        let step = |(at, (step, times))| match times {
            1 => step,
            _ if at == links => format!("{step} ({times}{more} times)"),
            _ => format!("{step} ({times} times)"),
        };
        let mut chain: Vec<String> = (1..).zip(chain).map(step).collect();
        let indent = (line.indent - left) as usize * 2;
        let room = CHAIN.saturating_sub(indent);
        // The ends of a chain say most.
        let (mut left_out, whole_width) = (0, |chain: &[String]| width(&chain.join(" → ")));
        while chain.len() > 2 && whole_width(&chain) + if left_out > 0 { 12 } else { 0 } > room {
            chain.remove(1);
            left_out += 1;
        }
        if left_out > 0 {
            chain.insert(1, format!("… {left_out} more …"));
        }
        let cells = vec![
            line.value.size.into(),
            (line.value.size as f64 / whole).into(),
            line.value.count().into(),
            format!("{}{}", " ".repeat(indent), chain.join(" → ")).into(),
        ];
        rows.push((line.value.size, cells));
    }
    rows
}

/// The line after this one, if it is all that hangs there.
fn only_child(lines: &[Line], at: usize) -> Option<&Line> {
    let (line, next) = (&lines[at], lines.get(at + 1)?);
    let alone = lines[at + 2..].iter().take_while(|other| other.indent > line.indent);
    let mut alone = alone.filter(|other| other.indent == next.indent);
    (next.indent == line.indent + 1 && next.step == Step::Position && alone.next().is_none()).then_some(next)
}

fn step(tree: &Table, line: &Line) -> String {
    match (line.step, line.ty) {
        (Step::Top, _) => "total".to_owned(),
        (Step::Position, _) => {
            let label = tree.edges(line.pos).map_or(String::new(), labels);
            let gap = if label.is_empty() { "" } else { " " };
            format!("{label}{gap}{}", tree.name(line.pos))
        }
        (Step::Type, ty) => format!("[{}]", ty.map_or("", |ty| tree.type_name(ty))),
        (Step::OtherPositions, _) => "<other>".to_owned(),
        (Step::OtherTypes, _) => "[<other>]".to_owned(),
    }
}

fn for_programs(tree: &Table, line: &Line, types: bool) -> Vec<Cell> {
    let mut path = path(tree, line.pos);
    let mut name = (!path.is_empty()).then(|| tree.name(line.pos));
    if line.step == Step::OtherPositions {
        path.push("<other>".to_owned());
        name = Some("<other>");
    }
    let class = match line.step {
        Step::OtherTypes => Some("<other>"),
        _ => line.ty.map(|ty| tree.type_name(ty)),
    };
    let exact = line.ty.is_some()
        || line.step != Step::Top && line.step != Step::Position
        || !tree.is_bound(line.pos);
    let mut cells = vec![Cell::from(u64::from(line.depth)), Cell::from(name), Cell::from(path.join(";"))];
    if types {
        cells.push(Cell::from(class));
    }
    cells.extend([Cell::from(line.value.size), Cell::from(line.value.count())]);
    cells.push(if exact { Cell::Absent } else { Cell::from(false) });
    cells
}

/// Names from the top to a position; the top's own is left out.
fn path(tree: &Table, pos: u32) -> Vec<String> {
    let mut names = Vec::new();
    let mut at = pos;
    while let Some(parent) = tree.parent(at) {
        names.push(tree.name(at).replace(';', ","));
        at = parent;
    }
    names.reverse();
    names
}
