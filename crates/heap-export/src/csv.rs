//! Nodes or edges as comma-separated values, with names written out. Text stands as it is: whoever opens the file in a
//! spreadsheet should have it take cells as text.

use heap_base::json::{each, inside, member, scalar};
use heap_base::{Names, Result, sort_by_key};
use heap_ops::select::Field;
use heap_ops::select::field::source_number;
use heap_ops::stream::Context;
use heap_record::types::OwnedFields;
use heap_record::wants::{Edges, Nodes};
use heap_record::{Declared, Edge, FieldKind, LeftOut, Node, StringId, Wants};

use crate::lines::Lines;

/// What the rows are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Table {
    /// Nodes.
    #[default]
    Nodes,
    /// Edges.
    Edges,
}

/// The columns that every table of nodes has.
const NODE: [&str; 12] = [
    "identifier",
    "number",
    "subtype",
    "class",
    "name",
    "size",
    "external",
    "count",
    "retained",
    "idom",
    "distance",
    "reachable",
];

/// The columns that every table of edges has.
const EDGE: [&str; 5] = ["source", "dest", "value", "subtype", "label"];

/// Fields that the columns above show.
const SHOWN: [&str; 16] = [
    "identifier",
    "subtype",
    "source",
    "dest",
    "label",
    "heap.value",
    "heap.class",
    "heap.name",
    "heap.size",
    "heap.external",
    "heap.count",
    "heap.retained",
    "heap.idom",
    "heap.distance",
    "heap.reachable",
    "v8.id",
];

pub(crate) struct Csv {
    table: Table,
    /// Further columns, as the stream declares them.
    fields: Vec<Column>,
    /// The names of their fields.
    names: Names,
}

/// A column of a declared field.
struct Column {
    field: Field,
    /// The number of its name.
    number: u32,
    shows: Shows,
}

/// The value of each of so many columns is looked up by its name. Beyond that each member finds its columns: to look for all
/// columns would take the product of both numbers.
const FEW: usize = 32;

/// Which values of a field a column has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shows {
    All,
    /// Identifiers of nodes.
    Nodes,
    /// Small integers.
    Small,
}

impl Column {
    /// The columns of a field: two where it may hold a node or a small integer, which have the same digits.
    fn of(name: &str, number: u32, kind: FieldKind, table: Table) -> Vec<Self> {
        let shows = match kind {
            FieldKind::Value if table == Table::Nodes => &[Shows::Nodes, Shows::Small][..],
            _ => &[Shows::All],
        };
        shows.iter().map(|&shows| Self { field: Field::new(name), number, shows }).collect()
    }

    fn heading(&self) -> String {
        let suffix = if self.shows == Shows::Small { ".value" } else { "" };
        format!("{}{suffix}", self.field.name())
    }

    /// The raw value of a node.
    fn raw<'a>(&self, node: &Node<'a>) -> Option<&'a [u8]> {
        let name = self.field.name();
        let raw = member(node.own, name).or_else(|| member(node.rest, name));
        raw.or_else(|| member(node.heap.rest, name.strip_prefix("heap.")?))
    }

    /// True if a raw value is one that this column shows.
    fn wants(&self, raw: Option<&[u8]>) -> bool {
        let odd =
            || raw.and_then(scalar).and_then(|value| value.as_int()).is_some_and(|value| value & 1 == 1);
        match self.shows {
            Shows::All => true,
            Shows::Nodes => odd(),
            Shows::Small => !odd(),
        }
    }
}

/// Members by the numbers of their names.
struct Found<'a>(Vec<(u32, &'a [u8])>);

