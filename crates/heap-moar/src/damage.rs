//! What is wrong with a dump: noted while the intact rest is emitted, returned as one error at the end.

use heap_base::error::{Kind, Place};
use heap_base::{Error, Result};

/// Collects damage. One error can be returned, so the first one gives the place and the rest its words.
#[derive(Debug, Default)]
pub(crate) struct Damage {
    first: Option<Error>,
    counts: Counts,
    /// Index of the snapshot the counts are about.
    snapshot: u64,
}

/// References and rows that point where nothing is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// References whose label is past the string table.
    pub(crate) labels: u64,
    /// References whose target is past the collectables.
    pub(crate) targets: u64,
    /// References that no collectable claims, left out.
    pub(crate) unclaimed: u64,
    /// Rows whose type or static frame is past its table, or named by a string past the string table.
    pub(crate) names: u64,
}

impl Damage {
    /// Remembers `error` if it is the first.
    pub(crate) fn note(&mut self, error: Option<Error>) {
        if self.first.is_none() {
            self.first = error;
        }
    }

    /// Adds the counts of one snapshot; the first snapshot with any is named.
    pub(crate) fn count(&mut self, snapshot: u64, counts: Counts) {
        if self.counts == Counts::default() {
            (self.counts, self.snapshot) = (counts, snapshot);
        }
    }

    /// All that was wrong as one error.
    pub(crate) fn result(self) -> Result {
        let mut details = String::new();
        for (n, what) in [
            (self.counts.names, "rows without a name in the tables"),
            (self.counts.labels, "labels past the string table"),
            (self.counts.targets, "references past the last row"),
            (self.counts.unclaimed, "references that belong to no row"),
        ] {
            if n > 0 {
                let separator = if details.is_empty() { "" } else { ", " };
                details = format!("{details}{separator}{what}: {n}");
            }
        }
        if !details.is_empty() {
            details = format!("snapshot {}: {details}", self.snapshot);
        }
        let Some(first) = self.first else {
            return if details.is_empty() { Ok(()) } else { Err(Error::input(details)) };
        };
        match first.kind() {
            Kind::Input { place, what } if !details.is_empty() => Err(match *place {
                Place::Byte(n) => Error::at_byte(n, format!("{what}; {details}")),
                Place::Line(n) => Error::at_line(n, format!("{what}; {details}")),
                Place::Whole => Error::input(format!("{what}; {details}")),
            }),
            _ => Err(first),
        }
    }
}
