//! Rows of heap-info.

use heap_base::sort_by_key;
use heap_record::{Fact, Facts, Info};

use heap_report::text::{human_size, visible, width, wrap};
use heap_report::{Cell, Column, Error, Layout, Output, Report, Unit};

/// What a file with several snapshots has of the one that the other tools read: the last intact one.
const OF_THE_LAST: [&str; 4] = ["nodes", "edges", "size", "external"];

/// One row for the whole file.
pub fn summary(info: Info) -> Facts {
    let mut facts = vec![("format", Fact::Text(info.format.to_owned()))];
    facts.extend(info.version.map(|v| ("version", Fact::Text(v))));
    facts.extend(info.producer.map(|p| ("producer", Fact::Text(p))));
    if !info.snapshots.is_empty() {
        facts.push(("snapshots", Fact::Int(info.snapshots.len() as i64)));
    }
    facts.extend(info.facts);
    let last = info.snapshots.iter().rfind(|facts| !facts.contains(&("whole", Fact::Flag(false))));
    for (key, fact) in last.into_iter().flatten() {
        let name = common(key);
        if OF_THE_LAST.contains(&name) && !facts.iter().any(|(known, _)| common(known) == name) {
            facts.push((name, fact.clone()));
        }
    }
    facts
}

/// One row for each snapshot. A format that has just one has a row for the file.
pub fn snapshots(info: &Info) -> Vec<Facts> {
    if info.snapshots.is_empty() && !info.series {
        return vec![std::iter::once(("snapshot", Fact::Int(0))).chain(info.facts.clone()).collect()];
    }
    let numbered = |(number, facts): (usize, &Facts)| {
        let has = facts.iter().any(|(key, _)| *key == "snapshot");
        let number = (!has).then_some(("snapshot", Fact::Int(number as i64)));
        number.into_iter().chain(facts.clone()).collect()
    };
    info.snapshots.iter().enumerate().map(numbered).collect()
}

