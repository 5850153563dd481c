//! heap-path: why objects are alive. See `man/heap-path.1`.

use std::process::ExitCode;

use heap_cli::{Args, Error, Example, Flag, INPUT, OUTPUT, Out, Outcome, SELECTION, Status, Tool, own};
use heap_graph::Keep;
use heap_ops::graph::GraphLoader;
use heap_ops::select::Glob;
use heap_ops::select::Selection;
use heap_report::Format;
use heap_report::tools::path as rows;

const TOOL: Tool = Tool {
    name: "heap-path",
    about: "say why objects are alive",
    usage: "[OPTIONS] --id @N [FILE]",
    flags: &[
        own(&[
            Flag {
                short: Some('k'),
                long: "paths",
                value: Some("N"),
                help: "up to N paths to each object that share no object in between\n\
                       The default is 1, a shortest one.",
            },
            Flag {
                short: None,
                long: "merge",
                value: Some("class"),
                help: "fold the paths of all selected objects into one tree by class\n\
                       Neighbours of one class on a path, such as the links of a list, count as one.",
            },
            Flag {
                short: None,
                long: "avoid",
                value: Some("GLOB"),
                help: "no paths through objects of this type\n\
                       May be given more than once.",
            },
        ]),
        SELECTION,
        OUTPUT,
        INPUT,
    ],
    examples: &[
        Example {
            about: "one object, by the number that DevTools shows",
            command: "heap-path --id @3 app.heapsnapshot",
        },
        Example {
            about: "what holds all instances of a class",
            command: "heap-path --class Session --merge class app.heapsnapshot",
        },
        Example {
            about: "the last step of each path, with jq",
            command: "heap-path --class Session app.heapsnapshot | jq -s 'group_by(.path) | map(.[-2].class) | group_by(.) | map([.[0], length])'",
        },
    ],
    notes: "A path leads from a root to the object over edges that keep their target alive; weak ones never count. \
            Without --merge each object has rows of its own: path numbers the paths, step the objects on them from \
            the root on, label and kind say which edge led there. An object that no root keeps alive has no path.",
    exit: &[
        ("0", "done"),
        ("1", "no object was selected, or no root keeps any of them alive"),
        ("2", "wrong usage, input that cannot be read or is damaged, or output that fails"),
    ],
};

fn main() -> ExitCode {
    heap_cli::main(&TOOL, run)
}

fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    let mut selection = Selection::default();
    let (mut k, mut merge, mut avoid) = (1, false, Vec::new());
    while let Some(option) = args.next()? {
        match option {
            "paths" => k = args.parse("a number")?,
            "merge" => match args.text()?.as_str() {
                "class" => merge = true,
                other => return Err(args.invalid(other, "class")),
            },
            "avoid" => avoid.push(Glob::new(&args.text()?)),
            _ => args.select(option, &mut selection)?,
        }
    }
    if selection.is_all() {
        return Err(Error::usage("which objects? Say --id @N, --class NAME or the like"));
    }
    let inputs = args.inputs()?;
    let keep = Keep {
        ids: true,
        classes: true,
        names: true,
        subtypes: true,
        labels: !merge,
        kinds: !merge,
        ..Keep::default()
    };
    let (mut any, mut status) = (false, Status::Done);
    for index in 0..inputs.len() {
        let Some(mut input) = inputs.open(index) else {
            status = Status::Failed;
            continue;
        };
        let mut load = GraphLoader::new(selection.clone(), keep, true);
        let outcome = inputs.read_open(index, &mut input, &mut load)?;
        if outcome != Outcome::Whole {
            status = Status::Failed;
        }
        if outcome == Outcome::Refused {
            continue;
        }
        load.missing()?.iter().for_each(|what| heap_cli::warn(what));
        let loaded = load.build()?;
        let table = args.output.format.map_or(out.is_terminal(), |format| format == Format::Table);
        any |= if merge {
            rows::tree(&loaded, &avoid, table, &args.output, out)?
        } else if table {
            rows::sentences(&loaded, k, &avoid, out)?
        } else {
            rows::steps(&loaded, k, &avoid, &args.output, out)?
        };
    }
    Ok(if any { status } else { status.max(Status::No) })
}
