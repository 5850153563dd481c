//! heap-top: the largest nodes. See `man/heap-top.1`.

use std::process::ExitCode;

use heap_cli::report::Unit;
use heap_cli::{
    Args, Cell, Column, EXIT, Error, Example, Flag, INPUT, OUTPUT, Out, Report, SELECTION, Status, Tool, own,
};
use heap_ops::select::Selection;
use heap_ops::top::Top;

const TOOL: Tool = Tool {
    name: "heap-top",
    about: "list the largest nodes",
    usage: "[OPTIONS] [FILE...]",
    flags: &[
        own(&[Flag {
            short: None,
            long: "key",
            value: Some("FIELD"),
            help: "rank by this: size, retained, external or any numeric field\n\
                   The default is size. Nodes that lack the field are left out; retained needs heap-dom before.",
        }]),
        SELECTION,
        OUTPUT,
        INPUT,
    ],
    examples: &[
        Example { about: "the ten largest nodes", command: "heap-top app.heapsnapshot" },
        Example {
            about: "the three largest strings",
            command: "heap-top -n 3 --subtype string_flat app.heapsnapshot",
        },
        Example {
            about: "their identifiers alone, with jq",
            command: "heap-top app.heapsnapshot | jq .identifier",
        },
    ],
    notes: "Ten nodes unless -n says otherwise; equal ones by identifier.",
    exit: EXIT,
};

fn main() -> ExitCode {
    heap_cli::main(&TOOL, run)
}

fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    let mut selection = Selection::default();
    let mut key = "size".to_owned();
    while let Some(option) = args.next()? {
        match option {
            "key" => key = args.text()?,
            _ => args.select(option, &mut selection)?,
        }
    }
    let inputs = args.inputs()?;
    let limit = args.output.limit.unwrap_or(10);
    let mut top = Top::new(&key, limit, selection);
    let status = inputs.pump(&mut top)?;
    report(&top, &key, args)?.write(out)?;
    top.missing().iter().for_each(|what| heap_cli::warn(what));
    Ok(status)
}

fn report(top: &Top, key: &str, args: &Args) -> Result<Report, Error> {
    let rows = top.rows();
    let snapshots = rows.iter().any(|row| row.snapshot.is_some());
    let known = |has: fn(&heap_record::Heap<'_>) -> bool| rows.iter().any(|row| has(&row.heap));
    let key = key.strip_prefix("heap.").unwrap_or(key);
    let extra = !matches!(key, "size" | "external" | "count" | "retained");
    let optional = [
        (snapshots, "snapshot", Unit::Text),
        (true, "identifier", Unit::Id),
        (true, "subtype", Unit::Text),
        (true, "class", Unit::Text),
        (rows.iter().any(|row| row.name.is_some()), "name", Unit::Text),
        (true, "size", Unit::Bytes),
        (known(|h| h.external.is_some()), "external", Unit::Bytes),
        (known(|h| h.count.is_some()), "count", Unit::Count),
        (known(|h| h.retained.is_some()), "retained", Unit::Bytes),
        (extra, key, Unit::Number),
    ];
    let columns = optional.iter().filter(|o| o.0).map(|o| Column::new(o.1, o.2)).collect();
    let mut report = Report::new("heap.top", columns, "", &args.output)?;
    for row in rows {
        let cells = [
            Cell::snapshot(row.snapshot.as_deref()),
            Cell::Shown(row.id, format!("@{}", row.number)),
            Cell::from(row.subtype.as_str()),
            Cell::from(row.class.as_str()),
            Cell::from(row.name.clone()),
            Cell::from(row.heap.size),
            Cell::from(row.heap.external),
            Cell::from(row.heap.count),
            Cell::from(row.heap.retained),
            number(row.key),
        ];
        report.row(cells.into_iter().zip(&optional).filter(|(_, o)| o.0).map(|(cell, _)| cell).collect());
    }
    Ok(report)
}

/// A whole number as such.
fn number(x: f64) -> Cell {
    if x.fract() == 0.0 && x.abs() < 2_f64.powi(53) { Cell::Int(x as i64) } else { Cell::Float(x) }
}
