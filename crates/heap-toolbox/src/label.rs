//! Edges in tables.

use heap_ops::labels::Labels;
use heap_ops::place::spell;
use heap_report::text::width;

use crate::path::PathStep;

/// The edge that leads to a step; empty for a root.
pub fn label(step: &PathStep) -> String {
    let kind = step.kind.clone().unwrap_or_default();
    spell::edge(step.label.as_deref(), kind.role, &kind.name)
}

/// Names of folded edges take no more room than this, but the first has what it needs.
const LONGEST: usize = 24;

/// Many edges: `[0…2999]`, `.a, .b, …`.
pub fn labels(labels: &Labels) -> String {
    let kind = labels.kind.clone().unwrap_or_default();
    let mut all: Vec<String> = Vec::new();
    let (mut room, mut more) = (LONGEST, labels.more);
    for name in labels.names.iter().map(|name| spell::named(name, kind.role)) {
        more |= width(&name) > room && !all.is_empty();
        if !more || all.is_empty() {
            room = room.saturating_sub(width(&name) + 2);
            all.push(name);
        }
    }
    if let Some((low, high)) = labels.numbers {
        all.push(spell::numbers(low, high, kind.role));
    }
    if more {
        all.push("…".to_owned());
    }
    if all.is_empty() { spell::edge(None, kind.role, &kind.name) } else { all.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heap_ops::graph::EdgeKind;
    use heap_record::Role;

    #[test]
    fn a_root_has_no_label() {
        assert_eq!(label(&PathStep::default()), "");
    }

    #[test]
    fn edges_that_were_folded_are_one_phrase() {
        let all = |names: &[&str], numbers| Labels {
            kind: Some(EdgeKind { name: "object property".into(), role: Role::Member }),
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
