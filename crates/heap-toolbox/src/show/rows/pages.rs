//! Objects for people: a heading, the fields, what refers to it and what it refers to.

use std::borrow::Cow;

use crate::show::{ShownEdge, ShownNode};

use heap_ops::place::{Source, spell};
use heap_report::text::{cut, human_size, visible, width};
use heap_report::{Layout, Output};

/// Writes the objects, as many of their lines as fit, and how many are left, with the `more` that there are.
pub(super) fn write(
    nodes: &[ShownNode],
    more: usize,
    layout: &Layout,
    out: &mut dyn Output,
) -> heap_base::Result {
    let screen = out.screen();
    let room = layout.width(screen);
    // Lines left on the screen; with -n each section has so many.
    let mut left = layout.lines(screen, 1).filter(|_| layout.limit.is_none());
    let mut rest = nodes.len() + more;
    for (i, node) in nodes.iter().enumerate() {
        let page = Page::new(node, layout);
        let mut lines = if i > 0 { vec![String::new()] } else { Vec::new() };
        let most = left.map(|left| left.saturating_sub(1));
        if i > 0 && most.is_some_and(|most| most < page.len() + 1) {
            break;
        }
        lines.extend(page.lines(most, layout.limit));
        left = left.map(|left| left.saturating_sub(lines.len()));
        put(&lines, room, out)?;
        rest -= 1;
    }
    if rest > 0 {
        let what = if rest == 1 { "object" } else { "objects" };
        put(&[String::new(), format!("… {rest} more {what} (-n all)")], room, out)?;
    }
    Ok(())
}

fn put(lines: &[String], room: Option<usize>, out: &mut dyn Output) -> heap_base::Result {
    for line in lines {
        let mut shown = String::new();
        visible(&mut shown, line);
        let shown = room.map_or(shown.clone(), |room| cut(&shown, room));
        writeln!(out, "{}", shown.trim_end()).map_err(heap_base::Error::write)?;
    }
    Ok(())
}

/// The lines of an object, by section: a title, and what stands below it.
struct Page {
    head: String,
    sections: [(String, Vec<String>); 4],
}

impl Page {
    fn new(node: &ShownNode, layout: &Layout) -> Self {
        let size = |bytes: u64| if layout.plain { bytes.to_string() } else { human_size(bytes) };
        let field = |name: &str| node.fields.get(name).and_then(|bytes| bytes.parse::<u64>().ok());
        let mut head = name(&node.class, node.name.as_deref(), node.source.as_ref(), Some(node.number));
        if node.class != format!("({})", node.subtype) {
            head.extend(["   (", &node.subtype, ")"]);
        }
        for (what, key) in
            [("size", "heap.size"), ("external", "heap.external"), ("retained", "heap.retained")]
        {
            if let Some(bytes) = field(key) {
                head.extend(["   ", what, " ", &size(bytes)]);
            }
        }
        if let Some(file) = &node.file {
            head.extend(["   file ", file]);
        }
        if let Some(snapshot) = &node.snapshot {
            head.extend(["   snapshot ", snapshot]);
        }
        let in_head = ["heap.size", "heap.external", "heap.retained"];
        let fields = node.fields.iter().filter(|field| !in_head.contains(&field.0));
        let fields = aligned(fields.map(|(name, value)| [name.into(), value.into(), "".into()]), layout.wide);
        let edges = |edges: &[ShownEdge]| {
            let row = |edge: &ShownEdge| {
                let end = &edge.end;
                let value = match (end.id, &end.class) {
                    (_, Some(class)) => name(class, end.name.as_deref(), edge.source.as_deref(), end.number),
                    // A small integer is its own value.
                    (Some(id), None) if id & 1 == 0 => (id >> 1).to_string(),
                    (Some(_), None) => end.number.map_or(String::new(), |n| format!("@{n}, not in the dump")),
                    (None, None) => end.name.as_deref().unwrap_or("a number").to_owned(),
                };
                let bytes = end.size.map_or(String::new(), |bytes| format!("   {}", size(bytes)));
                let kind = if layout.wide { format!("   ({})", edge.kind.name) } else { String::new() };
                [
                    spell::edge(edge.label.as_deref(), edge.kind.role, &edge.kind.name).into(),
                    value.into(),
                    format!("{bytes}{kind}").into(),
                ]
            };
            aligned(edges.iter().map(row), layout.wide)
        };
        let title = |what: &str, n: usize| if n == 0 { String::new() } else { format!("{what} ({n})") };
        Self {
            head,
            sections: [
                (String::new(), fields),
                (title("Allocated at", node.stack.len()), node.stack.iter().map(Source::whole).collect()),
                (title("Held by", node.into.len()), edges(&node.into)),
                (title("Refers to", node.out.len()), edges(&node.out)),
            ],
        }
    }

