//! The reader of files that [`writer`](crate::writer) made: rows of all tables in the order of the stream.

use heap_base::json::{Json, scalar};
use heap_base::{Blob, Error, Map, Result, member};
use heap_record::references::BY_EDGES;
use heap_record::wants::{Nodes, has_numbers_alone};
use heap_record::{FieldKind, Sink, SnapshotSelector, Wants};
use rusqlite::Statement;

use crate::cursor::{Cursor, Found, select, tables};
use crate::emit::{Columns, DeclaredField, Emitter, NodeColumns, SubRow, Subtype, part, rest_of};
use crate::file::{ALL, File, Progress, is, is_ours};
use crate::open;
use crate::plain;
use crate::schema::{EDGE_FIELDS, NODE_FIELDS, REST, STRING_FIELDS};
use heap_record::columns::{Part, SnapshotRows, kept};

/// Most rows of the tables about tables; see the bounds of the writer.
const MOST_FIELDS: usize = 1 << 20;

/// Reads an SQLite file: one of [`writer`](crate::writer), or one that has the draft's tables only. Unlike other readers,
/// this one emits `version_major` and the `generator` that the file names.
///
/// # Errors
/// What is damaged or of the wrong type, with table and row; failures of the sink.
pub fn read(blob: &Blob, pick: SnapshotSelector, sink: &mut dyn Sink) -> Result {
    let db = open::open(blob)?;
    let tables = tables(&db.conn)?;
    if !tables.iter().any(|t| is(t, "node") || is(t, "edge") || is(t, "strings")) {
        return Err(Error::input("an SQLite file without a table of nodes, edges or strings"));
    }
    let file = File { conn: &db.conn, tables: &tables, blob };
    let ours = tables.iter().any(|t| is(t, "heap_fields")) && file.table("node").is_none_or(is_ours);
    if !ours {
        return plain::read(&file, pick, sink);
    }
    read_ours(&file, pick, sink)?;
    if has_end(&file)? {
        Ok(())
    } else {
        Err(Error::input(
            "the database is a part: what it was made from ended early, and heap.end is missing in metadata",
        ))
    }
}

/// Whether the writer had the whole of its input: it says `heap.end` then, unless it got nothing at all.
fn has_end(file: &File<'_>) -> Result<bool> {
    let (mut rows, mut found) = (false, false);
    file.each("metadata", |row| {
        rows = true;
        found |= row.text(row.table().column("key")).as_deref() == Some("heap.end");
        Ok(())
    })?;
    Ok(found || !rows)
}

/// What the rows of a cursor are.
enum RowKind<'f> {
    Metadata,
    RecordTypes,
    NodeTypes,
    EdgeTypes,
    Strings(Columns),
    Nodes(NodeColumns),
    Edges(Columns),
    Extensions(&'f str),
    /// Extension records that have no table of their own.
    Mixed,
}

/// Whether edges say all that fields of nodes refer to.
fn says_edges(file: &File<'_>) -> Result<bool> {
    let mut found = false;
    file.each("metadata", |row| {
        let column = |name| row.text(row.table().column(name)).unwrap_or_default();
        found |= (&*column("key"), &*column("value")) == BY_EDGES;
        Ok(())
    })?;
    Ok(found)
}

/// Which rows belong to the snapshots of `pick`.
fn chosen(file: &File<'_>, pick: SnapshotSelector) -> Result<SnapshotRows> {
    let mut starts: Vec<(i64, String)> = Vec::new();
    file.each("metadata", |row| {
        if row.text(row.table().column("key")).as_deref() == Some("heap.snapshot") {
            let value = row.text(row.table().column("value")).unwrap_or_default().into_owned();
            starts.push((row.head().unwrap_or(0), value));
        }
        Ok(())
    })?;
    SnapshotRows::new(&starts, pick)
}

/// A row of `heap_fields`.
struct Field {
    name: String,
    kind: FieldKind,
    column: Option<String>,
}

/// The rows of `heap_fields` by the declaration that they belong to.
fn declared_fields(file: &File<'_>) -> Result<Map<i64, Vec<Field>>> {
    let mut declared: Map<i64, Vec<Field>> = Map::default();
    let mut left = MOST_FIELDS;
    file.each("heap_fields", |row| {
        let column = |name| row.text(row.table().column(name)).map(std::borrow::Cow::into_owned);
        let declared_in = row.must(row.table().column("declared_in"), "declared_in")?;
        let Some(kind) = column("kind").and_then(|k| FieldKind::from_name(&k)) else {
            return Err(row.error("expected the kind of a field in kind"));
        };
        if left == 0 {
            return Err(row.error("too many fields"));
        }
        left -= 1;
        let name = column("field").unwrap_or_default();
        declared.entry(declared_in).or_default().push(Field { name, kind, column: column("column_name") });
        Ok(())
    })?;
    Ok(declared)
}

