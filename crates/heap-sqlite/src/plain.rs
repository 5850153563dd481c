//! Reads files of other writers: the draft's tables and columns, without those of our own.
//!
//! Nothing in them says what a column holds, so a sample of its values decides. A `value` of the draft that means text may
//! be a node or a string: it is a string if all of the sample are numbers of strings and not all are nodes.

use heap_base::{Error, Result, Set};
use heap_record::wants::Nodes;
use heap_record::{FieldKind, Sink, SnapshotSelector};
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, Statement};

use crate::cursor::{Cursor, Found, select};
use crate::emit::{Columns, DeclaredField, Emitter, NodeColumns, SubRow, Subtype};
use crate::fault;
use crate::file::{ALL, File, Progress};
use crate::read::wants_edges;
use crate::schema::{DRAFT, EDGE_FIELDS, NODE_FIELDS, STRING_FIELDS, quoted};

/// Values in the sample of a column.
const SAMPLE: usize = 64;
/// Rows that are searched for a sample.
const SEARCH: usize = 10_000;

/// Reads a file that has the draft's tables only.
pub(crate) fn read(file: &File<'_>, pick: SnapshotSelector, sink: &mut dyn Sink) -> Result {
    if let SnapshotSelector::Number(_) = pick {
        pick.range(1)?;
    }
    let mut emitter = Emitter::new(sink);
    let mut progress = Progress::new(file)?;
    if emitter.wants.references {
        emitter.wants.nodes = Nodes::Full;
    }
    metadata(file, &mut emitter)?;
    let subs = declare(file, &mut emitter)?;
    let wants = emitter.wants;
    if wants.any_strings()
        && let Some(table) = file.table("strings")
    {
        let columns = Columns::strings(table);
        file.each("strings", |row| {
            progress.step();
            emitter.string(row, &columns)
        })?;
    }
    if wants.any_nodes()
        && let Some(table) = file.table("node")
    {
        let columns = NodeColumns::new(table);
        // A private file that SQLite makes and removes; nothing of it is in memory beyond its cache.
        let copies = Connection::open("").map_err(fault::write)?;
        let mut statements = Vec::new();
        for table in &subs {
            statements.push(select(file.conn, table, ALL)?);
        }
        let mut cursors = Vec::new();
        for (statement, table) in statements.iter_mut().zip(&subs) {
            cursors.push(Sub { cursor: Cursor::new(statement, table, file.blob.len())?, copy: None });
        }
        file.each("node", |row| {
            progress.step();
            let sub = match emitter.sub_of(row, &columns)? {
                Some(i) if wants.node_details() => cursors.get_mut(i).map(|sub| (i, sub)),
                _ => None,
            };
            let Some((i, sub)) = sub else { return emitter.node(row, &columns, None) };
            let id = row.must(columns.id, "identifier")?;
            let own = sub.cursor.table().column("node_identifier");
            if sub.cursor.head().is_some() && sub.cursor.int(own)? == Some(id) {
                emitter.node(row, &columns, Some(&SubRow::At(&sub.cursor)))?;
                return sub.cursor.advance();
            }
            // Not in the order of the nodes.
            if sub.copy.is_none() {
                sub.copy = Some(copy(file, sub.cursor.table(), &copies, i)?);
            }
            let values = sub.copy.as_mut().map(|s| look_up(s, id)).transpose()?.flatten();
            let found = values.as_ref().map(|values| SubRow::Copy(sub.cursor.table(), values));
            emitter.node(row, &columns, found.as_ref())
        })?;
    }
    if wants_edges(file, &wants)?
        && let Some(table) = file.table("edge")
    {
        let columns = Columns::edge(table);
        file.each("edge", |row| {
            progress.step();
            emitter.edge(row, &columns)
        })?;
    }
    Ok(())
}

/// A subtype's table: the rows in order, and where that is not the order of the nodes, a copy to search in.
struct Sub<'s> {
    cursor: Cursor<'s>,
    copy: Option<Statement<'s>>,
}

fn metadata(file: &File<'_>, emitter: &mut Emitter<'_>) -> Result {
    let mut version = None;
    let is_version =
        |row: &Cursor<'_>| row.text(row.table().column("key")).as_deref() == Some("version_major");
    file.each("metadata", |row| {
        if is_version(row) && version.is_none() {
            version = row.text(row.table().column("value")).map(std::borrow::Cow::into_owned);
        }
        Ok(())
    })?;
    if let Some(version) = &version {
        heap_record::draft::version(version).map_err(Error::input)?;
    }
    emitter.metadata("version_major", version.as_deref().unwrap_or("1"))?;
    file.each("metadata", |row| {
        let column = |name| row.text(row.table().column(name)).unwrap_or_default();
        let key = column("key");
        if is_version(row) || key == "heap.end" {
            return Ok(());
        }
        emitter.metadata(&key, &column("value"))
    })
}

