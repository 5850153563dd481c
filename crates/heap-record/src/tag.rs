//! Tags: what distinguishes the dumps of a fleet, such as the pod or the version.

/// A key and, if it was given, a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// Letters, digits and `_`, a letter first: it may name a column.
    pub key: String,
    /// `None`: that of the dump's metadata.
    pub value: Option<String>,
}

impl Tag {
    /// Reads `KEY=VALUE`, or `KEY` for a value from the dump's metadata.
    ///
    /// # Errors
    /// A message about a key that cannot name a column.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (key, value) = match text.split_once('=') {
            Some((key, value)) => (key, Some(value.to_owned())),
            None => (text, None),
        };
        if !is_key(key) {
            return Err(format!("the key of a tag is letters, digits and _, not '{key}'"));
        }
        Ok(Self { key: key.to_owned(), value })
    }
}

/// Whether a text may be the key of a tag.
pub fn is_key(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// What the key of metadata begins with that heap-cat --tag writes; the tag's follows.
pub const METADATA: &str = "heap.tag.";

/// Whether metadata of this key may have the value of a tag; the lower the better.
pub fn rank(tag: &str, key: &str) -> Option<usize> {
    if key.strip_prefix(METADATA) == Some(tag) {
        return Some(0);
    }
    sources(tag).position(|source| source == key).map(|at| at + 1)
}

/// The value of a tag in records of metadata.
pub fn find<'m>(tag: &str, metadata: &'m [(String, String)]) -> Option<&'m str> {
    let ranked = metadata.iter().filter_map(|(key, value)| Some((rank(tag, key)?, value.as_str())));
    ranked.min_by_key(|(rank, _)| *rank).map(|(_, value)| value)
}

/// Keys of metadata that may have the value of a tag where nobody wrote it as a tag, the best first.
pub fn sources(tag: &str) -> impl Iterator<Item = &str> {
    let known: &[&str] = match tag {
        "host" => &["target_host", "target_hostname", "heap.host"],
        "pid" => &["target_pid"],
        "time" => &["crtime", "heap.time", "java.time", "pprof.time_nanos", "moar.snap_time"],
        "source" => &["target_source"],
        _ => &[],
    };
    known.iter().copied().chain([tag])
}
