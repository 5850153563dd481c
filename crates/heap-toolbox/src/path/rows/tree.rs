//! The tree that the paths of all objects make.

use crate::path::{Branch, MergeBy, merged};
use heap_ops::graph::NamedGraph;
use heap_ops::select::Glob;

use super::Outcome;
use crate::cells::{columns, heaviest};
use crate::label::labels;
use heap_report::text::cut_start;
use heap_report::{Cell, Column, Error, Layout, Output, Report, Unit};

/// The lines that lead to a branch take no more room than this.
const DEEPEST: usize = 40;

/// A row per branch of the tree that the paths of all objects make, drawn for people; of several inputs each has a tree. With
/// `-n`, or on a screen, the branches of the most objects.
#[derive(Debug, Default)]
pub struct Trees {
    branches: Vec<Drawn>,
}

/// A branch, what is drawn before it, and of how many objects of which input the tree is.
#[derive(Debug)]
struct Drawn {
    branch: Branch,
    before: String,
    objects: u64,
    file: Option<String>,
}

impl Trees {
    /// The tree of an input, which a report calls `file` where there are several.
    ///
    /// # Errors
    /// The temporary file of strings cannot be read.
    pub fn input(
        &mut self,
        file: Option<&str>,
        loaded: &NamedGraph,
        avoid: &[Glob],
        by: MergeBy,
        table: bool,
    ) -> Result<Outcome, Error> {
        let merged = merged(loaded, avoid, by)?;
        let branches = merged.branches;
        let objects = crate::cells::sum(branches.iter().filter(|b| b.depth == 0).map(|b| b.count));
        let drawn = if table { draw(&branches) } else { vec![String::new(); branches.len()] };
        self.branches.extend(branches.into_iter().zip(drawn).map(|(branch, before)| Drawn {
            branch,
            before,
            objects,
            file: file.map(str::to_owned),
        }));
        Ok(Outcome { alive: objects, lost: merged.lost, left: 0 })
    }

    /// Writes the rows of one input, or of `several`: then they name it.
    ///
    /// # Errors
    /// `--sort` names no column. Or the output fails.
    pub fn write(self, several: bool, layout: &Layout, out: &mut dyn Output) -> Result<(), Error> {
        let table = layout.is_table(out);
        let mut branches = self.branches;
        let all = branches.len();
        let most = if table { layout.lines(out.screen(), 2) } else { layout.limit };
        if let Some(most) = most.filter(|&most| most < all && layout.sort.is_none()) {
            let kept = heaviest(&branches.iter().map(|drawn| drawn.branch.count).collect::<Vec<_>>(), most);
            let mut i = 0;
            branches.retain(|_| (kept[i], i += 1).0);
        }
        let mut report = Report::new("heap.path", all_columns(several, table), "", layout)?;
        report.skip(all - branches.len());
        // No heading where there is nothing: a message says why.
        let silent = table && branches.is_empty();
        for drawn in branches {
            let file = several.then(|| drawn.file.as_deref().into());
            report.row(file.into_iter().chain(branch_cells(&drawn, table)).collect());
        }
        if silent { Ok(()) } else { report.write(out) }
    }
}

fn all_columns(several: bool, table: bool) -> Vec<Column> {
    let rest = if table {
        vec![
            Column::new("count", Unit::Count),
            Column::new("share", Unit::Share).heading("%"),
            Column::new("size", Unit::Bytes),
            Column::new("example", Unit::Id),
            Column::new("path", Unit::Text),
        ]
    } else {
        columns([
            ("depth", Unit::Count),
            ("count", Unit::Count),
            ("size", Unit::Bytes),
            ("ends", Unit::Count),
            ("class", Unit::Text),
            ("label", Unit::Text),
            ("kind", Unit::Text),
            ("share", Unit::Share),
            ("example", Unit::Id),
            ("repeats", Unit::Count),
        ])
    };
    several.then(|| Column::new("file", Unit::Text)).into_iter().chain(rest).collect()
}

fn branch_cells(drawn: &Drawn, table: bool) -> Vec<Cell> {
    let branch = &drawn.branch;
    let share = branch.count as f64 / drawn.objects.max(1) as f64;
    let example = branch.example.map_or(Cell::Absent, |(id, number)| Cell::Shown(id, format!("@{number}")));
    if table {
        let text = format!("{}{}", drawn.before, step(branch));
        return vec![branch.count.into(), share.into(), branch.size.into(), example, text.into()];
    }
    let repeats = (branch.repeats > 0).then_some(u64::from(branch.repeats));
    vec![
        u64::from(branch.depth).into(),
        branch.count.into(),
        branch.size.into(),
        branch.ends.into(),
        branch.class.as_str().into(),
        branch.labels.text().into(),
        branch.labels.kind.as_ref().map(|kind| kind.name.clone()).into(),
        share.into(),
        example,
        repeats.into(),
    ]
}

/// `.sessions  Map`
fn step(branch: &Branch) -> String {
    let label = labels(&branch.labels);
    let gap = if label.is_empty() { "" } else { "  " };
    let repeats = match branch.repeats {
        0 => String::new(),
        1 => "  (repeats)".to_owned(),
        n => format!("  (these {n} steps repeat)"),
    };
    format!("{label}{gap}{}{repeats}", branch.class)
}

/// What is drawn before each branch: siblings hang on lines, an only child stands below its parent.
fn draw(branches: &[Branch]) -> Vec<String> {
    // The place of the next sibling, by branch.
    let mut siblings: Vec<Option<usize>> = vec![None; branches.len()];
    let mut open: Vec<usize> = Vec::new();
    for (i, branch) in branches.iter().enumerate() {
        let depth = branch.depth as usize;
        if let Some(&before) = open.get(depth) {
            siblings[before] = Some(i);
        }
        open.truncate(depth);
        open.push(i);
    }
    let mut lines = Vec::with_capacity(branches.len());
    // What is drawn before the children of the branches above.
    let mut prefixes = vec![String::new()];
    let mut first = true;
    for (i, branch) in branches.iter().enumerate() {
        let depth = branch.depth as usize;
        // True of the first child too, whose parent came just before.
        let is_first = first || branches[i - 1].depth < branch.depth;
        first = false;
        let alone = is_first && siblings[i].is_none();
        prefixes.truncate(depth + 1);
        let above = prefixes[depth].clone();
        let (own, below) = match (alone, siblings[i].is_some()) {
            (true, _) => (above.clone(), above),
            (_, true) => (format!("{above}├ "), format!("{above}│ ")),
            (_, false) => (format!("{above}└ "), format!("{above}  ")),
        };
        prefixes.push(cut_start(&below, DEEPEST));
        lines.push(own);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_go_down_and_branches_hang_on_lines() {
        let branch = |depth| Branch { depth, ..Branch::default() };
        let drawn = draw(&[0, 1, 2, 3, 2, 3, 4, 4, 0].map(branch));
        let expected = ["├ ", "│ ", "│ ├ ", "│ │ ", "│ └ ", "│   ", "│   ├ ", "│   └ ", "└ "];
        assert_eq!(drawn, expected);
    }
}
