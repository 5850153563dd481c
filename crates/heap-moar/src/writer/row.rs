//! A row of the collectables.

/// A row of the collectables, without its references.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Row {
    pub(super) kind: u64,
    pub(super) size: u64,
    pub(super) external: u64,
    /// Type or static frame, as the stream numbers them.
    pub(super) owner: u64,
}
