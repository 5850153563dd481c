//! Groupings.

use heap_record::tag;

use heap_ops::select::Field;

/// What nodes are grouped by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum By {
    /// The type name: class, or subtype in brackets.
    Class,
    /// What stands before the last dot of the type name.
    Package,
    /// The subtype.
    Subtype,
    /// The snapshot.
    Snapshot,
    /// The input: its `file`, or a tag such as `tag.pod`.
    Input(Box<str>),
    /// The function with its line: a field of frames and allocations, and what else is known of functions.
    Location(Field),
    /// Any field; also `name`.
    Field(Field),
}

impl By {
    /// Adds the groupings of a list with commas to others, each once.
    pub(crate) fn add(all: &mut Vec<Self>, list: &str) {
        for by in list.split(',').filter(|name| !name.is_empty()).map(Self::named) {
            if !all.contains(&by) {
                all.push(by);
            }
        }
    }

    /// The grouping of this name.
    pub fn named(name: &str) -> Self {
        match name {
            "class" | "type" => Self::Class,
            "package" => Self::Package,
            "subtype" => Self::Subtype,
            "snapshot" => Self::Snapshot,
            "file" => Self::Input(name.into()),
            "location" => Self::Location(Field::new(name)),
            _ if name.strip_prefix("tag.").is_some_and(tag::is_key) => Self::Input(name.into()),
            other => Self::Field(Field::new(other)),
        }
    }

    /// Name of the column, which is none of those that have the sums.
    pub fn name(&self) -> &str {
        match self {
            Self::Field(field) if field.name() == "count" => "heap.count",
            Self::Field(field) if field.name() == "external" => "heap.external",
            Self::Field(field) if field.name() == "retained" => "heap.retained",
            Self::Field(field) if field.name() == "size" => "heap.size",
            Self::Class => "class",
            Self::Package => "package",
            Self::Subtype => "subtype",
            Self::Snapshot => "snapshot",
            Self::Input(name) => name,
            Self::Location(field) | Self::Field(field) => field.name(),
        }
    }
}

/// The package of a class: what stands before the last dot of its name, `java.util` of `java.util.Map$Entry[]`; empty if there
/// is no dot. A name that is no plain one, with a blank, a bracket or a quote before the dot, has none. Of functions whose packages
/// are paths, `example.com/shop/cart` of `example.com/shop/cart.(*Cart).Add`, it ends at the first dot behind the last slash.
pub(crate) fn package(class: &str, paths: bool) -> &str {
    if paths {
        // Types in brackets have packages of their own.
        let name = class.split(['(', '[', '{']).next().unwrap_or_default();
        let last = name.rfind('/').map_or(0, |at| at + 1);
        return name[last..].find('.').map_or("", |dot| &name[..last + dot]);
    }
    let package = class.rsplit_once('.').map_or("", |(package, _)| package);
    if package.contains(|c: char| c.is_whitespace() || "()[]{}<>\"'".contains(c)) { "" } else { package }
}

#[cfg(test)]
mod tests {
    use super::{By, package};

    #[test]
    fn no_column_has_the_name_of_a_sum() {
        let names = ["size", "heap.size", "count", "external", "retained", "length"].map(By::named);
        let expected = ["heap.size", "heap.size", "heap.count", "heap.external", "heap.retained", "length"];
        assert_eq!(names.each_ref().map(By::name), expected);
    }

    #[test]
    fn a_package_stands_before_the_last_dot() {
        let cases = [
            ("java.util.Map$Entry[]", "java.util"),
            ("Shop$Session", ""),
            ("byte[]", ""),
            ("(heap.root)", ""),
            ("main.cache", "main"),
            ("say \"a.b\"", ""),
            ("", ""),
        ];
        for (class, expected) in cases {
            assert_eq!(package(class, false), expected, "{class}");
        }
    }

    #[test]
    fn a_package_that_is_a_path_ends_at_the_first_dot_of_its_last_part() {
        let cases = [
            ("main.main.func1", "main"),
            ("main.(*Cache).Put", "main"),
            ("main.V.Get", "main"),
            ("strings.(*Builder).grow", "strings"),
            ("github.com/some.one/shop/cart.(*Cart).Add", "github.com/some.one/shop/cart"),
            ("slices.SortFunc[go.shape.[]example.com/shop.Item]", "slices"),
            ("gopkg.in/yaml%2ev3.Unmarshal", "gopkg.in/yaml%2ev3"),
            ("(heap.root)", ""),
            ("root", ""),
        ];
        for (class, expected) in cases {
            assert_eq!(package(class, true), expected, "{class}");
        }
    }
}
