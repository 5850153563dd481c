//! Where an object is, in the names of the program.

use std::fmt::Write as _;

use crate::path::PathStep;

/// What an edge is to the program that was dumped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// A variable of a closure.
    Variable,
    /// An element of an array.
    Element,
    /// A field or a property.
    Member,
    /// A field of a class.
    Static,
    /// A reference of which the source does not say by what name.
    Unnamed,
    /// The virtual machine's own.
    Inner,
}

/// What the last edge of a step is to the program, by the declared name of its subtype and its label.
pub fn reach(step: &PathStep) -> Reach {
    let index = |label: &str| !label.is_empty() && label.bytes().all(|b| b.is_ascii_digit());
    match (kind(step), step.label.as_deref()) {
        ("variable", Some(_)) => Reach::Variable,
        ("element", _) => Reach::Element,
        ("static" | "constant", Some(_)) => Reach::Static,
        ("reference", Some(label)) if index(label) => Reach::Element,
        ("property" | "field" | "local" | "reference", Some(_)) => Reach::Member,
        ("reference", None) => Reach::Unnamed,
        _ => Reach::Inner,
    }
}

/// The last word of the declared name of a step's edge.
fn kind(step: &PathStep) -> &str {
    step.kind.as_deref().and_then(|kind| kind.rsplit(['.', ' ']).next()).unwrap_or_default()
}

/// Whether a step is a variable of something with a name, such as a frame.
fn is_framed(path: &[PathStep], at: usize) -> bool {
    at > 0
        && matches!(reach(&path[at]), Reach::Variable | Reach::Member)
        && path[at - 1].name.as_ref().is_some_and(|name| !name.is_empty())
}

/// The names on a path, from the class of a static field or the first object with a class on: `.x` for a property, `[7]`
/// for an element, `{x}` for a variable of a closure, `:Class` where the source has no name. Edges inside of the virtual
/// machine are left out.
pub fn place(path: &[PathStep]) -> String {
    let mut place = String::new();
    let own = |step: &PathStep| match &step.name {
        Some(name) if !name.is_empty() => name.clone(),
        _ => step.class.clone(),
    };
    let bracketed = |step: &PathStep| step.class.starts_with('(');
    let first = if let Some(at) = path.iter().rposition(|step| reach(step) == Reach::Static) {
        at.saturating_sub(1)
    } else {
        let Some(first) = path.iter().position(|step| !bracketed(step)) else { return place };
        // A variable of a frame: the frame has the name.
        first - usize::from(is_framed(path, first))
    };
    place.push_str(&own(&path[first]));
    for step in &path[first + 1..] {
        let label = step.label.as_deref().unwrap_or_default();
        let _ = match reach(step) {
            Reach::Variable => write!(place, "{{{label}}}"),
            Reach::Element => write!(place, "[{label}]"),
            Reach::Member | Reach::Static => write!(place, ".{label}"),
            Reach::Unnamed if !bracketed(step) => write!(place, ":{}", step.class),
            Reach::Unnamed | Reach::Inner => Ok(()),
        };
    }
    place
}
