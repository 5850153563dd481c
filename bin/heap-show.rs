//! heap-show: one object in full. See `man/heap-show.1`.

use std::process::ExitCode;

use heap_cli::{Args, Error, Example, INPUT, OUTPUT, Out, SELECTION, Status, Tool};
use heap_ops::select::Selection;
use heap_ops::tools::show::Show;
use heap_report::tools::show as rows;

const TOOL: Tool = Tool {
    name: "heap-show",
    about: "show an object with its fields and edges",
    usage: "[OPTIONS] --id @N [FILE...]",
    flags: &[SELECTION, OUTPUT, INPUT],
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
    while let Some(option) = args.next()? {
        args.select(option, &mut selection)?;
    }
    if selection.is_all() {
        return Err(Error::usage("which objects? Say --id @N, --class NAME or the like"));
    }
    let inputs = args.inputs()?;
    let mut show = Show::new(selection);
    let status = inputs.pump(&mut show)?;
    rows::report(show.report().rows(), &args.output)?.write(out)?;
    show.missing().iter().for_each(|what| heap_cli::warn(what));
    Ok(if show.report().rows().is_empty() { status.max(Status::No) } else { status })
}
