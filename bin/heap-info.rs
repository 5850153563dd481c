//! heap-info: what a file is. See `man/heap-info.1`.

use std::process::ExitCode;

use heap_cli::report::Unit;
use heap_cli::{
    Args, Cell, Column, EXIT, Error, Example, Flag, INPUT, OUTPUT, Out, Report, Status, Tool, own,
};
use heap_record::{Fact, Facts, Info};

const TOOL: Tool = Tool {
    name: "heap-info",
    about: "say what a heap dump is",
    usage: "[OPTIONS] [FILE...]",
    flags: &[
        own(&[Flag { short: None, long: "list", value: None, help: "one row for each snapshot in a file" }]),
        OUTPUT,
        INPUT,
    ],
    examples: &[
        Example { about: "format, version and counts", command: "heap-info app.heapsnapshot" },
        Example { about: "the snapshots of a file with several", command: "heap-info --list app.mvmheap" },
        Example {
            about: "only V8's files, with jq",
            command: "heap-info *.heapsnapshot | jq -r 'select(.format==\"v8.heapsnapshot\").file'",
        },
    ],
    notes: "Reads headers and indexes only, where the format has them. A record stream has neither and is read whole.",
    exit: EXIT,
};

fn main() -> ExitCode {
    heap_cli::main(&TOOL, run)
}

fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    let mut list = false;
    while let Some(option) = args.next()? {
        match option {
            "list" => list = true,
            _ => return Err(args.unexpected()),
        }
    }
    let inputs = args.inputs()?;
    let mut rows: Vec<Facts> = Vec::new();
    let status = inputs.each(|index, input| {
        let info = input.info()?;
        let name = inputs.name(index).map(|n| n.to_string_lossy().into_owned());
        let file = name.map(|name| ("file", Fact::Text(name)));
        let prefixed = |facts: Facts| file.clone().into_iter().chain(facts).collect();
        let damage = info.facts.iter().find_map(|(key, fact)| match fact {
            Fact::Text(what) if *key == "damage" => Some(what.clone()),
            _ => None,
        });
        if list {
            rows.extend(snapshots(&info).into_iter().map(prefixed));
        } else {
            rows.push(prefixed(summary(info)));
        }
        // What stands is told first.
        damage.map_or(Ok(()), |what| Err(heap_base::Error::input(what).into()))
    })?;
    report(&rows, args)?.write(out)?;
    Ok(status)
}

/// One row for the whole file.
fn summary(info: Info) -> Facts {
    let mut facts = vec![("format", Fact::Text(info.format.to_owned()))];
    facts.extend(info.version.map(|v| ("version", Fact::Text(v))));
    facts.extend(info.producer.map(|p| ("producer", Fact::Text(p))));
    if !info.snapshots.is_empty() {
        facts.push(("snapshots", Fact::Int(info.snapshots.len() as i64)));
    }
    facts.extend(info.facts);
    facts
}

/// One row for each snapshot; a format that can have just one tells of the file.
fn snapshots(info: &Info) -> Vec<Facts> {
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

fn report(rows: &[Facts], args: &Args) -> Result<Report, Error> {
    let mut columns: Vec<Column> = Vec::new();
    for (key, fact) in rows.iter().flatten() {
        let unit = match fact {
            Fact::Int(_) => Unit::Count,
            Fact::Bytes(_) => Unit::Bytes,
            Fact::Text(_) | Fact::Flag(_) => Unit::Text,
        };
        if !columns.iter().any(|c| c.key == *key) {
            columns.push(Column::new(*key, unit));
        }
    }
    let keys: Vec<String> = columns.iter().map(|c| c.key.clone()).collect();
    let mut report = Report::new("heap.info", columns, "", &args.output)?;
    for row in rows {
        let cell = |key: &String| {
            row.iter().find(|(k, _)| k == key).map_or(Cell::Absent, |(_, fact)| match fact {
                Fact::Int(n) => Cell::Int(*n),
                Fact::Bytes(n) => Cell::Uint(*n),
                Fact::Text(text) => Cell::Text(text.clone()),
                Fact::Flag(b) => Cell::Bool(*b),
            })
        };
        report.row(keys.iter().map(cell).collect());
    }
    Ok(report)
}
