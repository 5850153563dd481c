//! Emits the records of rows.

use std::borrow::Cow;

use heap_base::json::{each, scalar};
use heap_base::{Error, Map, Result, sums};
use heap_record::{
    Data, Declaration, Declared, Edge, EdgeBatch, Extension, FieldKind, Heap, Line, Node, NodeBatch, Retains,
    Role, Sink, Str, Wants, head,
};
use rusqlite::types::{Value, ValueRef};

use crate::cursor::{Cursor, Found};
use crate::schema::{EDGE_FIELDS, NODE_FIELDS, REST, STRING_FIELDS};
use heap_record::columns::{Cell, FieldTable, Layout, Part};
use heap_record::columns::{kept, object};

/// A declared field and, if it has one, its column: an index among those of its table.
#[derive(Clone, Debug)]
pub(crate) struct DeclaredField {
    pub(crate) name: String,
    pub(crate) kind: FieldKind,
    pub(crate) column: Option<usize>,
}

/// Fields in the form of a declaration.
pub(crate) fn declaration(fields: &[DeclaredField]) -> Vec<(Cow<'_, str>, FieldKind)> {
    fields.iter().map(|f| (Cow::Borrowed(f.name.as_str()), f.kind)).collect()
}

/// A subtype's row of a node.
pub(crate) enum SubRow<'r, 's> {
    /// The current one of a cursor.
    At(&'r Cursor<'s>),
    /// One that was looked up.
    Copy(&'r Found, &'r [Value]),
}

impl SubRow<'_, '_> {
    fn cell(&self, column: usize) -> Cell<'_> {
        match self {
            Self::At(cursor) => cursor.cell(column),
            Self::Copy(_, values) => match values.get(column) {
                None | Some(Value::Null) => Cell::Null,
                Some(Value::Integer(n)) => Cell::Int(*n),
                Some(Value::Real(x)) => Cell::Real(*x),
                Some(Value::Text(text)) => Cell::Text(text.as_str().into()),
                Some(Value::Blob(bytes)) => Cell::Text(String::from_utf8_lossy(bytes)),
            },
        }
    }
}

/// Columns of `node` that need no declaration.
#[derive(Debug)]
pub(crate) struct NodeColumns {
    pub(crate) id: Option<usize>,
    subtype: Option<usize>,
    /// In the order of [`Heap`].
    heap: [Option<usize>; 10],
    rest: Option<usize>,
}

impl NodeColumns {
    pub(crate) fn new(table: &Found) -> Self {
        let at = |i: usize| NODE_FIELDS.get(i).and_then(|(_, column)| table.column(column));
        Self { id: at(0), subtype: at(1), heap: std::array::from_fn(|i| at(i + 2)), rest: table.column(REST) }
    }
}

/// Columns of `edge` or `strings` that need no declaration.
#[derive(Debug)]
pub(crate) struct Columns {
    at: [Option<usize>; 4],
    rest: Option<usize>,
}

impl Columns {
    pub(crate) fn edge(table: &Found) -> Self {
        Self { at: EDGE_FIELDS.map(|(_, column)| table.column(column)), rest: table.column(REST) }
    }

    pub(crate) fn strings(table: &Found) -> Self {
        let [id, data] = STRING_FIELDS.map(|(_, column)| table.column(column));
        Self { at: [id, data, None, None], rest: table.column(REST) }
    }
}

/// What a subtype declares.
#[derive(Debug, Default)]
pub(crate) struct Subtype {
    pub(crate) fields: Vec<DeclaredField>,
    /// Number of its table's cursor.
    pub(crate) sub: Option<usize>,
}

/// Emits records. Knows the declarations so far.
pub(crate) struct Emitter<'k> {
    pub(crate) sink: &'k mut dyn Sink,
    pub(crate) wants: Wants,
    node_fields: Vec<DeclaredField>,
    subtypes: Map<u32, Subtype>,
    layouts: Map<u32, Layout>,
    edge_part: Part,
    string_part: Part,
    own: Vec<u8>,
    heap: Vec<u8>,
    rest: Vec<u8>,
}

/// The part of a record whose fields are all in its own row.
pub(crate) fn part(fields: &[DeclaredField]) -> Part {
    let mut part = Part::default();
    for f in fields {
        if let Some(column) = f.column {
            part.add(&f.name, f.kind, FieldTable::Main, column, false);
        }
    }
    part
}

impl<'k> Emitter<'k> {
    pub(crate) fn new(sink: &'k mut dyn Sink) -> Self {
        let wants = sink.wants();
        Self {
            sink,
            wants,
            node_fields: Vec::new(),
            subtypes: Map::default(),
            layouts: Map::default(),
            edge_part: Part::default(),
            string_part: Part::default(),
            own: Vec::new(),
            heap: Vec::new(),
            rest: Vec::new(),
        }
    }

    pub(crate) fn metadata(&mut self, key: &str, value: &str) -> Result {
        head::metadata(self.sink, key, value)
    }

