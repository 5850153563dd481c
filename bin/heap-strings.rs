//! heap-strings: strings that are there more than once. See `man/heap-strings.1`.

use std::process::ExitCode;

use heap_cli::{
    Args, EXIT, Error, Example, Flag, INPUT, Out, Outcome, SELECTION, Status, Tool, output, own, switch,
};
use heap_ops::select::Selection;
use heap_ops::tools::strings::{DuplicateStrings, HeldStrings};
use heap_report::tools::strings as rows;

/// What --sort takes.
const COLUMNS: &[&str] = &["count", "size", "wasted", "length", "cut", "first", "text", "held_by"];

const TOOL: Tool = Tool {
    name: "heap-strings",
    about: "find equal strings and what they waste",
    usage: "[OPTIONS] [FILE...]",
    flags: &[
        own(&[
            Flag {
                short: None,
                long: "min-count",
                value: Some("N"),
                help: "only texts that N nodes hold or more\n\
                       The default is 2; 1 lists every string.",
            },
            switch(
                None,
                "held-by",
                "add held_by: the field that most nodes of a text hang on, such as Page.html\n\
                 Needs the whole graph.",
            ),
        ]),
        SELECTION,
        output(COLUMNS),
        INPUT,
    ],
    examples: &[
        Example { about: "what duplicates cost", command: "heap-strings -n 10 app.heapsnapshot" },
        Example {
            about: "which field holds the copies",
            command: "heap-strings --held-by -n 10 app.heapsnapshot",
        },
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
    let (mut at_least, mut held) = (2, false);
    while let Some(option) = args.next()? {
        match option {
            "min-count" => at_least = args.parse("a number")?,
            "held-by" => held = true,
            _ => args.select(option, &mut selection)?,
        }
    }
    let inputs = args.inputs()?;
    let (found, has_text, mut missing, unknown, status) = if held {
        let (mut found, mut text, mut missing, mut status) = (Vec::new(), false, Vec::new(), Status::Done);
        let mut unknown = 0;
        for index in 0..inputs.len() {
            let mut strings = HeldStrings::new(DuplicateStrings::new(selection.clone(), at_least));
            let outcome = inputs.read(index, &mut strings)?;
            if outcome != Outcome::Whole {
                status = Status::Failed;
            }
            if outcome != Outcome::Refused {
                let (report, what) = strings.build()?;
                text |= report.has_text();
                unknown += report.unknown();
                missing.extend(what);
                let file = inputs.one_of_several(index);
                let mut rows = report.into_rows();
                for row in &mut rows {
                    row.file.clone_from(&file);
                }
                found.extend(rows);
            }
        }
        (found, text, missing, unknown, status)
    } else {
        let mut strings = DuplicateStrings::new(selection, at_least);
        let mut status = Status::Done;
        for index in 0..inputs.len() {
            let outcome = inputs.read(index, &mut strings)?;
            if matches!(outcome, Outcome::Damaged | Outcome::Refused) {
                status = Status::Failed;
            }
            strings.end_input()?;
            if let Some(file) = inputs.one_of_several(index) {
                strings.report_mut().of_file(&file);
            }
        }
        let missing = strings.missing();
        let strings = strings.into_report();
        let (text, unknown) = (strings.has_text(), strings.unknown());
        (strings.into_rows(), text, missing, unknown, status)
    };
    rows::report(&found, &args.output)?.write(out)?;
    if unknown > 0 {
        missing
            .push(format!("strings in parts whose text is too long or not all there, left out: {unknown}"));
    }
    for what in &missing {
        heap_cli::warn(what);
    }
    if status == Status::Done && !has_text {
        heap_cli::warn("no node has text: the source does not say what its strings hold");
    }
    Ok(status)
}
