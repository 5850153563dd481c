//! Lines of break-down trees, as heap-tree shows them.

use crate::{Cell, Column, Error, Output, Report, Unit};
use heap_ops::tools::tree::{Line, Step, Table, View, walk};

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
    let people = [("size", Unit::Bytes), ("count", Unit::Count), ("tree", Unit::Text)];
    let rest = if table { &people[..] } else { &machine[..] };
    let class = |column: &&(&str, Unit)| types || column.0 != "class";
    file.iter().chain(rest.iter().filter(class)).map(|&(key, unit)| Column::new(key, unit)).collect()
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
    walk(tree, view, |line| {
        deeper |= view.ends_at(tree, line);
        let cells = if table { for_people(tree, line) } else { for_programs(tree, line, view.types) };
        let row = file.map(Cell::from).into_iter().chain(cells).collect();
        Ok(report.emit(row, out).unwrap_or_else(|error| {
            failed = Some(error);
            false
        }))
    })?;
    failed.map_or(Ok(deeper), Err)
}

fn for_people(tree: &Table, line: &Line) -> Vec<Cell> {
    let name = match (line.step, line.ty) {
        (Step::Top, _) => "total".to_owned(),
        (Step::Position, _) => tree.name(line.pos).to_owned(),
        (Step::Type, ty) => format!("[{}]", ty.map_or("", |ty| tree.type_name(ty))),
        (Step::OtherPositions, _) => "<other>".to_owned(),
        (Step::OtherTypes, _) => "[<other>]".to_owned(),
    };
    let tree = format!("{}{name}", "  ".repeat(line.indent as usize));
    vec![Cell::from(line.value.size), Cell::from(line.value.count()), Cell::from(tree)]
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
