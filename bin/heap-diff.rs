//! heap-diff: two to many snapshots compared. See `man/heap-diff.1`.

use std::collections::BTreeSet;
use std::process::ExitCode;

use heap_cli::{
    Args, Error, Example, Flag, INPUT, Inputs, OUTPUT, Out, Outcome, SELECTION, Status, Tool, own,
};
use heap_devtools::View;
use heap_ops::compare::Condition;
use heap_ops::diff::{Census, Diff, Fate, Identity};
use heap_ops::filter::{Edges, Filter};
use heap_ops::select::Selection;
use heap_record::Writer;
use heap_rows::diff::{self as rows, Shown};

const TOOL: Tool = Tool {
    name: "heap-diff",
    about: "compare snapshots by class and object by object",
    usage: "[OPTIONS] FILE FILE...",
    flags: &[
        own(&[
            Flag {
                short: None,
                long: "leaked",
                value: None,
                help: "only classes with objects that the first file lacks and all later ones have\n\
                       Takes three files or more.",
            },
            Flag {
                short: None,
                long: "nodes",
                value: Some("new|gone|leaked"),
                help: "write these objects as a stream, with the edges among them\n\
                       New and leaked ones come from the last file, gone ones from the first.",
            },
            Flag {
                short: None,
                long: "fail-on",
                value: Some("CONDITION"),
                help: "exit with status 1 if this holds for a row: 'class=Session and count_delta>0'\n\
                       Comparisons of columns (= != < <= > >= ~ !~) joined by and, or. Only such rows are written.",
            },
            Flag {
                short: None,
                long: "all",
                value: None,
                help: "also the classes in which nothing has changed",
            },
            Flag {
                short: None,
                long: "classes",
                value: None,
                help: "compare counts and sizes of classes only, not objects",
            },
            Flag {
                short: None,
                long: "devtools",
                value: None,
                help: "V8, two files: the rows of Chrome DevTools' comparison, figure for figure\n\
                       Classes and sizes are those of heap-sum --devtools.",
            },
        ]),
        SELECTION,
        OUTPUT,
        INPUT,
    ],
    examples: &[
        Example { about: "what has grown", command: "heap-diff before.heapsnapshot after.heapsnapshot" },
        Example {
            about: "what never goes away",
            command: "heap-diff --leaked before.heapsnapshot after.heapsnapshot later.heapsnapshot",
        },
        Example {
            about: "a gate for CI",
            command: "heap-diff before.heapsnapshot after.heapsnapshot --fail-on 'class=Socket and count_delta>0'",
        },
        Example {
            about: "how the new objects hang together, with jq",
            command: "heap-diff --nodes new before.heapsnapshot after.heapsnapshot | heap-names | jq -c 'select(.type==\"edge\")' | head -n 3",
        },
    ],
    notes: "Before is the first file, after the last. Where identifiers hold over the life of the process (V8), or \
            objects carry an identity hash (Dart), new, gone and kept count objects one by one; an object whose class \
            has changed is gone in one and new in the other, and what has no size takes no part where identifiers \
            count. Otherwise a warning says that only counts and sizes were compared.",
    exit: &[
        ("0", "done"),
        ("1", "the condition of --fail-on holds"),
        ("2", "wrong usage, input that cannot be read or is damaged, or output that fails"),
    ],
};

fn main() -> ExitCode {
    heap_cli::main(&TOOL, run)
}

#[derive(Default)]
#[allow(clippy::struct_excessive_bools, reason = "these are independent flags, not a state")]
struct Options {
    leaked: bool,
    all: bool,
    classes: bool,
    devtools: bool,
    nodes: Option<Fate>,
    fail_on: Option<Condition>,
}

fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    let mut selection = Selection::default();
    let mut options = Options::default();
    while let Some(option) = args.next()? {
        match option {
            "leaked" => options.leaked = true,
            "all" => options.all = true,
            "classes" => options.classes = true,
            "devtools" => options.devtools = true,
            "nodes" => {
                let word = args.text()?;
                options.nodes =
                    Some(Fate::named(&word).ok_or_else(|| args.invalid(&word, "new, gone or leaked"))?);
            }
            "fail-on" => {
                let text = args.text()?;
                options.fail_on =
                    Some(Condition::parse(&text).map_err(|e| Error::usage(format!("--fail-on: {e}")))?);
            }
            _ => args.select(option, &mut selection)?,
        }
    }
    let inputs = args.inputs()?.again();
    let leaked = options.leaked || options.nodes == Some(Fate::Leaked);
    if inputs.len() < if leaked { 3 } else { 2 } {
        return Err(Error::usage(if leaked {
            "--leaked takes three files or more"
        } else {
            "takes two files or more"
        }));
    }
    if options.devtools {
        let Options { leaked, all, classes, .. } = options;
        let others = leaked || all || classes || options.nodes.is_some() || options.fail_on.is_some();
        if others || !selection.is_all() || inputs.len() > 2 {
            return Err(Error::usage("--devtools compares two whole snapshots, without other options"));
        }
        return comparison(&inputs, args, out);
    }
    let Some((diff, status)) = compare(&inputs, &selection, !options.classes)? else {
        return Ok(Status::Failed);
    };
    if !diff.by_identity && (leaked || options.nodes.is_some()) {
        return Err(Error::failed(
            "the objects of these files cannot be told apart: they carry no lasting identity",
        ));
    }
    if let Some(fate) = options.nodes {
        let writer = Writer::new(out).provenance(args.provenance(), true);
        let mut filter = Filter::new(Selection::default().among(diff.ids(fate)), Edges::Inner, writer);
        let index = if fate == Fate::Gone { 0 } else { inputs.len() - 1 };
        let whole = inputs.read(index, &mut filter)? == Outcome::Whole;
        heap_record::Sink::finish(&mut filter, whole)?;
        return Ok(status);
    }
    let shown = match &options.fail_on {
        Some(condition) => Shown::Where(condition),
        None if options.leaked => Shown::Leaked,
        None if options.all => Shown::All,
        None => Shown::Changed,
    };
    let (report, count) = rows::classes(&diff, inputs.len(), shown, &args.output)?;
    report.write(out)?;
    Ok(if options.fail_on.is_some() && count > 0 { status.max(Status::No) } else { status })
}

/// The comparison of Chrome DevTools.
fn comparison(inputs: &Inputs, args: &Args, out: &mut Out) -> Result<Status, Error> {
    let read = |index| -> Result<Option<View>, Error> {
        let mut view = View::new();
        Ok((inputs.read(index, &mut view)? == Outcome::Whole).then_some(view))
    };
    // The newer one first: its plain objects name those of both.
    let Some(new) = read(1)? else { return Ok(Status::Failed) };
    let new = new.group(None)?;
    let Some(base) = read(0)? else { return Ok(Status::Failed) };
    let base = base.group(Some(new.interfaces()))?;
    rows::devtools(&base, &new, &args.output)?.write(out)?;
    Ok(Status::Done)
}

/// Reads all files; `None` if one of them cannot be read to its end.
fn compare(inputs: &Inputs, selection: &Selection, objects: bool) -> Result<Option<(Diff, Status)>, Error> {
    let (mut snapshots, mut missing) = (Vec::new(), BTreeSet::new());
    for index in 0..inputs.len() {
        let mut census = Census::new(selection.clone(), objects);
        if inputs.read(index, &mut census)? != Outcome::Whole {
            return Ok(None);
        }
        missing.extend(census.missing());
        heap_record::Sink::finish(&mut census, true)?;
        snapshots.push(census);
    }
    for what in &missing {
        heap_cli::warn(what);
    }
    let identities = snapshots.iter().all(|s| *s.identity() != Identity::None);
    let diff = Diff::of(snapshots);
    if objects && !diff.by_identity {
        heap_cli::warn(if identities {
            "the files come from different sources: only counts and sizes are compared"
        } else {
            "objects carry no lasting identity: only counts and sizes are compared"
        });
    }
    if diff.by_identity && diff.matched.1 * 10 < diff.matched.0 {
        heap_cli::warn("few objects are met again: do the files come from one process?");
    }
    Ok(Some((diff, Status::Done)))
}