/// Emits the declarations. Returns the tables of subtypes.
fn declare<'f>(file: &File<'f>, emitter: &mut Emitter<'_>) -> Result<Vec<&'f Found>> {
    for (record, table, known) in [
        ("node", "node", &NODE_FIELDS[..]),
        ("edge", "edge", &EDGE_FIELDS[..]),
        ("string", "strings", &STRING_FIELDS[..]),
    ] {
        let Some(table) = file.table(table) else { continue };
        let other = |c: &&String| !known.iter().any(|(_, column)| column.eq_ignore_ascii_case(c));
        if !table.columns.iter().any(|c| other(&c)) {
            continue;
        }
        let guesses = guesses(file, table)?;
        let mut fields: Vec<_> = Vec::new();
        for (field, column) in known {
            if table.column(column).is_some() {
                let kind = match *field {
                    "label" | "heap.class" | "heap.name" => FieldKind::String,
                    "data" => FieldKind::Text,
                    "heap.reachable" => FieldKind::Boolean,
                    "identifier" | "source" | "dest" | "heap.idom" => FieldKind::Value,
                    _ => FieldKind::Integer,
                };
                fields.push(DeclaredField { name: (*field).to_owned(), kind, column: None });
            }
        }
        for (i, column) in table.columns.iter().enumerate().filter(|(_, c)| other(c)) {
            let kind = guesses.get(i).map_or(FieldKind::Integer, |g| g.kind(FieldKind::Integer));
            fields.push(DeclaredField { name: format!("sqlite.{column}"), kind, column: Some(i) });
        }
        emitter.record_type(record, fields, None)?;
    }

    let mut types = Vec::new();
    file.each("node_types", |row| {
        let column = |name| row.table().column(name);
        let id = row.subtype(column("nodetypeid"), "nodetypeid")?;
        let text = |name| row.text(column(name)).map(std::borrow::Cow::into_owned);
        types.push((id, text("name").unwrap_or_default(), text("table_name")));
        if types.len() > SEARCH { Err(row.error("too many subtypes")) } else { Ok(()) }
    })?;
    let mut subs: Vec<&Found> = Vec::new();
    for (_, _, table) in &types {
        if let Some(table) = table.as_ref().and_then(|t| file.table(t))
            && table.column("node_identifier").is_some()
            && !subs.iter().any(|t| std::ptr::eq(*t, table))
        {
            subs.push(table);
        }
    }
    let fields = sub_fields(file, &subs)?;
    for (id, name, table_name) in types {
        let table = table_name.as_ref().and_then(|t| file.table(t));
        let sub = table.and_then(|t| subs.iter().position(|s| std::ptr::eq(*s, t)));
        let fields = sub.and_then(|i| fields.get(i)).cloned().unwrap_or_default();
        // Whatever the draft calls it.
        let name = heap_record::draft::subtype(&name).map_or(name.as_str(), |known| known.name);
        emitter.node_type(id, name, table_name.as_deref(), Subtype { fields, sub }, None)?;
    }
    file.each("edge_types", |row| emitter.edge_type(row))?;
    Ok(subs)
}

