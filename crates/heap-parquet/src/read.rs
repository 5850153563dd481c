//! The reader: rows of all tables in the order of the stream.

use std::borrow::Cow;

use heap_base::json::{Json, each, inside, scalar, unescape};
use heap_base::{Dump, Error, Map, Result, member, sort_by_key, sums};
use heap_record::columns::{Cell, Part, SnapshotRows, kept, object};
use heap_record::references::BY_EDGES;
use heap_record::wants::{Nodes, has_numbers_alone};
use heap_record::{
    Data as Text, Declaration, Edge, EdgeBatch, Ends, Extension, Fact, FieldKind, Heap, Info, Node,
    NodeBatch, PlainEdge, Sink, SnapshotSelector, Str, Wants, head, read as stream,
};

use crate::column::Entry;
use crate::footer::{Data, FileReader, Loaded};
use crate::partition::{Columns, at};

/// Plain edges that are delivered at once.
const BATCH: usize = 256;

/// Which columns have a field.
type Fields = Map<(String, FieldKind), usize>;

/// A table that is read row by row. Memory: a row group of the columns that are asked for.
struct Table {
    file: FileReader,
    fields: Fields,
    /// Columns of the file by those of the writer, and of fields; `None` if not asked for, or absent.
    wanted: Vec<bool>,
    columns: Vec<Option<Loaded>>,
    group: usize,
    rows: usize,
    row: usize,
    head: Option<i64>,
}

impl Table {
    fn new(file: FileReader) -> Self {
        let mut fields = Fields::default();
        let text = file.fact("heap.fields").unwrap_or_default();
        for (column, raw) in object(text).iter().flat_map(|members| each(members).collect::<Vec<_>>()) {
            let column = unescape(column);
            let at = file.columns.iter().position(|c| c.name == column);
            if let (Some(at), Some(heap_base::json::Json::Text(text))) = (at, scalar(raw))
                && let Some((kind, field)) = text.split_once(' ')
                && let Some(kind) = FieldKind::from_name(kind)
            {
                fields.insert((field.to_owned(), kind), at);
            }
        }
        let wanted = vec![true; file.columns.len()];
        Self { columns: Vec::new(), wanted, fields, group: 0, rows: 0, row: 0, head: None, file }
    }

    /// The column of a field.
    fn column_for(&self, name: &str, kind: FieldKind) -> Option<usize> {
        // Only fields of nodes are looked up often, and their layouts are kept.
        self.fields.get(&(name.to_owned(), kind)).copied()
    }

    fn wrong(&self, what: &str) -> Error {
        let table = self.file.fact("heap.table").unwrap_or("table");
        Error::input(format!("{table}: row {}: {what}", self.row + 1))
    }

    /// Reads row groups until there is a row.
    fn fill(&mut self) -> Result {
        while self.row >= self.rows {
            let Some(rows) = self.file.group_rows(self.group) else {
                self.head = None;
                return Ok(());
            };
            self.columns.clear();
            for column in 0..self.file.columns.len() {
                let wanted = self.wanted.get(column) == Some(&true);
                self.columns.push(wanted.then(|| self.file.load(self.group, column)).transpose()?);
            }
            (self.group, self.rows, self.row) = (self.group + 1, rows, 0);
        }
        self.head = Some(self.int(at::ROW).ok_or_else(|| self.wrong("expected the number of a record"))?);
        Ok(())
    }

    /// Goes to the next row.
    #[inline]
    fn advance(&mut self) -> Result {
        self.columns.iter_mut().flatten().for_each(Loaded::advance);
        self.row += 1;
        let before = self.head;
        if self.row < self.rows {
            self.head = self.int(at::ROW);
        } else {
            self.fill()?;
        }
        if self.head.is_some() && self.head <= before {
            return Err(self.wrong("records are not in order"));
        }
        Ok(())
    }

    #[inline]
    fn column(&self, column: usize) -> Option<&Loaded> {
        self.columns.get(column)?.as_ref()
    }

    #[inline]
    fn int(&self, column: usize) -> Option<i64> {
        self.column(column)?.int()
    }

    #[inline]
    fn must(&self, column: usize, what: &str) -> Result<i64> {
        self.int(column).ok_or_else(|| self.wrong(&format!("expected {what}")))
    }

    fn text(&self, column: usize) -> Option<&str> {
        self.column(column)?.text()
    }

