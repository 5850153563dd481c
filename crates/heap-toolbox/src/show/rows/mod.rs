//! Rows of heap-show.

pub mod awaits;
pub mod handles;
mod pages;
pub mod stack;

use crate::show::{ShownEdge, ShownNode};

use crate::cells::columns;
use heap_ops::place::Source;
use heap_report::{Cell, Error, Layout, Output, Report, Unit};

/// Writes the objects with their fields, incoming and outgoing edges: for programs a row for each. There are `more`
/// objects than these.
///
/// # Errors
/// `--sort` names no column. Or the output fails.
pub fn write(nodes: &[ShownNode], more: usize, layout: &Layout, out: &mut dyn Output) -> Result<(), Error> {
    if layout.is_table(out) && layout.sort.is_none() {
        return Ok(pages::write(nodes, more, layout, out)?);
    }
    report(nodes, layout, out)
}

fn report(nodes: &[ShownNode], layout: &Layout, out: &mut dyn Output) -> Result<(), Error> {
    let all = [
        ("file", Unit::Text),
        ("snapshot", Unit::Text),
        ("part", Unit::Text),
        ("label", Unit::Text),
        ("kind", Unit::Text),
        ("identifier", Unit::Id),
        ("class", Unit::Text),
        ("value", Unit::Text),
        ("size", Unit::Bytes),
        ("location", Unit::Text),
    ];
    let located = |node: &ShownNode| {
        let mut ends = node.into.iter().chain(&node.out);
        node.source.is_some() || !node.stack.is_empty() || ends.any(|end| end.source.is_some())
    };
    // Columns that no node needs.
    let lacking = [
        ("file", nodes.iter().all(|node| node.file.is_none())),
        ("snapshot", nodes.iter().all(|node| node.snapshot.is_none())),
        ("location", !nodes.iter().any(located)),
    ];
    let has = all.map(|(key, _)| !lacking.contains(&(key, true)));
    let there = all.iter().zip(has).filter(|(_, has)| *has).map(|(column, _)| *column);
    let mut report = Report::new("heap.show", columns(there), "", layout)?;
    for node in nodes {
        let mut row = |cells: [Cell; 8]| {
            let whose = [node.file.as_deref().into(), Cell::snapshot(node.snapshot.as_deref())];
            let cells = whose.into_iter().chain(cells).zip(has).filter(|(_, has)| *has);
            report.emit(cells.map(|(cell, _)| cell).collect(), out).map(drop)
        };
        let size = node.fields.get("heap.size").and_then(|size| size.parse::<u64>().ok());
        row([
            "node".into(),
            Cell::Absent,
            node.subtype.as_str().into(),
            Cell::Shown(node.id, format!("@{}", node.number)),
            node.class.as_str().into(),
            node.name.clone().into(),
            size.into(),
            node.source.as_ref().map(Source::whole).into(),
        ])?;
        for (name, value) in node.fields.iter() {
            let none = || Cell::Absent;
            row(["field".into(), name.into(), none(), none(), none(), value.into(), none(), none()])?;
        }
        for (depth, call) in node.stack.iter().enumerate() {
            let (label, name, location) = (depth.to_string(), call.name(), call.whole());
            let none = || Cell::Absent;
            row([
                "stack".into(),
                label.into(),
                none(),
                none(),
                none(),
                name.into(),
                none(),
                location.into(),
            ])?;
        }
        node.into.iter().try_for_each(|end| row(edge("in", end)))?;
        node.out.iter().try_for_each(|end| row(edge("out", end)))?;
        report.skip(node.beyond);
    }
    report.write(out)
}

fn edge(part: &str, edge: &ShownEdge) -> [Cell; 8] {
    let end = &edge.end;
    // A small integer is its own value.
    let small = || end.id.filter(|id| id & 1 == 0).map(|n| (n >> 1).to_string());
    let id = match (end.id, end.number) {
        (Some(id), Some(number)) => Cell::Shown(id, format!("@{number}")),
        _ => Cell::Absent,
    };
    [
        part.into(),
        edge.label.as_deref().into(),
        edge.kind.name.as_str().into(),
        id,
        end.class.as_deref().into(),
        end.name.as_deref().map(str::to_owned).or_else(small).into(),
        end.size.into(),
        edge.source.as_deref().map(Source::whole).into(),
    ]
}
