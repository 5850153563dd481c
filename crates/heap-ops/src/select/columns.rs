//! The columns that conditions on nodes may name: any field of a node.

use super::condition::{Columns, Kind, Of};
use super::field::Field;

/// The fields of nodes. Every name is one: only the stream says which fields its nodes have.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeFields;

impl Columns for NodeFields {
    fn kind(&self, name: &str) -> Option<Kind> {
        Some(match name.strip_prefix("heap.").unwrap_or(name) {
            "identifier" | "size" | "external" | "count" | "retained" | "retained_from" | "idom"
            | "distance" => Kind::Number,
            "subtype" | "type" | "class" | "name" => Kind::Text,
            "reachable" => Kind::Flag,
            _ => Kind::Any,
        })
    }

    fn has_base(&self, _name: &str, _of: Of) -> bool {
        false
    }

    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Where a condition finds the column `name`. `class` is that of reports, which print `(closure)` for a node without a class.
pub(super) fn column(name: &str) -> Field {
    Field::new(if name == "class" { "type" } else { name })
}