    #[inline]
    fn entry(&self, column: usize) -> Option<Entry> {
        self.column(column)?.entry()
    }

    fn string(&self, column: usize) -> Option<i64> {
        match self.entry(column)? {
            Entry::String(id) => Some(id),
            Entry::Subtype(_) | Entry::Bracketed(_) => None,
        }
    }

    #[inline]
    fn subtype(&self, column: usize) -> Result<u32> {
        match self.entry(column) {
            Some(Entry::Subtype(n)) => Ok(n),
            _ => Err(self.wrong("expected a subtype")),
        }
    }

    fn cell(&self, column: usize) -> Cell<'_> {
        let Some(loaded) = self.column(column) else { return Cell::Null };
        let cell = match loaded.data {
            Data::Int(_) | Data::Bool(_) => loaded.int().map(Cell::Int),
            Data::Float(_) => loaded.float().map(Cell::Real),
            Data::Text { .. } => loaded.text().map(|text| Cell::Text(text.into())),
            Data::Name { .. } => self.string(column).map(Cell::Int),
        };
        cell.unwrap_or(Cell::Null)
    }

    /// What `heap_rest` holds, without its braces.
    fn rest(&self, column: usize) -> Result<Vec<u8>> {
        match self.text(column) {
            None => Ok(Vec::new()),
            Some(text) => object(text).ok_or_else(|| self.wrong("expected a JSON object in heap_rest")),
        }
    }

    /// Appends the members of a part: those kept under its name, else those of the columns.
    fn members(&self, buf: &mut Vec<u8>, part: &Part, name: &str, object: &[u8]) -> Result {
        if let Some(members) = kept(object, name) {
            buf.extend_from_slice(members);
            return Ok(());
        }
        part.render(buf, |slot| Ok(self.cell(slot.column)), |_, what| self.wrong(what))
    }
}

/// What the rows of a table are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Metadata,
    Strings,
    Nodes,
    Edges,
    Extensions,
}

/// All files of a partition.
fn files(dump: &Dump) -> Result<Vec<(Kind, FileReader)>> {
    let mut files = Vec::new();
    for blob in std::iter::once(&dump.blob).chain(&dump.companions) {
        let file = FileReader::open(blob)?;
        let kind = match file.fact("heap.table") {
            Some("metadata") => Kind::Metadata,
            Some("strings") => Kind::Strings,
            Some("nodes") => Kind::Nodes,
            Some("edges") => Kind::Edges,
            Some("extension") => Kind::Extensions,
            _ => return Err(Error::input("a Parquet file that these tools did not write")),
        };
        if file.fact("heap.version") != Some("1") {
            return Err(Error::input("a partition of another version of these tools"));
        }
        if kind != Kind::Extensions && files.iter().any(|(k, _)| *k == kind) {
            return Err(Error::input("a partition with two tables of one name"));
        }
        let named =
            [at::ROW].iter().all(|&c| file.columns.get(c).is_some_and(|c| c.name == crate::table::ROW));
        if !named {
            return Err(Error::input("a partition whose first column is not heap_row"));
        }
        files.push((kind, file));
    }
    for kind in [Kind::Metadata, Kind::Strings, Kind::Nodes, Kind::Edges] {
        if !files.iter().any(|(k, _)| *k == kind) {
            let name = format!("{kind:?}").to_lowercase();
            return Err(Error::input(format!(
                "an incomplete partition: there is no table {name} of this dump"
            )));
        }
    }
    Ok(files)
}

/// Calls `each` with key and value of all metadata, and the number of each record. Gives whether a subtype of nodes is one of
/// arrays of numbers.
fn metadata(file: FileReader, mut each: impl FnMut(&str, &str, i64)) -> Result<bool> {
    let mut arrays = false;
    let mut table = Table::new(file);
    table.fill()?;
    while let Some(head) = table.head {
        let text = |column| table.text(column).unwrap_or_default();
        let value = text(at::metadata::VALUE);
        match table.text(at::metadata::RECORD) {
            Some("metadata") => each(text(at::metadata::KEY), value, head),
            Some("node_type") => {
                let name = inside(value.as_bytes()).and_then(|members| member(members, "name"));
                arrays |= matches!(name.and_then(scalar), Some(Json::Text(name)) if has_numbers_alone(&name));
            }
            _ => {}
        }
        table.advance()?;
    }
    Ok(arrays)
}

