//! heap-check: whether dumps and streams are sound. See `man/heap-check.1`.

use crate::check::rows;
use crate::check::{Check, Chosen, Config, Rule};
use heap_cli::{Args, Error, Example, Flag, INPUT, Input, Inputs, Out, Status, Tool, complain, output, own};

/// Options, examples and notes of the tool.
pub const TOOL: Tool = Tool {
    name: "heap-check",
    about: "say whether a dump or a stream is sound",
    usage: "[OPTIONS] [FILE...]",
    flags: &[
        own(&[
            Flag {
                short: None,
                long: "quick",
                value: None,
                help: "one pass, without the graph\n\
                       Leaves out conservation and unreachable, and needs no memory for edges.",
            },
            Flag {
                short: None,
                long: "rule",
                value: Some("NAME"),
                help: "only this rule; may be given more than once",
            },
            Flag {
                short: None,
                long: "ignore",
                value: Some("NAME"),
                help: "all rules but this one; may be given more than once",
            },
            Flag {
                short: None,
                long: "info",
                value: None,
                help: "also rows that are no faults: what was looked at, nodes that no root reaches",
            },
            Flag { short: Some('q'), long: "quiet", value: None, help: "no rows, only the status" },
        ]),
        output(rows::COLUMNS),
        INPUT,
    ],
    examples: &[
        Example { about: "is it sound", command: "heap-check app.heapsnapshot" },
        Example {
            about: "in a script",
            command: "heap-check -q app.heapsnapshot && heap-sum -n 5 app.heapsnapshot",
        },
        Example {
            about: "what was looked at and what was found, by rule, with jq",
            command: "heap-check --info app.heapsnapshot | jq -r .rule | sort | uniq -c",
        },
    ],
    notes: "One row for each finding: the rule, the node or line, and what is wrong there. The manual page lists \
            the rules. -n says how many rows a rule may have (100), of which one more row counts the rest. \n\n\
            Where the reader itself stops at damage, the last row is of the rule damaged, a message says the same, \
            and the status is 2; possible consequences of the damage are left out.",
    exit: &[
        ("0", "sound"),
        ("1", "something was found"),
        ("2", "wrong usage, input that cannot be read or is damaged, or output that fails"),
    ],
    run,
};

const RULE: &str = "the name of a rule, as heap-check(1) lists them";

fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    let (mut only, mut ignored) = (Chosen::NONE, Chosen::NONE);
    let (mut quick, mut info, mut quiet) = (false, false, false);
    while let Some(option) = args.next()? {
        match option {
            "quick" => quick = true,
            "rule" => only = only.with(args.parse_with(RULE, Rule::named)?),
            "ignore" => ignored = ignored.with(args.parse_with(RULE, Rule::named)?),
            "info" => info = true,
            "quiet" => quiet = true,
            _ => return Err(args.unexpected()),
        }
    }
    let rules = Chosen::of(only, ignored, info);
    let limit = args.output.limit.take().unwrap_or(100);
    let inputs = args.inputs()?;
    let mut report = rows::report(&args.output)?;
    let mut status = Status::Done;
    heap_cli::answers();
    for index in 0..inputs.len() {
        let config = Config { rules, limit, graph: !quick, stored: false };
        let (check, error) = check(&inputs, index, config)?;
        status = status.max(if check.found() { Status::No } else { Status::Done });
        if !quiet {
            let file = inputs.name(index).map(|name| name.to_string_lossy());
            rows::add(check.into_findings(), file.as_deref(), &mut report, out)?;
        }
        if let Some(error) = error {
            std::io::Write::flush(out)?;
            complain(inputs.name(index), &error);
            status = Status::Failed;
        }
    }
    report.write(out)?;
    Ok(status)
}

/// Checks one input; with why its end was not reached.
fn check(inputs: &Inputs, index: usize, config: Config) -> Result<(Check, Option<heap_base::Error>), Error> {
    let opened = inputs.try_open(index);
    let stored = opened.as_ref().is_ok_and(Input::is_stored);
    let mut check = Check::new(Config { stored, ..config });
    let read = opened.and_then(|mut input| {
        if !stored && let Ok(info) = input.info() {
            check.info(&info);
        }
        inputs.try_read(index, &mut input, &mut check)
    });
    let error = check.end(read)?;
    Ok((check, error))
}
