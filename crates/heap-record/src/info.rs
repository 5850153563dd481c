//! What a file is, by its headers and indexes: the answer of heap-info.

/// One fact: a key for machines and its value.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// A count, a size in bytes, a time.
    Int(i64),
    /// A size in bytes, shown with human units in tables.
    Bytes(u64),
    /// Text.
    Text(String),
    /// Yes or no.
    Flag(bool),
}

/// Keys and values in the order to show them.
pub type Facts = Vec<(&'static str, Fact)>;

/// What is known of a dump without reading all of it.
#[derive(Clone, Debug, Default)]
pub struct Info {
    /// Format, as `target_source` says it: `v8.heapsnapshot`, `moarvm.mvmheap`, …
    pub format: &'static str,
    /// The format's version or dialect, if it has one.
    pub version: Option<String>,
    /// The program that wrote it, if the file names it.
    pub producer: Option<String>,
    /// Facts about the file as a whole. One of the key `damage` says what is wrong with it, as far as that showed.
    pub facts: Facts,
    /// One list of facts per snapshot, in file order; empty if the format has just one.
    pub snapshots: Vec<Facts>,
    /// True if the format can hold several snapshots: then an empty list says that there is none.
    pub series: bool,
}
