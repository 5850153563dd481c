//! Identifiers of nodes as people write them, and how a source's own numbers become identifiers.

use heap_base::json::hex_text;
use heap_record::{Node, Value};

use super::field::source_number;

/// An identifier as people write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Id {
    /// `@N`: the source's own number; of nodes that a reader made up it may be negative.
    Source(i64),
    /// A bare number: the stream's identifier.
    Plain(Value),
}

/// How a source's own numbers become identifiers: the stream's `heap.identifier`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IdRule {
    /// Odd ids stand for themselves, an even one e for −(e+1).
    V8,
    /// i stands for 2·i+1.
    #[default]
    Index,
    /// An address stands for itself with the lowest bit set.
    Address,
}

impl IdRule {
    /// The rule that the metadata names.
    pub fn named(name: &str) -> Self {
        match name {
            "v8" => Self::V8,
            "address" => Self::Address,
            _ => Self::Index,
        }
    }

    /// The identifier of the source's number.
    pub fn identifier(self, number: i64) -> Value {
        match self {
            Self::V8 if number & 1 == 0 => -number.wrapping_add(1),
            Self::V8 => number,
            Self::Address => number | 1,
            Self::Index => number.wrapping_mul(2).wrapping_add(1),
        }
    }

    /// The source's number of an identifier: the N of `@N`.
    pub fn number(self, id: Value) -> i64 {
        match self {
            Self::V8 if id < 0 => id.wrapping_neg() - 1,
            Self::V8 | Self::Address => id,
            Self::Index => id >> 1,
        }
    }
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
