//! Turns the records of one dump into the tables of a partition.

use std::path::{Path, PathBuf};

use heap_base::{Error, Map, Result};
use heap_record::columns::FieldTable::Main;
use heap_record::columns::{Layout, Part, Rest, keep_big};
use heap_record::write::{Counts, declaration_line};
use heap_record::{
    Declaration, Declared, Edge, EdgeBatch, EdgeSlice, Extension, FieldKind, Fields, Metadata, Node,
    NodeBatch, Str,
};

use crate::column::{Entry, Kind, Spec};
use crate::names::{Names, Of, says_index};
use crate::table::{REST, ROW, SNAPSHOT, Table, plain};

/// Rows of a row group: pieces that a query's threads take one by one.
const NODES: u32 = 1 << 17;
const EDGES: u32 = 1 << 18;

/// Tables of extension records; the records of further types stand among the metadata. Dumps that we know have at most 20.
const MOST_TABLES: usize = 100;

/// Columns of each table, by position.
pub(crate) mod at {
    pub(crate) const ROW: usize = 0;
    pub(crate) mod node {
        pub(crate) const ID: usize = 1;
        pub(crate) const SUBTYPE: usize = 2;
        pub(crate) const CLASS: usize = 3;
        pub(crate) const NAME: usize = 4;
        pub(crate) const SIZE: usize = 5;
        pub(crate) const EXTERNAL: usize = 6;
        pub(crate) const COUNT: usize = 7;
        pub(crate) const RETAINED: usize = 8;
        pub(crate) const RETAINED_FROM: usize = 9;
        pub(crate) const IDOM: usize = 10;
        pub(crate) const DISTANCE: usize = 11;
        pub(crate) const REACHABLE: usize = 12;
        pub(crate) const SNAPSHOT: usize = 13;
        pub(crate) const REST: usize = 14;
    }
    pub(crate) mod edge {
        pub(crate) const SOURCE: usize = 1;
        pub(crate) const SUBTYPE: usize = 2;
        pub(crate) const LABEL: usize = 3;
        pub(crate) const DEST: usize = 4;
        pub(crate) const SNAPSHOT: usize = 5;
        pub(crate) const REST: usize = 6;
    }
    pub(crate) mod string {
        pub(crate) const ID: usize = 1;
        pub(crate) const DATA: usize = 2;
        pub(crate) const REST: usize = 3;
    }
    pub(crate) mod metadata {
        pub(crate) const RECORD: usize = 1;
        pub(crate) const KEY: usize = 2;
        pub(crate) const VALUE: usize = 3;
    }
    pub(crate) mod extension {
        pub(crate) const SNAPSHOT: usize = 1;
        pub(crate) const REST: usize = 2;
    }
}

fn node_columns() -> Vec<Spec> {
    vec![
        Spec::required(ROW, Kind::Int),
        Spec::required("identifier", Kind::Int),
        Spec::required("subtype", Kind::Name),
        Spec::required("class", Kind::Name),
        Spec::new("name", Kind::Name),
        Spec::new("size", Kind::Int),
        Spec::new("external", Kind::Int),
        Spec::new("count", Kind::Int),
        Spec::new("retained", Kind::Int),
        Spec::new("retained_from", Kind::Int),
        Spec::new("idom", Kind::Int),
        Spec::new("distance", Kind::Int),
        Spec::new("reachable", Kind::Bool),
        Spec::new(SNAPSHOT, Kind::Int),
        Spec::new(REST, Kind::Text),
    ]
}

fn edge_columns() -> Vec<Spec> {
    vec![
        Spec::required(ROW, Kind::Int),
        Spec::required("source", Kind::Int),
        Spec::required("subtype", Kind::Name),
        Spec::new("label", Kind::Name),
        Spec::new("dest", Kind::Int),
        Spec::new(SNAPSHOT, Kind::Int),
        Spec::new(REST, Kind::Text),
    ]
}

fn string_columns() -> Vec<Spec> {
    vec![
        Spec::required(ROW, Kind::Int),
        Spec::required("stringid", Kind::Int),
        Spec::new("data", Kind::Text),
        Spec::new(REST, Kind::Text),
    ]
}

