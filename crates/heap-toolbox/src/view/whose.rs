//! Whose the objects of a class are: what the colours of pictures mean.

use heap_base::{Map, Result};
use heap_graph::HeapGraph;

use super::classes::Groups;
use heap_ops::graph::NamedGraph;
use heap_ops::place::{Ownership, Sort, source};

/// Whose the objects of a class are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Whose {
    /// A class or a function of the program's.
    Program,
    /// What every program is made of: plain objects, lists, tables, numbers.
    #[default]
    Plain,
    /// Strings and the like.
    Text,
    /// Functions, and what they are compiled to.
    Code,
    /// The runtime's own.
    Runtime,
}

impl Whose {
    /// All of them, in the order of legends.
    pub const ALL: [Self; 5] = [Self::Program, Self::Plain, Self::Text, Self::Code, Self::Runtime];

    /// What a legend says.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Program => "the program\u{2019}s classes",
            Self::Plain => "plain objects and lists",
            Self::Text => "strings",
            Self::Code => "functions and code",
            Self::Runtime => "the runtime\u{2019}s own",
        }
    }

    /// Its place in [`ALL`](Self::ALL).
    pub const fn number(self) -> u8 {
        self as u8
    }
}

/// Classes that any program uses for its own things.
const PLAIN: &[&str] = &[
    "Object",
    "Array",
    "Map",
    "Set",
    "WeakMap",
    "WeakSet",
    "WeakRef",
    "Promise",
    "ArrayBuffer",
    "SharedArrayBuffer",
    "DataView",
    "Buffer",
    "Uint8Array",
    "Int8Array",
    "Uint16Array",
    "Int16Array",
    "Uint32Array",
    "Int32Array",
    "Float32Array",
    "Float64Array",
    "Uint8ClampedArray",
    "Date",
    "Error",
    "RegExp",
    "Hash",
];

/// Whose the classes of [`Groups`] are, in their order: as the first object of each is.
pub(super) fn of_classes(heap: &HeapGraph, own: &Ownership<'_>, groups: &Groups) -> Vec<Whose> {
    let of = |(class, &node): (&str, &u32)| match own.sort(node) {
        Sort::Text if ["string", "String", "symbol"].iter().any(|word| class.contains(word)) => Whose::Text,
        Sort::Closure | Sort::Code => Whose::Code,
        Sort::Text | Sort::Bytes | Sort::Array => Whose::Plain,
        Sort::Class if own.is_own_class(node) => Whose::Program,
        Sort::Frame if own.is_own_frame(node) => Whose::Program,
        Sort::Object if class.ends_with("String") => Whose::Text,
        Sort::Object
            if PLAIN.contains(&class) || class.ends_with("[]") || class.starts_with("java.util.") =>
        {
            Whose::Plain
        }
        Sort::Object if heap.class(node).is_some() && own.is_own(node) => Whose::Program,
        Sort::Synthetic | Sort::Class | Sort::Frame | Sort::Object => Whose::Runtime,
    };
    groups.rows.iter().map(|row| row.class.as_str()).zip(&groups.firsts).map(of).collect()
}

/// Whose the objects of cells are, by the names of these.
pub(super) fn of_names<'t>(
    names: &[String],
    known: impl Iterator<Item = (&'t str, Whose)>,
    rest: Whose,
) -> Vec<Whose> {
    let known: Map<&str, Whose> = known.collect();
    names.iter().map(|name| known.get(name.as_str()).copied().unwrap_or(rest)).collect()
}

/// `onTick (leak.js:16:138)`: the label of a function of the program, with its place in the source.
pub(super) fn with_source(
    loaded: &NamedGraph,
    own: &Ownership<'_>,
    node: u32,
    label: Option<String>,
) -> Result<Option<String>> {
    if node >= loaded.heap.graph.nodes() || !own.is_own_function(node) {
        return Ok(label);
    }
    let place = own.source(node)?.map(|source| source.place());
    Ok(match (place, label) {
        (Some(place), Some(label)) => Some(source::spelt(&label, &place)),
        (place, label) => label.or(place),
    })
}
