//! Rows of the two big tables in batches, as all three versions of the format give them.

use heap_base::{Error, Result};
use heap_record::{Fact, Facts};

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

/// Nodes, edges and bytes of an intact snapshot, under the names that all formats share. Reads the collectables, and the
/// references if their number is not known; gives nothing if these are damaged.
pub(crate) fn totals(snapshot: &dyn Snapshot, edges: Option<u64>) -> Result<Facts> {
    let (mut nodes, mut size, mut external) = (0, 0u64, 0u64);
    let sum = |column: &[u64]| column.iter().fold(0, |sum: u64, &n| sum.saturating_add(n));
    let mut source = snapshot.rows(Columns { facts: true, ranges: false })?;
    let intact = each(&mut *source, |rows: &Rows| {
        nodes += rows.kind.len() as i64;
        size = size.saturating_add(sum(&rows.size));
        external = external.saturating_add(sum(&rows.external));
        rows.kind.is_empty()
    })?;
    let mut counted = edges.map_or(0, |edges| edges as i64);
    let intact = intact
        && (edges.is_some()
            || each(&mut *snapshot.refs()?, |refs: &Refs| {
                counted += refs.target.len() as i64;
                refs.target.is_empty()
            })?);
    let facts = [
        ("nodes", Fact::Int(nodes)),
        ("edges", Fact::Int(counted)),
        ("size", Fact::Bytes(size)),
        ("external", Fact::Bytes(external)),
    ];
    Ok(facts.into_iter().filter(|_| intact).collect())
}

/// Takes batches until one is the end; true if none was damaged.
fn each<B: Default>(source: &mut dyn Source<B>, mut ends: impl FnMut(&B) -> bool) -> Result<bool> {
    let mut batch = B::default();
    loop {
        source.next(&mut batch)?;
        if ends(&batch) {
            return Ok(source.damage().is_none());
        }
    }
}
