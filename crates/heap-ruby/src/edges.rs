//! What a reference of an object is: a variable, an element, an entry, or just a reference; and its label, where the dump
//! leaves no doubt.
//!
//! A dump lists references in the order in which the collector marks them, without names, and leaves out small integers,
//! static symbols, nil and the like without a gap. So a name is known only where as many references stand there as there
//! are names.

use heap_record::{StringId, Value};

use crate::declare::EdgeType;
use crate::kinds::Kind;
use crate::line::{Line, Truths};

/// Labels that all dumps use.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Labels {
    pub(crate) class: StringId,
    pub(crate) superclass: StringId,
    pub(crate) key: StringId,
    pub(crate) default: StringId,
    pub(crate) source: StringId,
    pub(crate) regexp: StringId,
    pub(crate) string: StringId,
    pub(crate) numerator: StringId,
    pub(crate) denominator: StringId,
    pub(crate) real: StringId,
    pub(crate) imaginary: StringId,
    pub(crate) this: StringId,
    pub(crate) code: StringId,
    pub(crate) environment: StringId,
}

/// Texts of [`Labels`], in the order of its fields.
pub(crate) const LABELS: [&str; 14] = [
    "<class>",
    "<super>",
    "<key>",
    "<default>",
    "source",
    "regexp",
    "string",
    "numerator",
    "denominator",
    "real",
    "imaginary",
    "self",
    "<code>",
    "<environment>",
];

impl Labels {
    pub(crate) fn new(ids: [StringId; LABELS.len()]) -> Self {
        let [
            class,
            superclass,
            key,
            default,
            source,
            regexp,
            string,
            numerator,
            denominator,
            real,
            imaginary,
            this,
            code,
            environment,
        ] = ids;
        Self {
            class,
            superclass,
            key,
            default,
            source,
            regexp,
            string,
            numerator,
            denominator,
            real,
            imaginary,
            this,
            code,
            environment,
        }
    }
}

/// What labels the `i`-th reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Label {
    /// Nothing.
    None,
    /// A text of a known number.
    Text(StringId),
    /// Its index.
    Index,
    /// The text of the reference before it, the key of a hash.
    KeyBefore,
}

/// The roles of the references of one object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Roles<'a> {
    kind: Kind,
    count: u64,
    size: Option<u64>,
    exact: bool,
    superclass: Option<u64>,
    /// Names of the instance variables, as many as there are references.
    variables: &'a [StringId],
    labels: &'a Labels,
}

impl<'a> Roles<'a> {
    /// `variables`: the names of the shape's instance variables, if it is known and has as many as the object references.
    pub(crate) fn new(
        kind: Kind,
        line: &Line<'_>,
        references: &[u64],
        variables: &'a [StringId],
        labels: &'a Labels,
    ) -> Self {
        let count = references.len() as u64;
        let exact = match kind {
            Kind::ARRAY => line.length == Some(count) && !line.truths.has(Truths::SHARED),
            Kind::HASH => {
                let entries = line.size.and_then(|size| size.checked_mul(2));
                let default = match (line.default, references.last()) {
                    (Some(default), Some(&last)) => u64::from(default == last),
                    _ => 0,
                };
                entries.is_some_and(|entries| entries + default == count)
            }
            Kind::OBJECT | Kind::FIELDS => count > 0 && variables.len() as u64 == count,
            Kind::REGEXP => count == 1,
            Kind::MATCH | Kind::RATIONAL | Kind::COMPLEX => count == 2,
            Kind::PROC => count == 3,
            _ => false,
        };
        Self { kind, count, size: line.size, exact, superclass: line.superclass, variables, labels }
    }

    /// What the `i`-th reference is, which leads to `address`.
    pub(crate) fn of(&self, i: u64, address: u64) -> (EdgeType, Label) {
        use Label::Text;
        let labels = self.labels;
        let inner = EdgeType::Reference;
        match self.kind {
            Kind::OBJECT | Kind::FIELDS if self.exact => {
                let name = self.variables.get(i as usize);
                (EdgeType::Property, name.map_or(Label::None, |&name| Text(name)))
            }
            Kind::OBJECT | Kind::FIELDS | Kind::STRUCT => (EdgeType::Property, Label::None),
            Kind::ARRAY if self.exact => (EdgeType::Element, Label::Index),
            Kind::ARRAY => (EdgeType::Element, Label::None),
            Kind::HASH if self.exact => match () {
                () if Some(i) == self.size.and_then(|size| size.checked_mul(2)) => {
                    (EdgeType::Entry, Text(labels.default))
                }
                () if i.is_multiple_of(2) => (EdgeType::Entry, Text(labels.key)),
                () => (EdgeType::Entry, Label::KeyBefore),
            },
            Kind::HASH => (EdgeType::Entry, Label::None),
            Kind::REGEXP if self.exact => (inner, Text(labels.source)),
            Kind::MATCH if self.exact => (inner, Text([labels.regexp, labels.string][usize::from(i > 0)])),
            Kind::RATIONAL if self.exact => {
                (inner, Text([labels.numerator, labels.denominator][usize::from(i > 0)]))
            }
            Kind::COMPLEX if self.exact => (inner, Text([labels.real, labels.imaginary][usize::from(i > 0)])),
            Kind::PROC if self.exact => match i {
                0 => (EdgeType::Variable, Text(labels.this)),
                1 => (inner, Text(labels.code)),
                _ => (EdgeType::Variable, Text(labels.environment)),
            },
            // The code, the enclosing environment and the method come last.
            Kind::ENV if i + 1 < self.count => (EdgeType::Variable, Label::None),
            Kind::CLASS | Kind::ICLASS if Some(address) == self.superclass => {
                (EdgeType::Super, Text(labels.superclass))
            }
            kind if kind.is_code() => (EdgeType::Constant, Label::None),
            _ => (inner, Label::None),
        }
    }
}

/// The identifier of an object. One whose address were odd would get that of its neighbour, but Ruby has none.
pub(crate) fn identifier(address: u64) -> Value {
    (address | 1) as i64
}
