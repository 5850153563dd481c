//! One heap page.

/// A page of a heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Page {
    /// Where it begins.
    pub(crate) start: u64,
    /// First object.
    pub(crate) area: u64,
    /// Where objects end.
    pub(crate) end: u64,
    /// Address of the heap that it belongs to; 0 for the read-only page, which all heaps share.
    pub(crate) heap: u64,
    /// Number of the space that owns it.
    pub(crate) space: Option<i32>,
    /// Whether that space says that it belongs to the same heap.
    pub(crate) agrees: bool,
    /// Whether objects are born here.
    pub(crate) young: bool,
    /// Where the words are that describe it: on the page, in newer versions elsewhere.
    pub(crate) header: u64,
}
