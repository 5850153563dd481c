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
    /// `0xN`: where the source's own numbers are addresses, the object at this one, else as a bare number.
    Hex(i64),
}

impl Id {
    /// Reads `@6163`, `@0x7f…`, `6163`, `-5`, `0x7f…`.
    ///
    /// # Errors
    /// What was expected, in one line.
    pub fn parse(text: &str) -> std::result::Result<Self, String> {
        let bad = || format!("expected @NUMBER or an identifier, not '{text}'");
        let number = |t: &str| hex_text(t).or_else(|| t.parse::<i128>().ok());
        // Addresses take all 64 bits.
        let whole = |n: i128| i64::try_from(n).ok().or_else(|| u64::try_from(n).ok().map(|n| n as i64));
        let kind = match text.strip_prefix('@') {
            Some(_) => Self::Source,
            None if text.contains("0x") => Self::Hex,
            None => Self::Plain,
        };
        number(text.strip_prefix('@').unwrap_or(text)).and_then(whole).map(kind).ok_or_else(bad)
    }

    /// True if this names `node`. A reader that had to replace a source number puts it into `v8.id`.
    pub fn names(self, node: &Node<'_>, rule: IdRule) -> bool {
        match self {
            Self::Plain(id) => node.id == id,
            Self::Hex(id) if rule != IdRule::Address => node.id == id,
            Self::Source(number) | Self::Hex(number) => match source_number(node) {
                Some(own) => own == number,
                None => node.id == rule.identifier(number),
            },
        }
    }
}
