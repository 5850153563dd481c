//! What is asked of a comparison, and whether it can be had.

use super::{Fate, Grouping};
use heap_ops::select::condition::{Columns, Kind, Of};

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
    /// Files of different virtual machines, too.
    pub mixed: bool,
    /// In place of rows the objects with this fate.
    pub nodes: Option<Fate>,
    /// Only classes for which a condition holds.
    pub gate: bool,
    /// What the classes retain, too.
    pub retained: bool,
    /// What nodes are counted by.
    pub by: Grouping,
}

/// What `--sort` takes: what is compared, then numbers, but for those of the files between the first and the last.
pub(super) const COLUMNS: &[&str] = &[
    "class",
    "package",
    "location",
    "count_before",
    "count_after",
    "count_delta",
    "size_before",
    "size_after",
    "size_delta",
    "new",
    "gone",
    "kept",
    "new_size",
    "gone_size",
    "leaked",
    "leaked_size",
    "retained_before",
    "retained_after",
    "retained_delta",
    "new_retained",
    "leaked_retained",
];

/// The columns with numbers.
const NUMBERS: &[&str] = COLUMNS.split_at(Grouping::ALL.len()).1;

/// The columns that conditions on changes of classes may name. `total.` before one of the numbers is the sum over all
/// classes.
#[derive(Clone, Copy, Debug)]
pub struct ChangeColumns(pub Grouping);

impl ChangeColumns {
    /// The column whose value `5%` of `name` is a part of: the count, the size or the retained size before.
    pub fn before(name: &str) -> Option<&'static str> {
        let (total, name) = name.strip_prefix("total.").map_or((false, name), |name| (true, name));
        let change = matches!(name, "new" | "gone" | "leaked")
            || ["_delta", "new_size", "gone_size", "leaked_size", "new_retained", "leaked_retained"]
                .iter()
                .any(|end| name.ends_with(end));
        if name.contains("retained") {
            return (change && !total).then_some("retained_before");
        }
        change.then_some(match (name.contains("size"), total) {
            (true, false) => "size_before",
            (false, false) => "count_before",
            (true, true) => "total.size_before",
            (false, true) => "total.count_before",
        })
    }
}

impl Columns for ChangeColumns {
    fn kind(&self, name: &str) -> Option<Kind> {
        if name == self.0.name() {
            return Some(Kind::Text);
        }
        let number = name.strip_prefix("total.").unwrap_or(name);
        if number != name && number.contains("retained") {
            return None; // What classes retain overlaps, and does not add up.
        }
        let between = ["count_", "size_", "retained_"].iter().filter_map(|start| number.strip_prefix(start));
        let is_between = between.clone().any(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
        (is_between || NUMBERS.contains(&number)).then_some(Kind::Number)
    }

    fn has_base(&self, name: &str, of: Of) -> bool {
        match of {
            Of::Total => !name.starts_with("total.") && !name.contains("retained"),
            Of::Before => Self::before(name).is_some(),
        }
    }

    fn bounds(&self, name: &str) -> (f64, f64) {
        (if name.ends_with("_delta") { f64::NEG_INFINITY } else { 0.0 }, f64::INFINITY)
    }

    fn names(&self) -> Vec<String> {
        std::iter::once(self.0.name()).chain(NUMBERS.iter().copied()).map(str::to_owned).collect()
    }
}

/// Which rows are shown, where no condition says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowFilter {
    /// Classes that have changed.
    Changed,
    /// All classes.
    All,
    /// Classes with leaked objects.
    Leaked,
}

impl DiffOptions {
    /// Checks that the options go together, for so many snapshots. `selected`: only some nodes are compared.
    ///
    /// # Errors
    /// What does not go together.
    pub fn check(&self, snapshots: usize, selected: bool) -> Result<(), &'static str> {
        let Self { leaked, all, classes, devtools, mixed, nodes, gate, retained, by } = *self;
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
        let others =
            by != Grouping::Class || leaked || all || classes || mixed || nodes.is_some() || gate || retained;
        if devtools && (others || selected || snapshots > 2) {
            return Err("--devtools compares two whole snapshots, without other options");
        }
        Ok(())
    }

    /// True if objects have to be known again in other snapshots.
    pub fn objects(&self) -> bool {
        self.leaked || self.nodes.is_some()
    }

    /// Which rows are shown, where no condition says it.
    pub fn shown(&self) -> RowFilter {
        match self {
            Self { leaked: true, .. } => RowFilter::Leaked,
            Self { all: true, .. } => RowFilter::All,
            _ => RowFilter::Changed,
        }
    }
}