    /// Emits a `type` record. `line`: the members of its line, if that says more.
    pub(crate) fn record_type(
        &mut self,
        name: &str,
        fields: Vec<DeclaredField>,
        line: Option<&[u8]>,
    ) -> Result {
        let kinds = declaration(&fields);
        declare(self.sink, Declared::Record { name, fields: &kinds }, line)?;
        match name {
            "node" => {
                self.node_fields = fields;
                self.layouts.clear();
            }
            "edge" => self.edge_part = part(&fields),
            "string" => self.string_part = part(&fields),
            _ => {}
        }
        Ok(())
    }

    pub(crate) fn node_type(
        &mut self,
        id: u32,
        name: &str,
        table: Option<&str>,
        subtype: Subtype,
        line: Option<&[u8]>,
    ) -> Result {
        let kinds = declaration(&subtype.fields);
        declare(self.sink, Declared::Node { id, name, table, fields: &kinds }, line)?;
        self.subtypes.insert(id, subtype);
        self.layouts.remove(&id);
        Ok(())
    }

    /// Emits the row of `edge_types` at the cursor.
    pub(crate) fn edge_type(&mut self, cursor: &Cursor<'_>) -> Result {
        let column = |name| cursor.table().column(name);
        let id = cursor.subtype(column("edgetypeid"), "edgetypeid")?;
        let name = cursor.text(column("name")).unwrap_or_default();
        let retains = match cursor.text(column("heap_retains")) {
            None => Retains::Yes,
            Some(word) => Retains::from_name(&word)
                .ok_or_else(|| cursor.error("expected yes, no, root or weak in heap_retains"))?,
        };
        let role = match cursor.text(column("heap_role")) {
            None => None,
            Some(word) => Some(Role::from_name(&word).ok_or_else(|| {
                cursor.error("expected member, element, variable, static or inner in heap_role")
            })?),
        };
        let object = rest_of(cursor, column(REST))?;
        let rest = kept(&object, "rest").unwrap_or_default();
        self.sink.declare(&Declared::Edge { id, name: &name, retains, role, rest }.into())
    }

    pub(crate) fn string(&mut self, cursor: &Cursor<'_>, columns: &Columns) -> Result {
        let [id, data, ..] = columns.at;
        let id = cursor.must(id, "stringid")?;
        self.rest.clear();
        members(&mut self.rest, cursor, columns.rest, &self.string_part)?;
        let text = match data.map(|c| cursor.value(c)) {
            Some(ValueRef::Text(bytes) | ValueRef::Blob(bytes)) => {
                let text = String::from_utf8_lossy(bytes);
                if matches!(text, Cow::Owned(_)) && self.rest.is_empty() {
                    self.rest.extend_from_slice(b"\"heap\":{\"bytes\":\"");
                    for b in bytes {
                        self.rest.extend_from_slice(&hex(*b));
                    }
                    self.rest.extend_from_slice(b"\"}");
                }
                text
            }
            Some(ValueRef::Null) | None => return Err(cursor.error("expected text in data")),
            Some(_) => cursor.text(data).unwrap_or_default(),
        };
        self.sink.string(&Str { id, data: Data::Plain(&text), rest: &self.rest, ..Str::default() })
    }

    /// The table of its subtype in which the cursor's node may have a row.
    pub(crate) fn sub_of(&self, cursor: &Cursor<'_>, columns: &NodeColumns) -> Result<Option<usize>> {
        let subtype = cursor.subtype(columns.subtype, "nodetypeid")?;
        Ok(self.subtypes.get(&subtype).and_then(|s| s.sub))
    }

