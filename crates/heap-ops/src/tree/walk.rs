//! The way over a table from the top: break down what the cut-off lets through, name the rest.

use std::rc::Rc;

use heap_base::{Result, Set, sort_by};

use super::table::{Table, Value};
use heap_base::Cutoff;

/// What to show of a table.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "these are independent options, not a state")]
pub struct View {
    /// Which children are kept.
    pub cut: Cutoff,
    /// The deepest level of positions below the top.
    pub depth: u32,
    /// Break down by position.
    pub positions: bool,
    /// Break down by type.
    pub types: bool,
    /// Give a cell that two ways lead to once; else at the end of either way, as a tree has it.
    pub once: bool,
    /// Name what is left over: `<other>`.
    pub others: bool,
}

impl View {
    /// True of the line of a position whose children are too deep to be shown.
    pub fn ends_at(&self, table: &Table, line: &Line) -> bool {
        line.step == Step::Position && line.depth == self.depth && table.children(line.pos).next().is_some()
    }
}

/// What a line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The whole.
    Top,
    /// A child position of the line above.
    Position,
    /// A type of the line above.
    Type,
    /// What the child positions shown leave over.
    OtherPositions,
    /// What the types shown leave over.
    OtherTypes,
}

/// A line of a tree.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// What it is about.
    pub step: Step,
    /// Steps from the top.
    pub indent: u32,
    /// Positions from the top.
    pub depth: u32,
    /// The position; of what is left over, that of the line above.
    pub pos: u32,
    /// The type; `None` = all.
    pub ty: Option<u32>,
    /// Cumulative.
    pub value: Value,
}

struct Task {
    line: Line,
    /// Types of the position above.
    among: Option<Rc<[u32]>>,
}

/// Calls `each` with every line, from the top, larger ones first. Stops when that returns false.
///
/// # Errors
/// That of `each`.
pub fn walk(table: &Table, view: View, mut each: impl FnMut(&Line) -> Result<bool>) -> Result {
    let whole = table.all(0);
    let top = Line { step: Step::Top, indent: 0, depth: 0, pos: 0, ty: None, value: whole };
    let mut tasks = vec![Task { line: top, among: None }];
    let mut seen: Set<(u32, Option<u32>)> = Set::default();
    while let Some(Task { line, among }) = tasks.pop() {
        let other = matches!(line.step, Step::OtherPositions | Step::OtherTypes);
        if view.once && !other && line.ty.is_some() && !seen.insert((line.pos, line.ty)) {
            continue;
        }
        if !each(&line)? {
            return Ok(());
        }
        if other {
            continue;
        }
        let mut lines = Vec::new();
        if view.positions && line.depth < view.depth {
            let children = table.children(line.pos).map(|pos| {
                let value = line.ty.map_or_else(|| table.all(pos), |ty| table.cell(pos, ty));
                Line { step: Step::Position, depth: line.depth + 1, pos, value, ..line }
            });
            keep(view, whole, &line, children, |line| table.name(line.pos), &mut lines);
        }
        let mut types = None;
        if view.types && line.ty.is_none() {
            let found: Rc<[u32]> = table.types_at(line.pos, among.as_deref()).into();
            let cells = found.iter().map(|&ty| {
                let value = table.cell(line.pos, ty);
                Line { step: Step::Type, ty: Some(ty), value, ..line }
            });
            let name = |line: &Line| line.ty.map_or("", |ty| table.type_name(ty));
            keep(view, whole, &line, cells, name, &mut lines);
            types = Some(found);
        }
        tasks.extend(lines.into_iter().rev().map(|line| Task { line, among: types.clone() }));
    }
    Ok(())
}

/// Appends the children that the cut-off keeps, and what they leave over.
fn keep<'t>(
    view: View,
    whole: Value,
    parent: &Line,
    children: impl Iterator<Item = Line>,
    name: impl Fn(&Line) -> &'t str,
    lines: &mut Vec<Line>,
) {
    let mut children: Vec<Line> = children.filter(|line| !line.value.is_empty()).collect();
    sort_by(&mut children, |a, b| b.value.size.cmp(&a.value.size).then_with(|| name(a).cmp(name(b))));
    let kept = view.cut.keep(whole.size, parent.value.size, children.iter().map(|line| line.value.size));
    children.truncate(kept);
    let Some(first) = children.first() else { return };
    let step = if first.step == Step::Type { Step::OtherTypes } else { Step::OtherPositions };
    let indent = parent.indent + 1;
    let rest = children.iter().fold(parent.value, |rest, line| rest.minus(line.value));
    lines.extend(children.into_iter().map(|line| Line { indent, ..line }));
    // In a table of one axis what is left over is cut off like everything else.
    let kept = view.once || view.types || view.cut.keep(whole.size, parent.value.size, [rest.size]) > 0;
    if view.others && kept && (rest.size > 0 || rest.count().is_some_and(|n| n > 0)) {
        let depth = parent.depth + u32::from(step == Step::OtherPositions);
        lines.push(Line { step, indent, depth, value: rest, ..*parent });
    }
}
