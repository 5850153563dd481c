//! heap-info: what a file is. See `man/heap-info.1`.

use crate::info::rows as info_rows;
use heap_cli::{Args, EXIT, Error, Example, Flag, INPUT, Out, Status, Tool, output, own};
use heap_record::{Fact, Facts};

/// What --sort takes.
const COLUMNS: &[&str] = &["file", "format", "version", "producer", "snapshots", "nodes", "edges", "size"];

/// Options, examples and notes of the tool.
pub const TOOL: Tool = Tool {
    name: "heap-info",
    about: "say what a heap dump is",
    usage: "[OPTIONS] [FILE...]",
    flags: &[
        own(&[Flag { short: None, long: "list", value: None, help: "one row for each snapshot in a file" }]),
        output(COLUMNS),
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
    notes: "One file is a list on a terminal, several are a row each. nodes, edges, classes and size mean the same in every \
            format; rows for programs have the format's own names as well. Reads headers and indexes only, where the format has them. A record stream has neither and is read whole.",
    exit: EXIT,
    run,
};

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
    inputs.each(|index, input| {
        let info = input.info()?;
        let name = inputs.name(index).map(|n| n.to_string_lossy().into_owned());
        let file = name.map(|name| ("file", Fact::Text(name)));
        let prefixed = |facts: Facts| file.clone().into_iter().chain(facts).collect();
        let damage = info.facts.iter().find_map(|(key, fact)| match fact {
            Fact::Text(what) if *key == "damage" => Some(what.clone()),
            _ => None,
        });
        if list {
            rows.extend(info_rows::snapshots(&info).into_iter().map(prefixed));
        } else {
            rows.push(prefixed(info_rows::summary(info)));
        }
        // The intact part is reported before the damage.
        damage.map_or(Ok(()), |what| Err(heap_base::Error::input(what).into()))
    })?;
    info_rows::write(&rows, &args.output, out)?;
    Ok(inputs.status())
}
