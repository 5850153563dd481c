//! Edges as people read them.

use crate::path::{Labels, PathStep};

use heap_report::text::width;

/// How the label of an edge of this kind is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// `.x`, or `["a b"]`.
    Property,
    /// `[7]`.
    Element,
    /// `{x}`, a variable of a closure or a frame.
    Variable,
    /// `.x`, `[7]`, or `<a b>`: fields and what else there is.
    Reference,
    /// `<x>`, a part of the virtual machine.
    Internal,
}

impl Style {
    fn of(kind: &str) -> Self {
        match kind {
            "closure variable" | "heap.local" => Self::Variable,
            "java.static" => Self::Property,
            "moar.reference" | "dart.reference" => Self::Reference,
            kind if kind.ends_with("element") => Self::Element,
            kind if kind.ends_with("property") || kind.ends_with("field") => Self::Property,
            _ => Self::Internal,
        }
    }

    fn name(self, text: &str) -> String {
        match self {
            _ if self != Self::Internal && text.parse::<u64>().is_ok() => format!("[{text}]"),
            Self::Property | Self::Reference if is_name(text) => format!(".{text}"),
            // V8 writes the names of symbols so.
            Self::Property if text.starts_with("<symbol ") && text.ends_with('>') => text.to_owned(),
            Self::Property => format!("[{text:?}]"),
            Self::Element => format!("[{text}]"),
            Self::Variable => format!("{{{text}}}"),
            Self::Reference | Self::Internal => format!("<{}>", text.trim_matches(['<', '>'])),
        }
    }

    /// An edge of this kind without a label.
    fn nameless(self, kind: &str) -> String {
        // That one frame calls another needs no word.
        let says = self == Self::Internal && !kind.is_empty() && !kind.starts_with("heap.");
        if says { format!("<{kind}>") } else { String::new() }
    }
}

/// A name that may stand after a dot in some language.
fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    let begins = |c: char| c.is_alphabetic() || "_$#@%&!".contains(c);
    chars.next().is_some_and(begins) && chars.all(|c| c.is_alphanumeric() || "_$!@#".contains(c))
}

/// An edge with this label, of this kind: `.sessions`, `[7]`, `{x}`, `<table>`; its kind where a part of the virtual machine
/// has no label.
pub fn edge(label: Option<&str>, kind: &str) -> String {
    let style = Style::of(kind);
    label.map_or_else(|| style.nameless(kind), |text| style.name(text))
}

/// The edge that leads to a step; empty for a root.
pub fn label(step: &PathStep) -> String {
    edge(step.label.as_deref(), step.kind.as_deref().unwrap_or_default())
}

/// Names of folded edges take no more room than this, but the first has what it needs.
const LONGEST: usize = 24;

/// The same of many edges: `[0…2999]`, `.a, .b, …`.
pub fn labels(labels: &Labels) -> String {
    let kind = labels.kind.as_deref().unwrap_or_default();
    let style = Style::of(kind);
    let mut all: Vec<String> = Vec::new();
    let (mut room, mut more) = (LONGEST, labels.more);
    for name in labels.names.iter().map(|name| style.name(name)) {
        more |= width(&name) > room && !all.is_empty();
        if !more || all.is_empty() {
            room = room.saturating_sub(width(&name) + 2);
            all.push(name);
        }
    }
    if let Some((low, high)) = labels.numbers {
        let text = if low == high { low.to_string() } else { format!("{low}…{high}") };
        all.push(if style == Style::Internal { format!("<{text}>") } else { format!("[{text}]") });
    }
    if more {
        all.push("…".to_owned());
    }
    if all.is_empty() { style.nameless(kind) } else { all.join(", ") }
}

