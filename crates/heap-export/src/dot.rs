//! A drawing in the language of Graphviz: a box for each node, an arrow for each edge, dashed where it does not retain.

use heap_base::Result;
use heap_ops::select::field::{source_number, type_name};
use heap_ops::stream::Context;
use heap_record::{Edge, LeftOut, Node, Retains, Wants};

use crate::lines::Lines;

pub(crate) struct Dot;

/// Text longer than this is cut: nobody reads it in a box.
const MOST: usize = 60;

impl Lines for Dot {
    fn wants(&self) -> Wants {
        Wants { references: true, ..Wants::ALL }
    }

    fn head(&mut self, out: &mut Vec<u8>, _: &Context) {
        out.extend_from_slice(b"digraph heap {\nnode [shape=box fontname=\"sans-serif\"];\n");
    }

    fn node(&mut self, out: &mut Vec<u8>, node: &Node<'_>, context: &Context) -> Result {
        let number = source_number(node).unwrap_or_else(|| context.rule.number(node.id));
        push_id(out, node.id);
        out.extend_from_slice(b" [label=\"");
        push_text(out, &type_name(node, &context.types, &context.strings)?);
        let name = node.heap.name.map(|name| context.strings.text_or_number(name)).transpose()?;
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            out.push(b' ');
            push_text(out, &name);
        }
        let size = node.heap.size.unwrap_or(0);
        out.extend_from_slice(format!("\\n@{number}, {size} bytes").as_bytes());
        if let Some(retained) = node.heap.retained {
            out.extend_from_slice(format!(", retains {retained}").as_bytes());
        }
        out.extend_from_slice(b"\"];\n");
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
        push_id(out, edge.source);
        out.extend_from_slice(b" -> ");
        push_id(out, dest);
        out.extend_from_slice(b" [label=\"");
        if let Some(label) = edge.label {
            push_text(out, &context.strings.text_or_number(label)?);
        }
        out.push(b'"');
        if context.types.retains(edge.subtype) == Retains::No {
            out.extend_from_slice(b" style=dashed");
        }
        out.extend_from_slice(b"];\n");
        Ok(())
    }

    fn end(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"}\n");
    }
}

/// A name that the language takes without quotes.
fn push_id(out: &mut Vec<u8>, id: i64) {
    out.extend_from_slice(if id < 0 { b"m" } else { b"n" });
    out.extend_from_slice(itoa::Buffer::new().format(id.unsigned_abs()).as_bytes());
}

/// Text in quotes. A backslash would begin an escape, and a line end would end the label.
fn push_text(out: &mut Vec<u8>, text: &str) {
    for (i, c) in text.chars().enumerate() {
        match c {
            _ if i == MOST => {
                out.extend_from_slice("…".as_bytes());
                return;
            }
            '"' | '\\' => out.extend_from_slice(&[b'\\', c as u8]),
            c if c.is_control() => out.push(b' '),
            c => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
}
