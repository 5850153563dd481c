//! Stacks at which objects were allocated, with the texts of their functions.

use heap_base::Result;
use heap_record::stacks::{Function, Stacks};
use heap_record::{Node, StringId};

use super::Strings;
use crate::place::Source;

/// Fields of a node that its stack says, if nothing else does.
const FIELDS: [&str; 5] = ["location", "function", "script_name", "line", "column"];

/// Whether a field of this name may be one of the place where a node was allocated.
pub fn is_of_place(field: &str) -> bool {
    FIELDS.contains(&field)
}

/// True if all has come that says where a node was allocated, or nothing does.
pub fn ready(stacks: &Stacks, node: &Node<'_>, strings: &Strings) -> bool {
    let has = |id: Option<StringId>| id.is_none_or(|id| strings.contains(id));
    let come = |stack| stacks.function(stack).is_some_and(|of| has(of.name) && has(of.script));
    stacks.of(node).is_none_or(come)
}

/// The function of a frame with its place.
///
/// # Errors
/// The temporary file of strings cannot be read.
pub fn source(stacks: &Stacks, frame: i64, strings: &Strings) -> Result<Option<Source>> {
    stacks.function(frame).map(|function| source_of(function, strings)).transpose()
}

/// The texts of a function's name and place.
///
/// # Errors
/// The temporary file of strings cannot be read.
pub fn source_of(function: Function, strings: &Strings) -> Result<Source> {
    let Function { name, script, line, column } = function;
    Ok(Source { function: text(name, strings)?, script: text(script, strings)?, line, column })
}

/// A text of a function's; none is empty.
///
/// # Errors
/// The temporary file of strings cannot be read.
pub fn text(id: Option<StringId>, strings: &Strings) -> Result<String> {
    id.map_or(Ok(String::new()), |id| strings.text_or_number(id))
}