/// Tables of extension records, by kind.
fn kinds<'f>(file: &File<'f>) -> Result<Vec<(String, &'f Found)>> {
    let mut kinds = Vec::new();
    file.each("heap_tables", |row| {
        let column = |name| row.text(row.table().column(name));
        if kinds.len() > crate::schema::MOST_TABLES {
            return Err(row.error("too many tables"));
        }
        if let (Some(name), Some(table)) = (column("name"), column("table_name"))
            && let Some(table) = file.table(&table).filter(|t| is_ours(t))
        {
            kinds.push((name.into_owned(), table));
        }
        Ok(())
    })?;
    Ok(kinds)
}

/// Whether a sink that wants edges of some sources wants those of this one.
pub(crate) fn wants_edges(file: &File<'_>, wants: &Wants) -> Result<bool> {
    let mut arrays = false;
    if wants.edges_with(true) != wants.any_edges() {
        file.each("node_types", |row| {
            arrays |= row.text(row.table().column("name")).is_some_and(|name| has_numbers_alone(&name));
            Ok(())
        })?;
    }
    Ok(wants.edges_with(arrays))
}

/// Tables of subtypes.
fn sub_tables<'f>(file: &File<'f>) -> Result<Vec<&'f Found>> {
    let mut tables: Vec<&Found> = Vec::new();
    file.each("node_types", |row| {
        if let Some(table) = row.text(row.table().column("table_name")).and_then(|t| file.table(&t))
            && is_ours(table)
            && !tables.iter().any(|t| std::ptr::eq(*t, table))
        {
            tables.push(table);
        }
        Ok(())
    })?;
    Ok(tables)
}

fn read_ours(file: &File<'_>, pick: SnapshotSelector, sink: &mut dyn Sink) -> Result {
    let mut emitter = Emitter::new(sink);
    let chosen = chosen(file, pick)?;
    let kinds = kinds(file)?;
    if emitter.wants.references && !says_edges(file)? {
        emitter.wants.nodes = Nodes::Full;
    }
    let wants = emitter.wants;
    let sub_tables = if wants.node_details() && wants.any_nodes() { sub_tables(file)? } else { Vec::new() };

    let edges = wants_edges(file, &wants)?;
    let range = chosen.range();
    let mut wanted: Vec<(RowKind<'_>, &Found, (i64, i64))> = Vec::new();
    for table in file.tables.iter().filter(|t| is_ours(t)) {
        let (rows, range) = match table.name.as_str() {
            "metadata" => (RowKind::Metadata, ALL),
            "heap_types" => (RowKind::RecordTypes, ALL),
            "node_types" => (RowKind::NodeTypes, ALL),
            "edge_types" => (RowKind::EdgeTypes, ALL),
            "strings" if wants.any_strings() => {
                (RowKind::Strings(Columns::strings(table)), (i64::MIN, range.1))
            }
            "node" if wants.any_nodes() => (RowKind::Nodes(NodeColumns::new(table)), range),
            "edge" if edges => (RowKind::Edges(Columns::edge(table)), range),
            "heap_other" if wants.extensions => (RowKind::Mixed, range),
            _ => continue,
        };
        wanted.push((rows, table, range));
    }
    let others = kinds.iter().filter(|_| wants.extensions);
    wanted.extend(others.map(|(kind, table)| (RowKind::Extensions(kind), *table, range)));

    let room = file.blob.len();
    let open = |tables: &mut dyn Iterator<Item = (&Found, (i64, i64))>| {
        tables.map(|(table, range)| select(file.conn, table, range)).collect::<Result<Vec<Statement<'_>>>>()
    };
    let mut statements = open(&mut wanted.iter().map(|(_, table, range)| (*table, *range)))?;
    let mut cursors = Vec::new();
    for (statement, (rows, table, _)) in statements.iter_mut().zip(wanted) {
        cursors.push((rows, Cursor::new(statement, table, room)?));
    }
    let mut sub_statements = open(&mut sub_tables.iter().map(|table| (*table, range)))?;
    let mut subs = Vec::new();
    for (statement, table) in sub_statements.iter_mut().zip(&sub_tables) {
        subs.push(Cursor::new(statement, table, room)?);
    }

    let mut ours = Ours {
        file,
        chosen: &chosen,
        kinds: &kinds,
        sub_tables: &sub_tables,
        declared: declared_fields(file)?,
        parts: Map::default(),
        emitter,
    };
    let mut progress = Progress::new(file)?;
    let mut heads = Vec::new();
    loop {
        // The table that has the next record, and how long it goes on.
        heads.clear();
        heads.extend(cursors.iter().enumerate().filter_map(|(i, (_, c))| Some((c.head()?, i))));
        heads.sort_unstable();
        let Some((rows, cursor)) = heads.first().and_then(|h| cursors.get_mut(h.1)) else { return Ok(()) };
        let limit = heads.get(1).map_or(i64::MAX, |h| h.0);
        loop {
            ours.row(rows, cursor, &mut subs)?;
            progress.step();
            cursor.advance()?;
            if cursor.head().is_none_or(|head| head > limit) {
                break;
            }
        }
    }
}

/// What rows mean depends on the declarations before them.
struct Ours<'r, 'f, 'k> {
    file: &'r File<'f>,
    chosen: &'r SnapshotRows,
    kinds: &'r [(String, &'f Found)],
    sub_tables: &'r [&'f Found],
    declared: Map<i64, Vec<Field>>,
    /// The fields of extension records.
    parts: Map<String, Part>,
    emitter: Emitter<'k>,
}