impl<'a> Found<'a> {
    /// Of all members with a name of `names` the last, and of a node's those that count, from the least: of `heap`, of its
    /// namespaces, its own.
    fn of(names: &Names, heap: &'a [u8], rest: &'a [u8], own: &'a [u8]) -> Self {
        let mut found = Vec::new();
        let mut see = |name: &str, raw| found.extend(names.find(name).map(|number| (number, raw)));
        for (name, raw) in each(heap) {
            see(name, raw);
            see(&format!("heap.{name}"), raw);
        }
        for (key, raw) in each(rest) {
            see(key, raw);
            for (name, raw) in inside(raw).into_iter().flat_map(each) {
                see(&format!("{key}.{name}"), raw);
            }
        }
        for (name, raw) in each(own) {
            see(name, raw);
        }
        // The order of those with one number stays.
        sort_by_key(&mut found, |(number, _)| *number);
        Self(found)
    }

    /// The member with this number: they are asked for in order, from `at` on.
    fn next(&self, number: u32, at: &mut usize) -> Option<&'a [u8]> {
        let below = self.0[*at..].iter().take_while(|found| found.0 < number).count();
        *at += below;
        self.0[*at..].iter().take_while(|found| found.0 == number).last().map(|found| found.1)
    }
}

impl Csv {
    pub(crate) fn new(table: Table) -> Self {
        Self { table, fields: Vec::new(), names: Names::default() }
    }
}

impl Lines for Csv {
    fn wants(&self) -> Wants {
        match self.table {
            Table::Nodes => Wants { edges: Edges::None, ..Wants::ALL },
            Table::Edges => Wants { nodes: Nodes::None, ..Wants::ALL },
        }
    }

    fn changes_head(&self, declared: &Declared<'_>) -> bool {
        let fields = match *declared {
            Declared::Record { name: "node", fields } | Declared::Node { fields, .. }
                if self.table == Table::Nodes =>
            {
                fields
            }
            Declared::Record { name: "edge", fields } if self.table == Table::Edges => fields,
            _ => &[],
        };
        fields.iter().any(|(name, _)| !SHOWN.contains(&&**name) && self.names.find(name).is_none())
    }

    fn head(&mut self, out: &mut Vec<u8>, context: &Context) {
        let types = &context.types;
        let (record, fixed): (_, &[&str]) = match self.table {
            Table::Nodes => ("node", &NODE),
            Table::Edges => ("edge", &EDGE),
        };
        self.names = Names::default();
        let mut columns: Vec<Column> = Vec::new();
        let own = types.node_types().into_iter().filter(|_| self.table == Table::Nodes);
        let fields =
            types.record(record).into_iter().chain(own.map(|t| &t.fields)).flat_map(OwnedFields::iter);
        for (name, kind) in fields {
            let distance = self.table == Table::Edges && name == "heap.distance";
            let number = self.names.len() as u32;
            if (!SHOWN.contains(&name) || distance) && self.names.insert(name) == number {
                columns.extend(Column::of(name, number, kind, self.table));
            }
        }
        let fixed = fixed.iter().map(|&name| name.to_owned());
        for (i, name) in fixed.chain(columns.iter().map(Column::heading)).enumerate() {
            separate(out, i);
            push_cell(out, &name);
        }
        out.extend_from_slice(b"\r\n");
        self.fields = columns;
    }

