//! How one edge reads, in every tool.

use heap_record::Role;

/// Texts of a heap in a name are cut behind so many letters.
const LETTERS: usize = 60;

/// An edge as its role reads: `.sessions`, `[7]`, `{x}`, `<table>`. Of an edge without a label its subtype, where that is a
/// part of the virtual machine; else nothing.
pub fn edge(label: Option<&str>, role: Role, kind: &str) -> String {
    match label {
        Some(label) => named(label, role),
        // That one frame calls another needs no word.
        None if role == Role::Inner && !kind.is_empty() && !kind.starts_with("heap.") => format!("<{kind}>"),
        None => String::new(),
    }
}

/// An edge with this label.
pub fn named(label: &str, role: Role) -> String {
    match role {
        Role::Inner => format!("<{}>", label.trim_matches(['<', '>'])),
        Role::Element => format!("[{label}]"),
        Role::Variable if !is_number(label) => format!("{{{label}}}"),
        Role::Member | Role::Static | Role::Variable => member(label),
    }
}

/// Edges with numbers from `low` to `high`.
pub fn numbers(low: u64, high: u64, role: Role) -> String {
    let text = if low == high { low.to_string() } else { format!("{low}…{high}") };
    if role == Role::Inner { format!("<{text}>") } else { format!("[{text}]") }
}

/// A property: in brackets if it is no identifier, in quotes if it is no number either.
fn member(label: &str) -> String {
    if is_number(label) {
        return format!("[{label}]");
    }
    if is_name(label) {
        return format!(".{label}");
    }
    if let Some(attribute) = attribute(label) {
        return format!(".{attribute}");
    }
    // What a virtual machine made up is marked by it, such as the names of symbols.
    if label.starts_with('<') && label.ends_with('>') {
        return label.to_owned();
    }
    let cut: String = label.chars().take(LETTERS).collect();
    let dots = if cut.len() < label.len() { "…" } else { "" };
    format!("[{:?}]", format!("{cut}{dots}"))
}

/// What programs call an attribute that a browser keeps by a symbol: `document` of `<symbol Window#DocumentCachedAccessor>`.
fn attribute(label: &str) -> Option<String> {
    let symbol = label.strip_prefix("<symbol ")?.strip_suffix("CachedAccessor>")?;
    let mut letters = symbol.split_once('#')?.1.chars();
    let first = letters.next()?.to_lowercase();
    Some(first.chain(letters).collect()).filter(|name: &String| is_name(name))
}

fn is_number(text: &str) -> bool {
    text.parse::<u64>().is_ok()
}

/// A name that may stand after a dot in some language.
fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    let begins = |c: char| c.is_alphabetic() || "_$#@%&!".contains(c);
    chars.next().is_some_and(begins) && chars.all(|c| c.is_alphanumeric() || "_$!@#".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_read_as_in_a_program() {
        let edge = |label: &str, role| edge(Some(label), role, "any");
        assert_eq!(edge("bus", Role::Member), ".bus");
        assert_eq!(edge("config-changed", Role::Member), "[\"config-changed\"]");
        assert_eq!(edge("say \"a\"", Role::Static), "[\"say \\\"a\\\"\"]");
        assert_eq!(edge("3", Role::Member), "[3]");
        assert_eq!(edge("3", Role::Element), "[3]");
        assert_eq!(edge("cache", Role::Variable), "{cache}");
        assert_eq!(edge("table", Role::Inner), "<table>");
        assert_eq!(edge("12", Role::Inner), "<12>");
        assert_eq!(edge("Thread Roots", Role::Inner), "<Thread Roots>");
        assert_eq!(edge("<STable>", Role::Member), "<STable>");
        assert_eq!(edge("<symbol kIsNodeError>", Role::Member), "<symbol kIsNodeError>");
        assert_eq!(edge("<symbol Window#DocumentCachedAccessor>", Role::Member), ".document");
        assert_eq!(edge("$!kept", Role::Member), ".$!kept");
        assert_eq!(edge(&"x y".repeat(40), Role::Member).chars().count(), 65);
    }

    #[test]
    fn an_edge_without_a_label_is_what_the_machine_calls_it() {
        assert_eq!(edge(None, Role::Member, "vm.reference"), "");
        assert_eq!(edge(None, Role::Static, "vm.static"), "");
        assert_eq!(edge(None, Role::Inner, "vm.constant"), "<vm.constant>");
        assert_eq!(edge(None, Role::Inner, "heap.call"), "");
        assert_eq!(edge(None, Role::Inner, ""), "");
    }
}
