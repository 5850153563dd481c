//! Identifiers of nodes as people write them.

use heap_base::json::hex_text;
use heap_record::{IdRule, Node, Value};

use super::field::source_number;

/// An identifier as people write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Id {
    /// `@N`: the source's own number; of nodes that a reader made up it may be negative.
    Source(i64),
    /// A bare number: the stream's identifier.
    Plain(Value),
}

impl Id {
    /// Reads `@6163`, `@0x7f…`, `6163`, `-5`.
    ///
    /// # Errors
    /// What was expected, in one line.
    pub fn parse(text: &str) -> std::result::Result<Self, String> {
        let bad = || format!("expected @NUMBER or an identifier, not '{text}'");
        let number = |t: &str| hex_text(t).or_else(|| t.parse::<i128>().ok());
        // Addresses take all 64 bits.
        let whole = |n: i128| i64::try_from(n).ok().or_else(|| u64::try_from(n).ok().map(|n| n as i64));
        match text.strip_prefix('@') {
            Some(rest) => number(rest).and_then(whole).map(Self::Source).ok_or_else(bad),
            None => number(text).and_then(whole).map(Self::Plain).ok_or_else(bad),
        }
    }

    /// True if this names `node`. A reader that had to replace a source number puts it into `v8.id`.
    pub fn names(self, node: &Node<'_>, rule: IdRule) -> bool {
        match self {
            Self::Plain(id) => node.id == id,
            Self::Source(number) => match source_number(node) {
                Some(own) => own == number,
                None => node.id == rule.identifier(number),
            },
        }
    }
}
