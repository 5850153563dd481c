//! heap-grep: search text and name the nodes that hold it. See `man/heap-grep.1`.

use std::process::ExitCode;

use heap_cli::report::Unit;
use heap_cli::{
    Args, Cell, Column, Error, Example, Flag, INPUT, Inputs, OUTPUT, Out, Outcome, Report, SELECTION, Status,
    Tool, own,
};
use heap_ops::grep::{Found, Grep, Place};
use heap_ops::select::Selection;
use heap_record::Sink;

const TOOL: Tool = Tool {
    name: "heap-grep",
    about: "search text in values, names and labels",
    usage: "[OPTIONS] PATTERN [FILE...]",
    flags: &[
        own(&[
            Flag {
                short: Some('e'),
                long: "regexp",
                value: Some("PATTERN"),
                help: "search for this; may be given more than once\n\
                       Then all operands are files.",
            },
            Flag {
                short: Some('F'),
                long: "fixed-strings",
                value: None,
                help: "patterns are plain text, not regular expressions",
            },
            Flag {
                short: Some('i'),
                long: "ignore-case",
                value: None,
                help: "upper and lower case are the same",
            },
            Flag {
                short: None,
                long: "in",
                value: Some("PLACES"),
                help: "search these, parted by commas: value,name,class,label\n\
                       The default is value,name,label.",
            },
            Flag {
                short: Some('c'),
                long: "count",
                value: None,
                help: "only count the matches in each file",
            },
            Flag {
                short: Some('l'),
                long: "files-with-matches",
                value: None,
                help: "only name the files with a match",
            },
            Flag {
                short: Some('q'),
                long: "quiet",
                value: None,
                help: "write nothing; status 0 if there is a match, else 1",
            },
            Flag {
                short: Some('m'),
                long: "max-count",
                value: Some("N"),
                help: "stop after N matches in a file",
            },
        ]),
        SELECTION,
        OUTPUT,
        INPUT,
    ],
    examples: &[
        Example { about: "who holds a user's name", command: "heap-grep -F user42 app.heapsnapshot" },
        Example {
            about: "anything like an e-mail address, by class",
            command: "heap-grep --in value '[a-z.]+@[a-z]+\\.[a-z]+' app.heapsnapshot | jq -r .class | sort | uniq -c",
        },
        Example { about: "which dump has it", command: "heap-grep -l -i session *.heapsnapshot" },
    ],
    notes: "A value is the text of a string, a regular expression and the like; names are those of functions, code and \
            roots; labels those of properties and variables. A label is told with the node that has it, and dest, \
            what it leads to. Where the source cuts strings, only what is in the dump is searched.",
    exit: &[
        ("0", "done, whether or not there was a match"),
        ("1", "with -q: no match"),
        ("2", "wrong usage, input that cannot be read or is damaged, or output that fails"),
    ],
};

fn main() -> ExitCode {
    heap_cli::main(&TOOL, run)
}

#[derive(Default)]
#[allow(clippy::struct_excessive_bools, reason = "one for each switch on the command line")]
struct Options {
    patterns: Vec<String>,
    fixed: bool,
    ignore_case: bool,
    places: Vec<Place>,
    count: bool,
    files: bool,
    quiet: bool,
    max: Option<u64>,
}

fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    let mut selection = Selection::default();
    let mut options = Options::default();
    while let Some(option) = args.next()? {
        match option {
            "regexp" => options.patterns.push(args.text()?),
            "fixed-strings" => options.fixed = true,
            "ignore-case" => options.ignore_case = true,
            "in" => {
                for word in args.text()?.split(',') {
                    options.places.push(
                        Place::named(word)
                            .ok_or_else(|| args.invalid(word, "value, name, class or label"))?,
                    );
                }
            }
            "count" => options.count = true,
            "files-with-matches" => options.files = true,
            "quiet" => options.quiet = true,
            "max-count" => options.max = Some(args.parse("a number")?),
            _ => args.select(option, &mut selection)?,
        }
    }
    if options.patterns.is_empty() {
        if args.operands.is_empty() {
            return Err(Error::usage("no PATTERN"));
        }
        options.patterns.push(args.operands.remove(0).to_string_lossy().into_owned());
    }
    if options.places.is_empty() {
        options.places = vec![Place::Value, Place::Name, Place::Label];
    }
    let inputs = args.inputs()?;
    search(&inputs, &selection, &options, args, out)
}

fn search(
    inputs: &Inputs,
    selection: &Selection,
    options: &Options,
    args: &Args,
    out: &mut Out,
) -> Result<Status, Error> {
    let patterns = heap_ops::grep::patterns(&options.patterns, options.fixed, options.ignore_case)
        .map_err(Error::usage)?;
    let mut report = Report::new("heap.grep", columns(options, inputs.len() > 1), "", &args.output)?;
    let (mut any, mut status) = (false, Status::Done);
    for index in 0..inputs.len() {
        let name = || inputs.name(index).map(|n| n.to_string_lossy().into_owned());
        let mut count = 0u64;
        let first_is_enough = options.quiet || options.files;
        let found = |found: Found| {
            count += 1;
            if !(first_is_enough || options.count) {
                let file = (inputs.len() > 1).then(|| Cell::from(name()));
                report.row(file.into_iter().chain(cells(found)).collect());
            }
            if first_is_enough || options.max == Some(count) {
                Err(heap_record::Error::stop())
            } else {
                Ok(())
            }
        };
        let mut grep = Grep::new(patterns.clone(), options.places.clone(), selection.clone(), found);
        let outcome = inputs.read(index, &mut grep)?;
        if outcome != Outcome::Stopped {
            match grep.finish(outcome == Outcome::Whole) {
                Err(e) if e.is_stop() => {}
                other => other?,
            }
        }
        grep.missing().iter().for_each(|what| heap_cli::warn(what));
        if matches!(outcome, Outcome::Damaged | Outcome::Refused) {
            status = Status::Failed;
        }
        any |= count > 0;
        if options.count {
            report.row(vec![name().into(), count.into()]);
        } else if options.files && count > 0 {
            report.row(vec![name().into()]);
        }
    }
    if !options.quiet {
        report.write(out)?;
    }
    Ok(if options.quiet && !any { status.max(Status::No) } else { status })
}

fn columns(options: &Options, several: bool) -> Vec<Column> {
    let file = Column::new("file", Unit::Text);
    if options.files {
        return vec![file];
    }
    if options.count {
        return vec![file, Column::new("count", Unit::Count)];
    }
    let columns = [
        ("identifier", Unit::Id),
        ("class", Unit::Text),
        ("in", Unit::Text),
        ("dest", Unit::Id),
        ("text", Unit::Text),
    ];
    several
        .then_some(file)
        .into_iter()
        .chain(columns.into_iter().map(|(key, unit)| Column::new(key, unit)))
        .collect()
}

fn cells(found: Found) -> [Cell; 5] {
    [
        Cell::Shown(found.id, format!("@{}", found.number)),
        found.class.into(),
        found.place.name().into(),
        found.dest.into(),
        found.text.into(),
    ]
}
