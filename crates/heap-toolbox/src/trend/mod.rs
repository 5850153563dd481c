//! Groups over a series of dumps, and how they grow: heap-trend.

mod columns;
mod line;
mod options;
pub mod rows;
mod tests;

use std::collections::BTreeMap;

use heap_base::{Error, Result};
use heap_record::{Sink, Value};

pub use self::columns::{TrendColumns, first, value};
pub use self::line::{Growth, Line};
use crate::sum::{By, Sum, SumRow, Totals, begin_input};
use heap_ops::report::OnePass;
use heap_ops::select::{Content, Selection};
use heap_ops::series::{self, Doubt, Origin, strangers};
pub use options::TOOL;

/// A dump of the series: an input, or one of its snapshots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dump {
    /// Its place among all dumps, from 1. A damaged one keeps its place, so that it bends no line.
    pub number: u64,
    /// What a message calls the input.
    pub file: String,
    /// The snapshot, where the input names them.
    pub snapshot: Option<String>,
    /// What the input is for the groupings by input.
    keys: Vec<Option<String>>,
    /// Where the input comes from.
    origin: Origin,
    /// The highest identifier of an object, where that says how young it is.
    youngest: Option<Value>,
    /// Its bytes, those that were selected; of a snapshot among others nobody asks.
    bytes: Option<u64>,
}

/// A group over its dumps.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// What the group has in common, one for each grouping.
    pub keys: Vec<Option<Content>>,
    /// Places in [`Trend::dumps`] of the dumps that it could be in. There are several series of them only if groups are
    /// by input.
    pub dumps: Vec<usize>,
    /// Where these stand on the line: a damaged dump leaves a gap, those of other inputs do not.
    places: Vec<u64>,
    /// Its totals in each of these dumps; zero where it does not occur.
    pub totals: Vec<Totals>,
}

/// Groups over a series of dumps.
///
/// Memory: one entry for each group and dump.
#[derive(Debug)]
pub struct Trend {
    by: Vec<By>,
    selection: Selection,
    dumps: Vec<Dump>,
    next: u64,
    groups: BTreeMap<Vec<Option<GroupKey>>, Vec<(usize, Totals)>>,
    missing: Vec<Vec<String>>,
}

/// A key that can be compared: whether it is a number, and its text.
type GroupKey = (bool, String);

impl Trend {
    /// The selected nodes, grouped. No `by` means by class.
    pub fn new(mut by: Vec<By>, selection: Selection) -> Self {
        if by.is_empty() {
            by.push(By::Class);
        }
        Self { by, selection, dumps: Vec::new(), next: 1, groups: BTreeMap::new(), missing: Vec::new() }
    }