/// Whether a record of this kind may be emitted. Declarations, which stand among metadata, hold on as strings do.
fn has(chosen: &SnapshotRows, kind: Kind, row: i64) -> bool {
    match kind {
        Kind::Metadata | Kind::Strings => chosen.has_string(row),
        Kind::Nodes | Kind::Edges | Kind::Extensions => chosen.has(row),
    }
}

/// Reads a partition: one of its files with the others as companions, as [`with_tables`](crate::with_tables) makes it.
/// Like that of SQLite files, this reader emits `version_major` and the `generator` of the stream.
///
/// # Errors
/// What is damaged, with byte, table or row; a table that is missing; failures of the sink.
pub fn read(dump: &Dump, pick: SnapshotSelector, sink: &mut dyn Sink) -> Result {
    let mut wants = sink.wants();
    let (mut starts, mut arrays) = (Vec::new(), false);
    for (kind, file) in files(dump)? {
        if kind == Kind::Metadata {
            let mut fields_refer = wants.references;
            arrays |= metadata(file, |key, value, row| {
                if key == "heap.snapshot" {
                    starts.push((row, value.to_owned()));
                }
                fields_refer &= (key, value) != BY_EDGES;
            })?;
            if fields_refer {
                wants.nodes = Nodes::Full;
            }
        }
    }
    let chosen = SnapshotRows::new(&starts, pick)?;
    let mut tables = Vec::new();
    let mut totals = [0; 3];
    for (kind, file) in files(dump)? {
        let total = match kind {
            Kind::Nodes => Some(0),
            Kind::Edges => Some(1),
            Kind::Strings => Some(2),
            Kind::Metadata | Kind::Extensions => None,
        };
        if let Some(total) = total {
            totals[total] = file.rows();
        }
        let wanted = match kind {
            Kind::Metadata => true,
            Kind::Strings => wants.any_strings(),
            Kind::Nodes => wants.any_nodes(),
            Kind::Edges => wants.edges_with(arrays),
            Kind::Extensions => wants.extensions,
        };
        if wanted {
            let mut table = Table::new(file);
            if kind == Kind::Nodes && !wants.node_details() {
                for column in at::node::REST + 1..table.wanted.len() {
                    table.wanted[column] = false;
                }
                // The source's own numbers.
                for ((name, _), &column) in &table.fields {
                    table.wanted[column] |= name.rsplit('.').next() == Some("id");
                }
            }
            table.fill()?;
            tables.push((kind, table));
        }
    }
    let mut emitter = Emitter {
        sink,
        wants,
        columns: Columns::default(),
        totals,
        buf: Default::default(),
        plain: Vec::new(),
    };
    let mut heads = Vec::new();
    loop {
        // The table that has the next record, and how long it goes on.
        heads.clear();
        heads.extend(tables.iter().enumerate().filter_map(|(i, (_, table))| Some((table.head?, i))));
        heads.sort_unstable();
        let Some(&(_, current)) = heads.first() else { break };
        let limit = heads.get(1).map_or(i64::MAX, |h| h.0);
        emitter.run(&mut tables, current, limit, &chosen)?;
    }
    Ok(())
}

/// Emits records. Knows the declarations so far.
struct Emitter<'k> {
    sink: &'k mut dyn Sink,
    wants: Wants,
    columns: Columns,
    /// Rows of nodes, edges and strings.
    totals: [u64; 3],
    /// Own members, those of `heap`, and the rest.
    buf: [Vec<u8>; 3],
    plain: Vec<PlainEdge>,
}

