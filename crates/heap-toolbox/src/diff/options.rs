//! heap-diff: two to many snapshots compared. See `man/heap-diff.1`.

use crate::diff::{Census, ChangeColumns, Diff, DiffOptions, Fate, Grouping};
use crate::diff::{chosen, rows};
use crate::dom::Annotations;
use crate::filter::{Edges, Filter};
use crate::memory::{MEMORY, guard};
use heap_cli::{
    Args, Error, Example, Flag, GATE, INPUT, Input, Inputs, Out, Outcome, SELECTION, Status, Tool, output,
    own, switch,
};
use heap_devtools::View;
use heap_ops::gate::Gate;
use heap_ops::select::Selection;
use heap_record::{Sink, Writer};

/// Options, examples and notes of the tool.
pub const TOOL: Tool = Tool {
    name: "heap-diff",
    about: "compare snapshots by class and object by object",
    usage: "[OPTIONS] FILE FILE...",
    flags: &[
        own(&[
            Flag {
                short: None,
                long: "by",
                value: Some("class|package|location"),
                help: "a row for each class, package or location\n\
                       The default is class. A package is what stands before the last dot of the class, of Go \
                       before the first dot behind the last slash, location the function with file and line, as heap-sum has them.",
            },
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
                help: "write these objects with the edges among them\n\
                       New and leaked ones come from the last file, gone ones from the first.",
            },
            Flag {
                short: None,
                long: "fail-on",
                value: Some("CONDITION"),
                help: "exit with status 1 if this holds for a row: 'class=Session and count_delta>0'\n\
                       Comparisons of columns (= != < <= > >= ~ !~) joined by and, or. Only such rows are written.",
            },
            switch(
                None,
                "retained",
                "also what classes retain, and what new and leaked objects retain together\n\
                 Takes the whole graph of each file, unless it comes from heap-dom.",
            ),
            MEMORY,
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
                long: "mixed",
                value: None,
                help: "compare files of different virtual machines or values, too: classes of equal names\n\
                       Without it such files are an error, because few names mean the same.",
            },
            Flag {
                short: None,
                long: "devtools",
                value: None,
                help: "V8, two files: the rows of Chrome DevTools' comparison, figure for figure\n\
                       Classes and sizes are those of heap-sum --devtools.",
            },
        ]),
        GATE,
        SELECTION,
        output(chosen::COLUMNS),
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
            command: "heap-diff before.heapsnapshot after.heapsnapshot --fail-on 'class=Account and count_delta>0'",
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
    run,
};

fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    let (mut selection, mut options, mut memory) = (Selection::default(), DiffOptions::default(), None);
    while let Some(option) = args.next()? {
        match option {
            "leaked" => options.leaked = true,
            "all" => options.all = true,
            "classes" => options.classes = true,
            "devtools" => options.devtools = true,
            "mixed" => options.mixed = true,
            "nodes" => options.nodes = Some(args.parse_with("new, gone or leaked", Fate::named)?),
            "retained" => options.retained = true,
            "memory" => memory = Some(args.size()?),
            "by" => {
                let named = |text: &str| Grouping::ALL.into_iter().find(|by| by.name() == text);
                options.by = args.parse_with("class, package or location", named)?;
            }
            "fail-on" => {
                args.fail_on()?;
                options.gate = true;
            }
            _ => args.select(option, &mut selection)?,
        }
    }
    let mut gate = args.gate(&ChangeColumns(options.by))?;
    options.retained |= gate.as_ref().is_some_and(Gate::needs_retained);
    let inputs = args.inputs()?.again();
    options.check(inputs.len(), !selection.is_all()).map_err(Error::usage)?;
    if options.devtools {
        return devtools(&inputs, memory, args, out);
    }
    let mut snapshots = Vec::new();
    // The file whose objects are written is read twice. It may be a pipe, so it stays open.
    let (place, mut twice) = (options.nodes.map(|fate| fate.place(inputs.len())), None);
    for index in 0..inputs.len() {
        let mut census = Census::grouped(selection.clone(), !options.classes, options.by);
        let Some(mut input) = inputs.open(index) else { return Ok(Status::Failed) };
        let outcome = if options.retained {
            with_retained(&inputs, (index, &mut input), memory, &mut census)?
        } else {
            inputs.read_open(index, &mut input, &mut census)?
        };
        if outcome != Outcome::Whole {
            return Ok(Status::Failed);
        }
        census.finish(true)?;
        let mut census = census.into_report();
        if index + 1 < inputs.len() {
            census.forget_nodes();
        }
        snapshots.push(census);
        if place == Some(index) {
            twice = Some(input);
        }
    }
    let mut diff = if options.retained { Diff::with_retained(snapshots) } else { Diff::of(snapshots) };
    diff.serves(&options)?;
    diff.repeated(inputs.repeated());
    diff.doubts.iter().for_each(|what| heap_cli::warn(what));
    selection.unmatched(true).iter().for_each(|what| heap_cli::warn(what));
    if let (Some(fate), Some(place), Some(mut input)) = (options.nodes, place, twice) {
        let writer = Writer::new(out).provenance(args.provenance(), true);
        let mut filter = Filter::new(Selection::default().among(diff.ids(fate)), Edges::Inner, writer);
        let whole = inputs.read_open(place, &mut input, &mut filter)? == Outcome::Whole;
        filter.finish(whole)?;
        return Ok(if whole { Status::Done } else { Status::Failed });
    }
    if let Some(gate) = &mut gate {
        diff.doubt.iter().for_each(|doubt| doubt.refuse(gate));
        diff.unknown.iter().for_each(|why| gate.refuse(why));
        diff.rows.iter().for_each(|row| gate.text_of_input(&row.class));
        gate.unmet().for_each(|what| heap_cli::warn(&what));
    }
    let report = rows::classes(&diff, inputs.len(), options.shown(), gate.as_mut(), &args.output)?;
    gate.iter_mut().for_each(Gate::end);
    let status = args.close(gate.as_ref(), &inputs)?;
    report.write(out)?;
    Ok(status)
}

/// Reads an input twice: for its graph, and for its nodes with what they retain.
fn with_retained(
    inputs: &Inputs,
    (index, input): (usize, &mut Input),
    memory: Option<u64>,
    census: &mut dyn Sink,
) -> Result<Outcome, Error> {
    let mut graph = Annotations::sink(memory);
    let first = inputs.read_open(index, input, &mut graph)?;
    if first != Outcome::Whole {
        return Ok(first);
    }
    let annotations = Annotations::built(graph, false)?;
    annotations.doubt().into_iter().for_each(heap_cli::warn);
    inputs.read_open(index, input, &mut annotations.to(census)?)
}

/// The comparison of Chrome DevTools.
fn devtools(inputs: &Inputs, memory: Option<u64>, args: &Args, out: &mut Out) -> Result<Status, Error> {
    // Whether they are two dumps of one process is known before anything is compared.
    let read = |index| -> Result<Option<(View, Census)>, Error> {
        let Some(mut input) = inputs.open(index) else { return Ok(None) };
        let mut census = Census::new(Selection::default(), true);
        if inputs.read_open(index, &mut input, &mut census)? != Outcome::Whole {
            return Ok(None);
        }
        census.finish(true)?;
        let mut view = View::new().guarded(guard(memory));
        let is_whole = inputs.read_open(index, &mut input, &mut view)? == Outcome::Whole;
        Ok(is_whole.then(|| (view, census.into_report())))
    };
    // The newer one first: its plain objects name those of both.
    let Some((new, after)) = read(1)? else { return Ok(Status::Failed) };
    let new = new.group(None)?;
    let Some((base, before)) = read(0)? else { return Ok(Status::Failed) };
    let mut diff = Diff::of(vec![before, after]);
    diff.repeated(inputs.repeated());
    diff.doubt.iter().for_each(|doubt| heap_cli::warn(doubt.text()));
    let base = base.group(Some(new.interfaces()))?;
    rows::devtools(&base, &new, &args.output)?.write(out)?;
    Ok(Status::Done)
}
