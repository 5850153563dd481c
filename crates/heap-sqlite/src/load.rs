//! Turns records into rows.

use heap_base::{Error, Map, Result};
use heap_record::write::Counts;
use heap_record::{
    Data, Declaration, Declared, Edge, Extension, FieldKind, Fields, Metadata, Node, Retains, Str,
};
use rusqlite::Connection;

use crate::pairs::Pairs;
use crate::schema::{Affinity, DRAFT, EDGE_FIELDS, MOST_TABLES, NODE_FIELDS, Names, SNAPSHOT, STRING_FIELDS};
use crate::table::{InOrder, Table};
use heap_record::columns::{Cell, FieldTable, Layout, Part, Slot};
use heap_record::columns::{Rest, keep_big, keep_line};

/// Index of `heap_size` among the columns of `node`; the model's others follow.
const HEAP: usize = 2;

/// Fills the tables. Those that got no row are made too, at the end.
#[derive(Debug)]
pub(crate) struct Load {
    /// Number of the last record.
    row: i64,
    counts: Counts,
    /// `version_major` has come, or anything but metadata.
    begun: bool,
    /// The current one of several snapshots.
    snapshot: Option<String>,

    metadata: Table,
    node_types: Table,
    edge_types: Table,
    strings: Table,
    node: Table,
    edge: Table,
    /// For the index on targets of edges.
    dests: Pairs,
    heap_types: Table,
    heap_fields: Table,
    heap_tables: Table,
    heap_other: Table,
    /// Tables of subtypes, and of extension records.
    subs: Vec<Table>,
    others: Vec<Table>,
    names: Names,
    /// Rows of `heap_fields` and `heap_tables`, which are no records.
    field_row: i64,
    table_row: i64,

    string_part: Part,
    edge_part: Part,
    node_fields: Vec<Field>,
    subtypes: Map<u32, Subtype>,
    /// What subtypes call their tables.
    sub_names: Map<String, usize>,
    layouts: Map<u32, Layout>,
    kinds: Map<String, (usize, Part)>,
    rest: Rest,
}

/// A declared field that has a column.
#[derive(Clone, Debug)]
struct Field {
    name: String,
    kind: FieldKind,
    column: usize,
}

#[derive(Clone, Debug, Default)]
struct Subtype {
    fields: Vec<Field>,
    sub: Option<usize>,
}

/// Whose columns fields get.
#[derive(Clone, Copy, Debug)]
enum Owner {
    Node,
    Edge,
    Strings,
    Sub(usize),
    Other(usize),
    /// None: there is no room, or no table.
    None,
}

impl Default for Load {
    fn default() -> Self {
        use Affinity::{Integer, Text};
        let columns = |fields: &[(&str, &'static str)]| -> Vec<_> {
            fields.iter().map(|&(_, column)| (column, Integer)).collect()
        };
        let mut names = Names::of_tables();
        for (name, _) in DRAFT {
            names.take(name);
        }
        Self {
            row: 0,
            counts: Counts::default(),
            begun: false,
            snapshot: None,
            metadata: Table::without_rest("metadata", &[("key", Text), ("value", Text)]),
            node_types: Table::new(
                "node_types",
                &[("nodetypeid", Integer), ("name", Text), ("table_name", Text)],
            ),
            edge_types: Table::new(
                "edge_types",
                &[("edgetypeid", Integer), ("name", Text), ("heap_retains", Text), ("heap_role", Text)],
            ),
            strings: Table::new("strings", &[("stringid", Integer), ("data", Text)]),
            node: Table::new("node", &columns(&NODE_FIELDS))
                .in_order(InOrder::new("node_identifier", "node(identifier)")),
            edge: Table::new("edge", &columns(&EDGE_FIELDS))
                .in_order(InOrder::new("edge_source", "edge(source)")),
            dests: Pairs::default(),
            heap_types: Table::new("heap_types", &[("name", Text)]),
            heap_fields: Table::without_rest(
                "heap_fields",
                &[
                    ("table_name", Text),
                    ("field", Text),
                    ("kind", Text),
                    ("column_name", Text),
                    ("declared_in", Integer),
                ],
            ),
            heap_tables: Table::without_rest("heap_tables", &[("name", Text), ("table_name", Text)]),
            heap_other: Table::new("heap_other", &[("name", Text)]),
            subs: Vec::new(),
            others: Vec::new(),
            names,
            field_row: 0,
            table_row: 0,
            string_part: Part::default(),
            edge_part: Part::default(),
            node_fields: Vec::new(),
            subtypes: Map::default(),
            sub_names: Map::default(),
            layouts: Map::default(),
            kinds: Map::default(),
            rest: Rest::default(),
        }
    }
}

impl Load {
    /// Further columns of `node`, for the view.
    pub(crate) fn node_columns(&self) -> impl Iterator<Item = &str> {
        self.node
            .columns()
            .skip(HEAP)
            .filter(|n| !matches!(*n, "heap_class" | "heap_name" | crate::schema::REST))
    }