impl Emitter<'_> {
    /// Emits the rows of a table up to `limit`, the next record of another one.
    fn run(
        &mut self,
        tables: &mut [(Kind, Table)],
        current: usize,
        limit: i64,
        chosen: &SnapshotRows,
    ) -> Result {
        loop {
            let (kind, table) = &mut tables[current];
            let kind = *kind;
            let Some(head) = table.head.filter(|&head| head <= limit) else { return Ok(()) };
            if has(chosen, kind, head) {
                match kind {
                    Kind::Metadata => self.metadata(tables, current, chosen)?,
                    Kind::Strings => self.string(table)?,
                    Kind::Nodes => self.node(table)?,
                    Kind::Edges => {
                        self.edges(table, limit.min(chosen.range().1))?;
                        continue;
                    }
                    Kind::Extensions => self.extension(table)?,
                }
            }
            tables[current].1.advance()?;
        }
    }

    fn metadata(&mut self, tables: &[(Kind, Table)], current: usize, chosen: &SnapshotRows) -> Result {
        let table = &tables[current].1;
        let text = |column, what| table.text(column).ok_or_else(|| table.wrong(what));
        let record = text(at::metadata::RECORD, "expected a record")?;
        let key = text(at::metadata::KEY, "expected a key")?;
        let value = text(at::metadata::VALUE, "expected a value")?;
        let is_declaration = matches!(record, "type" | "node_type" | "edge_type");
        if !is_declaration && !table.head.is_some_and(|row| chosen.has_metadata(row)) {
            return Ok(());
        }
        match record {
            "metadata" => {
                let (key, value) = match (key, chosen.picked()) {
                    // Its counts are those of all snapshots.
                    ("heap.end", Some(_)) => return Ok(()),
                    ("heap.end", None) => {
                        self.check(value)?;
                        (key, value)
                    }
                    ("heap.snapshot", Some(one)) => ("parquet.snapshot", one),
                    other => (other.0, value),
                };
                head::metadata(self.sink, key, value)
            }
            _ if is_declaration => {
                let mut sink = Declare { columns: &mut self.columns, tables, sink: self.sink };
                stream::read(value.as_bytes(), SnapshotSelector::All, &mut sink)
                    .map_err(|e| if e.is_stop() { e } else { table.wrong(&e.to_string()) })
            }
            kind if self.wants.extensions => {
                let body = Cow::Borrowed(value.as_bytes());
                self.sink.extension(&Extension { kind, body: &body, ..Extension::default() })
            }
            _ => Ok(()),
        }
    }

    /// Whether the tables have as many rows as the stream had records.
    fn check(&self, counts: &str) -> Result {
        for (name, rows) in ["nodes", "edges", "strings"].into_iter().zip(self.totals) {
            let count = counts.split(' ').find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
            if count.and_then(|n| n.parse().ok()) != Some(rows) {
                let what = format!("the table {name} has {rows} rows, the dump had {counts}");
                return Err(Error::input(what));
            }
        }
        Ok(())
    }

    fn string(&mut self, table: &Table) -> Result {
        let id = table.must(at::string::ID, "the number of a string")?;
        let [_, _, rest] = &mut self.buf;
        rest.clear();
        let object = table.rest(at::string::REST)?;
        table.members(rest, &self.columns.string, "rest", &object)?;
        let index;
        let data = match table.text(at::string::DATA) {
            Some(text) => text,
            None if id < 0 => {
                index = (!id).to_string();
                &index
            }
            None => return Err(table.wrong("expected the text of a string")),
        };
        self.sink.string(&Str { id, data: Text::Plain(data), rest, ..Str::default() })
    }

    fn node(&mut self, table: &Table) -> Result {
        use at::node;
        let size = |column| table.int(column).map(|n| n as u64);
        let (id, subtype) = (table.must(node::ID, "an identifier")?, table.subtype(node::SUBTYPE)?);
        let object = table.rest(node::REST)?;
        let [own, more, rest] = &mut self.buf;
        for buf in [&mut *own, more, rest] {
            buf.clear();
        }
        let layout = self.columns.layout(subtype, |name, kind| table.column_for(name, kind));
        let parts = [("own", &layout.own, own), ("heap", &layout.heap, more), ("rest", &layout.rest, rest)];
        for (name, part, buf) in parts {
            table.members(buf, part, name, &object)?;
        }
        let [own, more, rest] = &self.buf;
        let mut heap = Heap {
            size: size(node::SIZE),
            class: table.string(node::CLASS),
            name: table.string(node::NAME),
            external: size(node::EXTERNAL),
            count: size(node::COUNT),
            retained: size(node::RETAINED),
            retained_from: size(node::RETAINED_FROM),
            idom: table.int(node::IDOM),
            distance: table.int(node::DISTANCE),
            reachable: table.int(node::REACHABLE).map(|n| n != 0),
            rest: more,
        };
        if let Some(big) = kept(&object, "big") {
            let of = |key| member(big, key).and_then(scalar).and_then(|json| json.as_int()).map(|n| n as u64);
            heap.size = heap.size.or(of("size"));
            heap.external = heap.external.or(of("external"));
            heap.count = heap.count.or(of("count"));
            heap.retained = heap.retained.or(of("retained").map(sums::read));
            heap.retained_from = heap.retained_from.or(of("retained_from"));
        }
        let node = Node { subtype, id, own, heap, rest, ..Node::default() };
        self.sink.nodes(&NodeBatch::one(&node))
    }

    /// Emits edges from here on, as long as they are no records behind `limit`: those of one node that say no more than
    /// usual at once.
    fn edges(&mut self, table: &mut Table, limit: i64) -> Result {
        use at::edge;
        let source = table.must(edge::SOURCE, "a source")?;
        self.plain.clear();
        while self.plain.len() < BATCH
            && table.head.is_some_and(|head| head <= limit)
            && table.int(edge::SOURCE) == Some(source)
            && let (Some(dest), Some(label)) = (table.int(edge::DEST), table.string(edge::LABEL))
            && table.text(edge::REST).is_none()
            && Self::is_plain(table)
        {
            self.plain.push(PlainEdge { subtype: table.subtype(edge::SUBTYPE)?, dest, label });
            table.advance()?;
        }
        if !self.plain.is_empty() {
            return self.sink.edges(&EdgeBatch::plain(Ends::Identifiers, source, &self.plain));
        }
        let [_, _, rest] = &mut self.buf;
        rest.clear();
        let object = table.rest(edge::REST)?;
        table.members(rest, &self.columns.edge, "rest", &object)?;
        let (dest, label) = (table.int(edge::DEST), table.string(edge::LABEL));
        let edge =
            Edge { subtype: table.subtype(edge::SUBTYPE)?, source, dest, label, rest, ..Edge::default() };
        self.sink.edges(&EdgeBatch::one(&edge))?;
        table.advance()
    }

    /// Whether the current edge has none of the declared fields.
    fn is_plain(table: &Table) -> bool {
        table.columns.iter().skip(at::edge::REST + 1).flatten().all(|column| column.at().is_none())
    }

    fn extension(&mut self, table: &Table) -> Result {
        let kind = table.file.fact("heap.kind").unwrap_or_default();
        let [_, _, rest] = &mut self.buf;
        rest.clear();
        let object = table.rest(at::extension::REST)?;
        let none = Part::default();
        let part = self.columns.extensions.get(kind).unwrap_or(&none);
        table.members(rest, part, "rest", &object)?;
        self.sink.extension(&Extension { kind, body: rest, ..Extension::default() })
    }
}