    /// How many lines all of it takes.
    fn len(&self) -> usize {
        let section = |(title, lines): &(String, Vec<String>)| usize::from(!title.is_empty()) + lines.len();
        1 + self.sections.iter().map(section).sum::<usize>()
    }

    /// All lines, or `most`; no more than `limit` in each section.
    fn lines(&self, most: Option<usize>, limit: Option<usize>) -> Vec<String> {
        let mut lines = vec![self.head.clone()];
        // What the sections need in all, with their titles; the first to be cut leaves an equal part to the others.
        let mut left = most.map(|most| most.saturating_sub(1));
        for (i, (title, section)) in self.sections.iter().enumerate() {
            let heading = usize::from(!title.is_empty());
            let later: usize =
                self.sections[i + 1..].iter().map(|s| s.1.len() + usize::from(!s.0.is_empty())).sum();
            let share = left.map(|left| {
                let equal = left / (self.sections.len() - i);
                left.saturating_sub(later).max(equal).saturating_sub(heading).max(1)
            });
            let shown = match limit.or(share) {
                Some(most) if section.len() > most && limit.is_none() => most.saturating_sub(1),
                Some(most) => most.min(section.len()),
                None => section.len(),
            };
            let before = lines.len();
            lines.extend((heading > 0).then(|| title.clone()));
            lines.extend(section[..shown].iter().map(|line| format!("  {line}")));
            if shown < section.len() {
                let hint = if limit.is_none() { " (-n all)" } else { "" };
                lines.push(format!("  … {} more{hint}", section.len() - shown));
            }
            left = left.map(|left| left.saturating_sub(lines.len() - before));
        }
        lines
    }
}

/// `Session @6163`, `string_flat "Ada" @7`, `(closure) onConfig (app.js:40:12) @9`.
fn name(class: &str, name: Option<&str>, source: Option<&Source>, number: Option<i64>) -> String {
    let own = match source {
        Some(source) => source.short(),
        None => name.unwrap_or_default().to_owned(),
    };
    let gap = if own.is_empty() { "" } else { " " };
    let own = cut(&format!("{gap}{own}"), 60);
    number.map_or(format!("{class}{own}"), |number| format!("{class}{own} @{number}"))
}

/// Rows with their first cells as wide as the widest.
fn aligned<'a>(rows: impl Iterator<Item = [Cow<'a, str>; 3]> + Clone, wide: bool) -> Vec<String> {
    let most = if wide { usize::MAX } else { 30 };
    let first = rows.clone().map(|row| width(&row[0])).max().unwrap_or(0).min(most);
    rows.map(|[label, value, rest]| {
        let label = cut(&label, first);
        let pad = " ".repeat(first.saturating_sub(width(&label)));
        format!("{label}{pad}  {value}{rest}")
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use heap_ops::graph::EdgeKind;
    use heap_record::Role;

    fn page(incoming: usize, outgoing: usize) -> Page {
        let end = ShownEdge {
            kind: EdgeKind { name: "array element".into(), role: Role::Element }.into(),
            label: Some("0".into()),
            ..ShownEdge::default()
        };
        let node = ShownNode {
            class: "Map".into(),
            number: 3,
            into: vec![end.clone(); incoming],
            out: vec![end; outgoing],
            ..ShownNode::default()
        };
        Page::new(&node, &Layout::default())
    }

    #[test]
    fn incoming_edges_leave_room_for_outgoing_ones() {
        for most in 5..40 {
            for (incoming, outgoing) in [(100, 100), (100, 2), (2, 100), (0, 100), (3, 3)] {
                let page = page(incoming, outgoing);
                let lines = page.lines(Some(most), None);
                assert!(lines.len() <= most.max(7), "{most}: {lines:?}");
                assert!(lines.len() == page.len() || lines.iter().any(|line| line.contains("more (-n all)")));
                assert!(outgoing == 0 || lines.iter().any(|line| line.starts_with("Refers to")));
            }
        }
        assert_eq!(page(5, 3).lines(None, Some(2)).len(), 1 + 2 * 4);
    }
}