/// The name that all formats share for a fact that one calls otherwise.
fn common(key: &'static str) -> &'static str {
    match key {
        "node_count" | "collectables" | "objects" => "nodes",
        "edge_count" | "total_refs" | "references" => "edges",
        "class_count" | "loaded_classes" => "classes",
        "heap_used" => "size",
        "whole" => "complete",
        key => key,
    }
}

/// The facts under the names that all formats share. Tables have no other, rows for programs both.
fn shared(facts: &Facts, table: bool) -> Facts {
    let has = |key: &str| facts.iter().any(|(other, _)| *other == key);
    let renamed = |key: &'static str| Some(common(key)).filter(|&name| name != key && !has(name));
    if table {
        return facts.iter().map(|(key, fact)| (renamed(key).unwrap_or(key), fact.clone())).collect();
    }
    let more = facts.iter().filter_map(|(key, fact)| Some((renamed(key)?, fact.clone())));
    facts.iter().cloned().chain(more).collect()
}

/// What people look for first.
const FIRST: [&str; 7] = ["file", "snapshot", "format", "snapshots", "nodes", "edges", "size"];
const SECOND: [&str; 3] = ["version", "producer", "complete"];

/// Writes a row for each list of facts, with a column for each key that occurs. One list alone is for people a line a
/// fact.
///
/// # Errors
/// `--sort` names no column. Or the output fails.
pub fn write(rows: &[Facts], layout: &Layout, out: &mut dyn Output) -> Result<(), Error> {
    let table = layout.is_table(out);
    let rows: Vec<Facts> = rows.iter().map(|facts| shared(facts, table)).collect();
    match &rows[..] {
        [facts] if table => list(facts, layout, out),
        rows => report(rows, table, layout)?.write(out),
    }
}

fn report(rows: &[Facts], table: bool, layout: &Layout) -> Result<Report, Error> {
    let mut columns: Vec<Column> = Vec::new();
    for (key, fact) in rows.iter().flatten() {
        let unit = match fact {
            Fact::Int(_) => Unit::Count,
            Fact::Bytes(_) => Unit::Bytes,
            Fact::Text(_) | Fact::Flag(_) => Unit::Text,
        };
        if !columns.iter().any(|c| c.key == *key) {
            let rank = if FIRST.contains(key) { 0 } else { 2 - u8::from(SECOND.contains(key)) };
            let column = Column::new(*key, unit).rank(rank);
            columns.push(if *key == "file" { column.keeps_end() } else { column });
        }
    }
    if table {
        let place = |column: &Column| {
            let mut all = FIRST.iter().chain(&SECOND);
            all.position(|key| *key == column.key).unwrap_or(usize::MAX)
        };
        sort_by_key(&mut columns, place);
    }
    let keys: Vec<String> = columns.iter().map(|c| c.key.clone()).collect();
    let mut report = Report::new("heap.info", columns, "", layout)?;
    for row in rows {
        let cell =
            |key: &String| row.iter().find(|(k, _)| k == key).map_or(Cell::Absent, |(_, fact)| cell(fact));
        report.row(keys.iter().map(cell).collect());
    }
    Ok(report)
}

fn cell(fact: &Fact) -> Cell {
    match fact {
        Fact::Int(n) => Cell::Int(*n),
        Fact::Bytes(n) => Cell::Uint(*n),
        Fact::Text(text) => Cell::Text(text.clone()),
        Fact::Flag(b) => Cell::Bool(*b),
    }
}

/// A line a fact; long ones go on below.
fn list(facts: &Facts, layout: &Layout, out: &mut dyn Output) -> Result<(), Error> {
    let keys = facts.iter().map(|(key, _)| width(key)).max().unwrap_or(0);
    let room = layout.width(out.screen()).map(|room| room.saturating_sub(keys + 2).max(8));
    for (key, fact) in facts {
        let mut text = String::new();
        visible(
            &mut text,
            &match fact {
                Fact::Bytes(n) if !layout.plain => human_size(*n),
                fact => cell(fact).plain(),
            },
        );
        let mut lines = room.map_or(vec![text.clone()], |room| wrap(&text, room));
        if let Some(room) = room {
            // Words longer than a line, such as paths.
            let pieces = |line: String| {
                let chars: Vec<char> = line.chars().collect();
                chars.chunks(room).map(|piece| piece.iter().collect()).collect::<Vec<String>>()
            };
            lines = lines.into_iter().flat_map(pieces).collect();
        }
        for (i, line) in lines.iter().enumerate() {
            writeln!(out, "{:keys$}  {line}", if i == 0 { *key } else { "" })?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_the_totals_of_its_last_intact_snapshot() {
        let snapshot = |nodes, whole: bool| {
            let whole = (!whole).then_some(("whole", Fact::Flag(false)));
            [("collectables", Fact::Int(nodes)), ("size", Fact::Bytes(8))].into_iter().chain(whole).collect()
        };
        let of = |snapshots| summary(Info { format: "moarvm.mvmheap", snapshots, ..Info::default() });
        let totals = [("nodes", Fact::Int(5)), ("size", Fact::Bytes(8))];
        assert_eq!(of(vec![snapshot(3, true), snapshot(5, true), snapshot(7, false)])[2..], totals);
        assert_eq!(of(vec![snapshot(7, false)]).len(), 2);
    }

    #[test]
    fn all_formats_have_the_same_names() {
        let facts =
            vec![("node_count", Fact::Int(3)), ("heap_used", Fact::Bytes(96)), ("size", Fact::Bytes(1))];
        let keys = |table| shared(&facts, table).iter().map(|fact| fact.0).collect::<Vec<_>>();
        assert_eq!(keys(true), ["nodes", "heap_used", "size"]);
        assert_eq!(keys(false), ["node_count", "heap_used", "size", "nodes"]);
    }
}
