//! Sinks that write a format, and the count of what the format cannot hold.

use std::io::Write;

use heap_base::Result;

use crate::{Sink, Writer};

/// A sink that writes a format, and counts what that cannot hold.
pub trait Target: Sink {
    /// The next input begins, which has this name: for targets that write each by itself.
    ///
    /// # Errors
    /// Those of the target.
    fn begin_input(&mut self, _name: Option<&str>) -> Result {
        Ok(())
    }

    /// The input has ended; `intact` is false if it was damaged or refused.
    ///
    /// # Errors
    /// Those of the target.
    fn end_input(&mut self, _intact: bool) -> Result {
        Ok(())
    }

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

/// The stream holds everything.
impl<W: Write> Target for Writer<W> {}

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

    /// Messages for people: one line for all fields, one for all records, one for each other kind.
    pub fn lines(&self, target: &str) -> Vec<String> {
        let mut lines = Vec::new();
        let fields: Vec<_> = self.iter().filter_map(|(kind, n)| Some((field(kind)?, n))).collect();
        let records: Vec<_> = self.iter().filter_map(|(kind, n)| Some((record(kind)?, n))).collect();
        for (noun, some) in [("fields", fields), ("records", records)] {
            match some[..] {
                [] => {}
                [(name, n)] => lines.push(format!("{target} holds no {name} {noun}: {n} left out")),
                _ => {
                    let list: Vec<_> = some.iter().map(|(name, n)| format!("{name} {n}")).collect();
                    lines.push(format!("{target} holds no such {noun}, left out: {}", list.join(", ")));
                }
            }
        }
        let others = self.iter().filter(|(kind, _)| field(kind).is_none() && record(kind).is_none());
        lines.extend(others.map(|(kind, n)| format!("{target} holds no {kind}: {n} left out")));
        lines
    }

    /// True if nothing was left out.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The field that a kind names: `dart.hash`, `length fields`.
fn field(kind: &str) -> Option<&str> {
    let name = kind.strip_suffix(" fields");
    name.or_else(|| kind.contains('.').then_some(kind)).filter(|name| !name.contains(' '))
}

/// The record type that a kind names: `dart.class records`.
fn record(kind: &str) -> Option<&str> {
    kind.strip_suffix(" records").filter(|name| !name.contains(' '))
}

#[cfg(test)]
mod tests {
    use super::LeftOut;

    fn lines(kinds: &[(&str, u64)]) -> Vec<String> {
        let mut left_out = LeftOut::new();
        for (kind, n) in kinds {
            left_out.add(kind, *n);
        }
        left_out.lines("v8")
    }

    #[test]
    fn kinds_are_reported_in_few_lines() {
        let kinds = [
            ("weak edges", 5),
            ("dart.hash", 3),
            ("dart.class records", 1),
            ("length fields", 4),
            ("heap.key", 1),
            ("dart.layout records", 2),
            ("numbers in fields", 7),
        ];
        let expected = [
            "v8 holds no such fields, left out: dart.hash 3, length 4, heap.key 1",
            "v8 holds no such records, left out: dart.class 1, dart.layout 2",
            "v8 holds no weak edges: 5 left out",
            "v8 holds no numbers in fields: 7 left out",
        ];
        assert_eq!(lines(&kinds), expected);
        assert_eq!(lines(&[("heap.idom", 10)]), ["v8 holds no heap.idom fields: 10 left out"]);
        assert!(lines(&[("heap.idom", 0)]).is_empty());
    }
}