impl Ours<'_, '_, '_> {
    /// Emits the record of the cursor's row.
    #[inline]
    fn row(&mut self, rows: &RowKind<'_>, cursor: &Cursor<'_>, subs: &mut [Cursor<'_>]) -> Result {
        match rows {
            RowKind::Edges(columns) => self.emitter.edge(cursor, columns),
            RowKind::Nodes(columns) => {
                let row = cursor.head().unwrap_or(0);
                let mut found = None;
                if let Some(sub) = self.emitter.sub_of(cursor, columns)?.and_then(|i| subs.get_mut(i)) {
                    // Rows whose node was deleted are passed over.
                    while sub.head().is_some_and(|head| head < row) {
                        sub.advance()?;
                    }
                    found = (sub.head() == Some(row)).then_some(SubRow::At(sub));
                }
                self.emitter.node(cursor, columns, found.as_ref())
            }
            RowKind::Strings(columns) => self.emitter.string(cursor, columns),
            RowKind::Metadata => self.metadata(cursor),
            RowKind::RecordTypes => self.record_type(cursor),
            RowKind::NodeTypes => self.node_type(cursor),
            RowKind::EdgeTypes => self.emitter.edge_type(cursor),
            RowKind::Extensions(kind) => match self.parts.get(*kind) {
                Some(part) => self.emitter.extension(cursor, kind, part),
                None => self.emitter.extension(cursor, kind, &Part::default()),
            },
            RowKind::Mixed => {
                let kind = cursor.text(cursor.table().column("name")).unwrap_or_default();
                self.emitter.extension(cursor, &kind, &Part::default())
            }
        }
    }

    fn metadata(&mut self, cursor: &Cursor<'_>) -> Result {
        let column = |name| cursor.text(cursor.table().column(name)).unwrap_or_default();
        let (key, value) = (column("key"), column("value"));
        if !self.chosen.has_metadata(cursor.head().unwrap_or(0)) {
            return Ok(());
        }
        match (key.as_ref(), self.chosen.picked()) {
            // Its counts are those of all snapshots.
            ("heap.end", Some(_)) => Ok(()),
            ("heap.snapshot", Some(one)) => self.emitter.metadata("sqlite.snapshot", one),
            _ => self.emitter.metadata(&key, &value),
        }
    }

    /// The fields of the declaration at the cursor. `known` ones need no column of their own.
    fn fields(
        &self,
        cursor: &Cursor<'_>,
        table: Option<&Found>,
        known: &[(&str, &str)],
    ) -> Vec<DeclaredField> {
        let fields = self.declared.get(&cursor.head().unwrap_or(0)).map_or(&[][..], Vec::as_slice);
        let declared = |f: &Field| {
            let own = !known.iter().any(|(name, _)| *name == f.name);
            let column = f.column.as_deref().filter(|_| own).and_then(|c| table?.column(c));
            DeclaredField { name: f.name.clone(), kind: f.kind, column }
        };
        fields.iter().map(declared).collect()
    }

    fn record_type(&mut self, cursor: &Cursor<'_>) -> Result {
        let name = cursor.text(cursor.table().column("name")).unwrap_or_default();
        let (table, known): (_, &[_]) = match name.as_ref() {
            "node" => (self.file.table("node"), &NODE_FIELDS),
            "edge" => (self.file.table("edge"), &EDGE_FIELDS),
            "string" => (self.file.table("strings"), &STRING_FIELDS),
            other => (self.kinds.iter().find(|(kind, _)| kind == other).map(|k| k.1), &[]),
        };
        let fields = self.fields(cursor, table, known);
        if self.kinds.iter().any(|(kind, _)| *kind == name) {
            self.parts.insert(name.clone().into_owned(), part(&fields));
        }
        let object = rest_of(cursor, cursor.table().column(REST))?;
        self.emitter.record_type(&name, fields, kept(&object, "line"))
    }

    fn node_type(&mut self, cursor: &Cursor<'_>) -> Result {
        let column = |name| cursor.table().column(name);
        let id = cursor.subtype(column("nodetypeid"), "nodetypeid")?;
        let name = cursor.text(column("name")).unwrap_or_default();
        let mut table_name = cursor.text(column("table_name"));
        let table = table_name.as_deref().and_then(|t| self.file.table(t));
        let fields = self.fields(cursor, table, &[("node_identifier", "node_identifier")]);
        let sub = table.and_then(|t| self.sub_tables.iter().position(|s| std::ptr::eq(*s, t)));
        let object = rest_of(cursor, column(REST))?;
        if let Some(members) = kept(&object, "declared") {
            table_name = match member(members, "table_name").and_then(scalar) {
                Some(Json::Text(text)) => Some(text.into_owned().into()),
                _ => None,
            };
        }
        let subtype = Subtype { fields, sub };
        self.emitter.node_type(id, &name, table_name.as_deref(), subtype, kept(&object, "line"))
    }
}
