//! heap-suspects: what is wrong here? See `man/heap-suspects.1`.

use std::process::ExitCode;

use heap_cli::{Args, Error, Example, Flag, INPUT, OUTPUT, Out, Outcome, Status, Tool, own};
use heap_graph::Keep;
use heap_ops::graph::GraphLoader;
use heap_ops::select::Selection;
use heap_ops::tools::suspects::{Limits, suspects};
use heap_report::Format;
use heap_report::tools::suspects as rows;

const TOOL: Tool = Tool {
    name: "heap-suspects",
    about: "say what is wrong in a heap",
    usage: "[OPTIONS] [FILE...]",
    flags: &[
        own(&[Flag {
            short: None,
            long: "share",
            value: Some("PERCENT"),
            help: "a suspect retains at least this part of the heap\n\
                   The default is 5.",
        }]),
        OUTPUT,
        INPUT,
    ],
    examples: &[
        Example { about: "what holds much", command: "heap-suspects app.heapsnapshot" },
        Example { about: "smaller ones too", command: "heap-suspects --share 1 --table app.heapsnapshot" },
        Example {
            about: "the sentences alone, with jq",
            command: "heap-suspects app.heapsnapshot | jq -r .text",
        },
    ],
    notes: "A suspect is an accumulation point, an object below which much hangs that no single object further down \
            accounts for; or a class, or functions of one name, that retain much in many places. Each is named by \
            its holder, the last object that a property, a field or a variable of the program leads to. What hangs \
            below the roots themselves is the virtual machine's own and is left out. Several files are looked at \
            one by one.",
    exit: &[
        ("0", "done"),
        ("1", "nothing retains that much"),
        ("2", "wrong usage, input that cannot be read or is damaged, or output that fails"),
    ],
};

fn main() -> ExitCode {
    heap_cli::main(&TOOL, run)
}

fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    let mut limits = Limits::default();
    while let Some(option) = args.next()? {
        match option {
            "share" => {
                let percent: f64 = args.parse("a percentage")?;
                if !(0.0..=100.0).contains(&percent) {
                    return Err(Error::usage("--share takes 0 to 100"));
                }
                limits.share = percent / 100.0;
            }
            _ => args.select(option, &mut Selection::default())?,
        }
    }
    let inputs = args.inputs()?;
    let keep = Keep {
        ids: true,
        classes: true,
        names: true,
        subtypes: true,
        labels: true,
        kinds: true,
        ..Keep::default()
    };
    let (mut any, mut status) = (false, Status::Done);
    for index in 0..inputs.len() {
        let Some(mut input) = inputs.open(index) else {
            status = Status::Failed;
            continue;
        };
        let mut load = GraphLoader::new(Selection::default(), keep, true);
        let outcome = inputs.read_open(index, &mut input, &mut load)?;
        if outcome != Outcome::Whole {
            status = Status::Failed;
        }
        if outcome == Outcome::Refused {
            continue;
        }
        let found = suspects(&load.build()?, limits)?;
        any |= !found.is_empty();
        let format = args.output.format;
        if format == Some(Format::Table) || format.is_none() && out.is_terminal() {
            let limit = args.output.limit.unwrap_or(found.len()).min(found.len());
            std::io::Write::write_all(out, rows::text(&found[..limit]).as_bytes())
                .map_err(heap_base::Error::write)?;
        } else {
            rows::report(&found, &args.output)?.write(out)?;
        }
    }
    Ok(if any { status } else { status.max(Status::No) })
}
