//! heap-top: the largest nodes. See `man/heap-top.1`.

use std::process::ExitCode;

use heap_cli::{Args, EXIT, Error, Example, Flag, INPUT, OUTPUT, Out, SELECTION, Status, Tool, own};
use heap_ops::select::Selection;
use heap_ops::tools::top::Top;
use heap_report::tools::top as rows;

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
    rows::report(top.report().rows(), &key, &args.output)?.write(out)?;
    top.missing().iter().for_each(|what| heap_cli::warn(what));
    Ok(status)
}
