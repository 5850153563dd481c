//! heap-strings: strings that are there more than once. See `man/heap-strings.1`.

use crate::memory::MEMORY;
use crate::strings::rows;
use crate::strings::{DuplicateStrings, HeldStrings, WholeStrings};
use heap_cli::{Args, EXIT, Error, Example, Flag, INPUT, Out, SELECTION, Status, Tool, output, own, switch};
use heap_ops::select::Selection;

/// Options, examples and notes of the tool.
pub const TOOL: Tool = Tool {
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
            MEMORY,
        ]),
        SELECTION,
        output(rows::COLUMNS),
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
            one is known to be longer than what is seen (then its real length is known and compared), and maybe \
            where a text is as long as the source's limit and nothing more is known (then strings of different sizes \
            are not equal). Strings that are put together from others (string_cons, string_sliced) are joined. A \
            string takes its own bytes, and those of the array with its text that it alone refers to. Wasted are the \
            bytes that all but the first node take.",
    exit: EXIT,
    run,
};

fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    let mut selection = Selection::default();
    let (mut at_least, mut held, mut memory) = (2, false, None);
    while let Some(option) = args.next()? {
        match option {
            "min-count" => at_least = args.parse("a number")?,
            "held-by" => held = true,
            "memory" => memory = Some(args.size()?),
            _ => args.select(option, &mut selection)?,
        }
    }
    let inputs = args.inputs()?;
    let (mut found, mut has_text, mut missing, mut unknown) = (Vec::new(), false, Vec::new(), 0);
    let mut take = |mut report: DuplicateStrings, what, file: Option<String>| {
        if let Some(file) = file {
            report.of_file(&file);
        }
        has_text |= report.has_text();
        unknown += report.unknown();
        missing.extend::<Vec<_>>(what);
        found.extend(report.into_rows());
    };
    if held {
        let make = || HeldStrings::new(DuplicateStrings::new(selection.clone(), at_least), memory);
        inputs.apart(make, |strings, file| {
            let (report, what) = strings.build()?;
            take(report, what, file);
            Ok(())
        })?;
    } else {
        let mut strings = WholeStrings::new(DuplicateStrings::new(selection, at_least), memory);
        for index in 0..inputs.len() {
            strings.begin_stream()?;
            inputs.read(index, &mut strings)?;
            strings.end_snapshot()?;
            if let Some(file) = inputs.one_of_several(index) {
                strings.strings().report_mut().of_file(&file);
            }
        }
        let strings = strings.into_strings();
        let missing = strings.missing();
        take(strings.into_report(), missing, None);
    }
    rows::report(&found, &args.output)?.write(out)?;
    if unknown > 0 {
        missing
            .push(format!("strings in parts whose text is too long or not all there, left out: {unknown}"));
    }
    for what in &missing {
        heap_cli::warn(what);
    }
    if inputs.is_intact() && !has_text {
        heap_cli::warn("no node has text: the source does not say what its strings hold");
    }
    Ok(inputs.status())
}