    fn node(&mut self, out: &mut Vec<u8>, node: &Node<'_>, context: &Context) -> Result {
        if self.table != Table::Nodes {
            return Ok(());
        }
        let heap = &node.heap;
        push_int(out, Some(node.id));
        out.push(b',');
        push_int(out, source_number(node).or(Some(context.rule.number(node.id))));
        out.push(b',');
        push_cell(out, &context.types.node_name(node.subtype));
        for text in [heap.class, heap.name] {
            out.push(b',');
            push_text(out, text, context)?;
        }
        for number in [heap.size, heap.external, heap.count, heap.retained] {
            out.push(b',');
            push_uint(out, number);
        }
        for number in [heap.idom, heap.distance] {
            out.push(b',');
            push_int(out, number);
        }
        out.push(b',');
        if let Some(reachable) = heap.reachable {
            out.extend_from_slice(if reachable { b"true" } else { b"false" });
        }
        let more = !(node.own.is_empty() && node.rest.is_empty() && heap.rest.is_empty());
        let Context { types, strings, .. } = context;
        let many = more && self.fields.len() > FEW;
        let found = many.then(|| Found::of(&self.names, heap.rest, node.rest, node.own));
        let mut at = 0;
        for column in &self.fields {
            out.push(b',');
            let content = match found.as_ref().filter(|_| !column.field.is_common()) {
                _ if !more => None,
                Some(found) => match found.next(column.number, &mut at) {
                    Some(raw) if column.wants(Some(raw)) => {
                        column.field.decode(raw, node.subtype, types, strings)?
                    }
                    _ => None,
                },
                None if column.shows == Shows::All || column.wants(column.raw(node)) => {
                    column.field.of(node, context)?
                }
                None => None,
            };
            if let Some(content) = content {
                push_cell(out, &content.text());
            }
        }
        out.extend_from_slice(b"\r\n");
        Ok(())
    }

    fn edge(&mut self, out: &mut Vec<u8>, edge: &Edge<'_>, context: &Context, _: &mut LeftOut) -> Result {
        if self.table != Table::Edges {
            return Ok(());
        }
        let field = |field: &Field| field.of_edge(edge, &context.types, &context.strings);
        push_int(out, Some(edge.source));
        out.push(b',');
        push_int(out, edge.dest.filter(|dest| dest & 1 != 0));
        out.push(b',');
        match edge.dest {
            Some(small) if small & 1 == 0 => push_int(out, Some(small >> 1)),
            Some(_) => {}
            None => {
                if let Some(value) = field(&Field::new("heap.value"))? {
                    push_cell(out, &value.text());
                }
            }
        }
        out.push(b',');
        push_cell(out, &context.types.edge_name(edge.subtype));
        out.push(b',');
        push_text(out, edge.label, context)?;
        let many = !edge.rest.is_empty() && self.fields.len() > FEW;
        let found = many.then(|| Found::of(&self.names, b"", edge.rest, b""));
        let mut at = 0;
        for column in &self.fields {
            out.push(b',');
            let content = match &found {
                _ if edge.rest.is_empty() => None,
                Some(found) => found.next(column.number, &mut at).map_or(Ok(None), |raw| {
                    column.field.decode_of_edge(raw, &context.types, &context.strings)
                })?,
                None => field(&column.field)?,
            };
            if let Some(content) = content {
                push_cell(out, &content.text());
            }
        }
        out.extend_from_slice(b"\r\n");
        Ok(())
    }

    fn end(&mut self, _: &mut Vec<u8>) {}
}

fn separate(out: &mut Vec<u8>, column: usize) {
    if column > 0 {
        out.push(b',');
    }
}

fn push_int(out: &mut Vec<u8>, n: Option<i64>) {
    if let Some(n) = n {
        out.extend_from_slice(itoa::Buffer::new().format(n).as_bytes());
    }
}

fn push_uint(out: &mut Vec<u8>, n: Option<u64>) {
    if let Some(n) = n {
        out.extend_from_slice(itoa::Buffer::new().format(n).as_bytes());
    }
}

fn push_text(out: &mut Vec<u8>, id: Option<StringId>, context: &Context) -> Result {
    if let Some(id) = id {
        push_cell(out, &context.strings.text_or_number(id)?);
    }
    Ok(())
}

/// A cell, in quotes where RFC 4180 wants them.
fn push_cell(out: &mut Vec<u8>, text: &str) {
    if !text.bytes().any(|b| matches!(b, b',' | b'"' | b'\r' | b'\n')) {
        out.extend_from_slice(text.as_bytes());
        return;
    }
    out.push(b'"');
    for b in text.bytes() {
        if b == b'"' {
            out.push(b'"');
        }
        out.push(b);
    }
    out.push(b'"');
}