/// Where the last object of a path hangs: `global.__leak.sessions`, from the first object with a class that a name leads on
/// from. Edges inside of the virtual machine are left out. `None` where there is no such name.
pub fn place(path: &[PathStep]) -> Option<String> {
    let style = |step: &PathStep| Style::of(step.kind.as_deref().unwrap_or_default());
    let shown = |step: &PathStep| style(step) != Style::Internal && step.label.is_some();
    let named = |step: &PathStep| {
        shown(step) && step.label.as_ref().is_some_and(|label| label.parse::<u64>().is_err())
    };
    let first = path.windows(2).position(|pair| named(&pair[1]) && !pair[0].class.starts_with('('))?;
    let (owner, rest) = (&path[first], &path[first + 1..]);
    // A static field belongs to the class that the object is.
    let of_class = rest.first().is_some_and(|step| step.kind.as_deref() == Some("java.static"));
    let name = owner.name.clone().filter(|name| of_class && !name.is_empty());
    let begin = name.unwrap_or_else(|| owner.class.clone());
    Some(std::iter::once(begin).chain(rest.iter().filter(|step| shown(step)).map(label)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_read_as_in_a_program() {
        assert_eq!(edge(Some("bus"), "object property"), ".bus");
        assert_eq!(edge(Some("config-changed"), "object property"), "[\"config-changed\"]");
        assert_eq!(edge(Some("3"), "object property"), "[3]");
        assert_eq!(edge(Some("3"), "dart.element"), "[3]");
        assert_eq!(edge(Some("cache"), "closure variable"), "{cache}");
        assert_eq!(edge(Some("table"), "v8.internal"), "<table>");
        assert_eq!(edge(Some("12"), "v8.internal"), "<12>");
        assert_eq!(edge(None, "moar.reference"), "");
        assert_eq!(edge(Some("Thread Roots"), "moar.reference"), "<Thread Roots>");
        assert_eq!(edge(Some("<STable>"), "moar.reference"), "<STable>");
        assert_eq!(edge(Some("$!kept"), "moar.reference"), ".$!kept");
        assert_eq!(edge(None, "java.static"), "");
        assert_eq!(edge(None, "java.constant"), "<java.constant>");
        assert_eq!(label(&PathStep::default()), "");
    }

    #[test]
    fn a_place_begins_with_the_first_name() {
        let step = |label: &str, kind: &str, class: &str| PathStep {
            label: Some(label.into()).filter(|label: &String| !label.is_empty()),
            kind: Some(kind.into()),
            class: class.into(),
            name: Some("Zoo".into()),
            ..PathStep::default()
        };
        let v8 = [
            step("", "", "(v8.synthetic)"),
            step("2", "v8.shortcut", "global"),
            step("__leak", "object property", "Object"),
            step("sessions", "object property", "Map"),
            step("table", "v8.internal", "(v8.array)"),
        ];
        assert_eq!(place(&v8).as_deref(), Some("global.__leak.sessions"));
        assert_eq!(place(&v8[..2]), None);
        let dart = [
            step("", "", "Root"),
            step("9", "dart.element", "Isolate"),
            step("cache", "dart.field", "Cache"),
        ];
        assert_eq!(place(&dart).as_deref(), Some("Isolate.cache"));
        let java = [step("", "", "java.lang.Class"), step("KEEP", "java.static", "Object[]")];
        assert_eq!(place(&java).as_deref(), Some("Zoo.KEEP"));
    }

    #[test]
    fn edges_that_were_folded_are_one_phrase() {
        let all = |names: &[&str], numbers| Labels {
            kind: Some("object property".into()),
            names: names.iter().map(|&name| name.into()).collect(),
            more: names.len() > 2,
            numbers,
        };
        assert_eq!(labels(&all(&[], Some((0, 2999)))), "[0…2999]");
        assert_eq!(labels(&all(&["a", "b-c"], Some((7, 7)))), ".a, [\"b-c\"], [7]");
        // More than three are said to be more, whichever of them there is room for.
        assert_eq!(labels(&all(&["a", "b", "c"], None)), ".a, …");
        assert_eq!(labels(&all(&["aPropertyOfSomeLength", "another"], None)), ".aPropertyOfSomeLength, …");
        assert_eq!(labels(&all(&[], None)), "");
        assert_eq!(labels(&Labels::default()), "");
    }
}
