//! heap-show: one object in full. See `man/heap-show.1`.

use std::process::ExitCode;

use heap_cli::{Args, Error, Example, Flag, INPUT, OUTPUT, Out, Outcome, SELECTION, Status, Tool, own};
use heap_ops::select::Selection;
use heap_ops::tools::show::Show;
use heap_ops::tools::stack::Calls;
use heap_record::Sink;
use heap_report::Format;
use heap_report::tools::{show as rows, stack};

const TOOL: Tool = Tool {
    name: "heap-show",
    about: "show an object with its fields and edges",
    usage: "[OPTIONS] --id @N [FILE...]",
    flags: &[
        own(&[Flag {
            short: None,
            long: "stack",
            value: None,
            help: "the calls of each thread with their arguments and places, innermost first\n\
                   For core dumps, processes and dumps of other machines that have stacks. Takes no selection.",
        }]),
        SELECTION,
        OUTPUT,
        INPUT,
    ],
    examples: &[
        Example {
            about: "an object by the number that DevTools shows",
            command: "heap-show --id @1 app.heapsnapshot",
        },
        Example {
            about: "every instance of a class",
            command: "heap-show --class Session app.heapsnapshot | head -n 20",
        },
        Example {
            about: "where a process stood when it died, with arguments",
            command: "heap-show --stack app.core",
        },
        Example {
            about: "who refers to it, with jq",
            command: "heap-show --id @3 app.heapsnapshot | jq -c 'select(.part==\"in\")'",
        },
    ],
    notes: "One row for the object (part node), one for each field (part field), for each edge from it (part out) and \
            to it (part in), with class, name and size of the other end.",
    exit: &[
        ("0", "done"),
        ("1", "no object was selected"),
        ("2", "wrong usage, input that cannot be read or is damaged, or output that fails"),
    ],
};

fn main() -> ExitCode {
    heap_cli::main(&TOOL, run)
}

fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    let mut selection = Selection::default();
    let mut stacks = false;
    while let Some(option) = args.next()? {
        match option {
            "stack" => stacks = true,
            _ => args.select(option, &mut selection)?,
        }
    }
    if stacks {
        if !selection.is_all() {
            return Err(Error::usage("--stack takes no selection"));
        }
        return show_stacks(args, out);
    }
    if selection.is_all() {
        return Err(Error::usage("which objects? Say --id @N, --class NAME or the like, or --stack"));
    }
    let inputs = args.inputs()?;
    // Rows are shown in this order, so what is beyond the limit need not be kept.
    let most = args.output.limit.filter(|_| args.output.sort.is_none());
    let mut show = Show::with_most(selection, most);
    let status = inputs.pump(&mut show)?;
    rows::report(show.report().rows(), &args.output)?.write(out)?;
    show.missing().iter().for_each(|what| heap_cli::warn(what));
    Ok(if show.report().rows().is_empty() { status.max(Status::No) } else { status })
}

/// The calls of each thread.
fn show_stacks(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    let inputs = args.inputs()?.again();
    let (mut stacks, mut status) = (Vec::new(), Status::Done);
    for index in 0..inputs.len() {
        let Some(mut input) = inputs.open(index) else {
            status = Status::Failed;
            continue;
        };
        let mut calls = Calls::reading();
        let first = inputs.read_open(index, &mut input, &mut calls)?;
        calls.finish(first == Outcome::Whole)?;
        let mut values = calls.report().values();
        let second = inputs.read_again(index, &mut input, first, &mut values)?;
        values.finish(second == Outcome::Whole)?;
        if second != Outcome::Whole {
            status = Status::Failed;
        }
        stacks.extend(calls.into_report().stacks(&values.into_report()));
    }
    if args.output.format.map_or(out.is_terminal(), |format| format == Format::Table) {
        stack::sentences(&stacks, out)?;
    } else {
        stack::report(&stacks, &args.output)?.write(out)?;
    }
    Ok(if stacks.is_empty() { status.max(Status::No) } else { status })
}
