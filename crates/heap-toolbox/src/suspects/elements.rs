//! The class of an element of a page is its tag: Chromium writes the attributes into the name of each.

use std::borrow::Cow;

use heap_base::{Map, Result};
use heap_record::StringId;

use heap_ops::graph::NamedGraph;

/// What Chromium has written in front of an element that is in no document.
const DETACHED: &str = "Detached ";

/// `<a` of `<a href="/" class="card">`; `None` of what is no element, or is its tag already.
fn tag(class: &str) -> Option<&str> {
    let detached = class.strip_prefix(DETACHED);
    let element = detached.unwrap_or(class);
    let inside = element.strip_prefix('<')?;
    let name = &inside[..inside.find([' ', '>'])?];
    let is_letter = |c: char| !matches!(c, '<' | '"' | '\'' | '(' | ',');
    let is_name = name.starts_with(char::is_alphabetic) && name.chars().all(is_letter);
    let rest = &inside[name.len()..];
    let has_attributes = rest.starts_with(' ') && rest.contains("=\"");
    let is_bare = detached.is_some() && rest == ">";
    (is_name && (has_attributes || is_bare)).then(|| &element[..=name.len()])
}

/// A class without attributes: `<a>` of `<a href="/">`.
pub(super) fn bare(class: &str) -> Cow<'_, str> {
    tag(class).map_or(Cow::Borrowed(class), |tag| Cow::Owned(format!("{tag}>")))
}

/// The class of a node; of an element its tag.
pub(super) fn class_of(loaded: &NamedGraph, node: u32) -> Result<String> {
    let class = loaded.class(node)?;
    Ok(match bare(&class) {
        Cow::Borrowed(_) => class,
        Cow::Owned(bare) => bare,
    })
}

/// Of each element's class the one that stands for all of its tag. One pass over the nodes, if the dump is of a page.
pub(super) fn tags(loaded: &NamedGraph) -> Map<StringId, StringId> {
    let heap = &loaded.heap;
    let mut types = loaded.context.types.node_types().into_iter();
    let Some(native) = types.find(|of| of.name == NATIVE).map(|of| u64::from(of.id)) else {
        return Map::default();
    };
    let (mut known, mut first): (Map<StringId, Option<StringId>>, Map<String, StringId>) = Default::default();
    for node in (0..).zip(heap.subtypes.iter()).filter(|of| of.1 == native).map(|of| of.0) {
        let Some(class) = heap.class(node) else { continue };
        known.entry(class).or_insert_with(|| {
            let text = loaded.context.strings.text_or_number(class).unwrap_or_default();
            let bare = || Some(text.strip_suffix('>')?).filter(|text| text.starts_with('<'));
            let tag = tag(&text).or_else(bare)?;
            Some(*first.entry(tag.to_owned()).or_insert(class))
        });
    }
    known.into_iter().filter_map(|(class, of)| Some((class, of?))).filter(|of| of.0 != of.1).collect()
}

/// The subtype of what is made in the page and not by its script.
const NATIVE: &str = "native";

#[cfg(test)]
mod tests {
    use super::tag;

    #[test]
    fn the_tag_of_an_element_is_what_stands_before_its_attributes() {
        assert_eq!(tag("<a href=\"/\" class=\"card\">"), Some("<a"));
        assert_eq!(tag("Detached <my-row id=\"row 7\">"), Some("<my-row"));
        assert_eq!(tag("Detached <li>"), Some("<li"));
        // The source cuts long names.
        assert_eq!(tag("<svg:path d=\"M 0 0 L 10"), Some("<svg:path"));
        for other in
            ["<a>", "<main>", "HTMLDivElement", "<anon|12>", "<optimized out>", "< \"x\">", "a=\"b\""]
        {
            assert_eq!(tag(other), None, "{other}");
        }
    }
}
