//! What a sink that writes a format tells beside the file: what the format cannot hold.

use crate::Sink;

/// A sink that writes a format, and counts what that cannot hold.
pub trait Target: Sink {
    /// What was left out, by kind: a plural such as `heap.external` or `v8.scope records`, and how many. Complete
    /// after [`Sink::finish`].
    fn left_out(&self) -> &LeftOut {
        const NOTHING: &LeftOut = &LeftOut::new();
        NOTHING
    }

    /// What else is worth a line, such as what was added to make the file sound. Complete after [`Sink::finish`].
    fn notes(&self) -> &[String] {
        &[]
    }
}

/// More kinds than any source has: from here on kinds are counted together, or a record of a million fields would take
/// as many look-ups in as long a list.
const MOST: usize = 64;

/// Counts what a target cannot hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOut(Vec<(String, u64)>);

impl LeftOut {
    /// Nothing so far.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Counts `n` more of a kind.
    pub fn add(&mut self, kind: &str, n: u64) {
        let known = self.0.iter().position(|(k, _)| k == kind);
        let kind = if known.is_none() && self.0.len() >= MOST { "others" } else { kind };
        match known.or_else(|| self.0.iter().position(|(k, _)| k == kind)) {
            Some(at) => self.0[at].1 += n,
            None if n > 0 => self.0.push((kind.to_owned(), n)),
            None => {}
        }
    }

    /// Kinds and counts, in the order in which they were met.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.0.iter().map(|(kind, n)| (kind.as_str(), *n))
    }

    /// True if all that came is in the file.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
