//! Rows of the two big tables in batches, as all three versions of the format give them.

use heap_base::{Error, Result};

/// Rows handed over at a time: small enough for six columns of them to stay in the second-level cache.
pub(crate) const BATCH: usize = 2048;

/// A batch of collectables, column by column. `kind` says how many there are; another column is shorter where
/// the file lacks the rest of it, and empty where it was not asked for.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    pub(crate) kind: Vec<u64>,
    /// Bytes managed by the garbage collector.
    pub(crate) size: Vec<u64>,
    /// Index of the type or static frame.
    pub(crate) owner: Vec<u64>,
    /// Unmanaged bytes.
    pub(crate) external: Vec<u64>,
    /// Number of references.
    pub(crate) count: Vec<u64>,
    /// Number of the first reference.
    pub(crate) start: Vec<u64>,
}

/// A batch of references. `target` says how many there are.
#[derive(Debug, Default)]
pub(crate) struct Refs {
    /// Index << 2 | kind of description.
    pub(crate) descr: Vec<u64>,
    /// Row of the target.
    pub(crate) target: Vec<u64>,
}

impl Rows {
    pub(crate) fn clear(&mut self) {
        for column in [
            &mut self.kind,
            &mut self.size,
            &mut self.owner,
            &mut self.external,
            &mut self.count,
            &mut self.start,
        ] {
            column.clear();
        }
    }
}

impl Refs {
    pub(crate) fn clear(&mut self) {
        self.descr.clear();
        self.target.clear();
    }
}

/// Which columns a pass over the collectables needs besides `kind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Columns {
    /// Size, owner, external.
    pub(crate) facts: bool,
    /// Count, start.
    pub(crate) ranges: bool,
}

/// Gives batches until an empty one.
pub(crate) trait Source<B> {
    /// Replaces `batch` by the next one. Fails only if reading fails.
    fn next(&mut self, batch: &mut B) -> Result;
    /// What was wrong, known after the empty batch.
    fn damage(&mut self) -> Option<Error>;
}

/// The two tables of one snapshot, readable more than once.
pub(crate) trait Snapshot {
    /// The collectables from row 0.
    fn rows(&self, columns: Columns) -> Result<Box<dyn Source<Rows> + '_>>;
    /// The references in the table's order.
    fn refs(&self) -> Result<Box<dyn Source<Refs> + '_>>;
    /// More rows with references than this cannot be in the bytes that the tables take.
    fn plausible(&self) -> u64;
}