    /// Makes the index on targets of edges. Nothing more may be done with the connection than to end the
    /// transaction.
    pub(crate) fn index_dests(&mut self, conn: &Connection) -> Result {
        std::mem::take(&mut self.dests).finish(conn, "edge_dest", "edge", "dest")
    }

    /// Whether an index is there already, because its values came in order.
    pub(crate) fn has_index(&self, name: &str) -> bool {
        self.node.has_index(name) || self.edge.has_index(name)
    }

    #[inline]
    fn next(&mut self) -> i64 {
        self.begun = true;
        self.row += 1;
        self.row
    }

    pub(crate) fn metadata(&mut self, conn: &Connection, record: &Metadata<'_>) -> Result {
        let begun = self.begun;
        match record.key {
            // Ours is written at the end.
            "heap.end" => return Ok(()),
            "version_major" if begun => {
                return Err(Error::refused(
                    "an SQLite file holds one stream: write each input to a file of its own",
                ));
            }
            "heap.snapshot" => {
                self.snapshot = Some(record.value.to_owned());
                for table in [&mut self.node, &mut self.edge].into_iter().chain(&mut self.others) {
                    table.add(conn, SNAPSHOT, Affinity::Integer)?;
                }
            }
            _ => {}
        }
        let row = self.next();
        self.begun = begun || record.key == "version_major";
        self.metadata.begin(row);
        self.metadata.text(0, record.key);
        self.metadata.text(1, record.value);
        self.metadata.end(conn)
    }

    pub(crate) fn declare(&mut self, conn: &Connection, record: &Declaration<'_>) -> Result {
        let (row, line) = (self.next(), record.line);
        self.rest.clear();
        match record.what {
            Declared::Record { name, fields } => {
                keep_line(&mut self.rest, line, &["type", "name", "fields"], fields.len());
                self.heap_types.begin(row);
                self.heap_types.text(0, name);
                end(&mut self.heap_types, conn, &mut self.rest)?;
                self.declare_record(conn, name, fields)
            }
            Declared::Node { id, name, table, fields } => {
                let keys = ["type", "nodetypeid", "name", "table_name", "fields"];
                keep_line(&mut self.rest, line, &keys, fields.len());
                let sub = match table.or((!fields.is_empty()).then_some(name)) {
                    Some(wanted) => self.sub_table(wanted, fields),
                    None => None,
                };
                let sql = sub.and_then(|i| self.subs.get(i)).map(|t| t.name.as_str());
                if sql != table {
                    let mut members = heap_base::Members::new();
                    match table {
                        Some(table) => members.text("table_name", table),
                        None => members.raw("table_name", b"null"),
                    };
                    self.rest.keep("declared", members.as_bytes());
                }
                self.node_types.begin(row);
                self.node_types.int(0, id.into());
                self.node_types.text(1, name);
                if let Some(sql) = sql {
                    self.node_types.text(2, sql);
                }
                end(&mut self.node_types, conn, &mut self.rest)?;
                let owner = sub.map_or(Owner::None, Owner::Sub);
                let fields = self.fields(conn, fields, &[("node_identifier", "node_identifier")], owner)?;
                self.subtypes.insert(id, Subtype { fields, sub });
                self.layouts.remove(&id);
                Ok(())
            }
            Declared::Edge { id, name, retains, role, rest } => {
                if !rest.is_empty() {
                    self.rest.keep("rest", rest);
                }
                self.edge_types.begin(row);
                self.edge_types.int(0, id.into());
                self.edge_types.text(1, name);
                if retains != Retains::Yes {
                    self.edge_types.text(2, retains.name());
                }
                if let Some(role) = role {
                    self.edge_types.text(3, role.name());
                }
                end(&mut self.edge_types, conn, &mut self.rest)
            }
        }
    }

