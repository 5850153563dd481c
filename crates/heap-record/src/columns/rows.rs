//! Which rows of a stored stream belong to the snapshots that were asked for.

use heap_base::{Error, Result};

use crate::SnapshotSelector;

/// The snapshots to read of a stream whose records are stored by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotRows {
    /// The first record of the snapshots, and the last.
    from: i64,
    to: i64,
    /// Where the first snapshot of the stream begins: everything before it belongs to all.
    first: i64,
    /// The value of `heap.snapshot`, if one was picked out of several.
    one: Option<String>,
}

impl SnapshotRows {
    /// Those of `selector` in a stream with metadata records `heap.snapshot` at `starts`: number and value of each.
    ///
    /// # Errors
    /// If there is no snapshot of the chosen number.
    pub fn new(starts: &[(i64, String)], selector: SnapshotSelector) -> Result<Self> {
        let at = match (selector, starts.len()) {
            (SnapshotSelector::All, _) | (SnapshotSelector::Last, 0) => None,
            (SnapshotSelector::Number(_), 0) => selector.range(1).map(|_| None)?,
            (SnapshotSelector::Last, count) => Some(count - 1),
            (SnapshotSelector::Number(n), _) => {
                let at = starts.iter().position(|(_, value)| value.parse() == Ok(n));
                Some(at.ok_or_else(|| {
                    let known: Vec<_> = starts.iter().take(20).map(|(_, value)| value.as_str()).collect();
                    Error::refused(format!("no snapshot {n}: the file has {}", known.join(", ")))
                })?)
            }
        };
        let Some(at) = at else {
            return Ok(Self { from: i64::MIN, to: i64::MAX, first: i64::MAX, one: None });
        };
        Ok(Self {
            from: starts[at].0,
            to: starts.get(at + 1).map_or(i64::MAX, |next| next.0 - 1),
            first: starts[0].0,
            one: Some(starts[at].1.clone()),
        })
    }

    /// The value of `heap.snapshot` of the one snapshot that was picked out of several.
    pub fn picked(&self) -> Option<&str> {
        self.one.as_deref()
    }

    /// The numbers of the records of the snapshots, first and last.
    pub fn range(&self) -> (i64, i64) {
        (self.from, self.to)
    }

    /// Whether a node, an edge or an extension record is one of them.
    pub fn has(&self, row: i64) -> bool {
        row >= self.from && row <= self.to
    }

    /// Whether they may use a string record: those of earlier snapshots hold on.
    pub fn has_string(&self, row: i64) -> bool {
        row <= self.to
    }

    /// Whether a metadata record is theirs, or belongs to all snapshots.
    pub fn has_metadata(&self, row: i64) -> bool {
        row < self.first || self.has(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_belong_to_the_snapshot_that_was_picked() {
        let starts = [(10, "3".to_owned()), (20, "7".to_owned())];
        let rows = |selector| SnapshotRows::new(&starts, selector);
        let picked = rows(SnapshotSelector::Number(3)).expect("it is there");
        assert_eq!((picked.picked(), picked.range()), (Some("3"), (10, 19)));
        assert_eq!(rows(SnapshotSelector::Last).expect("it is there").picked(), Some("7"));
        let of = |row| (picked.has(row), picked.has_string(row), picked.has_metadata(row));
        assert_eq!(
            [9, 10, 19, 20].map(of),
            [(false, true, true), (true, true, true), (true, true, true), (false, false, false)]
        );
        let error = rows(SnapshotSelector::Number(1)).expect_err("it is not there");
        assert_eq!(error.to_string(), "no snapshot 1: the file has 3, 7");
        for (starts, selector) in [
            (&starts[..], SnapshotSelector::All),
            (&[], SnapshotSelector::Last),
            (&[], SnapshotSelector::Number(0)),
        ] {
            let all = SnapshotRows::new(starts, selector).expect("all");
            assert!(all.picked().is_none() && all.has(5) && all.has_string(5) && all.has_metadata(25));
        }
        assert!(SnapshotRows::new(&[], SnapshotSelector::Number(1)).is_err());
    }
}
