//! Rows of heap-grep.

#[cfg(test)]
mod tests;

use crate::grep::Found;
use heap_report::{Cell, Error, Layout, Report, Unit};

use crate::cells::columns;

/// Which rows a search has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rows {
    /// Every one.
    #[default]
    Matches,
    /// How many there are.
    Counts,
    /// Whether there is one: the names of the inputs that have one.
    Files,
}

/// A report of matches in one input or in several.
#[derive(Debug)]
pub struct Matches {
    report: Report,
    rows: Rows,
    several: bool,
}

impl Matches {
    /// No rows yet.
    ///
    /// # Errors
    /// `--sort` names no column.
    pub fn new(rows: Rows, several: bool, layout: &Layout) -> Result<Self, Error> {
        let all = [
            ("file", Unit::Text),
            ("identifier", Unit::Id),
            ("class", Unit::Text),
            ("in", Unit::Text),
            ("dest", Unit::Id),
            ("text", Unit::Text),
        ];
        let columns = match rows {
            Rows::Files => columns([("file", Unit::Text)]),
            Rows::Counts => columns([("file", Unit::Text), ("count", Unit::Count)]),
            Rows::Matches => columns(all.into_iter().skip(usize::from(!several))),
        };
        Ok(Self { report: Report::new("heap.grep", columns, "", layout)?, rows, several })
    }

    /// A match in an input; `file` is what that is called.
    pub fn found(&mut self, file: Option<&str>, found: Found) {
        if self.rows != Rows::Matches {
            return;
        }
        let cells: [Cell; 5] = [
            Cell::Shown(found.id, format!("@{}", found.number)),
            found.class.into(),
            found.place.name().into(),
            found.dest.into(),
            found.text.into(),
        ];
        self.report.row(self.several.then(|| file.into()).into_iter().chain(cells).collect());
    }

    /// The end of an input, with so many matches.
    pub fn input(&mut self, file: Option<&str>, count: u64) {
        match self.rows {
            Rows::Counts => self.report.row(vec![file.into(), count.into()]),
            Rows::Files if count > 0 => self.report.row(vec![file.into()]),
            Rows::Files | Rows::Matches => {}
        }
    }

    /// The report, to be written.
    pub fn into_report(self) -> Report {
        self.report
    }
}