    fn declare_record(&mut self, conn: &Connection, name: &str, fields: Fields<'_>) -> Result {
        let part = |fields: Vec<Field>| {
            let mut part = Part::default();
            for f in fields {
                part.add(&f.name, f.kind, FieldTable::Main, f.column, false);
            }
            part
        };
        match name {
            "node" => {
                self.node_fields = self.fields(conn, fields, &NODE_FIELDS, Owner::Node)?;
                self.layouts.clear();
            }
            "edge" => self.edge_part = part(self.fields(conn, fields, &EDGE_FIELDS, Owner::Edge)?),
            "string" => self.string_part = part(self.fields(conn, fields, &STRING_FIELDS, Owner::Strings)?),
            "metadata" | "type" | "node_type" | "edge_type" => {
                self.fields(conn, fields, &[], Owner::None)?;
            }
            _ => {
                let owner = self.other_table(conn, name)?;
                let fields = part(self.fields(conn, fields, &[], owner)?);
                if let Some((_, part)) = self.kinds.get_mut(name) {
                    *part = fields;
                }
            }
        }
        Ok(())
    }

    fn table(&mut self, owner: Owner) -> Option<&mut Table> {
        match owner {
            Owner::Node => Some(&mut self.node),
            Owner::Edge => Some(&mut self.edge),
            Owner::Strings => Some(&mut self.strings),
            Owner::Sub(i) => self.subs.get_mut(i),
            Owner::Other(i) => self.others.get_mut(i),
            Owner::None => None,
        }
    }

    /// Gives declared fields their columns, and records which in `heap_fields`. `known` have one already.
    fn fields(
        &mut self,
        conn: &Connection,
        fields: Fields<'_>,
        known: &[(&str, &str)],
        owner: Owner,
    ) -> Result<Vec<Field>> {
        let declared_in = self.row;
        let mut out: Vec<Field> = Vec::new();
        let mut used: Vec<usize> = Vec::new();
        if let Some(table) = self.table(owner) {
            used.extend(known.iter().filter_map(|(_, column)| table.column(column)));
        }
        for (field, kind) in fields {
            let mut found = None;
            if let Some(table) = self.table(owner) {
                if let Some((_, column)) = known.iter().find(|(f, _)| f == field) {
                    found = Some((table.name.clone(), Some((*column).to_owned())));
                } else {
                    let twice = out.iter().any(|f| f.name == *field);
                    let column = if twice {
                        None
                    } else {
                        table.column_for(conn, field, Affinity::of(*kind), &used)?
                    };
                    let name = column.and_then(|c| table.columns().nth(c)).map(str::to_owned);
                    found = Some((table.name.clone(), name));
                    if let Some(column) = column {
                        used.push(column);
                        out.push(Field { name: field.clone().into_owned(), kind: *kind, column });
                    }
                }
            }
            self.field_row += 1;
            let table = &mut self.heap_fields;
            table.begin(self.field_row);
            table.text(1, field);
            table.text(2, kind.name());
            if let Some((name, column)) = found {
                table.text(0, &name);
                if let Some(column) = column {
                    table.text(3, &column);
                }
            }
            table.int(4, declared_in);
            table.end(conn)?;
        }
        Ok(out)
    }

    /// The table of a subtype, by the name that the stream gives it.
    fn sub_table(&mut self, wanted: &str, fields: Fields<'_>) -> Option<usize> {
        if let Some(&index) = self.sub_names.get(wanted) {
            return Some(index);
        }
        if self.subs.len() + self.others.len() >= MOST_TABLES {
            return None;
        }
        let draft = DRAFT.iter().find(|(name, _)| *name == wanted);
        let name = if draft.is_some() { wanted.to_owned() } else { self.names.unique(wanted) };
        let mut columns = vec![("node_identifier", Affinity::Integer)];
        for &(field, kind) in draft.map_or(&[][..], |d| d.1) {
            let kind = fields.iter().find(|(f, _)| f == field).map_or(kind, |(_, k)| *k);
            columns.push((field, Affinity::of(kind)));
        }
        self.subs.push(Table::without_rest(name, &columns));
        self.sub_names.insert(wanted.to_owned(), self.subs.len() - 1);
        Some(self.subs.len() - 1)
    }