    pub(crate) fn node(
        &mut self,
        cursor: &Cursor<'_>,
        columns: &NodeColumns,
        sub: Option<&SubRow<'_, '_>>,
    ) -> Result {
        let id = cursor.must(columns.id, "identifier")?;
        let subtype = cursor.subtype(columns.subtype, "nodetypeid")?;
        if !self.layouts.contains_key(&subtype) {
            let layout = self.layout(subtype);
            self.layouts.insert(subtype, layout);
        }
        let [size, class, name, external, count, retained, from, idom, distance, reachable] = columns.heap;
        let mut heap = Heap {
            size: cursor.size(size)?,
            class: cursor.int(class)?,
            name: cursor.int(name)?,
            external: cursor.size(external)?,
            count: cursor.size(count)?,
            retained: cursor.size(retained)?,
            retained_from: cursor.size(from)?,
            idom: cursor.int(idom)?,
            distance: cursor.int(distance)?,
            reachable: cursor.int(reachable)?.map(|n| n != 0),
            rest: &[],
        };
        self.own.clear();
        self.heap.clear();
        self.rest.clear();
        let object = rest_of(cursor, columns.rest)?;
        if let Some(big) = kept(&object, "big") {
            for (key, raw) in each(big) {
                let n = scalar(raw).and_then(|json| json.as_int()).map(|n| n as u64);
                match key {
                    "size" => heap.size = n,
                    "external" => heap.external = n,
                    "count" => heap.count = n,
                    "retained" => heap.retained = n.map(sums::read),
                    "retained_from" => heap.retained_from = n,
                    _ => {}
                }
            }
        }
        if self.wants.node_details()
            && let Some(layout) = self.layouts.get(&subtype)
        {
            let parts = [
                ("own", &layout.own, &mut self.own),
                ("heap", &layout.heap, &mut self.heap),
                ("rest", &layout.rest, &mut self.rest),
            ];
            for (name, part, buf) in parts {
                if let Some(members) = kept(&object, name) {
                    buf.extend_from_slice(members);
                    continue;
                }
                let get = |table, column| match (table, sub) {
                    (FieldTable::Main, _) => cursor.cell(column),
                    (FieldTable::Sub, Some(row)) => row.cell(column),
                    (FieldTable::Sub, None) => Cell::Null,
                };
                part.render(
                    buf,
                    |slot| Ok(get(slot.table, slot.column)),
                    |slot, what| match (slot.table, sub) {
                        (FieldTable::Main, _) => cursor.wrong(slot.column, what),
                        (FieldTable::Sub, Some(SubRow::At(sub))) => sub.wrong(slot.column, what),
                        (FieldTable::Sub, Some(SubRow::Copy(table, _))) => {
                            let column = table.columns.get(slot.column).map_or("", String::as_str);
                            Error::input(format!("table {}, node {id}: {what} in {column}", table.name))
                        }
                        (FieldTable::Sub, None) => cursor.error(what),
                    },
                )?;
            }
        }
        heap.rest = &self.heap;
        let (own, rest) = (&self.own, &self.rest);
        let node = Node { subtype, id, own, heap, rest, ..Node::default() };
        self.sink.nodes(&NodeBatch::one(&node))
    }

    fn layout(&self, subtype: u32) -> Layout {
        let mut layout = Layout::default();
        let known = self.subtypes.get(&subtype);
        let subs = known.map_or(&[][..], |s| &s.fields).iter().map(|f| (f, FieldTable::Sub));
        for (f, table) in subs.chain(self.node_fields.iter().map(|f| (f, FieldTable::Main))) {
            if let Some(column) = f.column {
                layout.add(&f.name, f.kind, table, column);
            }
        }
        layout
    }

    #[inline]
    pub(crate) fn edge(&mut self, cursor: &Cursor<'_>, columns: &Columns) -> Result {
        let [subtype, source, dest, label] = columns.at;
        let subtype = cursor.subtype(subtype, "edgetypeid")?;
        let source = cursor.must(source, "source")?;
        let (dest, label) = (cursor.int(dest)?, cursor.int(label)?);
        self.rest.clear();
        members(&mut self.rest, cursor, columns.rest, &self.edge_part)?;
        let edge = Edge { subtype, source, dest, label, rest: &self.rest, ..Edge::default() };
        self.sink.edges(&EdgeBatch::one(&edge))
    }

    pub(crate) fn extension(&mut self, cursor: &Cursor<'_>, kind: &str, part: &Part) -> Result {
        self.rest.clear();
        members(&mut self.rest, cursor, cursor.table().column(REST), part)?;
        self.sink.extension(&Extension { kind, body: &self.rest, ..Extension::default() })
    }
}

fn hex(b: u8) -> [u8; 2] {
    [b >> 4, b & 15].map(|digit| b"0123456789abcdef"[usize::from(digit)])
}

/// Appends the members of a record that has one table.
fn members(buf: &mut Vec<u8>, cursor: &Cursor<'_>, rest: Option<usize>, part: &Part) -> Result {
    let object = rest_of(cursor, rest)?;
    if let Some(members) = kept(&object, "rest") {
        buf.extend_from_slice(members);
        return Ok(());
    }
    part.render(buf, |slot| Ok(cursor.cell(slot.column)), |slot, what| cursor.wrong(slot.column, what))
}

/// What `heap_rest` holds, without its braces.
#[inline]
pub(crate) fn rest_of(cursor: &Cursor<'_>, column: Option<usize>) -> Result<Vec<u8>> {
    match column.map(|c| (c, cursor.value(c))) {
        None | Some((_, ValueRef::Null)) => Ok(Vec::new()),
        Some((column, ValueRef::Text(bytes))) => std::str::from_utf8(bytes)
            .ok()
            .and_then(object)
            .ok_or_else(|| cursor.wrong(column, "expected a JSON object")),
        Some((column, _)) => Err(cursor.wrong(column, "expected a JSON object")),
    }
}

/// Emits a declaration. `members` are those of its line, if that says more than `what`.
fn declare(sink: &mut dyn Sink, what: Declared<'_>, members: Option<&[u8]>) -> Result {
    let Some(members) = members else { return sink.declare(&what.into()) };
    let bytes = [b"{", members, b"}"].concat();
    sink.declare(&Declaration { what, line: Line { bytes: &bytes, ..Line::default() } })
}