fn metadata_columns() -> Vec<Spec> {
    vec![
        Spec::required(ROW, Kind::Int),
        Spec::required("record", Kind::Text),
        Spec::required("key", Kind::Text),
        Spec::required("value", Kind::Text),
    ]
}

fn extension_columns() -> Vec<Spec> {
    vec![Spec::required(ROW, Kind::Int), Spec::new(SNAPSHOT, Kind::Int), Spec::new(REST, Kind::Text)]
}

/// Fields of nodes that have a column of their own.
const NODE_FIELDS: [&str; 12] = [
    "identifier",
    "subtype",
    "heap.size",
    "heap.class",
    "heap.name",
    "heap.external",
    "heap.count",
    "heap.retained",
    "heap.retained_from",
    "heap.idom",
    "heap.distance",
    "heap.reachable",
];
/// The same of edges and strings.
const EDGE_FIELDS: [&str; 4] = ["subtype", "source", "dest", "label"];
const STRING_FIELDS: [&str; 2] = ["stringid", "data"];

/// What the columns of a table are called, beside those of declared fields: no tag may have such a name.
pub(crate) fn reserved() -> impl Iterator<Item = String> {
    let all = [node_columns(), edge_columns(), string_columns(), metadata_columns()];
    all.into_iter().flatten().map(|spec| spec.name)
}

/// Fields and the columns that they have.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    /// Fields that all nodes may have.
    node_fields: Vec<(String, FieldKind)>,
    /// Fields of each subtype.
    subtypes: Map<u32, Vec<(String, FieldKind)>>,
    layouts: Map<u32, Layout>,
    pub(crate) edge: Part,
    pub(crate) string: Part,
    pub(crate) extensions: Map<String, Part>,
}

impl Columns {
    /// Takes a declaration in. `column` gives the column of a field in the table of the nodes, edges, strings or extension
    /// records.
    pub(crate) fn declare(
        &mut self,
        what: &Declared<'_>,
        mut column: impl FnMut(&str, &str, FieldKind) -> Option<usize>,
    ) {
        let owned = |fields: Fields<'_>| -> Vec<_> {
            fields.iter().map(|(name, kind)| (name.clone().into_owned(), *kind)).collect()
        };
        let mut part = |table: &str, fields: Fields<'_>, known: &[&str]| {
            let mut part = Part::default();
            for (name, kind) in fields.iter().filter(|(name, _)| !known.contains(&name.as_ref())) {
                if let Some(column) = column(table, name, *kind) {
                    part.add(name, *kind, Main, column, false);
                }
            }
            part
        };
        match *what {
            Declared::Record { name: "node", fields } => {
                part("node", fields, &NODE_FIELDS);
                self.node_fields = owned(fields);
                self.layouts.clear();
            }
            Declared::Record { name: "edge", fields } => self.edge = part("edge", fields, &EDGE_FIELDS),
            Declared::Record { name: "string", fields } => {
                self.string = part("string", fields, &STRING_FIELDS);
            }
            Declared::Record { name: "metadata" | "type" | "node_type" | "edge_type", .. }
            | Declared::Edge { .. } => {}
            Declared::Record { name, fields } => {
                let part = part(name, fields, &[]);
                self.extensions.insert(name.to_owned(), part);
            }
            Declared::Node { id, fields, .. } => {
                part("node", fields, &[]);
                self.subtypes.insert(id, owned(fields));
                self.layouts.remove(&id);
            }
        }
    }

    /// Where the members of a node go. `column` gives the column of a field, if it has one.
    #[inline]
    pub(crate) fn layout(
        &mut self,
        subtype: u32,
        column: impl FnMut(&str, FieldKind) -> Option<usize>,
    ) -> &Layout {
        let (own, all) = (self.subtypes.get(&subtype), &self.node_fields);
        self.layouts.entry(subtype).or_insert_with(|| layout(own, all, column))
    }
}

