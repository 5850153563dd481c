//! Retaining paths, as heap-path shows them.

mod sentences;
mod tree;

use crate::path::{PathStep, Ways, each};
use heap_ops::graph::NamedGraph;
use heap_ops::place::{Clues, Source};
use heap_ops::select::Glob;

use crate::cells::columns;
use heap_report::{Cell, Error, Layout, Output, Report, Unit};

pub use sentences::sentences;
pub use tree::Trees;

/// What became of the selected objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Objects that have a path.
    pub alive: u64,
    /// Objects that were looked at and have none.
    pub lost: u64,
    /// Objects that were not looked at, because there are [`MOST`] rows.
    pub left: u64,
}

/// Rows of steps that are written if no number is given. In a list of n objects the paths have n²/2 steps.
pub const MOST: u64 = 1_000_000;

impl Outcome {
    /// What to say where some of the selected objects have no path, or where there are no such objects. `avoided` is true
    /// if paths had to avoid something.
    pub fn remark(&self, loaded: &NamedGraph, avoided: bool) -> Option<String> {
        if loaded.chosen.is_empty() {
            return Some("no such object".to_owned());
        }
        // Edges that count in sizes have been left out.
        let kinds = left_out(loaded);
        let (why, how) = match &kinds {
            Some(kinds) => {
                (format!("nothing but {kinds} references, if any, keeps"), ": --weak shows over which")
            }
            None => ("nothing keeps".to_owned(), ""),
        };
        match (self.lost, self.alive + self.lost) {
            (0, _) => None,
            (lost, all) if avoided => {
                Some(format!("no path to {lost} of {all} objects goes around what --avoid names"))
            }
            (1, 1) => Some(format!("{why} it alive{how}")),
            (lost, all) if lost == all => Some(format!("{why} any of these {all} objects alive{how}")),
            (lost, all) => Some(format!("{why} {lost} of these {all} objects alive{how}")),
        }
    }

    fn add(&mut self, alive: bool) {
        if alive {
            self.alive += 1;
        } else {
            self.lost += 1;
        }
    }
}

/// The kinds of references that count in sizes and not in paths, as words: `weak, soft or final`. `None` if the dump has no such.
fn left_out(loaded: &NamedGraph) -> Option<String> {
    let mut kinds: Vec<String> = Vec::new();
    for name in &loaded.heap.left_out {
        let kind = name.rsplit('.').next().unwrap_or(name).replace('_', " ");
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let last = kinds.pop()?;
    Some(if kinds.is_empty() { last } else { format!("{} or {last}", kinds.join(", ")) })
}

/// A row per step of each path, written as it is found. Paths of several inputs are numbered through.
#[derive(Debug)]
pub struct Steps {
    report: Report,
    several: bool,
    path: u64,
    rows: u64,
}

impl Steps {
    /// Rows of one input, or of `several`: then they name it.
    ///
    /// # Errors
    /// `--sort` names no column.
    pub fn new(several: bool, layout: &Layout) -> Result<Self, Error> {
        let all = [
            ("file", Unit::Text),
            ("path", Unit::Count),
            ("step", Unit::Count),
            ("label", Unit::Text),
            ("kind", Unit::Text),
            ("identifier", Unit::Id),
            ("class", Unit::Text),
            ("name", Unit::Text),
            ("size", Unit::Bytes),
            ("location", Unit::Text),
            ("held_by", Unit::Text),
        ];
        let columns = columns(all.into_iter().skip(usize::from(!several)));
        Ok(Self { report: Report::new("heap.path", columns, "", layout)?, several, path: 0, rows: 0 })
    }

    /// The paths of an input, which a report calls `file`.
    ///
    /// # Errors
    /// The output fails.
    pub fn input(
        &mut self,
        file: Option<&str>,
        of: (&NamedGraph, &Clues),
        ways: Ways,
        avoid: &[Glob],
        layout: &Layout,
        out: &mut dyn Output,
    ) -> Result<Outcome, Error> {
        let Self { report, several, path, rows } = self;
        let mut outcome = Outcome::default();
        let mut failed = None;
        each(of, ways, avoid, |found| {
            if *rows >= MOST && layout.limit.is_none() {
                outcome.left = of.0.chosen.len() as u64 - outcome.alive - outcome.lost;
                return Ok(false);
            }
            outcome.add(!found.paths.is_empty());
            for steps in found.paths {
                *rows += steps.len() as u64;
                let last = steps.len() - 1;
                for (i, step) in steps.into_iter().enumerate() {
                    let place = found.place.as_deref().filter(|_| i == last);
                    let cells = step_cells((*path, i), step, place);
                    let row = several.then(|| file.into()).into_iter().chain(cells).collect();
                    // Paths of many objects can be far longer than the dump: each row goes out at once.
                    match report.emit(row, out) {
                        Ok(true) => {}
                        Ok(false) => return Ok(false),
                        Err(e) => {
                            failed = Some(e);
                            return Ok(false);
                        }
                    }
                }
                *path += 1;
            }
            Ok(true)
        })?;
        failed.map_or(Ok(outcome), Err)
    }

    /// Writes what is left to write.
    ///
    /// # Errors
    /// The output fails.
    pub fn write(self, out: &mut dyn Output) -> Result<(), Error> {
        self.report.write(out)
    }
}

/// The cells of a step at its place, by number of the path and on it.
fn step_cells((path, at): (u64, usize), step: PathStep, place: Option<&str>) -> [Cell; 10] {
    [
        path.into(),
        at.into(),
        step.label.into(),
        step.kind.map(|kind| kind.name).into(),
        Cell::Shown(step.id, format!("@{}", step.number)),
        step.class.into(),
        step.name.into(),
        step.size.into(),
        step.source.as_ref().map(Source::whole).into(),
        place.into(),
    ]
}
