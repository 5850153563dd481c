//! GraphML, for Gephi, yEd, networkx and igraph. Attributes have types; what a node lacks is left out.

use heap_base::Result;
use heap_base::xml::escape;
use heap_ops::select::field::{source_number, type_name};
use heap_ops::stream::Context;
use heap_record::{Edge, LeftOut, Node, Retains, StringId, Wants};

use crate::lines::Lines;

pub(crate) struct GraphMl;

/// Attributes: id, what has it, name, type.
const KEYS: [(&str, &str, &str, &str); 12] = [
    ("number", "node", "number", "string"),
    ("type", "node", "type", "string"),
    ("subtype", "node", "subtype", "string"),
    ("class", "node", "class", "string"),
    ("name", "node", "name", "string"),
    ("size", "node", "size", "long"),
    ("external", "node", "external", "long"),
    ("retained", "node", "retained", "long"),
    ("distance", "node", "distance", "long"),
    ("kind", "edge", "subtype", "string"),
    ("label", "edge", "label", "string"),
    ("retains", "edge", "retains", "boolean"),
];

impl Lines for GraphMl {
    fn wants(&self) -> Wants {
        Wants { references: true, ..Wants::ALL }
    }

    fn head(&mut self, out: &mut Vec<u8>, _: &Context) {
        out.extend_from_slice(
            b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
        );
        for (id, on, name, kind) in KEYS {
            let key = format!("<key id=\"{id}\" for=\"{on}\" attr.name=\"{name}\" attr.type=\"{kind}\"/>\n");
            out.extend_from_slice(key.as_bytes());
        }
        out.extend_from_slice(b"<graph edgedefault=\"directed\">\n");
    }

    fn node(&mut self, out: &mut Vec<u8>, node: &Node<'_>, context: &Context) -> Result {
        let heap = &node.heap;
        out.extend_from_slice(b"<node id=\"n");
        push_digits(out, node.id);
        out.extend_from_slice(b"\">");
        let number = source_number(node).unwrap_or_else(|| context.rule.number(node.id));
        data(out, "number", &format!("@{number}"));
        data(out, "type", &type_name(node, &context.types, &context.strings)?);
        data(out, "subtype", &context.types.node_name(node.subtype));
        for (key, id) in [("class", heap.class), ("name", heap.name)] {
            text(out, key, id, context)?;
        }
        let distance = heap.distance.and_then(|n| u64::try_from(n).ok());
        let numbers = [heap.size, heap.external, heap.retained, distance];
        for (key, n) in ["size", "external", "retained", "distance"].into_iter().zip(numbers) {
            if let Some(n) = n {
                data(out, key, itoa::Buffer::new().format(n));
            }
        }
        out.extend_from_slice(b"</node>\n");
        Ok(())
    }

    fn edge(
        &mut self,
        out: &mut Vec<u8>,
        edge: &Edge<'_>,
        context: &Context,
        left_out: &mut LeftOut,
    ) -> Result {
        let Some(dest) = edge.dest.filter(|dest| dest & 1 != 0) else {
            left_out.add("edges to numbers", 1);
            return Ok(());
        };
        out.extend_from_slice(b"<edge source=\"n");
        push_digits(out, edge.source);
        out.extend_from_slice(b"\" target=\"n");
        push_digits(out, dest);
        out.extend_from_slice(b"\">");
        data(out, "kind", &context.types.edge_name(edge.subtype));
        text(out, "label", edge.label, context)?;
        if context.types.retains(edge.subtype) == Retains::No {
            data(out, "retains", "false");
        }
        out.extend_from_slice(b"</edge>\n");
        Ok(())
    }

    fn end(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"</graph>\n</graphml>\n");
    }
}

fn text(out: &mut Vec<u8>, key: &str, id: Option<StringId>, context: &Context) -> Result {
    if let Some(id) = id {
        data(out, key, &context.strings.text_or_number(id)?);
    }
    Ok(())
}

fn push_digits(out: &mut Vec<u8>, n: i64) {
    out.extend_from_slice(itoa::Buffer::new().format(n).as_bytes());
}

/// An attribute.
fn data(out: &mut Vec<u8>, key: &str, text: &str) {
    out.extend_from_slice(b"<data key=\"");
    out.extend_from_slice(key.as_bytes());
    out.extend_from_slice(b"\">");
    out.extend_from_slice(escape(text).as_bytes());
    out.extend_from_slice(b"</data>");
}