#[cold]
fn layout(
    own: Option<&Vec<(String, FieldKind)>>,
    all: &[(String, FieldKind)],
    mut column: impl FnMut(&str, FieldKind) -> Option<usize>,
) -> Layout {
    let mut layout = Layout::default();
    let own = own.into_iter().flatten();
    let all = all.iter().filter(|(name, _)| !NODE_FIELDS.contains(&name.as_str()));
    for (name, kind) in own.chain(all) {
        if let Some(column) = column(name, *kind) {
            layout.add(name, *kind, Main, column);
        }
    }
    layout
}

/// The tables of one dump, in a folder of their own.
pub(crate) struct Partition {
    folder: PathBuf,
    /// Names that no column may have: the partition's keys.
    taken: Vec<String>,
    names: Names,
    columns: Columns,
    metadata: Table,
    strings: Table,
    nodes: Table,
    edges: Table,
    /// Tables of extension records: folder and rows. By record type.
    others: Vec<(String, Table)>,
    kinds: Map<String, usize>,
    /// Number of the last record.
    row: i64,
    counts: Counts,
    /// `version_major` has come, or anything but metadata.
    begun: bool,
    snapshot: Option<i64>,
    rest: Rest,
    line: Vec<u8>,
}

impl Partition {
    /// Begins the tables in an empty folder.
    pub(crate) fn create(folder: &Path, taken: Vec<String>) -> Result<Self> {
        let table = |name, of, most, specs| Table::create(&folder.join(name), name, of, most, specs, &taken);
        Ok(Self {
            metadata: table("metadata", Of::Nodes, NODES, metadata_columns())?,
            strings: table("strings", Of::Nodes, NODES, string_columns())?,
            nodes: table("nodes", Of::Nodes, NODES, node_columns())?,
            edges: table("edges", Of::Edges, EDGES, edge_columns())?,
            folder: folder.to_owned(),
            taken,
            names: Names::default(),
            columns: Columns::default(),
            others: Vec::new(),
            kinds: Map::default(),
            row: 0,
            counts: Counts::default(),
            begun: false,
            snapshot: None,
            rest: Rest::default(),
            line: Vec::new(),
        })
    }

    /// Whether no record has come.
    pub(crate) fn is_empty(&self) -> bool {
        self.row == 0
    }

    #[inline]
    fn next(&mut self) -> i64 {
        self.begun = true;
        self.row += 1;
        self.row
    }

    /// A row of the metadata: a record, or the line of one that has no table.
    fn line(&mut self, record: &str, key: &str, value: &str) -> Result {
        let row = self.next();
        let table = &mut self.metadata;
        table.int(at::ROW, row);
        table.text(at::metadata::RECORD, record);
        table.text(at::metadata::KEY, key);
        table.text(at::metadata::VALUE, value);
        table.end(&mut self.names)
    }