    /// Names of the groupings.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.by.iter().map(By::name)
    }

    /// The dumps so far.
    pub fn dumps(&self) -> &[Dump] {
        &self.dumps
    }

    /// The sum that takes the next input. `known` gives what is known of it by the name of a grouping, as in
    /// [`begin_input`].
    ///
    /// # Errors
    /// The temporary file of strings cannot be read.
    pub fn begin(&self, known: impl Fn(&str) -> Option<String>) -> Result<OnePass<Sum>> {
        let by = std::iter::once(By::Snapshot).chain(self.by.iter().cloned()).collect();
        let mut sum = Sum::new(by, self.selection.clone());
        begin_input(&mut sum, known)?;
        Ok(sum)
    }

    /// Takes the sum of an input in, which has not been finished yet.
    ///
    /// # Errors
    /// The temporary file of strings cannot be read.
    pub fn end(&mut self, file: &str, mut sum: OnePass<Sum>) -> Result {
        sum.finish(true)?;
        if sum.report().has_parts() {
            return Err(Error::refused(format!(
                "{file}: {} side by side in one process are no series: choose one, such as {file}@{}",
                sum.report().snapshots().join(", "),
                sum.report().snapshots().last().map_or_else(String::new, |name| name.replace(' ', ":")),
            )));
        }
        self.missing.push(sum.missing());
        let keys = sum.report().input_keys();
        let mut names: Vec<_> = sum.report().snapshots().iter().cloned().map(Some).collect();
        let rows = sum.report().rows();
        let place = |row: &SumRow| row.keys.first().cloned().flatten().map(|name| name.text().into_owned());
        if names.is_empty() || rows.iter().any(|row| place(row).is_none()) {
            names.insert(0, None);
        }
        let several = names.len() > 1;
        let bytes = rows.iter().map(|row| row.totals.size).fold(0, u64::saturating_add);
        // A name may come twice where streams follow each other; their nodes are added up.
        let mut at = BTreeMap::new();
        for snapshot in names {
            at.entry(snapshot.clone()).or_insert_with(|| {
                self.dumps.push(Dump {
                    number: self.next,
                    file: file.to_owned(),
                    snapshot,
                    keys: keys.clone(),
                    origin: sum.report().origin().clone(),
                    youngest: sum.report().youngest().filter(|_| !several),
                    bytes: (!several).then_some(bytes),
                });
                self.next += 1;
                self.dumps.len() - 1
            });
        }
        for row in rows {
            let Some(&dump) = at.get(&place(&row)) else { continue };
            let keys = row.keys[1..].iter().map(|content| content.as_ref().map(Content::key)).collect();
            self.groups.entry(keys).or_default().push((dump, row.totals));
        }
        Ok(())
    }

    /// Whether the dumps are a series. Returns why it may be none; `repeated` says that a file is there twice.
    ///
    /// # Errors
    /// Different virtual machines wrote them, sizes are of different values, or some are differences.
    pub fn is_series(&self, repeated: Option<String>) -> Result<Option<Doubt>> {
        if self.by.iter().any(|by| matches!(by, By::Input(_))) {
            return Ok(None);
        }
        if let Some(what) = strangers(self.dumps.iter().map(|dump| &dump.origin)) {
            let what = format!("dumps {what}, are no series; --by file makes one of each");
            return Err(Error::refused(what));
        }
        let dated = self.dumps.iter().map(|dump| (&dump.origin, dump.youngest, dump.bytes));
        Ok(series::doubt(&dated.collect::<Vec<_>>()).or(repeated.map(Doubt::Repeated)))
    }

    /// Leaves out an input that cannot be used. It keeps its place.
    pub fn skip(&mut self) {
        self.next += 1;
    }

    /// All groups, by their keys.
    pub fn series(&self) -> Vec<Series> {
        let by_input: Vec<_> = (0..self.by.len()).filter(|&i| matches!(self.by[i], By::Input(_))).collect();
        // The dumps of each kind of input: all, where groups are not by input.
        let mut inputs: BTreeMap<&[Option<String>], Vec<usize>> = BTreeMap::new();
        for (place, dump) in self.dumps.iter().enumerate() {
            inputs.entry(&dump.keys).or_default().push(place);
        }
        let series = |(keys, points): (&Vec<Option<GroupKey>>, &Vec<(usize, Totals)>)| {
            let input: Vec<_> =
                by_input.iter().map(|&i| keys[i].as_ref().map(|(_, text)| text.clone())).collect();
            let dumps = inputs.get(input.as_slice()).cloned().unwrap_or_default();
            let mut totals = vec![Totals::default(); dumps.len()];
            for (dump, own) in points {
                if let Ok(at) = dumps.binary_search(dump) {
                    totals[at] = *own;
                }
            }
            let places = match by_input.as_slice() {
                [] => dumps.iter().map(|&dump| self.dumps[dump].number).collect(),
                _ => (1..).take(dumps.len()).collect(),
            };
            let keys = keys.iter().map(|key| key.as_ref().map(Content::of_key)).collect();
            Series { keys, dumps, places, totals }
        };
        self.groups.iter().map(series).collect()
    }

    /// Warnings about fields that no dump has, and retained sizes that some lack.
    pub fn missing(&self) -> Vec<String> {
        let Some((first, others)) = self.missing.split_first() else { return Vec::new() };
        first.iter().filter(|what| others.iter().all(|other| other.contains(what))).cloned().collect()
    }
}

impl Series {
    /// The line through its sizes.
    pub fn line(&self) -> Line {
        self.line_of(|totals| totals.size)
    }

    /// The line through its counts; `None` if a dump does not say how many some of its nodes stand for.
    pub fn count_line(&self) -> Option<Line> {
        let known = self.totals.iter().all(|totals| !totals.uncounted);
        known.then(|| self.line_of(|totals| totals.count))
    }

    /// The line through what it retains; `None` if a dump does not say.
    pub fn retained_line(&self) -> Option<Line> {
        let known = self.totals.iter().all(|totals| totals.retained.is_some() || totals.count == 0);
        let any = self.totals.iter().any(|totals| totals.retained.is_some());
        (known && any).then(|| self.line_of(|totals| totals.retained.unwrap_or(0)))
    }

    fn line_of(&self, value: impl Fn(&Totals) -> u64) -> Line {
        Line::through(self.places.iter().copied().zip(self.totals.iter().map(value)))
    }
}
