//! heap-top: the largest nodes. See `man/heap-top.1`.

use crate::memory::MEMORY;
use crate::top::{RetainedTop, Top, TopNode, keep_largest, rows};
use heap_cli::{Args, EXIT, Error, Example, Flag, INPUT, Inputs, Out, SELECTION, Status, Tool, output, own};
use heap_ops::select::Selection;

/// Options, examples and notes of the tool.
pub const TOOL: Tool = Tool {
    name: "heap-top",
    about: "list the largest nodes",
    usage: "[OPTIONS] [FILE...]",
    flags: &[
        own(&[
            Flag {
                short: None,
                long: "key",
                value: Some("size|retained|external|FIELD"),
                help: "rank by this: size, retained, external or any numeric field\n\
                       The default is size. Nodes that lack the field are left out. retained needs the whole graph, unless \
                       the stream comes from heap-dom, and adds held_by: where each node hangs.",
            },
            MEMORY,
        ]),
        SELECTION,
        output(rows::COLUMNS),
        INPUT,
    ],
    examples: &[
        Example { about: "the ten largest nodes", command: "heap-top app.heapsnapshot" },
        Example {
            about: "the three largest strings",
            command: "heap-top -n 3 --subtype string_flat app.heapsnapshot",
        },
        Example {
            about: "what keeps most alive, and where it hangs",
            command: "heap-top --key retained app.heapsnapshot",
        },
        Example {
            about: "the identifiers of the largest, with jq",
            command: "heap-top app.heapsnapshot | jq .identifier",
        },
    ],
    notes: "Ten nodes of all files unless -n says otherwise; equal ones by identifier.",
    exit: EXIT,
    run,
};

/// Rows, unless -n says otherwise.
const TEN: usize = 10;

fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    let mut selection = Selection::default();
    let (mut key, mut memory) = ("size".to_owned(), None);
    while let Some(option) = args.next()? {
        match option {
            "memory" => memory = Some(args.size()?),
            "key" => key = args.fields()?,
            _ => args.select(option, &mut selection)?,
        }
    }
    let inputs = args.inputs()?;
    if matches!(key.as_str(), "retained" | "heap.retained") {
        return retained(&inputs, (&selection, memory), args, out);
    }
    let limit = args.output.limit.unwrap_or(TEN);
    let mut top = Top::new(&key, limit, selection);
    inputs.together(&mut top, |top, file| {
        if let Some(file) = file {
            top.of_file(&file);
        }
    })?;
    rows::report(top.report().rows().to_vec(), &key, args.output.is_table(out), &args.output)?.write(out)?;
    top.missing().iter().for_each(|what| heap_cli::warn(what));
    Ok(inputs.status())
}

/// The nodes that retain most, of all inputs.
fn retained(
    inputs: &Inputs,
    (selection, memory): (&Selection, Option<u64>),
    args: &Args,
    out: &mut Out,
) -> Result<Status, Error> {
    let (mut found, limit) = (Vec::new(), args.output.limit.unwrap_or(TEN));
    let make = || RetainedTop::new(selection.clone(), memory);
    inputs.apart(make, |mut top, file| {
        top.missing()?.iter().for_each(|what| heap_cli::warn(what));
        let rows = top.build(limit)?.into_iter();
        found.extend(rows.map(|row| TopNode { file: file.clone(), ..row }));
        keep_largest(&mut found, limit);
        Ok(())
    })?;
    rows::report(found, "retained", args.output.is_table(out), &args.output)?.write(out)?;
    Ok(inputs.status())
}
