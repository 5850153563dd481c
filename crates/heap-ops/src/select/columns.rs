//! The columns that conditions on nodes may name: any field of a node.

use super::condition::{Columns, Condition, Kind, Of};
use super::field::Field;
use super::pattern::Pattern;

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

/// The classes, subtypes and names that a condition asks for by their whole text.
pub(super) fn named(condition: &Condition) -> impl Iterator<Item = (Field, Pattern<Box<str>>)> + '_ {
    ["class", "type", "subtype", "name"].into_iter().flat_map(move |name| {
        condition
            .texts_of(name)
            .map(move |text| (column(name), Pattern::new(&format!("{name} = {text}"), text.into())))
    })
}