/// The fields of subtypes' tables, in the order of the columns.
fn sub_fields(file: &File<'_>, subs: &[&Found]) -> Result<Vec<Vec<DeclaredField>>> {
    let mut all = Vec::new();
    let mut sampled = Set::default();
    for table in subs {
        let guesses = guesses(file, table)?;
        let draft =
            DRAFT.iter().find(|(name, _)| table.name.eq_ignore_ascii_case(name)).map_or(&[][..], |d| d.1);
        let mut fields = Vec::new();
        for (i, (column, guess)) in table.columns.iter().zip(guesses).enumerate() {
            if column.eq_ignore_ascii_case("node_identifier") {
                continue;
            }
            let known = draft.iter().find(|(name, _)| column.eq_ignore_ascii_case(name));
            let kind = guess.kind(known.map_or(FieldKind::Integer, |k| k.1));
            if kind == FieldKind::Value {
                sampled.extend(guess.ints.iter().copied());
            }
            fields.push((DeclaredField { name: column.clone(), kind, column: Some(i) }, guess.ints));
        }
        all.push(fields);
    }
    // Which of the sampled values are strings, and which are nodes: one pass over each table.
    let among = |name: &str, column: &str| -> Result<Set<i64>> {
        let mut found = Set::default();
        if !sampled.is_empty() {
            file.each(name, |row| {
                if let Ok(Some(n)) = row.int(row.table().column(column))
                    && sampled.contains(&n)
                {
                    found.insert(n);
                }
                Ok(())
            })?;
        }
        Ok(found)
    };
    let (strings, nodes) = (among("strings", "stringid")?, among("node", "identifier")?);
    let decide = |(mut field, ints): (DeclaredField, Vec<i64>)| {
        let all_in = |set: &Set<i64>| ints.iter().all(|n| set.contains(n));
        if field.kind == FieldKind::Value && !ints.is_empty() && all_in(&strings) && !all_in(&nodes) {
            field.kind = FieldKind::String;
        }
        field
    };
    Ok(all.into_iter().map(|fields| fields.into_iter().map(decide).collect()).collect())
}

/// What a sample of a column holds.
#[derive(Clone, Debug, Default)]
struct Guess {
    ints: Vec<i64>,
    reals: bool,
    texts: bool,
}

impl Guess {
    fn kind(&self, declared: FieldKind) -> FieldKind {
        match (self.texts, self.reals) {
            (true, _) => FieldKind::Text,
            (_, true) => FieldKind::Float,
            _ => declared,
        }
    }
}

/// Samples the first rows of a table.
fn guesses(file: &File<'_>, table: &Found) -> Result<Vec<Guess>> {
    let mut guesses = vec![Guess::default(); table.columns.len()];
    let mut statement = select(file.conn, table, ALL)?;
    let mut cursor = Cursor::new(&mut statement, table, file.blob.len())?;
    for _ in 0..SEARCH {
        if cursor.head().is_none() {
            break;
        }
        for (i, guess) in guesses.iter_mut().enumerate() {
            match cursor.value(i) {
                ValueRef::Integer(n) if guess.ints.len() < SAMPLE => guess.ints.push(n),
                ValueRef::Null | ValueRef::Integer(_) => {}
                ValueRef::Real(_) => guess.reals = true,
                ValueRef::Text(_) | ValueRef::Blob(_) => guess.texts = true,
            }
        }
        cursor.advance()?;
    }
    Ok(guesses)
}

/// Copies a table into a private file, with an index.
fn copy<'c>(file: &File<'_>, table: &Found, copies: &'c Connection, number: usize) -> Result<Statement<'c>> {
    let names: Vec<_> = table.columns.iter().map(|c| quoted(c)).collect();
    let marks = vec!["?"; names.len()].join(",");
    let names = names.join(",");
    copies
        .execute_batch(&format!(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; CREATE TABLE t{number}({names}); BEGIN;"
        ))
        .map_err(fault::write)?;
    let mut insert =
        copies.prepare(&format!("INSERT INTO t{number} VALUES({marks})")).map_err(fault::write)?;
    file.each(&table.name, |row| {
        for i in 0..table.columns.len() {
            insert.raw_bind_parameter(i + 1, owned(row.value(i))).map_err(fault::write)?;
        }
        insert.raw_execute().map(|_| ()).map_err(fault::write)
    })?;
    copies
        .execute_batch(&format!("COMMIT; CREATE INDEX i{number} ON t{number}(node_identifier);"))
        .map_err(fault::write)?;
    copies.prepare(&format!("SELECT {names} FROM t{number} WHERE node_identifier = ?1")).map_err(fault::write)
}

fn owned(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(n) => Value::Integer(n),
        ValueRef::Real(x) => Value::Real(x),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Value::Text(String::from_utf8_lossy(bytes).into()),
    }
}

/// The row of a node.
fn look_up(statement: &mut Statement<'_>, id: i64) -> Result<Option<Vec<Value>>> {
    let width = statement.column_count();
    let mut rows = statement.query([id]).map_err(fault::write)?;
    let Some(row) = rows.next().map_err(fault::write)? else { return Ok(None) };
    (0..width)
        .map(|i| row.get_ref(i).map(owned))
        .collect::<rusqlite::Result<Vec<_>>>()
        .map(Some)
        .map_err(fault::write)
}
