//! Instance types: what they are called, and what objects of them are in the stream.

use heap_base::sort_by_key;

use crate::constants::Constants;
use crate::objects::{Kind, NameId, Names, native_context};
use crate::space::Map;

use super::declare::NodeType;

/// Types that snapshots count as code: what is compiled, what is known of it, and what it is made from.
const CODE: [&str; 18] = [
    "ALLOCATION_SITE",
    "ARRAY_BOILERPLATE_DESCRIPTION",
    "CLOSURE_FEEDBACK_CELL_ARRAY",
    "FEEDBACK_CELL",
    "FEEDBACK_METADATA",
    "FEEDBACK_VECTOR",
    "INTERPRETER_DATA",
    "OBJECT_BOILERPLATE_DESCRIPTION",
    "PREPARSE_DATA",
    "REG_EXP_BOILERPLATE_DESCRIPTION",
    "SCOPE_INFO",
    "SCRIPT",
    "TEMPLATE_OBJECT_DESCRIPTION",
    "TRUSTED_BYTE_ARRAY",
    "TRUSTED_FIXED_ARRAY",
    "UNCOMPILED_DATA_WITHOUT_PREPARSE_DATA",
    "UNCOMPILED_DATA_WITH_PREPARSE_DATA",
    "WEAK_FIXED_ARRAY",
];
/// Types that belong to the maps of objects.
const SHAPES: [&str; 3] = ["ENUM_CACHE", "PROTOTYPE_INFO", "TRANSITION_ARRAY"];
/// Types of arrays that snapshots do not count as arrays.
const HIDDEN: [&str; 3] = ["ARRAY_LIST", "PROPERTY_ARRAY", "WEAK_ARRAY_LIST"];

/// Types that have numbers of their own, by that.
#[derive(Debug)]
pub(super) struct Types {
    types: Vec<Type>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Type {
    name: Option<NameId>,
    /// What its objects are, where their kind does not say it.
    node: Option<NodeType>,
}

impl Types {
    /// The types of a version: `system / ScopeInfo` of `SCOPE_INFO`.
    pub(super) fn new(constants: &Constants, names: &Names) -> Self {
        let mut list: Vec<(String, u16)> =
            constants.instance_types().map(|(name, n)| (name.to_owned(), n)).collect();
        // The types behind that of fixed arrays have no names in the constants.
        if let Some(first) = constants.instance_type("FIXED_ARRAY") {
            let tables = ["EPHEMERON_HASH_TABLE", "GLOBAL_DICTIONARY", "NAME_DICTIONARY"];
            list.extend((first + 2..).zip(tables).map(|(n, name)| (name.to_owned(), n)));
            let tables = ["NUMBER_DICTIONARY", "ORDERED_HASH_MAP", "ORDERED_HASH_SET"];
            list.extend((first + 6..).zip(tables).map(|(n, name)| (name.to_owned(), n)));
        }
        if let Some(number) = native_context(constants) {
            list.push(("NATIVE_CONTEXT".to_owned(), number));
        }
        // Nor have these, which stand beside others.
        if let Some(number) = constants.instance_type("FEEDBACK_VECTOR") {
            list.push(("FEEDBACK_METADATA".to_owned(), number.saturating_sub(1)));
        }
        if let Some(number) = constants.instance_type("WEAK_FIXED_ARRAY") {
            list.push(("TRANSITION_ARRAY".to_owned(), number.saturating_add(1)));
        }
        sort_by_key(&mut list, |(_, n)| *n);
        let mut types: Vec<Type> = Vec::new();
        for (name, number) in list {
            let number = usize::from(number);
            if number < 128 {
                continue;
            }
            if number >= types.len() {
                types.resize(number + 1, Type::default());
            }
            if types[number].name.is_none() {
                types[number] = Type { name: Some(names.intern(&system_name(&name))), node: node_of(&name) };
            }
        }
        Self { types }
    }

    /// What objects with a map are called that are V8's own.
    pub(super) fn name(&self, map: &Map) -> Option<NameId> {
        self.types.get(usize::from(map.kind))?.name
    }

    /// What an object is in the stream.
    #[inline]
    pub(super) fn node_type(&self, kind: Kind, map: &Map) -> NodeType {
        match kind {
            Kind::String => match map.kind & 7 {
                1 => NodeType::Cons,
                3 => NodeType::Sliced,
                _ => NodeType::Flat,
            },
            Kind::Symbol => NodeType::Symbol,
            Kind::HeapNumber => NodeType::Number,
            Kind::BigInt => NodeType::BigInt,
            Kind::Oddball | Kind::Hole => NodeType::Oddball,
            Kind::Map | Kind::Descriptors => NodeType::ObjectShape,
            Kind::Bytecode | Kind::Code | Kind::Instructions | Kind::CodeData => NodeType::Code,
            Kind::SharedFunctionInfo => NodeType::Function,
            Kind::JsFunction | Kind::JsBoundFunction => NodeType::Closure,
            Kind::JsArray => NodeType::Array,
            Kind::JsDate => NodeType::Date,
            Kind::JsRegExp => NodeType::RegExp,
            Kind::Context => NodeType::Object,
            _ if kind.is_js() => NodeType::Object,
            _ => self.own(kind, map),
        }
    }

    /// What an object of V8's own is.
    fn own(&self, kind: Kind, map: &Map) -> NodeType {
        let by_type = self.types.get(usize::from(map.kind)).and_then(|t| t.node);
        by_type.unwrap_or(match kind {
            Kind::Array | Kind::PropertyArray | Kind::Doubles | Kind::Raw | Kind::EphemeronTable => {
                NodeType::Backing
            }
            _ => NodeType::Hidden,
        })
    }
}

fn node_of(name: &str) -> Option<NodeType> {
    let lists = [(&CODE[..], NodeType::Code), (&SHAPES, NodeType::ObjectShape), (&HIDDEN, NodeType::Hidden)];
    lists.into_iter().find(|(list, _)| list.contains(&name)).map(|(_, node)| node)
}

/// `system / ScopeInfo` of `SCOPE_INFO`.
fn system_name(constant: &str) -> String {
    let mut name = "system / ".to_owned();
    for word in constant.split('_') {
        let (first, rest) = word.split_at(word.len().min(1));
        name.push_str(first);
        name.push_str(&rest.to_ascii_lowercase());
    }
    name
}
