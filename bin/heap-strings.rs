//! heap-strings: strings that are there more than once. See `man/heap-strings.1`.

use std::process::ExitCode;

use heap_cli::{Args, EXIT, Error, Example, Flag, INPUT, OUTPUT, Out, SELECTION, Status, Tool, own};
use heap_ops::select::Selection;
use heap_ops::tools::strings::DuplicateStrings;
use heap_report::tools::strings as rows;

const TOOL: Tool = Tool {
    name: "heap-strings",
    about: "find equal strings and what they waste",
    usage: "[OPTIONS] [FILE...]",
    flags: &[
        own(&[Flag {
            short: None,
            long: "min-count",
            value: Some("N"),
            help: "only texts that N nodes hold or more\n\
                   The default is 2; 1 lists every string.",
        }]),
        SELECTION,
        OUTPUT,
        INPUT,
    ],
    examples: &[
        Example { about: "what duplicates cost", command: "heap-strings -n 10 app.heapsnapshot" },
        Example {
            about: "the longest strings",
            command: "heap-strings --min-count 1 --sort length -n 3 app.heapsnapshot",
        },
        Example {
            about: "bytes wasted in all, with jq",
            command: "heap-strings app.heapsnapshot | jq -s 'map(.wasted) | add'",
        },
    ],
    notes: "Compares the text of string nodes as the dump has it. Many sources cut long strings: cut is true where \
            one is known to be longer than what is seen (then its real length is known and compared), and absent \
            where a text is as long as the source's limit and nothing more is known. Strings that are put together \
            from others (string_cons, string_sliced) have no text of their own and are left out. Wasted are the \
            bytes of all but the first node.",
    exit: EXIT,
};

fn main() -> ExitCode {
    heap_cli::main(&TOOL, run)
}

fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    let mut selection = Selection::default();
    let mut at_least = 2;
    while let Some(option) = args.next()? {
        match option {
            "min-count" => at_least = args.parse("a number")?,
            _ => args.select(option, &mut selection)?,
        }
    }
    let inputs = args.inputs()?;
    let mut strings = DuplicateStrings::new(selection, at_least);
    let status = inputs.pump(&mut strings)?;
    rows::report(strings.report().rows(), &args.output)?.write(out)?;
    strings.missing().iter().for_each(|what| heap_cli::warn(what));
    let unknown = strings.report().unknown();
    if unknown > 0 {
        heap_cli::warn(&format!(
            "strings in parts whose text is too long or not all there, left out: {unknown}"
        ));
    }
    if status == Status::Done && !strings.report().has_text() {
        heap_cli::warn("no node has text: the source does not say what its strings hold");
    }
    Ok(status)
}