    /// The table of a kind of extension record; listed in `heap_tables` when the kind is first met.
    fn other_table(&mut self, conn: &Connection, kind: &str) -> Result<Owner> {
        if let Some((index, _)) = self.kinds.get(kind) {
            return Ok(Owner::Other(*index));
        }
        if self.subs.len() + self.others.len() >= MOST_TABLES {
            return Ok(Owner::None);
        }
        let name = self.names.unique(kind);
        self.table_row += 1;
        self.heap_tables.begin(self.table_row);
        self.heap_tables.text(0, kind);
        self.heap_tables.text(1, &name);
        self.heap_tables.end(conn)?;
        let mut table = Table::new(name, &[]);
        if self.snapshot.is_some() {
            table.add(conn, SNAPSHOT, Affinity::Integer)?;
        }
        self.others.push(table);
        self.kinds.insert(kind.to_owned(), (self.others.len() - 1, Part::default()));
        Ok(Owner::Other(self.others.len() - 1))
    }

    pub(crate) fn string(&mut self, conn: &Connection, record: &Str<'_>) -> Result {
        let row = self.next();
        self.counts.strings += 1;
        let table = &mut self.strings;
        table.begin(row);
        table.int(0, record.id);
        match record.data {
            Data::Plain(text) => table.text(1, text),
            Data::Escaped(_) => table.text(1, &record.data.text()),
        }
        if record.rest.is_empty() {
            return table.end(conn);
        }
        self.rest.clear();
        if !self.string_part.fit(record.rest, |slot, cell| table.set(slot.column, &cell)) {
            self.rest.keep("rest", record.rest);
        }
        end(table, conn, &mut self.rest)
    }

    pub(crate) fn node(&mut self, conn: &Connection, record: &Node<'_>) -> Result {
        let row = self.next();
        self.counts.nodes += 1;
        if !self.layouts.contains_key(&record.subtype) {
            let layout = self.layout(record.subtype);
            self.layouts.insert(record.subtype, layout);
        }
        let Some(layout) = self.layouts.get(&record.subtype) else { return Ok(()) };
        let (node, rest) = (&mut self.node, &mut self.rest);
        let mut sub = layout.sub.and_then(|i| self.subs.get_mut(i));
        rest.clear();
        node.begin(row);
        node.int(0, record.id);
        node.int(1, record.subtype.into());
        node.follow(conn, record.id)?;
        if let Some(sub) = &mut sub {
            sub.begin(row);
            sub.int(0, record.id);
        }
        let heap = &record.heap;
        let sizes = [heap.size, None, None, heap.external, heap.count, heap.retained, heap.retained_from];
        let others = [None, heap.class, heap.name, None, None, None, None, heap.idom, heap.distance];
        for (i, n) in sizes.into_iter().enumerate() {
            match n.map(i64::try_from) {
                Some(Ok(n)) => node.int(HEAP + i, n),
                Some(Err(_)) => keep_big(rest, record),
                None => {}
            }
        }
        for (i, n) in others.into_iter().enumerate() {
            if let Some(n) = n {
                node.int(HEAP + i, n);
            }
        }
        if let Some(reachable) = heap.reachable {
            node.int(HEAP + 9, reachable.into());
        }
        let mut set = |slot: &Slot, cell: Cell<'_>| match (slot.table, &mut sub) {
            (FieldTable::Main, _) => node.set(slot.column, &cell),
            (FieldTable::Sub, Some(sub)) => sub.set(slot.column, &cell),
            (FieldTable::Sub, None) => {}
        };
        let parts = [
            ("own", &layout.own, record.own),
            ("heap", &layout.heap, heap.rest),
            ("rest", &layout.rest, record.rest),
        ];
        for (name, part, members) in parts {
            if !members.is_empty() && !part.fit(members, &mut set) {
                rest.keep(name, members);
            }
        }
        if let Some(sub) = sub {
            sub.end(conn)?;
        }
        mark(node, self.snapshot.as_deref());
        end(node, conn, rest)
    }

