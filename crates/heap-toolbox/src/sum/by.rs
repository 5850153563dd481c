//! Groupings.

use heap_record::tag;

use heap_ops::select::Field;

/// What nodes are grouped by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum By {
    /// The type name: class, or subtype in brackets.
    Class,
    /// The subtype.
    Subtype,
    /// The snapshot.
    Snapshot,
    /// The input: its `file`, or a tag such as `tag.pod`.
    Input(Box<str>),
    /// Any field; also `name`.
    Field(Field),
}

impl By {
    /// The grouping of this name.
    pub fn named(name: &str) -> Self {
        match name {
            "class" | "type" => Self::Class,
            "subtype" => Self::Subtype,
            "snapshot" => Self::Snapshot,
            "file" => Self::Input(name.into()),
            _ if name.strip_prefix("tag.").is_some_and(tag::is_key) => Self::Input(name.into()),
            other => Self::Field(Field::new(other)),
        }
    }

    /// Name of the column.
    pub fn name(&self) -> &str {
        match self {
            Self::Class => "class",
            Self::Subtype => "subtype",
            Self::Snapshot => "snapshot",
            Self::Input(name) => name,
            Self::Field(field) => field.name(),
        }
    }
}
