//! What is asked of a comparison, and whether it can be had.

use super::Fate;
use crate::select::condition::Condition;

/// What is asked of a comparison.
#[derive(Clone, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "these are independent options, not a state")]
pub struct DiffOptions {
    /// Only classes with leaked objects.
    pub leaked: bool,
    /// Also classes in which nothing has changed.
    pub all: bool,
    /// Counts and sizes of classes, not objects.
    pub classes: bool,
    /// The comparison of Chrome DevTools.
    pub devtools: bool,
    /// In place of rows the objects with this fate.
    pub nodes: Option<Fate>,
    /// Only classes for which this holds.
    pub fail_on: Option<Condition>,
}

/// Which rows are shown.
#[derive(Clone, Copy, Debug)]
pub enum RowFilter<'a> {
    /// Classes that have changed.
    Changed,
    /// All classes.
    All,
    /// Classes with leaked objects.
    Leaked,
    /// Classes for which this holds.
    Where(&'a Condition),
}

impl DiffOptions {
    /// Checks that the options go together, for so many snapshots. `selected`: only some nodes are compared.
    ///
    /// # Errors
    /// What does not go together.
    pub fn check(&self, snapshots: usize, selected: bool) -> Result<(), &'static str> {
        let Self { leaked, all, classes, devtools, nodes, ref fail_on } = *self;
        let fate = if leaked { Some(Fate::Leaked) } else { nodes };
        if snapshots < fate.map_or(2, Fate::takes) {
            return Err(match fate {
                Some(Fate::Leaked) => "--leaked takes three files or more",
                _ => "takes two files or more",
            });
        }
        if classes && fate.is_some() {
            return Err("--classes compares no objects, which --leaked and --nodes ask for");
        }
        let others = leaked || all || classes || nodes.is_some() || fail_on.is_some();
        if devtools && (others || selected || snapshots > 2) {
            return Err("--devtools compares two whole snapshots, without other options");
        }
        Ok(())
    }

    /// True if objects have to be known again in other snapshots.
    pub fn objects(&self) -> bool {
        self.leaked || self.nodes.is_some()
    }

    /// Which rows are shown. A condition comes first: it is about all rows.
    pub fn shown(&self) -> RowFilter<'_> {
        match &self.fail_on {
            Some(condition) => RowFilter::Where(condition),
            None if self.leaked => RowFilter::Leaked,
            None if self.all => RowFilter::All,
            None => RowFilter::Changed,
        }
    }
}