    fn layout(&self, subtype: u32) -> Layout {
        let mut layout = Layout::default();
        let known = self.subtypes.get(&subtype);
        layout.sub = known.and_then(|t| t.sub);
        for f in known.map_or(&[][..], |t| &t.fields) {
            layout.add(&f.name, f.kind, FieldTable::Sub, f.column);
        }
        for f in &self.node_fields {
            layout.add(&f.name, f.kind, FieldTable::Main, f.column);
        }
        layout
    }

    #[inline]
    pub(crate) fn edge(&mut self, conn: &Connection, record: &Edge<'_>) -> Result {
        let row = self.next();
        self.counts.edges += 1;
        let table = &mut self.edge;
        table.begin(row);
        table.int(0, record.subtype.into());
        table.int(1, record.source);
        table.follow(conn, record.source)?;
        if let Some(dest) = record.dest {
            table.int(2, dest);
            self.dests.push(dest, row)?;
        }
        if let Some(label) = record.label {
            table.int(3, label);
        }
        mark(table, self.snapshot.as_deref());
        if record.rest.is_empty() {
            return table.end(conn);
        }
        self.rest.clear();
        if !self.edge_part.fit(record.rest, |slot, cell| table.set(slot.column, &cell)) {
            self.rest.keep("rest", record.rest);
        }
        end(table, conn, &mut self.rest)
    }

    pub(crate) fn extension(&mut self, conn: &Connection, record: &Extension<'_>) -> Result {
        let row = self.next();
        self.rest.clear();
        if let Owner::Other(_) = self.other_table(conn, record.kind)?
            && let Some((index, part)) = self.kinds.get(record.kind)
            && let Some(table) = self.others.get_mut(*index)
        {
            table.begin(row);
            if !part.fit(record.body, |slot, cell| table.set(slot.column, &cell)) {
                self.rest.keep("rest", record.body);
            }
            mark(table, self.snapshot.as_deref());
            return end(table, conn, &mut self.rest);
        }
        let table = &mut self.heap_other;
        table.begin(row);
        table.text(0, record.kind);
        if !record.body.is_empty() {
            self.rest.keep("rest", record.body);
        }
        end(table, conn, &mut self.rest)
    }

    /// Whether no record has come.
    pub(crate) fn is_empty(&self) -> bool {
        self.row == 0
    }

    /// Puts everything in and makes the tables that are still missing.
    pub(crate) fn finish(&mut self, conn: &Connection, intact: bool) -> Result {
        if intact && self.row > 0 {
            let Counts { nodes, edges, strings } = self.counts;
            let row = self.next();
            self.metadata.begin(row);
            self.metadata.text(0, "heap.end");
            self.metadata.text(1, &format!("nodes={nodes} edges={edges} strings={strings}"));
            self.metadata.end(conn)?;
        }
        for (name, _) in DRAFT {
            self.sub_table(name, &[]);
        }
        let fixed = [
            &mut self.metadata,
            &mut self.node_types,
            &mut self.edge_types,
            &mut self.strings,
            &mut self.node,
            &mut self.edge,
            &mut self.heap_types,
            &mut self.heap_fields,
            &mut self.heap_tables,
        ];
        for table in fixed.into_iter().chain(&mut self.subs).chain(&mut self.others) {
            table.make(conn)?;
            table.flush(conn)?;
        }
        self.heap_other.flush(conn)
    }
}

/// Ends a row with what did not fit its columns.
fn end(table: &mut Table, conn: &Connection, rest: &mut Rest) -> Result {
    if let Some(text) = rest.object() {
        table.rest(text);
    }
    table.end(conn)
}

/// Says which snapshot a row belongs to, where there are several.
#[inline]
fn mark(table: &mut Table, snapshot: Option<&str>) {
    if let Some(snapshot) = snapshot
        && let Some(column) = table.column(SNAPSHOT)
    {
        table.text(column, snapshot);
    }
}
