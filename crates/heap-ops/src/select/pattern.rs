//! Patterns of a selection, and whether a node matched them.

use std::cell::Cell;
use std::rc::Rc;

/// A pattern as it was written, and whether any node matched it. Clones share the latter.
#[derive(Clone, Debug)]
pub(super) struct Pattern<T> {
    written: Rc<str>,
    test: T,
    met: Rc<Cell<bool>>,
}

impl<T> Pattern<T> {
    pub(super) fn new(written: &str, test: T) -> Self {
        Self { written: written.into(), test, met: Rc::default() }
    }

    /// The pattern itself.
    pub(super) fn test(&self) -> &T {
        &self.test
    }

    /// Whether `holds` is true of the pattern; if so, the pattern has a match.
    pub(super) fn matches(&self, holds: impl FnOnce(&T) -> bool) -> bool {
        let holds = holds(&self.test);
        if holds {
            self.met.set(true);
        }
        holds
    }

    /// The option with its value, if no node matched.
    pub(super) fn unmatched(&self, flag: &str) -> Option<String> {
        (!self.met.get()).then(|| format!("--{flag} '{}'", self.written))
    }
}

/// True if `list` is empty or `holds` is true of one of it. All are tested, so that each one knows of its matches.
pub(super) fn any<T>(list: &[Pattern<T>], mut holds: impl FnMut(&T) -> bool) -> bool {
    list.iter().fold(list.is_empty(), |any, pattern| pattern.matches(&mut holds) | any)
}