/// Takes a declaration in, and passes it on.
struct Declare<'r, 'k> {
    columns: &'r mut Columns,
    tables: &'r [(Kind, Table)],
    sink: &'k mut dyn Sink,
}

impl Sink for Declare<'_, '_> {
    fn wants(&self) -> Wants {
        Wants::ALL
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        let tables = self.tables;
        self.columns.declare(&record.what, |table, field, field_kind| {
            let found = tables.iter().find(|(kind, found)| match table {
                "node" => *kind == Kind::Nodes,
                "edge" => *kind == Kind::Edges,
                "string" => *kind == Kind::Strings,
                other => *kind == Kind::Extensions && found.file.fact("heap.kind") == Some(other),
            });
            found.and_then(|(_, table)| table.column_for(field, field_kind))
        });
        self.sink.declare(record)
    }
}

/// Facts about a partition, from its footers and its metadata.
///
/// # Errors
/// As [`read`].
pub fn info(dump: &Dump) -> Result<Info> {
    let mut info = Info { format: "parquet", ..Info::default() };
    let mut counts = Vec::new();
    let mut tables = 0;
    for (kind, file) in files(dump)? {
        tables += 1;
        let count = match kind {
            Kind::Nodes => "nodes",
            Kind::Edges => "edges",
            Kind::Strings => "strings",
            Kind::Extensions => continue,
            Kind::Metadata => {
                metadata(file, |key, value, _| {
                    // Rows of different tables have no order.
                    if key != "heap.order" {
                        info.metadata(key, value);
                    }
                })?;
                continue;
            }
        };
        counts.push((count, Fact::Int(file.rows() as i64)));
    }
    sort_by_key(&mut counts, |(name, _)| ["nodes", "edges", "strings"].iter().position(|n| n == name));
    info.facts.extend(counts);
    info.facts.push(("tables", Fact::Int(tables)));
    Ok(info)
}