    pub(crate) fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        let begun = self.begun;
        match record.key {
            // Ours is written at the end.
            "heap.end" => return Ok(()),
            "version_major" if begun => {
                return Err(Error::refused("a partition holds one stream: write each to one of its own"));
            }
            "heap.snapshot" => self.snapshot = record.value.parse().ok(),
            _ => {}
        }
        self.line("metadata", record.key, record.value)?;
        self.begun = begun || record.key == "version_major";
        Ok(())
    }

    pub(crate) fn declare(&mut self, record: &Declaration<'_>) -> Result {
        let mut line = std::mem::take(&mut self.line);
        line.clear();
        if record.line.bytes.is_empty() {
            declaration_line(&mut line, record);
        } else {
            line.extend_from_slice(record.line.bytes);
        }
        let (kind, name) = match record.what {
            Declared::Record { name, .. } => ("type", name),
            Declared::Node { id, name, .. } => {
                self.names.node_type(id, name);
                ("node_type", name)
            }
            Declared::Edge { id, name, .. } => {
                self.names.edge_type(id, name);
                ("edge_type", name)
            }
        };
        self.line(kind, name, &String::from_utf8_lossy(&line))?;
        self.line = line;
        let own =
            matches!(name, "node" | "edge" | "string" | "metadata" | "type" | "node_type" | "edge_type");
        if kind == "type" && !own {
            self.extension_table(name)?;
        }
        let (nodes, edges, strings) = (&mut self.nodes, &mut self.edges, &mut self.strings);
        let (kinds, others) = (&self.kinds, &mut self.others);
        self.columns.declare(&record.what, |table, field, kind| match table {
            "node" => nodes.column_for(field, kind),
            "edge" => edges.column_for(field, kind),
            "string" => strings.column_for(field, kind),
            other => others.get_mut(*kinds.get(other)?)?.1.column_for(field, kind),
        });
        Ok(())
    }

    /// Makes the table of a type of extension records, if there is none and there is room.
    fn extension_table(&mut self, kind: &str) -> Result {
        if self.kinds.contains_key(kind) || self.others.len() >= MOST_TABLES {
            return Ok(());
        }
        let base = plain(kind);
        let fixed = ["metadata", "strings", "nodes", "edges"];
        let is_taken =
            |name: &String| fixed.contains(&name.as_str()) || self.others.iter().any(|(n, _)| n == name);
        let mut names = std::iter::once(base.clone()).chain((2u32..).map(|n| format!("{base}_{n}")));
        let Some(name) = names.find(|name| !is_taken(name)) else { return Ok(()) };
        let path = self.folder.join(&name);
        let table = Table::create(&path, "extension", Of::Nodes, NODES, extension_columns(), &self.taken)?;
        self.kinds.insert(kind.to_owned(), self.others.len());
        self.others.push((name, table.of_kind(kind)));
        Ok(())
    }

    pub(crate) fn string(&mut self, record: &Str<'_>) -> Result {
        let row = self.next();
        self.counts.strings += 1;
        self.names.string(record)?;
        let table = &mut self.strings;
        table.int(at::ROW, row);
        table.int(at::string::ID, record.id);
        if !says_index(record) {
            table.text(at::string::DATA, &record.data.text());
        }
        if !record.rest.is_empty() {
            self.rest.clear();
            let names = &self.names;
            if !self.columns.string.fit(record.rest, |slot, cell| table.set(slot, &cell, names)) {
                self.rest.keep("rest", record.rest);
            }
            if let Some(text) = self.rest.object() {
                table.text(at::string::REST, text);
            }
        }
        table.end(&mut self.names)
    }

    pub(crate) fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        batch.try_for_each(|node| self.node(node))
    }

    fn node(&mut self, record: &Node<'_>) -> Result {
        use at::node;
        let row = self.next();
        self.counts.nodes += 1;
        let (table, names) = (&mut self.nodes, &self.names);
        table.int(at::ROW, row);
        table.int(node::ID, record.id);
        table.name(node::SUBTYPE, Entry::Subtype(record.subtype), names);
        let heap = &record.heap;
        let class = heap.class.map_or(Entry::Bracketed(record.subtype), Entry::String);
        table.name(node::CLASS, class, names);
        if let Some(name) = heap.name {
            table.name(node::NAME, Entry::String(name), names);
        }
        self.rest.clear();
        let sizes = [
            (node::SIZE, heap.size),
            (node::EXTERNAL, heap.external),
            (node::COUNT, heap.count),
            (node::RETAINED, heap.retained),
            (node::RETAINED_FROM, heap.retained_from),
        ];
        for (column, n) in sizes {
            match n.map(i64::try_from) {
                Some(Ok(n)) => table.int(column, n),
                Some(Err(_)) => keep_big(&mut self.rest, record),
                None => {}
            }
        }
        if let Some(idom) = heap.idom {
            table.int(node::IDOM, idom);
        }
        if let Some(distance) = heap.distance {
            table.int(node::DISTANCE, distance);
        }
        if let Some(reachable) = heap.reachable {
            table.boolean(node::REACHABLE, reachable);
        }
        if let Some(snapshot) = self.snapshot {
            table.int(node::SNAPSHOT, snapshot);
        }
        if !(record.own.is_empty() && heap.rest.is_empty() && record.rest.is_empty()) {
            let layout = self.columns.layout(record.subtype, |field, kind| table.column_for(field, kind));
            let parts = [
                ("own", &layout.own, record.own),
                ("heap", &layout.heap, heap.rest),
                ("rest", &layout.rest, record.rest),
            ];
            for (name, part, members) in parts {
                if !members.is_empty() && !part.fit(members, |slot, cell| table.set(slot, &cell, names)) {
                    self.rest.keep(name, members);
                }
            }
        }
        if let Some(text) = self.rest.object() {
            table.text(node::REST, text);
        }
        table.end(&mut self.names)
    }

    pub(crate) fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        match batch.edges {
            EdgeSlice::Records(edges) => edges.iter().try_for_each(|edge| self.edge(edge)),
            EdgeSlice::Plain { source, edges } => {
                self.begun = true;
                self.counts.edges += edges.len() as u64;
                for edge in edges {
                    self.row += 1;
                    let table = &mut self.edges;
                    table.int(at::ROW, self.row);
                    table.int(at::edge::SOURCE, source);
                    table.name(at::edge::SUBTYPE, Entry::Subtype(edge.subtype), &self.names);
                    table.name(at::edge::LABEL, Entry::String(edge.label), &self.names);
                    table.int(at::edge::DEST, edge.dest);
                    if let Some(snapshot) = self.snapshot {
                        table.int(at::edge::SNAPSHOT, snapshot);
                    }
                    table.end(&mut self.names)?;
                }
                Ok(())
            }
        }
    }

    fn edge(&mut self, record: &Edge<'_>) -> Result {
        let row = self.next();
        self.counts.edges += 1;
        let (table, names) = (&mut self.edges, &self.names);
        table.int(at::ROW, row);
        table.int(at::edge::SOURCE, record.source);
        table.name(at::edge::SUBTYPE, Entry::Subtype(record.subtype), names);
        if let Some(label) = record.label {
            table.name(at::edge::LABEL, Entry::String(label), names);
        }
        if let Some(dest) = record.dest {
            table.int(at::edge::DEST, dest);
        }
        if let Some(snapshot) = self.snapshot {
            table.int(at::edge::SNAPSHOT, snapshot);
        }
        if !record.rest.is_empty() {
            self.rest.clear();
            if !self.columns.edge.fit(record.rest, |slot, cell| table.set(slot, &cell, names)) {
                self.rest.keep("rest", record.rest);
            }
            if let Some(text) = self.rest.object() {
                table.text(at::edge::REST, text);
            }
        }
        table.end(&mut self.names)
    }

    pub(crate) fn extension(&mut self, record: &Extension<'_>) -> Result {
        let Some((_, table)) = self.kinds.get(record.kind).and_then(|&i| self.others.get_mut(i)) else {
            return self.line(record.kind, "", &String::from_utf8_lossy(record.body));
        };
        self.begun = true;
        self.row += 1;
        table.int(at::ROW, self.row);
        if let Some(snapshot) = self.snapshot {
            table.int(at::extension::SNAPSHOT, snapshot);
        }
        let names = &self.names;
        let fits = match self.columns.extensions.get(record.kind) {
            Some(part) => part.fit(record.body, |slot, cell| table.set(slot, &cell, names)),
            None => record.body.is_empty(),
        };
        if !fits {
            self.rest.clear();
            self.rest.keep("rest", record.body);
            if let Some(text) = self.rest.object() {
                table.text(at::extension::REST, text);
            }
        }
        table.end(&mut self.names)
    }

    /// Ends all files. Returns the names of those to be kept, that of the metadata last, and how many names are not known.
    pub(crate) fn finish(mut self) -> Result<(Vec<String>, u64)> {
        let Counts { nodes, edges, strings } = self.counts;
        self.line("metadata", "heap.end", &format!("nodes={nodes} edges={edges} strings={strings}"))?;
        let mut kept = Vec::new();
        for (name, table) in self.others {
            if table.total > 0 {
                kept.push(name);
            }
            table.finish(&mut self.names)?;
        }
        for (name, table) in [
            ("strings", self.strings),
            ("edges", self.edges),
            ("nodes", self.nodes),
            ("metadata", self.metadata),
        ] {
            table.finish(&mut self.names)?;
            kept.push(name.to_owned());
        }
        Ok((kept, self.names.unknown))
    }
}
